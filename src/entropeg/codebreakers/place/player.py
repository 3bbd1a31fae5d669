"""Plays marks by place: exactly the colors that each peg may have, and guesses whose marks tell most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg.candidates.domains import Domains
from entropeg.candidates.front import no_secret
from entropeg.codebreakers.memo import Memo, followed
from entropeg.codebreakers.place.asking import GuessBounds, ask_most, split_listed
from entropeg.codebreakers.place.knowledge import Placed
from entropeg.codes import Array
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import AnyFeedback, Code, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position, Turn
from entropeg.registry import at_least, by_parameters, named
from entropeg.rules import Rules

MOST_PEGS = 100
"""Beyond, and on as many pairs of a peg and a color, chances gain no guess, and take ten times as long on 100x100."""


TABLED = 100_000
"""Open pegs x colors of which a table is made: a tenth of a second a turn."""

COMPARED = 100_000_000
"""Pegs x turns that are looked at a turn, at most, the latest ones, so that no peg is asked what it was: a second."""


class OpenPegs:
    """What the turns say on larger boards, without chances: each peg that is open is asked about a color it may have.

    A guess keeps what is in place, has of each color at least as many pegs as are known, and no more than it can have.
    Of colors that may have more pegs than are known, all are asked alike: frequent colors are not found first. Pegs
    that would be asked the same again change their colors with others. Where few pegs are open, a table of these
    (`candidates.domains`) gives a code that fits, or proves that there is none.

    `place`: int64[pegs], the color in place, -1 where it is open. `least`, `most`: int64[symbols], as in `Domains`.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.turns: tuple[Turn, ...] = ()
        self.broken = False
        symbols = rules.symbols_in_guesses
        self.place: NDArray[np.int64] = np.full(rules.pegs, -1)
        self.least: NDArray[np.int64] = np.zeros(symbols, np.int64)
        self.most: NDArray[np.int64] = np.full(symbols, rules.pegs, np.int64)
        if not rules.repeats:
            self.most[: rules.colors] = 1
        self.most[rules.symbols_in_secrets :] = 0  # a blank that no secret has
        self._asked: NDArray[np.int32] = np.zeros((8, rules.pegs), np.int32)

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""
        for number in range(len(self.turns), len(turns)):
            if number == len(self._asked):
                self._asked = np.concatenate([self._asked, np.zeros_like(self._asked)])
            self._take(number, *turns[number])
        self.turns = turns

    def _take(self, number: int, guess: Code, marks: AnyFeedback) -> None:
        colors, given = np.array(guess), np.array(marks)
        self._asked[number] = colors
        asked, marked = (np.bincount(some, minlength=len(self.least)) for some in (colors, colors[given > 0]))
        self.least = np.maximum(self.least, marked)
        self.most = np.where(marked < asked, np.minimum(self.most, marked), self.most)
        known, black = self.place == colors, given == 2
        self.broken |= bool(((self.place >= 0) & (known != black)).any())
        self.place[black] = colors[black]

    def guess(self, rng: np.random.Generator) -> Array:
        """Return the next guess, int64[pegs]; raises ContradictionError where it is proved that no code fits."""
        code, free = self.place.copy(), np.flatnonzero(self.place < 0)
        found = np.bincount(code[code >= 0], minlength=len(self.least))
        need, room = np.maximum(self.least - found, 0), self.most - found
        if self.broken or (need > room).any() or not need.sum() <= len(free) <= room.sum():
            raise ContradictionError(no_secret(self.rules, len(self.turns)))
        colors = np.flatnonzero(room)
        if len(free) * len(colors) > TABLED:
            code[free] = self._changed(free, self._wanted(len(free), need, room, rng), rng)
        elif len(free):
            code[free] = colors[self._fitting(free, colors, need[colors], room[colors], rng)]
        return code

    def _wanted(self, pegs: int, need: Array, room: Array, rng: np.random.Generator) -> Array:
        # The colors needed, and of those that may have more pegs as many each, until the pegs are full.
        spare, left = room - need, pegs - int(need.sum())
        others, each = rng.permutation(np.flatnonzero(spare)), 1
        while np.minimum(spare, each).sum() < left:
            each *= 2
        more = np.repeat(others, np.minimum(spare, each)[others])[:left]
        return np.concatenate([np.repeat(np.arange(len(need)), need), more])

    def _changed(self, free: Array, wanted: Array, rng: np.random.Generator) -> Array:
        # Pegs that were asked their color change it with others, where fewer of the two are such then.
        turns, code, half = len(self.turns), rng.permutation(wanted), len(free) // 2
        asked = np.ascontiguousarray(self._asked[max(0, turns - COMPARED // len(free)) : turns, free].T)
        again = (asked == code[:, None]).any(axis=1)
        for _ in range(min(100, COMPARED // max(asked.size, 1))):
            order = rng.permutation(len(code))
            order = order[np.argsort(~again[order], kind="stable")]
            one, two = order[: min(half, again.sum())], order[half : half + min(half, again.sum())]
            if not len(one):
                break
            after = [(asked[pegs] == code[others][:, None]).any(axis=1) for pegs, others in ((one, two), (two, one))]
            better = after[0].astype(int) + after[1] < again[one].astype(int) + again[two]
            one, two = one[better], two[better]
            code[one], code[two] = code[two], code[one]
            again[one], again[two] = after[0][better], after[1][better]
        return code

    def _fitting(self, free: Array, colors: Array, need: Array, room: Array, rng: np.random.Generator) -> Array:
        rest = Domains(Rules(len(free), len(colors), feedback=self.rules.feedback))
        rest.least, rest.most = need, room
        number = np.full(len(self.least), -1)
        number[colors] = np.arange(len(colors))
        for row in number[self._asked[: len(self.turns), free]]:
            rest.allowed[np.flatnonzero(row >= 0), row[row >= 0]] = False
        code = rest.fitting(rng.random(rest.allowed.shape)) if rest.tighten() else None
        if code is None:
            raise ContradictionError(no_secret(self.rules, len(self.turns)))
        return code


@dataclass(frozen=True)
class ByPlace:
    """Marks by place, under hard rules too, on large boards.

    The answers say exactly which colors each peg may have, and bounds on how often each color occurs; chances follow by
    `passes` messages a turn. The guess is the one whose marks tell most by them, of `starts` codes that fit, each
    changed peg by peg in at most `sweeps` rounds. Once there are no more than `listed` codes they are listed, and the
    guess is the one that splits them best, of 150 of them, the best improved by `tries` changes. Beyond 100 pegs, or
    ten thousand pairs of a peg and a color, no chances are kept: each peg is asked about a color that it may have.
    """

    passes: int = 24
    starts: int = 2
    sweeps: int = 4
    listed: int = 3000
    tries: int = 400

    name = named("place")
    deterministic: ClassVar[bool] = False

    # Two games are remembered.
    _memo: Memo[Placed] = field(default_factory=lambda: Memo(2), init=False, repr=False, compare=False)
    _plain: Memo[OpenPegs] = field(default_factory=lambda: Memo(2), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        at_least(self, passes=1, starts=1, sweeps=0, listed=2, tries=0)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess.

        Raises InputError under rules that it does not play, ContradictionError where no secret fits all turns, naming
        them to 100 pegs.
        """
        rules = position.rules
        check_rules(rules)
        if rules.pegs > MOST_PEGS or rules.pegs * rules.symbols_in_secrets > MOST_PEGS**2:
            return tuple(followed(self._plain, position, OpenPegs).guess(rng).tolist())
        check_compiler(rules.secret_count)
        known = followed(self._memo, position, lambda rules: Placed(rules, self.passes))
        guess = self._choose(known, GuessBounds.of(rules, position.clues), rng) if known.fits else None
        if guess is None:
            position.check_consistent()
            raise AssertionError("a position without a code that fits is contradictory")
        return tuple(guess.tolist())

    def _choose(self, known: Placed, limits: GuessBounds, rng: np.random.Generator) -> Array | None:
        codes: Array | None = known.listed(self.listed, 200_000)
        if codes is not None:
            return split_listed(codes, limits, self.tries, rng) if len(codes) else None
        guess = ask_most(known, limits, self.starts, self.sweeps, rng)
        if guess is None or tuple(guess.tolist()) not in {turn.guess for turn in known.turns}:
            return guess
        # A code that fits has not been played, and tells something.
        return known.domains.fitting(rng.random(known.chances.shape))

    __reduce__ = by_parameters


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the strategy does not apply."""
    if not rules.is_symmetric:
        raise InputError("place plays codes of any colors, no words and no shapes: {rules} is no board for it", rules)
    check_known(rules, Method.place)
