"""Reads logs of games and holds them against every secret, and against what they say of themselves."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from entropeg.amounts import plural
from entropeg.classroom.transcripts import PAIR, Transcript, rules_of, transcripts
from entropeg.codes import format_code, parse_code
from entropeg.errors import InputError, quoted
from entropeg.feedback import (
    AnyFeedback,
    Code,
    Feedback,
    GrandFeedback,
    Marks,
    check_feedback,
    format_feedback,
    parse_feedback,
    score_trusted,
    win_feedback,
)
from entropeg.files import parse_json, read_text, shown
from entropeg.game import FORMAT, false_claim
from entropeg.position import Position
from entropeg.rules import Rules


@dataclass(frozen=True)
class Log:
    """A game as a file tells it: turns as they stand there, with the number of the line of each."""

    rules: Rules
    turns: tuple[tuple[Code, AnyFeedback | tuple[int, int]], ...]
    lines: tuple[int, ...]
    answers: tuple[str, ...]
    """The answer of each turn as it is written there."""
    secret: Code | None = None
    assumed: bool = False
    """Whether the rules were guessed from the log."""
    claims: dict[str, Any] = field(default_factory=dict)
    """What the file says of the game beside its turns."""
    broken: str = ""
    """What is wrong with the guess of the turn after `turns`, which is no code; nothing after it was read."""
    last_line: int = 0
    """The number of the last line of the game; 0 where it has none of its own."""


@dataclass(frozen=True)
class CheckedLog:
    """What a log turned out to be: consistent or not, from which turn on not, which turns contradict each other."""

    log: Log
    fault: str = ""
    turn: int | None = None
    """The first turn, from 1, after which no secret is left; None where all is well."""
    conflict: tuple[int, ...] = ()
    left: int = 0
    """How many secrets fit the whole log."""
    ended: str = ""

    @property
    def consistent(self) -> bool:
        """Whether some secret fits every turn."""
        return self.turn is None

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `json.dumps`."""
        return {
            "rules": str(self.log.rules),
            "assumed": self.log.assumed,
            "turns": len(self.log.turns),
            "consistent": self.consistent,
            "contradicted_at": self.turn,
            "conflict": list(self.conflict),
            "left": self.left,
            "ending": self.ended,
            "sentence": self.sentence,
            "lines": [self.log.lines[0], self.log.last_line] if self.log.last_line else None,
        }

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        count = len(self.log.turns)
        if self.log.broken and self.fault == self.log.broken:
            return f"{self.fault}; {self.ended}"
        if self.consistent:
            turns = f"all {count} turns" if count > 1 else "the only turn"
            left = f"{self.left:,} secrets fit {turns}" if self.left != 1 else f"one secret fits {turns}"
            return f"consistent: {left}; {self.ended}"
        return f"inconsistent: {self.fault}; {self.ended}"


def read_log(path: str, rules: Rules | None = None) -> Log:
    """Read the log of one game; see `read_logs`. Raises InputError where the file holds several."""
    logs = read_logs(path, rules)
    if len(logs) > 1:
        raise InputError(f"{shown(path)} holds {len(logs)} games, one after another: read_logs reads them all")
    return logs[0]


def read_logs(path: str, rules: Rules | None = None) -> list[Log]:
    """Read the games of a log of the course's `play_log`, of what its `play` prints, or a game that entropeg saved.

    A log is one guess and one `black,white` a line in turn (`(1,2)` and both on one line do too); after a guess that is
    answered as the secret the next game begins. Without rules they are those of the saved game, or follow from the
    guesses. Raises InputError naming the line that cannot be read; a guess that is no code ends its game as `broken`.
    """
    text, path = read_text(path), shown(path)
    if text.lstrip().startswith("{") or text.startswith(FORMAT):
        return [_saved(path, text, rules)]
    games = transcripts(path, text)
    if not games:
        raise InputError(f"{path} has no turn: a log has a guess and an evaluation a line in turn")
    assumed = rules is None
    if rules is None:
        try:
            rules = rules_of(games)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    return [_log(path, game, rules, assumed=assumed) for game in games]


def _log(path: str, game: Transcript, rules: Rules, *, assumed: bool) -> Log:
    turns, lines, answers, broken = list[tuple[Code, AnyFeedback | tuple[int, int]]](), list[int](), list[str](), ""
    for line, text, answer in game.rows:
        lines.append(line)
        answers.append(answer)
        try:
            guess = parse_code(text, rules)
        except InputError as error:
            turn = len(lines)
            broken = f"turn {turn} (line {line}): its guess {quoted(text)} is no code of {rules}: {error}"
            if text == "None":
                broken = f"turn {turn} (line {line}): its guess is None, which a function gives that returns nothing"
            break
        try:
            turns.append((guess, _answer(answer, rules)))
        except InputError as error:
            raise InputError(f"{path}, line {line}: {error}") from None
    return Log(
        rules, tuple(turns), tuple(lines), tuple(answers), assumed=assumed, broken=broken, last_line=game.rows[-1][0]
    )


def _answer(text: str, rules: Rules) -> AnyFeedback | tuple[int, int]:
    match = PAIR.fullmatch(text)
    if match and rules.feedback.about.answer is not Marks:
        return int(match[1]), int(match[2])  # whether it can be is the question, not whether it can be read
    return parse_feedback(text, rules)


