"""Texts in French: nothing is missing, left over or damaged, and sentences are found by their templates."""

import ast

import pytest

from entropeg.errors import InputError
from entropeg.texts import LANGUAGES, page_texts, preferred, translate
from entropeg.texts.catalogue import LONGEST, Catalogue
from entropeg.texts.languages import TEXTS
from entropeg.texts.making import PoEntry, catalogue_of, faults, left_over, missing, po_entry, read_entries, written
from entropeg.texts.page import said_in_script, said_on_page
from entropeg.texts.sources import Said, templates
from entropeg.texts.spoken import said_in_library
from entropeg.texts.templates import Template, TemplateWork

LIBRARY, PAGE = read_entries()


def pasted(said: list[Said]) -> str:
    """Entries for what is missing: whoever added a text pastes them into a file, and runs `make texts`."""
    return "\n".join(map(po_entry, said))


def test_every_text_of_the_page_has_french() -> None:
    assert pasted(missing(said_on_page(), PAGE)) == ""


def test_every_sentence_of_the_library_that_reaches_the_page_has_french() -> None:
    assert pasted(missing(said_in_library(), LIBRARY)) == ""


def test_no_translation_is_left_of_a_text_that_nobody_says() -> None:
    over = [*left_over(said_on_page(), PAGE), *left_over(said_in_library(), LIBRARY)]

    assert [f"{said.where}: {said.text}" for said in over] == []


def test_every_entry_is_translated_once_with_the_fields_of_the_english() -> None:
    assert [*faults(LIBRARY), *faults(PAGE)] == []


def test_the_committed_catalogue_is_what_the_files_of_translators_give() -> None:
    committed = (TEXTS / "fr.json").read_text(encoding="utf-8")

    assert committed == written(catalogue_of(LIBRARY, PAGE)), "run make texts"


def test_a_text_of_the_page_is_not_both_counted_and_plain() -> None:
    assert len(page_texts("fr")) == len({entry.key for entry in PAGE})


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("FR-ca, en;q=0.9", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("de, fr;q=0.1", "fr"),
        ("de", "en"),
        ("*", "en"),
        ("en;q=0, *", "fr"),
        ("fr;q=0, en;q=0", "en"),
        ("fr;q=2", "en"),
        ("fr;q=abc, en", "en"),
        ("french", "en"),
        ("fr; q=1.000 , en;q=0.999", "fr"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_browser_s_language_is_read_as_the_standard_says(header: str | None, language: str) -> None:
    assert language == preferred(header)


def test_a_language_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="there is no language 'de': it is en or fr"):
        translate("the time", "de")


def test_english_is_what_is_written_and_needs_no_catalogue() -> None:
    assert LANGUAGES[0] == "en"
    assert translate("row 3: nonsense", "en") == "row 3: nonsense"
    assert page_texts("en") == {}


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("the guess limit is 0; it must be at least 1", "la limite de propositions est 0 ; il faut au moins 1"),
        ("'AAB' has 3 pegs; a code of 4x6 has 4", "'AAB' a 3 pions ; un code de 4x6 en a 4"),
        ("'A' has 1 peg; a code of 4x6 has 4", "'A' a 1 pion ; un code de 4x6 en a 4"),
        (
            "row 3: 'x' is no row: peg 1 is 'x', which is not a color: use A B C; AABB XO would be read",
            (
                "ligne 3 : 'x' n’est pas une ligne : le pion 1 est 'x', qui n’est pas une couleur : prenez A B C ; "
                "AABB XO serait lu"
            ),
        ),
        (
            "the answers cost the player −.44 guesses against honest ones; none could have cost more",
            (
                "les réponses ont coûté au joueur −0,44 proposition de plus que des réponses honnêtes ; "
                "aucune n’aurait pu coûter davantage"
            ),
        ),
        ("In the code: 12.4, 13.5.", "Dans le code : 12.4, 13.5."),
        ("trap, difficulty 43%", "piège, difficulté 43 %"),
        (
            "5 guesses = 4.34 par + 1.10 lost − 0.44 luck",
            "5 propositions = 4,34 de par + 1,10 perdu − 0,44 de chance",
        ),
        (
            "row 4 was FAEB OOO (black and white are exchanged): 1 code left, 58 %",
            "la ligne 4 était FAEB OOO (bien placés et mal placés sont échangés) : 1 code encore possible, 58 %",
        ),
        (
            "A must be in the code, B is in it with 50 %, C and 3 others cannot be. The best guess may be the secret.",
            (
                "On y trouve forcément A, on y trouve B avec une chance de 50 %, on n’y trouve pas C et 3 autres. "
                "La meilleure proposition peut être le secret."
            ),
        ),
        (
            "A good guess has 2 colors, one of them three times, in the shape of aaab, none of them new.",
            "Une bonne proposition a 2 couleurs, dont une trois fois, de la forme aaab, aucune nouvelle.",
        ),
        (
            "4x6 has 1,296 codes: too many to list them all; `auto` picks a strategy that needs no list",
            "4x6 a 1 296 codes : trop pour en faire la liste ; `auto` choisit une stratégie qui s’en passe",
        ),
    ],
)
def test_sentences_in_sentences_are_translated_with_their_numbers(english: str, french: str) -> None:
    assert french == plain(translate(english, "fr"))


