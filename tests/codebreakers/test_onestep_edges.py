"""One-step rules where a number could pass its width, where symmetry does most of the work, and where they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise, product, repeat
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg.codebreakers import get
from entropeg.codes import CodeSet, random_guess, random_secret, score, secrets
from entropeg.errors import TooLargeError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.onestep import criteria
from entropeg.search.onestep.code_arrays import check_reach
from entropeg.tree import StrategyTree
from rooms import often

RNG = np.random.default_rng(0)

# ------------------------------------------------------------------ widths


def first_size_with_fewer(most: int, weight: int) -> int:
    """The first number of codes at which logarithms lose a bit, by halving."""
    low, high = 1, 1 << 30
    while high - low > 1:
        middle = (low + high) // 2
        if criteria.fraction_bits(middle, most, weight) < most:
            high = middle
        else:
            low = middle
    return high


@pytest.mark.parametrize(
    ("most", "weight", "first"), [(criteria.FRACTION_BITS, 1, 1_626_242), (criteria.WEIGHTED_BITS, 8000, 1_662_695)]
)
def test_logarithms_lose_a_bit_where_the_costs_would_pass_their_width(most: int, weight: int, first: int) -> None:
    assert first == first_size_with_fewer(most, weight)
    for size in (first - 1, first):
        bits = criteria.fraction_bits(size, most, weight)
        greatest = int(criteria.log2_table(size, bits).max()) * size + (2 << bits)

        assert weight * greatest < criteria.MOST_COST
    assert weight * first * log2(first) * 2**most > 0.99999 * criteria.MOST_COST


@pytest.mark.parametrize("size", [1_000_000, 1_048_576, 1_600_000])
def test_to_a_million_codes_and_beyond_logarithms_have_all_their_bits(size: int) -> None:
    assert criteria.FRACTION_BITS == criteria.fraction_bits(size)
    assert criteria.WEIGHTED_BITS == criteria.fraction_bits(size, criteria.WEIGHTED_BITS, criteria.MOST_WEIGHT)


@given(st.integers(1, 1 << 26), st.sampled_from([(criteria.FRACTION_BITS, 1), (criteria.WEIGHTED_BITS, 8000)]))
def test_no_cost_of_a_board_that_can_be_listed_passes_its_width(size: int, width: tuple[int, int]) -> None:
    most, weight = width
    bits = criteria.fraction_bits(size, most, weight)
    # A logarithm is rounded by half a unit, at most, for each of its prime factors: no more than log2(size) of them.
    greatest = (log2(size) * (1 << bits) + log2(size) / 2) * size + (2 << bits)

    assert weight * greatest < criteria.MOST_COST


@given(st.integers(0, 3000), st.sampled_from([37, 36, 31, 24]))
@settings(max_examples=20)
def test_logarithms_add_up_over_products_to_the_last_bit_with_any_number_of_bits(size: int, bits: int) -> None:
    table = criteria.log2_table(size, bits)
    a, b = np.mgrid[1 : size + 1, 1:4]
    inside = a * b <= size

    assert (table[a[inside]] + table[b[inside]] == table[(a * b)[inside]]).all()


def opening_classes(rules: Rules) -> Iterator[Code]:
    """One code of each class of openings: so many pegs of the first color, no more of the second, and so on."""
    for sizes in product(range(rules.pegs, -1, -1), repeat=min(rules.pegs, rules.colors)):
        if sum(sizes) == rules.pegs and all(a >= b for a, b in pairwise(sizes)):
            yield tuple(chain.from_iterable(repeat(color, size) for color, size in enumerate(sizes)))


def bits_of(rules: Rules, codes: list[Code]) -> list[float]:
    """The entropy of each guess, in floating point."""
    sizes = secrets(rules).part_sizes(CodeSet.of(codes, rules)).astype(float)
    return [-sum(p * log2(p) for p in row / row.sum() if p > 0) for row in sizes]


@pytest.mark.parametrize("board", often(2, ["3x117", "3x118", "5x18", "7x8"]))
def test_on_both_sides_of_the_width_entropy_opens_with_the_most_bits(board: str) -> None:
    rules = Rules.parse(board)
    classes = sorted(opening_classes(rules))
    opening = get("entropy").guess(Position(rules), RNG)

    assert opening == classes[int(np.argmax(bits_of(rules, classes)))]


def test_weights_of_eight_play_as_none_beyond_the_width() -> None:
    rules = Rules.parse("3x119")
    weights = "+".join(
        f"{b}b{w}w=8" for b, w in ((0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (2, 0), (3, 0))
    )
    position = Position(rules)

    assert get("entropy").guess(position, RNG) == get(f"weighted-entropy:weights={weights}").guess(position, RNG)


# ------------------------------------------------------------------ guesses that are alike


@given(
    st.integers(0, 10**6),
    st.sampled_from(
        ["8x2", "9x2", "8x3/black", "8x2/membership", "2x70", "1x300", "2x20/no-repeats", "5x3/positional"]
    ),
    st.sampled_from(["entropy", "minimax", "sorted-minimax", "parts:win=yes", "entropy:guesses=candidates,ties=first"]),
)
@settings(max_examples=40)
def test_guesses_that_are_alike_are_left_out_and_change_nothing(seed: int, board: str, spec: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(seed)
    secret, position = random_secret(rules, rng), Position(rules)
    slow = f"{spec}{',' if ':' in spec else ':'}symmetry=no,shortcut=no"
    for _ in range(int(rng.integers(4))):
        guess = random_guess(rules, rng)
        position = position.after(guess, score(guess, secret, rules))

    if not position.is_won:
        assert get(slow).guess(position, RNG) == get(spec).guess(position, RNG)


@pytest.mark.parametrize(
    ("board", "opening"), [("20x2", "A" * 14 + "B" * 6), ("10x4", "AAAAABBBBC"), ("2x1000", "1-2"), ("3x100", "1-2-3")]
)
def test_boards_of_few_classes_open_at_once(board: str, opening: str) -> None:
    # 5 * 10^11 to 10^12 pairs of guess and code, of which a few million are looked at.
    rules = Rules.parse(board)

    assert opening == rules.symbols.format(get("entropy").guess(Position(rules), RNG))


# ------------------------------------------------------------------ published totals of three pegs


@pytest.mark.parametrize(("seed", "total"), [(8, 5389), (12, 5392)])
def test_chance_among_equals_gives_the_published_total_of_3x10_and_better(seed: int, total: int) -> None:
    spec = f"expected-size:then=entropy,ties=candidate-random,opening=ABC,seed={seed}"

    assert total == StrategyTree.build(spec, "3x10").total


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("board", "spec", "complaint"),
    [
        (
            "8x9",
            "entropy",
            "to weigh every guess of 8x9 takes 4.8 GB, and one-step strategies take 2 GB at most; `auto`",
        ),
        ("8x9/prior=distinct", "entropy", "takes 4.8 GB, and one-step strategies take 2 GB at most; `auto`"),
        ("25x2", "minimax", "`auto` picks a strategy that plays by a sample"),
        ("20x2/positional", "parts", "`auto` picks a strategy that plays by a sample"),
        ("13x3/positional", "entropy", "each by its 1,594,323 feedbacks, takes too long; `auto` picks"),
        ("20x2", "entropy:ties=random,seed=1", "takes 1,099,511,627,776 comparisons, and fewer than 1,099,511,627,776"),
        (
            "10x4",
            "entropy:guesses=probes,probes=9,seed=1",
            "ties=candidate,guesses=all leaves out guesses that are alike",
        ),
    ],
)
def test_boards_out_of_reach_are_refused_with_who_can_play(board: str, spec: str, complaint: str) -> None:
    with pytest.raises(TooLargeError, match=complaint.replace("(", r"\(")):
        get(spec).guess(Position(Rules.parse(board)), RNG)


def test_the_largest_boards_of_each_number_of_pegs_fit_with_one_thread_at_least() -> None:
    for board in ("8x8", "15x3", "23x2", "4x62", "3x179", "2x1020"):
        check_reach(Rules.parse(board))


def test_words_of_more_letters_than_a_byte_counts_are_refused() -> None:
    check_reach(Rules.parse("300x1"))
    with pytest.raises(TooLargeError, match="300x2 has about"):
        check_reach(Rules.parse("300x2"))
