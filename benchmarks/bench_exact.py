"""Seconds, processor seconds and guesses tried to prove exact optima: `python benchmarks/bench_exact.py [BOARD ...]`.

The least of REPEATS runs (one for boards in LONG), compiled code loaded, labels and strategy included, beside the
seconds asked for. On a machine that does other work besides, processor seconds say more: those of two threads are
together about twice the seconds on two free cores. Boards are rules as text. With `--table`
the rows of the table in docs/lookup/boards.md, each board proved once (SETTLED unless boards are named; LONG takes
minutes), and with `--write` they are put there: in the place of older ones, or behind those of their kind. With
`--brief` the boards of BRIEF.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from machine import machine

from entropeg.check.verifier import verify
from entropeg.codes import format_code
from entropeg.kernels import switch
from entropeg.rules import FeedbackKind, Rules
from entropeg.search.results import Solution
from entropeg.tree import tree_of_nodes
from entropeg.tree.optimum import optimal

PAGE = Path(__file__).parents[1] / "docs" / "lookup" / "boards.md"
REPEATS = 3
BOARDS = ["4x6", "4x7", "4x8", "bulls-and-cows", "5x5"]
BRIEF = ["4x6", "4x7", "5x5"]
LONG = ["4x9", "5x6", "4x10"]
ASKED: dict[tuple[str, int], float] = {  # seconds by board and threads
    ("4x6", 2): 0.05,
    ("4x7", 2): 0.6,
    ("4x8", 1): 4,
    ("4x8", 2): 2,
    ("bulls-and-cows", 1): 5,
    ("bulls-and-cows", 2): 3,
    ("5x5", 2): 0.3,
    ("4x9", 1): 30,
    ("4x9", 2): 15,
    ("5x6", 1): 170,
    ("5x6", 2): 80,
    ("4x10", 2): 240,
}
SETTLED = [
    *(f"2x{colors}" for colors in range(2, 11)),
    *(f"3x{colors}" for colors in range(2, 11)),
    *(f"4x{colors}" for colors in range(2, 9)),
    *(f"5x{colors}" for colors in range(2, 6)),
    *("6x2", "6x3"),
    *(f"3x{colors}/no-repeats" for colors in range(4, 11)),
    *(f"4x{colors}/no-repeats" for colors in range(4, 11)),
    *(f"5x{colors}/no-repeats" for colors in range(5, 8)),
    *("6x4", "7x2", "7x3", "8x2", "6x6/no-repeats"),
    *(f"3x{colors}/black" for colors in range(2, 11)),
    *(f"4x{colors}/black" for colors in range(2, 7)),
    *(f"5x{colors}/black" for colors in range(2, 5)),
    *(f"6x{colors}/black" for colors in range(2, 4)),
    *(f"3x{colors}/positional" for colors in range(2, 11)),
    *(f"4x{colors}/positional" for colors in range(2, 11)),
    *(f"5x{colors}/positional" for colors in range(2, 6)),
    *(f"3x{colors}/membership" for colors in range(2, 11)),
    *(f"4x{colors}/membership" for colors in range(2, 10)),
    *(f"5x{colors}/membership" for colors in range(2, 6)),
    *("2x4/shapes=2", "2x6/shapes=2", "2x9/shapes=3", "2x16/shapes=4", "3x4/shapes=2", "3x6/shapes=2", "4x4/shapes=2"),
    *("3x9/shapes=3", "4x6/shapes=2", "5x4/shapes=2"),
]
UNWRITTEN = {"9x2", "6x6/no-repeats", "4x7/black", "4x8/black", "6x4/black"}
"""Boards whose proofs take longer than a minute to write."""
WRITTEN = {"4x9", "5x6"}  # larger boards whose proofs are written and verified, in minutes
VERIFIED = 5100  # for boards of up to so many codes the proof is written and verified


def measure(rules: Rules, threads: int) -> tuple[float, float, Solution]:
    """(seconds, processor seconds, result) of one proof."""
    began, busy = time.perf_counter(), time.process_time()
    found = optimal(rules, threads=threads)
    return time.perf_counter() - began, time.process_time() - busy, found


def row(rules: Rules) -> str:
    """One row of the table of boards settled; every code is played through the strategy."""
    found = optimal(rules)
    if found.root is None or found.opening is None or not found.is_exact:
        raise AssertionError(f"{rules} was not settled")
    tree = tree_of_nodes(found.root, rules).check()
    is_usual = rules.feedback in {FeedbackKind.standard, FeedbackKind.black}
    is_small = found.size <= VERIFIED and str(rules) not in UNWRITTEN
    written = (is_small or str(rules) in WRITTEN) and is_usual
    checked = "proof" if written and verified(rules) == tree.total else "search"
    lengths = " ".join(map(str, tree.histogram))
    return (
        f"| `{rules}` | {found.size:,} | {tree.total} | {tree.mean:.4f} | {tree.worst} | "
        f"{format_code(found.opening, rules)} | {lengths} | {found.seconds:.2f} | {checked} |"
    )


def entered(page: str, line: str) -> str:
    """The page with a row of the table of optima: in the place of that of its board, else behind those of its kind."""
    lines, (kind, colors) = page.splitlines(), kind_of(line)
    head = next((at for at, text in enumerate(lines) if text.startswith("| board | codes | total")), 0)
    end = next((at for at in range(head, len(lines)) if not lines[at].startswith("|")), len(lines))
    alike = {at: kind_of(lines[at])[1] for at in range(head, end) if kind_of(lines[at])[0] == kind}
    old = [at for at, found in alike.items() if found == colors]
    place = max([at + 1 for at, found in alike.items() if found < colors], default=min(alike, default=end))
    lines[old[0] if old else place : old[0] + 1 if old else place] = [line]
    return "\n".join(lines) + "\n" * page.endswith("\n")


def kind_of(line: str) -> tuple[str, int]:
    """What the board of a row is but for its colors, and these; no kind where it is no row."""
    pegs, _, more = line.split("`")[1].partition("x") if line.startswith("| `") else ("", "", "")
    colors, _, options = more.partition("/")
    return f"{pegs}x/{options}", int(colors or 0)


def verified(rules: Rules) -> int | None:
    """The lower bound that the independent checker accepts."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json.gz"
        optimal(rules, proof=path)
        return verify(path)[2]


