"""Sentences found by their templates, and put into another language.

A template is a sentence with fields: `{name}` for any text, `{name!r}` for what is quoted as it is, `{name:n}` for a
number. A sentence is held against those templates of which it has the rarest word, those with the most letters of their
own first. What stands in a field of any text is a sentence, a part of one, or a list of such, and is translated in
turn; a code, a name or a file has no template and stays. Where none fits, a text is divided: at the end of a sentence,
at a semicolon, a colon, a comma, «and», «or». Of several readings the one that leaves the fewest words in English wins,
then the one that is nested least, then the template with the most letters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

Entries: TypeAlias = dict[str, str | list[str]]
"""Text by English text; forms for one and for many where the text counts, `one U+0000 many`. A word that has its
meaning in one field only has the name of that field and U+0004 before it."""

CONTEXT, MANY = "\4", "\0"
"""What stands between a field and its word, and between the forms for one and for many, as in files of gettext."""

LONGEST = 4000
"""A sentence of more characters is left in English: none of ours is as long."""
DEEPEST = 8
"""Sentences within sentences."""
REMEMBERED = 4096

VERBATIM = frozenset(
    {
        *("rules", "source", "path", "file", "folder", "probes", "words", "self", "code", "guess", "secret"),
        *("codebreaker", "codemaker", "player", "spec"),
    }
)
"""Fields that hold what was named by somebody: never translated."""

OPEN = frozenset({"error", "why", "reason", "msg", "split", "strerror"})
"""Fields that may hold what another program says: a sentence is translated around it."""

FIELD = re.compile(r"\{(\w+)(!r|:n)?\}")
CHOSEN = re.compile(r"\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
"""A field of a translation; with two words after it, the one for its number stands there instead."""

_NUMBER = r"[≈≥≤=]? ?[-−+±]?(?:about 10\^\d+|\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?%?"
_IS_NUMBER = re.compile(_NUMBER)
_DECIMALS = re.compile(r"(?<![\w.])\d*\.\d+(?![\w.])")
_QUOTE = re.compile(r"(?<!\w)(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")(?!\w)")
_KEPT = re.compile("\ue000(\\d+)\ue001")
_KEPT_QUOTE = r"\ue000\d+\ue001(?:\.\.\. \([\d,]+ characters\))?"
_BRACKETED = r"[\[({].*?[\])}](?:\.\.\.)?"
_WORDS = re.compile(r"[^\W\d_]+")
_PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}")
_SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Names of files may have spaces."""
_LEFT = re.compile(r"[a-z]{2,}")
_AROUND = re.compile(r"(\s*(?:[,;:]\s+)?)(.*?)(\s*)", re.DOTALL)
"""A text, and what it begins and ends with beside words."""
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_AND_BRACKETS = re.compile(r"(.*\S) \(([^()]*)\)", re.DOTALL)
COLON = "\u00a0: "
_STARTS = {",": ", ", ";": "\u202f; ", ":": COLON}
BARE = (" et ", " ou ")
_DIVIDERS = (
    (re.compile(r"(?<=[.!?]) (?=\S)"), " "),
    (re.compile(r"; and "), "\u202f; et "),
    (re.compile(r"; "), "\u202f; "),
    (re.compile(r": "), COLON),
    (re.compile(r", "), ", "),
    (re.compile(r" and "), BARE[0]),
    (re.compile(r" or "), BARE[1]),
)
"""Where a text is divided that no template fits, and what stands there then."""


class Translation(NamedTuple):
    """A text in the language, how many words of it have stayed in English, as names do, and how deep it is nested."""

    text: str
    left: int = 0
    deep: int = 0

    @property
    def is_sure(self) -> bool:
        """Whether nothing is left in English and nothing is nested: no other reading can be better."""
        return self.left == 0 and self.deep <= 1

    def or_better(self, other: Translation | None) -> Translation:
        """The one with fewer words left, then the flatter one, which reads a list as a list."""
        return self if other is None or (self.left, self.deep) <= (other.left, other.deep) else other


