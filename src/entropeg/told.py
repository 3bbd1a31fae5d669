"""A sentence is a value: English text that remembers its template and fields, so that any language can say it anew.

    Told("{code!r} has {pegs:,} pegs: did you mean {near:or}?", text, len(text), words)

Values stand in the order in which the fields first occur; the names are for translators, and values can be given by
them as well. Whoever does not care has plain English; `entropeg.texts.say(sentence, "fr")` says it in French. `!r`
quotes what was typed, on one line and cut where it is long; `:and`, `:or`, `:list` write a list, `:count` a whole
number of any size; other formats are Python's, for numbers. A sentence without fields is a text as it is, braces and
all.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from enum import Enum
from functools import lru_cache
from math import log10
from numbers import Integral, Real
from typing import Any, NamedTuple, Self

LISTS = {"and": " and ", "or": " or ", "list": ", "}
"""What stands before the last item of a list, by the format of its field."""

FIELD = re.compile(
    r"\{\{|\}\}|\{(?P<name>[^\W\d]\w*)(?P<quoted>!r)?(:(?P<spec>and|or|list|count|[+-]?\d?,?(\.\d{1,2})?[dfeg%]?))?"
    r"(?P<forms>(\|[^{}|]*)*)\}"
)
"""A field, or a doubled brace. Templates may come from other processes: no field reaches into an object or fills the
memory. In a translation, `{turns|tour|tours}` writes the word for the number of a field instead of the number."""


NAMES_SECRETS: ContextVar[bool] = ContextVar("names_secrets", default=False)
"""Whether what is looked for just now is called a secret, and no code: by the rules, see `Rules.has_pegs`."""

_CODES = re.compile(r"\{\w*[^{}|]*|\b(?P<first>[Cc])ode(?P<end>s?)\b")
_SECRETS = {"c": "secret", "C": "Secret"}


def by_the_game(template: str) -> str:
    """Return a template with secrets in the place of codes, where the game of the hour has none; as it is elsewhere.

    English and French have the same two words for it. Fields, and templates that tell both apart, stay.

    >>> token = NAMES_SECRETS.set(True)
    >>> by_the_game("{code} leaves one code, {n|code|codes}"), by_the_game("a code that may be the secret")
    ('{code} leaves one secret, {n|secret|secrets}', 'a code that may be the secret')
    >>> NAMES_SECRETS.reset(token)
    """
    if not NAMES_SECRETS.get() or "secret" in template.lower():
        return template
    return _CODES.sub(lambda found: _SECRETS[found["first"]] + found["end"] if found["first"] else found[0], template)


class Piece(NamedTuple):
    """A piece of a template: what stands before a field, its name, whether it is quoted, its format, and its words."""

    before: str
    name: str = ""
    is_quoted: bool = False
    spec: str = ""
    forms: tuple[str, ...] = ()


@lru_cache(maxsize=8192)
def pieces_of(template: str) -> tuple[Piece, ...]:
    """Take a template apart, or a translation of one; what is no field is text."""
    found, end = [], 0
    for field in FIELD.finditer(template):
        before, end = template[end : field.start()], field.end()
        if field["name"] is None:
            found.append(Piece(before + field[0][0]))
        else:
            spec = field["spec"] or ("count" if field["name"] == "n" else "")
            forms = tuple(field["forms"].split("|")[1:])
            found.append(Piece(before, field["name"], field["quoted"] is not None, spec, forms))
    return (*found, Piece(template[end:]))


@lru_cache(maxsize=8192)
def names_of(template: str) -> tuple[str, ...]:
    """List the fields of a template in the order in which they first occur."""
    return tuple(dict.fromkeys(piece.name for piece in pieces_of(template) if piece.name))


class Template(str):
    """A template that is filled later, as `Told(template, ...)`: the sentences of a table."""

    __slots__ = ()


class Spoken(str):
    """Text that can be said in another language; as it stands, English."""

    __slots__ = ()

    def __str__(self) -> str:
        """Stay what it is: the text of an error keeps its sentence."""
        return self

    def __add__(self, other: str) -> Joined:
        """Join what follows, and keep both."""
        return Joined((self, other))

    def __radd__(self, other: str) -> Joined:
        """Join what stands before, and keep both."""
        return Joined((other, self))

    @property
    def english(self) -> str:
        """The plain text."""
        return str.__str__(self)


class Told(Spoken):
    """A sentence: its `template` and `fields`, `many`, the form for several, and `context`, whose word it is.

    A field keeps a number, a sentence, or a tuple of such, as it is; what else there is becomes text, so that nothing
    is held alive and everything can be pickled. A field without a value is shown as `{name}`: no sentence about an
    error raises another.

    >>> sentence = Told("{code!r} has {pegs:,} pegs", "AAB", 3000)
    >>> print(sentence, sentence.fields)
    'AAB' has 3,000 pegs {'code': "'AAB'", 'pegs': 3000}
    """

    __slots__ = ("context", "fields", "many", "template")
    template: str
    fields: dict[str, Any]
    many: str
    context: str

    def __new__(cls, template: str, /, *values: object, **named: object) -> Self:
        """Fill the fields of a template."""
        if not (values or named):
            return cls.of(template, {})
        given = dict(zip(names_of(template), values, strict=False)) | named
        return cls.of(template, _kept(template, given))

    @classmethod
    def of(cls, template: str, fields: Mapping[str, Any], many: str = "", context: str = "") -> Self:
        """Make a sentence of all that it remembers, its fields as they were kept."""
        written = many if many and fields.get("n") != 1 else template
        made = super().__new__(cls, "".join(_english(written, fields)) if fields else written)
        made.template, made.fields, made.many, made.context = str.__str__(template), dict(fields), many, context
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return type(self).of, (self.template, self.fields, self.many, self.context)


def plural(n: int, one: str, many: str, /, *values: object, **named: object) -> Told:
    """Say how many there are of something, `n` among the fields.

    >>> print(plural(1, "{n} guess", "{n} guesses"), "and", plural(10**30, "{n} code", "{n} codes"))
    1 guess and about 10^30 codes
    """
    others = [name for name in names_of(many) if name != "n"]
    given = dict(zip(others, values, strict=False)) | named
    return Told.of(one, {"n": int(n), **_kept(one, given), **_kept(many, given)}, many)


def word(context: str, text: str) -> Told:
    """Name a word that means something else elsewhere, for translators: `word("mark", "best")`."""
    return Told.of(text, {}, context=context)


def words(context: str, *texts: str) -> tuple[Told, ...]:
    """Name several words of one context, as the heads of columns; an empty one stays empty.

    >>> words("column", "guess", "", "codes")
    ('guess', '', 'codes')
    """
    return tuple(word(context, text) for text in texts)


class Joined(Spoken):
    """Texts one after the other, each said for itself.

    >>> print(Joined([Told("one row"), "4x6"], between=", "))
    one row, 4x6
    """

    __slots__ = ("parts",)
    parts: tuple[str, ...]

    def __new__(cls, parts: Iterable[str], between: str = "") -> Self:
        """Join texts."""
        kept: list[str] = []
        for part in parts:
            kept += [between] * bool(between and kept)
            kept += part.parts if isinstance(part, Joined) else [part]
        made = super().__new__(cls, "".join(map(_plain, kept)))
        made.parts = tuple(kept)
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Joined, (self.parts,)


class Drawn(Spoken):
    """A code or an answer in a sentence: its text, and its `value` for whoever draws it."""

    __slots__ = ("value",)
    value: Any

    def __new__(cls, text: str, value: Any) -> Self:
        """Keep both."""
        made = super().__new__(cls, text)
        made.value = value
        return made

    def __reduce__(self) -> tuple[object, ...]:
        return Drawn, (self.english, self.value)


def _kept(template: str, given: Mapping[str, object]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for piece in pieces_of(template):
        if piece.name and piece.name not in kept and piece.name in given:
            value = given[piece.name]
            kept[piece.name] = quoted(value) if piece.is_quoted else _value(value, piece.spec)
    return kept


def _value(value: Any, spec: str = "") -> Any:
    if type(value) in {str, int, float}:  # most are, and the tests below take longer
        return value
    if isinstance(value, Enum):
        value = getattr(value, "told", value)  # its word
    if isinstance(value, (str, bool)) or value is None:
        return value if isinstance(value, str) else str(value)
    if isinstance(value, Real):  # NumPy's numbers and fractions too
        try:
            return int(value) if isinstance(value, Integral) else float(value)
        except OverflowError:
            return quoted(value)
    if spec in LISTS:
        return tuple(map(_value, value))
    return str(value)  # that of an error is its sentence


def _english(template: str, fields: Mapping[str, Any]) -> Iterator[str]:
    for before, name, _, spec, _ in pieces_of(template):
        yield before
        if name:
            yield english_field(fields[name], spec) if name in fields else f"{{{name}}}"


def english_field(value: Any, spec: str) -> str:
    """Write what a field keeps, as English does."""
    if isinstance(value, tuple):
        return listed([english_field(each, "") for each in value], LISTS.get(spec, ", "))
    if isinstance(value, str):
        return _plain(value)
    try:
        return shown_count(value) if spec == "count" else format(value, spec)
    except (ArithmeticError, TypeError, ValueError):  # of another process; or Python writes no number so long
        return quoted(value)


def _plain(text: str) -> str:
    return text.english if isinstance(text, Spoken) else text


def listed(items: Iterable[str], last: str = ", ") -> str:
    """Write a list with what stands before its last item.

    >>> listed(["4x6", "4x7", "5x8"], " or ")
    '4x6, 4x7 or 5x8'
    """
    *others, end = [*items] or [""]
    return last.join([", ".join(others), end]) if others else end


def shown_count(count: int) -> str:
    """Write a whole number: in full, or beyond 15 digits as the nearest power of ten.

    >>> shown_count(1296), shown_count(20**20)
    ('1,296', 'about 10^26')
    """
    return f"{count:,}" if count < 10**15 else f"about 10^{round(log10(count))}"


def quoted(value: object, most: int = 60) -> str:
    r"""Quote what was typed or read: on one line, control characters escaped, and cut where it is long.

    For the messages of errors, which never repeat a file or a line of a million characters. Text stands in quotes, any
    other value as Python writes it. (`errors.in_one_line` does so for whole messages, whoever wrote them.)

    >>> print(quoted("AAB\n"), quoted([1, "x"]), quoted("A" * 1_000_000, most=5))
    'AAB\n' [1, 'x'] 'AAAAA'... (1,000,000 characters)
    """
    if isinstance(value, str):
        value, end = _plain(value), most
        while len(repr(value[:end])) > most + 2:  # an escape takes more letters than the one that it stands for
            end -= 1
        if end >= len(value):
            return repr(value)
        return Told("{value}... ({count:,} characters)", repr(value[:end]), len(value))
    brief = reprlib.Repr()
    brief.maxother = brief.maxstring = most
    try:
        text = " ".join(brief.repr(value).split())
    except ValueError:  # Python writes no number of more than 4,300 digits
        return Told("a number of thousands of digits")
    return text if len(text) <= most else f"{text[:most]}..."


def with_names(text: Any, written: Callable[[str], str]) -> Any:
    """Return a sentence with the names in it, all that is no sentence itself, written otherwise.

    Text that remembers no field is such a name too: the sentence of an error from elsewhere.

    >>> with_names(Told("{file}: {text}", "a/b.py", Told("there is no {file}", "a/c.py")), lambda name: name[2:])
    'b.py: there is no c.py'
    """
    if isinstance(text, Told) and text.fields:
        fields = {name: with_names(value, written) for name, value in text.fields.items()}
        return Told.of(text.template, fields, text.many, text.context)
    if isinstance(text, Told):
        return Told.of(written(text.template), {}, text.many, text.context)
    if isinstance(text, Joined):
        return Joined(with_names(each, written) for each in text.parts)
    if isinstance(text, tuple):
        return tuple(with_names(each, written) for each in text)
    return written(text) if isinstance(text, str) and not isinstance(text, Drawn) else text


def to_data(text: Any) -> Any:
    """Return a sentence as plain data that JSON carries to another process; what is no sentence is itself."""
    if isinstance(text, Told):
        fields = {name: to_data(value) for name, value in text.fields.items()}
        return {"say": text.template, "with": fields, "many": text.many, "context": text.context}
    if isinstance(text, Joined):
        return {"join": [to_data(each) for each in text.parts]}
    if isinstance(text, tuple):
        return [to_data(each) for each in text]
    return _plain(text) if isinstance(text, str) else text


def of_data(data: Any, most: int = 50) -> Any:
    """Read a sentence from plain data, whoever wrote it; what is no such data is itself, or lies too deep within.

    >>> of_data(to_data(Told("{code!r} has {pegs:,} pegs", "AAB", 3000))).fields["pegs"]
    3000
    """
    if not most:
        return quoted(data)
    match data:
        case {"join": list(parts)}:
            return Joined(str(of_data(each, most - 1)) for each in parts)
        case {"say": str(template), "with": dict(fields), "many": str(many), "context": str(context)}:
            kept = {str(name): of_data(value, most - 1) for name, value in fields.items()}
            return Told.of(template, kept, many, context)
        case list():
            return tuple(of_data(each, most - 1) for each in data)
    return data
