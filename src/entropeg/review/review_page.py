"""The page of a review: one HTML file that asks for nothing else, with pictures, numbers and words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from entropeg.chosen_language import spoken_language, translated
from entropeg.report.page import whole_page
from entropeg.review.account import Review
from entropeg.review.drawing import codes_curve, draw_turns, par_curve
from entropeg.review.wording import COLUMNS, hundredths, turn_in_numbers, turn_notes
from entropeg.told import Told, words

MOST_PAGES = 100
"""Games that a page shows turn by turn; of more, the table alone has all."""


def review_page(
    reviews: Sequence[tuple[str, Review]],
    *,
    lines: Sequence[str] = (),
    tables: Sequence[tuple[str, Sequence[Sequence[str]]]] = (),
) -> str:
    """Return a page of reviews, each with its name, in the language of the hour; `lines` are said of all together.

    `tables` stand at the end, each with a caption and a heading in its first row: what other players would have done.
    """
    title = translated(
        Told("Review of {game}", reviews[0][0])
        if len(reviews) == 1
        else Told("Review of {count:,} games", len(reviews))
    )
    body = [f"<header><h1>{escape(title)}</h1></header>"]
    body += [f"<p>{escape(translated(line))}</p>" for line in lines]
    if len(reviews) > 1:
        body.append(_table(reviews))
    body += [_section(name, review, is_alone=len(reviews) == 1) for name, review in reviews[:MOST_PAGES]]
    if len(reviews) > MOST_PAGES:
        said = Told("The first {count} games are shown turn by turn.", MOST_PAGES)
        body.append(f"<p>{escape(translated(said))}</p>")
    body += [_rows(rows[0], rows[1:], caption) for caption, rows in tables]
    head = '<meta name="color-scheme" content="light dark">\n'
    return whole_page(title, "\n".join(body), head, language=spoken_language())


def _table(reviews: Sequence[tuple[str, Review]]) -> str:
    rows = [
        (name, str(review.guesses), *map(hundredths, (review.par, review.loss, review.luck)))
        for name, review in reviews
    ]
    names = words("column", "game", "guesses", "par", "lost", "luck")
    return _rows(names, rows)


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """A table whose cells say on narrow screens what they are; there the empty ones are left out."""
    top = "".join(f"<th>{escape(translated(cell))}</th>" for cell in head)
    body = "".join(f"<tr>{_row(head, row)}</tr>\n" for row in rows)
    caption = translated(caption)
    said = f"<caption>{escape(f'{caption[0].upper()}{caption[1:]}')}.</caption>" if caption else ""
    return f'<div class="wide"><table>{said}<thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def _row(head: Sequence[str], row: Sequence[str]) -> str:
    cells = [f'<th scope="row">{escape(translated(row[0]))}</th>']
    for label, cell in zip(head[1:], row[1:], strict=True):
        said = f'<td data-label="{escape(translated(label))}">{escape(translated(cell))}</td>'
        cells.append(said if cell else "<td></td>")
    return "".join(cells)


def _section(name: str, review: Review, *, is_alone: bool) -> str:
    rules = review.position.rules
    pieces = ["" if is_alone else f"<h2>{escape(translated(name))}</h2>"]
    account, adjusted = (escape(translated(line)) for line in (review.line, review.adjusted_line))
    pieces.append(f"<p><strong>{account}</strong><br>{adjusted}</p>")
    pieces.append(draw_turns(rules, review.turns, []))
    curves = codes_curve(review.turns), par_curve(review.turns, review.remaining)
    pieces.append(f"<div>{''.join(curves)}</div>")
    pieces.append(_rows(COLUMNS, [turn_in_numbers(turn, rules) for turn in review.turns]))
    notes = [
        Told("Turn {number}: {note}.", turn.number, note) for turn in review.turns for note in turn_notes(turn, rules)
    ]
    if notes:
        items = "".join(f"<li>{escape(translated(note))}</li>" for note in notes)
        pieces.append(f"<ul>{items}</ul>")
    return f"<section>{''.join(pieces)}</section>"
