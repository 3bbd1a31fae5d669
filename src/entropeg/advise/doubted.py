"""Asks a player whether rows can be true, on boards where nobody can list the codes or find some of them."""

from __future__ import annotations

from entropeg.candidates import SCANNED, can_walk
from entropeg.codebreakers.auto import Auto
from entropeg.codebreakers.doubts import Doubt
from entropeg.codebreakers.sampling.doubt import REACH
from entropeg.position import Position


def doubted(position: Position, told: Doubt | None = None) -> Doubt | None:
    """Return what a player has `told` that it doubts, or else the one that `auto` picks; None where it doubts nothing.

    None, too, where codes that fit can be found: to 30 pegs they are, wherever there are some, as far as is known. Of
    guesses that others made only what is proved is told: of thirty honest games of random guesses on 32x40 `belief`
    doubted six. Costs a game of that player, or a turn where the turns before were asked about: a second on 50x50.

    >>> doubted(Position("50x50", [((0,) * 50, "X"), ((0,) * 50, "XX")])).is_proved
    True
    """
    rules = position.rules
    if not position.turns or rules.secret_count <= SCANNED or (rules.pegs <= REACH and can_walk(rules)):
        return None
    if told is not None:
        return told
    doubt = Auto().doubt(position)
    return doubt if doubt is not None and doubt.is_proved else None
