"""Hints for a game that is being played."""

from __future__ import annotations

from typing import Any

from entropeg.advise.ladder import HintLadder
from entropeg.advise.rows import check_part_code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.web.errors import field
from entropeg.web.gate import example_code


def hints(data: dict[str, Any]) -> dict[str, Any]:
    """Tell the `HintLadder` of `rules`, `turns`, the `guess` in the making (or None) and `seconds`.

    Those at the best guess are worked out where `best` asks for them, else `further` has their kinds. Rows and pegs
    count from 1, as people count them.
    """
    rules = Rules.parse(data["rules"], files=False)
    with field("guess", example_code(rules)):
        guess = None if data["guess"] is None else check_part_code(data["guess"], rules)
    with field("turns"):
        position = Position(rules, data["turns"])
        ladder = HintLadder.of(position, guess, to_the_best=data["best"], seconds=data["seconds"])
    return ladder.to_json()
