"""Wrong answers on boards that nobody can list: which are noticed, which row is named, and that honest ones are not."""

from __future__ import annotations

import pickle
from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubted_games import one_off, play_doubted, right
from entropeg import codebreakers
from entropeg.codebreakers.auto import Auto
from entropeg.codebreakers.belief.player import ASTRAY, Belief, Beliefs
from entropeg.codebreakers.color_sums import ColorSums, suspects_of
from entropeg.codebreakers.doubts import Doubt, Suspect, doubt_of
from entropeg.codes import random_secret
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code, Feedback
from entropeg.loop import play
from entropeg.position import Position, Turn
from entropeg.rules import Rules

UNPROVED = "Everything but row {row} fits; most likely row {row} is wrong. This is not proved."


def without(position: Position, row: int) -> Position:
    return Position(position.rules, [turn for index, turn in enumerate(position.turns) if index != row])


# ------------------------------------------------------------------ sums of colors


def secrets_of_counts(guesses: list[Code], sums: list[int], pegs: int, colors: int) -> int:
    """Count the secrets that give some sums, by all counts of colors."""
    total = 0
    for counts in product(range(pegs + 1), repeat=colors):
        if sum(counts) == pegs and all(
            sum(min(guess.count(color), counts[color]) for color in range(colors)) == told
            for guess, told in zip(guesses, sums, strict=True)
        ):
            total += factorial(pegs) // prod(map(factorial, counts))
    return total


@st.composite
def told_sums(draw: st.DrawFn) -> tuple[list[Code], list[int], int, int]:
    pegs, colors = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    code = st.tuples(*[st.integers(0, colors - 1)] * pegs)
    guesses = draw(st.lists(code, min_size=1, max_size=5))
    secret = draw(code)
    sums = [sum(min(guess.count(color), secret.count(color)) for color in range(colors)) for guess in guesses]
    changed = draw(st.lists(st.tuples(st.integers(0, len(sums) - 1), st.sampled_from((-1, 1, 2))), max_size=2))
    for row, more in changed:
        sums[row] += more
    return guesses, sums, pegs, colors


@given(told_sums())
def test_the_weight_of_sums_is_the_number_of_secrets_that_give_them(
    drawn: tuple[list[Code], list[int], int, int],
) -> None:
    guesses, sums, pegs, colors = drawn
    rules = Rules(pegs=pegs, colors=colors)
    told = ColorSums.of(rules, [(guess, Feedback(0, max(each, 0))) for guess, each in zip(guesses, sums, strict=True)])
    whole = ColorSums.of(rules, [((0,) * pegs, Feedback(0, 0))])
    every = sum(whole.weight(np.array([count])) or 0.0 for count in range(pegs + 1))  # of all secrets
    weight = told.weight(np.array(sums))

    assert weight is not None
    assert secrets_of_counts(guesses, sums, pegs, colors) == pytest.approx(weight / every * colors**pegs, abs=1e-9)


@given(told_sums())
def test_suspects_are_the_rows_that_one_peg_more_or_less_makes_possible(
    drawn: tuple[list[Code], list[int], int, int],
) -> None:
    guesses, sums, pegs, colors = drawn
    expected = []
    for row in range(len(sums)):
        ways = [[told + more * (place == row) for place, told in enumerate(sums)] for more in (-1, 1)]
        expected.append(sum(secrets_of_counts(guesses, way, pegs, colors) for way in ways))
    counts = np.array([np.bincount(guess, minlength=colors) for guess in guesses])
    told = ColorSums(counts, np.array(sums), pegs).suspects()
    total = sum(expected)

    assert {row for row, ways in enumerate(expected) if ways} == {suspect.row for suspect in told}
    assert all(expected[suspect.row] / total == pytest.approx(suspect.chance) for suspect in told)
    assert sorted((suspect.chance for suspect in told), reverse=True) == [suspect.chance for suspect in told]


def test_a_weight_that_is_too_small_for_a_number_is_no_proof() -> None:
    told = ColorSums.of(Rules.parse("400x400"), [((0,) * 400, Feedback(400, 0))])

    assert (told.weight(np.array([400])) or 0.0) > 0
    assert told.weight(np.array([401])) == 0


