"""Whole spaces played by one-step rules, warm: total, worst, seconds (best of several), memory; and single choices.

Run: python benchmarks/bench_onestep.py [board ...]; with --all also 6x9, which takes minutes and is measured once.
"""

from __future__ import annotations

import platform
import resource
import sys
from time import perf_counter

import numpy as np

from entropeg import Position, Rules, codebreakers, score
from entropeg.codes import random_secret
from entropeg.search.onestep import board_of
from entropeg.tree import build_tree

BOARDS = ("4x6", "bulls-and-cows", "4x8", "5x8", "6x6")
SPECS = ("minimax", "expected-size", "entropy", "parts", "entropy:guesses=candidates")


def best_of(spec: str, rules: Rules, repeats: int) -> None:
    tree, seconds = build_tree(spec, Rules.parse("3x3")), []
    for _ in range(repeats):
        start = perf_counter()
        tree = build_tree(spec, rules)
        seconds.append(perf_counter() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{rules!s:20} {spec:28} {tree.code_text(0):>8} {tree.total:9} {tree.mean:8.4f} {tree.worst:3} "
        f"{min(seconds):9.4f} s {memory:7.0f} MB",
        flush=True,
    )


def advice(spec: str, rules: Rules, games: int) -> None:
    slowest: dict[int, float] = {}
    rng = np.random.default_rng(1)
    player = codebreakers.get(spec)
    for _ in range(games):
        secret, position = random_secret(rules, rng), Position(rules)
        while not position.is_won:
            start = perf_counter()
            guess = player.guess(position, rng)
            turn = len(position.turns) + 1
            slowest[turn] = max(slowest.get(turn, 0.0), perf_counter() - start)
            position = position.after(guess, score(guess, secret, rules))
    shown = ", ".join(f"{turn}: {seconds:.3f}" for turn, seconds in sorted(slowest.items()))
    print(f"{rules} {spec}, slowest choice of each turn in {games} games, seconds: {shown}")


def main(arguments: list[str]) -> None:
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    build_tree("entropy", Rules.parse("3x3"))
    boards = [name for name in arguments if not name.startswith("-")] or list(BOARDS)
    for board in boards:
        rules = Rules.parse(board)
        board_of(rules)
        for spec in SPECS:
            best_of(spec, rules, 1 if rules.secret_count > 100_000 else 5)
    if "--all" in arguments:
        rules = Rules.parse("6x9")
        for spec in ("entropy:guesses=candidates", "entropy"):
            best_of(spec, rules, 1)
        advice("entropy", rules, 5)


if __name__ == "__main__":
    main(sys.argv[1:])
