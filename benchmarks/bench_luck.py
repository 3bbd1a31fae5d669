"""Mean guesses of `sampling` with the luck of the answers taken off: four to ten times fewer games tell as much.

Run: python benchmarks/bench_luck.py 12x12 sampling --games 60 [--first 0] [--bits]

At each turn the answer received leaves the game better or worse off than the answers to be expected; the difference, in
guesses by `outlook`, has mean zero whatever the codebreaker is, and is added up over the game and taken off its length
(known from poker: Burch et al., AIVAT, 2018). What is to be expected comes from a sample of codes that the
codebreaker did not see, or from the list of all codes left.

With --bits: turn by turn what an answer tells, in bits, on the same codes. Marks (blacks and whites together) tell of
colors alone, so blacks have to tell all of the places; the most that they can tell, were the pegs independent, is set
beside what they do, and how many guesses that would make.
"""

from __future__ import annotations

import argparse
from statistics import fmean, stdev
from typing import Any, NamedTuple

import numpy as np

from entropeg import codebreakers, codemakers, play
from entropeg.candidates import Chains
from entropeg.codebreakers.sampling.player import Knowledge, Sampling
from entropeg.codebreakers.sampling.splitting import outlook
from entropeg.codes import CodeSet, random_secret
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

HELD_OUT = 12_000
"""Codes by which a guess is judged where the list is not known."""

STEPS = 1_500_000

FEW = 500
"""Codes of a sample from which nothing is said about what a guess tells."""

UNKNOWN = 1e12
"""What stands for a number of codes left that is not known; only its ratio to the size of a part matters."""


