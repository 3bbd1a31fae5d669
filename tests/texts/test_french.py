"""Sentences drawn from seeds come out in French: whole, without English left over, and with all that they quote."""

import random
import re

import pytest

from entropeg.advise.expectation import Expectation
from entropeg.review.wording import hundredths
from entropeg.rules import Rules
from entropeg.texts import say
from entropeg.told import Joined, Told, plural
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


@pytest.mark.parametrize(
    ("told", "french"),
    [
        (
            Told("the guess limit is {limit!r}; it must be at least 1", 0),
            "la limite de propositions est 0 ; il faut au moins 1",
        ),
        (
            Told(
                "the answers cost the player {guesses} guesses against honest ones", hundredths(Expectation.of(-0.44))
            ),
            "les réponses ont coûté au joueur −0,44 proposition de plus que des réponses honnêtes",
        ),
        (
            Told("the answers cost the player {guesses} guesses against honest ones", hundredths(Expectation.of(2.34))),
            "les réponses ont coûté au joueur 2,34 propositions de plus que des réponses honnêtes",
        ),
        (Told("{points:.10g} of {most:.10g} points", 0.5, 2), "0,5 point sur 2"),
        (Told("{points:.10g} of {most:.10g} points", 2.5, 4), "2,5 points sur 4"),
        (Joined([Told("{percent:.0f} %", 43), " ", "12.4"]), "43 % 12.4"),
        (Told("{code} is no row: {error}", "3 pegs", plural(2, "{n} peg", "{n} pegs")), "3 pegs is no row: 2 pegs"),
    ],
)
def test_sentences_in_sentences_are_french_with_their_numbers(told: str, french: str) -> None:
    assert say(told, "fr").replace("\u00a0", " ").replace("\u202f", " ") == french


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
