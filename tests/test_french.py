"""Sentences drawn from seeds come out in French: whole, without English left over, and with all that they quote."""

import random
import re

import pytest

from entropeg.rules import Rules
from entropeg.texts import say
from sayings import refusals, tellings

QUOTE = re.compile(r"(?<!\w)(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`[^`]*`)(?!\w)")
ENGLISH = re.compile(r"(?<![\w-])(the|of|is|are|was|with|which|and|it|to|that|has|have|guess|left|fits?)(?![\w-])")
"""Words that no French sentence has."""
CODE = re.compile(r"(?<![\w.])(?:[A-Z]{2,}|\d+x\d+[\w/=-]*)(?![\w'])")
NUMBER = re.compile(r"(?<![\w.,^])\d+(?:,\d{3})*(?:\.\d+)?(?![\w.]*\w)")


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    found = dict.fromkeys([*refusals(random.Random(1)), *tellings(1)])
    assert len(found) > 1000
    return list(found)


def outside_quotes(text: str) -> str:
    return QUOTE.sub("", text)


def test_every_sentence_is_french_from_end_to_end(sentences: list[str]) -> None:
    told = {sentence: say(sentence, "fr") for sentence in sentences if ENGLISH.search(outside_quotes(sentence))}

    assert len(told) > 800
    assert [one for one, french in told.items() if ENGLISH.search(outside_quotes(french))] == []


def test_rules_with_marks_are_told_in_french() -> None:
    told = say(Rules.parse("3x4/positional/hard").describe(), "fr")

    assert told.replace("\u202f", " ") == (
        "3 pions, 4 couleurs (A B C D), une marque par pion, comme au Wordle, "
        "chaque proposition utilise toutes les indications, 64 secrets"
    )


def test_quotes_codes_and_rules_stay_as_they_are(sentences: list[str]) -> None:
    lost = [
        (sentence, piece)
        for sentence in sentences
        for piece in [*QUOTE.findall(sentence), *CODE.findall(outside_quotes(sentence))]
        if piece not in say(sentence, "fr") and "FILE" not in piece and piece not in OWN
    ]

    assert lost == []


OWN = {"'name: value'", "SYMBOLS", "NAME", "JSON", "UTF", "MB", "ABCDEF"}
"""What the sentences write in capitals themselves, or quote in English."""


def test_numbers_keep_their_values_and_are_written_as_in_french(sentences: list[str]) -> None:
    changed = []
    for sentence in sentences:
        english, french = outside_quotes(sentence), outside_quotes(say(sentence, "fr"))
        numbers = {number.replace(",", "\u202f").replace(".", ",") for number in NUMBER.findall(english)}
        changed += [
            (sentence, number) for number in numbers if number not in french and number.replace(",", ".") not in french
        ]

    assert changed == []
