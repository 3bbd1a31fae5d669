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


def build_columns(words: Any, fresh: int, held: Any, most: int, out: Array) -> int:
    """Go on with a depth-first construction; return how many codes were found (and written, if `out` has columns)."""
    state, cursor = held.missing, held.cursor
    options = [row[:size] for row, size in zip(words.choices.tolist(), words.sizes.tolist(), strict=True)]
    packed = (words.equal, words.gain, words.slack, state, words.floor, words.top)
    equals, gains, slacks, left, floors, tops = map(_joined, packed)
    places, code, copies = held.tried.tolist(), held.code.tolist(), held.used.tolist()
    pegs, last_gain, room = len(code), len(gains) - 1, out.shape[1]
    peg, spent, found = int(cursor[0]), 0, 0
    while peg >= 0 and (room == 0 or found < room) and spent < most:
        if places[peg] == len(options[peg]):
            peg -= 1
            if peg >= 0:
                copies[code[peg]] -= 1
            continue
        symbol = options[peg][places[peg]]
        places[peg] += 1
        spent += 1
        rest = left[peg] - equals[peg][symbol] - gains[min(copies[symbol], last_gain)][symbol]
        if rest & floors != floors or (rest + slacks[peg + 1]) & tops:
            continue
        left[peg + 1], code[peg] = rest, symbol
        if peg + 1 < pegs:
            copies[symbol] += 1
            peg += 1
            places[peg] = 0
            continue
        if room:
            out[:, found] = code
        held.tally[copies[fresh] + (symbol == fresh) if fresh >= 0 else 0] += 1
        found += 1
    for depth, joined in enumerate(left):
        state[depth] = [joined >> BITS * word & (1 << BITS) - 1 for word in range(state.shape[1])]
    held.tried[:], held.code[:], held.used[:] = places, code, copies
    cursor[0] = peg
    cursor[1] += spent
    return found


def _joined(words: Array) -> Any:
    """Join the words along the last axis into one number; a list of such where there are more axes."""
    if words.ndim > 1:
        return list(map(_joined, words))
    return sum(word << BITS * place for place, word in enumerate(words.tolist()))
