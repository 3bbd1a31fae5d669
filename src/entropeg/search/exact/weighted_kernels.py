"""The search for the least expected number of guesses under weights: branch and bound as one loop.

``V(S)`` is the least sum of weight times guesses over the codes of ``S``; ``W(S)`` the sum of their weights:

    V(S) = min over guesses g of W(S) + sum over the other labels of V(S_e).

A guess is tried in steps from the cheapest on, and left as soon as its bound reaches the best value of its set: rank
bounds of its parts; what the table knows of them; the heads bound by the own codes of parts of up to m codes; the
bounds by all guesses, from the part that promises most; at last the parts are searched from the smallest on.
`entropeg.search.exact.weighted_scans` has these bounds.

Symmetry: where pegs or colors may be exchanged without changing a weight, of the guesses that the exchanges keeping
the guesses before them in place take into each other one is tried, in the first frames; the least one.

The kernels are compiled as one function.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - kernels are written for the compiler

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import entry_point, inner
from entropeg.kernels.vectors import BLOCK, prefetch
from entropeg.search.exact.fields import fetch_add, fetch_min
from entropeg.search.exact.targets import expect, heed, next_part
from entropeg.search.exact.weighted_desk import (
    BEST,
    BINS,
    CANDIDATES,
    CHOSEN,
    DEEP,
    DEPTHS,
    EXACT,
    FINISHED,
    FLOOR,
    HOPE,
    LOW,
    LOWER,
    MASK,
    MASS,
    OFFSET,
    OPEN,
    PART,
    POS,
    RAISED,
    REST,
    ROUND,
    SEEN,
    SIZE,
    SMALL,
    START,
    STATE,
    STOPPED,
    SYMMETRIC,
    TOP,
    TOTAL,
    TRIED,
    UB,
    Array,
    Board,
    Int,
    N,
    Shared,
    Work,
    bucket,
    enter,
    is_least,
    mixed,
    probe,
    store,
)
from entropeg.search.exact.weighted_scans import INF, heads, members, rank_bound, ranks

SEARCH, LIST, RAISE, STORE, PROBE, ENTER = range(6)
"""Tasks of the entry point."""
OPENINGS = 4
"""Times as many openings are tried where there is no symmetry: every guess is one."""


# ---------------------------------------------------------------- one set, one guess


@inner
def _few(board: Board, n: Int) -> Any:
    """Whether a set is bounded by the heads of parts, which says little where there are few labels."""
    m = board.numbers[2]
    return m <= MASK and n <= min(SMALL, max(5 * m - 10, m))


@inner
def _look(board: Board, work: Work, codes: Array, ub: Int) -> Any:
    """Bound a set by all guesses: (bound, its guess or -1, whether it is attained, W, shift).

    Up to `SMALL` codes ``saved`` is filled, beyond ``low`` and ``score`` are.
    """
    base, stride, m = board.numbers[0], board.numbers[1], board.numbers[2]
    width = board.by_guess.shape[0]
    work.nodes[1] += 1
    if _few(board, codes.shape[0]):
        return heads(
            board.by_guess,
            board.scan,
            base,
            stride,
            width,
            board.guess_of_secret,
            board.weight,
            codes,
            m,
            work.offsets,
            work.quanta,
            work.saved,
            work.tops,
            work.head,
            work.met,
        )
    bound = ranks(
        board.scan,
        base,
        stride,
        width,
        board.guess_of_secret,
        board.weight,
        codes,
        m,
        board.guessed,
        ub,
        work.offsets,
        work.low,
        work.score,
        work.sizes,
        work.whole_sizes,
        work.mass,
        work.folded,
        work.ends,
        work.top,
    )
    return bound, -1, False, np.int64(0), 0


@inner
def _list(work: Work, k: Int, few: Int, whole: Int, shift: Int, ub: Int, allowed: Array) -> Any:
    """Write the guesses of bound below ``ub`` into the candidates of frame k, the most promising first.

    The least bound of the others. Guesses are sorted to one part in `BINS` of the range. allowed: bool[guesses].
    """
    width = work.candidates.shape[1]
    low, score, rank, begin = work.low, work.score, work.rank, work.begin
    rest: Int = INF
    taken = 0
    for left in range(0, width, BLOCK):
        if few and 3 * whole - (np.int64(work.tops[left // BLOCK]) << shift) >= ub:
            rest = min(rest, 3 * whole - (np.int64(work.tops[left // BLOCK]) << shift))
            continue
        for j in range(left, min(left + BLOCK, width)):
            if few:
                low[j] = 3 * whole - (np.int64(work.saved[j]) << shift)
                score[j] = low[j]
            if low[j] >= ub:
                rest = min(rest, low[j])
            elif allowed[j]:
                rank[taken] = j
                taken += 1
    least, most = np.inf, -np.inf
    for i in range(taken):
        least, most = min(least, score[rank[i]]), max(most, score[rank[i]])
    bins = 64
    while bins < min(4 * taken, BINS):
        bins *= 2
    factor = (bins - 1) / (most - least) if most > least else 0.0
    for x in range(bins + 1):
        begin[x] = 0
    for i in range(taken):
        begin[np.int64((score[rank[i]] - least) * factor) + 1] += 1
    for x in range(bins):
        begin[x + 1] += begin[x]
    for i in range(taken):
        j = rank[i]
        cell = np.int64((score[j] - least) * factor)
        work.candidates[k, begin[cell]] = j
        work.lows[k, begin[cell]] = low[j]
        begin[cell] += 1
    work.frames[k, CANDIDATES] = taken
    return rest


@inner
def _split(board: Board, work: Work, k: Int, guess: Int, best: Int) -> Any:
    """Cut the set of frame k by a guess, into its parts at the top of the stack; the rank bound of the guess.

    Only as far as needed where the bound is not below ``best``; `INF` where the guess tells nothing.
    """
    frame, part, hashes = work.frames[k], work.parts[k], work.part_hash[k]
    stack, label, weight, least, zobrist = work.stack, work.label, board.weight, board.least, board.zobrist
    n, offset, m = frame[N], frame[OFFSET], board.numbers[2]
    row = board.by_guess[guess]
    for e in range(m):
        part[e, SIZE] = 0
    total = np.int64(0)
    for i in range(n):
        s = stack[offset + i]
        e = row[s]
        label[i] = e
        w = weight[s]
        total += w if e == m - 1 else w + w * least[part[e, SIZE]]
        part[e, SIZE] += 1
    for e in range(m - 1):
        if part[e, SIZE] == n:
            return INF
    if total >= best:
        return total
    at = frame[TOP]
    for e in range(m):
        part[e, START] = at
        at += part[e, SIZE]
        part[e, SIZE] = 0
        part[e, FLOOR] = 0
        part[e, MASS] = 0
        hashes[e] = 0
    for i in range(n):
        s, e = stack[offset + i], label[i]
        size = part[e, SIZE]
        stack[part[e, START] + size] = s
        part[e, SIZE] = size + 1
        part[e, FLOOR] += weight[s] * least[size]
        part[e, MASS] += weight[s]
        hashes[e] ^= zobrist[s]
    return total


@inner
def _is_new(work: Work, k: Int, m: Int) -> Any:
    """Whether no guess of this visit to frame k made the same parts: what they cost is the same."""
    part, hashes = work.parts[k], work.part_hash[k]
    cut = np.uint64(work.frames[k, ROUND])
    if part[m - 1, SIZE]:
        cut += mixed(hashes[m - 1])
    for e in range(m - 1):
        if part[e, SIZE] > 1:
            cut += mixed(hashes[e] + np.uint64(1))
    cut = mixed(cut)
    place = np.int64(cut >> np.uint64(20)) & (SEEN - 1)
    if work.seen[k, place] == cut:
        return False
    work.seen[k, place] = cut
    return True


@inner
def _quick(board: Board, work: Work, table: Array, k: Int, total: Int, best: Int) -> Any:
    """Bounds of the parts that cost next to nothing; the new bound of the guess."""
    part, hashes, m = work.parts[k], work.part_hash[k], board.numbers[2]
    for e in range(m - 1):
        part[e, STATE] = EXACT if part[e, SIZE] <= 2 else OPEN
        if part[e, SIZE] > 2:
            prefetch(np.int64(table.ctypes.data) + 32 * bucket(table, hashes[e]))
    for e in range(m - 1):
        size = part[e, SIZE]
        if size <= 2:
            continue
        value, part[e, STATE], _ = probe(table, hashes[e])
        if value > part[e, FLOOR]:
            total += value - part[e, FLOOR]
            part[e, FLOOR] = value
            if total >= best:
                return total
    if m > MASK:
        return total
    for e in range(m - 1):
        size = part[e, SIZE]
        if part[e, STATE] != OPEN or size > m:
            continue
        codes = work.stack[part[e, START] : part[e, START] + size]
        value, _, reached = members(
            board.by_guess, codes, board.guess_of_secret, board.weight, part[e, MASS], m, work.head, work.met
        )
        if reached:
            part[e, STATE] = EXACT
        if value > part[e, FLOOR]:
            total += value - part[e, FLOOR]
            part[e, FLOOR] = value
            if total >= best:
                return total
    return total


@inner
def _next_part(board: Board, work: Work, k: Int, slack: Int) -> Any:
    """The part to bound next: the smallest expected to refute the guess, else the one of best gain per code.

    Larger ones come last, smallest first; -1 when none is left.
    """
    part, m = work.parts[k], board.numbers[2]
    chosen, chosen_size, other, ratio, large, large_size = -1, 1 << 40, -1, -1.0, -1, 1 << 40
    for e in range(m - 1):
        size = part[e, SIZE]
        if part[e, STATE] != OPEN:
            continue
        if not _few(board, size):
            if size < large_size:
                large, large_size = e, size
            continue
        mean = part[e, MASS] * work.gain[0, size] / work.gain[1, size]
        if mean >= slack and size < chosen_size:
            chosen, chosen_size = e, size
        if mean / size > ratio:
            ratio, other = mean / size, e
    if chosen >= 0:
        return chosen
    return other if other >= 0 else large


@inner
def _bounded(board: Board, work: Work, table: Array, k: Int, total: Int, best: Int) -> Any:
    """Bounds of the parts still open by all guesses, until the guess is refuted; its new bound."""
    part, gain = work.parts[k], work.gain
    while total < best:
        e = _next_part(board, work, k, best - total)
        if e < 0:
            break
        size = part[e, SIZE]
        bound, guess, reached, _, _ = _look(board, work, work.stack[part[e, START] : part[e, START] + size], 0)
        more = max(0, bound - part[e, FLOOR])
        if _few(board, size):
            gain[0, size] += more / part[e, MASS]
            gain[1, size] += 1.0
        total += more
        part[e, FLOOR] += more
        part[e, STATE] = EXACT if reached else LOWER
        store(table, work.part_hash[k, e], part[e, FLOOR], part[e, STATE], guess if reached else -1, size)
    return total


# ---------------------------------------------------------------- search


@inner
def _first_look(board: Board, work: Work, table: Array, k: Int, allowed: Array, again: Int) -> Any:
    """Enter frame k: whether its value is settled at once. ``LOW`` is then that value (exact if ``CHOSEN`` >= 0)."""
    frame = work.frames[k]
    n, offset, m, ub = frame[N], frame[OFFSET], board.numbers[2], frame[UB]
    codes = work.stack[offset : offset + n]
    frame[CHOSEN], frame[CANDIDATES], frame[POS], frame[TRIED] = -1, 0, -1, 0
    frame[REST], frame[BEST] = INF, ub
    frame[ROUND] += 1
    frame[LOW] = rank_bound(codes, board.weight, board.least)
    if n <= 2:
        frame[CHOSEN] = board.guess_of_secret[codes[0]]
        return True
    value, state, guess = probe(table, work.hashes[k])
    frame[LOW] = max(frame[LOW], value)
    if state == EXACT and not again:
        frame[CHOSEN] = guess
        return True
    if frame[LOW] >= ub:
        return True
    if n <= m <= MASK:
        whole = np.int64(0)
        for i in range(n):
            whole += board.weight[codes[i]]
        value, guess, reached = members(
            board.by_guess, codes, board.guess_of_secret, board.weight, whole, m, work.head, work.met
        )
        frame[LOW] = max(frame[LOW], value)
        if reached:
            frame[CHOSEN] = guess
            return True
    bound, guess, reached, whole, shift = _look(board, work, codes, ub)
    frame[LOW] = max(frame[LOW], bound)
    if reached:
        frame[CHOSEN] = guess
        store(table, work.hashes[k], bound, EXACT, guess, n)
        return True
    frame[REST] = _list(work, k, _few(board, n), whole, shift, ub, allowed)
    return False


@inner
def _search(
    board: Board, work: Work, shared: Shared, allowed: Array, every: Array, depth: Int, breadth: Int, together: Int
) -> Any:
    """Search the set of frame 0, ``depth`` guesses behind it; (FINISHED, STOPPED or DEEP, its value).

    The value is exact where ``CHOSEN`` of frame 0 is a guess, else a lower bound of at least UB. ``breadth``: so many
    guesses at most are tried in every set, 0: all; what is found then is the value of a strategy, and no bound.
    ``together``: several threads search this set and share its candidates and best value. allowed: bool[guesses], to
    try in frame 0; every: all true.
    """
    table, m = shared.table, board.numbers[2]
    symmetric = board.orders.shape[0] > 0
    k, step, value = 0, 0, np.int64(0)
    while True:
        frame = work.frames[k]
        if shared.stop[0]:
            return STOPPED, work.frames[0, LOW]
        if step == 0:
            settled = _first_look(board, work, table, k, allowed if k == 0 else every, k == 0 and together)
            value = frame[LOW]
            if settled and frame[CHOSEN] >= 0:
                frame[BEST] = value
            step = 4 if settled else 1
        elif step == 1:
            if k == 0 and together:
                frame[POS] = fetch_add(shared.next, 0, 1)
                if shared.next[1] < frame[BEST]:
                    frame[BEST], frame[CHOSEN] = shared.next[1], -1
            else:
                frame[POS] += 1
            best = frame[BEST]
            if (
                frame[POS] >= frame[CANDIDATES]
                or frame[LOW] >= best
                or (breadth and frame[TRIED] >= (breadth if k or symmetric else OPENINGS * breadth))
            ):
                step = 3
                continue
            if work.lows[k, frame[POS]] >= best:
                frame[REST] = min(frame[REST], work.lows[k, frame[POS]])
                continue
            guess = work.candidates[k, frame[POS]]
            if symmetric and 0 < depth + k <= SYMMETRIC and not is_least(board, work, depth + k, guess):
                continue
            work.nodes[0] += 1
            total = _split(board, work, k, guess, best)
            if total >= best:
                frame[REST] = min(frame[REST], total)
                continue
            if not _is_new(work, k, m):
                continue
            frame[TRIED] += 1
            total = _quick(board, work, table, k, total, best)
            if best < INF:
                total = _bounded(board, work, table, k, total, best)
            frame[TOTAL] = total
            if total < best:
                part = work.parts[k]
                expect(work.rise, part[:, SIZE], part[:, MASS], part[:, STATE], part[:, HOPE], m - 1)
                if symmetric:
                    enter(board, work, depth + k, guess)
            step = 2
        elif step == 2:
            if k == 0 and together and shared.next[1] < frame[BEST]:
                frame[BEST], frame[CHOSEN] = shared.next[1], -1
            if frame[TOTAL] >= frame[BEST]:
                frame[REST] = min(frame[REST], frame[TOTAL])
                step = 1
                continue
            part = work.parts[k]
            missing = frame[BEST] - frame[TOTAL]
            chosen, asked = next_part(part[:, SIZE], part[:, STATE], part[:, HOPE], m - 1, missing)
            if breadth > 0 or depth + k == 0:
                asked = missing  # small sets after one of many openings come again after others: values serve better
            if chosen < 0:
                frame[BEST] = frame[TOTAL]
                frame[CHOSEN] = work.candidates[k, frame[POS]]
                if k == 0 and together:
                    fetch_min(shared.next, 1, frame[BEST])
                step = 1
                continue
            if k + 1 == DEPTHS:
                return DEEP, work.frames[0, LOW]
            frame[PART] = chosen
            below = work.frames[k + 1]
            below[N], below[OFFSET], below[TOP] = part[chosen, SIZE], part[chosen, START], frame[TOP] + frame[N]
            below[UB] = INF if frame[BEST] >= INF else part[chosen, FLOOR] + asked
            work.hashes[k + 1] = work.part_hash[k, chosen]
            k += 1
            step = 0
        elif step == 3:
            value = frame[BEST] if frame[CHOSEN] >= 0 else max(frame[LOW], min(frame[REST], frame[BEST]))
            if k > 0 or not together:
                state = EXACT if frame[CHOSEN] >= 0 else LOWER
                store(table, work.hashes[k], value, state, frame[CHOSEN], frame[N])
            step = 4
        else:
            if k == 0:
                return FINISHED, value
            k -= 1
            frame = work.frames[k]
            e = frame[PART]
            part = work.parts[k]
            gain = value - part[e, FLOOR]
            is_exact = value < work.frames[k + 1, UB]
            hope = heed(work.rise, part[e, SIZE], part[e, MASS], part[e, STATE], part[e, HOPE], gain, is_exact)
            part[e, HOPE] = np.int64(hope)
            frame[TOTAL] += gain
            part[e, FLOOR] = value
            part[e, STATE] = EXACT if is_exact else RAISED
            step = 2


@inner
def _raise(board: Board, work: Work, table: Array, guess: Int, best: Int) -> Any:
    """Bound the parts of a guess on the set of frame 0, as far as it takes to refute it; the bound of the guess."""
    total = _split(board, work, 0, guess, best)
    if total < best:
        total = _quick(board, work, table, 0, total, best)
    if total < best:
        total = _bounded(board, work, table, 0, total, best)
    return total


@entry_point()
def entry(
    task: Int,
    board: Board,
    work: Work,
    shared: Shared,
    allowed: Array,
    every: Array,
    depth: Int,
    breadth: Int,
    together: Int,
    guess: Int,
    value: Int,
) -> Any:
    """Do a task: the one function through which Python calls the search."""
    if task == SEARCH:
        return _search(board, work, shared, allowed, every, depth, breadth, together)
    if task == LIST:
        settled = _first_look(board, work, shared.table, 0, allowed, 1)
        return np.int64(settled), work.frames[0, LOW]
    if task == RAISE:
        return FINISHED, _raise(board, work, shared.table, guess, value)
    if task == STORE:
        store(shared.table, work.hashes[0], value, EXACT if guess >= 0 else LOWER, guess, work.frames[0, N])
        return FINISHED, value
    if task == ENTER:
        enter(board, work, 0, guess)
        return FINISHED, value
    found, state, known = probe(shared.table, work.hashes[0])
    work.frames[0, CHOSEN] = known
    return state, found
