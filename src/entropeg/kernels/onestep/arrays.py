"""The data of the one-step search: the board, the rule of choice and working memory, as tuples of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.processors import usable_processors
from entropeg.sizes import MEMBERSHIP, STANDARD

LANES = 32
"""Numbers that one operation works on: a vector of bytes. Rows are longer than their contents by this many, and read
and written in whole vectors."""

COUNTED = (STANDARD, MEMBERSHIP)
"""Kinds of feedback whose labels are ``pegs * black + common``, where colors are summed up."""

SUM, LARGEST, SORTED, WEIGHTED = range(4)
"""Families of criteria.

Sum of a table over the parts, size of the largest part, whole partition sorted from the largest, and sum
over the parts, by label, of weight * (T(x) - x T(n) / n)."""

BY_PLACE, BY_HASH = range(2)
"""What decides last among equal guesses: the first in the list of guesses, or the least by a hash of the node's key."""

ALL, CANDIDATES, PROBES = range(3)
"""Where guesses come from: all codes, the candidates, or the candidates and some codes drawn by a hash."""

CHUNK = 512
"""Groups of guesses that are counted together: with the pegs of their colors they stay in the first cache."""

CELLS = 2048
"""Entries of a table of least costs. Where a node has more candidates, every second, fourth, ... is kept."""

SLOPES = (0.0, -1.0, 1.0, -3.0, -2.0, -1.5, -0.6, -0.3, 0.3, 0.6, 1.5, 2.0)
"""Bonuses of a black peg that bounds are tried with, in units of the slope of the cost (see `set_bonuses`); chosen by
what they refute on 5x8 and 6x9."""


class Core(NamedTuple):
    """The rules, as every part of a search needs to know them.

    N secrets, M guesses, `symbols` counts the blank where there is one.
    """

    kind: int
    pegs: int
    symbols: int
    guesses: np.ndarray  # uint8[pegs, M], lexicographic
    secrets: np.ndarray  # uint8[pegs, N], lexicographic
    guess_of: np.ndarray  # int32[N]: the guess equal to this secret, -1 if there is none
    labels: int  # number of labels
    win: int  # winning label
    possible: np.ndarray  # int32[*]: labels that can occur
    word: np.ndarray  # empty array of the type that holds a label
    perms: np.ndarray  # int32[*, pegs]: peg permutations that rules may be symmetric under, identity first
    closed: bool  # secrets and guesses are each closed under every permutation of the colors (not of the blank)
    repeats: bool  # guesses may repeat colors
    colors: int  # colors, without the blank
    hard: bool  # guesses must use every clue; feedback is a mark a peg then
    table: np.ndarray  # label[M, N]: labels of all guesses with all secrets where a table says them, else empty


class Grouped(NamedTuple):
    """The guesses by groups: those with the same number of pegs of each color are one.

    Where feedback tells nothing of the colors, there is one group.
    """

    order: np.ndarray  # int32[M]: guesses by group, in each in order
    place_of: np.ndarray  # int32[M]: where in `order` a guess stands
    codes: np.ndarray  # uint8[M, pegs]: the guesses in that order
    halves: np.ndarray  # int32[2, M]: of these, the first pegs and the others, as places in the next two
    heads: np.ndarray  # uint8[heads, left]: what guesses have on their first pegs, each once
    tails: np.ndarray  # uint8[tails, pegs - left]: and on the others
    starts: np.ndarray  # int32[groups + 1]: where each group begins in `order`
    group_of: np.ndarray  # int32[M]
    colors: np.ndarray  # uint8[groups, pegs]: the colors of each, ascending
    masks: np.ndarray  # uint64[groups]: a bit for each of them; empty where there are more than 64 colors
    secret_group_of: np.ndarray  # int32[N]: secrets by groups, in the same way
    secret_groups: int


class BoardArrays(NamedTuple):
    """The rules as arrays. Kernels get the two apart: each use of a tuple costs the compiler the whole of it."""

    core: Core
    grouped: Grouped
    sums: int  # values that the sum of the color counts in common can take, one more than the greatest


