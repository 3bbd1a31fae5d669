"""The explorer: what is known of a position, what each guess there is worth, and what each answer to one leaves."""

from __future__ import annotations

import shlex
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import inf, isfinite
from textwrap import wrap
from time import perf_counter
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.advise.advice import rank
from entropeg.advise.expectation import Expectation, less
from entropeg.advise.question import SECONDS, AdviceQuestion, NotedPosition, Remaining
from entropeg.advise.ranking.searched import can_search
from entropeg.advise.rated import RatedGuess
from entropeg.chosen_language import translated
from entropeg.codes import AnyCode, CodeSet
from entropeg.errors import EntropegError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, from_label, score_trusted, win_feedback
from entropeg.partition import Partition
from entropeg.plain_values import PlainValue
from entropeg.position import AtPosition, Position, State, Turn, format_turn
from entropeg.rules import Rules
from entropeg.search.guess_parts import GuessParts, guess_parts
from entropeg.search.values import PositionValues
from entropeg.symmetry import kind_numbers, kind_sizes
from entropeg.table.stored import table_of
from entropeg.table.tablebase import Tablebase
from entropeg.told import Told, word, words

MOST_CELLS = 4_000_000
"""Guesses times codes up to which all guesses are valued at once."""
ESTIMATED = 20
"""Guesses that are ranked where not all can be valued in the time."""
DRAWN = 12
"""Moves that a notebook shows."""


class Provenance(StrEnum):
    """Where the numbers of a position come from."""

    table = "table"
    searched = "searched"
    estimated = "estimated"

    @property
    def told(self) -> Told:
        """The source, for people."""
        return {
            Provenance.table: word("source", "exact, from the table"),
            Provenance.searched: word("source", "exact, searched"),
            Provenance.estimated: word("source", "estimated"),
        }[self]


@dataclass(frozen=True)
class ExploredMove(PlainValue):
    """A guess at a position, for all that the position's symmetry makes of it: `alike` of them, itself counted."""

    PLAIN: ClassVar[tuple[str, ...]] = ("guess", "alike", "mean", "loss", "worst", "is_candidate", "parts")

    guess: Code
    alike: int
    """Guesses of its class, itself counted: renamed colors and moved pegs make them of one another."""
    mean: Expectation
    """Guesses expected from here on, this one counted."""
    loss: Expectation
    """What that is more than with the best guess."""
    worst: int | None
    """The fewest guesses that are sure to be enough, this one counted; null where that is not known."""
    is_candidate: bool
    """Whether it may be the secret."""
    parts: int
    """Number of answers that can come; of a sample, that came."""


@dataclass(frozen=True)
class ExploredAnswer(PlainValue):
    """An answer to a guess, and what it leaves."""

    PLAIN: ClassVar[tuple[str, ...]] = ("feedback", "codes", "chance", "mean", "worst", "luck")

    feedback: AnyFeedback
    codes: int
    """Codes left after it: of all, or of the sample."""
    chance: float
    mean: Expectation | None
    """Further guesses expected after it, 0 after the one that wins; null where that is not known."""
    worst: int | None
    """Further guesses that are sure to be enough; null where that is not known."""
    luck: Expectation | None
    """Guesses that it saves against what was to be expected; null where that is not known."""


