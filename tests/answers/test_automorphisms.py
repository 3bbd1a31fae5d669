"""Symmetries of tables of answers: those of a plain search over all permutations, and optima with and without."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg import Rules, answers
from entropeg.answers import automorphisms
from entropeg.answers.automorphisms import Symmetries
from entropeg.check.verifier import verify
from entropeg.codes import guesses, secrets
from entropeg.feedback import score_trusted
from entropeg.position import Position
from entropeg.search.proving.opening_totals import opening_totals
from entropeg.symmetry import kind_numbers, opening_classes
from entropeg.tree.optimum import optimal


def drawn(seed: int, most: int = 6) -> Rules:
    """A table of 2 to `most` secrets, with symmetries that nobody declared."""
    rng = np.random.default_rng(seed)
    while True:
        n = int(rng.integers(2, most + 1))
        rows = [rng.integers(0, int(rng.integers(2, 4)), n) for _ in range(int(rng.integers(1, 4)))]
        # With all images under a drawn permutation, whose answers have other names.
        image = rng.permutation(n) if rng.random() < 0.8 else np.arange(n)
        for row in [*rows]:
            while not any(np.array_equal(row := row[image], other) for other in rows):
                rows.append(row)
        cells = np.array([rng.permutation(5)[row] for row in rows]).T[:, rng.permutation(len(rows))]
        if len(np.unique(cells, axis=0)) == n:
            names = [f"s{k}" for k in range(n)], [f"q{k}" for k in range(cells.shape[1])]
            return Rules.of_answers(*names, cells, naming=bool(rng.random() < 0.7))


def partition(labels: Any, win: int) -> frozenset[Any]:
    """How a question parts secrets, the part that wins told apart."""
    return frozenset((label == win, frozenset(np.flatnonzero(labels == label).tolist())) for label in np.unique(labels))


def plain_orbits(rules: Rules, played: list[int]) -> list[int]:
    """The first of the rows that permutations of secrets take each to: of all that take questions to questions."""
    labels, win = rules.table.labels, len(rules.table.answers) - 1
    rows = [partition(row, win) for row in labels]
    root = {row: at for at, row in reversed(list(enumerate(rows)))}
    for image in permutations(range(labels.shape[1])):
        moved = [frozenset((wins, frozenset(image[s] for s in part)) for wins, part in row) for row in rows]
        if {*moved} != {*rows} or any(
            labels[row, s] != labels[row, image[s]] for row in played for s in range(len(image))
        ):
            continue
        for row, other in zip(rows, moved, strict=True):
            least, most = sorted([root[row], root[other]])
            root = {key: least if at == most else at for key, at in root.items()}
    return [root[row] for row in rows]


@pytest.mark.parametrize("block", range(5))
def test_orbits_are_those_of_all_permutations(block: int) -> None:
    joined = 0
    for seed in range(60 * block, 60 * block + 60):
        rules = drawn(seed)
        count = len(rules.table.labels)
        played = [np.random.default_rng(seed).integers(count, size=size).tolist() for size in (0, 1, 2)]
        for some in played:
            expected = plain_orbits(rules, some)

            assert expected == rules.table.orbits_after(some).tolist(), (seed, some)
            joined += count - len({*expected})
    assert joined > 100


@pytest.mark.parametrize("block", range(5))
def test_optima_are_the_same_without_symmetries(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [outcome(drawn(seed, 9)) for seed in range(40 * block, 40 * block + 40)]
    monkeypatch.setattr(answers, "MOST_CELLS", 0)
    plain = [outcome(drawn(seed, 9)) for seed in range(40 * block, 40 * block + 40)]

    assert [totals for totals, _ in plain] == [totals for totals, _ in found]
    assert sum(count for _, count in found) < 0.8 * sum(count for _, count in plain)


def outcome(rules: Rules) -> tuple[Any, int]:
    # A table of its own, in which nothing is kept from a search before.
    rules.table.__dict__.pop("_automorphisms", None)
    rules.table._orbits.clear()
    each = {one.value for one in opening_totals(rules).openings}
    return (optimal(rules).total, optimal(rules, worst=True).worst, each), len(opening_classes(rules))


def shuffled(board: str, changed: tuple[int, int] | None = None) -> Rules:
    """A board as a table, its codes shuffled and named by numbers; of the cells one may be changed."""
    codes = secrets(Rules.parse(board))
    order = np.random.default_rng(7).permutation(len(codes))
    cells = codes.labels(codes)[order][:, order].astype(int)
    if changed is not None:
        cells[changed] = 99
    names = [f"s{at}" for at in range(len(codes))]
    return Rules.of_answers(names, names, cells)


@pytest.mark.parametrize("board", ["2x4", "3x3", "3x4", "4x3"])
def test_a_shuffled_board_has_the_openings_of_the_board(board: str, tmp_path: Path) -> None:
    table = shuffled(board)
    proven = optimal(table, proof=tmp_path / "table.proof.json")

    assert len(opening_classes(board)) == len(opening_classes(table))
    assert optimal(board).total == proven.total == verify(tmp_path / "table.proof.json").bound


def test_second_guesses_of_a_shuffled_board_are_of_its_kinds() -> None:
    board, table = Rules.parse("3x4"), shuffled("3x4")
    counts = []
    for rules in (board, table):
        codes = guesses(rules)
        position = Position(rules)
        kinds = kind_numbers(position, codes)
        first = codes.take(np.unique(kinds, return_index=True)[1])
        after = [position.after_trusted(code, score_trusted(code, codes[5], rules)) for code in first]
        counts.append(sorted(len(np.unique(kind_numbers(one, codes))) for one in after))

    assert counts[0] == counts[1]


def test_one_cell_that_differs_leaves_fewer_symmetries() -> None:
    table, whole = shuffled("3x4", (3, 40)), shuffled("3x4")

    assert len(opening_classes(whole)) == 3
    assert len(opening_classes(table)) > 6


def test_coins_that_nobody_declared_alike() -> None:
    outcomes = [(0, 0), *((coin, weight) for coin in range(6) for weight in (-1, 1))]
    weighings = [(a, b) for a in range(1, 64) for b in range(a, 64) if not a & b and a.bit_count() == b.bit_count()]
    cells = [[((a >> c & 1) - (b >> c & 1)) * w for a, b in weighings] for c, w in outcomes]
    rules = Rules.of_answers(outcomes, [f"q{at}" for at in range(len(weighings))], cells, naming=False)

    assert len(opening_classes(rules)) == 3  # one against one, two, three


def test_a_search_that_ends_early_gives_some_symmetries(monkeypatch: pytest.MonkeyPatch) -> None:
    labels, win = shuffled("3x4").table.labels, len(shuffled("3x4").table.answers) - 1
    whole = len(np.unique(Symmetries(labels, win).orbits()))
    counts = []
    for budget in range(0, 60, 6):
        monkeypatch.setattr(automorphisms, "BUDGET", budget << 15)
        orbits = Symmetries(labels, win).orbits()
        counts.append(len(np.unique(orbits)))

    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 64 > counts[-1] == whole == 3
