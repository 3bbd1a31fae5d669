"""Writes notes to files and reads them: text with the rules in the first line and then a row a line, or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from entropeg import arguments
from entropeg.advise.given_games import NOTES, GivenGame, notes_from_json, read_noted, says_rules
from entropeg.advise.notes import Notes
from entropeg.advise.reading import read_lines
from entropeg.advise.rows import Row, format_row
from entropeg.errors import InputError
from entropeg.files import FileKind, parse_json, read_text, shown, write_whole
from entropeg.game import FORMAT as GAME
from entropeg.game import Game
from entropeg.rules import Rules
from entropeg.told import Told

KIND = FileKind.of_format(Told("saved notes"), NOTES)


def notes_to_text(notes: Notes) -> str:
    """Write notes as text, which `notes_from_text` reads back: the rules in the first line, then a row a line.

    >>> print(notes_to_text(Notes.of("4x6", ["AABB XO?", "CC?D 1 ?"])), end="")
    entropeg notes 1: 4x6
    AABB: XO?
    CC?D: 1 ?
    """
    return "\n".join([f"{NOTES}: {notes.rules}", *str(notes).splitlines(), ""])


def notes_to_json(notes: Notes) -> dict[str, Any]:
    """Return notes as plain data for `json.dumps`; `notes_from_json` reads it back."""
    rows = [format_row(row, notes.rules) for row in notes.rows]
    return {"format": NOTES, "rules": str(notes.rules), "rows": rows}


def notes_from_text(text: str) -> Notes:
    r"""Read notes: those that `notes_to_text` writes, a saved game, or rules in the first line and then rows as typed.

    Raises InputError with the number of the line that is wrong.

    >>> print(notes_from_text("4x6\n1. aabb xo"))
    AABB XO
    """
    return Notes(*_typed(arguments.text(text, "the notes"), None, assume=False))


def save_notes(notes: Notes, path: str | Path) -> None:
    """Write notes to a file: JSON where the name ends in `.json`, else text; `-` is standard output.

    Raises InputError where there is a file that holds no notes (see `files.replacing`), or it cannot be written.
    """
    text = json.dumps(notes_to_json(notes), indent=2) + "\n" if str(path).endswith(".json") else notes_to_text(notes)
    write_whole(path, text.encode(), KIND)


def load_notes(path: str | Path) -> Notes:
    """Read notes from a file, `-` from standard input: those that `save_notes` wrote, a saved game, or typed ones.

    Raises InputError, naming the file, where it cannot be read or a line of it is no row.
    """
    text = read_text(path)
    try:
        return notes_from_file(text)
    except InputError as error:
        raise InputError("{path}: {error}", shown(path), error) from None


def notes_from_file(text: str) -> Notes:
    """Read notes from the content of a file, JSON or text; raises InputError."""
    return Notes(*rows_from_file(text))


def rows_from_file(
    text: str, rules: Rules | str | None = None, *, assume: bool = False
) -> tuple[Rules, tuple[Row, ...]]:
    """Read rows from the content of a file: notes, a saved game, or what `review.read_games` reads, with their rules.

    Where ``rules`` are given the text may be rows alone. Where they are neither given nor said they may follow from the
    guesses if they are to be assumed. Raises InputError, also where other rules are said than are given.
    """
    given, start = None if rules is None else Rules.of(rules), text.lstrip()
    if start.startswith("{"):
        notes = notes_from_json(parse_json(text))
        found = notes.rules, notes.rows
    else:
        found = _typed(text, None if start.startswith("entropeg ") else given, assume=assume)
    if given is not None and given.with_limit(None) != found[0].with_limit(None):
        raise InputError("these are notes of {found}, not of {given}", found[0], given)
    return found


def _typed(text: str, rules: Rules | None, *, assume: bool) -> tuple[Rules, tuple[Row, ...]]:
    if text.lstrip().startswith(GAME):
        game = Game.from_text(text)
        return game.rules, GivenGame.of(game).rows
    try:
        known, rows = (rules, text) if rules is not None else _below_rules(text)
        return known, read_lines(rows, known)
    except InputError as error:
        if rules is None and not assume and not says_rules(text):
            raise
        try:
            return read_noted(text, rules)
        except InputError as other:
            raise (other if assume and rules is None else error) from None


def _below_rules(text: str) -> tuple[Rules, str]:
    # The rules of the first line, and the text without it, of as many lines.
    head, _, rows = text.lstrip("\ufeff\r\n\t ").partition("\n")
    line = text[: text.find(head)].count("\n") + 1 if head else 1
    rules = head.strip().removeprefix(NOTES).removeprefix("rules").strip().removeprefix(":").strip()
    if not rules:
        raise InputError("the notes are empty: their first line says the rules, as {notes}: 4x6", NOTES)
    try:
        return Rules.parse(rules), "\n" * line + rows
    except InputError as error:
        raise InputError("line {line}: the first line says the rules, and {error}", line, error) from None
