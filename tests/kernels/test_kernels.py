"""Kernels against their slow twins in naive.py, and the laws of scoring."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import kernels
from entropeg.kernels import scoring
from entropeg.sizes import BLACK, GRAND, MEMBERSHIP, POSITIONAL, STANDARD, code_count, label_count

KINDS = (STANDARD, BLACK, MEMBERSHIP, POSITIONAL)
kinds = st.sampled_from(KINDS)
GRAND_KINDS = tuple(GRAND + 8 * shapes for shapes in (1, 2, 5))
every_kind = st.sampled_from((*KINDS, *GRAND_KINDS))
unhurried = settings(max_examples=settings().max_examples * 3 // 5)


pytestmark = [pytest.mark.kernels, pytest.mark.usefixtures("both_ways")]


@dataclass(frozen=True)
class Case:
    """Guesses and secrets of one board, as tuples; arrays on demand."""

    symbols: int
    guesses: Sequence[naive.Code]
    secrets: Sequence[naive.Code]

    def planes(self, codes: Sequence[naive.Code]) -> npt.NDArray[Any]:
        """Return the codes as planes."""
        pegs = len(self.guesses[0])
        rows = np.array(codes, kernels.plane_dtype(self.symbols)).reshape(len(codes), pegs)
        return np.ascontiguousarray(rows.T)


@st.composite
def cases(draw: st.DrawFn, max_pegs: int = 6, max_symbols: int = 9, max_codes: int = 12) -> Case:
    """Draw a board, a few guesses and secrets; with few symbols, so that colors meet."""
    pegs = draw(st.integers(1, max_pegs))
    symbols = draw(st.integers(1, max_symbols))
    code = st.tuples(*[st.integers(0, symbols - 1)] * pegs)
    guesses = draw(st.lists(code, min_size=1, max_size=max_codes))
    secrets = draw(st.lists(code, max_size=max_codes))
    return Case(symbols, guesses, secrets)


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    """Draw the arguments that describe a small list of codes."""
    blank = draw(st.booleans())
    return {
        "pegs": draw(st.integers(1, 4)),
        "symbols": draw(st.integers(1 + blank, 5)),
        "repeats": draw(st.booleans()),
        "blank": blank,
    }


def random_case(pegs: int, symbols: int, guesses: int, secrets: int) -> Case:
    rng = np.random.default_rng([pegs, symbols, guesses, secrets])
    drawn = rng.integers(0, symbols, (guesses + secrets, pegs))
    drawn[-1] = drawn[0]  # the winning label occurs
    codes = [tuple(row) for row in drawn.tolist()]
    return Case(symbols, codes[:guesses], codes[guesses:])


# Lists of codes


@unhurried
@given(boards())
def test_all_codes_are_listed_in_order(board: dict[str, Any]) -> None:
    expected = naive.all_codes(**board)
    planes = kernels.list_codes(**board)

    assert expected == [tuple(row) for row in planes.T.tolist()]
    assert len(expected) == code_count(**board)


def test_a_list_past_256_symbols_has_wide_planes() -> None:
    planes = kernels.list_codes(2, 300, repeats=False)

    assert np.uint16 == planes.dtype
    assert (2, 300 * 299) == planes.shape
    assert [299, 298] == planes[:, -1].tolist()
    assert (planes[0] != planes[1]).all()
    assert (np.diff(planes[0].astype(int) * 300 + planes[1]) > 0).all()


@unhurried
@given(cases())
def test_color_counts_count_each_symbol(case: Case) -> None:
    counts = kernels.color_counts(case.planes(case.secrets), case.symbols)

    assert [naive.color_counts(code, case.symbols) for code in case.secrets] == counts.T.tolist()


# Scores, parts and filters


def check_scores(kind: int, case: Case) -> None:
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)
    counts = kernels.color_counts(secrets, case.symbols)
    expected = [[naive.score(kind, g, s) for s in case.secrets] for g in case.guesses]

    assert expected == kernels.score_many(kind, guesses, secrets, counts).tolist()
    labels = kernels.score(kind, case.guesses[0], secrets)
    assert expected[0] == labels.tolist()
    assert kernels.label_dtype(kind, len(guesses)) == labels.dtype


def check_parts(kind: int, case: Case) -> None:
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)
    counts = kernels.color_counts(secrets, case.symbols)
    expected = naive.partition(kind, case.guesses[0], case.secrets)
    labels, sizes = kernels.parts(kind, case.guesses[0], secrets, counts)

    assert list(expected) == labels.tolist()
    assert list(expected.values()) == sizes.tolist()
    if label_count(kind, len(guesses)) > 100_000:
        return
    tables = [naive.part_sizes(kind, guess, case.secrets) for guess in case.guesses]
    assert tables[0] == kernels.part_sizes(kind, case.guesses[0], secrets, counts).tolist()
    assert tables == kernels.part_sizes_many(kind, guesses, secrets, counts).tolist()


def check_filter(kind: int, case: Case, turns: int) -> None:
    guesses, secrets = case.planes(case.guesses[:turns]), case.planes(case.secrets)
    secret = case.secrets[-1] if case.secrets else case.guesses[-1]
    history = [(guess, naive.score(kind, guess, secret)) for guess in case.guesses[:turns]]
    expected = naive.matching(kind, history, case.secrets)

    assert expected == kernels.matching(kind, guesses, [label for _, label in history], secrets).tolist()


@unhurried
@given(every_kind, cases())
def test_scores_are_the_naive_ones(kind: int, case: Case) -> None:
    check_scores(kind, case)


@unhurried
@given(every_kind, cases())
def test_part_sizes_are_the_naive_ones(kind: int, case: Case) -> None:
    check_parts(kind, case)


@unhurried
@given(every_kind, cases(), st.integers(0, 4))
def test_filters_keep_what_the_naive_filter_keeps(kind: int, case: Case, turns: int) -> None:
    check_filter(kind, case, turns)


SHAPES = {
    "several blocks of 256 secrets": random_case(4, 6, 3, 1000),
    "a block of equal secrets": Case(3, [(0, 1, 2)], [(0, 1, 1)] * 256 + [(2, 2, 0)] * 300),
    "more secrets than a chunk": random_case(4, 3, 2, scoring.CHUNK + 77),
    "many guesses, few secrets": random_case(5, 8, 700, 3),
    "many guesses, some secrets": random_case(4, 6, 150, 33),
    "more secrets than a byte counts to": random_case(3, 2, 310, 259),
    "many labels, many guesses, some secrets": random_case(8, 3, 60, 34),
    "sixteen pegs": random_case(16, 4, 3, 40),
    "nine pegs, a large positional table": random_case(9, 5, 3, 40),
    "twenty-one pegs": random_case(21, 4, 3, 20),
    "fifty pegs, labels past a machine word": random_case(50, 9, 3, 20),
    "more pegs than a byte counts to": random_case(260, 3, 2, 5),
    "colors past a byte": random_case(6, 400, 3, 30),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_takes_its_path_to_the_naive_result(shape: str, kind: int) -> None:
    case = SHAPES[shape]

    check_scores(kind, case)
    check_parts(kind, case)
    check_filter(kind, case, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_do_not_change_results(kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    case = random_case(4, 6, 50, 300)
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)
    few = np.ascontiguousarray(secrets[:, :20])
    alone = [
        kernels.score_many(kind, guesses, secrets, threads=1).tolist(),
        kernels.part_sizes_many(kind, guesses, secrets, threads=1).tolist(),
        kernels.part_sizes_many(kind, guesses, few, threads=1).tolist(),
    ]
    monkeypatch.setattr(scoring, "WORTH_THREADS", 0)

    assert alone == [
        kernels.score_many(kind, guesses, secrets, threads=3).tolist(),
        kernels.part_sizes_many(kind, guesses, secrets, threads=3).tolist(),
        kernels.part_sizes_many(kind, guesses, few, threads=3).tolist(),
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_thousand_pegs_of_a_thousand_colors_are_scored(kind: int) -> None:
    case = random_case(1000, 1000, 1, 3)
    secrets = case.planes(case.secrets)
    expected = [naive.score(kind, case.guesses[0], secret) for secret in case.secrets]

    assert expected == kernels.score(kind, case.guesses[0], secrets).tolist()
    assert label_count(kind, 1000) > expected[-1]
    assert [2] == kernels.matching(kind, case.planes(case.guesses), [expected[-1]], secrets).tolist()


@pytest.mark.parametrize("kind", KINDS)
def test_a_blank_that_only_guesses_hold_never_scores(kind: int) -> None:
    case = Case(5, [(4, 0, 4, 1), (4, 4, 4, 4), (0, 0, 4, 0)], naive.all_codes(4, 4, repeats=True, blank=False))
    guesses, secrets = case.planes(case.guesses), kernels.list_codes(4, 4)
    counts = kernels.color_counts(secrets, 4)
    expected = [naive.part_sizes(kind, guess, case.secrets) for guess in case.guesses]

    assert expected == kernels.part_sizes_many(kind, guesses, secrets, counts).tolist()
    few = np.ascontiguousarray(secrets[:, :2])
    expected = [naive.part_sizes(kind, guess, case.secrets[:2]) for guess in case.guesses]
    assert expected == kernels.part_sizes_many(kind, guesses, few).tolist()


# Laws


@unhurried
@given(st.sampled_from((STANDARD, BLACK)), cases())
def test_scores_are_symmetric(kind: int, case: Case) -> None:
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)

    there = kernels.score_many(kind, guesses, secrets)
    assert there.tolist() == kernels.score_many(kind, secrets, guesses).T.tolist()


@unhurried
@given(kinds, cases(), st.randoms(use_true_random=False))
def test_scores_do_not_depend_on_the_names_of_colors(kind: int, case: Case, random: Any) -> None:
    names = list(range(case.symbols))
    random.shuffle(names)
    renaming = np.array(names, kernels.plane_dtype(case.symbols))
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)

    labels = kernels.score_many(kind, guesses, secrets)
    assert labels.tolist() == kernels.score_many(kind, renaming[guesses], renaming[secrets]).tolist()


@unhurried
@given(st.sampled_from(KINDS[:3]), cases(), st.randoms(use_true_random=False))
def test_scores_do_not_depend_on_the_order_of_pegs(kind: int, case: Case, random: Any) -> None:
    order = list(range(len(case.guesses[0])))
    random.shuffle(order)
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)

    labels = kernels.score_many(kind, guesses, secrets)
    assert labels.tolist() == kernels.score_many(kind, guesses[order], secrets[order]).tolist()


@unhurried
@given(cases())
def test_blacks_and_whites_fit_the_pegs_and_one_white_cannot_be_left_over(case: Case) -> None:
    guesses, secrets = case.planes(case.guesses), case.planes(case.secrets)
    pegs = len(guesses)
    black, white = np.divmod(kernels.score_many(STANDARD, guesses, secrets).astype(int), pegs + 1)

    assert (black + white <= pegs).all()
    assert not ((black == pegs - 1) & (white == 1)).any()


@unhurried
@given(kinds, cases())
def test_part_sizes_sum_to_the_number_of_codes(kind: int, case: Case) -> None:
    sizes = kernels.part_sizes_many(kind, case.planes(case.guesses), case.planes(case.secrets))

    assert [len(case.secrets)] * len(case.guesses) == sizes.sum(axis=1).tolist()


# Wrong input

PLANES = np.zeros((4, 3), np.uint8)


def test_arrays_that_do_not_fit_are_explained() -> None:
    with pytest.raises(ValueError, match=r"guess: expected 4 integers"):
        kernels.score(0, (0, 1, 2), PLANES)
    with pytest.raises(ValueError, match=r"symbols must be integers from 0 to 255, got \(0, 1, 2, 256\)"):
        kernels.score(0, (0, 1, 2, 256), PLANES)
    with pytest.raises(ValueError, match=r"planes: expected dtype uint8.*int64"):
        kernels.score(0, (0, 1, 2, 3), PLANES.astype(np.int64))
    with pytest.raises(ValueError, match=r"planes: expected an array of shape \(pegs, N\)"):
        kernels.score(0, (0, 1, 2, 3), PLANES[0])
    with pytest.raises(ValueError, match=r"counts: expected an array of shape \(symbols, 3\), got \(6, 2\)"):
        kernels.part_sizes(0, (0, 1, 2, 3), PLANES, np.zeros((6, 2), np.uint8))
    with pytest.raises(ValueError, match=r"guesses: expected 4 pegs of uint8"):
        kernels.score_many(0, PLANES[:3], PLANES)


def test_values_that_cannot_be_are_explained() -> None:
    with pytest.raises(ValueError, match=r"kind: expected 0 standard"):
        kernels.score(4, (0, 1, 2, 3), PLANES)
    with pytest.raises(ValueError, match=r"labels: expected one for each of the 3 guesses, got 1"):
        kernels.matching(0, PLANES, [3], PLANES)
    with pytest.raises(ValueError, match=r"labels: expected 0 to 24, got 25"):
        kernels.matching(0, PLANES, [0, 0, 25], PLANES)
    with pytest.raises(ValueError, match=r"threads: expected at least 1, got 0"):
        kernels.score_many(0, PLANES, PLANES, threads=0)
    with pytest.raises(ValueError, match=r"more than 268435456 part sizes"):
        kernels.part_sizes(3, (0,) * 18, np.zeros((18, 1), np.uint8))


def test_codes_outside_the_list_are_explained() -> None:
    with pytest.raises(ValueError, match=r"symbol 5 found, but with 5 symbols the last is 4"):
        kernels.color_counts(PLANES + np.uint8(5), 5)
    with pytest.raises(ValueError, match="more codes than can be numbered"):
        kernels.list_codes(100, 100)
    with pytest.raises(ValueError, match="pegs: expected at least 1"):
        kernels.list_codes(0, 6)
    with pytest.raises(ValueError, match="symbols: expected 1 to 65536"):
        kernels.list_codes(4, 0)
