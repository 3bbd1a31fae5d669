"""Reading and writing files whole: a failed write leaves the old file as it was, and says why in one sentence."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from entropeg.errors import InputError


def write_whole(path: str | Path, content: bytes) -> None:
    """Write a file in one step: into a temporary file beside it, then renamed over it.

    A device or a pipe is written into directly: it must not be replaced by a file. Raises InputError where it
    cannot be written (no such folder, no permission, disk full); then nothing has changed.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(content)
        else:
            _replace(path, content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None


def check_target(path: str | Path) -> None:
    """Raise InputError where a file cannot be written under this name: before the work whose result it is to hold."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file in it")
    folder = path.absolute().parent
    if not folder.is_dir():
        raise InputError(f"{path} cannot be written: there is no folder {path.parent}")
    is_device = path.exists() and not path.is_file()
    if not is_device and not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{path} cannot be written: nothing may be written into the folder {path.parent}")


def _replace(path: Path, content: bytes) -> None:
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
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


def read_text(path: str | Path) -> str:
    """Read a UTF-8 text file; raises InputError where it cannot be read or is not text.

    The mark that some editors write before the text is no part of it.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not a text file: byte {error.start} is not UTF-8") from None
