"""Positions: candidates, the end of the game, contradictions, partitions, and perft."""

from __future__ import annotations

import pickle
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg.candidates import smallest_conflict
from entropeg.codes import CodeSet, parse_code, score, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Feedback, label_of, parse_feedback
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.paths import perft
from strategies import codes, positions, rules

SMALL = {"max_codes": 2000, "max_pegs": 5, "max_colors": 6}


def position_of(rules: str, *turns: str) -> Position:
    game = Rules.parse(rules)
    pairs = [turn.split(maxsplit=1) for turn in turns]
    return Position(game, [(parse_code(guess, game), parse_feedback(feedback, game)) for guess, feedback in pairs])


@settings(max_examples=60)
@given(st.data())
def test_candidates_are_the_secrets_that_fit_every_turn(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    position, secret = data.draw(positions(game))
    turns = [(turn.guess, label_of(turn.feedback, game)) for turn in position.turns]

    every = list(secrets(game))
    expected = [every[index] for index in naive.matching(game.kind, turns, every)]

    assert expected == list(position.candidates)
    assert secret in position.candidates
    assert not position.is_contradictory


@settings(max_examples=30)
@given(st.data())
def test_candidates_only_shrink_and_do_not_depend_on_how_the_position_was_made(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    position, _ = data.draw(positions(game))
    remade = Position(game, position.turns)
    parent = position.parent

    assert list(position.candidates) == list(remade.candidates)
    assert (position, hash(position)) == (remade, hash(remade))
    if parent is not None:
        assert set(position.candidates) <= set(parent.candidates)


def test_a_position_pickles_to_an_equal_one() -> None:
    position = position_of("4x6", "AABB XO", "CDEF X")

    assert position == pickle.loads(pickle.dumps(position))  # noqa: S301 (our own bytes)


def test_a_game_is_won_lost_or_goes_on() -> None:
    assert position_of("4x6", "AABB XXXX").is_won
    assert position_of("4x6/limit=1", "AABB XXX").is_lost
    assert not position_of("4x6/limit=1", "AABB XXXX").is_lost
    assert not position_of("4x6/limit=2", "AABB XXX").is_over


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("AABB XX", "CCDD XXX"), (0, 1)),
        (("ABCD O", "AABB XX", "CCDD XXX"), (0, 2)),
        (("EEEE X", "AABB X", "CCDD OO", "AAAA -", "BBBB -", "CCCC -"), (1, 3, 4)),
        (("AABB X", "AABB X", "ABCD OO"), ()),
    ],
)
def test_the_smallest_conflict_is_found(turns: tuple[str, ...], expected: tuple[int, ...]) -> None:
    assert expected == position_of("4x6", *turns).conflict()


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_a_conflict_is_contradictory_and_no_smaller_set_is(data: st.DataObject) -> None:
    game = Rules(3, 4)
    legal = [Feedback(black, white) for black in range(4) for white in range(4 - black) if (black, white) != (2, 1)]
    turns = data.draw(st.lists(st.tuples(codes(game), st.sampled_from(legal)), max_size=6))
    position = Position(game, turns)
    conflict = position.conflict()
    smaller = [
        Position(game, [turns[index] for index in subset])
        for size in range(len(conflict))
        for subset in combinations(range(len(turns)), size)
    ]

    assert position.is_contradictory == bool(conflict)
    assert not conflict or Position(game, [turns[index] for index in conflict]).is_contradictory
    assert not any(other.is_contradictory for other in smaller)


def test_a_contradiction_names_the_turns() -> None:
    with pytest.raises(ContradictionError, match=r"turn 1 \(AABB XX\) and turn 2 \(CCDD XXX\) together"):
        position_of("4x6", "AABB XX", "CCDD XXX").check_consistent()
    with pytest.raises(ContradictionError, match=r"no secret fits turn 1 \(0123 -\)"):
        position_of("4x5/no-repeats/alphabet=01234", "0123 -").check_consistent()


