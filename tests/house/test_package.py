"""The wheel: its size, what lies in it and what it asks for; and an upgrade, after which no compiled code is stale."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_bytes
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from test_repository import tracked_files

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

MOST = 3_000_000
"""Bytes that the wheel may have; the command that builds it for others holds the same."""

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def built(tree: Path, folder: Path, target: str = "wheel") -> Path:
    """Build the wheel of a source tree, or its source archive (`sdist`)."""
    pytest.importorskip("hatchling", reason="the wheel is NOT TESTED: the build backend is missing")
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    [file] = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """The wheel of this source tree."""
    return ZipFile(built(ROOT, tmp_path_factory.mktemp("dist")))


def test_the_wheel_is_small(wheel: ZipFile) -> None:
    assert wheel.filename is not None
    assert Path(wheel.filename).stat().st_size < MOST
    assert f"most={MOST}" in (ROOT / "scripts" / "package").read_text(encoding="utf-8")


def test_the_source_archive_holds_every_file_of_the_repository(tmp_path: Path) -> None:
    """But for those of continuous integration, of the place that hosts it, and of containers: they work where it is."""
    shutil.unpack_archive(built(ROOT, tmp_path / "dist", "sdist"), tmp_path / "unpacked")
    [top] = (tmp_path / "unpacked").iterdir()
    packed = {path.relative_to(top).as_posix() for path in top.rglob("*")}
    files = {path.relative_to(ROOT).as_posix() for path in tracked_files()}

    assert "examples/classroom/common.py" in files
    assert {name for name in files - packed if not name.startswith((".ci/", ".github/", ".devcontainer/"))} == set()


def test_the_package_is_in_the_wheel_and_nothing_else(wheel: ZipFile) -> None:
    source = ROOT / "src"
    there = (path for path in source.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    ours = {path.relative_to(source).as_posix() for path in there}
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert ours == packed


def test_a_bill_of_materials_lies_in_the_wheel_and_version_and_licenses_agree_with_it(wheel: ZipFile) -> None:
    [name] = [name for name in wheel.namelist() if "/sboms/" in name]
    version = importlib.import_module("entropeg").__version__
    whole = json.loads(wheel.read(name))["metadata"]["component"]
    told = message_from_bytes(wheel.read(f"entropeg-{version}.dist-info/METADATA"))

    assert f"entropeg-{version}.dist-info/sboms/entropeg.cdx.json" == name
    assert version == told["Version"] == whole["version"]
    assert [{"expression": told["License-Expression"]}] == whole["licenses"]


def test_numba_is_asked_for_everywhere_but_in_a_browser(wheel: ZipFile) -> None:
    [name] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    told = message_from_bytes(wheel.read(name))
    asked = [text for text in told.get_all("Requires-Dist", []) if "extra ==" not in text]

    assert ["click", "numba", "numpy", "rich"] == sorted(re.match(r"[\w-]+", text)[0] for text in asked)  # type: ignore[index]
    assert [text for text in asked if text.startswith("numba") and text.endswith("sys_platform != 'emscripten'")]
    assert set(PROJECT["project"]["optional-dependencies"]) == set(told.get_all("Provides-Extra", []))


def test_groups_hold_what_work_on_the_project_needs_and_include_one_another() -> None:
    groups = PROJECT["dependency-groups"]
    included = {one["include-group"] for group in groups.values() for one in group if isinstance(one, dict)}

    assert included <= set(groups)
    assert {"dev", "docs", "test", "lint"} <= set(groups)
    assert set(groups) & set(PROJECT["project"]["optional-dependencies"]) == set()


KERNEL = """
from entropeg.kernels._tried_constant import TRIED
from entropeg.kernels.compile import kernel


@kernel
def tried() -> int:
    return TRIED
"""

RUN = """
from entropeg.kernels import _tried
print(_tried.__file__, _tried.tried(), sum(_tried.tried.stats.cache_hits.values()))
"""


def test_after_an_upgrade_no_kernel_runs_the_code_of_before(tmp_path: Path) -> None:
    """A constant changes in another file of the kernel; sizes and times of the files stay the same."""
    tree, site = tmp_path / "tree", tmp_path / "site"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tree / "scripts").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/sbom.py"):
        shutil.copy(ROOT / name, tree / name)
    kernels = tree / "src" / "entropeg" / "kernels"
    (kernels / "_tried.py").write_text(KERNEL, encoding="utf-8")

    def upgraded(value: int) -> None:
        (kernels / "_tried_constant.py").write_text(f"TRIED = {value}\n", encoding="utf-8")
        with ZipFile(built(tree, tmp_path / f"dist{value}")) as archive:
            archive.extractall(site)
        for path in site.rglob("*.py"):
            os.utime(path, (10**9, 10**9))

    def ran() -> list[str]:
        # Python itself goes by times and sizes: it keeps nothing here. Kernels are kept beside their source.
        environment = {**os.environ, "PYTHONPATH": str(site), "ENTROPEG_KERNELS": "always"}
        environment.pop("NUMBA_CACHE_DIR", None)
        command = [sys.executable, "-B", "-c", RUN]
        done = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True, env=environment)
        return done.stdout.split()

    upgraded(5)
    place = str(site / "entropeg" / "kernels" / "_tried.py")
    assert [place, "5", "0"] == ran()
    assert [place, "5", "1"] == ran()
    upgraded(6)
    assert [place, "6", "0"] == ran()
