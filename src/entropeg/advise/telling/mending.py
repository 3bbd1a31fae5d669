"""Puts contradictions into words: which rows cannot all be true, which to look at first, and ways to mend them."""

from __future__ import annotations

from dataclasses import dataclass, field

from entropeg.advise.mistakes import Contradiction, Mend, Slip
from entropeg.advise.notes import Notes
from entropeg.advise.rows import format_row
from entropeg.advise.slips import SlipKind
from entropeg.amounts import plural
from entropeg.codes import is_listable
from entropeg.feedback import AnyFeedback
from entropeg.partition import Partition
from entropeg.rules import Rules

OFFERED = 3
"""Ways to mend that are offered for one row."""

CERTAIN = 0.995


@dataclass(frozen=True)
class Suspicion:
    """A row to look at, in words, and the likeliest ways to mend it.

    `row` counts from 0. `mends` are in order of likelihood, none of them offered for a row before. `rest` says how
    likely all other ways are that change the row: those offered for a row before, and those offered for none, as where
    any color of a guess may be misread. So the chances in `mends` and `rest` add up to that of the row.
    """

    row: int
    says: str
    mends: tuple[Mend, ...] = field(repr=False)
    rest: str
    answers: tuple[AnyFeedback, ...] = ()
    """Where the codes can be listed: the feedbacks that its guess may have got if all other rows are right."""


def say_conflict(told: Contradiction) -> str:
    """Say which rows cannot all be true, and how sure that is.

    >>> from entropeg.advise import Notes, explain
    >>> say_conflict(explain(Notes.of("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])))
    'No code fits rows 3 (AEFF XX) and 4 (FAEB XXX) together: at least one of them is wrong.'
    """
    if not told.conflicts and not told.rows:
        if told.is_proved or told.undecided:
            return "No code fits the rows." if told.is_proved else "No code that fits the rows was found in the time."
        return "A code fits all rows."
    proof = "" if told.is_proved else " It is not proved: no code was found in the time."
    if not told.conflicts:
        return f"No code fits all rows: at least one of them is wrong.{proof}"
    notes = told.notes
    shortest = min(told.conflicts, key=len)
    if len(shortest) == 1:
        return f"No code fits {_named(shortest[0], notes)}: it cannot be.{proof}"
    if len(shortest) == len(notes.rows) and len(shortest) > 4:
        return f"No code fits all {len(shortest)} rows together, and each of them may be wrong.{proof}"
    rows = [_numbered(row, notes) for row in shortest]
    return f"No code fits rows {', '.join(rows[:-1])} and {rows[-1]} together: at least one of them is wrong.{proof}"


def suspicions(told: Contradiction, rows: int = 3, offered: int = OFFERED) -> tuple[Suspicion, ...]:
    """List the rows to look at, the likeliest first, each with ways to mend it."""
    notes, offered_at, found = told.notes, dict[int, int](), list[Suspicion]()
    for suspect in told.rows[:rows]:
        before = [mend for mend in suspect.mends if id(mend) in offered_at]
        own = [mend for mend in suspect.mends if id(mend) not in offered_at]
        is_alone = sum(_is_misread(mend, suspect.row) for mend in own) == 1
        shown = [mend for mend in own if is_alone or not _is_misread(mend, suspect.row)][:offered]
        says = f"{_named(suspect.row, notes)} may be wrong: {_percent(suspect.probability)}"
        rest = [_before(before, sorted({offered_at[id(mend)] for mend in before}))] if before else []
        offered_at.update((id(mend), suspect.row) for mend in shown)
        if others := suspect.ways - len(before) - len(shown):
            share = suspect.probability - sum(mend.probability for mend in [*before, *shown])
            misread = sum(_is_misread(mend, suspect.row) for mend in own if id(mend) not in offered_at)
            rest.append(_others(others, max(share, 0.0), are_misread=misread == others))
        found.append(Suspicion(suspect.row, says, tuple(shown), "; ".join(rest), fitting_answers(notes, suspect.row)))
    return tuple(found)


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


def say_mend(mend: Mend) -> str:
    """Say what a row was, if it is mended so, what the mistake was, and how many codes that leaves.

    >>> from entropeg.advise import Notes, explain
    >>> notes = Notes.of("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])
    >>> say_mend(explain(notes, "afterwards").mends[0])
    'row 4 was FAEB OOO (black and white are exchanged): 1 code left, 58 %'
    """
    rules = mend.written.rules
    slips = "; and ".join(_said(slip, rules) for slip in mend.slips)
    least = "" if mend.is_exact else "at least "
    return f"{slips}: {least}{plural(mend.codes, 'code')} left, {_percent(mend.probability)}"


def _said(slip: Slip, rules: Rules) -> str:
    rows = " and ".join(str(row + 1) for row in slip.rows)
    if slip.kind is SlipKind.foreign_row:
        return f"row {rows} is left out ({slip.kind.value})"
    meant = " and ".join(format_row(row, rules) for row in slip.meant if row is not None)
    if len(slip.rows) == 1:
        return f"row {rows} was {meant} ({slip.kind.value})"
    return f"rows {rows} were {meant} ({slip.kind.value})"


def _before(mends: list[Mend], rows: list[int]) -> str:
    ways, chance = plural(len(mends), "way"), _percent(sum(mend.probability for mend in mends))
    at = " and ".join(str(row + 1) for row in rows)
    return f"or as told at {'row' if len(rows) == 1 else 'rows'} {at} ({ways}, {chance})"


def _others(count: int, share: float, *, are_misread: bool) -> str:
    ways, chance = plural(count, "way"), _percent(share)
    if are_misread:
        return f"or a peg of its guess is another color ({ways}, {chance})"
    return f"or it is wrong in another way ({ways}, {chance})"


def _is_misread(mend: Mend, row: int) -> bool:
    return any(slip.kind is SlipKind.peg_misread and row in slip.rows for slip in mend.slips)


def _named(row: int, notes: Notes) -> str:
    return f"row {_numbered(row, notes)}"


def _numbered(row: int, notes: Notes) -> str:
    return f"{row + 1} ({format_row(notes.rows[row], notes.rules)})"


def _percent(chance: float) -> str:
    if chance >= CERTAIN:
        return f"{100 * min(chance, 1):.0f} %"
    return f"{100 * chance:.0f} %" if chance >= 0.01 else "less than 1 %"
