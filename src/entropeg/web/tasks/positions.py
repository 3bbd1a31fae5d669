"""Counts the codes that are left in a position, and says what they have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from entropeg.amounts import plural, shown_count
from entropeg.codes import CodeSet, format_code
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.position import Position, describe_conflict
from entropeg.rules import Rules
from entropeg.web import gate
from entropeg.web.values import COUNTED, count_data, number

if TYPE_CHECKING:
    from entropeg.advise.notes import Notes

SHOWN = 10
"""Codes that are listed."""

CELLS = 20_000
"""Pegs x symbols of boards whose chances are told peg by peg."""

DIGITS = 9
"""Digits of a chance."""


def is_quick(rules: Rules, turns: int) -> bool:
    """Tell whether the codes left are counted within some milliseconds."""
    return rules.secret_count <= COUNTED and turns <= gate.SHORT


def position(data: dict[str, Any]) -> dict[str, Any] | None:
    """Describe a position: `data` has `rules`, and `turns` or `rows` of notes.

    With `quick` a position that contradicts itself is None: to say why may take long.
    """
    rules = gate.parsed(data["rules"])
    if data.get("rows") is not None:
        notes = gate.notes_of(data["rows"], rules)
        return _of_position(notes.position) if notes.is_complete else _of_notes(notes)
    at = gate.position_of(rules, gate.read_turns(data["turns"], rules))
    if data.get("quick") and not len(at.candidates):
        return None
    return _of_position(at)


def _of_position(at: Position) -> dict[str, Any]:
    rules, state = at.rules, at.state
    if rules.secret_count > COUNTED:
        return _of_large(at)
    if not len(at.candidates):
        return unknown(rules, state, conflict=describe_conflict(at))
    return _told(rules, state, at.candidates, _counted(len(at.candidates)))


def _of_large(at: Position) -> dict[str, Any]:
    from entropeg.advise.question import SAMPLE
    from entropeg.candidates import SCANNED, find_candidates

    rules, state = at.rules, at.state
    try:
        if not at.turns:
            found = find_candidates(rules, (), limit=SAMPLE, seed=0)
            return _told(rules, state, found.codes, _all(rules))
        if rules.secret_count <= SCANNED and len(at.candidates):
            return _told(rules, state, at.candidates, _counted(len(at.candidates)))
        found = find_candidates(rules, at.turns, limit=SAMPLE, seed=0)
    except ContradictionError:
        return unknown(rules, state, conflict=_conflict(at))
    except TooLargeError as error:
        return unknown(rules, state, says=str(error))
    if found.complete:
        return _told(rules, state, found.codes, _counted(len(found.codes), found.method))
    about = number(found.about)
    says = found.says if about is None else f"about {shown_count(max(1, round(about)))} codes left"
    left = {"count": None, "about": about, "method": found.method, "exact": False, "says": says}
    return _told(rules, state, found.codes, left)


def _conflict(at: Position) -> str:
    try:
        return describe_conflict(at)
    except TooLargeError:
        return f"no code of {at.rules} fits all {len(at.turns)} turns: at least one of them is wrong"


def _of_notes(notes: Notes) -> dict[str, Any]:
    try:
        codes = notes.candidates
    except TooLargeError as error:
        return unknown(notes.rules, notes.state, says=str(error))
    if not len(codes):
        return unknown(notes.rules, notes.state, conflict="no code fits all the rows: at least one of them is wrong")
    return _told(notes.rules, notes.state, codes, _counted(len(codes)))


def _counted(count: int, method: str = "list") -> dict[str, Any]:
    return {
        "count": count,
        "about": float(count),
        "method": method,
        "exact": True,
        "says": f"{plural(count, 'code')} left",
    }


def _all(rules: Rules) -> dict[str, Any]:
    count = rules.secret_count
    says = f"{plural(count, 'code')} left"
    about = float(count) if count < 10**300 else None
    return {"count": count_data(count), "about": about, "method": "count", "exact": True, "says": says}


def _told(rules: Rules, state: str, codes: CodeSet, left: dict[str, Any]) -> dict[str, Any]:
    from entropeg.advise.question import Remaining

    shown = {**left, "codes": [format_code(code, rules) for code in codes[:SHOWN]]}
    data: dict[str, Any] = {"rules": str(rules), "left": shown, "state": state, "conflict": None}
    if rules.pegs * rules.symbols_in_secrets > CELLS or not len(codes):
        return {**data, "marginals": None, "presence": None, "copies": None}
    found = Remaining(codes, left["exact"], left["count"], left["about"] or 0.0, left["method"]).marginals()
    return {
        **data,
        "marginals": found.pegs.round(DIGITS).tolist(),
        "presence": found.presence.round(DIGITS).tolist(),
        "copies": found.expected_copies.round(DIGITS).tolist(),
    }


def unknown(rules: Rules, state: str, *, says: str = "", conflict: str = "") -> dict[str, Any]:
    """Describe a position of which no codes are known: because none fits, or because nobody can tell."""
    if conflict:
        left = {**_counted(0), "codes": []}
    else:
        left = {"count": None, "about": None, "method": "none", "exact": False, "says": says, "codes": []}
    return {
        "rules": str(rules),
        "left": left,
        "marginals": None,
        "presence": None,
        "copies": None,
        "state": state,
        "conflict": {"says": conflict} if conflict else None,
    }
