"""Hard rules, under which a guess uses every clue: what they allow, and how one-step strategies play by them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import strategies
from entropeg import Position, Rules, codebreakers, play
from entropeg.advise import Mend, Notes, advise, explain
from entropeg.advise.quick import advise_at_once
from entropeg.advise.rows import Row, unused_row
from entropeg.candidates import Clues, followers
from entropeg.codebreakers.check import check_codebreaker, inspect_codebreaker
from entropeg.codemakers.adversary import forced
from entropeg.codes import CodeSet, guesses, random_secret, secrets
from entropeg.engine.server import serve
from entropeg.errors import InputError
from entropeg.feedback import Code, from_label, score_trusted
from entropeg.kernels.onestep import plain
from entropeg.kinds import FeedbackKind
from entropeg.review import read_games, review
from entropeg.search.onestep import criteria
from entropeg.search.onestep.choice import TurnRule
from entropeg.search.onestep.choosing import KEPT, best_index
from entropeg.search.onestep.code_arrays import board_of, node_at
from entropeg.search.small.search import INFINITE, SmallSearch
from entropeg.symmetry import Classes, guess_kinds, kind_sizes, representatives
from entropeg.train import puzzles
from entropeg.tree import StrategyTree
from entropeg.words import WordList

WORDS = ["act", "bat", "cab", "cat", "tab", "tat", "ace", "bee", "bet", "abb", "eta", "tea", "ate", "eat"]
PROBES = ["aaa", "bce", "ebb", "cct"]


def hard(board: str) -> Rules:
    """Read rules, or make those of a list of words of our own."""
    if board != "words":
        return Rules.parse(f"{board}/hard")
    return Rules(words=WordList.of(WORDS, probes=PROBES), feedback=FeedbackKind.positional, hard=True)


BOARDS = [
    "3x3",
    "4x2",
    "2x5",
    "3x4/no-repeats",
    "3x4/no-repeats/guess-repeats",
    "3x3/blanks",
    "2x4/blanks-in-secrets",
    "words",
]


@pytest.fixture(scope="module")
def _both_ways(both_ways: None) -> Iterator[None]:
    """Kernels and NumPy; symmetry, which saves NumPy time on large boards, is used on any."""
    worth = plain.WORTH_REDUCING
    plain.WORTH_REDUCING = 0
    KEPT.clear()
    yield
    plain.WORTH_REDUCING = worth


# ------------------------------------------------------------------ what is allowed


@st.composite
def clues_of(draw: st.DrawFn) -> tuple[Rules, list[tuple[Code, Any]]]:
    """Draw hard rules and turns, true to a secret or not."""
    board = draw(st.sampled_from(["4x3/hard", "4x2/blanks-in-secrets/hard", "3x4/hard", "3x3/blanks/hard"]))
    rules = Rules.parse(board)
    played = draw(st.lists(strategies.codes(rules), max_size=3))
    return rules, [(guess, score_trusted(guess, draw(strategies.codes(rules, secret=True)), rules)) for guess in played]


@given(clues_of())
@settings(max_examples=30)
def test_a_guess_is_allowed_where_every_marked_peg_can_be_laid_onto_it(drawn: tuple[Rules, list[Any]]) -> None:
    rules, turns = drawn
    clues, stepwise = Clues.of(rules, turns), Clues(rules)
    for turn in turns:
        stepwise = stepwise.after(*turn)
    every = list(guesses(rules))
    expected = [naive.uses_clues(guess, turns) for guess in every]

    assert expected == [clues.allows(guess) for guess in every]
    assert expected == clues.mask(guesses(rules).planes).tolist()
    assert expected == [not clues.fault(guess) for guess in every]
    assert clues == stepwise


@given(st.integers(0, 2**32), st.sampled_from(BOARDS))
@settings(max_examples=15)
def test_codes_that_fit_use_every_clue_and_so_do_all_of_a_kind(seed: int, board: str) -> None:
    rules, rng = hard(board), np.random.default_rng(seed)
    secret, position = random_secret(rules, rng), Position(rules)
    turns: list[tuple[Code, Any]] = []
    for _ in range(3):
        legal = position.legal_guesses

        assert [code for code in guesses(rules) if naive.uses_clues(code, turns)] == list(legal)
        assert set(position.candidates) <= set(legal)
        kinds = guess_kinds(position)
        assert kinds is not None
        assert sum(kind_sizes(position, kinds)) == len(legal)
        assert list(kinds) == list(representatives(position, legal, Classes.of(position)))
        guess = legal[int(rng.integers(len(legal)))]
        turns.append((guess, score_trusted(guess, secret, rules)))
        position = position.after(*turns[-1])


def test_a_guess_that_leaves_a_clue_out_is_refused_with_the_clue() -> None:
    position = Position("4x6/positional/hard", ["AABC XO.O"])
    with pytest.raises(InputError, match=r"^BAAC does not use every clue: peg 1 was in place: it must be A$"):
        position.after("BAAC", "....")
    with pytest.raises(InputError, match=r"^ACCD does not use every clue: a guess must have 2 of A$"):
        position.check_guess("ACCD")
    with pytest.raises(InputError, match=r"a guess must have C$"):
        position.check_guess("AAAB")
    with pytest.raises(
        InputError, match=r"^turn 2 \(ABAD \.\.XX\) does not use every clue of the turns before: a guess must have C$"
    ):
        Position("4x6/positional/hard", ["AABC XO.O", "ABAD ..XX"])

    assert position.check_guess("ACAA") == (0, 2, 0, 0)


def test_rules_are_hard_where_pegs_are_marked_alone() -> None:
    assert str(Rules.parse("5x8/hard")) == "5x8/positional/hard"
    assert Rules.parse("5x8/hard/positional") == Rules.parse("5x8/positional/hard")
    assert Rules.parse("5x8/positional/hard") != Rules.parse("5x8/positional")
    for text in ("4x6/black/hard", "4x6/hard/membership", "grand/hard"):
        with pytest.raises(InputError, match=r"^hard rules need a mark for each peg, which (black|membership|grand)"):
            Rules.parse(text)
    with pytest.raises(InputError, match="which standard feedback does not give"):
        Rules(hard=True)


# ------------------------------------------------------------------ one-step strategies


Path = tuple[tuple[Code, int], ...]
"""The turns that lead to a node: a guess and the label of its answer each."""


def slow_tree(rules: Rules, name: str, first: bool) -> list[tuple[Path, Code]]:
    """(turns, guess) of every node."""
    nodes: list[tuple[Path, Code]] = []
    waiting: list[tuple[Path, list[Code]]] = [((), list(secrets(rules)))]
    while waiting:
        turns, candidates = waiting.pop()
        marked = [(guess, from_label(label, rules)) for guess, label in turns]
        allowed = [guess for guess in guesses(rules) if naive.uses_clues(guess, marked)]
        guess = naive.best_guess(rules.kind, allowed, candidates, name, first=first)
        nodes.append((turns, guess))
        parts: dict[int, list[Code]] = {}
        for secret in candidates:
            parts.setdefault(naive.score(rules.kind, guess, secret), []).append(secret)
        waiting += [((*turns, (guess, label)), part) for label, part in parts.items() if label != rules.win_label]
    return sorted(nodes)


def fast_tree(rules: Rules, spec: str) -> list[tuple[Path, Code]]:
    tree = StrategyTree.build(spec, rules)
    turns: list[Path] = [()]
    for node in range(1, len(tree)):
        above = int(tree.parent[node])
        turns.append((*turns[above], (tree.code(above), int(tree.label[node]))))
    return sorted((path, tree.code(node)) for node, path in enumerate(turns))


@pytest.mark.usefixtures("_both_ways")
@settings(max_examples=40)
@given(st.sampled_from(BOARDS), st.sampled_from(criteria.CRITERIA), st.booleans(), st.booleans())
def test_every_tree_is_the_one_that_the_slow_twin_plays(board: str, name: str, first: bool, symmetry: bool) -> None:
    rules = hard(board)

    assert slow_tree(rules, name, first) == fast_tree(
        rules, f"{name}:ties={'first' if first else 'candidate'},symmetry={symmetry}"
    )


@pytest.mark.usefixtures("_both_ways")
@given(st.integers(0, 2**32), st.sampled_from(BOARDS), st.sampled_from(["all", "candidates", "probes"]))
@settings(max_examples=40)
def test_every_choice_uses_the_clues_whatever_guesses_are_looked_at(seed: int, board: str, scope: str) -> None:
    rules, rng = hard(board), np.random.default_rng(seed)
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(2):
        legal = position.legal_guesses
        guess = legal[int(rng.integers(len(legal)))]
        position = position.after(guess, score_trusted(guess, secret, rules))
    rule = TurnRule("entropy", ties="random", guesses=scope, probes=4 * (scope == "probes")).rule(rules)
    found = best_index(board_of(rules), rule, node_at(position, seed))
    plainly = plain.choose(board_of(rules), rule, node_at(position, seed))

    assert position.clues is not None
    assert position.clues.allows(guesses(rules)[found])
    assert found == plainly


def test_rules_with_a_prior_are_weighed_among_the_guesses_allowed() -> None:
    rules = Rules.parse("3x3/hard/prior=distinct")
    tree = StrategyTree.build("entropy", rules)
    for node in range(len(tree)):
        turns, at = [], node
        while tree.parent[at] >= 0:
            above = int(tree.parent[at])
            turns.append((tree.code(above), from_label(int(tree.label[at]), rules)))
            at = above

        assert naive.uses_clues(tree.code(node), turns)


# ------------------------------------------------------------------ players


REFUSING = {
    "3x4": {"dichotomy", "linear", "evolutionary", "sampling", "belief", "static"},
    "words": {"dichotomy", "linear", "evolutionary", "sampling", "belief", "place", "montecarlo", "static"},
}


@pytest.mark.parametrize("board", REFUSING)
@pytest.mark.parametrize("name", [name for name in codebreakers.names() if name not in {"tree", "mixed", "by-turn"}])
def test_every_codebreaker_plays_by_the_rules_or_refuses_them_in_a_sentence(name: str, board: str) -> None:
    if name not in REFUSING[board]:
        assert [] == inspect_codebreaker(name, hard(board), games=2).faults
        return
    with pytest.raises(InputError, match=r"^(?!.*illegal)(?!.*\. )"):
        play(name, "honest", hard(board), seed=1)


class Forgets:
    name = "forgets"
    deterministic = True

    def guess(self, position: Position, rng: object) -> Code:
        return (len(position.turns) % 4,) * 3


def test_a_codebreaker_that_leaves_clues_out_is_told_so() -> None:
    with pytest.raises(InputError, match=r"its guess \(.*\) is not legal: [A-D]{3} does not use every clue"):
        check_codebreaker(Forgets(), "3x4/hard")
    with pytest.raises(InputError, match=r"^the codebreaker forgets made an illegal guess at turn 2: BBB does not use"):
        play(Forgets(), "honest:AAB", "3x4/hard")
    with pytest.raises(InputError, match=r"^BBB does not use every clue"):
        StrategyTree.build(Forgets(), "3x4/hard")


def test_cheats_and_forced_games_keep_to_the_rules() -> None:
    rules = Rules.parse("3x4/hard")
    for maker in ("cheat", "worst-case:entropy"):
        game = play("entropy", maker, rules, seed=3)

        assert Position(rules, game.turns).is_won
    found = forced("entropy", rules)

    assert found.forced == StrategyTree.build("entropy", rules).worst
    assert Position(rules, found.line).is_won


def test_a_program_is_told_of_hard_rules_and_held_to_them() -> None:
    said: list[str] = []
    lines = ["new codebreaker pegs=3 colors=4 feedback=positional hard=yes", "turn 0 1 2 : 2 0 1", "turn 1 0 3 : 0 0 0"]
    serve([*lines, "turn 0 2 3 : 2 2 0", "go"], said.append, "first-consistent", "honest")

    assert said == ["error BAD does not use every clue: peg 1 was in place: it must be A", "guess 0 2 0"]


def test_a_tree_that_leaves_a_clue_out_is_refused() -> None:
    free, rules = StrategyTree.build("entropy", "3x5/positional"), Rules.parse("3x5/hard")

    assert (374, 380) == (free.total, StrategyTree.build("entropy", rules).check().total)
    with pytest.raises(InputError, match=r"^after ABC \.\.X, the tree plays CDE, which does not use every clue$"):
        StrategyTree(rules, free.guess_index, free.parent, free.label).check()


@given(st.sampled_from(BOARDS), st.sampled_from(["entropy", "minimax:ties=first", "parts"]))
@settings(max_examples=15)
def test_the_checker_of_trees_finds_a_clue_left_out_where_the_definition_does(board: str, name: str) -> None:
    from dataclasses import replace

    rules = hard(board)
    free = StrategyTree.build(name, replace(rules, hard=False))
    tree = StrategyTree(rules, free.guess_index, free.parent, free.label)
    turns: list[list[tuple[Code, Any]]] = [[]]
    for node in range(1, len(free)):
        above = int(free.parent[node])
        turns.append([*turns[above], (free.code(above), from_label(int(free.label[node]), rules))])
    if all(naive.uses_clues(free.code(node), path) for node, path in enumerate(turns)):
        assert tree.check().total == free.total
        return
    with pytest.raises(InputError, match=r"which does not use every clue$"):
        tree.check()


# ------------------------------------------------------------------ exact values without the kernels


def slow_totals(position: Position, codes: CodeSet, weights: list[int], left: int) -> list[int]:
    """Total of the best play after every guess allowed, by trying everything; a code of the set is its index."""
    rules, secret = position.rules, list(codes)

    @cache
    def value(some: frozenset[int], allowed: frozenset[Code], d: int) -> int:
        return min((after(guess, some, allowed, d) for guess in allowed), default=INFINITE) if some else 0

    @cache
    def after(guess: Code, some: frozenset[int], allowed: frozenset[Code], d: int) -> int:
        parts: dict[int, set[int]] = {}
        for code in some:
            parts.setdefault(naive.score(rules.kind, guess, secret[code]), set()).add(code)
        if d == 0:
            return INFINITE
        total = sum(weights[code] for code in some)
        for label, part in parts.items():
            if label == rules.win_label:
                continue
            if len(part) == len(some) and some is not every:  # tells nothing: never better than a guess that does
                return INFINITE
            marks = [(guess, from_label(label, rules))]
            follow = frozenset(other for other in allowed if naive.uses_clues(other, marks))
            total += value(frozenset(part), follow, d - 1)
        return min(total, INFINITE)

    every = frozenset(range(len(codes)))
    legal = list(position.legal_guesses)
    return [after(guess, every, frozenset(legal), left) for guess in legal]


@pytest.mark.parametrize("board", ["3x3", "2x4", "3x4/no-repeats", "2x3/blanks-in-secrets", "words"])
@pytest.mark.parametrize("seed", range(3))
def test_every_guess_takes_what_trying_everything_allowed_says(board: str, seed: int) -> None:
    rules, rng = hard(board), np.random.default_rng([seed, len(board)])
    position = Position(rules)
    if seed:
        guess = guesses(rules)[int(rng.integers(rules.guess_count))]
        position = position.after(guess, score_trusted(guess, random_secret(rules, rng), rules))
    left = position.candidates
    size = min(len(left), 6)
    codes = left.take(np.sort(rng.choice(len(left), size, replace=False)))
    weights = rng.integers(1, 6, size) if seed == 2 else np.ones(size, np.int64)
    pool = position.legal_guesses
    for limit in (size + 1, 3, 2, 1):
        expected = slow_totals(position, codes, weights.tolist(), limit)
        search = SmallSearch(codes.labels(pool), rules.win_label, weights, np.inf, followers(pool))

        assert min(expected) == search.value(limit)
        assert expected == [search.after(guess, limit) for guess in range(len(pool))]
        best = search.best(3, limit)
        assert all(expected[guess] == total for guess, total in best)
        assert not best or best[0][1] == min(expected)


@pytest.mark.usefixtures("_both_ways")
@pytest.mark.parametrize("turns", [["AABC XO.O"], ["ABCD O.O."], ["AABC ?O.O", "CADE O?.."]])
def test_advice_keeps_to_what_is_allowed(turns: list[str]) -> None:
    notes = Notes.of("4x5/hard", turns)
    advice, brief = advise(notes, limit=5, time=1), advise_at_once(notes, limit=5)
    assert notes.clues is not None
    for guess in (*advice.guesses, *brief.guesses):
        assert notes.clues.allows(guess.guess)
    if notes.is_complete:
        assert advice.is_proven
        search = SmallSearch(
            notes.candidates.labels(notes.position.legal_guesses), notes.rules.win_label,
            np.ones(len(notes.candidates)), np.inf, followers(notes.position.legal_guesses),
        )  # fmt: skip
        assert search.value() == round(advice.value.value * len(notes.candidates))
    with pytest.raises(InputError, match=r"^EEEE does not use every clue"):
        advise(notes, also=["EEEE"])


# ------------------------------------------------------------------ notes, mistakes, puzzles, reviews


def test_notes_that_leave_a_clue_out_are_refused_with_the_row() -> None:
    with pytest.raises(
        InputError, match=r"^row 2 \(BBCB \.\.X\.\) does not use every clue of the rows before: a guess"
    ):
        Notes.of("4x5/hard", ["AABC ?O.O", "BBCB ..X."])
    with pytest.raises(InputError, match=r"^game 2: turn 2 \(DDD \.\.\.\) does not use every clue of the turns before"):
        read_games("rules: 3x4/hard\nABC XXX\n\nABC X..\nDDD ...\nADD XXX", name="game 2")

    assert Notes.of("4x5/hard", ["AABC ?O.O", "A?CA X?.O"]).clues is not None


def test_only_mistakes_are_named_after_which_the_game_keeps_to_the_rules() -> None:
    notes = Notes.of("3x4/hard", ["AAB X..", "ACC XX.", "ACB XXX"])
    told, free = explain(notes, limit=None), explain(Notes.of("3x4/positional", notes.rows), limit=None)

    def rows(mend: Mend) -> list[Row]:
        meant = {row: one for slip in mend.slips for row, one in zip(slip.rows, slip.meant, strict=True)}
        return [row for at, one in enumerate(notes.rows) if (row := meant.get(at, one)) is not None]

    kept = [mend for mend in free.mends if not unused_row(notes.rules, rows(mend))[1]]

    assert 0 < len(kept) < len(free.mends)
    assert [(mend.slips, mend.codes) for mend in kept] == [(mend.slips, mend.codes) for mend in told.mends]
    assert sum(mend.probability for mend in told.mends) == pytest.approx(1)


@pytest.mark.parametrize("theme", ["deduce", "mend"])
def test_puzzles_keep_to_the_rules(theme: str) -> None:
    puzzle = next(puzzles("3x4/hard", theme, seed=4))

    assert Position("3x4/hard", puzzle.position.turns) == puzzle.position
    if theme == "deduce":
        clues = puzzle.position.clues
        assert clues is not None
        code = next(code for code in guesses("3x4/hard") if not clues.allows(code))
        with pytest.raises(InputError, match=r"^[A-D]{3} does not use every clue"):
            puzzle.judge(code)


def test_a_review_compares_the_guesses_that_were_allowed() -> None:
    told = review(Position("3x4/hard", ["ABC X..", "ADD XX.", "ADA XXX"]), time=2)
    for turn in told.turns:
        here = Position("3x4/hard", told.position.turns[: turn.number - 1])
        assert here.clues is not None
        assert here.clues.allows(turn.best[0])
        pool = here.legal_guesses
        search = SmallSearch(
            here.candidates.labels(pool), here.rules.win_label, np.ones(len(here.candidates)), np.inf, followers(pool)
        )

        assert turn.value.value == pytest.approx(search.value() / len(here.candidates))
