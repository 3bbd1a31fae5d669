"""Strategies beyond proof: kernels against plain Python, known optima from both sides, every tree replayed."""

from __future__ import annotations

import itertools
import json
import math
import signal
import threading
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import naive
from entropeg import cli
from entropeg.codes import guesses
from entropeg.errors import InputError, TooLargeError
from entropeg.rules import Rules
from entropeg.search.beam import board as board_module
from entropeg.search.beam import near as near_module
from entropeg.search.beam import optimum
from entropeg.search.beam.board import Answer, Board, Buffer, Section, WholeSymmetry, bits_of
from entropeg.search.beam.kernels import LARGEST_SMALL, SAMPLED
from entropeg.search.beam.known_sets import KnownSets
from entropeg.search.beam.near import Near
from entropeg.search.beam.optimum import Keeper, near_optimal
from entropeg.search.beam.threads import LabelWorker, Stopped, Worker
from entropeg.search.exact.layout import shell_order
from entropeg.search.known import known_values
from entropeg.search.preparing import rows_of
from entropeg.search.proving.solving import is_beyond_proof
from entropeg.search.results import SearchProgress, Solution
from entropeg.tree import StrategyTree, tree_of_nodes
from entropeg.tree.optimum import optimal
from naive_exact import score

pytestmark = pytest.mark.kernels

Array = np.ndarray

# Proven totals (docs/lookup/boards.md).
TOTALS = {"3x7": 1474, "4x4": 905, "4x5": 2463, "4x6": 5625, "5x3": 816, "4x6/no-repeats": 1446, "5x5/no-repeats": 535}


def board_of(name: str) -> Board:
    return Board.of(Rules.parse(name))


def worker_of(near: Near) -> LabelWorker:
    assert near.board.whole is not None
    return LabelWorker(near.board.whole, near.model, near.threads.shared, near.threads.learned[0])


def check(found: Solution) -> int:
    """Play every secret through the strategy; its total."""
    assert found.root is not None
    tree = tree_of_nodes(found.root, found.rules).check()

    assert tree.total == found.total == found.value.upper
    assert sum(tree.histogram) == found.size == found.rules.secret_count
    return tree.total


def kind_of(board: Board) -> int:
    return naive.STANDARD if board.by_color else naive.BLACK


def guess_of(board: Board, guess: int) -> naive.Code:
    return tuple(board.guesses[guess].tolist())


def listed(board: Board, codes: Array) -> list[naive.Code]:
    return [tuple(code) for code in board.secrets[codes].tolist()]


