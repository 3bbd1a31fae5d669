"""The lines that a session shows, of words, codes and answers; a terminal, page or notebook draws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from entropeg.amounts import plural
from entropeg.codes import format_code
from entropeg.errors import in_one_line
from entropeg.feedback import AnyFeedback, Code, format_feedback
from entropeg.position import Position
from entropeg.rules import Blanks, Rules
from entropeg.words import SHIPPED, WordList

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

    `brief` is what a line of a table says where its rows are too long for the terminal.
    """

    fragments: tuple[Fragment, ...]
    tone: Tone = "plain"
    brief: tuple[Fragment, ...] = ()

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


def describe_rules(rules: Rules) -> str:
    """Say in one line what the rules are.

    >>> describe_rules(Rules.parse("classic"))
    '4 pegs, 6 colors (A B C D E F), 1,296 secrets, 12 guesses'
    """
    parts = [_of_words(rules.words)] if rules.words else [plural(rules.pegs, "peg"), _of_colors(rules)]
    parts += [] if rules.repeats else ["no color twice" + (" in the secret" if rules.guess_repeats else "")]
    if rules.blanks:
        where = "guesses and secrets" if rules.blanks == Blanks.both else "guesses"
        parts.append(f"blanks (.) in {where}")
    parts += [rules.feedback.about.summary] if rules.feedback else []
    parts += [] if rules.prior is None else [f"secrets as likely as {rules.prior.source} says"]
    parts.append(plural(rules.secret_count, "secret"))
    parts += [] if rules.guess_limit is None else [plural(rules.guess_limit, "guess", "guesses")]
    return ", ".join(parts)


def _of_colors(rules: Rules) -> str:
    if rules.shapes:
        colors = rules.colors // rules.shapes
        return f"each of {plural(colors, 'color')} (letters) and {plural(rules.shapes, 'shape')} (numbers)"
    return f"{plural(rules.colors, 'color')} ({rules.symbols.describe()})"


def left_out(words: WordList) -> str:
    """Say how many words of a file are not played; empty where all are, and for the lists of the package.

    >>> left_out(WordList.of(["bat", "cat"]))
    ''
    """
    if words.source in SHIPPED or not (words.left_out or words.unfit):
        return ""
    others = [f"{plural(words.left_out, 'word')} of other lengths"] if words.left_out else []
    others += [f"{words.unfit:,} with capitals or signs, or repeated,"] if words.unfit else []
    return f"{' and '.join(others)} left out"


def _of_words(words: WordList) -> str:
    guesses = (
        "any letters" if words.free else "a word" + (f" or one of {len(words.probes):,} probes" * bool(words.probes))
    )
    others = left_out(words)
    left = f" ({others})" if others else ""
    return f"words of {plural(words.pegs, 'letter')} from {words.name}{left}, each guess {guesses}"
