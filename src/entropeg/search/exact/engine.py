"""The exact search as functions of Python, and the compiled code behind them.

A search works on the `search.exact.layout.ThreadMemory` of a thread. The set that a function is about stands at the
start of its stack, ``n`` codes, where `solve` puts it; ``d`` guesses are left, `UNLIMITED` without limit. Boards under
weights are searched by the same functions: which family of bounds a board has says the memory. Codes of sets come in
descending order of weight there.

Each family is compiled as one function that takes a task and numbers.
"""

# ruff: noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917
# Kernels are written for the compiler, as in `entropeg.kernels`: many numbers by position, and functions made for each
# family.

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from entropeg.kernels.compile import callback, inner
from entropeg.search.exact import count_bounds, fields, weight_bounds
from entropeg.search.exact.clues import clue_hash as _clue_hash
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import NO_GUESS, NO_LABEL, OPEN, SYMMETRIC, Array, Int
from entropeg.search.exact.layout import ThreadMemory
from entropeg.search.exact.loop import Loop, is_image, loop_of, place
from entropeg.search.exact.scan import guess_at, spread_out, whole_scan
from entropeg.search.exact.symmetry import enter as _enter
from entropeg.search.exact.unfold import SEARCH, begin_unfolding, unfolding_of

SOLVE, TOGETHER, OPENINGS, OPEN_PARTS, BOUND, PROBE, STORE, ENTER, UNFOLD, ORDER, LOWER, CLUES, RESUME = range(13)
"""Tasks of the entry points."""


def _openings_of(family: Family, loop: Loop) -> tuple[Any, Any, Any]:
    """The tasks at the root that search nothing, for a family."""
    infinite, look, weigh, open_tables = family.infinite, family.look, loop.weigh, loop.open_tables

    @inner
    def openings(memory: Any, n: Int, ub: Int, d: Int) -> Any:
        """Write (guess, bound) of one guess of every class that the symmetry tells apart to ``answer``.

        Then the bound of the rest. The number of classes.
        """
        place(memory, 0, n, n, ub, d)
        frame = memory.frames[0]
        look(memory, 0)
        open_tables(memory, 0)
        candidates, lows, answer = memory.candidates, memory.lows, memory.answer
        kept = 0
        for i in range(frame.first, frame.first + frame.count):
            guess = guess_at(memory, frame.scan, candidates[i], memory.order[0])
            if not is_image(memory, 0, guess):
                answer[kept, 0], answer[kept, 1] = guess, lows[i]
                kept += 1
        answer[kept, 0] = frame.rest
        return kept

    @inner
    def order(memory: Any, n: Int, d: Int) -> Any:
        """Write (guess, bound) of all candidates to ``answer``; how many."""
        place(memory, 0, n, n, infinite, d)
        frame = memory.frames[0]
        look(memory, 0)
        candidates, lows, answer = memory.candidates, memory.lows, memory.answer
        for i in range(frame.count):
            guess = guess_at(memory, frame.scan, candidates[frame.first + i], memory.order[0])
            answer[i, 0], answer[i, 1] = guess, lows[frame.first + i]
        return frame.count

    @inner
    def open_parts(memory: Any, n: Int, guess: Int, best: Int, d: Int) -> Any:
        """Cut the set by an opening and bound its parts, into the arrays of the first frame; the opening's bound."""
        full = whole_scan(memory)
        place(memory, 0, n, n, best, d)
        frame = memory.frames[0]
        frame.after, frame.scan, frame.count = d, full, 1
        frame.own = frame.other = memory.labels - 1
        frame.at = frame.tried = 0
        memory.candidates[0] = frame.guess = guess
        spread_out(memory, frame, full)
        open_tables(memory, 0)
        total = weigh(memory, 0, best)
        memory.nodes[1] -= 1  # it counts the guesses tried after the openings
        if not memory.by_answer:
            _enter(memory, 0, guess, NO_LABEL)
        return total

    return openings, order, open_parts


