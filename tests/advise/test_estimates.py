"""Advice beyond the exact search of boards: any feedback, large boards, samples; held to laws and to exact numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from entropeg.advise import Certainty, Notes, advise, compare_players
from entropeg.advise.advice import Advice
from entropeg.advise.expectation import Information
from entropeg.advise.question import NotedPosition
from entropeg.advise.ranking import listed
from entropeg.codes import CodeSet, guesses, random_guess, random_secret, score, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, from_label
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.part_curve import PartCurve, least_mean, least_of
from entropeg.search.values import PositionValues

KINDS = (
    "3x5/positional",
    "3x6/membership",
    "2x9/shapes=3",
    "words:english",
    "4x6/blanks/positional",
    "4x5/positional/prior=distinct",
    "4x6/no-repeats/positional",
)


def drawn(rules: Rules, turns: int, seed: int) -> Position:
    """A position that some secret fits, not won, after guesses at random."""
    rng = np.random.default_rng(seed)
    while True:
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(turns):
            guess = random_guess(rules, rng)
            position = position.after(guess, score(guess, secret, rules))
        if not position.is_over:
            return position


@pytest.mark.parametrize("kind", KINDS)
def test_a_guess_takes_one_and_what_its_answers_leave_under_any_feedback(kind: str) -> None:
    rules = Rules.parse(kind)
    position, seed = next(
        (position, seed) for seed in range(99) if 3 <= len((position := drawn(rules, 2, seed)).candidates) <= 25
    )
    codes = position.candidates
    asked = guesses(rules)[seed]
    advice = advise(position, limit=3, also=[asked], time=60)

    assert advice.is_proven
    for one in (*advice.guesses, *advice.also):
        labels, chances = codes.score(one.guess), codes.chances
        total = 1.0
        for label in np.unique(labels[labels != rules.win_label]):
            after = position.after(one.guess, from_label(int(label), rules))
            total += chances[labels == label].sum() * advise(after, limit=1, time=60).value.value

        assert total == pytest.approx(one.expected.value, abs=1e-9)
        assert -1e-12 <= one.loss.value <= 1
        assert one.expected.is_exact
    assert advice.value.value == advice.best.expected.value
    assert least_mean(len(codes), rules.feedback.about.count(rules)) <= advice.value.value or rules.prior


@pytest.mark.parametrize("board", ["4x6", "3x6/black", "4x7/no-repeats", "4x6/limit=6"])
def test_both_exact_searches_agree(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = drawn(Rules.parse(board), 2, 4)
    by_board = advise(position, limit=5, also=["BCDE"[: position.rules.pegs]], time=60)
    monkeypatch.setattr("entropeg.advise.advice.can_search", lambda _: False)
    by_labels = advise(position, limit=5, also=["BCDE"[: position.rules.pegs]], time=60)

    assert by_board.value == by_labels.value
    asked = [one.guess for one in by_labels.guesses]
    monkeypatch.undo()
    rated = advise(position, limit=1, also=asked, time=60).also
    assert [one.expected for one in rated] == [one.expected for one in by_labels.guesses]
    # The board knows more symmetries, and lists fewer of the guesses that are alike.
    pairs = zip(by_labels.guesses, by_board.guesses, strict=True)
    assert all(mine.expected.value <= other.expected.value for mine, other in pairs)
    assert by_board.also[0].expected == by_labels.also[0].expected
    assert by_labels.is_proven


def force_estimates(monkeypatch: pytest.MonkeyPatch, followed: int) -> None:
    monkeypatch.setattr("entropeg.advise.advice.can_search", lambda _: False)
    monkeypatch.setattr("entropeg.advise.advice.booked", lambda *_: None)
    monkeypatch.setattr(listed, "MOST_CODES", 0)
    monkeypatch.setattr(listed, "FOLLOWED_CODES", followed)


@pytest.mark.parametrize("followed", [0, 500])
def test_estimates_are_close_to_exact_numbers(followed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(3):
        position = drawn(Rules.parse("4x6"), 1, seed)
        values = PositionValues(position.candidates, position.turns)
        with monkeypatch.context() as patched:
            force_estimates(patched, followed)
            advice = advise(position, limit=2, time=0.5)
        with values.opened():
            exact = values.value().lower / values.mass
            after = [values.after(one.guess).lower / values.mass for one in advice.guesses]

        assert not advice.is_proven
        assert advice.value.knowledge is Certainty.estimate
        assert abs(advice.value.value - exact) <= 1.5 * advice.value.error
        for one, known in zip(advice.guesses, after, strict=True):
            assert abs(one.expected.value - known) <= 1.5 * one.expected.error
        bound = least_mean(len(position.candidates), 14)
        assert all(one.expected.value >= bound for one in advice.guesses)


def same(one: Advice, other: Advice) -> bool:
    """Whether two pieces of advice are the same but for the time."""
    return (one.guesses, one.also, one.value) == (other.guesses, other.also, other.value)


@pytest.mark.parametrize("board", ["6x4/positional", "5x6/positional", "12x12"])
def test_the_same_seed_gives_the_same_advice(board: str) -> None:
    first, second = (advise(board, limit=3, time=0.05, seed=7) for _ in range(2))

    assert same(first, second)
    assert not first.is_proven


def test_one_and_two_codes_are_guessed_under_any_feedback() -> None:
    one = advise(Position("2x2/positional", ["AA X."]), also=["BB"])
    assert one.remaining.count == 1
    assert one.value.fraction == 1
    assert one.also[0].loss.fraction == 1  # BB tells nothing, and AB is still to be played
    two = advise(Position("1x3/positional", ["A ."]), limit=4, also=["A"])
    assert two.remaining.count == 2
    assert two.value.fraction == Fraction(3, 2)
    assert [guess.chance for guess in two.guesses] == [0.5, 0.5]
    assert two.also[0].loss.fraction == 1


@pytest.mark.parametrize(("left", "value"), [(2, "= 1.500"), (3, "≈ 2.00 ± 0.01")])
def test_few_codes_of_a_board_beyond_listing_are_valued_exactly_where_a_guess_tells_them_apart(
    left: int, value: str
) -> None:
    rows = [("A" * 30, (29, 0)), ("B" * (30 - left) + "A" * left, (left - 1, 2))]
    found = advise(Position("30x2", rows), also=["A" * 30])

    assert found.remaining.count == left
    assert str(found.value) == value
    assert found.guesses[0].expected.fraction == Fraction(left + 1, 2)
    assert found.is_proven == (left == 2)
    assert found.also[0].expected.is_exact == (left == 2)


@pytest.mark.parametrize("board", ["4x6/limit=2", "4x6/positional/limit=2", "12x12/limit=1"])
def test_with_one_guess_left_a_code_that_may_win_comes_first(board: str) -> None:
    rules = Rules.parse(board)
    position = drawn(rules, (rules.guess_limit or 0) - 1, 3)
    advice = advise(position, limit=3, also=["AAAA"] if rules.pegs == 4 else [], time=0.5)

    assert not advice.keeps_limit
    assert all(one.is_candidate for one in advice.guesses)
    assert [one.chance for one in advice.guesses] == sorted((one.chance for one in advice.guesses), reverse=True)


def test_a_limit_is_heeded_where_it_can_be_kept() -> None:
    kept = advise(Position("3x6/positional/limit=4", ["ABC O.."]), limit=2, time=20)
    free = advise(Position("3x6/positional", ["ABC O.."]), limit=2, time=20)

    assert kept.keeps_limit
    assert kept.value.value >= free.value.value
    assert not advise(Position("3x6/positional/limit=3", ["ABC O.."]), limit=2, time=20).keeps_limit
    assert not advise("4x6/positional/limit=2", limit=2, time=0.1).keeps_limit


def test_a_won_game_and_one_that_nobody_can_search_are_refused() -> None:
    with pytest.raises(InputError, match="won"):
        advise(Position("4x6/positional", ["AABB XXXX"]))
    with pytest.raises(
        TooLargeError, match=r"no code of 40x40 that fits the 30 turns was found, and nothing is proved"
    ):
        advise(drawn(Rules.parse("40x40"), 30, 1), time=0.1)


def test_bits_of_a_sample_are_right_within_their_error() -> None:
    every, rng = secrets("4x8"), np.random.default_rng(5)
    exact = {guess: Information.of(every, guess).bits for guess in [(0, 1, 2, 3), (0, 0, 1, 1), (0, 0, 0, 0)]}
    hits = 0
    for _ in range(60):
        sample = every.take(np.sort(rng.choice(len(every), 200, replace=False)))
        for guess, bits in exact.items():
            told = Information.of(sample, guess)
            hits += abs(told.bits - bits) <= told.error

    assert hits >= 0.93 * 180


def test_a_sample_is_ranked_by_what_answers_tell() -> None:
    advice = advise("12x12", limit=4, also=["A" * 12], time=0.3, seed=2)

    assert [one.bits for one in advice.guesses] == sorted((one.bits for one in advice.guesses), reverse=True)
    assert advice.remaining.count == 12**12 == advice.remaining.about
    assert not advice.remaining.is_complete
    assert advice.best.bits > advice.also[0].bits + 1
    assert advice.best.bits_error > 0 < advice.best.largest_share_error
    assert all(one.chance == 12.0**-12 for one in advice.guesses if one.is_candidate)


def test_each_player_sees_the_position() -> None:
    views = {view.player: view for view in compare_players(Position("4x6", ["AABB X"]), time=20)}

    assert set(views) == {"random", "first-consistent", "consistent", "minimax", "entropy", "parts", "optimal"}
    assert all(view.rated is not None and view.rated.guess == view.guess for view in views.values())
    assert views["optimal"].rated is not None
    assert views["optimal"].rated.loss.value == 0
    assert all(view.rated is not None and view.rated.loss.value >= 0 for view in views.values())
    assert views["first-consistent"].guess == Position("4x6", ["AABB X"]).candidates[0]
    again = compare_players(Position("4x6", ["AABB X"]), ["random"], seed=1)
    assert again == compare_players(Position("4x6", ["AABB X"]), ["random"], seed=1)


def test_players_that_cannot_play_say_why() -> None:
    views = {view.player: view for view in compare_players("12x12", time=0.1)}
    assert views["minimax"].guess is None
    assert "too many to list" in views["minimax"].reason
    assert views["random"].rated is not None
    assert "not proven" in views["optimal"].reason
    partly = compare_players(Notes.of("4x6", ["AABB XO?"]), ["minimax", "optimal"])
    assert "complete rows" in partly[0].reason
    assert partly[1].guess is not None
    with pytest.raises(InputError):
        compare_players("4x6", ["nobody"])


def test_a_limit_without_effect_changes_nothing() -> None:
    position = drawn(Rules.parse("3x6/positional/limit=20"), 1, 2)
    free = Position("3x6/positional", position.turns)

    assert NotedPosition.of(position, 0).guesses_left == 19
    assert advise(position, limit=3, time=20).guesses == advise(free, limit=3, time=20).guesses


def test_a_guess_that_can_be_no_secret_is_no_candidate_of_a_sample() -> None:
    advice = advise("12x20/no-repeats/guess-repeats", also=["A" * 12, "ABCDEFGHIJKL"], time=0.1)

    assert not advice.remaining.is_complete
    assert [(one.is_candidate, one.chance > 0) for one in advice.also] == [(False, False), (True, True)]


@pytest.mark.parametrize("answers", [1, 2])
def test_codes_found_one_by_one_take_half_their_number_at_any_number(answers: int) -> None:
    assert [least_mean(codes, answers) for codes in range(6)] == [0, 1, 1.5, 2, 2.5, 3]
    assert least_mean(10**15, answers) == (10**15 + 1) / 2  # one by one it would never end


@pytest.mark.parametrize("board", ["3x4", "3x4/prior=distinct", "3x4/positional", "3x4/black"])
def test_no_play_takes_less_than_the_least(board: str) -> None:
    for seed in range(4):
        position = drawn(Rules.parse(board), 1, seed)
        value = advise(position, limit=1, time=20).value

        assert value.is_exact
        assert 1 <= least_of(position.candidates) <= value.value + 1e-9


@pytest.mark.parametrize("board", ["1x300", "1x1000", "1x2000/positional"])
def test_on_a_board_of_one_peg_each_guess_rules_out_one_code(board: str) -> None:
    found = advise(board, limit=1, time=0.1)

    assert abs(found.guesses[0].expected.value - (Rules.parse(board).secret_count + 1) / 2) < 0.2


@pytest.mark.parametrize(
    ("board", "turns"), [("2x1000", ["1-1 X"]), ("2x316", []), ("3x200", ["1-1-2 X"]), ("2x400/no-repeats", ["1-2 X"])]
)
def test_few_pegs_of_hundreds_of_colors_are_played_as_far_as_the_work_goes(
    board: str, turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy, asked = PartCurve._greedy, list[int]()

    def counted(curve: PartCurve, codes: CodeSet) -> Code:
        asked.append(len(codes))
        assert len(asked) < 60, "the work has no end"
        return greedy(curve, codes)

    monkeypatch.setattr(PartCurve, "_greedy", counted)
    found = advise(Position(board, turns), limit=2, time=0.1)

    assert asked
    assert Certainty.at_least is found.value.knowledge
    assert found.value.value == least_of(found.remaining.codes)


def test_work_that_suffices_makes_numbers_estimates() -> None:
    found = advise("6x4/positional", limit=2)

    assert Certainty.estimate is found.value.knowledge
