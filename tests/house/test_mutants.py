"""Mutants: what is changed in a source, which ones a seed draws, and how the code of a function is replaced."""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mutants import Tried, files_of, folder_of, rooms
from mutations import Mutant, mutants_of, sample
from touched import TESTED_BY
from trials import Trials, swap

SOURCE = '''
from functools import cache
LIMIT = 3

def below(number: int = 1) -> bool:
    """Whether a number is small."""
    assert number > 0
    return number < LIMIT

class Counted:
    """Has a number."""

    size: int = 2

    @property
    def next(self) -> int:
        """One more."""
        return self.size + 1

@kernel
def fast(a):
    return a + 1
'''


def names(source: str) -> list[str]:
    return [mutant.name for mutant in mutants_of("m", source)]


def test_bodies_of_functions_are_changed_and_nothing_else() -> None:
    expected = [
        "m:below: return number < LIMIT -> return None",
        "m:below: number < LIMIT -> (number <= LIMIT)",
        "m:Counted.next: return self.size + 1 -> return None",
        "m:Counted.next: self.size + 1 -> (self.size - 1)",
        "m:Counted.next: 1 -> 2",
    ]

    assert expected == names(SOURCE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("not a", "a"),
        ("a and b", "(a or b)"),
        ("f(a, b=c)", "f(a)"),
        ("a if b else c", "(c if b else a)"),
        ("min(a)", "max"),
        ("'word'", "'XXwordXX'"),
        ("True", "False"),
    ],
)
def test_a_mutant_has_something_else_in_one_place(before: str, after: str) -> None:
    found = mutants_of("m", f"def f(a, b, c):\n    é = 'é', {before}\n")

    assert after in {mutant.after.strip("()") if after == "a" else mutant.after for mutant in found}


def test_sentences_are_left_to_the_tests_of_texts() -> None:
    assert [] == names("def f():\n    g('two words', f'{1}')\n")[2:]


def test_a_seed_draws_the_same_mutants_whatever_else_changes() -> None:
    module = "\n".join(f"def f{number}(a):\n    return a + {number}" for number in range(20))
    drawn = [mutant.name for mutant in sample(mutants_of("m", module), 10, 1)]
    again = [mutant.name for mutant in sample(mutants_of("m", f"# A line.\n\n{module}"), 10, 1)]

    assert drawn == again
    assert drawn != [mutant.name for mutant in sample(mutants_of("m", module), 10, 2)]


def test_mutants_of_one_text_are_told_apart() -> None:
    expected = ["m:f: 1 -> 2", "m:f: 1 -> 2 (2)"]

    assert expected == [name for name in names("def f():\n    return 1 + 1\n") if "1 -> 2" in name]


def test_a_diff_shows_the_line() -> None:
    [mutant] = [mutant for mutant in mutants_of("m", SOURCE) if mutant.after == "(number <= LIMIT)"]

    assert ["-    return number < LIMIT", "+    return (number <= LIMIT)"] == mutant.diff(SOURCE).splitlines()[2:4]


def imported(folder: Path, source: str) -> Any:
    path = folder / "small_module.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("small_module", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def change(folder: Path, source: str, function: str, after: str) -> None:
    found = mutants_of("small_module", source)
    mutant = next(mutant for mutant in found if (mutant.function, mutant.after) == (function, after))
    swap(folder / mutant.file, source, mutant.source(source))


def test_functions_that_are_there_already_take_the_changed_code(tmp_path: Path) -> None:
    source = SOURCE[: SOURCE.index("@kernel")]
    module = imported(tmp_path, source)
    below, counted = module.below, module.Counted()

    assert (False, 3) == (below(3), counted.next)
    change(tmp_path, source, "below", "(number <= LIMIT)")
    assert below(3)
    change(tmp_path, source, "Counted.next", "(self.size - 1)")
    assert counted.next == 1


NESTED = """
def total(numbers):
    return sum(
        2 * number
        for number in numbers
    )

def adder(more):
    def add(number):
        return number + more
    return add

class Named(dict):
    def __str__(self):
        return f"named {super().__str__()}"
"""


def test_a_change_may_remove_a_generator(tmp_path: Path) -> None:
    module = imported(tmp_path, NESTED)
    total, adder = module.total, module.adder

    assert (6, 3) == (total([1, 2]), adder(1)(2))
    change(tmp_path, NESTED, "total", "return None")
    assert (None, 3) == (total([1, 2]), adder(1)(2))


def test_a_change_may_remove_all_that_reads_a_closure(tmp_path: Path) -> None:
    module = imported(tmp_path, NESTED)
    add, named = module.adder(1), module.Named()

    assert (3, "named {}") == (add(2), named.__str__())
    change(tmp_path, NESTED, "adder.add", "return None")
    change(tmp_path, NESTED, "Named.__str__", "return None")
    assert (None, None) == (add(2), named.__str__())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="mutants are tried by fork")
@pytest.mark.parametrize(("after", "is_tried"), [("return 2", True), ("return )", False)])
def test_what_ends_before_a_test_begins_is_noticed_by_no_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: str, is_tried: bool
) -> None:
    source = "def f():\n    return 1\n"
    (tmp_path / "m.py").write_text(source, encoding="utf-8")
    begin = source.index("return")
    item: Any = SimpleNamespace(nodeid="test_m.py::test", config=SimpleNamespace())
    item.config.hook = SimpleNamespace(pytest_runtest_protocol=lambda **_: os._exit(3))
    trials = Trials([Mutant("m", "f", 2, 2, begin, len(source) - 1, "return 1", after)], tmp_path / "results")
    trials.items, trials.starters = {item.nodeid: item}, {item.nodeid}
    monkeypatch.setattr("trials.PACKAGE", tmp_path)
    trials.try_one(0, is_on_disk=False)
    facts = json.loads((tmp_path / "results").read_text(encoding="utf-8"))

    assert is_tried == facts["is_tried"]
    assert facts["noticed"] is not None


def test_what_cannot_be_tried_counts_neither_as_noticed_nor_as_survivor() -> None:
    drawn = mutants_of("m", SOURCE)[:3]
    tried = Tried("m", 5, drawn)
    for number, (noticed, is_tried) in enumerate([("test_m.py::test", True), (None, True), ("raised", False)]):
        tried.found[number] = {"noticed": noticed, "is_tried": is_tried, "is_reached": True}

    assert ([0], [1]) == (tried.those(noticed=True), tried.those(noticed=False))
    assert ["m", "5", "2", "1", "1", "50", "%"] == tried.row().split()


def test_every_room_is_tried_with_tests_that_are_there() -> None:
    assert "small_module" not in sys.modules
    for room in rooms():
        assert files_of(room)
        assert Path(folder_of(room)).is_dir(), room
    assert set(TESTED_BY) - {"data"} <= set(rooms())
