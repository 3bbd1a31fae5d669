"""Facts about the house: what is locked, what is named, what an import costs, who may import whom."""

import ast
import importlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "entropeg"
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
OLDEST = ROOT / "requirements" / "oldest.txt"
MODULES = sorted(PACKAGE.rglob("*.py"))

# ------------------------------------------------------------------ locks and addresses

LOCKED = re.compile(r"[a-z0-9][a-z0-9._-]*==[0-9][^\s;]*( ; [^\\]+)?( \\)?")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
# Written in two halves, so that this file does not name what it forbids.
ADDRESSES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "npm" + "js.com",
    "yarn" + "pkg.com",
    "conda" + ".anaconda.org",
    "proxy." + "golang.org",
    "static." + "crates.io",
]


def tracked_files() -> list[Path]:
    """Files that belong to the repository: what git lists, or all visible ones but those that Python has compiled."""
    if (ROOT / ".git").exists():
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        paths = [ROOT / name for name in names.split("\0") if name]
    else:
        parts = {path: path.relative_to(ROOT).parts for path in ROOT.rglob("*") if "__pycache__" not in path.parts}
        paths = [path for path, names in parts.items() if not any(name[0] == "." for name in names)]
    return [path for path in paths if path.is_file()]


def locked(lock: Path) -> dict[str, str]:
    """Versions that a lock names."""
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_line_of_a_lock_is_a_name_with_its_version_or_a_hash(lock: Path) -> None:
    lines = lock.read_text(encoding="utf-8").splitlines()
    wrong = [
        line for line in lines if not (LOCKED.fullmatch(line) or HASH.fullmatch(line) or line.lstrip().startswith("# "))
    ]

    assert wrong == []
    assert any(LOCKED.fullmatch(line) for line in lines)


def test_the_locks_agree_with_one_another() -> None:
    versions: dict[str, set[str]] = {}
    for lock in set(LOCKS) - {OLDEST}:
        for name, version in locked(lock).items():
            versions.setdefault(name, set()).add(version)

    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_what_runs_need_is_a_part_of_what_developers_need() -> None:
    run, dev = (locked(ROOT / "requirements" / f"{name}.txt") for name in ("run", "dev"))

    assert run.items() <= dev.items()
    assert {"numba", "matplotlib", "fastapi", "hatchling"} <= set(run)
    assert set(run) & {"polars", "playwright", "ortools", "mypy", "pytest", "distributed"} == set()


def test_setup_says_in_one_sentence_that_no_index_answers(tmp_path: Path) -> None:
    for name in ("scripts/setup", "requirements/run.txt", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    # Port 9 is closed. What pip and the machine are told elsewhere is left out.
    closed = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull, "PIP_TARGET": str(tmp_path)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    path = {"PATH": "/usr/bin:/bin", "PYTHON": sys.executable}
    command = ["sh", "scripts/setup", "requirements/run.txt"]
    done = subprocess.run(command, cwd=tmp_path, env=kept | closed | path, check=False, capture_output=True, text=True)

    assert 1 == done.returncode
    assert re.fullmatch(
        r"setup: the packages cannot be fetched: no index of packages answers \(.*Connection refused\)\. "
        r"Try again with a network; once they are installed, none is needed\n",
        done.stderr,
    )


def test_one_range_of_pythons_is_named_everywhere() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    named = [re.fullmatch(r".*:: 3\.(\d+)", line) for line in data["project"]["classifiers"]]
    minors = [int(found[1]) for found in named if found]
    readme, install = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/do/install.md"))
    supported = metadata("numba").get_all("Classifier", [])

    assert minors == list(range(minors[0], minors[-1] + 1))
    assert f">=3.{minors[0]}" == data["project"]["requires-python"]
    assert f"3.{minors[0]}" == data["tool"]["mypy"]["python_version"]
    assert f"Python 3.{minors[0]} to 3.{minors[-1]} with" in readme
    assert f"a `python3.{minors[0]}` to `python3.{minors[-1]}` on the path" in install
    assert [minor for minor in minors if f"Programming Language :: Python :: 3.{minor}" not in supported] == []


def test_setup_finds_no_other_python(tmp_path: Path) -> None:
    for name, minor in (("older", 10), ("newer", 15)):
        told = f"import sys; sys.version_info = (3, {minor}); exec(sys.argv[1])"
        (tmp_path / name).write_text(f"#!/bin/sh\nexec {sys.executable} -c '{told}' \"$2\"\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin", "PYTHON": "older newer missing"}
    done = subprocess.run(["sh", "scripts/setup"], cwd=ROOT, env=path, check=False, capture_output=True, text=True)

    assert 2 == done.returncode
    assert re.match(
        r"setup: entropeg needs one of the Pythons( 3\.\d+)+; found none under the names older newer", done.stderr
    )


def test_every_dependency_is_locked() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project, groups = data["project"], dict(data["dependency-groups"])
    del groups["quality"]  # tried now and then, in their newest versions
    several = [*project["optional-dependencies"].values(), *groups.values()]
    wanted = [*project["dependencies"], *(one for each in several for one in each if isinstance(one, str))]
    names = {re.match(r"[A-Za-z0-9._-]+", requirement)[0].lower() for requirement in wanted}  # type: ignore[index]

    assert names - {name for lock in LOCKS for name in locked(lock)} == set()


def test_numba_is_tested_at_both_ends_of_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [wanted] = [one for one in project["dependencies"] if one.startswith("numba")]
    least, ceiling = re.fullmatch(r"numba>=0\.(\d+),<0\.(\d+); .*", wanted).groups()  # type: ignore[union-attr]
    tested = [locked(lock)["numba"].split(".")[1] for lock in (OLDEST, ROOT / "requirements" / "dev.txt")]

    assert [least, str(int(ceiling) - 1)] == tested


def test_no_file_names_the_address_of_a_package_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {address}"
        for path in tracked_files()
        for text in [path.read_bytes().decode("utf-8", errors="ignore")]
        for address in ADDRESSES
        if address in text
    ]

    assert found == []


