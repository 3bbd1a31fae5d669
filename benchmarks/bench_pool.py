"""One proof by several processes through a folder, and by threads: `python benchmarks/bench_pool.py [BOARD ...]`.

For each board, elapsed and processor seconds and guesses tried of one process with N threads, and of N processes of one
thread each in a pool; N is PROCESSES. With `--brief` the boards of BRIEF. Everything from the start of the interpreter
to the strategy counts, compiled code loaded.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from machine import machine

PROCESSES = 2
BOARDS = ["4x8", "4x9", "5x6"]
BRIEF = ["4x7"]


def together(board: str, options: Sequence[Sequence[str]]) -> tuple[float, float, int]:
    """(elapsed seconds, processor seconds, guesses tried) of commands that run side by side on one board."""
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "entropeg", "optimal", board, "--json"]
    children = [subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True) for more in options]
    found = [json.loads(child.communicate()[0]) for child in children]
    elapsed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if {(one["lower"], one["upper"]) for one in found} != {(found[0]["lower"],) * 2}:
        raise AssertionError(f"{board}: the processes do not agree: {found}")
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return elapsed, busy, sum(one["guesses_tried"] for one in found)


def main(boards: Sequence[str]) -> None:
    """Print a table."""
    print(machine())
    print(f"{'board':<16}{'how':<24}{'seconds':>9}{'processor':>11}{'guesses tried':>16}")
    together("3x4", [[]])  # compiled code is in the cache from here on
    for board in boards:
        with TemporaryDirectory() as folder:
            ways = {
                "one thread": [["--threads", "1"]],
                f"{PROCESSES} threads": [["--threads", str(PROCESSES)]],
                f"{PROCESSES} processes, a pool": [["--threads", "1", "--pool", str(Path(folder) / "pool")]]
                * PROCESSES,
            }
            for how, options in ways.items():
                elapsed, busy, tried = together(board, options)
                print(f"{board:<16}{how:<24}{elapsed:>9.2f}{busy:>11.2f}{tried:>16,}", flush=True)


if __name__ == "__main__":
    main(BRIEF if sys.argv[1:] == ["--brief"] else sys.argv[1:] or BOARDS)
