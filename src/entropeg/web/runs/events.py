"""Tells of a long run by server-sent events: each is a snapshot, so that nothing has to be caught up."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from starlette.responses import StreamingResponse

from entropeg.web.language import told
from entropeg.web.runs.keeper import RunKeeper

EVERY = 0.2
"""Seconds between two events, at least."""

BEAT = 10.0
"""Seconds after which a comment keeps the connection alive."""


def stream(keeper: RunKeeper, name: str, language: str) -> StreamingResponse:
    """Answer with the events of a run: `progress` now and at every change, `done` at its end.

    Raises RefusedError where there is no such run. The stream ends with the run, when nobody listens any more, and
    with the server.
    """
    keeper.run(name)
    return StreamingResponse(
        _events(keeper, name, language),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(keeper: RunKeeper, name: str, language: str) -> AsyncIterator[str]:
    async for run in keeper.snapshots(name, every=EVERY, beat=BEAT):
        if run is None:
            yield ": still running\n\n"
            continue
        kind = "progress" if run.is_open else "done"
        yield f"event: {kind}\ndata: {json.dumps(told(run.told(), language))}\n\n"
