"""Advice measured: seconds by turn, and how much of it is exact and proven.

Run: python benchmarks/bench_advice.py [speed|openings|estimates] [GAMES]

`speed`: GAMES (40) games of a player who draws guesses from the codes that fit; at each turn the ten best guesses are
asked for, within two seconds. The tables of a board are kept from game to game, as in a session. `openings`: all
opening classes. `estimates`: on GAMES / 2 positions a row, by how much estimates of guesses are more than the exact
numbers, and the share of those within the error that is stated: of strategies of the exact search, of strategies that
are played through by labels alone, and of the curve through some parts. Two guesses of each position: the best by the
estimate, and the fourth.
Times are of the clock, after everything has been compiled.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from time import perf_counter
from unittest.mock import patch

import numpy as np
from machine import machine

from entropeg import codebreakers
from entropeg.advise import advise
from entropeg.advise.expectation import Expectation
from entropeg.advise.question import AdviceQuestion, NotedPosition
from entropeg.advise.ranking import listed
from entropeg.advise.ranking.ranker import of_strategy
from entropeg.advise.ranking.searched import GREEDY
from entropeg.codes import format_code, random_secret, score
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules

BOARDS = ("4x6", "4x8", "bulls-and-cows", "5x8")
OPENED = ("4x6", "4x7", "4x8", "bulls-and-cows", "5x8")
TURNS = 4
SEED = 20


def speed(games: int) -> None:
    """Print a row for each turn of each board."""
    player = codebreakers.get("consistent")
    print("board           turn  codes  median    p90    max   proven  value exact")
    for board in BOARDS:
        rules, rng = Rules.parse(board), np.random.default_rng(SEED)
        seconds, sizes, proven, exact = (defaultdict[int, list[float]](list) for _ in range(4))
        for _ in range(games if board != "5x8" else games // 2):
            secret, position = random_secret(rules, rng), Position(rules)
            for turn in range(1, TURNS + 1):
                guess = player.guess(position, rng)
                position = position.after(guess, score(guess, secret, rules))
                if position.is_over:
                    break
                sizes[turn].append(len(position.candidates))
                began = perf_counter()
                advice = advise(position)
                seconds[turn].append(perf_counter() - began)
                proven[turn].append(advice.is_proven)
                exact[turn].append(advice.value.is_exact)
        for turn, took in seconds.items():
            times = " ".join(f"{value:6.3f}" for value in (np.median(took), np.quantile(took, 0.9), max(took)))
            shares = f"{np.mean(proven[turn]):8.0%} {np.mean(exact[turn]):12.0%}"
            print(f"{board:<15} {turn:>4} {np.median(sizes[turn]):>6.0f}  {times} {shares}", flush=True)


def openings() -> None:
    """Print what each opening class is expected to take."""
    for board in OPENED:
        rules = Rules.parse(board)
        began = perf_counter()
        advice = advise(rules, limit=30)
        took = perf_counter() - began
        told = ", ".join(f"{format_code(one.guess, rules)} {one.expected} ({one.loss})" for one in advice.guesses)
        print(f"{board} in {took:.3f} s: {told}", flush=True)


ESTIMATED = {
    "strategy": ("4x6 1", "4x8 1", "bulls-and-cows 1", "bulls-and-cows 2", "5x8 3"),
    "played through": ("4x6 1", "4x8 2", "bulls-and-cows 2", "4x6/positional 1", "4x6/membership 2", "4x6/black 2"),
    "curve": ("4x6 1", "4x8 1", "bulls-and-cows 1", "4x6/positional 1", "4x6/membership 1", "4x6/black 1"),
}
"""What is estimated: board and turn."""
LEAST = 20
"""Fewer codes are no matter for estimates."""


def estimates_measured(games: int) -> None:
    """Print a row for each way of estimating, board and turn."""
    print("estimate        board            turn  codes  mean error     sd    2.5 %  97.5 %   within   seconds")
    for way, rows in ESTIMATED.items():
        for row in rows:
            board, turn = row.split()
            found = [_errors(way, position) for position in _some(board, int(turn), max(games // 2, 1))]
            gaps = np.array([gap for gaps, _, _ in found for gap, _ in gaps])
            within = np.mean([abs(gap) <= error for gaps, _, _ in found for gap, error in gaps])
            codes, seconds = (np.median([one[column] for one in found]) for column in (1, 2))
            low, high = np.quantile(gaps, [0.025, 0.975])
            spread = f"{gaps.mean():+11.3f} {gaps.std():6.3f}   {low:+6.3f}  {high:+6.3f} {within:8.0%} {seconds:9.3f}"
            print(f"{way:<15} {board:<16} {turn:>4} {codes:>6.0f} {spread}", flush=True)


def _some(board: str, turn: int, number: int) -> list[Position]:
    rules, rng = Rules.parse(board), np.random.default_rng(SEED)
    player, found = codebreakers.get("consistent"), list[Position]()
    while len(found) < number:
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(turn):
            guess = player.guess(position, rng)
            position = position.after(guess, score(guess, secret, rules))
        if not position.is_over and len(position.candidates) >= LEAST:
            found.append(position)
    return found


def _errors(way: str, position: Position) -> tuple[list[tuple[float, float]], int, float]:
    """(what each estimate is more than the exact number, with the error stated; codes; seconds)."""
    noted = NotedPosition.of(position, 0)
    began = perf_counter()
    told = _by_strategy(noted) if way == "strategy" else _by_labels(noted, is_curve=way == "curve")
    seconds = perf_counter() - began
    rated = advise(position, limit=1, also=list(told), time=20).also
    gaps = [
        (estimate.value - one.expected.value, estimate.error)
        for estimate, one in zip(told.values(), rated, strict=True)
        if one.expected.is_exact
    ]
    return gaps, len(noted.remaining.codes), seconds


def _by_strategy(noted: NotedPosition) -> dict[Code, Expectation]:
    values = noted.values()
    with values.opened():
        totals = {guess: values.followed(guess) or 0 for guess, _ in values.promising()[:4:3]}
    return {guess: of_strategy(total / values.mass, *GREEDY) for guess, total in totals.items()}


def _by_labels(noted: NotedPosition, *, is_curve: bool) -> dict[Code, Expectation]:
    with patch.multiple(listed, MOST_CODES=0, FOLLOWED_CODES=0 if is_curve else 10**6):
        return dict(listed.listed(AdviceQuestion(noted, 4, (), 1, SEED)).guesses[:4:3])


def main() -> None:
    """Measure what is asked for, or everything."""
    print(machine())
    asked = sys.argv[1] if len(sys.argv) > 1 else ""
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    advise(Position("4x6", ["AABB X"]))  # compiles
    if asked in {"", "openings"}:
        openings()
    if asked in {"", "speed"}:
        speed(games)
    if asked in {"", "estimates"}:
        estimates_measured(games)


if __name__ == "__main__":
    main()
