"""Reads the turns of games from the text that a course's programs write, one game after another.

A log of `play_log` has a guess and its evaluation on a line each, in turn; what `play` prints has both on one line
(`Essai 3 : RVBJ (1,2)`), a line before the first turn and one after the last. Nothing is judged here: a guess is
whatever stands where a guess should.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from entropeg.advise.likely import likely_rules
from entropeg.alphabet import COURSE_LETTERS
from entropeg.errors import InputError, quoted
from entropeg.rules import Rules

PAIR = re.compile(r"[(\[]?\s*(-?\d{1,9})\s*[,;\s]\s*(-?\d{1,9})\s*[)\]]?")
"""An evaluation as two numbers, in parentheses or without."""

LONGEST = 2000
"""Characters of a line that is a turn."""

MOSTLY = 0.8
"""A share of guesses of the course's letters from which on the others are taken for mistakes."""

_ANSWER = re.compile(rf"{PAIR.pattern}|[XxOo●○]+|-")
_NUMBERED = re.compile(
    r".*?\b(?:essai|try|turn|tour)\s*(?P<number>\d+)\s*:\s*(?P<guess>.*?)\s*(?P<answer>\(\s*-?\d+\s*,\s*-?\d+\s*\))",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"(?:(?P<number>\d+)\s*[:.)]\s*)?(?P<guess>[^\s(]+)\s+(?P<answer>\S.*)")
_TABLE = re.compile(r"(?P<number>\d+)\s{2,}(?P<guess>\S+)\s{2,}(?P<answer>\S.*)")
_HEAD = re.compile(r"combinaisons de taille\s*(\d+)\D*couleurs disponibles\s*(.*)", re.IGNORECASE)
_SPACES = re.compile(r"\s{3,}")
_CODE = re.compile(r"\w+")
_NAMED = {"None", "True", "False"}


@dataclass
class Transcript:
    """One game as it was written down: line, guess and evaluation of each turn, all as text."""

    rows: list[tuple[int, str, str]] = field(default_factory=list)
    head: tuple[int, str] | None = None
    """Pegs and colors, where the program says them before the first turn."""


def transcripts(path: str, text: str) -> list[Transcript]:
    """Return the games of a text in order; `path` is how messages name it.

    A game ends with a guess that is answered as the secret, with `Bravo`, or where the next one begins: with its first
    line, or with turn 1. Where turns are numbered, as `play` prints them, all other lines are remarks of the modules.
    Raises InputError naming the line that is neither a turn nor a remark of the course's program.
    """
    games = [Transcript()]
    for line, number, guess, answer in _turns(path, text, games):
        rows = games[-1].rows
        if rows and (number == 1 or _is_won(rows[-1])):
            games.append(Transcript(head=games[-1].head))
        games[-1].rows.append((line, guess, answer))
    return [game for game in games if game.rows]


def _turns(path: str, text: str, games: list[Transcript]) -> Iterator[tuple[int, int | None, str, str]]:
    if not text.strip():
        raise InputError(f"{path} is empty: a log has a guess and an evaluation a line in turn")
    waiting: tuple[int, str] | None = None
    together: bool | None = None
    printed = any(_NUMBERED.fullmatch(line.strip()) for line in text.splitlines())
    for at, line in _lines(text, games):
        found = _turn(line)
        if printed and (found is None or found[0] is None):
            continue  # what the modules print stands between the turns that `play` prints
        together = found is not None if together is None else together
        if together:
            if found is None:
                raise InputError(f"{path}, line {at}: {quoted(line)} is not a guess and its evaluation")
            yield at, *found
        elif waiting is None:
            waiting = at, line
        else:
            yield waiting[0], None, waiting[1], line
            waiting = None
    if waiting is not None:
        raise InputError(f"{path}, line {waiting[0]}: the guess {quoted(waiting[1])} has no evaluation after it")


def _lines(text: str, games: list[Transcript]) -> Iterator[tuple[int, str]]:
    # The lines that are no remarks of the course's program; its remarks begin and end games.
    for at, whole in enumerate(text.splitlines(), start=1):
        line = _SPACES.sub("  ", whole.strip())
        if len(line) > LONGEST:
            raise InputError(f"line {at} has {len(line):,} characters, and a turn at most {LONGEST:,}")
        head = _HEAD.match(line)
        if head or line.casefold().startswith("bravo"):
            if games[-1].rows:
                games.append(Transcript(head=games[-1].head))
            if head:
                games[-1].head = int(head[1]), "".join(re.findall(r"\w", head[2]))
        elif line:
            yield at, line


def _turn(line: str) -> tuple[int | None, str, str] | None:
    for pattern in (_NUMBERED, _TABLE, _TOGETHER):
        match = pattern.fullmatch(line)
        if match and _ANSWER.fullmatch(match["answer"]) and not re.fullmatch(r"[\W\d]*", line):
            number = match["number"]
            return None if number is None else int(number), match["guess"], match["answer"]
    return None


def _is_won(row: tuple[int, str, str]) -> bool:
    _, guess, answer = row
    pair = PAIR.fullmatch(answer)
    if pair:
        return (int(pair[1]), int(pair[2])) == (len(guess), 0)
    return len(answer) == len(guess) and set(answer) <= {"X", "x", "●"}


def rules_of(games: Sequence[Transcript]) -> Rules:
    """Return the rules that the games were likely played by.

    They follow from what the program says before the first turn, or from the guesses. What is no code (`None`, a tuple)
    is left out, and so are guesses of another length than most. Raises InputError where none is a code.
    """
    guesses = [guess for game in games for _, guess, _ in game.rows]
    codes = [guess for guess in guesses if _CODE.fullmatch(guess) and guess not in _NAMED]
    head = next((game.head for game in games if game.head), None)
    if head is not None and set(head[1]) == set(COURSE_LETTERS[: len(head[1])]):
        return Rules.parse(f"{head[0]}x{len(head[1])}/course")
    if not codes:
        raise InputError(
            f"no guess is a code, the first is {quoted(guesses[0])}: say which rules it follows with --rules"
        )
    pegs = Counter(map(len, codes)).most_common(1)[0][0] if head is None else head[0]
    codes = [code for code in codes if len(code) == pegs] or codes
    course = [code for code in codes if set(code.upper()) <= set(COURSE_LETTERS)]
    return likely_rules(course if len(course) >= MOSTLY * len(codes) else codes)
