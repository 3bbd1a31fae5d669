"""Hints, advice, mends, rows and watched games over the API: as the library and the command line have them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from entropeg import Position, cli, play
from entropeg.codes import format_code
from webclient import served_at_hand


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served_at_hand(tmp_path_factory.mktemp("data")) as client:
        yield client


def ask(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def refusal(client: TestClient, path: str, **body: Any) -> tuple[str, str]:
    """The field of an error and its sentence."""
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 422, response.text
    return response.json()["field"], response.json()["error"]


def told_by_cli(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(cli.group, [*arguments, "--json"])
    assert result.exit_code in {0, 2}, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


BOARDS = [
    ("4x6", ["AABB XO"]),
    ("4x6", ["AABB XO", "CC?D 1 ?"]),
    ("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]),
    ("3x4/limit=3", ["AAB X", "BBC O"]),
    ("3x5/no-repeats", ["ABC XO"]),
    ("3x4/positional", ["AAB X.O"]),
    ("3x4/black", ["AAB X"]),
    ("3x4/blanks", ["A.B X"]),
    ("3x4/prior=distinct", ["AAB X"]),
    ("3x9/shapes=3", []),
    ("1x4", ["A -"]),
    ("words:english/positional", ["crane X.O..", "cloth X...."]),
]


@pytest.mark.parametrize(("rules", "rows"), BOARDS)
def test_advice_has_the_numbers_of_the_command_line(client: TestClient, rules: str, rows: list[str]) -> None:
    asked = ["--limit", "4", "--time", "10"]  # No board takes a second: what is proven does not rest on the machine.
    expected = told_by_cli("advise", rules, *rows, *asked)

    answer = ask(client, "advice", rules=rules, rows=rows, limit=4, seconds=10, codes=10)

    for told in (expected, answer):
        if told["advice"] is not None:
            assert told["advice"].pop("seconds") >= 0
    assert expected == answer


def test_players_and_guesses_of_ones_own_stand_beside_the_best(client: TestClient) -> None:
    expected = told_by_cli("advise", "4x6", "AABB XO", "--also", "CCDD", "--players", "--time", "10")
    names = [player["player"] for player in expected["players"]]

    answer = ask(client, "advice", rules="4x6", rows=["AABB XO"], also=["CCDD"], players=names, seconds=10)

    assert (expected["advice"]["also"], expected["players"]) == (answer["advice"]["also"], answer["players"])
    assert answer["advice"]["says"][-1].startswith("CCDD splits the 208 codes")


@pytest.mark.parametrize(
    ("rules", "rows", "state"),
    [("4x6", ["AABB XXXX"], "won"), ("4x6/limit=1", ["AABB X"], "lost"), ("4x6/limit=1", ["AABB ?"], "lost")],
)
def test_a_game_that_is_over_has_its_rows_and_no_advice(
    client: TestClient, rules: str, rows: list[str], state: str
) -> None:
    answer = ask(client, "advice", rules=rules, rows=rows)

    assert (state, None, None) == (answer["state"], answer["advice"], answer["contradiction"])


def test_one_code_left_is_advised(client: TestClient) -> None:
    rows = ["AABB XO", "CCDD -", "AEEB XX", "AFBA XO"]

    advice = ask(client, "advice", rules="4x6", rows=rows)["advice"]

    assert advice["left"]["says"] == "One code is left."
    assert advice["guesses"][0]["guess"] == advice["left"]["codes"][0] == "BFEB"


def test_boards_that_nobody_lists_are_advised_by_estimates(client: TestClient) -> None:
    advice = ask(client, "advice", rules="20x20", limit=1, seconds=0.1)["advice"]

    assert advice["guesses"][0]["expected"]["sign"] != "="
    assert advice["guesses"][0]["sample"] == 2000
    assert len(advice["marginals"]) == 20


def test_contradictions_come_with_rows_to_send_back(client: TestClient) -> None:
    rows = ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]

    told = ask(client, "mends", rules="4x6", rows=rows, live=False)["contradiction"]

    mend = told["rows"][0]["mends"][0]
    assert ask(client, "advice", rules="4x6", rows=mend["rows"])["advice"]["left"]["count"] == mend["codes"]
    assert told["rows"][0]["row"] == mend["changes"][0] == 4
    sure = ask(client, "mends", rules="4x6", rows=rows, live=False, sure=[4])["contradiction"]
    assert 4 not in {row for suspect in sure["rows"] for mend in suspect["mends"] for row in mend["changes"]}
    assert pytest.approx(1) == sum(suspect["probability"] for suspect in sure["rows"])
    assert ask(client, "mends", rules="4x6", rows=rows[:2]) == {"contradiction": None, "says": "A code fits all rows."}


def test_a_doubted_row_of_a_large_board_is_told_as_a_contradiction(client: TestClient) -> None:
    ones = "-".join(["1"] * 50)
    rows = [f"{ones} XXX", f"{ones} XXXX", f"{ones} XXX"]
    told = ask(client, "advice", rules="50x50", rows=rows, seconds=1)["contradiction"]

    assert told["says"].startswith("No code fits all answers")
    assert (told["proved"], told["doubt"]["row"], told["doubt"]["proved"]) == (True, 2, True)
    assert [(row["row"], row["probability"]) for row in told["rows"]] == [(2, 1)]
    (mend,) = told["rows"][0]["mends"]
    assert mend["rows"] == [rows[0], rows[2]]
    assert told == ask(client, "mends", rules="50x50", rows=rows, seconds=1)["contradiction"]


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        ("4x6", "1. aabb  xo\n2) CCDD -> 1b\n\nEE?F 1 ?", ["AABB XO", "CCDD X", "EE?F: 1 ?"]),
        (None, "AABB XO\nCCDD X", ["AABB XO", "CCDD X"]),
        (None, "rules: 3x4\nABC XO", ["ABC XO"]),
        (None, "entropeg notes 1: 4x6\nAA?B XO", ["AA?B: XO"]),
        ("4x6", "", []),
    ],
)
def test_rows_are_read_from_text(client: TestClient, rules: str | None, text: str, expected: list[str]) -> None:
    assert expected == ask(client, "rows", rules=rules, text=text)["rows"]


def test_text_names_no_file_of_the_machine(client: TestClient) -> None:
    for path, body in [
        ("rows", {"text": "rules: words:/etc/hostname\nAABB XO"}),
        ("rows", {"text": "entropeg notes 1: 4x6/prior=/etc/hostname\nAABB XO"}),
        ("reviews", {"text": "rules: 4x6/prior=/etc/hostname\nAABB XO"}),
        ("puzzles/learn", {"text": "rules: words:/etc/hostname\nAABB XO"}),
        ("reviews/games", {"text": json.dumps({"format": "entropeg game 1", "rules": "words:/etc/hostname"})}),
    ]:
        field, error = refusal(client, path, **body)

        assert field == "text"
        assert "of the package" in error or "is no formula" in error, error


@pytest.mark.parametrize(
    ("path", "body", "field", "said"),
    [
        ("advice", {"rules": "4x6", "rows": ["AABB XO", "hello"]}, "rows.1", "'hello' is no row"),
        ("advice", {"rules": "4x6", "also": ["AAB"]}, "also.0", "has 3 pegs"),
        ("advice", {"rules": "4x6", "players": ["optimal", "minmax"]}, "players.1", "did you mean minimax"),
        ("advice", {"rules": "4x6", "players": ["cmd:ls"]}, "players.0", "no codebreaker called 'cmd'"),
        ("advice", {"rules": "4x", "rows": []}, "rules", "4x"),
        ("advice", {"rules": "words:/etc/passwd"}, "rules", "is no list of the package"),
        ("advice", {"rules": "4x6", "rows": ["AABB X"] * 201}, "rows", "at most 200"),
        ("advice", {"rules": "4x6", "seconds": 11}, "seconds", "at most 10"),
        ("advice", {"rules": "4x6", "row": []}, "row", "no such field"),
        ("advice", {"rules": "4x6", "rows": ["AABB X", "AABB O"], "sure": [3]}, "sure.0", "there is no row 3"),
        ("rows", {"text": "A" * 200_001}, "text", "200000"),
        ("rows", {"text": "AABB XO\n" * 401, "rules": "4x6"}, "text", "401 rows"),
        ("rows", {"text": "A " * 400, "rules": "4x6"}, "text", "line 1 has 800 characters: 660 at most"),
        ("rows", {"text": "hello world"}, "text", "no row"),
        ("rows", {"text": "entropeg notes 1: 4x6\nAABB XO", "rules": "3x4"}, "text", "notes of 4x6, not of 3x4"),
        ("hints", {"rules": "4x6", "turns": [["AABB", "XO"]], "guess": "AAZ?"}, "guess", "'Z'"),
        ("hints", {"rules": "4x6", "turns": [["AABB", "XX"], ["AABB", "X"]]}, "turns", "turn 1"),
        ("hints", {"rules": "4x6", "turns": [["AABB", "XXXX"]]}, "turns", "the game is won"),
        ("hints", {"rules": "4x6", "turns": [["AABB", "XO"], ["AAB", "X"]]}, "turns.1.0", "has 3 pegs"),
        ("hints", {"rules": "4x6", "turns": [["AABB", "XXXO"]]}, "turns.0.1", ""),
        ("watch", {"rules": "4x6", "codebreaker": "tree:x"}, "codebreaker", "no codebreaker called 'tree'"),
        ("watch", {"rules": "4x6", "secret": "AAB"}, "secret", "has 3 pegs"),
        ("watch", {"rules": "4x6", "secret": "AABB", "codemaker": "cheat"}, "codemaker", "honest"),
        ("watch", {"rules": "4x6", "seed": -1}, "seed", "at least 0"),
        ("watch", {"rules": "8x12", "codebreaker": "minimax"}, "codebreaker", "8x12"),
    ],
)
def test_refusals_name_the_field_in_the_words_of_the_library(
    client: TestClient, path: str, body: dict[str, Any], field: str, said: str
) -> None:
    found, error = refusal(client, path, **body)

    assert field == found
    assert said in error


def test_hints_climb_from_the_codes_left_to_the_guess(client: TestClient) -> None:
    asked = {"rules": "4x6", "turns": [["AABB", "XO"]], "guess": "AA??", "seconds": 0.5}
    first, whole = ask(client, "hints", **asked, best=False), ask(client, "hints", **asked)
    steps = whole["steps"]

    assert (steps[:3], ["kind", "shape", "guess", "why"], []) == (first["steps"], first["further"], whole["further"])
    kinds = [step["kind"] for step in steps]
    assert kinds == ["left", "contradiction", "pegs", "kind", "shape", "guess", "why"]
    assert [(step["row"], step["pegs"]) for step in steps[1:3]] == [(1, []), (1, [1, 2])]
    guess = next(step["code"] for step in steps if step["kind"] == "guess")
    advice = ask(client, "advice", rules="4x6", rows=["AABB XO"], limit=1, seconds=0.5)["advice"]
    assert guess == advice["guesses"][0]["guess"]


@pytest.mark.parametrize("rules", ["4x6", "2x3/positional", "3x4/blanks-in-secrets", "words:english", "12x12"])
def test_hints_are_given_on_boards_of_every_kind(client: TestClient, rules: str) -> None:
    steps = ask(client, "hints", rules=rules, seconds=0.1)["steps"]

    assert [steps[0]["kind"], steps[-1]["kind"]] == ["left", "why"]


@pytest.mark.parametrize(
    ("codebreaker", "codemaker", "rules"),
    [
        ("consistent", "honest", "4x6"),
        ("entropy", "cheat", "3x4"),
        ("random", "honest", "3x4/limit=2"),
        ("consistent", "honest", "3x4/positional"),
        ("consistent", "biased", "3x4/prior=distinct"),
        ("sampling", "honest", "6x12"),
    ],
)
def test_watched_games_are_those_of_play(client: TestClient, codebreaker: str, codemaker: str, rules: str) -> None:
    game = play(codebreaker, codemaker, rules, seed=11)

    seen = ask(client, "watch", rules=rules, codebreaker=codebreaker, codemaker=codemaker, seed=11)

    assert [format_code(turn.guess, rules) for turn in game.turns] == [turn["guess"] for turn in seen["turns"]]
    assert (game.outcome, False) == (seen["state"], seen["cut"])
    for turn in seen["turns"]:
        assert len({answer["feedback"] for answer in turn["answers"]}) == len(turn["answers"])
        assert sum(answer["codes"] for answer in turn["answers"]) == turn["before"] or turn["sample"]
    counts = [turn["after"] for turn in seen["turns"]]
    if seen["turns"][0]["sample"] is None:
        assert counts[-1] == len(Position(rules, game.turns).candidates)


def test_a_secret_may_be_given_and_a_game_cut(client: TestClient) -> None:
    asked = {"rules": "4x6", "codebreaker": "first-consistent", "secret": "FEED", "seed": 1, "steps": 2}

    seen = ask(client, "watch", **asked)

    assert seen["secret"] == "FEED"  # noqa: S105 (of a game)
    assert (True, "open", 2) == (seen["cut"], seen["state"], len(seen["turns"]))
    assert seen["turns"][0]["says"].startswith("AAAA got -: 625 of 1,296 codes left")


def test_work_is_asked_for_with_a_deadline_above_its_seconds(client: TestClient) -> None:
    workers: Any = client.app.state.workers  # type: ignore[attr-defined]
    workers.asked.clear()

    ask(client, "hints", rules="2x3", seconds=1)

    assert workers.asked == [("entropeg.web.tasks.advice:hints", 22.0)]
