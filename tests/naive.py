"""The slow truth: every kernel once more in plain Python, written to be read.

A code is a tuple of symbols. A feedback is its label, as `entropeg.kernels` defines it.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product

Code = tuple[int, ...]

STANDARD, BLACK, MEMBERSHIP, POSITIONAL = range(4)


def blacks(guess: Code, secret: Code) -> int:
    """Count the pegs that have the right color in the right place."""
    return sum(g == s for g, s in zip(guess, secret, strict=True))


def common(guess: Code, secret: Code) -> int:
    """Count the pegs that could be paired by color, wherever they are: blacks and whites."""
    return sum(min(guess.count(c), secret.count(c)) for c in set(guess))


def misplaced_members(guess: Code, secret: Code) -> int:
    """Count the pegs of the guess that are not black and whose color occurs anywhere in the secret."""
    return sum(g != s and g in secret for g, s in zip(guess, secret, strict=True))


def marks(guess: Code, secret: Code) -> list[int]:
    """Mark each peg of the guess 2, 1 or 0, as Wordle does: blacks first, then whites from the left."""
    unmatched = [s for g, s in zip(guess, secret, strict=True) if g != s]
    result = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            result.append(2)
        elif g in unmatched:
            unmatched.remove(g)
            result.append(1)
        else:
            result.append(0)
    return result


def score(kind: int, guess: Code, secret: Code) -> int:
    """Return the label of the feedback to guess when the secret is secret."""
    pegs, black = len(guess), blacks(guess, secret)
    if kind == STANDARD:
        return black * (pegs + 1) + common(guess, secret) - black
    if kind == BLACK:
        return black
    if kind == MEMBERSHIP:
        return black * (pegs + 1) + misplaced_members(guess, secret)
    return int("".join(map(str, marks(guess, secret))), 3)


def label_count(kind: int, pegs: int) -> int:
    """Return one more than the label of guessing the secret, which is the largest that occurs."""
    if kind == POSITIONAL:
        return int(3**pegs)
    return pegs + 1 if kind == BLACK else (pegs + 1) ** 2


def all_codes(pegs: int, symbols: int, *, repeats: bool, blank: bool) -> list[Code]:
    """List all codes in lexicographic order; the blank, the last symbol, may always repeat."""

    def allowed(code: Code) -> bool:
        colors = [c for c in code if not (blank and c == symbols - 1)]
        return repeats or len(set(colors)) == len(colors)

    return [code for code in product(range(symbols), repeat=pegs) if allowed(code)]


def rank(code: Code, codes: Sequence[Code]) -> int:
    """Return the place of a code in the list of all codes."""
    return codes.index(code)


def color_counts(code: Code, symbols: int) -> list[int]:
    """Return how often each symbol occurs in the code."""
    return [code.count(c) for c in range(symbols)]


def partition(kind: int, guess: Code, secrets: Sequence[Code]) -> dict[int, int]:
    """Return how many secrets give each label that occurs, in ascending order of labels."""
    return dict(sorted(Counter(score(kind, guess, secret) for secret in secrets).items()))


def part_sizes(kind: int, guess: Code, secrets: Sequence[Code]) -> list[int]:
    """Return how many secrets give each label, occurring or not."""
    sizes = partition(kind, guess, secrets)
    return [sizes.get(label, 0) for label in range(label_count(kind, len(guess)))]


def matching(kind: int, turns: Sequence[tuple[Code, int]], secrets: Sequence[Code]) -> list[int]:
    """Return the indexes of the secrets that agree with every turn (guess, label)."""
    return [i for i, secret in enumerate(secrets) if all(score(kind, guess, secret) == label for guess, label in turns)]