class Watched(Sampling):
    """Plays as `sampling` does and keeps what it knew at each turn."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "seen", [])

    def _know(self, position: Position, rng: np.random.Generator) -> Knowledge:
        knowledge = super()._know(position, rng)
        vars(self)["known"] = position, knowledge
        return knowledge

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        guess = super().guess(position, rng)
        seen: list[tuple[Position, Knowledge, Code]] = vars(self)["seen"]
        seen.append((*vars(self)["known"], guess))
        return guess


def held_out(position: Position, knowledge: Knowledge, rng: np.random.Generator) -> CodeSet:
    """Return the codes left where they are known, else a sample that the codebreaker did not see."""
    if knowledge.complete:
        return knowledge.codes
    start = knowledge.states if len(knowledge.states) else None
    chains = Chains(position.rules, position.turns, rng, capacity=HELD_OUT, start=start)
    chains.walk(STEPS)
    return chains.codes


def luck(position: Position, knowledge: Knowledge, guess: Code, secret: Code, rng: np.random.Generator) -> float:
    """Return by how many guesses the answer was better than expected."""
    rules, codes = position.rules, held_out(position, knowledge, rng)
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
    return CodeSet(rules, np.array(secret, np.uint8)[:, None]).score(guess)[0]


def one_game(rules: Rules, player: Watched, seed: int) -> tuple[int, float]:
    seen: list[tuple[Position, Knowledge, Code]] = vars(player)["seen"]
    seen.clear()
    game = play(player, codemakers.get("honest"), rules, seed)
    assert game.secret is not None
    rng = np.random.default_rng(seed)
    return len(game), sum(luck(*turn, game.secret, rng) for turn in seen)


class Told(NamedTuple):
    """What a guess tells, in bits, by the codes of `held_out`; NaN where they are too few to say.

    `marks` and `blacks` (once the marks are known) are expected; `heard` and `seen` are what the answer did tell of
    each; `most` is the entropy of the blacks, were the pegs independent and each had the color that is the most
    uncertain there, or `blacks` where that is more.
    """

    marks: float
    blacks: float
    heard: float
    seen: float
    most: float


def entropy(counts: Any) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log2(shares)).sum())


def told(position: Position, knowledge: Knowledge, guess: Code, secret: Code, rng: np.random.Generator) -> Told:
    rules, codes = position.rules, held_out(position, knowledge, rng)
    if len(codes) < FEW and not knowledge.complete and not knowledge.estimate < 2 * len(codes):
        return Told(*[np.nan] * 5)
    blacks, whites = np.divmod(codes.score(guess).astype(int), rules.pegs + 1)
    marks, black = blacks + whites, int(np.equal(guess, secret).sum())
    mark = int(np.minimum(np.bincount(guess, minlength=256), np.bincount(secret, minlength=256)).sum())
    unseen = 0 if knowledge.complete else 1  # where no code of the sample has the secret's answer it tells much
    same, alike = int((marks == mark).sum()), int(((marks == mark) & (blacks == black)).sum())
    heard, seen = np.log2((len(codes) + unseen) / (same + unseen)), np.log2((same + unseen) / (alike + unseen))
    of_marks = entropy(np.bincount(marks))
    of_blacks = entropy(np.bincount(blacks * (rules.pegs + 1) + marks)) - of_marks
    return Told(of_marks, of_blacks, heard, seen, max(independent(codes), of_blacks))


def independent(codes: CodeSet) -> float:
    """Entropy of the blacks of a guess, were the pegs independent and each as uncertain as any color makes it."""
    law = np.ones(1)
    for plane in codes.planes:
        shares = np.bincount(plane) / len(codes)
        chance = shares[np.abs(shares - 0.5).argmin()]
        law = np.convolve(law, [1 - chance, chance])
    return entropy(law)


def of_places(rules: Rules, rng: np.random.Generator) -> float:
    """Bits of the places once the colors are known, on average over secrets."""
    ways = np.cumsum([0.0, *np.log2(np.arange(1, rules.pegs + 1))])
    drawn = [np.bincount(random_secret(rules, rng)) for _ in range(20_000)]
    return float(ways[-1] - np.mean([ways[counts].sum() for counts in drawn]))


def guesses_allowed(games: list[list[Told]], bits: float, column: int) -> float:
    """Turns until blacks have told so many bits, each turn what `column` says at as many bits left to them."""
    left, tells = [], []
    for turns in games:
        rest = bits
        for turn in turns:
            if np.isnan(turn.seen):
                break
            left.append(rest)
            tells.append(turn[column])
            rest -= turn.seen
    edges = np.arange(0, bits + 1, 2.0)
    cell = np.digitize(left, edges)
    means = {place: np.mean(np.array(tells)[cell == place]) for place in set(cell.tolist())}
    turns_made, rest = 0.0, bits
    while rest > 0:
        place = min(means, key=lambda place: abs(place - np.digitize(rest, edges)))
        step = min(1.0, rest / means[place])
        turns_made, rest = turns_made + step, rest - means[place]
    return turns_made


def print_bits(board: str, player: Watched, seeds: range) -> None:
    rules = Rules.parse(board)
    games, lengths = [], []
    for seed in seeds:
        seen: list[tuple[Position, Knowledge, Code]] = vars(player)["seen"]
        seen.clear()
        game = play(player, codemakers.get("honest"), rules, seed)
        assert game.secret is not None
        rng = np.random.default_rng(seed)
        games.append([told(*turn, game.secret, rng) for turn in seen])
        lengths.append(len(game))
    bits, places = float(np.log2(float(rules.secret_count))), of_places(rules, np.random.default_rng(1))
    print(f"{board}: {bits:.1f} bits, {bits - places:.1f} of colors and {places:.1f} of places; {len(games)} games")
    print("turn games known | bits told before | marks  blacks  both | blacks at most")
    for turn in range(int(np.median(lengths))):
        rows = np.array([game[: turn + 1] for game in games if len(game) > turn])
        known = ~np.isnan(rows[:, :, 0])
        now, sure = rows[known[:, turn], turn], known[:, :turn].all(axis=1)
        if len(now) and sure.any():
            before = rows[sure, :turn, 2:4].sum(axis=(1, 2)).mean()
            marks, blacks, _, _, most = now.mean(axis=0)
            print(f"{turn + 1:4} {len(rows):5} {len(now):5} | {before:16.1f} | ", end="")
            print(f"{marks:5.2f} {blacks:7.2f} {marks + blacks:5.2f} | {most:.2f}")
    sums = np.array([np.sum(game, axis=0)[2:4].sum() for game in games])
    print(f"told in a game of which all turns are known: {np.nanmean(sums):.1f} bits, {np.isfinite(sums).sum()} games")
    print(f"guesses {fmean(lengths):.2f}; blacks have told of all places after ", end="")
    print(
        f"{guesses_allowed(games, places, 1):.1f} guesses as they do, {guesses_allowed(games, places, 4):.1f} at most,"
    )
    print(f"{places / (0.5 * np.log2(2 * np.pi * np.e * rules.pegs / 4)):.1f} were every peg an even chance throughout")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("board")
    parser.add_argument("spec", nargs="?", default="sampling")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--bits", action="store_true", help="what the answers tell, turn by turn")
    options = parser.parse_args()
    asked = codebreakers.get(options.spec)
    assert isinstance(asked, Sampling)
    player, rules = Watched(asked.sample, asked.steps, asked.tries), Rules.parse(options.board)
    if options.bits:
        print_bits(options.board, player, range(options.first, options.first + options.games))
        return
    games = [one_game(rules, player, options.first + number) for number in range(options.games)]
    played, fair = [float(length) for length, _ in games], [length + better for length, better in games]
    for name, numbers in (("as played", played), ("without luck", fair)):
        print(f"{options.board:8} {options.spec:12} {len(numbers):5} games {name:12} {fmean(numbers):7.3f}", end="")
        print(f" +- {stdev(numbers) / len(numbers) ** 0.5:.3f}")


if __name__ == "__main__":
    main()
