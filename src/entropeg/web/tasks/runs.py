"""Checks requests for long runs, and reads results stores, in worker processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from entropeg.errors import InputError
from entropeg.experiments.export import runs_data
from entropeg.experiments.store import Store
from entropeg.web.runs.requests import checked


def check(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a run is asked for, complete: players may take their time to say that they cannot play."""
    return checked(data["kind"], data["asked"], data["limits"])


def listed(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the runs of a results store, without their games."""
    path = Path(data["path"])
    return [
        {
            "number": run.number,
            "request": {
                "rules": run.rules,
                "codebreakers": [run.codebreaker],
                "codemakers": [run.codemaker],
                "games": run.planned,
                "seed": run.seed,
                "all_secrets": run.plan == "all-secrets",
                "adjusted": False,
            },
            "played": run.played,
            "seconds": run.seconds,
        }
        for run in _said(path, lambda: Store(path).listed())
    ]


def shown(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of one run of a results store, as `entropeg arena --json` writes them; None without games."""
    path = Path(data["path"])
    run = _said(path, lambda: Store(path).run(data["number"]))
    return {**runs_data([run]), "says": [run.line]}


def _said(path: Path, read: Any) -> Any:
    # Where the file lies is nobody's business but the owner's.
    try:
        return read()
    except InputError as error:
        raise InputError(str(error).replace(str(path), path.name)) from None
