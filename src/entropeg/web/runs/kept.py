"""The folder of the runs: a file for each, written whole, with its games or its checkpoint beside it."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

from entropeg.errors import InputError, quoted
from entropeg.files import OWN, read_json, write_whole
from entropeg.web.runs.value import LongRun

MOST_BYTES = 32 << 20
"""Bytes of the file of a run that are read, at most."""

ENDINGS = (".json", ".games", ".games-journal", ".proof", ".lock")
"""Files of a run: the run, its games (SQLite), its checkpoint, the lock of its process."""

_ID = re.compile(r"[0-9a-f]{12}")


class RunFolder:
    """The files of the runs, in one folder, of which one server at a time is the keeper.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name:
    ...     folder = RunFolder(Path(name))
    ...     folder.write(LongRun("0123456789ab", "proof", {"rules": "3x3"}))
    ...     folder.read()
    ([LongRun(id='0123456789ab', kind='proof', request={'rules': '3x3'}, state='waiting', progress={}, result=None, \
error=None, created=0.0, started=None, ended=None, seconds=0.0)], {})
    """

    def __init__(self, path: Path) -> None:
        """Nothing is read or made yet."""
        self.path = path
        self._lock: Any = None

    def take(self) -> bool:
        """Become the keeper of the folder, made where it is not there; False where another server is."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = locked(self.path / "keeper.lock")
        except OSError as error:
            raise InputError(f"the folder {self.path} cannot be used: {error.strerror}") from None
        return self._lock is not None

    def let_go(self) -> None:
        """Let another server be the keeper."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    @staticmethod
    def new_id() -> str:
        """Return an id that nobody guesses."""
        return secrets.token_hex(6)

    def file(self, run: str, ending: str) -> Path:
        """Return the place of a file of a run."""
        return self.path / f"{run}{ending}"

    def write(self, run: LongRun) -> None:
        """Write the file of a run, whole or not at all; raises InputError where that cannot be."""
        content = json.dumps(run.to_json(), indent=1, allow_nan=False)
        write_whole(self.file(run.id, ".json"), content.encode(), OWN)

    def read(self) -> tuple[list[LongRun], dict[str, str]]:
        """Return the runs, oldest first, and of damaged files what is wrong, by name; these are left as they are."""
        runs, damaged = [], {}
        for file in sorted(self.path.glob("*.json")) if self.path.is_dir() else []:
            if not _ID.fullmatch(file.stem):
                continue
            try:
                runs.append(_read(file))
            except InputError as error:
                told = str(error).replace(str(file), file.name)
                damaged[file.stem] = told if file.name in told else f"{file.name}: {told}"
        return sorted(runs, key=lambda run: (run.created, run.id)), damaged

    def remove(self, run: str) -> None:
        """Remove all files of a run."""
        for ending in ENDINGS:
            self.file(run, ending).unlink(missing_ok=True)


def tree_mark(run: str) -> str:
    """Return how the names of trees end that a proof has found, before `.tree`.

    >>> tree_mark("0123456789ab")
    '012345'
    """
    return run[:6]


def _read(file: Path) -> LongRun:
    run = LongRun.read(read_json(file, most=MOST_BYTES))
    if run.id != file.stem:
        raise InputError(f"it says that it is the run {quoted(run.id)}")
    return run


def locked(path: Path) -> Any:
    """Return an open file that no other process has locked, None where one has; it is let go when closed."""
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:  # not on this system: two servers in one folder are then the user's affair
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
