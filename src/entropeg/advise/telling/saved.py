"""Notes in files: text with the rules in the first line and a row in each further one, or JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from entropeg import arguments
from entropeg.advise.notes import Notes, read_notes
from entropeg.advise.rows import format_row
from entropeg.errors import InputError, quoted
from entropeg.files import FileKind, parse_json, read_text, shown, write_whole
from entropeg.game import FORMAT as GAME
from entropeg.game import Game
from entropeg.rules import Rules

FORMAT = "entropeg notes 1"
"""First words of saved notes."""


def _is_notes(content: bytes) -> bool:
    start = content.removeprefix(b"\xef\xbb\xbf").lstrip()
    return start.startswith(FORMAT.encode()) or bool(re.match(rb'\{\s*"format": "%s"' % FORMAT.encode(), start))


KIND = FileKind("saved notes", _is_notes)


def notes_to_text(notes: Notes) -> str:
    """Write notes as text, which `notes_from_text` reads back: the rules in the first line, then a row a line.

    >>> print(notes_to_text(Notes.of("4x6", ["AABB XO?", "CC?D 1 ?"])), end="")
    entropeg notes 1: 4x6
    AABB: XO?
    CC?D: 1 ?
    """
    return "\n".join([f"{FORMAT}: {notes.rules}", *str(notes).splitlines(), ""])


def notes_to_json(notes: Notes) -> dict[str, Any]:
    """Return notes as plain data for `json.dumps`; `notes_from_json` reads it back."""
    rows = [format_row(row, notes.rules) for row in notes.rows]
    return {"format": FORMAT, "rules": str(notes.rules), "rows": rows}


def notes_from_text(text: str) -> Notes:
    r"""Read notes: those that `notes_to_text` writes, a saved game, or rules in the first line and then rows as typed.

    Raises InputError with the number of the line that is wrong.

    >>> print(notes_from_text("4x6\n1. aabb xo"))
    AABB XO
    """
    text = arguments.text(text, "the notes")
    if text.lstrip().startswith(GAME):
        return Notes.of(Game.from_text(text).position)
    head, _, rows = text.lstrip("\ufeff\r\n\t ").partition("\n")
    skipped = text[: text.find(head)].count("\n") if head else 0
    rules = head.strip().removeprefix(FORMAT).removeprefix("rules").strip().removeprefix(":").strip()
    if not rules:
        raise InputError(f"the notes are empty: their first line says the rules, as {FORMAT}: 4x6")
    try:
        known = Rules.parse(rules)
    except InputError as error:
        raise InputError(f"line {skipped + 1}: the first line says the rules, and {error}") from None
    return read_notes("\n" * (skipped + 1) + rows, known)


def notes_from_json(data: Any) -> Notes:
    """Read notes from plain data, those of a saved game too; raises InputError saying what is missing or wrong."""
    if isinstance(data, dict) and data.get("format") == GAME:
        return Notes.of(Game.from_json(data).position)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f"these are no saved notes: their format should be {FORMAT!r}")
    rules, rows = data.get("rules"), data.get("rows")
    if not isinstance(rules, str):
        raise InputError(f"the saved notes have rules {quoted(rules)}; they must be a text, as '4x6'")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError(f"the saved notes have rows {quoted(rows)}; they must be a list of texts, as 'AABB XO'")
    return Notes.of(rules, rows)


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
        raise InputError(f"{shown(path)}: {error}") from None


def notes_from_file(text: str) -> Notes:
    """Read notes from what stands in a file, JSON or text; raises InputError."""
    return notes_from_json(parse_json(text)) if text.lstrip().startswith("{") else notes_from_text(text)
