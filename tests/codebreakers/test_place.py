"""Marks by place on large boards: games, hard rules, answers that contradict each other, and a plain player beside."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from entropeg import Marks, Position, Rules, codebreakers, codemakers, play, score
from entropeg.codebreakers.belief.player import Belief
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codebreakers.place import player
from entropeg.codebreakers.place.knowledge import Placed
from entropeg.codebreakers.place.player import ByPlace
from entropeg.codes import random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code, from_label

RNG = np.random.default_rng(0)

BOARDS = [
    "4x6/positional",
    "1x9/positional",
    "9x1/positional",
    "9x2/positional",
    "1x1/positional",
    "8x12/positional",
    "20x6/positional",
    "6x40/positional",
    "4x300/positional",
    "10x10/no-repeats/positional",
    "8x12/no-repeats/positional",
    "8x12/no-repeats/guess-repeats/positional",
    "10x8/blanks/positional",
    "10x8/blanks-in-secrets/positional",
    "9x10/no-repeats/blanks/positional",
    "9x5/no-repeats/blanks-in-secrets/positional",
]


@pytest.mark.parametrize("form", ["", "/hard"])
@pytest.mark.parametrize("board", BOARDS)
def test_games_are_won_and_repeat_by_their_seed(board: str, form: str) -> None:
    rules, maker = Rules.parse(board + form), codemakers.get("honest")
    for seed in range(2):
        game = play(codebreakers.get("place"), maker, rules, seed)

        # A guess that the rules forbid, as one that leaves out a clue of hard rules, ends a game with an error.
        assert game.outcome == "won"
        assert play(ByPlace(), maker, rules, seed) == game


def test_large_boards_take_the_guesses_that_were_measured() -> None:
    for board, games, most in (("20x6", 10, 5.3), ("20x20", 10, 9.2), ("40x40/hard", 3, 18), ("100x100", 1, 44)):
        rules = Rules.parse(board if "hard" in board else f"{board}/positional")
        guesses = [len(play("place", "honest", rules, seed=seed)) for seed in range(games)]

        assert sum(guesses) <= most * games


class StrikeOut:
    """A plain player: any code of colors that no answer has struck from a peg, those that are known to occur first."""

    def __init__(self, rules: Rules, rng: np.random.Generator) -> None:
        """Start with every color on every peg."""
        self.rng, self.may = rng, np.ones((rules.pegs, rules.colors), np.bool_)
        self.least, self.most = np.zeros(rules.colors, int), np.full(rules.colors, rules.pegs)

    def take(self, guess: Code, marks: Marks) -> None:
        """Strike out what the marks of one guess exclude."""
        for peg, (color, mark) in enumerate(zip(guess, marks, strict=True)):
            self.may[peg, color] = mark == 2
            if mark == 2:
                self.may[peg] = np.arange(len(self.least)) == color
        for color in set(guess):
            marked = sum(mark > 0 for one, mark in zip(guess, marks, strict=True) if one == color)
            self.least[color] = max(self.least[color], marked)
            if marked < guess.count(color):
                self.most[color] = marked

    def guess(self) -> Code:
        """Give the pegs of fewest colors theirs first; where that leads nowhere, try again."""
        code = [-1] * len(self.may)
        for _ in range(2000):
            code, count = [-1] * len(self.may), np.zeros_like(self.least)
            for peg in np.lexsort((self.rng.random(len(code)), self.may.sum(axis=1))):
                colors = np.flatnonzero(self.may[peg] & (count < self.most))
                needed = colors[count[colors] < self.least[colors]]
                colors = needed if len(needed) and self.rng.random() < 0.7 else colors
                if not len(colors):
                    break
                code[peg] = int(self.rng.choice(colors))
                count[code[peg]] += 1
            if min(code) >= 0 and (count >= self.least).all():
                break
        return tuple(max(color, 0) for color in code)


def struck_out(rules: Rules, secret: Code, seed: int) -> int:
    """Return the guesses that the plain player takes."""
    player = StrikeOut(rules, np.random.default_rng(seed))
    for turn in range(1, 200):
        guess = player.guess()
        if guess == secret:
            return turn
        marks = score(guess, secret, rules)
        assert isinstance(marks, Marks)
        player.take(guess, marks)
    raise AssertionError


def placed(rules: Rules, secret: Code, seed: int) -> int:
    """Return the guesses that `place` takes."""
    position, player, rng = Position(rules), ByPlace(), np.random.default_rng(seed)
    while not position.is_won:
        guess = player.guess(position, rng)
        position = position.after(guess, score(guess, secret, rules))
    return len(position.turns)


@pytest.fixture(params=[100_000, 60])
def plain(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play every board as those beyond 100 pegs, with a table for the last pegs, or for hardly any."""
    monkeypatch.setattr(player, "MOST_PEGS", 0)
    monkeypatch.setattr(player, "TABLED", request.param)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("form", ["", "/hard"])
