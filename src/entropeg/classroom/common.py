"""What every codebreaker and codemaker of the course shares: the size of the board, evaluations, possible codes.

A course module writes `import common`. Where a project has no `common.py` of its own, this one takes its place.
Codes are strings of letters, an evaluation is a tuple: (well placed, right color but elsewhere).
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product

LENGTH = 4
COLORS = ["R", "V", "B", "J", "N", "M", "O", "G"]


def choices(e: Iterable[str] | None = None, n: int | None = None) -> str:
    """Return a code drawn at random, every code equally likely: of `n` colors out of `e`, as an older handout has it.

    >>> len(choices()), choices({"R"}, 3)
    (4, 'RRR')
    """
    return "".join(random.choices(COLORS if e is None else sorted(e), k=LENGTH if n is None else n))


def evaluation(guess: str, secret: str) -> tuple[int, int]:
    """Return (well placed, misplaced) of a guess against a secret; each peg counts once.

    >>> evaluation("RRVB", "RVRR")
    (1, 2)
    """
    placed = sum(mine == other for mine, other in zip(guess, secret, strict=True))
    shared = sum(min(guess.count(color), secret.count(color)) for color in set(guess))
    return placed, shared - placed


def donner_possibles(guess: str, evaluation_p: tuple[int, int]) -> set[str]:
    """Return every code that would have given this evaluation to this guess.

    >>> len(donner_possibles("RRVV", (0, 0)))
    1296
    """
    codes = map("".join, product(COLORS, repeat=LENGTH))
    return {code for code in codes if evaluation(guess, code) == evaluation_p}


def maj_possibles(possibles: set[str], guess: str, evaluation_p: tuple[int, int]) -> None:
    """Remove from the set, in place, the codes that would not have given this evaluation to this guess.

    >>> possibles = donner_possibles("RRRR", (1, 0))
    >>> maj_possibles(possibles, "RVVV", (2, 2))
    >>> sorted(possibles)
    ['VRVV', 'VVRV', 'VVVR']
    """
    possibles.difference_update([code for code in possibles if evaluation(guess, code) != evaluation_p])
