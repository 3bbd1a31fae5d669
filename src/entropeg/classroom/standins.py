"""Stands in for packages that are not installed, so that what needs none of them can be played all the same.

It is loaded by path into the process of a module, and knows the standard library alone. A stand-in lets itself be
imported, called, decorated with and derived from while modules are imported, as the pages of a program are beside its
players. Whoever asks it for a value then, or touches it in a game, is told which package is missing: nothing that a
stand-in answers becomes a part of a game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, NoReturn

TOUCHED: list[str] = []
"""The package that a game touched, if any: a module that catches everything keeps it from nobody."""

_PLAYING: list[bool] = []
"""Not empty once the modules are imported."""


class AbsentError(BaseException):
    """A package that is not installed was needed; no `except Exception` of a module catches it."""

    def __init__(self, package: str) -> None:
        """Keep its name."""
        super().__init__(package)
        self.package = package


def _refuse(package: str) -> NoReturn:
    TOUCHED[:] = [package]
    raise AbsentError(package)


def _given(stand_in: StandIn) -> StandIn:
    if _PLAYING:
        _refuse(vars(stand_in)["_package"])
    return stand_in


class StandIn:
    """Something of a package that is not installed."""

    def __init__(self, package: str) -> None:
        """Keep the name of the package."""
        self.__dict__["_package"] = package

    def __getattr__(self, name: str) -> Any:
        """Give another stand-in, while modules are imported."""
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _given(self)

    def __setattr__(self, name: str, value: object) -> None:
        """Take a setting, while modules are imported."""
        _given(self)

    def __call__(self, *_arguments: object, **_named: object) -> StandIn:
        """Give another stand-in, as an object or a decorated function is one."""
        return _given(self)

    def __getitem__(self, _key: object) -> StandIn:
        """Give another stand-in, as `ndarray[int]` in the type of a parameter."""
        return _given(self)

    def __or__(self, _other: object) -> StandIn:
        """Give another stand-in, as `ndarray | None` in the type of a parameter."""
        return _given(self)

    __ror__ = __or__

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        """Let a class be derived from it, of which no game can make an object."""
        package = self.__dict__["_package"]

        def new(_kind: type, *_arguments: object, **_named: object) -> StandIn:
            return _given(StandIn(package))

        return (type("Derived", (), {"__new__": new}),)


def _refusing(name: str) -> Any:
    def asked(self: StandIn, *_arguments: object) -> NoReturn:
        _refuse(self.__dict__["_package"])

    asked.__name__ = name
    return asked


# What gives a value: a stand-in has none.
for _name in (
    *("bool", "int", "float", "complex", "index", "len", "iter", "next", "contains", "str", "repr", "format", "bytes"),
    *("eq", "ne", "lt", "le", "gt", "ge", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "mod"),
    *("floordiv", "rfloordiv", "pow", "rpow", "matmul", "and", "rand", "xor", "neg", "pos", "abs", "invert", "round"),
    *("setitem", "delitem", "enter", "exit", "instancecheck", "subclasscheck", "await", "reversed"),
):
    setattr(StandIn, f"__{_name}__", _refusing(_name))
StandIn.__hash__ = object.__hash__  # type: ignore[method-assign]  # it may lie in a dict: nobody learns anything from it


class StandInModule(ModuleType):
    """A module of a package that is not installed."""

    def __getattr__(self, name: str) -> Any:
        """Give a stand-in; `from package import *` is refused, since nobody knows which names it would bring."""
        if name == "__all__":
            _refuse(self.__name__.partition(".")[0])
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _given(StandIn(self.__name__.partition(".")[0]))


class StandInFinder:
    """Finds and loads stand-ins for the packages named, and for all their modules."""

    def __init__(self, packages: Iterable[str]) -> None:
        """Keep the names."""
        self.packages = frozenset(packages)

    def find_spec(self, fullname: str, *_where: object) -> ModuleSpec | None:
        """Find a module of one of the packages."""
        loader: Any = self  # a class of `importlib.abc` would cost each process ten milliseconds
        return ModuleSpec(fullname, loader, is_package=True) if fullname.partition(".")[0] in self.packages else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module."""
        return StandInModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it as it is."""


def stand_in(packages: Iterable[str]) -> None:
    """From now on give stand-ins for packages, which Python has not found, or not all of (`tkinter` without Tcl)."""
    finder: Any = StandInFinder(packages)
    sys.meta_path.insert(0, finder)


def begin_playing() -> None:
    """From now on let nobody touch a stand-in."""
    _PLAYING[:] = [True]
