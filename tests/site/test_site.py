"""The folder that `entropeg site` writes: whole, with addresses of its own, and never over other files."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner

from entropeg.cli import group
from entropeg.errors import InputError
from entropeg.site import write_site
from entropeg.texts import LANGUAGES

MOST = 300_000
"""Bytes of a first visit, not compressed, beside what other screens load later."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    write_site(made, puzzles=1)
    return made


def test_the_page_answers_itself_and_names_no_other_place(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    named = re.findall(r'(?:href|src)="([^"#]+)"', page)

    assert '<meta name="entropeg" content="alone">' in page
    assert "wasm-unsafe-eval" in page
    assert [] == [name for name in named if name.startswith(("/", "http")) or not (folder / name).is_file()]
    assert ["icon.svg", "first.js"] == [name for name in dict.fromkeys(named) if name.count(".") == 1]
    script = (folder / "first.js").read_text(encoding="utf-8")
    assert [script.count(f'entropeg.give("facts.{language}", ') for language in LANGUAGES] == [1, 1]
    for language in LANGUAGES:
        texts = (folder / "local" / f"texts.{language}.js").read_text(encoding="utf-8")
        assert texts.startswith(f'entropeg.give("texts.{language}", {{')


def test_a_first_visit_is_three_files_of_less_than_300_kb(folder: Path) -> None:
    first = [folder / name for name in ("index.html", "first.js", "icon.svg")]

    assert sum(path.stat().st_size for path in first) < MOST


def test_the_style_within_the_page_is_the_one_that_its_policy_allows(folder: Path) -> None:
    page = (folder / "index.html").read_text(encoding="utf-8")
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = b64encode(sha256(style.encode()).digest()).decode()

    assert f"style-src 'self' 'sha256-{digest}';" in page
    assert "unsafe-inline" not in page


def test_the_service_worker_keeps_every_file_and_another_version_is_another_one(folder: Path, tmp_path: Path) -> None:
    kept = (folder / "service-worker.js").read_text(encoding="utf-8").splitlines()
    names = json.loads(kept[1].removeprefix("const FILES = ").removesuffix(";"))
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    write_site(tmp_path / "again", puzzles=1)
    write_site(tmp_path / "elsewhere", "https://example.org/pegs/", puzzles=1)

    assert files - {"index.html", "service-worker.js"} == set(names) - {"./"}
    assert kept[0] == (tmp_path / "again" / "service-worker.js").read_text(encoding="utf-8").splitlines()[0]
    assert kept[0] != (tmp_path / "elsewhere" / "service-worker.js").read_text(encoding="utf-8").splitlines()[0]
    assert "https://example.org/pegs/" in (tmp_path / "elsewhere" / "index.html").read_text(encoding="utf-8")


def test_a_page_is_written_over_itself_and_over_nothing_else(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "mine.txt").write_text("mine", encoding="utf-8")
    (tmp_path / "file").write_text("mine", encoding="utf-8")

    assert write_site(folder, puzzles=1).files == sum(path.is_file() for path in folder.rglob("*"))
    with pytest.raises(InputError, match="has other files: name a folder that is new or empty"):
        write_site(tmp_path / "letters")
    with pytest.raises(InputError, match="is a file: name a folder"):
        write_site(tmp_path / "file")
    with pytest.raises(InputError, match="cannot be written"):
        write_site(tmp_path / "file" / "below")
    assert ["mine.txt"] == [path.name for path in (tmp_path / "letters").iterdir()]


def test_the_documentation_lies_beside_the_page_where_it_was_built(tmp_path: Path) -> None:
    (tmp_path / "html" / "do").mkdir(parents=True)
    (tmp_path / "html" / "index.html").write_text("first", encoding="utf-8")
    (tmp_path / "html" / "do" / "page.html").write_text("page", encoding="utf-8")
    write_site(tmp_path / "site", puzzles=1, docs=tmp_path / "html")
    script = (tmp_path / "site" / "first.js").read_text(encoding="utf-8")

    assert (tmp_path / "site" / "docs" / "do" / "page.html").read_text(encoding="utf-8") == "page"
    assert '"docs":true' in script
    assert "docs/" not in (tmp_path / "site" / "service-worker.js").read_text(encoding="utf-8")
    with pytest.raises(InputError, match="has no built documentation"):
        write_site(tmp_path / "other", docs=tmp_path)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("url", ["example.org", "ftp://example.org", 'https://a"onload=', "javascript:alert(1)", ""])
def test_an_address_of_no_web_page_is_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(InputError, match="is none of the web"):
        write_site(tmp_path / "site", url)
    assert not (tmp_path / "site").exists()


def test_the_command_tells_what_it_wrote(tmp_path: Path) -> None:
    told = CliRunner().invoke(group, ["site", "--out", str(tmp_path / "site"), "--json"])
    said = json.loads(told.output)

    assert told.exit_code == 0
    assert said["files"] == sum(path.is_file() for path in (tmp_path / "site").rglob("*"))
    assert said["size"] == sum(path.stat().st_size for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert said["url"] is None
