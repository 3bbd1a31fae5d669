"""Growing a tree piece by piece: each finished piece is kept, and Ctrl-C is heard while kernels work.

A piece is a node with all of its subtree, except nodes of more than `cut` candidates below it, which begin pieces of
their own; a node whose guess alone takes long is a piece by itself. It is grown by kernels, or by asking the player,
here or by other workers. The pieces of a tree, and so the tree, do not depend on how often it was interrupted, nor on
where, nor by how many workers, they were grown.
"""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from queue import Empty, SimpleQueue
from threading import Thread
from threading import enumerate as enumerate_threads
from typing import Any, NamedTuple, Protocol

import numpy as np

from entropeg.codes import format_code, guesses
from entropeg.executors import Crew, Executor, crew_of, travels
from entropeg.feedback import Code, from_label
from entropeg.kernels.onestep.arrays import make_work
from entropeg.position import Position
from entropeg.processors import starts, usable_processors
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.search.grow import Subtrees, ask, check_growable, one_step
from entropeg.search.onestep.choice import Schedule
from entropeg.search.onestep.code_arrays import legal_index, node_at
from entropeg.search.strategies import Grown, Pieces, path_to
from entropeg.signals import LISTEN_EVERY, held
from entropeg.tree.kept import COLUMNS, KeptPieces

WHOLE = 2048
"""The most secrets of a tree that kernels grow in one piece: it is done in milliseconds."""

LONG = 1 << 31
"""Pairs of a candidate and a guess that take a core about half a second."""


class Head(NamedTuple):
    """Where a piece begins: the position, how many candidates it has, and its number in the tree (-1: the first)."""

    position: Position
    size: int
    at: int


