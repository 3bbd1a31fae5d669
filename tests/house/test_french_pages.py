"""The pages in French: nothing is missing, doubtful or of an older page, and each leads to the same in English."""

import re
import subprocess
import sys
from pathlib import Path
from posixpath import normpath
from types import SimpleNamespace

import languages
import pytest


@pytest.mark.parametrize("page", languages.WHOLE)
def test_a_page_that_is_whole_has_every_paragraph_in_french(page: str) -> None:
    assert languages.missing(page) == []
    assert languages.faults(page) == []


def test_every_french_page_is_called_whole() -> None:
    files = languages.CATALOGS.rglob("*.po")

    assert sorted(languages.WHOLE) == sorted(
        file.relative_to(languages.CATALOGS).with_suffix("").as_posix() for file in files
    )


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page of two paragraphs, whose French is in the file beside it."""
    monkeypatch.setattr(languages, "DOCS", tmp_path)
    monkeypatch.setattr(languages, "CATALOGS", tmp_path)
    (tmp_path / "a.po").write_text(
        'msgid "One `x`."\nmsgstr "Un `x`."\n\nmsgid "[Two](b.md)"\nmsgstr "[Deux](b.md)"\n', encoding="utf-8"
    )
    (tmp_path / "a.md").write_text("One\n`x`.\n\n[Two](b.md)\n\n```python\nthree = 3\n```\n", encoding="utf-8")
    return tmp_path / "a.md"


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_whole_page_has_nothing_to_mend(page: Path) -> None:
    assert [] == languages.missing(page.stem) + languages.faults(page.stem)


def test_a_paragraph_that_has_changed_lacks_its_french_and_leaves_the_old_one_behind(page: Path) -> None:
    changed(page, "One", "Once")

    assert ["Once `x`."] == languages.missing("a")
    assert ["not on the page: 'One `x`.'"] == languages.faults("a")


def test_doubtful_french_is_missing(page: Path) -> None:
    changed(page.with_suffix(".po"), 'msgid "One', '#, fuzzy\nmsgid "One')

    assert ["One `x`."] == languages.missing("a")


def test_french_that_is_put_away_is_told(page: Path) -> None:
    changed(page.with_suffix(".po"), "\n\nmsgid", '\n\n#~ msgid "Four"\n#~ msgstr "Quatre"\n\nmsgid')

    assert ["not on the page: 'Four'"] == languages.faults("a")


@pytest.mark.parametrize(("old", "new"), [("Un `x`", "Un `y`"), ("[Deux](b.md)", "[Deux](c.md)"), ("Un `x`", "Un x")])
def test_code_and_links_are_taken_over(page: Path, old: str, new: str) -> None:
    changed(page.with_suffix(".po"), old, new)

    assert [] == languages.missing("a")
    assert 1 == len(languages.faults("a"))


def test_a_paragraph_that_a_merge_has_left_twice_is_told(page: Path) -> None:
    changed(page.with_suffix(".po"), "\n\nmsgid", '\n\nmsgid "One `x`."\nmsgstr "Une fois `x`."\n\nmsgid')

    assert ["twice: 'One `x`.'"] == languages.faults("a")


def test_french_that_begins_as_a_list_is_told(page: Path) -> None:
    changed(page.with_suffix(".po"), "Un `x`", "1. Un `x`")

    assert ["no paragraph: '1. Un `x`.'"] == languages.faults("a")


def test_what_is_missing_is_printed_to_be_pasted(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(page, "One", "Once")

    assert 2 == languages.main(["a"])
    assert 'msgid "Once `x`."\nmsgstr ""' in capsys.readouterr().out


def test_the_command_needs_no_path_and_finds_nothing_to_mend() -> None:
    done = subprocess.run([sys.executable, languages.__file__], check=False, capture_output=True, text=True)

    assert (0, "", "") == (done.returncode, done.stdout, done.stderr)


def test_a_code_block_is_never_asked_for() -> None:
    asked = [
        text
        for page in languages.WHOLE
        for text in languages.paragraphs((languages.DOCS / f"{page}.md").read_text("utf-8"))
    ]

    assert [] == [text for text in asked if "$ entropeg" in text or ">>>" in text]


@pytest.mark.parametrize("page", ["index", "do/page", "learn/notebooks/lesson"])
def test_the_way_to_the_other_language_leads_to_the_same_page_and_back(page: str) -> None:
    def led(line: str) -> str:
        found = re.search('href="([^"]+)"', line)
        assert found is not None
        return found[1]

    root = Path("/site")
    english, french = root / f"{page}.html", root / "fr" / f"{page}.html"

    assert french == Path(normpath(english.parent / led(languages.switch(page, "en"))))
    assert english == Path(normpath(french.parent / led(languages.switch(page, "fr"))))


def test_a_page_that_is_not_whole_says_so_in_french() -> None:
    assert "pas encore traduite" in languages.switch("nowhere", "fr")
    assert "pas encore traduite" not in languages.switch(languages.WHOLE[0], "fr")
    assert "pas encore traduite" not in languages.switch("learn/notebooks/lecon", "fr")


@pytest.mark.parametrize(
    ("page", "language", "spoken"),
    [
        ("do/page", "en", None),
        ("do/page", "fr", None),
        ("nowhere", "en", None),
        ("nowhere", "fr", "en"),
        ("learn/notebooks/lecon", "en", "fr"),
        ("learn/notebooks/lecon", "fr", None),
    ],
)
def test_a_page_in_the_other_language_of_its_site_says_which(page: str, language: str, spoken: str | None) -> None:
    app = SimpleNamespace(config=SimpleNamespace(language=language), builder=SimpleNamespace(name="html"))
    context = {"body": "<h1>A</h1>"}
    languages.add_switch(app, page, "page.html", context, object())
    _, _, body = context["body"].partition("</p>")

    assert body == (f'<div lang="{spoken}"><h1>A</h1></div>' if spoken else "<h1>A</h1>")
