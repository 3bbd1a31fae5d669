"""Looks at evaluations that are not the course's, by whatever name, and at how the modules beside them are played."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from entropeg.classroom.faults import ModuleFault, at_line
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.conventions import CODES, LAST, USUAL
from entropeg.classroom.functions.evaluation import CodePair, Examination, examine
from entropeg.classroom.functions.forms import CallResult, all_letters
from entropeg.classroom.functions.readings import USUAL_READING
from entropeg.classroom.modules import Role, read_module
from entropeg.classroom.players import CourseCodebreaker, CourseCodemaker, forget
from entropeg.classroom.process import Limits, Process
from entropeg.classroom.series import play_series
from entropeg.codebreakers.basic import Consistent
from entropeg.codemakers.honest import Honest
from entropeg.rules import Rules
from entropeg.told import Told

_CONVENTIONS = {
    "codes as text": "text",
    "lists of letters": "list",
    "tuples of letters": "tuple",
    "texts of digits": "text-from-1",
    "lists of whole numbers from 1": "list-from-1",
    "lists of whole numbers from 0": "list-from-0",
    "tuples of whole numbers from 1": "tuple-from-1",
    "tuples of whole numbers from 0": "tuple-from-0",
}


@dataclass(frozen=True)
class FoundFunction:
    """A function of two parameters: its name, its line, and whether its name is that of an evaluation."""

    name: str
    line: int
    is_likely: bool


def functions_of_two(file: Path) -> list[FoundFunction]:
    """Return the functions of a file that take two arguments, those with the name of an evaluation first.

    A file that is no Python has none.
    """
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return []
    likely = (
        "evalu|compar|score|feedback|verif|corrig|correct|juge|judge|match|repon|note|indice|pions|marqu|black|white|noir"
        "|blanc"
    )
    found = [
        FoundFunction(node.name, node.lineno, bool(re.search(likely, node.name.casefold())))
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and _takes_two(node.args)
    ]
    return sorted(found, key=lambda each: not each.is_likely)[:20]


def _takes_two(arguments: ast.arguments) -> bool:
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults)
    return needed == 2 and not any(default is None for default in arguments.kw_defaults)


def files_to_try(files: Iterable[Path]) -> Iterator[tuple[Path, list[FoundFunction]]]:
    """Give the files that have such functions, with them."""
    count = 0
    for file in files:
        functions = functions_of_two(file)
        if functions and count < 40:
            count += 1
            yield file, functions


def is_evaluation(found: FoundFunction, examined: Examination) -> bool:
    """Tell whether a function is an evaluation: right, or wrong as a known mistake is, or at least called one."""
    if examined.verdict == "right" or examined.why:
        return True
    return found.is_likely and examined.kind == "wrong evaluation"


def convention_of(examined: Examination) -> str:
    """Return the name under which modules of such a project are played; empty where there is none, or it is the usual.

    See `conventions`.
    """
    if examined.verdict != "right" or examined.is_usual or examined.form not in _CONVENTIONS:
        return ""
    codes, (placed, misplaced) = _CONVENTIONS[examined.form], examined.reading
    answers = {"item": examined.returns, "digit": "digits", "tens": "number", "units": "number"}.get(placed.kind, "")
    if answers not in {"tuple", "list", "digits", "number"} or {placed.key, misplaced.key} not in ({0, 1}, {None}):
        return ""
    exchanged = placed.kind == "units" or placed.key == USUAL_READING.misplaced.key
    return f"{codes}/{answers}/{LAST}" if exchanged else f"{codes}/{answers}"


WIDE = Rules.parse("4x8/course")

CALLS_SECONDS = 10.0
"""What some hundred calls of an evaluation may take: it is no game."""


def check_evaluations(
    project: Project, files: Sequence[Path], limits: Limits, progress: Callable[[str, int, int], object] | None = None
) -> bool:
    """Find the evaluations in files and say how they are called and read, or their fault; False where there is none.

    Every function of two arguments is tried. A file that cannot be imported is noted where one of its functions has the
    name of an evaluation.
    """
    found, limits = False, replace(limits, game_seconds=min(limits.game_seconds, CALLS_SECONDS))
    waiting = list(files_to_try(files))
    for done, (file, functions) in enumerate(waiting):
        if progress is not None:
            progress(file.name, done, len(waiting))
        found |= _check_file(project, file, functions, limits)
    return found


def _check_file(project: Project, file: Path, functions: Sequence[FoundFunction], limits: Limits) -> bool:
    name, found = str(file.relative_to(project.folder)), False
    try:
        process = Process(file.absolute(), str(file), "common", WIDE, limits)
    except ModuleFault as error:
        likely = [each.name for each in functions if each.is_likely]
        if likely:
            text = Told("{fault}; so {function} cannot be called", error.fault.sentence, likely[0])
            project.add(name, "note" if error.fault.package else "wrong", text, error.fault.kind)
        if error.fault.package:
            project.miss(error.fault.package, name)
        return bool(likely)
    try:
        for function in functions:
            place = at_line(file, function.line)
            try:
                examined = examined_function(process, function.name)
            except ModuleFault as error:
                if function.is_likely:
                    found = True
                    text = Told("{place}: {function}: {text}", place, function.name, error.fault.text)
                    project.add(name, "wrong", text, error.fault.kind)
                continue
            if is_evaluation(function, examined):
                found = True
                add_examination(project, name, place, examined)
    finally:
        process.close()
    return found


def examined_function(process: Process, name: str) -> Examination:
    """Find out how a function of a module that is running is called and read.

    Raises ModuleFault where it takes too long, or ends its process.
    """

    def ask(form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
        return process.tried(name, form, pairs)

    return examine(ask, name, all_letters(process.letters))


def add_examination(project: Project, file: str, place: str, examined: Examination) -> None:
    """Note the findings about an evaluation."""
    if examined.verdict == "right":
        project.add(file, "right", examined.text)
    else:
        text = Told("{place}: {text}", place, examined.text)
        if examined.why:
            text = Told("{place}: {text}: {why}", place, examined.text, examined.why)
        project.add(file, "wrong", text, examined.kind)
    for note in examined.notes:
        project.add(file, "note", note)


# ---------------------------------------------------------------------- players


def spoken_convention(file: Path, role: Role, limits: Limits) -> str:
    """Return the convention by which a module plays: the course's, or that of the evaluation in the `common.py` beside.

    The other one is chosen only where a few games go wrong by the course's, or take longer, and go well by it. An
    evaluation may take codes as text, and the modules have them as lists: these are tried too.
    """
    other = convention_of_common(file.with_name("common.py"), limits)
    if not other:
        return USUAL
    usual = _trial(file, role, limits, USUAL)
    codes, rest = other.split("/", 1)
    for way in (other, *(f"{kind}/{rest}" for kind in CODES if kind != codes)):
        foreign = _trial(file, role, limits, way)
        if foreign is not None:
            return way if usual is None or foreign < usual else USUAL
    return USUAL


def convention_of_common(file: Path, limits: Limits) -> str:
    """Return the convention of the evaluation in a `common.py`; empty where it is the course's, or is not known."""
    examined = _examined(file, limits)
    return "" if examined is None else convention_of(examined)


