"""Many openings asked for bounds in stages by their parts: never above the truth, wherever the search is ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact import engine
from entropeg.search.exact.fields import UNLIMITED
from entropeg.search.exact.layout import Layout, ThreadMemory
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.openings import CROWD, ManyOpenings, openings
from entropeg.search.proving.proof import Proof


def words_of(folder: Path, seed: int, sizes: tuple[int, int], letters: str = "abcdefgh", pegs: int = 4) -> Layout:
    """The board of so many drawn words that may be the secret, and so many more that may be guessed."""
    random, words = np.random.default_rng(seed), dict[str, None]()
    while len(words) < sum(sizes):
        words["".join(random.choice(list(letters), pegs))] = None
    drawn = list(words)
    (folder / "secrets").write_text("\n".join(drawn[: sizes[0]]) + "\n")
    (folder / "probes").write_text("\n".join(drawn[sizes[0] :]) + "\n")
    rules = Rules.parse(f"words:{folder}/secrets/probes={folder}/probes")
    return Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))


def proof_of(layout: Layout, **options: Any) -> Proof:
    """A proof that settles openings one by one however few the words are."""
    proof = Proof(layout, layout.in_order(np.arange(len(layout.secrets))), threads=1, **options)
    proof._is_small = False
    return proof


def many_of(layout: Layout) -> tuple[ManyOpenings, ThreadMemory, Proof]:
    """The openings of a board as a proof lists them."""
    proof = proof_of(layout)
    n = len(proof.start)
    proof.works[0].stack[:n] = proof.start
    listed, rest = openings(layout, proof.works[0], n, UNLIMITED)
    assert len(listed) > CROWD
    return ManyOpenings(listed, rest, proof.start, proof.hash(proof.start), UNLIMITED), proof.works[0], proof


def totals_of(layout: Layout) -> dict[int, int]:
    """The least total after every opening, by search."""
    proof = proof_of(layout)
    given = proof.works[0], proof.start, layout.infinite, UNLIMITED, 0, proof.hash(proof.start)
    return {guess: engine.solve(*given, only=guess)[0] for guess in range(len(layout.guesses))}


def plain_totals(layout: Layout) -> dict[int, int]:
    """The least total after every opening, by trying every guess for every set."""
    labels, win = layout.arrays["by_guess"], layout.win

    def parts(codes: tuple[int, ...], guess: int) -> list[tuple[int, ...]]:
        row = labels[guess].tolist()
        return [tuple(c for c in codes if row[c] == e) for e in {row[c] for c in codes} - {win}]

    @cache
    def least(codes: tuple[int, ...]) -> int:
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        return min(after(codes, guess) for guess in range(len(labels)))

    def after(codes: tuple[int, ...], guess: int) -> int:
        left = parts(codes, guess)
        return 10**6 if codes in left else len(codes) + sum(map(least, left))

    whole = tuple(range(len(layout.secrets)))
    return {guess: after(whole, guess) for guess in range(len(labels))}


@pytest.mark.parametrize("seed", range(3))
def test_no_bound_is_above_what_trying_everything_finds(seed: int, tmp_path: Path) -> None:
    layout = words_of(tmp_path, seed, (11, 30), "abcd", 3)
    truth = plain_totals(layout)
    many, memory, proof = many_of(layout)
    for target in range(many.lower, min(truth.values()) + 6):
        many.by_parts(target, proof.stop, UNLIMITED)(memory)

        assert all(bound <= truth[guess] for guess, bound in many.known())
        assert target <= min(truth.values()) or many.lower < target

    whole = proof_of(layout)
    whole.run()

    assert whole.finished
    assert whole.lower == min(truth.values())


SIZES = (120, 100)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_target_above_the_truth_is_never_reached(seed: int, tmp_path: Path) -> None:
    layout = words_of(tmp_path, seed, SIZES)
    truth = totals_of(layout)
    least = min(truth.values())
    many, memory, proof = many_of(layout)
    for target in (*range(many.lower, least, 3), least, least + 1, least + 40):
        before = many.bounds.copy()
        many.by_parts(target, proof.stop, UNLIMITED)(memory)

        assert (many.bounds >= before).all()
        assert all(bound <= truth[guess] for guess, bound in many.known())
        assert many.lower <= least
        assert (many.spent == (many.bounds < target)).all()
    for above in (0, 1, 25):
        whole = proof_of(layout)
        whole.upper = least + above
        whole.run()

        assert (whole.lower, whole.finished) == (least, True)


def test_bounds_above_the_truth_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = words_of(tmp_path, 1, SIZES)
    truth = totals_of(layout)
    ask = engine.open_parts
    monkeypatch.setattr(engine, "open_parts", lambda *given: ask(*given) + 40)
    many, memory, proof = many_of(layout)
    many.by_parts(min(truth.values()) + 40, proof.stop, UNLIMITED)(memory)

    assert any(bound > truth[guess] for guess, bound in many.known())


def ended_after(calls: int, proof: Proof, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let Ctrl-C come after so many openings were asked; how many were."""
    ask, asked = engine.open_parts, [0]

    def counted(*given: Any) -> int:
        asked[0] += 1
        if asked[0] == calls:
            proof.cancel()
        return ask(*given)

    monkeypatch.setattr("entropeg.search.proving.openings.engine.open_parts", counted)
    return lambda: asked[0]


