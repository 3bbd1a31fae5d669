"""Stands in for packages that are not installed, so that what needs none of them can be played and judged all the same.

It is loaded by path into the process of a module, and knows the standard library alone. A stand-in lets itself be
imported, called, decorated with and derived from while modules are imported, as the pages of a program are beside its
players. Whoever asks it for a value then, or touches it afterwards, is told which package is missing: nothing that a
stand-in answers becomes a part of a game or of an evaluation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, ClassVar, NoReturn

TOUCHED: list[str] = []
"""The package that a game touched, if any: a module that catches everything keeps it from nobody."""

WINDOWS = frozenset(
    """
    arcade curses customtkinter easygui keyboard kivy matplotlib msvcrt pyautogui pygame pyglet PyQt5 PyQt6 PySide2
    PySide6 playsound pynput streamlit tkinter tkmacosx turtle winsound wx
    """.split()  # noqa: SIM905 (a table of words)
)
"""Packages that open windows or take keys: beside definitions they are never loaded, installed or not."""


class AbsentError(BaseException):
    """A package that is not loaded was needed; no `except Exception` of a module catches it."""


def _refuse(package: str) -> NoReturn:
    TOUCHED[:] = [package]
    raise AbsentError(package)


def _given(stand_in: StandIn) -> StandIn:
    if StandIn.is_closed:
        _refuse(vars(stand_in)["_package"])
    return stand_in


class StandIn:
    """Something of a package that is not loaded."""

    is_closed: ClassVar[bool] = False
    """Whether nobody may touch one: once the modules are imported."""

    keeps_classes: ClassVar[bool] = False
    """Whether classes that are derived from one are those that they would be without it, as definitions are."""

    def __init__(self, package: str) -> None:
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
        """Give another stand-in: an object, a decorated function, `ndarray[int] | None` in the type of a parameter."""
        return _given(self)

    __getitem__ = __or__ = __ror__ = __call__

    def __mro_entries__(self, _bases: object) -> tuple[type, ...]:
        """Let a class be derived from it, of which no game can make an object."""
        package = self.__dict__["_package"]

        def new(_kind: type, *_arguments: object, **_named: object) -> StandIn:
            return _given(StandIn(package))

        return () if StandIn.keeps_classes else (type("Derived", (), {"__new__": new}),)


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
    """A module of a package that is not loaded."""

    def __getattr__(self, name: str) -> Any:
        """Give a stand-in; `from package import *` is refused to players, since nobody knows what it would bring."""
        package = self.__name__.partition(".")[0]
        if name == "__all__":
            return [] if StandIn.keeps_classes else _refuse(package)
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _given(StandIn(package))


class StandInFinder:
    """Finds and loads stand-ins for the packages that are wanted, and for all their modules."""

    def __init__(self, is_wanted: Callable[[str], bool]) -> None:
        """`is_wanted` is asked as a package is imported."""
        self._is_wanted = is_wanted

    def find_spec(self, fullname: str, *_where: object) -> ModuleSpec | None:
        """Find a module of one of the packages."""
        loader: Any = self  # a class of `importlib.abc` would cost each process ten milliseconds
        return ModuleSpec(fullname, loader, is_package=True) if self._is_wanted(fullname.partition(".")[0]) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the module."""
        return StandInModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it as it is."""


def stand_in(packages: Iterable[str]) -> None:
    """From now on give stand-ins for packages, which Python has not found, or not all of (`tkinter` without Tcl)."""
    finder: Any = StandInFinder(frozenset(packages).__contains__)
    sys.meta_path.insert(0, finder)


def stand_in_beside_definitions(home: str, provided: set[str]) -> dict[str, None]:
    """From now on give stand-ins for what the files of a folder import and cannot be found, or what opens windows.

    There is none for those `provided`, which the project does without. Returns the packages that were not found, one
    after the other as they are imported.
    """
    missing = dict[str, None]()

    def opens_windows(package: str) -> bool:
        return package in WINDOWS - provided and _is_asked_from(home)

    def is_missing(package: str) -> bool:
        if package in provided or not _is_asked_from(home):
            return False
        missing.setdefault(package)
        return True

    first: Any = StandInFinder(opens_windows)
    last: Any = StandInFinder(is_missing)
    sys.meta_path[:] = [first, *sys.meta_path, last]
    StandIn.keeps_classes = True
    return missing


def _is_asked_from(home: str) -> bool:
    # Python's own modules try imports, too, and do without.
    frame: Any = sys._getframe(1)  # noqa: SLF001 (nothing else tells who imports)
    while frame is not None and ("importlib" in frame.f_code.co_filename or frame.f_globals is globals()):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(home)


def close() -> None:
    """From now on let nobody touch a stand-in."""
    StandIn.is_closed = True
