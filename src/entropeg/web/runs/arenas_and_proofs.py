"""Does in its process what a run is for: plays an arena, or searches for the optimum of a board.

The games of an arena go into a store beside the run as they finish, a search has its checkpoint there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from entropeg import signals
from entropeg.codes import format_code
from entropeg.compiling import told_of_compilation
from entropeg.errors import InputError
from entropeg.experiments.adjusted import AdjustedMean, adjusted_mean
from entropeg.experiments.export import runs_data
from entropeg.experiments.paired import differences
from entropeg.experiments.results import Progress, Run
from entropeg.experiments.runner import arena
from entropeg.files import replacing
from entropeg.rules import Rules
from entropeg.search.results import SearchProgress
from entropeg.told import Joined, Told, plural
from entropeg.tree.optimum import MEGABYTE, Optimum, optimal
from entropeg.web.inputs import codebreaker_of, codemaker_of
from entropeg.web.runs.kept import tree_name
from entropeg.web.runs.value import RunTask, Tell


def play_arena(task: RunTask, tell: Tell) -> tuple[str, dict[str, Any]]:
    """Play the rest of an arena; how it ended, and its data. Where it is interrupted, its store has the games."""
    asked, standing = task.request, Standing(task.request)
    # The request was checked when it came, and has been in a file since.
    for name in asked["codebreakers"]:
        codebreaker_of(name)
    for name in asked["codemakers"]:
        codemaker_of(name)

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
    compared = [each.to_json() for each in differences(runs)]
    data = {**runs_data(runs, means), "differences": compared, "says": [run.line for run in runs] + notes}
    return "stopped" if signals.is_heard() else "done", data


class Standing:
    """Where an arena stands: a row for each pair that was begun.

    >>> arena = Standing({"codebreakers": ["random"], "codemakers": ["honest"], "games": 8})
    >>> arena.after(Progress(("random", "honest"), 2, 8, counts=((0, 1), (3, 1))))["rows"]
    [{'codebreaker': 'random', 'codemaker': 'honest', 'done': 2, 'total': 8, 'lost': 1, 'mean': 3.0, \
'histogram': {'3': 1}}]
    """

    def __init__(self, asked: Mapping[str, Any]) -> None:
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
        says = Told("{done:,} of {games}", done, plural(total, "{n} game", "{n} games"))
        return {
            "done": done,
            "total": total,
            "says": Joined([says, doing], Told("; ")) if doing else says,
            "rows": list(self.rows.values()),
        }


def _means(
    runs: list[Run], task: RunTask, standing: Standing, tell: Tell
) -> tuple[list[AdjustedMean | None], list[str]]:
    """The means without luck, None where luck cannot be told apart, and why not."""
    means: list[AdjustedMean | None] = []
    notes: list[str] = []
    for run in runs:

        def report(done: int, total: int, run: Run = run) -> None:
            tell(standing.told(Told("{codebreaker} without luck: {done:,} of {total:,}", run.codebreaker, done, total)))

        mean = None
        try:
            mean = None if signals.is_heard() else adjusted_mean(run, jobs=task.jobs, progress=report)
        except InputError as error:
            notes.append(
                Told(
                    "no mean without luck of {codebreaker} against {codemaker}: {why}",
                    *(run.codebreaker, run.codemaker, error),
                )
            )
        except KeyboardInterrupt:  # the games are there, and are told without it
            pass
        means.append(mean)
    return means, notes


def prove(task: RunTask, tell: Tell) -> tuple[str, dict[str, Any] | None]:
    """Prove, or go on with the proof; how it ended, and the result."""
    asked = task.request
    rules = Rules.parse(asked["rules"], files=False)

    def report(progress: SearchProgress) -> None:
        tell(standing(progress, rules))

    compiling = Told("the search is compiled, once on a machine, for some 20 seconds")
    with told_of_compilation(lambda: tell({"done": None, "total": None, "says": compiling})):
        found = optimal(
            rules,
            worst=asked["worst"],
            time=min(asked["seconds"], task.seconds),
            memory=task.table / MEGABYTE,
            threads=task.jobs,
            checkpoint=task.file(".proof"),
            progress=report,
        )
    name = _saved(found, task) if found.root is not None else None
    result = {**found.to_json(), "tree": name, "says": list(found.lines())}
    return "stopped" if found.is_interrupted else "done", result


def standing(progress: SearchProgress, rules: Rules) -> dict[str, Any]:
    """Return where a search stands as the progress of a run.

    >>> standing(SearchProgress((0, 0, 1), 2, 70, 74, 5, 0.1), Rules.parse("3x3"))["says"]
    'total >= 70 and <= 74; gap 5.71 %; first guess AAB (2 to settle); 5 guesses tried'
    """
    return {
        "done": None,
        "total": None,
        "says": Joined(progress.told(rules), Told("; ")),
        "lower": progress.lower,
        "upper": progress.upper,
        "opening": None if progress.opening is None else format_code(progress.opening, rules),
        "openings_left": progress.openings_left,
        "guesses_tried": progress.nodes,
    }


def _saved(found: Optimum, task: RunTask) -> str | None:
    """Keep the strategy among the trees of the server; its name there, None where it cannot be kept."""
    tree = found.checked()
    kind = "worst" if task.request["worst"] else "optimal" if found.is_exact else "best"
    name = tree_name(task.run, kind, task.request["rules"])
    with suppress(InputError, OSError), replacing():
        Path(task.trees).mkdir(parents=True, exist_ok=True)
        if tree is not None:
            tree.save(Path(task.trees) / name)
            return name
    return None
