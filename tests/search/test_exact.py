"""Exact optima: known totals, a slow solver of their own for the bounds, and every strategy replayed."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest

from entropeg.codes import secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Feedback
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.rules import FeedbackKind, Rules
from entropeg.search.exact import engine, fields
from entropeg.search.exact.answer_kinds import AnswerKind
from entropeg.search.exact.fields import SMALL, UNLIMITED
from entropeg.search.exact.layout import Layout
from entropeg.search.proving.openings import openings
from entropeg.search.proving.proof import Proof
from entropeg.search.reach import PROVEN, Reach, proof_seconds
from entropeg.search.results import SearchProgress, Value
from entropeg.search.strategies import Node
from entropeg.tree.optimum import optimal
from naive_exact import Code, NaiveSolver, all_codes, score
from replayed import check
from rooms import often

pytestmark = pytest.mark.kernels

# Totals of the literature and of public programs, and the depth of one optimal tree.
TOTALS = {
    "2x2": 8, "2x3": 21, "2x4": 45, "2x5": 81, "2x6": 132, "2x7": 198, "2x8": 284, "2x9": 388, "2x10": 517,
    "3x2": 18, "3x3": 73, "3x4": 206, "3x5": 451, "3x6": 854, "3x7": 1474, "3x8": 2359, "3x9": 3596,
    "4x2": 44, "4x3": 246, "4x4": 905, "4x5": 2463, "4x6": 5625,
    "5x2": 97, "5x3": 816, "5x4": 3954, "6x2": 224, "6x3": 2649, "7x2": 496,
    "2x4/no-repeats": 30, "2x5/no-repeats": 60, "2x6/no-repeats": 103, "2x10/no-repeats": 451,
    "3x4/no-repeats": 72, "3x5/no-repeats": 196, "3x6/no-repeats": 436, "3x8/no-repeats": 1449,
    "4x4/no-repeats": 86, "4x5/no-repeats": 462, "4x6/no-repeats": 1446, "4x7/no-repeats": 3639,
    "4x8/no-repeats": 7817, "5x5/no-repeats": 535, "5x6/no-repeats": 3434,
}  # fmt: skip
CONSISTENT = {"3x5": 455, "3x6": 864, "3x7": 1503, "3x8": 2439, "4x5": 2476, "4x6": 5660, "5x3": 824, "5x4": 3982}
LIMITED = {("4x6", 5): 5626, ("5x4", 5): None, ("4x6", 4): None, ("5x4", 4): None}
WORST = {"3x5": 5, "3x6": 5, "3x8": 6, "4x5": 5, "4x6": 5, "2x7": 5}
SHARED = {"stop": np.int64, "shared": np.int64, "table": np.uint64}
NAIVE = ["2x5", "3x3", "3x4", "3x5", "4x2", "4x3", "5x2", "3x6", "3x7", "4x4", "5x3"]
NAIVE += [f"{name}/no-repeats" for name in ("3x4", "3x5", "4x5", "4x6")]


def guesses_of(tree: Node, codes: list[Code]) -> list[tuple[Node, list[Code]]]:
    """Every node with the codes that lead to it."""
    found = [(tree, codes)]
    for node, left in found:
        for label, child in node.children.items():
            blacks, whites = divmod(label, len(tree.guess) + 1)
            found.append((child, [code for code in left if score(node.guess, code) == (blacks, whites)]))
    return found


@pytest.mark.parametrize("name", TOTALS)
def test_totals_are_those_of_the_literature(name: str) -> None:
    rules = Rules.parse(name)

    found = optimal(rules)

    assert TOTALS[name] == found.value.lower
    assert found.is_exact
    check(found, list(secrets(rules)))


@pytest.mark.parametrize("name", often(7, NAIVE))
def test_totals_are_those_of_a_slow_solver(name: str) -> None:
    rules = Rules.parse(name)
    naive = NaiveSolver(all_codes(rules.pegs, rules.colors, repeats=rules.repeats))

    assert naive.total(naive.everything) == optimal(rules).value.lower


@pytest.mark.parametrize(("name", "repeats"), [("3x3", True), ("3x4", True), ("2x5", True), ("4x2", True)])
@pytest.mark.parametrize("limit", [2, 3, 4, 5])
def test_limited_totals_are_those_of_a_slow_solver(name: str, repeats: bool, limit: int) -> None:
    rules = Rules.parse(name)
    naive = NaiveSolver(all_codes(rules.pegs, rules.colors, repeats=repeats))
    expected = naive.total(naive.everything, limit)

    found = optimal(rules, limit=limit)

    assert (expected >= 10**9) == found.is_impossible
    if not found.is_impossible:
        assert expected == found.value.lower
        assert check(found, naive.codes).worst <= limit


@pytest.mark.parametrize("name", ["2x4", "3x3", "3x4", "4x3", "2x5"])
def test_black_totals_are_those_of_a_slow_solver(name: str) -> None:
    rules = Rules.parse(f"{name}/black")
    naive = NaiveSolver(all_codes(rules.pegs, rules.colors), black=True)

    found = optimal(rules)

    assert naive.total(naive.everything) == found.value.lower
    check(found, naive.codes, black=True)


@pytest.mark.parametrize("name", ["3x4", "4x3", "3x5", "4x4"])
def test_black_positions_are_those_of_a_slow_solver(name: str) -> None:
    rules = Rules.parse(f"{name}/black")
    codes = list(secrets(rules))
    rng = np.random.default_rng(6)
    for _ in range(6):
        position, secret = Position(rules), codes[int(rng.integers(len(codes)))]
        while len(position.candidates) > 12:
            guess = codes[int(rng.integers(len(codes)))]
            position = position.after(guess, Feedback(score(guess, secret)[0], 0))
        left = list(position.candidates)
        naive = NaiveSolver(left, codes, black=True)
        found = optimal(position)

        assert naive.total(naive.everything) == found.value.lower
        check(found, left, black=True)


@pytest.mark.parametrize("name", ["3x5", "3x6", "4x4", "5x3", "6x2"])
def test_without_whites_each_peg_has_colors_of_its_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse(f"{name}/black")
    found = optimal(rules)
    made = Layout.__init__

    def joined(layout: Layout, *given: Any, **named: Any) -> None:
        made(layout, *given, **named)
        layout.numbers = layout.numbers._replace(separate=False)

    monkeypatch.setattr(Layout, "__init__", joined)
    plain = optimal(rules)

    assert plain.value == found.value
    assert found.nodes < plain.nodes


@pytest.mark.parametrize("name", ["2x3", "3x2", "2x4", "3x3", "3x4/no-repeats"])
def test_blanks_in_guesses_are_one_more_color_that_never_scores(name: str) -> None:
    size, _, rest = name.partition("/")
    rules = Rules.parse("/".join(filter(None, [size, rest, "blanks"])))
    codes = all_codes(rules.pegs, rules.colors, repeats=rules.repeats)
    blank = rules.colors
    wide = all_codes(rules.pegs, rules.colors + 1)
    if not rules.repeats:
        wide = [code for code in wide if max(Counter(c for c in code if c != blank).values(), default=1) < 2]
    naive = NaiveSolver(codes, wide)

    found = optimal(rules)

    assert naive.total(naive.everything) == found.value.lower
    check(found, codes)


@pytest.mark.parametrize(
    "name", ["2x3/blanks-in-secrets", "2x4/no-repeats/blanks-in-secrets", "3x3/no-repeats/blanks-in-secrets"]
)
def test_blanks_in_secrets(name: str) -> None:
    rules = Rules.parse(name)
    codes = list(secrets(rules))
    naive = NaiveSolver(codes, codes)

    found = optimal(rules)

    assert naive.total(naive.everything) == found.value.lower
    check(found, codes)


@pytest.mark.parametrize("name", ["4x6", "3x9", "5x4", "4x8/no-repeats", "4x7", "3x4", "10x2"])
def test_positions_are_those_of_a_slow_solver(name: str) -> None:
    rules = Rules.parse(name)
    codes = list(secrets(rules))
    rng = np.random.default_rng(4)
    naive: NaiveSolver | None = None
    tried = 0
    while tried < 3:
        position, secret = Position(rules), codes[int(rng.integers(len(codes)))]
        while len(position.candidates) > 14:
            guess = codes[int(rng.integers(len(codes)))]
            position = position.after(guess, Feedback(*score(guess, secret)))
        if len(position.candidates) < 4:
            continue
        tried += 1
        left = list(position.candidates)
        naive = NaiveSolver(left, codes)
        found = optimal(position)

        assert naive.total(naive.everything) == found.value.lower
        check(found, left)


@pytest.mark.parametrize("name", CONSISTENT)
def test_consistent_totals(name: str) -> None:
    rules = Rules.parse(name)
    codes = list(secrets(rules))

    found = optimal(rules, consistent_only=True)

    assert CONSISTENT[name] == found.value.lower
    for node, left in guesses_of(check(found, codes), codes):
        assert node.guess in left


@pytest.mark.parametrize(("name", "limit"), [key for key in LIMITED if LIMITED[key] or key[1] == 4])
def test_totals_under_a_limit(name: str, limit: int) -> None:
    found = optimal(Rules.parse(name), limit=limit)

    assert LIMITED[name, limit] == (None if found.is_impossible else found.value.lower)
    assert found.is_exact
    assert found.worst is None or found.worst <= limit


@pytest.mark.parametrize("name", WORST)
def test_least_worst_case(name: str) -> None:
    found = optimal(Rules.parse(name), worst=True)

    assert found.worst_value is not None
    assert WORST[name] == found.worst_value.lower == found.worst_value.upper == found.worst
    assert optimal(Rules.parse(name), limit=WORST[name] - 1).is_impossible


@pytest.mark.parametrize("colors", [60, 100, 255])
def test_one_peg_takes_one_guess_a_color(colors: int) -> None:
    rules = Rules.parse(f"1x{colors}")
    total = colors * (colors + 1) // 2

    found = optimal(rules)

    assert (total, colors) == (found.value.lower, found.worst)
    assert found.is_exact


@pytest.mark.parametrize("name", ["15x1", "255x1/black"])
def test_one_color_takes_one_guess_on_as_many_pegs_as_there_may_be(name: str) -> None:
    assert "= 1" == str(optimal(Rules.parse(name)).value)


def test_weights_of_one_take_as_many_guesses_in_deep_strategies() -> None:
    assert optimal(Rules.parse("1x100"), weights=np.ones(100)).value.lower == 5050


def test_a_search_deeper_than_its_work_space_ends_with_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "DEPTHS", 5)

    found = optimal(Rules.parse("2x10"))

    assert found.total is not None
    assert found.value.lower < 517 <= found.total
    assert not found.is_exact


def test_one_thread_and_several_agree() -> None:
    rules = Rules.parse("4x6")
    values = {optimal(rules, threads=threads).value for threads in (1, 2, 3)}

    assert {Value(5625, 5625)} == values


@pytest.mark.parametrize(
    ("name", "limit", "total"),
    [("4x6", 5, 5626), ("4x6/black", None, 8859), ("4x8/no-repeats", None, 7817), ("5x4", 4, None)],
)
def test_many_threads_prove_what_one_does(name: str, limit: int | None, total: int | None) -> None:
    rules = Rules.parse(name)

    found = optimal(rules, limit=limit, threads=5)

    assert total == (None if found.is_impossible else found.value.lower)
    assert found.is_exact
    if total is not None:
        check(found, list(secrets(rules)), black=rules.feedback == FeedbackKind.black)


@pytest.mark.parametrize(("name", "code"), [("4x5", "AABC"), ("4x6", "AABC"), ("4x7", "AABC"), ("5x4", "AABBC")])
def test_the_best_opening_is_settled_first(name: str, code: str) -> None:
    layout = layout_of(name)
    work = layout.memory({name: np.zeros(64, kind) for name, kind in SHARED.items()})
    n = len(layout.secrets)
    work.stack[:n] = np.arange(n)

    listed, _ = openings(layout, work, n, UNLIMITED)

    assert code == "".join("ABCDEFG"[color] for color in layout.guesses[listed[0][0]])
    assert sorted(work.stack[:n].tolist()) == list(range(n))


def test_as_many_threads_as_processors_search(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(os.sched_getaffinity(0)) == usable_processors()

    monkeypatch.setattr("entropeg.tree.optimum.usable_processors", lambda: 3)
    counted: list[int] = []
    made = Proof.__init__

    def counting(*given: Any, **named: Any) -> None:
        counted.append(named["threads"])
        made(*given, **named)

    monkeypatch.setattr(Proof, "__init__", counting)
    optimal(Rules.parse("4x5"))

    assert [3] == counted


def test_out_of_time_there_is_a_strategy_and_a_bound() -> None:
    rules = Rules.parse("4x8")
    found = optimal(rules, time=0.2)

    tree = check(found, list(secrets(rules)))

    assert found.value.lower <= 20471 <= tree.total
    assert tree.total < 21000


@pytest.mark.parametrize(
    ("name", "worst", "limit", "total"),
    [
        ("1x120", True, None, 7260),
        ("1x120", False, 110, None),
        ("1x120", False, 120, 7260),
        ("1x5", True, 2, None),
        ("1x5", True, 5, 15),
        ("3x4", True, 3, None),
    ],
)
def test_limits_of_many_and_of_few_guesses(name: str, worst: bool, limit: int | None, total: int | None) -> None:
    found = optimal(Rules.parse(name), worst=worst, limit=limit)

    assert found.is_impossible == (total is None)
    assert found.total == total
    assert str(found.value) == (">= inf" if total is None else f"= {total}")


# Processor seconds of two threads, as `python benchmarks/bench_exact.py` prints them; no test takes time here.
@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        *(
            ("4x8", 1.9),
            ("4x9", 11),
            ("4x10", 145),
            ("4x11", 1850),
            ("5x5", 0.4),
            ("5x6", 55),
            ("5x7", 624),
            ("6x4", 1.4),
            ("6x5", 8800),
        ),
        *(("3x14", 16), ("3x16", 85), ("7x3", 1), ("8x3", 49), ("9x2", 41)),
        *(("4x10/no-repeats", 2.2), ("4x11/no-repeats", 22), ("5x8/no-repeats", 39), ("6x6/no-repeats", 0.4)),
        *(("3x10/black", 0.6), ("4x7/black", 8), ("4x8/black", 134), ("5x5/black", 5), ("6x4/black", 16)),
    ],
)
def test_the_time_of_a_proof_is_said_within_a_factor_of_three(name: str, seconds: float) -> None:
    rules = Rules.parse(name)

    assert 1 / 3 < Reach.of(rules).seconds / seconds < 3
    assert Reach.of(rules, threads=4).seconds == Reach.of(rules).seconds / 4


@pytest.mark.parametrize("kind", PROVEN)
def test_more_colors_take_longer_than_the_boards_that_were_proven(kind: str) -> None:
    head, _, options = kind.partition("/")
    most = max(PROVEN[kind])
    said = [proof_seconds(Rules.parse(f"{head}{colors}/{options}".rstrip("/"))) for colors in range(most, 60)]

    assert sorted(said) == said
    assert PROVEN[kind][most] == said[0]


@pytest.mark.parametrize("name", ["4x4/black", "3x5", "4x4", "5x3", "6x3", "7x2", "8x2", "10x2", "11x2", "2x70"])
def test_bounds_of_a_set_are_those_of_its_parts(name: str) -> None:
    layout = layout_of(name)
    labels = layout.arrays["by_guess"]
    work = layout.memory({name: np.zeros(64, kind) for name, kind in SHARED.items()})
    rng = np.random.default_rng(5)
    for n in [3, 4, 7, 15, 16, 33, 60, 61, 100, 241, 500]:
        if n > len(layout.secrets):
            continue
        chosen = rng.choice(len(layout.secrets), n, replace=False).astype(np.int32)
        work.stack[:n] = chosen
        rows = labels[:, chosen]
        sizes = np.stack([(rows == label).sum(axis=1) for label in range(layout.win + 1)])

        bound, exact = engine.part_bound(work, n, UNLIMITED)

        m = layout.win + 1
        if n > min(SMALL, 5 * m - 10):
            parts = (sizes > 0).sum(axis=0)
            own, other = parts[chosen].max() - 1, np.delete(parts, chosen).max(initial=0)
            two = max(1 + own, other)
            three = max(1 + own * two, other * two)
            x = sizes[:-1]
            least = np.minimum(2 * x - 1 + np.maximum(x - 1 - own, 0), 2 * x + np.maximum(x - other, 0))
            least = n + (np.where(x, least, 0) + np.maximum(x - three, 0)).sum(axis=0)
            parts[chosen] += 1
            assert (np.maximum(least, 3 * n - parts).min(), False) == (bound, exact)
        else:
            parts = (sizes > 0).sum(axis=0)
            members = parts[chosen]
            if members.max() == n or parts.max() == n or members.max() == n - 1:
                assert (2 * n - int(members.max() == n), True) == (bound, exact)
            else:
                assert (3 * n - max(parts.max(), members.max() + 1), False) == (bound, exact)


def layout_of(name: str) -> Layout:
    rules = Rules.parse(name)
    codes = np.array(list(secrets(rules)), np.uint8)
    return Layout(codes, codes, rules.colors, answers=AnswerKind(rules.kind))


def stop_at_once(_: SearchProgress) -> None:
    raise KeyboardInterrupt


def test_progress_is_reported() -> None:
    seen: list[SearchProgress] = []

    found = optimal(Rules.parse("4x5"), progress=seen.append)

    assert seen
    assert all(step.lower <= found.value.lower for step in seen)
    assert all(step.upper is None or step.upper >= found.value.lower for step in seen)


@pytest.mark.parametrize(("name", "repeats"), [("2x4", True), ("3x3", True), ("2x5", True), ("3x4", False)])
def test_a_limit_of_the_rules_is_one_of_the_search(name: str, repeats: bool) -> None:
    options = "" if repeats else "/no-repeats"
    for limit in range(1, 7):
        ruled = optimal(f"{name}{options}/limit={limit}")
        asked = optimal(f"{name}{options}", limit=limit)

        assert (ruled.is_impossible, ruled.limit) == (asked.is_impossible, limit)
        assert ruled.value == asked.value
        assert ruled.is_impossible or (ruled.worst or 99) <= limit
        assert f"at most {limit} for each" in str(ruled) or f"keeps the limit of {limit} guess" in str(ruled)


def test_a_limit_of_the_rules_counts_from_the_start_of_the_game() -> None:
    start, played = Position("3x5/limit=5"), Position("3x5/limit=5").after("AAB", "X")

    assert (5, 4) == (optimal(start).limit, optimal(played).limit)
    assert optimal(Position("3x5").after("AAB", "X"), limit=3).value == optimal(played, limit=3).value
    assert optimal(played, limit=9).value == optimal(played).value
    assert optimal(Position("3x5/limit=1").after("AAB", "X")).is_impossible
    assert optimal(Position("3x5/limit=1").after("AAB", "XXX")).value.lower == 1


@pytest.mark.parametrize(("name", "limits"), [("4x5/limit=5", [UNLIMITED]), ("4x6/limit=5", [UNLIMITED, 5])])
def test_a_limit_that_the_optimum_keeps_costs_no_second_search(
    name: str, limits: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[int] = []
    run = Proof.run

    def recorded(proof: Proof) -> None:
        searched.append(proof.limit)
        run(proof)

    monkeypatch.setattr(Proof, "run", recorded)
    optimal(name, threads=1)

    assert searched == limits


@pytest.mark.parametrize("options", [{"time": 0.0}, {"progress": stop_at_once}])
def test_a_strategy_that_breaks_the_limit_of_the_rules_is_no_answer(options: dict[str, Any]) -> None:
    found = optimal("4x7/limit=5", **options)

    assert not found.is_exact
    assert (found.tree is None) == (found.value.upper is None)
    assert found.worst is None or found.worst <= 5


def test_wrong_input_is_explained() -> None:
    with pytest.raises(InputError, match="the limit is 0; it must be at least 1"):
        optimal(Rules.parse("3x3"), limit=0)
    with pytest.raises(InputError, match="the number of threads is 0"):
        optimal(Rules.parse("3x3"), threads=0)
    with pytest.raises(InputError, match="the time is nan"):
        optimal(Rules.parse("3x3"), time=float("nan"))
    with pytest.raises(TooLargeError, match=r"beyond the search by its 390,625 secrets \(at most 65,535\)"):
        optimal(Rules.parse("4x25/shapes=5"))
    with pytest.raises(TooLargeError, match=r"723 different answers \(at most 255\)"):
        optimal(Rules.parse("6x4/positional"))
    with pytest.raises(TooLargeError, match="raise the memory"):
        optimal(Rules.parse("5x9"))
    with pytest.raises(TooLargeError, match=r"65,536 secrets \(at most 65,535\)"):
        optimal(Rules.parse("16x2"))
    with pytest.raises(TooLargeError, match=r"256 colors \(at most 255\)"):
        optimal(Rules.parse("1x256"))
