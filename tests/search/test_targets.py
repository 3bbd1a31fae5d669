"""Openings raised to targets: bounds that are never above the truth, and what would notice if they were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import NO_LABEL, PAUSED, PLACES, SYMMETRIC, UNLIMITED
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving import opening
from entropeg.search.proving.control import check_targets
from entropeg.search.proving.proof import Proof

TOTALS = {
    "3x5": 451,
    "4x5": 2463,
    "4x6": 5625,
    "5x4": 3954,
    "4x4/black": 1301,
    "4x6/no-repeats": 1446,
    "3x6/positional": 693,
}


def layout_of(name: str) -> Layout:
    rules = Rules.parse(name)
    return Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))


def proof_of(name: str, upper: int, threads: int = 2) -> Proof:
    layout = layout_of(name)
    proof = Proof(layout, layout.in_order(np.arange(len(layout.secrets))), threads=threads)
    proof._is_small, proof.upper = False, upper
    return proof


@pytest.mark.parametrize(("threads", "spare"), [(1, 12), (3, 12), (3, 2), (2, 0)])
@pytest.mark.parametrize("name", TOTALS)
def test_a_target_above_the_truth_is_never_reached(
    name: str, threads: int, spare: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small boards are dear now, and their searches are paused, or stopped where no memory is spare.
    for name_of_steps in ("FINE", "COARSE"):
        monkeypatch.setattr(opening, name_of_steps, opening.COARSE._replace(looks=0, most=0.01))
    monkeypatch.setattr("entropeg.search.proving.proof.SPARE", spare)
    monkeypatch.setattr("entropeg.search.proving.proof.TICK", 0.001)
    for above in (1, 2, 100):
        proof = proof_of(name, TOTALS[name] + above, threads)
        proof._is_long = spare > 0

        proof.run()

        assert (TOTALS[name], True) == (proof.lower, proof.finished)


@pytest.mark.parametrize("name", TOTALS)
def test_a_target_below_the_truth_is_reached(name: str) -> None:
    for below in (0, 1, 40):
        proof = proof_of(name, TOTALS[name] - below)

        proof.run()

        assert TOTALS[name] - below == proof.lower


def test_bounds_of_parts_are_never_above_their_values() -> None:
    proof = proof_of("4x6", 5625 + 30)
    proof.run()
    layout, work = proof.layout, proof.works[0]
    work.use(table=layout.table(1 << 24))  # what the proof knows is found anew
    labels = layout.arrays["by_guess"]
    for name, (low, exact, *_) in proof.known.items():
        _, guess, label = map(int, name.split())
        codes = proof.start[labels[guess, proof.start] == label]
        engine.enter(work, 0, guess, NO_LABEL)
        value, _ = engine.solve(work, codes, layout.infinite, UNLIMITED, 1, proof.hash(codes))
        assert low == value if exact else low <= value
    assert any(entry[1] == 1 for entry in proof.known.values())


def test_searches_that_are_paused_after_every_guess_find_what_others_find() -> None:
    layout, random = layout_of("4x5"), np.random.default_rng(7)
    other, work = Proof(layout, layout.in_order(np.arange(625)), threads=2).works
    depths: set[int] = set()
    for _ in range(300):
        codes, depth = layout.in_order(random.choice(625, random.integers(12, 120), replace=False)), SYMMETRIC + 1
        given = codes, UNLIMITED, depth, int(np.bitwise_xor.reduce(layout.zobrist[codes]))
        other.use(table=layout.table(1 << 20))
        value, _ = engine.solve(other, codes, layout.infinite, *given[1:])
        for ub in (value + int(random.integers(1, 3)), value):
            work.use(table=layout.table(1 << 20))
            work.pause(is_to=True)
            found, _ = engine.solve(work, codes, ub, *given[1:])
            while found == PAUSED:
                depths.add(int(work.fields[PLACES["paused_frame"]]))
                found, _ = engine.resume(work, depth)
            work.pause(is_to=False)

            assert found == value if ub > value else found >= value
    assert {0, 1} <= depths


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["3x5", "4x4/black", "4x5"])
def test_openings_whose_searches_pause_after_every_guess_are_raised_to_the_truth(
    name: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin, resume, resumed = opening.Rise.begin, engine.resume, list[int]()

    def begin_slowly(rise: opening.Rise, memory: Any) -> None:
        begin(rise, memory)
        rise.is_pausing = True
        memory.pause(is_to=True)

    def counted(*given: Any, **named: Any) -> tuple[int, int]:
        resumed.append(1)
        return resume(*given, **named)

    monkeypatch.setattr(opening.Rise, "begin", begin_slowly)
    monkeypatch.setattr(engine, "resume", counted)
    for above in (-3, 0, 1, 50):
        proof = proof_of(name, TOTALS[name] + above, threads)
        proof._is_long = True

        proof.run()

        assert TOTALS[name] + min(above, 0) == proof.lower
    assert len(resumed) > 20


def test_a_set_that_the_history_does_not_leave_is_noticed() -> None:
    layout = layout_of("4x6")
    proof = Proof(layout, layout.in_order(np.arange(1296)), threads=1)
    work, labels = proof.works[0], layout.arrays["by_guess"]
    part = proof.start[labels[layout.number_guess((0, 0, 1, 1)), proof.start] == 1]
    search = part, layout.infinite, UNLIMITED, 1, proof.hash(part)

    with pytest.raises(AssertionError, match="not what the history entered leaves"):
        engine.solve(work, *search)  # none was entered
    engine.enter(work, 0, layout.number_guess((0, 0, 0, 0)), NO_LABEL)
    with pytest.raises(AssertionError, match="not what the history entered leaves"):
        engine.solve(work, *search)
    engine.enter(work, 0, layout.number_guess((0, 0, 1, 1)), NO_LABEL)
    value, _ = engine.solve(work, *search)
    engine.behind(work, [(layout.number_guess((0, 0, 0, 0)), NO_LABEL)])
    with pytest.raises(AssertionError, match="not what the history entered leaves"):
        engine.solve(work, part, layout.infinite, UNLIMITED, 0, proof.hash(part))
    assert value < layout.infinite


def test_the_control_notices_a_history_that_is_never_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    check_targets()

    def forgotten(*_: Any) -> None:
        """Leave the history of the opening that was cut last."""

    monkeypatch.setattr(engine, "enter", forgotten)
    with pytest.raises(AssertionError, match="history entered"):
        check_targets()
    monkeypatch.setattr(engine, "_check", forgotten)
    with pytest.raises(AssertionError, match="the search proves"):
        check_targets()


def test_a_control_that_is_interrupted_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proof, "run", Proof.cancel)

    with pytest.raises(KeyboardInterrupt):
        check_targets()
