"""Puts the server together: what it keeps while it runs, its guard, its routers and the page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles

from entropeg.version import __version__
from entropeg.web import errors
from entropeg.web.guard import Gauge, Guard
from entropeg.web.runs.keeper import RunKeeper
from entropeg.web.seal import EndedGames, Sealer
from entropeg.web.settings import API, Settings
from entropeg.web.warm import warm
from entropeg.web.work import TaskWorkers

ROUTERS = (
    *("pages", "about", "texts", "rules", "games", "answers", "positions"),
    *("hints", "advice", "reviews", "puzzles", "watch"),
    *("runs", "trees", "bounds"),
)
"""Modules of `web/api`, each with a `router`."""


def create_app(settings: Settings) -> FastAPI:
    """Make the server of the page and its API.

    `app.state` holds `settings`, `workers` (see `work.run`), `sealer`, `ended`, the games that have ended, `gauge`,
    which counts heavy work, `runs`, which keeps the long runs, and `stores`, what is known of results stores. Nothing
    is started, and nothing written, before the server runs.
    """
    app = FastAPI(
        title="entropeg",
        version=__version__,
        description="A Mastermind laboratory: play, be advised, review games, train, watch and compare.",
        docs_url=None,
        redoc_url=None,
        openapi_url=f"{API}/openapi.json",
        lifespan=_lifespan,
    )
    app.state.settings = settings
    app.state.workers = TaskWorkers(settings.limits)
    app.state.sealer = Sealer(settings.data)
    app.state.ended = EndedGames()
    app.state.gauge = Gauge(settings.limits.a_minute)
    app.state.runs = RunKeeper(settings)
    app.state.stores = {}
    errors.install(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=6)
    app.add_middleware(Guard, settings=settings)
    for name in ROUTERS:
        app.include_router(import_module(f"entropeg.web.api.{name}").router, prefix=API, responses=errors.RESPONSES)
    app.mount("/", StaticFiles(directory=Path(__file__).parent / "static", html=True), name="page")
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    workers: TaskWorkers = app.state.workers
    runs: RunKeeper = app.state.runs
    await runs.start()
    warming = asyncio.create_task(warm(workers)) if app.state.settings.warm else None
    try:
        yield
    finally:
        if warming is not None:
            warming.cancel()
        await runs.stop()
        await asyncio.to_thread(workers.stop)
