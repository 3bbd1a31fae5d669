"""Games that are watched: those that are played, and turns whose codes left nobody can list."""

from types import SimpleNamespace
from typing import Any

import pytest

from entropeg.errors import ContradictionError, TooLargeError
from entropeg.experiments import watched
from entropeg.experiments.watched import WatchedTurn, watch
from entropeg.loop import play


def test_the_game_watched_is_the_game_played() -> None:
    game, played = watch("consistent", "honest:ABCA", "4x6", seed=1), play("consistent", "honest:ABCA", "4x6", 1)

    assert (played.turns, played.secret) == (game.position.turns, game.secret)


@pytest.mark.parametrize("error", [TooLargeError("too many"), ContradictionError("none"), None])
def test_a_turn_before_which_no_code_is_found_has_no_partition(
    monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    def find(*_: object, **__: object) -> Any:
        if error:
            raise error
        return SimpleNamespace(codes=())

    monkeypatch.setattr(watched, "find_candidates", find)
    game = watch("random", "honest", "8x12", seed=1, turns=2)

    assert game.is_cut
    assert [WatchedTurn(game.rules, turn, None) for turn in game.position.turns] == list(game.turns)
