"""Names that were promised are still there, and are called as before; what is promised now has been written down."""

from __future__ import annotations

import re
import types
import warnings
from pathlib import Path

import pytest
from public_names import ROOMS, broken, earlier, found, line_of, merged, name_of

ROOT = Path(__file__).parent.parent.parent


def test_every_name_that_was_promised_works_as_before() -> None:
    wrong = [broken(line, line_of(name_of(line))) for line in earlier()]

    assert [each for each in wrong if each] == []
    assert len(earlier()) > 500


def test_every_name_that_is_promised_is_written_down() -> None:
    assert merged() == earlier(), "scripts/public_names.py says how names are added"


def test_the_page_on_stability_names_the_rooms_whose_names_are_promised() -> None:
    text = (ROOT / "docs" / "lookup" / "stability.md").read_text(encoding="utf-8")
    [listed] = re.findall(r"rooms whose names are promised: (.+?)\.\n", text, re.DOTALL)

    assert tuple(re.findall(r"`entropeg\.(\w+)`", listed)) == ROOMS


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("e.f(a, b=)", "e.f(a, b=)", ""),
        ("e.f(a, b=)", "e.f(a, b=, c=)", ""),
        ("e.f(a, *, b=)", "e.f(a, *, c=, b=)", ""),
        ("e.f(a)", "e.f(a=)", ""),
        ("e.f(a, *, b=)", "e.f(a, **options)", ""),
        ("e.C", "e.C(a)", ""),
        ("e.f(a, b=)", None, "e.f is gone"),
        ("e.f()", "e.f", "e.f cannot be called any more"),
        ("e.f(a, b=)", "e.f(a)", "e.f takes no b any more"),
        ("e.f(a, b)", "e.f(b, a)", "e.f takes its first values in another order"),
        ("e.f(a, b=)", "e.f(a, *, b=)", "e.f takes its first values in another order"),
        ("e.f(a, b=)", "e.f(a, b)", "e.f cannot do without b any more"),
        ("e.f(a)", "e.f(a, b)", "e.f asks for b, too"),
    ],
)
def test_what_would_break_the_code_of_others_is_noticed(before: str, now: str | None, said: str) -> None:
    assert broken(before, now) == said


def test_a_name_that_warns_of_its_end_is_still_there(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("entropeg")

    def __getattr__(name: str) -> int:  # noqa: N807  # Python's own name for it
        warnings.warn(f"{name} ends with 2.0", DeprecationWarning, stacklevel=2)
        return 1

    monkeypatch.setitem(vars(module), "__getattr__", __getattr__)
    monkeypatch.setattr("public_names.import_module", lambda _: module)

    assert found("entropeg.old") == 1
