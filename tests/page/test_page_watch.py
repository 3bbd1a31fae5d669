"""Journeys through the screen Watch: games as films, two codebreakers side by side, and what is refused."""

import re

from playwright.sync_api import Locator, Page, expect

from browser import PHONE, Visitor, axe, screenshot

FIRST = 300_000
"""Milliseconds for the first game of a server, whose kernels may have to be compiled."""

GAME = "/#/watch?rules=4x6&codebreaker=entropy&codebreaker2=first-consistent&codemaker=honest&seed=7&turn="


def film(page: Page) -> Locator:
    """The buttons of the film, once there is a game."""
    found = page.get_by_role("group", name="The game as a film")
    expect(found).to_be_visible(timeout=FIRST)
    return found


def games(page: Page) -> Locator:
    return page.locator(".watched")


def shown(page: Page) -> list[int]:
    """Turns that stand on each board."""
    return [game.locator("tr.turn").count() for game in games(page).all()]


def test_two_codebreakers_are_stepped_through_by_keyboard_with_what_each_answer_would_have_left(
    visitor: Visitor,
) -> None:
    page = visitor.open("/#/watch", reduced_motion=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Watch")
    expect(page.get_by_label("Codebreaker", exact=True).locator("option").nth(5)).to_be_attached()
    assert axe(page) == []
    page.get_by_label("Codebreaker", exact=True).select_option("entropy")
    page.get_by_label("Beside it, on the same secret").select_option("first-consistent")
    page.get_by_label("Secret", exact=True).fill("FEDA")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Seed").press("Enter")
    film(page)
    expect(games(page)).to_have_count(2)

    # Who asks for less motion steps by hand, and hears each turn.
    assert shown(page) == [0, 0]
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    on = page.get_by_role("button", name="One turn on")
    on.press("Enter")
    assert shown(page) == [1, 1]
    expect(page.get_by_role("columnheader", name="Codes left")).to_have_count(2)
    expect(page.locator("#live")).to_have_text(
        re.compile(r"entropy: Guess 1: .*codes left.*first-consistent: Guess 1: ", re.DOTALL)
    )
    expect(page.locator(".split li.hit")).to_have_count(2)
    expect(page.locator(".split").first).to_contain_text(re.compile(r"of \d+ answers"))
    expect(page.locator(".watch-curve svg path.line")).to_have_count(2)
    assert page.locator(".watch-curve table tbody tr").nth(1).inner_text().split("\t")[0] == "1"
    assert axe(page) == []
    screenshot(page, "watch-two", whole=True)
    slider = page.get_by_role("slider")
    slider.press("End")
    expect(page.locator(".watched-end").first).to_contain_text("entropy found it in")
    assert shown(page)[1] >= 4
    expect(page.locator("tr.turn.now").first).to_contain_text("found")
    slider.press("ArrowLeft")
    page.get_by_role("button", name="From the start").press("Enter")
    assert shown(page) == [0, 0]
    on.press("Enter")
    on.press("Enter")
    expect(page).to_have_url(re.compile(r"secret=FEDA.*turn=2|turn=2.*secret=FEDA"))
    page.reload()
    film(page)
    assert shown(page) == [2, 2]


def test_the_screen_opens_on_a_game_that_plays_and_takes_no_focus(visitor: Visitor) -> None:
    page = visitor.open("/#/watch")
    film(page)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("tr.turn")).not_to_have_count(0)

    assert page.evaluate("document.activeElement === document.body")
    assert page.locator("#live").inner_text() == ""
    still = visitor.open("/#/watch", reduced_motion=True)
    film(still)
    # Who asks for less motion finds the game, and steps.
    expect(still.get_by_role("button", name="Play on")).to_be_visible()
    assert shown(still) == [0]


