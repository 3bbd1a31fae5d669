"""Says what other players would have done, at the same positions and against the same secret."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from entropeg import arguments, codebreakers
from entropeg.advise.expectation import Expectation, less
from entropeg.advise.player_views import OPTIMAL, check_pairs
from entropeg.codebreakers.onestep import OneStep
from entropeg.codes import AnyCode, check_code, format_code
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, score_trusted
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.review.account import SECONDS, Review
from entropeg.review.assessment import Assessor
from entropeg.review.turns import total_of
from entropeg.review.wording import hundredths
from entropeg.told import Told, word

OTHERS = (OPTIMAL, *codebreakers.registry.placed("expert"))
"""The players that are asked unless the caller says otherwise."""
CAPTION = Told("what others would guess at these turns, and how many guesses they take alone")
"""The caption of the table of `others_in_rows`."""


@dataclass(frozen=True)
class OtherGuess(PlainValue):
    """What another player would have guessed at a turn, and what that loses."""

    guess: Code
    loss: Expectation


@dataclass(frozen=True)
class OtherPlay(PlainValue):
    """What a player would have done.

    `guesses`: at each of the reviewed positions its guess, and what that loses. `line`: its own guesses against the
    same secret, the last one winning; None where the secret is not known, or it was not found in time.
    """

    name: str
    guesses: tuple[OtherGuess, ...] = field(repr=False)
    line: tuple[Code, ...] | None


def other_plays(
    review: Review,
    secret: AnyCode | None = None,
    *,
    names: Iterable[str] = OTHERS,
    time: float = 3 * SECONDS,
    seed: int = 0,
) -> tuple[OtherPlay, ...]:
    """Say what players would have done at the positions of a reviewed game, and against its secret.

    Without a ``secret`` it is the guess that won, or the only code left. `optimal` is the best play, of which a review
    knows the guesses. The losses of a player are exact where the exact search can tell in time: about ``time`` seconds
    for all of them, each its share of what the others left. Players that do not play by the rules are left out, and
    those that are not through with the positions in that time. Players that draw at random draw by the seed.

    Raises InputError for a name that no codebreaker has, or a secret that the turns contradict.

    >>> from entropeg.review import review
    >>> told = review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))
    >>> for one in other_plays(told, names=["optimal", "minimax"]):
    ...     print(one.name, len(one.line), [str(guess.loss) for guess in one.guesses])
    optimal 4 ['= 0.000', '= 0.000', '= 0.000', '= 0.000']
    minimax 5 ['= 0.059', '= 0.034', '= 0.000', '= 0.000']
    """
    review = arguments.instance(review, Review, "the review", "as review returns it")
    rules, seed = review.position.rules.with_limit(None), arguments.seed(seed)
    time = arguments.number(time, "the time")
    hidden = _secret(review, secret)
    found = list[OtherPlay]()
    asked = arguments.items(names, "the names", '["minimax"]')
    end = perf_counter() + time
    for place, name in enumerate(asked):
        seconds = max(0.0, end - perf_counter()) / (len(asked) - place)
        if found and not seconds:
            break
        # The positions of the game, and those of its own against the secret.
        assessor = Assessor(rules, seconds=seconds, seed=seed, positions=2 * len(review.turns))
        player = None if name == OPTIMAL else codebreakers.get(name)
        try:
            found.append(_played(name, player, assessor, review, hidden))
        except ContradictionError:
            raise
        except InputError:  # it does not play by these rules, or too slowly on boards of this size
            continue
    return tuple(found)


def others_in_rows(review: Review, others: Sequence[OtherPlay]) -> list[tuple[str, ...]]:
    """Return a table with a heading: the guesses of each player at the positions of the game, and what they lose.

    The last column is how many guesses it takes against the same secret.
    """
    rules = review.position.rules
    own = tuple(OtherGuess(turn.guess, turn.loss) for turn in review.turns)
    won = str(review.guesses) if review.position.is_won else ""
    rows: list[tuple[str, ...]] = [
        ("", *(str(turn.number) for turn in review.turns), word("column", "lost"), word("column", "same secret"))
    ]
    listed: list[tuple[str, tuple[OtherGuess, ...], str]] = [(word("cell", "played"), own, won)]
    listed += [(one.name, one.guesses, str(len(one.line)) if one.line else "") for one in others]
    for name, guesses, taken in listed:
        lost = hundredths(total_of([one.loss for one in guesses]))
        rows.append((name, *(format_code(one.guess, rules) for one in guesses), lost, taken))
    return rows


def _secret(review: Review, secret: AnyCode | None) -> Code | None:
    position = review.position
    if secret is not None:
        code = check_code(secret, position.rules, secret=True)
        for number, turn in enumerate(position.turns, start=1):
            if score_trusted(turn.guess, code, position.rules) != turn.feedback:
                shown = format_code(code, position.rules)
                raise ContradictionError("turn {number} was not answered as the secret {code} would be", number, shown)
        return code
    if position.is_won:
        return position.turns[-1].guess
    return next(iter(position.candidates)) if review.turns[-1].after == 1 else None


def _played(name: str, player: Any, assessor: Assessor, review: Review, hidden: Code | None) -> OtherPlay:
    guesses = []
    for turn in review.turns:
        if player is None:
            guesses.append(OtherGuess(turn.best_guess, less(turn.best_expected, turn.value)))
            continue
        here = Position(assessor.rules, review.position.turns[: turn.number - 1])
        guess = _guess(player, here, np.random.default_rng(assessor.seed), assessor)
        guesses.append(OtherGuess(guess, less(assessor.expected(here, guess), turn.value)))
    return OtherPlay(name, tuple(guesses), None if hidden is None else _line(player, assessor, hidden))


def _guess(player: Any, position: Position, rng: np.random.Generator, assessor: Assessor) -> Code:
    """The guess of a codebreaker; raises TooLargeError where it takes too long."""
    if assessor.is_late:
        raise TooLargeError("the time is over")
    if isinstance(player, OneStep):
        check_pairs(position)
    return tuple(player.guess(position, rng))


def _line(player: Any, assessor: Assessor, hidden: Code) -> tuple[Code, ...] | None:
    position, rng = Position(assessor.rules), np.random.default_rng(assessor.seed)
    while len(position.turns) < 100 and not assessor.is_late:
        guess = assessor.best(position)[0] if player is None else _guess(player, position, rng, assessor)
        position = position.after_trusted(guess, score_trusted(guess, hidden, assessor.rules))
        if position.is_won:
            return tuple(turn.guess for turn in position.turns)
    return None
