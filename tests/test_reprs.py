"""What values and lists say of themselves at a prompt of Python, and what they raise there."""

import pytest

from entropeg import Position, arena
from entropeg.advise import advise
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.rules import Rules


def test_advice_is_shown_on_one_short_line() -> None:
    assert "<Advice on 4x6, 1 turn: 208 codes left, ACAD = 3.452>" == repr(advise(Position("4x6", ["AABB XO"])))


@pytest.mark.parametrize("place", [1296, -1297, 99999])
def test_a_code_that_a_set_has_not_is_an_error_of_lists_and_of_ours(place: int) -> None:
    codes = secrets(Rules())

    with pytest.raises(InputError, match=f"there is no code number {place}: the set has 1,296 codes"):
        codes[place]
    with pytest.raises(IndexError):
        codes[place]
    assert [(0, 0, 0, 0), (5, 5, 5, 5)] == [codes[-1296], codes[-1]]


@pytest.mark.parametrize("place", ["AABB", None, 1.0, (0, 0, 1, 1)])
def test_what_is_no_index_is_an_error_of_types_and_of_ours(place: object) -> None:
    with pytest.raises(InputError, match="is no index of a code: write a whole number or a slice"):
        secrets(Rules())[place]  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        secrets(Rules())[place]  # type: ignore[call-overload]


def test_mypy_knows_which_players_the_arena_takes() -> None:
    assert 2 == len(arena(["first-consistent", "memory"], "honest", "2x2", games=2, jobs=1))
    with pytest.raises(InputError, match="is no codebreaker"):
        arena(3, "honest", "2x2")  # type: ignore[arg-type]  # as mypy says: an ignore that it does not need is an error
    with pytest.raises(InputError, match="is no codebreaker"):
        arena(["memory", 3], "honest", "2x2")  # type: ignore[list-item]
