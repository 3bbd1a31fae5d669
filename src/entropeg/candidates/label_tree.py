"""Finds the codes that fit some turns by label permutations, as Jourde 2018 does.

Each peg of a guess gets a label: G, in place; B, its color is in the secret and elsewhere; W, it is wrong. A feedback
stands for all arrangements of its labels. The arrangements of all turns are one tree, pruned as soon as two labels
contradict each other; each sequence that is left says which colors a peg must or cannot have, and which colors the
secret has, and the codes follow. Source: T. Jourde, Programme-joueur de Mastermind paramétrique (2018), section 3.2.

Under `membership` feedback the labels mean exactly that. Under standard feedback marks are counted: of the pegs of one
color as many are G or B as the secret has copies to give, and where there are too few the first ones get them. With
that convention each secret belongs to one sequence only, so nothing is found twice.

The tree is walked, never built. Its codes are either walked through completely, or sampled by random descents
whose chances are known and weighed out.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import lgamma
from time import perf_counter
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from entropeg.candidates.constraints import AnyTurns, Turns
from entropeg.codes import Array, CodeSet, plane_type, read_turns
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Marks, Method, check_known
from entropeg.kernels.mixing import GAMMA
from entropeg.processors import usable_processors
from entropeg.rules import Blanks, FeedbackKind, Rules

Quality: TypeAlias = Literal["all", "uniform", "weighted", "sampled"]

SLICE = 2_000_000
"""Choices tried between two looks at the outside."""

WALKED = 300_000
"""Where descents estimate more codes than this, nobody walks through them all."""

DESCENTS = 125
"""Descents of a stream in one round: a few milliseconds."""

VAIN = 20
"""Rounds that are made in any case. Where they have found fewer codes than rounds, the others are spared."""


class LabelSample(NamedTuple):
    """Some codes that fit, and how they were come by.

    `quality`: "all" of them; a "uniform" sample of all, which were walked through; "weighted", from random descents
    whose different chances are evened out as well as the number of descents allows; or "sampled" by chains, where
    descents found too few. `number` is how many codes fit: exact, or for the last two an estimate by descents.
    """

    codes: CodeSet
    quality: Quality
    number: float


def label_sequences(rules: Rules | str, turns: AnyTurns) -> Iterator[tuple[str, ...]]:
    """Give every sequence of labels in which no two contradict each other, a word of G, B and W for each turn.

    The example of Jourde 2018: secret 313, guesses 231 and 322.

    >>> from entropeg.feedback import Feedback
    >>> rules = Rules.parse("3x3/membership")
    >>> turns = [((1, 2, 0), Feedback(0, 2)), ((2, 1, 1), Feedback(1, 0))]
    >>> ("WBB", "GWW") in set(label_sequences(rules, turns))
    True
    """
    rules = Rules.of(rules)
    turns = read_turns(turns, rules)
    pegs, tree = rules.pegs, _LabelTree(rules, turns, in_order=True)
    while not tree.is_done:
        for row in tree.walk(16, SLICE, labels=True).tolist():
            word = "".join("GBW"[label] for label in row)
            yield tuple(word[start : start + pegs] for start in range(0, len(word), pegs))


def codes_by_labels(rules: Rules | str, turns: AnyTurns) -> Iterator[Code]:
    """Give every secret that fits the turns once, in the order of the tree; memory does not grow.

    Raises InputError where the rules count no marks by color (words, pegs with shapes).
    """
    rules = Rules.of(rules)
    turns = read_turns(turns, rules)
    tree, size = _LabelTree(rules, turns), 16
    while not tree.is_done:
        yield from map(tuple, tree.walk(size, SLICE).tolist())
        size = min(4 * size, 4096)


def sample_codes(
    rules: Rules | str,
    turns: AnyTurns,
    size: int,
    rng: np.random.Generator,
    *,
    steps: int = 20_000_000,
    deadline: float = np.inf,
) -> LabelSample:
    """Return up to `size` different secrets that fit the turns, drawn evenly; all of them where they are no more.

    Random descents first estimate how many there are. Where `steps` choices are enough to walk through all, the
    sample is exactly uniform; otherwise the codes found by descents are drawn with weights that even out their
    chances. No codes and quality "weighted" means that none was found, "all" that there is none. `deadline`, by
    `time.perf_counter`, ends the search with what was found. Memory: ten times the sample.
    """
    rules = Rules.of(rules)
    turns = read_turns(turns, rules)
    # Eight streams, whatever the number of cores: the same seed finds the same codes.
    seeds = rng.integers(1 << 63, size=8)
    descents = _Descents(rules, turns, seeds)
    descents.run()
    if descents.estimate <= WALKED:
        walked = _walk_through(rules, turns, size, rng, steps, deadline)
        if walked is not None:
            return walked
    # Until ten times the sample was found (the more, the evener the weights make it), at most 40,000 descents.
    for done in range(1, 40):
        if descents.found >= 10 * size or perf_counter() > deadline or done >= VAIN > descents.found:
            break
        before = descents.found
        descents.run()
        if descents.found == before > 0:
            break  # hardly a code is left to be found
    return descents.sample(size, rng)


def _walk_through(
    rules: Rules, turns: Turns, size: int, rng: np.random.Generator, steps: int, deadline: float
) -> LabelSample | None:
    # All codes pass by once; each stays with the same chance (reservoir sampling, Vitter 1985, algorithm R).
    tree, seen = _LabelTree(rules, turns), 0
    kept = np.zeros((size, rules.pegs), np.int64)
    while not tree.is_done:
        if tree.tried >= steps:
            return None
        rows = tree.walk(4096, SLICE)
        order = seen + np.arange(len(rows))
        place = np.where(order < size, order, rng.integers(order + 1))
        stays = place < size
        kept[place[stays]] = rows[stays]
        seen += len(rows)
        if not tree.is_done and perf_counter() > deadline:
            return None
    return LabelSample(as_set(rules, kept[:seen]), "all" if seen <= size else "uniform", seen)


def as_set(rules: Rules, rows: Array) -> CodeSet:
    """Return codes, one a row, as a set: sorted, each once."""
    return CodeSet(rules, np.unique(rows.astype(plane_type(rules)), axis=0).reshape(-1, rules.pegs).T)


class _Descents:
    """Random descents in streams of their own, and the codes that they reached."""

    def __init__(self, rules: Rules, turns: Turns, seeds: Array) -> None:
        self.rules, self.draws = rules, 0
        self._trees = [_LabelTree(rules, turns) for _ in seeds]
        self._states = [np.array([seed], np.uint64) for seed in seeds]
        self._codes = np.zeros((0, rules.pegs), np.int64)
        self._chances = np.zeros(0)
        self._total = 0.0

    @property
    def found(self) -> int:
        """Different codes found."""
        return len(self._codes)

    @property
    def estimate(self) -> float:
        """How many codes fit: the mean of 1 / chance over all descents, failures counting 0 (Knuth 1975)."""
        return self._total / self.draws

    def run(self) -> None:
        """Go down `DESCENTS` times in every stream, on all cores."""
        with ThreadPoolExecutor(min(usable_processors(), len(self._trees))) as pool:
            parts = list(pool.map(_LabelTree.descend, self._trees, self._states))
        rows = np.concatenate([self._codes, *(codes for codes, _ in parts)])
        chances = np.concatenate([self._chances, *(chances for _, chances in parts)])
        self._total += float(np.exp(-chances[len(self._codes) :]).sum())
        self.draws += DESCENTS * len(self._trees)
        index = np.unique(_keys(rows), return_index=True)[1]
        self._codes, self._chances = rows[index], chances[index]

    def sample(self, size: int, rng: np.random.Generator) -> LabelSample:
        """Draw codes by 1 / (chance that they were found), without replacement (Efraimidis & Spirakis 2006)."""
        found = -np.expm1(self.draws * np.log1p(-np.minimum(np.exp(self._chances), 1 - 1e-12)))
        late = np.log(rng.exponential(size=len(found))) + np.log(np.maximum(found, 1e-300))
        return LabelSample(as_set(self.rules, self._codes[np.argsort(late)[:size]]), "weighted", self.estimate)


class _LabelTree:
    """The arrays of one walk through the tree, as `kernels.labels` takes them."""

    def __init__(self, rules: Rules, turns: Turns, *, in_order: bool = False) -> None:
        """Set up the search; turns with few arrangements come first unless they are wanted in order."""
        check_rules(rules)
        pegs, symbols = rules.pegs, rules.symbols_in_guesses
        turns = list(turns) if in_order else sorted(turns, key=lambda turn: _arrangements(pegs, turn[1]))
        number = len(turns)
        self._kind = int(FeedbackKind.standard if rules.feedback.about.answer is Marks else rules.feedback)
        place = np.array([_order(turn[0], in_order=in_order) for turn in turns], np.int64).reshape(number, pegs)
        colors = np.array([turn[0] for turn in turns], np.int64).reshape(number, pegs)
        guesses = np.take_along_axis(colors, place, axis=1)
        later = np.array([_later(row) for row in guesses.tolist()], np.int64).reshape(number, pegs)
        told = [[2 - mark for mark in turn[1]] if isinstance(turn[1], Marks) else [-1] * pegs for turn in turns]
        forced = np.array(told, np.int64).reshape(number, pegs)
        from entropeg.kernels import labels as kernel

        self._kernel = kernel
        self._asked = kernel.AskedPegs(guesses, place, later, np.take_along_axis(forced, place, axis=1))
        left = np.array([_labels(pegs, turn[1]) for turn in turns], np.int64).reshape(number, 3)
        lo, hi = np.zeros((number + 1, symbols), np.int64), np.full((number + 1, symbols), pegs)
        hi[0] = _most(rules)
        self._state = kernel.Labelling(
            left, lo, hi, np.zeros((number, symbols), np.int64), np.zeros((number, symbols), np.int64),
            np.vstack([np.full(pegs, -1), np.zeros(pegs, np.int64)]), np.zeros((pegs, symbols), np.int64),
            np.zeros(symbols, np.int64), np.zeros(symbols + 1, np.int64), np.full(number * pegs + pegs, -1),
        )  # fmt: skip
        self._cursor = np.zeros(2, np.int64)

    @property
    def is_done(self) -> bool:
        """Whether the whole tree was walked."""
        return bool(self._cursor[0] < 0)

    @property
    def tried(self) -> int:
        """Choices tried so far."""
        return int(self._cursor[1])

    def walk(self, most: int, steps: int, *, labels: bool = False) -> Array:
        """Go on for a number of codes or label sequences, or of choices; return those found, one a row."""
        pegs = self._asked.guesses
        bottom, width = (pegs.size, pegs.size) if labels else (len(self._state.code), pegs.shape[1])
        out = np.zeros((most, width), np.int64)
        found = self._kernel.walk(self._kind, self._asked, self._state, bottom, steps, self._cursor, out)
        return out[:found]

    def descend(self, state: Array) -> tuple[Array, Array]:
        """Go down at random `DESCENTS` times; return the codes reached and the logarithms of their chances."""
        asked, held = self._asked, self._state
        weights, pegs = np.zeros(held.lo.shape[1] + 3), asked.guesses.shape[1]
        most = [int(part.max(initial=0)) + 1 for part in (*held.left.T[:2], asked.later + 1)]
        ways, chances = np.zeros((pegs + 1, *most, 2)), np.zeros(DESCENTS)
        out = np.zeros((DESCENTS, pegs), np.int64)
        found = self._kernel.descend(self._kind, asked, held, DESCENTS, state, weights, ways, chances, out)
        return out[:found], chances[:found]


def check_rules(rules: Rules) -> None:
    """Raise InputError where labels mean nothing: secrets from a list of words, pegs with shapes."""
    if not rules.is_symmetric:
        raise InputError("label permutations know codes of colors only, not the secrets of {rules}", rules)
    check_known(rules, Method.building)


def _keys(rows: Array) -> Array:
    # A number for each code, different ones for different codes but with a chance of 2**-64 a pair.
    factors = (np.arange(1, rows.shape[1] + 1, dtype=np.uint64) * GAMMA) ** np.uint64(3)
    return np.asarray((rows.astype(np.uint64) * (factors | np.uint64(1))).sum(axis=1, dtype=np.uint64))


def _most(rules: Rules) -> Array:
    # How often each symbol can occur before the first turn.
    most = np.full(rules.symbols_in_guesses, rules.pegs)
    if not rules.repeats:
        most[: rules.colors] = 1
    if rules.blanks == Blanks.guesses:
        most[rules.colors] = 0
    return most


def _order(guess: Code, *, in_order: bool) -> list[int]:
    # The pegs in the order in which they get labels: those of a color together, or as they stand.
    pegs = range(len(guess))
    return list(pegs) if in_order else sorted(pegs, key=lambda peg: (guess[peg], peg))


def _later(colors: list[int]) -> list[int]:
    return [colors[index + 1 :].count(color) for index, color in enumerate(colors)]


def _labels(pegs: int, feedback: AnyFeedback) -> list[int]:
    return [feedback.black, feedback.white, pegs - feedback.black - feedback.white]


def _arrangements(pegs: int, feedback: AnyFeedback) -> float:
    if isinstance(feedback, Marks):
        return 0.0
    return lgamma(pegs + 1) - sum(lgamma(n + 1) for n in _labels(pegs, feedback))
