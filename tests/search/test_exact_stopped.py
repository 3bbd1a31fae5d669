"""What a proof leaves that is stopped, from where it goes on, and what strategy it begins with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.search.beam import optimum as near_optimum
from entropeg.search.exact import engine
from entropeg.search.exact.fields import NO_GUESS
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving import checkpoint, solving
from entropeg.search.proving.proof import Proof
from entropeg.search.results import SearchProgress
from entropeg.search.strategies import Node
from entropeg.tree.optimum import optimal
from replayed import check

STOPPED = """
import faulthandler, json, signal, sys
from entropeg.rules import Rules
from entropeg.tree.optimum import optimal

def stop(progress, told=[]):
    told.append(progress)
    if len(told) == 8:
        signal.raise_signal(signal.SIGINT)

faulthandler.enable()
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
found = optimal(Rules.parse("4x7"), checkpoint=sys.argv[1], progress=stop)
print(json.dumps([found.value.lower, found.root.total, found.is_interrupted]))
"""


def test_ctrl_c_while_the_labels_are_made_leaves_the_first_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> Layout:
        raise KeyboardInterrupt

    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 0.5))
    monkeypatch.setattr(solving, "_layout", interrupted)

    found = optimal(Rules.parse("4x4"))

    assert found.is_interrupted
    assert found.value.lower <= 905 <= check(found, list(secrets(found.rules))).total


def test_a_checkpoint_is_resumed(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    rules = Rules.parse("5x4")
    first = optimal(rules, checkpoint=path)

    again = optimal(rules, checkpoint=path)

    assert first.value == again.value
    assert again.nodes < first.nodes
    check(again, list(secrets(rules)))


def test_a_search_ended_by_ctrl_c_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    rules = Rules.parse("4x7")
    # In a process of its own, so that its end, whatever it is, does not end the tests.
    child = subprocess.run([sys.executable, "-c", STOPPED, path], capture_output=True, text=True, check=False)
    assert child.returncode == 0, child
    lower, total, is_interrupted = json.loads(child.stdout)

    resumed = optimal(rules, checkpoint=path)

    assert is_interrupted
    assert lower <= resumed.value.lower == 11228 <= total
    assert resumed.is_exact
    assert resumed.nodes < optimal(rules).nodes


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_while_the_last_checkpoint_is_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[Path] = []
    save = checkpoint.save

    def interrupted(file: Path, *content: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        save(file, *content)
        written.append(file)

    monkeypatch.setattr(checkpoint, "save", interrupted)

    found = optimal(Rules.parse("3x3"), checkpoint=tmp_path / "proof")

    assert str(found.value) == "= 73"
    assert found.is_interrupted
    assert [tmp_path / "proof"] == written
    assert written[0].exists()


def test_a_checkpoint_of_another_search_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    optimal(Rules.parse("3x3"), checkpoint=path)
    before = path.read_bytes()
    other = tmp_path / "notes.txt"
    other.write_text("what I had for lunch")

    with pytest.raises(InputError, match="checkpoint of 3x3, not of "):
        optimal(Rules.parse("3x4"), checkpoint=path)
    with pytest.raises(InputError, match="not a checkpoint"):
        optimal(Rules.parse("3x4"), checkpoint=other)
    assert before == path.read_bytes()


def test_a_proof_begun_with_the_best_strategy_gives_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4x6")
    plain = optimal(rules, threads=1)
    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 1.5))
    monkeypatch.setattr(near_optimum, "near_optimal", lambda *_, **__: plain)

    found = optimal(rules, threads=1)

    assert "= 5625" == str(found.value)
    assert found.root is plain.root
    assert found.nodes < 1.2 * plain.nodes  # no strategy is searched for, but bounds take more than one search


def simple_play(layout: Layout, codes: Any, guess: int) -> Node:
    """The strategy that begins with a guess and goes on with the first code left each time."""
    node, labels = Node(tuple(layout.guesses[guess].tolist()), wins=False), layout.arrays["by_guess"][guess, codes]
    for label in np.unique(labels).tolist():
        if label == layout.win:
            node.wins = True
            continue
        part = codes[labels == label]
        first = int(layout.arrays["guess_of_secret"][part[0]])
        node.children[int(layout.public_labels(guess, label))] = simple_play(layout, part, first)
    return node


def test_a_proof_begun_with_any_strategy_improves_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "proof"
    rules = Rules.parse("4x5")
    layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))
    begun = simple_play(layout, layout.in_order(np.arange(625)), layout.number_guess((0, 0, 1, 2)))
    worse = replace(optimal(rules, time=0.0), root=begun)
    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 1.5))
    monkeypatch.setattr(near_optimum, "near_optimal", lambda *_, **__: worse)

    found = optimal(rules, checkpoint=path)
    kept = checkpoint.strategy_of(path, "4x5")

    assert 2463 < begun.total
    assert "= 2463" == str(found.value)
    check(found, list(secrets(rules)))
    assert kept is not None
    assert 2463 <= kept.total < begun.total  # with what parts take less


def test_a_proof_is_left_with_the_bound_that_it_began_with_at_least(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4x6")
    begun = near_optimum.near_optimal(rules, 0.0)
    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 1.5))
    monkeypatch.setattr(near_optimum, "near_optimal", lambda *_, **__: begun)
    told: list[float] = []

    def stop(step: SearchProgress) -> None:
        told.append(step.lower)
        raise KeyboardInterrupt

    found = optimal(rules, threads=1, progress=stop)

    assert 5300 < begun.value.lower <= min(told)
    assert begun.value.lower <= found.value.lower <= 5625


def test_ctrl_c_leaves_the_strategy_that_the_proof_began_with(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4x6")
    best = optimal(rules)
    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 1.5))
    monkeypatch.setattr(near_optimum, "near_optimal", lambda *_, **__: best)

    def stop(_: SearchProgress) -> None:
        raise KeyboardInterrupt

    found = optimal(rules, progress=stop)

    assert found.is_interrupted
    assert found.root is best.root
    assert found.value.lower <= 5625 == found.total


def test_ctrl_c_in_the_search_that_a_proof_begins_with_leaves_its_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.parse("4x5")
    monkeypatch.setattr(solving, "BEGUN_WITH", (0.0, 1.0, 1.5))

    def stop(_: SearchProgress) -> None:
        raise KeyboardInterrupt

    found = optimal(rules, progress=stop)

    assert found.is_interrupted
    assert found.value.lower <= 2463 <= check(found, list(secrets(rules))).total


def test_a_checkpoint_whose_strategy_leaves_codes_out_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    rules = Rules.parse("3x4")
    part = Node((0, 0, 1), True, {})
    checkpoint.save(path, "3x4", {}, np.zeros((0, 2), np.uint64), part)

    with pytest.raises(InputError, match="finds 1 of 64 codes"):
        optimal(rules, checkpoint=path)


def test_a_checkpoint_of_a_proof_goes_on_as_a_proof(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    optimal(Rules.parse("3x3"), checkpoint=path)

    assert not solving.is_beyond_proof(Rules.parse("5x6"), 9.0, path)


def proven(name: str) -> tuple[Proof, np.ndarray]:
    """A proof that has ended, and the codes of its board, one a row."""
    rules = Rules.parse(name)
    rows = rows_of(secrets(rules))
    layout = Layout(rows, rows_of(guesses(rules)), **layout_options(rules))
    proof = Proof(layout, layout.in_order(np.arange(len(rows))), threads=1, memory=1 << 20)
    proof.run()
    return proof, rows


def test_ctrl_c_is_heard_while_a_lemma_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, rows = proven("4x4")

    def interrupted(*_: Any) -> tuple[int, int]:
        proof.cancel()
        return 900, NO_GUESS

    assert proof.value_of(rows, 905) == 905
    monkeypatch.setattr(engine, "solve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        proof.value_of(rows, 905)


def test_the_end_of_the_time_is_heard_while_a_lemma_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, rows = proven("4x4")

    def endless(*_: Any) -> tuple[int, int]:
        while not proof.stop[0]:
            sleep(0.001)
        return 900, NO_GUESS

    proof.deadline = 0.0
    monkeypatch.setattr(engine, "solve", endless)
    with pytest.raises(TimeoutError):
        proof.value_of(rows, 905)


@pytest.mark.parametrize("name", ["4x5", "4x4/positional", "3x5/no-repeats/blanks", "4x4/black"])
def test_values_behind_turns_are_those_without_them(name: str) -> None:
    """What a lemma asks for is searched by the symmetry of its turns, which changes no value."""
    rules = Rules.parse(name)
    proof, rows = proven(name)
    codes, rng = secrets(rules), np.random.default_rng(len(rows))
    some = guesses(rules)
    for _ in range(6):
        turns, left = [], codes
        for _ in range(int(rng.integers(1, 3))):
            guess = some[int(rng.integers(len(some)))]
            labels = left.score(guess)
            label = int(labels[rng.integers(len(labels))])
            turns.append((guess, label))
            left = left.take(np.flatnonzero(labels == label))
        fresh, _ = proven(name)

        assert fresh.value_of(rows_of(left), 1 << 20) == proof.value_of(rows_of(left), 1 << 20, turns=turns)
        if len(left) < len(rows):
            with pytest.raises(AssertionError, match="without a turn"):
                proof.value_of(rows_of(left), 1 << 20, turns=[])


@pytest.mark.parametrize(("name", "limit"), [("4x6", None), ("4x5", 7), ("3x6/positional", None)])
def test_parts_that_are_settled_go_into_the_strategy_of_a_proof_that_is_ended(name: str, limit: int | None) -> None:
    rules = Rules.parse(name)
    layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))
    start = layout.in_order(np.arange(len(layout.secrets)))
    best = optimal(rules).root
    assert best is not None
    begun = simple_play(layout, start, layout.number_guess(best.guess))
    assert limit is None or begun.worst <= limit
    told: list[float] = []

    def stop(step: SearchProgress) -> None:
        assert step.upper is not None
        told.append(step.upper)
        if step.upper < begun.total:
            raise KeyboardInterrupt

    proof = Proof(layout, start, threads=2, begun_with=begun, limit=limit, progress=stop)
    proof._is_small = False

    proof.run()
    found = proof.strategy()

    assert found is not None
    layout.check_strategy(found, start)
    assert best.total <= found.total == proof.upper < begun.total
    assert proof.lower <= best.total
    assert proof.finished or proof.upper in told
    parts = {label: child.total for label, child in found.children.items()}
    before = {label: child.total for label, child in begun.children.items()}
    assert all(parts[label] <= before[label] for label in before)
    assert any(parts[label] < before[label] for label in before)
