"""Plays the pairs of a tournament, several at a time: every pair a little, then more.

Modules run in processes of their own, so the threads here mostly wait for them. A thread keeps as many processes as
`players.KEPT` says, and starting one takes longer than many a game: pairs are therefore handed out in blocks of few
codebreakers and few codemakers, which need no more processes than that.
"""

from __future__ import annotations

import json
import platform
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Event, Lock
from time import monotonic, sleep
from typing import Any, NamedTuple, Self, TypeAlias

from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.layout import MOST_FILES, layout_of
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, path_of
from entropeg.classroom.series import Manner, Series, play_on
from entropeg.classroom.tournament.recall import Recall
from entropeg.errors import EntropegError, InputError
from entropeg.executors import Crew
from entropeg.files import OWN, is_begun, parse_json, read_bytes, read_text, shown, write_whole
from entropeg.processes import end_all
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.signals import LISTEN_EVERY, held
from entropeg.told import Told

FORMAT = "entropeg tournament 2"


@dataclass
class KeptSeries:
    """Series in a file, by what their games depend on; without a path nothing is kept."""

    path: Path | None
    _series: dict[str, dict[str, Any]] = field(default_factory=dict)
    _saved_at: float = -1e9

    def __post_init__(self) -> None:
        """Read the file, if there is one; raises InputError for a file that is none of ours."""
        if self.path is None or not is_begun(self.path, Told("a kept tournament")):
            return
        text = read_text(self.path)
        try:
            data = parse_json(text)
            self._series = dict(data["series"]) if data["format"] == FORMAT else {"": {}}
            for record in self._series.values():
                Series.from_record(record)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                "{file} holds no kept tournament: remove it, or name another file", shown(self.path)
            ) from None

    def get(self, key: str) -> Series | None:
        """Return the series of that key, if it was kept."""
        record = self._series.get(key)
        return None if record is None else Series.from_record(record)

    def put(self, key: str, series: Series) -> None:
        """Keep a series in place of what it was before; write the file where the last writing is a while ago."""
        if self.path is None:
            return
        self._series[key] = series.to_record()
        if monotonic() - self._saved_at > 1.0:  # seconds between two writings of the file
            self.save()

    def save(self) -> None:
        """Write the file whole."""
        if self.path is not None and self._series:
            write_whole(self.path, json.dumps({"format": FORMAT, "series": self._series}).encode(), OWN)
        self._saved_at = monotonic()


def series_key(rules: Rules, seed: int, breaker: Any, maker: Any) -> str:
    """Return what the games of a pair depend on: players, the files of their projects, board and seed."""
    contents = repr([str(rules), seed, *map(_contents, (breaker, maker))])
    return f"{name_of(breaker)} {name_of(maker)} {sha256(contents.encode()).hexdigest()[:16]}"


