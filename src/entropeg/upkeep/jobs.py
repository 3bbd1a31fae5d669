"""Names what there is to compile, by what it is for, and does a little of each so that it is compiled.

A job uses the library as its users do, on boards so small that nearly all of its time is the compiler's; on a machine
where everything is stored it takes a moment. Kernels compile for the types that they are called with: what boards of
an unusual kind need besides is compiled when such a board is first played.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from entropeg.compiling import told_of_compilation
from entropeg.errors import InputError


@dataclass(frozen=True)
class Job:
    """Something that is used at a time, and what has to be compiled for it.

    `purpose` says what for. `seconds` of a processor is about what the compiler took on a machine of 2024, alone.
    `modules` are those whose functions it compiles, without the name of the package; `module:function` is a single one
    of a module that otherwise belongs to another job.
    """

    name: str
    purpose: str
    seconds: float
    modules: tuple[str, ...]
    work: Callable[[], object]


@dataclass(frozen=True)
class Warmed:
    """What became of a job: seconds that it took, whether anything was compiled, and what went wrong, or nothing."""

    job: str
    seconds: float
    compiled: bool
    failure: str = ""


def _advise() -> None:
    from entropeg.advise import advise
    from entropeg.position import Position
    from entropeg.tree.optimum import optimal

    advise(Position("4x6").after("AABB", "XO"), limit=3, time=1)
    optimal("3x3/positional")  # labels of other kinds of feedback are renamed


def _choose() -> None:
    from entropeg.tree import StrategyTree

    StrategyTree.build("minimax", "3x4")


def _meet() -> None:
    from entropeg.experiments.runner import arena

    arena(["consistent", "memory", "minimax"], ["honest", "cheat"], "4x5", games=40, jobs=1)


def _vary() -> None:
    import numpy as np

    from entropeg.candidates import count_codes
    from entropeg.codes import CodeSet, guesses, parse_code
    from entropeg.feedback import parse_feedback
    from entropeg.loop import play
    from entropeg.rules import Rules

    for rules in ("3x4/no-repeats", "3x3/positional", "3x4/blanks", "2x4/shapes=2"):
        play("consistent", "honest", rules, seed=1)
    for rules in ("256x3", "40x3/positional"):
        codes = CodeSet(rules, np.zeros((Rules.parse(rules).pegs, 2), np.uint8))
        codes.score(codes[0])
    every = guesses("3x4")
    every.take(np.arange(2)).part_sizes(every)
    board = Rules.parse("8x12")
    count_codes(board, [(parse_code("AABBCCDD", board), parse_feedback("XO", board))])


def _large() -> None:
    from entropeg.loop import play

    play("auto", "honest", "6x12", seed=1)
    play("evolutionary", "honest", "6x8", seed=1)
    play("montecarlo", "honest", "4x6/membership", seed=1)


def _huge() -> None:
    from entropeg.loop import play

    play("auto", "honest", "20x20", seed=1)
    play("belief", "honest", "10x8", seed=1)
    play("linear", "honest", "40x10", seed=1)


def _near() -> None:
    from entropeg.kernels.compile.compiled import compiled_functions
    from entropeg.search.beam.optimum import near_optimal

    waiting = {"solve_parts", "estimate_set"}  # the last that a search comes to, in threads of its own

    def enough(_: object) -> None:
        for one in compiled_functions():
            if one.name in waiting and one.is_loaded() and ((code := one.stored()) is None or code.is_filled):
                waiting.remove(one.name)
        if not waiting:
            raise KeyboardInterrupt

    near_optimal("4x6", 60.0, progress=enough)


def _weigh() -> None:
    from itertools import product

    from entropeg.tree.optimum import optimal

    optimal("3x3", weights={code: 1 + code[0] for code in product(range(3), repeat=3)})


JOBS = {
    job.name: job
    for job in (
        Job(
            "play",
            "hints, advice, reviews, training, proofs of optima",
            16,
            ("kernels._code_kernels", "kernels.label_kernels", "search.exact.engine", "search.exact.answers"),
            _advise,
        ),
        Job("strategies", "minimax, entropy and their like on boards to 6x9", 14, ("kernels.onestep.search",), _choose),
        Job("arena", "thousands of games", 8, ("experiments.batch_kernels",), _meet),
        Job(
            "variants",
            "no repeats, shapes, positional feedback, many pegs",
            4,
            (
                "kernels._code_kernels:list_distinct",
                "kernels.label_kernels:part_sizes_by_secret",
                *(f"kernels.label_kernels:{name}" for name in ("wide_labels", "wide_marks")),
            ),
            _vary,
        ),
        Job(
            "large",
            "boards to 10x10",
            11,
            ("kernels.building", "kernels.choosing", "kernels.evolution", "kernels.labels", "kernels.tempering"),
            _large,
        ),
        Job(
            "huge", "boards of 20 pegs to thousands", 8, ("kernels.ascent", "kernels.belief", "kernels.windows"), _huge
        ),
        Job("near", "good strategies where a proof is out of reach", 5, ("search.beam.kernels",), _near),
        Job(
            "weights",
            "optima where some secrets are likelier than others",
            12,
            ("search.exact.engine:by_weights",),
            _weigh,
        ),
    )
}
"""All jobs, the ones needed first at the top."""


def job_of(name: str) -> Job:
    """Return a job by its name; raises InputError, with the names that there are.

    >>> job_of("arena").purpose
    'thousands of games'
    """
    if name not in JOBS:
        raise InputError(f"there is nothing called {name!r} to compile: it is {', '.join(JOBS)}")
    return JOBS[name]


def do(name: str) -> Warmed:
    """Do a job in this process: compile, or load, what it needs. Any error ends it, and is told in what it returns."""
    from entropeg.kernels import switch

    job, began, compiled = job_of(name), perf_counter(), []
    before = switch.use("always")
    try:
        with told_of_compilation(lambda: compiled.append(True)):
            job.work()
    except Exception as error:  # noqa: BLE001 - whatever it is, the other jobs can be done
        return Warmed(name, perf_counter() - began, bool(compiled), f"{type(error).__name__}: {error}")
    finally:
        switch.use(before)
    return Warmed(name, perf_counter() - began, bool(compiled))
