"""The front for candidates, and the chains behind it: what they find fits, is all there is, and equally likely."""

from __future__ import annotations

import json
import sys
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import strategies
from entropeg.candidates import Chains, can_walk, find_candidates
from entropeg.cli import group
from entropeg.codes import format_code, random_guess, random_secret, score, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, Feedback
from entropeg.position import Turn, format_turn
from entropeg.rules import FeedbackKind, Rules

SMALL = [
    "4x6",
    "4x5/black",
    "4x5/membership",
    "4x6/no-repeats",
    "4x4/no-repeats",
    "4x5/blanks",
    "4x4/blanks-in-secrets",
]
SMALL += ["4x5/no-repeats/blanks-in-secrets", "3x5/no-repeats/guess-repeats", "3x3/black/no-repeats/blanks-in-secrets"]


def some_turns(rules: Rules, number: int, seed: int) -> tuple[list[tuple[Code, Feedback]], Code]:
    rng = np.random.default_rng(seed)
    secret = random_secret(rules, rng)
    guesses = [random_guess(rules, rng) for _ in range(number)]
    return [(guess, score(guess, secret, rules)) for guess in guesses], secret  # type: ignore[misc]


def missed(rules: Rules, turns: list[tuple[Code, Feedback]], code: Code) -> int:
    """Energy, from its definition."""
    told = [(feedback, score(guess, code, rules)) for guess, feedback in turns]
    black = sum(abs(one.black - other.black) for one, other in told)
    if rules.feedback == FeedbackKind.black:
        return black
    return black + sum(abs(one.black + one.white - other.black - other.white) for one, other in told)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_chains_keep_count_of_what_they_miss(data: st.DataObject) -> None:
    rules = data.draw(strategies.rules().filter(can_walk))
    turns, _ = some_turns(rules, data.draw(st.integers(0, 40)), data.draw(st.integers(0, 99)))
    chains = Chains(rules, turns, np.random.default_rng(data.draw(st.integers(0, 99))))

    for _ in range(2):
        states = [tuple(row) for row in chains.states.tolist()]
        assert [missed(rules, turns, state) for state in states] == chains.energies.tolist()
        chains.walk(3000, seen=0)
    rows, misses = chains.soft
    latest = [
        (missed(rules, turns, tuple(row)), miss) for row, miss in zip(rows.tolist(), misses.tolist(), strict=True)
    ]

    assert all(expected == miss for expected, miss in latest)
    for code in chains.codes[:50]:
        assert missed(rules, turns, code) == 0


@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("board", SMALL)
def test_chains_find_every_secret_and_no_other_code(board: str, number: int) -> None:
    rules = Rules.parse(board)
    turns, secret = some_turns(rules, number, 3)
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(500_000, seen=0)

    assert list(secrets(rules).consistent(turns)) == list(chains.codes)
    assert secret in chains.codes


LIES = [((0,) * 10, Feedback(6)), ((1,) * 10, Feedback(6))]
"""Answers on 10x10 that no secret gives together."""


@pytest.mark.parametrize("replicas", [2, 8])
def test_chains_walk_as_far_as_they_were_asked(replicas: int) -> None:
    chains = Chains(Rules.parse("10x10"), LIES, np.random.default_rng(1), replicas=replicas)
    made = []
    for asked in (100_000, 20_000):
        before = chains.steps
        chains.walk(asked)
        made.append(chains.steps - before)

    assert replicas == len(chains.states)
    assert 99_000 < made[0] <= 100_000
    assert 19_000 < made[1] <= 20_000
    assert (0, 0.0) == (chains.found, chains.estimate())


def test_chains_stop_where_the_harvest_is_full_or_each_code_was_seen_often_enough() -> None:
    rules = Rules.parse("4x6")
    turns = [((0, 0, 1, 1), Feedback(1, 0))]
    full = Chains(rules, turns, np.random.default_rng(1), capacity=10)
    seen = Chains(rules, turns, np.random.default_rng(1))
    full.walk(50_000_000, seen=0)
    seen.walk(50_000_000, seen=3)

    assert full.is_full
    assert not seen.is_full
    assert (10, 10, 10) == (full.found, len(full.rows), len(full.hits))
    assert max(full.steps, seen.steps) < 50_000_000
    assert list(secrets(rules).consistent(turns)) == list(seen.codes)
    assert seen.hits.min() >= 3


def test_chains_set_off_from_the_codes_that_they_are_given_the_coldest_from_the_last() -> None:
    rules = Rules.parse("8x12")
    start = np.array([random_secret(rules, np.random.default_rng(seed)) for seed in range(10)], np.uint8)
    turns, _ = some_turns(rules, 5, 1)
    few = Chains(rules, turns, np.random.default_rng(1), start=start[:3])
    many = Chains(rules, turns, np.random.default_rng(1), start=start)

    assert start[:3].tolist() == few.states[-3:].tolist()
    assert start[-8:].tolist() == many.states.tolist()


