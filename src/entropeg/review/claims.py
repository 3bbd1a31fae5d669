"""Checks claims on how few guesses a board takes: impossible, that of a known strategy, or plausible, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from entropeg import arguments, codebreakers
from entropeg.errors import InputError
from entropeg.plain_values import PlainValue
from entropeg.review.level import guesses_of
from entropeg.rules import Rules
from entropeg.search.bounds import GRADES, best, bounds
from entropeg.search.known import KnownValue, known_values
from entropeg.told import Joined, Template, Told, word

EXAMPLE = "4x6 mean 4.25"
LONGEST = 30
"""Digits that a claimed number may have."""

_CLAIM = re.compile(r"\s*(\S+)\s+(mean|worst|total)\s*[=:≈~]?\s*(\S+)\s*", re.IGNORECASE)


class ClaimMeasure(StrEnum):
    """What a claim counts: guesses on average over all secrets, against the hardest one, or summed over all."""

    mean = "mean"
    worst = "worst"
    total = "total"

    @property
    def told(self) -> Told:
        """What it counts, for people."""
        words = {"mean": word("kind", "mean"), "worst": word("kind", "worst"), "total": word("kind", "total")}
        return words[self.value]


class Ruling(StrEnum):
    """The verdict on a claim."""

    impossible = "impossible"
    known = "known"
    plausible = "plausible"


@dataclass(frozen=True)
class FigureClaim:
    """A claim: a number of guesses by some measure, written with a precision.

    `half_step` is half a unit of the last digit: a mean of 4.34 may be anything from 4.335 to 4.345.

    >>> FigureClaim.of("4x6 mean 4.25").half_step
    Fraction(1, 200)
    """

    rules: Rules
    measure: ClaimMeasure
    value: Fraction
    half_step: Fraction
    text: str = ""

    @classmethod
    def of(cls, text: str) -> FigureClaim:
        """Read a claim as `4x6 mean 4.25`, `4x8 worst 6`, `4x6 total 5625`; raises InputError with an example."""
        text = arguments.text(text, "the claim")
        match = _CLAIM.fullmatch(text)
        if match is None:
            raise InputError(
                "{text!r} is no claim: write a board, mean, worst or total, and a number, as {example}", text, EXAMPLE
            )
        return cls._of(Rules.parse(match[1]), match[2], match[3], " ".join(text.split()))

    @classmethod
    def _of(cls, rules: Rules, measure: str, number: str, text: str) -> FigureClaim:
        kind = ClaimMeasure(measure.casefold())
        value, step = _number(number)
        if kind is not ClaimMeasure.mean and value.denominator > 1:
            raise InputError("{number!r} is no {kind}: it is a whole number of guesses", number, kind)
        return cls(rules, kind, value, step if kind is ClaimMeasure.mean else Fraction(0), text)


def _number(text: str) -> tuple[Fraction, Fraction]:
    wanted = Told("{text!r} is not a number of guesses: write it as 4.25, 6, or 5625/1296", text)
    numerator, slash, denominator = text.partition("/")
    if slash:
        if not all(part.isascii() and part.isdecimal() and len(part) <= LONGEST for part in (numerator, denominator)):
            raise InputError(wanted)
        if not int(denominator):
            raise InputError(wanted)
        value, step = Fraction(int(numerator), int(denominator)), Fraction(0)
    else:
        if not re.fullmatch(rf"[0-9]{{1,{LONGEST}}}([.,][0-9]{{0,{LONGEST}}})?", text):
            raise InputError(wanted)
        try:
            number = Decimal(text.replace(",", "."))
        except InvalidOperation:
            raise InputError(wanted) from None
        digits = -int(number.as_tuple().exponent)
        value, step = Fraction(number), Fraction(1, 2 * 10**digits)
    if value < 1:
        raise InputError("{text!r} is less than one guess: the winning guess counts", text)
    return value, step


@dataclass(frozen=True)
class ClaimCheck(PlainValue):
    """A claim with its verdict, and a sentence that says why, with the source and its grade."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("claim=claim.text", "rules=claim.rules", "measure=claim.measure", "value", "verdict", "reason"),
    )

    claim: FigureClaim
    verdict: Ruling
    reason: str

    def __repr__(self) -> str:
        return f"<ClaimCheck {self.claim.text}: {self.verdict.value}>"

    @property
    def sentence(self) -> str:
        """The verdict in words."""
        match self.verdict:
            case Ruling.impossible:
                template = Template("{claim}: impossible: {reason}")
            case Ruling.known:
                template = Template("{claim}: that of a known strategy: {reason}")
            case _:
                template = Template("{claim}: plausible: {reason}")
        return Told(template, self.claim.text, self.reason)

    @property
    def value(self) -> float:
        """The number that it claims."""
        return float(self.claim.value)


