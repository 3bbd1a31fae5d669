"""Seconds, processor seconds and guesses tried to prove exact optima: `python benchmarks/bench_exact.py [BOARD ...]`.

The least of REPEATS runs, compiled code loaded, labels and strategy included. Boards are rules as text.
"""

from __future__ import annotations

import sys
import time

from entropeg.rules import Rules
from entropeg.search.optimum import Optimum, optimal

REPEATS = 3
BOARDS = ["3x8", "4x6", "4x7", "4x8", "5x5", "4x10/no-repeats"]


def measure(rules: Rules, threads: int) -> tuple[float, float, Optimum]:
    """(seconds, processor seconds, result) of one proof."""
    began, busy = time.perf_counter(), time.process_time()
    found = optimal(rules, threads=threads)
    return time.perf_counter() - began, time.process_time() - busy, found


def main() -> None:
    """Print one line for each board and number of threads."""
    optimal(Rules.parse("4x3"))
    optimal(Rules.parse("4x5"))
    for name in sys.argv[1:] or BOARDS:
        for threads in (1, 2):
            runs = [measure(Rules.parse(name), threads) for _ in range(REPEATS)]
            seconds, busy, found = min(runs, key=lambda run: run[0])
            print(
                f"{name:16} {threads} threads {seconds:8.3f} s, processor {busy:8.3f} s, {found.nodes:,} guesses, "
                f"total {found.value}, worst {found.worst}",
                flush=True,
            )


if __name__ == "__main__":
    main()
