"""Gives points for the findings about a project, by a scheme that a teacher writes (TOML).

A check asks for one file, and is worth its points where nothing wrong was found there. It may ask for some kinds of
findings only, take a part of the points for each kind, ask for a mean number of guesses, or be hidden from students.
A scheme may also say by which games a leaderboard compares students; no points stand on it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from entropeg.classroom.findings import Finding, ModuleMeasure, Project
from entropeg.errors import InputError, in_one_line
from entropeg.files import read_text, shown
from entropeg.texts.speaking import say
from entropeg.told import Template, Told, with_names


@dataclass(frozen=True)
class GradingCheck:
    """One line of a scheme.

    `file`: the module, as `codebreaker2.py`, or a pattern (`codebreaker2*.py`); `kinds`: the kinds of findings that
    count, all where there are none; `costs`: points that a kind takes, instead of all; `follows`: points that faults
    take which follow from `common.py` alone, where they are charged; `mean`: the mean number of guesses against
    `against` that is asked for at most, of a codemaker at least; `hidden`: whether only the teacher sees it.
    """

    name: str
    file: str
    points: float = 1.0
    kinds: tuple[str, ...] = ()
    costs: Mapping[str, float] = field(default_factory=dict)
    follows: float = 0.0
    mean: float | None = None
    against: str = ""
    hidden: bool = False


@dataclass(frozen=True)
class GradedCheck:
    """A check and what became of it: points, and why in sentences of one line each."""

    check: GradingCheck
    points: float
    why: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether it has all its points."""
        return self.points >= self.check.points

    @property
    def text(self) -> str:
        """The sentences, a line each."""
        return "\n".join(self.why)


BOARD_GAMES = 20
"""Games that `check` plays against the cheat, and with every codemaker."""


@dataclass(frozen=True)
class BoardColumn:
    """What a leaderboard compares: the mean of the first `games` games of a file, or pattern, against a player.

    They are the same for every student: `check` plays them on one board, with secrets and draws by one seed.
    """

    file: str
    against: str
    name: str = ""
    games: int = BOARD_GAMES

    @property
    def of_codemaker(self) -> bool:
        """Whether it is a codemaker that is compared: the more guesses, the better."""
        return _is_codemaker(self.file)

    @property
    def title(self) -> str:
        """Its name, alike for all students: systems put them together by it."""
        return self.name or Told("guesses, {file} against {player}", self.file, self.against)

    def value(self, project: Project) -> float | None:
        """Return the mean of the best file that fits; None for want of these games, or where one went wrong.

        Nor does a mean count that is beyond any strategy, or was played with functions of entropeg.
        """
        falsified = {each.file for each in project.findings if each.kind in {"knows the secret", "too good"}}
        means = [
            sum(count or lost for count in each.series.guesses[: self.games]) / self.games
            for lost in [1 + (project.rules.guess_limit or 0)]  # as in a tournament: the least that it needed
            for each in project.measures
            if _fits(self.file, each.file) and each.file not in falsified and self._counts(each, project)
        ]
        return (max if self.of_codemaker else min)(means, default=None)

    def _counts(self, measure: ModuleMeasure, project: Project) -> bool:
        from entropeg.classroom.project_page import opponent

        series = measure.series
        is_meant = series.rules == project.rules and opponent(measure) == self.against and not measure.ours
        return is_meant and not series.faults and series.games[: self.games] == list(range(self.games))


class BoardEntry(NamedTuple):
    """What stands of a student on a leaderboard: under which name, a mean, and whether more is better."""

    name: str
    value: float
    is_more_better: bool


@dataclass(frozen=True)
class Grade:
    """The points of a project, and what stands of it on a leaderboard, where one is wanted."""

    title: str
    project: str
    checks: tuple[GradedCheck, ...]
    language: str = "en"
    """In which its sentences are, and what a format says around them."""
    board: tuple[BoardEntry, ...] = ()

    def say(self, text: str) -> str:
        """Return a text in the language of the grade."""
        return say(text, self.language)

    def spoken(self, language: str) -> Grade:
        """Return the grade with its sentences in a language."""
        checks = [replace(each, why=tuple(say(why, language) for why in each.why)) for each in self.checks]
        board = tuple(each._replace(name=say(each.name, language)) for each in self.board)
        return replace(self, checks=tuple(checks), language=language, board=board)

    @property
    def points(self) -> float:
        """The sum of the points."""
        return sum(each.points for each in self.checks)

    @property
    def most(self) -> float:
        """The points that could be had."""
        return sum(each.check.points for each in self.checks)

    @property
    def open(self) -> list[GradedCheck]:
        """The checks that the student sees."""
        return [each for each in self.checks if not each.check.hidden]

    @property
    def hidden(self) -> list[GradedCheck]:
        """The checks that only the teacher sees."""
        return [each for each in self.checks if each.check.hidden]


