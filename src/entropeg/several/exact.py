"""Finds the least total number of guesses over all ways to hide several secrets: `least_total`.

Under a limit of guesses, and for the least worst case, the value of what is left depends on the guesses left too. A
strategy of the least total is not kept: it would have a branch for each answer of each secret.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, product
from typing import ClassVar, TypeAlias

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

SetsBound: TypeAlias = "Callable[[Sets, float], float]"


@dataclass(frozen=True, repr=False)
class LeastTotal(BoundedFinding, PlainValue):
    """What `least_total` found: bounds of the least total over all ways to hide the secrets, and a first guess.

    ``ways`` are these ways, each as likely as any other; the mean is the total over them. ``limit`` is the most guesses
    that a strategy may take, ``worst_value`` has bounds of the least worst case; each is None where it was not asked.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules=rules.text", "ways", "is_exact", "is_impossible", "lower=value.lower", "upper=value.upper", "mean"),
        *("worst_lower=worst_value.lower", "worst_upper=worst_value.upper", "first", "seconds", "limit"),
        "interrupted=is_interrupted",
    )

    rules: SeveralRules
    ways: int
    value: Value
    guess: Code
    seconds: float
    is_interrupted: bool = False
    limit: int | None = None
    worst_value: Value | None = None

    @property
    def is_impossible(self) -> bool:
        """Whether no strategy keeps the limit, which is proven; the lower bound is infinite then."""
        return self.value.lower == math.inf

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree, or none keeps the limit, which is proven."""
        return self.value.is_exact or self.is_impossible

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
        if self.is_impossible and self.limit is not None:
            said = plural(
                self.limit,
                "no strategy keeps the limit of {n} guess (proven)",
                "no strategy keeps the limit of {n} guesses (proven)",
            )
            yield Told("{board}: {found}", self.rules, said)
        else:
            ways = plural(self.ways, "{n} way to hide them", "{n} ways to hide them")
            yield Told("{rules}: total {value} guesses over {ways}", self.rules, self.value, ways)
            if self.limit is not None:
                yield Told("at most {limit} for each", self.limit)
            if self.worst_value is not None:
                yield Told("least worst case {value}", self.worst_value)
            if self.mean is not None:
                yield Told("{mean:.4f} guesses in the mean", self.mean)
            yield Told("first guess {guess}", self.first)
        yield from why_unproven(is_exact=self.is_exact, is_interrupted=self.is_interrupted)
        yield Told("{seconds:.2f} s", self.seconds)


def least_total(
    board: Boards | SeveralRules | str,
    *,
    worst: bool = False,
    limit: int | None = None,
    time: float | None = None,
    progress: Callable[[int, int, Value], None] | None = None,
) -> LeastTotal:
    """Find the least total number of guesses from a position on, over all ways to hide the secrets, and prove it.

    ``worst`` asks for the least worst case first, the least total under it second; ``limit`` for the least total of the
    strategies that never need more guesses, counted from the position on. A limit of the rules holds as well, and
    counts from the start of the game: the smaller one counts. After ``time`` seconds, or Ctrl-C, bounds are returned.
    ``progress`` is called with first guesses settled, all of these, and the bounds. 3x3 with two secrets takes a
    moment, 3x4 ten seconds.

    Raises InputError where the game is over, TooLargeError for boards of more than 256 codes.

    >>> least_total("2x2/secrets=2")
    <LeastTotal of 2x2/secrets=2: = 42 over 16 ways>
    >>> least_total("2x2/secrets=2", worst=True).worst_value, least_total("2x2/secrets=2", limit=2).is_impossible
    (Value(lower=4, upper=4), True)
    """
    boards = Boards.of(board)
    boards.check_open()
    if boards.rules.rules.secret_count > MOST_CODES:
        raise TooLargeError(
            "{rules} has {codes:,} codes; the least total for several secrets is found to {most}",
            *(boards.rules, boards.rules.rules.secret_count, MOST_CODES),
        )
    limits = [] if limit is None else [arguments.whole(limit, "the limit", least=1)]
    if boards.rules.rules.guess_limit is not None:
        limits.append(boards.rules.rules.guess_limit - len(boards.turns))
    seconds = math.inf if time is None else arguments.number(time, "the time")
    search = _SeveralSearch(boards, seconds, min(limits, default=None), arguments.call(progress, "progress"))
    search.worst = 1 if worst else None
    return search.run()


class _SeveralSearch(LabelSearch):
    """One call: a set of codes is a number of bits, a guess the parts that it makes of any set.

    Values are of sets and of the guesses left, and infinite where these are too few.
    """

    def __init__(
        self, boards: Boards, seconds: float, limit: int | None, progress: Callable[[int, int, Value], None] | None
    ) -> None:
        self.boards, self.progress, self.limit = boards, progress, limit
        self.worst: int | None = None  # the least worst case is no less; None where it is not asked for
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
        self.known: dict[tuple[Sets, float], tuple[float, bool]] = {}
        self.lowest: dict[tuple[Sets, float], float] = {}
        self.greedy: dict[tuple[Sets, float], tuple[float, int]] = {}
        self.best: float = math.inf
        self.bound: float = _ways(self.start)
        self.first, self.settled, self.openings = -1, 0, 0

    def run(self) -> LeastTotal:
        """Search, and return what was found."""
        seconds = self.searched()
        worst = None if self.worst is None else Value(self.worst, None if self.best == math.inf else self.worst)
        return LeastTotal(
            rules=self.boards.rules,
            ways=_ways(self.start),
            value=self._found(),
            guess=self.legal[self.first] if self.first >= 0 else choose(self.boards),
            seconds=seconds,
            is_interrupted=self.is_interrupted,
            limit=self.limit,
            worst_value=None if self.bound == math.inf else worst,
        )

    def _found(self) -> Value:
        return Value(_whole(self.bound), None if self.best == math.inf else _whole(self.best))

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.settled, self.openings, self._found())

    def _search(self) -> None:
        """Settle the first guesses: within the limit, or within ever more guesses until a strategy takes no more."""
        most = math.inf if self.limit is None else self.limit
        with suppress(StoppedError):
            if self.worst is None:
                self._settle(most)
                return
            least = self._least(self.start, most)
            while self.best == math.inf and self.worst <= most:
                self.bound = least  # of all limits: a strategy of more guesses may have a smaller total
                self._settle(self.worst)
                self.worst += self.best == math.inf

    def _settle(self, most: float) -> None:
        """Settle the first guesses, the most promising first, for strategies of no more than `most` guesses."""
        ways, is_limited = _ways(self.start), self.worst is None
        least = self._least(self.start, most)
        self.best, first = self._greedy(self.start, most)
        self.first = first if self.best < math.inf else -1
        position = Position(self.boards.rules.rules.with_limit(None), self.history)
        firsts = self.legal.find(representatives(position, self.legal)).tolist()
        afters = [(self._after(self.start, row), row) for row in firsts]
        openings = sorted((ways + sum(self._least(each, most - 1) for each in after), row) for after, row in afters)
        self.openings, self.settled = len(openings), 0
        for bound, row in openings:
            least = min(self.best, max(least, bound))
            if is_limited or self.best < math.inf:
                self.bound = max(self.bound, least)
            if bound >= self.best:
                break
            found = self._sum(self._after(self.start, row), self.best, bound, self._least, most - 1)
            if found < self.best:
                self.best, self.first = found, row
            self.settled += 1
        if is_limited or self.best < math.inf or most == self.limit:
            self.bound = self.best

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

    def _least(self, sets: Sets, left: float) -> float:
        """A lower bound of the total with `left` guesses left; of one set the least total.

        Whatever the others are, a secret is found no sooner than alone. Two that differ are not found by one guess, and
        of two different whole numbers the larger is at least half their sum and a half.
        """
        if len(sets) == 1:
            return self._value(sets, math.inf, left)
        bound = self.lowest.get((sets, left))
        if bound is not None:
            return bound
        ways = _ways(sets)
        totals = [self._value((each,), math.inf, left) * (ways // each.bit_count()) for each in sets]
        bound = max(totals)
        if bound < math.inf:
            for (one, first), (other, second) in combinations(zip(sets, totals, strict=True), 2):
                pairs = one.bit_count() * other.bit_count()
                apart = (pairs - (one & other).bit_count()) * (ways // pairs)
                bound = max(bound, -(-(first + second + apart) // 2))
        self.lowest[sets, left] = bound
        return bound

    def _alone(self, sets: Sets, left: float) -> float:
        """What one set takes at least, one guess for one code and two for each other; infinite with too few left."""
        most, size = 0, sets[0].bit_count()
        if left >= size:
            return 2 * size - 1
        for turn in range(int(left)):
            most += (self.width - 1) ** turn
        return 2 * size - 1 if most >= size else math.inf

    def _value(self, sets: Sets, limit: float, left: float) -> float:
        """The least total where it is less than `limit`, else a number that is not, nor more than the least total."""
        bound = self._least if len(sets) > 1 else self._alone
        low, is_exact = self.known.get((sets, left)) or (bound(sets, left), False)
        if is_exact or low >= limit or (len(sets) == 1 and _ways(sets) <= 2):
            return low
        if self.stop[0]:
            raise StoppedError
        best = limit
        for promised, after in self._promising(sets, limit, bound, left):
            if promised >= best:
                break
            best = min(best, self._sum(after, best, promised, bound, left - 1))
            if best <= low:
                break
        self.known[sets, left] = best, best < limit
        return best

    def _promising(self, sets: Sets, limit: float, bound: SetsBound, left: float) -> list[tuple[float, list[Sets]]]:
        """(the least that a guess may take, what its answers leave) where that is less than `limit`, ascending."""
        seen, found, ways = set[tuple[Sets, ...]](), list[tuple[float, list[Sets]]](), _ways(sets)
        for row in self.rows:
            after = self._after(sets, row)
            key = tuple(after)
            if key in seen or after == [sets]:
                continue
            seen.add(key)
            promised = ways + sum(bound(each, left - 1) for each in after)
            if promised < limit:
                found.append((promised, after))
            if len(sets) == 1 and promised <= self._alone(sets, left):
                break  # no guess takes less: each part is one code
        return sorted(found, key=_first)

    def _sum(self, after: list[Sets], limit: float, promised: float, bound: SetsBound, left: float) -> float:
        """The total of a guess where it is less than `limit`, else a number that is not.

        ``promised`` has the bounds of what its answers leave, with `left` guesses, and their values take their places.
        """
        for each in sorted(after, key=_ways, reverse=True):
            if promised >= limit:
                break
            least = bound(each, left)
            promised += self._value(each, limit - promised + least, left) - least
        return promised

    # ------------------------------------------------------------------ a strategy

    def _greedy(self, sets: Sets, left: float) -> tuple[float, int]:
        """(the total of the strategy that takes the least bound at each turn, its first guess)."""
        if (sets, left) not in self.greedy:
            found = (
                (sum(self._least(each, left - 1) for each in after), row, after)
                for row, after in self._each(sets)
                if after != [sets]
            )
            promised, row, after = min(found)
            total = promised  # infinite where no guess is left for some
            if promised < math.inf:
                total = _ways(sets) + sum(self._greedy(each, left - 1)[0] for each in after)
            self.greedy[sets, left] = total, row
        return self.greedy[sets, left]

    def _each(self, sets: Sets) -> Iterator[tuple[int, list[Sets]]]:
        return ((row, self._after(sets, row)) for row in self.rows)


def _ways(sets: Sets) -> int:
    return math.prod(each.bit_count() for each in sets)


def _ascending(sets: Iterable[int]) -> Sets:
    return tuple(sorted(sets))


def _first(one: tuple[float, object]) -> float:
    return one[0]


def _whole(number: float) -> float:
    return number if number == math.inf else int(number)
