"""Chooses the search that finds the least total number of guesses of a board or position, and words its result."""

from __future__ import annotations

import gc
import math
import time as clock
from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.executors import Crew
from entropeg.feedback import label_of
from entropeg.kernels.switch import check_compiler
from entropeg.rules import Rules
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.at_worst import with_fewest_at_worst
from entropeg.search.proving.certificate import BoundClaim, check_provable, write_proof
from entropeg.search.proving.request import Request
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.search.results import SearchProgress, Solution, Value
from entropeg.search.small.boards import is_searched_plainly, plain_optimum
from entropeg.search.strategies import Node
from entropeg.search.weights import SecretWeights, Weights, whole_weights
from entropeg.signals import held
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.search.exact.layout import Layout
    from entropeg.search.proving.proof import Proof
    from entropeg.search.proving.shared.units import SharedBoard

TABLE_BYTES = 1 << 26
"""Size of the table of sets; long proofs take eight times as much. With memory given, from a sixteenth to eightfold,
or 64-fold for proofs of hours."""
CERTAIN = 4
"""A proof is begun where the time is this many times the expected one; else the search is one without proof."""
BEGUN_WITH = (100.0, 0.05, 60.0)
"""Seconds from which a proof begins with a search for a good strategy; the share of them that it takes, and at most
how many seconds.

The first bound spares one thread nothing where the best opening comes first, as it does on 4x6 to 4x9, 5x5 and 5x6, and
two threads 8 % of 4x9; it is there so that a long proof has a good strategy to give at any time.
"""
LONG, LONGEST = 3600.0, 86_400.0
"""Seconds from which a proof is long; and from which none is expected to be made, not even in several calls."""


class BegunWith(NamedTuple):
    """What a proof begins with: the best strategy known, and a lower bound."""

    tree: Node | None = None
    lower: int = 0


def solve(asked: Request, weights: Weights | None = None) -> Solution:
    """Find what `entropeg.optimal` is asked for; `weights` as there, beside a prior that the rules may have."""
    position = asked.position
    if position.rules.is_named:
        layout_options(position.rules)
    if weights is None and position.rules.prior is None:
        return _within_limits(asked)
    reach = Reach.of(position.rules)
    if not reach.can_be_raised and position.rules.is_named:
        reach.check(asked.memory or MATRIX_BYTES)  # a board of this size is not even listed
    weighing = SecretWeights.read(weights, position)
    return _weighed(asked, weighing) if weighing.shared is None else _equally_weighed(asked, weighing.shared)


def _weighed(asked: Request, weights: SecretWeights) -> Solution:
    found = _within_limits(replace(asked, weights=weights))
    return replace(found, codes=weights.likely)


def _equally_weighed(asked: Request, weight: float) -> Solution:
    """Find the least total where all codes weigh the same; it is told times the weight."""
    return _within_limits(replace(asked, progress=_told(asked.progress, weight))).times(weight)


def _within_limits(asked: Request) -> Solution:
    """Heed the limit of the rules beside that of the request: the smaller one counts."""
    left, limit = asked.rules_limit, asked.limit
    if left is None or (limit is not None and limit <= left):
        return _found(asked)
    if left == 0:
        return _lost(asked)
    heeded = replace(asked, limit=left)
    if limit is not None or asked.worst or asked.fewest_at_worst:
        return _found(heeded)
    # Most rules allow more guesses than the optimum takes, and without a limit it is found and proven sooner.
    found = replace(_found(asked), rules=asked.rules, limit=left)
    if found.worst is not None and found.worst <= left:
        return found
    if not found.is_exact:
        return replace(found, root=None, value=Value(found.value.lower, None))
    return _found(heeded)


def _lost(asked: Request) -> Solution:
    """What there is to say of a game that is lost already."""
    asked.position.check_consistent()
    size = len(asked.position.candidates)
    seconds = clock.perf_counter() - asked.began
    return Solution(
        asked.rules,
        size,
        Value(math.inf, None),
        None,
        None,
        is_impossible=True,
        seconds=seconds,
        nodes=0,
        position=asked.position,
        limit=0,
    )


