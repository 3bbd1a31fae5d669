"""Label permutations (Jourde 2018): they agree with brute force, and samples of them are even."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Rules, score
from entropeg.candidates import label_tree
from entropeg.candidates.label_tree import codes_by_labels, label_sequences, sample_codes
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import Code
from strategies import position_after, positions
from strategies import rules as drawn_rules

EXAMPLE = [((1, 2, 0), Feedback(0, 2)), ((2, 1, 1), Feedback(1, 0))]
"""The turns of Jourde 2018, section 3.2: 231 and 322 against 313, colors counted from 0 here."""


def test_the_example_of_document_c_keeps_its_sequence_and_finds_its_secret() -> None:
    rules = Rules.parse("3x3/membership")

    assert ("WBB", "GWW") in set(label_sequences(rules, EXAMPLE))
    assert (2, 0, 2) in set(codes_by_labels(rules, EXAMPLE))


def test_the_labels_that_document_c_strikes_out_are_struck_out() -> None:
    # «2 is a wrong color» against «2 is misplaced», «3 is in place» against «3 is wrong».
    found = set(label_sequences(Rules.parse("3x3/membership"), EXAMPLE))

    assert not any(first == "BWB" and second[0] == "G" for first, second in found)
    assert not any(first[0] == "B" and second[1] == "W" for first, second in found)


@pytest.mark.parametrize("text", ["2x3", "3x2", "3x3", "2x3/membership", "3x3/membership", "4x2/membership"])
def test_on_small_boards_every_pair_of_turns_is_deduced_exactly(text: str) -> None:
    rules = Rules.parse(text)
    everything = list(product(range(rules.colors), repeat=rules.pegs))
    first_guesses = [guess for guess in everything if guess == tuple(sorted(guess)) and guess[0] == 0]
    for first, second in product(first_guesses, everything):
        groups: dict[tuple[Feedback, Feedback], list[Code]] = {}
        for secret in everything:
            groups.setdefault((score(first, secret, rules), score(second, secret, rules)), []).append(secret)  # type: ignore[arg-type]
        for answers, fitting in groups.items():
            turns = list(zip((first, second), answers, strict=True))

            assert fitting == sorted(codes_by_labels(rules, turns))

            words = naive.label_sequences(rules.kind, (first, second), fitting)

            assert words <= set(label_sequences(rules, turns))


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_labels_and_a_scan_of_all_codes_agree(data: st.DataObject) -> None:
    rules = data.draw(drawn_rules(max_codes=3000, max_pegs=6, max_colors=8))
    position, secret = data.draw(positions(rules))
    found = list(codes_by_labels(rules, position.turns))

    assert len(set(found)) == len(found)
    assert list(secrets(rules).consistent(position.turns)) == sorted(found)

    sample = sample_codes(rules, position.turns, 20, np.random.default_rng(1))

    assert set(sample.codes) <= set(found)
    assert min(20, len(found)) == len(sample.codes)
    assert len(found) == sample.number
    assert secret in found


def unevenness(draw: Callable[[np.random.Generator], list[Code]], codes: list[Code], rounds: int) -> float:
    """Return chi-square of how often each code was drawn, in standard deviations above its mean; seed fixed."""
    rng = np.random.default_rng(12)
    seen: Counter[Code] = Counter()
    for _ in range(rounds):
        seen.update(draw(rng))
    expected = seen.total() / len(codes)
    chi_square = sum((seen[code] - expected) ** 2 / expected for code in codes)
    freedom = len(codes) - 1
    return float((chi_square - freedom) / (2 * freedom) ** 0.5)


def test_samples_are_even_whether_walked_through_or_weighed_and_plain_descents_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = position_after("5x6", (0, 1, 2, 2, 4), (0, 0, 1, 2, 3), (3, 4, 0, 1, 1))
    codes, turns = list(position.candidates), position.turns
    monkeypatch.setattr(label_tree, "usable_processors", lambda: 1)

    def walked(rng: np.random.Generator) -> list[Code]:
        found = sample_codes(position.rules, turns, 10, rng)

        assert found.quality == "uniform"

        return list(found.codes)

    def weighed(rng: np.random.Generator) -> list[Code]:
        found = sample_codes(position.rules, turns, 10, rng, steps=0)

        assert found.quality == "weighted"

        return list(found.codes)

    def plain(rng: np.random.Generator) -> list[Code]:
        rows, _ = label_tree._LabelTree(position.rules, turns).descend(rng.integers(1 << 63, size=1).astype(np.uint64))
        return [tuple(row) for row in rows[:40].tolist()]

    assert len(codes) > 100
    assert unevenness(walked, codes, 200) < 3
    assert unevenness(weighed, codes, 200) < 3
    assert unevenness(plain, codes, 60) > 10


def test_what_one_look_decides_is_decided_whatever_the_time() -> None:
    for turns, number in (([], 1), ([((0,), Feedback(0))], 0)):
        found = sample_codes(Rules.parse("1x1"), turns, 10, np.random.default_rng(1), deadline=0.0)

        assert (number, "all") == (len(found.codes), found.quality)


def test_descents_estimate_how_many_codes_fit() -> None:
    position = position_after("6x8", (0, 1, 2, 3, 4, 5), (0, 0, 1, 1, 2, 2), (3, 3, 4, 0, 5, 6))
    found = sample_codes(position.rules, position.turns, 500, np.random.default_rng(1), steps=0)

    assert found.quality == "weighted"
    assert found.number == pytest.approx(len(position.candidates), rel=0.1)


def test_the_number_of_cores_changes_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    position = position_after("8x12", tuple(range(8)), (0, 0, 1, 1, 2, 2, 3, 3))
    found = []
    for cores in (1, 3):
        monkeypatch.setattr(label_tree, "usable_processors", lambda number=cores: number)
        found.append(list(sample_codes(position.rules, position.turns, 100, np.random.default_rng(5)).codes))

    assert found[0] == found[1]


def test_memory_is_bounded_by_the_sample_and_not_by_the_codes() -> None:
    # Half a million codes of eight pegs pass by: as tuples in a tree they would fill a hundred megabytes.
    position = position_after("8x12", (0, 1, 2, 3, 4, 5, 6, 7), (0, 0, 1, 1, 2, 2, 3, 4), (1, 5, 6, 2, 9, 9, 0, 3))
    sample_codes(position.rules, position.turns, 1, np.random.default_rng(1))  # loads what is loaded once
    tracemalloc.start()
    try:
        found = sample_codes(position.rules, position.turns, 100, np.random.default_rng(1))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert found.number > 10_000
    assert len(found.codes) == 100
    assert peak < 10_000_000


@pytest.mark.parametrize("size", [1, 2])
def test_each_of_a_few_codes_is_drawn_as_often(size: int) -> None:
    position = position_after("4x6", (0, 1, 2, 3), (0, 1, 3, 2))
    codes, rng, seen = list(position.candidates), np.random.default_rng(4), Counter[Code]()
    for _ in range(100):
        found = sample_codes(position.rules, position.turns, size, rng)
        seen.update(found.codes)

        assert ("uniform", len(codes)) == (found.quality, found.number)

    expected = 100 * size / len(codes)
    assert sorted(seen) == codes
    assert all(abs(number - expected) < 4 * expected**0.5 for number in seen.values())


def test_a_mark_tells_the_label_of_its_peg() -> None:
    rules = Rules.parse("3x4/positional")
    for secret in ((0, 0, 1), (3, 1, 0), (2, 2, 2)):
        position = position_after("3x4/positional", secret, (0, 1, 0), (2, 0, 1))

        assert list(position.candidates) == sorted(codes_by_labels(rules, position.turns))


def test_secrets_that_are_no_codes_of_colors_have_no_labels() -> None:
    with pytest.raises(InputError, match="codes of colors only, not the secrets of 3x10/shapes=5"):
        list(codes_by_labels("3x10/shapes=5", []))
