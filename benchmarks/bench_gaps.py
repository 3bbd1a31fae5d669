"""Gaps between the best strategy found and the proven bound: `python benchmarks/bench_gaps.py [BOARD:SECONDS ...]`.

Seconds are processor seconds of two threads together, labels included, compiled code loaded: what `entropeg optimal
BOARD --time T --memory MB` has after T = SECONDS / 2 on two cores of its own, with memory for all labels and a table.
Each result is printed, and kept in gaps.csv beside this file, which also has what was published before. `--figure FILE`
draws what is kept, and measures nothing. With `--brief` 4x9 for 4 seconds, which is not kept.
"""

from __future__ import annotations

import csv
import sys
import time
from math import ceil
from pathlib import Path
from typing import NamedTuple

THREADS = 2
time.perf_counter = lambda: time.process_time() / THREADS  # before the search takes the clock for its own

from machine import machine  # noqa: E402

from entropeg.plots import writing  # noqa: E402
from entropeg.rules import Rules  # noqa: E402
from entropeg.search.reach import Reach  # noqa: E402
from entropeg.tree.optimum import optimal  # noqa: E402

KEPT = Path(__file__).with_name("gaps.csv")
BOARDS = [f"{board}:{seconds}" for seconds in (10, 100) for board in ("5x8", "6x6", "4x12", "5x9")]
COLORS = {"5x8": writing.BLUE, "6x6": writing.VERMILION, "4x12": writing.INK, "5x9": writing.QUIET}


class Gap(NamedTuple):
    """A strategy and a bound of a board, by which search, after how many processor seconds."""

    board: str
    search: str
    seconds: float
    total: int
    lower: int

    @property
    def percent(self) -> float:
        """How much less than the strategy the optimum may be, in percent of the bound."""
        return 100 * (self.total / self.lower - 1)

    def __str__(self) -> str:
        start = f"| `{self.board}` | {self.search} | {self.seconds:g} | {self.total:,} |"
        return f"{start} {self.lower:,} | {self.percent:.2f} % |"


def kept() -> list[Gap]:
    """What was measured before."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        return [
            Gap(row["board"], row["search"], float(row["seconds"]), int(row["total"]), int(row["lower"]))
            for row in csv.DictReader(file)
        ]


def keep(gap: Gap) -> None:
    """Put a gap in the place of one of the same board, search and seconds, or behind all."""
    rows = {each[:3]: each for each in kept()} | {gap[:3]: gap}
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Gap._fields)
        writer.writerows([*gap[:2], f"{gap.seconds:g}", *gap[3:]] for gap in rows.values())


def measure(board: str, seconds: float) -> Gap:
    """Search a board for so many processor seconds."""
    rules = Rules.parse(board)
    memory = int(1.5 * Reach.of(rules).cells) + (1 << 30)  # labels, a copy of a part of them, and a table
    began = time.process_time()
    found = optimal(rules, time=seconds / THREADS, threads=THREADS, memory=ceil(memory / 1e6))
    assert found.value.upper is not None
    took = time.process_time() - began
    print(f"{board}: {took:.1f} processor seconds, first guess {found.opening}", file=sys.stderr, flush=True)
    return Gap(board, "targets", seconds, int(found.value.upper), int(found.value.lower))


def draw(path: Path) -> None:
    """Draw the gaps that are kept."""
    with writing.styled():
        from entropeg.plots.canvas import ShownFigure

        figure = ShownFigure(figsize=(6.4, 4.2), layout="constrained")
        panel = figure.subplots()
        known = kept()
        for board in dict.fromkeys(each.board for each in known):
            for search, line in (("targets", "o-"), ("before", "s")):
                some = sorted((each.seconds, each.percent) for each in known if each[:2] == (board, search))
                if some:
                    filled = "none" if search == "before" else COLORS[board]
                    label = board if search == "targets" else f"{board}, before"
                    at, gap = zip(*some, strict=True)
                    panel.plot(at, gap, line, color=COLORS[board], label=label, markerfacecolor=filled)
        panel.set(xlabel="processor seconds", ylabel="gap, %", xscale="log", ylim=(0, None))
        panel.legend()
        path.write_bytes(writing.svg(figure))


def main() -> None:
    """Measure the boards named, or all; or draw."""
    arguments = sys.argv[1:]
    if "--figure" in arguments:
        draw(Path(arguments[arguments.index("--figure") + 1]))
        return
    print(machine())
    optimal("4x6", seed=1)  # compiled code is loaded
    optimal("4x8", time=0.01)
    if "--brief" in arguments:
        print(measure("4x9", 4))
        return
    for argument in arguments or BOARDS:
        board, _, seconds = argument.partition(":")
        gap = measure(board, float(seconds or 10))
        keep(gap)
        print(gap, flush=True)


if __name__ == "__main__":
    main()