def test_wherever_it_is_ended_the_bound_is_that_of_all_openings(tmp_path: Path) -> None:
    layout = words_of(tmp_path, 3, SIZES)
    least, lowers = min(totals_of(layout).values()), list[int]()
    many, memory, at_once = many_of(layout)
    low, stages = many.lower, list[int]()
    before = many.bounds.copy()
    for calls in (1, 2, 4, 8, 16, 30, 60, 100, 150, 200, 250, 300, 350):
        with pytest.MonkeyPatch.context() as patch:
            proof = proof_of(layout)
            ended_after(calls, proof, patch)
            proof.run()
        lowers.append(proof.lower)
        stages.append(low + (proof.upper - low) // 2)

        assert low <= proof.lower <= least
        # What raising them one at a time to the best total says after as many openings, as far as the first stage.
        order = np.argsort(before, kind="stable").tolist()[:calls]
        for place in order:
            if not many.raised[place]:
                n = len(at_once.start)
                memory.stack[:n] = at_once.start
                bound = engine.open_parts(memory, n, int(many.guesses[place]), proof.upper, UNLIMITED)
                many.bounds[place], many.raised[place] = max(bound, many.bounds[place]), True
        assert proof.lower >= min(many.lower, stages[-1])
    assert all(after >= earlier for earlier, after in pairwise(lowers))
    assert lowers[0] < stages[0] <= lowers[-1]


def test_all_openings_are_asked_for_half_of_what_is_missing_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout, ask, targets = words_of(tmp_path, 3, SIZES), engine.open_parts, list[int]()
    proof, low = proof_of(layout), many_of(layout)[0].lower

    def noted(*given: Any) -> int:
        targets.append(given[3])
        return ask(*given)

    monkeypatch.setattr(engine, "open_parts", noted)
    proof.run()
    half = low + (targets[-1] - low) // 2

    assert half < targets[-1]
    assert sorted(targets) == targets
    assert set(targets) >= {half, targets[-1]}


def test_what_a_checkpoint_knows_is_not_asked_again(tmp_path: Path) -> None:
    layout, path = words_of(tmp_path, 4, SIZES), tmp_path / "proof"
    least, calls, lowers = min(totals_of(layout).values()), 0, [0]
    with pytest.MonkeyPatch.context() as patch:
        whole = proof_of(layout)
        count = ended_after(-1, whole, patch)
        whole.run()
        alone = count()
    proofs, is_finished = 0, False
    while not is_finished:
        with pytest.MonkeyPatch.context() as patch:
            proof = proof_of(layout, checkpoint=path, name="words")
            count = ended_after(25, proof, patch)
            proof.run()
            calls, proofs, is_finished = calls + count(), proofs + 1, proof.finished
        lowers.append(proof.lower)

        assert lowers[-2] <= lowers[-1] <= least
        assert proofs < 40
    assert lowers[-1] == least
    assert proofs > 2
    assert calls <= 1.2 * alone + proofs
