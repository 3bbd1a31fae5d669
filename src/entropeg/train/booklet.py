"""A booklet for a class: puzzles first, their solutions after them, as one HTML page that prints well, or as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import islice

from entropeg import arguments
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import format_feedback
from entropeg.position import format_turn
from entropeg.report.page import whole_page
from entropeg.rules import Rules
from entropeg.svg.board import draw_board
from entropeg.svg.parts import draw_parts
from entropeg.texts import translate, translate_drawing
from entropeg.told import Told, plural
from entropeg.train.puzzle import Theme, TrainingPuzzle
from entropeg.train.telling import Piece, Sentence, heading, is_feedback, question, solution

MOST = 500
"""Most puzzles of a booklet."""


def booklet(puzzles: Iterator[TrainingPuzzle], number: int) -> list[TrainingPuzzle]:
    """Take a number of puzzles, `MOST` at most; raises InputError where there are fewer."""
    number = arguments.whole(number, "the number of puzzles", least=1, most=MOST)
    found = list(islice(puzzles, number))
    if len(found) < number:
        raise InputError("there are only {puzzles}: ask for no more", plural(len(found), "{n} puzzle", "{n} puzzles"))
    return found


def booklet_page(puzzles: Sequence[TrainingPuzzle], title: str, *, language: str = "en") -> str:
    """Return the booklet as an HTML page that needs no other file, its sentences in a language, `en` or `fr`.

    The title is in that language already. Raises InputError for a language that there is not.

    >>> from entropeg.train import puzzles
    >>> page = booklet_page(booklet(puzzles("3x6", "deduce", seed=1), 2), "Two puzzles")
    >>> page.count("<article"), page.count("<svg")
    (4, 2)
    """
    asked = "\n".join(_asked(number, puzzle, language) for number, puzzle in enumerate(puzzles, start=1))
    solved = "\n".join(_solved(number, puzzle, language) for number, puzzle in enumerate(puzzles, start=1))
    count = translate(
        Told("{puzzles}; the solutions follow.", plural(len(puzzles), "{n} puzzle", "{n} puzzles")), language
    )
    measure = translate(Told("The difficulty is the share of seven built-in codebreakers that fail."), language)
    body = Told(
        '<header><h1>{escape}</h1><p class="quiet">{escape2}</p></header>\n<main class="puzzles">\n'
        '{asked}\n</main>\n<section class="solutions"><h2>{translate}</h2>\n<div class="puzzles">\n'
        "{solved}\n</div></section>",
        escape(title),
        escape(f"{count} {measure}"),
        asked,
        translate("Solutions", language),
        solved,
    )
    style = files("entropeg.train").joinpath("booklet.css").read_text(encoding="utf-8")
    return whole_page(title, body, f"<style>\n{style}</style>\n", language=language)


def booklet_text(puzzles: Sequence[TrainingPuzzle], title: str, *, language: str = "en") -> str:
    """Return the booklet as plain text, its sentences in a language; the title is in that language already."""

    def told(text: str) -> str:
        return translate(text, language)

    lines = [title, ""]
    for number, puzzle in enumerate(puzzles, start=1):
        rules = puzzle.position.rules
        turns = [f"  {row}  {format_turn(turn, rules)}" for row, turn in enumerate(puzzle.position.turns, start=1)]
        lines += [f"{number}. {told(heading(puzzle))}", *turns, told(plain(question(puzzle), rules)), ""]
    lines += [told("Solutions"), ""]
    for number, puzzle in enumerate(puzzles, start=1):
        solved = [told(plain(sentence, puzzle.position.rules)) for sentence in solution(puzzle)]
        lines.append(f"{number}. {' '.join(solved)}")
    return "\n".join([*lines, ""])


def plain(sentence: Sentence, rules: Rules) -> str:
    """Write a sentence as text."""
    return "".join(_written(piece, rules) for piece in sentence)


def _written(piece: Piece, rules: Rules) -> str:
    if isinstance(piece, str):
        return piece
    return format_feedback(piece) if is_feedback(piece) else format_code(piece, rules)


def _asked(number: int, puzzle: TrainingPuzzle, language: str) -> str:
    rules, turns = puzzle.position.rules, puzzle.position.turns
    head = f"{number}. {translate(heading(puzzle), language)}"
    picture = translate_drawing(draw_board(rules, turns, head, is_open=puzzle.theme is not Theme.mend), language)
    return f"<article>{picture}<p>{escape(translate(plain(question(puzzle), rules), language))}</p></article>"


def _solved(number: int, puzzle: TrainingPuzzle, language: str) -> str:
    rules = puzzle.position.rules
    told = "".join(f"<p>{escape(translate(plain(sentence, rules), language))}</p>" for sentence in solution(puzzle))
    head = escape(translate(heading(puzzle), language))
    return Told(
        "<article><h3>{number}. {head}</h3>{told}{parts}</article>", number, head, told, _parts(puzzle, language)
    )


def _parts(puzzle: TrainingPuzzle, language: str) -> str:
    if puzzle.theme in {Theme.deduce, Theme.mend}:
        return ""
    rules, guess = puzzle.position.rules, puzzle.answers[0]
    parts = puzzle.parts(guess)
    counts = Told(
        "{codes} in {parts}",
        plural(len(puzzle.codes), "{n} code", "{n} codes"),
        plural(len(parts), "{n} part", "{n} parts"),
    )
    # Up to 24 codes are drawn, each with the answer that it gives.
    if len(puzzle.codes) <= 24:
        rows = [(code, answer) for answer, codes in parts.items() for code in codes]
        head = translate(
            Told("What {guess} would get from each code: {counts}", format_code(guess, rules), counts), language
        )
        return translate_drawing(draw_board(rules, rows, head), language)
    sizes = {answer: len(codes) for answer, codes in parts.items()}
    drawn = draw_parts(sizes, translate(counts, language), guess=guess, rules=rules)
    return translate_drawing(drawn, language)