def test_some_of_the_codes_found_are_in_order_and_each_as_likely() -> None:
    rules = Rules.parse("4x6")
    turns = [((0, 0, 1, 1), Feedback(2, 1))]
    chains, rng = Chains(rules, turns, np.random.default_rng(1)), np.random.default_rng(2)
    chains.walk(1_000_000, seen=0)
    every, taken = list(chains.codes), Counter[Code]()
    for _ in range(300):
        some = list(chains.some(6, rng))
        taken.update(some)

        assert sorted(set(some)) == some
        assert len(some) == 6

    assert list(secrets(rules).consistent(turns)) == every
    assert every == sorted(taken)
    expected = 300 * 6 / len(every)
    assert all(abs(number - expected) < 5 * expected**0.5 for number in taken.values())
    assert every == list(chains.some(len(every), rng)) == list(chains.some(10_000, rng))


@pytest.mark.parametrize(
    ("board", "reached"),
    [
        ("255x3", True),
        ("3x254", True),
        ("3x253/blanks", True),
        ("256x3", False),
        ("3x255", False),
        ("3x254/blanks", False),
    ],
)
def test_chains_reach_255_pegs_and_254_symbols(board: str, *, reached: bool) -> None:
    rules = Rules.parse(board)
    turns, _ = some_turns(rules, 2, 1)

    assert reached == can_walk(rules)
    if not reached:
        with pytest.raises(TooLargeError, match="chains reach 255 pegs and 254 symbols"):
            Chains(rules, turns, np.random.default_rng(1))
        return
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(20_000)

    assert [missed(rules, turns, tuple(row)) for row in chains.states.tolist()] == chains.energies.tolist()


def test_turns_out_of_proportion_are_refused_before_anything_is_made() -> None:
    rules = Rules.parse("254x254")
    turns = [((0,) * 254, Feedback(1))]

    with pytest.raises(TooLargeError, match="after 1000 turns is too large for chains"):
        Chains(rules, turns * 1000, np.random.default_rng(1))


def test_chains_see_all_codes_equally_often() -> None:
    rules = Rules.parse("4x6")
    turns = [((0, 0, 1, 1), Feedback(1, 0)), ((2, 3, 0, 4), Feedback(0, 2))]
    chains = Chains(rules, turns, np.random.default_rng(5), betas=np.array([0.5, 1.0, 2.0]))
    chains.walk(6_000_000, seen=0)
    expected = chains.hits.mean()

    assert len(secrets(rules).consistent(turns)) == chains.found
    assert expected > 500
    assert (abs(chains.hits - expected) < 0.15 * expected).all()


def test_the_estimate_comes_near_the_number_of_codes() -> None:
    rules = Rules.parse("6x9")
    turns, _ = some_turns(rules, 3, 2)
    chains = Chains(rules, turns, np.random.default_rng(1), capacity=40_000)
    chains.walk(2_000_000, seen=0)

    assert pytest.approx(len(secrets(rules).consistent(turns)), rel=0.1) == chains.estimate()


def test_where_no_code_was_met_twice_the_estimate_is_infinite() -> None:
    rules = Rules.parse("20x20")
    chains = Chains(rules, [((0,) * 20, Feedback(1))], np.random.default_rng(1))
    chains.walk(20_000)

    assert chains.found > 1
    assert chains.hits.max() == 1
    assert np.inf == chains.estimate()


@pytest.mark.parametrize("board", SMALL)
def test_on_small_boards_the_front_gives_the_list(board: str) -> None:
    rules = Rules.parse(board)
    turns, _ = some_turns(rules, 2, 1)
    found = find_candidates(rules, turns, limit=5000, seed=0)

    assert list(secrets(rules).consistent(turns)) == list(found.codes)
    assert (True, "list") == (found.complete, found.method)


def test_a_sample_says_that_it_is_one() -> None:
    rules = Rules.parse("4x6")
    found = find_candidates(rules, [], limit=100, seed=7)

    assert (100, False, "list") == (len(set(found.codes)), found.complete, found.method)
    assert 1296 == found.about
    assert sorted(found.codes) == list(found.codes)


def test_on_a_vast_board_the_front_samples_and_the_sample_fits() -> None:
    rules = Rules.parse("20x20")
    turns, _ = some_turns(rules, 12, 4)
    found = find_candidates(rules, turns, limit=300, seed=3)

    assert (300, False, "chains") == (len(set(found.codes)), found.complete, found.method)
    assert len(found.codes.consistent(turns)) == 300
    assert list(found.codes) == list(find_candidates(rules, turns, limit=300, seed=3).codes)


