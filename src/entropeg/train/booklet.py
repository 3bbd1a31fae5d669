"""A booklet for a class: puzzles first, their solutions after them, as one HTML page that prints well, or as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import islice

from entropeg import arguments
from entropeg.chosen_language import spoken_language, translated
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.position import format_turn
from entropeg.report.page import whole_page
from entropeg.svg.board import draw_board
from entropeg.svg.parts import draw_parts
from entropeg.told import Joined, Told, plural
from entropeg.train.puzzle import Theme, TrainingPuzzle
from entropeg.train.telling import heading, question, solution

MOST = 500
"""Most puzzles of a booklet."""


def booklet(puzzles: Iterator[TrainingPuzzle], number: int) -> list[TrainingPuzzle]:
    """Take a number of puzzles, `MOST` at most; raises InputError where there are fewer."""
    number = arguments.whole(number, "the number of puzzles", least=1, most=MOST)
    found = list(islice(puzzles, number))
    if len(found) < number:
        raise InputError("there are only {puzzles}: ask for no more", plural(len(found), "{n} puzzle", "{n} puzzles"))
    return found


def booklet_page(puzzles: Sequence[TrainingPuzzle], title: str) -> str:
    """Return the booklet as an HTML page that needs no other file, in the language of the hour.

    >>> from entropeg.train import puzzles
    >>> page = booklet_page(booklet(puzzles("3x6", "deduce", seed=1), 2), "Two puzzles")
    >>> page.count("<article"), page.count("<svg")
    (4, 2)
    """
    title = translated(title)
    asked = "\n".join(_asked(number, puzzle) for number, puzzle in enumerate(puzzles, start=1))
    solved = "\n".join(_solved(number, puzzle) for number, puzzle in enumerate(puzzles, start=1))
    lead = Joined(
        (
            Told("{puzzles}; the solutions follow.", plural(len(puzzles), "{n} puzzle", "{n} puzzles")),
            Told("The difficulty is the share of seven built-in codebreakers that fail."),
        ),
        " ",
    )
    body = (
        f'<header><h1>{escape(title)}</h1><p class="quiet">{escape(translated(lead))}</p></header>\n'
        f'<main class="puzzles">\n{asked}\n</main>\n'
        f'<section class="solutions"><h2>{escape(translated(Told("Solutions")))}</h2>\n'
        f'<div class="puzzles">\n{solved}\n</div></section>'
    )
    style = files("entropeg.train").joinpath("booklet.css").read_text(encoding="utf-8")
    return whole_page(title, body, f"<style>\n{style}</style>\n", language=spoken_language())


def booklet_text(puzzles: Sequence[TrainingPuzzle], title: str) -> str:
    """Return the booklet as plain text, in the language of the hour."""
    lines = [translated(title), ""]
    for number, puzzle in enumerate(puzzles, start=1):
        turns = [f"  {row}  {format_turn(turn, puzzle.rules)}" for row, turn in enumerate(puzzle.turns, start=1)]
        lines += [f"{number}. {translated(heading(puzzle))}", *turns, translated(question(puzzle)), ""]
    lines += [translated(Told("Solutions")), ""]
    for number, puzzle in enumerate(puzzles, start=1):
        lines.append(f"{number}. {' '.join(map(translated, solution(puzzle)))}")
    return "\n".join([*lines, ""])


def _asked(number: int, puzzle: TrainingPuzzle) -> str:
    picture = board_picture(puzzle, f"{number}. {translated(heading(puzzle))}")
    return f"<article>{picture}<p>{escape(translated(question(puzzle)))}</p></article>"


def _solved(number: int, puzzle: TrainingPuzzle) -> str:
    told = "".join(f"<p>{escape(translated(sentence))}</p>" for sentence in solution(puzzle))
    head = escape(translated(heading(puzzle)))
    return f"<article><h3>{number}. {head}</h3>{told}{parts_picture(puzzle)}</article>"


def board_picture(puzzle: TrainingPuzzle, head: str) -> str:
    """Draw the position of a puzzle as an SVG, with a row for the guess that is asked for."""
    return draw_board(puzzle.rules, puzzle.turns, head, is_open=puzzle.theme is not Theme.mend)


def parts_picture(puzzle: TrainingPuzzle) -> str:
    """Draw what the first guess that solves a puzzle does to the codes left, as an SVG; empty where no guess is asked.

    Up to 24 codes are drawn one by one, each with the answer that it gives; of more their numbers by answer.
    """
    if puzzle.theme in {Theme.deduce, Theme.mend}:
        return ""
    rules, guess = puzzle.rules, puzzle.answers[0]
    parts = puzzle.parts(guess)
    made = plural(len(parts), "{n} part", "{n} parts")
    counts = Told("{codes} in {parts}", plural(len(puzzle.codes), "{n} code", "{n} codes"), made)
    if len(puzzle.codes) <= 24:
        rows = [(code, answer) for answer, codes in parts.items() for code in codes]
        head = Told("What {guess} would get from each code: {counts}", format_code(guess, rules), counts)
        return draw_board(rules, rows, translated(head))
    sizes = {answer: len(codes) for answer, codes in parts.items()}
    return draw_parts(sizes, translated(counts), guess=guess, rules=rules)
