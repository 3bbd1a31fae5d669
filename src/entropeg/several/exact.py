"""Finds the least total number of guesses over all ways to hide several secrets: `least_total`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar

from entropeg import arguments
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.search.label_search import BoundedFinding, LabelSearch, StoppedError, why_unproven
from entropeg.search.results import Value
from entropeg.several.boards import Boards, SeveralRules
from entropeg.several.choosing import choose
from entropeg.symmetry import representatives
from entropeg.told import Told, plural

MOST_CODES = 256
"""Codes of a board, of which sets are numbers of as many bits; 3x4 with two secrets takes ten seconds, 4x4 too long."""

Sets = tuple[int, ...]
"""The codes left for each secret that is not found yet, as bits, ascending: their order makes no difference."""

UNLIMITED = 1 << 62


@dataclass(frozen=True, repr=False)
class LeastTotal(BoundedFinding, PlainValue):
    """What `least_total` found: bounds of the least total over all ways to hide the secrets, and a first guess.

    ``ways`` are these ways, each as likely as any other; the mean is the total over them.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules=rules.text", "ways", "is_exact", "lower=value.lower", "upper=value.upper", "mean", "first", "seconds"),
        "interrupted=is_interrupted",
    )

    rules: SeveralRules
    ways: int
    value: Value
    guess: Code
    seconds: float
    is_interrupted: bool = False

    @property
    def mean(self) -> float | None:
        """The mean number of guesses of the strategy found, None where there is none yet."""
        return None if self.value.upper is None else self.value.upper / self.ways

    @property
    def first(self) -> str:
        """The first guess of that strategy; where there is none, the one that tells most."""
        return format_code(self.guess, self.rules.rules)

    def __repr__(self) -> str:
        """Say on one line what was found: `<LeastTotal of 2x2/secrets=2: = 42 over 16 ways>`."""
        return f"<LeastTotal of {self.rules}: {self.value} over {self.ways:,} ways>"

    def lines(self) -> Iterator[str]:
        """Give these lines."""
        ways = plural(self.ways, "{n} way to hide them", "{n} ways to hide them")
        yield Told("{rules}: total {value} guesses over {ways}", self.rules, self.value, ways)
        if self.mean is not None:
            yield Told("{mean:.4f} guesses in the mean", self.mean)
        yield Told("first guess {guess}", self.first)
        yield from why_unproven(is_exact=self.is_exact, is_interrupted=self.is_interrupted)
        yield Told("{seconds:.2f} s", self.seconds)


def least_total(
    board: Boards | SeveralRules | str,
    *,
    time: float | None = None,
    progress: Callable[[int, int, Value], None] | None = None,
) -> LeastTotal:
    """Find the least total number of guesses from a position on, over all ways to hide the secrets, and prove it.

    After ``time`` seconds, or Ctrl-C, bounds are returned. ``progress`` is called with first guesses settled, all of
    these, and the bounds. A limit of guesses is not looked at. 3x3 with two secrets takes
    a moment, 3x4 ten seconds.

    Raises InputError where the game is over, TooLargeError for boards of more than 256 codes.

    >>> least_total("2x2/secrets=2")
    <LeastTotal of 2x2/secrets=2: = 42 over 16 ways>
    """
    boards = Boards.of(board)
    boards.check_open()
    if boards.rules.rules.secret_count > MOST_CODES:
        raise TooLargeError(
            "{rules} has {codes:,} codes; the least total for several secrets is found to {most}",
            *(boards.rules, boards.rules.rules.secret_count, MOST_CODES),
        )
    seconds = math.inf if time is None else arguments.number(time, "the time")
    return _SeveralSearch(boards, seconds, arguments.call(progress, "progress")).run()


