"""A long run as a value: the request, the progress, the result; and the task that its process is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

from entropeg.errors import InputError
from entropeg.plain_values import PlainValue
from entropeg.told import Spoken, of_data, to_data


@dataclass(frozen=True)
class LongRun(PlainValue):
    """A run of the server; immutable, a change makes another one.

    `request` is what was asked, checked, as plain data. `progress` holds `done` and `total` (null where nobody can
    say), `says`, and what the kind adds: `rows` of an arena, `lower` and `upper` of a proof. `created`, `started` and
    `ended` are seconds since 1970; `seconds` is the time that it has run, over all its parts. `owner` tells visitors of
    a public server apart: a digest of what their browser keeps; empty elsewhere.

    >>> run = LongRun("0123456789ab", "proof", {"rules": "3x3"}, created=0.0)
    >>> run.state, run.is_open, LongRun.read(run.kept()) == run
    ('waiting', True, True)
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("id", "kind", "request", "state", "progress", "result", "error", "created", "started", "ended", "seconds"),
        *("can_resume", "store"),
    )

    id: str
    kind: str
    request: dict[str, Any]
    state: str = "waiting"
    """`waiting`, `running`, `done`, `cancelled`, `failed` or `interrupted`: it goes on when the server starts again."""
    progress: dict[str, Any] = field(default_factory=dict)
    """`done` and `total` (null where nobody can say), `says`; `rows` of an arena, `lower` and `upper` of a proof."""
    result: dict[str, Any] | None = None
    """What `entropeg arena --json` or `entropeg optimal --json` writes, and `says`; null in lists.

    That of an arena has `differences`, too: what its first codebreaker needs more than each other one, game by game.
    """
    error: str | None = None
    created: float = 0.0
    started: float | None = None
    ended: float | None = None
    seconds: float = 0.0
    owner: str = field(default="", repr=False)
    store: str | None = None
    """The results store of the command line that it is from."""

    @property
    def is_open(self) -> bool:
        """Whether it still ends by itself."""
        return self.state in {"waiting", "running", "interrupted"}

    @property
    def can_resume(self) -> bool:
        """Whether there is anything left to do that can be asked for again."""
        if self.store is not None:
            return False
        unproven = self.kind == "proof" and self.state == "done" and not (self.result or {}).get("exact", False)
        return unproven or self.state in {"cancelled", "failed"}

    def now(self, **changes: Any) -> Self:
        """Return the run with changes."""
        return replace(self, **changes)

    def kept(self) -> dict[str, Any]:
        """Return plain data for the file of the run, which has its owner."""
        data: dict[str, Any] = _kept(self.to_json() | {"owner": self.owner})
        return data

    @classmethod
    def read(cls, data: Any) -> Self:
        """Read what `kept` gave; raises InputError where it is something else."""
        if not isinstance(data, dict):
            raise InputError("it is no run of the server")
        known = {each.name: _told(data[each.name]) for each in fields(cls) if each.name in data}
        try:
            run = cls(**known)
        except TypeError as error:
            raise InputError("it is no run of the server: {why}", error) from None
        if not _is_whole(run):
            raise InputError("it is no run of the server, or damaged: a field is not of its kind")
        return run


def _kept(data: Any) -> Any:
    """Plain data with its sentences as data."""
    match data:
        case Spoken():
            return to_data(data)
        case dict():
            return {key: _kept(value) for key, value in data.items()}
        case list():
            return [_kept(each) for each in data]
    return data


def _told(data: Any) -> Any:
    match data:
        case {"say": _} | {"join": _}:
            return of_data(data)
        case dict():
            return {key: _told(value) for key, value in data.items()}
        case list():
            return [_told(each) for each in data]
    return data


def _is_whole(run: LongRun) -> bool:
    numbers = (run.created, run.seconds, run.started or 0.0, run.ended or 0.0)
    return (
        isinstance(run.id, str)
        and run.kind in ("arena", "proof")
        and run.state in ("waiting", "running", "done", "cancelled", "failed", "interrupted")
        and isinstance(run.request, dict)
        and isinstance(run.progress, dict)
        and (run.result is None or isinstance(run.result, dict))
        and (run.error is None or isinstance(run.error, str))
        and isinstance(run.owner, str)
        and run.store is None
        and all(type(number) in {int, float} for number in numbers)
    )


Tell: TypeAlias = Callable[[dict[str, Any]], None]
"""Takes the progress of a run."""


@dataclass(frozen=True)
class RunTask:
    """The kind and the request of a run, where its files are, and what it may use."""

    kind: str
    request: dict[str, Any]
    run: str
    folder: str
    trees: str
    """The folder for strategies that are found."""
    jobs: int
    """Processors."""
    table: int
    """Bytes that a proof may use for labels and table."""
    seconds: float
    """For which it may still work, all its parts together as long as a run may; without its start and its end."""

    def file(self, ending: str) -> Path:
        """Return the place of one of its files.

        >>> RunTask("proof", {}, "0123456789ab", "runs", "trees", 1, 1 << 29, 60.0).file(".proof").name
        '0123456789ab.proof'
        """
        return Path(self.folder) / f"{self.run}{ending}"
