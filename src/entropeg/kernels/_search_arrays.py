"""What the one-step search works on: the board, the rule of choice and working memory, as tuples of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from entropeg.kernels._plane_kernels import BLOCK

SUM, LARGEST, SORTED, WEIGHTED = 0, 1, 2, 3
"""Families of criteria.

Sum of a table over the parts, size of the largest part, whole partition sorted from the largest, and sum
over the parts, by label, of weight * (T(x) - x T(n) / n)."""


class Board(NamedTuple):
    """What a search needs to know of the rules, as arrays.

    N secrets, M guesses, `symbols` counts the blank where there is one.
    """

    kind: int
    pegs: int
    symbols: int
    guesses: np.ndarray  # uint8[pegs, M], lexicographic
    counts: np.ndarray  # uint8[symbols, M]
    first: np.ndarray  # uint8[symbols, M]: first peg that carries the symbol, `pegs` where none does
    secrets: np.ndarray  # uint8[pegs, N], lexicographic
    slots: np.ndarray  # uint16[pegs, N]: (peg * symbols + color) * pegs + k - 1
    guess_of: np.ndarray  # int32[N]: the guess equal to this secret, -1 if there is none
    labels: int  # number of labels; the winning one is the last of `bit_label`'s range
    win: int  # winning label
    cap: int  # labels above it are read as it (only one such label can occur beside the winning one)
    pad: int  # a bit that no label uses
    bit_label: np.ndarray  # int32[word bits]: label that a bit stands for, -1 for none
    word: np.ndarray  # empty array of uint32 or uint64: width of the words; empty uint8 where labels do not fit
    perms: np.ndarray  # uint8[*, pegs]: peg permutations that rules may be symmetric under, identity first
    closed: bool  # secrets and guesses are each closed under every permutation of the colors (not of the blank)
    repeats: bool  # guesses may repeat colors
    colors: int  # colors, without the blank


class Rule(NamedTuple):
    """A rule of choice. Costs are exact integers, the least is best."""

    family: int
    table: np.ndarray  # int64[classes, N + 1]: cost of a part by its size
    klass: np.ndarray  # int64[labels]: row of the table for a part with this label; for WEIGHTED its weight
    bounded: bool  # one class but for the winning label, convex: the bound of this module's docstring holds
    then: int  # second criterion for equal costs: family, -1 for none
    then_table: np.ndarray
    then_klass: np.ndarray
    member: bool  # prefer candidates among equals
    shuffle: bool  # order the rest by a hash of the node's key instead of by the code
    scope: int  # guesses from: 0 all codes, 1 candidates, 2 candidates and `probes` codes drawn by hash
    probes: int
    split: bool  # a candidate that splits completely is best
    settle: bool  # and if there is none, any code that splits completely
    symmetry: bool


class Work(NamedTuple):
    """Memory of one search, allocated once; nothing in it outlives a call."""

    mark: np.ndarray  # uint8[M]: 1 for the candidates of the node at hand, zero between calls
    listed: np.ndarray  # int32[M + BLOCK]: guesses to score
    allowed: np.ndarray  # uint8[BLOCK]
    member_at: np.ndarray  # int32[N]
    used: np.ndarray  # int32[slots]: slots that occur in the node
    seen: np.ndarray  # uint8[slots]
    rows: np.ndarray  # uint8[slots, BLOCK]
    block: np.ndarray  # uint8[pegs, BLOCK]: gathered guesses
    tally: np.ndarray  # uint8[symbols, BLOCK]: and their color counts
    labels: np.ndarray  # uint8[16, BLOCK]
    flat: np.ndarray  # uint8[16 * BLOCK]: the same memory
    carry: np.ndarray  # word[2, BLOCK]
    planes: np.ndarray  # word[22, BLOCK]
    low: np.ndarray  # word[3 * BLOCK]: the memory of the first three
    cost: np.ndarray  # int64[BLOCK]
    scratch: np.ndarray  # word[BLOCK]
    more: np.ndarray  # word[BLOCK]
    parts: np.ndarray  # int32[BLOCK]
    brackets: np.ndarray  # float64[22]
    weights: np.ndarray  # float64[8, 24]
    fixed: np.ndarray  # uint8[BLOCK]
    sizes: np.ndarray  # int64[labels]
    sorts: (
        np.ndarray
    )  # int64[4, labels]: sorted partitions, first criterion and second, of the best guess and of the one judged
    best: (
        np.ndarray
    )  # int64[5]: cost, second cost, 0 for a candidate, order, guess; cost is the greatest integer while there is none
    group: np.ndarray  # int32[perms]: rows of board.perms that fix the history
    recolor: np.ndarray  # uint8[perms, symbols]: and what they do to colors
    image: np.ndarray  # uint8[256]
    chain: np.ndarray  # uint8[256]
    absent: np.ndarray  # bool[256]
    chains: np.ndarray  # int32[3, 256]
    answered: np.ndarray  # uint8[labels], zero between calls
    labelled: np.ndarray  # int32[N]
    spare: np.ndarray  # int32[N]
    starts: np.ndarray  # int64[labels + 1]
    ends: np.ndarray  # int64[labels]


def make_work(board: Board) -> Work:
    """Allocate what a search on this board needs: about 9 bytes a guess and 1 KB a slot."""
    m, n = board.guesses.shape[1], board.secrets.shape[1]
    slots = board.pegs * board.symbols * board.pegs
    word = board.word.dtype
    labels, planes = np.empty((16, BLOCK), np.uint8), np.empty((22, BLOCK), word)
    return Work(
        mark=np.zeros(m, np.uint8),
        listed=np.empty(m + BLOCK, np.int32),
        allowed=np.empty(BLOCK, np.uint8),
        member_at=np.empty(n, np.int32),
        used=np.empty(slots, np.int32),
        seen=np.zeros(slots, np.uint8),
        rows=np.empty((slots, BLOCK), np.uint8),
        block=np.empty((board.pegs, BLOCK), np.uint8),
        tally=np.empty((board.symbols, BLOCK), np.uint8),
        labels=labels,
        flat=labels.reshape(-1),
        carry=np.empty((2, BLOCK), word),
        planes=planes,
        low=planes[:3].reshape(-1),
        cost=np.empty(BLOCK, np.int64),
        scratch=np.empty(BLOCK, word),
        more=np.empty(BLOCK, word),
        parts=np.empty(BLOCK, np.int32),
        brackets=np.empty(22, np.float64),
        weights=np.empty((8, 24), np.float64),
        fixed=np.empty(BLOCK, np.uint8),
        sizes=np.zeros(board.labels, np.int64),
        sorts=np.zeros((4, board.labels), np.int64),
        best=np.empty(5, np.int64),
        group=np.empty(len(board.perms), np.int32),
        recolor=np.empty((len(board.perms), board.symbols), np.uint8),
        image=np.empty(256, np.uint8),
        chain=np.empty(256, np.uint8),
        absent=np.empty(256, np.bool_),
        chains=np.zeros((3, 256), np.int32),
        answered=np.zeros(board.labels, np.uint8),
        labelled=np.empty(n, np.int32),
        spare=np.empty(n, np.int32),
        starts=np.zeros(board.labels + 1, np.int64),
        ends=np.zeros(board.labels, np.int64),
    )
