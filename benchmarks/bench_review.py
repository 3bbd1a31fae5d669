"""Reviews of games: how long they take, what marks built-in players get, how often a level is right.

Run: python benchmarks/bench_review.py [times] [marks] [level] [table] (all of them by default)

`times`: GAMES of `consistent` on each board, reviewed one after the other in this process, which has reviewed one game
of another seed before: processor and clock seconds a game, and how many of them were exact throughout.
`marks`: every secret of 4x6, or `SAMPLE` seeded games of players that draw at random, as percentages of the guesses
that had a choice; of all guesses those that had none; and the mean loss, beside the total of the tree less the optimum.
`level`: seeded games of each player, 1, 3 and 10 at a time: how often the range holds the player, how often the nearest
player is it.
`table`: a thousand games of 4x6 in processes, one a core.
"""

from __future__ import annotations

import sys
from collections import Counter
from statistics import fmean
from time import perf_counter, process_time

import numpy as np
from machine import machine

from entropeg import codebreakers
from entropeg.codes import format_code, secrets
from entropeg.game import Game
from entropeg.loop import play
from entropeg.review import Mark, Totals, review, review_games
from entropeg.review.account import Review
from entropeg.review.level import PLAYERS, guesses_of, placed, player_losses
from entropeg.rules import Rules

BOARDS = {"4x6": 40, "4x8": 20, "bulls-and-cows": 12, "5x8": 6, "8x12": 3, "20x20": 2}
SAMPLE = 300
TABLE = 1000
TRIES = 60


def games_of(name: str, rules: Rules, number: int, seed: int = 0) -> list[Game]:
    """Seeded games against the honest codemaker."""
    return [play(name, "honest", rules, seed=seed + game) for game in range(number)]


def times(board: str, games: int) -> None:
    """Seconds for a game, once the board is known."""
    rules = Rules.parse(board)
    player = "auto" if rules.secret_count > 40_000 else "consistent"
    review(games_of(player, rules, 1, seed=1000)[0].position)
    clock, processor, exact = [], [], 0
    for game in games_of(player, rules, games):
        began, spent = perf_counter(), process_time()
        told = review(game.position)
        clock.append(perf_counter() - began)
        processor.append(process_time() - spent)
        exact += told.is_exact
    print(
        f"{board:>15}: {games} games of {player}: clock {fmean(clock):.3f} s (most {max(clock):.3f}), "
        f"processor {fmean(processor):.3f} s, {exact} exact throughout",
        flush=True,
    )


def marks(name: str, board: str) -> None:
    """Shares of marks, and the mean loss."""
    rules = Rules.parse(board)
    if getattr(codebreakers.get(name), "deterministic", False):
        games = [play(name, f"honest:{format_code(secret, rules)}", rules) for secret in secrets(rules)]
    else:
        games = games_of(name, rules, SAMPLE)
    reviews = [one for one in review_games([game.position for game in games]) if isinstance(one, Review)]
    totals, shares = Totals.of(reviews), Totals.of(reviews).shares()
    told = ", ".join(f"{100 * shares[mark]:.1f} {mark.value}" for mark in Mark)
    forced = 100 * totals.unmarked / (totals.unmarked + sum(totals.marks.values()))
    ledger = ""
    if len(games) == rules.secret_count:
        by_tree = int(guesses_of(name, rules).sum()) - round(totals.par * rules.secret_count)
        ledger = f" (by the tree {by_tree / rules.secret_count:.4f})"
    print(f"{board} {name:>16}: % {told}; without choice {forced:.0f} %; lost {totals.loss:.4f}{ledger}", flush=True)


def levels(board: str) -> None:
    """How often the level names the player."""
    rules = Rules.parse(board)
    par = review(games_of("consistent", rules, 1)[0].position).par
    known = player_losses(rules, par)
    rng = np.random.default_rng(1)
    print(board, ", ".join(f"{one.name} {one.loss:.3f}" for one in known), flush=True)
    for name in PLAYERS:
        found = review_games([game.position for game in games_of(name, rules, SAMPLE, seed=500)])
        losses = [one.loss.value for one in found if isinstance(one, Review)]
        own = next(one.loss for one in known if one.name == name)
        for number in (1, 3, 10):
            right: Counter[str] = Counter()
            for _ in range(TRIES):
                told = placed(rng.choice(losses, number).tolist(), known)
                nearest = min(known, key=lambda one: abs(one.loss - told.loss))
                right["nearest"] += nearest.name == name
                right["interval"] += abs(own - told.loss) <= told.error
            print(
                f"  {name}, {number} games: nearest player right {100 * right['nearest'] / TRIES:.0f} %, "
                f"interval holds it {100 * right['interval'] / TRIES:.0f} %",
                flush=True,
            )


def table() -> None:
    """A thousand games at once."""
    positions = [game.position for game in games_of("consistent", Rules.parse("4x6"), TABLE)]
    began = perf_counter()
    review_games(positions)
    print(f"{TABLE} games of 4x6 as a table: {perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    wanted = set(sys.argv[1:]) or {"times", "marks", "level", "table"}
    print(machine())
    if "times" in wanted:
        for one, count in BOARDS.items():
            times(one, count)
    if "marks" in wanted:
        for player in (*PLAYERS, "expected-size"):
            marks(player, "4x6")
    if "level" in wanted:
        levels("4x6")
    if "table" in wanted:
        table()
