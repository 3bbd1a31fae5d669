"""Exact values of positions, single guesses and the best ones, against trying everything."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from math import inf

import numpy as np
import pytest

from entropeg.codes import CodeSet, guesses, random_secret, score, secrets, weights
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search import values
from entropeg.search.values import PositionValues, Stop, can_value
from rooms import cases

BOARDS = ["3x4", "4x3", "3x4/black", "3x5/no-repeats", "3x3/blanks", "2x6", "5x2", "3x4/prior=distinct"]
BOARDS += ["3x4/positional", "4x2/positional", "3x3/membership", "2x6/shapes=3", "3x3/blanks/positional"]


def trying_everything(rules: Rules) -> Callable[[CodeSet, Code, int | None], float]:
    """The total of a set of codes where a guess is played first, by trying everything afterwards."""
    codes, tried = list(secrets(rules)), list(guesses(rules))
    place = {code: row for row, code in enumerate(tried)}
    labels = np.array([[score(guess, code, rules) for code in codes] for guess in tried], object)
    names = {label: number for number, label in enumerate({tuple(x) for row in labels for x in row})}
    numbered = np.array([[names[tuple(label)] for label in row] for row in labels])
    win = names[tuple(score(codes[0], codes[0], rules))]
    weight = np.ones(len(codes)) if rules.prior is None else weights(rules)

    @cache
    def after(left: tuple[int, ...], guess: int, d: int | None) -> float:
        here = np.array(left)
        row = numbered[guess, here]
        parts = [tuple(here[row == label].tolist()) for label in np.unique(row).tolist() if label != win]
        if d is None and any(len(part) == len(left) for part in parts):
            return inf
        return float(weight[here].sum()) + sum(least(part, None if d is None else d - 1) for part in parts)

    @cache
    def least(left: tuple[int, ...], d: int | None) -> float:
        if d == 0:
            return inf
        if len(left) == 1:
            return float(weight[left[0]])
        return min(after(left, guess, d) for guess in range(len(tried)))

    def total(left: CodeSet, guess: Code, d: int | None) -> float:
        rows = [codes.index(code) for code in left]
        return after(tuple(row for row in rows if weight[row]), place[guess], d)

    return total


def positions(rules: Rules, games: int, most: int = 16) -> list[Position]:
    """Positions of a few codes after random guesses, of one code too."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(games):
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(5):
            if 1 <= len(position.candidates) <= most:
                found.append(position)
            guess = tuple(guesses(rules)[int(rng.integers(rules.guess_count))])
            position = position.after(guess, score(guess, secret, rules))
    return found


@pytest.mark.parametrize("board", BOARDS)
def test_values_are_those_by_trying_everything(board: str) -> None:
    rules = Rules.parse(board)
    total_of, rng = trying_everything(rules), np.random.default_rng(3)
    compared = 0
    for position in positions(rules, cases(2, 20)):
        for is_all in (True, False):
            asked = PositionValues(position.candidates, position.turns, is_all=is_all)
            unit = asked.mass / float(weights(rules)[position.candidates.ranks].sum()) if rules.prior else 1.0
            with asked.opened():
                value = asked.value()
                best, is_proven = asked.best(3)
                tried = [tuple(guesses(rules)[int(row)]) for row in rng.integers(rules.guess_count, size=4)]
                tried += [guess for guess, _ in best]
                found = [asked.after(guess) for guess in tried]
                followed = asked.followed()
            assert value.is_exact
            assert is_proven
            every = {guess: total_of(position.candidates, guess, None) * unit for guess in guesses(rules)}
            assert value.lower == pytest.approx(min(every.values()))
            assert best[0][1] == value.lower
            assert followed is not None
            assert followed >= value.lower
            assert [total for _, total in best] == pytest.approx([every[guess] for guess, _ in best])
            for guess, total in zip(tried, found, strict=True):
                assert total.is_exact
                if every[guess] < inf:
                    assert total.lower == pytest.approx(every[guess])
                else:  # it tells nothing, and costs a guess
                    assert total.lower == asked.mass + value.lower
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("board", ["3x4", "3x5/no-repeats", "4x3"])
def test_a_limit_is_kept_or_said_to_be_impossible(board: str) -> None:
    rules = Rules.parse(board)
    total_of = trying_everything(rules)
    seen = set()
    for position in positions(rules, 5, most=14):
        for left in (1, 2, 3):
            asked = PositionValues(position.candidates, position.turns, left)
            with asked.opened():
                value = asked.value()
                first = guesses(rules)[0]
                after = asked.after(first)
            least = min(total_of(position.candidates, guess, left) for guess in guesses(rules))
            seen.add(least == inf)
            assert value.is_exact
            assert (value.lower if value.lower < asked.infinite else inf) == least
            expected = total_of(position.candidates, first, left)
            assert (after.lower if after.lower < asked.infinite else inf) == expected
    assert seen == {True, False}


