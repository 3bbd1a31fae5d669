"""Checks that a codemaker keeps the promises that everything else relies on, for those who write their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from entropeg import codemakers
from entropeg.codebreakers.basic import Consistent
from entropeg.codebreakers.check import SMALL, Report, checked_plan, copier, describe, drawing, watched
from entropeg.codes import check_code, format_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, check_feedback, format_feedback, score_trusted
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Template, Told


def check_codemaker(player: Any, rules: Rules | str = SMALL, *, games: int = 4, seed: int = 0) -> None:
    """Raise InputError naming every fault that `inspect_codemaker` finds; do nothing where there is none.

    >>> check_codemaker("cheat", "3x3")
    """
    inspect_codemaker(player, rules, games=games, seed=seed).raise_faults()


def inspect_codemaker(player: Any, rules: Rules | str = SMALL, *, games: int = 4, seed: int = 0) -> Report:
    """Let it answer `consistent` for a few games and report every fault found.

    Looked for: a secret or an answer that the rules forbid; an answer that its secret does not give; answers that no
    secret fits (a cheat that is found out); another secret or answer for the same position and generator; a promise
    `deterministic` that is not kept; a position or list of codes changed; an object that cannot be pickled, or plays
    otherwise once unpickled. An answer that never returns cannot be reported. Needs a board whose codes can be listed.
    Raises InputError where rules, games or seed cannot be right, or no player has the name that was given.
    """
    player = codemakers.get(player) if isinstance(player, str) else player
    rules, games, seed = checked_plan(rules, games, seed)
    report = Report(name_of(player))
    for method, call in (("choose", "choose(rules, rng)"), ("answer", "answer(position, guess, secret, rng)")):
        if not callable(getattr(player, method, None)):
            report.add(method, Told("it has no method {method}", call))
    if not report.ok:
        return report
    copy = copier(player, report)
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        _play(player, copy, rules, rng, report)
    return report


def _play(player: Any, copy: Callable[[], Any], rules: Rules, rng: np.random.Generator, report: Report) -> None:
    seed = int(rng.integers(1 << 32))
    chosen = _choose(player, rules, seed, report)
    if chosen is False:
        return
    again = Told("at the start asked twice with the same generator it chooses another secret")
    otherwise = Told("at the start a copy made by pickling it chooses another secret")
    for who, says in ((player, again), (copy(), otherwise)):
        if who is not None and _choose(who, rules, seed, Report("")) != chosen:
            report.add("choose", says)
    position = Position(rules)
    while not position.is_over:
        guess = Consistent().guess(position, rng)
        answer = _turn(player, copy(), position, guess, chosen, int(rng.integers(1 << 32)), report)
        if answer is None:
            return
        report.turns += 1
        position = position.after_trusted(guess, answer)


def _choose(player: Any, rules: Rules, seed: int, report: Report) -> Code | Literal[False] | None:
    # The secret, or False where there is none because of a fault.
    try:
        secret = player.choose(rules, np.random.default_rng(seed))
    except Exception as error:  # noqa: BLE001 (whatever a foreign player raises is a fault of its own)
        report.add("raise", Told("at the start choose raised {name}: {error}", type(error).__name__, error))
        return False
    try:
        return None if secret is None else check_code(secret, rules, secret=True)
    except InputError as error:
        report.add("secret", Told("at the start its secret {secret!r} is not legal: {error}", secret, error))
        return False


def _turn(
    player: Any, twin: Any, position: Position, guess: Code, secret: Code | None, seed: int, report: Report
) -> AnyFeedback | None:
    answer = _answer(player, position, guess, secret, seed, report)
    if answer is None:
        return None
    where = Told("{where} asked {guess},", describe(position), format_code(guess, position.rules))
    rebuilt = Position(position.rules, position.turns)
    asked = [
        (player, position, Template("{where} asked twice with the same generator it answers otherwise")),
        (player, rebuilt, Template("{where} with an equal position with the same generator it answers otherwise")),
        (twin, rebuilt, Template("{where} a copy with the same generator it answers otherwise")),
    ]
    for who, of, says in asked:
        other = None if who is None else _answer(who, of, guess, secret, seed, Report(""))
        if other is not None and other != answer:
            report.add("again", Told(says, where))
    return answer if _fits(position, guess, secret, answer, where, report) else None


def _fits(
    position: Position, guess: Code, secret: Code | None, answer: AnyFeedback, where: str, report: Report
) -> bool:
    said = format_feedback(answer)
    if secret is not None and answer != score_trusted(guess, secret, position.rules):
        right = format_feedback(score_trusted(guess, secret, position.rules))
        told = Told("{where} it answers {said}, though the secret that it chose gives {right}", where, said, right)
        report.add("honest", told)
        return False
    if position.after_trusted(guess, answer).is_contradictory:
        report.add("detectable", Told("{where} it answers {said}, which no secret fits", where, said))
        return False
    return True


def _answer(
    player: Any, position: Position, guess: Code, secret: Code | None, seed: int, report: Report
) -> AnyFeedback | None:
    where = Told("{where} asked {guess},", describe(position), format_code(guess, position.rules))
    try:
        with drawing(player, where, seed, report) as rng, watched(position, "answer", report):
            answer = player.answer(position, guess, secret, rng)
    except Exception as error:  # noqa: BLE001 (whatever a foreign player raises is a fault of its own)
        report.add("raise", Told("{where} answer raised {name}: {error}", where, type(error).__name__, error))
        return None
    try:
        return check_feedback(answer, position.rules)
    except InputError as error:
        report.add("legal", Told("{where} its answer {answer!r} is not legal: {error}", where, answer, error))
        return None
