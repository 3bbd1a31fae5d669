"""The page of dependencies names what `pyproject.toml` and the lists of copied scripts name, and nothing else."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.+\|$", PAGE, re.MULTILINE)]


def direct() -> set[str]:
    """Packages that `pyproject.toml` names."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = data["project"]
    groups = [*project["optional-dependencies"].values(), *data["dependency-groups"].values()]
    lists = [data["build-system"]["requires"], project["dependencies"], *groups]
    named = (re.match(r"[\w.-]+", each) for every in lists for each in every if isinstance(each, str))
    return {found[0] for found in named if found}


def copied() -> set[str]:
    """Packages of which scripts are copied in, in the lists of those folders."""
    paths = [path for folder in ("src", "docs", "tests") for path in (ROOT / folder).rglob("VENDORED.md")]
    lists = [path.read_text(encoding="utf-8") for path in paths]
    return {name for text in lists for name in re.findall(r"^\| `[^`]+` \| ([\w@/-]+) \|", text, re.MULTILINE)}


def test_each_direct_dependency_and_copied_script_stands_on_the_page_once_and_nothing_else() -> None:
    named = [row[0] for row in ROWS if row[0] not in {"package", "script"} and not row[0].startswith("---")]

    assert sorted(direct() | copied()) == sorted(named)


def test_every_row_has_all_its_cells() -> None:
    assert {5} == {len(row) for row in ROWS}
    assert [row for row in ROWS if not all(row)] == []


def test_demo_and_serve_need_the_lock_of_runs_alone() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    needs = dict(re.findall(r"^(demo|serve|\.venv/\.run): (.+)$", makefile, re.MULTILINE))

    assert {".venv/.run"} == {needs["demo"], needs["serve"]}
    assert "requirements/run.txt pyproject.toml scripts/setup" == needs[".venv/.run"]
    assert "@sh scripts/setup requirements/run.txt\n" in makefile
