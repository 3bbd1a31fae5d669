"""Jourde 2018: label permutations agree with brute force, the sample is even, and the player plays."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.candidates import label_tree
from entropeg.candidates.label_tree import codes_by_labels, label_sequences, sample_codes
from entropeg.codebreakers import montecarlo
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codebreakers.montecarlo import Montecarlo
from entropeg.codes import CodeSet, random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.position import Turn
from strategies import positions
from strategies import rules as drawn_rules

EXAMPLE = [((1, 2, 0), Feedback(0, 2)), ((2, 1, 1), Feedback(1, 0))]
"""The turns of Jourde 2018, section 3.2: 231 and 322 against 313, colors counted from 0 here."""


def test_the_example_of_document_c_keeps_its_sequence_and_finds_its_secret() -> None:
    rules = Rules.parse("3x3/membership")

    assert ("WBB", "GWW") in set(label_sequences(rules, EXAMPLE))
    assert (2, 0, 2) in set(codes_by_labels(rules, EXAMPLE))


def test_the_labels_that_document_c_strikes_out_are_struck_out() -> None:
    # «2 is a wrong color» against «2 is misplaced», «3 is in place» against «3 is wrong».
    found = set(label_sequences(Rules.parse("3x3/membership"), EXAMPLE))

    assert not any(first == "BWB" and second[0] == "G" for first, second in found)
    assert not any(first[0] == "B" and second[1] == "W" for first, second in found)


@pytest.mark.parametrize("text", ["2x3", "3x2", "3x3", "2x3/membership", "3x3/membership", "4x2/membership"])
def test_on_small_boards_every_pair_of_turns_is_deduced_exactly(text: str) -> None:
    rules = Rules.parse(text)
    everything = list(product(range(rules.colors), repeat=rules.pegs))
    first_guesses = [guess for guess in everything if guess == tuple(sorted(guess)) and guess[0] == 0]
    for first, second in product(first_guesses, everything):
        groups: dict[tuple[Feedback, Feedback], list[Code]] = {}
        for secret in everything:
            groups.setdefault((score(first, secret, rules), score(second, secret, rules)), []).append(secret)  # type: ignore[arg-type]
        for answers, fitting in groups.items():
            turns = list(zip((first, second), answers, strict=True))

            assert fitting == sorted(codes_by_labels(rules, turns))

            words = naive.label_sequences(rules.kind, (first, second), fitting)

            assert words <= set(label_sequences(rules, turns))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_labels_and_a_scan_of_all_codes_agree(data: st.DataObject) -> None:
    rules = data.draw(drawn_rules(max_codes=3000, max_pegs=6, max_colors=8))
    position, secret = data.draw(positions(rules))
    found = list(codes_by_labels(rules, position.turns))

    assert len(set(found)) == len(found)
    assert list(secrets(rules).consistent(position.turns)) == sorted(found)

    sample = sample_codes(rules, position.turns, 20, np.random.default_rng(1))

    assert set(sample.codes) <= set(found)
    assert min(20, len(found)) == len(sample.codes)
    assert len(found) == sample.number
    assert secret in found


def position_after(text: str, secret: Code, *played: Code) -> Position:
    rules = Rules.parse(text)
    return Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])


def unevenness(draw: Callable[[np.random.Generator], list[Code]], codes: list[Code], rounds: int) -> float:
    """Return chi-square of how often each code was drawn, in standard deviations above its mean; seed fixed."""
    rng = np.random.default_rng(12)
    seen: Counter[Code] = Counter()
    for _ in range(rounds):
        seen.update(draw(rng))
    expected = seen.total() / len(codes)
    chi_square = sum((seen[code] - expected) ** 2 / expected for code in codes)
    freedom = len(codes) - 1
    return float((chi_square - freedom) / (2 * freedom) ** 0.5)


def test_samples_are_even_whether_walked_through_or_weighed_and_plain_descents_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = position_after("5x6", (0, 1, 2, 2, 4), (0, 0, 1, 2, 3), (3, 4, 0, 1, 1))
    codes, turns = list(position.candidates), position.turns
    monkeypatch.setattr(label_tree, "usable_processors", lambda: 1)

    def walked(rng: np.random.Generator) -> list[Code]:
        found = sample_codes(position.rules, turns, 10, rng)

        assert found.quality == "uniform"

        return list(found.codes)

    def weighed(rng: np.random.Generator) -> list[Code]:
        found = sample_codes(position.rules, turns, 10, rng, steps=0)

        assert found.quality == "weighted"

        return list(found.codes)

    def plain(rng: np.random.Generator) -> list[Code]:
        rows, _ = label_tree._LabelTree(position.rules, turns).descend(rng.integers(1 << 63, size=1).astype(np.uint64))
        return [tuple(row) for row in rows[:40].tolist()]

    assert len(codes) > 100
    assert unevenness(walked, codes, 200) < 3
    assert unevenness(weighed, codes, 200) < 3
    assert unevenness(plain, codes, 60) > 10


def test_what_one_look_decides_is_decided_whatever_the_time() -> None:
    for turns, number in (([], 1), ([((0,), Feedback(0))], 0)):
        found = sample_codes(Rules.parse("1x1"), turns, 10, np.random.default_rng(1), deadline=0.0)

        assert (number, "all") == (len(found.codes), found.quality)

    with pytest.raises(ContradictionError):
        Montecarlo(time=1e-9).guess(Position(Rules.parse("1x1"), [((0,), Feedback(0))]), np.random.default_rng(1))


def test_descents_estimate_how_many_codes_fit() -> None:
    position = position_after("6x8", (0, 1, 2, 3, 4, 5), (0, 0, 1, 1, 2, 2), (3, 3, 4, 0, 5, 6))
    found = sample_codes(position.rules, position.turns, 500, np.random.default_rng(1), steps=0)

    assert found.quality == "weighted"
    assert found.number == pytest.approx(len(position.candidates), rel=0.1)


def test_the_number_of_cores_changes_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_after("8x12", tuple(range(8)), (0, 0, 1, 1, 2, 2, 3, 3))
    found = []
    for cores in (1, 3):
        monkeypatch.setattr(label_tree, "usable_processors", lambda number=cores: number)
        found.append(list(sample_codes(position.rules, position.turns, 100, np.random.default_rng(5)).codes))

    assert found[0] == found[1]


def test_memory_is_bounded_by_the_sample_and_not_by_the_codes() -> None:
    # Half a million codes of eight pegs pass by: as tuples in a tree they would fill a hundred megabytes.
    position = position_after("8x12", (0, 1, 2, 3, 4, 5, 6, 7), (0, 0, 1, 1, 2, 2, 3, 4), (1, 5, 6, 2, 9, 9, 0, 3))
    sample_codes(position.rules, position.turns, 1, np.random.default_rng(1))  # loads what is loaded once
    tracemalloc.start()
    try:
        found = sample_codes(position.rules, position.turns, 100, np.random.default_rng(1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert found.number > 10_000
    assert len(found.codes) == 100
    assert peak < 10_000_000


@pytest.mark.parametrize("text", ["3x3", "4x6", "4x6/membership", "4x6/no-repeats", "3x4/positional", "4x5/black"])
@pytest.mark.parametrize("score_name", ["parts", "entropy"])
def test_the_player_wins(text: str, score_name: str) -> None:
    rules = Rules.parse(text)
    player = Montecarlo(secrets=100, candidates=200, score=score_name)
    game = play(player, codemakers.get("honest"), rules, seed=3)

    assert game.outcome == "won"


def test_the_player_wins_where_nothing_can_be_listed() -> None:
    game = play(Montecarlo(secrets=200, candidates=300), codemakers.get("honest"), Rules.parse("8x12"), seed=3)

    assert game.outcome == "won"
    assert len(game) < 14


def test_the_player_keeps_its_promises() -> None:
    check_codebreaker(Montecarlo(secrets=20, candidates=30))


def test_the_code_with_most_feedbacks_is_played_and_a_secret_before_others() -> None:
    position = position_after("3x4", (0, 1, 2), (3, 3, 0))
    found = Montecarlo().decide(position, np.random.default_rng(2))
    candidates, rules = list(position.candidates), position.rules
    parts = {
        guess: len({score(guess, secret, rules) for secret in candidates}) for guess in product(range(4), repeat=3)
    }

    assert max(parts.values()) == found.score == parts[found.guess]
    assert any(parts[code] == found.score for code in candidates) == (found.guess in candidates)


def test_a_code_that_was_played_is_not_a_candidate_again() -> None:
    position = position_after("2x2", (0, 1), (0, 0))
    found = Montecarlo().decide(position, np.random.default_rng(1))

    assert found.candidates == 3
    assert found.guess != (0, 0)


def test_the_only_secret_is_played_at_once() -> None:
    position = position_after("4x6", (0, 1, 2, 3), (0, 1, 2, 2), (0, 1, 3, 3), (0, 1, 2, 5), (2, 1, 0, 0))
    found = Montecarlo().decide(position, np.random.default_rng(1))

    assert (list(position.candidates), found.secrets.number) == ([found.guess], 1)


def test_a_contradiction_is_told() -> None:
    turns = [((0, 0, 1, 1), Feedback(4, 0)), ((2, 2, 3, 3), Feedback(1, 0))]
    with pytest.raises(ContradictionError):
        Montecarlo().guess(Position(Rules.parse("4x6"), turns), np.random.default_rng(1))


def crowded() -> Position:
    rules, rng = Rules.parse("30x30"), np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(20)]
    return Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])


@pytest.fixture
def few_descents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the label permutations up early: at the edge they find nothing in any case."""
    monkeypatch.setattr(label_tree, "VAIN", 1)
    monkeypatch.setattr(label_tree, "WALKED", -1)


