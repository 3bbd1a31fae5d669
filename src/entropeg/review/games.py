"""Reads games to be reviewed: saved ones, logs, and rows pasted from other programs; one or many in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from entropeg import arguments
from entropeg.advise.likely import likely_rules
from entropeg.advise.notes import read_notes
from entropeg.advise.reading import read_lines, read_row
from entropeg.advise.rows import Row, format_row
from entropeg.advise.telling.saved import FORMAT as NOTES
from entropeg.advise.telling.saved import notes_from_json
from entropeg.codes import parse_code
from entropeg.errors import InputError, TooLargeError, quoted
from entropeg.feedback import Code, score_trusted, win_feedback
from entropeg.files import parse_json
from entropeg.game import FORMAT, Game
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn
from entropeg.rules import Rules

EXAMPLE = "AABB XO"
"""A row that would be read."""
TELLING = "or say the secret in a line before, as secret: ABCD"
"""What makes up for a feedback that is missing."""
TRIED = (4, 5, 3, 6, 2, 7, 8)
"""Numbers of pegs that rows are read with where nobody says how many there are."""
MOST_TRIED, LONGEST_TRIED = 30, 120
"""Lines that are tried so, and characters that they have at most: what is longer is prose."""

SAME = {"board": "rules", "codebreaker": "player", "name": "player"}
"""Other words for what stands before rows."""

_HEAD = re.compile(r"\s*(rules|board|secret|player|codebreaker|codemaker|name)\s*[:=]\s*(\S.*?)\s*", re.IGNORECASE)
_NOTES = re.compile(rf"\s*{re.escape(NOTES)}\s*:\s*(\S.*?)\s*")
_ANSWER = re.compile(r"\s*(?:[(\[]?\s*\d{1,9}\s*[,;\s]\s*\d{1,9}\s*[)\]]?|[XxOo.●○⚫⚪]+|-)\s*")
_RULE = re.compile(r"\s*(?:[-=_*]{3,}|#(?!\d).*)?\s*")  # «#2 AABB XO» is a row with its number
_REMARK = re.compile(r"\s*(?:bravo|combinaisons de taille).*", re.IGNORECASE)
_PARTED = re.compile(r"[\s:|>]")
_BULLS = re.compile(r"\d[ab]\s*\d[ab]", re.IGNORECASE)


@dataclass(frozen=True)
class GivenGame(PlainValue):
    """A game as somebody gave it: its position at the end, and what is told beside the turns.

    `is_assumed` tells that the rules were not said, but follow from the guesses.
    """

    PLAIN = ("name", "rules", "codemaker", "codebreaker", "is_assumed", "secret", "is_won", "turns")

    name: str
    position: Position
    secret: Code | None = None
    codebreaker: str = ""
    codemaker: str = ""
    is_assumed: bool = False
    """Whether the rules were not said, but follow from the guesses."""

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def is_won(self) -> bool:
        """Whether it was won."""
        return self.position.is_won

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Its turns, in order."""
        return self.position.turns

    @classmethod
    def of(cls, game: Game, name: str = "") -> GivenGame:
        """Return a finished game, as one that was given."""
        return cls(name, game.position, game.secret, game.codebreaker, game.codemaker)


def read_games(text: str, rules: Rules | str | None = None, name: str = "the text") -> tuple[GivenGame, ...]:
    r"""Read one or more games: saved by entropeg (text or JSON, a list or one a line), logs of a course, pasted rows.

    Rows are those of `advise.read_row`. A row that wins ends its game, and so does an empty line between blocks of
    rows. Lines such as `rules: 4x6`, `secret: ABCD` and `player: Anna` may stand before rows; with a secret a missing
    feedback is filled in. Without ``rules`` they are those of the game, or follow from the guesses. Raises InputError
    that names the text, the game and the line which cannot be read, with a row that would be, and where a game says
    that it is one of other rules.

    >>> [str(game.position) for game in read_games("aabb 1b 1w\nccdd -\n\nABCD xo", "4x6")]
    ['AABB XO, CCDD -', 'ABCD XO']
    """
    rules = None if rules is None else Rules.of(rules)
    text = arguments.text(text, "the text of a game")
    if not text.strip():
        raise InputError(f"{name} is empty: a game is a guess and its feedback a line, as {EXAMPLE}")
    try:
        return tuple(_saved(text, rules, name) if _is_saved(text) else _pasted(text, rules, name))
    except TooLargeError:
        raise
    except InputError as error:
        said = str(error)
        raise InputError(said if said.startswith(name) else f"{name}: {said}") from None


def _is_saved(text: str) -> bool:
    return text.lstrip().startswith(("{", "[", FORMAT))


def _agreed(given: Rules | None, said: Rules | None) -> Rules | None:
    """Return the rules that are given or said; both may be, where they differ by the limit alone."""
    if given is not None and said is not None and given.with_limit(None) != said.with_limit(None):
        raise InputError(f"the game says that it is one of {said}, and not of {given}: leave out --rules {given}")
    return said or given


