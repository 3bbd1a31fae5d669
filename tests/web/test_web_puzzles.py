"""Puzzles and reviews over the API: as the library and the command line have them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from fastapi.testclient import TestClient

from entropeg import cli
from entropeg.codes import format_code
from entropeg.review.totals import Totals
from entropeg.train import puzzles
from entropeg.train.puzzle import POINTS
from entropeg.train.telling import question
from test_web_analysis import ask, refusal
from webclient import served_at_hand

GAME = "rules: 4x6\nAABB XO\nACCD O\nBEBF XXO\nFEBA XXXX"
TURNS = [["AABB", "XO"], ["ACCD", "O"], ["BEBF", "XXO"], ["FEBA", "XXXX"]]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served_at_hand(tmp_path_factory.mktemp("data")) as client:
        yield client


def drawn(client: TestClient, **query: Any) -> dict[str, Any]:
    response = client.get("/api/puzzles", params=query)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.parametrize("theme", ["deduce", "split", "outside", "trap", "mend"])
def test_a_puzzle_is_made_again_from_its_name(client: TestClient, theme: str) -> None:
    made = puzzles("3x6", theme, seed=4)
    expected = [next(made) for _ in range(2)][1]

    shown = drawn(client, rules="3x6", theme=theme, seed=4, skip=1)

    assert {"rules": "3x6", "theme": theme, "seed": 4, "number": 2} == shown["puzzle"]
    assert str(expected.position) == ", ".join(map(" ".join, shown["turns"]))
    assert question(expected) == shown["question"]["says"]
    assert (expected.difficulty, len(expected.codes)) == (shown["difficulty"], shown["codes"])
    solution = ask(client, "puzzles/solution", puzzle=shown["puzzle"])
    if theme == "mend":
        right: dict[str, Any] = {"row": solution["row"]}
        assert shown["answer"] == "row"
    else:
        right = {"guess": solution["answers"][0]}
        assert [format_code(code, "3x6") for code in expected.answers][:40] == solution["answers"]
    judged = ask(client, "puzzles/judge", puzzle=shown["puzzle"], hints=1, **right)
    assert (True, POINTS - 1) == (judged["solved"], judged["points"])
    said = [ask(client, "puzzles/hints", puzzle=shown["puzzle"], step=step + 1) for step in range(shown["hints"])]
    assert all(one["steps"] == shown["hints"] for one in said)
    for one in [*said, *solution["sentences"], shown["question"]]:
        assert all(code in one["says"] for code in one["codes"])


def test_an_attempt_that_misses_is_told_why(client: TestClient) -> None:
    shown = drawn(client, rules="4x6", theme="deduce", seed=1)

    judged = ask(client, "puzzles/judge", puzzle=shown["puzzle"], guess="AAAA")

    assert (False, 0) == (judged["solved"], judged["points"])
    assert judged["says"].startswith("AAAA is not it: row ")
    assert judged["codes"] == ["AAAA"]
    assert judged["clues"]


def test_difficulty_chooses_among_puzzles_and_the_nearest_will_do(client: TestClient) -> None:
    hard = drawn(client, rules="4x6", seed=2, least=0.4)
    nearest = drawn(client, rules="3x4", theme="deduce", seed=2, least=1)

    assert hard["difficulty"] >= 0.4
    assert nearest["difficulty"] < 1


def test_ones_own_mistakes_become_puzzles(client: TestClient) -> None:
    by_text = ask(client, "puzzles/learn", text=GAME)
    by_turns = ask(client, "puzzles/learn", rules="4x6", turns=TURNS)

    assert by_text == by_turns
    assert [puzzle["played"][0] for puzzle in by_text["puzzles"]] == ["BEBF", "FEBA"]
    name = by_text["puzzles"][0]["puzzle"]
    assert name == {"learn": {"rules": "4x6", "turns": TURNS[:3]}}
    played = ask(client, "puzzles/judge", puzzle=name, guess="BEBF")
    best = ask(client, "puzzles/solution", puzzle=name)["answers"][0]
    assert (played["solved"], ask(client, "puzzles/judge", puzzle=name, guess=best)["solved"]) == (False, True)
    assert f"loses {played['loss']:.2f} guesses" in by_text["puzzles"][0]["question"]["says"]


@pytest.mark.parametrize(
    ("path", "body", "field", "said"),
    [
        ("puzzles/judge", {"puzzle": {"rules": "4x6", "number": 1}, "guess": "AAB"}, "guess", "has 3 pegs"),
        ("puzzles/judge", {"puzzle": {"rules": "4x6", "theme": "mend", "number": 1}}, "row", "number of a row"),
        ("puzzles/judge", {"puzzle": {"rules": "4x6", "theme": "mend", "number": 1}, "row": 9}, "row", "no row 9"),
        ("puzzles/judge", {"puzzle": {"rules": "4x6", "theme": "trap", "number": 1}, "row": 1}, "guess", "a guess"),
        ("puzzles/hints", {"puzzle": {"rules": "4x6", "theme": "trap", "number": 1}, "step": 99}, "step", "hints"),
        ("puzzles/judge", {"puzzle": {"rules": "20x20", "number": 1}, "guess": "A"}, "rules", "at most 1,000,000"),
        ("puzzles/judge", {"puzzle": {"rules": "4x", "number": 1}, "guess": "A"}, "puzzle.rules", "4x"),
        (
            "puzzles/solution",
            {"puzzle": {"learn": {"rules": "4x6", "turns": []}}},
            "puzzle.learn.turns",
            "has no turn",
        ),
        ("puzzles/learn", {}, "text", "give one of them"),
        ("puzzles/learn", {"text": "!!!"}, "text", "no row"),
        ("reviews", {"rules": "4x6", "turns": []}, "turns", "no turn to review"),
        ("reviews", {"turns": TURNS}, "rules", "missing"),
        ("reviews", {"rules": "4x6", "turns": [["AABB", "XO"], ["AABB", "-"]]}, "turns", "together"),
        ("reviews", {"rules": "4x6", "turns": TURNS, "secret": "AAAA"}, "secret", "turn 1"),
        ("reviews", {"rules": "4x6", "turns": TURNS, "secret": "AAA"}, "secret", "has 3 pegs"),
        ("reviews", {"text": GAME, "rules": "3x4"}, "text", "one of 4x6, and not of 3x4"),
        ("reviews", {"text": "AABB XXXX\n" * 21, "rules": "4x6"}, "text", "21 games"),
        ("reviews/games", {"text": "AABB XXXX\n" * 201, "rules": "4x6"}, "text", "200 at most"),
        ("reviews/worksheet", {"text": GAME, "as": "pdf"}, "as", "csv"),
        ("reviews/totals", {"rules": "4x6", "games": []}, "games", "must not be empty"),
    ],
)
def test_refusals_name_the_field(client: TestClient, path: str, body: dict[str, Any], field: str, said: str) -> None:
    found, error = refusal(client, path, **body)

    assert field in found
    assert said in error


@pytest.mark.parametrize(
    ("query", "field"),
    [({"theme": "nope"}, "theme"), ({"rules": "20x20"}, "rules"), ({"least": 2}, "least"), ({"skip": 501}, "skip")],
)
def test_puzzles_that_cannot_be_are_refused(client: TestClient, query: dict[str, Any], field: str) -> None:
    response = client.get("/api/puzzles", params={"rules": "4x6", **query})

    assert (422, field) == (response.status_code, response.json()["field"])


def test_a_booklet_is_a_page_without_script(client: TestClient) -> None:
    response = client.get("/api/puzzles/booklet", params={"rules": "3x6", "theme": "deduce", "count": 2, "seed": 1})

    assert response.text.count("<article") == 4
    assert "<script" not in response.text
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'; style-src 'unsafe-inline'" in policy
    assert "script-src" not in policy
    assert "sandbox" in policy


def test_a_booklet_is_told_in_french(client: TestClient) -> None:
    query = "rules=3x6&theme=split&count=1&seed=1&language=fr"
    page = client.get(f"/api/puzzles/booklet?{query}").text

    assert '<html lang="fr">' in page
    for text in [
        "Exercices sur 3x6",
        "1 exercice\u202f; les solutions suivent.",
        "1. séparer, difficulté",
        "codes encore possibles",
    ]:
        assert text in page
    for text in ["solutions follow", "difficulty", "codes left apart", "which?"]:
        assert text not in page


@pytest.mark.parametrize(
    "text",
    [
        GAME,
        f"player: Anna\n{GAME}",
        "rules: 3x4/positional\nAAB XOO\nACC X..",
        "rules: 3x4\nAAB X",
        "rules: 4x6\ncodemaker: cheat\nAABB O\nCCDD -",
    ],
)
def test_reviews_have_the_numbers_of_the_command_line(client: TestClient, tmp_path: Path, text: str) -> None:
    log = tmp_path / "game.txt"
    log.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(cli.group, ["review", str(log), "--json", "--no-level"])
    assert result.exit_code == 0, result.output
    expected = json.loads(result.stdout)["games"][0]

    game = ask(client, "reviews", text=text, level=False, seconds=10)["games"][0]

    assert (expected["codebreaker"], expected["won"]) == (game["game"]["codebreaker"], game["game"]["won"])
    assert {key: expected[key] for key in game["review"]} == game["review"]
    assert expected["others"] == game["others"]
    if game["game"]["codemaker"] == "cheat":
        assert expected["answers"] == game["answers"]
    assert len(game["says"]["turns"]) == len(game["game"]["turns"])


def test_games_are_read_from_many_notations(client: TestClient) -> None:
    text = "aabb 1b 1w\nccdd -\n\nsecret: ABCD\nABCA\nABCD"

    read = ask(client, "reviews/games", text=text, rules="4x6")["games"]

    assert [["XO", "-"], ["XXX", "XXXX"]] == [[marks for _, marks in game["turns"]] for game in read]
    assert [None, "ABCD"] == [game["secret"] for game in read]


def test_worksheets_are_tables_or_pages(client: TestClient) -> None:
    table = client.post("/api/reviews/worksheet", json={"text": GAME})
    page = client.post("/api/reviews/worksheet", json={"text": GAME, "as": "html"})

    rows = list(csv.reader(io.StringIO(table.text)))
    assert [row[1] for row in rows[2:]] == [turn[0] for turn in TURNS]
    assert table.headers["content-type"].startswith("text/csv")
    assert "5.10" in page.text
    assert "<script" not in page.text


def test_totals_of_results_are_those_of_reviews(client: TestClient) -> None:
    from entropeg import Position
    from entropeg.review import review

    games = [TURNS, [["AABC", "XO"], ["ADAE", "OO"]]]
    expected = Totals.of([review(Position("4x6", [" ".join(turn) for turn in game])) for game in games])
    results = []
    for game in games:
        told = ask(client, "reviews", rules="4x6", turns=game, level=False, others=False)["games"][0]["review"]
        result = {key: told[key] for key in ("guesses", "won", "par", "loss", "luck", "remaining")}
        results.append(result | {"marks": [turn["mark"] for turn in told["turns"]]})

    totals = ask(client, "reviews/totals", rules="4x6", games=results, name="Anna")

    assert expected.to_json() == totals["totals"]
    assert expected.lines("Anna") == totals["says"]
    assert totals["level"]["says"].startswith("level: ")


def test_reviews_speak_the_language_that_is_asked_for(client: TestClient) -> None:
    asked = {"rules": "4x6", "turns": TURNS, "level": False, "others": False}
    english, french = (
        client.post("/api/reviews", json=asked, headers={"Accept-Language": language}).json()["games"][0]
        for language in ("en", "fr")
    )

    for told in (english, french):
        for turn in told["review"]["turns"]:
            for clue in turn["clues"]:
                clue.pop("says")
    assert english["review"] == french["review"]
    for one, other in zip(english["says"]["turns"], french["says"]["turns"], strict=True):
        assert all(said != translated for said, translated in zip(one, other, strict=True))


@pytest.mark.parametrize(
    "wrong", [{"value": 1e308}, {"value": 4.34, "error": 1e300}, {"value": 4.34, "fraction": "9"}, {"value": None}]
)
def test_totals_of_numbers_that_no_review_gives_are_refused(client: TestClient, wrong: dict[str, Any]) -> None:
    number = {"sign": "=", "value": 1.0}
    game = {"guesses": 5, "won": True, "par": number | wrong, "loss": number, "luck": number, "remaining": number}
    refused = client.post("/api/reviews/totals", json={"rules": "4x6", "games": [{**game, "marks": []}] * 3})

    assert refused.status_code == 422
    assert refused.json()["field"] == "games.0.par"


def test_a_game_of_which_one_number_is_unknown_is_left_out_of_the_totals(client: TestClient) -> None:
    number = {"sign": "=", "value": 1.0, "error": None, "fraction": None}
    game = {"guesses": 5, "won": True, "marks": []} | dict.fromkeys(("par", "loss", "luck", "remaining"), number)
    for name in ("par", "loss", "luck", "remaining"):
        unknown = [{**game, name: {**number, "sign": sign, "value": None}} for sign in ("≥", "≈")]
        games = [game, *unknown, game]
        totals = client.post("/api/reviews/totals", json={"rules": "4x6", "games": games}).json()
        assert (totals["totals"]["games"], totals["totals"]["known"]) == (4, 2)
