"""Keeps what was found in projects, by a digest of all that it depends on: what has not changed is not looked at again.

That is every file that a project may be run with, what was asked, this program with its sources, Python, the packages
that are installed, and where the project lies, since sentences name its files. A record that is damaged, by one byte,
is none.
"""

from __future__ import annotations

import json
import os
import platform
import site
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from entropeg.classroom.findings import Project
from entropeg.classroom.kept import KeptRecords
from entropeg.classroom.layout import FOREIGN, files_below, folders_above, layout_of
from entropeg.classroom.programs import is_program
from entropeg.classroom.whole_class.sharing import HowToCheck
from entropeg.executors.remote import stamp
from entropeg.told import Template, Told


class KeptChecks(KeptRecords[Project]):
    """What was found in projects, and the file that it goes to."""

    FORMAT, THINGS, WHAT = "entropeg check 1", "projects", Told("a kept check")
    REFUSAL = Template("{file} holds no kept check: remove it, or name another file")

    def __init__(self, path: Path | None, how: HowToCheck) -> None:
        """Read the file, if there is one; raises InputError for a file that is none of ours."""
        self._asked = _digest([*map(str, how)])
        self._keys = dict[Path, str]()
        super().__init__(path)

    def checked(self, records: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Leave those alone that are whole."""
        return {key: each for key, each in records.items() if each["digest"] == _digest([key, _text(each["found"])])}

    def mends(self, content: bytes) -> bool:
        """Tell whether it begins as ours do: all is found again."""
        return content.startswith(json.dumps({"format": self.FORMAT})[:-1].encode())

    def to_record(self, value: Project) -> dict[str, Any]:
        """Return what was found, and a digest of it."""
        found = value.to_record() | {"beside": _beside(value)}
        return {"found": found, "digest": _digest([self._keys[value.folder], _text(found)])}

    def get(self, folder: Path) -> Project | None:
        """Return what was found in a project on which nothing has changed since; None where that is not known."""
        if self.path is None or is_program(folder) or not folder.is_dir():
            return None
        self._keys[folder] = key = self._key(folder)
        record = self._records.get(key)
        if record is None:
            return None
        try:
            project = Project.from_record(record["found"], folder)
        except (KeyError, TypeError, ValueError):
            return None
        return project if record["found"]["beside"] == _beside(project) else None

    def put(self, folder: Path, project: Project | None) -> None:
        """Keep what was found, all of it, in a project that has not changed meanwhile; what was found before goes."""
        if project is None or project.left or folder not in self._keys or self._keys[folder] != self._key(folder):
            return
        project.folder = folder
        place = self._keys[folder].rpartition(" ")[0]
        self._records = {key: each for key, each in self._records.items() if key.rpartition(" ")[0] != place}
        self.store(self._keys[folder], project)

    def _key(self, folder: Path) -> str:
        return f"{folder} {self._asked} {_digest([_around(), *_contents(folder)])}"


def _beside(project: Project) -> str:
    # What is missing may be a misspelled name of something that lies above the project.
    if not project.missing and all(each.kind != "package" for each in project.findings):
        return ""
    folders = folders_above(project.folder.absolute())
    names = [[each.name for each in above.iterdir() if each.suffix == ".py" or each.is_dir()] for above in folders]
    return _digest([repr(sorted(each)) for each in names])


def _text(found: dict[str, Any]) -> str:
    return json.dumps(found, sort_keys=True)


def _digest(parts: Iterable[str | bytes]) -> str:
    digest = sha256()
    for part in parts:
        content = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:32]


@cache
def _around() -> str:
    # This program, Python, the machine, which is slow or fast, and the packages that are installed.
    places = [*site.getsitepackages(), site.getusersitepackages(), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    packages = [sorted(map(str, Path(place).iterdir())) for place in places if place and Path(place).is_dir()]
    return _digest([stamp(), sys.version, platform.node(), repr(packages)])


def _contents(folder: Path) -> Iterator[str | bytes]:
    here = folder.absolute()
    yield str(here)
    yield os.path.relpath(here)
    # What a module imports may lie above the project.
    layouts = [layout_of(file) for file in files_below(here)]
    yield repr(layouts)
    for path in dict.fromkeys([here, *(path for layout in layouts for path in (layout.root, *layout.paths))]):
        yield from _files(path)


def _files(folder: Path) -> Iterator[str | bytes]:
    # Hidden files do not come along with a module, nor do larger ones, nor what lies deeper.
    for place, names, files in os.walk(folder):
        is_deep = len(Path(place).relative_to(folder).parts) > 6
        names[:] = [] if is_deep else sorted(name for name in names if name[0] != "." and name not in FOREIGN)
        for file in (Path(place, name) for name in sorted(files)):
            yield str(file)
            try:
                status = file.stat()
                yield file.read_bytes() if status.st_size <= 4 << 20 else f"{status.st_size} {status.st_mtime_ns}"
            except OSError as error:
                yield type(error).__name__
