"""Tells the level of play by the built-in codebreakers that lose as much a game on the same board.

The loss of a deterministic player is exact: its mean over all secrets, less that of the best play. That of a player
that draws at random is the mean over seeded games, reviewed. Nothing is kept for a board: the order of players changes
with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments, codebreakers
from entropeg.advise.expectation import Expectation
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.experiments.confidence import Z, half_width
from entropeg.experiments.match import game_seed
from entropeg.experiments.runner import arena
from entropeg.loop import play
from entropeg.plain_values import PlainValue
from entropeg.review.account import Review, review, reviews_of
from entropeg.review.turns import ROUNDED, is_known
from entropeg.rules import Rules
from entropeg.search.grow import one_step
from entropeg.told import Told, plural
from entropeg.tree import StrategyTree

PLAYERS = tuple(
    name for name in codebreakers.registry.placed("strength") if not codebreakers.registry.rows[name].is_blind
)
"""The codebreakers that a level is told by, beside `optimal`, which loses nothing."""
ENOUGH = 10
"""Fewest games of which a level is said; of fewer, a range."""
SECONDS = 10.0
"""For the players of a board, about."""


@dataclass(frozen=True)
class PlayerLoss(PlainValue):
    """What a codebreaker loses a game on a board; `error` is half the width of its 95 % interval, 0 where it is exact.

    That of a mean over all secrets is the error of par.

    `spread` is the standard deviation over games where they were sampled, else None.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("name", "loss", "error")

    name: str
    loss: float
    error: float = 0.0
    spread: float | None = None


