"""The result of a search, a value between bounds with its strategy, and how far one has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from math import isclose
from typing import ClassVar, Self

from entropeg.codes import CodeSet, format_code
from entropeg.feedback import Code
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn, format_turn
from entropeg.rules import Rules
from entropeg.search.strategies import Node
from entropeg.told import Joined, Told, plural, word


@dataclass(frozen=True)
class Value:
    """A total that lies between two bounds; exact where they agree. ``upper`` is None while no strategy is known.

    Whole numbers, but for weights that are not; these are shown to ten digits.

    >>> str(Value(5625, 5625)), str(Value(5600, 5700)), str(Value(5600, None)), str(Value(3.4999999999999973, None))
    ('= 5625', '>= 5600 and <= 5700', '>= 5600', '>= 3.5')
    """

    lower: float
    upper: float | None

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree."""
        return self.lower == self.upper

    def times(self, factor: float) -> Value:
        """Return the bounds in another unit."""
        return Value(self.lower * factor, None if self.upper is None else self.upper * factor)

    @property
    def gap(self) -> str:
        """How far the bounds are apart, in percent of the lower one; "" where they agree or there is one only.

        >>> Value(5500, 5700).gap
        '3.64 %'
        """
        if self.upper is None or self.is_exact:
            return ""
        return Told("{percent:.2f} %", 100 * (self.upper / self.lower - 1))

    def __str__(self) -> str:
        lower = _digits(self.lower)
        if self.upper is None:
            return Told(">= {least}", lower)
        if self.is_exact:
            return Told("= {number}", lower)
        return Told(">= {least} and <= {most}", lower, _digits(self.upper))


def _digits(number: float) -> str:
    return Told("{number:.10g}", number) if isinstance(number, float) else str(number)


@dataclass(frozen=True)
class SearchProgress:
    """Where a search stands: the opening under study and the bounds of the total so far.

    ``workers``: how many search for this process, where they do. ``lemmas``: how many of the proof are written, once
    all is searched.
    """

    opening: tuple[int, ...] | None
    openings_left: int
    lower: float
    upper: float | None
    nodes: int
    seconds: float
    workers: int = 0
    lemmas: int | None = None

    @property
    def value(self) -> Value:
        """The bounds."""
        return Value(self.lower, self.upper)

    def told(self, rules: Rules) -> list[str]:
        """Say how the search stands, the most important first.

        >>> SearchProgress((0, 0, 1), 2, 70, 74, 5, 0.1).told(Rules.parse("3x3"))
        ['total >= 70 and <= 74', 'gap 5.71 %', 'first guess AAB (2 to settle)', '5 guesses tried']
        """
        value = self.value
        parts = [Told("total {value}", value) if rules.prior is None else Told("expected {value}", value)]
        if self.lemmas is not None:
            return [*parts, plural(self.lemmas, "{n} lemma of the proof written", "{n} lemmas of the proof written")]
        if self.upper is not None:
            parts.append(Told("gap {gap}", value.gap or Told("{percent:.2f} %", 0.0)))
        if self.opening is not None:
            guess = format_code(self.opening, rules)
            parts.append(Told("first guess {guess} ({left} to settle)", guess, self.openings_left))
        if not self.workers:
            return [*parts, Told("{guesses:,} guesses tried", self.nodes)]
        workers = plural(self.workers, "{n} worker", "{n} workers")
        return [*parts, Told("{guesses:,} guesses tried by {workers}", self.nodes, workers)]

    def times(self, factor: float) -> SearchProgress:
        """Return the same with bounds in another unit."""
        value = self.value.times(factor)
        return replace(self, lower=value.lower, upper=value.upper)


