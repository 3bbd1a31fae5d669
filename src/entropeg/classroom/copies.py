"""Makes, fills and removes copies of projects in the temporary folder, also the copies of a killed program.

A copy is a folder `entropeg-XXXXXXXX` with a file `lock`, which its program holds locked for as long as it lives, a
file `log` (see `worker`) and a folder `project`. Whoever finds a copy whose lock is free knows that its program is
gone, and removes it.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time

from entropeg.classroom.layout import FOREIGN
from entropeg.processes import FileLock

PREFIX, LOCK = "entropeg-", "lock"


class Copy:
    """A folder for the copy of a project, as long as it is wanted."""

    def __init__(self) -> None:
        """Make it, once the copies that others left are gone."""
        remove_forsaken(tempfile.gettempdir())
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = FileLock(self.folder / LOCK)
        self._lock.take()
        self.home, self.log = self.folder / "project", self.folder / "log"
        self.home.mkdir()

    def remove(self) -> None:
        """Remove it; once is enough."""
        self._lock.close()  # Windows removes no file that is open; nobody else looks at so young a copy
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def remove_forsaken(folder: str | Path) -> int:
    """Remove the copies in a folder whose programs are gone, once for each folder; return how many.

    Where a program is killed, the processes of its modules remove their copies; one that is deep in a calculation does
    not come to it.
    """
    removed = 0
    for each in Path(folder).glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            # A younger copy without a program may be in the making.
            if time() - each.parent.stat().st_mtime > 60.0 and _is_free(each):
                shutil.rmtree(each.parent, ignore_errors=True)
                removed += 1
    return removed


def _is_free(lock: Path) -> bool:
    file = FileLock(lock, makes=False)
    try:
        return file.take()
    finally:
        file.close()


def carry(source: Path, target: Path, needed: Path) -> list[str]:
    """Copy a project, so that running it can change nothing of it; return the names of the files that stayed behind.

    `source` is the folder from which it is run and `needed` that of the module, which comes first. Packages come along
    whole, of other folders 200 files; hidden files stay, and files that nobody wrote by hand.
    """
    stayed, left, plain = list[str](), 64 << 20, 200  # bytes in all, and files of folders that are no packages
    waiting = [source, *(each for each in (needed, *needed.parents) if source in each.parents)]
    seen = set[Path]()
    for folder in waiting:  # grows: breadth first
        if folder in seen or len(folder.relative_to(source).parts) > 6:
            continue
        seen.add(folder)
        is_free = folder in (source, needed) or (folder / "__init__.py").exists()
        (target / folder.relative_to(source)).mkdir(parents=True, exist_ok=True)
        for each in _inside(folder):
            if each.is_dir():
                waiting += [each] if each.name not in FOREIGN and not each.is_symlink() else []
            elif each.is_file():
                size = each.stat().st_size
                if size > min(4 << 20, left) or not (is_free or plain > 0):
                    stayed.append(each.name)
                    continue
                left, plain = left - size, plain - (not is_free)
                try:
                    shutil.copyfile(each, target / each.relative_to(source))
                except OSError:
                    stayed.append(each.name)
    return stayed[:1000]


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    except OSError:
        return []
