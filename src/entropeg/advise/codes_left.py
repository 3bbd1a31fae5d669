"""The codes that fit all rows of some notes but a few: from a list of all codes, or by searching for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Protocol

import numpy as np

from entropeg.candidates import SCANNED, Chains, can_build, can_walk, solver
from entropeg.candidates.conflict import smallest_conflicts
from entropeg.candidates.front import is_buildable, try_to_build
from entropeg.codes import Array, CodeSet, plane_type, random_secret, secrets, weights
from entropeg.feedback import label_of
from entropeg.position import Turn
from entropeg.priors import FORMULAS
from entropeg.rules import Rules

Turns = tuple[Turn, ...]

BUILT = 20_000
"""Where codes cannot be listed at most so many that fit are built."""

BUILD_STEPS = 3_000_000
"""Symbols tried for that, at a time; some hundredths of a second."""

WALK_STEPS = 2_000_000
"""Steps of the chains, where codes are too many or too hard to build."""

SAMPLE = 2000
"""Codes that chains look for."""

EFFORT = 0.25
"""Effort of the constraint solver for one question, in its own measure: up to a second."""

SINGLES, EXCHANGES, PAIRS, CONFLICTS = 0.6, 0.75, 0.9, 1.0
"""When the questions of each kind end, as shares of the time: what is asked first is worth most."""

DRAWN = 4000
"""Random secrets by which the frequency of an answer is estimated."""

SHOWN_CONFLICTS = 1000
"""Smallest sets of rows are listed up to so many: notes of many rows can have very many of them."""


@dataclass(frozen=True)
class FittingCodes:
    """Codes that fit some rows: all of them, or a sample.

    `weight` says how likely each is by the prior of the rules, `float64[n]`, up to a factor; in a sample also how many
    codes it stands for. `is_exact` says that the codes are all; `is_decided` is False where none was found and that
    proves nothing.
    """

    codes: CodeSet
    weight: Array
    is_exact: bool = True
    is_decided: bool = True


class Fitter(Protocol):
    """Finds the codes that fit all rows but a few."""

    def without(self, rows: tuple[int, ...]) -> FittingCodes:
        """Return the codes that fit all other rows, and, where they are scanned, none of these."""

    def exchanged(self, one: int, other: int) -> FittingCodes:
        """Return codes that fit all rows when the feedbacks of two are exchanged."""

    def frequency(self, row: int) -> float:
        """Return how often a random secret gives the answer of a row, at least as if one secret did."""

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return sets of rows that contradict each other, and whether these are all the smallest."""

    @property
    def start(self) -> FittingCodes:
        """Codes that fit all rows."""


def fitter_of(rules: Rules, turns: Turns, seconds: float, seed: int) -> Fitter:
    """Return the way that suits the board; `seconds` and `seed` are for boards whose codes cannot be listed."""
    if rules.secret_count <= SCANNED or not can_build(rules):
        return ScannedCodes(rules, turns)
    return SearchedCodes(rules, turns, seconds, seed)


