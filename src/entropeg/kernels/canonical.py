"""Canonical forms: one list of numbers for all sets of codes that renamed colors and moved pegs make of one another.

A set is refined first: words of 64 bits for pegs and colors gather what lies around them, so that those which differ in
the set differ in their words, almost always. Pegs, and then colors, whose words are still the same are told apart in
every way, and refined again (individualization and refinement, McKay 1981). Each way ends with an order of the pegs and
a name for each color, and the least list of renamed codes is the form. Words that are the same by chance cost more
ways, and no truth: they order what is tried, and a form is a list of codes.

Two pegs, or two colors, that may change places and leave the set as it is need only be tried once. So a set of which
little is known, as all codes, costs no more than others.

Arrays: digits: uint8[codes, pegs] of the board. pool: int32, rows of digits, set after set, from starts[i] to
starts[i + 1]: int64[sets + 1]. is_fixed: uint8[symbols], 1 where a symbol has a name of its own: the blank.
"""

# Kernels are written for the compiler: many arrays by position.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import inner, kernel
from entropeg.kernels.mixing import GAMMA, mixed

Array = Any
Int = Any

_mixed = inner(mixed)

ROUNDS = 3
"""How often pegs and colors gather what lies around them; fewer leave more to try, more cost more: 4x6 was fastest."""


class NamedBoard(NamedTuple):
    """What is known of the codes."""

    digits: Array  # uint8[codes, pegs]
    is_fixed: Array  # uint8[symbols]
    separate: int  # 1 where each peg has names of colors of its own: answers that count blacks alone


class FormScratch(NamedTuple):
    """Memory for one set at a time: L levels, one more than pegs and slots; a slot for each color, or peg and color."""

    peg: Array  # uint64[L, pegs]
    color: Array  # uint64[L, slots]
    code: Array  # uint64[N]
    fresh: Array  # uint64[pegs + slots]: the words of the next round
    is_present: Array  # uint8[slots]
    sorted: Array  # int64[N]: the numbers of the codes, ascending
    tried: Array  # int64[N]: those under other names
    choice: Array  # int32[L, pegs + slots]: what is told apart next: a peg, or pegs + a slot
    choices: Array  # int64[L]: how many
    at: Array  # int64[L]
    place: Array  # int64[pegs]: which peg stands where
    name: Array  # int64[slots]


@inner
def _sort(values: Array, n: Int) -> Any:
    """Sort the first numbers in place: few, and often in order (Shell 1959, with Knuth's gaps)."""
    gap: Int = np.int64(1)
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            value, j = values[i], i
            while j >= gap and values[j - gap] > value:
                values[j] = values[j - gap]
                j -= gap
            values[j] = value
        gap //= 3
    return n


@inner
def _holds(values: Array, n: Int, value: Int) -> Any:
    """Whether the first numbers, ascending, have one of them."""
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low < n and values[low] == value


@inner
def _refine(board: Any, scratch: Any, members: Array, n: Int, level: Int) -> Any:
    """Let the words of pegs and colors gather what lies around them, at a level."""
    digits, peg, color = board.digits, scratch.peg[level], scratch.color[level]
    pegs, symbols, slots = peg.shape[0], board.is_fixed.shape[0], color.shape[0]
    code, fresh = scratch.code, scratch.fresh
    for _ in range(ROUNDS):
        for i in range(n):
            word = np.uint64(0)
            for p in range(pegs):
                slot = digits[members[i], p] + (p * symbols if board.separate else 0)
                word += _mixed(peg[p] + (color[slot] << np.uint64(1)))
            code[i] = _mixed(word)
        for k in range(pegs + slots):
            fresh[k] = np.uint64(0)
        for i in range(n):
            for p in range(pegs):
                slot = digits[members[i], p] + (p * symbols if board.separate else 0)
                fresh[p] += _mixed(code[i] ^ color[slot])
                fresh[pegs + slot] += _mixed(code[i] - peg[p])
        for p in range(pegs):
            peg[p] = _mixed(peg[p] + fresh[p])
        for slot in range(slots):
            color[slot] = _mixed(color[slot] + fresh[pegs + slot])
    return 0


