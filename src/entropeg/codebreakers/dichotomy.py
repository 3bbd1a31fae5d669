"""The strategy with a proven bound for boards of any size (Viaud 1987; docs/dichotomy.md has the proofs).

First which colors the secret has, then how often each, then where: every step is a search for a subset
(`search.subset`) whose queries are codes of two kinds of pegs, those asked about and a filler of which enough is
known already.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import AnyFeedback, Code, Feedback, format_feedback, score
from entropeg.position import Position, Turn
from entropeg.rules import Blanks, FeedbackKind, Rules
from entropeg.search.subset import Array, Ask, Questions, between, search_subset

REMEMBERED = 8
"""So many games are kept in mind at a time: those that one process plays side by side."""

SHOWN_PEGS = 12
"""A code with more pegs is not spelled out in an error message."""


@dataclass(frozen=True)
class Dichotomy:
    """Find colors, then multiplicities, then positions, by subset searches; never over its proven bound.

    Source: Viaud 1987. At most `search.bounds.viaud_upper` guesses, on thousands of pegs and colors too; plays under
    standard feedback with repeated colors allowed. A turn costs O(pegs + turns). Turns that are not of its own making
    are left aside, except that an answer already known is not asked for again: it can take over any game, and from
    there needs at most the bound.
    """

    name: ClassVar[str] = "dichotomy"
    deterministic: ClassVar[bool] = True

    _memo: list[_Plan] = field(default_factory=list, init=False, repr=False, compare=False)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next code of the plan.

        Raises InputError under rules that it does not play, ContradictionError where an answer cannot be, at the
        latest when the only code left does not fit every turn.
        """
        check_rules(position.rules)
        plan = self._recall(position)
        plan.follow(position.turns)
        self._memo.append(plan)
        del self._memo[:-REMEMBERED]
        return plan.guess()

    def _recall(self, position: Position) -> _Plan:
        # Taking the plan out of the memo keeps two threads from sharing it. The longest past is tried first.
        for plan in sorted(self._memo, key=lambda plan: -len(plan.turns)):
            if plan.leads_to(position):
                try:
                    self._memo.remove(plan)
                except ValueError:
                    continue
                return plan
        return _Plan(position.rules)

    def __reduce__(self) -> tuple[type[Dichotomy], tuple[()]]:
        """Pickle without the memo: generators cannot be, and an empty memo only costs time."""
        return Dichotomy, ()


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the strategy does not apply."""
    if rules.feedback != FeedbackKind.standard:
        raise InputError(f"dichotomy plays under standard feedback, which {rules} does not give")
    if rules.words is not None and not rules.words.free:
        raise InputError(
            f"dichotomy plays one-color codes, which are no words of {rules.words.name}: add /free-guesses"
        )
    if not rules.repeats:
        raise InputError(f"dichotomy plays one-color codes, which {rules} forbids: allow repeated colors")


class _Plan:
    """One game in progress: the questions, the next code, and the turns it has seen."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.turns: tuple[Turn, ...] = ()
        self.found = False
        self._foreign: dict[Code, AnyFeedback] = {}
        # One int object a color, shared by all codes: with a thousand pegs they would fill the memory.
        self._symbols = np.arange(rules.symbols_in_guesses).astype(object)
        absent = rules.colors if rules.blanks == Blanks.guesses else None
        self._questions = find_code(rules.pegs, rules.symbols_in_secrets, absent)
        self._code = self._as_code(next(self._questions))

    def leads_to(self, position: Position) -> bool:
        """Tell whether a position continues what the plan has seen."""
        seen = len(self.turns)
        if seen > len(position.turns) or (seen and self.turns[-1] != position.turns[seen - 1]):
            return False
        return self.rules == position.rules and self.turns == position.turns[:seen]

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""
        for number in range(len(self.turns), len(turns)):
            self._take(number + 1, *turns[number])
        self.turns = turns

    def _take(self, number: int, guess: Code, feedback: AnyFeedback) -> None:
        if self.found or guess != self._code:
            self._foreign[guess] = feedback
            return
        self._answer(number, feedback)
        while not self.found and self._code in self._foreign:
            self._answer(number, self._foreign[self._code])

    def _answer(self, number: int, feedback: AnyFeedback) -> None:
        try:
            self._code = self._as_code(self._questions.send(Feedback(feedback.black, feedback.white)))
        except StopIteration as end:
            self._code, self.found = self._as_code(end.value), True
        except ContradictionError as error:
            raise ContradictionError(f"the answer to turn {number} contradicts the turns before it: {error}") from None

    def _as_code(self, pegs: Array) -> Code:
        return tuple(self._symbols[pegs].tolist())

    def guess(self) -> Code:
        """Return the next code; once it is the only one left it must fit every turn."""
        if self.found:
            self._check_found()
        return self._code

    def _check_found(self) -> None:
        for number, (guess, feedback) in enumerate(self.turns, start=1):
            right = score(guess, self._code, self.rules)
            if right != feedback:
                shown = self.rules.symbols.format(self._code) if self.rules.pegs <= SHOWN_PEGS else "one code"
                told = f"turn {number} was answered {format_feedback(feedback)}, not {format_feedback(right)}"
                raise ContradictionError(f"the answers contradict each other: they leave only {shown}, yet {told}")


