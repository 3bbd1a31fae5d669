"""Bounds of runs of columns of equal colors: held to all codes, and the search with them to the search without."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg.search.exact import engine, layout
from entropeg.search.exact.fields import INF, NO_GUESS, SYMMETRIC, UNLIMITED
from entropeg.search.exact.layout import Layout
from entropeg.search.exact.table import with_guesses
from test_alike_colors import drawn_sets, made, memory_of

pytestmark = pytest.mark.kernels

BOARDS = ["3x5", "4x4", "4x6", "5x4", "6x3", "4x7/no-repeats"]


def with_runs(name: str, monkeypatch: pytest.MonkeyPatch, columns: int = 1) -> Layout:
    """A board with runs from so many columns in the mean on."""
    with monkeypatch.context() as context:
        context.setattr(layout, "LONG_RUNS", columns)
        return made(name)


@pytest.mark.parametrize("name", BOARDS)
def test_runs_have_equal_colors_and_sums_are_those_of_all_codes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = with_runs(name, monkeypatch)
    arrays, symbols = board.arrays, board.numbers.symbols
    counts = np.stack([(board.guesses == color).sum(axis=1) for color in range(symbols)], axis=1)
    own = np.stack([(board.secrets == color).sum(axis=1) for color in range(symbols)], axis=1)
    assert arrays["runs"][0] > 1
    for scan, runs in enumerate(arrays["runs"]):
        if not runs:
            continue
        begin, width = arrays["run_begin"][scan], int(arrays["width"][scan])
        columns = arrays["columns"][scan, :width]
        assert (begin[0], begin[runs]) == (0, width)
        assert (arrays["run_of"][scan, :width] == np.repeat(np.arange(runs), np.diff(begin[: runs + 1]))).all()
        known = scan if 0 < scan < len(arrays["runs"]) - board.numbers.alike_scans else symbols
        rows = np.flatnonzero(board.secrets.max(axis=1) < known)
        for run in range(int(runs)):
            members = columns[begin[run] : begin[run + 1]]
            sums = np.minimum(own[rows], counts[members[0]]).sum(axis=1)
            at = arrays["run_base"][scan] + rows * arrays["run_stride"][scan] + run
            assert (counts[members] == counts[members[0]]).all()
            assert (arrays["run_scan"][at] == sums).all()
    public = board.labels[0]
    sums = public // (board.numbers.pegs + 1) + public % (board.numbers.pegs + 1)
    assert arrays["labels_of_sum"].tolist() == np.bincount(sums).tolist()


@pytest.mark.parametrize("name", BOARDS)
def test_bounds_and_values_are_those_without_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board, plain = with_runs(name, monkeypatch), with_runs(name, monkeypatch, 1 << 40)
    memory, whole = memory_of(board), memory_of(plain)
    assert (plain.arrays["runs"] == 0).all()
    for codes in drawn_sets(board, 90):
        others = np.sort(plain.number_secrets(board.secrets[codes]))
        n, mixed = len(codes), int(np.bitwise_xor.reduce(board.zobrist[codes]))
        assert mixed == int(np.bitwise_xor.reduce(plain.zobrist[others]))
        memory.stack[:n], whole.stack[:n] = codes, others
        for left in (UNLIMITED, 3, 2):
            assert engine.part_bound(memory, n, left) == engine.part_bound(whole, n, left)
        if n > 60:
            continue
        for each in (memory, whole):
            each.arrays["table"][:] = 0
        search = INF, UNLIMITED, SYMMETRIC + 1, mixed
        value, guess = engine.solve(memory, codes, *search)
        assert value == engine.solve(whole, others, *search)[0]
        if guess != NO_GUESS:
            same = plain.number_guess(tuple(board.guesses[guess].tolist()))
            assert engine.solve(whole, others, *search, only=same)[0] == value
        # The control: a target above the truth is never reached.
        for asked in (value, value + 1, value + 3):
            memory.arrays["table"][:] = 0
            found, _ = engine.solve(memory, codes, asked, *search[1:])
            assert found == value if asked > value else found >= value


def test_sums_that_are_wrong_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    board, plain = with_runs("4x6", monkeypatch), with_runs("4x6", monkeypatch, 1 << 40)
    board.arrays["run_scan"][:] = 0
    memory, whole, differ = memory_of(board), memory_of(plain), 0
    for codes in drawn_sets(board, 60):
        memory.stack[: len(codes)] = codes
        whole.stack[: len(codes)] = np.sort(plain.number_secrets(board.secrets[codes]))
        found, other = (engine.part_bound(each, len(codes), UNLIMITED)[0] for each in (memory, whole))
        differ += found != other
    assert differ > 30


def test_codes_have_the_words_and_guesses_the_numbers_that_they_have_in_files() -> None:
    board = made("5x4")
    old = layout.shell_order(board.guesses)
    words = layout.hash_words(len(board.secrets), np.random.default_rng(layout.SEED))
    assert not np.array_equal(old, np.arange(len(old)))
    assert (board.zobrist[layout.shell_order(board.secrets)] == words).all()
    assert (board.in_files[old] == np.arange(len(old))).all()
    assert all(board.from_files(board.for_files(guess)) == guess for guess in (0, 17, 1023, NO_GUESS))


@pytest.mark.parametrize("words", [2, 4])
def test_guesses_of_entries_change_and_nothing_else(words: int) -> None:
    memory = memory_of(made("3x5"))
    table = memory.arrays["table"]
    for key in range(1, 60):
        engine.store(memory, key << 40 | key, key, 3 * key, NO_GUESS if key % 7 == 0 else 2 * key, 1)
    entries = table.reshape(-1, words) if words == 2 else np.zeros((0, 4), np.uint64)
    numbers = np.random.default_rng(3).permutation(125)
    turned = with_guesses(entries, numbers)
    assert (with_guesses(turned, np.argsort(numbers)) == entries).all()
    table.reshape(-1, 2)[:] = turned if words == 2 else table.reshape(-1, 2)
    for key in range(1, 60) if words == 2 else ():
        found = engine.probe(memory, key << 40 | key, key)
        assert found in {None, (3 * key, NO_GUESS if key % 7 == 0 else int(numbers[2 * key]), 1)}
