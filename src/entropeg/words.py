"""Word lists as secrets: reading a file of words, one a line, and saying exactly where it is wrong.

A word is a code whose colors are its letters. The letters that occur, in the order of their code points, are the
colors, so that the words in alphabetical order are the codes in lexicographic order.

Two lists come with the package. They were written for it and are under its license. Two others, `probes=english` and
`probes=french`, hold further words to guess: those of five letters of SCOWL and of the spelling dictionary of
Dicollecte, whose licenses stand beside them.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple, TypeAlias

from entropeg import arguments
from entropeg.alphabet import fold_text, is_kept
from entropeg.errors import InputError
from entropeg.files import read_text, shown
from entropeg.told import Joined, Template, Told, plural

Word: TypeAlias = tuple[int, ...]

SHIPPED = {"english": Told("English words"), "french": Told("French words with accents")}
"""The lists that come with the package, by the names that stand in the place of a file's."""

GUESSED = {"english": "english-guesses", "french": "french-guesses"}
"""Lists of further words to guess, by the names that stand in the place of a file's, and the names of their files."""

USUAL_PEGS = 5
"""The length of words that is played from these lists where none is given."""


class WordLine(NamedTuple):
    """One word of a file."""

    number: int
    """Line of the file, from 1."""
    text: str
    """As it is written there."""
    word: str
    """As it is played: composed (NFC), and folded where that was asked for."""

    def __str__(self) -> str:
        return Told("line {number} ({text!r})", self.number, self.text)


