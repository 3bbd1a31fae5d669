"""The best guesses of a set, all in one exact search, against the totals of every guess by trying everything."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg.codes import guesses, random_secret, score, secrets
from entropeg.feedback import label_of
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.exchanges import kinds_of
from entropeg.search.exact.fields import UNLIMITED
from entropeg.search.exact.layout import Layout, new_words
from entropeg.search.preparing import layout_options, rows_of
from rooms import cases

BOARDS = ["3x4", "4x3", "3x4/black", "3x5/no-repeats", "3x3/blanks", "2x6", "5x2"]
BOARDS += ["3x4/positional", "4x2/positional", "3x4/membership", "2x6/shapes=2"]


def layout_of(rules: Rules, *, weighted: bool) -> Layout:
    plain = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))
    weight = np.random.default_rng(7).integers(1, 50, len(plain.secrets)).astype(np.int64)
    return plain.weighted(weight, *kinds_of(plain, weight)) if weighted else plain


def totals_of(layout: Layout) -> Callable[[tuple[int, ...], int], int]:
    """The total of a set where a guess is played first, by trying everything afterwards."""
    labels, win = layout.arrays["by_guess"].tolist(), layout.win
    weight = layout.arrays["weight"] if layout.is_weighted else np.ones(len(layout.secrets), np.int64)
    weights: list[int] = weight.tolist()

    @cache
    def after(left: tuple[int, ...], guess: int) -> int:
        parts: dict[int, list[int]] = {}
        for code in left:
            parts.setdefault(labels[guess][code], []).append(code)
        parts.pop(win, None)
        if any(len(part) == len(left) for part in parts.values()):
            return int(layout.infinite)
        return sum(weights[code] for code in left) + sum(least(tuple(part)) for part in parts.values())

    @cache
    def least(left: tuple[int, ...]) -> int:
        return min(after(left, guess) for guess in range(len(labels)))

    return after


def positions(rules: Rules, games: int) -> list[Position]:
    """Positions of 3 to 24 codes after random guesses."""
    rng = np.random.default_rng(11)
    found = []
    for _ in range(games):
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(4):
            if 3 <= len(position.candidates) <= 24:
                found.append(position)
            guess = tuple(guesses(rules)[int(rng.integers(rules.guess_count))])
            position = position.after(guess, score(guess, secret, rules))
    return found


def ranked(layout: Layout, position: Position, number: int) -> tuple[NDArray[np.int32], list[tuple[int, int]], int]:
    """(codes of the set, best guesses with their totals, bound of all others)."""
    memory = layout.memory(
        {"stop": np.zeros(1, np.int64), "table": layout.table(1 << 20), "shared": new_words(layout.infinite)}
    )
    answers = [(turn.guess, label_of(turn.feedback, position.rules)) for turn in position.turns]
    engine.behind(memory, layout.number_turns(answers))
    codes = layout.in_order(layout.number_secrets(rows_of(position.candidates)))
    memory.stack[: len(codes)] = codes
    mixed = int(np.bitwise_xor.reduce(layout.zobrist[codes]))
    return codes, *engine.ranking(memory, len(codes), UNLIMITED, 0, mixed, number)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("board", BOARDS)
def test_the_best_guesses_are_those_of_least_total(board: str, weighted: bool) -> None:
    rules = Rules.parse(board)
    layout = layout_of(rules, weighted=weighted)
    after = totals_of(layout)
    compared = 0
    for position in positions(rules, cases(3, 20)):
        for number in (1, 3, 10):
            codes, found, rest = ranked(layout, position, number)
            left = tuple(sorted(codes.tolist()))
            totals = sorted(after(left, guess) for guess in range(len(layout.guesses)))
            assert [total for total, _ in found] == [after(left, guess) for _, guess in found]
            assert found == sorted(found, key=lambda one: one[0])
            assert found[0][0] == totals[0]
            # Each total up to the worst that is listed is listed: what is left out costs no less.
            worst = found[-1][0] if len(found) == number else layout.infinite
            listed = {total for total, _ in found}
            assert {total for total in totals if total < worst} <= listed
            assert rest >= worst or len(found) < number
            compared += 1
    assert compared >= 6
