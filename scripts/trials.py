"""Tries the mutants of a room with its tests, in one process that holds the tests ready and forks for each mutant.

    python trials.py MUTANTS TESTS RESULTS      (started by scripts/mutants.py, in a copy of the tree)

The tests are run once as they are, to learn which lines each of them reaches. Then a child is forked for every mutant:
it takes the code of the changed function into the one that was imported, runs the tests that reach its line, the
quickest first, and ends with the first that fails. Programs that a test starts read the changed file from the copy.
All other tests of the files that reach it follow, since a fixture may have reached it for them, and those that start
programs, which no tracer here sees. A mutant whose child dies before a test has begun counts as not tried.
"""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing.process
import os
import resource
import signal
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType

import coverage
import pytest
from mutations import Mutant

PACKAGE = Path("src/entropeg").resolve()
STARTS = {"subprocess.Popen", "os.posix_spawn", "os.fork"}
"""Events of Python's audit that a test with programs of its own causes."""


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the codes of all functions in a code, in the order of the source."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from codes(part)


def swap(path: Path, original: str, changed: str) -> None:
    """Give the functions of a module, where it has been imported, the code of its changed source.

    A change may remove a lambda or a generator. Codes are then matched by their names, and by the order of those of one
    name; where a name has become rarer, nobody can tell which one is gone, and the function around makes the rest anew.
    """
    before: defaultdict[str, list[CodeType]] = defaultdict(list)
    after: defaultdict[str, list[CodeType]] = defaultdict(list)
    for text, named in ((original, before), (changed, after)):
        for code in codes(compile(text, str(path), "exec", dont_inherit=True)):
            named[code.co_qualname].append(code)
    pairs = [zip(before[name], after[name], strict=True) for name in before if len(before[name]) == len(after[name])]
    new = {old: code for pair in pairs for old, code in pair if old != code}
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and found.__code__.co_filename == str(path):
            taken = new.get(found.__code__)
            if taken is not None:
                # A function keeps its closure, also where the change leaves nothing that reads it.
                kept = taken.co_freevars or found.__code__.co_freevars
                found.__code__ = taken.replace(co_freevars=kept)


