"""Names the kernels to compile, by their purpose, does a little of each so that they are compiled, and looks at them.

A job uses the library as its users do, on boards so small that nearly all of its time is the compiler's; on a machine
where everything is stored it takes a moment. Kernels compile for the types that they are called with: what boards of
an unusual kind need besides is compiled when such a board is first played.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from entropeg.codes import CodeSet, guesses, parse_code
from entropeg.compiling import told_of_compilation
from entropeg.errors import InputError
from entropeg.feedback import parse_feedback
from entropeg.kernels import switch
from entropeg.rules import Rules
from entropeg.told import Told

if TYPE_CHECKING:
    from entropeg.kernels.compile.stored import StoredState


@dataclass(frozen=True)
class Job:
    """Kernels that are used at a time, and have to be compiled together.

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
    from entropeg.candidates import count_codes
    from entropeg.loop import play

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
    play("place", "honest", "10x8/positional", seed=1)
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
    from entropeg.tree.optimum import optimal

    optimal("3x3", weights={code: 1 + code[0] for code in product(range(3), repeat=3)})


def _ask() -> None:
    from entropeg.search import static_questions
    from entropeg.tree import most_within

    most_within("3x4", 3)
    static_questions("2x3")
    static_questions("2x3/black")


def _tabulate() -> None:
    from entropeg.search import check_table, make_table

    table = make_table("3x3", 2)
    assert table is not None
    check_table(table)


def _learn() -> None:
    from entropeg.experiments.turns import begun
    from entropeg.kernels import turns

    rules, which = Rules.parse("3x4"), np.arange(2)
    labels, names = np.zeros(rules.label_count + 1, np.int64), np.arange(64, dtype=np.int32)
    words, cells = np.arange(1, 65, dtype=np.uint64), (np.zeros(8, np.uint64), np.zeros(8, np.int64))
    named = names[None], names[None], names[:1], words[None], np.zeros((1, 1), np.int32)
    store = turns.TotalStore(*named, *cells, names, names, words[0], np.zeros((0, 16), np.uint64))
    known, rooms = turns.KnownNumbers(cells[0], np.zeros(8)), turns.LossRooms(names.copy(), labels, labels.copy())
    missing = turns.MissingSets(
        np.zeros(128, np.int32), np.zeros(128, np.int64), np.zeros(128, np.uint64), np.zeros(2, np.int64)
    )
    for mask in (False, True):
        games = begun(rules, 5, 2, codes=mask, mask=mask)
        turns.begin_games(games, which, 4, 4)
        if mask:
            turns.store_totals(store, np.ones(1, np.uint64), np.ones(1, np.int64))
            turns.add_losses(games, which, which, rules.win_label, store, known, rooms, missing, np.zeros(2))
        rule = rules.win_label, turns.STEPS, rules.guess_limit is not None, 4, 4
        turns.play_turns(games, which, 0, 2, rule, np.zeros(2), np.zeros((2, 2), np.bool_), np.zeros(2, np.int64))


def _check() -> None:
    from entropeg.check.verifier import verify
    from entropeg.tree.optimum import optimal

    with TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        optimal("2x6", proof=path)
        verify(path)


