"""What a long proof has found out, in a file from which the same search goes on.

Three things are kept: the bounds of the parts of openings, the largest sets of the table with what is known of them,
and the strategy that the search began with, if any. The second makes a resumed search pass quickly over the guesses
that were refuted, at any depth.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.files import write_whole
from entropeg.search.entries import SIZE_BITS
from entropeg.search.tree import Node, from_rows, to_rows

FORMAT = "entropeg search 1"
KEPT = 1 << 18
"""Most entries written: 4 MB. Sets are kept from the largest down, since these took the longest."""
BUCKET = 4
"""Entries of a bucket of the table."""

Words = NDArray[np.uint64]
Parts = dict[str, list[int]]


def save(file: Path, name: str, parts: Parts, table: Words, strategy: Node | None = None) -> None:
    """Write what is known of the search ``name``; entries that a thread is writing just now are harmless.

    An entry is two words, of which one tells whether the other is whole.
    """
    entries = table.reshape(-1, 2)
    sizes = (entries[:, 1] & np.uint64((1 << SIZE_BITS) - 1)).astype(np.int32)
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


def load(file: Path, name: str, table: Words) -> Parts:
    """Put the entries of a file into an empty table; the bounds of parts, none where there is no file.

    Raises InputError where the file is not a checkpoint, or one of another search.
    """
    if not file.exists():
        return {}
    head, entries, _ = _read(file, name)
    _insert(entries, table)
    return dict(head["parts"])


def strategy_of(file: Path, name: str) -> Node | None:
    """The strategy that the search began with; raises InputError as `load`."""
    return from_rows(_read(file, name)[2]) if file.exists() else None


def _read(file: Path, name: str) -> tuple[dict[str, Any], Words, NDArray[np.int32]]:
    try:
        with np.load(file) as content:
            head: dict[str, Any] = json.loads(content["head"].tobytes())
            entries: Words = content["entries"].astype(np.uint64)
            nodes: NDArray[np.int32] = content["nodes"].astype(np.int32) if "nodes" in content else to_rows(None)
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{file} is not a checkpoint of an exact search; name another file") from error
    if head.get("format") != FORMAT or head.get("name") != name:
        raise InputError(f"{file} is the checkpoint of {head.get('name')}, not of {name}; name another file")
    return head, entries, nodes


def _insert(entries: Words, table: Words) -> None:
    """Place entries in their buckets, the largest sets first."""
    buckets = len(table) // (2 * BUCKET)
    sizes = (entries[:, 1] & np.uint64((1 << SIZE_BITS) - 1)).astype(np.int64)
    bucket = ((entries[:, 0] ^ entries[:, 1]) & np.uint64(buckets - 1)).astype(np.int64)
    order = np.lexsort((-sizes, bucket))
    bucket = bucket[order]
    rank = np.arange(len(bucket)) - np.searchsorted(bucket, bucket)
    fits = rank < BUCKET
    table.reshape(-1, 2)[bucket[fits] * BUCKET + rank[fits]] = entries[order][fits]