def find_code(pegs: int, colors: int, absent: int | None = None) -> Questions[Array]:
    """Ask for codes until the secret is known, and return it; the code that shows it is not asked for.

    A generator of codes (`int64[pegs]`) to which feedback is sent. `absent` is a symbol that no secret has, if there
    is one beside the colors. Raises ContradictionError where an answer cannot be.
    """
    counts = yield from _find_colors(pegs, colors)
    if absent is None:
        absent = next((color for color in range(colors) if color not in counts), None)
    return (yield from _find_positions(pegs, counts, absent))


def guesses_needed(secret: Sequence[int] | Array, colors: int) -> int:
    """Return how many guesses the strategy needs for a secret, without a game around it: 1000x1000 in about 0.2 s.

    >>> guesses_needed((0, 1, 2, 0), 6)
    11
    """
    hidden = np.asarray(secret)
    counts = np.bincount(hidden, minlength=colors)
    questions = find_code(len(hidden), colors)
    code, guesses = next(questions), 1
    while True:
        black = int(np.count_nonzero(code == hidden))
        if black == len(hidden):
            return guesses
        common = int(np.minimum(np.bincount(code, minlength=colors), counts).sum())
        try:
            code = questions.send(Feedback(black, common - black))
        except StopIteration as end:
            code = end.value
        guesses += 1


def _find_colors(pegs: int, colors: int) -> Questions[dict[int, int]]:
    """Find the colors of the secret and how often each occurs, with the last color as filler."""
    filler = colors - 1
    known = between(0 if filler else pegs, (yield np.full(pegs, filler)).black, pegs)
    if known == pegs:
        return {filler: pegs}

    def ask(query: Array) -> Generator[Array, Feedback, int]:
        code = np.full(pegs, filler)
        code[: len(query)] = query
        black, white = yield code
        return black + white - min(known, pegs - len(query))

    members: list[int] = []
    for block, share in (yield from _shares(_blocks(pegs, colors), pegs - known, ask)):
        members += (yield from search_subset(block, share, ask)).tolist()
    counts = yield from _multiplicities(pegs, pegs - known, sorted(members))
    return counts | ({filler: known} if known else {})


def _blocks(pegs: int, colors: int) -> list[Array]:
    """Cut all colors but the last into blocks that fit a code: what is left over, then those of `pegs` colors."""
    starts = range(0, colors, pegs)
    blocks = [np.arange(start, min(start + pegs, colors - 1)) for start in starts]
    if colors % pegs:
        blocks = [blocks[-1], *blocks[:-1]]
    return [block for block in blocks if len(block)]


def _shares(blocks: list[Array], others: int, ask: Ask) -> Questions[list[tuple[Array, int]]]:
    """Find how many colors of each block occur, on `others` pegs in all; what is plain already is not asked."""
    shares: list[tuple[Array, int]] = []
    found = 0
    for number, block in enumerate(blocks, start=1):
        least = 1 if number == len(blocks) and not found else 0
        most = min(len(block), others - found)
        share = most if least == most else between(least, (yield from ask(block)), most)
        shares.append((block, share))
        found += share
    return shares


def _multiplicities(pegs: int, others: int, members: list[int]) -> Questions[dict[int, int]]:
    """Find how often each color present occurs, on `others` pegs in all, by one-color codes where it is open."""
    counts: dict[int, int] = {}
    for number, color in enumerate(members):
        after = len(members) - number - 1
        most = others - after
        if most == 1 or not after:
            counts[color] = most
        else:
            counts[color] = between(1, (yield np.full(pegs, color)).black, most)
        others -= counts[color]
    return counts


def _find_positions(pegs: int, counts: dict[int, int], absent: int | None) -> Questions[Array]:
    """Find where the colors are, color by color; the most frequent one comes last and takes what remains."""
    code = np.full(pegs, -1)
    by_count = sorted(counts, key=lambda color: (-counts[color], color))
    filler = absent
    if filler is None:
        filler = by_count[0]
        if len(by_count) > 1:
            yield from _place_pair(code, counts, by_count[0], by_count[1])
            del by_count[:2]
    for color in by_count[1:]:
        spots = yield from _search_spots(code, counts[color], color, filler)
        code[spots] = color
    code[code < 0] = by_count[0] if by_count else filler
    return code


def _search_spots(code: Array, count: int, color: int, filler: int) -> Questions[Array]:
    """Find the pegs of one color among the free ones; every peg of the filler, if any, is placed already."""
    placed = int((code == filler).sum())

    def ask(query: Array) -> Generator[Array, Feedback, int]:
        asked = np.full(len(code), filler)
        asked[query] = color
        return (yield asked).black - placed

    return (yield from search_subset(np.flatnonzero(code < 0), count, ask))


def _place_pair(code: Array, counts: dict[int, int], first: int, second: int) -> Questions[None]:
    """Place two colors, peg by peg, where every color occurs: the second on that peg, the first on all others."""
    left = {first: counts[first], second: counts[second], -1: len(code) - counts[first] - counts[second]}
    for peg in range(len(code)):
        possible = [color for color, number in left.items() if number]
        if len(possible) > 1:
            asked = np.full(len(code), first)
            asked[peg] = second
            gain = (yield asked).black - counts[first]
            color = {-1: first, 1: second}.get(between(-1, gain, 1), -1)
        else:
            color = possible[0]
        if not left[color]:
            raise ContradictionError("it puts more pegs on a color than there are of it")
        left[color] -= 1
        code[peg] = color
