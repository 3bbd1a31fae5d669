"""Exact play where every guess must use every clue, on drawn words and boards, held to the slow solver of tables."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from entropeg.search.proving.opening_totals import opening_totals
from entropeg.tree.optimum import optimal
from naive_tables import SCORES, spelled
from table_cases import ASKED, LETTERS, Board, Case, advised, drawn, held, totals_held, weighed, word_board

DRAWS = 10
BOARDS = ["3x4/positional", "3x5/positional", "2x6/positional"]


def rhymes(folder: Path, rng: Random) -> Board:
    """Words of which many differ at one place alone, where it costs most to be bound by clues, with others beside."""
    pegs = rng.randint(3, 5)
    stems = ["".join(rng.choices(LETTERS, k=pegs)) for _ in range(2)]
    alike = {stem[:place] + letter + stem[place + 1 :] for stem in stems for place in (0, 1) for letter in LETTERS}
    others = {"".join(rng.choices(LETTERS, k=pegs)) for _ in range(16)} - alike
    words = rng.sample(sorted(alike), 12) + sorted(others)[:4]
    files = {"rhymes": words, "others": sorted(others)[4:]}
    for name, listed in files.items():
        (folder / name).write_text("\n".join(listed), encoding="utf-8")
    known = "".join(sorted({*"".join(words), *"".join(files["others"])}))
    secrets, guesses = (sorted(spelled(listed, known)) for listed in (words, words + files["others"]))
    rules = f"words:{folder / 'rhymes'}/probes={folder / 'others'}/positional"
    return Board(rules, guesses, secrets, "positional", SCORES["positional"], known)


def hard(board: Board) -> Board:
    return replace(board, rules=f"{board.rules}/hard")


def costly(board: Board, rng: Random, most: int) -> Case:
    """A position where the clues cost something, if five draws hit one."""
    case = drawn(hard(board), rng, most)
    for _ in range(4):
        if case.solver().total() > Case(board, case.turns).solver().total():
            break
        case = drawn(hard(board), rng, most)
    return case


@pytest.mark.parametrize("kind", ["words", "rhymes", *BOARDS])
def test_hard_play_takes_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    rng = Random(f"{kind}, hard")
    for limit, consistent, weights in rng.sample(ASKED, DRAWS):
        if kind == "words":
            board = word_board(tmp_path, rng, "positional", most=20)
        else:
            board = rhymes(tmp_path, rng) if kind == "rhymes" else Board.of(kind)
        case = costly(board, rng, rng.randint(5, 14))
        held(weighed(case, rng, weights), rng, limit, consistent=consistent)


@pytest.mark.parametrize("kind", ["rhymes", "3x4/positional", "3x5/positional"])
def test_advice_in_hard_play_gives_every_guess_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    rng = Random(f"{kind}, hard advice")
    for _ in range(5):
        board = rhymes(tmp_path, rng) if kind == "rhymes" else Board.of(kind)
        case = costly(board, rng, 12)
        if len(case.left) > 2:
            advised(case, rng, limited=False)


@pytest.mark.parametrize("kind", ["rhymes", "3x3/positional", "2x5/positional"])
def test_openings_of_hard_play_take_what_trying_everything_says(kind: str, tmp_path: Path) -> None:
    board = hard(rhymes(tmp_path, Random(kind)) if kind == "rhymes" else Board.of(kind))
    totals_held(Case(board), opening_totals(board.rules, threads=2))


def test_hard_play_of_few_words_that_all_rhyme(tmp_path: Path) -> None:
    """Nothing but the words themselves may be guessed after the first, which says all but one letter."""
    words = [f"{letter}og" for letter in "bcdfhjl"]
    (tmp_path / "words").write_text("\n".join(words), encoding="utf-8")
    (tmp_path / "probes").write_text("bcd\nfhj\ncog\nhid", encoding="utf-8")
    letters = "".join(sorted({*"".join([*words, "bcd", "fhj", "hid"])}))
    guesses = sorted(spelled([*words, "bcd", "fhj", "hid"], letters))
    rules = f"words:{tmp_path / 'words'}/probes={tmp_path / 'probes'}/positional/hard"
    board = Board(rules, guesses, sorted(spelled(words, letters)), "positional", SCORES["positional"], letters)
    for limit in ("", "worst", "limit"):
        held(Case(board), Random(2), limit, consistent=False)


def test_hard_play_never_takes_fewer_guesses(tmp_path: Path) -> None:
    rng = Random("hard")
    words = rng.sample(["".join(word) for word in product("abcdef", repeat=4)], 120)
    (tmp_path / "words").write_text("\n".join(words), encoding="utf-8")
    asked: list[dict[str, Any]] = [{}, {"worst": True}]
    for rules in (f"words:{tmp_path / 'words'}/positional", "3x5/positional", "4x3/positional"):
        for options in asked:
            easy, bound = optimal(rules, **options), optimal(f"{rules}/hard", **options)

            assert bound.is_exact
            assert (easy.worst_value or easy.value).lower <= (bound.worst_value or bound.value).lower