def note_of_common(project: Project, file: Path, limits: Limits) -> None:
    """Note where the evaluation in a `common.py`, which goes wrong as the course has it, is right in another way."""
    examined = _examined(file, limits)
    if examined is not None and convention_of(examined):
        project.add(project.name(file), "note", examined.text, "convention")


def _examined(file: Path, limits: Limits) -> Examination | None:
    if not file.is_file():
        return None
    found = file.stat()
    return _examined_as_it_is(file, (found.st_mtime_ns, found.st_size), limits)


@lru_cache(maxsize=64)
def _examined_as_it_is(file: Path, _dated: tuple[int, int], limits: Limits) -> Examination | None:
    # Once for all modules beside it, unless the file has changed.
    try:
        if "evaluation" not in read_module(file).functions:
            return None
        short = replace(limits, game_seconds=min(limits.game_seconds, CALLS_SECONDS))
        process = Process(file.absolute(), str(file), "common", WIDE, short)
    except ModuleFault:
        return None
    try:
        return examined_function(process, "evaluation")
    except ModuleFault:
        return None
    finally:
        process.close()


def _trial(file: Path, role: Role, limits: Limits, convention: str) -> int | None:
    # How many guesses a few games take; None where one of them goes wrong.
    plan = {"module": str(file), **asdict(limits), "convention": convention}
    breaker: Any = CourseCodebreaker(**plan) if role == "codebreaker" else Consistent()
    maker: Any = CourseCodemaker(**plan) if role == "codemaker" else Honest()
    try:
        # It takes little to find out by which convention a module plays.
        series = play_series(breaker, maker, Rules.parse("3x4/course"), 3, seconds=3.0, give_up=1)
    except ModuleFault:
        return None
    finally:
        forget(breaker if role == "codebreaker" else maker)
    return None if series.faults or not series.guesses else sum(series.guesses)
