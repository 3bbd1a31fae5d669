"""The least totals of openings, found by the workers of an executor: each by one, or its parts by all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from entropeg.search.exact.fields import UNLIMITED
from entropeg.search.proving.elsewhere.opening import Elsewhere, new_round
from entropeg.search.proving.elsewhere.units import Unit, UnitCall


def value_openings(
    elsewhere: Elsewhere,
    guesses: Iterable[int],
    infinite: int,
    keep: Callable[[int, int], None],
    is_wanted: Callable[[], bool],
) -> list[int]:
    """Find the least totals of openings, each valued by one worker; returns those that take long, not valued.

    ``keep`` takes a guess and its total; what is done ends as soon as ``is_wanted``, asked a few times a second, says
    no. ``infinite``: more than any total.
    """
    waiting, long = deque(guesses), list[int]()
    calls, mine = dict[int, UnitCall](), new_round()
    try:
        while (waiting or calls) and is_wanted():
            some = [waiting.popleft() for _ in range(min(len(waiting), elsewhere.crew.room * elsewhere.units_of_call))]
            units = [Unit(guess, guess, 0, (), UNLIMITED, 0, infinite, only=guess) for guess in some]
            calls |= elsewhere.put(units, mine)
            elsewhere.hurry(mine, is_idle=not waiting and elsewhere.crew.running < elsewhere.crew.count)
            for number, (found, nodes) in elsewhere.crew.take():
                elsewhere.learn(found, nodes)
                for one in found:
                    if one.ending == "done":
                        keep(one.number, one.bound)
                    elif one.ending == "long":
                        long.append(one.number)
                searched = {one.number for one in found if one.ending != "stopped"}
                waiting += [unit.number for unit in calls.pop(number).units if unit.number not in searched]
    finally:
        elsewhere.end(mine)
    return long
