"""Names suites of boards, and draws their secrets from SHA-256 of the suite, a salt, the board and the game."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count
from typing import ClassVar

import numpy as np

from entropeg import arguments
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import Code, check_named
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules

GAMES = 100
"""Secrets that are drawn of a board, unless one asks for others."""
LISTED = 50_000
"""Boards of no more codes are drawn from as a list, and may be played with every secret once."""
SYMBOLS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Where renamed colors are drawn from: nothing that looks like something else."""


@dataclass(frozen=True)
class Suite(PlainValue):
    """Boards under a name; the limit of each is the number of guesses after which a game counts as not won.

    The digest is that of the name and the texts of the boards: who cites it cites these boards and no others.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("name", "digest", "boards")

    name: str
    boards: tuple[Rules, ...]

    def __post_init__(self) -> None:
        """Raise InputError for boards whose secrets cannot be drawn, or of which nobody can say how long a game is."""
        for rules in self.boards:
            check_named(rules)
            if rules.guess_limit is None:
                raise InputError("{rules} has no limit of guesses: write {example}", rules, f"{rules}/limit=20")
            has_holes = rules.symbols_in_secrets > rules.colors and not rules.repeats
            if rules.secret_count > LISTED and (rules.prior or rules.words or has_holes):
                raise InputError(
                    "secrets of {rules} cannot be drawn: with a prior, words, or blanks and no color twice a board "
                    "may have {most:,} codes",
                    *(rules, LISTED),
                )

    @classmethod
    def own(cls, boards: Sequence[Rules | str]) -> Suite:
        """Return a suite of boards of one's own, which nobody has published: tables, priors, blanks."""
        return cls("own", tuple(map(Rules.of, boards)))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the name and the boards, the first 16 hexadecimal digits."""
        return digest_of("\n".join([self.name, *map(str, self.boards)]))


def digest_of(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text.

    >>> digest_of("AABB")
    '2f8ea0f6e95594bb'
    """
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _suite(name: str, *boards: str) -> Suite:
    return Suite(name, tuple(map(Rules.parse, boards)))


SUITES = {
    suite.name: suite
    for suite in (
        _suite(
            "entropeg-bench-1",
            *("4x6/limit=20", "4x6/black/limit=30", "4x6/positional/limit=20", "bulls-and-cows/limit=20"),
            *("5x8/limit=25", "8x12/limit=40", "20x20/limit=100"),
        ),
        _suite(
            "entropeg-bench-1-unseen",
            *("3x7/blanks/limit=20", "4x5/blanks-in-secrets/limit=20", "4x6/membership/limit=30"),
            *("4x6/prior=distinct/limit=20", "5x5/positional/limit=20", "4x9/shapes=3/limit=25"),
        ),
    )
}
"""The suites that come with entropeg. One that is published never changes: its successor has another number."""


def suite_of(name: str, boards: Sequence[Rules | str] = ()) -> tuple[Suite, tuple[int, ...]]:
    """Return the suite of a name and the numbers of those boards in it; else the suite of these boards as one's own.

    Raises InputError where there is no such suite, or a board of one's own has no limit.

    >>> [suite_of("", boards)[0].name for boards in (["5x8"], ["3x4/limit=9"])], suite_of("", ["5x8"])[1]
    (['entropeg-bench-1', 'own'], (4,))
    """
    listed = list(map(Rules.of, boards))
    suite = SUITES.get(name or next(iter(SUITES)))
    if suite is None:
        raise InputError("there is no suite {name!r}: there are {names:list}", name, SUITES)
    known = {rules.board: number for number, rules in enumerate(suite.boards)}
    picked = tuple(known[rules.board] for rules in listed if rules.board in known)
    return (suite, picked) if len(picked) == len(listed) else (Suite.own(listed), ())


