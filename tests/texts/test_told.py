"""A sentence is plain English, remembers how it was made on every way that it travels, and keeps what it quotes."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from fractions import Fraction
from math import inf, nan
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from entropeg.chosen_language import speaking, translated
from entropeg.errors import EntropegError, InputError, PlayerError, UnreadRowError
from entropeg.texts import pieces, say
from entropeg.told import (
    NAMES_SECRETS,
    Drawn,
    Joined,
    Spoken,
    Template,
    Told,
    listed,
    of_data,
    plural,
    quoted,
    shown_count,
    to_data,
    word,
)

NAMES = (
    "projets and tests",
    "and",
    "3 pegs",
    "a or b, c",
    "{guess}",
    "{{",
    "}",
    "%s",
    "l'été",
    "",
    "Only one code is left.",
)
"""Names of folders, players and files that look like sentences, or like parts of one."""


def same(one: Any, other: Any) -> bool:
    """Whether two texts are the same in English and in French, fields and all."""
    return bool(one == other and to_data(one) == to_data(other) and say(one, "fr") == say(other, "fr"))


def test_a_sentence_is_a_text_and_remembers_its_template_and_fields() -> None:
    told = Told("{code!r} has {pegs:,} pegs: did you mean {near:or}?", "AAB", 3000, ["AABB", "AABC"])

    assert isinstance(told, str)
    assert told == "'AAB' has 3,000 pegs: did you mean AABB or AABC?"
    assert told.fields == {"code": "'AAB'", "pegs": 3000, "near": ("AABB", "AABC")}
    assert f"{told}" == told.english == str(told)


def test_values_stand_in_the_order_in_which_fields_first_occur_or_have_names() -> None:
    by_place = Told("{b} and {a}, {b} again", 1, 2)

    assert by_place == Told("{b} and {a}, {b} again", a=2, b=1) == "1 and 2, 1 again"


def test_a_text_without_values_is_a_text_braces_and_all() -> None:
    assert Told("{code} stays, {{ too") == "{code} stays, {{ too"
    assert InputError("a set {1, 2}").args == ("a set {1, 2}",)


def test_a_value_that_is_missing_is_shown_by_its_name_and_never_raises() -> None:
    assert Told("{one} and {two}", 1) == "1 and {two}"


@pytest.mark.parametrize(
    "template",
    ["{x.__class__}", "{x[0]}", "{0}", "{}", "{x:{y}}", "{x", "x}", "{x!z}", "{not a name}", "{x:\x00<99999}"],
)
def test_a_template_from_elsewhere_reaches_into_nothing_and_raises_nothing(template: str) -> None:
    data = {"say": template, "with": {"x": "secret", "y": 3}, "many": "", "context": ""}
    told = of_data(json.loads(json.dumps(data)))

    assert "class" not in told.replace(template, "")
    assert say(told, "fr") == told
    assert same(pickle.loads(pickle.dumps(told)), told)  # noqa: S301 - ours


def nested(data: Any, times: int, around: Any) -> Any:
    for _ in range(times):
        data = around(data)
    return data


SENT: tuple[Any, ...] = (
    *(None, True, {"a": 1}, {}, [], [1, [2]], "x", 10**5000, -(10**5000), inf, -inf, nan, 1e308),
    {"say": "z", "with": {}, "many": "", "context": ""},
    nested("x", 400, lambda data: {"say": "{x}", "with": {"x": data}, "many": "", "context": ""}),
    nested("x", 400, lambda data: {"join": [data]}),
    nested([], 400, lambda data: [data]),
)
"""What another process may have put where a number was due."""


@pytest.mark.parametrize("many", ["", "{n} as", "{m}", "{n:,} z"])
@pytest.mark.parametrize(
    "say_it", ["{n} a", "{n:d}", "{n:count}", "{n:.2f}", "{n!r}", "{n:and}", "{n|a|b} {m}", "{n:%}"]
)
def test_fields_from_elsewhere_raise_nothing(say_it: str, many: str) -> None:
    for value in SENT:
        for fields in ({}, {"n": value}, {"n": value, "m": 3}):
            told = of_data({"say": say_it, "with": fields, "many": many, "context": ""})
            assert isinstance(say(told, "fr"), str)
            assert isinstance(of_data(to_data(told)), str)


@pytest.mark.parametrize("data", [{"say": 3}, {"say": "x", "with": 3}, {"join": 3}, None, 3, "x", [1, "x"], {"a": 1}])
def test_what_is_no_sentence_in_data_is_itself(data: Any) -> None:
    assert of_data(data) == (tuple(data) if isinstance(data, list) else data)


class Mark(Enum):
    """An enumeration with words of its own."""

    best = 1

    @property
    def told(self) -> Told:
        return word("mark", "best")


def test_fields_are_frozen_when_a_sentence_is_made() -> None:
    items = ["A"]
    told = Told(
        "{items:list} {error} {mark} {count} {part} {none}",
        items,
        InputError("no {x}", 1),
        Mark.best,
        np.int8(3),
        Fraction(1, 2),
        None,
    )
    items.append("B")

    assert told == "A no 1 best 3 0.5 None"
    assert type(told.fields["count"]) is int
    assert isinstance(told.fields["error"], Told)
    assert told.fields["mark"].context == "mark"


@pytest.mark.parametrize("n", [0, 1, 2, -1, 10**15 - 1, 10**15, 10**400])
def test_one_or_many(n: int) -> None:
    assert plural(n, "{n} code", "{n} codes") == f"{shown_count(n)} code{'' if n == 1 else 's'}"
    assert plural(n, "{n} code of {rules}", "{n} codes of {rules}", "4x6").endswith(" of 4x6")


def test_sentences_add_up() -> None:
    told = "4x6: " + Told("Only one code is left.") + " " + plural(2, "{n} peg", "{n} pegs")

    assert isinstance(told, Joined)
    assert told == "4x6: Only one code is left. 2 pegs"
    assert say(told, "fr") == "4x6: Il ne reste qu’un code. 2 pions"


def test_what_is_drawn_comes_in_the_order_of_the_language() -> None:
    told = Told("{guess} fits", Drawn("AABB", (0, 0, 1, 1)))
    [drawn] = [piece for piece in pieces(Joined([told, "."]), "fr") if isinstance(piece, Drawn)]

    assert drawn.value == (0, 0, 1, 1)
    assert told == "AABB fits"


def test_a_list_says_what_stands_before_its_last_item() -> None:
    assert [listed(list("abc")[:n], " or ") for n in range(4)] == ["", "a", "a or b", "a, b or c"]


def test_a_quote_is_one_line_and_short() -> None:
    for value in ["A\nB\x1b[31m", "é" * 500, ["x"] * 500, 10**5000, "'" * 90]:
        text = quoted(value)
        assert "\n" not in text
        assert "\x1b" not in text
        assert len(text) < 100


@pytest.mark.parametrize("kind", [InputError, EntropegError])
def test_an_error_is_its_sentence(kind: type[EntropegError]) -> None:
    error = kind("{file} has {lines}", "and", plural(2, "{n} line", "{n} lines"))

    assert isinstance(str(error), Told)
    assert str(error) == "and has 2 lines"
    assert same(str(pickle.loads(pickle.dumps(error))), str(error))  # noqa: S301 - ours
    assert same(str(copy.copy(error)), str(error))


def test_errors_that_keep_more_travel_whole() -> None:
    told = Told("{player} made an illegal guess", "projets and tests")
    for error in (UnreadRowError(told, "AABB x", 3), PlayerError(told, "and")):
        back = pickle.loads(pickle.dumps(error))  # noqa: S301 - ours
        assert same(str(back), told)
        assert vars(back) == vars(error)


def drawn(seed: int) -> Iterator[Spoken]:
    """Sentences of every make, one in another, with names that look like sentences."""
    random_ = random.Random(seed)

    def value(depth: int) -> Any:
        makers: list[Callable[[], Any]] = [
            lambda: random_.choice(NAMES),
            lambda: random_.choice([0, 1, 2, -3, 1296, 10**20]),
            lambda: random_.choice([0.5, -1.25, 1e9, 0.0]),
            lambda: [value(3) for _ in range(random_.randrange(4))],
        ]
        if depth < 3:
            makers += [lambda: sentence(depth + 1)] * 2
        return random_.choice(makers)()

    def sentence(depth: int) -> Spoken:
        kind = random_.randrange(5)
        if kind == 0:
            return plural(random_.choice([0, 1, 2, 5000]), "{n} peg of {name}", "{n} pegs of {name}", value(depth))
        if kind == 1:
            parts = [random_.choice(NAMES), *(sentence(depth + 1) for _ in range(3 - depth))]
            return Joined(parts, random_.choice(["", ", "]))
        if kind == 2:
            return Drawn(random_.choice(NAMES), None)
        names = [f"f{number}" for number in range(random_.randrange(1, 4))]
        how = [random_.choice(["", "!r", ":and", ":or", ":list"]) for _ in names]
        values = [value(depth) for _ in names]
        how = [each if each == "!r" or isinstance(given, list) else "" for each, given in zip(how, values, strict=True)]
        return Told(" is {{not}} ".join(f"{{{name}{each}}}" for name, each in zip(names, how, strict=True)), *values)

    for _ in range(500):
        yield sentence(0)


def test_what_travels_arrives_as_it_was() -> None:
    for told in drawn(7):
        assert same(pickle.loads(pickle.dumps(told)), told)  # noqa: S301 - ours
        assert same(copy.deepcopy(told), told)
        back = of_data(json.loads(json.dumps(to_data(told))))
        assert back == told
        assert isinstance(told, Drawn) or say(back, "fr") == say(told, "fr")


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[ProcessPoolExecutor]:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        yield pool


def refuse(name: str) -> None:
    """Raise, in another process, what names somebody."""
    raise InputError("there is no language {language!r}: it is {languages:or}", name, ["and", name])


@pytest.mark.parametrize("name", NAMES)
def test_a_process_hands_on_what_it_says(name: str, elsewhere: ProcessPoolExecutor) -> None:
    with pytest.raises(InputError) as caught:
        elsewhere.submit(refuse, name).result()

    assert name in say(str(caught.value), "fr") or repr(name) in say(str(caught.value), "fr")
    assert isinstance(str(caught.value), Told)


def test_a_table_of_templates_is_filled_later() -> None:
    table = {1: Template("{guess} is best"), 2: Template("{guess} fits")}

    assert [Told(table[number], "AABB") for number in (1, 2)] == ["AABB is best", "AABB fits"]


def test_a_count_in_pieces_has_its_thousands() -> None:
    assert ["1,296", " codes"] == [each for each in pieces(plural(1296, "{n} code", "{n} codes"), "en") if each]


def test_what_is_looked_for_is_called_by_the_game_until_its_language_ends() -> None:
    left = plural(16, "{n} code is left.", "{n} codes are left.")
    names = Told("{guess} is the only code left.", "code")
    both = Told("The rules allow no secret {code}.", "code")
    with speaking("fr"):
        NAMES_SECRETS.set(True)
        french = [translated(each) for each in (left, names, both)]
        english = [say(each, "en") for each in (left, names, both)]

    assert english == ["16 secrets are left.", "code is the only secret left.", "The rules allow no secret code."]
    assert french == ["Il reste 16 secrets.", "code est le seul secret encore possible.", say(both, "fr")]
    assert say(left, "en") == "16 codes are left."
    assert say(left, "fr") == "Il reste 16 codes."
