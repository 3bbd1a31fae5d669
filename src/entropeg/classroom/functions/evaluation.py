"""Finds out how an evaluation written by others is called and read, and its mistakes, by trying.

Codes are handed over in every form of `forms`, answers are searched for the parts that say well placed and misplaced
(`readings`), and where none fits, for those of the commonest mistakes (`mistakes`). What is wrong is shown by the
smallest pair of codes on which it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Literal, TypeAlias

from entropeg.classroom.functions.forms import FORMS, LETTERS, CallResult
from entropeg.classroom.functions.mistakes import MISTAKES, Mistake, right
from entropeg.classroom.functions.readings import USUAL_READING, MarksPart, Reading, parts_of
from entropeg.told import Template, Told

CodePair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]

TriedForm: TypeAlias = tuple[str, list[CallResult]]
"""A form, and what the function gave for the pairs that are drawn for it."""

WrongPair: TypeAlias = tuple[CodePair, CallResult]
"""A pair, and the wrong answer to it."""

Asking: TypeAlias = Callable[[str, Sequence[CodePair]], list[CallResult]]
"""Calls the function with pairs of codes, in a form of `FORMS`."""

MOST_COLORS = 6
"""Colors of the codes among them."""

PRINTED = "printed"
"""The type of an answer that was printed, and not returned (`calls.Caller.called`)."""

BOARDS = ((2, 2), (2, 3), (3, 2), (3, 3), (4, 2))
"""Pegs and colors of the boards on which every pair is compared, and on which the smallest counterexample is looked
for; 3x3 alone has 729 pairs."""


@dataclass(frozen=True)
class Examination:
    """What an evaluation turned out to be."""

    name: str
    verdict: Literal["right", "wrong", "unknown"]
    kind: str
    """The fault in a word or two; empty where there is none."""
    text: str
    why: str = ""
    """The mistake by its name, where it is known."""
    form: str = ""
    """The form of `FORMS` in which it takes codes."""
    reading: Reading = USUAL_READING
    compared: int = 0
    """Pairs of codes that were compared."""
    notes: tuple[str, ...] = ()
    pair: CodePair | None = None
    """The smallest pair on which it is wrong, in colors from 0."""
    returns: str = ""
    """The type of its answers, where it is right."""
    is_half: bool = False
    """Whether it gives one of the two numbers alone."""
    is_usual: bool = False
    """Whether it is called and read as the course's evaluation is: codes as text, a tuple, well placed first."""


def drawn_pairs(most: int = MOST_COLORS, pegs: int = 4, *, repeats: bool = True) -> list[CodePair]:
    """Return pairs of codes, half of few colors, so that many repeat; always the same ones.

    Without `repeats` no color occurs twice in a code.
    """
    source, pairs = random.Random(0), list[CodePair]()
    for number in range(200):
        colors = most if number % 2 else min(3, most)
        if repeats:
            guess, secret = (tuple(source.randrange(colors) for _ in range(pegs)) for _ in range(2))
        else:
            guess, secret = (tuple(source.sample(range(max(most, pegs)), pegs)) for _ in range(2))
        pairs.append((guess, secret))
    return pairs


def all_pairs(pegs: int, colors: int, *, repeats: bool = True) -> list[CodePair]:
    """Return every pair of codes of a board, in order; without `repeats` those in which no color occurs twice."""
    codes = list(product(range(colors), repeat=pegs))
    codes = [code for code in codes if repeats or len(set(code)) == pegs]
    return [(guess, secret) for guess in codes for secret in codes]


@dataclass(frozen=True)
class ExaminedFunction:
    """The function that is looked at: how it is called, and what sentences name it and its colors."""

    ask: Asking
    """Calls it, and never raises for what it does."""
    name: str
    letters: str = LETTERS
    """Those with which `ask` writes colors."""
    colors: int = MOST_COLORS
    """How many of them there are at most."""
    forms: Mapping[str, str] = field(default_factory=lambda: dict(zip(FORMS, FORMS, strict=True)))
    """The forms that `ask` knows, with the words for them."""
    written: Callable[[str, CodePair], str] | None = None
    """Writes a call as somebody would type it; None where the function takes both codes, in a form of `FORMS`."""
    is_plain: bool = True
    """Whether it takes both codes and nothing else."""
    pegs: int = 4
    """Pegs of the codes that are drawn."""
    repeats: bool = True
    """Whether a color may occur twice in a code."""
    is_of_another_course: bool = False
    """Whether nobody asked for any number of pegs, nor for one function instead of two, nor for no printing."""

    def call(self, form: str, pair: CodePair) -> str:
        """Write a call as somebody would type it."""
        if self.written is not None:
            return self.written(form, pair)
        guess, secret = (FORMS[form](code, self.letters) for code in pair)
        return f"{self.name}({guess!r}, {secret!r})"

    @cached_property
    def pairs(self) -> list[CodePair]:
        """The pairs of codes that are drawn for it."""
        return drawn_pairs(self.colors, self.pegs, repeats=self.repeats)


