"""Keeps what was played or found in a file of JSON, by what it depends on: an interrupted run goes on from there."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, Generic, TypeVar

from entropeg.errors import InputError
from entropeg.files import OWN, is_begun, parse_json, read_bytes, shown, write_whole
from entropeg.files import decoded as text_of
from entropeg.told import Template, Told

KeptValue = TypeVar("KeptValue")


class KeptRecords(ABC, Generic[KeptValue]):
    """Records of values in a file, by keys that say what each depends on; without a path nothing is kept.

    The file is written whole, once a second at most. A subclass says what stands at its head and before its records,
    what it is called, with its article, the sentence for a file of another kind, and how a value becomes a record and
    is read again.
    """

    FORMAT: ClassVar[str]
    THINGS: ClassVar[str]
    WHAT: ClassVar[Told]
    REFUSAL: ClassVar[Template]

    def __init__(self, path: Path | None) -> None:
        """Read the file, if there is one; raises InputError for a file that is none of ours."""
        self.path = path
        self._records: dict[str, dict[str, Any]] = {}
        self._fresh: dict[str, KeptValue] = {}
        self._saved_at = -1e9
        if path is None or not is_begun(path, self.WHAT):
            return
        content, refused = read_bytes(path), InputError(Told(self.REFUSAL, shown(path)))
        try:
            data = parse_json(text_of(content, str(path)))
            if data["format"] != self.FORMAT:
                raise refused
            self._records = self.checked(dict(data[self.THINGS]))
        except (ValueError, KeyError, TypeError, AttributeError):
            if not self.mends(content):
                raise refused from None

    @abstractmethod
    def checked(self, records: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Return the records that can be read; raises what reading them raises where they are refused instead."""

    def mends(self, _content: bytes) -> bool:
        """Tell whether a file that cannot be read is ours all the same, and is begun anew."""
        return False

    @abstractmethod
    def to_record(self, value: KeptValue) -> dict[str, Any]:
        """Return plain data."""

    def store(self, key: str, value: KeptValue) -> None:
        """Keep a value in place of what it was before; write the file where the last writing is a while ago."""
        if self.path is None:
            return
        self._fresh[key] = value
        if monotonic() - self._saved_at > 1.0:  # seconds between two writings of the file
            self.save()

    def save(self) -> None:
        """Write the file whole, if there is anything to keep."""
        fresh, self._fresh = self._fresh, {}
        self._records |= {key: self.to_record(value) for key, value in fresh.items()}
        if self.path is not None and self._records:
            write_whole(self.path, json.dumps({"format": self.FORMAT, self.THINGS: self._records}).encode(), OWN)
        self._saved_at = monotonic()
