"""Translators' files are whole, faults are told with their line, and a language costs no more than that."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from make_texts import (
    IN_PYTHON,
    SOURCES,
    compiled,
    joined,
    main,
    read,
    read_file,
    said_in_library,
    said_on_page,
    without,
)

from entropeg.cli import group
from entropeg.errors import EntropegError, InputError
from entropeg.texts import LANGUAGES, page_texts, say, say_all, speaking
from entropeg.texts.languages import TEXTS
from entropeg.told import Told, names_of, plural, word

NAMES = ("projets and tests", "and", "3 pegs", "Only one code is left.")
"""Names of folders, players and files that look like sentences, or like parts of one."""


@pytest.fixture(scope="module")
def library() -> Catalog:
    return said_in_library()


@pytest.fixture(scope="module")
def page() -> Catalog:
    return said_on_page()


@pytest.fixture(scope="module")
def french() -> tuple[Catalog, list[str]]:
    return joined([read_file(path, "fr") for path in sorted((TEXTS / "fr").glob("*.po"))], "fr")


@pytest.fixture(scope="module")
def french_page() -> tuple[Catalog, list[str]]:
    return joined([read_file(path, "fr") for path in sorted((TEXTS / "fr" / "page").glob("*.po"))], "fr")


def listed(said: Catalog) -> list[Any]:
    return [message.id for message in said if message.id]


def test_every_sentence_of_the_library_has_french(library: Catalog, french: tuple[Catalog, list[str]]) -> None:
    assert len(listed(library)) > 2500
    assert listed(without(library, french[0])) == []


def test_every_text_of_the_page_has_french(page: Catalog, french_page: tuple[Catalog, list[str]]) -> None:
    assert len(listed(page)) > 700
    assert listed(without(page, french_page[0])) == []


def test_no_translation_is_left_of_a_text_that_nobody_says(
    library: Catalog, page: Catalog, french: tuple[Catalog, list[str]], french_page: tuple[Catalog, list[str]]
) -> None:
    assert [*listed(without(french[0], library)), *listed(without(french_page[0], page))] == []


def test_every_entry_is_translated_once_with_the_fields_of_the_english(
    french: tuple[Catalog, list[str]], french_page: tuple[Catalog, list[str]]
) -> None:
    assert [*french[1], *french_page[1]] == []


def test_the_committed_catalogues_are_what_the_files_of_translators_give(
    french: tuple[Catalog, list[str]], french_page: tuple[Catalog, list[str]]
) -> None:
    for ending, content in compiled(french[0], french_page[0]).items():
        assert (TEXTS / f"fr.{ending}").read_bytes() == content, "run make texts"


def test_names_come_through_every_sentence_as_they_are(library: Catalog) -> None:
    """What is typed, and what a folder, a player or a file is called, is no word of a language."""
    checked = 0
    for message in library:
        for template in [message.id] if isinstance(message.id, str) else list(message.id or ()):
            many = message.id[1] if message.pluralizable else ""
            for name in NAMES:
                fields = dict.fromkeys(names_of(template), name) | ({"n": 5} if many else {})
                said = say(Told.of(template, fields, many, message.context or ""), "fr")
                if said != Told.of(template, fields, many) and name in said:
                    checked += 1
                assert fields.keys() <= {"n"} or name in said or "|" in template, (template, said)
    assert checked > 5000


# ------------------------------------------------------------ what is read


def test_calls_on_the_page_are_read_whatever_its_templates_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "web" / "static" / "module.js"
    path.parent.mkdir(parents=True)
    monkeypatch.setattr("make_texts.PACKAGE", tmp_path)
    path.write_text(
        'location.hash = `#/${screen === "a" ? "b" : c}`;\nconst a = t("one {n}", { n: `${t("two")}/${1 / 2}` });\n'
        'const b = html`<p title="a/b" class=${`x/${c}`}>${tn("{n} peg", "{n} pegs", 3)} t("no call")</p>`;\n'
        '// t("no call either")\nconst c = /t\\("nor this/.test(a) ? t("three") : b < c && t("four");\n',
        encoding="utf-8",
    )

    assert [("{n} peg", "{n} pegs"), "four", "one {n}", "three", "two"] == sorted(
        (message.id for message in said_on_page.__wrapped__() if message.id), key=str
    )


def test_calls_that_make_sentences_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        'raise InputError("{code!r} has " "{pegs} pegs", code, pegs)\n'
        'plural(n, "{n} peg", "{n} pegs")\nword("mark", "best")\nTold("it is {a}", a)\n'
        'arguments.whole(games, "the number of games")\nprint("no sentence")\nf"{a} no sentence either"\n',
        encoding="utf-8",
    )
    monkeypatch.setattr("make_texts.PACKAGE", tmp_path)
    found = Catalog()
    read(path, found)

    assert [(message.id, message.context) for message in found if message.id] == [
        ("{code!r} has {pegs} pegs", None),
        (("{n} peg", "{n} pegs"), None),
        ("best", "mark"),
        ("it is {a}", None),
        ("the number of games", None),
    ]


def calls() -> Iterator[tuple[str, str, list[str], int]]:
    """Calls that fill a template: place, name, templates and number of values, where all of it is written out."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if isinstance(node, ast.Call) and called in {"Told", "plural", "InputError", "EntropegError"}:
                texts = node.args[1:3] if called == "plural" else node.args[:1]
                values = node.args[3:] if called == "plural" else node.args[1:]
                starred = [each.value for each in values if isinstance(each, ast.Starred)]
                listed = [each for each in starred if isinstance(each, ast.Tuple)]
                count = len(values) - len(starred) + sum(len(each.elts) for each in listed) + len(node.keywords)
                templates = [str(each.value) for each in texts if isinstance(each, ast.Constant)]
                if len(templates) == len(texts) and len(listed) == len(starred) and all(k.arg for k in node.keywords):
                    yield f"{path.name}:{node.lineno}", called, templates, count


