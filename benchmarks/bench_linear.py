"""Many questions in one guess: guesses a peg beside `dichotomy` and the information limit, and never over the bound.

Run: python benchmarks/bench_linear.py [bound|table|games|N|NxM ...] [--brief]

N alone is one line of the table, NxM three games on that board. Every game of the table is kept in linear_games.csv as
it ends (board, codebreaker, kind of secret, its number, guesses, processor seconds) and not played again. With --brief
it takes a minute.
"""

from __future__ import annotations

import csv
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from machine import machine

from entropeg import Rules, codebreakers, codemakers, play
from entropeg.codebreakers import dichotomy
from entropeg.codebreakers.linear.player import guesses_needed
from entropeg.search.bounds import information_limit, viaud_upper

FIELDS = ("board", "codebreaker", "secret", "number", "guesses", "seconds")
KEPT = Path(__file__).with_name("linear_games.csv")

TABLE = {64: 20, 256: 20, 1024: 10, 4096: 1}
"""Pegs, as many colors, and secrets of each kind; about twelve minutes of processor time in all."""


def check_bound(games: int = 10_000, seed: int = 1) -> None:
    """Boards of up to 40 pegs and 160 colors, sizes even on a logarithmic scale; half of the secrets use few colors."""
    rng = np.random.default_rng(seed)
    over, closest, where, total, other = 0, 0.0, "", 0, 0
    started = process_time()
    for number in range(games):
        pegs, colors = int(40 ** rng.random() + 0.5), int((160 if number % 3 else 40) ** rng.random() + 0.5)
        used = colors if number % 2 else int(rng.integers(1, colors + 1))
        secret = rng.choice(colors, size=used, replace=False)[rng.integers(used, size=pegs)]
        guesses, bound = guesses_needed(secret, colors), viaud_upper(pegs, colors)
        total, other = total + guesses, other + dichotomy.guesses_needed(secret, colors)
        over += guesses > bound
        if min(pegs, colors) > 1 and guesses / bound > closest:
            closest, where = guesses / bound, f"{guesses} of {bound} on {pegs}x{colors}"
    print(f"{games:,} random boards and secrets: {over} over the bound; the closest is {where}")
    print(f"mean guesses: linear {total / games:.2f}, dichotomy {other / games:.2f}; {process_time() - started:.0f} s")


def print_table(sizes: list[int], seed: int = 1, most: int = 1000) -> None:
    """Guesses a peg for m = n, mean ± standard error: random secrets, and those with every color once."""
    print("n: linear, random; linear, every color once; dichotomy, random; limit; seconds a game of linear; memory")
    for pegs in sizes:
        games = min(most, TABLE.get(pegs, 1))
        # Each kind has a stream of its own, so that a secret's number says which it is, however many are drawn.
        draw, shuffle = np.random.default_rng(seed), np.random.default_rng([seed, 1])
        random = [draw.integers(pegs, size=pegs) for _ in range(games)]
        once = [shuffle.permutation(pegs) for _ in range(games)]
        plays = [
            play_kept("linear", "random", random, lambda secret: guesses_needed(secret, len(secret))),
            play_kept("linear", "once", once, lambda secret: guesses_needed(secret, len(secret))),
            play_kept("dichotomy", "random", random, lambda secret: dichotomy.guesses_needed(secret, len(secret))),
        ]
        seconds = np.mean([second for played in plays[:2] for _, second in played])
        cells = [_mean([guesses for guesses, _ in played], pegs) for played in plays]
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        limit = information_limit(Rules(pegs, pegs)) / pegs
        print(f"{pegs}: {'; '.join(cells)}; {limit:.3f}; {seconds:.1f}; {memory:.0f} MB", flush=True)


def play_kept(spec: str, kind: str, secrets: list[Any], count: Callable[[Any], int]) -> list[tuple[int, float]]:
    """Guesses and processor seconds for each secret, read from the file where they are there, else added to it."""
    kept: dict[tuple[str, ...], tuple[int, float]] = {}
    if KEPT.exists():
        with KEPT.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))[1:]
        kept = {tuple(row[:4]): (int(row[4]), float(row[5])) for row in rows}
    played = []
    for number, secret in enumerate(secrets):
        key = (f"{len(secret)}x{len(secret)}", spec, kind, str(number))
        if key not in kept:
            started = process_time()
            guesses = count(secret)
            kept[key] = guesses, process_time() - started
            _append([*key, guesses, f"{kept[key][1]:.2f}"])
        played.append(kept[key])
    return played


def _append(row: list[Any]) -> None:
    new = not KEPT.exists()
    with KEPT.open("a", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([FIELDS, row] if new else [row])


def _mean(guesses: list[int], pegs: int) -> str:
    shares = np.array(guesses) / pegs
    error = f" ± {shares.std(ddof=1) / len(shares) ** 0.5:.3f}" if len(shares) > 1 else ""
    return f"{shares.mean():.3f}{error}"


def play_games(boards: list[str], games: int = 20, seed: int = 1) -> None:
    """Whole games through `play`: guesses, mean ± standard error, the worst, the bound, processor seconds a game."""
    breaker, maker = codebreakers.get("linear"), codemakers.get("honest")
    for text in boards:
        rules = Rules.parse(text)
        started = process_time()
        played = [play(breaker, maker, rules, seed + number) for number in range(games)]
        seconds = (process_time() - started) / games
        guesses = np.array([len(game) for game in played])
        wins = sum(game.outcome == "won" for game in played)
        error = guesses.std(ddof=1) / games**0.5 if games > 1 else 0.0
        bound = viaud_upper(rules.pegs, rules.colors)
        print(
            f"{text}: {wins} of {games} won, {guesses.mean():.1f} ± {error:.1f} guesses, worst {guesses.max()}, "
            f"bound {bound}, {guesses.mean() / rules.pegs:.3f} a peg, {seconds:.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    print(machine())
    print("asked: none over the bound; 200x200 480 guesses and 20 s a game; 1000x1000 2 minutes, aim 4 guesses a peg")
    if "--brief" in sys.argv:
        check_bound(300)
        print_table([64], most=3)
        play_games(["200x200"], games=2)
        sys.exit()
    wanted = sys.argv[1:] or ["bound", "table", "games"]
    if "bound" in wanted:
        check_bound()
    if "table" in wanted:
        print_table(list(TABLE))
    if rows := [int(text) for text in wanted if text.isdecimal()]:
        print_table(rows)
    if "games" in wanted:
        play_games(["50x50", "100x100", "200x200", "1000x1000"])
        play_games(["1000x10", "1000x250", "1000x4000"], games=1)
    play_games([text for text in wanted if "x" in text], games=3)
