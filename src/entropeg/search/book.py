"""The best first and second guesses of boards whose exact search takes more than a moment, from a file.

`python benchmarks/make_book.py` makes the file again. An entry of one opening holds for all that a permutation of
pegs and colors maps to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import TYPE_CHECKING, Any

from entropeg.codes import parse_code
from entropeg.feedback import Code, format_feedback
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.position import Position


@dataclass(frozen=True)
class BookEntry:
    """The best guesses at a position with their totals over the codes left, the best first.

    `is_exact`: totals are exact, and no guess of another class is better than the last one. Else they are those of the
    best strategies found.
    """

    guesses: tuple[tuple[Code, int], ...]
    is_exact: bool


def look_up(position: Position) -> BookEntry | None:
    """Return the book's entry for a position, at the start of a game or after one turn; None where it has none.

    >>> from entropeg.position import Position
    >>> entry = look_up(Position("bulls-and-cows", ["9017 OO"]))
    >>> entry.is_exact, len(entry.guesses)
    (True, 19)
    """
    rules, turns = position.rules, position.turns
    if len(turns) > 1 or not rules.is_symmetric or rules.prior is not None:
        return None
    board = _book().get(str(rules.board))
    if board is None:
        return None
    if not turns:
        return _entry(board[""], rules, tuple(range(rules.pegs)), {})
    turn = turns[0]
    for opening, answers in board.items():
        if opening and (mapped := _mapping(_code(opening, rules), turn.guess)) is not None:
            told = answers.get(format_feedback(turn.feedback))
            return None if told is None else _entry(told, rules, *mapped)
    return None


def is_image(opening: Code, guess: Code) -> bool:
    """Tell whether a permutation of pegs and colors maps one code to another.

    >>> is_image((0, 0, 1, 2), (3, 1, 3, 0)), is_image((0, 0, 1, 2), (3, 1, 3, 1))
    (True, False)
    """
    return _mapping(opening, guess) is not None


@cache
def _book() -> dict[str, Any]:
    text = (files("entropeg") / "data" / "book.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _code(text: str, rules: Rules) -> Code:
    return parse_code(text, rules.board)


def _mapping(opening: Code, guess: Code) -> tuple[tuple[int, ...], dict[int, int]] | None:
    """(which peg of the opening each peg of the guess is, what its colors are called); None where there is none."""
    for order in permutations(range(len(opening))):
        names: dict[int, int] = {}
        moved = [opening[peg] for peg in order]
        if all(names.setdefault(color, name) == name for color, name in zip(moved, guess, strict=True)) and len(
            set(names.values())
        ) == len(names):
            return order, names
    return None


def _entry(told: dict[str, Any], rules: Rules, order: tuple[int, ...], names: dict[int, int]) -> BookEntry:
    """The entry of an opening, for a guess that it is mapped to; other colors keep their order."""
    others = [color for color in range(rules.symbols_in_guesses) if color not in names]
    free = [color for color in range(rules.symbols_in_guesses) if color not in names.values()]
    renamed = names | dict(zip(others, free, strict=True))
    guesses = [(_code(text, rules), total) for text, total in told["best"]]
    moved = tuple((tuple(renamed[code[peg]] for peg in order), int(total)) for code, total in guesses)
    return BookEntry(moved, bool(told["exact"]))
