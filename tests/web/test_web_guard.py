"""The guard of the page's server: pages from elsewhere, sizes of requests, headers, and what a request cannot reach."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from entropeg.web import guard
from entropeg.web.guard import Gauge, Guard, is_deeper
from entropeg.web.refusals import RefusedError
from entropeg.web.settings import PUBLIC, ServerLimits, Settings
from entropeg.web.work import GONE
from webclient import served


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served(tmp_path_factory.mktemp("data"), limits=ServerLimits(workers=1, body=100_000)) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "status"),
    [
        *(("127.0.0.1:8000", 200), ("localhost", 200), ("LOCALHOST:1", 200), ("[::1]:8000", 200)),
        *(("localhost.", 421), ("127.0.0.1:", 421), ("127.0.0.1:65536", 421), ("127.0.0.1:80a", 421), ("::1", 421)),
        *(("evil.example@127.0.0.1", 421), ("evil.example:80@127.0.0.1", 421), ("127.0.0.1@evil.example", 421)),
        *(("127.0.0.1/x", 421), ("127.0.0.1?x", 421), ("127.0.0.1#x", 421), ("127.0.0.1, evil.example", 421)),
        *(("127.0.0.1 evil.example", 421), ("127.0.0.1\tx", 421), ("[127.0.0.1]", 421), ("[::1]x", 421)),
        *(("[::1%25lo]", 421), ("http://127.0.0.1", 421), ("127.0.0.1:8000:8000", 421), ("[[::1]]", 421)),
        *(("evil.example", 421), ("127.0.0.1.evil.example", 421), ("192.168.1.5", 421), ("", 421), ("[::1", 421)),
    ],
)
def test_only_the_names_of_this_machine_are_answered(client: TestClient, host: str, status: int) -> None:
    assert client.get("/api/about", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [("192.168.1.5:80", 200), ("play.example", 200), ("other.example", 421), ("[fe80::1%25eth0]", 421)],
)
def test_a_server_for_all_addresses_answers_numbers_and_the_names_allowed(
    tmp_path: Path, host: str, status: int
) -> None:
    with served(tmp_path, host="0.0.0.0", allowed_hosts=("play.example",)) as client:  # noqa: S104 (nothing listens)
        assert client.get("/api/rules?text=2x2", headers={"Host": host}).status_code == status


VISIT = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {"Sec-Fetch-Site": "cross-site", **VISIT}, 200),
        ("GET", "/", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"}, 403),
        ("GET", "/", {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403),
        ("GET", "/api/about", {"Sec-Fetch-Site": "cross-site", **VISIT}, 403),
        ("GET", "/api/about", {"Sec-Fetch-Site": "same-site"}, 403),
        ("GET", "/api/about", {"Sec-Fetch-Site": "same-origin"}, 200),
        ("GET", "/api/about", {"Sec-Fetch-Site": "none"}, 200),
        ("GET", "/api/about", {"Origin": "http://evil.example"}, 403),
        ("GET", "/api/about", {"Origin": "http://127.0.0.1:9000"}, 403),
        ("GET", "/api/about", {"Origin": "null"}, 403),
        ("GET", "/api/about", {"Origin": "http://[::1"}, 403),
        ("POST", "/api/games", {"Origin": "http://evil.example"}, 403),
        ("POST", "/api/games", {"Origin": "http://127.0.0.1:8000"}, 201),
        ("POST", "/api/games", {}, 201),
        ("OPTIONS", "/api/games", {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}, 403),
    ],
)
def test_a_page_from_elsewhere_may_lead_here_and_ask_for_nothing(
    client: TestClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    body = {"rules": "2x2"} if method == "POST" else None

    assert client.request(method, path, headers=headers, json=body).status_code == status


@pytest.mark.parametrize("path", ["/", "/api/about", "/api/nothing", "/nothing", "/api/rules?text=x"])
def test_every_answer_has_the_headers_of_the_guard(client: TestClient, path: str) -> None:
    headers = client.get(path).headers

    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers


def test_files_are_compressed_and_asked_for_again_each_time(client: TestClient) -> None:
    whole = client.get("/style.css")
    again = client.get("/style.css", headers={"If-None-Match": whole.headers["etag"]})

    assert whole.headers["content-encoding"] == "gzip"
    assert whole.headers["cache-control"] == "no-cache"
    assert again.status_code == 304
    assert client.get("/api/about").headers["cache-control"] == "no-store"


DEEP = '{"rules":' + "[" * 3000 + "]" * 3000 + "}"


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        ("x" * 100_001, 413, "too large: 97 KB at most"),
        (DEEP, 422, "nested too deeply"),
        ("", 422, ""),
        ("{", 422, "not JSON"),
        ("[]", 422, "must be an object"),
        ('{"rules": NaN}', 422, "must be text"),
        ('{"rules": "4x6", "number": NaN}', 422, "number"),
        ('{"rules": "4x6", "number": 1e400}', 422, "number"),
        ('{"rules": "4x6", "number": ' + "9" * 5000 + "}", 422, ""),
        ('{"rules": "\\ud800"}', 422, ""),
        ('{"rules": "4x6\\u0000"}', 422, "not a board"),
        ('{"rules": "4x6", "secret": "\\u0000"}', 422, "peg"),
        ('{"date": "9999-12-31"}', 422, "not out yet"),
    ],
)
def test_a_body_that_cannot_be_is_refused_in_a_sentence(client: TestClient, body: str, status: int, said: str) -> None:
    refused = client.post("/api/games", content=body.encode(), headers={"Content-Type": "application/json"})

    assert refused.status_code == status
    assert set(refused.json()) >= {"error", "field", "expected"}
    assert said in refused.json()["error"]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with the body that came, and whether more is to come."""
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"] + str(message["more_body"]).encode()})


