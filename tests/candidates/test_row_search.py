"""Codes that fit rows known in part, on boards that are not scanned: held against a scan of small boards."""

import random

import numpy as np
import pytest

from entropeg.advise import Notes, PartFeedback, Row, fitting, row_search
from entropeg.advise import notes as notes_module
from entropeg.advise.row_search import RowSearch
from entropeg.candidates import can_build, solver
from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Marks, score_trusted
from entropeg.rules import Rules
from rooms import cases

BOARDS = ["3x3", "4x3", "3x4/no-repeats", "3x4/no-repeats/guess-repeats", "3x3/black", "3x3/membership",
          "3x3/positional", "3x2/positional/blanks", "3x3/blanks", "3x3/blanks-in-secrets",
          "3x3/membership/blanks-in-secrets", "3x4/positional/no-repeats"]  # fmt: skip


def drawn(rules: Rules, rng: random.Random, *, known: bool = False) -> tuple[Row, ...]:
    """Rows of a game, some of another, with parts forgotten: of guesses too, unless they are `known`."""
    legal, hidden = guesses(rules), secrets(rules)
    secret, rows = hidden[rng.randrange(len(hidden))], []
    for _ in range(rng.randint(1, 4)):
        guess = legal[rng.randrange(len(legal))]
        code = hidden[rng.randrange(len(hidden))] if rng.random() < 0.3 else secret
        answer = score_trusted(guess, code, rules)
        hides = 0 if known else 0.25
        at_least = rng.random() < 0.3 and not isinstance(answer, Marks)
        told = tuple((n, None) if at_least else (0, None) if rng.random() < 0.3 else (n, n) for n in answer)
        rows.append(
            Row(tuple(None if rng.random() < hides else color for color in guess), PartFeedback.of(told, rules))
        )
    return tuple(rows)


def scanned(rules: Rules, rows: tuple[Row, ...]) -> CodeSet:
    """All codes that fit."""
    codes = secrets(rules)
    for row in rows:
        codes = fitting(codes, row)
    return codes


@pytest.mark.parametrize("board", BOARDS)
def test_the_constraint_solver_finds_a_code_for_rows_known_in_part_where_there_is_one(board: str) -> None:
    pytest.importorskip("ortools")
    rules, rng = Rules.parse(board), random.Random(board)
    for _ in range(30):
        rows = drawn(rules, rng, known=rules.feedback.about.answer is Marks)
        turns = [row.turn for row in rows if row.turn]
        opened = [(row.guess, row_search.ranges_of(row)) for row in rows if not row.turn and row.feedback]
        status, code, _ = solver.find_another(rules, turns, (), 1.0, open_turns=opened)
        codes = scanned(rules, rows)

        assert solver.can_solve(rules, len(turns), opened)
        assert (status, code is None) == (("found", False) if len(codes) else ("none", True))
        assert code is None or code in codes


@pytest.mark.parametrize("board", [*BOARDS, "4x5"])
def test_codes_are_all_or_some_of_those_that_a_scan_finds(board: str) -> None:
    rules, rng = Rules.parse(board), random.Random(f"{board} search")
    for _ in range(cases(5, 100)):
        rows, codes = drawn(rules, rng), None
        found = RowSearch(rules, 1).find(rows)
        codes = scanned(rules, rows)

        assert can_build(rules)
        assert set(found.codes) <= set(codes)
        if found.is_exact:
            assert list(codes) == list(found.codes)
        assert len(found.codes) or not found.is_decided or not len(codes)


@pytest.mark.parametrize("way", ["built", "chains", "solver"])
def test_every_way_of_a_search_gives_codes_that_fit(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way != "built":
        monkeypatch.setattr(row_search, "MOST_CELLS", 0)
    if way == "solver":
        pytest.importorskip("ortools")
        monkeypatch.setattr(row_search, "can_walk", lambda _: False)
        monkeypatch.setattr(row_search, "DRAWN", 1)
    rules, rng, ways = Rules.parse("4x4"), random.Random(3), set()
    for _ in range(15):
        rows = drawn(rules, rng)
        found, codes = RowSearch(rules, 1).find(rows), scanned(rules, rows)
        ways.add(found.way)

        assert set(found.codes) <= set(codes)
        assert not found.is_exact or len(codes) == len(found.codes)
    assert way in ways


def test_notes_of_vast_boards_tell_whether_they_are_contradictory(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    rules, rng, kinds = Rules.parse("4x4"), random.Random(5), set()
    for _ in range(25):
        notes = Notes(rules, drawn(rules, rng))
        expected = len(scanned(rules, notes.rows)) == 0
        with monkeypatch.context() as patch:
            patch.setattr(notes_module, "SCANNED", 0)
            kinds.add(expected)

            assert expected == notes.is_contradictory
    assert {True, False} == kinds


def test_codes_of_notes_are_found_on_any_board() -> None:
    for board, rows in [
        ("4x6", ["AA?B XO?"]),
        ("12x12", ["? XO", "ABCDEFGHIJKL 3 ?"]),
        ("20x20", ["ABCDEFGHIJKLMNOPQRST 3 4", "AABBCCDDEEFFGGHHIIJ? 2 ?", "KKKKKLLLLLMMMMMNNNNN XO?"]),
        ("8x26/positional", ["ABCDEFGH X?......"]),
    ]:
        notes = Notes.of(board, rows)
        found = notes.find(limit=50, seed=1)

        assert 0 < len(found.codes) <= 50
        assert list(found.codes) == list(Notes.of(board, rows).find(limit=50, seed=1).codes)
        asked = found.codes
        for row in notes.rows:
            if row.guess.count(None) < 3:
                asked = fitting(asked, row)
        assert len(asked) == len(found.codes)
        assert not notes.is_contradictory


def test_a_contradiction_of_a_vast_board_is_proved() -> None:
    notes = Notes.of("12x12", ["AAAAAAAAAAAA 3 0", "AAAAAABBBBBB 4 ?", "CCCCCCBBBBBB ? 0", "A?AAAAAAAAAA 5 ?"])

    assert notes.is_contradictory
    with pytest.raises(ContradictionError, match="fits all 4 rows: at least one is wrong"):
        notes.find(limit=10, seed=1)


def test_what_nothing_can_tell_is_refused_in_a_sentence() -> None:
    row = Row.of((None, *range(399)), PartFeedback(((200, 200), (100, 100))), "400x400")
    notes = Notes(Rules.parse("400x400"), (row,))

    with pytest.raises(TooLargeError, match="nothing is proved: it is too large for the constraint solver too"):
        _ = notes.is_contradictory
    found = notes.find(limit=5, seed=1)
    assert (0, False) == (len(found.codes), found.complete)
    with pytest.raises(InputError, match="the number of codes is 0"):
        notes.find(limit=0, seed=1)


def test_a_search_without_rows_draws_secrets() -> None:
    found = RowSearch(Rules.parse("20x20"), 1).find(())

    assert not found.is_exact
    assert len(found.codes) > 1000
    assert np.all(found.weight > 0)
