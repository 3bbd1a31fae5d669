"""Pages that commands show in the browser: where there is a screen, and nowhere else."""

from __future__ import annotations

from queue import Queue

import pytest

from entropeg.cli import browsing


@pytest.mark.parametrize(
    ("platform", "variables", "is_shown"),
    [
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {}, False),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "10.0.0.1"}, False),
    ],
)
def test_a_page_is_shown_where_there_is_a_screen(
    platform: str, variables: dict[str, str], is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Queue[str]()
    monkeypatch.setattr("webbrowser.open", opened.put)
    monkeypatch.setattr("sys.platform", platform)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert browsing.show_page("file:///a.html") == is_shown
    assert not is_shown or opened.get(timeout=600) == "file:///a.html"