def answered(*pieces: bytes | None, host: str | None = "localhost", length: str | None = None) -> tuple[int, bytes]:
    """Return status and body that a guard of ten bytes and two levels lets through; None is a lost connection."""
    headers = [("host", host), ("content-length", length), ("transfer-encoding", None if length else "chunked")]
    settings = Settings(data=Path(), limits=ServerLimits(body=10, depth=2))
    scope = {
        "app": SimpleNamespace(state=SimpleNamespace(settings=settings)),
        "type": "http",
        "method": "POST",
        "path": "/api/x",
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers if value is not None],
    }
    lost: Message = {"type": "http.disconnect"}
    incoming = [
        lost if piece is None else {"type": "http.request", "body": piece, "more_body": number < len(pieces)}
        for number, piece in enumerate(pieces, 1)
    ]
    sent: list[Message] = []

    async def receive() -> Message:
        return incoming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(Guard(echo, settings)(scope, receive, send))
    return sent[0]["status"], sent[1]["body"]


def test_a_body_comes_whole_whatever_its_pieces_and_may_be_as_large_as_the_limit() -> None:
    assert (200, b"0123456789False") == answered(b"01234", b"56789")
    assert (200, b"0123456789False") == answered(b"0123456789", length="10")
    assert (200, b"01False") == answered(b"01", length="0")
    assert (
        413 == answered(b"01234", b"567890")[0] == answered(b"", length="11")[0] == answered(b"", length="9" * 5000)[0]
    )


def test_a_request_that_ends_early_has_its_own_status() -> None:
    status, body = answered(b"01", None)

    assert (GONE, True) == (status, b"whoever asked has gone" in body)


def test_a_request_without_a_host_is_refused() -> None:
    status, body = answered(b"", host=None)

    assert (421, True) == (status, b"'' is no name by which a browser asks" in body)


def test_how_deep_a_request_may_be_is_said_and_counts_levels_not_brackets() -> None:
    status, body = answered(b"[[[]]]")

    assert (422, True) == (status, b"nested too deeply: 2 levels at most" in body)
    assert (200, b"[[],[],[]]False") == answered(b"[[],[],[]]")
    assert [False, True] == [is_deeper(b'{"a": [{}, {}, "]}]}"]}', depth) for depth in (3, 2)]
    assert not is_deeper(b'[]["[[[[\\"[[["]', 1)


