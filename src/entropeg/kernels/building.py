"""Compiled construction of codes peg by peg, under constraints packed into machine words. Arrays in, nothing checked.

A constraint is a *lane* of a 64-bit word: the number still missing to its target, plus half the range of the lane.
Putting a symbol on a peg takes from every lane at once, by one subtraction a word. The missing number must stay
between 0 and the most that the pegs left over can give, and both tests are one bit a lane: the bit of `floor` is set
exactly while nothing is overdrawn, and the bit of `top` after adding `slack` exactly when too much is missing. No lane
ever borrows from its neighbor: a subtraction takes at most half the range.
"""

from __future__ import annotations

from typing import Any

from entropeg.kernels.compile import Array, kernel


@kernel
def build_columns(words: Any, fresh: int, held: Any, most: int, out: Array) -> int:
    """Go on with a depth-first construction; return how many codes were found (and written, if `out` has columns).

    Stops when `out` is full, after `most` symbols were tried, or at the end, when cursor[0] is -1.

    words: a `DemandWords` of `candidates.constraints`; held: a `BuildState` of `candidates.build`, overwritten.
    choices: int64[pegs, symbols], the symbols that peg p may take, sizes[p] of them, ascending.
    equal: uint64[pegs, symbols, W], gain: uint64[K, symbols, W]: what a symbol takes from the lanes for standing at
    peg p, and for being the k-th of its kind (from 0; past K as the last).
    slack: uint64[pegs + 1, W], floor, top: uint64[W]: see the module.
    fresh: the symbol whose number in each code found is counted in the tally; -1 for none.
    out: planes of any unsigned dtype, lexicographic order.
    """
    choices, sizes, equal, gain = words.choices, words.sizes, words.equal, words.gain
    slack, floor, top = words.slack, words.floor, words.top
    state, tried, code, used, cursor = held.missing, held.tried, held.code, held.used, held.cursor
    pegs, width, last_gain = code.size, floor.size, gain.shape[0] - 1
    peg, spent, found, room = cursor[0], 0, 0, out.shape[1]
    while peg >= 0 and (room == 0 or found < room) and spent < most:
        if tried[peg] == sizes[peg]:
            peg -= 1
            if peg >= 0:
                used[code[peg]] -= 1
            continue
        symbol = choices[peg, tried[peg]]
        tried[peg] += 1
        spent += 1
        kth = min(used[symbol], last_gain)
        fits = True
        for w in range(width):
            # Both tests of all lanes of a word: nothing overdrawn, and no more missing than later pegs can bring.
            left = state[peg, w] - equal[peg, symbol, w] - gain[kth, symbol, w]
            state[peg + 1, w] = left
            if (left & floor[w]) != floor[w] or ((left + slack[peg + 1, w]) & top[w]) != 0:
                fits = False
                break
        if not fits:
            continue
        code[peg] = symbol
        # After the last peg nothing may be missing, for its slack allows none: what fits here is a code.
        if peg + 1 < pegs:
            used[symbol] += 1
            peg += 1
            tried[peg] = 0
            continue
        if room > 0:
            for p in range(pegs):
                out[p, found] = code[p]
        if fresh >= 0:
            held.tally[used[fresh] + (1 if symbol == fresh else 0)] += 1
        else:
            held.tally[0] += 1
        found += 1
    cursor[0] = peg
    cursor[1] += spent
    return found
