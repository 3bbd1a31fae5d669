"""Reads and writes logs of benchmarks: a line of facts, then one a game; each has the digest of all lines before it.

What is wrong with a log is refused by name, in one sentence: a secret that the salt does not give, an answer that the
rules do not, a guess after the end, a game that has no end, games that are missing or come twice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from entropeg.codes import format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, format_feedback, parse_feedback, score_trusted
from entropeg.files import parse_object, read_text, shown
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.suites.suite import SUITES, Drawing, Suite, digest_of
from entropeg.told import Told, plural

FORMAT = "entropeg bench 1"
"""First words of a log."""
GAME = {"board": int, "game": int, "secret": str, "turns": list, "end": str, "invalid": int}
"""What the line of a game must have."""


class LogError(InputError):
    """A log cannot be scored: `reason` is one word that names why, and the message says what, where and why."""

    def __init__(self, template: str, /, *values: object, reason: str) -> None:
        super().__init__(template, *values)
        self.reason: str = reason

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), str(self), reason=self.reason), ()


@dataclass(frozen=True)
class BenchGame(PlainValue):
    """One game of an agent: its turns, and how it ended.

    `end` is `won`, `lost` (the limit of guesses) or `invalid`: the agent gave no legal guess, though it was asked again
    where it can be. `invalid` counts its answers that held none.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("board", "game", "secret", "turns", "end", "invalid")

    rules: Rules
    board: int
    game: int
    secret: Code
    turns: tuple[Any, ...]
    end: str
    invalid: int = 0
    more: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """What the agent has to tell besides: `tokens`, `transcript`."""

    @property
    def position(self) -> Position:
        """The position at its end."""
        return Position(self.rules, self.turns)


@dataclass(frozen=True)
class BenchLog:
    """A log that was read and found right: its games in the order of boards and games, and the digest of its last line.

    `is_whole` is False where games are missing, which only whoever goes on with a log allows.
    """

    drawing: Drawing
    agent: str
    games: tuple[BenchGame, ...]
    chain: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    bytes_read: int = 0
    """Length of the lines that are whole: a line that was cut off while it was written comes after them."""

    @property
    def is_whole(self) -> bool:
        """Whether no game is missing."""
        return len(self.games) == sum(map(self.drawing.number, range(len(self.drawing.boards))))


def head_line(drawing: Drawing, agent: str, settings: Mapping[str, Any]) -> str:
    """Return the first line of a log."""
    suite = drawing.suite
    facts = {
        "format": FORMAT, "suite": suite.name, "digest": suite.digest, "salt": drawing.salt, "games": drawing.games,
        "renamed": drawing.renamed, "picked": list(drawing.picked),
        "boards": list(map(str, drawing.boards)), "agent": agent,
    }  # fmt: skip
    return json.dumps(facts | {"settings": dict(settings)})


def game_line(game: BenchGame, chain: str) -> str:
    """Return the line of a game behind lines with this digest."""
    return json.dumps(game.to_json() | dict(game.more) | {"before": chain})


def read_log(path: str | Path, suite: Suite | None = None, *, is_whole: bool = True) -> BenchLog:
    """Read a log and check all that can be checked; ``suite``: the boards of one's own that it must be of.

    ``is_whole``: refuse one in which games are missing. No file but the log is read because the log says so. Raises
    LogError with the reason, InputError where the file cannot be read.
    """
    text = read_text(path)
    if not text.strip():
        raise LogError("{file} is empty, and a log begins with a line of its boards: `entropeg bench run` writes one",
                       shown(path), reason="format")  # fmt: skip
    whole, _, rest = text.rpartition("\n")
    lines = whole.split("\n")
    if is_whole and rest:
        raise LogError("{file} ends in the midst of a line", shown(path), reason="cut")
    try:
        drawing, agent, settings = _head(lines[0], suite)
        chain, games = digest_of(lines[0]), dict[tuple[int, int], BenchGame]()
        for number, line in enumerate(lines[1:], start=2):
            data = parse_object(line, number, *GAME)
            game = _game(data, drawing, number)
            _check_place(game, data, number, chain, is_twice=(game.board, game.game) in games)
            games[game.board, game.game] = game
            chain = digest_of(chain + line)
    except InputError as error:
        raise LogError("{file}: {error}", shown(path), error, reason=getattr(error, "reason", "format")) from None
    found = BenchLog(drawing, agent, tuple(games[key] for key in sorted(games)), chain, settings,
                     len(whole.encode()) + 1)  # fmt: skip
    if is_whole and not found.is_whole:
        _tell_missing(found, path)
    return found


def _check_place(game: BenchGame, data: dict[str, Any], number: int, chain: str, *, is_twice: bool) -> None:
    if is_twice:
        raise LogError(
            "line {n}: game {game} of {rules} is there already", number, game.game, game.rules, reason="twice"
        )
    if data.get("before") != chain:
        raise LogError("line {n}: the lines before it are not those that it was written behind", number, reason="chain")


def _tell_missing(log: BenchLog, path: str | Path) -> None:
    there = {(game.board, game.game) for game in log.games}
    for board, rules in enumerate(log.drawing.boards):
        missing = [game for game in range(log.drawing.number(board)) if (board, game) not in there]
        if missing:
            games = plural(len(missing), "{n} game", "{n} games")
            raise LogError("{file}: {games} of {rules} missing, the first is {game}", shown(path), games,
                           rules, missing[0], reason="missing")  # fmt: skip