@dataclass(frozen=True)
class Exploration(AtPosition, PlainValue):
    """All that there is to say of a position: the codes left, its value, the moves, and the answers to one of them.

    `moves` are classes of guesses that the symmetry of the position makes of one another, the best first: of all
    guesses where `others` is 0. `chosen` is the move whose `answers` are told. `value` is None where the game is lost.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "turns", "state", "left=remaining", "value", "worst", "source", "keeps_limit", "says"),
        *("command", "moves", "others", "chosen", "answers", "seconds"),
    )

    position: Position
    remaining: Remaining
    value: Expectation | None
    """Guesses expected from here on with the best play; null where the game is lost."""
    worst: int | None
    """The fewest guesses that are sure to be enough; null where that is not known."""
    source: Provenance
    """How sure the numbers are: from the table, searched, both of them exact, or estimated."""
    moves: tuple[ExploredMove, ...] = ()
    others: int = 0
    """Guesses that are in none of the classes told."""
    chosen: ExploredMove | None = None
    """The move of which the answers are told; null where the game is over."""
    answers: tuple[ExploredAnswer, ...] = ()
    """What each answer to it leaves, the most codes first."""
    keeps_limit: bool = True
    """Whether the best play finds every code within the guesses that the limit of the rules leaves."""
    seconds: float = 0.0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """What was played."""
        return self.position.turns

    @property
    def state(self) -> State:
        """Whether the game is won, lost or open."""
        return self.position.state

    @property
    def command(self) -> str:
        """The command that shows this position again: `entropeg explore 4x6 "AABB XO"`."""
        return explore_command(self.position)

    @property
    def says(self) -> str:
        """What the best play takes, and how sure that is, in a sentence."""
        if self.value is None:
            return Told("The game is lost.")
        if self.position.is_won:
            return Told("The game is won.")
        if self.worst is None:
            return Told("Least mean {guesses} guesses: {source}.", self.value, self.source.told)
        given = self.value, self.worst, self.source.told
        return Told("Least mean {guesses} guesses, least worst case {worst}: {source}.", *given)

    def __repr__(self) -> str:
        return f"<Exploration of {self.rules}: {self.position}; {self.value}, {self.source}>"

    def _repr_html_(self) -> str:
        """Show it in a notebook: what was played, the best moves, and what the answers to the chosen one leave."""
        from entropeg.svg.guesses import draw_guesses  # the room of pictures is loaded when one is wanted

        rules, answers = self.rules, {each.feedback: each.codes for each in self.answers}
        columns = words("column", "alike", "guesses", "loss", "worst")
        rows = [
            (each.guess, [str(each.alike), *map(translated, (str(each.mean), str(each.loss))), _number(each.worst)])
            for each in self.moves[:DRAWN]
        ]
        drawn = [self.position._repr_svg_()]
        if self.chosen is not None:
            drawn.append(draw_guesses(rules, columns, rows, self.source.told, notes=wrap(translated(self.says), 60)))
            parts = Partition(self.chosen.guess, answers, win_feedback(rules), rules=rules)
            drawn.append(parts._repr_svg_())
        return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(drawn)}</div>'


def _number(worst: int | None) -> str:
    return "" if worst is None else str(worst)


def explore_command(position: Position) -> str:
    """Return the command that explores a position.

    >>> explore_command(Position("4x6", ["AABB XO"]))
    'entropeg explore 4x6 "AABB XO"'
    """
    turns = [format_turn(turn, position.rules) for turn in position.turns]
    quoted = [shlex.quote(turn) if set(turn) & set('"$`\\!') else f'"{turn}"' for turn in turns]
    return " ".join(["entropeg explore", shlex.quote(str(position.rules)), *quoted])


def explore(
    board: Position | Rules | str,
    guess: AnyCode | None = None,
    *,
    limit: int | None = None,
    time: float = SECONDS,
    seed: int = 0,
) -> Exploration:
    """Say all that is known of a position: its value, what each guess is worth, and what the answers to one leave.

    ``board``: a position, or rules at the start of a game. ``guess``: the one whose answers are told, by default the
    best. ``limit``: list so many classes of guesses, by default all. Numbers are exact where a table has them or the
    search finds them in ``time``, about, in seconds; otherwise as `advise` estimates them, of its best guesses. Costs
    20 to 100 milliseconds on 4x6 after two turns, once the search is loaded.

    Raises InputError where the guess is none, ContradictionError where no code fits, TooLargeError where no way to find
    codes suits the board.

    >>> found = explore("4x6", limit=2)
    >>> print(found.value, found.worst, found.source, [(each.guess, each.alike) for each in found.moves])
    = 4.340 5 searched [((0, 0, 1, 2), 720), ((0, 1, 2, 3), 360)]
    >>> print(found.answers[0].codes, found.answers[0].mean, found.answers[0].luck)
    276 = 3.533 = -0.192
    """
    began = perf_counter()
    position = Position.of(board)
    if position.is_over:
        return _over(position, seed)
    limit = None if limit is None else arguments.whole(limit, "the number of guesses", least=1)
    question = AdviceQuestion.of(position, ESTIMATED, () if guess is None else (guess,), time, seed)
    found = _Explorer(question).exploration(began)
    if limit is None:
        return found
    others = found.others + sum(each.alike for each in found.moves[limit:])
    return replace(found, moves=found.moves[:limit], others=others)


def _over(position: Position, seed: int) -> Exploration:
    rules = position.rules
    if not position.is_won:
        left = NotedPosition.of(Position(rules.with_limit(None), position.turns), seed).remaining
        return Exploration(position, left, None, None, Provenance.searched)
    secret = position.turns[-1].guess
    if any(score_trusted(turn.guess, secret, rules) != turn.feedback for turn in position.turns):
        position.check_consistent()
    left = Remaining(CodeSet.of([secret], rules), is_complete=True, count=1, about=1.0, method="list")
    return Exploration(position, left, Expectation.of(0), 0, Provenance.searched)


class _Explorer:
    """Answers one question: by the exact search of all guesses, or of those that are ranked, or by estimates."""

    values: PositionValues
    """The search that was asked last."""

    def __init__(self, question: AdviceQuestion) -> None:
        self.question, self.noted = question, question.noted
        self.position, self.rules, self.codes = self.noted.position, self.noted.rules, self.noted.remaining.codes
        self.left, self.keeps_limit = self.noted.guesses_left, True
        self.table: Tablebase | None = table_of(self.rules) if self.left is None else None
        self.value: Expectation | None = None

    def exploration(self, began: float) -> Exploration:
        """Say all that is known."""
        every = self._every()
        parts = None if every is None else self._parts(every[0], 0.5, lifts=True)
        moves = self._ranked() if every is None or parts is None else self._exact_moves(*every, parts)
        value, stored = self.value, None if self.table is None else self.table.value(self.codes)
        assert value is not None
        worst, source = None, Provenance.searched if value.is_exact else Provenance.estimated
        if stored is not None:
            value, worst, source = (
                Expectation.of(Fraction(stored.total, len(self.codes))),
                stored.worst,
                Provenance.table,
            )
        elif parts is not None:
            worst = min(each.worst for each in moves if each.worst is not None)
        chosen, answers = self._chosen(moves)
        legal = self.rules.guess_count if self.noted.clues is None else len(self.position.legal_guesses)
        return Exploration(
            self.position, self.noted.remaining, value, worst, source, tuple(moves),
            legal - sum(each.alike for each in moves), chosen, answers, self.keeps_limit, perf_counter() - began,
        )  # fmt: skip

    # ------------------------------------------------------------------ exact numbers

    def _every(self) -> tuple[CodeSet, list[int]] | None:
        """One guess of each class, and how many are alike; None where they are too many, or the search has no say."""
        if not can_search(self.noted):
            return None
        legal = self.position.legal_guesses
        alike = [1] * len(legal)
        if self.rules.prior is None:
            _, first, sizes = np.unique(kind_numbers(self.position, legal), return_index=True, return_counts=True)
            legal, alike = legal.take(first), sizes.tolist()
        return (legal, alike) if len(legal) * len(self.codes) <= MOST_CELLS else None

    def _parts(self, some: CodeSet, share: float, *, lifts: bool = False) -> GuessParts | None:
        """The parts of guesses in a share of the time, None if it is too short; ``lifts``: a limit that none keeps."""
        values = self.values = self.noted.values(self.left)

        def asked() -> GuessParts | None:
            with values.opened(), values.board.stop.after(share * self.question.seconds):
                return guess_parts(values, some)

        found = values.board.stop.run(asked)
        is_lost = found is not None and found.after(len(some), values.infinite).min() >= values.infinite
        if lifts and is_lost and self.left is not None:
            self.left, self.keeps_limit = None, False
            return self._parts(some, share)
        return found

    def _exact(self, total: int, mass: int) -> Expectation:
        if total >= self.values.infinite:
            return Expectation.of(inf)
        return Expectation.of(Fraction(total, mass) if self.values.board.is_exact else total / mass)

    def _exact_moves(self, some: CodeSet, alike: list[int], parts: GuessParts) -> list[ExploredMove]:
        n, mass, win = len(some), self.values.mass, self.values.board.layout.win
        totals, worsts, numbers = parts.after(n, self.values.infinite), parts.worst(n), parts.number(n)
        wins = np.bincount(parts.of[parts.labels == win], minlength=n) > 0
        value = self.value = self.value or self._exact(int(totals.min()), mass)
        means = {total: self._exact(total, mass) for total in set(totals.tolist())}
        losses = {total: mean.loss(value) for total, mean in means.items()}
        order = np.lexsort((-numbers, ~wins, worsts, totals))
        measured = (array[order].tolist() for array in (some.planes.T, np.array(alike), totals, worsts, wins, numbers))
        return [
            ExploredMove(tuple(guess), size, means[total], losses[total], *others)
            for guess, size, total, *others in zip(*measured, strict=True)
        ]

    def _alike(self, some: CodeSet) -> list[int]:
        if self.rules.prior is None:
            with suppress(TooLargeError):  # where the codes cannot be listed, nobody looks for symmetries
                return kind_sizes(self.position, some)
        return [1] * len(some)

    # ------------------------------------------------------------------ the best guesses alone

    def _ranked(self) -> list[ExploredMove]:
        """The best guesses as `advise` ranks them, and with them the one that was asked about."""
        ranking = rank(replace(self.question, seconds=0.4 * self.question.seconds))
        self.value = ranking.value
        if not ranking.keeps_limit:
            self.left, self.keeps_limit = None, False
        known = dict([*ranking.guesses, *ranking.also])
        some = CodeSet.of(list(known), self.rules)
        parts = self._parts(some, 0.2) if self._is_searched else None
        worsts = [None] * len(some) if parts is None else parts.worst(len(some)).tolist()
        of_guess = dict(
            zip(some, zip(self._alike(some), worsts, strict=True), strict=True)
        )  # a set has an order of its own
        found = []
        for guess, mean in known.items():
            rated, (alike, worst) = RatedGuess.of(self.noted, guess, mean, ranking.loss(mean)), of_guess[guess]
            found.append(ExploredMove(guess, alike, mean, rated.loss, worst, rated.is_candidate, rated.parts))
        return found

    @property
    def _is_searched(self) -> bool:
        return self.value is not None and self.value.is_exact and can_search(self.noted)

    # ------------------------------------------------------------------ answers

    def _chosen(self, moves: list[ExploredMove]) -> tuple[ExploredMove, tuple[ExploredAnswer, ...]]:
        """The move that was asked about, or the best, and what its answers leave, the most codes first."""
        guess = self.question.also[0] if self.question.also else moves[0].guess
        some = CodeSet.of([guess], self.rules)
        parts = self._parts(some, 0.2) if self._is_searched else None
        if parts is None:
            move = next(each for each in moves if each.guess == guess)
            return move, self._estimated_answers(move)
        move, layout = self._exact_moves(some, self._alike(some), parts)[0], self.values.board.layout
        labels = layout.public_labels(layout.number_guess(guess), parts.labels).tolist()
        measured = parts.sizes.tolist(), parts.masses.tolist(), parts.totals.tolist(), parts.worsts.tolist()
        found = [
            _answer(move, from_label(label, self.rules), size, mass / self.values.mass, self._exact(total, mass), worst)
            for label, size, mass, total, worst in zip(labels, *measured, strict=True)
        ]
        return move, tuple(sorted(found, key=lambda each: -each.codes))

    def _estimated_answers(self, move: ExploredMove) -> tuple[ExploredAnswer, ...]:
        partition = Partition.of(self.codes, move.guess)
        seconds = 0.3 * self.question.seconds / partition.parts
        found = []
        for each in partition.answers:
            is_won = each.feedback == partition.win or (each.codes == 1 and not self.rules.is_named)
            mean = Expectation.of(0) if is_won else self._value_after(move.guess, each.feedback, seconds)
            found.append(_answer(move, each.feedback, each.codes, each.chance, mean, 0 if is_won else None))
        return tuple(found)

    def _value_after(self, guess: Code, answer: AnyFeedback, seconds: float) -> Expectation | None:
        if not self.noted.remaining.is_complete:
            return None
        rules = self.rules if self.keeps_limit else self.rules.with_limit(None)
        with suppress(EntropegError):  # the game may be lost there
            after = Position(rules, self.position.turns).after_trusted(guess, answer)
            return rank(AdviceQuestion.of(after, 1, (), seconds, self.question.seed)).value
        return None


def _answer(
    move: ExploredMove, feedback: AnyFeedback, codes: int, chance: float, mean: Expectation | None, worst: int | None
) -> ExploredAnswer:
    is_known = mean is not None and isfinite(mean.value) and isfinite(move.mean.value)
    luck = less(move.mean.plus(-1), mean) if is_known and mean is not None else None
    return ExploredAnswer(feedback, codes, chance, mean, worst, luck)
