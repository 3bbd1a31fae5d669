"""Lists how one written row may have been meant, and counts the guesses of notes that contradict the rows before them.

A reading is the row as it may have been before a single mistake. Readings are arrays, one entry for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from entropeg import kernels
from entropeg.advise.rows import PartCode, Row, are_fitting, are_told, completions_of, is_known
from entropeg.advise.slips import (
    SlipKind,
    count_pegs_misread,
    likelihood,
    likelihood_of_foreign,
    neighbors_exchanged,
    noted_in,
    numbers_exchanged,
    numbers_of,
    numbers_one_off,
    pegs_misread,
    told_of,
)
from entropeg.codes import Array, CodeSet, may_be_secret, plane_type
from entropeg.rules import Rules


class RowReadings:
    """The readings of a row: with another feedback, with another guess, or, last, as a row of another game.

    What was not noted cannot be wrong: every reading leaves the same pegs and marks unknown. `rows`, `kinds` and
    `likelihoods` (`float64[v]`) are aligned; the row of another game is None. Where two kinds of mistake come to the
    same reading, it is listed once, under the likelier kind, with the likelihood of both.
    """

    def __init__(self, rules: Rules, rows: tuple[Row, ...], row: int, frequency: float) -> None:
        """List the readings of a row; `frequency` is how often a random secret gives its answer."""
        self._rules, self._written, self.row = rules, rows, row
        guess, told = rows[row].guess, rows[row].feedback
        likely: dict[Row, dict[SlipKind, float]] = {}

        def add(kind: SlipKind, reading: Row, ways: int) -> None:
            if reading != rows[row]:
                kinds = likely.setdefault(reading, {})
                kinds[kind] = kinds.get(kind, 0.0) + likelihood(kind, ways, len(rows))

        numbers = numbers_of(told)
        noted = noted_in(numbers, rules)
        for other in numbers_one_off(numbers, noted, rules):
            [meant] = told_of(other, rules)
            add(SlipKind.feedback_one_off, Row(guess, meant), len(numbers_one_off(other, noted, rules)))
        for other in numbers_exchanged(numbers, rules):
            [meant] = told_of(other, rules)
            add(SlipKind.colors_exchanged, Row(guess, meant), 1)
        self._feedbacks = len(likely)
        for code in neighbors_exchanged(guess, rules):
            add(SlipKind.neighbors_exchanged, Row(code, told), len(neighbors_exchanged(code, rules)))
        for code in pegs_misread(guess, rules):
            add(SlipKind.peg_misread, Row(code, told), count_pegs_misread(code, rules))
        self.rows: list[Row | None] = [*likely, None]
        self.kinds: list[SlipKind] = [max(kinds, key=kinds.__getitem__) for kinds in likely.values()] + [
            SlipKind.foreign_row
        ]
        foreign = likelihood_of_foreign(frequency, len(rows))
        self.likelihoods = np.array([sum(kinds.values()) for kinds in likely.values()] + [foreign])

    def fits(self, codes: CodeSet) -> Array:
        """Return which codes fit which readings: `bool[v, n]`."""
        fits = np.ones((len(self.rows), len(codes)), bool)
        if not len(codes):
            return fits
        rows, rules = self.rows[:-1], self._rules
        guess = self.guesses[-1]
        if not is_known(guess):
            for place, reading in enumerate(rows):
                assert reading is not None
                fits[place] = are_fitting(codes, reading)
            return fits
        labels = codes.score(guess)
        for place, reading in enumerate(rows[: self._feedbacks]):
            assert reading is not None
            fits[place] = are_told(labels, reading.feedback, rules)
        if self._planes.shape[1]:
            found = kernels.score_many(rules.kind, self._planes, codes.planes)
            fits[self._feedbacks : -1] = are_told(found, self._written[self.row].feedback, rules)
        return fits

    @cached_property
    def _planes(self) -> Array:
        # The guesses that were read otherwise.
        others = self.guesses[self._feedbacks : -1]
        planes = np.array(others, plane_type(self._rules)).reshape(len(others), self._rules.pegs).T
        return np.ascontiguousarray(planes)

    @cached_property
    def guesses(self) -> list[PartCode]:
        """The guess of each reading; the written one for the row of another game."""
        return [self._written[self.row].guess if row is None else row.guess for row in self.rows]

    def broken_by(self, others: list[PartCode]) -> Array:
        """Return whether other guesses, as secrets, contradict each reading: `bool[v, n]`; none the foreign row."""
        return contradictions(self.rows, others, self._rules)

    @cached_property
    def breaks(self) -> Array:
        """Whether each reading's guess contradicts the written rows before it: `bool[v, row]`."""
        broken: Array = contradictions(self._written[: self.row], self.guesses, self._rules).T.copy()
        broken[-1] = False
        return broken


