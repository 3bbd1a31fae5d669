"""The exact search over array data: branch and bound on sets of candidates.

Notation: ``n`` codes are left; a guess cuts them into at most ``m`` parts by label, the winning label
included; ``T(S)`` is the least total number of guesses over the codes of ``S``, so::

    T(S) = min over guesses g of |S| + sum over the other labels of T(S_e),    T(one code) = 1.

With ``d`` guesses left ``T(S, d)`` is the least total of the strategies that need no more than ``d``, and
``INF`` if there is none. Every function says whether it returns an exact value or a bound.

The kernels are compiled together, as one function that takes a task and numbers. The functions at the end are that
function under readable names.
"""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0915, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import allocating_inner, callback
from entropeg.kernels.compile.parts import carray
from entropeg.search.exact import desk as views
from entropeg.search.exact.aims import expect, heed, next_part
from entropeg.search.exact.desk import (
    CALL,
    DEEP,
    DESK,
    EXACT,
    GUESS_BITS,
    INF,
    LABELS,
    NO_GUESS,
    RAISED,
    SCANNED,
    SMALL,
    SYMBOLS,
    SYMMETRIC,
    UNLIMITED,
    Array,
    Int,
    call_entry,
    fetch_add,
    fetch_min,
)
from entropeg.search.exact.entries import probe as _probe
from entropeg.search.exact.entries import store as _store
from entropeg.search.exact.passes import ahead, among, bounded, quick, split
from entropeg.search.exact.scans import candidates, few, guess_at
from entropeg.search.exact.scans import part_bound as _part_bound
from entropeg.search.exact.scans import size_bound as _size_bound
from entropeg.search.exact.symmetry import class_key, name_tokens, seen
from entropeg.search.exact.symmetry import enter as _enter
from entropeg.search.exact.symmetry import mixed as _mixed
from entropeg.search.exact.unfold import unfold as _unfold

SOLVE, TOGETHER, OPENINGS, OPEN, BOUND, PROBE, STORE, ENTER, UNFOLD, ORDER, LOWER = range(11)
"""Tasks of the entry point."""


