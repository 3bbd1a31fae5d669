"""Finds the value of the game, where the codemaker chooses its secret to make the guesses many: `game_value`.

Both players mix: the codemaker draws a secret by chances, the codebreaker a strategy tree. Against a codemaker's
chances the exact search knows the best tree; against some trees a linear program knows the codemaker's best chances.
Each answers the other until both say the same number, which is then exact: the program is solved in fractions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from entropeg import arguments
from entropeg.codes import format_code, parse_code, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.files import parse_json, read_text, shown, write_whole
from entropeg.files.writing import FileKind
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.search.label_search import why_unproven
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.strategies import from_rows
from entropeg.search.weights import ROUNDED
from entropeg.symmetry import opening_numbers
from entropeg.told import Joined, Told, plural
from entropeg.tree.optimum import Optimum, optimal
from entropeg.tree.strategy import StrategyTree, tree_of_nodes

FORMAT = "entropeg mixed strategies 1"
KIND = FileKind(Told("a file of mixed strategies"), lambda content: FORMAT.encode() in content[:200])

MOST_CLASSES = 60
"""Classes of secrets; the fractions of a program with more take minutes."""
ROUND = 10**6
"""Chances whose fractions are too long for the search are rounded to this part of the largest."""


@dataclass(frozen=True)
class SecretClass(PlainValue):
    """Secrets that renamed colors and moved pegs make of one another: the first of them, and their common chance."""

    code: Code
    size: int
    chance: Fraction
    """With which the codemaker chooses each of them."""


@dataclass(frozen=True)
class MixedTree:
    """A strategy of the codebreaker, and the chance with which it plays it, colors and pegs renamed at random."""

    chance: Fraction
    tree: StrategyTree


@dataclass(frozen=True, repr=False)
class GameValue(PlainValue):
    """What `game_value` found: the expected number of guesses where both players play their best, and how they do.

    ``lower`` is what the codemaker makes sure of by its chances, ``upper`` what the codebreaker does by its trees; the
    value is exact where they agree. ``searches`` counts calls of the exact search.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "is_exact", "lower", "upper", "mean", "classes", "chances", "searches", "seconds"),
        "interrupted=is_interrupted",
    )

    rules: Rules
    lower: Fraction
    upper: Fraction
    classes: tuple[SecretClass, ...]
    trees: tuple[MixedTree, ...]
    searches: int = 0
    seconds: float = 0.0
    is_interrupted: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the bounds agree."""
        return self.lower == self.upper

    @property
    def mean(self) -> float:
        """The upper bound as a number."""
        return float(self.upper)

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """Those of the trees."""
        return tuple(one.chance for one in self.trees)

    @cached_property
    def weights(self) -> dict[Code, int]:
        """The codemaker's chances as whole numbers, for `optimal`: codes of weight 0 are left out."""
        unit = math.lcm(*(one.chance.denominator for one in self.classes))
        every = {one.code: int(one.chance * unit) for one in self.classes}
        return {code: every[head] for code, head in _heads(self.rules).items() if every[head]}

    def check(self) -> GameValue:
        """Return this once both sides are proven again; raises AssertionError where one is not as it says.

        The search is asked for the least total under the codemaker's weights, and every code is played through every
        tree. Costs one search, and nothing of what the value was found by is used.
        """
        # Where no secret is named, those of weight 0 have to be told from the others: they weigh as good as nothing.
        every = [] if self.rules.is_named else list(secrets(self.rules))
        scale = len(every) ** 2 + 1
        weights = {code: scale * self.weights.get(code, 0) or 1 for code in every} or self.weights
        found = optimal(self.rules, weights=weights)
        least = Fraction(int(found.value.lower) // scale, sum(self.weights.values()))
        if least < self.lower or (self.is_exact and least != self.lower):
            raise AssertionError(f"the codemaker makes sure of {least} guesses, not of {self.lower}")
        means = _mixed_means(self.rules, self.trees)
        if max(means) != self.upper or sum(self.chances) != 1:
            raise AssertionError(f"the codebreaker takes {max(means)} guesses, not {self.upper}")
        return self

    def __repr__(self) -> str:
        """Say on one line what was found: `<GameValue of 4x6: 560/129>`."""
        number = str(self.upper) if self.is_exact else f"{float(self.lower):.6f} to {float(self.upper):.6f}"
        return f"<GameValue of {self.rules}: {number}>"

    def __str__(self) -> str:
        return Joined(self.lines(), "\n")

    def lines(self) -> Iterator[str]:
        """Give these lines."""
        rules, number, most = self.rules, str(self.upper), self.mean
        if self.is_exact:
            yield Told("{rules}: the value of the game is {value} = {number:.6f} guesses", rules, number, most)
        else:
            least = float(self.lower)
            yield Told("{rules}: the value of the game is >= {least:.6f} and <= {most:.6f} guesses", rules, least, most)
        largest = max(one.chance for one in self.classes)
        for one in self.classes:
            codes = plural(one.size, "{n} code", "{n} codes")
            code = format_code(one.code, self.rules)
            yield Told("  {codes} as {code}: weight {weight} each", codes, code, str(one.chance / largest))
        strategies = plural(len(self.trees), "{n} strategy", "{n} strategies")
        chances = ", ".join(f"{float(one):.4f}" for one in self.chances)
        yield Told("the codebreaker mixes {strategies}, with chances {chances}", strategies, chances)
        yield from why_unproven(is_exact=self.is_exact, is_interrupted=self.is_interrupted)
        yield Told("{seconds:.2f} s, {searches}", self.seconds, plural(self.searches, "{n} search", "{n} searches"))

    def save(self, path: str | Path) -> None:
        """Write both strategies to a file, from which `mixed:FILE` plays; the file is written whole or not at all."""
        data = {
            "format": FORMAT,
            "rules": str(self.rules),
            "bounds": [str(self.lower), str(self.upper)],
            "secrets": {format_code(one.code, self.rules): str(one.chance) for one in self.classes},
            "trees": [{"chance": str(one.chance), "nodes": _rows(one.tree)} for one in self.trees],
        }
        write_whole(path, json.dumps(data).encode(), KIND)

    @classmethod
    def load(cls, path: str | Path) -> GameValue:
        """Read what `save` wrote, and play every code through its trees; raises InputError where it is damaged."""
        name = shown(path)
        data = parse_json(read_text(path))
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError("{file} holds no mixed strategies", name)
        try:
            rules = Rules.parse(data["rules"])
            lower, upper = map(Fraction, data["bounds"])
            given = {parse_code(text, rules, secret=True): Fraction(chance) for text, chance in data["secrets"].items()}
            sizes = _sizes(rules)
            classes = tuple(SecretClass(code, size, given[code]) for code, size in sizes.items())
            trees = tuple(MixedTree(Fraction(one["chance"]), _tree(one["nodes"], rules)) for one in data["trees"])
            is_whole = sum(one.chance * one.size for one in classes) == 1 == sum(one.chance for one in trees)
            chances = [one.chance for one in classes] + [one.chance for one in trees]
            is_possible = min(chances) >= 0 and len(given) == len(sizes)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError, InputError) as error:
            raise InputError("{file} is damaged: {reason}", name, str(error)) from None
        if not (is_whole and is_possible):
            raise InputError("{file} is damaged: its chances do not sum up to 1", name)
        return cls(rules, lower, upper, classes, trees)


