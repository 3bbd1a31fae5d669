"""Random words of another seed: the same optimum, found by another table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import cli
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving import control, solving
from entropeg.tree.optimum import optimal


def words(seed: int) -> list[int]:
    rules = Rules.parse("3x3")
    layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules), seed=seed)
    return [*layout.arrays["zobrist"].tolist(), *layout.arrays["zobrist_limit"].tolist()]


def test_each_seed_has_words_of_its_own() -> None:
    drawn = [set(words(seed)) for seed in (0, 1, 2)]

    assert words(1) == words(1)
    assert drawn[0] & drawn[1] == drawn[0] & drawn[2] == drawn[1] & drawn[2] == {0}  # 0 stands for no limit


@pytest.mark.parametrize(("name", "total"), [("4x5", 2463), ("3x6/black", 1280), ("4x4/positional", 700)])
def test_the_optimum_is_that_of_every_seed(name: str, total: int) -> None:
    assert [total] * 3 == [optimal(name, seed=seed, threads=1).total for seed in (0, 1, 12)]


def test_weights_are_searched_by_another_seed_too() -> None:
    weights = np.arange(1, 65)

    assert len({optimal("3x4", weights=weights, seed=seed).expected for seed in (0, 5)}) == 1


def test_a_checkpoint_is_that_of_one_seed(tmp_path: Path) -> None:
    optimal("3x5", checkpoint=tmp_path / "c.search", seed=3)

    assert optimal("3x5", checkpoint=tmp_path / "c.search", seed=3).total == 451
    for seed in (0, 4):
        with pytest.raises(InputError, match="3x5"):
            optimal("3x5", checkpoint=tmp_path / "c.search", seed=seed)


def test_the_bounds_beside_a_checkpoint_are_those_of_one_seed(tmp_path: Path) -> None:
    optimal("3x5", checkpoint=tmp_path / "c.search", seed=3)

    assert optimal("3x5", checkpoint=tmp_path / "c.search.json", seed=3).total == 451
    with pytest.raises(InputError, match="with seed 3, not of 3x5;"):
        optimal("3x5", checkpoint=tmp_path / "c.search.json")


def test_long_proofs_are_controlled_by_their_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    controlled: list[int] = []

    def check(*, seed: int) -> None:
        checked(seed=seed)
        controlled.append(seed)

    checked = control.check_targets
    monkeypatch.setattr(solving, "LONG", 0.0)
    monkeypatch.setattr(control, "check_targets", check)

    assert 2463 == optimal("4x5", seed=5).total
    assert [5] == controlled
    optimal("4x5", seed=5, time=50)
    assert [5] == controlled


def test_the_command_says_what_a_total_rests_on(tmp_path: Path) -> None:
    runner, proof = CliRunner(), str(tmp_path / "p.json")

    searched = runner.invoke(cli.group, ["optimal", "3x5", "--seed", "2"]).output
    certified = runner.invoke(cli.group, ["optimal", "3x5", "--seed", "2", "--proof", proof]).output

    assert "guesses tried; proven by search\n" in searched
    assert "guesses tried; proven by certificate\n" in certified