@dataclass(frozen=True)
class WordList:
    """The words that may be secrets, and those that may be guessed besides; immutable, equal by content.

    `words` and `probes` are in alphabetical order; `probes` holds only words that are not in `words`. `source` and
    `probe_source` are the names of the files. `fold` says that case and accents do not count; `free` that a guess may
    be any sequence of the letters. `left_out` is the number of words of other lengths, `unfit` that of words of this
    length with capitals or with what is no letter, or that come twice.

    >>> words = WordList.of(["bat", "cat", "act"])
    >>> words.words, words.letters, words.codes
    (('act', 'bat', 'cat'), ('a', 'b', 'c', 't'), ((0, 2, 3), (1, 0, 3), (2, 0, 3)))
    """

    words: tuple[str, ...] = field(repr=False, compare=False)
    probes: tuple[str, ...] = field(default=(), repr=False, compare=False)
    source: str = field(default="", compare=False)
    probe_source: str = field(default="", compare=False)
    fold: bool = False
    free: bool = False
    fixed_length: bool = field(default=False, compare=False)
    left_out: int = field(default=0, compare=False)
    unfit: int = field(default=0, compare=False)
    digest: str = field(init=False)
    """The SHA-256 of the words, which stands for them where lists are compared."""

    def __post_init__(self) -> None:
        """Sum the words up; raises InputError where they are none."""
        for name in ("words", "probes"):
            words = getattr(self, name)
            if not (isinstance(words, tuple) and {str}.issuperset(map(type, words))):
                raise InputError("the {name} are {words!r}; WordList.of makes a list of them", name, words)
        if not self.words:
            raise InputError("a word list without words has no secret: WordList.of makes one of some words")
        content = "\n".join([*self.words, "", *self.probes])
        object.__setattr__(self, "digest", sha256(content.encode()).hexdigest())

    @classmethod
    def of(
        cls, words: Iterable[str], *, probes: Iterable[str] = (), fold: bool = False, free: bool = False
    ) -> WordList:
        """Make a list of given words; the errors are those of `read`, with the place in the sequence as line."""
        fold, free = arguments.flag(fold, "fold"), arguments.flag(free, "free")
        lines = _lines(_texts(words, Told("the words")), fold=fold)
        extra = _lines(_texts(probes, Told("the probes")), fold=fold)
        return _checked(lines, extra, Told("the word list"), Told("the probes"), None, fold=fold, free=free)

    @classmethod
    def read(
        cls, path: str, *, probes: str = "", pegs: int | None = None, fold: bool = False, free: bool = False
    ) -> WordList:
        """Read UTF-8 files of one word a line, or a list of the package by its name; empty lines are skipped.

        `pegs` keeps the words that fit: of that length, of letters only, each once and, unless case does not count or
        all words have some, without capitals; how many others there are is counted. Without it every word must fit and
        all have one length; a list of the package then gives its words of `USUAL_PEGS`. Raises InputError where a file
        cannot be read or no word is left; without `pegs` also where lengths differ, a word comes twice (after folding,
        where that is asked for) or contains a character that codes are separated by: with the line, the word and what
        to change.
        """
        path, probes = arguments.text(path, "the word list"), arguments.text(probes, "the file of probes")
        pegs = arguments.some(pegs, "the number of pegs", least=1)
        fold, free = arguments.flag(fold, "fold"), arguments.flag(free, "free")
        if probes and free:
            raise InputError(
                "probes are further words to guess, and with free-guesses anything may be guessed: leave one out"
            )
        if path in SHIPPED and pegs is None:
            pegs = USUAL_PEGS
        lines = _lines(_read_lines(path), fold=fold)
        further = shipped_words(GUESSED[probes]) if probes in GUESSED else _read_lines(probes) if probes else []
        extra = _lines(further, fold=fold)
        if probes and not extra:
            raise InputError("{probes} has no word: write one on each line, or leave the probes out", probes)
        return _checked(lines, extra, path, probes, pegs, fold=fold, free=free)

    @property
    def pegs(self) -> int:
        """Length of the words."""
        return len(self.words[0])

    @cached_property
    def letters(self) -> tuple[str, ...]:
        """The letters that occur, in the order of their code points: the colors."""
        return tuple(sorted({letter for word in (*self.words, *self.probes) for letter in word}))

    @cached_property
    def codes(self) -> tuple[Word, ...]:
        """The words as codes, in order: the secrets."""
        return self._as_codes(self.words)

    @cached_property
    def guess_codes(self) -> tuple[Word, ...]:
        """The words and probes as codes, in order: the guesses, where they are not free."""
        return self._as_codes(sorted({*self.words, *self.probes})) if self.probes else self.codes

    def _as_codes(self, words: Sequence[str]) -> tuple[Word, ...]:
        place = {letter: color for color, letter in enumerate(self.letters)}
        return tuple(tuple(place[letter] for letter in word) for word in words)

    @property
    def guess_count(self) -> int:
        """How many guesses there are, where they are not free."""
        return len(self.words) + len(self.probes)

    @cached_property
    def _secrets(self) -> frozenset[Word]:
        return frozenset(self.codes)

    @cached_property
    def _guesses(self) -> frozenset[Word]:
        return frozenset(self.guess_codes)

    def allows(self, code: Word, *, secret: bool) -> bool:
        """Tell whether a code of the right length and letters may be a secret, or a guess."""
        if secret:
            return code in self._secrets
        return self.free or code in self._guesses

    def fault(self, code: Word, *, secret: bool) -> str:
        """Say that a code is not in the list, with the nearest words that are."""
        word = "".join(self.letters[color] for color in code)
        known = self.words if secret else (*self.words, *self.probes)
        near = get_close_matches(word, known, n=3, cutoff=0.6)
        fault = (
            Told("{word!r} is not in {words}, whose words alone secrets are allowed", word, self.name)
            if secret
            else Told("{word!r} is not in {words}, whose words alone guesses are allowed", word, self.name)
        )
        return Told("{fault}: {hint}", fault, Told("did you mean {near:or}?", near)) if near else fault

    @property
    def name(self) -> str:
        """The name of the list in messages."""
        return self.source or Told("the word list")

    def describe(self) -> str:
        """Say in one line what the list is.

        >>> WordList.of(["bat", "cat"]).describe()
        'words of 3 letters from the word list, each guess a word'
        """
        guesses = Told("a word or one of {probes:,} probes", len(self.probes)) if self.probes else Told("a word")
        guesses = Told("any letters") if self.free else guesses
        letters, others = plural(self.pegs, "{n} letter", "{n} letters"), self.describe_others()
        said = Told("words of {letters} from {words}, each guess {guesses}", letters, shown(self.name), guesses)
        return Joined([said, " (", others, ")"]) if others else said

    def describe_others(self) -> str:
        """Say how many words of the file are not played, and that case counts where it may not be meant to.

        Empty where there is nothing to say, and for the lists of the package.

        >>> WordList.of(["ant", "Ann"]).describe_others()
        'without /fold A and a are two letters'
        """
        if self.source in SHIPPED:
            return ""
        said, others = list[Told](), plural(self.left_out, "{n} word", "{n} words")
        if self.left_out and self.unfit:
            left_out = Template("{others} of other lengths and {unfit:,} with capitals or signs, or repeated, left out")
            said.append(Told(left_out, others, self.unfit))
        elif self.left_out:
            said.append(Told("{others} of other lengths left out", others))
        elif self.unfit:
            said.append(Told("{unfit:,} with capitals or signs, or repeated, left out", self.unfit))
        twice = [letter for letter in self.letters if letter.lower() != letter and letter.lower() in self.letters]
        said += (
            [Told("without /fold {capital} and {small} are two letters", twice[0], twice[0].lower())] if twice else []
        )
        return Joined(said, Told("; "))

    @property
    def options(self) -> list[str]:
        """The list as `Rules.parse` reads it: `words:FILE` and its options; `read` makes it from the same files."""
        options = [f"words:{self.source}"]
        options += ["fold"] if self.fold else []
        options += ["free-guesses"] if self.free else []
        options += [f"pegs={self.pegs}"] if self.fixed_length else []
        return options + ([f"probes={self.probe_source}"] if self.probe_source else [])


def shipped_words(name: str) -> list[str]:
    """Return all words of a list that comes with the package, in its order.

    >>> len(shipped_words("english")) > 1000
    True
    """
    return (files("entropeg") / "data" / "words" / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]


