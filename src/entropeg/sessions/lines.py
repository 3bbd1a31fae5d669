"""Makes the lines that a dialog shows, of words, codes and answers; a terminal, page or notebook draws them.

A line is translated whole: codes in it stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg.chosen_language import ENGLISH, spoken_language, translated
from entropeg.codes import CodeSet, format_code
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
    """One line that a dialog shows; `tone` tells its kind, not how it looks.

    `brief` takes the place of a line of a table where its rows are too long for the terminal. A line that `is_told`
    stays as it is, since it is in the language of the hour already, or a file's.
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

    def spoken(self) -> Line:
        """Return the line in the language of the hour, its codes as they are; itself where it is told already.

        >>> Line(("try ", Pegs((0, 0)))).spoken().fragments
        ('try ', Pegs(code=(0, 0)))
        """
        if self.is_told or spoken_language() == ENGLISH:
            return self
        return Line(_spoken(self.fragments), self.tone, _spoken(self.brief), is_told=True)


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


def is_wide(codes: CodeSet) -> bool:
    """Tell whether one of the codes is drawn wider than a line."""
    return not _codes_in_a_line(codes)


def code_lines(codes: CodeSet) -> list[Line]:
    """Show codes, as many on a line as fit where each peg is drawn with a space on either side."""
    width = max(1, _codes_in_a_line(codes))
    listed = list(codes)
    rows = [listed[start : start + width] for start in range(0, len(listed), width)]
    return [say(*(piece for code in row for piece in ("  ", Pegs(code)))) for row in rows]


def _codes_in_a_line(codes: CodeSet) -> int:
    # A line has 78 characters whatever the terminal's width, so that a game reads the same everywhere.
    symbols = codes.rules.symbols
    drawn = max((sum(len(symbols.symbol(color)) + 2 for color in code) for code in codes), default=0)
    return 78 // (drawn + 2)


def _spoken(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    # A character for private use stands for each code or answer while its sentence is translated.
    first, last = 0xF0000, 0xFFFFF
    stands = re.compile(f"([{chr(first)}-{chr(last)}])")
    drawn = [each for each in fragments if not isinstance(each, str)]
    places = iter(range(len(drawn)))
    text = "".join(each if isinstance(each, str) else chr(first + next(places)) for each in fragments)
    if len(stands.findall(text)) != len(drawn):  # somebody has typed such a character
        return tuple(fragments)
    pieces = stands.split(translated(text))
    return tuple(drawn[ord(each) - first] if place % 2 else each for place, each in enumerate(pieces) if each)