def _saved(path: str, text: str, rules: Rules | None) -> Log:
    # Read by hand where the game itself refuses: a wrong feedback is what is looked for.
    data, lines = _saved_data(path, text)
    try:
        found = Rules.parse(data["rules"]) if rules is None else rules
        turns, answers = [], [str(answer) for _, answer in data["turns"]]
        for line, (guess, answer) in zip(lines, data["turns"], strict=True):
            try:
                turns.append((parse_code(guess, found), _answer_unchecked(answer, found)))
            except InputError as error:
                raise InputError(f"{path}, line {line}: {error}" if line else f"{path}: {error}") from None
        secret = data.get("secret")
        hidden = None if not secret else parse_code(secret, found, secret=True)
        return Log(found, tuple(turns), tuple(lines), tuple(answers), hidden, claims=data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is not a saved game: {error}") from None


def _saved_data(path: str, text: str) -> tuple[dict[str, Any], list[int]]:
    if text.lstrip().startswith("{"):
        try:
            data = parse_json(text)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise InputError(f"{path} is not a saved game: its format should be {FORMAT!r}")
        if not isinstance(data.get("turns"), list):
            raise InputError(f"{path} is not a saved game: it has no list of turns")
        return data, [0] * len(data["turns"])
    head: dict[str, Any] = {}
    rows, lines = list[list[str]](), list[int]()
    for number, line in enumerate(text.splitlines()[1:], start=2):
        name, colon, value = line.partition(": ")
        if colon and not rows:
            head[name] = value
        elif line.strip():
            rows.append(line.rsplit(maxsplit=1))
            lines.append(number)
            if len(rows[-1]) != 2:
                raise InputError(f"{path}, line {number}: {quoted(line)} is not a guess and its feedback")
    return {**head, "turns": rows}, lines


def _answer_unchecked(text: str, rules: Rules) -> AnyFeedback | tuple[int, int]:
    try:
        return parse_feedback(text, rules)
    except InputError:
        if re.fullmatch("[XO]+", text) and rules.feedback.about.answer is not Marks:
            return text.count("X"), text.count("O")
        raise


def check_log(log: Log) -> CheckedLog:
    """Hold a log against every secret of its rules.

    Raises TooLargeError where they are too many to be listed.
    """
    position = Position(log.rules)
    for number, (guess, answer) in enumerate(log.turns, start=1):
        if position.is_won:
            fault = f"turn {number - 1} wins the game, yet {_more(log, number)}"
            return CheckedLog(log, fault, number, (number - 1, number), ended="it goes on after its end")
        if position.is_lost:
            guesses = plural(number - 1, "guess", "guesses")
            fault = f"{log.rules} ends after {guesses}, yet {_more(log, number)}"
            return CheckedLog(log, fault, number, (number,), ended="it goes on after its end")
        try:
            code = position.check_guess(guess)
            feedback = check_feedback(
                answer if isinstance(answer, (Feedback, GrandFeedback, Marks)) else Feedback(*answer), log.rules
            )
        except InputError as error:
            return CheckedLog(
                log, f"turn {number} ({format_code(guess, log.rules)}): {error}", number, (number,), ended=_ending(log)
            )
        position = position.after_trusted(code, feedback)
        if position.is_contradictory:
            return _contradiction(log, position)
        if log.secret is not None and score_trusted(guess, log.secret, log.rules) != feedback:
            right = _written(score_trusted(guess, log.secret, log.rules), log.answers[number - 1])
            fault = (
                f"turn {number}: {_turn(log, number)}, but the recorded secret "
                f"{format_code(log.secret, log.rules)} gives {right}"
            )
            return CheckedLog(log, fault, number, (number,), ended=_ending(log))
    if log.broken:
        number = len(log.turns) + 1
        return CheckedLog(log, log.broken, number, (number,), ended="what follows was not looked at")
    return _hold_against_claims(log, position)


def _hold_against_claims(log: Log, position: Position) -> CheckedLog:
    ended = "it does not end: the last guess is not the secret"
    if position.is_won:
        ended = f"it ends with the secret found at turn {len(log.turns)}"
    elif position.is_lost:
        ended = f"it ends at the limit of {log.rules.guess_limit} guesses"
    outcome = "won" if position.is_won else "lost" if position.is_lost else "abandoned"
    if lie := false_claim(log.claims, outcome, len(log.turns)):
        return CheckedLog(log, lie, len(log.turns), ended=ended)
    return CheckedLog(log, left=len(position.candidates), ended=ended)


def _turn(log: Log, number: int) -> str:
    return f"{format_code(log.turns[number - 1][0], log.rules)} {log.answers[number - 1]}"


def _written(feedback: AnyFeedback, like: str) -> str:
    # A feedback in the notation of another: as two numbers, with all that stands around them, or as marks.
    pair = PAIR.fullmatch(like)
    if pair is None or not isinstance(feedback, Feedback):
        return format_feedback(feedback)
    before, between, after = like[: pair.start(1)], like[pair.end(1) : pair.start(2)], like[pair.end(2) :]
    return f"{before}{feedback.black}{between}{feedback.white}{after}"


def _more(log: Log, number: int) -> str:
    left = len(log.turns) - number + 1
    return f"{left} more follow{'s' if left == 1 else ''}"


def _ending(log: Log) -> str:
    last = log.turns[-1][1] if log.turns else ()
    won = win_feedback(log.rules)
    return "its last guess is answered as the secret" if tuple(last) == tuple(won) else "it does not end"


def _contradiction(log: Log, position: Position) -> CheckedLog:
    number = len(position.turns)
    conflict = tuple(at + 1 for at in position.conflict())
    told = [f"turn {at} ({_turn(log, at)})" for at in conflict]
    which = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]} together"
    fault = f"from turn {number} on no secret is left: none fits {which}"
    return CheckedLog(log, fault, number, conflict, ended=_ending(log))
