"""The page's server: what the first screen weighs and takes, players at once, memory after many games, fuzzed requests.

`weight`: bytes of every file that the first screen loads, as they are and as they travel; aim: 300 KB.
`first`: seconds from asking for the page to its first button, Chromium with a cold cache, median of 5; aim: 1.
`cold`: the first hints on 4x6 and 5x8 after installation, where nothing is compiled yet: seconds, and processor seconds
of the process that answered, its start included; aim: 2 of these, and no refusal.
`load`: PLAYERS on 4x6 with a move a second each, from this same machine, for some seconds: milliseconds of an answer
alone, beside a running arena and beside a running proof; aim: p95 under 200, and at most twice as much beside a run.
`slow`: players as before beside SLOW clients that send half a request and hold on, a third of them half of its headers,
a third half of a body of some KB, a third nearly all of the largest body; whoever is let go of comes again. Aim: p95 of
the players under 200 ms, and the server's resident memory flat within 20 MB.
`memory`: resident megabytes of the server process after 1,000, 5,000 and 10,000 games; aim: flat, within 5 MB.
`fuzz`: requests drawn from the server's own OpenAPI, in this process; aim: none is answered with a 5xx.

All servers are started here, on a free port of this machine, each with a data folder that is removed at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import monotonic, perf_counter, sleep
from typing import Any
from urllib.parse import urljoin, urlsplit

from machine import machine

PLAYERS = 200
SLOW = 1000
AGAIN = 10.0
"""Seconds after which a slow client that was let go of comes again."""
PAGE = 300_000
"""Bytes that the first screen may weigh."""
PEGS, COLORS = 4, "ABCDEF"
FIND_BROWSER = ["sh", str(Path(__file__).parent.parent / "scripts" / "browser"), "--find"]
LINKED = re.compile(
    r'(?:<script[^>]*src|<link rel="(?:stylesheet|icon)" href|<link rel="modulepreload" href)="([^"]+)"'
)
IMPORTED = re.compile(r'^[^/]*?\b(?:from|import)\s*["\'](\.{1,2}/[^"\']+)["\']', re.MULTILINE)

ARENA = {"kind": "arena", "rules": "4x6", "codebreakers": ["random"], "games": 1_000_000}
PROOF = {"kind": "proof", "rules": "5x6", "seconds": 300}


@dataclass
class OwnServer:
    """A server of the page in a process of its own."""

    port: int
    process: subprocess.Popen[str]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, int]:
        """Status, content and bytes that travelled of one answer."""
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            travelled = answer.read()
            packed = answer.getheader("Content-Encoding") == "gzip"
            return answer.status, gzip.decompress(travelled) if packed else travelled, len(travelled)

    def json(self, method: str, path: str, body: Any = None) -> Any:
        status, content, _ = self.ask(method, path, body)
        assert status < 300, content
        return json.loads(content)

    @property
    def resident(self) -> float:
        """Megabytes in memory of the server process itself."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        return int(found[1]) / 1024 if found else float("nan")

    @property
    def worked(self) -> float:
        """Seconds of processor time of the server process itself."""
        return processor_time(self.process.pid)

    @property
    def workers(self) -> list[int]:
        """The worker processes."""
        children = Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for file in children for child in file.read_text(encoding="ascii").split()]


