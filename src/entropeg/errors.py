"""The errors of the package, in words that a player understands.

Every error that entropeg raises on purpose is an `EntropegError`. The command line prints its message and
exits with code 2.
"""

from __future__ import annotations

import re

from entropeg.told import Spoken, Told

NEAREST = Told("no code that fits was found in the time: this is the best guess so far")
"""The sentence about a guess that may contradict a turn, wherever a time limit was too small."""


class EntropegError(Exception):
    """Base of every error that entropeg raises on purpose: a sentence, of a template and its values as `Told` is."""

    def __init__(self, template: str = "", /, *values: object, **named: object) -> None:
        super().__init__(template if isinstance(template, Spoken) else Told(template, *values, **named))


class InputError(EntropegError, ValueError):
    """Something given to entropeg cannot be right: the message says what, where, and what would be right."""


class UnreadRowError(InputError):
    """A row of notes cannot be read: what was typed is kept, so that it can be corrected instead of typed again.

    `text` is the line, or the row, as it was typed. `number` is that of the line of a text, or of the row of notes,
    from 1; None for a row by itself.
    """

    def __init__(self, message: str, text: str, number: int | None = None) -> None:
        super().__init__(message)
        self.text: str = text
        self.number: int | None = number

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all of it: processes hand errors on."""
        return type(self), (str(self), self.text, self.number)


class PlayerError(InputError):
    """A player went wrong in a game: `player` is its name, and the message says what it did."""

    def __init__(self, message: str, player: str) -> None:
        super().__init__(message)
        self.player = player

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all of it: processes hand errors on."""
        return type(self), (str(self), self.player)


class TooLargeError(InputError):
    """The board is beyond the reach of the method asked for: the message says how large and what to use instead."""


class NoSuchCodeError(InputError, IndexError):
    """A set of codes has fewer of them: as of a list, the end of it for whoever counts on."""


class NoIndexError(InputError, TypeError):
    """The place of a code in a set is given as something that is no number."""


class ContradictionError(InputError):
    """No secret of the rules fits the feedback given so far."""


class EntropegWarning(RuntimeWarning):
    """Something of the machine or the installation makes entropeg slower, and changes no result."""


class MissingExtraError(EntropegError, ImportError):
    """An optional library is not installed: the message says which extra brings it."""


QUOTED = 72
"""Of a word or a quoted text that is longer than this, the beginning and the end are told."""

PATHS = 256
"""Paths may be so long: one that is shortened cannot be copied."""

_LONG = re.compile(rf"(?<!\w)'[^'/]{{{QUOTED},}}'(?!\w)|\"[^\"/]{{{QUOTED},}}\"|[^\s/]{{{QUOTED},}}|\S{{{PATHS},}}")

SPACES = "\u00a0\u202f"
"""Spaces that do not break, as French has them: no terminal takes them for anything else."""


def printable(text: str) -> str:
    r"""Return a text with escapes in place of the characters that cannot be printed.

    >>> printable("a\x1b[31m\nb")
    'a\\x1b[31m\\nb'
    """
    return "".join(each if each.isprintable() or each in SPACES else ascii(each)[1:-1] for each in text)


def in_one_line(message: str) -> str:
    r"""Return a message as one line that any terminal shows as it is: what was typed may hold anything of any length.

    Characters that cannot be printed are written as escapes, and long words and quotes are shortened in the middle,
    which makes plain text of a sentence: it is said in its language first.

    >>> in_one_line("'x\n\x1b[31m' is no code"), len(in_one_line("9" * 5000))
    ("'x\\n\\x1b[31m' is no code", 72)
    """
    line = _LONG.sub(lambda found: f"{found[0][: QUOTED - 21]}...{found[0][-18:]}", printable(message))
    return message if line == message else line
