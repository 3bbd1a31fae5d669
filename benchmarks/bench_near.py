"""Totals of near-optimal strategies by processor seconds: `python benchmarks/bench_near.py [BOARD[:SECONDS] ...]`.

Two threads; seconds are processor seconds of both together, compiled code loaded, labels included. A line for every
pass that found a better strategy, then the strategy as played through by code that the search does not share. With
`--save FOLDER` the strategies are written there, as BOARD.tree. With `--brief` 10 seconds of 5x6.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from machine import machine

from entropeg.codes import format_code
from entropeg.rules import Rules
from entropeg.search.beam.board import Board
from entropeg.search.beam.near import Near
from entropeg.search.exact.fields import INF
from entropeg.tree import tree_of_nodes

ASKED = {"5x6": 36721, "4x10": 55632, "5x7": 85652, "5x8": 178338, "6x6": 240896}
"""Totals to be reached: the proved optimum of the first two, the best known elsewhere."""

BOARDS = ["4x10:40", "5x6:20", "5x7:90", "5x8:200", "6x6:240"]


class Reporter:
    """Prints every better total with the time that it took."""

    def __init__(self, near: Near, rules: Rules) -> None:
        self.near, self.rules, self.best = near, rules, INF

    def tell(self) -> None:
        """Look at the best total; called by the search a few times a second."""
        opening = self.near.best_opening()
        total = self.near.known.total(opening)
        if total < self.best:
            self.best = total
            code = format_code(tuple(self.near.board.guesses[opening].tolist()), self.rules)
            print(
                f"{self.rules}: {total} with {code} after {self.near.clock.timer() - self.near.clock.began:.1f} s",
                flush=True,
            )


def measure(name: str, seconds: float, folder: Path | None) -> None:
    """Search one board and print what comes of it."""
    rules = Rules.parse(name)
    began, wall = time.process_time(), time.perf_counter()
    near = Near(Board.of(rules), threads=2, seconds=seconds, began=began, timer=time.process_time)
    near.progress = Reporter(near, rules).tell
    near.run()
    tree = tree_of_nodes(near.tree(), rules, name="near-optimal").check()
    if folder is not None:
        tree.save(folder / f"{name.replace('/', '-')}.tree")
    print(
        f"{name}: total {tree.total}, mean {tree.mean:.4f}, worst {tree.worst}, first guess {tree.code_text(0)}, "
        f"found in 1, 2, ... guesses {' '.join(map(str, tree.histogram))}, asked {ASKED.get(name, '-')}, "
        f"processor {time.process_time() - began:.1f} s, elapsed {time.perf_counter() - wall:.1f} s",
        flush=True,
    )


def main() -> None:
    """Search the boards named, or all."""
    arguments = sys.argv[1:]
    folder = None
    if "--save" in arguments:
        at = arguments.index("--save")
        folder = Path(arguments[at + 1])
        del arguments[at : at + 2]
    print(machine())
    if "--brief" in arguments:
        arguments = ["5x6:10"]
    for argument in arguments or BOARDS:
        name, _, seconds = argument.partition(":")
        measure(name, float(seconds or 60), folder)


if __name__ == "__main__":
    main()
