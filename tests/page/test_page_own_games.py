"""Journeys with a game of one's own: a table of answers is given, played by its questions, and noted in Assist."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from browser import PHONE, Visitor, axe, screenshot

ZOO = Path(__file__).parents[2] / "examples" / "games" / "zoo.csv"
FIRST = 300_000
"""Milliseconds for the first advice of a server, whose kernels may have to be compiled."""


def give(page: Page) -> None:
    """Give the table in the form of rules that is open."""
    page.get_by_text("A game of your own").first.click()
    page.get_by_label("File").set_input_files(ZOO)
    expect(page.get_by_label("Name of the table")).to_have_value("zoo")
    page.get_by_role("button", name="Keep the table, and play by it").click()


def test_a_table_is_given_and_played_by_keyboard_to_its_end(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=4x6&number=7", reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    page.locator("#new-game > summary").click()
    give(page)
    expect(page.get_by_text("a table of 16 secrets, 10 questions besides").first).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Start", exact=True).click()

    expect(page.locator(".names")).to_be_visible()
    expect(page.get_by_role("button", name="Can it fly?", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#draft-note")).to_contain_text("Choose a question first.")
    search = page.get_by_label("Search")
    search.fill("no such name")
    expect(page.get_by_text("No name has that in it.")).to_be_visible()
    search.fill("fly")
    expect(page.locator(".names li")).to_have_count(1)
    search.press("Enter")
    expect(page.get_by_role("button", name="Question: Can it fly?")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.locator("tr.turn")).to_contain_text(re.compile(r"Can it fly\?\s*(yes|no)"))
    expect(page.locator("#live")).to_have_text(re.compile(r"^(yes|no), \d+ secrets? left$"))
    assert axe(page) == []
    screenshot(page, "own-game-play")

    page.get_by_role("button", name="First step: secrets left").click()
    for _ in range(3):
        if page.locator(".steps").get_by_role("button", name="Put it into the row").count():
            break
        page.get_by_role("button", name=re.compile("^Next step")).click()
    page.get_by_role("button", name="Put it into the row").click()
    expect(page.locator("tr.draft .hole-button")).not_to_have_attribute("data-peg", "")
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, show it").click()
    expect(page.locator("#end-head")).to_be_visible()
    assert axe(page) == []


def test_rows_of_a_table_are_noted_and_advised_on(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", size=PHONE, reduced_motion=True)
    page.locator("details.card > summary", has_text="Rules:").click()
    give(page)
    expect(page.locator(".names")).to_be_visible()
    page.get_by_label("Search").fill("fur")
    page.get_by_label("Search").press("Enter")
    page.get_by_role("group", name="What it got").get_by_role("button", name="yes").click()
    page.get_by_role("button", name="Note the row").click()
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.locator("tr.turn")).to_contain_text("Has it fur?")
    expect(page.locator(".advice-state")).to_contain_text("8 secrets are left.", timeout=FIRST)
    expect(page.locator(".best-guess")).to_contain_text("?", timeout=FIRST)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    screenshot(page, "own-game-assist")


def test_the_explorer_opens_the_table_of_its_query_and_speaks_of_secrets(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=4x6&number=7", reduced_motion=True)
    page.locator("#new-game > summary").click()
    give(page)
    expect(page.get_by_text("a table of 16 secrets, 10 questions besides").first).to_be_visible()
    page.goto("/#/explore?rules=table:zoo")
    expect(page.locator("strong", has_text="16 secrets are left.")).to_be_visible(timeout=FIRST)
    expect(page.get_by_role("table", name="Guesses")).to_contain_text("Does it lay eggs?")
    expect(page.locator("main")).not_to_contain_text(re.compile(r"\b[Cc]odes?\b"))
    page.goto("/#/explore")
    expect(page.locator("strong", has_text="1,296 codes are left.")).to_be_visible(timeout=FIRST)
