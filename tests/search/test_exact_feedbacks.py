"""Exact play under every feedback, on boards and word lists, held to a slow solver that knows the rules alone.

Cases are drawn by a seed: rules, turns that lead to a few codes, and what is asked of the search. Each value is held to
that of trying everything, and each strategy is played through by code of the tests. Laws hold on larger boards.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from entropeg.search.proving.opening_totals import opening_totals
from entropeg.tree.optimum import optimal
from naive_tables import NEVER, SCORES, Code, positional, spelled
from table_cases import (
    ASKED,
    LETTERS,
    LIMITS,
    Board,
    Case,
    advised,
    check,
    drawn,
    held,
    played,
    totals_held,
    weighed,
    word_board,
)

# Boards, each with the most codes that the slow solver tells in some hundredths of a second.
BOARDS = {
    "2x5/positional": 25, "3x3/positional": 27, "3x4/positional": 30, "3x5/positional": 18, "2x6/positional": 20,
    "4x3/positional": 20, "3x4/no-repeats/positional": 24, "3x3/no-repeats/guess-repeats/positional": 6,
    "3x3/blanks/positional": 16, "2x4/blanks-in-secrets/positional": 20, "4x2/positional": 16,
    "2x5/membership": 16, "3x3/membership": 18, "3x4/membership": 14, "4x2/membership": 16, "4x3/membership": 12,
    "2x4/blanks/membership": 14, "2x4/blanks-in-secrets/membership": 14, "3x4/no-repeats/membership": 18,
    "2x4/shapes=2": 16, "2x6/shapes=2": 14, "2x6/shapes=3": 14, "3x4/shapes=2": 14, "2x4/no-repeats/shapes=2": 12,
    "3x2/shapes=2": 8, "3x4/blanks": 12, "2x4/blanks/black": 10, "3x3/blanks-in-secrets": 12,
}  # fmt: skip
WHOLE = [
    "2x2/positional", "2x5/positional", "3x3/positional", "4x2/positional", "2x4/blanks/positional",
    "4x4/no-repeats/positional", "2x2/membership", "2x4/membership", "3x3/membership", "4x2/membership",
    "2x3/blanks-in-secrets/membership", "2x4/shapes=2", "3x2/shapes=1", "2x4/shapes=4", "2x3/blanks-in-secrets",
]  # fmt: skip
LARGE = ["3x4/positional", "4x3/positional", "3x4/shapes=2"]  # of more than 60 codes: sets that large are bounded apart
DRAWS = 16


@pytest.mark.parametrize("rules", BOARDS)
def test_positions_of_boards_take_what_trying_everything_says(rules: str) -> None:
    board, rng = Board.of(rules), Random(rules)
    for limit, consistent, weights in rng.sample(ASKED, DRAWS):
        case = weighed(drawn(board, rng, rng.randint(6, BOARDS[rules])), rng, weights)
        held(case, rng, limit, consistent=consistent)


@pytest.mark.parametrize("rules", WHOLE)
def test_games_from_the_start_take_what_trying_everything_says(rules: str) -> None:
    board, rng = Board.of(rules), Random(rules)
    for limit in LIMITS:
        held(Case(board), rng, limit, consistent=False)
        held(Case(board), rng, limit, consistent=True)
    held(weighed(Case(board), rng, "first color"), rng, "", consistent=False)
    held(weighed(Case(board), rng, "whole"), rng, "worst", consistent=False)


@pytest.mark.parametrize("rules", LARGE)
def test_larger_games_from_the_start_take_what_trying_everything_says(rules: str) -> None:
    case, rng = Case(Board.of(rules)), Random(rules)
    held(weighed(case, rng, "first color"), rng, "", consistent=False)
    held(case, rng, "worst", consistent=True)


FEWEST = ["3x4/positional", "4x2/positional", "2x5/membership", "3x3/membership", "2x6/shapes=2", "3x4/blanks"]


@pytest.mark.parametrize("rules", FEWEST)
def test_the_fewest_secrets_at_the_worst_case_are_those_of_trying_everything(rules: str) -> None:
    board, rng = Board.of(rules), Random(rules)
    for _ in range(6):
        case = drawn(board, rng, 12)
        total, worst, number = case.solver().fewest_at_worst()
        found = optimal(case.position, fewest_at_worst=True)

        check(found, case, total, worst, consistent=False)
        assert (worst, number) == (found.worst, found.at_worst), case


# ------------------------------------------------------------------ words


@pytest.mark.parametrize("kind", SCORES)
def test_words_take_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    rng = Random(kind)
    for limit, consistent, weights in rng.sample(ASKED * 2, 3 * DRAWS if kind == "positional" else DRAWS):
        board = word_board(tmp_path, rng, kind)
        most = {"positional": 30, "black": 10}.get(kind, 16)
        held(weighed(drawn(board, rng, most), rng, weights), rng, limit, consistent=consistent)


@pytest.mark.parametrize("draw", range(3))
def test_longer_lists_take_what_trying_everything_says(draw: int, tmp_path: Path) -> None:
    rng = Random(draw)
    case = Case(word_board(tmp_path, rng, "positional", least=70, most=90))
    held(weighed(case, rng, ("", "whole", "")[draw]), rng, ("", "", "worst")[draw], consistent=False)


def test_words_in_which_nothing_can_be_told_but_by_guessing_them(tmp_path: Path) -> None:
    """Words of one letter each in common with no other, and words that differ at one place alone."""
    for name, words in {"apart": ["aab", "ccd", "eef", "ggh"], "alike": ["aaa", "aab", "aac", "aad", "aae"]}.items():
        path = tmp_path / name
        path.write_text("\n".join(words), encoding="utf-8")
        letters = "".join(sorted({*"".join(words)}))
        codes = spelled(words, letters)
        board = Board(f"words:{path}/positional", codes, codes, "positional", positional, letters)
        for limit in LIMITS:
            held(Case(board), Random(1), limit, consistent=False)


# ------------------------------------------------------------------ priors


@pytest.mark.parametrize("kind", ["words", "3x3/positional", "2x5/membership", "2x4/shapes=2"])
def test_under_a_prior_the_expected_number_is_the_least(kind: str, tmp_path: Path) -> None:
    rng = Random(kind)
    for limit in ("", "", "worst", ""):
        board = word_board(tmp_path, rng, "positional") if kind == "words" else Board.of(kind)
        case = weighed(drawn(board, rng, 14), rng, "whole")
        lines = [f"{board.spell(code)} {weight}" for code, weight in case.weights.items()]
        (tmp_path / "prior").write_text("\n".join(lines), encoding="utf-8")
        case = Case(board, case.turns, case.weights, f"{board.rules}/prior={tmp_path / 'prior'}")
        solver = case.solver()
        worst, total = solver.least_worst() if limit else (NEVER, solver.total())

        found = optimal(case.position, worst=bool(limit), threads=1)
        expected = Fraction(int(total), sum(solver.weights))

        assert found.is_exact, case
        assert float(expected) == pytest.approx(found.expected, rel=1e-12), case
        assert found.root is not None
        taken = played(found.root, case, consistent=False)
        assert total == sum(taken[code] * case.weights[code] for code in taken), case
        assert max(taken.values()) <= worst, case


def test_the_formula_distinct_weighs_codes_by_their_repeats() -> None:
    for rules in ("3x3/positional", "3x3/membership", "2x4/shapes=2"):
        board = Board.of(rules)
        weights = {code: 2 ** len({*code}) for code in board.secrets}
        found = optimal(f"{rules}/prior=distinct", threads=1)

        total = Case(board, weights=weights).solver().total()
        assert total / sum(weights.values()) == pytest.approx(found.expected, rel=1e-12), rules


# ------------------------------------------------------------------ what each guess takes


@pytest.mark.parametrize("kind", ["words", "3x4/positional", "3x3/membership", "2x6/shapes=2", "3x3/blanks/positional"])
def test_advice_gives_every_guess_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    rng = Random(kind)
    for draw in range(6):
        board = word_board(tmp_path, rng, "positional") if kind == "words" else Board.of(kind)
        case = drawn(board, rng, 12)
        if len(case.left) > 2:
            advised(case, rng, limited=draw % 3 == 1)


@pytest.mark.parametrize(
    "kind", ["words", "3x3/positional", "2x5/positional", "3x3/membership", "2x4/shapes=2", "2x4/blanks/membership"]
)
def test_openings_take_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    rng = Random(kind)
    for threads in (1, 2):
        board = word_board(tmp_path, rng, "positional") if kind == "words" else Board.of(kind)
        totals_held(Case(board), opening_totals(board.rules, threads=threads))


# ------------------------------------------------------------------ laws, on boards beyond the slow solver


def renamed(board: Board, rng: Random) -> Callable[[Code], Code]:
    """A way to rename the colors and permute the pegs that changes nothing of the game.

    Of pairs their colors are renamed and their shapes, and where there are as many of both, they change places; pegs
    stay, since it goes by place which copy of a pair has the white, and which may have a blue.
    """
    pegs, colors = list(range(board.pegs)), list(range(max(map(max, board.secrets)) + 1))
    if board.kind == "grand":
        shapes = int(board.rules.partition("shapes=")[2])
        parts = [divmod(pair, shapes) for pair in colors]
        if shapes * shapes == len(colors):
            parts = [(shape, color) for color, shape in parts]
        new = rng.sample(range(len(colors) // shapes), len(colors) // shapes), rng.sample(range(shapes), shapes)
        names = [new[0][color] * shapes + new[1][shape] for color, shape in parts]
    else:
        rng.shuffle(pegs)
        names = rng.sample(colors, len(colors))
    names.append(len(colors))  # the hole of guesses is one
    return lambda code: tuple(names[code[peg]] for peg in pegs)


@pytest.mark.parametrize(
    "rules",
    ["4x5/positional", "3x8/positional", "4x4/membership", "3x9/shapes=3", "4x4/blanks/positional", "3x7/membership"],
)
def test_names_of_colors_and_order_of_pegs_change_no_value(rules: str) -> None:
    board, rng = Board.of(rules), Random(rules)
    for weights in ("", "first color"):
        change, secret = renamed(board, rng), rng.choice(board.secrets)
        while len({*secret}) < board.pegs - 1:
            secret = rng.choice(board.secrets)
        asked = [guess for guess in rng.sample(board.guesses, 9) if guess != secret][:1]
        case = weighed(Case(board, [(guess, board.score(guess, secret)) for guess in asked]), rng, weights)
        turns = [(change(guess), board.score(change(guess), change(secret))) for guess in asked]
        other = Case(board, turns, {change(code): weight for code, weight in case.weights.items()})
        assert sorted(map(change, case.left)) == other.left

        first, second = (optimal(one.position, weights=one.weights or None, threads=2) for one in (case, other))
        assert first.is_exact, case
        assert first.value == second.value, (case, other)


@pytest.mark.parametrize("kind", ["positional", "membership", "standard"])
def test_a_list_of_all_codes_is_the_board(kind: str, tmp_path: Path) -> None:
    asked: list[dict[str, Any]] = [{}, {"worst": True}, {"consistent_only": True}]
    for pegs, colors in ((3, 4), (2, 7), (4, 3), (5, 2)):
        words = ["".join(word) for word in product(LETTERS[:colors], repeat=pegs)]
        (tmp_path / "all").write_text("\n".join(words), encoding="utf-8")
        for options in asked:
            board = optimal(f"{pegs}x{colors}/{kind}", threads=1, **options)
            listed = optimal(f"words:{tmp_path / 'all'}/{kind}", threads=1, **options)

            assert board.is_exact, (pegs, colors)
            assert (board.value, board.worst_value) == (listed.value, listed.worst_value), (pegs, colors, options)


def test_more_that_may_be_guessed_never_costs_more_and_less_never_costs_less(tmp_path: Path) -> None:
    rng = Random("more")
    every = ["".join(word) for word in product("abcde", repeat=4)]
    for kind in ("positional", "membership", "standard", "positional"):
        chosen = rng.sample(every, 300)
        totals = []
        (tmp_path / "words").write_text("\n".join(chosen[:90]), encoding="utf-8")
        for probes in (0, 20, 200):
            (tmp_path / "probes").write_text("\n".join(chosen[90 : 90 + probes]), encoding="utf-8")
            options = f"/probes={tmp_path / 'probes'}" if probes else ""
            found = optimal(f"words:{tmp_path / 'words'}/{kind}{options}", threads=2)
            assert found.is_exact
            totals.append(found.value.lower)
            less = optimal(f"words:{tmp_path / 'words'}/{kind}{options}", consistent_only=True)
            assert less.value.lower >= totals[-1]
        free = optimal(f"words:{tmp_path / 'words'}/{kind}/free-guesses", threads=2)
        assert sorted([*totals, free.value.lower], reverse=True) == [*totals, free.value.lower], kind


def test_answers_that_say_more_never_cost_more() -> None:
    """Marks by place determine the standard answer and that of members, and each of these the blacks."""
    for size in ("3x4", "3x5", "4x3", "2x7", "3x4/blanks", "3x5/no-repeats"):
        totals = {kind: optimal(f"{size}/{kind}").value.lower for kind in SCORES}

        assert totals["positional"] <= min(totals["standard"], totals["membership"]), size
        assert max(totals["standard"], totals["membership"]) <= totals["black"], size
    for size in ("2x6", "3x4"):
        assert optimal(f"{size}/shapes=2").value.lower <= optimal(size).value.lower, size
