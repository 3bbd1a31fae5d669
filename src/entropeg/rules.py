"""The rules of one game: sizes, what may be guessed and hidden, what the feedback tells, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

from entropeg.alphabet import Alphabet
from entropeg.errors import InputError
from entropeg.sizes import code_count, label_count


class FeedbackKind(IntEnum):
    """What the codemaker's answer tells. The numbers are those of the kernels."""

    standard = 0
    """Black for each peg in place; white for each further color shared, counted with multiplicity."""
    black = 1
    """Only the number of pegs in place."""
    membership = 2
    """Black, and white for each misplaced peg of the guess whose color occurs in the secret, without multiplicity."""
    positional = 3
    """A mark per peg, as in Wordle: black in place; white elsewhere, from the left while copies of the color remain."""


class Blanks(IntEnum):
    """Where a hole may be left empty."""

    none = 0
    guesses = 1
    """In guesses only: a hole never scores."""
    both = 2
    """In secrets too: a hole is one further color."""


PRESETS = {
    "classic": "4x6/limit=12",
    "super": "5x8/limit=12",
    "bulls-and-cows": "4x10/no-repeats/digits",
    "course": "4x8/course",
}
"""The classic game, Super Mastermind, the paper game with digits, and the board of the French course."""

_SIZE = re.compile(r"(\d{1,6})\s*[xX×]\s*(\d{1,6})")
_NAMED_ALPHABETS = ("letters", "digits", "numbers", "names", "course")