def test_no_lock_of_another_tool_is_in_the_repository() -> None:
    names = {path.name for path in tracked_files()}

    assert names & {"uv.lock", "package-lock.json", "yarn.lock", "poetry.lock", "Pipfile.lock"} == set()


AT_THE_ROOT = {
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    "CITATION.cff",
    "LICENSE",
    "LISEZMOI.md",
    "Makefile",
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "SECURITY.md",
    "pyproject.toml",
}


def test_no_stray_file_lies_at_the_root() -> None:
    """`PKG-INFO` is there in a source distribution only."""
    assert {path.name for path in tracked_files() if path.parent == ROOT} - AT_THE_ROOT - {"PKG-INFO"} == set()


# ------------------------------------------------------------------ what an import costs

# Libraries that make a start slow, or that come with an extra only.
HEAVY = {"numba", "llvmlite", "matplotlib", "polars", "dask", "distributed", "ortools"}
HEAVY |= {"fastapi", "starlette", "uvicorn", "pydantic", "cryptography", "platformdirs"}
STARTS = {"import entropeg": "import entropeg"}
if importlib.util.find_spec("entropeg.__main__"):
    for arguments in (["--help"], ["--version"]):
        STARTS[" ".join(["entropeg", *arguments])] = f"""
import runpy
sys.argv = {["entropeg", *arguments]!r}
try:
    runpy.run_module("entropeg", run_name="__main__", alter_sys=True)
except SystemExit as stop:
    assert not stop.code, stop.code
"""


@pytest.mark.parametrize("program", STARTS.values(), ids=STARTS.keys())
def test_a_start_loads_no_heavy_library(program: str) -> None:
    report = "import json\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    output = subprocess.run(
        [sys.executable, "-c", f"import sys\n{program}\n{report}"], check=True, capture_output=True, text=True
    ).stdout
    loaded = set(json.loads(output.splitlines()[-1]))

    assert "entropeg" in loaded
    assert loaded & HEAVY == set()


def test_the_top_of_the_package_offers_few_names_and_all_of_them_exist() -> None:
    entropeg = importlib.import_module("entropeg")
    names = list(getattr(entropeg, "__all__", []))

    assert len(names) <= 25
    assert len(names) == len(set(names))
    assert [name for name in names if not hasattr(entropeg, name)] == []


# ------------------------------------------------------------------ who may import whom