@inner
def _number(board: Any, code: Int, place: Array, name: Array) -> Any:
    """The number of a code whose peg place[k] stands at k, under the names of its colors."""
    symbols, number = board.is_fixed.shape[0], np.int64(0)
    for k in range(place.shape[0]):
        slot = board.digits[code, place[k]] + (place[k] * symbols if board.separate else 0)
        number = number * symbols + name[slot]
    return number


@inner
def _are_alike(board: Any, scratch: Any, members: Array, n: Int, a: Int, b: Int) -> Any:
    """Whether a set stays as it is where two pegs, or two slots of colors, change places."""
    place, name = scratch.place, scratch.name
    pegs, symbols, slots = place.shape[0], board.is_fixed.shape[0], name.shape[0]
    for k in range(pegs):
        place[k] = k
    for slot in range(slots):
        name[slot] = slot % symbols
    if a < pegs:
        place[a], place[b] = b, a
    else:
        name[a - pegs], name[b - pegs] = (b - pegs) % symbols, (a - pegs) % symbols
    for i in range(n):
        if not _holds(scratch.sorted, n, _number(board, members[i], place, name)):
            return False
    return True


@inner
def _choose(board: Any, scratch: Any, members: Array, n: Int, level: Int) -> Any:
    """Write what is to be told apart next to ``choice``: one of all that may change places; how many, 0 when all is.

    The pegs of the least word that two of them have; or else such colors, of one peg where each has its own.
    """
    peg, color, choice = scratch.peg[level], scratch.color[level], scratch.choice[level]
    pegs, slots, symbols = peg.shape[0], color.shape[0], board.is_fixed.shape[0]
    first, least = -1, np.uint64(0)
    for a in range(pegs):
        for b in range(a):
            if peg[a] == peg[b] and (first < 0 or peg[a] < least):
                first, least = b, peg[a]
    if first < 0:
        for a in range(slots):
            if not scratch.is_present[a] or board.is_fixed[a % symbols]:
                continue
            for b in range(a - a % symbols, a):
                is_same = scratch.is_present[b] and not board.is_fixed[b % symbols] and color[a] == color[b]
                # Colors of different pegs may have one word: those of one peg are ordered by its word, too.
                word = _mixed(color[a] + peg[a // symbols]) if board.separate else color[a]
                if is_same and (first < 0 or word < least):
                    first, least = pegs + b, word
    if first < 0:
        return 0
    count = 0
    last = pegs if first < pegs else first + symbols - (first - pegs) % symbols
    if first >= pegs:
        least = color[first - pegs]
    for a in range(first, last):
        if a < pegs:
            is_one = peg[a] == least
        else:
            slot = a - pegs
            is_one = color[slot] == least and scratch.is_present[slot] and not board.is_fixed[slot % symbols]
        for k in range(count):
            if is_one and _are_alike(board, scratch, members, n, choice[k], a):
                is_one = False
        if is_one:
            choice[count] = a
            count += 1
    return count


@inner
def _form(board: Any, scratch: Any, members: Array, n: Int, level: Int, is_first: Int, form: Array) -> Any:
    """Rename the codes by the words of a level, and keep the list in ``form`` if it is less than what stands there."""
    peg, color, place, name = scratch.peg[level], scratch.color[level], scratch.place, scratch.name
    pegs, slots, symbols, tried = peg.shape[0], color.shape[0], board.is_fixed.shape[0], scratch.tried
    for p in range(pegs):
        at = 0
        for q in range(pegs):
            at += peg[q] < peg[p]
        place[at] = p
    for slot in range(slots):
        first, at = slot - slot % symbols, 0
        if board.is_fixed[slot % symbols]:
            name[slot] = slot % symbols
            continue
        # Absent colors come last, and a symbol with a name of its own keeps it: it is the last one.
        for other in range(first, first + symbols):
            is_before = scratch.is_present[other] and not board.is_fixed[other % symbols] and color[other] < color[slot]
            at += is_before
        name[slot] = at
    for i in range(n):
        tried[i] = _number(board, members[i], place, name)
    _sort(tried, n)
    is_less = is_first
    for i in range(0 if is_first else n):
        if tried[i] != form[i]:
            is_less = tried[i] < form[i]
            break
    if is_less:
        for i in range(n):
            form[i] = tried[i]
    return 0


@inner
def _canonical(board: Any, scratch: Any, members: Array, n: Int, form: Array) -> Any:
    """Write the canonical form of one set; how many lists were compared."""
    pegs, slots, symbols = scratch.peg.shape[1], scratch.color.shape[1], board.is_fixed.shape[0]
    # 1. Number the codes as they are, and begin with words that tell nothing apart but symbols with names of their own.
    for p in range(pegs):
        scratch.peg[0, p] = np.uint64(1)
        scratch.place[p] = p
    for slot in range(slots):
        scratch.color[0, slot] = np.uint64(2 + board.is_fixed[slot % symbols])
        scratch.is_present[slot] = 0
        scratch.name[slot] = slot % symbols
    for i in range(n):
        scratch.sorted[i] = _number(board, members[i], scratch.place, scratch.name)
        for p in range(pegs):
            scratch.is_present[board.digits[members[i], p] + (p * symbols if board.separate else 0)] = 1
    _sort(scratch.sorted, n)
    # 2. Refine. Where all is told apart there is one list.
    _refine(board, scratch, members, n, 0)
    scratch.choices[0], scratch.at[0] = _choose(board, scratch, members, n, 0), 0
    if scratch.choices[0] == 0:
        _form(board, scratch, members, n, 0, 1, form)
        return 1
    # 3. Else tell apart what is not, in every way, depth first.
    level, lists = 0, 0
    while level >= 0:
        if scratch.at[level] == scratch.choices[level]:
            level -= 1
            continue
        chosen = scratch.choice[level, scratch.at[level]]
        scratch.at[level] += 1
        for p in range(pegs):
            scratch.peg[level + 1, p] = scratch.peg[level, p]
        for slot in range(slots):
            scratch.color[level + 1, slot] = scratch.color[level, slot]
        if chosen < pegs:
            scratch.peg[level + 1, chosen] = _mixed(scratch.peg[level, chosen] + GAMMA)
        else:
            scratch.color[level + 1, chosen - pegs] = _mixed(scratch.color[level, chosen - pegs] + GAMMA)
        _refine(board, scratch, members, n, level + 1)
        found = _choose(board, scratch, members, n, level + 1)
        if found:
            level += 1
            scratch.choices[level], scratch.at[level] = found, 0
        else:
            _form(board, scratch, members, n, level + 1, lists == 0, form)
            lists += 1
    return lists


@kernel
def canonical_forms(board: Any, scratch: Any, pool: Array, starts: Array, forms: Array, keys: Array) -> Any:
    """Write the form of every set to ``forms`` (int64, as pool) and a word made of it to ``keys`` (uint64[sets]).

    How many lists were compared. Forms are equal where, and only where, one set is made of the other by moving pegs and
    renaming colors; keys of different forms differ but for a chance of 2**-64 a pair.
    """
    lists = 0
    for i in range(starts.shape[0] - 1):
        first, n = starts[i], starts[i + 1] - starts[i]
        form = forms[first : first + n]
        lists += _canonical(board, scratch, pool[first : first + n], n, form)
        word = _mixed(np.uint64(n) + GAMMA)
        for k in range(n):
            word = _mixed(word + np.uint64(form[k]) + GAMMA)
        keys[i] = word
    return lists


def new_scratch(board: NamedBoard, most: int) -> FormScratch:
    """Make the memory for sets of at most this many codes."""
    pegs, symbols = board.digits.shape[1], len(board.is_fixed)
    slots = symbols * (pegs if board.separate else 1)
    levels = pegs + slots + 1
    return FormScratch(
        peg=np.zeros((levels, pegs), np.uint64),
        color=np.zeros((levels, slots), np.uint64),
        code=np.zeros(most, np.uint64),
        fresh=np.zeros(pegs + slots, np.uint64),
        is_present=np.zeros(slots, np.uint8),
        sorted=np.zeros(most, np.int64),
        tried=np.zeros(most, np.int64),
        choice=np.zeros((levels, pegs + slots), np.int32),
        choices=np.zeros(levels, np.int64),
        at=np.zeros(levels, np.int64),
        place=np.zeros(pegs, np.int64),
        name=np.zeros(slots, np.int64),
    )