def check_claim(claim: FigureClaim | str) -> ClaimCheck:
    """Hold a claim against what is proven and known of its board.

    Impossible: less than a proven optimum or bound, even at the end of what its digits may mean. Known: it is the
    figure of a strategy that is reported, or of a built-in codebreaker which plays every secret of a small board here,
    within its digits. Else plausible, which says no more than that nothing proven is against it.

    >>> check_claim("4x7 mean 4.25").sentence[:85]
    '4x7 mean 4.25: impossible: no strategy takes less than 11228/2401 = 4.6764 on average'
    >>> check_claim("4x6 mean 4.476").reason[:45]
    'as 5801/1296 = 4.4761 on average of minimax ('
    """
    claim = claim if isinstance(claim, FigureClaim) else FigureClaim.of(claim)
    rules = claim.rules.with_limit(None)
    known = [] if rules.prior is not None else known_values(rules)
    measure, count = claim.measure, rules.secret_count
    value, step = claim.value, claim.half_step
    if measure is ClaimMeasure.total:
        measure, value = ClaimMeasure.mean, Fraction(claim.value, count)
    least = max(_least(rules, known, measure), key=lambda one: one[0], default=None)
    if least is not None and value + step < least[0]:
        reason = Told("no strategy takes less than {figure} ({source})", _told(least[0], count, measure), least[1])
        return ClaimCheck(claim, Ruling.impossible, reason)
    figures = list[tuple[Fraction, KnownValue]]()
    for source in (lambda: known, lambda: _played(rules)):  # a reported figure need not be played
        figures += _figures(source(), measure, count)
        nearest = min(figures, key=lambda one: abs(one[0] - value), default=None)
        if nearest is not None and abs(nearest[0] - value) <= step:
            of = nearest[1].strategy, GRADES[nearest[1].grade]
            reason = Told("as {figure} of {strategy} ({grade})", _told(nearest[0], count, measure), *of)
            return ClaimCheck(claim, Ruling.known, reason)
    return ClaimCheck(claim, Ruling.plausible, _placed(value, least, figures, measure, count))


def _least(rules: Rules, known: list[KnownValue], measure: ClaimMeasure) -> Iterator[tuple[Fraction, str]]:
    """Return the least that is proven, with its source."""
    for one in known:
        # Nobody has verified figures of this grade: nothing is called impossible by them.
        if one.grade == "M":
            continue
        if measure is ClaimMeasure.mean and one.strategy == "optimum" and one.total is not None:
            yield Fraction(one.total, rules.secret_count), Told("optimum, {grade}", GRADES[one.grade])
        if measure is ClaimMeasure.worst and one.strategy == "least worst case" and one.worst is not None:
            yield Fraction(one.worst), Told("least worst case, {grade}", GRADES[one.grade])
    bound = best(bounds(rules), "lower", "worst" if measure is ClaimMeasure.worst else "mean")
    if bound is not None:
        # A bound that is a float may be off in its last digits.
        safe = Fraction(bound.value) if float(bound.value).is_integer() else Fraction(bound.value * (1 - 1e-12))
        match bound.name:
            case "information":
                yield safe, Told("information bound, {grade}", GRADES[bound.grade])
            case "counting":
                yield safe, Told("counting bound, {grade}", GRADES[bound.grade])
            case name:
                yield safe, Told("{bound} bound, {grade}", name, GRADES[bound.grade])


