"""Compiling kernels, and where their compiled code is kept. Imports numba; kernels import `_jit`."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]
from numba.core import ir  # type: ignore[import-untyped, unused-ignore]
from numba.core.caching import IndexDataCacheFile  # type: ignore[import-untyped, unused-ignore]
from numba.core.event import Listener, register  # type: ignore[import-untyped, unused-ignore]

from entropeg.compiling import compilation_begins

P = ParamSpec("P")
R = TypeVar("R")


class _Compilations(Listener):  # type: ignore[misc, unused-ignore]
    """Hears of numba's compilations; loading code from its cache is none."""

    def on_start(self, event: Any) -> None:
        compilation_begins()

    def on_end(self, event: Any) -> None:
        """Do nothing: functions compile inside each other, and the last step of all is none of these."""


register("numba:compile", _Compilations())


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


def keep_apart(compiled: Any) -> Any:
    """Keep the code of a function compiled with `cache=True` in `SignatureFiles`."""
    cache = compiled._cache  # noqa: SLF001 - numba lets nobody choose how code is kept
    old = cache._cache_file  # noqa: SLF001
    cache._cache_file = SignatureFiles(old._cache_path, Path(old._index_name).stem, old._source_stamp)  # noqa: SLF001
    return compiled


def _compile_anywhere() -> None:
    # numba names sources from the current folder on, and cannot where that was deleted: then by their whole path.
    relative = ir.Loc._get_path  # noqa: SLF001

    def path_of(place: Any) -> str:
        try:
            return str(relative(place))
        except OSError:
            return str(place.filename)

    ir.Loc._get_path = path_of  # noqa: SLF001


if hasattr(ir.Loc, "_get_path"):
    _compile_anywhere()


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use, keep the result on disk, run without the interpreter lock.

    No explicit signatures (they would compile or load at import), no fastmath. The disk cache knows
    only the file of the kernel itself: kernels that call each other must share a file.

    Kernels allocate nothing (`_nrt=False`: the compiler refuses it); scratch comes in as arguments. So
    slices need no reference counts, whose atomic updates cost 0.2 microseconds for every guess, as much
    as scoring it against 1296 codes.
    """
    compiler = cast("Any", numba.njit)  # its type knows nothing of _nrt
    return cast("Callable[P, R]", keep_apart(compiler(cache=True, nogil=True, _nrt=False)(function)))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as `kernel` does, for a function that makes arrays of its own: a search whose nodes differ in size."""
    compiler = cast("Any", numba.njit)
    return cast("Callable[P, R]", keep_apart(compiler(cache=True, nogil=True)(function)))
