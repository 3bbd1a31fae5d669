"""The exact engine under weights: limits, possible codes alone, threads and parts, against a slow solver."""

from __future__ import annotations

from functools import cache
from threading import Thread
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.exchanges import kinds_of
from entropeg.search.exact.fields import NO_GUESS, SYMMETRIC, UNLIMITED
from entropeg.search.exact.layout import Layout, ThreadMemory, new_words
from entropeg.search.preparing import layout_options, rows_of
from rooms import often

NEVER = 1 << 60
BOARDS = ["2x3", "3x2", "2x4/no-repeats", "2x3/blanks", "2x4", "3x3", "3x3/black"]


def board_of(name: str, kind: str, *, consistent: bool = False) -> Layout:
    """A board with weights by row, some of them 0."""
    rules = Rules.parse(name)
    plain = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules), consistent=consistent)
    rng = np.random.default_rng(7)
    codes = plain.secrets
    weights = {
        "equal": np.full(len(codes), 3),
        "first": np.where((codes == 0).any(axis=1), 5, 2),
        "random": rng.integers(1, 50, len(codes)),
        "large": rng.integers(1, 1 << 44, len(codes)),
        "some": np.where(np.arange(len(codes)) % 3 == 0, 0, rng.integers(1, 9, len(codes))),
    }
    weight = weights[kind].astype(np.int64)
    return plain.weighted(weight, *kinds_of(plain, weight))


def memory_of(layout: Layout, words: NDArray[np.int64] | None = None, **common: NDArray[Any]) -> ThreadMemory:
    shared = new_words(layout.infinite) if words is None else words
    return layout.memory({"stop": np.zeros(1, np.int64), "table": layout.table(1 << 20)} | common | {"shared": shared})


def start_of(layout: Layout) -> NDArray[np.int32]:
    """The codes with a weight, the heaviest first."""
    weight = layout.arrays["weight"]
    codes = np.flatnonzero(weight).astype(np.int32)
    return codes[np.argsort(-weight[codes], kind="stable")]


def hash_of(layout: Layout, codes: NDArray[np.int32]) -> int:
    return int(np.bitwise_xor.reduce(layout.zobrist[codes]))


def naive_total(layout: Layout, codes: NDArray[np.int32], d: int, *, consistent: bool) -> int:
    """The least sum of weight times guesses, by trying everything."""
    labels, weight = layout.arrays["by_guess"], layout.arrays["weight"]
    win, own = layout.win, layout.arrays["guess_of_secret"]

    @cache
    def total(left: tuple[int, ...], turns: int) -> int:
        if not left:
            return 0
        if not turns:
            return NEVER
        best, here = NEVER, np.array(left)
        for guess in {int(own[code]) for code in left} - {-1} if consistent else range(len(labels)):
            row = labels[guess, here]
            parts = [tuple(here[row == label].tolist()) for label in np.unique(row).tolist() if label != win]
            if len(left) > 1 and any(len(part) == len(left) for part in parts):
                continue
            best = min(best, int(weight[here].sum()) + sum(total(part, turns - 1) for part in parts))
        return best

    return min(total(tuple(codes.tolist()), d), NEVER)


def replayed(layout: Layout, codes: NDArray[np.int32], nodes: NDArray[np.int64]) -> tuple[int, int]:
    """(sum of weight times guesses, worst case) of a strategy, node by node."""
    labels, sets, depths, total = layout.arrays["by_guess"], [codes], [1], 0
    for i, (guess, parent, label, wins) in enumerate(nodes.tolist()):
        if i:
            above = sets[parent]
            sets.append(above[labels[nodes[parent, 0], above] == label])
            depths.append(depths[parent] + 1)
        total += int(layout.arrays["weight"][sets[i]].sum())
        assert wins == int((labels[guess, sets[i]] == layout.win).sum())
    return total, max(depths)