def processor_time(process: int) -> float:
    """Seconds of processor time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def server(**variables: str) -> Iterator[OwnServer]:
    """Start a server, with these variables of the environment, and end it whatever happens."""
    with tempfile.TemporaryDirectory() as data:
        options = ["--port", "0", "--no-open", "--data", data]
        command = [sys.executable, "-m", "entropeg", "serve", *options]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **variables}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        ) as process:
            try:
                assert process.stdout is not None
                port = next(
                    int(found[1]) for line in process.stdout if (found := re.search(r"127\.0\.0\.1:(\d+)", line))
                )
                yield OwnServer(port, process)
            finally:
                process.terminate()
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()


# ------------------------------------------------------------ the page


def weight() -> None:
    """Bytes of the first screen, file by file from its HTML on; what is loaded later, on demand, is left out."""
    with server() as page:
        waiting, sizes = ["/"], dict[str, tuple[int, int]]()
        for path in waiting:
            status, content, travelled = page.ask("GET", path, None, **{"Accept-Encoding": "gzip"})
            if status != 200:
                print(f"  {path} is answered with {status}")
                continue
            sizes[path] = len(content), travelled
            text = content.decode(errors="replace")
            found = LINKED.findall(text) if path == "/" else []
            found += IMPORTED.findall(text) if path.endswith(".js") else []
            for each in found:
                other = urlsplit(urljoin(f"http://127.0.0.1{path}", each)).path
                if other not in waiting:
                    waiting.append(other)
    raw, packed = (sum(size[place] for size in sizes.values()) for place in (0, 1))
    verdict = "kept" if packed <= PAGE else "MISSED"
    print(f"weight: {len(sizes)} files, {raw / 1000:.0f} KB as they are, {packed / 1000:.0f} KB as they travel", end="")
    print(f" (aim {PAGE / 1000:.0f}: {verdict})")
    for path, (plain, travelled) in sorted(sizes.items(), key=lambda item: -item[1][1])[:6]:
        print(f"  {path}: {plain / 1000:.1f} KB, {travelled / 1000:.1f} KB")


BUTTON_IS_THERE = "() => [...document.querySelectorAll('main button')].some((button) => button.checkVisibility())"


def first(times: int) -> None:
    """Seconds to the first button of the board, in a browser that has never seen the page."""
    program = subprocess.run(FIND_BROWSER, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    if not program or find_spec("playwright") is None:
        print("first: SKIPPED: there is no Chromium, or no Playwright, on this machine", file=sys.stderr)
        return
    from playwright.sync_api import sync_playwright

    with server() as page, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        taken = []
        for _ in range(times):
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            tab = context.new_page()
            began = perf_counter()
            tab.goto(page.address, wait_until="commit")
            tab.wait_for_function(BUTTON_IS_THERE)  # at each frame; a locator would look every half second
            taken.append(perf_counter() - began)
            context.close()
        browser.close()
    verdict = "kept" if median(taken) < 1 else "MISSED"
    shown = ", ".join(f"{each:.2f}" for each in taken)
    print(f"first: median {median(taken):.2f} s of {times} ({shown}) to the first button (aim 1: {verdict}); {busy()}")


# ------------------------------------------------------------ the first hint


FIRST_HINTS: tuple[tuple[str, list[list[str]]], ...] = (
    ("4x6", []),
    ("4x6", [["AABB", "XO"]]),
    ("5x8", [["AABBC", "XO"]]),
)


def cold() -> None:
    """Seconds of the first hints of a server that finds nothing compiled, beside the compiler."""
    for rules, turns in FIRST_HINTS:
        with tempfile.TemporaryDirectory() as folder, server(NUMBA_CACHE_DIR=folder) as page:
            began = perf_counter()
            status, content, _ = page.ask("POST", "/api/hints", {"rules": rules, "turns": turns})
            taken = perf_counter() - began
            # The one that answered rests now, while the other one compiles on.
            before = {worker: processor_time(worker) for worker in page.workers}
            sleep(3)
            worked = min((processor_time(worker) - time, time) for worker, time in before.items() if time > 0.2)[1]
            state = page.json("GET", "/api/about")["kernels"]["state"]
        said = json.loads(content)
        told = said["error"] if status != 200 else f"{len(said['steps'])} steps"
        verdict = "kept" if status == 200 and worked <= 2 else "MISSED"
        print(
            f"cold {rules} after {len(turns)} turns: {status}, {told}, in {taken:.2f} s; {worked:.2f} s of the ", end=""
        )
        print(f"processor (aim 2: {verdict}); kernels are {state} then; {busy()}", flush=True)


# ------------------------------------------------------------ players


class Player:
    """A client that keeps its connection, and plays games one after the other with guesses drawn at random."""

    def __init__(self, port: int, seed: int) -> None:
        self.port, self.random = port, Random(seed)
        self.taken: list[float] = []
        self.games = 0
        self._reader: Any = None
        self._writer: Any = None

    async def post(self, path: str, body: Any) -> Any:
        """One request; its seconds are noted."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self.port)
        content = json.dumps(body).encode()
        began = perf_counter()
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content)
        answered = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", answered, re.IGNORECASE)
        assert length is not None, answered
        told = json.loads(await self._reader.readexactly(int(length[1])))
        self.taken.append(perf_counter() - began)
        assert answered.split()[1].startswith("2"), told
        return told

    async def game(self, most: int, pause: float = 0.0, end: float = float("inf")) -> None:
        """Play a game of at most so many guesses, a pause after each, and give up."""
        token = (await self.post("/api/games", {"rules": "4x6"}))["token"]
        turns: list[list[str]] = []
        state = "open"
        while state == "open" and len(turns) < most and monotonic() < end:
            guess = "".join(self.random.choices(COLORS, k=PEGS))
            began = monotonic()
            told = await self.post("/api/answers", {"rules": "4x6", "turns": turns, "guess": guess, "token": token})
            turns.append([guess, told["feedback"]["text"]])
            state = told["state"]
            if pause:
                await asyncio.sleep(max(0.0, began + pause - monotonic()))
        if state == "open" and monotonic() < end:
            await self.post("/api/games/end", {"rules": "4x6", "turns": turns, "token": token, "give_up": True})
        self.games += 1

    async def play(self, seconds: float) -> None:
        """Play with a move a second, beginning at a moment of one's own."""
        end = monotonic() + seconds
        await asyncio.sleep(self.random.random())
        while monotonic() < end:
            await self.game(10, 1.0, end)
        self.close()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()


