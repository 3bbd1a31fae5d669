"""Plays the games of a tournament as they are dealt, several at a time, and keeps them.

Modules run in processes of their own, so the threads here mostly wait for them.
"""

from __future__ import annotations

import platform
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any, NamedTuple, Self

from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.kept import KeptRecords
from entropeg.classroom.layout import MOST_FILES, layout_of
from entropeg.classroom.players import CourseModule, hurry, path_of
from entropeg.classroom.series import Manner, Series, play_on
from entropeg.classroom.tournament.dealing import Dealer, DealtPair, Squares
from entropeg.classroom.tournament.recall import Recall
from entropeg.errors import EntropegError
from entropeg.executors import Crew
from entropeg.files import read_bytes
from entropeg.processes import end_all
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.signals import LISTEN_EVERY, held
from entropeg.told import Template, Told


class KeptSeries(KeptRecords[Series]):
    """Series in a file, by what their games depend on."""

    FORMAT, THINGS, WHAT = "entropeg tournament 2", "series", Told("a kept tournament")
    REFUSAL = Template("{file} holds no kept tournament: remove it, or name another file")

    def checked(self, records: dict[str, Any]) -> dict[str, dict[str, Any]]:
        """Read all of them once: the games in a damaged file are not thrown away unasked."""
        for record in records.values():
            Series.from_record(record)
        return records

    def to_record(self, value: Series) -> dict[str, Any]:
        """Return every game, without the turns."""
        return value.to_record()

    def get(self, key: str) -> Series | None:
        """Return the series of that key, if it was kept."""
        record = self._records.get(key)
        return None if record is None else Series.from_record(record)


def series_key(rules: Rules, seed: int, breaker: Any, maker: Any) -> str:
    """Return what the games of a pair depend on: players, the files of their projects, board and seed."""
    contents = repr([str(rules), seed, *map(_contents, (breaker, maker))])
    return f"{name_of(breaker)} {name_of(maker)} {sha256(contents.encode()).hexdigest()[:16]}"


def _contents(player: Any) -> str:
    # A module that has changed since is played again, and so are those whose neighbors have.
    if not isinstance(player, CourseModule):
        return name_of(player)
    files = [each for path in layout_of(player.file).paths for each in sorted(path.rglob("*.py"))[:MOST_FILES]]
    texts = [each.name.encode() + b"\0" + read_bytes(each) for each in dict.fromkeys([player.file, *files])]
    digest = sha256(b"\0".join(texts)).hexdigest()
    return f"{player.name} {digest}"


class PairCall(NamedTuple):
    """Games to play: two players, an empty series of theirs as a record, numbers, and games that went wrong before."""

    hands: tuple[tuple[Any, Any, dict[str, Any], list[int], int], ...]
    seconds: float


_own = threading.local()


def play_pairs(call: PairCall) -> list[dict[str, Any]]:
    """Play games of pairs, where a worker is; the records of their series, empty for those left when time is over."""
    if not hasattr(_own, "recall"):
        _own.recall = Recall()  # players tell boards and seeds apart
    # After 20 seconds no other pair of the call is begun.
    end, played = monotonic() + 20.0, list[dict[str, Any]]()
    for breaker, maker, record, numbers, wrong in call.hands:
        series = Series.from_record(record)
        if not played or monotonic() < end:
            for player in (breaker, maker):
                _check_seen(player)
            try:
                play_on(series, breaker, maker, numbers, Manner(call.seconds, game=_own.recall.game, wrong=wrong))
            except ModuleFault as error:  # it could not even be imported
                series.faults.append(error.fault)
        played.append(series.to_record())
    return played


def _check_seen(player: Any) -> None:
    if isinstance(player, CourseModule) and not player.file.exists():
        raise EntropegError(
            "the worker on {machine} does not see {path}: a tournament on a cluster needs folders that all machines "
            "share, named from the root",
            platform.node(),
            player.module,
        )


