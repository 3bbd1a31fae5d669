"""Vendored libraries are the published files, each listed with its hash; a browser resolves, and foresees, imports."""

import hashlib
import os
import re
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "src" / "entropeg" / "web" / "static" / "vendor"
AXE = ROOT / "tests" / "vendor" / "axe"
MATHJAX = ROOT / "docs" / "_static" / "mathjax"
ROW = re.compile(
    r"^\| `([^`]+)` \| [\w-]+ \| \d+\.\d+\.\d+ \| `[^`]+` \| [\w.-]* ?\| `([0-9a-f]{64})` \|$", re.MULTILINE
)
OURS = {"VENDORED.md", "ui.js"}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("folder", [PAGE, AXE, MATHJAX], ids=["page", "axe", "mathjax"])
def test_each_vendored_file_is_listed_with_its_hash(folder: Path) -> None:
    listed = dict(ROW.findall((folder / "VENDORED.md").read_text(encoding="utf-8")))
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in OURS]
    found = {path.relative_to(folder).as_posix(): digest(path.read_bytes()) for path in files}

    assert listed == found
    assert any(name.startswith("LICENSE") for name in found)


def test_the_one_rewrite_is_the_one_that_is_described() -> None:
    text = (PAGE / "VENDORED.md").read_text(encoding="utf-8")
    published = (PAGE / "hooks.js").read_bytes().replace(b'from"./preact.js"', b'from"preact"', 1)

    assert f"As published, that file has the sha256 `{digest(published)}`." in text


@pytest.mark.parametrize("path", sorted(PAGE.glob("*.js")), ids=lambda path: path.name)
def test_a_module_imports_its_neighbors_alone(path: Path) -> None:
    sources = re.findall(r"""\b(?:from|import)\s*["']([^"']+)["']""", path.read_text(encoding="utf-8"))

    assert {source for source in sources if not (source.startswith("./") and (PAGE / source).is_file())} == set()


def test_the_wheel_holds_every_file_of_the_page() -> None:
    packed = {Path(file.path) for file in WheelBuilder(str(ROOT)).recurse_included_files()}

    assert {path for path in PAGE.parent.rglob("*") if path.is_file()} - packed == set()


IMPORTED = re.compile(r'^[^/\n]*?\b(?:from|import)\s*["\'](\.{1,2}/[^"\']+)["\']', re.MULTILINE)


def test_the_page_asks_at_once_for_all_modules_of_its_first_screen() -> None:
    page = (PAGE.parent / "index.html").read_text(encoding="utf-8")
    asked = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    found: set[str] = set()
    open_ = ["main.js", "screens/play.js"]
    while open_:
        module = open_.pop()
        if module not in found:
            found.add(module)
            text = (PAGE.parent / module).read_text(encoding="utf-8")
            open_ += [os.path.normpath(Path(module).parent / name) for name in IMPORTED.findall(text)]

    assert sorted(asked) == sorted(found)
