"""Values as plain data: what a value tells is what its description says, for JSON, OpenAPI and the page alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from importlib import import_module
from math import inf, nan
from pkgutil import walk_packages
from typing import Any

import numpy as np
import pytest

import entropeg
from entropeg import Position, Rules, codebreakers, codemakers, optimal, play
from entropeg.advise import Notes, advise, compare_players, explain
from entropeg.classroom.series import play_series
from entropeg.codebreakers.decoder.explanation import explain as explain_decoder
from entropeg.codes import CodeSet
from entropeg.experiments.watched import watch
from entropeg.feedback import AnyFeedback, Code, Feedback, GrandFeedback, Marks
from entropeg.plain_values import Finite, Ordinal, PlainValue, fields_of, plain
from entropeg.position import Turn
from entropeg.review import review
from entropeg.review.others import other_plays
from entropeg.search.known import board_facts
from entropeg.web.models import model_of
from entropeg.web.shown_rules import RulesShown

TURNS = ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]


def kinds_below(kind: type[PlainValue]) -> Iterator[type[PlainValue]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_below(each)


def every_kind() -> list[Any]:
    for module in walk_packages(entropeg.__path__, "entropeg."):
        if not module.name.startswith(("entropeg.gym", "entropeg.__main__")):
            import_module(module.name)
    return sorted({each for each in kinds_below(PlainValue) if each.__module__.startswith("entropeg.")}, key=str)


def test_every_value_that_tells_something_can_be_described() -> None:
    found = every_kind()

    assert len(found) > 40
    for kind in found:
        if kind.__name__ != "ToldChances":  # it has no field of its own
            keys = [each.key for each in fields_of(kind)]
            assert keys
            assert len(set(keys)) == len(keys)
            assert list(model_of(kind).model_fields) == keys
            assert kind.__doc__


def values() -> dict[str, Any]:
    rules, wrong = Rules.parse("4x6"), Notes.of("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
    told = review(Position("4x6", TURNS))
    return {
        "advice": advise(Position("4x6", TURNS[:1]), limit=2, also=["CCDD"]),
        "large advice": advise("12x12", limit=1, time=0.1),
        "players": compare_players("4x6", ["minimax"])[0],
        "contradiction": explain(wrong),
        "review": told,
        "others": other_plays(told)[0],
        "game": play("consistent", "honest", "3x4/positional", seed=1),
        "watched": watch("consistent", "cheat", "3x4", seed=2),
        "facts": board_facts("4x6"),
        "board": RulesShown.of(rules),
        "optimum": optimal("3x3"),
        "decoder": explain_decoder("4x6"),
        "decoder, early": explain_decoder("4x26"),
        "series": play_series(codebreakers.get("consistent"), codemakers.get("honest"), Rules.parse("3x3"), 4),
    }


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    return values()


@pytest.mark.parametrize(
    "name",
    [
        *(
            "advice",
            "large advice",
            "players",
            "contradiction",
            "review",
            "others",
            "game",
            "watched",
            "facts",
            "board",
        ),
        *("optimum", "decoder", "decoder, early", "series"),
    ],
)
def test_what_a_value_tells_is_what_its_description_says(told: dict[str, Any], name: str) -> None:
    value = told[name]
    text = json.dumps(plain(value, Rules.parse("4x6")), allow_nan=False)
    kind: Any = type(value)

    model = model_of(kind).model_validate_json(text, strict=True)

    assert json.loads(model.model_dump_json()) == json.loads(text)


class Weather(Enum):
    rain = "it rains"


@dataclass(frozen=True)
class Sample(PlainValue):
    """One of everything."""

    rules: Rules
    is_wet: bool
    code: Code
    codes: tuple[Code, ...]
    perhaps: Code | None
    feedback: AnyFeedback
    turn: Turn
    rows: tuple[Ordinal, ...]
    half: Fraction
    unknown: Finite
    weather: Weather
    by_feedback: dict[AnyFeedback, int]
    listed: CodeSet
    table: Any
    pair: tuple[Code, float]
    _hidden: int = 7


def test_codes_feedback_and_places_are_told_as_people_write_them() -> None:
    rules = Rules.parse("2x3")
    turn = Turn((0, 1), Feedback(1, 0))
    sample = Sample(
        rules,
        is_wet=True,
        code=(0, 2),
        codes=((0, 0), (1, 1)),
        perhaps=None,
        feedback=Feedback(0, 2),
        turn=turn,
        rows=(0, 3),
        half=Fraction(1, 2),
        unknown=inf,
        weather=Weather.rain,
        by_feedback={Feedback(0, 0): 3},
        listed=CodeSet.of(["AB", "BA", "CC"], rules),
        table=np.array([[0.5, nan]]),
        pair=((2, 2), 0.25),
    )

    data = plain(sample, codes=2)

    assert data == {
        "rules": "2x3",
        "wet": True,
        "code": "AC",
        "codes": ["AA", "BB"],
        "perhaps": None,
        "feedback": "OO",
        "turn": ["AB", "X"],
        "rows": [1, 4],
        "half": "1/2",
        "unknown": None,
        "weather": "it rains",
        "by_feedback": {"-": 3},
        "listed": ["AB", "BA"],
        "table": [[0.5, None]],
        "pair": ["CC", 0.25],
    }
    assert plain([Marks((2, 0, 1)), GrandFeedback(1, 0, 1)]) == ["X.O", "X~"]


@dataclass(frozen=True)
class Inner(PlainValue):
    """A value within another one."""

    size: int
    """How large it is."""


@dataclass(frozen=True)
class Outer(PlainValue):
    """A value that tells what others have."""

    PLAIN = ("size=first.size", "second=perhaps.size", "*first")

    first: Inner
    perhaps: Inner | None


def test_a_path_tells_what_another_value_has_and_a_star_all_of_it() -> None:
    assert {"size": 2, "second": None} == Outer(Inner(2), None).to_json()
    assert [("size", int), ("second", int | None), ("size", int)] == [
        (each.key, each.hint) for each in fields_of(Outer)
    ]
    assert {"How large it is."} == {each.says for each in fields_of(Outer)}


def test_what_tells_nothing_is_refused_and_so_is_a_code_without_rules() -> None:
    with pytest.raises(TypeError, match="object tells nothing of itself"):
        plain({"key": object()})

    @dataclass(frozen=True)
    class Bare(PlainValue):
        """A code that nobody can write."""

        guess: Code

    globals()["Bare"] = Bare
    with pytest.raises(AssertionError, match="by rules"):
        Bare((0, 1)).to_json()
    assert Bare((0, 1)).guess == (0, 1)


def test_a_name_without_an_attribute_is_an_error() -> None:
    class Wrong(PlainValue):
        """It names what it has not."""

        PLAIN = ("missing",)

    with pytest.raises(AttributeError, match="Wrong tells missing"):
        fields_of(Wrong)