def _found(asked: Request) -> Solution:
    asked.check()
    if asked.proof is not None:
        check_provable(asked.rules)
    position = asked.position
    is_one = position.rules.guess_count == 1 and asked.proof is None  # which leaves nothing to search
    if not asked.rules.is_named:
        asked.check_unnamed()
        how: dict[str, Any] = {"worst": asked.worst, "limit": asked.limit, "seconds": asked.time}
        found = plain_optimum(position, weights=asked.weights, progress=asked.progress, **how)
    elif asked.fewest_at_worst:
        found = with_fewest_at_worst(position, worst=asked.worst, limit=asked.limit, seconds=asked.time)
    elif is_one or (asked.is_alone and is_searched_plainly(position.rules, is_limited=asked.is_limited)):
        found = plain_optimum(position, worst=asked.worst, limit=asked.limit, seconds=asked.time)
    else:
        check_compiler()
        found = _compiled(asked)
    return replace(found, limit=asked.limit)


def _compiled(asked: Request) -> Solution:
    if asked.weights is not None:
        return _weighed_board(asked, asked.weights)
    is_whole = asked.is_plain and asked.proof is None and not asked.position.turns
    if is_whole and _is_raised(asked):
        # The labels that a search for a good strategy takes unless told otherwise, and the table.
        asked = replace(asked, memory=asked.memory or _labels_held() + 8 * TABLE_BYTES)
    begun_with = _without_proof(asked) if is_whole else BegunWith()
    if isinstance(begun_with, Solution):
        return begun_with
    try:
        layout = _layout(asked)
    except KeyboardInterrupt:
        if begun_with.tree is None:
            raise
        return _of_strategy(asked, begun_with.tree, begun_with.lower)
    except TooLargeError:
        if asked.time is None or not _is_for_openings(asked):
            raise
        from entropeg.search.proving.by_openings import by_openings

        return by_openings(asked)
    memory = _table_bytes(layout, asked.memory, Reach.of(asked.rules, asked.searchers).seconds)
    start = layout.number_secrets(rows_of(asked.position.candidates))
    return _proved(asked, layout, layout.in_order(start), memory, asked.name, begun_with)


def _is_for_openings(asked: Request) -> bool:
    """Whether guesses have too many answers for the exact search, and no more than a good strategy is asked for."""
    is_plain = asked.is_plain and asked.proof is None and asked.checkpoint is None
    is_by_word = asked.rules.words is not None and not asked.rules.hard
    return is_plain and is_by_word and Reach.of(asked.rules).cells <= (asked.memory or MATRIX_BYTES)


def _weighed_board(asked: Request, weights: SecretWeights) -> Solution:
    """Search the same board under weights."""
    from entropeg.search.exact.exchanges import kinds_of

    layout = _layout(asked)
    start = layout.number_secrets(rows_of(weights.candidates))
    each, every = np.zeros(len(layout.secrets)), np.zeros(len(layout.secrets), weights.every.dtype)
    each[start] = weights.in_units
    every[layout.number_secrets(rows_of(secrets(asked.rules)))] = weights.every
    whole, unit = whole_weights(each)
    start = start[whole[start] > 0]
    most_codes = 20_000  # for more, a single look at all guesses would take seconds
    if len(start) > most_codes:
        raise TooLargeError(
            "there are {codes:,} codes with a weight; the search takes {most:,} at most", len(start), most_codes
        )
    kinds = kinds_of(layout, every)
    memory = _table_bytes(layout, asked.memory, LONG)
    if not _is_long(asked.rules, len(layout.guesses), kinds):
        memory = min(memory, TABLE_BYTES)
    board = layout.weighted(whole, *kinds)
    name = f"{asked.name} under weights {sha256(whole.tobytes()).hexdigest()[:16]}"
    return _proved(asked, board, board.in_order(start), memory, name, BegunWith(), unit * weights.unit)


def _is_long(rules: Rules, guesses: int, kinds: Iterable[NDArray[np.int64]]) -> bool:
    """Whether a proof under weights is guessed to take so long that a large table is of use."""
    alike = math.prod(math.factorial(int(count)) for kind in kinds for count in np.bincount(kind))
    # With k openings a proof under weights takes about 0.1 k**1.4 times as long as one without; within a factor of 2
    # on 4x5 and 4x6 with random weights, while 4x8 and 4x9 with prior=distinct take three to four times as long.
    # Shorter proofs take the usual table: with eight times as large a one 4x6 with random weights takes as long, for
    # 5 % fewer guesses tried, 4x9/prior=distinct 15.9 processor seconds instead of 14.8, for as many.
    factor, power = (0.1, 1.4)
    return factor * Reach.of(rules).seconds * float(max(1.0, guesses / alike) ** power) >= BEGUN_WITH[0]


