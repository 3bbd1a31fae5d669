"""Contradictions in notes as values: which rows cannot all be true, which to look at first, and ways to mend them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from typing import ClassVar, Literal, TypeAlias

from entropeg.advise.notes import Notes
from entropeg.advise.rows import Row, format_row
from entropeg.advise.slips import SlipKind
from entropeg.chosen_language import translated
from entropeg.codebreakers.doubts import Doubt
from entropeg.codes import is_listable
from entropeg.feedback import AnyFeedback
from entropeg.partition import Partition
from entropeg.plain_values import Finite, Ordinal, PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.told import Told, plural

SituationName: TypeAlias = Literal["live", "afterwards"]
"""`live`: play went on from the wrong row. `afterwards`: the game was right, and the notes of it are wrong."""


@dataclass(frozen=True)
class Slip:
    """One mistake: of which kind, in which rows, and what these may have been.

    `rows` are indexes from 0: one, or two where feedbacks were exchanged. `meant` are the rows as they may have been,
    None for a row of another game, which is to be left out.
    """

    kind: SlipKind
    rows: tuple[int, ...]
    meant: tuple[Row | None, ...]


@dataclass(frozen=True)
class Mend(PlainValue):
    """One way to mend a contradiction: a mistake, or two in different rows, and the codes left once they are mended.

    `codes` is the number of codes left, exact where `is_exact` says so, else a lower bound. `probability` is that
    of just these mistakes, given that one of the modelled ones (or of the pairs of them) was made. Where a player
    doubts a row nothing is known of the codes (at least 0), and perhaps nothing of the probability (NaN).
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("says", "kinds", "changes=rows", "codes", "is_exact", "probability", "rows=lines"),
    )

    slips: tuple[Slip, ...]
    codes: int
    """Codes that fit then; exactly where `exact`, else at least."""
    is_exact: bool
    probability: Finite
    """Null where a player doubts the row and does not know how likely it is wrong."""
    written: Notes = field(repr=False)
    """The notes as they were written down."""

    @property
    def rows(self) -> tuple[Ordinal, ...]:
        """The rows that it changes, by index, in order."""
        return tuple(sorted(row for slip in self.slips for row in slip.rows))

    @cached_property
    def notes(self) -> Notes:
        """The notes with the mistakes mended, with which a game goes on."""
        rows: dict[int, Row | None] = dict(enumerate(self.written.rows))
        for slip in self.slips:
            rows.update(zip(slip.rows, slip.meant, strict=True))
        return Notes(self.written.rules, tuple(row for row in rows.values() if row is not None))

    @property
    def position(self) -> Position:
        """The same as a position; InputError, naming the first row that is not complete, where there is one."""
        return self.notes.position

    @property
    def kinds(self) -> tuple[SlipKind, ...]:
        """Of which kind each mistake is."""
        return tuple(slip.kind for slip in self.slips)

    @property
    def lines(self) -> tuple[str, ...]:
        """The mended rows as text, which can be noted in place of those that were written."""
        return tuple(format_row(row, self.written.rules) for row in self.notes.rows)

    @property
    def says(self) -> str:
        """What a row was, if it is mended so, what the mistake was, and how many codes that leaves.

        >>> from entropeg.advise import Notes, explain
        >>> notes = Notes.of("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
        >>> explain(notes, "afterwards").mends[0].says
        'row 4 was FAEB OOO (black and white are exchanged): 1 code left, 58 %'
        """
        slips = [_said(slip, self.written.rules) for slip in self.slips]
        was = Told("{slip}; and {other}", *slips) if len(slips) > 1 else slips[0]
        if SlipKind.doubted_row in self.kinds:
            return was
        codes, chance = plural(self.codes, "{n} code", "{n} codes"), _percent(self.probability)
        if self.is_exact:
            return Told("{slips}: {codes} left, {chance}", was, codes, chance)
        return Told("{slips}: at least {codes} left, {chance}", was, codes, chance)


@dataclass(frozen=True)
class SuspectRow:
    """A row, how likely it is wrong, and what may be wrong in it: the listed mends that change it, likeliest first.

    `ways` is the number of all mends that change it, listed or not. `probability` is NaN where a player doubts the
    row and does not know it.
    """

    row: int
    probability: float
    mends: tuple[Mend, ...] = field(repr=False)
    ways: int


