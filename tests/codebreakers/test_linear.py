"""Many questions in one guess: sums come apart again, windows lose no state, and no game exceeds Viaud's bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain, permutations, product, repeat
from math import log2
from typing import TypeVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.codebreakers import dichotomy
from entropeg.codebreakers.check import inspect_codebreaker
from entropeg.codebreakers.linear.intervals import ColorSet, Interval, chance, unresolved
from entropeg.codebreakers.linear.player import (
    Counting,
    Linear,
    counts_needed,
    find_code,
    guesses_allowed,
    guesses_needed,
)
from entropeg.codebreakers.linear.rounds import Rounds, Slot, sign, unmix
from entropeg.codebreakers.linear.survey import Survey
from entropeg.codebreakers.linear.windows import SEARCHED, Window
from entropeg.codes import secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import AnyFeedback, Code
from entropeg.kernels.windows import TRIFLE, QuestionScratch, Unknowns, choose_question
from entropeg.search.bounds import viaud_upper
from entropeg.search.subset import Array, Questions, subset_bound
from rooms import cases, often
from strategies import all_feedbacks

Found = TypeVar("Found")


RNG = np.random.default_rng(0)
SMALL = [(pegs, colors) for pegs in range(1, 5) for colors in range(1, 5)]
SMALL += [(1, 9), (2, 8), (3, 5), (5, 3), (6, 2), (8, 2)]


# ------------------------------------------------------------------ sums of questions


@given(st.integers(0, 4), st.data())
def test_sums_of_questions_and_riders_come_apart_again(doublings: int, data: st.DataObject) -> None:
    size = 1 << doublings
    questions = data.draw(st.lists(st.integers(0, 30), min_size=size, max_size=size))
    slots = [
        (depth, path, low)
        for depth in range(doublings)
        for path in range(1 << depth)
        for low in range(size >> (depth + 1))
    ]
    riders = {slot: data.draw(st.integers(0, 1)) for slot in slots if data.draw(st.booleans())}
    bits: dict[Slot, int] = {}
    sums = [combined(guess, questions, riders, doublings) for guess in range(size)]

    assert questions == unmix(sums, riders, bits)
    assert riders == bits


def combined(guess: int, questions: list[int], riders: dict[Slot, int], doublings: int) -> int:
    """The signed sum of a guess, from the definition: A + B, then A - B + x, doubled."""
    total = sum(-value if sign(number, guess) else value for number, value in enumerate(questions))
    for (depth, path, low), bit in riders.items():
        below = doublings - depth - 1
        if guess >> below & 1 and guess & ((1 << below) - 1) == low:
            total += -bit if sign(path, guess >> (below + 1)) else bit
    return total


def test_an_odd_sum_where_nothing_rides_is_a_contradiction() -> None:
    with pytest.raises(ContradictionError, match=r"odd"):
        unmix([3, 2], {}, {})


# ------------------------------------------------------------------ windows


@pytest.mark.parametrize("seed", range(6))
def test_the_question_chosen_is_legal_and_tells_the_bits_that_it_is_said_to(seed: int) -> None:
    rng = np.random.default_rng(seed)
    states = int(rng.integers(1, 60))
    values = rng.integers(0, 3, size=(5, states)).astype(np.int32)
    weights = rng.dirichlet(np.ones(states))
    cells, counts = np.array([[0, 1], [2, 0], [3, 4]]), np.array([2, 1, 2])
    most = np.full(5, 2)
    plus, minus = np.empty((2, 3), np.int64)
    scratch = np.empty(states, np.int32), np.empty(states, np.int32), np.empty((2, 13))
    random = np.array([seed + 1], np.uint64)
    bits = choose_question(
        Unknowns(values, weights, cells, counts, most), 40, random, QuestionScratch(*scratch), plus, minus
    )
    asked, mirrored = [row for row in plus if row >= 0], [row for row in minus if row >= 0]

    law = naive.law_of_answers(values.tolist(), weights.tolist(), asked, mirrored)
    assert naive.entropy(law.values()) + TRIFLE * len(law) == pytest.approx(bits)
    assert not set(asked) & set(mirrored)
    assert all(row < 0 or row in cells[cell, : counts[cell]] for cell in range(3) for row in (plus[cell], minus[cell]))


@given(st.lists(st.integers(1, 3), min_size=2, max_size=4).filter(lambda counts: sum(counts) <= 7), st.booleans())
def test_a_window_lists_every_way_with_its_chance(counts: list[int], has_filler: bool) -> None:
    # Without a filler a state tells how many more pegs a color has in the left half than the reference.
    pegs, absent = sum(counts), len(counts) if has_filler else None
    interval = Interval(0, pegs, dict(enumerate(counts)), absent)
    window = Window(0)
    window.fill([interval], 1)
    codes = set(permutations(chain.from_iterable(repeat(color, count) for color, count in enumerate(counts))))
    expected: dict[tuple[int, ...], float] = {}
    for code in codes:
        left = code[: interval.middle]
        base = 0 if interval.reference is None else left.count(interval.reference)
        way = tuple(left.count(color) - base for _, color in window.held)
        expected[way] = expected.get(way, 0.0) + 1 / len(codes)

    assert has_filler == (interval.reference is None)
    assert set(interval.left) | {color for _, color in window.held} | {interval.reference} >= set(range(len(counts)))
    assert expected == pytest.approx(dict(zip(map(tuple, window.values.T.tolist()), window.weights, strict=True)))


def test_more_states_than_a_question_is_looked_for_on_are_answered_all_the_same() -> None:
    counts = {0: 3, 1: 5, 2: 4, 3: 4}
    intervals = [
        Interval(start, start + 16, counts, absent) for start, absent in ((0, 4), (16, None), (32, 4), (48, None))
    ]
    window = Window(0)
    window.limit = 1 << 16
    window.fill(intervals, 12)
    question = window.ask()
    row = {(id(interval), color): values for (interval, color), values in zip(window.held, window.values, strict=True)}
    signed = np.zeros(window.states, np.int64)
    for interval, left, right in question.pairs:
        signed += 0 if left is None else row[id(interval), left]
        signed -= 0 if right is None else row[id(interval), right]

    assert SEARCHED < window.states <= 1 << 16
    assert question.signed is not None
    assert signed.tolist() == question.signed.tolist()
    assert 3 < len(set(signed.tolist()))


@pytest.mark.parametrize(("absent", "colors"), [(999, 12), (None, 8)])
def test_a_window_holds_two_colors_of_many_intervals_before_a_third_of_any(absent: int | None, colors: int) -> None:
    # Thirteen colors that occur once are all that 8192 states have room for, and eight differences of two.
    intervals = [
        Interval(start, start + 32, dict.fromkeys(range(start, start + 32), 1), absent) for start in range(0, 640, 32)
    ]
    window = Window(0)
    window.fill(intervals, 12)
    held = [len(interval.held) for interval in window.intervals]

    assert 7 <= len(held)
    assert colors <= sum(held)
    assert max(held) <= 2
    assert 20 == len(held) + len(intervals)


def test_of_two_colors_only_the_first_has_chances_to_be_computed() -> None:
    chance.cache_clear()
    window = Window(0)
    window.fill([Interval(0, 300, {0: 150, 1: 150}, None)], 1)

    assert 151 == window.states
    assert chance.cache_info().misses <= 151


@pytest.mark.parametrize(("count", "size"), [(127, 1), (128, 4)])
def test_a_window_keeps_bytes_until_a_number_of_pegs_needs_more(count: int, size: int) -> None:
    # In the small interval color 2 has no room on the left where colors 0 and 1 are there: states drop out.
    small, large = Interval(0, 4, {0: 1, 1: 1, 2: 1, 3: 1}, 4), Interval(4, 4 + 2 * count, {0: count, 1: count}, 4)
    window = Window(0)
    window.fill([large, small], 2)
    rows: dict[int, list[list[int]]] = {interval.start: [] for interval, _ in window.held}
    for (interval, _), row in zip(window.held, window.values.tolist(), strict=True):
        rows[interval.start].append(row)
    ways = Counter(zip(*rows[0], strict=True))
    lefts = rows[4][0]

    assert size == window.values.dtype.itemsize
    assert set(range(count + 1)) == set(lefts)
    assert all(first + second == count for first, second in zip(*rows[4], strict=True))
    assert 1 < len(ways)
    assert {count + 1} == set(ways.values())
    assert window.states == len(set(zip(*rows[0], lefts, strict=True)))


def test_an_answer_that_no_state_of_a_window_can_give_is_a_contradiction() -> None:
    window = Window(0)
    window.fill([Interval(0, 4, {0: 2, 1: 1, 2: 1}, 3)], 1)
    with pytest.raises(ContradictionError, match=r"no arrangement"):
        window.learn(window.ask(), 5)


# ------------------------------------------------------------------ guesses that are enough


@pytest.mark.parametrize("colors", [*range(2, 13), 20, 64])
def test_halving_one_color_at_a_time_costs_at_most_what_the_proof_says(colors: int) -> None:
    for pegs in range(colors, 300):
        assert unresolved(pegs, colors) <= pegs * log2(colors) + pegs - colors + 1e-9


@pytest.mark.parametrize("pegs", often(16, [*range(1, 12), 41, 100, 1000, 1025, 4096, *range(12, 41)]))
def test_the_simplest_way_stays_within_the_bound_of_viaud_on_every_board(pegs: int) -> None:
    for colors in [*range(1, 200), 1000, 4096, 30_000, 999_999]:
        assert counts_needed(pegs, colors) + unresolved(pegs, colors) + 1 <= viaud_upper(pegs, colors)


@pytest.mark.parametrize("size", [1, 2, 3, 8, 13, 40])
def test_a_set_costs_no_more_than_a_subset_search(size: int) -> None:
    for members in range(size + 1):
        part = ColorSet(0, size, members)

        assert part.still_needed() <= subset_bound(size, members)
        assert (part.solid is None) == (0 < members < size)


def answer_all(questions: Questions[Found], respond: Callable[[Array], Feedback]) -> tuple[Found, int]:
    """Answer every code; return what has been found out, and after how many codes."""
    answered, feedback = 0, None
    while True:
        try:
            code = questions.send(feedback)  # type: ignore[arg-type]  # None starts it
        except StopIteration as end:
            return end.value, answered
        feedback, answered = respond(code), answered + 1


def feedback_of(code: Array, secret: Array) -> Feedback:
    size = int(max(code.max(), secret.max())) + 1
    common = int(np.minimum(np.bincount(code, minlength=size), np.bincount(secret, minlength=size)).sum())
    black = int((code == secret).sum())
    return Feedback(black, common - black)


@pytest.mark.parametrize("spare", [0, 1, 3, 10, 1000])
@pytest.mark.parametrize("board", [(30, 30), (30, 4), (17, 2), (24, 60)])
def test_positions_are_found_within_any_number_of_guesses_that_is_enough(board: tuple[int, int], spare: int) -> None:
    pegs, colors = board
    for seed in range(cases(2, 30)):
        secret = np.random.default_rng(seed).integers(colors, size=pegs)
        counts = {int(color): int((secret == color).sum()) for color in np.unique(secret)}
        absent = next((color for color in range(colors) if color not in counts), None)
        rounds = Rounds([Interval(0, pegs, counts, absent)])
        allowed = rounds.still_needed() + spare

        found, asked = answer_all(rounds.find(allowed), partial(feedback_of, secret=secret))

        assert secret.tolist() == found.tolist()
        assert asked <= allowed


def test_guesses_of_many_windows_carry_nearly_all_the_zero_one_questions_that_they_have_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    filled, room = 0, 0

    def watch(
        sums: list[int], riders: Mapping[Slot, object], bits: dict[Slot, int], depth: int = 0, path: int = 0
    ) -> list[int]:
        nonlocal filled, room
        if not depth:
            filled, room = filled + len(riders), room + len(sums) // 2 * (len(sums).bit_length() - 1)
        return unmix(sums, riders, bits, depth, path)

    monkeypatch.setattr("entropeg.codebreakers.linear.rounds.unmix", watch)
    secret = np.random.default_rng(1).integers(416, size=416)
    absent = next(color for color in range(416) if color not in secret)
    intervals = []
    for start in range(0, 416, 8):
        colors, numbers = np.unique(secret[start : start + 8], return_counts=True)
        intervals.append(Interval(start, start + 8, dict(zip(colors.tolist(), numbers.tolist(), strict=True)), absent))
    found, _ = answer_all(Rounds(intervals).find(10_000), partial(feedback_of, secret=secret))

    assert secret.tolist() == found.tolist()
    assert 100 < room
    assert 0.9 * room < filled


@pytest.mark.parametrize("board", [(30, 30), (8, 200), (40, 12), (24, 60)])
def test_colors_are_counted_within_the_guesses_that_are_enough(board: tuple[int, int]) -> None:
    pegs, colors = board
    for seed, spare in product(range(6), (0, 5, 1000)):
        secret = np.random.default_rng(seed).integers(colors, size=pegs)
        counts = np.bincount(secret, minlength=colors)
        allowed = counts_needed(pegs, colors) + spare
        counting = Counting(pegs, colors, allowed, whites=True)
        found, asked = answer_all(counting.find(), partial(feedback_of, secret=secret))

        assert {color: count for color, count in enumerate(counts.tolist()) if count} == found
        assert asked == allowed - counting.allowed
        assert asked <= allowed


# ------------------------------------------------------------------ colors and quarters at once


def surveyed(secret: Array, colors: int, allowed: int) -> tuple[Survey, int]:
    survey = Survey(len(secret), colors, allowed)
    _, asked = answer_all(survey.run(), partial(feedback_of, secret=secret))
    return survey, asked


@pytest.mark.parametrize("board", [(40, 40), (21, 30), (40, 8), (64, 7), (16, 2), (18, 1)])
@pytest.mark.parametrize("spare", [0, 4, 1000])
def test_what_a_survey_has_found_is_true_and_what_it_spends_leaves_one_guess_a_color(
    board: tuple[int, int], spare: int
) -> None:
    pegs, colors = board
    for seed in range(3):
        secret = np.random.default_rng(seed).integers(colors, size=pegs)
        allowed = colors + spare
        survey, asked = surveyed(secret, colors, allowed)
        quarters = np.split(secret, survey.bounds[1:-1])

        assert {color: int((secret == color).sum()) for color in survey.counts} == survey.counts
        assert all(
            tuple(int((quarter == color).sum()) for quarter in quarters) == spread
            for color, spread in survey.spread.items()
        )
        assert asked == allowed - survey.allowed
        assert survey.allowed >= colors - len(survey.counts)


def test_a_survey_with_guesses_to_spare_finds_every_color_in_fewer_guesses_than_there_are() -> None:
    secret = np.random.default_rng(1).integers(60, size=60)
    survey, asked = surveyed(secret, 60, 1000)

    assert set(range(60)) == set(survey.spread)
    assert asked < 66


def test_an_impossible_answer_to_a_survey_is_a_contradiction() -> None:
    answers = chain([Feedback(0, 3)], repeat(Feedback(16, 0)))
    with pytest.raises(ContradictionError, match=r"no way to spread|by the turns before"):
        answer_all(Survey(16, 16, 1000).run(), lambda _: next(answers))


# ------------------------------------------------------------------ whole games


@pytest.mark.parametrize("board", SMALL, ids=lambda board: f"{board[0]}x{board[1]}")
def test_every_secret_of_a_small_board_is_found_within_the_bound(board: tuple[int, int]) -> None:
    pegs, colors = board
    worst = max(guesses_needed(secret, colors) for secret in product(range(colors), repeat=pegs))

    assert worst <= viaud_upper(pegs, colors)


@pytest.mark.parametrize("seed", range(4))
def test_random_secrets_of_random_boards_are_found_within_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(30):
        pegs, colors = int(40 ** rng.random() + 0.5), int(160 ** rng.random() + 0.5)
        used = int(rng.integers(1, colors + 1))
        secret = rng.choice(colors, size=used, replace=False)[rng.integers(used, size=pegs)]

        assert guesses_needed(secret, colors) <= viaud_upper(pegs, colors)


@pytest.mark.parametrize("board", often(2, ["30x3", "64x7", "100x10", "40x6", "90x30"]))
def test_uneven_secrets_of_few_colors_are_found_within_the_bound(board: str) -> None:
    pegs, colors = map(int, board.split("x"))
    rng = np.random.default_rng(pegs)
    for _ in range(6):
        secret = rng.choice(colors, size=pegs, p=rng.dirichlet(np.full(colors, 0.3)))

        assert guesses_needed(secret, colors) <= viaud_upper(pegs, colors)
        assert guesses_needed(np.sort(secret), colors) <= viaud_upper(pegs, colors)


@pytest.mark.parametrize(("each", "colors"), [(2048, 2), (700, 3)])
def test_secrets_too_unlikely_for_a_float_are_found(each: int, colors: int) -> None:
    secret = np.repeat(np.arange(colors), each)

    assert guesses_needed(secret, colors) < 40


@pytest.mark.parametrize(
    ("pegs", "colors", "per_peg"),
    often(3, [(200, 2, 0.35), (60, 200, 4), (100, 10, 1), (100, 100, 2.2), (200, 20, 1.25), (300, 5, 0.6)]),
)
def test_large_boards_take_few_guesses_a_peg_and_far_fewer_than_dichotomy(
    pegs: int, colors: int, per_peg: float
) -> None:
    secret = np.random.default_rng(1).integers(colors, size=pegs)
    needed = guesses_needed(secret, colors)

    assert needed <= per_peg * pegs
    assert 1.3 * needed < dichotomy.guesses_needed(secret, colors)


def test_black_pegs_alone_are_enough() -> None:
    rng = np.random.default_rng(3)
    for pegs, colors in [(1, 5), (6, 3), (20, 20), (40, 10), (12, 50)]:
        secret = rng.integers(colors, size=pegs)

        assert guesses_needed(secret, colors, whites=False) <= guesses_allowed(pegs, colors, whites=False)


class Fixed:
    """A codemaker with a given secret."""

    def __init__(self, secret: Code) -> None:
        self.secret = secret

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code:
        return self.secret

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        assert secret is not None

        return score(guess, secret, position.rules)


GAMES = [
    "3x4",
    "5x2",
    "1x3",
    "3x1",
    "3x3/blanks",
    "3x3/blanks-in-secrets",
    "3x4/black",
    "4x4/no-repeats/guess-repeats",
    "4x3/no-repeats/guess-repeats/blanks-in-secrets",
]


@pytest.mark.parametrize("text", GAMES)
def test_a_game_through_the_loop_ends_in_a_win(text: str) -> None:
    rules, breaker = Rules.parse(text), codebreakers.get("linear")
    for secret in secrets(rules):
        game = play(breaker, Fixed(secret), rules, seed=1)

        assert "won" == game.outcome

        if text == "3x4":
            assert guesses_needed(secret, 4) == len(game)


def test_it_keeps_the_promises_of_a_codebreaker() -> None:
    report = inspect_codebreaker(Linear(), Rules.parse("4x5"), games=2)

    assert [] == report.faults


# ------------------------------------------------------------------ answers that cannot be


@pytest.mark.parametrize("board", ["3x3", "4x6", "6x2", "2x9", "9x4", "1x4", "4x1", "20x20", "12x4/black"])
def test_a_codemaker_that_answers_at_random_is_caught_or_loses_within_the_bound(board: str) -> None:
    rules = Rules.parse(board)
    most = guesses_allowed(rules.pegs, rules.colors, whites="black" not in board)
    for seed in range(20):
        turns = turns_against_chance(rules, np.random.default_rng(seed))

        assert turns <= most


def turns_against_chance(rules: Rules, rng: np.random.Generator) -> int:
    """Answer at random until the codebreaker wins or says that this cannot be; return the turns played."""
    feedbacks, position, breaker = all_feedbacks(rules), Position(rules), Linear()
    while not position.is_won:
        try:
            guess = breaker.guess(position, rng)
        except ContradictionError:
            break
        position = position.after(guess, feedbacks[rng.integers(len(feedbacks))])
    return len(position.turns)


@pytest.mark.parametrize("board", ["1x14", "1x28/blanks", "2x20", "3x40", "16x33"])
def test_answers_that_leave_pegs_without_a_color_are_a_contradiction(board: str) -> None:
    position = Position(Rules.parse(board))
    with pytest.raises(ContradictionError):
        answer_nothing(position, 100)


def answer_nothing(position: Position, turns: int) -> None:
    for _ in range(turns):
        position = position.after(Linear().guess(position, RNG), Feedback(0, 0))


def test_whites_that_cannot_be_are_noticed_though_they_tell_nothing_new() -> None:
    questions = find_code(4, 4, distinct=True)
    next(questions)
    with pytest.raises(ContradictionError):
        questions.send(Feedback(0, 1))


@pytest.mark.parametrize("text", ["8x9/membership", "8x9/positional", "40x40/membership"])
def test_under_any_feedback_it_plays_by_the_blacks(text: str) -> None:
    game = play(Linear(), codemakers.get("honest"), Rules.parse(text), 1)

    assert ("won", True) == (
        game.outcome,
        len(game) <= guesses_allowed(game.rules.pegs, game.rules.colors, whites=False),
    )


REFUSED = ["4x10/no-repeats", "4x25/shapes=5"]


@pytest.mark.parametrize("text", REFUSED)
def test_rules_that_it_does_not_play_are_refused_with_who_plays_them(text: str) -> None:
    with pytest.raises(InputError, match=r"linear (plays|repeats).*`(consistent|belief)`"):
        Linear().guess(Position(Rules.parse(text)), RNG)
