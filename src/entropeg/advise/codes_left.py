"""The codes that fit all rows of some notes but a few: from a list of all codes, or by searching for them."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import combinations
from time import perf_counter
from typing import Protocol

import numpy as np

from entropeg.advise.row_search import WALK_STEPS, FittingCodes, RowSearch
from entropeg.advise.rows import PartFeedback, Row, are_fitting, are_told, replace_unknown
from entropeg.candidates import SCANNED, can_build
from entropeg.candidates.conflict import smallest_conflicts_of
from entropeg.codes import Array, secrets, weights
from entropeg.rules import Rules

SINGLES, EXCHANGES, PAIRS, CONFLICTS = 0.6, 0.75, 0.9, 1.0
"""When the questions of each kind end, as shares of the time: what is asked first is worth most."""

BRIEF_STEPS = WALK_STEPS // 4
"""Steps of the chains for pairs of rows, which are many."""

SHOWN_CONFLICTS = 1000
"""Smallest sets of rows are listed up to so many: notes of many rows can have very many of them."""


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
        """Return the smallest sets of rows that contradict each other: all, up to `SHOWN_CONFLICTS`."""
        found = list[tuple[int, ...]]()
        for conflict in smallest_conflicts_of(self._broken):
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
        return self._find(tuple(rows), EXCHANGES if is_brief else PAIRS, is_brief=is_brief, steps=BRIEF_STEPS)

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
        # Nothing is begun when the time is up. What a brief question left open is not sampled again.
        if perf_counter() - self._started > until * self._seconds:
            return self._search.unknown
        if rows not in self._sampled:
            self._sampled[rows] = self._search.sample(rows, steps=steps)
        found = self._sampled[rows]
        if found.is_decided or is_brief:
            return found
        return self._search.decide(rows)
