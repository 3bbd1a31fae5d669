"""The laws of the account: guesses = par + losses − luck, to the last digit, and luck has mean 0."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from entropeg import optimal
from entropeg.advise.contradicted_rows import clues_against
from entropeg.codes import format_code, guesses, secrets
from entropeg.feedback import AnyFeedback, Code, score_trusted
from entropeg.game import Game
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position, Turn
from entropeg.review import Mark, Review, Totals, level_of, other_plays, review, review_answers
from entropeg.review.assessment import optimum_of
from entropeg.review.turns import is_known, number_of
from entropeg.review.wording import hundredths
from entropeg.rules import Rules
from rooms import cases

KINDS = [
    "4x6",
    "3x5",
    "4x4/black",
    "3x6/no-repeats",
    "3x4/blanks",
    "3x5/no-repeats/guess-repeats",
    "4x6/limit=4",
    "2x9",
    "1x5",
    "3x4/prior=distinct",
    "3x5/blanks-in-secrets",
    "3x3/positional",
    "3x3/membership",
    "2x4/shapes=2",
]
FEW, MANY = cases(3, 10), cases(6, 50)
"""Games of each player: more than a thousand on all boards together."""
SLOW = {"4x6", "4x6/limit=4", "3x3/positional", "3x3/membership", "2x4/shapes=2"}
PLAYERS = ("random", "consistent", "minimax", "first-consistent", "entropy")


def against(player: Any, secret: Code, rules: Rules) -> Game:
    return play(player, f"honest:{format_code(secret, rules)}", rules)


def games(board: str, player: str, number: int) -> list[Game]:
    rules = Rules.parse(board)
    return [play(player, "honest", rules.with_limit(rules.guess_limit or 12), seed=seed) for seed in range(number)]


@pytest.mark.parametrize("board", KINDS)
def test_guesses_are_par_and_losses_less_luck_without_any_tolerance(board: str) -> None:
    exact = 0
    for player in PLAYERS:
        for game in games(board, player, FEW if board in SLOW else MANY):
            told = review(game.position)
            exact += told.is_exact
            if told.is_exact and told.par.fraction is not None:
                assert Fraction(0) == told.error
                par, left, lost, luck = map(number_of, (told.par, told.remaining, told.loss, told.luck))
                assert isinstance(luck, Fraction)
                assert told.guesses + left == par + lost - luck
                assert all(0 <= turn.loss.value <= 1 for turn in told.turns)
            else:
                assert pytest.approx(0, abs=1e-9) == told.error
            hold_turns(told)
    assert exact


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "games_played"),
    [("4x3/membership", 3), ("3x4/positional", 3), ("4x4/shapes=2", 2), ("5x8", 1), ("10x12", 1)],
)
def test_the_sum_holds_for_estimates_too_and_they_are_said_to_be_some(board: str, games_played: int) -> None:
    for player in ("random", "auto"):
        rules = Rules.parse(board).with_limit(5)
        for seed in range(games_played):
            told = review(play(player, "honest", rules, seed=seed).position, time=0.1)
            assert pytest.approx(0, abs=1e-9) == told.error
            assert ("(estimates)" in told.line) == (told.is_known and not told.is_exact)
            assert told.is_exact == all(turn.loss.is_exact and turn.luck.is_exact for turn in told.turns)


def hold_turns(told: Review) -> None:
    for turn in told.turns:
        if turn.before is not None:
            here = Position(told.position.rules, told.position.turns[: turn.number - 1])
            assert turn.before == len(here.candidates)
            assert (turn.before <= 2) == (turn.mark is None)
            assert turn.is_possible == (turn.turn.guess in here.candidates)
            assert not (turn.is_possible and turn.clues)
        if turn.mark is Mark.best and turn.expected.is_exact:
            assert pytest.approx(0) == turn.loss.value
        if turn.expected.is_exact and turn.value.is_exact:
            assert turn.best[1].value == pytest.approx(turn.value.value)
        if turn.possible is not None and turn.best[1].is_exact:
            assert turn.possible[1].value >= turn.best[1].value - 1e-9


@pytest.mark.parametrize("board", ["3x3", "2x4", "3x4/black", "3x4/no-repeats"])
@pytest.mark.parametrize("player", ["minimax", "first-consistent"])
def test_luck_has_mean_0_over_all_secrets(board: str, player: str) -> None:
    rules = Rules.parse(board)
    told = [review(against(player, secret, rules).position) for secret in secrets(rules)]

    assert sum(number_of(one.luck) for one in told) == 0
    assert len({one.par.fraction for one in told}) == 1
    assert sum(one.guesses for one in told) == sum(number_of(one.par) + number_of(one.loss) for one in told)


def test_the_best_play_loses_nothing() -> None:
    rules, tree = Rules.parse("3x4"), optimal("3x4").tree
    assert tree is not None
    for secret in list(secrets(rules))[::7]:
        told = review(against(tree, secret, rules).position)
        assert told.loss.fraction == 0
        assert {Mark.best, None} >= {turn.mark for turn in told.turns}


def test_par_is_the_proven_optimum() -> None:
    told = review(Position("4x6", ["AABB XO"]))

    assert told.par.fraction == optimum_of(Rules.parse("4x6")) == Fraction(5625, 1296)


def test_a_guess_that_tells_nothing_loses_exactly_1_and_is_wasted() -> None:
    told = review(Position("4x6", ["AABB XO", "AABB XO"]))

    assert told.turns[1].loss.fraction == 1
    assert told.turns[1].mark is Mark.wasted
    assert told.turns[1].luck.fraction == 0


def test_where_nobody_can_count_the_codes_no_guess_is_marked_and_nothing_is_added_up() -> None:
    vague = Rules.parse("20x20")
    rows = [f"{'A' * 10}{'B' * 10} X", f"{'C' * 10}{'D' * 10} XO"]
    told = review(Position(vague, rows), time=0.1)

    assert not told.is_known
    assert told.line.startswith("2 guesses, par ")
    assert told.line.endswith("what was lost and what was luck, nobody can say")
    assert "without luck: unknown" == told.adjusted_line
    assert {None} == {turn.mark for turn in told.turns if not is_known(turn.loss)}
    assert "?" == hundredths(told.luck)
    totals = Totals.of([told, told])
    assert (2, 0) == (totals.games, totals.known)
    assert "nobody can say" in totals.lines("x")[0]
    assert "Infinity" not in json.dumps([told.to_json(), totals.to_json()])
    assert "NaN" not in json.dumps([told.to_json(), totals.to_json()])


def test_players_that_would_take_too_long_are_left_out_and_games_are_given_up_in_time() -> None:
    game = Position("9x9", ["AAABBBCCC X", "DDDEEEFFF XXOOO"])
    told = review(game, time=0.1)

    assert ["optimal"] == [one.name for one in other_plays(told, "AFDGDEHHE", time=0.1)]
    assert other_plays(told, "AFDGDEHHE", names=["optimal"], time=0)[0].line is None


@pytest.mark.parametrize("board", ["3x3/positional", "3x3/membership", "2x4"])
def test_how_rare_an_answer_was_is_told_under_every_feedback(board: str) -> None:
    rules = Rules.parse(board)
    position = play("first-consistent", "honest", rules, seed=2).position
    told = review(position)

    for turn in told.turns:
        here = Position(rules, position.turns[: turn.number - 1])
        guess, worth = turn.turn.guess, turn.left.value
        sizes = Partition.of(here.candidates, guess).sizes
        left = {answer: here.after(guess, answer) for answer in sizes}
        as_good = [
            answer for answer, one in left.items() if one.is_won or (turn.left.value and value(one) <= worth + 1e-9)
        ]
        assert turn.rarity == pytest.approx(sum(sizes[answer] for answer in as_good) / len(here.candidates))


def value(position: Position) -> float:
    """What the best play takes, by all guesses at sets that get smaller; a guess that tells nothing is none."""
    return least_of(tuple(position.candidates), position.rules)


@cache
def least_of(codes: tuple[Code, ...], rules: Rules) -> float:
    if len(codes) == 1:
        return 1.0
    found = []
    for guess in guesses(rules):
        parts: dict[AnyFeedback, list[Code]] = {}
        for code in codes:
            parts.setdefault(score_trusted(guess, code, rules), []).append(code)
        if len(parts) > 1 or guess in codes:
            left = [tuple(part) for part in parts.values() if part != [guess]]
            found.append(1 + sum(len(part) / len(codes) * least_of(part, rules) for part in left))
    return min(found)


@pytest.mark.parametrize("kind", ["", "/positional"])
def test_answers_of_codes_without_weight_are_none_that_could_be_given(kind: str, tmp_path: Path) -> None:
    (tmp_path / "prior.csv").write_text("AAA 1\nABC 3\nBCA 2\n* 0\n")
    rules = f"3x3{kind}/prior={tmp_path / 'prior.csv'}"
    told = review(Position(rules, ["CCC XXX"]))  # a secret that never comes

    assert told.turns[0].rarity is None
    assert "svg" in told._repr_svg_()
    [answer] = review_answers(told).answers
    assert answer.choices is not None
    assert answer.choices <= 3
    late = review(Position(rules, ["CCB XX."] if kind else ["CCB XX"]))
    [answer] = review_answers(late).answers
    assert answer.spared is not None
    values = dict(late.turns[0].answers or ())
    assert answer.spared.value == pytest.approx(max(0, max(values.values()) - late.turns[0].left.value))


def test_players_that_lose_as_much_are_one_level() -> None:
    told = [review(play("minimax", "honest", "2x2", seed=seed).position) for seed in range(12)]

    for games in (told, told[:1]):
        level = level_of(games, time=0.2)
        assert level is not None
        assert level.sentence.startswith(("level: as optimal (0.00): 0.00", "level: anything from"))
        assert {0.0} == {one.loss for one in level.players if abs(one.loss) < 1e-9}


def test_a_player_that_is_measured_is_at_its_own_level() -> None:
    told = [review(against("first-consistent", secret, Rules.parse("2x3")).position) for secret in secrets("2x3")] * 2
    level = level_of(told, time=0.2)

    assert level is not None
    assert level.sentence.startswith("level: as first-consistent (0.33): 0.33")


@pytest.mark.parametrize("board", ["3x3/blanks", "4x4/blanks/no-repeats", "2x5/blanks/black"])
def test_a_hole_of_a_guess_contradicts_no_row_where_secrets_have_none(board: str) -> None:
    rules = Rules.parse(board)
    random, hole = Random(board), rules.colors
    for _ in range(200):
        secret, rows = random.choice(secrets(rules)), random.choices(guesses(rules), k=3)
        turns = [Turn(row, score_trusted(row, secret, rules)) for row in rows]
        guess = random.choice(guesses(rules))
        wrong = [row for row, turn in enumerate(turns) if pegs_alike(turn.guess, guess, hole, rules) != turn.feedback]
        assert [clue.row for clue in clues_against(guess, turns, rules)] == wrong


def pegs_alike(row: Code, guess: Code, hole: int, rules: Rules) -> tuple[int, ...]:
    """The feedback of a row, were the guess the secret: its holes are pegs of colors that nobody has."""
    black = sum(one == other != hole for one, other in zip(row, guess, strict=True))
    both = sum(min(row.count(color), guess.count(color)) for color in range(rules.colors))
    return black, 0 if rules.feedback.name == "black" else both - black


@pytest.mark.slow
def test_where_nobody_can_list_the_codes_a_review_ends_with_its_time() -> None:
    game = play("auto", "honest", "30x30", seed=3).position

    told = review(game, time=0.0)

    assert told.is_late
    assert told.position.turns == game.turns[: told.guesses]
    assert 1 <= told.guesses < len(game.turns)
    assert not review(play("consistent", "honest", "4x6", seed=3).position, time=0.0).is_late
