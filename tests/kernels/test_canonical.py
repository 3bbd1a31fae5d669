"""Canonical forms of sets of codes: equal where one set is the other with other names and places, and only there."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from entropeg.codes import CodeSet, secrets
from entropeg.keys import SetKeys, canonical_codes, set_key
from entropeg.rules import Rules
from naive_tablebase import least_form, maps
from rooms import cases


def keys_and_forms(rules: Rules, sets: list[list[int]]) -> tuple[list[int], list[tuple[int, ...]]]:
    starts = np.cumsum([0, *map(len, sets)])
    keys, forms = SetKeys(rules, secrets(rules)).of(np.array([at for one in sets for at in one], np.int32), starts)
    return keys.tolist(), [
        tuple(forms[a:b].tolist()) for a, b in zip(starts.tolist(), starts[1:].tolist(), strict=False)
    ]


@pytest.mark.parametrize("name", ["3x3", "3x4", "4x3", "2x3/black", "3x3/black", "3x4/positional", "3x4/no-repeats"])
def test_forms_are_equal_where_brute_force_says_so_and_only_there(name: str) -> None:
    rules, rng = Rules.parse(name), Random(1)
    codes = list(secrets(rules))
    ways = list(maps(rules.pegs, rules.colors, by_peg="black" in name))
    sets = [sorted(rng.sample(range(len(codes)), rng.randrange(1, 7))) for _ in range(cases(150, 2_000))]
    # Small sets of the same few codes meet often; so do sets and their images.
    places = {code: at for at, code in enumerate(codes)}
    sets += [sorted(places[way(codes[at])] for at in one) for one in sets[:60] for way in [rng.choice(ways)]]
    keys, forms = keys_and_forms(rules, sets)
    truth = [least_form((codes[at] for at in one), ways) for one in sets]

    assert len(set(truth)) == len(set(forms)) == len(set(keys)) == len(set(zip(truth, forms, keys, strict=True)))
    assert len(set(truth)) < len(sets)


@pytest.mark.parametrize(("pegs", "colors", "size"), [(2, 4, 4), (3, 3, 3), (3, 3, 4)])
def test_as_many_forms_as_burnside_counts(pegs: int, colors: int, size: int) -> None:
    rules = Rules.parse(f"{pegs}x{colors}")
    codes = list(secrets(rules))
    fixed, group = 0, 0
    for way in maps(pegs, colors):
        # Sets that a permutation leaves as they are consist of whole cycles of it.
        seen, lengths = set[tuple[int, ...]](), Counter[int]()
        for code in codes:
            if code not in seen:
                cycle = {code}
                while (code := way(code)) not in cycle:
                    cycle.add(code)
                seen |= cycle
                lengths[len(cycle)] += 1
        ways = [int(total == 0) for total in range(size + 1)]
        for length, count in lengths.items():
            ways = [
                sum(comb(count, k) * ways[total - k * length] for k in range(total // length + 1))
                for total in range(size + 1)
            ]
        fixed, group = fixed + ways[size], group + 1
    _, forms = keys_and_forms(rules, [list(one) for one in combinations(range(len(codes)), size)])

    assert fixed // group == len(set(forms))
    assert 0 == fixed % group


@pytest.mark.parametrize(
    "name", ["4x6", "4x6/black", "4x6/positional", "bulls-and-cows", "4x6/blanks-in-secrets", "5x8"]
)
def test_sets_keep_their_keys_under_other_names_and_places(name: str) -> None:
    rules, rng = Rules.parse(name), Random(7)
    every = secrets(rules)
    for _ in range(cases(40, 2_000)):
        some = [every[at] for at in rng.sample(range(len(every)), rng.randrange(1, 13))]
        order = rng.sample(range(rules.pegs), rules.pegs)
        colors = [[*rng.sample(range(rules.colors), rules.colors), rules.colors] for _ in range(rules.pegs)]
        if "black" not in name:
            colors = colors[:1] * rules.pegs
        image = [tuple(colors[at][code[peg]] for at, peg in enumerate(order)) for code in some]
        one, other = CodeSet.of(some, rules), CodeSet.of(image, rules)

        assert set_key(one) == set_key(other)
        assert list(canonical_codes(one)) == list(canonical_codes(other))
        assert set_key(canonical_codes(one)) == set_key(one)


def test_a_peg_that_tells_more_than_color_tells_sets_apart() -> None:
    # Renamed at one peg alone: the same under blacks alone, another set where whites count.
    sets = [[(0, 1), (1, 0)], [(0, 0), (1, 1)]]
    same = [set_key(CodeSet.of(one, "2x2/black")) for one in sets]
    different = [set_key(CodeSet.of(one, "2x2")) for one in sets]

    assert same[0] == same[1]
    assert different[0] != different[1]


def test_the_whole_board_has_a_key() -> None:
    codes = secrets("4x6")

    assert list(codes) == list(canonical_codes(codes))
