"""Least expected guesses under weights: against a slow solver, equal weights, bounds and wrong input."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from entropeg import score as marks
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError
from entropeg.feedback import Feedback
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.exact import exchanges
from entropeg.search.exact.layout import Layout
from entropeg.search.proving import opening, proof
from entropeg.search.results import SearchProgress, Solution
from entropeg.search.weights import whole_weights
from entropeg.tree.optimum import optimal
from naive_exact import NOT_KEPT, Code, NaiveWeighted, score
from rooms import cases, often

pytestmark = pytest.mark.kernels


def played(found: Solution, codes: list[Code], weight: dict[Code, int], pegs: int, *, black: bool = False) -> int:
    """Sum of weight times guesses when every code is played through the strategy."""
    total = 0
    for code in codes:
        node, guesses = found.root, 1
        assert node is not None
        while node.guess != code:
            blacks, whites = score(node.guess, code)
            node = node.children[blacks if black else blacks * (pegs + 1) + whites]
            guesses += 1
        total += guesses * weight[code]
    return total


@pytest.mark.parametrize("name", ["2x4", "2x6", "3x3", "4x2", "3x4/no-repeats", "2x5/black", "3x3/black"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_values_are_those_of_a_slow_solver(name: str, seed: int) -> None:
    rules = Rules.parse(name)
    codes = list(secrets(rules))
    weights = np.random.default_rng(seed).integers(0, 4, len(codes)) ** 3
    weight = dict(zip(codes, weights.tolist(), strict=True))
    likely = [code for code in codes if weight[code]]
    naive = NaiveWeighted(codes, weight, black="black" in name)

    found = optimal(rules, weights=weights)

    assert naive.value(tuple(likely)) == found.value.lower == found.value.upper
    assert played(found, likely, weight, rules.pegs, black="black" in name) == found.value.lower


@pytest.mark.parametrize(("name", "total"), [("3x4", 206), ("4x4", 905), ("3x6", 854), ("5x3", 816), ("4x6", 5625)])
def test_equal_weights_give_the_total(name: str, total: int) -> None:
    rules = Rules.parse(name)

    found = optimal(rules, weights=np.ones(rules.secret_count))

    assert total == found.value.lower == found.total
    assert found.expected == found.mean
    assert found.nodes == optimal(rules).nodes or rules.secret_count > 400  # of which threads try more or fewer
    assert f"weighted total = {total} guesses over {found.size:,} codes, expected {found.expected:.4f}" in str(found)


@pytest.mark.parametrize(("name", "seed"), [("2x5", 1), ("3x3", 2), ("2x4/black", 3)])
@pytest.mark.parametrize("threads", [1, 2])
def test_openings_shared_by_threads_cost_the_same(
    name: str, seed: int, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "CROWD", 2)
    monkeypatch.setattr(proof, "WEIGHTED_DIRECT", 2)
    monkeypatch.setattr(opening, "ALONE", 5)
    rules = Rules.parse(name)
    codes = list(secrets(rules))
    weights = np.random.default_rng(seed).integers(1, 50, len(codes))
    naive = NaiveWeighted(codes, dict(zip(codes, weights.tolist(), strict=True)), black="black" in name)

    found = optimal(rules, weights=weights, threads=threads)

    assert naive.value(tuple(codes)) == found.value.lower == found.value.upper


@pytest.mark.parametrize("weight", [1, 7, 10**30, 0.3, 1 / 3])
def test_equal_weights_take_all_options(weight: float, tmp_path: Path) -> None:
    rules = Rules.parse("3x4")
    weights = dict.fromkeys(secrets(rules), weight)
    told: list[SearchProgress] = []

    options: dict[str, Any]
    for options in ({"worst": True}, {"limit": 4}, {"consistent_only": True}, {"fewest_at_worst": True}):
        plain, found = optimal(rules, **options), optimal(rules, weights=weights, **options)

        assert (plain.value.lower * weight, plain.worst) == (found.value.lower, found.worst)
        assert found.expected == pytest.approx(plain.mean)
    for file in ("proof", "checkpoint"):
        options = {file: tmp_path / file}
        assert optimal(rules, weights=weights, progress=told.append, **options).value.lower == 206 * weight
    assert all(step.lower <= 206 * weight for step in told)


def test_codes_that_a_position_rules_out_may_weigh_anything_else() -> None:
    position = Position("3x5").after("AAB", "X")
    weights = np.arange(125)
    weights[position.candidates.ranks] = 4

    assert optimal(position, weights=weights).value.lower == 4 * optimal(position).value.lower
    assert optimal(Position("3x5/prior=uniform").after("AAB", "X")).expected == pytest.approx(optimal(position).mean)


def shape_of(code: Code) -> int:
    return sum(code.count(color) ** 2 for color in set(code))


def no_kinds(layout: Layout, _: object) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """No two pegs and no two colors may change places."""
    return np.arange(layout.guesses.shape[1]), np.arange(int(layout.numbers[1]))


WEIGHTS: dict[str, Callable[[Code], int]] = {
    "by shape": lambda code: 3 + 7 * shape_of(code) % 11,
    "first color": lambda code: 3 if 0 in code else 1,
    "first peg": lambda code: 2 if code[0] == 0 else 1,
    "two pegs": lambda code: 1 + 4 * (code[0] == code[1]),
}


@pytest.mark.parametrize("kind", WEIGHTS)
@pytest.mark.parametrize("name", ["3x5", "4x3", "4x5/no-repeats", "3x4/black"])
def test_symmetry_changes_no_value(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse(name)
    weights = np.array([WEIGHTS[kind](code) for code in secrets(rules)])
    found = optimal(rules, weights=weights)
    monkeypatch.setattr(exchanges, "kinds_of", no_kinds)
    plain = optimal(rules, weights=weights)

    assert found.value.lower == plain.value.lower == plain.value.upper


def test_symmetry_of_the_weights_saves_most_guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4x4/prior=distinct")
    found = optimal(rules)
    monkeypatch.setattr(exchanges, "kinds_of", no_kinds)
    plain = optimal(rules)

    assert found.value.lower == pytest.approx(plain.value.lower)
    assert found.nodes < plain.nodes / 4


def test_a_prior_is_proven_in_vectors_as_by_sums_of_every_guess() -> None:
    # 4.277562237310061 is what a search without vectors, with other bounds and one thread, made of this board.
    found = optimal(Rules.parse("4x6/prior=distinct"))

    assert found.is_exact
    assert found.expected == pytest.approx(4.277562237310061, rel=1e-12)


def test_weights_that_are_no_multiples_are_rounded_and_bounded_exactly() -> None:
    rules = Rules.parse("3x4")
    whole = np.random.default_rng(8).integers(1, 9, 64)
    noise = np.random.default_rng(9).random(64)

    exact, near = optimal(rules, weights=whole), optimal(rules, weights=whole + 1e-9 * noise)

    assert near.is_exact
    assert exact.value.lower == pytest.approx(near.value.lower, abs=1e-6)
    assert exact.value.lower <= near.value.lower


def test_whole_weights_have_no_common_divisor() -> None:
    weights, unit = whole_weights(np.array([0.75, 0.5, 0.0, 3.0]))

    assert [3, 2, 0, 12] == weights.tolist()
    assert unit == pytest.approx(0.25)


def large_weights(rules: Rules, total: int) -> dict[Code, int]:
    """Whole weights of that sum whose least digits decide: nearly equal, and none a multiple of any other."""
    codes = list(secrets(rules))
    mean = total // len(codes)
    weight = {code: mean - 3 * place for place, code in enumerate(codes)}
    weight[codes[0]] += total - sum(weight.values())
    return weight


@pytest.mark.parametrize("name", ["2x4", "3x3", "2x5/black"])
@pytest.mark.parametrize("total", often(2, [10**9 + 7, 2**50, 2**24, 10**15]))
def test_whole_weights_are_exact_to_their_last_digit(name: str, total: int) -> None:
    rules = Rules.parse(name)
    weight = large_weights(rules, total)
    naive = NaiveWeighted(list(weight), weight, black="black" in name)

    found = optimal(rules, weights=weight)

    assert naive.value(tuple(weight)) == found.value.lower == found.value.upper
    assert total == found.weight


@pytest.mark.parametrize("unit", [10**15, 2**53 + 1, 10**18, 10**30])
def test_a_common_divisor_of_any_size_is_put_aside_and_given_back(unit: int) -> None:
    rules = Rules.parse("2x4")
    weight = {code: 1 + place % 5 for place, code in enumerate(secrets(rules))}
    naive = NaiveWeighted(list(weight), weight, black=False)

    found = optimal(rules, weights={code: unit * one for code, one in weight.items()})

    assert unit * naive.value(tuple(weight)) == found.value.lower == found.value.upper


@pytest.mark.parametrize("total", [2**50 + 1, 2**53, 10**18, 10**40])
def test_whole_weights_of_too_large_a_sum_are_refused(total: int) -> None:
    rules = Rules.parse("2x4")
    with pytest.raises(InputError, match=r"sum up to [\d,]+, and the search is exact to 1,125,899,906,842,624"):
        optimal(rules, weights=large_weights(rules, total))


def test_fractions_are_right_to_rounding() -> None:
    rules = Rules.parse("3x4")
    weights = np.random.default_rng(5).random(64)
    whole = np.round(weights * 1000)

    assert optimal(rules, weights=whole / 1000).value.lower * 1000 == pytest.approx(
        optimal(rules, weights=whole).value.lower
    )


def test_a_mapping_and_a_position() -> None:
    position = Position(Rules.parse("4x6")).after((0, 0, 1, 2), Feedback(1, 1))
    codes = list(islice(position.candidates, 40))
    weight = {code: 1 + 5 * (len(set(code)) == 4) for code in codes}
    naive = NaiveWeighted(list(secrets(position.rules)), weight)

    few = {code: weight[code] for code in codes[:12]}
    found = optimal(position, weights=few)

    assert naive.value(tuple(few)) == found.value.lower
    assert played(found, list(few), weight, 4) == found.value.lower
    assert len(few) == found.size


def test_out_of_time_there_are_bounds_and_a_strategy() -> None:
    rules = Rules.parse("4x6")
    codes = list(secrets(rules))
    weights = np.random.default_rng(1).integers(1, 9, 1296)
    weight = dict(zip(codes, weights.tolist(), strict=True))

    # A busy machine finds no strategy in half a second: it gets twice as long until there is one.
    tries = (optimal(rules, weights=weights, time=0.5 * 2**more) for more in range(6))
    found = next(found for found in tries if found.root is not None)

    assert not found.is_exact
    assert found.value.lower <= played(found, codes, weight, 4) == found.value.upper


@pytest.mark.parametrize("calls", [1, 4])
def test_ctrl_c_leaves_bounds_and_a_strategy(calls: int) -> None:
    told = []

    def stop(progress: SearchProgress) -> None:
        told.append(progress)
        if len(told) >= calls:
            raise KeyboardInterrupt

    rules = Rules.parse("4x5")
    found = optimal(rules, weights=np.arange(1, 626), progress=stop)

    assert found.is_interrupted
    codes = list(secrets(rules))
    weight = dict(zip(codes, range(1, 626), strict=True))
    assert 0 < found.value.lower <= played(found, codes, weight, 4) == found.value.upper


@pytest.mark.parametrize(
    ("options", "reached"),
    [
        ({"limit": 6}, 737_604),
        ({"worst": True}, 738_498),
        ({"consistent_only": True}, 741_005),
        ({"limit": 5}, 738_498),
    ],
)
def test_ctrl_c_leaves_what_was_found_under_every_option(options: dict[str, Any], reached: int) -> None:
    """`reached` is what a strategy takes that was found in two seconds: no lower bound is above it."""
    rules, weights = Rules.parse("4x5"), np.arange(1, 626)

    assert optimal(rules, weights=weights, time=0.2, **options).value.lower <= reached
    for calls in (1, 3):
        told: list[SearchProgress] = []

        def stop(progress: SearchProgress, told: list[SearchProgress] = told, calls: int = calls) -> None:
            told.append(progress)
            if len(told) >= calls:
                raise KeyboardInterrupt

        found = optimal(rules, weights=weights, progress=stop, **options)

        assert found.is_interrupted
        assert found.value.lower <= reached
        assert "limit" not in options or (found.worst or 0) <= options["limit"]
        if found.root is not None:
            codes = list(secrets(rules))
            weight = dict(zip(codes, range(1, 626), strict=True))
            assert found.value.lower <= played(found, codes, weight, 4) == found.value.upper


@pytest.mark.parametrize("options", [{"limit": 5}, {"worst": True}, {"consistent_only": True}])
def test_a_checkpoint_of_weights_and_an_option_is_gone_on_from(options: dict[str, Any], tmp_path: Path) -> None:
    def stop(progress: SearchProgress) -> None:
        if progress.nodes > 300:
            raise KeyboardInterrupt

    rules, weights, path = Rules.parse("4x4"), np.random.default_rng(5).integers(1, 60, 256), tmp_path / "search"
    whole = optimal(rules, weights=weights, **options)
    first = optimal(rules, weights=weights, checkpoint=path, progress=stop, **options)
    found = optimal(rules, weights=weights, checkpoint=path, **options)

    assert first.value.lower <= whole.value.lower
    assert (found.value, found.worst_value) == (whole.value, whole.worst_value)
    assert optimal(rules, weights=weights, checkpoint=path, **options).nodes <= found.nodes


def test_weights_that_mean_nothing_are_refused() -> None:
    rules = Rules.parse("2x3")
    with pytest.raises(InputError, match="9 secrets"):
        optimal(rules, weights=np.ones(8))
    with pytest.raises(InputError, match="none negative"):
        optimal(rules, weights=-np.ones(9))
    with pytest.raises(InputError, match="no secret"):
        optimal(rules, weights={(0, 5): 1.0})


def test_a_heavy_code_that_is_excluded_changes_nothing() -> None:
    rules = Rules.parse("3x4")
    position = Position(rules).after((0, 0, 1), Feedback(1, 0))
    weight = np.random.default_rng(3).random(64)
    expected = optimal(position, weights=weight).expected
    weight[0] = 1e20  # AAA, which would have answered two blacks

    found = optimal(position, weights=weight)

    assert found.is_exact
    assert found.expected == pytest.approx(expected, rel=1e-12)


DRAWN = [
    (name, seed)
    for name in ("2x3", "2x4", "3x2", "3x3", "2x4/black", "3x3/no-repeats", "2x3/blanks")
    for seed in range(cases(3, 40))
]


@pytest.mark.parametrize(("name", "seed"), DRAWN)
def test_limits_worst_cases_and_possible_codes_alone_are_those_of_a_slow_solver(name: str, seed: int) -> None:
    rules, rng = Rules.parse(name), np.random.default_rng(seed)
    codes, legal = list(secrets(rules)), list(guesses(rules))
    weights = rng.integers(0, 4, len(codes)) ** int(rng.integers(1, 4))
    weights[: 1 + weights.any()] += 1
    weight = dict(zip(codes, weights.tolist(), strict=True))
    likely = tuple(code for code in codes if weight[code])
    for consistent in (False, True):
        naive = NaiveWeighted(legal, weight, black="black" in name, consistent=consistent)
        values = {limit: naive.value(likely, limit) for limit in range(1, 8)}
        least = next(limit for limit in values if values[limit] < NOT_KEPT)
        for limit in (1, 2, 3, 4, 5):
            found = optimal(rules, weights=weights, limit=limit, consistent_only=consistent)

            assert found.is_impossible == (values[limit] == NOT_KEPT)
            assert found.is_impossible or values[limit] == found.value.lower == found.value.upper
            assert found.worst is None or found.worst <= limit
        found = optimal(rules, weights=weights, worst=True, consistent_only=consistent)

        assert (least, values[least]) == (found.worst, found.value.upper)
        assert str(found.worst_value) == f"= {least}"


@pytest.mark.parametrize("seed", range(12))
def test_positions_under_weights_are_those_of_a_slow_solver(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rules = Rules.parse(["3x4", "3x4/black", "3x5/no-repeats", "2x6"][seed % 4])
    codes = list(secrets(rules))
    weights = rng.integers(0, 3, len(codes)) if seed % 2 else np.array([1 + 2 * (0 in code) for code in codes])
    weight = dict(zip(codes, weights.tolist(), strict=True))
    secret, position = codes[int(rng.integers(len(codes)))], Position(rules)
    for _ in range(1 + seed % 2):
        guess = codes[int(rng.integers(len(codes)))]
        position = position.after(guess, marks(guess, secret, rules))
    likely = tuple(code for code in position.candidates if weight[code])
    naive = NaiveWeighted(codes, weight, black="black" in str(rules))
    for limit in (None, 3, 4):
        value = naive.value(likely, limit or 99) if likely else NOT_KEPT
        if not likely:
            with pytest.raises(InputError, match="no code that is still possible"):
                optimal(position, weights=weights, limit=limit)
            continue
        found = optimal(position, weights=weights, limit=limit)

        assert found.is_impossible == (value == NOT_KEPT)
        assert found.is_impossible or value == found.value.lower == found.value.upper
