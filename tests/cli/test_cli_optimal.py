"""`entropeg optimal` as it is typed: totals, bounds, files, interruptions, boards out of reach."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numba  # type: ignore[import-untyped, unused-ignore]
import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.cli.commands import optimal as program
from entropeg.compiling import told_of_compilation
from entropeg.kernels.compile import compiled  # noqa: F401 - it hears of compilations
from entropeg.rules import Rules
from entropeg.search.reach import Reach
from entropeg.search.results import SearchProgress
from entropeg.signals import INTERRUPTED
from entropeg.tree import StrategyTree
from entropeg.tree.optimum import optimal


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["optimal", *arguments], prog_name="entropeg")


def stop_at_once(_: SearchProgress) -> None:
    raise KeyboardInterrupt


def test_the_total_is_printed_as_proven_and_the_tree_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "best.tree"

    result = typed("4x5", "--save", str(path))

    assert result.exit_code == 0
    assert "4x5: total = 2463 guesses over 625 codes" in result.output
    assert StrategyTree.load(path, Rules.parse("4x5")).total == 2463


def test_json_holds_the_same_figures() -> None:
    found = json.loads(typed("3x5", "--worst", "--json").output)

    assert (451, 451, True) == (found["lower"], found["upper"], found["exact"])
    assert found["worst_lower"] == found["worst_upper"] == found["worst"] == len(found["histogram"])
    assert sum(turn * codes for turn, codes in enumerate(found["histogram"], start=1)) == 451


def test_a_limit_that_cannot_be_kept_is_said_to_be_proven() -> None:
    assert "no strategy keeps the limit of 3 guesses (proven)" in typed("4x4", "--limit", "3").output


def test_strategies_of_possible_codes_only(tmp_path: Path) -> None:
    path = tmp_path / "best.json"

    assert "= 455" in typed("3x5", "--consistent-only", "--save", str(path)).output
    assert StrategyTree.load(path).wins.all()


def test_ctrl_c_leaves_the_best_strategy_and_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def interrupting(*_: object) -> Iterator[Callable[[SearchProgress], None]]:
        yield stop_at_once

    monkeypatch.setattr(program, "_progress", interrupting)

    result = typed("4x7", "--json")
    found = json.loads(result.output)

    assert result.exit_code == INTERRUPTED
    assert found["interrupted"]
    assert found["lower"] <= 11228 <= found["upper"]
    assert sum(found["histogram"]) == 7**4


def test_ctrl_c_in_the_search_for_the_least_worst_case_leaves_a_strategy_too() -> None:
    found = optimal(Rules.parse("4x7"), worst=True, progress=stop_at_once)

    assert found.is_interrupted
    assert found.root is not None
    assert found.worst_value is not None
    assert found.worst_value.lower <= 6 <= (found.worst_value.upper or 0)


def test_a_board_out_of_reach_gets_an_estimate_and_bounds() -> None:
    result = typed("4x6", "--memory", "1")

    assert result.exit_code == 0
    assert "2 MB of the 1 MB allowed" in result.output
    assert "raise the memory to 3 MB" in result.output
    assert "and <= 4.4" in result.output


def test_a_vast_board_is_told_apart_from_one_that_needs_more_memory() -> None:
    assert not Reach.of(Rules.parse("8x12")).can_be_raised
    assert Reach.of(Rules.parse("5x8")).can_be_raised
    assert "secrets (at most 65,535)" in " ".join(typed("20x20").output.split())


@pytest.mark.parametrize("board", ["1x300", "100x100", "200x6", "1000x2", "4096x4096"])
@pytest.mark.parametrize("options", [(), ("--worst",), ("--time", "1"), ("--json",)])
def test_boards_beyond_every_float_are_out_of_reach_in_words(board: str, options: tuple[str, ...]) -> None:
    result = typed(board, *options)

    assert result.exit_code == 0
    if options == ("--json",):
        assert 1 <= json.loads(result.output)["mean_lower"]
    else:
        assert f"{board} is out of reach of a proof" in result.output
        assert "mean >= " in result.output


@pytest.mark.parametrize("options", [(), ("--consistent-only",), ("--seed", "3"), ("--limit", "2", "--seed", "1")])
@pytest.mark.parametrize("board", ["1x1", "15x1", "16x1", "300x1", "300x1/black", "300x1/positional"])
def test_a_board_of_one_code_takes_one_guess(board: str, options: tuple[str, ...]) -> None:
    result = typed(board, *options)

    assert result.exit_code == 0
    assert f"{board}: total = 1 guesses over 1 codes" in result.output


def test_a_board_of_too_many_pegs_for_a_proof_is_refused_before_the_search(tmp_path: Path) -> None:
    refused = typed("300x1", "--proof", str(tmp_path / "p"))

    assert refused.exit_code == 2
    assert "proofs are checked of boards of up to 10 pegs, and 300x1 has more" in refused.output


def test_what_a_vast_board_takes_is_told_by_powers_of_ten() -> None:
    told = " ".join(typed("100x100").output.split())

    assert "its about 10^200 secrets against about 10^200 guesses take about 10^394 MB of the 600 MB allowed" in told


def test_a_tree_of_the_one_code_of_a_long_board_has_one_node(tmp_path: Path) -> None:
    path = tmp_path / "long.tree"

    result = CliRunner().invoke(cli.group, ["tree", "build", "entropy", "300x1", "--out", str(path)])

    assert result.exit_code == 0
    assert StrategyTree.load(path, Rules.parse("300x1")).total == 1


def test_a_file_of_no_known_format_is_refused_before_the_search() -> None:
    result = typed("3x3", "--save", "tree.pdf")

    assert result.exit_code != 0
    assert "does not say its format" in result.output


@pytest.mark.parametrize("option", ["--threads", "--memory"])
@pytest.mark.parametrize("value", ["0", "-1", "two", "1.5"])
def test_numbers_that_make_no_sense_are_refused(option: str, value: str) -> None:
    result = typed("3x3", option, value)

    assert result.exit_code == 2
    assert f"Invalid value for '{option}': " in result.output
    assert f"{value} is too small" in result.output or f"'{value}' is not a whole number" in result.output


def test_any_number_of_threads_proves_the_same_total() -> None:
    assert "4x5: total = 2463" in typed("4x5", "--threads", "3").output


def test_the_progress_line_tells_opening_bounds_and_gap() -> None:
    told = SearchProgress((0, 0, 1, 2), 2, 5500, 5700, 1234, 1.4).told(Rules.parse("4x6"))

    assert [
        "total >= 5500 and <= 5700",
        "gap 3.64 %",
        "first guess AABC (2 to settle)",
        "1,234 guesses tried",
    ] == told


def test_the_table_of_boards_settled_is_that_of_the_search() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lookup" / "boards.md").read_text(encoding="utf-8")
    settled, _, _ = page.partition("## How far")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in settled.splitlines() if line.startswith("| `")
    ]

    assert len(rows) > 40
    for board, codes, total, mean, worst, _, lengths, *_ in rows:
        counts = list(map(int, lengths.split()))
        size = int(codes.replace(",", ""))

        assert sum(turn * count for turn, count in enumerate(counts, start=1)) == int(total)
        assert (sum(counts), len(counts), f"{int(total) / size:.4f}") == (size, int(worst), mean)
        rules = Rules.parse(board.strip("`"))
        if size <= 700 and Reach.of(rules).seconds < 2:
            assert optimal(rules).value.lower == int(total)


def test_compilation_is_told_of_once_and_only_where_code_is_compiled() -> None:
    told: list[str] = []

    @numba.njit  # type: ignore[untyped-decorator, unused-ignore]
    def half(x: int) -> int:
        return x // 2

    @numba.njit  # type: ignore[untyped-decorator, unused-ignore]
    def quarter(x: int) -> int:
        return int(half(half(x)))

    with told_of_compilation(lambda: told.append("first")):
        assert 25 == quarter(100)
    with told_of_compilation(lambda: told.append("second")):
        assert 10 == quarter(40)

    assert ["first"] == told


def test_a_command_says_once_that_it_waits_for_the_compiler_also_where_nobody_sees_it() -> None:
    program = """
import sys, types
import click
from entropeg import cli
from entropeg.compiling import compilation_begins
module = sys.modules["slow"] = types.ModuleType("slow")
module.command = click.Command("slow", callback=lambda: [compilation_begins(), compilation_begins()] and None)
cli.LazyGroup(table={"Play": {"slow": ("slow:command", "")}}).main(["slow"])
"""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert "entropeg: compiling for this machine, once; it takes some seconds\n" == done.stderr
