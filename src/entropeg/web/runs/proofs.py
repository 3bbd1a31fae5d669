"""Searches for the optimum of a board in the process of a run, with a checkpoint beside the run."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from entropeg.codes import format_code
from entropeg.compiling import told_of_compilation
from entropeg.errors import InputError
from entropeg.files import replacing
from entropeg.rules import Rules
from entropeg.search.results import SearchProgress
from entropeg.tree.optimum import MEGABYTE, Optimum, optimal
from entropeg.web.runs.kept import tree_name

if TYPE_CHECKING:
    from entropeg.web.runs.task import RunTask, Tell

COMPILING = "the search is compiled, once on a machine, for some 20 seconds"


def prove(task: RunTask, tell: Tell) -> tuple[str, dict[str, Any] | None]:
    """Prove, or go on with the proof; how it ended, and what was found."""
    asked = task.request
    rules = Rules.parse(asked["rules"], files=False)

    def report(progress: SearchProgress) -> None:
        tell(standing(progress, rules))

    with told_of_compilation(lambda: tell({"done": None, "total": None, "says": COMPILING})):
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
        "says": "; ".join(progress.told(rules)),
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
