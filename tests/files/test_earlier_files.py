"""Files that earlier versions wrote: all are read, proofs are verified, searches and games go on from them.

Each format that is read back has a file in `earlier/`, which stays there; a new format brings one with it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from entropeg import StrategyTree
from entropeg.advise.saved_notes import load_notes
from entropeg.check.verifier import Proven, verify
from entropeg.classroom.tournament.rounds import KeptSeries
from entropeg.experiments.export import write_csv
from entropeg.experiments.runner import arena
from entropeg.experiments.store import Store
from entropeg.game import load_game
from entropeg.search import opening_totals
from entropeg.tree.optimum import optimal
from entropeg.web.runs.kept import RunFolder

EARLIER = Path(__file__).parents[1] / "earlier"


@pytest.mark.parametrize(("board", "codes", "total"), [("3x7", 343, 1474), ("4x4", 256, 905)])
def test_an_earlier_proof_is_verified(board: str, codes: int, total: int) -> None:
    assert verify(EARLIER / f"{board}.proof.json.gz") == Proven(board, codes, total)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("2x4-weighted", "2x4 under the weights of the file: weighted total >= 351 guesses over 16 codes"),
        ("3x3-positional", "3x3/positional: total >= 60 guesses over 27 codes (verified)"),
    ],
)
def test_an_earlier_proof_of_weights_or_of_another_feedback_is_verified(file: str, said: str) -> None:
    assert str(verify(EARLIER / f"{file}.proof.json")).startswith(said)


@pytest.mark.parametrize(
    ("file", "expected"),
    [("2x6", Proven("2x6", 36, 132)), ("4x3-black-worst", Proven("4x3/black", 81, 331, None, 5, 4))],
)
def test_an_earlier_proof_with_witnesses_is_verified(file: str, expected: Proven) -> None:
    assert expected == verify(EARLIER / f"{file}.proof.json")


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


def test_an_earlier_file_of_games_with_faults_is_read() -> None:
    runs = Store(EARLIER / "3x4-format-2.games").runs()

    assert [(20, 20, "")] * 2 == [(run.planned, len(run.games), run.fault) for run in runs]


def test_a_table_of_games_has_its_earlier_columns_first_and_tells_the_same(tmp_path: Path) -> None:
    write_csv(Store(EARLIER / "3x4-format-2.games").runs(), tmp_path / "now.csv")
    before, now = (path.read_text("utf-8").splitlines() for path in (EARLIER / "3x4.csv", tmp_path / "now.csv"))

    assert len(before) == len(now)
    assert [line.split(",") for line in before] == [line.split(",")[: before[0].count(",") + 1] for line in now]


@pytest.mark.parametrize("ending", ["tree", "json", "yaml", "txt"])
def test_an_earlier_tree_is_read_in_every_format(ending: str) -> None:
    tree = StrategyTree.load(EARLIER / f"3x4-minimax.{ending}", "3x4" if ending == "txt" else None)

    assert (216, [1, 3, 31, 29]) == (tree.total, [int(each) for each in tree.histogram])
    assert tree == StrategyTree.load(EARLIER / "3x4-minimax.tree")


@pytest.mark.parametrize("file", ["3x4.game", "3x4.game.json"])
def test_an_earlier_game_is_read(file: str) -> None:
    game = load_game(EARLIER / file)

    assert ("3x4", "consistent", "honest", 1, "won") == (
        str(game.rules),
        game.codebreaker,
        game.codemaker,
        game.seed,
        game.outcome,
    )
    assert len(game.turns) == 3


@pytest.mark.parametrize("file", ["4x6.notes", "4x6.notes.json"])
def test_earlier_notes_are_read(file: str) -> None:
    notes = load_notes(EARLIER / file)

    assert ("4x6", ["AABB: XO?", "CC?D: 1 ?"]) == (str(notes.rules), str(notes).splitlines())


def test_earlier_totals_of_openings_are_gone_on_from(tmp_path: Path) -> None:
    path = Path(shutil.copy(EARLIER / "3x4.openings", tmp_path))

    assert str(opening_totals("3x4", checkpoint=path, threads=1)) == str(opening_totals("3x4", threads=1))


def test_an_earlier_tournament_is_gone_on_from() -> None:
    kept = KeptSeries(EARLIER / "course.tournament")
    found = [kept.get(key) for key in kept._records]

    assert [[4, 3, 4], [4, 4, 5], [5, 5, 5]] == [series.guesses for series in found if series is not None]


@pytest.mark.parametrize(("run", "kind"), [("5bb7cddc9d5f", "proof"), ("c58404cb4cbd", "arena")])
def test_an_earlier_run_of_the_page_is_read(run: str, kind: str) -> None:
    found = RunFolder(EARLIER).load(run)

    assert (kind, "done", "3x3") == (found.kind, found.state, found.request["rules"])
    assert found.result
