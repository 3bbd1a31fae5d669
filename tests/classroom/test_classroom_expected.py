"""Means that are told: better than any strategy, other than expected; and expectations that fit what a module does."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg import codemakers, play
from entropeg.classroom.expected import (
    Conceding,
    ExpectedMean,
    chance_of_any,
    expectation,
    expected_codebreaker,
    expected_codemaker,
    least_mean,
    mean_verdict,
    ties_of,
)
from entropeg.classroom.faults import Fault
from entropeg.classroom.players import close_all
from entropeg.classroom.project import check_project
from entropeg.classroom.series import Series
from entropeg.codemakers.check import check_codemaker
from entropeg.rules import Rules
from planted import EXAMPLES

COURSE, SMALL = Rules.parse("4x8/course"), Rules.parse("3x4/course")


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def series(guesses: list[int], rules: Rules = COURSE) -> Series:
    found = Series(rules, "codebreaker2.py", "honest", 0, len(guesses))
    for number in guesses:
        found.add((number, []))
    return found


def turns_against(maker: Any, games: int = 12, rules: Rules = SMALL) -> list[list[Any]]:
    played = [play("consistent", maker, rules, seed) for seed in range(games)]
    return [[[turn.guess, turn.feedback] for turn in game.turns] for game in played]


def test_the_least_mean_is_the_optimum_where_it_is_known_and_a_bound_elsewhere() -> None:
    assert [20471 / 4096, 5625 / 1296] == [least_mean(COURSE), least_mean(Rules.parse("4x6"))]
    assert 6 < least_mean(Rules.parse("4x40")) < 20


def test_a_codebreaker_that_wins_at_once_is_told_without_accusing() -> None:
    verdict = mean_verdict(series([1] * 10), ExpectedMean(5.4, "ours"), honest=True)

    assert verdict is not None
    assert "too good" == verdict.kind
    assert verdict.text == (
        "1.00 guesses on average in 10 games on 4x8/course; no strategy does better than 5.00 on average: "
        "it may know the secret"
    )


def test_luck_in_few_games_is_not_told() -> None:
    assert mean_verdict(series([1]), ExpectedMean(5.4, "ours"), honest=True) is None
    assert mean_verdict(series([4, 5, 4]), ExpectedMean(5.4, "ours"), honest=True) is None
    assert mean_verdict(series([1] * 10), ExpectedMean(None, ""), honest=False) is None


def test_a_mean_outside_what_is_expected_has_a_verdict() -> None:
    more, as_expected = series([6, 7, 6, 8, 7, 6] * 5), series([5, 6, 5, 6, 4, 6] * 5)
    verdict = mean_verdict(more, ExpectedMean(5.4, "ours", 0.02), honest=True)

    assert verdict is not None
    assert ("mean", True) == (verdict.kind, "more than the 5.40 expected (ours)" in verdict.text)
    assert mean_verdict(as_expected, ExpectedMean(5.4, "ours", 0.02), honest=True) is None


def test_no_strategy_is_faster_than_the_chance_that_bounds_all() -> None:
    # Against secrets drawn fairly the built-in codebreakers take so few guesses at most as often as the bound says.
    for name in ("minimax", "entropy", "consistent"):
        totals = np.array([len(play(name, "honest", SMALL, seed)) for seed in range(40)]).reshape(20, 2).sum(axis=1)
        for total in range(2, 9):
            bound = chance_of_any(SMALL, [1, total - 1])

            assert np.mean(totals <= total) <= bound + 3 * np.sqrt(bound / 20) + 1e-9
    chances = [chance_of_any(COURSE, [number] * 8) for number in range(1, 8)]
    assert all(one <= other for one, other in pairwise(chances))


def test_what_a_cheat_does_on_ties_is_seen_in_its_games() -> None:
    assert "goes on" == ties_of(SMALL, turns_against("cheat"))
    assert "concedes" == ties_of(SMALL, turns_against(Conceding()))
    assert "either" == ties_of(SMALL, turns_against(Conceding(always=False), 30))


@pytest.mark.parametrize("always", [True, False])
def test_the_cheat_that_gives_in_is_never_caught_out(always: bool) -> None:
    check_codemaker(Conceding(always=always), SMALL)


def test_the_expected_mean_fits_what_a_codemaker_does_on_ties() -> None:
    goes_on = expected_codemaker(2, SMALL, turns_against("cheat"))
    concedes = expected_codemaker(2, SMALL, turns_against(Conceding()))

    assert goes_on == expectation("consistent", SMALL, "cheat")
    assert goes_on.mean is not None
    assert concedes.mean is not None
    assert concedes.mean + 5 * concedes.error < goes_on.mean
    assert "always gives in" in concedes.source
    assert expected_codemaker(1, SMALL, []) == expectation("consistent", SMALL, "honest")


def test_the_expected_mean_fits_the_first_guess_and_the_codes_that_a_minimax_looks_among() -> None:
    own = [[[(0, 0, 0), (0, 0)], [(1, 2, 3), (3, 0)]]]
    found = expected_codebreaker(3, SMALL, "honest", own)

    assert "minimax:opening=RRR,guesses=candidates" in found.source
    assert (None, "") == expected_codebreaker(7, SMALL, "honest", [])[:2]


def test_a_codebreaker_that_reads_the_secret_is_told_by_check(tmp_path: Path) -> None:
    text = "import sys, common\n\ndef init():\n    pass\n\ndef codebreaker(evaluation):\n    frame = sys._getframe()\n"
    text += "    while frame is not None:\n        for value in list(frame.f_locals.values()):\n"
    text += "            if isinstance(value, str) and len(value) == 3 and set(value) <= set(common.COLORS):\n"
    text += "                return value\n        frame = frame.f_back\n    return common.choices()\n"
    (tmp_path / "codebreaker2.py").write_text(text, encoding="utf-8")
    project = check_project(tmp_path, SMALL, games=6, seconds=2)
    told = [finding for finding in project.findings if finding.kind == "too good"]

    assert ["note"] == [finding.verdict for finding in told]
    assert "it may know the secret" in told[0].text
    assert [] == [finding for finding in project.wrong if finding.kind == "too good"]


def test_a_codemaker_that_concedes_is_held_against_its_like(tmp_path: Path) -> None:
    text = (EXAMPLES / "codemaker2.py").read_text(encoding="utf-8")
    text = text.replace("(len(parts[each]), each != win, random.random())", "(len(parts[each]), each == win)")
    (tmp_path / "codemaker2.py").write_text(text, encoding="utf-8")
    (tmp_path / "common.py").write_text((EXAMPLES / "common.py").read_text(encoding="utf-8"), encoding="utf-8")
    project = check_project(tmp_path, SMALL, games=20, seconds=10)
    [measure] = project.measures

    assert measure.expected == pytest.approx(expected_codemaker(2, SMALL, turns_against(Conceding())).mean)
    assert [] == [finding for finding in project.findings if finding.kind == "mean"]
    assert codemakers.get("cheat").name == "cheat"  # type: ignore[attr-defined]  # ours is as it was


def test_who_goes_wrong_in_late_turns_is_not_told_for_its_short_games() -> None:
    found = series([3, 4, 4, 3, 4] * 6)

    assert "too good" == getattr(mean_verdict(found, ExpectedMean(5.4, "ours", 0.02), honest=True), "kind", None)

    found.faults.append(Fault("crash", "it raised IndexError", "codebreaker2.py", game=9))

    assert mean_verdict(found, ExpectedMean(5.4, "ours", 0.02), honest=True) is None


def test_nothing_is_expected_of_a_codemaker_that_may_be_anything() -> None:
    assert [None, None] == [expected_codemaker(number, SMALL, []).mean for number in (None, 3)]
