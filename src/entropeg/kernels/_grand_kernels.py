"""Compiled scores of pairs of a color and a shape. Arrays in, arrays out, nothing checked."""

from typing import Any

from entropeg.kernels._jit import kernel

Array = Any  # numba sees the dtypes; they are said in the docstring


@kernel
def grand_labels(guess: Array, secrets: Array, shapes: int, state: Array, taken: Array, labels: Array) -> None:
    """Write to labels[i] the grand label of the guess against the row i of secrets.

    guess: uint16[pegs]; secrets: uint16[N, pegs]; symbol = color * shapes + shape. state, taken: uint8[pegs],
    overwritten. labels: int64[N], (black * (pegs + 1) + white) * (pegs + 1) + blue.
    """
    pegs = len(guess)
    for i in range(len(secrets)):
        secret = secrets[i]
        black, white, blue = 0, 0, 0
        for p in range(pegs):
            same = guess[p] == secret[p]
            state[p] = taken[p] = same
            black += same
        for p in range(pegs):
            if state[p]:
                continue
            for q in range(pegs):
                if not taken[q] and secret[q] == guess[p]:
                    taken[q] = state[p] = 1
                    white += 1
                    break
        for p in range(pegs):
            if not state[p]:
                one, other = guess[p], secret[p]
                blue += one % shapes == other % shapes or one // shapes == other // shapes
        labels[i] = (black * (pegs + 1) + white) * (pegs + 1) + blue
