"""Plays an arena in the process of a run: its games go into a store beside the run as they finish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from entropeg import signals
from entropeg.amounts import plural
from entropeg.errors import InputError
from entropeg.experiments.adjusted import AdjustedMean, adjusted_mean
from entropeg.experiments.export import runs_data
from entropeg.experiments.results import Progress, Run
from entropeg.experiments.runner import arena
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.web.runs.task import RunTask, Tell


def play_arena(task: RunTask, tell: Tell) -> tuple[str, dict[str, Any]]:
    """Play what is left of an arena; how it ended, and its data. Where it is interrupted, its store has the games."""
    asked, standing = task.request, Standing(task.request)

    def report(progress: Progress) -> None:
        tell(standing.after(progress))

    runs: list[Run] = arena(
        asked["codebreakers"],
        asked["codemakers"],
        Rules.parse(asked["rules"], files=False),
        games=asked["games"],
        all_secrets=asked["all_secrets"],
        seed=asked["seed"],
        jobs=task.jobs,
        store=task.file(".games"),
        progress=report,
    )
    means, notes = _means(runs, task, standing, tell) if asked["adjusted"] else (None, [])
    data = {**runs_data(runs, means), "says": [run.line for run in runs] + notes}
    return "stopped" if signals.is_heard() else "done", data


class Standing:
    """Where an arena stands: a row for each pair that was begun.

    >>> arena = Standing({"codebreakers": ["random"], "codemakers": ["honest"], "games": 8})
    >>> arena.after(Progress(("random", "honest"), 2, 8, counts=((0, 1), (3, 1))))["rows"]
    [{'codebreaker': 'random', 'codemaker': 'honest', 'done': 2, 'total': 8, 'lost': 1, 'mean': 3.0, \
'histogram': {'3': 1}}]
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
        """Nothing is played yet."""
        self.games: int = asked["games"]
        self.pairs = len(asked["codebreakers"]) * len(asked["codemakers"])
        self.rows: dict[int, dict[str, Any]] = {}

    def after(self, progress: Progress) -> dict[str, Any]:
        """Take what the arena tells, and return it as the progress of a run."""
        breaker, maker = progress.run
        won = {guesses: games for guesses, games in progress.counts if guesses}
        count = sum(won.values())
        # A histogram is told again and again while an arena runs: a long one is left out.
        self.rows[progress.number] = {
            "codebreaker": breaker,
            "codemaker": maker,
            "done": progress.done,
            "total": progress.total,
            "lost": dict(progress.counts).get(0, 0),
            "mean": sum(guesses * games for guesses, games in won.items()) / count if count else None,
            "histogram": {str(guesses): games for guesses, games in won.items()} if len(won) <= 100 else None,
        }
        return self.told(progress.under_way)

    def told(self, doing: str = "") -> dict[str, Any]:
        """Return it as the progress of a run."""
        done, total = sum(row["done"] for row in self.rows.values()), self.games * self.pairs
        says = f"{done:,} of {plural(total, 'game')}"
        return {
            "done": done,
            "total": total,
            "says": f"{says}; {doing}" if doing else says,
            "rows": list(self.rows.values()),
        }


def _means(
    runs: list[Run], task: RunTask, standing: Standing, tell: Tell
) -> tuple[list[AdjustedMean | None], list[str]]:
    """The means without luck, None where luck cannot be told apart, and why not."""
    means: list[AdjustedMean | None] = []
    notes = []
    for run in runs:

        def report(done: int, total: int, run: Run = run) -> None:
            tell(standing.told(f"{run.codebreaker} without luck: {done:,} of {total:,}"))

        mean = None
        try:
            mean = None if signals.is_heard() else adjusted_mean(run, jobs=task.jobs, progress=report)
        except InputError as error:
            notes.append(f"no mean without luck of {run.codebreaker} against {run.codemaker}: {error}")
        except KeyboardInterrupt:  # the games are there, and are told without it
            pass
        means.append(mean)
    return means, notes
