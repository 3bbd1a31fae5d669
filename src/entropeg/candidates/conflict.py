"""Which turns of a contradictory history cannot all be true, found by leaving turns out one by one."""

from __future__ import annotations

from entropeg.candidates.build import STEPS, is_possible
from entropeg.candidates.constraints import Turns
from entropeg.rules import Rules


def minimal_conflict(rules: Rules, turns: Turns, *, steps: int = STEPS) -> tuple[int, ...]:
    """Return turns, by index, that no secret fits together though any proper part of them is fitted by one.

    Empty where a secret fits all of them. Such a set cannot be made smaller by leaving out a turn; another one may have
    fewer turns. One construction a turn. Raises TooLargeError where one of them takes more than `steps`.

    >>> from entropeg.feedback import Feedback
    >>> turns = [((0, 1, 2, 3), Feedback(1)), ((0, 0, 1, 1), Feedback(2)), ((2, 2, 3, 3), Feedback(3))]
    >>> minimal_conflict(Rules(), turns)
    (1, 2)
    """
    kept = list(range(len(turns)))
    if is_possible(rules, turns, steps=steps):
        return ()
    for index in range(len(turns)):
        rest = [other for other in kept if other != index]
        if not is_possible(rules, [turns[other] for other in rest], steps=steps):
            kept = rest
    return tuple(kept)
