"""The finished record of a game: what was played, by whom, and how it ended; prints, saves and loads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from entropeg.codes import check_code, format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback, parse_feedback, score, win_feedback
from entropeg.position import Position, Turn, split_turn
from entropeg.rules import Rules

Outcome: TypeAlias = Literal["won", "lost", "abandoned"]

FORMAT = "entropeg game 1"
"""First words of a saved game."""


@dataclass(frozen=True)
class Game:
    """A finished game: rules, turns, the secret where the codemaker has one, who played, and the seed that repeats it.

    >>> from entropeg import Rules, Feedback
    >>> turns = Turn((0, 0, 1), Feedback(1, 1)), Turn((0, 1, 2), Feedback(3, 0))
    >>> game = Game(Rules.parse("3x4"), turns, secret=(0, 1, 2))
    >>> game.outcome, len(game)
    ('won', 2)
    >>> Game.from_json(game.to_json()) == Game.from_text(game.to_text()) == game
    True
    """

    rules: Rules
    turns: tuple[Turn, ...]
    secret: Code | None = None
    codebreaker: str = "human"
    codemaker: str = "human"
    seed: int | None = None
    seconds: float = field(default=0.0, compare=False)

    def __len__(self) -> int:
        """Return the number of guesses."""
        return len(self.turns)

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
        return "\n".join([f"{self.rules}: {self.codebreaker} against {self.codemaker}", *lines, self._ending()])

    def _ending(self) -> str:
        count = f"{len(self.turns)} guess{'' if len(self.turns) == 1 else 'es'}"
        secret = "" if self.secret is None else f"; the secret was {format_code(self.secret, self.rules)}"
        return f"{self.outcome} in {count}" if self.outcome == "won" else f"{self.outcome} after {count}{secret}"

    def to_json(self) -> dict[str, Any]:
        """Return the game as plain data for `json.dumps`; `from_json` reads it back."""
        return {
            "format": FORMAT,
            "rules": str(self.rules),
            "codebreaker": self.codebreaker,
            "codemaker": self.codemaker,
            "seed": self.seed,
            "secret": None if self.secret is None else format_code(self.secret, self.rules),
            "turns": [[format_code(turn.guess, self.rules), format_feedback(turn.feedback)] for turn in self.turns],
            "outcome": self.outcome,
            "guesses": len(self.turns),
            "seconds": self.seconds,
        }

    @classmethod
    def from_json(cls, data: Any) -> Game:
        """Read a game from plain data; raises InputError saying what is missing or wrong, and checks every feedback."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError(f"this is not a saved game: its format should be {FORMAT!r}")
        try:
            rules = Rules.parse(data["rules"])
            turns = [_read_turn(number, turn, rules) for number, turn in enumerate(data["turns"], start=1)]
            secret = None if data.get("secret") is None else parse_code(data["secret"], rules, secret=True)
            game = cls(
                rules,
                tuple(turns),
                secret,
                data["codebreaker"],
                data["codemaker"],
                data.get("seed"),
                data.get("seconds", 0.0),
            )
        except KeyError as missing:
            raise InputError(f"the saved game has no {missing.args[0]!r}") from None
        except (TypeError, AttributeError) as error:
            raise InputError(f"the saved game has a value of the wrong type: {error}") from None
        game.check()
        return game

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
        lines = text.splitlines()
        if not lines or lines[0].strip() != FORMAT:
            raise InputError(f"this is not a saved game: its first line should be {FORMAT!r}")
        data: dict[str, Any] = {"format": FORMAT, "codebreaker": "human", "codemaker": "human", "turns": []}
        blank = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
        for number, line in enumerate(lines[1:blank], start=2):
            name, colon, value = line.partition(": ")
            if not colon:
                raise InputError(f"line {number} is {line!r}; it should be 'name: value'")
            data[name] = int(value) if name == "seed" and value.isdecimal() else value
        data["turns"] = [[line.strip()] for line in lines[blank + 1 :] if line.strip()]
        return cls.from_json(data)

    def check(self) -> None:
        """Raise InputError at the first turn whose feedback the secret would not give, or that comes after the win."""
        if self.secret is not None:
            check_code(self.secret, self.rules, secret=True)
        for number, turn in enumerate(self.turns, start=1):
            if turn.feedback == win_feedback(self.rules) and number < len(self.turns):
                raise InputError(f"turn {number} wins the game, yet {len(self.turns) - number} more follow")
            if self.secret is not None and score(turn.guess, self.secret, self.rules) != turn.feedback:
                right = format_feedback(score(turn.guess, self.secret, self.rules))
                guess, said = format_code(turn.guess, self.rules), format_feedback(turn.feedback)
                raise InputError(f"turn {number}: {guess} gets {right} for this secret, not {said}")


def _read_turn(number: int, turn: Sequence[str], rules: Rules) -> Turn:
    if len(turn) == 1:
        turn = split_turn(turn[0], rules)
    if len(turn) != 2:
        raise InputError(f"turn {number} is {list(turn)!r}; it should be a guess and a feedback")
    try:
        return Turn(parse_code(turn[0], rules), parse_feedback(turn[1], rules))
    except InputError as error:
        raise InputError(f"turn {number}: {error}") from None


def save_game(game: Game, path: str) -> None:
    """Write a game to a file: JSON where the name ends in `.json`, else plain text.

    Raises InputError where it cannot be written.
    """
    text = json.dumps(game.to_json(), indent=2) + "\n" if path.endswith(".json") else game.to_text()
    from entropeg.files import write_whole

    write_whole(path, text.encode())


def load_game(path: str) -> Game:
    """Read a game that `save_game` wrote; raises InputError where the file cannot be read or is not a game."""
    from entropeg.files import read_text

    text = read_text(path)
    if not text.lstrip().startswith("{"):
        return Game.from_text(text)
    try:
        return Game.from_json(json.loads(text))
    except json.JSONDecodeError as error:
        raise InputError(f"{path} is not valid JSON: {error}") from None
