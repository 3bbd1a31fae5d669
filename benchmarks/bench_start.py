"""What a command costs to start: `python benchmarks/bench_start.py`.

For each command, processor seconds and peak memory of the whole process, cold (an empty folder for what numba keeps),
warm (the same again), and without a compiler. Processes that a command starts are counted. With `--brief` the commands
of BRIEF. Beside them stand the seconds asked for, and those of the version that compiled for every board.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import NamedTuple

from machine import machine


class Case(NamedTuple):
    """A command, what is typed into it, and seconds: asked for (cold, warm), before (cold, warm); 0 for none."""

    arguments: str
    typed: str = ""
    asked: tuple[float, float] = (0.0, 0.0)
    before: tuple[float, float] = (0.0, 0.0)


CASES = [
    Case("play --rules 4x6", "hint\nquit\n", (0.6, 0.35), (16.5, 0.9)),
    Case("score AABB ABCD", "", (0.6, 0.35)),
    Case("candidates 4x6 'AABB XO'", "", (0.6, 0.35)),
    Case("decode 4x6 --secret ABCD", "", (0.6, 0.35), (7.6, 0.9)),
    Case("compare 4x6", "", (0.6, 0.6), (15.1, 1.0)),
    Case("tree build entropy 4x6 --out {folder}/entropy.json", "", (0.6, 0.6), (0.0, 1.0)),
    Case("optimal 4x6", "", (0.0, 0.6), (14.3, 1.0)),
    Case("force minimax --rules 4x4", "", (0.0, 0.0), (27.7, 1.1)),
    Case("arena minimax,consistent honest,cheat --rules 4x6 --games 200", "", (0.0, 0.0), (20.5, 1.1)),
    Case("compare 4x8", "", (10.0, 0.0)),
]
BRIEF = CASES[:7]


MEASURE = """
import resource, subprocess, sys
quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
done = subprocess.run(sys.argv[2:], input=sys.argv[1], text=True, **quiet)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def spent(case: Case, folder: str, **environment: str) -> tuple[float, float]:
    """(processor seconds, peak megabytes) of a command in a process of its own."""
    # The child of a child: the peak of all children before is no part of its own.
    arguments = [word.format(folder=folder) for word in shlex.split(case.arguments)]
    command = [sys.executable, "-c", MEASURE, case.typed, sys.executable, "-m", "entropeg", *arguments]
    output = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environment}
    ).stdout
    code, seconds, megabytes = map(float, output.split())
    if code:
        raise AssertionError(f"entropeg {case.arguments} ended with {code:.0f}")
    return seconds, megabytes


def main(cases: list[Case]) -> None:
    """Print a table."""
    print(machine())
    print(f"{'processor seconds':<52}{'cold':>7}{'warm':>7}{'MB':>6}{'without':>9}   {'asked':<12}{'before'}")
    for case in cases:
        with TemporaryDirectory() as kept:
            cold, _ = spent(case, kept, NUMBA_CACHE_DIR=kept)
            warm, megabytes = spent(case, kept, NUMBA_CACHE_DIR=kept)
            without, _ = spent(case, kept, ENTROPEG_KERNELS="no")
        asked, before = (" / ".join(f"{x:g}" if x else "-" for x in pair) for pair in (case.asked, case.before))
        print(
            f"{case.arguments[:50]:<52}{cold:>7.2f}{warm:>7.2f}{megabytes:>6.0f}{without:>9.2f}   {asked:<12}{before}",
            flush=True,
        )


if __name__ == "__main__":
    main(BRIEF if sys.argv[1:] == ["--brief"] else CASES)
