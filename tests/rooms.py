"""Rooms of the suite: what each costs, which tests need a browser, and which ones only a long run has.

Tests lie in folders that are named as the rooms of `src/entropeg`; `tests/game` has the ground floor, `tests/house` the
facts about the project itself, `tests/page` what is done in a browser. `ENTROPEG_LONG=1` (`make test-long`) adds the
tests that are marked `long`, and has loops over drawn cases draw more of them.
"""

import gc
import os
from collections import defaultdict
from collections.abc import Generator, Iterable
from typing import Any

import pytest

IS_LONG = bool(os.environ.get("ENTROPEG_LONG"))


def cases(usual: int, long: int) -> int:
    """How many cases a test draws: a few in each run, many in the long one."""
    return long if IS_LONG else usual


def often(number: int, values: Iterable[Any]) -> list[Any]:
    """Give a test the first values in each run, and all of them in the long one; a tuple is a value for each name."""
    listed = [each if isinstance(each, tuple) else (each,) for each in values]
    return [pytest.param(*each, marks=() if at < number else pytest.mark.long) for at, each in enumerate(listed)]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected: what is made then is there to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need a browser, and leave long ones out where none were asked for."""
    for item in items:
        if {"_chromium", "browser", "firefox", "visitor"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
    if not IS_LONG:
        left_out = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many seconds the tests of each room took, all processes together."""
    seconds: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                folder, _, below = report.nodeid.partition("/")
                seconds[below.partition("/")[0] if folder == "tests" else folder] += report.duration
    if seconds:
        terminalreporter.write_sep("=", "seconds by room")
        for room, taken in sorted(seconds.items(), key=lambda item: -item[1]):
            terminalreporter.write_line(f"{room:<16}{taken:>9.1f}")
        terminalreporter.write_line(f"{'all':<16}{sum(seconds.values()):>9.1f}")
