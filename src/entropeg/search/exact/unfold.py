"""Reading a complete strategy out of the table of a search, node by node."""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.search.exact.clues import add_clues, clue_hash
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import EXACT, NO_GUESS, OPEN, SCANNED, SMALL, UNLIMITED, Int
from entropeg.search.exact.loop import place
from entropeg.search.exact.scan import guess_at

NONE, SEARCH = -1, -2
"""What `unfold` returns beside a number of nodes: no strategy; the set of the first frame is to be searched."""


@inner
def begin_unfolding(memory: Any, n: Int, d: Int) -> None:
    """Put the ``n`` codes at the start of the stack as the one set that waits."""
    memory.waits, memory.written, memory.is_searched = 1, 0, 0
    first = memory.waiting[0]
    first.begin, first.size, first.parent, first.label, first.left = 0, n, -1, -1, d


@inner
def _write_node(memory: Any, guess: Int) -> Any:
    """Write the node of the last set that waits to ``answer``; its parts wait in its place."""
    m, waiting = memory.labels, memory.waiting
    stack, answer, row = memory.stack, memory.answer, memory.by_guess[guess]
    spare, count = memory.rows, memory.second_low
    waits, node = memory.waits - 1, memory.written
    last = waiting[waits]
    begin, size, left = last.begin, last.size, last.left
    answer[node, 0], answer[node, 1], answer[node, 2] = guess, last.parent, last.label
    count[: m + 1] = 0
    for i in range(size):
        spare[i] = stack[begin + i]
        count[row[spare[i]] + 1] += 1
    answer[node, 3] = count[m]
    for e in range(m):
        count[e + 1] += count[e]
    for e in range(m - 2, -1, -1):
        if count[e + 1] > count[e]:
            part = waiting[waits]
            part.begin, part.size, part.parent, part.label = begin + count[e], count[e + 1] - count[e], node, e
            part.left = left if left == UNLIMITED else left - 1
            waits += 1
    for i in range(size):
        e = row[spare[i]]
        stack[begin + count[e]] = spare[i]
        count[e] += 1
    memory.waits, memory.written, memory.is_searched = waits, node + 1, 0


@inner
def _enter_path(memory: Any) -> None:
    """Make the clues of the first frame those of the last set that waits, by the answers that lead there."""
    clues, last, answer = memory.clues, memory.waiting[memory.waits - 1], memory.answer
    row = clues[memory.behind]
    for w in range(row.shape[0]):
        row[w] = clues[0, w]
    node, label = last.parent, last.label
    while node >= 0:
        add_clues(memory, row, answer[node, 0], label)
        label = answer[node, 2]
        node = answer[node, 1]


def unfolding_of(family: Family) -> Any:
    """The kernel that writes strategies, for a family."""
    infinite, look, probe, store = family.infinite, family.look, family.table.probe, family.table.store

    @inner
    def known_guess(memory: Any, key: Int, begin: Int, n: Int, finished: Int) -> Any:
        """The guess of a set by the table, `NO_GUESS` if it has to be found, -1 if it is not to be searched."""
        if n <= 2:
            return np.int64(memory.guess_of_secret[memory.stack[begin]])
        value, guess, known = probe(memory.table, key, n)
        if known == EXACT and guess != NO_GUESS:
            return guess
        if n > SMALL and known != EXACT and not finished:
            return np.int64(-1)
        if known != OPEN:  # the value is known and not the guess: search again from the value as a bound
            store(memory.table, key, n, value, NO_GUESS, SCANNED)
        return np.int64(NO_GUESS)

    @inner
    def unfold(memory: Any, n: Int, opening: Int, finished: Int) -> Any:
        """Write the strategy for ``n`` codes to ``answer``; the number of nodes, `NONE` or `SEARCH`.

        Nodes come in preorder, children by ascending label. `NONE` if no strategy is known that keeps the guesses left.
        ``opening``: the first guess, or `NO_GUESS`. After `SEARCH`, when the set of the first frame was searched, it is
        called again. A guess comes from the table, else from a search, or for large open sets it is that of the least
        expected total. When ``stop[0]`` is set nothing is searched any more, and the most promising guess stands in.
        """
        stack, zobrist = memory.stack, memory.zobrist
        while memory.waits:
            last = memory.waiting[memory.waits - 1]
            begin, size, left = last.begin, last.size, last.left
            if size > memory.capacity[left]:
                return np.int64(NONE)
            guess = np.int64(opening)
            if memory.written or opening == NO_GUESS:
                word = np.uint64(0)
                for i in range(size):
                    word ^= zobrist[stack[begin + i]]
                if memory.hard:
                    _enter_path(memory)
                    word ^= clue_hash(memory, memory.behind)
                key = word ^ memory.zobrist_limit[left if left < size else UNLIMITED]
                searched = memory.is_searched
                if searched and memory.stop[0] == 0:
                    frame = memory.frames[0]
                    guess = frame.chosen if frame.value < infinite else np.int64(NO_GUESS)
                else:
                    guess = np.int64(-1) if searched else np.int64(known_guess(memory, key, begin, size, finished))
                    place(memory, begin, size, n, infinite, left)
                    frame = memory.frames[0]
                    memory.set_hash[0] = word
                    if guess == NO_GUESS:
                        memory.is_searched = 1
                        return np.int64(SEARCH)
                    if guess < 0 and size > 2:
                        frame.chosen = NO_GUESS
                        look(memory, 0)
                        first = memory.candidates[frame.first]
                        guess = guess_at(memory, frame.scan, first, memory.order[0])
                        guess = guess if frame.count else np.int64(NO_GUESS)
            if guess == NO_GUESS or guess < 0:
                return np.int64(NONE)
            _write_node(memory, guess)
        return memory.written

    return unfold
