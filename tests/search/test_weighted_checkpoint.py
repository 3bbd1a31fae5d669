"""Checkpoints, memory and progress of searches under weights."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import Feedback
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.exact.exchanges import kinds_of
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving import checkpoint, opening, proof
from entropeg.search.proving.proof import Proof
from entropeg.search.results import SearchProgress, Solution
from entropeg.search.strategies import Node
from entropeg.tree.optimum import optimal

Teller = Callable[[SearchProgress], None]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Report a thousand times a second, and share small sets out as if they were large."""
    monkeypatch.setattr(proof, "TICK", 0.001)
    monkeypatch.setattr(proof, "WEIGHTED_DIRECT", 20)
    monkeypatch.setattr(opening, "ALONE", 10)


def stop_after(nodes: int) -> Teller:
    """A reader of the progress who presses Ctrl-C once so many guesses were tried."""

    def tell(progress: SearchProgress) -> None:
        if progress.nodes >= nodes:
            raise KeyboardInterrupt

    return tell


def upper_of(found: Solution) -> float:
    """What the strategy found makes."""
    assert found.value.upper is not None
    return found.value.upper


def replayed(found: Solution, weights: dict[tuple[int, ...], float]) -> float:
    """Sum of weight times guesses when every code is looked for in the strategy."""
    assert found.root is not None
    total, waiting = 0.0, [(found.root, 1)]
    while waiting:
        node, depth = waiting.pop()
        total += depth * weights.pop(node.guess) if node.wins else 0
        waiting += [(child, depth + 1) for child in node.children.values()]
    assert not weights  # every code was found, once
    return total


