"""Draws reviews: the board with what each guess lost, and two small curves, codes left and guesses to go."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2

from entropeg.advise.expectation import Expectation
from entropeg.chosen_language import translated
from entropeg.review.turns import TurnReview, is_known
from entropeg.review.wording import hundredths, luck_in_words, rarity_in_words
from entropeg.rules import Rules
from entropeg.svg.board import draw_board
from entropeg.svg.frame import EDGE, frame, text, text_width
from entropeg.told import Joined, Told, plural

WIDTH, HEIGHT = 260, 90
"""Pixels of a curve, without its edge."""


def beside_turn(turn: TurnReview) -> str:
    """Return the words beside a turn of the board: `good, lost .06, bad luck −.05`."""
    said: str = Told("lost {lost}, {luck}", hundredths(turn.loss), luck_in_words(turn.luck))
    rare = rarity_in_words(turn)
    said = Joined((said, " (", rare, ")")) if rare else said
    return said if turn.mark is None else Joined((turn.mark.told, said), ", ")


def draw_turns(rules: Rules, turns: Sequence[TurnReview], notes: Sequence[str]) -> str:
    """Return the picture of a review: the board, beside each turn its mark, loss and luck, and notes below."""
    beside = {place: translated(beside_turn(turn)) for place, turn in enumerate(turns)}
    played, heading = [turn.turn for turn in turns], translated(Told("{rules}, reviewed", rules))
    return draw_board(rules, played, heading, notes=[*map(translated, notes)], beside=beside, css="eg-review")


def codes_curve(turns: Sequence[TurnReview]) -> str:
    """Return the picture of how many codes were left after each turn, in bits; empty where nobody can count them."""
    counts = [turns[0].before, *(turn.after for turn in turns)]
    known = [count for count in counts if count is not None]
    if len(known) < len(counts):
        return ""
    labels = [Told("{number:,}", count) for count in known]
    return _curve(Told("codes left, by turn"), [log2(count) for count in known], labels)


def par_curve(turns: Sequence[TurnReview], remaining: Expectation) -> str:
    """Return the picture of how many guesses the best play was expected to take after each turn; empty if unknown."""
    if not all(map(is_known, (*(turn.value for turn in turns), remaining))):
        return ""
    values = [*(turn.value.value for turn in turns), remaining.value]
    return _curve(Told("guesses to go, by turn"), values, [Told("{number:.2f}", value) for value in values])


def _curve(heading: Told, values: Sequence[float], numbers: Sequence[Told]) -> str:
    """A line from the start of the game to its end, on a scale from 0."""
    title, labels = translated(heading), [*map(translated, numbers)]
    top, steps = max([*values, 1e-9]), max(1, len(values) - 1)
    first, base = EDGE + 10, EDGE + 26 + HEIGHT
    points = [(first + WIDTH * place / steps, base - HEIGHT * value / top) for place, value in enumerate(values)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    pieces = [
        text(EDGE, EDGE + 4, title, "eg-heading"),
        f'<path class="eg-line" d="M{first} {base}H{first + WIDTH}"/>',
        f'<path class="eg-line" style="stroke:var(--ink)" d="M{line}"/>',
    ]
    wide = max(map(text_width, labels)) + 4
    every = ceil(wide * steps / WIDTH)  # so that numbers do not overlap
    # Up to 24 points have a mark and a number.
    if len(values) <= 24:
        for place, ((x, y), label) in enumerate(zip(points, labels, strict=True)):
            # The last number stands beside its point: above it the line may come down steeply.
            is_last = place == steps
            over, up, anchor = (8, -4, "start") if is_last else (0, 7, "middle" if place else "start")
            pieces.append(f'<circle class="eg-bar" cx="{x:.1f}" cy="{y:.1f}" r="3"/>')
            if is_last or place % every == 0:
                pieces.append(text(round(x + over, 1), round(y - up, 1), label, "eg-muted", anchor))
            pieces.append(text(round(x, 1), base + 16, str(place), "eg-muted", "middle"))
    said = translated(
        Joined(
            (
                plural(place, "after {n} turn {number}", "after {n} turns {number}", number)
                for place, number in enumerate(numbers)
            ),
            ", ",
        )
    )
    width = max(first + WIDTH + 8 + text_width(labels[-1]), EDGE + text_width(title)) + EDGE
    return frame((width, base + 16 + EDGE), (title, said[0].upper() + said[1:] + "."), pieces, "eg-curve")
