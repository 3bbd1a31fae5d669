"""What the cheat costs on boards that nobody can list, and how near it comes to the exact one where somebody can.

Run: python benchmarks/bench_cheat.py [BOARD ...] [--games N] [--small]

Every game is played against `honest` and against `cheat` with the same seed, by what `auto` picks. With --small, boards
whose codes are listed: `consistent` plays the exact cheat, and the one that keeps a sample and lists nothing. Every
answer is held against the codes left, or against the code that was admitted in the end.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Any

import numpy as np
from machine import machine

from entropeg import codebreakers, play
from entropeg.codemakers import cheat, held_codes, marked_codes
from entropeg.feedback import Code, label_of, score_trusted
from entropeg.position import Position
from entropeg.rules import Rules

LARGE = ["8x12", "12x12", "20x20", "12x12/positional", "20x20/positional"]
SMALL = ["4x6", "5x8", "6x9/black", "5x6/no-repeats", "4x5/membership", "4x6/blanks", "8x2"]
SMALL += [f"{board}/positional" for board in ("4x6", "5x8", "6x8", "5x7/no-repeats", "4x4/blanks")]


def cost(board: str, games: int, first: int = 9000) -> None:
    """Play the same seeds against both codemakers, once without counting: kernels are loaded then."""
    taken: dict[str, list[float]] = {"honest": [], "cheat": []}
    seconds: dict[str, list[float]] = {"honest": [], "cheat": []}
    for seed in range(first - 1, first + games):
        for codemaker, lengths in taken.items():
            started = process_time()
            turns = play("auto", codemaker, board, seed).turns
            rules, code = Rules.parse(board), turns[-1].guess
            assert all(score_trusted(turn.guess, code, rules) == turn.feedback for turn in turns)
            if seed >= first:
                seconds[codemaker].append(process_time() - started)
                lengths.append(len(turns))
    more = np.subtract(taken["cheat"], taken["honest"])
    shown = [f"{name} {_mean(taken[name])}, {np.mean(seconds[name]):.2f} s" for name in taken]
    print(f"{board:26} {games} games: {'; '.join(shown)}; cost {_mean(more)}", flush=True)


def nearness(board: str, games: int) -> None:
    """Play the exact cheat and the one by sample, whose answers are held against those that leave most codes."""
    rules, same, turns, early, lengths = Rules.parse(board), 0, 0, 0, ([], [])  # type: ignore[var-annotated]
    exact, sampled = cheat.listed_codes, lambda _: None
    for seed in range(games):
        for listed, taken in zip((exact, sampled), lengths, strict=True):
            position, guessing, answering = Position(rules), *map(np.random.default_rng, ([seed, 1], [seed, 2]))
            while not position.is_over:
                guess: Code = codebreakers.get("consistent").guess(position, guessing)
                vars(cheat)["listed_codes"] = listed
                answer = cheat.Cheat().answer(position, guess, None, answering)
                labels, sizes = position.candidates.parts(guess)
                left = int(sizes[labels == label_of(answer, rules)][0])  # IndexError: no code gives this answer
                if listed is sampled:
                    turns, same = turns + 1, same + (left == sizes.max())
                position = position.after_trusted(guess, answer)
                early += position.is_won and len(labels) > 1
            taken.append(len(position.turns))
    vars(cheat)["listed_codes"] = exact
    more = np.subtract(lengths[1], lengths[0])
    means = f"exact {_mean(lengths[0])}, by sample {_mean(lengths[1])}, difference {_mean(more)}"
    print(
        f"{board:26} {games} games: {same} of {turns} answers leave most, {early} wins too early; {means}", flush=True
    )


def _mean(numbers: Any) -> str:
    return f"{np.mean(numbers):.2f} ± {np.std(numbers, ddof=1) / len(numbers) ** 0.5:.2f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("boards", nargs="*")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    print(machine())
    if asked.small:
        # Not even the codes that are left at the end are listed.
        held_codes.LISTED, marked_codes.LISTED_BITS = 0, -1.0
    for each in asked.boards or (SMALL if asked.small else LARGE):
        (nearness if asked.small else cost)(each, asked.games)