def examine(it: ExaminedFunction) -> Examination:
    """Find out how a function is called and read, or its fault."""
    tried: list[TriedForm] = []
    for form in it.forms:
        told = it.ask(form, it.pairs)
        tried.append((form, told))
        if all(each.error for each in told):
            continue
        if (changing := _changing(it, form, told)) is not None:
            return changing
        if (reading := _fitting(it.pairs, told)) is not None:
            return _confirmed(it, form, reading, told)
    return _mistaken(it, tried)


def promising_forms(it: ExaminedFunction) -> list[str]:
    """Return the forms in which a few calls look like an evaluation's, right or with a known mistake; the right first.

    It costs a tenth of what an examination does.
    """
    pairs = it.pairs[:24]
    right_ones, wrong_ones = list[str](), list[str]()
    for form in it.forms:
        told = it.ask(form, pairs)
        if any(each.error for each in told):
            continue
        if _fitting(pairs, told) is not None or _half(pairs, told) is not None:
            right_ones.append(form)
        elif any(_reading_of(mistake, pairs, told) is not None for mistake in MISTAKES):
            wrong_ones.append(form)
    return [*right_ones, *wrong_ones]


def _half(pairs: Sequence[CodePair], told: Sequence[CallResult]) -> int | None:
    # Which number of the two every answer is, where it is one: 0 for well placed, 1 for misplaced.
    for which in (0, 1):
        if all(
            not each.error and type(each.value) is int and each.value == right(*pair)[which]
            for pair, each in zip(pairs, told, strict=True)
        ):
            return which
    return None


def _changing(it: ExaminedFunction, form: str, told: Sequence[CallResult]) -> Examination | None:
    # Twenty pairs are asked about a second time.
    for pair, one, other in zip(it.pairs, told, it.ask(form, it.pairs[:20]), strict=False):
        if one.value != other.value and not (it.is_of_another_course and _are_shuffled(one.value, other.value)):
            changes = Template("{call} returns {first} at first and {second} when it is called again")
            text = Told(changes, it.call(form, pair), one.shown, other.shown)
            return Examination(it.name, "wrong", "not the same twice", text, form=form, pair=pair)
    return None


def _are_shuffled(one: object, other: object) -> bool:
    # Marks may be shuffled, so that their places tell nothing.
    both = [one, other]
    return all(isinstance(each, (list, str)) for each in both) and sorted(map(repr, one)) == sorted(map(repr, other))  # type: ignore[call-overload]


def _fitting(pairs: Sequence[CodePair], told: Sequence[CallResult]) -> Reading | None:
    # The reading by which every answer is right.
    if any(each.error for each in told):
        return None
    values, truth = [each.value for each in told], [right(*pair) for pair in pairs]
    parts = parts_of(values)
    placed = _equal(parts, values, [marks[0] for marks in truth])
    misplaced = _equal(parts, values, [marks[1] for marks in truth])
    return None if placed is None or misplaced is None else Reading(placed, misplaced)


def _equal(parts: Sequence[MarksPart], values: Sequence[object], wanted: Sequence[int]) -> MarksPart | None:
    for part in parts:
        if all(part.of(value) == number for value, number in zip(values, wanted, strict=True)):
            return part
    return None


# ---------------------------------------------------------------------- what fits


