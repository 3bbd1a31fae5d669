"""States some turns as constraints under which a code can be built peg by peg.

Two forms: symbols that a peg may not take, and *lanes*, counters that must come out at a target exactly. A lane falls
by what each further peg brings. With h pegs left to fill it must lie between 0 and what h pegs can bring: that is the
interval test of Forget 2011, "black in [final - h, final] and black + white in [final - h, final]", made sharper where
a peg left may not take the symbol that would bring it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates.domains import Domains
from entropeg.codes import AnyCode
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, Marks
from entropeg.rules import Rules

Turns: TypeAlias = Sequence[tuple[Code, AnyFeedback]]
AnyTurns: TypeAlias = "Iterable[tuple[AnyCode, FeedbackLike]]"
"""Turns as they are given, codes and feedback also as text."""

MOST_CELLS = 20_000_000
"""Pegs x symbols x turns, times two: the tables of the construction stay under 160 MB."""


@dataclass(frozen=True)
class Synthetic:
    """A guess longer than a code: several guesses without a common color, and the sum of their marks."""

    colors: Code
    total: int
    turns: tuple[int, ...]
    """Which turns it joins, by index."""


def synthetic_guess(rules: Rules, turns: Turns) -> Synthetic | None:
    """Join the guesses that scored into one that tells of colors only; None where fewer than two can be joined.

    Guesses that share a color with an earlier one of the joined are left out: their marks would count twice.
    None too where feedback does not count colors (black only, positional). Source: Forget 2011, "coup synthétique".

    >>> from entropeg.feedback import Feedback
    >>> turns = [((0, 1, 2, 3), Feedback(1, 0)), ((4, 5, 6, 7), Feedback(0, 0)), ((8, 9, 10, 11), Feedback(0, 2))]
    >>> synthetic_guess(Rules.parse("4x26"), turns)
    Synthetic(colors=(0, 1, 2, 3, 8, 9, 10, 11), total=3, turns=(0, 2))
    """
    joined: list[int] = []
    colors: list[int] = []
    for index, (guess, feedback) in enumerate(turns):
        if feedback.black + feedback.white and set(colors).isdisjoint(guess):
            joined.append(index)
            colors.extend(guess)
    if len(joined) < 2 or not rules.feedback.about.common:
        return None
    total = sum(turns[index][1].black + turns[index][1].white for index in joined)
    return Synthetic(tuple(colors), total, tuple(joined))


@dataclass(frozen=True)
class Lane:
    """A counter of what a code still lacks, which must come to 0.

    `equal[p, s]` and `gain[k, s]` say what symbol s takes from it at peg p, and for being the k-th of its kind;
    None for nothing. `reach` is the most that one peg can take by its kind.
    """

    target: int
    reach: int = 1
    equal: NDArray[np.int64] | None = None
    gain: NDArray[np.int64] | None = None

    @property
    def widest(self) -> int:
        """The largest number in it."""
        return max(self.target, self.reach, *(int(x.max(initial=0)) for x in (self.equal, self.gain) if x is not None))

    def within_reach(self, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the most that the pegs from p on can still take, for p = 0 ... pegs, each by a symbol it may have."""
        pegs = len(allowed)
        most = np.zeros(pegs + 1, np.int64)
        if self.equal is not None:
            most[:pegs] += np.cumsum((self.equal * allowed).max(axis=1)[::-1])[::-1]
        if self.gain is not None:
            useful = (allowed & (self.gain.sum(axis=0) > 0)).any(axis=1) * self.reach
            possible = np.array([(self.gain * allowed[peg:].any(axis=0)).sum() for peg in range(pegs)])
            most[:pegs] += np.minimum(np.cumsum(useful[::-1])[::-1], possible)
        return most


