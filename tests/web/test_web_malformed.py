"""What the server says of requests that have not the described shape: the field as sent, and what would be right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from webclient import served_at_hand

PUZZLE = {"rules": "3x4", "theme": "deduce", "seed": 1, "number": 1}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served_at_hand(tmp_path_factory.mktemp("served")) as client:
        yield client


@pytest.mark.parametrize(
    ("address", "body", "path", "said", "expected"),
    [
        ("games", {"rules": 5}, "rules", "rules: it must be text", "4x6/limit=10"),
        ("games", {"rules": "4x6", "number": 0}, "number", "number: it must be at least 1", 1),
        ("games", {"rules": "4x6", "number": 1.5}, "number", "number: it must be a whole number", 1),
        ("games", {"date": 20261123}, "date", "date: it must be a date", "2026-01-01"),
        ("games", {"rules": "4x6", "colour": 1}, "colour", "colour: there is no such field", None),
        ("games", [], "", "it must be an object", {"rules": "4x6/limit=10", "codemaker": "honest"}),
        ("games", "{broken", "", "the request is not JSON", None),
        ("answers", {"rules": "4x6", "guess": "AABB", "token": ""}, "token", "token: it must not be empty", None),
        ("answers", {"rules": "4x6", "guess": 7, "token": "x"}, "guess", "guess: it must be text", "AABB"),
        (
            "positions",
            {"rules": "4x6", "turns": [["AABB"]]},
            "turns.0",
            "turns 1: it must have at least 2",
            ["AABB", "XO"],
        ),
        ("positions", {"rules": "4x6", "rows": [5]}, "rows.0", "rows 1: it must be text", None),
        ("puzzles/judge", {"puzzle": {}}, "puzzle.rules", "puzzle rules: it is missing", "4x6"),
        ("puzzles/judge", {"puzzle": {"learn": {}}}, "puzzle.learn.rules", "puzzle learn rules: it is missing", "4x6"),
        ("puzzles/judge", {"puzzle": {**PUZZLE, "number": 0}}, "puzzle.number", "puzzle number: it must be at", 1),
        ("puzzles/judge", {"puzzle": PUZZLE}, "guess", "the answer to this puzzle is a guess", "AAB"),
        ("puzzles/judge", {"puzzle": PUZZLE, "guess": "AAB", "row": 1}, "row", "an attempt is a guess or a row", None),
        ("runs", {}, "kind", "kind: it is missing", "arena"),
        ("runs", {"kind": "dance"}, "kind", "kind: it must be one of 'arena', 'proof'", "arena"),
        ("runs", {"kind": "proof"}, "rules", "rules: it is missing", "4x6"),
        (
            "runs",
            {"kind": "arena", "rules": "4x6", "codebreakers": 1},
            "codebreakers",
            "codebreakers: it must be a",
            ["entropy", "consistent"],
        ),
    ],
)
def test_the_field_is_named_as_it_was_sent_with_an_example(
    client: TestClient, address: str, body: object, path: str, said: str, expected: object
) -> None:
    sent: dict[str, Any] = {"headers": {"Content-Type": "application/json"}}
    sent["content" if isinstance(body, str) else "json"] = body
    answer = client.post(f"/api/{address}", **sent)
    told = answer.json()
    assert answer.status_code == 422
    assert told["field"] == path
    assert told["error"].startswith(said)
    assert told["expected"] == expected
    sent["headers"]["Accept-Language"] = "fr"
    assert client.post(f"/api/{address}", **sent).json()["error"] != told["error"]


@pytest.mark.parametrize(
    ("address", "path", "said"),
    [
        ("daily?number=abc", "number", "number: it must be a whole number"),
        ("daily?date=2026-01-02&number=3", "number", "a puzzle is named by its date or by its number"),
        ("puzzles?rules=3x4&least=nan", "least", "least: it must be a finite number"),
        ("puzzles?rules=3x4&lest=0", "lest", "lest: there is no such field"),
        ("bounds", "rules", "rules: it is missing"),
    ],
)
def test_parameters_of_an_address_are_told_alike(client: TestClient, address: str, path: str, said: str) -> None:
    answer = client.get(f"/api/{address}")
    assert answer.status_code == 422
    assert answer.json()["field"] == path
    assert answer.json()["error"].startswith(said)


def test_the_language_of_a_puzzle_may_be_asked_for(client: TestClient) -> None:
    told = [client.get(f"/api/puzzles?rules=3x4&theme=deduce&language={each}").json() for each in ("en", "fr")]
    assert told[0]["puzzle"] == told[1]["puzzle"]
    assert told[0]["question"]["says"] != told[1]["question"]["says"]
