"""Counts the codes that are left in a position, and says what they have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any, Literal

from entropeg.advise.notes import Notes
from entropeg.advise.question import SAMPLE, Marginals, Remaining, ToldChances
from entropeg.amounts import plural, shown_count
from entropeg.candidates import SCANNED, find_candidates
from entropeg.codes import CodeSet
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code
from entropeg.plain_values import Finite, PlainValue
from entropeg.position import Position, State, describe_conflict
from entropeg.rules import Rules
from entropeg.web import gate
from entropeg.web.values import COUNTED, count_data


def is_quick(rules: Rules, turns: int) -> bool:
    """Tell whether the codes left are counted within some milliseconds."""
    return rules.secret_count <= COUNTED and turns <= gate.SHORT


@dataclass(frozen=True)
class CodesLeft(PlainValue):
    """How many codes are left."""

    count: int | None
    """Exactly; null where nobody can count them, or readers of JSON would round it."""
    about: Finite
    """An estimate, or null."""
    method: str
    is_exact: bool
    says: str
    codes: tuple[Code, ...] = ()
    """The first, or some."""

    @classmethod
    def of(cls, count: int, method: str = "list", codes: Sequence[Code] = ()) -> CodesLeft:
        """An exact number of codes."""
        about = float(count) if count < 10**300 else inf
        says = f"{plural(count, 'code')} left"
        return cls(count_data(count), about, method, is_exact=True, says=says, codes=tuple(codes))


@dataclass(frozen=True)
class PositionTold(ToldChances):
    """A position. Chances are by peg and symbol: null where nobody can tell, or the board is too large to list them."""

    PLAIN = ("rules", "left", "marginals", "presence", "copies", "state", "conflict")

    rules: Rules
    left: CodesLeft
    state: Literal["open", "won", "lost"]
    chances: Marginals | None = None
    conflict: str | None = None
    """Why no code fits."""


def position(data: dict[str, Any]) -> dict[str, Any] | None:
    """Tell the `PositionTold` of `rules`, and `turns` or `rows` of notes.

    With `quick` a position that contradicts itself is None: to say why may take long.
    """
    rules = gate.parsed(data["rules"])
    if data.get("rows") is not None:
        notes = gate.notes_of(data["rows"], rules)
        return (_of_position(notes.position) if notes.is_complete else _of_notes(notes)).to_json()
    at = gate.position_of(rules, gate.read_turns(data["turns"], rules))
    if data.get("quick") and not len(at.candidates):
        return None
    return _of_position(at).to_json()


def _of_position(at: Position) -> PositionTold:
    if at.rules.secret_count > COUNTED:
        return _of_large(at)
    if not len(at.candidates):
        return unknown(at.rules, at.state, conflict=describe_conflict(at))
    return _told(at.rules, at.state, at.candidates)


def _of_large(at: Position) -> PositionTold:
    rules, state = at.rules, at.state
    try:
        if not at.turns:
            found = find_candidates(rules, (), limit=SAMPLE, seed=0)
            return _told(rules, state, found.codes, CodesLeft.of(rules.secret_count, "count"))
        if rules.secret_count <= SCANNED and len(at.candidates):
            return _told(rules, state, at.candidates)
        found = find_candidates(rules, at.turns, limit=SAMPLE, seed=0)
    except ContradictionError:
        return unknown(rules, state, conflict=_conflict(at))
    except TooLargeError as error:
        return unknown(rules, state, says=str(error))
    if found.complete:
        return _told(rules, state, found.codes, CodesLeft.of(len(found.codes), found.method))
    about = found.about
    says = f"about {shown_count(max(1, round(about)))} codes left" if isfinite(about) else found.says
    return _told(rules, state, found.codes, CodesLeft(None, about, found.method, is_exact=False, says=says))


def _conflict(at: Position) -> str:
    try:
        return describe_conflict(at)
    except TooLargeError:
        return f"no code of {at.rules} fits all {len(at.turns)} turns: at least one of them is wrong"


def _of_notes(notes: Notes) -> PositionTold:
    try:
        codes = notes.candidates
    except TooLargeError as error:
        return unknown(notes.rules, notes.state, says=str(error))
    if not len(codes):
        return unknown(notes.rules, notes.state, conflict="no code fits all the rows: at least one of them is wrong")
    return _told(notes.rules, notes.state, codes)


def _told(rules: Rules, state: State, codes: CodeSet, left: CodesLeft | None = None) -> PositionTold:
    # Without a word on how many codes are left, the set has all of them.
    left = replace(left or CodesLeft.of(len(codes)), codes=tuple(codes[:10]))
    if rules.pegs * rules.symbols_in_secrets > 20_000 or not len(codes):
        return PositionTold(rules, left, state)
    chances = Remaining(codes, left.is_exact, left.count, left.about, left.method).marginals()
    return PositionTold(rules, left, state, chances)


def unknown(rules: Rules, state: State, *, says: str = "", conflict: str | None = None) -> PositionTold:
    """Describe a position of which no codes are known: because none fits, or because nobody can tell."""
    left = CodesLeft.of(0) if conflict else CodesLeft(None, inf, "none", is_exact=False, says=says)
    return PositionTold(rules, left, state, conflict=conflict)
