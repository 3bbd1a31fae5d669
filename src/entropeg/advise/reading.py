"""Reads rows of notes as tired people type them: one meaning for each text, or a sentence that says what would be read.

A text is divided into a guess and a feedback in every way that it allows. Where the ways give one row it is read, where
they give two it is refused and both are said. An arrow, a colon or a bar stands between a guess and its feedback,
in this order unless only the other one can be read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from entropeg import arguments
from entropeg.advise.rows import (
    UNKNOWN,
    NotedFeedback,
    PartCode,
    PartFeedback,
    Row,
    check_part_code,
    format_part_code,
    format_told,
    is_known,
)
from entropeg.answers import AnswerTable
from entropeg.errors import InputError, TooLargeError, UnreadRowError
from entropeg.feedback import Code, Marks, check_feedback, format_feedback, score_trusted
from entropeg.rules import FeedbackKind, Rules
from entropeg.told import Told

T = TypeVar("T")

DASHES = "-–—"

SHOWN_PEGS = 12
"""Pegs of a board up to which examples are written out."""

CIRCLES = {
    "🔴": "red", "🟠": "orange", "🟡": "yellow", "🟢": "green", "🔵": "blue",
    "🟣": "purple", "🟤": "brown", "⚫": "black", "⚪": "white",
    "🟥": "red", "🟧": "orange", "🟨": "yellow", "🟩": "green", "🟦": "blue",
    "🟪": "purple", "🟫": "brown", "⬛": "black", "⬜": "white",
}  # fmt: skip
"""The colors of circles and squares."""

INITIALS = {
    "red": "R", "orange": "O", "yellow": "Y", "green": "G", "blue": "B",
    "purple": "P", "brown": "N", "black": "K", "white": "W",
}  # fmt: skip
"""The letters that stand for colors in an alphabet of the rules' own, where it has them."""

COURSE = {
    "red": "R", "green": "V", "blue": "B", "yellow": "J", "black": "N", "brown": "M", "orange": "O",
    "rouge": "R", "vert": "V", "bleu": "B", "jaune": "J", "noir": "N", "marron": "M", "gris": "G",
}  # fmt: skip
"""The same in the course, whose letters are those of French words."""

_NUMBERED = re.compile(
    r"\s*(?:(?:turn|guess|row|try|no\.?|nr\.?)\s*\d{1,4}\s*[.):|]?|\#\s*\d{1,4}\s*[.):|]?|\(\d{1,4}\)|\d{1,4}\s*[.):|])\s+",
    re.IGNORECASE,
)
_BARE_NUMBER = re.compile(r"\s*\d{1,4}\s+")
_BULLET = re.compile(r"\s*[*•‣]\s*|\s*[-–]\s+(?=\S+\s)")
_DIVIDER = re.compile(r"\s*(?:[-–—=]+>|→|⇒|⟶|➔|➜|\||:|=)\s*")
_INVISIBLE = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\xad"))
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_HEAD = re.compile(r"\s*\S{0,40}\s*Wordle\b.*\d/\d\*?\s*", re.IGNORECASE)
_NUMBER = r"(\d{1,9}|\?|no\b|none\b)"
_SAID = re.compile(rf"{_NUMBER}\s*([a-z]+)", re.IGNORECASE)
_SAID_AFTER = re.compile(rf"(?<![a-z])([a-z]+)\s*[:=]?\s*{_NUMBER}", re.IGNORECASE)
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WRITTEN_OUT = re.compile(rf"\b(?:{'|'.join(_NUMBERS)})\b", re.IGNORECASE)
_PLACES = {"in the right place": "black", "in place": "black", "in the wrong place": "white", "elsewhere": "white",
           "misplaced": "white"}  # fmt: skip
_MARK_WORDS = {"green": "X", "yellow": "O", "grey": ".", "gray": "."}
_FILLING = re.compile(r"[\s,;&/+.]|\band\b", re.IGNORECASE)
_PART_NUMBERS = re.compile(r"(?:≥|>=)?\d{1,9}|\?")
_COUNTED = (
    frozenset({"b", "black", "blacks", "bull", "bulls", "exact", "x", "red", "reds"}),
    frozenset({"w", "white", "whites", "cow", "cows", "o"}),
    frozenset({"h", "half", "halves", "blue", "blues"}),
)
_NOT_TOLD = frozenset({"?", "unknown", "missing", "not noted"})


class _UnreadError(Exception):
    """A piece of text is not what it was tried as; the message says why, and may be empty."""


