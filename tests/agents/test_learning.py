"""The example that learns 3x4: under the loss it is at the optimum in a fifth of the games, and less."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import numpy as np

FILE = Path(__file__).parents[2] / "examples" / "agents" / "learning.py"


def example() -> ModuleType:
    spec = spec_from_file_location("learning", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_optimum_is_learned_in_a_fifth_of_the_games_under_the_loss() -> None:
    learning = example()
    by_loss = learning.learned("loss", learning.SETTINGS["loss"], 1, 5_000)
    games = learning.MARKS[len(by_loss) - 1]
    by_steps = learning.learned("steps", learning.SETTINGS["steps"], 1, 5 * games)

    assert learning.BEST == by_loss[-1]
    assert 0 < len(by_loss) < len(by_steps)
    assert learning.BEST < min(by_steps)


def test_the_total_of_a_table_is_that_of_its_play() -> None:
    learning = example()
    table = learning.Table(0.0, 0.0, 0.0, 1)
    unknown = table.total()
    state = table.states(np.ones((1, 64), np.int8))
    table.learn(state, np.array([6]), np.array([-1.0]))  # ABC, and nothing is known of what follows

    assert 64 * 12 == unknown
    assert 64 + 63 * 11 == table.total()


def test_the_figure_names_the_rewards_and_the_optimum() -> None:
    learning = example()
    figure = learning.drawn({"loss": [[300, 206], [310, 250]], "steps": [[400, 380], [420, 390]]}, 100).decode()

    assert all(word in figure for word in ("loss", "steps", "206/64"))
