"""Kernels and NumPy: which of them works, and that nobody can tell by the results."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entropeg import CodeSet, Position, Rules, codebreakers, score
from entropeg.advise.question import NotedPosition
from entropeg.advise.ranking.searched import can_search
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import label_of
from entropeg.kernels import switch
from entropeg.kernels.onestep import plain
from entropeg.search.grow import grow
from entropeg.search.onestep.choosing import KEPT

pytestmark = pytest.mark.kernels


@pytest.fixture(autouse=True, scope="module")
def _as_before() -> Iterator[None]:
    before, worth = switch.mode(), plain.WORTH_REDUCING
    plain.WORTH_REDUCING = 0
    yield
    switch.use(before)
    plain.WORTH_REDUCING = worth


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> switch.Switch:
    """Two modules of which nothing is loaded, in a process that has done nothing."""
    monkeypatch.setattr(switch._Decided, "mode", "auto")
    monkeypatch.setattr(switch._Decided, "spent", 0)
    return switch.Switch("entropeg.kernels._code_kernels", "entropeg.kernels._plain_codes")


# ------------------------------------------------------------------ who works


def test_numpy_works_until_one_piece_of_work_is_large(fresh: switch.Switch) -> None:
    assert fresh(switch.MOST_PAIRS) is fresh.plain
    assert fresh(switch.MOST_PAIRS + 1) is fresh.compiled


def test_once_kernels_are_loaded_they_do_everything(fresh: switch.Switch) -> None:
    fresh(switch.MOST_PAIRS + 1)

    assert fresh(1) is fresh.compiled


def test_many_small_pieces_of_work_are_worth_kernels_in_the_end(fresh: switch.Switch) -> None:
    pieces = 0
    while fresh.is_plain(switch.MOST_PAIRS):
        pieces += 1

    assert switch.MOST_IN_ALL // (switch.MOST_PAIRS + switch.CALL) == pieces


@pytest.mark.parametrize(("wanted", "plain"), [("always", False), ("no", True)])
def test_it_can_be_decided_for_all_work(fresh: switch.Switch, wanted: str, plain: bool) -> None:
    switch.use(wanted)

    assert [plain, plain] == [fresh.is_plain(1), fresh.is_plain(10**12)]


def test_without_a_compiler_numpy_does_everything(fresh: switch.Switch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switch, "can_compile", lambda: False)

    assert fresh.is_plain(10**12)


def test_while_compiled_code_is_awaited_numpy_does_all_that_takes_seconds(fresh: switch.Switch) -> None:
    noted = NotedPosition.of(Position("5x8", ["AABBC XO"]), 0)
    fresh(switch.MOST_PAIRS + 1)
    with switch.awaiting():
        awaited = [fresh.is_plain(switch.MOST_AWAITED // 2) for _ in range(2)]

        assert not can_search(noted)
    assert [True, False] == awaited
    assert not fresh.is_plain(1)
    assert can_search(noted) == switch.can_compile()


@pytest.mark.parametrize("wanted", ["always", "no"])
def test_who_has_chosen_for_all_work_awaits_nothing(fresh: switch.Switch, wanted: str) -> None:
    switch.use(wanted)
    with switch.awaiting():
        assert (wanted == "no") == fresh.is_plain(1)
        assert switch.is_ready() == switch.can_compile()


def test_another_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="'sometimes'; it must be auto, always or no"):
        switch.use("sometimes")
    monkeypatch.setenv("ENTROPEG_KERNELS", "often")
    monkeypatch.setattr(switch._Decided, "mode", "")
    with pytest.raises(InputError, match="ENTROPEG_KERNELS is 'often'"):
        switch.mode()


# ------------------------------------------------------------------ the results


@pytest.mark.parametrize("board", ["20x65536/positional", "20x65535/positional", "20x65536/membership", "20x65536"])
def test_the_last_of_all_colors_that_planes_can_hold_is_scored_as_the_others(board: str) -> None:
    rules = Rules.parse(board)
    last = rules.colors - 1
    codes = CodeSet.of([(0, last) * 10, (0,) * 19 + (last,), range(20)], rules)
    found = []
    for way in ("no", "always"):
        switch.use(way)
        found.append([codes.score(guess).tolist() for guess in codes])

    expected = [[label_of(score(guess, code, rules), rules) for code in codes] for guess in codes]
    assert [expected, expected] == found


BOARDS = [
    "4x4",
    "5x3",
    "3x7",
    "2x20",
    "6x2",
    "4x6/no-repeats",
    "4x5/no-repeats/guess-repeats",
    "3x6/blanks",
    "3x5/blanks-in-secrets",
    "3x5/no-repeats/blanks",
    "4x4/black",
    "4x4/membership",
    "3x5/positional",
    "4x3/positional",
    "bulls-and-cows",
]

SPECS = [
    "minimax",
    "minimax:ties=first",
    "sorted-minimax:ties=knuth",
    "expected-size:win=yes",
    "entropy:ties=random,seed=5",
    "entropy:ties=candidate-random,seed=6",
    "entropy:win=yes,then=parts",
    "parts:then=sorted-minimax",
    "sorted-minimax:then=expected-size,guesses=candidates",
    "minimax:guesses=probes,probes=30,seed=7",
    "weighted-entropy",
    "by-turn:turns=entropy/parts:win=yes/minimax",
]


@pytest.mark.parametrize("board", [board for board in BOARDS if board != "bulls-and-cows"])
@settings(max_examples=10)
@given(st.sampled_from(SPECS), st.booleans())
def test_trees_are_the_same(board: str, spec: str, reduce: bool) -> None:
    plain.WORTH_REDUCING = 0 if reduce else 1 << 40
    rules, trees = Rules.parse(board), []
    for way in ("always", "no"):
        switch.use(way)
        trees.append([column.tolist() for column in grow(codebreakers.get(spec), rules)])

    assert trees[0] == trees[1]


def test_trees_by_weights_of_feedbacks_are_the_same() -> None:
    player, trees = codebreakers.get("weighted-entropy:weights=0b0w=0.8+1b0w=2"), []
    for way in ("always", "no"):
        switch.use(way)
        trees.append(grow(player, Rules.parse("4x4")).guess.tolist())

    assert trees[0] == trees[1]


@settings(max_examples=100)
@given(st.sampled_from(BOARDS), st.sampled_from(SPECS), st.randoms(use_true_random=False), st.integers(1, 3))
def test_guesses_are_the_same(board: str, spec: str, random: Any, turns: int) -> None:
    rules, position = Rules.parse(board), Position(Rules.parse(board))
    secret = random.choice(secrets(rules))
    player: Any = codebreakers.get(spec)
    for _ in range(turns):
        guess = random.choice(secrets(rules))
        position = position.after(guess, score(guess, secret, rules))
    played = []
    for way in ("always", "no"):
        switch.use(way)
        KEPT.clear()
        played.append(player.guess(position, np.random.default_rng(0)))

    assert played[0] == played[1]
