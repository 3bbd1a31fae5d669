"""`optimal`: the least total number of guesses of a board or position, proven or bounded, with a strategy."""

from __future__ import annotations

import gc
import math
import time as clock
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import CodeSet, guesses, secrets
from entropeg.codes import weights as prior_weights
from entropeg.errors import InputError, TooLargeError
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.rules import Rules
from entropeg.search.exact.at_worst import with_fewest_at_worst
from entropeg.search.exact.plain_exact import is_searched_plainly, plain_optimum
from entropeg.search.exact.pool import Pool
from entropeg.search.preparing import check_numbers, layout_options, rows_of
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.results import Optimum, Value
from entropeg.search.tree import Node
from entropeg.signals import held

if TYPE_CHECKING:
    from entropeg.search.exact.board import Layout
    from entropeg.search.exact.proof import Progress, Proof
    from entropeg.search.exact.weighted import WeightedProof
    from entropeg.search.exact.weighted_board import Weights

MEGABYTE = 1_000_000
"""Bytes of what ``memory`` is counted in, at the prompt too."""
TABLE_BYTES = 1 << 26
"""Size of the table of sets; long proofs take eight times as much. With memory given, from a sixteenth to eightfold."""
HURRIED = 0.3
"""Share of the time that goes to a search for a good strategy where the time is too short for the proof."""
CERTAIN = 4
"""A proof is begun where the time is this many times what it is expected to take; else it is a search without proof."""
BEGUN_WITH = (100.0, 0.05, 60.0)
"""Proofs expected to take so many seconds begin with a search for a good strategy; the share of them that it takes,
and at most how many seconds.

The first bound spares one thread nothing where the best opening comes first, as it does on 4x6 to 4x9, 5x5 and 5x6, and
two threads 8 % of 4x9; what it is for is that a long proof has a good strategy to give at any time.
"""
LONG = 3600.0
"""Proofs that take longer, in seconds, are not expected to be made in several calls."""


def optimal(  # noqa: PLR0913 - each is an option of the command as well
    board: Position | Rules | str,
    *,
    worst: bool = False,
    limit: int | None = None,
    fewest_at_worst: bool = False,
    consistent_only: bool = False,
    time: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    weights: Weights | None = None,
    proof: str | Path | None = None,
    pool: str | Path | None = None,
) -> Optimum:
    """Find a strategy of least total number of guesses over all codes still possible, and prove it.

    ``worst`` asks for the least worst case first, the least total under it second; ``limit`` for the least total of the
    strategies that never need more guesses (a number that the rules allow is not heeded); ``fewest_at_worst`` for the
    least worst case of that total, and under it the fewest secrets that take so many guesses, on boards about as large
    as 4x6; ``consistent_only`` for strategies that guess only codes still possible. After ``time`` seconds, or Ctrl-C,
    the best strategy and bounds so far are returned. ``weights`` (an array in the order of `secrets`, or a mapping from
    codes) asks for the least expected number of guesses where secrets are drawn with these weights, as with a prior of
    the rules; codes of weight 0 are left out. Exact for whole weights, which may sum up to 2^50, right to rounding for
    others; worth trying to about 5,000 codes, bounds beyond what time allows. ``memory`` bounds the labels and the
    table, in megabytes; ``threads`` is their number, by default one for each processor that the process may use;
    ``proof`` names a file for the proof of the lower bound, which `search.exact.verifier` checks; ``checkpoint`` a file
    from which a long proof resumes; ``pool`` a folder: all processes, on any machines, that are given the same one
    share the proof, and later calls go on from it.
    ``progress`` is called a few times a second.
    Exact; time grows steeply with the board.

    Raises InputError for feedback other than standard and black, where no code fits a position, and for numbers that
    make no sense; TooLargeError where the labels of the board take more than ``memory``.

    >>> found = optimal("3x4")
    >>> found
    <Optimum of 3x4: total = 206 guesses over 64 codes, worst 4>
    >>> found.tree
    <StrategyTree of 3x4 from AAB: 65 nodes>
    """
    began = clock.perf_counter()
    position = Position.of(board)
    check_numbers(limit, threads, time, memory)
    asked = _Asked(
        position=position,
        limit=arguments.some(limit, "the limit"),
        worst=arguments.flag(worst, "worst"),
        consistent_only=arguments.flag(consistent_only, "consistent_only"),
        time=time,
        room=None if memory is None else int(memory * MEGABYTE),
        threads=arguments.some(threads, "the number of threads") or usable_processors(),
        progress=arguments.call(progress, "progress"),
        checkpoint=None if checkpoint is None else arguments.file(checkpoint, "the checkpoint"),
        pool=None if pool is None else arguments.file(pool, "the pool"),
        proof=None if proof is None else arguments.file(proof, "the proof"),
        weights=weights,
        began=began,
    )
    _check_pool(asked)
    if arguments.flag(fewest_at_worst, "fewest_at_worst"):
        _check_fewest_at_worst(asked)
        return with_fewest_at_worst(position, worst=asked.worst, limit=asked.limit, seconds=time)
    if asked.is_alone and _is_small(position.rules, is_limited=asked.worst or limit is not None):
        return plain_optimum(position, worst=asked.worst, limit=asked.limit, seconds=time)
    check_compiler()
    if asked.pool is None:
        return _searched(asked, None)
    Reach.of(position.rules, asked.threads).check(asked.room or MATRIX_BYTES)  # before the folder is made
    with Pool(asked.pool, asked.name) as joined:
        return _searched(asked, joined)


