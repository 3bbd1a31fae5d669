"""What can go wrong, said in words a player understands.

Every error that entropeg raises on purpose is an `EntropegError`. The command line prints its message and
exits with code 2.
"""

from __future__ import annotations

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it: 128 + SIGINT."""

NEAREST = "no code that fits was found in the time: this is the best guess so far"
"""What is said of a guess that may contradict a turn, wherever a time limit was too small."""


class EntropegError(Exception):
    """Base of every error that entropeg raises on purpose."""


class InputError(EntropegError, ValueError):
    """Something given to entropeg cannot be right: the message says what, where, and what would be right."""


class TooLargeError(InputError):
    """The board is beyond the reach of the method asked for: the message says how large and what to use instead."""


class ContradictionError(InputError):
    """No secret of the rules fits the feedback given so far."""


class MissingExtraError(EntropegError, ImportError):
    """An optional library is not installed: the message says which extra brings it."""
