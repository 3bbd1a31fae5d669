"""Differences of two codebreakers, game by game: against their definition, and what pairing is good for."""

from __future__ import annotations

import numpy as np
import pytest

from entropeg import arena
from entropeg.errors import InputError
from entropeg.experiments.confidence import half_width
from entropeg.experiments.paired import PairedDifference, differences


def test_a_difference_is_that_of_each_game_that_both_have_won() -> None:
    slow, fast = arena(["first-consistent", "entropy"], "honest", "4x6/limit=6", games=200, seed=3)
    found = PairedDifference.of(slow, fast)
    pairs = zip(slow.guesses.tolist(), fast.guesses.tolist(), strict=True)
    expected = [one - other for one, other in pairs if one and other]

    assert 0 < len(expected) < 200  # some are lost in six guesses
    assert found.games == len(expected)
    assert found.mean == pytest.approx(sum(expected) / len(expected))
    assert found.error == pytest.approx(half_width(expected))
    assert found.histogram == {value: expected.count(value) for value in sorted(set(expected))}


def test_pairs_tell_players_apart_sooner_than_their_means_do() -> None:
    slow, fast = arena(["first-consistent", "entropy"], "honest", "4x6", games=300, seed=1)
    found = PairedDifference.of(slow, fast)
    apart = np.hypot(half_width(slow.guesses) or 0.0, half_width(fast.guesses) or 0.0)

    assert found.error is not None
    assert 0.0 < found.error < apart


def test_all_secrets_of_players_without_chance_are_exact_and_the_same_player_differs_nowhere() -> None:
    runs = arena(["entropy", "minimax", "entropy"], "honest", "3x3", all_secrets=True)

    assert [each.error for each in differences(runs)] == [None, None]
    assert differences(runs)[1].histogram == {0: 27}
    assert differences(runs)[0].mean == pytest.approx(float(runs[0].guesses.mean() - runs[1].guesses.mean()))


def test_runs_of_two_arenas_are_refused() -> None:
    [one] = arena("entropy", "honest", "3x3", games=3, seed=1)
    [other] = arena("entropy", "honest", "3x3", games=3, seed=2)

    with pytest.raises(InputError, match="not compared game by game"):
        PairedDifference.of(one, other)
