"""entropeg: a Mastermind laboratory.

Play the game, be advised, break codes of any size, prove what is optimal, compare strategies, teach with it.
The names below, and the rooms of the package, are imported when they are first used, so that `import entropeg` costs
next to nothing. Rooms that have the name of a public function are called as it is (`called.py`).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from entropeg.version import __version__ as __version__

if TYPE_CHECKING:
    from entropeg import candidates as candidates
    from entropeg import classroom as classroom
    from entropeg import codebreakers as codebreakers
    from entropeg import codemakers as codemakers
    from entropeg import codes as codes
    from entropeg import engine as engine
    from entropeg import errors as errors
    from entropeg import experiments as experiments
    from entropeg import feedback as feedback
    from entropeg import game as game
    from entropeg import plots as plots
    from entropeg import position as position
    from entropeg import priors as priors
    from entropeg import rules as rules
    from entropeg import search as search
    from entropeg import tree as tree
    from entropeg import words as words
    from entropeg.advise import advise
    from entropeg.codebreakers import Codebreaker
    from entropeg.codebreakers.check import check_codebreaker
    from entropeg.codemakers import Codemaker
    from entropeg.codemakers.check import check_codemaker
    from entropeg.codes import CodeSet, format_code, parse_code, score
    from entropeg.errors import EntropegError, InputError
    from entropeg.experiments.runner import arena
    from entropeg.feedback import Feedback, Marks, format_feedback, parse_feedback
    from entropeg.game import Game
    from entropeg.loop import play
    from entropeg.partition import Partition
    from entropeg.position import Position
    from entropeg.report import report as report  # for mypy, whose user may import it from here
    from entropeg.review import review
    from entropeg.rules import Rules
    from entropeg.search.paths import perft
    from entropeg.tree.optimum import optimal
    from entropeg.tree.strategy import StrategyTree

_HOMES = {
    "codebreakers": ("Codebreaker",),
    "codebreakers.check": ("check_codebreaker",),
    "codemakers": ("Codemaker",),
    "codemakers.check": ("check_codemaker",),
    "codes": ("CodeSet", "format_code", "parse_code", "score"),
    "errors": ("EntropegError", "InputError"),
    "experiments.runner": ("arena",),
    "feedback": ("Feedback", "Marks", "format_feedback", "parse_feedback"),
    "game": ("Game",),
    "loop": ("play",),
    "partition": ("Partition",),
    "position": ("Position",),
    "rules": ("Rules",),
    "search.paths": ("perft",),
    "tree.optimum": ("optimal",),
    "tree.strategy": ("StrategyTree",),
}
"""Modules, and the public names that each defines."""

__all__ = [
    "CodeSet",
    "Codebreaker",
    "Codemaker",
    "EntropegError",
    "Feedback",
    "Game",
    "InputError",
    "Marks",
    "Partition",
    "Position",
    "Rules",
    "StrategyTree",
    "advise",
    "arena",
    "check_codebreaker",
    "check_codemaker",
    "format_code",
    "format_feedback",
    "optimal",
    "parse_code",
    "parse_feedback",
    "perft",
    "play",
    "review",
    "score",
]

_ROOMS = (
    *("advise", "candidates", "classroom", "codebreakers", "codemakers", "codes", "engine", "errors", "experiments"),
    *("feedback", "game", "plots", "position", "priors", "report", "review", "rules", "search", "tree", "words"),
)
"""Rooms that `dir` shows, and that are found as attributes, as `entropeg.codebreakers` is."""


# Type checkers take the imports above: by this function every misspelled name would be one of the package.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Import a public name, or a room, when it is first asked for."""
        if name in _ROOMS:
            return import_module(f"entropeg.{name}")
        for module, names in _HOMES.items():
            if name in names:
                return getattr(import_module(f"entropeg.{module}"), name)
        raise AttributeError(f"module 'entropeg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS, "__version__"})
