"""Strategies of word lists with more answers than the exact search tells apart: complete, and no worse than bounded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from entropeg.errors import TooLargeError
from entropeg.rules import Rules
from entropeg.search.exact import answer_kinds
from entropeg.tree.optimum import optimal


@pytest.fixture
def rules(tmp_path: Path) -> Rules:
    rng = np.random.default_rng(4)
    words = sorted({"".join(rng.choice(list("abcdefghijkl"), 6)) for _ in range(60)})
    (tmp_path / "six.txt").write_text("\n".join(words) + "\n")
    return Rules.parse(f"words:{tmp_path}/six.txt/positional")


def test_labels_of_each_guess_by_itself_are_searched_exactly(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = optimal(rules, threads=1)
    monkeypatch.setattr(answer_kinds, "MOST_LABELS", 60)  # more than any guess has here, fewer than occur

    found = optimal(rules, threads=1)

    assert usual.is_exact
    assert usual.total == found.total
    assert found.checked() is not None


def test_a_good_strategy_is_found_opening_by_opening(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    best = optimal(rules, threads=1).total
    monkeypatch.setattr(answer_kinds, "MOST_LABELS", 14)
    told: list[str] = []

    found = optimal(rules, threads=1, time=1, progress=lambda step: told.append(str(step.value)))

    tree = found.checked()
    assert tree is not None
    assert best is not None
    assert found.value.lower <= best <= tree.total <= best + 6
    assert told
    with pytest.raises(TooLargeError, match="where a time is given"):
        optimal(rules, threads=1)


def test_ctrl_c_keeps_the_first_strategy(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_kinds, "MOST_LABELS", 14)

    def interrupted(step: object) -> None:
        raise KeyboardInterrupt

    found = optimal(rules, threads=1, time=5, progress=interrupted)

    assert found.is_interrupted
    assert found.checked() is not None
