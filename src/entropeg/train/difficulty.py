"""Measures how hard a puzzle is by the built-in codebreakers that fail it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from entropeg import codebreakers
from entropeg.advise.player_views import OPTIMAL, PLAYERS
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.train.puzzle import Failing

DRAWS = 10
"""Guesses that players by chance make where the guesses that solve a puzzle are not all known."""


def failing(position: Position, answers: tuple[Code, ...]) -> Failing:
    """Return the players with the probability that they fail a puzzle of which all answers are known: exact.

    >>> position = Position("2x3", ["AB O"])
    >>> [f"{name} {chance:.2f}" for name, chance in failing(position, ((1, 2), (2, 0)))][:3]
    ['random 0.78', 'first-consistent 0.00', 'consistent 0.00']
    """
    solving, codes, rules = set(answers), position.candidates, position.rules
    chances = {
        "random": 1 - len(solving) / (len(position.legal_guesses) if rules.hard else rules.guess_count),
        "first-consistent": float(codes[0] not in solving),
        "consistent": sum(code not in solving for code in codes) / len(codes),
        OPTIMAL: 0.0,  # the best play, which never fails
    }
    return tuple(
        (name, chances[name] if name in chances else float(_plays(name, position) not in solving)) for name in PLAYERS
    )


def failing_by_trial(position: Position, solves: Callable[[Code], bool], rng: np.random.Generator) -> Failing:
    """Return the players with how often they fail a puzzle, by trial: those that play by chance guess `DRAWS` times."""
    found = []
    for name in PLAYERS:
        if name == OPTIMAL:
            found.append((name, 0.0))
            continue
        player = codebreakers.get(name)
        draws = 1 if getattr(player, "deterministic", False) else DRAWS
        found.append((name, sum(not solves(player.guess(position, rng)) for _ in range(draws)) / draws))
    return tuple(found)


def _plays(name: str, position: Position) -> Code:
    return codebreakers.get(name).guess(position, np.random.default_rng(0))
