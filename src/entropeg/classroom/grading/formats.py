"""Writes grades in the formats of systems that grade by machine.

Sources: Gradescope, "Autograder Specifications" (gradescope-autograders.readthedocs.io/en/latest/specs); Classroom 50,
"Advanced Autograding", section "The result.json contract" (github.com/foundation50/classroom50/wiki); VPL for Moodle,
"How to configure the Moodle module" (vpl.dis.ulpgc.es), the lines that its evaluation reads; JUnit XML as the Jenkins
schema has it (junit-10.xsd). What a student sees holds nothing of a hidden check but its points.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from io import StringIO
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from entropeg.classroom.grading.scheme import Grade, GradedCheck
from entropeg.errors import InputError

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
    """Whether what is hidden is in it too, for the teacher alone."""


def points(value: float) -> str:
    """Write points without idle zeros.

    >>> points(2.0), points(0.5)
    ('2', '0.5')
    """
    return f"{value:.10g}"


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


def gradescope(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write `results.json` of Gradescope: hidden checks have the visibility `hidden`; the sum is Gradescope's."""
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
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def classroom50(grade: Grade, environment: Mapping[str, str]) -> str:
    """Write `result.json` of Classroom 50, which its runner publishes: of hidden checks it holds the points alone.

    Raises InputError where a variable of the runner is missing, or points are not whole.
    """
    missing = [name for name in _NAMED_BY_RUNNER.values() if not environment.get(name)]
    if missing:
        names = ", ".join(missing)
        raise InputError(f"Classroom 50's runner sets variables that are not set here: {names}")
    for each in grade.checks:
        if each.points != int(each.points) or each.check.points != int(each.check.points):
            raise InputError(
                f"Classroom 50 counts whole points, and {each.check.name} has {points(each.points)} of "
                f"{points(each.check.points)}: choose whole points and costs"
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
    hidden = [(each, grade.say(f"hidden check {number}")) for number, each in enumerate(grade.hidden, start=1)]
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
        lines += [f"{' ' if line.startswith(_MEANT_BY_VPL) else ''}{line}" for line in each.why]
    if grade.hidden:
        had, most = (points(sum(column)) for column in zip(*_amounts(grade.hidden), strict=True))
        lines.append(f"-{grade.say('Hidden checks')} ({had}/{most})")
    return "\n".join([*lines, "--|>", f"Grade :=>> {points(grade.points)}", ""])


_MEANT_BY_VPL = ("-", ">", "<|--", "Grade :=>>", "Comment :=>>")
"""Beginnings of lines that mean something to VPL: a line of ours that begins so is moved by a space."""


def _amounts(checks: list[GradedCheck]) -> list[tuple[float, float]]:
    return [(each.points, each.check.points) for each in checks]


def junit(grade: Grade, _environment: Mapping[str, str]) -> str:
    """Write JUnit XML: a test case for each check, a failure with its sentences where points were lost."""
    failed = sum(not each.passed for each in grade.checks)
    counts = {"tests": str(len(grade.checks)), "failures": str(failed), "errors": "0"}
    root = ET.Element("testsuites", {"name": _xml(grade.title), **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _xml(grade.title), **counts, "skipped": "0", "time": "0"})
    for each, name in _named(grade):
        place = "hidden" if each.check.hidden else each.check.file
        case = ET.SubElement(suite, "testcase", {"classname": _xml(place), "name": _xml(name), "time": "0"})
        had, most = points(each.points), points(each.check.points)
        told = grade.say(f"{had} of {most} points")
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
    "csv": GradeFormat("grade.csv", "a table for the teacher", table, hides=True),
}
"""Formats by their names at the prompt."""
