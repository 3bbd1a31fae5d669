"""`entropeg advise`: one answer on what to play next, in tables, in words, and as JSON."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.advise import Notes, advise, explain
from entropeg.advise.contradictions import fitting_answers
from entropeg.advise.given_games import notes_from_json
from entropeg.advise.ladder import hints_at
from entropeg.advise.saved_notes import (
    load_notes,
    notes_from_text,
    notes_to_json,
    notes_to_text,
    save_notes,
)
from entropeg.cli.screen import Screen
from entropeg.errors import InputError
from entropeg.game import Game, save_game
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.sessions.lines import say


def typed(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")


WRITTEN = ("AABB X", "CCDD -", "AEFF XX", "FAEB XXX")


# ------------------------------------------------------------------ the command


def test_the_best_guess_of_a_small_board_is_told_with_its_exact_number() -> None:
    shown = typed("advise", "3x4", "aab x", "--limit", "2").stdout

    assert "17 codes are left of 64; the best play takes = 2.412 guesses" in shown
    assert re.search(r"^expected   loss  wins now  bits  parts  most  mean  secret\?  guess$", shown, re.MULTILINE)
    assert re.search(r"^ = 2\.412  0\.000 .* maybe  A\w\w$", shown, re.MULTILINE)
    assert re.search(r"^Try A\w\w: splits the 17 codes left into ", shown, re.MULTILINE)
    assert re.search(r"^color  occurs  copies     1     2     3  \(pegs\)$", shown, re.MULTILINE)


def test_json_holds_the_numbers_of_advise() -> None:
    told = json.loads(typed("advise", "3x4", "AAB X", "--limit", "3", "--also", "bbb", "--json").stdout)
    advice = advise(Position("3x4", ["AAB X"]), limit=3, also=["BBB"])

    assert (told["rules"], told["rows"], told["state"]) == ("3x4", ["AAB X"], "open")
    assert told["contradiction"] is None
    told = told["advice"]
    assert [Fraction(one["expected"]["fraction"]) for one in told["guesses"]] == [
        one.expected.fraction for one in advice.guesses
    ]
    assert told["also"][0]["guess"] == "BBB"
    assert told["left"]["count"] == sum(answer["codes"] for answer in told["answers"]) == 17
    assert told["left"]["codes"] == ["ACC", "ACD", "ADC", "ADD", "BBB", "BCB", "BDB", "CAC", "CAD", "CBB"]
    assert sum(told["copies"].values()) == pytest.approx(3)
    assert [sum(peg.values()) for peg in told["marginals"]] == pytest.approx([1, 1, 1])


def test_rows_come_from_standard_input_and_from_files_too(tmp_path: Path) -> None:
    (tmp_path / "rows.txt").write_text("1. aab x\n2) acc -> x\n")
    save_notes(Notes.of("3x4", ["AAB X", "ACC X"]), tmp_path / "saved.json")
    whole = typed("advise", "3x4", "AAB X", "ACC X", "--json").stdout
    told = [
        typed("advise", "3x4", "--rows", str(tmp_path / "rows.txt"), "--json").stdout,
        typed("advise", "3x4", "--rows", str(tmp_path / "saved.json"), "--json").stdout,
        typed("advise", "3x4", "-", "--json", lines="AAB X\nACC X\n").stdout,
        typed("advise", "3x4", "aab x", "-", "--json", lines="ACC X\n").stdout,
        typed("advise", "3x4", "AAB X, ACC X", "--json").stdout,
    ]

    assert {_without_time(one) for one in told} == {_without_time(whole)}


def _without_time(text: str) -> str:
    told = json.loads(text)
    told["advice"]["seconds"] = 0
    return json.dumps(told)


def test_unknown_marks_say_what_they_say_and_no_more() -> None:
    told = json.loads(typed("advise", "4x6", "AABB XO?", "CC?D 1 ?", "--limit", "1", "--json").stdout)

    assert told["advice"]["left"]["count"] == len(Notes.of("4x6", ["AABB XO?", "CC?D 1 ?"]).candidates) == 274
    assert told["rows"] == ["AABB: XO?", "CC?D: 1 ?"]


def test_a_guess_and_its_feedback_are_joined_where_the_quotes_were_forgotten() -> None:
    whole = typed("advise", "3x4", "AAB X", "ACC X", "--json").stdout

    for rows in (["AAB", "X", "ACC X"], ["aab", "x", "acc", "x"], ["AAB X", "ACC", "1b"]):
        assert _without_time(typed("advise", "3x4", *rows, "--json").stdout) == _without_time(whole)


def test_with_one_guess_left_a_code_is_played_and_nothing_is_called_proved() -> None:
    shown = typed("advise", "4x6/limit=2", "AABB XO").stdout

    assert re.search(r"^Try [A-F]{4}. This is the last guess", shown, re.MULTILINE)
    assert "No play finds every code within the guesses that are left." in shown
    assert "proved" not in shown


def test_signs_that_the_output_cannot_write_are_spelled() -> None:
    stream = TextIOWrapper(BytesIO(), encoding="ascii")
    Screen(stream, Rules()).show([say("≥ 2.9 ≈ 2.4 ± 0.1")])
    stream.seek(0)

    assert stream.read() == ">= 2.9 ~ 2.4 +- 0.1\n"


def test_the_only_code_left_is_played() -> None:
    assert "Play A: it is the only code left." in typed("advise", "1x1").stdout


def test_the_answers_of_the_best_guess_sum_up() -> None:
    shown = typed("advise", "3x4", "AAB X", "--answers").stdout
    table = shown.partition("would leave:\n")[2].partition("\n\n")[0].splitlines()[1:]

    assert sum(int(line.split()[1]) for line in table) == 17


def test_players_stand_side_by_side_and_in_json() -> None:
    shown = typed("advise", "3x4", "AAB X", "--players").stdout
    told = json.loads(typed("advise", "3x4", "AAB X", "--players", "--json").stdout)["players"]

    assert [one["player"] for one in told][-1] == "optimal"
    assert len(told) == 7
    assert all(re.search(rf"^{one['player']} .*  {one['guess']}$", shown, re.MULTILINE) for one in told)


def test_a_contradiction_is_told_by_its_rows_and_ends_with_exit_code_2() -> None:
    result = typed("advise", "4x6", *WRITTEN)

    assert result.exit_code == 2
    assert result.stderr == (
        "entropeg: No code fits rows 3 (AEFF XX) and 4 (FAEB XXX) together: at least one of them is wrong.\n"
    )
    assert result.stdout.splitlines()[:2] == [
        "row 4 (FAEB XXX) may be wrong: 62 %",
        "  1. row 4 was FAEB OOO (black and white are exchanged): 1 code left, 61 %",
    ]


def test_a_contradiction_is_told_in_json_too() -> None:
    result = typed("advise", "4x6", *WRITTEN, "--json")
    told = json.loads(result.stdout)["contradiction"]

    assert result.exit_code == 2
    assert (told["conflicts"], told["mistakes"], told["proved"]) == ([[3, 4]], 1, True)
    assert [row["row"] for row in told["rows"]] == [4, 3]
    assert told["rows"][0]["mends"][0]["rows"] == [*WRITTEN[:3], "FAEB OOO"]


WRONG = {
    "no rules": (["advise"], "Missing argument 'RULES'"),
    "a guess alone": (["advise", "4x6", "AABB"], "'AABB' has no feedback: write AABB ? where it is not known"),
    "a row without its feedback": (["advise", "4x6", "AABB XO", "CCDD"], "row 2: 'CCDD' has no feedback"),
    "a guess of one's own too short": (["advise", "4x6", "--also", "AAB"], "'AAB' has 3 pegs"),
    "a game that is won": (["advise", "4x6", "AABB XXXX"], "the game is won: there is no guess to advise"),
    "a game that is over": (["advise", "4x6/limit=1", "AABB X"], "the game is over after 1 guess"),
    "no guesses": (["advise", "4x6", "--limit", "0"], "it is at least 1"),
    "too many guesses": (["advise", "4x6", "--limit", "1001"], "the number of guesses is 1001"),
    "a time that is none": (["advise", "4x6", "--time", "nan"], "the time"),
    "a file that is not there": (["advise", "4x6", "--rows", "/nowhere/x"], "/nowhere/x"),
    "standard input twice": (["advise", "4x6", "-", "-"], "- is standard input, and can be read once"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_what_cannot_be_advised_on_is_refused_in_one_sentence(arguments: list[str], said: str) -> None:
    result = typed(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr


def test_notes_of_other_rules_are_refused(tmp_path: Path) -> None:
    save_notes(Notes.of("3x4", ["AAB X"]), tmp_path / "notes.txt")
    result = typed("advise", "4x6", "--rows", str(tmp_path / "notes.txt"))

    assert result.exit_code == 2
    assert "these are notes of 3x4, not of 4x6" in result.stderr


# ------------------------------------------------------------------ what the room tells


def test_hints_give_away_more_and_more() -> None:
    kind, shape, guess, why = hints_at(advise(Position("4x6", ["AABB XO"]), limit=1))

    assert kind.says == "A is in it with 65 %. The best guess may be the secret."
    assert shape.says == "A good guess has 3 colors, one of them twice, in the shape of abac, 2 of them new."
    assert guess.says == "A good guess is ACAD."
    assert why.says.startswith("ACAD splits the 208 codes left")


@pytest.mark.parametrize(
    ("board", "rows", "nudge"),
    [
        ("2x2", ["AA X"], "Two codes are left."),
        ("2x2", ["AA -"], "Only one code is left."),
        ("4x6", [], "The best guess may be the secret."),
        ("3x3", ["AAA X"], "A must be in the code. The best guess may be the secret."),
        ("3x3", ["AAA -"], "A cannot be. The best guess may be the secret."),
        ("1x1", [], "Only one code is left."),
    ],
)
def test_the_first_hint_says_what_is_known_of_the_colors(board: str, rows: list[str], nudge: str) -> None:
    assert hints_at(advise(Position(board, rows), limit=1))[0].says == nudge


def test_of_a_sample_of_an_untouched_board_no_color_is_named() -> None:
    advice = advise("12x20", limit=1)

    assert not advice.remaining.is_complete
    assert hints_at(advice)[0].says == "The best guess may be the secret."


def test_no_first_hint_names_the_guess() -> None:
    for rows in ([], ["AABB XO"], ["AABB XO", "CCDE X"]):
        advice = advise(Position("4x6", rows), limit=1)
        guess = "".join("ABCDEF"[color] for color in advice.best.guess)

        assert guess not in " ".join(step.says for step in hints_at(advice)[:2])


def test_suspicions_offer_each_way_once_and_only_ways_that_mend() -> None:
    for rows in (WRITTEN, ("AABB XO", "CCDD XXX"), ("AAAA -", "BBBB -", "CCCC -", "DDDD -", "EEEE -", "FFFF -")):
        notes = Notes.of("4x6", rows)
        told = explain(notes.position)
        found = told.suspicions(len(rows))
        mends = [mend for suspicion in found for mend in suspicion.mends]

        assert len({id(mend) for mend in mends}) == len(mends)
        assert [] == [mend.says for mend in mends if len(mend.notes.candidates) != mend.codes]
        assert [suspicion.row for suspicion in found] == [suspect.row for suspect in told.rows]
        for suspicion in found:
            answers = fitting_answers(notes, suspicion.row)
            guess = notes.rows[suspicion.row].guess
            assert suspicion.answers == answers
            assert all(len(notes.with_row(suspicion.row, (guess, answer)).candidates) for answer in answers)


def test_a_position_that_is_no_contradiction_is_called_so() -> None:
    assert explain(Position("4x6", ["AABB XO"])).says == "A code fits all rows."


@pytest.mark.parametrize("rows", [(), ("AABB XO",), ("AABB XO?", "CC?D: 1 ?", "????: XX", "AABB: ?"), WRITTEN])
def test_saved_notes_are_read_back_as_text_and_as_json(rows: tuple[str, ...], tmp_path: Path) -> None:
    notes = Notes.of("4x6/limit=9", rows)

    assert notes_from_text(notes_to_text(notes)) == notes
    assert notes_from_json(json.loads(json.dumps(notes_to_json(notes)))) == notes
    for name in ("notes.txt", "notes.json"):
        save_notes(notes, tmp_path / name)
        assert load_notes(tmp_path / name) == notes
    assert notes_to_text(notes).splitlines()[0] == "entropeg notes 1: 4x6/limit=9"


def test_a_saved_game_and_rows_below_their_rules_are_notes_too(tmp_path: Path) -> None:
    notes = Notes.of("4x6", ["AABB XO", "CCDD O"])
    for name in ("game.txt", "game.json"):
        save_game(Game(notes.rules, notes.position.turns), tmp_path / name)

        assert load_notes(tmp_path / name) == notes
    for text in ("4x6\n1. aabb xo\n2. ccdd o\n", "rules: 4x6\n\nAABB: 1 1\nCCDD: 0 1", "\n\n4x6\nAABB XO, CCDD O"):
        assert notes_from_text(text) == notes


DAMAGED: dict[str, tuple[Any, str]] = {
    "nothing": ("", "the notes are empty"),
    "no rules": ("AABB XO\nCCDD X", "line 1: the first line says the rules"),
    "a row that is none": ("4x6\nAABB XO\n\nCCDDE X", "line 4: 'CCDDE X' is no row"),
    "a list": ([], "these are no saved notes"),
    "another format": ({"format": "x"}, "these are no saved notes"),
    "no rules in JSON": ({"format": "entropeg notes 1", "rows": []}, "rules None; they must be a text"),
    "rows that are none": ({"format": "entropeg notes 1", "rules": "4x6", "rows": [1]}, "they must be a list of texts"),
    "a row of another board": ({"format": "entropeg notes 1", "rules": "4x6", "rows": ["AAB X"]}, "row 1: 'AAB X'"),
}


@pytest.mark.parametrize(("data", "said"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_notes_are_refused_in_one_sentence(data: Any, said: str) -> None:
    with pytest.raises(InputError) as refusal:
        notes_from_text(data) if isinstance(data, str) else notes_from_json(data)

    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_another_file_is_not_replaced_by_notes(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear all")

    with pytest.raises(InputError, match=re.escape(str(path))):
        save_notes(Notes.of("4x6"), path)
    assert path.read_text() == "dear all"


def test_plain_data_is_plain() -> None:
    advice = advise(Position("4x6", ["AABB XO"]), limit=2, also=["ACCC"])
    told = explain(Position("4x6", list(WRITTEN)))

    assert json.loads(json.dumps(advice.to_json()))["guesses"][0]["loss"]["fraction"] == "0"
    assert json.loads(json.dumps(told.to_json()))["says"] == told.says