def test_every_field_has_its_value() -> None:
    found = list(calls())
    wrong = []
    for place, called, templates, count in found:
        names = {name for template in templates for name in names_of(template) if name != "n" or called != "plural"}
        if count != len(names) and (count or called == "plural"):  # a text without values is a text as it is
            wrong.append((place, templates, count))

    assert len(found) > 1500
    assert wrong == []


def test_every_error_of_the_library_is_read() -> None:
    every = [EntropegError]
    for kind in every:
        every += kind.__subclasses__()

    assert len(every) > 10
    assert {kind.__name__ for kind in every if kind.__module__.startswith("entropeg.")} <= IN_PYTHON.keys()


# ------------------------------------------------------------ what is wrong

HEAD = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
GOOD = 'msgid "the weather"\nmsgstr "le temps"\n\n'


def faults(folder: Path, *entries: str) -> list[str]:
    """What is said of a translators' file of these entries."""
    (folder / "fr").mkdir(exist_ok=True)
    path = folder / "fr" / "room.po"
    path.write_text(HEAD + GOOD + "".join(entries), encoding="utf-8")
    return joined([read_file(path, "fr")], "fr")[1]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('msgid "{n} a"\nmsgstr "{m} a"\n', "room.po:7: '{n} a' has the fields ['n'], and its translation ['m']"),
        ('msgid "{n} a"\nmsgstr "a"\n', "room.po:7: '{n} a' has the fields ['n'], and its translation []"),
        ('msgid "b"\nmsgstr ""\n', "room.po:7: 'b' has no translation"),
        (
            'msgid "{n} a"\nmsgid_plural "{n} as"\nmsgstr[0] "{n} a"\n',
            "room.po:7: '{n} a' has no translation for each number of things",
        ),
        ('#, fuzzy\nmsgid "b"\nmsgstr "c"\n', "room.po:8: 'b' is marked fuzzy"),
    ],
)
def test_faults_of_entries_are_told_with_file_and_line(entry: str, fault: str, tmp_path: Path) -> None:
    assert faults(tmp_path) == []
    assert faults(tmp_path, entry) == [fault]


