"""Draws codes that differ from a code in one peg."""

from __future__ import annotations

import numpy as np

from entropeg.codes import check_code, random_guess, random_secret
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.rules import Rules


def near_code(code: Code, rules: Rules, rng: np.random.Generator, *, secret: bool = False) -> Code:
    """Draw a legal guess, or secret, that differs from a code in one peg; any at all where that does not succeed."""
    for _ in range(10):
        peg, color = int(rng.integers(rules.pegs)), int(rng.integers(rules.colors))
        near = (*code[:peg], color, *code[peg + 1 :])
        if near != code and _is_legal(near, rules, secret=secret):
            return near
    return random_secret(rules, rng) if secret else random_guess(rules, rng)


def _is_legal(code: Code, rules: Rules, *, secret: bool) -> bool:
    try:
        check_code(code, rules, secret=secret)
    except InputError:
        return False
    return True
