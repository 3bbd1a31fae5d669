"""Games to be looked at, hints one after the other, and puzzles by number, against the rooms that they stand on."""

from __future__ import annotations

from itertools import islice, product

import pytest

from entropeg import Position, play
from entropeg.advise.ladder import HintKind, HintLadder, HintStep
from entropeg.errors import ContradictionError, InputError
from entropeg.experiments.watched import watch
from entropeg.feedback import score_trusted
from entropeg.position import format_turn
from entropeg.train import puzzles
from entropeg.train.puzzle_series import PuzzleSeries


@pytest.mark.parametrize(
    ("codebreaker", "codemaker", "rules"),
    [
        ("consistent", "honest", "4x6"),
        ("minimax", "cheat", "3x4"),
        ("random", "honest:ABC", "3x4/limit=3"),
        ("consistent", "honest", "4x6/positional"),
        ("consistent", "biased", "3x4/prior=distinct"),
    ],
)
def test_a_watched_game_is_the_game_of_play(codebreaker: str, codemaker: str, rules: str) -> None:
    game = play(codebreaker, codemaker, rules, seed=5)

    seen = watch(codebreaker, codemaker, rules, seed=5)

    assert game.turns == tuple(turn.turn for turn in seen.turns)
    assert (game.secret, game.outcome) == (seen.secret, seen.state)
    position = Position(rules)
    for turn in seen.turns:
        assert turn.before == len(position.candidates)
        position = position.after(*turn.turn)
        assert turn.after == len(position.candidates)
        assert sum(answer.codes for answer in turn.answers) == turn.before
        assert pytest.approx(1) == sum(answer.chance for answer in turn.answers)


def test_a_watched_game_may_be_cut_and_keeps_its_secret() -> None:
    whole = watch("consistent", "honest", "4x6", seed=9)

    cut = watch("consistent", "honest", "4x6", seed=9, turns=2)

    assert (whole.turns[:2], whole.secret) == (cut.turns, cut.secret)
    assert (cut.is_cut, cut.state, whole.is_cut) == (True, "open", False)


def test_a_watched_game_without_time_has_a_turn_and_no_parts() -> None:
    game = watch("consistent", "honest", "4x6", seed=9, seconds=0)

    (turn,) = game.turns
    assert (None, None, None, []) == (turn.before, turn.after, turn.chance, turn.answers)
    assert f"{format_turn(turn.turn, game.rules).replace(' ', ' got ')}." == turn.says


def test_boards_that_nobody_lists_are_watched_by_samples() -> None:
    game = watch("sampling", "honest", "8x12", seed=2, turns=1)

    (turn,) = game.turns
    assert (2000, None, None) == (turn.sample, turn.before, turn.after)
    assert sum(answer.codes for answer in turn.answers) == 2000
    assert "by a sample of 2,000 codes" in turn.says


def steps_of(rules: str, turns: list[str], guess: str | None = None) -> dict[HintKind, HintStep]:
    return {step.kind: step for step in HintLadder.of(Position(rules, turns), guess, seconds=0.3).steps}


def test_hints_lead_from_the_codes_left_to_the_guess() -> None:
    steps = steps_of("4x6", ["AABB XO"])

    assert list(steps) == [HintKind.left, HintKind.kind, HintKind.shape, HintKind.guess, HintKind.why]
    assert steps[HintKind.left].says == "208 codes are left."
    assert steps[HintKind.guess].code == steps[HintKind.why].code


@pytest.mark.parametrize(
    ("rules", "turns", "expected"),
    [
        ("3x4", ["AAB XX"], "A must be in the code, B is in it with 67 %. The best guess may be the secret."),
        ("3x6", ["AAB OO"], "A and B must be in the code. The best guess is none of the codes left."),
        (
            "4x6",
            ["AABB XXO", "CCDD -"],
            "A and B must be in the code, C and D cannot be. The best guess may be the secret.",
        ),
        ("4x6", ["ABCD XO"], "E is in it with 52 %. The best guess may be the secret."),
    ],
)
def test_a_first_hint_tells_what_is_known_of_the_colors(rules: str, turns: list[str], expected: str) -> None:
    assert expected == steps_of(rules, turns)[HintKind.kind].says


