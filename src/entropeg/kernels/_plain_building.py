"""Construction of codes peg by peg as plain Python: the twin of `building`, where the arguments are explained.

The state of the search is read, carried on and written back, so either can go on with what the other began. The words
of a constraint are joined to one number, since no lane ever borrows from its neighbor. A symbol tried takes about a
microsecond.
"""

from __future__ import annotations

from typing import Any

Array = Any

BITS = 64
"""Bits of a word."""


def build_columns(
    choices: Array,
    sizes: Array,
    equal: Array,
    gain: Array,
    slack: Array,
    floor: Array,
    top: Array,
    fresh: int,
    state: Array,
    tried: Array,
    code: Array,
    used: Array,
    cursor: Array,
    most: int,
    out: Array,
    tally: Array,
) -> int:
    """Go on with a depth-first construction; return how many codes were found (and written, if `out` has columns)."""
    options = [row[:size] for row, size in zip(choices.tolist(), sizes.tolist(), strict=True)]
    equals, gains, slacks, left, floors, tops = map(_joined, (equal, gain, slack, state, floor, top))
    places, held, copies = tried.tolist(), code.tolist(), used.tolist()
    pegs, last_gain, room = len(held), len(gains) - 1, out.shape[1]
    peg, spent, found = int(cursor[0]), 0, 0
    while peg >= 0 and (room == 0 or found < room) and spent < most:
        if places[peg] == len(options[peg]):
            peg -= 1
            if peg >= 0:
                copies[held[peg]] -= 1
            continue
        symbol = options[peg][places[peg]]
        places[peg] += 1
        spent += 1
        rest = left[peg] - equals[peg][symbol] - gains[min(copies[symbol], last_gain)][symbol]
        if rest & floors != floors or (rest + slacks[peg + 1]) & tops:
            continue
        left[peg + 1], held[peg] = rest, symbol
        if peg + 1 < pegs:
            copies[symbol] += 1
            peg += 1
            places[peg] = 0
            continue
        if room:
            out[:, found] = held
        tally[copies[fresh] + (symbol == fresh) if fresh >= 0 else 0] += 1
        found += 1
    for depth, joined in enumerate(left):
        state[depth] = [joined >> BITS * word & (1 << BITS) - 1 for word in range(state.shape[1])]
    tried[:], code[:], used[:] = places, held, copies
    cursor[0] = peg
    cursor[1] += spent
    return found


def _joined(words: Array) -> Any:
    """Join the words along the last axis into one number; a list of such where there are more axes."""
    if words.ndim > 1:
        return list(map(_joined, words))
    return sum(word << BITS * place for place, word in enumerate(words.tolist()))