@pytest.mark.parametrize("consistent", [False, True])
@pytest.mark.parametrize("kind", ["equal", "first", "random", "large", "some"])
@pytest.mark.parametrize("name", often(4, BOARDS))
def test_totals_and_limits_are_those_of_a_slow_solver(name: str, kind: str, consistent: bool) -> None:
    layout = board_of(name, kind, consistent=consistent)
    codes = start_of(layout)
    for d in (2, 3, 4, UNLIMITED):
        memory = memory_of(layout)
        memory.stack[: len(codes)] = codes
        expected = naive_total(layout, codes, min(d, 8), consistent=consistent)

        value, guess = engine.solve(memory, codes, layout.infinite, d, 0, hash_of(layout, codes))

        assert expected == value
        if value < layout.infinite:
            memory.stack[: len(codes)] = codes
            nodes = engine.unfold(memory, len(codes), d, guess, finished=True)
            total, worst = replayed(layout, codes, nodes)
            assert value == total
            assert worst <= d


@pytest.mark.parametrize("name", ["3x5", "4x4", "5x3", "3x4/black", "4x6/no-repeats"])
def test_equal_weights_are_as_many_times_the_plain_total(name: str) -> None:
    weighted, rules = board_of(name, "equal"), Rules.parse(name)
    plain = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))
    codes = start_of(weighted)
    totals = []
    for layout in (plain, weighted):
        memory = memory_of(layout)
        totals.append(engine.solve(memory, codes, layout.infinite, UNLIMITED, 0, hash_of(layout, codes))[0])

    assert 3 * totals[0] == totals[1]


def test_bounds_of_parts_are_no_more_than_their_values() -> None:
    for name, kind in [("4x4", "random"), ("5x3", "large"), ("4x4", "first"), ("3x6", "some")]:
        layout = board_of(name, kind)
        whole, memory, rng = start_of(layout), memory_of(layout), np.random.default_rng(3)
        for n in (3, 5, 9, 14, 20, 33):
            for d in (2, 3, UNLIMITED):
                codes = whole[np.sort(rng.choice(len(whole), n, replace=False))]
                memory.stack[:n] = codes
                bound, exact = engine.part_bound(memory, n, d)
                memory.stack[:n] = codes
                other = memory_of(layout)
                value, _ = engine.solve(other, codes, layout.infinite, d, SYMMETRIC + 1, hash_of(layout, codes))

                assert layout.floor(codes) <= value
                assert bound <= value
                assert not exact or bound == value


def test_one_opening_alone_has_the_value_of_its_parts() -> None:
    layout = board_of("3x4", "random")
    codes, memory = start_of(layout), memory_of(layout)
    word, best = hash_of(layout, codes), layout.infinite
    least, _ = engine.solve(memory, codes, best, UNLIMITED, 0, word)
    found = []
    for guess in range(len(layout.guesses)):
        value, chosen = engine.solve(memory, codes, best, UNLIMITED, 0, word, only=guess)
        assert chosen == (guess if value < best else NO_GUESS)
        memory.stack[: len(codes)] = codes
        assert engine.open_parts(memory, len(codes), guess, best, UNLIMITED) <= value
        found.append(value)

    assert least == min(found)


def test_few_guesses_a_set_make_a_strategy_and_threads_agree() -> None:
    layout = board_of("4x4", "random")
    codes = start_of(layout)
    word, n = hash_of(layout, codes), len(codes)
    alone = memory_of(layout)
    least, _ = engine.solve(alone, codes, layout.infinite, UNLIMITED, 0, word)
    for breadth in (1, 4):
        memory = memory_of(layout)
        value, guess = engine.solve(memory, codes, layout.infinite, UNLIMITED, 0, word, breadth=breadth)
        memory.stack[:n] = codes
        nodes = engine.unfold(memory, n, UNLIMITED, guess, finished=True, breadth=breadth)
        assert least <= replayed(layout, codes, nodes)[0] == value
    words, stop, table = new_words(layout.infinite), np.zeros(1, np.int64), layout.table(1 << 20)
    found: list[tuple[int, int]] = []

    def search() -> None:
        memory = memory_of(layout, words, stop=stop, table=table)
        found.append(engine.solve(memory, codes, layout.infinite, UNLIMITED, 0, word, together=True))

    threads = [Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    value, guess = min(found)
    assert least == value
    assert guess != NO_GUESS
