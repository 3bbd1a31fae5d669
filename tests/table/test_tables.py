"""Tables of exact values: sets are those that all histories leave, values those of a plain solver, files whole."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from entropeg import score
from entropeg.cli import group
from entropeg.codes import CodeSet, guesses, secrets
from entropeg.errors import EntropegWarning, InputError, TooLargeError
from entropeg.keys import SetKeys
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.tables import make
from entropeg.search.tables.checking import check_table
from entropeg.search.tables.make import TableProgress, make_table
from entropeg.search.values import PositionValues, values_many
from entropeg.table.stored import files_at_hand, forget, open_table, table_of
from entropeg.table.tablebase import Tablebase
from naive_tablebase import PlainSolver, sets_left
from rooms import cases

PACKAGED = ("4x6", "4x7", "4x8", "bulls-and-cows")


def made(rules: str, turns: int, **options: object) -> Tablebase:
    table = make_table(rules, turns, **options)  # type: ignore[arg-type]
    assert table is not None
    return table


def drawn(rules: Rules, turns: int, rng: Random) -> Position:
    """A position after some guesses, drawn with a secret."""
    every, position = secrets(rules), Position(rules)
    hidden = every[rng.randrange(len(every))]
    for _ in range(turns):
        guess = every[rng.randrange(len(every))]
        position = position.after(guess, score(guess, hidden, rules))
    return position


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's folder of tables, empty."""
    folder = tmp_path / "tables"
    folder.mkdir()
    monkeypatch.setattr("entropeg.table.stored.user_folder", lambda: folder)
    forget()
    yield folder
    forget()


# ------------------------------------------------------------------ which sets there are


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("3x3", 2),
        ("3x4", 2),
        ("2x5", 3),
        ("3x4/black", 2),
        ("3x4/positional", 2),
        ("3x4/membership", 2),
        ("3x4/no-repeats", 2),
        ("3x3/blanks", 2),
        ("3x4/no-repeats/black", 2),
        ("3x4/no-repeats/positional", 2),
        ("3x4/no-repeats/guess-repeats", 2),
    ],
)
def test_a_table_has_the_sets_that_all_histories_leave_and_no_others(name: str, turns: int) -> None:
    rules = Rules.parse(name)
    every, labels = secrets(rules), secrets(rules).labels(guesses(rules))
    level, found = {tuple(range(len(every)))}, set[tuple[int, ...]]()
    for _ in range(turns):
        parts = set()
        for codes in level:
            cut = labels[:, list(codes)]
            for row in np.unique(cut, axis=0):
                for label in set(row.tolist()) - {rules.win_label}:
                    parts.add(tuple(np.array(codes)[row == label].tolist()))
        level = {part for part in parts if len(part) > 2}
        found |= level
    listed = sorted(found - {tuple(range(len(every)))})  # all codes, after a guess of blanks, stand in no table
    starts = np.cumsum([0, *map(len, listed)])
    keys, _ = SetKeys(rules, every).of(np.array([at for one in listed for at in one], np.int32), starts)

    assert np.unique(keys).tolist() == made(name, turns).keys.tolist()


def test_a_table_of_small_sets_only_has_fewer() -> None:
    every, few = made("3x4", 2), made("3x4", 2, least=6, most=9)
    both = np.isin(every.keys, few.keys)

    assert every.totals[both].tolist() == few.totals.tolist()
    assert 0 < few.sets < every.sets
    assert few.value(Position("3x4", ["AAB X"]).candidates) is None


# ------------------------------------------------------------------ what they are worth


def test_every_value_is_that_of_a_plain_solver() -> None:
    table, rules = made("3x4", 2), Rules.parse("3x4")
    codes = list(secrets(rules))
    solver = PlainSolver(codes)
    for level in sets_left(codes, codes, 2):
        for one in list(level)[:: cases(8, 1)]:
            stored = table.value(CodeSet.of(sorted(one), rules))

            assert stored == (solver.total(one), solver.worst(one))