def some_codes(board: Board, count: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return np.sort(rng.choice(len(board.secrets), count, replace=False)).astype(np.int32)


@pytest.mark.parametrize(
    ("name", "count"), [("4x5", 5), ("4x5", 61), ("3x6", 120), ("4x6/no-repeats", 120), ("6x2", 64), ("7x2", 99)]
)
def test_the_best_columns_are_those_of_a_plain_count(name: str, count: int) -> None:
    near = Near(board_of(name), threads=1)
    board, estimate = near.board, near.model.tables.estimate.tolist()
    codes = some_codes(board, count, count)

    found, scores = worker_of(near).best_guesses(codes, 20)

    def plain(guess: int) -> float:
        return naive.estimate(kind_of(board), guess_of(board, guess), listed(board, codes), estimate)

    every = sorted(map(plain, range(len(board.guesses))))
    assert [plain(guess) for guess in found.tolist()] == pytest.approx(scores.tolist(), rel=1e-5)
    assert scores[0] == pytest.approx(every[0], rel=1e-5)
    if count > 5:  # in few codes some color is missing, and guesses that differ in such colors are looked at once
        assert scores.tolist() == pytest.approx(every[:20], rel=1e-5)


@pytest.mark.parametrize("name", ["4x5", "2x33", "4x4/black"])  # codes of 2x33 take two words of bits
def test_a_set_is_looked_at_by_some_of_its_own_codes(name: str) -> None:
    near = Near(board_of(name), threads=1)
    board, worker, estimate = near.board, worker_of(near), near.model.tables.estimate.tolist()
    codes = some_codes(board, 70, 7)
    mine = listed(board, codes)
    looked_at = [mine[k * len(mine) // SAMPLED] for k in range(SAMPLED)]

    expected = min(naive.estimate(kind_of(board), code, mine, estimate) for code in looked_at)
    quick, close = worker.looked_at(codes, worker.best_guesses(codes, 20)[0])
    assert quick == pytest.approx(expected, rel=1e-5)
    assert 2 * len(codes) - 1 <= close


@pytest.mark.slow
@pytest.mark.parametrize("small", [4, 30])
@pytest.mark.parametrize("name", ["4x4", "4x4/black", "2x33", "3x4/no-repeats"])
def test_guesses_are_worth_what_the_slow_twin_says_and_each_partition_is_looked_at_once(name: str, small: int) -> None:
    near = Near(board_of(name), threads=1)
    near.model.small = small
    board, worker, tables = near.board, worker_of(near), near.model.tables
    codes = some_codes(board, min(90, len(board.secrets)), 5)
    kind, mine = kind_of(board), listed(board, codes)
    learned = tables.estimate.tolist(), tables.missed.tolist(), tables.mean.tolist(), small, SAMPLED

    taken, (totals, _, _) = worker.estimated(codes, np.arange(len(board.guesses)), len(board.guesses))

    seen = set()
    expected = {}
    for number, guess in enumerate(map(tuple, board.guesses.tolist())):
        parts = naive.split(kind, guess, mine)
        several = frozenset(tuple(part) for part in parts.values() if len(part) > 1), guess in mine
        if len(parts) > 1 and several not in seen:
            worths = [naive.worth(kind, part, *learned) for part in parts.values() if part != [guess]]
            expected[number] = len(mine) + sum(worths)
        seen.add(several)
    assert expected == pytest.approx(dict(zip(taken.tolist(), totals.tolist(), strict=True)), rel=1e-5)


def test_a_guess_is_given_up_as_soon_as_it_cannot_be_better() -> None:
    near = Near(board_of("4x5"), threads=1)
    worker = worker_of(near)
    codes = np.flatnonzero(near.board.secrets[:, 0] == 1)[:60].astype(np.int32)
    guess = int(worker.best_guesses(codes, 1)[0][0])
    parts = worker.split(codes, guess)
    expected = len(codes) + sum(worker.solve(part, 1 << 22) for part in parts)

    assert worker.solve_parts(codes, guess, expected + 1, 0.0, 0.0)[:2] == (True, expected)
    fresh = Near(board_of("4x5"), threads=1)
    assert worker_of(fresh).solve_parts(codes, guess, expected, 0.0, 0.0)[0] is False


def test_small_are_the_sets_that_are_solved_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    near = Near(board_of("4x6"), threads=1)
    near.learn(near.order[-1])
    monkeypatch.setattr(near_module, "MOST_TRIED", 0)
    other = Near(board_of("4x6"), threads=1)
    other.learn(other.order[-1])

    assert (near_module.SMALL_SIZES[-1], near_module.SMALL_SIZES[0]) == (near.model.small, other.model.small)


@pytest.mark.parametrize("name", ["4x4", "3x5/no-repeats", "3x4/black", "3x3/blanks"])
def test_parts_are_those_of_the_slow_score(name: str) -> None:
    near = Near(board_of(name), threads=1)
    board = near.board
    everything = np.arange(len(board.secrets), dtype=np.int32)

    for guess in range(0, len(board.guesses), 7):
        split = naive.split(kind_of(board), guess_of(board, guess), listed(board, everything))
        expected = [part for part in split.values() if part != [guess_of(board, guess)]]
        parts = worker_of(near).split(everything, guess)

        assert sorted(expected) == sorted(listed(board, part.codes) for part in parts)
        assert all(board.name(part.codes) == part.name for part in parts)


def test_bits_of_many_colors_take_several_words() -> None:
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 30, (40, 4)).astype(np.uint8)
    bits = bits_of(codes, 30, by_color=True)

    assert bits.shape == (40, 2, 2)
    for a in range(0, 40, 3):
        for b in range(40):
            blacks, whites = score(tuple(codes[a].tolist()), tuple(codes[b].tolist()))
            black, common = np.bitwise_count(bits[a] & bits[b]).sum(axis=1)

            assert (blacks, blacks + whites) == (black, common)


def test_symmetric_guesses_share_a_key_and_no_others() -> None:
    board = board_of("3x4")
    opening = board.guesses.tolist().index([0, 0, 1])
    before = WholeSymmetry(board.guesses, board.symbols, board.blank)
    after = before.after(opening)
    everything = np.arange(len(board.guesses))

    # Three kinds of openings on three pegs; after AAB the first two pegs may change places, and so may C and D.
    assert len(before.places_of_first(everything)) == 3
    orbits = {
        min(tuple(name[c] for c in (code if order else (code[1], code[0], code[2])))
            for name in ((0, 1, 2, 3), (0, 1, 3, 2)) for order in (True, False))
        for code in map(tuple, board.guesses.tolist())
    }  # fmt: skip
    assert len(set(after.keys(everything).tolist())) == len(orbits)


@pytest.mark.parametrize("name", ["3x4", "4x3/blanks", "2x6/no-repeats", "3x3/blanks", "7x2", "4x4/black"])
def test_openings_and_second_guesses_are_the_first_of_their_orbits(name: str) -> None:
    """Orbits by brute force: every permutation of pegs and colors that takes the guesses before to themselves."""
    near = Near(board_of(name), threads=1)
    board = near.board
    codes, named = [tuple(code) for code in board.guesses.tolist()], range(board.symbols)
    group = [
        (order, names)
        for order in itertools.permutations(range(len(codes[0])))
        for names in itertools.permutations(named)
        if board.blank is None or names[board.blank] == board.blank
    ]

    def first_of_orbits(kept: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> list[int]:
        images = ({tuple(names[code[peg]] for peg in order) for order, names in kept} for code in codes)
        place = {code: at for at, code in enumerate(codes)}
        return [at for at, orbit in enumerate(images) if at == min(place[code] for code in orbit)]

    assert first_of_orbits(group) == board.openings().tolist()
    for opening in board.openings().tolist():
        kept = [one for one in group if tuple(one[1][codes[opening][peg]] for peg in one[0]) == codes[opening]]
        everything = np.arange(len(codes))
        expected = everything if (found := board.symmetry((opening,))) is None else found.places_of_first(everything)
        firsts = first_of_orbits(kept)

        # On seven pegs of one color not all exchanges are tried: then there are more classes, each of one orbit.
        assert set(firsts) <= set(expected.tolist())
        assert len(firsts) == len(expected) or len(kept) > 720 * math.factorial(board.symbols)


def test_boards_of_many_pegs_have_few_openings() -> None:
    """One for each way to write the pegs as a sum of so many numbers: 715, 1,094 and 3,281 codes come in order."""
    assert [11, 10, 12] == [len(Near(board_of(name), threads=1).order) for name in ("7x4", "8x3", "9x3")]


def test_after_two_guesses_symmetry_keeps_both_in_place() -> None:
    near = Near(board_of("7x3"), threads=1)
    number = {tuple(code): i for i, code in enumerate(near.board.guesses.tolist())}
    opening = number[0, 0, 0, 1, 1, 2, 2]

    assert len(near.board.first_of_each(np.arange(3**7), (opening,))) < 3**7 / 10
    assert near.board.symmetry((opening, number[0, 1, 2, 0, 1, 0, 1])) is None
    assert near.board.symmetry((opening, number[0, 1, 1, 0, 1, 0, 1])) is not None


@pytest.mark.parametrize("name", ["3x8", "6x2", "2x10"])
def test_no_bound_of_an_answer_is_above_its_least_total(name: str) -> None:
    near = Near(board_of(name), threads=1)
    worker = worker_of(near)
    before = near.bounds.lower
    near.bounds.raise_all()

    assert near.bounds.lower > before
    for opening in near.order:
        for answer in near.board.answers(opening):
            if 2 < len(answer.rows) <= LARGEST_SMALL:
                assert near.bounds.of_answer[answer.name] <= worker.solve(worker.subset(answer), 1 << 22)


def test_without_symmetry_to_speak_of_bounds_go_by_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    near = Near(board_of("3x5"), threads=1)
    monkeypatch.setattr(near.board, "second_guesses", lambda _opening: None)
    before = near.bounds.lower

    near.bounds.raise_all()

    assert ({}, before) == (near.bounds.of_answer, near.bounds.lower)


@pytest.mark.parametrize("name", TOTALS)
def test_the_optimum_lies_between_the_bound_and_the_strategy(name: str) -> None:
    found = near_optimal(Rules.parse(name), 2.0)

    assert found.value.lower <= TOTALS[name] <= check(found)


def test_without_a_limit_of_time_the_search_ends_close_to_the_optimum() -> None:
    near = Near(board_of("4x6"), threads=2)
    near.run()

    assert 5625 <= near.tree().total <= 5630
    assert 5300 <= near.bounds.lower <= 5625


@pytest.mark.parametrize("call", [1, 5, 15])
def test_what_is_found_as_the_time_ends_is_in_the_strategy(call: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time may also end while a strategy that was found is written down."""
    near = Near(board_of("4x7"), threads=1)
    write, calls = near.known.write, itertools.count(1)

    def interrupted(worker: Worker, answer: Answer) -> None:
        if isinstance(worker, LabelWorker) and next(calls) == call:
            raise Stopped
        write(worker, answer)

    monkeypatch.setattr(near.known, "write", interrupted)

    near.run()

    assert next(calls) > call
    assert near.tree().total == near.known.total(near.best_opening())


@pytest.mark.parametrize("name", ["3x5/black", "4x4/blanks", "4x4/blanks-in-secrets", "4x5/no-repeats/guess-repeats"])
def test_rules_of_other_kinds(name: str) -> None:
    rules = Rules.parse(name)
    found = near_optimal(rules, 1.0)

    least = optimal(rules).value.lower
    assert found.value.lower <= least <= check(found)


def test_large_boards_are_searched_one_answer_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "MOST_LABELS_HELD", 0)

    near = Near(board_of("4x5"), threads=2)
    near.run()

    assert near.board.whole is None
    assert 2463 <= near.tree().total <= 2470
    assert tree_of_nodes(near.tree(), "4x5").check().total == near.tree().total


def test_where_the_time_is_too_short_the_strategy_is_quick_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "MOST_LABELS_HELD", 0)
    made = count_sections(monkeypatch)

    found = near_optimal(Rules.parse("4x6"), 0.0)
    output = CliRunner().invoke(cli.group, ["optimal", "4x7", "--time", "0"], prog_name="entropeg").output

    assert found.is_hasty
    assert made == []
    assert 5625 <= check(found) <= 5700
    assert "no answer to the first guess was searched" in output


def count_sections(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Sizes of the sections made from now on."""
    made: list[int] = []
    section = Board.section

    def counted(board: Board, rows: Array, buffers: tuple[Buffer, Buffer]) -> Section:
        made.append(len(rows))
        return section(board, rows, buffers)

    monkeypatch.setattr(Board, "section", counted)
    return made


def test_no_answer_is_begun_after_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "MOST_LABELS_HELD", 0)
    made = count_sections(monkeypatch)
    near = Near(board_of("4x5"), threads=1, seconds=50.0, began=0.0, timer=lambda: 99.0 if len(made) >= 3 else 1.0)

    near.run()

    # The third was begun in time; what was found of it, and of those before, belongs to the strategy.
    assert len(made) == 3
    assert tree_of_nodes(near.tree(), "4x5").check().total == near.tree().total >= 2463


def test_ctrl_c_ends_the_search_of_a_large_board_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "MOST_LABELS_HELD", 0)
    made = count_sections(monkeypatch)
    near = Near(board_of("4x6"), threads=2)
    stopped: list[int] = []

    def stop() -> None:
        if made and not stopped:
            stopped.append(len(made))
            raise KeyboardInterrupt

    near.progress = stop
    near.run()

    assert near.clock.cancelled
    assert len(made) <= stopped[0] + 2  # of each thread at most the one that it was about to begin
    assert tree_of_nodes(near.tree(), "4x6").check().total >= 5625


def test_a_checkpoint_is_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "search"
    rules = Rules.parse("4x6")

    first = near_optimal(rules, 1.0, checkpoint=path)
    second = near_optimal(rules, 1.0, checkpoint=path)

    assert check(second) <= check(first)
    assert second.value.lower >= first.value.lower
    with pytest.raises(InputError, match="another kind"):
        near_optimal(Rules.parse("4x5"), 0.1, checkpoint=path)
    path.write_bytes(path.read_bytes()[:-400])
    with pytest.raises(InputError, match="damaged"):
        near_optimal(rules, 0.1, checkpoint=path)


def test_a_checkpoint_of_an_earlier_version_is_gone_on_from(tmp_path: Path) -> None:
    path = tmp_path / "search"
    written = Path(__file__).parents[1] / "earlier" / "3x3-near.search"  # by commit a021629
    path.write_bytes(written.read_bytes())

    found = near_optimal(Rules.parse("3x3"), 0.0, checkpoint=path)

    assert (73, 73) == (found.value.lower, check(found))


def test_bounds_that_older_checkpoints_keep_are_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "search"
    rules = Rules.parse("4x4")
    near_optimal(rules, 0.5, checkpoint=path)
    with np.load(path) as saved:
        data: dict[str, Any] = {name: saved[name] for name in saved.files}
    with path.open("wb") as file:
        np.savez_compressed(file, bounded=data["names"][:1], lower=np.array([1000]), **data)

    assert near_optimal(rules, 0.0, checkpoint=path).value.lower <= 905


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_stopped_early_the_strategy_is_complete_all_the_same(seconds: float) -> None:
    def stop_at_once(_: SearchProgress) -> None:
        raise KeyboardInterrupt

    found = near_optimal(Rules.parse("4x6"), seconds, progress=stop_at_once if seconds else None)

    assert found.is_interrupted == (seconds > 0)
    assert found.value.lower <= 5625 <= check(found)


@pytest.mark.usefixtures("ctrl_c_is_heard")
@pytest.mark.parametrize(("owner", "step"), [(Near, "tree"), (KnownSets, "write"), (Keeper, "save")])
def test_ctrl_c_while_the_result_is_written_down_loses_nothing(
    owner: type, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    done = getattr(owner, step)

    def interrupted(*given: Any) -> Any:
        if threading.current_thread() is threading.main_thread():
            called.append(step)
            if len(called) == 1:
                signal.raise_signal(signal.SIGINT)
        return done(*given)

    near = Near(board_of("4x4"), threads=1)
    near.board.prepare(near.order[-1])
    unfinished = worker_of(near), near.board.answers(near.order[-1])[0]
    near.known.write(*unfinished)
    near.threads.unfinished.append(unfinished)
    monkeypatch.setattr(owner, step, interrupted)
    near.finish()
    found = near_optimal(Rules.parse("4x4"), 0.0, checkpoint=tmp_path / "search")

    assert found.is_interrupted or near.clock.cancelled
    assert 905 <= check(found)
    assert (tmp_path / "search").exists()


def test_an_error_in_the_report_of_progress_ends_the_threads() -> None:
    near = Near(board_of("4x4"), threads=1)
    done: list[int] = []

    def broken() -> None:
        raise BrokenPipeError

    near.progress = broken
    many = [near.board.answers(near.order[-1])[0]] * 100_000

    def task(*_: Any) -> None:
        done.append(1)
        sleep(0.001)

    with pytest.raises(BrokenPipeError):
        near.threads.for_each_quickly(task, many)

    assert len(done) < len(many)


def test_a_checkpoint_needs_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        near_optimal(Rules.parse("3x3"), 0.0, checkpoint=tmp_path / "none" / "search")


def test_a_proof_is_tried_where_time_allows() -> None:
    assert not is_beyond_proof(Rules.parse("4x6"), 1.0)
    assert is_beyond_proof(Rules.parse("5x7"), 60.0)
    assert not is_beyond_proof(Rules.parse("8x12"), 60.0)


def test_checkpoints_of_proofs_are_told_from_those_of_searches(tmp_path: Path) -> None:
    proof, search = tmp_path / "proof", tmp_path / "search"
    proof.write_text("{}")
    search.write_bytes(b"PK and so on")

    assert [False, True] == [is_beyond_proof(Rules.parse("5x6"), 9.0, path) for path in (proof, search)]
    assert not is_beyond_proof(Rules.parse("5x6"), 9.0, tmp_path / "new")
    assert not is_beyond_proof(Rules.parse("5x8"), 9.0, tmp_path / "new")  # of some hours, which may be those of calls
    assert is_beyond_proof(Rules.parse("6x6"), 9.0, tmp_path / "new")


def test_boards_too_large_are_refused() -> None:
    with pytest.raises(TooLargeError, match="at most 65,535"):
        optimum.check_size(Rules.parse("8x12"))
    with pytest.raises(TooLargeError, match="at most 63"):
        optimum.check_size(Rules.parse("10x2"))


def test_the_command_says_bounds_and_gap() -> None:
    arguments = ["optimal", "4x7", "--time", "0.2", "--json"]
    found = json.loads(CliRunner().invoke(cli.group, arguments, prog_name="entropeg").output)

    assert found["lower"] <= 11228 <= found["upper"]
    assert 7**4 == sum(found["histogram"])
    assert LARGEST_SMALL < 7**4


@pytest.mark.parametrize("name", ["5x7", "5x8", "6x6"])
def test_the_stored_strategies_make_the_totals_of_the_page(name: str) -> None:
    docs = Path(__file__).parents[2] / "docs"
    page = (docs / "lookup" / "boards.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if f"| {name} |" in line]
    total, _, mean, worst = [cell.strip() for cell in row.strip("|").split("|")][1:5]
    tree = StrategyTree.load(docs / "trees" / f"{name}.tree", Rules.parse(name))

    assert (total, mean, worst) == (str(tree.total), f"{tree.mean:.4f}", str(tree.worst))


def test_the_best_strategy_of_5x8_is_kept_and_finds_every_code() -> None:
    docs = Path(__file__).parents[2] / "docs"
    tree = StrategyTree.load(docs / "trees" / "5x8-AABCD.tree", Rules.parse("5x8")).check()
    [known] = [each for each in known_values(Rules.parse("5x8")) if each.strategy == "best strategy found"]

    assert (tree.total, tree.worst) == (known.total, known.worst) == (178325, 7)


def test_guesses_have_the_same_numbers_in_files_however_boards_sort_them(tmp_path: Path) -> None:
    rules, board = Rules.parse("5x4"), Board.of(Rules.parse("5x4"))
    codes = rows_of(guesses(rules))
    listed = codes[shell_order(codes)]
    near_optimal(rules, 0.3, threads=1, checkpoint=tmp_path / "search")

    with np.load(tmp_path / "search") as data:
        openings = {tuple(listed[number].tolist()) for number in data["order"]}

    assert not np.array_equal(listed, board.guesses)
    assert openings == {tuple(board.guesses[row].tolist()) for row in board.openings()}
