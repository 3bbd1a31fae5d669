"""Checks the answers of players written by others against the rules and the game so far."""

from __future__ import annotations

from collections.abc import Callable

from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.codes import format_code, is_listable
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, check_feedback
from entropeg.position import Position, describe_conflict, format_turn

TOLD_TURNS = 20


def in_game(fault: Fault, position: Position) -> Fault:
    """Return a fault with the game so far."""
    turns = tuple(format_turn(turn, position.rules) for turn in position.turns[:TOLD_TURNS])
    return fault.at(turns=turns, count=len(position.turns))


def judged(
    feedback: AnyFeedback, position: Position, guess: Code, shown: str, fault: Callable[[str, str], Fault]
) -> AnyFeedback:
    """Return the answer to a guess; raises ModuleFault for one that cannot be, or that no secret fits.

    `shown` is the answer as the player wrote it; `fault` makes a fault from its kind and sentence.
    """
    said = f"its evaluation of {format_code(guess, position.rules)} is {shown}"
    try:
        feedback = check_feedback(feedback, position.rules)
    except InputError as error:
        raise ModuleFault(in_game(fault("evaluation", f"{said}: {error}"), position)) from None
    if not is_listable(position.rules):
        return feedback
    _ = position.candidates  # kept with the position, so that the next one need not filter from the start
    after = position.after_trusted(guess, feedback)
    if after.is_contradictory:
        text = f"{said}, but {describe_conflict(after)}"
        raise ModuleFault(in_game(fault("inconsistent", text), position))
    return feedback