@pytest.mark.parametrize("name", ["4x6", "4x7"])
def test_entries_that_come_with_the_package_are_those_of_a_plain_solver(name: str) -> None:
    rules, rng = Rules.parse(name), Random(11)
    table, every = open_table(name), secrets(rules)
    solver = PlainSolver(list(every))
    tried = 0
    while tried < cases(2, 40):
        position = drawn(rules, table.turns, rng)
        codes = position.candidates
        if not table.least <= len(codes) <= table.least + 4:
            continue
        stored = table.value(codes)

        assert stored is not None
        assert stored.total == solver.total(frozenset(codes))
        tried += 1


def test_bellmans_equation_closes_without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    table = made("3x4", 3)
    monkeypatch.setattr("entropeg.search.tables.worth.BoardValues", None)
    check = check_table(table)

    assert "" == check.fault
    assert 0 < check.tried < table.sets


@pytest.mark.parametrize("what", ["totals", "worsts"])
def test_bellmans_equation_finds_a_value_that_is_wrong_by_one(what: str) -> None:
    table, keys = made("3x3", 2), made("3x3", 1).keys
    for at in np.flatnonzero(np.isin(table.keys, keys)):
        wrong = getattr(table, what).copy()
        wrong[at] += 1
        asked: Any = {what: wrong}
        assert check_table(replace(table, **asked)).fault.startswith("after ")


def test_a_check_in_processes_finds_the_same() -> None:
    table = made("3x4", 3, least=5)
    worsts = table.worsts + (table.keys == made("3x4", 2, least=5).keys[3])
    wrong: Any = {"worsts": worsts.astype(np.uint8)}
    told: list[tuple[int, int]] = []

    assert check_table(table) == check_table(table, executor="processes:2", progress=lambda *at: told.append(at))
    assert check_table(replace(table, **wrong), executor="processes:2").fault.startswith("after ")
    assert [at for at, of in told if at == of] == [of for at, of in told if at == of]
    assert len(told) >= 3


def test_a_set_too_many_and_a_set_too_few_are_found() -> None:
    table = made("3x4", 2)
    some = np.arange(table.sets) != 50
    short = replace(table, keys=table.keys[some], totals=table.totals[some], worsts=table.worsts[some])
    at = np.searchsorted(table.keys, 7)
    more: Any = {name: np.insert(getattr(table, name), at, 7) for name in ("keys", "totals", "worsts")}

    assert check_table(short).fault.endswith("a set is missing")
    assert "it has 1 sets that no 2 guesses leave" == check_table(replace(table, **more)).fault


def test_a_table_without_small_sets_is_checked_with_searched_ones() -> None:
    assert "" == check_table(made("3x4", 2, least=6)).fault


def test_values_of_many_sets_are_those_of_each() -> None:
    rules, rng = Rules.parse("4x6"), np.random.default_rng(4)
    every = secrets(rules)
    sets = [every.take(np.sort(rng.choice(len(every), n, replace=False))) for n in (1, 2, 3, 3, 8, 20, 40)]
    single = []
    for codes in sets:
        values = PositionValues(codes, (), is_all=False)
        with values.opened():
            single.append(values.value().lower)

    assert single == values_many(sets).tolist() == values_many(tuple(sets)).tolist()
    assert [] == values_many([]).tolist()


def test_values_of_many_sets_need_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, rng = Rules.parse("4x6"), np.random.default_rng(6)
    sets = [secrets(rules).take(np.sort(rng.choice(1296, n, replace=False))) for n in (1, 2, 5, 9)]
    compiled = values_many(sets).tolist()
    monkeypatch.setattr("entropeg.kernels.switch.can_compile", lambda: False)

    assert compiled == values_many(sets).tolist()


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        ([CodeSet.of(["AAA"], "3x4/hard")], "under hard rules the value of a set depends on the clues"),
        ([CodeSet.of(["AAA"], "3x4"), CodeSet.of(["AAA"], "3x3")], "the sets are of several boards"),
        ([CodeSet.of([], "3x4")], "one of the sets has no code"),
    ],
)
def test_sets_that_have_no_values_are_refused(sets: list[CodeSet], said: str) -> None:
    with pytest.raises(InputError, match=said):
        values_many(sets)


