"""Kernels against their twins in naive.py on drawn cases.

Those of codes, scores and filters are in test_kernels.py, of the search for near-optimal trees in test_near.py, of
one-step rules in test_onestep.py.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from math import exp, isclose
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
from entropeg import Feedback, Rules, score
from entropeg.candidates import build, can_walk
from entropeg.candidates.chains import Chains
from entropeg.candidates.label_tree import codes_by_labels, label_sequences
from entropeg.codebreakers.evolutionary import pack_turns, scratch
from entropeg.codebreakers.sampling.splitting import FOLLOWERS, UNIT, Ahead, Splitter
from entropeg.codes import CodeSet, random_guess, random_secret, secrets
from entropeg.feedback import Code, label_of
from entropeg.kernels.switch import can_compile
from entropeg.position import Turn
from entropeg.rules import FeedbackKind
from strategies import codes as drawn_codes
from strategies import rules as drawn_rules

pytestmark = pytest.mark.kernels

Numbers = dict[str, Any]

some = settings(max_examples=settings().max_examples * 2 // 5)
by_vectors = pytest.mark.skipif(not can_compile(), reason="vectors and calls by address exist as machine code only")
SMALL: Numbers = {"max_codes": 300, "max_pegs": 5, "max_colors": 6}

# ------------------------------------------------------------------ every kernel has a twin

BY_SCORE = naive.score, naive.label_count
TWINS: dict[str, Sequence[Callable[..., Any]]] = {
    "count_colors": (naive.color_counts,),
    "list_distinct": (naive.all_codes,),
    "label_matrix": BY_SCORE,
    "wide_labels": BY_SCORE,
    "wide_marks": (naive.marks,),
    "part_sizes_by_guess": (naive.part_sizes,),
    "part_sizes_by_secret": (naive.part_sizes,),
    "matching_columns": (naive.matching,),
    "build_columns": (naive.matching,),
    "load_chains": (naive.energy,),
    "temper": (naive.energy, naive.matching),
    "temper_codes": (naive.rearranged,),
    "pass_blacks": (naive.pass_blacks,),
    "pass_colors": (naive.pass_colors,),
    "explain": (naive.unforeseen,),
    "ascend": (naive.unforeseen,),
    "measure": (naive.missed,),
    "start": (naive.missed,),
    "evolve": (naive.missed, naive.matching),
    "walk": (naive.label_sequences, naive.matching),
    "descend": (naive.matching,),
    "climb": (naive.told_by_marks,),
    "price_listed": (naive.price,),
    "improve_listed": (naive.price,),
    "price_guesses": (naive.price,),
    "improve_guess": (naive.price,),
    "price_ahead": (naive.price_ahead,),
    "choose_question": (naive.law_of_answers, naive.entropy),
    "choose_painting": (naive.law_of_painting, naive.entropy),
    "split": (naive.split,),
    "estimate_set": (naive.estimate,),
    "estimate_parts": (naive.worth,),
    "estimate_guesses": (naive.worth,),
}
WITHOUT = {
    "remember": "stores a number and computes none",
    "solve_parts": "adds up what the exact search finds, whose twin is naive_exact.py: see test_near.py",
    "class_keys": "compares symmetries, whose slow truth is the list of orbits in test_near.py",
    "extend_all": "finds the symmetries whose classes are compared so",
    "mark_labels": "numbers the labels that occur: see test_opening_totals.py",
    "rename_labels": "as mark_labels",
    "start_generators": "NumPy's own generators are the twin: see test_arena.py",
    "draw_codes": "as start_generators",
    "draw_below": "as start_generators",
    "blind_games": "the loop that plays any game plays these one by one, game for game: see test_arena.py",
    "filtered_games": "as blind_games",
    "canonical_forms": "its slow truth tries all names and places: see test_canonical.py",
    "cut_set": "finds the sets that all histories leave: see test_tables.py",
    "prepare": "the checker of proofs on NumPy says the same of every proof, right or forged: see test_proof_format.py",
    "most_of_set": "its slow truth tries all strategies: see test_within.py",
    "parts_with_each": "its slow truth counts pairs of labels: see test_static.py",
    "find_columns": "its slow truth compares all answers: see test_static.py",
    "find_apart": "its slow truth tries all sets of questions: see test_static.py",
    "join": "as prepare",
    "begin_games": "single environments play the same games one by one: see tests/agents/test_many.py",
    "play_turns": "as begin_games",
    "add_losses": "as begin_games",
    "store_totals": "stores numbers and computes none",
    "costs": "as prepare",
    "set_bound": "as prepare",
    "fan": "as prepare",
}


def public_kernels() -> set[str]:
    """Names of the functions that are compiled for callers in Python, with their modules where a name comes twice."""
    found: dict[str, list[str]] = {}
    for path in (Path(build.__file__).parent.parent).rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            decorators = [d.id for d in getattr(node, "decorator_list", []) if isinstance(d, ast.Name)]
            if isinstance(node, ast.FunctionDef) and {"kernel", "allocating_kernel"}.intersection(decorators):
                found.setdefault(node.name, []).append(path.stem)
    found = {name: stems for name, stems in found.items() if not name.startswith("_")}
    named = {f"{stem}.{name}" for name, stems in found.items() for stem in stems if f"{stem}.{name}" in TWINS}
    return named | {name for name, stems in found.items() if any(f"{stem}.{name}" not in TWINS for stem in stems)}


def test_every_kernel_has_a_twin_or_a_reason_to_have_none() -> None:
    assert public_kernels() == TWINS.keys() | WITHOUT.keys()
    assert not TWINS.keys() & WITHOUT.keys()


# ------------------------------------------------------------------ what is drawn


@st.composite
def told(draw: st.DrawFn, rules: Rules, *, most: int = 4, honest: bool | None = None) -> list[Turn]:
    """Draw turns that a secret answered, or answers out of the air."""
    honest = draw(st.booleans()) if honest is None else honest
    secret = draw(drawn_codes(rules, secret=True))
    turns = []
    for guess in draw(st.lists(drawn_codes(rules), min_size=1, max_size=most)):
        other = secret if honest else draw(drawn_codes(rules, secret=True))
        turns.append(Turn(guess, score(guess, other, rules)))
    return turns


def walkable() -> st.SearchStrategy[Rules]:
    return drawn_rules(**SMALL).filter(can_walk)


def answers(turns: Sequence[Turn]) -> list[tuple[Code, tuple[int, int]]]:
    return [(turn.guess, (turn.feedback.black, turn.feedback.white)) for turn in turns]


def fitting(rules: Rules, turns: Sequence[Turn]) -> list[Code]:
    every = list(secrets(rules))
    labels = [(turn.guess, label_of(turn.feedback, rules)) for turn in turns]
    return [every[index] for index in naive.matching(rules.kind, labels, every)]


# ------------------------------------------------------------------ codes built under constraints


def built(rules: Rules, turns: Sequence[Turn], most: int, symbols: int) -> list[Code]:
    """What `build_columns` finds in many short runs, one begun where the other stopped."""
    search, found = build.Construction(rules, turns), []
    while not search.is_done:
        found += [tuple(code) for code in search.next_planes(most, symbols).T.tolist()]
    return found


@some
@given(st.data(), st.integers(1, 9), st.integers(1, 30))
def test_codes_are_built_in_order_however_often_the_construction_is_stopped(
    data: st.DataObject, most: int, symbols: int
) -> None:
    rules = data.draw(drawn_rules(**SMALL))
    turns = data.draw(told(rules))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "can_compile", lambda: True)  # else the twin on NumPy would build
        assert fitting(rules, turns) == built(rules, turns, most, symbols)


@pytest.mark.parametrize("pegs", [1, 2, 62, 63, 64, 65, 130])
def test_codes_are_built_at_the_width_of_a_lane(pegs: int) -> None:
    # All but one peg are right: the codes that differ from the guess in one place. Lanes hold numbers to 63 in a byte.
    rules, guess = Rules.parse(f"{pegs}x3/black"), (1,) * pegs
    expected = {(*guess[:peg], color, *guess[peg + 1 :]) for peg in range(pegs) for color in (0, 2)}

    assert sorted(expected) == built(rules, [Turn(guess, Feedback(pegs - 1))], 1000, 10**6)


# ------------------------------------------------------------------ chains


def loaded(rules: Rules, turns: Sequence[Turn], rows: Sequence[Code]) -> Chains:
    start = np.array(rows, np.uint8)
    return Chains(rules, turns, np.random.default_rng(1), start=start, replicas=len(rows))


@some
@given(st.data())
def test_the_energy_of_a_chain_is_what_its_code_misses(data: st.DataObject) -> None:
    rules = data.draw(walkable())
    turns = data.draw(told(rules, most=40, honest=False))
    rows = data.draw(st.lists(drawn_codes(rules, secret=True), min_size=1, max_size=4))

    assert [naive.energy(rules.kind, row, answers(turns)) for row in rows] == loaded(
        rules, turns, rows
    ).energies.tolist()


@pytest.mark.parametrize("board", ["255x2", "255x254/membership", "254x1", "1x254", "1x1", "255x2/black"])
def test_energies_are_right_at_the_width_of_a_byte(board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(3)
    rows = [(0,) * rules.pegs, *(random_secret(rules, rng) for _ in range(3))]
    guesses = [(0,) * rules.pegs, (rules.colors - 1,) * rules.pegs, random_guess(rules, rng)]
    turns = [Turn(guess, score(guess, secret, rules)) for guess in guesses for secret in (rows[0], rows[-1])]

    assert [naive.energy(rules.kind, row, answers(turns)) for row in rows] == loaded(
        rules, turns, rows
    ).energies.tolist()


@by_vectors
@some
@given(st.data(), st.booleans())
def test_chains_harvest_codes_that_fit_and_know_what_the_others_miss(data: st.DataObject, eager: bool) -> None:
    rules = data.draw(walkable())
    turns = data.draw(told(rules))
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(20_000, eager=eager)
    found = [tuple(row) for row in chains.rows.tolist()]
    rows, misses = chains.soft

    assert len(set(found)) == len(found)
    assert set(found) <= set(fitting(rules, turns))
    for codes, energies in ((chains.states, chains.energies), (rows, misses)):
        assert [
            naive.energy(rules.kind, code, answers(turns)) for code in map(tuple, codes.tolist())
        ] == energies.tolist()
        assert {tuple(code) for code in codes.tolist()} <= set(secrets(rules))


@by_vectors
@pytest.mark.parametrize("board", ["4x4", "3x5/no-repeats", "4x4/black", "4x3/membership", "3x3/blanks-in-secrets"])
def test_chains_find_every_code_that_fits(board: str) -> None:
    rules = Rules.parse(board)
    guess, *_, secret = secrets(rules)
    turns = [Turn(guess, score(guess, secret, rules))]
    chains = Chains(rules, turns, np.random.default_rng(1))
    chains.walk(400_000, seen=30)

    assert fitting(rules, turns) == list(chains.codes)


@some
@given(st.data())
def test_chains_that_rearrange_pegs_find_arrangements_that_fit(data: st.DataObject) -> None:
    from entropeg.kernels import belief

    pegs = data.draw(st.integers(1, 6))
    colors = data.draw(st.tuples(*[st.integers(0, 3)] * pegs))
    guesses = data.draw(st.lists(st.permutations(colors).map(tuple), min_size=1, max_size=3))
    secret = data.draw(st.permutations(colors).map(tuple))
    turns = [(guess, naive.blacks(guess, secret)) for guess in guesses]
    rows = np.array([data.draw(st.permutations(colors)) for _ in range(3)], np.int16)
    misses = np.array([[naive.blacks(g, tuple(row)) - black for g, black in turns] for row in rows.tolist()], np.int16)
    betas, out = np.geomspace(0.5, 3.0, 3), np.empty((20, pegs), np.int16)
    odds = np.exp(-betas[:, None] * np.arange(64))
    asked = np.ascontiguousarray(np.array(guesses, np.int16).T)
    found = belief.temper_codes(rows, misses, asked, betas, odds, 30, np.array([7], np.uint64), out)

    assert {tuple(row) for row in out[:found].tolist()} <= naive.rearranged(colors, turns)
    for row, missed in zip(rows.tolist(), misses.tolist(), strict=True):
        assert sorted(row) == sorted(colors)
        assert [naive.blacks(guess, tuple(row)) - black for guess, black in turns] == missed


# ------------------------------------------------------------------ messages


@st.composite
def beliefs(draw: st.DrawFn) -> tuple[int, int, list[list[float]]]:
    """Draw pegs, colors and what is believed of each peg."""
    pegs, colors = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    weight = st.floats(0.05, 1.0)
    return (
        pegs,
        colors,
        draw(st.lists(st.lists(weight, min_size=colors, max_size=colors), min_size=pegs, max_size=pegs)),
    )


def table(draw: Callable[[st.SearchStrategy[Any]], Any], rows: int, columns: int) -> list[list[float]]:
    number = st.sampled_from([0.5, 1.0, 2.0, 1.3])
    return [[draw(number) for _ in range(columns)] for _ in range(rows)]


@some
@given(st.data(), beliefs(), st.sampled_from([0.0, 0.2]), st.sampled_from([1e-6, 0.1]))
def test_messages_of_blacks_are_the_ratios_by_all_outcomes(
    data: st.DataObject, believed: tuple[int, int, list[list[float]]], decided: float, least: float
) -> None:
    from entropeg.kernels import belief

    pegs, colors, weights = believed
    guesses = data.draw(st.lists(st.tuples(*[st.integers(0, colors - 1)] * pegs), min_size=1, max_size=3))
    blacks = [data.draw(st.integers(0, pegs)) for _ in guesses]
    ratios = table(data.draw, len(guesses), pegs)
    order = data.draw(st.permutations(range(len(guesses))))
    fast, messages = np.array(weights), np.array(ratios)
    answers = belief.Answers(np.array(guesses, np.int32), np.array(blacks), messages)
    moved = belief.pass_blacks(fast, answers, np.array(order), least, decided, belief.MessageScratch.of(pegs))

    expected = naive.pass_blacks(weights, guesses, blacks, ratios, order, least, decided)
    assert expected == pytest.approx(moved, rel=1e-6, abs=1e-12)
    assert np.array(ratios) == pytest.approx(messages, rel=1e-6)
    assert np.array(weights) == pytest.approx(fast, rel=1e-6)


@some
@given(st.data(), beliefs())
def test_messages_of_color_counts_are_the_ratios_by_all_outcomes(
    data: st.DataObject, believed: tuple[int, int, list[list[float]]]
) -> None:
    from entropeg.kernels import belief

    pegs, colors, weights = believed
    counted = data.draw(st.integers(2, pegs + 2))
    chance = st.sampled_from([0.0, 0.2, 1.0])
    likely = [[*(data.draw(chance) for _ in range(counted - 1)), 0.5] for _ in range(colors)]
    chosen = data.draw(st.lists(st.integers(0, colors - 1), unique=True))
    ratios = table(data.draw, pegs, colors)
    fast, messages = np.array(weights), np.array(ratios)
    room = belief.MessageScratch.of(pegs)._replace(
        before=np.empty((pegs + 1, pegs + 2 + counted)), after=np.empty(pegs + 2 + counted)
    )
    belief.pass_colors(fast, messages, np.array(likely), np.array(chosen, np.int64), 1e-6, room)

    naive.pass_colors(weights, ratios, likely, chosen, 1e-6)
    assert np.array(ratios) == pytest.approx(messages, rel=1e-6)
    assert np.array(weights) == pytest.approx(fast, rel=1e-6)


@some
@given(st.data(), beliefs(), st.booleans())
def test_improved_codes_have_the_variance_said_and_no_less_than_before(
    data: st.DataObject, believed: tuple[int, int, list[list[float]]], distinct: bool
) -> None:
    from entropeg.codebreakers.belief.asking import Draft, Regression

    pegs, colors, weights = believed
    chances = [[weight / sum(row) for weight in row] for row in weights]
    code_drawn = st.tuples(*[st.integers(0, colors - 1)] * pegs)
    guesses = data.draw(st.lists(code_drawn, min_size=1, max_size=12))
    counted = [color for color in range(colors) if data.draw(st.booleans())]
    counted = [color for color in counted if sum(row[color] * (1 - row[color]) for row in chances) > 1e-3]
    code = data.draw(code_drawn)
    locked = data.draw(st.lists(st.booleans(), min_size=pegs, max_size=pegs))
    free = np.full(colors, 0 if distinct else pegs)
    told = Regression(np.array(chances), np.array(guesses, np.int32), np.array(counted, np.int64))
    draft = Draft(np.array(code), np.array(locked), free)
    variance = told.improve(draft, np.random.default_rng(1))
    live = set(told.pegs.tolist())
    rest = [peg for peg in range(pegs) if peg in live]
    before, after = ([c[peg] for peg in rest] for c in (list(code), draft.code.tolist()))
    narrowed = [tuple(guess[peg] for peg in rest) for guess in guesses]
    expected = [naive.unforeseen([chances[peg] for peg in rest], narrowed, counted, c) for c in (before, after)]

    assert expected[1] == pytest.approx(variance, abs=1e-7)
    assert expected[1] >= expected[0] - 1e-7
    if distinct:
        assert sorted(before) == sorted(after)


# ------------------------------------------------------------------ breeding


def bred(rules: Rules, turns: Sequence[Turn], variant: str, generations: int) -> dict[str, Any]:
    """The arrays of the kernel after some generations of 20 codes."""
    from entropeg.codebreakers import evolutionary as module
    from entropeg.kernels import evolution

    size, wanted, pegs = 20, 12, rules.pegs
    codes, children = np.zeros((2, size, pegs), np.int64)
    missed, sums, state = np.zeros(size, np.int64), np.zeros(size), np.array([5], np.uint64)
    population = evolution.Population(codes, missed, children, state, sums, np.zeros(64, np.uint64))
    number = np.zeros(1, np.int64)
    fitting = evolution.Fitting(np.zeros((wanted, pegs), np.int64), number, np.zeros(64, np.uint64))
    measured = rules.symbols_in_secrets, pack_turns(rules, turns), scratch(rules, size), population
    evolution.start(*measured)
    if generations:
        scheme, rates = module.VARIANTS.index(variant), np.array(module.RATES[variant])
        evolution.evolve(scheme, rates, generations, *measured, fitting)
    return {"population": codes, "missed": missed, "eligible": fitting.codes[: int(number[0])]}


@some
@given(st.data(), st.sampled_from(["berghman", "merelo"]), st.sampled_from([0, 1, 7]))
def test_what_is_bred_is_measured_right_and_eligible_where_it_fits(
    data: st.DataObject, variant: str, generations: int
) -> None:
    rules = data.draw(walkable().filter(lambda rules: rules.repeats))
    turns = data.draw(told(rules))
    found = bred(rules, turns, variant, generations)
    everything = {tuple(code) for code in secrets(rules)}
    eligible = [tuple(code) for code in found["eligible"].tolist()]

    population = [tuple(code) for code in found["population"].tolist()]
    assert set(population) <= everything
    assert [naive.missed(rules.kind, code, answers(turns)) for code in population] == found["missed"].tolist()
    assert len(set(eligible)) == len(eligible)
    assert set(eligible) <= set(fitting(rules, turns))


# ------------------------------------------------------------------ labels of pegs


@some
@given(st.data())
def test_label_sequences_hold_those_of_every_code_that_fits_and_lead_to_each_code_once(data: st.DataObject) -> None:
    rules = data.draw(drawn_rules(**SMALL).filter(lambda rules: rules.feedback != FeedbackKind.positional))
    turns = data.draw(told(rules, most=2))
    left = fitting(rules, turns)

    assert left == sorted(codes_by_labels(rules, turns))
    expected = naive.label_sequences(rules.kind, [turn.guess for turn in turns], left)
    found = list(label_sequences(rules, turns))
    assert len(set(found)) == len(found)
    assert expected <= set(found)


@some
@given(st.data())
def test_descents_reach_codes_that_fit_each_with_a_chance_of_its_own(data: st.DataObject) -> None:
    from entropeg.candidates import label_tree as module

    rules = data.draw(drawn_rules(**SMALL))
    turns = data.draw(told(rules, honest=True))
    tree, left = module._LabelTree(rules, turns), fitting(rules, turns)
    rows, chances = tree.descend(np.array([9], np.uint64))
    law: dict[Code, float] = {}
    for code, chance in zip(map(tuple, rows.tolist()), chances.tolist(), strict=True):
        assert isclose(law.setdefault(code, exp(chance)), exp(chance), rel_tol=1e-9)

    assert law.keys() <= set(left)
    assert sum(law.values()) <= 1 + 1e-9
    assert sorted(codes_by_labels(rules, turns)) == left


# ------------------------------------------------------------------ marks by place


@st.composite
def laws_of_colors(draw: st.DrawFn) -> tuple[list[list[float]], list[int], list[int]]:
    """Draw the odds of colors on pegs, and bounds on their numbers that can be kept."""
    pegs, colors = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    chance = st.sampled_from([0.0, 0.05, 0.3, 0.5, 0.8, 1.0])
    odds = [[draw(chance) for _ in range(colors)] for _ in range(pegs)]
    least, most = [], []
    for color in range(colors):
        certain = sum(row[color] == 1 for row in odds)
        possible = sum(row[color] > 0 for row in odds)
        least.append(draw(st.integers(0, possible)))
        most.append(draw(st.integers(max(certain, least[-1]), pegs)))
    return odds, least, most


@some
@given(st.data(), laws_of_colors(), st.booleans(), st.integers(0, 3))
def test_a_guess_tells_the_bits_of_all_outcomes_and_no_less_once_it_is_changed(
    data: st.DataObject, drawn: tuple[list[list[float]], list[int], list[int]], swaps: bool, sweeps: int
) -> None:
    from entropeg.kernels import placing

    odds, least, most = drawn
    pegs, colors = len(odds), len(least)
    guess = data.draw(st.tuples(*[st.integers(0, colors - 1)] * pegs))
    held = [data.draw(st.booleans()) for _ in range(pegs)]
    fewest = [data.draw(st.integers(0, guess.count(color))) for color in range(colors)]
    room = [data.draw(st.integers(guess.count(color), pegs)) for color in range(colors)]
    alone = np.ones((pegs, colors))
    order = np.tile(np.arange(colors), (pegs, 1))
    laws = placing.ColorLaws(np.array(odds), np.array(least), np.array(most), alone, order)
    limits = placing.GuessLimits(np.array(held), np.array(fewest), np.array(room), np.array([swaps]))
    code = np.array(guess)
    asked = placing.PegsByColor(code, np.zeros((colors, pegs), np.int64), np.zeros(colors, np.int64), np.zeros(colors))
    scratch = placing.PlacingScratch(
        right=np.zeros(pegs + 1),
        fits=np.zeros(pegs + 1),
        rest=np.zeros(pegs + 1),
        asked=np.zeros(pegs, np.bool_),
        trial=np.zeros(pegs, np.int64),
        order=np.zeros(pegs, np.int64),
        losses=np.zeros(pegs),
        random=np.array([data.draw(st.integers(1, 1 << 60))], np.uint64),
    )
    told = placing.climb(laws, limits, asked, sweeps, scratch)
    reached = tuple(code.tolist())

    assert naive.told_by_marks(odds, least, most, reached) == pytest.approx(told, abs=1e-6)
    assert told >= naive.told_by_marks(odds, least, most, guess) - 1e-6
    assert all(one == other for one, other, kept in zip(guess, reached, held, strict=True) if kept)
    assert all(low <= reached.count(color) <= high for color, (low, high) in enumerate(zip(fewest, room, strict=True)))


@some
@given(st.data(), st.booleans())
def test_the_price_of_a_guess_on_marked_codes_is_that_of_its_parts(data: st.DataObject, distinct: bool) -> None:
    from entropeg.codebreakers.place import asking
    from entropeg.kernels import placing

    rules = Rules.parse(f"{data.draw(st.integers(2, 4))}x4/positional" + "/no-repeats" * distinct)
    drawn = data.draw(st.lists(drawn_codes(rules, secret=True), min_size=1, max_size=30, unique=True))
    guesses = data.draw(st.lists(drawn_codes(rules), min_size=1, max_size=3))
    listed, scratch = asking.laid_out(np.array(drawn, np.int16), 4, np.random.default_rng(1))
    prices = np.zeros(len(guesses), np.int64)
    placing.price_listed(listed, scratch, np.array(guesses, np.int16), prices)
    phi = listed.phi.tolist()

    assert [naive.price(rules.kind, guess, drawn, phi, phi[1]) for guess in guesses] == prices.tolist()

    clues = asking.GuessBounds.of(rules, None)
    limits = placing.GuessLimits(clues.held >= 0, clues.fewest, clues.most, np.ones(1, np.bool_))
    best = np.array(guesses[0], np.int16)
    reached = placing.improve_listed(listed, limits, scratch, best, 40, int(prices[0]))

    assert naive.price(rules.kind, tuple(best.tolist()), drawn, phi, phi[1]) == reached <= prices[0]
    assert not distinct or len(set(best.tolist())) == rules.pegs


# ------------------------------------------------------------------ prices of guesses


def priced(rules: Rules, codes: Sequence[Code]) -> tuple[Splitter, list[int], int]:
    """A splitter of some codes, the prices of parts by size, and what is off if the guess may win."""
    splitter = Splitter(CodeSet.of(codes, rules), np.random.default_rng(1), float(len(codes)))
    return splitter, splitter.sample.phi.tolist(), int(splitter.sample.rule[5])


def different_codes(draw: Callable[[st.SearchStrategy[Any]], Any], rules: Rules) -> list[Code]:
    drawn = draw(st.lists(drawn_codes(rules, secret=True), min_size=1, max_size=40, unique=True))
    return sorted(drawn)


@by_vectors
@some
@given(st.data())
def test_the_price_of_a_guess_is_that_of_its_parts_also_once_it_is_improved(data: st.DataObject) -> None:
    rules = data.draw(walkable())
    codes = different_codes(data.draw, rules)
    guesses = [codes[0], *data.draw(st.lists(drawn_codes(rules), max_size=3))]
    splitter, prices, win = priced(rules, codes)
    expected = [naive.price(rules.kind, guess, codes, prices, win) for guess in guesses]

    assert expected == splitter.prices(np.array(guesses, np.uint8)).tolist()
    for guess, price in zip(guesses, expected, strict=True):
        row = np.array(guess, np.uint8)
        better = splitter.improve(row, price, 60)
        assert better <= price
        assert naive.price(rules.kind, tuple(row.tolist()), codes, prices, win) == better


@by_vectors
@some
@given(st.data())
def test_the_price_ahead_is_that_of_the_best_code_of_each_part(data: st.DataObject) -> None:
    rules = data.draw(walkable())
    codes = different_codes(data.draw, rules)
    guess = data.draw(drawn_codes(rules))
    splitter, prices, win = priced(rules, codes)
    price = Ahead(splitter).price(np.array(guess, np.uint8), np.inf, changes=0)

    assert len(codes) <= FOLLOWERS
    expected = naive.price_ahead(rules.kind, guess, codes, prices, win, UNIT)
    assert expected == pytest.approx(price * UNIT * len(codes), rel=1e-9)


# ------------------------------------------------------------------ questions


@some
@given(st.data(), st.integers(1, 30), st.integers(0, 60))
def test_a_question_is_legal_and_tells_the_bits_that_are_returned(data: st.DataObject, states: int, tries: int) -> None:
    from entropeg.kernels.windows import TRIFLE, QuestionScratch, Unknowns, choose_question

    sizes = data.draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    rows, width = sum(sizes), max(*sizes, 1)
    values = rng.integers(0, 4, (max(rows, 1), states)).astype(np.int32)
    weights = rng.dirichlet(np.ones(states))
    numbers = iter(range(rows))
    cells = [[next(numbers) for _ in range(size)] for size in sizes]
    padded = np.array([cell + [0] * (width - len(cell)) for cell in cells])
    most, random = values.max(axis=1).astype(np.int64), np.array([3], np.uint64)
    room = np.empty(states, np.int32), np.empty(states, np.int32), np.empty((2, 2 * 3 * len(sizes) + 2))
    plus, minus = np.empty((2, len(sizes)), np.int64)
    unknowns = Unknowns(values, weights, padded, np.array(sizes), most)
    bits = choose_question(unknowns, tries, random, QuestionScratch(*room), plus, minus)
    asked, mirrored = [int(row) for row in plus if row >= 0], [int(row) for row in minus if row >= 0]
    law = naive.law_of_answers(values.tolist(), weights.tolist(), asked, mirrored)

    assert naive.entropy(law.values()) + TRIFLE * len(law) == pytest.approx(bits, abs=1e-9)
    assert not set(asked) & set(mirrored)
    for cell, up, down in zip(cells, plus, minus, strict=True):
        assert {up, down} <= {*cell, -1}


def test_a_question_on_one_cell_is_the_best_of_all() -> None:
    from entropeg.kernels.windows import TRIFLE, QuestionScratch, Unknowns, choose_question

    rng = np.random.default_rng(2)
    values, weights = rng.integers(0, 3, (4, 20)).astype(np.int32), rng.dirichlet(np.ones(20))
    room = np.empty(20, np.int32), np.empty(20, np.int32), np.empty((2, 6))
    plus, minus, random = np.empty(1, np.int64), np.empty(1, np.int64), np.array([3], np.uint64)
    cells, sizes = np.arange(4)[None], np.array([4])
    most = values.max(axis=1).astype(np.int64)
    unknowns = Unknowns(values, weights, cells, sizes, most)
    bits = choose_question(unknowns, 400, random, QuestionScratch(*room), plus, minus)
    questions = [({up} - {-1}, {down} - {-1}) for up in range(-1, 4) for down in range(-1, 4) if up != down]
    laws = [naive.law_of_answers(values.tolist(), weights.tolist(), *question) for question in questions]

    assert max(naive.entropy(law.values()) + TRIFLE * len(law) for law in laws) == pytest.approx(bits)


@some
@given(st.integers(1, 3), st.integers(0, 2), st.integers(0, 1), st.integers(1, 12), st.integers(0, 99))
def test_a_painting_has_its_fresh_cells_and_no_single_change_that_tells_more(
    rows: int, fresh: int, done: int, states: int, seed: int
) -> None:
    from entropeg.kernels.windows import TRIFLE, Spreads, choose_painting

    rng, sizes = np.random.default_rng(seed), np.array([2, 1, 2])
    values = rng.integers(0, sizes[:, None] + 1, (rows, 3, states)).astype(np.int32)
    weights, totals = rng.dirichlet(np.ones(states)), values.sum(axis=1, dtype=np.int32)
    room = np.empty((2, 3), np.int64), np.empty(states, np.int64), np.empty(6 * 16)
    bits = choose_painting(
        Spreads(values, totals, weights, sizes), fresh, done, 2, np.array([seed + 1], np.uint64), *room
    )

    def told(paint: list[int]) -> float:
        law = naive.law_of_painting(values.tolist(), weights.tolist(), sizes.tolist(), paint)
        return naive.entropy(law.values()) + TRIFLE * len(law)

    paint = room[0][0].tolist()
    others = [
        [*paint[:cell], row, *paint[cell + 1 :]] for cell in range(3) if paint[cell] >= 0 for row in range(rows + done)
    ]
    assert fresh == paint.count(-1)
    assert set(paint) <= set(range(-1, rows + done))
    assert told(paint) == pytest.approx(bits, abs=1e-9)
    assert all(told(other) <= bits + 1e-9 for other in others)


# ------------------------------------------------------------------ labels of the exact search


@some
@given(st.data(), st.booleans())
def test_compact_labels_are_the_scores_of_rows_against_columns(data: st.DataObject, by_color: bool) -> None:
    from entropeg.search.exact.answer_kinds import label_matrix

    pegs, colors = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    code = st.tuples(*[st.integers(0, colors - 1)] * pegs)
    rows, columns = (data.draw(st.lists(code, min_size=1, max_size=8)) for _ in range(2))
    arrays = np.array(rows, np.uint8), np.array(columns, np.uint8)
    out = label_matrix(*arrays, colors, by_color=by_color)[:, : len(columns)]

    kind = naive.STANDARD if by_color else naive.BLACK
    scores = [[naive.score(kind, row, column) for column in columns] for row in rows]
    pairs = {pair for row, labels in zip(scores, out.tolist(), strict=True) for pair in zip(row, labels, strict=True)}
    assert len({score for score, _ in pairs}) == len({label for _, label in pairs}) == len(pairs)
