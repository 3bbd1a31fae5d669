"""Looks through the projects of a whole class, one after the other: one line a project, then all of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import Any, ClassVar

from entropeg.classroom.findings import Finding, Project, Verdict, kind_word
from entropeg.classroom.programs import check_program, is_program
from entropeg.classroom.project import BOARD, check_project
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.classroom.whole_class.folders import ClassFolders, find_projects
from entropeg.errors import EntropegError, InputError, printable
from entropeg.files import FileKind, write_whole
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

FIXED = ("project", "folder", "modules", "wrong", "follows", "slow", "noted", "trouble", "first")
"""Columns of the table that every class has; those of the modules come behind them."""

MARK = b"\xef\xbb\xbf"
"""The sign that tells a spreadsheet that the text is UTF-8."""

CLASS_TABLE = FileKind(
    Told("a table of a class"), lambda content: content.startswith(MARK + ",".join(FIXED[:4]).encode())
)


@dataclass
class ClassMember(PlainValue):
    """A project of a class: its findings, or in a sentence why it could not be judged."""

    PLAIN: ClassVar[tuple[str, ...]] = ("project=label", "folder", "trouble", "found=project")

    label: str
    folder: Path
    project: Project | None = None
    trouble: str | None = None

    @property
    def verdict(self) -> Verdict:
        """`wrong`, else `slow`, else `unwritten` for gaps, else `right`; `note` where it or a module was not judged."""
        if self.project is None:
            return "note"
        verdicts = {finding.verdict for finding in self.project.findings}
        idle: Verdict = "unwritten" if self.project.gaps else "note" if self.project.unjudged else "right"
        return "wrong" if "wrong" in verdicts else "slow" if "slow" in verdicts else idle

    @property
    def line(self) -> str:
        """The project in one line."""
        if self.project is None:
            return Told("{project}: {trouble}", self.label, self.trouble)
        modules, wrong = plural(len(self.project.modules), "{n} module", "{n} modules"), self.project.wrong
        told: str = Told("nothing wrong")
        if wrong:
            told = plural(
                len(wrong), "{n} thing wrong: {faults:list}", "{n} things wrong: {faults:list}", _kinds(wrong)
            )
        kinds_of_means = {"too good", "mean"}  # notes on means that are not as expected
        odd = [each for each in self.project.findings if each.kind in kinds_of_means]
        slow = dict.fromkeys(each.file for each in self.project.slow)
        for further, files in (
            (Template("{found}; through common.py alone: {files:list}"), _kinds(self.project.follows)),
            (Template("{found}; to be looked at: {files:list}"), _kinds(odd)),
            (Template("{found}; slow: {files:list}"), list(slow)),
            (Template("{found}; not written yet: {files:list}"), _files_of(self.project, "unwritten")),
            (Template("{found}; not judged yet: {files:list}"), self.project.waiting),
            (Template("{found}; no game finished: {files:list}"), self.project.unjudged),
            (Template("{found}; not looked at: {files:list}"), self.project.left),
        ):
            told = Told(further, told, files) if files else told
        return Told("{project}: {modules}, {found}", self.label, modules, told)

    @property
    def verdicts(self) -> dict[str, tuple[Verdict, list[str]]]:
        """The verdict on each module, by its column in the table, and the kinds of its faults."""
        found = dict[str, tuple[Verdict, list[str]]]()
        findings = {} if self.project is None else self.project.found_in
        for file, column in _columns([file for file in findings if not file.endswith("/")]).items():
            verdicts: list[Verdict] = [each.verdict for each in findings[file]]
            worst = min(verdicts, key=("wrong", "follows", "slow", "unwritten", "waiting", "right", "note").index)
            bad = [each for each in findings[file] if each.verdict == worst and worst in {"wrong", "follows"}]
            found[column] = worst, list(dict.fromkeys(each.kind for each in bad if each.kind))
        return found

    def cells(self) -> dict[str, str | int | float]:
        """Return the row of the project in the table, by column."""
        row: dict[str, str | int | float] = {"project": self.label, "folder": str(self.folder)}
        row["trouble"] = self.trouble or ""
        if self.project is None:
            return row
        findings = self.project.findings
        found = [each for each in findings if not each.file.endswith("/")]  # where modules lie is no finding
        for column, verdict in (("wrong", "wrong"), ("follows", "follows"), ("slow", "slow"), ("noted", "note")):
            row[column] = sum(each.verdict == verdict for each in found)
        row["modules"] = len(self.project.modules)
        row["first"] = self.project.wrong[0].text if self.project.wrong else ""
        for column, (verdict, kinds) in self.verdicts.items():
            row[column] = f"{verdict}: {', '.join(kinds)}" if kinds else verdict
        columns = _columns([each.file for each in found])
        for measure in self.project.measures:
            facts = measure.series.run.statistics
            if facts.won:
                against = "cheat" if measure.series.codemaker.startswith("cheat") else "mean"
                file = columns.get(measure.file, measure.file)
                row.setdefault(f"{file} {against}", round(facts.mean, 4))
        return row


def _kinds(findings: Sequence[Finding]) -> list[str]:
    faulty = dict.fromkeys((each.file, each.kind) for each in findings)
    return [Told("{file} ({fault})", file, kind_word(kind)) for file, kind in faulty]


def _files_of(project: Project, verdict: Verdict) -> list[str]:
    return list(dict.fromkeys(each.file for each in project.findings if each.verdict == verdict))


def _columns(files: Sequence[str]) -> dict[str, str]:
    # The module codebreaker2.py has one column in all projects, wherever it lies; of two in one project both say where.
    names = {file: PurePosixPath(file).name for file in files}
    return {file: name if [*names.values()].count(name) == 1 else file for file, name in names.items()}


@dataclass
class ClassCheck(PlainValue):
    """The findings in the projects of a class.

    `notes` tell what was no project; `left` names those that were not looked at, since the time was over or the user
    stopped it.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "wrong=wrong_count", "left", "notes", "projects=members")

    rules: Rules
    members: list[ClassMember] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[ClassMember]:
        """The projects in which something is wrong, and the ones that could not be judged."""
        found = [(member, member.project) for member in self.members]
        return [member for member, project in found if project is None or project.wrong or project.unjudged]

    @property
    def wrong_count(self) -> int:
        """How many these are."""
        return len(self.wrong)

    @property
    def begun(self) -> list[ClassMember]:
        """The projects in which something is not written yet."""
        return [member for member in self.members if member.project is not None and member.project.gaps]

    @property
    def is_complete(self) -> bool:
        """Whether every module of every project was looked at to the end."""
        return not self.left and not any(each.project.left for each in self.members if each.project is not None)

    @property
    def summary(self) -> str:
        """The class in one sentence."""
        count, wrong = len(self.members), sum(member.verdict == "wrong" for member in self.members)
        lost = sum(member.verdict == "note" for member in self.members)
        begun = sum(member.verdict == "unwritten" for member in self.members)
        projects, fine = plural(count, "{n} project", "{n} projects"), count - wrong - lost - begun
        told = Told("{projects} on {rules}: nothing wrong in {count}", projects, self.rules, fine)
        if wrong:
            told = Told("{found}, something wrong in {count}", told, wrong)
        if begun:
            told = Told("{found}, {count} not written to the end", told, begun)
        if lost:
            told = Told("{found}, {count} could not be judged", told, lost)
        return Told("{found}; not looked at: {files:list}", told, self.left) if self.left else told