def _head(line: str, own: Suite | None) -> tuple[Drawing, str, dict[str, Any]]:
    data = parse_object(line, 1) if line.startswith("{") else {}
    kinds = {"suite": str, "salt": str, "games": int, "renamed": bool, "picked": list, "boards": list,
             "agent": str, "settings": dict}  # fmt: skip
    wrong = [name for name, kind in kinds.items() if type(data.get(name)) is not kind]
    if data.get("format") != FORMAT or wrong:
        raise LogError("this is no log of a benchmark: its first line should have {format!r} and {names:and}",
                       FORMAT, list(kinds), reason="format")  # fmt: skip
    name = data["suite"]
    suite = SUITES.get(name) if own is None else own
    if suite is None:
        boards = " ".join(f"--board {board}" for board in data["boards"])
        raise LogError("it is of the suite {name!r}, which is not known here: name its boards, {boards}",
                       name, boards, reason="suite")  # fmt: skip
    try:
        drawing = Drawing(suite, data["salt"], data["games"], data["renamed"], tuple(data["picked"]))
    except (InputError, TypeError) as error:
        raise LogError("line 1: {error}", str(error), reason="format") from None
    if (name, data.get("digest")) != (suite.name, suite.digest):
        raise LogError("it says that the digest of {suite} is {digest!r}; it is {right}", name,
                       data.get("digest"), suite.digest, reason="suite")  # fmt: skip
    if data["boards"] != list(map(str, drawing.boards)):
        raise LogError("its boards are not those of {suite} under this salt: {boards:list}", suite.name,
                       list(map(str, drawing.boards)), reason="boards")  # fmt: skip
    return drawing, data["agent"], data["settings"]


def _game(data: dict[str, Any], drawing: Drawing, number: int) -> BenchGame:
    wrong = next((name for name, kind in GAME.items() if type(data[name]) is not kind), None)
    if wrong is not None:
        raise LogError("line {number}: {name} is {value!r}", number, wrong, data[wrong], reason="format")
    board, game = data["board"], data["game"]
    if not (0 <= board < len(drawing.boards) and 0 <= game < drawing.number(board)):
        raise LogError("line {number}: there is no game {game} of board {board}", number, game, board, reason="game")
    rules, where = drawing.boards[board], Told("line {number}, game {game} of {rules}", number, game,
                                               drawing.boards[board])  # fmt: skip
    secret = drawing.secret(board, game)
    if data["secret"] != format_code(secret, rules):
        raise LogError("{where}: the salt gives the secret {right}, not {secret!r}", where,
                       format_code(secret, rules), data["secret"], reason="secret")  # fmt: skip
    position, is_out = Position(rules), data["end"] == "invalid"
    for row, turn in enumerate(data["turns"], start=1):
        if position.is_over:
            raise LogError("{where}: turn {row} comes after the end", where, row, reason="after-end")
        position = _after(position, turn, secret, Told("{where}, turn {row}", where, row))
    state = "invalid" if is_out and not position.is_over else position.state
    if state == "open":
        raise LogError("{where}: it has no end after {turns}", where,
                       plural(len(position.turns), "{n} turn", "{n} turns"), reason="unfinished")  # fmt: skip
    if data["end"] != state:
        raise LogError(
            "{where}: it is said to be {end!r}; its turns say {state}", where, data["end"], state, reason="end"
        )
    if is_out and not data["invalid"]:
        raise LogError("{where}: it ended by an invalid answer, and counts none", where, reason="end")
    more: dict[str, Any] = {name: data[name] for name in ("tokens", "transcript") if name in data}
    try:
        check_told(data)
    except InputError as error:
        raise LogError("{where}: {error}", where, error, reason="format") from None
    return BenchGame(rules, board, game, secret, position.turns, state, data["invalid"], more)


def check_told(told: Mapping[str, Any]) -> None:
    """Raise InputError where `invalid` or `tokens`, which an agent tells of a game, are no numbers from 0."""
    invalid, tokens = told.get("invalid", 0), told.get("tokens", {})
    if type(invalid) is not int or invalid < 0:
        raise InputError("the agent told that invalid is {invalid!r}; it must be a whole number from 0", invalid)
    if not isinstance(tokens, dict) or any(type(number) is not int or number < 0 for number in tokens.values()):
        raise InputError(
            "the agent told that its tokens are {tokens!r}; they must be whole numbers from 0, by name", tokens
        )


def _after(position: Position, turn: Any, secret: Code, where: Told) -> Position:
    rules = position.rules
    if not (isinstance(turn, list) and len(turn) == 2 and all(isinstance(part, str) for part in turn)):
        raise LogError("{where} is {turn!r}; it should be a guess and its answer", where, turn, reason="format")
    try:
        guess = position.check_guess(parse_code(turn[0], rules))
    except InputError as error:
        raise LogError("{where}: {error}", where, error, reason="guess") from None
    right = score_trusted(guess, secret, rules)
    try:
        is_right = parse_feedback(turn[1], rules) == right
    except InputError:
        is_right = False
    if not is_right:
        raise LogError("{where}: {guess} gets {right} for this secret, not {said!r}", where,
                       format_code(guess, rules), format_feedback(right), turn[1], reason="feedback")  # fmt: skip
    return position.after_trusted(guess, right)
