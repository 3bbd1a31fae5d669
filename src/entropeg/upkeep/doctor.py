"""Looks at an installation as a whole: its parts, the missing ones and how to get them, and whether it works."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import entropeg
from entropeg.amounts import duration
from entropeg.extras import EXTRAS, Extra, installed_version
from entropeg.plain_values import PlainValue
from entropeg.processes import limits_memory
from entropeg.processors import usable_processors
from entropeg.told import plural
from entropeg.upkeep.jobs import JOBS, StoredKernels, stored_kernels
from entropeg.upkeep.selftest import has_store, is_browser, self_test
from entropeg.version import __version__

DoctorGrade: TypeAlias = Literal["good", "note", "wrong"]

SETTINGS = {
    "ENTROPEG_KERNELS": "",
    "NUMBA_CACHE_DIR": "",
    "NUMBA_DISABLE_JIT": "nothing is compiled, unless it is 0",
    "NUMBA_NUM_THREADS": "",
    "PYTHONDONTWRITEBYTECODE": "Python compiles every module again at every start: unset it",
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


@dataclass(frozen=True)
class Diagnosis(PlainValue):
    """All that was found."""

    PLAIN = ("version", "is_well", "findings")

    findings: tuple[Observation, ...]

    def __repr__(self) -> str:
        """Say how many things were looked at, and how many do not work."""
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
    yield Observation("machine", "entropeg", f"{__version__}, in {place}")
    yield Observation(
        "machine", "Python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}"
    )
    yield Observation("machine", "system", f"{platform.system()} {platform.release()}, {platform.machine()}")
    usable, there = usable_processors(), os.cpu_count() or 1
    yield Observation(
        "machine", "processors", f"{usable} to be used" if usable == there else f"{usable} of {there} to be used"
    )
    if is_browser():
        says = "a browser's Python has no threads and no other processes: all is done in this one"
        yield Observation("machine", "threads", says, "note")
    else:
        yield _limits()
    written = sys.stdout.encoding or "ascii"
    try:
        "●○─é".encode(written)
    except (UnicodeEncodeError, LookupError):
        help_ = "PYTHONUTF8=1 in the environment lets Python write everything"
        yield Observation(
            "machine", "text", f"{written} is written, which has no pegs: they are letters", "note", help_
        )
    else:
        yield Observation("machine", "text", f"{written} is written")


def _limits() -> Observation:
    # What keeps programs and modules of others to their limits.
    if limits_memory():
        return Observation(
            "machine", "limits", "the system keeps programs of others to their memory, and tells their time"
        )
    extra = EXTRAS["limits"]
    if not extra.absent:
        return Observation("machine", "limits", "psutil tells the memory and the time of programs of others")
    says = "nobody limits the memory of programs of others, and the clock stands for their processor time"
    return Observation("machine", "limits", says, "note", extra.command)


def _libraries() -> Iterator[Observation]:
    ranges = _ranges()
    for name in ("numpy", "numba", "llvmlite", "click", "rich"):
        found, asked = installed_version(name), ranges.get(name, "")
        is_needed = name != "numba" or "numba" in ranges
        if found is None and name in {"numba", "llvmlite"}:
            if name == "numba" and is_browser():
                without = "none for a browser: boards to 100,000 codes are played without"
                yield Observation("libraries", name, without, "note")
            elif name == "numba" and is_needed:
                without = "not installed: boards to 100,000 codes are played without"
                yield Observation("libraries", name, without, "note", f'pip install "numba{asked}"')
        elif found is None:
            yield Observation("libraries", name, "not installed", "wrong", f'pip install "{name}{asked}"')
        elif not _is_within(found, asked):
            grade: DoctorGrade = "note" if name == "numba" else "wrong"
            yield Observation(
                "libraries", name, f"{found}, where {asked} is asked for", grade, f'pip install "{name}{asked}"'
            )
        else:
            yield Observation("libraries", name, found)
    if not has_store():
        says = "not there: games are played and compared, and no store keeps them"
        help_ = 'await micropip.install("sqlite3")' if is_browser() else "a Python that was built with SQLite has it"
        yield Observation("libraries", "sqlite3", says, "note", help_)


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
        yield Observation("kernels", "state", f"{type(error).__name__}: {error}", "wrong")
        return
    if kernels.reason:
        yield Observation("kernels", "state", f"{kernels.reason}: boards to 100,000 codes are played without", "note")
        return
    yield _kept(kernels)
    for name, states in kernels.states.items():
        stored, number = states["stored"], states.total()
        told = "stored" if stored == number else "not stored" if not stored else f"{stored} of {number} stored"
        told += f", {plural(states['old'], '{n} is', '{n} are')} old" if states["old"] else ""
        told += f", {plural(states['damaged'], '{n} is', '{n} are')} damaged" if states["damaged"] else ""
        yield Observation("kernels", name, f"{told}: {JOBS[name].purpose}", "good" if stored == number else "note")


def _kept(kernels: StoredKernels) -> Observation:
    total = kernels.total
    if kernels.unkept:
        says = "neither the folder of the source nor that of the user may be written to: every process compiles again"
        return Observation(
            "kernels", "state", says, "note", "NUMBA_CACHE_DIR in the environment names a folder that may"
        )
    where = os.path.commonpath(kernels.folders) if kernels.folders else "no folder"
    says = f"{total['stored']} of {plural(total.total(), '{n} function', '{n} functions')} stored, in {where}"
    if total["damaged"]:
        says += f"; {total['damaged']} cannot be read, and will be made again"
    if total["stored"] == total.total():
        return Observation("kernels", "state", says)
    seconds = sum(JOBS[name].seconds for name, states in kernels.states.items() if states["stored"] < states.total())
    return Observation(
        "kernels", "state", says, "note", f"`entropeg warm` compiles the rest, in about {duration(seconds)}"
    )


def _extras() -> Iterator[Observation]:
    ranges = _ranges()
    for extra in EXTRAS.values():
        yield _extra(extra, ranges)


def _extra(extra: Extra, ranges: dict[str, str]) -> Observation:
    if is_browser() and extra.absent:
        if extra.name in {"figures", "parquet"}:  # the other extras want processes, a network, or the system
            wanted = ", ".join(f'"{package}"' for package in extra.packages)
            says = f"not installed; for {extra.purpose}"
            return Observation("extras", extra.name, says, "note", f"await micropip.install([{wanted}])")
        return Observation("extras", extra.name, f"not for a browser; for {extra.purpose}", "note")
    there = {name: found for name, found in extra.versions.items() if found is not None}
    old = [f"{name} {found}" for name, found in there.items() if not _is_within(found, ranges.get(name, ""))]
    if not there:
        return Observation("extras", extra.name, f"not installed; for {extra.purpose}", "note", extra.command)
    if extra.absent:
        lacks = f"without {', '.join(extra.absent)}; for {extra.purpose}"
        return Observation("extras", extra.name, lacks, "note", extra.command)
    if old:
        says = f"not in the versions asked for: {', '.join(old)}"
        return Observation("extras", extra.name, says, "note", extra.command.replace("install", "install --upgrade"))
    return Observation("extras", extra.name, ", ".join(f"{name} {found}" for name, found in there.items()))


def _settings() -> Iterator[Observation]:
    for name, says in SETTINGS.items():
        value = os.environ.get(name)
        if value:
            yield Observation("settings", name, f"{value}{says and f' ({says})'}", "note" if says else "good")


def _trials() -> Iterator[Observation]:
    for trial in self_test():
        if trial.failure:
            yield Observation("self-test", trial.name, trial.failure, "wrong")
        else:
            yield Observation("self-test", trial.name, f"right, {duration(trial.seconds, 2)}")
