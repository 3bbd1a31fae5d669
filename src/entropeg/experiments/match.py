"""Sets one codebreaker against one codemaker under fixed rules, and gives each of its games a seed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments, codebreakers, codemakers
from entropeg.codebreakers import Codebreaker
from entropeg.codemakers import Codemaker
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.experiments.results import Run
from entropeg.feedback import AnyFeedback, Code
from entropeg.game import Game
from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.loop import generators, play
from entropeg.position import Position
from entropeg.registry import Registry, name_of
from entropeg.rules import Rules
from entropeg.told import Template, Told


def game_seed(seed: int, game: int) -> int:
    """Return the seed of one game of an experiment: `play(..., seed=game_seed(seed, game))` repeats it.

    It depends on the two numbers alone. Different games of one experiment have different streams: the seeds are the
    outputs of SplitMix64 (Steele, Lea, Flood 2014), cut to 53 bits. Raises InputError where one of the numbers is
    negative.

    >>> game_seed(0, 1) == game_seed(0, 1) != game_seed(1, 0)
    True
    """
    if arguments.whole(game, "the number of the game", most=(1 << 62) - 1) < 0:
        raise InputError("there is no game number {game}: games count from 0", game)
    return int(game_seeds(seed, np.array([game]))[0])


def game_seeds(seed: int, games: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return the seeds of many games at once: `uint64[n]`, the same numbers as `game_seed`."""
    seed = arguments.seed(seed)
    base = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    words = mixed(base + (games.astype(np.uint64) + np.uint64(1)) * GAMMA)
    return np.asarray(words >> np.uint64(64 - 53))  # every JSON reader gives whole numbers below 2**53 back exactly


@dataclass(frozen=True)
class Match:
    """Who plays whom, under which rules, from which seed; `all_secrets` means that game i hides secret number i.

    Players given as text are made where they are needed, so that a match travels light to another process.
    """

    breaker: str | Codebreaker
    maker: str | Codemaker
    rules: Rules
    seed: int = 0
    all_secrets: bool = False

    @property
    def codebreaker(self) -> Codebreaker:
        """The codebreaker itself; raises InputError where its text names none."""
        return _made.codebreaker(self.breaker) if isinstance(self.breaker, str) else self.breaker

    @property
    def codemaker(self) -> Codemaker:
        """The codemaker itself; raises InputError where its text names none."""
        return _made.codemaker(self.maker) if isinstance(self.maker, str) else self.maker

    @property
    def names(self) -> tuple[str, str]:
        """The names under which the two players are recorded."""
        return name_of(self.codebreaker), name_of(self.codemaker)

    @property
    def plan(self) -> str:
        """`all-secrets`, or `games` for secrets that the codemaker chooses."""
        return "all-secrets" if self.all_secrets else "games"

    def check(self) -> None:
        """Raise InputError where the match cannot be played as planned."""
        game_seed(self.seed, 0)
        codemaker = self.codemaker
        if not self.all_secrets:
            return
        secret = codemaker.choose(self.rules, generators(0)[1])
        if secret is None:
            raise InputError("{codemaker} settles on no secret: it cannot play every secret once", name_of(codemaker))
        if getattr(codemaker, "secret", ""):
            raise InputError(
                "{codemaker} has a secret of its own: it cannot play every secret once", name_of(codemaker)
            )

    def play(self, game: int, on_turn: Callable[[Position], object] | None = None) -> Game:
        """Play one game of the match by the general loop; the record carries the seed that repeats it."""
        codemaker = self.codemaker
        if self.all_secrets:
            codemaker = _Given(codemaker, secrets(self.rules)[game])
        return play(self.codebreaker, codemaker, self.rules, game_seed(self.seed, game), on_turn=on_turn)


@dataclass(frozen=True)
class _Given:
    """A codemaker that is told which secret to take."""

    codemaker: Codemaker
    secret: Code

    @property
    def name(self) -> str:
        return name_of(self.codemaker)

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        return self.secret

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        return self.codemaker.answer(position, guess, secret, rng)


class _OwnPlayers(threading.local):
    """Players made from texts, those of each thread apart: what a player remembers of a game is for one at a time."""

    def __init__(self) -> None:
        self.codebreaker = lru_cache(maxsize=64)(codebreakers.get)
        self.codemaker = lru_cache(maxsize=64)(codemakers.get)


_made = _OwnPlayers()


Codebreakers: TypeAlias = Codebreaker | str | Iterable[Codebreaker | str]
Codemakers: TypeAlias = Codemaker | str | Iterable[Codemaker | str]


def matches(
    breakers: Codebreakers, makers: Codemakers, rules: Rules | str, *, seed: int = 0, all_secrets: bool = False
) -> list[Match]:
    """Return the match of every pair, the codemakers of the first codebreaker first.

    Players are texts or objects, one or a list of them. Raises InputError where one is unknown or cannot play as
    planned.
    """
    of_breakers, of_makers = _as_list(breakers, codebreakers.registry), _as_list(makers, codemakers.registry)
    rules = Rules.of(rules)
    made = [Match(breaker, maker, rules, seed, all_secrets) for breaker in of_breakers for maker in of_makers]
    for match in made:
        match.check()
    return made


def trusted_players(
    run: Run, codebreaker: Codebreaker | str | None, codemaker: Codemaker | str | None
) -> tuple[Codebreaker | str, Codemaker | str]:
    """Return the players of a run, as given or as it names them, before anything is made of its names.

    Whoever plays with a run asks here first, since it may have been read from a file of anybody's. Raises InputError
    where a player that runs code from outside entropeg is named and not given.
    """
    refusal = Template(
        "the run names {player}, which would run code from outside entropeg: if you trust it, give the {role} "
        "as well, as {role}=..."
    )
    if codebreaker is None:
        codebreakers.registry.refuse_foreign(run.codebreaker, refusal)
    if codemaker is None:
        codemakers.registry.refuse_foreign(run.codemaker, refusal)
    return run.codebreaker if codebreaker is None else codebreaker, run.codemaker if codemaker is None else codemaker


def _as_list(players: Any, registry: Registry[Any]) -> list[Any]:
    # Names stay names; each player is looked at before any game is played.
    several = isinstance(players, Iterable) and not isinstance(players, (str, bytes, type))
    listed = (
        arguments.items(players, Told("the {role}s", registry.role), '["minimax", "entropy"]') if several else [players]
    )
    if not listed:
        raise InputError("no {role} was given: {players!r} is empty", registry.role, players)
    for player in listed:
        registry.of(player)
    return listed
