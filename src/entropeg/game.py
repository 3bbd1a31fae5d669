"""The finished record of a game: what was played, by whom, and how it ended; prints, saves and loads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, Literal, TypeAlias

from entropeg import arguments
from entropeg.codes import check_code, format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback, parse_feedback, score_trusted, win_feedback
from entropeg.files import FileKind, parse_json, read_text, shown, write_whole
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn, split_turn
from entropeg.rules import Rules
from entropeg.told import Joined, Told, plural

Outcome: TypeAlias = Literal["won", "lost", "abandoned"]

FORMAT = "entropeg game 1"
"""First words of a saved game."""


@dataclass(frozen=True)
class Game(PlainValue):
    """A finished game: rules, turns, the secret where the codemaker has one, who played, and the seed that repeats it.

    >>> from entropeg import Rules, Feedback
    >>> turns = Turn((0, 0, 1), Feedback(1, 1)), Turn((0, 1, 2), Feedback(3, 0))
    >>> game = Game(Rules.parse("3x4"), turns, secret=(0, 1, 2))
    >>> game.outcome, len(game)
    ('won', 2)
    >>> Game.from_json(game.to_json()) == Game.from_text(game.to_text()) == game
    True
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("format", "rules", "codebreaker", "codemaker", "seed", "secret", "turns", "outcome", "guesses", "seconds"),
    )

    rules: Rules
    turns: tuple[Turn, ...]
    secret: Code | None = None
    codebreaker: str = "human"
    codemaker: str = "human"
    seed: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def __post_init__(self) -> None:
        """Read rules, turns and secret that are given as text; raises InputError where they cannot be."""
        put = partial(object.__setattr__, self)
        put("rules", Rules.of(self.rules))
        # Turns come from a position, where they were looked at.
        if not (isinstance(self.turns, tuple) and {Turn}.issuperset(map(type, self.turns))):
            put("turns", Position(self.rules, self.turns).turns)
        if self.secret is not None:
            put("secret", check_code(self.secret, self.rules, secret=True))
        put("seed", None if self.seed is None else arguments.seed(self.seed))
        arguments.text(self.codebreaker, "the name of the codebreaker")
        arguments.text(self.codemaker, "the name of the codemaker")

    def __len__(self) -> int:
        return len(self.turns)

    def __repr__(self) -> str:
        players = f"{self.codebreaker} against {self.codemaker}"
        return (
            f"<Game of {self.rules}: {players}, {self.outcome} after {plural(len(self), '{n} guess', '{n} guesses')}>"
        )

    @property
    def outcome(self) -> Outcome:
        """`won`, `lost` (guess limit reached), or `abandoned`."""
        position = self.position
        return "won" if position.is_won else "lost" if position.is_lost else "abandoned"

    @property
    def position(self) -> Position:
        """The position at the end of the game."""
        return Position(self.rules, self.turns)

    def __str__(self) -> str:
        """Print the game as a board, one numbered turn a line."""
        width = len(str(len(self.turns)))
        codes = [format_code(turn.guess, self.rules) for turn in self.turns]
        pad = max(map(len, codes), default=0)
        lines = [
            f"{number:>{width}}  {code:<{pad}}  {format_feedback(turn.feedback)}"
            for number, (code, turn) in enumerate(zip(codes, self.turns, strict=True), start=1)
        ]
        head = Told("{rules}: {codebreaker} against {codemaker}", self.rules, self.codebreaker, self.codemaker)
        ending = self._ending()
        if self.outcome != "won" and self.secret is not None:
            ending = Told("{ending}; the secret was {secret}", ending, format_code(self.secret, self.rules))
        return Joined([head, *lines, ending], "\n")

    def _repr_svg_(self) -> str:
        """Show the game in a notebook: its turns, how it ended, and the secret where it is known."""
        from entropeg.svg.board import draw_board  # the room of pictures is loaded when one is wanted

        secret = None if self.outcome == "won" else self.secret
        heading = Told("{rules}: {ending}", self.rules, self._ending())
        notes = [Told("{codebreaker} against {codemaker}", self.codebreaker, self.codemaker)]
        return draw_board(self.rules, self.turns, heading, notes=notes, secret=secret, css="eg-game")

    def _ending(self) -> Told:
        count = plural(len(self.turns), "{n} guess", "{n} guesses")
        if self.outcome == "won":
            return Told("won in {guesses}", count)
        is_lost = self.outcome == "lost"
        return Told("lost after {guesses}", count) if is_lost else Told("abandoned after {guesses}", count)

    @property
    def format(self) -> str:
        """First words of a saved game."""
        return FORMAT

    @property
    def guesses(self) -> int:
        """The number of guesses."""
        return len(self.turns)

    @classmethod
    def from_json(cls, data: Any) -> Game:
        """Read a game from plain data; raises InputError saying what is missing or wrong, and checks every feedback."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError("this is not a saved game: its format should be {format!r}", FORMAT)
        for name, (kinds, wanted) in _FIELDS.items():
            if name in data and (not isinstance(data[name], kinds) or isinstance(data[name], bool)):
                raise InputError("the saved game has {name} {given!r}; it must be {wanted}", name, data[name], wanted)
        try:
            rules = Rules.parse(data["rules"])
            turns = [_read_turn(number, turn, rules) for number, turn in enumerate(data["turns"], start=1)]
            secret = None if data.get("secret") is None else parse_code(data["secret"], rules, secret=True)
            names = (_player(data["codebreaker"]), _player(data["codemaker"]))
        except KeyError as missing:
            raise InputError("the saved game has no {name!r}", missing.args[0]) from None
        game = cls(rules, tuple(turns), secret, *names, data.get("seed"), data.get("seconds", 0.0))
        game.check()
        game._check_claims(data)
        return game

    def _check_claims(self, data: dict[str, Any]) -> None:
        # All that the file says beside the turns has to follow from them.
        if not 0 <= self.seconds < inf:
            raise InputError("the saved game has seconds {seconds!r}; they must be 0 or more", self.seconds)
        lie = false_claim(data, self.outcome, len(self.turns))
        if lie:
            raise InputError(lie)

    def to_text(self) -> str:
        """Return the game as plain text: `name: value` lines, a blank line, then one `guess feedback` line a turn."""
        data = self.to_json()
        header = [
            f"{name}: {data[name]}"
            for name in ("rules", "codebreaker", "codemaker", "seed", "secret")
            if data[name] is not None
        ]
        turns = [f"{guess} {feedback}" for guess, feedback in data["turns"]]
        return "\n".join([FORMAT, *header, "", *turns, ""])

    @classmethod
    def from_text(cls, text: str) -> Game:
        """Read a game from the text that `to_text` writes; raises InputError naming the line that is wrong."""
        data, _ = game_data(text)
        seed = {"seed": _seed(data["seed"])} if "seed" in data else {}
        return cls.from_json({"codebreaker": "human", "codemaker": "human", **data, **seed})

    def check(self) -> None:
        """Raise InputError at a turn whose feedback the secret would not give, or after the win or the last guess."""
        if self.secret is not None:
            check_code(self.secret, self.rules, secret=True)
        limit = self.rules.guess_limit
        if limit is not None and len(self.turns) > limit:
            raise InputError(
                "{rules} ends after guess {limit}, yet there are {turns} turns", self.rules, limit, len(self.turns)
            )
        for number, turn in enumerate(self.turns, start=1):
            if turn.feedback == win_feedback(self.rules) and number < len(self.turns):
                raise InputError("turn {number} wins the game, yet there are {turns} turns", number, len(self.turns))
            if self.secret is not None and score_trusted(turn.guess, self.secret, self.rules) != turn.feedback:
                right = format_feedback(score_trusted(turn.guess, self.secret, self.rules))
                guess, said = format_code(turn.guess, self.rules), format_feedback(turn.feedback)
                raise InputError(
                    "turn {number}: {guess} gets {right} for this secret, not {said}", number, guess, right, said
                )


_FIELDS: dict[str, tuple[tuple[type, ...], str]] = {
    "rules": ((str,), Told("a text, as '4x6'")),
    "turns": ((list,), Told("a list of guesses with their feedbacks")),
    "secret": ((str, NoneType), Told("a code, or null")),
    "codebreaker": ((str,), Told("a name")),
    "codemaker": ((str,), Told("a name")),
    "seed": ((int, NoneType), Told("a whole number from 0, or null")),
    "seconds": ((int, float), Told("a number of seconds")),
}
"""The types of the fields of a saved game, with their names in words."""


def game_data(text: str) -> tuple[dict[str, Any], list[int]]:
    """Return the text of a saved game as plain data, each turn as one text, and the number of the line of each turn.

    Raises InputError naming the line that is wrong; what the turns and values mean is not looked at.
    """
    lines = arguments.text(text, "the saved game").splitlines()
    if not lines or lines[0].strip() != FORMAT:
        raise InputError("this is not a saved game: its first line should be {format!r}", FORMAT)
    data: dict[str, Any] = {"format": FORMAT}
    turns, numbers, is_below = list[list[str]](), list[int](), False
    for number, line in enumerate(lines[1:], start=2):
        name, colon, value = line.partition(": ")
        if not line.strip():
            is_below = True
        elif turns or not colon:
            if not is_below and "rules" not in data:
                raise InputError("line {number} is {line!r}; it should be 'name: value'", number, line)
            turns.append([line.strip()])
            numbers.append(number)
        elif name in data:
            raise InputError("line {number} says {name!r} once more", number, name)
        else:
            data[name] = value
    return data | {"turns": turns}, numbers


def false_claim(data: Mapping[str, Any], outcome: str, guesses: int) -> str:
    """Say what in the data of a saved game does not follow from its turns, which say these; empty where all does."""
    for name, found in {"outcome": outcome, "guesses": guesses}.items():
        if data.get(name, found) != found:
            return Told("the saved game has {name} {given!r}; its turns say {right!r}", name, data[name], found)
    return ""


def _player(name: str) -> str:
    if not name.isprintable():
        raise InputError("the player {name!r} of the saved game is no name: it is more than a line", name)
    return name


def _read_turn(number: int, turn: Any, rules: Rules) -> Turn:
    if not isinstance(turn, list) or not all(isinstance(part, str) for part in turn):
        raise InputError("turn {number} is {turn!r}; it should be a guess and a feedback", number, turn)
    if len(turn) == 1:
        turn = list(split_turn(turn[0], rules))
    if len(turn) != 2:
        raise InputError("turn {number} is {turn!r}; it should be a guess and a feedback", number, turn)
    try:
        return Turn(parse_code(turn[0], rules), parse_feedback(turn[1], rules))
    except InputError as error:
        raise InputError("turn {number}: {error}", number, error) from None


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > arguments.SEED_DIGITS:
        raise InputError(
            "the seed of the saved game is {seed!r}; it must be a whole number from 0, of {digits} digits at most",
            *(text, arguments.SEED_DIGITS),
        )
    return int(text)


KIND = FileKind.of_format(Told("a saved game"), FORMAT)


def save_game(game: Game, path: str | Path) -> None:
    """Write a game to a file: JSON where the name ends in `.json`, else plain text; `-` is standard output.

    Raises InputError where there is a file that is no saved game (see `files.replacing`), or it cannot be written.
    """
    text = json.dumps(game.to_json(), indent=2) + "\n" if str(path).endswith(".json") else game.to_text()
    write_whole(path, text.encode(), KIND)


def load_game(path: str | Path) -> Game:
    """Read a game that `save_game` wrote, `-` from standard input.

    Raises InputError, naming the file, where it cannot be read or is not a game.
    """
    text = read_text(path)
    try:
        return Game.from_json(parse_json(text)) if text.lstrip().startswith("{") else Game.from_text(text)
    except InputError as error:
        raise InputError("{where}: {error}", shown(path), error) from None