def read_row(text: str, rules: Rules | str) -> Row:
    """Read one row as a person typed it: `AABB XO`, `1. aabb -> 1b 1w`, `XO AABB`, `AA?B 1 ?`, `AABB ?`.

    Unknown pegs are `?`. A feedback of which a part is unknown: `XO?`, at least one black and one white, and whatever
    else there was; `1 ?`, exactly one black, the whites not told; `? 2`; `X?.O` under positional rules, one mark for
    each peg; `?`, nothing told. Raises UnreadRowError, an InputError, which quotes the text and shows what would be
    read, where it has no meaning or two.

    >>> read_row("#3  xo  aabb", "4x6").feedback, format_told(read_row("AABB 1 ?", "4x6").feedback)
    (Feedback(black=1, white=1), '1 ?')
    """
    rules, text = Rules.of(rules), arguments.text(text, "the row")
    plain = _plain(text, rules)
    faults: list[tuple[int, str]] = []
    for place, ways in enumerate(_divisions(plain, rules)):
        # Faults are told of the first ways to divide a text: at dividers and at spaces.
        found = dict.fromkeys(_rows(ways, rules, text, faults if place < 3 else []))
        if len(found) > 1:
            raise UnreadRowError(_two_meanings(list(found), text, rules), text)
        if found:
            return next(iter(found))
    raise UnreadRowError(_refusal(plain, text, rules, faults), text)


def _plain(text: str, rules: Rules) -> str:
    # Letters and digits of full width are those of plain width, unless the rules have them as symbols.
    symbols = frozenset(rules.symbols.symbols)
    wide = {code: plain for code, plain in _WIDE.items() if chr(code) not in symbols}
    return unicodedata.normalize("NFC", text.translate(_INVISIBLE | wide)).strip().strip("|").strip()


def _two_meanings(rows: list[Row], text: str, rules: Rules) -> str:
    if rules.pegs > SHOWN_PEGS:
        return Told("{text!r} can be read as two different guesses: put a colon after the guess", text)
    one, other = (f"{format_part_code(row.guess, rules)}: {format_told(row.feedback)}" for row in rows[:2])
    return Told("{text!r} can be read as «{one}» and as «{other}»: write the one that is meant, so", text, one, other)


def read_lines(text: str, rules: Rules | str) -> tuple[Row, ...]:
    """Read rows, one a line, or several on a line with commas or semicolons between, or each on two lines.

    Empty lines and the head of a shared Wordle are passed over. Raises UnreadRowError with the number of the line and
    its text.
    """
    lines = enumerate(arguments.text(text, "the notes").splitlines(), start=1)
    return tuple(row for _, row in read_numbered(lines, Rules.of(rules)))


def read_numbered(lines: Iterable[tuple[int, str]], rules: Rules, *, alone: bool = False) -> list[tuple[int, Row]]:
    """Read lines with their numbers as `read_lines` does, and give each row with the number of its line.

    With ``alone`` a guess may stand alone: nothing is told of its feedback.
    """
    rows, run = list[tuple[int, Row]](), list[tuple[set[str], int, str]]()
    for number, line in lines:
        if not _plain(line, rules) or _HEAD.fullmatch(line):
            continue
        kinds, row = _kinds_of(line, rules)
        if kinds:
            run.append((kinds, number, line))
            continue
        if run:
            rows += _read_run(run, rules, alone=alone)
            run = []
        rows += [(number, row)] if row is not None else _numbered_line(number, line, rules)
    return rows + (_read_run(run, rules, alone=alone) if run else [])


def guess_alone(line: str, rules: Rules) -> Code | None:
    """Return the guess of a line that has no feedback; None where it is no complete guess that stands alone."""
    found = [guess for body in _bodies(_plain(line, rules)) for guess in _tried(_read_guess, body, rules)]
    return next(filter(is_known, found), None)


