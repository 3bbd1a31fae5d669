"""Codes: reading, checking, listing, drawing."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg.codes import (
    CodeSet,
    check_code,
    format_code,
    guesses,
    is_listable,
    parse_code,
    random_guess,
    random_secret,
    secrets,
)
from entropeg.errors import InputError, TooLargeError
from entropeg.rules import Blanks, Rules
from strategies import codes, rules

SMALL = {"max_codes": 3000, "max_pegs": 5, "max_colors": 6}


@given(st.data())
def test_a_code_written_is_read_back(data: st.DataObject) -> None:
    game = data.draw(rules())
    code = data.draw(codes(game))

    assert code == parse_code(format_code(code, game), game)


@pytest.mark.parametrize("alphabet", ["letters", "digits", "numbers", "names", "course", "RVBJNM", "éèàùçô"])
def test_a_code_is_read_back_in_every_alphabet(alphabet: str) -> None:
    game = Rules(4, 6, alphabet=alphabet, blanks=Blanks.guesses)
    code = (0, 6, 3, 5)

    assert code == parse_code(format_code(code, game), game)


@pytest.mark.parametrize(
    ("text", "game"),
    [("abca", "4x6"), ("A B C A", "4x6"), ("1-2-3-1", "4x30"), ("1 2 3 1", "4x30"), ("1231", "4x6/digits")],
)
def test_codes_are_read_leniently(text: str, game: str) -> None:
    assert parse_code(text, Rules.parse(game)) == (0, 1, 2, 0)


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("ABC", "4x6", "3 pegs"),
        ("ABCDE", "4x6", "5 pegs"),
        ("", "4x6", "0 pegs"),
        ("ABCZ", "4x6", "peg 4 is 'Z'"),
        ("AB.D", "4x6", "leaves peg 3 blank"),
        ("AABC", "4x6/no-repeats", "uses A twice"),
        ("1-2-31-1", "4x30", "peg 3 is '31'"),
    ],
)
def test_codes_that_cannot_be_are_refused_in_words(text: str, game: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_code(text, Rules.parse(game))


def test_a_guess_may_be_what_a_secret_may_not() -> None:
    game = Rules.parse("4x6/no-repeats/guess-repeats/blanks")

    assert parse_code("AA..", game) == (0, 0, 6, 6)
    with pytest.raises(InputError, match=r"uses A twice.*in a secret"):
        parse_code("AABC", game, secret=True)
    with pytest.raises(InputError, match=r"leaves peg 4 blank.*in a secret"):
        parse_code("ABC.", game, secret=True)


def test_color_indexes_out_of_range_are_refused() -> None:
    with pytest.raises(InputError, match="color 9"):
        check_code((0, 1, 2, 9), Rules())


@settings(max_examples=40)
@given(rules(**SMALL))
def test_the_lists_of_secrets_and_guesses_are_those_of_brute_force(game: Rules) -> None:
    expected_secrets = naive.all_codes(
        game.pegs, game.symbols_in_secrets, repeats=game.repeats, blank=game.blanks == Blanks.both
    )
    expected_guesses = naive.all_codes(
        game.pegs, game.symbols_in_guesses, repeats=bool(game.guess_repeats), blank=game.blanks != Blanks.none
    )

    assert expected_secrets == list(secrets(game))
    assert expected_guesses == list(guesses(game))


@settings(max_examples=40)
@given(st.data())
def test_a_set_finds_its_codes(data: st.DataObject) -> None:
    game = data.draw(rules(**SMALL))
    every = secrets(game)
    code = data.draw(codes(game, secret=True))
    chosen = every.take(np.arange(0, len(every), 2))

    assert code in every
    assert code == every[every.index_of(code)]  # type: ignore[index]  # it is there, as the line above says
    assert [every.index_of(code) for code in chosen] == chosen.ranks.tolist() == every.find(chosen).tolist()
    assert [Counter(code)[color] for code in chosen for color in range(game.colors)] == chosen.counts[
        : game.colors
    ].T.ravel().tolist()


def test_a_set_made_from_codes_is_sorted_without_duplicates() -> None:
    made = CodeSet.of([(3, 2, 1, 0), (0, 1, 2, 3), (3, 2, 1, 0)], Rules())

    assert [(0, 1, 2, 3), (3, 2, 1, 0)] == list(made)
    assert repr(made) == "<CodeSet of 2 codes: ABCD DCBA>"
    assert repr(made[:0]) == "<CodeSet of 0 codes>"


def test_arrays_of_a_set_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="read-only"):
        secrets(Rules()).planes[0, 0] = 3


def test_a_board_too_large_to_be_listed_says_how_large() -> None:
    assert not is_listable(Rules(8, 12))
    with pytest.raises(TooLargeError, match="429,981,696 codes"):
        secrets(Rules(8, 12))
    with pytest.raises(TooLargeError, match=r"10\^3000 codes"):
        secrets(Rules(1000, 1000))


@pytest.mark.parametrize("text", ["2x3", "3x4/no-repeats", "3x3/no-repeats/blanks-in-secrets", "2x4/blanks-in-secrets"])
def test_random_codes_are_uniform(text: str) -> None:
    game = Rules.parse(text)
    rng = np.random.default_rng(5)
    draws = 400 * game.secret_count
    drawn = Counter(random_secret(game, rng) for _ in range(draws))
    expected = draws / game.secret_count
    chi_square = sum((drawn[code] - expected) ** 2 / expected for code in secrets(game))

    assert set(drawn) == set(secrets(game))
    assert chi_square < game.secret_count - 1 + 4 * (2 * (game.secret_count - 1)) ** 0.5


@given(rules(), st.integers(0, 1000))
def test_random_guesses_and_secrets_are_legal_on_any_board(game: Rules, seed: int) -> None:
    rng = np.random.default_rng(seed)

    assert check_code(random_guess(game, rng), game)
    assert check_code(random_secret(game, rng), game, secret=True)


def test_a_code_is_checked_without_a_copy_and_all_else_becomes_a_tuple_of_plain_ints() -> None:
    game = Rules.parse("4x6")
    code = (0, 1, 2, 5)
    others: list[list[int]] = [[0, 1, 2, 5], np.array(code).tolist()]

    assert check_code(code, game) is code
    for other in others:
        assert check_code(other, game) == code
    assert list(map(type, check_code(np.array(code, np.uint8), game))) == [int] * 4


@pytest.mark.parametrize("board", ["2x300", "2x300/positional", "2x300/membership", "2x6/black"])
def test_no_colors_are_counted_where_no_kernel_reads_it(board: str) -> None:
    codes = secrets(board)[:1000]
    codes.labels(codes[:3]), codes.part_sizes(codes[:3]), codes.score(codes[0]), codes.consistent([])

    assert "counts" not in codes.__dict__
    assert codes.counts.any(axis=1).tolist() == codes.present.tolist()
