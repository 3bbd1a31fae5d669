"""Draws the parts of a partition as bars: the marks of each feedback, and how many codes it leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from entropeg.chosen_language import translated
from entropeg.feedback import AnyFeedback, Code
from entropeg.rules import Rules
from entropeg.svg.frame import EDGE, frame, text, text_width
from entropeg.svg.pegs import code, code_in_words, code_width, counts_in_words, is_digits, marks, marks_width, row
from entropeg.svg.pegs import feedback_in_words as in_words
from entropeg.told import Told, plural

MOST_PARTS = 30
"""Parts that are drawn; the others are one line."""


def draw_parts(
    sizes: Mapping[AnyFeedback, int],
    heading: str,
    *,
    guess: Code,
    rules: Rules | None = None,
    notes: Sequence[str] = (),
    chances: Mapping[AnyFeedback, float] | None = None,
) -> str:
    """Return the picture of a partition, an SVG of at most 150 kB: the guess, then a bar for each part, largest first.

    Without rules the guess is not drawn. Beyond 30 parts the smallest are one line. Where parts have chances, their
    percentage stands beside the number of codes.

    >>> picture = draw_parts({(2, 0): 1, (0, 2): 3}, "4 codes in 2 parts", guess=(0, 1), rules=Rules.parse("2x4"))
    >>> "2 white: 3 codes. 2 black: 1 code." in picture
    True
    """
    heading, notes = translated(heading), [translated(note) for note in notes]
    ordered = sorted(sizes.items(), key=lambda part: -part[1])
    shown, rest = ordered[:MOST_PARTS], ordered[MOST_PARTS:]
    as_numbers = rules is not None and is_digits(rules)
    bar = EDGE + max((marks_width(feedback, as_numbers=as_numbers) for feedback, _ in shown), default=0) + 16
    y: float = EDGE + 40
    pieces = [text(EDGE, EDGE + 10, heading, "eg-heading")]
    said: list[str] = []
    largest_bar, step = 260, 24  # pixels
    width = bar + largest_bar + 110
    if rules is not None:
        pieces.append(code(guess, rules, EDGE - 4, y + 4))
        said.append(translated(Told("The guess is {code}.", code_in_words(guess, rules))))
        width = max(width, EDGE + code_width(len(guess), rules))
        y += row(rules) + 12
    largest = max((size for _, size in shown), default=1)
    for feedback, size in shown:
        label = translated(
            Told("{codes:count} · {chance:.2%}", size, chances[feedback]) if chances else Told("{codes:count}", size)
        )
        length = max(2, largest_bar * size / largest)
        bars = f'<rect class="eg-bar" x="{bar:g}" y="{y - 7:g}" width="{length:.4g}" height="14" rx="3"/>'
        words = text(bar + length + 8, y + 4.5, label)
        pieces.append(f'<g class="eg-part">{marks(feedback, EDGE, y, as_numbers=as_numbers)}{bars}{words}</g>')
        answer = counts_in_words(feedback) if rules is None else in_words(feedback, guess, rules)
        counted = translated(Told("{answer}: {codes}.", answer, plural(size, "{n} code", "{n} codes")))
        said.append(f"{counted[0].upper()}{counted[1:]}")
        y += step
    if rest:
        codes = plural(sum(size for _, size in rest), "{n} code", "{n} codes")
        more = translated(plural(len(rest), "and {n} more part with {codes}", "and {n} more parts with {codes}", codes))
        pieces.append(text(EDGE, y + 4, more, "eg-muted"))
        said.append(f"{more[0].upper()}{more[1:]}.")
        y += step
    for note in notes:
        pieces.append(text(EDGE, y + 12, note, "eg-muted"))
        said.append(f"{note}.")
        y += 20
    width = max(width, *(EDGE + text_width(line) for line in (heading, *notes)))
    return frame((width + EDGE, y + EDGE - 8), (heading, " ".join(said)), pieces, "eg-parts")