class Criterion(NamedTuple):
    """The cost of a partition: an exact integer, the least is best."""

    family: int  # -1 for none
    table: np.ndarray  # int64[classes, N + 1]: cost of a part by its size
    by_label: np.ndarray  # int64[labels]: row of the table for a part with this label; for WEIGHTED its weight
    slopes: np.ndarray  # float64[N + 1]: nowhere falling, its sums nowhere above row 0 of the table


class Rule(NamedTuple):
    """A rule of choice: the guesses are ordered by cost, then by the second cost, by membership, by `order`.

    No two guesses are equal in all of these, so that the choice does not depend on the order in which they are judged.
    The last three fields tell what need not be judged at all; each is true only where `order` is `BY_PLACE`.
    """

    first: Criterion
    second: Criterion  # for equal costs; of no family where there is none
    member: bool  # prefer candidates among equals
    order: int  # then the least of these numbers: BY_PLACE or BY_HASH
    scope: int  # guesses from: ALL, CANDIDATES or PROBES
    probes: int
    split: bool  # the first candidate that splits completely is best
    alike: bool  # of guesses that symmetry exchanges the first is enough
    placed: bool  # of two guesses of equal cost, both candidates or neither, the first in the list is better


class OpenNode(NamedTuple):
    """A node of a strategy tree whose guess is still to be chosen."""

    codes: np.ndarray  # int32[n]: the candidates, ascending
    history: np.ndarray  # int32[t]: the guesses that lead here
    key: Any  # uint64: what chance is drawn by, the seed and the turns


class Alike(NamedTuple):
    """Which guesses of a node are alike, so that the first of them is enough."""

    colors: bool  # some colors stand for one another
    pegs: bool  # some pegs do
    images: Any  # permutations of the pegs that, each with one of the colors, leave the history as it is


class GrowingTree(NamedTuple):
    """A tree that is grown, and the nodes that wait."""

    stack: np.ndarray  # int64[waiting, 5]: begin and end of the candidates, node above, label, depth
    keys: np.ndarray  # uint64[waiting]
    path: np.ndarray  # int32: the guesses that lead to the node at hand
    columns: np.ndarray  # int32[5, nodes]: see `grow`


class SearchTask(NamedTuple):
    """The task of a search."""

    opening: int  # the first guess, -1 to choose it
    limit: int  # parts of more codes are left out
    share: int  # choose from one of several equal shares of the guesses
    shares: int  # 0: grow a tree


class Rows(NamedTuple):
    """The candidates of the node at hand.

    Rows that are worked on in vectors are longer than their contents.
    """

    here: np.ndarray  # int32[N]: the candidates of the node
    peg: np.ndarray  # uint8[pegs, N]: as planes
    tally: np.ndarray  # uint8[symbols, N]: and what of each color they have in common with many pegs of it
    counted: np.ndarray  # uint8[symbols]: 1 for the colors whose row of tally is filled in, else 0
    base: np.ndarray  # label[N]: labels but for the black pegs
    row: np.ndarray  # label[N]: labels
    items: np.ndarray  # int32[N]: one candidate of each group
    weight: np.ndarray  # int32[N]: and how many there are of it
    group_sizes: np.ndarray  # int32[secret_groups], zero between calls


class GuessLists(NamedTuple):
    """Guesses and groups to look at."""

    mark: np.ndarray  # uint8[M]: 1 for the candidates of the node at hand, zero between calls
    listed: np.ndarray  # int32[M]: guesses to choose from, where they are not all
    group: np.ndarray  # int32[groups]: groups to look at
    head: np.ndarray  # int32[groups]: last guess of each in `listed`, as its place there
    link: np.ndarray  # int32[M]: and the one before it
    place: np.ndarray  # int32[groups]: place of a group in `group`, -1 between calls
    bound: np.ndarray  # float64[groups]: least cost of a guess of the group
    alive: np.ndarray  # int32[groups]: places whose bound does not refute them


