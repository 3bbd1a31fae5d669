"""Checks, on the turns that they played, that players of the course do what they are meant to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from entropeg.classroom.faults import Notation
from entropeg.position import Position
from entropeg.told import plural


@dataclass(frozen=True)
class Broken:
    """A turn at which a player does not do what it is meant to; not `severe` where opinions may differ."""

    kind: str
    text: str
    severe: bool = True


@dataclass(frozen=True)
class Trait:
    """What a codebreaker of some number always does."""

    says: str
    check: Callable[[Notation, list[Any]], Broken | None]


def never_repeats(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that was played before."""
    seen: dict[Any, int] = {}
    for number, (guess, _) in enumerate(turns, start=1):
        if guess in seen:
            text = f"it plays {names.code(guess)} at turn {seen[guess]} and again at turn {number}"
            return Broken("repeats", text)
        seen[guess] = number
    return None


def always_consistent(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that an earlier answer excludes."""
    position = Position(names.rules)
    for number, (guess, answer) in enumerate(turns, start=1):
        if guess not in position.candidates:
            shown = ", ".join(map(names.turn, position.turns))
            text = f"its guess {names.code(guess)} at turn {number} cannot be the secret after {shown}"
            return Broken("not consistent", text)
        position = position.after(guess, answer)
    return None


def smallest_worst_case(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that leaves more codes, in the worst case, than another one would."""
    position = Position(names.rules)
    for number, (guess, answer) in enumerate(turns, start=1):
        candidates, every = position.candidates, position.legal_guesses
        worst = candidates.part_sizes(every).max(axis=1)
        mine, best = int(candidates.parts(guess)[1].max()), int(worst.min())
        if mine > best:
            text = f"its guess {names.code(guess)} at turn {number} leaves up to {plural(mine, '{n} code', '{n} codes')}; {best} can be had"
            if number == 1:
                return _later(names, turns) or Broken("first guess", text, severe=False)
            among = int(candidates.part_sizes(candidates).max(axis=1).min())
            if mine == among:
                text += ": it looks only among the codes still possible"
            return Broken("not minimax", text, severe=mine != among)
        position = position.after(guess, answer)
    return None


def _later(names: Notation, turns: list[Any]) -> Broken | None:
    # Many begin with a guess of their own choice: what counts is what they do then.
    position = Position(names.rules).after(*turns[0])
    for number, (guess, answer) in enumerate(turns[1:], start=2):
        candidates = position.candidates
        mine = int(candidates.parts(guess)[1].max())
        best = int(candidates.part_sizes(position.legal_guesses).max(axis=1).min())
        among = int(candidates.part_sizes(candidates).max(axis=1).min())
        if mine > best:
            text = f"its guess {names.code(guess)} at turn {number} leaves up to {plural(mine, '{n} code', '{n} codes')}; {best} can be had"
            return Broken("not minimax", text, severe=mine != among)
        position = position.after(guess, answer)
    return None


TRAITS = {
    1: Trait("never plays a code twice", never_repeats),
    2: Trait("plays only codes that can be the secret", always_consistent),
    3: Trait("always leaves the fewest codes in the worst case", smallest_worst_case),
}
"""By the number of the codebreaker."""


def answers_with_the_most(names: Notation, turns: list[Any]) -> Broken | None:
    """Find an answer that leaves fewer codes than another one would."""
    position = Position(names.rules)
    for number, (guess, answer) in enumerate(turns, start=1):
        most = int(position.candidates.parts(guess)[1].max())
        position = position.after(guess, answer)
        left = len(position.candidates)
        if left < most:
            turn = names.turn(position.turns[-1])
            text = (
                f"its answer {turn} at turn {number} leaves {plural(left, '{n} code', '{n} codes')}; {most} can be left"
            )
            return Broken("not largest", text)
    return None
