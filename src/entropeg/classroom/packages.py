"""Tells which packages a project wants to have installed: those that it lists, and those that everybody knows."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar

from entropeg.classroom.functions.definitions import tried_imports
from entropeg.classroom.imports import imports_of
from entropeg.classroom.modules import tree_or_none
from entropeg.errors import InputError
from entropeg.files import read_bytes
from entropeg.plain_values import PlainValue
from entropeg.told import Told

KNOWN = frozenset(
    """
    _tkinter arcade blessed bokeh bs4 colorama colored customtkinter cv2 cython dash django easygui fastapi flask
    flask_cors flask_login flask_socketio flask_sqlalchemy ipython joblib kivy line_profiler matplotlib networkx
    nicegui numba numpy pandas pil plotly prompt_toolkit psutil pyfiglet pygame pygame_menu pyglet pyinputplus
    pynput pyqt5 pyqt6 pyside2 pyside6 pytest pywebio questionary requests rich scipy seaborn simple_term_menu
    sklearn streamlit sympy tabulate termcolor textual tkinter torch tqdm turtle ttkbootstrap unidecode uvicorn wx
    yaml
    """.split()  # noqa: SIM905 (a table of words)
)
"""What projects of courses import, in small letters: a name that is none of these and is not listed may be a file that
was not handed in."""

CALLED = {"bs4": "beautifulsoup4", "cv2": "opencv-python", "pil": "pillow", "sklearn": "scikit-learn", "wx": "wxpython"}
"""How packages are listed that are imported by another name."""


@dataclass(frozen=True)
class MissingPackage(PlainValue):
    """A package that a project imports and that is not installed: its name, and the file of the project that lists it.

    `held_up` are the modules that cannot be judged without it.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("name", "listed_in", "held_up")

    name: str
    listed_in: str = ""
    held_up: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it is a package for certain, and no file that was not handed in."""
        return bool(self.listed_in) or self.name.casefold() in KNOWN

    @property
    def says(self) -> str:
        """Its name, and where it is listed."""
        return Told("{package} ({file})", self.name, self.listed_in) if self.listed_in else self.name


def own_module(name: str, folders: Iterable[Path]) -> str:
    """Return the module or package in some folders that a name stands for, as it is or misspelled; empty if none.

    >>> from pathlib import Path
    >>> own_module("worcker", [Path(__file__).parent]), own_module("numpy", [Path(__file__).parent])
    ('worker', '')
    """
    if name.casefold() in KNOWN:
        return ""
    own = dict[str, Path]()
    for folder in folders:
        with suppress(OSError):  # a folder above may be closed to us
            own |= {each.stem: each for each in folder.iterdir() if each.suffix == ".py" or each.is_dir()}
    # 0.8 takes `commun` for `common`, and `jeux` for `jeu`; it takes no package for a module with half of its letters.
    near = get_close_matches(name, own, 3, 0.8)
    return next((each for each in near if own[each].is_file() or any(own[each].glob("*.py"))), "")


def missing_beside(file: Path) -> list[str]:
    """Return the packages that a file which is not run imports, does not do without, and would not find here.

    >>> missing_beside(Path(__file__))
    []
    """
    tree = tree_or_none(file)
    if tree is None:
        return []
    wanted = dict.fromkeys(each.head for each in imports_of(tree) if not each.level)
    done_without = {*tried_imports(tree), *sys.stdlib_module_names, ""}
    folders = [file.parent, *file.parents[1:4]]
    return [name for name in wanted if name not in done_without and not _is_found(name, folders)]


def _is_found(name: str, folders: Iterable[Path]) -> bool:
    if any((folder / name).is_dir() or (folder / f"{name}.py").is_file() for folder in folders):
        return True
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def listed_in(name: str, folder: Path) -> str:
    """Return the file of a project that lists a package (`requirements.txt`, `pyproject.toml`); empty where none does.

    Files in UTF-16, as a shell of Windows writes them, are read too.
    """
    wanted = {_normal(name), _normal(CALLED.get(name.casefold(), name))}
    files = [*folder.glob("*requirements*.txt"), *folder.glob("*/*requirements*.txt"), *folder.glob("pyproject.toml")]
    for file in sorted(files, key=lambda each: (len(each.parts), each)):
        listed = _in_pyproject(_text(file)) if file.suffix == ".toml" else _text(file).splitlines()
        if wanted & {_normal(found[0]) for line in listed if (found := re.match(r"\s*[A-Za-z0-9][\w.\-]*", line))}:
            return file.relative_to(folder).as_posix()
    return ""


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).casefold()


def _text(file: Path) -> str:
    try:
        content = read_bytes(file)
    except InputError:
        return ""
    marks = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    coding = marks.get(content[:2]) or ("utf-16-le" if content[1:2] == b"\0" else "utf-8-sig")
    return content.decode(coding, errors="replace")


def _in_pyproject(text: str) -> Iterator[str]:
    try:
        data: Any = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    project = _table(data, "project")
    lists = [project.get("dependencies"), *_table(project, "optional-dependencies").values()]
    lists.append(list(_table(_table(data, "tool"), "poetry").get("dependencies", {})))
    for each in lists:
        yield from (line for line in each or () if isinstance(line, str)) if isinstance(each, list) else ()


def _table(data: Any, key: str) -> dict[str, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}
