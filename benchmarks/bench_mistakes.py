"""Contradictions explained: how often the wrong row comes first, how honest its probability is, and the time it takes.

Run: python benchmarks/bench_mistakes.py [GAMES] [seed=N] [BOARD ...]

GAMES (1000) on each board with one planted slip, drawn as the model of `entropeg.advise.slips` states: live (play goes
on from the wrong row, with guesses drawn from the codes that fit), and afterwards, in the notes of a finished game, by
consistent and by careless players (one guess in four is drawn from all codes). Only slips that lead to a contradiction
count. Live the guess that is written is the one that was proposed, and another one was laid. Then two slips, live and
afterwards, where no single one explains the notes: a tenth of the games. On boards whose codes cannot be listed at most
a hundred games live, with guesses by `sampling`. Times are of the processor, which other programs do not lengthen.
`said > was`: how probable the first row was said to be, and how often it was right, in fifths of the probability.
"""

from __future__ import annotations

import sys
from collections import Counter
from time import perf_counter, process_time

import numpy as np
from machine import machine

from entropeg import codebreakers
from entropeg.advise import Notes, explain
from entropeg.advise.contradictions import SituationName
from entropeg.advise.row_search import fitter_of
from entropeg.advise.rows import is_known
from entropeg.advise.slips import (
    SHARES,
    SlipKind,
    neighbors_exchanged,
    noted_in,
    numbers_exchanged,
    numbers_of,
    numbers_one_off,
    pegs_misread,
    told_of,
)
from entropeg.codes import random_secret, secrets
from entropeg.errors import ContradictionError
from entropeg.feedback import Code, score_trusted, win_feedback
from entropeg.position import Position, Turn
from entropeg.rules import Rules

LISTED = ("4x6", "4x8", "5x8", "bulls-and-cows")
SEARCHED = ("12x12", "20x20")
MOST_TURNS = 12
CARELESS = 0.25

ROWS = 8
"""Live, two slips are planted in so many rows, and not looked at before the last of them: at the first row that
contradicts the others one mistake, in that row, always explains it."""


def variants_of(kind: SlipKind, turn: Turn, rules: Rules) -> list[Turn]:
    """Ways in which one row goes wrong by itself."""
    guess, feedback = turn
    numbers = numbers_of(feedback)
    if kind is SlipKind.feedback_one_off:
        others = numbers_one_off(numbers, noted_in(numbers, rules), rules)
        return [Turn(guess, told_of(each, rules)[0]) for each in others]  # type: ignore[arg-type]
    if kind is SlipKind.colors_exchanged:
        others = numbers_exchanged(numbers, rules)
        return [Turn(guess, told_of(each, rules)[0]) for each in others]  # type: ignore[arg-type]
    changed = neighbors_exchanged if kind is SlipKind.neighbors_exchanged else pegs_misread
    return [Turn(code, feedback) for code in changed(guess, rules) if is_known(code)]


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
        self.rows, self.codes = list[Turn](), secrets(rules)

    def guess(self, rows: list[Turn]) -> Code | None:
        """A guess, or None where no code fits."""
        if self.rng.random() < self.careless:
            return random_secret(self.rules, self.rng)
        is_next = rows[: len(self.rows)] == self.rows
        codes, start = (self.codes, len(self.rows)) if is_next else (secrets(self.rules), 0)
        codes = codes.consistent(rows[start:]) if rows[start:] else codes
        self.rows, self.codes = list(rows), codes
        return codes[int(self.rng.integers(len(codes)))] if len(codes) else None


class Sampler:
    """The same on boards whose codes cannot be listed."""

    def __init__(self, rules: Rules, rng: np.random.Generator) -> None:
        self.rules, self.rng, self.player = rules, rng, codebreakers.get("sampling")

    def guess(self, rows: list[Turn]) -> Code | None:
        """A guess, or None where no code fits."""
        try:
            return self.player.guess(Position(self.rules, rows), self.rng)
        except ContradictionError:
            return None


def live(player: Player | Sampler, mistakes: int, most_turns: int) -> tuple[Position, set[int]] | None:
    """A game that goes on from wrong rows until nothing fits; None where that never happens."""
    rules, rng = player.rules, player.rng
    secret, rows, wrong = random_secret(rules, rng), list[Turn](), set[int]()
    places = rng.choice(most_turns if mistakes == 1 else ROWS, mistakes, replace=False).tolist()
    kinds = {place: drawn_kind(rng) for place in places}
    while len(rows) < most_turns:
        guess = player.guess(rows)
        if guess is None and mistakes == 2 and len(rows) < ROWS:
            guess = random_secret(rules, rng)
        elif guess is None:
            return (Position(rules, rows), wrong) if len(wrong) >= mistakes else None
        at, turn = len(rows), Turn(guess, score_trusted(guess, secret, rules))
        if at not in kinds and guess == secret:
            return None
        if kinds.get(at) is SlipKind.feedbacks_exchanged:
            if not at:
                return None
            other = int(rng.integers(at))
            rows[other], turn = Turn(rows[other].guess, turn.feedback), Turn(guess, rows[other].feedback)
            wrong |= {other, at}
        elif at in kinds:
            slip = answered(kinds[at], guess, secret, rules, rng)
            if slip is None:
                return None
            turn, wrong = slip, wrong | {at}
        rows.append(turn)
    return None


