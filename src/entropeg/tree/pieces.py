"""Growing a tree piece by piece: each finished piece is kept, and Ctrl-C is heard while kernels work.

A piece is a node with all of its subtree, except nodes of more than `cut` candidates below it, which begin pieces of
their own; a node whose guess alone takes long is a piece by itself. The pieces of a tree, and so the tree, do not
depend on how often it was interrupted, nor on the number of threads.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from threading import Thread
from threading import enumerate as enumerate_threads
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.codes import format_code, guesses
from entropeg.feedback import Code, from_label
from entropeg.kernels.onestep.arrays import make_work
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.registry import name_of
from entropeg.search.grow import ask, check_growable, one_step
from entropeg.search.grown import Grown, Pieces, path_to
from entropeg.search.onestep.board import legal_index, node_at
from entropeg.search.onestep.growing import Subtrees
from entropeg.signals import LISTEN_EVERY
from entropeg.tree.kept import COLUMNS

if TYPE_CHECKING:
    from entropeg.rules import Rules
    from entropeg.tree.kept import KeptPieces

WHOLE = 2048
"""A tree by the kernels over so few secrets is one piece: it is done in milliseconds."""

LONG = 1 << 31
"""Pairs of a candidate and a guess that take a core about half a second."""

THREADS = "entropeg tree"
"""Name of the threads in which kernels work: after Ctrl-C they may still be busy for some seconds."""


class Head(NamedTuple):
    """Where a piece begins: the position, how many candidates it has, and its number in the tree (-1: the first)."""

    position: Position
    size: int
    at: int


def grow_pieces(
    player: Any,
    rules: Rules,
    kept: KeptPieces,
    *,
    opening: Code | None = None,
    threads: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Grown:
    """Grow the tree that a deterministic codebreaker plays, as `search.grow.grow` does, in pieces that are kept.

    Pieces that `kept` has are not grown again. KeyboardInterrupt leaves every finished piece in `kept`; what was being
    grown is lost. Raises what `grow` raises.

    >>> from entropeg import Rules, codebreakers
    >>> from entropeg.tree.kept import KeptPieces
    >>> len(grow_pieces(codebreakers.get("minimax"), Rules.parse("3x3"), KeptPieces(None, "")).guess)
    27
    """
    check_growable(player, rules)
    tree = _TreeInPieces(player, rules.with_limit(None), kept, opening, progress)
    if tree.schedule is None:
        return tree.grow(_Here(tree.ask))
    subtrees = Subtrees(tree.rules, tree.schedule, tree.first)
    count = (threads or usable_processors()) if tree.cut < tree.rules.secret_count else 1
    if count == 1 and tree.cut == tree.rules.secret_count:
        return tree.grow(_Here(lambda head: tree.compute(head, subtrees, make_work(subtrees.board))))
    with _threads(tree, subtrees, count) as workers:
        return tree.grow(workers)


def is_busy() -> bool:
    """Tell whether kernels of an interrupted tree are still working: the process cannot end in an orderly way.

    >>> is_busy()
    False
    """
    return any(thread.name == THREADS for thread in enumerate_threads())


class _TreeInPieces:
    """One tree in the making: what is placed so far, and how a piece is grown."""

    def __init__(self, player: Any, rules: Rules, kept: KeptPieces, opening: Code | None, progress: Any) -> None:
        self.player, self.rules, self.kept, self.progress = player, rules, kept, progress
        self.title = name_of(player)
        self.schedule = one_step(player, rules)
        own = self.schedule.opening_code(rules) if self.schedule else None
        self.opening = own if opening is None else opening
        self.first = -1 if self.opening is None else legal_index(rules, self.opening)
        count = rules.secret_count
        self.cut = count if self.schedule and count <= WHOLE else max(256, count // 64)
        self.pieces = Pieces()

    def grow(self, workers: Any) -> Grown:
        """Grow every piece that is not kept, the largest first, and put all of them together."""
        waiting = [Head(Position(self.rules), self.rules.secret_count, -1)]
        running = 0
        while waiting or running:
            while waiting and running < workers.count:
                head = waiting.pop()
                piece = self.kept.get(self.title, self.place_name(head))
                if piece is None:
                    workers.put(head)
                    running += 1
                else:
                    self.place(head, piece, waiting)
            if running:
                head, piece = workers.get()
                running -= 1
                self.kept.put(self.title, self.place_name(head), piece)
                self.place(head, piece, waiting)
        return self.pieces.whole()

    def place_name(self, head: Head) -> str:
        """Name a piece by the first guess of its tree, where one is given, and the turns that lead to it."""
        first = "" if self.opening is None else f"from {format_code(self.opening, self.rules)} "
        return f"{first}after {head.position}"

    def ask(self, head: Head) -> Any:
        """Grow a piece by asking the player."""
        return np.array(ask(self.player, head.position, opening=self.opening, limit=self.limit(head)))

    def limit(self, head: Head) -> int:
        """Return up to how many candidates a node below a head belongs to its piece."""
        return 0 if head.size > self.cut and head.size * self.rules.guess_count > LONG else self.cut

    def compute(self, head: Head, subtrees: Subtrees, memory: Any) -> Any:
        """Grow a piece by the kernels."""
        node = node_at(head.position, max(subtrees.schedule.seed, 0))
        return subtrees.grow(node, memory, self.limit(head))[:COLUMNS].copy()

    def place(self, head: Head, piece: Any, waiting: list[Head]) -> None:
        """Number the nodes of a piece, and let the heads below it wait among the others, the largest last."""
        left, numbers = self.pieces.place(piece, head.at)
        size = piece[3]
        if self.progress is not None:
            self.progress(head.size - int(size[left].sum()))
        for node in left.tolist():
            below = Head(self.follow(head.position, piece, node), int(size[node]), int(numbers[node]))
            insort(waiting, below, key=lambda one: one.size)

    def follow(self, position: Position, piece: Any, node: int) -> Position:
        """Return the position of a node of a piece."""
        for guess, by in path_to(piece, node):
            position = position.after_trusted(guesses(self.rules)[guess], from_label(by, self.rules))
        return position


class _Here:
    """Grows pieces one after the other, in this thread: Ctrl-C is heard between two guesses that are asked for."""

    count = 1

    def __init__(self, work: Callable[[Head], Any]) -> None:
        self.work = work
        self.waiting: list[Head] = []

    def put(self, head: Head) -> None:
        self.waiting.append(head)

    def get(self) -> tuple[Head, Any]:
        head = self.waiting.pop()
        return head, self.work(head)


class _Workers:
    """Grows pieces in threads, since a kernel cannot be interrupted: the thread that waits for them can."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.tasks: SimpleQueue[Head | None] = SimpleQueue()
        self.results: SimpleQueue[tuple[Head, Any]] = SimpleQueue()
        self.put = self.tasks.put

    def serve(self, tree: _TreeInPieces, subtrees: Subtrees) -> None:
        """Work in a thread until there is nothing more."""
        memory = make_work(subtrees.board)
        while (head := self.tasks.get()) is not None:
            try:
                self.results.put((head, tree.compute(head, subtrees, memory)))
            except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
                self.results.put((head, error))

    def get(self) -> tuple[Head, Any]:
        """Wait for a piece, looking now and then whether Ctrl-C was pressed."""
        while True:
            try:
                head, piece = self.results.get(timeout=LISTEN_EVERY)
            except Empty:
                continue
            if isinstance(piece, Exception):
                raise piece
            return head, piece


@contextmanager
def _threads(tree: _TreeInPieces, subtrees: Subtrees, count: int) -> Iterator[_Workers]:
    workers = _Workers(count)
    for _ in range(count):
        # Daemons: after Ctrl-C nobody waits for the piece that they are at.
        Thread(target=workers.serve, args=(tree, subtrees), name=THREADS, daemon=True).start()
    try:
        yield workers
    finally:
        for _ in range(count):
            workers.tasks.put(None)
