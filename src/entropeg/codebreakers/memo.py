"""Remembers the games that a codebreaker is playing, and finds them again by their turns.

A memo follows from the turns alone: an empty one costs the time of going through them again, and what was
kept of another game with the same turns serves as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from entropeg.position import Position, Turn
from entropeg.rules import Rules


class GameMemory(Protocol):
    """The knowledge of one game after some turns."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that are known."""


class FollowingMemory(GameMemory, Protocol):
    """The same where it takes in the turns itself."""

    def follow(self, turns: tuple[Turn, ...]) -> None:
        """Take in the turns not seen yet."""


KnownGame = TypeVar("KnownGame", bound=GameMemory)
FollowedGame = TypeVar("FollowedGame", bound=FollowingMemory)


class Memo(Generic[KnownGame]):
    """The knowledge of the last few games; each is taken out while it is used, so no two threads share one.

    >>> from entropeg.rules import Rules
    >>> Memo(2).take(Position(Rules.parse("4x6"))) is None
    True
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: list[KnownGame] = []

    def take(self, position: Position) -> KnownGame | None:
        """Return the knowledge of the most turns of a position, and forget it; None where there is none."""
        for game in sorted(self._kept, key=lambda game: -len(game.turns)):
            if leads_to(game, position):
                try:
                    self._kept.remove(game)
                except ValueError:  # another thread was faster
                    continue
                return game
        return None

    def keep(self, game: KnownGame) -> None:
        """Remember a game, as the latest."""
        self._kept.append(game)
        del self._kept[: -self.most]


def followed(memo: Memo[FollowedGame], position: Position, start: Callable[[Rules], FollowedGame]) -> FollowedGame:
    """Return the knowledge of a position, of a game remembered or made by `start`, and remember it."""
    game = memo.take(position) or start(position.rules)
    game.follow(position.turns)
    memo.keep(game)
    return game


def leads_to(game: GameMemory, position: Position) -> bool:
    """Tell whether a position continues the turns of a game."""
    seen = len(game.turns)
    if seen > len(position.turns) or (seen and game.turns[-1] != position.turns[seen - 1]):
        return False
    return game.rules == position.rules and game.turns == position.turns[:seen]