def _of_strategy(asked: Request, tree: Node, lower: int) -> Solution:
    """What there is to say when Ctrl-C comes after a strategy was found and before the proof begins."""
    from entropeg.search.exact.engine import size_bound

    rules, labels = asked.rules, asked.rules.label_count - 1
    lower = max(lower, size_bound(rules.secret_count, labels, labels))
    seconds = clock.perf_counter() - asked.began
    value = Value(lower, tree.total)
    return Solution(
        rules, rules.secret_count, value, tree, None, is_impossible=False, seconds=seconds, nodes=0, is_interrupted=True
    )


def _proved(
    asked: Request,
    layout: Layout,
    start: NDArray[np.int32],
    memory: int,
    name: str,
    begun_with: BegunWith,
    unit: float = 1,
) -> Solution:
    """Search a board; `unit`: what 1 of its weights stands for."""
    from entropeg.search.proving.proof import Proof

    history = layout.number_turns((turn.guess, label_of(turn.feedback, asked.rules)) for turn in asked.position.turns)

    def prove(at_most: int | None) -> Proof:
        made = Proof(
            layout,
            start,
            limit=at_most,
            history=history,
            threads=asked.threads,
            deadline=asked.deadline,
            memory=memory,
            progress=asked.progress if unit == 1 else _told(asked.progress, unit),
            checkpoint=asked.checkpoint,
            name=name,
            begun_with=begun_with.tree,
            lower=begun_with.lower,
            crew=_crew_for(asked, layout, start, history, memory),
        )
        made.run()
        return made

    if asked.worst:
        return _least_worst(asked, int(np.argmax(layout.arrays["capacity"] >= len(start))), prove, unit)
    made = prove(asked.limit)
    return _written(asked, _whole(_result(asked, made, unit), made), made, [_claim(asked.limit, made)])


def _whole(found: Solution, proof: Proof) -> Solution:
    """The solution; raises WorkersError with it where the workers were gone before the end."""
    if proof.trouble is not None:
        proof.trouble.made = found
        raise proof.trouble
    return found


def _crew_for(
    asked: Request, layout: Layout, start: NDArray[np.int32], history: Iterable[tuple[int, int]], memory: int
) -> tuple[Crew, SharedBoard] | None:
    """The workers for a proof that takes long enough for them, and the board as they need it."""
    from entropeg.search.proving.shared.units import SharedBoard

    crew = asked.crew
    if crew is None or (not crew.started and Reach.of(asked.rules).seconds < crew.worth):
        return None
    is_whole = len(start) == len(layout.secrets) and not layout.is_weighted
    rules, some = asked.rules.with_limit(None), None if is_whole else start
    return crew, SharedBoard(rules, asked.consistent_only, layout.weighing, some, tuple(history), memory, asked.seed)


def _told(progress: Callable[[SearchProgress], None] | None, unit: float) -> Callable[[SearchProgress], None] | None:
    """What takes progress in other units."""
    return None if progress is None else lambda step: progress(step.times(unit))


def _least_worst(asked: Request, least: int, prove: Callable[[int | None], Proof], unit: float) -> Solution:
    """Prove with more guesses allowed each time; `least`: with fewer not every code can be found."""
    limit = asked.limit
    d = least if limit is None else min(least, limit)
    while True:
        proof = prove(d)
        if not proof.infeasible or (limit is not None and d >= limit):
            found = _whole(_result(asked, proof, unit, d), proof)
            fewer = [] if proof.infeasible else [(d - 1, None)]
            return _written(asked, found, proof, [*fewer, _claim(d, proof)])
        d += 1


def _claim(limit: int | None, proof: Proof) -> BoundClaim:
    return limit, None if proof.infeasible else proof.lower


