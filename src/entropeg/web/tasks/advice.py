"""Advice, contradictions with ways to mend them, and rows read from what somebody typed or pasted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from entropeg.errors import ContradictionError, InputError
from entropeg.rules import Rules, without_files
from entropeg.web.errors import RefusedError, field
from entropeg.web.gate import example_code, notes_of

if TYPE_CHECKING:
    from entropeg.advise import Advice, Notes, Row
    from entropeg.advise.mistakes import SituationName

MOST_CELLS = 20_000
"""Chances of each symbol at each peg are told on boards of up to so many."""
MOST_ROWS = 200
"""Rows of notes."""
LINE, LINE_PEG = 500, 40
"""Characters that a line may have, and as many more for each peg."""
LISTED = 500
"""Of the ways to mend a contradiction the likeliest are weighed, up to so many."""
EXAMPLE = "AABB XO"
"""A row, where no better example is known."""


def advice(data: dict[str, Any]) -> dict[str, Any]:
    """Return advice for `rules` and `rows`, or the contradiction in them, or neither where the game is over.

    `limit` guesses are ranked and `also` rated beside them; `players` are asked what they would play; `codes` of those
    left are listed; exact numbers may take `seconds`; `sure` are rows, from 1, that are not to be mended.
    """
    from entropeg.advise import advise

    notes = _noted(data)
    rules, seconds = notes.rules, data["seconds"]
    also = [_asked(guess, rules, f"also.{place}") for place, guess in enumerate(data["also"])]
    told: dict[str, Any] = {
        "advice": None,
        "contradiction": None,
        "rows": [row_data(row, rules) for row in notes.rows],
        "state": notes.state,
    }
    if told["state"] != "open":
        return told
    try:
        with field("rows"):
            found = advise(notes, limit=data["limit"], also=also, time=seconds)
            players = _players(notes, data["players"], seconds)
    except RefusedError as refusal:
        if not isinstance(refusal.__cause__, ContradictionError):
            raise
        return told | {"contradiction": _contradiction(notes, "live", seconds, data["sure"])}
    return told | {"advice": _advice_data(found, data["codes"]) | players}


def mends(data: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of the contradiction in `rows`, None where a code fits; for `live` see `advise.explain`."""
    notes = _noted(data)
    told = _contradiction(notes, "live" if data["live"] else "afterwards", data["seconds"], data["sure"])
    is_one = told["conflicts"] or told["rows"] or told["proved"] or told["undecided"]
    return {"contradiction": told if is_one else None, "says": told["says"]}


def rows(data: dict[str, Any]) -> dict[str, Any]:
    """Return the rows of a `text`, with `rules` or, where these are None, with those that the text says or suggests."""
    from entropeg.advise.telling import rows_from_file

    text, given = data["text"], data["rules"]
    with field("text", EXAMPLE), without_files():
        if given is not None and not text.lstrip().startswith(("{", "entropeg ")):
            _check_lines(text, Rules.parse(given, files=False))
        rules, found = rows_from_file(text, given, assume=True)
        if len(found) > MOST_ROWS:
            raise InputError(f"the text has {len(found):,} rows: {MOST_ROWS} at most")
    return {"rules": str(rules), "rows": [row_data(row, rules) for row in found]}


def row_data(row: Row, rules: Rules) -> dict[str, Any]:
    """Return a row as text, its guess with None for pegs that are not known, and what it got in words."""
    from entropeg.advise.rows import format_part_code, format_row, format_told
    from entropeg.web.values import feedback_data

    whole = row.turn
    says = format_told(row.feedback) if whole is None else feedback_data(whole.feedback, rules, whole.guess)["says"]
    return {
        "text": format_row(row, rules),
        "guess": {"text": format_part_code(row.guess, rules), "pegs": list(row.guess)},
        "marks": format_told(row.feedback),
        "feedback": None if whole is None else feedback_data(whole.feedback, rules, whole.guess),
        "complete": row.is_complete,
        "says": says,
    }


def _check_lines(text: str, rules: Rules) -> None:
    # Before the text is read, which takes long where it is no game.
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 2 * MOST_ROWS:
        raise InputError(f"the text has {len(lines):,} rows: {MOST_ROWS} at most")
    longest = LINE + LINE_PEG * rules.pegs
    for number, line in enumerate(lines, start=1):
        if len(line) > longest:
            raise InputError(f"line {number} has {len(line):,} characters: {longest:,} at most")


def _noted(data: dict[str, Any]) -> Notes:
    return notes_of(data["rows"], Rules.parse(data["rules"], files=False))


def _asked(guess: str, rules: Rules, name: str) -> Any:
    from entropeg.codes import check_code

    with field(name, example_code(rules)):
        return check_code(guess, rules)


def _players(notes: Notes, names: list[str], seconds: float) -> dict[str, Any]:
    from entropeg.advise import compare_players
    from entropeg.advise.telling import players_data

    if not names:
        return {"players": []}
    views = compare_players(notes, names, time=seconds)
    told = players_data(views, notes.rules)
    for view, one in zip(views, told, strict=True):
        one["pegs"] = None if view.guess is None else list(view.guess)
    return {"players": told}


def _advice_data(found: Advice, codes: int) -> dict[str, Any]:
    from entropeg.advise.telling import advice_data
    from entropeg.feedback import format_feedback
    from entropeg.web.values import feedback_data

    rules = found.position.rules
    told = advice_data(found, codes=codes)
    for key, guesses in (("guesses", found.guesses), ("also", found.also)):
        for guess, one in zip(guesses, told[key], strict=True):
            one |= {"pegs": list(guess.guess), "says": found.explain(guess)}
    shown = {format_feedback(one): feedback_data(one, rules) for one in found.best.partition.sizes}
    for answer in told["answers"]:
        answer["feedback"] = shown[answer["feedback"]]
    told["left"]["says"] = found.remaining.in_words
    if rules.pegs * rules.symbols_in_secrets > MOST_CELLS:
        told["marginals"] = []
    return told | {"is_last_guess": found.is_last_guess}


def _contradiction(notes: Notes, situation: SituationName, seconds: float, sure: list[int]) -> dict[str, Any]:
    from entropeg.advise import explain
    from entropeg.advise.telling import contradiction_data, suspicions

    for place, row in enumerate(sure):
        if not 1 <= row <= len(notes.rows):
            raise RefusedError(f"there is no row {row}: name one from 1 to {len(notes.rows)}", f"sure.{place}", 1)
    with field("rows"):
        told = explain(notes, situation, time=seconds, limit=None if sure else LISTED)
    told = told.trusting(row - 1 for row in sure) if sure else told
    data = contradiction_data(told)
    for one, suspicion in zip(data["rows"], suspicions(told, rows=len(told.rows)), strict=True):
        one["says"] = suspicion.says
    return data
