"""Positions: candidates, the end of the game, contradictions, partitions, and perft."""

from __future__ import annotations

import pickle
import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import entropeg.position
import naive
from entropeg.candidates import smallest_conflict, smallest_conflicts
from entropeg.codes import CodeSet, guesses, parse_code, score, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Feedback, label_of, parse_feedback
from entropeg.partition import Partition
from entropeg.position import Position, ToldTurn, Turn, check_hard, parse_turn, split_turn, unused_clue
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


@pytest.mark.parametrize(
    ("rules", "turns", "expected"),
    [
        ("4x6", (), "open"),
        ("4x6", ("AABB XXX",), "open"),
        ("4x6", ("AABB XXXX",), "won"),
        ("4x6/limit=1", ("AABB XXX",), "lost"),
        ("4x6/limit=1", ("AABB XXXX",), "won"),
        ("4x6/limit=2", ("AABB XXX",), "open"),
        ("4x6/limit=2", ("AABB XXX", "AABC XX"), "lost"),
        ("4x6/limit=2", ("AABB XXX", "AABC XX", "AABD XX"), "lost"),
    ],
)
def test_a_game_is_won_lost_or_goes_on(rules: str, turns: tuple[str, ...], expected: str) -> None:
    position = position_of(rules, *turns)

    assert expected == position.state
    assert (expected == "won", expected == "lost") == (position.is_won, position.is_lost)
    assert (expected != "open") is position.is_over


def test_the_parent_is_the_position_one_turn_earlier() -> None:
    start = Position("4x6")
    read = position_of("4x6", "AABB XO", "CDEF X")
    played = start.after("AABB", "XO").after("CDEF", "X")

    for position in (read, played):
        parent = position.parent
        assert parent == position_of("4x6", "AABB XO")
        assert parent is position.parent
        assert parent is not None
        assert parent.parent == start
    assert start.parent is None


def test_long_games_on_boards_that_nobody_lists_keep_no_earlier_position() -> None:
    unlisted = Position("20x20").after((0,) * 20, Feedback(1)).after((1,) * 20, Feedback(1))
    listed = Position("4x6").after("AABB", "-")
    known = Position("4x6/prior=distinct")

    assert unlisted._parent is None  # it would be kept alive
    assert listed._parent is not None
    assert known.after("AABB", "-").parent is known


def test_candidates_are_found_from_the_nearest_earlier_position_whose_own_are_known() -> None:
    start = Position("4x6")
    start.__dict__["candidates"] = CodeSet.of([(0, 0, 0, 0), (1, 1, 1, 1)], start.rules)
    position = start.after("AABB", "XX").after("AAAB", "XXX")

    assert [(0, 0, 0, 0)] == list(position.candidates)


def test_the_candidates_of_a_vast_board_are_built_from_turns_that_leave_few_and_kept_for_what_follows() -> None:
    read = Position("8x12", ["ABCDEFGH XXXXXXX"])
    unasked = Position("8x12", ["ABCDEFGH XXXXXXX"]).after("ABCDEFGA", "XXXXXXX")
    played = Position("8x12").after("ABCDEFGH", "XXXXXXX")

    assert [88, 88] == [len(read.candidates), len(played.candidates)]
    assert read.after("ABCDEFGA", "XXXXXXX").parent is read
    assert unasked._parent is None
    assert 10 == len(read.after("ABCDEFGA", "XXXXXXX").candidates) == len(unasked.candidates)


def test_no_more_candidates_are_built_than_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entropeg.position, "BUILT_BYTES", 87 * (8 + 12))
    with pytest.raises(TooLargeError, match="more than 87 codes are left"):
        len(Position("8x12", ["ABCDEFGH XXXXXXX"]).candidates)


def test_a_guess_that_goes_round_and_round_is_told_in_the_letters_of_the_board() -> None:
    played = Position("4x6", ["AABB -"] * 128)
    limited = Position("4x6/limit=200", ["AABB -"] * 128)

    assert "at turn 129 it guesses AABB again, and for 64 turns it has made no new guess" in played.endless(
        (0, 0, 1, 1)
    )
    assert ("", "") == (played.endless((0, 1, 2, 3)), limited.endless((0, 0, 1, 1)))


def test_what_tells_of_a_turn_tells_its_guess_and_feedback() -> None:
    class Told(ToldTurn):
        turn = Turn((0, 0, 1, 1), Feedback(1))

    assert ((0, 0, 1, 1), Feedback(1)) == (Told().guess, Told().feedback)


def test_positions_that_differ_have_hashes_that_differ() -> None:
    positions = [
        Position("4x6"),
        Position("4x7"),
        Position("4x6").after("AABB", "X"),
        Position("4x6").after("AABB", "O"),
    ]

    assert 4 == len(set(map(hash, positions)))