def play_shared(
    crew: Crew, dealer: Dealer, seconds: float, look: Callable[[DealtPair | None, Series | None], bool]
) -> None:
    """Have a crew play what is dealt; ``look`` is told of each hand, and now and then of none; False from it ends all.

    Called inside `signals.held`.
    """
    calls = dict[int, list[DealtPair]]()
    try:
        while True:
            while crew.room and (hands := dealer.next()):
                call = PairCall(tuple(_call(pair, numbers) for pair, numbers in hands), seconds)
                calls[crew.put(play_pairs, call)] = [pair for pair, _ in hands]
            if not calls:
                return
            for number, records in crew.take():
                for pair, record in zip(calls.pop(number), records, strict=True):
                    look(pair, Series.from_record(record))
            if not look(None, None):
                return
    finally:
        crew.forget()


def _call(pair: DealtPair, numbers: list[int]) -> tuple[Any, Any, dict[str, Any], list[int], int]:
    return pair.breaker, pair.maker, _emptied(pair.series).to_record(), numbers, pair.wrong


def _emptied(series: Series) -> Series:
    return Series(series.rules, series.codebreaker, series.codemaker, series.seed, series.planned)


class Watched(NamedTuple):
    """A game that one may watch: its players, its number, and its turns (guess and feedback)."""

    codebreaker: str
    codemaker: str
    number: int
    turns: list[Any]


class TournamentStanding(NamedTuple):
    """How far a tournament has come: the pair played last, games finished, games in all, and the game played last."""

    pair: str
    done: int
    total: int
    watched: Watched | None = None