def _read_run(run: list[tuple[set[str], int, str]], rules: Rules, *, alone: bool) -> list[tuple[int, Row]]:
    # Lines that are guesses or feedbacks alone: a guess and its feedback one below the other where they alternate.
    orders = [
        order
        for order in (("guess", "told"), ("told", "guess"))
        if len(run) % 2 == 0 and all(order[place % 2] in kinds for place, (kinds, _, _) in enumerate(run))
    ]
    if not orders or (alone and all("guess" in kinds for kinds, _, _ in run)):
        guesses = [guess_alone(line, rules) if alone else None for _, _, line in run]
        return [
            row
            for (_, number, line), guess in zip(run, guesses, strict=True)
            for row in (_numbered_line(number, line, rules) if guess is None else [(number, Row(guess, None, line))])
        ]
    if len(orders) > 1:
        _, number, line = run[0]
        raise UnreadRowError(
            Told(
                "line {number}: {line!r} and the line below it can each be the guess or its feedback: "
                "write both on one line, with a colon between",
                *(number, line),
            ),
            *(line, number),
        )
    rows = []
    for (_, number, first), (_, _, second) in zip(run[::2], run[1::2], strict=True):
        guess, told = (first, second) if orders[0][0] == "guess" else (second, first)
        ways = [
            (one, other)
            for one in _bodies(_plain(guess, rules))
            for other in _bodies(_plain(told, rules), is_told=True)
        ]
        found = list(dict.fromkeys(_rows(ways, rules, f"{first}\n{second}", [])))
        if len(found) > 1:
            said = Told("line {number}: {error}", number, _two_meanings(found, first, rules))
            raise UnreadRowError(said, first, number)
        rows += [(number, row) for row in found]
    return rows


def _kinds_of(line: str, rules: Rules) -> tuple[set[str], Row | None]:
    # Whether a line is a guess alone, or a feedback alone; else the row that it is, None where it is not one row.
    bodies = _bodies(_plain(line, rules))
    kinds = {"told"} if any(_tried(_read_told, body, rules) for body in bodies) else set()
    row = next(iter(_tried(read_row, line, rules)), None)
    if (kinds or row is None) and any(_tried(_read_guess, body, rules) for body in bodies):
        kinds.add("guess")
    return (kinds, None) if row is None or kinds == {"told"} else (set(), row)


def _tried(reader: Callable[[str, Rules], T], text: str, rules: Rules) -> list[T]:
    # The value that is read, alone in a list; an empty list where nothing is read.
    try:
        return [reader(text, rules)]
    except (_UnreadError, InputError):
        return []


def _numbered_line(number: int, line: str, rules: Rules) -> list[tuple[int, Row]]:
    try:
        return [(number, row) for row in _read_line(line, rules)]
    except TooLargeError:
        raise
    except InputError as error:
        raise UnreadRowError(Told("line {number}: {error}", number, error), line, number) from None


def _read_line(line: str, rules: Rules) -> list[Row]:
    try:
        return [read_row(line, rules)]
    except InputError:
        pieces = [piece for piece in re.split(r";|,(?=\s)", line) if piece.strip()]
        rows = [row for piece in pieces for row in _tried(read_row, piece, rules)]
        if len(rows) < max(2, len(pieces)):
            raise
        return rows


def _divisions(text: str, rules: Rules) -> Iterator[list[tuple[str, str]]]:
    # The ways to divide a text into a guess and a feedback, the most explicit ones first.
    bodies = _bodies(text)
    divided = [way for body in bodies for way in _at_dividers(body)]
    yield divided
    yield _exchanged(divided)
    spaced = [way for body in bodies for way in _at_spaces(_DIVIDER.sub(" ", body).split(), rules)]
    spaced += [way for body in bodies for way in _at_spaces(body.split(), rules)]
    yield spaced
    yield [("?", body) for body in bodies] if rules.feedback.about.answer is Marks else []  # a grid without its words
    apart = [_apart(_DIVIDER.sub(" ", body)) for body in bodies]
    yield [way for tokens in apart for way in _at_spaces(tokens, rules)] if any(map(_has_color, bodies)) else []
    yield [way for body in bodies for way in _joined(body, rules)]


def _bodies(text: str, *, is_told: bool = False) -> list[str]:
    # The text without the number of the row, and as it stands: a number may also be a peg, or one of a feedback.
    bodies = [text]
    for pattern in (_BULLET, _NUMBERED) if is_told else (_BULLET, _NUMBERED, _BARE_NUMBER):
        match = pattern.match(bodies[-1])
        if match and bodies[-1][match.end() :].strip():
            bodies.append(bodies[-1][match.end() :].strip())
            if pattern is _NUMBERED:
                break
    return bodies


def _at_dividers(body: str) -> list[tuple[str, str]]:
    pieces = [piece for piece in _DIVIDER.split(body) if piece.strip()]
    return [(" ".join(pieces[:cut]), " ".join(pieces[cut:])) for cut in range(1, len(pieces))]


