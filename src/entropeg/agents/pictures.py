"""Draws the turns of a game as pixels, as environments that learn from pictures take them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from entropeg.feedback import AnyFeedback
from entropeg.kinds.answers import NamedAnswer
from entropeg.kinds.marks import Marks
from entropeg.position import Position
from entropeg.svg.palette import BLANK, peg_color

CELL = 16
"""Pixels of a peg, each way; a mark takes half of them."""
MOST_CELLS = 4_000
"""Pegs that are drawn: of larger boards the last rows."""

PAPER, HOLE, BLACK, WHITE, BLUE = (245, 245, 240), (215, 215, 205), (20, 20, 20), (255, 255, 255), (87, 144, 252)


def pixels(position: Position, rows: int) -> NDArray[np.uint8]:
    """Return `uint8[16 * rows, 16 * pegs + 8 * marks + 24, 3]`: a row for each turn, the marks beside the pegs."""
    rules = position.rules
    pegs, marks = rules.pegs, max(rules.pegs, 1)
    shown = max(1, min(rows, MOST_CELLS // pegs))
    picture = np.full((CELL * shown, CELL * (pegs + 1) + CELL // 2 * (marks + 1), 3), PAPER, np.uint8)
    disc = _disc(CELL)
    small, turns = _disc(CELL // 2), position.turns[-shown:]
    for row in range(shown):
        top = row * CELL
        for peg in range(pegs):
            color = HOLE if row >= len(turns) else _color(turns[row].guess[peg], position)
            picture[top : top + CELL, peg * CELL : (peg + 1) * CELL][disc] = color
        for at, color in enumerate(_marks(turns[row].feedback) if row < len(turns) else []):
            left = CELL * (pegs + 1) + at * CELL // 2
            picture[top + CELL // 4 : top + CELL * 3 // 4, left : left + CELL // 2][small] = color
    return picture


def _color(color: int, position: Position) -> tuple[int, int, int]:
    return BLANK if color >= position.rules.colors else peg_color(color, position.rules)


def _marks(answer: AnyFeedback) -> list[tuple[int, int, int]]:
    if isinstance(answer, Marks):
        return [(HOLE, WHITE, BLACK)[mark] for mark in answer]
    if isinstance(answer, NamedAnswer):  # the label, in twos
        return [BLACK if answer[0] >> bit & 1 else HOLE for bit in range(answer[0].bit_length())]
    return [color for number, color in zip(answer, (BLACK, WHITE, BLUE), strict=False) for _ in range(number)]


def _disc(size: int) -> NDArray[np.bool_]:
    at = np.arange(size) - (size - 1) / 2
    return at[:, None] ** 2 + at**2 <= (size / 2 - 0.75) ** 2
