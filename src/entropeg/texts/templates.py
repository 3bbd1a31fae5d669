"""Templates of sentences: which text fits one, and what its fields hold then.

Whoever types can make a sentence look like any template. So texts are searched for the pieces between fields one after
the other, with what failed remembered and the steps counted; a pattern might take for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

FIELD = re.compile(r"\{(\w+)(!r|:n)?\}")
NUMBER = re.compile(r"[≈≥≤=]? ?[-−+±]?(?:about 10\^\d+|\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?%?")
WORD = re.compile(r"[^\W\d_]+")

_QUOTE = re.compile(r"(?<!\w)(?:'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\")(?!\w)")
_MARK = re.compile("\ue000(\\d+)\ue001")
_QUOTED = re.compile(r"(?:\ue000\d+\ue001|'[^']*'|\"[^\"]*\")(?:\.\.\. \([\d,]+ characters\))?")
_VALUE = re.compile(r"[\[({].*[\])}](?:\.\.\.)?|[^\ue000]*", re.DOTALL)
_OWN_QUOTE = "quote"
"""Kind of a field that stands for a quote of the template itself."""


def masked(text: str, what: re.Pattern[str] = _QUOTE, quotes: Sequence[str] = ()) -> tuple[str, list[str]]:
    """Return a text with marks in place of its quotes, or of what else is to be left alone, and what they stand for.

    >>> text, quotes = masked("peg 1 is 'x'")
    >>> quotes, unmasked(text, quotes)
    (["'x'"], "peg 1 is 'x'")
    """
    kept = list(quotes)
    if what is _QUOTE and "'" not in text and '"' not in text:
        return text, kept

    def keep(found: re.Match[str]) -> str:
        kept.append(unmasked(found[0], kept))
        return f"\ue000{len(kept) - 1}\ue001"

    return what.sub(keep, text), kept


def unmasked(text: str, quotes: Sequence[str]) -> str:
    """Put back what marks stand for."""
    return _MARK.sub(lambda found: quotes[int(found[1])], text) if quotes else text


class TemplateWork:
    """How many steps may still be made."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def step(self) -> bool:
        """Make a step; False where none is left."""
        self.left -= 1
        return self.left >= 0


class Gap(NamedTuple):
    """A field with its kind (`!r`, `:n`, nothing), and what follows it up to the next one."""

    name: str
    kind: str
    after: str


@dataclass(frozen=True)
class Template:
    """A template, its translations (one, or for one and for many), and the field that it is for, if it is a word.

    >>> list(Template("{row} has {pegs:n} pegs", ()).readings("row 2 has 3 pegs", TemplateWork(100)))
    [{'row': 'row 2', 'pegs': '3'}]
    """

    text: str
    forms: tuple[str, ...]
    context: str = ""

    def readings(self, text: str, work: TemplateWork) -> Iterator[dict[str, str]]:
        """What the fields hold, first as short as they can be, then as long; none where a text does not fit."""
        if not text.startswith(self._start) or not text.endswith(self._end):
            return
        first = _Fit(self._gaps, text, work).found(len(self._start))
        if first is None:
            return
        yield first
        if len(self._gaps) > 1:
            other = _Fit(self._gaps, text, work, longest=True).found(len(self._start))
            if other is not None and other != first:
                yield other

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Its fields, each with `!r`, `:n` or nothing."""
        return {field[1]: field[2] or "" for field in FIELD.finditer(self.text)}

    @cached_property
    def words(self) -> frozenset[str]:
        """Its own words, without those that it quotes."""
        return frozenset(self._words)

    @cached_property
    def weight(self) -> int:
        """Number of its own letters."""
        return sum(map(len, self._words))

    @cached_property
    def _words(self) -> list[str]:
        return WORD.findall(_QUOTE.sub("\0", FIELD.sub("\0", self.text)))

    @cached_property
    def _pieces(self) -> list[str]:
        # Literal, name, kind, literal, name, kind, ..., literal; a quote of its own is a field without a name.
        pieces = FIELD.split(self.text)
        found = [""]
        for place in range(0, len(pieces), 3):
            first, *others = _QUOTE.split(pieces[place].replace("{{", "{").replace("}}", "}"))
            found[-1] += first
            for other in others:
                found += ["", _OWN_QUOTE, other]
            if place + 1 < len(pieces):
                found += [pieces[place + 1], pieces[place + 2] or "", ""]
        return found

    @cached_property
    def _start(self) -> str:
        return self._pieces[0]

    @cached_property
    def _end(self) -> str:
        return self._pieces[-1]

    @cached_property
    def _gaps(self) -> list[Gap]:
        pieces = self._pieces
        return [Gap(*pieces[place : place + 3]) for place in range(1, len(pieces), 3)]


class _Fit:
    """Fits the gaps of a template to a text, each as short as it can be, or as long."""

    def __init__(self, gaps: Sequence[Gap], text: str, work: TemplateWork, *, longest: bool = False) -> None:
        self._gaps, self._text, self._work, self._longest = gaps, text, work, longest
        self._failed: set[tuple[int, int]] = set()

    def found(self, begin: int, place: int = 0) -> dict[str, str] | None:
        """What the gaps from a place on hold, where the text is read from `begin` on."""
        if place == len(self._gaps):
            return {} if begin == len(self._text) else None
        if (place, begin) in self._failed:
            return None
        gap = self._gaps[place]
        for end in self._ends(place, begin):
            if not self._work.step():
                return None
            value = self._text[begin:end]
            if not _is_kind(value, gap.kind):
                continue
            rest = self.found(end + len(gap.after), place + 1)
            if rest is not None and (not gap.name or rest.get(gap.name, value) == value):
                return {gap.name: value, **rest} if gap.name else rest
        self._failed.add((place, begin))
        return None

    def _ends(self, place: int, begin: int) -> Iterator[int]:
        # Where a gap may end: before what follows it.
        text, after = self._text, self._gaps[place].after
        if place == len(self._gaps) - 1:
            if begin <= len(text) - len(after) and text.endswith(after):
                yield len(text) - len(after)
        elif not after:
            yield from self._bare_ends(place, begin)
        elif self._longest:
            end = text.rfind(after, begin)
            while end >= 0:
                yield end
                end = text.rfind(after, begin, end + len(after) - 1)
        else:
            end = text.find(after, begin)
            while end >= 0:
                yield end
                end = text.find(after, end + 1)

    def _bare_ends(self, place: int, begin: int) -> Iterator[int]:
        # Where a gap may end that another one follows at once: one of the two is a number, or one of them is empty.
        text = self._text
        number = NUMBER.match(text, begin)
        if self._gaps[place].kind == ":n":
            yield from () if number is None else (number.end(),)
        elif self._gaps[place + 1].kind == ":n":
            yield from (each.start() for each in NUMBER.finditer(text, begin))
        else:
            yield from (len(text), begin) if self._longest else (begin, len(text))


def _is_kind(value: str, kind: str) -> bool:
    if not kind:
        return True
    if kind == ":n":
        return NUMBER.fullmatch(value) is not None
    if kind == _OWN_QUOTE:
        return _QUOTED.fullmatch(value) is not None
    return _QUOTED.fullmatch(value) is not None or _VALUE.fullmatch(value) is not None
