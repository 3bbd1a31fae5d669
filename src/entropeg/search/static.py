"""Finds the fewest questions that, asked all at once, tell every secret from every other: `static_questions`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.codes import Array, CodeSet, format_code, guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import Code, win_feedback
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.columns import PegColumns, is_by_pegs
from entropeg.search.label_search import BoundedFinding, HeardSearch, LabelSearch, why_unproven
from entropeg.search.results import Value
from entropeg.symmetry import Classes, kind_numbers, opening_numbers
from entropeg.told import Told, plural

DEEP = 3
"""Questions of a set of which one of each kind is tried; a fourth has few symmetries left."""

QUICK = 6
"""Orders in which columns are tried before fewer questions are proven not to be enough."""

STEPS = 400
"""Exchanges that are tried for a set of a size before it is taken as not found; 4x6 seldom needs a hundred."""


MOST_PAIRS = 20_000_000
"""Labels that are looked at for one question of a good set; of larger boards some questions are drawn."""


@dataclass(frozen=True, repr=False)
class StaticQuestions(BoundedFinding, PlainValue):
    """What `static_questions` found: questions that tell all secrets apart, and bounds of the fewest there are.

    The last guess, which names the secret, is not counted. ``value.lower`` is proven, ``value.upper`` is the number of
    questions.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "is_exact", "lower=value.lower", "upper=value.upper", "texts", "tried", "seconds"),
        "interrupted=is_interrupted",
    )

    rules: Rules
    questions: tuple[Code, ...]
    value: Value
    tried: int
    seconds: float
    is_interrupted: bool = False

    @property
    def texts(self) -> list[str]:
        """The questions as text."""
        return [format_code(code, self.rules) for code in self.questions]

    def check(self) -> StaticQuestions:
        """Return this once all answers to the questions are compared; raises AssertionError where two are the same."""
        codes = secrets(self.rules)
        answers = {tuple(column) for column in zip(*(codes.score(one).tolist() for one in self.questions), strict=True)}
        if len(answers) != len(codes) and len(codes) > 1:
            raise AssertionError(f"{len(codes)} secrets have {len(answers)} different answers")
        return self

    def __repr__(self) -> str:
        """Say on one line what was found: `<StaticQuestions of 4x4: = 4>`."""
        return f"<StaticQuestions of {self.rules}: {self.value}>"

    def lines(self) -> Iterator[str]:
        """Give these lines."""
        yield Told(
            "{rules}: questions asked at once {value}, and the guess that names the secret", self.rules, self.value
        )
        yield " ".join(self.texts)
        yield from why_unproven(is_exact=self.is_exact, is_interrupted=self.is_interrupted)
        yield Told(
            "{seconds:.2f} s, {questions} tried", self.seconds, plural(self.tried, "{n:,} question", "{n:,} questions")
        )


def static_questions(
    rules: Rules | str,
    *,
    time: float | None = None,
    seed: int = 0,
    progress: Callable[[Value, int], None] | None = None,
) -> StaticQuestions:
    """Find the fewest guesses that, asked without waiting for answers, tell every secret from every other.

    Good sets are found first, by exchanging one question for the one that tells the most secrets apart; then that
    fewer will not do is proven, by going through ascending sets, the first question one of each class. After ``time``
    seconds, or Ctrl-C, the bounds and the questions so far are returned. ``progress`` is called with the bounds and the
    number of questions tried. 4x4 takes .2 seconds, 4x5 3.

    Raises InputError under hard rules and where guesses cannot tell two secrets apart, TooLargeError where the labels
    take more than 200 MB.

    >>> found = static_questions("3x4").check()
    >>> found, len(found.questions)
    (<StaticQuestions of 3x4: = 3>, 3)
    """
    board = _asked_of(Rules.of(rules))
    seconds = math.inf if time is None else arguments.number(time, "the time")
    kind = _ColumnSearch if is_by_pegs(board) else _StaticSearch
    search = kind(board, arguments.seed(seed), seconds, arguments.call(progress, "progress"))
    seconds = search.searched()
    return StaticQuestions(
        rules=board,
        questions=search.questions,
        value=Value(search.lower, len(search.questions)),
        tried=int(search.counts[0]),
        seconds=seconds,
        is_interrupted=search.is_interrupted,
    )


@lru_cache(maxsize=32)
def good_questions(rules: Rules, number: int) -> tuple[Code, ...]:
    """Return that many questions that together tell many secrets apart, the same at every call; 0: enough to tell all.

    >>> len(good_questions(Rules.parse("3x4"), 0)), len(good_questions(Rules.parse("3x4"), 2))
    (3, 2)
    """
    search = _StaticSearch(_asked_of(rules), 0, math.inf, None)
    chosen = search.enough() if number == 0 else search.exchanged(search.greedy(number), number)
    return tuple(search.legal[row] for row in chosen)


