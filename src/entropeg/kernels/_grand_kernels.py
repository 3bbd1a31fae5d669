"""Compiled scores of pairs of a color and a shape. Arrays in, arrays out, nothing checked."""

from typing import Any

from entropeg.kernels.compile import kernel

Array = Any  # numba sees the dtypes; they are said in the docstring


@kernel
def grand_labels(guesses: Array, secrets: Array, half: Array, state: Array, taken: Array, labels: Array) -> None:
    """Write to labels[g, i] the grand label of the row g of guesses against the row i of secrets.

    guesses: uint16[G, pegs]; secrets: uint16[N, pegs]. half: uint8[symbols, symbols], 1 where two symbols share color
    or shape. state, taken: uint8[pegs], overwritten. labels: unsigned of any width [G, N],
    (black * (pegs + 1) + white) * (pegs + 1) + blue.
    """
    pegs = guesses.shape[1]
    for g in range(len(guesses)):
        guess = guesses[g]
        for i in range(len(secrets)):
            secret = secrets[i]
            black, white, blue = 0, 0, 0
            # Blacks of all pegs first: a pair in place is no white for a peg further left.
            for p in range(pegs):
                same = guess[p] == secret[p]
                state[p] = taken[p] = same
                black += same
            for p in range(pegs):
                if state[p]:
                    continue
                for q in range(pegs):
                    if secret[q] == guess[p] and not taken[q]:
                        taken[q] = state[p] = 1
                        white += 1
                        break
                # A peg has one mark at most, so blue is for those that are neither black nor white.
                if not state[p]:
                    blue += half[guess[p], secret[p]]
            labels[g, i] = (black * (pegs + 1) + white) * (pegs + 1) + blue
