"""The checkpoint of a long proof: a file from which the same search goes on.

Three things are kept: the bounds of openings or of their parts, the largest sets of the table with the values or bounds
of them, and a strategy, if any: that which the search began with, or the best so far. The second makes a resumed search
pass quickly over the guesses that were refuted, at any depth. The first are what was proven, and stand alone in a file
of text beside, a few kilobytes that can be kept for good; named as the checkpoint, it is gone on from as well.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.files import (
    OWN,
    is_begun,
    parse_arrays,
    parse_json,
    read_bytes,
    shown,
    write_whole,
)
from entropeg.search.exact.table import BUCKET, SIZE_BITS, with_guesses
from entropeg.search.strategies import Node, from_rows, to_rows
from entropeg.told import Told

FORMAT = "entropeg search 1"
KEPT = 1 << 18
"""Most entries written: 4 MB, or 8 under weights. Sets are kept from the largest down, since these took the longest."""

Words = NDArray[np.uint64]
SavedParts = dict[str, list[int]]


def entries_of(table: Words, words: int, in_files: NDArray[np.int64]) -> Words:
    """The entries of the largest sets of a table, of ``words`` words each; ``in_files``: the number of each guess.

    Entries that a thread is writing just now are harmless: one word of an entry tells whether the others are whole.
    """
    entries = table.reshape(-1, words)
    sizes = _sizes(entries).astype(np.int32)
    used = np.flatnonzero(sizes)
    if len(used) > KEPT:
        used = used[np.argpartition(sizes[used], len(used) - KEPT)[-KEPT:]]
    kept: Words = with_guesses(entries[used], in_files)
    return kept


def save(file: Path, name: str, parts: SavedParts, entries: Words, strategy: Node | None = None) -> None:
    """Write the bounds of the search ``name``, beside also alone, and what `entries_of` found in its table."""
    content = io.BytesIO()
    head = json.dumps({"format": FORMAT, "name": name, "parts": parts})
    np.savez(content, head=np.frombuffer(head.encode(), np.uint8), entries=entries, nodes=to_rows(strategy))
    write_whole(file, content.getvalue(), OWN)
    write_whole(numbers_beside(file), head.encode(), OWN)


def numbers_beside(file: Path) -> Path:
    """The file that has the bounds alone."""
    return file.with_name(f"{file.name.removesuffix('.json')}.json")


def is_archive(file: Path) -> bool:
    """Whether a file begins as NumPy's archives do, which are zip files."""
    return read_bytes(file).startswith(b"PK")


def is_checkpoint(file: Path) -> bool:
    """Whether a file is an archive of a proof, of whatever board."""
    try:
        return "head" in parse_arrays(read_bytes(file))
    except InputError:
        return False


def load(file: Path, name: str, table: Words, words: int, in_files: NDArray[np.int64]) -> SavedParts:
    """Put the entries of a file into an empty table; the bounds of parts, none where there is no file.

    ``in_files``: the number that each guess has in files.

    Raises InputError where the file is not a checkpoint, damaged, or one of another search, or where there is no folder
    to write it into.
    """
    if not is_begun(file):
        return {}
    parts, entries, _ = _read(file, name)
    if entries.size == 0:
        return parts
    if entries.ndim != 2 or entries.shape[1] != words:
        raise InputError("{file} is damaged: its entries are not of {words} words each", shown(file), words)
    _insert(with_guesses(entries, np.argsort(in_files)), table)
    return parts


def strategy_of(file: Path, name: str) -> Node | None:
    """The strategy that the search began with; raises InputError as `load`."""
    try:
        return from_rows(_read(file, name)[2]) if is_begun(file) else None
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("{file} is damaged: {error}", shown(file), error) from None


def _read(file: Path, name: str) -> tuple[SavedParts, Words, NDArray[np.int32]]:
    content = read_bytes(file)
    try:
        arrays = {"head": np.frombuffer(content, np.uint8)} if content.startswith(b"{") else parse_arrays(content)
        head = parse_json(arrays["head"].tobytes().decode())
        entries: Words = _whole(arrays["entries"]).astype(np.uint64) if "entries" in arrays else np.zeros(0, np.uint64)
        nodes: NDArray[np.int32] = _whole(arrays["nodes"]).astype(np.int32) if "nodes" in arrays else to_rows(None)
        kind, other, parts = head["format"], head["name"], head["parts"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            "{file} is not a checkpoint of an exact search, or damaged; name another file", shown(file)
        ) from error
    if kind != FORMAT or other != name:
        raise InputError(
            "{file} is the checkpoint of {other}, not of {search}; name another file",
            shown(file),
            shown(str(other)),
            name,
        )
    if not isinstance(parts, dict) or not all(_are_bounds(numbers) for numbers in parts.values()):
        raise InputError("{file} is damaged: its bounds are not lists of whole numbers", shown(file))
    return parts, entries, nodes


def _whole(array: NDArray[Any]) -> NDArray[Any]:
    if array.dtype.kind not in "iu":
        raise ValueError(Told("it is no array of whole numbers"))
    return array


def _are_bounds(numbers: Any) -> bool:
    # No bound is larger than 1 << 62.
    return isinstance(numbers, list) and bool(numbers) and all(type(n) is int and abs(n) <= (1 << 62) for n in numbers)


def _keyed(entries: Words) -> Words:
    """The words of entries that their key is mixed with, and it: all but the last one of four, which is empty."""
    return entries[:, : min(entries.shape[1], 3)]


def _sizes(entries: Words) -> Words:
    """Number of codes of the set of each entry; 0 where there is none."""
    return _keyed(entries)[:, -1] & np.uint64((1 << SIZE_BITS) - 1)


def _insert(entries: Words, table: Words) -> None:
    """Place entries in their buckets, the largest sets first."""
    cells = table.reshape(-1, entries.shape[1])
    bucket = np.bitwise_xor.reduce(_keyed(entries), axis=1) & np.uint64(len(cells) // BUCKET - 1)
    order = np.lexsort((-_sizes(entries).astype(np.int64), bucket))
    bucket = bucket[order].astype(np.int64)
    rank = np.arange(len(bucket)) - np.searchsorted(bucket, bucket)
    fits = rank < BUCKET
    cells[bucket[fits] * BUCKET + rank[fits]] = entries[order][fits]
