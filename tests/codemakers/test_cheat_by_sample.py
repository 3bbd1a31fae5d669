"""The cheat on boards that nobody can list: never inconsistent, the same however it is asked, near the exact one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg import codebreakers
from entropeg.candidates import Chains
from entropeg.codebreakers.memo import Memo
from entropeg.codemakers import cheat, held_codes, marked_codes
from entropeg.codes import random_guess, random_secret
from entropeg.errors import ContradictionError, MissingExtraError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, score_trusted, win_feedback
from entropeg.game import Game
from entropeg.kernels import switch
from entropeg.kinds.marks import marks_of
from entropeg.loop import play
from entropeg.position import Position
from entropeg.rules import Rules

SMALL = ["4x6", "4x5/black", "4x5/membership", "4x5/no-repeats", "4x4/blanks", "7x2", "1x9", "1x1"]
BY_PLACE = ["4x6/positional", "5x5/positional/no-repeats", "4x4/positional/blanks", "7x2/positional", "1x9/positional"]
LARGE = ["8x12", "12x12/black", "12x12/no-repeats/limit=8", "40x2"]
"""Beyond any list: 430 million codes, and more."""
LARGE_BY_PLACE = ["12x12/positional", "20x20/positional/no-repeats", "40x3/positional/blanks"]


@pytest.fixture
def unlisted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards are played as if nobody could list their codes, not even those that are left at the end."""
    monkeypatch.setattr(cheat, "listed_codes", lambda _: None)
    monkeypatch.setattr(held_codes, "LISTED", 0)
    monkeypatch.setattr(held_codes, "PATIENCE", 1)
    monkeypatch.setattr(held_codes, "_HELD", Memo(32))
    monkeypatch.setattr(marked_codes, "LISTED_BITS", -1.0)


def fits_all(game: Game) -> bool:
    """Tell whether the code that was admitted at the end gives every answer of the game."""
    return game.outcome == "won" and all(
        score_trusted(turn.guess, game.turns[-1].guess, game.rules) == turn.feedback for turn in game.turns
    )


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("board", SMALL + BY_PLACE)
def test_on_small_boards_every_answer_is_one_of_those_that_leave_most(board: str) -> None:
    rules, rng, early = Rules.parse(board), np.random.default_rng(1), 0
    lost = []
    for _ in range(2):
        position = Position(rules)
        while not position.is_over:
            guess = codebreakers.get("consistent").guess(position, rng)
            answer = cheat.Cheat().answer(position, guess, None, rng)
            left = dict(zip(*(each.tolist() for each in position.candidates.parts(guess)), strict=True))
            number = left[rules.feedback.about.label(answer, rules)]  # KeyError: no code gives this answer
            lost.append(np.log2(max(left.values()) / number))
            position = position.after_trusted(guess, answer)
            early += position.is_won and len(left) > 1

    assert early == 0  # it wins only where it is the only candidate
    # 8 of 10 answers are the exact cheat's; a wrong estimate of marks by place loses .2 bits a turn.
    assert np.mean(lost) < 0.1


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize("board", ["4x6", "4x6/positional"])
def test_an_answer_that_is_drawn_leaves_less(board: str) -> None:
    # The control of the test above: the honest codemaker.
    rules, rng, lost = Rules.parse(board), np.random.default_rng(1), []
    for _ in range(3):
        position, secret = Position(rules), random_secret(rules, rng)
        while not position.is_over:
            guess = codebreakers.get("consistent").guess(position, rng)
            labels, sizes = position.candidates.parts(guess)
            answer = score_trusted(guess, secret, rules)
            lost.append(np.log2(sizes.max() / sizes[labels == rules.feedback.about.label(answer, rules)][0]))
            position = position.after_trusted(guess, answer)

    assert np.mean(lost) > 0.3


@pytest.mark.parametrize("board", LARGE + LARGE_BY_PLACE)
def test_on_large_boards_every_answer_fits_a_code(board: str) -> None:
    rules = Rules.parse(board)
    rng = np.random.default_rng(2)
    position = Position(rules)
    while not position.is_over and len(position.turns) < 8:
        guess = random_guess(rules, rng)
        position = position.after_trusted(guess, cheat.Cheat().answer(position, guess, None, rng))

    witness = cheat.held_code(position)

    assert [score_trusted(guess, witness, rules) for guess, _ in position.turns] == [told for _, told in position.turns]


@pytest.mark.parametrize("board", ["8x12", "9x9/positional"])
def test_a_whole_game_ends_with_a_code_that_fits_every_answer(board: str) -> None:
    game = play("auto:time=0.01", "cheat", board, seed=3)

    assert game.secret is None
    assert fits_all(game)


def answers(rules: Rules, memo: Memo[held_codes.HeldCodes] | None, patch: pytest.MonkeyPatch) -> list[AnyFeedback]:
    """Play five guesses with a memo, or with one that is emptied before each of them."""
    draw, rng, position = np.random.default_rng(5), np.random.default_rng(6), Position(rules)
    for _ in range(5):
        patch.setattr(held_codes, "_HELD", memo or Memo(1))
        guess = random_guess(rules, draw)
        position = position.after_trusted(guess, cheat.Cheat().answer(position, guess, None, rng))
    return [turn.feedback for turn in position.turns]


