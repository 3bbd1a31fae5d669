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
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from entropeg.texts.templates import NUMBER, WORD, Template, TemplateWork, masked, unmasked

Entries: TypeAlias = dict[str, str | list[str]]
"""Text by English text; forms for one and for many where the text counts, `one U+0000 many`. A word that has its
meaning in one field only has the name of that field and U+0004 before it."""

CONTEXT, MANY = "\4", "\0"
"""What stands between a field and its word, and between the forms for one and for many, as in files of gettext."""

LONGEST = 4000
"""A sentence of more characters is left in English: none of ours is as long."""
MOST_TRIES = 400
"""Parts of a sentence that are tried: ours have a hundred at most, and what was typed may look like any of them."""
MOST_STEPS = 5000
"""Steps in which templates are held against them."""
FEW_LETTERS = 3
"""A template with so few of its own, as «of», fits by accident where it leaves prose in English."""
MOST_COLONS = 8
"""A sentence is looked for behind so many colons."""
DEEPEST = 12
"""Sentences within sentences that are looked into."""
REMEMBERED = 4096
"""Sentences that are kept."""
STANDARD_INPUT = "standard input"
"""What stands for a name where there is none."""
IN_BRACKETS = "bracket"
"""The context of a word that stands alone in brackets."""
ANYWHERE = "*"
"""Stands for all fields: a word alone has all its meanings."""

VERBATIM = frozenset(
    {
        *("rules", "board", "source", "path", "file", "folder", "probes", "words", "self", "code", "guess"),
        *("secret", "codebreaker", "codemaker", "player", "spec"),
    }
)
"""Fields that hold what was named by somebody: never translated."""

NUMBERS = frozenset(
    {
        *(
            "share",
            "percent",
            "chance",
            "plus",
            "raw",
            "hundredths",
            "adjusted",
            "par",
            "loss",
            "lost",
            "error",
            "expected",
        ),
        *("luck", "worst", "worst_value", "gap", "mean", "spread", "rest", "number", "bits", "cost", "exact"),
    }
)
"""Fields that hold numbers; elsewhere 12.4 may be a code with a blank."""

OPEN = frozenset({"error", "why", "reason", "msg", "split", "strerror", "describe", "code_in_words"})
"""Fields that may hold what another program says, or names of colors: a sentence is translated around them."""

FOREIGN = frozenset({"msg"})
"""Fields that hold what Python says, which a student finds under these words elsewhere too: never translated."""

CHOSEN = re.compile(r"\{(\w+)(?:\|([^{}|]*)\|([^{}|]*))?\}")
"""A field of a translation; with two words after it, the one for its number stands there instead."""