@cache
def floors() -> dict[str, int]:
    """Height of each room, read from the table in docs/architecture.md: 0 at the bottom."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| *(\d+) *\|([^|]*)\|", text, re.MULTILINE)
    return {room: int(floor) for floor, rooms in rows for room in re.findall(r"`([a-z_]+)/?`", rooms)}


def room_of(path: Path) -> str:
    """Room of a module file: its name, or that of the folder right under the package that holds it."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(tree: ast.AST, package: tuple[str, ...]) -> set[tuple[str, ...]]:
    r"""Dotted names that a module imports, at any depth in the file; `package` is what its dots refer to.

    >>> sorted(imported(ast.parse("import a.b\nfrom .c import d\ndef f(): from ..e import g"), ("x", "y")))
    [('a', 'b'), ('x', 'e', 'g'), ('x', 'y', 'c', 'd')]
    """
    names: set[tuple[str, ...]] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            names.update((*base, alias.name) for alias in node.names)
    return names


class Module(NamedTuple):
    """What is asked of a module of the package. Its tree is not kept: all of them are a million objects."""

    imports: set[tuple[str, ...]]
    long_functions: dict[str, int]
    names: tuple[list[str], list[str]]
    sentence: str | None


@cache
def read(path: Path) -> Module:
    package = ("entropeg", *path.relative_to(PACKAGE).parts[:-1])
    tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return Module(imported(tree, package), long_functions(tree), classes_and_types(tree), sentence_of(tree))


def imports_of(path: Path) -> set[tuple[str, ...]]:
    return read(path).imports


def inside(names: set[tuple[str, ...]]) -> set[str]:
    """What is imported from within the package: rooms, or names of its `__init__`."""
    return {name[1] for name in names if name[0] == "entropeg" and len(name) > 1}


ROOMED = [path for path in MODULES if path.parent != PACKAGE or path.name not in {"__init__.py", "__main__.py"}]


def test_every_module_has_a_floor_in_the_architecture_and_every_room_is_there_or_planned() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    planned = re.findall(r"^\| *\d+ *\|[^|]*\(([^|]*)\) *\|", text, re.MULTILINE)

    assert {room_of(path) for path in ROOMED} == set(floors()) - set(re.findall(r"[a-z_]+", " ".join(planned)))


def test_a_module_imports_only_from_its_own_floor_or_below() -> None:
    used = {str(path.relative_to(PACKAGE)): (room_of(path), inside(imports_of(path))) for path in ROOMED}
    strange = {name: rooms - set(floors()) for name, (_, rooms) in used.items()}
    above = {
        name: {room for room in rooms & set(floors()) if floors()[room] > floors()[own]}
        for name, (own, rooms) in used.items()
    }

    assert {} == {name: rooms for name, rooms in strange.items() if rooms}, "import from the room, not from entropeg"
    assert {} == {name: rooms for name, rooms in above.items() if rooms}


def test_dialogs_know_no_terminal() -> None:
    """Neither what they import themselves nor what comes along: a page without a terminal holds them, too."""
    dialogs = [path for path in ROOMED if room_of(path) == "sessions"]
    lines = [f"import {'.'.join(module_name(path))}; print({path.stem!r}, *sys.modules)" for path in dialogs]
    program = "\n".join(["import sys", *lines])
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    loaded = {name: set(names) for name, *names in map(str.split, told.splitlines())}

    assert len(dialogs) == len(loaded) > 5
    assert {} == {
        path.stem: found for path in dialogs if (found := {"click", "rich"} & {n[0] for n in imports_of(path)})
    }
    assert {} == {name: found for name, names in loaded.items() if (found := {"click", "rich", "entropeg.cli"} & names)}


def test_the_checker_of_proofs_shares_nothing_with_the_search() -> None:
    imports = {name for path in (PACKAGE / "check").glob("*.py") for name in imports_of(path)}
    compiler = {name for name in imports if name[:2] == ("entropeg", "kernels")}

    assert inside(imports) == {"check", "errors", "files", "kernels", "processes", "told"}
    assert {name[2] for name in compiler} == {"compile", "switch"}  # decorators, and whether there is a compiler


def test_an_import_from_above_would_be_noticed() -> None:
    tree = ast.parse("def f():\n    from ..cli import main\n    import entropeg.codes")

    assert inside(imported(tree, ("entropeg", "kernels"))) == {"cli", "codes"}


# ------------------------------------------------------------------ the shape of the house