@dataclass(frozen=True)
class Scheme:
    """The checks of a scheme, in order, and what a leaderboard compares."""

    checks: tuple[GradingCheck, ...]
    title: str = "Mastermind"
    board: tuple[BoardColumn, ...] = ()

    def __post_init__(self) -> None:
        """Refuse a scheme that gives no points, or in which two checks or two columns have one name."""
        if not self.checks:
            raise InputError("a scheme needs a check: [[check]] with a name, a file and points")
        names = [each.name for each in self.checks]
        for name in names:
            if names.count(name) > 1:
                raise InputError("two checks of the scheme have the name {name!r}: each needs one of its own", name)
        titles = [str(each.title) for each in self.board]
        for title in titles:
            if titles.count(title) > 1:
                raise InputError("two entries of the leaderboard have the name {name!r}: each needs its own", title)

    @classmethod
    def of_files(cls, files: Iterable[str]) -> Scheme:
        """Make a scheme of one point a module, for want of another.

        >>> Scheme.of_files(["common.py", "codemaker1.py"]).checks[1].name
        'codemaker1.py'
        """
        return cls(tuple(GradingCheck(file, file) for file in dict.fromkeys(files)))

    def grade(self, project: Project) -> Grade:
        """Return the points of a project that was looked at."""
        valued = [(column, column.value(project)) for column in self.board]
        board = [BoardEntry(column.title, mean, column.of_codemaker) for column, mean in valued if mean is not None]
        graded = tuple(_graded(check, project) for check in self.checks)
        return Grade(self.title, str(project.folder), graded, board=tuple(board))

    def check_games(self, games: int) -> None:
        """Raise InputError where a leaderboard compares more games than are played."""
        for column in self.board:
            if column.games > games and column.against != "cheat":
                raise InputError(
                    "the leaderboard compares the first {wanted} games of {file}, and {games} are played: ask for more "
                    "with --games, or for fewer with games = {games}",
                    *(column.games, column.file, games),
                )

    def nothing(self, folder: str, why: str) -> Grade:
        """Return no points, for a project that could not be looked at."""
        told = (with_names(why, in_one_line),)
        return Grade(self.title, folder, tuple(GradedCheck(check, 0.0, told) for check in self.checks))


def scheme_to_start_from(language: str = "en") -> str:
    """Return the text of a scheme for the course, to be changed by a teacher, in a language."""
    texts = [
        Told("points for a project of the course: a check has its points where nothing wrong was found in its file"),
        Told("evaluation and sets of codes"),
        Told("what these kinds of findings cost; all others cost everything"),
        Told("points that a check loses for what follows from common.py alone"),
        Told("codebreaker 2 plays what can be the secret"),
        Told("codebreaker 2 needs few guesses"),
        Told("no finding counts here, the mean alone"),
        Told("only the teacher sees it"),
        Told("codemaker 2 cheats as well as can be"),
        Told(
            "Gradescope's leaderboard, seen by all: the mean of a player's first 20 games, as {example}",
            '["codebreaker2.py"]',
        ),
    ]
    about, sets, costs, follows, consistent, few, mean, teacher, cheats, board = (say(text, language) for text in texts)
    return f"""# {about}
title = "Mastermind"
follows = 0                       # {follows}
leaderboard = []                  # {board}

[[check]]
name = "{sets}"
file = "common.py"
points = 4
costs = {{ "not in place" = 1 }}    # {costs}

[[check]]
name = "{consistent}"
file = "codebreaker2.py"
points = 3

[[check]]
name = "{few}"
file = "codebreaker2.py"
kinds = ["none"]                  # {mean}
mean = 5.8
against = "honest"
points = 1
hidden = true                     # {teacher}

[[check]]
name = "{cheats}"
file = "codemaker2.py"
points = 2
"""


