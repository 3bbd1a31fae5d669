"""One-step codebreakers.

Against a slow twin on small boards of every kind, against the literature's totals, and their laws.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Position, Rules, codebreakers, parse_code, score
from entropeg.codes import guesses, random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import Code, Feedback
from entropeg.kernels.onestep import plain
from entropeg.kernels.onestep.arrays import BY_PLACE, OpenNode, make_work, mix
from entropeg.search.onestep import criteria
from entropeg.search.onestep.choice import TIES, TurnRule
from entropeg.search.onestep.choosing import KEPT, best_index, rank
from entropeg.search.onestep.code_arrays import board_of, node_at
from entropeg.tree import StrategyTree

pytestmark = pytest.mark.kernels


@pytest.fixture(scope="module")
def _both_ways(both_ways: None) -> Iterator[None]:
    """The same of the choice of a guess; symmetry, which saves NumPy time on large boards, is used on any."""
    worth = plain.WORTH_REDUCING
    plain.WORTH_REDUCING = 0
    KEPT.clear()
    yield
    plain.WORTH_REDUCING = worth


# ------------------------------------------------------------------ the slow twin


def slow_guess(
    rules: Rules, candidates: list[Code], name: str, corrected: bool, first: bool, only: bool, then: str = ""
) -> Code:
    guesses = candidates if only else all_guesses(rules)
    return naive.best_guess(rules.kind, guesses, candidates, name, corrected=corrected, first=first, then=then)


@cache
def all_guesses(rules: Rules) -> tuple[Code, ...]:
    return tuple(guesses(rules))


def slow_tree(rules: Rules, **options: Any) -> list[tuple[int, Code, tuple[Code, ...]]]:
    """(depth, guess, candidates) of every node."""
    nodes = []
    waiting = [(0, list(secrets(rules)))]
    while waiting:
        depth, candidates = waiting.pop()
        guess = slow_guess(rules, candidates, **options)
        nodes.append((depth, guess, tuple(candidates)))
        parts: dict[int, list[Code]] = {}
        for secret in candidates:
            parts.setdefault(naive.score(rules.kind, guess, secret), []).append(secret)
        waiting += [(depth + 1, part) for label, part in parts.items() if label != rules.win_label]
    return sorted(nodes)


def fast_tree(rules: Rules, spec: str) -> list[tuple[int, Code, tuple[Code, ...]]]:
    tree = StrategyTree.build(spec, rules)
    paths: list[tuple[int, ...]] = [()]
    reached: list[list[Code]] = [list(secrets(rules))]
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        paths.append((*paths[above], node))
        guess = tree.code(above)
        reached.append([s for s in reached[above] if naive.score(rules.kind, guess, s) == tree.label[node]])
    return sorted((len(path), tree.code(node), tuple(reached[node])) for node, path in enumerate(paths))


BOARDS = [
    "3x3",
    "3x4",
    "2x7",
    "4x2",
    "1x5",
    "3x4/no-repeats",
    "3x5/no-repeats/guess-repeats",
    "3x3/blanks",
    "3x4/no-repeats/blanks",
    "2x4/blanks-in-secrets",
    "3x3/black",
    "3x3/membership",
    "3x3/positional",
    "5x2/black",
]


@pytest.mark.usefixtures("_both_ways")
@settings(max_examples=60)
@given(
    st.sampled_from(BOARDS),
    st.sampled_from(criteria.CRITERIA),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_every_tree_is_the_one_that_the_slow_twin_plays(
    board: str, name: str, corrected: bool, first: bool, only: bool, symmetry: bool, shortcut: bool
) -> None:
    rules = Rules.parse(board)
    corrected = corrected and name in ("expected-size", "entropy", "parts")
    spec = f"{name}:win={corrected},ties={'first' if first else 'candidate'},guesses={'candidates' if only else 'all'}"
    spec += f",symmetry={symmetry},shortcut={shortcut}"

    assert slow_tree(rules, name=name, corrected=corrected, first=first, only=only) == fast_tree(rules, spec)


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("board", ["3x4", "3x4/membership", "3x3/blanks/positional", "3x5/no-repeats"])
@pytest.mark.parametrize(
    ("name", "then"), [("minimax", "entropy"), ("sorted-minimax", "expected-size"), ("parts", "entropy")]
)
def test_win_counts_in_the_rule_and_not_in_its_second_criterion(board: str, name: str, then: str) -> None:
    rules = Rules.parse(board)
    slow = slow_tree(rules, name=name, then=then, corrected=True, first=True, only=False)

    assert slow == fast_tree(rules, f"{name}:then={then},win=yes,ties=first")


@pytest.mark.usefixtures("_both_ways")
@given(
    st.integers(0, 2**32),
    st.sampled_from(["4x4", "5x3", "4x5/no-repeats", "6x3", "7x2"]),
    st.sampled_from(criteria.CRITERIA),
    st.integers(1, 100),
)
@settings(max_examples=25)
def test_a_choice_among_many_candidates_is_the_slow_twins(seed: int, board: str, name: str, size: int) -> None:
    rules = Rules.parse(board)
    rng = np.random.default_rng(seed)
    codes = np.sort(rng.permutation(rules.secret_count)[:size]).astype(np.int32)
    rule = TurnRule(name, symmetry=False).rule(rules)
    best = best_index(board_of(rules), rule, OpenNode(codes, np.zeros(0, np.int32), 0))
    candidates = [secrets(rules)[int(i)] for i in codes]

    assert slow_guess(rules, candidates, name, False, False, False) == guesses(rules)[best]


def slow_choice(position: Position, choice: TurnRule, seed: int) -> Code:
    """The guess that a search finds which judges every legal guess, and compares all that the rule names."""
    rules, candidates, ties = position.rules, list(position.candidates), TIES[choice.ties]
    node, ranks = node_at(position, seed), {}
    for place, guess in enumerate(all_guesses(rules)):
        sizes = list(naive.partition(rules.kind, guess, candidates).values())
        cost = naive.cost(choice.criterion, sizes, wins=guess in candidates and choice.win)
        other = ties.candidates_first and guess not in candidates
        ranks[guess] = cost, other, place if ties.order == BY_PLACE else mix(node.key ^ place) >> 1
    return candidates[0] if len(candidates) == 1 else min(ranks, key=lambda guess: ranks[guess])


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("ties", TIES)
@given(
    st.integers(0, 2**32),
    st.sampled_from(["3x4", "4x3", "3x5/no-repeats", "3x5/no-repeats/guess-repeats", "2x9", "3x3/blanks", "3x4/black"]),
    st.sampled_from(criteria.CRITERIA),
    st.integers(0, 2),
    st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
@settings(max_examples=25)
def test_what_a_tie_rule_leaves_out_changes_no_choice(
    ties: str, seed: int, board: str, name: str, turns: int, flags: tuple[bool, bool, bool]
) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(seed)
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(turns):
        guess = random_guess(rules, rng)
        position = position.after(guess, score(guess, secret, rules))
    win, symmetry, shortcut = flags
    win = win and name in ("expected-size", "entropy", "parts")
    choice = TurnRule(name, ties=ties, win=win, symmetry=symmetry, shortcut=shortcut)
    if position.is_won:
        return
    best = best_index(board_of(rules), choice.rule(rules), node_at(position, seed))

    assert slow_choice(position, choice, seed) == guesses(rules)[best]


def test_only_rules_that_go_by_the_place_in_the_list_leave_guesses_out() -> None:
    for name, ties in TIES.items():
        for criterion in criteria.CRITERIA:
            rule = TurnRule(criterion, ties=name).rule(Rules())
            assert ties.order == BY_PLACE or not (rule.split or rule.alike or rule.placed)
            assert ties.candidates_first or not rule.split


# ------------------------------------------------------------------ the literature


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize(
    ("spec", "total", "histogram"),
    [
        ("minimax", 5801, (1, 6, 62, 533, 694)),
        ("minimax:ties=knuth", 5801, (1, 6, 62, 533, 694)),
        ("sorted-minimax", 5778, None),
        ("expected-size", 5696, None),
        ("entropy", 5722, None),
        ("entropy:win=yes", 5719, None),
        ("parts", 5668, None),
        ("parts:win=yes", 5668, None),
    ],
)
def test_4x6_totals_are_those_of_the_literature(spec: str, total: int, histogram: tuple[int, ...] | None) -> None:
    tree = StrategyTree.build(spec, Rules())

    assert total == tree.total
    assert histogram is None or histogram == tree.histogram


@pytest.mark.parametrize(
    ("spec", "total", "worst"),
    [
        ("sorted-minimax", 27030, 7),
        ("expected-size", 26551, 7),
        ("entropy:win=yes,ties=first", 26409, 8),
        ("parts", 26751, 8),
    ],
)
def test_bulls_and_cows_totals_are_those_of_the_literature(spec: str, total: int, worst: int) -> None:
    tree = StrategyTree.build(spec, Rules.parse("bulls-and-cows"))

    assert (total, worst) == (tree.total, tree.worst)


@pytest.mark.parametrize(
    ("board", "spec", "total", "worst"),
    [
        ("4x7", "minimax", 11613, 6),
        ("4x9", "minimax", 36120, 7),
        ("4x8", "minimax", 21230, 6),
        ("4x8", "expected-size", 20725, 7),
        ("5x5", "minimax", 13867, 6),
        ("5x5", "parts", 13598, 6),
    ],
)
def test_larger_totals_are_those_published(board: str, spec: str, total: int, worst: int) -> None:
    rules = Rules.parse(board)
    tree = StrategyTree.build(spec, rules)

    assert (total, worst) == (tree.total, tree.worst)


# ------------------------------------------------------------------ bounds


@given(
    st.integers(0, 2**32),
    st.sampled_from(["4x4", "5x3", "4x5/no-repeats", "6x3", "4x4/membership", "4x4/black"]),
    st.sampled_from(criteria.CRITERIA),
    st.integers(65, 200),
)
@settings(max_examples=25)
def test_shares_of_the_guesses_hold_the_best_of_all(seed: int, board: str, name: str, size: int) -> None:
    from entropeg.kernels.onestep import search

    rules = Rules.parse(board)
    arrays, rule = board_of(rules), TurnRule(name).rule(rules)
    rng = np.random.default_rng(seed)
    codes = np.sort(rng.permutation(rules.secret_count)[:size]).astype(np.int32)
    node = OpenNode(codes, np.zeros(0, np.int32), 0)
    works = [make_work(arrays) for _ in range(4)]
    whole = search.choose(arrays, rule, node, works[3])
    for share in range(3):
        search.choose(arrays, rule, node, works[share], share, 3)

    assert whole == min(rank(rule, work.score) for work in works[:3])[-1]


@given(st.integers(2, 3000), st.sampled_from([*criteria.CRITERIA, "weighted"]))
@settings(max_examples=50)
def test_slopes_never_fall_and_their_sums_never_exceed_the_costs(size: int, name: str) -> None:
    if name == "weighted":
        chosen = criteria.weighted_entropy([1000] * 25, size)
    else:
        chosen = criteria.criterion(name, size, 25, 24, win_correction=False)
    sums = np.concatenate([[0.0], np.cumsum(chosen.slopes[:size])])

    assert (np.diff(chosen.slopes) >= 0).all()
    assert (sums <= chosen.table[0] * (1 + 1e-12 * np.sign(chosen.table[0]))).all()


# ------------------------------------------------------------------ laws


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("name", criteria.CRITERIA)
def test_symmetry_and_shortcut_change_nothing(name: str) -> None:
    plain = StrategyTree.build(name, Rules())

    assert plain == StrategyTree.build(f"{name}:symmetry=no", Rules())
    assert plain == StrategyTree.build(f"{name}:shortcut=no", Rules())
    assert plain == StrategyTree.build(f"{name}:symmetry=no,shortcut=no", Rules())


def test_threads_change_nothing() -> None:
    rules = Rules.parse("4x8")

    assert StrategyTree.build("entropy", rules, threads=1) == StrategyTree.build("entropy", rules, threads=3)


@pytest.mark.usefixtures("_both_ways")
@given(st.integers(0, 10**6), st.sampled_from(["entropy", "minimax:then=entropy", "parts:ties=random,seed=7"]))
@settings(max_examples=30)
def test_asked_turn_by_turn_it_plays_its_tree(seed: int, spec: str) -> None:
    rules = Rules()
    player, tree = codebreakers.get(spec), _tree(spec)
    secret = secrets(rules)[seed % 1296]
    rng = np.random.default_rng(seed)
    position = Position(rules)
    while not position.is_won:
        guess = player.guess(position, rng)

        assert tree.guess(position, rng) == guess
        position = position.after(guess, score(guess, secret, rules))


@cache
def _tree(spec: str) -> Any:
    return StrategyTree.build(spec, Rules())


@pytest.mark.usefixtures("_both_ways")
def test_random_ties_follow_their_seed() -> None:
    trees = [StrategyTree.build(f"minimax:ties=random,seed={seed}", Rules()) for seed in (1, 1, 2)]

    assert trees[0] == trees[1]
    assert trees[0] != trees[2]


def test_without_a_seed_the_generator_decides_and_a_tree_is_refused() -> None:
    player = codebreakers.get("minimax:ties=random")
    position = Position(Rules())

    assert {player.guess(position, np.random.default_rng(s)) for s in range(8)} != {(0, 0, 1, 1)}
    with pytest.raises(InputError, match="plays at random"):
        StrategyTree.build(player, Rules())


@pytest.mark.usefixtures("_both_ways")
def test_a_second_criterion_decides_between_equals() -> None:
    # Among guesses of least largest part, the most informative: at least as many bits as the first in order.
    plain, second = StrategyTree.build("minimax", Rules()), StrategyTree.build("minimax:then=entropy", Rules())

    assert 5 == second.worst
    assert second.total < plain.total


@pytest.mark.usefixtures("_both_ways")
def test_probes_are_candidates_and_a_few_codes() -> None:
    tree = StrategyTree.build("entropy:guesses=probes,probes=20,seed=3", Rules())

    assert StrategyTree.build("entropy:guesses=candidates", Rules()).total != tree.total
    assert tree == StrategyTree.build("entropy:guesses=probes,probes=20,seed=3", Rules())


def test_weights_of_one_are_plain_entropy_and_others_are_not() -> None:
    plain = StrategyTree.build("entropy:shortcut=no,symmetry=no", Rules.parse("3x4"))

    assert plain == StrategyTree.build("weighted-entropy", Rules.parse("3x4"))
    assert plain != StrategyTree.build("weighted-entropy:weights=3b0w=4+0b0w=0.1+1b1w=0", Rules.parse("3x4"))


@pytest.mark.usefixtures("_both_ways")
def test_a_schedule_of_one_rule_is_that_rule_and_another_opens_as_its_first() -> None:
    assert StrategyTree.build("entropy", Rules()) == StrategyTree.build("by-turn:entropy/entropy/entropy", Rules())

    mixed = StrategyTree.build("by-turn:turns=minimax/entropy:win=yes;ties=candidate", Rules())

    assert "AABB" == mixed.code_text(0)
    assert 5801 > mixed.total


@pytest.mark.parametrize("spec", ["minimax:opening=ABCD", "entropy:opening=AABC"])
def test_an_opening_can_be_fixed(spec: str) -> None:
    assert spec.rpartition("=")[2] == StrategyTree.build(spec, Rules()).code_text(0)


def test_equal_entropies_are_equal_to_the_last_bit() -> None:
    # 4^4 = 2^2 * 2^2 * 2^2 * 2^2: parts 4, 1, 1, 1, 1 and 2, 2, 2, 2 tell equally much; so do 6, 6, 1 and 9, 4...
    # only if the products agree.
    table = criteria.criterion("entropy", 100, 25, 20, win_correction=False).table[0]

    assert table[4] + 4 * table[1] == 4 * table[2]
    assert table[6] == 6 * (criteria.log2_table(6)[2] + criteria.log2_table(6)[3])


def test_fixed_point_logarithms_are_near_the_true_ones() -> None:
    table = criteria.log2_table(5000)
    true = np.log2(np.arange(1, 5001)) * 2.0**criteria.FRACTION_BITS

    assert (
        np.abs(table[1:] - true).max() <= 13
    )  # at most half a unit for each of 12 prime factors, and the true one's own


# ------------------------------------------------------------------ wrong input


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("minimax:ties=last", "ties is 'last'"),
        ("entropy:then=luck", "then is 'luck'"),
        ("entropy:guesses=some", "guesses is 'some'"),
        ("entropy:probes=5", "probes is 5"),
        ("entropy:guesses=probes", "probes is 0"),
        ("weighted-entropy:weights=2b1w", "'2b1w' is not a feedback and a number"),
        ("weighted-entropy:weights=2b1w=9", "must be from 0 to 8"),
        ("weighted-entropy:win=yes", "win is for plain entropy"),
        ("entropy:seed=-2", "seed is -2"),
        ("by-turn:entropy/consistent", "not a one-step codebreaker"),
        ("by-turn", "needs turns"),
    ],
)
def test_parameters_that_mean_nothing_are_refused(spec: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        codebreakers.get(spec)


def test_a_contradiction_is_told() -> None:
    turns = [(parse_code("AABB", Rules()), Feedback(4, 0)), (parse_code("CDCD", Rules()), Feedback(4, 0))]

    with pytest.raises(ContradictionError):
        codebreakers.get("minimax").guess(Position(Rules(), turns), np.random.default_rng())