def test_codes_of_one_position_do_without_the_labels_of_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[Position, list[object]] = {}
    for most in (values.BOARD_BYTES, 0):
        monkeypatch.setattr(values, "BOARD_BYTES", most)
        for name in ("4x6", "4x5/blanks", "4x6/no-repeats"):
            for position in positions(Rules.parse(name), 3, most=60):
                asked = PositionValues(position.candidates, position.turns)
                with asked.opened():
                    best, _ = asked.best(5)
                    found.setdefault(position, []).append((asked.value(), [total for _, total in best]))
    assert len(found) > 15
    assert all(one == other for one, other in found.values())


def test_a_search_that_was_stopped_anywhere_leaves_nothing_wrong_behind() -> None:
    rules = Rules.parse("4x7")
    position = Position(rules, ["AABB X"])
    history = position.turns
    rng = np.random.default_rng(2)
    values.forget()
    whole = PositionValues(position.candidates, history)
    for seconds in rng.uniform(0.0001, 0.03, 25):
        with whole.opened(), whole.board.stop.after(float(seconds)):
            told = whole.value(), whole.best(4), whole.after((0, 0, 0, 0))
        if told[0].is_exact and told[1][0]:  # the second question may have been stopped
            assert told[0].lower == told[1][0][0][1]
    assert not whole.board.stop.is_set
    with whole.opened():
        found = whole.value(), whole.best(4), whole.after((0, 0, 0, 0))
    values.forget()
    fresh = PositionValues(position.candidates, history)
    with fresh.opened():
        assert found == (fresh.value(), fresh.best(4), fresh.after((0, 0, 0, 0)))
    assert found[1][1]


def test_what_is_within_reach() -> None:
    reached = ["2x2", "4x6", "5x8", "4x10/no-repeats", "6x6", "5x8/black"]
    reached += ["5x8/positional", "4x6/membership", "3x16/shapes=4", "words:english"]
    assert all(can_value(Rules.parse(name), 500) for name in reached)
    beyond = ["6x6/positional", "7x10", "12x12"]
    assert not any(can_value(Rules.parse(name), 500) for name in beyond)
    assert not can_value(Rules.parse("5x8"), 32768)


def test_an_exception_of_what_is_run_is_raised_and_its_result_returned() -> None:
    stop = Stop()
    assert stop.run(lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        stop.run(lambda: 1 // 0)


INTERRUPTED = """
import os, signal, threading
from entropeg.position import Position
from entropeg.search.values import PositionValues

def asked(*turns):
    position = Position("5x6", turns)
    return PositionValues(position.candidates, position.turns)

def value(values):
    with values.opened(), values.board.stop.after(60):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        return values.value().is_exact

first = asked()
try:
    first.board.stop.run(lambda: value(first))
except KeyboardInterrupt:
    later = asked("AABBC X", "ADDEF XX", "DEAFC XO")
    with later.opened():
        print("interrupted", later.board is first.board, later.board.stop.run(later.value).is_exact)
"""


def test_ctrl_c_ends_a_search_and_the_next_question_is_answered() -> None:
    # In a program of its own: where tests share work among processes they run beside the main thread.
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.split() == ["interrupted", "True", "True"], done.stderr[-500:]