def test_two_files_that_differ_are_told(tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    for name, french in (("one", "le temps"), ("two", "la durée")):
        text = f'{HEAD}msgid "the weather"\nmsgstr "{french}"\n'
        (tmp_path / "fr" / f"{name}.po").write_text(text, encoding="utf-8")
    files = [read_file(path, "fr") for path in sorted((tmp_path / "fr").glob("*.po"))]

    assert joined(files, "fr")[1] == ["two.po:4: 'the weather' is translated otherwise at one.po:4"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ((HEAD + GOOD).encode() + b'msgid "b"\nmsgstr "\xe9t\xe9"\n', "room.po, line 8: this is no text in UTF-8"),
        ((HEAD + GOOD + "nonsense\n").encode(), "room.po, line 7: "),
        ((HEAD + GOOD + 'msgid "b\n').encode(), "room.po, line 7: "),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_line(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    (tmp_path / "fr" / "room.po").write_bytes(content)

    with pytest.raises(InputError, match=f"^{re.escape(said)}"):
        read_file(tmp_path / "fr" / "room.po", "fr")


def test_a_language_may_have_more_forms_than_two(tmp_path: Path) -> None:
    path = tmp_path / "page.po"
    forms = "".join(f'msgstr[{form}] "{{n}} {form}"\n' for form in range(3))
    path.write_text(f'{HEAD}msgid "{{n}} code"\nmsgid_plural "{{n}} codes"\n{forms}', encoding="utf-8")

    assert joined([read_file(path, "ru")], "ru")[1] == []


def test_the_tool_tells_what_is_missing_as_an_entry_to_paste(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faults(tmp_path)

    assert main(tmp_path) == 1
    told = capsys.readouterr().out
    assert 'msgid "there is no language {language!r}: it is {languages:or}"\nmsgstr ""' in told
    assert "room.po:4: 'the weather' is said by nobody" in told
    assert (tmp_path / "fr.mo").exists()


# ------------------------------------------------------------ at run time


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of catalogues of the test's own."""
    monkeypatch.setattr(speaking, "TEXTS", tmp_path)
    monkeypatch.setattr("entropeg.texts.languages.LANGUAGES", ("en", "fr", "de"))
    speaking.catalogue.cache_clear()
    yield tmp_path
    speaking.catalogue.cache_clear()


@pytest.mark.parametrize("damage", [b"", b"nonsense", None, 20, 400, -1])
def test_a_damaged_catalogue_says_english_and_raises_nothing(damage: bytes | int | None, elsewhere: Path) -> None:
    whole = (TEXTS / "fr.mo").read_bytes()
    if damage is not None:
        (elsewhere / "fr.mo").write_bytes(damage if isinstance(damage, bytes) else whole[:damage])

    assert say(Told("{n} {what}", 1.5, plural(2, "{n} code", "{n} codes")), "fr") == "1.5 2 codes"


def test_fields_that_a_sentence_has_not_leave_it_english(elsewhere: Path) -> None:
    faults(elsewhere, 'msgid "{n} of {m}"\nmsgstr "{n} de {x}"\n')
    every, _ = joined([read_file(elsewhere / "fr" / "room.po", "fr")], "fr")
    (elsewhere / "fr.mo").write_bytes(compiled(every, Catalog(locale="fr"))["mo"])

    assert say(Told("{n} of {m}", 1.5, Told("the weather")), "fr") == "1.5 of the weather"
    assert say(Told("the weather"), "fr") == "le temps"


GERMAN = """
msgid "Only one code is left."
msgstr "Nur ein Code ist noch möglich."

msgid "{n} code"
msgid_plural "{n} codes"
msgstr[0] "{n} Code"
msgstr[1] "{n} Codes"

msgid "{n} peg"
msgid_plural "{n} pegs"
msgstr[0] "{n} Stift"
msgstr[1] "{n} Stifte"

msgid "{n} guess"
msgid_plural "{n} guesses"
msgstr[0] "{n} Versuch"
msgstr[1] "{n} Versuche"

msgid "there is no language {language!r}: it is {languages:or}"
msgstr "die Sprache {language} gibt es nicht: es ist {languages}"

msgctxt "list"
msgid " or "
msgstr " oder "

msgctxt "number"
msgid ","
msgstr "."

msgctxt "number"
msgid "."
msgstr ","

msgctxt "number"
msgid "about "
msgstr "etwa "

msgid "row {number}: {error}"
msgstr "Zeile {number}: {error}"
"""
"""Ten sentences: words, plurals, a list, numbers, a sentence in a sentence."""


def test_a_language_costs_its_translations_and_nothing_more(
    elsewhere: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (elsewhere / "de").mkdir()
    (elsewhere / "de" / "first.po").write_text(HEAD + GERMAN, encoding="utf-8")

    assert main(elsewhere) == 1  # all others are missing, and are printed as entries
    assert "is said by nobody" not in capsys.readouterr().out
    assert say(Told("Only one code is left."), "de") == "Nur ein Code ist noch möglich."
    codes = [say(plural(n, "{n} code", "{n} codes"), "de") for n in (1, 1296, 10**30)]
    assert codes == ["1 Code", "1.296 Codes", "etwa 10^30 Codes"]
    refusal = str(InputError("there is no language {language!r}: it is {languages:or}", "xx", ["en", "fr", "de"]))
    assert (
        say(Told("row {number}: {error}", 3, refusal), "de")
        == "Zeile 3: die Sprache 'xx' gibt es nicht: es ist en, fr oder de"
    )
    assert say(Told("the weather"), "de") == "the weather"


def test_a_language_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="there is no language 'de': it is en or fr"):
        say(Told("the weather"), "de")


def test_english_is_what_is_written_and_needs_no_catalogue() -> None:
    assert LANGUAGES == ("en", "fr")
    [option] = [each for each in group.params if "--lang" in each.opts]
    assert option.metavar == "|".join(LANGUAGES)
    assert say(word("mark", "best"), "en") == "best"
    assert page_texts("en") == {}


def test_sentences_in_data_are_said_wherever_they_stand() -> None:
    data = {
        "rules": "4x6",
        "says": [Told("Only one code is left."), {"error": plural(2, "{n} peg", "{n} pegs")}],
        "n": 3,
    }

    assert say_all(data, "fr") == {"rules": "4x6", "says": ["Il ne reste qu’un code.", {"error": "2 pions"}], "n": 3}
    assert say_all(data, "en") == data


CALLED = re.compile(r'(?<![\w.$])(tn?)\((?:("(?:[^"\\]|\\.)*")\s*([^\s]))?')
"""A call that makes a text of the page, the text if it is written out, and what stands behind it."""


@pytest.mark.parametrize("wrong", ["t(name)", "t(`a ${b}`)", "tn(one, many, n)", "x = t( name)"])
def test_a_text_that_is_not_written_out_is_noticed(wrong: str) -> None:
    assert [text for _, text, _ in CALLED.findall(wrong)] == [""]


def test_no_call_of_the_page_is_passed_over(page: Catalog) -> None:
    """Babel takes what stands between two slashes in a template for a regular expression, now and then."""
    for path in (TEXTS.parents[1] / "web" / "static").glob("**/*.js"):
        if "vendor" in path.parts or path.name == "texts.js":
            continue
        written = re.sub(r"^\s*(//|/?\*).*", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for called, text, after in CALLED.findall(written):
            assert text, f"{path}: {called}( wants its text written out"
            assert json.loads(text) in page, path
            assert after == ")" or called == "tn" or after == ",", f"{path}: {text} is no whole text"


def test_a_text_of_the_page_is_not_both_counted_and_plain(page: Catalog) -> None:
    assert len(page_texts("fr")) == len(listed(page))
