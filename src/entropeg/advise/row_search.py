"""Finds the codes that fit rows of notes, all of them or all but a few.

Where the codes of the board can be listed they are scanned; else codes are built, sampled, or proved to be none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod
from time import perf_counter
from typing import Protocol

import numpy as np

from entropeg.advise.rows import PartFeedback, Row, are_fitting, are_told, fitting, possible_turns, replace_unknown
from entropeg.candidates import SCANNED, Chains, can_build, can_walk, solver
from entropeg.candidates.conflict import smallest_conflicts_of
from entropeg.candidates.front import MOST_CELLS, try_to_build
from entropeg.codes import Array, CodeSet, plane_type, random_secret, secrets, weights
from entropeg.errors import TooLargeError
from entropeg.feedback import score_trusted
from entropeg.position import Turn
from entropeg.priors import FORMULAS
from entropeg.rules import Rules
from entropeg.told import Told

BUILD_STEPS = 3_000_000
"""Symbols tried to build codes, at a time; some hundredths of a second."""

WALK_STEPS = 2_000_000
"""Steps of the chains, where codes are too many or too hard to build."""

DRAWN = 4000
"""Random secrets that are held against rows where chains cannot walk."""


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

    def __init__(self, rules: Rules, seed: int, *, effort: float = 0.25) -> None:
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
            built = try_to_build(rules, turns, 20_000, BUILD_STEPS)
            if built is not None:
                return self._exact(_asked(built, parts))
        # Unknown parts are filled in every way, and the codes of each built, where there are a dozen ways at most.
        ways = [possible_turns(row, rules, 12) for row in parts]
        if not parts or any(way is None for way in ways):
            return None
        known = [way for way in ways if way is not None]
        number = prod(map(len, known))
        if number > 12:
            return None
        planes = [self._none.planes]
        for filled in choices(known):
            built = try_to_build(rules, (*turns, *filled), 20_000, BUILD_STEPS // number)
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
            # Weights are fractions, which end there.
            each = float(min(rules.secret_count, 10**300)) / len(self._secrets)
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
        chains = Chains(self._rules, turns, self._rng, capacity=2000, start=start)
        chains.walk(steps)
        if not chains.found:
            return None
        return chains.codes, max(min(chains.estimate(), self._rules.secret_count) / chains.found, 1.0)

    def _sample(self, codes: CodeSet, each: float, way: str) -> FittingCodes:
        return FittingCodes(codes, self._weight(codes) * each, is_exact=False, way=way)

    def _filled(self, turns: tuple[Turn, ...], parts: list[Row]) -> FittingCodes | None:
        # Six ways to fill the unknown parts are drawn, and chains walk on each in a sixth of the steps.
        if not parts or not can_walk(self._rules):
            return None
        ways = [possible_turns(row, self._rules, 1200) for row in parts]
        known = [way for way in ways if way is not None]
        if len(known) < len(ways):
            return None
        for _ in range(6):
            filled = [way[int(self._rng.integers(len(way)))] for way in known]
            walked = self._walked((*turns, *filled), WALK_STEPS // 6)
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
            return Told("it is too large for the constraint solver too")
        if not solver.is_installed():
            return Told("the constraint solver could decide: {command}", solver.INSTALL)
        return Told("the constraint solver gave up before it could tell")

    def _weight(self, codes: CodeSet) -> Array:
        prior = self._rules.prior
        formula = FORMULAS[prior.source] if prior is not None and prior.is_formula else FORMULAS["uniform"]
        return formula(codes.counts, self._rules.pegs)

    def frequency(self, row: Row) -> float:
        """Return about how often a random secret fits a row; at least as if half of one that is drawn did."""
        return (len(fitting(self._secrets, row)) + 0.5) / (len(self._secrets) + 1)

    @cached_property
    def _secrets(self) -> CodeSet:
        number = min(DRAWN, 400_000 // self._rules.pegs + 1)  # 400,000 pegs in all, or a code more
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


SINGLES, EXCHANGES, PAIRS, CONFLICTS = 0.6, 0.75, 0.9, 1.0
"""When the questions of each kind end, as shares of the time: the first ones are worth most."""


class Fitter(Protocol):
    """Finds the codes that fit all rows but a few."""

    def without(self, rows: tuple[int, ...], *, is_brief: bool = False) -> FittingCodes:
        """Return the codes that fit all other rows, and, where they are scanned, none of these.

        Where they are not, a brief question is answered by no proof, and the other one takes up an undecided answer.
        """

    def exchanged(self, one: int, other: int, *, is_brief: bool = True) -> FittingCodes:
        """Return codes that fit all rows when the feedbacks of two are exchanged; searched for longer if not brief."""

    def frequency(self, row: int) -> float:
        """Return how often a random secret gives the answer of a row, at least as if one secret did."""

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return sets of rows that contradict each other, and whether these are all the smallest."""

    @property
    def start(self) -> FittingCodes:
        """Codes that fit all rows."""