def _confirmed(it: ExaminedFunction, form: str, reading: Reading, told: Sequence[CallResult]) -> Examination:
    compared, fixed, name, example = len(told), "", it.name, _example(told)
    for small, answers in _boards(it, form):
        pegs, wrong = len(small[0][0]), _first_wrong(small, answers, reading)
        if wrong is None:
            compared += len(small)
            continue
        pair, answer = wrong
        if pegs != it.pegs and all(each.error for each in answers):
            raises = Template("{name} works for codes of {n} pegs: with {pegs} it raises {error}")
            fixed = Told(raises, name, it.pegs, pegs, answers[0].error)
        elif pegs != it.pegs and it.is_of_another_course:
            # It was asked for a program that plays one game, not for one that plays on any board.
            gives = what_it_gives(it.call(form, pair), answer)
            fixed = Told("{name} works for codes of {n} pegs: {fault}", name, it.pegs, gives)
        elif pegs == it.pegs == 4 and all(each.error for each in answers):
            break
        else:
            return _wrong(it, form, reading, wrong, None, compared)
    notes = (*([fixed] if fixed else []), *_notes(it, told, example))
    usual = form == "codes as text" and reading.is_usual and _is_pair(example) and it.is_plain
    text = Told("{name} is right: {count} pairs of codes were compared", name, compared)
    if not usual:
        text = _how_right(it, form, reading.words(example), compared, example)
    found = Examination(name, "right", "", text, "", form, reading, compared, notes)
    return replace(found, returns=example.type, is_usual=usual)


def _first_wrong(pairs: Sequence[CodePair], answers: Sequence[CallResult], reading: Reading) -> WrongPair | None:
    for pair, answer in zip(pairs, answers, strict=True):
        if answer.error or reading.of(answer.value) != right(*pair):
            return pair, answer
    return None


def _how_right(it: ExaminedFunction, form: str, answered: str, compared: int, example: CallResult) -> Told:
    name, forms = it.name, it.forms[form]
    if not it.is_plain:
        call = it.call(form, it.pairs[0])
        said = Template(
            "{name} is right on {count} pairs of codes: called as {call}, it takes {form} and returns {answer}"
        )
        if example.type == PRINTED:
            said = Template(
                "{name} is right on {count} pairs of codes: called as {call}, it takes {form} and prints {answer}"
            )
        return Told(said, name, compared, call, forms, answered)
    said = Template("{name} is right on {count} pairs of codes: it takes {form} and returns {answer}")
    if example.type == PRINTED:
        said = Template("{name} is right on {count} pairs of codes: it takes {form} and prints {answer}")
    return Told(said, name, compared, forms, answered)


def _notes(it: ExaminedFunction, told: Sequence[CallResult], example: CallResult) -> Iterator[str]:
    of_codes = Template("{name} changes the codes that it is given: whoever calls it goes on with another code")
    silent = Template("{name} prints its answer and returns None: no other function can go on with it")
    prints = Template("{name} prints something at each call: a program that plays a thousand games prints it as often")
    drawn = Template("{name} is right where no color occurs twice in a code, as in the codes that are drawn beside it")
    if any(each.changed for each in told):
        yield Told(of_codes, it.name)
    if example.type == PRINTED or any(each.printed for each in told):
        yield Told(silent if example.type == PRINTED else prints, it.name)
    if not it.repeats:
        yield Told(drawn, it.name)


def _is_pair(example: CallResult) -> bool:
    return example.type == "tuple" and len(example.value) == 2 and all(isinstance(each, int) for each in example.value)


def _example(told: Sequence[CallResult]) -> CallResult:
    # An answer that says most.
    return max(told, key=lambda each: len(set(each.shown)))


def _boards(it: ExaminedFunction, form: str) -> Iterator[tuple[list[CodePair], list[CallResult]]]:
    for pegs, colors in BOARDS if it.repeats else ((2, 3), (3, 4)):
        pairs = all_pairs(pegs, colors, repeats=it.repeats)
        yield pairs, it.ask(form, pairs)


# ---------------------------------------------------------------------- what does not


def _mistaken(it: ExaminedFunction, tried: Sequence[TriedForm]) -> Examination:
    pair = it.pairs[0]
    for form, told in tried if it.is_of_another_course else ():
        if (which := _half(it.pairs, told)) is not None:
            answered = (Told("how many are well placed"), Told("how many are misplaced"))[which]
            text = _how_right(it, form, answered, len(told), told[0])
            return Examination(it.name, "right", "", text, form=form, compared=len(told), is_half=True)
    for form, told in tried:
        for mistake in MISTAKES:
            reading = _reading_of(mistake, it.pairs, told)
            if reading is not None:
                return _smallest(it, form, reading, mistake, told)
    playing = [(form, told) for form, told in tried if not all(each.error for each in told)]
    if not playing:
        form, told = tried[0]
        raises = Template("{call} raises {error}, and so does every other form of codes")
        text = Told(raises, it.call(form, pair), _error(told[0]))
        return Examination(it.name, "wrong", "crash", text, form=form, pair=pair)
    form, told = playing[0]
    if all(each.value is None and not each.error for each in told):
        text = Told("{call} returns None: a function without return gives that", call := it.call(form, pair))
        if any(each.printed for each in told):
            text = Told("{call} prints its answer and returns None: it must return it", call)
        return Examination(it.name, "wrong", "no answer", text, form=form, pair=pair)
    likeliest = [(*_likeliest(it.pairs, told), form, told) for form, told in playing]
    agreement, reading, form, told = max(likeliest, key=lambda each: each[0])
    # With fewer right answers than this share, parts of them are not taken for well placed and misplaced.
    if agreement >= 0.6:
        return _smallest(it, form, reading, None, told)
    unread = Template(
        "{fault}; {placed} well placed and {misplaced} misplaced would be right, and no way to read its answers "
        "makes most of them right"
    )
    text = Told(unread, what_it_gives(it.call(form, pair), told[0]), *right(*pair))
    return Examination(it.name, "unknown", "not understood", text, form=form, pair=pair)