@dataclass
class TournamentRounds:
    """How pairs are played: rules, games and seconds a pair, seed, threads, when to stop, what is kept, who is told.

    `until` is the time of `time.monotonic` at which playing ends, whatever is left.
    """

    rules: Rules
    games: int
    seconds: float
    seed: int
    jobs: int | None = None
    keep: Path | None = None
    progress: Callable[[TournamentStanding], object] | None = None
    until: float = float("inf")
    crew: Crew | None = None
    """Workers that play pairs, in the place of threads of this process."""
    records: bool = False
    """Whether games are kept to be watched."""
    aside: Callable[[Sequence[Series]], Collection[str]] = field(default=lambda _: ())
    """Tells who plays no more, by names, in the light of the series so far."""
    total: int = 0
    """Games in all, for the progress; 0 while nobody knows who is left to play."""
    pairs: dict[tuple[str, str], DealtPair] = field(default_factory=dict)
    """The pairs that have played, by their names."""

    def __post_init__(self) -> None:
        self._kept, self._stop, self._recall = KeptSeries(self.keep), Event(), Recall()
        self._lock = Lock()

    @property
    def threads(self) -> int:
        """How many games are played at a time."""
        return self.jobs or usable_processors()

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return monotonic() >= self.until

    @property
    def series(self) -> list[Series]:
        """The series so far, those that go on as they are now, their games in the order of their numbers."""
        with self._lock:
            return [pair.series.only(lambda _: True) for pair in self.pairs.values()]

    def __enter__(self) -> Self:
        """Start the threads: they keep the processes of modules from round to round."""
        self._pool = ThreadPoolExecutor(self.threads)
        return self

    def __exit__(self, *_: object) -> None:
        """Write the series to be kept, and end the threads."""
        with self._lock:
            self._kept.save()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def pair(self, breaker: Any, maker: Any, places: tuple[int, int], squares: Squares) -> DealtPair:
        """Return a pair with the games that it has played, here or in the file of those kept."""
        names = name_of(breaker), name_of(maker)
        if names not in self.pairs:
            known = self._kept.get(self._key(breaker, maker)) or Series(self.rules, *names, self.seed, self.games)
            known.planned = self.games
            series = known.only(lambda number: squares.has(*places, number))
            self.pairs[names] = DealtPair(breaker, maker, places, series, squares)
        return self.pairs[names]

    def play(
        self, groups: Sequence[list[DealtPair]], games: int | None = None, turn_seconds: float | None = None
    ) -> None:
        """Play pairs until each has its games, its time is over, or it goes wrong again and again.

        `games`: only so many each; `turn_seconds`: a module may take so long a turn, if its own limit is not less. The
        games are in `pairs`, also where the time is over, and where Ctrl-C raises KeyboardInterrupt.
        """
        if self.is_late:
            return
        is_large = any(len(group) > 1 for group in groups)
        dealer = Dealer(groups, self.seconds, lambda: self.left, is_large or self.crew is not None, games)
        with held() as check:
            if self.crew is not None:
                play_shared(self.crew, dealer, self.seconds, partial(self._look, check))
                return
            work = partial(self._work, dealer, turn_seconds)
            count = min(self.threads, sum(map(len, groups)))
            running = [self._pool.submit(work) for _ in range(count)]
            try:
                self._collect(running, check)
            except BaseException:  # also where a thread failed: the others would go on to the end
                self._end(running)
                raise
            if self.is_late:
                self._end(running)

    @property
    def left(self) -> float:
        """The seconds until the end that all threads or workers have together."""
        workers = self.threads if self.crew is None else self.crew.count
        return (self.until - monotonic()) * max(1, workers)

    def _look(self, check: Callable[[], None], pair: DealtPair | None, series: Series | None) -> bool:
        if pair is not None and series is not None:
            self._join(pair, series, is_kept=True)
        self._tell()
        check()
        return not self.is_late

    def _tell(self) -> None:
        if self.progress is not None and self._last:
            done = sum(pair.series.played for pair in list(self.pairs.values()))
            self.progress(TournamentStanding(self._last, done, self.total, self._watched))

    def _join(self, pair: DealtPair, series: Series, *, is_kept: bool) -> None:
        with self._lock:
            pair.series.join(series)
            pair.go_on()
            pair.busy = False
            self._last = _told(series)
            if series.faults:
                self._set_aside()
            if is_kept and pair.series.played:
                self._kept.store(self._key(pair.breaker, pair.maker), pair.series)
            if series.turns and series.turns[-1]:
                self._watched = Watched(series.codebreaker, series.codemaker, series.games[-1], series.turns[-1])

    def _set_aside(self) -> None:
        gone = set(map(path_of, self.aside([pair.series for pair in self.pairs.values()])))
        for pair in self.pairs.values():
            pair.is_gone = not gone.isdisjoint(map(path_of, (pair.series.codebreaker, pair.series.codemaker)))

    def _key(self, breaker: Any, maker: Any) -> str:
        return series_key(self.rules, self.seed, breaker, maker) if self.keep is not None else ""

    def _end(self, running: Iterable[Future[None]]) -> None:
        self._stop.set()
        while not all(future.done() for future in running):
            end_all()  # whoever waits for a module is told at once that it has ended
            sleep(LISTEN_EVERY)

    def _collect(self, running: Iterable[Future[None]], check: Callable[[], None]) -> None:
        left = set(running)
        while left and not self.is_late:
            ended, left = wait(left, timeout=LISTEN_EVERY, return_when=FIRST_COMPLETED)
            for future in ended:
                future.result()
            self._tell()
            check()

    _last = ""
    _watched: Watched | None = None

    def _work(self, dealer: Dealer, turn_seconds: float | None) -> None:
        # What one thread does: hand after hand, until there is none.
        while not (self._stop.is_set() or self.is_late):
            with self._lock:
                hands = dealer.next()
            if not hands:
                return
            for pair, numbers in hands:
                if self._stop.is_set() or self.is_late:
                    return
                self._play(pair, numbers, turn_seconds)

    def _play(self, pair: DealtPair, numbers: list[int], turn_seconds: float | None) -> None:
        series = _emptied(pair.series)
        self._last = _told(series)
        certain = series.sizes

        def look(_played: int) -> None:
            nonlocal certain
            if self._stop.is_set():
                raise KeyboardInterrupt
            certain = series.sizes
            if self.is_late:
                raise KeyboardInterrupt

        seconds = self.seconds - pair.series.seconds
        how = Manner(seconds, record=self.records, progress=look, game=self._recall.game, wrong=pair.wrong)
        breaker, maker = hurry(pair.breaker, turn_seconds), hurry(pair.maker, turn_seconds)
        try:
            play_on(series, breaker, maker, numbers, how)
        except KeyboardInterrupt:
            series.cut(certain)  # the process was ended in the midst of a game: that is no fault of anyone's
        except ModuleFault as error:  # it could not even be imported
            series.faults.append(error.fault)
        is_own = (breaker, maker) == (pair.breaker, pair.maker)
        # Who is too slow for the time of today may have more of it tomorrow.
        self._join(pair, series, is_kept=is_own or not any(fault.is_slow for fault in series.faults))


def _told(series: Series) -> str:
    codebreaker, codemaker = path_of(series.codebreaker), path_of(series.codemaker)
    return Told("{codebreaker} against {codemaker}", codebreaker, codemaker)
