"""Positions over the page's API: counts that are exact say so, and others what they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from entropeg import Position
from entropeg.codes import format_code
from webclient import served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("data")) as client:
        yield client


def asked(client: TestClient, **position: Any) -> dict[str, Any]:
    response = client.post("/api/positions", json=position)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


@pytest.mark.parametrize(
    ("rules", "turns"),
    [
        ("4x6", []),
        ("4x6", [["AABB", "XO"], ["CCDA", "OO"]]),
        ("3x6/blanks-in-secrets", [["AB.", "X"]]),
        ("3x4/positional", [["AAB", "X.O"]]),
        ("3x6/shapes=3", [["A1A2B1", "X~"]]),
        ("2x3/prior=distinct", [["AB", "O"]]),
        ("6x7", [["AABBCC", "XOO"], ["DDEEFF", "XX"]]),
    ],
)
def test_codes_left_are_counted_and_chances_add_up(client: TestClient, rules: str, turns: list[list[str]]) -> None:
    found = asked(client, rules=rules, turns=turns)
    position = Position(rules, [(guess, feedback) for guess, feedback in turns])

    assert found["left"]["count"] == len(position.candidates)
    assert found["left"]["exact"]
    assert found["left"]["codes"] == [format_code(code, position.rules) for code in position.candidates[:10]]
    assert [pytest.approx(1)] * position.rules.pegs == [sum(peg.values()) for peg in found["marginals"]]
    assert sum(found["copies"].values()) == pytest.approx(position.rules.pegs)


@pytest.mark.parametrize(
    ("rules", "guess", "says"),
    [("8x12", "AABBCCDD", "about 18,"), ("12x20", "AABBCCDDEEFF", "a sample of 2,000 codes that fit")],
)
def test_codes_that_nobody_can_count_are_told_about(client: TestClient, rules: str, guess: str, says: str) -> None:
    left = asked(client, rules=rules, turns=[[guess, "XXOO"]])["left"]

    assert left["count"] is None
    assert not left["exact"]
    assert left["says"].startswith(says)


@pytest.mark.parametrize("rules", ["30x40", "1000x1000", "12x20"])
def test_the_codes_of_a_large_board_are_counted_without_a_list(client: TestClient, rules: str) -> None:
    left = asked(client, rules=rules)["left"]

    assert left["exact"]
    assert left["says"].startswith("about 10^")


def test_a_position_that_no_code_fits_names_its_rows(client: TestClient) -> None:
    found = asked(client, rules="4x6", turns=[["AABB", "XX"], ["CCDD", "XXO"]])

    assert found["left"]["count"] == 0
    assert "turn 1 (AABB XX) and turn 2 (CCDD XXO)" in found["conflict"]


def test_rows_of_which_the_last_is_all_black_are_a_game_that_is_won(client: TestClient) -> None:
    found = asked(client, rules="4x6", rows=["A??? ?", "AABB XXXX"])

    assert (found["state"], found["left"]["count"]) == ("won", 1)


def test_rows_of_which_not_all_is_known_are_counted(client: TestClient) -> None:
    found = asked(client, rules="4x6", rows=["AABB XO?", "CC?D 1 ?"])

    assert found["left"]["count"] == 274


@pytest.mark.parametrize(
    ("position", "field"),
    [
        ({"rules": "4x6", "turns": [["AABB", "XO"], ["AAB", "X"]]}, "turns.1.0"),
        ({"rules": "4x6", "turns": [["AABB", "XXXO"]]}, "turns.0.1"),
        ({"rules": "4x6", "turns": [["AABB", "XXXX"], ["AABB", "X"]]}, "turns.1"),
        ({"rules": "4x6", "turns": [["AABB"]]}, "turns.0"),
        ({"rules": "4x6", "turns": "AABB"}, "turns"),
        ({"rules": "4x6", "rows": ["AABB X", "AAGB X"]}, "rows.1"),
        ({"rules": "4x6", "rows": ["AABB X"], "turns": [["AABB", "X"]]}, "rows"),
        ({"rules": "4x6", "turns": [["AABB", "-"]] * 2001}, "turns"),
    ],
)
def test_what_is_wrong_with_a_position_is_told_at_its_field(
    client: TestClient, position: dict[str, Any], field: str
) -> None:
    refused = client.post("/api/positions", json=position)

    assert refused.status_code == 422
    assert refused.json()["field"] == field
