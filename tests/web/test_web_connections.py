"""Connections of the page's server that are half-sent, too many, or not read from: each comes to an end."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from entropeg.web import connections
from entropeg.web.serving import bound, create_app, server_of
from entropeg.web.settings import ServerLimits, Settings

PATIENCE = 60.0
"""Seconds after which a test fails that waits for an answer."""

HEAD = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
WHOLE = b"GET /api/rules?text=2x2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@contextmanager
def serving(data: Path, **limits: int) -> Iterator[int]:
    """A server in a thread, and its port."""
    settings = Settings(data, port=0, warm=False, limits=ServerLimits(workers=1, **limits))
    listener, ready = bound(settings), Event()
    server = server_of(create_app(settings), ready.set)
    thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listener.close()


def sent(port: int, content: bytes, source: str = "127.0.0.1") -> socket.socket:
    """A connection from an address of this machine on which something was sent."""
    one = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE, source_address=(source, 0))
    one.sendall(content)
    return one


def body_of(size: int, sent_of_it: int) -> bytes:
    """A request of which a part of the body is there."""
    return HEAD + f"Content-Length: {size}\r\n\r\n".encode() + b" " * sent_of_it


def rest(one: socket.socket) -> bytes:
    """What still comes until the other end closes."""
    found = b""
    with one, suppress(ConnectionResetError):
        while piece := one.recv(1 << 16):
            found += piece
    return found


def answer(one: socket.socket) -> bytes:
    """One answer, as a whole."""
    found = one.recv(1 << 16)
    while b"\r\n\r\n" not in found:
        found += one.recv(1 << 16)
    head, _, body = found.partition(b"\r\n\r\n")
    length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))[16:])
    while len(body) < length:
        body += one.recv(1 << 16)
    return head + b"\r\n\r\n" + body


def can_send(one: socket.socket, content: bytes) -> bool:
    """Send some more; whether the other end is there."""
    try:
        one.sendall(content)
    except OSError:
        return False
    return True


def test_half_of_a_request_has_a_time_to_come_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as port:
        asked = [sent(port, WHOLE) for _ in range(2)]
        whole = [answer(one) for one in asked]
        monkeypatch.setattr(connections, "SECONDS", 0.2)  # it begins with what comes next
        for one, half in zip(asked, (HEAD[:40], body_of(99, 3)), strict=True):
            one.sendall(half)
        headers, body = map(rest, asked)
        nothing = rest(sent(port, b""))

    assert all(each.startswith(b"HTTP/1.1 200 ") for each in whole)
    assert (b"", b"") == (headers, nothing)
    assert body.startswith(b"HTTP/1.1 408 ")
    assert "did not come in" in json.loads(body.partition(b"\r\n\r\n")[2])["error"]


def test_a_body_that_drips_in_after_it_was_refused_comes_to_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(tmp_path, body=1000) as port, closing(sent(port, WHOLE)) as one:
        answer(one)
        monkeypatch.setattr(connections, "SECONDS", 0.5)
        one.sendall(body_of(10**9, 1))

        assert answer(one).startswith(b"HTTP/1.1 4")
        assert any(not can_send(one, b" ") for _ in range(10**9))


def test_of_too_many_that_send_the_oldest_of_the_address_that_has_most_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "SOON", -1.0)
    with serving(tmp_path, sending=3) as port:
        other = sent(port, body_of(99, 3), "127.0.0.2")
        ours = []
        for _ in range(4):
            ours.append(sent(port, body_of(99, 3)))
            with closing(sent(port, WHOLE)) as one:  # what was sent before is there
                assert answer(one).startswith(b"HTTP/1.1 200 ")
        gone = [rest(one) for one in ours[:2]]
        other.sendall(b" " * 96)
        kept = answer(other)
        for one in (other, *ours):
            one.close()

    assert all(each.startswith(b"HTTP/1.1 503 ") for each in gone)
    assert b"too much is being sent" in gone[0]
    assert kept.startswith(b"HTTP/1.1 422 ")


def test_of_too_many_bytes_those_of_the_request_that_holds_most_go(tmp_path: Path) -> None:
    with serving(tmp_path, held=10_000) as port:
        small, large = sent(port, body_of(99, 3)), sent(port, body_of(50_000, 9_000))
        third = sent(port, body_of(50_000, 4_000))
        gone = rest(large)
        small.sendall(b" " * 96)
        kept = answer(small)
        for one in (small, large, third):
            one.close()

    assert gone.startswith(b"HTTP/1.1 503 ")
    assert kept.startswith(b"HTTP/1.1 422 ")


def test_an_idle_connection_makes_room_for_a_new_one(tmp_path: Path) -> None:
    with serving(tmp_path, connections=3) as port:
        kept = []
        for _ in range(5):
            kept.append(sent(port, WHOLE))
            assert answer(kept[-1]).startswith(b"HTTP/1.1 200 ")
        gone = [rest(one) for one in kept[:2]]
        kept[-1].sendall(WHOLE)
        last = answer(kept[-1])
        for one in kept:
            one.close()

    assert gone == [b"", b""]
    assert last.startswith(b"HTTP/1.1 200 ")


def test_whoever_takes_no_answers_is_let_go_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = WHOLE.replace(b"/api/rules?text=2x2", b"/api/openapi.json")
    with serving(tmp_path) as port, closing(sent(port, asked)) as one:
        answer(one)
        monkeypatch.setattr(connections, "SECONDS", 0.5)
        # The server cannot write any more at some time, then reads no more, and closes in the end.
        assert any(not can_send(one, asked) for _ in range(10**9))
