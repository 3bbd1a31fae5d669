"""Games on boards that nobody can enumerate: mean guesses, worst, seconds of processor time a game, memory.

Run: python benchmarks/bench_huge.py [20x20 [sampling]] [--games 100] [--first 0] [--csv games.csv] [--quiet] [--brief]

The codemaker's secret and the codebreaker's chance come from the seed, 0 ... games - 1, so two codebreakers meet the
same secrets. With --csv every game is appended as it ends, and games already in the file are not played again. With
--versus SPEC the difference to another codebreaker, game by game, is printed too.
"""

from __future__ import annotations

import argparse
import csv
import resource
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

from machine import machine

from entropeg import codebreakers, codemakers, play
from entropeg.rules import Rules

ASKED = {
    "6x9": (6.33, 0.02),
    "7x10": (7.17, 0.08),
    "8x12": (8.27, 0.3),
    "10x10": (8.95, 0.5),
    "12x12": (11.5, 0.8),
    "15x15": (15.0, 1.0),
    "20x20": (22.0, 2.5),
    "30x30": (41.0, 10.0),
    "50x50": (90.0, 1.0),
    "100x100": (195.0, 3.0),
    "200x200": (480.0, 20.0),
}
"""Mean guesses and seconds a game, at most."""

FIELDS = ("board", "codebreaker", "seed", "guesses", "seconds")


class Played(NamedTuple):
    """One game, as a line of the file."""

    board: str
    codebreaker: str
    seed: int
    guesses: int
    seconds: float


def kept(path: Path | None) -> dict[tuple[str, str, int], Played]:
    if path is None or not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        games = [
            Played(row["board"], row["codebreaker"], int(row["seed"]), int(row["guesses"]), float(row["seconds"]))
            for row in csv.DictReader(file)
        ]
    return {game[:3]: game for game in games}


def append(path: Path, game: Played) -> None:
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if new:
            writer.writerow(FIELDS)
        writer.writerow([*game[:4], f"{game.seconds:.4f}"])


def one_game(board: str, spec: str, seed: int) -> Played:
    rules = Rules.parse(board)
    start = process_time()
    game = play(codebreakers.get(spec), codemakers.get("honest"), rules, seed)
    assert game.outcome == "won"
    return Played(board, spec, seed, len(game), process_time() - start)


def series(board: str, spec: str, seeds: range, path: Path | None) -> Iterator[Played]:
    known = kept(path)
    for seed in seeds:
        game = known.get((board, spec, seed))
        if game is None:
            game = one_game(board, spec, seed)
            if path is not None:
                append(path, game)
        yield game


def summary(games: list[Played]) -> str:
    guesses, seconds = [game.guesses for game in games], [game.seconds for game in games]
    error = stdev(guesses) / len(guesses) ** 0.5 if len(guesses) > 1 else 0.0
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{games[0].board:8} {games[0].codebreaker:40} {len(games):5} games  {fmean(guesses):7.3f} +- {error:.3f}  "
        f"worst {max(guesses):3}  {fmean(seconds):7.3f} s a game, slowest {max(seconds):.2f}  {memory:.0f} MB"
        + ("  asked: {:g} guesses, {:g} s".format(*ASKED[games[0].board]) if games[0].board in ASKED else "")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("board", nargs="?", default="20x20")
    parser.add_argument("spec", nargs="?", default="sampling")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--versus")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--brief", action="store_true", help="5 games")
    options = parser.parse_args()
    if options.brief:
        options.games, options.quiet = 5, True
    print(machine())
    play(codebreakers.get(options.spec), codemakers.get("honest"), Rules.parse(options.board), 1 << 20)  # compiles
    games: list[Played] = []
    seeds = range(options.first, options.first + options.games)
    try:
        for game in series(options.board, options.spec, seeds, options.csv):
            games.append(game)
            if not options.quiet:
                print(game.seed, game.guesses, f"{game.seconds:.2f}", flush=True)
    finally:
        if games:
            print(summary(games), flush=True)
    if options.versus:
        others = {game.seed: game for game in series(options.board, options.versus, seeds, options.csv)}
        apart = [game.guesses - others[game.seed].guesses for game in games]
        error = stdev(apart) / len(apart) ** 0.5 if len(apart) > 1 else 0.0
        print(summary(list(others.values())))
        print(f"first minus second, game by game: {fmean(apart):+.3f} +- {error:.3f}")


if __name__ == "__main__":
    main()