def test_the_film_runs_at_its_speed_pauses_and_says_nothing_before_its_end(visitor: Visitor) -> None:
    page = visitor.open("/#/watch")
    page.get_by_label("Seed").fill("3")
    page.get_by_role("button", name="Watch", exact=True).click()
    buttons = film(page)
    buttons.get_by_label("Speed").select_option("4")
    expect(page.locator(".watched-end").first).to_contain_text("found it in")
    expect(page.locator("#live")).to_contain_text("found it in")
    expect(page.get_by_role("button", name="Play on")).to_be_visible()
    buttons.get_by_label("Speed").select_option("0.25")
    page.get_by_role("button", name="Play on").click()
    page.get_by_role("button", name="Pause").click()
    assert shown(page) == [0]
    page.get_by_role("button", name="One turn on").click()
    expect(page.locator("#live")).to_contain_text("Guess 1:")


def test_a_watched_game_goes_on_in_review_and_assist_and_cheats_keep_no_secret(visitor: Visitor) -> None:
    page = visitor.open(
        GAME.replace("honest", "cheat").replace("&codebreaker2=first-consistent", "") + "2", reduced_motion=True
    )
    film(page)
    assert shown(page) == [2]
    expect(page.get_by_text("This codemaker keeps no secret.")).to_be_visible()
    review = page.get_by_role("link", name="Review this game").get_attribute("href")
    assert review is not None
    assert review.startswith("#/review/g/3.")
    page.get_by_role("link", name="Advice at this turn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Assist")
    expect(page.locator("tr.turn")).to_have_count(2)
    page.go_back()
    film(page)
    assert shown(page) == [2]


def test_what_is_refused_is_told_at_its_field_and_the_game_before_stays(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open(GAME + "1", reduced_motion=True)
    film(page)
    secret = page.get_by_label("Secret", exact=True)
    secret.fill("AAAX")
    secret.press("Enter")
    expect(secret).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".watch-setup .wrong")).to_contain_text("X")
    assert shown(page) == [1, 1]
    secret.fill("")
    page.get_by_label("Seed").fill("seven")
    page.get_by_label("Seed").press("Enter")
    expect(page.get_by_label("Seed")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Seed").fill("")
    page.get_by_label("Beside it, on the same secret").select_option("by-turn")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.get_by_label("Beside it, on the same secret")).to_have_attribute("aria-invalid", "true")
    assert axe(page) == []
    page.get_by_label("Beside it, on the same secret").select_option("")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(games(page)).to_have_count(1)
    assert shown(page) == [0]

    # Options that are emptied stay open; rules that are sent while they are typed are those that are played.
    codebreaker = page.get_by_label("Codebreaker", exact=True)
    codebreaker.select_option("montecarlo")
    page.locator("summary", has_text="Options").first.click()
    options = page.get_by_label("Options", exact=True)
    options.fill("secrets=9")
    options.fill("")
    expect(options).to_be_focused()
    codebreaker.select_option("first-consistent")
    page.get_by_text("Rules: 4 pegs").click()
    page.get_by_text("Every option").click()
    page.get_by_label("Rules as text").fill("2x3")
    page.get_by_label("Rules as text").press("Enter")
    expect(page).to_have_url(re.compile("rules=2x3&codebreaker=first-consistent"))


def test_a_phone_watches_in_french_in_the_dark_and_nothing_scrolls_sideways(visitor: Visitor) -> None:
    page = visitor.open(GAME + "3", size=PHONE, locale="fr", scheme="dark", reduced_motion=True, phone=True)
    expect(page.locator(".film")).to_be_visible(timeout=FIRST)
    expect(page.get_by_role("heading", level=1)).to_have_text("Regarder")
    assert shown(page) == [3, 3]
    page.locator(".film-button").nth(1).tap()
    assert shown(page) == [2, 2]
    assert axe(page) == []
    screenshot(page, "watch-phone", whole=True)
    page.set_viewport_size({"width": 320, "height": 640})
    expect(page.locator("html")).to_have_js_property("scrollWidth", 320)