@pytest.mark.parametrize("board", ["12x12", "12x12/positional"])
def test_a_memo_that_is_empty_or_full_changes_no_answer(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse(board)
    full: Memo[held_codes.HeldCodes] = Memo(2)
    for other in ("8x12", "9x12"):
        full.keep(held_codes.HeldCodes.at_start(Rules.parse(other)))

    kept = answers(rules, Memo(32), monkeypatch)

    assert kept == answers(rules, None, monkeypatch) == answers(rules, full, monkeypatch)


def test_an_interrupted_turn_is_answered_alike_when_it_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, walk, calls = Rules.parse("12x12"), Chains.walk, []

    def interrupted(chains: Chains, steps: int) -> None:
        calls.append(steps)
        if len(calls) in (2, 4):
            raise KeyboardInterrupt
        walk(chains, steps)

    expected = answers(rules, Memo(32), monkeypatch)
    monkeypatch.setattr(Chains, "walk", interrupted)
    monkeypatch.setattr(held_codes, "_HELD", Memo(32))
    draw, rng, position = np.random.default_rng(5), np.random.default_rng(6), Position(rules)
    heard = 0
    while len(position.turns) < 5:
        guess = random_guess(rules, draw)
        try:
            answer = cheat.Cheat().answer(position, guess, None, rng)
        except KeyboardInterrupt:
            heard += 1
            answer = cheat.Cheat().answer(position, guess, None, rng)
        position = position.after_trusted(guess, answer)

    assert heard == 2
    assert expected == [turn.feedback for turn in position.turns]


@pytest.mark.parametrize("board", ["8x12", "15x15/positional"])
def test_the_one_code_left_is_admitted_and_no_other(board: str) -> None:
    rules = Rules.parse(board)
    secret, rng = random_secret(rules, np.random.default_rng(7)), np.random.default_rng(8)
    # Each color alone, then each peg by itself: nothing but the secret is left.
    turns: list[tuple[Code, AnyFeedback]] = []
    for color in range(rules.colors):
        for half in range(3):
            other = (color + 1) % rules.colors
            guess = tuple(color if peg >> half & 1 or peg == 8 else other for peg in range(rules.pegs))
            turns.append((guess, score_trusted(guess, secret, rules)))
    position = Position(rules, turns)
    another = (*secret[:-1], (secret[-1] + 1) % rules.colors)

    assert cheat.Cheat().answer(position, secret, None, rng) == win_feedback(rules)
    assert cheat.Cheat().answer(position, another, None, rng) == score_trusted(another, secret, rules)


@pytest.mark.parametrize("board", ["8x12", "15x15/positional"])
def test_answers_that_no_code_fits_are_named(board: str) -> None:
    rules = Rules.parse(board)
    guess = (0,) * rules.pegs
    position = Position(rules, [(guess, score_trusted(guess, (1,) * rules.pegs, rules))] * 1)
    wrong = position.after_trusted((0, *guess[1:]), score_trusted(guess, (0, *(1,) * (rules.pegs - 1)), rules))

    with pytest.raises(ContradictionError):
        cheat.Cheat().answer(wrong, guess, None, np.random.default_rng(1))


def test_the_first_of_equal_answers_is_given_without_a_generator() -> None:
    position, guess = Position("12x12"), tuple(range(12))

    assert cheat.Cheat("first").answer(position, guess, None, None) == cheat.Cheat("first").answer(  # type: ignore[arg-type]
        Position("12x12"), guess, None, np.random.default_rng(1)
    )


def test_a_limit_of_guesses_ends_the_game_without_a_win() -> None:
    game = play("place", "cheat", "9x12/limit=3/positional", seed=1)

    assert game.outcome == "lost"
    assert len(game.turns) == 3


def test_what_it_cannot_play_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    for board in ("300x10", "12x12/shapes=3"):
        rules = Rules.parse(board)
        with pytest.raises(TooLargeError, match=r"too many for the cheat to list.*honest plays there"):
            cheat.Cheat().answer(Position(rules), random_guess(rules, rng), None, rng)
    monkeypatch.setattr(switch, "why_not", lambda: "there is none")
    with pytest.raises(MissingExtraError, match="needs compiled code"):
        cheat.Cheat().answer(Position("12x12"), (0,) * 12, None, rng)
    assert cheat.Cheat().answer(Position("12x12/positional"), (0,) * 12, None, rng) == (0,) * 12


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_the_marks_of_many_codes_are_those_of_each(data: st.DataObject) -> None:
    pegs, colors = data.draw(st.integers(1, 7)), data.draw(st.integers(1, 4))
    code = st.lists(st.integers(0, colors), min_size=pegs, max_size=pegs).map(tuple)
    guess, codes = data.draw(code), data.draw(st.lists(code, min_size=1, max_size=9))

    told = marked_codes.marks_of_all(np.array(guess), np.array(codes))

    assert [marks_of(guess, each) for each in codes] == list(map(tuple, told.tolist()))


def test_where_it_finds_no_code_nothing_is_called_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_codes, "PATIENCE", 1)
    monkeypatch.setattr(held_codes, "TRIED", 1000)
    rules, rng = Rules.parse("20x20"), np.random.default_rng(2)
    position = Position(rules, [(random_guess(rules, rng), (7, 11)) for _ in range(6)])

    with pytest.raises(TooLargeError, match="found no code of 20x20 that fits all 6 turns, and nothing is proven"):
        cheat.Cheat().answer(position, random_guess(rules, rng), None, rng)
