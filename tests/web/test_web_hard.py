"""Hard rules over the page's API, and on the page: a guess that leaves a clue out is refused at its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from browser import Visitor
from webclient import served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("data")) as client:
        yield client


def refusal(client: TestClient, path: str, data: dict[str, Any]) -> tuple[str, str]:
    told = client.post(f"/api/{path}", json=data)
    assert 400 <= told.status_code < 500
    refused: dict[str, str] = told.json()
    return refused["field"], refused["error"]


def test_rules_say_that_they_are_hard(client: TestClient) -> None:
    told = client.get("/api/rules", params={"text": "4x6/hard/limit=6"}).json()

    assert ("4x6/positional/hard/limit=6", True) == (told["text"], told["hard"])
    assert "each guess uses every clue" in told["says"]
    french = client.get("/api/rules", params={"text": "4x6/hard"}, headers={"Accept-Language": "fr"}).json()
    assert "chaque proposition utilise toutes les indications" in french["says"]


def test_a_guess_that_leaves_a_clue_out_is_refused_at_its_place(client: TestClient) -> None:
    game = client.post("/api/games", json={"rules": "3x4/hard", "secret": "ABC"}).json()
    sent = {"rules": "3x4/hard", "turns": [], "guess": "ACD", "token": game["token"]}
    answer = client.post("/api/answers", json=sent).json()
    following = sent | {"turns": [answer["turn"]]}

    assert ["ACD", "XO."] == answer["turn"]
    assert ("guess", "BAA does not use every clue: peg 1 was in place: it must be A") == refusal(
        client, "answers", following | {"guess": "BAA"}
    )
    assert 200 == client.post("/api/answers", json=following | {"guess": "ABC"}).status_code
    turns = [["ACD", "XO."], ["ABB", "XX."]]
    assert ("turns.1.0", "ABB does not use every clue: a guess must have C") == refusal(
        client, "positions", {"rules": "3x4/hard", "turns": turns}
    )
    rows = ["ACD XO.", "ABB XX."]
    field, message = refusal(client, "advice", {"rules": "3x4/hard", "rows": rows})
    assert "rows.1" == field
    assert message.startswith("row 2 (ABB XX.) does not use every clue of the rows before")


def test_a_box_makes_rules_hard_where_pegs_are_marked(visitor: Visitor) -> None:
    page = visitor.open("/", reduced_motion=True)
    page.locator("#new-game summary").first.click()
    box = page.get_by_label("Hard: each guess uses every clue")
    expect(box).to_have_count(0)
    page.get_by_text("Every option").first.click()
    page.get_by_label("Rules as text").fill("3x4/positional/limit=9")
    box.check()
    expect(page.get_by_label("Rules as text")).to_have_value("3x4/positional/limit=9/hard")
    expect(page.locator(".new-game")).to_contain_text("each guess uses every clue")
    box.uncheck()
    expect(page.get_by_label("Rules as text")).to_have_value("3x4/positional/limit=9")
