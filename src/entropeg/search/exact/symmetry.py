"""Symmetry of the sets that a history of guesses leads to, and small sets of numbers, for the exact search."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.mixing import GAMMA
from entropeg.search.exact.clues import enter_clues
from entropeg.search.exact.fields import SYMMETRIC, Array, Int


@inner
def _slots(memory: Any) -> Any:
    """Images of colors that an element of a group holds: one for each color, or for each peg and color."""
    return memory.symbols * (memory.pegs if memory.separate else 1)


@inner
def extend(code: Array, order: Array, image: Array, kind: Array, separate: Int) -> Any:
    """Extend an injective map of colors so that it takes the pegs of ``code`` in ``order`` to ``code``.

    ``image``: that of every color, or of every peg and color where each peg has a map of its own (``separate``), -1
    where any color of the same ``kind`` will do that is not yet an image. Whether there is such a map; if not, part of
    ``image`` was changed.
    """
    symbols = kind.shape[0]
    for k in range(order.shape[0]):
        first = order[k] * symbols if separate else 0
        color, wanted = code[order[k]], code[k]
        if image[first + color] == wanted:
            continue
        if image[first + color] >= 0 or kind[color] != kind[wanted]:
            return False
        for other in range(first, first + symbols):
            if image[other] == wanted:
                return False
        image[first + color] = wanted
    return True


@inner
def lesser_key(code: Array, order: Array, tokens: Array, kind: Array, separate: Int, width: Int, best: Int) -> Any:
    """The lesser of ``best`` and the number, ``width`` bits a peg, that an element of a group makes of a code.

    ``tokens``: for every color, or peg and color: 0 if all such colors are one, 1 + its image, -1 if it is named by its
    kind and first occurrence.
    """
    pegs = order.shape[0]
    key, fresh = np.int64(0), 1 + kind.shape[0]
    for k in range(pegs):
        a = code[order[k]]
        t = np.int64(tokens[order[k] * kind.shape[0] + a] if separate else tokens[a])
        if t < 0:
            if not separate:
                for j in range(k):
                    if code[order[j]] == a:
                        t = (key >> (width * (k - 1 - j))) & ((1 << width) - 1)
                        break
            if t < 0:
                t = fresh + kind[a]
                fresh += 0 if separate else 1
        key = (key << width) | t
        if key > best >> (width * (pegs - 1 - k)):
            return best
    return key


@inner
def keeps(code: Array, order: Array, marks: Array) -> Any:
    """Whether an element that takes a guess to itself takes an answer by place to itself.

    The pegs in place go to pegs in place, and each color has as many whites as the color that takes its place: at peg k
    that is the color at ``order[k]``.
    """
    pegs = order.shape[0]
    for k in range(pegs):
        if (marks[k] == 2) != (marks[order[k]] == 2):
            return False
        mine, other = 0, 0
        for j in range(pegs):
            mine += marks[j] == 1 and code[j] == code[k]
            other += marks[j] == 1 and code[j] == code[order[k]]
        if mine != other:
            return False
    return True


@inner
def enter(memory: Any, depth: Int, guess: Int, label: Int) -> Any:
    """Group and clues of the histories of ``depth + 1`` guesses from those of ``depth``, ``guess`` and its answer.

    An element is a permutation of the pegs with an injective map of the colors used so far that maps every guess of
    the history to itself, and pegs and colors to others of their kind. It maps the codes consistent with the history to
    themselves, and each to one of the same weight, however it is extended to the other colors of each kind. Where only
    blacks count and every code is allowed, each peg has a map of its own. ``label`` is `NO_LABEL` where the answer does
    not matter: under feedback by place it does.
    """
    if memory.hard and label >= 0:
        enter_clues(memory, depth, guess, label)
    if depth + 1 > SYMMETRIC:
        return
    marks = memory.marks
    slots = _slots(memory)
    group_size, group_peg, group_color = memory.group_size, memory.group_peg, memory.group_color
    code, permutations = memory.guess_digits[guess], memory.permutations
    image, kind = memory.image, memory.kind
    kept = 0
    for i in range(group_size[depth]):
        permutation = group_peg[depth, i]
        for c in range(slots):
            image[c] = group_color[depth, i, c]
        order = permutations[permutation]
        if extend(code, order, image, kind, memory.separate) and (
            marks.shape[0] == 0 or label < 0 or keeps(code, order, marks[label])
        ):
            group_peg[depth + 1, kept] = permutation
            for c in range(slots):
                group_color[depth + 1, kept, c] = image[c]
            kept += 1
    group_size[depth + 1] = kept


@inner
def name_tokens(memory: Any, depth: Int, offset: Int, n: Int) -> Any:
    """For every element of the group and every color: 0 if no code of the set has it, 1 + its image, -1 if new.

    Where each peg has a map of its own, for every peg and color: 0 if no code has the color at that peg. Pairs of a
    color and a shape are never 0: one that no code has may still be half right.
    """
    symbols, slots = memory.symbols, _slots(memory)
    group_size, group_color, token = memory.group_size, memory.group_color, memory.group_token
    stack, digits = memory.stack, memory.secret_digits
    occurs = memory.used
    occurs[:] = memory.all_named
    for i in range(n):
        for peg in range(memory.pegs):
            first = peg * symbols if memory.separate else 0
            occurs[first + digits[stack[offset + i], peg]] = 1
    for i in range(group_size[depth]):
        for c in range(slots):
            if not occurs[c]:
                token[depth, i, c] = 0
            elif group_color[depth, i, c] >= 0:
                token[depth, i, c] = 1 + group_color[depth, i, c]
            else:
                token[depth, i, c] = -1


@inner
def class_key(memory: Any, depth: Int, guess: Int) -> Any:
    """A number that two guesses share only if a symmetry of the set maps one to the other.

    Colors that occur in no code of the set are one: labels do not tell them apart. Colors of the history are mapped by
    the group, the others named by their kind and first occurrence; the least over the group, after `name_tokens`.
    """
    group_peg, token = memory.group_peg[depth], memory.group_token[depth]
    code, permutations = memory.guess_digits[guess], memory.permutations
    kind, width, separate = memory.kind, memory.key_bits, memory.separate
    best = np.int64(1) << (width * memory.pegs)
    for i in range(memory.group_size[depth]):
        best = lesser_key(code, permutations[group_peg[i]], token[i], kind, separate, width, best)
    return best


@inner
def seen(slots: Array, key: Int) -> Any:
    """Whether ``key`` is in the open-addressing set ``slots`` (0 = free); it is added if not."""
    if key == 0:
        key = GAMMA
    cells = np.uint64(slots.shape[0] - 1)
    at = (key * GAMMA) >> np.uint64(20) & cells
    while slots[at] != 0:
        if slots[at] == key:
            return True
        at = (at + np.uint64(1)) & cells
    slots[at] = key
    return False
