"""Gathers who plays in a tournament: course modules of many projects, programs, and players of ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from entropeg import codebreakers, codemakers
from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.layout import find_modules
from entropeg.classroom.modules import find_player
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker
from entropeg.classroom.process import Limits
from entropeg.classroom.programs import is_program, roles_of
from entropeg.classroom.whole_class.folders import find_projects
from entropeg.errors import InputError, quoted


@dataclass
class Entrants:
    """The players of a tournament by role, those that cannot play at all, and what was left out and why."""

    codebreakers: list[Any] = field(default_factory=list)
    codemakers: list[Any] = field(default_factory=list)
    absent: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[Any, Any]]:
        """Every codebreaker with every codemaker."""
        return [(breaker, maker) for breaker in self.codebreakers for maker in self.codemakers]


def gather(
    names: Sequence[str | Path], limits: Limits, *, only: Sequence[str] = (), with_ours: bool = True
) -> Entrants:
    """Gather the players of folders and programs.

    `names`: folders of projects, folders of such folders, and programs (`cmd:./program`). `only`: names of modules
    without `.py`, with `*` for any letters (`codebreaker2`, `codemaker*`); without any, all play. A module that is no
    Python or plays no role is among the absent. Raises InputError where nobody is left to play.
    """
    found = Entrants()
    if with_ours:
        found.codemakers += [codemakers.get(name) for name in ("honest", "cheat")]  # every codebreaker meets these
    programs = [str(name) for name in names if is_program(name)]
    folders = [name for name in names if not is_program(name)]
    seen = set[str]()
    if folders:
        projects = find_projects(folders)
        found.notes += projects.notes
        for project in projects.projects:
            files = [file for file in find_modules(project) if file.stem != "common"]
            seen.update(file.stem for file in files)
            if not files:
                found.notes.append(f"{project} holds no module that plays, and was left out")
            for file in files:
                if not only or any(fnmatchcase(file.stem, pattern) for pattern in only):
                    _add_module(found, file, limits)
    for program in programs:
        _add_program(found, program)
    unmet = [pattern for pattern in only if not any(fnmatchcase(stem, pattern) for stem in seen)]
    if unmet:
        there = ", ".join(sorted(seen)) or "none"
        raise InputError(f"no project has a module {quoted(unmet[0])}: there are {there}")
    if not ((found.codebreakers and found.codemakers) or found.absent):
        role = "codemaker" if found.codebreakers else "codebreaker"
        raise InputError(f"there is no {role} among the modules: a tournament needs one at least")
    return found


def _add_module(found: Entrants, file: Path, limits: Limits) -> None:
    own = (str(file), limits.turn_seconds, limits.game_seconds, limits.memory)
    try:
        role = find_player(file, None, str(file))[1]
        if role == "codebreaker":
            found.codebreakers.append(CourseCodebreaker(*own))
        else:
            found.codemakers.append(CourseCodemaker(*own))
    except ModuleFault as error:
        found.absent.append(error.fault)


def _add_program(found: Entrants, spec: str) -> None:
    playing = roles_of(spec)
    if isinstance(playing, Fault):
        found.absent.append(playing)
        return
    if "codebreaker" in playing:
        found.codebreakers.append(codebreakers.get(spec))
    if "codemaker" in playing:
        found.codemakers.append(codemakers.get(spec))
