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
from entropeg.files import FileKind, read_bytes, refuse_standard, shown, write_whole
from entropeg.files.parquet import polars, write_frame
from entropeg.files.reading import parse_json
from entropeg.keys import keys_of
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Told

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
    """The values of every set of codes that up to `turns` guesses can leave, of `least` to `most` codes.

    Arrays are sorted by `keys`; those of a file stay on the disk until they are asked for. Sets of one and two codes
    need none: they cost 1 and 3 guesses.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "turns", "least", "most", "sets", "digest")

    rules: Rules
    turns: int
    least: int
    most: int
    keys: NDArray[np.uint64]
    totals: NDArray[np.uint32]
    worsts: NDArray[np.uint8]
    digest: str = ""
    """SHA-256 of the arrays, as the file has them."""

    @property
    def sets(self) -> int:
        """How many sets it has."""
        return len(self.keys)

    def value(self, codes: CodeSet) -> StoredValue | None:
        """Return the value of a set of codes left; None where the table does not have it, and never an estimate.

        Costs 15 to 100 microseconds, nearly all of them for the key of the set. Raises InputError for codes of other
        rules.
        """
        if codes.rules is not self.rules and codes.rules.board != self.rules:
            raise InputError("the table is one of {rules}, not of {other}", self.rules, codes.rules)
        n = len(codes)
        if n <= 2:
            return StoredValue(2 * n - 1, n) if n else None
        if not self.least <= n <= self.most:
            return None
        key = self.keys_of_sets(codes.ranks.astype(np.int32), np.array([0, n]))[0]
        at = int(self.keys.searchsorted(key))
        is_there = at < len(self.keys) and self.keys[at] == key
        return StoredValue(int(self.totals[at]), int(self.worsts[at])) if is_there else None

    def look(
        self, pool: NDArray[np.int32], starts: NDArray[np.int64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint8]]:
        """Return for many sets whether each is there, its total and its worst case; for 0 where it is not.

        Set i are the secrets, as `codes.secrets` numbers them, of `pool` from `starts[i]` to `starts[i + 1]`.
        """
        return self.found(self.keys_of_sets(pool, starts))

    def found(self, keys: NDArray[np.uint64]) -> tuple[NDArray[np.bool_], NDArray[np.uint32], NDArray[np.uint8]]:
        """Return the same by the keys of the sets."""
        if not len(self.keys):
            return np.zeros(len(keys), np.bool_), np.zeros(len(keys), np.uint32), np.zeros(len(keys), np.uint8)
        at = np.searchsorted(self.keys, keys)
        at[at == len(self.keys)] = 0
        is_there = self.keys[at] == keys
        return is_there, np.where(is_there, self.totals[at], 0), np.where(is_there, self.worsts[at], 0)

    def keys_of_sets(self, pool: NDArray[np.int32], starts: NDArray[np.int64]) -> NDArray[np.uint64]:
        """Return the keys of many sets, given as `look` takes them."""
        return keys_of(self.rules).of(pool, starts)[0]

    # ------------------------------------------------------------------ files

    def save(self, file: str | Path) -> None:
        """Write it whole: a file of another kind is not replaced, and a failed write leaves what was there."""
        write_whole(file, self.to_bytes(), TABLEBASE)

    def write_parquet(self, file: str | Path) -> None:
        """Write it as Parquet, columns `key`, `total` and `worst`; MissingExtraError without the extra `parquet`."""
        is_ours = FileKind(Told("a table as Parquet"), lambda content: content[:4] == b"PAR1" and b"worst" in content)
        columns = {"key": self.keys, "total": self.totals, "worst": self.worsts}
        write_frame(polars().DataFrame(columns), file, is_ours)

    def to_bytes(self) -> bytes:
        """Return the content of its file: the same bytes for the same values."""
        arrays = b"".join(
            array.astype(kind).tobytes()
            for array, kind in ((self.keys, "<u8"), (self.totals, "<u4"), (self.worsts, "u1"))
        )
        facts = {
            "rules": str(self.rules), "turns": self.turns, "least": self.least, "most": self.most, "sets": self.sets,
            "sha256": hashlib.sha256(arrays).hexdigest(),
        }  # fmt: skip
        return (MAGIC + json.dumps(facts).encode()).ljust(HEAD - 1) + b"\n" + arrays

    @classmethod
    def load(cls, file: str | Path, *, is_checked: bool = True) -> Tablebase:
        """Map a table into memory; InputError where it is damaged, cut off, or of another kind or version.

        `is_checked`: every byte is held against the digest, 2 milliseconds a megabyte; otherwise the head and the
        length alone.
        """
        refuse_standard(file, "the table")
        path = Path(file)
        facts, rules = _facts(_head_of(path), path)
        sets, there = facts["sets"], path.stat().st_size
        if there != HEAD + 13 * sets:
            raise InputError(
                "{file} is damaged: a table of {sets:,} sets has {size:,} bytes, and it has {there:,}",
                shown(path), sets, HEAD + 13 * sets, there,
            )  # fmt: skip
        content: NDArray[np.uint8] = np.asarray(np.memmap(path, np.uint8, mode="r"))[HEAD:]
        if is_checked and hashlib.sha256(content.data).hexdigest() != facts["sha256"]:
            raise InputError("{file} is damaged: its values are not those that were written", shown(path))
        turns, least, most = (facts[name] for name in ("turns", "least", "most"))
        keys, totals = content[: 8 * sets].view("<u8"), content[8 * sets : 12 * sets].view("<u4")
        return cls(rules, turns, least, most, keys, totals, content[12 * sets :], facts["sha256"])


def _head_of(path: Path) -> bytes:
    if not path.is_file():
        return read_bytes(path)  # says what is wrong
    try:
        with path.open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return read_bytes(path)[:HEAD]


def _facts(content: bytes, path: Path) -> tuple[dict[str, Any], Rules]:
    if not content.startswith(MAGIC[:15]):
        raise InputError("{file} is not a tablebase of entropeg: `entropeg table make` writes one", shown(path))
    if not content.startswith(MAGIC):
        raise InputError("{file} is a table of another version of entropeg: make it again", shown(path))
    try:
        facts = parse_json(content[len(MAGIC) : HEAD].decode().strip())
        rules = Rules.parse(facts["rules"])
        numbers = [operator.index(facts[name]) for name in ("turns", "least", "most", "sets")]
        digest = facts["sha256"] + ""
    except (ValueError, KeyError, TypeError, InputError) as error:
        raise InputError("{file} is damaged: its head cannot be read", shown(path)) from error
    if min(numbers) < 0 or len(digest) != 64:
        raise InputError("{file} is damaged: its head cannot be read", shown(path))
    return facts, rules
