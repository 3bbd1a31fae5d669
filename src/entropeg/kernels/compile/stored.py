"""Files of compiled code, which are renewed whenever a source of the code changes.

numba looks at one file to tell whether stored code is out of date: that of the function itself, by its time and size.
A kernel that calls functions of other files, or takes constants from them, would go on with old code after an upgrade.
Here the stamp is a checksum of the module and of all that it imports from this package, and of what these import.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile  # type: ignore[import-untyped, unused-ignore]

PACKAGE = Path(__file__).parents[2]
FOLDER = Path(__file__).parent
IMPORT = re.compile(r"^(?:from +(entropeg[\w.]*) +import +(\([^)]*\)|[^\n#]*)|import +(entropeg[\w.]*))", re.MULTILINE)
"""An import at the top of a file; what a function imports cannot be compiled into it."""


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
        except Exception:  # noqa: BLE001 - whatever stands in a damaged file
            return None

    def _load_index(self) -> Any:
        # The index holds types of arguments, and reading it fails where a class of an older version has another name.
        try:
            return super()._load_index()
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - as above
            return {}


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

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        # The stamp covers the function itself and all that it calls.
        return sig, codegen.magic_tuple(), self._variant

    @property
    def is_filled(self) -> bool:
        """Whether code of the function is there, made from the sources as they are; it may be for another machine."""
        try:
            return bool(self._cache_file._load_index())  # noqa: SLF001 - the file is ours
        except OSError:
            return False
