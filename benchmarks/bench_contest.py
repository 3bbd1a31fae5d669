"""Plays boards of TopCoder's Marathon Match 2 («MasterMind», June 2006) and prints averages in its terms.

Run: python benchmarks/bench_contest.py [--games 50] [--first 0] [--player auto] [--quiet] [--brief]

The contest drew 5 to 100 pegs and 5 to 20 colors, answered by black and white, and gave a game l * lg(k) / guesses
points (l pegs, k colors), nothing after 3000 guesses: bits of the secret for each guess. Sizes are drawn here evenly,
by the seed, as is the secret; the contest's own boards are not public.
"""

from __future__ import annotations

import argparse
from math import log2
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

import numpy as np
from machine import machine

from entropeg import codebreakers, codemakers, play
from entropeg.rules import Rules

MOST_GUESSES = 3000
BANDS = ((5, 10), (11, 20), (21, 30), (31, 50), (51, 75), (76, 100))
"""Pegs, from and to, of the lines of the table."""


class Scored(NamedTuple):
    """One game."""

    pegs: int
    guesses: int
    points: float
    seconds: float


def drawn(seed: int) -> Rules:
    pegs, colors = np.random.default_rng(seed).integers([5, 5], [101, 21]).tolist()
    return Rules.parse(f"{pegs}x{colors}")


def one_game(player: str, seed: int) -> Scored:
    rules, start = drawn(seed), process_time()
    game = play(codebreakers.get(player), codemakers.get("honest"), rules, seed)
    won = game.outcome == "won" and len(game) <= MOST_GUESSES
    points = rules.pegs * log2(rules.colors) / len(game) if won else 0.0
    return Scored(rules.pegs, len(game), points, process_time() - start)


def line(name: str, games: list[Scored]) -> str:
    points = [game.points for game in games]
    error = stdev(points) / len(points) ** 0.5 if len(points) > 1 else float("nan")
    return (
        f"{name:12} {len(games):5} games  {fmean(game.guesses for game in games):7.2f} guesses  "
        f"{fmean(points):.3f} +- {error:.3f} points a game  {fmean(game.seconds for game in games):.2f} s, "
        f"slowest {max(game.seconds for game in games):.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--player", default="auto")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--brief", action="store_true", help="6 games")
    options = parser.parse_args()
    number = 6 if options.brief else options.games
    print(machine())
    games = []
    for seed in range(options.first, options.first + number):
        games.append(one_game(options.player, seed))
        if not options.quiet:
            print(drawn(seed), games[-1].guesses, f"{games[-1].points:.2f}", f"{games[-1].seconds:.1f}", flush=True)
    for least, most in BANDS:
        band = [game for game in games if least <= game.pegs <= most]
        if band:
            print(line(f"{least}-{most} pegs", band))
    print(line(f"all, {options.player}", games))


if __name__ == "__main__":
    main()
