"""Lets the players of many projects meet, every codebreaker with every codemaker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

from entropeg import codebreakers, codemakers
from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.foreign import note_of_convention, spoken_convention
from entropeg.classroom.functions.conventions import USUAL
from entropeg.classroom.layout import sort_modules
from entropeg.classroom.modules import Role, find_player, number_of
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, path_of
from entropeg.classroom.process import Limits
from entropeg.classroom.programs import is_program, roles_of
from entropeg.classroom.project import is_named
from entropeg.classroom.series import ClassroomInterrupted, Series
from entropeg.classroom.tournament.dealing import DealtPair, Squares, in_tiles
from entropeg.classroom.tournament.ranking import Place, ranking
from entropeg.classroom.tournament.rounds import TournamentRounds, TournamentStanding
from entropeg.classroom.whole_class.folders import find_projects
from entropeg.durations import rough_duration
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, WorkersError, executor_of, kept_open
from entropeg.plain_values import PlainValue
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural


@dataclass
class Entrants:
    """The players of a tournament by role, those that cannot play at all, and the folders left out and why."""

    codebreakers: list[Any] = field(default_factory=list)
    codemakers: list[Any] = field(default_factory=list)
    absent: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """Every codebreaker with every codemaker."""
        return [(breaker, maker) for breaker in self.codebreakers for maker in self.codemakers]


def gather(names: Sequence[str | Path], limits: Limits, *, only: Sequence[str] = ()) -> Entrants:
    """Gather the players of folders and programs, beside our codemakers `honest` and `cheat`.

    `names`: folders of projects, folders of such folders, and programs (`cmd:./program`). `only`: names of modules
    without `.py`, with `*` for any letters (`codebreaker2`, `codemaker*`); without any, all play. A module that is no
    Python or plays no role is among the absent; one that writes codes and answers otherwise than the course plays by
    the convention that `check` finds. Raises InputError where nobody is left to play.
    """
    found = Entrants(codemakers=[codemakers.get(name) for name in ("honest", "cheat")])
    programs = [str(name) for name in names if is_program(name)]
    folders = [name for name in names if not is_program(name)]
    seen = set[str]()
    if folders:
        projects = find_projects(folders)
        found.notes += projects.notes
        for project in projects.projects:
            sorted_ones = sort_modules(project)
            files = [file for file in sorted_ones.modules if file.stem != "common"]
            found.notes += [Told("{file}: {why}", file, why) for file, why in sorted_ones.passed.items()]
            seen.update(file.stem for file in files)
            if not files:
                found.notes.append(Told("{project} holds no module that plays, and was left out", project))
            for file in files:
                if not only or is_named(file.stem, only):
                    _add_module(found, file, limits)
    for program in programs:
        _add_program(found, program)
    unmet = [pattern for pattern in only if not any(is_named(stem, [pattern]) for stem in seen)]
    if unmet:
        text = Told("no project has a module {name!r}: there are none", unmet[0])
        there = Template("no project has a module {name!r}: there are {modules:list}")
        raise InputError(Told(there, unmet[0], sorted(seen)) if seen else text)
    if not (found.codebreakers or found.absent):
        raise InputError("there is no {role} among the modules: a tournament needs one at least", "codebreaker")
    return found


def _add_module(found: Entrants, file: Path, limits: Limits) -> None:
    try:
        role = find_player(file, None, str(file))[1]
        convention = spoken_convention(file, role, limits)
        own = (str(file), limits.turn_seconds, limits.game_seconds, limits.memory, convention)
        if role == "codebreaker":
            found.codebreakers.append(CourseCodebreaker(*own))
        else:
            found.codemakers.append(CourseCodemaker(*own))
    except ModuleFault as error:
        found.absent.append(error.fault)
        return
    if convention != USUAL:
        found.notes.append(Told("{file}: {why}", file, note_of_convention(convention)))


def _add_program(found: Entrants, spec: str) -> None:
    playing = roles_of(spec)
    if isinstance(playing, Fault):
        found.absent.append(playing)
        return
    if "codebreaker" in playing:
        found.codebreakers.append(codebreakers.get(spec))
    if "codemaker" in playing:
        found.codemakers.append(codemakers.get(spec))


@dataclass(frozen=True)
class TournamentPlan:
    """What a tournament is going to play, before it does: `seconds` is the most that it takes, None if unknown yet."""

    codebreakers: int
    codemakers: int
    games: int
    jobs: int
    seconds: float | None = None
    within: float | None = None

    @property
    def pairs(self) -> int:
        """Every codebreaker plays every codemaker."""
        return self.codebreakers * self.codemakers

    @property
    def sentence(self) -> str:
        """All of it in one sentence."""
        told = Told(
            "{codebreakers} and {codemakers}: {pairs}, {games} each",
            plural(self.codebreakers, "{n} codebreaker", "{n} codebreakers"),
            plural(self.codemakers, "{n} codemaker", "{n} codemakers"),
            plural(self.pairs, "{n} pair", "{n} pairs"),
            plural(self.games, "{n} game", "{n} games"),
        )
        if self.seconds is None:
            return told
        time = rough_duration(max(1.0, self.seconds))
        told = Told("{plan}, at most about {time} with {jobs} at a time", told, time, self.jobs)
        if self.within is not None and self.within < self.seconds:
            time = rough_duration(self.within)
            return Told("{plan}; it ends after {time} with what was played by then", told, time)
        return told


@dataclass
class Tournament(PlainValue):
    """Every series that was played, and who could not play at all.

    `notes` say what was left out of it and why; `planned` is the number of games that were to be played.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules", "games", "seed", "planned", "played", "codebreakers", "codemakers", "series"),
        *("set_aside=why_aside", "absent", "notes"),
    )

    rules: Rules
    games: int
    seed: int
    series: list[Series] = field(default_factory=list)
    absent: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    planned: int = 0
    is_late: bool = False
    """Whether its time was over before all was played."""

    @property
    def played(self) -> int:
        """Games that were finished or went wrong."""
        return sum(series.played for series in self.series)

    @property
    def set_aside(self) -> dict[str, Fault]:
        """Players that do not take part, or no longer: too slow, not to be started, or a codemaker0: name and fault."""
        return aside_of(self.series)

    @property
    def why_aside(self) -> dict[str, str]:
        """What these players did, each in a sentence."""
        return {name: fault.sentence for name, fault in self.set_aside.items()}

    @property
    def codebreakers(self) -> list[Place]:
        """The codebreakers, best first: players that spoil games come last, fewer guesses come first."""
        return self._ranking("codebreaker")

    @property
    def codemakers(self) -> list[Place]:
        """The codemakers, best first: players that spoil games come last, the ones that hold out longest come first."""
        return self._ranking("codemaker")

    def _ranking(self, role: Role) -> list[Place]:
        aside = self.set_aside
        partial = {path_of(name) for name, fault in aside.items() if is_partial(fault)}
        series = [each for each in self.series if path_of(each.codemaker) not in partial]
        return ranking(role, series, path_of, {path_of(name) for name in aside})


