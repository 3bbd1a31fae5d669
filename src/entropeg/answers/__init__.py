"""Games that are a table of answers: secrets, questions, and the answer of each question for each secret.

A table stands where a word list stands in the rules: it says which codes there are. A code is the number of a row in
base `BASE`, so that kernels, which hold codes in bytes, take it as it is. Rows are the secrets first, whose questions
are their names, then all other questions. A kind of one's own makes a table too, in which codes are those of its board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import islice, pairwise, product
from math import isnan
from typing import Any, TypeAlias
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments, sizes
from entropeg.answers.automorphisms import MOST_CELLS, Symmetries, joined
from entropeg.answers.shelf import KeptTable, kept_table
from entropeg.errors import InputError, TooLargeError
from entropeg.files import shown
from entropeg.told import Told, plural
from entropeg.words import Word, WordList

MOST_SECRETS = 5_000
MOST_QUESTIONS = 50_000
MOST_ANSWERS = 253
"""Different answers, beside the two to the name of a secret: labels of the exact search are bytes."""
BASE = 255
"""Digits of a row's number: the exact search writes them in bytes, and keeps 255 for none."""
TABLES = "table:"
"""How the text of rules that are a table begins."""

Labels: TypeAlias = NDArray[np.unsignedinteger[Any]]
Places: TypeAlias = NDArray[np.int32]

_KNOWN: WeakValueDictionary[str, LabelTable] = WeakValueDictionary()


