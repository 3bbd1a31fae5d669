"""Takes a picture of every screen, by window, tone and language, into `screenshots/`, to be looked at one by one.

    .venv/bin/python scripts/page_pictures.py                 all of them
    .venv/bin/python scripts/page_pictures.py play 360        those of which the name has all these words

A name is `screen-window-tone-language.png`. Needs Chromium (scripts/browser).
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser import SCREENSHOTS, Size, Visitor, app, launched, settled  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

WINDOWS: dict[str, Size] = {"360x740": (360, 740), "740x360": (740, 360), "1280": (1280, 800), "2560": (2560, 1440)}


def guess(page: Page, *codes: str) -> None:
    """Type guesses on Play, and wait for each answer."""
    turns = page.locator("tr.turn")
    page.locator("tr.draft").wait_for()
    for code in codes:
        before = turns.count()
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        page.locator("tr.turn").nth(before).wait_for()


def middle(page: Page) -> None:
    """Play two guesses and half of a third."""
    guess(page, "AABC", "ABDE")
    page.keyboard.type("AC")


def lost(page: Page) -> None:
    """Play to the end without finding."""
    guess(page, *["AABC"] * 10)
    page.locator(".ending").wait_for()


def won(page: Page) -> None:
    """Find the secret."""
    guess(page, "AABC", "ABDE")
    # Another game of the same number ends for it.
    secret = page.evaluate("""async () => {
      const ask = async (path, data) => (await fetch(`/api/${path}`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) })).json();
      const begun = await ask("games", { rules: "4x6/limit=10", number: 345278 });
      return (await ask("games/end", { rules: "4x6/limit=10", turns: [], token: begun.token, give_up: true })).secret;
    }""")
    guess(page, secret)
    page.locator(".ending").wait_for()


def words(page: Page) -> None:
    """Play two words."""
    guess(page, "crane", "salet")


def reviewed(page: Page) -> None:
    """Have a game reviewed."""
    page.locator("textarea").first.fill("AABB XXO\nABCD XOO\nABCD XOO\nACEB XXX\nACAB XXXX")
    page.locator("form button.main").click()
    page.locator(".account-line").wait_for()


def helped(page: Page) -> None:
    """Open what tells how to play."""
    page.locator(".how-to summary").click()


def compared(page: Page) -> None:
    """Compare the two players that stand there."""
    page.locator("form button.main").click()
    page.locator(".difference").wait_for(timeout=180_000)


def noted(page: Page) -> None:
    """Note two rows of a real board."""
    box = page.locator("textarea").first
    box.evaluate("box => { box.closest('details').open = true }")
    box.fill("entropeg notes 1: 4x6\nAABB: XO\nCCDD: -\n")
    box.evaluate("box => box.closest('details').querySelector('button').click()")
    page.locator(".advice-state strong").wait_for()


def nothing(page: Page) -> None:
    """Leave the screen as it opens."""
    page.locator("h1").wait_for()


PICTURES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "first": ("/", nothing),
    "game": ("/#/play/new?rules=4x6/limit=10&number=345278", middle),
    "won": ("/#/play/new?rules=4x6/limit=10&number=345278", won),
    "lost": ("/#/play/new?rules=4x6/limit=10&number=345278", lost),
    "large": ("/#/play/new?rules=5x8/limit=12&number=345278", nothing),
    "words": ("/#/play/new?rules=words:english/probes=english/positional/limit=6&number=345278", words),
    "help": ("/#/play/new?rules=4x6/limit=10&number=345278", helped),
    "assist": ("/#/assist", noted),
    "explore": ("/#/explore", nothing),
    "watch": ("/#/watch", nothing),
    "review-start": ("/#/review", nothing),
    "review": ("/#/review", reviewed),
    "train": ("/#/train", nothing),
    "compare": ("/#/compare", nothing),
    "compared": ("/#/compare", compared),
    "proof": ("/#/compare/prove", nothing),
    "settings": ("/#/settings", nothing),
}


def take(visitor: Visitor, name: str, screen: str) -> None:
    """Take one picture: `window-tone-language` of a screen."""
    path, prepare = PICTURES[screen]
    window, tone, language = name.rsplit("-", 2)
    size = WINDOWS[window]
    page = visitor.open(
        path,
        size=size,
        scheme="dark" if tone == "dark" else "light",
        locale=language,
        phone=size[0] < 1000,
        reduced_motion=True,
    )
    page.set_default_timeout(60_000)
    settled(page)
    prepare(page)
    settled(page)
    page.screenshot(path=SCREENSHOTS / f"{screen}-{name}.png", animations="disabled")
    page.context.close()


def main(asked: list[str]) -> None:
    """Take the pictures whose names have all words that were asked for."""
    SCREENSHOTS.mkdir(exist_ok=True)
    names = ["-".join(parts) for parts in product(WINDOWS, ("light", "dark"), ("en", "fr"))]
    with tempfile.TemporaryDirectory() as folder, app(Path(folder) / "data") as server, launched() as browser:
        for screen, name in product(PICTURES, names):
            if all(f"-{word}-" in f"-{screen}-{name}-" for word in asked):
                visitor = Visitor(browser, server.address)
                take(visitor, name, screen)
                print(f"{screen}-{name}", *visitor.complaints, sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1:])