def _written(asked: Request, found: Solution, proof: Proof, claims: list[BoundClaim]) -> Solution:
    """Write the lower bounds down, where that is asked for."""
    if asked.proof is None or not found.is_exact:
        return found
    left = asked.rules_limit
    if asked.limit is None and left is not None and found.worst is not None and found.worst > left:
        return found  # it is sought again within the limit of the rules
    weights = None
    if asked.weights is not None:
        weights = proof.layout.arrays["weight"][proof.layout.number_secrets(rows_of(secrets(asked.rules)))]
    stand = SearchProgress(None, 0, found.value.lower, found.value.upper, found.nodes, found.seconds)

    def tell(lemmas: int) -> None:
        seconds = clock.perf_counter() - asked.began
        if proof.cancelled:
            raise KeyboardInterrupt
        if asked.progress is not None:
            asked.progress(replace(stand, lemmas=lemmas, seconds=seconds))
        if asked.time is not None and seconds > asked.time:
            raise TimeoutError

    is_certified, ask = False, proof.value_of
    try:
        with held(proof.cancel):
            write_proof(asked.rules, claims, ask, asked.proof, weights, consistent=asked.consistent_only, tell=tell)
        is_certified = True
    except TimeoutError:  # the value and the strategy are there all the same
        pass
    except KeyboardInterrupt:
        proof.cancel()
    seconds, is_certified = clock.perf_counter() - asked.began, is_certified and not proof.cancelled
    return replace(found, seconds=seconds, is_interrupted=proof.cancelled, is_certified=is_certified)


def _without_proof(asked: Request) -> BegunWith | Solution:
    """What there is to say without a proof, if none is tried or Ctrl-C came; else what it begins with."""
    from entropeg.search.beam.optimum import near_optimal
    from entropeg.search.proving.checkpoint import strategy_of

    rules, time, checkpoint = asked.rules, asked.time, asked.checkpoint
    if time is not None and is_beyond_proof(rules, time, checkpoint, asked.searchers) and not _is_raised(asked):
        return near_optimal(
            rules, time, threads=asked.threads, progress=asked.progress, checkpoint=checkpoint, crew=asked.crew
        )
    reach = Reach.of(rules, asked.searchers)
    reach.check(asked.memory or MATRIX_BYTES)
    kept = None if checkpoint is None else strategy_of(checkpoint, asked.name)
    if kept is not None and kept.secrets != rules.secret_count:
        raise InputError(
            "{file} is damaged: its strategy finds {found} of {codes} codes",
            checkpoint,
            kept.secrets,
            rules.secret_count,
        )
    least, share, most = BEGUN_WITH
    is_hurried = time is not None and reach.seconds * CERTAIN > time
    if kept is not None or not (reach.seconds >= least or is_hurried) or not _is_searched_without_proof(rules):
        return BegunWith(kept)
    # Where the time is too short for the proof, 30 % of it goes to a search for a good strategy.
    seconds = min(time * 0.3 if is_hurried and time is not None else share * reach.seconds, most)
    found = near_optimal(rules, seconds, threads=asked.threads, progress=asked.progress, crew=asked.crew)
    gc.collect()  # its labels hang in a cycle, and would stay beside those of the proof
    return found if found.is_interrupted else BegunWith(found.root, int(found.value.lower))


def _is_raised(asked: Request) -> bool:
    """Whether the bounds of a proof that would hardly end are raised as far as the time allows.

    Workers find good strategies only, and so does a search that began as one, or for whose labels there is no room.
    """
    rules, time, checkpoint = asked.rules, asked.time, asked.checkpoint
    if time is None or asked.crew is not None or not is_beyond_proof(rules, time, threads=asked.threads):
        return False
    if checkpoint is not None and is_beyond_proof(rules, time, checkpoint, asked.threads):
        return False
    return Reach.of(rules).cells <= (asked.memory or _labels_held())


def _labels_held() -> int:
    from entropeg.search.beam.board import MOST_LABELS_HELD

    return MOST_LABELS_HELD


def is_beyond_proof(rules: Rules, time: float, checkpoint: str | Path | None = None, threads: int = 1) -> bool:
    """Whether a whole board is searched for a good strategy only, as a proof would hardly end in ``time`` seconds.

    With a checkpoint a proof may take several calls: then only if it would take longer than LONGEST, or if the file is
    one of that search.
    """
    from entropeg.search.exact.fields import SMALL
    from entropeg.search.proving.checkpoint import is_archive, is_checkpoint

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
    return reach.seconds > LONGEST