def compare(name: str) -> None:
    """Print what one thread and two need for a board, and what was asked."""
    for threads in (1, 2):
        runs = [measure(Rules.parse(name), threads) for _ in range(1 if name in LONG else REPEATS)]
        seconds, busy = min(run[0] for run in runs), min(run[1] for run in runs)
        found = runs[-1][2]
        asked = ASKED.get((name, threads))
        print(
            f"{name:16} {threads:7} {'' if asked is None else f'{asked:g}':>8} {seconds:9.3f} {busy:9.3f} "
            f"{found.nodes:12,} {found.value!s:>9} {found.worst:>5}",
            flush=True,
        )


def main() -> None:
    """Print one line for each board and number of threads, or the table."""
    switch.use("always")  # NumPy, which works on small boards, is not what is measured
    optimal(Rules.parse("4x3"))
    optimal(Rules.parse("4x5"))
    boards = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    print(machine())
    if "--table" not in sys.argv:
        print(f"{'board':16} threads    asked   seconds processor      guesses     total worst")
        for name in boards or (BRIEF if "--brief" in sys.argv else BOARDS):
            compare(name)
        return
    for name in boards or SETTLED:
        line = row(Rules.parse(name))
        print(line, flush=True)
        if "--write" in sys.argv:
            PAGE.write_text(entered(PAGE.read_text(encoding="utf-8"), line), encoding="utf-8")


if __name__ == "__main__":
    main()
