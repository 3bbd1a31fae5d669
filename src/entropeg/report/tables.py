"""The numbers of a report as rows, and rows as CSV."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

from entropeg.experiments.laws import Law, law
from entropeg.plots import gap_to_law
from entropeg.report.experiments import Result
from entropeg.report.findings import CheckedClaim, spread

TableRow = dict[str, Any]


def law_of(result: Result) -> Law | None:
    """Return the law that theory gives an experiment: only an honest codemaker leaves one.

    One's own codebreaker has that of the player of ours that it is meant to play like.
    """
    experiment = result.experiment
    return law(experiment.counterpart, experiment.rules) if experiment.is_honest and experiment.counterpart else None


def statistics_rows(results: Sequence[Result]) -> list[TableRow]:
    """Return one row an experiment: games, mean, interval, spread, theory, or the reason why it was not played."""
    return [{**_who(result), **_statistics(result), "not_played_because": result.reason} for result in results]


def _who(result: Result) -> TableRow:
    experiment = result.experiment
    return {
        "rules": str(experiment.rules),
        "codebreaker": experiment.codebreaker,
        "codemaker": experiment.codemaker,
        "plan": "all-secrets" if experiment.all_secrets else "games",
        "seed": "" if result.run is None else result.run.seed,
    }


def _statistics(result: Result) -> TableRow:
    law = law_of(result)
    theory = "" if law is None else law.mean
    if result.run is None:
        return dict.fromkeys(_MEASURED, "") | {"theoretical_mean": theory}
    numbers = result.run.statistics
    low, high = numbers.interval or ("", "")
    gap, limit = gap_to_law(result.run, law) if law is not None and numbers.won else ("", "")
    values = [numbers.count, numbers.won, numbers.lost, numbers.mean, low, high, spread(result.run), numbers.median]
    return dict(zip(_MEASURED, [*values, numbers.worst, numbers.total, theory, gap, limit], strict=True))


_MEASURED = (
    *("games", "won", "lost", "mean", "mean_low_95", "mean_high_95", "standard_deviation", "median", "worst", "total"),
    *("theoretical_mean", "gap_to_law", "gap_allowed_95"),
)


def histogram_rows(results: Sequence[Result]) -> list[TableRow]:
    """Return one row for each number of guesses that occurred in each experiment."""
    return [
        {**_who(result), "guesses": guesses, "games": games}
        for result in results
        if result.run is not None
        for guesses, games in sorted(result.run.statistics.histogram.items())
    ]


def time_rows(results: Sequence[Result]) -> list[TableRow]:
    """Return one row an experiment that was played: seconds of processor time a game. They alone differ each time."""
    return [
        {
            **_who(result),
            "games": result.run.statistics.count,
            "seconds_per_game": result.run.statistics.seconds_per_game,
        }
        for result in results
        if result.run is not None
    ]


def claim_rows(findings: Sequence[CheckedClaim]) -> list[TableRow]:
    """Return one row a claim: the document's figure, ours, the verdict and the remark."""
    return [
        {
            "document": finding.claim.document,
            "place": finding.claim.place,
            "statement": finding.claim.says,
            "quotation": finding.claim.quote,
            "document_figure": finding.claim.written,
            "measured": "" if finding.measured is None else finding.measured.text,
            "interval_95": "" if finding.measured is None else finding.measured.interval,
            "verdict": finding.verdict,
            "remark": finding.remark,
        }
        for finding in findings
    ]


def to_csv(rows: Sequence[TableRow]) -> bytes:
    """Return rows as a CSV file in UTF-8, the columns those of the first row; nothing for no rows."""
    if not rows:
        return b""
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()
