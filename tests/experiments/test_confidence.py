"""Intervals of a mean: Student's t against the integral of its density, and its series against both."""

from __future__ import annotations

from math import gamma, pi, sqrt

import numpy as np
import pytest

from entropeg.experiments.confidence import Z, by_chance, half_width, student


def outside(deviation: float, freedom: int) -> float:
    """Return the chance of a larger deviation, from the density of Student's t by Simpson's rule."""
    x = np.linspace(0, deviation, 20_001)
    density = (
        gamma((freedom + 1) / 2)
        / gamma(freedom / 2)
        / sqrt(freedom * pi)
        * (1 + x**2 / freedom) ** (-(freedom + 1) / 2)
    )
    weights = np.ones(len(x))
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    return float(1 - 2 * (density * weights).sum() * (x[1] - x[0]) / 3)


def quantile(freedom: int) -> float:
    """Return the deviation that one mean of twenty exceeds, by halving."""
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if by_chance(middle, freedom) > 0.05 else (low, middle)
    return low


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 13, 40, 101])
def test_the_chance_of_a_deviation_is_the_area_outside(freedom: int) -> None:
    for deviation in (0.0, 0.3, 1.0, 2.5, 7.0):
        assert pytest.approx(outside(deviation, freedom), abs=1e-9) == by_chance(deviation, freedom)
        assert by_chance(deviation, freedom) == by_chance(-deviation, freedom)


def test_the_chance_of_what_cannot_be_is_none_and_never_less() -> None:
    assert all(0.0 <= by_chance(1e9, freedom) < 1e-8 for freedom in range(1, 100))


@pytest.mark.parametrize("freedom", [1, 2, 3, 4])
def test_for_few_numbers_half_the_width_stands_in_a_table(freedom: int) -> None:
    assert round(quantile(freedom), 3) == student(freedom)


@pytest.mark.parametrize("freedom", [5, 6, 10, 50, 100, 200])
def test_for_more_numbers_the_series_lacks_its_fourth_term_alone(freedom: int) -> None:
    assert pytest.approx(1.68, abs=0.1) == (quantile(freedom) - student(freedom)) * freedom**4
    assert abs(quantile(freedom) - student(freedom)) < 0.005
    assert student(freedom) > Z


def test_half_the_width_is_so_many_standard_errors() -> None:
    assert pytest.approx(12.706 * 1.0) == half_width([1, 3])
    assert pytest.approx(3.182 * sqrt(5 / 3) / 2) == half_width([1, 2, 3, 4])
    assert 0.0 == half_width([5, 5])
    assert (None, None) == (half_width([1]), half_width([]))
