"""The genetic players of the literature: what they breed fits, what they choose is best of it, and they win."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codebreakers.evolutionary import SLICE, Evolutionary, best_of, opening, pack_turns, scratch
from entropeg.codes import CodeSet, random_guess, random_secret
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.kernels.evolution import measure
from entropeg.position import Turn
from strategies import codes

RULES = [
    Rules.parse(text) for text in ("4x6", "5x3", "4x6/membership", "3x5/black", "3x3/blanks", "3x3/blanks-in-secrets")
]


def distances(rules: Rules, turns: Sequence[Turn], some: Sequence[Code], blacks: int = 1, whites: int = 1) -> list[int]:
    room = scratch(rules, len(some))
    measure(np.array(some), len(some), pack_turns(rules, turns, blacks, whites), room)
    return [int(found) for found in room.found[: len(some)]]


@settings(deadline=None)
@given(st.data())
def test_the_distance_of_a_code_is_what_its_feedback_misses(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(RULES))
    some = data.draw(st.lists(codes(rules, secret=True), min_size=1, max_size=5)) * data.draw(st.sampled_from([1, 40]))
    blacks, whites = data.draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
    turns = [
        Turn(guess, Feedback(data.draw(st.integers(0, rules.pegs)), data.draw(st.integers(0, rules.pegs))))
        for guess in data.draw(st.lists(codes(rules), max_size=9))
    ]
    told = [(turn.guess, (turn.feedback.black, turn.feedback.white)) for turn in turns]
    expected = [naive.missed(rules.kind, code, told, (blacks, whites)) for code in some]

    assert expected == distances(rules, turns, some, blacks, whites)


def position_of(text: str, turns: int, seed: int = 1) -> Position:
    rules, rng = Rules.parse(text), np.random.default_rng(seed)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(turns)]
    return Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])


@pytest.mark.parametrize("variant", ["berghman", "merelo"])
@pytest.mark.parametrize("text", ["5x8", "4x6/membership", "4x5/black", "4x5/blanks-in-secrets"])
def test_whatever_is_bred_as_eligible_fits_every_turn_and_is_there_once(variant: str, text: str) -> None:
    position = position_of(text, 2)
    found = Evolutionary(variant=variant).decide(position, np.random.default_rng(1))

    assert set(found.eligible) <= set(position.candidates)
    assert len(set(found.eligible)) == len(found.eligible) > 5
    assert found.guess in found.eligible


def test_no_population_gives_more_than_its_share() -> None:
    position = position_of("5x8", 1)
    alone = Evolutionary(eligible=12).decide(position, np.random.default_rng(1))
    shared = Evolutionary(eligible=12, populations=6).decide(position, np.random.default_rng(1))

    assert (12, 12) == (len(alone.eligible), len(shared.eligible))
    assert (SLICE, 6 * SLICE) == (alone.generations, shared.generations)
    assert set(alone.eligible) != set(shared.eligible)


def test_many_populations_find_more_of_the_codes_that_fit_than_one() -> None:
    positions = [position_of("6x9", 5, seed) for seed in range(10)]
    one, many = (
        [len(Evolutionary(populations=number).decide(at, np.random.default_rng(1)).eligible) for at in positions]
        for number in (1, 20)
    )

    assert all(few <= more for few, more in zip(one, many, strict=True))
    assert sum(one) < sum(many)


def test_the_more_evenly_parents_are_drawn_the_less_is_found() -> None:
    positions = [position_of("6x9", 5, seed) for seed in range(10)]
    steep, even = (
        sum(len(Evolutionary(flat=flat).decide(at, np.random.default_rng(1)).eligible) for at in positions)
        for flat in (0.0, 2.0)
    )

    assert even < steep


@pytest.mark.parametrize("name", ["size", "entropy", "parts"])
def test_the_code_chosen_splits_the_others_best(name: str) -> None:
    position = position_of("4x6", 2)
    some = position.candidates
    cost = {}
    for guess in some:
        sizes = Counter(score(guess, secret, position.rules) for secret in some).values()
        cost[guess] = {
            "size": float(sum(size * size for size in sizes)),
            "entropy": float(sum(size * np.log2(size) for size in sizes)),
            "parts": -float(len(sizes)),
        }[name]

    assert min(cost.values()) == pytest.approx(cost[best_of(some, name, 7)])


def test_the_first_guesses_are_those_of_the_literature() -> None:
    shown = ["".join("ABCDEFG"[color] for color in opening(Rules(pegs, 9))) for pegs in range(1, 9)]

    assert ["A", "AB", "AAB", "AABC", "AABBC", "AABBCD", "AABBCCD", "AABBCCDE"] == shown
    assert all(max(opening(Rules(pegs, colors))) < colors for pegs, colors in product(range(1, 12), range(1, 6)))


@pytest.mark.parametrize("spec", ["evolutionary", "evolutionary:merelo"])
def test_a_hundred_games_of_4x6_are_shorter_than_with_codes_that_fit_at_random(spec: str) -> None:
    # Those take 4.64 guesses on average, the genetic players of the literature about 4.4.
    player, maker = codebreakers.get(spec), codemakers.get("honest")
    guesses = [len(play(player, maker, Rules.parse("4x6"), seed=seed)) for seed in range(100)]

    assert np.mean(guesses) < 4.64
    assert max(guesses) <= 7


@pytest.mark.parametrize("variant", ["berghman", "merelo"])
def test_they_win_where_nothing_can_be_listed(variant: str) -> None:
    game = play(Evolutionary(variant=variant), codemakers.get("honest"), Rules.parse("8x12"), seed=1)

    assert game.outcome == "won"
    assert len(game) < 14


@pytest.mark.parametrize("text", ["1x1", "1x7", "7x1", "2x2", "3x2"])
def test_the_smallest_boards_are_won_too(text: str) -> None:
    for spec in ("evolutionary", "evolutionary:merelo"):
        assert play(codebreakers.get(spec), codemakers.get("honest"), Rules.parse(text), seed=1).outcome == "won"


@pytest.mark.parametrize("variant", ["berghman", "merelo"])
def test_they_keep_their_promises(variant: str) -> None:
    check_codebreaker(Evolutionary(variant=variant, population=30))


def test_a_contradiction_is_told() -> None:
    turns = [((0, 0, 1, 1), Feedback(4, 0)), ((2, 2, 3, 3), Feedback(1, 0))]
    with pytest.raises(ContradictionError, match="turn 1"):
        Evolutionary(population=20, generations=10).guess(Position(Rules.parse("4x6"), turns), np.random.default_rng(1))


def test_beyond_their_reach_they_say_who_gets_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.codebreakers.evolutionary.ROUNDS", 1)
    monkeypatch.setattr("entropeg.position.STEPS", 1000)
    with pytest.raises(TooLargeError, match="auto, which picks"):
        Evolutionary(generations=10).guess(position_of("40x40", 30), np.random.default_rng(1))


def test_with_too_little_time_the_nearest_code_is_played_and_said_to_be_so() -> None:
    position, player = position_of("40x40", 30), Evolutionary(time=0.01)
    found = player.decide(position, np.random.default_rng(1))
    others = [random_guess(position.rules, np.random.default_rng(n)) for n in range(20)]
    missed, *rest = distances(position.rules, position.turns, [found.guess, *others])

    assert (found.fits, len(found.eligible)) == (False, 0)
    assert 0 < missed < np.mean(rest)
    assert "best guess so far" in player.explained(position, np.random.default_rng(1))[1]


def test_with_more_time_than_all_populations_take_the_nearest_code_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.codebreakers.evolutionary.ROUNDS", 1)
    monkeypatch.setattr("entropeg.codebreakers.evolutionary.TRIED", 1)
    monkeypatch.setattr("entropeg.codebreakers.evolutionary.settle", lambda *_: None)
    found = Evolutionary(generations=10, time=100.0).decide(position_of("40x40", 30), np.random.default_rng(1))

    assert not found.fits


@pytest.mark.parametrize(
    "spec",
    [
        "evolutionary:clever",
        "evolutionary:population=1",
        "evolutionary:time=-1",
        "evolutionary:populations=-1",
        "evolutionary:flat=-1",
        "evolutionary:blacks=0",
        "evolutionary:whites=1001",
    ],
)
def test_wrong_parameters_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        codebreakers.get(spec)


@pytest.mark.parametrize("text", ["3x4/no-repeats", "3x4/positional", "3x10/shapes=5"])
def test_rules_that_they_do_not_play_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="evolutionary"):
        Evolutionary().guess(Position(Rules.parse(text)), np.random.default_rng(1))


def test_ties_are_broken_by_the_seed() -> None:
    some = CodeSet.of([(0, 1), (1, 0), (2, 3), (3, 2)], Rules(2, 4))

    assert len({best_of(some, "parts", seed) for seed in range(8)}) > 1
