"""Work on a cluster beside work in processes: python benchmarks/bench_cluster.py [PART ...] [--times N].

The parts, all of them by default:

- `arena`: a minute of games by two processes, and by two workers of dask; elapsed and processor seconds;
- `proof`: 5x6 by two threads, two processes, and two workers of dask;
- `workers`: the same games and the same proof by 1, 2 and 4 workers of dask;
- `kills`: both by three workers, one of which is killed every 20 seconds, at random;
- `model`: what 4x12, 5x8 and 6x6 would cost on 64, 256 and 1,000 cores, with its assumptions;
- `schedule`: how long games and proofs would take 4, 16, 64 and 1,000 workers, by the times of tasks measured here.

Runs that are compared take turns. Each is a command of its own, from the start of the interpreter to its end.
Processor seconds are those of the command and all processes below it, looked at ten times a second.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from machine import machine

from entropeg.durations import duration
from entropeg.executors import crew_of
from entropeg.executors.cluster import HANDLED, MOST_THINGS, SEARCHED, Pace, least_seconds
from entropeg.search.proving.shared.crewed_opening import SHORTEST, CrewedOpening
from entropeg.search.proving.shared.units import UnitCall, UnitFound
from entropeg.tree.optimum import optimal

ENTROPEG = [sys.executable, "-m", "entropeg"]
GAMES = ["arena", "consistent", "honest", "--rules", "5x8", "--seed", "1", "--json", "--games"]
PROOF = ["optimal", "5x6", "--json"]
COUNT = 400_000
"""Games that take two idle processors about a minute."""
psutil: Any = import_module("psutil")  # comes with dask
TICK = 0.1
KILLED_EVERY = 20.0
WORKERS = (4, 16, 64, 1000)


class Run(NamedTuple):
    """One command: elapsed and processor seconds, and what it printed."""

    elapsed: float
    busy: float
    found: Any
    killed: int = 0


def run(command: Sequence[str], every: float | None = None) -> Run:
    """Run a command of entropeg; where ``every`` is given, kill a process of its workers so often."""
    began, busy, dice, killed = time.perf_counter(), dict[int, float](), random.Random(5), 0
    child = subprocess.Popen([*ENTROPEG, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    top = psutil.Process(child.pid)
    due = began + (every or 1e9)
    while child.poll() is None:
        below = descendants(top)
        for process in below:
            try:
                spent = process.cpu_times()
                busy[process.pid] = spent.user + spent.system
            except psutil.Error:
                pass
        workers = [process for process in below if is_worker(process)]
        if time.perf_counter() > due and workers:
            dice.choice(workers).kill()
            killed, due = killed + 1, time.perf_counter() + (every or 1e9)
        time.sleep(TICK)
    found = json.loads(child.communicate()[0])
    return Run(time.perf_counter() - began, sum(busy.values()), found, killed)


def descendants(top: Any) -> list[Any]:
    """Return a process and all below it."""
    try:
        return [top, *top.children(recursive=True)]
    except psutil.Error:
        return []


def is_worker(process: Any) -> bool:
    """Tell whether a process is one that works."""
    try:
        return "spawn_main" in " ".join(process.cmdline())
    except psutil.Error:
        return False


def facts(found: Any) -> Any:
    """What two runs of a command have to agree on."""
    if "runs" in found:
        return [(one["mean"], one["histogram"]) for one in found["runs"]]
    return found["lower"], found["upper"]


def compare(ways: dict[str, Callable[[], Run]], times: int) -> None:
    """Print the medians of runs that take turns, and how they differ from the first."""
    runs: dict[str, list[Run]] = {name: [] for name in ways}
    for _ in range(times):
        for name, way in ways.items():
            runs[name].append(way())
    [first, *_] = runs.values()
    for name, some in runs.items():
        if facts(some[0].found) != facts(first[0].found):
            raise AssertionError(f"{name} found something else: {some[0].found}")
        cells = []
        for at in range(2):
            median = statistics.median(one[at] for one in some)
            base = statistics.median(one[at] for one in first)
            cells.append(f"{median:>9.1f}{100 * (median / base - 1):>+8.1f} %")
        spread = " ".join(f"{one.elapsed:.1f}/{one.busy:.1f}" for one in some)
        killed = f"  killed {some[0].killed}" if some[0].killed else ""
        tried = [one.found["guesses_tried"] for one in some if "guesses_tried" in one.found]
        guesses = f"  {statistics.median(tried):,.0f} guesses" if tried else ""
        print(f"  {name:<34}{''.join(cells)}   {spread}{killed}{guesses}", flush=True)


def head(title: str) -> None:
    """Print what the columns are."""
    print(f"\n{title}\n  {'':<34}{'elapsed':>9}{'':>10}{'processor':>9}{'':>10}   each: elapsed/processor", flush=True)


def games(executor: str, count: int, every: float | None = None) -> Callable[[], Run]:
    """Play so many games."""
    return lambda: run([*GAMES, str(count), "--executor", executor], every)


def proof(*options: str, every: float | None = None) -> Callable[[], Run]:
    """Prove 5x6."""
    return lambda: run([*PROOF, *options], every)


# ---------------------------------------------------------------- a schedule by measured times


def games_schedule(seconds: float, count: int, workers: int) -> tuple[float, int]:
    """(elapsed seconds, calls) of games of so many seconds each, as `Crew.work` gives them out by `Pace`.

    The client gives out and takes one call after the other, HANDLED seconds each.
    """
    pace, left, client, calls = Pace(), count, 0.0, 0
    free = [0.0] * workers
    heapq.heapify(free)
    end = 0.0
    while left > 0:
        budget = pace.seconds(workers, left)
        most = min(pace.piece(budget), max(pace.fewest(workers), -(-left // (2 * workers))))
        done = max(1, min(most, MOST_THINGS, round(budget / seconds)))
        client = max(client + HANDLED, heapq.heappop(free))
        ended = client + done * seconds
        heapq.heappush(free, ended)
        pace.note(done, done * seconds)
        left, calls, end = left - done, calls + 1, max(end, ended)
    return end, calls


class Batch(NamedTuple):
    """The units of one opening as they were measured: seconds of each."""

    seconds: list[float]


def measured_units(board: str) -> list[Batch]:
    """Prove a board by two processes; the seconds of every unit, opening by opening."""
    batches = list[Batch]()
    opening: Any = CrewedOpening  # measured from outside
    receive = opening.receive

    def noted(search: CrewedOpening, call: UnitCall, found: list[UnitFound]) -> None:
        if not batches or marks[-1] != search.workers.round:
            batches.append(Batch([]))
            marks.append(search.workers.round)
        batches[-1].seconds.extend(one.seconds for one in found)
        receive(search, call, found)

    marks = [0]
    opening.receive = noted
    try:
        with crew_of("processes:2") as crew:
            optimal(board, executor=crew)
    finally:
        opening.receive = receive
    return batches


def proof_schedule(batches: Iterable[Batch], workers: int, times: float = 1.0) -> tuple[float, int]:
    """(elapsed seconds, calls) of units in the order measured, opening after opening, ``times`` as many of them.

    A call has units for the seconds that a client needs for so many workers; where fewer units are left than would
    fill all workers, they are shared out evenly. The next opening begins once the last unit of this one has ended.
    """
    now, calls, least = 0.0, 0, least_seconds(workers, SEARCHED)
    for batch in batches:
        waiting = deque(batch.seconds * max(1, round(times)))
        left, free, client, end = sum(waiting), [now] * workers, now, now
        heapq.heapify(free)
        while waiting:
            budget, taken = max(least / SHORTEST, min(least, left / (2 * workers))), 0.0
            while waiting and (taken == 0.0 or taken < budget):
                taken += waiting.popleft()
            client = max(client + HANDLED, heapq.heappop(free))
            heapq.heappush(free, client + taken)
            left, calls, end = left - taken, calls + 1, max(end, client + taken)
        now = end
    return now, calls


def schedule() -> None:
    """Print what more workers would do."""
    print("\nA schedule by measured times: one client, 6 ms a call, workers as fast as these processors")
    base = run([*GAMES, str(COUNT // 10), "--executor", "processes:1"])
    each = base.busy / (COUNT // 10)
    print(f"  games of 5x8 take {1e6 * each:.0f} microseconds of a processor; an hour of 64 workers are of these:")
    count = round(64 * 3600 / each)
    for workers in WORKERS:
        elapsed, calls = games_schedule(each, count, workers)
        share = each * count / workers / elapsed
        print(f"  {workers:>6} workers: {duration(elapsed):>12}, {calls:>9,} calls, busy {100 * share:.1f} %")
    batches = measured_units("5x6")
    # Processors that others use as well make units look longer than they are.
    scale = proof("--executor", "processes:2")().busy / sum(sum(batch.seconds) for batch in batches)
    batches = [Batch([scale * seconds for seconds in batch.seconds]) for batch in batches]
    every = [seconds for batch in batches for seconds in batch.seconds]
    print(
        f"  a proof of 5x6: {len(batches)} openings, {len(every):,} units, {sum(every):.1f} s in all, mean "
        f"{1000 * sum(every) / len(every):.1f} ms, longest {max(every):.2f} s"
    )
    for factor in (1, 100, 10_000):
        for workers in WORKERS:
            elapsed, calls = proof_schedule(batches, workers, factor)
            share = factor * sum(every) / workers / elapsed
            print(
                f"  {factor:>6,} times the units, {workers:>5} workers: {duration(elapsed):>12}, {calls:>9,} calls, "
                f"busy {100 * share:.1f} %",
                flush=True,
            )


class Board(NamedTuple):
    """A board that is not settled: about how many hours of a processor it takes, its openings, and its labels in GB."""

    name: str
    hours: tuple[float, float]
    openings: int
    labels: float


UNSETTLED = (
    Board("4x12", (5, 10), 5, 0.4),  # guesses tried grow 13 to 14.5 times from 4x9 to 4x10 to 4x11
    Board("5x8", (3, 10), 7, 1.1),  # 11 to 18 times 5x7; the formula of `search.reach` says 6
    Board("6x6", (12, 300), 11, 2.2),  # the formula says 12, and was 20 to 30 times too low for 6x5
)
CORES = (64, 256, 1000)
STARTED = 75.0
"""Seconds before the proof: a minute's search for a good strategy, and labels, which every worker makes for itself."""
AGAIN = 0.06
"""Share by which guesses tried grow with every doubling of the workers, since each has a table of its own."""
ENDED = 10.0
"""Seconds, beside a call, until all workers are busy again at the end of an opening: a unit is cut after 5 of them."""