def _reading_of(mistake: Mistake, pairs: Sequence[CodePair], told: Sequence[CallResult]) -> Reading | None:
    # The reading by which every answer is that of the mistake, whichever of the codes the function takes for the guess.
    if any(each.error for each in told):
        return None
    values, marks = [each.value for each in told], [mistake.evaluate(*pair) for pair in pairs]
    parts = parts_of(values)
    misplaced = _equal(parts, values, [each[1] for each in marks])
    placed = None if misplaced is None else _equal(parts, values, [each[0] for each in marks])
    if placed is None or misplaced is None:
        return None
    if mistake.kind == "no misplaced" and misplaced.kind == "count":
        return None  # a mark that never occurs
    return Reading(placed, misplaced)


def _likeliest(pairs: Sequence[CodePair], told: Sequence[CallResult]) -> tuple[float, Reading]:
    # The reading by which the most answers are right.
    truth = [right(*pair) for pair in pairs]
    values = [each.value for each in told]
    parts = parts_of([value for value in values if value is not None])[:12]
    readings = [Reading(one, other) for one in parts for other in parts if one != other and one.kind == other.kind]
    if not readings:
        return 0.0, USUAL_READING

    def share(reading: Reading) -> float:
        return sum(reading.of(value) == marks for value, marks in zip(values, truth, strict=True)) / len(truth)

    best = max(readings, key=share)
    return share(best), best


def _smallest(
    it: ExaminedFunction, form: str, reading: Reading, mistake: Mistake | None, told: Sequence[CallResult]
) -> Examination:
    # The first pair of the smallest board on which it is wrong; of those drawn where it plays with 4 pegs only.
    compared = 0
    for small, answers in _boards(it, form):
        if all(answer.error for answer in answers):
            continue
        wrong = _first_wrong(small, answers, reading)
        if wrong is not None and (len(wrong[0][0]) == it.pegs or _is_its_own(it, wrong, reading, mistake)):
            return _wrong(it, form, reading, wrong, mistake, compared)
        compared += len(small)
    wrong = _first_wrong(it.pairs, told, reading)
    assert wrong is not None
    return _wrong(it, form, reading, wrong, mistake, compared)


def _is_its_own(it: ExaminedFunction, wrong: WrongPair, reading: Reading, mistake: Mistake | None) -> bool:
    # Whether an answer on another number of pegs shows the mistake, and not that the function knows one number alone.
    if not it.is_of_another_course:
        return True
    pair, answer = wrong
    return mistake is not None and not answer.error and reading.of(answer.value) == mistake.evaluate(*pair)


def _wrong(
    it: ExaminedFunction, form: str, reading: Reading, wrong: WrongPair, mistake: Mistake | None, compared: int
) -> Examination:
    pair, answer = wrong
    gives = what_it_gives(it.call(form, pair), answer)
    text = Told("{fault}; {placed} well placed and {misplaced} misplaced is right", gives, *right(*pair))
    kind, why = ("wrong evaluation", "") if mistake is None else (mistake.kind, mistake.why)
    if answer.error:
        kind, why = "crash", ""
    return Examination(it.name, "wrong", kind, text, why, form, reading, compared, pair=pair)


def what_it_gives(call: str, answer: CallResult) -> str:
    """Say what a call has given."""
    return (
        Told("{call} raises {error}", call, _error(answer))
        if answer.error
        else Told("{call} returns {answer}", call, answer.shown)
    )


def _error(answer: CallResult) -> str:
    return answer.error if answer.line is None else Told("{error} (line {line})", answer.error, answer.line)
