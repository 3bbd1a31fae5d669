"""The strategy of Viaud 1987: it finds every secret, within its bound, whatever is asked of it in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from itertools import combinations, product
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropeg import Feedback, Position, Rules, codebreakers, codemakers, play, score
from entropeg.codebreakers.dichotomy import Dichotomy, find_code, guesses_needed
from entropeg.codes import secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code
from entropeg.search.bounds import viaud_printed, viaud_upper
from entropeg.search.subset import Array, search_subset, split_point, subset_bound, subset_worst
from strategies import all_feedbacks

SMALL = [(pegs, colors) for pegs in range(1, 5) for colors in range(1, 5)]
SMALL += [(1, 9), (2, 8), (3, 6), (4, 5), (5, 3), (6, 2), (9, 2)]


def queries_to_find(size: int, members: tuple[int, ...]) -> int:
    """Search for a subset of 0, 1, ..., size - 1; return the number of queries after checking what was found."""
    asked = 0

    def ask(query: Array) -> Generator[Array, Feedback, int]:
        nonlocal asked
        asked += 1
        return len(set(query.tolist()) & set(members))
        yield query  # never reached: it makes this a generator, which answers at once

    search = search_subset(np.arange(size), len(members), ask)
    with pytest.raises(StopIteration) as end:
        next(search)

    assert members == tuple(end.value.value)

    return asked


@pytest.mark.parametrize("size", range(1, 9))
def test_a_subset_search_finds_every_subset_and_needs_its_worst_case_exactly(size: int) -> None:
    for count in range(size + 1):
        needed = [queries_to_find(size, members) for members in combinations(range(size), count)]

        assert subset_worst(size, count) == max(needed)


@pytest.mark.parametrize("size", range(1, 97))
def test_a_subset_search_stays_within_f_and_one_below_it_for_powers_of_two(size: int) -> None:
    spared = size == 1 << (size.bit_length() - 1)
    for members in range(1, size):
        assert subset_worst(size, members) <= subset_bound(size, members) - spared + 1e-9

    assert subset_worst(size, 0) == subset_worst(size, size) == 0


def test_sets_are_split_at_the_largest_power_of_two_below_their_size() -> None:
    assert [1, 2, 2, 4, 4, 4, 4, 8, 8] == [split_point(size) for size in range(2, 11)]


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_f_is_symmetric_increasing_in_the_set_and_adds_up_as_lemma_3_1_says(
    n: int, m: int, data: st.DataObject
) -> None:
    x, y = data.draw(st.integers(0, n)), data.draw(st.integers(0, m))

    assert subset_bound(n, x) == subset_bound(n, n - x)
    assert subset_bound(n, x) + subset_bound(m, y) <= subset_bound(n + m, x + y) + 1e-9
    assert subset_bound(n, x) <= subset_bound(n + m, x) + 1e-9
    assert subset_bound(n, x) <= n


def partitions(total: int, largest: int) -> Iterator[tuple[int, ...]]:
    if not total:
        yield ()
    for first in range(min(total, largest), 0, -1):
        for rest in partitions(total - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("pegs", range(2, 19))
def test_placing_the_most_frequent_color_last_costs_what_the_proof_allows(pegs: int) -> None:
    for most, *others in partitions(pegs, pegs):
        free, needed = pegs, 0
        for count in others:
            needed += subset_worst(free, count)
            free -= count

        assert free == most

        present = 1 + len(others)

        assert needed <= pegs * (present - 1) / present * log2(present + 2) + 1e-9


@pytest.mark.parametrize("board", SMALL, ids=lambda board: f"{board[0]}x{board[1]}")
def test_every_secret_of_a_small_board_is_found_within_the_bound(board: tuple[int, int]) -> None:
    pegs, colors = board
    worst = max(guesses_needed(secret, colors) for secret in product(range(colors), repeat=pegs))

    assert worst <= viaud_upper(pegs, colors)


@pytest.mark.parametrize("seed", range(8))
def test_random_secrets_of_random_boards_are_found_within_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(40):
        pegs, colors = int(60 ** rng.random() + 0.5), int(240 ** rng.random() + 0.5)
        used = int(rng.integers(1, colors + 1))
        secret = rng.choice(colors, size=used, replace=False)[rng.integers(used, size=pegs)]

        assert guesses_needed(secret, colors) <= viaud_upper(pegs, colors)


@pytest.mark.parametrize(("pegs", "colors"), [(1000, 1000), (1000, 250), (500, 2000), (2000, 2)])
def test_thousands_of_pegs_are_within_reach_and_within_the_bound(pegs: int, colors: int) -> None:
    secret = np.random.default_rng(1).integers(colors, size=pegs)

    assert guesses_needed(secret, colors) <= viaud_upper(pegs, colors)


def hard_secret(colors: int) -> list[int]:
    """Every color once but one twice, found out last; each where its search comes to last; n = colors + 1."""
    counts = Counter(range(colors)) + Counter([colors - 3])
    first, second, third, *others = sorted(counts, key=lambda color: (-counts[color], color))
    return [*others, third, *[first] * counts[first], second]


def test_the_bound_as_the_print_reads_is_exceeded_where_the_one_derived_is_not() -> None:
    secret = hard_secret(327)
    needed = guesses_needed(secret, 327)

    assert (328, 3069) == (len(secret), needed)
    assert viaud_printed(328, 327) < needed <= viaud_upper(328, 327)


@pytest.mark.parametrize(
    "text", ["3x4", "4x3", "5x2", "2x6", "1x3", "3x1", "3x3/blanks", "3x3/blanks-in-secrets", "3x4/limit=40"]
)
def test_a_game_takes_the_guesses_that_the_plan_needs_and_ends_in_a_win(text: str) -> None:
    rules, breaker = Rules.parse(text), codebreakers.get("dichotomy")
    for secret in secrets(rules):
        game = play(breaker, Fixed(secret), rules, seed=1)

        assert game.outcome == "won"
        assert len(game) <= viaud_upper(rules.pegs, rules.symbols_in_secrets)

        if not rules.blanks:
            assert len(game) == guesses_needed(secret, rules.colors)


class Fixed:
    """A codemaker with a given secret."""

    def __init__(self, secret: Code) -> None:
        self.secret = secret

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code:
        return self.secret

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Feedback:
        assert secret is not None

        feedback = score(guess, secret, position.rules)

        assert isinstance(feedback, Feedback)

        return feedback


def test_blanks_in_guesses_serve_as_the_absent_color() -> None:
    secret = (0, 1, 2, 0, 1, 2)
    game = play(Dichotomy(), Fixed(secret), Rules.parse("6x3/blanks"), seed=1)

    assert any(3 in turn.guess for turn in game.turns)
    assert "won" == game.outcome


RNG = np.random.default_rng(0)


@pytest.mark.parametrize("board", ["3x3", "4x6", "5x3", "6x2", "2x9", "9x4", "1x4", "4x1"])
def test_a_codemaker_that_answers_at_random_is_caught_or_loses_within_the_bound(board: str) -> None:
    rules = Rules.parse(board)
    for seed in range(60):
        caught = play_against_chance(rules, np.random.default_rng(seed))

        assert caught is None or (
            caught.is_contradictory and len(caught.turns) <= viaud_upper(rules.pegs, rules.colors)
        )


def play_against_chance(rules: Rules, rng: np.random.Generator) -> Position | None:
    """Answer at random until the codebreaker wins (None) or catches the contradiction: then that position."""
    feedbacks, position = all_feedbacks(rules), Position(rules)
    while not position.is_won:
        try:
            guess = Dichotomy().guess(position, rng)
        except ContradictionError:
            return position
        position = position.after(guess, feedbacks[rng.integers(len(feedbacks))])
    return None


def test_a_contradiction_is_told_with_the_turn_that_shows_it() -> None:
    start = Position(Rules.parse("4x6"))
    told = start.after((5, 5, 5, 5), Feedback(4 - 1, 0)).after((4, 5, 5, 5), Feedback(0, 0))
    with pytest.raises(ContradictionError, match=r"turn 2 contradicts"):
        Dichotomy().guess(told, RNG)


@pytest.mark.parametrize("text", ["4x6/black", "4x6/membership", "4x6/positional", "4x10/no-repeats"])
def test_rules_that_it_does_not_play_are_refused_with_the_reason(text: str) -> None:
    with pytest.raises(InputError, match=r"dichotomy plays"):
        Dichotomy().guess(Position(Rules.parse(text)), RNG)


def test_a_codemaker_of_the_house_that_cheats_is_beaten_within_the_bound() -> None:
    rules = Rules.parse("4x6")
    game = play(Dichotomy(), codemakers.get("cheat:ties=first"), rules, seed=3)

    assert "won" == game.outcome
    assert len(game) <= viaud_upper(4, 6)


def test_the_plan_opens_with_the_last_color_then_with_what_is_left_over_by_the_blocks() -> None:
    questions = find_code(4, 6)

    assert [5, 5, 5, 5] == next(questions).tolist()
    assert [4, 5, 5, 5] == questions.send(Feedback(1, 0)).tolist()
    assert [0, 1, 2, 3] == questions.send(Feedback(1, 1)).tolist()
