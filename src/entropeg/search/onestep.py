"""Whole strategy trees by one-step rules: boards and rules as arrays, and the drivers of the kernels.

The kernels are described in `entropeg.kernels.onestep`. What they are given here is exact: costs are integers, so
that a tie is a tie whatever the order of a sum, and totals are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from entropeg.codes import check_listable, guesses, secrets
from entropeg.errors import TooLargeError
from entropeg.kernels import _search_arrays as arrays
from entropeg.kernels.switch import CALL, Switch
from entropeg.processors import usable_processors
from entropeg.rules import FeedbackKind
from entropeg.signals import LISTEN_EVERY, held

if TYPE_CHECKING:
    from entropeg.rules import Rules
    from entropeg.search.criteria import Criterion

SINGLE = 2048
"""Boards of so few codes are played by one thread: starting others would take longer than the work."""

LARGEST_TASK = 4096
"""Secrets of a subtree that is grown in one go, on large boards: half a second in which nothing else is heard."""

PERMUTED_PEGS = 7
"""Beyond so many pegs the peg permutations that go with one of the colors (40,320 for 8) cost more than they save.

Those of the colors alone, and of the pegs alone, are always used.
"""

MOST_BYTES = 1 << 31
"""Boards that would take more memory are refused: 8x8, 15x3 and 23x2 fit, 8x9, 12x4 and 24x2 do not."""

MOST_PAIRS = 1 << 40
"""Pairs of guess and candidate of a choice in which guesses that are alike are not left out: some minutes."""

MOST_PEGS = 255
"""The pegs of a color in a code are counted in a byte."""

OTHERS = "`auto` picks a strategy that plays by a sample of the codes"


@lru_cache(maxsize=4)
def board_of(rules: Rules) -> arrays.Board:
    """Return the arrays of the rules, made once and kept; raises TooLargeError as `check_reach` does."""
    check_reach(rules)
    legal, hidden = guesses(rules), secrets(rules)
    symbols, pegs = rules.symbols_in_guesses, rules.pegs
    symmetric = rules.is_symmetric
    perms = list(permutations(range(pegs))) if pegs <= PERMUTED_PEGS and symmetric else []
    perms = perms or [tuple(range(pegs))]
    told = KINDS[rules.feedback.name]
    groups = _groups(legal.planes, symbols, counted=told.counted)
    _, kin = np.unique(_numbers(np.sort(hidden.planes, axis=0), symbols), return_inverse=True)
    codes, left = np.ascontiguousarray(legal.planes[:, groups.order]), pegs // 2
    place_of = np.empty(len(legal), np.int32)
    place_of[groups.order] = np.arange(len(legal))
    (heads, first), (tails, second) = _half(codes[:left], symbols), _half(codes[left:], symbols)
    core = arrays.Core(
        kind=rules.kind,
        pegs=pegs,
        symbols=symbols,
        guesses=legal.planes,
        secrets=hidden.planes,
        guess_of=legal.find(hidden).astype(np.int32),
        labels=rules.label_count,
        win=rules.win_label,
        possible=told.possible(pegs, rules.label_count),
        word=np.zeros(0, np.uint8 if rules.label_count <= 256 else np.int32),
        perms=np.array(perms, np.int32),
        closed=symmetric,
        repeats=bool(rules.guess_repeats),
        colors=rules.colors,
    )
    grouped = arrays.Grouped(
        order=groups.order,
        place_of=place_of,
        codes=np.ascontiguousarray(codes.T),
        halves=np.stack([first, second]).astype(np.int32),
        heads=heads,
        tails=tails,
        starts=groups.starts,
        group_of=groups.group_of,
        colors=groups.colors,
        masks=_masks(groups.colors, symbols),
        kin=kin.astype(np.int32),
        kins=int(kin.max()) + 1,
    )
    return arrays.Board(core, grouped, pegs + 1 if told.counted else 1)


def check_reach(rules: Rules) -> None:
    """Raise TooLargeError, naming who can play, where the codes or feedbacks of the rules are too many.

    They are where they would take more than `MOST_BYTES`, and where to set the sizes of the parts to zero, guess by
    guess, takes longer than `MOST_PAIRS`. Beyond `MOST_PEGS` only the boards of one code are played.
    """
    check_listable(rules, rules.guess_count)
    if rules.pegs > MOST_PEGS and rules.secret_count > 1:
        raise TooLargeError(
            f"one-step strategies count the pegs of a color in a byte, and {rules} has more than {MOST_PEGS} pegs; "
            "`consistent` plays there"
        )
    code = rules.pegs * (1 if rules.symbols_in_guesses <= 256 else 2)
    board = rules.guess_count * (2 * code + 28) + rules.secret_count * 16
    criterion = rules.secret_count * 32
    work = _work_bytes(rules.guess_count, rules.secret_count, code, rules.label_count)
    needed = board + criterion + work
    if needed > MOST_BYTES:
        size = f"{needed / 2**30:.1f} GB" if needed < 1 << 50 else "far too much memory"
        raise TooLargeError(
            f"to weigh every guess of {rules} takes {size}, and one-step strategies take {MOST_BYTES >> 30} GB at "
            f"most; {OTHERS}"
        )
    if rules.feedback == FeedbackKind.positional and rules.guess_count * rules.label_count >= MOST_PAIRS:
        raise TooLargeError(
            f"to weigh {rules.guess_count:,} guesses of {rules}, each by its {rules.label_count:,} feedbacks, takes "
            f"too long; {OTHERS}"
        )


def _work_bytes(guesses: int, secrets: int, code: int, labels: int) -> int:
    """About what one thread writes to in the end (see `arrays.make_work`); code: bytes of a code."""
    return guesses + secrets * (2 * code + (2 if labels <= 256 else 8) + 8) + 90 * labels


def _threads_for(board: arrays.Board) -> int:
    """How many threads have room beside the board; at least one has."""
    core, grouped = board.core, board.grouped
    n, code = core.secrets.shape[1], core.secrets.itemsize * core.pegs
    held = sum(array.nbytes for array in (*core, *grouped) if isinstance(array, np.ndarray)) + n * 40
    return max(1, int(MOST_BYTES - held) // _work_bytes(core.guesses.shape[1], n, code, core.labels))


def _half(planes: Any, symbols: int) -> tuple[Any, Any]:
    """(codes over some pegs, each once and one a row; which of them each column is)."""
    _, first, places = np.unique(_numbers(planes, symbols), return_index=True, return_inverse=True)
    return np.ascontiguousarray(planes[:, first].T), places.ravel()


def _numbers(planes: Any, symbols: int) -> Any:
    """Read each column as a number in base `symbols`; columns that would not fit 63 bits are numbered."""
    if symbols ** len(planes) >= 1 << 62:
        return np.unique(planes, axis=1, return_inverse=True)[1].ravel()
    numbers = np.zeros(planes.shape[1], np.int64)
    for row in planes:
        numbers = numbers * symbols + row
    return numbers


class _Groups(NamedTuple):
    order: Any
    starts: Any
    group_of: Any
    colors: Any


def _groups(planes: Any, symbols: int, *, counted: bool) -> _Groups:
    """Put the guesses with the same pegs of each color together, if feedback tells of that; see `arrays.Board`."""
    n = planes.shape[1]
    numbers = _numbers(np.sort(planes, axis=0), symbols) if counted else np.zeros(n, np.int64)
    _, group_of, sizes = np.unique(numbers, return_inverse=True, return_counts=True)
    order = np.argsort(group_of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)])
    colors = np.ascontiguousarray(np.sort(planes[:, order[starts[:-1]]], axis=0).T)
    return _Groups(order.astype(np.int32), starts.astype(np.int32), group_of.astype(np.int32), colors)


def _masks(colors: Any, symbols: int) -> Any:
    """Give each row of colors as a bit for each that occurs; nothing where there are more than 64."""
    if symbols > 64:
        return np.zeros(0, np.uint64)
    return np.bitwise_or.reduce(np.uint64(1) << colors.astype(np.uint64), axis=1)


class _Told(NamedTuple):
    """What a kind of feedback tells."""

    counted: bool
    """Whether its labels are pegs * black + a sum over the colors."""

    blacks: bool

    def possible(self, pegs: int, labels: int) -> Any:
        """List the labels that can occur."""
        if not self.counted:
            return np.arange(labels, dtype=np.int32)
        return np.array([pegs * b + v for b in range(pegs + 1) for v in range(b, pegs + 1)], np.int32)


KINDS = {
    "standard": _Told(counted=True, blacks=True),
    "membership": _Told(counted=True, blacks=True),
    "black": _Told(counted=False, blacks=True),
    "positional": _Told(counted=False, blacks=False),
}


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
) -> arrays.Rule:
    """Put criteria and tie rule together as the kernels take them."""
    ordered = shortcut and not shuffle and first.family != arrays.WEIGHTED
    other = second or first
    return arrays.Rule(
        family=first.family,
        table=first.table,
        klass=first.klass,
        slopes=first.slopes,
        then=second.family if second else -1,
        then_table=other.table,
        then_klass=other.klass,
        member=member,
        shuffle=shuffle,
        scope=scope,
        probes=probes,
        split=ordered and member,
        symmetry=symmetry,
    )


_functions = Switch("entropeg.kernels.onestep", "entropeg.kernels.plain_onestep")

MOST_SORTED = 1 << 18
"""Guesses that NumPy sorts out by symmetry, to learn how many would have to be scored: some hundredths of a second."""

SHARED = 1 << 25
"""Pairs of a candidate and a guess from which one choice is worth the start of a thread a core."""


def best_guess(
    board: arrays.Board, rule: arrays.Rule, node: Any, history: Sequence[int], labels: Sequence[int], seed: int = 0
) -> int:
    """Return the index of the guess that the rule chooses for the candidates `node` (int32, ascending).

    history: indexes of the guesses played; labels: of their feedbacks. Large choices are shared among the cores.
    Raises TooLargeError beyond `MOST_PAIRS` where guesses that are alike are not left out.
    """
    _check_pairs(board, rule, len(node), len(history))
    key = seed
    for guess, label in zip(history, labels, strict=True):
        key = arrays.next_key(key, guess, label)
    past = np.array(history, np.int32)
    chosen = _chosen_plainly(board.core, rule, node, past, key)
    if chosen >= 0:
        return chosen
    kernel = _functions.compiled
    small = len(node) * board.core.guesses.shape[1] < SHARED
    shares = 1 if small else min(usable_processors(), _threads_for(board))

    def judge(share: int) -> arrays.Work:
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
    return int(min(works, key=lambda work: _rank(rule, work)).score.best[4])


def _chosen_plainly(core: arrays.Core, rule: arrays.Rule, node: Any, past: Any, key: int) -> int:
    """Return the guess that NumPy chooses, -1 where that is left to the kernels."""
    number = core.guesses.shape[1]
    if not _functions.is_plain(0) or (number > MOST_SORTED and not _functions.is_plain(number * len(node))):
        return -1
    plain = _functions.plain
    settled = int(plain.settled_guess(core, rule, node))
    if settled >= 0:
        return settled
    pool = plain.guesses_to_judge(core, rule, node, past, key)
    if not _functions.is_plain(len(pool) * len(node)):
        return -1
    return int(plain.best_of(core, rule, node, pool, key))


def growing_functions(board: arrays.Board) -> Any:
    """Return what grows trees on a board: the module of kernels, or its twin where the board is small."""
    core = board.core
    # Every secret is scored with about all guesses, and there are about as many nodes.
    return _functions(core.secrets.shape[1] * (core.guesses.shape[1] + CALL))


def _check_pairs(board: arrays.Board, rule: arrays.Rule, size: int, turns: int) -> None:
    """Refuse a choice among guesses that are alike, one by one, where there are too many of them.

    A pair of codes with a mark a peg costs as much as pegs * pegs others, and there the guesses that are alike are
    left out before the first turn only.
    """
    core = board.core
    marks = core.kind == FeedbackKind.positional
    if rule.symmetry and core.closed and not rule.shuffle and rule.scope != 2 and not (marks and turns):
        return
    every = core.guesses.shape[1]
    listed = every if rule.scope == 0 else min(every, size + rule.probes)
    pairs = listed * size * (core.pegs**2 if marks else 1)
    if pairs >= MOST_PAIRS:
        raise TooLargeError(
            f"to weigh {listed:,} guesses one by one against the {size:,} codes left takes {pairs:,} comparisons, and "
            f"fewer than {MOST_PAIRS:,} are made; {OTHERS}"
            + (
                ", and ties=candidate,guesses=all leaves out guesses that are alike"
                if core.closed and not marks
                else ""
            )
        )


def _rank(rule: arrays.Rule, work: arrays.Work) -> tuple[Any, ...]:
    """What the choice is ordered by, as the kernel orders it."""
    cost, second, other, order, _ = work.score.best.tolist()
    first_sizes = work.score.sorts[0].tolist() if rule.family == arrays.SORTED else []
    second_sizes = work.score.sorts[1].tolist() if rule.then == arrays.SORTED else []
    return cost, first_sizes, second, second_sizes, other, order


_idle: list[tuple[arrays.Board, arrays.Work]] = []


def _borrow(board: arrays.Board) -> arrays.Work:
    """Take working memory for the board that no other thread uses."""
    try:
        owner, work = _idle.pop()
    except IndexError:
        return arrays.make_work(board)
    return work if owner is board else arrays.make_work(board)


def _give_back(board: arrays.Board, work: arrays.Work) -> None:
    """Keep working memory for the next choice on the same board, a few pieces at most."""
    if len(_idle) < 2 * usable_processors():
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
    board: arrays.Board,
    rules: Callable[[int], arrays.Rule],
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
    return _Grower(board, rules, opening, threads or usable_processors(), done).run(key)


class _Grower:
    """One tree in the making: tasks are nodes whose subtree is still to grow, the largest first."""

    def __init__(self, board: arrays.Board, rules: Any, opening: int, threads: int, done: Any) -> None:
        self.board, self.rules, self.opening, self.done = board, rules, opening, done
        self.count = board.core.secrets.shape[1]
        self.cut = self.count if self.count <= SINGLE else max(256, min(self.count // 64, LARGEST_TASK))
        self.threads = 1 if self.count <= SINGLE else threads
        self.turns = getattr(rules, "turns", 1)
        self.functions = growing_functions(board)
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
        with held() as check, ThreadPoolExecutor(self.threads) as pool:
            running: set[Any] = set()
            while waiting or running:
                check()
                waiting.sort(key=lambda task: len(task.node))
                while waiting and len(running) < self.threads:
                    running.add(pool.submit(self.work, waiting.pop()))
                finished, running = wait(running, LISTEN_EVERY, return_when=FIRST_COMPLETED)
                for future in finished:
                    waiting += self.finish(*future.result())

    def work(self, task: _Task) -> tuple[_Task, Any]:
        memory = _borrow(self.board)
        turn = len(task.history)
        limit = 0 if turn + 1 < self.turns else self.cut
        opening = self.opening if turn == 0 else -1
        columns = self.functions.grow(
            self.board, self.rules(turn), task.node, task.history, task.key, memory, opening, limit
        )
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
            key = arrays.next_key(key, *step)
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
