"""Mean guesses of `sampling` with the luck of the answers taken off: four to ten times fewer games tell as much.

Run: python benchmarks/bench_luck.py 12x12 sampling --games 60 [--first 0]

At each turn the answer received leaves the game better or worse off than the answers to be expected; the difference, in
guesses by `outlook`, has mean zero whatever the codebreaker is, and is added up over the game and taken off its length
(known from poker: Burch et al., AIVAT, 2018). What is to be expected comes from a sample of codes that the
codebreaker did not see, or from the list of all codes left.
"""

from __future__ import annotations

import argparse
from statistics import fmean, stdev
from typing import Any

import numpy as np

from entropeg import codebreakers, codemakers, play
from entropeg.candidates import Chains
from entropeg.codebreakers.sampling import Knowledge, Sampling
from entropeg.codebreakers.splitting import outlook
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

HELD_OUT = 12_000
"""Codes by which a guess is judged where the list is not known."""

STEPS = 1_500_000

UNKNOWN = 1e12
"""What stands for a number of codes left that is not known; only its ratio to the size of a part matters."""


class Watched(Sampling):
    """Plays as `sampling` does and keeps what it knew at each turn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seen", [])

    def _choose(self, position: Position, knowledge: Knowledge, rng: np.random.Generator) -> Code:
        guess = super()._choose(position, knowledge, rng)
        seen: list[tuple[Position, Knowledge, Code]] = vars(self)["seen"]
        seen.append((position, knowledge, guess))
        return guess


def luck(position: Position, knowledge: Knowledge, guess: Code, secret: Code, rng: np.random.Generator) -> float:
    """Return by how many guesses the answer was better than expected."""
    rules, codes = position.rules, knowledge.codes
    if not knowledge.complete:
        start = knowledge.states if len(knowledge.states) else None
        chains = Chains(rules, position.turns, rng, capacity=HELD_OUT, start=start)
        chains.walk(STEPS)
        codes = chains.codes
    if not len(codes):
        return 0.0
    known = knowledge.estimate if 0 < knowledge.estimate < UNKNOWN else UNKNOWN
    scale = max(1.0, known / len(codes))
    labels, sizes = np.unique(codes.score(guess), return_counts=True)
    needed = {
        int(label): 0.0 if label == rules.win_label else outlook(size * scale)
        for label, size in zip(labels, sizes, strict=True)
    }
    expected = sum(needed[int(label)] * size for label, size in zip(labels, sizes, strict=True)) / len(codes)
    answer = rules.win_label if guess == secret else int(_label(rules, guess, secret))
    return float(expected - needed.get(answer, 0.0 if guess == secret else outlook(scale)))


def _label(rules: Rules, guess: Code, secret: Code) -> Any:
    from entropeg.codes import CodeSet

    return CodeSet(rules, np.array(secret, np.uint8)[:, None]).score(guess)[0]


def one_game(rules: Rules, player: Watched, seed: int) -> tuple[int, float]:
    seen: list[tuple[Position, Knowledge, Code]] = vars(player)["seen"]
    seen.clear()
    game = play(player, codemakers.get("honest"), rules, seed)
    assert game.secret is not None
    rng = np.random.default_rng(seed)
    return len(game), sum(luck(*turn, game.secret, rng) for turn in seen)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("board")
    parser.add_argument("spec", nargs="?", default="sampling")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    asked = codebreakers.get(options.spec)
    assert isinstance(asked, Sampling)
    player, rules = Watched(asked.sample, asked.steps, asked.tries), Rules.parse(options.board)
    games = [one_game(rules, player, options.first + number) for number in range(options.games)]
    played, fair = [float(length) for length, _ in games], [length + better for length, better in games]
    for name, numbers in (("as played", played), ("without luck", fair)):
        print(f"{options.board:8} {options.spec:12} {len(numbers):5} games {name:12} {fmean(numbers):7.3f}", end="")
        print(f" +- {stdev(numbers) / len(numbers) ** 0.5:.3f}")


if __name__ == "__main__":
    main()
