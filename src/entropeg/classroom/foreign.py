"""Looks at the evaluations of projects that are not the course's: by whatever name, in whatever form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.findings import Project
from entropeg.classroom.functions.elsewhere import FoundFunction, files_to_try, is_evaluation
from entropeg.classroom.functions.evaluation import CodePair, Examination, examine
from entropeg.classroom.functions.forms import CallResult, all_letters
from entropeg.classroom.process import Limits, Process
from entropeg.rules import Rules

WIDE = Rules.parse("4x8/course")


def check_evaluations(
    project: Project, files: Sequence[Path], limits: Limits, progress: Callable[[str, int, int], object] | None = None
) -> bool:
    """Find the evaluations in files and say how they are called and read, or what is wrong; False where there is none.

    Every function of two arguments is tried. A file that cannot be imported is noted where one of its functions has the
    name of an evaluation.
    """
    found = False
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
            project.add(name, "wrong", f"{error.fault.sentence}; so {likely[0]} cannot be called", error.fault.kind)
        return bool(likely)
    try:
        for function in functions:
            examined = examined_function(process, function.name)
            if examined is not None and is_evaluation(function, examined):
                found = True
                add_examination(project, name, f"{file}, line {function.line}", examined)
    finally:
        process.close()
    return found


def examined_function(process: Process, name: str) -> Examination | None:
    """Find out how a function of a module that is running is called and read; None where it ends its process."""

    def ask(form: str, pairs: Sequence[CodePair]) -> list[CallResult]:
        return process.tried(name, form, pairs)

    try:
        return examine(ask, name, all_letters(process.letters))
    except ModuleFault:
        return None


def add_examination(project: Project, file: str, place: str, examined: Examination) -> None:
    """Note what was found out about an evaluation."""
    if examined.verdict == "right":
        project.add(file, "right", examined.text)
    else:
        why = f": {examined.why}" if examined.why else ""
        project.add(file, "wrong", f"{place}: {examined.text}{why}", examined.kind)
    for note in examined.notes:
        project.add(file, "note", note)