# ------------------------------------------------------------------ belief: sums that cannot be


def one_colored(board: str, *sums: tuple[int, int]) -> Position:
    """Rows of one color each, and how many pegs it was told to have."""
    rules = Rules.parse(board)
    return Position(rules, [((color,) * rules.pegs, Feedback(black, 0)) for color, black in sums])


def test_of_three_rows_the_one_that_two_others_contradict_is_named() -> None:
    doubt = Belief().doubt(one_colored("50x50", (0, 3), (0, 4), (0, 3)))

    assert doubt is not None
    assert (True, 1, (Suspect(1, 1.0),)) == (doubt.is_proved, doubt.row, doubt.rows)
    assert doubt.says.endswith("Most likely it is row 2: no other explains it.")


def test_of_two_rows_none_is_named_and_either_may_be_wrong() -> None:
    doubt = Belief().doubt(one_colored("50x50", (0, 3), (0, 4)))

    assert doubt is not None
    assert doubt.row is None
    assert {0, 1} == {suspect.row for suspect in doubt.rows}
    assert sum(suspect.chance for suspect in doubt.rows) == pytest.approx(1)
    # Three pegs of a color are likelier than four, so that the second row is more suspect.
    assert 1 == doubt.rows[0].row


def test_where_every_row_is_wrong_none_is_suspect() -> None:
    doubt = Belief().doubt(one_colored("50x50", (0, 40), (1, 40), (2, 40)))

    assert doubt is not None
    assert (True, (), None) == (doubt.is_proved, doubt.rows, doubt.row)
    assert "at least one of them is wrong" in doubt.says


def test_after_the_first_turn_nothing_is_doubted() -> None:
    assert Belief().doubt(Position("50x50")) is None
    assert Belief().doubt(one_colored("50x50", (0, 50 - 1))) is None


def test_what_is_proved_ends_the_game_at_once() -> None:
    with pytest.raises(ContradictionError, match="no code fits all answers"):
        Belief().guess(one_colored("50x50", (0, 3), (0, 4)), np.random.default_rng(1))


@pytest.mark.parametrize("board", ["40x40", "40x30/blanks-in-secrets"])
def test_a_secret_that_is_hardly_possible_is_not_called_a_contradiction(board: str) -> None:
    # So many pegs of one color are left out of the list of likely counts, which runs empty; the sweep finds them.
    secret = (0,) * 40
    position = Position(board)
    beliefs = Beliefs(position.rules, 16, 4096, 8, 0)
    for color in (0, 1):
        code = (color,) * 30 + (2,) * 10
        position = position.after(code, right(code, secret))
    beliefs.follow(position.turns)

    assert beliefs.counts is not None
    assert beliefs.counts.broken
    assert Belief().doubt(position) is None
    assert 40 == len(Belief().guess(position, np.random.default_rng(1)))


@pytest.mark.parametrize("turn", [1, 8])
def test_a_wrong_sum_is_proved_soon(turn: int) -> None:
    game = play_doubted("32x40", 3, ((turn, "sum"),))

    assert game.doubt is not None
    assert game.doubt.is_proved
    assert turn - 1 in {suspect.row for suspect in game.doubt.rows}
    assert turn <= len(game.position.turns) <= 32
    # With the true answer nothing is doubted.
    turns = list(game.position.turns)
    turns[turn - 1] = Turn(turns[turn - 1].guess, right(turns[turn - 1].guess, game.secret))
    assert Belief().doubt(Position(game.position.rules, turns)) is None


# ------------------------------------------------------------------ belief: one answer that nothing agrees with


@pytest.mark.parametrize(("seed", "turn"), [(1, 8), (2, 1)])
def test_a_peg_counted_black_in_place_of_white_is_noticed_and_the_row_named(seed: int, turn: int) -> None:
    game = play_doubted("32x40", seed, ((turn, "exchanged"),))

    assert game.doubt is not None
    assert (False, turn - 1) == (game.doubt.is_proved, game.doubt.row)
    assert UNPROVED.format(row=turn) == game.doubt.says
    assert len(game.position.turns) < 64


