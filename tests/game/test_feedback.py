"""Feedback: its laws under every kind of rules, its notations, its labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from entropeg.codes import score
from entropeg.errors import InputError
from entropeg.feedback import (
    AnyFeedback,
    Feedback,
    GrandFeedback,
    Marks,
    Method,
    check_feedback,
    check_known,
    format_feedback,
    from_label,
    label_of,
    parse_feedback,
    score_trusted,
    win_feedback,
)
from entropeg.rules import FeedbackKind, Rules
from strategies import all_feedbacks, codes, rules


@given(st.data())
def test_score_agrees_with_the_naive_one(data: st.DataObject) -> None:
    game = data.draw(rules())
    guess, secret = data.draw(codes(game)), data.draw(codes(game, secret=True))

    expected = naive.score(game.kind, guess, secret)

    assert expected == label_of(score(guess, secret, game), game)


@given(st.data())
def test_a_score_is_always_a_feedback_that_can_be(data: st.DataObject) -> None:
    game = data.draw(rules())
    feedback = score(data.draw(codes(game)), data.draw(codes(game, secret=True)), game)

    assert check_feedback(feedback, game) == feedback


@given(st.data())
def test_only_the_secret_itself_wins(data: st.DataObject) -> None:
    game = data.draw(rules())
    guess, secret = data.draw(codes(game)), data.draw(codes(game, secret=True))

    assert (guess == secret) == (score(guess, secret, game) == win_feedback(game))


@given(st.data())
def test_standard_and_black_scores_do_not_care_which_code_is_the_secret(data: st.DataObject) -> None:
    game = data.draw(rules().filter(lambda game: game.feedback in (FeedbackKind.standard, FeedbackKind.black)))
    one, other = data.draw(codes(game, secret=True)), data.draw(codes(game, secret=True))

    assert score(one, other, game) == score(other, one, game)


@given(st.data())
def test_scores_survive_a_renaming_of_colors_and_for_counts_a_shuffle_of_pegs(data: st.DataObject) -> None:
    game = data.draw(rules())
    guess, secret = data.draw(codes(game)), data.draw(codes(game, secret=True))
    names = [*data.draw(st.permutations(range(game.colors))), game.colors]
    pegs = data.draw(st.permutations(range(game.pegs)))
    renamed = [tuple(names[color] for color in code) for code in (guess, secret)]
    shuffled = [tuple(code[peg] for peg in pegs) for code in (guess, secret)]

    expected = score(guess, secret, game)

    assert expected == score(renamed[0], renamed[1], game)
    if not isinstance(expected, Marks):
        assert expected == score(shuffled[0], shuffled[1], game)


@given(st.data())
def test_positional_marks_count_as_standard_feedback_does(data: st.DataObject) -> None:
    game = data.draw(rules().filter(lambda game: game.feedback == FeedbackKind.positional))
    standard = Rules(game.pegs, game.colors, blanks=game.blanks)
    guess, secret = data.draw(codes(game)), data.draw(codes(game, secret=True))

    marks = score(guess, secret, game)

    assert score(guess, secret, standard) == (marks.black, marks.white)


@given(st.data())
def test_feedback_written_is_read_back_and_so_is_its_label(data: st.DataObject) -> None:
    game = data.draw(rules())
    feedback = score(data.draw(codes(game)), data.draw(codes(game, secret=True)), game)

    assert feedback == parse_feedback(format_feedback(feedback), game)
    assert feedback == from_label(label_of(feedback, game), game)


@pytest.mark.parametrize(
    "text",
    [
        "XXO",
        "OXX",
        "xxo",
        "XX O",
        "2 1",
        "2,1",
        "2, 1",
        "2-1",
        "2b1w",
        "2B 1W",
        "2A1B",
        "2a1b",
        "●●○",
        "⚫⚫⚪",
    ],
)
def test_every_notation_of_two_black_and_one_white_is_read(text: str) -> None:
    assert Feedback(2, 1) == parse_feedback(text, Rules())


@pytest.mark.parametrize("text", ["-", "rien", "none", "None", "0", "0 0", "0,0", "0b0w", "0A0B"])
def test_every_notation_of_nothing_is_read(text: str) -> None:
    assert Feedback(0, 0) == parse_feedback(text, Rules())


@pytest.mark.parametrize(
    ("text", "marks"), [("XO.", (2, 1, 0)), ("210", (2, 1, 0)), ("🟩🟨⬛", (2, 1, 0)), ("none", (0, 0, 0))]
)
def test_positional_marks_are_read(text: str, marks: tuple[int, ...]) -> None:
    assert Marks(marks) == parse_feedback(text, Rules.parse("3x6/positional"))


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("3 1", "4x6", "3 black and 1 white cannot be"),
        ("XXXO", "4x6", "3 black and 1 white cannot be"),
        ("4 1", "4x6", "5 marks"),
        ("XXXXX", "4x6", "5 marks"),
        ("2", "4x6", "write XXO"),
        ("", "4x6", "write XXO"),
        ("hello", "4x6", "'hello' is not a feedback"),
        ("1 1", "4x6/black", "black only"),
        ("5", "4x6/black", "5 marks"),
        ("XX", "3x6/positional", "one mark for each"),
        ("XXO", "3x6/positional", "2 black and 1 white cannot be"),
        ("2 1 5", "3x6/positional", "one mark for each"),
    ],
)
def test_feedback_that_cannot_be_is_refused_in_words(text: str, game: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_feedback(text, Rules.parse(game))


def test_three_black_and_one_white_can_be_under_membership() -> None:
    game = Rules.parse("4x6/membership")

    assert Feedback(3, 1) == score((0, 0, 0, 0), (0, 0, 0, 1), game)
    assert Feedback(3, 1) == parse_feedback("3 1", game)


@pytest.mark.parametrize(
    ("game", "expected"),
    [("4x6", 14), ("5x8", 20), ("4x6/black", 5), ("4x6/membership", 15), ("3x6/positional", 24)],
)
def test_the_number_of_feedbacks_of_a_board(game: str, expected: int) -> None:
    feedbacks: list[AnyFeedback] = all_feedbacks(Rules.parse(game))

    assert expected == len(feedbacks) == len(set(feedbacks))


BOARDS = {kind: "3x4/shapes=2" if kind == FeedbackKind.grand else f"3x4/{kind.name}" for kind in FeedbackKind}


@pytest.mark.parametrize("kind", FeedbackKind)
def test_a_kind_agrees_with_itself(kind: FeedbackKind) -> None:
    about, game = kind.about, Rules.parse(BOARDS[kind])
    feedbacks = all_feedbacks(game)

    assert about.count(game) - len(feedbacks) == (kind == FeedbackKind.grand)  # 2 black, 1 white cannot be
    assert win_feedback(game) == from_label(game.win_label, game) == feedbacks[-1]
    for feedback in feedbacks:
        assert type(feedback) is about.answer
        assert feedback == parse_feedback(format_feedback(feedback), game)
        assert feedback == parse_feedback(about.word(feedback), game)
        assert feedback == check_feedback(list(feedback), game)
        assert about.said(feedback).startswith(f"{feedback.black} black, {feedback.white} white")
    assert all([about.summary, about.wanted, about.notation, about.examples])


@pytest.mark.parametrize("method", Method)
def test_a_method_refuses_the_kinds_that_it_does_not_know_and_names_the_others(method: Method) -> None:
    known = [kind for kind in FeedbackKind if method in kind.about.methods]
    for kind in FeedbackKind:
        game = Rules.parse(BOARDS[kind])
        if kind in known:
            check_known(game, method)
            continue
        with pytest.raises(InputError) as refused:
            check_known(game, method)
        sentence = str(refused.value)

        assert f" feedback, not that of {game}" in sentence
        assert all(other.name in sentence for other in known)


def test_a_method_that_knows_several_kinds_names_them_in_a_list_and_says_what_else_to_do() -> None:
    sentences = []
    for method in (Method.chains, Method.dichotomy):
        with pytest.raises(InputError) as refused:
            check_known(Rules.parse("3x4/shapes=2"), method)
        sentences.append(str(refused.value))

    assert sentences == [
        "chains know standard, black and membership feedback, not that of 3x4/shapes=2: list its codes instead",
        "dichotomy plays under standard feedback, not that of 3x4/shapes=2",
    ]


@pytest.mark.parametrize("kind", FeedbackKind)
def test_the_unchecked_score_is_the_checked_one(kind: FeedbackKind) -> None:
    game = Rules.parse(BOARDS[kind])

    assert score_trusted((0, 1, 3), (1, 1, 2), game) == score((0, 1, 3), (1, 1, 2), game)


@pytest.mark.parametrize(
    ("given_feedback", "game", "expected"),
    [
        ("XXO", "4x6", Feedback(2, 1)),
        ([2, 1], "4x6", Feedback(2, 1)),
        (np.array([2, 1]), "4x6", Feedback(2, 1)),
        (Feedback(np.int64(2), np.int64(1)), "4x6", Feedback(2, 1)),  # type: ignore[arg-type]
        ((2,), "4x6/black", Feedback(2, 0)),
        ((2, 0), "4x6/black", Feedback(2, 0)),
        ((2, 1, 0), "3x6/positional", Marks((2, 1, 0))),
        ("XO~", "4x6/shapes=2", GrandFeedback(1, 1, 1)),
    ],
)
def test_feedback_is_taken_as_text_or_numbers_and_made_plain(
    given_feedback: Any, game: str, expected: AnyFeedback
) -> None:
    found = check_feedback(given_feedback, Rules.parse(game))

    assert (found, type(found)) == (expected, type(expected))
    assert {type(number) for number in found} == {int}


def test_feedback_that_is_plain_already_is_returned_itself() -> None:
    feedback = Feedback(2, 1)

    assert check_feedback(feedback, Rules()) is feedback


@pytest.mark.parametrize(
    ("given_feedback", "game", "sentence"),
    [
        (7, "4x6", "7 does not fit 4x6: the feedback is a number of black and of white pegs"),
        ((1,), "4x6", "(1,) does not fit 4x6: the feedback is a number of black and of white pegs"),
        (np.array(5), "4x6", "array(5) does not fit 4x6: the feedback is a number of black and of white pegs"),
        (
            np.array([[2, 1]]),
            "2x6/positional",
            "array([[2, 1]]) does not fit 2x6/positional: the feedback is a mark for each peg",
        ),
        ((1, 2, 3), "4x6", "(1, 2, 3) does not fit 4x6: the feedback is a number of black and of white pegs"),
        ({1, 2}, "4x6", "{1, 2} does not fit 4x6: the feedback is a number of black and of white pegs"),
        ({0, 1, 2}, "3x6/positional", "{0, 1, 2} does not fit 3x6/positional: the feedback is a mark for each peg"),
        ((1, "a"), "4x6", "a number of (1, 'a') is 'a'; it must be a whole number"),
        ((True, 1), "4x6", "a number of (True, 1) is True; it must be a whole number"),
        (
            "hello",
            "5x6/positional",
            "'hello' is not a feedback: write one mark for each of the 5 pegs, X in place, O elsewhere, . none",
        ),
    ],
)
def test_what_is_wrong_with_feedback_is_said_in_one_sentence(given_feedback: Any, game: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        check_feedback(given_feedback, Rules.parse(game))

    assert str(refused.value) == sentence


def test_feedback_to_be_read_must_be_text() -> None:
    with pytest.raises(InputError) as refused:
        parse_feedback(5, "4x6")  # type: ignore[arg-type]

    assert str(refused.value) == "the feedback is 5; it must be text"


@pytest.mark.parametrize(
    ("feedback", "text"),
    [
        ((2, 1), "XXO"),
        ([0, 0], "-"),
        ((14, 3), "14b3w"),
        (Feedback(np.int64(2), np.int64(1)), "XXO"),  # type: ignore[arg-type]
        (Marks((2, 1)), "XO"),
        (Marks((2, 1, 0)), "XO."),
        (GrandFeedback(1, 1, 1), "XO~"),
    ],
)
def test_feedback_of_every_kind_is_written_by_its_marks(feedback: Any, text: str) -> None:
    assert format_feedback(feedback) == text


@pytest.mark.parametrize(
    ("feedback", "quoted"),
    [
        (5, "5"),
        ("XX", "'XX'"),
        ((1, 2, 3), "(1, 2, 3)"),
        ((-1, 2), "Feedback(black=-1, white=2)"),
        ((1.5, 2), "Feedback(black=1.5, white=2)"),
        (Marks((3, 0)), "Marks((3, 0))"),
    ],
)
def test_what_is_no_feedback_under_any_rules_is_not_written(feedback: Any, quoted: str) -> None:
    with pytest.raises(InputError) as refused:
        format_feedback(feedback)

    assert str(refused.value) == f"{quoted} is not a feedback: write Feedback(black, white), or Marks"
