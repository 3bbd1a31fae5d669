"""Finds the projects of a class in folders: tells projects, folders of projects, and other folders apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from entropeg.classroom.layout import FOREIGN, find_modules, is_archive, is_player
from entropeg.errors import InputError
from entropeg.told import Joined, Template, Told

MOST_TOLD = 3
"""Folders of which it is said why they are none; of others, how many they are."""


@dataclass
class ClassFolders:
    """The projects of a class, in order, and a sentence for whatever was left out."""

    projects: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def labels(self) -> dict[Path, str]:
        """The name of each project: that of its folder, with those above where two are called alike."""
        found = dict[Path, str]()
        for project in self.projects:
            parts, count = project.absolute().parts, 1
            while (
                count < len(parts) and sum(_tail(other, count) == _tail(project, count) for other in self.projects) > 1
            ):
                count += 1
            found[project] = "/".join(parts[-count:])
        return found


def _tail(project: Path, count: int) -> tuple[str, ...]:
    return project.absolute().parts[-count:]


def find_projects(folders: Sequence[str | Path], *, playing: bool = True) -> ClassFolders:
    """Find the projects in some folders, each of which is a project or a folder of projects.

    A folder is a project where it holds a module that plays, or a file of a program (`play.py`, `pyproject.toml`); a
    folder of projects where one of its folders holds modules, however far below, and another one Python files, or an
    archive lies beside it. Where nothing need be `playing`, a folder with Python files of another course is a project
    too. `notes` tell which folders are no projects. Raises InputError where there is none at all.
    """
    found = ClassFolders()
    for each in folders:
        folder = Path(each)
        if not folder.is_dir():
            found.notes.append(_no_folder(folder))
            continue
        inside = _projects_in(folder, found.notes)
        if not inside and not playing and _holds_python(folder):
            inside = [folder]
        if not inside:
            text = Told(
                "{folder} holds no project: no codebreaker*.py and no codemaker*.py, nor do its folders", folder
            )
            found.notes.append(text)
        for project in inside:
            if any(project.resolve() == other.resolve() for other in found.projects):
                found.notes.append(Told("{project} was named twice: it is looked at once", project))
            else:
                found.projects.append(project)
    if not found.projects:
        told, more = found.notes[:MOST_TOLD], len(found.notes) - MOST_TOLD
        told += [Told("and {count} more are none", more)] if more > 0 else []
        raise InputError(Joined(told, "; ") if told else Told("no folder was named"))
    found.notes += _same_names(found)
    return found


def _no_folder(path: Path) -> str:
    if is_archive(path):
        return Told("{folder} is an archive: unpack it, and name the folder that comes of it", path)
    if path.exists():
        return Told("{folder} is no folder: name the folder of a project", path)
    return Told("there is no folder {folder}: name the folders of projects", path)


def _projects_in(folder: Path, notes: list[str]) -> list[Path]:
    # A folder with one of these is a project itself, however many folders it has.
    files = ("pyproject.toml", "setup.py", "setup.cfg", "play.py", "main.py", "common.py")
    if _plays(folder) or any((folder / name).exists() for name in files):
        return [folder] if holds_players(folder) else []
    inside = list(_folders(folder))
    below = [each for each in inside if holds_players(each)]
    if not below:
        return []
    archives = [each for each in sorted(folder.iterdir()) if is_archive(each)]
    parts = {"doc", "docs", "figures", "images", "data", "img", "report", "rapport"}  # these need hold no Python
    others = [each for each in inside if each not in below and each.name not in parts]
    if len(below) == 1 and not archives and not any(map(_holds_python, others)):
        return [folder]
    for each in others:
        if _holds_python(each):
            below.append(each)  # no module has a name of the course: whoever looks through it says what there is
        else:
            notes.append(Told("{folder} holds no Python file: it was left out", each))
    left_out = Template("{archive} is an archive and was left out: unpack it beside the other projects")
    notes += [Told(left_out, each) for each in archives]
    return sorted(below)


def _holds_python(folder: Path, depth: int = 3) -> bool:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return False
    return any(each.suffix == ".py" for each in inside) or (
        depth > 0 and any(_holds_python(each, depth - 1) for each in _folders(folder))
    )


def holds_players(folder: Path) -> bool:
    """Tell whether a folder, or one below it, holds a module that plays."""
    return any(file.stem != "common" for file in find_modules(folder))


def _plays(folder: Path) -> bool:
    try:
        return any(each.suffix == ".py" and each.is_file() and is_player(each) for each in folder.iterdir())
    except OSError:
        return False


def _folders(folder: Path) -> Iterator[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError:
        return
    for each in inside:
        if each.is_dir() and not each.name.startswith((".", "__")) and each.name not in FOREIGN | {"test", "tests"}:
            yield each


def _same_names(found: ClassFolders) -> list[str]:
    by_name: dict[str, list[Path]] = {}
    for project in found.projects:
        by_name.setdefault(project.absolute().name, []).append(project)
    alike = Template("{count} projects are called {name!r}: {projects:list}; each is named with the folder above it")
    return [Told(alike, len(same), name, same) for name, same in by_name.items() if len(same) > 1]
