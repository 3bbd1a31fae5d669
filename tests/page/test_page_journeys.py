"""Journeys through all screens, on the page of the server and on the page without one: what both do, both do alike."""

import re

from playwright.sync_api import Page, expect

from browser import Visitor, settled
from entropeg.codes import format_code
from entropeg.web.numbered import secret_of

FIRST = 300_000
"""Milliseconds for the first answer of a server, whose kernels may have to be compiled."""
NUMBER = 345_278
SECRET = format_code(secret_of("4x6/limit=10", NUMBER) or (), "4x6")
PAR = re.compile(r"[24] guesses: par (≈ )?4\.34, lost ")
"""Of an account; a server that is busy has estimates of what was lost."""
GAME = f"/#/play/new?rules=4x6/limit=10&number={NUMBER}"


def guess(page: Page, code: str) -> None:
    page.locator("tr.draft .hole-button").first.focus()
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_a_game_with_help_its_account_and_its_review(either: Visitor) -> None:
    page = either.open(GAME, reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    page.get_by_role("button", name=re.compile("First step")).click()
    expect(page.locator(".steps")).to_contain_text("1,296 codes are left", timeout=FIRST)
    guess(page, "AABC")
    expect(page.get_by_text("276").first).to_be_visible(timeout=FIRST)
    guess(page, SECRET)
    ending = page.locator(".ending")
    expect(ending).to_contain_text("Found in 2 guesses")
    expect(ending).to_contain_text(PAR, timeout=FIRST)
    ending.get_by_role("link", name="Review this game").click()
    account = page.get_by_role("region", name="The account")
    expect(account).to_contain_text(PAR, timeout=FIRST)
    rows = page.get_by_role("table", name="The game, with what is said of each guess").get_by_role("row")
    expect(rows).to_have_count(3)


def test_strict_play_refuses_what_cannot_be_the_secret_and_the_row_stays(either: Visitor) -> None:
    page = either.open("/#/settings", reduced_motion=True)
    page.goto(GAME.removeprefix("/"))
    guess(page, "AABC")
    expect(page.get_by_text("276").first).to_be_visible(timeout=FIRST)
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, show it").click()
    expect(page.locator(".ending")).to_contain_text("Given up after 1 guess")
    expect(page.locator(".ending .told-secret")).to_contain_text(SECRET)


def test_rows_are_typed_and_pasted_in_assist_and_advice_follows(either: Visitor) -> None:
    page = either.open("/#/assist", reduced_motion=True)
    best = page.locator(".best-guess")
    expect(best).to_be_visible(timeout=FIRST)
    page.locator(".hole-button.cursor").focus()
    page.keyboard.type("aabb\nxo\n")
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.locator(".advice-state")).to_contain_text("208")
    page.get_by_label("A guess you have in mind").fill("ACCD")
    expect(page.get_by_role("region", name="Your guess")).to_contain_text("against the best")
    # A row of which a part is not known.
    page.locator(".hole-button.cursor").focus()
    page.keyboard.type("cc?d\n1 ?\n")
    expect(page.locator("tr.turn")).to_have_count(2)
    expect(page.locator("tr.turn").nth(1)).to_contain_text("1 black, white unknown")
    expect(page.locator(".advice-state")).to_contain_text("202 codes are left", timeout=FIRST)
    page.get_by_role("button", name="Undo the last change").click()
    expect(page.locator(".advice-state")).to_contain_text("208")
    # The same as text, with rows that cannot be.
    page.get_by_text("Paste notes or a log").click()
    page.get_by_label("Rows, one a line").fill("1. aaaa -> -\nabbb 2 0\nbccc XXX\ncddd: xx")
    page.get_by_role("button", name=re.compile("Read them|Replace the rows")).first.click()
    expect(page.get_by_text("at least one of them is wrong").first).to_be_visible(timeout=FIRST)


def test_positions_are_explored_from_an_address(either: Visitor) -> None:
    page = either.open("/#/explore/4x6/AABB/XO", reduced_motion=True)
    expect(page.locator(".explore-grid")).to_contain_text("208 codes", timeout=FIRST)
    expect(page.locator(".explore-table").first).to_contain_text("3.452", timeout=FIRST)


def test_a_game_is_watched(either: Visitor) -> None:
    page = either.open("/#/watch?rules=4x6&codebreaker=entropy&codemaker=honest&seed=7&turn=1", reduced_motion=True)
    expect(page.get_by_role("group", name="The game as a film")).to_be_visible(timeout=FIRST)
    expect(page.locator("tr.turn")).to_have_count(1)
    page.get_by_role("button", name="One turn on").press("Enter")
    expect(page.locator("tr.turn")).to_have_count(2)


def test_a_pasted_game_is_reviewed_and_its_link_opens_it_again(either: Visitor) -> None:
    page = either.open("/#/review", reduced_motion=True)
    page.get_by_label("Game or games").fill("rules: 4x6\nAABB XO\nACCD O\nBEBF XXO\nFEBA XXXX")
    page.get_by_role("button", name="Review", exact=True).click()
    account = page.get_by_role("region", name="The account")
    expect(account).to_contain_text(PAR, timeout=FIRST)
    link = page.get_by_label("Link to this review").input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("region", name="The account")).to_contain_text(PAR, timeout=FIRST)


def test_a_puzzle_is_answered_and_solved(either: Visitor) -> None:
    page = either.open("/#/train", reduced_motion=True)
    settled(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Train")
    page.get_by_role("button", name=re.compile("hint", re.IGNORECASE)).first.click(timeout=FIRST)
    expect(page.locator("main")).to_contain_text("code", timeout=FIRST)


def test_the_language_changes_at_once_and_stays(either: Visitor) -> None:
    page = either.open("/#/settings", reduced_motion=True)
    page.get_by_label("Language", exact=True).select_option("fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.goto(f"{either.address}/?again#/play")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("heading", level=1)).to_contain_text("L’énigme du jour")