JOBS = {
    job.name: job
    for job in (
        Job(
            "play",
            Told("hints, advice, reviews, training, proofs of optima"),
            16,
            ("kernels._code_kernels", "kernels.label_kernels", "search.exact.engine", "search.exact.answer_kinds"),
            _advise,
        ),
        Job(
            "strategies",
            Told("minimax, entropy and their like on boards to 6x9"),
            14,
            ("kernels.onestep.search",),
            _choose,
        ),
        Job("arena", Told("thousands of games"), 8, ("experiments.batch_kernels",), _meet),
        Job(
            "variants",
            Told("no repeats, shapes, positional feedback, many pegs"),
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
            Told("boards to 10x10"),
            11,
            ("kernels.building", "kernels.choosing", "kernels.evolution", "kernels.labels", "kernels.tempering"),
            _large,
        ),
        Job(
            "huge",
            Told("boards of 20 pegs to thousands"),
            8,
            ("kernels.ascent", "kernels.belief", "kernels.placing", "kernels.windows"),
            _huge,
        ),
        Job("near", Told("good strategies where a proof is out of reach"), 5, ("search.beam.kernels",), _near),
        Job(
            "weights",
            Told("optima where some secrets are likelier than others"),
            12,
            ("search.exact.engine:by_weights",),
            _weigh,
        ),
        Job(
            "tables",
            Told("tables of exact values"),
            9,
            ("kernels.canonical", "search.exact.many", "search.tables.sets"),
            _tabulate,
        ),
        Job(
            "questions",
            Told("the most secrets within some guesses, questions asked all at once"),
            4,
            ("kernels.apart", "kernels.columns", "kernels.within"),
            _ask,
        ),
        Job("agents", Told("environments for agents that learn"), 6, ("kernels.turns",), _learn),
        Job("proofs", Told("proofs of large boards checked"), 6, ("check.compiled",), _check),
    )
}
"""All jobs, the ones needed first at the top."""


def job_of(name: str) -> Job:
    """Return a job by its name; raises InputError, with the names that there are.

    >>> job_of("arena").purpose
    'thousands of games'
    """
    if name not in JOBS:
        raise InputError("there is nothing called {name!r} to compile: it is {jobs:list}", name, JOBS)
    return JOBS[name]


def do(name: str) -> Warmed:
    """Do a job in this process: compile, or load, its kernels. Any error ends it, and is told in the result."""
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


@dataclass(frozen=True)
class StoredKernels:
    """What there is of compiled code.

    `reason` says why nothing can be compiled here, and is empty where it can. `states` counts the functions of each job
    by state: stored, absent, old (of other sources, or another numba) and damaged. `folders` hold them; `unkept` says
    that no folder may be written to, so that every process compiles again.
    """

    reason: str = ""
    states: dict[str, Counter[StoredState]] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    unkept: bool = False

    @property
    def total(self) -> Counter[StoredState]:
        """Functions by state, those of all jobs together."""
        return sum(self.states.values(), Counter())


def modules_with_kernels() -> tuple[str, ...]:
    """Name the modules of compiled functions that Python calls, without the name of the package.

    >>> "kernels.belief" in modules_with_kernels()
    True
    """
    package = Path(__file__).parents[1]
    decorated = re.compile(r"^@(?:allocating_)?kernel\b|^@entry_point\(|^@callback\(", re.MULTILINE)
    files = [path for path in package.rglob("*.py") if decorated.search(path.read_text(encoding="utf-8"))]
    return tuple(sorted(".".join(path.relative_to(package).with_suffix("").parts) for path in files))


def stored_kernels() -> StoredKernels:
    """Look at the stored code of all functions, each file of it read; takes about a second, and imports numba.

    Nothing is compiled.
    """
    if not switch.can_compile():
        return StoredKernels(switch.why_not())
    for module in modules_with_kernels():
        import_module(f"entropeg.{module}")
    from numba.core.registry import cpu_target  # type: ignore[import-untyped, unused-ignore]

    from entropeg.kernels.compile.compiled import compiled_functions

    job_of = {f"entropeg.{module}": job.name for job in JOBS.values() for module in job.modules}
    machine = cpu_target.target_context.codegen().magic_tuple()
    states: dict[str, Counter[StoredState]] = {name: Counter() for name in JOBS}
    folders, unkept = set[Path](), False
    for function in compiled_functions():
        job = job_of.get(f"{function.module}:{function.name}", job_of.get(function.module))
        if job is None:
            continue
        code = function.stored()
        unkept |= code is None
        states[job]["absent" if code is None else code.state(machine)] += 1
        folders |= set() if code is None else {Path(code.cache_path)}
    return StoredKernels(states=states, folders=tuple(sorted(folders)), unkept=unkept)
