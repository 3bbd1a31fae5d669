"""A family of bounds: the kernels by which the exact search bounds sets."""

from __future__ import annotations

from typing import Any, NamedTuple

from entropeg.search.exact.table import Table


class Family(NamedTuple):
    """How sets are bounded: the kernels of a family, by the question they answer; ``k`` numbers a frame."""

    infinite: int
    """More than any total."""
    table: Table
    floor: Any
    """``(memory, offset, n)``: lower bound of a set, its value for one code and two."""
    few: Any
    """``(memory, n)``: whether sets of ``n`` codes are bounded by their parts alone, so that gains are learned."""
    look: Any
    """``(memory, k)``: list the candidates of a set; its lower bound, attained if ``CHOSEN`` is a guess then."""
    prepare: Any
    """``(memory, k)``: write tables for the parts of a set, from ``TABLES`` on to ``TABLES_END``."""
    cut: Any
    """``(memory, k, column)``: fill ``label`` and ``count`` of a guess; its bound by sizes, the family's infinity where
    it tells nothing."""
    ahead: Any
    """``(memory, k, column)``: ask for the labels of the next guess, to come while the bounds of this one are made."""
    cut_key: Any
    """``(memory, k)``: a number; guesses of the same number and parts of two codes and more cost the same."""
    has_cuts: Any
    """``(memory, n)``: whether guesses with the same parts are looked for in sets of ``n`` codes."""
    quick: Any
    """``(memory, k, total, best)``: bounds of parts that cost next to nothing; the bound of the guess."""
    near: Any
    """``(memory, k, total, best)``: as ``quick``, where there are many labels: of parts that the largest left open."""
    part_bound: Any
    """``(memory, offset, n, d, behind, enough)``: (bound, whether it is the value, its guess) of a set by a look at all
    guesses; ``behind``: guesses behind it. No more is looked for than a bound of ``enough``."""
    counted: Any
    """``(memory, offset, n, behind)``: bound of a set of many codes that takes a part of the time of ``part_bound``."""
    unit: Any
    """``(memory, k, e)``: unit in which gains of a part are learned, by its number of codes."""