def aside_of(series: Sequence[Series]) -> dict[str, Fault]:
    """Return who plays no more, and the fault for which: name and fault.

    Who cannot be started, was too slow twice, or once and finished no game, and a codemaker0 that counts well placed
    pegs alone.
    """
    faults = [fault for each in series for fault in each.faults]
    slow = Counter(fault.player for fault in faults if fault.is_slow)
    fine = {path_of(name) for each in series if each.guesses for name in (each.codebreaker, each.codemaker)}
    gone = [fault for fault in faults if fault.is_no_start or fault.is_slow]
    found = {each.player: each for each in gone if path_of(each.player) not in fine or slow[each.player] > 1}
    return found | {fault.player: fault for fault in faults if is_partial(fault)}


def is_partial(fault: Fault) -> bool:
    """Tell whether a fault is that of a codemaker0 that counts well placed pegs alone, as it may in the course."""
    has_misplaced = any(not turn.endswith(",0") for turn in fault.turns or ())
    return fault.kind == "inconsistent" and number_of(fault.player) == 0 and not has_misplaced


def play_tournament(  # noqa: PLR0913 (as a series, with folders for players)
    folders: Sequence[str | Path],
    rules: Rules,
    *,
    games: int = 100,
    seconds: float = 10.0,
    seed: int = 0,
    limits: Limits | None = None,
    only: Sequence[str] = (),
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    within: float | None = None,
    keep: str | Path | None = None,
    told: Callable[[TournamentPlan], object] | None = None,
    progress: Callable[[TournamentStanding], object] | None = None,
    watch: Callable[[Callable[[], Tournament], TournamentStanding], object] | None = None,
) -> Tournament:
    """Let every codebreaker of every project play every codemaker, and ours: `honest` and `cheat`.

    `folders` are projects, folders of projects, or programs (`cmd:./program`); `only` names the modules that play
    (`codebreaker2`, `codemaker*`). A pair plays at most `games` games and about `seconds` seconds, dealt so that all
    players have alike many at any moment (`dealing`); `jobs` games at a time (default: as many as there are cores), or
    the workers of an `executor` play them (of a cluster, where all see the folders, named from the root). After
    `within` seconds it ends with what was played, and every pair has had the same part of that time, if it took it.
    `told` hears the plan before anything is played, and again with its time once every player has played a game;
    `progress` how far it is; `watch`, too, with a function that returns the tournament so far. A module that cannot
    play is named among the absent, and one that finishes no game against its first opponent, since it is too slow or
    cannot be started, is set aside. A game that goes wrong counts against who spoiled it. `keep` names a file of games,
    from which the same call goes on. Ctrl-C raises ClassroomInterrupted with the tournament so far, workers that are
    gone WorkersError, which has it as `made`. Raises InputError where nobody can play.
    """
    until = float("inf") if within is None else monotonic() + within
    if games < 1:
        raise InputError("{games} games were asked for; it must be at least 1", games)
    if within is not None and not within > 0:
        raise InputError("the time of a tournament is {seconds:g} seconds; it must be more than 0", within)
    entrants = gather(folders, limits or Limits(turn_seconds=5.0, game_seconds=60.0), only=only)
    placed = executor if executor is None or isinstance(executor, Crew) else executor_of(executor, jobs)
    with kept_open(placed) as where:
        crew = where if isinstance(where, Crew) else None
        jobs = jobs or usable_processors() if where is None else where.count or usable_processors()
        plan = TournamentPlan(len(entrants.codebreakers), len(entrants.codemakers), games, jobs, None, within)
        tournament = Tournament(rules, games, seed, absent=entrants.absent, notes=entrants.notes)
        tournament.planned = plan.pairs * games
        path = None if keep is None else Path(keep)
        rounds = TournamentRounds(rules, games, seconds, seed, jobs, path, None, until, crew, watch is not None)

        def tell(now: TournamentStanding) -> None:
            if progress is not None:
                progress(now)
            if watch is not None:
                watch(lambda: _with_series(replace(tournament), rounds), now)

        rounds.progress, rounds.aside = tell, aside_of
        if told is not None:
            told(plan)
        try:
            with rounds:
                _play(tournament, rounds, entrants, lambda seconds: told and told(plan_in(plan, entrants, seconds)))
        except KeyboardInterrupt:
            raise ClassroomInterrupted(_with_series(tournament, rounds)) from None
        except WorkersError as error:
            error.made = _with_series(tournament, rounds)
            raise
    return _with_series(tournament, rounds)