async def _all_play(port: int, players: int, seconds: float) -> list[float]:
    playing = [Player(port, seed) for seed in range(players)]
    await asyncio.gather(*(player.play(seconds) for player in playing))
    return [taken for player in playing for taken in player.taken]


def busy() -> str:
    """How much else the machine does: timings beside much of it say little of the server."""
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def load(seconds: float) -> None:
    """Milliseconds of an answer, alone and beside long runs."""
    with server() as page:
        asyncio.run(_all_play(page.port, 20, 3))  # what is loaded once is loaded
        alone = 0.0
        for name, asked in (("alone", None), ("beside an arena", ARENA), ("beside a proof", PROOF)):
            run = None if asked is None else page.json("POST", "/api/runs", asked)
            if run is not None:
                _until_busy(page, run["id"])
            worked = page.worked
            taken = asyncio.run(_all_play(page.port, PLAYERS, seconds))
            each = 1000 * (page.worked - worked) / len(taken)
            state = page.json("GET", f"/api/runs/{run['id']}")["state"] if run else ""
            p50, p95, p99 = (1000 * quantiles(taken, n=100)[place - 1] for place in (50, 95, 99))
            aim = 200.0 if run is None else max(2 * alone, 20.0)
            alone = alone or p95
            verdict = "kept" if p95 <= aim else "MISSED"
            print(
                f"load {name}{f' ({state})' if state else ''}: {PLAYERS} players, {len(taken):,} answers in "
                f"{seconds:.0f} s: p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f} ms (aim p95 {aim:.0f}: {verdict}); "
                f"{each:.1f} ms of the server's processor time each; {busy()}",
                flush=True,
            )
            if run is not None:
                page.json("DELETE", f"/api/runs/{run['id']}?forget=true")


