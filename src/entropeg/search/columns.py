"""Questions asked at once on boards of black marks, found peg by peg: `is_by_pegs`, `PegColumns`.

The colors that K questions have at a peg are a column. The answers are a sum of one part of each column, so columns are
chosen one by one instead of questions: 11x2 has 64 columns of 7 questions, of which 11 are wanted, and 2,048 questions.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from entropeg.codes import Array
from entropeg.feedback import Code
from entropeg.rules import Blanks, FeedbackKind, Rules

MOST_COLUMNS = 100_000
"""Columns that are listed at most: 3x7 has 28,707 of the ten questions that it takes, 3x8 has 786,423 of twelve."""


def is_by_pegs(rules: Rules) -> bool:
    """Whether answers are sums over the pegs, and columns few enough to be listed.

    >>> [is_by_pegs(Rules.parse(board)) for board in ("4x5/black", "4x5", "4x12/black", "13x2/black")]
    [True, False, False, True]
    """
    is_plain = rules.feedback is FeedbackKind.black and rules.words is None and rules.prior is None
    is_free = rules.repeats and bool(rules.guess_repeats) and rules.blanks is Blanks.none and not rules.shapes
    if not (is_plain and is_free) or rules.colors < 2:
        return False
    # What two and three pegs take, and about what more take of more than two colors.
    likely = (4 * rules.colors - 2) // 3 if rules.pegs == 2 else 3 * rules.colors // 2
    if rules.colors == 2:
        likely = rules.pegs // 2 + 2
    return _column_count(likely, rules.colors) <= MOST_COLUMNS and _fits(likely, rules)


class PegColumns:
    """All columns of K questions, and the search for columns that tell all secrets apart.

    A column is written with the color of each question, colors in the order in which they come: others are made of it
    by renaming them. Two colors that no question has at a peg would not be told apart there.
    """

    def __init__(self, rules: Rules, questions: int) -> None:
        """List them; there have to be no more than `can_list` says."""
        self.rules, self.questions = rules, questions
        colors = _partitions(questions, rules.colors)
        self.colors = colors.astype(np.uint8)
        self.bits = _bits(rules)
        ways = list(combinations(range(rules.colors), 2))
        differences = np.stack([(colors == a) * 1 - (colors == b) for a, b in ways], 1)
        self.indices = differences @ 3 ** np.arange(questions)
        self.packed = differences @ 2 ** (self.bits * np.arange(questions))
        self.rank, self.roots = np.zeros((1, 1), np.uint8), list[tuple[int, int, int]]()
        if rules.colors == 2:
            self._rank_triples()

    @staticmethod
    def can_list(rules: Rules, questions: int) -> bool:
        """Whether the columns of so many questions are few enough."""
        return _column_count(questions, rules.colors) <= MOST_COLUMNS and _fits(questions, rules)

    def find(
        self, counts: Array, stop: Array, *, most: int = 1 << 62, rng: np.random.Generator | None = None
    ) -> tuple[Code, ...] | None:
        """The questions, () where there are none, or None where `most` columns were tried or `stop[0]` is set.

        With `rng` columns are tried in another order.
        """
        rows, left = np.arange(len(self.colors)), counts[0] + most
        if not len(rows):
            return ()
        if rng is not None:
            rng.shuffle(rows)
        for first, least in self._beginnings():
            chosen = np.zeros(self.rules.pegs, np.int64)
            chosen[: len(first)] = first
            following = rows[~np.isin(rows, first)]
            for one, other in combinations(first, 2):
                if len(first) == 3:
                    following = following[self.rank[one ^ other, one ^ following] >= least]
            found = self._search(least, chosen, len(first), following, counts, int(left - counts[0]), stop)
            if found:
                return None if found < 0 else tuple(tuple(map(int, row)) for row in self.colors[chosen].T)
        return ()

    def _search(
        self, least: int, chosen: Array, given: int, following: Array, counts: Array, most: int, stop: Array
    ) -> int:
        from entropeg.kernels.columns import find_columns

        rows = np.ascontiguousarray(following)
        tables = self.colors, self.indices, self.packed, self.bits, self.rank
        return int(find_columns(*tables, least, chosen, given, rows, counts, most, stop))

    def _beginnings(self) -> list[tuple[list[int], int]]:
        """Columns with which sets begin, and the least rank of three in them.

        With two colors the opposite of a question tells as much as the question. So any column can be made the one of
        one color, and any three whose questions fall into parts of the same sizes any other three such.
        """
        if self.rules.colors > 2:
            return [([], 0)]
        if self.rules.pegs < 4:
            return [([0], 0)]
        return [([0, one, other], rank) for rank, one, other in self.roots]

    def _rank_triples(self) -> None:
        """Rank three columns, of two colors, by the sizes of the parts into which they sort the questions.

        Of the columns 0, a and b (the one of one color has the number 0, and the number of the differences of two is
        that of their bits) questions are in a and b, in one of them, or in neither. Changing columns, and opposites of
        questions, change the places of these four parts. The kinds with the fewest triples come first: of the sets
        without these there are few.
        """
        size = len(self.colors)
        ones = self.colors.sum(axis=1, dtype=np.int64)
        numbers = np.arange(size)
        both = ones[numbers[:, None] & numbers]
        only, other = ones[:, None] - both, ones[None, :] - both
        parts = np.sort(np.stack([both, only, other, self.questions - both - only - other], -1), -1).reshape(-1, 4)
        kinds, first, kind, number = np.unique(
            parts, axis=0, return_index=True, return_inverse=True, return_counts=True
        )
        # Where two parts are empty, two columns are equal.
        is_apart = kinds[:, 1] > 0
        order = np.argsort(np.where(is_apart, number, size**2 + 1), kind="stable")
        ranks = np.zeros(len(kinds), np.uint8)
        ranks[order] = np.arange(len(kinds))
        self.rank = ranks[kind.ravel()].reshape(size, size)
        self.roots = [(int(ranks[one]), *divmod(int(first[one]), size)) for one in order if is_apart[one]]


def _bits(rules: Rules) -> int:
    """Bits that hold sums of a difference of each peg, which are of both signs."""
    return max((2 * rules.pegs + 1).bit_length(), 3)


def _fits(questions: int, rules: Rules) -> bool:
    ways, sums = comb(rules.colors, 2), 0
    for _ in range(rules.pegs - (2 if rules.colors == 2 else 1)):
        sums += ways + 2 * ways * sums
    return _bits(rules) * questions <= 62 and questions <= 15 and sums <= 20_000_000  # of eight bytes


def _column_count(questions: int, colors: int) -> int:
    """How many ways there are to sort questions into so many parts, of which one may be empty (Stirling numbers)."""
    ways = [1] + [0] * colors
    for _ in range(questions):
        ways = [0, *(part * ways[part] + ways[part - 1] for part in range(1, colors + 1))]
    return ways[colors] + ways[colors - 1]


def _partitions(questions: int, colors: int) -> Array:
    """Colors of each question, in columns of all colors or all but one, in ascending order: int64[columns, questions].

    >>> _partitions(3, 2).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1]]
    """
    columns, used = np.zeros((1, 0), np.int64), np.zeros(1, np.int64)
    for left in reversed(range(questions)):
        number = np.minimum(used + 1, colors)
        row = np.repeat(np.arange(len(columns)), number)
        color = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        columns, used = np.column_stack([columns[row], color]), np.maximum(used[row], color + 1)
        kept = used + left >= colors - 1
        columns, used = columns[kept], used[kept]
    return columns