@pytest.mark.parametrize("board", BOARDS)
def test_without_chances_games_are_won_too(board: str, form: str) -> None:
    rules = Rules.parse(board + form)
    for seed in range(3):
        game = play(ByPlace(), "honest", rules, seed)

        assert game.outcome == "won"
        assert play(ByPlace(), "honest", rules, seed) == game


@pytest.mark.usefixtures("plain")
def test_without_chances_large_boards_take_hardly_more_guesses() -> None:
    for board, most in (("20x20/positional", 10), ("40x40/hard", 17), ("30x40/no-repeats/positional", 18.5)):
        assert np.mean([len(play(ByPlace(), "honest", board, seed)) for seed in range(10)]) <= most


@pytest.mark.usefixtures("plain")
def test_without_chances_it_keeps_the_promises_of_a_codebreaker() -> None:
    for board in ("4x5/positional", "4x5/no-repeats/blanks/hard"):
        check_codebreaker(ByPlace(), board)


@pytest.mark.usefixtures("plain")
def test_without_chances_answers_that_contradict_each_other_are_told() -> None:
    for turns in (["AAA XX.", "AAA X.."], ["ABC ...", "DDD ..."], ["AAB X..", "ABB .X."]):
        with pytest.raises(ContradictionError, match="at least one answer is wrong"):
            ByPlace().guess(Position("3x4/positional", turns), RNG)


def test_boards_of_hundreds_of_pegs_are_played_and_of_thousands() -> None:
    for board, most in (("200x20/hard", 20), ("300x400/no-repeats/hard", 200)):
        assert len(play("place", "honest", board, seed=1)) <= most
    for board in ("99999x3/hard", "2x99999/positional", "2000x3000/no-repeats/hard"):
        rules = Rules.parse(board)
        secret, position = random_secret(rules, RNG), Position(rules)
        for _ in range(3):
            guess = ByPlace().guess(position, RNG)
            position = position.after(guess, score(guess, secret, rules))  # or the guess is refused


def test_it_takes_fewer_guesses_than_a_player_that_only_strikes_out() -> None:
    rules, games = Rules.parse("12x26/positional"), 12
    hidden = [random_secret(rules, np.random.default_rng(seed)) for seed in range(7000, 7000 + games)]
    ours = np.array([placed(rules, secret, seed) for seed, secret in enumerate(hidden)])
    plain = np.array([struck_out(rules, secret, seed) for seed, secret in enumerate(hidden)])

    assert (plain - ours).mean() > 2 * (plain - ours).std(ddof=1) / games**0.5 > 0


def test_it_keeps_the_promises_of_a_codebreaker() -> None:
    check_codebreaker(ByPlace(), Rules.parse("4x5/positional"))
    check_codebreaker(ByPlace(passes=4, starts=1, sweeps=1, listed=2), Rules.parse("4x4/no-repeats/hard"))


@pytest.mark.parametrize("board", ["12x26/positional", "12x12/hard"])
def test_memory_changes_no_guess(board: str) -> None:
    rules, breaker = Rules.parse(board), ByPlace()
    secret = random_secret(rules, np.random.default_rng(5))
    position, positions = Position(rules), []
    while not position.is_won:
        positions.append(position)
        guess = breaker.guess(position, np.random.default_rng(len(position.turns)))
        position = position.after(guess, score(guess, secret, rules))
    for place in reversed(positions):
        fresh = pickle.loads(pickle.dumps(breaker))  # noqa: S301 (our own bytes)

        assert position.turns[len(place.turns)].guess == fresh.guess(place, np.random.default_rng(len(place.turns)))


PLAYED = """
import json
from entropeg import play
boards = ["5x4/positional", "4x5/hard", "4x6/no-repeats/positional", "4x3/blanks-in-secrets/positional"]
games = [play("place:listed=30,tries=20,passes=6", "honest", board, seed=1) for board in boards]
print(json.dumps([[turn.guess for turn in game.turns] for game in games]))
"""


