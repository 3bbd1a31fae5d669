"""`/api/runs`: long runs, begun, watched, stopped, gone on with and forgotten."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.types import Receive, Scope, Send

from entropeg.errors import InputError
from entropeg.plain_values import PlainValue
from entropeg.texts import say_all
from entropeg.told import Told, plural
from entropeg.web.api.shapes import Asked, BoardText, PlayerText
from entropeg.web.inputs import FILE_NAME, files_by_name
from entropeg.web.language import Language, answered
from entropeg.web.models import model_of
from entropeg.web.refusals import RefusedError
from entropeg.web.runs.keeper import RunKeeper
from entropeg.web.runs.value import LongRun
from entropeg.web.settings import API, Settings
from entropeg.web.tasks import runs as tasks
from entropeg.web.tasks.runs import PLAYERS
from entropeg.web.work import TaskWorkers, run

router = APIRouter(tags=["runs"])

MOST_SEED = (1 << 53) - 1
"""Seeds beyond it would be rounded by the browser."""

_STORED = re.compile(rf"({FILE_NAME})~(\d{{1,12}})")
"""The id of a run of a results store."""

RunId = Annotated[str, Field(max_length=160)]


class ArenaAsked(Asked):
    """Many games of every codebreaker against every codemaker; `all_secrets` plays every secret once instead."""

    kind: Literal["arena"]
    rules: BoardText
    codebreakers: list[PlayerText] = Field(max_length=PLAYERS, examples=[["entropy", "consistent"]])
    codemakers: list[PlayerText] = Field(default=["honest"], max_length=PLAYERS)
    games: int = Field(default=1000, ge=1, le=MOST_SEED)
    seed: int = Field(default=0, ge=0, le=MOST_SEED)
    all_secrets: bool = False
    adjusted: bool = False


class ProofAsked(Asked):
    """The least total number of guesses of a board, or with `worst` the least worst case first."""

    kind: Literal["proof"]
    rules: BoardText
    worst: bool = False
    seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)


RunAsked = Annotated[ArenaAsked | ProofAsked, Field(discriminator="kind")]


@dataclass(frozen=True)
class UnreadFile(PlainValue):
    """A file that cannot be read, and why."""

    file: str
    error: str


@dataclass(frozen=True)
class LongRuns(PlainValue):
    """Runs, the newest first, and files that cannot be read."""

    runs: tuple[LongRun, ...]
    unread: tuple[UnreadFile, ...]


def keeper_of(request: Request) -> RunKeeper:
    """Return the keeper of the runs."""
    keeper: RunKeeper = request.app.state.runs
    return keeper


VISITOR = "visitor"
"""The cookie of a public server by which who has begun a run may stop it."""


def _digest(visitor: str) -> str:
    return sha256(visitor.encode()).hexdigest()[:32]


@router.post("/runs", status_code=201, response_model=model_of(LongRun))
async def begin(request: Request, asked: RunAsked, language: Language) -> Response:
    """Begin a run: it goes on whether or not anybody watches, and after the server was ended, too."""
    limits = request.app.state.settings.limits
    data = {"kind": asked.kind, "asked": asked.model_dump(), "limits": limits}
    checked = await run(request, tasks.check, data, seconds=20.0)
    visitor = owner = ""
    if request.app.state.settings.public:
        visitor = request.cookies.get(VISITOR) or secrets.token_urlsafe(18)
        owner = _digest(visitor)
    response = answered(keeper_of(request).add(asked.kind, checked, owner), language, status=201)
    if visitor:
        response.set_cookie(VISITOR, visitor, max_age=365 * 86_400, path=API, httponly=True, samesite="strict")
    return response


@router.get("/runs", response_model=model_of(LongRuns))
async def runs(request: Request, language: Language) -> Response:
    """List the runs, the newest first, without their results; those of results stores in DATA/stores, too."""
    keeper, settings = keeper_of(request), request.app.state.settings
    listed = [run.now(result=None) for run in keeper.runs()]
    unread = [UnreadFile(f"{file}.json", error) for file, error in keeper.damaged.items()]
    for file in store_files(settings).values():
        try:
            listed += await _stored(request, file)
        except InputError as error:
            unread.append(UnreadFile(file.name, str(error)))
    listed.sort(key=lambda run: -run.created)
    return answered(LongRuns(tuple(listed), tuple(unread)), language)


@router.get("/runs/{name}", response_model=model_of(LongRun))
async def show(request: Request, name: RunId, language: Language) -> Response:
    """Show a run with its result."""
    stored = await _of_store(request, name)
    return answered(keeper_of(request).run(name) if stored is None else stored, language)


@router.get(
    "/runs/{name}/events", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}}
)
async def watch(request: Request, name: RunId, language: Language) -> StreamingResponse:
    """Tell of a run as it goes: server-sent events `progress` and, at its end, `done`, each with the whole run."""
    return stream(keeper_of(request), name, language)


@router.delete("/runs/{name}", response_model=model_of(LongRun))
async def cancel(
    request: Request, name: RunId, language: Language, *, forget: Annotated[bool, Query()] = False
) -> Response:
    """Stop a run, which keeps what was played or found out; with `forget` remove it and its files."""
    _check_own(request, name)
    keeper = keeper_of(request)
    return answered(await (keeper.forget(name) if forget else keeper.cancel(name)), language)


@router.post("/runs/{name}/resume", response_model=model_of(LongRun))
async def resume(request: Request, name: RunId, language: Language) -> Response:
    """Go on with a run that was stopped or has failed, or with a proof that is not complete."""
    _check_own(request, name)
    keeper = keeper_of(request)
    found = keeper.run(name)
    data = {"kind": found.kind, "asked": found.request, "limits": keeper.limits}
    await run(request, tasks.check, data, seconds=20.0)
    return answered(keeper.resume(name), language)


# ------------------------------------------------------------ results stores


def store_files(settings: Settings) -> dict[str, Path]:
    """Return the files of the folder of results stores, by name."""
    return files_by_name(settings.data / "stores", 50)


async def _stored(request: Request, file: Path) -> list[LongRun]:
    """The runs of a store, read once until the file changes."""
    status, known = await asyncio.to_thread(file.stat), request.app.state.stores
    if status.st_size > 1 << 30:
        raise InputError("{file} is larger than the 1,024 MB that are read here", file.name)
    key = (status.st_mtime_ns, status.st_size)
    if known.get(file.name, (None,))[0] != key:
        workers: TaskWorkers = request.app.state.workers
        found = await workers.do("entropeg.web.tasks.runs:listed", {"path": str(file)}, seconds=20.0)
        known[file.name] = key, [_of_row(file.name, status.st_mtime, row) for row in found]
    rows: list[LongRun] = known[file.name][1]
    return rows


def _of_row(name: str, changed: float, row: dict[str, Any]) -> LongRun:
    request, played = row["request"], row["played"]
    return LongRun(
        f"{name}~{row['number']}",
        "arena",
        request,
        "done" if played >= request["games"] else "cancelled",
        {
            "done": played,
            "total": request["games"],
            "says": Told("{done:,} of {games}", played, plural(request["games"], "{n} game", "{n} games")),
        },
        created=changed,
        ended=changed,
        seconds=row["seconds"],
        store=name,
    )


async def _of_store(request: Request, name: str) -> LongRun | None:
    """A run of a results store with its result; None where the name is that of another run."""
    match = _STORED.fullmatch(name)
    file = store_files(request.app.state.settings).get(match[1]) if match else None
    if match is None or file is None:
        return None
    row = next((row for row in await _stored(request, file) if row.id == name), None)
    if row is None:
        raise RefusedError(Told("{file} has no run of this number", file.name), status=404)
    if not row.progress["done"]:
        return row
    asked = {"path": str(file), "number": int(match[2])}
    return row.now(result=await run(request, tasks.shown, asked, seconds=20.0))


def _check_own(request: Request, name: str) -> None:
    """Refuse to change what another keeps: a results store, or, of a public server, the run of another visitor."""
    match = _STORED.fullmatch(name)
    if match and match[1] in store_files(request.app.state.settings):
        raise RefusedError("runs of a results store are only shown here: the command line keeps that file")
    if not request.app.state.settings.public or _is_own_machine(request):
        return
    if keeper_of(request).run(name).owner != _digest(request.cookies.get(VISITOR, "")):
        raise RefusedError("this run was begun in another browser: there it can be stopped", status=403)


def _is_own_machine(request: Request) -> bool:
    """Tell whether somebody at the machine of the server asks it, by its local name and not through another server."""
    host, name = request.client.host if request.client else "", request.url.hostname or ""
    # A server in front adds one of these headers to a request that it hands on.
    is_handed_on = any(
        header in request.headers for header in ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
    )
    return _is_loopback(host) and (name == "localhost" or _is_loopback(name)) and not is_handed_on


def _is_loopback(address: str) -> bool:
    with suppress(ValueError):
        return ip_address(address).is_loopback
    return False


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
    async for now in keeper.snapshots(name, every=0.2, beat=10.0):
        if now is None:
            yield ": still running\n\n"
            continue
        kind = "progress" if now.is_open else "done"
        yield f"event: {kind}\ndata: {json.dumps(say_all(now.to_json(), language))}\n\n"
