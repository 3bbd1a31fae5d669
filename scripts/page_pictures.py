"""Takes a picture of every screen, by window, tone and language, into `screenshots/`, to be looked at one by one.

    .venv/bin/python scripts/page_pictures.py                 all of them
    .venv/bin/python scripts/page_pictures.py play 360        those of which the name has all these words
    .venv/bin/python scripts/page_pictures.py alone           those of the page without a server

A name is `screen-window-tone-language.png`, before which `alone-` stands on the page without a server. Screens `own-`
show a table of answers. What does not fit is told: a page that scrolls sideways, a text that is cut. Needs Chromium
(scripts/browser).
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

from browser import SCREENSHOTS, Size, Visitor, app, hosted, launched, settled  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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
    guess(page, "AABC", "ABDE", "BBDE")
    page.locator(".ending").wait_for()


def words(page: Page) -> None:
    """Play two words."""
    guess(page, "crane", "plant")


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


def asked(page: Page) -> None:
    """Ask two questions of the animals."""
    page.locator("tr.draft").wait_for()
    for row, name in enumerate(["Can it fly?", "Has it fur?"]):
        page.get_by_role("button", name=name, exact=True).click()
        page.locator(".submit").click()
        page.locator("tr.turn").nth(row).wait_for()


def read(page: Page) -> None:
    """Have a game of questions reviewed."""
    page.locator("textarea").first.fill(
        "rules: table:zoo\nCan it fly? no\nHas it fur? yes\nDoes it eat meat? no\ncow no"
    )
    page.locator("form button.main").click()
    page.locator(".account-line").wait_for()


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
    "own-first": ("/#/play/new?rules=table:zoo/limit=8&number=345278", nothing),
    "own-game": ("/#/play/new?rules=table:zoo/limit=8&number=345278", asked),
    "own-explore": ("/#/explore?rules=table:zoo", nothing),
    "own-watch": ("/#/watch?rules=table:zoo&seed=5&codebreaker=entropy&codemaker=honest", nothing),
    "own-review": ("/#/review", read),
}
LABORATORY = {"compare", "compared", "proof"}
"""What only the page with a server has."""

FITS = """() => {
  const wide = document.documentElement.clientWidth;
  const named = (element) => `${element.tagName.toLowerCase()} «${element.textContent.trim().slice(0, 40)}»`;
  const isCut = (element) => !element.closest(".unseen, .skip, .scroll, .board, textarea, svg")
    && element.getBoundingClientRect().width > 0
    && (element.getBoundingClientRect().right > wide + 1
      || (getComputedStyle(element).display !== "inline" && element.scrollWidth > element.clientWidth + 2));
  const texts = document.querySelectorAll("main :is(button, a, th, td, p, summary, label, h1, h2, h3)");
  return [...texts].filter(isCut).map(named);
}"""
"""The texts of a page that do not fit into their boxes, or stand beyond the right edge."""


def take(visitor: Visitor, name: str, screen: str, file: Path) -> list[str]:
    """Take one picture, `window-tone-language` of a screen, and return what does not fit there."""
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
    page.screenshot(path=file, animations="disabled")
    cut: list[str] = page.evaluate(FITS)
    page.context.close()
    return cut


def give_table(address: str, browser: Browser) -> None:
    """Give the server the table of animals."""
    text = (ROOT / "examples" / "games" / "zoo.csv").read_text(encoding="utf-8")
    context = browser.new_context()
    context.request.post(f"{address}/api/tables", data={"name": "zoo", "text": text})
    context.close()


def take_all(address: str, before: str, asked: list[str], browser: Browser) -> None:
    """Take the pictures whose names, with `before`, have all words that were asked for."""
    names = ["-".join(parts) for parts in product(WINDOWS, ("light", "dark"), ("en", "fr"))]
    screens = [one for one in PICTURES if not before or not (one in LABORATORY or one.startswith("own-"))]
    for screen, name in product(screens, names):
        file = SCREENSHOTS / f"{before}{screen}-{name}.png"
        if all(f"-{word}-" in f"-{file.stem}-" for word in asked):
            visitor = Visitor(browser, address)
            cut = take(visitor, name, screen, file)
            print(file.stem, *visitor.complaints, *cut, sep="\n  ")


def main(asked: list[str]) -> None:
    """Take the pictures that were asked for."""
    SCREENSHOTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, launched() as browser:
        if "alone" in asked:
            from entropeg.site import write_site

            write_site(Path(folder) / "site", puzzles=1)
            with hosted(Path(folder) / "site") as address:
                take_all(address, "alone-", asked, browser)
        else:
            with app(Path(folder) / "data") as server:
                give_table(server.address, browser)
                take_all(server.address, "", asked, browser)


if __name__ == "__main__":
    main(sys.argv[1:])
