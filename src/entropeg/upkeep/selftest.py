"""Tries the installation with things whose results are known: a second or two, without waiting for the compiler."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from entropeg.codes import secrets
from entropeg.extras import EXTRAS
from entropeg.files import OWN, write_whole
from entropeg.kernels import switch
from entropeg.processes import Child
from entropeg.told import Told
from entropeg.upkeep.jobs import stored_kernels


@dataclass(frozen=True)
class Trial:
    """A trial, the seconds that it took, and what went wrong, or nothing."""

    name: str
    seconds: float
    failure: str = ""


class _WrongError(Exception):
    """A result is not the known one."""


def _expect(name: str, expected: object, found: object) -> None:
    if found != expected:
        raise _WrongError(Told("{name} is {found}, and should be {expected}", name, found, expected))


def _counts() -> None:
    from entropeg.search.paths import perft

    _expect(Told("the number of paths of 3x3"), 14_034, perft("3x3", 2))


def _play() -> None:
    from entropeg.loop import play

    game = play("minimax", "honest:CFED", "4x6")
    _expect(Told("the game of minimax against CFED"), 5, len(game.turns))


def _build() -> None:
    from entropeg.tree import StrategyTree

    _expect(Told("the total of the strategy of most parts on 4x6"), 5668, StrategyTree.build("parts", "4x6").total)


def _prove() -> None:
    from entropeg.tree.optimum import optimal

    _expect(Told("the least total of 3x4"), "= 206", str(optimal("3x4").value))


def _compiled() -> None:
    """Hold a kernel that is stored to its twin on NumPy; where none is, there is nothing to hold."""
    states = stored_kernels().states
    if not states or states["play"]["stored"] < 2 or switch.mode() == "no":
        return
    every, sums = secrets("4x6"), []
    before = switch.mode()
    try:
        for way in ("always", "no"):
            switch.use(way)
            sums.append(every.part_sizes(every).tolist())
    finally:
        switch.use(before)
    _expect(Told("the table of parts by kernels"), hash(str(sums[1])), hash(str(sums[0])))


def _keep() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "é.txt")
        write_whole(path, b"kept", OWN)
        _expect(Told("what was written to a file"), b"kept", path.read_bytes())
    if has_store():
        import sqlite3

        with sqlite3.connect(":memory:") as store:
            _expect(Told("what the store answers"), (1,), store.execute("SELECT 1").fetchone())
        store.close()


def is_browser() -> bool:
    """Tell whether this is a browser's Python.

    >>> is_browser()
    False
    """
    return sys.platform == "emscripten"


def has_store() -> bool:
    """Tell whether this Python has SQLite, in which the store keeps games; that of a browser may lack it.

    >>> has_store()
    True
    """
    try:
        import_module("sqlite3")
    except ImportError:
        return False
    return True


def _threads() -> None:
    with ThreadPoolExecutor(2) as pool:
        _expect(Told("what threads add up"), 10, sum(pool.map(abs, range(5))))


def _processes() -> None:
    with Child([sys.executable, "-c", "print(input())"]) as child:
        child.write("heard", 20)
        _expect(Told("what another process answers"), "heard", child.read(20))


def _extras() -> None:
    """Import the libraries of every extra that is installed."""
    for extra in EXTRAS.values():
        for package in () if extra.absent else extra.packages:
            import_module(package)


TRIALS: dict[str, Callable[[], None]] = {
    Told("counts paths"): _counts,
    Told("plays"): _play,
    Told("builds a strategy"): _build,
    Told("proves an optimum"): _prove,
    Told("agrees with compiled code"): _compiled,
    Told("keeps files"): _keep,
    Told("starts threads"): _threads,
    Told("starts processes"): _processes,
    Told("loads what is installed"): _extras,
}
"""The trials, in their order; each raises an error where it fails."""


def self_test() -> list[Trial]:
    """Try everything; return what came of it.

    >>> sorted({trial.failure for trial in self_test()})
    ['']
    """
    trials = []
    for name, attempt in TRIALS.items():
        if name in {"starts threads", "starts processes"} and is_browser():  # a browser's Python never does these
            continue
        began, failure = perf_counter(), ""
        try:
            attempt()
        except Exception as error:  # noqa: BLE001 - any error is looked for here
            failure = str(error) if isinstance(error, _WrongError) else f"{type(error).__name__}: {error}"
        trials.append(Trial(name, perf_counter() - began, failure))
    return trials
