"""Time the kernels on one core, warm: python benchmarks/bench_kernels.py [--seconds S] [--compile] [--brief].

Each cell is the best of many runs in S seconds, in nanoseconds a pair (guess, secret). "scored": labels
written to an array. "with histogram": part sizes of each guess. "few secrets": part sizes of all (at
most 10,000) guesses over 5 and over 30 secrets, as late in a game. --compile times the compilation into an
empty cache.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable

from machine import machine

BOARDS = ((4, 6), (4, 8), (4, 10), (5, 8), (6, 9))
ASKED = "0.13 to 0.2 scored, 0.5 with histogram, up to 5x8 and standard feedback"
PAIRS = 4_000_000  # a run of milliseconds: long against the clock, short against disturbances


def best(run: Callable[[], object], pairs: int, seconds: float) -> float:
    """Return the least nanoseconds a pair over repeated runs, the first not counted."""
    run()
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    return least / pairs * 1e9


def measure(pegs: int, colors: int, kind: int, seconds: float) -> list[float]:
    """Return the four figures of one board."""
    import numpy as np

    from entropeg import kernels

    secrets = kernels.list_codes(pegs, colors)
    counts = kernels.color_counts(secrets, colors)
    number = secrets.shape[1]
    rng = np.random.default_rng(0)
    guesses = np.ascontiguousarray(secrets[:, rng.integers(0, number, max(2, PAIRS // number))])
    one = guesses[:, 0].copy()
    figures = [
        best(lambda: kernels.score(kind, one, secrets, counts), number, seconds),
        best(
            lambda: kernels.score_many(kind, guesses, secrets, counts, threads=1),
            guesses.shape[1] * number,
            seconds,
        ),
        best(
            lambda: kernels.part_sizes_many(kind, guesses, secrets, counts, threads=1),
            guesses.shape[1] * number,
            seconds,
        ),
    ]
    many = np.ascontiguousarray(secrets[:, :10_000])
    many_counts = kernels.color_counts(many, colors)
    for few in (5, 30):
        left = np.ascontiguousarray(secrets[:, rng.choice(number, few, replace=False)])
        figures.append(
            best(
                lambda left=left: kernels.part_sizes_many(  # type: ignore[misc]
                    kind, many, left, guess_counts=many_counts, threads=1
                ),
                many.shape[1] * few,
                seconds,
            )
        )
    return figures


def compile_seconds() -> float:
    """Return the time that the compiler takes for every kernel in its common form."""
    import numpy as np
    from numba.core import event  # type: ignore[import-untyped, unused-ignore]

    from entropeg import kernels

    planes = kernels.list_codes(4, 6)
    wide = np.array([[300, 2], [2, 300]], np.uint16)
    spent: list[float] = []
    with event.install_timer("numba:compiler_lock", spent.append):
        kernels.list_codes(4, 6, repeats=False)
        kernels.score(0, (0, 0, 1, 1), planes)
        kernels.part_sizes(0, (0, 0, 1, 1), planes)
        kernels.part_sizes_many(0, planes, planes[:, :9])
        kernels.matching(0, planes[:, :1], [3], planes)
        kernels.score(0, (300, 2), wide)
        kernels.score(3, (300, 2), wide)
    return sum(spent)


def main() -> None:
    """Print the table."""
    os.environ["ENTROPEG_KERNELS"] = "always"  # NumPy, which works on small boards, is not what is measured
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each cell (default: 1)")
    parser.add_argument("--compile", action="store_true", help="time the compilation into an empty cache")
    parser.add_argument("--brief", action="store_true", help="a tenth of a second for each cell")
    options = parser.parse_args()
    print(machine())
    if options.compile:
        with tempfile.TemporaryDirectory() as cache:
            os.environ["NUMBA_CACHE_DIR"] = cache
            print(f"compilation into an empty cache: {compile_seconds():.1f} s")
        return
    print(f"nanoseconds a pair; one core, best of many runs; asked: {ASKED}")
    heads = ("one scored", "many scored", "with histogram", "5 secrets", "30 secrets")
    print(f"{'feedback':<12}{'board':<7}" + "".join(f"{head:>16}" for head in heads))
    for kind, name in enumerate(("standard", "black", "membership", "positional")):
        for pegs, colors in BOARDS if kind == 0 else BOARDS[:1] + BOARDS[3:4]:
            cells = measure(pegs, colors, kind, 0.1 if options.brief else options.seconds)
            print(f"{name:<12}{f'{pegs}x{colors}':<7}" + "".join(f"{cell:>16.3f}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
