"""Writes and reads colors: letters, digits, numbers or names.

An alphabet gives one symbol to each color index 0, 1, 2, ... and one to the blank. It reads and writes
sequences of color indexes and knows nothing of the rules that say which sequences are codes.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from string import ascii_uppercase
from typing import Any

from entropeg.errors import InputError
from entropeg.told import Told

COURSE_LETTERS = "RVBJNMOG"
"""Rouge, vert, bleu, jaune, noir, marron, orange, gris: the letters of the French course on the game."""

COLOR_NAMES = [
    *("red", "green", "blue", "yellow", "black", "brown", "orange", "gray", "white", "purple", "pink", "cyan"),
    *("lime", "navy", "gold", "teal", "olive", "maroon", "coral", "violet", "beige", "indigo", "silver", "mint"),
]

BLANKS = "._"
"""Both are read as the blank peg; the first is written."""

PAIRS = "pairs"
"""Name of the alphabets of pegs with a color and a shape."""

_PAIR = re.compile(r"[^\W\d]\d*|.")
_SEPARATORS = re.compile(r"[\s,;-]+")


@dataclass(frozen=True)
class Alphabet:
    """The symbols of the colors, in color order.

    `name` is how rules text names the alphabet (`letters`, `digits`, `numbers`, `names`, `course`, or the
    symbols themselves).

    >>> Alphabet.named("letters", 6).parse("AB FA")
    (0, 1, 5, 0)
    >>> Alphabet.named("numbers", 30).format((2, 16, 1))
    '3-17-2'
    """

    name: str
    symbols: tuple[str, ...]
    folds: bool = False
    """Whether text is read without regard to case and accents, as a folded word list asks for."""

    @staticmethod
    def default_name(colors: int) -> str:
        """Return `letters` up to 26 colors, else `numbers`."""
        return "letters" if colors <= len(ascii_uppercase) else "numbers"

    @classmethod
    def named(cls, name: str, colors: int) -> Alphabet:
        """Return the alphabet called `name` for that many colors.

        Any other string of distinct characters is taken as the symbols themselves: `named("RVB", 3)`.
        Raises InputError when the alphabet has too few symbols, or repeats one.
        """
        symbols = _symbols(name, colors)
        if len(symbols) < colors:
            raise InputError(
                "the alphabet {alphabet!r} has {symbols} symbols; {colors} colors need {colors}: use numbers",
                *(name, len(symbols), colors),
            )
        return cls(name, tuple(symbols[:colors]))

    @classmethod
    def of_pairs(cls, colors: int, shapes: int) -> Alphabet:
        """Return the alphabet of pegs with a color, a letter, and a shape, a number: `A1` to `E5`.

        Raises InputError beyond 26 colors.

        >>> Alphabet.of_pairs(5, 5).parse("A1B2 c3-e5")
        (0, 6, 12, 24)
        """
        if colors > len(ascii_uppercase):
            raise InputError("{colors} colors of each shape are too many: there are 26 letters to write them", colors)
        letters = ascii_uppercase[:colors]
        return cls(PAIRS, tuple(f"{letter}{shape}" for letter in letters for shape in range(1, shapes + 1)))

    @property
    def is_spelled(self) -> bool:
        """Whether each symbol is one character, so that codes are written without separators."""
        return self.name != "numbers" and all(len(symbol) == 1 for symbol in self.symbols)

    def symbol(self, color: int) -> str:
        """Return the symbol of a color index; the index past the last color is the blank."""
        return self.symbols[color] if color < len(self.symbols) else BLANKS[0]

    def format(self, colors: tuple[int, ...]) -> str:
        """Write color indexes as text: `ABCD`, `3-17-2` or `red-blue`."""
        return ("" if self.is_spelled else "-").join(map(self.symbol, colors))

    def parse(self, text: str) -> tuple[int, ...]:
        """Read text as color indexes; the blank is the index past the last color.

        Case does not matter unless the symbols differ only by case; spaces, commas, semicolons and hyphens
        separate. Raises InputError naming the peg that is not a color.
        """
        pieces = self.split(text)
        lookup = {} if self.name == "numbers" else self._lookup()
        return tuple(self._color(peg, piece, lookup) for peg, piece in enumerate(pieces, start=1))

    def split(self, text: str) -> list[str]:
        """Divide text into what should be the symbols of its pegs, whether they are or not.

        >>> Alphabet.named("letters", 6).split("ab ?x"), Alphabet.named("numbers", 30).split("3-?-17")
        (['a', 'b', '?', 'x'], ['3', '?', '17'])
        """
        text = fold_text(text) if self.folds else unicodedata.normalize("NFC", text)
        pieces = [piece for piece in _SEPARATORS.split(text.strip()) if piece]
        if self.name == PAIRS:
            return [pair for piece in pieces for pair in _PAIR.findall(piece)]
        return [symbol for piece in pieces for symbol in piece] if self.is_spelled else pieces

    def _lookup(self) -> dict[str, int]:
        exact = {symbol: color for color, symbol in enumerate(self.symbols)}
        folded = {symbol.casefold(): color for symbol, color in exact.items()}
        lookup = {**folded, **exact} if len(folded) == len(exact) else exact
        return {**dict.fromkeys(BLANKS, len(self.symbols)), **lookup}

    def _color(self, peg: int, piece: str, lookup: dict[str, int]) -> int:
        color = self._number(piece) if self.name == "numbers" else lookup.get(piece, lookup.get(piece.casefold()))
        if color is None:
            raise InputError("peg {peg} is {piece!r}, which is not a color: use {symbols}", peg, piece, self.describe())
        return color

    def _number(self, piece: str) -> int | None:
        # Numbers are read as such: a table of a million of them would take a second for every code.
        if piece in BLANKS:
            return len(self.symbols)
        is_number = piece.isascii() and piece.isdecimal() and len(piece) <= len(str(len(self.symbols)))
        return int(piece) - 1 if is_number and piece[0] != "0" and int(piece) <= len(self.symbols) else None

    def describe(self) -> str:
        """Say in a few words which symbols there are: `A B C D E F` or `1 to 30`."""
        if len(self.symbols) <= len(ascii_uppercase):
            return " ".join(self.symbols)
        return Told("{first} to {last}, separated by hyphens", self.symbols[0], self.symbols[-1])


@dataclass(frozen=True)
class NamedCodes(Alphabet):
    """The alphabet of codes that have names as a whole: `named` finds the code of a name, `named_by` the reverse."""

    table: Any = None

    def format(self, colors: tuple[int, ...]) -> str:
        """Write the name of a code."""
        return str(self.table.name_of(colors))

    def parse(self, text: str) -> tuple[int, ...]:
        """Read the name of a code; raises InputError with the names most like it."""
        found: tuple[int, ...] | None = self.table.code_named(text.strip())
        if found is None:
            near = get_close_matches(text.strip(), self.symbols, n=3, cutoff=0.6)
            fault = Told("{name!r} is no secret and no question of {table}", text, self.table.name)
            raise (
                InputError("{fault}: {hint}", fault, Told("did you mean {near:or}?", map(repr, near)))
                if near
                else InputError(fault)
            )
        return found

    def split(self, text: str) -> list[str]:
        """Return the name as one piece."""
        return [text.strip()]


def _symbols(name: str, colors: int) -> list[str]:
    if name == "letters":
        return list(ascii_uppercase)
    if name == "digits":
        return list("0123456789" if colors == len("0123456789") else "123456789")
    if name == "numbers":
        return [str(color) for color in range(1, colors + 1)]
    if name == "names":
        return list(COLOR_NAMES)
    return _own_symbols(COURSE_LETTERS if name == "course" else name)


def _own_symbols(text: str) -> list[str]:
    symbols = list(text)
    if len(set(symbols)) < len(symbols):
        raise InputError("the alphabet {alphabet!r} repeats a symbol: each color needs its own", text)
    forbidden = [symbol for symbol in symbols if is_kept(symbol)]
    if forbidden:
        raise InputError(
            "the alphabet {alphabet!r} uses {symbol!r}, which is kept for blanks and separators", text, forbidden[0]
        )
    return symbols


def is_kept(symbol: str) -> bool:
    """Tell whether a character is kept for blanks and separators, so that no color can be written with it."""
    return symbol in BLANKS + "-,;/=" or symbol.isspace()


def fold_text(text: str) -> str:
    """Return a text without case, accents and joined letters.

    >>> fold_text("Élève"), fold_text("Cœur"), fold_text("STRASSE") == fold_text("Straße")
    ('eleve', 'coeur', True)
    """
    apart = unicodedata.normalize("NFD", text.casefold().replace("œ", "oe").replace("æ", "ae"))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return unicodedata.normalize("NFC", bare.casefold())
