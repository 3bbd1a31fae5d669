"""Games in every form that is about, and every door that reads them: reviews, notes and logs read the same turns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from entropeg.advise import Notes
from entropeg.advise.saved_notes import notes_to_json, notes_to_text, rows_from_file
from entropeg.classroom.logs import check_log, read_logs
from entropeg.errors import InputError
from entropeg.game import Game
from entropeg.position import Position
from entropeg.review import read_games
from entropeg.rules import Rules

POSITION = Position("4x8/course", ["RRVV X", "RBBB XX", "RBJJ XXXX"])
GAME = Game(POSITION.rules, POSITION.turns, POSITION.turns[-1].guess)
HEAD = "Combinaisons de taille 4, couleurs disponibles ['R', 'V', 'B', 'J', 'N', 'M', 'O', 'G']\n"

FORMS = {
    "a saved game": GAME.to_text(),
    "JSON": json.dumps(GAME.to_json()),
    "notes": notes_to_text(Notes.of(POSITION)),
    "notes as JSON": json.dumps(notes_to_json(Notes.of(POSITION))),
    "rules above rows": "4x8/course\n1. rrvv 1b\n2. rbbb 2b\n3. rbjj 4b\n",
    "rules said": "player: Anna\nrules: 4x8/course\nsecret: RBJJ\n---\nRRVV\nRBBB\nRBJJ\n",
    "a log": "RRVV\n1,0\nRBBB\n2,0\nRBJJ\n4,0\n",
    "a log with empty lines": "RRVV\n1,0\n\nRBBB\n\n2,0\nRBJJ\n4,0\n",
    "rows": "rrvv -> 1 black\nrbbb -> 2 black, no white\nrbjj -> 4 black\n",
    "what play prints": f"{HEAD}Essai 1 : RRVV (1,0)\nje cherche\nEssai 2 : RBBB (2,0)\nEssai 3 : RBJJ (4,0)\nBravo\n",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rules", [None, "4x8/course"])
def test_every_door_reads_every_form(tmp_path: Path, form: str, rules: str | None) -> None:
    text, path = FORMS[form], tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    [reviewed] = read_games(text, rules)
    [logged] = read_logs(str(path), None if rules is None else Rules.parse(rules))
    said, rows = rows_from_file(text, rules, assume=True)

    assert POSITION == reviewed.position
    assert POSITION == logged.position == Notes(said, rows).position
    assert check_log(logged).consistent


def test_each_row_says_where_it_stands() -> None:
    found = read_games("rules: 4x6\n\nAABB XO\nCCDD X\n\nABCD\nXO\n")

    assert [(3, 4), (6,)] == [game.lines for game in found]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("entropeg notes 1: 4x6\nAABB XO\n", "4x6"),
        ("1234 2A1B\n5678 0A1B\n", "bulls-and-cows"),
        ("1234 2,1\n5678 0,1\n", "bulls-and-cows"),
        ("secret: AACB\n\nAABB XXX\n", "4x6/membership"),
        ("1) Re-Gree-Bro-Blu (1, 1)\n2) Blu-Bro-Re-Re (0, 2)\n", "4x6/names"),
    ],
)
def test_no_guess_is_called_wrong_that_is_none(tmp_path: Path, text: str, rules: str) -> None:
    (tmp_path / "log.txt").write_text(text, encoding="utf-8")

    assert not any(log.broken for log in read_logs(str(tmp_path / "log.txt"), Rules.parse(rules)))


def test_a_guess_with_a_letter_too_many_is_no_guess_with_a_feedback(tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_text("1. AAACB OO\n2. BFCF OO\n", encoding="utf-8")
    [log] = read_logs(str(tmp_path / "log.txt"), Rules.parse("4x6"))

    assert log.broken.startswith("turn 1 (line 1): its guess 'AAACB' is no code")


def test_notes_without_rules_are_asked_for_them() -> None:
    with pytest.raises(InputError, match="line 1: the first line says the rules"):
        rows_from_file(FORMS["rows"])


def test_saved_games_are_read_one_a_line_with_empty_lines_between() -> None:
    saved = json.dumps(GAME.to_json())

    assert [POSITION, POSITION] == [game.position for game in read_games(f"\n{saved}\n\n{saved}\n")]


def test_a_saved_log_keeps_the_wrong_feedback_that_is_looked_for_and_a_game_refuses_it(tmp_path: Path) -> None:
    saved = json.dumps({**GAME.to_json(), "turns": [["RRVV", "XX"], ["RBBB", "XX"], ["RBJJ", "XXXX"]]})
    (tmp_path / "log.json").write_text(saved, encoding="utf-8")
    [log] = read_logs(str(tmp_path / "log.json"), None)

    assert not check_log(log).consistent
    with pytest.raises(InputError, match="turn 1: RRVV gets X for this secret, not XX"):
        read_games(saved)