class Trials:
    """A plug-in of pytest that runs the tests once for each mutant, in place of once."""

    def __init__(self, mutants: list[Mutant], results: Path) -> None:
        self.mutants, self.results = mutants, results
        self.begun = results.with_suffix(".begun")
        self.items: dict[str, pytest.Item] = {}
        self.seconds: dict[str, float] = {}
        self.of_file: dict[str, float] = defaultdict(float)
        self.reached: dict[tuple[str, int], set[str]] = defaultdict(set)
        self.starters: set[str] = set()
        self.failed: list[str] = []
        self.now = ""
        self.child = 0

    def say(self, **facts: object) -> None:
        """Add a line to the results."""
        with self.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test took and whether it failed."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Learn from a run of all tests, then try the mutants."""
        self.items = {item.nodeid: item for item in session.items}
        sources = _kernel_sources()
        for file in sources:
            importlib.import_module(_module(file))
        kept = self.results.with_suffix(".reached")
        if self._forked(lambda: self._learn(kept), 3600) is None:
            facts = json.loads(kept.read_text(encoding="utf-8"))
            self.seconds, self.starters = facts["seconds"], set(facts["starters"])
            for name, seconds in self.seconds.items():
                self.of_file[_file(name)] += seconds
            for file, line, test in facts["reached"]:
                self.reached[file, line].add(test)
            self.say(tests=len(self.items), failed=facts["failed"], seconds=sum(self.seconds.values()))
            for name in facts["failed"]:
                self.items.pop(name, None)
            for number, mutant in enumerate(self.mutants):
                self.try_one(number, is_on_disk=PACKAGE / mutant.file not in sources)
        return True

    def _learn(self, kept: Path) -> str | None:
        """Run every test, and keep which lines it reaches, what it takes and whether it starts programs."""
        sys.addaudithook(lambda event, _: self.starters.add(self.now) if event in STARTS else None)
        start = multiprocessing.process.BaseProcess.start

        def started(process: multiprocessing.process.BaseProcess) -> None:
            self.starters.add(self.now)
            start(process)

        multiprocessing.process.BaseProcess.start = started  # type: ignore[assignment, method-assign]
        measured = coverage.Coverage(data_file=None, config_file=False, include=[f"{PACKAGE}/*"], messages=False)
        measured.start()
        self._run(self.items, measured.switch_context)
        measured.stop()
        data = measured.get_data()
        reached = [
            (file, line, test)
            for file in data.measured_files()
            for line, tests in data.contexts_by_lineno(file).items()
            for test in tests
            if test
        ]
        facts = {"seconds": self.seconds, "starters": sorted(self.starters), "failed": self.failed, "reached": reached}
        kept.write_text(json.dumps(facts), encoding="utf-8")
        return None

    def _run(self, names: Iterable[str], tell: Callable[[str], object] = str, *, to_first: bool = False) -> None:
        items = [self.items[name] for name in names]
        for item, following in zip(items, [*items[1:], None], strict=True):
            self.now = item.nodeid
            tell(item.nodeid)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if to_first and self.failed:
                return

    def try_one(self, number: int, *, is_on_disk: bool) -> None:
        """Try a mutant, and say what noticed it, or that it died before a test began."""
        mutant = self.mutants[number]
        path = PACKAGE / mutant.file
        original = path.read_text(encoding="utf-8")
        changed = mutant.source(original)
        reaching = set.union(set(), *(self.reached[str(path), line] for line in range(mutant.line, mutant.last + 1)))
        near = set(map(_file, reaching))

        def order(test: str) -> tuple[bool, bool, float, str, float, str]:
            # File by file, since tests of a file share what is costly to make; the one with the module's name first.
            file = _file(test)
            is_other = mutant.module.rpartition(".")[2] not in file
            return test not in reaching, is_other, self.of_file[file], file, self.seconds.get(test, 0), test

        chosen = sorted((test for test in self.items if _file(test) in near or test in self.starters), key=order)
        noticed = None
        if chosen:
            trial = partial(self._tried, path, original, changed, chosen)
            with _written(path, changed, number) if is_on_disk else nullcontext():
                noticed = self._forked(trial, 60 + 5 * max(self.of_file[_file(test)] for test in chosen))
        is_tried = noticed is None or self.begun.exists()
        self.say(number=number, noticed=noticed, is_tried=is_tried, is_reached=bool(reaching))

    def _tried(self, path: Path, original: str, changed: str, names: list[str]) -> str | None:
        swap(path, original, changed)
        self.failed.clear()
        self._run(names, self._begin, to_first=True)
        return self.failed[0] if self.failed else None

    def _begin(self, name: str) -> None:
        """Note that a test begins, and give it the time of its file, twice: it may make what others share."""
        self.begun.write_text(name, encoding="utf-8")
        used = sum(os.times()[:2])
        resource.setrlimit(
            resource.RLIMIT_CPU, (int(used + 10 + 2 * self.of_file[_file(name)]), resource.RLIM_INFINITY)
        )

    def _forked(self, work: Callable[[], str | None], patience: float) -> str | None:
        """Do a piece of work in a child, with patience for each test, and return what it answers or how it died."""
        answer = self.results.with_suffix(".answer")
        for file in (answer, self.begun):
            file.unlink(missing_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.child = os.fork()
        if not self.child:
            try:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
                answer.write_text(json.dumps(work()), encoding="utf-8")
            except BaseException as error:  # noqa: BLE001 - whatever a mutant raises
                answer.write_text(json.dumps(f"raised {error!r:.300}"), encoding="utf-8")
            finally:
                os._exit(0)
        since, waited = 0, 0.0
        # Naps are counted, since clocks go on while all of this is stopped, or the machine sleeps.
        while (found := os.waitpid(self.child, os.WNOHANG)) == (0, 0) and waited < patience:
            time.sleep(0.005)
            waited += 0.005
            with suppress(FileNotFoundError):
                if since != (since := self.begun.stat().st_mtime_ns):
                    waited = 0.0
        self.kill()
        if found == (0, 0):
            os.waitpid(self.child, 0)
        self.child = 0
        with suppress(OSError, ValueError):
            said: str | None = json.loads(answer.read_text(encoding="utf-8"))
            return said
        return f"ended with {os.waitstatus_to_exitcode(found[1])}" if found[0] else "took too long"

    def kill(self) -> None:
        """End the child, and what it started."""
        if self.child:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.child, signal.SIGKILL)


def _file(test: str) -> str:
    return test.partition("::")[0]


def _module(file: Path) -> str:
    return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def _kernel_sources() -> set[Path]:
    """The files that compiled code is made of: after a change in one it would all be compiled again."""
    from entropeg.kernels.compile.stored import sources

    using = [file for file in PACKAGE.rglob("*.py") if "kernels.compile" in file.read_text(encoding="utf-8")]
    return {found for file in using for found in sources(file)}


@contextmanager
def _written(path: Path, changed: str, number: int) -> Iterator[None]:
    """Have the changed source in the file, with a time of its own: compiled modules are known by it."""
    original, times = path.read_bytes(), path.stat()
    path.write_text(changed, encoding="utf-8")
    os.utime(path, (times.st_atime, times.st_mtime - 10 - number))
    try:
        yield
    finally:
        path.write_bytes(original)
        os.utime(path, (times.st_atime, times.st_mtime))


def main(mutants: str, tests: str, results: str) -> int:
    """Try the mutants that a file lists with the tests of a folder."""
    listed = [Mutant(**fields) for fields in json.loads(Path(mutants).read_text(encoding="utf-8"))]
    trials = Trials(listed, Path(results))

    def end(_number: int, _frame: FrameType | None) -> None:
        trials.kill()
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    return int(pytest.main([*quiet, "-m", "not slow and not browser and not long", tests], plugins=[trials]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