def _at_spaces(tokens: list[str], rules: Rules) -> list[tuple[str, str]]:
    cuts = list(range(1, len(tokens)))
    # A row of more than 400 words is divided only where the guess has as many words as pegs, or one.
    if len(tokens) > 400:
        cuts = [cut for cut in cuts if cut in {1, rules.pegs, len(tokens) - 1, len(tokens) - rules.pegs}]
    ways = [(" ".join(tokens[:cut]), " ".join(tokens[cut:])) for cut in cuts]
    return ways + _exchanged(ways)


def _exchanged(ways: list[tuple[str, str]]) -> list[tuple[str, str]]:
    # A single question mark is an unknown guess where it comes first, and after a guess an unknown feedback.
    return [(right, left) for left, right in ways if right not in UNKNOWN]


def _joined(body: str, rules: Rules) -> list[tuple[str, str]]:
    # A guess and a feedback without a space between them: AABBXO.
    tokens = body.split()
    if not rules.symbols.is_spelled or not tokens or len(tokens[0]) <= rules.pegs:
        return []
    return [(tokens[0][: rules.pegs], " ".join([tokens[0][rules.pegs :], *tokens[1:]]))]


def _has_color(text: str) -> bool:
    return any(sign in CIRCLES for sign in text)


def _apart(text: str) -> list[str]:
    return "".join(f" {sign} " if sign in CIRCLES else sign for sign in text).split()


def _rows(ways: list[tuple[str, str]], rules: Rules, text: str, faults: list[tuple[int, str]]) -> Iterator[Row]:
    for guess, feedback in ways:
        known, answer, told, reasons = None, None, False, ["", ""]
        try:
            known = _read_guess(guess, rules)
        except _UnreadError as error:
            reasons[0] = str(error)
        try:
            answer = _read_told(feedback, rules)
            told = True
        except _UnreadError as error:
            reasons[1] = str(error)
        if known is not None and told:
            yield Row(known, answer, text)
        elif known is not None and reasons[1]:
            faults.append((0, reasons[1]))
        elif told and reasons[0]:
            faults.append((1, reasons[0]))


def _read_guess(text: str, rules: Rules) -> PartCode:
    # Raises _UnreadError where the text is no guess. A dash before or after it is a feedback of no mark, or divides.
    if text.strip().strip(DASHES) != text.strip() and "-" not in rules.symbols.symbols:
        raise _UnreadError("")
    try:
        return check_part_code(_with_symbols(text, rules), rules)
    except TooLargeError:
        raise
    except InputError as error:
        raise _UnreadError(str(error)) from None


def _with_symbols(text: str, rules: Rules) -> str:
    # Circles and squares, and names of colors, as the symbols of the rules.
    if rules.words is not None or rules.shapes:
        return text
    table = _symbols_by_name(rules)
    if _has_color(text):
        signs = []
        for sign in text:
            color = CIRCLES.get(sign, "")
            if color and color not in table:
                raise _UnreadError(
                    Told(
                        "{sign} is {color}, which is no color of {rules}: its colors are {colors}",
                        *(sign, color, rules, rules.symbols.describe()),
                    )
                )
            signs.append(f" {table[color]} " if color else sign)
        text = "".join(signs)
    if not table:
        return text
    return " ".join(_color_named(word, table, rules) for word in re.split(r"[\s,;-]+", text))


def _color_named(word: str, table: dict[str, str], rules: Rules) -> str:
    # The symbol of a color by its name, or by the first letters of it, where these are no symbols themselves: three at
    # least where a symbol is one letter.
    folded, symbols = word.casefold(), {symbol.casefold() for symbol in rules.symbols.symbols}
    if folded in table:
        return table[folded]
    if folded in symbols or (rules.symbols.is_spelled and (len(word) < 3 or symbols.issuperset(folded))):
        return word
    names = [name for name in table if folded and name.startswith(folded)]
    meant = dict.fromkeys(table[name] for name in names)
    if len(meant) > 1:
        raise _UnreadError(Told("{word!r} may be {names:or}: write more of its letters", word, names))
    return next(iter(meant), word)


def _symbols_by_name(rules: Rules) -> dict[str, str]:
    symbols = rules.symbols.symbols
    if rules.alphabet == "names":
        table = dict(zip(symbols, symbols, strict=True))
    elif rules.alphabet == "course":
        table = COURSE
    elif rules.alphabet in {"letters", "digits", "numbers"}:
        return {}
    else:
        table = INITIALS
    by_case = {symbol.casefold(): symbol for symbol in symbols}
    return {name: by_case[symbol.casefold()] for name, symbol in table.items() if symbol.casefold() in by_case}


