"""The table of the exact search: values and bounds of sets, by a hash of their codes, shared by all threads.

A bucket holds four entries. Under counts an entry is two words, ``data`` behind ``key XOR data``, and a bucket is a
line of memory; under weights values are longer, and an entry is ``key XOR data XOR rest, data, rest`` and a word of
nothing. An entry that two threads tear apart matches no key.
"""

# ruff: noqa: ARG001, C901
# Both kinds of entries are read by functions of the same arguments.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import address, prefetch
from entropeg.search.exact.fields import NO_GUESS, OPEN, Array, Int

BUCKET = 4
SIZE_BITS = 16


@inner
def _pack(value: Int, guess: Int, state: Int, n: Int) -> Any:
    word = (np.int64(value) << 22) | (np.int64(guess) << 2) | np.int64(state)
    return (np.uint64(word) << np.uint64(SIZE_BITS)) | np.uint64(n & 0xFFFF), np.uint64(0)


@inner
def _unpack(data: Int, rest: Int) -> Any:
    word = np.int64(data >> np.uint64(SIZE_BITS))
    return word >> 22, (word >> 2) & NO_GUESS, word & 3


@inner
def _size(data: Int, rest: Int) -> Any:
    return np.int64(data & np.uint64(0xFFFF))


@inner
def _pack_wide(value: Int, guess: Int, state: Int, n: Int) -> Any:
    data = (np.uint64(value) << np.uint64(2)) | np.uint64(state)
    return data, (np.uint64((guess + 1) & NO_GUESS) << np.uint64(32)) | np.uint64(n & 0xFFFF)


@inner
def _unpack_wide(data: Int, rest: Int) -> Any:
    return (
        np.int64(data >> np.uint64(2)),
        (np.int64(rest >> np.uint64(32)) - 1) & NO_GUESS,
        np.int64(data & np.uint64(3)),
    )


@inner
def _size_wide(data: Int, rest: Int) -> Any:
    return np.int64(rest & np.uint64(0xFFFFFFFF))


def with_guesses(entries: Array, numbers: Array) -> Array:
    """Entries, uint64[*, 2 or 4], with the guess ``numbers[g]`` in place of g; what is no guess stays as it is."""
    made: Array = entries.copy()
    if entries.shape[1] == 2:
        at, shift, added = 1, SIZE_BITS + 2, 0
    else:
        at, shift, added = 2, 32, 1
    bits = np.uint64(NO_GUESS << shift)
    guess = (((entries[:, at] & bits) >> np.uint64(shift)).astype(np.int64) - added) & NO_GUESS
    is_guess = guess < len(numbers)
    new = np.where(is_guess, numbers[np.where(is_guess, guess, 0)], guess) + added & NO_GUESS
    made[:, at] = (entries[:, at] & ~bits) | (new.astype(np.uint64) << np.uint64(shift))
    made[:, 0] ^= made[:, at] ^ entries[:, at]
    return made


class Table(NamedTuple):
    """The kernels of a table, and the words of its entries."""

    words: int
    fetch: Any
    """``(memory, key)``: ask for the bucket of a set ahead of `probe`."""
    probe: Any
    """``(table, key, n)``: (value, guess, state) of a set of ``n`` codes; state `OPEN` where nothing is known."""
    store: Any
    """``(table, key, n, value, guess, state)``: keep it, in place of the entry of the same set or the smallest one."""


def table_of(words: int) -> Table:
    """The kernels of a table with entries of 2 words or 4."""
    pack, unpack, size = (_pack, _unpack, _size) if words == 2 else (_pack_wide, _unpack_wide, _size_wide)
    has_rest = words == 4

    @inner
    def bucket(table: Array, key: Int) -> Any:
        return np.int64(key & np.uint64(table.shape[0] // (words * BUCKET) - 1)) * (words * BUCKET)

    @inner
    def fetch(memory: Any, key: Int) -> Any:
        prefetch(address(memory.table) + bucket(memory.table, key) * 8)

    @inner
    def probe(table: Array, key: Int, n: Int) -> Any:
        at = bucket(table, key)
        for i in range(BUCKET):
            place = at + words * i
            data = table[place + 1]
            rest = table[place + 2] if has_rest else np.uint64(0)
            if table[place] ^ data ^ rest == key and size(data, rest) == (n & 0xFFFF) and data != 0:
                return unpack(data, rest)
        return np.int64(0), np.int64(NO_GUESS), np.int64(OPEN)

    @inner
    def store(table: Array, key: Int, n: Int, value: Int, guess: Int, state: Int) -> Any:
        at = bucket(table, key)
        data, rest = pack(value, guess, state, n)
        place = at
        smallest: Int = 1 << 40
        for i in range(at, at + words * BUCKET, words):
            old = table[i + 1]
            old_rest = table[i + 2] if has_rest else np.uint64(0)
            if table[i] ^ old ^ old_rest == key:
                place = i
                break
            least = size(old, old_rest)
            if least < smallest:
                smallest = least
                place = i
        table[place] = key ^ data ^ rest
        table[place + 1] = data
        if has_rest:
            table[place + 2] = rest

    return Table(words, fetch, probe, store)
