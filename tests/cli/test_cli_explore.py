"""`entropeg explore`: the view, its dialog, what it refuses, and that a terminal of 80x24 shows it."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from entropeg.advise.exploring import explore
from entropeg.chosen_language import speaking
from entropeg.cli import group
from entropeg.position import Position
from entropeg.sessions.exploring import ExploreSession
from entropeg.sessions.lines import Line
from interrupting import start
from terminals import Terminal

WIDE: list[tuple[str, list[str]]] = [
    ("4x6", ["AABB XO", "ACDE OO"]),
    ("4x6", []),
    ("bulls-and-cows", ["1234 1 1"]),
    ("5x8", ["AABBC XO", "DDEFA O"]),
    ("4x6/positional", ["AABB ..O."]),
    ("8x12", []),
    ("4x6/names", ["red red blue blue XO"]),
    ("3x4/hard", []),
]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["explore", *arguments], prog_name="entropeg")


def session(*turns: str, rules: str = "4x6") -> ExploreSession:
    return ExploreSession(explore(Position(rules, turns), time=5), seconds=5)


def told(talk: ExploreSession, *typed: str) -> list[str]:
    for line in typed[:-1]:
        talk.handle(line)
    return [line.text for line in talk.handle(typed[-1])]


def test_a_position_is_shown_once_where_nobody_types() -> None:
    shown = run("4x6", "AABB XO")
    lines = shown.output.splitlines()

    assert shown.exit_code == 0
    assert lines[0] == "4x6: AABB XO"
    assert lines[1].startswith("208 codes are left. ABCC ")
    assert lines[2] == "Least mean = 3.452 guesses, least worst case 4: exact, from the table."
    assert lines[5].split() == ["1", "=", "3.452", "0.000", "4", "14", "maybe", "ACAD", "and", "95", "alike"]
    assert "(33 classes more)" in lines
    assert "what the answers to ACAD leave:" in lines


def test_json_is_the_value_and_a_guess_may_be_chosen() -> None:
    found = json.loads(run("4x6", "AABB XO", "--guess", "abcd", "--limit", "3", "--json").output)

    assert len(found["moves"]) == 3
    assert found["chosen"]["guess"] == "ABCD"
    assert sum(answer["codes"] for answer in found["answers"]) == 208
    assert found["command"] == 'entropeg explore 4x6 "AABB XO"'


def test_the_command_that_is_shared_leads_back() -> None:
    shared = run("4x6", "aabb 1 1", "--share")

    assert shared.output == 'entropeg explore 4x6 "AABB XO"\n'
    assert run("4x6", "aabb 1 1").output == run("4x6", "AABB XO").output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["4x"], "is not a board"),
        (["4x6", "AABB"], "row 1"),
        (["4x6", "AABB XO?"], "whole rows"),
        (["4x6", "--guess", "AAB"], "has 3 pegs"),
        (["4x6", "AABB XO", "--time", "-1"], "the time"),
        (["4x6", "AABB XO", "AABB X"], "together"),
        (["3x4/hard", "AAB X..", "--guess", "BBB"], "clue"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(arguments: list[str], said: str) -> None:
    refused = run(*arguments)

    assert refused.exit_code == 2
    assert said in refused.stderr
    assert "Traceback" not in refused.output + refused.stderr


def test_rows_that_contradict_are_told_with_ways_to_mend_them() -> None:
    found = json.loads(run("4x6", "AABB XO", "AABB X", "--json").stdout)

    assert found["contradiction"]["rows"]


def test_moves_answers_and_back() -> None:
    talk = session("AABB XO")

    assert told(talk, "2")[-7].startswith("answer")
    assert "what the answers to BBCD leave:" in told(talk, "2")
    assert told(talk, "bbcd") == told(talk, "guess BBCD") == told(talk, "guess 2")
    assert told(talk, "XO")[0] == "4x6: AABB XO, BBCD XO"
    assert told(talk, "share") == ['entropeg explore 4x6 "AABB XO" "BBCD XO"']
    assert told(talk, "back")[0] == "4x6: AABB XO"
    assert told(talk, "ACDE OO")[0] == "4x6: AABB XO, ACDE OO"
    assert told(talk, "back", "back")[0] == "4x6: the start"
    assert told(talk, "back") == ["this is the start: there is nothing before it"]
    assert told(talk, "AABB", "answer XXXX")[-1] == "The game is won."
    assert told(talk, "XO") == ["the game is over: back goes back"]
    assert told(talk, "back")[0] == "4x6: the start"
    assert told(talk, "quit") == []
    assert talk.over


def test_further_moves_are_numbered_on() -> None:
    talk = session("AABB XO")
    shown = told(talk, "more")

    assert [row.split()[0] for row in shown[1:-1]] == [str(number) for number in range(7, 25)]
    assert told(talk, "more")[-1].split()[0] == "39"
    assert told(talk, "more") == ["all moves that were valued are shown"]
    assert "what the answers to" in "".join(told(talk, "39"))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("XXXXX", "type a guess, the number of a move, or an answer"),
        ("40", "type a guess, the number of a move, or an answer"),
        ("AABB X", "together"),
        ("undo", "back goes back"),
        ("save x", "share"),
        ("quitt", "did you mean"),
        ("answer", "is not a feedback"),
    ],
)
def test_what_is_typed_wrong_changes_nothing(typed: str, said: str) -> None:
    talk = session("AABB XO")
    before = talk.view

    assert said in told(talk, typed)[0]
    assert talk.view is before


def seen(lines: list[Line]) -> list[str]:
    """The lines as a terminal of 80 columns has them: tables that are too wide in their brief form."""
    is_wide = any(line.brief and len(line.text) > 80 for line in lines)
    return ["".join(line.pieces(is_brief=bool(is_wide and line.brief))) for line in lines]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(("rules", "turns"), WIDE)
def test_a_view_is_a_screen_of_eighty_columns(rules: str, turns: list[str], language: str) -> None:
    talk = ExploreSession(explore(Position(rules, turns), time=1), seconds=1)
    with speaking(language):
        shown, more = (seen(lines) for lines in (talk.start(), talk.handle("more")))

    for lines in (shown, more):
        assert len(lines) <= 22
        assert max(map(len, lines)) <= 80
    assert shown


def test_at_a_terminal_nothing_wraps() -> None:
    explorer = Terminal("explore", "4x6", "AABB XO")
    shown = explorer.until("answer> ")
    for typed in ("2\n", "XO\n", "back\n"):
        explorer.type(typed)
        shown += explorer.until("answer> ")
    explorer.type("quit\n")
    rows = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", row).rstrip("\r") for row in shown.split("\n")]

    assert max(map(len, rows)) <= 80
    assert len(rows) <= 4 * 23
    assert explorer.exit_code() == 0


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_search_is_ended_by_a_signal(number: signal.Signals, tmp_path: Path) -> None:
    process, _ = start(["explore", "5x7", "AABBC XO", "--time", "600"], tmp_path)
    process.send_signal(number)
    out, said = process.communicate()

    assert (process.returncode, out) == (128 + number, "")
    assert "Traceback" not in said