@dataclass
class Demands:
    """The demands of rules and turns on a code: symbols allowed at each peg, least and greatest numbers of each, lanes.

    `merged` says that the colors in no guess, which no turn tells apart, stand for one another: only the first of
    them is allowed, and it may occur as often as all of them together. `domains` stand in place of turns with marks by
    place.
    """

    rules: Rules
    turns: Turns
    merged: bool = False
    domains: Domains | None = None
    allowed: NDArray[np.bool_] = field(init=False)
    least: NDArray[np.int64] = field(init=False)
    most: NDArray[np.int64] = field(init=False)
    lanes: list[Lane] = field(init=False, default_factory=list)
    fresh: tuple[int, ...] = field(init=False, default=())
    """The merged colors."""

    def __post_init__(self) -> None:
        rules = self.rules
        check_size(rules, len(self.turns))
        by_place = rules.feedback.about.answer is Marks
        known = self.domains or Domains.of(rules, self.turns if by_place else ())
        self.allowed, self.least, self.most = known.allowed & (not known.broken), known.least, known.most.copy()
        if self.merged:
            self._merge()
        for guess, feedback in () if by_place else self.turns:
            self._read_counts(guess, feedback.black, feedback.black + feedback.white)
        self._finish()

    def _merge(self) -> None:
        asked = {color for guess, _ in self.turns for color in guess}
        symbols = self.rules.symbols_in_secrets if self.rules.repeats else self.rules.colors
        self.fresh = tuple(color for color in range(symbols) if color not in asked)
        self.allowed[:, self.fresh[1:]] = False
        if self.fresh and not self.rules.repeats:
            self.most[self.fresh[0]] = len(self.fresh)

    def _read_counts(self, guess: Code, black: int, total: int) -> None:
        symbols = self.rules.symbols_in_secrets
        equal = np.zeros(self.allowed.shape, np.int64)
        for peg, color in enumerate(guess):
            if color < symbols:
                equal[peg, color] = 1
        if black == 0:
            self.allowed[equal == 1] = False
        else:
            self.lanes.append(Lane(black, equal=equal))
        colors = [color for color in guess if color < symbols]
        if self.rules.feedback.about.common and total:
            self.lanes.append(self._common(Counter(colors), total))
        elif self.rules.feedback.about.common:
            self.allowed[:, colors] = False

    def _common(self, copies: Counter[int], total: int) -> Lane:
        # Standard: one for each copy that the guess has too. Membership: all copies of the guess for the first one.
        gain = np.zeros(self.allowed.shape, np.int64)
        membership = self.rules.feedback.about.common == "members"
        for color, number in copies.items():
            if membership:
                gain[0, color] = number
            else:
                gain[: min(number, self.rules.pegs), color] = 1
        return Lane(total, reach=max(copies.values(), default=1) if membership else 1, gain=gain)

    def _finish(self) -> None:
        kth = np.arange(self.rules.pegs)[:, None]
        if self.least.any():
            self.lanes.append(Lane(int(self.least.sum()), gain=(kth < self.least).astype(np.int64)))
        if (self.most < self.rules.pegs).any():
            self.lanes.append(Lane(0, gain=(kth >= self.most).astype(np.int64)))
        synthetic = synthetic_guess(self.rules, self.turns)
        if synthetic is not None:
            colors = [color for color in synthetic.colors if color < self.rules.symbols_in_secrets]
            self.lanes.append(self._common(Counter(colors), synthetic.total))


def check_size(rules: Rules, turns: int) -> None:
    """Raise TooLargeError where even the tables of the construction would be out of proportion."""
    cells = 2 * rules.pegs * rules.symbols_in_secrets * max(turns, 1)
    if cells > MOST_CELLS:
        raise TooLargeError(
            "{rules} after {turns} turns is too large to build codes peg by peg: its tables would "
            "have {cells:,} cells, and {most:,} are the limit",
            *(rules, turns, cells, MOST_CELLS),
        )


class DemandWords(NamedTuple):
    """Demands packed for the kernel `kernels.building.build_columns`, which says what each array is."""

    choices: NDArray[np.int64]
    sizes: NDArray[np.int64]
    equal: NDArray[np.uint64]
    gain: NDArray[np.uint64]
    slack: NDArray[np.uint64]
    floor: NDArray[np.uint64]
    top: NDArray[np.uint64]
    start: NDArray[np.uint64]

    @classmethod
    def of(cls, demands: Demands) -> DemandWords:
        """Pack the lanes eight to a word, or four where their numbers pass 63."""
        pegs, symbols = demands.allowed.shape
        bits = 8 if max((lane.widest for lane in demands.lanes), default=0) < 64 else 16
        width = -(-len(demands.lanes) * bits // 64)
        half, deepest = 1 << (bits - 2), _deepest(demands)
        words: dict[str, Any] = {
            "equal": np.zeros((pegs, symbols, width), np.uint64),
            "gain": np.zeros((deepest, symbols, width), np.uint64),
            "slack": np.zeros((pegs + 1, width), np.uint64),
            "floor": np.zeros(width, np.uint64),
            "top": np.zeros(width, np.uint64),
            "start": np.zeros(width, np.uint64),
        }
        for index, lane in enumerate(demands.lanes):
            word, shift = divmod(index * bits, 64)
            reach = np.minimum(half - 1, lane.within_reach(demands.allowed))
            _put(words["slack"][:, word], half - 1 - reach, shift)
            _put(words["floor"][word : word + 1], np.array([half]), shift)
            _put(words["top"][word : word + 1], np.array([2 * half]), shift)
            _put(words["start"][word : word + 1], np.array([half + lane.target]), shift)
            if lane.equal is not None:
                _put(words["equal"][:, :, word], lane.equal, shift)
            if lane.gain is not None:
                _put(words["gain"][:, :, word], lane.gain[:deepest], shift)
        choices, sizes = _choices(demands.allowed)
        return cls(choices, sizes, **words)


def _put(where: NDArray[np.uint64], numbers: NDArray[np.int64], shift: int) -> None:
    where |= numbers.astype(np.uint64) << np.uint64(shift)


def _deepest(demands: Demands) -> int:
    # Rows of gains until they stay the same.
    gains = [lane.gain for lane in demands.lanes if lane.gain is not None]
    if not gains:
        return 1
    changes = np.any([np.any(gain[1:] != gain[:-1], axis=1) for gain in gains], axis=0)
    return int(np.flatnonzero(changes).max(initial=-1)) + 2 if len(changes) else 1


def _choices(allowed: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    choices = np.zeros(allowed.shape, np.int64)
    for peg, row in enumerate(allowed):
        symbols = np.flatnonzero(row)
        choices[peg, : len(symbols)] = symbols
    return choices, allowed.sum(axis=1).astype(np.int64)
