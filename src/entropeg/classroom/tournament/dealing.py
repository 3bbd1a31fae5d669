"""Deals the games of a tournament: who meets whom next, over which secret, and how much time a pair has.

At any moment every codebreaker has as many games as any other, to within one, and so has every codemaker. Game number
i has the same secret and the same draws in every pair, and secrets come in blocks of as many as the larger side has
players. In a block a player meets another secret with each opponent (a Latin square), so that its games are independent
of one another from the first one on, while all players meet the same secrets. Once every pair has had one game of each
block, the squares are gone through again, shifted by one. So in the end every pair has played every secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, lcm
from typing import Any, TypeAlias

from entropeg.classroom.players import KEPT
from entropeg.classroom.series import GIVEN_UP, Series

Pair: TypeAlias = tuple[Any, Any]


@dataclass(frozen=True)
class Squares:
    """The numbers of the games that each pair plays, in their order: `side` players on the larger side, `games` a pair.

    >>> squares = Squares(3, 4)
    >>> [[squares.number(0, maker, turn) for turn in range(4)] for maker in range(3)]
    [[0, 2, 1, 3], [1, 3, 0, 2], [0, 2, 1, 3]]
    >>> [Squares(5, 2).number(1, maker, 0) for maker in range(5)]
    [1, 2, 3, 4, 0]
    """

    side: int
    games: int

    @property
    def numbers(self) -> int:
        """How many numbers there are: all games of a pair, or more, where a block alone has more."""
        return max(self.side, self.games)

    def number(self, breaker: int, maker: int, turn: int) -> int:
        """Return the number of the game that a pair, named by places in their lists, plays at its turn from 0."""
        blocks = -(-self.numbers // self.side)
        size, longer = divmod(self.numbers, blocks)  # the first blocks are longer by one
        again, block = divmod(turn, blocks)
        return block * size + min(block, longer) + (breaker + maker + again) % (size + (block < longer))

    def has(self, breaker: int, maker: int, number: int) -> bool:
        """Tell whether a pair plays the game of this number."""
        if self.games >= self.side:
            return number < self.games
        return number < self.side and (number - breaker - maker) % self.side < self.games


def evenly(breakers: int, makers: int) -> Iterator[tuple[int, int]]:
    """Give every pair once, so that at any moment no player has two games more than another of its role.

    Both sides are gone through in turn. That meets as many pairs as the least common multiple of the sides, and after
    them everybody has as many games as all others: then one side is shifted by one.

    >>> list(evenly(2, 4))
    [(0, 0), (1, 1), (0, 2), (1, 3), (0, 1), (1, 2), (0, 3), (1, 0)]
    """
    period = lcm(breakers, makers) if breakers and makers else 1
    for game in range(breakers * makers):
        yield game % breakers, (game + game // period) % makers


def in_tiles(breakers: int, makers: int) -> list[list[tuple[int, int]]]:
    """Return every pair once, dealt evenly: one at a time, or many players in tiles, which are played as a whole.

    A thread keeps `KEPT` processes, and starting one takes as long as a game: a tile needs no more than these. Tiles
    are dealt evenly, too, so that no player is ahead of another by more than one.

    >>> in_tiles(2, 2), [len(tile) for tile in in_tiles(9, 12)]
    ([[(0, 0)], [(1, 1)], [(0, 1)], [(1, 0)]], [63, 6, 21, 18])
    """
    if breakers + makers <= KEPT:
        return [[pair] for pair in evenly(breakers, makers)]
    high = min(breakers, max(KEPT // 2 - 1, KEPT - makers))
    wide = min(makers, KEPT - high)
    tiles = []
    for row, column in evenly(-(-breakers // high), -(-makers // wide)):
        inside = min(high, breakers - row * high), min(wide, makers - column * wide)
        tiles.append([(row * high + one, column * wide + other) for one, other in evenly(*inside)])
    return tiles


@dataclass
class DealtPair:
    """A pair, the places of its players in their lists, and its games so far."""

    breaker: Any
    maker: Any
    places: tuple[int, int]
    series: Series
    squares: Squares
    expected: float = 0.0
    """Seconds that a game is expected to take while the pair has played none."""
    busy: bool = False
    """Whether its next games are being played."""
    is_gone: bool = False
    """Whether one of its players was set aside."""
    turn: int = 0
    """How many games of its order it has played."""
    wrong: int = 0
    """How many games in a row went wrong at last."""

    def __post_init__(self) -> None:
        self.go_on()

    def go_on(self) -> None:
        """Count the games that were played since."""
        spoiled = {fault.game for fault in self.series.faults}
        played = spoiled.union(self.series.games)
        while self.turn < self.squares.games and (number := self.squares.number(*self.places, self.turn)) in played:
            self.wrong = self.wrong + 1 if number in spoiled else 0
            self.turn += 1

    @property
    def game_seconds(self) -> float:
        """How long a game of it takes, as measured where it has played."""
        return self.series.seconds / self.series.played if self.series.played else self.expected

    @property
    def is_over(self) -> bool:
        """Whether it has played its games, or goes wrong again and again."""
        return self.is_gone or self.turn >= self.squares.games or self.wrong >= GIVEN_UP

    def next_numbers(self, count: int) -> list[int]:
        """Return the numbers of its next games, at most so many."""
        played = {*self.series.games, *(fault.game for fault in self.series.faults)}
        turns = range(self.turn, min(self.turn + count, self.squares.games))
        return [number for turn in turns if (number := self.squares.number(*self.places, turn)) not in played]


def level(wants: Sequence[tuple[float, float]], seconds: float) -> float:
    """Return the time that every pair may have, so that all of them together take `seconds` more.

    `wants`: of each pair the seconds that it has had and those that it would have in all, were there no end. Who wants
    less leaves the rest to the others; infinity where there is enough for everybody.

    >>> level([(0.0, 1.0), (0.0, 100.0), (0.0, 100.0)], 21.0), level([(0.0, 1.0)], 2.0)
    (10.0, inf)
    """
    marks = sorted([(had, 1) for had, _ in wants] + [(wanted, -1) for _, wanted in wants])
    reached, growing, low = 0.0, 0, 0.0
    for high, change in marks:
        if growing and reached + growing * (high - low) >= seconds:
            return low + (seconds - reached) / growing
        reached += growing * (high - low)
        growing, low = growing + change, high
    return inf


Hand: TypeAlias = tuple[DealtPair, list[int]]
"""A pair, and the numbers of the games that it plays next."""


@dataclass
class Dealer:
    """Deals games to whoever asks for some: each pair one at a time, or twice as many each time around (`doubles`).

    `groups`: pairs that are dealt together. `seconds`: what a pair may take; `left` tells the seconds left to all pairs
    together (infinity: no end is set). Where that is too little for all games, pairs that are slow have no more of it
    than others: one whose next game goes beyond its share waits until the others have played theirs. `games`: no pair
    is to have more.
    """

    groups: Sequence[list[DealtPair]]
    seconds: float
    left: Callable[[], float]
    doubles: bool = False
    games: int | None = None
    _waiting: list[list[DealtPair]] = field(default_factory=list)
    _around: int = -1
    _count: int = 1
    _level: float = inf
    _slow: float = inf
    _dealt: bool = True

    def next(self) -> list[Hand]:
        """Return pairs that nobody plays now, with the numbers of their next games; none where there are none.

        Whoever has played them sets `busy` back. Called by one thread at a time.
        """
        while True:
            for place, group in enumerate(self._waiting):
                free = [pair for pair in group if not pair.busy]
                if not free:
                    continue
                self._waiting[place : place + 1] = [busy] if (busy := [pair for pair in group if pair.busy]) else []
                hands = [(pair, numbers) for pair in free if (numbers := self._numbers(pair))]
                if hands:
                    for pair, _ in hands:
                        pair.busy = self._dealt = True
                    return hands
                break
            else:
                if not self._go_around():
                    return []

    def _numbers(self, pair: DealtPair) -> list[int]:
        # The games of this time around that the pair has time for.
        had = pair.series.seconds
        if not self._is_open(pair) or pair.turn >= self._around:
            return []
        count = self._count + (pair.turn + self._count < self._around)  # one more for who had to wait before
        if self._level < inf and pair.game_seconds > self._slow:
            count = min(count, int((self._level - had) / pair.game_seconds))
        return pair.next_numbers(count)

    def _is_open(self, pair: DealtPair) -> bool:
        has_all = self.games is not None and pair.turn >= self.games
        return not (pair.is_over or has_all or pair.series.seconds >= self.seconds)

    def _go_around(self) -> bool:
        # Everybody plays once more. False where all have played, or who has not is being played.
        pairs = [pair for group in self.groups for pair in group if self._is_open(pair)]
        if all(pair.busy for pair in pairs):
            return False
        if self._around < 0:
            self._around = min(pair.turn for pair in pairs)
        # Where nobody had time for a game, the rest of the time is for whoever comes first.
        is_rest, self._dealt = not self._dealt, False
        if is_rest and self._level == inf and self._around >= max(pair.squares.games for pair in pairs):
            return False
        self._count = max(1, self._around) if self.doubles else 1
        self._around += self._count
        # Slow is a game of half a second that takes four times as long as those of the quick pairs: whoever is not has
        # as many games as all others, and the start of a process, which comes once, makes nobody slow.
        self._slow = max(0.5, 4 * sorted(pair.game_seconds for pair in pairs)[(len(pairs) - 1) // 4])
        self._level = inf if is_rest or self.games is not None else self._share()
        chosen = set(map(id, pairs))
        self._waiting += [left for group in self.groups if (left := [each for each in group if id(each) in chosen])]
        return True

    def _share(self) -> float:
        seconds = self.left()
        if seconds == inf:
            return inf
        wants = []
        for pair in (pair for group in self.groups for pair in group):
            had = pair.series.seconds
            whole = had if pair.is_over else had + (pair.squares.games - pair.turn) * pair.game_seconds
            wants.append((had, max(had, min(self.seconds, whole))))
        # A fourth of what is left is shared at a time: so quick pairs come first, and a cut before the end finds them
        # with many games. Of 120 seconds, 300 games of 0.2 seconds are played before the first one of 4.
        return level(wants, max(0.0, seconds) / 4)