Name = tuple[str, ...]

LONGEST = 80
"""Lines of a function from its `def` to its last line: docstring, comments and functions inside it included."""


def module_name(path: Path) -> Name:
    """Dotted name of a module file; that of a folder for its `__init__.py`."""
    parts = ("entropeg", *path.relative_to(PACKAGE).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


FILE_OF = {module_name(path): path for path in MODULES}


def home(name: Name, files: Mapping[Name, Path] = FILE_OF) -> Name:
    """Module that an imported name comes from: the name itself, where it is one; () for another package."""
    while name and name not in files:
        name = name[:-1]
    return name


def needs(module: Name, names: Iterable[Name], files: Mapping[Name, Path] = FILE_OF) -> set[Name]:
    """Modules that have to be loaded for what a module imports: the folders above them too, where it is outside.

    The folders that hold the importing module are loaded before it in any case.
    """
    found = {home(name, files) for name in names} - {()}
    folders = {name[:depth] for name in found for depth in range(2, len(name))}
    return found | {folder for folder in folders if module[: len(folder)] != folder} - {module}


def circles(graph: Mapping[Name, set[Name]]) -> list[set[Name]]:
    """Sets of modules each of which needs all the others.

    >>> circles({("a",): {("b",)}, ("b",): {("c",)}, ("c",): {("b",)}}) == [{("b",), ("c",)}]
    True
    """
    beyond: dict[Name, set[Name]] = {}
    for start in graph:
        waiting, seen = [start], set[Name]()
        while waiting:
            fresh = graph.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        beyond[start] = seen
    found: list[set[Name]] = []
    for name in sorted(graph):
        if name in beyond[name] and not any(name in circle for circle in found):
            found.append({other for other in graph if other in beyond[name] and name in beyond[other]})
    return found


def foreign_private(module: Name, names: Iterable[Name], files: Mapping[Name, Path] = FILE_OF) -> set[str]:
    """What a module imports although its name says that it is not for others.

    That is a private name of any other module, and a private module of another room; the rooms are the modules and
    folders right under the package.
    """
    found: set[str] = set()
    for name in names:
        if name[0] != "entropeg":
            continue
        for depth, part in enumerate(name):
            if part.startswith("_") and not part.startswith("__"):
                is_own = name[: depth + 1] in files and name[:2] == module[:2]
                found.update(() if is_own else [".".join(name[1:])])
    return found


def long_functions(tree: ast.AST) -> dict[str, int]:
    """Functions that are longer than `LONGEST`, and their lines."""
    lengths = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    return {name: length for name, length in lengths.items() if length > LONGEST}


def classes_and_types(tree: ast.Module) -> tuple[list[str], list[str]]:
    """Names of a module's classes, and those that it gives values at its top, all without marks of the private."""
    classes = [node.name.lstrip("_") for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    targets = [
        target
        for node in tree.body
        for target in getattr(node, "targets", None) or [getattr(node, "target", None)]
        if isinstance(target, ast.Name)
    ]
    return classes, [target.id.lstrip("_") for target in targets]


def shared_names(named: Mapping[str, tuple[list[str], list[str]]]) -> dict[str, list[str]]:
    """Names of classes, marked as private or not, that name another class or type too, and the modules that do so."""
    classes: dict[str, list[str]] = {}
    types: dict[str, list[str]] = {}
    for module, (of_classes, of_types) in named.items():
        for name in of_classes:
            classes.setdefault(name, []).append(module)
        for name in of_types:
            types.setdefault(name, []).append(module)
    found = {name: modules + types.get(name, []) for name, modules in classes.items()}
    return {name: modules for name, modules in found.items() if len(modules) > 1}


# What is not yet as it should be: to be taken out here as it is mended, which the tests ask for.


def sentence_of(tree: ast.Module) -> str | None:
    """First paragraph of the docstring of a module where it is one sentence: a line of three words or more."""
    first = (ast.get_docstring(tree) or "").partition("\n\n")[0]
    return first if re.fullmatch(r"(?!.*\. )\S+( \S+){2,}\.", first) else None


@cache
def needs_of_all() -> dict[Name, set[Name]]:
    """What every module needs."""
    return {name: needs(name, imports_of(path)) for name, path in FILE_OF.items()}


def rooms_in(folder: Name, graph: Mapping[Name, set[Name]]) -> dict[Name, set[Name]]:
    """What the modules and folders right under a folder need of one another; the folder itself only names them.

    >>> graph = {("x",): {("x", "a", "b")}, ("x", "a", "b"): {("x", "c", "d")}, ("x", "c", "e"): {("x", "a"), ("y",)}}
    >>> rooms_in(("x",), graph) == {("x", "a"): {("x", "c")}, ("x", "c"): {("x", "a")}}
    True
    """
    depth = len(folder) + 1
    found: dict[Name, set[Name]] = {}
    for name, others in graph.items():
        if len(name) >= depth and name[: depth - 1] == folder:
            inside_too = {other[:depth] for other in others if len(other) >= depth and other[: depth - 1] == folder}
            found.setdefault(name[:depth], set()).update(inside_too - {name[:depth]})
    return found


def test_no_modules_import_one_another_in_a_circle() -> None:
    """The package counts like any module: what it offers is below none of its rooms."""
    assert [] == circles(needs_of_all())


def test_no_rooms_import_one_another_in_a_circle() -> None:
    """Rooms are the modules and folders right under the package, or right under a folder of it."""
    folders = [name for name, path in FILE_OF.items() if path.name == "__init__.py"]
    found = {folder: circles(rooms_in(folder, needs_of_all())) for folder in folders}

    assert {} == {folder: some for folder, some in found.items() if some}


def test_no_function_is_longer_than_eighty_lines() -> None:
    found = {f"{path.relative_to(PACKAGE)} {function}" for path in MODULES for function in read(path).long_functions}

    assert set() == found


def test_no_module_imports_what_is_private_to_another() -> None:
    found = {
        f"{path.relative_to(PACKAGE)} {private}"
        for name, path in FILE_OF.items()
        for private in foreign_private(name, imports_of(path))
    }

    assert set() == found


def test_each_class_has_a_name_of_its_own() -> None:
    assert {} == shared_names({str(path.relative_to(PACKAGE)): read(path).names for path in MODULES})


def test_a_class_with_the_name_of_another_or_of_a_type_would_be_noticed() -> None:
    trees = {"a": ast.parse("class Node: ...\nclass Part: ..."), "b": ast.parse("class _Node: ...\nPart: Any = int")}
    named = {module: classes_and_types(tree) for module, tree in trees.items()}

    assert {"Node": ["a", "b"], "Part": ["a", "b"]} == shared_names(named)


def test_a_folder_has_one_sentence_for_all_its_modules() -> None:
    """Whether the sentence is true of them is for people to see."""
    said: dict[str | None, list[str]] = {}
    for folder in sorted({path.parent for path in MODULES}):
        file = folder / "__init__.py"
        said.setdefault(read(file).sentence if file.exists() else None, []).append(str(folder.relative_to(PACKAGE)))

    assert {} == {sentence: folders for sentence, folders in said.items() if sentence is None or len(folders) > 1}


def test_a_folder_without_a_sentence_would_be_noticed() -> None:
    texts = [
        '"""Draws all boards."""',
        '"""Boards.\n\nMore."""',
        '"""Draws boards. Also reads them."""',
        '"""Draws boards"""',
        "",
    ]

    assert ["Draws all boards.", None, None, None, None] == [sentence_of(ast.parse(text)) for text in texts]


def test_circles_private_imports_and_long_functions_would_be_noticed() -> None:
    lines = ["if TYPE_CHECKING:", "    from .b import _x", "def f():", "    from ..c import d", *["    ..."] * 79]
    tree = ast.parse("\n".join(lines))
    files = dict.fromkeys(
        [("entropeg", "a"), ("entropeg", "a", "b"), ("entropeg", "c"), ("entropeg", "c", "d")], PACKAGE
    )
    names = imported(tree, ("entropeg", "a"))

    assert set(files) - {("entropeg", "a")} == needs(("entropeg", "a"), names, files)
    assert {"a.b._x"} == foreign_private(("entropeg", "a"), names, files)
    assert {"f": 81} == long_functions(tree)


def test_the_version_stands_in_one_place_that_the_metadata_are_made_of() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / data["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")

    assert ["version"] == data["project"]["dynamic"]
    assert re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE) == [
        importlib.import_module("entropeg").__version__
    ]
