"""Looks at a game turn by turn: the codes that every answer to each guess would have left, and the answer given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import ClassVar

from entropeg import arguments, codebreakers, codemakers
from entropeg.candidates import SCANNED, find_candidates
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codes import format_code
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code, format_feedback
from entropeg.loop import draw_seed, generators, legal_secret, play
from entropeg.partition import AnswerLeft, Partition
from entropeg.plain_values import PlainValue
from entropeg.position import Position, State, ToldTurn, Turn
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Told, plural


@dataclass(frozen=True)
class WatchedTurn(ToldTurn):
    """One turn, and what its guess did to the codes that were left before it.

    `partition` splits all codes left or, where `sample` is a number, a sample of that many; it is None where there was
    no time for it, or nobody could find codes. `before` and `after` are exact numbers of codes, None where codes cannot
    be listed.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("guess", "feedback", "before", "after", "sample", "chance", "answers", "says")

    rules: Rules
    turn: Turn
    partition: Partition | None
    sample: int | None = None
    """Codes of the sample that the numbers are of; null: of all codes left."""

    @property
    def before(self) -> int | None:
        """Codes left before the turn."""
        return None if self.partition is None or self.sample is not None else self.partition.total

    @property
    def after(self) -> int | None:
        """Codes left after it; 0 where the answer cannot be true."""
        return (
            None if self.before is None or self.partition is None else self.partition.sizes.get(self.turn.feedback, 0)
        )

    @property
    def chance(self) -> float | None:
        """How likely the answer was: exact, or by the sample; None where nobody can tell."""
        return None if self.partition is None else self.partition.shares.get(self.turn.feedback, 0.0)

    @property
    def answers(self) -> list[AnswerLeft]:
        """What each answer that could come would have left, the likeliest first."""
        return [] if self.partition is None else sorted(self.partition.answers, key=lambda answer: -answer.chance)

    @property
    def says(self) -> str:
        """What the turn did, in one sentence."""
        guess, answer = format_code(self.guess, self.rules), format_feedback(self.feedback)
        if self.partition is None:
            return Told("{guess} got {answer}.", guess, answer)
        if self.sample is not None:
            return Told(
                "{guess} got {answer}, as {share:.1%} of the codes left would give, by a sample of {sample}.",
                *(guess, answer, self.chance or 0.0, plural(self.sample, "{n} code", "{n} codes")),
            )
        assert self.before is not None
        assert self.after is not None
        codes = plural(self.before, "{n} code", "{n} codes")
        if self.turn.feedback == self.partition.win:
            return Told("{guess} got {answer}: found, among {codes}.", guess, answer, codes)
        return Told("{guess} got {answer}: {left:count} of {codes} left.", guess, answer, self.after, codes)


@dataclass(frozen=True)
class WatchedGame(PlainValue):
    """A game, or its first turns where `is_cut`: the same that `entropeg.play` plays with the same seed.

    `secret` is None where the codemaker keeps none.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "codebreaker", "codemaker", "seed", "secret", "turns", "state", "is_cut"),
    )

    rules: Rules
    codebreaker: str
    codemaker: str
    seed: int
    secret: Code | None
    """Null where the codemaker keeps none."""
    turns: tuple[WatchedTurn, ...]
    is_cut: bool = False
    """Whether the time, or the turns asked for, were over before the game was."""

    @property
    def position(self) -> Position:
        """The position after the last turn."""
        return Position(self.rules, [turn.turn for turn in self.turns])

    @property
    def state(self) -> State:
        """`won`, `lost` or `open`."""
        return self.position.state


class _Cut(Exception):  # noqa: N818 # not an error: it ends a game that was watched long enough
    """The game has been watched long enough."""


def watch(
    codebreaker: Codebreaker | str,
    codemaker: Codemaker | str,
    rules: Rules | str,
    seed: int | None = None,
    *,
    turns: int | None = None,
    seconds: float = 10.0,
) -> WatchedGame:
    """Play a game as `play` does, and split the codes that were left at each turn by the answers that could come.

    Exact wherever the board has at most `SCANNED` codes, else by samples. After ``turns`` turns (None: any number), or
    after about ``seconds``, the game is cut; no guess that is begun is broken off. Splitting takes as long at most,
    after which turns have no partition. Raises what `play` raises.

    >>> game = watch("consistent", "honest:ABCA", "4x6", seed=1)
    >>> game.state, [(turn.before, turn.after) for turn in game.turns][:2]
    ('won', [(1296, 84), (84, 17)])
    """
    codebreaker, codemaker, rules = codebreakers.of(codebreaker), codemakers.of(codemaker), Rules.of(rules)
    seed = draw_seed() if seed is None else arguments.seed(seed)
    most = inf if turns is None else arguments.whole(turns, "the number of turns", least=1)
    end = perf_counter() + arguments.number(seconds, "the time")
    seen = [Position(rules)]

    def see(position: Position) -> None:
        seen.append(position)
        if not position.is_over and (len(position.turns) >= most or perf_counter() >= end):
            raise _Cut

    try:
        secret = play(codebreaker, codemaker, rules, seed, on_turn=see).secret
    except _Cut:
        chosen = codemaker.choose(rules, generators(seed)[1])
        secret = None if chosen is None else legal_secret(codemaker, chosen, rules)
    watched = _watched(seen, perf_counter() + seconds)
    return WatchedGame(
        rules, name_of(codebreaker), name_of(codemaker), seed, secret, watched, is_cut=not seen[-1].is_over
    )


def _watched(seen: Sequence[Position], end: float) -> tuple[WatchedTurn, ...]:
    found = []
    for before, after in pairwise(seen):
        turn = after.turns[-1]
        if perf_counter() >= end:
            found.append(WatchedTurn(before.rules, turn, None))
            continue
        if before.rules.secret_count <= SCANNED:
            found.append(WatchedTurn(before.rules, turn, Partition.of(before.candidates, turn.guess)))
            continue
        found.append(_sampled(before, turn))
    return tuple(found)


def _sampled(before: Position, turn: Turn) -> WatchedTurn:
    try:
        # A sample stands for codes that nobody can list.
        found = find_candidates(before.rules, before.turns, limit=2000, seed=0, effort=0)
    except (ContradictionError, TooLargeError):
        return WatchedTurn(before.rules, turn, None)
    if not len(found.codes):
        return WatchedTurn(before.rules, turn, None)
    sample = None if found.complete else len(found.codes)
    return WatchedTurn(before.rules, turn, Partition.of(found.codes, turn.guess), sample)
