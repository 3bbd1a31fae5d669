"""entropeg: a Mastermind laboratory.

Play the game, be advised, break codes of any size, prove what is optimal, compare strategies, teach with it.
The names below are imported when they are first used, so that `import entropeg` costs next to nothing. No
module has the name of a public function: the module would take its place once imported.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from entropeg.codebreakers.check import check_codebreaker
    from entropeg.codemakers.check import check_codemaker
    from entropeg.codes import CodeSet, format_code, parse_code
    from entropeg.errors import EntropegError
    from entropeg.experiments.runner import arena
    from entropeg.feedback import Feedback, Marks, format_feedback, parse_feedback, score
    from entropeg.game import Game
    from entropeg.loop import play
    from entropeg.partition import Partition
    from entropeg.paths import perft
    from entropeg.position import Position
    from entropeg.rules import Rules

__version__ = "0.1.0"

_HOME = {
    "CodeSet": "codes",
    "EntropegError": "errors",
    "Feedback": "feedback",
    "Game": "game",
    "Marks": "feedback",
    "Partition": "partition",
    "Position": "position",
    "Rules": "rules",
    "arena": "experiments.runner",
    "check_codebreaker": "codebreakers.check",
    "check_codemaker": "codemakers.check",
    "format_code": "codes",
    "format_feedback": "feedback",
    "parse_code": "codes",
    "parse_feedback": "feedback",
    "perft": "paths",
    "play": "loop",
    "score": "feedback",
}

__all__ = [
    "CodeSet",
    "EntropegError",
    "Feedback",
    "Game",
    "Marks",
    "Partition",
    "Position",
    "Rules",
    "arena",
    "check_codebreaker",
    "check_codemaker",
    "format_code",
    "format_feedback",
    "parse_code",
    "parse_feedback",
    "perft",
    "play",
    "score",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'entropeg' has no attribute {name!r}")
    return getattr(import_module(f"entropeg.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