# ------------------------------------------------------------------ made in pieces, and anywhere


def test_one_process_and_two_make_the_same_bytes() -> None:
    assert made("3x4", 3).to_bytes() == made("3x4", 3, executor="processes:2").to_bytes()


def test_a_table_that_is_interrupted_again_and_again_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make, "PARENTS", 3)
    monkeypatch.setattr(make, "SETS", 100)
    told, whole, calls = list[TableProgress](), made("3x4", 3), 0

    def interrupt(progress: TableProgress) -> None:
        told.append(progress)
        raise KeyboardInterrupt

    table = None
    while table is None:
        calls += 1
        try:
            table = make_table("3x4", 3, checkpoint=tmp_path / "kept", progress=interrupt)
        except KeyboardInterrupt:
            continue

    assert whole.to_bytes() == table.to_bytes()
    assert {2, 3, 0} == {each.turn for each in told}
    assert calls > 10


def test_a_table_whose_time_is_over_goes_on(tmp_path: Path) -> None:
    assert make_table("3x4", 2, time=0, checkpoint=tmp_path / "kept") is None
    assert made("3x4", 2).to_bytes() == made("3x4", 2, checkpoint=tmp_path / "kept").to_bytes()


def test_a_checkpoint_of_another_table_or_of_nothing_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    make_table("3x4", 2, time=0, checkpoint=kept)

    with pytest.raises(InputError, match="is the table in the making of 3x4, 2 turns, 3 to 64 codes, not of 3x4, 3"):
        make_table("3x4", 3, checkpoint=kept)
    kept.write_bytes(kept.read_bytes()[:-100])
    with pytest.raises(InputError, match="kept is not a table in the making, or damaged"):
        make_table("3x4", 2, checkpoint=kept)


@pytest.mark.parametrize(
    ("rules", "error", "said"),
    [
        ("3x4/hard", InputError, "/hard has no table"),
        ("3x4/prior=distinct", InputError, "prior=distinct has no table"),
        ("12x12", TooLargeError, "the positions of 12x12 have no exact values that a table could hold"),
    ],
)
def test_boards_without_tables_are_refused(rules: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        make_table(rules, 1)


# ------------------------------------------------------------------ files


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = made("3x4", 2)
    table.save(tmp_path / "a")
    again = Tablebase.load(tmp_path / "a")

    assert table.to_bytes() == again.to_bytes() == (tmp_path / "a").read_bytes()
    assert again.digest == Tablebase.load(tmp_path / "a", is_checked=False).digest != ""


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda data: data[:-1], "is damaged: a table of 136 sets has 2,280 bytes, and it has 2,279"),
        (lambda data: data[:100], "is damaged: its head cannot be read"),
        (lambda data: data + b"\0", "is damaged: a table of 136 sets"),
        (lambda data: data[:900] + bytes([data[900] ^ 1]) + data[901:], "its values are not those that were written"),
        (lambda data: data.replace(b'"turns": 2', b'"turns": x'), "is damaged: its head cannot be read"),
        (lambda data: data.replace(b'"turns": 2', b'"turns":-2'), "is damaged: its head cannot be read"),
        (
            lambda data: data.replace(b"table 1\n", b"table 0\n"),
            "is a table of another version of entropeg: make it again",
        ),
        (lambda _: b"", "is not a tablebase of entropeg"),
        (lambda _: b"PAR1" * 200, "is not a tablebase of entropeg"),
    ],
)
def test_a_file_that_is_damaged_or_of_others_is_refused_in_a_sentence(
    tmp_path: Path, damage: object, said: str
) -> None:
    file = tmp_path / "a"
    file.write_bytes(damage(made("3x4", 2).to_bytes()))  # type: ignore[operator]

    with pytest.raises(InputError, match=said):
        Tablebase.load(file)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        Tablebase.load(tmp_path / "none")


