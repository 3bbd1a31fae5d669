"""What marks by place tell: the same secrets as by scoring all codes, codes that fit, and proofs that there is none."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from entropeg import Marks, Position, Rules, score
from entropeg.candidates import find_candidates, is_possible, minimal_conflict
from entropeg.candidates.domains import MOST_CELLS, Domains
from entropeg.codes import random_guess, random_secret, secrets
from entropeg.errors import ContradictionError, TooLargeError
from entropeg.feedback import Code

BOARDS = [
    "4x4",
    "4x3",
    "5x3",
    "3x5",
    "4x5/no-repeats",
    "4x3/blanks",
    "3x4/no-repeats/guess-repeats",
    "3x3/no-repeats/blanks-in-secrets",
    "3x3/blanks-in-secrets",
    "1x1",
]


def inside(domains: Domains, codes: list[Code]) -> list[Code]:
    """Return the codes within the domains, by their definition."""
    least, most = domains.least.tolist(), domains.most.tolist()
    return [
        code
        for code in codes
        if not domains.broken
        and all(domains.allowed[peg, color] for peg, color in enumerate(code))
        and all(low <= code.count(color) <= high for color, (low, high) in enumerate(zip(least, most, strict=True)))
    ]


@pytest.mark.parametrize("is_forged", [False, True])
@pytest.mark.parametrize("board", BOARDS)
def test_domains_hold_the_secrets_that_answer_so_and_no_other(board: str, is_forged: bool) -> None:
    rules = Rules.parse(f"{board}/positional")
    every, rng, contradicted = list(secrets(rules)), np.random.default_rng(len(board) + is_forged), 0
    for _ in range(25):
        secret, domains, left = random_secret(rules, rng), Domains(rules), every
        turns = []
        for turn in range(4):
            guess = random_guess(rules, rng)
            marks = score(guess, secret, rules)
            assert isinstance(marks, Marks)
            if is_forged and turn == 2:
                drawn = Marks(rng.integers(3, size=rules.pegs).tolist())
                marks = marks if rules.feedback.about.fault(drawn, rules) else drawn
            turns.append((guess, marks))
            left = [code for code in left if score(guess, code, rules) == marks]
            domains.take(guess, marks)

            assert left == inside(domains, every)
            assert bool(left) == is_possible(rules, turns)

            code = domains.fitting(rng.random(domains.allowed.shape))
            assert (code is None and not left) or (code is not None and tuple(code.tolist()) in left)

            tight = domains.reordered(np.arange(rules.pegs))
            assert tight.tighten() or not left
            assert left == inside(tight, every)
        contradicted += not left

    assert is_forged == (contradicted > 0) or rules.secret_count == 1


def test_a_secret_that_a_turn_excludes_is_outside() -> None:
    rules = Rules.parse("5x4/positional")
    domains = Domains.of(rules, [((0, 0, 1, 2, 3), Marks((2, 1, 0, 1, 0)))])

    assert inside(domains, [(0, 2, 0, 0, 2)]) == [(0, 2, 0, 0, 2)]
    assert not inside(domains, [(0, 0, 2, 2, 2), (0, 2, 0, 1, 2), (1, 0, 0, 0, 2), (0, 2, 2, 2, 2)])


@pytest.mark.parametrize("marks", [(0, 1, 0), (2, 0, 1)])
def test_whites_that_are_not_the_first_of_their_color_cannot_be(marks: tuple[int, ...]) -> None:
    rules = Rules.parse("3x3/positional")
    domains = Domains.of(rules, [((0, 0, 0), Marks(marks))])

    assert domains.broken
    assert domains.fitting() is None


def test_a_mark_of_a_blank_that_no_secret_has_cannot_be() -> None:
    rules = Rules.parse("3x3/blanks/positional")

    assert Domains.of(rules, [((3, 0, 1), Marks((1, 0, 0)))]).broken
    assert not Domains.of(rules, [((3, 0, 1), Marks((0, 2, 0)))]).broken


@pytest.mark.parametrize("board", ["5x4", "4x6/no-repeats", "4x3/blanks-in-secrets"])
def test_codes_are_drawn_evenly(board: str) -> None:
    rules, drawn = Rules.parse(f"{board}/positional"), 4000
    rng = np.random.default_rng(2)
    every, left, domains = list(secrets(rules)), list[Code](), Domains.of(rules, [])
    while not 5 < len(left) < 60:
        guess, secret = random_guess(rules, rng), random_secret(rules, rng)
        domains = Domains.of(rules, [(guess, score(guess, secret, rules))])
        left = inside(domains, every)
    rows = domains.drawn(drawn, rng)
    assert rows is not None
    found = Counter(map(tuple, rows.tolist()))
    expected = drawn / len(left)
    chi = sum((found[code] - expected) ** 2 / expected for code in left)

    assert set(left) >= set(found)
    assert chi < len(left) - 1 + 4 * (2 * (len(left) - 1)) ** 0.5


def played(rules: Rules, turns: int, seed: int) -> tuple[list[tuple[Code, Marks]], Code]:
    """Return turns of codes that fit those before, and the secret."""
    rng = np.random.default_rng(seed)
    secret, domains, rows = random_secret(rules, rng), Domains(rules), []
    for _ in range(turns):
        found = domains.fitting(rng.random(domains.allowed.shape))
        assert found is not None
        guess = tuple(found.tolist())
        marks = score(guess, secret, rules)
        assert isinstance(marks, Marks)
        rows.append((guess, marks))
        domains.take(guess, marks)
    return rows, secret


@pytest.mark.parametrize("board", ["20x20", "40x12", "100x100", "30x40/no-repeats"])
def test_a_forged_answer_is_found_out_with_the_turns_that_contradict_it(board: str) -> None:
    rules = Rules.parse(f"{board}/positional")
    turns, _ = played(rules, 5, 1)
    assert is_possible(rules, turns)

    # A peg that a later guess was told to be wrong is said to be right.
    (guess, marks), (later, _) = turns[1], turns[3]
    peg = next(peg for peg in range(rules.pegs) if guess[peg] != later[peg] and turns[3][1][peg] == 2)
    forged = [*marks]
    forged[peg] = 2
    turns[1] = guess, Marks(forged)
    conflict = minimal_conflict(rules, turns)

    assert not is_possible(rules, turns)
    assert 1 in conflict
    assert not is_possible(rules, [turns[index] for index in conflict])
    assert all(is_possible(rules, [turns[index] for index in conflict if index != left]) for left in conflict)
    with pytest.raises(ContradictionError, match="turn 2"):
        Position(rules, turns).check_consistent()


def test_codes_of_large_boards_are_found_without_a_solver() -> None:
    rules = Rules.parse("20x20/positional")
    turns, _ = played(rules, 3, 2)
    found = find_candidates(rules, turns, limit=50, seed=1, effort=0)

    assert (found.method, found.complete) == ("chains", False)
    assert len(found.codes) == 50
    assert len(found.codes.consistent(turns)) == 50
    assert list(found.codes) == list(find_candidates(rules, turns, limit=50, seed=1, effort=0).codes)

    turns.append((turns[0][0], Marks((2,) * 20)))
    with pytest.raises(ContradictionError):
        find_candidates(rules, turns, limit=50, seed=1, effort=0)


def test_boards_out_of_proportion_are_refused() -> None:
    with pytest.raises(TooLargeError, match="10,000,000 are the limit"):
        Domains(Rules.parse("4000x4000/positional"))

    assert MOST_CELLS == Domains(Rules.parse("10x999999/positional")).allowed.size + 10
