"""Finds the modules of a project, and from their imports the folder from which each of them is run.

A project may be a folder of modules, a package with relative imports, a `src/` layout, or players in folders of their
own beside a `common.py` above. A module is run as its imports ask for: as a member of its package where it imports
relatively, from a folder above where what it imports lies there, and otherwise from its own folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from entropeg.classroom.imports import imports_of
from entropeg.classroom.modules import tree_or_none
from entropeg.classroom.passed import TEST_FOLDERS, looks_like_a_player, why_passed
from entropeg.told import Told

MOST_FILES = 500
"""Files of a project that are looked at for modules, at most."""

FOREIGN = frozenset({"__pycache__", "node_modules", "venv", "env", "build", "dist", "site-packages", "__MACOSX"})
"""Folders that hold nothing that a student wrote."""


@dataclass(frozen=True)
class ModuleLayout:
    """How a module is run: imported as `name`, with `paths` to be imported from, first first, all within `root`.

    A dot in the name of a file or a package has no place in a name that is imported: `named` has another one for it.
    """

    root: Path
    name: str
    paths: tuple[Path, ...]
    named: tuple[tuple[str, Path], ...] = ()
    """Modules and packages that Python does not find by their names, with their files and folders, outermost first."""

    @property
    def folder(self) -> Path:
        """The folder in which it runs."""
        return self.paths[0]


def layout_of(file: Path) -> ModuleLayout:
    """Say how a module is run; `file` is absolute.

    A file that cannot be read as Python is run from its own folder.
    """
    folder = file.parent
    tree = tree_or_none(file)
    imports = [] if tree is None else [*imports_of(tree)]
    level = max((each.level for each in imports), default=0)
    wanted = dict.fromkeys(each.head for each in imports if not each.level and each.head not in sys.stdlib_module_names)
    above = [found for name in wanted if (found := _folder_with(name, folder)) is not None]
    beside = any(_holds(folder, name) for name in wanted)
    if level:
        top = _package_root(folder, level)
        paths = [top, *above, *([folder] if beside else [])]
    else:
        top, paths = folder, [folder, *above]
    parts = [*folder.relative_to(top).parts, file.stem]
    names = [part.replace(".", "_") for part in parts]
    places = [top.joinpath(*parts[: at + 1]) for at in range(len(parts) - 1)] + [file]
    named = [(".".join(names[: at + 1]), place) for at, place in enumerate(places) if names[at] != parts[at]]
    unique = tuple(dict.fromkeys(paths))
    return ModuleLayout(min(unique, key=lambda each: len(each.parts)), ".".join(names), unique, tuple(named))


def _holds(folder: Path, name: str) -> bool:
    inside = folder / name
    return inside.with_suffix(".py").is_file() or (inside.is_dir() and any(inside.glob("*.py")))


def _folder_with(name: str, folder: Path) -> Path | None:
    # The nearest folder above that has the imported module; None where it lies beside the importing one, or nowhere.
    if _holds(folder, name):
        return None
    return next((above for above in folders_above(folder) if _holds(above, name)), None)


def folders_above(folder: Path) -> Iterator[Path]:
    """Give the folders in which what a module imports is looked for beside its own: up to three above it."""
    for above in folder.parents[:3]:
        if above.parent == above or above == Path.home():
            return
        yield above
        if (above / ".git").exists():
            return


def _package_root(folder: Path, level: int) -> Path:
    top = folder
    while (top / "__init__.py").exists() and top.parent != top:
        top = top.parent
    needed = folder.parents[min(level, len(folder.parents)) - 1]
    return min(top, needed, key=lambda each: len(each.parts))


# -------------------------------------------------------------------- what a project holds


@dataclass(frozen=True)
class FoundModules:
    """The modules of the course in a project, and the files that look like players and are none, with the reason."""

    modules: list[Path]
    passed: dict[Path, Told]


def find_modules(folder: Path) -> list[Path]:
    """Find the modules of the course in a project: players and `common.py`, also in the folders below.

    A player is called `codebreaker*.py` or `codemaker*.py`, or has one of the two functions and `init`. A module that
    lies below another one of the same name is left out: it is an older one, or somebody else's.
    """
    return sort_modules(folder).modules


def sort_modules(folder: Path) -> FoundModules:
    """Find the modules of the course in a project, as `find_modules` does, and what was passed over.

    Passed over are players for people, tests, copies, and programs that only import a player.
    """
    found, passed = dict[str, Path](), dict[Path, Told]()
    looked_at = [file for file in files_below(folder) if file.stem == "common" or looks_like_a_player(file)]
    tests = [file for file in looked_at if TEST_FOLDERS & {*file.relative_to(folder).parts[:-1]}]
    if any(file.stem != "common" for file in looked_at if file not in tests):
        passed = {file: Told("passed over: it lies among the tests") for file in tests}
    for file in looked_at:
        if file.stem != "common" and file not in passed and (why := why_passed(file)) is not None:
            passed[file] = why
        if file not in passed and (file.name not in found or found[file.name].parent not in file.parent.parents):
            found[file.name if file.name not in found else str(file)] = file
    players = {file.parent for file in found.values() if file.stem != "common"}
    # A common.py that no player can reach belongs to something else.
    reaching = {above for folder in players for above in (folder, *folder.parents)}
    used = [file for file in found.values() if file.stem != "common" or not players or file.parent in reaching]
    modules = sorted(used, key=lambda file: (file.parent != folder, file))
    return FoundModules(modules, {file: why for file, why in passed.items() if file.stem != "common"})


def files_below(folder: Path) -> Iterator[Path]:
    """Give the Python files that students wrote, the nearest first: four folders deep, `MOST_FILES` at most."""
    waiting, seen = [(folder, 0)], 0
    for each, depth in waiting:
        try:
            inside = sorted(each.iterdir())
        except OSError:
            continue
        for path in inside:
            if path.is_dir():
                if depth < 4 and not path.name.startswith(".") and path.name not in FOREIGN:
                    waiting.append((path, depth + 1))
            elif path.suffix == ".py" and seen < MOST_FILES and not path.name.startswith(".") and path.is_file():
                seen += 1
                yield path


def is_player(file: Path) -> bool:
    """Tell whether a file plays: by its name, or by one of the two functions and `init`."""
    return looks_like_a_player(file) and why_passed(file) is None


def is_archive(path: Path) -> bool:
    """Tell whether a file is an archive, by its name."""
    return path.suffix.lower() in {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar"} and path.is_file()
