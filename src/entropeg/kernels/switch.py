"""Decides whether kernels or NumPy do a piece of work, by how much work there is.

A kernel is 50 times as fast as NumPy at best, but takes 0.3 seconds to load and seconds to compile. So modules of
kernels that games on small boards need have a twin on NumPy, with the same functions of the same arguments that write
the same results, and the twin works until there is too much to do.

The environment variable `ENTROPEG_KERNELS` says which: `auto` does that, `always` uses kernels for everything, `no`
never compiles anything: then the twins do what they can, and functions without a twin run as plain Python, slowly.
That is also what happens where numba is not installed, cannot be loaded, or is told not to compile by
`NUMBA_DISABLE_JIT`.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

from entropeg.errors import EntropegWarning, InputError, MissingExtraError
from entropeg.told import Told

MODES = ("auto", "always", "no")
"""What `ENTROPEG_KERNELS` may be, and `use` be given."""

OLDEST_NUMBA = (0, 60)
"""Older versions are not used, as if they were not there."""

MOST_PAIRS = 30_000_000
"""Pairs of codes that NumPy scores in one go: as long as it takes to load kernels, a third of a second."""

MOST_IN_ALL = 200_000_000
"""Pairs that NumPy scores in one process, before kernels are worth a wait: about two seconds."""

MOST_AWAITED = 500_000_000
"""Pairs that NumPy scores in a block of `awaiting`: about five seconds, where to compile takes twenty."""

CALL = 10_000
"""Pairs that are scored in the time that the functions around them take in one call: 70 microseconds."""


def _mode_asked() -> str:
    asked = os.environ.get("ENTROPEG_KERNELS") or "auto"
    if asked not in MODES:
        raise InputError("ENTROPEG_KERNELS is {mode!r}; it must be {modes:or}", asked, MODES)
    return asked


class _Decided:
    """Decisions for the whole process."""

    mode = ""
    spent = 0  # pairs that NumPy has scored
    is_awaited = False  # compiled code is being made elsewhere


def mode() -> str:
    """Return which way is chosen: `auto`, `always` or `no`; InputError where the environment asks for another."""
    _Decided.mode = _Decided.mode or _mode_asked()
    return _Decided.mode


def use(wanted: str) -> str:
    """Choose from now on, in this process, as `ENTROPEG_KERNELS` does at its start; return the choice before.

    Functions without a twin stay compiled where they are.
    """
    if wanted not in MODES:
        raise InputError("kernels are used {mode!r}; it must be {modes:or}", wanted, MODES)
    before, _Decided.mode = mode(), wanted
    return before


@cache
def why_not() -> str:
    """Say why nothing can be compiled; empty where it can. The answer costs the import of numba."""
    if _mode_asked() == "no":
        return Told("ENTROPEG_KERNELS is no")
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        return Told("NUMBA_DISABLE_JIT is set")
    if sys.platform == "emscripten":
        return Told("there is no numba in a browser")
    try:
        found: str = import_module("numba").__version__
    except Exception as error:  # noqa: BLE001 - a damaged installation fails in any way
        reason = Told("numba, which `pip install numba` brings, cannot be loaded ({error})", error)
        return reason if isinstance(error, ModuleNotFoundError) and error.name == "numba" else _told(reason)
    if _number_of(found) < OLDEST_NUMBA:
        oldest = ".".join(map(str, OLDEST_NUMBA))
        return _told(
            Told(
                "numba {found} is older than {oldest}, `pip install --upgrade numba` brings a newer one", found, oldest
            )
        )
    return ""


def _told(reason: str) -> str:
    warnings.warn(
        Told("nothing is compiled, and large boards take long: {reason}", reason), EntropegWarning, stacklevel=4
    )
    return reason


def _number_of(version: str) -> tuple[int, ...]:
    # The first two parts; a part that is no number is taken for the newest.
    parts = version.split(".")[:2]
    return tuple(int(part) if part.isdecimal() else 1 << 30 for part in parts)


def can_compile() -> bool:
    """Tell whether there is a compiler and it may be used."""
    return not why_not()


@contextmanager
def awaiting() -> Iterator[None]:
    """In this block NumPy does all that takes it seconds at most: compiled code is being made, or cannot be."""
    before = _Decided.is_awaited, _Decided.spent
    _Decided.is_awaited, _Decided.spent = True, 0
    try:
        yield
    finally:
        _Decided.is_awaited, _Decided.spent = before


def is_ready() -> bool:
    """Tell whether compiled code can be had at once, for what NumPy answers too, if in another way."""
    return not (mode() == "auto" and _Decided.is_awaited) and can_compile()


PLAIN_CODES = 100_000
"""Codes of the largest boards that everything is to work on without a compiler."""


def check_compiler(codes: int | None = None) -> None:
    """Raise MissingExtraError, saying why, where nothing can be compiled; if the codes are given, on large boards only.

    For what would run as plain Python, and take too long.
    """
    if (codes is None or codes > PLAIN_CODES) and why_not():
        raise MissingExtraError(
            "this needs compiled code, and {reason}; `auto` plays boards to {codes:,} codes without",
            *(why_not(), PLAIN_CODES),
        )


class Switch:
    """A module of kernels and its twin on NumPy.

    >>> here = Switch("entropeg.kernels._code_kernels", "entropeg.kernels._plain_codes")
    >>> sorted(set(dir(here.plain)) & {"count_colors", "list_distinct"})
    ['count_colors', 'list_distinct']
    """

    def __init__(self, compiled: str, plain: str) -> None:
        """Take the full names of the two modules; neither is imported before it is used."""
        self._names = compiled, plain
        self._loaded = False

    def is_plain(self, pairs: int) -> bool:
        """Tell whether NumPy does work that scores this many pairs of codes, or writes as many codes; and count it."""
        if mode() == "always":
            return False
        if mode() == "no":
            return True
        spent = _Decided.spent + pairs + CALL
        is_large = pairs > MOST_PAIRS or spent > MOST_IN_ALL or self._loaded
        if (spent > MOST_AWAITED if _Decided.is_awaited else is_large) and can_compile():
            return False
        _Decided.spent = spent
        return True

    def __call__(self, pairs: int) -> Any:
        """Return the module that does this work: see `is_plain`."""
        return self.plain if self.is_plain(pairs) else self.compiled

    @property
    def compiled(self) -> Any:
        """The kernels; imports numba."""
        self._loaded = True
        return import_module(self._names[0])

    @property
    def plain(self) -> Any:
        """The twin."""
        return import_module(self._names[1])
