"""Tells the known facts of a board without playing on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from entropeg.rules import MOST_SIZE
from entropeg.search.known import board_facts
from entropeg.web.inputs import rules_of


def facts(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `BoardFacts` of a board, which may be of any size here: nothing is drawn or played."""
    limits = replace(data["limits"], pegs=MOST_SIZE, colors=MOST_SIZE)
    return board_facts(rules_of(data["rules"], limits)).to_json()
