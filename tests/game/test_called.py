"""Public functions are near at hand: called as the room of their name, their arguments named as at the prompt."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import entropeg
from entropeg import Position, advise, arena, optimal, report, review
from entropeg.advise import compare_players, explain
from entropeg.cli.commands import advise as advise_command
from entropeg.cli.commands import arena as arena_command
from entropeg.cli.commands import optimal as optimal_command
from entropeg.cli.commands import report as report_command
from entropeg.cli.commands import review as review_command
from entropeg.errors import InputError
from entropeg.review import level_of, other_plays, player_losses
from entropeg.search import near_optimal, opening_totals

PACKAGE = Path(entropeg.__file__).parent
GAME = Position("4x6", ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"])


def namesakes() -> list[str]:
    """Names of the packages that offer a function of their own name."""
    packages = [".".join(file.parent.relative_to(PACKAGE.parent).parts) for file in PACKAGE.rglob("__init__.py")]
    return sorted(name for name in packages if name.rpartition(".")[2] in getattr(import_module(name), "__all__", ()))


def test_every_room_that_offers_a_function_of_its_own_name_is_called_as_it_is() -> None:
    assert ["entropeg.advise", "entropeg.report", "entropeg.review"] == namesakes()
    for name in [*namesakes(), "entropeg.search.bounds"]:
        assert callable(import_module(name)), name


def test_advice_and_review_are_called_from_the_top() -> None:
    assert 208 == advise(Position("4x6", ["AABB XO"]), limit=1).remaining.count
    assert 4 == review(GAME).guesses
    with pytest.raises(InputError):
        advise(3)  # type: ignore[arg-type]  # as mypy says: an ignore that it does not need is an error


def test_a_called_room_is_a_room_and_travels_as_one() -> None:
    room: Any = import_module("entropeg.advise")

    assert vars(entropeg)["advise"] is room is pickle.loads(pickle.dumps(room))  # noqa: S301 (it is our own)
    assert room.advise is import_module("entropeg.advise.advice").advise


def test_functions_of_the_search_are_found_in_its_room_which_loads_no_kernel_for_it() -> None:
    program = (
        "import sys, entropeg.search; assert 'numba' not in sys.modules\n"
        "from entropeg.search import near_optimal, opening_totals, verify\n"
        "print(opening_totals.__name__, callable(near_optimal), callable(verify), hasattr(entropeg.search, 'no_such'))"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert "opening_totals True True False" == told.strip()


IN_PYTHON_ONLY = {"progress", "told", "thresholds", "weights"}
"""The prompt has bars and remarks of its own, an option for each threshold, and weights in its rules."""


@pytest.mark.parametrize(
    ("command", "function"),
    [
        (advise_command.command, advise),
        (arena_command.command, arena),
        (optimal_command.command, optimal),
        (optimal_command.command, opening_totals),
        (report_command.command, report),
        (review_command.command, review),
    ],
    ids=lambda value: getattr(value, "__name__", "command"),
)
def test_an_argument_by_name_has_the_name_of_its_option(command: Any, function: Callable[..., Any]) -> None:
    options = {name.lstrip("-").replace("-", "_") for option in command.params for name in option.opts}
    parameters = inspect.signature(function).parameters.values()
    by_name = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}

    assert set() == by_name - options - IN_PYTHON_ONLY


@pytest.mark.parametrize(
    "function",
    [
        advise,
        compare_players,
        explain,
        level_of,
        near_optimal,
        opening_totals,
        optimal,
        other_plays,
        player_losses,
        review,
    ],
)
def test_how_long_a_search_may_take_is_its_time(function: Callable[..., Any]) -> None:
    assert {"time", "seconds"} & set(inspect.signature(function).parameters) == {"time"}
