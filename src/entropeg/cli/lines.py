"""The lines that a session shows, of words, codes and answers; a terminal, page or notebook draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg.codes import format_code
from entropeg.errors import in_one_line
from entropeg.feedback import AnyFeedback, Code, format_feedback
from entropeg.position import Position
from entropeg.rules import Rules

Tone: TypeAlias = Literal["plain", "good", "error", "quiet"]


@dataclass(frozen=True)
class Pegs:
    """A code inside a line, to be drawn as colored pegs where there is color."""

    code: Code


@dataclass(frozen=True)
class ShownFeedback:
    """A feedback inside a line."""

    feedback: AnyFeedback


Fragment: TypeAlias = str | Pegs | ShownFeedback


@dataclass(frozen=True)
class Line:
    """One line of what a session says; `tone` tells what it is, not how it looks.

    `brief` is what a line of a table says where its rows are too long for the terminal. A line that `is_told` stays as
    it is, since it is in the language of the hour already, or a file's.
    """

    fragments: tuple[Fragment, ...]
    tone: Tone = "plain"
    brief: tuple[Fragment, ...] = ()
    is_told: bool = False

    def text(self, rules: Rules) -> str:
        """Write the line as plain text.

        >>> Line(("try ", Pegs((0, 0, 1, 1)))).text(Rules())
        'try AABB'
        """
        return "".join(plain(fragment, rules) for fragment in self.fragments).rstrip()


def plain(fragment: Fragment, rules: Rules) -> str:
    """Write one fragment as plain text."""
    if isinstance(fragment, Pegs):
        return format_code(fragment.code, rules)
    return format_feedback(fragment.feedback) if isinstance(fragment, ShownFeedback) else fragment


def say(*fragments: Fragment, tone: Tone = "plain") -> Line:
    """Make a line."""
    return Line(fragments, tone)


def complain(sentence: str) -> Line:
    """Make the line that tells of an error."""
    return Line((in_one_line(sentence),), "error")


def board(position: Position) -> list[Line]:
    """Show the turns so far, one numbered line each."""
    return [turn_line(position, number) for number in range(1, len(position.turns) + 1)]


def turn_line(position: Position, number: int) -> Line:
    """Show one turn, numbered from 1."""
    turn = position.turns[number - 1]
    width = len(str(position.rules.guess_limit or 99))
    return say(f"{number:>{width}}  ", Pegs(turn.guess), "  ", ShownFeedback(turn.feedback))