@pytest.mark.usefixtures("few_descents")
def test_beyond_its_reach_it_says_who_gets_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    monkeypatch.setattr("entropeg.codebreakers.montecarlo.STEPS", 1000)
    with pytest.raises(TooLargeError, match="nothing is proved: auto picks a strategy"):
        Montecarlo(secrets=10).guess(crowded(), np.random.default_rng(1))


EDGE = [
    "14x14",
    "14x2",
    "14x60",
    "14x300",
    "14x14/black",
    "14x14/membership",
    "14x20/no-repeats",
    "14x14/no-repeats",
    "14x10/blanks",
    "14x14/blanks-in-secrets",
    "14x10/positional",
]


@pytest.mark.usefixtures("few_descents")
@pytest.mark.parametrize("board", EDGE)
def test_within_its_reach_it_finds_codes_that_fit(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(1)
    secret = random_secret(rules, rng)
    played = [random_guess(rules, rng) for _ in range(9)]
    position = Position(rules, [Turn(guess, score(guess, secret, rules)) for guess in played])
    found = Montecarlo(secrets=20, candidates=20).decide(position, rng)

    assert found.fits
    assert len(found.secrets.codes) == len(found.secrets.codes.consistent(position.turns)) > 0


@pytest.mark.usefixtures("few_descents")
def test_within_its_reach_it_never_stops() -> None:
    game = play(Montecarlo(secrets=30, candidates=30), codemakers.get("honest"), Rules.parse("14x14"), seed=1)

    assert game.outcome == "won"


@pytest.mark.usefixtures("few_descents")
def test_a_lie_that_nobody_can_prove_is_no_accusation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    rules, rng = Rules.parse("14x14"), np.random.default_rng(1)
    turns = [Turn(random_guess(rules, rng), Feedback(3, 4)) for _ in range(12)]

    with pytest.raises(TooLargeError, match="found no secret"):
        Montecarlo(secrets=10).guess(Position(rules, turns), rng)


def test_with_too_little_time_it_plays_and_says_that_nothing_that_fits_was_found() -> None:
    position = crowded()
    found = Montecarlo(secrets=10, time=0.01).decide(position, np.random.default_rng(1))

    assert not found.fits
    assert found.guess not in [turn.guess for turn in position.turns]
    assert "best guess so far" in Montecarlo(time=0.01).explained(position, np.random.default_rng(1))[1]


@pytest.mark.parametrize("spec", ["montecarlo:secrets=0", "montecarlo:score=best", "montecarlo:time=-1"])
def test_wrong_parameters_are_refused(spec: str) -> None:
    with pytest.raises(InputError):
        codebreakers.get(spec)


def test_secrets_that_are_no_codes_of_colors_are_refused() -> None:
    with pytest.raises(InputError, match="codes of colors"):
        Montecarlo().guess(Position(Rules.parse("3x10/shapes=5")), np.random.default_rng(1))


@pytest.mark.parametrize("scoring", ["parts", "entropy"])
def test_parts_are_counted_alike_by_sorting_and_in_a_table(scoring: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("6x4/positional")
    rng = np.random.default_rng(3)
    pool, some = (CodeSet.of([random_secret(rules, rng) for _ in range(size)], rules) for size in (60, 25))
    player = Montecarlo(score=scoring)

    assert rules.label_count > montecarlo.SPARSE * len(some)
    by_sorting = player._scores(pool, some)
    monkeypatch.setattr(montecarlo, "SPARSE", rules.label_count)

    assert by_sorting == pytest.approx(player._scores(pool, some))


@pytest.mark.parametrize("size", [1, 2])
def test_each_of_a_few_codes_is_drawn_as_often(size: int) -> None:
    position = position_after("4x6", (0, 1, 2, 3), (0, 1, 3, 2))
    codes, rng, seen = list(position.candidates), np.random.default_rng(4), Counter[Code]()
    for _ in range(100):
        found = sample_codes(position.rules, position.turns, size, rng)
        seen.update(found.codes)

        assert ("uniform", len(codes)) == (found.quality, found.number)

    expected = 100 * size / len(codes)
    assert sorted(seen) == codes
    assert all(abs(number - expected) < 4 * expected**0.5 for number in seen.values())
