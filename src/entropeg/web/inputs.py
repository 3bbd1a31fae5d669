"""Reads rules, turns and players from a request, so that nothing of it reaches a file, an import or a command.

Word lists are those of the package, tables those of the data folder, priors formulas, players the built-in ones that
read no file. Sizes stay within the limits of the server. Every function raises `RefusedError` that names the field.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from entropeg import codebreakers, codemakers
from entropeg.answers import TABLES, AnswerTable
from entropeg.candidates import Clues
from entropeg.codemakers.honest import Honest
from entropeg.codes import AnyCode, check_code, random_guess
from entropeg.errors import InputError
from entropeg.feedback import Code, parse_feedback, win_feedback
from entropeg.position import Position, Turn, unused_clue
from entropeg.priors import FORMULAS
from entropeg.registry import Registry, read_arguments
from entropeg.rules import MOST_SIZE, Rules
from entropeg.told import NAMES_SECRETS, Told
from entropeg.web.refusals import RefusedError, field
from entropeg.web.settings import ServerLimits

if TYPE_CHECKING:
    from entropeg.advise import Notes

RULES_TEXT = 4_000
"""Characters of the text of rules: an alphabet of 2,000 colors fits."""

PLAYER_TEXT = 300
"""Characters of the text of a player."""


def rules_of(text: str, limits: ServerLimits, name: str = "rules") -> Rules:
    """Read rules that a request may ask for.

    >>> rules_of("4x6", ServerLimits()).secret_count
    1296
    """
    if len(text) > RULES_TEXT:
        raise RefusedError(
            Told("the text of the rules is too long: {most:,} characters at most", RULES_TEXT), name, "4x6"
        )
    size = re.match(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})", text)
    if size is not None:
        _check_size(int(size[1]), int(size[2]), limits, name)
    with field(name, "4x6"):
        rules = parsed(text)
    NAMES_SECRETS.set(not rules.has_pegs)
    return rules


def parsed(text: str) -> Rules:
    """Read rules of any size, once: for tasks, whose rules were looked at already."""
    # A table may be removed, and another have its name.
    return Rules.parse(text, files=False) if text.lstrip().startswith(TABLES) else _parsed(text)


@lru_cache(maxsize=512)
def _parsed(text: str) -> Rules:
    return Rules.parse(text, files=False)


def _check_size(pegs: int, colors: int, limits: ServerLimits, name: str) -> None:
    if (limits.pegs < pegs <= MOST_SIZE) or (limits.colors < colors <= MOST_SIZE):
        raise RefusedError(
            Told(
                "{board} is larger than what this server plays: {pegs:,} pegs and {colors:,} colors",
                *(f"{pegs}x{colors}", limits.pegs, limits.colors),
            ),
            name,
            "4x6",
        )


def code_of(text: AnyCode, rules: Rules, name: str = "guess", *, secret: bool = False) -> Code:
    """Read a guess, or a secret, given as text or as a list of numbers."""
    with field(name, example_code(rules)):
        return check_code(text, rules, secret=secret)


def example_code(rules: Rules) -> str | None:
    """Return a code that may be a secret, as an example; None where it would be long.

    >>> example_code(Rules.parse("4x6")), example_code(Rules.parse("3x9/no-repeats"))
    ('AABB', 'ABC')
    """
    if rules.pegs > 12:
        return None
    if isinstance(rules.words, AnswerTable):
        return rules.words.name_of(rules.words.guess_codes[-1])
    if rules.words is not None:
        return rules.symbols.format(rules.words.codes[0])
    half = (rules.pegs + 1) // 2
    is_distinct = not rules.repeats or rules.colors < 2
    code = tuple(peg if not rules.repeats else int(peg >= half) for peg in range(rules.pegs))
    if is_distinct and rules.colors < (rules.pegs if not rules.repeats else 2):
        code = (0,) * rules.pegs if rules.repeats else tuple(min(peg, rules.colors) for peg in range(rules.pegs))
    return rules.symbols.format(code)


def turns_of(
    turns: Sequence[Sequence[str]], rules: Rules, limits: ServerLimits, name: str = "turns"
) -> tuple[Turn, ...]:
    """Read turns, each a guess and its feedback."""
    if len(turns) > limits.turns:
        raise RefusedError(Told("{turns:,} turns are too many: {most:,} at most", len(turns), limits.turns), name)
    return read_turns(turns, rules, name)


def read_turns(turns: Sequence[Sequence[str]], rules: Rules, name: str = "turns") -> tuple[Turn, ...]:
    """Read any number of turns, as `turns_of`; rows after the end of the game are refused too."""
    read = tuple(_turn(turn, rules, f"{name}.{row}") for row, turn in enumerate(turns))
    end = next((row for row, turn in enumerate(read) if turn.feedback == win_feedback(rules)), len(read))
    if rules.guess_limit is not None:
        end = min(end, rules.guess_limit - 1)
    if end < len(read) - 1:
        raise RefusedError(
            Told("after row {row} the game is over: leave the rows below it out", end + 1), f"{name}.{end + 1}"
        )
    row, fault = unused_clue(rules, read)
    if fault:
        with field(f"{name}.{row}.0"):
            Clues.of(rules, read[:row]).check(read[row].guess)
    return read


def _turn(turn: Sequence[str], rules: Rules, name: str) -> Turn:
    if len(turn) != 2:
        raise RefusedError("a turn is a guess and its feedback", name, [example_code(rules), "-"])
    guess, feedback = turn
    # The reading of a short guess is remembered: each turn of a game comes again with every guess after it.
    if len(guess) <= 40:
        known = _known_turn(rules, guess, feedback)
        if known is not None:
            return known
    code = code_of(guess, rules, f"{name}.0")
    with field(f"{name}.1", "-"):
        return Turn(code, parse_feedback(feedback, rules))


def notes_of(rows: Sequence[str], rules: Rules, name: str = "rows") -> Notes:
    """Read rows as a person noted them down, of which some may be known in part."""
    from entropeg.advise import Notes, read_row
    from entropeg.advise.rows import unused_row

    code = example_code(rules)
    example = "AABB ?" if code is None else f"{code} ?"
    found = []
    for place, text in enumerate(rows):
        with field(f"{name}.{place}", example, row=place + 1):
            found.append(read_row(text, rules))
    row = max(unused_row(rules, found)[0], 0)
    with field(f"{name}.{row}", example, row=row + 1):
        return Notes(rules, tuple(found))


@lru_cache(maxsize=8192)
def _known_turn(rules: Rules, guess: str, feedback: str) -> Turn | None:
    try:
        return Turn(check_code(guess, rules), parse_feedback(feedback, rules))
    except InputError:
        return None


def some_guess(rules: Rules) -> Code:
    """Return a legal guess, always the same."""
    return random_guess(rules, np.random.default_rng(0))


def position_of(rules: Rules, turns: tuple[Turn, ...]) -> Position:
    """Return the position after turns that were read; positions of short games on small boards are remembered."""
    if len(turns) > SHORT or rules.secret_count > 50_000:
        return Position(rules, turns)
    return _position(rules, turns)


SHORT = 40
"""Turns of positions that are remembered with their codes, and counted at once."""


@lru_cache(maxsize=256)
def _position(rules: Rules, turns: tuple[Turn, ...]) -> Position:
    # Candidates are found from those of the position before, which most often is still known.
    return _position(rules, turns[:-1]).after_trusted(*turns[-1]) if turns else Position(rules)


def files_by_name(folder: Path, most: int) -> dict[str, Path]:
    """Return the first files of a folder by name: a file that is asked for is looked up here, and nowhere else."""
    if not folder.is_dir():
        return {}
    found = (each for each in sorted(folder.iterdir()) if re.fullmatch(FILE_NAME, each.name) and each.is_file())
    return {file.name: file for file, _ in zip(found, range(most), strict=False)}


FILE_NAME = r"[\w-][\w.+-]{0,119}"
"""How a file may be called that the page shows."""


def codebreaker_of(text: str, name: str = "codebreaker") -> Any:
    """Make a codebreaker that a request may ask for."""
    return _player(codebreakers.registry, text, name)


def codemaker_of(text: str, name: str = "codemaker") -> Any:
    """Make a codemaker that a request may ask for."""
    return _player(codemakers.registry, text, name)


GIVEN = "honest:secret="
"""How the text of an honest codemaker begins whose secret stands in the rest of it."""


def served(registry: Registry[Any]) -> list[str]:
    """Names of the players of a role that requests may ask for."""
    return [name for name, row in registry.rows.items() if not row.reads_files]


def _player(registry: Registry[Any], text: str, name: str) -> Any:
    if len(text) > PLAYER_TEXT and not text.startswith("honest:"):
        raise RefusedError(
            Told("the name of a {role} has {most} characters at most", registry.role, PLAYER_TEXT),
            name,
            served(registry)[0],
        )
    with field(name, served(registry)[0]):
        return _made(registry, text)


@lru_cache(maxsize=256)
def _made(registry: Registry[Any], text: str) -> Any:
    if text.startswith(GIVEN):  # names of a table may hold what stands between parameters
        return Honest(text.removeprefix(GIVEN))
    _check_player(registry, text)
    return registry.get(text)


def _check_player(registry: Registry[Any], text: str) -> None:
    # Names within parameters are looked at before the player is made, which would make those too.
    head, _, given = text.strip().partition(":")
    known = served(registry)
    if head.strip() not in known:
        near = get_close_matches(head, known, n=3, cutoff=0.5)
        if near:
            raise InputError(
                "there is no {role} called {name!r} here: did you mean {near:or}?", registry.role, head, near
            )
        raise InputError("there is no {role} called {name!r} here: there are {known:list}", registry.role, head, known)
    values = read_arguments(registry.factory(head.strip()), text, given)
    for one in registry.asked_by(head.strip(), text, given):
        _check_player(codebreakers.registry, one)
    if head.strip() == "biased" and values.get("prior", "") not in {"", *FORMULAS}:
        raise InputError("the prior {prior!r} is no formula: there are {formulas:list}", values["prior"], FORMULAS)
