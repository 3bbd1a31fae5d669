"""Looks at an installation as a whole: its parts, the missing ones and how to get them, and whether it works."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias

import entropeg
from entropeg.durations import duration
from entropeg.extras import EXTRAS, Extra, installed_version
from entropeg.plain_values import PlainValue
from entropeg.processes import limits_memory
from entropeg.processors import usable_processors
from entropeg.told import Joined, Told, plural, word, words
from entropeg.upkeep.jobs import JOBS, StoredKernels, stored_kernels
from entropeg.upkeep.selftest import has_store, is_browser, self_test
from entropeg.version import __version__

DoctorGrade: TypeAlias = Literal["good", "note", "wrong"]

SETTINGS = {
    "ENTROPEG_KERNELS": "",
    "NUMBA_CACHE_DIR": "",
    "NUMBA_DISABLE_JIT": Told("nothing is compiled, unless it is 0"),
    "NUMBA_NUM_THREADS": "",
    "PYTHONDONTWRITEBYTECODE": Told("Python compiles every module again at every start: unset it"),
}
"""Variables of the environment that change how entropeg works, and the remark where one is set."""


@dataclass(frozen=True)
class Observation(PlainValue):
    """One fact about the installation: where it belongs, its name, what there is to say, and what would help.

    `grade` is `good`, `note` (something does without, or is slower) or `wrong` (something does not work).
    """

    part: str
    name: str
    says: str
    grade: DoctorGrade = "good"
    help: str = ""

    @property
    def heading(self) -> str:
        """What its part is called."""
        parts = words("doctor", "machine", "libraries", "kernels", "extras", "settings", "self-test")
        return next(each for each in parts if each == self.part)


@dataclass(frozen=True)
class Diagnosis(PlainValue):
    """All that was found."""

    PLAIN: ClassVar[tuple[str, ...]] = ("version", "is_well", "findings")

    findings: tuple[Observation, ...]

    def __repr__(self) -> str:
        return f"<Diagnosis: {plural(len(self.findings), '{n} finding', '{n} findings')}, {len(self.wrong)} wrong>"

    @property
    def wrong(self) -> tuple[Observation, ...]:
        """What does not work."""
        return tuple(each for each in self.findings if each.grade == "wrong")

    @property
    def version(self) -> str:
        """That of entropeg."""
        return __version__

    @property
    def is_well(self) -> bool:
        """Whether all works."""
        return not self.wrong


def examine(*, is_tested: bool = True) -> Diagnosis:
    """Look at everything, and with `is_tested` try it: a second or two. Changes nothing, and compiles nothing.

    >>> examine(is_tested=False).findings[0].name
    'entropeg'
    """
    parts = [_machine(), _libraries(), _compiled(), _extras(), _settings()]
    if is_tested:
        parts.append(_trials())
    return Diagnosis(tuple(finding for part in parts for finding in part))


def _machine() -> Iterator[Observation]:
    place = Path(entropeg.__file__).parent
    yield Observation("machine", "entropeg", Told("{version}, in {place}", __version__, place))
    yield Observation(
        "machine", "Python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    )
    yield Observation(
        "machine", word("doctor", "system"), f"{platform.system()} {platform.release()}, {platform.machine()}"
    )
    usable, there = usable_processors(), os.cpu_count() or 1
    yield Observation(
        "machine",
        word("doctor", "processors"),
        Told("{usable} to be used", usable)
        if usable == there
        else Told("{usable} of {there} to be used", usable, there),
    )
    if is_browser():
        says = Told("a browser's Python has no threads and no other processes: all is done in this one")
        yield Observation("machine", word("doctor", "threads"), says, "note")
    else:
        yield _limits()
    written = sys.stdout.encoding or "ascii"
    try:
        "●○─é".encode(written)
    except (UnicodeEncodeError, LookupError):
        help_ = Told("PYTHONUTF8=1 in the environment lets Python write everything")
        says = Told("{encoding} is written, which has no pegs: they are letters", written)
        yield Observation("machine", word("doctor", "text"), says, "note", help_)
    else:
        yield Observation("machine", word("doctor", "text"), Told("{encoding} is written", written))


def _limits() -> Observation:
    # What keeps programs and modules of others to their limits.
    name, extra = word("doctor", "limits"), EXTRAS["limits"]
    if limits_memory():
        says = Told("the system keeps programs of others to their memory, and tells their time")
        return Observation("machine", name, says)
    if not extra.absent:
        return Observation("machine", name, Told("psutil tells the memory and the time of programs of others"))
    says = Told("nobody limits the memory of programs of others, and the clock stands for their processor time")
    return Observation("machine", name, says, "note", extra.command)


def _libraries() -> Iterator[Observation]:
    ranges = _ranges()
    for name in ("numpy", "numba", "llvmlite", "click", "rich"):
        found, asked = installed_version(name), ranges.get(name, "")
        is_needed = name != "numba" or "numba" in ranges
        if found is None and name in {"numba", "llvmlite"}:
            if name == "numba" and is_browser():
                without = Told("none for a browser: boards to 100,000 codes are played without")
                yield Observation("libraries", name, without, "note")
            elif name == "numba" and is_needed:
                without = Told("not installed: boards to 100,000 codes are played without")
                yield Observation("libraries", name, without, "note", f'pip install "numba{asked}"')
        elif found is None:
            yield Observation("libraries", name, Told("not installed"), "wrong", f'pip install "{name}{asked}"')
        elif not _is_within(found, asked):
            grade: DoctorGrade = "note" if name == "numba" else "wrong"
            says = Told("{found}, where {asked} is asked for", found, asked)
            yield Observation("libraries", name, says, grade, f'pip install "{name}{asked}"')
        else:
            yield Observation("libraries", name, found)
    if not has_store():
        says = Told("not there: games are played and compared, and no store keeps them")
        help_ = Told("a Python that was built with SQLite has it")
        yield Observation(
            "libraries", "sqlite3", says, "note", 'await micropip.install("sqlite3")' if is_browser() else help_
        )


def _ranges() -> dict[str, str]:
    # The versions that the package asks for, by name: the record of its installation has them.
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = requires("entropeg") or []
    except PackageNotFoundError:
        return {}
    found = (re.match(r"([A-Za-z0-9_.-]+)(?:\[[^]]*\])?\s*\(?([^;)]*)", each) for each in wanted)
    ranges = {each[1].lower(): each[2].replace(" ", "") for each in found if each}
    return {name: ",".join(sorted(each.split(","), reverse=True)) for name, each in ranges.items()}


def _is_within(version: str, wanted: str) -> bool:
    """Tell whether a version is in a range such as `>=0.60,<0.69`; other conditions than these two always hold.

    >>> _is_within("0.60.1", ">=0.60,<0.69"), _is_within("0.69.0", "<0.69,>=0.60"), _is_within("2.0rc1", ">=2")
    (True, False, True)
    """
    bounds = re.findall(r"(>=|<)(?!=)([0-9.]+)", wanted)
    return all((_parts(version) >= _parts(least)) == (sign == ">=") for sign, least in bounds)


def _parts(version: str) -> tuple[int, ...]:
    parts = [int(part) for part in re.findall(r"\d+", re.match(r"[0-9.]*", version)[0])]  # type: ignore[index]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts)


def _compiled() -> Iterator[Observation]:
    try:
        kernels = stored_kernels()
    except Exception as error:  # noqa: BLE001 - any error is looked for here
        yield Observation("kernels", word("doctor", "state"), f"{type(error).__name__}: {error}", "wrong")
        return
    if kernels.reason:
        says = Told("{reason}: boards to 100,000 codes are played without", kernels.reason)
        yield Observation("kernels", word("doctor", "state"), says, "note")
        return
    yield _kept(kernels)
    for name, states in kernels.states.items():
        stored, number = states["stored"], states.total()
        told = [Told("{stored} of {number} stored", stored, number)]
        if stored in {0, number}:
            told = [word("kernels", "stored") if stored else word("kernels", "not stored")]
        if states["old"]:
            told.append(plural(states["old"], "{n} is old", "{n} are old"))
        if states["damaged"]:
            told.append(plural(states["damaged"], "{n} is damaged", "{n} are damaged"))
        says = Told("{state}: {purpose}", Joined(told, ", "), JOBS[name].purpose)
        yield Observation("kernels", name, says, "good" if stored == number else "note")


def _kept(kernels: StoredKernels) -> Observation:
    total = kernels.total
    name = word("doctor", "state")
    if kernels.unkept:
        says: str = Told(
            "neither the folder of the source nor that of the user may be written to: every process compiles again"
        )
        help_ = Told("NUMBA_CACHE_DIR in the environment names a folder that may")
        return Observation("kernels", name, says, "note", help_)
    where = os.path.commonpath(kernels.folders) if kernels.folders else Told("no folder")
    functions = plural(total.total(), "{n} function", "{n} functions")
    says = Told("{stored} of {functions} stored, in {folder}", total["stored"], functions, where)
    if total["damaged"]:
        says = Joined([says, Told("{count} cannot be read, and will be made again", total["damaged"])], "; ")
    if total["stored"] == total.total():
        return Observation("kernels", name, says)
    seconds = sum(JOBS[name].seconds for name, states in kernels.states.items() if states["stored"] < states.total())
    help_ = Told("`entropeg warm` compiles the rest, in about {time}", duration(seconds))
    return Observation("kernels", name, says, "note", help_)


def _extras() -> Iterator[Observation]:
    ranges = _ranges()
    for extra in EXTRAS.values():
        yield _extra(extra, ranges)


def _extra(extra: Extra, ranges: dict[str, str]) -> Observation:
    if is_browser() and extra.absent:
        if extra.name in {"figures", "parquet"}:  # the other extras want processes, a network, or the system
            wanted = ", ".join(f'"{package}"' for package in extra.packages)
            says = Told("not installed; for {purpose}", extra.purpose)
            return Observation("extras", extra.name, says, "note", f"await micropip.install([{wanted}])")
        return Observation("extras", extra.name, Told("not for a browser; for {purpose}", extra.purpose), "note")
    there = {name: found for name, found in extra.versions.items() if found is not None}
    old = [f"{name} {found}" for name, found in there.items() if not _is_within(found, ranges.get(name, ""))]
    if not there:
        return Observation(
            "extras", extra.name, Told("not installed; for {purpose}", extra.purpose), "note", extra.command
        )
    if extra.absent:
        lacks = Told("without {absent:list}; for {purpose}", extra.absent, extra.purpose)
        return Observation("extras", extra.name, lacks, "note", extra.command)
    if old:
        says = Told("not in the versions asked for: {old:list}", old)
        return Observation("extras", extra.name, says, "note", extra.command.replace("install", "install --upgrade"))
    return Observation("extras", extra.name, ", ".join(f"{name} {found}" for name, found in there.items()))


def _settings() -> Iterator[Observation]:
    for name, says in SETTINGS.items():
        value = os.environ.get(name)
        if value:
            told = Told("{setting} ({remark})", value, says) if says else value
            yield Observation("settings", name, told, "note" if says else "good")


def _trials() -> Iterator[Observation]:
    for trial in self_test():
        if trial.failure:
            yield Observation("self-test", trial.name, trial.failure, "wrong")
        else:
            yield Observation("self-test", trial.name, Told("right, {time}", duration(trial.seconds, 2)))
