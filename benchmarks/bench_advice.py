"""Advice measured: seconds by turn, and how much of it is exact and proven.

Run: python benchmarks/bench_advice.py [speed|openings] [GAMES]

`speed`: GAMES (40) games of a player who draws guesses from the codes that fit; at each turn the ten best guesses are
asked for, within two seconds. The tables of a board are kept from game to game, as in a session. `openings`: all
opening classes. Times are of the clock, after everything has been compiled.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from time import perf_counter

import numpy as np
from machine import machine

from entropeg import codebreakers
from entropeg.advise import advise
from entropeg.codes import format_code, random_secret, score
from entropeg.position import Position
from entropeg.rules import Rules

BOARDS = ("4x6", "4x8", "bulls-and-cows", "5x8")
OPENED = ("4x6", "4x7", "4x8", "bulls-and-cows", "5x8")
TURNS = 4
SEED = 20


def speed(games: int) -> None:
    """Print a row for each turn of each board."""
    player = codebreakers.get("consistent")
    print("board           turn  codes  median    p90    max   proven  value exact")
    for board in BOARDS:
        rules, rng = Rules.parse(board), np.random.default_rng(SEED)
        seconds, sizes, proven, exact = (defaultdict[int, list[float]](list) for _ in range(4))
        for _ in range(games if board != "5x8" else games // 2):
            secret, position = random_secret(rules, rng), Position(rules)
            for turn in range(1, TURNS + 1):
                guess = player.guess(position, rng)
                position = position.after(guess, score(guess, secret, rules))
                if position.is_over:
                    break
                sizes[turn].append(len(position.candidates))
                began = perf_counter()
                advice = advise(position)
                seconds[turn].append(perf_counter() - began)
                proven[turn].append(advice.is_proven)
                exact[turn].append(advice.value.is_exact)
        for turn, took in seconds.items():
            times = " ".join(f"{value:6.3f}" for value in (np.median(took), np.quantile(took, 0.9), max(took)))
            shares = f"{np.mean(proven[turn]):8.0%} {np.mean(exact[turn]):12.0%}"
            print(f"{board:<15} {turn:>4} {np.median(sizes[turn]):>6.0f}  {times} {shares}", flush=True)


def openings() -> None:
    """Print what each opening class is expected to take."""
    for board in OPENED:
        rules = Rules.parse(board)
        began = perf_counter()
        advice = advise(rules, limit=30)
        took = perf_counter() - began
        told = ", ".join(f"{format_code(one.guess, rules)} {one.expected} ({one.loss})" for one in advice.guesses)
        print(f"{board} in {took:.3f} s: {told}", flush=True)


def main() -> None:
    """Measure what is asked for, or everything."""
    print(machine())
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    advise(Position("4x6", ["AABB X"]))  # compiles
    if asked in {"", "openings"}:
        openings()
    if asked in {"", "speed"}:
        speed(games)


if __name__ == "__main__":
    main()
