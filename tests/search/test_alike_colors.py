"""Looks at one guess of each class under colors that change places: held to looks at all guesses, and to plain code."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine, layout
from entropeg.search.exact.fields import INF, NO_GUESS, SYMMETRIC, UNLIMITED, WORK
from entropeg.search.exact.layout import Layout, ThreadMemory
from entropeg.search.preparing import layout_options, rows_of

pytestmark = pytest.mark.kernels

BOARDS = ["3x6", "4x5", "4x6", "5x4", "4x5/black", "3x6/positional", "4x5/membership", "4x7/no-repeats"]
Codes = np.ndarray[Any, np.dtype[Any]]


def made(name: str) -> Layout:
    rules = Rules.parse(name)
    return Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))


def plain(name: str, monkeypatch: pytest.MonkeyPatch) -> Layout:
    """The same board, on which all guesses are looked at."""
    with monkeypatch.context() as context:
        context.setattr(layout, "ALIKE", 0)
        found = made(name)
    assert found.numbers.alike_scans == 0
    return found


def memory_of(board: Layout) -> ThreadMemory:
    return board.memory(
        {
            "stop": np.zeros(1, np.int64),
            "shared": layout.new_words(INF),
            "table": np.zeros(1 << 12, np.uint64),
        }
    )


def drawn_sets(board: Layout, count: int) -> list[Codes]:
    """What none, one or two drawn guesses leave, with some codes less every third time: then nothing need be alike.

    Every third set is some codes with all that turning the colors round makes of them: of each color it has as many at
    every peg, but seldom may two change places.
    """
    colors = board.numbers.symbols
    rng, labels = np.random.default_rng(11), board.arrays["by_guess"][:, : len(board.secrets)]
    found: list[Codes] = []
    while len(found) < count:
        codes = np.arange(len(board.secrets))
        for guess in rng.integers(len(labels), size=rng.integers(3)):
            codes = codes[labels[guess, codes] == labels[guess, rng.choice(codes)]]
        if len(found) % 3 == 1:
            codes = rng.permutation(codes)[: len(codes) - rng.integers(1, 4)]
        elif len(found) % 3 == 2:
            some = board.secrets[rng.choice(len(board.secrets), rng.integers(2, 6), replace=False)].astype(np.int64)
            codes = np.unique(np.concatenate([board.number_secrets((some + turn) % colors) for turn in range(colors)]))
        if len(codes) > 2:
            found.append(np.sort(codes).astype(np.int32))
    return found


def alike_by_trying(codes: Codes, colors: int) -> int:
    """The most colors of a set of codes, one a row, of which any may change places with any."""
    present, whole = set(codes.ravel().tolist()), set(map(tuple, codes.tolist()))

    def are(one: int, other: int) -> bool:
        name = np.arange(colors)
        name[[one, other]] = other, one
        return set(map(tuple, name[codes].tolist())) == whole

    pairs = {pair for pair in combinations(sorted(present), 2) if are(*pair)}
    return max(1 + sum((min(c, e), max(c, e)) in pairs for e in present if e != c) for c in present)


@pytest.mark.parametrize(("colors", "pegs"), [(5, 3), (6, 3), (4, 4), (5, 4)])
def test_the_first_of_alike_guesses_are_one_of_each_class(colors: int, pegs: int) -> None:
    codes = np.indices([colors] * pegs).reshape(pegs, -1).T.astype(np.uint8)
    found = layout._first_of_alike(codes, colors)
    sizes = range(colors - len(found) + 1, colors + 1)
    for size, chosen in zip(sizes, found, strict=True):
        fixed = range(colors - size)
        images = [np.array([*fixed, *order]) for order in permutations(range(colors - size, colors))]
        reached = np.concatenate([image[codes[chosen]] for image in images])
        classes = {min(tuple(image[code]) for image in images) for code in codes}
        assert len(np.unique(reached, axis=0)) == len(codes)
        assert len(classes) == len(chosen)
        assert (chosen == found[0][: len(chosen)]).all()


@pytest.mark.parametrize("name", BOARDS)
def test_bounds_and_values_are_those_of_all_guesses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board, other = made(name), plain(name, monkeypatch)
    memory, whole, sets = memory_of(board), memory_of(other), drawn_sets(board, 150)
    assert board.numbers.alike_scans > 0
    for codes in sets:
        n, mixed = len(codes), int(np.bitwise_xor.reduce(board.zobrist[codes]))
        memory.stack[:n] = whole.stack[:n] = codes
        for left in (UNLIMITED, 3):
            assert engine.part_bound(memory, n, left) == engine.part_bound(whole, n, left)
        if n > 48:
            continue
        for each in (memory, whole):
            each.arrays["table"][:] = 0
        # Behind so many guesses no other symmetry is looked for.
        search = codes, INF, UNLIMITED, SYMMETRIC + 1, mixed
        value, guess = engine.solve(memory, *search)
        assert value == engine.solve(whole, *search)[0]
        if guess != NO_GUESS:
            assert engine.solve(whole, *search, only=guess)[0] == value
        # The control: a target above the truth is never reached.
        for asked in (value, value + 1, value + 3):
            memory.arrays["table"][:] = 0
            found, _ = engine.solve(memory, codes, asked, *search[2:])
            assert found == value if asked > value else found >= value


@pytest.mark.parametrize("name", BOARDS)
def test_only_colors_that_may_change_places_spare_looks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr(layout, "LONG_RUNS", 1 << 40)  # where colors are bounded first, most is not looked at at all
        board = made(name)
    widths, scans = board.arrays["width"], board.numbers.alike_scans
    memory, spared = memory_of(board), 0
    for codes in drawn_sets(board, 120):
        n, colors = len(codes), len(np.unique(board.secrets[codes]))
        memory.stack[:n] = codes
        before = int(memory.nodes[WORK])
        engine.part_bound(memory, n, UNLIMITED)
        size = alike_by_trying(board.secrets[codes], board.numbers.symbols)
        place = size - (board.numbers.symbols - scans)
        looked = int(widths[min(colors, len(widths) - 1 - scans)])
        expected = min(looked, int(widths[len(widths) - 1 - scans + place])) if place > 0 else looked
        assert int(memory.nodes[WORK]) - before == n * expected
        spared += expected < looked
    assert 5 < spared < 115