def afterwards(
    rules: Rules, rng: np.random.Generator, careless: float, mistakes: int
) -> tuple[Position, set[int]] | None:
    """The notes of a finished game with mistakes; None where they do not contradict each other."""
    player, secret, rows = Player(rules, rng, careless), random_secret(rules, rng), list[Turn]()
    while not rows or rows[-1].feedback != win_feedback(rules):
        guess = player.guess(rows)
        assert guess is not None
        rows.append(Turn(guess, score_trusted(guess, secret, rules)))
    wrong = set[int]()
    for _ in range(mistakes):
        found = slipped(rows, rules, rng)
        if found is None or wrong & found[1]:
            return None
        rows, wrong = found[0], wrong | found[1]
    position = Position(rules, rows)
    return None if len(position.candidates) else (position, wrong)


def drawn(name: str, rules: Rules, rng: np.random.Generator) -> tuple[Position, set[int]] | None:
    """Contradictory rows and which are wrong; None where the mistakes drawn are not noticed."""
    mistakes = 2 if "pairs" in name else 1
    if "live" in name:
        found = live(Player(rules, rng), mistakes, MOST_TURNS)
    else:
        found = afterwards(rules, rng, CARELESS if name == "careless" else 0.0, mistakes)
    return None if found and mistakes == 2 and explain(found[0]).mistakes == 1 else found


def measure(board: str, games: int, name: str, seed: int) -> None:
    """One line of the table."""
    rules, rng = Rules.parse(board), np.random.default_rng(seed)
    situation: SituationName = "live" if "live" in name else "afterwards"
    tried, labels, rest = 0, list[float](), list[float]()
    explain(Position(rules, [(secrets(rules)[0], win_feedback(rules)), (secrets(rules)[1], win_feedback(rules))]))
    first, third = list[tuple[float, bool]](), 0
    while len(first) < games:
        tried += 1
        made = drawn(name, rules, rng)
        if made is None:
            continue
        position, wrong = made
        started = process_time()
        fitter_of(rules, Notes.of(position).rows, 1, 1)
        labels.append(process_time() - started)
        started = process_time()
        told = explain(position, situation)
        rest.append(process_time() - started - labels[-1])
        named = [suspect.row for suspect in told.rows]
        first.append((told.rows[0].probability, named[0] in wrong) if named else (0.0, False))
        third += bool(wrong & set(named[:3]))
    said, was = (100 * np.mean([float(pair[place]) for pair in first]) for place in (0, 1))
    print(
        f"{board} {name}: first {was:.1f} %, said {said:.1f} %, in three {100 * third / games:.1f} %; {games} of "
        f"{tried} noticed; labels {1000 * np.median(labels):.1f} ms, the rest {1000 * np.median(rest):.1f} ms, at most "
        f"{1000 * max(rest):.0f} ms; said > was {calibration(first)}",
        flush=True,
    )


def calibration(first: list[tuple[float, bool]]) -> str:
    """In fifths of the probability of the first row: what was said, how often it was right, and of how many."""
    shown = []
    for fifth in range(5):
        some = [(said, was) for said, was in first if min(int(said * 5), 4) == fifth]
        if some:
            said, was = (100 * np.mean([float(pair[place]) for pair in some]) for place in (0, 1))
            shown.append(f"{said:.0f} > {was:.0f} ({len(some)})")
    return ", ".join(shown)


def measure_searched(board: str, games: int, seed: int) -> None:
    """The line of a board whose codes cannot be listed: live, until the player says that nothing fits."""
    rules, rng = Rules.parse(board), np.random.default_rng(seed)
    player, times, walls, tally = Sampler(rules, rng), list[float](), list[float](), Counter[str]()
    first = list[tuple[float, bool]]()
    while len(times) < games:
        made = live(player, 1, 2 * rules.pegs)
        if made is None:
            continue
        position, wrong = made
        started, started_wall = process_time(), perf_counter()
        told = explain(position)
        times.append(process_time() - started)
        walls.append(perf_counter() - started_wall)
        named = [suspect.row for suspect in told.rows]
        first += [(told.rows[0].probability, named[0] in wrong)] if named else []
        tally["named first"] += bool(wrong & set(named[:1]))
        tally["named later"] += bool(wrong & set(named)) and not wrong & set(named[:1])
        tally["undecided"] += not wrong & set(named) and bool(wrong & set(told.undecided))
        tally["neither"] += not wrong & {*named, *told.undecided}
        tally["only another row named"] += not wrong & {*named, *told.undecided} and bool(named)
        tally["not proved"] += not told.is_proved
    said = ", ".join(f"{name} {number}" for name, number in tally.items())
    print(
        f"{board} live: {said} of {games}; {np.median(times):.1f} s, at most {max(times):.1f} s (of the clock "
        f"{max(walls):.1f} s); said > was {calibration(first)}",
        flush=True,
    )


def main(arguments: list[str]) -> None:
    """Print the table."""
    seed = next((int(each[5:]) for each in arguments if each.startswith("seed=")), 1)
    games = next((int(each) for each in arguments if each.isdecimal()), 1000)
    boards = [each for each in arguments if not each.isdecimal() and "=" not in each] or [*LISTED, *SEARCHED]
    print(f"{machine()}; {games} games a line, seed {seed}", flush=True)
    for board in boards:
        if board in SEARCHED:
            measure_searched(board, min(games, 100), seed)
            continue
        for name in ("live", "consistent", "careless", "pairs live", "pairs afterwards"):
            measure(board, games // 10 if "pairs" in name else games, name, seed)


if __name__ == "__main__":
    main(sys.argv[1:])