def _table_bytes(layout: Layout, memory: int | None, seconds: float) -> int:
    """Bytes for the table: where memory was given, as much as the labels leave of it, as far as that is of use.

    5x7 takes 1,040 processor seconds with the usual table and 800 with the larger one. Proofs of hours take 4 GB.
    """
    if memory is None:
        return TABLE_BYTES * (8 if seconds >= BEGUN_WITH[0] else 1)
    by_guess, scan = layout.arrays["by_guess"], layout.arrays["scan"]
    labels = by_guess.nbytes + (0 if np.may_share_memory(by_guess, scan) else scan.nbytes)
    return min(max(memory - labels, TABLE_BYTES // 16), TABLE_BYTES * (8 if seconds <= LONG else 64))


def _is_searched_without_proof(rules: Rules) -> bool:
    from entropeg.search.beam.optimum import check_size

    try:
        check_size(rules)
    except TooLargeError:
        return False
    return True


def _result(asked: Request, proof: Proof, unit: float, least_worst: int | None = None) -> Solution:
    """The result of a search; `least_worst`: the worst case that it kept, where no smaller one can be."""
    with held(proof.cancel):
        return _unfolded(asked, proof, unit, least_worst)


def _unfolded(asked: Request, proof: Proof, unit: float, least_worst: int | None) -> Solution:
    tree = None if proof.infeasible else _best_tree(proof)
    if least_worst is not None and tree is None and not proof.infeasible:
        tree = proof.any_strategy()  # it bounds the worst case from above, not the least total under it
    if proof.finished and tree is not None and (made := proof.worth(tree)) != proof.lower:
        said = Told("the strategy makes {made} where {proven} was proven", made, proof.lower)
        if proof.checkpoint is None:
            raise AssertionError(said)
        raise InputError("{file} is damaged: {error}", proof.checkpoint, said)
    worst_value = None
    if least_worst is not None:
        is_kept = proof.finished and not proof.infeasible
        worst_value = Value(least_worst, least_worst if is_kept else None if tree is None else tree.worst)
    return Solution(
        rules=asked.rules,
        size=len(proof.start),
        value=_value(asked, proof, tree, unit),
        root=tree,
        worst_value=worst_value,
        is_impossible=proof.infeasible,
        seconds=clock.perf_counter() - asked.began,
        nodes=proof.nodes,
        is_interrupted=proof.cancelled,
        weight=None if asked.weights is None else asked.weights.each.sum(),
        position=asked.position,
    )


def _value(asked: Request, proof: Proof, tree: Node | None, unit: float) -> Value:
    """The bounds, under weights in the unit of these: whole ones are Python's ints all the way, and exact."""
    lower: float = math.inf if proof.infeasible else proof.lower
    if asked.weights is None:
        return Value(lower, None if tree is None else tree.total)
    lower *= unit
    if tree is None:
        return Value(lower, None)
    upper = asked.weights.of_tree(dict(tree.found()))
    return Value(upper if proof.finished else min(lower, upper), upper)


def _best_tree(proof: Proof) -> Node | None:
    tree = proof.strategy()
    if proof.finished:
        return tree
    other = proof.begun_with or proof.strategy(greedy=True)
    trees = [found for found in (tree, other) if found is not None]
    return min(trees, key=proof.worth, default=None)


def _layout(asked: Request) -> Layout:
    """The board without weights, after the control that long proofs begin with.

    Raises ContradictionError where no code fits the position.
    """
    from entropeg.search.exact.layout import Layout
    from entropeg.search.proving.control import check_targets

    asked.position.check_consistent()
    rules = asked.rules.with_limit(None)
    Reach.of(rules).check(asked.memory or MATRIX_BYTES)
    if Reach.of(rules).seconds > LONG and (asked.time is None or asked.time >= BEGUN_WITH[0]):
        check_targets(seed=asked.seed)  # a second, or more on a busy machine: too much of a short time
    codes = rows_of(secrets(rules)), rows_of(guesses(rules))
    return Layout(*codes, **layout_options(rules), consistent=asked.consistent_only, seed=asked.seed)