def _asked_of(rules: Rules) -> Rules:
    if rules.hard:
        raise InputError("{rules} has hard rules: questions have to use the answers before", rules)
    return rules.with_limit(None)


class _StaticSearch(LabelSearch):
    """One call: the labels of all questions, the classes of the first of them first."""

    def __init__(self, rules: Rules, seed: int, seconds: float, progress: Callable[[Value, int], None] | None) -> None:
        from entropeg.kernels.apart import find_apart, parts_with_each

        self.rules, self.progress = rules, progress
        codes, legal = secrets(rules), guesses(rules)
        super().__init__(seconds, legal, codes)
        self.size, self.start = len(codes), Position(rules)
        self.find_apart, self.parts_with_each = find_apart, parts_with_each
        self.pool = np.arange(len(legal))
        # Questions that tell more apart come first, where nothing else orders them.
        order = np.argsort(-self.parts_of(np.zeros(self.size, np.int64)), kind="stable")
        self.legal: CodeSet = legal.take(order)
        self.labels = np.ascontiguousarray(self.labels[order])
        self.colors = Classes.of(self.start)
        self.rng = np.random.default_rng(seed)
        if self.labels.size > MOST_PAIRS:
            self.pool = np.sort(self.rng.choice(len(legal), max(MOST_PAIRS // self.size, 1), replace=False))
        self.counts = np.zeros(1, np.int64)
        self.lower, self.chosen = 0, list[int]()
        # What is to be compiled is compiled before the clock begins.
        one = np.zeros(1, np.int64)
        self.across = np.ascontiguousarray(self.labels.T)
        none = np.zeros((1, 1), np.uint16)
        find_apart(none, none, one, 0, self.width, one, self.counts, self.stop)
        self.counts[:] = 0

    @property
    def questions(self) -> tuple[Code, ...]:
        """Those chosen."""
        return tuple(self.legal[row] for row in self.chosen)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(Value(self.lower, len(self.chosen) or None), int(self.counts[0]))

    def _search(self) -> None:
        # K questions have no more than width^K different answers.
        while self.width**self.lower < self.size:
            self.lower += 1
        self.chosen = self.greedy()
        self.chosen = self.enough(self.chosen)
        while self.lower < len(self.chosen) and not self.stop[0]:
            if self._is_apart([], np.arange(len(self.labels))):
                return
            if not self.stop[0]:
                self.lower += 1

    def _is_apart(self, first: list[int], rows: Array) -> bool:
        """Whether questions from `rows` after some given ones tell all secrets apart; then they are chosen.

        A symmetry that keeps the given questions takes sets to sets that tell as much apart. So of the kinds of
        questions that a set has, the first in order can be taken to be there with its first question, and questions of
        kinds before it are left out. Symmetries of the next question are among these, so that what may follow is whole
        kinds of theirs.
        """
        left = self.lower - len(first)
        if np.bincount(self.groups(first)).max() > self.width**left:
            return False
        numbers = self._kinds(first)[rows] if left > 2 and len(first) < DEEP else np.arange(len(rows))
        kinds = np.unique(numbers, return_index=True, return_inverse=True)
        if len(kinds[1]) == len(rows):
            chosen = np.array([*first, *[0] * left], np.int64)
            tables = self.labels, self.across
            if not self.find_apart(*tables, rows, len(first), self.width, chosen, self.counts, self.stop):
                return False
            self.chosen = chosen.tolist()
            return True
        place = np.argsort(np.argsort(kinds[1]))[kinds[2].ravel()]  # of the kind of each question, by its first one
        for kind in range(len(kinds[1])):
            alike = rows[place == kind]
            if self.stop[0]:
                return False
            if self._is_apart([*first, int(alike[0])], np.concatenate([alike[1:], rows[place > kind]])):
                return True
        return False

    def _kinds(self, first: list[int]) -> Array:
        """The kind of each question, of those that renamed colors and moved pegs make of one another."""
        if not first:
            return opening_numbers(self.legal)
        position, played = self.start, {color for row in first for color in self.legal[row]}
        for row in first:
            position = position.after_trusted(self.legal[row], win_feedback(self.rules))
        fresh = tuple(color for color in self.colors.fresh if color not in played)
        kept = tuple(sorted({*self.colors.kept, *self.colors.fresh} - {*fresh}))
        return kind_numbers(position, self.legal, replace(self.colors, kept=kept, fresh=fresh))

    # ------------------------------------------------------------------ good sets

    def groups(self, chosen: list[int]) -> Array:
        """The number of the part that each secret is in."""
        group = np.zeros(self.size, np.int64)
        for row in chosen:
            group = np.unique(group * self.width + self.labels[row], return_inverse=True)[1].ravel()
        return group

    def parts_of(self, group: Array) -> Array:
        """How many parts there are with each question of the pool besides."""
        parts = np.zeros(len(self.pool), np.int64)
        labels = self.labels if len(self.pool) == len(self.labels) else self.labels[self.pool]
        self.parts_with_each(labels, group, self.width, parts)
        return parts

    def greedy(self, number: int = 0) -> list[int]:
        """Questions that each tell the most apart, given those before; so many, or as many as tell all apart."""
        chosen, parts = list[int](), 1
        while len(chosen) < number if number else parts < self.size:
            each = self.parts_of(self.groups(chosen))
            if each.max() == parts and not number:
                if len(self.pool) == len(self.labels):
                    raise InputError("two secrets of {rules} are told apart by no guess", self.rules)
                self.pool = np.arange(len(self.labels))
                continue
            chosen.append(int(self.pool[each.argmax()]))
            parts = int(each.max())
        return chosen

    def enough(self, chosen: list[int] | None = None) -> list[int]:
        """Questions that tell all secrets apart, fewer as long as exchanges find them."""
        chosen = self.greedy() if chosen is None else chosen
        while len(chosen) > max(self.lower, 1) and not self.stop[0]:
            fewer = self.exchanged(chosen[:-1], len(chosen) - 1)
            if self.groups(fewer).max() + 1 < self.size:
                break
            self.chosen = chosen = fewer
        return chosen

    def exchanged(self, chosen: list[int], number: int) -> list[int]:
        """Questions after some exchanges of one for the best in its place, those that left last time kept out."""
        best, most, left = list(chosen), int(self.groups(chosen).max()) + 1, list[int]()
        chosen = list(chosen)
        for _ in range(STEPS if number else 0):
            if most == self.size or self.stop[0]:
                break
            out = chosen.pop(int(self.rng.integers(number)))
            left = [*left[-number:], out]
            parts = self.parts_of(self.groups(chosen))
            parts[np.isin(self.pool, left)] = 0
            place = int(self.rng.choice(np.flatnonzero(parts == parts.max())))
            chosen.append(int(self.pool[place]))
            if parts[place] > most:
                best, most = list(chosen), int(parts[place])
        return best


class _ColumnSearch(HeardSearch):
    """One call on a board of black marks: columns are chosen, one for each peg, and not questions."""

    def __init__(self, rules: Rules, seed: int, seconds: float, progress: Callable[[Value, int], None] | None) -> None:
        super().__init__(seconds)
        self.rules, self.seed, self.progress = rules, seed, progress
        self.counts = np.zeros(1, np.int64)
        # One question of one color, and one more for each other color at each peg, say the secret in any case.
        plain = [(0,) * rules.pegs]
        for peg in range(rules.pegs):
            plain += [(0,) * peg + (color,) + (0,) * (rules.pegs - peg - 1) for color in range(1, rules.colors)]
        self.lower, self.questions = 0, tuple(plain)
        # What is to be compiled is compiled before the clock begins.
        PegColumns(Rules.parse("2x2/black"), 2).find(self.counts, self.stop)
        self.counts[:] = 0

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(Value(self.lower, len(self.questions)), int(self.counts[0]))

    def _search(self) -> None:
        # 1. K questions have no more than (pegs + 1)^K different answers.
        while (self.rules.pegs + 1) ** self.lower < self.rules.secret_count:
            self.lower += 1
        # 2. The fewest questions for which some columns, in several orders, are enough to find a set.
        number = self.lower
        while number < len(self.questions) and not self._ask(number, QUICK):
            number += 1
        # 3. Each number of fewer is found to be possible or not.
        while self.lower < len(self.questions) and not self.stop[0]:
            if not PegColumns.can_list(self.rules, self.lower) or self._ask(self.lower, 1):
                return

    def _ask(self, number: int, times: int) -> bool:
        """Whether that many questions are enough, and then they are kept; else whether they are not may stay open."""
        if not PegColumns.can_list(self.rules, number):
            return False
        columns, rng = PegColumns(self.rules, number), np.random.default_rng(self.seed)
        for time in range(times):
            order, most = (rng, 2000) if time else (None, 20_000 if times > 1 else 1 << 62)
            found = columns.find(self.counts, self.stop, most=most, rng=order)
            if found:
                self.questions = found
            elif found == ():
                self.lower = max(self.lower, number + 1)
            if found is not None or self.stop[0]:
                return bool(found) or bool(self.stop[0])
        return False
