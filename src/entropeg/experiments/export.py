"""Writes runs as tables for other programs: CSV, JSON, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from entropeg.errors import InputError
from entropeg.experiments.results import Run
from entropeg.files import FileKind, write_whole
from entropeg.files.parquet import polars, write_frame
from entropeg.told import Told

if TYPE_CHECKING:
    from polars import DataFrame

    from entropeg.experiments.adjusted import AdjustedMean

COLUMNS = ("rules", "codebreaker", "codemaker", "seed", "plan", "game", "outcome", "guesses")
"""Columns of the table of games. `guesses` is empty for a lost game; `game_seed(seed, game)` repeats one."""


TABLE = FileKind(Told("a table of games"), lambda content: content.startswith(",".join(COLUMNS).encode()))


def rows(runs: Iterable[Run]) -> Iterator[tuple[Any, ...]]:
    """Give one row a game, in the order of COLUMNS."""
    for run in runs:
        identity = (str(run.rules), run.codebreaker, run.codemaker, run.seed, run.plan)
        for game, guesses in zip(run.games.tolist(), run.guesses.tolist(), strict=True):
            yield (*identity, game, "won" if guesses else "lost", guesses or None)


def runs_data(runs: Sequence[Run], means: Sequence[AdjustedMean | None] | None = None) -> dict[str, Any]:
    """Return the runs of one arena as plain data for `json.dumps`: what `entropeg arena --json` writes.

    `means` are the means without luck, None where a run has none. The games themselves are left out (`Run.to_json` has
    them). Raises InputError where there is no run.

    >>> from entropeg import arena
    >>> data = runs_data(arena("first-consistent", "honest", "3x3", all_secrets=True))
    >>> data["plan"], data["runs"][0]["worst"], data["runs"][0]["adjusted"]
    ('all-secrets', 5, None)
    """
    if not runs:
        raise InputError("there is no run to write")
    listed = [None] * len(runs) if means is None else means
    first = runs[0]
    return {
        "rules": str(first.rules),
        "plan": first.plan,
        "seed": first.seed,
        "planned": first.planned,
        "runs": [
            {"codebreaker": run.codebreaker, "codemaker": run.codemaker}
            | {**run.statistics.to_json(), "seconds": run.seconds, "fault": run.fault or None}
            | {"adjusted": None if mean is None else mean.to_json()}
            for run, mean in zip(runs, listed, strict=True)
        ],
    }


def write_csv(runs: Sequence[Run], path: str | Path) -> None:
    """Write one line a game under a line of names.

    Raises InputError where the file cannot be written; then it is as before.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(runs))
    write_whole(path, text.getvalue().encode(), TABLE)


def write_parquet(runs: Sequence[Run], path: str | Path) -> None:
    """Write the table of `write_csv` as Parquet.

    Raises MissingExtraError without the extra `parquet`, else errors as `write_csv`.
    """
    is_ours = FileKind(
        Told("a Parquet file of games"), lambda content: content.startswith(b"PAR1") and b"codemaker" in content
    )
    write_frame(frame_of_games(runs), path, is_ours)


def frame_of_games(runs: Iterable[Run]) -> DataFrame:
    """Return a polars data frame of one row a game; seeds are text: they may be larger than the numbers of a column."""
    table = [(*row[:3], str(row[3]), *row[4:]) for row in rows(runs)]
    pl = polars()
    numbers = {"game": pl.Int64, "guesses": pl.Int64}
    columns = {name: numbers.get(name, pl.String) for name in COLUMNS}
    frame: DataFrame = pl.DataFrame(table, schema=columns, orient="row")
    return frame