def _saved(text: str, rules: Rules | None, name: str) -> Iterator[GivenGame]:
    pieces: list[Any]
    if text.lstrip().startswith(FORMAT):
        pieces = [piece for piece in re.split(rf"(?m)^(?=[ \t]*{re.escape(FORMAT)})", text) if piece.strip()]
    else:
        pieces = _listed(text)
    if not pieces:
        raise InputError("it holds no game")
    for number, piece in enumerate(pieces, start=1):
        label = name if len(pieces) == 1 else f"{name}, game {number}"
        try:
            if isinstance(piece, dict) and piece.get("format") == NOTES:
                position = notes_from_json(piece).position
                _agreed(rules, position.rules)
                yield GivenGame(label, position)
                continue
            game = Game.from_text(piece) if isinstance(piece, str) else Game.from_json(piece)
            _agreed(rules, game.position.rules)
        except InputError as error:
            raise InputError(f"{label}: {error}") from None
        yield GivenGame.of(game, label)


def _listed(text: str) -> list[Any]:
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        data = parse_json(text)
    except InputError:
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
            raise
        return [parse_json(line) for line in lines]
    return data if isinstance(data, list) else [data]


@dataclass
class _Block:
    """Rows of one game, with the number of the line of each, and what stands before them."""

    head: dict[str, str]
    lines: list[tuple[int, str]]


def _pasted(text: str, rules: Rules | None, name: str) -> Iterator[GivenGame]:
    found = []
    head: dict[str, str] = {}
    blocks = _blocks(text)
    assumed = None if rules or any("rules" in block.head for block in blocks) else _common(blocks)
    for block in blocks:
        head = {key: value for key, value in head.items() if key != "secret"} | block.head
        if block.lines:
            found += _games(_Block(head, block.lines), rules, assumed)
    if not found:
        raise InputError(f"it has no row: a game is a guess and its feedback a line, as {EXAMPLE}")
    for number, game in enumerate(found, start=1):
        label = name if len(found) == 1 else f"{name}, game {number}"
        yield GivenGame(label, game.position, game.secret, game.codebreaker, game.codemaker, game.is_assumed)


def _blocks(text: str) -> list[_Block]:
    """The blocks between empty lines; rows that all stand alone, with empty lines between them, are one block."""
    blocks = [_Block({}, [])]
    for number, line in enumerate(text.splitlines(), start=1):
        head, notes = _HEAD.fullmatch(line), _NOTES.fullmatch(line)
        if _RULE.fullmatch(line):
            if blocks[-1].lines:
                blocks.append(_Block({}, []))
        elif head:
            if blocks[-1].lines:
                blocks.append(_Block({}, []))
            key = head[1].casefold()
            blocks[-1].head[SAME.get(key, key)] = head[2]
        elif notes:
            blocks.append(_Block({"rules": notes[1]}, []))
        elif not _REMARK.fullmatch(line):
            blocks[-1].lines.append((number, line))
    rows = [block for block in blocks if block.lines]
    if len(rows) > 1 and all(len(block.lines) == 1 for block in rows) and not any(block.head for block in rows[1:]):
        return [_Block(rows[0].head, [line for block in rows for line in block.lines])]
    return blocks


def _common(blocks: list[_Block]) -> Rules | None:
    """Rules that all rows of a text can be read by, where nobody says which they are; None where there are none."""
    secret = next((block.head["secret"] for block in blocks if "secret" in block.head), "")
    try:
        return _assumed([line for block in blocks for line in block.lines], secret)
    except (InputError, IndexError):
        return None


def _games(block: _Block, given: Rules | None, assumed: Rules | None) -> list[GivenGame]:
    said = block.head.get("rules")
    rules = _agreed(given, None if said is None else Rules.parse(said))
    is_assumed = rules is None
    if rules is None:
        rules = assumed or _assumed(block.lines, block.head.get("secret", ""))
    secret = parse_code(block.head["secret"], rules, secret=True) if "secret" in block.head else None
    who = block.head.get("player", "")
    games, win = [], win_feedback(rules)
    turns = _turns(block.lines, rules, secret)
    while turns:
        size = next((place + 1 for place, turn in enumerate(turns) if turn.feedback == win), len(turns))
        position = Position(rules, turns[:size])
        games.append(GivenGame("", position, secret, who, block.head.get("codemaker", ""), is_assumed))
        turns = turns[size:]
    return games


def _turns(lines: list[tuple[int, str]], rules: Rules, secret: Code | None) -> list[Turn]:
    if _alternates(lines):
        lines = [(number, f"{line.strip()}: {answer.strip()}") for (number, line), (_, answer) in _pairs(lines)]
    turns = []
    for number, line in lines:
        try:
            turns += [_turn(row, rules, secret) for row in _rows(line, rules, secret)]
        except TooLargeError:
            raise
        except InputError as error:
            together = _on_two_lines(lines, rules) if secret is None else None
            if together is not None:
                return together
            said = re.sub(r"^line 1: ", "", str(error))
            raise InputError(f"line {number}: {said}") from None
    return turns