class Bounds(NamedTuple):
    """The bounds by the colors of the groups."""

    used: np.ndarray  # int32[symbols]: colors of the groups at hand
    row_of: np.ndarray  # int32[symbols]: where in `used` a color stands, -1 between calls
    color: np.ndarray  # uint8[symbols, groups]: pegs of each color used
    shared: np.ndarray  # uint8[CHUNK]
    small: np.ndarray  # uint8[sums, CHUNK]
    sums: np.ndarray  # int32[sums, groups]: candidates by the sum of the color counts in common
    most: np.ndarray  # int64[sums]: the greatest of each row
    steps: np.ndarray  # float64[bonuses]: SLOPES
    bonus: np.ndarray  # float64[bonuses]
    line: np.ndarray  # float64[bonuses]: bounds on cost - bonus * blacks for the group at hand
    low: np.ndarray  # float64[bonuses, sums, CELLS + 1]: least cost by number of candidates of one sum
    rise: np.ndarray  # float64[bonuses, sums, CELLS + 1]: and the least that one more adds
    taken: np.ndarray  # int64[pegs + 1]
    freq: np.ndarray  # int64[pegs, symbols]: candidates by peg and color
    first: np.ndarray  # int64[heads]: black pegs in all candidates by the first half of a guess
    second: np.ndarray  # int64[tails]: and by the other


class Score(NamedTuple):
    """The guess at hand, and the best."""

    sizes: np.ndarray  # int64[labels]
    lanes: np.ndarray  # int64[3, labels]: more of the same, for long rows
    sorts: np.ndarray  # int64[4, labels]: sorted partitions, both criteria, of the best guess and of the one judged
    best: np.ndarray  # int64[5]: cost (the greatest integer at first), second cost, 0 for a candidate, order, guess


class Exchanges(NamedTuple):
    """Colors and pegs that change places."""

    stable: np.ndarray  # int32[perms]: rows of board.perms that fix the history
    recolor: np.ndarray  # int32[perms, symbols]: the color that each becomes, -1 for none
    image: np.ndarray  # int32[symbols]
    status: np.ndarray  # uint8[symbols]
    rank: np.ndarray  # int32[symbols]
    absent: np.ndarray  # bool[symbols]
    by_status: np.ndarray  # int32[3, symbols], at least 3 wide
    partner: np.ndarray  # int32[pegs]: a peg before this one that it may change places with, -1 if there is none


class ClueArrays(NamedTuple):
    """The pegs and colors that a guess must have under hard rules; see `guess_lists.find_clues`."""

    place: np.ndarray  # int32[pegs]: the color that a peg must have, -1 where it is open
    color: np.ndarray  # int32[pegs]: colors that a guess must have
    least: np.ndarray  # int32[pegs]: and on how many pegs each, 0 after the last


class NodeParts(NamedTuple):
    """How a node is split."""

    answered: np.ndarray  # uint8[labels], zero between calls
    spare: np.ndarray  # int32[N]
    starts: np.ndarray  # int64[labels + 1]
    ends: np.ndarray  # int64[labels]


class Work(NamedTuple):
    """Memory of one search, allocated once; nothing in it outlives a call."""

    rows: Rows
    lists: GuessLists
    bounds: Bounds
    score: Score
    exchanges: Exchanges
    clues: ClueArrays
    parts: NodeParts


