"""The search of small sets by their labels alone: held to trying everything, under every kind of feedback."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from entropeg.codes import CodeSet, guesses, secrets
from entropeg.feedback import score_trusted
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.part_curve import least_mean
from entropeg.search.results import Value
from entropeg.search.small.boards import plain_optimum
from entropeg.search.small.search import INFINITE, OutOfWorkError, SmallSearch

KINDS = (
    "3x4",
    "2x5/black",
    "3x3/membership",
    "3x4/positional",
    "2x6/shapes=2",
    "3x4/no-repeats",
    "2x4/blanks",
    "2x4/blanks-in-secrets",
    "3x3/no-repeats/guess-repeats",
)


def naive_total(labels: np.ndarray, win: int, weights: tuple[int, ...], left: int) -> list[int]:
    """Total of the best play after every guess, by trying everything."""
    rows = [tuple(row) for row in labels.tolist()]

    @cache
    def value(codes: frozenset[int], d: int) -> int:
        if not codes:
            return 0
        return min((after(row, codes, d) for row in set(rows)), default=INFINITE)

    @cache
    def after(row: tuple[int, ...], codes: frozenset[int], d: int) -> int:
        parts: dict[int, set[int]] = {}
        for code in codes:
            parts.setdefault(row[code], set()).add(code)
        if d == 0 or (len(parts) == 1 and win not in parts):
            return INFINITE
        rest = [value(frozenset(part), d - 1) for label, part in parts.items() if label != win]
        return min(sum(weights[code] for code in codes) + sum(rest), INFINITE)

    every = frozenset(range(labels.shape[1]))
    found = []
    for row in rows:
        total = after(row, every, left)
        if len({*row}) == 1 and win not in row:  # such a guess tells nothing, and the best play follows
            total = min(value(every, left - 1) + sum(weights), INFINITE)
        found.append(total)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_every_guess_takes_what_trying_everything_says(kind: str, seed: int) -> None:
    rng = np.random.default_rng([seed, len(kind)])
    rules = Rules.parse(kind)
    every = secrets(rules)
    size = int(rng.integers(1, min(len(every), 8) + 1))
    codes = every.take(np.sort(rng.choice(len(every), size, replace=False)))
    weights = rng.integers(1, 6, size) if seed % 2 else np.ones(size, np.int64)
    pool = guesses(rules)
    labels = codes.labels(pool)
    for left in (size + 1, 4, 3, 2, 1):
        expected = naive_total(labels, rules.win_label, tuple(weights.tolist()), left)
        search = SmallSearch(labels, rules.win_label, weights, np.inf)

        assert min(expected) == search.value(left)
        assert expected == [search.after(guess, left) for guess in range(len(pool))], (left, size)
        # One of all that part the codes alike and win alike, but for two codes; none that tells nothing.
        alike = {
            _partition(row, rules.win_label, weights, one_by_one=size <= 2): total
            for row, total in zip(labels, expected, strict=True)
            if total < INFINITE and (len({*row}) > 1 or rules.win_label in row)
        }
        number = int(rng.integers(1, 12))
        best = search.best(number, left)
        assert sorted(alike.values())[:number] == [total for _, total in best]
        assert all(expected[guess] == total for guess, total in best)
        if left > size:
            assert search.followed() >= min(expected)


def _partition(row: np.ndarray, win: int, weights: np.ndarray, *, one_by_one: bool) -> tuple[object, ...]:
    parts = tuple(sorted(tuple(np.flatnonzero(row == label).tolist()) for label in np.unique(row)))
    won = np.flatnonzero(row == win)
    wins = int(won[0] if one_by_one else weights[won[0]]) if len(won) else -1
    return (*parts, wins)


def test_a_search_ends_where_its_work_is_done() -> None:
    rules = Rules.parse("4x6/positional")
    codes = secrets(rules)[:200]
    labels = codes.labels(guesses(rules))
    search = SmallSearch(labels, rules.win_label, np.ones(200, np.int64), np.inf)
    search.work = 10_000.0
    with pytest.raises(OutOfWorkError):
        search.value()
    search.work = np.inf
    assert search.value() / 200 >= least_mean(200, rules.label_count)


def test_labels_are_those_of_one_guess_after_the_other() -> None:
    codes = CodeSet.of(["AABB", "ABCD", "FFEE"], "4x6")
    some = CodeSet.of(["AAAA", "ABDC"], "4x6")
    assert [codes.score(guess).tolist() for guess in some] == codes.labels(some).tolist()


BOARDS = [*KINDS, "4x6", "4x5/black", "5x3", "2x9/no-repeats", "3x3/blanks", "bulls-and-cows", "3x4/prior=distinct"]


@pytest.mark.parametrize("seed", range(40))
def test_positions_drawn_at_random_take_what_trying_everything_says(seed: int) -> None:
    rng = np.random.default_rng([seed, 61])
    rules = Rules.parse(BOARDS[seed % len(BOARDS)])
    every, pool, position = secrets(rules), guesses(rules), Position(rules)
    secret = every[int(rng.integers(len(every)))]
    while len(position.candidates) > 7:
        guess = position.candidates[int(rng.integers(len(position.candidates)))]
        position = position.after(guess, score_trusted(guess, secret, rules))
    codes = position.candidates
    size = len(codes)
    weights = rng.integers(1, 9, size) if seed % 2 else np.ones(size, np.int64)
    labels = codes.labels(pool)
    for left in (size, int(rng.integers(1, size + 1))):
        truth = naive_total(labels, rules.win_label, tuple(weights.tolist()), left)
        best = min(truth)
        search = SmallSearch(labels, rules.win_label, weights)

        # A target that is no more than the truth is never reached, and one above it always is.
        assert search.value(left, best) >= best
        assert search.value(left, best - 1) >= best - 1
        assert best == INFINITE or search.value(left, best + 1) == best
        assert search.value(left) == best
        for guess in rng.choice(len(pool), 5).tolist():
            assert search.after(guess, left, truth[guess]) >= truth[guess]
            assert search.after(guess, left) == truth[guess]
        if not seed % 2 and not position.is_won:
            found = plain_optimum(position, worst=False, limit=left, seconds=None)
            assert found.is_impossible == (best >= INFINITE)
            assert found.is_impossible or found.value == Value(best, best)
            assert found.root is None or (found.root.total, found.root.worst <= left) == (best, True)
