"""What the kernels of the weighted search share: their arrays by name, the table of sets, and symmetry."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import inner

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
SIZE, START, STATE, FLOOR, MASS, HOPE, PART_NUMBERS = range(7)
"""The numbers of a part; FLOOR is its lower bound, HOPE what a search is expected to add to it."""
STOPPED, FINISHED, DEEP = range(3)
OPEN, LOWER, EXACT, RAISED = range(4)


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
    """uint32: sets of secrets; that of frame 0 at the start. Unsigned, as compiled code looks for negative indexes."""
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
    ends: Any
    top: Any
    head: Any
    met: Any
    gain: Any
    """float64[2, SMALL + 1]: sum and number of the gains of the bound by all guesses, in weights of the part."""
    rise: Any
    """float64[2, RISES]: what searches add to the bounds of parts, see `search.exact.aims`."""
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
def mixed(word: Int) -> Any:
    """A word of which every bit depends on all bits of another: a sum of them stands for a multiset."""
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x7FB5D329728EA185)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x81DADEF4BC2DD44D)
    return word ^ (word >> np.uint64(33))


@inner
def bucket(table: Array, key: Int) -> Any:
    """First of the cells that may hold a set."""
    return np.int64((key >> np.uint64(11)) & np.uint64(table.shape[0] // BUCKET - 1)) * BUCKET


@inner
def probe(table: Array, key: Int) -> Any:
    """(value, state, guess) of a set; state `OPEN` where the table does not have it."""
    at = bucket(table, key)
    for i in range(at, at + BUCKET):
        data, other = table[i, 1], table[i, 2]
        if table[i, 0] ^ data ^ other == key and data != 0:
            return np.int64(data >> np.uint64(2)), np.int64(data & np.uint64(3)), np.int64(other >> np.uint64(32)) - 1
    return np.int64(0), np.int64(OPEN), np.int64(-1)


@inner
def store(table: Array, key: Int, value: Int, state: Int, guess: Int, n: Int) -> Any:
    """Keep a value, in place of the entry of the same set or of the smallest set of the bucket."""
    at = bucket(table, key)
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
def _take_over(before: Array, name: Array, used: Array) -> Any:
    """Begin with the names that colors have (-1: none yet) and mark them in ``used``."""
    for c in range(name.shape[0]):
        used[c] = 0
    for c in range(name.shape[0]):
        name[c] = before[c]
        if name[c] >= 0:
            used[name[c]] = 1


@inner
def enter(board: Board, work: Work, depth: Int, guess: Int) -> Any:
    """Keep of the exchanges at ``depth`` those that keep a guess in place, at ``depth + 1``."""
    if depth + 1 > SYMMETRIC:
        return
    digits = board.digits[guess]
    used = work.names[1]
    kept = 0
    for i in range(work.group_size[depth]):
        order, before = board.orders[work.group_order[depth, i]], work.group_name[depth, i]
        name = work.group_name[depth + 1, kept]
        _take_over(before, name, used)
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
def is_least(board: Board, work: Work, depth: Int, guess: Int) -> Any:
    """Tell whether no exchange that keeps ``depth`` guesses in place makes a guess come earlier.

    Colors that no guess before has are free: they take the free names of their kind in order.
    """
    digits = board.digits[guess]
    name, used = work.names[0], work.names[1]
    for i in range(work.group_size[depth]):
        order, before = board.orders[work.group_order[depth, i]], work.group_name[depth, i]
        _take_over(before, name, used)
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
