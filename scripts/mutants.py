"""Changes every room of entropeg in places drawn by a seed, and looks whether the tests of the room notice it.

    python scripts/mutants.py [--seed 1] [--count 40] [ROOM ...]

ROOM is a folder of src/entropeg, `ground` for the modules beside the folders, or a module: `position`, `web/guard`. Of
each, so many mutants are tried with its folder of tests, without the tests marked `slow`, `browser` or `long`, in a
copy of the tree. What nothing notices is written to build/mutants.txt. Ctrl-C ends with the table of what was tried.

Not mutmut, whose trampolines can stand before no function with a decorator (a fifth of ours: properties, caches), which
makes all mutants of a file before it tries the first, and which draws no sample. `scripts/mutations.py` says what is
changed, `scripts/trials.py` how it is tried.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from mutations import Mutant, mutants_of, sample
from touched import GROUND, TESTED_BY

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "entropeg"
REPORT = ROOT / "build" / "mutants.txt"


HEAD = f"{'room':<24}{'mutants':>9}{'tried':>7}{'noticed':>9}{'survivors':>11}"


@dataclass
class Tried:
    """Mutants of a room: the number of all, those drawn, and what was found out about each, by its number."""

    room: str
    there: int
    drawn: list[Mutant]
    found: dict[int, dict[str, Any]] = field(default_factory=dict)
    ended: str = ""

    def those(self, *, noticed: bool) -> list[int]:
        """Return the numbers of those that were tried, and that a test noticed, or that survived."""
        return [
            number
            for number, facts in sorted(self.found.items())
            if facts["is_tried"] and (facts["noticed"] is not None) == noticed
        ]

    def row(self) -> str:
        """Return the row of the table."""
        known, left = (len(self.those(noticed=noticed)) for noticed in (True, False))
        percent = f"{100 * known / (known + left):6.0f} %" if known + left else ""
        return f"{self.room:<24}{self.there:>9,}{known + left:>7}{known:>9}{left:>11}{percent}  {self.ended}".rstrip()


def rooms() -> list[str]:
    """Return every room that has Python, and the ground floor."""
    return [GROUND, *sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())]


def files_of(room: str) -> list[Path]:
    """Return the modules of a room, or the one module that is named."""
    if room == GROUND:
        return sorted(PACKAGE.glob("*.py"))
    module = PACKAGE / f"{room}.py"
    return [module] if module.is_file() else sorted((PACKAGE / room).rglob("*.py"))


def folder_of(room: str) -> str:
    """Return the folder of the tests of a room, or of a module.

    >>> folder_of("web/guard"), folder_of("position"), folder_of("sessions")
    ('tests/web', 'tests/game', 'tests/cli')
    """
    first = room.partition("/")[0]
    first = first if (PACKAGE / first).is_dir() else GROUND
    return f"tests/{TESTED_BY.get(first, first)}"


def all_mutants(room: str) -> list[Mutant]:
    """Return all mutants of a room."""
    modules = {".".join(path.relative_to(PACKAGE).with_suffix("").parts): path for path in files_of(room)}
    return [mutant for name, path in modules.items() for mutant in mutants_of(name, path.read_text(encoding="utf-8"))]


def copy_tree(to: Path) -> None:
    """Copy what git has or would take, and the kernels' stored code, which takes minutes to make."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")  # noqa: S603
    stored = (path.relative_to(ROOT).as_posix() for path in PACKAGE.rglob("*.nb[ic]"))
    for name in (*listed, *stored):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


