"""Seconds, processor seconds and guesses tried to prove exact optima: `python benchmarks/bench_exact.py [BOARD ...]`.

The least of REPEATS runs, compiled code loaded, labels and strategy included. Boards are rules as text. With `--table`
the rows of the table in docs/exact.md, each board proved once (SETTLED unless boards are named; SLOW takes minutes).
"""

from __future__ import annotations

import sys
import time

from entropeg.codes import format_code
from entropeg.rules import Rules
from entropeg.search.optimum import Optimum, optimal
from entropeg.tree import tree_of_nodes

REPEATS = 3
BOARDS = ["3x8", "4x6", "4x7", "4x8", "5x5", "4x10/no-repeats"]
SETTLED = [
    *(f"2x{colors}" for colors in range(2, 11)),
    *(f"3x{colors}" for colors in range(2, 11)),
    *(f"4x{colors}" for colors in range(2, 9)),
    *(f"5x{colors}" for colors in range(2, 6)),
    *("6x2", "6x3"),
    *(f"3x{colors}/no-repeats" for colors in range(4, 11)),
    *(f"4x{colors}/no-repeats" for colors in range(4, 11)),
    *(f"5x{colors}/no-repeats" for colors in range(5, 8)),
]
SLOW = ["4x9", "5x6", "4x10"]


def measure(rules: Rules, threads: int) -> tuple[float, float, Optimum]:
    """(seconds, processor seconds, result) of one proof."""
    began, busy = time.perf_counter(), time.process_time()
    found = optimal(rules, threads=threads)
    return time.perf_counter() - began, time.process_time() - busy, found


def row(rules: Rules) -> str:
    """One row of the table of boards settled; every code is played through the strategy."""
    found = optimal(rules)
    if found.tree is None or found.opening is None or not found.is_exact:
        raise AssertionError(f"{rules} was not settled")
    tree = tree_of_nodes(rules, found.tree).check()
    return (
        f"| `{rules}` | {found.size:,} | {tree.total} | {tree.mean:.4f} | {tree.worst} | "
        f"{format_code(found.opening, rules)} | {' '.join(map(str, tree.histogram))} | {found.seconds:.2g} |"
    )


def compare(name: str) -> None:
    """Print what one thread and two need for a board."""
    for threads in (1, 2):
        runs = [measure(Rules.parse(name), threads) for _ in range(REPEATS)]
        seconds, busy, found = min(runs, key=lambda run: run[0])
        print(
            f"{name:16} {threads} threads {seconds:8.3f} s, processor {busy:8.3f} s, {found.nodes:,} guesses, "
            f"total {found.value}, worst {found.worst}",
            flush=True,
        )


def main() -> None:
    """Print one line for each board and number of threads, or the table."""
    optimal(Rules.parse("4x3"))
    optimal(Rules.parse("4x5"))
    boards = [argument for argument in sys.argv[1:] if argument != "--table"]
    if "--table" not in sys.argv:
        for name in boards or BOARDS:
            compare(name)
        return
    for name in boards or SETTLED:
        print(row(Rules.parse(name)), flush=True)


if __name__ == "__main__":
    main()
