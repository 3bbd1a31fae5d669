"""Smallest conflicts of turns, held against trying all sets."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg.candidates.conflict import minimal_conflict, smallest_conflict, smallest_conflicts, smallest_conflicts_of
from entropeg.codes import secrets
from entropeg.feedback import Feedback
from entropeg.rules import Rules


def by_trying(broken: list[list[bool]]) -> list[tuple[int, ...]]:
    """Every smallest set of rows of which each column breaks one."""
    for size in range(1, len(broken) + 1):
        found = [
            chosen
            for chosen in combinations(range(len(broken)), size)
            if all(any(broken[row][column] for row in chosen) for column in range(len(broken[0])))
        ]
        if found:
            return found
    return []


@settings(max_examples=60)
@given(
    st.integers(1, 9).flatmap(
        lambda rows: st.lists(st.lists(st.booleans(), min_size=rows, max_size=rows), min_size=1, max_size=12)
    )
)
def test_the_smallest_conflicts_are_those_of_all_sets(columns: list[list[bool]]) -> None:
    broken = [list(row) for row in zip(*columns, strict=True)]

    assert by_trying(broken) == list(smallest_conflicts_of(np.array(broken)))


def test_a_conflict_may_need_many_turns() -> None:
    rules = Rules.parse("1x6")
    # Each answer excludes one color, and one of them comes twice.
    turns = [((color,), Feedback(0)) for color in (0, 1, 2, 2, 3, 4, 5)]
    expected = [(0, 1, 2, 4, 5, 6), (0, 1, 3, 4, 5, 6)]

    assert expected == list(smallest_conflicts(secrets(rules), turns))
    assert expected[0] == smallest_conflict(secrets(rules), turns)
    assert expected[1] == minimal_conflict(rules, turns)
    for left_out in expected[1]:
        rest = [turn for index, turn in enumerate(turns) if index != left_out]
        found = smallest_conflict(secrets(rules), rest)

        assert ((0, 1, 2, 3, 4, 5) if left_out == 3 else ()) == found or left_out == 3
    assert () == smallest_conflict(secrets(rules), []) == minimal_conflict(rules, [])