def test_the_game_goes_on_without_the_row_and_is_won_soon() -> None:
    game = play_doubted("32x40", 1, ((8, "exchanged"),))
    position, breaker, rng = without(game.position, 7), Belief(), np.random.default_rng(1)
    for _ in range(12):
        guess = breaker.guess(position, rng)
        position = position.after_trusted(guess, right(guess, game.secret))
        if position.is_won:
            break

    assert position.is_won
    assert breaker.doubt(without(game.position, 7)) is None


def test_a_wrong_answer_in_the_last_turn_is_noticed_within_a_few() -> None:
    honest = play_doubted("32x40", 4, ())
    *before, last, _ = honest.position.turns
    told = one_off(right(last.guess, honest.secret), "exchanged")
    position = Position(honest.position.rules, [*before, Turn(last.guess, told)])
    row, breaker, rng = len(before), Belief(), np.random.default_rng(4)

    assert breaker.doubt(position) is None  # a turn is no proof
    for _ in range(10):
        guess = breaker.guess(position, rng)
        position = position.after_trusted(guess, right(guess, honest.secret))
        if position.is_won or breaker.doubt(position) is not None:
            break
    doubt = breaker.doubt(position)

    assert position.is_won or (doubt is not None and doubt.row == row)


def test_a_doubt_takes_three_turns_running() -> None:
    game = play_doubted("32x40", 1, ((8, "exchanged"),))
    rules, turns = game.position.rules, game.position.turns
    breaker = Belief()
    doubts = [breaker.doubt(Position(rules, turns[:length])) for length in range(len(turns) + 1)]

    assert 3 == ASTRAY
    assert [None] * len(turns) == doubts[:-1]
    assert game.doubt == doubts[-1]


def test_two_wrong_answers_are_both_named() -> None:
    game = play_doubted("32x40", 1, ((8, "exchanged"), (12, "exchanged")))

    assert game.doubt is not None
    assert [7, 11] == [suspect.row for suspect in game.doubt.rows]
    assert "Everything but rows 8 and 12 fits; most likely they are wrong. This is not proved." == game.doubt.says


@pytest.mark.parametrize("seed", [1, 4, 5])
def test_an_honest_game_is_never_doubted(seed: int) -> None:
    assert play_doubted("32x40", seed, ()).doubt is None


def test_whoever_asks_for_doubts_changes_no_game() -> None:
    game = play_doubted("32x40", 4, ())
    plain, rng = Belief(), np.random.default_rng(4)
    random_secret(game.position.rules, rng)  # drawn before the first guess there
    position = Position(game.position.rules)
    for turn in game.position.turns:
        assert turn.guess == plain.guess(position, rng)
        position = position.after_trusted(*turn)


@pytest.mark.parametrize("board", ["32x40/black", "32x40/no-repeats", "32x40/positional"])
def test_where_colors_are_not_counted_nothing_is_doubted(board: str) -> None:
    rules = Rules.parse(board)
    game = play(Belief(patience=1, steps=0, starts=0), "honest", rules.with_limit(6), seed=1)

    assert Belief().doubt(game.position) is None


# ------------------------------------------------------------------ other players


@pytest.mark.parametrize("kind", ["exchanged", "sum"])
def test_linear_proves_that_an_answer_is_wrong_and_suspects_rows_by_their_sums(kind: str) -> None:
    game = play_doubted("64x32", 1, ((8, kind),), "linear")

    assert game.doubt is not None
    assert game.doubt.is_proved
    assert "contradicts the turns before it" in game.doubt.reason
    assert (7 in {suspect.row for suspect in game.doubt.rows}) == (kind == "sum")
    assert bool(game.doubt.rows) == (kind == "sum")
    assert len(game.position.turns) < 64