def test_turns_that_cannot_be_are_refused() -> None:
    start = Position(Rules())
    with pytest.raises(InputError, match="3 pegs"):
        start.after((0, 1, 2), Feedback(0))
    with pytest.raises(InputError, match="cannot be"):
        start.after((0, 1, 2, 3), Feedback(3, 1))


def test_positions_on_boards_too_large_to_list_play_on_without_candidates() -> None:
    game = Rules(20, 20)
    position = Position(game).after((0,) * 20, Feedback(1))

    assert not position.is_over
    with pytest.raises(TooLargeError, match="20x20"):
        len(position.candidates)


@settings(max_examples=60)
@given(st.data())
def test_part_sizes_sum_to_the_candidates(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    position, secret = data.draw(positions(game))
    guess = data.draw(codes(game))
    partition = Partition.of(position.candidates, guess)
    expected = naive.partition(game.kind, guess, list(position.candidates))

    assert expected == {label_of(feedback, game): size for feedback, size in partition.sizes.items()}
    assert partition.total == len(position.candidates)
    assert partition.win_possible == (guess in position.candidates)
    assert score(guess, secret, game) in partition.sizes
    assert partition.largest <= partition.total
    assert partition.expected_size <= partition.largest


def test_the_measures_of_document_b() -> None:
    game = Rules.parse("4x6")
    three = CodeSet.of([parse_code(code, game) for code in ("ABCD", "ABDC", "BACD")], game)
    measured = {
        code: (round(part.bits, 2), part.largest)
        for code in ("ABCD", "ABDC", "BACD")
        for part in [Partition.of(three, parse_code(code, game))]
    }
    start = {code: Partition.of(secrets(game), parse_code(code, game)) for code in ("ABCD", "ABCC")}

    assert {"ABCD": (0.92, 2), "ABDC": (1.58, 1), "BACD": (1.58, 1)} == measured
    # The document cuts its bits after two digits: 3.05 stands for 3.057.
    assert [(305, 312), (304, 276)] == [(int(100 * part.bits), part.largest) for part in start.values()]
    assert [312, 276] == [start["ABCD"].sizes[Feedback(0, 2)], start["ABCC"].sizes[Feedback(0, 1)]]


@pytest.mark.parametrize(
    ("board", "depth", "expected"),
    [
        ("3x3", 1, 198),
        ("3x3", 2, 14_034),
        ("3x4", 1, 520),
        ("3x4", 2, 118_960),
        ("4x4", 1, 3_320),
        ("4x4", 2, 4_630_052),
        ("4x6", 1, 17_640),
        ("4x6", 2, 144_791_790),
        ("5x6", 1, 152_736),
        ("4x10", 1, 138_560),
    ],
)
def test_perft_counts(board: str, depth: int, expected: int) -> None:
    assert expected == perft(Rules.parse(board), depth)


def test_perft_agrees_with_brute_force_for_every_kind_of_feedback() -> None:
    for kind in ("standard", "black", "membership", "positional"):
        game = Rules.parse(f"2x3/{kind}")
        codes = list(secrets(game))
        expected = sum(
            len(naive.partition(game.kind, second, part))
            for first in codes
            for label in naive.partition(game.kind, first, codes)
            for part in [[secret for secret in codes if naive.score(game.kind, first, secret) == label]]
            for second in codes
        )

        assert expected == perft(game, 2), kind


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(range(64)), st.integers(0, 3), st.integers(0, 3)), max_size=9))
def test_the_smallest_conflict_is_the_first_that_trying_all_sets_finds(history: list[tuple[int, int, int]]) -> None:
    codes = secrets(Rules.parse("3x4"))
    turns = [(codes[code], Feedback(black, white)) for code, black, white in history if black + white <= 3]
    fitted = [{at for at, turn in enumerate(turns) if score(turn[0], code, codes.rules) == turn[1]} for code in codes]
    sets = (chosen for size in range(1, len(turns) + 1) for chosen in combinations(range(len(turns)), size))
    expected = next((chosen for chosen in sets if not any(set(chosen) <= each for each in fitted)), ())

    assert smallest_conflict(codes, turns) == expected
