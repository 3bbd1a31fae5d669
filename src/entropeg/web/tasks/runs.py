"""Checks requests for long runs: whether they can be right, and whether the server does so much; and reads results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from entropeg.durations import duration
from entropeg.errors import InputError
from entropeg.experiments.export import runs_data
from entropeg.experiments.match import matches
from entropeg.experiments.store import Store
from entropeg.search.preparing import layout_options
from entropeg.search.reach import MATRIX_BYTES, Reach
from entropeg.told import Told, with_names
from entropeg.web.inputs import codebreaker_of, codemaker_of, rules_of
from entropeg.web.refusals import RefusedError, field
from entropeg.web.settings import ServerLimits

PLAYERS = 12
"""Codebreakers, or codemakers, of one arena at most."""


def arena_request(asked: dict[str, Any], limits: ServerLimits) -> dict[str, Any]:
    """Read `rules`, `codebreakers`, `codemakers`, `games`, `seed`, `all_secrets`, `adjusted`.

    >>> arena_request({"rules": "4x6", "codebreakers": ["random"]}, ServerLimits())["codemakers"]
    ['honest']
    """
    rules = rules_of(asked["rules"], limits)
    breakers = _players(asked.get("codebreakers") or [], "codebreakers", codebreaker_of, "entropy")
    makers = _players(asked.get("codemakers") or ["honest"], "codemakers", codemaker_of, "honest")
    all_secrets = bool(asked.get("all_secrets"))
    games = rules.secret_count if all_secrets else int(asked.get("games") or 1000)
    pairs = len(breakers) * len(makers)
    if games * pairs > limits.run_games:
        said = (
            Told(
                "{games:count} games of {pairs:,} pairs are more than the {most:,} that a run plays here",
                *(games, pairs, limits.run_games),
            )
            if pairs > 1
            else Told("{games:count} games are more than the {most:,} that a run plays here", games, limits.run_games)
        )
        raise RefusedError(said, "all_secrets" if all_secrets else "games", limits.run_games // pairs)
    seed = int(asked.get("seed") or 0)
    with field("codemakers", ["honest"]):
        matches(list(breakers), list(makers), rules, seed=seed, all_secrets=all_secrets)
    return {
        "rules": str(rules),
        "codebreakers": breakers,
        "codemakers": makers,
        "games": games,
        "seed": seed,
        "all_secrets": all_secrets,
        "adjusted": bool(asked.get("adjusted")),
    }


def proof_request(asked: dict[str, Any], limits: ServerLimits) -> dict[str, Any]:
    """Read `rules`, `worst`, `seconds`.

    >>> proof_request({"rules": "3x4"}, ServerLimits())
    {'rules': '3x4', 'worst': False, 'seconds': 600.0}
    """
    rules = rules_of(asked["rules"], limits)
    with field("rules", "4x6"):
        layout_options(rules)
        Reach.of(rules).check(memory_of(limits))
    seconds = float(asked.get("seconds") or min(600.0, limits.run_seconds))
    if seconds > limits.run_seconds:
        raise RefusedError(
            Told(
                "{time} are more than the {most} that a run may take here",
                *(duration(seconds), duration(limits.run_seconds)),
            ),
            "seconds",
            limits.run_seconds,
        )
    return {"rules": str(rules), "worst": bool(asked.get("worst")), "seconds": seconds}


def memory_of(limits: ServerLimits) -> int:
    """Bytes of labels and table that a proof may use: half of what its process may."""
    return min(MATRIX_BYTES, limits.memory // 2)


def _players(texts: list[str], name: str, read: Any, example: str) -> list[str]:
    if not texts:
        raise RefusedError(Told("an arena needs {players}: at least one", name), name, [example])
    if len(texts) > PLAYERS:
        raise RefusedError(
            Told("{count} {players} are too many for one run: {most} at most", len(texts), name, PLAYERS),
            name,
            texts[:PLAYERS],
        )
    for place, text in enumerate(texts):
        read(text, f"{name}.{place}")
    once = list(dict.fromkeys(text.strip() for text in texts))
    if len(once) < len(texts):
        raise RefusedError(Told("a player stands among the {players} twice", name), name, once)
    return once


def check(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a run of a `kind` is `asked` for, complete; raises RefusedError, naming the field.

    Players may take their time to say that they cannot play.
    """
    return {"arena": arena_request, "proof": proof_request}[data["kind"]](data["asked"], data["limits"])


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
        raise InputError(with_names(str(error), lambda name: name.replace(str(path), path.name))) from None
