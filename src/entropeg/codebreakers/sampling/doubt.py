"""Decides whether the answers of a game can be true where sampling finds no code that fits them."""

from __future__ import annotations

import numpy as np

from entropeg.candidates import Chains, solver
from entropeg.candidates.front import EFFORT, no_secret
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code
from entropeg.position import Turn
from entropeg.rules import Rules
from entropeg.told import Told

PATIENCE = 12
"""How many times the usual steps are made before a turn is played without any code that fits."""

REACH = 30
"""Pegs to which codes were found in every game that was measured; beyond, it is luck (docs/understand/huge.md)."""


def usual_steps(rules: Rules) -> int:
    """Return the steps of the chains in a turn: 25 nanoseconds each, so that a game of 30x30 takes some seconds."""
    return 1_500_000 if rules.pegs <= 12 else 4_000_000


def doubted_after(rules: Rules) -> int:
    """Return for how many turns no code that fits need be found before the answers are doubted."""
    # Where no code fits the turns before the last ones, the answers are doubted.
    return 8 + rules.pegs // 4


def _is_fitted(rules: Rules, turns: tuple[Turn, ...]) -> bool:
    # By the turns alone, whatever was played before and whoever asks: so chains that set off anywhere, always the same.
    chains = Chains(rules, turns, np.random.default_rng(len(turns)), capacity=1)
    chains.walk(PATIENCE * usual_steps(rules))
    return chains.found > 0


def settle(rules: Rules, turns: tuple[Turn, ...], effort: float = EFFORT) -> Code | None:
    """Return None where chains find a code that fits all but the last turns, else a code that the solver finds.

    Raises ContradictionError where the constraint solver proves that none fits, and TooLargeError, saying that nothing
    is proved, where the solver is not there, the board is beyond it, or it gives up: `effort` is as in
    `find_candidates`. The chains make twelve times the usual steps in vain before that, a second on 30x30.
    """
    latest = len(turns) - doubted_after(rules)
    if latest <= 0 or _is_fitted(rules, turns[:latest]):
        return None
    vain = Told(
        "no secret of {rules} was found that fits even the first {first} of {turns} turns", rules, latest, len(turns)
    )
    if not solver.can_solve(rules, len(turns)):
        raise TooLargeError(_unproved(rules, vain))
    if not solver.is_installed():
        raise TooLargeError(
            "{fault}; the constraint solver could decide: {install}", _unproved(rules, vain), solver.INSTALL
        )
    status, code, _ = solver.find_another(rules, turns, (), effort)
    if status == "none":
        raise ContradictionError(no_secret(rules, len(turns), proved=True))
    if code is None:
        raise TooLargeError("{fault}; the constraint solver gave up too", _unproved(rules, vain))
    return code


def _unproved(rules: Rules, vain: str) -> str:
    # Nobody is accused without a proof.
    if rules.pegs > REACH:
        return Told(
            "{fault}: sampling reaches some {reach} pegs; `auto` picks a strategy that reaches further", vain, REACH
        )
    return Told(
        "{fault}, and nothing is proved: the search fell short, where `auto` plays on, or an answer is wrong", vain
    )
