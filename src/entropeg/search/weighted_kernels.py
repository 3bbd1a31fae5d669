"""The search for the least expected number of guesses under weights: branch and bound as one loop that can pause.

``V(S)`` is the least sum of weight times guesses over the codes of ``S``; ``W(S)`` the sum of their weights:

    V(S) = min over guesses g of W(S) + sum over the other labels of V(S_e).

Rank bound: of the codes of a set at most 1 is found by the first guess, m - 1 more by the second, (m - 1)**2 by the
third. At best the heaviest are found first: with the codes in descending order of weight, V(S) >= sum of weight
times ``least[rank]``. Codes stand in descending order of weight everywhere, and splitting keeps the order, so one pass
over a set gives the bound of a guess.

Heads bound, for small sets: of each part of a guess the heaviest code is found by the second guess at best and all
others by the third, so V(S) >= 3 W(S) - sum of the heads of the parts, and the guess itself, where it is in S, saves
its weight once more. A guess that leaves single codes reaches it: the bound of the whole set is then its value. It
takes a bit mask and an addition a pair, over all guesses side by side. With equal weights it is the part-count bound.

Symmetry: where pegs and colors may be exchanged without changing a weight, guesses that the exchanges keeping the
guesses before them in place take into each other are tried once, in the first frames; the least one is.

Weights are float64: whole numbers below 2**53 in total are added exactly.
"""

# ruff: noqa: C901, PLR0912, PLR0913, PLR0915, PLR0917 - kernels are written for the compiler

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._jit import allocating_kernel as kernel

Array = Any
Int = Any

DEPTHS = 256
BLOCK = 512
MASK = 32
"""As many labels have a bit in the mask of a guess."""
SMALL = 40
"""Sets of at most so many codes are bounded by the heads of parts, larger ones by ranks."""
SYMMETRIC = 3
"""In so many frames symmetry is looked for."""
SEEN = 1 << 12
N, OFFSET, POS, CHOSEN, CANDIDATES, TOP, PART = range(7)  # whole numbers of a frame
UB, BEST, LOW, REST, TOTAL, WEIGHT = range(6)  # and its sums
PAUSED, FINISHED, DEEP = range(3)
OPEN, LOWER, EXACT = 0, 1, 2
PROBES = 4


@kernel
def scan(by_guess: Array, codes: Array, weight: Array, least: Array, low: Array, score: Array, guessed: Array) -> Any:
    """Rank bound ``low[g]`` and expected value ``score[g]`` of every guess for the set ``codes``; the least bound.

    by_guess: uint8[guesses, secrets] labels, the winning one the last. codes: int32[n], by descending weight. least:
    float64[secrets], fewest guesses by rank. guessed: float64[2, secrets + 1], row 0: guessed number of guesses for a
    code of a part of that size, for ordering only; in row 1, first, the number m of labels.
    """
    m = np.int64(guessed[1, 0])
    n = codes.shape[0]
    whole = 0.0
    for i in range(n):
        whole += weight[codes[i]]
    count = np.zeros(m, np.int64)
    mass = np.zeros(m, np.float64)
    best = np.inf
    for g in range(by_guess.shape[0]):
        row = by_guess[g]
        count[:] = 0
        mass[:] = 0.0
        bound = whole
        for i in range(n):
            s = codes[i]
            e = row[s]
            w = weight[s]
            bound += w * least[count[e]]
            count[e] += 1
            mass[e] += w
        bound -= mass[m - 1]  # the guess itself, where it is in the set: found at once
        expected = whole
        for e in range(m - 1):
            if count[e] == n:
                bound = np.inf
            expected += mass[e] * guessed[0, count[e]]
        low[g] = bound
        score[g] = expected
        best = min(best, bound)
    return best


