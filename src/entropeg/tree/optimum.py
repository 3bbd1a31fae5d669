"""Finds the least total of guesses of a board or position, proven or bounded, and a strategy to play: `optimal`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from entropeg import arguments
from entropeg.executors import Crew, Executor, WorkersError, crew_of, instead_of_threads
from entropeg.position import Position
from entropeg.processors import MOST_PROCESSORS, usable_processors
from entropeg.rules import Rules
from entropeg.search.proving.request import Request
from entropeg.search.proving.solving import solve
from entropeg.search.results import SearchProgress, Solution
from entropeg.search.weights import Weights
from entropeg.tree.strategy import StrategyTree, tree_of_nodes

MEGABYTE = 1_000_000
"""Bytes of the unit of ``memory``, at the prompt too."""


class Optimum(Solution):
    """What `optimal` found: a `Solution` whose strategy plays, is drawn and saved."""

    @classmethod
    def of(cls, found: Solution) -> Self:
        """Return the result of a search, with its strategy."""
        return cls(**{field.name: getattr(found, field.name) for field in fields(found)})

    @cached_property
    def tree(self) -> StrategyTree | None:
        """The strategy, made when it is first asked for; None where `root` is."""
        start = self.position or Position(self.rules)
        return None if self.root is None else tree_of_nodes(self.root, start, self.codes)

    def checked(self, *, consistent_only: bool = False) -> StrategyTree | None:
        """Return the strategy, every secret played through it by code that the search does not share.

        None where there is none. With `consistent_only` each of its guesses has to be a code that is still possible.
        """
        if self.tree is None:
            return None
        tree = self.tree.check()
        if tree.total != self.total or tree.worst != self.worst or (consistent_only and not tree.wins.all()):
            raise AssertionError(f"the strategy takes {tree.total} guesses where the search counted {self.total}")
        return tree


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
    progress: Callable[[SearchProgress], None] | None = None,
    checkpoint: str | Path | None = None,
    weights: Weights | None = None,
    proof: str | Path | None = None,
    executor: Executor | Crew | str | None = None,
    seed: int = 0,
) -> Optimum:
    """Find a strategy of least total number of guesses over all codes still possible, and prove it.

    ``worst`` asks for the least worst case first, the least total under it second; ``limit`` for the least total of the
    strategies that never need more guesses, counted from the position on. A limit of the rules holds as well, and
    counts from the start of the game: the smaller one counts. ``fewest_at_worst`` asks for the least worst case of
    the least total, and under it the fewest secrets that take that many guesses, on boards about as large as 4x6;
    ``consistent_only`` for strategies that guess only codes still possible. After ``time`` seconds, or Ctrl-C,
    the best strategy and bounds so far are returned. ``weights`` (an array in the order of `secrets`, or a mapping from
    codes) asks for the least expected number of guesses where secrets are drawn with these weights, as with a prior of
    the rules; codes of weight 0 are never the secret, and left out. Exact for whole weights, which may sum up to 2^50,
    right to rounding for others; worth trying to about 5,000 codes, bounds beyond what time allows. ``memory`` bounds
    the labels and the table, in megabytes, but for a copy of labels, up to .35 of them, where colors may change
    places; ``threads`` is their number, by default one a processor that may be used;
    ``proof`` names a file for the proof of the lower bound, which `check.verifier` checks; ``checkpoint`` a
    file from which a long proof resumes; ``executor``, in the place of ``threads``, says who searches:
    `processes:4`, `dask://node1:8786`. It is for proofs that take longer than its workers to start. Where these are
    gone, WorkersError is raised, with the result so far as `made`. ``seed`` draws other random words, by which the
    table knows its sets: an optimum found by two seeds is hardly that of two sets taken for each other.
    ``progress`` is called a few times a second.
    Exact; time grows steeply with the board.

    All kinds of feedback, and lists of words, with up to 255 different answers.

    Raises InputError where no code fits a position, and for numbers that make no sense; TooLargeError where the labels
    of the board take more than ``memory``.

    >>> found = optimal("3x4")
    >>> found
    <Optimum of 3x4: total = 206 guesses over 64 codes, worst 4>
    >>> found.tree.total, found.tree.worst
    (206, 4)
    """
    placed = instead_of_threads(executor, threads)
    if isinstance(placed, Executor) and placed.kind == "threads":
        threads, placed = placed.workers, None
    asked = Request(
        position=Position.of(board),
        limit=arguments.some(limit, "the limit", least=1),
        worst=arguments.flag(worst, "worst"),
        fewest_at_worst=arguments.flag(fewest_at_worst, "fewest_at_worst"),
        consistent_only=arguments.flag(consistent_only, "consistent_only"),
        time=None if time is None else arguments.number(time, "the time"),
        memory=None if memory is None else int(arguments.number(memory, "the memory", least=1 / MEGABYTE) * MEGABYTE),
        threads=arguments.some(threads, "the number of threads", least=1, most=MOST_PROCESSORS) or usable_processors(),
        progress=arguments.call(progress, "progress"),
        checkpoint=None if checkpoint is None else arguments.file(checkpoint, "the checkpoint"),
        proof=None if proof is None else arguments.file(proof, "the proof"),
        seed=arguments.seed(seed),
    )
    if placed is None:
        return Optimum.of(solve(asked, weights))
    try:
        with crew_of(placed) as crew:
            return Optimum.of(solve(replace(asked, crew=crew), weights))
    except WorkersError as error:
        error.made = None if error.made is None else replace(Optimum.of(error.made), are_workers_lost=True)
        raise
