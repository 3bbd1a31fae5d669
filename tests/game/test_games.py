"""The loop, the players found by name, the record of a game, and the playthroughs that pin their behavior."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import playthroughs
from entropeg import codebreakers, codemakers
from entropeg.codebreakers import Codebreaker
from entropeg.codes import format_code, secrets
from entropeg.errors import EntropegError, InputError
from entropeg.feedback import Code, Feedback
from entropeg.game import Game, load_game, save_game
from entropeg.loop import play
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from strategies import codes, positions, rules


@pytest.mark.parametrize("breaker", ["random", "memory", "consistent", "first-consistent"])
@pytest.mark.parametrize("maker", ["honest", "cheat", "cheat:first"])
@pytest.mark.parametrize(
    "board",
    ["2x3", "3x3/membership", "2x4/no-repeats/blanks", "3x3/positional", "2x3/blanks-in-secrets/black"],
)
def test_every_player_ends_every_kind_of_game_and_repeats_it_under_the_same_seed(
    breaker: str, maker: str, board: str
) -> None:
    game = play(codebreakers.get(breaker), codemakers.get(maker), Rules.parse(board), seed=4)
    again = play(codebreakers.get(breaker), codemakers.get(maker), Rules.parse(board), seed=4)

    assert game.outcome == "won"
    assert game == again
    assert not game.position.is_contradictory


def test_different_seeds_give_different_games() -> None:
    games = [play(codebreakers.get("consistent"), codemakers.get("honest"), Rules(), seed=seed) for seed in range(5)]

    assert len({game.secret for game in games}) > 1
    assert len({game.turns for game in games}) == 5


def test_a_game_without_a_seed_records_the_one_it_drew() -> None:
    game = play(codebreakers.get("consistent"), codemakers.get("honest"), Rules())

    assert game == play(codebreakers.get("consistent"), codemakers.get("honest"), Rules(), seed=game.seed)


def test_memory_never_repeats_a_guess_and_random_does() -> None:
    memory = play(codebreakers.get("memory"), codemakers.get("cheat"), Rules(2, 4), seed=1)
    random = play(codebreakers.get("random"), codemakers.get("honest"), Rules(2, 12), seed=3)

    assert len(memory) == len({turn.guess for turn in memory.turns})
    assert len(random) > len({turn.guess for turn in random.turns})


def test_memory_says_so_when_every_code_is_played() -> None:
    game = Rules(1, 2)
    position = Position(game, [((0,), Feedback(0)), ((1,), Feedback(0))])

    with pytest.raises(InputError, match="every code"):
        codebreakers.get("memory").guess(position, np.random.default_rng(0))


def test_first_consistent_takes_7471_guesses_on_the_classic_board() -> None:
    game = Rules.parse("4x6")
    breaker = codebreakers.get("first-consistent")
    lengths = [
        len(play(breaker, codemakers.get(f"honest:{format_code(code, game)}"), game, seed=0)) for code in secrets(game)
    ]

    assert sum(lengths) == 7471
    assert [1, 4, 25, 108, 305, 602, 196, 49, 6] == np.bincount(lengths)[1:].tolist()


@settings(max_examples=40)
@given(st.data())
def test_the_cheat_leaves_the_largest_part_and_always_a_candidate(data: st.DataObject) -> None:
    game = data.draw(rules(max_codes=1000, max_pegs=4, max_colors=6))
    position, _ = data.draw(positions(game, max_turns=3))
    guess = data.draw(codes(game))
    answer = codemakers.get("cheat").answer(position, guess, None, np.random.default_rng(0))
    sizes = {feedback: len(position.after(guess, feedback).candidates) for feedback in (answer,)}
    largest = max(np.unique(position.candidates.score(guess), return_counts=True)[1])

    assert [largest] == list(sizes.values())


def test_a_given_secret_must_fit_the_rules() -> None:
    with pytest.raises(InputError, match="uses A twice"):
        play(codebreakers.get("random"), codemakers.get("honest:AABC"), Rules.parse("4x6/no-repeats"), seed=0)


class Illegal:
    """A codebreaker whose guess is given."""

    name = "illegal"

    def __init__(self, guess: Any) -> None:
        self._guess = guess

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        return self._guess  # type: ignore[no-any-return]


NO_GUESSES = [(0, 1, 2), (0, 1, 2, 9), "ABCZ", None, (0.5, "x", 1, 2), np.zeros(4), [0], {0, 1, 2, 3}, b"ABCD"]


@pytest.mark.parametrize("guess", NO_GUESSES, ids=repr)
def test_an_illegal_guess_is_told_with_the_name_of_who_made_it(guess: Any) -> None:
    breaker: Codebreaker = Illegal(guess)
    with pytest.raises(InputError, match="codebreaker illegal made an illegal guess at turn 1: "):
        play(breaker, codemakers.get("honest"), Rules(), seed=0)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("consistant", "did you mean consistent"),
        ("rndom", "did you mean random"),
        ("zzz", "there are random, memory"),
        ("random:speed=3", "is not a parameter it knows; its parameters are: none"),
    ],
)
def test_unknown_codebreakers_and_parameters_are_answered_with_what_there_is(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        codebreakers.get(spec)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("chat", "did you mean cheat"),
        ("cheat:ties=best", "must be one of random, first"),
        ("cheat:tie=first", "parameters are: ties"),
    ],
)
def test_unknown_codemakers_and_parameters_are_answered_with_what_there_is(spec: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        codemakers.get(spec)


def test_a_players_name_makes_an_equal_player() -> None:
    for spec in ("cheat", "cheat:first", "honest", "honest:ABCD"):
        assert codemakers.get(spec) == codemakers.get(codemakers.get(spec).name)  # type: ignore[attr-defined]
        assert spec == codemakers.get(spec).name  # type: ignore[attr-defined]


@pytest.mark.parametrize("registry", [codebreakers.registry, codemakers.registry])
def test_every_named_player_says_what_it_does_and_pickles(registry: Any) -> None:
    for name in registry.names:
        player = registry.get(name) if "required" not in registry.parameters(name).values() else None
        assert registry.summary(name).endswith((".", ":", "`."))
        assert player is None or player == pickle.loads(pickle.dumps(player))  # noqa: S301 (our own bytes)


@settings(max_examples=30)
@given(st.data())
def test_a_game_is_read_back_from_json_and_text(data: st.DataObject) -> None:
    position, secret = data.draw(positions(data.draw(rules(max_codes=3000)), max_turns=5))
    turns = []
    for turn in position.turns[: position.rules.guess_limit]:
        turns.append(turn)
        if turn.guess == secret:
            break
    game = Game(position.rules, tuple(turns), secret, "consistent", "honest", 7)

    assert game == Game.from_json(json.loads(json.dumps(game.to_json())))
    assert game == Game.from_text(game.to_text())


def test_a_game_prints_as_a_board() -> None:
    game = Game(
        Rules(),
        (Turn((0, 0, 1, 1), Feedback(1, 0)), Turn((0, 2, 3, 3), Feedback(0, 0))),
        (1, 4, 4, 1),
        "human",
        "honest",
    )

    assert (
        str(game) == "4x6: human against honest\n1  AABB  X\n2  ACDD  -\nabandoned after 2 guesses; the secret was BEEB"
    )


@pytest.mark.parametrize("suffix", [".json", ".txt"])
def test_a_game_is_saved_and_loaded(tmp_path: Path, suffix: str) -> None:
    game = play(codebreakers.get("consistent"), codemakers.get("honest"), Rules(), seed=2)
    save_game(game, str(tmp_path / f"game{suffix}"))

    assert game == load_game(str(tmp_path / f"game{suffix}"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "not a saved game"),
        ("hello", "not a saved game"),
        ("{", "not valid JSON"),
        ("{}", "not a saved game"),
        ('{"format": "entropeg game 1"}', "has no 'rules'"),
        ('{"format": "entropeg game 1", "rules": 4, "turns": []}', "the saved game has rules 4; it must be a text"),
        ("entropeg game 1\nrules: 4x6\n\nABCZ XX\n", "turn 1: peg 4"),
        ("entropeg game 1\nrules: 4x6\n\nABCD\n", "turn 1 is"),
        ("entropeg game 1\nrules 4x6\n\nABCD X\n", "line 2"),
        ("entropeg game 1\nrules: 4x6\nsecret: ABCD\n\nABCE XX\n", "turn 1: ABCE gets XXX"),
        ("entropeg game 1\nrules: 4x6\n\nABCD XXXX\nABCE X\n", "turn 1 wins the game, yet there are 2 turns"),
    ],
)
def test_a_file_that_is_no_game_is_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "game"
    path.write_text(content)

    with pytest.raises(InputError, match=words):
        load_game(str(path))


def test_files_that_cannot_be_read_or_written_are_told_in_words(tmp_path: Path) -> None:
    game = Game(Rules(), ())
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load_game(str(tmp_path / "missing"))
    with pytest.raises(InputError, match="not a text file"):
        load_game(str(tmp_path / "binary"))
    with pytest.raises(EntropegError, match="cannot be written: No such file"):
        save_game(game, str(tmp_path / "missing" / "game.json"))


@pytest.mark.parametrize("name", sorted(playthroughs.SPECS))
def test_playthroughs_are_as_recorded(name: str) -> None:
    recorded = (playthroughs.FOLDER / f"{name}.txt").read_text(encoding="utf-8")

    assert recorded == playthroughs.record(name)