_DECIMALS = re.compile(r"(?<![\w.])\d*\.\d+(?!(?!e[-+]\d)[\w.])")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_SIGN = re.compile(r"[%±≈=≥≤+−]")
_PROSE = re.compile(r"[a-z]{2,} [a-z]{2,}")
_SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Names of files may have spaces."""
_LEFT = re.compile(r"[a-z]{2,}")
_BEGINNING = re.compile(r"\s*(?:[,;:]\s+)?")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_AND_BRACKETS = re.compile(r"(.*\S) \(([^()]*)\)", re.DOTALL)
COLON = "\u00a0: "
_PLAYER = re.compile(r"[a-z][\w:,=/-]+")
"""A name, behind which brackets hold what it loses."""
_STARTS = {",": ", ", ";": "\u202f; ", ":": COLON}
BARE = (" et ", " ou ")
_DIVIDERS = (
    (". ", re.compile(r"(?<=[.!?]) (?=\S)"), " "),
    ("? ", re.compile(r"(?<=[.!?]) (?=\S)"), " "),
    ("; and ", re.compile(r"; and "), "\u202f; et "),
    ("; ", re.compile(r"; "), "\u202f; "),
    (": ", re.compile(r": "), COLON),
    (", ", re.compile(r", "), ", "),
    (" and ", re.compile(r" and "), BARE[0]),
    (" or ", re.compile(r" or "), BARE[1]),
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
        count = Counter(word for template in templates for word in template.words)
        self._by_word: dict[str, list[Template]] = {}
        for template in templates:
            rarest = min(template.words, key=lambda word: (count[word], -len(word), word), default="")
            self._by_word.setdefault(rarest, []).append(template)
        self._kept = lru_cache(maxsize=REMEMBERED)(self._translated)

    def translate(self, sentence: str, context: str = "") -> str:
        """Return a sentence, or a word that is for the field `context`, in the language; as it is where none fits."""
        return sentence if len(sentence) > LONGEST else self._kept(sentence, context or ANYWHERE)

    def _translated(self, sentence: str, context: str) -> str:
        found = _SentenceReader(self).find(sentence, context)
        if found is None and sentence[:1].isupper() and sentence[1:2].islower():
            # A caption that has the capital of a sentence.
            other = self.translate(f"{sentence[0].lower()}{sentence[1:]}", context)
            return f"{other[0].upper()}{other[1:]}"
        return sentence if found is None else found.text

    def candidates(self, text: str, context: str) -> list[Template]:
        """Return the templates of which a text has all words, those with the most letters first."""
        words = set(WORD.findall(text))
        found = [
            template
            for word in words
            for template in self._by_word.get(word, ())
            if template.words <= words and (not template.context or context in {template.context, ANYWHERE})
        ]
        return sorted(found, key=lambda each: (each.context != context, -each.weight, each.text))


class _SentenceReader:
    """Reads one sentence: what was found for its parts is kept, and how much is tried has an end."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._found: dict[tuple[str, str], Translation | None] = {}
        self._left, self._depth, self._work = MOST_TRIES, 0, TemplateWork(MOST_STEPS)

    def find(self, text: str, context: str = "") -> Translation | None:
        """Return the translation of a text that stands in a field of that name; None where there is none."""
        if (text, context) not in self._found:
            if not self._left or self._depth == DEEPEST:
                return None
            self._left -= 1
            self._depth += 1
            self._found[text, context] = self._find(text, context)
            self._depth -= 1
        return self._found[text, context]

    def _find(self, text: str, context: str) -> Translation | None:
        start, bare = text[: _BEGINNING.match(text).end()], text.strip()  # type: ignore[union-attr] # fits any text
        bare, end = bare.removeprefix(start.strip()).strip(), text[len(text.rstrip()) :]
        if not bare or NUMBER.fullmatch(bare):
            return None
        found = self._best(*_pointed(bare), context)
        if found is None:
            return None
        return found._replace(text=f"{_STARTS[start.strip()] if start.strip() else start}{found.text}{end}")

    def _best(self, text: str, point: str, context: str) -> Translation | None:
        # By a template, or divided; else, since quotes may hold anything, by a template that looks into them.
        hidden, quotes = masked(text)
        found = self._fitted(hidden, quotes, context)
        if found is None or not found.is_sure:
            divided = self._divided(hidden, quotes, context)
            found = found if divided is None else divided.or_better(found)
        if found is None and quotes:
            found = self._fitted(text, [], context)
        if found is None or not point:
            return found
        start = found.text[:1].upper() if text[:1].isupper() else found.text[:1]
        return found._replace(text=f"{start}{found.text[1:]}{point}")

    def _fitted(self, text: str, quotes: list[str], context: str) -> Translation | None:
        # By the templates, those with the most letters first.
        best: Translation | None = None
        letters = sum(map(len, WORD.findall(text)))
        for template in self._catalogue.candidates(text, context):
            for reading in template.readings(text, self._work):
                values = {name: unmasked(value, quotes) for name, value in reading.items()}
                found = self._filled(template, values)
                best = found if best is None else best.or_better(found)
                if found is not None and not found.left and 2 * template.weight >= letters:
                    return found._replace(deep=min(found.deep, 1))  # most of the sentence is the template's own
                if best is not None and best.is_sure:
                    return best
        return best

    def _filled(self, template: Template, values: dict[str, str]) -> Translation | None:
        # None where a field holds prose that has no translation: then the template fits by accident.
        shown = {}
        for name, kind in template.kinds.items():
            value = self._value(name.rstrip("0123456789"), kind, values[name])
            if value is None:
                return None
            shown[name] = value
        form = template.forms[-1 if _is_many(values.get("n", "1")) else 0]

        def chosen(field: re.Match[str]) -> str:
            name, one, many = field.groups()
            return shown[name].text if one is None else many if _is_many(values[name]) else one

        deep = 1 + max((value.deep for value in shown.values()), default=0)
        left = sum(value.left for value in shown.values())
        doubtful = sum(value.left for name, value in shown.items() if name.rstrip("0123456789") not in VERBATIM)
        if doubtful and template.weight <= FEW_LETTERS and any(map(_is_prose, values.values())):
            return None  # «list index out of range» is no «{name} of {kinds}»
        return Translation(CHOSEN.sub(chosen, form), left, deep)

    def _value(self, name: str, kind: str, value: str) -> Translation | None:
        if kind == ":n":
            return Translation(french_number(value))
        if kind == "!r" and (value == STANDARD_INPUT or value.endswith((" characters)", " digits"))):  # in words
            return self._fitted(value, [], "") or Translation(value)
        if kind == "!r" or name in VERBATIM:
            kept = masked(value)[0]
            is_prose = _SENTENCE.search(kept) or kept.endswith(":")  # a name leads no sentence
            return None if is_prose else Translation(value, len(_LEFT.findall(kept)))
        if name in FOREIGN:
            return Translation(value, len(_LEFT.findall(masked(value)[0])))
        found = self.find(value, name)
        if found is not None:
            return found
        return None if _is_prose(value) and name not in OPEN else _untranslated(value, is_number=name in NUMBERS)

    def _divided(self, hidden: str, quotes: list[str], context: str) -> Translation | None:
        best = self._with_brackets(hidden, quotes)
        hidden, quotes = masked(hidden, _IN_BRACKETS, quotes)
        for mark, divider, written in _DIVIDERS:
            pieces = [unmasked(piece, quotes) for piece in divider.split(hidden)] if mark in hidden else []
            if len(pieces) > 1:
                found = self._led(pieces) if written == COLON else self._listed(pieces, written, context)
                best = found if best is None else best.or_better(found)
                if best is not None and best.is_sure:
                    break
        return best

    def _with_brackets(self, hidden: str, quotes: list[str]) -> Translation | None:
        # A sentence in brackets; or something, and what stands in brackets behind it: one of the two has a translation.
        if _IN_BRACKETS.fullmatch(hidden):
            inner = self.find(unmasked(hidden[1:-1], quotes))
            return None if inner is None else inner._replace(text=f"({inner.text})", deep=inner.deep + 1)
        match = _AND_BRACKETS.fullmatch(hidden)
        if match is None:
            return None
        pieces = [unmasked(piece, quotes) for piece in match.groups()]
        if _PLAYER.fullmatch(pieces[0]) and (loss := french_decimals(pieces[1])) != pieces[1]:
            return Translation(f"{pieces[0]} ({loss})")
        found = [self.find(pieces[0]), self.find(pieces[1], IN_BRACKETS)]
        if not any(found) or any(each is None and _is_prose(one) for each, one in zip(found, pieces, strict=True)):
            return None
        joined = _joined([each or _untranslated(piece) for each, piece in zip(found, pieces, strict=True)], " (")
        return joined._replace(text=f"{joined.text})", deep=joined.deep + 1)

    def _listed(self, pieces: list[str], written: str, context: str) -> Translation | None:
        # Sentences each for itself; of other lists all have a translation or are no prose; by «and» and «or» only names
        # and numbers of things are listed.
        found = [self.find(piece, IN_BRACKETS if context == IN_BRACKETS else "") for piece in pieces]
        if any(map(_is_prose, pieces)) if written in BARE else not any(found):
            return None
        if written != " " and any(each is None and _is_prose(one) for each, one in zip(found, pieces, strict=True)):
            return None
        return _joined([each or _untranslated(piece) for each, piece in zip(found, pieces, strict=True)], written)

    def _led(self, pieces: list[str]) -> Translation | None:
        # Something, a colon, and what is said of it, at the first colon after which all has a translation.
        for place in range(1, min(len(pieces), MOST_COLONS)):
            said = self.find(": ".join(pieces[place:]))
            if said is not None:
                start = ": ".join(pieces[:place])
                led = _joined([self.find(start) or _untranslated(start), said], COLON)
                return led._replace(deep=led.deep + 2)  # a sentence with a colon of its own is better
        return None


