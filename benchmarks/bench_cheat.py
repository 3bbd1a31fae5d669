"""What the cheat costs on boards that nobody can list, and how near it comes to the exact one where somebody can.

Run: python benchmarks/bench_cheat.py [BOARD ...] [--small] [--games N] [--first 9000] [--csv FILE] [--brief]

Every game is played against `honest` and against `cheat` with the same seed, by what `auto` picks; with --csv each is
kept as it ends, and not played again. With --small, boards whose codes are listed: `consistent` plays the exact cheat,
and the one that keeps a sample and lists nothing. Every answer is held against the codes left, or against the code that
was admitted in the end. Without --games as many as fit into minutes: eight for both.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from bench_huge import Played, append, kept
from machine import machine

from entropeg import codebreakers, codemakers, play
from entropeg.codemakers import cheat, held_codes, marked_codes
from entropeg.feedback import Code, label_of, score_trusted
from entropeg.position import Position
from entropeg.rules import Rules

LARGE = {"8x12": 40, "12x12": 40, "20x20": 20, "12x12/positional": 40, "20x20/positional": 40}
"""Games of each board."""

SMALL = dict.fromkeys(["4x6", "5x8", "6x9/black", "5x6/no-repeats", "4x5/membership", "4x6/blanks", "8x2"], 10)
SMALL |= {f"{board}/positional": 20 for board in ("4x6", "5x8", "6x8", "5x7/no-repeats", "8x2", "4x4/blanks")}


class BySample(cheat.Cheat):
    """Lists no codes of a board, however few they are."""

    def choices(self, position: Position, guess: Code) -> Any:
        """Return the labels that it finds by sample."""
        return cheat.sampled_choices(position, guess)


def one_game(board: str, codemaker: str, seed: int) -> Played:
    started = process_time()
    turns = play("auto", codemakers.get(codemaker), board, seed).turns
    seconds = process_time() - started
    rules, code = Rules.parse(board), turns[-1].guess
    assert all(score_trusted(turn.guess, code, rules) == turn.feedback for turn in turns)
    return Played(f"{board} {codemaker}", "auto", seed, len(turns), seconds)


def cost(board: str, seeds: range, path: Path | None) -> None:
    """Play the same seeds against both codemakers; the first game of each loads kernels, and does not count."""
    known, taken, compiled = kept(path), dict[str, list[Played]](honest=[], cheat=[]), set[str]()
    for seed in seeds:
        for codemaker, games in taken.items():
            game = known.get((f"{board} {codemaker}", "auto", seed))
            if game is None:
                if codemaker not in compiled:
                    compiled.add(codemaker)
                    one_game(board, codemaker, 1 << 20)
                game = one_game(board, codemaker, seed)
                if path is not None:
                    append(path, game)
            games.append(game)
    lengths = {codemaker: [game.guesses for game in games] for codemaker, games in taken.items()}
    more = np.subtract(lengths["cheat"], lengths["honest"])
    shown = [
        f"{codemaker} {_mean(lengths[codemaker])}, {np.mean([game.seconds for game in games]):.2f} s"
        for codemaker, games in taken.items()
    ]
    print(f"{board:26} {len(seeds)} games: {'; '.join(shown)}; cost {_mean(more)}", flush=True)


def nearness(board: str, seeds: range) -> None:
    """Play the exact cheat and the one by sample, whose answers are held against those that leave most codes."""
    rules, same, turns, early = Rules.parse(board), 0, 0, 0
    makers = [cheat.Cheat(), BySample()]
    lengths: list[list[int]] = [[] for _ in makers]
    for seed in seeds:
        for maker, taken in zip(makers, lengths, strict=True):
            position, guessing, answering = Position(rules), *map(np.random.default_rng, ([seed, 1], [seed, 2]))
            while not position.is_over:
                guess: Code = codebreakers.get("consistent").guess(position, guessing)
                answer = maker.answer(position, guess, None, answering)
                labels, sizes = position.candidates.parts(guess)
                left = int(sizes[labels == label_of(answer, rules)][0])  # IndexError: no code gives this answer
                if isinstance(maker, BySample):
                    turns, same = turns + 1, same + (left == sizes.max())
                position = position.after_trusted(guess, answer)
                early += position.is_won and len(labels) > 1
            taken.append(len(position.turns))
    exact, sampled = lengths
    means = f"exact {_mean(exact)}, by sample {_mean(sampled)}, difference {_mean(np.subtract(sampled, exact))}"
    print(
        f"{board:26} {len(seeds)} games: {same} of {turns} answers leave most, {early} wins too early; {means}",
        flush=True,
    )


def _mean(numbers: Any) -> str:
    error = np.std(numbers, ddof=1) / len(numbers) ** 0.5 if len(numbers) > 1 else np.nan
    return f"{np.mean(numbers):.2f} ± {error:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", metavar="BOARD")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--games", type=int, help="of each board")
    parser.add_argument("--first", type=int, default=9000, help="the first seed of large boards")
    parser.add_argument("--csv", type=Path, help="keep games of large boards here, and go on from those that are kept")
    parser.add_argument("--brief", action="store_true", help="2 games of 8x12, and of 4x6 with --small")
    asked = parser.parse_args()
    usual = SMALL if asked.small else LARGE
    boards = asked.boards or ([*usual][:1] if asked.brief else [*usual])
    print(machine())
    if asked.small:
        # Not even the codes that are left at the end are listed.
        held_codes.LISTED, marked_codes.LISTED_BITS = 0, -1.0
    for board in boards:
        games = 2 if asked.brief else asked.games or usual.get(board, 20)
        if asked.small:
            nearness(board, range(games))
        else:
            cost(board, range(asked.first, asked.first + games), asked.csv)


if __name__ == "__main__":
    main()
