"""The checks for players of others: good ones pass, and every kind of fault is found and named."""

import random
from typing import Any

import numpy as np
import pytest

from entropeg import codebreakers, codemakers
from entropeg.codebreakers.check import check_codebreaker, inspect_codebreaker
from entropeg.codemakers.check import check_codemaker, inspect_codemaker
from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.feedback import Code, Feedback
from entropeg.position import Position
from entropeg.rules import Rules


@pytest.mark.parametrize("name", ["random", "memory", "consistent", "first-consistent"])
@pytest.mark.parametrize("board", ["3x4", "3x4/positional", "3x5/no-repeats/limit=2"])
def test_built_in_codebreakers_have_no_fault(name: str, board: str) -> None:
    report = inspect_codebreaker(codebreakers.get(name), Rules.parse(board), games=2)

    assert [] == report.faults
    assert report.turns > 0
    assert f"{name}: no fault found in {report.turns} turns" == str(report)


@pytest.mark.parametrize("name", ["honest", "honest:ABC", "cheat", "cheat:first"])
@pytest.mark.parametrize("board", ["3x4", "3x4/membership", "3x5/no-repeats/limit=2"])
def test_built_in_codemakers_have_no_fault(name: str, board: str) -> None:
    assert [] == inspect_codemaker(codemakers.get(name), Rules.parse(board), games=2).faults


class Sound:
    """A codebreaker with nothing wrong, to be spoilt."""

    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return position.candidates[0]


class TooLong(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return (0, 0, 0, 0)


class NoCode(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return None


class Breaks(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return position.candidates[len(position.turns) * 10**6]


class OwnChance(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return position.candidates[random.randrange(len(position.candidates))]


class Counts(Sound):
    def __init__(self) -> None:
        self.calls = 0

    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        self.calls += 1
        return position.candidates[self.calls % len(position.candidates)]


class Remembers(Sound):
    """Plays otherwise once it has seen a game."""

    def __init__(self) -> None:
        self.seen = 0

    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        self.seen = max(self.seen, len(position.turns))
        return position.candidates[min(self.seen, len(position.candidates) - 1)]


class ByIdentity(Sound):
    """Takes an equal position for another one."""

    def __init__(self) -> None:
        self.known: list[Position] = []

    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        if not any(position is one for one in self.known):
            self.known.append(position)
        return position.candidates[len(self.known) % len(position.candidates)]


class FalsePromise(Sound):
    deterministic = True

    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return position.candidates[int(rng.integers(len(position.candidates)))]


class Stuck(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        return (0, 0, 1)


class Vandal(Sound):
    def guess(self, position: Position, rng: np.random.Generator) -> Any:
        guess = position.candidates[0]
        position.__dict__["candidates"] = CodeSet.of([guess], position.rules)
        return guess


class Unpicklable(Sound):
    def __init__(self) -> None:
        self.how = lambda: 0


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (object(), "no method guess"),
        (TooLong(), r"at the start its guess \(0, 0, 0, 0\) is not legal: .* has 4 pegs"),
        (NoCode(), "its guess None is not legal"),
        (Breaks(), "guess raised NoSuchCodeError"),
        (OwnChance(), "drew from a global generator"),
        (Counts(), "asked twice with the same generator it guesses"),
        (ByIdentity(), "an equal position made anew gets another guess"),
        (Remembers(), "a copy made by pickling, which has not played the earlier turns"),
        (FalsePromise(), "promises to be deterministic"),
        (Stuck(), "a game does not end: at turn 129 it guesses AAB again, and for 64 turns it has made no new guess"),
        (Vandal(), "changed the position or a list of codes"),
        (Unpicklable(), "cannot be pickled"),
    ],
)
def test_a_faulty_codebreaker_is_told_what_is_wrong(player: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_codebreaker(player)


def test_every_fault_is_in_one_report() -> None:
    class Dreadful(FalsePromise):
        def __init__(self) -> None:
            self.how = lambda: 0

        def guess(self, position: Position, rng: np.random.Generator) -> Any:
            random.random()
            return super().guess(position, rng)

    report = inspect_codebreaker(Dreadful())

    assert 3 == len(report.faults)
    assert str(report).startswith("Dreadful has 3 faults:\n- it cannot be pickled")


class Fair:
    """A codemaker with nothing wrong, to be spoilt."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> Any:
        return (0, 1, 2)

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        return codemakers.get("honest").answer(position, guess, secret, rng)


class BadSecret(Fair):
    def choose(self, rules: Rules, rng: np.random.Generator) -> Any:
        return (0, 1, 9)


class Fickle(Fair):
    def choose(self, rules: Rules, rng: np.random.Generator) -> Any:
        return (0, 1, random.randrange(4))


class Lies(Fair):
    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        return Feedback(0, 0)


class FoundOut(Lies):
    def choose(self, rules: Rules, rng: np.random.Generator) -> Any:
        return None


class Impossible(Fair):
    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        return Feedback(2, 1)


class Moody(FoundOut):
    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        return Feedback(random.randrange(2), 0)


class Fails(Fair):
    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        raise RuntimeError("no answer")


class DrawsAnyway(Fair):
    deterministic = True

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        rng.random()
        return super().answer(position, guess, secret, rng)


@pytest.mark.parametrize(
    ("player", "message"),
    [
        (object(), r"no method choose(.|\n)*no method answer"),
        (BadSecret(), r"its secret \(0, 1, 9\) is not legal"),
        (Fickle(), "chooses another secret"),
        (Lies(), "though the secret that it chose gives"),
        (FoundOut(), "which no secret fits"),
        (Impossible(), "is not legal"),
        (Moody(), "answers otherwise"),
        (Fails(), "answer raised RuntimeError: no answer"),
        (DrawsAnyway(), "promises to be deterministic"),
    ],
)
def test_a_faulty_codemaker_is_told_what_is_wrong(player: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_codemaker(player)
