"""Without a compiler, threads or other processes, as in a browser: small boards work and play the same."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Position, arena, codebreakers, optimal, play
from entropeg.advise import advise, explain
from entropeg.candidates import count_codes
from entropeg.classroom import validate
from entropeg.cli import group
from entropeg.codes import parse_code
from entropeg.feedback import parse_feedback
from entropeg.review import review
from entropeg.rules import Rules
from entropeg.search.small.boards import plain_optimum
from entropeg.tree import StrategyTree, tree_of_nodes

PLAYERS = ["random", "memory", "consistent", "minimax", "entropy:ties=random,seed=2", "dichotomy", "linear", "decoder"]

TURNS = [("AABB", "XO"), ("ACDD", "O")]

BARE = """
import concurrent.futures, multiprocessing.process, os, subprocess, sys, threading
for name in ("numba", "llvmlite", "sqlite3"):
    sys.modules[name] = None

def refuse(*arguments, **options):
    raise RuntimeError("cannot start here")

import entropeg, numpy, rich.console
threading.Thread.start = multiprocessing.process.BaseProcess.start = subprocess.Popen.__init__ = refuse
os.cpu_count = lambda: 1
os.sched_getaffinity = lambda number: {0}
sys.platform = "emscripten"
"""

WRONG = "4x6\nAABB XO\nAABB XX\nCDEF OO\n"
"""Two rows of the same guess that cannot both be right."""


def evaluation(guess: str, secret: str) -> tuple[int, int]:
    """Well placed and misplaced, as a student of the course writes it."""
    placed = sum(a == b for a, b in zip(guess, secret, strict=True))
    return placed, sum(min(guess.count(color), secret.count(color)) for color in set(guess)) - placed


def careless(guess: str, secret: str) -> tuple[int, int]:
    """The same, wrong: misplaced pegs are forgotten."""
    return evaluation(guess, secret)[0], 0


ASKED = """
import json
from entropeg import Rules, arena, codebreakers, optimal
from entropeg.errors import MissingExtraError
sys.path.insert(0, "tests/house")
from test_without_numba import answers, hundred_thousand, refused
print(json.dumps([answers(), refused(), hundred_thousand()]))
"""


def lengths(player: str, maker: str) -> list[int]:
    """Numbers of guesses of a few games."""
    [run] = arena(player, maker, "3x4", games=8, seed=5, jobs=1)
    return [int(n) for n in run.guesses]


@cache
def answers() -> dict[str, Any]:
    """What is asked of entropeg with and without a compiler."""
    rules = Rules.parse("4x6")
    turns = [(parse_code(guess, rules), parse_feedback(answer, rules)) for guess, answer in TURNS]
    position = Position(rules).after(*turns[0]).after(*turns[1])
    return {
        "games": {player: [lengths(player, maker) for maker in ("honest", "cheat")] for player in PLAYERS},
        "hints": [
            list(codebreakers.get(name).guess(position, np.random.default_rng(1)))
            for name in ("minimax", "entropy", "auto")
        ],
        "count": [count_codes(rules, turns), len(position.candidates)],
        "trees": [StrategyTree.build(name, Rules.parse("3x5/blanks")).total for name in ("minimax", "parts")],
        "optima": [optimal(board).total for board in ("3x4", "3x4/no-repeats/blanks", "3x3/black")],
        "worst": optimal("3x4", worst=True).worst,
        "advice": [[*one.guess, one.chance] for one in advise(position, limit=3).guesses],
        "review": review(play("consistent", "honest:CBA", "3x4", seed=1).position).to_json(),
        "checks": [told("check-log", "-", typed=WRONG), str(explain(Position("4x6", WRONG.splitlines()[1:])))],
        "commands": [
            [line.split()[:6] for line in told("compare", "3x4")[1].splitlines()],
            "Try " in told("play", "--rules", "3x4", typed="hint\nquit\n")[1],
        ],
        "functions": [bool(validate(each, "evaluation")) for each in (evaluation, careless)],
    }


def told(*words: str, typed: str | None = None) -> list[Any]:
    """Exit code and output of a command."""
    result = CliRunner().invoke(group, list(words), input=typed)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return [result.exit_code, result.output]


def hundred_thousand() -> dict[str, Any]:
    """What is asked on a board of 100,000 codes."""
    game = play("auto", "honest:CFEDA", "5x10", seed=1)
    return {
        "guesses": [list(turn.guess) for turn in game.turns],
        "won": game.position.is_won,
        "compared": arena("consistent", "honest", "5x10", games=5, seed=1, jobs=1)[0].guesses.tolist(),
    }


def refused() -> dict[str, str]:
    """What is said where a compiler is needed."""
    said = {}
    calls: dict[str, Callable[[], object]] = {
        "optimal 5x8": lambda: optimal("5x8"),
        "evolutionary": lambda: lengths("evolutionary", "honest"),
        "belief on 30x6": lambda: arena("belief", "honest", "30x6", games=1, jobs=1),
    }
    if sys.modules.get("sqlite3", sys) is None:
        calls["a store"] = lambda: arena("consistent", "honest", "3x4", games=1, jobs=1, store="never.sqlite")
    for name, call in calls.items():
        try:
            call()
        except ImportError as error:
            said[name] = str(error)
    return said


def run(program: str, **environment: str) -> Any:
    """Run Python in a fresh process, and return what it printed last."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )

    assert not done.returncode, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@cache