async def _hold_on(port: int, number: int, end: float) -> None:
    """Send half a request, and the same again whenever the server lets go of it."""
    size = (0, 4_000, (2 << 20) - 100)[number % 3]
    head = f"POST /api/answers HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    asked = head.encode() if not size else f"{head}Content-Length: {size + 100}\r\n\r\n".encode() + b" " * size
    while monotonic() < end:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(asked)
            async with asyncio.timeout(max(0.0, end - monotonic())):
                while await reader.read(1 << 16):
                    pass
        except (OSError, TimeoutError):
            pass
        else:
            writer.close()
        await asyncio.sleep(AGAIN)


def _slow_clients(port: int, seconds: float) -> None:
    async def all_of_them() -> None:
        end = monotonic() + seconds
        await asyncio.gather(*(_hold_on(port, number, end) for number in range(SLOW)))

    asyncio.run(all_of_them())


def slow(seconds: float) -> None:
    """Milliseconds of an answer, and megabytes of the server, beside clients that never send a whole request."""
    with server() as page:
        asyncio.run(_all_play(page.port, 20, 3))  # what is loaded once is loaded
        alone = 1000 * quantiles(asyncio.run(_all_play(page.port, PLAYERS, seconds)), n=100)[94]
        before, most, done = page.resident, 0.0, threading.Event()

        def look() -> None:
            nonlocal most
            while not done.wait(0.05):
                most = max(most, page.resident)

        sending = multiprocessing.get_context("spawn").Process(target=_slow_clients, args=(page.port, seconds + 5))
        looking = threading.Thread(target=look)
        sending.start()
        looking.start()
        sleep(5)
        worked = page.worked
        taken = asyncio.run(_all_play(page.port, PLAYERS, seconds))
        each = 1000 * (page.worked - worked) / len(taken)
        sending.join()
        done.set()
        looking.join()
    p50, p95, p99 = (1000 * quantiles(taken, n=100)[place - 1] for place in (50, 95, 99))
    print(
        f"slow: {PLAYERS} players beside {SLOW:,} clients that send half a request, {len(taken):,} answers in "
        f"{seconds:.0f} s: p50 {p50:.1f}, p95 {p95:.1f}, p99 {p99:.1f} ms, p95 alone {alone:.1f} (aim p95 200: "
        f"{'kept' if p95 <= 200 else 'MISSED'}); memory from {before:.1f} to {most:.1f} MB at most (aim 20 more: "
        f"{'kept' if most - before <= 20 else 'MISSED'}); {each:.1f} ms of the server's processor time each; {busy()}",
        flush=True,
    )


def _until_busy(page: OwnServer, run: str) -> None:
    end = monotonic() + 60
    while monotonic() < end:
        told = page.json("GET", f"/api/runs/{run}")
        if told["progress"].get("done") or told["progress"].get("guesses_tried") or told["state"] != "running":
            return
        sleep(0.2)


