"""Codes built peg by peg: the same codes as a scan, in the same order, on every kind of rules."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg.candidates import (
    Synthetic,
    build_codes,
    count_codes,
    first_codes,
    is_possible,
    minimal_conflict,
    synthetic_guess,
)
from entropeg.candidates.constraints import Turns
from entropeg.codes import CodeSet, parse_code, random_secret, score, secrets
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code, Feedback, label_of, parse_feedback
from entropeg.position import Position
from entropeg.rules import FeedbackKind, Rules
from strategies import all_feedbacks, codes, positions, rules

pytestmark = pytest.mark.kernels

SMALL = {"max_codes": 3000, "max_pegs": 6, "max_colors": 9}


def turns_of(game: Rules, *texts: str) -> list[tuple[tuple[int, ...], Feedback]]:
    pairs = [text.split(maxsplit=1) for text in texts]
    return [(parse_code(guess, game), parse_feedback(marks, game)) for guess, marks in pairs]  # type: ignore[misc]


@pytest.mark.usefixtures("both_ways")
@settings(max_examples=120)
@given(st.data())
def test_building_finds_the_codes_that_a_scan_finds_in_the_same_order(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    position, secret = data.draw(positions(game, max_turns=6))
    turns = [(turn.guess, label_of(turn.feedback, game)) for turn in position.turns]
    every = list(secrets(game))

    expected = [every[index] for index in naive.matching(game.kind, turns, every)]

    assert expected == list(build_codes(game, position.turns))
    assert len(expected) == count_codes(game, position.turns)
    assert secret in expected


@pytest.mark.usefixtures("both_ways")
@settings(max_examples=80)
@given(st.data())
def test_building_agrees_with_a_scan_also_where_the_feedback_may_be_a_lie(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    answers = st.sampled_from(all_feedbacks(game)) if game.pegs < 5 else st.just(all_feedbacks(game)[0])
    turns = data.draw(st.lists(st.tuples(codes(game), answers), max_size=3))

    expected = list(secrets(game).consistent(turns))

    assert expected == list(build_codes(game, turns))
    assert expected[:3] == list(first_codes(game, turns, 3))
    assert len(expected) == count_codes(game, turns)
    assert (expected != []) == is_possible(game, turns)
    assert (expected == []) == (minimal_conflict(game, turns) != ())


@settings(max_examples=40)
@given(st.data())
def test_a_secret_of_a_large_board_is_found_again(data: st.DataObject) -> None:
    kinds = st.sampled_from([FeedbackKind.standard, FeedbackKind.black, FeedbackKind.membership])
    pegs, colors = data.draw(st.integers(2, 80)), data.draw(st.integers(2, 300))
    game = Rules(pegs, colors, repeats=colors < pegs or data.draw(st.booleans()), feedback=data.draw(kinds))
    position, secret = data.draw(positions(game, max_turns=2))
    turns = [*position.turns, (secret, score(secret, secret, game))]

    assert [secret] == list(build_codes(game, turns))
    assert count_codes(game, turns) == 1


@pytest.mark.parametrize(
    ("board", "turns", "expected"),
    [
        ("4x26", ("ABCD XXX",), 100),
        ("4x26", ("ABCD XXX", "ABCE XXX"), 24),
        ("4x26", ("IJKL O", "EFGH O", "ABCD O"), 9720),
        ("4x6", ("AABB X",), 256),
        ("4x6/black", ("ABCD XX",), 150),
        ("4x10/no-repeats", ("1234 OOOO",), 9),
        ("5x26", ("ABCDE O", "FGHIJ O", "KLMNO O"), 564_840),
    ],
)
def test_the_number_of_codes_left_is_that_of_the_document_or_of_a_formula(
    board: str, turns: tuple[str, ...], expected: int
) -> None:
    game = Rules.parse(board + ("/digits" if board.startswith("4x10") else ""))

    assert expected == count_codes(game, turns_of(game, *turns))
    assert expected == len(build_codes(game, turns_of(game, *turns)))


@pytest.mark.parametrize("board", ["20x20", "20x20/no-repeats", "20x20/no-repeats/blanks-in-secrets", "100x100"])
def test_without_turns_every_secret_is_counted(board: str) -> None:
    game = Rules.parse(board)

    assert game.secret_count == count_codes(game, [])


def test_the_synthetic_guess_joins_what_scored_and_holds_for_every_code_left() -> None:
    # Forget 2011: after ABCD X, EFGH X, IJKL X a code has three pegs of those twelve colors (copies counted once).
    game = Rules.parse("4x26")
    turns = turns_of(game, "IJKL X", "EFGH X", "ABCD X", "MNOP -")

    joined = synthetic_guess(game, turns)

    assert Synthetic(game.symbols.parse("IJKLEFGHABCD"), 3, (0, 1, 2)) == joined
    assert {naive.common(tuple(range(12)), code) for code in build_codes(game, turns)} == {3}


@pytest.mark.parametrize(
    "turns",
    [("ABCD -", "EFGH XX"), ("ABCD X", "EFAB X"), ("ABCD XXX",)],
    ids=["one scored", "a shared color", "one turn"],
)
def test_there_is_no_synthetic_guess_of_fewer_than_two_guesses(turns: tuple[str, ...]) -> None:
    game = Rules.parse("4x26")

    assert synthetic_guess(game, turns_of(game, *turns)) is None


def test_marks_that_wrap_round_the_colors_are_not_counted_twice() -> None:
    # The guesses share A and B: their marks add up to 4 though the secret has two of the colors.
    game = Rules.parse("4x6")
    turns = turns_of(game, "ABCD OO", "EFAB OO")

    assert (1, 0, 0, 1) not in build_codes(game, turns)
    assert list(secrets(game).consistent(turns)) == list(build_codes(game, turns))


def test_a_construction_that_would_list_too_many_codes_says_how_many() -> None:
    game = Rules.parse("8x12")

    with pytest.raises(TooLargeError, match=r"on 8x12 after 0 turns more than 1,000 codes are left"):
        build_codes(game, [], limit=1000)
    with pytest.raises(TooLargeError, match=r"at least [\d,]+ were found when [\d,]+ steps"):
        build_codes(game, [], steps=1000)


WAYS: dict[str, Callable[[Rules, Turns, int], list[Code] | int | bool]] = {
    "list": lambda game, turns, steps: list(build_codes(game, turns, steps=steps)),
    "find": lambda game, turns, steps: list(first_codes(game, turns, 10_000, steps=steps)),
    "search": lambda game, turns, steps: is_possible(game, turns, steps=steps),
    "count": lambda game, turns, steps: count_codes(game, turns, steps=steps),
}
"""What is asked of a construction, by the word for it where it is given up."""


@pytest.mark.usefixtures("both_ways")
@pytest.mark.parametrize("doing", WAYS)
@pytest.mark.parametrize(
    ("board", "turns"),
    [
        ("6x8", ("ABCDEF XO", "GHABCC XX")),
        ("8x8", ("ABCDEFGH XXOO", "AACCEEGG XOO", "BBDDFFHH OOO", "HGFEDCBA XOOO")),
    ],
    ids=["517 codes", "contradictory"],
)
def test_a_construction_answers_rightly_or_says_where_it_was_given_up(
    board: str, turns: tuple[str, ...], doing: str
) -> None:
    game = Rules.parse(board)
    told, ask = turns_of(game, *turns), WAYS[doing]
    codes = [] if board == "8x8" else list(secrets(game).consistent(told))
    expected = {"count": len(codes), "search": codes != []}.get(doing, codes)
    given_up = []
    for steps in (1, 10, 100, 1000, 10_000, 100_000):
        try:
            assert expected == ask(game, told, steps)
        except TooLargeError as error:
            said = re.search(rf"to {doing}: at least ([\d,]+) were found when ([\d,]+) steps", str(error))
            assert said
            found, tried = (int(number.replace(",", "")) for number in said.groups())
            assert found <= len(codes)
            assert steps <= tried < 2 * steps + 10
            given_up.append(steps)

    # More steps never answer less. Whether a code fits is known as soon as one is found; the rest takes 30,000 steps.
    assert [1, 10, 100, 1000, 10_000][: len(given_up)] == given_up
    assert len(given_up) == 5 or (doing == "search" and codes)


def test_as_many_codes_as_the_limit_are_listed_and_no_more() -> None:
    game = Rules.parse("4x6")
    turns = turns_of(game, "AABB X")

    assert 256 == len(build_codes(game, turns, limit=256))
    assert 0 == len(build_codes(game, turns_of(game, "AABB X", "AABB XX"), limit=0))
    with pytest.raises(TooLargeError, match="more than 255 codes are left"):
        build_codes(game, turns, limit=255)


def test_unless_told_otherwise_as_many_codes_are_listed_as_memory_is_meant_for(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Rules.parse("4x6")
    turns = turns_of(game, "AABB X")
    monkeypatch.setattr("entropeg.candidates.build.LISTED_BYTES", 2560)

    assert 256 == len(build_codes(game, turns))  # a code takes 4 bytes for its pegs and 6 for its colors

    monkeypatch.setattr("entropeg.candidates.build.LISTED_BYTES", 2550)
    with pytest.raises(TooLargeError, match="more than 255 codes are left"):
        build_codes(game, turns)


@pytest.mark.parametrize("number", [0, 1, 255, 256, 257])
def test_the_first_codes_are_the_beginning_of_all(number: int) -> None:
    game = Rules.parse("4x6")
    turns = turns_of(game, "AABB X")

    assert list(build_codes(game, turns))[:number] == list(first_codes(game, turns, number))


def test_a_board_out_of_proportion_is_refused_before_anything_is_made() -> None:
    game = Rules.parse("10000x10000")

    with pytest.raises(TooLargeError, match=r"would have 200,000,000 cells, and [0-9,]+ are the limit"):
        build_codes(game, [])


def test_a_conflict_on_a_large_board_names_turns_that_cannot_all_be_true() -> None:
    game = Rules.parse("8x30")
    wrong = turns_of(game, "1-2-3-4-5-6-7-8 3b1w", "1-1-1-1-1-1-1-1 2b", "9-9-9-9-9-9-9-9 2b", "1-1-2-2-3-3-5-5 none")

    assert minimal_conflict(game, wrong) == (1, 3)
    assert minimal_conflict(game, wrong[:3]) == ()


@settings(max_examples=60)
@given(st.data())
def test_no_turn_of_a_minimal_conflict_can_be_left_out(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=600, max_pegs=4, max_colors=5))
    answers = st.sampled_from(all_feedbacks(game))
    turns: Turns = data.draw(st.lists(st.tuples(codes(game), answers), min_size=1, max_size=5))
    conflict = minimal_conflict(game, turns)
    parts = [[turns[index] for index in conflict if index != left_out] for left_out in conflict]

    assert (count_codes(game, turns) == 0) == (conflict != ())
    assert all(count_codes(game, part) > 0 for part in parts)


def test_a_position_on_a_board_too_large_to_scan_finds_its_candidates() -> None:
    game = Rules.parse("8x12")
    secret = parse_code("ABCDEFGH", game)
    position = Position(game)
    for guess in ("ABCDEFGL", "ABCDEFKH", "ABCDJJGH", "ABKKEFGH"):
        position = position.after(parse_code(guess, game), score(parse_code(guess, game), secret, game))
    after = position.after(parse_code("LBCDEFGH", game), Feedback(7, 0))

    assert secret in position.candidates
    assert list(build_codes(game, position.turns)) == list(position.candidates)
    assert set(after.candidates) <= set(position.candidates)


def test_a_position_with_too_many_candidates_says_so() -> None:
    position = Position(Rules.parse("20x20"), [(tuple(range(20)), Feedback(3, 9))])

    with pytest.raises(TooLargeError, match=r"on 20x20 after 1 turn .*too many"):
        position.candidates  # noqa: B018 (asking is what fails)


def test_a_contradiction_on_a_large_board_names_its_turns() -> None:
    game = Rules.parse("8x12")
    position = Position(game, turns_of(game, "AAAAAAAA XX", "BBBBBBBB XX", "CCDDEEFF X", "AAABBBGG X"))

    with pytest.raises(ContradictionError, match=r"turn 2 \(BBBBBBBB XX\) and turn 4 \(AAABBBGG X\) together"):
        position.check_consistent()


def test_candidates_are_the_same_however_they_are_found() -> None:
    game = Rules.parse("5x18")
    secret = random_secret(game, np.random.default_rng(5))
    position = Position(game)
    for guess in ("ABCDE", "FGHIJ", "KLMNO"):
        code = parse_code(guess, game)
        position = position.after(code, score(code, secret, game))
    scanned: CodeSet = secrets(game).consistent(position.turns)

    assert list(scanned) == list(position.candidates)
