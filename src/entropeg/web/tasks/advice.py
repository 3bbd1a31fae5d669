"""Advice, the explorer, hints, contradictions with ways to mend them, and rows read from what was typed or pasted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from entropeg.advise import Contradiction, Notes, advise, compare_players, explain, format_row
from entropeg.advise.contradictions import SituationName
from entropeg.advise.exploring import explore
from entropeg.advise.ladder import HintLadder
from entropeg.advise.noted import NotedAdvice
from entropeg.advise.rows import check_part_code
from entropeg.advise.saved_notes import rows_from_file
from entropeg.codes import check_code
from entropeg.errors import ContradictionError, InputError
from entropeg.plain_values import PlainValue, plain
from entropeg.position import Position
from entropeg.rules import Rules, without_files
from entropeg.told import Told
from entropeg.web.inputs import example_code, notes_of
from entropeg.web.refusals import RefusedError, field

MOST_ROWS = 200
"""Rows of notes."""


@dataclass(frozen=True)
class Mending(PlainValue):
    """The contradiction in some rows; null where a code fits, which `says` tells."""

    contradiction: Contradiction | None
    says: str


@dataclass(frozen=True)
class ReadRows(PlainValue):
    """The rows of a text, which can be sent back, and the rules that they were read by."""

    rules: Rules
    rows: tuple[str, ...]


def advice(data: dict[str, Any]) -> Any:
    """Tell a `NotedAdvice` for `rules` and `rows`.

    `limit` guesses are ranked and `also` rated beside them; `players` are asked what they would play; `codes` of those
    left are listed; exact numbers may take `seconds`; `sure` are rows, from 1, that are not to be mended.
    """
    notes = _noted(data)
    rules, seconds = notes.rules, data["seconds"]
    also = [_asked(guess, rules, f"also.{place}") for place, guess in enumerate(data["also"])]
    if notes.state != "open":
        return NotedAdvice(notes).to_json()
    try:
        with field("rows"):
            found = advise(notes, limit=data["limit"], also=also, time=seconds)
            players = compare_players(notes, data["players"], time=seconds) if data["players"] else ()
    except RefusedError as refusal:
        if not isinstance(refusal.__cause__, ContradictionError):
            raise
        told = _contradiction(notes, "live", seconds, data["sure"])
        return NotedAdvice(notes, contradiction=told).to_json()
    told = plain(NotedAdvice(notes, found, players), codes=data["codes"])
    if rules.pegs * rules.symbols_in_secrets > 20_000:
        told["advice"]["marginals"] = []
    return told


def explored(data: dict[str, Any]) -> Any:
    """Tell the `Exploration` of the position of `rules` and `turns`, and of `guess`, or where that is None of the best.

    `limit` classes of guesses and `codes` of those left are told; exact numbers may take `seconds`.
    """
    rules = Rules.parse(data["rules"], files=False)
    with field("turns"):
        position = Position(rules, data["turns"])
    guess = None if data["guess"] is None else _asked(data["guess"], rules, "guess")
    with field("turns"):
        found = explore(position, guess, limit=data["limit"], time=data["seconds"])
    return plain(found, codes=data["codes"])


def mends(data: dict[str, Any]) -> Any:
    """Tell the `Mending` of the contradiction in `rows`; for `live` see `advise.explain`."""
    notes = _noted(data)
    told = _contradiction(notes, "live" if data["live"] else "afterwards", data["seconds"], data["sure"])
    is_one = told.conflicts or told.rows or told.is_proved or told.undecided
    return plain(Mending(told if is_one else None, told.says))


def rows(data: dict[str, Any]) -> Any:
    """Tell the `ReadRows` of a `text`, with `rules` or, where these are None, with those that it says or suggests."""
    text, given = data["text"], data["rules"]
    with field("text", "AABB XO"), without_files():
        if given is not None and not text.lstrip().startswith(("{", "entropeg ")):
            _check_lines(text, Rules.parse(given, files=False))
        rules, found = rows_from_file(text, given, assume=True)
        if len(found) > MOST_ROWS:
            raise InputError("the text has {rows:,} rows: {most} at most", len(found), MOST_ROWS)
    return plain(ReadRows(rules, tuple(format_row(row, rules) for row in found)))


def _check_lines(text: str, rules: Rules) -> None:
    # Before the text is read, which takes long where it is no game.
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 2 * MOST_ROWS:
        raise InputError("the text has {rows:,} rows: {most} at most", len(lines), MOST_ROWS)
    longest = 500 + 40 * rules.pegs
    for number, line in enumerate(lines, start=1):
        if len(line) > longest:
            raise InputError("line {number} has {count:,} characters: {most:,} at most", number, len(line), longest)


def _noted(data: dict[str, Any]) -> Notes:
    return notes_of(data["rows"], Rules.parse(data["rules"], files=False))


def _asked(guess: str, rules: Rules, name: str) -> Any:
    with field(name, example_code(rules)):
        return check_code(guess, rules)


def _contradiction(notes: Notes, situation: SituationName, seconds: float, sure: list[int]) -> Contradiction:
    for place, row in enumerate(sure):
        if not 1 <= row <= len(notes.rows):
            raise RefusedError(
                Told("there is no row {row}: name one from 1 to {last}", row, len(notes.rows)), f"sure.{place}", 1
            )
    with field("rows"):
        # Of the ways to mend a contradiction the likeliest five hundred are weighed.
        told = explain(notes, situation, time=seconds, limit=None if sure else 500)
    return told.trusting(row - 1 for row in sure) if sure else told


def hints(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `HintLadder` of `rules`, `turns`, the `guess` in the making (or None) and `seconds`.

    Those at the best guess are worked out where `best` asks for them, else `further` has their kinds. Rows and pegs
    count from 1, as people count them.
    """
    rules = Rules.parse(data["rules"], files=False)
    with field("guess", example_code(rules)):
        guess = None if data["guess"] is None else check_part_code(data["guess"], rules)
    with field("turns"):
        position = Position(rules, data["turns"])
        ladder = HintLadder.of(position, guess, to_the_best=data["best"], seconds=data["seconds"])
    return ladder.to_json()
