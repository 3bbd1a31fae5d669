"""The search for the least expected number of guesses under weights: branch and bound as one loop.

``V(S)`` is the least sum of weight times guesses over the codes of ``S``; ``W(S)`` the sum of their weights:

    V(S) = min over guesses g of W(S) + sum over the other labels of V(S_e).

A guess is tried in steps from the cheapest on, and left as soon as its bound reaches the best value of its set: rank
bounds of its parts; what the table knows of them; the heads bound by the own codes of parts of up to m codes; the
bounds by all guesses, from the part that promises most; at last the parts are searched from the smallest on.
`entropeg.search.weighted_scans` has these bounds.

Symmetry: where pegs or colors may be exchanged without changing a weight, of the guesses that the exchanges keeping
the guesses before them in place take into each other one is tried, in the first frames; the least one.

The kernels are compiled as one function; numba's cache looks at one file, so a checksum of all is its key.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - kernels are written for the compiler

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from entropeg.kernels._inner import inner
from entropeg.kernels._jit import keep_apart
from entropeg.search.desk import fetch_add, fetch_min
from entropeg.search.lanes import BLOCK, prefetch
from entropeg.search.weighted_scans import INF, heads, members, rank_bound, ranks

Array = Any
Int = Any

DEPTHS = 256
MASK = 32
"""As many labels have a bit in the vectors of the heads bound."""
SMALL = 60
"""Sets of at most so many codes are bounded by the heads of parts, larger ones by ranks."""
SYMMETRIC = 5
"""Symmetry is looked for behind at most so many guesses."""
SEEN = 1 << 12
BUCKET = 4
BINS = 4096
N, OFFSET, POS, CHOSEN, CANDIDATES, TOP, PART, UB, BEST, LOW, REST, TOTAL, TRIED, ROUND, FRAME = range(15)
"""The numbers of a frame, and how many they are."""
SIZE, START, STATE, FLOOR, MASS, PART_NUMBERS = range(6)
"""The numbers of a part; FLOOR is its lower bound."""
STOPPED, FINISHED, DEEP = range(3)
OPEN, LOWER, EXACT = range(3)
SEARCH, LIST, RAISE, STORE, PROBE, ENTER = range(6)
"""Tasks of the entry point."""
SOURCES = ("desk", "lanes", "weighted_lanes", "weighted_scans", "weighted_kernels", "../kernels/_inner")


class Board(NamedTuple):
    """What all threads read."""

    by_guess: Any
    """uint8[guesses, secrets]: labels, the winning one the last."""
    scan: Any
    """uint8: label of secret s and guess j at base + s * stride + j."""
    guess_of_secret: Any
    """int32[secrets]: -1 where a secret is no legal guess."""
    digits: Any
    """uint8[guesses, pegs]."""
    orders: Any
    """int64[orders, pegs]: the orders of the pegs that change no weight, none where symmetry is not looked for."""
    kind: Any
    """int64[symbols]: colors of the same kind may change places without changing a weight."""
    weight: Any
    """int64[secrets]."""
    least: Any
    """int64[secrets + 1]: fewest guesses by rank."""
    guessed: Any
    """float64[secrets + 1]: guessed number of guesses for a code of a part of that size, for ordering only."""
    zobrist: Any
    """uint64[secrets]."""
    numbers: Any
    """int64[3]: base, stride, labels."""


class Work(NamedTuple):
    """The memory of one thread."""

    stack: Any
    """int32: sets of secrets; that of frame 0 at the start."""
    frames: Any
    """int64[DEPTHS, FRAME]."""
    hashes: Any
    """uint64[DEPTHS]."""
    candidates: Any
    """int32[DEPTHS, guesses]: guesses to try, in order."""
    lows: Any
    """int64[DEPTHS, guesses]: their lower bounds."""
    parts: Any
    """int64[DEPTHS, m, PART_NUMBERS]: those of the guess under study."""
    part_hash: Any
    """uint64[DEPTHS, m]."""
    seen: Any
    """uint64[DEPTHS, SEEN]: partitions met."""
    group_size: Any
    """int64[SYMMETRIC + 1]: exchanges that keep so many guesses in place."""
    group_order: Any
    """int32[SYMMETRIC + 1, orders]: order of the pegs of each."""
    group_name: Any
    """int16[SYMMETRIC + 1, orders, symbols]: new name of each color, -1 where it is free."""
    names: Any
    """int16[2, symbols]: scratch, as the rest."""
    low: Any
    score: Any
    saved: Any
    tops: Any
    rank: Any
    begin: Any
    offsets: Any
    quanta: Any
    label: Any
    sizes: Any
    whole_sizes: Any
    mass: Any
    folded: Any
    levels: Any
    top: Any
    head: Any
    met: Any
    gain: Any
    """float64[2, SMALL + 1]: sum and number of the gains of the bound by all guesses, in weights of the part."""
    nodes: Any
    """int64[2]: guesses tried, sets looked at with all guesses."""


class Shared(NamedTuple):
    """What threads share."""

    table: Any
    """uint64[cells, 4]: key ^ data ^ other, data (value and state), other (guess and size), nothing."""
    next: Any
    """int64[2]: next candidate of frame 0, best value."""
    stop: Any
    """int64[1]."""


# ---------------------------------------------------------------- table


@inner
def _mixed(word: Int) -> Any:
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x7FB5D329728EA185)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x81DADEF4BC2DD44D)
    return word ^ (word >> np.uint64(33))


@inner
def _bucket(table: Array, key: Int) -> Any:
    return np.int64((key >> np.uint64(11)) & np.uint64(table.shape[0] // BUCKET - 1)) * BUCKET


@inner
def _probe(table: Array, key: Int) -> Any:
    """(value, state, guess) of a set; state `OPEN` where the table does not have it."""
    at = _bucket(table, key)
    for i in range(at, at + BUCKET):
        data, other = table[i, 1], table[i, 2]
        if table[i, 0] ^ data ^ other == key and data != 0:
            return np.int64(data >> np.uint64(2)), np.int64(data & np.uint64(3)), np.int64(other >> np.uint64(32)) - 1
    return np.int64(0), np.int64(OPEN), np.int64(-1)


@inner
def _store(table: Array, key: Int, value: Int, state: Int, guess: Int, n: Int) -> Any:
    """Keep a value, in place of the entry of the same set or of the smallest set of the bucket."""
    at = _bucket(table, key)
    place, smallest = at, np.int64(1) << 40
    for i in range(at, at + BUCKET):
        data, other = table[i, 1], table[i, 2]
        if table[i, 0] ^ data ^ other == key and data != 0:
            if np.int64(data & np.uint64(3)) == EXACT and state != EXACT:
                return
            place = i
            break
        size = np.int64(other & np.uint64(0xFFFFFFFF))
        if size < smallest:
            place, smallest = i, size
    data = (np.uint64(value) << np.uint64(2)) | np.uint64(state)
    other = (np.uint64(guess + 1) << np.uint64(32)) | np.uint64(n)
    table[place, 0] = key ^ data ^ other
    table[place, 1] = data
    table[place, 2] = other


# ---------------------------------------------------------------- symmetry


@inner
def _enter(board: Board, work: Work, depth: Int, guess: Int) -> Any:
    """Keep of the exchanges at ``depth`` those that keep a guess in place, at ``depth + 1``."""
    if depth + 1 > SYMMETRIC:
        return
    digits = board.digits[guess]
    used = work.names[1]
    kept = 0
    for i in range(work.group_size[depth]):
        order, before = board.orders[work.group_order[depth, i]], work.group_name[depth, i]
        name = work.group_name[depth + 1, kept]
        for c in range(name.shape[0]):
            used[c] = 0
        for c in range(name.shape[0]):
            name[c] = before[c]
            if name[c] >= 0:
                used[name[c]] = 1
        fits = True
        for q in range(digits.shape[0]):
            old, new = digits[order[q]], digits[q]
            if name[old] == new:
                continue
            if name[old] >= 0 or used[new] or board.kind[old] != board.kind[new]:
                fits = False
                break
            name[old] = new
            used[new] = 1
        if fits:
            work.group_order[depth + 1, kept] = work.group_order[depth, i]
            kept += 1
    work.group_size[depth + 1] = kept


@inner
def _is_least(board: Board, work: Work, depth: Int, guess: Int) -> Any:
    """Tell whether no exchange that keeps ``depth`` guesses in place makes a guess come earlier.

    Colors that no guess before has are free: they take the free names of their kind in order.
    """
    digits = board.digits[guess]
    name, used = work.names[0], work.names[1]
    for i in range(work.group_size[depth]):
        order, before = board.orders[work.group_order[depth, i]], work.group_name[depth, i]
        for c in range(name.shape[0]):
            used[c] = 0
        for c in range(name.shape[0]):
            name[c] = before[c]
            if name[c] >= 0:
                used[name[c]] = 1
        for q in range(digits.shape[0]):
            c = digits[order[q]]
            if name[c] < 0:
                free = 0
                while used[free] or board.kind[free] != board.kind[c]:
                    free += 1
                name[c] = free
                used[free] = 1
            if name[c] < digits[q]:
                return False
            if name[c] > digits[q]:
                break
    return True


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
        work.levels,
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
        cut += _mixed(hashes[m - 1])
    for e in range(m - 1):
        if part[e, SIZE] > 1:
            cut += _mixed(hashes[e] + np.uint64(1))
    cut = _mixed(cut)
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
            prefetch(np.int64(table.ctypes.data) + 32 * _bucket(table, hashes[e]))
    for e in range(m - 1):
        size = part[e, SIZE]
        if size <= 2:
            continue
        value, state, _ = _probe(table, hashes[e])
        if state == OPEN and size <= m and m <= MASK:
            codes = work.stack[part[e, START] : part[e, START] + size]
            value, _, reached = members(
                board.by_guess, codes, board.guess_of_secret, board.weight, part[e, MASS], m, work.head, work.met
            )
            state = EXACT if reached else OPEN
        part[e, STATE] = state
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
        _store(table, work.part_hash[k, e], part[e, FLOOR], part[e, STATE], guess if reached else -1, size)
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
    value, state, guess = _probe(table, work.hashes[k])
    frame[LOW] = max(frame[LOW], value)
    if state == EXACT and not again:
        frame[CHOSEN] = guess
        return True
    if frame[LOW] >= ub:
        return True
    if n <= m and m <= MASK:
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
        _store(table, work.hashes[k], bound, EXACT, guess, n)
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
            if frame[POS] >= frame[CANDIDATES] or frame[LOW] >= best or (breadth and frame[TRIED] >= breadth):
                step = 3
                continue
            if work.lows[k, frame[POS]] >= best:
                frame[REST] = min(frame[REST], work.lows[k, frame[POS]])
                continue
            guess = work.candidates[k, frame[POS]]
            if symmetric and 0 < depth + k <= SYMMETRIC and not _is_least(board, work, depth + k, guess):
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
            if total < best and symmetric:
                _enter(board, work, depth + k, guess)
            step = 2
        elif step == 2:
            if k == 0 and together and shared.next[1] < frame[BEST]:
                frame[BEST], frame[CHOSEN] = shared.next[1], -1
            if frame[TOTAL] >= frame[BEST]:
                frame[REST] = min(frame[REST], frame[TOTAL])
                step = 1
                continue
            part = work.parts[k]
            chosen, size = -1, np.int64(1) << 40
            for e in range(m - 1):
                if part[e, STATE] != EXACT and part[e, SIZE] < size and part[e, SIZE] > 2:
                    chosen, size = e, part[e, SIZE]
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
            below[N], below[OFFSET], below[TOP] = size, part[chosen, START], frame[TOP] + frame[N]
            below[UB] = part[chosen, FLOOR] + frame[BEST] - frame[TOTAL]
            if frame[BEST] >= INF:
                below[UB] = INF
            work.hashes[k + 1] = work.part_hash[k, chosen]
            k += 1
            step = 0
        elif step == 3:
            if frame[CHOSEN] >= 0:
                value = frame[BEST]
            else:
                value = max(frame[LOW], min(frame[REST], frame[BEST]))
            if k > 0 or not together:
                state = EXACT if frame[CHOSEN] >= 0 else LOWER
                _store(table, work.hashes[k], value, state, frame[CHOSEN], frame[N])
            step = 4
        else:
            if k == 0:
                return FINISHED, value
            k -= 1
            frame = work.frames[k]
            e = frame[PART]
            frame[TOTAL] += value - work.parts[k, e, FLOOR]
            work.parts[k, e, FLOOR] = value
            work.parts[k, e, STATE] = EXACT
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


def _stamp() -> int:
    """Number that changes with any source of the kernels."""
    folder = Path(__file__).parent
    return zlib.crc32(b"".join((folder / f"{name}.py").read_bytes() for name in SOURCES))


def _compile(stamp: int) -> Any:
    """Make the one compiled entry point; the cache keeps it by the constant `stamp`."""

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
        if task == SEARCH or stamp < 0:
            return _search(board, work, shared, allowed, every, depth, breadth, together)
        if task == LIST:
            settled = _first_look(board, work, shared.table, 0, allowed, 1)
            return np.int64(settled), work.frames[0, LOW]
        if task == RAISE:
            return FINISHED, _raise(board, work, shared.table, guess, value)
        if task == STORE:
            _store(shared.table, work.hashes[0], value, EXACT, guess, work.frames[0, N])
            return FINISHED, value
        if task == ENTER:
            _enter(board, work, 0, guess)
            return FINISHED, value
        found, state, known = _probe(shared.table, work.hashes[0])
        work.frames[0, CHOSEN] = known
        return state, found

    return keep_apart(njit(cache=True, nogil=True, _nrt=False, error_model="numpy")(entry))


@cache
def compiled() -> Any:
    """The entry point: compiled, or loaded, at the first call."""
    return _compile(_stamp())
