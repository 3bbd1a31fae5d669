"""A program that starts processes without a guard is told what to write; with it, and with one process, it runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import entropeg.experiments.runner as runner
from entropeg import Rules, arena
from entropeg.executors.processes import ProcessCrew

runner.SLICE = ProcessCrew.worth = 0.001  # seconds: start processes at once


def main():
    stopped = []
    ProcessCrew._end = lambda self, wait, end=ProcessCrew._end: (stopped.append(self.started), end(self, wait=wait))
    runs = arena("sampling", "honest", Rules.parse("3x4"), games=60, jobs={jobs})
    print(len(runs[0].guesses), stopped[-1])


{call}
"""


def run(folder: Path, *, jobs: int, call: str) -> subprocess.CompletedProcess[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM.format(jobs=jobs, call=call), encoding="utf-8")
    return subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300, check=False)


def test_without_a_guard_the_program_is_told_what_to_write(tmp_path: Path) -> None:
    ended = run(tmp_path, jobs=2, call="main()")

    assert ended.returncode == 1
    assert 'under `if __name__ == "__main__":`, or give jobs=1' in ended.stderr
    assert ended.stderr.count("Traceback") == 1
    assert "memory" not in ended.stderr


@pytest.mark.parametrize(
    ("jobs", "call", "shared"),
    [(2, 'if __name__ == "__main__":\n    main()', True), (1, "main()", False)],
    ids=["guard", "jobs=1"],
)
def test_as_it_is_told_it_runs(tmp_path: Path, jobs: int, call: str, *, shared: bool) -> None:
    ended = run(tmp_path, jobs=jobs, call=call)

    assert (0, f"60 {shared}") == (ended.returncode, ended.stdout.strip()), ended.stderr


def test_a_program_that_is_read_from_standard_input_shares_its_games_too() -> None:
    program = PROGRAM.format(jobs=2, call="main()")
    ended = subprocess.run(
        [sys.executable, "-"], input=program, capture_output=True, text=True, timeout=300, check=False
    )

    assert (0, "60 True") == (ended.returncode, ended.stdout.strip()), ended.stderr
