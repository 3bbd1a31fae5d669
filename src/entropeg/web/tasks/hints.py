"""Hints for a game that is being played."""

from __future__ import annotations

from typing import Any

from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.web.errors import field
from entropeg.web.gate import example_code
from entropeg.web.values import code_data


def hints(data: dict[str, Any]) -> dict[str, Any]:
    """Return the steps of `advise.ladder` for `rules`, `turns`, the `guess` in the making (or None) and `seconds`.

    Those at the best guess are worked out where `best` asks for them, else `further` has their kinds. Rows and pegs
    count from 1, as people count them.
    """
    from entropeg.advise.ladder import HintLadder
    from entropeg.advise.rows import check_part_code

    rules = Rules.parse(data["rules"], files=False)
    with field("guess", example_code(rules)):
        guess = None if data["guess"] is None else check_part_code(data["guess"], rules)
    with field("turns"):
        position = Position(rules, data["turns"])
        ladder = HintLadder.of(position, guess, to_the_best=data["best"], seconds=data["seconds"])
    steps = [
        {
            "kind": step.kind.value,
            "says": step.says,
            "row": None if step.row is None else step.row + 1,
            "pegs": [peg + 1 for peg in step.pegs],
            "code": None if step.code is None else code_data(step.code, rules),
        }
        for step in ladder.steps
    ]
    return {"steps": steps, "further": [kind.value for kind in ladder.further]}
