"""Reads and writes the «punch card» text of strategies: one line a position, a column a feedback, as on old cards.

A line has its number, the number of the guess, the guess, and for each feedback `>line` to go on there, the code where
only one guess is left, or dashes where the feedback cannot come. Neither the rules nor the order of the columns are
written down in such a file, so that the reader tries every usual order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback, from_label, label_of, parse_feedback
from entropeg.rules import Rules
from entropeg.told import Told, quoted
from entropeg.tree.entries import code_reader, from_nodes
from entropeg.tree.nodes import TreeNodes


class NotCardsError(InputError):
    """The text holds no line of a card: it is of another format, or no tree."""


LEADING = 3
"""Columns before those of the feedbacks."""


def begins_cards(content: bytes) -> bool:
    """Tell whether a file begins as `to_cards` writes: line 1, guess 1, then columns each of which a card could have.

    >>> begins_cards(b"1 1 AA >2 -- -- >4"), begins_cards(b"1 1 apple is red")
    (True, False)
    """
    words = content.partition(b"\n")[0].split()
    cells = words[LEADING:]
    return words[:2] == [b"1", b"1"] and all(
        len(cell) == len(words[2]) or re.fullmatch(rb">\d+|-+", cell) for cell in cells
    )


def to_cards(tree: TreeNodes) -> str:
    """Write a tree as punch cards, columns by black, then white, the winning feedback left out.

    Positions stand in the order in which one comes to them, those with only one guess left in the line before them.

    >>> from entropeg import StrategyTree
    >>> print(to_cards(StrategyTree.build("minimax", "2x3")), end="")
    1 1 AA >2 -- -- >4
    2 2 BB CC -- -- >3
    3 3 BC -- -- CB --
    4 2 AB -- CA BA AC
    """
    labels = _labels(tree.rules)[0]
    leaf = [tree.is_leaf(node) for node in range(len(tree))]
    nodes = [(node, depth) for node, depth in tree.walk() if node == 0 or not leaf[node]]
    line = {node: number for number, (node, _) in enumerate(nodes, start=1)}
    dash = "-" * max(tree.rules.pegs, 2)

    def cell(below: int | None) -> str:
        if below is None:
            return dash
        return tree.code_text(below) if leaf[below] else f">{line[below]}"

    rows = []
    for node, depth in nodes:
        below = dict(tree.children(node))
        cells = [cell(below.get(label)) for label in labels]
        rows.append([str(line[node]), str(depth + 1), tree.code_text(node), *cells])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(_aligned(row, widths) + "\n" for row in rows)


def _aligned(row: list[str], widths: list[int]) -> str:
    numbers = [text.rjust(width) for text, width in zip(row[:2], widths[:2], strict=True)]
    return " ".join([*numbers, *(text.ljust(width) for text, width in zip(row[2:], widths[2:], strict=True))]).rstrip()


def _labels(rules: Rules) -> tuple[list[int], list[int]]:
    """Labels of columns, in the order written: all but the winning one, and the ones that no code gives.

    The latter is one black less than all with one white, for which some leave a column empty.
    """
    labels = [label for label in range(rules.label_count) if label != rules.win_label]
    real = [label for label in labels if _exists(label, rules)]
    one_short = label_of_counts(rules, rules.pegs - 1, 1)
    return real, [] if one_short is None else [one_short]


def label_of_counts(rules: Rules, black: int, white: int) -> int | None:
    """Return the label of a number of black and white pegs, possible or not; None where feedback is of another kind.

    >>> label_of_counts(Rules(), 3, 1)
    16
    """
    if not rules.feedback.about.common:
        return None
    return black * (rules.pegs + 1) + white


def _exists(label: int, rules: Rules) -> bool:
    try:
        return label_of(parse_feedback(format_feedback(from_label(label, rules)), rules), rules) == label
    except InputError:
        return False


def orders(rules: Rules, columns: int) -> list[list[int]]:
    """Return the usual orders in which a number of columns may stand for feedback labels, the one written here first.

    By black or white or their sum, each up or down, then the other up or down; with the winning feedback or without,
    with the impossible one or without. Empty where that number of columns fits no order.

    >>> len(orders(Rules(), 13)), len(orders(Rules(), 15)), len(orders(Rules(), 3))
    (12, 12, 0)
    """
    real, impossible = _labels(rules)
    win = [rules.win_label]
    found: list[list[int]] = []
    for labels in (real, real + win, real + impossible, real + impossible + win):
        if len(labels) == columns:
            for key in _keys(rules):
                order = sorted(labels, key=key)
                found += [order] if order not in found else []
    return found


def _keys(rules: Rules) -> list[Callable[[int], Any]]:
    if label_of_counts(rules, 0, 0) is None:
        return [lambda label: label, lambda label: -label]

    def key(major: int, up: int, then: int) -> Callable[[int], tuple[int, int]]:
        def of(label: int) -> tuple[int, int]:
            black, white = divmod(label, rules.pegs + 1)
            return up * (black, white, black + white)[major], then * (white if major == 0 else black)

        return of

    return [key(major, up, then) for major in (0, 2, 1) for up in (1, -1) for then in (1, -1)]


class CardRow(NamedTuple):
    """A line of the file: its place there, its own number, the number of the guess, the guess, the columns."""

    place: int
    number: int
    turn: int
    guess: str
    cells: list[str]


def from_cards(text: str, rules: Rules) -> TreeNodes:
    r"""Read punch cards, whatever the order of their feedback columns: the first with which every secret is found.

    A first line may name the feedbacks of the columns, and settles their order. Lines may come in any order; blank
    ones, lines that start with # and, below the first card, facts as `cpu=0.5s` are passed over. Codes may be written
    with the symbols of the rules, or with letters from A, or digits from 0 or from 1. Raises InputError with the line
    that is wrong, and with the first order tried where none is right.

    >>> print(from_cards("1 1 AA BB ---- ---- >2\n2 2 AB ---- ---- BA ----", Rules.parse("2x2")).total)
    8
    """
    named, rows = _rows(text, rules)
    _check_numbers(rows)
    read = code_reader(
        rules, {row.guess for row in rows} | {cell for row in rows for cell in row.cells if _is_code(cell)}
    )
    tried = [named] if named else orders(rules, len(rows[0].cells))
    if not tried:
        raise InputError(_wrong_width(rows[0], rules))
    for row in rows:
        if len(row.cells) != len(tried[0]):
            raise InputError(_wrong_width(row, rules))
    failure = None
    for order in tried:
        try:
            return _from_rows(rows, rules, order, read).check()
        except InputError as error:
            failure = failure or error
    first = [_told(label, rules) for label in tried[0][:3]]
    raise InputError("{error} (columns read as {feedback:list}, ...)", failure, first)


def _told(label: int, rules: Rules) -> str:
    if not _exists(label, rules):
        return Told("the impossible one")
    feedback = from_label(label, rules)
    return f"{feedback.black}b{feedback.white}w" if hasattr(feedback, "white") else format_feedback(feedback)


def _wrong_width(row: CardRow, rules: Rules) -> str:
    return Told(
        "line {line} has {columns} columns of feedback; {rules} has {wanted} besides the winning one",
        *(row.place, len(row.cells), rules, len(_labels(rules)[0])),
    )


def _rows(text: str, rules: Rules) -> tuple[list[int], list[CardRow]]:
    """The labels that a heading names (none without one) and the lines of the cards."""
    named: list[int] = []
    rows: list[CardRow] = []
    first = ""
    for place, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = [word for word in re.split(r"[\s,;|]+", re.sub(r">\s+", ">", line)) if word]
        numbers = [word.rstrip(".:)") for word in words[:2]]
        if len(words) >= LEADING and all(_is_number(number) for number in numbers):
            rows.append(CardRow(place, int(numbers[0]), int(numbers[1]), words[2], words[3:]))
            continue
        # Some programs write facts below the cards, as `cpu=33261.9s`.
        if rows and re.fullmatch(r"\w+\s*[=:]\s*\S+", line.strip()):
            continue
        wrong = Told(
            "line {line}: {words} does not start with a line number, the number of the guess and the guess",
            *(place, quoted(" ".join(words), 40)),
        )
        if rows:
            raise InputError(wrong)
        first = first or wrong
        named = named or _heading(words, rules)
    if not rows:
        raise NotCardsError(first) if first else InputError("it is empty")
    return named, rows


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= 9  # digits of the number of a line or guess


def _heading(words: list[str], rules: Rules) -> list[int]:
    """Labels of the feedbacks that end a line; none where they are not a feedback each, and different."""
    labels: list[int] = []
    for word in reversed(words):
        text = f"{word[0]} {word[1]}" if re.fullmatch(r"\d\d", word) else word.rstrip("-") or "-"
        try:
            label = label_of(parse_feedback(text, rules), rules)
        except InputError:
            break
        labels.insert(0, label)
    real = _labels(rules)[0]
    return labels if len(set(labels)) == len(labels) and set(real) <= set(labels) else []


def _check_numbers(rows: list[CardRow]) -> None:
    places: dict[int, int] = {}
    for row in rows:
        if row.number in places:
            raise InputError(
                "line {line} has the number {number}, which line {other} has too",
                *(row.place, row.number, places[row.number]),
            )
        places[row.number] = row.place


def _is_code(cell: str) -> bool:
    return not cell.startswith(">") and bool(cell.strip("-*.")) and cell.casefold() != "win"


def _from_rows(rows: list[CardRow], rules: Rules, order: list[int], read: Callable[[str], Code]) -> TreeNodes:
    at = {row.number: index for index, row in enumerate(rows)}
    codes = [_code(read, row.guess, row) for row in rows]
    above, labels = [-1] * len(rows), [-1] * len(rows)
    for index, row in enumerate(rows):
        for label, cell in zip(order, row.cells, strict=True):
            if cell.startswith(">"):
                target = at.get(int(cell[1:])) if _is_number(cell[1:]) else None
                if target is None:
                    raise InputError("line {line} sends to {cell}, which is not there", row.place, quoted(cell)[1:-1])
                if above[target] >= 0:
                    raise InputError("line {line} sends to {cell}, which is sent to twice", row.place, cell)
                _check_turn(row, rows[target])
                above[target], labels[target] = index, label
            elif _is_code(cell) and (label != rules.win_label or read(cell) != codes[index]):
                codes.append(_code(read, cell, row))
                above.append(index)
                labels.append(label)
    return from_nodes(rules, codes, above, labels)


def _check_turn(row: CardRow, target: CardRow) -> None:
    if target.turn != row.turn + 1:
        raise InputError(
            "line {line}, guess {guess}, sends to >{number}, which is guess {found}: it should be guess {wanted}",
            *(row.place, row.turn, target.number, target.turn, row.turn + 1),
        )


def _code(read: Callable[[str], Code], text: str, row: CardRow) -> Code:
    try:
        return read(text)
    except InputError as error:
        raise InputError("line {line}: {error}", row.place, error) from None
