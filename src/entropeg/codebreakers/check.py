"""Checks that a codebreaker keeps the promises that everything else relies on, for those who write their own."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import numpy as np

from entropeg import arguments, codebreakers
from entropeg.codes import check_listable, format_code, guesses, random_secret, secrets
from entropeg.errors import InputError
from entropeg.feedback import Code, score_trusted
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.told import Joined, Template, Told, plural, word

SMALL = Rules.parse("3x4")
"""The board on which players are checked unless another is given: 64 codes."""


@dataclass
class Report:
    """The result of a check: the player's name, the faults, one sentence each, and how many turns were played."""

    player: str
    faults: list[str] = field(default_factory=list)
    turns: int = 0
    _kinds: set[str] = field(default_factory=set, repr=False)

    @property
    def ok(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    def add(self, kind: str, fault: str) -> None:
        """Note a fault, the first of each kind only."""
        if kind not in self._kinds:
            self._kinds.add(kind)
            self.faults.append(fault)

    def raise_faults(self) -> None:
        """Raise InputError naming every fault, if there is one."""
        if self.faults:
            raise InputError(str(self))

    def __str__(self) -> str:
        """Name every fault, one a line."""
        if self.ok:
            return Told("{player}: no fault found in {turns} turns", self.player, self.turns)
        faults = plural(len(self.faults), "a fault", "{n} faults")
        head = Told("{player} has {faults}:", self.player, faults)
        return Joined([head, *(Joined(["- ", fault]) for fault in self.faults)], "\n")


def check_codebreaker(player: Any, rules: Rules | str = SMALL, *, games: int = 4, seed: int = 0) -> None:
    """Raise InputError naming every fault that `inspect_codebreaker` finds; do nothing where there is none.

    >>> check_codebreaker("consistent", "3x3")
    """
    inspect_codebreaker(player, rules, games=games, seed=seed).raise_faults()


def inspect_codebreaker(player: Any, rules: Rules | str = SMALL, *, games: int = 4, seed: int = 0) -> Report:
    """Play a few games and report every fault found.

    Looked for: guesses that the rules forbid; guesses that differ for the same position and generator (chance of its
    own, or a memory that changes its play); a promise `deterministic` that is not kept; games that do not end; a
    position or list of codes changed; an object that cannot be pickled, or plays otherwise once unpickled. A guess
    that never returns cannot be reported. Needs a board whose codes can be listed. Raises InputError where rules, games
    or seed cannot be right, or no player has the name that was given.
    """
    player = codebreakers.get(player) if isinstance(player, str) else player
    rules, games, seed = checked_plan(rules, games, seed)
    report = Report(name_of(player))
    if not callable(getattr(player, "guess", None)):
        report.add("method", Told("it has no method guess(position, rng)"))
        return report
    copy = copier(player, report)
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        _play(player, copy, rules, random_secret(rules, rng), rng, report)
    return report


def checked_plan(rules: Rules | str, games: int, seed: int) -> tuple[Rules, int, int]:
    """Return rules, games and seed of a check, or raise InputError where they cannot be right."""
    rules = Rules.of(rules)
    check_listable(rules)
    games = arguments.whole(games, "the number of games", least=1, most=10_000)
    return rules, games, arguments.seed(seed)


def _play(
    player: Any, copy: Callable[[], Any], rules: Rules, secret: Code, rng: np.random.Generator, report: Report
) -> None:
    position = Position(rules)
    while not position.is_over:
        turn = len(position.turns)
        seed = int(rng.integers(1 << 32))
        # Later turns are only played, not looked at closely.
        close = turn < 12
        guess = _guess(player, position, seed, report, watch=close)
        if guess is None:
            return
        if endless := position.endless(guess):
            report.add("end", Told("a game does not end: {endless}", endless))
            return
        if close:
            _probe(player, copy(), position, seed, guess, report)
        report.turns += 1
        position = position.after_trusted(guess, score_trusted(guess, secret, rules))


@contextmanager
def drawing(player: Any, where: str, seed: int, report: Report) -> Iterator[np.random.Generator]:
    """Give a generator for the enclosed call of a player; report that it was used, where the player promises not to."""
    rng = np.random.default_rng(seed)
    before = rng.bit_generator.state
    yield rng
    if getattr(player, "deterministic", False) is True and rng.bit_generator.state != before:
        report.add("promise", Told("{where} it drew from the generator, though it promises to be deterministic", where))


def _guess(player: Any, position: Position, seed: int, report: Report, *, watch: bool = True) -> Code | None:
    where = describe(position)
    try:
        with (
            drawing(player, where, seed, report) as rng,
            watched(position, "guess", report) if watch else nullcontext(),
        ):
            guess = player.guess(position, rng)
    except Exception as error:  # noqa: BLE001 (whatever a foreign player raises is a fault of its own)
        report.add("raise", Told("{where} guess raised {name}: {error}", where, type(error).__name__, error))
        return None
    try:
        return position.check_guess(guess)
    except InputError as error:
        report.add("legal", Told("{where} its guess {guess!r} is not legal: {error}", where, guess, error))
        return None


def _probe(player: Any, twin: Any, position: Position, seed: int, guess: Code, report: Report) -> None:
    # The same question asked again, of a rebuilt position, and of a copy that has not seen the earlier turns.
    where, quiet = describe(position), Report("")
    rebuilt = Position(position.rules, position.turns)
    shown = format_code(guess, position.rules)
    twice = Template("{where} asked twice with the same generator it guesses {guess} and {other}")
    anew = Template("{where} an equal position made anew gets another guess: {guess} and {other}")
    unpickled = Template(
        "{where} a copy made by pickling, which has not played the earlier turns, guesses otherwise: {guess} "
        "and {other}"
    )
    asked = [("again", player, position, twice), ("rebuilt", player, rebuilt, anew), ("twin", twin, rebuilt, unpickled)]
    for kind, who, of, says in asked:
        other = None if who is None else _guess(who, of, seed, quiet)
        if other is not None and other != guess:
            report.add(kind, Told(says, where, shown, format_code(other, position.rules)))
            return
    if getattr(player, "deterministic", False) is True:
        other = _guess(player, position, seed + 1, quiet)
        if other is not None and other != guess:
            said = Told("{where} its guess depends on the generator, though it promises to be deterministic", where)
            report.add("promise", said)


def describe(position: Position) -> str:
    """Say where in a game a position is, for a report."""
    return Told("after {position},", position) if position.turns else word("check", "at the start")


def copier(player: Any, report: Report) -> Callable[[], Any]:
    """Return a function that makes copies of the player as it is now, by pickling; they are None where that fails."""
    try:
        frozen = pickle.dumps(player)
        pickle.loads(frozen)  # noqa: S301 (pickled a moment ago)
    except Exception as error:  # noqa: BLE001 (pickling runs foreign code)
        report.add("pickle", Told("it cannot be pickled, so other processes cannot play it: {error}", error))
        return lambda: None
    return lambda: pickle.loads(frozen)  # noqa: S301 (as above)


@contextmanager
def watched(position: Position, method: str, report: Report) -> Iterator[None]:
    """Report changes by the enclosed call: to the position, the lists of codes, the global generators."""
    before = _picture(position)
    hidden = _global_generators()
    try:
        yield
    finally:
        where = describe(position)
        if hidden != _global_generators():
            said = Told("{where} {method} drew from a global generator instead of the one it was given", where, method)
            report.add("global", said)
        if before != _picture(position):
            report.add("mutation", Told("{where} {method} changed the position or a list of codes", where, method))


def _global_generators() -> tuple[object, ...]:
    numpy = np.random.get_state(legacy=False)  # noqa: NPY002 (to see whether a player uses it)
    state = numpy["state"]
    return random.getstate(), state["pos"], state["key"].tobytes()


def _picture(position: Position) -> tuple[object, ...]:
    lists = (position.candidates, secrets(position.rules), guesses(position.rules))
    digests = tuple(sha256(codes.planes.tobytes()).digest() for codes in lists)
    return (str(position.rules), tuple(position.turns), *digests)
