"""Files of compiled code, which are renewed whenever a source of the code changes, and made by one process at a time.

numba looks at one file to tell whether stored code is out of date: that of the function itself, by its time and size.
A kernel that calls functions of other files, or takes constants from them, would go on with old code after an upgrade.
Here the stamp is a checksum of the module and of all that it imports from this package, directly or not.

Processes that start together need the same code at once. One of them compiles it; the others wait, and load it.
"""

from __future__ import annotations

import pickle
import re
import warnings
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Literal, TypeAlias

from numba.core.caching import FunctionCache, IndexDataCacheFile  # type: ignore[import-untyped, unused-ignore]

from entropeg.compiling import compiling
from entropeg.errors import EntropegWarning
from entropeg.files.paths import why
from entropeg.processes import FileLock
from entropeg.told import Told

PACKAGE = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
IMPORT = re.compile(r"^(?:from +(entropeg[\w.]*) +import +(\([^)]*\)|[^\n#]*)|import +(entropeg[\w.]*))", re.MULTILINE)
"""An import at the top of a file; imports inside a function cannot be compiled into it."""


def _file_of(module: str) -> Path | None:
    """The file of a module of this package; None where the name is that of something else."""
    place = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


@cache
def _imported(file: Path) -> tuple[Path, ...]:
    """The files of this package that a file imports."""
    modules: list[str] = []
    for source, names, module in IMPORT.findall(file.read_text(encoding="utf-8")):
        modules.append(source or module)
        modules += [f"{source}.{name.split()[0]}" for name in names.strip("()").split(",") if name.split()]
    return tuple(found for name in modules if (found := _file_of(name)) is not None)


@cache
def sources(file: Path) -> tuple[Path, ...]:
    """The files that the code of a module is made of: itself, all that it imports, and all of the compiler's folder.

    The folder always belongs to them, because how functions are compiled changes their code.
    """
    found = {*FOLDER.glob("*.py"), file}
    waiting = [file]
    while waiting:
        more = set(_imported(waiting.pop())) - found
        found |= more
        waiting += more
    return tuple(sorted(found))


@cache
def stamp(file: Path) -> str:
    """Checksum of the `sources` of a module."""
    checksum = blake2b(digest_size=16)
    for source in sources(file):
        checksum.update(source.read_bytes())
    return checksum.hexdigest()


StoredState: TypeAlias = Literal["stored", "absent", "old", "damaged"]
"""Of the stored code of a function: `old` is that of other sources, or of another numba."""


@cache
def _not_kept(reason: str) -> None:
    # Said once: kernels compile one after the other.
    warnings.warn(
        Told(
            "compiled code cannot be kept, and is made again each time ({reason}); `entropeg doctor` tells more", reason
        ),
        EntropegWarning,
        stacklevel=2,
    )


@cache
def _damaged() -> None:
    # Said once, as above.
    warnings.warn(
        Told("stored compiled code is damaged, and is compiled again; `entropeg doctor` tells more"),
        EntropegWarning,
        stacklevel=3,
    )


def _told(error: Exception) -> None:
    # An older version may have named the type of an argument otherwise: then nothing is damaged.
    if not isinstance(error, (AttributeError, ImportError)):
        _damaged()


class SignatureFiles(IndexDataCacheFile):  # type: ignore[misc, unused-ignore]
    """Compiled code on disk, a file for each signature.

    numba numbers the files of a function and writes the index first. Two processes that compile two signatures at once
    then both take number 1, and the index of one calls the code of the other, with arguments of the wrong types. Here
    the name follows from the signature, and the index never names a file that is not written.
    """

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of a signature."""
        name = f"{Path(self._index_name).stem}.{sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        overloads = self._load_index()
        overloads[key] = name
        self._save_index(overloads)

    def load(self, key: Any) -> Any:
        """Return the code of a signature; None where there is none, or none that can be read."""
        try:
            return super().load(key)
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever stands in a damaged file
            _told(error)
            return None

    def state(self, machine: Any) -> StoredState:
        """Say what there is for a machine, whose name is in the keys; reads every file."""
        try:
            with Path(self._index_path).open("rb") as file:
                if pickle.load(file) != self._version:  # noqa: S301 - the file is ours
                    return "old"
                made_from, overloads = pickle.load(file)  # noqa: S301
            if made_from != self._source_stamp:
                return "old"
            for name in (mine := [name for key, name in overloads.items() if key[1] == machine]):
                self._load_data(name)
        except FileNotFoundError:
            return "absent"
        except Exception:  # noqa: BLE001 - whatever stands in a damaged file
            return "damaged"
        return "stored" if mine else "absent"

    def _load_index(self) -> Any:
        # The index holds types of arguments, and reading it fails where a class of an older version has another name.
        try:
            return super()._load_index()
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            _told(error)
            return {}


PATIENCE = 120.0
"""Seconds that a process waits for another that compiles the same, before it compiles too."""


class CompilingTurn:
    """The turn to compile a function, which one process has at a time; where files cannot be locked, every one.

    The system ends the turn of a process that ends.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock: FileLock | None = None

    def take(self) -> bool:
        """Begin the turn; returns whether another process had it meanwhile and is done."""
        if self._lock is not None:
            return False
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(self._file)
        except OSError:
            return False
        if self._lock.take():
            return False
        end = monotonic() + PATIENCE
        with compiling():
            while not self._lock.take():
                if monotonic() >= end:
                    self._end(removes=False)
                    return False
                sleep(0.02)
        return True

    def end(self) -> None:
        """End the turn."""
        self._end(removes=True)

    def _end(self, *, removes: bool) -> None:
        lock, self._lock = self._lock, None
        if lock is not None:
            lock.close(removes=removes)


class StoredCode(FunctionCache):  # type: ignore[misc, unused-ignore]
    """The stored code of one function.

    ``variant`` tells functions apart that are made by the same lines with other kernels inside: numba would make the
    kernels part of the key, by a number that is another one in each process, and never find the code again.
    """

    def __init__(self, function: Any, variant: str = "") -> None:
        super().__init__(function)
        base = f"{self._impl.filename_base}{'.' if variant else ''}{variant}"
        self._variant = variant
        self._cache_file = SignatureFiles(self._cache_path, base, stamp(Path(function.__code__.co_filename)))
        self._turn = CompilingTurn(Path(self._cache_path, f"{base}.lock"))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code of a signature; where there is none, begin the turn to make it, and return None."""
        found = self._loaded(sig, target_context)
        if found is None and self._turn.take():
            found = self._loaded(sig, target_context)
            if found is not None:
                self._turn.end()
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except OSError:  # files of another user: the code is made again
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code of a signature, and end the turn to make it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _not_kept(why(error))
        finally:
            self._turn.end()

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # The stamp covers the function itself and all that it calls.
        return sig, codegen.magic_tuple(), self._variant

    def state(self, machine: Any) -> StoredState:
        """Say which code is stored for a machine: numba's name of its processor, `codegen.magic_tuple()`."""
        return self._cache_file.state(machine)

    @property
    def is_filled(self) -> bool:
        """Whether code of the function is there, made from the sources as they are; it may be for another machine."""
        try:
            return bool(self._cache_file._load_index())  # noqa: SLF001 - the file is ours
        except OSError:
            return False


def code_of(function: Any, variant: str = "") -> StoredCode | None:
    """Return the stored code of a function; None, with one warning a process, where no folder can be written to."""
    try:
        return StoredCode(function, variant)
    except RuntimeError:  # of numba, which looked for one
        _not_kept(Told("neither the folder of the source nor that of the user may be written to"))
        return None
