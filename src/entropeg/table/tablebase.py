"""A tablebase: read from a file as it lies on the disk, and asked for the value of a position."""

from __future__ import annotations

import hashlib
import json
import operator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.files import FileKind, read_bytes, shown, write_whole
from entropeg.files.reading import parse_json
from entropeg.keys import keys_of
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules

MAGIC = b"entropeg table 1\n"
HEAD = 512
"""Bytes before the arrays: the magic line, then the facts as JSON, then spaces."""

TABLEBASE = FileKind("a tablebase of entropeg", lambda content: content.startswith(MAGIC))


class StoredValue(NamedTuple):
    """What a table knows of a set: the least total of guesses over its codes, and the fewest that settle each."""

    total: int
    worst: int


@dataclass(frozen=True)
class Tablebase(PlainValue):
    """The values of every set of codes that up to `turns` guesses can leave, of `least` codes or more.

    Arrays are sorted by `keys`; those of a file stay on the disk until they are asked for. Sets of one and two codes
    need none: they cost 1 and 3 guesses.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "turns", "least", "sets", "digest", "version")

    rules: Rules
    turns: int
    least: int
    keys: NDArray[np.uint64]
    totals: NDArray[np.uint32]
    worsts: NDArray[np.uint8]
    digest: str = ""
    """SHA-256 of the arrays, as the file has them."""
    version: str = ""
    """The version of entropeg that made it."""

    @property
    def sets(self) -> int:
        """How many sets it has."""
        return len(self.keys)

    def value(self, codes: CodeSet) -> StoredValue | None:
        """Return the value of a set of codes left; None where the table does not have it, and never an estimate.

        Costs microseconds. Raises InputError where the codes are of other rules.
        """
        if codes.rules.with_limit(None) != self.rules:
            raise InputError("the table is one of {rules}, not of {other}", self.rules, codes.rules)
        if len(codes) <= 2:
            return StoredValue(2 * len(codes) - 1, len(codes)) if len(codes) else None
        if len(codes) < self.least:
            return None
        found, totals, worsts = self.look(codes.ranks.astype(np.int32), np.array([0, len(codes)]))
        return StoredValue(int(totals[0]), int(worsts[0])) if found[0] else None

    def look(
        self, pool: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint8]]:
        """Return for many sets whether each is there, its total and its worst case; for 0 where it is not.

        Set i are the secrets, as `codes.secrets` numbers them, of `pool` from `starts[i]` to `starts[i + 1]`.
        """
        keys, _ = keys_of(self.rules).of(pool, starts)
        at = np.searchsorted(self.keys, keys)
        at[at == len(self.keys)] = 0
        is_there = self.keys[at] == keys if len(self.keys) else np.zeros(len(keys), np.bool_)
        if not len(self.keys):
            return is_there, np.zeros(len(keys), np.uint32), np.zeros(len(keys), np.uint8)
        return is_there, np.where(is_there, self.totals[at], 0), np.where(is_there, self.worsts[at], 0)

    # ------------------------------------------------------------------ files

    def save(self, file: str | Path) -> None:
        """Write it whole: a file of another kind is not replaced, and a failed write leaves what was there."""
        write_whole(file, self.to_bytes(), TABLEBASE)

    def to_bytes(self) -> bytes:
        """Return the content of its file: the same bytes for the same values."""
        arrays = b"".join(
            array.astype(kind).tobytes()
            for array, kind in ((self.keys, "<u8"), (self.totals, "<u4"), (self.worsts, "u1"))
        )
        facts = {
            "rules": str(self.rules), "turns": self.turns, "least": self.least, "sets": self.sets,
            "sha256": hashlib.sha256(arrays).hexdigest(), "version": self.version,
        }  # fmt: skip
        return (MAGIC + json.dumps(facts).encode()).ljust(HEAD - 1) + b"\n" + arrays

    @classmethod
    def load(cls, file: str | Path, *, is_checked: bool = True) -> Tablebase:
        """Read a table; InputError where it is damaged, cut off, or of another kind or version.

        `is_checked`: every byte is read and held against the digest; otherwise the head and the length alone, and the
        arrays stay on the disk.
        """
        path = Path(file)
        head = read_bytes(path) if is_checked else _head_of(path)
        facts, rules = _facts(head, path)
        sets = facts["sets"]
        size = HEAD + 13 * sets
        there = len(head) if is_checked else path.stat().st_size
        if there != size:
            raise InputError(
                "{file} is damaged: a table of {sets:,} sets has {size:,} bytes, and it has {there:,}",
                shown(path), sets, size, there,
            )  # fmt: skip
        if is_checked and hashlib.sha256(head[HEAD:]).hexdigest() != facts["sha256"]:
            raise InputError("{file} is damaged: its values are not those that were written", shown(path))
        content: NDArray[np.uint8] = (
            np.frombuffer(head, np.uint8) if is_checked else np.memmap(path, np.uint8, mode="r")
        )
        keys = content[HEAD : HEAD + 8 * sets].view("<u8")
        totals = content[HEAD + 8 * sets : HEAD + 12 * sets].view("<u4")
        worsts = content[HEAD + 12 * sets :]
        return cls(rules, facts["turns"], facts["least"], keys, totals, worsts, facts["sha256"], facts["version"])


def _head_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return read_bytes(path)[:HEAD]  # says what is wrong


def _facts(content: bytes, path: Path) -> tuple[dict[str, Any], Rules]:
    if not content.startswith(MAGIC[:15]):
        raise InputError("{file} is not a tablebase of entropeg: `entropeg table make` writes one", shown(path))
    if not content.startswith(MAGIC):
        raise InputError("{file} is a table of another version of entropeg: make it again", shown(path))
    try:
        facts = parse_json(content[len(MAGIC) : HEAD].decode().strip())
        rules = Rules.parse(facts["rules"])
        numbers = [operator.index(facts[name]) for name in ("turns", "least", "sets")]
        texts = [facts["sha256"] + "", facts["version"] + ""]
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise InputError("{file} is damaged: its head cannot be read", shown(path)) from error
    if min(numbers) < 0 or len(texts[0]) != 64:
        raise InputError("{file} is damaged: its head cannot be read", shown(path))
    return facts, rules
