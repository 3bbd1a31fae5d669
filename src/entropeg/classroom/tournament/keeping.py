"""Keeps the games of a tournament in a file, pair by pair, from which the same tournament goes on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

from entropeg.classroom.layout import MOST_FILES, layout_of
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.classroom.series import Series
from entropeg.errors import InputError
from entropeg.files import OWN, is_begun, parse_json, read_bytes, read_text, shown, write_whole
from entropeg.registry import name_of
from entropeg.rules import Rules

FORMAT = "entropeg tournament 2"


@dataclass
class KeptSeries:
    """Series in a file, by what their games depend on; without a path nothing is kept."""

    path: Path | None
    _series: dict[str, dict[str, Any]] = field(default_factory=dict)
    _saved_at: float = -1e9

    def __post_init__(self) -> None:
        """Read the file, if there is one; raises InputError for a file that is none of ours."""
        if self.path is None or not is_begun(self.path, "a kept tournament"):
            return
        text = read_text(self.path)
        try:
            data = parse_json(text)
            self._series = dict(data["series"]) if data["format"] == FORMAT else {"": {}}
            for record in self._series.values():
                Series.from_record(record)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{shown(self.path)} holds no kept tournament: remove it, or name another file") from None

    def get(self, key: str) -> Series | None:
        """Return the series of that key, if it was kept."""
        record = self._series.get(key)
        return None if record is None else Series.from_record(record)

    def put(self, key: str, series: Series) -> None:
        """Keep a series in place of what it was before; write the file where the last writing is a while ago."""
        if self.path is None:
            return
        self._series[key] = series.to_record()
        if monotonic() - self._saved_at > 1.0:  # seconds between two writings of the file
            self.save()

    def save(self) -> None:
        """Write the file whole."""
        if self.path is not None and self._series:
            write_whole(self.path, json.dumps({"format": FORMAT, "series": self._series}).encode(), OWN)
        self._saved_at = monotonic()


def series_key(rules: Rules, seed: int, breaker: Any, maker: Any) -> str:
    """Return what the games of a pair depend on: players, the files of their projects, board and seed."""
    contents = repr([str(rules), seed, *map(_contents, (breaker, maker))])
    return f"{name_of(breaker)} {name_of(maker)} {sha256(contents.encode()).hexdigest()[:16]}"


def _contents(player: Any) -> str:
    # A module that has changed since is played again, and so are those whose neighbors have.
    if not isinstance(player, (CourseCodebreaker, CourseCodemaker)):
        return name_of(player)
    files = [each for path in layout_of(player.file).paths for each in sorted(path.rglob("*.py"))[:MOST_FILES]]
    texts = [each.name.encode() + b"\0" + read_bytes(each) for each in dict.fromkeys([player.file, *files])]
    digest = sha256(b"\0".join(texts)).hexdigest()
    return f"{player.name} {digest}"