def read_scheme(path: str | Path) -> Scheme:
    """Read a scheme from a TOML file.

    Raises InputError that names the fault and its place.
    """
    name = shown(path)
    try:
        data = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError("{file} is no TOML: {message}", name, error) from None
    known = ["title", "follows", "leaderboard", "[[check]]"]
    unknown = data.keys() - {"title", "follows", "leaderboard", "check"}
    if unknown:
        raise InputError("{file}: there is no {key!r} in a scheme; it has {keys:and}", name, min(unknown), known)
    checks = data.get("check", [])
    if not isinstance(checks, list) or not all(isinstance(each, dict) for each in checks):
        raise InputError("{file}: checks begin with [[check]], in two pairs of brackets", name)
    try:
        title = _typed(data.get("title", Scheme.title), str, "title", Told("a text"))
        follows = _number(data.get("follows", 0), "follows")
        board = _typed(data.get("leaderboard", []), list, "leaderboard", Told("a list, as ['codebreaker2.py']"))
        found = tuple(_check(each, number, follows) for number, each in enumerate(checks, start=1))
        return Scheme(found, title, tuple(map(_column, board)))
    except InputError as error:
        raise InputError("{file}: {error}", name, error) from None


def _check(data: dict[str, Any], number: int, follows: float) -> GradingCheck:
    known = [each.name for each in fields(GradingCheck)]
    unknown = [key for key in data if key not in known]
    if unknown:
        raise InputError("check {number}: there is no {key!r}; a check has {keys:list}", number, unknown[0], known)
    if "file" not in data:
        raise InputError("check {number} names no file: file = 'codebreaker2.py'", number)
    of_check, a_text = Template("check {number}: {key}"), Told("a text")
    file = _typed(data["file"], str, Told(of_check, number, "file"), a_text)
    name = _typed(data.get("name", file), str, Told(of_check, number, "name"), a_text)
    kinds = data.get("kinds", [])
    if not isinstance(kinds, list) or not all(isinstance(kind, str) for kind in kinds):
        raise InputError("check {number}: kinds must be a list of texts, as ['multiplicity', 'type']", number)
    costs = data.get("costs", {})
    if not isinstance(costs, dict):
        raise InputError("check {number}: costs must be a table, as costs = {{ multiplicity = 1 }}", number)
    mean = data.get("mean")
    return GradingCheck(
        in_one_line(name),
        file,
        _number(data.get("points", 1), Told(of_check, number, "points")),
        tuple(kinds),
        {kind: _number(cost, Told("check {number}: the cost of {kind}", number, kind)) for kind, cost in costs.items()},
        _number(data.get("follows", follows), Told(of_check, number, "follows")),
        None if mean is None else _number(mean, Told(of_check, number, "mean")),
        _typed(data.get("against", ""), str, Told(of_check, number, "against"), a_text),
        _typed(data.get("hidden", False), bool, Told(of_check, number, "hidden"), Told("true or false")),
    )


def _column(data: Any) -> BoardColumn:
    data = {"file": data} if isinstance(data, str) else data
    known = [each.name for each in fields(BoardColumn)]
    if not isinstance(data, dict) or "file" not in data or not data.keys() <= set(known):
        raise InputError("leaderboard has {entry!r}: name a file, or write a table of {keys:and}", data, known)
    of, a_text = Template("leaderboard: {key}"), Told("a text")
    file = _typed(data["file"], str, Told(of, "file"), a_text)
    players = ["consistent"] if _is_codemaker(file) else ["honest", "cheat"]
    against = _typed(data.get("against", players[0]), str, Told(of, "against"), a_text)
    if against not in players:
        raise InputError("leaderboard: {file} plays against {players:or}, not {player!r}", file, players, against)
    games = data.get("games", BOARD_GAMES)
    most = 1_000_000 if against == "honest" else BOARD_GAMES
    if isinstance(games, bool) or not isinstance(games, int) or not 1 <= games <= most:
        raise InputError(
            "leaderboard: games is {games!r}; against {player} it must be a whole number from 1 to {most:,}",
            *(games, against, most),
        )
    return BoardColumn(file, against, in_one_line(_typed(data.get("name", ""), str, Told(of, "name"), a_text)), games)


def _is_codemaker(file: str) -> bool:
    return Path(file).name.startswith("codemaker")


def _fits(pattern: str, file: str) -> bool:
    return fnmatch(file, pattern) or fnmatch(Path(file).name, pattern)


def _typed(value: Any, kind: type, name: str, words: str) -> Any:
    if not isinstance(value, kind):
        raise InputError("{name} is {value!r}; it must be {kind}", name, value, words)
    return value


def _number(value: Any, name: str) -> float:
    most_points = 1e6
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= most_points:
        raise InputError("{name} is {value!r}; it must be a number from 0 to {most:,.0f}", name, value, most_points)
    return float(value)


