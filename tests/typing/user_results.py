"""Games, advice, reviews, runs, trees, optima, bounds, tables and errors, as a program of a user takes them apart."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import entropeg
from entropeg import (
    EntropegError,
    Game,
    InputError,
    Position,
    Rules,
    StrategyTree,
    advise,
    arena,
    optimal,
    play,
    review,
)
from entropeg.advise import Advice, Expectation
from entropeg.errors import ContradictionError, PlayerError, TooLargeError
from entropeg.experiments.results import Run, Statistics
from entropeg.experiments.runs import Runs
from entropeg.game import load_game, save_game
from entropeg.review import Review, TurnReview
from entropeg.search.bounds import Bound, best, bounds
from entropeg.tree import Opening, openings

if TYPE_CHECKING:
    import polars as pl  # noqa: TC004 (for `frames`, which nobody calls)

game = play("consistent", "honest:ABC", "3x3", seed=1)
assert_type(game, Game)
assert_type(game.rules, Rules)
assert_type(game.outcome, Literal["won", "lost", "abandoned"])
assert_type(game.secret, tuple[int, ...] | None)
assert_type(game.seed, int | None)
assert_type(game.position, Position)
assert_type(game.to_json(), dict[str, Any])
assert_type(len(game), int)
with TemporaryDirectory() as folder:
    save_game(game, Path(folder) / "a.json")
    assert_type(load_game(f"{folder}/a.json"), Game)

advice = advise(Position("3x3", ["AAB O"]), limit=2, also=["ABC"])
assert_type(advice, Advice)
assert_type(advice.best.guess, tuple[int, ...])
assert_type(advice.value, Expectation)
assert_type(advice.value.value, float)
assert_type(advice.remaining.count, int | None)
assert_type(advice.says, list[str])
assert_type(entropeg.advise("3x3"), Advice)

reviewed = review(game.position)
assert_type(reviewed, Review)
assert_type(reviewed.turns, tuple[TurnReview, ...])
assert_type(reviewed.loss, Expectation)
assert_type(entropeg.review(game.position).is_won, bool)

runs = arena("consistent", ["honest", "cheat"], "2x3", games=4, seed=2)
assert_type(runs, Runs)
assert_type(runs[0], Run)
assert_type(runs[:1], Runs)
assert_type(runs + runs, Runs)
assert_type([run.codemaker for run in runs], list[str])
assert_type(runs[0].guesses, NDArray[np.int32])
assert_type(runs[0].games, NDArray[np.int64])
assert [runs[0].guesses.dtype, runs[0].games.dtype] == [np.int32, np.int64]
assert_type(runs[0].statistics, Statistics)
assert_type(runs[0].statistics.mean, float)
assert_type(runs[0].statistics.interval, tuple[float, float] | None)
assert_type(runs[0].statistics.histogram, dict[int, int])
assert_type(runs[0].to_dict(), dict[str, Any])
# A table for whatever draws up tables.
table = [run.to_dict() for run in runs]
assert_type(table, list[dict[str, Any]])


def frames(finished: Runs) -> None:
    """Ask for frames, which need polars; nobody calls it."""
    assert_type(finished.frame(), pl.DataFrame)
    assert_type(finished.games(), pl.DataFrame)


tree = StrategyTree.build("minimax", "2x3", opening="AB")
assert_type(tree, StrategyTree)
assert_type(tree.total, int)
assert_type(tree.mean, float)
assert_type(tree.histogram, tuple[int, ...])
assert_type(tree.guess_index, NDArray[np.int32])
assert_type(tree.turns, NDArray[np.int64])
assert_type(tree.sizes, NDArray[np.int64])
assert_type(tree.wins, NDArray[np.bool_])
assert_type(tree.subtotals, NDArray[np.int64])
assert [tree.guess_index.dtype, tree.parent.dtype, tree.label.dtype] == [np.int32] * 3
assert [tree.turns.dtype, tree.sizes.dtype, tree.subtotals.dtype, tree.wins.dtype] == [np.int64] * 3 + [np.bool_]
assert_type(tree.check(), StrategyTree)
assert_type(play(tree, "honest", "2x3"), Game)
assert_type(openings("minimax", "2x2"), list[Opening])

least = optimal("2x3")
assert_type(least.value.lower, float)
assert_type(least.seconds, float)
assert_type(least.codes, entropeg.CodeSet | None)

known = bounds("4x6")
assert_type(known, list[Bound])
assert_type(best(known, "upper", "worst"), Bound | None)
# The room of a function has its name, and is called as it is.
assert_type(entropeg.search.bounds("4x6"), list[Bound])

try:
    Position("4x6", ["AABB XXXXX"])
except ContradictionError as error:
    assert_type(error, ContradictionError)
except (PlayerError, TooLargeError):
    raise
except InputError as error:
    same: EntropegError = error
    also: ValueError = error
