"""What the page's server says of itself and of rules, and how errors look."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from entropeg.rules import PRESETS
from entropeg.web.language import preferred
from webclient import served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("data")) as client:
        yield client


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("fr", "fr"),
        ("fr-CA", "fr"),
        ("FR-ca, en;q=0.9", "fr"),
        ("en-GB,en;q=0.9,fr;q=0.8", "en"),
        ("en;q=0.3, fr;q=0.7", "fr"),
        ("de, fr;q=0.1", "fr"),
        ("de", "en"),
        ("*", "en"),
        ("en;q=0, *", "fr"),
        ("fr;q=0, en;q=0", "en"),
        ("fr;q=2", "en"),
        ("fr;q=abc, en", "en"),
        ("french", "en"),
        ("fr; q=1.000 , en;q=0.999", "fr"),
        ("x" * 100_000, "en"),
    ],
)
def test_the_browser_s_language_is_read_as_the_standard_says(header: str | None, language: str) -> None:
    assert language == preferred(header)


def test_about_names_what_can_be_chosen(client: TestClient) -> None:
    about = client.get("/api/about").json()

    assert [preset["name"] for preset in about["presets"]] == list(PRESETS)
    assert "minimax" in {player["name"] for player in about["codebreakers"]}
    assert "tree" not in {player["name"] for player in about["codebreakers"]}
    assert about["kernels"]["state"] == "none"


@pytest.mark.parametrize("text", [*PRESETS, "4x6", "words:english/positional", "30x60", "2x2/prior=distinct", "1000x9"])
def test_rules_are_described(client: TestClient, text: str) -> None:
    data = client.get("/api/rules", params={"text": text}).json()

    assert len(data["symbols"]) + data["more_symbols"] == data["colors"]
    assert client.get("/api/rules", params={"text": data["text"]}).json() == data


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4x", "'4x' is not a board"),
        ("words:/etc/passwd", "is no list of the package"),
        ("words:english/../../x", "is not an option"),
        ("4x6/prior=/etc/passwd", "is no formula"),
        ("4x6/PRIOR=passwd", "is no formula"),
        ("words:english/probes=x", "no file is read here"),
        ("999999x999999", "larger than what this server plays"),
        ("9" * 400 + "x2", "too large a board"),
        ("4x6\0", "is not a board"),
        ("x" * 5000, "at most 4000"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_a_sentence(client: TestClient, text: str, said: str) -> None:
    response = client.get("/api/rules", params={"text": text})

    assert response.status_code == 422
    assert said in response.json()["error"]
    assert response.json()["field"] == "text"


def test_errors_of_every_kind_have_one_shape(client: TestClient) -> None:
    answers = [client.get("/api/rules"), client.get("/api/nothing"), client.post("/api/about")]

    assert [answer.status_code for answer in answers] == [422, 404, 405]
    assert [set(answer.json()) for answer in answers] == [{"error", "field", "expected"}] * 3


def test_the_page_is_served_and_nothing_written(tmp_path: Path) -> None:
    with served(tmp_path) as client:
        assert client.get("/").headers["content-type"].startswith("text/html")
        assert client.get("/api/about").status_code == 200
    assert [path for path in tmp_path.rglob("*") if path.name != "keeper.lock" and path.is_file()] == []


def test_a_clock_before_the_first_puzzle_closes_nothing(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.web.api.about.today", lambda: date(2025, 12, 31))

    assert client.get("/api/about").json()["daily"] is None


def test_the_language_of_the_server_is_that_of_browsers_that_ask_for_another(tmp_path: Path) -> None:
    with served(tmp_path, language="fr") as client:
        asked = ["de", "de, *;q=0.5", "en", ""]
        told = [client.get("/api/nothing", headers={"Accept-Language": each}).json()["error"] for each in asked]

        language = client.get("/api/about").json()["language"]

    assert language == "fr"
    assert told[2] == "there is no such page"
    assert told[0] == told[1] == told[3] != told[2]
