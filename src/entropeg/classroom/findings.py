"""Holds the findings about one project of the course: faults, notes, and how well its players play."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from entropeg.classroom.packages import MissingPackage, listed_in, missing_beside
from entropeg.classroom.series import Series
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Told, of_data, to_data, words

Verdict: TypeAlias = Literal["right", "wrong", "follows", "slow", "note", "unwritten", "waiting"]


def verdict_word(verdict: Verdict) -> Told:
    """Return the word for a verdict."""
    said = words("verdict", "right", "wrong", "follows", "slow", "note", "not written yet", "not judged yet")
    return said[get_args(Verdict).index(verdict)]


@cache
def _kinds() -> dict[str, Told]:
    known = [
        *words("fault", "both", "choices", "crash", "ended", "evaluation", "exit", "file", "first guess"),
        *words("fault", "first peg", "follow", "function", "game time", "illegal", "inconsistent", "init"),
        *words("fault", "knows the secret", "last peg", "mean", "memory", "multiplicity", "never cheats"),
        *words("fault", "no answer", "no misplaced", "not consistent", "not in place", "not largest", "not minimax"),
        *words("fault", "not preferred", "not subtracted", "not the same twice", "not understood", "one pass"),
        *words("fault", "package", "protocol", "repeats", "reset", "same secret", "set", "swapped", "syntax", "time"),
        *words("fault", "too good", "turns", "twice", "type", "wrong evaluation", "wrong set"),
    ]
    return {str(each): each for each in known}


def kind_word(kind: str) -> str:
    """Return the words for a kind of findings."""
    return _kinds().get(kind, kind)


@dataclass(frozen=True)
class Finding(PlainValue):
    """One thing that was looked at: in which file, whether it is right, in a sentence; `kind` names the fault.

    A `slow` file is not wrong: it was judged on a smaller board, or within more time it would be. What `follows` is
    the fault of the project's `common.py`: with functions of entropeg in the place of its wrong ones nothing is wrong.
    Nor is a gap wrong that is `unwritten`, or what is `waiting` for one: it gets no points and is charged with nothing.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("file", "verdict", "kind", "text")

    file: str
    verdict: Verdict
    text: str
    kind: str = ""


@dataclass(frozen=True)
class ModuleMeasure(PlainValue):
    """Games of a module, and the mean that was expected of it, with its source."""

    PLAIN: ClassVar[tuple[str, ...]] = ("file", "expected", "source", "ours", "*series")

    file: str
    series: Series
    expected: float | None
    source: str
    ours: tuple[str, ...] = ()
    """Functions of the project's `common.py` in whose place those of entropeg stood in these games."""


