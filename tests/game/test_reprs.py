"""What values and lists say of themselves at a prompt of Python, and what they raise there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from entropeg import Partition, Position, StrategyTree, advise, arena, optimal, play, review
from entropeg.advise import Notes, compare_players, explain, explore
from entropeg.advise.ladder import hints_at
from entropeg.candidates import find_candidates
from entropeg.codebreakers.decoder import explanation
from entropeg.codemakers.adversary import forced
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.review import Thresholds, Totals, check_claim, level_of, other_plays, read_games, review_answers
from entropeg.rules import Rules
from entropeg.search import opening_totals, static_questions
from entropeg.search.bounds import bounds
from entropeg.train import puzzles
from entropeg.tree import game_value, most_within, openings
from entropeg.upkeep import examine

LONGEST = 300
"""Characters of what a value shows of itself at a prompt: four lines of a terminal."""

ROOMS = ("entropeg", "entropeg.advise", "entropeg.review", "entropeg.train", "entropeg.tree")


@cache
def values() -> tuple[Any, ...]:
    """Values of public functions on ordinary boards."""
    rows = ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]
    position, wrong = Position("4x6", rows), Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
    told, contradiction = review(position), explain(wrong, "afterwards")
    puzzle = next(puzzles("4x6", "mend"))
    advice = advise(Position("4x6", rows[:1]), also=["ABCD"])
    return (
        *(Rules.parse(text) for text in ("4x6", "words:english", "4x6/prior=distinct", "bulls-and-cows")),
        *(position, secrets(Rules()), Partition.of(secrets(Rules()), "AABB"), advice, *hints_at(advice)),
        *(Notes.of("4x6", [*rows, "ccd? 1 ?"]), forced("minimax", "3x3"), find_candidates("4x6", [], limit=9, seed=1)),
        explore(Position("4x6", rows[:1]), limit=3),
        *(contradiction, *contradiction.suspicions(), *compare_players(wrong.rules, ["minimax", "random"])),
        *(told, Thresholds(), Totals.of([told]), level_of([told], time=0.1), *other_plays(told), review_answers(told)),
        *(check_claim("4x6 mean 4.25"), *read_games("AABB XO\nCDEF X\n", "4x6")),
        *(play("minimax", "honest", "4x6", seed=1), arena(["minimax"], "honest", "3x4", games=9, jobs=1)),
        *(StrategyTree.build("minimax", "3x4"), *openings("minimax", "3x4"), optimal("3x4"), opening_totals("3x4")),
        *(most_within("3x3", 2), game_value("2x3"), static_questions("2x3")),
        *(*bounds("4x6"), puzzle, puzzle.judge_row(0), explanation.explain(position), examine(is_tested=False)),
    )  # fmt: skip


def parts(value: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """Yield a value of ours, and all that are in its fields."""
    if id(value) in seen:
        return
    seen[id(value)] = value
    if type(value).__module__.startswith("entropeg"):
        yield value
    held: Any = ()
    if is_dataclass(value):
        held = [getattr(value, each.name) for each in fields(value)]
    elif isinstance(value, Mapping):
        held = value.values()
    elif isinstance(value, (tuple, list)):
        held = value
    for one in held:
        yield from parts(one, seen)


def test_a_value_is_shown_on_few_lines() -> None:
    seen = dict[int, Any]()
    found = {
        type(one).__name__: repr(one) for value in values() for one in parts(value, seen) if len(repr(one)) > LONGEST
    }

    assert dict[str, str]() == found


def test_every_public_value_is_looked_at() -> None:
    seen = dict[int, Any]()
    types = {type(one) for value in values() for one in parts(value, seen)}
    offered = {getattr(import_module(room), name) for room in ROOMS for name in import_module(room).__all__}
    public = {each for each in offered if isinstance(each, type) and is_dataclass(each)}

    assert set() == public - types


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
