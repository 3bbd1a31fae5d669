"""Fragments of the changelog: each is well-named, says a sentence, and finds its way into the next release."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "changes"
TYPES = [
    each["directory"]
    for each in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]["type"]
]
NAME = re.compile(rf"(\d+|\+[a-z0-9]+(-[a-z0-9]+)*)\.({'|'.join(TYPES)})\.md")
SENTENCE = re.compile(r"[A-Z`*«0-9].*[.:`)]", re.DOTALL)


def complaints(folder: Path) -> list[str]:
    """What is wrong with the fragments in a folder, a line each."""
    found = []
    for path in sorted(each for each in folder.iterdir() if each.name != "README.md"):
        text = path.read_text(encoding="utf-8").strip()
        if not NAME.fullmatch(path.name):
            found.append(f"{path.name} is not named as 12.fixed.md or +a-few-words.added.md")
        if not SENTENCE.fullmatch(text) or "\n\n" in text or text.startswith("- "):
            found.append(f"{path.name} does not hold a sentence or two, without a dash before them")
    return found


def test_every_fragment_is_well_named_and_says_a_sentence() -> None:
    assert complaints(FOLDER) == []


@pytest.mark.parametrize(
    ("name", "text", "wrong"),
    [
        ("12.fixed.md", "A sentence.", 0),
        ("+a-few-words.added.md", "`play` does\nmore.", 0),
        ("a-few-words.added.md", "A sentence.", 1),
        ("12.mended.md", "A sentence.", 1),
        ("12.fixed.rst", "A sentence.", 1),
        ("12.fixed.md", "- A line of a list.", 1),
        ("12.fixed.md", "", 1),
        ("12.fixed.md", "One.\n\nAnother.", 1),
    ],
)
def test_a_fragment_that_is_wrong_is_noticed(tmp_path: Path, name: str, text: str, wrong: int) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert len(complaints(tmp_path)) == wrong


def test_the_page_on_fragments_explains_every_type() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| `(\w+)` \| \w", text, re.MULTILINE) == TYPES


def test_fragments_become_the_newest_part_of_the_changelog(tmp_path: Path) -> None:
    main = pytest.importorskip("towncrier._shell", reason="fragments are NOT TRIED: towncrier is missing").cli
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "+a-few-words.added.md").write_text("Something.\n", encoding="utf-8")
    (tmp_path / "changes" / "12.fixed.md").write_text("Something else.\n", encoding="utf-8")
    before = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    asked = ["build", "--yes", "--dir", str(tmp_path), "--version", "99.0.0", "--date", "2099-01-31"]
    done = CliRunner().invoke(main, asked)
    after = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    new = "## 99.0.0 – 2099-01-31\n\n### Added\n\n- Something.\n\n### Fixed\n\n- Something else. (#12)\n"

    assert done.exit_code == 0, done.output
    assert [*after.partition(new)[::2]] == [
        before.partition("## ")[0],
        "\n\n" + "".join(before.partition("## ")[1:]),
    ]
    assert [*(tmp_path / "changes").iterdir()] == []
