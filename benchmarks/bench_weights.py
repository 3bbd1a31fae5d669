"""Seconds and guesses tried to prove optima under weights: `python benchmarks/bench_weights.py [RULES:WEIGHTS ...]`.

Weights are `prior` (that of the rules), `rare` (3 where the first color occurs, else 1), `first` (2 where it stands at
the first peg, else 1) or `random` (1 to 99, generator 1). Compiled code loaded; labels and strategy included; two
threads; processor seconds are those of both. `--time T` ends each search after T seconds, with bounds. `--parts N`
searches once more in N calls, all but the last ended by Ctrl-C after as many processor seconds, each going on from the
checkpoint of the one before, and gives the processor seconds and guesses of all. With `--brief` the boards of BRIEF.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from machine import machine
from numpy.typing import NDArray

from entropeg.codes import secrets
from entropeg.rules import Rules
from entropeg.search.results import SearchProgress
from entropeg.tree.optimum import optimal

BRIEF = ["4x6/prior=distinct:prior", "4x5:random"]
BOARDS = [
    *("4x6/prior=distinct:prior", "4x7/prior=distinct:prior", "4x8/prior=distinct:prior"),
    *("4x10/no-repeats:rare", "4x10/no-repeats:first", "4x5:random", "4x6:random"),
]


def weights_of(kind: str, rules: Rules) -> NDArray[np.float64] | None:
    """Weights of the secrets, None for those of the rules."""
    codes = np.array(list(secrets(rules)))
    kinds: dict[str, NDArray[np.float64] | None] = {
        "prior": None,
        "rare": np.where((codes == 0).any(axis=1), 3.0, 1.0),
        "first": np.where(codes[:, 0] == 0, 2.0, 1.0),
        "random": np.random.default_rng(1).integers(1, 100, len(codes)).astype(float),
    }
    return kinds[kind]


def in_parts(rules: Rules, weights: NDArray[np.float64] | None, each: float, parts: int) -> tuple[float, int]:
    """Processor seconds and guesses tried of a search in so many calls of so many processor seconds each."""
    began, nodes, is_exact = time.process_time(), 0, False
    with tempfile.TemporaryDirectory() as folder:
        for part in range(1, parts + 1):

            def stop(_: SearchProgress, end: float = time.process_time() + each, part: int = part) -> None:
                if part < parts and time.process_time() > end:
                    raise KeyboardInterrupt

            found = optimal(rules, weights=weights, checkpoint=Path(folder) / "proof", progress=stop)
            nodes, is_exact = nodes + found.nodes, found.is_exact
    assert is_exact
    return time.process_time() - began, nodes


def measure(board: str, limit: float | None, parts: int) -> None:
    """Print one line for a board."""
    name, kind = board.split(":")
    rules = Rules.parse(name)
    weights = weights_of(kind, rules)
    began, busy = time.perf_counter(), time.process_time()
    found = optimal(rules, weights=weights, time=limit)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    gap = "proven" if found.is_exact else f"{100 * (1 - found.value.lower / (found.value.upper or np.inf)):.2f} %"
    print(
        f"{board:26} {seconds:9.2f} {busy:9.2f} {found.nodes:12,} {found.value.lower:12.10g} "
        f"{found.expected:9.5f} {gap:>8}",
        flush=True,
    )
    if parts:
        seconds, nodes = in_parts(rules, weights, busy / parts, parts)
        print(f"{board:26} {f'{parts} parts':>9} {seconds:9.2f} {nodes:12,}", flush=True)


def main() -> None:
    """Print one line for each board."""
    arguments = sys.argv[1:]
    limit = float(arguments.pop(arguments.index("--time") + 1)) if "--time" in arguments else None
    parts = int(arguments.pop(arguments.index("--parts") + 1)) if "--parts" in arguments else 0
    optimal(Rules.parse("3x4"), weights=np.arange(1, 65))
    print(machine())
    print(
        f"{'rules:weights':26} {'seconds':>9} {'processor':>9} {'guesses':>12} {'lower bound':>12} {'expected':>9} "
        f"{'gap':>8}"
    )
    boards = [argument for argument in arguments if not argument.startswith("--")]
    for board in boards or (BRIEF if "--brief" in arguments else BOARDS):
        measure(board, limit, parts)


if __name__ == "__main__":
    main()
