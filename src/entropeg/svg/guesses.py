"""Draws guesses below one another, each with its numbers: what advice and comparisons of players show."""

from __future__ import annotations

from collections.abc import Sequence

from entropeg.chosen_language import translated
from entropeg.feedback import Code
from entropeg.rules import Rules
from entropeg.svg.frame import EDGE, frame, text, text_width
from entropeg.svg.pegs import code, code_in_words, code_width, row
from entropeg.told import Told


def draw_guesses(
    rules: Rules,
    columns: Sequence[str],
    rows: Sequence[tuple[Code, Sequence[str]]],
    heading: str,
    *,
    notes: Sequence[str] = (),
) -> str:
    """Return the picture of guesses with their numbers, an SVG: a row for each guess, a column for each number.

    Each row has a text for every column. Codes of boards with many pegs are cut, as everywhere.

    >>> picture = draw_guesses(Rules.parse("4x6"), ["bits"], [((0, 0, 1, 2), ["3.04"])], "The best guess")
    >>> "A A B C: bits 3.04." in picture
    True
    """
    heading, notes = translated(heading), [translated(note) for note in notes]
    columns = [translated(column) for column in columns]
    gap = 18  # pixels between columns
    left = EDGE + code_width(rules.pegs, rules) + gap
    ends = []
    for number, column in enumerate(columns):
        left += max(text_width(cell) for cell in (column, *(cells[number] for _, cells in rows)))
        ends.append(left)
        left += gap
    y = EDGE + 40.0
    pieces = [text(EDGE, EDGE + 10, heading, "eg-heading")]
    pieces += [text(end, y, column, "eg-muted", "end") for end, column in zip(ends, columns, strict=True)]
    said = []
    for guess, cells in rows:
        y += row(rules)
        drawn = "".join(text(end, y + 4, cell, "", "end") for end, cell in zip(ends, cells, strict=True))
        pieces.append(f'<g class="eg-guess">{code(guess, rules, EDGE - 4, y)}{drawn}</g>')
        told = ", ".join(f"{column} {cell}" for column, cell in zip(columns, cells, strict=True))
        said.append(translated(Told("{code}: {facts}.", code_in_words(guess, rules), told)))
    y += row(rules) / 2
    for note in notes:
        y += 20
        pieces.append(text(EDGE, y, note, "eg-muted"))
        said.append(f"{note}.")
    width = max([left, *(EDGE + text_width(line) for line in (heading, *notes))])
    return frame((width + EDGE - gap, y + EDGE), (heading, " ".join(said)), pieces, "eg-guesses")
