"""Checks programs of the text protocol (`cmd:./program`) in the place of course modules, and tells their roles."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any

from entropeg import codebreakers, codemakers
from entropeg.classroom.expected import ExpectedMean, expectation, mean_verdict
from entropeg.classroom.faults import Fault, ModuleFault
from entropeg.classroom.findings import ModuleMeasure, Project
from entropeg.classroom.modules import find_player
from entropeg.classroom.players import path_of
from entropeg.classroom.series import ClassroomInterrupted, Series, play_series, time_left
from entropeg.codebreakers.basic import Consistent
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.rules import Rules
from entropeg.told import Told, plural

CHEATED_GAMES, OTHER_GAMES = 20, 3
"""Games against the cheat, and on another board."""

OTHER = Rules.parse("3x4/course")


def is_program(name: object) -> bool:
    """Tell whether a text names a program."""
    return str(name).startswith("cmd:")


def roles_of(spec: str) -> list[str] | Fault:
    """Start a program (`cmd:./program`) and return the roles that it plays, or its fault."""
    roles, faults = list[str](), list[Fault]()
    for role, registry in (("codebreaker", codebreakers), ("codemaker", codemakers)):
        player: Any = registry.get(spec)
        try:
            _ = player.session  # starts it
            roles.append(role)
        except ModuleFault as error:
            faults.append(error.fault)
    return roles or faults[0]


def role_of(spec: str) -> str:
    """Return the role that a module or a program plays: the codebreaker, where a program plays both.

    Raises ModuleFault where it plays none; InputError where there is no such file.
    """
    if not is_program(spec):
        path = path_of(spec)
        return find_player(path, None, path)[1]
    roles = roles_of(spec)
    if isinstance(roles, Fault):
        raise ModuleFault(roles)
    return roles[0]


def check_program(
    spec: str,
    rules: Rules,
    *,
    games: int = 100,
    seconds: float = 20.0,
    seed: int = 0,
    progress: Callable[[str, int, int], object] | None = None,
    until: float = inf,
) -> Project:
    """Look at a program in each role that it plays: does it play by the rules, on two boards, and how well.

    Its limits stand in its own text (`cmd:turn_seconds=2:./program`). Raises ClassroomInterrupted, with what was found
    until then, where Ctrl-C ends it, or the time: at `until`, as `time.monotonic` counts, no further role is begun.
    """
    project, roles = Project(Path(spec), rules), roles_of(spec)
    if isinstance(roles, Fault):
        project.add(spec, "wrong", roles.sentence, roles.kind)
        return project
    project.files, project.left = list(roles), list(roles)
    how: dict[str, Any] = {"seed": seed, "seconds": seconds, "record": True, "give_up": 2}
    try:
        for done, role in enumerate(roles):
            if progress is not None:
                progress(role, done, len(roles))
            how["seconds"] = time_left(until, seconds)
            if role == "codebreaker":
                _check_codebreaker(project, codebreakers.get(spec), games, how)
            else:
                _check_codemaker(project, codemakers.get(spec), games, how)
            project.left.remove(role)
    except KeyboardInterrupt:
        raise ClassroomInterrupted(project) from None
    return project


def _check_codebreaker(project: Project, player: Any, games: int, how: dict[str, Any]) -> None:
    series = play_series(player, Honest(), project.rules, games, **how)
    if not _goes_well(project, "codebreaker", series):
        return
    _measure(project, "codebreaker", series, honest=True)
    for maker, board, count in ((Cheat(), project.rules, CHEATED_GAMES), (Honest(), OTHER, OTHER_GAMES)):
        further = play_series(player, maker, board, min(games, count), **how)
        if _goes_well(project, "codebreaker", further) and board == project.rules:
            _measure(project, "codebreaker", further)


def _check_codemaker(project: Project, player: Any, games: int, how: dict[str, Any]) -> None:
    for board, count in ((project.rules, CHEATED_GAMES), (OTHER, OTHER_GAMES)):
        series = play_series(Consistent(), player, board, min(games, count), **how)
        if not _goes_well(project, "codemaker", series):
            return
        if board == project.rules:
            _measure(project, "codemaker", series)


def _goes_well(project: Project, role: str, series: Series) -> bool:
    against = series.codemaker if role == "codebreaker" else series.codebreaker
    if series.faults:
        project.add(role, "wrong", series.faults[0].sentence, series.faults[0].kind)
        return False
    games = plural(len(series.guesses), "{n} game", "{n} games")
    text = Told("plays {games} against {player} on {rules} by the rules", games, against, series.rules)
    project.add(role, "right", text)
    return True


def _measure(project: Project, role: str, series: Series, *, honest: bool = False) -> None:
    # Nothing is expected of a program but what no strategy beats; a codemaker's mean stands beside an honest one's.
    usual = expectation("consistent", series.rules, "honest") if role == "codemaker" else ExpectedMean(None, "")
    project.measures.append(ModuleMeasure(role, series, usual.mean, usual.source))
    verdict = mean_verdict(series, ExpectedMean(None, ""), honest=honest)
    if verdict is not None:
        project.add(role, "note", verdict.text, verdict.kind)