def request_from(address: str) -> Request:
    return Request({"type": "http", "client": (address, 1)})


def test_heavy_work_is_counted_by_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(guard, "monotonic", lambda: now[0])
    gauge = Gauge(2)
    for now[0] in (1000.0, 1010.5):
        gauge.count(request_from("a"))
    with pytest.raises(
        RefusedError, match=r"does 2 pieces of heavy work a minute .* ask again in 50 seconds"
    ) as refused:
        gauge.count(request_from("a"))

    assert (429, 50) == (refused.value.status, refused.value.retry)

    gauge.count(request_from("b"))
    now[0] = 1060.5
    gauge.count(request_from("a"))
    with pytest.raises(RefusedError, match="ask again in 11 seconds"):
        gauge.count(request_from("a"))
    for _ in range(5):
        Gauge(0).count(request_from("a"))


def test_ten_thousand_addresses_are_remembered_those_that_asked_last() -> None:
    gauge = Gauge(1)
    for number in range(10_000):
        gauge.count(request_from(str(number)))
    with pytest.raises(RefusedError):
        gauge.count(request_from("0"))
    gauge.count(request_from("new"))

    gauge.count(request_from("1"))  # which was forgotten
    with pytest.raises(RefusedError):
        gauge.count(request_from("0"))


def test_a_body_of_unknown_length_is_cut_off_too(client: TestClient) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"x" * 1000

    assert client.post("/api/games", content=endless()).status_code == 413


@pytest.mark.parametrize(
    "path", ["/../settings.py", "/%2e%2e/settings.py", "/..%2fsettings.py", "/%00", "/static/../app.py", "//etc/passwd"]
)
def test_no_file_but_those_of_the_page_is_served(client: TestClient, path: str) -> None:
    response = client.get(path)

    assert response.status_code in {404, 422}
    assert "Settings" not in response.text


def test_a_fault_of_the_server_is_one_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("secret things")

    monkeypatch.setattr("entropeg.web.tasks.games.answer", broken)
    game = client.post("/api/games", json={"rules": "4x6"}).json()
    fault = client.post("/api/answers", json={"rules": "4x6", "guess": "AABB", "token": game["token"]})

    assert fault.status_code == 500
    assert "secret things" not in fault.text
    assert fault.json()["error"].startswith("something went wrong")


def test_a_public_server_counts_heavy_work_by_address(tmp_path: Path) -> None:
    limits = ServerLimits(workers=1, a_minute=2)
    with served(tmp_path, limits=limits, public=True) as client:
        asked = {"rules": "6x7", "turns": [["AABBCC", "-"], ["DDEEFF", "-"]]}
        statuses = [client.post("/api/positions", json=asked).status_code for _ in range(3)]

        assert statuses == [200, 200, 429]
        refused = client.post("/api/positions", json=asked)
        assert f"ask again in {refused.headers['retry-after']} seconds" in refused.json()["error"]
        assert client.get("/api/about").json()["public"]
        other = TestClient(
            client.app, str(client.base_url), client=("203.0.113.7", 50_000), raise_server_exceptions=False
        )
        others = [other.post("/api/positions", json=asked).status_code for _ in range(3)]
        assert others == [200, 200, 429]
        assert client.post("/api/positions", json=asked).status_code == 429


def test_a_public_server_has_no_limit_that_is_wider() -> None:
    usual = ServerLimits()
    names = (
        "body",
        "connections",
        "sending",
        "held",
        "pegs",
        "colors",
        "turns",
        "seconds",
        "memory",
        "waiting",
        "runs",
        "run_games",
        "run_seconds",
    )

    assert [name for name in names if getattr(PUBLIC, name) > getattr(usual, name)] == []
    assert PUBLIC.a_minute


@pytest.mark.parametrize(("host", "is_own"), [("127.0.0.1", True), ("127.8.9.1", True), ("::1", True), ("::", False)])
def test_addresses_of_this_machine_are_told_from_names(host: str, is_own: bool) -> None:
    assert Settings(data=Path(), host=host).is_loopback == is_own
    assert not Settings(data=Path(), host="127.example.org").is_loopback
