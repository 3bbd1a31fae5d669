"""Compares codebreakers at one position: the guess of each, rated beside the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from entropeg import arguments, codebreakers
from entropeg.advise.advice import Advice, advise
from entropeg.advise.notes import Notes
from entropeg.advise.question import SECONDS, NotedPosition
from entropeg.advise.rated import RatedGuess
from entropeg.codebreakers import Codebreaker
from entropeg.codebreakers.onestep import OneStep
from entropeg.errors import EntropegError, TooLargeError
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.symmetry import guess_kinds
from entropeg.told import Told

OPTIMAL = "optimal"
"""The best guess known, as advice and reviews find it: no codebreaker by itself."""
PLAYERS = (*codebreakers.registry.placed("strength"), OPTIMAL)
"""The players that are compared unless the caller names others, and that are asked how hard a puzzle is."""


@dataclass(frozen=True)
class PlayerView(PlainValue):
    """What one codebreaker would play at a position.

    `guess` and `rated` are None where it cannot play here, and `reason` says why in one sentence. Of `optimal` it says
    where the guess is the best known and not proven to be the best. Of codebreakers that draw at random the guess is
    one of those that they may play, drawn by the seed.
    """

    player: str
    guess: Code | None
    """Null where it cannot play here."""
    rated: RatedGuess | None
    reason: str = ""
    """Why it cannot play here; of `optimal`, where the guess is the best known and not proven to be the best."""


def compare_players(
    board: Position | Notes | Rules | str,
    players: Iterable[Codebreaker | str] = PLAYERS,
    *,
    time: float = SECONDS,
    seed: int = 0,
) -> tuple[PlayerView, ...]:
    """Return the guess of each codebreaker at a position, all rated by one call of `advise`: see there.

    Raises what `advise` raises, and InputError for a name that no codebreaker has.

    >>> for view in compare_players(Position("4x6", ["AABB X"]), ["first-consistent", "minimax", "optimal"]):
    ...     print(view.player, view.rated.expected)
    first-consistent = 3.703
    minimax = 3.527
    optimal = 3.508
    """
    wanted = [
        player if player == OPTIMAL else codebreakers.of(player)
        for player in arguments.items(players, "the codebreakers", '["minimax", "entropy"]')
    ]
    time, seed = arguments.number(time, "the time"), arguments.seed(seed)
    noted = NotedPosition.of(board, seed)
    guesses = [None if player == OPTIMAL else _guess(player, noted, seed) for player in wanted]
    asked = list(dict.fromkeys(guess for guess in guesses if isinstance(guess, tuple)))
    advice = advise(board, limit=1, also=asked, time=time, seed=seed)
    rated = dict(zip(asked, advice.also, strict=True))
    return tuple(
        _best(advice) if guess is None else _view(name_of(player), guess, rated)
        for player, guess in zip(wanted, guesses, strict=True)
    )


def _view(player: str, guess: Code | str, rated: dict[Code, RatedGuess]) -> PlayerView:
    if isinstance(guess, str):
        return PlayerView(player, None, None, guess)
    return PlayerView(player, guess, rated[guess])


def _best(advice: Advice) -> PlayerView:
    known = (advice.best, *advice.also)
    best = advice.best if advice.is_proven else min(known, key=lambda one: one.expected.value)
    reason = "" if advice.is_proven else Told("the best guess known, which is not proven to be the best")
    return PlayerView(OPTIMAL, best.guess, best, reason)


def _guess(player: Codebreaker, noted: NotedPosition, seed: int) -> Code | str:
    """The guess of a codebreaker, or why there is none."""
    if not noted.is_complete:
        return Told("it knows complete rows only, and these notes have unknown pegs or marks")
    position = noted.position
    try:
        if isinstance(player, OneStep):
            check_pairs(position)
        return tuple(player.guess(position, np.random.default_rng(seed)))
    except EntropegError as error:
        return str(error)


def check_pairs(position: Position) -> None:
    """Raise TooLargeError where to weigh every guess, as one-step codebreakers do, takes too long."""
    codes = len(position.candidates)
    most = 1 << 31 if switch.can_compile() else 1 << 27
    if codes * position.rules.guess_count <= most:
        return
    kinds = guess_kinds(position)
    if kinds is None or codes * len(kinds) > most:
        raise TooLargeError("to weigh every guess on the {codes:,} codes left takes too long", codes)
