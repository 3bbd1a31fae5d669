"""Finds codes that fit rows of notes on boards whose codes nobody can list: built, sampled, or proved to be none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from entropeg.advise.rows import PartFeedback, Row, fitting, possible_turns, replace_unknown
from entropeg.candidates import Chains, can_build, can_walk, solver
from entropeg.candidates.front import MOST_CELLS, try_to_build
from entropeg.codes import Array, CodeSet, plane_type, random_secret
from entropeg.errors import TooLargeError
from entropeg.feedback import score_trusted
from entropeg.position import Turn
from entropeg.priors import FORMULAS
from entropeg.rules import Rules

BUILT = 20_000
"""At most so many codes that fit are built."""

BUILD_STEPS = 3_000_000
"""Symbols tried for that, at a time; some hundredths of a second."""

WAYS = 12
"""Unknown parts are filled in every way, and the codes of each built, if there are at most so many ways."""

TRIED = 6
"""So many ways, drawn, are tried by chains where none of the codes that fit the complete rows fits the others."""

WALK_STEPS = 2_000_000
"""Steps of the chains, where codes are too many or too hard to build."""

SAMPLE = 2000
"""Codes that chains look for."""

DRAWN, DRAWN_PEGS = 4000, 400_000
"""Random secrets that are held against rows where chains cannot walk: so many, with at most so many pegs in all."""

MOST_COUNT = 10**300
"""Boards of more codes are taken to have so many: weights are fractions."""

EFFORT = 0.25
"""Effort of the constraint solver for one question, in its own measure: up to a second."""


@dataclass(frozen=True)
class FittingCodes:
    """Codes that fit some rows: all of them, or a sample.

    `weight` says how likely each is by the prior of the rules, `float64[n]`, up to a factor; in a sample also how many
    codes it stands for. `is_exact` says that the codes are all; `is_decided` is False where none was found and that
    proves nothing. `way` is how they were found, a key of `candidates.front.WAYS`.
    """

    codes: CodeSet
    weight: Array
    is_exact: bool = True
    is_decided: bool = True
    way: str = "list"


class RowSearch:
    """Answers which codes fit some rows; the same seed and questions give the same answers."""

    def __init__(self, rules: Rules, seed: int, *, effort: float = EFFORT) -> None:
        """Take the rules, and the effort of the constraint solver for one question."""
        self._rules, self._effort = rules, effort
        self._rng, self._seed = np.random.default_rng(seed), seed

    @property
    def unknown(self) -> FittingCodes:
        """Nothing found and nothing proved."""
        return FittingCodes(self._none, np.zeros(0), is_exact=False, is_decided=False)

    @property
    def _none(self) -> CodeSet:
        return CodeSet(self._rules, np.zeros((self._rules.pegs, 0), plane_type(self._rules)))

    def find(self, rows: Sequence[Row]) -> FittingCodes:
        """Return codes that fit all rows: those of `sample`, or, where it found none, of `decide`."""
        found = self.sample(rows)
        return found if found.is_decided else self.decide(rows)

    def sample(self, rows: Sequence[Row], *, steps: int = WALK_STEPS) -> FittingCodes:
        """Return codes that fit all rows, built or sampled, in about a tenth of a second; the first way that answers.

        Codes are built from the complete rows, or from every way to fill the others; else sampled by chains, in so many
        steps, and asked of the other rows.
        """
        turns, parts = _divided(rows)
        try:
            return self._built(turns, parts) or self._sampled(turns, parts, steps) or self.unknown
        except TooLargeError:  # a row leaves too much open to be asked of any codes
            return self.unknown

    def decide(self, rows: Sequence[Row]) -> FittingCodes:
        """Return codes that fit all rows where sampling found none: the constraint solver finds one, or proves it."""
        turns, parts = _divided(rows)
        return self._filled(turns, parts) or self._decided(turns, parts)

    def _built(self, turns: tuple[Turn, ...], parts: list[Row]) -> FittingCodes | None:
        rules = self._rules
        if not can_build(rules) or rules.pegs * rules.symbols_in_secrets > MOST_CELLS:
            return None
        if turns:
            built = try_to_build(rules, turns, BUILT, BUILD_STEPS)
            if built is not None:
                return self._exact(_asked(built, parts))
        ways = [possible_turns(row, rules, WAYS) for row in parts]
        if not parts or any(way is None for way in ways):
            return None
        known = [way for way in ways if way is not None]
        number = prod(map(len, known))
        if number > WAYS:
            return None
        planes = [self._none.planes]
        for filled in choices(known):
            built = try_to_build(rules, (*turns, *filled), BUILT, BUILD_STEPS // number)
            if built is None:
                return None
            planes.append(built.planes)
        return self._exact(CodeSet(rules, np.unique(np.concatenate(planes, axis=1), axis=1)))

    def _exact(self, codes: CodeSet) -> FittingCodes:
        return FittingCodes(codes, self._weight(codes), way="built")

    def _sampled(self, turns: tuple[Turn, ...], parts: list[Row], steps: int) -> FittingCodes | None:
        rules = self._rules
        if not turns or not can_walk(rules):
            drawn = _asked(CodeSet(rules, np.unique(self._secrets.planes, axis=1)).consistent(turns), parts)
            each = float(min(rules.secret_count, MOST_COUNT)) / len(self._secrets)
            return self._sample(drawn, each, "drawn") if len(drawn) else None
        walked = self._walked(turns, steps)
        if walked is None:
            return None
        codes, each = walked
        kept = _asked(codes, parts)
        return self._sample(kept, each, "chains") if len(kept) else None

    def _walked(self, turns: tuple[Turn, ...], steps: int, start: Array | None = None) -> tuple[CodeSet, float] | None:
        if not can_walk(self._rules):
            return None
        chains = Chains(self._rules, turns, self._rng, capacity=SAMPLE, start=start)
        chains.walk(steps)
        if not chains.found:
            return None
        return chains.codes, max(min(chains.estimate(), self._rules.secret_count) / chains.found, 1.0)

    def _sample(self, codes: CodeSet, each: float, way: str) -> FittingCodes:
        return FittingCodes(codes, self._weight(codes) * each, is_exact=False, way=way)

    def _filled(self, turns: tuple[Turn, ...], parts: list[Row]) -> FittingCodes | None:
        # Chains on some ways to fill the unknown parts, drawn.
        if not parts or not can_walk(self._rules):
            return None
        ways = [possible_turns(row, self._rules, 100 * WAYS) for row in parts]
        known = [way for way in ways if way is not None]
        if len(known) < len(ways):
            return None
        for _ in range(TRIED):
            filled = [way[int(self._rng.integers(len(way)))] for way in known]
            walked = self._walked((*turns, *filled), WALK_STEPS // TRIED)
            if walked is not None:
                return self._sample(*walked, "chains")
        return None

    def _decided(self, turns: tuple[Turn, ...], parts: list[Row]) -> FittingCodes:
        asked = parts
        if not solver.can_solve(self._rules, len(turns), _opened(asked)):
            asked = [row for row in parts if None not in row.guess]  # what contradicts without a row does with it
        if not solver.can_solve(self._rules, len(turns), _opened(asked)) or not solver.is_installed():
            return self.unknown
        seed = self._seed % (1 << 30)
        status, code, _ = solver.find_another(
            self._rules, turns, (), self._effort, seed=seed, open_turns=_opened(asked)
        )
        if status == "none":
            return FittingCodes(self._none, np.zeros(0), way="solver")
        if code is None:
            return self.unknown
        found = CodeSet.of([code], self._rules)
        guesses = [replace_unknown(row.guess, 0) for row in parts if None not in row.guess]
        filled = [Turn(guess, score_trusted(guess, code, self._rules)) for guess in guesses]
        walked = self._walked((*turns, *filled), WALK_STEPS, np.array([code], np.uint8)) if turns or filled else None
        rest = [row for row in parts if None in row.guess]
        try:
            near = _asked(walked[0] if walked else found, rest)
        except TooLargeError:
            near = found.take_trusted(np.arange(0))
        if asked is parts:
            near = CodeSet(self._rules, np.unique(np.concatenate([found.planes, near.planes], axis=1), axis=1))
        return self._sample(near, 1.0, "solver") if len(near) else self.unknown

    def open_because(self, rows: Sequence[Row]) -> str:
        """Say what could decide where nothing was found and nothing is proved, or why nothing does."""
        opened = _opened([row for row in rows if row.turn is None and row.feedback is not None])
        if not solver.can_solve(self._rules, len(rows) - len(opened), opened):
            return "it is too large for the constraint solver too"
        if not solver.is_installed():
            return f"the constraint solver could decide: {solver.INSTALL}"
        return "the constraint solver gave up before it could tell"

    def _weight(self, codes: CodeSet) -> Array:
        prior = self._rules.prior
        formula = FORMULAS[prior.source] if prior is not None and prior.is_formula else FORMULAS["uniform"]
        return formula(codes.counts, self._rules.pegs)

    def frequency(self, row: Row) -> float:
        """Return about how often a random secret fits a row; at least as if half of one that is drawn did."""
        return (len(fitting(self._secrets, row)) + 0.5) / (len(self._secrets) + 1)

    @cached_property
    def _secrets(self) -> CodeSet:
        number = min(DRAWN, DRAWN_PEGS // self._rules.pegs + 1)
        rows = np.array([random_secret(self._rules, self._rng) for _ in range(number)], plane_type(self._rules))
        return CodeSet.trusted(self._rules, np.ascontiguousarray(rows.T))


def _divided(rows: Sequence[Row]) -> tuple[tuple[Turn, ...], list[Row]]:
    # The complete rows, and those of which a part is unknown; nothing of rows that tell nothing.
    turns = tuple(row.turn for row in rows if row.turn is not None)
    return turns, [row for row in rows if row.turn is None and row.feedback is not None]


def _asked(codes: CodeSet, rows: list[Row]) -> CodeSet:
    for row in rows:
        codes = fitting(codes, row)
    return codes


def _opened(rows: Sequence[Row]) -> list[solver.OpenTurn]:
    return [(row.guess, ranges_of(row)) for row in rows]


def ranges_of(row: Row) -> tuple[tuple[int, int], ...]:
    """Return the least and the most of each number of a row's feedback; nothing where nothing is told."""
    told = row.feedback
    if isinstance(told, PartFeedback):
        return told.ranges
    return tuple((number, number) for number in told or ())


def choices(ways: Sequence[Sequence[Turn]]) -> list[tuple[Turn, ...]]:
    """List one turn of every row, in every way."""
    if not ways:
        return [()]
    return [(turn, *rest) for turn in ways[0] for rest in choices(ways[1:])]