class LabelTable:
    """The labels of all guesses against all secrets, `[guesses, secrets]`, as kernels look them up.

    `answers` names the labels; the last one is a win. The number by which kernels know a table is made of its digest:
    pickled, and read by another process, it means the same table there, or none. One object stands for equal tables.
    """

    def __init__(
        self, labels: Labels, answers: tuple[str, ...], base: int, places: tuple[Places, Places] | None
    ) -> None:
        """Take the rows and columns of codes by their numbers in `base`; without `places` these are the numbers."""
        self.labels, self.answers, self.base, self.places = labels, answers, base, places
        labels.flags.writeable = False
        content = sha256("\n".join([str(base), str(labels.shape), str(labels.dtype), *answers]).encode())
        for part in (labels, *(places or ())):
            content.update(np.ascontiguousarray(part).data)
        self.digest = content.hexdigest()
        self.kind = sizes.TABLE + sizes.KINDS * int(self.digest[:14], 16)
        self.texts: tuple[Sequence[Sequence[Any]], Sequence[Sequence[Any]]] | None = None
        """How guesses, and secrets, are written: where `orbits` look for symmetries."""
        self._orbits: dict[frozenset[int], NDArray[np.int64]] = {}

    @classmethod
    def of(cls, labels: Labels, answers: tuple[str, ...], base: int, places: Any = None) -> LabelTable:
        """Make a table, or return the one of this process that is equal."""
        made = cls(labels, answers, base, places)
        known = _KNOWN.setdefault(made.digest, made)
        sizes.TABLES[known.kind] = known
        return known

    def numbered(self, base: int, place: Places) -> LabelTable:
        """The same table, whose rows and columns are those of codes by their numbers in another base."""
        other = LabelTable.of(self.labels, self.answers, base, (place, place))
        vars(other).update(texts=self.texts, _exchanged=self._exchanged)
        return other

    def __reduce__(self) -> tuple[object, tuple[Any, ...]]:
        """Pickle the parts: the table is known where it is read."""
        return LabelTable.of, (self.labels, self.answers, self.base, self.places)

    def at(self, planes: Any, *, secret: bool) -> NDArray[np.int64]:
        """The rows, or with `secret` the columns, of codes given as planes `[pegs, n]`."""
        number = np.zeros(planes.shape[1], np.int64)
        for plane in planes:
            number = number * self.base + plane
        return number if self.places is None else self.places[secret][number].astype(np.int64)

    def pairs(self, guesses: Any, secrets: Any) -> Labels:
        """Labels of guesses against secrets, column by column of two arrays of planes."""
        found: Labels = self.labels[self.at(guesses, secret=False), self.at(secrets, secret=True)]
        return found

    def block(self, guesses: Any, secrets: Any) -> Labels:
        """Labels of guesses, codes one a row, against the columns of planes: all pairs."""
        rows, columns = self.at(guesses.T, secret=False), self.at(secrets, secret=True)
        # Rows, then columns: a third of the time of both at once.
        found: Labels = self.labels.take(rows, axis=0).take(columns, axis=1)
        return found

    def row(self, guess: Any, secrets: Any) -> Labels:
        """Labels of one guess against the columns of planes."""
        found: Labels = self.labels[int(self.at(guess[:, None], secret=False)[0])][self.at(secrets, secret=True)]
        return found

    def label(self, guess: Word, secret: Word) -> int:
        """The label of one guess against one secret."""
        return int(self.row(np.array(guess), np.array(secret)[:, None])[0])

    @cached_property
    def most_parts(self) -> int:
        """One more than the most answers of any guess, a win left out: no guess divides secrets into more parts."""
        most, win = 1, len(self.answers) - 1
        for row in self.labels:
            found = np.bincount(row, minlength=win + 1)
            most = max(most, int(np.count_nonzero(found[:win])))
        return most + 1

    @cached_property
    def orbits(self) -> NDArray[np.int64]:
        """A number for each row, the same for rows that a symmetry of the table takes to one another: `int64[rows]`.

        Looked for among exchanges of two places, and of two signs, in how codes are written (`texts`); an exchange
        counts where it takes each cell to an equal one, so what is written cannot mislead. Where not all exchanges do,
        symmetries are looked for in what the answers are (`automorphisms`), in tables of a bounded size and time.
        """
        return self.orbits_after(())

    @cached_property
    def _exchanged(self) -> dict[str, list[list[NDArray[np.int64]]]]:
        # Where exchanges of neighbors that are symmetries take each row: chains of them, for places and for signs.
        if self.texts is None:
            return {}
        asked, hidden = self.texts
        chains: dict[str, list[list[NDArray[np.int64]]]] = {}
        for kind, one, other in _exchanges(asked, hidden):
            rows = _images(asked, (kind, one, other))
            columns = rows if asked == hidden else _images(hidden, (kind, one, other))
            some = chains.setdefault(kind, [[]])
            if rows is None or columns is None:
                some.append([])
            elif np.array_equal(self.labels.take(rows, axis=0).take(columns, axis=1), self.labels):
                some[-1].append(rows)
            else:
                some.append([])
        return chains

    @cached_property
    def is_mutual(self) -> bool:
        """Whether each guess is a secret, and two codes have the same label whichever of them is the guess."""
        places = self.places
        is_square = places is not None and np.array_equal(*places)
        return is_square and np.array_equal(self.labels, self.labels.T)

    @cached_property
    def is_alike(self) -> bool:
        """Whether any two places of codes, and any two signs, may change places without changing an answer."""
        return set(self._exchanged) == {"places", "signs"} and all(len(some) == 1 for some in self._exchanged.values())

    @cached_property
    def _symmetries(self) -> list[NDArray[np.int64]]:
        # Where exchanges that are symmetries take each row, those of all pairs that they join.
        found = []
        for chain in (each for some in self._exchanged.values() for each in some):
            for at in range(len(chain)):  # (a b), then (a c) = (b c)(a b)(b c), and so on
                exchange = chain[at]
                found.append(exchange)
                for further in chain[at + 1 :]:
                    exchange = further[exchange[further]]
                    found.append(exchange)
        return found

    def orbits_after(self, played: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """The same as `orbits` after some rows were asked: by exchanges that leave each of these as it is."""
        kept = [rows for rows in self._symmetries if all(rows[row] == row for row in played)]
        if self._automorphisms is None:
            return joined(len(self.labels), kept)
        asked = frozenset(self._automorphisms.partition_of[played].tolist())
        if asked not in self._orbits:
            self._orbits[asked] = self._automorphisms.orbits(played, kept)
        return self._orbits[asked]

    @cached_property
    def _automorphisms(self) -> Symmetries | None:
        is_open = not self.is_alike and self.labels.size <= MOST_CELLS
        return Symmetries(self.labels, len(self.answers) - 1) if is_open else None

    @cached_property
    def _labels_by_name(self) -> dict[str, int]:
        names = {name.casefold(): label for label, name in enumerate(self.answers)}
        return {**names, **{name: label for label, name in enumerate(self.answers)}}

    def label_named(self, text: str) -> int | None:
        """The label of an answer as somebody writes it, None where there is none of the name."""
        return self._labels_by_name.get(text, self._labels_by_name.get(text.casefold()))


def _signs(texts: Sequence[str]) -> tuple[Word, ...]:
    # Texts as codes: each sign by its number among those of all.
    number = {sign: at for at, sign in enumerate(sorted({sign for text in texts for sign in text}))}
    return tuple(tuple(number[sign] for sign in text) for text in texts)


Exchange: TypeAlias = "tuple[str, Any, Any]"


def _exchanges(asked: Sequence[Sequence[Any]], hidden: Sequence[Sequence[Any]]) -> Iterator[Exchange]:
    # Exchanges of neighbors among the places, and among the signs, that differ; texts must have one length.
    lengths = {len(text) for text in (*asked, *hidden)}
    if len(lengths) != 1 or max(lengths) > 64:
        return
    signs = [sorted({text[at] for text in (*asked, *hidden)}) for at in range(max(lengths))]
    places = [at for at, some in enumerate(signs) if len(some) > 1]
    for one, other in pairwise(places):
        yield "places", one, other
    for one, other in pairwise(sorted({sign for at in places for sign in signs[at]})):
        yield "signs", one, other


def _images(texts: Sequence[Sequence[Any]], exchange: Exchange) -> NDArray[np.int64] | None:
    # Where an exchange takes each text, None where it takes one to none of them.
    kind, one, other = exchange
    place = {tuple(text): at for at, text in enumerate(texts)}
    moved = []
    for text in place:
        new = list(text)
        if kind == "places":
            new[one], new[other] = new[other], new[one]
        else:
            new = [other if sign == one else one if sign == other else sign for sign in new]
        moved.append(place.get(tuple(new), -1))
    return None if -1 in moved else np.array(moved)


def table_of_kind(rules: Any) -> LabelTable:
    """Ask the kind of the board of rules for the answer of every guess to every secret.

    Raises TooLargeError beyond the limits.
    """
    if rules.secret_count > MOST_SECRETS or rules.guess_count > MOST_QUESTIONS:
        raise TooLargeError(
            "{rules} has {secrets:,} secrets and {guesses:,} guesses; the answers of a kind of one's own make a table "
            "of {most:,} secrets and {others:,} guesses at most",
            *(rules, rules.secret_count, rules.guess_count, MOST_SECRETS, MOST_QUESTIONS),
        )
    base, pegs = rules.symbols_in_guesses, rules.pegs
    if base**pegs > 1 << 26:
        raise TooLargeError("{rules} has more codes than can be numbered", rules)
    asked, hidden = _codes_of(rules, as_guesses=True), _codes_of(rules, as_guesses=False)
    cells, names = _cells(asked, hidden, lambda guess, secret: rules.feedback.about.answer_to(guess, secret, rules))
    places = []
    for codes in (asked, hidden):
        place = np.full(base**pegs, -1, np.int32)
        place[np.array(codes, np.int64) @ base ** np.arange(pegs)[::-1]] = np.arange(len(codes))
        places.append(place)
    own = places[0][np.flatnonzero(places[1] >= 0)]  # rows of the guesses that are secrets, in the secrets' order
    table = _with_wins(cells, names, own, base, (places[0], places[1]))
    table.texts = asked, hidden
    return table


def _codes_of(rules: Any, *, as_guesses: bool) -> list[Word]:
    from entropeg import kernels

    if rules.words is not None and not (as_guesses and rules.words.free):
        return list(rules.words.guess_codes if as_guesses else rules.words.codes)
    symbols = rules.symbols_in_guesses if as_guesses else rules.symbols_in_secrets
    repeats = bool(rules.guess_repeats) if as_guesses else rules.repeats
    planes = kernels.list_codes(rules.pegs, symbols, repeats=repeats, blank=symbols > rules.colors)
    return [tuple(code) for code in planes.T.tolist()]


@dataclass(frozen=True)
class AnswerTable(WordList):
    """A table in the place of a word list: `words` are the names of secrets, `probes` those of further questions.

    `naming`: whether naming a secret is a question, and wins; otherwise the game ends when one secret is left.

    >>> table = AnswerTable.of_answers(["cat", "owl", "ant"], ["flies", "has legs"], [[0, 4], [1, 2], [0, 6]])
    >>> table.describe()
    'a table of 3 secrets, 2 questions besides, 5 different answers'
    """

    table: LabelTable = field(default=None, repr=False, compare=False)  # type: ignore[assignment]  # always given
    naming: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "digest", sha256((self.digest + self.table.digest).encode()).hexdigest())
        if self.table.texts is None:
            self.table.texts = (*self.words, *self.probes), self.words

    def __reduce__(self) -> tuple[object, tuple[Any, ...]]:
        """Pickle the parts, so that a table without a file is known where it is read."""
        return _restored, (self.words, self.probes, self.source, self.table, self.naming)

    @classmethod
    def of_answers(
        cls, secrets: Iterable[Any], questions: Iterable[Any], answer: Any, *, naming: bool = True, source: str = ""
    ) -> AnswerTable:
        """Make a table of a function `answer(question, secret)`, or of rows of answers, `[secrets, questions]`.

        A question with the name of a secret names it. Raises InputError for names that come twice, tables that are
        ragged, empty cells, NaN, a function that raises or answers otherwise when asked again, too many of anything,
        and secrets that no question tells apart.
        """
        hidden = arguments.items(secrets, "the secrets", '["cat", "owl"]')
        asked = arguments.items(questions, "the questions", '["flies", "has legs"]')
        names, others = _names(hidden, Told("secret")), _names(asked, Told("question"))
        _check_size(len(others), len(names))
        cells, answers = _cells(asked, hidden, answer) if callable(answer) else _given(answer, names, others)
        _check_told_apart(cells, names)
        place = {name: at for at, name in enumerate(others)}
        known = set(names)
        rest = [at for at, name in enumerate(others) if name not in known]
        own = np.array([place.get(name, -1) for name in names])
        made = cls(
            words=tuple(names),
            probes=tuple(others[at] for at in rest),
            source=source,
            table=_joined(cells, answers, own, rest, naming=naming),
            naming=naming,
        )
        if not naming:
            made._check_apart()
        elif not made.probes and made.table.is_alike:
            made = made._by_signs()
        return made.kept()

    def _by_signs(self) -> AnswerTable:
        # Names as codes, where places and signs of names may change places: the search then uses these exchanges.
        codes = _signs(self.words)
        base, pegs = 1 + max(map(max, codes)), len(codes[0])
        if base**pegs > 1 << 26 or list(codes) != sorted(codes):
            return self
        place = np.full(base**pegs, -1, np.int32)
        place[np.array(codes, np.int64) @ base ** np.arange(pegs)[::-1]] = np.arange(len(codes))
        return replace(self, table=self.table.numbered(base, place))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all rows."""
        return (*self.words, *self.probes)

    @property
    def pegs(self) -> int:
        """How many digits the number of a row has, or signs the name."""
        if self.table.places is not None:
            return len(self.words[0])
        size, pegs = len(self.words) + len(self.probes), 1
        while BASE**pegs < size:
            pegs += 1
        return pegs

    @cached_property
    def _codes_of_rows(self) -> tuple[Word, ...]:
        pegs = self.pegs
        if self.table.places is not None:
            return _signs(self.words)
        return tuple(islice(product(range(BASE), repeat=pegs), len(self.words) + len(self.probes)))

    @cached_property
    def codes(self) -> tuple[Word, ...]:
        """The secrets as codes."""
        return self._codes_of_rows[: len(self.words)]

    @cached_property
    def guess_codes(self) -> tuple[Word, ...]:
        """The questions as codes: with the names of secrets where these may be asked."""
        return self._codes_of_rows if self.naming else self._codes_of_rows[len(self.words) :]

    @property
    def guess_count(self) -> int:
        """How many questions there are, names of secrets included where these may be asked."""
        return len(self.probes) + (len(self.words) if self.naming else 0)

    def name_of(self, code: Word) -> str:
        """The name of a code; its numbers where it is of no row."""
        row = self._rows.get(tuple(code))
        return str(code) if row is None else self.names[row]

    @cached_property
    def _rows(self) -> dict[Word, int]:
        return {code: row for row, code in enumerate(self._codes_of_rows)}

    def code_named(self, text: str) -> Word | None:
        """The code of a name as somebody writes it, None where there is none."""
        found = self._rows_by_name.get(text, self._rows_by_name.get(text.casefold()))
        return None if found is None else self._codes_of_rows[found]

    @cached_property
    def _rows_by_name(self) -> dict[str, int]:
        rows = {name: row for row, name in enumerate(self.names)}
        return {**{name.casefold(): row for name, row in reversed(rows.items())}, **rows}

    def fault(self, code: Word, *, secret: bool) -> str:
        """Say that a row is no secret, or may not be asked."""
        row = self._rows.get(tuple(code))
        if row is None:
            return Told("{code} is no row of {table}, which has {rows:,}", code, self.name, len(self.names))
        if secret:
            return Told("{name!r} is a question of {table}, and no secret", self.names[row], self.name)
        return Told(
            "{name!r} is a secret of {table}, which are not to be named: ask a question", self.names[row], self.name
        )

    @property
    def name(self) -> str:
        """The name of the table in messages."""
        return self.source or Told("the table")

    def describe(self) -> str:
        """Say in one line what the table is."""
        said = Told(
            "a table of {secrets}, {questions} besides, {answers}",
            plural(len(self.words), "{n} secret", "{n} secrets"),
            plural(len(self.probes), "{n} question", "{n} questions"),
            plural(len(self._occurring), "{n} different answer", "{n} different answers"),
        )
        if self.source:
            said = Told("{table} from {file}", said, shown(self.source))
        return said if self.naming else Told("{table}, over when one secret is left", said)

    @cached_property
    def _occurring(self) -> Sequence[int]:
        found = np.unique(self.table.labels[len(self.words) if self.probes else 0 :])
        return [label for label in found.tolist() if label < len(self.table.answers) - 1]

    def describe_others(self) -> str:
        """Say nothing: a table is played as a whole."""
        return ""

    @property
    def options(self) -> list[str]:
        """The table as `Rules.parse` reads it: its file, or its digest where it has none."""
        return [f"table:{self.source or self.digest[:8]}", *([] if self.naming else ["identify"])]

    @classmethod
    def read(cls, path: str, *, naming: bool = True) -> AnswerTable:  # type: ignore[override]  # its own options
        """Read a table from a file, or take one of this process by its digest; the errors are those of `of_answers`."""
        for known in (_IN_MEMORY.get((path, naming)), _IN_MEMORY.get((path, not naming))):
            if known is not None:
                return known if known.naming == naming else known.with_naming(naming=naming)
        kept = kept_table(path)
        if kept is not None:
            status = kept.path.stat()
            table = _of_shelf(kept, status.st_mtime_ns)
            return table if naming else table.with_naming(naming=False)
        from entropeg.answers.files import read_answers

        return cls.of_answers(*read_answers(path), naming=naming, source=path)

    def with_naming(self, *, naming: bool) -> AnswerTable:
        """Return the same table where secrets are named, or are not.

        Raises InputError where they are not and a question has the name of a secret.
        """
        if not naming:
            self._check_apart()
        return replace(self, naming=naming).kept()

    def _check_apart(self) -> None:
        for at, row in enumerate(self.table.labels[: len(self.words)]):
            if len(np.unique(np.delete(row, at))) > 1:
                raise InputError(
                    "the question {name!r} has the name of a secret, which is not named in this game: "
                    "give it another name",
                    self.words[at],
                )

    def kept(self) -> AnswerTable:
        """Keep a table without a file, to be read by its digest in this process as long as somebody has it."""
        return self if self.source else _IN_MEMORY.setdefault((self.digest[:8], self.naming), self)


@lru_cache(maxsize=8)
def _of_shelf(kept: KeptTable, _changed: int) -> AnswerTable:
    # A table of half a million cells takes a second, so that the last ones are remembered.
    from entropeg.answers.files import read_answers

    return AnswerTable.of_answers(*read_answers(str(kept.path)), source=kept.name)


_IN_MEMORY: WeakValueDictionary[tuple[str, bool], AnswerTable] = WeakValueDictionary()


def is_at_hand(name: str) -> bool:
    """Tell whether a table is known without its file: by its digest in this process, or in the folder of tables."""
    return (name, True) in _IN_MEMORY or (name, False) in _IN_MEMORY or kept_table(name) is not None


def _restored(*parts: Any) -> AnswerTable:
    words, probes, source, table, naming = parts
    return AnswerTable(words=words, probes=probes, source=source, table=table, naming=naming).kept()


def _names(values: Sequence[Any], what: str) -> list[str]:
    names = [value.strip() if isinstance(value, str) else str(getattr(value, "name", value)) for value in values]
    seen: set[str] = set()
    for at, name in enumerate(names, start=1):
        if not name or not name.isprintable():
            raise InputError("{what} number {number} is {name!r}: its name must be text in one line", what, at, name)
        if name in seen:
            raise InputError("the {what} {name!r} stands twice in the table: give one another name", what, name)
        seen.add(name)
    return names


def _check_size(questions: int, secrets: int) -> None:
    if not (0 < secrets <= MOST_SECRETS and questions <= MOST_QUESTIONS):
        raise InputError(
            "the table has {secrets:,} secrets and {questions:,} questions: it must have 1 to {most:,} secrets and "
            "at most {others:,} questions",
            *(secrets, questions, MOST_SECRETS, MOST_QUESTIONS),
        )


def _named(value: Any, place: Callable[[], Told]) -> str:
    # The name of an answer; what is none is refused with its place.
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InputError("{place} is empty: write the answer", place())
    if isinstance(value, float) and isnan(value):
        raise InputError("{place} is NaN, which is no answer", place())
    name = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    if not name.isprintable() or isinstance(value, dict | list):
        raise InputError("{place} is {name!r}: an answer must be text in one line", place(), name)
    return name


def _cells(asked: Sequence[Any], hidden: Sequence[Any], answer: Callable[..., Any]) -> tuple[Labels, list[str]]:
    # Labels [questions, secrets] of a function, numbered as they occur; asked again about a thousand of them.
    number: dict[Any, int] = {}
    out = np.empty((len(asked), len(hidden)), np.uint8)
    for row, question in enumerate(asked):
        out[row] = _asked(answer, question, hidden, number)
    step = max(1, out.size // 1_000)
    for row, column in (divmod(at, len(hidden)) for at in range(0, out.size, step)):
        if _asked(answer, asked[row], hidden[column : column + 1], number)[0] != out[row, column]:
            raise InputError(
                "the function answers {question!r} to {secret!r} otherwise when it is asked again: it must depend on "
                "these two alone",
                *(asked[row], hidden[column]),
            )
    names = [_named(value, lambda: Told("an answer of the function")) for value in number]
    return out, _once(names)


def _asked(answer: Callable[..., Any], question: Any, hidden: Sequence[Any], number: dict[Any, int]) -> list[int]:
    # The labels of one question to some secrets; new answers are numbered.
    found: list[int] = []
    try:
        for secret in hidden:
            found.append(number.setdefault(answer(question, secret), len(number)))  # noqa: PERF401 - it says which
    except Exception as error:
        raise InputError(
            "the function raises {kind}: {error}, asked {question!r} of {secret!r}",
            *(type(error).__name__, error, question, hidden[len(found)]),
        ) from error
    if len(number) > MOST_ANSWERS:
        raise _too_many(len(number))
    return found


def _once(names: list[str]) -> list[str]:
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError("two different answers are both written {name!r}: make them differ", twice)
    return names


def _too_many(count: int) -> InputError:
    return InputError("the table has {count} different answers or more: at most {most} fit", count, MOST_ANSWERS)


def _given(answer: Any, names: list[str], others: list[str]) -> tuple[Labels, list[str]]:
    # Labels [questions, secrets] of rows of answers, one row a secret.
    rows = answer if isinstance(answer, np.ndarray) else list(answer)
    if len(rows) != len(names):
        raise InputError("the table has {rows} rows of answers for {secrets} secrets", len(rows), len(names))
    for name, row in zip(names, rows, strict=True):
        if not isinstance(row, (Sequence, np.ndarray)) or isinstance(row, str) or len(row) != len(others):
            length = len(row) if hasattr(row, "__len__") else 0
            raise InputError(
                "the row of {secret!r} has {length} answers, and there are {questions} questions",
                *(name, length, len(others)),
            )
    number: dict[str, int] = {}
    out = np.empty((len(others), len(names)), np.uint8)
    # 1 and True are equal, and not the same answer: by type, then by value.
    known: dict[type, dict[Any, int]] = {str: {}, int: {}, bool: {}}
    for column, (name, row) in enumerate(zip(names, rows, strict=True)):
        values = row.tolist() if isinstance(row, np.ndarray) else row
        labels = _known_labels(values, known)
        if labels is not None:
            out[:, column] = labels
            continue
        for at, value in enumerate(values):
            label = known[type(value)].get(value) if type(value) in known else None
            if label is None:
                place = lambda name=name, at=at: Told("the answer of {question!r} to {secret!r}", others[at], name)  # noqa: E731
                label = number.setdefault(_named(value, place), len(number))
                if len(number) > MOST_ANSWERS:
                    raise _too_many(len(number))
                if type(value) in known:
                    known[type(value)][value] = label
            out[at, column] = label
    return out, list(number)


def _known_labels(values: Any, known: dict[type, dict[Any, int]]) -> Labels | None:
    # The labels of a row of answers of one type that all occurred before: one by one takes five times as long. Other
    # types have values that are equal and not the same, as 1 and True; a text equals texts alone.
    kind = type(values[0]) if len(values) else str
    if kind not in known or (kind is not str and {*map(type, values)} != {kind}):
        return None
    try:
        return np.frombuffer(bytes(map(known[kind].__getitem__, values)), np.uint8)
    except KeyError:
        return None


def _check_told_apart(cells: Labels, names: list[str]) -> None:
    columns = np.ascontiguousarray(cells.T)
    first: dict[bytes, int] = {}
    for at, column in enumerate(columns):
        earlier = first.setdefault(column.tobytes(), at)
        if earlier != at:
            raise InputError(
                "no question tells {one!r} and {other!r} apart: every question has the same answer to both",
                *(names[earlier], names[at]),
            )


def _joined(cells: Labels, answers: list[str], own: Places, rest: list[int], *, naming: bool) -> LabelTable:
    # The rows of secrets, then those of other questions. The answer to another's name is "no", a label of its own
    # unless the table has it; the last label, to its own name, is a win.
    answers = [*answers] if "no" in map(str.casefold, answers) or not naming else [*answers, "no"]
    no = next((at for at, name in enumerate(answers) if name.casefold() == "no"), 0)
    n = len(own)
    whole = np.full((n + len(rest), n), no, cells.dtype)
    whole[n:] = cells[rest]
    whole[np.flatnonzero(own >= 0)] = cells[own[own >= 0]]
    return _with_wins(whole, answers, np.arange(n), BASE, None)


def _with_wins(labels: Labels, answers: list[str], own: NDArray[Any], base: int, places: Any) -> LabelTable:
    # A win has the last label; it is named as the answer that all secrets have to themselves, where no other pair does.
    before = np.unique(labels[own, np.arange(len(own))])
    labels[own, np.arange(len(own))] = len(answers)
    left = np.unique(labels)
    only = len(before) == 1 and before[0] not in left
    name = answers[before[0]] if only else next(name for name in ("won", "found", "it is") if name not in answers)
    kept = [int(label) for label in left if label < len(answers)]
    compact = np.zeros(len(answers) + 1, np.uint8)
    compact[[*kept, len(answers)]] = np.arange(len(kept) + 1)
    return LabelTable.of(compact[labels], (*(answers[label] for label in kept), name), base, places)