def bare() -> Any:
    """What a process without numba, threads and other processes answers, on one processor of a browser."""
    return run(BARE + ASKED)


FEATURES = [
    "games",
    "hints",
    "count",
    "trees",
    "optima",
    "worst",
    "advice",
    "review",
    "checks",
    "commands",
    "functions",
]


@pytest.mark.parametrize("what", FEATURES)
def test_everything_that_small_boards_need_is_the_same_without_a_compiler(what: str) -> None:
    assert json.loads(json.dumps(answers()[what])) == bare()[0][what]


def test_auto_plays_and_the_arena_compares_on_100000_codes_without_a_compiler() -> None:
    found = bare()[2]
    first = codebreakers.get("minimax").guess(Position("5x10"), np.random.default_rng(1))

    assert found["won"]
    assert list(first) == found["guesses"][0]
    assert arena("consistent", "honest", "5x10", games=5, seed=1, jobs=1)[0].guesses.tolist() == found["compared"]


@pytest.mark.parametrize("what", ["optimal 5x8", "evolutionary", "belief on 30x6"])
def test_what_needs_a_compiler_says_so_in_a_sentence(what: str) -> None:
    expected = (
        "this needs compiled code, and there is no numba in a browser; `auto` plays boards to 100,000 codes without"
    )

    assert expected == bare()[1][what]


def test_a_store_needs_sqlite_and_says_so() -> None:
    expected = (
        "a store of games is a file of SQLite, which this Python lacks; "
        'in a browser `await micropip.install("sqlite3")` brings it'
    )

    assert expected == bare()[1]["a store"]


@pytest.mark.parametrize(
    ("name", "value", "why"), [("NUMBA_DISABLE_JIT", "1", "is set"), ("ENTROPEG_KERNELS", "no", "is no")]
)
def test_compiling_can_be_forbidden(name: str, value: str, why: str) -> None:
    said = run(
        "import sys"
        + ASKED.replace("answers()", "lengths('minimax', 'honest')").replace("import answers", "import lengths"),
        **{name: value},
    )

    assert lengths("minimax", "honest") == said[0]
    assert {f"this needs compiled code, and {name} {why}; `auto` plays boards to 100,000 codes without"} == set(
        said[1].values()
    )


@pytest.mark.slow
def test_kernels_give_what_their_twins_give_as_plain_python_too() -> None:
    left_out = "not thousand and not shape and not threads and not past_256"  # thousands of codes: minutes
    files = ["tests/kernels/test_twins.py", "tests/kernels/test_kernels.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *files, "-k", left_out],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "ENTROPEG_KERNELS": "always", "HYPOTHESIS_PROFILE": "brief"},
    )

    assert not done.returncode, done.stdout
    passed, skipped = (int(re.search(rf"(\d+) {word}", done.stdout)[1]) for word in ("passed", "skipped"))  # type: ignore[index]
    assert passed > 50
    assert skipped < 10


@pytest.mark.parametrize(("worst", "limit"), [(False, None), (True, None), (False, 3)])
@pytest.mark.parametrize("board", ["3x5", "3x5/no-repeats", "3x3/blanks", "2x6/black", "5x2", "2x10"])
def test_the_least_total_is_that_of_the_compiled_search(board: str, worst: bool, limit: int | None) -> None:
    found = optimal(board, worst=worst, limit=limit)
    plain = plain_optimum(Position(board), worst=worst, limit=limit, seconds=None)

    assert (found.value, found.worst_value, found.is_impossible) == (
        plain.value,
        plain.worst_value,
        plain.is_impossible,
    )
    assert plain.root is None or tree_of_nodes(plain.root, board).check().total == plain.total


def test_a_search_that_runs_out_of_time_gives_a_bound() -> None:
    found = plain_optimum(Position(Rules.parse("4x5")), worst=False, limit=None, seconds=0.0)

    assert not found.is_exact
    assert 0 < found.value.lower <= 2463
    assert found.root is None
