"""Chooses the next guess where several secrets are to be found: by a one-step rule over all ways to hide them.

Secrets are drawn on their own, and each answers for itself. So a guess parts the ways to hide them all into the
products of its parts for each secret, and a rule over all ways is made of the numbers of one secret: bits add up; the
largest part, the number of parts and the expected size multiply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from entropeg.codes import format_code, guesses
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.plain_values import PlainValue
from entropeg.registry import choice
from entropeg.several.boards import Boards
from entropeg.told import Told, plural

Array = Any

MOST_CELLS = 1 << 31
"""Codes of each secret times guesses that are looked at; four secrets of 2,315 words among 12,972 are 120 million."""

CHUNK = 1 << 22
"""Numbers of parts that are held at a time."""


def _bits(sizes: Array) -> Array:
    n = sizes[0].sum()
    logs = np.log2(np.maximum(np.arange(n + 1), 1)) * np.arange(n + 1)
    return np.log2(n) - logs[sizes].sum(axis=1) / n


ONE_STEP: dict[str, Callable[[Array], Array]] = {
    "entropy": _bits,
    "parts": lambda sizes: np.log2((sizes > 0).sum(axis=1)),
    "expected-size": lambda sizes: -np.log2((sizes.astype(np.float64) ** 2).sum(axis=1) / sizes[0].sum()),
    "minimax": lambda sizes: -np.log2(sizes.max(axis=1)),
}
"""What each rule makes great, as a logarithm to base 2 for one secret, so that those of several add up."""


@dataclass(frozen=True)
class SeveralGuess(PlainValue):
    """What a guess does to the ways to hide the secrets: `bits` of information, parts, the largest and expected part.

    ``chance`` is that of finding one of the secrets now, or more of them.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("guess=text", "bits", "parts", "largest", "expected_size", "chance", "ways")

    guess: Code
    text: str
    ways: int
    bits: float
    parts: int
    largest: int
    expected_size: float
    chance: float

    def explain(self) -> Told:
        """Say it in a sentence."""
        ways = plural(self.ways, "{n} way to hide the secrets", "{n} ways to hide the secrets")
        parts, most = plural(self.parts, "{n} group", "{n} groups"), self.largest
        return Told(
            "splits the {ways} left into {parts}, the largest of {most:,}; {bits:.2f} bits; it finds a secret now with "
            "a chance of {percent:.0f} %",
            *(ways, parts, most, self.bits, 100 * self.chance),
        )


def choose(board: Boards, by: str = "entropy") -> Code:
    """Return the guess that is best by a one-step rule over all ways to hide the secrets; see the module.

    ``by``: entropy, parts, expected-size or minimax. Of equal guesses the one that finds the most secrets now in the
    mean, then the first. Costs a pass over codes times guesses for each secret. Raises InputError where the game is
    over, ContradictionError where a secret cannot be, TooLargeError beyond two thousand million pairs.

    >>> format_code(choose(Boards.of("4x6/secrets=2")), "4x6")
    'ABCD'
    """
    return _ranked(Boards.of(board), by, 1)[0]


def best_guesses(board: Boards, by: str = "entropy", number: int = 1) -> list[SeveralGuess]:
    """Return the best guesses by a rule, the best first, with what each does; the errors are those of `choose`."""
    return [rated(board, guess) for guess in _ranked(Boards.of(board), by, number)]


def rated(board: Boards, guess: Code) -> SeveralGuess:
    """Return what a guess does to the ways to hide the secrets.

    >>> rated(Boards.of("4x6/secrets=2"), (0, 0, 1, 1)).parts
    169
    """
    sizes = [left.parts(guess)[1].tolist() for left in board.left]
    chances = [(guess in left) / len(left) for left in board.left]
    ways, misses = board.ways, 1.0
    bits, parts, largest, expected = 0.0, 1, 1, 1.0
    for each, chance in zip(sizes, chances, strict=True):
        n = sum(each)
        bits += float(np.log2(n) - sum(size * np.log2(size) for size in each) / n)
        parts, largest = parts * len(each), largest * max(each)
        expected *= sum(size * size for size in each) / n
        misses *= 1 - chance
    return SeveralGuess(
        guess, format_code(guess, board.rules.rules), ways, bits + 0.0, parts, largest, expected, 1 - misses
    )


def _ranked(board: Boards, by: str, number: int) -> list[Code]:
    choice("by", by, tuple(ONE_STEP))
    board.check_open()
    board.check_consistent()
    legal, left = guesses(board.rules.rules), board.left
    if sum(map(len, left)) * len(legal) > MOST_CELLS:
        raise TooLargeError(
            "{rules}: {codes:,} codes are left and {guesses:,} may be guessed, too many to look at each",
            *(board.rules, sum(map(len, left)), len(legal)),
        )
    measure = ONE_STEP[by]
    worth, wins = np.zeros(len(legal)), np.zeros(len(legal))
    chunk = max(1, CHUNK // board.rules.rules.label_count)
    for codes in left:
        own = legal.find(codes)
        wins[own[own >= 0]] += 1 / len(codes)
        for start in range(0, len(legal), chunk):
            some = legal[start : start + chunk]
            worth[start : start + len(some)] += measure(codes.part_sizes(some))
    # Sums of logarithms that are equal but for rounding are ties.
    order = np.lexsort((-wins.round(9), -worth.round(9)))
    return [legal[int(row)] for row in order[:number]]