def test_when_few_codes_are_left_the_front_lists_them() -> None:
    rules = Rules.parse("10x10")
    turns, secret = some_turns(rules, 11, 4)
    found = find_candidates(rules, turns, limit=300, seed=3)

    assert (True, "built") == (found.complete, found.method)
    assert secret in found.codes


def test_a_proved_contradiction_is_said_and_an_unproved_one_is_not() -> None:
    ten, rules = Rules.parse("10x10"), Rules.parse("30x30")
    lies = [((0,) * 10, Feedback(6)), ((1,) * 10, Feedback(6))]
    turns, _ = some_turns(rules, 40, 1)
    turns[-1] = (turns[-1][0], Feedback(0, 1))
    found = find_candidates(rules, turns, limit=10, seed=1, steps=100_000, effort=0)

    with pytest.raises(ContradictionError, match="fits all 2 turns"):
        find_candidates(ten, lies, limit=10, seed=1)
    assert (0, False) == (len(found.codes), found.complete)


def test_where_no_way_leads_it_is_said() -> None:
    rules = Rules.parse("1000x1000")
    with pytest.raises(TooLargeError, match="too large for the constraint solver too"):
        find_candidates(rules, some_turns(rules, 1, 1)[0], limit=10, seed=1, steps=1000)
    with pytest.raises(InputError, match="chains know standard, black and membership feedback"):
        Chains(Rules.parse("4x6/positional"), [], np.random.default_rng(1))
    with pytest.raises(TooLargeError, match="255 pegs"):
        Chains(Rules.parse("300x4"), [], np.random.default_rng(1))


@pytest.mark.parametrize("limit", [0, -1])
def test_a_sample_of_no_codes_is_refused(limit: int) -> None:
    with pytest.raises(InputError, match=f"{limit} codes .* at least 1"):
        find_candidates(Rules.parse("20x20"), [], limit=limit, seed=1)


def test_boards_where_chains_cannot_walk_are_drawn_or_built() -> None:
    rules = Rules.parse("300x3")
    nothing = find_candidates(rules, [], limit=5, seed=1)
    ten = Rules.parse("10x10/positional")
    guess = tuple(range(10))
    built = find_candidates(ten, [(guess, score(guess, (0,) * 9 + (1,), ten))], limit=5, seed=1, steps=100_000)

    assert (5, False, "drawn") == (len(set(nothing.codes)), nothing.complete, nothing.method)
    assert pytest.approx(3.0**300) == nothing.about
    assert "built" == built.method
    assert nothing.says == "a sample of 5 codes that fit: drawn from all codes of the board"
    assert all(score(guess, code, ten) == score(guess, (0,) * 9 + (1,), ten) for code in built.codes)


# ------------------------------------------------------------------ the constraint solver behind the chains


def told(board: str, number: int, *, lie: bool = False) -> tuple[Rules, list[tuple[Code, Feedback]], Code]:
    rules = Rules.parse(board)
    turns, secret = some_turns(rules, number, 4)
    if lie:
        turns[0] = (turns[0][0], Feedback(turns[0][1].black + 1, turns[0][1].white))
    return rules, turns, secret


@pytest.fixture
def _solver() -> None:
    pytest.importorskip("ortools", reason='the constraint solver is NOT TESTED: pip install ".[solver]"')


@pytest.mark.usefixtures("_solver")
def test_where_building_is_given_up_the_solver_proves_that_a_code_is_the_only_one() -> None:
    rules, turns, secret = told("20x20", 40)
    found = find_candidates(rules, turns, limit=20, seed=1, steps=100_000)

    assert ([secret], True, "solver") == (list(found.codes), found.complete, found.method)
    assert found.says.startswith("the only code that fits: found by the constraint solver, which proved")


@pytest.mark.usefixtures("_solver")
def test_where_building_is_given_up_the_solver_proves_that_no_code_fits() -> None:
    rules, turns, _ = told("20x20", 40, lie=True)

    with pytest.raises(ContradictionError, match="as the constraint solver proved"):
        find_candidates(rules, turns, limit=20, seed=1, steps=100_000)


@pytest.mark.usefixtures("_solver")
def test_the_solver_finds_a_code_where_chains_do_not_and_they_go_on_from_there() -> None:
    rules, turns, _ = told("20x20", 20)
    found = find_candidates(rules, turns, limit=20, seed=1, steps=2_000)

    assert ("solver", False) == (found.method, found.complete)
    assert len(found.codes.consistent(turns)) == len(found.codes) > 0
    assert list(found.codes) == list(find_candidates(rules, turns, limit=20, seed=1, steps=2_000).codes)