@kernel
def heads(by_secret: Array, codes: Array, weight: Array, guess_of_secret: Array, mask: Array, low: Array) -> Any:
    """Heads bound ``low[g]`` of every guess for a set; (the least, its guess, whether it leaves single codes).

    by_secret: uint8[secrets, guesses], labels below 32. codes: int32[n], by descending weight. mask: uint32[guesses].
    """
    n, width = codes.shape[0], low.shape[0]
    whole = 0.0
    for i in range(n):
        whole += weight[codes[i]]
    for start in range(0, width, BLOCK):
        stop = min(start + BLOCK, width)
        seen, saved = mask[start:stop], low[start:stop]
        for j in range(stop - start):
            seen[j] = 0
            saved[j] = 3.0 * whole
        for i in range(n):
            row, w = by_secret[codes[i], start:stop], weight[codes[i]]
            for j in range(stop - start):
                bit = np.uint32(1) << np.uint32(row[j])
                saved[j] -= 0.0 if seen[j] & bit else w
                seen[j] |= bit
    for i in range(n):
        own = guess_of_secret[codes[i]]
        if own >= 0:  # else it is no legal guess
            low[own] -= weight[codes[i]]
    best, guess = np.inf, 0
    for j in range(width):
        if low[j] < best:
            best, guess = low[j], j
    parts, left = 0, mask[guess]
    while left:
        left &= left - np.uint32(1)
        parts += 1
    return best, guess, parts == n


@kernel
def is_least(guess: Array, before: Array, colors: Int, blank: Int, orders: Array, name: Array, used: Array) -> Any:
    """Tell whether no exchange of pegs and colors that keeps the guesses before in place makes a guess come earlier.

    guess: uint8[pegs]; before: uint8[guesses, pegs]; orders: int64[orders, pegs], every order of the pegs; name, used:
    int64[1, symbols] to work in. Colors that no guess before has are free: they take the free names in order.
    """
    pegs = guess.shape[0]
    for p in range(orders.shape[0]):
        order = orders[p]
        for c in range(name.shape[1]):
            name[0, c] = -1
            used[0, c] = 0
        if blank >= 0:
            name[0, blank] = blank
            used[0, blank] = 1
        fits = True
        for i in range(before.shape[0]):
            for q in range(pegs):
                old, new = before[i, order[q]], before[i, q]
                if name[0, old] == new:
                    continue
                if name[0, old] >= 0 or used[0, new]:
                    fits = False
                    break
                name[0, old] = new
                used[0, new] = 1
            if not fits:
                break
        if not fits:
            continue
        free = 0
        for q in range(pegs):
            c = guess[order[q]]
            if name[0, c] < 0:
                while free < colors and used[0, free]:
                    free += 1
                name[0, c] = free
                used[0, free] = 1
            if name[0, c] < guess[q]:
                return False
            if name[0, c] > guess[q]:
                break
    return True


@kernel
def rank_bound(codes: Array, weight: Array, least: Array) -> Any:
    """Lower bound of V of a set in descending order of weight."""
    bound = 0.0
    for i in range(codes.shape[0]):
        bound += weight[codes[i]] * least[i]
    return bound


@kernel
def _mixed(word: Int) -> Any:
    word ^= word >> np.uint64(31)
    word *= np.uint64(0x7FB5D329728EA185)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x81DADEF4BC2DD44D)
    return word ^ (word >> np.uint64(33))


@kernel
def probe(keys: Array, key: Int) -> Any:
    """Where a set stands in the table, -1 where it does not."""
    mask = keys.shape[0] - 1
    for i in range(PROBES):
        at = (np.int64(key >> np.uint64(20)) + i) & mask
        if keys[at] == key:
            return at
    return -1


@kernel
def store(keys: Array, values: Array, marks: Array, key: Int, value: float, state: Int, guess: Int, n: Int) -> Any:
    """Keep a value; of the sets that it may replace, the smallest goes. marks: int32[cells, 3] state, guess, size."""
    mask = keys.shape[0] - 1
    place, smallest = -1, np.int64(1) << 40
    for i in range(PROBES):
        at = (np.int64(key >> np.uint64(20)) + i) & mask
        if keys[at] == key or keys[at] == 0:
            place = at
            break
        if marks[at, 2] < smallest:
            place, smallest = at, np.int64(marks[at, 2])
    if keys[place] == key and marks[place, 0] == EXACT and state != EXACT:
        return
    keys[place] = key
    values[place] = value
    marks[place, 0] = state
    marks[place, 1] = guess
    marks[place, 2] = n