@allocating_inner
def _solve(desk: Array, offset: Int, n: Int, top: Int, ub: Int, d: Int, depth: Int, mixed: Int, together: Int) -> Any:
    """T(S, d) of the ``n`` codes at ``offset`` of the stack: exact if it is < ``ub``, else a lower bound >= ``ub``.

    The stack is free from ``top`` on. ``mixed`` is the XOR of the codes' Zobrist words, ``depth`` the
    number of guesses made since the root.
    ``together``: several threads search this very set, or this is a share of it; they have in common (next candidate;
    best value << GUESS_BITS | guess; candidate to stop at; whether the set was found to cost no less than the best
    value). Then nothing below the value returned was found among the candidates taken. When ``stop[0]`` is set, by
    others or because the work space has no row for ``depth``, what is returned is a lower bound only.
    """
    if n <= 2:
        if n > views.capacity(desk)[d]:
            return INF
        return 2 * n - 1 if n else 0
    if n > views.capacity(desk)[d]:
        return INF
    if d >= n:
        d = UNLIMITED  # a useful guess leaves smaller parts only: n codes never need more than n guesses
    key = mixed ^ views.zobrist_limit(desk)[d]
    m = desk[LABELS]
    low = _size_bound(n, m - 1, m - 1)
    shared, stop, table = views.shared(desk), views.stop(desk), views.table(desk)
    found = _probe(table, key, n)
    if found >= 0:
        if found & 3 == EXACT and not together:
            return found >> 22
        low = max(low, found >> 22)
    if low >= ub or stop[0] != 0:
        return low
    if depth >= views.count(desk).shape[0]:
        stop[0] = DEEP
        return low
    views.nodes(desk)[0] += 1
    after = d if d == UNLIMITED else d - 1
    order = np.empty(desk[SYMBOLS], np.int64)
    columns, bounds, bound, rest, k, own, other = candidates(desk, offset, n, ub, d, order)
    low = max(low, bound)
    if low >= ub:
        _store(table, key, n, low, NO_GUESS, SCANNED)
        return low
    offsets = views.offsets(desk)[:n].copy()
    bits_among = among(desk, offset, n)
    spots = np.empty(n, np.int32)
    symmetric = depth <= SYMMETRIC
    if symmetric:
        name_tokens(desk, depth, offset, n)
    cells = 16
    while cells < 2 * columns.shape[0] + 2:
        cells *= 2
    classes = np.zeros(cells if symmetric else 1, np.uint64)
    cuts = np.zeros(cells if n <= SMALL else 1, np.uint64)
    count, start = views.count(desk)[depth], views.start(desk)[depth]
    lows, state, hashes = views.low(desk)[depth], views.state(desk)[depth], views.hashes(desk)[depth]
    rise, hopes = views.rise(desk), views.hope(desk)[depth]
    best, chosen = ub, -1
    at = -1
    taken = 0
    while True:
        at = fetch_add(shared, 0, 1) if together else at + 1
        if at >= columns.shape[0] or (together and at >= shared[2]):
            break
        if together:
            best = min(best, shared[1] >> GUESS_BITS)
        if low >= best or stop[0] != 0:
            if together:
                shared[3] = 1
            break
        if bounds[at] >= best:
            rest = min(rest, np.int64(bounds[at]))
            if few(desk, n):
                break
            continue
        if together:  # the classes of the guesses that other threads took
            while taken < at:
                if bounds[taken] < best:
                    seen(classes, np.uint64(class_key(desk, depth, guess_at(desk, k, columns[taken], order)) + 1))
                taken += 1
            taken = at + 1
        guess = guess_at(desk, k, columns[at], order)
        if symmetric and seen(classes, np.uint64(class_key(desk, depth, guess) + 1)):
            continue
        views.nodes(desk)[1] += 1
        total = split(desk, offset, n, top, np.int64(columns[at]), depth, best, own, other, offsets, spots)
        if at + 1 < columns.shape[0]:
            ahead(desk, offsets, n, columns[at + 1])
        if total >= best:
            rest = min(rest, total)
            continue
        if n <= SMALL:
            # Two guesses that leave the same parts of two codes and more, both or neither possible, cost the same.
            cut = np.uint64(count[m - 1])
            for e in range(m - 1):
                if count[e] > 1:
                    cut += _mixed(hashes[e])
            if seen(cuts, cut):
                continue
        total = quick(desk, depth, total, best, after, n, top, own, other, bits_among, spots)
        if total < best:
            total = bounded(desk, depth, total, best, after)
        if total < best:
            _enter(desk, depth, guess)
            expect(rise, count, count, state, hopes, m - 1)
            while total < best:
                if together:
                    best = min(best, shared[1] >> GUESS_BITS)
                    if total >= best:
                        break
                e, asked = next_part(count, state, hopes, m - 1, best - total)
                if e < 0:
                    break
                aim = lows[e] + asked
                value = call_entry(desk, SOLVE, start[e], count[e], top + n, aim, after, depth + 1, hashes[e])
                if stop[0] != 0:
                    return low
                gain = value - lows[e]
                is_exact = gain < asked
                if value < INF:
                    hopes[e] = heed(rise, count[e], count[e], state[e], hopes[e], gain, is_exact)
                total += gain
                lows[e] = value
                state[e] = EXACT if is_exact else RAISED
        if total < best:
            best, chosen = total, guess
            if together:
                fetch_min(shared, 1, (best << GUESS_BITS) | guess)
            if best == low:
                break
        else:
            rest = min(rest, total)
    if stop[0] != 0:
        return low
    if together:
        return min(best, shared[1] >> GUESS_BITS)
    if chosen >= 0:
        _store(table, key, n, best, chosen, EXACT)
        return best
    low = min(max(low, rest), INF)
    _store(table, key, n, low, NO_GUESS, SCANNED)
    return low


@allocating_inner
def _openings(desk: Array, offset: Int, n: Int, ub: Int, d: Int) -> Any:
    """Write (guess, bound) of one guess of every class that the root's symmetry tells apart to ``answer``.

    Then the bound of the rest. The number of classes.
    """
    order = np.empty(desk[SYMBOLS], np.int64)
    columns, bounds, _, rest, k, _, _ = candidates(desk, offset, n, ub, d, order)
    name_tokens(desk, 0, offset, n)
    cells = 16
    while cells < 2 * columns.shape[0] + 2:
        cells *= 2
    classes = np.zeros(cells, np.uint64)
    answer = views.answer(desk)
    kept = 0
    for i in range(columns.shape[0]):
        guess = guess_at(desk, k, columns[i], order)
        if not seen(classes, np.uint64(class_key(desk, 0, guess) + 1)):
            answer[kept, 0] = guess
            answer[kept, 1] = bounds[i]
            kept += 1
    answer[kept, 0] = rest
    return kept


@allocating_inner
def _order(desk: Array, offset: Int, n: Int, d: Int) -> Any:
    """Write (candidate, bound) to ``answer``, in the order in which `_solve` without a bound takes them; how many."""
    columns, bounds, _, _, _, _, _ = candidates(desk, offset, n, INF, d, np.empty(desk[SYMBOLS], np.int64))
    answer = views.answer(desk)
    for i in range(columns.shape[0]):
        answer[i, 0], answer[i, 1] = columns[i], bounds[i]
    return columns.shape[0]


@allocating_inner
def _open_parts(desk: Array, offset: Int, n: Int, guess: Int, best: Int, d: Int) -> Any:
    """Cut the root by an opening and bound its parts, into the arrays of depth 0; the bound of the opening."""
    full = views.width(desk).shape[0] - 1
    base, stride, stack = views.base(desk)[full], views.stride(desk)[full], views.stack(desk)
    offsets, m = np.empty(n, np.int64), desk[LABELS]
    for i in range(n):
        offsets[i] = base + stack[offset + i] * stride
    spots = np.empty(n, np.int32)
    total = split(desk, offset, n, offset + n, guess, 0, best, m - 1, m - 1, offsets, spots)
    if total < best:
        total = quick(desk, 0, total, best, d, n, offset + n, m - 1, m - 1, among(desk, offset, n), spots)
    if total < best:
        total = bounded(desk, 0, total, best, d)
    _enter(desk, 0, guess)
    return total