def test_games_are_the_same_with_kernels_and_without() -> None:
    def games(mode: str) -> list[list[list[int]]]:
        environment = {**os.environ, "ENTROPEG_KERNELS": mode}
        done = subprocess.run(
            [sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True, check=True
        )
        found: list[list[list[int]]] = json.loads(done.stdout)
        return found

    assert games("no") == games("always")


def test_it_takes_over_any_game() -> None:
    rules = Rules.parse("15x10/positional")
    rng = np.random.default_rng(8)
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(4):
        guess = random_guess(rules, rng)
        position = position.after(guess, score(guess, secret, rules))
    breaker = ByPlace()
    while not position.is_won:
        guess = breaker.guess(position, rng)
        position = position.after(guess, score(guess, secret, rules))

    assert secret == position.turns[-1].guess


def test_without_repeats_chances_are_near_the_shares_of_codes_that_fit() -> None:
    for board in ("5x5/positional", "5x6/no-repeats/positional"):
        rules, rng = Rules.parse(board), np.random.default_rng(4)
        secret = random_secret(rules, rng)
        guesses = [random_guess(rules, rng) for _ in range(2)]
        position = Position(rules, [(guess, score(guess, secret, rules)) for guess in guesses])
        known = Placed(rules, 60)
        known.follow(position.turns)
        codes = np.array([list(code) for code in position.candidates])
        shares = np.array([np.bincount(codes[:, peg], minlength=rules.colors) / len(codes) for peg in range(5)])

        assert shares == pytest.approx(known.chances, abs=0.08)
        assert ((shares > 0) <= known.domains.allowed).all()


@pytest.mark.parametrize("board", ["20x20/positional", "20x20/hard", "60x60/positional"])
def test_answers_that_contradict_each_other_are_named(board: str) -> None:
    rules, breaker, rng = Rules.parse(board), ByPlace(), np.random.default_rng(3)
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(2):
        guess = breaker.guess(position, rng)
        position = position.after(guess, score(guess, secret, rules))
    guess = breaker.guess(position, rng)
    marks = [*score(guess, secret, rules)]
    true = position.after(guess, marks)
    wrong = next(
        peg for peg in range(rules.pegs) if secret[peg] != guess[peg] and guess[peg] != position.turns[0].guess[peg]
    )
    marks[wrong] = 2
    forged = position.after(guess, marks)

    assert breaker.guess(true, rng)  # the control: the true answer contradicts nothing
    with pytest.raises(ContradictionError, match=r"turn 3 .* together"):
        play_on(breaker, forged, secret)


def play_on(breaker: ByPlace, position: Position, secret: Code) -> None:
    """Play until a guess is refused."""
    for _ in range(60):
        guess = breaker.guess(position, RNG)
        position = position.after(guess, score(guess, secret, position.rules))


@pytest.mark.parametrize("board", ["1x1", "2x2", "2x3/no-repeats", "2x2/no-repeats/blanks-in-secrets"])
def test_where_every_secret_was_played_in_vain_it_stops(board: str) -> None:
    rules = Rules.parse(f"{board}/positional")
    position = Position(rules, [(secret, from_label(0, rules)) for secret in secrets(rules)])
    with pytest.raises(ContradictionError, match="no secret fits"):
        ByPlace().guess(position, RNG)


def test_whites_move_its_guess_and_not_that_of_belief() -> None:
    rules = Rules.parse("14x14/positional")
    guess = tuple(range(14))
    told = [Position(rules, [(guess, (2, 2, *whites))]) for whites in ([1] * 12, [0] * 12, [1] * 6 + [0] * 6)]

    def guesses(player: ByPlace | Belief) -> list[Code]:
        return [player.guess(position, np.random.default_rng(1)) for position in told]

    assert len(set(guesses(ByPlace()))) == 3
    assert len(set(guesses(Belief()))) == 1


@pytest.mark.parametrize("board", ["4x6", "4x6/black", "4x6/membership", "4x25/shapes=5", "words:english"])
def test_rules_beyond_it_are_refused(board: str) -> None:
    with pytest.raises(InputError, match="place"):
        ByPlace().guess(Position(Rules.parse(board)), RNG)


@pytest.mark.parametrize("option", ["passes=0", "starts=0", "sweeps=-1", "listed=1", "tries=-1"])
def test_parameters_without_meaning_are_refused(option: str) -> None:
    with pytest.raises(InputError, match="must be"):
        codebreakers.get(f"place:{option}")
