"""Chooses colors for pegs, as far apart as their number allows, and text colors that can be read on them."""

from __future__ import annotations

from typing import TypeAlias

from entropeg.rules import Rules

Rgb: TypeAlias = tuple[int, int, int]

FEW: tuple[Rgb, ...] = (
    (213, 94, 0),
    (0, 114, 178),
    (240, 228, 66),
    (0, 158, 115),
    (204, 121, 167),
    (86, 180, 233),
    (230, 159, 0),
    (60, 60, 60),
)
"""Eight colors that color-blind readers tell apart, black as dark gray.

M. Okabe and K. Ito, Color Universal Design, 2008.
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


def peg_color(color: int, rules: Rules) -> Rgb:
    """Return the color in which a peg is drawn; past 26 they come again, with other numbers."""
    if color >= rules.colors:
        return BLANK
    if rules.alphabet == "names":
        return NAMED[rules.symbols.symbol(color)]
    if rules.alphabet == "course":
        return NAMED[COURSE[color]]
    if rules.shapes:
        return MANY[color // rules.shapes % len(MANY)]
    palette = FEW if rules.colors <= len(FEW) else MANY
    return palette[color % len(palette)]


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
