"""Finished pieces of trees that are still growing, kept in one file: an interrupted run goes on where it stopped."""

from __future__ import annotations

import json
import zlib
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from entropeg.errors import InputError
from entropeg.files import OWN, inflated, parse_json, read_bytes, shown, write_whole
from entropeg.version import __version__

MAGIC = b"entropeg unfinished trees 1\n"

COLUMNS = 4
"""Of a piece: guess (-1 for a node whose branches are in another piece), parent, feedback label, secrets."""


class KeptPieces:
    """Pieces of trees by name, `int32[4, nodes]` each, and the file that they go to.

    `task` says what they are pieces of; a file of another task, or of another version, is refused. With no path
    nothing is written. The file is written whole each time, at most every `INTERVAL` seconds unless `save` is called,
    and only once there is something to keep.

    >>> kept = KeptPieces(None, "tree entropy 4x6")
    >>> kept.put("minimax", "AABB XX", np.zeros((4, 1), np.int32))
    >>> kept.holds("minimax"), kept.get("minimax", "AABB O") is None
    (True, True)
    """

    def __init__(self, path: Path | None, task: str) -> None:
        """Read what the file holds, where there is one; raises InputError where it cannot be gone on with."""
        self.path = path
        self.task = task
        self.pieces: dict[tuple[str, str], Any] = {}
        self._saved = monotonic()
        self._fresh = False
        if path is not None and path.exists():
            self.pieces = self._read(path)

    def holds(self, tree: str) -> bool:
        """Tell whether a piece of that tree is kept."""
        return any(owner == tree for owner, _ in self.pieces)

    def get(self, tree: str, place: str) -> Any:
        """Return the piece of a tree at a place, None where it is not kept."""
        return self.pieces.get((tree, place))

    def put(self, tree: str, place: str, piece: Any) -> None:
        """Keep a piece, and write the file if that was not done for a while.

        Where that fails just now, as on a full disk, the trees grow on: it is tried again, and told at the end.
        """
        self.pieces[tree, place] = np.ascontiguousarray(piece, np.int32)
        self._fresh = True
        if monotonic() - self._saved > 30.0:  # seconds: what a loss of power costs at most
            with suppress(InputError):
                self.save()
            self._saved = monotonic()

    def forget(self, tree: str) -> None:
        """Let go of the pieces of a tree that is kept elsewhere by now."""
        self.pieces = {name: piece for name, piece in self.pieces.items() if name[0] != tree}
        self._fresh = True

    def save(self) -> bool:
        """Write the file, if something was kept since; return whether there is a file to go on from.

        Raises InputError where it cannot be written.
        """
        if self.path is None or not self.pieces:
            return False
        if self._fresh:
            write_whole(self.path, self._written(), OWN)
            self._saved, self._fresh = monotonic(), False
        return True

    def remove(self) -> None:
        """Delete the file, once the trees it was kept for are done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def _written(self) -> bytes:
        body = zlib.compress(b"".join(piece.astype("<i4").tobytes() for piece in self.pieces.values()), 1)
        names = [(*name, piece.shape[1]) for name, piece in self.pieces.items()]
        header = {"task": self.task, "version": __version__, "crc32": zlib.crc32(body), "pieces": names}
        return MAGIC + json.dumps(header).encode() + b"\n" + body

    def _read(self, path: Path) -> dict[tuple[str, str], Any]:
        content, path = read_bytes(path), Path(shown(path))
        magic, _, rest = content.partition(b"\n")
        line, _, body = rest.partition(b"\n")
        header = _header(line)
        if magic + b"\n" != MAGIC or header is None or header[2] != zlib.crc32(body):
            raise InputError(
                "{file} holds no unfinished trees, or is damaged or cut short: delete it to begin afresh", path
            )
        task, version, _, sizes = header
        if task != self.task:
            raise InputError(
                "{file} holds what is done of {task!r}, not of {wanted!r}: delete it to begin afresh",
                *(path, task, self.task),
            )
        if version != __version__:
            raise InputError(
                "{file} was written by version {version!r}, and this is {here}: delete it to begin afresh",
                *(path, version, __version__),
            )
        size = 4 * COLUMNS * sum(sizes.values())
        data = inflated(body, size)
        if len(data) != size:
            raise InputError(
                "{file} should hold {wanted:,} bytes, and holds {found:,}: delete it to begin afresh",
                *(path, size, len(data)),
            )
        return _cut(np.frombuffer(data, "<i4").astype(np.int32), sizes)


PieceSizes = dict[tuple[str, str], int]


def _header(line: bytes) -> tuple[str, str, int, PieceSizes] | None:
    """The entries of the header: the task, the version, the checksum, how many nodes each piece has."""
    try:
        header = parse_json(line.decode())
        sizes = {(str(tree), str(place)): size for tree, place, size in header["pieces"]}
        if not all(type(size) is int and size >= 0 for size in sizes.values()):
            return None
        return header["task"], header["version"], header["crc32"], sizes
    except (ValueError, KeyError, TypeError):
        return None


def _cut(numbers: Any, sizes: PieceSizes) -> dict[tuple[str, str], Any]:
    ends = np.cumsum(COLUMNS * np.array(list(sizes.values()), np.int64))
    parts = np.split(numbers, ends[:-1]) if len(sizes) else []
    return {name: part.reshape(COLUMNS, -1) for name, part in zip(sizes, parts, strict=True)}
