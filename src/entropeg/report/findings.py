"""Compares claims of the documents with runs: measured values, their intervals, and whether the figures lie in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, hypot, log10, sqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from entropeg.experiments.confidence import Z, student
from entropeg.plots import number
from entropeg.report.documents import Claim
from entropeg.told import Joined, Told

if TYPE_CHECKING:
    from entropeg.experiments.runner import Run

ClaimVerdict: TypeAlias = Literal["holds", "near", "differs", "elsewhere", "unmeasured"]

VERDICTS: dict[str, Told] = {
    "holds": Told("✓ holds"),
    "near": Told("≈ within chance"),
    "differs": Told("✗ does not hold"),
    "elsewhere": Told("≠ not here"),
    "unmeasured": Told("– not measured"),
}
"""How verdicts are written: a sign and words, so that no color is needed."""


@dataclass(frozen=True)
class Measured:
    """A measured quantity: its value, and half the width of its 95 % interval.

    `half` is 0 for an exact value and None where no interval can be given (run times). `spread` is the standard error
    that one single game would give: divided by the square root of a number of games it is the standard error of a
    document that played that number. `student` is half the interval in standard errors.
    """

    value: float
    half: float | None = 0.0
    spread: float = 0.0
    student: float = Z
    is_percent: bool = False
    said: str = ""
    """Words to show instead of the value."""
    without: str = Told("no interval")
    """Words to show where there is no interval."""

    @property
    def text(self) -> str:
        """The value with its unit."""
        value = self._write(self.value)
        return self.said or (Told("{value} %", value) if self.is_percent else value)

    @property
    def interval(self) -> str:
        """The interval, or the words in its place."""
        if self.half is None:
            return self.without
        if not self.half:
            return Told("exact")
        ends = self._write(self.value - self.half), self._write(self.value + self.half)
        return Told("{low} to {high} %", *ends) if self.is_percent else Told("{low} to {high}", *ends)

    def _write(self, value: float) -> str:
        decimals = 0 if float(value).is_integer() else 4
        if self.half:  # two significant digits of the uncertainty
            decimals = max(0, 1 - floor(log10(self.half)))
        thousands = "," if abs(value) >= 10_000 else ""
        template = f"{{value:{thousands}.{decimals}f}}"
        return Told(template, value)


@dataclass(frozen=True)
class CheckedClaim:
    """A claim and what became of it."""

    claim: Claim
    measured: Measured | None
    verdict: ClaimVerdict
    remark: str

    @property
    def words(self) -> Told:
        """The verdict as the page writes it."""
        return VERDICTS[self.verdict]


def find(claim: Claim, runs: Mapping[str, Run], missing: Mapping[str, str]) -> CheckedClaim:
    """Hold a claim against the runs, by the keys of their experiments; `missing` says why others were not played."""
    absent = [key for key in claim.runs if key not in runs]
    if absent:
        reason = missing.get(absent[0], Told("{experiment} was not played", absent[0]))
        return CheckedClaim(claim, None, "unmeasured", reason)
    chosen = [runs[key] for key in claim.runs]
    if any(not run.statistics.won for run in chosen):
        return CheckedClaim(claim, None, "unmeasured", Told("no game was won"))
    measured = measure(claim.measure, chosen)
    verdict = judge(claim, measured)
    remarks = [claim.note, claim.why if verdict in ("differs", "elsewhere") else ""]
    if verdict == "near":
        remarks.append(
            Told("Outside our interval, but within what the document’s {games:,} games leave to chance.", claim.games)
        )
    return CheckedClaim(claim, measured, verdict, Joined(filter(None, remarks), " "))


def judge(claim: Claim, measured: Measured) -> ClaimVerdict:
    """Return whether a claim holds, by the test it names.

    `holds`: the figure lies in the 95 % interval of the measured value (where that is exact: equals it as far as it is
    written). `near`: it does not, but the difference is within the 95 % limit of the two samples, the document's games
    having the same spread. `elsewhere`: what depends on the machine has another order of magnitude here.
    """
    value, half = measured.value, measured.half or 0.0
    if claim.test == "order":
        return "holds" if claim.value / sqrt(10) <= value <= claim.value * sqrt(10) else "elsewhere"
    if claim.test != "equals":
        passed = {
            "below": value + half < claim.value,
            "at most": value <= claim.value,
            "above": value - half > claim.value,
        }[claim.test]
        return "holds" if passed else "differs"
    rounding = _rounding(claim.written)
    if abs(value - claim.value) <= (half or rounding):
        return "holds"
    theirs = measured.student * measured.spread / sqrt(claim.games) if claim.games else 0.0
    return "near" if claim.games and abs(value - claim.value) <= hypot(half, theirs) + rounding else "differs"


def _rounding(written: str) -> float:
    """Return half a unit of the last digit of a figure as it is written: 0.05 for `≈ 5.5`, 0.5 for `6`."""
    digits = "".join(character for character in written if character.isdigit() or character == ".")
    return 0.5 * 10.0 ** -len(digits.partition(".")[2])


def measure(name: str, runs: list[Run]) -> Measured:
    """Measure a named quantity on runs; raises KeyError for a name that is not in `MEASURES`."""
    if name.startswith("games of "):
        return Measured(float(runs[0].statistics.histogram.get(int(name.removeprefix("games of ")), 0)))
    return MEASURES[name](*runs)


def _error(run: Run) -> float:
    """Return the standard error of a mean: 0 where it is exact."""
    return 0.0 if run.statistics.exact else spread(run) / sqrt(max(run.statistics.won, 1))


def _student(runs: Sequence[Run], errors: Sequence[float]) -> float:
    """Return half a 95 % interval in standard errors, where the squares of these are added up (Welch 1947).

    By Student's law, the degrees of freedom rounded down.
    """
    parts = [(error**4, run.statistics.won - 1) for run, error in zip(runs, errors, strict=True) if error]
    total = sum(error * error for error in errors) ** 2
    if not parts:
        return Z
    # Of two games there is one degree, which must not be rounded down to none.
    return student(max(1, int(total / sum(square / freedom for square, freedom in parts))))


def spread(run: Run) -> float:
    """Return the standard deviation of the number of guesses, over the games won (divisor n - 1)."""
    guesses = np.asarray(run.guesses, dtype=float)
    guesses = guesses[guesses > 0]
    return float(guesses.std(ddof=1)) if len(guesses) > 1 else 0.0


def _seen(run: Run) -> float | None:
    """Return the half interval of a value read off games: none where they are a sample."""
    return 0.0 if run.statistics.exact else None


def _mean(run: Run) -> Measured:
    if not run.statistics.exact and not spread(run):
        return Measured(run.statistics.mean, None, said=number(run.statistics.mean), without=Told("all games alike"))
    return _measured(run.statistics.mean, [run], [1.0])


def _measured(value: float, runs: Sequence[Run], scales: Sequence[float]) -> Measured:
    """Return a value that changes by some amount with the mean of each run."""
    errors = [scale * _error(run) for run, scale in zip(runs, scales, strict=True)]
    spreads = [scale * spread(run) for run, scale in zip(runs, scales, strict=True)]
    t = _student(runs, errors)
    return Measured(value, t * hypot(*errors), hypot(*spreads), t)


def _excess(longer: Run, shorter: Run) -> Measured:
    return _measured(longer.statistics.mean - shorter.statistics.mean, [longer, shorter], [1.0, 1.0])


def _factor(longer: Run, shorter: Run) -> Measured:
    # The delta method: relative errors add in squares.
    means = longer.statistics.mean, shorter.statistics.mean
    ratio = means[0] / means[1]
    return _measured(ratio, [longer, shorter], [ratio / means[0], ratio / means[1]])


def _excess_percent(longer: Run, shorter: Run) -> Measured:
    factor = _factor(longer, shorter)
    return replace(
        factor,
        value=100 * (factor.value - 1),
        half=100 * (factor.half or 0.0),
        spread=100 * factor.spread,
        is_percent=True,
    )


def _usual(run: Run) -> Measured:
    histogram = run.statistics.histogram
    usual = max(histogram, key=lambda guesses: histogram[guesses])
    share = 100 * histogram[usual] / run.statistics.won
    return Measured(float(usual), _seen(run), said=Told("{guesses} ({share:.0f} % of the games)", usual, share))


def _shortfall(run: Run, reference: Run) -> Measured:
    longest, possible = run.statistics.worst, reference.statistics.worst
    said = Told("{longest} of at most {possible}", longest, possible)
    return Measured(float(possible - longest), None, said=said)


def _time_factor(longer: Run, shorter: Run) -> Measured:
    factor = longer.statistics.seconds_per_game / max(shorter.statistics.seconds_per_game, 1e-12)
    return Measured(factor, None, said=Told("× {factor}", number(factor)))


MEASURES: dict[str, Callable[..., Measured]] = {
    "mean": _mean,
    "excess": _excess,
    "excess percent": _excess_percent,
    "factor": _factor,
    "usual": _usual,
    "longest": lambda run: Measured(float(run.statistics.worst), _seen(run)),
    "total": lambda run: Measured(float(run.statistics.total)),
    "shortfall": _shortfall,
    "time factor": _time_factor,
}
"""Quantities that claims are about. Means have the interval of Student's law, ratios the delta method."""


def summary(findings: list[CheckedClaim]) -> dict[str, int]:
    """Return how many findings have each verdict, verdicts without any left out."""
    counts = {verdict: sum(finding.verdict == verdict for finding in findings) for verdict in VERDICTS}
    return {verdict: count for verdict, count in counts.items() if count}