def test_hints_on_every_row_in_the_making_say_what_its_completions_say() -> None:
    # Against the slow truth: a row in the making contradicts where no code left begins so.
    position = Position("3x3", ["AAB X", "BCC X"])
    left = list(position.candidates)
    for guess in product("?ABC", repeat=3):
        begun = [None if peg == "?" else "ABC".index(peg) for peg in guess]
        fits = any(all(peg is None or peg == own for peg, own in zip(begun, code, strict=True)) for code in left)

        steps = steps_of("3x3", ["AAB X", "BCC X"], "".join(guess))

        assert (HintKind.contradiction in steps) == (not fits)
        if HintKind.pegs in steps and steps[HintKind.pegs].pegs:
            shown = steps[HintKind.pegs].pegs
            assert not any(all(code[peg] == begun[peg] for peg in shown) for code in left)
        row = steps[HintKind.contradiction].row if not fits else None
        if row is not None:
            turn = position.turns[row]
            whole = [tuple(range(3)) if peg is None else (peg,) for peg in begun]
            answers = [score_trusted(turn.guess, code, position.rules) for code in product(*whole)]
            assert turn.feedback not in answers


@pytest.mark.parametrize("turns", [[], ["AABB XO"], ["AABB XO", "CCDD -", "AEEB XX", "AFBA XO"]])
def test_what_does_not_take_the_best_guess_is_told_without_it(
    turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = HintLadder.of(Position("4x6", turns), "AC??", seconds=0.3)
    monkeypatch.setattr("entropeg.advise.ladder.answer", None)
    first = HintLadder.of(Position("4x6", turns), "AC??", to_the_best=False)

    assert whole.steps[: len(first.steps)] == first.steps
    assert tuple(step.kind for step in whole.steps[len(first.steps) :]) == first.further
    assert (None, ()) == (first.advice, whole.further)


def test_hints_of_the_last_code_are_few_and_of_no_code_none() -> None:
    steps = steps_of("4x6", ["AABB XO", "CCDD -", "AEEB XX", "AFBA XO"])

    assert list(steps) == [HintKind.left, HintKind.guess, HintKind.why]
    with pytest.raises(ContradictionError):
        steps_of("4x6", ["AABB XXX", "AABB -"])
    with pytest.raises(InputError, match="the game is won"):
        steps_of("4x6", ["AABB XXXX"])
    with pytest.raises(InputError, match="has 3 pegs"):
        steps_of("4x6", ["AABB X"], "AAB")


def test_a_guess_that_the_rules_allow_as_no_secret_is_told() -> None:
    steps = steps_of("3x4/blanks", [], "A..")

    assert steps[HintKind.contradiction].says == "The rules allow no secret A..."


def test_puzzles_by_number_are_those_drawn_one_after_the_other() -> None:
    drawn = list(islice(puzzles("4x6", seed=3), 4))
    series = PuzzleSeries("4x6", seed=3)

    assert [series[number] for number in (4, 2, 1, 3)] == [drawn[place] for place in (3, 1, 0, 2)]
    assert series.find(2) == 2
    hard = series.find(least=0.4)
    assert all((drawn[place].difficulty or 0) < 0.4 for place in range(min(hard - 1, 4)))
    assert (series[hard].difficulty or 0) >= 0.4
    easy = PuzzleSeries("3x4", "deduce", seed=1)
    assert max(easy[number].difficulty or 0 for number in range(1, 6)) <= (easy[easy.find(least=1)].difficulty or 0) < 1


def test_puzzles_that_are_not_there_are_refused() -> None:
    with pytest.raises(InputError, match="there are only"):
        PuzzleSeries("2x3", "deduce", seed=1)[900]
    with pytest.raises(InputError, match="nobody knows how hard"):
        PuzzleSeries("3x4", "mend", seed=1).find(least=0.9)
    with pytest.raises(InputError, match="it must rise"):
        PuzzleSeries("3x4", "deduce", seed=1).find(least=0.9, most=0.1)
    with pytest.raises(InputError, match="the number of the puzzle"):
        PuzzleSeries("3x4", "deduce", seed=1)[0]