def _tasks_of(family: Family) -> Any:
    """The function of memory, task and numbers that does all tasks of a family."""
    part_bound, probe, store, infinite = family.part_bound, family.table.probe, family.table.store, family.infinite
    loop, unfold = loop_of(family), unfolding_of(family)
    search = loop.search
    openings, order, open_parts = _openings_of(family, loop)

    @inner
    def tasks(memory: Any, task: Int, offset: Int, n: Int, top: Int, ub: Int, d: Int, behind: Int, mixed: Int) -> Any:
        # These are asked for while the thread that has the memory is searching: nothing else may change.
        if task == LOWER:
            return np.int64(fields.fetch_min(memory.shared, fields.BEST_OF_ALL, ub))
        if task == PROBE:
            value, guess, known = probe(memory.table, mixed, n)
            memory.found[0], memory.found[1] = guess, known
            return np.int64(value)
        if task == STORE:
            store(memory.table, mixed, n, ub, top, d)
            return np.int64(0)
        if task == ENTER:
            _enter(memory, behind, top, ub)
            return np.int64(0)
        if task == CLUES:
            memory.found[0] = np.int64(_clue_hash(memory, behind) if memory.hard else np.uint64(0))
            return np.int64(0)
        memory.behind = behind
        if task == OPENINGS:
            return np.int64(openings(memory, n, ub, d))
        if task == ORDER:
            return np.int64(order(memory, n, d))
        if task == OPEN_PARTS:
            return np.int64(open_parts(memory, n, top, ub, d))
        if task == BOUND:
            bound, exact, _ = part_bound(memory, offset, n, d, behind, infinite)
            memory.answer[0, 0] = exact
            return np.int64(bound)
        if task == UNFOLD:
            begin_unfolding(memory, n, d)
        elif task != RESUME:
            place(memory, offset, n, top, ub, d)
            memory.set_hash[0] = mixed
        while True:  # one place where sets are searched: each would be compiled for itself
            if task == UNFOLD:
                nodes = unfold(memory, n, top, ub)
                if nodes != SEARCH:
                    return np.int64(nodes)
            value = search(memory, np.int64(task == TOGETHER or (task == RESUME and top)), np.int64(task == RESUME))
            if task != UNFOLD:
                return np.int64(value)

    return tasks


_count_tasks, _weight_tasks = _tasks_of(count_bounds.FAMILY), _tasks_of(weight_bounds.FAMILY)


@callback(fields.CALL)
def by_counts(at: Array, task: Int, offset: Int, n: Int, top: Int, ub: Int, d: Int, behind: Int, mixed: Int) -> Any:
    """Do a task on a board of the family of counts."""
    return np.int64(_count_tasks(fields.memory_at(at), task, offset, n, top, ub, d, behind, mixed))


@callback(fields.CALL)
def by_weights(at: Array, task: Int, offset: Int, n: Int, top: Int, ub: Int, d: Int, behind: Int, mixed: Int) -> Any:
    """Do a task on a board of the family of weights."""
    return np.int64(_weight_tasks(fields.memory_at(at), task, offset, n, top, ub, d, behind, mixed))


def _entry_of(memory: ThreadMemory) -> Any:
    return by_weights if memory.is_weighted else by_counts


def is_compiled(*, is_weighted: bool) -> bool:
    """Whether the code of a family is compiled already, or stored on this machine."""
    return bool((by_weights if is_weighted else by_counts).is_stored)


def address(memory: ThreadMemory) -> int:
    """Where the compiled function of a memory's family stands, for kernels that call it: task, numbers as in `CALL`."""
    return int(_entry_of(memory).address)


def _call(
    memory: ThreadMemory, task: int, *numbers: int, breadth: int = 0, only: int = NO_GUESS, ranked: int = 0
) -> int:
    """Do a task without the interpreter lock: offset, n, top, ub, d, guesses behind, hash."""
    entry = _entry_of(memory).ctypes
    if task not in {LOWER, PROBE, STORE}:
        memory.set(breadth=breadth, only=only, ranked=ranked)
    if memory.where is None:
        memory.where = memory.fields.ctypes.data_as(entry.argtypes[0])
    return int(entry(memory.where, task, *map(int, numbers)))


