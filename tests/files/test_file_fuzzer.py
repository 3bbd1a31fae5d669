"""Damaged files of every kind end in one sentence, in the library and at the prompt."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from filefuzz import COMMANDS, Sample, command_fault, damaged, fault, samples
from rooms import cases

SEED = 14
CASES, TYPED = cases(15, 1000), cases(4, 100)
"""Damaged files of each kind: read by the library, read by a command."""


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Sample]]:
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("files"))
    yield samples(Path())
    os.chdir(before)


def test_a_damaged_file_is_read_or_refused_in_one_sentence(every: list[Sample]) -> None:
    rng = random.Random(SEED)
    found = [fault(each, damaged(each, every, rng), Path(each.name)) for _ in range(CASES) for each in every]

    assert [said for said in found if said] == []
    assert len(found) == CASES * len(every)


def test_a_command_given_a_damaged_file_ends_with_an_exit_code_of_the_table(every: list[Sample]) -> None:
    rng = random.Random(SEED)
    read = [each for each in every if each.name in COMMANDS]
    found = [command_fault(each, damaged(each, every, rng), Path(each.name)) for _ in range(TYPED) for each in read]

    assert [said for said in found if said] == []
    assert len(read) == len(COMMANDS)


def test_the_fuzzer_notices_what_is_no_sentence(tmp_path: Path) -> None:
    def broken(_: Path) -> None:
        raise KeyError("rules")

    assert "KeyError" in fault(Sample("a", b"", broken), b"", tmp_path / "a")
    assert "" == fault(Sample("a", b"", lambda path: path.read_bytes()), b"", tmp_path / "a")