def game_value(
    rules: Rules | str,
    *,
    time: float | None = None,
    threads: int | None = None,
    progress: Callable[[GameValue], None] | None = None,
) -> GameValue:
    """Find the expected number of guesses where the secret is chosen at will and both sides mix, as an exact fraction.

    Secrets that symmetry makes alike have one chance. After ``time`` seconds of search, or Ctrl-C, bounds are
    returned, with the strategies that have them. ``progress`` is called with these after each search, and may raise
    KeyboardInterrupt. About as many searches as `optimal` under weights as there are classes, a few times over: 4x6 11.

    Raises InputError for rules with a prior or a limit of guesses, TooLargeError where the labels take more than
    600 MB, and where there are more than 60 classes of secrets, as in lists of words.

    >>> found = game_value("3x3")
    >>> found, found.is_exact
    (<GameValue of 3x3: 73/27>, True)
    """
    board = Rules.of(rules)
    if board.prior is not None or board.guess_limit is not None:
        raise InputError("the value of the game is found without a prior and without a limit, not for {rules}", board)
    Reach.of(board).check(MATRIX_BYTES)
    seconds = math.inf if time is None else arguments.number(time, "the time")
    return _ValueSearch(board, seconds, threads, arguments.call(progress, "progress")).run()


class _ValueSearch:
    """One call: trees found, what each takes for the secrets of each class, and the bounds."""

    def __init__(
        self, rules: Rules, seconds: float, threads: int | None, progress: Callable[[GameValue], None] | None
    ) -> None:
        self.rules, self.seconds, self.threads, self.progress = rules, seconds, threads, progress
        self.heads = _heads(rules)
        self.sizes = _sizes(rules)
        if len(self.sizes) > MOST_CLASSES:
            raise TooLargeError(
                "the secrets of {rules} are of {classes:,} classes; the value of the game is found to {most}",
                *(rules, len(self.sizes), MOST_CLASSES),
            )
        self.trees: list[StrategyTree] = []
        self.columns: list[tuple[Fraction, ...]] = []
        self.lower, self.spent, self.searches = Fraction(0), 0.0, 0
        self.certain: tuple[Fraction, ...] = ()

    def run(self) -> GameValue:
        """Ask the search and the program in turn."""
        sizes = list(self.sizes.values())
        asked: tuple[Fraction, ...] = (Fraction(1, sum(sizes)),) * len(sizes)
        is_half_way = is_interrupted = False
        before: Fraction | float = math.inf
        try:
            while True:
                found = self._best_reply(asked)
                is_interrupted = found.is_interrupted
                is_new = self._enter(found)
                upper, chances, mixed = solve_game(list(zip(*self.columns, strict=True)))
                value = self._value(upper, mixed)
                if self.progress is not None:
                    self.progress(value)
                if value.is_exact or not (is_new or is_half_way) or not found.is_exact:
                    break
                asked = tuple(chance / size for chance, size in zip(chances, sizes, strict=True))
                # The program's chances jump from one end to the other. Half-way to those of the best bound the search
                # is easier, and its tree better, as long as the bound of the codebreaker falls.
                is_half_way, before = upper < before, upper
                if is_half_way:
                    asked = tuple((one + other) / 2 for one, other in zip(asked, self.certain, strict=True))
        except KeyboardInterrupt:
            if not self.columns:
                raise
            is_interrupted = True
            upper, _, mixed = solve_game(list(zip(*self.columns, strict=True)))
        return self._value(upper, mixed, is_interrupted=is_interrupted)

    def _best_reply(self, chances: Sequence[Fraction]) -> Optimum:
        """The best tree against the codemaker's chance of each code of a class; the bound that it proves is kept."""
        sizes = list(self.sizes.values())
        whole = _whole(chances)
        # A class of weight 0 would not be looked for: it weighs so little that all of it is less than 1 of the others.
        idle = sum(size for size, weight in zip(sizes, whole, strict=True) if not weight)
        scale = idle * sum(sizes) + 1
        if sum(map(math.prod, zip(whole, sizes, strict=True))) * scale + idle > ROUNDED:
            largest = max(chances)
            whole, scale = [round(chance / largest * ROUND) for chance in chances], 1
        weights = [weight * scale or 1 for weight in whole]
        by_head = dict(zip(self.sizes, weights, strict=True))
        left = None if math.isinf(self.seconds) else max(0.0, self.seconds - self.spent)
        found = optimal(
            self.rules,
            weights={code: by_head[head] for code, head in self.heads.items()},
            time=left,
            threads=self.threads,
        )
        self.spent += found.seconds
        self.searches += 1
        total = sum(map(math.prod, zip(weights, sizes, strict=True)))
        bounds = [(Fraction(found.value.lower) / total, [Fraction(weight, total) for weight in weights])]
        if scale > 1 and found.is_exact and found.tree is not None:
            # The least total is `scale` times that of the others, and less than `scale` more.
            exact = sum(map(math.prod, zip(whole, sizes, strict=True)))
            bounds.append((Fraction(int(found.value.lower) // scale, exact), [Fraction(one, exact) for one in whole]))
        for bound, each in bounds:
            if bound > self.lower:
                self.lower, self.certain = bound, tuple(each)
        return found

    def _enter(self, found: Optimum) -> bool:
        """Take a tree in; whether it is another one, for the codemaker, than all before."""
        # Where the time was over before there was a strategy, a quick one gives a bound.
        tree = found.checked() or StrategyTree.build("entropy", self.rules).check()
        column = _means(self.rules, tree)
        if column in self.columns:
            return False
        self.trees.append(tree)
        self.columns.append(column)
        return True

    def _value(self, upper: Fraction, mixed: Sequence[Fraction], *, is_interrupted: bool = False) -> GameValue:
        classes = zip(self.sizes.items(), self.certain, strict=True)
        return GameValue(
            rules=self.rules,
            lower=self.lower,
            upper=upper,
            classes=tuple(SecretClass(code, size, chance) for (code, size), chance in classes),
            trees=tuple(MixedTree(one, tree) for one, tree in zip(mixed, self.trees, strict=True) if one),
            searches=self.searches,
            seconds=self.spent,
            is_interrupted=is_interrupted,
        )


def solve_game(costs: Sequence[Sequence[Fraction]]) -> tuple[Fraction, tuple[Fraction, ...], tuple[Fraction, ...]]:
    """Return (value, chances of the rows, chances of the columns) of a game in which rows want costs large: exact.

    All costs are more than 0. The simplex method in fractions, by Bland's rule, which never goes in circles: the sum of
    y is made large with costs times y at most 1 in each row; the value is 1 / the sum.

    >>> solve_game([[Fraction(1), Fraction(3)], [Fraction(2), Fraction(1)]])[0]
    Fraction(5, 3)
    """
    rows, columns = len(costs), len(costs[0])
    table = [
        [*map(Fraction, row), *(Fraction(int(i == j)) for j in range(rows)), Fraction(1)] for i, row in enumerate(costs)
    ]
    aim = [Fraction(-1)] * columns + [Fraction(0)] * (rows + 1)
    basis = [columns + i for i in range(rows)]
    while (entering := next((j for j, value in enumerate(aim[:-1]) if value < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        leaving = min(ratios)[2]
        pivot = table[leaving][entering]
        table[leaving] = [value / pivot for value in table[leaving]]
        for row in (*(row for i, row in enumerate(table) if i != leaving), aim):
            if factor := row[entering]:
                row[:] = [value - factor * other for value, other in zip(row, table[leaving], strict=True)]
        basis[leaving] = entering
    value = 1 / aim[-1]
    mixed = [Fraction(0)] * columns
    for row, name in zip(table, basis, strict=True):
        if name < columns:
            mixed[name] = row[-1] * value
    return value, tuple(one * value for one in aim[columns:-1]), tuple(mixed)


# ------------------------------------------------------------------ classes of secrets


def _heads(rules: Rules) -> dict[Code, Code]:
    """The first code of the class of each secret: of words and tables, which `mixed:FILE` does not rename, itself."""
    codes, heads = secrets(rules), dict[int, Code]()
    numbers = opening_numbers(codes).tolist() if rules.is_symmetric else range(len(codes))
    return {code: heads.setdefault(number, code) for code, number in zip(codes, numbers, strict=True)}


def _sizes(rules: Rules) -> dict[Code, int]:
    """The size of each class, by its first code."""
    sizes: dict[Code, int] = {}
    for head in _heads(rules).values():
        sizes[head] = sizes.get(head, 0) + 1
    return sizes


def _means(rules: Rules, tree: StrategyTree) -> tuple[Fraction, ...]:
    """The mean number of guesses for the secrets of each class."""
    heads, sizes = _heads(rules), _sizes(rules)
    sums = dict.fromkeys(sizes, 0)
    for code, turn in zip(tree.secrets, tree.turns.tolist(), strict=True):
        sums[heads[code]] += turn
    return tuple(Fraction(sums[head], size) for head, size in sizes.items())


def _mixed_means(rules: Rules, trees: Sequence[MixedTree]) -> list[Fraction]:
    each = [[one.chance * mean for mean in _means(rules, one.tree.check())] for one in trees]
    return [sum(column, Fraction(0)) for column in zip(*each, strict=True)]


def _whole(chances: Sequence[Fraction]) -> list[int]:
    unit = math.lcm(*(one.denominator for one in chances))
    whole = [int(one * unit) for one in chances]
    return [one // math.gcd(*whole) for one in whole]


def _rows(tree: StrategyTree) -> list[list[int]]:
    codes, parents, labels = (tree.code(node) for node in range(len(tree))), tree.parent.tolist(), tree.label.tolist()
    wins = tree.wins.astype(int).tolist()
    return [[*row, *code] for *row, code in zip(parents, labels, wins, codes, strict=True)]


def _tree(rows: Any, rules: Rules) -> StrategyTree:
    root = from_rows(np.array(rows, np.int32))
    if root is None:
        raise InputError("a strategy has no nodes")
    return tree_of_nodes(root, rules, name="mixed").check()
