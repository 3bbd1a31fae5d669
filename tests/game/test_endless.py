"""Games that would never end, since a codebreaker repeats itself, and those that only look so."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg import codemakers
from entropeg.classroom.series import play_series
from entropeg.codebreakers import Codebreaker
from entropeg.codebreakers.check import inspect_codebreaker
from entropeg.endless import PATIENCE, repeating
from entropeg.errors import ContradictionError, PlayerError
from entropeg.experiments.runner import arena
from entropeg.experiments.store import Store
from entropeg.feedback import AnyFeedback, Code, Feedback
from entropeg.loop import play
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.tree import StrategyTree

NOTHING_NEW = "at turn 129 it guesses AABB again, and for 64 turns it has made no new guess"


@dataclass(frozen=True)
class Around:
    """Plays some codes once, then others round and round."""

    once: tuple[Code, ...] = ()
    cycle: tuple[Code, ...] = ((0, 0, 1, 1),)
    deterministic: bool = False
    name: str = "around"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        turn = len(position.turns) - len(self.once)
        return self.once[turn] if turn < 0 else self.cycle[turn % len(self.cycle)]


class Mended:
    """Another player of the same name."""

    name = "around"

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        return position.candidates[0]


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (Around(), NOTHING_NEW),
        (Around(deterministic=True), NOTHING_NEW),
        (Around(cycle=((0, 0, 1, 1), (0, 1, 2, 3))), NOTHING_NEW),
        (Around(cycle=((0, 0, 1, 1), (0, 1, 2, 3), (1, 1, 1, 1))), "at turn 257 it guesses ABCD again, and for 128"),
        (Around(once=tuple((0, 0, 0, color) for color in range(5))), "at turn 513 it guesses AABB again, and for 256"),
    ],
)
def test_a_game_that_repeats_itself_ends_with_player_guess_and_turn(player: Around, said: str) -> None:
    with pytest.raises(PlayerError, match=f"the codebreaker around would never end the game: {said}") as error:
        play(player, "honest:FEDC", "4x6", seed=1)

    assert "around" == error.value.player
    assert said in str(inspect_codebreaker(player, "4x6", games=1))


def test_a_limit_in_the_rules_ends_the_game_as_before() -> None:
    game = play(Around(), "honest:FEDC", "4x6/limit=300", seed=1)

    assert ("lost", 300) == (game.outcome, len(game.turns))


def test_the_same_is_said_of_a_tree() -> None:
    with pytest.raises(PlayerError) as by_loop:
        play(Around(deterministic=True), "honest:FEDC", "4x6", seed=1)
    [run] = arena(Around(deterministic=True), "honest", "4x6", all_secrets=True)
    with pytest.raises(ValueError, match=f"around never finds some secret: {NOTHING_NEW}"):
        StrategyTree.build(Around(deterministic=True), "4x6")

    assert [1] == run.guesses.tolist()  # that of the secret AABB
    assert str(by_loop.value) == run.fault


@pytest.mark.parametrize("deterministic", [False, True])
def test_the_arena_sets_the_player_aside_and_the_others_play_on(deterministic: bool, tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    players: list[Codebreaker | str] = [Around(deterministic=deterministic), "consistent"]
    runs = arena(players, ["honest", "cheat"], "4x6", games=20, store=store)

    assert [0, 0, 20, 20] == [len(run.games) for run in runs]
    assert [True, True, False, False] == [NOTHING_NEW in run.fault for run in runs]
    assert [run.fault for run in runs] == [
        run.fault for run in arena(players, ["honest", "cheat"], "4x6", games=20, store=store)
    ]
    assert [(run.fault, run.guesses.tolist()) for run in runs] == [
        (run.fault, run.guesses.tolist()) for run in Store(store).runs()
    ]

    mended = Mended()
    [run] = arena(mended, "honest", "4x6", games=20, store=store)
    assert ("", 20) == (run.fault, len(run.games))
    assert ["", NOTHING_NEW, "", ""] == [run.fault and NOTHING_NEW for run in Store(store).runs()]


def test_an_illegal_guess_or_answer_sets_its_player_aside_too() -> None:
    class Wrong(codemakers.get("honest").__class__):  # type: ignore[misc]
        name = "wrong"

        def answer(self, position: Position, guess: Code, secret: Code | None, rng: Any) -> AnyFeedback:
            return Feedback(3, 1) if len(position.turns) == 2 else Feedback(0, 0)

    runs = arena([Around(cycle=((9,) * 4,)), "random"], [Wrong(), "honest"], "4x6", games=3)

    assert ["made an illegal guess at turn 1", "made an illegal guess at turn 1"] == [
        run.fault.split("around ")[1].split(":")[0] for run in runs[:2]
    ]
    assert "the codemaker wrong gave an impossible answer at turn 3" in runs[2].fault
    assert ("", 3) == (runs[3].fault, len(runs[3].games))


def test_a_series_of_the_classroom_notes_it_and_plays_on() -> None:
    series = play_series(Around(), codemakers.get("cheat"), Rules.parse("4x6"), 2)

    assert [("turns", "around", 0), ("turns", "around", 1)] == [
        (each.kind, each.player, each.game) for each in series.faults
    ]
    assert NOTHING_NEW in series.faults[0].sentence


def test_where_every_code_was_played_the_answers_are_at_fault() -> None:
    class Never:
        def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
            return None

        def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
            return Feedback(0, 0)

    with pytest.raises(ContradictionError, match="no secret fits"):
        play("random", Never(), "2x3", seed=1)


@pytest.mark.parametrize("board", ["1x2", "1x3", "2x2", "2x3", "3x3", "2x3/hard", "3x2/hard"])
def test_chance_goes_on_however_often_it_repeats_itself(board: str) -> None:
    lengths = [len(play("random", "honest", board, seed).turns) for seed in range(300)]

    assert max(lengths) > 4  # and no game was ended for it


@pytest.mark.parametrize(
    ("player", "board", "least"),
    [
        ("random", "3x7", 500),
        ("memory", "3x7", 200),
        ("random", "6x3", 500),
        ("linear", "8x200", 50),
    ],
)
def test_long_games_of_our_own_players_come_to_their_end(player: str, board: str, least: int) -> None:
    games = [play(player, "honest", board, seed) for seed in range(3)]

    assert {"won"} == {game.outcome for game in games}
    assert max(len(game.turns) for game in games) > least


def slowly(turns: Sequence[tuple[int, ...]], guess: int) -> bool:
    """Tell whether turns and guess only repeat themselves, turn by turn."""
    seen, new = set[int](), 0
    for number, turn in enumerate(turns, start=1):
        if turn[0] not in seen:
            seen.add(turn[0])
            new = number
    half = len(turns) // 2
    looked_at = len(turns) in {2**power for power in range(20)}
    return looked_at and guess in seen and new <= half and half >= PATIENCE * (len(seen) + 1)


def test_the_rule_is_what_it_says() -> None:
    rng, found = np.random.default_rng(1), 0
    for _ in range(3000):
        kinds, length = int(rng.integers(1, 12)), int(rng.choice([64, 127, 128, 129, 256, 512]))
        first = int(rng.integers(0, length))
        turns = [(int(rng.integers(kinds)),) for _ in range(length)]
        turns[first] = (int(rng.integers(kinds + 1)),)
        guess = int(rng.integers(kinds + 1))
        found += slowly(turns, guess)

        assert slowly(turns, guess) == bool(repeating(turns, guess))
    assert found > 300
