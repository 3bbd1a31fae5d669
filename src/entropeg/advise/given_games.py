"""Reads games from any text: saved, logged and printed by programs, typed and pasted by people; one or many in a text.

A text that is no saved game is read in two ways. As rows, a line is what `reading.read_lines` reads, and an empty line
ends a game. As a log, a guess is whatever stands where a guess should, since a game is judged in which it is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import repeat
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from entropeg import arguments
from entropeg.advise.notes import Notes
from entropeg.advise.reading import guess_alone, read_lines, read_numbered
from entropeg.advise.rows import Row, format_row, is_known
from entropeg.alphabet import COURSE_LETTERS
from entropeg.codes import parse_code
from entropeg.errors import InputError, TooLargeError, UnreadRowError
from entropeg.feedback import (
    AnyFeedback,
    Code,
    Feedback,
    Marks,
    check_feedback,
    parse_feedback,
    score_trusted,
    win_feedback,
)
from entropeg.files import parse_json
from entropeg.game import FORMAT, Game, game_data
from entropeg.plain_values import PlainValue
from entropeg.position import Position, Turn, check_hard, split_turn
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

NOTES = "entropeg notes 1"
"""First words of saved notes."""
EXAMPLE = "AABB XO"
"""A row that would be read."""
LONGEST = 2000
"""Characters of a line of a log that is a turn."""

PAIR = re.compile(r"[(\[]?\s*(-?\d{1,9})\s*[,;\s]\s*(-?\d{1,9})\s*[)\]]?")
"""An answer as two numbers, in parentheses or without."""
_ANSWER = re.compile(rf"\s*(?:{PAIR.pattern}|[XxOo.●○⚫⚪]+|-)\s*")
_PRINTED = re.compile(
    r".*?\b(?:essai|try|turn|tour)\s*(?P<number>\d+)\s*:\s*(?P<guess>.*?)\s*(?P<answer>\(\s*-?\d+\s*,\s*-?\d+\s*\))",
    re.IGNORECASE,
)
_TURN = re.compile(r"(?:(?P<number>\d+)(?:\s*[:.)]\s*|\s{2,}))?(?P<guess>[^\s(]+)\s+(?P<answer>\S.*)")
_SAVED = re.compile(rf"\s*(?:\{{|\[\s*[\[{{\]]|{re.escape(FORMAT)})")
_SAID = re.compile(
    rf"\s*(?:(?P<key>rules|board|secret|player|codebreaker|codemaker|name|{re.escape(NOTES)})\s*[:=]\s*(?P<value>\S.*?)"
    r"|(?:rules\s+)?(?P<board>\d+x\d+\S*))\s*",
    re.IGNORECASE,
)
_SAME = {"board": "rules", NOTES: "rules", "codebreaker": "player", "name": "player"}
_NO_ROW = re.compile(r"\s*(?:$|[-=_*#]|rules|board|secret|player|code|name|entropeg|\d+x|bravo|comb)", re.IGNORECASE)
"""How all lines begin that stand between rows; asked first, since most lines are rows."""
_COURSE = re.compile(r"combinaisons de taille\s*(\d+)\D*couleurs disponibles\s*(.*)", re.IGNORECASE)
_RULER = re.compile(r"\s*(?:[-=_*]{3,}|#(?!\d).*)?\s*")  # «#2 AABB XO» is a row with its number
_BULLS = re.compile(r"\d[ab]\s*\d[ab]", re.IGNORECASE)


@dataclass(frozen=True)
class GivenGame(PlainValue):
    """A game as somebody gave it: its rows as they stand in a text, and the facts told beside them.

    What was read as a log may have answers that cannot be. A part of a row may be unknown in what was read for notes.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("name", "rules", "codemaker", "codebreaker", "is_assumed", "secret", "is_won", "turns"),
    )

    name: str
    rules: Rules
    rows: tuple[Row, ...] = ()
    secret: Code | None = None
    codebreaker: str = ""
    codemaker: str = ""
    is_assumed: bool = False
    """Whether the rules were not said, but follow from the guesses."""
    lines: tuple[int, ...] = ()
    """The number of the line of each row, as far as they have one; in a log also that of the broken one."""
    answers: tuple[str, ...] = ()
    """The answer of each row as it is written there, in a log or as entropeg writes it."""
    last_line: int = 0
    """The number of the last line of a log; 0 where it has none of its own."""
    broken: str = ""
    """Why the guess of the turn of a log after its rows is no code; the rest was not read."""
    claims: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """Facts that a saved log says of the game beside its turns."""

    @classmethod
    def of(cls, game: Game | Position, name: str = "") -> GivenGame:
        """Return a finished game, or a position, as one that was given."""
        rows = tuple(Row(turn.guess, turn.feedback) for turn in game.turns)
        if isinstance(game, Position):
            return cls(name, game.rules, rows)
        return cls(name, game.rules, rows, game.secret, game.codebreaker, game.codemaker)

    def __repr__(self) -> str:
        return f"<GivenGame {self.name}: {self.rules}, {plural(len(self.rows), '{n} row', '{n} rows')}>"

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The complete rows."""
        return tuple(row.turn for row in self.rows if row.turn is not None)

    @property
    def is_won(self) -> bool:
        """Whether it was won."""
        return self.position.is_won

    @cached_property
    def position(self) -> Position:
        """The position at the end of the game."""
        return Position(self.rules, self.turns)


def read_games(text: str, rules: Rules | str | None = None, name: str = Told("the text")) -> tuple[GivenGame, ...]:
    r"""Read one or more games: saved by entropeg (text or JSON, a list or one a line), logs of a course, pasted rows.

    Rows are those of `advise.read_row`. A row that wins ends its game, and so does an empty line between blocks of
    rows. Lines such as `rules: 4x6`, `secret: ABCD` and `player: Anna` may stand before rows; with a secret a missing
    feedback is filled in. Without ``rules`` they are those of the game, or follow from the guesses. Raises InputError
    that names the text, the game and the line which cannot be read, with a row that would be, and where a game says
    that it is one of other rules.

    >>> [str(game.position) for game in read_games("aabb 1b 1w\nccdd -\n\nABCD xo", "4x6")]
    ['AABB XO, CCDD -', 'ABCD XO']
    """
    return _read(text, rules, name, "games")


def read_logged(text: str, rules: Rules | str | None = None, name: str = Told("the text")) -> tuple[GivenGame, ...]:
    r"""Read games to be judged: what `read_games` reads, with answers that cannot be and guesses that are no code.

    An empty line ends no game, and given rules go before those of a saved game.

    >>> [game] = read_logged("RRVV\n3,1\nNone\n0,0")
    >>> game.turns[0].feedback, game.broken[:35]
    (Feedback(black=3, white=1), 'turn 2 (line 3): its guess is None,')
    """
    return _read(text, rules, name, "log")


def read_noted(text: str, rules: Rules | None = None) -> tuple[Rules, tuple[Row, ...]]:
    """Read the rows of all games of a text as notes, of which a part may be unknown, and return their rules too."""
    games = _typed(text, rules, "notes")
    found = games[0].rules
    if any(game.rules != found for game in games):
        raise InputError("the text has games of several rules: take one of them")
    return found, tuple(row for game in games for row in game.rows)


def says_rules(text: str) -> bool:
    """Tell whether the rules stand somewhere before the rows of a text."""
    return any("rules" in block.head for block in _blocks(text, splits=False))


_ReadFor: TypeAlias = Literal["games", "log", "notes"]
"""The purpose that a text is read for."""


def _read(text: str, rules: Rules | str | None, name: str, kind: _ReadFor) -> tuple[GivenGame, ...]:
    rules = None if rules is None else Rules.of(rules)
    text = arguments.text(text, "the text of a game")
    if not text.strip():
        raise InputError("{name} is empty: a game is a guess and its feedback a line, as {example}", name, EXAMPLE)
    try:
        found = list(_saved(text, rules, name, kind)) if _SAVED.match(text) else _typed(text, rules, kind)
    except TooLargeError:
        raise
    except InputError as error:
        said = str(error)
        raise InputError(said if said.startswith(name) else Told("{file}: {error}", name, error)) from None
    labels = (
        [name]
        if len(found) == 1
        else [Told("{name}, game {number}", name, number) for number in range(1, len(found) + 1)]
    )
    return tuple(replace(game, name=label) for game, label in zip(found, labels, strict=True))


def _typed(text: str, rules: Rules | None, kind: _ReadFor) -> list[GivenGame]:
    # By the way that suits the kind, else by the other; where neither reads it, the first one says why.
    refusals = []
    for way in (_logged, _pasted) if kind == "log" else (_pasted, _logged):
        try:
            return _allowed(way(text, rules, kind), kind)
        except TooLargeError:
            raise
        except InputError as error:
            refusals.append(error)
    raise refusals[0]


def _allowed(games: list[GivenGame], kind: _ReadFor) -> list[GivenGame]:
    for game in games if kind == "games" else ():
        check_hard(game.rules, game.turns)
    return games


def notes_from_json(data: Any) -> Notes:
    """Read notes from plain data, those of a saved game too; raises InputError saying what is missing or wrong."""
    if isinstance(data, dict) and data.get("format") == FORMAT:
        return Notes.of(Game.from_json(data).position)
    if not isinstance(data, dict) or data.get("format") != NOTES:
        raise InputError("these are no saved notes: their format should be {notes!r}", NOTES)
    rules, rows = data.get("rules"), data.get("rows")
    if not isinstance(rules, str):
        raise InputError("the saved notes have rules {rules!r}; they must be a text, as '4x6'", rules)
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise InputError("the saved notes have rows {rows!r}; they must be a list of texts, as 'AABB XO'", rows)
    return Notes.of(rules, rows)


def agreed(given: Rules | None, said: Rules | None) -> Rules | None:
    """Return the rules that are given or said; both may be, where they differ by the limit alone."""
    if given is not None and said is not None and given.with_limit(None) != said.with_limit(None):
        raise InputError(
            "the game says that it is one of {said}, and not of {given}: leave out --rules {given}", said, given
        )
    return said or given


# ------------------------------------------------------------------ games that were saved


def _saved(text: str, rules: Rules | None, name: str, kind: _ReadFor) -> Iterator[GivenGame]:
    pieces: list[Any]
    if text.lstrip().startswith(FORMAT):
        pieces = [piece for piece in re.split(rf"(?m)^(?=[ \t]*{re.escape(FORMAT)})", text) if piece.strip()]
    else:
        pieces = _listed(text)
    if not pieces:
        raise InputError("it holds no game")
    for number, piece in enumerate(pieces, start=1):
        try:
            yield _saved_log(piece, rules) if kind == "log" else _saved_game(piece, rules)
        except InputError as error:
            label = name if len(pieces) == 1 else Told("{name}, game {number}", name, number)
            raise InputError("{file}: {error}", label, error) from None


def _listed(text: str) -> list[Any]:
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        data = parse_json(text)
    except InputError:
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
            raise
        return [parse_json(line) for line in lines]
    return data if isinstance(data, list) else [data]


def _saved_game(piece: Any, rules: Rules | None) -> GivenGame:
    if isinstance(piece, dict) and piece.get("format") == NOTES:
        found = GivenGame.of(notes_from_json(piece).position)
    else:
        found = GivenGame.of(Game.from_text(piece) if isinstance(piece, str) else Game.from_json(piece))
    agreed(rules, found.rules)
    check_hard(found.rules, found.turns)
    return found


def _saved_log(piece: Any, rules: Rules | None) -> GivenGame:
    # Read by hand, since a game refuses the wrong feedbacks that are looked for.
    if not isinstance(piece, str) and (not isinstance(piece, dict) or piece.get("format") != FORMAT):
        return _saved_game(piece, rules)
    data, lines = game_data(piece) if isinstance(piece, str) else (piece, repeat(0))
    if not isinstance(data.get("turns"), list) or (rules is None and "rules" not in data):
        raise InputError("this is not a saved game: it has no rules, or no list of turns")
    known = Rules.parse(data["rules"]) if rules is None else rules
    turns = []
    for number, (line, turn) in enumerate(zip(lines, data["turns"], strict=False), start=1):
        one = split_turn(turn[0], known) if isinstance(piece, str) else turn
        # An answer may be numbers, as other programs write it.
        is_turn = isinstance(one, list) and tuple(map(type, one)) in {(str, str), (str, int), (str, list)}
        if not is_turn and line:
            raise InputError("line {line}: {turn!r} is not a guess and its feedback", line, turn[0])
        if not is_turn:
            raise InputError("turn {number} is {turn!r}; it should be a guess and a feedback", number, turn)
        turns.append((line, one[0], str(one[1])))
    secret = parse_code(data["secret"], known, secret=True) if data.get("secret") else None
    found = _judged(GivenGame("", known, secret=secret, claims=data), turns, "log")
    if found.broken:
        raise InputError(found.broken)
    return replace(found, last_line=0)


# ------------------------------------------------------------------ blocks of rows, and the lines before them


class _Block(NamedTuple):
    """Lines of one game with their numbers, the facts said before them or earlier ones, and whether any are new."""

    head: dict[str, str]
    lines: list[tuple[int, str]]
    is_headed: bool = False


def _blocks(text: str, *, splits: bool, printed: bool = False) -> Iterator[_Block]:
    # An empty line or a ruler ends a game where it splits. Of what a program prints between turns only the course's own
    # lines count. Facts said before a game hold for the next ones too, all but the secret.
    block = _Block({}, [])
    for number, line in enumerate(text.splitlines(), start=1):
        if not _NO_ROW.match(line):
            block.lines.append((number, line))
            continue
        is_ruler = _RULER.fullmatch(line) is not None
        course, said = _COURSE.match(line.strip()), None if printed else _SAID.fullmatch(line)
        if not (is_ruler or course or said or line.strip().casefold().startswith("bravo")):
            block.lines.append((number, line))
            continue
        if block.lines and (splits or not is_ruler):
            yield block
            block = _Block({key: value for key, value in block.head.items() if key != "secret"}, [])
        if course:
            block.head["course"] = " ".join([course[1], *re.findall(r"\w", course[2])])
        elif said:
            key = (said["key"] or "rules").casefold()
            block.head[_SAME.get(key, key)] = said["value"] or said["board"]
        block = block._replace(is_headed=block.is_headed or bool(course or said))
    if block.lines:
        yield block


# ------------------------------------------------------------------ rows as people write them


def _pasted(text: str, rules: Rules | None, kind: _ReadFor) -> list[GivenGame]:
    blocks = list(_blocks(text, splits=kind != "notes"))
    if all(len(block.lines) == 1 for block in blocks) and not any(block.is_headed for block in blocks[1:]):
        blocks = [_Block(block.head, [line for each in blocks for line in each.lines]) for block in blocks[:1]]
    is_said = rules is not None or any("rules" in block.head for block in blocks)
    assumed = None if is_said else _common(blocks)
    found = [game for block in blocks for game in _games(block, rules, assumed, kind)]
    if not found:
        raise InputError("it has no row: a game is a guess and its feedback a line, as {example}", EXAMPLE)
    return found


def _common(blocks: list[_Block]) -> Rules | None:
    """Rules that all rows of a text can be read by, where nobody says which they are; None where there are none."""
    secret = next((block.head["secret"] for block in blocks if "secret" in block.head), "")
    try:
        return _assumed([line for block in blocks for line in block.lines], secret)
    except (InputError, IndexError):
        return None


def _games(block: _Block, given: Rules | None, assumed: Rules | None, kind: _ReadFor) -> Iterator[GivenGame]:
    head, lines = block.head, block.lines
    rules = agreed(given, Rules.parse(head["rules"]) if "rules" in head else None)
    known = rules or _of_course(head) or assumed or _assumed(lines, head.get("secret", ""))
    start, win = _headed(known, head, is_assumed=rules is None), win_feedback(known)
    rows = _completed(_rows(lines, start, kind), start, kind)
    ends = [place for place, (_, row) in enumerate(rows, start=1) if row.feedback == win or place == len(rows)]
    for first, end in zip([0, *ends], ends, strict=False):
        at, those = zip(*rows[first:end], strict=True)
        game = replace(start, rows=those, lines=at, last_line=at[-1])
        yield game


def _headed(rules: Rules, head: dict[str, str], *, is_assumed: bool) -> GivenGame:
    secret = parse_code(head["secret"], rules, secret=True) if "secret" in head else None
    return GivenGame("", rules, (), secret, head.get("player", ""), head.get("codemaker", ""), is_assumed)


def _rows(lines: list[tuple[int, str]], game: GivenGame, kind: _ReadFor) -> list[tuple[int, Row]]:
    rules, is_told = game.rules, game.secret is not None
    longest = 500 + 40 * rules.pegs  # names of colors are long, and several rows may stand on a line
    for number, line in lines if kind != "notes" else ():
        if len(line) > longest:
            raise InputError(
                "line {number}: {line!r} is longer than any row of {rules}, as {example}", number, line, rules, EXAMPLE
            )
    if _alternates(lines):
        pairs = zip(lines[::2], lines[1::2], strict=True)
        lines = [(number, f"{guess.strip()}: {answer.strip()}") for (number, guess), (_, answer) in pairs]
    try:
        return read_numbered(lines, rules, alone=is_told)
    except UnreadRowError as error:
        guess = guess_alone(error.text, rules)
        if guess is None or kind == "notes":
            raise
        raise InputError(
            "line {number}: {row!r} has no feedback: write {guess} and what it got, as {example}, or say the secret "
            "in a line before, as secret: ABCD",
            *(error.number, error.text.strip(), rules.symbols.format(guess), EXAMPLE),
        ) from None


def _completed(rows: Iterable[tuple[int, Row]], game: GivenGame, kind: _ReadFor) -> list[tuple[int, Row]]:
    # Each row with what the secret tells; a part may be missing in notes.
    rules, secret, found = game.rules, game.secret, list[tuple[int, Row]]()
    for number, row in rows:
        right = row
        if secret is not None and is_known(row.guess):
            right = Row(row.guess, score_trusted(row.guess, secret, rules), row.text)
        if row.is_complete and row != right:
            raise InputError(
                "line {number}: {row!r} is not what the secret answers: {right}",
                *(number, format_row(row, rules), format_row(right, rules)),
            )
        if not right.is_complete and kind != "notes":
            template = (
                Template(
                    "line {number}: {row!r} lacks a part of its feedback, and a review needs all of it: write it as "
                    "{example}, or say the secret in a line before, as secret: ABCD"
                )
                if is_known(row.guess)
                else Template(
                    "line {number}: {row!r} lacks a part of its guess, and a review needs all of it: write it as "
                    "{example}"
                )
            )
            raise InputError(template, number, format_row(row, rules), EXAMPLE)
        found.append((number, right))
    return found


def _alternates(lines: list[tuple[int, str]]) -> bool:
    """Whether a guess and its feedback stand on a line each, as in the logs of a course."""
    return (
        len(lines) % 2 == 0
        and all(_ANSWER.fullmatch(line) for _, line in lines[1::2])
        and not any(_ANSWER.fullmatch(line) or re.search(r"\w[\s:]+\d", line) for _, line in lines[::2])
    )


# ------------------------------------------------------------------ logs


def _logged(text: str, rules: Rules | None, kind: _ReadFor) -> list[GivenGame]:
    # A game ends with a guess that is answered as the secret, with `Bravo`, or where the next one begins: with what
    # stands before it, or with turn 1. Where turns are numbered, as `play` prints them, other lines are remarks.
    played = list[tuple[dict[str, str], list[tuple[int, str, str]]]]()
    for is_first, head, number, turn in _logged_turns(text):
        if is_first or number == 1 or _is_won(*played[-1][1][-1]):
            played.append((head, []))
        played[-1][1].append(turn)
    if not played:
        raise InputError("it has no turn: a log has a guess and an evaluation a line in turn")
    found, likely = list[GivenGame](), None
    for head, turns in played:
        said = agreed(rules, Rules.parse(head["rules"]) if "rules" in head else None) or _of_course(head)
        if said is None:
            pegs = int(head["course"].split()[0]) if "course" in head else None
            guesses = [guess for _, rows in played for _, guess, _ in rows]
            # Where eight guesses in ten are of the course's letters, these are meant, and the others are mistakes.
            said = likely = likely or likely_rules(guesses, pegs, mostly=0.8)
        start = _headed(said, head, is_assumed=rules is None and "rules" not in head)
        found.append(_judged(start, turns, kind))
    return found


def _logged_turns(text: str) -> Iterator[tuple[bool, dict[str, str], int | None, tuple[int, str, str]]]:
    # Whether a turn is the first of its block, the facts said before this, its number, and its line, guess and answer.
    printed = any(_PRINTED.fullmatch(line.strip()) for line in text.splitlines())
    waiting: tuple[int, str] | None = None
    together: bool | None = None
    for head, lines, _ in _blocks(text, splits=False, printed=printed):
        is_first = True
        for at, whole in lines:
            line = re.sub(r"\s{3,}", "  ", whole.strip())
            if len(line) > LONGEST:
                raise InputError(
                    "line {line} has {count:,} characters, and a turn at most {longest:,}", at, len(line), LONGEST
                )
            turn = _turn(at, line)
            if printed and (turn is None or turn[0] is None):
                continue
            together = turn is not None if together is None else together
            if not together and waiting is None:
                waiting = at, line
                continue
            if not together and waiting is not None:
                turn, waiting = (None, (*waiting, line)), None
            if turn is None:
                raise InputError("line {number}: {line!r} is not a guess and its evaluation", at, line)
            yield is_first, head, *turn
            is_first = False
    if waiting is not None:
        raise InputError("line {line}: the guess {guess!r} has no evaluation after it", *waiting[:2])


def _turn(at: int, line: str) -> tuple[int | None, tuple[int, str, str]] | None:
    for pattern in (_PRINTED, _TURN):
        match = pattern.fullmatch(line)
        if match and _ANSWER.fullmatch(match["answer"]) and not re.fullmatch(r"[\W\d]*", line):
            number = None if match["number"] is None else int(match["number"])
            return number, (at, match["guess"], match["answer"])
    return None


def _is_won(_: int, guess: str, answer: str) -> bool:
    pair = PAIR.fullmatch(answer)
    if pair:
        return (int(pair[1]), int(pair[2])) == (len(guess), 0)
    return len(answer) == len(guess) and set(answer) <= {"X", "x", "●"}


def _judged(game: GivenGame, turns: list[tuple[int, str, str]], kind: _ReadFor) -> GivenGame:
    # In a log a guess may be no code, which ends the game, and an answer need not be one that can be.
    rows, broken = list[tuple[int, Row]](), ""
    for turn, (line, text, answer) in enumerate(turns, start=1):
        guess, why = None, None
        try:
            guess = _code(text, game.rules)
        except InputError as error:
            guess, why = guess_alone(text, game.rules), error  # as people type it, with names of colors
        if guess is None:
            broken = Told(
                "turn {turn} (line {line}): its guess {guess!r} is no code of {rules}: {error}",
                *(turn, line, text, game.rules, why),
            )
            if text == "None":
                broken = Told(
                    "turn {turn} (line {line}): its guess is None, which a function gives that returns nothing",
                    *(turn, line),
                )
            # A guess that is a row by itself, as «1234 2A1B», tells that the text is no log: nobody is accused of it.
            if kind != "log" or not line or (" " in text and _readable(text, game.rules)):
                raise InputError(broken if line else Told("turn {number}: {error}", turn, why))
            break
        try:
            told = _answer(answer, game.rules)
            rows.append((line, Row(guess, told if kind == "log" else check_feedback(told, game.rules))))
        except InputError as error:
            raise InputError(
                Told("line {number}: {error}", line, error) if line else Told("turn {number}: {error}", turn, error)
            ) from None
    rows = rows if kind == "log" else _completed(rows, game, kind)
    read = turns[: len(rows) + bool(broken)]
    return replace(
        game,
        rows=tuple(row for _, row in rows),
        lines=tuple(line for line, _, _ in read),
        answers=tuple(answer for _, _, answer in read),
        last_line=turns[-1][0] if turns else 0,
        broken=broken,
    )


_code = lru_cache(maxsize=4096)(parse_code)  # logs of many games have the same guesses, and few answers


@lru_cache(maxsize=1024)
def _answer(text: str, rules: Rules) -> AnyFeedback:
    # Whether a number of marks can be is the question of a log, and not whether it can be read.
    if rules.feedback.about.answer is Marks:
        return parse_feedback(text, rules)
    pair = PAIR.fullmatch(text)
    answer = Feedback(int(pair[1]), int(pair[2])) if pair else rules.feedback.about.read(text.strip(), rules)
    return parse_feedback(text, rules) if answer is None else answer


# ------------------------------------------------------------------ rules that nobody says


def likely_rules(guesses: Sequence[str], pegs: int | None = None, *, mostly: float = 1) -> Rules:
    """Return rules that guesses, as they were typed, may belong to: of their length, and colors as far as they go.

    Texts that are no code (`None`, a tuple) are left out, and so are guesses of another length than most. Letters of
    the course alone are taken for the course's, or as large a share of them as `mostly`. Raises InputError where none
    is a code, or they are neither letters nor digits.

    >>> [str(likely_rules(guesses)) for guesses in (["AABB", "ABCH"], ["1234", "5566"], ["RVBJ"])]
    ['4x8', '4x6/digits', '4x8/course']
    """
    codes = [guess for guess in guesses if re.fullmatch(r"\w+", guess) and guess not in {"None", "True", "False"}]
    if not codes:
        raise InputError(
            "no guess is a code, the first is {guess!r}: say which rules it follows with --rules", guesses[0]
        )
    pegs = pegs or Counter(map(len, codes)).most_common(1)[0][0]
    codes = [code for code in codes if len(code) == pegs] or codes
    course, pegs = [code for code in codes if set(code.upper()) <= set(COURSE_LETTERS)], len(codes[0])
    used, fewest = set("".join(codes).upper()), 6
    if len(course) >= mostly * len(codes):
        return Rules.parse(f"{pegs}x{len(COURSE_LETTERS)}/course")
    if used <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ"):
        return Rules.parse(f"{pegs}x{max(fewest, *(ord(letter) - 64 for letter in used))}")
    if used <= set("0123456789"):
        return Rules.parse(f"{pegs}x10/digits" if "0" in used else f"{pegs}x{max(fewest, *map(int, used))}/digits")
    raise InputError("its colors are not letters or digits alone: say which rules it follows with --rules")


def _of_course(head: dict[str, str]) -> Rules | None:
    # The rules that the course's program says before the first turn, where the colors are the course's.
    pegs, *letters = head.get("course", "").split() or [""]
    is_course = "course" in head and set(letters) == set(COURSE_LETTERS[: len(letters)])
    return Rules.parse(f"{pegs}x{len(letters)}/course") if is_course else None


def _assumed(lines: list[tuple[int, str]], secret: str) -> Rules:
    """Rules that the rows can be read by, where nobody says which they are: letters or digits, of few pegs."""
    if _alternates(lines):
        return likely_rules([line.strip() for _, line in lines[::2]])
    if secret.isalnum():
        return likely_rules([secret, *(word for _, line in lines for word in _guess_in(line, len(secret)))])
    # The numbers of pegs that are tried, the usual first.
    tried = [Rules.parse(f"{pegs}{alphabet}") for alphabet in ("x26", "x10/digits") for pegs in (4, 5, 3, 6, 2, 7, 8)]
    parted = [line for _, line in lines if re.search(r"[\s:|>]", line.strip())]  # «HELLO» is no guess with its feedback
    # Thirty lines tell enough.
    read = {wide: sum(bool(_readable(line, wide)) for line in parted[:30]) for wide in tried}
    wide = max(tried, key=lambda rules: read[rules])  # the first that reads most, so that what it cannot is told
    rows = [row for line in parted for row in _readable(line, wide)] if read[wide] else []
    typed = [wide.symbols.format(row.guess) for row in rows if is_known(row.guess)]
    if not typed:
        number, line = lines[0]
        raise InputError(
            "line {number}: {line!r} is no row of a guess and its feedback, of letters or digits, as "
            "{example}; say which rules the game follows with --rules, as --rules 4x6",
            *(number, line, EXAMPLE),
        )
    if wide == Rules.parse("4x10/digits") and any(_BULLS.search(line) for _, line in lines):
        return Rules.parse("bulls-and-cows")
    return likely_rules(typed)


def _guess_in(line: str, pegs: int) -> list[str]:
    """The first word of a line that may be its guess; a word such as XXOO is an answer."""
    words = (word for word in re.findall(r"\w+", line) if len(word) == pegs and word.isalnum())
    return [word for word in words if not _ANSWER.fullmatch(word)][:1]


def _readable(line: str, rules: Rules) -> tuple[Row, ...]:
    try:
        # A longer line is prose.
        return read_lines(line, rules) if len(line) <= 120 else ()
    except InputError:
        return ()