async def _many_games(port: int, games: int, players: int = 20) -> None:
    playing = [Player(port, seed) for seed in range(players)]

    async def share(player: Player) -> None:
        for _ in range(games // players):
            await player.game(2)
        player.close()

    await asyncio.gather(*map(share, playing))


def memory(games: tuple[int, ...]) -> None:
    """Megabytes of the server after many games."""
    with server() as page:
        played, told = 0, []
        for aim in games:
            asyncio.run(_many_games(page.port, aim - played))
            played = aim
            told.append((aim, page.resident))
    grown = told[-1][1] - told[0][1]
    shown = ", ".join(f"{resident:.1f} MB after {count:,}" for count, resident in told)
    print(f"memory: {shown} games: {grown:+.1f} MB (aim 5: {'kept' if grown <= 5 else 'MISSED'})", flush=True)


# ------------------------------------------------------------ fuzzing


FITTING = {
    "rules": "3x4",
    "text": "3x4",
    "guess": "AAB",
    "turns": [["ABC", "O"]],
    "rows": ["ABC O", "A?D ??"],
    "codebreaker": "minimax",
    "codebreakers": ["consistent"],
    "codemaker": "honest",
    "codemakers": ["honest"],
    "secret": None,
}
"""Values that go together: with drawn ones alone few requests come further than the first check."""


def _fitted(asked: dict[str, Any], token: str, random: Random) -> None:
    """Put values that fit into a request here and there."""
    for part in (asked.get("json"), asked.get("params")):
        if not isinstance(part, dict):
            continue
        for name, value in {**FITTING, "token": token}.items():
            if name in part and random.random() < 0.8:
                part[name] = value


def fuzz(requests: int) -> None:
    """Requests drawn from the server's own description of itself, in this process."""
    import schemathesis
    from fastapi.testclient import TestClient
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis.core.result import Ok

    from entropeg.web.serving import create_app
    from entropeg.web.settings import ServerLimits, Settings

    limits = ServerLimits(workers=1, seconds=2.0, run_games=20, run_seconds=2.0, pegs=30, colors=60)
    answers: Counter[int] = Counter()
    failed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as data:
        app = create_app(Settings(Path(data), warm=False, limits=limits))
        with TestClient(app, base_url="http://127.0.0.1:8000", raise_server_exceptions=False) as client:
            schema = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
            operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
            token = client.post("/api/games", json={"rules": FITTING["rules"]}).json()["token"]
            random = Random(0)
            drawn = [one for one in operations if not one.path.endswith("/events")]
            for operation in drawn:

                @given(case=operation.as_strategy())
                @settings(
                    max_examples=5 * requests // (4 * len(drawn)) + 1,  # some operations have fewer to be drawn
                    deadline=None,
                    database=None,
                    derandomize=True,
                    phases=[Phase.generate],
                    suppress_health_check=list(HealthCheck),
                )
                def ask(case: Any) -> None:
                    asked = case.as_transport_kwargs(base_url="http://127.0.0.1:8000")
                    kept = {
                        key: asked[key]
                        for key in ("method", "url", "params", "headers", "json", "data")
                        if key in asked
                    }
                    _fitted(kept, token, random)
                    answer = client.request(**kept)
                    answers[answer.status_code] += 1
                    if answer.status_code >= 500:
                        failed[f"{answer.status_code} {case.method} {case.path}: {answer.text[:160]}"] += 1

                began = perf_counter()
                ask()
                told = f"{sum(answers.values()):,} requests, {sum(failed.values())} failures"
                print(f"  {operation.label}: {perf_counter() - began:.0f} s; {told}", file=sys.stderr, flush=True)
    count = sum(answers.values())
    shown = ", ".join(f"{status}: {number:,}" for status, number in sorted(answers.items()))
    bad = sum(failed.values())
    print(f"fuzz: {count:,} requests of {len(drawn)} operations ({shown}); 5xx: {bad} (aim 0: ", end="")
    print(f"{'MISSED' if bad else 'kept'})", flush=True)
    for line, number in failed.most_common(10):
        print(f"  {number} times {line}")


def main() -> None:
    """Measure what was asked for, or all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", help="what to measure; all by default")
    parser.add_argument("--brief", action="store_true", help="fewer times, shorter, smaller")
    asked, brief = (given := parser.parse_args()).steps, given.brief
    steps: dict[str, Callable[[], object]] = {
        "weight": weight,
        "first": lambda: first(3 if brief else 5),
        "cold": cold,
        "load": lambda: load(5 if brief else 20),
        "slow": lambda: slow(5 if brief else 20),
        "memory": lambda: memory((200, 500, 1000) if brief else (1000, 5000, 10_000)),
        "fuzz": lambda: fuzz(500 if brief else 10_000),
    }
    if unknown := [name for name in asked if name not in steps]:
        parser.error(f"there is no step {unknown[0]!r}; there are {', '.join(steps)}")
    print(machine())
    for name in asked or steps:
        steps[name]()


if __name__ == "__main__":
    main()
