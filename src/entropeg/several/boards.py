"""Several secrets of the same rules, and a position of the game that finds them all: each guess is answered by each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import prod
from typing import NamedTuple, TypeAlias

from entropeg import arguments
from entropeg.codes import AnyCode, CodeSet, check_listable, format_code, parse_code
from entropeg.endless import repeating
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, check_feedback, format_feedback, score_trusted
from entropeg.position import Position, describe_conflict, split_turn
from entropeg.rules import Rules
from entropeg.told import Told

MOST_SECRETS = 16
"""Secrets of one game, at most."""

FOUND = "*"
"""What is written for the answer of a secret that was found before."""

_OPTION = re.compile(r"/\s*secrets\s*=([^/]*)", re.IGNORECASE)


@dataclass(frozen=True)
class SeveralRules:
    """Rules that all secrets share, and how many there are; written as `4x4/secrets=2`.

    Each secret is drawn on its own, so two may be the same. A limit of guesses is for all of them. Raises InputError
    for hard rules, priors and games in which no secret is named, TooLargeError where the codes cannot be listed.

    >>> str(SeveralRules.parse("4x6/secrets=2/limit=9"))
    '4x6/limit=9/secrets=2'
    """

    rules: Rules
    secrets: int = 2

    def __post_init__(self) -> None:
        """Refuse rules that several secrets do not go with."""
        object.__setattr__(self, "rules", Rules.of(self.rules))
        count = arguments.whole(self.secrets, "the number of secrets", least=1)
        if count > MOST_SECRETS:
            raise InputError("there are {count} secrets; at most {most} are found at once", count, MOST_SECRETS)
        rules = self.rules
        if rules.hard or rules.prior is not None or not rules.is_named:
            why = Told("hard rules") if rules.hard else Told("games without names")
            raise InputError(
                "several secrets do not go with {why}: leave secrets={count} out",
                *(Told("priors") if rules.prior is not None else why, count),
            )
        check_listable(rules)

    @classmethod
    def of(cls, rules: SeveralRules | Rules | str) -> SeveralRules:
        """Return such rules given as such or as text; of rules without a number those of one secret."""
        if isinstance(rules, cls):
            return rules
        return cls(rules, 1) if isinstance(rules, Rules) else cls.parse(rules)  # type: ignore[arg-type]

    @classmethod
    def parse(cls, text: str) -> SeveralRules:
        """Read rules with the option `secrets=N`; raises InputError where they cannot be."""
        text = arguments.text(text, "the text of the rules")
        found = _OPTION.findall(text)
        if len(found) > 1:
            raise InputError("{rules!r} says the number of secrets twice: leave one out", text)
        if found and not (found[0].strip().isdecimal() and len(found[0]) < 9):
            raise InputError("the number of secrets is {given!r}; it must be a whole number", found[0].strip())
        return cls(Rules.parse(_OPTION.sub("", text)), int(found[0]) if found else 1)

    @property
    def text(self) -> str:
        """The rules as `parse` reads them."""
        return str(self)

    def __str__(self) -> str:
        """Write the rules as `parse` reads them."""
        return str(self.rules) if self.secrets == 1 else f"{self.rules}/secrets={self.secrets}"

    def __repr__(self) -> str:
        return f"<SeveralRules {self}>"


def is_several(text: str) -> bool:
    """Tell whether the text of rules has the option `secrets=N`.

    >>> is_several("4x4/secrets=2"), is_several("4x4")
    (True, False)
    """
    return _OPTION.search(text) is not None


AllAnswers: TypeAlias = tuple[AnyFeedback | None, ...]
"""The answer of each secret to a guess, None of one that was found before."""


class SeveralTurn(NamedTuple):
    """One guess, and what each secret answered."""

    guess: Code
    answers: AllAnswers


@dataclass(frozen=True, repr=False)
class Boards:
    """A position of each secret, and the turns so far: immutable. The game is won once each secret was guessed.

    The position of a secret that was found ends there; all others see the same guesses.

    >>> boards = Boards.of("4x4/secrets=2").after("AABB", ["XO", "X"])
    >>> boards.ways, str(boards)
    (1792, 'AABB XO / X')
    """

    rules: SeveralRules
    positions: tuple[Position, ...]
    turns: tuple[SeveralTurn, ...] = ()

    @classmethod
    def of(cls, board: Boards | SeveralRules | Rules | str) -> Boards:
        """Return a position given as such, or the start of a game by rules."""
        if isinstance(board, cls):
            return board
        rules = SeveralRules.of(board)  # type: ignore[arg-type]  # what is left are rules
        return cls(rules, (Position(rules.rules),) * rules.secrets)

    def after(self, guess: AnyCode, answers: Iterable[FeedbackLike | None]) -> Boards:
        """Return the position after one more turn, with an answer of each secret that is not found yet.

        AllAnswers of found ones are None or `*`, or left out. Raises InputError where the guess or an answer cannot be.
        """
        self.check_open()
        code = self.positions[self.open[0]].check_guess(guess)
        given = arguments.items(answers, "the answers", '["XO", "X"]')
        if len(given) == len(self.open):
            waiting = iter(given)
            given = [next(waiting) if is_open else None for is_open in self.are_open]
        if len(given) != self.rules.secrets:
            raise InputError(
                "{given} answers to {guess}, and there are {count} secrets: write one for each, as XO / X / {found}",
                *(len(given), format_code(code, self.rules.rules), self.rules.secrets, FOUND),
            )
        for place, (answer, is_open) in enumerate(zip(given, self.are_open, strict=True), start=1):
            if is_open and (answer is None or answer == FOUND):
                raise InputError("secret {number} is not found yet: it has an answer", place)
            if not is_open and answer is not None and answer != FOUND:
                raise InputError("secret {number} was found before: its answer is {found}", place, FOUND)
        each = zip(given, self.are_open, strict=True)
        return self._after(
            code, [check_feedback(answer, self.rules.rules) if is_open else None for answer, is_open in each]
        )

    def _after(self, guess: Code, answers: Sequence[AnyFeedback | None]) -> Boards:
        positions = tuple(
            position if answer is None else position.after_trusted(guess, answer)
            for position, answer in zip(self.positions, answers, strict=True)
        )
        return Boards(self.rules, positions, (*self.turns, SeveralTurn(guess, tuple(answers))))

    def answered(self, guess: AnyCode, secrets: Sequence[Code]) -> Boards:
        """Return the position after a guess that these secrets answer."""
        self.check_open()
        code = self.positions[self.open[0]].check_guess(guess)
        each = zip(secrets, self.are_open, strict=True)
        return self._after(
            code, [score_trusted(code, secret, self.rules.rules) if is_open else None for secret, is_open in each]
        )

    @property
    def are_open(self) -> tuple[bool, ...]:
        """Whether each secret is still to be found."""
        return tuple(not position.is_won for position in self.positions)

    @cached_property
    def open(self) -> tuple[int, ...]:
        """The secrets that are still to be found, by number from 0."""
        return tuple(place for place, is_open in enumerate(self.are_open) if is_open)

    @cached_property
    def left(self) -> tuple[CodeSet, ...]:
        """The candidates of each secret that is still to be found."""
        return tuple(self.positions[place].candidates for place in self.open)

    @property
    def ways(self) -> int:
        """Number of ways in which the secrets can be hidden that fit all answers."""
        return prod(map(len, self.left))

    @property
    def is_won(self) -> bool:
        """Whether all secrets are found."""
        return not self.open

    @property
    def is_lost(self) -> bool:
        """Whether the guess limit is reached without a win."""
        limit = self.rules.rules.guess_limit
        return limit is not None and len(self.turns) >= limit and not self.is_won

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_won or self.is_lost

    def check_open(self) -> None:
        """Raise InputError where the game is over."""
        if self.is_over:
            raise InputError("the game is over: no guess follows {turns}", self)

    def endless(self, guess: Code) -> str:
        """Say how a guess goes on with a game that would never end, as `Position.endless` does; "" where it may end."""
        if self.rules.rules.guess_limit is not None:
            return ""
        return repeating(self.turns, guess, partial(format_code, rules=self.rules.rules))

    def check_consistent(self) -> None:
        """Raise ContradictionError, naming the secret and the turns, where no code fits the answers of a secret."""
        for place in self.open:
            position = self.positions[place]
            if position.is_contradictory:
                raise ContradictionError(Told("secret {number}: {conflict}", place + 1, describe_conflict(position)))

    def __iter__(self) -> Iterator[SeveralTurn]:
        return iter(self.turns)

    def __repr__(self) -> str:
        return f"<Boards of {self.rules}: {self}>"

    def __str__(self) -> str:
        """Write the turns on one line: `AABB XO / X, CCDD OO / *`."""
        return ", ".join(self.format_turn(turn) for turn in self.turns) or "start"

    def format_turn(self, turn: SeveralTurn) -> str:
        """Write one turn: `AABB XO / X`."""
        return f"{format_code(turn.guess, self.rules.rules)} {format_answers(turn.answers)}"

    def after_text(self, text: str) -> Boards:
        """Return the position after a turn that is written as `AABB XO / X`; raises InputError."""
        guess, *answers = split_turn(arguments.text(text, "the turn"), self.rules.rules)
        if not answers:
            raise InputError(
                "the turn {text!r} is not a guess and its answers: write them as {shown}", text, '"AABB XO / X"'
            )
        return self.after(parse_code(guess, self.rules.rules), [each.strip() for each in answers[0].split("/")])


def format_answers(answers: AllAnswers) -> str:
    """Write the answers to a guess: `XO / X`, a star for each secret that was found before."""
    return " / ".join(FOUND if answer is None else format_feedback(answer) for answer in answers)
