"""Bounds of sets of words by the letters that all their words have, or none."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import SMALL, UNLIMITED
from entropeg.search.exact.layout import Layout, new_words
from entropeg.search.preparing import layout_options, rows_of


def most_parts(layout: Layout, codes: np.ndarray) -> int:
    """The most parts that a guess leaves of a set, one more if it is one of the set; counted one by one."""
    labels = layout.arrays["by_guess"][:, codes]
    return max(len(set(row.tolist())) + (layout.win in row) for row in labels)


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

                assert lows[label] >= 3 * len(codes) - most_parts(layout, codes)
    assert bounded > 12
    assert memory.arrays["is_counted"].any()


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
