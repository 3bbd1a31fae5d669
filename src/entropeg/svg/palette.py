"""Chooses colors for pegs, as far apart as their number allows, and text colors that can be read on them."""

from __future__ import annotations

from typing import TypeAlias

from entropeg.rules import Rules

Rgb: TypeAlias = tuple[int, int, int]


def _colors(written: str) -> tuple[Rgb, ...]:
    return tuple((red, green, blue) for red, green, blue in map(bytes.fromhex, written.split()))


SIX = _colors("5790fc f89c20 e42536 964a8b 9c9ca1 7a21dd")
EIGHT = _colors("1845fb ff5e02 c91f16 c849a9 adad7d 86c8dd 578dff 656364")
TEN = _colors("3f90da ffa90e bd1f01 94a4a2 832db6 a96b59 e76300 b9ac70 717581 92dadd")
"""Six, eight and ten colors that color-blind readers tell apart, as matplotlib has them: petroff6, petroff8, petroff10.

M. A. Petroff, Accessible Color Sequences for Data Visualization, 2021, arXiv 2107.02270.
"""

MANY = _colors(
    "f0a3ff 0075dc 993f00 4c005c 191919 005c31 2bce48 ffcc99 808080 94ffb5 8f7c00 9dcc00 c20088 003380 "
    "ffa405 ffa8bb 426600 ff0010 5ef1f2 00998f e0ff66 740aff 990000 ffff80 ffe100 ff5005"
)
"""Twenty-six colors, amethyst to zinnia.

P. Green-Armytage, A Colour Alphabet and the Limits of Colour Coding, 2010.
"""

NAMED: dict[str, Rgb] = {
    "red": (214, 30, 30),
    "green": (0, 150, 60),
    "blue": (20, 80, 220),
    "yellow": (250, 225, 40),
    "black": (25, 25, 25),
    "brown": (125, 70, 25),
    "orange": (255, 140, 0),
    "gray": (140, 140, 140),
    "white": (245, 245, 245),
    "purple": (110, 30, 140),
    "pink": (255, 150, 190),
    "cyan": (80, 225, 240),
    "lime": (170, 240, 30),
    "navy": (10, 20, 100),
    "gold": (205, 165, 0),
    "teal": (0, 125, 130),
    "olive": (115, 115, 20),
    "maroon": (120, 0, 30),
    "coral": (255, 115, 95),
    "violet": (160, 80, 255),
    "beige": (235, 220, 180),
    "indigo": (70, 40, 160),
    "silver": (195, 200, 210),
    "mint": (150, 245, 190),
}
"""How the colors that have a name look."""

COURSE = ("red", "green", "blue", "yellow", "black", "brown", "orange", "gray")
"""What the letters R V B J N M O G of the French course stand for."""

BLANK: Rgb = (90, 90, 90)
"""Of a peg left empty."""


def peg_color(color: int, rules: Rules) -> Rgb:
    """Return the color in which a peg is drawn; past 26 they come again, with other numbers.

    >>> peg_color(0, Rules.parse("4x6")), peg_color(6, Rules.parse("4x6"))
    ((87, 144, 252), (90, 90, 90))
    """
    if color >= rules.colors:
        return BLANK
    if rules.alphabet == "names":
        return NAMED[rules.symbols.symbol(color)]
    if rules.alphabet == "course":
        return NAMED[COURSE[color]]
    if rules.shapes:
        # Pegs of one shape have one outline: their colors alone have to be far apart, which two of the eight are not.
        colors = rules.colors // rules.shapes
        return (TEN if len(SIX) < colors <= len(TEN) else palette_of(colors))[color // rules.shapes]
    palette = palette_of(rules.colors)
    return palette[color % len(palette)]


def palette_of(colors: int) -> tuple[Rgb, ...]:
    """Return the smallest palette that has enough colors, the largest where none has.

    >>> [len(palette_of(colors)) for colors in (2, 6, 7, 10, 11, 27)]
    [6, 6, 8, 10, 26, 26]
    """
    return next((palette for palette in (SIX, EIGHT, TEN, MANY) if colors <= len(palette)), MANY)


def hexadecimal(color: Rgb) -> str:
    """Write a color as web pages do.

    >>> hexadecimal((87, 144, 252))
    '#5790fc'
    """
    return "#{:02x}{:02x}{:02x}".format(*color)


def ink(paper: Rgb) -> Rgb:
    """Return black or white, whichever is read better on a color; the contrast is at least 4.5 to 1.

    >>> ink((250, 225, 40)), ink((10, 20, 100))
    ((0, 0, 0), (255, 255, 255))
    """
    black, white = (0, 0, 0), (255, 255, 255)
    return max(black, white, key=lambda color: contrast(color, paper))


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast of two colors, 1 to 21, after the Web Content Accessibility Guidelines 2.1."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Rgb) -> float:
    red, green, blue = (_linear(channel / 255) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