def contradictions(rows: Sequence[Row | None], guesses: Sequence[PartCode], rules: Rules) -> Array:
    """Tell whether guesses, as the secret, contradict rows: `bool[row, guess]`. A row that is None is passed over.

    A guess of which pegs are unknown contradicts a row where every completion of it does.

    >>> contradictions([Row.of("AABB", "XX", "4x6"), None], [(0, 0, 2, None), (2, 2, 3, None)], Rules()).tolist()
    [[False, True], [False, False]]
    """
    broken = np.zeros((len(rows), len(guesses)), bool)
    # A guess with more completions is taken to contradict nothing.
    completed = [completions_of(guess, rules, 4096) for guess in guesses]
    if rules.feedback.about.is_listed:  # a question says nothing of what its asker takes for the secret
        completed = [codes if codes and may_be_secret(codes[0], rules) else None for codes in completed]
    places = [place for place, codes in enumerate(completed) if codes is not None and len(codes)]
    told = [place for place, row in enumerate(rows) if row is not None and row.feedback is not None]
    if not places or not told:
        return broken
    planes = np.concatenate([codes.planes for codes in completed if codes is not None and len(codes)], axis=1)
    codes = CodeSet.trusted(rules, np.ascontiguousarray(planes))
    sizes = [len(each) for each in completed if each is not None and len(each)]
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    for row, fits in zip(told, _fitting_of([rows[place] for place in told], codes), strict=True):
        broken[row, places] = ~np.logical_or.reduceat(fits, starts)
    return broken


def _fitting_of(rows: Sequence[Row | None], codes: CodeSet) -> Array:
    # Which codes fit which rows, bool[row, n]; rows whose guess is known are scored at once.
    fits = np.ones((len(rows), len(codes)), bool)
    whole = [place for place, row in enumerate(rows) if row is not None and None not in row.guess]
    if whole:
        known = np.array(
            [row.guess for row in rows if row is not None and None not in row.guess], plane_type(codes.rules)
        )
        labels = kernels.score_many(codes.rules.kind, np.ascontiguousarray(known.T), codes.planes)
        for place, scored in zip(whole, labels, strict=True):
            row = rows[place]
            assert row is not None
            fits[place] = are_told(scored, row.feedback, codes.rules)
    for place, row in enumerate(rows):
        if row is not None and None in row.guess:
            fits[place] = are_fitting(codes, row)
    return fits


def count_unreasoned(rows: Sequence[Row | None], rules: Rules) -> int:
    """Count the guesses that, as the secret, contradict an earlier row; rows that are None are passed over.

    >>> count_unreasoned([Row.of(*turn, "4x6") for turn in [("AABB", "X"), ("CCDD", "-"), ("CEEE", "XX")]], Rules())
    2
    """
    known = [row for row in rows if row is not None]
    broken = np.triu(contradictions(known, [row.guess for row in known], rules), 1)
    return int(broken.any(axis=0).sum())


class UnreasonedGuesses:
    """Counts the guesses that contradict a row before them, as rows stand and once some are read anew."""

    def __init__(self, rules: Rules, rows: tuple[Row, ...]) -> None:
        """Score every guess against every earlier one."""
        self._guesses, self._rules = [row.guess for row in rows], rules
        # broken[i, j]: the guess of row j contradicts the earlier row i.
        self._broken: Array = np.triu(contradictions(rows, self._guesses, rules), 1)
        self._later: Array = np.triu(np.ones((len(rows), len(rows)), bool), 1)

    def of_exchanges(self, exchanges: Sequence[tuple[int, int, Row]]) -> int:
        """Count the guesses that contradict the rows before them as these stood when the guess was made, live.

        The feedbacks of two rows are exchanged when the later one is noted: `exchanges` are the places of both, and
        what stood in the earlier one until then.
        """
        stood = self._broken.copy()
        for one, other, earlier in exchanges:
            stood[one, : other + 1] = contradictions([earlier], self._guesses[: other + 1], self._rules)[0]
        return int((stood & self._later).any(axis=0).sum())

    def of_one(self, readings: RowReadings) -> Array:
        """Count the guesses that contradict a row before them, for each reading of a row: `int64[v]`."""
        row = readings.row
        columns: Array = self._rest(row) | self._by(readings)
        columns[:, row] = readings.breaks.any(axis=1)
        counted: Array = columns.sum(axis=1)
        return counted

    def of_two(self, first: RowReadings, second: RowReadings) -> Array:
        """Count them for each pair of readings of two rows, the first before the second: `int64[v, w]`."""
        one, other = first.row, second.row
        rest = self._rest(one, other)
        columns: Array = rest | self._by(first)[:, None] | self._by(second)[None]
        columns[:, :, one] = _any(first.breaks, 1)[:, None]
        earlier = second.breaks.copy()
        earlier[:, one] = False
        joint = first.broken_by(second.guesses)
        joint[:, -1] = False  # a row of another game contradicts nothing
        columns[:, :, other] = _any(earlier, 1)[None] | joint
        counted: Array = columns.sum(axis=2)
        return counted

    def _rest(self, *rows: int) -> Array:
        kept = np.ones(len(self._broken), bool)
        kept[list(rows)] = False
        return _any(self._broken[kept], 0)

    def _by(self, readings: RowReadings) -> Array:
        # Which written guesses contradict each reading of an earlier row.
        broken: Array = readings.broken_by(self._guesses) & self._later[readings.row]
        return broken


def _any(broken: Array, axis: int) -> Array:
    return np.asarray(broken.any(axis=axis))
