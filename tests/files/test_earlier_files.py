"""Files that the version before the unreleased one wrote: proofs are verified, searches and games go on from them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from entropeg.check.verifier import verify
from entropeg.experiments.runner import arena
from entropeg.experiments.store import Store
from entropeg.tree.optimum import optimal

EARLIER = Path(__file__).parents[1] / "earlier"


@pytest.mark.parametrize(("board", "codes", "total"), [("3x7", 343, 1474), ("4x4", 256, 905)])
def test_an_earlier_proof_is_verified(board: str, codes: int, total: int) -> None:
    assert verify(EARLIER / f"{board}.proof.json.gz") == (board, codes, total, None)


def test_an_earlier_checkpoint_is_gone_on_from(tmp_path: Path) -> None:
    path = Path(shutil.copy(EARLIER / "4x5.search", tmp_path))

    found = optimal("4x5", checkpoint=path, threads=1)

    assert str(found.value) == "= 2463"
    assert found.nodes < optimal("4x5", threads=1).nodes


def test_an_earlier_checkpoint_of_weights_is_gone_on_from(tmp_path: Path) -> None:
    path = Path(shutil.copy(EARLIER / "3x5-weighted.search", tmp_path))
    weights = np.arange(1, 126)

    found = optimal("3x5", weights=weights, checkpoint=path, threads=1)

    assert found.value == optimal("3x5", weights=weights, threads=1).value
    assert found.is_exact


def test_an_earlier_file_of_games_is_read_and_gone_on_from(tmp_path: Path) -> None:
    path, players = Path(shutil.copy(EARLIER / "3x4.games", tmp_path)), ["consistent", "first-consistent"]
    before = Store(path).runs()
    runs = arena(players, "honest", "3x4", games=30, seed=1, store=path)

    assert [(20, 20, "")] * 2 == [(run.planned, len(run.games), run.fault) for run in before]
    assert [run.guesses.tolist() for run in before] == [run.guesses[:20].tolist() for run in runs]
    assert [run.guesses.tolist() for run in runs] == [run.guesses.tolist() for run in Store(path).runs()]
