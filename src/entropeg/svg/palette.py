"""Chooses colors for pegs, as far apart as their number allows, and text colors that can be read on them."""

from __future__ import annotations

from typing import TypeAlias

from entropeg.rules import Rules

Rgb: TypeAlias = tuple[int, int, int]

SIX: tuple[Rgb, ...] = ((87, 144, 252), (248, 156, 32), (228, 37, 54), (150, 74, 139), (156, 156, 161), (122, 33, 221))
EIGHT: tuple[Rgb, ...] = (
    (24, 69, 251),
    (255, 94, 2),
    (201, 31, 22),
    (200, 73, 169),
    (173, 173, 125),
    (134, 200, 221),
    (87, 141, 255),
    (101, 99, 100),
)
TEN: tuple[Rgb, ...] = (
    (63, 144, 218),
    (255, 169, 14),
    (189, 31, 1),
    (148, 164, 162),
    (131, 45, 182),
    (169, 107, 89),
    (231, 99, 0),
    (185, 172, 112),
    (113, 117, 129),
    (146, 218, 221),
)
"""Six, eight and ten colors that color-blind readers tell apart, as matplotlib has them: petroff6, petroff8, petroff10.

M. A. Petroff, Accessible Color Sequences for Data Visualization, 2021, arXiv 2107.02270.
"""

MANY: tuple[Rgb, ...] = (
    (240, 163, 255),
    (0, 117, 220),
    (153, 63, 0),
    (76, 0, 92),
    (25, 25, 25),
    (0, 92, 49),
    (43, 206, 72),
    (255, 204, 153),
    (128, 128, 128),
    (148, 255, 181),
    (143, 124, 0),
    (157, 204, 0),
    (194, 0, 136),
    (0, 51, 128),
    (255, 164, 5),
    (255, 168, 187),
    (66, 102, 0),
    (255, 0, 16),
    (94, 241, 242),
    (0, 153, 143),
    (224, 255, 102),
    (116, 10, 255),
    (153, 0, 0),
    (255, 255, 128),
    (255, 225, 0),
    (255, 80, 5),
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
