"""Grades a folder, and writes grades and kits as systems that grade by machine want them.

Sources: Gradescope, "Autograder Specifications" (gradescope-autograders.readthedocs.io/en/latest/specs) and
"Leaderboards" (.../leaderboards: more is better, unless `order` is "asc"); Classroom 50, "Advanced Autograding",
section "The result.json contract" (github.com/foundation50/classroom50/wiki); VPL for Moodle, "How to configure the
Moodle module" (vpl.dis.ulpgc.es), the lines that its evaluation reads; JUnit XML as the Jenkins schema has it
(junit-10.xsd).
What a student sees holds nothing of a hidden check but its points.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from entropeg.classroom.findings import Project
from entropeg.classroom.grading.scheme import Grade, GradedCheck, Scheme, read_scheme, scheme_to_start_from
from entropeg.classroom.series import ClassroomInterrupted
from entropeg.classroom.whole_class.checking import check_alone
from entropeg.errors import InputError
from entropeg.files import OWN, FileKind, check_target, make_folder, read_text, refuse_file, shown, write_whole
from entropeg.told import Told

_NAMED_BY_RUNNER = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
}
"""Fields of `result.json` and the variables in which Classroom 50's runner hands them over."""


class GradeFormat(NamedTuple):
    """A format: the name of its file, what it is for, and how it is written.

    `write` takes the grade and the environment in which the grader runs.
    """

    file: str
    says: str
    write: Callable[[Grade, Mapping[str, str]], str]
    hides: bool
    """Whether hidden checks are in it too, for the teacher alone."""


def points(value: float) -> str:
    """Write points without idle zeros.

    >>> points(2.0), points(0.5)
    ('2', '0.5')
    """
    return f"{value:.10g}"


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