@dataclass(frozen=True, repr=False)
class Solution(PlainValue):
    """What a search found: bounds of the least total, and the best strategy, complete.

    ``root`` is the strategy as plain nodes, None only where none keeps the limit (``is_impossible``) or none was found
    in time.
    ``worst_value`` bounds the least worst case where that was asked for. ``nodes`` counts guesses tried.
    ``is_interrupted``: Ctrl-C ended the search. ``weight`` is the sum of the weights, where there are any: then
    ``value`` bounds the least sum of weight times guesses, and ``size`` counts the codes whose weight is not 0.

    >>> from entropeg import optimal
    >>> data = optimal("3x3").to_json()
    >>> data["lower"], data["upper"], data["opening"], data["histogram"]
    (73, 73, 'AAB', [1, 7, 18, 1])
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "codes=size", "is_exact", "is_impossible", "lower", "upper=value.upper", "mean", "worst"),
        *("worst_lower=worst_value.lower", "worst_upper=worst_value.upper", "at_worst"),
        *("at_worst_lower=at_worst_value.lower", "histogram=counts", "opening", "seconds", "guesses_tried=nodes"),
        *("interrupted=is_interrupted", "certified=is_certified", "limit", "after"),
    )

    rules: Rules
    size: int
    value: Value
    root: Node | None
    worst_value: Value | None
    is_impossible: bool
    seconds: float
    nodes: int
    is_interrupted: bool = False
    weight: float | None = None
    position: Position | None = None
    """Where the strategy begins; None for the start of the game."""
    codes: CodeSet | None = None
    """The codes that it finds, where they are not all that are possible there."""
    at_worst_value: Value | None = None
    """Bounds of the fewest secrets that take ``worst`` guesses, where that was asked for."""
    limit: int | None = None
    """Most guesses that the strategy may take, from its position on, where they are limited."""
    is_hasty: bool = False
    """Whether the time was over before a search for a good strategy had anything better than quick guesses."""
    are_workers_lost: bool = False
    """Whether the search ended because those of its executor were gone."""
    is_certified: bool = False
    """Whether the proof of the lower bound was written down; else a finished search alone says it."""

    def times(self, weight: float) -> Self:
        """Return the same where each code has this weight."""
        return replace(self, value=self.value.times(weight), weight=self.size * weight)

    @property
    def is_exact(self) -> bool:
        """Whether the total (or its impossibility) is proven, and the fewest at the worst case where asked for."""
        is_fewest = self.at_worst_value is None or self.at_worst_value.is_exact
        return (self.value.is_exact and is_fewest) or self.is_impossible

    @property
    def total(self) -> int | None:
        """Total of the strategy: the optimum where the value is exact."""
        return None if self.root is None else self.root.total

    @property
    def mean(self) -> float | None:
        """Guesses per secret of the strategy."""
        return None if self.root is None else self.root.total / self.size

    @property
    def expected(self) -> float | None:
        """Expected number of guesses of the strategy, under the weights where there are any."""
        return self.mean if self.weight is None or self.value.upper is None else self.value.upper / self.weight

    @property
    def measure(self) -> str:
        """What `value` counts: the total, the expected number where weights sum up to 1, else the weighted total."""
        if self.weight is None:
            return word("measure", "total")
        return word("measure", "expected") if isclose(self.weight, 1) else word("measure", "weighted total")

    @property
    def worst(self) -> int | None:
        """Most guesses that the strategy needs."""
        return None if self.root is None else self.root.worst

    @property
    def at_worst(self) -> int | None:
        """Number of secrets for which the strategy needs that many: the fewest only where they were asked for."""
        return None if self.root is None else self.root.histogram[self.root.worst]

    @property
    def histogram(self) -> dict[int, int]:
        """Number of secrets by number of guesses."""
        return {} if self.root is None else self.root.histogram

    @property
    def counts(self) -> list[int]:
        """Number of secrets found in 1, 2, ... guesses."""
        return [self.histogram.get(length, 0) for length in range(1, (self.worst or 0) + 1)]

    @property
    def unlikely(self) -> int:
        """Number of possible codes that the strategy does not look for, as their weight is 0."""
        return 0 if self.codes is None or self.position is None else len(self.position.candidates) - len(self.codes)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns after which the strategy begins; none at the start of the game."""
        return self.position.turns if self.position else ()

    @property
    def after(self) -> tuple[str, ...]:
        """These turns as text."""
        return tuple(format_turn(turn, self.rules) for turn in self.turns)

    @property
    def lower(self) -> float | None:
        """The lower bound of the value; null where no strategy keeps the limit."""
        return None if self.is_impossible else self.value.lower

    @property
    def opening(self) -> Code | None:
        """The first guess."""
        return None if self.root is None else self.root.guess

    def __repr__(self) -> str:
        """Say on one line what was found: `<Optimum of 4x6: total = 5625 guesses over 1,296 codes, worst 6>`."""
        worst = f", worst {self.worst}" if self.root is not None else ""
        stopped = ", interrupted" if self.is_interrupted else ""
        return f"<{type(self).__name__} of {self._board}: {self._found()}{worst}{stopped}>"

    def __str__(self) -> str:
        return Joined(self.lines(), "\n")

    def lines(self, chart: Callable[[dict[int, int]], str] | None = None) -> Iterator[str]:
        """Give these lines; ``chart`` draws the numbers of codes by number of guesses."""
        yield Told("{board}: {found}", self._board, self._found())
        if self.worst_value is not None and not self.is_impossible:
            yield Told("least worst case {value}", self.worst_value)
        if self.fewest:
            yield self.fewest
        if self.root is not None:
            opening = format_code(self.root.guess, self.rules)
            yield Told("mean {mean:.4f}, worst {worst}, first guess {guess}", self.mean, self.worst, opening)
            counts = Told("codes found in 1, 2, ... guesses: {counts}", " ".join(map(str, self.counts)))
            yield Joined([counts, chart(self.histogram)], "  ") if chart else counts
        if self.unlikely:
            yield plural(
                self.unlikely,
                "{n} code of weight 0 is never the secret: the strategy does not look for it",
                "{n} codes of weight 0 are never the secret: the strategy does not look for them",
            )
        if not self.is_exact:
            yield self._reason()
        if self.is_hasty:
            yield Told("no answer to the first guess was searched in that time: the strategy is the one it begins with")
        effort = Told("{seconds:.2f} s, {guesses:,} guesses tried", self.seconds, self.nodes)
        by = Told("proven by certificate") if self.is_certified else Told("proven by search")
        yield Joined([effort, by], "; ") if self.is_exact else effort

    def _reason(self) -> str:
        # Why the value is not exact.
        why = Told("out of time before the proof was complete")
        if self.is_interrupted:
            why = Told("interrupted before the proof was complete")
        elif self.are_workers_lost:
            why = Told("without workers before the proof was complete")
        found = Told("no strategy was found") if self.limit is None else Told("no strategy within the limit was found")
        if self.root:
            found = Told("the strategy is the best one found")
            if gap := self.value.gap:
                found = Told("the strategy is the best one found, {gap} above the bound", gap)
        return Told("{why}: {found}", why, found)

    def _repr_html_(self) -> str:
        """Draw up what was found as a table, for a notebook."""
        head, *rows = str(self).splitlines()
        cells = "".join(f"<tr><td>{escape(row)}</td></tr>" for row in rows)
        return f"<table><caption>{escape(head)}</caption>{cells}</table>"

    @property
    def fewest(self) -> str:
        """Words on the fewest secrets at the worst case; none where they were not asked for.

        >>> from entropeg import optimal
        >>> optimal("3x3", fewest_at_worst=True).fewest
        'at worst 4: 1 secret, the fewest'
        """
        if self.at_worst_value is None or self.at_worst is None:
            return ""
        secrets = plural(self.at_worst, "{n} secret", "{n} secrets")
        if self.at_worst_value.is_exact:
            return Told("at worst {worst}: {secrets}, the fewest", self.worst, secrets)
        return Told("at worst {worst}: {secrets}, not proven the fewest", self.worst, secrets)

    @property
    def _board(self) -> str:
        return Told("{rules} after {turns}", self.rules, self.position) if self.turns else str(self.rules)

    def _found(self) -> str:
        if self.is_impossible:
            assert self.limit is not None
            return plural(
                self.limit,
                "no strategy keeps the limit of {n} guess (proven)",
                "no strategy keeps the limit of {n} guesses (proven)",
            )
        said = [Told("{measure} {value} guesses over {codes:,} codes", self.measure, self.value, self.size)]
        if self.limit is not None:
            said.append(Told("at most {limit} for each", self.limit))
        if self.measure == "weighted total" and self.expected is not None:
            at_most = Told("expected {expected:.4f} at most", self.expected)
            said.append(Told("expected {expected:.4f}", self.expected) if self.is_exact else at_most)
        return Joined(said, ", ")