@lru_cache(maxsize=32)
def _played(rules: Rules) -> tuple[KnownValue, ...]:
    """Built-in codebreakers, where they play every secret at once."""
    # On boards of fewer pairs of a guess and a secret all are played: Bulls and Cows takes some seconds.
    if rules.prior is not None or rules.secret_count * rules.guess_count > 30_000_000:
        return ()
    found = []
    for name in codebreakers.registry.placed("quoted"):
        try:
            turns = guesses_of(name, rules)
        except InputError:  # it does not play by these rules
            continue
        found.append(
            KnownValue(str(rules), name, "S", Told("played here"), total=int(turns.sum()), worst=int(turns.max()))
        )
    return tuple(found)


def _figures(known: Sequence[KnownValue], measure: ClaimMeasure, count: int) -> Iterator[tuple[Fraction, KnownValue]]:
    for one in known:
        if measure is ClaimMeasure.worst:
            if one.worst is not None:
                yield Fraction(one.worst), one
        elif one.total is not None:
            yield Fraction(one.total, count), one
        elif one.mean is not None:
            yield Fraction(one.mean).limit_denominator(10**9), one


def _told(value: Fraction, count: int, measure: ClaimMeasure) -> str:
    if measure is ClaimMeasure.worst:
        return Told("{guesses:g} in the worst case", float(value))
    total = value * count
    if total.denominator == 1 and count < 10**9:
        return Told("{fraction} = {guesses:.4f} on average", f"{total.numerator}/{count}", float(value))
    return Told("{guesses:.4f} on average", float(value))


def _placed(
    value: Fraction,
    least: tuple[Fraction, str] | None,
    figures: list[tuple[Fraction, KnownValue]],
    measure: ClaimMeasure,
    count: int,
) -> str:
    """Say between which known figures a plausible one lies."""
    below = max((one for one in figures if one[0] < value), key=lambda one: one[0], default=None)
    above = min((one for one in figures if one[0] > value), key=lambda one: one[0], default=None)
    said = []
    if below is not None:
        figure, strategy = _told(below[0], count, measure), below[1].strategy
        said.append(Told("more than {figure} of {strategy}", figure, strategy))
    elif least is not None:
        said.append(Told("no less than {figure} ({source})", _told(least[0], count, measure), least[1]))
    if above is not None:
        template = (
            Template("fewer than every strategy known here: {figure} of {strategy}")
            if below is None
            else Template("less than {figure} of {strategy}")
        )
        said.append(Told(template, _told(above[0], count, measure), above[1].strategy))
    return Joined(said, ", ") if said else Told("nothing is known of the board")


def check_claims(text: str, name: str = Told("the table")) -> tuple[ClaimCheck, ...]:
    r"""Check a table of claims, as CSV of three columns: the board, the measure, the number. A heading may stand first.

    Columns are divided by commas, or by semicolons or tabs where there are any.
    Lines of claims as `check_claim` reads them will do as well. Raises InputError with the number of the line.

    >>> [one.verdict.value for one in check_claims("rules,measure,value\n4x6,mean,4.2\n4x6,worst,5")]
    ['impossible', 'known']
    """
    checks: list[ClaimCheck] = []
    text = arguments.text(text, "the claims")
    mark = next((mark for mark in ";\t" if mark in text), ",")
    for number, line in enumerate(text.splitlines(), start=1):
        cells = [cell.strip().strip('"').strip() for cell in line.split(mark) if cell.strip()]
        if not cells or (not checks and cells[0].casefold() in {"rules", "board"}):
            continue
        try:
            checks.append(check_claim(line if _CLAIM.fullmatch(line) else " ".join(cells)))
        except InputError as error:
            raise InputError("{file}, line {number}: {error}", name, number, error) from None
    if not checks:
        raise InputError("{file} holds no claim: write one a line, as {example}", name, EXAMPLE)
    return tuple(checks)
