"""Compiling with numba: the decorators of functions that Python calls. Imports numba."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]
from numba.core import ir  # type: ignore[import-untyped, unused-ignore]
from numba.core.event import Listener, register  # type: ignore[import-untyped, unused-ignore]

from entropeg.compiling import compilation_begins, compilation_ends, compiling
from entropeg.kernels.compile import doors
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.kernels.compile.stored import StoredCode

P = ParamSpec("P")
R = TypeVar("R")

moved = doors.missing(doors.STORING)
if moved:
    doors.warn(moved, Told("compiled code is not kept, and every process compiles again"))


class _Compilations(Listener):  # type: ignore[misc, unused-ignore]
    """Hears of numba's compilations; loading stored code is none."""

    def on_start(self, event: Any) -> None:
        compilation_begins()

    def on_end(self, event: Any) -> None:
        compilation_ends()


register("numba:compile", _Compilations())


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


@dataclass(frozen=True)
class CompiledFunction:
    """A function that Python calls: where it stands, its stored code, and whether it has been made or loaded."""

    module: str
    name: str
    stored: Callable[[], StoredCode | None]
    is_loaded: Callable[[], bool]


_functions: list[CompiledFunction] = []


def compiled_functions() -> tuple[CompiledFunction, ...]:
    """List the compiled functions of all modules that have been imported."""
    return tuple(_functions)


def _noted(function: Any, variant: str, is_loaded: Callable[[], bool]) -> None:
    name = f"{function.__qualname__}.{variant}" if variant else function.__qualname__
    _functions.append(CompiledFunction(function.__module__, name, lambda: _code_of(function, variant), is_loaded))


def _code_of(function: Any, variant: str = "") -> StoredCode | None:
    if moved:
        return None
    from entropeg.kernels.compile.stored import code_of

    return code_of(function, variant)


def _store(compiled: Any, function: Any, variant: str = "") -> Any:
    """Keep the code of a compiled function on disk, and find it there."""
    code = _code_of(function, variant)
    if code is not None:
        compiled._cache = code  # noqa: SLF001 - numba lets nobody choose how code is kept
    return compiled


def _compiled(function: Any, variant: str = "", **options: Any) -> Any:
    compiler = cast("Any", numba.njit)  # its type knows nothing of _nrt
    made = _store(compiler(nogil=True, **options)(function), function, variant)
    _noted(function, variant, lambda: bool(made.signatures))
    return made


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use, keep the result on disk, run without the interpreter lock.

    No explicit signatures (they would compile or load at import), no fastmath.

    Kernels allocate nothing (`_nrt=False`: the compiler refuses it); scratch comes in as arguments. So
    slices need no reference counts, whose atomic updates cost 0.2 microseconds for every guess, as much
    as scoring it against 1296 codes.
    """
    return cast("Callable[P, R]", _compiled(function, _nrt=False))


def allocating_kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile as `kernel` does, for a function that makes arrays of its own: a search whose nodes differ in size."""
    return cast("Callable[P, R]", _compiled(function))


def entry_point(variant: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Compile as `kernel` does, for the one function through which Python calls a whole search.

    All that it calls is compiled with it, as `inner`; numbers are divided without a look at zero. ``variant`` names one
    of several that the same lines make with other functions inside.
    """
    return lambda function: _compiled(function, variant, _nrt=False, error_model="numpy")


class Callback:
    """A function of fixed types that other compiled code calls through its address; it may make arrays of its own."""

    def __init__(self, function: Any, signature: Any, variant: str) -> None:
        self._function, self._signature, self._variant = function, signature, variant
        _noted(function, variant, lambda: "_compiled" in self.__dict__)

    @cached_property
    def _compiled(self) -> Any:
        # numba tells of the compilation of functions inside alone.
        with nullcontext() if self.is_stored else compiling():
            return self._made()

    def _made(self) -> Any:
        if moved:
            return numba.cfunc(self._signature)(self._function)
        from numba.core.ccallback import CFunc  # type: ignore[import-untyped, unused-ignore]

        types = self._signature.args, self._signature.return_type
        made = _store(CFunc(self._function, types, locals={}, options={}), self._function, self._variant)
        made.compile()
        return made

    @property
    def is_stored(self) -> bool:
        """Whether its code is made or stored already, so that nobody waits for the compiler."""
        if "_compiled" in self.__dict__:
            return True
        code = _code_of(self._function, self._variant)
        return code is not None and code.is_filled

    @property
    def address(self) -> int:
        """Where the machine code stands; compiled, or loaded, when it is first asked for."""
        return int(self._compiled.address)

    @property
    def ctypes(self) -> Any:
        """The function as `ctypes` calls it, without the interpreter lock."""
        return self._compiled.ctypes


def callback(signature: Any, variant: str = "") -> Callable[[Any], Any]:
    """Compile a function for calls by address, with these types; keep the code on disk, see `entry_point`."""
    return lambda function: Callback(function, signature, variant)


def _in_numbas_way(**options: Any) -> Callable[[Any], Any]:
    """Make the decorator of functions that only compiled code calls, without what entropeg changes in numba."""
    return cast("Callable[[Any], Any]", numba.njit(nogil=True, error_model="numpy", **options))


def _inner_decorators() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """Return `inner` and `allocating_inner`: see `entropeg.kernels.compile.embedded`."""
    lacking = doors.missing(doors.EMBEDDING)
    if not lacking:
        from entropeg.kernels.compile import embedded

        if doors.is_tested() or embedded.works():
            return embedded.inner, embedded.allocating_inner
        lacking = Told("a small trial failed")
    doors.warn(lacking, Told("searches take several times as long to compile"))
    return _in_numbas_way(), _in_numbas_way()


inner, allocating_inner = _inner_decorators()
"""Decorators of functions that only compiled code calls."""
