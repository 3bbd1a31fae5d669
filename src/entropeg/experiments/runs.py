"""Makes the list of runs that the arena gives back: a list in every way, a table in notebooks and data frames."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from entropeg.experiments.export import frame_of_games
from entropeg.experiments.results import Run
from entropeg.files.parquet import polars

if TYPE_CHECKING:
    from polars import DataFrame


class Runs(list[Run]):
    """Runs of an arena, in the order of its pairs.

    `str` writes a line a run; `frame` and `games` make data frames.
    """

    def __repr__(self) -> str:
        return "[" + ",\n ".join(map(repr, self)) + "]"

    def __str__(self) -> str:
        return "\n".join(run.line for run in self)

    def _repr_html_(self) -> str:
        """Draw the runs up as a table, for a notebook."""
        heads = ("rules", "codebreaker", "codemaker", "games", "mean", "95 %", "median", "worst", "lost")
        head = "".join(f"<th>{each}</th>" for each in heads)
        body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(run)) + "</tr>" for run in self)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    @overload
    def __getitem__(self, index: SupportsIndex) -> Run: ...

    @overload
    def __getitem__(self, index: slice) -> Runs: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Run | Runs:
        return Runs(super().__getitem__(index)) if isinstance(index, slice) else super().__getitem__(index)

    def __add__(self, other: list[Any]) -> Runs:  # type: ignore[override]
        return Runs([*self, *other])

    def frame(self) -> DataFrame:
        """Return a polars data frame of one row a run, with the columns of `Run.to_dict`.

        Raises MissingExtraError without the extra `parquet`, which brings polars.
        """
        pl = polars()
        may_miss = dict.fromkeys(("mean", "median", "low", "high"), pl.Float64)
        table = [run.to_dict() for run in self]
        frame: DataFrame = pl.DataFrame(table, schema_overrides=may_miss if table else {}, infer_schema_length=None)
        return frame

    def games(self) -> DataFrame:
        """Return a polars data frame of one row a game, with the columns of `export.COLUMNS`; errors as `frame`."""
        return frame_of_games(self)


def _cells(run: Run) -> list[str]:
    facts = run.statistics
    players = [str(run.rules), run.codebreaker, run.codemaker, f"{facts.count:,}"]
    if not facts.won:
        return [*players, "–", "", "–", "–", f"{facts.lost:,}"]
    spread = "exact" if facts.exact else facts.spread
    return [*players, f"{facts.mean:,.4f}", spread, f"{facts.median:,g}", f"{facts.worst:,}", f"{facts.lost:,}"]
