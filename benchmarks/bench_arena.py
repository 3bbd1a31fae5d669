"""Time the arena: python benchmarks/bench_arena.py [--executor E] [--times N] [--brief].

Each line is the least of N runs of the whole call, results and statistics included, after one that loads and compiles
the kernels; the last column is what the process used of the processor, which a busy machine disturbs less. --cold
times that first run into an empty cache of compiled kernels instead. No times were asked for.
"""

import argparse
import os
import tempfile
import time
from typing import Any

from machine import machine

EXPERIMENTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("random", "honest", "4x8", {"games": 1000}),
    ("memory", "honest", "4x8", {"games": 1000}),
    ("consistent", "honest", "4x8", {"games": 10_000}),
    ("consistent", "cheat", "4x8", {"games": 1000}),
    ("first-consistent", "honest", "4x8", {"all_secrets": True}),
    ("first-consistent", "cheat", "4x8", {"games": 1000}),
    ("minimax", "honest", "4x8", {"all_secrets": True}),
    ("minimax", "cheat", "4x8", {"games": 1000}),
    ("minimax:ties=knuth", "honest", "4x6", {"all_secrets": True}),
]


def measure(breaker: str, maker: str, board: str, plan: dict[str, Any]) -> tuple[float, float, float]:
    """Return seconds, processor seconds of this process, and the mean number of guesses of one experiment."""
    from entropeg import Rules, arena

    start, used = time.perf_counter(), time.process_time()
    mean = arena(breaker, maker, Rules.parse(board), **plan)[0].statistics.mean
    return time.perf_counter() - start, time.process_time() - used, mean


def main() -> None:
    os.environ["ENTROPEG_KERNELS"] = "always"  # NumPy, which works on small boards, is not what is measured
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--executor", help="as entropeg arena takes it; default: a process a core")
    parser.add_argument("--times", type=int, default=3, help="runs of each experiment")
    parser.add_argument("--cold", action="store_true", help="one run of each, from an empty cache of kernels")
    parser.add_argument("--brief", action="store_true", help="one run of each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        if options.cold:
            os.environ["NUMBA_CACHE_DIR"] = empty
        print(machine())
        print(f"{'codebreaker':20} {'codemaker':10} {'rules':6} {'games':>7} {'mean':>9} {'s':>7} {'cpu s':>7}")
        for breaker, maker, board, plan in EXPERIMENTS:
            named = {**plan, "executor": options.executor}
            runs = 1 if options.cold else 2 if options.brief else 1 + options.times
            times = [measure(breaker, maker, board, named) for _ in range(runs)]
            seconds, used, mean = min(times)
            games = plan.get("games", "all")
            print(f"{breaker:20} {maker:10} {board:6} {games:>7} {mean:9.3f} {seconds:7.2f} {used:7.2f}", flush=True)


if __name__ == "__main__":
    main()