def test_rows_are_compared_where_that_is_quick_and_sums_are_told() -> None:
    rows = [((0,) * 50, Feedback(3)), ((0,) * 50, Feedback(4))]

    assert 2 == len(suspects_of(Rules.parse("50x50"), rows))
    assert () == suspects_of(Rules.parse("50x50/black"), rows)
    assert () == suspects_of(Rules.parse("50x50"), rows[:1])
    assert () == suspects_of(Rules.parse("50x50"), [])
    assert () == suspects_of(Rules.parse("50x50"), rows * 150)


@pytest.mark.parametrize("player", ["linear", "dichotomy"])
def test_plans_doubt_no_honest_game(player: str) -> None:
    assert play_doubted("64x32", 1, (), player).doubt is None


def test_dichotomy_doubts_as_linear_does() -> None:
    doubt = doubt_of(codebreakers.get("dichotomy"), Position("4x6", ["FFFF XXX", "EFFF -"]))

    assert doubt_of(codebreakers.get("dichotomy"), Position("4x6", ["AAAA XXX", "BAAA -"])) is None  # not its own codes
    assert doubt is not None
    assert doubt.is_proved


QUICK = "sampling:sample=50,steps=20000,tries=50"


def changed_game(rules: Rules, honest: int, length: int) -> Position:
    """A game of random guesses whose codemaker answers by another secret after some turns."""
    rng = np.random.default_rng(1)
    hidden = [random_secret(rules, rng) for _ in range(2)]
    played = [random_secret(rules, rng) for _ in range(length)]
    return Position(rules, [(code, right(code, hidden[turn >= honest])) for turn, code in enumerate(played)])


def test_sampling_doubts_where_it_refuses_to_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("entropeg.candidates.solver.is_installed", lambda: False)
    position, player = changed_game(Rules.parse("20x20"), 14, 43), codebreakers.get(QUICK)
    with pytest.raises(TooLargeError, match="nothing is proved") as refused:
        player.guess(position, np.random.default_rng(1))
    doubt = doubt_of(player, position)

    assert Doubt(str(refused.value), is_proved=False) == doubt
    assert doubt is not None
    assert doubt.says.startswith("An answer may be wrong: no secret of 20x20 was found")
    # Asked by somebody else, who has not tried to guess.
    assert doubt == doubt_of(codebreakers.get(QUICK), position)


def test_sampling_proves_it_where_codes_are_listed() -> None:
    position = Position("5x12", [((0,) * 5, "XX"), ((0,) * 5, "X")])
    doubt = doubt_of(codebreakers.get("sampling"), position)

    assert doubt is not None
    assert doubt.is_proved


def test_sampling_doubts_no_honest_game_and_plays_on_as_it_would() -> None:
    rules, breaker = Rules.parse("12x12").with_limit(8), codebreakers.get(QUICK)
    plain = play(codebreakers.get(QUICK), "honest", rules, seed=3)

    class Asked:
        name = "asked"

        def guess(self, position: Position, rng: np.random.Generator) -> Code:
            guess = breaker.guess(position, rng)
            assert doubt_of(breaker, position) is None
            return guess

    assert plain.turns == play(Asked(), "honest", rules, seed=3).turns


def test_beyond_its_reach_sampling_doubts_nothing() -> None:
    assert doubt_of(codebreakers.get(QUICK), changed_game(Rules.parse("31x31"), 14, 43)) is None


def test_auto_and_the_adviser_doubt_as_the_player_does_that_plays() -> None:
    position = one_colored("50x50", (0, 3), (0, 4))
    doubts = [doubt_of(codebreakers.get(player), position) for player in ("belief", "auto", "adviser")]

    assert doubts[0] is not None
    assert [doubts[0]] * 3 == doubts
    assert doubt_of(codebreakers.get("adviser"), Position("4x6", ["AAAA XX", "AAAA X"])) is None
    assert Auto().doubt(Position("20x20/positional")) is None


def test_a_doubt_is_plain_data_with_rows_from_1() -> None:
    doubt = Belief().doubt(one_colored("50x50", (0, 3), (0, 4), (0, 3)))

    assert doubt is not None
    assert {"says": doubt.says, "row": 2, "reason": doubt.reason, "proved": True} == doubt.to_json()
    assert doubt == pickle.loads(pickle.dumps(doubt))  # noqa: S301 (written a moment ago)
