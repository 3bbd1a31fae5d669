"""Questions asked all at once, against all sets of questions, and against published formulas."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations, count, product

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import naive
from entropeg import Position, Rules, StrategyTree, cli, codebreakers, play
from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.kernels.apart import find_apart, parts_with_each
from entropeg.rules import FeedbackKind
from entropeg.search import static as module
from entropeg.search import static_questions
from entropeg.search.columns import PegColumns, is_by_pegs
from entropeg.search.results import Value
from entropeg.search.static import _StaticSearch, good_questions
from entropeg.signals import INTERRUPTED
from strategies import rules as drawn_rules


def fewest_by_trying(rules: Rules) -> int:
    """The size of the smallest of all sets of guesses whose answers differ for any two secrets."""
    every, codes = list(guesses(rules)), list(secrets(rules))
    rows = [[naive.score(rules.kind, guess, code) for code in codes] for guess in every]
    for size in count():
        for chosen in combinations(rows, size):
            if len(set(zip(*chosen, strict=True))) == len(codes) or len(codes) == 1:
                return size
    raise AssertionError


@given(drawn_rules(max_codes=16, max_pegs=4, max_colors=4))
def test_no_set_of_fewer_questions_tells_all_secrets_apart(rules: Rules) -> None:
    found = static_questions(rules).check()

    assert found.is_exact
    assert Value(fewest_by_trying(rules), len(found.questions)) == found.value


@pytest.mark.parametrize("board", ["3x3", "3x3/black", "4x2", "3x3/positional", "2x5", "2x5/no-repeats"])
def test_boards_of_up_to_27_codes(board: str) -> None:
    assert fewest_by_trying(Rules.parse(board)) == len(static_questions(board).check().questions)


@given(st.data(), st.integers(1, 5), st.integers(2, 7), st.integers(2, 4))
def test_the_kernels_do_as_they_say_with_any_labels(data: st.DataObject, rows: int, size: int, width: int) -> None:
    each = st.lists(st.integers(0, width - 1), min_size=size, max_size=size)
    labels = np.array(data.draw(st.lists(each, min_size=rows, max_size=rows)), np.uint16)
    group = np.array(data.draw(st.lists(st.integers(0, size - 1), min_size=size, max_size=size)), np.int64)
    parts = np.zeros(rows, np.int64)
    parts_with_each(labels, group, width, parts)

    assert [len(set(zip(group.tolist(), row.tolist(), strict=True))) for row in labels] == parts.tolist()

    number, fixed = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 2))
    given = list(range(min(fixed, max(number - 2, 0), rows)))
    following = [row for row in range(len(given), rows) if data.draw(st.booleans())]
    sets = [{*given, *rest} for rest in combinations(following, number - len(given))]
    expected = [one for one in sets if len(set(zip(*labels[list(one)].tolist(), strict=True))) == size]
    # What fewer of those that follow tell apart is no matter: the search asks only once fewer are not enough.
    some = [{*given, *rest} for rest in combinations(following, max(number - len(given) - 1, 0))]
    if number > 1 and any(len(set(zip(*labels[list(one)].tolist(), strict=True))) == size for one in some if one):
        return
    chosen = np.array([*given, *[0] * (number - len(given))], np.int64)
    across, counts, stop = np.ascontiguousarray(labels.T), np.zeros(1, np.int64), np.zeros(1, np.int64)
    asked = np.array(following, np.int64)

    found = find_apart(labels, across, asked, len(given), width, chosen, counts, stop)

    assert bool(expected) == found
    assert not found or set(chosen.tolist()) in expected


# ------------------------------------------------------------------ peg by peg


@pytest.mark.parametrize("board", ["2x2", "2x3", "2x4", "3x2", "3x3", "4x2", "5x2"])
def test_columns_and_questions_say_the_same(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse(f"{board}/black")

    assert is_by_pegs(rules)

    by_pegs = static_questions(rules).check().value
    monkeypatch.setattr(module, "is_by_pegs", lambda _: False)

    assert Value(fewest_by_trying(rules), by_pegs.upper) == static_questions(rules).check().value == by_pegs


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_sums_of_columns_are_answers(pegs: int, colors: int, data: st.DataObject) -> None:
    rules = Rules(pegs, colors, feedback=FeedbackKind.black)
    number = data.draw(st.integers(max(colors - 1, 1), 5 if colors < 4 else colors))
    columns = PegColumns(rules, number)
    picked = [data.draw(st.integers(0, len(columns.colors) - 1)) for _ in range(pegs)]
    questions = [tuple(map(int, row)) for row in columns.colors[picked].T]
    answers = {tuple(naive.score(rules.kind, one, code) for one in questions) for code in secrets(rules)}
    chosen, counts, stop = np.array(picked, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64)
    rows = np.array(picked[-1:], np.int64)
    # All but the last are given: whether the last can follow is whether all answers differ.
    found = columns._search(0, chosen, pegs - 1, rows, counts, 1 << 62, stop)

    assert (len(answers) == len(secrets(rules))) == bool(found)


def test_columns_are_all_ways_to_sort_questions_into_all_colors_or_all_but_one() -> None:
    for number in range(1, 7):
        for colors in range(2, 5):
            ways = {
                tuple(dict(zip(dict.fromkeys(way), count(), strict=False))[color] for color in way)
                for way in product(range(colors), repeat=number)
                if len(set(way)) >= colors - 1
            }
            listed = PegColumns(Rules(2, colors, feedback=FeedbackKind.black), number).colors.tolist() if ways else []

            assert sorted(ways) == [tuple(row) for row in listed]


@pytest.mark.parametrize(("pegs", "fewest"), [(2, 2), (4, 4), (5, 4), (6, 5), (8, 6), (9, 7), (10, 7), (13, 8)])
def test_one_question_fewer_is_never_found(pegs: int, fewest: int) -> None:
    # Control: with the fewest questions a set is found, with one fewer none, with and without the ranks of triples.
    rules, counts, stop = Rules.parse(f"{pegs}x2/black"), np.zeros(1, np.int64), np.zeros(1, np.int64)

    assert PegColumns(rules, fewest).find(counts, stop)

    fewer = PegColumns(rules, fewest - 1)

    assert () == fewer.find(counts, stop)

    fewer.roots = [(0, *root[1:]) for root in fewer.roots]

    assert () == fewer.find(counts, stop)


# ------------------------------------------------------------------ what is published

HYPERCUBE = (1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8)
"""OEIS A303735, the metric dimension of the hypercube: marks for places only, two colors; all 13 terms."""


@pytest.mark.parametrize(("pegs", "questions"), [*enumerate(HYPERCUBE, start=1)])
def test_two_colors_and_black_marks_are_the_metric_dimension_of_the_hypercube(pegs: int, questions: int) -> None:
    assert Value(questions, questions) == static_questions(f"{pegs}x2/black").check().value


PUBLISHED = {
    # Goddard: black and white, two and three pegs; the last guess is counted there.
    **{f"2x{c}": -(-2 * c // 3) + 1 - 1 for c in (3, 4, 5, 6, 7, 8)},
    **{f"3x{c}": c - 1 for c in (4, 5)},
    # COCOA 2016 (two pegs), Jäger and Drewes 2018 (three): black only; the last guess is counted.
    **{f"2x{c}/black": -(-(4 * c - 1) // 3) - 1 for c in (3, 4, 5, 6, 7, 8, 9)},
    **{f"3x{c}/black": 3 * c // 2 + 1 - 1 for c in (2, 3, 4, 5, 6)},
    # Drewes and Jäger 2022, arXiv 2210.04652: the same without repeats.
    **{f"2x{c}/black/no-repeats": -(-4 * c // 3) - 1 - 1 for c in (3, 4, 5, 6, 7, 8)},
    **{f"3x{c}/black/no-repeats": (3 * c - 1) // 2 - 1 for c in (4, 5, 6)},
}


@pytest.mark.parametrize(("board", "questions"), PUBLISHED.items())
def test_published_formulas_hold(board: str, questions: int) -> None:
    assert Value(questions, questions) == static_questions(board).check().value


def test_4x4_takes_four_questions_and_three_are_not_enough() -> None:
    assert Value(4, 4) == static_questions("4x4").check().value


@pytest.mark.parametrize(("board", "questions"), [("4x4/black", 7), ("4x5/black", 8), ("5x3/black", 5)])
def test_black_marks_of_four_pegs_and_more(board: str, questions: int) -> None:
    assert Value(questions, questions) == static_questions(board).check().value


@pytest.mark.long
def test_5x4_takes_five_questions_and_four_are_not_enough() -> None:
    # Three seconds of the processor.
    assert Value(5, 5) == static_questions("5x4").check().value


# ------------------------------------------------------------------ controls, limits, wrong input


def test_questions_that_do_not_tell_all_apart_are_refused() -> None:
    found = static_questions("3x3")
    with pytest.raises(AssertionError, match="27 secrets have"):
        replace(found, questions=found.questions[:-1]).check()


def test_a_search_that_leaves_questions_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Control: with the last questions alone, which are of one color each, more seem to be needed.
    run = _StaticSearch._is_apart
    monkeypatch.setattr(_StaticSearch, "greedy", lambda self: list(range(len(self.labels))))
    monkeypatch.setattr(_StaticSearch, "enough", lambda _, chosen: chosen)

    assert static_questions("3x3").value.lower == fewest_by_trying(Rules.parse("3x3"))

    monkeypatch.setattr(_StaticSearch, "_is_apart", lambda self, first, rows: run(self, first, rows[-3:]))

    assert static_questions("3x3").value.lower > fewest_by_trying(Rules.parse("3x3"))


def test_time_and_ctrl_c_leave_bounds_and_questions() -> None:
    short = static_questions("4x6", time=0).check()

    assert short.value.upper is not None
    assert short.value.lower < short.value.upper == len(short.questions)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    stopped = static_questions("5x5", progress=stop).check()

    assert stopped.is_interrupted
    assert not stopped.is_exact
    assert "interrupted" in str(stopped)


def test_large_boards_draw_the_questions_that_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 1000)

    assert 6 == len(static_questions("3x4/black").check().questions)


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(TooLargeError):
        static_questions("8x12")
    with pytest.raises(InputError, match="hard rules"):
        static_questions("3x3/hard")
    with pytest.raises(InputError, match="static asks 0 to 1,000 questions"):
        codebreakers.get("static:-1")


# ------------------------------------------------------------------ the codebreaker


@pytest.mark.parametrize("board", ["3x4", "4x4", "3x3/black", "3x4/no-repeats"])
def test_the_codebreaker_names_every_secret_after_its_questions(board: str) -> None:
    questions = good_questions(Rules.parse(board), 0)

    assert StrategyTree.build("static", board).worst <= len(questions) + 1


def test_it_asks_the_same_in_every_game() -> None:
    asked = good_questions(Rules.parse("4x6"), 3)
    for seed in range(5):
        game = play("static:3", "honest", "4x6", seed=seed)

        assert asked[:2] == tuple(turn.guess for turn in game.turns[:2])
        assert asked[2] == game.turns[2].guess or 1 == len(Position("4x6", game.turns[:2]).candidates)


def test_more_questions_than_there_are_guesses_are_asked_all_the_same() -> None:
    assert CodeSet.of(good_questions(Rules.parse("2x2"), 7), "2x2")
    assert "won" == play("static:7", "honest", "2x2", seed=1).outcome


def test_contradictions_are_refused() -> None:
    with pytest.raises(InputError):
        codebreakers.get("static:1").guess(Position("3x3", ["AAA XXX", "BBB XXX"]), np.random.default_rng(1))


# ------------------------------------------------------------------ as it is typed


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["static", *arguments], prog_name="entropeg")


def test_it_is_told() -> None:
    result = typed("3x4")

    assert 0 == result.exit_code
    assert "3x4: questions asked at once = 3, and the guess that names the secret" in result.output


def test_json_holds_the_questions() -> None:
    found = json.loads(typed("3x4", "--json").output)

    assert (3, 3, True) == (found["lower"], found["upper"], found["exact"])
    assert 3 == len(found["texts"])


def test_ctrl_c_is_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_StaticSearch, "_tell", _StaticSearch._interrupt)
    result = typed("5x5")

    assert INTERRUPTED == result.exit_code
    assert "interrupted before the proof was complete" in result.output
