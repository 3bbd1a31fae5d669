"""What people are told of advice and contradictions, in words and as plain data, and notes in files."""

from entropeg.advise.telling.mending import (
    Suspicion,
    fitting_answers,
    say_conflict,
    say_mend,
    suspicions,
)
from entropeg.advise.telling.plain_data import advice_data, answers_data, contradiction_data, players_data
from entropeg.advise.telling.saved import (
    load_notes,
    notes_from_file,
    notes_from_json,
    notes_from_text,
    notes_to_json,
    notes_to_text,
    save_notes,
)

__all__ = [
    "Suspicion",
    "advice_data",
    "answers_data",
    "contradiction_data",
    "fitting_answers",
    "load_notes",
    "notes_from_file",
    "notes_from_json",
    "notes_from_text",
    "notes_to_json",
    "notes_to_text",
    "players_data",
    "save_notes",
    "say_conflict",
    "say_mend",
    "suspicions",
]