def model() -> None:
    """Print what proofs would take: start, work shared out, and the end of every opening."""
    print(
        f"\nA model: {STARTED:g} s + hours / cores * {1 + AGAIN:g}^log2(cores) + openings * (a tenth of a call + "
        f"{ENDED:g} s); every worker has the labels"
    )
    for board in UNSETTLED:
        for cores in CORES:
            told = list[str]()
            for hours in board.hours:
                shared = 3600 * hours * (1 + AGAIN) ** math.log2(cores) / cores
                elapsed = STARTED + shared + board.openings * (least_seconds(cores) / SHORTEST + ENDED)
                told.append(f"{elapsed / 60:,.0f} min, {cores * elapsed / 3600:,.0f} core hours")
            print(f"  {board.name:<6}{cores:>5} cores, {cores * board.labels:>5,.0f} GB: {'; to '.join(told)}")


def main() -> None:
    """Print tables."""
    parts = ["arena", "proof", "workers", "kills", "schedule", "model"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts))
    parser.add_argument("--times", type=int, default=3, help="runs of each way; default: 3")
    parser.add_argument("--games", type=int, default=COUNT, help=f"games of an arena; default: {COUNT}")
    parser.add_argument("--brief", action="store_true", help="once, and few games")
    options = parser.parse_args()
    wanted = options.parts or parts
    count, times = (COUNT // 20, 1) if options.brief else (options.games, options.times)
    print(machine())
    if "model" in wanted:
        model()
        wanted = [part for part in wanted if part != "model"]
    if not wanted:
        return
    run(["arena", "consistent", "honest", "--rules", "5x8", "--games", "2", "--json"])  # compiled from here on
    run(["optimal", "4x7", "--json", "--executor", "processes:2"])
    if "arena" in wanted:
        head(f"{count:,} games of consistent on 5x8")
        compare({"processes:2": games("processes:2", count), "dask:2": games("dask:2", count)}, times)
    if "proof" in wanted:
        head("the proof of 5x6")
        every = [("--threads", "2"), ("--executor", "processes:2"), ("--executor", "dask:2")]
        compare({" ".join(options): proof(*options) for options in every}, times)
    if "workers" in wanted:
        wheres = ["dask:1", "dask:2", "dask:4"]
        head(f"{count:,} games by 1, 2 and 4 workers of dask")
        compare({where: games(where, count) for where in wheres}, times)
        head("the proof of 5x6 by 1, 2 and 4 workers of dask")
        compare({where: proof("--executor", where) for where in wheres}, times)
    if "kills" in wanted:
        head(f"one of three workers killed every {KILLED_EVERY:g} s")
        three, harmed = proof("--executor", "dask:3"), proof("--executor", "dask:3", every=KILLED_EVERY)
        compare({"the proof, nobody killed": three, "the proof, workers killed": harmed}, 1)
        calm, rough = games("dask:3", count), games("dask:3", count, KILLED_EVERY)
        compare({"games, nobody killed": calm, "games, workers killed": rough}, 1)
    if "schedule" in wanted:
        schedule()


if __name__ == "__main__":
    main()
