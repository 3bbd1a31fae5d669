"""Mutants: what is changed in a source, which ones a seed draws, and how the code of a function is replaced."""

import importlib.util
import sys
from pathlib import Path

import pytest
from mutants import files_of, folder_of, rooms
from mutations import Mutant, mutants_of, sample
from touched import TESTED_BY
from trials import swap

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


def test_functions_that_are_there_already_take_the_changed_code(tmp_path: Path) -> None:
    source = SOURCE[: SOURCE.index("@kernel")]
    path = tmp_path / "small_module.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("small_module", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    below, counted = module.below, module.Counted()

    def changed(after: str) -> Mutant:
        return next(mutant for mutant in mutants_of("m", source) if mutant.after == after)

    assert (False, 3) == (below(3), counted.next)
    swap(path, source, changed("(number <= LIMIT)").source(source))
    assert below(3)
    swap(path, source, changed("(self.size - 1)").source(source))
    assert counted.next == 1


def test_every_room_is_tried_with_tests_that_are_there() -> None:
    assert "small_module" not in sys.modules
    for room in rooms():
        assert files_of(room)
        assert Path(folder_of(room)).is_dir(), room
    assert set(TESTED_BY) - {"data"} <= set(rooms())
