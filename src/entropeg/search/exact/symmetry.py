"""Symmetry of the sets that a history of guesses leads to, and small sets of numbers, for the exact search."""

# ruff: noqa: C901
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.search.exact import fields
from entropeg.search.exact.fields import KEY_BITS, PEGS, SEPARATE, SYMBOLS, SYMMETRIC, Array, Int


@inner
def _slots(memory: Array) -> Any:
    """Images of colors that an element of a group holds: one for each color, or for each peg and color."""
    return memory[SYMBOLS] * (memory[PEGS] if memory[SEPARATE] else 1)


@inner
def enter(memory: Array, depth: Int, guess: Int) -> Any:
    """Group of the histories of ``depth + 1`` guesses from that of ``depth``, extended by ``guess``.

    An element is a permutation of the pegs with an injective map of the colors used so far that maps every guess of
    the history to itself, and pegs and colors to others of their kind. It maps the codes consistent with the history to
    themselves, and each to one of the same weight, however it is extended to the other colors of each kind. Where only
    blacks count and every code is allowed, each peg has a map of its own.
    """
    if depth + 1 > SYMMETRIC:
        return
    pegs, symbols, slots = memory[PEGS], memory[SYMBOLS], _slots(memory)
    group_size, group_peg, group_color = fields.group_size(memory), fields.group_peg(memory), fields.group_color(memory)
    digits, permutations = fields.guess_digits(memory), fields.permutations(memory)
    kept = 0
    image, used, kind = fields.image(memory), fields.used(memory), fields.kind(memory)
    for i in range(group_size[depth]):
        permutation = group_peg[depth, i]
        used[:] = 0
        for c in range(slots):
            image[c] = group_color[depth, i, c]
            if image[c] >= 0:
                used[c - c % symbols + image[c]] = 1
        fits = True
        for k in range(pegs):
            peg = permutations[permutation, k]
            first = peg * symbols if memory[SEPARATE] else 0
            a = first + digits[guess, peg]
            b = digits[guess, k]
            if image[a] >= 0:
                if image[a] != b:
                    fits = False
                    break
            elif used[first + b] or kind[digits[guess, peg]] != kind[b]:
                fits = False
                break
            else:
                image[a] = b
                used[first + b] = 1
        if fits:
            group_peg[depth + 1, kept] = permutation
            for c in range(slots):
                group_color[depth + 1, kept, c] = image[c]
            kept += 1
    group_size[depth + 1] = kept


@inner
def name_tokens(memory: Array, depth: Int, offset: Int, n: Int) -> Any:
    """For every element of the group and every color: 0 if no code of the set has it, 1 + its image, -1 if new.

    Where each peg has a map of its own, for every peg and color: 0 if no code has the color at that peg.
    """
    symbols, slots = memory[SYMBOLS], _slots(memory)
    group_size, group_color, token = fields.group_size(memory), fields.group_color(memory), fields.group_token(memory)
    stack, digits = fields.stack(memory), fields.secret_digits(memory)
    occurs = fields.used(memory)
    occurs[:] = 0
    for i in range(n):
        for peg in range(memory[PEGS]):
            first = peg * symbols if memory[SEPARATE] else 0
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
def class_key(memory: Array, depth: Int, guess: Int) -> Any:
    """A number that two guesses share only if a symmetry of the set maps one to the other.

    Colors that occur in no code of the set are one: labels do not tell them apart. Colors of the history are mapped by
    the group, the others named by their kind and first occurrence; the least over the group, after `name_tokens`.
    """
    pegs, symbols = memory[PEGS], memory[SYMBOLS]
    group_peg, token = fields.group_peg(memory), fields.group_token(memory)
    digits, permutations = fields.guess_digits(memory)[guess], fields.permutations(memory)
    kind = fields.kind(memory)
    width = memory[KEY_BITS]
    best = np.int64(1) << (width * pegs)
    for i in range(fields.group_size(memory)[depth]):
        order = permutations[group_peg[depth, i]]
        tokens = token[depth, i]
        key = np.int64(0)
        fresh = 1 + symbols
        for k in range(pegs):
            a = digits[order[k]]
            t = np.int64(tokens[order[k] * symbols + a] if memory[SEPARATE] else tokens[a])
            if t < 0:
                if not memory[SEPARATE]:
                    for j in range(k):
                        if digits[order[j]] == a:
                            t = (key >> (width * (k - 1 - j))) & ((1 << width) - 1)
                            break
                if t < 0:
                    t = fresh + kind[a]
                    fresh += 0 if memory[SEPARATE] else 1
            key = (key << width) | t
            if key > best >> (width * (pegs - 1 - k)):
                break
        if k == pegs - 1 and key < best:
            best = key
    return best


@inner
def seen(slots: Array, key: Int) -> Any:
    """Whether ``key`` is in the open-addressing set ``slots`` (0 = free); it is added if not."""
    if key == 0:
        key = np.uint64(0x9E3779B97F4A7C15)
    cells = np.uint64(slots.shape[0] - 1)
    at = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & cells
    while slots[at] != 0:
        if slots[at] == key:
            return True
        at = (at + np.uint64(1)) & cells
    slots[at] = key
    return False


@inner
def mixed(word: Int) -> Any:
    """splitmix64's finish: a sum of mixed words stands for a multiset of them."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