def _contents(player: Any) -> str:
    # A module that has changed since is played again, and so are those whose neighbors have.
    if not isinstance(player, (CourseCodebreaker, CourseCodemaker)):
        return name_of(player)
    files = [each for path in layout_of(player.file).paths for each in sorted(path.rglob("*.py"))[:MOST_FILES]]
    texts = [each.name.encode() + b"\0" + read_bytes(each) for each in dict.fromkeys([player.file, *files])]
    digest = sha256(b"\0".join(texts)).hexdigest()
    return f"{player.name} {digest}"


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
    # After 20 seconds no other pair of the call is begun.
    end, played = monotonic() + 20.0, list[dict[str, Any] | None]()
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
    if not isinstance(player, (CourseCodebreaker, CourseCodemaker)) or player.module.startswith("cmd:"):
        return
    if not Path(player.module).exists():
        raise EntropegError(
            "the worker on {machine} does not see {path}: a tournament on a cluster needs folders that all machines "
            "share, named from the root",
            platform.node(),
            player.module,
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


Pair: TypeAlias = tuple[Any, Any]


class TournamentStanding(NamedTuple):
    """How far a tournament has come: the pair played last, games finished, and games in all."""

    pair: str
    done: int
    total: int


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
    total: int = 0
    """Games in all, for the progress; 0 while nobody knows who is left to play."""
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    """The series, by the names of the pair."""

    def __post_init__(self) -> None:
        """Read the games that were kept before."""
        self._kept, self._stop, self._recall = KeptSeries(self.keep), Event(), Recall()
        self._lock = Lock()

    @property
    def is_late(self) -> bool:
        """Whether the time is over."""
        return monotonic() >= self.until

    def ends(self) -> list[int]:
        """Return how many games each pair has after the first round, the second, and so on.

        >>> TournamentRounds(Rules.parse("4x8"), 20, 10.0, 0).ends()
        [2, 6, 20]
        """
        ends, upto = list[int](), 2
        while 2 * upto <= self.games:
            ends.append(upto)
            upto *= 3
        return [*ends, self.games]

    def __enter__(self) -> Self:
        """Start the threads: they keep the processes of modules from round to round."""
        self._pool = ThreadPoolExecutor(self.jobs or usable_processors())
        return self

    def __exit__(self, *_: object) -> None:
        """Write the series to be kept, and end the threads."""
        self._kept.save()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def play(self, pairs: Sequence[Pair], games: int) -> None:
        """Play pairs until each has its games, its time is over, or it goes wrong again and again.

        The games are in `series`, also where the time is over, and where Ctrl-C raises KeyboardInterrupt.
        """
        if self.crew is not None:
            self._play_shared(self.crew, pairs, games)
            return
        jobs = self.jobs or usable_processors()
        waiting = blocks([pair for pair in pairs if self._wants_more(pair, games)], 2 * jobs)
        if self.is_late:
            return
        with held() as check:
            running = [self._pool.submit(self._work, waiting, games) for _ in range(min(jobs, len(waiting)))]
            try:
                self._collect(running, check)
            except BaseException:  # also where a thread failed: the others would go on to the end
                self._end(running)
                raise
            if self.is_late:
                self._end(running)

    def _play_shared(self, crew: Crew, pairs: Sequence[Pair], games: int) -> None:
        wanted = {(name_of(breaker), name_of(maker)): (breaker, maker) for breaker, maker in pairs}
        open_pairs = [pair for pair in wanted.values() if self._wants_more(pair, games)]
        if self.is_late:
            return
        with held() as check:

            def look(names: tuple[str, str], series: Series | None) -> bool:
                if series is not None:
                    self.series[names] = series
                    self._last = _told(series)
                    self._kept.put(self._key(wanted[names]), series)
                self._tell()
                check()
                return not self.is_late

            play_shared(crew, [(*pair, self._begun(pair)) for pair in open_pairs], games, self.seconds, look)

    def _tell(self) -> None:
        if self.progress is not None and self.series:
            done = sum(series.played for series in list(self.series.values()))
            self.progress(TournamentStanding(self._last, done, self.total))

    def _wants_more(self, pair: Pair, games: int) -> bool:
        series = self._begun(pair)
        given_up = bool(series.faults) and not series.guesses
        return series.played < games and series.seconds < self.seconds and not given_up

    def _begun(self, pair: Pair) -> Series:
        names = name_of(pair[0]), name_of(pair[1])
        if names not in self.series:
            known = self._kept.get(self._key(pair))
            if known is None:
                known = Series(self.rules, *names, self.seed, self.games)
            known.keep_before(self.games)
            known.planned = self.games
            self.series[names] = known
        return self.series[names]

    def _key(self, pair: Pair) -> str:
        return series_key(self.rules, self.seed, *pair) if self.keep is not None else ""

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

    def _work(self, waiting: list[PairBlock], games: int) -> None:
        # What one thread does: block after block, of the same codebreakers where there is one, whose processes it has.
        row = -1
        while waiting and not (self._stop.is_set() or self.is_late):
            with self._lock:
                if not waiting:
                    return
                number = next((at for at, block in enumerate(waiting) if block.row == row), 0)
                block = waiting.pop(number)
            row = block.row
            for pair in block.pairs:
                if self._stop.is_set() or self.is_late:
                    return
                self._play(pair, games)

    def _play(self, pair: Pair, games: int) -> None:
        breaker, maker = pair
        series = self._begun(pair)
        self._last = _told(series)
        certain = series.sizes

        def look(_played: int) -> None:
            nonlocal certain
            if self._stop.is_set():
                raise KeyboardInterrupt
            certain = series.sizes
            if self.is_late:
                raise KeyboardInterrupt

        how = Manner(self.seconds - series.seconds, progress=look, game=self._recall.game)
        try:
            play_on(series, breaker, maker, games, how)
        except KeyboardInterrupt:
            series.cut(certain)  # the process was ended in the midst of a game: that is no fault of anyone's
        except ModuleFault as error:  # it could not even be imported
            series.faults.append(error.fault)
        if series.played:
            self._kept.put(self._key(pair), series)


class PairBlock(NamedTuple):
    """Pairs of few codebreakers and few codemakers; blocks of the same codebreakers are in one row."""

    row: int
    pairs: list[Pair]


def blocks(pairs: Sequence[Pair], least: int = 1) -> list[PairBlock]:
    """Cut pairs into blocks, in their order: at least `least`, where there are enough pairs.

    >>> [len(block.pairs) for block in blocks([(one, other) for one in range(7) for other in range(9)])]
    [48, 6, 8, 1]
    """
    breakers = {breaker: number for number, breaker in enumerate(dict.fromkeys(breaker for breaker, _ in pairs))}
    makers = {maker: number for number, maker in enumerate(dict.fromkeys(maker for _, maker in pairs))}
    sizes = [6, 8]  # codebreakers and codemakers of a block: together fewer than the processes that a thread keeps
    while True:
        found: dict[tuple[int, int], list[Pair]] = {}
        for breaker, maker in pairs:
            place = breakers[breaker] // sizes[0], makers[maker] // sizes[1]
            found.setdefault(place, []).append((breaker, maker))
        if len(found) >= min(least, len(pairs)) or sizes == [1, 1]:
            return [PairBlock(place[0], listed) for place, listed in found.items()]
        larger = sizes.index(max(sizes))
        sizes[larger] = (sizes[larger] + 1) // 2


def _told(series: Series) -> str:
    codebreaker, codemaker = path_of(series.codebreaker), path_of(series.codemaker)
    return Told("{codebreaker} against {codemaker}", codebreaker, codemaker)
