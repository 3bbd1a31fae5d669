"""Grand Mastermind: pegs with a color and a shape, three kinds of mark; and its kernels against brute force."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import cli, codebreakers, codemakers, kernels
from entropeg.codes import format_code, guesses, parse_code, score, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.experiments.match import Match
from entropeg.experiments.runner import arena
from entropeg.feedback import (
    AnyFeedback,
    Feedback,
    GrandFeedback,
    check_feedback,
    format_feedback,
    from_label,
    label_of,
    parse_feedback,
    win_feedback,
)
from entropeg.game import Game
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import FeedbackKind, Rules
from entropeg.search.bounds import feedback_count
from entropeg.search.onestep import choosing
from entropeg.search.onestep.choice import TurnRule
from entropeg.tree import StrategyTree
from strategies import all_feedbacks

SMALL = Rules.parse("3x4/shapes=2")
Pair = tuple[str, str]


def brute_force(guess: list[Pair], secret: list[Pair]) -> tuple[int, int, int]:
    """Mark each pair once: right in place, else right elsewhere, else half right in place."""
    marks = ["black" if one == other else "" for one, other in zip(guess, secret, strict=True)]
    free = [pair for pair, mark in zip(secret, marks, strict=True) if not mark]
    for peg, pair in enumerate(guess):
        if not marks[peg] and pair in free:
            free.remove(pair)
            marks[peg] = "white"
    for peg, (one, other) in enumerate(zip(guess, secret, strict=True)):
        if not marks[peg] and (one[0] == other[0]) + (one[1] == other[1]) == 1:
            marks[peg] = "blue"
    return marks.count("black"), marks.count("white"), marks.count("blue")


def pairs(code: tuple[int, ...], rules: Rules) -> list[Pair]:
    return [(text[0], text[1:]) for text in format_code(code, rules).split("-")]


@pytest.mark.parametrize("board", ["3x4/shapes=2", "2x6/shapes=3", "2x6/shapes=2", "3x3/shapes=3", "3x3/shapes=1"])
def test_every_pair_of_codes_is_scored_as_brute_force_does(board: str) -> None:
    rules = Rules.parse(board)
    every = secrets(rules)
    labels = kernels.score_many(rules.kind, every.planes, every.planes, every.counts)
    for place, guess in enumerate(every):
        marks = [brute_force(pairs(guess, rules), pairs(code, rules)) for code in every]
        expected: list[AnyFeedback] = [GrandFeedback(*each) for each in marks]

        assert expected == [score(guess, code, rules) for code in every]
        assert expected == [from_label(label, rules) for label in every.score(guess).tolist()]
        assert labels[place].tolist() == every.score(guess).tolist()
        assert [expected.count(from_label(x, rules)) for x in range(rules.label_count)] == every.part_sizes(every)[
            place
        ].tolist()


@pytest.mark.parametrize(
    ("guess", "secret", "marks"),
    [
        ("A1 B2 C3 D4", "A1 B2 C3 D4", (4, 0, 0)),
        ("A1 E5 E5 E5", "A1 B2 C3 D4", (1, 0, 0)),
        ("E5 A1 E5 E5", "A1 B2 C3 D4", (0, 1, 0)),
        ("A5 E1 E5 E4", "A1 B2 C3 D4", (0, 0, 2)),
        ("A1 C3 B4 D5", "A1 B2 C3 D4", (1, 1, 1)),
        ("A1 A2 A1 A3", "A2 A1 B1 B3", (0, 2, 2)),
    ],
)
def test_marks_of_whole_guesses(guess: str, secret: str, marks: tuple[int, int, int]) -> None:
    rules = Rules.parse("grand")

    assert marks == score(parse_code(guess, rules), parse_code(secret, rules), rules)


def test_the_board_of_the_shop_has_390625_codes_and_ten_rows() -> None:
    rules = Rules.parse("grand")

    assert (25**4, 10, "4x25/shapes=5/limit=10") == (rules.secret_count, rules.guess_limit, str(rules))
    assert "A1-B2-E5-C3" == format_code(parse_code("A1B2e5 C3", rules), rules)
    assert Rules.parse(str(rules)) == rules
    assert "each of 5 colors (letters) and 5 shapes (numbers)" in rules.describe()


def test_labels_and_texts_of_feedback_are_read_back() -> None:
    rules = Rules.parse("grand")
    for feedback in all_feedbacks(rules):
        assert feedback == from_label(label_of(feedback, rules), rules)
        assert feedback == parse_feedback(format_feedback(feedback), rules)
    assert rules.win_label == label_of(win_feedback(rules), rules) == 4 * 25
    for text in ("XO~", "1 1 1", "1,1,1", "1b1w1h", "~XO", "●○🔵"):
        assert GrandFeedback(1, 1, 1) == parse_feedback(text, rules)
    assert GrandFeedback(0) == parse_feedback("-", rules)


def test_feedback_that_cannot_be_is_refused() -> None:
    for feedback, message in [
        (GrandFeedback(2, 1, 2), "5 marks; a guess has 4 pegs"),
        (GrandFeedback(3, 1), "3 black and 1 white cannot be"),
        (GrandFeedback(0, 0, -1), "cannot be negative"),
    ]:
        with pytest.raises(InputError, match=message):
            check_feedback(feedback, Rules.parse("grand"))
    with pytest.raises(InputError, match="a number of black, of white and of blue pegs"):
        check_feedback(Feedback(1), Rules.parse("grand"))
    with pytest.raises(InputError, match="a number of black and of white pegs"):
        check_feedback(GrandFeedback(1), Rules.parse("4x6"))
    with pytest.raises(InputError, match="write XXO~"):
        parse_feedback("?", Rules.parse("grand"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4x24/shapes=5", "24 pairs cannot be shared among 5 shapes: 4x25/shapes=5"),
        ("4x25/shapes=5/black", "leave black or the shapes out"),
        ("4x25/shapes=0", "grand feedback needs shapes"),
        ("4x25/shapes=5/blanks", "blanks do not go with shapes"),
        ("4x25/shapes=5/digits", "an alphabet does not go with shapes"),
        ("4x25/grand", "'grand' is not an option"),
        ("4x54/shapes=2", "27 colors of each shape are too many"),
    ],
)
def test_rules_that_exclude_each_other_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Rules.parse(text)


def test_every_feedback_that_occurs_is_counted_and_legal() -> None:
    occurring = {score(guess, code, SMALL) for guess in secrets(SMALL) for code in secrets(SMALL)}

    assert occurring <= set(all_feedbacks(SMALL))
    assert len(occurring) <= feedback_count(SMALL) == comb(6, 3)


def test_candidates_are_those_of_brute_force() -> None:
    turns = [(guess, score(guess, (0, 3, 2), SMALL)) for guess in ((0, 1, 1), (2, 0, 3))]
    expected = [
        code
        for code in product(range(4), repeat=3)
        if all(brute_force(pairs(guess, SMALL), pairs(code, SMALL)) == marks for guess, marks in turns)
    ]

    assert expected == list(Position(SMALL, turns).candidates)
    assert expected


@pytest.mark.parametrize("name", ["minimax", "sorted-minimax", "expected-size", "entropy", "parts"])
def test_one_step_guesses_are_those_of_brute_force(name: str) -> None:
    def cost(part: Partition) -> object:
        sizes = sorted(part.sizes.values(), reverse=True)
        costs = {
            "minimax": part.largest,
            "sorted-minimax": sizes,
            "expected-size": part.expected_size,
            "entropy": round(-part.bits, 9),
            "parts": -part.parts,
        }
        return costs[name]

    start = Position(SMALL)
    for position in (start, start.after((0, 1, 3), GrandFeedback(0, 1, 1)), start.after((0, 0, 0), GrandFeedback(1))):
        found = {guess: cost(Partition.of(position.candidates, guess)) for guess in guesses(SMALL)}
        best = [guess for guess, value in found.items() if value == min(found.values())]  # type: ignore[type-var]
        expected = next((guess for guess in best if guess in position.candidates), best[0])

        assert expected == codebreakers.get(name).guess(position, np.random.default_rng(0))


@pytest.mark.parametrize(
    "name",
    ["random", "memory", "consistent", "first-consistent", "minimax", "entropy", "parts", "decoder", "decoder:full"],
)
def test_every_strategy_wins(name: str) -> None:
    for seed in range(3):
        game = play(codebreakers.get(name), codemakers.get("honest"), SMALL, seed)
        assert ("won", game.turns) == (game.outcome, Game.from_text(game.to_text()).turns)


@pytest.mark.parametrize("breaker", ["random", "memory", "consistent", "entropy", "decoder"])
def test_the_arena_plays_as_the_loop_does(breaker: str) -> None:
    for maker in ("honest", "cheat", "biased"):
        match = Match(breaker, maker, SMALL, seed=2)
        (run,) = arena(breaker, maker, SMALL, games=5, seed=2, jobs=1)
        assert [len(match.play(game)) for game in range(5)] == run.guesses.tolist()


def test_a_tree_finds_every_secret() -> None:
    tree = StrategyTree.build("entropy", SMALL)
    lengths = [
        len(play(codebreakers.get("entropy"), codemakers.get(f"honest:{format_code(code, SMALL)}"), SMALL, 0))
        for code in secrets(SMALL)
    ]

    assert sum(lengths) == tree.check().total


def test_the_board_of_the_shop_is_broken() -> None:
    rules = Rules.parse("grand")
    for name in ("consistent", "decoder"):
        assert play(codebreakers.get(name), codemakers.get("honest"), rules, 1).outcome == "won"


def test_too_many_pairs_are_thinned_out_at_even_distances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MOST_GRAND_PAIRS", 100)
    monkeypatch.setattr(choosing, "MOST_JUDGES", 16)
    start = Position(SMALL)
    guess = choosing.weighed_guess(start, TurnRule("entropy"), 0)
    judges, pool = secrets(SMALL)[::4], guesses(SMALL)[::11]
    bits = {code: round(Partition.of(judges, code).bits, 9) for code in pool}

    assert guess == max(bits, key=lambda code: (bits[code], code in start.candidates))


def test_what_shapes_do_not_allow_is_said() -> None:
    with pytest.raises(InputError, match="dichotomy plays under standard feedback"):
        play(codebreakers.get("dichotomy"), codemakers.get("honest"), SMALL, 1)
    with pytest.raises(TooLargeError, match="too many to list"):
        play(codebreakers.get("consistent"), codemakers.get("honest"), Rules.parse("9x25/shapes=5"), 1)
    assert SMALL.feedback == FeedbackKind.grand


def test_the_command_line_plays_shapes() -> None:
    def run(*arguments: str, lines: str = "") -> str:
        return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg").output

    assert "XO~  1 black, 1 white, 1 blue" in run("score", "A1C3B4D5", "A1B2C3D4", "--rules=grand")
    assert "4 codes are left" in run("candidates", "2x4/shapes=2", "A1A2 X~")
    assert "entropy" in run("arena", "entropy", "honest", "--rules=3x4/shapes=2", "--games=5", "--jobs=1")
    assert "turn 1: I guess" in run("break", "--rules=3x4/shapes=2", "--seed=1", lines="XO~\nquit\n")
    assert "A1-A2-B1" in run("play", "--rules=3x4/shapes=2", "--seed=1", lines="A1A2B1\nquit\n")
