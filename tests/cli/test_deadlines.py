"""Each command with `--time` ends within 1.5 times it and a second: work is counted here, as a free machine does it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

from classroom_typing import project, typed
from entropeg import cli
from entropeg.advise.question import NotedPosition
from entropeg.kernels import scoring

pytestmark = pytest.mark.slow

PAIRS = 4e8
"""Pairs of codes in bytes that a kernel scores in a second; all other work is counted in them."""
ROW, WIDE_PAIR, WIDE_PEG = 12_000, 8, 2.7
"""What a guess, a code beside it, and each of their pegs take where colors do not fit into a byte, or pegs are many."""
COUNTED = 4
"""What counting a number takes."""

TIMED: dict[str, list[tuple[list[str], str]]] = {
    "advise": [
        (["2x1000"], ""),
        (["2x1000", "1-1 X"], ""),
        (["2x300/prior=distinct", "1-1 X"], ""),
        (["3x100/prior=distinct"], ""),
        (["2x65536"], ""),
        (["1000x2"], ""),
        (["16x2"], ""),
        (["20x2"], ""),
        (["1000x1000"], ""),
    ],
    "explore": [(["2x1000"], ""), (["2x300/prior=distinct", "1-1 X"], ""), (["16x2"], ""), (["1000x2"], "")],
    "assist": [(["2x300", "--tell"], "1-1 X\n2-2 X\nquit\n"), (["16x2", "--tell"], "AAAAAAAAAAAAAAAA 8 0\nquit\n")],
    "review": [(["{rows}", "--rules", "2x300"], "")],
    "optimal": [(["20x2"], ""), (["2x1000"], ""), (["2x100", "--most-within", "3"], "")],
    "value": [(["5x5"], "")],
    "static": [(["4x6"], ""), (["1x50"], "")],
    "report": [(["--rules", "2x2", "--games", "2", "--jobs", "1", "--out", "{rows}.report"], "")],
    "bench run": [(["{rows}.jsonl", "--agent", "minimax", "--board", "2x4/limit=9", "--games", "2"], "")],
    "table make": [(["2x4", "--turns", "1", "--out", "{rows}.table"], "")],
    "classroom check": [(["--rules", "2x4"], "not looked at")],
    "classroom tournament": [(["--rules", "2x4", "--jobs", "1"], "then its time was over")],
}
"""Edges of the boards that each command takes: arguments, and the lines typed; of `classroom` what it says."""


def commands(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Each command of a group, and of the groups in it, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def test_each_command_with_a_time_has_a_row() -> None:
    timed = {name for name, command in commands(cli.group) if any("--time" in one.opts for one in command.params)}

    assert timed == set(TIMED)


class CountedPairs:
    """Counts what is scored and counted, in pairs, and ends it past a limit."""

    def __init__(self, patch: pytest.MonkeyPatch, most: float) -> None:
        self.done, self.most = 0.0, most
        label_table, size_table, bincount = scoring._label_table, scoring._size_table, np.bincount

        def labelled(kind: int, rows: Any, planes: Any, *others: Any) -> Any:
            self.score(kind, rows, planes)
            return label_table(kind, rows, planes, *others)

        def sized(kind: int, rows: Any, planes: Any, *others: Any) -> Any:
            self.score(kind, rows, planes)
            return size_table(kind, rows, planes, *others)

        def counted(values: Any, *others: Any, **named: Any) -> Any:
            self.add(COUNTED * np.size(values))
            return bincount(values, *others, **named)

        patch.setattr(scoring, "_label_table", labelled)
        patch.setattr(scoring, "_size_table", sized)
        patch.setattr(np, "bincount", counted)

    def score(self, kind: int, rows: Any, planes: Any) -> None:
        pegs, codes = planes.shape
        each = ROW + codes * (WIDE_PAIR + WIDE_PEG * pegs) if scoring._is_wide(kind, planes) else codes
        self.add(len(rows) * each)

    def add(self, pairs: float) -> None:
        self.done += pairs
        assert self.done < self.most, "more work than its time"


EDGES = [(name, *row) for name, rows in TIMED.items() for row in rows]


@pytest.mark.parametrize(
    ("name", "arguments", "lines"), [edge for edge in EDGES if not edge[0].startswith("classroom")]
)
def test_a_command_does_no_more_work_than_its_time_allows(
    name: str, arguments: list[str], lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = tmp_path / "rows.txt"
    rows.write_text("1-2 -\n3-4 -\n")
    # All that a second allows.
    CountedPairs(monkeypatch, (1.5 * 1 + 1) * PAIRS)
    asked = [argument.format(rows=rows) for argument in arguments]
    result = CliRunner().invoke(cli.group, [*name.split(), *asked, "--time", "1"], prog_name="entropeg", input=lines)

    assert result.exit_code == 0, result.output[-500:] + repr(result.exception)


@pytest.mark.parametrize(("name", "arguments", "said"), [edge for edge in EDGES if edge[0].startswith("classroom")])
def test_a_course_is_left_with_the_game_that_is_played_when_its_time_is_over(
    name: str, arguments: list[str], said: str, tmp_path: Path
) -> None:
    some = [project(tmp_path / student, "codebreaker1.py", "codemaker1.py") for student in ("ada", "alan")]
    result = typed(*name.split()[1:], *map(str, some), *arguments, "--time", "0.001")

    assert result.exit_code in {0, 1}, result.output
    assert said in " ".join(result.output.split())


@pytest.mark.parametrize("board", ["3x4", "5x2", "3x4/prior=distinct", "3x4/blanks-in-secrets", "2x300", "12x12"])
def test_copies_are_those_of_each_symbol_in_each_code(board: str) -> None:
    remaining = NotedPosition.of(board, seed=1).remaining
    found, codes = remaining.marginals(), remaining.codes

    assert found.copies.sum(axis=1) == pytest.approx(1)
    for symbol in range(0, len(found.copies), 7):
        number = (codes.planes == symbol).sum(axis=0)
        expected = [codes.chances[number == copies].sum() for copies in range(codes.rules.pegs + 1)]
        assert found.copies[symbol] == pytest.approx(expected)