def check_class(
    folders: Sequence[str | Path],
    rules: Rules = BOARD,
    *,
    within: float | None = None,
    progress: Callable[[str, int, int], object] | None = None,
    **how: Any,
) -> ClassCheck:
    """Look through the projects of a class.

    `folders` are projects, folders of projects, or programs (`cmd:./program`); `how` is what `check_project` takes:
    games, seconds, seed, limits.
    A project that cannot be judged is told in a sentence, and the rest is judged. After `within` seconds it ends with
    what was found, the game that is played then to its end. `progress` is called with the module that is looked at, how
    many projects were looked at before, and how many there are. Raises InputError where there is no project at all;
    ClassroomInterrupted, with what was found until then, where Ctrl-C ends it.
    """
    if within is not None and not within >= 0:
        raise InputError("the time of a check is {seconds:g} seconds; it must be 0 or more", within)
    until = float("inf") if within is None else monotonic() + within
    found = _projects(folders)
    labels = {each: str(each) if is_program(each) else label for each, label in found.labels.items()}
    total = len(found.projects)
    checked = ClassCheck(rules, notes=found.notes, left=[labels[project] for project in found.projects])
    for done, folder in enumerate(found.projects):
        member = ClassMember(labels[folder], folder)

        def tell(name: str, module: int, modules: int, at: int = done, label: str = member.label) -> None:
            if progress is not None:
                progress(*((name, module, modules) if total == 1 else (f"{label}, {name}", at, total)))

        try:
            if is_program(folder):
                member.project = check_program(str(folder), rules, progress=tell, until=until, **how)
            else:
                member.project = check_project(folder, rules, progress=tell, until=until, **how)
        except ClassroomInterrupted as stop:
            member.project = stop.done
            _add(checked, member)
            if monotonic() >= until:
                return checked
            raise ClassroomInterrupted(checked) from None
        except EntropegError as error:
            member.trouble = str(error)
        except Exception as error:  # noqa: BLE001 (a class is not lost for one project that nobody foresaw)
            member.trouble = Told("could not be judged: {kind}: {error}", type(error).__name__, printable(str(error)))
        _add(checked, member)
    return checked


def _add(checked: ClassCheck, member: ClassMember) -> None:
    checked.left.remove(member.label)
    checked.members.append(member)


def _projects(folders: Sequence[str | Path]) -> ClassFolders:
    programs = [Path(name) for name in folders if is_program(name)]
    named = [name for name in folders if not is_program(name)]
    try:
        found = find_projects(named, playing=len(folders) == 1) if named else ClassFolders()
    except InputError:
        if len(folders) > 1:
            raise
        return ClassFolders([Path(named[0])])  # `check_project` tells what it misses
    found.projects += programs
    return found


def is_class(folders: Sequence[str | Path]) -> bool:
    """Tell whether folders are those of a class: several, or one that holds projects instead of being one."""
    return len(folders) > 1 or [Path(folders[0])] != _projects(folders).projects


def class_table(checked: ClassCheck) -> list[list[str | int | float]]:
    """Return the class as a table: a line of names, then one a project; the columns of modules stand in their order."""
    rows = [member.cells() for member in checked.members]
    further = sorted({column for row in rows for column in row} - set(FIXED))
    columns = [*FIXED, *further]
    return [list(columns), *([row.get(column, "") for column in columns] for row in rows)]


def write_class_table(checked: ClassCheck, path: str | Path) -> None:
    """Write the table as CSV, for a spreadsheet; raises InputError where the file cannot be written."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in class_table(checked))
    write_whole(path, MARK + text.getvalue().encode(), CLASS_TABLE)


def _cell(value: str | float) -> str | int | float:
    if not isinstance(value, str):
        return value
    # To a spreadsheet such a cell is a formula: an apostrophe makes it text.
    return f"'{printable(value)}" if value.startswith(("=", "+", "-", "@")) else printable(value)