def test_a_table_is_asked_for_its_own_rules_alone() -> None:
    table = made("3x4", 2)

    with pytest.raises(InputError, match="the table is one of 3x4, not of 3x5"):
        table.value(Position("3x5", ["AAB X"]).candidates)
    assert table.value(Position("3x4/limit=5/digits", ["112 X"]).candidates) == table.value(
        Position("3x4", ["AAB X"]).candidates
    )


def test_positions_outside_have_no_value() -> None:
    table = made("3x4", 1)
    outside = Position("3x4", ["AAA X", "CCD O"]).candidates

    assert table.value(secrets("3x4")) is None
    assert len(outside) > 2
    assert table.value(outside) is None
    assert table.value(outside.take(np.arange(1))) == (1, 1)
    assert table.value(outside.take(np.arange(2))) == (3, 2)


def test_a_full_disk_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, file = made("3x4", 2), tmp_path / "a"
    table.save(file)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    monkeypatch.setattr("os.replace", full)
    with pytest.raises(InputError, match="No space left on device"):
        made("3x4", 1).save(file)
    assert table.to_bytes() == file.read_bytes()


# ------------------------------------------------------------------ tables at hand


@pytest.mark.parametrize("name", PACKAGED)
def test_a_table_comes_with_the_package(name: str) -> None:
    table = open_table(name)

    assert table.rules == Rules.parse(name).board
    assert (3 if name == "4x6" else 2) == table.turns
    assert (np.diff(table.keys) > 0).all()


def test_the_tables_of_the_package_are_small() -> None:
    assert sum(file.stat().st_size for file in files_at_hand() if "data" in file.parts) < 1_500_000


def test_the_table_with_most_sets_is_taken_and_a_damaged_one_is_passed_over(at_home: Path) -> None:
    made("3x4", 2).save(at_home / "3x4-2.table")
    made("3x4", 1).save(at_home / "3x4-1.table")
    made("3x3", 2).save(at_home / "3x4-9.table")
    (at_home / "3x4-3.table").write_bytes(b"nothing")

    with pytest.warns(EntropegWarning, match="is not a tablebase of entropeg.*it is not used"):
        found = table_of(Rules.parse("3x4"))
    assert found is not None
    assert 2 == found.turns
    assert table_of(Rules.parse("3x4/hard")) is None


@pytest.mark.parametrize("name", ["4x7", "bulls-and-cows"])
def test_values_are_the_same_with_a_table_and_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, rng = Rules.parse(name), Random(2)
    every = secrets(rules)
    asked = list[int]()
    look = Tablebase.look

    def told(self: Tablebase, pool: np.ndarray, starts: np.ndarray) -> object:
        asked.append(len(starts) - 1)
        return look(self, pool, starts)

    monkeypatch.setattr(Tablebase, "look", told)
    for _ in range(cases(2, 20)):
        position = drawn(rules, 1, rng)
        both = []
        for table in (table_of(rules.board), None):
            values = PositionValues.of(position)
            assert values.table is table_of(rules.board)
            values.table = table
            with values.opened():
                both.append((values.value(), values.parts_after(every[0])))

        assert both[0] == both[1]
    assert asked


# ------------------------------------------------------------------ the command


def typed(*arguments: str) -> Result:
    forget()
    return CliRunner().invoke(group, ["table", *arguments], prog_name="entropeg")


