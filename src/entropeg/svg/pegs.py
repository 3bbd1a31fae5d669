"""Draws the pieces of a board: pegs and letter tiles, whole codes, and the marks of a feedback."""

from __future__ import annotations

from collections.abc import Sequence

from entropeg.feedback import AnyFeedback, Marks
from entropeg.kinds.answers import NamedAnswer
from entropeg.kinds.kind import MARKS_WRITTEN_OUT, counted
from entropeg.rules import Rules
from entropeg.svg.frame import escape, text, text_width
from entropeg.svg.outlines import RADIUS, outline_of
from entropeg.svg.palette import hexadecimal, ink, peg_color
from entropeg.told import Joined, Template, Told, word

ROW = 36
"""Pixels from code to code, where symbols stand in their pegs."""


def has_tiles(rules: Rules) -> bool:
    """Tell whether codes are letters or digits, which are drawn as tiles and not as colored pegs.

    >>> has_tiles(Rules.parse("bulls-and-cows")), has_tiles(Rules.parse("4x6"))
    (True, False)
    """
    return rules.words is not None or is_digits(rules)


def is_digits(rules: Rules) -> bool:
    """Tell whether codes are digits, as in Bulls and Cows, where marks are counted in numbers."""
    return rules.alphabet == "digits"


def column(rules: Rules) -> int:
    """Return the pixels from peg to peg: more where long symbols stand below their pegs."""
    # 32 pixels, where symbols stand in their pegs.
    return max(32, round(text_width("x" * _longest(rules), 10)) + 8)


def row(rules: Rules) -> int:
    """Return the pixels from code to code: more where symbols stand below their pegs."""
    return ROW if _longest(rules) <= 2 else ROW + 14  # a peg has room for two characters


def _longest(rules: Rules) -> int:
    # Numbers only become longer, and there may be a million; no other alphabet has more than a few hundred symbols.
    symbols = rules.symbols.symbols
    return len(symbols[-1]) if rules.alphabet == "numbers" else max(map(len, symbols))


def peg(color: int, rules: Rules, x: float, y: float, mark: int | None = None) -> str:
    """Draw a peg around a center: its color, its outline and its symbol; a blank as a dashed hole.

    Under rules with letters or digits it is a tile, in the color of its mark where it has one (0, 1 or 2).

    >>> peg(0, Rules.parse("4x6"), 20, 20)[:71]
    '<path class="eg-peg eg-color-0" fill="#5790fc" d="M8.6 20a11.4 11.4 0 1'
    """
    if color >= rules.colors:
        return f'<circle class="eg-hole" cx="{x:g}" cy="{y:g}" r="{RADIUS * 0.6:g}"/>'
    symbol = rules.symbols.symbol(color)
    if has_tiles(rules):
        return _tile(symbol, x, y, mark)
    fill = peg_color(color, rules)
    outline = outline_of(color, rules)
    shape = f'<path class="eg-peg eg-color-{color}" fill="{hexadecimal(fill)}" d="{outline.path(x, y)}"/>'
    if len(symbol) > 2:
        return shape + text(x, y + RADIUS + 11, symbol, "eg-small", "middle")
    below = y + 4 + outline.drop * RADIUS
    return (
        f'{shape}<text class="eg-letter" fill="{hexadecimal(ink(fill))}" x="{x:g}" y="{below:g}" text-anchor="middle">'
        f"{escape(symbol)}</text>"
    )


def _tile(symbol: str, x: float, y: float, mark: int | None) -> str:
    inks = ("#ffffff", "#1f2328", "#ffffff")  # on the tile of each mark
    css, ink_ = ("eg-tile", "") if mark is None else (f"eg-mark{mark}", f' fill="{inks[mark]}"')
    half = RADIUS + 1
    return (
        f'<rect class="{css}" x="{x - half:g}" y="{y - half:g}" width="{2 * half}" height="{2 * half}" rx="4"/>'
        f'<text class="eg-face"{ink_} x="{x:g}" y="{y + 5.5:g}" text-anchor="middle">{escape(symbol)}</text>'
    )


def pegs_shown(pegs: int) -> int:
    """Return how many pegs of a code are drawn.

    >>> pegs_shown(4), pegs_shown(32), pegs_shown(200)
    (4, 32, 31)
    """
    # Of longer codes the first 31 pegs are drawn, and how many more there are.
    return pegs if pegs <= 32 else 31


def code(colors: Sequence[int], rules: Rules, x: float, y: float, marks: Sequence[int] | None = None) -> str:
    """Draw a code from its left edge, its pegs in a row around `y`; `code_width` is how wide it comes.

    Codes of more than 32 pegs end in how many more there are. `marks` color tiles.
    """
    step, shown = column(rules), pegs_shown(len(colors))
    pieces = [
        peg(color, rules, x + step * (place + 0.5), y, None if marks is None else marks[place])
        for place, color in enumerate(colors[:shown])
    ]
    if shown < len(colors):
        pieces.append(text(x + step * shown + 4, y + 4, f"+{len(colors) - shown}", "eg-muted"))
    return "".join(pieces)


def code_width(pegs: int, rules: Rules) -> float:
    """Return the pixels that a code takes."""
    shown = pegs_shown(pegs)
    return shown * column(rules) + (text_width(f"+{pegs - shown}") + 4 if shown < pegs else 0)


