"""Bounds of sets of words by what is true of all their words: a letter at a place, elsewhere, or nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import LITTLE, NO_GUESS, SMALL, UNLIMITED
from entropeg.search.exact.layout import Layout, new_words
from entropeg.search.preparing import layout_options, rows_of


def most_parts(labels: np.ndarray, codes: np.ndarray, win: int) -> int:
    """The most parts that a guess leaves of a set, one more if it is one of the set; counted one by one."""
    rows = np.sort(labels[:, codes], axis=1)
    return int((1 + (rows[:, 1:] != rows[:, :-1]).sum(axis=1) + (rows == win).any(axis=1)).max())


@pytest.mark.parametrize("rules", ["words:english/positional", "words:english/pegs=6/positional"])
def test_the_bound_by_letters_is_that_of_all_guesses(rules: str) -> None:
    """An opening that is refuted by its large parts was bounded by the parts that all guesses make of these."""
    board = Rules.parse(rules)
    layout = Layout(rows_of(secrets(board)), rows_of(guesses(board)), **layout_options(board))
    start = layout.in_order(np.arange(len(layout.secrets)))
    memory = layout.memory(
        {"stop": np.zeros(1, np.int64), "shared": new_words(layout.infinite), "table": layout.table(1 << 20)}
    )
    n, bounded = len(start), 0
    for guess in range(len(layout.guesses) - 12, len(layout.guesses)):
        memory.stack[:n] = start
        engine.open_parts(memory, n, guess, layout.infinite, UNLIMITED)
        labels, lows = layout.arrays["by_guess"][guess, start], memory.arrays["low"][0]
        for label in range(layout.win):
            codes = start[labels == label]
            if len(codes) > SMALL:
                bounded += 1

                assert lows[label] >= 3 * len(codes) - most_parts(layout.arrays["by_guess"], codes, layout.win)
    assert bounded > 12
    assert (memory.arrays["fact_row"][:-1] < 0).any()


def test_no_bound_by_letters_is_above_the_total() -> None:
    """The bound of every large part of some openings is at most what its best strategy takes."""
    board = Rules.parse("words:english/positional")
    layout = Layout(rows_of(secrets(board)), rows_of(guesses(board)), **layout_options(board))
    start = layout.in_order(np.arange(len(layout.secrets)))
    common = {"stop": np.zeros(1, np.int64), "shared": new_words(layout.infinite), "table": layout.table(1 << 20)}
    memory, n = layout.memory(common), len(start)
    for guess in (0, 400, len(layout.guesses) - 1):
        memory.stack[:n] = start
        bound = engine.open_parts(memory, n, guess, layout.infinite, UNLIMITED)
        mixed = int(np.bitwise_xor.reduce(layout.zobrist[start]))
        total, _ = engine.solve(memory, start, layout.infinite, UNLIMITED, 0, mixed, only=guess)

        assert 2 * n - 1 < bound <= total < layout.infinite


def test_the_bound_of_drawn_sets_is_that_of_all_guesses() -> None:
    """Of words with a common letter, 21 to 60 of them, the bound is what the parts that all guesses make say."""
    board = Rules.parse("words:english/positional")
    layout = Layout(rows_of(secrets(board)), rows_of(guesses(board)), **layout_options(board))
    start = layout.in_order(np.arange(len(layout.secrets)))
    common = {"stop": np.zeros(1, np.int64), "shared": new_words(layout.infinite), "table": layout.table(1 << 20)}
    memory, random = layout.memory(common), np.random.default_rng(40)
    for guess in range(0, len(layout.guesses), 60):  # so that facts are counted
        memory.stack[: len(start)] = start
        engine.open_parts(memory, len(start), guess, layout.infinite, UNLIMITED)
    labels, answers = layout.arrays["by_guess"], []
    for _ in range(300):
        peg, letter = int(random.integers(5)), int(random.choice(layout.secrets[:, 0]))
        alike = np.flatnonzero(
            layout.secrets[:, peg] == letter if random.random() < 0.5 else (layout.secrets != letter).all(axis=1)
        )
        n = int(random.integers(LITTLE + 1, SMALL + 1))
        if len(alike) < n:
            continue
        codes = np.sort(random.choice(alike, n, replace=False)).astype(np.int32)
        memory.stack[:n] = codes
        found, is_exact = engine.part_bound(memory, n, UNLIMITED)
        most = most_parts(labels, codes, layout.win)

        assert (3 * n - most, most >= n) == (found, is_exact)
        answers.append(n)
    assert len(answers) > 150


def test_a_target_above_the_total_is_never_reached() -> None:
    """An opening is refuted for its own total, and not for one more."""
    board = Rules.parse("words:english/positional")
    layout = Layout(rows_of(secrets(board)), rows_of(guesses(board)), **layout_options(board))
    start = layout.in_order(np.arange(len(layout.secrets)))
    common = {"stop": np.zeros(1, np.int64), "shared": new_words(layout.infinite), "table": layout.table(1 << 20)}
    memory, mixed = layout.memory(common), int(np.bitwise_xor.reduce(layout.zobrist[start]))

    def solved(target: int) -> tuple[int, int]:
        return engine.solve(memory, start, target, UNLIMITED, 0, mixed, only=0)

    total, _ = solved(layout.infinite)

    assert (total, 0) == solved(total + 1)
    assert solved(total)[0] >= total
    assert NO_GUESS == solved(total)[1]