# ---------------------------------------------------------------------- grading


def _graded(check: GradingCheck, project: Project) -> GradedCheck:
    is_meant = partial(_fits, check.file)
    if any(map(is_meant, project.left)):
        return GradedCheck(check, 0.0, (Told("{file} was not looked at to the end", check.file),))
    found = [each for each in project.findings if is_meant(each.file)]
    if not any(map(is_meant, [*project.files, *(each.file for each in found)])) or _is_missing(check, project, found):
        return GradedCheck(check, 0.0, (Told("there is no {file}", check.file),))
    bad = [each for each in found if _counts(check, each)]
    idle = [file for file in dict.fromkeys((*project.idle, *project.held_up)) if is_meant(file)]
    if idle and not bad:
        told = [_sentence(each, project) for each in found if each.verdict != "right"]
        if all(map(project.waits_for_packages, idle)):
            # Which packages are installed where it is graded is not the student's affair.
            text = Told("{file} cannot be judged here, and costs nothing", idle[0])
            return GradedCheck(check, check.points, (text, *told))
        text = Told("{file} finished no game, so nothing is known of it", idle[0])
        return GradedCheck(check, 0.0, (text, *told))
    follow = [each for each in found if each.verdict == "follows" and (not check.kinds or each.kind in check.kinds)]
    lost = sum({each.kind: check.costs.get(each.kind, check.points) for each in bad}.values())
    lost += check.follows if follow else 0.0
    why = [_sentence(each, project) for each in [*bad, *follow]]
    if check.mean is not None:
        reached, said = _mean(check, [each for each in project.measures if is_meant(each.file)])
        why.append(said)
        lost += 0 if reached else check.points
    if not why:
        why = [_sentence(each, project) for each in found if each.verdict == "right" and not check.kinds]
    return GradedCheck(
        check, max(0.0, check.points - lost), tuple(why) or (Told("nothing wrong in {file}", check.file),)
    )


def _sentence(finding: Finding, project: Project) -> str:
    # In the folder where it was graded a student finds nothing: files are named from the project's own.
    folder = f"{project.folder}/"
    sentence: str = with_names(
        finding.text, lambda name: in_one_line(name if folder == "./" else name.replace(folder, ""))
    )
    return sentence


def _is_missing(check: GradingCheck, project: Project, found: list[Finding]) -> bool:
    # Only a note stands for a `common.py` that is not there.
    files = [file for file in project.files if _fits(check.file, file)]
    return not files and all(each.verdict == "note" for each in found)


def _counts(check: GradingCheck, finding: Finding) -> bool:
    # Such a file cannot be run at all: it counts whatever kinds a check asks for. For what is not written yet there are
    # no points either.
    unusable = {"file", "syntax", "package", "function", "init", "both", "exit", "ended"}
    if finding.verdict in {"unwritten", "waiting"} or (finding.verdict == "wrong" and finding.kind in unusable):
        return True
    if check.kinds and finding.kind not in check.kinds:
        return False
    # What follows from common.py costs what `follows` says, whatever its kind costs where it is wrong by itself.
    return finding.verdict == "wrong" or (finding.verdict != "follows" and finding.kind in check.costs)


def _mean(check: GradingCheck, measures: list[ModuleMeasure]) -> tuple[bool, str]:
    # A codebreaker is asked for a mean that is not larger, a codemaker for one that is not smaller.
    from entropeg.classroom.project_page import opponent

    assert check.mean is not None
    wanted, named = check.mean, check.against or Told("its first opponent")
    for measure in measures:
        facts = measure.series.run.statistics
        if (check.against and opponent(measure) != check.against) or not facts.won:
            continue
        if measure.series.faults:
            wrong = Template("{faults} of {games} games against {player} went wrong, so its mean does not count")
            return False, Told(wrong, len(measure.series.faults), measure.series.played, opponent(measure))
        least = Template("{mean:.2f} guesses on average against {player}; at least {wanted:g} is asked for")
        most = Template("{mean:.2f} guesses on average against {player}; at most {wanted:g} is asked for")
        is_maker = _is_codemaker(measure.file)
        reached = facts.mean >= wanted if is_maker else facts.mean <= wanted
        text: str = Told(least if is_maker else most, facts.mean, opponent(measure), wanted)
        if measure.ours:
            text = Told("{text}, with entropeg's {functions:and}", text, measure.ours)
        return reached, text
    unknown = Template("no game against {player} was finished, so its mean is not known; {wanted:g} is asked for")
    return False, Told(unknown, named, wanted)
