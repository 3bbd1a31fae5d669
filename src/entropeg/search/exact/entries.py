"""The table of the exact search: what is known of sets, by a hash of their codes, shared by all threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.vectors import prefetch
from entropeg.search.exact import desk as views
from entropeg.search.exact.desk import TABLE_AT, Array, Int

SIZE_BITS = 16


@inner
def fetch(desk: Array, key: Int) -> Any:
    """Ask for the bucket of a set, without a limit, ahead of `probe`."""
    buckets = views.table(desk).shape[0] // 8
    prefetch(desk[TABLE_AT] + np.int64(key & np.uint64(buckets - 1)) * 64)


@inner
def probe(table: Array, key: Int, n: Int) -> Any:
    """The entry of a set: value << 22 | guess << 2 | state, or -1.

    An entry is two words, (key XOR data, data): an entry torn by two threads matches no key.
    """
    buckets = table.shape[0] // 8
    at = np.int64(key & np.uint64(buckets - 1)) * 8
    for i in range(4):
        data = table[at + 2 * i + 1]
        if table[at + 2 * i] ^ data == key and np.int64(data & np.uint64(0xFFFF)) == (n & 0xFFFF) and data != 0:
            return np.int64(data >> np.uint64(SIZE_BITS))
    return np.int64(-1)


@inner
def store(table: Array, key: Int, n: Int, value: Int, guess: Int, state: Int) -> Any:
    """Keep the value of a set in its bucket, in place of the entry of the same set or of the smallest set."""
    buckets = table.shape[0] // 8
    at = np.int64(key & np.uint64(buckets - 1)) * 8
    packed = (np.int64(value) << 22) | (np.int64(guess) << 2) | np.int64(state)
    data = (np.uint64(packed) << np.uint64(SIZE_BITS)) | np.uint64(n & 0xFFFF)
    place = at
    smallest: Int = 1 << 40
    for i in range(4):
        old = table[at + 2 * i + 1]
        if table[at + 2 * i] ^ old == key:
            place = at + 2 * i
            break
        size = np.int64(old & np.uint64(0xFFFF))
        if size < smallest:
            smallest = size
            place = at + 2 * i
    table[place] = key ^ data
    table[place + 1] = data
