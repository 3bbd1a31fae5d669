"""Plays the pairs of a tournament, several at a time, and can keep the finished ones in a file.

Modules run in processes of their own, so the threads here mostly wait for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any, TypeAlias

from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.classroom.series import ClassroomInterrupted, Series, play_series
from entropeg.errors import InputError
from entropeg.files import OWN, check_target, parse_json, read_bytes, read_text, refuse_standard, shown, write_whole
from entropeg.processes import end_all
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.signals import LISTEN_EVERY, held

Pair: TypeAlias = tuple[Any, Any]

FORMAT = "entropeg tournament 1"


@dataclass
class KeptSeries:
    """Finished series in a file, by what they depend on; without a path nothing is kept."""

    path: Path | None
    _series: dict[str, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read what is there; raises InputError for a file that is none of ours."""
        if self.path is None:
            return
        refuse_standard(self.path, "a kept tournament")
        check_target(self.path, OWN)
        if not self.path.exists():
            return
        text = read_text(self.path)
        try:
            data = parse_json(text)
            self._series = dict(data["series"]) if data["format"] == FORMAT else {"": {}}
            for record in self._series.values():
                Series.from_record(record)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{shown(self.path)} holds no kept tournament: remove it, or name another file") from None

    def get(self, key: str) -> Series | None:
        """Return the series of that key, if it was kept."""
        record = self._series.get(key)
        return None if record is None else Series.from_record(record)

    def add(self, key: str, series: Series) -> None:
        """Keep one more, and write the file whole."""
        self._series[key] = series.to_record()
        if self.path is not None:
            write_whole(self.path, json.dumps({"format": FORMAT, "series": self._series}).encode(), OWN)


@dataclass
class RoundPlan:
    """How pairs are played: rules, games and seconds a pair, seed, threads, what is kept, who is told."""

    rules: Rules
    games: int
    seconds: float
    seed: int
    jobs: int | None = None
    keep: Path | None = None
    progress: Callable[[str, int, int], object] | None = None
    total: int = 0
    """Number of pairs in all, for the progress."""

    def __post_init__(self) -> None:
        """Read what was kept before."""
        self.done, self._kept, self._stop = 0, KeptSeries(self.keep), Event()

    def play(self, pairs: Sequence[Pair]) -> list[Series]:
        """Play the pairs and return their series in order.

        Raises ClassroomInterrupted with those that were finished where Ctrl-C ends it.
        """
        keys = [self._key(*pair) for pair in pairs]
        finished: dict[int, Series] = {}
        for number, key in enumerate(keys):
            if (known := self._kept.get(key)) is not None:
                finished[number] = known
                self.done += 1
        waiting = [number for number in range(len(pairs)) if number not in finished]
        try:
            with held() as check, ThreadPoolExecutor(self.jobs or usable_processors()) as pool:
                running = {pool.submit(self._series, *pairs[number]): number for number in waiting}
                try:
                    self._collect(running, keys, finished, check)
                except KeyboardInterrupt:
                    self._end(pool, running)
                    raise
        except KeyboardInterrupt:
            raise ClassroomInterrupted([finished[number] for number in sorted(finished)]) from None
        return [finished[number] for number in range(len(pairs))]

    def _end(self, pool: ThreadPoolExecutor, running: Iterable[Future[Series]]) -> None:
        self._stop.set()
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in running):
            end_all()  # whoever waits for a module is told at once that it has ended
            sleep(LISTEN_EVERY)

    def _collect(
        self,
        running: dict[Future[Series], int],
        keys: list[str],
        finished: dict[int, Series],
        check: Callable[[], None],
    ) -> None:
        left = set(running)
        while left:
            ended, left = wait(left, timeout=LISTEN_EVERY, return_when=FIRST_COMPLETED)
            for future in ended:
                series, number = future.result(), running[future]
                finished[number] = series
                self._kept.add(keys[number], series)
                self.done += 1
                if self.progress is not None:
                    self.progress(f"{series.codebreaker} against {series.codemaker}", self.done, self.total)
            check()

    def _series(self, breaker: Any, maker: Any) -> Series:
        def look(_played: int) -> None:
            if self._stop.is_set():
                raise KeyboardInterrupt

        look(0)
        try:
            return play_series(
                breaker, maker, self.rules, self.games, seed=self.seed, seconds=self.seconds, progress=look
            )
        except ModuleFault as error:  # it could not even be imported
            return Series(self.rules, name_of(breaker), name_of(maker), self.seed, self.games, faults=[error.fault])

    def _key(self, breaker: Any, maker: Any) -> str:
        plan = [str(self.rules), self.games, self.seconds, self.seed, *map(_contents, (breaker, maker))]
        return f"{name_of(breaker)} {name_of(maker)} {sha256(repr(plan).encode()).hexdigest()[:16]}"


def _contents(player: Any) -> str:
    # A module that has changed since is played again, and so are those whose neighbors have.
    if not isinstance(player, (CourseCodebreaker, CourseCodemaker)):
        return name_of(player)
    texts = [each.name.encode() + b"\0" + read_bytes(each) for each in sorted(player.file.parent.glob("*.py"))]
    digest = sha256(b"\0".join(texts)).hexdigest()
    return f"{player.name} {digest}"