@dataclass(frozen=True)
class Template:
    """A template, its translations (one, or for one and for many), and the field that it is for, if it is a word."""

    text: str
    forms: tuple[str, ...]
    context: str = ""

    @cached_property
    def patterns(self) -> tuple[re.Pattern[str], ...]:
        """What fits the template, its fields as groups: first those as short as they can be, then as long."""
        least = re.compile(self._pattern("?"), re.DOTALL)
        return (least, re.compile(self._pattern(""), re.DOTALL)) if len(self.kinds) > 1 else (least,)

    def readings(self, text: str) -> Iterator[dict[str, str]]:
        """What the fields hold, in each reading of a text that fits; none where it does not."""
        first = self.patterns[0].fullmatch(text)
        if first is not None:
            yield first.groupdict()
            for pattern in self.patterns[1:]:
                other = pattern.fullmatch(text)
                if other is not None and other.groupdict() != first.groupdict():
                    yield other.groupdict()

    def _pattern(self, lazy: str) -> str:
        fields = {":n": _NUMBER, "!r": f"{_KEPT_QUOTE}|{_BRACKETED}|[^\ue000]*{lazy}", "": f".*{lazy}"}
        pattern, end, seen = "", 0, set()
        for field in FIELD.finditer(self.text):
            name = field[1]
            pattern += _literal(self.text[end : field.start()])
            pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{fields[field[2] or '']})"
            end = field.end()
            seen.add(name)
        return pattern + _literal(self.text[end:])

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Its fields, each with `!r`, `:n` or nothing."""
        return {field[1]: field[2] or "" for field in FIELD.finditer(self.text)}

    @cached_property
    def words(self) -> list[str]:
        """Its own words, without those that it quotes."""
        return _WORDS.findall(_QUOTE.sub("\0", FIELD.sub("\0", self.text)))

    @cached_property
    def weight(self) -> int:
        """Number of its own letters."""
        return sum(map(len, self.words))


def _literal(text: str) -> str:
    # A quote that the template has itself stands masked in the sentence.
    plain = text.replace("{{", "{").replace("}}", "}")
    return "\ue000\\d+\ue001".join(map(re.escape, _QUOTE.split(plain)))


class Catalogue:
    r"""The sentences of one language, by the templates of their English.

    >>> pegs = {"{n:n} peg\0{n:n} pegs": ["{n} pion", "{n} pions"]}
    >>> catalogue = Catalogue({"{row} has {pegs}": "{row} a {pegs}", **pegs})
    >>> catalogue.translate("'AAB' has 3 pegs"), catalogue.translate("nobody knows")
    ("'AAB' a 3 pions", 'nobody knows')
    """

    def __init__(self, entries: Mapping[str, str | list[str]]) -> None:
        """Index the templates by their rarest words; patterns are compiled when they are wanted."""
        templates = list(_templates(entries))
        count = Counter(word for template in templates for word in set(template.words))
        self._by_word: dict[str, list[Template]] = {}
        for template in templates:
            rarest = min(template.words, key=lambda word: (count[word], -len(word), word), default="")
            self._by_word.setdefault(rarest, []).append(template)
        self._found = lru_cache(maxsize=REMEMBERED)(self._find)

    def translate(self, sentence: str) -> str:
        """Return a sentence in the language; as it is where no template fits."""
        if len(sentence) > LONGEST:
            return sentence
        found = self._found(sentence, "", 0)
        return sentence if found is None else found.text

    def _find(self, text: str, context: str, depth: int) -> Translation | None:
        # The translation of a text that stands in a field of that name; None where there is none.
        start, bare, end = _AROUND.fullmatch(text).groups()  # type: ignore[union-attr] # fits any text
        if not bare or depth > DEEPEST or _IS_NUMBER.fullmatch(bare):
            return None
        found = self._best(*_pointed(bare), context, depth)
        if found is None:
            return None
        return found._replace(text=f"{_STARTS[start.strip()] if start.strip() else start}{found.text}{end}")

    def _best(self, text: str, point: str, context: str, depth: int) -> Translation | None:
        # By a template, or divided; else, since quotes may hold anything, by a template that looks into them.
        masked, quotes = _masked(text)
        found = self._fitted(masked, quotes, context, depth)
        if found is None or not found.is_sure:
            divided = self._divided(masked, quotes, depth)
            found = found if divided is None else divided.or_better(found)
        if found is None and quotes:
            found = self._fitted(text, [], context, depth)
        return None if found is None else found._replace(text=found.text + point)

    def _fitted(self, text: str, quotes: list[str], context: str, depth: int) -> Translation | None:
        # By the templates, those with the most letters first.
        best: Translation | None = None
        for template in self._candidates(text, context, depth):
            for reading in template.readings(text):
                values = {name: _unmasked(value, quotes) for name, value in reading.items()}
                found = self._filled(template, values, depth)
                best = found if best is None else best.or_better(found)
                if best is not None and best.is_sure:
                    return best
        return best

    def _candidates(self, text: str, context: str, depth: int) -> list[Template]:
        found = [
            template
            for word in set(_WORDS.findall(text))
            for template in self._by_word.get(word, ())
            if not template.context or template.context == context or not depth
        ]
        return sorted(found, key=lambda each: (each.context != context, -each.weight, each.text))

    def _filled(self, template: Template, values: dict[str, str], depth: int) -> Translation | None:
        # None where a field holds prose that has no translation: then the template fits by accident.
        shown = {}
        for name, kind in template.kinds.items():
            value = self._value(name.rstrip("0123456789"), kind, values[name], depth)
            if value is None:
                return None
            shown[name] = value
        form = template.forms[-1 if _is_many(values.get("n", "1")) else 0]

        def chosen(field: re.Match[str]) -> str:
            name, one, many = field.groups()
            return shown[name].text if one is None else many if _is_many(values[name]) else one

        deep = 1 + max((value.deep for value in shown.values()), default=0)
        return Translation(CHOSEN.sub(chosen, form), sum(value.left for value in shown.values()), deep)

    def _value(self, name: str, kind: str, value: str, depth: int) -> Translation | None:
        if kind == ":n":
            return Translation(french_number(value))
        if kind == "!r" and value.endswith((" characters)", " digits")):  # words about a long quote
            return self._fitted(value, [], "", depth + 1) or Translation(value)
        if kind == "!r" or name in VERBATIM:
            kept = _masked(value)[0]
            return None if _SENTENCE.search(kept) else Translation(value, len(_LEFT.findall(kept)))
        found = self._found(value, name, depth + 1)
        if found is not None:
            return found
        return None if _is_prose(value) and name not in OPEN else _untranslated(value)

    def _divided(self, masked: str, quotes: list[str], depth: int) -> Translation | None:
        best = self._with_brackets(masked, quotes, depth)
        masked, quotes = _masked(masked, _IN_BRACKETS, quotes)
        for divider, written in _DIVIDERS:
            pieces = [_unmasked(piece, quotes) for piece in divider.split(masked)]
            if len(pieces) > 1:
                found = self._led(pieces, depth) if written == COLON else self._listed(pieces, written, depth)
                best = found if best is None else best.or_better(found)
                if best is not None and best.is_sure:
                    break
        return best

    def _with_brackets(self, masked: str, quotes: list[str], depth: int) -> Translation | None:
        # Something, and what stands in brackets behind it: at least one of the two has a translation.
        match = _AND_BRACKETS.fullmatch(masked)
        if match is None:
            return None
        pieces = [_unmasked(piece, quotes) for piece in match.groups()]
        found = [self._found(piece, "", depth + 1) for piece in pieces]
        if not any(found) or any(each is None and _is_prose(one) for each, one in zip(found, pieces, strict=True)):
            return None
        joined = _joined([each or _untranslated(piece) for each, piece in zip(found, pieces, strict=True)], " (")
        return joined._replace(text=f"{joined.text})", deep=joined.deep + 1)

    def _listed(self, pieces: list[str], written: str, depth: int) -> Translation | None:
        # Sentences each for itself; of other lists all have a translation or are no prose; by «and» and «or» only names
        # and numbers of things are listed.
        found = [self._found(piece, "", depth + 1) for piece in pieces]
        if any(map(_is_prose, pieces)) if written in BARE else not any(found):
            return None
        if written != " " and any(each is None and _is_prose(one) for each, one in zip(found, pieces, strict=True)):
            return None
        return _joined([each or _untranslated(piece) for each, piece in zip(found, pieces, strict=True)], written)

    def _led(self, pieces: list[str], depth: int) -> Translation | None:
        # Something, a colon, and what is said of it, at the first colon after which all has a translation.
        for place in range(1, len(pieces)):
            said = self._found(": ".join(pieces[place:]), "", depth + 1)
            if said is not None:
                start = ": ".join(pieces[:place])
                led = _joined([self._found(start, "", depth + 1) or _untranslated(start), said], COLON)
                return led._replace(deep=led.deep + 2)  # a sentence with a colon of its own is better
        return None


def _joined(pieces: list[Translation], written: str) -> Translation:
    text = written.join(piece.text for piece in pieces)
    return Translation(text, sum(piece.left for piece in pieces), max(piece.deep for piece in pieces))


def _untranslated(text: str) -> Translation:
    return Translation(french_decimals(text), len(_LEFT.findall(_masked(text)[0])))


def _templates(entries: Mapping[str, str | list[str]]) -> Iterator[Template]:
    for key, forms in entries.items():
        context, _, text = key.rpartition(CONTEXT)
        written = (forms,) if isinstance(forms, str) else tuple(forms)
        for each in dict.fromkeys(text.split(MANY)):
            yield Template(*_bare(each, written), context)


def _bare(text: str, forms: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    # What a part of a sentence begins with, and its full stop, are left to the place where sentences are divided.
    texts = [each.lstrip() for each in (text, *forms)]
    if texts[0][:1] in {",", ";", ":"} and len({each[:1] for each in texts}) == 1:
        texts = [each[1:].lstrip() for each in texts]
    if all(_pointed(each)[1] for each in texts):
        texts = [each[:-1] for each in texts]
    return texts[0], tuple(texts[1:])


def _pointed(text: str) -> tuple[str, str]:
    # A text without its full stop, and that.
    return (text[:-1], ".") if text.endswith(".") and not text.endswith("..") and len(text) > 1 else (text, "")


def _is_prose(text: str) -> bool:
    return _PROSE.search(_masked(text)[0]) is not None


def _masked(text: str, what: re.Pattern[str] = _QUOTE, quotes: Sequence[str] = ()) -> tuple[str, list[str]]:
    # A text with marks in place of its quotes, or of what stands in brackets, and these; marks may hold others.
    kept = list(quotes)

    def keep(found: re.Match[str]) -> str:
        kept.append(_unmasked(found[0], kept))
        return f"\ue000{len(kept) - 1}\ue001"

    return what.sub(keep, text), kept


def _unmasked(text: str, quotes: Sequence[str]) -> str:
    return _KEPT.sub(lambda found: quotes[int(found[1])], text) if quotes else text


def _is_many(text: str) -> bool:
    # In French 0 and 1, and what lies between 1 and 2, are one.
    number = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", text)
    return number is None or "^" in text or float(number[0].replace(",", "")) >= 2


def french_number(text: str) -> str:
    r"""Write a number as in French: a narrow space between thousands, a comma before decimals.

    >>> french_number("1,296"), french_number("4.34"), french_number("about 10^26"), french_number("43%")
    ('1\u202f296', '4,34', 'environ 10^26', '43\u202f%')
    """
    text = text.replace(",", "\u202f").replace(".", ",").replace("about ", "environ ")
    return text.replace("%", "\u202f%")


def french_decimals(text: str) -> str:
    """Write numbers with decimals as in French where nothing else stands beside them; other texts stay.

    >>> french_decimals("= 4.34 ± 0.02"), french_decimals("4x6/limit=12"), french_decimals("words.txt")
    ('= 4,34 ± 0,02', '4x6/limit=12', 'words.txt')
    """
    if re.fullmatch(r"[-−+±=≈≥≤.,%\d\s/()]*", text) and _DECIMALS.search(text):
        return _DECIMALS.sub(lambda found: found[0].replace(".", ","), text)
    return text
