"""Sets of codes that some guesses leave, one of all that differ in names alone, and the guesses that led to each."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array, CodeSet, guesses, secrets
from entropeg.errors import InputError
from entropeg.executors import Crew
from entropeg.feedback import from_label
from entropeg.kernels.compile import kernel
from entropeg.keys import keys_of
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.search.exact.layout import hash_words
from entropeg.search.values import concatenated_ranges
from entropeg.symmetry import Classes, guess_kinds

Int = Any
Made = TypeVar("Made")

BUDGET = 2.0
"""Seconds that a worker's call takes, about."""


@dataclass(frozen=True)
class SetList:
    """Sets of codes, numbered as `secrets` lists them, with turns that lead to each."""

    pool: NDArray[np.int32]
    starts: NDArray[np.int64]
    """Set i stands in `pool` from `starts[i]` to `starts[i + 1]`."""
    keys: NDArray[np.uint64]
    turns: NDArray[np.int32]
    """[sets, turns, 2]: guesses, numbered as `guesses` lists them, and labels."""
    last: NDArray[np.int64]
    """The least rank that the last turn of a history of the set may have, see `TurnRanks`."""
    forms: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    """The canonical forms, as `pool`."""

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The codes of each set."""
        return np.diff(self.starts)

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, which: NDArray[np.int64]) -> SetList:
        """Return some of the sets, by their indexes."""
        at, starts = concatenated_ranges(self.starts[which], self.sizes[which])
        forms = self.forms[at] if len(self.forms) else self.forms
        return SetList(self.pool[at], starts, self.keys[which], self.turns[which], self.last[which], forms)

    def position(self, rules: Rules) -> Position:
        """Return the position that leads to the set, the first where there are more."""
        return Position(rules, turns_of(rules, self.turns[0]))

    @classmethod
    def start(cls, rules: Rules) -> SetList:
        """Return the set of all secrets, to which no turn leads."""
        everything = np.arange(rules.secret_count, dtype=np.int32)
        starts = np.array([0, len(everything)])
        keys, forms = keys_of(rules).of(everything, starts)
        return cls(everything, starts, keys, np.zeros((1, 0, 2), np.int32), np.zeros(1, np.int64), forms)

    @classmethod
    def joined(cls, lists: list[SetList]) -> SetList:
        """Return one of the sets of each key, that of the least `last`; InputError where one key has two sets.

        So a table is never written in which a key stands for sets that differ.
        """
        joined = cls(
            np.concatenate([each.pool for each in lists]),
            np.cumsum(np.concatenate([[0], *(each.sizes for each in lists)])),
            *(np.concatenate([getattr(each, name) for each in lists]) for name in ("keys", "turns", "last", "forms")),
        )
        order = np.lexsort((np.arange(len(joined)), joined.last, joined.keys))
        is_first = np.ones(len(order), np.bool_)
        is_first[1:] = joined.keys[order[1:]] != joined.keys[order[:-1]]
        first = order[is_first][np.cumsum(is_first) - 1]
        again, before = order[~is_first], first[~is_first]
        ours, theirs = joined.take(again), joined.take(before)
        if (ours.sizes != theirs.sizes).any() or (ours.forms != theirs.forms).any():
            raise InputError("two sets that differ have one key of 64 bits: no table can be made of them")
        return joined.take(order[is_first])


@dataclass(frozen=True)
class TurnRanks:
    """A number for each turn that no renaming changes: the pattern of its guess, then the marks of its answer.

    The turns of a history may stand in any order. So it is enough to find each in ascending order: a set is extended by
    turns of the rank of its last turn or more. A guess of its kind may have another pattern where colors that no code
    of the set has are alike: it is as good as one in which they all differ.
    """

    rules: Rules

    def patterns(self, codes: CodeSet, *, absent: tuple[int, ...] = ()) -> NDArray[np.int64]:
        """Return the pattern of each guess: how often its colors occur, most often first, as digits.

        Colors that are `absent` are counted as if they all differed.
        """
        if not self.rules.is_symmetric or self.rules.prior is not None:
            return np.zeros(len(codes), np.int64)
        counts = codes.counts.astype(np.int64)
        single = counts[list(absent)].sum(axis=0) if absent else np.zeros(len(codes), np.int64)
        kept = np.delete(counts, list(absent), axis=0) if absent else counts
        found = -np.sort(-np.vstack([kept, np.zeros((self.rules.pegs, len(codes)), np.int64)]), axis=0)
        pattern = np.zeros(len(codes), np.int64)
        # Fewer copies is the larger pattern: AAAA before AAAB before AABB, ABCD the last.
        for place in range(self.rules.pegs):
            ones = (found[place] == 0) & (single > 0)
            single = single - ones
            pattern = pattern * (self.rules.pegs + 1) + (self.rules.pegs - np.where(ones, 1, found[place]))
        return pattern

    def marks(self) -> NDArray[np.int64]:
        """Return for each label a number of what stays of it where pegs change places: blacks and whites."""
        rules = self.rules
        found = []
        for label in range(rules.label_count):
            feedback = from_label(label, rules)
            found.append(feedback.black * (rules.pegs + 1) + feedback.white)
        return np.array(found, np.int64)


@kernel
def cut_set(  # noqa: PLR0913, PLR0917
    labels: Array, words: Array, win: Int, low: Array, high: Array, marks: Array, last: Int,
    seen: Array, place: Array, sizes: Array, hashes: Array, out_guess: Array, out_label: Array, out_last: Array,
) -> Any:  # fmt: skip
    """Write the different parts of more than two codes into which guesses cut a set; how many.

    labels: uint8[guesses, codes]. words: uint64[codes]: a part is known by the XOR of those of its codes. low, high:
    int64[guesses]: the least and the largest pattern of guesses that cut alike; marks: int64[labels]. seen (uint64) and
    place (int64) have a power of two entries, twice as many as there are parts, seen full of zeros. sizes (int64) and
    hashes (uint64): [labels]. A part is written once, with the least rank of a turn that is at least ``last``.
    """
    found, mask = 0, seen.shape[0] - 1
    span = np.int64(1 << 20)
    for g in range(labels.shape[0]):
        for label in range(sizes.shape[0]):
            sizes[label] = 0
            hashes[label] = np.uint64(0)
        for i in range(labels.shape[1]):
            sizes[labels[g, i]] += 1
            hashes[labels[g, i]] ^= words[i]
        for label in range(sizes.shape[0]):
            if label == win or sizes[label] <= 2 or sizes[label] == labels.shape[1]:
                continue
            if high[g] * span + marks[label] < last:
                continue
            rank = low[g] * span + marks[label]
            at = np.int64(hashes[label] & np.uint64(mask))
            while seen[at] != 0 and seen[at] != hashes[label]:
                at = (at + 1) & mask
            if seen[at] == 0:
                seen[at], place[at] = hashes[label], found
                out_guess[found], out_label[found], out_last[found] = g, label, rank
                found += 1
            elif rank < out_last[place[at]]:
                out_last[place[at]] = rank
    return found


@dataclass(frozen=True)
class SetTask(Generic[Made]):
    """Sets to be worked on, one after the other: a task that workers share."""

    rules: Rules
    sets: SetList

    @property
    def size(self) -> int:
        """Number of sets."""
        return len(self.sets)

    def split(self, pieces: int) -> list[Self]:
        """Divide the sets, in turn, so that large ones are shared evenly."""
        pieces = min(pieces, self.size)
        return [replace(self, sets=self.sets.take(np.arange(at, self.size, pieces))) for at in range(pieces)]

    def run(self, budget: float) -> tuple[Made, list[Self]]:
        """Work for a number of seconds, on one piece at least; what is made, and the task left."""
        began, made, left = perf_counter(), list[Made](), self.sets
        while len(left) and (not made or perf_counter() - began < budget):
            some = self._next(left)
            made.append(self._made(left.take(some)))
            left = left.take(np.setdiff1d(np.arange(len(left)), some, assume_unique=True))
        return self._joined(made), [replace(self, sets=left)] if len(left) else []

    def _next(self, left: SetList) -> NDArray[np.int64]:
        return np.arange(1)

    def _made(self, sets: SetList) -> Made:
        raise NotImplementedError

    def _joined(self, made: list[Made]) -> Made:
        raise NotImplementedError


class CutTask(SetTask[SetList]):
    """Sets to be cut by every guess."""

    def _made(self, sets: SetList) -> SetList:
        return cut(self.rules, sets)

    def _joined(self, made: list[SetList]) -> SetList:
        return SetList.joined(made)


def done(crew: Crew | None, task: SetTask[Made]) -> list[Made]:
    """Do a task, here or by the workers of a crew."""
    if not task.size:
        return []
    return [task.run(inf)[0]] if crew is None else list(crew.work(task.split(2 * crew.count), BUDGET))


def cut(rules: Rules, one: SetList) -> SetList:
    """Return the parts of more than two codes into which guesses cut one set, one of all that differ in names alone."""
    position = one.position(rules)
    tried = tried_at(position)
    labels = secrets(rules).take(one.pool).labels(tried)
    ranks = TurnRanks(rules)
    low, high = ranks.patterns(tried), ranks.patterns(tried, absent=_absent(position))
    words = set_words(rules)[one.pool]
    most = len(tried) * min(rules.label_count, max(1, labels.shape[1] // 3))
    entries = 1 << (2 * most + 2).bit_length()
    guess, label, last = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most, np.int64)
    count = cut_set(
        labels, words, rules.win_label, low, high, ranks.marks(), int(one.last[0]),
        np.zeros(entries, np.uint64), np.zeros(entries, np.int64),
        np.zeros(rules.label_count, np.int64), np.zeros(rules.label_count, np.uint64), guess, label, last,
    )  # fmt: skip
    guess, label, last = guess[:count], label[:count], last[:count]
    pool, starts = members(one, labels, guess, label)
    keys, forms = keys_of(rules).of(pool, starts)
    numbers = guesses(rules).find(tried)[guess]
    turns = np.concatenate(
        [np.repeat(one.turns, count, axis=0), np.stack([numbers, label], axis=1)[:, None, :]], axis=1
    ).astype(np.int32)
    return SetList.joined([SetList(pool, starts, keys, turns, last, forms)])


def tried_at(position: Position) -> CodeSet:
    """Return one guess of each kind at a position."""
    return guess_kinds(position) or guesses(position.rules)


def members(
    one: SetList, labels: NDArray[np.uint8], guess: NDArray[np.int64], label: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return (pool, starts) of the codes of one set that get each of these labels for each of these guesses."""
    of, place = np.nonzero(labels[guess] == label[:, None])
    starts = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(guess)))])
    return one.pool[place].astype(np.int32), starts


def turns_of(rules: Rules, turns: NDArray[np.int32]) -> list[Turn]:
    """Return turns given by the numbers of guesses and by labels."""
    listed = guesses(rules)
    return [Turn(listed[int(guess)], from_label(int(label), rules)) for guess, label in turns if guess >= 0]


def _absent(position: Position) -> tuple[int, ...]:
    classes = Classes.of(position)
    return classes.absent if classes.merged else ()


_listed: dict[Rules, NDArray[np.uint64]] = {}


def set_words(rules: Rules) -> NDArray[np.uint64]:
    """Return a word for each secret: a set is known by the XOR of those of its codes."""
    if rules not in _listed:
        _listed.clear()
        _listed[rules] = hash_words(rules.secret_count, np.random.default_rng(0x7AB1E))
    return _listed[rules]
