"""Whole spaces played by one-step rules, warm, on all cores: total, worst, seconds (best of several), memory.

And single choices on 6x9. Run: python benchmarks/bench_onestep.py [board ...]; --all adds the rules of choice that take
a minute on 6x9; --brief leaves out 6x6 and 6x9.
"""

from __future__ import annotations

import resource
import sys
from time import perf_counter, process_time

import numpy as np
from machine import machine

from entropeg import Position, Rules, codebreakers, score
from entropeg.codes import random_secret
from entropeg.kernels import switch
from entropeg.search.onestep.code_arrays import board_of
from entropeg.tree import StrategyTree

BOARDS = {"4x6": 20, "bulls-and-cows": 10, "4x8": 10, "5x8": 5, "6x6": 3, "6x9": 1}
"""Boards, and how often each is played."""

SPECS = ("entropy", "minimax", "expected-size", "parts", "entropy:guesses=candidates")

ASKED = {"4x6": 0.005, "4x10/no-repeats/digits": 0.04, "4x8": 0.04, "5x8": 0.4, "6x6": 1.5, "6x9": 60.0}
"""Seconds on two cores, with guesses from all codes; 1.5 on 6x9 with the candidates alone."""

SLOW = {"6x9": ("entropy:guesses=candidates", "entropy")}
"""Rules of choice that are measured without --all."""


def best_of(spec: str, rules: Rules, repeats: int) -> None:
    tree, seconds, work = StrategyTree.build(spec, Rules.parse("3x3")), [], []
    for _ in range(repeats):
        start, before = perf_counter(), process_time()
        tree = StrategyTree.build(spec, rules)
        seconds.append(perf_counter() - start)
        work.append(process_time() - before)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{rules!s:18} {spec:28} {tree.code_text(0):>7} {tree.total:9} {tree.mean:8.4f} {tree.worst:3} "
        f"{min(seconds):9.4f} s {min(work):9.4f} s of processors {memory:6.0f} MB"
        + (f"  asked: {asked:g} s" if (asked := _asked(spec, str(rules))) else ""),
        flush=True,
    )


def _asked(spec: str, board: str) -> float | None:
    return (1.5 if board == "6x9" else None) if "candidates" in spec else ASKED.get(board)


def advice(spec: str, rules: Rules, games: int) -> None:
    slowest: dict[int, tuple[float, float]] = {}
    rng = np.random.default_rng(1)
    player = codebreakers.get(spec)
    for _ in range(games):
        secret, position = random_secret(rules, rng), Position(rules)
        while not position.is_won:
            start, before = perf_counter(), process_time()
            guess = player.guess(position, rng)
            took = perf_counter() - start, process_time() - before
            turn = len(position.turns) + 1
            slowest[turn] = max(slowest.get(turn, took), took)
            position = position.after(guess, score(guess, secret, rules))
    print(
        f"{rules} {spec}, slowest choice of each turn in {games} games, seconds (of processors; asked 1, 1, then 0.2):"
    )
    print("  " + ", ".join(f"{turn}: {wall:.3f} ({work:.3f})" for turn, (wall, work) in sorted(slowest.items())))


def main(arguments: list[str]) -> None:
    switch.use("always")  # NumPy, which works on small boards, is not what is measured
    print(machine())
    StrategyTree.build("entropy", Rules.parse("3x3"))
    boards = [name for name in arguments if not name.startswith("-")]
    boards = boards or list(BOARDS)[: 4 if "--brief" in arguments else None]
    for board in boards:
        rules = Rules.parse(board)
        board_of(rules)
        for spec in SPECS if "--all" in arguments else SLOW.get(board, SPECS):
            best_of(spec, rules, BOARDS.get(board, 1))
    if "6x9" in boards:
        for spec in ("entropy", "minimax"):
            advice(spec, Rules.parse("6x9"), 5)


if __name__ == "__main__":
    main(sys.argv[1:])
