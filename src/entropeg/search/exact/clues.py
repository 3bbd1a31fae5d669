"""Clues that guesses must use, where the rules are hard: bits that must hold of a guess, by the answers so far.

A guess must keep a peg marked in place, and must have of each color as many pegs as it had marks in one answer. So
there are two kinds of facts of a guess, each a bit: a peg has a color, and a color has a number of pegs or more. An
answer makes facts of its guess required. A set of secrets behind other clues is another set: the clues are part of its
hash.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import inner
from entropeg.search.exact.fields import DEPTHS, SYMMETRIC, Array, Int

WORD = 64


def clue_facts(codes: NDArray[np.uint8], symbols: int) -> NDArray[np.uint64]:
    """What holds of codes, one a row: uint64[words, codes].

    Bit ``peg * symbols + color``: the peg has the color; after these, ``color * pegs + k - 1``: at least k pegs have
    it.
    """
    size, pegs = codes.shape
    facts = np.zeros(((2 * pegs * symbols + WORD - 1) // WORD, size), np.uint64)
    every = np.arange(size)
    for peg in range(pegs):
        at = peg * symbols + codes[:, peg].astype(np.int64)
        facts[at // WORD, every] |= np.uint64(1) << (at % WORD).astype(np.uint64)
    for color in range(symbols):
        often = (codes == color).sum(axis=1)
        for k in range(1, pegs + 1):
            at_once = pegs * symbols + color * pegs + k - 1
            facts[at_once // WORD] |= (often >= k).astype(np.uint64) << np.uint64(at_once % WORD)
    return facts


def fact_words(pegs: int, symbols: int, random: np.random.Generator) -> NDArray[np.uint64]:
    """A random word for each fact: the hash of clues is the XOR of theirs."""
    return random.integers(1, 2**63, 2 * pegs * symbols + WORD, dtype=np.int64).astype(np.uint64)


def clues_before(words: int) -> NDArray[np.uint64]:
    """The clues of no answer, by the guesses behind a set."""
    # The last row is that of the set a strategy is written for.
    return np.zeros((DEPTHS + SYMMETRIC + 4, words) if words else (0, 0), np.uint64)


@inner
def _require(row: Array, at: Int) -> None:
    row[at >> 6] |= np.uint64(1) << np.uint64(at & 63)


@inner
def add_clues(memory: Any, row: Array, guess: Int, label: Int) -> None:
    """Add the requirements of an answer to a row of ``clues``."""
    pegs, symbols = memory.pegs, memory.symbols
    code, marks = memory.guess_digits[guess], memory.marks[label]
    for i in range(pegs):
        if marks[i] == 0:
            continue
        often = 0
        for j in range(i + 1):
            often += code[j] == code[i] and marks[j] != 0
        _require(row, pegs * symbols + np.int64(code[i]) * pegs + often - 1)
        if marks[i] == 2:
            _require(row, i * symbols + np.int64(code[i]))


@inner
def enter_clues(memory: Any, depth: Int, guess: Int, label: Int) -> None:
    """Clues of the histories of ``depth + 1`` guesses from those of ``depth``, and an answer."""
    clues = memory.clues
    for w in range(clues.shape[1]):
        clues[depth + 1, w] = clues[depth, w]
    add_clues(memory, clues[depth + 1], guess, label)


@inner
def clue_hash(memory: Any, depth: Int) -> Any:
    """The hash of the clues behind sets of ``depth`` guesses."""
    clues, words = memory.clues[depth], memory.fact_words
    word = np.uint64(0)
    for w in range(clues.shape[0]):
        left = clues[w]
        bit = 0
        while left:
            if left & np.uint64(1):
                word ^= words[w * 64 + bit]
            left >>= np.uint64(1)
            bit += 1
    return word


@inner
def leave_out(memory: Any, depth: Int, width: Int) -> None:
    """Make ``parts`` of every guess 0 that does not use every clue."""
    clues, facts, parts = memory.clues[depth], memory.facts, memory.parts
    for w in range(clues.shape[0]):
        wanted, row = clues[w], facts[w]
        if wanted == 0:
            continue
        for j in range(width):
            if wanted & ~row[j]:
                parts[j] = 0
