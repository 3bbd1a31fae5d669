"""Describes in a few words the options that may follow a board, each after a slash: for `list` and for completion."""

from __future__ import annotations

from entropeg.kinds import FeedbackKind

RULE_OPTIONS = {
    "no-repeats": "no color twice, in secrets and guesses",
    "guess-repeats": "guesses may repeat colors though secrets do not",
    "blanks": "holes (.) in guesses",
    "blanks-in-secrets": "holes (.) in guesses and secrets",
    **{kind.name: kind.about.summary for kind in FeedbackKind if kind.about.is_option},
    "limit=N": "number of guesses after which the game is lost",
    "letters": "colors A B C ... (the default up to 26)",
    "digits": "colors 1 2 3 ..., or 0 to 9 where there are ten",
    "numbers": "colors 1-2-3-...",
    "names": "colors red, green, blue, ...",
    "course": "colors R V B J N M O G",
    "alphabet=SYMBOLS": "colors of your own, one character each",
    "shapes=N": "colors in N shapes: Grand Mastermind, as 4x25/shapes=5",
    "prior=NAME": "how likely secrets are: distinct, uniform, or a file",
}
"""What may follow the size, each after a slash."""
