"""Shows a page in the browser of the person who types."""

from __future__ import annotations

import os
import sys
import threading


def show_page(address: str) -> bool:
    """Open an address in the browser, where there is a screen; tell whether there is one."""
    if not _has_display():
        return False
    import webbrowser

    # In a thread of its own: some browsers are waited for, and would wait for the page themselves.
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return True


def _has_display() -> bool:
    # A browser in the terminal would take the terminal.
    if sys.platform in {"win32", "darwin"}:
        return "SSH_CONNECTION" not in os.environ
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
