"""Reading a complete strategy out of the table of a search, node by node."""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.search.exact import fields
from entropeg.search.exact.clues import add_clues, clue_hash
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import (
    BEHIND,
    CHOSEN,
    COUNT,
    EXACT,
    FIRST,
    HARD,
    LABELS,
    NO_GUESS,
    SCAN,
    SCANNED,
    SMALL,
    UNLIMITED,
    VALUE,
    Array,
    Int,
)
from entropeg.search.exact.loop import place
from entropeg.search.exact.scan import guess_at

WAITS, NODES, IS_SEARCHED = range(3)
"""Numbers in the first row of ``waiting``: sets in the rows behind it, nodes written, whether the last was searched."""
BEGIN, SIZE, PARENT, LABEL, LEFT = range(5)
"""Numbers of a set that waits: where it begins on the stack, its codes, the node and label before it, guesses left."""
NONE, SEARCH = -1, -2
"""What `unfold` returns beside a number of nodes: no strategy; the set of the first frame is to be searched."""


@inner
def begin_unfolding(memory: Array, n: Int, d: Int) -> None:
    """Put the ``n`` codes at the start of the stack as the one set that waits."""
    waiting = fields.waiting(memory)
    waiting[0, WAITS], waiting[0, NODES], waiting[0, IS_SEARCHED] = 1, 0, 0
    waiting[1, BEGIN], waiting[1, SIZE], waiting[1, PARENT], waiting[1, LABEL], waiting[1, LEFT] = 0, n, -1, -1, d


@inner
def _write_node(memory: Array, guess: Int) -> Any:
    """Write the node of the last set that waits to ``answer``; its parts wait in its place."""
    m, waiting = memory[LABELS], fields.waiting(memory)
    stack, answer, row = fields.stack(memory), fields.answer(memory), fields.by_guess(memory)[guess]
    spare, count = fields.rows(memory), fields.second_low(memory)
    waits, node = waiting[0, WAITS], waiting[0, NODES]
    begin, size, left = waiting[waits, BEGIN], waiting[waits, SIZE], waiting[waits, LEFT]
    answer[node, 0], answer[node, 1], answer[node, 2] = guess, waiting[waits, PARENT], waiting[waits, LABEL]
    count[: m + 1] = 0
    for i in range(size):
        spare[i] = stack[begin + i]
        count[row[spare[i]] + 1] += 1
    answer[node, 3] = count[m]
    for e in range(m):
        count[e + 1] += count[e]
    for e in range(m - 2, -1, -1):
        if count[e + 1] > count[e]:
            waiting[waits, BEGIN], waiting[waits, SIZE] = begin + count[e], count[e + 1] - count[e]
            waiting[waits, PARENT], waiting[waits, LABEL] = node, e
            waiting[waits, LEFT] = left if left == UNLIMITED else left - 1
            waits += 1
    for i in range(size):
        e = row[spare[i]]
        stack[begin + count[e]] = spare[i]
        count[e] += 1
    waiting[0, WAITS], waiting[0, NODES], waiting[0, IS_SEARCHED] = waits - 1, node + 1, 0


@inner
def _enter_path(memory: Array, waits: Int) -> None:
    """Make the clues of the first frame those of a set that waits: of the answers before it, after the root's."""
    clues, waiting, answer = fields.clues(memory), fields.waiting(memory), fields.answer(memory)
    row = clues[memory[BEHIND]]
    for w in range(row.shape[0]):
        row[w] = clues[0, w]
    node, label = waiting[waits, PARENT], waiting[waits, LABEL]
    while node >= 0:
        add_clues(memory, row, answer[node, 0], label)
        label = answer[node, 2]
        node = answer[node, 1]


def unfolding_of(family: Family) -> Any:
    """The kernel that writes strategies, for a family."""
    infinite, look, probe, store = family.infinite, family.look, family.table.probe, family.table.store

    @inner
    def known_guess(memory: Array, key: Int, begin: Int, n: Int, finished: Int) -> Any:
        """The guess of a set by the table, `NO_GUESS` if it has to be found, -1 if it is not to be searched."""
        if n <= 2:
            return np.int64(fields.guess_of_secret(memory)[fields.stack(memory)[begin]])
        value, guess, known = probe(fields.table(memory), key, n)
        if known == EXACT and guess != NO_GUESS:
            return guess
        if n > SMALL and known != EXACT and not finished:
            return np.int64(-1)
        if known != fields.OPEN:  # the value is known and not the guess: search again from the value as a bound
            store(fields.table(memory), key, n, value, NO_GUESS, SCANNED)
        return np.int64(NO_GUESS)

    @inner
    def unfold(memory: Array, n: Int, opening: Int, finished: Int) -> Any:
        """Write the strategy for ``n`` codes to ``answer``; the number of nodes, `NONE` or `SEARCH`.

        Nodes come in preorder, children by ascending label. `NONE` if no strategy is known that keeps the guesses left.
        ``opening``: the first guess, or `NO_GUESS`. After `SEARCH`, when the set of the first frame was searched, it is
        called again. A guess comes from the table, else from a search, or for large open sets it is that of the least
        expected total. When ``stop[0]`` is set nothing is searched any more, and the most promising guess stands in.
        """
        waiting, stack, zobrist = fields.waiting(memory), fields.stack(memory), fields.zobrist(memory)
        while waiting[0, WAITS]:
            waits = waiting[0, WAITS]
            begin, size, left = waiting[waits, BEGIN], waiting[waits, SIZE], waiting[waits, LEFT]
            if size > fields.capacity(memory)[left]:
                return np.int64(NONE)
            guess = np.int64(opening)
            if waiting[0, NODES] or opening == NO_GUESS:
                word = np.uint64(0)
                for i in range(size):
                    word ^= zobrist[stack[begin + i]]
                if memory[HARD]:
                    _enter_path(memory, waits)
                    word ^= clue_hash(memory, memory[BEHIND])
                key = word ^ fields.zobrist_limit(memory)[left if left < size else UNLIMITED]
                searched = waiting[0, IS_SEARCHED]
                if searched and fields.stop(memory)[0] == 0:
                    frame = fields.frames(memory)[0]
                    guess = frame[CHOSEN] if frame[VALUE] < infinite else np.int64(NO_GUESS)
                else:
                    guess = np.int64(-1) if searched else np.int64(known_guess(memory, key, begin, size, finished))
                    place(memory, begin, size, n, infinite, left)
                    frame = fields.frames(memory)[0]
                    fields.set_hash(memory)[0] = word
                    if guess == NO_GUESS:
                        waiting[0, IS_SEARCHED] = 1
                        return np.int64(SEARCH)
                    if guess < 0 and size > 2:
                        frame[CHOSEN] = NO_GUESS
                        look(memory, 0)
                        first = fields.candidates(memory)[frame[FIRST]]
                        guess = guess_at(memory, frame[SCAN], first, fields.order(memory)[0])
                        guess = guess if frame[COUNT] else np.int64(NO_GUESS)
            if guess == NO_GUESS or guess < 0:
                return np.int64(NONE)
            _write_node(memory, guess)
        return waiting[0, NODES]

    return unfold
