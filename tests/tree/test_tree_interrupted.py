"""Trees that take long: Ctrl-C keeps what is done, says where, and the same command goes on from there."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg import Rules, codebreakers
from entropeg.errors import InputError, TooLargeError
from entropeg.tree import StrategyTree, openings
from entropeg.tree.kept import KeptPieces
from entropeg.tree.pieces import grow_pieces

pytestmark = pytest.mark.slow

TELLING = """
import sys
from entropeg.cli import group
from entropeg.tree import kept
put = kept.KeptPieces.put
def told(*arguments):
    put(*arguments)
    print("piece", file=sys.stderr, flush=True)
kept.KeptPieces.put = told
group.main(sys.argv[1:], prog_name="entropeg")
"""
"""The command line, with a line on standard error for each piece of a tree that is kept."""

RUNS = [
    ("tree", "build", "entropy", "5x7", "--out", "a.tree"),
    ("tree", "openings", "minimax", "5x6"),
    ("compare", "5x6", "--keep", "kept"),
]
PARTS = ["a.tree.part", "minimax-5x6-openings.part", str(Path("kept", "compare-5x6.part"))]


def start(arguments: tuple[str, ...], folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", TELLING, *arguments, "--json"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def interrupt(arguments: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Press Ctrl-C once a piece is kept; return the exit code and the last line on standard error."""
    with start(arguments, folder) as process:
        assert process.stderr is not None
        assert "piece\n" == process.stderr.readline()
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
        code = process.wait(60)
    return code, said.splitlines()[-1]


def finish(arguments: tuple[str, ...], folder: Path) -> tuple[Any, int]:
    """Let the command end; return what it wrote and how many pieces it still had to grow."""
    with start(arguments, folder) as process:
        out, said = process.communicate(timeout=300)

    assert 0 == process.returncode, said
    return json.loads(out), said.count("piece\n")


@pytest.mark.parametrize(("arguments", "part"), list(zip(RUNS, PARTS, strict=True)), ids=PARTS)
def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(
    arguments: tuple[str, ...], part: str, tmp_path: Path
) -> None:
    code, said = interrupt(arguments, tmp_path)

    assert 130 == code
    assert f"codes are done and kept in {part}; the same command goes on from there" in said

    rules = Rules.parse(next(word for word in arguments if word[0].isdecimal()))
    task = " ".join(arguments).partition(" --")[0]
    done = len(KeptPieces(tmp_path / part, task).pieces)
    found, grown = finish(arguments, tmp_path)
    rows = found if isinstance(found, list) else [found]

    assert done > 0
    assert not (tmp_path / part).exists()
    if arguments[1] == "openings":
        made = openings(arguments[2], rules)
        assert [one.tree.total for one in made] == [row["total"] for row in rows]
        assert 7 < done + grown
    else:
        names = [row["codebreaker"] for row in rows] if arguments[0] == "compare" else [arguments[2]]
        assert [StrategyTree.build(name, rules).total for name in names] == [row["total"] for row in rows]
        assert grown > 0
    if arguments[0] == "compare":
        files = {f"5x6-{row['codebreaker']}-own.tree".replace(":win=", "-win-") for row in rows}
        assert files == {file.name for file in (tmp_path / "kept").iterdir()}


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("entropy", "4x8"),
        ("parts:ties=random,seed=3", "4x8"),
        ("by-turn:turns=minimax/entropy:guesses=probes;probes=9;seed=2/parts", "4x7"),
        ("first-consistent", "4x5"),
        ("entropy:opening=ABCD", "4x7/no-repeats"),
    ],
)
def test_a_tree_grown_in_pieces_and_one_gone_on_with_are_the_tree_grown_at_once(
    name: str, board: str, tmp_path: Path
) -> None:
    rules = Rules.parse(board)
    once = StrategyTree.build(name, rules)
    kept = KeptPieces(tmp_path / "a.part", "test")
    reported: list[int] = []

    assert once == StrategyTree.build(name, rules, kept=kept, progress=reported.append, threads=3)
    assert rules.secret_count == sum(reported)
    for piece in list(kept.pieces)[::2]:
        del kept.pieces[piece]
    assert kept.save() == (tmp_path / "a.part").exists()

    again = KeptPieces(tmp_path / "a.part", "test")

    assert set(kept.pieces) == set(again.pieces)
    assert once == StrategyTree.build(name, rules, kept=again)


class Stopping:
    """First consistent code, interrupted at the second guess of every game after a while."""

    deterministic = True
    name = "stopping"

    def __init__(self, guesses: int) -> None:
        self.left = guesses

    def guess(self, position: Any, rng: np.random.Generator) -> Any:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return position.candidates[0]


def test_pieces_finished_before_an_interruption_are_kept() -> None:
    rules, kept = Rules.parse("4x6"), KeptPieces(None, "")
    with pytest.raises(KeyboardInterrupt):
        grow_pieces(Stopping(1000), rules, kept)

    assert 0 < len(kept.pieces)

    plain = grow_pieces(Stopping(0), rules, KeptPieces(None, ""))

    assert all(
        np.array_equal(one, other) for one, other in zip(plain, grow_pieces(Stopping(0), rules, kept), strict=True)
    )


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda content: content[:-5], "is damaged or cut short: delete it to begin afresh"),
        (lambda content: content.replace(b"unfinished trees 1", b"unfinished trees 9"), "holds no unfinished trees"),
        (lambda _: b"hello", "holds no unfinished trees"),
        (lambda content: content.replace(b'"task": "test"', b'"task": "rest"'), "holds what is done of 'rest'"),
        (lambda content: content.replace(b'"version": "', b'"version": "9'), "was written by version '9"),
    ],
)
def test_a_file_that_cannot_be_gone_on_with_is_refused(change: Any, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "a.part"
    kept = KeptPieces(file, "test")
    StrategyTree.build("entropy", Rules.parse("3x3"), kept=kept)
    kept.save()
    file.write_bytes(change(file.read_bytes()))

    with pytest.raises(InputError, match=complaint):
        KeptPieces(file, "test")


def test_names_and_endings_are_tried_before_anything_is_played(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from entropeg.cli import group

    def refused(*arguments: str) -> str:
        result = CliRunner().invoke(group, list(arguments))

        assert 2 == result.exit_code
        return result.stderr

    assert "did you mean minimax" in refused("compare", "6x8", "--also", "minimaxx")
    assert "end it in .tree, .json" in refused("tree", "build", "entropy", "6x8", "--out", str(tmp_path / "a.doc"))
    assert "there is no folder" in refused(
        "tree", "openings", "entropy", "6x8", "--out", str(tmp_path / "b" / "a.tree")
    )
    assert "end it in .svg, .png, .pdf" in refused("compare", "6x8", "--figure", str(tmp_path / "a.doc"))
    assert "consistent plays at random" in refused("tree", "build", "consistent", "6x8")


def test_a_tree_that_is_built_is_a_tree_that_is_loaded(tmp_path: Path) -> None:
    tree = StrategyTree.build("minimax", Rules.parse("4x6"), kept=KeptPieces(None, ""))
    tree.save(tmp_path / "a.tree")

    assert tree == StrategyTree.load(tmp_path / "a.tree")
    assert 5801 == tree.total


def test_too_large_a_board_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(TooLargeError, match=r"429,981,696 secrets"):
        grow_pieces(codebreakers.get("entropy"), Rules.parse("8x12"), KeptPieces(tmp_path / "a.part", ""))

    assert [] == list(tmp_path.iterdir())