class Hunt:
    """One run over some rooms, as many at a time as there are processors."""

    def __init__(self, seed: int, count: int) -> None:
        self.seed, self.count = seed, count
        self.is_over, self.begun = Event(), time.monotonic()

    def say(self, text: str) -> None:
        """Print a line with the minutes since the beginning."""
        minutes, seconds = divmod(int(time.monotonic() - self.begun), 60)
        print(f"mutants: {minutes:>3}:{seconds:02}  {text}\n", end="", flush=True)

    def run(self, room: str) -> Tried:
        """Try the mutants of a room in a copy of the tree."""
        found = all_mutants(room)
        tried = Tried(room, len(found), sample(found, self.count, self.seed))
        if self.is_over.is_set():
            tried.ended = "not begun"
        else:
            with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
                self._try(tried, Path(folder))
        self.say(tried.row())
        return tried

    def _try(self, tried: Tried, folder: Path) -> None:
        copied, results = folder / "tree", folder / "results"
        copied.mkdir()
        copy_tree(copied)
        (folder / "mutants").write_text(json.dumps([asdict(mutant) for mutant in tried.drawn]), encoding="utf-8")
        results.touch()
        paths = os.pathsep.join(str(copied / name) for name in ("src", "scripts"))
        environment = {**os.environ, "PYTHONPATH": paths, "HYPOTHESIS_PROFILE": "mutants"}
        program = [sys.executable, "scripts/trials.py", str(folder / "mutants"), folder_of(tried.room), str(results)]
        with (
            (folder / "said").open("w+", encoding="utf-8") as said,
            subprocess.Popen(  # noqa: S603 - our own program
                program, cwd=copied, env=environment, stdout=said, stderr=said, start_new_session=True
            ) as process,
            results.open(encoding="utf-8") as lines,
        ):
            while process.poll() is None and not self.is_over.wait(0.5):
                self._hear(tried, lines)
            if process.poll() is None:
                process.terminate()
                tried.ended = "interrupted"
            process.wait()
            self._hear(tried, lines)
            if len(tried.found) < len(tried.drawn) and not tried.ended:
                said.seek(0)
                tried.ended = "the tests could not be run"
                self.say("".join(said.readlines()[-30:]))
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)

    def _hear(self, tried: Tried, lines: Iterable[str]) -> None:
        for line in lines:
            facts = json.loads(line)
            if "tests" in facts:
                failed = f"; unchanged fail {', '.join(facts['failed'])}" if facts["failed"] else ""
                self.say(f"{tried.room}: {facts['tests']} tests take {facts['seconds']:.0f} s{failed}")
                continue
            tried.found[facts["number"]] = facts
            if len(tried.found) % 10 == 0:
                known = len(tried.those(noticed=True))
                self.say(f"{tried.room}: {len(tried.found)} of {len(tried.drawn)} tried, {known} noticed")


def write_report(all_tried: Iterable[Tried], seed: int) -> None:
    """Write the table, each survivor with its diff, and why others cannot be tried."""
    parts = [f"seed {seed}", "", HEAD]
    parts += [tried.row() for tried in all_tried]
    for tried in all_tried:
        for number in tried.those(noticed=False):
            mutant = tried.drawn[number]
            reached = "" if tried.found[number]["is_reached"] else "  (reached by no test)"
            original = (PACKAGE / mutant.file).read_text(encoding="utf-8")
            parts += ["", f"{mutant.name}{reached}", mutant.diff(original)]
        for number, facts in tried.found.items():
            if not facts["is_tried"]:
                parts += ["", f"{tried.drawn[number].name}", f"cannot be tried: {facts['noticed']}"]
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text("\n".join(parts) + "\n", encoding="utf-8")


def main() -> int:
    """Try the rooms that are named, or all."""
    parser = argparse.ArgumentParser(description="Change the sources, and look whether tests notice it.")
    parser.add_argument("room", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40, help="mutants of each room")
    asked = parser.parse_args()
    named = asked.room or rooms()
    unknown = [room for room in named if not files_of(room)]
    if unknown:
        parser.error(f"src/entropeg has no {unknown[0]}; it has {', '.join(rooms())}")
    hunt = Hunt(asked.seed, asked.count)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        running = [pool.submit(hunt.run, room) for room in named]
        try:
            wait(running)
        except KeyboardInterrupt:
            hunt.is_over.set()
    all_tried = [future.result() for future in running]
    write_report(all_tried, asked.seed)
    print(HEAD, *(tried.row() for tried in all_tried), sep="\n")
    print(f"mutants: survivors are in {REPORT.relative_to(ROOT)}")
    return 130 if hunt.is_over.is_set() else 0


if __name__ == "__main__":
    sys.exit(main())
