"""Cards for Anki: what the file says to Anki, what stands on both sides, and which puzzles are one card."""

from __future__ import annotations

import csv
import re
from itertools import islice
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from entropeg.chosen_language import speaking
from entropeg.codes import format_code
from entropeg.position import Position
from entropeg.train import Theme, TrainingPuzzle, own_mistakes, puzzles
from entropeg.train.anki_cards import CARDS, anki_cards, losses

GAME = Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])


class Card(NamedTuple):
    """A row of the file, as its header says."""

    id: str
    deck: str
    front: str
    back: str
    tags: str


def read(text: str) -> tuple[dict[str, str], list[Card]]:
    """Read a file as Anki does: header lines begin with #, and rows are separated by tabs."""
    lines = text.splitlines()
    header = [line for line in lines if line.startswith("#")]
    rows = csv.reader(lines[len(header) :], delimiter="\t")
    return dict(line[1:].split(":", 1) for line in header), [Card(*row) for row in rows]


def made(board: str = "4x6", theme: str | None = None, number: int = 10) -> list[TrainingPuzzle]:
    return list(islice(puzzles(board, theme, seed=1), number))


def test_the_header_says_what_the_columns_are() -> None:
    header, cards = read(anki_cards(made()))

    assert header == {
        "separator": "tab",
        "html": "true",
        "tags": "entropeg",
        "guid column": "1",
        "deck column": "2",
        "notetype": "Basic",
        "tags column": "5",
        "if matches": "update current",
    }
    assert {"Mastermind::4x6"} == {card.deck for card in cards}
    assert [f"entropeg::{puzzle.theme} entropeg::4x6" for puzzle in made()] == [card.tags for card in cards]


@pytest.mark.parametrize(
    "board", ["4x6", "3x4/blanks", "bulls-and-cows", "4x6/positional", "3x12/alphabet=numbers", "3x6/black"]
)
def test_every_side_is_whole_and_needs_nothing_else(board: str) -> None:
    for card in read(anki_cards(made(board, "deduce", 3)))[1]:
        for side in (card.front, card.back):
            ET.fromstring(side)  # noqa: S314 (ours; one element, whatever signs the board has)

            assert not re.search(r"<script|<img|<link|\b(?:src|href)=|url\(|@import|[\t\n]", side)
            assert "http" not in side.replace("http://www.w3.org/2000/svg", "")
        assert card.front.count("<svg") == 1


def test_the_front_asks_and_the_back_answers() -> None:
    for puzzle, card in zip(made(number=10), read(anki_cards(made(number=10)))[1], strict=True):
        told = f"Row {puzzle.row + 1} is wrong" if puzzle.row is not None else format_code(puzzle.answers[0], "4x6")

        assert told in card.back
        assert told not in card.front
        assert ("All these numbers are exact." in card.back) == (puzzle.theme not in {Theme.deduce, Theme.mend})
        assert f"Guess {len(puzzle.turns)}: " in card.front


def test_a_card_is_the_same_in_every_language_and_from_every_series() -> None:
    english = anki_cards(made())
    with speaking("fr"):
        header, french = read(anki_cards(made()))
    cards, again = read(english)[1], read(anki_cards([*islice(puzzles("4x6", seed=1), 3, 5)]))[1]

    assert english == anki_cards(made())
    assert [card.id for card in cards] == [card.id for card in french]
    assert [card.tags for card in cards] == [card.tags for card in french]
    assert header["notetype"] == "Basique"
    assert not any(card.front == other.front for card, other in zip(cards, french, strict=True))
    assert cards[3:5] == again


def test_other_questions_are_other_cards() -> None:
    several = [puzzle for board in ("3x4", "4x6", "4x6/black") for puzzle in made(board, "deduce", 30)]
    own = list(own_mistakes([GAME]))
    same_position = TrainingPuzzle(Theme.deduce, own[0].position, own[0].codes, own[0].answers[:1])
    ids = [card.id for card in read(anki_cards([*several, *own, same_position]))[1]]

    assert len(ids) == len(set(ids)) == 90 + len(own) + 1
    assert all(re.fullmatch("[0-9a-f]{16}", each) for each in ids)


def test_what_the_best_of_the_other_codes_loses_is_the_least_of_all_losses() -> None:
    checked = 0
    for puzzle in made(number=15):
        told = [str(sentence) for sentence in losses(puzzle)]
        if puzzle.theme in {Theme.deduce, Theme.mend}:
            assert told == []
            continue
        judged = [puzzle.judge(code) for code in puzzle.codes]
        if lost := [judgment.loss for judgment in judged if judgment.loss is not None and not judgment.is_solved]:
            checked += 1

            assert f"it loses {float(min(lost)):.2f} guesses." in told[0]

    assert checked > 4


def test_where_many_codes_are_left_none_is_valued() -> None:
    [puzzle] = own_mistakes([Position("4x6", ["AAAA -"])])

    assert ["All these numbers are exact."] == [str(sentence) for sentence in losses(puzzle)]


def test_cards_are_told_from_other_texts_for_anki() -> None:
    assert CARDS.fits(anki_cards(made(number=1)).encode())
    assert not CARDS.fits(b"#separator:tab\n#html:true\n#deck:Mine\nentropeg\twhat is it?\n")
