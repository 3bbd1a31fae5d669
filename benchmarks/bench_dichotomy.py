"""Never over the bound: random boards and secrets, then time and guesses on large boards.

Run: python benchmarks/bench_dichotomy.py [games] [seed] [--brief]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from time import perf_counter, process_time

import numpy as np
from machine import machine

from entropeg import Rules, codebreakers, codemakers, play
from entropeg.codebreakers.dichotomy import guesses_needed
from entropeg.plots.bounds import sample_guesses
from entropeg.search.bounds import counting_lower, information_limit, viaud_printed, viaud_upper

CHUNK = 500
LARGE = ("64x64", "256x256", "1000x1000", "1000x250", "1000x4000")


def boards(seed: int) -> Iterator[tuple[int, int, np.ndarray[tuple[int], np.dtype[np.int64]]]]:
    """Spread the logarithms of the sizes evenly, to 60 pegs and 240 colors; half of the secrets use few colors."""
    rng = np.random.default_rng(seed)
    for number in range(CHUNK):
        pegs, colors = int(60 ** rng.random() + 0.5), int(240 ** rng.random() + 0.5)
        used = colors if number % 2 else int(rng.integers(1, colors + 1))
        palette = rng.choice(colors, size=used, replace=False)
        yield pegs, colors, palette[rng.integers(used, size=pegs)]


def play_chunk(seed: int) -> tuple[int, int, float, str]:
    """Return games over the bound, games over the bound as printed, and the closest approach to the bound and where."""
    over = printed = 0
    closest, where = 0.0, ""
    for pegs, colors, secret in boards(seed):
        guesses, bound = guesses_needed(secret, colors), viaud_upper(pegs, colors)
        over += guesses > bound
        printed += guesses > viaud_printed(pegs, colors)
        if pegs > 1 and colors > 1 and guesses / bound > closest:
            closest, where = guesses / bound, f"{pegs}x{colors}: {guesses} of {bound}"
    return over, printed, closest, where


def check_random_boards(games: int, seed: int) -> None:
    started = perf_counter()
    chunks = -(-games // CHUNK)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        found = list(pool.map(play_chunk, range(seed, seed + chunks)))
    over, printed = sum(chunk[0] for chunk in found), sum(chunk[1] for chunk in found)
    closest = max(found, key=lambda chunk: chunk[2])
    print(
        f"{chunks * CHUNK:,} random boards and secrets: {over} over the bound (asked: 0), {printed} over that printed"
    )
    print(f"closest: {closest[3]}; {perf_counter() - started:.0f} s")


def time_large_boards(sizes: tuple[str, ...], seed: int) -> None:
    breaker, maker = codebreakers.get("dichotomy"), codemakers.get("honest")
    print("board: guesses, bound, counting bound, information limit, processor seconds of a game (asked: seconds)")
    for size in sizes:
        rules = Rules.parse(size)
        started = process_time()
        game = play(breaker, maker, rules, seed)
        seconds = process_time() - started
        limits = f"{viaud_upper(rules.pegs, rules.colors)}, {counting_lower(rules)}, {information_limit(rules):.1f}"
        print(f"{size}: {len(game)}, {limits}, {seconds:.2f} s")


def guesses_per_peg(sizes: tuple[int, ...], seed: int, games: int = 10) -> None:
    print(f"guesses per peg, mean of {games} secrets: dichotomy, its bound, information limit")
    for size in sizes:
        sample = sample_guesses(1.0, (size,), games=games, seed=seed)[0]
        mean, bound = np.mean(sample.guesses) / size, viaud_upper(size, size) / size
        print(f"{size}x{size}: {mean:.3f}, {bound:.2f}, {information_limit(Rules(size, size)) / size:.3f}")


if __name__ == "__main__":
    brief = "--brief" in sys.argv
    arguments = [int(argument) for argument in sys.argv[1:] if argument != "--brief"]
    games, seed = [*arguments, *(4000 if brief else 100_000, 1)[len(arguments) :]]
    print(machine())
    check_random_boards(games, seed)
    time_large_boards(LARGE[: 3 if brief else None], seed)
    guesses_per_peg((64, 256) if brief else (64, 256, 1024, 4096), seed)
