"""Ranks guesses where no exact search knows the rules or reaches the board: by estimates."""

from __future__ import annotations

from collections.abc import Iterable

from entropeg.advise.ranking import Ranking
from entropeg.advise.situation import Situation
from entropeg.feedback import Code


def estimated(situation: Situation, number: int, also: Iterable[Code], *, seconds: float, seed: int) -> Ranking:
    """Rank guesses by estimates."""
    raise NotImplementedError
