"""The library fuzzer: whatever is given to a public function, the answer is a result or one sentence of ours."""

from __future__ import annotations

from pathlib import Path

import pytest

import entropeg
from library_calls import FUNCTIONS, Failure, covered, tried
from rooms import cases

CALLS = cases(600, 15_000)
PIECE = 100
UNASKED = {"Codebreaker", "Codemaker", "EntropegError", "Feedback", "InputError", "Marks"}
"""Names that are no calls to look at: protocols, errors, and plain tuples, which are looked at where they are used."""


@pytest.mark.parametrize("first", range(0, CALLS, PIECE))
def test_a_call_ends_in_a_result_or_in_one_sentence(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    failures = [found for seed in range(first, first + PIECE) if (found := tried(seed)) is not None]

    assert list[Failure]() == failures


def test_every_public_name_is_asked() -> None:
    assert set(entropeg.__all__) - UNASKED == covered() | {"CodeSet", "Position"}
    assert len(FUNCTIONS) == len({function.name for function in FUNCTIONS})