def fitter_of(rules: Rules, rows: tuple[Row, ...], seconds: float, seed: int) -> Fitter:
    """Return the way that suits the board; `seconds` and `seed` are for boards whose codes cannot be listed."""
    if rules.secret_count <= SCANNED or not can_build(rules):
        return ScannedCodes(rules, rows)
    return SearchedCodes(rules, rows, seconds, seed)


class ScannedCodes:
    """All secrets held against every row, once: which rows each of them breaks."""

    def __init__(self, rules: Rules, rows: tuple[Row, ...]) -> None:
        """Score all secrets against each guess; TooLargeError where they cannot be listed."""
        self._rows, self._codes = rows, secrets(rules)
        self._labels = [None if None in row.guess else self._codes.score(replace_unknown(row.guess, 0)) for row in rows]
        broken = [~self._are_fitting(place, row) for place, row in enumerate(rows)]
        self._broken = np.array(broken, bool).reshape(len(rows), len(self._codes))
        self._misses = self._broken.sum(axis=0, dtype=np.int64 if len(rows) > 250 else np.uint8)
        self._groups: dict[int, tuple[Array, Array]] = {}
        self._weight = weights(rules) if rules.prior is not None else None

    def _are_fitting(self, place: int, row: Row, codes: Array | None = None) -> Array:
        # Which codes, all or those at some places, fit a row with the guess of a written one.
        labels = self._labels[place]
        if labels is not None:
            return are_told(labels if codes is None else labels[codes], row.feedback, self._codes.rules)
        return are_fitting(self._codes if codes is None else self._codes.take_trusted(codes), row)

    @property
    def start(self) -> FittingCodes:
        """All codes that fit."""
        return self.without(())

    def without(self, rows: tuple[int, ...], *, is_brief: bool = False) -> FittingCodes:
        """Return the codes that break these rows and no others."""
        return self._fitting(self._breaking(rows))

    def exchanged(self, one: int, other: int, *, is_brief: bool = True) -> FittingCodes:
        """Return the codes that answer each of two rows as the other says, and fit the rest."""
        return self.exchanged_without(((one, other),), ())

    def exchanged_without(self, pairs: tuple[tuple[int, int], ...], rows: tuple[int, ...]) -> FittingCodes:
        """Return the codes that answer the rows of pairs as the other says, break further rows, and fit the rest."""
        # A code that answers a row as another one says breaks it; where guess or feedback are known in part it may fit.
        partly = {row for pair in pairs for row in pair if not self._is_broken_by_exchange(row, pair)}
        must = [*rows, *(row for pair in pairs for row in pair if row not in partly)]
        subsets = [kept for size in range(len(partly) + 1) for kept in combinations(sorted(partly), size)]
        found = np.sort(np.concatenate([self._breaking(tuple(sorted([*must, *kept]))) for kept in subsets]))
        for one, other in pairs:
            first, second = self._rows[one], self._rows[other]
            if first.feedback == second.feedback:
                return self._fitting(found[:0])
            is_exchanged = self._are_fitting(one, replace(first, feedback=second.feedback), found)
            is_exchanged &= self._are_fitting(other, replace(second, feedback=first.feedback), found)
            found = found[is_exchanged]
        return self._fitting(found)

    def _is_broken_by_exchange(self, row: int, pair: tuple[int, int]) -> bool:
        told = [self._rows[other].feedback for other in pair]
        return None not in self._rows[row].guess and not any(
            each is None or isinstance(each, PartFeedback) for each in told
        )

    def frequency(self, row: int) -> float:
        """Return the share of the secrets, by the prior, that give the answer of a row."""
        fits = ~self._broken[row]
        share = fits.mean() if self._weight is None else self._weight[fits].sum()
        return max(float(share), 1 / len(self._codes))

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return the smallest sets of rows that contradict each other: all, up to a thousand."""
        found = list[tuple[int, ...]]()
        for conflict in smallest_conflicts_of(self._broken):
            if len(found) == 1000:  # notes of many rows can have very many of them
                return tuple(found), False
            found.append(conflict)
        return tuple(found), True

    def _breaking(self, rows: tuple[int, ...]) -> Array:
        # Places of the codes that break exactly these rows; those that break as many are looked up once.
        number = len(rows)
        if number not in self._groups:
            places = np.flatnonzero(self._misses == number)
            self._groups[number] = places, self._broken[:, places]
        places, broken = self._groups[number]
        return places[broken[list(rows)].all(axis=0)] if rows else places

    def _fitting(self, places: Array) -> FittingCodes:
        weight = np.ones(len(places)) if self._weight is None else self._weight[places]
        return FittingCodes(self._codes.take_trusted(places), weight)


class SearchedCodes:
    """Codes of boards that nobody can list, searched for as long as there is time."""

    def __init__(self, rules: Rules, rows: tuple[Row, ...], seconds: float, seed: int) -> None:
        """Take the rows, and the seconds in which all questions are to be answered."""
        self._rows, self._search = rows, RowSearch(rules, seed)
        self._started, self._seconds = perf_counter(), seconds
        self._sampled: dict[tuple[Row, ...], FittingCodes] = {}

    @cached_property
    def start(self) -> FittingCodes:
        """Codes that fit all rows."""
        return self._find(self._rows, SINGLES)

    def without(self, rows: tuple[int, ...], *, is_brief: bool = False) -> FittingCodes:
        """Return codes that fit all other rows."""
        until = SINGLES if len(rows) == 1 else PAIRS
        rest = tuple(row for place, row in enumerate(self._rows) if place not in rows)
        return self._find(rest, until, is_brief=is_brief)

    def exchanged(self, one: int, other: int, *, is_brief: bool = True) -> FittingCodes:
        """Return codes that fit all rows when the feedbacks of two are exchanged; searched for longer if not brief."""
        rows = list(self._rows)
        for row, source in ((one, other), (other, one)):
            rows[row] = replace(self._rows[row], feedback=self._rows[source].feedback)
        # Pairs of rows are many: each gets a quarter of the steps.
        return self._find(tuple(rows), EXCHANGES if is_brief else PAIRS, is_brief=is_brief, steps=WALK_STEPS // 4)

    def frequency(self, row: int) -> float:
        """Return about how often a random secret gives the answer of a row."""
        return self._search.frequency(self._rows[row])

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return one set of rows that contradict each other, and of which none is known to be superfluous."""
        kept = list(range(len(self._rows)))
        for row in range(len(self._rows)):
            rest = [other for other in kept if other != row]
            found = self._find(tuple(self._rows[other] for other in rest), CONFLICTS)
            if found.is_exact and not len(found.codes):
                kept = rest
        return (tuple(kept),), False

    def _find(
        self, rows: tuple[Row, ...], until: float, *, is_brief: bool = False, steps: int = WALK_STEPS
    ) -> FittingCodes:
        # Nothing is begun when the time is up, and nothing sampled again that a brief question left open.
        if perf_counter() - self._started > until * self._seconds:
            return self._search.unknown
        if rows not in self._sampled:
            self._sampled[rows] = self._search.sample(rows, steps=steps)
        found = self._sampled[rows]
        if found.is_decided or is_brief:
            return found
        return self._search.decide(rows)
