"""The codebreaker for boards that nobody can enumerate, and the search for a guess that splits a sample."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg import codebreakers, codemakers, play
from entropeg.candidates import Chains, can_walk
from entropeg.codebreakers.auto import Auto
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codebreakers.sampling.doubt import doubted_after
from entropeg.codebreakers.sampling.player import SOFT_POOL, Sampling
from entropeg.codebreakers.sampling.splitting import UNIT, Ahead, Splitter, look_ahead, outlook, split_best
from entropeg.codes import CodeSet, check_code, random_guess, random_secret, score, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, Feedback
from entropeg.game import Game
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from strategies import rules as some_rules

QUICK = "sampling:sample=300,steps=100000,tries=400"


def quick_game(board: str, seed: int, player: object | None = None) -> Game:
    return play(player or codebreakers.get(QUICK), codemakers.get("honest"), Rules.parse(board), seed)  # type: ignore[arg-type]


def price_of(codes: CodeSet, guess: Code) -> float:
    """Price of a guess, from its definition, where the codes are all there are."""
    partition = Partition.of(codes, guess)
    expected = sum(size * outlook(size) for size in partition.sizes.values())
    return expected - outlook(1) * partition.win_possible


# ------------------------------------------------------------------ splitting


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_price_is_the_sum_over_the_parts_of_what_they_need(data: st.DataObject) -> None:
    rules = data.draw(some_rules().filter(can_walk))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    codes = CodeSet.of([random_secret(rules, rng) for _ in range(data.draw(st.integers(1, 70)))], rules)
    guesses = [*codes[:2], random_guess(rules, rng)]
    splitter = Splitter(codes, rng, float(len(codes)))
    prices = splitter.prices(np.array(guesses, np.uint8)) / UNIT

    assert prices == pytest.approx([price_of(codes, guess) for guess in guesses], abs=1e-3)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_an_improved_guess_is_legal_and_has_the_price_it_is_said_to_have(data: st.DataObject) -> None:
    rules = data.draw(some_rules().filter(can_walk))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    codes = CodeSet.of([random_secret(rules, rng) for _ in range(data.draw(st.integers(1, 70)))], rules)
    splitter = Splitter(codes, rng, float(len(codes)))
    guess = np.array(codes[0], np.uint8)
    before = int(splitter.prices(guess[None])[0])
    after = splitter.improve(guess, before, 200)

    check_code(tuple(guess.tolist()), rules)
    assert after <= before
    assert after == int(splitter.prices(guess[None])[0])


@pytest.mark.parametrize("board", ["255x2", "255x254/membership", "255x1/blanks", "1x254"])
def test_boards_at_the_limit_are_priced_and_improved(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    codes = CodeSet.of([(0,) * rules.pegs, *(random_secret(rules, rng) for _ in range(40))], rules)
    splitter = Splitter(codes, rng, float(len(codes)))
    guess = np.array(codes[0], np.uint8)
    before = int(splitter.prices(guess[None])[0])
    after = splitter.improve(guess, before, 200)
    found = tuple(guess.tolist())

    assert can_walk(rules)
    assert [before / UNIT, after / UNIT] == pytest.approx([price_of(codes, codes[0]), price_of(codes, found)], abs=1e-3)


def test_the_best_split_of_a_small_board_is_nearly_the_best_of_all() -> None:
    rules = Rules.parse("4x6")
    codes = secrets(rules).consistent([((0, 0, 1, 2), Feedback(1, 1))])
    choice = split_best(codes, np.random.default_rng(1), stands_for=len(codes), tries=3000)
    best = min(price_of(codes, guess) for guess in secrets(rules))

    assert choice.price * len(codes) == pytest.approx(price_of(codes, choice.guess), abs=1e-3)
    assert choice.price * len(codes) <= best * 1.01


def test_two_guesses_ahead_are_judged_no_worse_than_one() -> None:
    rules = Rules.parse("4x6")
    codes = secrets(rules).consistent([((0, 0, 1, 2), Feedback(1, 1)), ((3, 0, 4, 1), Feedback(0, 2))])
    one = split_best(codes, np.random.default_rng(1), stands_for=len(codes), tries=2000)
    two = look_ahead(codes, np.random.default_rng(1), tries=2000)

    def needed(guess: Code) -> float:
        parts = [codes.take(np.flatnonzero(codes.score(guess) == label)) for label in set(codes.score(guess).tolist())]
        parts = [part for part in parts if tuple(part[0]) != guess]
        after = [min(price_of(part, code) for code in secrets(rules)) if len(part) > 1 else 0 for part in parts]
        return sum(len(part) + price for part, price in zip(parts, after, strict=True))

    assert needed(two.guess) <= needed(one.guess) + 1e-6
    assert two.price * len(codes) == pytest.approx(needed(two.guess), rel=0.03)


@pytest.mark.parametrize("board", ["4x6", "4x6/black", "4x6/membership"])
def test_the_price_of_two_guesses_is_that_of_the_best_code_of_each_part(board: str) -> None:
    rules = Rules.parse(board)
    codes = secrets(rules).consistent([((0, 0, 1, 2), score((0, 0, 1, 2), (3, 0, 4, 2), rules))])
    ahead = Ahead(Splitter(codes, np.random.default_rng(1), len(codes)))
    for guess in (tuple(codes[0]), (0, 1, 2, 3), (5, 5, 4, 4)):
        labels = codes.score(guess)
        parts = [codes.take(np.flatnonzero(labels == label)) for label in set(labels.tolist()) - {rules.win_label}]
        needed = sum(len(part) + min(price_of(part, code) for code in part) for part in parts)
        row = np.array(guess, np.uint8)

        assert ahead.price(row, np.inf, changes=0) * len(codes) == pytest.approx(needed, abs=1e-3)
        assert ahead.price(row, needed / len(codes) / 2, changes=0) > needed / len(codes) / 2
        assert ahead.price(row, np.inf) * len(codes) <= needed + 1e-3


def test_more_codes_need_more_guesses() -> None:
    needs = [outlook(number) for number in range(1, 2000)]

    assert needs == sorted(set(needs))


# ------------------------------------------------------------------ games

BOARDS = ["5x26", "8x12", "9x9/black", "8x8/membership", "10x12/no-repeats", "8x10/blanks", "7x9/blanks-in-secrets"]
BOARDS += ["12x12", "20x20", "4x6", "5x8/no-repeats/guess-repeats"]


@pytest.mark.parametrize("board", BOARDS)
def test_it_wins_on_every_kind_of_board(board: str) -> None:
    game = quick_game(board, 3)

    assert game.outcome == "won"
    assert len(game) <= 9 + game.rules.pegs


def test_it_needs_about_as_many_guesses_as_it_is_known_for() -> None:
    lengths = [len(quick_game("8x12", seed)) for seed in range(8)]

    assert sum(lengths) / len(lengths) < 9.6


def test_the_same_seed_gives_the_same_game_whatever_was_played_before() -> None:
    player = codebreakers.get(QUICK)
    quick_game("10x10", 5, player)

    copy = pickle.loads(pickle.dumps(player))  # noqa: S301 (made a line ago)
    turns = quick_game("10x10", 4).turns

    assert turns == quick_game("10x10", 4, player).turns == quick_game("10x10", 4, copy).turns


def test_games_played_side_by_side_do_not_meddle() -> None:
    rules, player = Rules.parse("10x10"), codebreakers.get(QUICK)
    hidden = random_secret(rules, np.random.default_rng(1))
    alone, first, second = ([Position(rules)] for _ in range(3))
    for turn in range(4):
        for line in (first, second):
            guess = player.guess(line[-1], np.random.default_rng(turn))
            line.append(line[-1].after(guess, score(guess, hidden, rules)))
    for turn in range(4):
        guess = player.guess(alone[-1], np.random.default_rng(turn))
        alone.append(alone[-1].after(guess, score(guess, hidden, rules)))

    assert alone == first == second


def test_what_is_remembered_of_a_position_is_little() -> None:
    breaker = codebreakers.get("sampling:sample=200,steps=60000,tries=50")
    play(breaker, "honest", "16x14", seed=2)

    assert isinstance(breaker, Sampling)
    for kept in breaker._memo.values():
        knowledge = kept.knowledge
        for array in (knowledge.codes.planes, knowledge.soft, knowledge.states):
            assert whole(array).nbytes <= 16 * (SOFT_POOL + breaker.sample)


def whole(array: np.ndarray) -> np.ndarray:
    """Return the array that a view keeps."""
    return whole(array.base) if isinstance(array.base, np.ndarray) else array


def test_it_keeps_the_promises_of_a_codebreaker() -> None:
    check_codebreaker(codebreakers.get("sampling"))
    check_codebreaker(codebreakers.get(QUICK), Rules.parse("3x4/blanks"))


def test_its_name_makes_it_again() -> None:
    assert "sampling" == codebreakers.get("sampling").name  # type: ignore[attr-defined]
    assert Sampling(steps=5) == codebreakers.get("sampling:steps=5")
    assert Sampling(sample=50, tries=7).name == "sampling:sample=50,tries=7"


# ------------------------------------------------------------------ what cannot be


def test_answers_that_exclude_every_code_are_told_by_proof() -> None:
    position = Position(Rules.parse("10x10"), [((0,) * 10, Feedback(6)), ((1,) * 10, Feedback(6))])

    with pytest.raises(ContradictionError, match="fits all 2 turns"):
        codebreakers.get(QUICK).guess(position, np.random.default_rng(1))


def test_a_codemaker_that_lies_is_told_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    rules = Rules.parse("20x20")
    player = Sampling(sample=50, steps=20_000, tries=50)
    lies: list[tuple[Code, Feedback]] = []
    rng = np.random.default_rng(1)

    def play_on() -> None:
        lie = Feedback(int(rng.integers(3)), int(rng.integers(9)))
        lies.append((player.guess(Position(rules, lies), rng), lie))
        if len(lies) < 60:
            play_on()

    with pytest.raises(TooLargeError, match=r"nothing is proved: .* or an answer is wrong"):
        play_on()


def changed_game(rules: Rules, honest: int, length: int) -> Position:
    """A game of random guesses whose codemaker answers by another secret after some turns."""
    rng = np.random.default_rng(1)
    hidden = [random_secret(rules, rng) for _ in range(2)]
    played = [random_guess(rules, rng) for _ in range(length)]
    return Position(rules, [(code, score(code, hidden[turn >= honest], rules)) for turn, code in enumerate(played)])


def test_a_lie_is_told_of_a_position_that_nobody_has_seen_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    turns = changed_game(Rules.parse("20x20"), 14, 50).turns
    last = 30 + doubted_after(Rules.parse("20x20"))
    quick = "sampling:sample=50,steps=20000,tries=50"

    codebreakers.get(quick).guess(Position(Rules.parse("20x20"), turns[:22]), np.random.default_rng(1))
    for _ in range(2):
        with pytest.raises(TooLargeError, match=r"even the first 30 of 43 turns, and nothing is proved: .*; .*pip"):
            codebreakers.get(quick).guess(Position(Rules.parse("20x20"), turns[:last]), np.random.default_rng(1))


def test_a_lie_is_proved_where_the_solver_is_there() -> None:
    pytest.importorskip("ortools")
    position = changed_game(Rules.parse("20x20"), 14, 43)

    with pytest.raises(ContradictionError, match="fits all 43 turns, as the constraint solver proved"):
        codebreakers.get(QUICK).guess(position, np.random.default_rng(1))


def test_an_honest_codemaker_is_not_doubted_by_who_sees_the_position_for_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    rules = Rules.parse("20x20")
    position = changed_game(rules, 99, 40)
    player = codebreakers.get("sampling:sample=50,steps=1000,tries=50")

    for length in (16, 24, 32):
        guess = player.guess(Position(rules, position.turns[:length]), np.random.default_rng(1))
        check_code(guess, rules)


@pytest.mark.parametrize("board", ["31x31", "50x50", "40x30/black"])
def test_beyond_its_reach_it_accuses_nobody_and_says_who_plays(monkeypatch: pytest.MonkeyPatch, board: str) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    monkeypatch.setattr("entropeg.codebreakers.sampling.doubt.PATIENCE", 1e-4)
    position = changed_game(Rules.parse(board), 99, 40)

    with pytest.raises(TooLargeError, match="sampling reaches some 30 pegs; `auto` picks a strategy") as caught:
        Sampling(sample=50, steps=1000, tries=50).guess(position, np.random.default_rng(1))

    assert "wrong" not in str(caught.value)


def test_auto_plays_on_where_sampling_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    monkeypatch.setattr("entropeg.codebreakers.sampling.doubt.PATIENCE", 1e-4)
    monkeypatch.setattr(Chains, "walk", lambda chains, steps, **_: setattr(chains, "steps", chains.steps + steps))
    position = changed_game(Rules.parse("24x24"), 99, 40)
    found = Auto().decide(position, np.random.default_rng(1))

    assert "belief" == found.spec
    assert check_code(found.guess, position.rules) == found.guess


def test_what_chains_do_not_find_the_solver_may(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    rules = Rules.parse("20x20")
    position = changed_game(rules, 99, 40)
    monkeypatch.setattr("entropeg.codebreakers.sampling.doubt.PATIENCE", 1e-4)
    player = Sampling(sample=50, steps=1000, tries=50)
    guess = player.guess(position, np.random.default_rng(1))

    assert all(score(turn.guess, guess, rules) == turn.feedback for turn in position.turns)


@pytest.mark.parametrize("board", ["4x6/positional", "300x4", "4x25/shapes=5"])
def test_rules_that_it_does_not_play_are_refused(board: str) -> None:
    with pytest.raises(InputError):
        codebreakers.get("sampling").guess(Position(Rules.parse(board)), np.random.default_rng(1))


@pytest.mark.parametrize("spec", ["sampling:3", "sampling:steps=-1", "sampling:tries=-1"])
def test_numbers_that_mean_nothing_are_refused(spec: str) -> None:
    with pytest.raises(InputError, match="must be at least"):
        codebreakers.get(spec)