def plan_in(plan: TournamentPlan, entrants: Entrants, seconds: float) -> TournamentPlan:
    """Return the plan with its time, for those who are left to play."""
    makers, breakers = len(entrants.codemakers), len(entrants.codebreakers)
    return TournamentPlan(breakers, makers, plan.games, plan.jobs, seconds, plan.within)


def _with_series(tournament: Tournament, rounds: TournamentRounds) -> Tournament:
    tournament.series = [series for series in rounds.series if series.played]
    tournament.is_late = rounds.is_late and tournament.played < tournament.planned
    return tournament


def _play(
    tournament: Tournament, rounds: TournamentRounds, entrants: Entrants, told: Callable[[float], object] | None = None
) -> None:
    # First every codebreaker against the first codemaker, then every other codemaker against the codebreaker that took
    # the fewest guesses, a game each: who is set aside hangs on these games alone, not on `jobs`. Then the rest.
    breakers, makers = entrants.codebreakers, entrants.codemakers
    if not breakers:
        return
    squares = Squares(max(len(breakers), len(makers)), rounds.games)
    places = {id(player): place for side in (breakers, makers) for place, player in enumerate(side)}

    def pair(breaker: Any, maker: Any) -> DealtPair:
        return rounds.pair(breaker, maker, (places[id(breaker)], places[id(maker)]), squares)

    hurry = _hurry(rounds, len(breakers) + len(makers))
    first = [pair(breaker, makers[0]) for breaker in breakers]
    rounds.play([[each] for each in first], 1, hurry)
    breakers[:] = _fit(_with_series(tournament, rounds), breakers)
    quick = min((each for each in first if each.breaker in breakers), key=_first_guesses, default=None)
    if quick is not None:
        rounds.play([[pair(quick.breaker, maker)] for maker in makers[1:]], 1, hurry)
    makers[:] = [makers[0], *_fit(_with_series(tournament, rounds), makers[1:])]
    gone = sum(series.played for series in tournament.series) - _played(tournament, entrants)
    tournament.planned = rounds.total = len(entrants.pairs) * rounds.games + gone
    tiles = in_tiles(len(breakers), len(makers)) if quick is not None else []
    groups = [[pair(breakers[one], makers[other]) for one, other in tile] for tile in tiles]
    if quick is not None:
        _expect(groups, quick, makers[0])
    if told is not None:
        told(_time_left(rounds, groups))
    rounds.play(groups)