def holes(pegs: int, rules: Rules, x: float, y: float) -> str:
    """Draw a code that is not yet there: a dashed hole for each peg."""
    step = column(rules)
    return "".join(peg(rules.colors, rules, x + step * (place + 0.5), y) for place in range(pegs_shown(pegs)))


def marks(feedback: AnyFeedback, x: float, y: float, *, as_numbers: bool = False) -> str:
    """Draw feedback from its left edge: a disc for each black, a ring for each white, a half disc for each blue.

    More than 12, or with `as_numbers`, are one of each kind and its number. Positional feedback is a tile a peg: green
    with a disc, yellow with a ring, gray with a point. Without any mark a dash.

    >>> marks((1, 0), 0, 20)
    '<circle class="eg-black" cx="6" cy="20" r="5"/>'
    """
    if isinstance(feedback, Marks):
        return "".join(
            _positional(mark, x + 20 * place + 9, y) for place, mark in enumerate(feedback[: pegs_shown(len(feedback))])
        )
    if not any(feedback):
        return text(x, y + 4, "–", "eg-muted")
    signs = _disc, _ring, _half
    if as_numbers or sum(feedback) > MARKS_WRITTEN_OUT:
        pieces = []
        for sign, number in zip(signs, feedback, strict=False):
            pieces += [sign(x + 6, y), text(x + 16, y + 4.5, str(number))] if number else []
            x += 30 + text_width(str(number)) if number else 0
        return "".join(pieces)
    drawn = [sign for sign, number in zip(signs, feedback, strict=False) for _ in range(number)]
    return "".join(sign(x + 6 + 16 * place, y) for place, sign in enumerate(drawn))


def marks_width(feedback: AnyFeedback, *, as_numbers: bool = False) -> float:
    """Return the pixels that the marks of a feedback take."""
    if isinstance(feedback, Marks):
        return 20.0 * pegs_shown(len(feedback))
    if as_numbers or sum(feedback) > MARKS_WRITTEN_OUT:
        return sum(30 + text_width(str(number)) for number in feedback if number)
    return 16 * max(1, sum(feedback))


def _disc(x: float, y: float) -> str:
    return f'<circle class="eg-black" cx="{x:g}" cy="{y:g}" r="5"/>'


def _ring(x: float, y: float) -> str:
    return f'<circle class="eg-white" cx="{x:g}" cy="{y:g}" r="5"/>'


def _half(x: float, y: float) -> str:
    return f'{_ring(x, y)}<path class="eg-black" d="M{x:g} {y - 5:g}a5 5 0 0 0 0 10z"/>'


def _positional(mark: int, x: float, y: float) -> str:
    tile = f'<rect class="eg-mark{mark}" x="{x - 8:g}" y="{y - 8:g}" width="16" height="16" rx="3"/>'
    center = f'cx="{x:g}" cy="{y:g}"'
    return (
        tile
        + (
            f'<circle fill="#fff" {center} r="1.75"/>',
            f'<circle fill="none" stroke="#1f2328" stroke-width="1.75" {center} r="3.75"/>',
            f'<circle fill="#fff" {center} r="4.5"/>',
        )[mark]
    )


def code_in_words(colors: Sequence[int], rules: Rules) -> str:
    """Say a code, its symbols one after the other, a word as a word.

    >>> code_in_words((0, 1, 6), Rules.parse("3x6/blanks")), code_in_words((0,) * 200, Rules.parse("200x6"))[-24:]
    ('A B blank', ' A A A and 169 more pegs')
    """
    shown = pegs_shown(len(colors))
    if rules.words is not None:
        said = rules.symbols.format(tuple(colors[:shown]))
    else:
        blank = word("code", "blank")
        symbols = (rules.symbols.symbol(color) if color < rules.colors else blank for color in colors[:shown])
        said = Joined(symbols, " ")
    return Told("{code} and {more} more pegs", said, len(colors) - shown) if shown < len(colors) else said


def feedback_in_words(feedback: AnyFeedback, colors: Sequence[int], rules: Rules) -> str:
    """Say a feedback: how many marks of each kind, or for each peg of the guess whether it is in place.

    >>> from entropeg.feedback import Feedback
    >>> feedback_in_words(Feedback(2, 1), (0, 1, 2, 3), Rules.parse("4x6"))
    '2 black, 1 white'
    >>> feedback_in_words(Marks((2, 0)), (0, 1), Rules.parse("2x6/positional"))
    'A in place, B not in the secret'
    """
    if isinstance(feedback, Marks):
        pairs = list(zip(colors, feedback, strict=True))[: pegs_shown(len(feedback))]
        signs = (Template("{color} not in the secret"), Template("{color} elsewhere"), Template("{color} in place"))
        return Joined([Told(signs[mark], code_in_words((color,), rules)) for color, mark in pairs], ", ")
    return counts_in_words(feedback)


def counts_in_words(feedback: AnyFeedback) -> str:
    """Say how many marks of each kind a feedback has; without the guess, positional ones are counted too.

    An answer of a table is said as it is written.

    >>> counts_in_words((0, 0)), counts_in_words((0, 2))
    ('no marks', '2 white')
    """
    if isinstance(feedback, NamedAnswer):
        return feedback.name
    numbers = (feedback.black, feedback.white) if isinstance(feedback, Marks) else feedback
    said = [marks for number, marks in zip(numbers, counted(numbers), strict=True) if number]
    return Joined(said, ", ") if said else Told("no marks")