@dataclass(frozen=True)
class PieceGrower:
    """Grows pieces of the tree of one player on one board without a limit; `opening` replaces its first guess."""

    player: Any
    rules: Rules
    opening: Code | None

    @cached_property
    def schedule(self) -> Schedule | None:
        """The player's one-step rules, where kernels grow its tree."""
        return one_step(self.player, self.rules)

    @cached_property
    def first(self) -> Code | None:
        """The first guess, where it is known beforehand."""
        own = self.schedule.opening_code(self.rules) if self.schedule else None
        return own if self.opening is None else self.opening

    @cached_property
    def _subtrees(self) -> Subtrees:
        assert self.schedule is not None
        return Subtrees(self.rules, self.schedule, -1 if self.first is None else legal_index(self.rules, self.first))

    @property
    def is_plain(self) -> bool:
        """Whether all is done by Python and NumPy, so that one thread does it, and hears Ctrl-C itself."""
        return self.schedule is None or self._subtrees.is_plain

    @cached_property
    def cut(self) -> int:
        """Up to how many candidates a node belongs to the piece above it."""
        count = self.rules.secret_count
        return count if self.schedule and count <= WHOLE else max(256, count // 64)

    def limit(self, head: Head) -> int:
        """Return up to how many candidates a node below a head belongs to its piece."""
        return 0 if head.size > self.cut and self.pairs(head) > LONG else self.cut

    def pairs(self, head: Head) -> int:
        """Return how many pairs of a candidate and a guess the first choice looks at."""
        return head.size * self.rules.guess_count

    def method(self) -> Callable[[Head], Any]:
        """Return what grows pieces, in one thread: `int32[4, nodes]`, see `tree.kept`."""
        if self.schedule is None:
            return lambda head: np.array(ask(self.player, head.position, opening=self.first, limit=self.limit(head)))
        subtrees, seed = self._subtrees, max(self.schedule.seed, 0)
        memory = make_work(subtrees.board)

        def grow(head: Head) -> Any:
            return subtrees.grow(node_at(head.position, seed), memory, self.limit(head))[:COLUMNS].copy()

        return grow


# The last grower of each thread, since making the arrays of a board takes longer than most pieces.
_kept = threading.local()


def grown_pieces(grower: PieceGrower, heads: tuple[Head, ...]) -> list[Any]:
    """Grow several pieces of one tree; for workers, who keep their memory for the next ones.

    Each is `int32[4, nodes]`, as `tree.kept` has it. Here the whole tree is one piece:

    >>> from entropeg import Rules, codebreakers
    >>> rules = Rules.parse("3x3")
    >>> grower = PieceGrower(codebreakers.get("minimax"), rules, None)
    >>> [piece.shape for piece in grown_pieces(grower, (Head(Position(rules), 27, -1),))]
    [(4, 27)]
    """
    if getattr(_kept, "grower", None) != grower:
        _kept.grower, _kept.method = grower, grower.method()
    return [_kept.method(head) for head in heads]


THREADS = "entropeg tree"
"""Name of the threads in which kernels work: after Ctrl-C they may still be busy for some seconds."""


def grow_pieces(
    player: Any,
    rules: Rules,
    kept: KeptPieces,
    *,
    opening: Code | None = None,
    threads: int = 0,
    executor: Executor | Crew | None = None,
    progress: Callable[[int], None] | None = None,
) -> Grown:
    """Grow the tree that a deterministic codebreaker plays, as `search.grow.grow` does, in pieces that are kept.

    Pieces that `kept` has are not grown again. KeyboardInterrupt leaves every finished piece in `kept`; what was being
    grown is lost. The pieces are grown by threads of this process, or by the workers of an `executor`, where these can
    make the player. Raises what `grow` raises.

    >>> from entropeg import Rules, codebreakers
    >>> from entropeg.tree.kept import KeptPieces
    >>> len(grow_pieces(codebreakers.get("minimax"), Rules.parse("3x3"), KeptPieces(None, "")).guess)
    27
    """
    check_growable(player, rules)
    grower = PieceGrower(player, rules.with_limit(None), opening)
    tree = _TreeInPieces(grower, kept, progress)
    if isinstance(executor, Executor) and executor.kind == "threads":
        threads, executor = executor.workers, None
    is_whole = grower.schedule is not None and grower.cut == grower.rules.secret_count
    if executor is not None and not is_whole and travels(player):
        with crew_of(executor) as crew:
            return tree.grow(_Sharing(grower, crew))
    if is_whole or grower.is_plain:
        return tree.grow(_Here(grower))
    with _threads(grower, threads or usable_processors()) as workers:
        return tree.grow(workers)


def is_busy() -> bool:
    """Tell whether kernels of an interrupted tree are still working: the process cannot end in an orderly way.

    >>> is_busy()
    False
    """
    return any(thread.name == THREADS for thread in enumerate_threads())


class _Workers(Protocol):
    """Whoever grows pieces: `count` at a time are put, and got back in any order."""

    count: int

    def put(self, head: Head) -> None: ...

    def get(self) -> tuple[Head, Any]: ...


class _TreeInPieces:
    """One tree in the making: its nodes so far."""

    def __init__(self, grower: PieceGrower, kept: KeptPieces, progress: Any) -> None:
        self.grower, self.rules, self.kept, self.progress = grower, grower.rules, kept, progress
        self.title = name_of(grower.player)
        self.pieces = Pieces()

    def grow(self, workers: _Workers) -> Grown:
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
        opening = self.grower.first
        first = "" if opening is None else f"from {format_code(opening, self.rules)} "
        return f"{first}after {head.position}"

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

    def __init__(self, grower: PieceGrower) -> None:
        self.work = grower.method()
        self.waiting: list[Head] = []

    def put(self, head: Head) -> None:
        self.waiting.append(head)

    def get(self) -> tuple[Head, Any]:
        head = self.waiting.pop()
        return head, self.work(head)


class _PieceThreads:
    """Grows pieces in threads, since a kernel cannot be interrupted: the thread that waits for them can."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.tasks: SimpleQueue[Head | None] = SimpleQueue()
        self.results: SimpleQueue[tuple[Head, Any]] = SimpleQueue()
        self.put = self.tasks.put

    def serve(self, grower: PieceGrower) -> None:
        """Work in a thread until there is nothing more."""
        work = grower.method()
        while (head := self.tasks.get()) is not None:
            try:
                self.results.put((head, work(head)))
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
def _threads(grower: PieceGrower, count: int) -> Iterator[_Workers]:
    workers = _PieceThreads(count)
    for number in range(count):
        # Daemons: after Ctrl-C nobody waits for the piece that they are at.
        thread = Thread(target=workers.serve, args=(grower,), name=THREADS, daemon=True)
        if not starts(thread) and not number:
            yield _Here(grower)
            return
    try:
        yield workers
    finally:
        for _ in range(count):
            workers.tasks.put(None)


class _Sharing:
    """Has pieces grown by a crew, several in a call: each worker gets as long a call as leaves all of them work."""

    def __init__(self, grower: PieceGrower, crew: Crew) -> None:
        self.grower, self.crew = grower, crew
        self.count = 1 << 30  # all that wait are put, and shared out here
        self.waiting: list[Head] = []
        self.sent: dict[int, tuple[Head, ...]] = {}
        self.ready: list[tuple[Head, Any]] = []
        self.is_interrupted = False

    def put(self, head: Head) -> None:
        insort(self.waiting, head, key=lambda one: one.size)

    def get(self) -> tuple[Head, Any]:
        """Return a piece; KeyboardInterrupt is raised once all that have come are returned."""
        while not self.ready:
            if self.is_interrupted:
                raise KeyboardInterrupt
            try:
                with held():
                    self._exchange()
            except KeyboardInterrupt:
                self.is_interrupted = True
        return self.ready.pop()

    def _exchange(self) -> None:
        while self.waiting and self.crew.room:
            heads = self._share()
            self.sent[self.crew.put(grown_pieces, self.grower, heads)] = heads
        for number, pieces in self.crew.take():
            self.ready += zip(self.sent.pop(number), pieces, strict=True)

    def _share(self) -> tuple[Head, ...]:
        # The largest pieces by themselves, and of smaller ones as many as take about half a second.
        # Each worker gets four shares of the waiting pieces, so that the last ones end about together.
        most = min(LONG, sum(map(self.grower.pairs, self.waiting)) // (4 * self.crew.count))
        heads = [self.waiting.pop()]
        work = self.grower.pairs(heads[0])
        while self.waiting and (work := work + self.grower.pairs(self.waiting[-1])) <= most:
            heads.append(self.waiting.pop())
        return tuple(heads)
