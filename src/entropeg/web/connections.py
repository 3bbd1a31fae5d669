"""Bounds the connections that are open, and the bytes half-sent on them: uvicorn bounds only whole requests.

A connection is *sending* while a request has not come in whole, from its first moment on; *idle* between two requests;
and *working* while the server has one. A request has a time to come in. Of too many that are sending, or that are open,
the oldest goes of the address that has most; of too many bytes, the connection that holds most. So whoever sends
slowly stands in the way of nobody else, behind another server and on a shared address too.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterable
from enum import Enum, auto
from time import monotonic
from typing import Any

import h11
from starlette.datastructures import Headers
from uvicorn.protocols.http.h11_impl import H11Protocol

from entropeg.told import Told
from entropeg.web.language import preferred
from entropeg.web.refusals import error_data
from entropeg.web.settings import Settings

SECONDS = 20.0
"""For a request to come in whole (it has some KB, 2 MB at most), and for the next bytes of an answer to be taken."""


SOON = 1.0
"""Seconds in which nobody is let go of for others, as long as there is room: who sends a whole request needs less."""


class ConnectionState(Enum):
    """What a connection waits for."""

    sending = auto()
    idle = auto()
    working = auto()


class OpenConnections:
    """The connections of a server in each state, the oldest first, and the bytes of requests that are not whole."""

    def __init__(self, settings: Settings) -> None:
        self.limits, self.language = settings.limits, settings.language
        self.held = 0
        self._in: dict[ConnectionState, dict[PageConnection, float]] = {state: {} for state in ConnectionState}

    def move(self, connection: PageConnection, state: ConnectionState | None) -> None:
        """Note another state of a connection, None where it is gone; let go of one where there are too many."""
        if connection.state is not None:
            del self._in[connection.state][connection]
        self.held -= connection.held
        connection.state, connection.held = state, 0
        if state is None:
            return
        self._in[state][connection] = now = monotonic()
        sending, idle, _ = self._in.values()
        is_crowded = len(sending) > self.limits.sending
        if sum(map(len, self._in.values())) > self.limits.connections:
            _oldest(sending if is_crowded or not idle else idle).end(503, _TOO_MUCH)
        elif is_crowded and now - sending[one := _oldest(sending)] > SOON:
            one.end(503, _TOO_MUCH)

    def hold(self, connection: PageConnection, count: int) -> None:
        """Note bytes that came; let go of the connection that holds most where all of them hold too many."""
        connection.held += count
        self.held += count
        if self.held > self.limits.held:
            max(self._in[ConnectionState.sending], key=lambda each: each.held).end(503, _TOO_MUCH)


def _oldest(connections: Iterable[PageConnection]) -> PageConnection:
    counts = Counter(each.address for each in connections)
    most = max(counts.values())
    return next(each for each in connections if counts[each.address] == most)


_TOO_MUCH = Told("too much is being sent to this server just now: ask again in some seconds")


class PageConnection(H11Protocol):
    """A connection that ends where it is late, or one too many."""

    def __init__(self, connections: OpenConnections, **given: Any) -> None:
        super().__init__(**given)
        self.open = connections
        self.state: ConnectionState | None = None
        self.held = 0
        self._timer: asyncio.TimerHandle | None = None

    @property
    def address(self) -> str:
        """Who is at its other end."""
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin: a request is to come."""
        super().connection_made(transport)
        self._become(ConnectionState.sending)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._become(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes of a request, or all."""
        if self.state is ConnectionState.idle:
            self._become(ConnectionState.sending)
        super().data_received(data)
        self._sort()
        if self.state is ConnectionState.sending and self.conn.our_state is not h11.DONE:  # then nothing is kept
            self.open.hold(self, len(data))

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._sort()

    def pause_writing(self) -> None:
        """Wait for whoever does not take an answer, but not for ever."""
        super().pause_writing()
        self._begin_timer()

    def resume_writing(self) -> None:
        """Go on with an answer."""
        super().resume_writing()
        if self.state is ConnectionState.working:
            self._end_timer()

    def shutdown(self) -> None:
        """Wait for an answer, but for no request, when the server ends."""
        if self.state is ConnectionState.sending:
            self.transport.close()
        else:
            super().shutdown()

    def _sort(self) -> None:
        if self.state is None:
            return
        if self.cycle is not None and not self.cycle.response_complete:
            state = ConnectionState.sending if self.cycle.more_body else ConnectionState.working
        elif self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0] or self.cycle is None:
            state = ConnectionState.sending
        else:
            state = ConnectionState.idle
        if state is not self.state:
            self._become(state)

    def _become(self, state: ConnectionState | None) -> None:
        self._end_timer()
        if state is ConnectionState.sending:
            self._begin_timer()
        self.open.move(self, state)

    def _begin_timer(self) -> None:
        self._end_timer()
        late = Told("the request did not come in within {seconds:.0f} seconds: send it again", SECONDS)
        self._timer = self.loop.call_later(SECONDS, self.end, 408, late)

    def _end_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def end(self, status: int, sentence: str) -> None:
        """Close the connection, with an answer where a request has begun that got none."""
        if self.state is ConnectionState.sending and self.cycle is not None and not self.cycle.response_started:
            asked = Headers(raw=self.headers).get("accept-language", "")  # the app has not seen it yet
            data = error_data(sentence, preferred(asked, self.open.language))
            body = json.dumps(data, ensure_ascii=False).encode()
            head = b"HTTP/1.1 %d Refused\r\nContent-Type: application/json\r\nRetry-After: 5\r\n" % status
            self.transport.write(head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            self.transport.close()
        else:
            self.transport.abort()
        self._become(None)