@dataclass(frozen=True)
class Rules:
    """The rules of a game, immutable and hashable; every other object of entropeg takes them.

    `pegs` and `colors` are at least 1. `repeats` says whether a secret may use a color twice, `guess_repeats`
    whether a guess may (default: as the secret). Blanks, where allowed, may always repeat. `guess_limit` is
    the number of guesses after which the game is lost, None for no limit. `alphabet` is a name that
    `Alphabet.named` knows, or the symbols themselves.

    Raises InputError where the rules exclude each other.

    >>> rules = Rules.parse("4x10/no-repeats/digits")
    >>> rules.secret_count, str(rules)
    (5040, '4x10/no-repeats/digits')
    """

    pegs: int = 4
    colors: int = 6
    repeats: bool = True
    guess_repeats: bool | None = None
    blanks: Blanks = Blanks.none
    feedback: FeedbackKind = FeedbackKind.standard
    guess_limit: int | None = None
    alphabet: str = ""

    def __post_init__(self) -> None:
        """Fill what is left open and refuse rules that exclude each other."""
        _check_sizes(self.pegs, self.colors)
        if self.guess_repeats is None:
            object.__setattr__(self, "guess_repeats", self.repeats)
        object.__setattr__(self, "blanks", Blanks(self.blanks))
        object.__setattr__(self, "feedback", FeedbackKind(self.feedback))
        object.__setattr__(self, "alphabet", self.alphabet or Alphabet.default_name(self.colors))
        _check_repeats(self)
        if self.guess_limit is not None and self.guess_limit < 1:
            raise InputError(f"the guess limit is {self.guess_limit}; it must be at least 1")
        Alphabet.named(self.alphabet, self.colors)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read rules from text: a size or a preset, then options, each after a slash.

        Sizes are pegs x colors: `4x6`. Presets: `classic`, `super`, `bulls-and-cows`, `course`. Options:
        `no-repeats`, `guess-repeats` (guesses may repeat colors though secrets do not), `blanks` (in
        guesses), `blanks-in-secrets`, `black`, `membership`, `positional`, `limit=N` (`limit=none`), and an
        alphabet: `letters`, `digits`, `numbers`, `names`, `course` or `alphabet=SYMBOLS`. Raises InputError
        naming the part that cannot be read.
        """
        head, *options = [part.strip() for part in text.strip().split("/")]
        preset = PRESETS.get(head.casefold())
        if preset is not None:
            return cls.parse("/".join([preset, *options]))
        size = _SIZE.fullmatch(head)
        if size is None:
            presets = ", ".join(PRESETS)
            raise InputError(f"{head!r} is not a board: write pegs x colors, as in 4x6, or one of {presets}")
        fields: dict[str, object] = {"pegs": int(size[1]), "colors": int(size[2])}
        for option in options:
            fields.update(_read_option(option))
        return cls(**fields)  # type: ignore[arg-type]  # _read_option gives each field its own type

    def __str__(self) -> str:
        """Write the rules as `Rules.parse` reads them."""
        return "/".join([f"{self.pegs}x{self.colors}", *self._options()])

    def _options(self) -> list[str]:
        options = [] if self.repeats else ["no-repeats"]
        if self.guess_repeats and not self.repeats:
            options.append("guess-repeats")
        if self.blanks:
            options.append("blanks" if self.blanks == Blanks.guesses else "blanks-in-secrets")
        if self.feedback:
            options.append(self.feedback.name)
        if self.alphabet != Alphabet.default_name(self.colors):
            options.append(self.alphabet if self.alphabet in _NAMED_ALPHABETS else f"alphabet={self.alphabet}")
        if self.guess_limit is not None:
            options.append(f"limit={self.guess_limit}")
        return options

    def with_limit(self, limit: int | None) -> Rules:
        """Return the same rules with another guess limit."""
        return replace(self, guess_limit=limit)

    @cached_property
    def symbols(self) -> Alphabet:
        """The alphabet in which codes of these rules are written."""
        return Alphabet.named(self.alphabet, self.colors)

    @property
    def symbols_in_guesses(self) -> int:
        """How many different values a peg of a guess can take: the colors, and the blank where guesses allow it."""
        return self.colors + (self.blanks != Blanks.none)

    @property
    def symbols_in_secrets(self) -> int:
        """How many different values a peg of a secret can take: the colors, and the blank where secrets allow it."""
        return self.colors + (self.blanks == Blanks.both)

    @cached_property
    def secret_count(self) -> int:
        """Exact number of secrets that the rules allow."""
        blank = self.blanks == Blanks.both
        return code_count(self.pegs, self.symbols_in_secrets, repeats=self.repeats, blank=blank)

    @cached_property
    def guess_count(self) -> int:
        """Exact number of guesses that the rules allow; every secret is one of them."""
        blank = self.blanks != Blanks.none
        return code_count(self.pegs, self.symbols_in_guesses, repeats=bool(self.guess_repeats), blank=blank)

    @property
    def kind(self) -> int:
        """The feedback kind as the kernels number it."""
        return int(self.feedback)

    @cached_property
    def label_count(self) -> int:
        """One more than the largest label that feedback can have; not every label below it occurs."""
        return label_count(self.kind, self.pegs)

    @cached_property
    def win_label(self) -> int:
        """The label of the feedback that ends the game: every peg in place."""
        whites = self.feedback in (FeedbackKind.standard, FeedbackKind.membership)
        return self.pegs * (self.pegs + 1) if whites else self.label_count - 1


def _check_sizes(pegs: int, colors: int) -> None:
    for name, size in (("pegs", pegs), ("colors", colors)):
        if size < 1:
            raise InputError(f"{pegs}x{colors} has {size} {name}; a board needs at least 1 of them, as in 4x6")


def _check_repeats(rules: Rules) -> None:
    if rules.repeats and not rules.guess_repeats:
        raise InputError("guesses may not repeat colors though secrets may: such a secret could never be guessed")
    if not rules.repeats and rules.colors < rules.pegs and rules.blanks != Blanks.both:
        wanted = f"at least {rules.pegs} colors, or repeats"
        raise InputError(f"{rules.pegs}x{rules.colors} without repeats has no code: it needs {wanted}")


def _read_option(option: str) -> dict[str, object]:
    name, _, value = option.partition("=")
    name = name.strip().casefold()
    if name in _FLAGS and not value:
        return _FLAGS[name]
    if name == "limit":
        return {"guess_limit": None if value.casefold() == "none" else _whole_number(value)}
    if name == "alphabet" and value:
        return {"alphabet": value}
    known = ", ".join([*_FLAGS, "limit=N", "alphabet=SYMBOLS"])
    raise InputError(f"{option!r} is not an option of the rules: they are {known}")


def _whole_number(text: str) -> int:
    if not text.strip().isdecimal():
        raise InputError(f"the guess limit is {text!r}; it must be a whole number, or none")
    return int(text)


_FLAGS: dict[str, dict[str, object]] = {
    "no-repeats": {"repeats": False},
    "guess-repeats": {"guess_repeats": True},
    "blanks": {"blanks": Blanks.guesses},
    "blanks-in-secrets": {"blanks": Blanks.both},
    **{kind.name: {"feedback": kind} for kind in FeedbackKind},
    **{name: {"alphabet": name} for name in _NAMED_ALPHABETS},
}