def gradescope(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write `results.json` of Gradescope: hidden checks have the visibility `hidden`; the sum is Gradescope's.

    Its leaderboard, which all students see, has means of games alone: none where nothing of the project counts there.
    """
    tests = [
        {
            "name": each.check.name,
            "name_format": "text",
            "score": _number(each.points),
            "max_score": _number(each.check.points),
            "status": "passed" if each.passed else "failed",
            "output": each.text,
            "output_format": "text",
            "visibility": "hidden" if each.check.hidden else "visible",
        }
        for each in grade.checks
    ]
    whole = {"output": grade.title, "output_format": "text", "stdout_visibility": "hidden", "tests": tests}
    if grade.board:
        orders = {True: "desc", False: "asc"}
        whole["leaderboard"] = [
            {"name": each.name, "value": round(each.value, 4), "order": orders[each.is_more_better]}
            for each in grade.board
        ]
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def classroom50(grade: Grade, environment: Mapping[str, str]) -> str:
    """Write `result.json` of Classroom 50, which its runner publishes: of hidden checks it holds the points alone.

    Raises InputError where a variable of the runner is missing, or points are not whole.
    """
    missing = [name for name in _NAMED_BY_RUNNER.values() if not environment.get(name)]
    if missing:
        raise InputError("Classroom 50's runner sets variables that are not set here: {names:list}", missing)
    for each in grade.checks:
        if each.points != int(each.points) or each.check.points != int(each.check.points):
            raise InputError(
                "Classroom 50 counts whole points, and {check} has {points:.10g} of {most:.10g}: choose whole points "
                "and costs",
                *(each.check.name, each.points, each.check.points),
            )
    tests = [_test(each, name) for each, name in _named(grade)]
    result: dict[str, Any] = {"schema": "classroom50/result/v1"}
    result |= {field: environment[name] for field, name in _NAMED_BY_RUNNER.items()}
    result["review"] = environment.get("REVIEW_URL") or environment["COMMIT_URL"]
    result["datetime"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    result |= {"score": int(grade.points), "max-score": int(grade.most), "tests": tests}
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def _named(grade: Grade) -> list[tuple[GradedCheck, str]]:
    # Checks by the names that students see: hidden ones come last, and have none.
    hidden = [
        (each, grade.say(Told("hidden check {number}", number))) for number, each in enumerate(grade.hidden, start=1)
    ]
    return [*((each, each.check.name) for each in grade.open), *hidden]


def _test(each: GradedCheck, name: str) -> dict[str, Any]:
    told = {"test-name": name, "passed": each.passed, "score": int(each.points), "max-score": int(each.check.points)}
    return told if each.check.hidden else {**told, "message": each.text}


def vpl(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write the lines that VPL for Moodle reads: a block of comments, and the points in the last line.

    The activity in Moodle has to have the same most points as the scheme.
    """
    lines = ["<|--"]
    for each in grade.open:
        lines.append(f"-{each.check.name} ({points(each.points)}/{points(each.check.points)})")
        # A line that begins with what means something to VPL is moved by a space.
        meant = ("-", ">", "<|--", "Grade :=>>", "Comment :=>>")
        lines += [f"{' ' if line.startswith(meant) else ''}{line}" for line in each.why]
    if grade.hidden:
        had, most = sum(each.points for each in grade.hidden), sum(each.check.points for each in grade.hidden)
        hidden = grade.say(Told("Hidden checks"))
        lines.append(f"-{hidden} ({points(had)}/{points(most)})")
    return "\n".join([*lines, "--|>", f"Grade :=>> {points(grade.points)}", ""])


def junit(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write JUnit XML: a test case for each check, a failure with its sentences where points were lost."""
    failed = sum(not each.passed for each in grade.checks)
    counts = {"tests": str(len(grade.checks)), "failures": str(failed), "errors": "0"}
    root = ET.Element("testsuites", {"name": _xml(grade.title), **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _xml(grade.title), **counts, "skipped": "0", "time": "0"})
    for each, name in _named(grade):
        place = "hidden" if each.check.hidden else each.check.file
        case = ET.SubElement(suite, "testcase", {"classname": _xml(place), "name": _xml(name), "time": "0"})
        told = grade.say(Told("{points:.10g} of {most:.10g} points", each.points, each.check.points))
        if not each.passed:
            failure = ET.SubElement(case, "failure", {"message": told, "type": "points"})
            failure.text = told if each.check.hidden else _xml(each.text)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    # XML 1.0 has no characters for most controls, escaped or not.
    return "".join(each if each in "\t\n" or each.isprintable() else "�" for each in text)


def table(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write a table (CSV) for the teacher: every check with its points and sentences, the hidden ones too."""
    written = StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(("project", "check", "file", "points", "most", "hidden", "why"))
    for each in grade.checks:
        numbers = (points(each.points), points(each.check.points), "yes" if each.check.hidden else "no")
        row = (grade.project, each.check.name, each.check.file)
        writer.writerow((*map(_cell, row), *numbers, _cell(" ".join(each.why))))
    return written.getvalue()


def _cell(text: str) -> str:
    # A spreadsheet would compute a text that begins so.
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text


FORMATS = {
    "gradescope": GradeFormat("results.json", "Gradescope", gradescope, hides=True),
    "classroom50": GradeFormat("result.json", "Classroom 50", classroom50, hides=False),
    "vpl": GradeFormat("vpl.txt", "VPL for Moodle", vpl, hides=False),
    "junit": GradeFormat("junit.xml", "JUnit XML", junit, hides=False),
    "csv": GradeFormat("grade.csv", Told("a table for the teacher"), table, hides=True),
}
"""Formats by their names at the prompt."""


KITS = {
    "gradescope": ("setup.sh", "run_autograder"),
    "classroom50": ("autograder.py",),
    "vpl": ("vpl_evaluate.sh",),
}
"""The files that a system needs beside a scheme: texts in `data/kits`, in which `LANGUAGE` stands for a language."""

TEACHER = "teacher.csv"
"""The table with the hidden checks, beside the file of a format that the student reads."""


def graded_project(folder: str | Path, scheme: Scheme | None = None, **plan: Any) -> Grade:
    """Look through a project and give it points; without a scheme each of its modules is worth one.

    `plan` is what `check_alone` takes beside the folder. A folder that is no project has no points, and the sentence
    that says so. Raises InputError for that without a scheme, since nobody knows then what there was to get, and
    ClassroomInterrupted with the grade by then.
    """
    try:
        project = check_alone(folder, **plan)
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
        raise InputError("there is no folder {folder} to write into: make it, or name another", shown(folder))
    for name, kind in ((form, FORMATS[form].file), ("csv", TEACHER)):
        check_target(folder / kind, _kind(name))


def _kind(form: str) -> FileKind:
    head = {
        "gradescope": b'"stdout_visibility"',
        "classroom50": b"classroom50/result/",
        "vpl": b"Grade :=>>",
        "junit": b"<testsuites",
        "csv": b"project,check,file,points",
    }[form]
    return FileKind(Told("a grade for {format}", FORMATS[form].says), lambda content: head in content)


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
        raise InputError("there is no kit for {system!r}; there is one for {systems:list}", system, KITS)
    content = scheme_to_start_from(language)
    if scheme is not None:
        read_scheme(scheme)
        content = read_text(scheme)
    make_folder(folder)
    written = list[Path]()
    for name in KITS[system]:
        source, path = Path(__file__).parents[2] / "data" / "kits" / system / f"{name}.txt", folder / name
        text = source.read_text(encoding="utf-8").replace("LANGUAGE", language)
        write_whole(path, text.encode(), FileKind(Told("a file of a kit of entropeg"), lambda it: b"entropeg" in it))
        if text.startswith("#!"):
            path.chmod(0o755)
        written.append(path)
    path = folder / "scheme.toml"
    if scheme is not None or not path.exists():
        write_whole(path, content.encode(), OWN)
        written.append(path)
    return written