def size_bound(n: int, own: int, other: int) -> int:
    """Least total of any ``n`` codes by the most parts that guesses leave: see `count_bounds.size_bound`."""
    return int(count_bounds.size_bound.py_func(n, own, other))


def solve(
    memory: ThreadMemory,
    codes: Array,
    ub: int,
    d: int,
    depth: int,
    mixed: int,
    *,
    together: bool = False,
    breadth: int = 0,
    only: int = NO_GUESS,
) -> tuple[int, int]:
    """(least total of a set if it is below ``ub``, else a lower bound; the guess that attains it, or `NO_GUESS`).

    See the search of `loop.loop_of`; ``codes`` in the order of sets. A total below ``ub`` is exact; the guess is
    `NO_GUESS` then only where the table did not keep it. ``depth``: guesses behind the set, which were entered;
    ``mixed``: XOR of the codes' Zobrist words. ``together``: several threads search the set with the same words
    ``shared``; its value is the least that one of them returns, and exact if that comes with a guess. ``breadth``: at
    most this many guesses are tried in every set, so that the total is that of a strategy. ``only``: the guess that
    alone is tried first; nothing is stored of the set.
    """
    n = len(codes)
    _check(memory, codes, depth)
    memory.stack[:n] = codes
    value = _call(memory, TOGETHER if together else SOLVE, 0, n, n, ub, d, depth, mixed, breadth=breadth, only=only)
    return value, int(memory.arrays["frames"]["chosen"][0])


def resume(memory: ThreadMemory, depth: int, *, together: bool = False) -> tuple[int, int]:
    """Go on with the search of `solve` that was paused in this memory, of the same depth; what that returns.

    A search is paused by `ThreadMemory.pause`, and returns `fields.PAUSED` as its value then. Its memory may do nothing
    else before it goes on.
    """
    value = _call(memory, RESUME, 0, 0, int(together), 0, 0, depth, 0)
    return value, int(memory.arrays["frames"]["chosen"][0])


def _check(memory: ThreadMemory, codes: Array, depth: int) -> None:
    """Raise AssertionError for a set that the history entered does not leave: its symmetries would be false.

    A history of more than `SYMMETRIC` guesses has none, and none need be entered.
    """
    if depth > SYMMETRIC or len(codes) < 2:
        return
    labels, guesses = memory.arrays["by_guess"], (*memory.behind, *memory.entered[:depth])
    if len(memory.entered) < depth or any(np.ptp(labels[guess, codes]) for guess in guesses):
        raise AssertionError(f"a set of {len(codes)} codes is not what the history entered leaves")


def ranking(
    memory: ThreadMemory, n: int, d: int, depth: int, mixed: int, number: int
) -> tuple[list[tuple[int, int]], int]:
    """(total, guess) of a number of the best guesses of a set of 3 or more codes, best first; bound of all others.

    One guess of every class under the symmetry of the history, and one of all that leave the same parts. Exact; fewer
    than asked for where no others cut the set, or where the search was stopped: then those found until then.
    """
    _check(memory, memory.stack[:n], depth)
    memory.nodes[fields.RANKS] = 0
    rest = _call(memory, SOLVE, 0, n, n, memory.infinite, d, depth, mixed, ranked=number)
    return [tuple(row) for row in memory.arrays["answer"][: memory.nodes[fields.RANKS], :2].tolist()], rest


def openings(memory: ThreadMemory, n: int, d: int, ub: int | None = None, *, every: bool = False) -> tuple[Any, int]:
    """(one guess of every class and its bound, int64[classes, 2]; bound of the rest): those of a bound below ``ub``.

    ``every``: all classes, also where one of them is known to be best at once.
    """
    answer = memory.arrays["answer"]
    ub = memory.infinite if ub is None else ub
    classes = _call(memory, OPENINGS, 0, n, 0, ub, d, 0, 0, ranked=int(every))
    return answer[:classes, :2].copy(), int(answer[classes, 0])