def _read_lines(path: str) -> Iterator[str]:
    if path in SHIPPED:
        return iter(shipped_words(path))
    try:
        return iter(read_text(path).split("\n"))
    except InputError as error:
        if "is not UTF-8" in str(error):
            raise InputError("the word list {error}; convert it, as with iconv -f latin1 -t utf8", error) from None
        raise InputError("the word list {error}", error) from None


def _texts(words: Iterable[str], name: str) -> list[str]:
    listed = arguments.items(words, name, '["act", "bat"]')
    for number, word in enumerate(listed, start=1):
        if not isinstance(word, str):
            raise InputError("number {number} of {name} is {given!r}; it must be text", number, name, word)
    return listed


def _lines(texts: Iterable[str], *, fold: bool) -> list[WordLine]:
    lines = []
    for number, text in enumerate(texts, start=1):
        plain = unicodedata.normalize("NFC", text.strip())
        if plain:
            lines.append(WordLine(number, plain, fold_text(plain) if fold else plain))
    return lines


def _checked(
    lines: list[WordLine], extra: list[WordLine], source: str, probes: str, pegs: int | None, *, fold: bool, free: bool
) -> WordList:
    if not lines:
        raise InputError("{file} has no word: write one on each line", source)
    length = _common_length(lines, source) if pegs is None else pegs
    right = _of_length(lines, length, source)
    further = _of_length(extra, length, probes) if extra else []
    kept, more = right, further
    if pegs is not None:
        kept = _fitting(right, source, fold=fold)
        more = _fitting(further, probes, fold=fold) if extra else []
    if pegs is None and len(further) < len(extra):
        wrong = next(line for line in extra if len(line.word) != length)
        raise InputError(
            "{probes}, {line} has {letters} letters, and the words of {file} {length}: give the "
            "length, as /pegs={length}, to leave out all others",
            *(probes, wrong, len(wrong.word), source, length),
        )
    for some, name in ((kept, source), (more, probes)):
        _check_letters(some, name)
        _check_once(some, name, fold=fold)
    words = {line.word for line in kept}
    return WordList(
        words=tuple(sorted(words)),
        probes=tuple(sorted({line.word for line in more} - words)),
        source=source,
        probe_source=probes if extra else "",
        fold=fold,
        free=free,
        fixed_length=pegs is not None,
        left_out=len(lines) + len(extra) - len(right) - len(further),
        unfit=len(right) + len(further) - len(kept) - len(more),
    )


def _common_length(lines: list[WordLine], source: str) -> int:
    first = lines[0]
    other = next((line for line in lines if len(line.word) != len(first.word)), None)
    if other is None:
        return len(first.word)
    usual = Counter(len(line.word) for line in lines).most_common(1)[0][0]
    raise InputError(
        "{file}, {line} has {letters} letters, and {first} {others}: give the length to keep, as "
        "/pegs={usual}; the words of other lengths are then left out",
        *(source, other, len(other.word), first, len(first.word), usual),
    )


def _of_length(lines: list[WordLine], length: int, source: str) -> list[WordLine]:
    kept = [line for line in lines if len(line.word) == length]
    if not kept:
        lengths = sorted({len(line.word) for line in lines})
        raise InputError(
            "{file} has no word of {length} letters: its words have {lengths:list}", source, length, lengths
        )
    return kept


def _fitting(lines: list[WordLine], source: str, *, fold: bool) -> list[WordLine]:
    # The words of a system's dictionary that can be played: names and abbreviations have capitals.
    letters = [line for line in lines if line.word.isalpha()]
    small = [line for line in letters if line.word == line.word.lower()]
    kept = {line.word: line for line in reversed(small if small and not fold else letters)}
    if not kept:
        raise InputError("{file} has no word of letters only among its {lines} of this length", source, len(lines))
    return list(kept.values())


def _check_letters(lines: list[WordLine], source: str) -> None:
    for line in lines:
        for place, letter in enumerate(line.word, start=1):
            if is_kept(letter):
                raise InputError(
                    "{file}, {line}: letter {place} is {letter!r}, which is kept for blanks and "
                    "separators: write one word of letters a line, or give the length, as /pegs={length}, to "
                    "leave it out",
                    *(source, line, place, letter, len(line.word)),
                )


def _check_once(lines: list[WordLine], source: str, *, fold: bool) -> None:
    seen: dict[str, WordLine] = {}
    for line in lines:
        earlier = seen.setdefault(line.word, line)
        if earlier is not line:
            if fold:
                raise InputError(
                    "{file}, {line} is the same word as {earlier}, {word!r} without case and accents: leave one of "
                    "them out, or give the length, as /pegs={length}",
                    *(source, line, earlier, line.word, len(line.word)),
                )
            raise InputError(
                "{file}, {line} is the same word as {earlier}: leave one of them out, or give the length, as "
                "/pegs={length}",
                *(source, line, earlier, len(line.word)),
            )
