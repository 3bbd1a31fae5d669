"""Checks, on the turns that they played, that players of the course do what they are meant to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from entropeg.classroom.faults import Notation
from entropeg.feedback import AnyFeedback, Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural


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


def steps(rules: Rules, turns: Sequence[Any]) -> Iterator[tuple[int, Position, Code, AnyFeedback]]:
    """Give each turn of a game, (guess, feedback): its number from 1, and the position in which it was made."""
    position = Position(rules)
    for number, (guess, answer) in enumerate(turns, start=1):
        yield number, position, guess, answer
        position = position.after(guess, answer)


def never_repeats(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that was played before."""
    seen: dict[Any, int] = {}
    for number, (guess, _) in enumerate(turns, start=1):
        if guess in seen:
            code, first = names.code(guess), seen[guess]
            return Broken(
                "repeats", Told("it plays {code} at turn {first} and again at turn {turn}", code, first, number)
            )
        seen[guess] = number
    return None


def always_consistent(names: Notation, turns: Sequence[Any]) -> Broken | None:
    """Find a guess that an earlier answer excludes."""
    for number, position, guess, _ in steps(names.rules, turns):
        if guess not in position.candidates:
            excluded = Template("its guess {guess} at turn {turn} cannot be the secret after {turns:list}")
            told = map(names.turn, position.turns)
            return Broken("not consistent", Told(excluded, names.code(guess), number, told))
    return None


def smallest_worst_case(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that leaves more codes, in the worst case, than another one would."""
    first = None
    for number, position, guess, _ in steps(names.rules, turns):
        candidates = position.candidates
        mine = int(candidates.parts(guess)[1].max())
        best = int(candidates.part_sizes(position.legal_guesses).max(axis=1).min())
        if mine > best:
            text = _more_than(names.code(guess), number, mine, best, len(candidates))
            if number == 1:
                # Many begin with a guess of their own choice: what counts is what they do then.
                first = Broken("first guess", text, severe=False)
            else:
                among = int(candidates.part_sizes(candidates).max(axis=1).min())
                if mine == among:
                    text = Told("{text}: it looks only among the codes still possible", text)
                return Broken("not minimax", text, severe=mine != among)
    return first


def _more_than(guess: str, turn: int, mine: int, best: int, before: int) -> str:
    left = plural(mine, "{n} code", "{n} codes")
    if mine == before:
        text = Template("its guess {guess} at turn {turn} leaves up to {codes}, as many as before; {best} can be had")
        return Told(text, guess, turn, left, best)
    return Told("its guess {guess} at turn {turn} leaves up to {codes}; {best} can be had", guess, turn, left, best)


def prefers_possible_codes(names: Notation, turns: list[Any]) -> Broken | None:
    """Find a guess that cannot be the secret where one that can be leaves as few codes in the worst case.

    One text of the course asks for the possible ones first, another one takes any: opinions differ. Where one code is
    left alone and another one is played they do not.
    """
    found = None
    for number, position, guess, _ in steps(names.rules, turns):
        candidates = position.candidates
        if number > 1 and guess not in candidates:
            mine, shown = int(candidates.parts(guess)[1].max()), names.code(guess)
            if len(candidates) == 1:
                text = Told(
                    "its guess {guess} at turn {turn} cannot be the secret, and {code} must be: nothing else fits",
                    *(shown, number, names.code(candidates[0])),
                )
                return Broken("not preferred", text)
            alike = (candidates.part_sizes(candidates).max(axis=1) <= mine).nonzero()[0]
            if found is None and len(alike):
                left = plural(mine, "{n} code", "{n} codes")
                text = Told(
                    "its guess {guess} at turn {turn} cannot be the secret, and {code}, which can be, leaves no more "
                    "in the worst case, {codes}: of equally good guesses the possible ones should come first",
                    *(shown, number, names.code(candidates[int(alike[0])]), left),
                )
                found = Broken("not preferred", text, severe=False)
    return found


TRAITS = {
    1: Trait(Told("never plays a code twice"), never_repeats),
    2: Trait(Told("plays only codes that can be the secret"), always_consistent),
    3: Trait(Told("always leaves the fewest codes in the worst case"), smallest_worst_case),
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
            said, codes = names.turn(position.turns[-1]), plural(left, "{n} code", "{n} codes")
            text = Template("its answer {answer} at turn {turn} leaves {codes}; {most} can be left")
            return Broken("not largest", Told(text, said, number, codes, most))
    return None