def test_marks_by_place_need_no_solver() -> None:
    rules = Rules.parse("16x16/positional")
    guess, secret = tuple(range(16)), (3,) * 8 + (5,) * 8
    turns = [(guess, score(guess, secret, rules)), (guess[::-1], score(guess[::-1], secret, rules))]
    found = find_candidates(rules, turns, limit=3, seed=1, steps=1_000, effort=0)

    assert ("chains", 3) == (found.method, len(found.codes.consistent(turns)))


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize("effort", [2.0, 0.5])
def test_the_solver_plays_on_boards_where_chains_cannot_walk(effort: float) -> None:
    turns = [((0, 1, 2, 3, 4), Feedback(3, 0))]
    found = find_candidates("5x260", turns, limit=3, seed=1, steps=1, effort=effort)

    assert ("solver", 3) == (found.method, len(found.codes.consistent(turns)))


@pytest.mark.usefixtures("_solver")
def test_the_solver_lists_all_codes_and_proves_a_contradiction_where_chains_cannot_walk() -> None:
    # Two of five colors are in place, the others rotated: twenty codes. With one step nothing is built.
    turns = [((0, 1, 2, 3, 4), Feedback(2, 3))]
    every, some = (find_candidates("5x260", turns, limit=limit, seed=1, steps=1, effort=20.0) for limit in (21, 5))

    assert naive.rearranged((0, 1, 2, 3, 4), [((0, 1, 2, 3, 4), 2)]) == set(every.codes)
    assert (True, "solver", "") == (every.complete, every.method, every.open)
    assert (5, False, "solver", "") == (len(some.codes), some.complete, some.method, some.open)
    assert set(some.codes) <= set(every.codes)
    # 0 and 1 are in place, and none of 2, 3, 4 is at the middle peg.
    lies = [((0, 9, 9, 9, 9), (1, 0)), ((9, 1, 9, 9, 9), (1, 0)), ((9, 9, 3, 9, 9), (0, 1)), ((9, 9, 4, 9, 9), (0, 1))]
    turns += [(guess, Feedback(*told)) for guess, told in lies]
    with pytest.raises(ContradictionError, match="fits all 5 turns, as the constraint solver proved"):
        find_candidates("5x260", turns, limit=5, seed=1, steps=1)


def test_without_the_extra_the_front_says_how_to_install_what_could_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    rules, turns, _ = told("20x20", 40, lie=True)
    found = find_candidates(rules, turns, limit=20, seed=1, steps=100_000)

    assert (0, False) == (len(found.codes), found.complete)
    assert found.says == (
        "no code that fits was found, and nothing is proved; the constraint solver could decide: "
        'python -m pip install ".[solver]" in the folder of the sources of entropeg'
    )


def test_where_neither_chains_nor_building_nor_the_solver_can_go_it_is_said_after_how_many_turns() -> None:
    rules = Rules.parse("400x400")
    guess, secret = (0,) * 400, tuple(range(400))
    turns = [(guess, score(guess, secret, rules)), (secret[::-1], score(secret[::-1], secret, rules))]

    with pytest.raises(TooLargeError, match="400x400 after 2 turns has too many codes to build; it is too"):
        find_candidates(rules, turns, limit=5, seed=1)


def test_no_effort_leaves_the_solver_out() -> None:
    rules, turns, _ = told("20x20", 40, lie=True)
    found = find_candidates(rules, turns, limit=20, seed=1, steps=100_000, effort=0)

    assert (0, False, "chains") == (len(found.codes), found.complete, found.method)


# ------------------------------------------------------------------ at the prompt


def asked(board: str, turns: list[tuple[Code, Feedback]], *options: str) -> Result:
    written = [format_turn(Turn(*turn), Rules.parse(board)) for turn in turns]
    return CliRunner().invoke(group, ["candidates", board, *written, *options])


def test_the_command_shows_a_sample_where_nobody_can_count_and_says_so() -> None:
    _, turns, _ = told("20x20", 10)
    shown = asked("20x20", turns, "--limit", "3").output.splitlines()
    found = json.loads(asked("20x20", turns, "--limit", "3", "--json").output)

    assert shown[0] == "more codes are left than can be counted; a sample of 3 codes that fit: found by chains"
    assert (None, True, "chains", shown[1].split()[:3]) == (*(found[k] for k in ("count", "more", "method", "codes")),)
    assert asked("20x20", turns, "--limit", "3", "--seed", "5").output.splitlines()[1] != shown[1]


@pytest.mark.usefixtures("_solver")
def test_the_command_tells_the_only_code_and_a_contradiction() -> None:
    _, turns, secret = told("20x20", 40)
    _, wrong, _ = told("20x20", 40, lie=True)
    refused = asked("20x20", wrong)

    assert asked("20x20", turns).output.split() == ["1", "code", "is", "left", format_code(secret, Rules(20, 20))]
    assert (2, True) == (refused.exit_code, "as the constraint solver proved" in refused.output)