@dataclass(frozen=True)
class _Asked:
    """What `optimal` was asked for, each value of its kind; `room` in bytes, `began` by `time.perf_counter`."""

    position: Position
    limit: int | None
    worst: bool
    consistent_only: bool
    time: float | None
    room: int | None
    threads: int
    progress: Callable[[Progress], None] | None
    checkpoint: Path | None
    pool: Path | None
    proof: Path | None
    weights: Weights | None
    began: float

    @property
    def rules(self) -> Rules:
        return self.position.rules

    @property
    def name(self) -> str:
        """What is searched, in the words of messages: a checkpoint or pool is that of one such search."""
        after = f" after {self.position}" if self.position.turns else ""
        return f"{self.rules}{after}{' by possible codes alone' if self.consistent_only else ''}"

    @property
    def is_plain(self) -> bool:
        """Whether the least total over codes that are equally likely is asked for, of all strategies."""
        is_weighted = self.weights is not None or self.rules.prior is not None
        return not (self.worst or self.limit is not None or self.consistent_only or is_weighted)

    @property
    def is_alone(self) -> bool:
        """Whether nothing is asked for that the search on NumPy does not know."""
        files = (self.checkpoint, self.pool, self.proof)
        return all(file is None for file in files) and self.weights is None and not self.consistent_only

    @property
    def deadline(self) -> float | None:
        return None if self.time is None else self.began + self.time


def _searched(asked: _Asked, pool: Pool | None) -> Optimum:
    is_whole = asked.is_plain and asked.proof is None and not asked.position.turns
    begun_with = _without_proof(asked, pool) if is_whole else None
    if isinstance(begun_with, Optimum):
        return begun_with
    rules = asked.rules
    try:
        layout = _layout(rules.with_limit(None), asked.room or MATRIX_BYTES, consistent_only=asked.consistent_only)
    except KeyboardInterrupt:
        if begun_with is None:
            raise
        return _of_strategy(rules, begun_with, asked.began)
    if asked.weights is not None or rules.prior is not None:
        return _weighted(asked, layout)
    return _proved(asked, layout, begun_with, pool)


def _proved(asked: _Asked, layout: Layout, begun_with: Node | None, pool: Pool | None) -> Optimum:
    from entropeg.search.exact.proof import Proof

    rules, position = asked.rules, asked.position
    start = _start(layout, position)
    history = [int(layout.number_guess(turn.guess)) for turn in position.turns]

    def prove(at_most: int | None) -> Proof:
        made = Proof(
            layout,
            start,
            limit=at_most,
            history=history,
            threads=asked.threads,
            deadline=asked.deadline,
            memory=_table_bytes(layout, asked.room, Reach.of(rules, asked.threads).seconds),
            progress=asked.progress,
            checkpoint=asked.checkpoint,
            name=asked.name,
            begun_with=begun_with,
            pool=pool,
        )
        made.run()
        return made

    _check_certificate(asked.proof, position, plain=asked.is_plain)
    if asked.worst:
        return _least_worst(position, layout, start, prove, asked.limit, asked.began)
    made = prove(asked.limit)
    _write(rules, made, asked.proof)
    return _result(position, made, None, asked.began)


