"""The folder of the runs: a file for each, written whole, with its games or its checkpoint beside it."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Self

from entropeg.errors import InputError
from entropeg.files import OWN, read_json, write_whole
from entropeg.files.paths import why
from entropeg.processes import FileLock
from entropeg.told import Told, with_names
from entropeg.web.runs.value import LongRun

TREES = ("optimal", "worst", "best")
"""Kinds of trees that a proof finds, the last where it is not complete."""


class Stamp(NamedTuple):
    """What changes when a file is written anew."""

    changed: int
    size: int
    node: int

    @classmethod
    def of(cls, file: Path) -> Self:
        """Return that of a file."""
        status = file.stat()
        return cls(status.st_mtime_ns, status.st_size, status.st_ino)


class RunFolder:
    """The files of the runs, in one folder, of which one server at a time is the keeper.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     folder = RunFolder(Path(name))
    ...     folder.write(LongRun("0123456789ab", "proof", {"rules": "3x3"}))
    ...     [folder.load(name).request for name in folder.stamps()]
    [{'rules': '3x3'}]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: FileLock | None = None

    def take(self) -> bool:
        """Become the keeper of the folder, made where it is not there; False where another server is."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = locked(self.path / "keeper.lock")
        except OSError as error:
            raise InputError("the folder {folder} cannot be used: {why}", self.path, why(error)) from None
        return self._lock is not None

    def let_go(self) -> None:
        """Let another server be the keeper."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def file(self, run: str, ending: str) -> Path:
        """Return the place of a file of a run."""
        return self.path / f"{run}{ending}"

    def write(self, run: LongRun) -> None:
        """Write the file of a run, whole or not at all; raises InputError where that cannot be."""
        content = json.dumps(run.kept(), indent=1, allow_nan=False)
        write_whole(self.file(run.id, ".json"), content.encode(), OWN)

    def stamps(self) -> dict[str, Stamp]:
        """Return the ids of the runs whose files are there, each with what changes when it is written anew."""
        found = {}
        with suppress(FileNotFoundError):
            for entry in os.scandir(self.path):
                name, _, ending = entry.name.partition(".")
                if ending == "json" and re.fullmatch("[0-9a-f]{12}", name):
                    with suppress(FileNotFoundError):
                        found[name] = Stamp.of(Path(entry.path))
        return found

    def load(self, run: str) -> LongRun:
        """Return the run of a file; raises InputError, which names no other folder, where it is damaged."""
        file = self.file(run, ".json")
        try:
            return _read(file)
        except InputError as error:
            said = with_names(str(error), lambda name: name.replace(str(file), file.name))
            raise InputError(said if file.name in said else Told("{file}: {error}", file.name, said)) from None

    def played(self, run: str) -> dict[str, Any] | None:
        """Return the data of the games in the store of an arena, None where there are none.

        Takes 1.2 processor seconds for a million games. Raises InputError where the store cannot be read.
        """
        from entropeg.experiments.export import runs_data
        from entropeg.experiments.store import Store

        store = Store(self.file(run, ".games"))
        runs = [store.run(row.number) for row in store.listed() if row.played]
        return runs_data(runs) if runs else None

    def remove(self, run: str) -> None:
        """Remove all files of a run."""
        # The run, its games (SQLite), its checkpoint, the lock of its process.
        for ending in (".json", ".games", ".games-journal", ".proof", ".lock"):
            self.file(run, ending).unlink(missing_ok=True)


def tree_name(run: str, kind: str, rules: str) -> str:
    """Return the name of a tree that a proof has found; `kind` is one of `TREES`.

    >>> tree_name("0123456789ab", "optimal", "4x6/repeats:no")
    'optimal-4x6-repeats-no-0123456789ab.tree'
    """
    return f"{kind}-{re.sub('[^0-9A-Za-z]+', '-', rules)[:60]}-{run}.tree"


def tree_names(run: LongRun) -> set[str]:
    """Return the names that trees of a run can have.

    Earlier versions wrote half of the id, which other runs may share: such a tree is that of the run which names it.

    >>> sorted(tree_names(LongRun("0123456789ab", "proof", {"rules": "3x3"})))
    ['best-3x3-0123456789ab.tree', 'optimal-3x3-0123456789ab.tree', 'worst-3x3-0123456789ab.tree']
    """
    rules, named = run.request.get("rules"), (run.result or {}).get("tree")
    if run.kind != "proof" or not isinstance(rules, str):
        return set()
    names = {tree_name(run.id, kind, rules) for kind in TREES}
    return names | ({tree_name(run.id[:6], kind, rules) for kind in TREES} & {named})


def _read(file: Path) -> LongRun:
    run = LongRun.read(read_json(file, most=32 << 20))
    if run.id != file.stem:
        raise InputError("it says that it is the run {run!r}", run.id)
    return run


def locked(path: Path) -> FileLock | None:
    """Return a lock on a file, None where another process has it; it is let go when closed."""
    lock = FileLock(path)
    if lock.take():
        return lock
    lock.close()
    return None
