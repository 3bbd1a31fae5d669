"""Notes of a game as a person wrote them down: rules, and rows of which a part may be unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np

from entropeg import arguments
from entropeg.advise.reading import read_lines, read_row
from entropeg.advise.row_search import RowSearch, choices
from entropeg.advise.rows import Row, fitting, format_row, known_marks, possible_turns, unused_row
from entropeg.candidates import SCANNED, Clues, Found, build_codes, can_build, find_candidates
from entropeg.candidates.front import EFFORT
from entropeg.codes import Array, CodeSet
from entropeg.errors import ContradictionError, InputError, TooLargeError, UnreadRowError
from entropeg.feedback import win_feedback
from entropeg.position import BUILT_BYTES, STEPS, Position, State
from entropeg.rules import Rules
from entropeg.told import Template, Told, plural

RowLike: TypeAlias = "Row | str | tuple[Any, Any]"
"""All that is read as a row: a `Row`, text such as `AA?B XO?`, or a guess and its feedback, as in a turn."""

ALTERNATIVES = 200
"""Ways to fill the unknown parts of all rows that are tried, at most, where codes cannot be scanned."""


@dataclass(frozen=True)
class Notes:
    """Rules and rows: immutable, hashable, equal to any notes with the same rules and rows.

    Where every row is complete, `position` is the same game as a position. A row whose guess or feedback is partly
    unknown constrains what it says and no more: see `Row`. Text of a row is read by `read_row`.

    >>> notes = Notes.of("4x6", ["AABB XO?", "CC?D 1 ?"])
    >>> len(notes.candidates), notes.is_complete
    (274, False)
    >>> print(notes.with_row(1, "CCDD X"))
    AABB: XO?
    CCDD X
    """

    rules: Rules
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        """Refuse rows of which one does not use every clue of those before it, where the rules are hard."""
        index, fault = unused_row(self.rules, self.rows)
        if fault:
            raise InputError(
                "row {number} ({row}) does not use every clue of the rows before: {fault}",
                *(index + 1, format_row(self.rows[index], self.rules), fault),
            )

    @classmethod
    def of(cls, rules: Rules | str | Position, rows: Iterable[RowLike] = ()) -> Notes:
        """Make notes of rules, or of a position, and rows as such, as text, or as pairs of a guess and its feedback.

        Raises InputError where one of them cannot be, with its number.
        """
        start = [Row(turn.guess, turn.feedback) for turn in rules.turns] if isinstance(rules, Position) else []
        rules = rules.rules if isinstance(rules, Position) else Rules.of(rules)
        listed = arguments.items(rows, "the rows", '["AABB XO", "CC?D 1 ?"]')
        taken = [_numbered(row, rules, number) for number, row in enumerate(listed, start=len(start) + 1)]
        return cls(rules, (*start, *taken))

    @property
    def is_complete(self) -> bool:
        """Whether every row is complete."""
        return all(row.is_complete for row in self.rows)

    @property
    def state(self) -> State:
        """`won` where the last row is all black, `lost` where there are as many as the guess limit, or `open`."""
        if self.rows and self.rows[-1].feedback == win_feedback(self.rules):
            return "won"
        limit = self.rules.guess_limit
        return "lost" if limit is not None and len(self.rows) >= limit else "open"

    @cached_property
    def position(self) -> Position:
        """The position of the rows, in their order; raises InputError, naming the first row that is not complete."""
        turns = []
        for number, row in enumerate(self.rows, start=1):
            if row.turn is None:
                raise InputError(
                    "row {number} ({row!r}) is not complete, and a position needs every peg and mark: "
                    "complete it, or use the candidates of the notes",
                    *(number, format_row(row, self.rules)),
                )
            turns.append(row.turn)
        return Position(self.rules, turns)

    @cached_property
    def clues(self) -> Clues | None:
        """The clues of the rows for the next guess under hard rules, as far as they are known; None under others."""
        if not self.rules.hard:
            return None
        return Clues.of(self.rules, map(known_marks, self.rows))

    @cached_property
    def candidates(self) -> CodeSet:
        """The secrets that fit every row, exactly, in lexicographic order; `chances` of the set are by the prior.

        Scanned where the secrets can be listed, else built from the complete rows and then scanned, or built for
        every way in which the unknown parts may be filled, up to `ALTERNATIVES`. How many completions of a row fit a
        code does not make it more likely. Raises TooLargeError where none of these is within reach; `find` gives some
        codes there, and `is_contradictory` tells whether there are any.
        """
        earlier: Notes | None = self.__dict__.get("_earlier")
        if earlier is not None and "candidates" in earlier.__dict__:
            return fitting(earlier.candidates, self.rows[-1])
        whole = [row for row in self.rows if row.is_complete]
        part = sorted((row for row in self.rows if not row.is_complete), key=lambda row: row.guess.count(None))
        if whole or not self._is_vast:
            try:
                found = Position(self.rules, [row.turn for row in whole if row.turn]).candidates
            except TooLargeError:
                if not part or not self._is_vast:
                    raise
            else:
                for row in part:
                    found = fitting(found, row)
                return found
        return self._built(whole, [row for row in part if row.feedback is not None])

    @property
    def _is_vast(self) -> bool:
        return self.rules.secret_count > SCANNED and can_build(self.rules)

    def _built(self, whole: list[Row], part: list[Row]) -> CodeSet:
        # Every way to fill the unknown parts of the first rows is a position of its own, and its codes are built; the
        # rows with too many ways are asked of those codes.
        ways, asked = [[row.turn] for row in whole], list[Row]()
        for row in part:
            left = ALTERNATIVES // max(1, prod(map(len, ways)))
            turns = possible_turns(row, self.rules, left) if left else None
            if turns is None:
                asked.append(row)
            else:
                ways.append(list(turns))
        if not ways:
            template = (
                Template(
                    "on {rules} no code can be listed without a row that is complete, or has at most {count} "
                    "completions: complete the row, note another one, or find some of the codes"
                )
                if len(part) == 1
                else Template(
                    "on {rules} no code can be listed without a row that is complete, or has at most {count} "
                    "completions: complete one of them, note another one, or find some of the codes"
                )
            )
            raise TooLargeError(template, self.rules, ALTERNATIVES)
        found = self._joined(ways)
        for row in asked:
            found = fitting(found, row)
        return found

    def _joined(self, ways: list[list[Any]]) -> CodeSet:
        limit = BUILT_BYTES // (self.rules.pegs + self.rules.symbols_in_guesses)
        found: list[Array] = []
        for turns in choices(ways):
            codes = build_codes(self.rules, turns, limit=limit, steps=STEPS)
            found.append(codes.planes)
            if sum(planes.shape[1] for planes in found) > limit:
                rows = plural(len(self.rows), "{n} row", "{n} rows")
                raise TooLargeError(
                    "on {rules} after {rows} more than {limit:,} codes are left: too many to list",
                    *(self.rules, rows, limit),
                )
        return CodeSet(self.rules, np.unique(np.concatenate(found, axis=1), axis=1))

    @property
    def is_contradictory(self) -> bool:
        """Whether no secret fits all the rows, exactly.

        On boards whose codes cannot be listed one that fits is looked for, or proved not to be: by building, by chains,
        by the constraint solver where its extra is installed. TooLargeError where none of them can tell.
        """
        if not self._is_vast or "candidates" in self.__dict__:
            return len(self.candidates) == 0
        search = RowSearch(self.rules, 0, effort=EFFORT)
        found = search.find(self.rows)
        if not found.is_decided and self.is_complete:
            return self.position.is_contradictory
        if not found.is_decided:
            raise TooLargeError("{unfound}: {reason}", self._unfound, search.open_because(self.rows))
        return not len(found.codes)

    @property
    def _unfound(self) -> str:
        rows = plural(len(self.rows), "{n} row", "{n} rows")
        return Told("no code of {rules} that fits the {rows} was found, and nothing is proved", self.rules, rows)

    def find(self, *, limit: int, seed: int) -> Found:
        """Return the secrets that fit every row, all or a sample of at most `limit`, on every board; and say which.

        What `find_candidates` does for complete turns: the same seed gives the same answer, `complete` is a proof, and
        an empty answer that is not complete says in `open` what could decide. A sample of codes that fit rows known in
        part prefers none where it was drawn or built; chains and the constraint solver promise nothing. Raises
        ContradictionError where it is proved that no secret fits.

        >>> found = Notes.of("20x20", ["ABCDEFGHIJKLMNOPQRST 3 ?", "AABBCCDDEEFFGGHHII?? XXO?"]).find(limit=100, seed=1)
        >>> len(found.codes), found.complete
        (100, False)
        """
        if self.is_complete:
            return find_candidates(self.rules, self.position.turns, limit=limit, seed=seed)
        limit, rng = arguments.whole(limit, "the number of codes", least=1), np.random.default_rng(arguments.seed(seed))
        if not self._is_vast or "candidates" in self.__dict__:
            codes, is_whole, way, left_open = self.candidates, True, "list", ""
        else:
            search = RowSearch(self.rules, seed, effort=EFFORT)
            found = search.find(self.rows)
            codes, is_whole, way = found.codes, found.is_exact, found.way
            left_open = "" if found.is_decided else search.open_because(self.rows)
        if is_whole and not len(codes):
            raise ContradictionError(
                "no secret of {rules} fits all {rows} rows: at least one is wrong", self.rules, len(self.rows)
            )
        if len(codes) > limit:
            codes, is_whole = codes.take(np.sort(rng.choice(len(codes), limit, replace=False))), False
        return Found(codes, is_whole, way, left_open)

    def after(self, row: RowLike) -> Notes:
        """Return the notes with one more row; its candidates are found from those that are known here."""
        notes = Notes(self.rules, (*self.rows, _numbered(row, self.rules, len(self.rows) + 1)))
        if "candidates" in self.__dict__:
            notes.__dict__["_earlier"] = self
        return notes

    def with_row(self, index: int, row: RowLike) -> Notes:
        """Return the notes with another row in place of the one at an index, from 0; InputError where there is none."""
        index = self._checked(index)
        taken = _numbered(row, self.rules, index + 1)
        return Notes(self.rules, (*self.rows[:index], taken, *self.rows[index + 1 :]))

    def without_row(self, index: int) -> Notes:
        """Return the notes without the row at an index, from 0; InputError where there is none."""
        index = self._checked(index)
        return Notes(self.rules, self.rows[:index] + self.rows[index + 1 :])

    def _checked(self, index: int) -> int:
        if not self.rows:
            raise InputError("there is no row yet: add one first")
        return arguments.whole(index, "the index of the row", least=0, most=len(self.rows) - 1)

    def __repr__(self) -> str:
        return f"<Notes of {self.rules}: {', '.join(format_row(row, self.rules) for row in self.rows)}>"

    def __str__(self) -> str:
        """Write the rows, one a line, as `read_notes` reads them."""
        return "\n".join(format_row(row, self.rules) for row in self.rows)

    def __reduce__(self) -> tuple[object, tuple[Rules, tuple[Row, ...]]]:
        """Pickle rules and rows only: candidates are found again."""
        return Notes, (self.rules, self.rows)


def _numbered(row: RowLike, rules: Rules, number: int) -> Row:
    try:
        return _read(row, rules)
    except TooLargeError:
        raise
    except UnreadRowError as error:
        raise UnreadRowError(Told("row {number}: {error}", number, error), error.text, number) from None
    except InputError as error:
        raise InputError("row {number}: {error}", number, error) from None


def _read(row: RowLike, rules: Rules) -> Row:
    if isinstance(row, str):
        return read_row(row, rules)
    if isinstance(row, Row):
        return Row.of(row.guess, row.feedback, rules, row.text)
    if not isinstance(row, (tuple, list)) or len(row) != 2:
        raise InputError('{row!r} is not a guess and its feedback: ("AABB", "XO"), or "AABB XO"', row)
    if isinstance(row[0], str) and isinstance(row[1], str):
        return read_row(f"{row[0]}: {row[1]}", rules)
    return Row.of(row[0], row[1], rules)


def read_notes(text: str, rules: Rules | str) -> Notes:
    r"""Read rows, one a line, as a person typed or pasted them.

    Empty lines and the head of a shared Wordle are passed over. A guess and its feedback may stand on two lines, one
    below the other. Raises UnreadRowError, an InputError, with the number of the line and its text.

    >>> print(read_notes("1. aabb  xo\n2) CCDD -> 1b", "4x6"))
    AABB XO
    CCDD X
    """
    rules = Rules.of(rules)
    return Notes(rules, read_lines(text, rules))
