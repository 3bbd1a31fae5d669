"""Hands pairs of a tournament to other workers, where they see the same folders."""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.classroom.series import Manner, Series, play_on
from entropeg.classroom.tournament.recall import Recall
from entropeg.errors import EntropegError
from entropeg.executors import Crew
from entropeg.registry import name_of

LONGEST = 20.0
"""Seconds after which a worker begins no other pair of its call."""


class PairCall(NamedTuple):
    """Pairs to play on until each has its games: two players, and the record of their games so far."""

    pairs: tuple[tuple[Any, Any, dict[str, Any]], ...]
    games: int
    seconds: float


_own = threading.local()


def play_pairs(call: PairCall) -> list[dict[str, Any] | None]:
    """Play pairs, where a worker is; the records of their series, None for the ones left when time is over."""
    if not hasattr(_own, "recall"):
        _own.recall = Recall()  # players tell boards and seeds apart
    end, played = monotonic() + LONGEST, list[dict[str, Any] | None]()
    for breaker, maker, record in call.pairs:
        if played and monotonic() > end:
            played.append(None)
            continue
        for player in (breaker, maker):
            _check_seen(player)
        series = Series.from_record(record)
        try:
            play_on(series, breaker, maker, call.games, Manner(call.seconds - series.seconds, game=_own.recall.game))
        except ModuleFault as error:  # it could not even be imported
            series.faults.append(error.fault)
        played.append(series.to_record())
    return played


def _check_seen(player: Any) -> None:
    if isinstance(player, (CourseCodebreaker, CourseCodemaker)) and not player.module.startswith("cmd:"):
        path = player.module
        if not Path(path).exists():
            raise EntropegError(
                f"the worker on {platform.node()} does not see {path}: a tournament on a cluster needs folders that "
                "all machines share, named from the root"
            )


def play_shared(
    crew: Crew,
    pairs: Sequence[tuple[Any, Any, Series]],
    games: int,
    seconds: float,
    look: Callable[[tuple[Any, Any], Series | None], bool],
) -> None:
    """Have pairs played on by a crew; ``look`` is told of each, and now and then of none; where it is False it ends.

    Called inside `signals.held`.
    """
    waiting, calls = list(pairs)[::-1], dict[int, list[tuple[Any, Any, Series]]]()
    try:
        while waiting or calls:
            while waiting and crew.room:
                size = max(1, min(8, len(waiting) // (4 * crew.count)))
                some = [waiting.pop() for _ in range(min(size, len(waiting)))]
                call = PairCall(tuple((one, other, series.to_record()) for one, other, series in some), games, seconds)
                calls[crew.put(play_pairs, call)] = some
            for number, records in crew.take():
                for (one, other, series), record in zip(calls.pop(number), records, strict=True):
                    if record is None:
                        waiting.append((one, other, series))
                    else:
                        look((name_of(one), name_of(other)), Series.from_record(record))
            if not look(("", ""), None):
                return
    finally:
        crew.forget()
