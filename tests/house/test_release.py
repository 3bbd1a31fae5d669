"""A release is refused in a sentence for each thing that is not in order, and its files are the same twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import entropeg
from entropeg.cli import group
from entropeg.upkeep import examine

sbom = pytest.importorskip("sbom", reason="releases are NOT TESTED: the build backend is missing")
release = pytest.importorskip("release", reason="releases are NOT TESTED: the build backend is missing")

ROOT = Path(__file__).parent.parent.parent
VERSION = entropeg.__version__
COMMITTER = {f"GIT_{who}_{what}": "somebody" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
NEEDED = ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "scripts/sbom.py", "src/entropeg/__init__.py")


def git(tree: Path, *words: str) -> str:
    return str(release.git(tree, *words))


def committed(tree: Path) -> None:
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--message", "A change")
    release.note_that_the_suite_begins(tree)
    release.note_that_the_suite_passed(tree)


@pytest.fixture(scope="module")
def in_order(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tree, committed, of which a release can be made."""
    tree = tmp_path_factory.mktemp("release") / "tree"
    for name in (*release.PLACES, *NEEDED):
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    shutil.copytree(ROOT / sbom.VENDOR, tree / sbom.VENDOR)
    (tree / "changes").mkdir()
    (tree / "changes" / "README.md").touch()
    (tree / ".gitignore").write_text("build/\ndist/\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        for name, value in COMMITTER.items():
            patch.setenv(name, value)
        git(tree, "init", "--quiet")
        committed(tree)
    return tree


@pytest.fixture
def tree(in_order: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for name, value in COMMITTER.items():
        monkeypatch.setenv(name, value)
    return shutil.copytree(in_order, tmp_path / "tree")


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")

    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_nothing_is_refused_where_all_is_in_order(tree: Path) -> None:
    assert release.complaints(tree) == []


def test_a_tree_that_is_not_clean_is_refused(tree: Path) -> None:
    (tree / "forgotten.py").touch()

    assert release.complaints(tree) == ["The tree is not clean: commit or remove forgotten.py."]


def test_a_place_that_names_another_version_is_refused(tree: Path) -> None:
    replace(tree / "CITATION.cff", f"version: {VERSION}", "version: 98.0.0")
    committed(tree)

    assert release.complaints(tree) == [f"CITATION.cff names 98.0.0, where {release.VERSION} says {VERSION}."]


def opened(tree: Path) -> str:
    replace(tree / "CHANGELOG.md", f"## {VERSION} – ", "## next – ")
    return "The newest part of CHANGELOG.md is «next – "


def of_another_day(tree: Path) -> str:
    replace(tree / "CITATION.cff", "date-released: 20", "date-released: 19")
    return f"CITATION.cff dates {VERSION} 19"


def with_a_fragment(tree: Path) -> str:
    (tree / "changes" / "+shapes.added.md").write_text("Shapes.\n", encoding="utf-8")
    return "Fragments are left in changes/, which belong into CHANGELOG.md: +shapes.added.md."


@pytest.mark.parametrize("done", [opened, of_another_day, with_a_fragment])
def test_a_changelog_that_is_not_closed_is_refused(tree: Path, done: Callable[[Path], str]) -> None:
    wanted = done(tree)
    committed(tree)
    [sentence] = release.complaints(tree)

    assert sentence.startswith(wanted)


def test_a_tag_that_exists_is_refused(tree: Path) -> None:
    git(tree, "tag", f"v{VERSION}")
    [sentence] = release.complaints(tree)

    assert sentence.startswith(f"There is a tag v{VERSION} already")


def test_a_commit_on_which_the_suite_has_not_passed_is_refused(tree: Path) -> None:
    (tree / "README.md").touch()
    git(tree, "commit", "--quiet", "--allow-empty", "--message", "Words alone")
    assert release.complaints(tree) == []

    replace(tree / "README.md", "# entropeg", "# Entropeg")
    release.note_that_the_suite_begins(tree)
    release.note_that_the_suite_passed(tree)
    git(tree, "commit", "--quiet", "--all", "--message", "A change that no test has seen")
    [sentence] = release.complaints(tree)
    assert sentence.startswith("The suite has not passed on this commit")


def test_a_release_is_the_same_twice_and_is_tagged_where_that_is_wanted(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files, differing = release.built_twice(tree)
    assert differing == []
    assert [f"entropeg-{VERSION}-py3-none-any.whl", f"entropeg-{VERSION}.tar.gz"] == sorted(files)

    monkeypatch.setattr(release, "built_twice", lambda _: (files, []))
    assert release.release(tree, is_tagging=False) == 0
    assert git(tree, "tag") == ""
    assert {path.name for path in (tree / "dist").iterdir()} == set(files)

    assert release.release(tree, is_tagging=True) == 0
    assert git(tree, "cat-file", "-t", f"v{VERSION}") == "tag"
    told = capsys.readouterr().out
    assert all(name in told for name in (*files, "numba", "preact", "Copyleft", "attestations"))

    assert release.release(tree, is_tagging=True) == 1
    assert "REFUSED. There is a tag" in capsys.readouterr().err


def test_a_file_that_is_not_the_same_twice_is_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "build", lambda _, folder, *__: {"same": b"1", "a.whl": folder.name.encode()})

    assert release.built_twice(tree)[1] == ["a.whl is not the same twice."]


# ------------------------------------------------------------------ versions and licenses of this tree


def test_every_place_of_this_tree_names_one_version() -> None:
    assert [*release.versions_that_differ(ROOT)] == []
    assert "\nrelease = version = entropeg.__version__\n" in (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    assert str(examine(is_tested=False).findings[0].says).startswith(f"{VERSION}, in ")


def test_the_command_line_names_the_version() -> None:
    assert CliRunner().invoke(group, ["--version"]).output == f"entropeg, version {VERSION}\n"


def test_what_is_shipped_and_what_it_needs_to_run_is_under_no_copyleft() -> None:
    rows = [*release.licenses(ROOT)]
    run = {place for place, _, _ in rows if place == "always" or place.startswith(("extra ", "src/"))}

    assert {"always", "extra web", "extra cluster", sbom.VENDOR} <= run
    assert [row for row in rows if row[0] in run and release.COPYLEFT.search(row[2])] == []
    assert [name for place, name, text in rows if place == "tests/vendor/axe" and release.COPYLEFT.search(text)]
