"""What public functions take: text for rules, players, codes and answers; and what they say of anything else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import entropeg
from entropeg import (
    CodeSet,
    Feedback,
    Game,
    InputError,
    Marks,
    Partition,
    Position,
    Rules,
    StrategyTree,
    check_codebreaker,
    codebreakers,
    codemakers,
    format_code,
    format_feedback,
    optimal,
    parse_code,
    parse_feedback,
    perft,
    play,
    score,
)
from entropeg.arguments import flag, number, whole
from entropeg.codes import secrets
from entropeg.feedback import GrandFeedback
from entropeg.told import quoted


def test_text_is_taken_wherever_a_value_is() -> None:
    rules, code = Rules.parse("4x6"), (0, 0, 1, 1)
    position = Position(rules).after(code, Feedback(1, 1))

    assert (code, "AABB") == (parse_code("AABB", "4x6"), format_code("aabb", "4x6"))
    assert Feedback(1, 1) == parse_feedback("XO", "4x6") == score("AABB", "BACC", "4x6")
    assert position == Position("4x6").after("AABB", "XO") == Position("4x6").after([0, 0, 1, 1], (1, 1))
    assert position == Position("4x6", ["AABB XO"]) == Position("4x6", [("AABB", (1, 1))])
    assert Game("4x6", ["AABB XO"], "BACC") == Game(rules, position.turns, (1, 0, 2, 2))  # type: ignore[arg-type]
    assert Partition.of(position.candidates, "AABB") == Partition.of(position.candidates, code)
    assert secrets("4x6") is secrets(rules)
    assert perft("3x3", 1) == perft(Rules.parse("3x3"), 1)
    assert StrategyTree.build("minimax", "3x3") == StrategyTree.build(codebreakers.get("minimax"), Rules.parse("3x3"))
    check_codebreaker("minimax", "3x3")


def test_a_game_by_names_is_that_of_the_players() -> None:
    named = play("consistent", "honest", "4x6", 7)

    assert play(codebreakers.get("consistent"), codemakers.get("honest"), Rules(), np.int64(7)) == named  # type: ignore[arg-type]


def test_the_tree_of_an_optimum_is_the_strategy_that_it_found() -> None:
    found = optimal("3x4")

    assert found.tree is not None
    assert (found.total, found.worst) == (found.tree.check().total, found.tree.worst)


def test_the_tree_of_an_optimum_on_a_position_begins_there() -> None:
    position = Position("3x4").after("AAB", "X")
    found = optimal(position)
    tree = found.tree

    assert tree is not None
    assert (found.total, found.size) == (tree.check().total, len(tree.turns))
    assert tree.guess(position) == found.opening
    with pytest.raises(InputError, match="begins after AAB X"):
        tree.guess("3x4")


def test_codes_without_weight_are_no_secrets_of_the_tree() -> None:
    found = optimal("3x4", weights={"ABC": 1, "BCD": 2, (0, 0, 0): 1})  # type: ignore[dict-item]

    assert found.tree is not None
    assert [(0, 0, 0), (0, 1, 2), (1, 2, 3)] == list(found.tree.check().secrets)


@pytest.mark.parametrize(
    ("text", "rules"),
    [("XXO", "4x6"), ("2", "4x6/black"), ("XO..", "4x6/positional"), ("XO~", "4x25/shapes=5"), ("-", "4x6")],
)
def test_numbers_are_feedback_as_text_is(text: str, rules: str) -> None:
    feedback = parse_feedback(text, rules)
    after = Position(rules).after(next(iter(secrets(rules.replace("25", "5"))))[:4], feedback)

    assert after == Position(rules).after(after.turns[0].guess, list(feedback))
    assert after == Position(rules).after(after.turns[0].guess, text)


WRONG: list[tuple[Any, str]] = [
    (lambda: Rules(pegs=4.0), "the number of pegs is 4.0; it must be a whole number"),  # type: ignore[arg-type]
    (lambda: Rules(pegs=10**7), "go up to 999999 each"),
    (lambda: Rules(repeats=1), "repeats is 1; it must be True or False"),  # type: ignore[arg-type]
    (lambda: Rules(feedback="blak"), "it must be one of standard, black"),  # type: ignore[arg-type]
    (lambda: Rules(words=["cat"]), "it must be a WordList"),  # type: ignore[arg-type]
    (lambda: Rules.of(4), "the rules are 4; they must be Rules, or text such as 4x6"),  # type: ignore[arg-type]
    (lambda: score((0, 0, 1, 77), "AABB", "4x6"), "is color 77; the colors are 0 to 5"),
    (lambda: score((0, 0, 1), "AABB", "4x6"), "'AAB' has 3 pegs; a code of 4x6 has 4"),
    (lambda: score(np.zeros(4), "AABB", "4x6"), "whole numbers from 0"),
    (lambda: Partition.of(secrets("4x6"), (0, 0, 1, 77)), "is color 77"),
    (lambda: Partition.of([(0, 0)], "AA"), "must be a CodeSet"),  # type: ignore[arg-type]
    (lambda: format_code((0, 0, 1, 6), "4x6"), "leaves peg 4 blank"),
    (lambda: format_feedback("XO"), "is not a feedback"),
    (lambda: format_feedback(Feedback(-1, 1)), "is not a feedback"),
    (lambda: format_feedback(Marks((3,))), "is not a feedback"),
    (lambda: parse_code(None, "4x6"), "the code is None; it must be text"),  # type: ignore[arg-type]
    (lambda: Position("4x6", "AABB XO"), "give a list of them"),
    (lambda: Position("4x6", [("AABB",)]), "is not a guess and its feedback"),  # type: ignore[list-item]
    (lambda: Position("4x6").after("AABB", (True, 0)), "a whole number"),
    (lambda: Position("4x6").after("AABB", Feedback(0.5, 0)), "a whole number"),  # type: ignore[arg-type]
    (lambda: Position("4x6").after("AABB", (1, 1, 1)), "a number of black and of white pegs"),
    (lambda: Position("4x6").after("AABB", GrandFeedback(1)), "a number of black and of white pegs"),
    (lambda: CodeSet.of("AABB", "4x6"), "give a list of them"),
    (lambda: CodeSet("4x6", np.full((4, 1), 77, np.uint8)), "whole numbers below 6, in 4 rows"),
    (lambda: perft("3x3", 1.0), "the depth is 1.0"),  # type: ignore[arg-type]
    (lambda: perft("1x1", 5000), "at most 100"),
    (lambda: play(None, "honest", "4x6"), "None is no codebreaker"),  # type: ignore[arg-type]
    (lambda: play(type(codebreakers.get("minimax")), "honest", "4x6"), "make one of it, as Minimax"),  # type: ignore[arg-type]
    (lambda: play("minimax", "honest", "4x6", seed=-1), "the seed is -1; it must be at least 0"),
    (lambda: play("minimax", "honest", "4x6", on_turn=3), "on_turn is 3; it must be a function"),  # type: ignore[arg-type]
    (lambda: codebreakers.get(3), "the name of the codebreaker is 3"),  # type: ignore[arg-type]
    (lambda: optimal("3x4", threads=10**9), "the number of threads is 1000000000; it must be at most"),
    (lambda: optimal("3x4", time="1"), "the time is '1'; it must be a number"),  # type: ignore[arg-type]
    (lambda: optimal("3x4", checkpoint=7), "the checkpoint is 7; it must be the name of a file"),  # type: ignore[arg-type]
    (lambda: StrategyTree("3x3", [0, 1], [-1, 1], [-1, 0]), "numbered level by level"),
    (lambda: StrategyTree("3x3", [99], [-1], [-1]), "that 3x3 does not have"),
    (lambda: StrategyTree.build("minimax", "3x3").code(99), "the number of the node is 99; it must be at most"),
]


@pytest.mark.parametrize(("call", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_wrong_argument_is_told_in_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(InputError) as raised:
        call()

    assert words in str(raised.value)
    assert 1 == len(str(raised.value).splitlines())


def test_arrays_and_numbers_of_numpy_are_codes() -> None:
    code = np.array([0, 0, 1, 1], np.int16)

    assert Position("4x6").after("AABB", "XO") == Position("4x6").after(code, np.array([1, 1]))  # type: ignore[arg-type]
    assert [0, 0, 1, 1] == code.tolist()


def test_planes_that_are_handed_in_stay_as_they_are() -> None:
    planes = np.zeros((4, 2), np.uint8)
    codes = CodeSet("4x6", planes)

    assert planes.flags.writeable
    assert not codes.planes.flags.writeable


def test_the_package_shows_its_rooms() -> None:
    assert {"codebreakers", "codemakers", "search", "tree", "plots"} <= set(dir(entropeg))
    assert "minimax" in entropeg.codebreakers.names()


@pytest.mark.parametrize("value", [10**10_000, "x" * 1000, np.zeros(1000), object(), "a\nb"], ids=type)
def test_whatever_was_given_is_shown_on_one_short_line(value: object) -> None:
    assert len(quoted(value)) <= 90
    assert "\n" not in quoted(value)


def test_numbers_of_numpy_are_numbers() -> None:
    found = whole(np.uint8(3), "it"), number(np.float32(0.5), "it"), flag(np.True_, "it")

    assert (3, 0.5, True) == found
    assert (int, float, bool) == tuple(map(type, found))
