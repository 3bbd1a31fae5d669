"""What a checker of types has to refuse: each `ignore` is an error of its own where nothing is refused any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import entropeg
from entropeg import Codebreaker, Codemaker, Feedback, Game, Position, Rules, StrategyTree, advise, arena, play, score

if TYPE_CHECKING:
    # Names that the package does not have.
    from entropeg import Postion  # type: ignore[attr-defined]
    from entropeg.search import optimum  # type: ignore[attr-defined]

    entropeg.Rule  # type: ignore[attr-defined]
    entropeg.codebreakers.git  # type: ignore[attr-defined]
    entropeg.search.near_optimum  # type: ignore[attr-defined]


class Silent:
    """No method of a player at all."""


class Short:
    """A codebreaker that has no room for the generator."""

    def guess(self, position: Position) -> tuple[int, ...]:
        return position.candidates[0]


class Texts:
    """A codebreaker whose guesses are no codes."""

    def guess(self, position: Position, rng: np.random.Generator) -> float:
        return 0.5


class Half:
    """A codemaker that chooses and does not answer."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> None:
        return None


def refused(position: Position, game: Game, tree: StrategyTree) -> None:
    """Give wrong values, and ask for what is not there; nobody calls it."""
    Rules.parse(46)  # type: ignore[arg-type]
    Rules("4", "6")  # type: ignore[arg-type]
    Position(46)  # type: ignore[arg-type]
    position.after("AABB")  # type: ignore[call-arg]
    position.after(1.5, "XO")  # type: ignore[arg-type]
    position.turns.append(("AABB", "XO"))  # type: ignore[attr-defined]
    position.candidate  # type: ignore[attr-defined]
    score("AABB", "ABCD")  # type: ignore[call-arg]
    score("AABB", 3, "4x6")  # type: ignore[arg-type]
    Feedback("X", "O")  # type: ignore[arg-type]
    Feedback(1, 2).black = 3  # type: ignore[misc]
    position.candidates["AABB"]  # type: ignore[call-overload]
    code: str = position.candidates[0]  # type: ignore[assignment]

    play(Silent(), "honest", "4x6")  # type: ignore[arg-type]
    play("minimax", Half(), "4x6")  # type: ignore[arg-type]
    play("minimax", "honest", 46)  # type: ignore[arg-type]
    play("minimax", "honest", "4x6", seed="1")  # type: ignore[arg-type]
    play("minimax", "honest", "4x6", sed=1)  # type: ignore[call-arg]
    arena("minimax", "honest", "4x6", 100)  # type: ignore[call-arg]
    arena("minimax", "honest", "4x6", games="100")  # type: ignore[arg-type]
    short: Codebreaker = Short()  # type: ignore[assignment]
    texts: Codebreaker = Texts()  # type: ignore[assignment]
    half: Codemaker = Half()  # type: ignore[assignment]
    StrategyTree.build(Silent(), "3x3")  # type: ignore[arg-type]

    advise(game, limit=3)  # type: ignore[arg-type]
    advise(position, limits=3)  # type: ignore[call-arg]
    game.seed = 3  # type: ignore[misc]
    winner: bool = game.outcome  # type: ignore[assignment]
    tree.totals  # type: ignore[attr-defined]
    mean: int = tree.mean  # type: ignore[assignment]