def test_a_table_is_made_listed_verified_and_probed_at_the_prompt(at_home: Path) -> None:
    assert typed("make", "3x4", "--turns", "2").output.endswith("136 sets of codes after up to 2 guesses\n")
    assert ["3x4-2.table"] == [file.name for file in at_home.iterdir()]
    assert "3x4" in [row["rules"] for row in json.loads(typed("list", "--json").stdout)]
    assert "3x4-2.table" in typed("list").output
    verified = typed("verify", "3x4")
    probe = typed("probe", str(at_home / "3x4-2.table"), "AAB X", "BCD O", "--json")
    codes = Position("3x4", ["AAB X", "BCD O"]).candidates

    assert (0, "all 136 sets are there") == (verified.exit_code, verified.output[:22])
    assert {"codes": len(codes), "total": int(values_many([codes])[0])} == {
        key: json.loads(probe.stdout)[key] for key in ("codes", "total")
    }
    assert typed("probe", "3x4", "AAB X", "BCD O").output.startswith(f"{len(codes)} codes left: ")


def test_a_position_outside_is_none_at_the_prompt(at_home: Path) -> None:
    typed("make", "3x4", "--turns", "1")
    outside = typed("probe", "3x4", "--json")

    assert (1, "null\n") == (outside.exit_code, outside.stdout)
    assert (1, "the table does not have the 64 codes left here\n") == (
        typed("probe", "3x4").exit_code,
        typed("probe", "3x4").output,
    )


def test_a_wrong_table_ends_with_a_code_of_its_own(at_home: Path) -> None:
    table = made("3x4", 2)
    wrong = replace(table, totals=table.totals + (table.keys == made("3x4", 1).keys[0]))
    wrong.save(at_home / "3x4-2.table")
    found = typed("verify", "3x4")

    assert 1 == found.exit_code
    assert "3x4 is wrong: after " in found.output
    assert json.loads(typed("verify", "3x4", "--json").stdout)["fault"].startswith("after ")


def test_time_that_is_over_leaves_a_checkpoint_from_which_the_command_goes_on(at_home: Path) -> None:
    first = typed("make", "3x4", "--turns", "2", "--time", "0")
    left = [file.name for file in at_home.iterdir()]
    typed("make", "3x4", "--turns", "2")

    assert 1 == first.exit_code
    assert "the time is over; the same command goes on from " in first.output.replace("\n", " ")
    assert ["3x4-2.table.part"] == left
    assert made("3x4", 2).to_bytes() == (at_home / "3x4-2.table").read_bytes()


def test_two_processes_that_make_the_same_table_leave_one(at_home: Path) -> None:
    out = at_home / "3x4-2.table"
    command = [sys.executable, "-m", "entropeg", "table", "make", "3x4", "--turns", "2", "--out", str(out)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate() for process in both]

    assert [0, 0] == [process.returncode for process in both], said
    assert [out] == [*at_home.iterdir()]
    assert made("3x4", 2).to_bytes() == out.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["probe", "4x5"], "there is no table of 4x5: `entropeg table make 4x5 --turns 2` makes one"),
        (["probe", "nowhere"], "'nowhere' is not a board"),
        (["probe", "./nowhere"], "nowhere cannot be read: No such file or directory"),
        (["verify", "-"], "the table is read and written in turn: name a file, not -"),
        (["make", "3x4/hard", "--turns", "1"], "has no table"),
        (["make", "3x4", "--turns", "0"], "0 is too small: it is at least 1"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(at_home: Path, arguments: list[str], said: str) -> None:
    refused = typed(*arguments)

    assert 2 == refused.exit_code
    assert said in " ".join(refused.output.split())


def test_a_file_of_another_kind_is_not_replaced(at_home: Path) -> None:
    (at_home / "3x4-1.table").write_text("mine")

    assert 2 == typed("make", "3x4", "--turns", "1").exit_code
    assert "mine" == (at_home / "3x4-1.table").read_text()
    assert 0 == typed("make", "3x4", "--turns", "1", "--force").exit_code


def test_a_table_is_exported(at_home: Path) -> None:
    polars = pytest.importorskip("polars")
    table = made("3x4", 2)
    table.save(at_home / "3x4-2.table")

    assert 0 == typed("export", "3x4", str(at_home / "a.parquet")).exit_code
    frame = polars.read_parquet(at_home / "a.parquet")
    assert table.keys.tolist() == frame["key"].to_list()
    assert table.totals.tolist() == frame["total"].to_list()
