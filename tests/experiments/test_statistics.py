"""Statistics of games: every number by its definition, the histogram as it is drawn in text, and what runs say."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropeg.experiments.results import Interrupted, Progress, Run, Statistics
from entropeg.rules import Rules

NO_GAMES = np.zeros(0, np.int64)


def drawn_as(histogram: dict[int, int], width: int = 80, bar: str = "█") -> list[str]:
    guesses = np.repeat(list(histogram), list(histogram.values())).astype(np.int64)
    return Statistics.of(guesses).bars(width, bar)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.booleans())
def test_every_number_is_that_of_its_definition(guesses: list[int], exact: bool) -> None:
    won = [number for number in guesses if number]
    facts = Statistics.of(np.array(guesses), seconds=3.0, exact=exact)

    assert (len(guesses), len(won), guesses.count(0)) == (facts.count, facts.won, facts.lost)
    assert (sum(won), max(won, default=0)) == (facts.total, facts.worst)
    assert Counter(won) == facts.histogram
    assert sorted(set(won)) == list(facts.histogram)
    assert facts.exact == exact
    assert pytest.approx(3.0 / len(guesses)) == facts.seconds_per_game
    if won:
        assert pytest.approx(statistics.mean(won)) == facts.mean
        assert statistics.median(won) == facts.median
    assert (facts.interval is not None) == (not exact and len(set(won)) > 1)
    if facts.interval is not None:
        low, high = facts.interval
        assert pytest.approx(facts.mean) == (low + high) / 2
        assert low < facts.mean < high


def test_no_games_are_summed_up_too() -> None:
    facts = Statistics.of(NO_GAMES, seconds=3.0)

    assert (0, 0, 0, 0, 0.0) == (facts.count, facts.won, facts.worst, facts.total, facts.seconds_per_game)
    assert ({}, None, "", []) == (facts.histogram, facts.interval, facts.spread, facts.bars())


def test_what_is_written_behind_the_mean_is_half_of_the_interval() -> None:
    found = Statistics.of(np.array([4, 6, 5, 5, 0]))
    alike, many = Statistics.of(np.array([5, 5, 5])), Statistics.of(np.array([1, 40_001]))

    # 3.182 standard errors of sqrt(2/3/4); 12.706 of 20,000
    assert ("± 1.3", "", "± 2.54e+05") == (found.spread, alike.spread, many.spread)


def test_the_data_for_json_hold_every_number() -> None:
    facts = Statistics.of(np.array([3, 4, 0, 5, 4]), seconds=2.0)
    data = json.loads(json.dumps(facts.to_json()))

    assert facts.interval is not None
    assert {**vars(facts), "interval": list(facts.interval), "histogram": {"3": 1, "4": 2, "5": 1}} == data


@pytest.mark.parametrize(
    ("histogram", "expected"),
    [
        ({4: 1}, ["4  1  100.0 %  ███████████████"]),
        # A number of guesses that no game took has its line; what is not empty shows.
        ({1: 40, 3: 1}, ["1  40  97.6 %  ███████████████", "2   0   0.0 %", "3   1   2.4 %  ▌"]),
        # Whole signs and halves: 15 x 5 / 12 is 6.25.
        ({9: 12, 10: 5}, [" 9  12  70.6 %  ██████████████", "10   5  29.4 %  ██████"]),
        ({2: 2, 3: 1}, ["2  2  66.7 %  ████████████████", "3  1  33.3 %  ████████"]),
        ({2: 32, 3: 1, 4: 5}, ["2  32  84.2 %  ███████████████", "3   1   2.6 %  ▌", "4   5  13.2 %  ██▌"]),
    ],
)
def test_bars_are_as_long_as_their_games_are_many(histogram: dict[int, int], expected: list[str]) -> None:
    assert expected == drawn_as(histogram, 30)


def test_bars_of_another_sign_know_no_halves() -> None:
    expected = ["2  32  84.2 %  ###############", "3   1   2.6 %  #", "4   5  13.2 %  ###"]

    assert expected == drawn_as({2: 32, 3: 1, 4: 5}, 30, "#")


@pytest.mark.parametrize(
    ("last", "wide"),
    [
        (24, 1),
        (25, 2),
        (48, 2),
        (49, 5),
        (120, 5),
        (121, 10),
        (240, 10),
        (241, 20),
        (480, 20),
        (481, 50),
        (24_001, 2000),
    ],
)
def test_ranges_are_as_narrow_as_a_screen_of_lines_allows(last: int, wide: int) -> None:
    rng = np.random.default_rng(last)
    guesses = np.array([1, last, *rng.integers(1, last, 50)])
    lines = Statistics.of(guesses).bars()
    ranges = [(low, low + wide - 1) for low in range(1, last + 1, wide)]
    inside = [int(((guesses >= low) & (guesses <= high)).sum()) for low, high in ranges]
    names = [f"{low:,}" if low == high else f"{low:,}-{high:,}" for low, high in ranges]

    assert len(lines) <= 24
    assert [(name, str(games)) for name, games in zip(names, inside, strict=True)] == [
        (line.split()[0], line.split()[1]) for line in lines
    ]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("first", "last", "names"),
    [
        *((30, 53, ("30", "53")), (30, 54, ("29-30", "53-54")), (31, 54, ("31", "54")), (10, 58, ("6-10", "56-60"))),
        (1001, 1048, ("1,001-1,002", "1,047-1,048")),
    ],
)
def test_ranges_begin_behind_a_multiple_of_their_width(first: int, last: int, names: tuple[str, str]) -> None:
    lines = drawn_as({first: 1, last: 1})

    assert names == (lines[0].split()[0], lines[-1].split()[0])


def run_of(*guesses: int, planned: int, **others: Any) -> Run:
    given = {"rules": Rules.parse("4x6"), "codebreaker": "a", "codemaker": "b", "seed": 7, "plan": "drawn", **others}
    return Run(
        guesses=np.array(guesses, np.int32), seconds=6.0, games=np.arange(len(guesses)), planned=planned, **given
    )


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (run_of(4, 6, 5, 5, 0, planned=5), "5 games, mean 5.0000 ± 1.3, worst 6, 1 lost"),
        (run_of(5, planned=1), "1 game, mean 5.0000, worst 5"),
        (run_of(0, planned=3), "1 game, 1 lost, 3 planned"),
        (run_of(4, 6, planned=2, plan="all-secrets", exact=True), "2 secrets, mean 5.0000, exact, worst 6"),
        (run_of(4, 6, planned=3, plan="all-secrets", exact=True), "2 secrets, mean 5.0000 ± 12.7, worst 6, 3 planned"),
        (run_of(5, planned=2, fault="it froze"), "1 game, mean 5.0000, worst 5, 2 planned, ended by a fault: it froze"),
    ],
)
def test_a_run_says_on_one_line_what_it_found_and_what_it_lacks(run: Run, expected: str) -> None:
    assert f"a against b on 4x6: {expected}" == run.line
    assert (f"<Run of {run.line}>", run.fault or None) == (repr(run), run.fault_or_none)
    assert [run.line, *run.statistics.bars()] == str(run).splitlines()


def test_a_run_is_a_row_of_a_table() -> None:
    expected = {
        "rules": "4x6",
        "codebreaker": "a",
        "codemaker": "b",
        "seed": "7",
        "plan": "drawn",
        "planned": 6,
        "seconds": 6.0,
        "count": 5,
        "won": 4,
        "lost": 1,
        "mean": 5.0,
        "exact": False,
        "median": 5.0,
        "worst": 6,
        "total": 20,
        "seconds_per_game": 1.2,
        "low": pytest.approx(3.7, abs=0.01),
        "high": pytest.approx(6.3, abs=0.01),
    }
    exact = run_of(4, 6, planned=2, exact=True).to_dict()

    assert expected == run_of(4, 6, 5, 5, 0, planned=6).to_dict()
    assert (True, None, None) == (exact["exact"], exact["low"], exact["high"])


def test_a_notebook_shows_a_run_as_a_table() -> None:
    run = run_of(4, 4, 5, 0, planned=4, rules=Rules.parse("4x6"), codemaker="<b>")
    rows = "<tr><td>4</td><td>2</td><td>66.7%</td></tr><tr><td>5</td><td>1</td><td>33.3%</td></tr>"

    assert f"<tbody>{rows}</tbody></table>" in run._repr_html_()
    assert "<caption>a against &lt;b&gt; on 4x6: 4 games" in run._repr_html_()


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((), ""),
        ((1204,), "turn 1,204 of the game under way"),
        ((12, 30, 1204), "turns 12 to 1,204 of 3 games under way"),
    ],
)
def test_long_games_say_how_far_they_are(turns: tuple[int, ...], expected: str) -> None:
    assert expected == Progress(("auto", "honest"), 0, 1, turns=turns).under_way


def test_an_interruption_counts_the_games_of_all_runs() -> None:
    runs = [run_of(4, 6, planned=9), run_of(5, planned=9)]

    assert ("interrupted after 3 games", runs) == (str(Interrupted(runs)), Interrupted(runs).runs)
