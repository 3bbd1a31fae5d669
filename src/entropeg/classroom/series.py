"""Plays many games with players written by others: notes their faults, and plays on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import inf
from time import monotonic, perf_counter
from typing import Any, ClassVar

import numpy as np

from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.players import CourseCodebreaker, busy_of, forget, session_of
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codemakers.honest import Honest
from entropeg.codes import parse_code, random_secret
from entropeg.errors import PlayerError
from entropeg.experiments.match import game_seed, game_seeds
from entropeg.experiments.results import Run
from entropeg.experiments.tasks import Stopwatch
from entropeg.feedback import Code, Feedback
from entropeg.game import Game
from entropeg.loop import generators, play
from entropeg.plain_values import PlainValue
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.signals import held
from entropeg.told import of_data, to_data

GIVEN_UP = 5
"""Games in a row that went wrong, after which the rest is not played."""


@dataclass
class Series(PlainValue):
    """Games of a codebreaker against a codemaker.

    `guesses`: how many each finished game took, 0 where it was lost at the limit; `faults`: what went wrong, game by
    game; `turns`: of each finished game where they were asked for; `seconds`: by the clock; `busy`: the part of it in
    which course modules were at work; `computed`: seconds of processor time.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("codebreaker", "codemaker", "rules", "seed", "planned", "faulty", "*run.statistics", "seconds", "faults"),
    )

    rules: Rules
    codebreaker: str
    codemaker: str
    seed: int
    planned: int
    games: list[int] = field(default_factory=list)
    guesses: list[int] = field(default_factory=list)
    turns: list[list[Any]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    seconds: float = 0.0
    busy: float = 0.0
    computed: float = 0.0

    @property
    def faulty(self) -> int:
        """Games that went wrong."""
        return len(self.faults)

    @property
    def played(self) -> int:
        """Games begun: finished or gone wrong."""
        return len(self.games) + self.faulty

    def add(self, result: tuple[int, list[Any]] | Fault, number: int | None = None) -> None:
        """Note what became of a game, the next one unless a number says which: its guesses and turns, or its fault."""
        number = self.played if number is None else number
        if isinstance(result, Fault):
            self.faults.append(result.at(game=number))
            return
        self.games.append(number)
        self.guesses.append(result[0])
        self.turns.append(result[1])

    @property
    def sizes(self) -> tuple[int, int]:
        """How many games were finished, and how many went wrong: what `cut` goes back to."""
        return len(self.games), len(self.faults)

    def cut(self, sizes: tuple[int, int]) -> None:
        """Forget what came after the series had these sizes."""
        games, faults = sizes
        del self.games[games:], self.guesses[games:], self.turns[games:], self.faults[faults:]

    def join(self, other: Series) -> None:
        """Take over the games of another series of the same players, and their time, but not their turns."""
        self.games += other.games
        self.guesses += other.guesses
        self.faults += other.faults
        self.seconds += other.seconds
        self.busy += other.busy
        self.computed += other.computed

    def only(self, is_wanted: Callable[[int], bool]) -> Series:
        """Return the series with some of its games, named by their numbers and in their order, without turns."""
        games = sorted(each for each in zip(self.games, self.guesses, strict=True) if is_wanted(each[0]))
        faults = [fault for fault in self.faults if fault.game is None or is_wanted(fault.game)]
        faults.sort(key=lambda fault: -1 if fault.game is None else fault.game)
        numbers, guesses = [number for number, _ in games], [count for _, count in games]
        return replace(self, games=numbers, guesses=guesses, turns=[], faults=faults)

    @property
    def run(self) -> Run:
        """The finished games as a run of the arena, for statistics and figures."""
        guesses, games = np.array(self.guesses, dtype=np.int32), np.array(self.games, dtype=np.int64)
        plan = self.rules, self.codebreaker, self.codemaker, self.seed, "games"
        return Run(*plan, guesses, self.computed, games, self.planned)

    def to_record(self) -> dict[str, Any]:
        """Return plain data that `from_record` reads again: every game, without the turns."""
        plain = {key: getattr(self, key) for key in ("codebreaker", "codemaker", "seed", "planned", "games", "guesses")}
        times = {"seconds": self.seconds, "busy": self.busy, "computed": self.computed}
        faults = [{**asdict(fault), "text": to_data(fault.text)} for fault in self.faults]
        return {**plain, "rules": str(self.rules), "faults": faults, **times}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Series:
        """Read what `to_record` wrote; raises KeyError or TypeError where it did not."""
        faults = [
            Fault(**{**each, "text": of_data(each["text"]), "turns": each["turns"] and tuple(each["turns"])})
            for each in record["faults"]
        ]
        return cls(**{**record, "rules": Rules.parse(record["rules"]), "faults": faults})


class ClassroomInterrupted(KeyboardInterrupt):
    """The user stopped it; `done` holds what there was until then: one series or several, a project, a tournament."""

    def __init__(self, done: Any) -> None:
        super().__init__("interrupted")
        self.done = done


def time_left(until: float, seconds: float = inf) -> float:
    """Return how many of some seconds are left before a time of `time.monotonic`.

    Raises KeyboardInterrupt where it is over: what runs then ends as if the user had stopped it.
    """
    left = until - monotonic()
    if left <= 0:
        raise KeyboardInterrupt
    return min(seconds, left)


def play_series(  # noqa: PLR0913 (an experiment has many sides; all but the first four have defaults)
    codebreaker: Codebreaker,
    codemaker: Codemaker,
    rules: Rules,
    games: int,
    *,
    seed: int = 0,
    seconds: float | None = None,
    record: bool = False,
    give_up: int = GIVEN_UP,
    progress: Callable[[int], object] | None = None,
) -> Series:
    """Play games, the same ones as the arena under that seed; stop early after `seconds`, or when all goes wrong.

    A game in which a module of someone else goes wrong is a Fault, and the next one is played. `record` keeps the turns
    of games that are played inside the module's process. Raises ClassroomInterrupted where the user stops it.
    """
    series = Series(rules, name_of(codebreaker), name_of(codemaker), seed, games)
    how = Manner(seconds, record, give_up, progress)
    play_on(series, codebreaker, codemaker, range(games), how)
    return series


@dataclass(frozen=True)
class Manner:
    """How a series is played on.

    For at most `seconds`; with its turns kept (`record`); until `give_up` games in a row went wrong;
    with word after each game (`progress`); by which loop (`game`, which takes what `entropeg.loop.play` does); `wrong`
    games in a row went wrong before.
    """

    seconds: float | None = None
    record: bool = False
    give_up: int = GIVEN_UP
    progress: Callable[[int], object] | None = None
    game: Callable[[Any, Any, Rules, int], Game] = play
    wrong: int = 0


def play_on(
    series: Series, codebreaker: Codebreaker, codemaker: Codemaker, numbers: Sequence[int], how: Manner
) -> None:
    """Play the games of some numbers and add them to a series; its players have to be the same as before.

    Raises ClassroomInterrupted, with the series, where the user stops it.
    """
    in_a_row, rules = how.wrong, series.rules
    watch, busy = Stopwatch(codebreaker, codemaker, rules), busy_of(codebreaker, rules) + busy_of(codemaker, rules)
    try:
        deadline = perf_counter() + (inf if how.seconds is None else how.seconds)
        results = _games(codebreaker, codemaker, rules, numbers, series.seed, how, deadline)
        for number, result in zip(numbers, results, strict=False):  # there are fewer results where time is over
            with held():  # in one step: its two lists go together
                series.add(result, number)
            in_a_row = in_a_row + 1 if isinstance(result, Fault) else 0
            if how.progress is not None:
                how.progress(series.played)
            if isinstance(result, Fault) and result.is_no_start:
                break
            if in_a_row == how.give_up:
                break
    except KeyboardInterrupt:
        raise ClassroomInterrupted(series) from None
    finally:
        series.seconds += watch.seconds
        series.computed += watch.computed
        series.busy += busy_of(codebreaker, rules) + busy_of(codemaker, rules) - busy


def _games(
    codebreaker: Codebreaker,
    codemaker: Codemaker,
    rules: Rules,
    numbers: Sequence[int],
    seed: int,
    how: Manner,
    deadline: float,
) -> Iterator[tuple[int, list[Any]] | Fault]:
    if isinstance(codebreaker, CourseCodebreaker) and isinstance(codemaker, Honest):
        yield from _alone(codebreaker, codemaker, rules, numbers, seed, deadline, record=how.record)
        return
    for number in numbers:
        try:
            game = how.game(codebreaker, codemaker, rules, game_seed(seed, number))
        except PlayerError as error:
            yield error.fault if isinstance(error, ModuleFault) else Fault("turns", str(error), error.player)
        else:
            turns = [[turn.guess, turn.feedback] for turn in game.turns] if how.record else []
            yield (len(game) if game.outcome == "won" else 0), turns
        if perf_counter() > deadline:
            return


def played_afresh(
    codebreaker: Codebreaker, codemaker: Codemaker, rules: Rules, seed: int, numbers: Sequence[int]
) -> list[Any] | Fault | None:
    """Play games of a series, its modules in fresh processes; return the turns of the last one, or its fault.

    None where it was not come to, since games before it went wrong.
    """
    for player in (codebreaker, codemaker):
        forget(player)
    series = Series(rules, name_of(codebreaker), name_of(codemaker), seed, 1)
    play_on(series, codebreaker, codemaker, numbers, Manner(record=True))
    results = dict(zip(series.games, series.turns, strict=True)) | {each.game: each for each in series.faults}
    return results.get(numbers[-1])


def _alone(
    codebreaker: CourseCodebreaker,
    honest: Honest,
    rules: Rules,
    numbers: Sequence[int],
    seed: int,
    deadline: float,
    *,
    record: bool,
) -> Iterator[tuple[int, list[Any]] | Fault]:
    start, size = 0, 1
    while start < len(numbers) and (not start or perf_counter() < deadline):
        # Games that were handed out are all taken, whatever the time: they have been played.
        began = perf_counter()
        drawn = _drawn(honest, rules, seed, numbers[start : start + size])
        start += size
        for result in codebreaker.series(rules, *drawn, record=record):
            if isinstance(result, Fault):
                yield result
            else:
                yield result[0], _turns(codebreaker, rules, result)
        taken = perf_counter() - began
        # The clock is looked at after 256 games at most, and about every second.
        size = min(2 * size, 256) if taken < 1.0 else max(1, int(size / taken))


def _drawn(honest: Honest, rules: Rules, seed: int, numbers: Sequence[int]) -> tuple[list[Code], list[int]]:
    # The secrets and the first draws of the codebreaker, as the general loop has them.
    secrets, seeds = list[Code](), list[int]()
    for word in game_seeds(seed, np.array(numbers, dtype=np.int64)).tolist():
        breaker_rng, maker_rng = generators(word)
        seeds.append(int(breaker_rng.integers(1 << 32)))
        given = parse_code(honest.secret, rules, secret=True) if honest.secret else None
        secrets.append(given or random_secret(rules, maker_rng))
    return secrets, seeds


def _turns(codebreaker: CourseCodebreaker, rules: Rules, result: list[Any]) -> list[Any]:
    if not result[2]:
        return []
    process = session_of(codebreaker, rules).process
    return [[process.code(guess), Feedback(*answer)] for guess, *answer in result[2]]