def _check_fewest_at_worst(asked: _Asked) -> None:
    if not asked.is_alone or asked.rules.prior is not None:
        raise InputError(
            "the fewest secrets at the worst case are found with worst, limit and time only, "
            "not with weights, a prior, files or possible codes alone"
        )
    layout_options(asked.rules)


def _is_small(rules: Rules, *, is_limited: bool) -> bool:
    """Whether the search is for NumPy; raises InputError for rules that no exact search knows."""
    if rules.prior is not None:
        return False
    layout_options(rules)
    return is_searched_plainly(rules, is_limited=is_limited)


def _write(rules: Rules, proof: Proof, certificate: str | Path | None) -> None:
    from entropeg.search.exact.certificate import write_proof

    try:
        write_proof(rules, proof, certificate)
    except KeyboardInterrupt:  # the value and the strategy are there all the same
        proof.cancel()


def _of_strategy(rules: Rules, tree: Node, began: float) -> Optimum:
    """What there is to say when Ctrl-C comes after a strategy was found and before the proof begins."""
    from entropeg.search.exact.engine import size_bound

    labels = rules.label_count - 1
    value = Value(size_bound(rules.secret_count, labels, labels), tree.total)
    seconds = clock.perf_counter() - began
    return Optimum(
        rules, rules.secret_count, value, tree, None, is_impossible=False, seconds=seconds, nodes=0, is_interrupted=True
    )


def _least_worst(
    position: Position,
    layout: Layout,
    start: NDArray[np.int32],
    prove: Callable[[int | None], Proof],
    limit: int | None,
    began: float,
) -> Optimum:
    d = int(np.argmax(layout.arrays["capacity"] >= len(start)))  # fewer guesses do not settle so many codes
    d = d if limit is None else min(d, limit)
    while True:
        proof = prove(d)
        if not proof.infeasible or (limit is not None and d >= limit):
            break
        d += 1
    exact = proof.finished and not proof.infeasible
    return _result(position, proof, d if exact else None, began, least_worst=d)


def _without_proof(asked: _Asked, pool: Pool | None) -> Node | Optimum | None:
    """What there is to say without a proof, if none is tried or Ctrl-C came; else the strategy that it begins with."""
    from entropeg.search.beam.optimum import near_optimal
    from entropeg.search.exact.checkpoint import strategy_of
    from entropeg.search.exact.desk import UNLIMITED

    rules, time, checkpoint = asked.rules, asked.time, asked.checkpoint
    if time is not None and pool is None and is_beyond_proof(rules, time, checkpoint, asked.threads):
        return near_optimal(rules, time, threads=asked.threads, progress=asked.progress, checkpoint=checkpoint)
    reach = Reach.of(rules, asked.threads)
    reach.check(asked.room or MATRIX_BYTES)
    kept = None if checkpoint is None else strategy_of(checkpoint, asked.name)
    if kept is not None and kept.secrets != rules.secret_count:
        raise InputError(f"{checkpoint} is damaged: its strategy finds {kept.secrets} of {rules.secret_count} codes")
    least, share, most = BEGUN_WITH
    is_hurried = time is not None and reach.seconds * CERTAIN > time
    if kept is not None or not (reach.seconds >= least or is_hurried) or not _is_searched_without_proof(rules):
        return kept
    seconds = min(time * HURRIED if is_hurried and time is not None else share * reach.seconds, most)
    if pool is not None and (made := pool.await_strategy(UNLIMITED, most if time is None else time)) is not None:
        return made
    found = near_optimal(rules, seconds, threads=asked.threads, progress=asked.progress)
    gc.collect()  # its labels hang in a cycle, and would stay beside those of the proof
    if pool is not None and found.root is not None:
        pool.offer(UNLIMITED, found.root)
    return found if found.is_interrupted else found.root