@dataclass(frozen=True)
class Drawing:
    """The secrets of a suite under a salt: `games` of each board, or every secret once where the board has few enough.

    A fresh salt gives secrets that stand in no text that an agent may have read. `renamed`: colors get other symbols,
    drawn by the salt too.

    >>> drawing = Drawing(SUITES["entropeg-bench-1"], "today")
    >>> [drawing.secret(0, game) for game in range(3)]
    [(5, 1, 5, 5), (5, 2, 0, 1), (2, 5, 2, 4)]
    """

    suite: Suite
    salt: str = ""
    games: int = GAMES
    """Games of each board; 0: every secret once, of boards of up to 50,000 secrets without a prior."""
    renamed: bool = False
    picked: tuple[int, ...] = ()
    """Numbers of the boards that are played; empty: all of them."""

    def __post_init__(self) -> None:
        """Raise InputError where the salt is no line of text, or there is no such number of games or board."""
        wrong = next((number for number in self.picked if number not in range(len(self.suite.boards))), None)
        if wrong is not None:
            raise InputError("there is no board {number} in {suite}: they count from 0", wrong, self.suite.name)
        if not arguments.text(self.salt, "the salt").isprintable():
            raise InputError("the salt is {salt!r}; it must be one line of text", self.salt)
        arguments.whole(self.games, "the number of games", least=0)

    @cached_property
    def boards(self) -> tuple[Rules, ...]:
        """The boards as they are played: under `renamed` with other symbols."""
        return tuple(self._renamed(rules) if self.renamed else rules for rules in self.suite.boards)

    def number(self, board: int) -> int:
        """Return the number of games of a board; 0 where it is not picked."""
        if self.picked and board not in self.picked:
            return 0
        return self.suite.boards[board].secret_count if self.is_whole(board) else self.games or GAMES

    def is_whole(self, board: int) -> bool:
        """Tell whether every secret of a board is played once."""
        rules = self.suite.boards[board]
        return not self.games and rules.secret_count <= LISTED and rules.prior is None

    def secret(self, board: int, game: int) -> Code:
        """Return the secret of a game, both counted from 0: number i of the list, or drawn by SHA-256."""
        rules = self.suite.boards[board]
        return secrets(rules)[game] if self.is_whole(board) else drawn_secret(rules, self.words(board, game))

    def words(self, board: int, game: int) -> Iterator[int]:
        """Return the numbers of 64 bits that a game has for chance, without end."""
        return random_words(f"{self.suite.name}\n{self.salt}\n{self.suite.boards[board]}\n{game}")

    def _renamed(self, rules: Rules) -> Rules:
        if rules.words is not None or rules.shapes or rules.colors > len(SYMBOLS) or not rules.is_symmetric:
            return rules
        words, left = random_words(f"{self.suite.name}\n{self.salt}\n{rules}\nalphabet"), list(SYMBOLS)
        symbols = "".join(left.pop(below(len(left), words)) for _ in range(rules.colors))
        return replace(rules, alphabet=symbols)


def random_words(text: str) -> Iterator[int]:
    """Give numbers of 64 bits without end: the first eight bytes of SHA-256 of the text, a line feed and 0, 1, 2, ...

    >>> next(random_words("salt")) == next(random_words("salt"))
    True
    """
    for number in count():
        yield int.from_bytes(hashlib.sha256(f"{text}\n{number}".encode()).digest()[:8], "big")


def below(bound: int, words: Iterator[int]) -> int:
    """Draw a number below a bound, each as likely: numbers of the last incomplete round are passed over."""
    return next(word % bound for word in words if word < (1 << 64) // bound * bound)


def drawn_secret(rules: Rules, words: Iterator[int]) -> Code:
    """Draw a secret: a place in the list, by its weight under a prior, or, of many codes, a color for each peg.

    >>> drawn_secret(Rules.parse("20x20"), random_words("any"))[:4]
    (0, 16, 19, 10)
    """
    if rules.prior is not None:
        place = next(words) / (1 << 64)
        codes = secrets(rules)
        return codes[min(int(np.searchsorted(np.cumsum(codes.chances), place, side="right")), len(codes) - 1)]
    if rules.secret_count <= LISTED:
        return secrets(rules)[below(rules.secret_count, words)]
    left = list(range(rules.symbols_in_secrets))
    return tuple(
        left[below(len(left), words)] if rules.repeats else left.pop(below(len(left), words)) for _ in range(rules.pegs)
    )
