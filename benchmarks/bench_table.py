"""Tables: a probe, a value with its key, the loss of one guess, all guesses of a position; with a table and without.

Run: python benchmarks/bench_table.py [--brief]

Seconds are of the processor, warm, the mean of many; on Bulls and Cows the values of positions after one guess and of
one more, with the table that comes with the package and by the search alone, each begun anew.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from random import Random
from time import process_time

import numpy as np
from machine import machine

from entropeg import score
from entropeg.advise import explore
from entropeg.codes import CodeSet, secrets
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search import values as searched
from entropeg.search.values import PositionValues, values_many
from entropeg.symmetry import guess_kinds
from entropeg.table.stored import open_table

ALL_GUESSES = (
    ("4x6", ["AABB XO"]),
    ("4x6", ["AABB XO", "ACDE O"]),
    ("4x8", ["AABC O"]),
    ("bulls-and-cows", ["0123 XO"]),
)


def mean(ask: Callable[[], object], times: int) -> float:
    """Microseconds a call."""
    ask()
    began = process_time()
    for _ in range(times):
        ask()
    return (process_time() - began) / times * 1e6


def one_by_one(position: Position, guesses: CodeSet) -> float:
    """Microseconds of each of some guesses, asked one after the other."""
    values = PositionValues.of(position)
    with values.opened():
        began = process_time()
        for guess in guesses:
            values.after(guess)
    return (process_time() - began) / len(guesses) * 1e6


def games(rules: Rules, count: int, seed: int) -> list[tuple[Position, Code]]:
    """Positions after one guess, each with a code that may be next."""
    every, rng, found = secrets(rules), Random(seed), []
    for _ in range(count):
        guess, secret = (every[rng.randrange(len(every))] for _ in range(2))
        position = Position(rules).after(guess, score(guess, secret, rules))
        codes = position.candidates
        found.append((position, codes[rng.randrange(len(codes))]))
    return found


def main() -> None:
    is_brief = "--brief" in sys.argv
    print(machine())
    table = open_table("4x6")
    position = Position("4x6", ["AABB XO", "ACDE O"])
    codes = position.candidates
    key = table.keys_of_sets(codes.ranks.astype(np.int32), np.array([0, len(codes)]))[0]
    print(f"4x6, {len(codes)} codes: a probe {mean(lambda: table.keys.searchsorted(key), 20_000):.1f} µs")
    print(f"  a value with its key {mean(lambda: table.value(codes), 5_000):.1f} µs")
    print(f"  the key of the history {mean(lambda: position.key, 300):.0f} µs")
    third = position.after("CAFF", "X")
    kinds = guess_kinds(position)
    assert kinds is not None
    for told in ("first", "again"):
        print(f"  the total of one guess, one at a time, {told} {one_by_one(position, kinds):.0f} µs")
    for board, turns in ALL_GUESSES:
        start = Position(board, turns)
        PositionValues.of(start)
        searched.forget()
        PositionValues.of(start)
        began = process_time()
        found = explore(start, time=60)
        first, again = process_time() - began, mean(partial(explore, start, time=60), 3) / 1e6
        print(
            f"{board}, {found.remaining.count} codes: all {len(found.moves)} kinds with their worst cases, first "
            f"{first * 1e3:.0f} ms, again {again * 1e3:.0f} ms, {again / len(found.moves) * 1e6:.0f} µs a guess"
        )
    some = [third.candidates] * 1000
    print(f"  values_many of {len(third.candidates)} codes {mean(lambda: values_many(some), 3) / 1000:.1f} µs a set")
    for name, count in (("bulls-and-cows", 5 if is_brief else 30), ("4x6", 50 if is_brief else 200)):
        asked = games(Rules.parse(name), count, 1)
        for is_probed in (True, False):
            searched.forget()
            began = 0.0
            for at, (start, guess) in enumerate([asked[0], *asked]):
                if at == 1:
                    began = process_time()
                values = PositionValues.of(start)
                if not is_probed:
                    values.table = None
                with values.opened():
                    values.value(), values.after(guess)
            way = "as it is" if is_probed else "by the search alone"
            print(f"{name}: value and one guess {way}, {(process_time() - began) / count * 1e3:.2f} ms a position")


if __name__ == "__main__":
    main()