def _read_told(text: str, rules: Rules) -> NotedFeedback:
    # Raises _UnreadError where the text is no feedback, or none that can be.
    text = text.strip()
    if text[:1] + text[-1:] in {"()", "[]", "{}"}:
        text = text[1:-1].strip()
    try:
        return _told(text, rules)
    except _UnreadError as error:
        bare = text.strip(f"{DASHES},;. ")
        if not bare or bare == text:
            raise
        try:
            return _told(bare, rules)
        except _UnreadError:
            raise error from None


def _told(text: str, rules: Rules) -> NotedFeedback:
    about = rules.feedback.about
    if text.casefold() in _NOT_TOLD:
        return None
    typed, text = text, _in_signs(text) if about.answer is Marks else _in_digits(text)
    try:
        if "?" not in text and not text.startswith(("≥", ">=")):
            whole = about.read(text, rules)
            if whole is None:
                whole = _compact(text, rules)
            if whole is not None:
                return check_feedback(whole, rules)
        ranges = _part_marks(text, rules) if about.answer is Marks else _part_counts(text, rules)
        if ranges is not None:
            return PartFeedback.of(ranges, rules)
    except InputError as error:
        raise _UnreadError(str(error)) from None
    if about.answer is not Marks and text.isdecimal():
        raise _UnreadError(
            Told(
                "{text!r} alone does not tell black from white: {black} says that only black is known",
                *(text, f"{text[:9]} ?"),
            )
        )
    raise _UnreadError(
        Told(
            "{typed!r} is not a feedback: {notation}, or ? for what is not known",
            *(typed, Told(about.notation, pegs=rules.pegs)),
        )
    )


def _in_signs(text: str) -> str:
    # Marks named by their colors, as in Wordle.
    words = re.split(r"[\s,;-]+", text.casefold())
    return "".join(_MARK_WORDS[word] for word in words) if set(words) <= set(_MARK_WORDS) else text


def _in_digits(text: str) -> str:
    # Numbers written out as digits, and places as the marks that stand for them.
    for said, mark in _PLACES.items():
        text = re.sub(rf"(?<![a-z]){said}(?![a-z])", mark, text, flags=re.IGNORECASE)
    return _WRITTEN_OUT.sub(lambda found: str(_NUMBERS.index(found[0].casefold())), text)


def _compact(text: str, rules: Rules) -> Any:
    # 21: two digits without a space, where no number has more.
    digits = text if text.isascii() and text.isdecimal() else ""
    about = rules.feedback.about
    if about.answer is Marks or rules.feedback == FeedbackKind.black or rules.pegs > 9:
        return None
    wanted = 3 if rules.feedback == FeedbackKind.grand else 2
    return about.of([int(digit) for digit in digits], rules) if len(digits) == wanted else None


def _part_marks(text: str, rules: Rules) -> tuple[tuple[int, int | None], ...] | None:
    signs = text.replace(" ", "").replace(",", "")
    if "?" not in signs:
        return None
    whole = rules.feedback.about.read(signs.replace("?", "."), rules)
    digits = whole if whole is not None else rules.feedback.about.read(signs.replace("?", "0"), rules)
    if digits is None:
        return None
    if len(signs) != rules.pegs:
        raise InputError(
            "{text!r} has {marks} marks for a guess of {pegs} pegs: give one mark for each peg",
            *(text, len(signs), rules.pegs),
        )
    return tuple((0, None) if sign == "?" else (mark, mark) for sign, mark in zip(signs, digits, strict=True))


def _part_counts(text: str, rules: Rules) -> tuple[tuple[int, int | None], ...] | None:
    about = rules.feedback.about
    size = len(about.marks) if rules.feedback == FeedbackKind.grand else 2
    given = text.replace(" ", "")
    marks = given.rstrip("?") if " " in text else given.replace("?", "")  # "?bb X" is a guess and its feedback
    if len(marks) < len(given) and marks and all(mark in "".join(about.marks) for mark in marks):
        return tuple((sum(mark in kind for mark in marks), None) for kind in list(about.marks)[:size])
    said = _said(text, size)
    if said is not None:
        return said
    numbers = _PART_NUMBERS.findall(text)
    is_numbers = not _PART_NUMBERS.sub("", text).strip(" ,;:/-") and ("?" in text or "≥" in text or ">=" in text)
    if is_numbers and rules.feedback == FeedbackKind.black and len(numbers) == 1:
        numbers.append("0")
    return tuple(map(_range, numbers)) if is_numbers and len(numbers) == size else None