@dataclass
class Project(PlainValue):
    """The findings in a folder."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("folder", "rules", "files", "modules", "wrong=wrong_count", "follows=follows_count", "slow=slow_count"),
        *("unjudged", "left", "findings", "missing", "games=measures", "unwritten=unwritten_count", "waiting"),
    )

    folder: Path
    rules: Rules
    files: list[str] = field(default_factory=list)
    """The Python files that lie where its modules do."""

    findings: list[Finding] = field(default_factory=list)
    measures: list[ModuleMeasure] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Modules that were not looked at, or not to the end: all have been unless Ctrl-C was pressed."""

    players: list[str] = field(default_factory=list)
    """The files that can play."""

    beside: list[str] = field(default_factory=list)
    """Of the files those that are not judged: programs, tests, and what is passed over."""

    missing: list[MissingPackage] = field(default_factory=list)
    """Packages that its modules import and that are not installed."""

    passed: dict[str, Told] = field(default_factory=dict)
    """Files that are passed over, and why."""

    def name(self, path: Path) -> str:
        """Name a file of the project: its path from the folder."""
        return path.relative_to(self.folder).as_posix()

    @property
    def modules(self) -> list[str]:
        """The files that are judged: `common.py` and players."""
        return [each for each in self.files if each not in self.beside]

    @property
    def found_in(self) -> dict[str, list[Finding]]:
        """The findings by their files."""
        found = dict[str, list[Finding]]()
        for each in self.findings:
            found.setdefault(each.file, []).append(each)
        return found

    @property
    def slow(self) -> list[Finding]:
        """Findings of files that take too long, and are right as far as they could be judged."""
        return [finding for finding in self.findings if finding.verdict == "slow"]

    @property
    def idle(self) -> list[str]:
        """Players that finished no game, whatever kept them from it."""
        judged = {each.file for each in self.measures if each.series.guesses}
        gaps = {each.file for each in self.gaps}
        return [name for name in self.players if name not in judged | gaps and name not in self.left]

    @property
    def unjudged(self) -> list[str]:
        """Players that finished no game, though nothing is known to be wrong: they are right or wrong, who knows."""
        known = {each.file for each in self.wrong}
        return [name for name in self.idle if name not in known]

    @property
    def gaps(self) -> list[Finding]:
        """What is not written yet, and what waits for it."""
        return [each for each in self.findings if each.verdict in {"unwritten", "waiting"}]

    @property
    def unwritten_count(self) -> int:
        """How many functions are not written yet."""
        return sum(each.verdict == "unwritten" for each in self.gaps)

    @property
    def waiting(self) -> list[str]:
        """Files that rest on what is not written yet, and are not judged before."""
        return list(dict.fromkeys(each.file for each in self.gaps if each.verdict == "waiting"))

    @property
    def wrong(self) -> list[Finding]:
        """The findings that are not right."""
        return [finding for finding in self.findings if finding.verdict == "wrong"]

    @property
    def follows(self) -> list[Finding]:
        """The findings that follow from a fault of `common.py`, which is charged there."""
        return [finding for finding in self.findings if finding.verdict == "follows"]

    @property
    def follows_count(self) -> int:
        """How many findings follow from a fault of `common.py`."""
        return len(self.follows)

    @property
    def wrong_count(self) -> int:
        """How many findings are not right."""
        return len(self.wrong)

    @property
    def slow_count(self) -> int:
        """How many findings are of files that take too long."""
        return len(self.slow)

    def to_record(self) -> dict[str, Any]:
        """Return plain data that `from_record` reads again: everything but the turns of games."""
        findings = [[each.file, each.verdict, to_data(each.text), each.kind] for each in self.findings]
        measures = [
            [each.file, each.series.to_record(), each.expected, to_data(each.source), each.ours]
            for each in self.measures
        ]
        missing = [[each.name, each.listed_in, each.held_up] for each in self.missing]
        names = {"files": self.files, "players": self.players, "left": self.left}
        return {"rules": str(self.rules), **names, "findings": findings, "measures": measures, "missing": missing}

    @classmethod
    def from_record(cls, record: dict[str, Any], folder: Path) -> Project:
        """Read what `to_record` wrote; raises KeyError, TypeError or ValueError where it did not."""
        project = cls(folder, Rules.parse(record["rules"]), record["files"])
        project.players, project.left = record["players"], record["left"]
        for file, verdict, text, kind in record["findings"]:
            project.add(file, verdict, of_data(text), kind)
        for file, series, expected, source, ours in record["measures"]:
            played = Series.from_record(series)
            project.measures.append(ModuleMeasure(file, played, expected, of_data(source), tuple(ours)))
        project.missing = [MissingPackage(name, file, tuple(held_up)) for name, file, held_up in record["missing"]]
        return project

    def miss(self, package: str, file: str = "") -> None:
        """Note that a package is not installed, and which file cannot be judged for it."""
        found = next((each for each in self.missing if each.name == package), None)
        if found is None:
            found = MissingPackage(package, listed_in(package, self.folder))
        else:
            self.missing.remove(found)
        held_up = dict.fromkeys((*found.held_up, *([file] if file else [])))
        self.missing.append(replace(found, held_up=tuple(held_up)))
        self.missing.sort(key=lambda each: each.name.casefold())

    @property
    def held_up(self) -> list[str]:
        """Files of which nothing could be judged, since a package is not installed."""
        judged = {each.file for each in self.findings if each.verdict != "note"}
        return sorted({file for each in self.missing for file in each.held_up} - judged)

    def waits_for_packages(self, file: str) -> bool:
        """Tell whether packages that are not installed, and are known ones, alone keep a file from being judged."""
        wanted = [each for each in self.missing if file in each.held_up]
        return bool(wanted) and all(each.is_known for each in wanted)

    def tell_the_rest(self) -> None:
        """Note, once for the whole project, which packages are to be installed, and behind all what was passed over."""
        for name in dict.fromkeys((*self.beside, *self.passed)):
            for package in missing_beside(self.folder / name):
                if MissingPackage(package, listed_in(package, self.folder)).is_known:
                    self.miss(package)
        self._tell_of_packages()
        for name, why in self.passed.items():
            self.add(name, "note", why)

    def _tell_of_packages(self) -> None:
        known, others = ([each for each in self.missing if each.is_known == is_known] for is_known in (True, False))
        if others:
            text = Told(
                "nothing here is called {names:list}: packages to be installed, or files that are not in the project",
                [each.says for each in others],
            )
            self.findings.insert(0, Finding("./", "note", text, "package"))
        if not known:
            return
        install = Told("install: {packages:list}", [each.says for each in known])
        if not any(each.held_up for each in known):
            install = Told("{install}; what was judged needs none of it", install)
        self.findings.insert(0, Finding("./", "note", install, "package"))

    def add(self, file: str, verdict: Verdict, text: str, kind: str = "") -> None:
        """Note a finding."""
        self.findings.append(Finding(file, verdict, text, kind))