@callback(CALL)
def entry(address: Array, task: Int, offset: Int, n: Int, top: Int, ub: Int, d: Int, depth: Int, mixed: Int) -> Any:
    """Do a task: the one function through which the search is called, from Python and by itself."""
    desk = carray(address, DESK)
    if task <= TOGETHER:
        return np.int64(_solve(desk, offset, n, top, ub, d, depth, mixed, task))
    if task == OPENINGS:
        return np.int64(_openings(desk, offset, n, ub, d))
    if task == OPEN:
        return np.int64(_open_parts(desk, offset, n, top, ub, d))
    if task == BOUND:
        bound, exact = _part_bound(desk, offset, n, d)
        views.answer(desk)[0, 0] = exact
        return np.int64(bound)
    if task == PROBE:
        return np.int64(_probe(views.table(desk), mixed, n))
    if task == STORE:
        _store(views.table(desk), mixed, n, ub, top, d)
    elif task == ENTER:
        _enter(desk, depth, top)
    elif task == UNFOLD:
        return np.int64(_unfold(desk, n, d, top, ub, SOLVE))
    elif task == ORDER:
        return np.int64(_order(desk, offset, n, d))
    elif task == LOWER:
        return np.int64(fetch_min(views.shared(desk), 1, ub))
    return np.int64(0)


def _call(desk: Any, task: int, *numbers: int) -> int:
    """Do a task without the interpreter lock."""
    call = entry.ctypes
    address = desk.ctypes.data_as(call.argtypes[0])
    return int(call(address, task, *(int(number) for number in numbers)))


def size_bound(n: int, own: int, other: int) -> int:
    """Least total of any set of ``n`` codes where guesses leave so many parts at most: see `scans.size_bound`."""
    return int(_size_bound.py_func(n, own, other))


def solve(desk: Any, offset: int, n: int, top: int, ub: int, d: int, depth: int, mixed: int, *, together: bool) -> int:
    """Least total of a set if it is below ``ub``, else a lower bound: see `_solve`."""
    return _call(desk, TOGETHER if together else SOLVE, offset, n, top, ub, d, depth, mixed)


def openings(desk: Any, answer: Any, n: int, d: int) -> tuple[Any, int]:
    """(one guess of every class and its bound, int64[classes, 2]; bound of the rest) for the set on the stack."""
    classes = _call(desk, OPENINGS, 0, n, 0, INF, d, 0, 0)
    return answer[:classes, :2].copy(), int(answer[classes, 0])


def open_parts(desk: Any, n: int, guess: int, best: int, d: int) -> int:
    """Cut the set on the stack by an opening and bound its parts, into the arrays of depth 0; the opening's bound."""
    return _call(desk, OPEN, 0, n, guess, best, d, 0, 0)


def part_bound(desk: Any, answer: Any, n: int, d: int) -> tuple[int, bool]:
    """(bound, whether it is the exact value) for the set of 3 or more codes on the stack."""
    bound = _call(desk, BOUND, 0, n, 0, 0, d, 0, 0)
    return bound, bool(answer[0, 0])


def order(desk: Any, answer: Any, n: int, d: int) -> Any:
    """(candidate, bound) for the set on the stack, in the order in which `solve` without a bound takes them."""
    found = _call(desk, ORDER, 0, n, 0, 0, d, 0, 0)
    return answer[:found, :2].copy()


def lower(desk: Any, word: int) -> None:
    """Tell a thread that searches together what is better than the best value that it knows: see `_solve`."""
    _call(desk, LOWER, 0, 0, 0, word, 0, 0, 0)


def probe(desk: Any, key: int, n: int) -> int:
    """The entry of a set: value << 22 | guess << 2 | state, or -1."""
    return _call(desk, PROBE, 0, n, 0, 0, 0, 0, key)


def store(desk: Any, key: int, n: int, value: int, guess: int, state: int) -> None:
    """Keep the value of a set."""
    _call(desk, STORE, 0, n, guess, value, state, 0, key)


def enter(desk: Any, depth: int, guess: int) -> None:
    """Extend the history of ``depth`` guesses by one."""
    _call(desk, ENTER, 0, 0, guess, 0, 0, depth, 0)


def unfold(desk: Any, answer: Any, n: int, d: int, opening: int, *, finished: bool) -> Any:
    """Nodes of a strategy for the set on the stack: (guess, parent, label, wins) each; None if none keeps ``d``."""
    nodes = _call(desk, UNFOLD, 0, n, opening, int(finished), d, 0, 0)
    return None if nodes < 0 else answer[:nodes].copy()
