"""Guesses and processor seconds of belief propagation on boards that nobody can enumerate.

Run: python benchmarks/bench_belief.py [games] [board ...] [--player SPEC] [--brief]

Games with seeds 0, 1, ...; a first game, not counted, compiles.
"""

from __future__ import annotations

import argparse
import resource
from time import process_time

import numpy as np
from machine import machine

from entropeg import Rules, codebreakers, codemakers, play

BOARDS = ("30x30", "50x50", "100x100")

ASKED = {"30x30": (41.0, 10.0), "50x50": (90.0, 1.0), "100x100": (195.0, 3.0)}
"""Mean guesses and seconds a game, at most."""


def measure(player: str, board: str, games: int) -> None:
    rules, maker = Rules.parse(board), codemakers.get("honest")
    guesses, seconds, lost = [], [], 0
    for seed in range(games):
        started = process_time()
        game = play(codebreakers.get(player), maker, rules, seed)
        seconds.append(process_time() - started)
        guesses.append(len(game))
        lost += game.outcome != "won"
    error = np.std(guesses, ddof=1) / games**0.5 if games > 1 else float("nan")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{player} {board}: {np.mean(guesses):.2f} ± {error:.2f} guesses, worst {max(guesses)}, "
        f"{np.mean(seconds):.2f} s a game, {games} games, {lost} not won, {memory:.0f} MB"
        + (f"; asked: {ASKED[board][0]:g} guesses, {ASKED[board][1]:g} s" if board in ASKED else ""),
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="?", type=int, default=20)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--player", default="belief")
    parser.add_argument("--brief", action="store_true", help="3 games on 30x30 and 50x50")
    options = parser.parse_args()
    if options.brief:
        options.games, options.boards = 3, BOARDS[:2]
    print(machine())
    play(codebreakers.get(options.player), codemakers.get("honest"), Rules.parse("5x5"), 1)
    for board in options.boards:
        measure(options.player, board, options.games)
