"""The programs that show the types of the public interface run, and type checkers are told every lazy name."""

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

import entropeg
from entropeg import search
from entropeg.kernels import switch

ROOT = next(folder for folder in Path(__file__).parents if (folder / "pyproject.toml").is_file())
PROGRAMS = sorted((ROOT / "tests" / "typing").glob("*.py"))


@pytest.fixture
def no_kernels() -> Iterator[None]:
    """Types are the same without kernels, and nothing is compiled."""
    before = switch.use("no")
    yield
    switch.use(before)


@pytest.mark.usefixtures("no_kernels")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_a_program_whose_types_are_checked_runs(program: Path) -> None:
    assert "Position" in runpy.run_path(str(program))


def test_there_are_programs_for_what_is_accepted_and_for_what_is_refused() -> None:
    refused = {program.stem: program.read_text(encoding="utf-8").count("# type: ignore[") for program in PROGRAMS}

    assert {"user_mistakes", "user_players", "user_results", "user_values"} == set(refused)
    assert [name for name, count in refused.items() if count] == ["user_mistakes"]
    assert refused["user_mistakes"] >= 30


def names_for_types(file: Path) -> set[str]:
    """Names that a module imports for type checkers alone."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [node for block in blocks for node in block.body if isinstance(node, ast.ImportFrom)]
    return {name.asname or name.name for node in imports for name in node.names}


def test_type_checkers_are_told_every_name_that_is_found_when_it_is_asked_for() -> None:
    assert names_for_types(Path(entropeg.__file__)) == set(dir(entropeg)) - {"__version__"}
    assert names_for_types(Path(search.__file__)) == {*search.__all__, "bounds"}


@pytest.mark.parametrize("module", [entropeg, search], ids=lambda module: module.__name__)
def test_type_checkers_see_no_function_that_would_find_any_name(module: object) -> None:
    tree = ast.parse(Path(vars(module)["__file__"]).read_text(encoding="utf-8"))

    assert [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "__getattr__"] == []
    assert not hasattr(module, "no_such_name")
