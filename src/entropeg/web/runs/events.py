"""Tells of a long run by server-sent events: each is a snapshot, so that nothing has to be caught up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from entropeg.web.language import told
from entropeg.web.runs.keeper import RunKeeper


def stream(keeper: RunKeeper, name: str, language: str) -> StreamingResponse:
    """Answer with the events of a run: `progress` now and at every change, `done` at its end.

    Raises RefusedError where there is no such run, or where too many listen already. The stream ends with the run,
    when nobody listens any more, and with the server.
    """
    keeper.run(name)
    keeper.listen()
    return EventStream(keeper, name, language)


class EventStream(StreamingResponse):
    """The events of a run for one who listens, whose place is free again afterwards."""

    def __init__(self, keeper: RunKeeper, name: str, language: str) -> None:
        """Take a run that there is."""
        super().__init__(
            _events(keeper, name, language),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
        self._keeper = keeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._keeper.leave()


async def _events(keeper: RunKeeper, name: str, language: str) -> AsyncIterator[str]:
    # Two events are at least 0.2 seconds apart; after 10 silent seconds a comment keeps the connection alive.
    async for run in keeper.snapshots(name, every=0.2, beat=10.0):
        if run is None:
            yield ": still running\n\n"
            continue
        kind = "progress" if run.is_open else "done"
        yield f"event: {kind}\ndata: {json.dumps(told(run.to_json(), language))}\n\n"
