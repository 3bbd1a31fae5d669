"""What people are told of advice: hints, and notes in files."""

from entropeg.advise.games import notes_from_json
from entropeg.advise.telling.saved import (
    load_notes,
    notes_from_file,
    notes_from_text,
    notes_to_json,
    notes_to_text,
    rows_from_file,
    save_notes,
)

__all__ = [
    "load_notes",
    "notes_from_file",
    "notes_from_json",
    "notes_from_text",
    "notes_to_json",
    "notes_to_text",
    "rows_from_file",
    "save_notes",
]
