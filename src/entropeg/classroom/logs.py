"""Reads logs of games and holds them against every secret, and against what they say of themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from entropeg.advise.given_games import PAIR, GivenGame, read_logged
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Feedback, check_feedback, format_feedback, score_trusted, win_feedback
from entropeg.files import read_text, shown
from entropeg.game import false_claim
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural


@dataclass(frozen=True)
class CheckedLog(PlainValue):
    """What a log turned out to be: consistent or not, from which turn on not, which turns contradict each other."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("rules=log.rules", "assumed=log.is_assumed", "turns=count", "consistent", "contradicted_at=turn", "conflict"),
        *("left", "ending=ended", "sentence", "lines"),
    )

    log: GivenGame
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

    @property
    def count(self) -> int:
        """Turns of the log."""
        return len(self.log.turns)

    @property
    def lines(self) -> tuple[int, int] | None:
        """The first and the last line of the game, where they are known."""
        return (self.log.lines[0], self.log.last_line) if self.log.last_line else None

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        count = self.count
        if self.log.broken and self.fault == self.log.broken:
            return Told("{fault}; {ended}", self.fault, self.ended)
        if self.consistent:
            turns = Told("all {count} turns", count) if count > 1 else Told("the only turn")
            left = plural(self.left, "one secret fits {turns}", "{n} secrets fit {turns}", turns)
            return Told("consistent: {left}; {ended}", left, self.ended)
        return Told("inconsistent: {fault}; {ended}", self.fault, self.ended)


def read_log(path: str, rules: Rules | None = None) -> GivenGame:
    """Read the log of one game; see `read_logs`. Raises InputError where the file holds several."""
    logs = read_logs(path, rules)
    if len(logs) > 1:
        raise InputError(
            "{path} holds {count} games, one after another: read_logs reads them all", shown(path), len(logs)
        )
    return logs[0]


def read_logs(path: str, rules: Rules | None = None) -> list[GivenGame]:
    """Read the games of a log of the course's `play_log`, of what its `play` prints, or any that `read_games` reads.

    A log is one guess and one `black,white` a line in turn (`(1,2)` and both on one line do too); after a guess that is
    answered as the secret the next game begins. Without rules they are those of the saved game, or follow from the
    guesses. Raises InputError naming the line that cannot be read; a guess that is no code ends its game as `broken`.
    """
    return list(read_logged(read_text(path), rules, shown(path)))


def check_log(log: GivenGame) -> CheckedLog:
    """Hold a log against every secret of its rules.

    Raises TooLargeError where they are too many to be listed.
    """
    position = Position(log.rules)
    for number, (guess, answer) in enumerate(log.turns, start=1):
        if position.is_won:
            fault = Told("turn {turn} wins the game, yet {more}", number - 1, _more(log, number))
            return CheckedLog(log, fault, number, (number - 1, number), ended=Told("it goes on after its end"))
        if position.is_lost:
            guesses = plural(number - 1, "{n} guess", "{n} guesses")
            fault = Told("{rules} ends after {guesses}, yet {more}", log.rules, guesses, _more(log, number))
            return CheckedLog(log, fault, number, (number,), ended=Told("it goes on after its end"))
        try:
            code, feedback = position.check_guess(guess), check_feedback(answer, log.rules)
        except InputError as error:
            fault = Told("turn {turn} ({guess}): {error}", number, format_code(guess, log.rules), error)
            return CheckedLog(log, fault, number, (number,), ended=_ending(log))
        position = position.after_trusted(code, feedback)
        if position.is_contradictory:
            return _contradiction(log, position)
        if log.secret is not None and score_trusted(guess, log.secret, log.rules) != feedback:
            right = _written(score_trusted(guess, log.secret, log.rules), _answer(log, number))
            differs = Template("turn {number}: {turn}, but the recorded secret {secret} gives {feedback}")
            fault = Told(differs, number, _turn(log, number), format_code(log.secret, log.rules), right)
            return CheckedLog(log, fault, number, (number,), ended=_ending(log))
    if log.broken:
        number = len(log.turns) + 1
        return CheckedLog(log, log.broken, number, (number,), ended=Told("what follows was not looked at"))
    return _hold_against_claims(log, position)


def _hold_against_claims(log: GivenGame, position: Position) -> CheckedLog:
    ended = Told("it does not end: the last guess is not the secret")
    if position.is_won:
        ended = Told("it ends with the secret found at turn {turn}", len(log.turns))
    elif position.is_lost:
        ended = Told("it ends at the limit of {limit} guesses", log.rules.guess_limit)
    outcome = "won" if position.is_won else "lost" if position.is_lost else "abandoned"
    if lie := false_claim(log.claims, outcome, len(log.turns)):
        return CheckedLog(log, lie, len(log.turns), ended=ended)
    return CheckedLog(log, left=len(position.candidates), ended=ended)


def _turn(log: GivenGame, number: int) -> str:
    return f"{format_code(log.turns[number - 1].guess, log.rules)} {_answer(log, number)}"


def _answer(log: GivenGame, number: int) -> str:
    # As it is written in the log, where it is known.
    return log.answers[number - 1] if log.answers else format_feedback(log.turns[number - 1].feedback)


def _written(feedback: AnyFeedback, like: str) -> str:
    # A feedback in the notation of another: as two numbers, with all that stands around them, or as marks.
    pair = PAIR.fullmatch(like)
    if pair is None or not isinstance(feedback, Feedback):
        return format_feedback(feedback)
    before, between, after = like[: pair.start(1)], like[pair.end(1) : pair.start(2)], like[pair.end(2) :]
    return f"{before}{feedback.black}{between}{feedback.white}{after}"


def _more(log: GivenGame, number: int) -> str:
    left = len(log.turns) - number + 1
    return plural(left, "{n} more follows", "{n} more follow")


def _ending(log: GivenGame) -> str:
    last = log.turns[-1][1] if log.turns else ()
    won = win_feedback(log.rules)
    return Told("its last guess is answered as the secret") if tuple(last) == tuple(won) else Told("it does not end")


def _contradiction(log: GivenGame, position: Position) -> CheckedLog:
    number = len(position.turns)
    conflict = tuple(at + 1 for at in position.conflict())
    turns = [Told("turn {number} ({turn})", at, _turn(log, at)) for at in conflict]
    which = turns[0] if len(turns) == 1 else Told("{turns:and} together", turns)
    fault = Told("from turn {number} on no secret is left: none fits {turns}", number, which)
    return CheckedLog(log, fault, number, conflict, ended=_ending(log))
