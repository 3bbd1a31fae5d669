"""The table of totals in docs/lookup/one-step.md: its cheap rows are played again, and no published total is missed."""

import re
from pathlib import Path

import pytest

from entropeg import Rules, parse_code
from entropeg.search.known import known_values
from entropeg.tree import StrategyTree

PAGE = Path(__file__).parents[2] / "docs" / "lookup" / "one-step.md"
ROWS = [
    re.findall(r"[^\s|`()]+", line)
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if re.match(r"\| `\S+` \| `\S+` \| \d", line)
]
"""Board, rule, published total and worst (if given), opening, total, worst, best, opening, total, worst, difference."""
ROWS = [row if len(row) == 12 else [*row[:3], "0", *row[3:]] for row in ROWS]
CHEAP = [row for row in ROWS if row[0] in {"4x6", "4x7", "4x8", "5x5", "bulls-and-cows"}]
NAMES = {"minimax": "minimax (Knuth)", "expected-size": "expected size", "parts": "most parts", "entropy": "entropy"}


def test_every_board_and_rule_has_its_row() -> None:
    boards = {f"4x{colors}" for colors in range(6, 11)} | {f"5x{colors}" for colors in range(5, 9)} | {"bulls-and-cows"}

    assert boards == {row[0] for row in ROWS}
    assert 6 + 9 * 4 == len(ROWS)


def test_every_published_total_is_equalled_or_bettered() -> None:
    for board, rule, published, *_, total, _, difference in ROWS:
        assert int(difference) == int(total) - int(published) <= 0, (board, rule)


def test_published_totals_are_those_of_the_file_of_known_values() -> None:
    for board, rule, published, worst, *_ in ROWS:
        known = {value.strategy: value for value in known_values(Rules.parse(board))}
        if board not in {"4x6", "bulls-and-cows"}:
            value = known[NAMES[rule]]
            assert (value.total, value.worst) == (int(published), int(worst)), (board, rule)


@pytest.mark.parametrize("row", CHEAP, ids=lambda row: f"{row[0]}-{row[1]}")
def test_the_totals_of_the_smaller_boards_are_played_again(row: list[str]) -> None:
    board, rule, _, _, opening, plain, worst, best, other, total, most, _ = row
    rules = Rules.parse(board)
    mine = StrategyTree.build(rule, rules, opening=parse_code(opening, rules))
    found = StrategyTree.build(best, rules, opening=parse_code(other, rules))

    assert (int(plain), int(worst)) == (mine.total, mine.worst)
    assert (int(total), int(most)) == (found.total, found.worst)


@pytest.mark.parametrize(
    ("options", "totals"),
    [
        ("", {5680}),
        ("ties=first", {5963}),
        ("win=yes", {5669, 5672}),
        ("win=yes,ties=first", {5670, 5672}),
    ],
)
def test_what_decides_between_equal_entropies_moves_the_total_as_the_page_says(options: str, totals: set[int]) -> None:
    seconds = ("", "minimax", "sorted-minimax", "expected-size", "parts")
    opening = parse_code("AABC", Rules())
    specs = [f"entropy:{options or 'ties=candidate'}{f',then={then}' if then else ''}" for then in seconds]

    assert totals == {StrategyTree.build(spec, Rules(), opening=opening).total for spec in specs}


def test_chance_between_equal_candidates_leaves_the_total_as_it_is() -> None:
    opening = parse_code("AABC", Rules())
    specs = [f"entropy:ties=candidate-random,seed={seed}" for seed in range(1, 5)]

    assert {5680} == {StrategyTree.build(spec, Rules(), opening=opening).total for spec in specs}
