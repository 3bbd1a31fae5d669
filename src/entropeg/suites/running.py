"""Lets an agent play the games of a suite, and writes its log, a line a game; the same call goes on with it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter

import numpy as np

from entropeg import codebreakers
from entropeg.codebreakers import Codebreaker
from entropeg.errors import EntropegError, InputError, PlayerError
from entropeg.feedback import Code, score_trusted
from entropeg.files import OWN, check_target, refuse_standard, shown
from entropeg.files.paths import why
from entropeg.loop import legal_guess
from entropeg.position import Position
from entropeg.registry import imported, name_of
from entropeg.signals import held
from entropeg.suites.logs import BenchGame, BenchLog, check_told, game_line, head_line, read_log
from entropeg.suites.suite import Drawing, digest_of
from entropeg.told import Told


class NoGuessError(PlayerError):
    """An agent was asked, more than once where it can be, and gave no guess: its game is over, and it has lost it."""


def agent_of(spec: str) -> Codebreaker:
    """Make an agent from text: `module:Class` of the current folder or an installed package, or a codebreaker's name.

    Raises InputError where there is none.

    >>> agent_of("minimax").name, agent_of("entropeg.codebreakers.basic:Consistent").name
    ('minimax', 'consistent')
    """
    found = re.fullmatch(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)", spec.strip())
    if found is None or found[1] in codebreakers.registry.names or found[1] == "cmd":
        return codebreakers.get(spec)
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        made = imported(spec.strip())
        return codebreakers.of(made() if isinstance(made, type) else made)
    except InputError:
        raise
    except Exception as error:  # whatever the module of somebody else raises
        raise InputError("the agent {spec!r} cannot be made: {kind}: {error}", spec, type(error).__name__,
                         error) from error  # fmt: skip


def run_bench(
    agent: Codebreaker | str,
    drawing: Drawing,
    path: str | Path,
    *,
    time: float | None = None,
    progress: Callable[[BenchGame, int, int], object] | None = None,
) -> BenchLog:
    """Let an agent play all games of a drawing that the log does not have yet, and return the log.

    A game is written when it is over, so that an interruption, or the end of ``time`` in seconds, costs one game; the
    same call goes on. An agent is a codebreaker that may also have `settings`, for the first line of the log, and
    `told()`: what there is to tell of the game that it has just played, `invalid`, `tokens` and `transcript`.
    ``progress`` is called with each game, and the numbers of games done and in all.

    Raises InputError where the log is of another agent, drawing or kind, and PlayerError where the agent breaks down;
    an illegal guess ends its game, and no other.
    """
    made = agent_of(agent) if isinstance(agent, str) else codebreakers.of(agent)
    refuse_standard(path, "the log")
    check_target(path, OWN)  # what it has is read before anything is written
    with _heard(made):
        head = head_line(drawing, agent if isinstance(agent, str) else name_of(made), getattr(made, "settings", {}))
    log, chain = _begun(Path(path), head, drawing)
    there = {(game.board, game.game) for game in log.games}
    asked = [(board, game) for board in range(len(drawing.boards)) for game in range(drawing.number(board))]
    began, games = perf_counter(), list(log.games)
    for board, game in asked:
        if (board, game) in there:
            continue
        if time is not None and perf_counter() - began > time:
            break
        played = play_game(made, drawing, board, game)
        line = game_line(played, chain)
        _append(Path(path), line)
        chain = digest_of(chain + line)
        games.append(played)
        if progress is not None:
            progress(played, len(games), len(asked))
    return replace(log, games=tuple(sorted(games, key=lambda each: (each.board, each.game))), chain=chain)


def _begun(path: Path, head: str, drawing: Drawing) -> tuple[BenchLog, str]:
    if not path.exists() or not path.stat().st_size:
        _append(path, head)
    log = read_log(path, drawing.suite, is_whole=False)
    with path.open("r+b") as file:
        if file.readline().decode().rstrip("\n") != head:
            raise InputError(
                "{file} is the log of another run, by its first line: name another file, or give the same agent and "
                "options",
                shown(path),
            )
        file.truncate(log.bytes_read)  # a line that was cut off is played again
    return log, log.chain


def _append(path: Path, line: str) -> None:
    try:
        with held(), path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(line + "\n")
    except OSError as error:
        raise InputError("{file} cannot be written: {reason}", shown(path), why(error)) from None


def play_game(agent: Codebreaker, drawing: Drawing, board: int, game: int) -> BenchGame:
    """Play one game of a drawing: the same agent and drawing, the same game."""
    rules, secret = drawing.boards[board], drawing.secret(board, game)
    words = drawing.words(board, game)
    position, rng = Position(rules), np.random.default_rng([next(words) for _ in range(4)])
    invalid = 0
    while not position.is_over:
        guess = _guess(agent, position, rng)
        if guess is None:
            invalid = 1
            break
        position = position.after_trusted(guess, score_trusted(guess, secret, rules))
    with _heard(agent):
        told = dict(agent.told()) if hasattr(agent, "told") else {}
        json.dumps(told)
        check_told(told)
    end = position.state if position.is_over else "invalid"
    invalid = max(invalid, told.pop("invalid", 0))
    return BenchGame(rules, board, game, secret, position.turns, end, invalid, told)


@contextmanager
def _heard(agent: Codebreaker) -> Iterator[None]:
    """Have what an agent raises that is no error of ours end the run as PlayerError, which names both."""
    try:
        yield
    except EntropegError:
        raise
    except (Exception, SystemExit) as error:  # whatever the code of somebody else raises
        name, kind = name_of(agent), type(error).__name__
        raise PlayerError(Told("the agent {name} breaks down: {kind}: {error}", name, kind, error), name) from error


def _guess(agent: Codebreaker, position: Position, rng: np.random.Generator) -> Code | None:
    try:
        with _heard(agent):
            guess = agent.guess(position, rng)
    except NoGuessError:
        return None
    except PlayerError as error:
        # A program or module of somebody else says itself that its guess was illegal; whatever else it says ends it.
        if getattr(getattr(error, "fault", None), "kind", "") != "illegal":
            raise
        return None
    try:
        return legal_guess(agent, guess, position)
    except PlayerError:
        return None
