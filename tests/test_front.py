"""The front for candidates, and the chains behind it: what they find fits, is all there is, and equally likely."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

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
SMALL += ["4x5/no-repeats/blanks-in-secrets", "3x5/no-repeats/guess-repeats"]


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
    for code in chains.codes[:50]:
        assert missed(rules, turns, code) == 0


@pytest.mark.parametrize("board", SMALL)
def test_chains_find_every_secret_and_no_other_code(board: str) -> None:
    rules = Rules.parse(board)
    turns, secret = some_turns(rules, 2, 3)
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(500_000, seen=0)

    assert list(secrets(rules).consistent(turns)) == list(chains.codes)
    assert secret in chains.codes


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


@pytest.mark.usefixtures("_solver")
def test_the_solver_plays_for_feedback_that_chains_do_not_know() -> None:
    rules = Rules.parse("16x16/positional")
    guess, secret = tuple(range(16)), (3,) * 8 + (5,) * 8
    turns = [(guess, score(guess, secret, rules)), (guess[::-1], score(guess[::-1], secret, rules))]
    found = find_candidates(rules, turns, limit=3, seed=1, steps=1_000)

    assert ("solver", 3) == (found.method, len(found.codes.consistent(turns)))


def test_without_the_extra_the_front_says_how_to_install_what_could_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    rules, turns, _ = told("20x20", 40, lie=True)
    found = find_candidates(rules, turns, limit=20, seed=1, steps=100_000)

    assert (0, False) == (len(found.codes), found.complete)
    assert found.says == (
        "no code that fits was found, and nothing is proved; the constraint solver could decide: "
        'python -m pip install ".[solver]" in the folder of the sources of entropeg'
    )


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