def _on_two_lines(lines: list[tuple[int, str]], rules: Rules) -> list[Turn] | None:
    """The turns of lines that are read only as a whole, as a guess above its feedback; None where they are not."""
    if len(lines) > MOST_TRIED or any(len(line) > LONGEST_TRIED for _, line in lines):
        return None
    try:
        rows = read_notes("\n".join(line for _, line in lines), rules).rows
    except InputError:
        return None
    turns = [row.turn for row in rows if row.turn is not None]
    return turns if len(turns) == len(rows) else None


def _rows(line: str, rules: Rules, secret: Code | None) -> list[Row]:
    if len(line) > _longest(rules):
        raise InputError(f"{quoted(line)} is longer than any row of {rules}, as {EXAMPLE}")
    try:
        return list(read_lines(line, rules))
    except InputError:
        alone = _without_feedback(line, rules)
        if alone is None:
            raise
    if secret is None:
        typed = f"{rules.symbols.format(_known(alone))} and what it got, as {EXAMPLE}, {TELLING}"
        raise InputError(f"{quoted(line.strip())} has no feedback: write {typed}")
    return [alone]  # the secret says what it got


def _without_feedback(line: str, rules: Rules) -> Row | None:
    """A line as a complete guess that stands alone; None where it is none."""
    try:
        row = read_row(f"{line}: ?", rules)
    except InputError:
        return None
    return row if len(_known(row)) == rules.pegs else None


def _turn(row: Row, rules: Rules, secret: Code | None) -> Turn:
    if row.turn is not None:
        if secret is not None and score_trusted(row.turn.guess, secret, rules) != row.turn.feedback:
            right = Row(row.turn.guess, score_trusted(row.turn.guess, secret, rules))
            raise InputError(
                f"{quoted(format_row(row, rules))} is not what the secret answers: {format_row(right, rules)}"
            )
        return row.turn
    guess = _known(row)
    if secret is not None and len(guess) == rules.pegs:
        return Turn(guess, score_trusted(guess, secret, rules))
    missing, more = ("feedback", f", {TELLING}") if len(guess) == rules.pegs else ("guess", "")
    raise InputError(
        f"{quoted(format_row(row, rules))} lacks a part of its {missing}, and a review needs all of it: "
        f"write it as {EXAMPLE}{more}"
    )


def _known(row: Row) -> Code:
    return tuple(peg for peg in row.guess if peg is not None)


def _alternates(lines: list[tuple[int, str]]) -> bool:
    """Whether a guess and its feedback stand on a line each, as in the logs of a course."""
    return (
        len(lines) % 2 == 0
        and all(_ANSWER.fullmatch(line) for _, line in lines[1::2])
        and not any(_ANSWER.fullmatch(line) or re.search(r"\w[\s:]+\d", line) for _, line in lines[::2])
    )


def _pairs(lines: list[tuple[int, str]]) -> list[tuple[tuple[int, str], tuple[int, str]]]:
    return list(zip(lines[::2], lines[1::2], strict=True))


def _assumed(lines: list[tuple[int, str]], secret: str) -> Rules:
    """Rules that the rows can be read by, where nobody says which they are: letters or digits, of few pegs."""
    if _alternates(lines):
        return likely_rules([line.strip() for _, line in lines[::2]])
    if secret.isalnum():
        return likely_rules([secret, *(word for _, line in lines for word in _guess_in(line, len(secret)))])
    tried = [Rules.parse(f"{pegs}{alphabet}") for alphabet in ("x26", "x10/digits") for pegs in TRIED]
    parted = [line for _, line in lines if _PARTED.search(line.strip())]  # «HELLO» is no guess with its feedback
    read = {wide: sum(bool(_readable(line, wide)) for line in parted[:MOST_TRIED]) for wide in tried}
    wide = max(tried, key=lambda rules: read[rules])  # the first that reads most, so that what it cannot is told
    rows = [row for line in parted for row in _readable(line, wide)] if read[wide] else []
    typed = [wide.symbols.format(guess) for row in rows if len(guess := _known(row)) == wide.pegs]
    if not typed:
        number, line = lines[0]
        raise InputError(
            f"line {number}: {quoted(line)} is no row of a guess and its feedback, of letters or digits, as {EXAMPLE}; "
            "say which rules the game follows with --rules, as --rules 4x6"
        )
    if wide == Rules.parse("4x10/digits") and any(_BULLS.search(line) for _, line in lines):
        return Rules.parse("bulls-and-cows")
    return likely_rules(typed)


def _guess_in(line: str, pegs: int) -> list[str]:
    """The first word of a line that may be its guess; a word such as XXOO is an answer."""
    words = (word for word in re.findall(r"\w+", line) if len(word) == pegs and word.isalnum())
    return [word for word in words if not _ANSWER.fullmatch(word)][:1]


def _longest(rules: Rules) -> int:
    """Characters that a line may have: names of colors are long, and several rows may stand on it."""
    return 500 + 40 * rules.pegs


def _readable(line: str, rules: Rules) -> tuple[Row, ...]:
    if len(line) > LONGEST_TRIED:
        return ()
    try:
        return read_lines(line, rules)
    except InputError:
        return ()
