"""Explains contradictions: which rows cannot all be true, which of them is likely wrong, and what it may have been."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, get_args

import numpy as np

from entropeg import arguments
from entropeg.advise.contradictions import Contradiction, Mend, SituationName, Slip, SuspectRow
from entropeg.advise.doubted import doubted
from entropeg.advise.notes import Notes
from entropeg.advise.row_readings import RowReadings, UnreasonedGuesses, count_unreasoned
from entropeg.advise.row_search import Fitter, FittingCodes, ScannedCodes, fitter_of
from entropeg.advise.rows import Row, unused_row
from entropeg.advise.slips import UNREASONED, SlipKind, likelihood_of_exchange
from entropeg.codebreakers.doubts import Doubt
from entropeg.codes import Array
from entropeg.errors import InputError
from entropeg.position import Position


def explain(
    written: Notes | Position,
    situation: SituationName = "live",
    *,
    limit: int | None = 500,
    time: float = 8.0,
    seed: int = 0,
    doubt: Doubt | None = None,
) -> Contradiction:
    """Say which rows of notes, or of a position, contradict each other, and rank the mistakes that would explain it.

    Single mistakes first; pairs of mistakes, in different rows, where no single one explains it. A mistake is as likely
    as `slips` says, times the weight of the codes that fit once it is mended, times, afterwards, `UNREASONED` for each
    guess that contradicts the mended rows before it. Live the guesses followed the rows as they stood: of an exchange
    of feedbacks, which is made when the later row is noted, that counts in the same way. Parts that were not noted
    cannot be wrong: unknown pegs and marks stay unknown in every mend, and a guess with unknown pegs contradicts a row
    only where all its completions do.

    Exact, by one pass over all codes a row, where the codes can be listed; else codes are built, sampled or proved not
    to be, for about `time` seconds, and the answer says so. Beyond the reach of samples (30 pegs) the player that
    `auto` picks says what it doubts, if it does; elsewhere `doubt`, what another player doubts, is told where nothing
    more is found. `limit` is the most mends that are listed (None: all).
    Raises InputError for an unknown situation, TooLargeError where a row leaves so much open that its completions
    cannot be tried on a board whose codes are scanned.

    >>> told = explain(Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]), "afterwards")
    >>> told.conflicts, told.mistakes, [suspect.row for suspect in told.rows][:2]
    (((2, 3),), 1, [3, 2])
    >>> str(told.mends[0].position), told.mends[0].codes
    ('AABB X, CCDD -, AEFF XX, FAEB OOO', 1)
    """
    notes = Notes.of(written) if isinstance(written, Position) else written
    arguments.instance(notes, Notes, "the notes", 'such as Notes.of("4x6", ["AABB XO"]), or a position')
    if situation not in get_args(SituationName):
        raise InputError("the situation is {situation!r}; it must be live or afterwards", situation)
    limit = arguments.some(limit, "the number of mends", least=1)
    time = arguments.number(time, "the time")
    seed = arguments.seed(seed)
    if notes.is_complete and (beyond := doubted(notes.position, doubt)) is not None:
        return Contradiction.of_doubt(notes, situation, beyond)
    fitter = fitter_of(notes.rules, notes.rows, time, seed)
    start = fitter.start
    if len(start.codes):
        return Contradiction(notes, situation)
    told = _MistakeSearch(notes, situation, fitter, limit).told(is_proved=start.is_exact)
    if doubt is None or told.is_proved or told.rows:
        return told
    return Contradiction.of_doubt(notes, situation, doubt)


@dataclass
class _Ways:
    """Ways to mend that change the same rows, not yet listed: aligned arrays, and how to name each."""

    readings: tuple[RowReadings, ...]
    places: tuple[Array, ...]
    weight: Array
    codes: Array
    is_exact: bool
    exchanges: tuple[Slip, ...] = ()

    @property
    def rows(self) -> set[int]:
        return {each.row for each in self.readings} | {row for slip in self.exchanges for row in slip.rows}

    def of(self, some: Array) -> _Ways:
        """Some of them, by index."""
        places = tuple(each[some] for each in self.places)
        return replace(self, places=places, weight=self.weight[some], codes=self.codes[some])

    def slips(self, number: int) -> tuple[Slip, ...]:
        found = list(self.exchanges)
        for readings, places in zip(self.readings, self.places, strict=True):
            place = int(places[number])
            found.append(Slip(readings.kinds[place], (readings.row,), (readings.rows[place],)))
        return tuple(sorted(found, key=lambda slip: slip.rows))


def _told_once(found: list[_Ways]) -> list[_Ways]:
    """Tell mended rows once that come of several pairs of slips: as the likeliest pair, with the weight of all.

    Rows answered a, b, b are answered b, a, a by an exchange of the first and the second and a slip in the third, and
    by an exchange of the first and the third and a slip in the second.
    """
    alike = defaultdict(list)
    for number, each in enumerate(found):
        alike[frozenset(each.rows)].append(number)
    first: dict[Any, tuple[int, int]] = {}
    dropped: dict[int, list[int]] = defaultdict(list)
    for number in (number for numbers in alike.values() if len(numbers) > 1 for number in numbers):
        for way in range(len(found[number].weight)):
            slips = found[number].slips(way)
            meant = frozenset(pair for slip in slips for pair in zip(slip.rows, slip.meant, strict=True))
            one, other = first.setdefault(meant, (number, way)), (number, way)
            if one == other:
                continue
            if found[one[0]].weight[one[1]] < found[number].weight[way]:
                first[meant], one, other = other, other, one
            found[one[0]].weight[one[1]] += found[other[0]].weight[other[1]]
            dropped[other[0]].append(other[1])
    kept = [each.of(np.delete(np.arange(len(each.weight)), dropped[number])) for number, each in enumerate(found)]
    return [each for each in kept if len(each.weight)]


class _MistakeSearch:
    """One call of `explain`: the rows, the codes that fit without some of them, and what was found."""

    def __init__(self, notes: Notes, situation: SituationName, fitter: Fitter, limit: int | None) -> None:
        self._notes, self._situation, self._fitter, self._limit = notes, situation, fitter, limit
        self._rules, self._rows = notes.rules, notes.rows
        self._reasoning, self._is_afterwards = UnreasonedGuesses(self._rules, self._rows), situation == "afterwards"
        self._readings: dict[int, RowReadings] = {}
        self._undecided: list[int] = []
        self._open: list[tuple[int, int]] = []  # pairs of rows that may have exchanged their feedbacks, or not
        self._is_exact, self._are_alike = True, False

    def told(self, *, is_proved: bool) -> Contradiction:
        """Try single mistakes, then pairs; list the likeliest."""
        mistakes, found, total = self._search()
        if found and not total:  # the prior holds all codes that are left for impossible: take them for alike
            self._are_alike = True
            mistakes, found, total = self._search()
        mends = self._listed(found, total)
        conflicts, has_all = self._fitter.conflicts()
        return Contradiction(
            self._notes,
            self._situation,
            conflicts,
            has_all,
            mistakes if found else 0,
            self._suspects(found, mends, total),
            mends,
            is_proved,
            tuple(self._undecided),
            self._is_exact and is_proved,
        )

    def _search(self) -> tuple[int, list[_Ways], float]:
        self._undecided, self._is_exact = [], True
        mistakes, found = 1, self._played([*self._singles(), *self._exchanges(self._exchangeable())])
        if not found and self._open:
            found = self._played(list(self._exchanges(self._open, is_brief=False)))
            self._undecided = sorted({*self._undecided, *(row for pair in self._open for row in pair)})
        if not found and not self._undecided:
            mistakes, found = 2, self._played(_told_once(list(self._pairs())))
        return mistakes, found, sum(float(each.weight.sum()) for each in found)

    def _played(self, found: list[_Ways]) -> list[_Ways]:
        """The ways after which every guess uses every clue of the rows before it, where the rules are hard.

        Of very many the likeliest are looked at, and the answer is not exact.
        """
        if not self._rules.hard or not found:
            return found
        weight = np.sort(np.concatenate([each.weight for each in found]))[::-1]
        # The likeliest 20,000 are looked at: a second or two.
        least = weight[min(len(weight), 20_000) - 1]
        self._is_exact &= len(weight) <= 20_000
        kept = [
            each.of(np.flatnonzero([self._may_be(each, n, least) for n in range(len(each.weight))])) for each in found
        ]
        return [each for each in kept if len(each.weight)]

    def _may_be(self, ways: _Ways, number: int, least: float) -> bool:
        if ways.weight[number] < least:
            return False
        rows = [row for row in self._mended(ways.slips(number)) if row is not None]
        return not unused_row(self._rules, rows)[1]

    def _usable(self, fitting: FittingCodes) -> Array:
        return np.ones(len(fitting.codes)) if self._are_alike else fitting.weight

    def _read(self, row: int) -> RowReadings:
        if row not in self._readings:
            self._readings[row] = RowReadings(self._rules, self._rows, row, self._fitter.frequency(row))
        return self._readings[row]

    def _singles(self) -> Iterator[_Ways]:
        # First every row is asked what can be told at once; then those are decided that take longer, while there is
        # time.
        told = [self._fitter.without((row,), is_brief=True) for row in range(len(self._rows))]
        for row, first in enumerate(told):
            fitting = first if first.is_decided else self._fitter.without((row,))
            self._is_exact &= fitting.is_exact
            if not fitting.is_decided:
                self._undecided.append(row)
            elif len(fitting.codes):
                readings = self._read(row)
                yield self._of_one(readings, fitting)

    def _of_one(self, readings: RowReadings, fitting: FittingCodes, exchanges: tuple[Slip, ...] = ()) -> _Ways:
        fits = readings.fits(fitting.codes)
        codes = fits.sum(axis=1)
        weight = readings.likelihoods * (fits @ self._usable(fitting))
        if exchanges:
            weight = weight * self._likelihood_of(exchanges)
        places = np.flatnonzero(codes)
        if self._is_afterwards and not exchanges:
            weight = weight * UNREASONED ** self._reasoning.of_one(readings)
        elif self._is_afterwards:
            for place in places:
                slip = Slip(readings.kinds[place], (readings.row,), (readings.rows[place],))
                weight[place] *= UNREASONED ** count_unreasoned(self._mended([*exchanges, slip]), self._rules)
        return _Ways((readings,), (places,), weight[places], codes[places], fitting.is_exact, exchanges)

    def _exchange(self, one: int, other: int) -> Slip:
        first, second = self._rows[one], self._rows[other]
        meant = Row(first.guess, second.feedback), Row(second.guess, first.feedback)
        return Slip(SlipKind.feedbacks_exchanged, (one, other), meant)

    def _exchanges(self, pairs: list[tuple[int, int]], *, is_brief: bool = True) -> Iterator[_Ways]:
        self._open = []
        for one, other in pairs:
            fitting = self._fitter.exchanged(one, other, is_brief=is_brief)
            self._is_exact &= fitting.is_exact
            if not fitting.is_decided:
                self._open.append((one, other))
            elif len(fitting.codes):
                yield self._exchanged((self._exchange(one, other),), fitting)

    def _exchangeable(self) -> list[tuple[int, int]]:
        rows = combinations(range(len(self._rows)), 2)
        return [(one, other) for one, other in rows if self._rows[one].feedback != self._rows[other].feedback]

    def _exchanged(self, slips: tuple[Slip, ...], fitting: FittingCodes) -> _Ways:
        weight = float(self._usable(fitting).sum()) * self._likelihood_of(slips)
        if self._is_afterwards:
            weight *= UNREASONED ** count_unreasoned(self._mended(slips), self._rules)
        return _Ways((), (), np.array([weight]), np.array([len(fitting.codes)]), fitting.is_exact, slips)

    def _likelihood_of(self, exchanges: tuple[Slip, ...]) -> float:
        likely = likelihood_of_exchange(len(self._rows)) ** len(exchanges)
        if self._is_afterwards:
            return likely
        # Live the guesses until the exchange followed what stood there; other mistakes leave the rows as they stood.
        stood = [(slip.rows[0], slip.rows[1], meant) for slip in exchanges if (meant := slip.meant[0]) is not None]
        more = self._reasoning.of_exchanges(stood)
        return likely * float(UNREASONED) ** (more - self._reasoning.of_exchanges(()))

    def _mended(self, slips: tuple[Slip, ...] | list[Slip]) -> list[Row | None]:
        rows: list[Row | None] = list(self._rows)
        for slip in slips:
            for place, meant in zip(slip.rows, slip.meant, strict=True):
                rows[place] = meant
        return rows

    def _pairs(self) -> Iterator[_Ways]:
        # Two mistakes in different rows: two rows wrong by themselves, then those with feedbacks exchanged.
        for rows in combinations(range(len(self._rows)), 2):
            fitting = self._fitter.without(rows)
            self._is_exact &= fitting.is_exact
            if len(fitting.codes):
                yield self._of_two(self._read(rows[0]), self._read(rows[1]), fitting)
        if isinstance(self._fitter, ScannedCodes):
            yield from self._pairs_with_exchanges(self._fitter)
        else:
            self._is_exact = False  # those are not searched for where each costs a search

    def _of_two(self, first: RowReadings, second: RowReadings, fitting: FittingCodes) -> _Ways:
        one, other = (each.fits(fitting.codes).astype(np.float64) for each in (first, second))
        codes = np.rint(one @ other.T).astype(np.int64)
        weight = np.outer(first.likelihoods, second.likelihoods) * ((one * self._usable(fitting)) @ other.T)
        if self._is_afterwards:
            weight *= UNREASONED ** self._reasoning.of_two(first, second)
        places = np.nonzero(codes)
        return _Ways((first, second), places, weight[places], codes[places], fitting.is_exact)

    def _pairs_with_exchanges(self, fitter: ScannedCodes) -> Iterator[_Ways]:
        exchangeable = self._exchangeable()
        for rows in exchangeable:
            for row in range(len(self._rows)):
                if row not in rows:
                    fitting = fitter.exchanged_without((rows,), (row,))
                    if len(fitting.codes):
                        yield self._of_one(self._read(row), fitting, (self._exchange(*rows),))
        for pair in combinations(exchangeable, 2):
            if set(pair[0]).isdisjoint(pair[1]):
                fitting = fitter.exchanged_without(pair, ())
                if len(fitting.codes):
                    yield self._exchanged(tuple(self._exchange(*rows) for rows in pair), fitting)

    def _listed(self, found: list[_Ways], total: float) -> tuple[Mend, ...]:
        if not found:
            return ()
        weight = np.concatenate([each.weight for each in found])
        group = np.repeat(np.arange(len(found)), [len(each.weight) for each in found])
        number = np.concatenate([np.arange(len(each.weight)) for each in found])
        order = np.argsort(-weight, kind="stable")[: self._limit]
        mends = []
        for place in order.tolist():
            each, index = found[group[place]], int(number[place])
            share = float(weight[place]) / total
            mends.append(Mend(each.slips(index), int(each.codes[index]), each.is_exact, share, self._notes))
        return tuple(mends)

    def _suspects(self, found: list[_Ways], mends: tuple[Mend, ...], total: float) -> tuple[SuspectRow, ...]:
        shares, ways = np.zeros(len(self._rows)), np.zeros(len(self._rows), dtype=np.int64)
        for each in found:
            shares[list(each.rows)] += float(each.weight.sum()) / total
            ways[list(each.rows)] += len(each.weight)
        listed: dict[int, list[Mend]] = {row: [] for row in range(len(self._rows))}
        for mend in mends:
            for row in mend.rows:
                listed[row].append(mend)
        order = sorted((row for row in listed if shares[row] > 0), key=lambda row: (-shares[row], row))
        return tuple(SuspectRow(row, float(shares[row]), tuple(listed[row]), int(ways[row])) for row in order)