@kernel
def search(
    by_guess: Array,
    by_secret: Array,
    guess_of_secret: Array,
    digits: Array,
    orders: Array,
    blank: Int,
    weight: Array,
    least: Array,
    guessed: Array,
    zobrist: Array,
    mask: Array,
    stack: Array,
    whole: Array,
    sums: Array,
    hashes: Array,
    candidates: Array,
    lows: Array,
    part: Array,
    part_low: Array,
    part_hash: Array,
    seen: Array,
    keys: Array,
    values: Array,
    marks: Array,
    state: Array,
    allowed: Array,
    budget: Int,
) -> Any:
    """Go on with the search in the frames for ``budget`` guesses; (PAUSED, FINISHED or DEEP, value of the first frame).

    allowed: bool[guesses], guesses to try in frame 0. by_secret: uint8[secrets, guesses], empty where there are more
    than 32 labels. digits: uint8[guesses, pegs]; orders: int64[orders, pegs], empty where symmetry does not hold.
    whole: int64[DEPTHS, 7]; sums: float64[DEPTHS, 6]; hashes: uint64[DEPTHS]; candidates: int32[DEPTHS, guesses]; lows:
    float64[DEPTHS + 2, guesses]; part: int64[DEPTHS, m, 3] start, size, state; part_low: float64[DEPTHS, m]; part_hash:
    uint64[DEPTHS, m]; seen: uint64[DEPTHS, SEEN]. state: int64[2]: depth, step (0 enter, 1 next guess, 2 next part, 3
    leave). The value of a frame is exact if below its UB, else a lower bound of at least UB.
    """
    m = np.int64(guessed[1, 0])
    rounding = 1e-12
    fast = by_secret.shape[0] > 0
    symbols = 1 + np.int64(digits.max())
    colors = symbols - 1 if blank >= 0 else symbols
    before = np.zeros((SYMMETRIC, digits.shape[1]), np.uint8)
    name, used = np.zeros((1, symbols), np.int64), np.zeros((1, symbols), np.int64)
    k, step = state[0], state[1]
    value = 0.0
    while True:
        frame, sum_ = whole[k], sums[k]
        n, offset = frame[N], frame[OFFSET]
        codes = stack[offset : offset + n]
        if step == 0:
            sum_[LOW] = rank_bound(codes, weight, least)
            frame[CHOSEN] = -1
            frame[CANDIDATES] = 0
            frame[POS] = -1
            sum_[REST] = np.inf
            sum_[BEST] = sum_[UB]
            found = probe(keys, hashes[k])
            if found >= 0:
                if marks[found, 0] == EXACT and k > 0:
                    value = values[found]
                    step = 4
                    continue
                sum_[LOW] = max(sum_[LOW], values[found])
            if sum_[LOW] >= sum_[UB] and k > 0:
                value = sum_[LOW]
                step = 4
                continue
            low, score = lows[DEPTHS], lows[DEPTHS + 1]
            if n <= SMALL and fast:
                bound, guess, single = heads(by_secret, codes, weight, guess_of_secret, mask, low)
                if single and (k > 0 or allowed[guess]):
                    value = bound
                    store(keys, values, marks, hashes[k], value, EXACT, guess, n)
                    if k == 0:
                        frame[CHOSEN] = guess
                        sum_[BEST] = bound
                    step = 4
                    continue
                score = low
                sum_[LOW] = max(sum_[LOW], bound)
            else:
                sum_[LOW] = max(sum_[LOW], scan(by_guess, codes, weight, least, low, score, guessed))
            ub = sum_[UB]
            taken = 0
            for g in range(low.shape[0]):
                if low[g] < ub and (k > 0 or allowed[g]):
                    candidates[k, taken] = g
                    taken += 1
                elif k > 0 or allowed[g]:
                    sum_[REST] = min(sum_[REST], low[g])
            order = np.argsort(score[candidates[k, :taken]])
            chosen = candidates[k, :taken][order]
            for i in range(taken):
                candidates[k, i] = chosen[i]
                lows[k, i] = low[chosen[i]]
            frame[CANDIDATES] = taken
            for i in range(SEEN):
                seen[k, i] = 0
            step = 1
        elif step == 1:
            frame[POS] += 1
            best = sum_[BEST]
            if frame[POS] >= frame[CANDIDATES] or sum_[LOW] >= best:
                step = 3
                continue
            if lows[k, frame[POS]] >= best:
                sum_[REST] = min(sum_[REST], lows[k, frame[POS]])
                continue
            budget -= 1
            if budget < 0:
                frame[POS] -= 1
                state[0], state[1] = k, 1
                return PAUSED, 0.0
            guess = candidates[k, frame[POS]]
            if orders.shape[0] and 0 < k < SYMMETRIC:
                for i in range(k):
                    before[i] = digits[candidates[i, whole[i, POS]]]
                if not is_least(digits[guess], before[:k], colors, blank, orders, name, used):
                    continue
            row = by_guess[guess]
            for e in range(m):
                part[k, e, 1] = 0
                part_hash[k, e] = 0
                part_low[k, e] = 0.0
            for i in range(n):
                part[k, row[codes[i]], 1] += 1
            useless = False
            at = frame[TOP]
            for e in range(m):
                if e < m - 1 and part[k, e, 1] == n:
                    useless = True
                part[k, e, 0] = at
                at += part[k, e, 1]
                part[k, e, 1] = 0
            if useless:
                continue
            total = 0.0
            for i in range(n):
                s = codes[i]
                e = row[s]
                rank = part[k, e, 1]
                stack[part[k, e, 0] + rank] = s
                part[k, e, 1] = rank + 1
                part_hash[k, e] ^= zobrist[s]
                part_low[k, e] += weight[s] * least[rank]
                total += weight[s]
            cut = np.uint64(1)
            if part[k, m - 1, 1]:
                cut += _mixed(part_hash[k, m - 1])
            for e in range(m - 1):
                if part[k, e, 1] > 1:
                    cut += _mixed(part_hash[k, e] + np.uint64(1))
            place = np.int64(cut >> np.uint64(20)) & (SEEN - 1)
            if seen[k, place] == cut:
                continue
            seen[k, place] = cut
            for e in range(m - 1):
                size = part[k, e, 1]
                part[k, e, 2] = EXACT if size <= 2 else OPEN
                if size > 2:
                    found = probe(keys, part_hash[k, e])
                    if found >= 0:
                        part_low[k, e] = max(part_low[k, e], values[found])
                        part[k, e, 2] = marks[found, 0]
                total += part_low[k, e]
            # Bounds of the open parts by a scan of all guesses, smallest first, until the guess is refuted.
            while total < best:
                chosen_part, size = -1, np.int64(1) << 40
                for e in range(m - 1):
                    if part[k, e, 2] == OPEN and part[k, e, 1] < size:
                        chosen_part, size = e, part[k, e, 1]
                if chosen_part < 0:
                    break
                begin = part[k, chosen_part, 0]
                within = stack[begin : begin + size]
                known, reached = LOWER, -1
                if size <= SMALL and fast:
                    bound, reached, single = heads(by_secret, within, weight, guess_of_secret, mask, lows[DEPTHS])
                    if single:
                        known = EXACT
                else:
                    bound = scan(by_guess, within, weight, least, lows[DEPTHS], lows[DEPTHS + 1], guessed)
                part[k, chosen_part, 2] = known
                if bound > part_low[k, chosen_part]:
                    total += bound - part_low[k, chosen_part]
                    part_low[k, chosen_part] = bound
                store(keys, values, marks, part_hash[k, chosen_part], part_low[k, chosen_part], known, reached, size)
            sum_[TOTAL] = total
            step = 2
        elif step == 2:
            if sum_[TOTAL] >= sum_[BEST] * (1.0 - rounding):
                sum_[REST] = min(sum_[REST], sum_[TOTAL])
                step = 1
                continue
            chosen_part, size = -1, np.int64(1) << 40
            for e in range(m - 1):
                if part[k, e, 2] != EXACT and part[k, e, 1] < size:
                    chosen_part, size = e, part[k, e, 1]
            if chosen_part < 0:
                sum_[BEST] = sum_[TOTAL]
                frame[CHOSEN] = candidates[k, frame[POS]]
                step = 1
                continue
            if k + 1 == DEPTHS:
                return DEEP, 0.0
            frame[PART] = chosen_part
            whole[k + 1, N] = size
            whole[k + 1, OFFSET] = part[k, chosen_part, 0]
            whole[k + 1, TOP] = frame[TOP] + n
            hashes[k + 1] = part_hash[k, chosen_part]
            sums[k + 1, UB] = part_low[k, chosen_part] + sum_[BEST] - sum_[TOTAL]
            k += 1
            step = 0
        elif step == 3:
            if frame[CHOSEN] >= 0:
                value = sum_[BEST]
                store(keys, values, marks, hashes[k], value, EXACT, frame[CHOSEN], n)
            else:
                value = max(sum_[LOW], min(sum_[REST], sum_[BEST]))
                store(keys, values, marks, hashes[k], value, LOWER, -1, n)
            step = 4
        else:
            if k == 0:
                state[0], state[1] = 0, 3
                return FINISHED, value
            k -= 1
            e = whole[k, PART]
            sums[k, TOTAL] += value - part_low[k, e]
            part_low[k, e] = value
            part[k, e, 2] = EXACT
            step = 2
