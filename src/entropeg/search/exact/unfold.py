"""Reading a complete strategy out of the table of a search, node by node."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_inner
from entropeg.search.exact import desk as views
from entropeg.search.exact.desk import (
    EXACT,
    INF,
    LABELS,
    NO_GUESS,
    SCANNED,
    SMALL,
    SYMBOLS,
    SYMMETRIC,
    UNLIMITED,
    Array,
    Int,
    call_entry,
)
from entropeg.search.exact.entries import probe, store
from entropeg.search.exact.scans import candidates, guess_at


@allocating_inner
def _play(desk: Array, begin: Int, n: Int, top: Int, d: Int, finished: Int, solve: Int) -> Any:
    """The guess of a set: by the table, else after a search, or for large open sets the least expected total.

    When ``stop[0]`` is set nothing is searched any more: the guess of most parts then stands for the best.
    """
    stack, zobrist, table = views.stack(desk), views.zobrist(desk), views.table(desk)
    if n <= 2:
        return np.int64(views.guess_of_secret(desk)[stack[begin]])
    mixed = np.uint64(0)
    for i in range(n):
        mixed ^= zobrist[stack[begin + i]]
    key = mixed ^ views.zobrist_limit(desk)[d if d < n else UNLIMITED]
    found = probe(table, key, n)
    exact = found >= 0 and found & 3 == EXACT
    if exact and (found >> 2) & NO_GUESS != NO_GUESS:
        return (found >> 2) & NO_GUESS
    if n <= SMALL or exact or finished:
        if found >= 0:  # the value is known and not the guess: search again from the value as a bound
            store(table, key, n, found >> 22, NO_GUESS, SCANNED)
        value = call_entry(desk, solve, begin, n, top, INF, d, SYMMETRIC + 1, mixed)
        if views.stop(desk)[0] == 0:
            return (probe(table, key, n) >> 2) & NO_GUESS if value < INF else np.int64(NO_GUESS)
    order = np.empty(desk[SYMBOLS], np.int64)
    columns, _, _, _, k, _, _ = candidates(desk, begin, n, INF, d, order)
    return guess_at(desk, k, columns[0], order) if columns.shape[0] else np.int64(NO_GUESS)


@allocating_inner
def unfold(desk: Array, n: Int, d: Int, opening: Int, finished: Int, solve: Int) -> Any:
    """Write the strategy for the ``n`` codes at the start of the stack to ``answer``; the number of nodes.

    Nodes come in preorder, children by ascending label. -1 if no strategy is known that keeps ``d`` guesses.
    ``opening``: the first guess, or `NO_GUESS`. ``solve``: the task of the entry point that searches.
    """
    m = desk[LABELS]
    stack, answer, by_guess = views.stack(desk), views.answer(desk), views.by_guess(desk)
    waiting = np.empty((n + 1, 5), np.int64)  # where the set begins, its size, parent, label, guesses left
    spare = np.empty(n, np.int32)
    count = np.empty(m + 1, np.int64)
    waiting[0, 0], waiting[0, 1], waiting[0, 2], waiting[0, 3], waiting[0, 4] = 0, n, -1, -1, d
    waits, nodes = 1, 0
    while waits:
        waits -= 1
        begin, size, left = waiting[waits, 0], waiting[waits, 1], waiting[waits, 4]
        if size > views.capacity(desk)[left]:
            return np.int64(-1)
        guess = np.int64(opening)
        if nodes or opening == NO_GUESS:
            guess = np.int64(_play(desk, begin, size, n, left, finished, solve))
        if guess == NO_GUESS or guess < 0:
            return np.int64(-1)
        answer[nodes, 0], answer[nodes, 1], answer[nodes, 2] = guess, waiting[waits, 2], waiting[waits, 3]
        row = by_guess[guess]
        count[:] = 0
        for i in range(size):
            spare[i] = stack[begin + i]
            count[row[spare[i]] + 1] += 1
        answer[nodes, 3] = count[m]
        for e in range(m):
            count[e + 1] += count[e]
        for e in range(m - 2, -1, -1):
            if count[e + 1] > count[e]:
                waiting[waits, 0], waiting[waits, 1] = begin + count[e], count[e + 1] - count[e]
                waiting[waits, 2], waiting[waits, 3] = nodes, e
                waiting[waits, 4] = left if left == UNLIMITED else left - 1
                waits += 1
        for i in range(size):
            e = row[spare[i]]
            stack[begin + count[e]] = spare[i]
            count[e] += 1
        nodes += 1
    return np.int64(nodes)
