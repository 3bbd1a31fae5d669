"""Contradictions explained: how often the wrong row comes first, how honest its probability is, and the time it takes.

Run: python benchmarks/bench_mistakes.py [GAMES] [BOARD ...]

GAMES (1000) on each board with one planted slip, drawn as the model of `entropeg.advise.slips` states: live (play goes
on from the wrong row, with guesses drawn from the codes that fit), and afterwards, in the notes of a finished game, by
consistent and by careless players (one guess in four is drawn from all codes). Only slips that lead to a contradiction
count. Live the guess that is written is the one that was proposed, and another one was laid. Then pairs of slips live,
and at most a hundred games each on boards whose codes cannot be listed, with guesses by `auto`.
`said > was`: how probable the first row was said to be, and how often it was right, in fifths of the probability.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np
from machine import machine

from entropeg.advise import explain
from entropeg.advise.fitting import fitter_of
from entropeg.advise.slips import (
    SHARES,
    SlipKind,
    colors_exchanged,
    feedbacks_one_off,
    neighbors_exchanged,
    pegs_misread,
)
from entropeg.codes import random_secret, secrets
from entropeg.feedback import Code, score_trusted, win_feedback
from entropeg.position import Position, Turn
from entropeg.rules import Rules

LISTED = ("4x6", "4x8", "5x8", "bulls-and-cows")
SEARCHED = ("12x12", "20x20")
MOST_TURNS = 12
CARELESS = 0.25


def variants_of(kind: SlipKind, turn: Turn, rules: Rules) -> list[Turn]:
    """Ways in which one row goes wrong by itself."""
    guess, feedback = turn
    if kind is SlipKind.feedback_one_off:
        return [Turn(guess, other) for other in feedbacks_one_off(feedback, rules)]
    if kind is SlipKind.colors_exchanged:
        exchanged = colors_exchanged(feedback, rules)
        return [Turn(guess, exchanged)] if exchanged else []
    changed = neighbors_exchanged if kind is SlipKind.neighbors_exchanged else pegs_misread
    return [Turn(code, feedback) for code in changed(guess, rules)]


def picked(kind: SlipKind, turn: Turn, rules: Rules, rng: np.random.Generator) -> Turn | None:
    """One of them, or the row of another game; None where there is none."""
    if kind is SlipKind.foreign_row:
        return Turn(turn.guess, score_trusted(turn.guess, random_secret(rules, rng), rules))
    variants = variants_of(kind, turn, rules)
    return variants[int(rng.integers(len(variants)))] if variants else None


def drawn_kind(rng: np.random.Generator) -> SlipKind:
    """A kind, as often as the model says."""
    return list(SHARES)[int(rng.choice(len(SHARES), p=list(SHARES.values())))]


def slipped(rows: list[Turn], rules: Rules, rng: np.random.Generator) -> tuple[list[Turn], set[int]] | None:
    """Rows with one mistake and where it is; None where the mistake drawn is not possible there."""
    kind, changed, row = drawn_kind(rng), list(rows), int(rng.integers(len(rows)))
    if kind is SlipKind.feedbacks_exchanged:
        if len(rows) < 2:
            return None
        one, other = sorted(rng.choice(len(rows), 2, replace=False).tolist())
        changed[one] = Turn(rows[one].guess, rows[other].feedback)
        changed[other] = Turn(rows[other].guess, rows[one].feedback)
        return changed, {one, other}
    found = picked(kind, rows[row], rules, rng)
    if found is None:
        return None
    changed[row] = found
    return changed, {row}


def answered(kind: SlipKind, guess: Code, secret: Code, rules: Rules, rng: np.random.Generator) -> Turn | None:
    """A row that goes wrong live: a wrong guess is what was laid on the board, and the proposed one is written."""
    if kind in {SlipKind.neighbors_exchanged, SlipKind.peg_misread}:
        laid = picked(kind, Turn(guess, win_feedback(rules)), rules, rng)
        return None if laid is None else Turn(guess, score_trusted(laid.guess, secret, rules))
    return picked(kind, Turn(guess, score_trusted(guess, secret, rules)), rules, rng)


class Player:
    """Guesses at random among the codes that fit the rows, or, where `careless`, now and then among all."""

    def __init__(self, rules: Rules, rng: np.random.Generator, careless: float = 0.0) -> None:
        self.rules, self.rng, self.careless = rules, rng, careless

    def guess(self, rows: list[Turn]) -> Code | None:
        """A guess, or None where no code fits."""
        if self.rng.random() < self.careless:
            return random_secret(self.rules, self.rng)
        codes = secrets(self.rules).consistent(rows) if rows else secrets(self.rules)
        return codes[int(self.rng.integers(len(codes)))] if len(codes) else None


def live(rules: Rules, rng: np.random.Generator, mistakes: int) -> tuple[Position, set[int]] | None:
    """A game that goes on from wrong rows until nothing fits; None where that never happens."""
    player, secret, rows = Player(rules, rng), random_secret(rules, rng), list[Turn]()
    wrong = dict.fromkeys(rng.choice(MOST_TURNS, mistakes, replace=False).tolist())
    kinds = {row: drawn_kind(rng) for row in wrong}
    noticed = set[int]()
    while len(rows) < MOST_TURNS:
        guess, row = player.guess(rows), len(rows)
        if guess is None:
            return (Position(rules, rows), noticed) if len(noticed) >= mistakes else None
        turn: Turn | None = Turn(guess, score_trusted(guess, secret, rules))
        if kinds.get(row) is SlipKind.feedbacks_exchanged and row:
            # Any earlier row: as many pairs end here as there are rows before, which a draw leaves to the others.
            other = int(rng.integers(MOST_TURNS - 1))
            if other >= row or other in noticed:
                return None
            assert turn is not None
            rows[other], turn = Turn(rows[other].guess, turn.feedback), Turn(guess, rows[other].feedback)
            noticed |= {other, row}
        elif row in kinds:
            turn = answered(kinds[row], guess, secret, rules, rng)
            noticed.add(row)
        elif guess == secret:
            return None
        if turn is None:
            return None
        rows.append(turn)
    return None


def afterwards(rules: Rules, rng: np.random.Generator, careless: float) -> tuple[Position, set[int]] | None:
    """The notes of a finished game with one mistake; None where they do not contradict each other."""
    player, secret, rows = Player(rules, rng, careless), random_secret(rules, rng), list[Turn]()
    while not rows or rows[-1].feedback != win_feedback(rules):
        guess = player.guess(rows)
        assert guess is not None
        rows.append(Turn(guess, score_trusted(guess, secret, rules)))
    found = slipped(rows, rules, rng)
    if found is None:
        return None
    position = Position(rules, found[0])
    return None if len(position.candidates) else (position, found[1])


def measure(board: str, games: int, name: str) -> None:
    """One line of the table."""
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    first, third, said, tried, done = 0, 0, 0.0, 0, 0
    labels, rest = list[float](), list[float]()
    bins: dict[int, list[tuple[float, bool]]] = {}
    while done < games:
        tried += 1
        is_live = name in {"live", "pairs"}
        careless = CARELESS if name == "careless" else 0.0
        made = live(rules, rng, 1 + (name == "pairs")) if is_live else afterwards(rules, rng, careless)
        if made is None:
            continue
        position, wrong = made
        if name == "pairs" and explain(position).mistakes == 1:
            continue
        done += 1
        started = perf_counter()
        fitter_of(rules, position.turns, 1, 1)
        labels.append(perf_counter() - started)
        started = perf_counter()
        told = explain(position, "live" if is_live else "afterwards")
        rest.append(perf_counter() - started - labels[-1])
        named = [suspect.row for suspect in told.rows]
        is_first = bool(named) and named[0] in wrong
        first, third = first + is_first, third + bool(wrong & set(named[:3]))
        share = told.rows[0].probability if told.rows else 0.0
        said += share
        bins.setdefault(min(int(share * 5), 4), []).append((share, is_first))
    shown = "; ".join(
        f"{100 * np.mean([s for s, _ in pairs]):.0f}>{100 * np.mean([r for _, r in pairs]):.0f} ({len(pairs)})"
        for _, pairs in sorted(bins.items())
    )
    print(
        f"{board} {name}: first {100 * first / games:.1f} %, said {100 * said / games:.1f} %, in three "
        f"{100 * third / games:.1f} %; of {tried} slips; labels {1000 * np.median(labels):.1f} ms, the rest "
        f"{1000 * np.median(rest):.1f} ms, at most {1000 * max(rest):.0f} ms; said > was {shown}",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """Print the table."""
    games = int(arguments[0]) if arguments and arguments[0].isdecimal() else 1000
    boards = [each for each in arguments if not each.isdecimal()] or [*LISTED]
    print(f"{machine()}; {games} games a line")
    for board in boards:
        for name, number in (("live", games), ("consistent", games), ("careless", games), ("pairs", games // 10)):
            measure(board, number, name)


if __name__ == "__main__":
    main(sys.argv[1:])