def is_beyond_proof(rules: Rules, time: float, checkpoint: str | Path | None = None, threads: int = 1) -> bool:
    """Whether a whole board is searched for a good strategy only, as a proof would hardly end in ``time`` seconds.

    With a checkpoint a proof may take several calls: then only if it would take longer than LONG, or if the file is one
    of that search.
    """
    from entropeg.search.exact.checkpoint import is_archive, is_checkpoint
    from entropeg.search.exact.desk import SMALL

    reach = Reach.of(rules, threads)
    if not reach.can_be_raised or rules.secret_count <= SMALL or reach.seconds * CERTAIN <= time:
        return False
    if not _is_searched_without_proof(rules):
        return False
    if checkpoint is None:
        return True
    begun = Path(checkpoint)
    if begun.exists():
        return is_archive(begun) and not is_checkpoint(begun)
    return reach.seconds > LONG


def _check_pool(asked: _Asked) -> None:
    if asked.pool is None:
        return
    if asked.checkpoint is not None:
        raise InputError("a pool keeps what was found out: leave the checkpoint out")
    if asked.proof is not None:
        raise InputError("a proof is written by the process that searches: leave the pool out")
    if asked.weights is not None or asked.rules.prior is not None:
        raise InputError("with weights, or a prior, one process searches: leave the pool out")


