"""Writes puzzles as cards for Anki: the position on the front, the solution and what other guesses lose on the back.

The file is text with the header lines that Anki's manual describes ("Importing", "Text Files"), and no package of
Anki's: that is a database whose tables change with Anki's versions, while every Anki since 2.1.54 reads these lines.
Pictures stand in the text, so that no other file is needed. A puzzle has one id for good: to import it again, in
another language or from a later version, updates the card and keeps what Anki knows of it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from io import StringIO

from entropeg.chosen_language import translated
from entropeg.codes import drawn_code, format_code
from entropeg.files import FileKind
from entropeg.position import format_turn
from entropeg.svg.frame import DARK, LIGHT
from entropeg.told import Told, word
from entropeg.train.booklet import board_picture, parts_picture
from entropeg.train.puzzle import TrainingPuzzle
from entropeg.train.telling import heading, question, solution

_TAG = "entropeg"

CARDS = FileKind(
    Told("cards of entropeg for Anki"),
    lambda content: content.startswith(b"#separator:") and f"\n#tags:{_TAG}\n".encode() in content,
)


def _colors(selector: str, colors: dict[str, str]) -> str:
    return f"{selector}{{{''.join(f'--eg-{name}:{color};' for name, color in colors.items())}}}"


# Anki's night mode is a class of its page, and no matter of the system's.
_STYLE = (
    f"<style>{_colors('.entropeg', LIGHT)}{_colors('.nightMode .entropeg,.night_mode .entropeg', DARK)}"
    ".entropeg svg{max-width:100%;height:auto}</style>"
)


def anki_cards(puzzles: Sequence[TrainingPuzzle]) -> str:
    r"""Return the text of a file that Anki imports (File, Import), a card a puzzle, in the language of the hour.

    Cards go into a deck for each board, `Mastermind::4x6`, with their theme as a tag. About 10 kB a card.

    >>> from itertools import islice
    >>> from entropeg.train import puzzles
    >>> lines = anki_cards(list(islice(puzzles("3x6", "deduce", seed=1), 2))).splitlines()
    >>> len(lines), lines[0], [line[:32].split("\t") for line in lines[-2:]]
    (10, '#separator:tab', [['d22589c706309d32', 'Mastermind::3x6'], ['56a409c4e75eb2cf', 'Mastermind::3x6']])
    """
    header = {
        "separator": "tab",
        "html": "true",
        "tags": _TAG,
        "guid column": "1",
        "deck column": "2",
        # As Anki names its first type of notes, a question and an answer, in the language of the cards.
        "notetype": translated(word("anki", "Basic")),
        "tags column": "5",
        "if matches": "update current",
    }
    written = StringIO()
    written.writelines(f"#{name}:{value}\n" for name, value in header.items())
    writer = csv.writer(written, delimiter="\t", lineterminator="\n")
    for puzzle in puzzles:
        deck = f"Mastermind::{puzzle.rules}"
        tags = f"{_TAG}::{puzzle.theme} {_TAG}::{puzzle.rules}"
        writer.writerow((_id(puzzle), deck, _field(_front(puzzle)), _field(_back(puzzle)), tags))
    return written.getvalue()


def _id(puzzle: TrainingPuzzle) -> str:
    # What is asked, in no language: 64 bits, so that no two of a million puzzles are likely to share one.
    asked = [puzzle.theme.value, str(puzzle.rules), *(format_turn(turn, puzzle.rules) for turn in puzzle.turns)]
    asked += [format_code(puzzle.played.guess, puzzle.rules)] if puzzle.played else []
    return sha256("\n".join(asked).encode()).hexdigest()[:16]


def _field(pieces: Iterator[str]) -> str:
    return f'<div class="entropeg">{_STYLE}{"".join(pieces)}</div>'.replace("\n", " ")


def _front(puzzle: TrainingPuzzle) -> Iterator[str]:
    yield board_picture(puzzle, translated(heading(puzzle))).strip()
    yield _paragraph(question(puzzle))


def _back(puzzle: TrainingPuzzle) -> Iterator[str]:
    yield from map(_paragraph, [*solution(puzzle), *losses(puzzle)])
    yield parts_picture(puzzle).strip()


def _paragraph(sentence: str) -> str:
    return f"<p>{escape(translated(sentence))}</p>"


def losses(puzzle: TrainingPuzzle) -> list[Told]:
    """Tell what the best of the codes left that do not solve a puzzle loses, and that all its numbers are exact.

    >>> from entropeg.train import puzzles
    >>> print(*losses(next(puzzles("4x6", "trap", seed=1))))
    Of the codes left, EDFB is the best that does not solve it: it loses 0.20 guesses. All these numbers are exact.
    """
    if puzzle.best is None:
        return []
    exact = Told("All these numbers are exact.")
    if len(puzzle.codes) > 24:  # as many as are drawn
        return [exact]
    judged = [(puzzle.judge(code), code) for code in puzzle.codes]
    wrong = [(judgment.loss, code) for judgment, code in judged if judgment.loss is not None and not judgment.is_solved]
    if not wrong:
        return [exact]
    loss, code = min(wrong)
    best = Told(
        "Of the codes left, {code} is the best that does not solve it: it loses {loss:.2f} guesses.",
        *(drawn_code(code, puzzle.rules), loss),
    )
    return [best, exact]
