"""Random command lines and conversations: each ends in time, with a known exit code, and says at most one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_lines import Case, CommandLines, campaign, fault, furnish
from rooms import cases

pytestmark = pytest.mark.slow

CASES, PIECES = cases(120, 10_000), 4
"""Cases of the suite, and tests that share them; `python tests/command_lines.py SEED COUNT` plays more."""


@pytest.mark.parametrize("seed", range(PIECES))
def test_no_command_line_ends_in_anything_but_an_answer_or_a_sentence(seed: int, tmp_path: Path) -> None:
    furnish(tmp_path)

    assert [] == list(campaign(seed, CASES // PIECES, tmp_path))


def test_the_same_seed_gives_the_same_command_lines() -> None:
    one, other = CommandLines(7), CommandLines(7)

    assert [one.draw() for _ in range(50)] == [other.draw() for _ in range(50)]


def test_the_campaign_notices_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("entropeg.cli.commands.score.answer", broken)

    assert "ZeroDivisionError" in fault(Case(["score", "AABB", "ABCD"]))
    assert "" == fault(Case(["score", "AABB"]))
