"""Looks through the projects of a whole class, several at a time: one line a project, then all of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from time import monotonic
from typing import Any, ClassVar

from entropeg.classroom.findings import Finding, Project, Verdict, kind_word
from entropeg.classroom.layout import files_below
from entropeg.classroom.programs import is_program
from entropeg.classroom.project import BOARD, is_named
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.classroom.whole_class.folders import ClassFolders, find_projects
from entropeg.classroom.whole_class.kept_checks import KeptChecks
from entropeg.classroom.whole_class.sharing import HowToCheck, SharedCheck
from entropeg.errors import InputError, printable
from entropeg.executors import Crew, Executor, WorkersError, crew_of
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
        unwritten = dict.fromkeys(each.file for each in self.project.findings if each.verdict == "unwritten")
        for further, files in (
            (Template("{found}; through common.py alone: {files:list}"), _kinds(self.project.follows)),
            (Template("{found}; to be looked at: {files:list}"), _kinds(odd)),
            (Template("{found}; slow: {files:list}"), list(slow)),
            (Template("{found}; not written yet: {files:list}"), list(unwritten)),
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
    known: list[str] = field(default_factory=list)
    """Projects that have not changed since they were looked at before: what is found in them was kept."""

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
    folders: Sequence[str | Path], rules: Rules = BOARD, *, only: Sequence[str] = (), **plan: Any
) -> ClassCheck:
    """Look through the projects of a class.

    `folders` are projects, folders of projects, or programs (`cmd:./program`); `plan` is what `check_project` takes
    (games, seconds, seed, limits) and what `check_all` does: jobs, executor, within, keep, progress, watch. `only`
    names projects, modules as `check_project` does, or both: the modules named of the projects named. A project that
    cannot be judged is told in a sentence, and the rest is judged. Raises InputError where there is no project at all
    or a name is none's, and what `check_all` does.
    """
    found = _projects(folders)
    labels = {each: str(each) if is_program(each) else label for each, label in found.labels.items()}
    chosen, modules = _chosen(labels, only)
    checked = ClassCheck(rules, notes=found.notes, left=list(chosen.values()))
    return check_all(checked, chosen, modules, **plan)


def check_alone(folder: str | Path, rules: Rules = BOARD, **plan: Any) -> Project:
    """Look through one project, whatever lies in it; `plan` is as that of `check_class`.

    Raises InputError where it cannot be judged, ClassroomInterrupted with the project as far as it was looked at.
    """
    alone = Path(folder)
    try:
        [member] = check_all(ClassCheck(rules, left=[str(folder)]), {alone: str(folder)}, **plan).members
    except ClassroomInterrupted as stop:
        [member] = stop.done.members or [ClassMember(str(folder), alone, Project(alone, rules))]
        raise ClassroomInterrupted(member.project) from None
    if member.project is None:
        raise InputError(str(member.trouble))
    return member.project


def check_all(  # noqa: PLR0913 (as a tournament)
    checked: ClassCheck,
    labels: Mapping[Path, str],
    only: Sequence[str] = (),
    *,
    jobs: int | None = None,
    executor: Executor | Crew | str | None = None,
    within: float | None = None,
    keep: str | Path | None = None,
    progress: Callable[[str, int, int], object] | None = None,
    watch: Callable[[ClassCheck], object] | None = None,
    **how: Any,
) -> ClassCheck:
    """Look through projects, and add what is found in them.

    `jobs` modules are looked at at a time (default: as many as there are cores), or the workers of an `executor` look
    at them; what is found is the same. `keep` names a file for what is found: projects that have not changed since,
    as `kept_checks` says, are answered from it. After `within` seconds it ends with what was found, the games that are
    played then to their end. `progress` is called with the module that is looked at, how many projects were looked at
    before, and how many there are; `watch` with the class so far, whenever a project is done. Raises InputError for
    what cannot be right, ClassroomInterrupted with what was found where Ctrl-C ends it; WorkersError, which has that
    as `made`, where workers are gone.
    """
    if within is not None and not within >= 0:
        raise InputError("the time of a check is {seconds:g} seconds; it must be 0 or more", within)
    until = float("inf") if within is None else monotonic() + within
    # Modules run in processes of their own, so that threads mostly wait for them.
    crew = crew_of(Executor("threads", jobs)) if executor is None else crew_of(executor, jobs)
    plan = HowToCheck(checked.rules, only=tuple(only), **how)
    looking = _Looking(checked, labels, KeptChecks(None if keep is None else Path(keep), plan), progress, watch)
    try:
        left = [folder for folder in labels if not looking.is_known(folder)]
        with crew as workers:
            SharedCheck(workers, plan, until, looking.tell).look(left, looking.found)
    except KeyboardInterrupt:
        if len(labels) == 1 and not checked.members:
            raise  # nothing was found yet
        raise ClassroomInterrupted(checked) from None
    except WorkersError as error:
        error.made = checked
        raise
    finally:
        looking.kept.save()
    return checked


@dataclass
class _Looking:
    """A class that is being looked at: its projects by folder and label, what is kept of them, and who is told."""

    checked: ClassCheck
    labels: Mapping[Path, str]
    kept: KeptChecks
    progress: Callable[[str, int, int], object] | None
    watch: Callable[[ClassCheck], object] | None

    def is_known(self, folder: Path) -> bool:
        """Add what was found in a project, where it was kept."""
        project = self.kept.get(folder)
        if project is not None:
            self.checked.known.append(self.labels[folder])
            self._add(folder, project, "")
        return project is not None

    def found(self, folder: Path, project: Project | None, trouble: str) -> None:
        """Add and keep what was found in a project."""
        self.kept.put(folder, project)
        self._add(folder, project, trouble)

    def _add(self, folder: Path, project: Project | None, trouble: str) -> None:
        order, label = [*self.labels], self.labels[folder]
        self.checked.left.remove(label)
        self.checked.members.append(ClassMember(label, folder, project, trouble or None))
        self.checked.members.sort(key=lambda member: order.index(member.folder))
        if self.watch is not None:
            self.watch(self.checked)

    def tell(self, folder: Path, name: str, module: int, modules: int) -> None:
        """Tell which module is begun: of one project how many were before it, of a class how many projects."""
        if self.progress is None:
            return
        label, count = self.labels[folder], len(self.labels)
        if count == 1:
            self.progress(name or label, module, modules)
        else:
            self.progress(f"{label}, {name}" if name else label, len(self.checked.members), count)


def _chosen(labels: Mapping[Path, str], only: Sequence[str]) -> tuple[dict[Path, str], list[str]]:
    # The projects that are named, all where none is, and the names that are those of modules.
    projects = [name for name in only if any(is_named(label, [name]) for label in labels.values())]
    modules = [name for name in only if name not in projects]
    stems = {file.stem for folder in labels if modules and folder.is_dir() for file in files_below(folder)}
    for name in modules:
        if not any(is_named(stem, [name]) for stem in stems):
            there = Template("nothing is called {name!r}: there are the projects {projects:list}, and {modules:list}")
            raise InputError(Told(there, name, labels.values(), sorted(stems)))
    chosen = {folder: label for folder, label in labels.items() if not projects or is_named(label, projects)}
    return chosen, modules


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
