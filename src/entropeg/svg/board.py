"""Draws a board: turns below one another, each a code and its marks; for positions, games and their reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from entropeg.chosen_language import translated
from entropeg.feedback import AnyFeedback, Code, Marks
from entropeg.rules import Rules
from entropeg.svg.frame import EDGE, LONGEST_DESCRIPTION, frame, shorten, text, text_width
from entropeg.svg.pegs import (
    code,
    code_in_words,
    code_width,
    feedback_in_words,
    has_tiles,
    holes,
    is_digits,
    marks,
    marks_width,
    pegs_shown,
    row,
)
from entropeg.told import Told, plural, word

MOST_TURNS = 40
"""Turns of a board that are drawn, where its codes are short."""


def draw_board(  # noqa: PLR0913 - what may stand on a board
    rules: Rules,
    turns: Sequence[tuple[Code, AnyFeedback]],
    heading: str,
    *,
    notes: Sequence[str] = (),
    secret: Code | None = None,
    is_open: bool = False,
    beside: Mapping[int, str] | None = None,
    css: str = "eg-board",
) -> str:
    """Return the picture of a board, an SVG of at most 300 kB: heading, turns, notes below, the secret if it is known.

    With `is_open` a row of holes waits for the next guess. `beside` has words that stand beside turns, by their index
    from 0: what a review says of a guess, or how likely a row is wrong. Of more than 40 turns (fewer where codes are
    long) the first and the last are drawn, and a line between says how many more there are.

    >>> picture = draw_board(Rules.parse("4x6"), [((0, 0, 1, 1), (1, 1))], "A game")
    >>> "Guess 1: A A B B, 1 black, 1 white." in picture
    True
    """
    first, last = _shown_turns(rules, len(turns))
    heading, written = translated(heading), [translated(note) for note in (*notes, *_cut_codes(rules))]
    left = EDGE + max(24, 9 * len(str(len(turns))))
    after = left + code_width(rules.pegs, rules) + 20
    y: float = EDGE + 44
    step = row(rules)
    pieces: list[str] = []
    said: list[str] = []
    marked = max((marks_width(feedback, as_numbers=is_digits(rules)) for _, feedback in turns), default=0)
    width, beside = after + marked, beside or {}
    for number in [*range(first), *range(len(turns) - last, len(turns))]:
        if number == len(turns) - last and first + last < len(turns):
            count = len(turns) - first - last
            more = translated(plural(count, "and {n} more turn", "and {n} more turns"))
            pieces.append(text(left, y + 4, more, "eg-muted"))
            said.append(f"{more[0].upper()}{more[1:]}.")
            y += step
        guess, feedback = turns[number]
        pieces.append(_turn(rules, number, guess, feedback, (left, after, y)))
        played, answer = code_in_words(guess, rules), feedback_in_words(feedback, guess, rules)
        said.append(translated(Told("Guess {number}: {code}, {answer}.", number + 1, played, answer)))
        if words := translated(beside.get(number, "")):
            pieces.append(text(after + marked + 16, y + 4, words))
            said.append(f"{words[0].upper()}{words[1:]}.")
            width = max(width, after + marked + 16 + text_width(words))
        y += step
    if is_open:
        pieces += [_number(left, y, len(turns)), f"<g>{holes(rules.pegs, rules, left, y)}</g>"]
        y += step
    if secret is not None:
        pieces += [_rule(y - step / 2 + 4, EDGE, after - 20), code(secret, rules, left, y + 10)]
        label = translated(word("drawing", "secret"))
        pieces.append(text(after, y + 14, label, "eg-muted"))
        said.append(translated(Told("The secret is {code}.", code_in_words(secret, rules))))
        width = max(width, after + text_width(label))
        y += step + 10
    for note in written:
        pieces.append(text(EDGE, y, note, "eg-muted"))
        y += 20
    lines = (heading, *written)
    width = max(width, *(EDGE + text_width(line) for line in lines))
    top = text(EDGE, EDGE + 10, heading, "eg-heading")
    height = y + (-20 if written else -step / 2) + EDGE
    said = said or [translated(Told("No turns yet."))]
    played = shorten(" ".join(said), LONGEST_DESCRIPTION - 400)  # notes are said in any case
    described = " ".join([played, *(f"{shorten(note)}." for note in written)])
    return frame((width + EDGE, height), (heading, described), [top, *pieces], css)


def _shown_turns(rules: Rules, turns: int) -> tuple[int, int]:
    # Three quarters from the beginning, and the rest from the end, where the game is decided.
    most = max(8, min(MOST_TURNS, 640 // pegs_shown(rules.pegs)))  # 640 pegs at most, and so 300 kB at most
    return (turns, 0) if turns <= most else (most * 3 // 4, most - most * 3 // 4)


def _turn(rules: Rules, number: int, guess: Code, feedback: AnyFeedback, at: tuple[float, float, float]) -> str:
    left, after, y = at
    by_peg = feedback if isinstance(feedback, Marks) and has_tiles(rules) else None
    drawn, marked = code(guess, rules, left, y, by_peg), marks(feedback, after, y, as_numbers=is_digits(rules))
    return f'<g class="eg-turn">{_number(left, y, number)}{drawn}{marked}</g>'


def _number(left: float, y: float, number: int) -> str:
    return text(left - 8, y + 4, str(number + 1), "eg-muted", "end")


def _rule(y: float, left: float, right: float) -> str:
    return f'<path class="eg-line" d="M{left:g} {y:g}H{right:g}"/>'


def _cut_codes(rules: Rules) -> list[Told]:
    shown, pegs = pegs_shown(rules.pegs), plural(rules.pegs, "{n} peg", "{n} pegs")
    return [Told("the first {shown} of {pegs} are drawn", shown, pegs)] if shown < rules.pegs else []
