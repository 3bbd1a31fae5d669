"""The constraint solver: it finds what fits, proves that nothing does, and proves that only one code does."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Position, Rules, score
from entropeg.candidates import solver
from entropeg.candidates.solver import Solved, solve
from entropeg.cli import group
from entropeg.cli.commands.candidates import ProvedCode
from entropeg.codes import guesses, random_guess, random_secret, secrets
from entropeg.errors import InputError, MissingExtraError
from entropeg.feedback import Code, Marks, label_of
from entropeg.position import Turn, format_turn
from strategies import codes, positions
from strategies import rules as drawn_rules


@pytest.fixture
def _solver() -> None:
    pytest.importorskip("ortools", reason='the constraint solver is NOT TESTED: pip install ".[solver]"')


@pytest.mark.usefixtures("_solver")
@settings(deadline=None, max_examples=40)
@given(st.data())
def test_the_solver_and_a_scan_of_all_codes_agree(data: st.DataObject) -> None:
    rules = data.draw(drawn_rules(max_codes=600, max_pegs=5, max_colors=6))
    position, _ = data.draw(positions(rules, max_turns=3))
    turns = list(position.turns)
    if data.draw(st.booleans()):  # an answer that some other secret would have given
        guess = data.draw(codes(rules))
        turns.append(Turn(guess, score(guess, data.draw(codes(rules, secret=True)), rules)))
    fitting = set(secrets(rules).consistent(turns))
    found = solve(rules, turns)

    assert ("found" if fitting else "none") == found.status
    assert found.code in fitting or (found.code is None and not fitting)
    assert (len(fitting) == 1 if fitting else None) == found.unique


BOARDS = ["4x3", "3x4/black", "4x3/membership", "3x4/membership", "4x3/positional", "3x4/positional", "3x3/blanks",
          "3x3/blanks-in-secrets", "3x3/membership/blanks", "3x2/positional/blanks", "3x4/no-repeats",
          "3x4/positional/no-repeats", "3x4/no-repeats/guess-repeats", "3x3/no-repeats/blanks-in-secrets"]  # fmt: skip
"""Small boards of every kind of rules that the solver knows."""


def told(kind: int, guess: Code, secret: Code) -> tuple[int, ...]:
    """The numbers of the answer: a mark for each peg, or blacks and whites."""
    return tuple(naive.marks(guess, secret)) if kind == naive.POSITIONAL else naive.answer(kind, guess, secret)


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize("board", BOARDS)
def test_one_after_the_other_the_solver_finds_every_code_that_fits(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(20)
    codes, seen = list(secrets(rules)), set()
    for _ in range(10):
        secret, played = random_secret(rules, rng), [random_guess(rules, rng) for _ in range(2)]
        other = random_secret(rules, rng) if rng.random() < 0.3 else secret
        turns = [Turn(played[0], score(played[0], secret, rules)), Turn(played[1], score(played[1], other, rules))]
        labels = [(turn.guess, label_of(turn.feedback, rules)) for turn in turns]
        expected = [codes[at] for at in naive.matching(rules.kind, labels, codes)]
        known: list[Code] = expected[8:]  # of many codes the last ones are known
        seen.add(bool(expected))
        for _ in expected[:8]:
            status, code, spent = solver.find_another(rules, turns, known, 10.0, seed=3)

            assert ("found", True) == (status, spent >= 0)
            assert code in set(expected) - set(known)
            known.append(code)

        assert ("none", None) == solver.find_another(rules, turns, known, 10.0)[:2]
    assert True in seen


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize("board", BOARDS)
def test_a_turn_known_in_part_is_fitted_where_some_completion_of_it_is(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(21)
    legal, codes, found = list(guesses(rules)), list(secrets(rules)), set()
    is_marked = rules.kind == naive.POSITIONAL
    for _ in range(30):
        opened: list[solver.OpenTurn] = []
        fitting = codes
        for _ in range(int(rng.integers(1, 4))):
            played = legal[rng.integers(len(legal))]
            shown = tuple(None if not is_marked and rng.random() < 0.4 else color for color in played)
            numbers = told(rules.kind, played, codes[rng.integers(len(codes))])
            ranges = tuple((max(n - int(rng.integers(2)), 0), n + int(rng.integers(3) == 0)) for n in numbers)
            opened.append((shown, ranges))
            ways = [way for way in legal if all(color in {None, peg} for color, peg in zip(shown, way, strict=True))]
            fitting = [
                code
                for code in fitting
                if any(
                    all(low <= n <= high for n, (low, high) in zip(told(rules.kind, way, code), ranges, strict=True))
                    for way in ways
                )
            ]
        status, code, _ = solver.find_another(rules, [], [], 10.0, open_turns=opened)
        found.add(status)

        assert solver.can_solve(rules, 0, opened)
        assert ("found" if fitting else "none") == status
        assert code in fitting or not fitting
    assert "found" in found


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize("mark", [0, 1, 2])
def test_a_blank_that_no_secret_has_gets_no_mark(mark: int) -> None:
    found = solve(Rules.parse("3x2/positional/blanks"), [((2, 0, 1), Marks((mark, 2, 0)))])

    assert ("none" if mark else "found") == found.status


def test_the_solver_says_which_boards_and_turns_are_its_own() -> None:
    hundred, open_turn = Rules.parse("100x100"), ((None, *range(99)), ((0, 9), (0, 9)))
    known = (tuple(range(100)), ((0, 9), (0, 9)))
    marks = ((0, 1, 2, None), ((0, 2),) * 4)

    # 60,000 for pegs x colors and twice pegs x turns together, and an unknown peg is four times the symbols of a guess.
    assert [True, False] == [solver.can_solve(hundred, turns) for turns in (250, 251)]
    assert [True, False] == [solver.can_solve(hundred, turns, [known, known]) for turns in (248, 249)]
    assert [True, False] == [solver.can_solve(hundred, turns, [open_turn]) for turns in (247, 248)]
    assert [True, False] == [solver.can_solve(Rules.parse(f"4x6{kind}"), 0, [marks]) for kind in ("", "/positional")]
    assert not solver.can_solve(Rules.parse("3x10/shapes=5"))


def game(text: str, turns: int) -> Position:
    rules, rng = Rules.parse(text), np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(turns)]
    return Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])


@pytest.mark.usefixtures("_solver")
def test_on_a_board_that_nobody_can_enumerate_it_proves_that_one_code_is_left() -> None:
    position = game("20x20", 40)
    found = solve(position.rules, position.turns)

    assert (found.status, found.unique) == ("found", True)
    assert all(score(guess, found.code or (), position.rules) == answer for guess, answer in position.turns)


@pytest.mark.usefixtures("_solver")
def test_on_a_board_that_nobody_can_enumerate_it_proves_a_contradiction() -> None:
    position = game("20x20", 40)
    guess, answer = position.turns[0]
    wrong = Feedback(answer.black + 1, answer.white)
    found = solve(position.rules, [(guess, wrong), *position.turns[1:]])

    assert Solved(None, "none", None) == found


@pytest.mark.usefixtures("_solver")
def test_uniqueness_need_not_be_asked_and_a_time_too_small_leaves_it_open() -> None:
    position = game("20x20", 10)

    assert solve(position.rules, position.turns, unique=False).unique is None
    assert solve(position.rules, game("30x30", 25).turns and position.turns, 1e-6) == Solved(None, "unknown", None)


@pytest.mark.usefixtures("_solver")
def test_the_same_seed_finds_the_same_code() -> None:
    position = game("10x10", 5)
    found = {solve(position.rules, position.turns, unique=False, seed=3).code for _ in range(2)}

    assert len(found) == 1


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize("time_limit", [0, -1.0])
def test_a_time_limit_must_be_more_than_nothing(time_limit: float) -> None:
    with pytest.raises(InputError, match="time limit"):
        solve(Rules.parse("4x6"), [], time_limit)


@pytest.mark.usefixtures("_solver")
def test_secrets_that_are_no_codes_of_colors_are_refused() -> None:
    with pytest.raises(InputError, match="codes of colors"):
        solve(Rules.parse("3x10/shapes=5"), [])


@pytest.mark.usefixtures("_solver")
@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (["AABB 2 0", "AACC 2 2"], "no code fits: proved"),
        (["AABB 2 0", "AACC 4 0"], "AACC is the only code that fits: proved"),
        (["AABB 2 0"], "fits, and so do others"),
    ],
)
def test_the_command_says_what_is_proved(turns: list[str], said: str) -> None:
    result = CliRunner().invoke(group, ["candidates", "4x6", *turns, "--prove", "20"])

    assert (0, True) == (result.exit_code, said in result.output), result.output


@pytest.mark.usefixtures("_solver")
def test_the_command_writes_json_and_says_when_the_time_was_too_short() -> None:
    turns = [format_turn(turn, Rules.parse("20x20")) for turn in game("20x20", 10).turns]
    result = CliRunner().invoke(group, ["candidates", "20x20", *turns, "--prove", "0.000001", "--json"])
    found = json.loads(result.output)

    assert ("unknown", None, None) == (found["status"], found["code"], found["unique"])
    assert "nothing is proved" in str(ProvedCode(Rules.parse("20x20"), (), Solved(None, "unknown")))


def test_without_the_library_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python", None)
    with pytest.raises(MissingExtraError, match=r'pip install "\.\[solver\]"'):
        solve(Rules.parse("4x6"), [])