class ScannedCodes:
    """All secrets held against every row, once: which rows each of them breaks."""

    def __init__(self, rules: Rules, turns: Turns) -> None:
        """Score all secrets against each guess; TooLargeError where they cannot be listed."""
        self._turns, self._codes = turns, secrets(rules)
        self._rules = rules
        self._wanted = [label_of(feedback, rules) for _, feedback in turns]
        self._labels = [self._codes.score(guess) for guess, _ in turns]
        self._broken = np.array([labels != wanted for labels, wanted in zip(self._labels, self._wanted, strict=True)])
        self._broken = self._broken.reshape(len(turns), len(self._codes))
        self._misses = self._broken.sum(axis=0, dtype=np.int64 if len(turns) > 250 else np.uint8)
        self._groups: dict[int, tuple[Array, Array]] = {}
        self._weight = weights(rules) if rules.prior is not None else None

    @property
    def start(self) -> FittingCodes:
        """All codes that fit."""
        return self.without(())

    def without(self, rows: tuple[int, ...]) -> FittingCodes:
        """Return the codes that break these rows and no others."""
        return self._fitting(self._breaking(rows))

    def exchanged(self, one: int, other: int) -> FittingCodes:
        """Return the codes that answer each of two rows as the other says, and fit the rest."""
        return self.exchanged_without(((one, other),), ())

    def exchanged_without(self, pairs: tuple[tuple[int, int], ...], rows: tuple[int, ...]) -> FittingCodes:
        """Return the codes that answer the rows of pairs as the other says, break further rows, and fit the rest."""
        found = self._breaking(tuple(sorted([*(row for pair in pairs for row in pair), *rows])))
        for one, other in pairs:
            if self._wanted[one] == self._wanted[other]:
                return self._fitting(found[:0])
            is_exchanged = self._labels[one][found] == self._wanted[other]
            is_exchanged &= self._labels[other][found] == self._wanted[one]
            found = found[is_exchanged]
        return self._fitting(found)

    def frequency(self, row: int) -> float:
        """Return the share of the secrets, by the prior, that give the answer of a row."""
        fits = ~self._broken[row]
        share = fits.mean() if self._weight is None else self._weight[fits].sum()
        return max(float(share), 1 / len(self._codes))

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return the smallest sets of rows that contradict each other: all, up to `SHOWN_CONFLICTS`."""
        found = list[tuple[int, ...]]()
        for conflict in smallest_conflicts(self._codes, self._turns):
            if len(found) == SHOWN_CONFLICTS:
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
    """Codes of boards that nobody can list: built where they are few, else sampled by chains, or proved to be none."""

    def __init__(self, rules: Rules, turns: Turns, seconds: float, seed: int) -> None:
        """Take the rows, and the seconds in which all questions are to be answered."""
        self._rules, self._turns = rules, turns
        self._rng, self._seed = np.random.default_rng(seed), seed
        self._started, self._seconds = perf_counter(), seconds

    @cached_property
    def start(self) -> FittingCodes:
        """Codes that fit all rows."""
        return self._find(self._turns, SINGLES)

    def without(self, rows: tuple[int, ...]) -> FittingCodes:
        """Return codes that fit all other rows."""
        return self._find(
            tuple(turn for row, turn in enumerate(self._turns) if row not in rows), SINGLES if len(rows) == 1 else PAIRS
        )

    def exchanged(self, one: int, other: int) -> FittingCodes:
        """Return codes that fit all rows when the feedbacks of two are exchanged."""
        turns = list(self._turns)
        for row, source in ((one, other), (other, one)):
            turns[row] = Turn(self._turns[row].guess, self._turns[source].feedback)
        return self._find(tuple(turns), EXCHANGES, is_brief=True)

    @cached_property
    def _drawn(self) -> CodeSet:
        rows = np.array([random_secret(self._rules, self._rng) for _ in range(DRAWN)], plane_type(self._rules))
        return CodeSet.trusted(self._rules, rows.T)

    def frequency(self, row: int) -> float:
        """Return about how often a random secret gives the answer of a row."""
        guess, feedback = self._turns[row]
        found = int((self._drawn.score(guess) == label_of(feedback, self._rules)).sum())
        return (found + 0.5) / (DRAWN + 1)

    def conflicts(self) -> tuple[tuple[tuple[int, ...], ...], bool]:
        """Return one set of rows that contradict each other, and of which none is known to be superfluous."""
        kept = list(range(len(self._turns)))
        for row in range(len(self._turns)):
            rest = [other for other in kept if other != row]
            found = self._find(tuple(self._turns[other] for other in rest), CONFLICTS)
            if found.is_exact and not len(found.codes):
                kept = rest
        return (tuple(kept),), False

    def _find(self, turns: Turns, until: float, *, is_brief: bool = False) -> FittingCodes:
        # Built, or sampled, or decided by the solver: the first that answers. Nothing is begun when the time is up.
        # Questions that are many and mostly answered by no are brief: the solver is not asked.
        rules = self._rules
        none = CodeSet(rules, np.zeros((rules.pegs, 0), plane_type(rules)))
        unknown = FittingCodes(none, np.zeros(0), is_exact=False, is_decided=False)
        if perf_counter() - self._started > until * self._seconds:
            return unknown
        if is_buildable(rules, turns):
            built = try_to_build(rules, turns, BUILT, BUILD_STEPS)
            if built is not None:
                return FittingCodes(built, self._weight(built))
        if can_walk(rules):
            chains = Chains(rules, turns, self._rng, capacity=SAMPLE)
            chains.walk(WALK_STEPS // 4 if is_brief else WALK_STEPS)
            if chains.found:
                each = min(chains.estimate(), rules.secret_count) / chains.found
                return FittingCodes(chains.codes, self._weight(chains.codes) * max(each, 1.0), is_exact=False)
        return unknown if is_brief else self._decided(turns, unknown)

    def _decided(self, turns: Turns, unknown: FittingCodes) -> FittingCodes:
        if solver.can_solve(self._rules, len(turns)) and solver.is_installed():
            status, code, _ = solver.find_another(self._rules, turns, (), EFFORT, seed=self._seed % (1 << 30))
            if status == "none":
                return FittingCodes(unknown.codes, np.zeros(0))
            if code is not None:
                found = CodeSet.of([code], self._rules)
                return FittingCodes(found, self._weight(found), is_exact=False)
        return unknown

    def _weight(self, codes: CodeSet) -> Array:
        prior = self._rules.prior
        formula = FORMULAS[prior.source] if prior is not None and prior.is_formula else FORMULAS["uniform"]
        return formula(codes.counts, self._rules.pegs)
