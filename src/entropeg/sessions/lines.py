"""Makes the lines that a dialog shows, of words, codes and answers; a terminal, page or notebook draws them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from entropeg.chosen_language import pieces, translated
from entropeg.codes import CodeSet, drawn_code
from entropeg.errors import in_one_line
from entropeg.feedback import drawn_feedback
from entropeg.position import Position
from entropeg.told import Drawn, Joined, Spoken, Told

Tone: TypeAlias = Literal["plain", "good", "error", "quiet"]


@dataclass(frozen=True)
class Line:
    """One line that a dialog shows; `tone` tells its kind, not how it looks.

    `brief` takes the place of a line of a table where its rows are too long for the terminal.
    """

    says: str
    tone: Tone = "plain"
    brief: str = ""

    def pieces(self, *, is_brief: bool = False) -> list[str]:
        """Return the line in the language of the hour: texts, and each `Drawn` as it is.

        >>> from entropeg.rules import Rules
        >>> say("Try {guess}.", drawn_code((0, 0, 1, 1), Rules())).pieces()
        ['Try ', 'AABB', '.']
        """
        if self.tone == "error":  # what was typed may hold anything of any length
            return [in_one_line(translated(self.says))]
        runs = groupby(pieces(self.brief if is_brief else self.says), lambda each: isinstance(each, Drawn))
        return [each for is_drawn, run in runs for each in (run if is_drawn else ["".join(run)])]

    @property
    def text(self) -> str:
        """The line as plain text, in the language of the hour.

        >>> from entropeg.rules import Rules
        >>> say("Try {guess}.", drawn_code((0, 0, 1, 1), Rules())).text
        'Try AABB.'
        """
        return "".join(self.pieces()).rstrip()


def say(sentence: str = "", *values: object, tone: Tone = "plain") -> Line:
    """Make a line of a sentence, or of a template and its values."""
    return Line(sentence if isinstance(sentence, Spoken) else Told(sentence, *values), tone)


def joined(*parts: str, tone: Tone = "plain") -> Line:
    """Make a line of parts that stand one after the other."""
    return Line(Joined(parts), tone)


def complain(error: object) -> Line:
    """Make the line that tells of an error."""
    return Line(str(error), "error")


def board(position: Position) -> list[Line]:
    """Show the turns so far, one numbered line each."""
    return [turn_line(position, number) for number in range(1, len(position.turns) + 1)]


def turn_line(position: Position, number: int) -> Line:
    """Show one turn, numbered from 1."""
    turn = position.turns[number - 1]
    width = len(str(position.rules.guess_limit or 99))
    return joined(f"{number:>{width}}  ", drawn_code(turn.guess, position.rules), "  ", drawn_feedback(turn.feedback))


def is_wide(codes: CodeSet) -> bool:
    """Tell whether one of the codes is drawn wider than a line."""
    return not _codes_in_a_line(codes)


def code_lines(codes: CodeSet) -> list[Line]:
    """Show codes, as many on a line as fit where each peg is drawn with a space on either side."""
    width = max(1, _codes_in_a_line(codes))
    listed = list(codes)
    rows = [listed[start : start + width] for start in range(0, len(listed), width)]
    return [joined(*(piece for code in row for piece in ("  ", drawn_code(code, codes.rules)))) for row in rows]


def _codes_in_a_line(codes: CodeSet) -> int:
    # A line has 78 characters whatever the terminal's width, so that a game reads the same everywhere.
    symbols = codes.rules.symbols
    drawn = max((sum(len(symbols.symbol(color)) + 2 for color in code) for code in codes), default=0)
    return 78 // (drawn + 2)
