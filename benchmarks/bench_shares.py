"""What shares of a refutation spare the exact search: `python benchmarks/bench_shares.py [BOARD ...]`.

First, for each board, guesses tried by one thread where each part of a guess is asked for its share of what is missing
to refute the guess, and where parts are searched from the smallest on for all of that. Then, for parts of the best
opening and random second guesses on the last board, how much work (labels looked at) it takes to prove that a part
costs no less than so much below its value, as a share of that which the value takes, by size. With `--brief` the board
of BRIEF. Twenty seconds of compilation come first.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from tempfile import TemporaryDirectory

import numpy as np
from machine import machine

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine, targets
from entropeg.search.exact.fields import INF, SYMMETRIC, UNLIMITED, WORK
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.proof import Proof
from entropeg.tree.optimum import optimal

BOARDS = ["4x8", "5x6", "4x9"]
BRIEF = ["4x7"]
BELOW = (0, 1, 2, 3, 5, 8)
PARTS = 100
SIZES = (30, 60, 90, 150, 300)  # parts are told apart by these sizes, and smaller or larger ones left out
WITHOUT = "--without-shares"


def tried(board: str) -> int:
    """Guesses tried by one thread."""
    return optimal(Rules.parse(board), threads=1).nodes


def tried_without(board: str) -> int:
    """Guesses tried by one thread without shares, in a process with compiled code of its own (`main` does the rest)."""
    with TemporaryDirectory() as cache:
        command = [sys.executable, __file__, board, WITHOUT]
        environment = os.environ | {"NUMBA_CACHE_DIR": cache}
        return int(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)


def curve(board: str) -> dict[int, list[list[float]]]:
    """By size, for each part: what it takes to prove that it costs no less than so much below its value, see BELOW."""
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules), consistent=False)
    everything = np.arange(rules.secret_count, dtype=np.int32)
    proof = Proof(layout, everything, threads=1)
    labels = layout.arrays["by_guess"][:, : len(everything)]
    opening = optimal(rules).opening
    if opening is None:
        raise AssertionError(f"{board} was not settled")
    first = labels[layout.number_guess(opening)]
    found: dict[int, list[list[float]]] = defaultdict(list)

    def work(codes: np.ndarray, bound: int) -> tuple[int, int]:
        proof.table[:] = 0
        before = int(proof.works[0].nodes[WORK])
        mixed = int(np.bitwise_xor.reduce(layout.zobrist[codes]))
        # Behind so many guesses no symmetry is looked for: that of these guesses was not told.
        value, _ = engine.solve(proof.works[0], codes, bound, UNLIMITED, SYMMETRIC + 1, mixed, together=False)
        return value, int(proof.works[0].nodes[WORK]) - before

    while sum(map(len, found.values())) < PARTS:
        second = labels[rng.integers(len(labels))]
        secret = rng.integers(len(everything))
        codes = everything[(first == first[secret]) & (second == second[secret])]
        if not SIZES[0] <= len(codes) < SIZES[-1]:
            continue
        value, whole = work(codes, INF)
        if whole == 0:
            continue
        size = max(each for each in SIZES if each <= len(codes))
        found[size].append([work(codes, value - below)[1] / whole for below in BELOW])
    return found


def main() -> None:
    """Print both tables."""
    boards = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    if WITHOUT in sys.argv:
        targets.AHEAD = 1e9
        print(tried(boards[0]))
        return
    boards = boards or (BRIEF if "--brief" in sys.argv else BOARDS)
    print(machine())
    print(f"{'board':16} {'guesses':>12} {'without':>12} {'times':>6}")
    for board in boards:
        with_shares, without = tried(board), tried_without(board)
        print(f"{board:16} {with_shares:12,} {without:12,} {without / with_shares:6.2f}", flush=True)
    print(f"\nwork that proves a part of {boards[-1]} to cost no less than its value less")
    print(f"{'codes':12} {'parts':>6}" + "".join(f"{below:7}" for below in BELOW))
    by_size = curve(boards[-1])
    for size, end in pairwise(SIZES):
        if by_size[size]:
            means = np.mean(by_size[size], axis=0)
            print(f"{f'{size} to {end - 1}':12} {len(by_size[size]):6}" + "".join(f"{mean:7.2f}" for mean in means))


if __name__ == "__main__":
    main()