def _range(number: str) -> tuple[int, int | None]:
    if number == "?":
        return (0, None)
    digits = number.lstrip("≥>=")
    return (int(digits), int(digits) if digits == number else None)


def _said(text: str, size: int) -> tuple[tuple[int, int | None], ...] | None:
    # 2 black 1 white, 1w 2b, 2A?B, B2 W1: numbers with the marks that they count, in any order; marks that are not
    # named are none, or, after a last question mark, unknown.
    pairs = [(number.casefold(), word.casefold()) for number, word in _SAID.findall(text)]
    rest = _FILLING.sub("", _SAID.sub("", text))
    if not pairs or rest not in {"", "?"}:
        # Not of signs: X0 is a mark and a letter O that was mistyped, and not no mark at all.
        after = _SAID_AFTER.findall(text)
        pairs = [(number.casefold(), word.casefold()) for word, number in after if word.casefold() not in {"x", "o"}]
        rest = _FILLING.sub("", _SAID_AFTER.sub("", text))
        rest += "x" * (len(after) - len(pairs))
    if not pairs or rest not in {"", "?"}:
        return None
    words = [word for _, word in pairs]
    bulls = "a" in words
    ranges: list[tuple[int, int | None]] = [(0, None if rest else 0)] * size
    seen = set()
    for number, word in pairs:
        place = {"a": 0, "b": 1}.get(word) if bulls else None
        if place is None:
            place = next((index for index, kind in enumerate(_COUNTED) if word in kind), size)
        if place >= size or place in seen:
            return None
        seen.add(place)
        ranges[place] = (0, None) if number == "?" else (int(number), int(number)) if number.isdecimal() else (0, 0)
    return tuple(ranges)


def _refusal(plain: str, text: str, rules: Rules, faults: list[tuple[int, str]]) -> str:
    example = example_row(rules)
    if not plain:
        return Told("the row is empty: write a guess and its feedback, as {example}", example)
    for body in reversed(_bodies(plain)):
        try:
            guess = _read_guess(body, rules)
        except _UnreadError:
            continue
        said = format_part_code(guess, rules) if rules.pegs <= SHOWN_PEGS else Told("the guess")
        return Told(
            "{row!r} has no feedback: write {guess} ? where it is not known, or {guess} and what it got, as {example}",
            *(text, said, example),
        )
    for body in (_NUMBERED.sub("", plain, count=1), plain):
        try:
            _read_told(body, rules)
        except _UnreadError:
            continue
        return Told(
            "{row!r} is a feedback without its guess: write the guess before it, as {example}, or ? for the guess",
            *(text, example),
        )
    reason = min(faults, key=lambda fault: fault[0])[1] if faults else _alone(plain, rules)
    return Told("{row!r} is no row: {reason}; {example} would be read", text, reason, example)


def _alone(plain: str, rules: Rules) -> str:
    # Nothing in it is a feedback: say why its first word is no guess.
    first = plain.split(maxsplit=1)[0]
    try:
        _read_guess(first, rules)
    except _UnreadError as error:
        return str(error)
    return Told("nothing in it is a feedback after the guess {first!r}", first)


def example_row(rules: Rules) -> str:
    """Return a row that would be read.

    >>> example_row(Rules.parse("4x6")), example_row(Rules.parse("bulls-and-cows"))
    ('AABB XO', '0123 XO')
    >>> example_row(Rules.of_answers(["cat", "owl"], ["Can it fly?"], [["no"], ["yes"]]))
    'Can it fly? no'
    """
    if rules.pegs > SHOWN_PEGS:
        return Told("a guess, a space and XO")
    if isinstance(rules.words, AnswerTable):
        asked, secret = rules.words.guess_codes[-1], rules.words.codes[0]
        return f"{rules.words.name_of(asked)} {format_feedback(score_trusted(asked, secret, rules))}"
    if rules.words is not None:
        guess = rules.words.words[0]
    else:
        colors = [peg // 2 % rules.colors for peg in range(rules.pegs)]
        if not rules.guess_repeats:
            colors = [min(peg, rules.colors) for peg in range(rules.pegs)]
        guess = rules.symbols.format(tuple(colors))
    if rules.feedback.about.answer is Marks:
        return f"{guess} {('XO' if rules.pegs > 2 else 'X') + '.' * (rules.pegs - (2 if rules.pegs > 2 else 1))}"
    return f"{guess} {'X' if rules.pegs < 3 or rules.feedback == FeedbackKind.black else 'XO'}"
