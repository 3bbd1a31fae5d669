"""Whole strategy trees by one-step rules: boards and rules as arrays, and the drivers of the kernels.

The kernels are described in `entropeg.kernels.onestep`. What they are given here is exact: costs are integers, so
that a tie is a tie whatever the order of a sum, and totals are the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.codes import guesses, secrets
from entropeg.kernels import onestep as kernel

if TYPE_CHECKING:
    from entropeg.rules import Rules
    from entropeg.search.criteria import Criterion

SINGLE = 2048
"""Boards of so few codes are played by one thread: starting others would take longer than the work."""

PERMUTED_PEGS = 7
"""Beyond so many pegs the peg permutations (40,320 for 8) cost more than they save.

Only those of the colors are used.
"""


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> kernel.Board:
    """Return the arrays of the rules, made once and kept; raises TooLargeError where the codes cannot be listed."""
    legal, hidden = guesses(rules), secrets(rules)
    symbols = rules.symbols_in_guesses
    word, cap, pad, bit_label = _words(rules)
    symmetric = symbols <= 255 and rules.is_symmetric
    perms = list(permutations(range(rules.pegs))) if rules.pegs <= PERMUTED_PEGS and symmetric else []
    perms = perms or [tuple(range(rules.pegs))]
    return kernel.Board(
        kind=rules.kind,
        pegs=rules.pegs,
        symbols=symbols,
        guesses=legal.planes,
        counts=legal.counts,
        first=_first_pegs(legal.planes, symbols),
        secrets=hidden.planes,
        slots=_slots(hidden.planes, symbols),
        guess_of=legal.find(hidden).astype(np.int32),
        labels=rules.label_count,
        win=rules.win_label,
        cap=cap,
        pad=pad,
        bit_label=bit_label,
        word=word,
        perms=np.array(perms, np.uint8),
        closed=symmetric,
        repeats=bool(rules.guess_repeats),
        colors=rules.colors,
    )


def _first_pegs(planes: Any, symbols: int) -> Any:
    """First peg that carries each symbol, `pegs` where none does: uint8[symbols, n]."""
    pegs, n = planes.shape
    first = np.full((symbols, n), pegs, np.uint8)
    for peg in range(pegs - 1, -1, -1):
        first[planes[peg], np.arange(n)] = peg
    return first


def _slots(planes: Any, symbols: int) -> Any:
    """Slot of each peg of each secret: (peg * symbols + color) * pegs + how often the color occurs on earlier pegs."""
    pegs, n = planes.shape
    slots = np.zeros((pegs, n), np.int32)
    for peg in range(pegs):
        earlier = sum(((planes[q] == planes[peg]).astype(np.int32) for q in range(peg)), np.zeros(n, np.int32))
        slots[peg] = (peg * symbols + planes[peg].astype(np.int32)) * pegs + earlier
    return slots


def _words(rules: Rules) -> tuple[Any, int, int, Any]:
    """Choose the words of the bit planes.

    An empty array of their type, the cap, the padding bit and the label of each bit.
    """
    pegs, win = rules.pegs, rules.win_label
    none = np.zeros(0, np.int32)  # and words of the usual width, so that nothing is compiled anew
    if rules.symbols_in_guesses > 255 or rules.feedback.name == "positional":
        return np.zeros(0, np.uint32), 255, 0, none
    if rules.feedback.name == "black":
        labels = list(range(pegs))
    else:
        impossible = pegs * pegs if rules.feedback.name == "standard" else -1
        labels = [pegs * black + common for black in range(pegs) for common in range(black, pegs + 1)]
        labels = [label for label in labels if label != impossible]
    for width, dtype in ((32, np.uint32), (64, np.uint64)):
        cap = width - 1 if pegs == 6 else 255
        bits = [min(label, cap) for label in labels]
        spare = set(range(width)) - set(bits)
        if len(set(bits)) == len(bits) and max(bits) < width and spare and win <= 255:
            bit_label = np.full(width, -1, np.int32)
            bit_label[bits] = labels
            return np.zeros(0, dtype), cap, min(spare), bit_label
    return np.zeros(0, np.uint32), 255, 0, none


def rule_of(  # noqa: PLR0913  # one argument a field of the kernel's rule
    first: Criterion,
    second: Criterion | None = None,
    *,
    member: bool = True,
    shuffle: bool = False,
    scope: int = 0,
    probes: int = 0,
    shortcut: bool = True,
    symmetry: bool = True,
) -> kernel.Rule:
    """Put criteria and tie rule together as the kernels take them."""
    ordered = shortcut and not shuffle and first.family != kernel.WEIGHTED
    other = second or first
    return kernel.Rule(
        family=first.family,
        table=first.table,
        klass=first.klass,
        bounded=first.bounded,
        then=second.family if second else -1,
        then_table=other.table,
        then_klass=other.klass,
        member=member,
        shuffle=shuffle,
        scope=scope,
        probes=probes,
        split=ordered and member,
        settle=ordered and first.settle,
        symmetry=symmetry,
    )


SHARED = 1 << 25
"""Pairs of a candidate and a guess from which one choice is worth the start of a thread a core."""


def best_guess(
    board: kernel.Board, rule: kernel.Rule, node: Any, history: Sequence[int], labels: Sequence[int], seed: int = 0
) -> int:
    """Return the index of the guess that the rule chooses for the candidates `node` (int32, ascending).

    history: indexes of the guesses played; labels: of their feedbacks. Large choices are shared among the cores.
    """
    key = seed
    for guess, label in zip(history, labels, strict=True):
        key = kernel.next_key(key, guess, label)
    past = np.array(history, np.int32)
    shares = 1 if len(node) * board.guesses.shape[1] < SHARED else os.cpu_count() or 1

    def judge(share: int) -> kernel.Work:
        work = _borrow(board)
        kernel.choose(board, rule, node, past, key, work, share, shares)
        return work

    if shares == 1:
        works = [judge(0)]
    else:
        with ThreadPoolExecutor(shares) as pool:
            works = list(pool.map(judge, range(shares)))
    for work in works:
        _give_back(board, work)
    return int(min(works, key=lambda work: _rank(rule, work)).best[4])


def _rank(rule: kernel.Rule, work: kernel.Work) -> tuple[Any, ...]:
    """What the choice is ordered by, as the kernel orders it."""
    cost, second, other, order, _ = work.best.tolist()
    first_sizes = work.sorts[0].tolist() if rule.family == kernel.SORTED else []
    second_sizes = work.sorts[1].tolist() if rule.then == kernel.SORTED else []
    return cost, first_sizes, second, second_sizes, other, order


_idle: list[tuple[kernel.Board, kernel.Work]] = []


def _borrow(board: kernel.Board) -> kernel.Work:
    """Take working memory for the board that no other thread uses."""
    try:
        owner, work = _idle.pop()
    except IndexError:
        return kernel.make_work(board)
    return work if owner is board else kernel.make_work(board)


def _give_back(board: kernel.Board, work: kernel.Work) -> None:
    """Keep working memory for the next choice on the same board, a few pieces at most."""
    if len(_idle) < 2 * (os.cpu_count() or 1):
        _idle.append((board, work))


class Nodes(NamedTuple):
    """A strategy tree as arrays, one entry a node, parents before children, siblings by ascending label."""

    guess: Any  # int32: index in the full list of guesses
    parent: Any  # int32, -1 for the first node
    label: Any  # int32: feedback that leads here from the parent, -1 for the first node
    size: Any  # int32: candidates

    @property
    def total(self) -> int:
        """Guesses over all secrets: each node costs one for every code that passes through it."""
        return int(self.size.sum(dtype=np.int64))


class _Task(NamedTuple):
    node: Any  # int32: candidates
    at: int  # number of the node in the whole tree
    history: Any  # int32: guesses
    key: int


def grow_tree(
    board: kernel.Board,
    rules: Callable[[int], kernel.Rule],
    *,
    opening: int = -1,
    threads: int = 0,
    key: int = 0,
    done: Callable[[int], None] | None = None,
) -> Nodes:
    """Grow the strategy tree over all secrets.

    Rules(turn) is the rule of the turn, counted from 0, and stays the same from its own `last`.

    `done` is called with the number of secrets whose part of the tree was finished. Every core works unless `threads`
    says otherwise; the tree does not depend on it.
    """
    return _Grower(board, rules, opening, threads or os.cpu_count() or 1, done).run(key)


class _Grower:
    """One tree in the making: tasks are nodes whose subtree is still to grow, the largest first."""

    def __init__(self, board: kernel.Board, rules: Any, opening: int, threads: int, done: Any) -> None:
        self.board, self.rules, self.opening, self.done = board, rules, opening, done
        self.count = board.secrets.shape[1]
        self.cut = self.count if self.count <= SINGLE else max(256, self.count // 64)
        self.threads = 1 if self.count <= SINGLE else threads
        self.turns = getattr(rules, "turns", 1)
        self.pieces: list[tuple[Any, ...]] = []
        self.heads: list[tuple[int, int]] = []
        self.nodes = 0

    def run(self, key: int) -> Nodes:
        everything = np.arange(self.count, dtype=np.int32)
        root = _Task(everything, -1, np.zeros(0, np.int32), key)
        if self.threads == 1:
            tasks = [root]
            while tasks:
                tasks += self.finish(*self.work(tasks.pop()))
        else:
            self._run_threads(root)
        return self.assemble()

    def _run_threads(self, root: _Task) -> None:
        waiting = [root]
        with ThreadPoolExecutor(self.threads) as pool:
            running: set[Any] = set()
            while waiting or running:
                waiting.sort(key=lambda task: len(task.node))
                while waiting and len(running) < self.threads:
                    running.add(pool.submit(self.work, waiting.pop()))
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    waiting += self.finish(*future.result())

    def work(self, task: _Task) -> tuple[_Task, Any]:
        memory = _borrow(self.board)
        turn = len(task.history)
        limit = 0 if turn + 1 < self.turns else self.cut
        opening = self.opening if turn == 0 else -1
        columns = kernel.grow(self.board, self.rules(turn), task.node, task.history, task.key, memory, opening, limit)
        _give_back(self.board, memory)
        return task, columns

    def finish(self, task: _Task, columns: Any) -> list[_Task]:
        """Number the new nodes and return the tasks that they leave."""
        guess, parent, label, size, _ = columns
        old = int(task.at >= 0)
        numbers = np.arange(self.nodes - old, self.nodes - old + len(guess), dtype=np.int32)
        self.nodes += len(guess) - old
        if old:
            numbers[0] = task.at
            self.heads.append((task.at, int(guess[0])))
        self.pieces.append(tuple(x[old:] for x in (guess, numbers[parent], label, size)))
        left = np.flatnonzero(guess < 0)
        if self.done is not None:
            self.done(len(task.node) - int(size[left].sum()))
        return [self.follow(task, columns, int(i), int(numbers[i])) for i in left]

    def follow(self, task: _Task, columns: Any, local: int, at: int) -> _Task:
        """Make the task of a node that was left out."""
        guess, parent, label, size, first = columns
        node = task.node[first[local] : first[local] + size[local]].copy()
        steps = []
        while parent[local] >= 0:
            steps.append((int(guess[parent[local]]), int(label[local])))
            local = int(parent[local])
        history, key = list(task.history), task.key
        for step in reversed(steps):
            history.append(step[0])
            key = kernel.next_key(key, *step)
        return _Task(node, at, np.array(history, np.int32), key)

    def assemble(self) -> Nodes:
        guess, parent, label, size = (np.concatenate(column) for column in zip(*self.pieces, strict=True))
        for at, head in self.heads:
            guess[at] = head
        parent[0] = -1
        return in_levels(guess, parent, label, size)


def in_levels(guess: Any, parent: Any, label: Any, size: Any) -> Nodes:
    """Put nodes level by level, children of one parent together by ascending label.

    One order for one tree, however it was grown.
    """
    count = len(guess)
    by_parent = np.lexsort((label, parent))
    begin = np.searchsorted(parent[by_parent], np.arange(count + 1))
    order = np.zeros(count, np.int64)
    rank = np.zeros(count, np.int64)
    order[0] = by_parent[0]
    low, high = 0, 1
    while low < high:
        level = order[low:high]
        rank[level] = np.arange(low, high)
        widths = begin[level + 1] - begin[level]
        total = int(widths.sum())
        offsets = np.repeat(begin[level] - np.concatenate(([0], widths.cumsum()[:-1])), widths)
        order[high : high + total] = by_parent[np.arange(total) + offsets]
        low, high = high, high + total
    above = parent[order]
    return Nodes(guess[order], np.where(above >= 0, rank[above], -1).astype(np.int32), label[order], size[order])