@dataclass(frozen=True)
class Suspicion(PlainValue):
    """A row to look at, in words, and the likeliest ways to mend it.

    `row` counts from 0. `mends` are in order of likelihood, none of them offered for a row before. `rest` says how
    likely all other ways are that change the row: those offered for a row before, and those offered for none, as where
    any color of a guess may be misread. So the chances in `mends` and `rest` add up to that of the row.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("row", "probability", "says", "mends", "rest")

    row: Ordinal
    probability: Finite
    """Null where a player doubts the row and does not know how likely it is wrong."""
    says: str
    mends: tuple[Mend, ...] = field(repr=False)
    rest: str
    answers: tuple[AnyFeedback, ...] = ()
    """Where the codes can be listed: the feedbacks that its guess may have got if all other rows are right."""


@dataclass(frozen=True)
class Contradiction(PlainValue):
    """Notes that no code fits: which rows cannot all be true, which are likely wrong, and how to mend them.

    `conflicts` are sets of rows, by index, that cannot all be true: all the smallest where `has_all_conflicts`, else
    some, of which no row is known to be superfluous. `mistakes` is how many mistakes each mend assumes: 1 or 2; 0 where
    more are needed, or where there is no contradiction. `rows` are suspect rows, likeliest first; the probabilities add
    up to more than 1 where a mistake concerns two rows. `mends` are the likeliest ways to mend it, over all rows.
    `is_proved` says that no code fits, as a proof. It is False where the time did not suffice, and, with no
    conflicts and no rows, where a code fits all rows. `undecided` are rows of which it could not be told in time
    whether they alone may be wrong, or, where nothing else is found, whether their feedbacks are exchanged. `is_exact`
    says that all numbers of codes, and so the probabilities, are exact under the model of `slips`; else they rest on
    samples. `doubt` is what a player doubts, where the codes are too many to tell more.
    """

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("says", "situation", "is_proved", "conflicts", "mistakes", "rows=suspects", "undecided", "doubt"),
    )

    notes: Notes
    situation: SituationName
    conflicts: tuple[tuple[Ordinal, ...], ...] = ()
    """Rows that cannot all be true."""
    has_all_conflicts: bool = True
    mistakes: int = 0
    rows: tuple[SuspectRow, ...] = ()
    mends: tuple[Mend, ...] = ()
    is_proved: bool = False
    undecided: tuple[Ordinal, ...] = ()
    is_exact: bool = True
    doubt: Doubt | None = None
    """What a player doubts, where the codes are too many to tell more."""

    @classmethod
    def of_doubt(cls, notes: Notes, situation: SituationName, doubt: Doubt) -> Contradiction:
        """Return what a player doubts in notes that are complete: the row, if it names one, may be left out.

        >>> from entropeg.codebreakers.doubts import Suspect
        >>> doubt = Doubt(Told("one answer differs"), False, (Suspect(1),))
        >>> notes = Notes.of("50x50", ["-".join(["1"] * 50) + " X", "-".join(["2"] * 50) + " X"])
        >>> told = Contradiction.of_doubt(notes, "live", doubt)
        >>> told.says, [mend.says for mend in told.mends]
        ('Everything but row 2 fits; most likely row 2 is wrong. This is not proved.', ['row 2 is left out'])
        """
        rows = []
        for row, chance in doubt.rows:
            slip = Slip(SlipKind.doubted_row, (row,), (None,))
            mend = Mend((slip,), 0, is_exact=False, probability=chance, written=notes)
            rows.append(SuspectRow(row, chance, (mend,), 1))
        mends = tuple(mend for suspect in rows for mend in suspect.mends)
        return cls(
            notes,
            situation,
            has_all_conflicts=False,
            mistakes=min(len(rows), 1),
            rows=tuple(rows),
            mends=mends,
            is_proved=doubt.is_proved,
            is_exact=False,
            doubt=doubt,
        )

    def __repr__(self) -> str:
        mistakes, suspects = (
            plural(self.mistakes, "{n} mistake", "{n} mistakes"),
            plural(len(self.rows), "{n} suspect row", "{n} suspect rows"),
        )
        return f"<Contradiction of {plural(len(self.notes.rows), '{n} row', '{n} rows')}: {mistakes}, {suspects}>"

    def _repr_svg_(self) -> str | None:
        """Show the rows in a notebook, each with how likely it is wrong; nothing where a row is known in part."""
        from entropeg.svg.board import draw_board  # the room of pictures is loaded when one is wanted

        if not self.notes.is_complete:
            return None
        rules, rows = self.notes.rules, self.rows
        heading = (
            Told("{rules}: no code fits all rows", rules)
            if self.is_proved
            else Told("{rules}: no code was found", rules)
        )
        chances = {
            each.row: translated(Told("{chance:.0%} likely wrong", each.probability))
            for each in rows
            if not isnan(each.probability)
        }
        sets = [[row + 1 for row in each] for each in self.conflicts[:4]] if rows else []
        notes = [translated(Told("rows {rows:and} cannot all be true", each)) for each in sets]
        return draw_board(rules, self.notes.position.turns, translated(heading), notes=notes, beside=chances)

    @property
    def says(self) -> str:
        """Which rows cannot all be true, and how sure that is.

        >>> from entropeg.advise import Notes, explain
        >>> explain(Notes.of("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])).says
        'No code fits rows 3 (AEFF XX) and 4 (FAEB XXX) together: at least one of them is wrong.'
        """
        if self.doubt is not None:
            return self.doubt.says
        if not self.conflicts and not self.rows:
            if self.is_proved or self.undecided:
                return (
                    Told("No code fits the rows.")
                    if self.is_proved
                    else Told("No code that fits the rows was found in the time.")
                )
            return Told("A code fits all rows.")
        wrong = self._wrong()
        return wrong if self.is_proved else wrong + " " + Told("It is not proved: no code was found in the time.")

    def _wrong(self) -> Told:
        if not self.conflicts:
            return Told("No code fits all rows: at least one of them is wrong.")
        notes = self.notes
        shortest = min(self.conflicts, key=len)
        if len(shortest) == 1:
            return Told("No code fits row {row} ({turn}): it cannot be.", shortest[0] + 1, _row(shortest[0], notes))
        if len(shortest) == len(notes.rows) and len(shortest) > 4:
            return Told("No code fits all {count} rows together, and each of them may be wrong.", len(shortest))
        rows = [f"{row + 1} ({_row(row, notes)})" for row in shortest]
        return Told("No code fits rows {rows:and} together: at least one of them is wrong.", rows)

    def suspicions(self, rows: int = 3, offered: int = 3) -> tuple[Suspicion, ...]:
        """List the rows to look at, the likeliest first, each with ways to mend it."""
        notes, offered_at, found = self.notes, dict[int, int](), list[Suspicion]()
        for suspect in self.rows[:rows]:
            before = [mend for mend in suspect.mends if id(mend) in offered_at]
            own = [mend for mend in suspect.mends if id(mend) not in offered_at]
            is_alone = sum(_is_misread(mend, suspect.row) for mend in own) == 1
            shown = [mend for mend in own if is_alone or not _is_misread(mend, suspect.row)][:offered]
            at = suspect.row + 1, _row(suspect.row, notes)
            says = (
                Told("row {row} ({turn}) may be wrong", *at)
                if isnan(suspect.probability)
                else Told("row {row} ({turn}) may be wrong: {chance}", *at, _percent(suspect.probability))
            )
            rest = [_before(before, sorted({offered_at[id(mend)] for mend in before}))] if before else []
            offered_at.update((id(mend), suspect.row) for mend in shown)
            if others := suspect.ways - len(before) - len(shown):
                share = suspect.probability - sum(mend.probability for mend in [*before, *shown])
                misread = sum(_is_misread(mend, suspect.row) for mend in own if id(mend) not in offered_at)
                rest.append(_others(others, max(share, 0.0), are_misread=misread == others))
            answers = fitting_answers(notes, suspect.row)
            ways = Told("{way}; {other}", *rest) if len(rest) > 1 else rest[0] if rest else ""
            found.append(Suspicion(suspect.row, suspect.probability, says, tuple(shown), ways, answers))
        return tuple(found)

    @property
    def suspects(self) -> tuple[Suspicion, ...]:
        """All rows to look at, the likeliest first."""
        return self.suspicions(len(self.rows))

    def trusting(self, rows: Iterable[int]) -> Contradiction:
        """Leave out the ways to mend it that change one of some rows, by index, of which somebody is sure.

        The chances of the others are shared out anew; they are exact where all ways are listed (`limit=None`).

        >>> from entropeg.advise import explain
        >>> told = explain(Position("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]), "afterwards", limit=None)
        >>> [suspect.row for suspect in told.rows], [suspect.row for suspect in told.trusting([3]).rows]
        ([3, 2], [2])
        >>> told.mistakes, told.trusting(range(4)).mistakes
        (1, 0)
        """
        sure = frozenset(rows)
        kept = [mend for mend in self.mends if sure.isdisjoint(mend.rows)]
        total = sum(mend.probability for mend in kept) or 1.0
        mends = tuple(replace(mend, probability=mend.probability / total) for mend in kept)
        told = []
        for row in sorted(suspect.row for suspect in self.rows):
            own = tuple(mend for mend in mends if row in mend.rows)
            if own:
                told.append(SuspectRow(row, sum(mend.probability for mend in own), own, len(own)))
        told.sort(key=lambda one: (-one.probability, one.row))
        undecided = tuple(row for row in self.undecided if row not in sure)
        mistakes = self.mistakes if mends else 0
        return replace(self, rows=tuple(told), mends=mends, undecided=undecided, mistakes=mistakes)


def fitting_answers(notes: Notes, row: int) -> tuple[AnyFeedback, ...]:
    """List the feedbacks to the guess of a row that the other rows allow, those that leave the most codes first.

    None where pegs of the guess are unknown, or the codes cannot be listed.

    >>> fitting_answers(Notes.of("2x2", ["AA XX", "BB XX"]), 1)
    (Feedback(black=0, white=0),)
    """
    guess = notes.rows[row].guess
    known = tuple(color for color in guess if color is not None)
    if len(known) < len(guess) or not is_listable(notes.rules):
        return ()
    sizes = Partition.of(notes.without_row(row).candidates, known).sizes
    return tuple(sorted(sizes, key=lambda answer: -sizes[answer]))


def _said(slip: Slip, rules: Rules) -> str:
    rows = [row + 1 for row in slip.rows]
    if slip.kind is SlipKind.doubted_row:
        return Told("row {row} is left out", *rows)
    if slip.kind is SlipKind.foreign_row:
        return Told("row {row} is left out ({kind})", *rows, slip.kind)
    meant = [format_row(row, rules) for row in slip.meant if row is not None]
    if len(rows) == 1:
        return Told("row {row} was {meant} ({kind})", *rows, *meant, slip.kind)
    return Told("rows {rows:and} were {meant:and} ({kind})", rows, meant, slip.kind)


def _before(mends: list[Mend], rows: list[int]) -> str:
    ways, chance = plural(len(mends), "{n} way", "{n} ways"), _percent(sum(mend.probability for mend in mends))
    at = [row + 1 for row in rows]
    if len(at) == 1:
        return Told("or as told at row {row} ({ways}, {chance})", *at, ways, chance)
    return Told("or as told at rows {rows:and} ({ways}, {chance})", at, ways, chance)


def _others(count: int, share: float, *, are_misread: bool) -> str:
    ways, chance = plural(count, "{n} way", "{n} ways"), _percent(share)
    if are_misread:
        return Told("or a peg of its guess is another color ({ways}, {chance})", ways, chance)
    return Told("or it is wrong in another way ({ways}, {chance})", ways, chance)


def _is_misread(mend: Mend, row: int) -> bool:
    return any(slip.kind is SlipKind.peg_misread and row in slip.rows for slip in mend.slips)


def _row(row: int, notes: Notes) -> str:
    return format_row(notes.rows[row], notes.rules)


def _percent(chance: float) -> Told:
    return Told("{percent:.0f} %", 100 * min(chance, 1)) if chance >= 0.01 else Told("less than 1 %")
