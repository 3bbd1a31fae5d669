"""Grades a folder, and writes grades and kits into folders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from entropeg.classroom.findings import Project
from entropeg.classroom.grading.formats import FORMATS
from entropeg.classroom.grading.kits import KITS
from entropeg.classroom.grading.scheme import Grade, Scheme, read_scheme, scheme_to_start_from
from entropeg.classroom.project import check_project
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.errors import InputError, quoted
from entropeg.files import OWN, FileKind, check_target, make_folder, read_text, refuse_file, shown, write_whole

TEACHER = "teacher.csv"
"""The table with the hidden checks, beside the file of a format that the student reads."""

_HEADS = {
    "gradescope": b'"stdout_visibility"',
    "classroom50": b"classroom50/result/",
    "vpl": b"Grade :=>>",
    "junit": b"<testsuites",
    "csv": b"project,check,file,points",
}


def graded_project(folder: str | Path, scheme: Scheme | None = None, **plan: Any) -> Grade:
    """Look through a project and give it points; without a scheme each of its modules is worth one.

    `plan` is what `check_project` takes beside the folder. A folder that is no project has no points, and the sentence
    that says so. Raises InputError for that without a scheme, since nobody knows then what there was to get, and
    ClassroomInterrupted with the grade by then.
    """
    try:
        project = check_project(folder, **plan)
    except ClassroomInterrupted as stop:
        raise ClassroomInterrupted(_scheme(scheme, stop.done).grade(stop.done)) from None
    except InputError as error:
        if scheme is None:
            raise
        return scheme.nothing(str(folder), str(error))
    return _scheme(scheme, project).grade(project)


def _scheme(scheme: Scheme | None, project: Project) -> Scheme:
    looked_at = [*(each.file for each in project.findings if each.verdict != "note"), *project.left]
    return scheme or Scheme.of_files(looked_at)


def check_delivery(form: str, output: str | Path | None) -> None:
    """Raise InputError where a grade cannot be written: before the work whose result it is."""
    if output is None:
        return
    folder = Path(output)
    refuse_file(folder)
    if not folder.is_dir():
        raise InputError(f"there is no folder {shown(folder)} to write into: make it, or name another")
    for name, kind in ((form, FORMATS[form].file), ("csv", TEACHER)):
        check_target(folder / kind, _kind(name))


def _kind(form: str) -> FileKind:
    head = _HEADS[form]
    return FileKind(f"a grade for {FORMATS[form].says}", lambda content: head in content)


def deliver(
    grade: Grade, form: str, output: str | Path | None, environment: Mapping[str, str]
) -> Iterator[tuple[Path | None, str]]:
    """Write a grade in a format; give the path of each file written, or None and the text where there is no folder.

    Where the format shows students everything, hidden checks go into a table for the teacher beside it.
    """
    wanted = FORMATS[form]
    text = wanted.write(grade, environment)
    if output is None:
        yield None, text
        return
    path = Path(output) / wanted.file
    write_whole(path, text.encode(), _kind(form))
    yield path, text
    if grade.hidden and not wanted.hides:
        path = Path(output) / TEACHER
        text = FORMATS["csv"].write(grade, environment)
        write_whole(path, text.encode(), _kind("csv"))
        yield path, text


def write_kit(system: str, folder: Path, scheme: str | Path | None = None, *, language: str = "en") -> list[Path]:
    """Write what a grading system needs into a folder, which is made; return the paths.

    Students will read sentences in `language`. A scheme that is there already is left as it is. Raises InputError for
    a system without a kit and for a scheme that cannot be read.
    """
    if system not in KITS:
        raise InputError(f"there is no kit for {quoted(system)}; there is one for {', '.join(KITS)}")
    content = scheme_to_start_from(language)
    if scheme is not None:
        read_scheme(scheme)
        content = read_text(scheme)
    make_folder(folder)
    written = list[Path]()
    for file in KITS[system]:
        path = folder / file.name
        text = file.content.replace("LANGUAGE", language)
        write_whole(path, text.encode(), FileKind("a file of a kit of entropeg", lambda it: b"entropeg" in it))
        if file.is_program:
            path.chmod(0o755)
        written.append(path)
    path = folder / "scheme.toml"
    if scheme is not None or not path.exists():
        write_whole(path, content.encode(), OWN)
        written.append(path)
    return written