def _hurry(rounds: TournamentRounds, players: int) -> float | None:
    # Where there is an end, the first turns of nobody take more than a fourth of the time that each player has, or a
    # second where that is more.
    return None if rounds.until == inf else max(1.0, rounds.left / (4 * players))


def _first_guesses(pair: DealtPair) -> float:
    games = pair.series.only(lambda number: number == pair.squares.number(*pair.places, 0)).guesses
    return games[0] or inf if games else inf


def _fit(tournament: Tournament, players: list[Any]) -> list[Any]:
    aside = {path_of(name) for name in tournament.set_aside}
    return [player for player in players if path_of(name_of(player)) not in aside]


def _played(tournament: Tournament, entrants: Entrants) -> int:
    # Games of pairs of which nobody was set aside.
    pairs = {(name_of(breaker), name_of(maker)) for breaker, maker in entrants.pairs}
    return sum(series.played for series in tournament.series if (series.codebreaker, series.codemaker) in pairs)


def _expect(groups: Sequence[list[DealtPair]], quick: DealtPair, first: Any) -> None:
    # A game of a pair takes what its codebreaker took against the first codemaker, and what its codemaker took longer
    # than that one against the codebreaker that is quick.
    pairs = [pair for group in groups for pair in group]
    alone = {name_of(pair.breaker): pair.game_seconds for pair in pairs if pair.maker is first}
    own = {name_of(pair.maker): pair.game_seconds for pair in pairs if pair.breaker is quick.breaker}
    for pair in pairs:
        longer = own.get(name_of(pair.maker), 0.0) - quick.game_seconds
        pair.expected = alone.get(name_of(pair.breaker), 0.0) + max(0.0, longer)


def _taken(pair: DealtPair) -> float:
    # What the modules took, where there are any: their start, which comes once, is left out.
    return (pair.series.busy or pair.series.seconds) / pair.series.played if pair.series.played else 0.0


def _time_left(rounds: TournamentRounds, groups: Sequence[list[DealtPair]]) -> float:
    wanted = [pair.squares.games * (_taken(pair) or pair.expected) for group in groups for pair in group]
    return sum(min(rounds.seconds, seconds) for seconds in wanted) / (rounds.jobs or 1)
