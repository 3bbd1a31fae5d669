"""What the checker of proofs says: which step does not hold, and what is proven."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from entropeg.check.proven_board import EARLIER_FORMATS, FORMAT, ProofError
from entropeg.check.verifier import Proven, Verifier, sets_in, sets_of, verify

FIRST, WEIGHTED_FORMAT, _ = EARLIER_FORMATS
HEAD = {"pegs": 2, "colors": 3, "repeats": True, "black": False}
SETS = sets_of(HEAD)
WIN = next(label for label, place in SETS.place.items() if place == SETS.win)
WHITES = next(label for label, place in SETS.place.items() if (SETS.label[:, 1] == place).sum() == 1 and label != WIN)
"""The answer to the second code, AB, that leaves one code: BA."""

ALL = [[], 9, []]


@pytest.mark.parametrize(
    ("lemmas", "said"),
    [
        ([], "the proof has no lemma"),
        ([ALL, 5], "lemma 1 is not written as lemmas are"),
        ([ALL, [[[0, WIN], [1, WIN]], 1, []]], "lemma 1 is about no code: none gives these labels"),
        ([ALL, [[], 1000, []]], r"lemma 1: guess \d+ is not refuted"),
        ([ALL, [[], 1000, [[0, []]]]], r"lemma 1: guess 0 is bounded by \d+, not by 1000"),
        ([ALL, [[], 1000, [[1, [[WHITES, 5]]]]]], "lemma 1 rests on lemma 5, which does not come before it"),
        ([ALL, [[], 1000, [[1, [[WHITES, 1]]]]]], "lemma 1 rests on lemma 1, which does not come before it"),
        ([ALL, [[], 1000, [[1, [[WHITES, -1]]]]]], "lemma 1 rests on lemma -1, which does not come before it"),
        ([ALL, [[], 1000, [[1, [[WHITES, 0]]]]]], "lemma 1: lemma 0 is about other codes than guess 1"),
    ],
)
def test_the_first_step_that_does_not_hold_is_named(lemmas: list[Any], said: str) -> None:
    with pytest.raises(ProofError, match=said):
        Verifier(SETS).check(lemmas)


def test_progress_counts_the_lemmas_from_none_on() -> None:
    told: list[int] = []
    *_, last = Verifier(SETS).check([ALL, ALL], told.append)

    assert ([0, 1], 9, 9) == (told, len(last.left.codes), last.bound)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, rf"no proof of a lower bound that this program reads \({FORMAT}, or 1 to 3\)"),
        ({"format": 9}, "no proof of a lower bound"),
        ({"format": FIRST, "bound": 9, "lemmas": []}, "its 'black' is missing, or not true or false"),
        ({"format": FIRST, **HEAD, "bound": 9, "lemmas": []}, "the proof has no lemma"),
        (
            {"format": FIRST, **HEAD, "bound": 8, "lemmas": [ALL]},
            "no lemma says that all 9 codes take 8 guesses",
        ),
    ],
)
def test_a_file_that_proves_nothing_is_refused_in_a_sentence(data: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ProofError, match=said):
        verify(path)


def test_weights_may_sum_up_to_two_to_the_fiftieth_and_no_further() -> None:
    weights = [1 << 50, *[0] * 8]
    head = {"format": WEIGHTED_FORMAT, **HEAD}

    assert 1 << 50 == sets_in({**head, "weights": weights}).weight.sum()
    for wrong in ([(1 << 50) + 1, *[0] * 8], [0] * 9):
        with pytest.raises(ProofError, match=r"its weights sum up to \d+; proofs are checked of sums from 1 to 1,125,"):
            sets_in({**head, "weights": wrong})


def test_what_is_proven_is_said_in_a_line() -> None:
    assert "2x3: total >= 21 guesses over 9 codes (verified)" == str(Proven("2x3", 9, 21, None))
    assert (
        "2x3 under the weights of the file: weighted total >= 21 guesses over 9 codes, expected >= 2.625 (verified)"
    ) == str(Proven("2x3", 9, 21, 8))