RANDOM = np.random.default_rng(3).integers(1, 100, 256)
SEARCHES = {"few openings": ("4x5/prior=distinct", None), "many openings": ("4x4", RANDOM)}


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_search_ended_again_and_again_comes_to_the_same_end(kind: str, tmp_path: Path) -> None:
    name, weights = SEARCHES[kind]
    rules, path = Rules.parse(name), tmp_path / "proof"
    whole = optimal(rules, weights=weights, threads=2)
    calls = [optimal(rules, weights=weights, threads=2, checkpoint=path, progress=stop_after(whole.nodes // 5))]
    while not calls[-1].is_exact and len(calls) < 30:
        nodes = whole.nodes // 5
        calls.append(optimal(rules, weights=weights, threads=2, checkpoint=path, progress=stop_after(nodes)))

    assert all(call.is_interrupted for call in calls[:-1])
    assert calls[-1].is_exact
    assert calls[-1].value.lower == pytest.approx(whole.value.lower, rel=1e-12)
    for call, after in pairwise(calls):
        assert after.value.lower >= call.value.lower * (1 - 1e-12)
        assert upper_of(after) <= upper_of(call) * (1 + 1e-12)
    assert sum(call.nodes for call in calls) < 1.5 * whole.nodes


@pytest.mark.parametrize("kind", SEARCHES)
def test_what_was_refuted_is_gone_over_without_a_search(kind: str, tmp_path: Path) -> None:
    name, weights = SEARCHES[kind]
    rules, path = Rules.parse(name), tmp_path / "proof"
    first = optimal(rules, weights=weights, threads=2, checkpoint=path)

    again = optimal(rules, weights=weights, threads=2, checkpoint=path)

    assert again.is_exact
    assert first.value == again.value
    assert first.root == again.root
    assert again.nodes <= first.nodes / 50


def test_the_strategy_of_a_resumed_search_finds_every_code_at_the_cost_that_is_told(tmp_path: Path) -> None:
    rules, path = Rules.parse("4x4"), tmp_path / "proof"
    for nodes in (200, 2000, 10**9):
        found = optimal(rules, weights=RANDOM, checkpoint=path, progress=stop_after(nodes))
        weights = dict(zip(secrets(rules), RANDOM.tolist(), strict=True))

        assert replayed(found, weights) == found.value.upper
        assert found.value.lower <= upper_of(found)
        assert found.is_exact or nodes < 10**9


def test_the_file_is_written_while_the_search_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "SAVE", 0.0)
    path, sizes = tmp_path / "proof", list[int]()

    def tell(_: SearchProgress) -> None:
        sizes.append(path.stat().st_size if path.exists() else 0)

    optimal(Rules.parse("4x4"), weights=RANDOM, checkpoint=path, progress=tell)

    assert sizes[0] == 0
    assert sizes[-1] > sizes[1] > 0


def test_the_time_limit_leaves_a_file_to_go_on_from(tmp_path: Path) -> None:
    rules, path = Rules.parse("4x5/prior=distinct"), tmp_path / "proof"
    found = optimal(rules, time=0.0, checkpoint=path)

    kept = checkpoint.strategy_of(path, f"4x5/prior=distinct under weights {digest(path)}")

    assert not found.is_exact
    assert found.root == kept
    assert optimal(rules, checkpoint=path).is_exact


def digest(path: Path) -> str:
    """What the refusal of a file says about its weights."""
    with pytest.raises(InputError) as refused:
        checkpoint.strategy_of(path, "another search")
    return str(refused.value).split("under weights ")[1].split(",")[0]


def test_the_file_of_another_search_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path, rules = tmp_path / "proof", Rules.parse("3x4")
    weights = np.arange(1, 65)
    optimal(rules, weights=weights, checkpoint=path)
    before = path.read_bytes()
    other = weights.copy()
    other[[5, 6]] = other[[6, 5]]

    with pytest.raises(InputError, match=r"checkpoint of 3x4 under weights [0-9a-f]{16}, not of 3x4 under weights "):
        optimal(rules, weights=other, checkpoint=path)
    with pytest.raises(InputError, match="checkpoint of 3x4"):
        optimal(rules, checkpoint=path)
    with pytest.raises(InputError, match="checkpoint of 3x4"):
        optimal(Position(rules).after((0, 1, 2), Feedback(1, 1)), weights=weights, checkpoint=path)
    with pytest.raises(InputError, match="checkpoint of 3x4"):
        optimal(Rules.parse("3x4/prior=distinct"), checkpoint=path)
    assert before == path.read_bytes()
    assert optimal(rules, weights=3 * weights, checkpoint=path).nodes == 0  # the same search: all weigh the same


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path, rules = tmp_path / "proof", Rules.parse("2x4/prior=distinct")
    optimal(rules, checkpoint=path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for length in rng.integers(0, len(whole), 40).tolist():
        path.write_bytes(whole[:length])

        with pytest.raises(InputError, match=r"not a checkpoint of an exact search, or damaged"):
            optimal(rules, checkpoint=path)
    for at in rng.integers(0, len(whole), 200).tolist():  # a date in the archive may change, nothing that is read
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            found = optimal(rules, checkpoint=path)
        except InputError:
            continue
        assert found.is_exact


def test_a_strategy_that_leaves_codes_out_is_refused(tmp_path: Path) -> None:
    path, rules = tmp_path / "proof", Rules.parse("3x4/prior=distinct")
    optimal(rules, checkpoint=path)
    name = f"3x4/prior=distinct under weights {digest(path)}"
    checkpoint.save(path, name, {}, np.zeros((0, 4), np.uint64), Node((0, 0, 1), True, {}))

    with pytest.raises(InputError, match="a strategy finds 1 of 64 codes"):
        optimal(rules, checkpoint=path)


@pytest.mark.parametrize("name", ["3x4", "3x4/prior=distinct"])
def test_a_folder_that_is_not_there_is_told_before_the_search(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        optimal(Rules.parse(name), checkpoint=tmp_path / "none" / "proof", progress=stop_after(0))


def test_a_file_that_cannot_be_written_ends_the_search_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "SAVE", 0.0)
    path = tmp_path / "proof"

    def tell(_: SearchProgress) -> None:
        path.mkdir(exist_ok=True)

    with pytest.raises(InputError, match="is a folder: name a file in it"):
        optimal(Rules.parse("4x8/prior=distinct"), checkpoint=path, progress=tell)


def test_tables_take_no_more_than_the_memory() -> None:
    codes = rows_of(secrets(Rules.parse("4x4")))
    layout = Layout(codes, codes, **layout_options(Rules.parse("4x4")))
    board = layout.weighted(RANDOM, *kinds_of(layout, RANDOM))
    sizes = [Proof(board, board.in_order(np.arange(256)), memory=1 << bits).table.nbytes for bits in (15, 18, 30)]

    assert sizes[0] == sizes[1] == 1 << 17  # the least that is worth anything
    assert sizes[1] < sizes[2] <= 1 << 29


@pytest.mark.parametrize("kind", SEARCHES)
def test_little_memory_changes_no_value(kind: str) -> None:
    name, weights = SEARCHES[kind]
    rules = Rules.parse(name)

    small = optimal(rules, weights=weights, memory=rules.secret_count**2 + 1)

    assert small.is_exact
    assert optimal(rules, weights=weights).value.lower == pytest.approx(small.value.lower, rel=1e-12)


@pytest.mark.parametrize("kind", SEARCHES)
def test_progress_tells_the_opening_under_study_and_bounds_that_close_in(kind: str) -> None:
    name, weights = SEARCHES[kind]
    told: list[SearchProgress] = []
    found = optimal(Rules.parse(name), weights=weights, progress=told.append)
    proving = [progress for progress in told if progress.opening is not None]

    assert len(proving) > 1
    assert told[told.index(proving[0]) :] == proving  # once the proof has begun, there is always an opening
    assert all(progress.lower <= found.value.lower * (1 + 1e-12) for progress in told)
    assert all(progress.upper is None or progress.upper * (1 + 1e-12) >= found.value.lower for progress in told)
    assert sorted(progress.lower for progress in told) == [progress.lower for progress in told]
    lefts = [progress.openings_left for progress in proving]
    assert sorted(lefts, reverse=True) == lefts
    assert lefts[0] > 0