def make_work(board: BoardArrays) -> Work:
    """Allocate the memory of a search on this board: about 9 bytes a guess, 40 a secret, 4 MB for the tables.

    Rows for colors are many where colors are, and take memory only once they are written.
    """
    core = board.core
    m, n, groups = core.guesses.shape[1], core.secrets.shape[1], len(board.grouped.starts) - 1
    symbols, word, wide = core.symbols, core.word.dtype, n + 2 * LANES
    rows = Rows(
        here=np.zeros(n, np.int32),
        peg=np.zeros((core.pegs, wide), core.guesses.dtype),
        tally=np.zeros((symbols, wide), np.uint8),
        counted=np.zeros(symbols, np.uint8),
        base=np.zeros(wide, word),
        row=np.zeros(wide, word),
        items=np.empty(n, np.int32),
        weight=np.empty(n, np.int32),
        group_sizes=np.zeros(board.grouped.secret_groups, np.int32),
    )
    lists = GuessLists(
        mark=np.zeros(m, np.uint8),
        listed=np.empty(m, np.int32),
        group=np.empty(groups, np.int32),
        head=np.empty(groups, np.int32),
        link=np.empty(m, np.int32),
        place=np.full(groups, -1, np.int32),
        alive=np.empty(groups, np.int32),
        bound=np.empty(groups, np.float64),
    )
    bounds = Bounds(
        used=np.empty(symbols, np.int32),
        row_of=np.full(symbols, -1, np.int32),
        color=np.zeros((symbols, groups + CHUNK), np.uint8),
        shared=np.zeros(CHUNK, np.uint8),
        small=np.zeros((board.sums, CHUNK), np.uint8),
        sums=np.zeros((board.sums, groups + CHUNK), np.int32),
        most=np.zeros(board.sums, np.int64),
        steps=np.array(SLOPES),
        bonus=np.empty(len(SLOPES), np.float64),
        line=np.empty(len(SLOPES), np.float64),
        low=np.empty((len(SLOPES), board.sums, CELLS + 1), np.float64),
        rise=np.empty((len(SLOPES), board.sums, CELLS + 1), np.float64),
        taken=np.empty(core.pegs + 1, np.int64),
        freq=np.empty((core.pegs, symbols), np.int64),
        first=np.empty(len(board.grouped.heads), np.int64),
        second=np.empty(len(board.grouped.tails), np.int64),
    )
    score = Score(
        sizes=np.zeros(core.labels, np.int64),
        lanes=np.zeros((3, core.labels), np.int64),
        sorts=np.zeros((4, core.labels), np.int64),
        best=np.empty(5, np.int64),
    )
    exchanges = Exchanges(
        stable=np.empty(len(core.perms), np.int32),
        recolor=np.empty((len(core.perms), symbols), np.int32),
        image=np.empty(symbols, np.int32),
        status=np.empty(symbols, np.uint8),
        rank=np.empty(symbols, np.int32),
        absent=np.empty(symbols, np.bool_),
        by_status=np.zeros((3, max(3, symbols)), np.int32),
        partner=np.empty(core.pegs, np.int32),
    )
    clues = ClueArrays(*(np.zeros(core.pegs, np.int32) for _ in ClueArrays._fields))
    parts = NodeParts(
        answered=np.zeros(core.labels, np.uint8),
        spare=np.empty(n, np.int32),
        starts=np.zeros(core.labels + 1, np.int64),
        ends=np.zeros(core.labels, np.int64),
    )
    return Work(rows, lists, bounds, score, exchanges, clues, parts)


_idle: list[tuple[BoardArrays, Work]] = []


def borrow(board: BoardArrays) -> Work:
    """Take working memory for the board that no other thread uses."""
    try:
        owner, work = _idle.pop()
    except IndexError:
        return make_work(board)
    return work if owner is board else make_work(board)


def give_back(board: BoardArrays, work: Work) -> None:
    """Keep working memory for the next choice on the same board, a few pieces at most."""
    if len(_idle) < 2 * usable_processors():
        _idle.append((board, work))


def next_key(key: int, guess: int, label: int) -> int:
    """Key of the node after one more turn, as the kernels compute it: what random ties and probes are drawn by."""
    return mix(key ^ (guess << 12) ^ label)


def mix(x: int) -> int:
    """Mix the bits of a number, as the function of this name in the kernels does."""
    return int(mixed(np.array([x & (1 << 64) - 1], np.uint64) + GAMMA)[0])