def _table_bytes(layout: Layout, memory: int | None, seconds: float) -> int:
    """What the table may take: where memory was given, what the labels leave of it, as far as that is of use.

    5x7 takes 1,040 processor seconds with the usual table and 800 with the larger one.
    """
    if memory is None:
        return TABLE_BYTES * (8 if seconds >= BEGUN_WITH[0] else 1)
    by_guess, scan = layout.arrays["by_guess"], layout.arrays["scan"]
    labels = by_guess.nbytes + (0 if np.may_share_memory(by_guess, scan) else scan.nbytes)
    return min(max(memory - labels, TABLE_BYTES // 16), TABLE_BYTES * 8)


def _is_searched_without_proof(rules: Rules) -> bool:
    from entropeg.search.beam.optimum import check_size

    try:
        check_size(rules)
    except TooLargeError:
        return False
    return True


def _check_certificate(proof: str | Path | None, position: Position, *, plain: bool) -> None:
    from entropeg.search.exact.certificate import check_provable

    if proof is not None:
        check_provable(position.rules)
        if not plain or position.turns:
            raise InputError(
                "a proof is written for the least total of a whole board, without a limit or other options"
            )


def _result(
    position: Position, proof: Proof, worst: int | None, began: float, least_worst: int | None = None
) -> Optimum:
    with held(proof.cancel):
        return _unfolded(position, proof, worst, began, least_worst)


def _unfolded(position: Position, proof: Proof, worst: int | None, began: float, least_worst: int | None) -> Optimum:
    tree = None if proof.infeasible else _best_tree(proof)
    if least_worst is not None and tree is None and not proof.infeasible:
        tree = proof.any_strategy()  # it bounds the worst case from above, not the least total under it
    total = None if tree is None else tree.total
    lower = math.inf if proof.infeasible else proof.lower
    if proof.finished and total is not None and total != lower:
        raise _contradicted(proof, total, lower)
    worst_value = None
    if least_worst is not None:
        worst_value = Value(least_worst, worst if worst is not None else (None if tree is None else tree.worst))
    return Optimum(
        rules=position.rules,
        size=len(proof.start),
        value=Value(lower, total),
        root=tree,
        worst_value=worst_value,
        is_impossible=proof.infeasible,
        seconds=clock.perf_counter() - began,
        nodes=proof.nodes,
        is_interrupted=proof.cancelled,
        position=position,
    )


def _contradicted(proof: Proof | WeightedProof, made: float, proven: float) -> Exception:
    """What is wrong where a strategy and a bound contradict each other: their file, or this program."""
    said = f"the strategy makes {made} where {proven} was proven"
    if proof.checkpoint is None:
        return AssertionError(said)
    return InputError(f"{proof.checkpoint} is damaged: {said}")


def _weighted(asked: _Asked, layout: Layout) -> Optimum:
    from entropeg.search.exact.weighted import WeightedProof
    from entropeg.search.exact.weighted_board import read_weights, shared_unit

    position, rules = asked.position, asked.rules
    start = _start(layout, position)
    weights = _of_prior(rules) if asked.weights is None else asked.weights
    if asked.worst or asked.limit is not None or asked.consistent_only or asked.proof is not None:
        raise InputError(
            "weights, or a prior, go with time, memory, threads, checkpoint and progress only, "
            "not with a limit, worst, a proof or other options"
        )
    given = read_weights(weights, rules)
    by_row = np.zeros(len(layout.secrets), given.dtype)
    by_row[layout.number_secrets(rows_of(secrets(rules)))] = given
    if not by_row[start].any():
        raise InputError("no code that is still possible has a weight")
    unit = 1
    if given.dtype == object:
        unit = shared_unit(by_row[start])
        by_row[np.setdiff1d(np.arange(len(by_row)), start)] = 0
        by_row //= unit
    proof = WeightedProof(
        layout,
        start,
        by_row.astype(np.float64),
        threads=asked.threads,
        deadline=asked.deadline,
        progress=asked.progress,
        at_start=not position.turns,
        memory=_table_bytes(layout, asked.room, LONG),
        expected=Reach.of(rules).seconds,
        checkpoint=asked.checkpoint,
        name=asked.name,
    )
    with held(proof.cancel):
        proof.run()
        found = _weighed(position, proof, by_row, unit, layout, asked.began)
        return replace(found, codes=_with_weight(position, weights))


def _weighed(
    position: Position, proof: WeightedProof, by_row: NDArray[Any], unit: int, layout: Layout, began: float
) -> Optimum:
    # `unit`: what 1 in `by_row` is worth. Whole weights are Python's ints all the way, and their sum is exact.
    tree = proof.strategy() if proof.opening >= 0 else proof.any_strategy()
    upper = _weigh(tree, by_row, layout)
    allowed = 0.0 if by_row.dtype == object else 1e-9 * upper
    if proof.finished and abs(upper - proof.lower) > allowed:
        raise _contradicted(proof, upper, proof.lower)
    lower = upper if proof.finished else min(proof.lower, upper)
    return Optimum(
        rules=position.rules,
        size=len(proof.start),
        value=Value(lower * unit, upper * unit),
        root=tree,
        worst_value=None,
        is_impossible=False,
        seconds=clock.perf_counter() - began,
        nodes=proof.nodes,
        is_interrupted=proof.cancelled,
        weight=by_row[proof.start].sum() * unit,
        position=position,
    )


def _with_weight(position: Position, weights: Weights) -> CodeSet | None:
    from entropeg.search.exact.weighted_board import read_weights

    # What a strategy finds: None where no possible code was left out for its weight of 0.
    candidates = position.candidates
    kept = read_weights(weights, position.rules)[candidates.ranks] > 0
    return None if kept.all() else candidates.take(np.flatnonzero(kept))


def _weigh(tree: Node, by_row: NDArray[Any], layout: Layout) -> float:
    shares, waiting = list[float](), [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if node.wins:
            shares.append(depth * by_row[layout.number_secrets(np.array([node.guess]))[0]])
        waiting.extend((child, depth + 1) for child in node.children.values())
    if by_row.dtype == object:
        return sum(shares)
    return math.fsum(shares)  # the same in any order, as branches are read from a checkpoint in another one


def _best_tree(proof: Proof) -> Node | None:
    tree = proof.strategy()
    if proof.finished:
        return tree
    other = proof.begun_with or proof.strategy(greedy=True)
    trees = [found for found in (tree, other) if found is not None]
    return min(trees, key=lambda found: found.total, default=None)


def _start(layout: Layout, position: Position) -> NDArray[np.int32]:
    position.check_consistent()
    codes = np.ascontiguousarray(position.candidates.planes.T)
    return np.sort(layout.number_secrets(codes)).astype(np.int32)


@lru_cache(maxsize=2)
def _of_prior(rules: Rules) -> NDArray[np.float64]:
    # A prior never excludes a code; a strategy that leaves codes out would not be one for these rules.
    given = prior_weights(rules)
    if not given.all():
        raise InputError(
            f"{int((given == 0).sum())} secrets of {rules} have weight 0, and no guess would be spent on them: "
            "give them a small weight, or call optimal with weights to leave them out"
        )
    return given


def _layout(rules: Rules, memory: int, *, consistent_only: bool) -> Layout:
    from entropeg.search.exact.board import Layout

    options = layout_options(rules)
    Reach.of(rules).check(memory)
    return Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **options, consistent=consistent_only)
