"""Gives pegs their outlines, so that no two pegs differ by color alone where colors look alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import cos, pi, sin

from entropeg.rules import Rules
from entropeg.svg.palette import COURSE, NAMED
from entropeg.told import word

RADIUS = 12
"""Of a peg, in pixels."""


@dataclass(frozen=True)
class Outline:
    """The shape of a peg, about as large as a circle of radius 1, and how far below its center its letter stands.

    Without corners it is a circle.

    >>> Outline("square", ((-1, -1), (1, -1), (1, 1), (-1, 1))).path(100, 50)
    'M88 38l24 0 0 24 -24 0z'
    """

    name: str
    corners: tuple[tuple[float, float], ...] = ()
    drop: float = 0.0

    def path(self, x: float, y: float) -> str:
        """Return the data of an SVG path around that center."""
        start, steps = self._steps
        return f"M{x + start[0]:g} {y + start[1]:g}{steps}"

    @cached_property
    def _steps(self) -> tuple[tuple[float, float], str]:
        # Relative steps are the same for every peg, and shorter than corners.
        if not self.corners:
            width = 2 * 0.95 * RADIUS  # with this radius the circle looks as large as the other outlines
            bow = f"a{width / 2:g} {width / 2:g} 0 1 0"
            return (-width / 2, 0.0), f"{bow} {width:g} 0{bow} {-width:g} 0z"
        corners = [(round(RADIUS * x, 1), round(RADIUS * y, 1)) for x, y in self.corners]
        pairs = pairwise(corners)
        steps = " ".join(f"{round(bx - ax, 1):g} {round(by - ay, 1):g}" for (ax, ay), (bx, by) in pairs)
        return corners[0], f"l{steps}z"


def _star() -> tuple[tuple[float, float], ...]:
    turns = [(pi * step / 5 - pi / 2, 1.2 if step % 2 == 0 else 0.66) for step in range(10)]
    return tuple((far * cos(turn), far * sin(turn) + 0.06) for turn, far in turns)


OUTLINES: tuple[Outline, ...] = (
    Outline(word("shape", "circle")),
    Outline(word("shape", "square"), ((-0.84, -0.84), (0.84, -0.84), (0.84, 0.84), (-0.84, 0.84))),
    Outline(word("shape", "diamond"), ((0, -1.16), (1.16, 0), (0, 1.16), (-1.16, 0))),
    Outline(word("shape", "triangle"), ((0, -1.1), (1.16, 0.88), (-1.16, 0.88)), 0.2),
    Outline(
        word("shape", "hexagon"), ((-1.06, 0), (-0.54, -0.92), (0.54, -0.92), (1.06, 0), (0.54, 0.92), (-0.54, 0.92))
    ),
    Outline(word("shape", "star"), _star(), 0.08),
    Outline(
        word("shape", "cross"),
        (
            *((-0.46, -1.02), (0.46, -1.02), (0.46, -0.46), (1.02, -0.46), (1.02, 0.46), (0.46, 0.46)),
            *((0.46, 1.02), (-0.46, 1.02), (-0.46, 0.46), (-1.02, 0.46), (-1.02, -0.46), (-0.46, -0.46)),
        ),
    ),
    Outline(word("shape", "shield"), ((-0.86, -0.9), (0.86, -0.9), (0.86, 0.22), (0, 1.08), (-0.86, 0.22)), -0.12),
)


def outline_of(color: int, rules: Rules) -> Outline:
    """Return the outline of a peg: with shapes, that of its shape; past the number of outlines they come again.

    >>> [outline_of(color, Rules.parse("4x6")).name for color in range(4)]
    ['circle', 'square', 'diamond', 'triangle']
    """
    return OUTLINES[_number(color, rules)]


def _number(color: int, rules: Rules) -> int:
    if color >= rules.colors:
        return 0
    if rules.shapes:
        return color % rules.shapes % len(OUTLINES)
    if rules.alphabet in {"names", "course"}:
        return _of_name(rules.symbols.symbol(color) if rules.alphabet == "names" else COURSE[color])
    # Outlines of the 26 colors: colors nearer than a CIEDE2000 distance of 12, for the color-blind too, have different
    # ones, and all outlines occur about as often; `tests/svg/test_svg_colors.py` holds this for every palette.
    many = "01234567" + "0132457601" + "23456014"
    return color % len(OUTLINES) if rules.colors <= 10 else int(many[color % len(many)])


@lru_cache(maxsize=32)
def _of_name(name: str) -> int:
    # In the order of the names, chosen like those of the 26 colors (see `_number`).
    return int("012345670123457620314657"[list(NAMED).index(name)])
