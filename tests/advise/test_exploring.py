"""The explorer against trying everything with a scorer of its own, against the search and the tables, and at edges."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from math import inf

import numpy as np
import pytest

from entropeg.advise import advise, explore, exploring
from entropeg.advise.exploring import Exploration, Provenance, explore_command
from entropeg.codes import CodeSet, score, secrets
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import format_feedback
from entropeg.kernels import switch
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search import values as searched
from entropeg.search.values import PositionValues
from entropeg.symmetry import kind_sizes
from entropeg.table import open_table
from rooms import cases

Code = tuple[int, ...]
LONG = 600.0
"""Seconds that no small position takes, on any machine."""


def standard(guess: Code, secret: Code) -> tuple[int, ...]:
    black = sum(one == other for one, other in zip(guess, secret, strict=True))
    return black, sum(min(guess.count(color), secret.count(color)) for color in set(guess)) - black


def black(guess: Code, secret: Code) -> tuple[int, ...]:
    return standard(guess, secret)[:1]


def by_place(guess: Code, secret: Code) -> tuple[int, ...]:
    marks = [2 * (one == other) for one, other in zip(guess, secret, strict=True)]
    free = Counter(color for color, mark in zip(secret, marks, strict=True) if not mark)
    for peg, color in enumerate(guess):
        if not marks[peg] and free[color]:
            marks[peg], free[color] = 1, free[color] - 1
    return tuple(marks)


BOARDS: dict[str, tuple[Callable[[Code, Code], tuple[int, ...]], list[Code]]] = {
    "3x3": (standard, list(product(range(3), repeat=3))),
    "2x6": (standard, list(product(range(6), repeat=2))),
    "3x4": (standard, list(product(range(4), repeat=3))),
    "3x5/no-repeats": (standard, list(permutations(range(5), 3))),
    "3x4/black": (black, list(product(range(4), repeat=3))),
    "3x3/positional": (by_place, list(product(range(3), repeat=3))),
}


class Plain:
    """Totals and worst cases of sets of codes, by trying every guess at each."""

    def __init__(self, board: str) -> None:
        self.score, self.codes = BOARDS[board]
        self.least, self.worst = cache(self._least), cache(self._worst)

    def parts(self, codes: frozenset[Code], guess: Code) -> dict[tuple[int, ...], frozenset[Code]]:
        found: dict[tuple[int, ...], set[Code]] = {}
        for code in codes:
            found.setdefault(self.score(guess, code), set()).add(code)
        return {label: frozenset(part) for label, part in found.items()}

    def open_parts(self, codes: frozenset[Code], guess: Code) -> list[frozenset[Code]]:
        return [part for part in self.parts(codes, guess).values() if part != {guess}]

    def after(self, codes: frozenset[Code], guess: Code) -> float:
        parts = self.open_parts(codes, guess)
        if codes in parts:  # nothing is told: the same set again, one guess later
            return len(codes) + self.least(codes)
        return len(codes) + sum(map(self.least, parts))

    def worst_after(self, codes: frozenset[Code], guess: Code) -> int:
        return 1 + max(map(self.worst, self.open_parts(codes, guess)), default=0)

    def useful(self, codes: frozenset[Code]) -> list[Code]:
        return [guess for guess in self.codes if codes not in self.open_parts(codes, guess)]

    def _least(self, codes: frozenset[Code]) -> float:
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        return min(
            (len(codes) + sum(map(self.least, self.open_parts(codes, g))) for g in self.useful(codes)), default=inf
        )

    def _worst(self, codes: frozenset[Code]) -> int:
        if len(codes) <= 2:
            return len(codes)
        return min(self.worst_after(codes, guess) for guess in self.useful(codes))


def drawn(board: str, number: int, most: int, seed: int = 7) -> list[tuple[Position, frozenset[Code]]]:
    """Positions of some codes with these, which a scorer of this file filtered."""
    plain, codes = Plain(board), BOARDS[board][1]
    rng, found = np.random.default_rng(seed), list[tuple[Position, frozenset[Code]]]()
    while len(found) < number:
        secret, position, left = codes[rng.integers(len(codes))], Position(board), list(codes)
        while len(left) > most or (len(left) > 1 and rng.random() < 0.5):
            guess = codes[rng.integers(len(codes))]
            position = position.after(guess, score(guess, secret, board))
            left = [code for code in left if plain.score(guess, code) == plain.score(guess, secret)]
        if not position.is_over:
            found.append((position, frozenset(left)))
    return found


def check(view: Exploration, plain: Plain, codes: frozenset[Code]) -> None:
    """Every number is that of trying everything, and the classes are all guesses, each once."""
    n = len(codes)
    assert view.remaining.count == n
    assert view.value is not None
    assert view.value.fraction == Fraction(int(plain.least(codes)), n)
    assert view.worst == plain.worst(codes)
    every, told = Counter[object](), Counter[object]()
    for guess in plain.codes:
        every[_facts(plain, codes, guess)] += 1
    for move in view.moves:
        facts = _facts(plain, codes, move.guess)
        assert move.mean.fraction == Fraction(facts[0], n)
        assert facts[1:3] == (move.worst, move.is_candidate)
        assert move.parts == len(plain.parts(codes, move.guess))
        assert move.loss.fraction == Fraction(facts[0], n) - view.value.fraction
        told[facts] += move.alike
    assert told == every
    assert view.others == 0
    means = [move.mean.value for move in view.moves]
    assert means == sorted(means)
    assert view.moves[0].loss.fraction == 0
    assert all(0 <= move.loss.value <= 1 for move in view.moves)


def _facts(plain: Plain, codes: frozenset[Code], guess: Code) -> tuple[int, int, bool, tuple[int, ...]]:
    sizes = tuple(sorted(map(len, plain.parts(codes, guess).values())))
    return int(plain.after(codes, guess)), plain.worst_after(codes, guess), guess in codes, sizes


@pytest.mark.parametrize("board", BOARDS)
def test_all_guesses_are_as_by_trying_everything(board: str) -> None:
    plain = Plain(board)
    for position, codes in drawn(board, cases(4, 40), 14):
        view = explore(position, time=LONG)
        check(view, plain, codes)
        chosen = view.moves[len(view.moves) // 2].guess
        view = explore(position, chosen, time=LONG)
        assert view.chosen is not None
        assert view.chosen.guess == chosen
        parts = plain.parts(codes, chosen)
        assert sorted(answer.codes for answer in view.answers) == sorted(map(len, parts.values()))
        for answer in view.answers:
            left = frozenset(position.after(chosen, answer.feedback).candidates)
            assert left in parts.values()
            assert answer.chance == pytest.approx(len(left) / len(codes))
            is_won = left == {chosen} and answer is not None and position.after(chosen, answer.feedback).is_won
            total = 0 if is_won else int(plain.least(left))
            assert answer.mean is not None
            assert answer.luck is not None
            assert answer.mean.fraction == Fraction(total, len(left))
            assert answer.worst == (0 if is_won else plain.worst(left))
            assert answer.luck.fraction == view.chosen.mean.fraction - 1 - answer.mean.fraction  # type: ignore[operator]


def test_a_wrong_number_is_noticed() -> None:
    plain, (position, codes) = Plain("3x4"), drawn("3x4", 1, 14)[0]
    view = explore(position, time=LONG)
    best = view.moves[0]
    for wrong in (replace(best, alike=best.alike + 1), replace(best, worst=9), replace(best, parts=best.parts + 1)):
        with pytest.raises(AssertionError):
            check(replace(view, moves=(wrong, *view.moves[1:])), plain, codes)


def turns_of_4x6(turns: int, number: int, seed: int = 5) -> list[Position]:
    """Drawn positions of 4x6."""
    rng, codes, found = np.random.default_rng(seed), list(secrets("4x6")), list[Position]()
    for _ in range(number):
        position, secret = Position("4x6"), codes[rng.integers(len(codes))]
        for _ in range(turns):
            guess = codes[rng.integers(len(codes))]
            position = position.after(guess, score(guess, secret, "4x6"))
        found += [] if position.is_over else [position]
    return found


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_numbers_are_those_of_the_search_and_of_the_table(turns: int) -> None:
    table, rng = open_table("4x6"), np.random.default_rng(turns)
    for position in turns_of_4x6(turns, cases(3, 30)):
        view, values = explore(position, time=LONG), PositionValues.of(position)
        stored = table.value(position.candidates)
        assert view.source is (Provenance.searched if stored is None else Provenance.table)
        with values.opened():
            assert view.value is not None
            assert view.value.fraction == Fraction(values.value().lower, values.mass)
            for _ in range(5):
                move = view.moves[int(rng.integers(len(view.moves)))]
                assert move.mean.fraction == Fraction(values.after(move.guess).lower, values.mass)
        assert sum(move.alike for move in view.moves) == 1296
        if stored is not None:
            assert view.worst == stored.worst == min(move.worst or 0 for move in view.moves)
        assert advise(position, limit=1, time=LONG).best.expected == view.moves[0].mean


def test_losses_and_luck_of_a_walk_add_up_to_the_guesses_played() -> None:
    rng, secret = np.random.default_rng(2), (3, 1, 4, 1)
    position, total, played = Position("4x6"), Fraction(0), 0
    start = explore(position, time=LONG).value
    while not position.is_won:
        view = explore(position, time=LONG)
        guess = secret if played == 5 else view.moves[int(rng.integers(min(20, len(view.moves))))].guess
        view = explore(position, guess, time=LONG)
        feedback = score(guess, secret, "4x6")
        answer = next(each for each in view.answers if each.feedback == feedback)
        assert view.chosen is not None
        assert answer.luck is not None
        total += (view.chosen.loss.fraction or 0) - (answer.luck.fraction or 0)
        position, played = position.after(guess, feedback), played + 1
        assert explore(position, time=LONG).value == answer.mean
    assert start is not None
    assert start.fraction is not None
    assert start.fraction + total == played


# ---------------------------------------------------------------------- edges


def test_the_best_guesses_alone_are_told_with_their_own_kinds() -> None:
    position = Position("5x8", ["AABBC XO"])
    view = explore(position, "HHGGF", time=0.2)

    assert view.others > 0
    assert [kind_sizes(position, CodeSet.of([move.guess], "5x8"))[0] for move in view.moves] == [
        move.alike for move in view.moves
    ]
    assert len({move.alike for move in view.moves}) > 1


def test_one_code_left_is_the_best_guess_and_every_other_loses_one() -> None:
    position, secret = Position("4x6"), (2, 0, 5, 1)
    while len(position.candidates) > 1:
        guess = next(code for code in position.candidates if code != secret)
        position = position.after(guess, score(guess, secret, "4x6"))
    view = explore(position, time=LONG)
    assert view.moves[0].guess == view.remaining.codes[0] == secret
    assert {move.loss.value for move in view.moves[1:]} == {1.0}
    assert [(each.codes, each.worst) for each in view.answers] == [(1, 0)]


def test_of_two_codes_either_may_be_guessed_first() -> None:
    view = explore(Position("4x6", ["AAAB XXX", "AAAC XXX", "AAAD XXX", "AAAE XXX"]), time=LONG)
    assert view.remaining.count == 2
    found = {(each.is_candidate, int(2 * each.mean.value), each.worst) for each in view.moves}
    assert found == {(True, 3, 2), (False, 4, 2), (False, 5, 3)}


def test_a_game_that_is_over_has_no_moves() -> None:
    won = explore(Position("4x6", ["AABB XO", "ABCC XXXX"]))
    lost = explore(Position("4x6/limit=1", ["AABB XO"]))
    assert (won.state, won.worst, won.moves, won.chosen) == ("won", 0, (), None)
    assert won.value is not None
    assert won.value.value == 0
    assert (lost.state, lost.value, lost.moves, lost.remaining.count) == ("lost", None, (), 208)
    assert explore(Position("1000x1000", [(tuple(range(1000)), (1000, 0))])).remaining.count == 1


@pytest.mark.parametrize("turns", [["AABB XO", "AABB X"], ["AABB XO", "CCCC XXXX"]])
def test_turns_that_cannot_be_are_told(turns: list[str]) -> None:
    with pytest.raises(ContradictionError):
        explore(Position("4x6", turns))


def test_what_cannot_be_guessed_is_refused() -> None:
    for guess in ("AAB", "AABZ", (0, 0, 0, 9)):
        with pytest.raises(InputError):
            explore("4x6", guess)
    with pytest.raises(InputError):
        explore("4x6", limit=0)
    with pytest.raises(InputError):
        explore("3x4/hard", "AAA", time=-1)


def test_a_limit_of_guesses_is_kept_where_it_can_be() -> None:
    turns = ["AABB XO", "ACDE XO"]
    free, tight, short = (explore(Position(f"4x6{limit}", turns), time=LONG) for limit in ("", "/limit=5", "/limit=3"))
    assert free.value == tight.value
    assert free.worst == tight.worst == 3
    assert (free.source, tight.source) == (Provenance.table, Provenance.searched)
    assert (tight.keeps_limit, short.keeps_limit) == (True, False)
    assert short.value == free.value  # without regard to a limit that nothing keeps
    assert any(move.mean.value == inf for move in tight.moves)


def least_worst(position: Position, guess: Code) -> int:
    """The fewest guesses in which every code is found with this guess first, by the search within a limit."""
    limit = 0
    while True:
        limit += 1
        values = PositionValues(position.candidates, position.turns, limit)
        with values.opened():
            if values.after(guess).lower < values.infinite:
                return limit


@pytest.mark.parametrize(
    "board", ["3x4/hard", "3x4/prior=distinct", "words:english/pegs=4", "3x3/blanks", "3x4/membership"]
)
def test_other_rules_are_searched_too(board: str) -> None:
    rules = Rules.parse(board)
    position = Position(rules)
    guess, secret = position.candidates[1], position.candidates[len(position.candidates) // 2]
    position = position.after(guess, score(guess, secret, rules))
    view, values = explore(position, time=LONG), PositionValues.of(position)
    assert view.source is Provenance.searched
    assert sum(move.alike for move in view.moves) + view.others == len(position.legal_guesses)
    with values.opened():
        for move in view.moves[:: max(1, len(view.moves) // 20)]:
            assert move.mean.value == pytest.approx(values.after(move.guess).lower / values.mass)
    for move in view.moves[:: len(view.moves) // 6 + 1]:
        assert move.worst == least_worst(position, move.guess)
    assert 1 + sum(each.chance * each.mean.value for each in view.answers if each.mean) == pytest.approx(
        view.moves[0].mean.value
    )


@pytest.mark.parametrize(("board", "turns"), [("4x6", ["AABC O"]), ("bulls-and-cows", ["0123 XO"])])
def test_moves_are_the_same_with_a_table_and_without(
    board: str, turns: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_table = explore(Position(board, turns), time=LONG)
    for module in (searched, exploring):
        monkeypatch.setattr(module, "table_of", lambda _: None)
    by_search = explore(Position(board, turns), time=LONG)
    assert (by_table.source, by_search.source) == (Provenance.table, Provenance.searched)
    assert by_table.moves == by_search.moves


def test_without_a_compiler_the_best_guesses_are_told() -> None:
    plain, (position, codes) = Plain("3x4"), drawn("3x4", 1, 14)[0]
    before = switch.use("no")
    try:
        view = explore(position, time=LONG)
    finally:
        switch.use(before)
    assert view.value is not None
    assert view.value.fraction == Fraction(int(plain.least(codes)), len(codes))
    assert view.others + sum(move.alike for move in view.moves) == 64
    assert [move.loss.fraction for move in view.moves[:1]] == [0]
    assert all(answer.mean is not None for answer in view.answers)


def test_boards_that_nobody_lists_are_estimated() -> None:
    view = explore("20x20", time=0.2)
    assert view.source is Provenance.estimated
    assert view.worst is None
    assert view.others > 10**20
    assert view.to_json()["left"]["sample"]


def test_what_is_told_as_plain_data() -> None:
    view = explore(Position("4x6", ["AABB XO"]), "AABB", limit=2)
    told = view.to_json()
    assert told["turns"] == [["AABB", "XO"]]
    assert (told["value"]["fraction"], told["worst"], told["source"]) == ("359/104", 4, "table")
    assert told["moves"][0] | {"mean": 0, "loss": 0} == {
        "guess": "ACAD", "alike": 96, "mean": 0, "loss": 0, "worst": 4, "candidate": True, "parts": 14,
    }  # fmt: skip
    assert sum(move["alike"] for move in told["moves"]) + told["others"] == 1296
    assert told["chosen"]["loss"]["fraction"] == "1"
    assert told["answers"] == [{
        "feedback": "XO", "codes": 208, "chance": 1.0, "mean": told["value"], "worst": 4,
        "luck": {"sign": "=", "value": 0.0, "error": 0.0, "fraction": "0"},
    }]  # fmt: skip
    assert format_feedback(view.answers[0].feedback) == "XO"
    assert view._repr_html_().count("<svg") == 3
    assert explore(Position("4x6", ["AABB XXXX"]))._repr_html_().count("<svg") == 1


def test_a_command_leads_back() -> None:
    position = Position("4x6", ["AABB XO", "CCDD -"])
    assert explore_command(position) == 'entropeg explore 4x6 "AABB XO" "CCDD -"'
    assert explore_command(Position("2x3/alphabet=$!x", [("$!", "X")])) == "entropeg explore '2x3/alphabet=$!x' '$! X'"