class _SeveralSearch(LabelSearch):
    """One call: a set of codes is a number of bits, a guess the parts that it makes of any set."""

    def __init__(self, boards: Boards, seconds: float, progress: Callable[[int, int, Value], None] | None) -> None:
        self.boards, self.progress = boards, progress
        rules = boards.rules.rules.with_limit(None)
        codes, self.legal = secrets(rules), guesses(rules)
        super().__init__(seconds, self.legal, codes)
        bits = [1 << place for place in range(len(codes))]
        self.masks: list[list[int]] = []
        for row in self.labels.tolist():
            parts = [0] * self.width
            for label, bit in zip(row, bits, strict=True):
                parts[label] |= bit
            self.masks.append([part for part in parts if part])
        self.own = [0 if place < 0 else 1 << place for place in codes.find(self.legal).tolist()]
        self.rows = range(len(self.legal))
        self.start = _ascending(sum(bits[at] for at in codes.find(left).tolist()) for left in boards.left)
        # Guesses are alike where an exchange of pegs and colors keeps all guesses so far, and so their answers.
        self.history = boards.positions[boards.open[0]].turns
        self.known: dict[Sets, tuple[int, bool]] = {}
        self.lowest: dict[Sets, int] = {}
        self.greedy: dict[Sets, tuple[int, int]] = {}
        self.best, self.first, self.bound, self.settled, self.openings = 0, -1, _ways(self.start), 0, 0

    def run(self) -> LeastTotal:
        """Search, and return what was found."""
        seconds = self.searched()
        return LeastTotal(
            rules=self.boards.rules,
            ways=_ways(self.start),
            value=Value(self.bound, self.best or None),
            guess=self.legal[self.first] if self.first >= 0 else choose(self.boards),
            seconds=seconds,
            is_interrupted=self.is_interrupted,
        )

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.settled, self.openings, Value(self.bound, self.best or None))

    def _search(self) -> None:
        """Settle the first guesses, the most promising first."""
        try:
            self.bound = max(self.bound, self._least(self.start))
            self.best, self.first = self._greedy(self.start)
            position = Position(self.boards.rules.rules.with_limit(None), self.history)
            firsts = self.legal.find(representatives(position, self.legal)).tolist()
            afters = [(self._after(self.start, row), row) for row in firsts]
            ways = _ways(self.start)
            openings = sorted((ways + sum(map(self._least, after)), row) for after, row in afters)
            self.openings = len(openings)
            for bound, row in openings:
                self.bound = min(self.best, max(self.bound, bound))
                if bound >= self.best:
                    break
                found = self._sum(self._after(self.start, row), self.best, bound, self._least)
                if found < self.best:
                    self.best, self.first = found, row
                self.settled += 1
            self.bound = self.best
        except StoppedError:
            pass

    # ------------------------------------------------------------------ sets

    def _outcomes(self, sets: Sets, row: int) -> list[list[int]]:
        """The parts of each set, 0 where the secret is found."""
        own = self.own[row]
        return [
            [*(part for mask in self.masks[row] if (part := each & mask & ~own)), *([0] if each & own else [])]
            for each in sets
        ]

    def _after(self, sets: Sets, row: int) -> list[Sets]:
        """What the answers leave, but where all secrets are found."""
        found = product(*self._outcomes(sets, row))
        return [left for each in found if (left := _ascending(filter(None, each)))]

    def _least(self, sets: Sets) -> int:
        """A lower bound of the total; of one set the least total.

        Whatever the others are, a secret is found no sooner than alone. Two that differ are not found by one guess, and
        of two different whole numbers the larger is at least half their sum and a half.
        """
        if len(sets) == 1:
            return self._value(sets, UNLIMITED)
        bound = self.lowest.get(sets)
        if bound is not None:
            return bound
        ways = _ways(sets)
        totals = [self._value((each,), UNLIMITED) * (ways // each.bit_count()) for each in sets]
        bound = max(totals)
        for (one, first), (other, second) in combinations(zip(sets, totals, strict=True), 2):
            pairs = one.bit_count() * other.bit_count()
            apart = (pairs - (one & other).bit_count()) * (ways // pairs)
            bound = max(bound, -(-(first + second + apart) // 2))
        self.lowest[sets] = bound
        return bound

    def _value(self, sets: Sets, limit: int) -> int:
        """The least total where it is less than `limit`, else a number that is not, nor more than the least total."""
        bound = self._least if len(sets) > 1 else _alone
        low, is_exact = self.known.get(sets) or (bound(sets), False)
        if is_exact or low >= limit or (len(sets) == 1 and _ways(sets) <= 2):
            return low
        if self.stop[0]:
            raise StoppedError
        best = limit
        for promised, after in self._promising(sets, limit, low, bound):
            if promised >= best:
                break
            best = min(best, self._sum(after, best, promised, bound))
            if best <= low:
                break
        self.known[sets] = best, best < limit
        return best

    def _promising(
        self, sets: Sets, limit: int, low: int, bound: Callable[[Sets], int]
    ) -> list[tuple[int, list[Sets]]]:
        """(the least that a guess may take, what its answers leave) where that is less than `limit`, ascending."""
        seen, found, ways = set[tuple[Sets, ...]](), list[tuple[int, list[Sets]]](), _ways(sets)
        for row in self.rows:
            after = self._after(sets, row)
            key = tuple(after)
            if key in seen or after == [sets]:
                continue
            seen.add(key)
            promised = ways + sum(map(bound, after))
            if promised < limit:
                found.append((promised, after))
            if promised <= low and len(sets) == 1:
                break  # then it is the least: one guess more for each code than there are parts
        return sorted(found, key=_first)

    def _sum(self, after: list[Sets], limit: int, promised: int, bound: Callable[[Sets], int]) -> int:
        """The total of a guess where it is less than `limit`, else a number that is not.

        ``promised`` has the bounds of what its answers leave, and their values take their places.
        """
        for left in sorted(after, key=_ways, reverse=True):
            if promised >= limit:
                break
            least = bound(left)
            promised += self._value(left, limit - promised + least) - least
        return promised

    # ------------------------------------------------------------------ a strategy

    def _greedy(self, sets: Sets) -> tuple[int, int]:
        """(the total of the strategy that takes the least bound at each turn, its first guess)."""
        if sets not in self.greedy:
            found = ((sum(map(self._least, after)), row, after) for row, after in self._each(sets) if after != [sets])
            _, row, after = min(found)
            self.greedy[sets] = _ways(sets) + sum(self._greedy(each)[0] for each in after), row
        return self.greedy[sets]

    def _each(self, sets: Sets) -> Iterator[tuple[int, list[Sets]]]:
        return ((row, self._after(sets, row)) for row in self.rows)


def _ways(sets: Sets) -> int:
    return math.prod(each.bit_count() for each in sets)


def _alone(sets: Sets) -> int:
    """What one set takes at least: one guess for one code, two for each other."""
    return 2 * sets[0].bit_count() - 1


def _ascending(sets: Iterable[int]) -> Sets:
    return tuple(sorted(sets))


def _first(one: tuple[int, object]) -> int:
    return one[0]
