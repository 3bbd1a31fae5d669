"""How long commands take that are given a time, at the edges of their boards: at most 1.5 times it and a second.

Run: python benchmarks/bench_deadlines.py [TIME] [--brief]

Each command runs in a process of its own with `--time TIME` (1), after one run that compiles what it needs. Printed are
the seconds of the clock and of the processor, and the clock's over what is allowed: above 1 it took too long, or other
processes took the machine, which the processor's seconds tell. What is not over after ten times the time is ended.
`classroom` is left to tests/cli/test_deadlines.py.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from machine import machine

from entropeg import play

CASES = (
    ("advise 4x6", ""),
    ("advise 2x1000", ""),
    ("advise 2x300/prior=distinct|1-1 X", ""),
    ("advise 16x2", ""),
    ("advise 20x2", ""),
    ("advise 1000x1000", ""),
    ("advise 2x65536", ""),
    ("advise 4096x4096", ""),
    ("advise 2000x5", ""),
    ("advise 3x100/prior=distinct", ""),
    ("advise 5x12/shapes=3", ""),
    ("advise 4x8/shapes=2", ""),
    ("advise 12x12", ""),
    ("advise words:english", ""),
    ("assist 2x1000|--tell", "1-1 X\n2-2 X\nquit\n"),
    ("review FILE|--rules|2x300", ""),
    ("review FILE|--rules|2x1000", ""),
    ("review VAST", ""),
    ("optimal 4x10", ""),
    ("optimal 2x1000", ""),
)
"""Arguments, divided by bars after the first, and the lines typed."""
BRIEF = 3
"""Cases that --brief runs."""
ROWS = "1-2 -\n3-4 -\n"


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("time", nargs="?", type=float, default=1.0)
    parser.add_argument("--brief", action="store_true", help="the first boards alone")
    asked = parser.parse_args()
    print(f"{machine()}; --time {asked.time:g}")
    print("  clock  processor  of what is allowed  command")
    with TemporaryDirectory() as folder:
        rows = Path(folder, "rows.txt")
        rows.write_text(ROWS, encoding="utf-8")
        vast = Path(folder, "vast.txt")
        vast.write_text(play("auto", "honest", "30x30", seed=3).to_text(), encoding="utf-8")
        for words, typed in CASES[: BRIEF if asked.brief else None]:
            name, _, rest = words.partition(" ")
            arguments = [
                name,
                *rest.replace("FILE", str(rows)).replace("VAST", str(vast)).split("|"),
                "--time",
                f"{asked.time:g}",
            ]
            run(arguments, typed, 300.0)
            clock, processor = run(arguments, typed, 10 * asked.time + 10)
            allowed = clock / (1.5 * asked.time + 1)
            print(f"{clock:7.2f}  {processor:9.2f}  {allowed:18.2f}  {words.replace('|', ' ')}", flush=True)


def run(arguments: list[str], typed: str, most: float) -> tuple[float, float]:
    """Run a command; return the seconds of the clock and of the processor that it took."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    try:
        subprocess.run(
            [sys.executable, "-m", "entropeg", *arguments],
            input=typed.encode(),
            capture_output=True,
            check=False,
            timeout=most,
        )
    except subprocess.TimeoutExpired:
        print(f"ended after {most:g} s:")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
