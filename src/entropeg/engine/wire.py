"""Reads and writes the words of the text protocol: rules, codes and answers."""

from __future__ import annotations

from typing import Any

from entropeg.advise.expectation import Certainty, Expectation
from entropeg.codes import check_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, check_feedback, win_feedback
from entropeg.rules import Blanks, FeedbackKind, Rules
from entropeg.told import Told

VERSION = "1"
GREETING = f"mastermind {VERSION}"


def write_rules(rules: Rules) -> str:
    """Write rules as `name=value` words, all of them but `hard`, so that a program needs no defaults.

    >>> write_rules(Rules.parse("4x6/limit=12"))
    'pegs=4 colors=6 repeats=yes guess-repeats=yes blanks=none feedback=standard limit=12'
    """
    if rules.feedback.about.is_listed:
        raise InputError("the text protocol speaks of colored pegs and their marks, and {rules} is a table", rules)
    words = {
        "pegs": rules.pegs,
        "colors": rules.colors,
        "repeats": "yes" if rules.repeats else "no",
        "guess-repeats": "yes" if rules.guess_repeats else "no",
        "blanks": rules.blanks.name,
        "feedback": rules.feedback.name,
        "limit": rules.guess_limit or "none",
    }
    words |= {"hard": "yes"} if rules.hard else {}
    return " ".join(f"{name}={value}" for name, value in words.items())


def read_rules(words: list[str]) -> tuple[Rules, dict[str, int]]:
    """Read the rules of a new game, and the numbers beside them (`seed`, `turn-ms`, `game-ms`).

    Names that are not known are passed over, as the protocol asks. Raises InputError for a value that cannot be.
    """
    given = dict(word.partition("=")[::2] for word in words)
    fields: dict[str, Any] = {}
    try:
        for name in ("pegs", "colors"):
            fields[name] = _number(given[name])
        for name in ("repeats", "guess-repeats", "hard"):
            if name in given:
                fields[name.replace("-", "_")] = {"yes": True, "no": False}[given[name]]
        fields["blanks"] = Blanks[given.get("blanks", "none")]
        fields["feedback"] = FeedbackKind[given.get("feedback", "standard")]
        limit = given.get("limit", "none")
        fields["guess_limit"] = None if limit == "none" else _number(limit)
        beside = ("seed", "turn-ms", "game-ms")
        numbers: dict[str, int] = {name: _number(given[name]) for name in beside if name in given}
    except KeyError as error:
        wrong = error.args[0]
        what = Told("{name!r} is no value that is known", wrong)
        if wrong in {"pegs", "colors"}:
            what = Told("{name!r} is missing", wrong)
        raise InputError("a new game needs pegs=N colors=M and known values: {what}", what) from None
    for name, number in numbers.items():
        if number < 0:
            raise InputError("{name}={number} cannot be: it must be at least 0", name, number)
    return Rules(**fields), numbers


def _number(text: str) -> int:
    # Rules refuse numbers that are too small or too large for them; a seed and times are at least 0.
    if not text.removeprefix("-").isdecimal():
        raise InputError("a new game has a value that is no number: {text!r}", text)
    digits = 40  # seeds may be long
    if len(text) > digits:
        raise InputError("a new game has a number of over {digits} digits: {text!r}", digits, text)
    return int(text)


def write_code(code: Code) -> str:
    """Write a code as color numbers from 0; a blank is the number past the last color."""
    return " ".join(map(str, code))


def read_code(words: list[str], rules: Rules) -> Code:
    """Read a guess; raises InputError where it is none."""
    try:
        return check_code([int(word) for word in words], rules)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError("{words!r} is no code: it should be {pegs} numbers", " ".join(words), rules.pegs) from None


def write_answer(feedback: AnyFeedback) -> str:
    """Write an answer: black and white, or under positional rules a mark for each peg (2 black, 1 white, 0 none)."""
    return " ".join(map(str, feedback))


def write_bounds(number: Expectation) -> str:
    """Write an expected number of guesses as what is known of it: `exact Q`, `least L`, or `about Q error E`.

    >>> write_bounds(Expectation.of(4)), write_bounds(Expectation.at_least(2.5))
    ('exact 4.000000 4', 'least 2.500000')
    """
    if number.is_exact:
        return f"exact {number.value:.6f} {number.fraction or '-'}"
    is_bound = number.knowledge is Certainty.at_least
    return f"least {number.value:.6f}" if is_bound else f"about {number.value:.6f} error {number.error:.6f}"


def read_answer(words: list[str], rules: Rules) -> AnyFeedback:
    """Read an answer and check that it can be; raises InputError."""
    return check_feedback(parse_answer(words, rules), rules)


def parse_answer(words: list[str], rules: Rules) -> AnyFeedback:
    """Read an answer, possible or not; raises InputError where it is none."""
    try:
        numbers = [int(word) for word in words]
    except ValueError:
        numbers = []
    about = rules.feedback.about
    if len(numbers) != len(win_feedback(rules)):
        raise InputError("{words!r} is no answer: it should be {wanted}", " ".join(words), about.wanted)
    answer: AnyFeedback = about.of(numbers, rules)
    return answer
