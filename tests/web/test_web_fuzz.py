"""Requests of all shapes, drawn from the API's own description: each is answered, and as it is described.

The same cases every time; `benchmarks/bench_web.py` draws many more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from entropeg.web.settings import ServerLimits
from entropeg.web.work import TaskWorkers
from rooms import cases
from webclient import served

pytestmark = pytest.mark.slow

LONG = "/(advice|mends|hints|reviews|puzzles|watch|runs|trees|bounds|positions)"
"""What thinks: each case of it may take as long as a hundred others."""

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    limits = ServerLimits(workers=1, seconds=5.0, pegs=50, colors=100)
    with served(tmp_path_factory.mktemp("data"), limits=limits) as client:
        workers = TaskWorkers(limits)
        client.app.state.workers = workers  # type: ignore[attr-defined]  # what takes long may be refused here
        yield client
        workers.stop()


usual = settings(
    max_examples=cases(20, 500), derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


BOARDS = ["4x6", "4x6/limit=10", "3x4/positional", "2x2", "words:english", "3x6/shapes=3", "40x50", "4x", "9x9/limit=x"]
CODES = ["AABB", "aabb", "ABCD", "AAB", "A B", "BA", "crane", "A1B2C3", "....", "🟥", ""]
FEEDBACK = ["XO", "-", "XXXX", "2 1", "X.O", "XXXO", "rien", "💥", ""]
ROWS = st.lists(st.tuples(st.sampled_from(CODES), st.sampled_from(FEEDBACK)).map(list), max_size=3)


def right(token: str) -> dict[str, Any]:
    """Values with which every address answers."""
    values = {"rules": "4x6", "text": "AABB XO", "token": token, "guess": "AABB", "turns": [], "codemaker": "honest"}
    return values | {"give_up": True, "secret": None, "number": None, "date": None}


def likely(token: str) -> st.SearchStrategy[dict[str, Any]]:
    """Values of the game, which chance alone would hardly come by; fields of other names stay as they are drawn."""
    players = st.sampled_from(["honest", "cheat", "cheat:first", "biased", "honest:ABCD", "cmd:sh", "tree:x", "x.py"])
    values = {
        "rules": st.just("4x6") | st.sampled_from(BOARDS),
        "text": st.just("AABB XO\n1. ccdd oo") | st.sampled_from(BOARDS),
        "token": st.just(token) | st.sampled_from([token[:-1]]),
        "guess": st.just("AABB") | st.sampled_from(CODES),
        "give_up": st.just(True),
        "secret": st.sampled_from([None, *CODES]),
        "turns": st.just([]) | ROWS,
        "codemaker": players,
        "number": st.sampled_from([None, 1, 1_000_000, 1 << 60]),
        "date": st.sampled_from([None, "2026-01-01", "9999-12-31", "0001-01-01"]),
    }
    return (
        st.sampled_from([right(token), right(token) | {"text": "4x6"}])
        | st.fixed_dictionaries(values)
        | st.fixed_dictionaries({}, optional=values)
    )


def drawn(operation: Any, client: TestClient, token: str) -> set[int]:
    """Send requests of one address, some as described and some not; return the statuses of the answers."""
    statuses = set()

    @usual
    @given(
        case=operation.as_strategy() | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        known=likely(token),
    )
    def send(case: Any, known: dict[str, Any]) -> None:
        for fields in (case.body, case.query):
            if isinstance(fields, dict):
                fields.update({name: value for name, value in known.items() if name in fields})
        asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
        body = {"content": asked["data"]} if isinstance(asked.get("data"), bytes | str) else {"json": asked.get("json")}
        response = client.request(
            asked["method"], asked["url"], params=asked.get("params"), headers=asked["headers"], **body
        )
        statuses.add(response.status_code)
        case.validate_response(response, checks=CHECKS)

    send()
    return statuses


def test_every_request_is_answered_as_described(client: TestClient) -> None:
    description = client.get("/api/openapi.json").json()
    schema = schemathesis.openapi.from_dict(description)
    schema.config.update(base_url="http://127.0.0.1:8000")
    described: list[Any] = list(schema.exclude(path_regex=LONG).get_all_operations())

    def game() -> str:  # for each a game of its own: one that is given up is answered no more
        return str(client.post("/api/games", json={"rules": "4x6"}).json()["token"])

    statuses = {operation.ok().path: drawn(operation.ok(), client, game()) for operation in described}

    # What is drawn depends on the modules that are loaded: Hypothesis takes over their constants. This does not.
    for operation in (each.ok() for each in described):
        asked, values = operation.definition.raw, right(game())
        names = {each["name"] for each in asked.get("parameters", []) if each["in"] == "query"}
        query = {name: value for name, value in (values | {"text": "4x6"}).items() if name in names and value}
        body = None
        if "requestBody" in asked:
            name = asked["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            fields = description["components"]["schemas"][name]["properties"]
            body = {name: value for name, value in values.items() if name in fields}
            if operation.path == "/api/tables":
                body = {"name": "zoo", "text": ",flies\nbat,yes\ncat,no\n"}
        path = operation.path.format(language="en", name="zoo")
        response = client.request(operation.method, path, params=query, json=body)
        assert response.status_code in {200, 201}, (path, response.text)
    assert [path for path, found in statuses.items() if not found] == []
    assert len(statuses) >= 8
