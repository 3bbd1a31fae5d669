"""Plays games with several secrets, and keeps them: `play_several`, `SeveralGame`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from entropeg import arguments
from entropeg.codes import AnyCode, check_code, format_code, parse_code, random_secret
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.files import parse_json, read_text, shown, write_whole
from entropeg.files.writing import FileKind
from entropeg.plain_values import PlainValue
from entropeg.several.boards import Boards, SeveralRules
from entropeg.several.choosing import choose

FORMAT = "entropeg several 1"
KIND = FileKind("a saved game with several secrets", lambda content: FORMAT.encode() in content[:100])


def drawn_secrets(rules: SeveralRules, seed: int) -> tuple[Code, ...]:
    """Draw the secrets of a game: each on its own, the same for the same seed."""
    rng = np.random.default_rng(seed)
    return tuple(random_secret(rules.rules, rng) for _ in range(rules.secrets))


@dataclass(frozen=True)
class SeveralGame(PlainValue):
    """A game with several secrets: they and the guesses; the answers follow.

    >>> game = play_several("entropy", "3x4/secrets=2", secrets=["ABC", "BBA"])
    >>> game.outcome, str(game.position)
    ('won', 'ABC XXX / XO, ACD * / O, BBA * / XXX')
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("format", "rules=rules.text", "seed", "secrets=texts", "turns", "outcome", "guesses"),
    )

    rules: SeveralRules
    secrets: tuple[Code, ...]
    made: tuple[Code, ...] = ()
    """The guesses."""
    seed: int | None = None
    is_hidden: bool = False
    """Whether the seed stands for the secrets, which are not told, while the game goes on."""

    @property
    def format(self) -> str:
        """First words of a saved game."""
        return FORMAT

    @property
    def texts(self) -> list[str] | None:
        """The secrets as text."""
        return None if self.is_hidden else [format_code(secret, self.rules.rules) for secret in self.secrets]

    @cached_property
    def position(self) -> Boards:
        """The position at the end."""
        boards = Boards.of(self.rules)
        for guess in self.made:
            boards = boards.answered(guess, self.secrets)
        return boards

    @property
    def turns(self) -> list[str]:
        """The turns as text: `AABB XO / X`."""
        return [self.position.format_turn(turn) for turn in self.position.turns]

    @property
    def guesses(self) -> int:
        """The number of guesses."""
        return len(self.made)

    @property
    def outcome(self) -> str:
        """`won`, `lost` or `abandoned`."""
        return "won" if self.position.is_won else "lost" if self.position.is_lost else "abandoned"

    def to_text(self) -> str:
        """Return the game as it is saved: JSON."""
        return json.dumps(self.to_json(), indent=2) + "\n"

    @classmethod
    def from_json(cls, data: Any) -> SeveralGame:
        """Read a game from plain data; raises InputError where it is damaged."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError("this is no saved game with several secrets")
        try:
            rules = SeveralRules.parse(data["rules"])
            seed = None if data.get("seed") is None else arguments.seed(data["seed"])
            told, is_hidden = data["secrets"], data["secrets"] is None and seed is not None
            read = (parse_code(text, rules.rules, secret=True) for text in (() if is_hidden else told))
            secrets = drawn_secrets(rules, seed) if is_hidden and seed is not None else tuple(read)
            texts = list(map(str, data["turns"]))
            boards = Boards.of(rules)
            for text in texts:
                boards = boards.after_text(text)
        except (KeyError, TypeError) as error:
            raise InputError("the saved game is damaged: {reason}", str(error)) from None
        if len(secrets) != rules.secrets:
            raise InputError("the saved game has {given} secrets; its rules have {count}", len(secrets), rules.secrets)
        game = cls(rules, secrets, tuple(turn.guess for turn in boards.turns), seed, is_hidden)
        if boards.turns != game.position.turns:
            raise InputError("the saved game has answers that its secrets do not give")
        return game


def play_several(
    codebreaker: str | Callable[[Boards], AnyCode],
    rules: SeveralRules | str,
    seed: int = 0,
    *,
    secrets: Iterable[AnyCode] | None = None,
) -> SeveralGame:
    """Play one game to its end; ``codebreaker`` is a one-step rule of `choose`, or a function of the position.

    The secrets are drawn by ``seed``, or given. Raises InputError where they, or a guess, cannot be.
    """
    several, whole = SeveralRules.of(rules), arguments.seed(seed)
    given = drawn_secrets(several, whole) if secrets is None else arguments.items(secrets, "the secrets", '["ABC"]')
    hidden = tuple(check_code(secret, several.rules, secret=True) for secret in given)
    if len(hidden) != several.secrets:
        raise InputError("there are {given} secrets; {rules} has {count}", len(hidden), several, several.secrets)
    boards = Boards.of(several)
    while not boards.is_over:
        guess = choose(boards, codebreaker) if isinstance(codebreaker, str) else codebreaker(boards)
        after = boards.answered(guess, hidden)
        if said := boards.endless(after.turns[-1].guess):
            raise InputError("the codebreaker would never end the game: {endless}", said)
        boards = after
    return SeveralGame(several, hidden, tuple(turn.guess for turn in boards.turns), whole if secrets is None else None)


def save_several(game: SeveralGame, path: str | Path) -> None:
    """Write a game to a file as JSON, whole or not at all; `-` is standard output."""
    write_whole(path, game.to_text().encode(), KIND)


def load_several(path: str | Path) -> SeveralGame:
    """Read what `save_several` wrote; raises InputError, naming the file, where it is no such game."""
    try:
        return SeveralGame.from_json(parse_json(read_text(path)))
    except InputError as error:
        raise InputError("{where}: {error}", shown(path), error) from None
