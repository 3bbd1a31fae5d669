"""What a long proof has found out, in a file from which the same search goes on.

Three things are kept: the bounds of openings or of their parts, the largest sets of the table with what is known of
them, and a strategy, if any: that which the search began with, or the best so far. The second makes a resumed search
pass quickly over the guesses that were refuted, at any depth.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.files import write_whole
from entropeg.search.entries import SIZE_BITS
from entropeg.search.tree import Node, from_rows, to_rows

FORMAT = "entropeg search 1"
KEPT = 1 << 18
"""Most entries written: 4 MB, or 8 under weights. Sets are kept from the largest down, since these took the longest."""
BUCKET = 4
"""Entries of a bucket of the table."""

Words = NDArray[np.uint64]
Parts = dict[str, list[int]]


class Entries(NamedTuple):
    """How a table writes its entries: words of each, and two functions of them, an array of one entry a row."""

    words: int
    sizes: Callable[[Words], Words]
    """Of their sets; 0 where there is no entry."""
    places: Callable[[Words], Words]
    """Numbers whose last bits are their buckets."""


UNWEIGHTED = Entries(
    2, lambda entries: entries[:, 1] & np.uint64((1 << SIZE_BITS) - 1), lambda entries: entries[:, 0] ^ entries[:, 1]
)


def save(
    file: Path, name: str, parts: Parts, table: Words, strategy: Node | None = None, written: Entries = UNWEIGHTED
) -> None:
    """Write what is known of the search ``name``; entries that a thread is writing just now are harmless.

    One word of an entry tells whether the others are whole.
    """
    entries = table.reshape(-1, written.words)
    sizes = written.sizes(entries).astype(np.int32)
    used = np.flatnonzero(sizes)
    if len(used) > KEPT:
        used = used[np.argpartition(sizes[used], len(used) - KEPT)[-KEPT:]]
    content = io.BytesIO()
    head = json.dumps({"format": FORMAT, "name": name, "parts": parts})
    np.savez(content, head=np.frombuffer(head.encode(), np.uint8), entries=entries[used], nodes=to_rows(strategy))
    write_whole(file, content.getvalue())


def is_archive(file: Path) -> bool:
    """Whether a file begins as NumPy's archives do, which are zip files."""
    with file.open("rb") as begun:
        return begun.read(2) == b"PK"


def is_checkpoint(file: Path) -> bool:
    """Whether a file is an archive of a proof, of whatever board."""
    return zipfile.is_zipfile(file) and "head.npy" in zipfile.ZipFile(file).namelist()


def load(file: Path, name: str, table: Words, written: Entries = UNWEIGHTED) -> Parts:
    """Put the entries of a file into an empty table; the bounds of parts, none where there is no file.

    Raises InputError where the file is not a checkpoint, damaged, or one of another search, or where there is no folder
    to write it into.
    """
    if not file.exists():
        if not file.parent.is_dir():
            raise InputError(f"{file} cannot be written: there is no folder {file.parent}")
        return {}
    head, entries, _ = _read(file, name)
    _insert(entries, table, written)
    return dict(head["parts"])


def strategy_of(file: Path, name: str) -> Node | None:
    """The strategy that the search began with; raises InputError as `load`."""
    return from_rows(_read(file, name)[2]) if file.exists() else None


def _read(file: Path, name: str) -> tuple[dict[str, Any], Words, NDArray[np.int32]]:
    try:
        with np.load(io.BytesIO(file.read_bytes())) as content:
            head: dict[str, Any] = json.loads(content["head"].tobytes())
            entries: Words = content["entries"].astype(np.uint64)
            nodes: NDArray[np.int32] = content["nodes"].astype(np.int32) if "nodes" in content else to_rows(None)
    except (OSError, ValueError, KeyError, EOFError, RuntimeError, zipfile.BadZipFile) as error:
        raise InputError(f"{file} is not a checkpoint of an exact search, or damaged; name another file") from error
    if head.get("format") != FORMAT or head.get("name") != name:
        raise InputError(f"{file} is the checkpoint of {head.get('name')}, not of {name}; name another file")
    return head, entries, nodes


def _insert(entries: Words, table: Words, written: Entries) -> None:
    """Place entries in their buckets, the largest sets first."""
    cells = table.reshape(-1, written.words)
    sizes = written.sizes(entries).astype(np.int64)
    bucket = (written.places(entries) & np.uint64(len(cells) // BUCKET - 1)).astype(np.int64)
    order = np.lexsort((-sizes, bucket))
    bucket = bucket[order]
    rank = np.arange(len(bucket)) - np.searchsorted(bucket, bucket)
    fits = rank < BUCKET
    cells[bucket[fits] * BUCKET + rank[fits]] = entries[order][fits]
