"""Plays the board of every public claim on large boards, and sets our guesses beside those claimed.

Run: python benchmarks/play_field.py [CLAIM ...] [--games 150] [--first 7000] [--player auto] [--csv FILE] [--brief]

One row a claim: what is claimed, what we take, the difference, and whether that is better, worse or level, by two
standard errors; below ten games nothing is said. Secrets are those of the claim where it names them, of its kind where
it describes them, and otherwise drawn by the seed, the same for every claim on a board. Where a claim gives no error,
its games are taken to vary as ours do; where it does not give its games either, it counts as exact, and a question mark
says so. The shifts of permutations are played here too, on the same secrets. Seconds are processor time, without the
first game, which compiles. With --csv each game is kept as it ends, and games in the file are not played again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from math import hypot, log2
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

import bench_contest
import numpy as np
from bench_huge import Played, append, kept
from machine import machine

from entropeg import codebreakers, codemakers, play
from entropeg.codebreakers import Codebreaker
from entropeg.codes import format_code
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

DRAWN, SPACED, SHIFTS, CONTEST = "drawn", "spaced", "shifts", "contest"
"""Kinds of secrets: drawn by the seed; evenly spaced among all codes; drawn, and the shifts play too; boards drawn."""


LEAST = 10
"""Games below which no verdict is given: the spread of so few is not known."""


class Claim(NamedTuple):
    """What somebody says to take on a board; None where it is not said."""

    name: str
    who: str
    board: str
    guesses: float | None
    games: int | None = None
    seconds: float | None = None
    secrets: str = DRAWN
    """A kind of secrets, or the secret itself."""


SAT, GENETIC = "Bohlender 2020, SAT", "Berghman et al. 2009, genetic"
MERELO, CLIMBING = "Merelo et al. 2013, evolutionary", "Harijanto et al., hill climbing"
ENTROPY = "entropy on a GPU, all secrets"
CLAIMS = (
    Claim("sat-7x6", SAT, "7x6", 6.072, 10_000, 0.101, SPACED),
    Claim("sat-8x6", SAT, "8x6", 6.560, 1_000, 0.161, SPACED),
    Claim("sat-9x6", SAT, "9x6", 7.237, 10_000, 0.263, SPACED),
    Claim("sat-10x6", SAT, "10x6", 7.901, 10_000, 0.413, SPACED),
    Claim("sat-16x6", SAT, "16x6", 10.51, 1_000, 6.6, SPACED),
    Claim("sat-16x6-drawn", "his program, played by us", "16x6", 11.58, 19, None),
    Claim("genetic-6x9", GENETIC, "6x9", 6.475, None, 1.28),
    Claim("genetic-8x12", GENETIC, "8x12", 8.366, None, 20.6),
    Claim("merelo-6x9", MERELO, "6x9", 6.373),
    Claim("merelo-6x10", MERELO, "6x10", 6.853),
    Claim("merelo-7x10", MERELO, "7x10", 7.372),
    Claim("entropy-6x9", ENTROPY, "6x9", 3_339_961 / 9**6, 9**6),
    Claim("entropy-6x10", ENTROPY, "6x10", 6_597_143 / 10**6, 10**6),
    Claim("entropy-7x10", ENTROPY, "7x10", 71_290_798 / 10**7, 10**7),
    Claim("entropy-8x8", ENTROPY, "8x8", 117_893_499 / 8**8, 8**8),
    Claim("climbing-6x9-a", CLIMBING, "6x9", 6.99, 100, 0.824, "HIIFDA"),
    Claim("climbing-6x9-b", CLIMBING, "6x9", 6.78, 100, 0.628, "IDCBFA"),
    Claim("climbing-8x12-a", CLIMBING, "8x12", 8.88, 100, 48.1, "LHIGLLKE"),
    Claim("climbing-8x12-b", CLIMBING, "8x12", 9.4, 10, 128.2, "KKACLIGF"),
    Claim("shifts-20", "Kutin & Smithline 2024, shifts", "20x20/no-repeats/positional", 10.5, secrets=SHIFTS),
    Claim("shifts-40", "Kutin & Smithline 2024, shifts", "40x40/no-repeats/positional", 20.5, secrets=SHIFTS),
    Claim("shifts-80", "Kutin & Smithline 2024, shifts", "80x80/no-repeats/positional", 40.5, secrets=SHIFTS),
    Claim("models-6x8", "MastermindEval 2025, models", "6x8", None, 100),
    Claim("models-8x10", "AgentQuest 2024, models", "8x10", None),
    Claim("models-6x12", "TextArena 2025, models", "6x12", None),
    Claim("topcoder", "TopCoder 2006, marathon", "5-100x5-20", None, secrets=CONTEST),
)


class Shifts:
    """Shifts what is wrong by one peg to the right, among the wrong pegs (Kutin & Smithline, arXiv 2408.00903)."""

    deterministic = True

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if not position.turns:
            return tuple(range(position.rules.pegs))
        [last, marks] = position.turns[-1]
        wrong = [peg for peg, mark in enumerate(marks) if mark != 2]
        shifted = list(last)
        for peg, before in zip(wrong, [wrong[-1], *wrong[:-1]], strict=True):
            shifted[peg] = last[before]
        return tuple(shifted)


def spaced(rules: Rules, number: int, index: int) -> str:
    """Return a code of `number` that are evenly spaced in alphabetical order, the first being AA...A."""
    rest, code = index * rules.colors**rules.pegs // number, []
    for _ in range(rules.pegs):
        rest, color = divmod(rest, rules.colors)
        code.append(color)
    return format_code(tuple(reversed(code)), rules)


def secret_of(claim: Claim, seed: int, first: int) -> str:
    """Return the secret of a game as text, empty where the seed draws it; spaced ones come in an order by `first`."""
    if claim.secrets in {DRAWN, SHIFTS, CONTEST}:
        return ""
    if claim.secrets != SPACED:
        return claim.secrets
    assert claim.games is not None
    order = np.random.default_rng(first).permutation(claim.games)
    return spaced(Rules.parse(claim.board), claim.games, int(order[(seed - first) % claim.games]))


def board_of(claim: Claim, seed: int) -> str:
    return str(bench_contest.drawn(seed)) if claim.secrets == CONTEST else claim.board


def one_game(claim: Claim, player: Codebreaker | str, seed: int, first: int) -> Played:
    board, secret, start = board_of(claim, seed), secret_of(claim, seed, first), process_time()
    game = play(player, codemakers.get(f"honest:{secret}" if secret else "honest"), board, seed)
    assert game.outcome == "won"
    spec = player if isinstance(player, str) else SHIFTS
    return Played(f"{board} {secret}".strip(), spec, seed, len(game), process_time() - start)


class Field:
    """Games of one run, each played once: claims on the same board share those with drawn secrets."""

    def __init__(self, player: str, seeds: range, path: Path | None) -> None:
        self.player, self.seeds, self.path = player, seeds, path
        self.known = kept(path)
        self.compiled: set[tuple[str, str]] = set()

    def games(self, claim: Claim, player: Codebreaker | str) -> Iterator[Played]:
        """Yield the games of a claim, by the seeds."""
        spec = player if isinstance(player, str) else SHIFTS
        for seed in self.seeds:
            key = f"{board_of(claim, seed)} {secret_of(claim, seed, self.seeds[0])}".strip(), spec, seed
            if key not in self.known:
                if (claim.board, spec) not in self.compiled:
                    self.compiled.add((claim.board, spec))
                    play(player, "honest", board_of(claim, 1 << 20), 1 << 20)
                self.known[key] = one_game(claim, player, seed, self.seeds[0])
                if self.path is not None:
                    append(self.path, self.known[key])
            yield self.known[key]


def error_of(numbers: list[float]) -> float:
    return stdev(numbers) / len(numbers) ** 0.5 if len(numbers) > 1 else float("inf")


def verdict(difference: float, error: float) -> str:
    """Say whether fewer guesses are fewer by two standard errors."""
    return "level" if abs(difference) <= 2 * error else "better" if difference < 0 else "worse"


def compared(claim: Claim, ours: list[Played], theirs: list[Played]) -> str:
    """Return the row of a claim."""
    guesses = [float(game.guesses) for game in ours]
    row = f"ours {fmean(guesses):6.3f} +- {error_of(guesses):.3f} (worst {max(guesses):.0f}, {len(ours)} games, "
    row += f"{fmean(game.seconds for game in ours):.3f} s)"
    if claim.guesses is None:
        return f"{'no mean published':34} {row}"
    said = f"{claim.guesses:g}" + (f", {claim.games} games" * bool(claim.games))
    said += f", {claim.seconds:g} s" if claim.seconds else ""
    if theirs:
        apart = [game.guesses - other.guesses for game, other in zip(ours, theirs, strict=True)]
        difference, error = fmean(apart), error_of([float(each) for each in apart])
        said += f", here {fmean(game.guesses for game in theirs):.2f}"
    else:
        difference, error = fmean(guesses) - claim.guesses, error_of(guesses)
        error = hypot(error, stdev(guesses) / claim.games**0.5) if claim.games and len(guesses) > 1 else error
    sure = "" if claim.games or theirs else "?"
    word = verdict(difference, error) if len(ours) >= LEAST else "too few games"
    return f"{said:34} {row}  {difference:+.3f} +- {error:.3f}{sure}: {word}"


def contest_row(games: list[Played]) -> str:
    """Return the row of the contest, whose own boards and sums nobody has kept."""
    points = [Rules.parse(game.board).pegs * log2(Rules.parse(game.board).colors) / game.guesses for game in games]
    return (
        f"{'no sum published':34} ours {fmean(points):.3f} +- {error_of(points):.3f} points a game "
        f"({len(games)} games, {fmean(game.seconds for game in games):.2f} s)"
    )


def positive(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number from 1 on, not {text}")
    return int(text)


def main(arguments: list[str] | None = None) -> int:
    """Play what is asked for; 130 where it was interrupted."""
    names = [claim.name for claim in CLAIMS]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, epilog="claims: " + ", ".join(names)
    )
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="those to play; all where none is named")
    parser.add_argument("--games", type=positive, default=150, help="games of each claim (150)")
    parser.add_argument("--first", type=positive, default=7000, help="the first seed (7000)")
    parser.add_argument("--player", default="auto", help="the codebreaker that plays (auto)")
    parser.add_argument("--csv", type=Path, help="keep games here, and go on from those that are kept")
    parser.add_argument("--brief", action="store_true", help="3 games")
    options = parser.parse_args(arguments)
    if unknown := sorted({*options.claims} - {*names}):
        parser.error(f"no claim is called {', '.join(unknown)}; there are {', '.join(names)}")
    try:
        codebreakers.get(options.player)
    except ValueError as error:
        parser.error(str(error))
    seeds = range(options.first, options.first + (3 if options.brief else options.games))
    field = Field(options.player, seeds, options.csv)
    print(f"{machine()}; {options.player}, seeds {seeds[0]} to {seeds[-1]}")
    try:
        for claim in CLAIMS:
            if not options.claims or claim.name in options.claims:
                print(f"{claim.name:16} {claim.who:32} {claim.board:27} ", end="", flush=True)
                theirs = list(field.games(claim, Shifts())) if claim.secrets == SHIFTS else []
                ours = list(field.games(claim, options.player))
                print(contest_row(ours) if claim.secrets == CONTEST else compared(claim, ours, theirs), flush=True)
    except KeyboardInterrupt:
        print("\ninterrupted; with --csv the games played are kept")
        return 130
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