def plain(text: str) -> str:
    """A text with plain spaces."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


def test_a_sentence_without_a_template_stays_english() -> None:
    assert translate("The cat sat on the mat.", "fr") == "The cat sat on the mat."
    assert translate("", "fr") == ""
    assert translate("word " * 2000, "fr") == "word " * 2000


@pytest.mark.parametrize(
    "text", ["a: ", "it and it; it: it, ", "; it must be a", "' ", "((", "1 code left, ", "row 1 was ", "'a' is "]
)
def test_what_looks_like_many_sentences_at_once_comes_to_an_end(text: str) -> None:
    typed = (text * LONGEST)[:LONGEST]

    assert len(translate(typed, "fr")) >= len(typed) // 2


def test_fields_are_read_as_short_as_they_can_be_and_as_long() -> None:
    template = Template("{one} is {other}; {last:n} left", ())

    assert list(template.readings("a is b is c; d; 3 left", TemplateWork(100))) == [
        {"one": "a", "other": "b is c; d", "last": "3"},
        {"one": "a is b", "other": "c; d", "last": "3"},
    ]
    assert list(template.readings("a is b; many left", TemplateWork(100))) == []
    assert list(template.readings("a is b; 3 left", TemplateWork(2))) == []


def test_a_quote_is_never_translated() -> None:
    quote = "'the guess limit is 0; it must be at least 1'"

    assert quote in translate(f"peg 1 is {quote}, which is not a color: use A B", "fr")


def test_a_word_has_its_meaning_in_its_field_only() -> None:
    catalogue = Catalogue({"theme\4trap": "piège", "it is {theme}": "c'est {theme}", "it has {code}": "il a {code}"})

    assert catalogue.translate("it is trap") == "c'est piège"
    assert catalogue.translate("it has trap") == "il a trap"


def test_templates_are_read_from_f_strings() -> None:
    def of(source: str) -> list[str]:
        return templates(ast.parse(source, mode="eval").body)

    assert of("f'{quoted(what)} has {len(x):,} of {self.rules}'") == ["{what!r} has {x:n} of {rules}"]
    assert of("f'{a.rules} and {b.rules} and {a.rules}'") == ["{rules} and {rules2} and {rules}"]
    assert of('f\'{chance:.2f} {"is" if n else "are"} it\'') == ["{chance:n} is it", "{chance:n} are it"]
    assert of("'a {{1, 2}} of {pegs} pegs'") == ["a {{{{1, 2}}}} of {pegs} pegs"]
    assert of("name") == []


def test_a_text_of_the_page_that_is_not_written_out_is_refused() -> None:
    assert [said.text for said in said_in_script('t("one"); tn("{n} a", "{n} b", n); at("two"); text.t("three")')] == [
        "one",
        "{n} a",
    ]
    for wrong in ("t(name)", 't("a" + b)', "t(`a ${b}`)", 'tn("{n} code", n)'):
        with pytest.raises(InputError, match="wants its text written out"):
            list(said_in_script(f"// t(comment)\nx = {wrong};"))


def test_faults_of_entries_are_told() -> None:
    entries = [
        PoEntry(Said("{n} rows", where="a.po:1"), ("des lignes",)),
        PoEntry(Said("open", where="a.po:2"), ("",)),
        PoEntry(Said("shut", where="a.po:3"), ("fermé",), is_fuzzy=True),
        PoEntry(Said("shut", where="b.po:1"), ("clos",)),
    ]

    assert list(faults(entries)) == [
        "a.po:1: '{n} rows' has fields ['n'], its translation []",
        "a.po:2: 'open' has no translation",
        "a.po:3: 'shut' is marked fuzzy",
        "b.po:1: 'shut' is translated otherwise at a.po:3",
    ]
