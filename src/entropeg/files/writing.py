"""Writing files whole: a failed write leaves the old file as it was, and a file of another kind is not replaced.

The rule, for every command alike: a file is replaced only by its own kind, so that a command can be repeated. What is
of another kind, by its content and not by its name, is left alone, unless one says so (`--force`, here `replacing`).
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

from entropeg.arguments import named
from entropeg.errors import InputError
from entropeg.files.paths import file_above, is_standard, misnamed, refuse_standard, shown, why
from entropeg.signals import held
from entropeg.told import Told

HEAD, TAIL = 1 << 16, 1 << 16
"""Bytes at the beginning and at the end of a file by which its kind is recognized."""


class FileKind(NamedTuple):
    """A kind of file that is written: its name in messages, and how its content is recognized.

    >>> TABLE = FileKind("a table of games", lambda content: content.startswith(b"rules,"))
    >>> TABLE.fits(b"dear all")
    False
    """

    name: str
    """With its article: «a saved game»."""
    fits: Callable[[bytes], bool]
    """From the first `HEAD` and the last `TAIL` bytes of a file that is not empty to whether it is of this kind."""

    @classmethod
    def of_format(cls, name: str, format_: str) -> FileKind:
        """Return the kind of files that begin with the name of a format: as text, or as the first key of JSON."""
        begins = re.compile(rf'(\{{\s*"format": ")?{re.escape(format_)}'.encode())
        return cls(name, lambda content: bool(begins.match(content.removeprefix(b"\xef\xbb\xbf").lstrip())))


OWN = FileKind("a file of this program", lambda _: True)
"""For files that the writer has read before, and found to be its own."""

MARK = "entropeg"
"""Who made a figure, as its metadata say."""

GENERATOR = f'<meta name="generator" content="{MARK}">'
"""Stands in the head of every page."""


def _is_figure(content: bytes) -> bool:
    is_ours = content.startswith((b"<?xml", b"<svg", b"\x89PNG\r\n", b"%PDF-")) and MARK.encode() in content
    return is_ours and b'id="entropeg-tree"' not in content  # a picture that carries a tree is a tree


FIGURE = FileKind("a figure of entropeg", _is_figure)
PAGE = FileKind("a page of entropeg", lambda content: GENERATOR.encode() in content)

_replaces = ContextVar("_replaces", default=False)


@contextlib.contextmanager
def replacing(*, force: bool = True) -> Iterator[None]:
    """Let files of other kinds be replaced, within this block."""
    token = _replaces.set(force or _replaces.get())
    try:
        yield
    finally:
        _replaces.reset(token)


def replaces_all() -> bool:
    """Tell whether files of other kinds are replaced just now, within `replacing`."""
    return _replaces.get()


def write_whole(path: str | Path, content: bytes, kind: FileKind) -> None:
    """Write a file in one step: into a temporary file beside it, then renamed over it; `-` is standard output.

    A device or a pipe is written into directly: it must not be replaced by a file. Raises InputError where there is a
    file of another kind, or it cannot be written (no such folder, no permission, disk full); then nothing has changed.
    """
    if is_standard(path):
        _print(content)
        return
    path = Path(path)
    there = _status(path)
    try:
        if there is not None and (stat.S_ISCHR(there.st_mode) or stat.S_ISFIFO(there.st_mode)):
            path.write_bytes(content)
            return
        _check_kind(path, there, kind)
        with held():
            _replace(path, content)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            misnamed(path) or Told("{file} cannot be written: {reason}", shown(path), why(error))
        ) from None


def _print(content: bytes) -> None:
    # Text of a kind whose files end without a new line gets one here, where more may be said below it.
    if sys.stdout is None:
        return
    sys.stdout.flush()
    content = content if content.endswith(b"\n") else content + b"\n"
    if hasattr(sys.stdout, "buffer"):
        sys.stdout.buffer.write(content)
    else:
        sys.stdout.write(content.decode(errors="replace"))
    sys.stdout.flush()


def check_target(path: str | Path, kind: FileKind) -> None:
    """Raise InputError where a file cannot be written under this name: before the work whose result it is to hold."""
    if is_standard(path):
        return
    path = Path(path)
    there = _status(path)
    if said := misnamed(path):
        raise InputError(said)
    check_folder(path)
    _check_kind(path, there, kind)


def is_begun(path: str | Path, what: str = "") -> bool:
    """Tell whether there is a file to go on from; raises InputError where none could be written either."""
    refuse_standard(path, what or Told("a checkpoint"))
    check_target(path, OWN)
    return Path(path).exists()


def refuse_file(folder: str | Path) -> None:
    """Raise InputError where a file has the name of a folder, or of one above it."""
    if (file := file_above(Path(folder) / "any")) is not None:
        raise InputError("{file} is a file: name a folder", shown(file))


def make_folder(path: str | Path) -> None:
    """Make a folder, and those above it, where there is none; raises InputError where that cannot be."""
    refuse_file(path)
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError("the folder {folder} cannot be made: {reason}", shown(path), why(error)) from None


def check_folder(path: Path) -> None:
    """Raise InputError where nothing may be written into the folder of a file; a device is written where it is."""
    if path.exists() and not path.is_file():
        return
    folder = path.parent
    if not folder.is_dir():
        raise InputError("{file} cannot be written: there is no folder {folder}", shown(path), shown(folder))
    if is_gone(folder):
        raise InputError("{file} cannot be written: the current folder is deleted", shown(path))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(
            "{file} cannot be written: nothing may be written into the folder {folder}", shown(path), shown(folder)
        )


def is_gone(folder: Path) -> bool:
    """Tell whether a folder, named from the current one, was deleted with it: programs go on in such a folder."""
    if folder.is_absolute():
        return False
    try:
        os.getcwd()  # noqa: PTH109 (Path.cwd is no different)
    except OSError:
        return True
    return False


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise InputError("{file} cannot be written: {reason}", shown(path), why(error)) from None


def _check_kind(path: Path, there: os.stat_result | None, kind: FileKind) -> None:
    if there is None:
        return
    if stat.S_ISBLK(there.st_mode) or stat.S_ISSOCK(there.st_mode):  # --force replaces files
        raise InputError(
            Told("{file} is a disk, not a file", shown(path))
            if stat.S_ISBLK(there.st_mode)
            else Told("{file} is a socket, not a file", shown(path))
        )
    if _replaces.get() or not (stat.S_ISREG(there.st_mode) and there.st_size):
        return
    if not (kind is OWN or _is_of(path, kind)):
        raise InputError(
            "{file} exists already, and is not {kind}: choose another name (--force replaces it)",
            *(shown(path), named(kind.name)),
        )


def _is_of(path: Path, kind: FileKind) -> bool:
    try:
        with path.open("rb") as file:
            content = file.read(HEAD)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(len(content), size - TAIL))
            return kind.fits(content + file.read(TAIL))
    except (OSError, zlib.error):
        return False


def _replace(path: Path, content: bytes) -> None:
    import tempfile

    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