def open_parts(memory: ThreadMemory, n: int, guess: int, best: int, d: int) -> int:
    """Cut the set by an opening and bound its parts, into the arrays of the first frame; the opening's bound."""
    memory.entered[:] = [guess]
    return _call(memory, OPEN_PARTS, 0, n, guess, best, d, 0, 0)


def enter_answer(memory: ThreadMemory, guess: int, label: int) -> None:
    """Make the history of one guess that was entered that of this guess and this answer, where the answer matters."""
    if memory.is_entered_by_answer:
        enter(memory, 0, guess, label)


def part_bound(memory: ThreadMemory, n: int, d: int) -> tuple[int, bool]:
    """(bound, whether it is the exact value) for a set of 3 or more codes."""
    bound = _call(memory, BOUND, 0, n, 0, 0, d, 0, 0)
    return bound, bool(memory.arrays["answer"][0, 0])


def order(memory: ThreadMemory, n: int, d: int) -> Any:
    """int64[candidates, 2]: (guess, bound) of the set, in the order in which `solve` without a bound takes them."""
    found = _call(memory, ORDER, 0, n, 0, 0, d, 0, 0)
    return memory.arrays["answer"][:found, :2].copy()


def lower(memory: ThreadMemory, value: int) -> None:
    """Tell a thread that searches together of a better best value."""
    _call(memory, LOWER, 0, 0, 0, value, 0, 0, 0)


def probe(memory: ThreadMemory, key: int, n: int) -> tuple[int, int, int] | None:
    """(value, guess, state) of a set by the table."""
    value = _call(memory, PROBE, 0, n, 0, 0, 0, 0, key)
    guess, state = memory.arrays["found"].tolist()
    return None if state == OPEN else (value, guess, state)


def store(memory: ThreadMemory, key: int, n: int, value: int, guess: int, state: int) -> None:
    """Keep the value of a set."""
    _call(memory, STORE, 0, n, guess, value, state, 0, key)


def enter(memory: ThreadMemory, depth: int, guess: int, label: int) -> None:
    """Extend the history of ``depth`` guesses by one and its answer, a compact label; `NO_LABEL` for any answer.

    Feedback by place, and rules that make guesses use every clue, need the answer.
    """
    memory.entered[depth:] = [guess]
    _call(memory, ENTER, 0, 0, guess, label, 0, depth, 0)


def behind(memory: ThreadMemory, history: Iterable[tuple[int, int]]) -> None:
    """Let the root stand behind these guesses and their answers, compact labels."""
    memory.behind, memory.entered = [], []
    for guess, label in history:
        enter(memory, 0, guess, label)
        for group in ("group_size", "group_peg", "group_color"):
            memory.arrays[group][0] = memory.arrays[group][1]
        if len(memory.arrays["clues"]):
            memory.arrays["clues"][0] = memory.arrays["clues"][1]
        memory.behind.append(guess)
        memory.entered.clear()


def clue_hash(memory: ThreadMemory, depth: int) -> int:
    """The part of the clues after ``depth`` guesses in the hash of a set: 0 where guesses need use none."""
    if not len(memory.arrays["clues"]):
        return 0
    _call(memory, CLUES, 0, 0, 0, 0, 0, depth, 0)
    return int(memory.arrays["found"][0]) & ((1 << 64) - 1)


def unfold(memory: ThreadMemory, n: int, d: int, opening: int, *, finished: bool, breadth: int = 0) -> Any:
    """Nodes of a strategy for the set: (guess, parent, label, wins) each; None if none is known that keeps ``d``."""
    nodes = _call(memory, UNFOLD, 0, n, opening, int(finished), d, SYMMETRIC + 1, 0, breadth=breadth)
    return None if nodes < 0 else memory.arrays["answer"][:nodes].copy()