@pytest.mark.parametrize(
    ("rules", "turns", "expected"),
    [
        ("4x6/limit=2", (), ["the start", "1,296 codes fit"]),
        ("4x6/limit=2", ("AABB XX",), ["1 turn", "114 codes fit"]),
        ("4x6", ("AABB X", "ABCD XXX"), ["2 turns", "4 codes fit"]),
        ("4x6/limit=2", ("AABB XXX", "AABC XXXX"), ["won"]),
        ("4x6/limit=2", ("AABB XX", "AABC -"), ["lost", "no code fits all rows"]),
        ("2x2/limit=1", ("AB OO",), ["lost", "1 code fits"]),
    ],
)
def test_a_position_shows_itself_with_its_state_and_the_codes_left(
    rules: str, turns: tuple[str, ...], expected: list[str]
) -> None:
    picture = position_of(rules, *turns)._repr_svg_()
    title, *notes = re.findall(r"<text[^>]*>([^<]*: [^<]*|[^<]* fits?(?: all rows)?)</text>", picture)

    assert expected == [title.removeprefix(f"{rules}: "), *notes]


def test_a_picture_counts_no_codes_that_take_long_to_find() -> None:
    position = Position("6x10")

    assert "fit" not in position._repr_svg_()
    assert len(position.candidates) == 1_000_000
    assert "codes fit" in position._repr_svg_()


def test_the_clue_that_a_guess_does_not_use_is_told_with_its_turn() -> None:
    hard = Rules.parse("3x3/positional/hard")
    with pytest.raises(InputError, match=r"turn 2 \(BBB .*\) does not use every clue of the turns before: "):
        Position(hard, ["AAB XX-", "BBB ---"])
    with pytest.raises(InputError, match=r"turn 2 \(BBB .*\) does not use every clue"):
        check_hard(hard, position_of("3x3/positional", "AAB XX-", "BBB ---").turns)
    loose = Rules.parse("3x3/positional")

    assert unused_clue(hard, position_of("3x3/positional", "AAB XX-", "AAC ---", "BBB ---").turns)[0] == 2
    assert unused_clue(hard, position_of("3x3/positional", "AAB XX-", "AAC ---").turns) == (-1, "")
    assert unused_clue(loose, position_of("3x3/positional", "AAB XX-", "BBB ---").turns) == (-1, "")


def test_under_hard_rules_the_guesses_that_use_every_clue_are_legal() -> None:
    start = Position("3x3/positional/hard")
    read = Position("3x3/positional/hard", ["AAB XX-", "AAC XX-"])
    played = start.after("AAB", "XX-")
    assert played.clues is not None
    again = played.after("AAC", "XX-")

    assert list(guesses(start.rules)) == list(start.legal_guesses)
    for position in (played, again, read):
        assert [(0, 0, 0), (0, 0, 1), (0, 0, 2)] == list(position.legal_guesses)
        assert position.check_guess("AAC") == (0, 0, 2)
        with pytest.raises(InputError, match="peg 2 was in place: it must be A"):
            position.check_guess("ABA")
    assert read.clues == again.clues == played.clues


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("AABB XO", ["AABB", "XO"]),
        ("A A B B 2 1", ["A A B B", "2 1"]),
        ("AABB", ["AABB"]),
        ("A A B B", ["A A B B"]),
        ("AXBB X O", ["AXBB", "X O"]),
    ],
)
def test_a_turn_is_split_where_its_code_ends(text: str, expected: list[str]) -> None:
    assert expected == split_turn(text, Rules())


def test_what_is_no_turn_is_refused_in_a_sentence() -> None:
    for turn in (("AABB",), ("AABB", "XO", "X"), 3, {"AABB": "XO"}):
        with pytest.raises(InputError, match="is not a guess and its feedback"):
            Position("4x6", [turn])  # type: ignore[list-item]
    with pytest.raises(InputError, match="write them as one argument"):
        parse_turn("AABB", Rules())
    with pytest.raises(InputError, match="the turn 'AABB 9 9': 9 black and 9 white are 18 marks"):
        parse_turn("AABB 9 9", Rules())
    with pytest.raises(InputError, match=r'give a list of them, as \["AABB XO", "CCDD -"\]'):
        Position("4x6", "AABB XO")

    assert Position("4x6", [("AABB", "XO"), "CD EF O"]) == position_of("4x6", "AABB XO", "CDEF O")


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
    position_of("4x6", "AABB XX", "CCDD OO").check_consistent()
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


def test_contradictions_are_found_on_boards_too_large_to_scan() -> None:
    start = Position("8x12")

    assert start.after("AAAABBBB", "XX").is_contradictory is False
    assert start.after("AAAABBBB", "XX").after("AAAABBBB", "X").is_contradictory is True
    assert start.after("AAAABBBB", "XX").after("AAAABBBB", "X").conflict() == (0, 1)


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
def test_the_smallest_conflicts_are_those_that_trying_all_sets_finds(history: list[tuple[int, int, int]]) -> None:
    codes = secrets(Rules.parse("3x4"))
    turns = [(codes[code], Feedback(black, white)) for code, black, white in history if black + white <= 3]
    fitted = [{at for at, turn in enumerate(turns) if score(turn[0], code, codes.rules) == turn[1]} for code in codes]
    expected: list[tuple[int, ...]] = []
    for size in range(1, len(turns) + 1):
        sets = combinations(range(len(turns)), size)
        expected = expected or [chosen for chosen in sets if not any(set(chosen) <= each for each in fitted)]

    assert expected == list(smallest_conflicts(codes, turns))
    assert (expected[0] if expected else ()) == smallest_conflict(codes, turns)