def _joined(pieces: list[Translation], written: str) -> Translation:
    text = written.join(piece.text for piece in pieces)
    return Translation(text, sum(piece.left for piece in pieces), max(piece.deep for piece in pieces))


def _untranslated(text: str, *, is_number: bool = False) -> Translation:
    shown = french_decimals(text) if is_number or _SIGN.search(text) else text
    return Translation(shown, len(_LEFT.findall(masked(text)[0])))


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
    return _PROSE.search(masked(text)[0]) is not None


def _is_many(text: str) -> bool:
    # In French 0 and 1, and what lies between 1 and 2, are one.
    number = re.search(r"\d[\d,]*(?:\.\d+)?|\.\d+", text)
    return number is None or "^" in text or float(number[0].replace(",", "")) >= 2


def french_number(text: str) -> str:
    r"""Write a number as in French: a narrow space between thousands, a comma before decimals.

    >>> french_number("1,296"), french_number("4.34"), french_number("about 10^26"), french_number("43%")
    ('1\u202f296', '4,34', 'environ 10^26', '43\u202f%')
    """
    text = _comma(text.replace(",", "\u202f")).replace("about ", "environ ")
    return text.replace("%", "\u202f%")


def french_decimals(text: str) -> str:
    r"""Write numbers with decimals or thousands as in French where nothing else stands beside them; other texts stay.

    >>> french_decimals("= 4.34 ± .02"), french_decimals("4x6/limit=12"), french_decimals("words.txt")
    ('= 4,34 ± 0,02', '4x6/limit=12', 'words.txt')
    >>> french_decimals("1,296"), french_decimals("1,0")
    ('1\u202f296', '1,0')
    >>> french_decimals("9.5e-25%"), french_decimals("1,296 → ?")
    ('9,5e-25\u202f%', '1\u202f296 → ?')
    """
    if not re.fullmatch(r"(?:[-−+±=≈≥≤<→?.,%\d\s/()]|(?<=\d)e[-+]\d)*", text):
        return text
    text = _THOUSANDS.sub(lambda found: found[0].replace(",", "\u202f"), text)
    text = re.sub(r"(?<=\d)%", "\u202f%", text)
    return _DECIMALS.sub(lambda found: _comma(found[0]), text)


def _comma(text: str) -> str:
    return re.sub(r"(?<!\d)\.(?=\d)", "0,", text).replace(".", ",")
