"""Shares the projects of a class among workers, module by module: a `common.py` first, on which all others rest.

A project is begun by one call, which looks at its `common.py`; then each of its modules is a call of its own, and what
was found in them is put together in their order. So what is found hangs neither on where work was done nor on when.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from entropeg.classroom.findings import Finding, ModuleMeasure, Project
from entropeg.classroom.packages import MissingPackage
from entropeg.classroom.process import Limits
from entropeg.classroom.programs import check_program, is_program
from entropeg.classroom.project import Check
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.errors import EntropegError, printable
from entropeg.executors import Crew
from entropeg.executors.crew import ThreadCrew
from entropeg.processes import end_all
from entropeg.rules import Rules
from entropeg.signals import held
from entropeg.told import Told


class HowToCheck(NamedTuple):
    """How every project is looked at: what `check_project` takes beside the folder."""

    rules: Rules
    games: int = 100
    seconds: float = 20.0
    seed: int = 0
    limits: Limits = Limits(turn_seconds=5.0, game_seconds=60.0)
    only: tuple[str, ...] = ()


class BegunCheck(NamedTuple):
    """A project in which `common.py` was looked at, and the modules left; or in a sentence why it cannot be judged."""

    check: Check | None = None
    files: tuple[Path, ...] = ()
    project: Project | None = None
    total: int = 0
    """Modules in all."""
    trouble: str = ""


class ModuleCheck(NamedTuple):
    """What was found in one module; not `is_done` where the time was over before."""

    findings: tuple[Finding, ...] = ()
    measures: tuple[ModuleMeasure, ...] = ()
    players: tuple[str, ...] = ()
    missing: tuple[MissingPackage, ...] = ()
    is_done: bool = True
    trouble: str = ""


# ------------------------------------------------------------ where the workers are


def begin_check(folder: Path, how: HowToCheck, left: float, session: str) -> BegunCheck:
    """Begin to look at a project, or look at a program, for `left` seconds at most."""
    until = monotonic() + left
    try:
        if is_program(folder):
            plan = {key: value for key, value in how._asdict().items() if key not in {"rules", "limits", "only"}}
            return BegunCheck(project=check_program(str(folder), how.rules, until=until, **plan))
        project = Project(folder, how.rules)
        check = Check(project, how.games, how.seconds, how.seed, how.limits, until, only=how.only, session=session)
        files = check.begin(lambda *_: check.left())
        commons = [file for file in files if file.stem == "common"]
        with suppress(KeyboardInterrupt):
            for file in commons:
                check.left()
                check.file(file)
                project.left.remove(project.name(file))
        rest = tuple(file for file in files if file not in commons)
        return BegunCheck(check, rest, check.project, len(files))
    except ClassroomInterrupted as stop:
        return BegunCheck(project=stop.done)
    except Exception as error:  # noqa: BLE001 (a class is not lost for one project that nobody foresaw)
        return BegunCheck(trouble=_trouble(error))


def check_module(check: Check, file: Path, left: float) -> ModuleCheck:
    """Look at one module of a project that was begun, for `left` seconds at most."""
    check = replace(check, until=monotonic() + left)
    project, is_done = check.project, True
    findings, measures, players = len(project.findings), len(project.measures), len(project.players)
    try:
        check.left()
        check.file(file)
    except KeyboardInterrupt:
        is_done = False
    except Exception as error:  # noqa: BLE001 (as above)
        return ModuleCheck(trouble=_trouble(error))
    found = tuple(project.findings[findings:]), tuple(project.measures[measures:]), tuple(project.players[players:])
    return ModuleCheck(*found, tuple(project.missing), is_done)


def _trouble(error: Exception) -> str:
    if isinstance(error, EntropegError):
        return str(error)
    return Told("could not be judged: {kind}: {error}", type(error).__name__, printable(str(error)))


# ------------------------------------------------------------ where the class is looked at


@dataclass
class UnderWay:
    """A project of which modules are still being looked at."""

    folder: Path
    begun: BegunCheck | None = None
    parts: dict[Path, ModuleCheck] = field(default_factory=dict)
    is_told: bool = False

    @property
    def is_over(self) -> bool:
        """Whether every module was looked at."""
        return self.begun is not None and len(self.parts) == len(self.begun.files)

    @property
    def found(self) -> tuple[Project | None, str]:
        """The project as far as it was looked at, or in a sentence why it cannot be judged."""
        assert self.begun is not None
        # In the order of the modules, whichever came first.
        parts = [(file, self.parts[file]) for file in self.begun.files if file in self.parts]
        troubles = [self.begun.trouble, *(part.trouble for _, part in parts)]
        project = self.begun.project
        if any(troubles) or project is None:
            return None, next(filter(None, troubles))
        for file, part in parts:
            project.findings += part.findings
            project.measures += part.measures
            project.players += part.players
            for missed in part.missing:
                for name in missed.held_up or ("",):
                    project.miss(missed.name, name)
            if part.is_done:
                project.left.remove(project.name(file))
        if self.begun.total:
            project.tell_the_rest()
        return project, ""


class SharedCheck:
    """Projects that a crew looks at, until a time of `time.monotonic`.

    `tell` is called with a folder, the module that is begun, its number and how many there are.
    """

    def __init__(
        self, crew: Crew, how: HowToCheck, until: float = inf, tell: Callable[..., object] = lambda *_: None
    ) -> None:
        self.crew, self.how, self.until, self.tell = crew, how, until, tell
        self._projects = dict[Path, UnderWay]()
        self._waiting = deque[tuple[UnderWay, Path | None]]()
        self._calls = dict[int, tuple[UnderWay, Path | None]]()

    def look(self, folders: list[Path], found: Callable[[Path, Project | None, str], object]) -> None:
        """Look at projects; `found` is called with each as soon as it is done, and its findings or what is the matter.

        So it is with those that were begun where the time is over, or Ctrl-C raises KeyboardInterrupt.
        """
        self._projects = {folder: UnderWay(folder) for folder in folders}
        self._waiting.extend((each, None) for each in self._projects.values())
        self._stop(0)
        try:
            with held() as check:
                try:
                    while self._next() or self._calls:
                        for number, result in self.crew.take():
                            self._take(*self._calls.pop(number), result, found)
                        check()
                finally:
                    self._end()
        finally:
            for each in self._projects.values():
                if each.begun is not None and not each.is_told:
                    found(each.folder, *each.found)

    def _next(self) -> bool:
        # Whoever has nothing to do gets a call, as long as there is time; the first project is begun in any case.
        while self._waiting and len(self._calls) < max(1, self.crew.count):
            left = self.until - monotonic()
            if left <= 0 and (self._calls or any(each.begun for each in self._projects.values())):
                self._waiting.clear()
                break
            each, file = self._waiting.popleft()
            if file is None or each.begun is None:
                self.tell(each.folder, "", 0, 0)
                call = self.crew.put(begin_check, each.folder, self.how, left, self.crew.session)
            else:
                done = each.begun.total - len(each.begun.files) + len(each.parts)
                self.tell(each.folder, file.relative_to(each.folder).as_posix(), done, each.begun.total)
                call = self.crew.put(check_module, each.begun.check, file, left)
            self._calls[call] = each, file
        return bool(self._waiting)

    def _take(self, each: UnderWay, file: Path | None, result: Any, found: Callable[..., object]) -> None:
        if file is None:
            each.begun = result
            # The projects that were begun are ended first: the page of a class fills project by project.
            self._waiting.extendleft((each, one) for one in reversed(each.begun.files))
        else:
            each.parts[file] = result
        if each.is_over:
            each.is_told = True
            found(each.folder, *each.found)

    def _end(self) -> None:
        # Threads cannot be ended in the midst of a call: they are told, and the processes of modules end.
        self._stop(1)
        while isinstance(self.crew, ThreadCrew) and self.crew.running:
            end_all()
            with suppress(Exception):
                self.crew.take()
        self.crew.forget()

    def _stop(self, value: int) -> None:
        if isinstance(self.crew, ThreadCrew):
            self.crew.tell(0, 1, value)
