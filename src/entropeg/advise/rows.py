"""Rows of notes: a guess and its feedback, of either of which a part may be unknown, and the codes that fit one.

A row constrains what it says and no more. A code fits a row if some completion, every unknown peg filled with a
symbol so that the rules allow the guess, and every unknown mark told, is what the code as the secret would answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from entropeg import kernels
from entropeg.candidates import Clues
from entropeg.codes import Array, CodeSet, check_code, format_code, guesses, plane_type
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, FeedbackLike, Marks, check_feedback, format_feedback, label_of
from entropeg.position import Turn
from entropeg.rules import Blanks, FeedbackKind, Rules

PartCode: TypeAlias = tuple[int | None, ...]
"""A guess of which pegs may be unknown: None."""

UNKNOWN = "?*¿"
"""Signs for an unknown peg: all are read that are no symbols of the rules, and the first of them is written."""

COMPLETIONS = 4_000_000
"""Completions of a guess that are tried, at most."""


@dataclass(frozen=True)
class PartFeedback:
    """Feedback of which a part is unknown: for each of its numbers the least and the most that it may be.

    The numbers are those of the kind of feedback: black and white (and blue under grand rules), or a mark from 0 to 2
    for each peg under positional rules. A number is known (`least == most`), unknown, or known from below: `XO?` says
    one black and one white at least. `PartFeedback.of` checks it against rules.
    """

    ranges: tuple[tuple[int, int], ...]
    by_peg: bool = False
    """Whether the ranges are those of the marks of the pegs, one after the other."""

    @classmethod
    def of(cls, ranges: tuple[tuple[int, int | None], ...], rules: Rules) -> PartFeedback | AnyFeedback | None:
        """Return the feedback of these ranges: complete where the rules settle it, None where nothing is known.

        A `most` of None is the most that the rules allow. Raises InputError where no feedback is in the ranges.

        >>> PartFeedback.of(((4, 4), (0, None)), Rules.parse("4x6"))
        Feedback(black=4, white=0)
        """
        about = rules.feedback.about
        if about.answer is Marks:
            settled = tuple((least, 2 if most is None else most) for least, most in ranges)
        else:
            settled = _settle_counts(ranges, rules)
        lowest = about.of([least for least, _ in settled], rules)
        if all(least == most for least, most in settled):
            return check_feedback(lowest, rules)
        if about.answer is Marks and len(settled) != rules.pegs:
            raise InputError(about.fault(lowest, rules))
        if about.in_place_only:
            settled = settled[:1]
        if all(least == 0 for least, _ in settled) and all(most == _top(rules) for _, most in settled):
            return None
        return cls(settled, about.answer is Marks)

    def matches(self, feedback: AnyFeedback) -> bool:
        """Tell whether a complete feedback is in the ranges."""
        numbers = tuple(feedback)
        padded = numbers + (0,) * (len(self.ranges) - len(numbers))
        return all(least <= number <= most for number, (least, most) in zip(padded, self.ranges, strict=False))


NotedFeedback: TypeAlias = "AnyFeedback | PartFeedback | None"
"""A feedback as far as it is known: all of it, a part, or nothing (None)."""


def _top(rules: Rules) -> int:
    return 2 if rules.feedback.about.answer is Marks else rules.pegs


def _settle_counts(ranges: tuple[tuple[int, int | None], ...], rules: Rules) -> tuple[tuple[int, int], ...]:
    # A number is left open only as far as the other marks leave pegs for it.
    about, pegs = rules.feedback.about, rules.pegs
    if rules.feedback == FeedbackKind.black:
        given = list(ranges) + [(0, 0)] * (2 - len(ranges))
        ranges = (given[0], (0, 0) if given[1][0] == 0 else given[1])
    least = [low for low, _ in ranges]
    fault = (
        about.fault(about.of(least, rules), rules) if sum(least) >= pegs or (least[1] and about.in_place_only) else ""
    )
    if fault:
        raise InputError(fault)
    spare = pegs - sum(least)
    settled = tuple((low, low if high == low or not spare else pegs) for low, high in ranges)
    if about.common != "members" and settled[0] == (pegs - 1, pegs - 1) and settled[1][0] == 0:
        settled = (settled[0], (0, 0), *settled[2:])  # the last peg cannot be elsewhere
    return settled


@dataclass(frozen=True)
class Row:
    """One row of notes: a guess with None for each unknown peg, its feedback as far as known, and the text as typed.

    Rows are equal by what they mean: the text does not count. `Row.of` checks a row against rules.

    >>> Row.of("AA?B", "X", "4x6")
    Row(guess=(0, 0, None, 1), feedback=Feedback(black=1, white=0), text='')
    """

    guess: PartCode
    feedback: NotedFeedback
    text: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, guess: str | PartCode, feedback: FeedbackLike | NotedFeedback, rules: Rules | str, text: str = ""
    ) -> Row:
        """Make a row that fits the rules; raises InputError where the guess or the feedback cannot be."""
        rules = Rules.of(rules)
        known = check_part_code(guess, rules)
        told: NotedFeedback
        if isinstance(feedback, PartFeedback):
            told = PartFeedback.of(feedback.ranges, rules)
        else:
            told = None if feedback is None else check_feedback(feedback, rules)
        return cls(known, told, text)

    @cached_property
    def turn(self) -> Turn | None:
        """The complete row as a turn; None where a part is unknown."""
        guess, told = self.guess, self.feedback
        if not is_known(guess) or told is None or isinstance(told, PartFeedback):
            return None
        return Turn(guess, told)

    @property
    def is_complete(self) -> bool:
        """Whether every peg and every mark is known."""
        return self.turn is not None


def known_marks(row: Row) -> Turn:
    """Return what a row tells at least under positional feedback: an unknown mark as none, an unknown peg as -1.

    >>> known_marks(Row.of("A?B", None, "3x4/positional"))
    Turn(guess=(0, -1, 1), feedback=Marks((0, 0, 0)))
    """
    lowest = [0] * len(row.guess)
    if isinstance(row.feedback, PartFeedback):
        lowest = [least for least, _ in row.feedback.ranges]
    elif row.feedback is not None:
        lowest = list(row.feedback)
    marks = [0 if color is None else mark for color, mark in zip(row.guess, lowest, strict=True)]
    return Turn(replace_unknown(row.guess, -1), Marks(marks))


def unused_row(rules: Rules, rows: Sequence[Row]) -> tuple[int, str]:
    """Return the first row, by index, whose guess does not use every clue of those before, and which; else (-1, "").

    A guess that is not known whole may be one that does. Costs nothing where the rules are not hard.
    """
    clues = Clues(rules)
    for index, row in enumerate(rows if rules.hard else ()):
        fault = clues.fault(row.guess) if is_known(row.guess) else ""
        if fault:
            return index, fault
        clues = clues.after(*known_marks(row))
    return -1, ""


def is_known(guess: PartCode) -> TypeGuard[Code]:
    """Tell whether every peg of a guess is known."""
    return None not in guess


def unknown_mark(rules: Rules) -> str:
    """Return what an unknown peg is written as: `?`, unless that is a symbol of the rules."""
    return next((mark for mark in UNKNOWN if mark not in rules.symbols.symbols), UNKNOWN[-1])


def check_part_code(guess: str | PartCode, rules: Rules) -> PartCode:
    """Return a guess of which pegs may be unknown, given as text or numbers; InputError says why it cannot be.

    >>> check_part_code("A?bb", Rules.parse("4x6"))
    (0, None, 1, 1)
    """
    if isinstance(guess, str):
        guess = _parse_part_code(guess, rules)
    if is_known(guess):
        return check_code(guess, rules)
    known = tuple(color for color in guess if color is not None)
    if not known and len(guess) in {1, rules.pegs}:
        return (None,) * rules.pegs
    probe = replace_unknown(guess, next(iter(known), 0))
    loose = Rules(rules.pegs, rules.colors, blanks=rules.blanks, alphabet=rules.alphabet) if not rules.shapes else rules
    check_code(probe, loose)
    colored = [color for color in known if color < rules.colors]
    if not rules.guess_repeats and len(set(colored)) < len(colored):
        twice = next(color for color in colored if colored.count(color) > 1)
        raise InputError(
            "{guess!r} uses {color} twice, which {rules} does not allow in a guess",
            *(format_part_code(guess, rules), rules.symbols.symbol(twice), rules),
        )
    if is_from_list(rules) and not words_like(guess, rules).shape[1]:
        assert rules.words is not None
        words, shown = rules.words.name, format_part_code(guess, rules)
        raise InputError("no word of {words} is {guess!r}: correct a letter, or write ? for it", words, shown)
    return guess


def _parse_part_code(text: str, rules: Rules) -> PartCode:
    mark = unknown_mark(rules)
    pieces = rules.symbols.split(text)
    if pieces == [mark]:
        return (None,) * rules.pegs
    stand_in = rules.symbols.symbol(0)
    colors = rules.symbols.parse(" ".join(stand_in if piece == mark else piece for piece in pieces))
    if mark not in pieces:  # of a table of many names each is several pegs
        return colors
    return tuple(None if piece == mark else color for piece, color in zip(pieces, colors, strict=True))


def replace_unknown(guess: PartCode, color: int) -> Code:
    """Return a guess with one color in place of every unknown peg."""
    return tuple(color if peg is None else peg for peg in guess)


def format_part_code(guess: PartCode, rules: Rules) -> str:
    """Write a guess with `?` for unknown pegs: `AA?B`, `3-?-2`; `check_part_code` reads it back."""
    if is_known(guess):
        return format_code(guess, rules)
    symbols, mark = rules.symbols, unknown_mark(rules)
    pieces = [mark if color is None else symbols.symbol(color) for color in guess]
    return ("" if symbols.is_spelled else "-").join(pieces)


def format_told(told: NotedFeedback) -> str:
    """Write a feedback as far as it is known: `XO`, `1 ?`, `XO?`, `X?.O`, or `?` where nothing is.

    >>> format_told(PartFeedback(((1, 1), (0, 4)))), format_told(PartFeedback(((1, 4), (1, 4))))
    ('1 ?', 'XO?')
    """
    if told is None:
        return "?"
    if not isinstance(told, PartFeedback):
        return format_feedback(told)
    if told.by_peg:
        return "".join("?" if least < most else ".OX"[least] for least, most in told.ranges)
    if all(least < most for least, most in told.ranges) and sum(least for least, _ in told.ranges) <= 12:
        return "".join(mark * least for mark, (least, _) in zip("XO~", told.ranges, strict=False)) + "?"
    return " ".join(_number(*limits) for limits in told.ranges)


def _number(least: int, most: int) -> str:
    if least == most:
        return str(least)
    return f"≥{least}" if least else "?"


def format_row(row: Row, rules: Rules | str) -> str:
    """Write a row as `read_row` reads it: `AABB XO`; with a colon, `AA?B: 1 ?`, where a part is unknown.

    So too where the feedback could be a guess, as with the colors X and O.
    """
    rules = Rules.of(rules)
    guess, told = format_part_code(row.guess, rules), format_told(row.feedback)
    return f"{guess}{' ' if row.is_complete and not _is_guess(told, rules) else ': '}{told}"


def _is_guess(text: str, rules: Rules) -> bool:
    try:
        check_part_code(text, rules)
    except InputError:
        return False
    return True


def fitting(codes: CodeSet, row: Row) -> CodeSet:
    """Return the codes of a set that fit a row, exactly.

    Costs one pass over the codes where the guess is known. Where pegs are unknown, codes that are alike but for the
    names of colors that the row does not mention are asked as one, against every completion of the guess. Raises
    TooLargeError beyond `COMPLETIONS` of them, or 400 million pairs.

    >>> from entropeg.codes import secrets
    >>> rows = [Row.of("AABB", "X", "4x6"), Row.of("AA??", "XX", "4x6")]
    >>> [len(fitting(secrets("4x6"), row)) for row in rows]
    [256, 1286]
    """
    return codes if row.feedback is None else codes.take_trusted(np.flatnonzero(are_fitting(codes, row)))


def are_fitting(codes: CodeSet, row: Row) -> Array:
    """Return which codes of a set fit a row, `bool[n]`, exactly; the cost and the errors are those of `fitting`."""
    if row.feedback is None or not len(codes):
        return np.ones(len(codes), bool)
    rules = codes.rules
    if None not in row.guess:
        return are_told(codes.score(replace_unknown(row.guess, 0)), row.feedback, rules)
    planes, place = _representatives(codes, row.guess) if _is_joined(rules) else (codes.planes, np.arange(len(codes)))
    fits: Array = _fits_some(np.ascontiguousarray(planes), _completions(row.guess, rules), row, rules)[place]
    return fits


def are_told(labels: Array, told: NotedFeedback, rules: Rules) -> Array:
    """Return which labels are those of feedback of which a part is known: `bool` in the shape of the labels."""
    if told is None:
        return np.ones(labels.shape, bool)
    if not isinstance(told, PartFeedback):
        return np.asarray(labels == label_of(told, rules))
    labels = labels.astype(np.int64)
    fits = np.ones(labels.shape, bool)
    base = 3 if told.by_peg else 1 if rules.feedback == FeedbackKind.black else rules.pegs + 1
    for least, most in reversed(told.ranges):
        if base == 1:
            continue
        fits &= (labels % base >= least) & (labels % base <= most)
        labels = labels // base
    if base == 1:
        fits &= (labels >= told.ranges[0][0]) & (labels <= told.ranges[0][1])
    return fits


def _is_joined(rules: Rules) -> bool:
    # Whether codes that are alike but for colors that a row does not mention are asked as one.
    # To find codes that are alike takes a step for each pair of pegs: of longer ones each is asked for itself.
    return rules.is_symmetric and rules.pegs <= 40


def _representatives(codes: CodeSet, guess: PartCode) -> tuple[Array, Array]:
    # Colors that the row does not mention may change places: a completion with the same change gets the same feedback.
    # So of all codes that differ by such a change one is asked: the one whose colors appear in order. Returns its
    # planes, and for each code where it stands among them.
    rules = codes.rules
    kept = sorted({color for color in guess if color is not None} | {rules.colors})
    free = np.array([color for color in range(rules.colors) if color not in kept] + [rules.colors], np.int64)
    planes = np.empty(codes.planes.shape, codes.planes.dtype)
    used = np.zeros(len(codes), np.int64)
    for peg, plane in enumerate(codes.planes):
        is_kept = np.isin(plane, kept)
        image = free[np.minimum(used, len(free) - 1)]
        is_new = ~is_kept
        for earlier in range(peg):
            same = codes.planes[earlier] == plane
            image = np.where(same, planes[earlier], image)
            is_new &= ~same
        planes[peg] = np.where(is_kept, plane, image)
        used += is_new
    rows = np.ascontiguousarray(planes.T)
    whole = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, place = np.unique(whole, return_index=True, return_inverse=True)
    return planes[:, first], place.ravel()


def words_like(guess: PartCode, rules: Rules) -> Array:
    """Return the words of the list that agree with a guess in its known pegs, as planes."""
    planes: Array = guesses(rules).planes
    for peg, color in enumerate(guess):
        if color is not None:
            planes = planes[:, planes[peg] == color]
    return planes


def is_from_list(rules: Rules) -> bool:
    """Tell whether a guess must be a word of the list of the rules."""
    return rules.words is not None and not rules.words.free


def completions_of(guess: PartCode, rules: Rules, most: int) -> CodeSet | None:
    """Return all legal guesses that a guess with unknown pegs may have been; None where more than `most` are tried."""
    if None not in guess:
        return CodeSet.trusted(rules, np.array([guess], plane_type(rules)).T)
    if not is_from_list(rules) and rules.symbols_in_guesses ** guess.count(None) > most:
        return None
    planes = words_like(guess, rules) if is_from_list(rules) else _filled(guess, rules, range(rules.symbols_in_guesses))
    return CodeSet.trusted(rules, np.ascontiguousarray(planes)) if planes.shape[1] <= most else None


def _completions(guess: PartCode, rules: Rules) -> Array:
    # The legal guesses that a guess with unknown pegs may have been, as planes. Colors that neither the guess nor a
    # representative has are alike: of these only as many are tried as the guess can hold.
    if is_from_list(rules):
        return words_like(guess, rules)
    return _filled(guess, rules, _symbols_tried(guess, rules))


def _filled(guess: PartCode, rules: Rules, symbols: Sequence[int]) -> Array:
    # The legal guesses with some symbols for the unknown pegs, as planes.
    known = [(peg, color) for peg, color in enumerate(guess) if color is not None]
    unknown = [peg for peg, color in enumerate(guess) if color is None]
    number = len(symbols) ** len(unknown)
    if number > COMPLETIONS:
        raise TooLargeError(
            "the guess {guess} may have been any of {number:,} on {rules}: too many to try "
            "({most:,} are the most); note more of its pegs, or leave the row out",
            *(format_part_code(guess, rules), number, rules, COMPLETIONS),
        )
    planes = np.empty((rules.pegs, number), plane_type(rules))
    for peg, color in known:
        planes[peg] = color
    filled = np.indices((len(symbols),) * len(unknown)).reshape(len(unknown), -1)
    for peg, choice in zip(unknown, filled, strict=True):
        planes[peg] = np.array(symbols)[choice]
    if not rules.guess_repeats:
        legal = np.ones(number, bool)
        for peg in unknown:
            for other in range(rules.pegs):
                if other != peg:
                    legal &= (planes[peg] != planes[other]) | (planes[peg] == rules.colors)
        planes = planes[:, legal]
    return planes


def _symbols_tried(guess: PartCode, rules: Rules) -> list[int]:
    known = {color for color in guess if color is not None and color < rules.colors}
    free = [color for color in range(rules.colors) if color not in known]
    if _is_joined(rules):
        # A code has at most `pegs` of them, the first ones by the choice of representatives; one more, or one for each
        # unknown peg where none may repeat, stands for all that the code does not have.
        free = free[: rules.pegs + (1 if rules.guess_repeats else guess.count(None))]
    return sorted(known | {*free}) + ([rules.colors] if rules.blanks != Blanks.none else [])


def _fits_some(planes: Array, completions: Array, row: Row, rules: Rules) -> Array:
    # Which codes get the feedback of the row for some completion. Most do for one of the first, in mixed order, and are
    # asked no more.
    fits = np.zeros(planes.shape[1], bool)
    order = np.random.default_rng(0).permutation(completions.shape[1])
    asked, spent, start = np.arange(planes.shape[1]), 0, 0
    told = row.feedback
    assert told is not None
    while len(asked) and start < len(order):
        taken = order[start : start + max(1, min(4 * start + 16, (1 << 22) // len(asked)))]
        spent += len(taken) * len(asked)
        # To score 400 million pairs takes a few seconds.
        if spent > 400_000_000:
            raise TooLargeError(
                "the row {row} leaves too much open on {rules} to try every completion: note more of its "
                "pegs, or leave the row out",
                *(format_row(row, rules), rules),
            )
        blocks = np.ascontiguousarray(completions[:, taken])
        labels = kernels.score_many(rules.kind, blocks, np.ascontiguousarray(planes[:, asked]))
        found = are_told(labels, told, rules).any(axis=0)
        fits[asked[found]] = True
        asked, start = asked[~found], start + len(taken)
    return fits


def told_feedbacks(told: NotedFeedback, rules: Rules, most: int) -> list[AnyFeedback] | None:
    """List the complete feedbacks that a feedback may have been; None where there are more than `most` to try."""
    if told is not None and not isinstance(told, PartFeedback):
        return [told]
    if told is None:
        return None
    if prod(high - low + 1 for low, high in told.ranges) > most:
        return None
    about = rules.feedback.about
    every: Iterator[Any] = (
        about.of(numbers, rules) for numbers in product(*(range(low, high + 1) for low, high in told.ranges))
    )
    return [feedback for feedback in every if not about.fault(feedback, rules)]


def possible_turns(row: Row, rules: Rules, most: int) -> list[Turn] | None:
    """List the complete turns that a row may have been; None where there are more than `most`, or nothing is told."""
    answers = told_feedbacks(row.feedback, rules, 4 * most)
    if answers is None:
        return None
    if None not in row.guess:
        codes: list[Code] = [replace_unknown(row.guess, 0)]
    elif rules.symbols_in_guesses ** row.guess.count(None) > most:
        return None
    else:
        free = [peg for peg, color in enumerate(row.guess) if color is None]
        codes = []
        for colors in product(range(rules.symbols_in_guesses), repeat=len(free)):
            filled = dict(zip(free, colors, strict=True))
            code = tuple(filled[peg] if color is None else color for peg, color in enumerate(row.guess))
            bare = [color for color in code if color < rules.colors]
            if rules.guess_repeats or len(set(bare)) == len(bare):
                codes.append(code)
    turns = [Turn(code, answer) for code in codes for answer in answers]
    return turns if len(turns) <= most else None
