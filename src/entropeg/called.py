"""Lets a room be called that has the name of its own public function: `entropeg.advise(position)`.

Python binds an imported module in its package, in the place of anything else of that name. So `from entropeg import
advise` is the room, whatever `entropeg/__init__.py` says, and only the room itself can make `advise(position)` work.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from inspect import Signature, signature
from types import ModuleType
from typing import Any


def _function_of(module: ModuleType) -> Callable[..., Any]:
    found: Callable[..., Any] = vars(module)[module.__name__.rpartition(".")[2]]
    return found


class _FunctionSignature:
    # The signature of a room; the class itself has none of its own, which a property would hide from `inspect`.
    def __get__(self, module: CalledModule | None, owner: type) -> Signature | None:
        return None if module is None else signature(_function_of(module))


class CalledModule(ModuleType):
    """A module that passes a call on to its function of the same name."""

    def __call__(self, *given: Any, **options: Any) -> Any:
        """Call the function."""
        return _function_of(self)(*given, **options)

    __signature__ = _FunctionSignature()
    """The signature that `inspect.signature`, and with it a notebook, shows of the room: that of its function."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel by name, as plain modules do with what a notebook sends to a cluster."""
        return _named, (self.__name__,)


def _named(name: str) -> ModuleType:
    return import_module(name)


def let_call(name: str) -> None:
    """Let a module be called as its function of the same name; it says so itself, by `let_call(__name__)`.

    >>> import entropeg.report
    >>> callable(entropeg.report)
    True
    """
    sys.modules[name].__class__ = CalledModule