@dataclass(frozen=True)
class Level(PlainValue):
    """What some games lost on average, and the codebreakers around it, those that lose most first.

    `error` is half the width of the 95 % interval of `loss`, from the games. `weaker` is the nearest player that loses
    more, None where none does, `stronger` the nearest that loses less: than the mean where `is_range` is False, than
    all of the interval where it is True.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("games", "loss", "error", "weaker=weaker.name", "stronger=stronger.name", "is_range"),
        *("players", "says=sentence"),
    )

    games: int
    loss: float
    error: float
    players: tuple[PlayerLoss, ...]
    weaker: PlayerLoss | None
    stronger: PlayerLoss
    is_range: bool

    def __repr__(self) -> str:
        return f"<Level of {plural(self.games, '{n} game', '{n} games')}: {self.sentence.removeprefix('level: ')}>"

    @property
    def sentence(self) -> str:
        """The level in words."""
        lost = Told("{loss:.2f} ± {error:.2f} lost a game", self.loss, self.error)
        if self.is_range:
            if self.weaker is not None and self.weaker.loss == self.stronger.loss:
                return plural(
                    self.games,
                    "level: as {player}: {lost}, and one game says no more",
                    "level: as {player}: {lost}, and {n} games say no more",
                    *(_told(self.stronger), lost),
                )
            start = _told(self.weaker) if self.weaker else Told("weaker than {player}", _told(self.players[0]))
            return plural(
                self.games,
                "level: anything from {weakest} to {strongest}: {lost}, and one game says no more",
                "level: anything from {weakest} to {strongest}: {lost}, and {n} games say no more",
                *(start, _told(self.stronger), lost),
            )
        if self.weaker is None:
            return Told("level: weaker than {player}: {lost}", _told(self.players[0]), lost)
        if self.weaker.loss == self.stronger.loss:  # of players that lose as much one is named
            return Told("level: as {player}: {lost}", _told(self.stronger), lost)
        return Told("level: between {weaker} and {stronger}: {lost}", _told(self.weaker), _told(self.stronger), lost)


def _told(player: PlayerLoss) -> Told:
    if not player.error:
        return Told("{player} ({loss:.2f})", player.name, player.loss)
    return Told("{player} ({loss:.2f} ± {error:.2f})", player.name, player.loss, player.error)


def level_of(reviews: Sequence[Review], *, time: float = SECONDS, seed: int = 0) -> Level | None:
    """Say which codebreakers lose as much a game as some reviewed games did, all by the same rules.

    From ten games on the players between which the mean lies; of fewer games those between which its 95 % interval
    lies, whose spread is then at least that of `consistent`. None where no player can be measured on the board, or
    nobody knows what the games lost. Seeded games of `consistent` are played and reviewed, for about ``time``
    seconds: once for each board.

    Raises InputError where there is no review, or they are of different rules.
    """
    reviews = reviews_of(reviews)
    if not reviews:
        raise InputError("there is no review to tell a level by")
    if len({one.position.rules.board for one in reviews}) > 1:
        raise InputError("a level is told by games of the same rules: these are of several")
    losses = [one.loss.value for one in reviews if one.is_known]
    return level_of_losses(reviews[0].position.rules, reviews[0].par, losses, time=time, seed=seed)


def level_of_losses(
    rules: Rules, par: Expectation, losses: Sequence[float], *, time: float = SECONDS, seed: int = 0
) -> Level | None:
    """Return the level of games that lost so much on a board whose best play takes `par`: `level_of` without reviews.

    >>> from entropeg.review.assessment import optimum_of
    >>> par = Expectation.of(optimum_of(Rules.parse("4x6")))
    >>> level_of_losses(Rules.parse("4x6"), par, [0.1] * 12, time=0.2).sentence
    'level: between minimax (0.14) and entropy (0.07): 0.10 ± 0.00 lost a game'
    """
    time, seed = arguments.number(time, "the time"), arguments.seed(seed)
    if not losses:
        return None
    players = player_losses(rules, par, time=time, seed=seed)
    return placed(losses, players) if len(players) > 1 else None


def placed(losses: Sequence[float], players: Sequence[PlayerLoss]) -> Level:
    """Return the level of games by their losses, among players, those that lose most first.

    >>> players = [PlayerLoss("consistent", 0.33), PlayerLoss("minimax", 0.136), PlayerLoss("optimal", 0.0)]
    >>> placed([0.2, 0.3] * 6, players).sentence
    'level: between consistent (0.33) and minimax (0.14): 0.25 ± 0.03 lost a game'
    >>> placed([0.2], [PlayerLoss("consistent", 0.9, spread=0.3), *players[1:]]).sentence
    'level: anything from consistent (0.90) to optimal (0.00): 0.20 ± 0.59 lost a game, and one game says no more'
    """
    mean, error = fmean(losses), half_width(losses) or 0.0
    is_range = len(losses) < ENOUGH
    if is_range:
        # Too few for a spread of their own: it is taken from the sampled player, and grows as the root of the loss.
        likely = [one.spread * sqrt(max(1.0, mean / one.loss)) for one in players if one.spread and one.loss > 0]
        own = stdev(losses) if len(losses) > 1 else 0.0
        error = Z * max([own, *likely]) / sqrt(len(losses))
    high, low = (mean + error, mean - error) if is_range else (mean, mean)
    weaker = next((one for one in reversed(players) if one.loss >= high - ROUNDED), None)
    stronger = next((one for one in players if one.loss <= low + ROUNDED), players[-1])
    if stronger.loss == players[-1].loss:
        stronger = players[-1]
    return Level(len(losses), mean, error, tuple(players), weaker, stronger, is_range)


def player_losses(
    rules: Rules | str, par: Expectation, *, time: float = SECONDS, seed: int = 0
) -> tuple[PlayerLoss, ...]:
    """Return what each built-in codebreaker loses a game on a board, those that lose most first; `optimal` is the last.

    ``par`` is the expected number of guesses of the best play. Players that do not play by these rules are left out,
    and all where the board is so large that whole strategies take too long.

    >>> from entropeg.review.assessment import optimum_of
    >>> found = player_losses("4x6", Expectation.of(optimum_of(Rules.parse("4x6"))), time=0.5)
    >>> [(one.name, round(one.loss, 3)) for one in found if not one.error]
    [('first-consistent', 1.424), ('minimax', 0.136), ('entropy', 0.075), ('parts', 0.033), ('optimal', 0.0)]
    """
    par = arguments.instance(par, Expectation, "par", "such as review(game).par")
    time, seed = arguments.number(time, "the time"), arguments.seed(seed)
    return _losses(Rules.of(rules).board, par, time, seed) if is_known(par) else ()


@lru_cache(maxsize=16)
def _losses(rules: Rules, par: Expectation, seconds: float, seed: int) -> tuple[PlayerLoss, ...]:
    # On boards of more pairs of a guess and a secret a player's whole strategy takes too long.
    if rules.secret_count * rules.guess_count > 2_000_000_000:
        return ()
    began, found = perf_counter(), []
    for name in PLAYERS:
        try:
            player = codebreakers.get(name)
            if getattr(player, "deterministic", False):
                loss = _mean(name, rules) - par.value
                found.append(PlayerLoss(name, 0.0 if abs(loss) < ROUNDED else loss, par.error))
            else:
                found.append(_sampled(name, rules, began + seconds - perf_counter(), seed))
        except InputError:  # it does not play by these rules
            continue
    found.sort(key=lambda one: -one.loss)
    return (*found, PlayerLoss("optimal", 0.0))


def _mean(name: str, rules: Rules) -> float:
    return float(np.dot(guesses_of(name, rules).astype(np.float64), secrets(rules).chances))


def guesses_of(name: str, rules: Rules) -> NDArray[np.int64]:
    """Return how many guesses a deterministic player takes for every secret: `int64[secrets]`, exact."""
    if one_step(codebreakers.get(name), rules) is not None:
        return np.asarray(StrategyTree.build(name, rules).turns, np.int64)
    return np.asarray(arena(name, "honest", rules, all_secrets=True, jobs=1)[0].guesses, np.int64)


def _sampled(name: str, rules: Rules, seconds: float, seed: int) -> PlayerLoss:
    end = perf_counter() + seconds
    codemaker = "honest" if rules.prior is None else "biased"  # which draws by the prior
    losses: list[float] = []
    # As many games as the time allows, from 20 to 200.
    while len(losses) < 200 and (len(losses) < 20 or perf_counter() < end):
        game = play(name, codemaker, rules, seed=game_seed(seed, len(losses)))
        losses.append(review(game.position, time=1.0).loss.value)
    return PlayerLoss(name, fmean(losses), half_width(losses) or 0.0, stdev(losses))
