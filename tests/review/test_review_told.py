"""What a review says and shows: rows of tables, sentences, curves, worksheets, the page of several games."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import inf, log2
from typing import Any

import pytest

from entropeg.advise.expectation import Expectation
from entropeg.errors import InputError, TooLargeError
from entropeg.game import Game
from entropeg.loop import play
from entropeg.position import Position
from entropeg.review import (
    Totals,
    check_claim,
    claims,
    level,
    level_of,
    other_plays,
    others,
    player_losses,
    review,
    review_answers,
    review_games,
)
from entropeg.review.account import Review
from entropeg.review.claims import ClaimMeasure
from entropeg.review.codemaker_answers import AnswersReview, is_cheat
from entropeg.review.drawing import codes_curve, par_curve
from entropeg.review.level import PlayerLoss
from entropeg.review.others import others_in_rows
from entropeg.review.review_page import review_page
from entropeg.review.totals import GameResult, by_player
from entropeg.review.turns import Thresholds, TurnReview
from entropeg.review.wording import turn_notes
from entropeg.review.worksheet import shown_rows, worksheets_csv
from entropeg.rules import Rules
from entropeg.svg.frame import EDGE, text_width

OF = " of minimax"
CERTIFIED = "certified by a proof of ours that entropeg verify checks"
WRONG: Any = 3
LEFT = [1296, 208, 46, 7, 1]
"""Codes left before the game and after each turn."""


@pytest.fixture(scope="module")
def told() -> Review:
    return review(Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]))


def test_answers_are_rows_of_what_they_cost_and_spared(told: Review) -> None:
    answers = review_answers(told)
    expected = [
        ("1", "AABB", "XO", "13", ".05", "-", ".08"),
        ("2", "ACCD", "O", "10", ".19", "", ".00"),
        ("3", "BEBF", "XXO", "9", ".09", "XOO", ".10"),
        ("4", "FEBA", "XXXX", "3", "−1.43", "XO", "1.80"),
    ]
    spared = [answer.spared.value for answer in answers.answers if answer.spared is not None]

    assert expected == [answer.in_row() for answer in answers.answers]
    assert answers.spared is not None
    assert pytest.approx(sum(spared)) == answers.spared.value
    assert pytest.approx(-told.luck.value) == answers.cost.value
    assert "<AnswerReview 2: ACCD O, cost = 0.188>" == repr(answers.answers[1])
    assert answers.sentence == (
        "the answers cost the player −1.10 guesses against honest ones; "
        "the worst ones would have cost 1.98 more, each at its turn"
    )


def test_answers_of_which_none_could_cost_more_are_said_to_be_such(told: Review) -> None:
    worst = AnswersReview(review_answers(told).answers[1:2])

    assert "the answers cost the player .19 guesses against honest ones; none could have cost more" == worst.sentence


def test_codemakers_that_choose_their_answers_are_known_by_name() -> None:
    assert [True, True, False, False] == [is_cheat(name) for name in ("cheat", "cheat:first", "honest", "nobody")]


def test_a_curve_goes_by_the_bits_of_the_codes_left(told: Review) -> None:
    picture = codes_curve(told.turns)
    [line] = re.findall(r'd="M([\d. L]*)"', picture)
    points = [tuple(map(float, point.split())) for point in line.split("L")]
    number = r'<text x="([\d.]+)" y="([\d.]+)" class="eg-muted" text-anchor="(\w+)">([\d,]+)</text>'
    numbers = re.findall(number, picture)
    first, base = EDGE + 10, EDGE + 26 + 90
    expected = [(first + 65 * at, base - 90 * log2(count) / log2(1296)) for at, count in enumerate(LEFT)]
    [width] = re.findall(r'<svg [^>]*width="([\d.]+)"', picture)

    assert expected == [pytest.approx(point, abs=0.06) for point in points]
    assert [f"{count:,}" for count in LEFT] == [number[3] for number in numbers[::2]]
    assert list("01234") == [number[3] for number in numbers[1::2]]
    assert ["start", *["middle"] * 3, "start"] == [number[2] for number in numbers[::2]]
    assert first + 260 + 8 == float(numbers[-2][0])
    wide = max(first + 268 + text_width("1"), EDGE + text_width("codes left, by turn")) + EDGE
    assert pytest.approx(wide, abs=1) == float(width)
    assert f'<path class="eg-line" d="M{first} {base}H{first + 260}"/>' in picture
    assert 'class="eg-heading">codes left, by turn</text>' in picture
    assert ">After 0 turns 1,296, after 1 turn 208, after 2 turns 46, after 3 turns 7, after 4 turns 1.<" in picture


@pytest.mark.parametrize(("number", "marked"), [(15, 16), (23, 24), (24, 0)])
def test_numbers_beside_a_curve_do_not_overlap_and_are_left_out_beyond_24_points(number: int, marked: int) -> None:
    turn = TurnReview.__new__(TurnReview)
    object.__setattr__(turn, "before", 1296)
    object.__setattr__(turn, "after", 1296)
    picture = codes_curve([turn] * number)
    shown = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]*>1,296<', picture)][:-1]

    assert marked == picture.count("<circle")
    assert all(later - earlier >= text_width("1,296") + 4 for earlier, later in pairwise(shown))
    assert not marked or len(shown) > 4
    assert not re.search(r' [xy]="[0-9]+[.][0-9]{2}', picture)


def test_the_curve_of_par_ends_with_what_is_left(told: Review) -> None:
    assert ">After 0 turns 4.34, after 1 turn 3.45, after 2 turns 2.67, after 3 turns 2.00, after 4 turns 0.00.<" in (
        par_curve(told.turns, told.remaining)
    )


def test_a_worksheet_has_codes_and_bits_left(told: Review) -> None:
    lines = worksheets_csv([("a", told), ("b", told)]).splitlines()
    rows = ["0,,", "1,AABB,XO", "2,ACCD,O", "3,BEBF,XXO", "4,FEBA,XXXX"]
    game = [f"{row},{count},{log2(count):.2f}" for row, count in zip(rows, LEFT, strict=True)]

    assert ["game,round,guess,feedback,codes left,bits left", *(f"a,{row}" for row in game)] == lines[:6]
    assert [f"b,{row}" for row in game] == lines[6:]
    assert ("0", "", "", "1,296", "10.34") == shown_rows(told)[0]


def test_what_others_would_have_played_stands_in_rows(told: Review) -> None:
    found = other_plays(told, names=["optimal", "minimax"], time=1e6)
    expected = [
        ("", "1", "2", "3", "4", "lost", "same secret"),
        ("played", "AABB", "ACCD", "BEBF", "FEBA", ".76", "4"),
        ("optimal", "AABC", "ACAD", "BDBE", "BCCB", ".00", "4"),
        ("minimax", "AABB", "AACD", "BDBE", "BCCB", ".09", "5"),
    ]

    assert expected == others_in_rows(told, found)


def test_notes_compare_with_the_codes_that_may_be_the_secret(told: Review) -> None:
    notes = [turn_notes(turn, told.position.rules) for turn in told.turns]

    assert notes == [
        (),
        (
            "row 1 rules ACCD out as the secret: it got XO, and would have got X",
            "ACAD, which may be the secret, takes 0.034 guesses less than ACCD",
        ),
        (
            "row 2 rules BEBF out as the secret: it got O, and would have got -",
            "BDBE, which may be the secret, takes 0.24 guesses less than BEBF",
        ),
        ("BCCB cannot be the secret, and takes 0.14 guesses less than any code that can",),
    ]


def test_the_page_of_two_games_has_a_table_of_both_and_a_section_for_each(told: Review) -> None:
    page = review_page(
        [("one", told), ("<two>", told)], lines=["a & b"], tables=[("cap", [["", "x"], ["r", "1"], ["s", ""]])]
    )
    tables = re.findall(r"<table>.*?</table>", page, re.DOTALL)
    names = ("guesses", "par", "lost", "luck")
    cells = "".join(
        f'<td data-label="{name}">{cell}</td>' for name, cell in zip(names, ("4", "4.34", ".76", "1.10"), strict=True)
    )

    assert "<h1>Review of 2 games</h1>" in page
    assert "<p>a &amp; b</p>" in page
    assert 4 == len(tables)
    assert f'<tr><th scope="row">one</th>{cells}</tr>\n<tr><th scope="row">&lt;two&gt;</th>{cells}</tr>' in tables[0]
    assert "<caption>Cap.</caption>" in tables[3]
    assert (
        '<tr><th scope="row">r</th><td data-label="x">1</td></tr>\n<tr><th scope="row">s</th><td></td></tr>'
        in tables[3]
    )
    assert ["one", "&lt;two&gt;"] == re.findall(r"<h2>(.*?)</h2>", page)
    assert 2 == page.count(
        "<strong>4 guesses: par 4.34, lost 0.76, good luck +1.10</strong><br>without luck: 5.10 guesses"
    )
    assert 2 == page.count(f"<div>{codes_curve(told.turns)}{par_curve(told.turns, told.remaining)}</div>")
    assert 2 == page.count("<li>Turn 4: BCCB cannot be the secret")
    assert "<h1>Review of one</h1>" in (alone := review_page([("one", told)]))
    assert ("<h2>" in alone, alone.count("<table>")) == (False, 1)


def test_totals_add_up_games_and_are_said_in_two_lines(told: Review) -> None:
    totals = Totals.of([told, told])

    assert "<Totals of 2 games: 4.00 guesses, par 4.34, lost 0.76, luck +1.10>" == repr(totals)
    assert totals.lines("Anna") == [
        "Anna: 2 games, 4.00 ± 0.00 guesses, 5.10 ± 0.00 without luck",
        "  lost 0.76 a game; of its marked guesses 50 % good, 25 % mistake, 25 % blunder",
    ]
    assert {"Anna on 4x6": [told, told], "4x6": [told]} == by_player([("Anna", told), ("", told), ("Anna", told)])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "4x7 mean 4.25",
            f"impossible: no strategy takes less than 11228/2401 = 4.6764 on average (optimum, {CERTIFIED})",
        ),
        ("4x6 worst 3", "impossible: no strategy takes less than 5 in the worst case (least worst case, published)"),
        ("4x6 worst 5", "that of a known strategy: as 5 in the worst case of optimum of worst case 5 (published)"),
        (
            "4x6 total 5800",
            "plausible: more than 5722/1296 = 4.4151 on average of entropy, less than 5801/1296 = 4.4761 on average"
            + OF,
        ),
        ("12x12 mean 9", "plausible: no less than 7.9430 on average (counting bound, proved in this documentation)"),
    ],
)
def test_a_claim_is_answered_in_a_sentence_with_its_source(claim: str, sentence: str) -> None:
    assert f"{claim}: {sentence}" == check_claim(claim).sentence


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: level_of([]), "there is no review to tell a level by"),
        (lambda: Totals.of([]), "there is no review to add up"),
        (lambda: Totals.of(WRONG), r"the reviews are 3; give a list of them, as \[review\(game\)\]"),
        (lambda: review_answers(WRONG), "the review is 3; it must be a Review, as review returns it"),
        (lambda: Thresholds(good=0.2, inaccuracy=0.1), r"the thresholds are \[0.2, 0.1, 0.3\]; they must rise"),
        (lambda: Thresholds(mistake=1.1), r"the thresholds are \[0.06, 0.15, 1.1\]; they must rise"),
    ],
)
def test_what_is_no_review_is_refused_in_a_sentence(asked: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked()


def test_a_mean_is_told_as_a_fraction_below_a_billion_codes() -> None:
    assert "45/10 = 4.5000 on average" == claims._told(Fraction(9, 2), 10, ClaimMeasure.mean)
    assert "4.5000 on average" == claims._told(Fraction(9, 2), 10**9, ClaimMeasure.mean)
    assert "4.5000 on average" == claims._told(Fraction(9, 2), 3, ClaimMeasure.mean)


def test_players_that_ask_too_much_of_a_board_are_left_out(told: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(_: Position) -> None:
        raise TooLargeError("too many pairs")

    monkeypatch.setattr(others, "check_pairs", beyond)

    assert ["consistent"] == [one.name for one in other_plays(told, names=["minimax", "consistent"], time=1e6)]


def test_players_that_draw_are_sampled_for_as_long_as_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[int] = []

    def counted(codebreaker: str, codemaker: str, rules: Rules, *, seed: int) -> Game:
        played.append(seed)
        return play(codebreaker, codemaker, rules, seed=seed)

    monkeypatch.setattr(level, "play", counted)
    level._sampled("consistent", Rules.parse("1x2"), -1.0, 0)
    assert 20 == len(set(played))
    level._sampled("consistent", Rules.parse("1x2"), inf, 0)
    assert 220 == len(played)


def test_what_time_is_left_goes_to_the_players_that_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def sampled(name: str, _: Rules, seconds: float, __: int) -> PlayerLoss:
        given.append(seconds)
        return PlayerLoss(name, 0.5, 0.1)

    monkeypatch.setattr(level, "_sampled", sampled)
    found = player_losses("1x3", Expectation.of(2.0), time=1e6)

    assert given
    assert all(9e5 < seconds <= 1e6 for seconds in given)
    assert ("optimal", 0.0) == (found[-1].name, found[-1].loss)
    assert [one.loss for one in found] == sorted((one.loss for one in found), reverse=True)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: review("4x6"),  # type: ignore[arg-type]
        lambda: review(Position("4x6", ["AABB XO"]), thresholds=5),  # type: ignore[arg-type]
        lambda: review_games(5),  # type: ignore[arg-type]
        lambda: other_plays(5),  # type: ignore[arg-type]
        lambda: review_answers(5),  # type: ignore[arg-type]
        lambda: level_of([5]),  # type: ignore[list-item]
        lambda: Totals.of(5),  # type: ignore[arg-type]
        lambda: player_losses("3x4", 5),  # type: ignore[arg-type]
        lambda: check_claim(5),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_game_and_no_review_is_refused_in_a_sentence(wrong: Callable[[], object]) -> None:
    with pytest.raises(InputError):
        wrong()


def test_other_rows_that_rule_a_guess_out_are_counted() -> None:
    told = review(Position("4x6", ["AABB X", "AABC X", "AABD X", "FFFF -"]))
    first = [notes[0] for turn in told.turns if (notes := turn_notes(turn, told.position.rules))]

    assert first == [
        "row 1 rules AABC out as the secret, as pegs 1, 2, 3 show: it got X, and would have got XXX",
        first[0].replace("AABC", "AABD") + "; so does 1 other row",
        "row 1 rules FFFF out as the secret: it got X, and would have got -; so do 2 other rows",
    ]


def test_totals_are_exact_where_every_game_is() -> None:
    sure, nearly = Expectation.of(4.0), Expectation.about(0.5, 0.1)
    exact, rough = (GameResult(4, True, sure, loss, sure, sure, (None,)) for loss in (sure, nearly))

    assert [True, False, False] == [Totals.of_results(some).is_exact for some in ([exact], [exact, rough], [rough])]
    assert (2, 2) == (Totals.of_results([exact, rough]).unmarked, Totals.of_results([exact, rough]).won)
