"""Wrong answers on large boards: when they are noticed, which row is named, and whether the game is won without it.

Run: python benchmarks/bench_doubts.py BOARD [--wrong exchanged:8 sum:15 ...] [--games N] [--first SEED] [--player SPEC]
     python benchmarks/bench_doubts.py BOARD --false-alarm [--games N]

Secrets and guesses follow from seeds SEED, SEED + 1, ... Without `--wrong` every game is honest, and a doubt is a false
alarm. Whenever the player doubts, the likeliest row is left out, as by `mend 1`, and the game goes on. `--false-alarm`
plays honest games again with a row that is drawn left out three turns before their end: what a false alarm costs.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from machine import machine

from entropeg import Position, Rules, codebreakers
from entropeg.codebreakers.doubts import doubt_of
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code, Feedback

MOST_LEFT_OUT = 8


class Told(NamedTuple):
    """A doubt: after how many guesses, whether it was proved, and the turns that were suspect, likeliest first."""

    after: int
    is_proved: bool
    turns: list[int]


class Played(NamedTuple):
    """A game: guesses until it was won, None where it was not, and what was doubted."""

    guesses: int | None
    doubts: list[Told]


def answer(guess: Code, secret: Code, wrong: str = "") -> Feedback:
    black = sum(map(int.__eq__, guess, secret))
    white = sum(min(guess.count(color), secret.count(color)) for color in set(guess)) - black
    if wrong == "sum":
        return Feedback(black, white + 1 if black + white < len(secret) else white - 1)
    if wrong == "exchanged":
        return Feedback(black + 1, white - 1) if white else Feedback(black - 1, white + 1)
    return Feedback(black, white)


def without(position: Position, row: int) -> Position:
    return Position(position.rules, [turn for index, turn in enumerate(position.turns) if index != row])


def play(
    rules: Rules, player: str, seed: int, wrong: dict[int, str], left_out: tuple[int, int] | None = None
) -> Played:
    """Play one game; `left_out`: after how many guesses which row is left out, as after a false alarm."""
    secret = tuple(np.random.default_rng(seed).integers(rules.colors, size=rules.pegs).tolist())
    breaker, rng = codebreakers.get(player), np.random.default_rng(seed + 1)
    position, numbers, doubts, guesses = Position(rules), list[int](), list[Told](), 0
    while guesses < 4 * rules.pegs:
        while (doubt := doubt_of(breaker, position)) is not None:
            doubts.append(Told(guesses, doubt.is_proved, [numbers[each.row] for each in doubt.rows]))
            if not doubt.rows or len(doubts) > MOST_LEFT_OUT:
                return Played(None, doubts)
            position = without(position, doubt.rows[0].row)
            numbers.pop(doubt.rows[0].row)
        if left_out is not None and guesses == left_out[0]:
            position = without(position, left_out[1])
        try:
            guess = breaker.guess(position, rng)
        except (ContradictionError, TooLargeError):  # what it doubts was asked before
            return Played(None, doubts)
        guesses += 1
        told = answer(guess, secret, wrong.get(guesses, ""))
        position = position.after_trusted(guess, told)
        if position.is_won:
            return Played(guesses, doubts)
        numbers.append(guesses)
    return Played(None, doubts)


def report(rules: Rules, player: str, wrong: dict[int, str], played: list[Played]) -> None:
    kinds = ", ".join(f"{kind} at turn {turn}" for turn, kind in wrong.items()) or "honest"
    first = [game.doubts[0] for game in played if game.doubts]
    won = [game.guesses for game in played if game.guesses is not None]
    print(f"{player} {rules}, {kinds}: {len(first)} of {len(played)} doubted", end="")
    if first:
        turns = [told.after for told in first]
        named = sum(told.turns[:1] != [] and told.turns[0] in wrong for told in first)
        proved = sum(told.is_proved for told in first)
        print(f" after {min(turns)} to {max(turns)} turns (median {np.median(turns):g}), {proved} proved,", end="")
        print(f" a wrong row named first {named} times", end="")
    mean = f" in {np.mean(won):.1f} guesses on average, worst {max(won)}" if won else ""
    print(f"; {len(won)} won{mean}", flush=True)


def false_alarms(rules: Rules, player: str, seeds: range) -> None:
    more: list[int] = []
    for seed in seeds:
        honest = play(rules, player, seed, {}).guesses
        if honest is None or honest < 5:
            continue
        at = honest - 3
        again = play(rules, player, seed, {}, (at, int(np.random.default_rng(seed).integers(at)))).guesses
        more.append((again or 4 * rules.pegs) - honest)
    error = np.std(more, ddof=1) / len(more) ** 0.5
    print(
        f"{player} {rules}, a true row left out: {np.mean(more):+.2f} ± {error:.2f} guesses, at most {max(more)} more"
    )


def _wrong(text: str) -> tuple[int, str]:
    kind, _, turn = text.partition(":")
    if kind not in {"exchanged", "sum"}:
        raise argparse.ArgumentTypeError(f"{kind} is neither exchanged nor sum")
    return int(turn), kind


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", nargs="?", default="50x50")
    parser.add_argument("--wrong", nargs="*", type=_wrong, default=[])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=39000)
    parser.add_argument("--player", default="belief")
    parser.add_argument("--false-alarm", action="store_true")
    parser.add_argument("--brief", action="store_true", help="2 games")
    options: Any = parser.parse_args()
    board, games = Rules.parse(options.board), 2 if options.brief else options.games
    seeds = range(options.first, options.first + games)
    print(machine())
    if options.false_alarm:
        false_alarms(board, options.player, seeds)
    else:
        errors = dict(options.wrong)
        report(board, options.player, errors, [play(board, options.player, seed, errors) for seed in seeds])
