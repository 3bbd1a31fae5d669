"""perft: how many ways a game can go, counted exhaustively; it pins the rules as it pins move generators in chess."""

from __future__ import annotations

from entropeg import arguments
from entropeg.position import Position
from entropeg.rules import Rules


def perft(rules: Rules | str, depth: int) -> int:
    """Return the number of sequences of `depth` turns (guess, feedback) that leave at least one candidate, exactly.

    Any legal guess may follow any turn, a winning one too. Costs (legal guesses)^depth passes over the
    candidates: 4x6 to depth 2 takes about a second. Raises InputError for a depth that is no whole number or beyond
    100, TooLargeError where the codes cannot be listed.

    >>> perft("3x3", 1), perft("3x3", 2)
    (198, 14034)
    """
    # Each turn costs a pass over the candidates for every legal guess.
    return _paths(Position(rules), arguments.whole(depth, "the depth", least=0, most=100))


def _paths(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    if depth == 1:
        return int((position.candidates.part_sizes(position.legal_guesses) > 0).sum())
    return sum(_paths(child, depth - 1) for guess in position.legal_guesses for child in children(position, guess))


def children(position: Position, guess: tuple[int, ...]) -> list[Position]:
    """Return the position after a guess for every feedback that leaves a candidate, in label order."""
    from entropeg.partition import Partition

    return [position.after_trusted(guess, feedback) for feedback in Partition.of(position.candidates, guess).sizes]
