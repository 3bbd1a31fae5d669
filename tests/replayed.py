"""Strategies played against every code by plain Python, beside what the search says of them."""

from __future__ import annotations

from collections import Counter

from entropeg.search.results import Solution
from entropeg.search.strategies import Node
from naive_exact import Code, score


def replay(tree: Node, codes: list[Code], pegs: int, *, black: bool = False) -> Counter[int]:
    """Play the strategy against every code, with the slow score; how often each number of guesses was needed."""
    lengths: Counter[int] = Counter()
    for code in codes:
        node, guesses = tree, 1
        while node.guess != code:
            blacks, whites = score(node.guess, code)
            node = node.children[blacks if black else blacks * (pegs + 1) + whites]
            guesses += 1
        lengths[guesses] += 1
    return lengths


def check(found: Solution, codes: list[Code], *, black: bool = False) -> Node:
    """Assert that the strategy does what the result says."""
    assert found.root is not None
    lengths = replay(found.root, codes, len(codes[0]), black=black)

    assert dict(sorted(lengths.items())) == found.histogram
    assert sum(length * times for length, times in lengths.items()) == found.total
    assert max(lengths) == found.worst
    assert found.value.upper == found.total
    assert found.value.lower <= found.value.upper
    return found.root
