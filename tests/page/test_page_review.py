"""The screen Review in a real browser: accounts, marks, mistakes to find, playing on, many games, wrong input."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from browser import PHONE, Visitor, axe, screenshot, settled
from entropeg import Position, play
from entropeg.review import review
from entropeg.review.worksheet import worksheet_csv
from listening import await_sentence, focused, heard, listen

TURNS = ["AABB XO", "ACCD O", "BEBF XXO", "FEBA XXXX"]
GAME = "\n".join(TURNS)
LONG = 300_000
LEVEL = re.compile(r"Level: anything from (weaker than )?first-consistent \(1\.42\)")
"""Of the level of one game; how wide it is depends on how many games the machine has played for it in the time."""


def paste(page: Page, text: str) -> None:
    page.get_by_label("Game or games").fill(text)
    page.get_by_role("button", name="Review", exact=True).click()


def keep_game(page: Page, key: str, **fields: object) -> None:
    """Keep a game in the browser, as Play does."""
    game = {"id": key, "rules": "4x6", "codemaker": "honest", "turns": [], "told": [], "state": "open", **fields}
    entry = json.dumps({"v": 1, "rev": 1, "at": 1_790_000_000_000, "data": game})
    page.evaluate("([key, entry]) => localStorage.setItem(`entropeg/game/${key}`, entry)", [key, entry])


def test_what_is_damaged_in_this_browser_ends_no_screen(visitor: Visitor) -> None:
    page = visitor.open("/#/settings")
    keep_game(page, "early", turns=[["AABB", "XO"]])
    keep_game(page, "other", turns=[["AABB", 7]])
    damage = """() => {
      const entry = JSON.parse(localStorage.getItem("entropeg/game/early"));
      localStorage.setItem("entropeg/game/late", JSON.stringify({ ...entry, at: 9e15 }));
      const settings = { rules: 7, theme: {}, notes: ["auto"], codesLeft: "no" };
      localStorage.setItem("entropeg/settings", JSON.stringify({ v: 1, rev: 9, at: 5, data: settings }));
    }"""
    page.evaluate(damage)
    heads = {screen: screen.capitalize() for screen in ("review", "play", "watch", "assist", "settings")}
    for screen, head in (heads | {"play": "Puzzle of the day"}).items():
        page.goto(f"{visitor.address}/?{screen}#/{screen}")
        expect(page.get_by_role("heading", level=1)).to_have_text(head)
        if screen == "review":
            expect(page.locator(".kept li")).to_have_count(2)


def test_a_pasted_game_is_accounted_for_turn_by_turn(visitor: Visitor) -> None:
    told = review(Position("4x6", TURNS))
    page = visitor.open("/#/review", reduced_motion=True)
    paste(page, GAME)
    account = page.get_by_role("region", name="The account")
    expect(account).to_contain_text(told.line, timeout=LONG)
    expect(account).to_contain_text("Without luck: 5.10 guesses.")
    assert account.get_by_role("listitem").all_inner_texts() == [
        "par\n4.34",
        "lost\n+0.76",
        "good luck\n+1.10",
        "guesses played\n4",
    ]
    assert "All numbers are exact: 625/144 guesses" in account.inner_text()
    expect(account.locator(".level")).to_contain_text(LEVEL, timeout=LONG)

    rows = page.get_by_role("table", name="The game, with what is said of each guess").get_by_role("row")
    marks = [re.sub(r"\s+", " ", row.inner_text()) for row in rows.all()[1:]]
    assert [mark in row for mark, row in zip(["good", "good", "mistake", "blunder"], marks, strict=True)] == [True] * 4
    assert "1 in 7" in marks[3]
    curves = page.get_by_role("table", name="Codes left").get_by_role("cell").all_inner_texts()
    assert curves == ["1,296", "208", "46", "7", "1"]
    assert axe(page) == []
    screenshot(page, "review", whole=True)

    expect(page.get_by_text("Best:")).to_have_count(0)
    page.get_by_role("button", name="Show the best guess").click()
    expect(page.get_by_text("Best:")).to_be_visible()
    page.get_by_role("button", name="Turn 4: look at it").click()
    expect(page.get_by_text("Best:")).to_have_count(0)
    for name in ["Best guess of every turn", "What others would have played"]:
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("group", name=name)).to_be_visible()
    others = page.get_by_role("group", name="What others would have played")
    assert others.get_by_role("columnheader").all_inner_texts() == ["Turn", "optimal", "entropy", "minimax"]
    assert axe(page) == []

    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    assert download.value.path().read_text(encoding="utf-8") == worksheet_csv(told)

    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print the review")).to_be_hidden()
    expect(page.get_by_role("heading", name="Learn from it")).to_be_hidden()
    expect(account).to_be_visible()
    expect(page.get_by_role("table").filter(has_text="Bits left")).to_be_visible()
    expect(page.get_by_text("Turn 2: Row 1 rules ACCD out as the secret")).to_be_visible()
    screenshot(page, "review-printed", whole=True)
    page.emulate_media(media="screen")

    link = page.get_by_label("Link to this review").input_value()
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_role("region", name="The account")).to_contain_text(told.line, timeout=LONG)


def test_of_a_vast_board_the_codes_left_are_a_power_of_ten_and_the_account_says_where_its_time_was_over(
    visitor: Visitor,
) -> None:
    page = visitor.open("/#/review", size=(360, 740), reduced_motion=True)
    paste(page, play("auto", "honest", "30x30", seed=3).to_text())
    account = page.get_by_role("region", name="The account")
    expect(account).to_contain_text(re.compile(r"the time was over: \d+ of 39 turns were reviewed"), timeout=LONG)
    expect(page.locator(".turn-facts")).to_contain_text("2.1E44 → ?")
    settled(page)

    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_is_reviewed_and_its_mistake_found_by_keyboard_and_ear(visitor: Visitor) -> None:
    page = visitor.open("/#/review", reduced_motion=True)
    listen(page)
    page.get_by_label("Game or games").focus()
    page.keyboard.insert_text(GAME)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # in the field of the rules: the form is sent
    await_sentence(page, "4 guesses: par 4.34, lost 0.76, good luck +1.10. Without luck", seconds=60)
    page.keyboard.press("ArrowRight")
    said = await_sentence(page, "Guess 2: A C C D, 1 white.")
    assert "Good, lost 0.03, bad luck −0.19, 46 codes left. Row 1 rules ACCD out" in said
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    await_sentence(page, "Guess 4")
    page.keyboard.press("ArrowRight")
    await_sentence(page, "This is the last turn.")
    page.reload()
    expect(page.get_by_role("heading", name="Turn 4 of 4")).to_be_visible()
    listen(page)

    find = page.get_by_role("button", name="Find the 2 mistakes")
    find.focus(timeout=LONG)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Find something better")).to_be_visible()
    position = page.get_by_role("table", name="The position before guess 3")
    expect(position.get_by_role("row")).to_have_count(4)  # heads, two turns and the row that is made
    assert focused(page) == "Peg 1: empty"
    page.keyboard.press("Enter")
    await_sentence(page, "Peg 1 is empty: a guess has 4.")
    page.keyboard.type("abcd")
    page.keyboard.press("Enter")
    await_sentence(page, "Not yet. ABCD is not it: 0.70 guesses more are expected than with the best.")
    assert focused(page) == "Peg 1: empty"
    page.reload()  # what was tried is in the address
    expect(page.get_by_label("Guesses tried")).to_contain_text("ABCD is not it", timeout=LONG)
    expect(position.get_by_role("button", name="Peg 1: empty")).to_be_focused()
    listen(page)
    best = review(Position("4x6", TURNS)).turns[2].best[0]
    page.keyboard.type("".join("ABCDEF"[color] for color in best))
    page.keyboard.press("Enter")
    await_sentence(page, "Solved.")
    expect(page.get_by_role("group", name="Solution")).to_be_focused()
    assert axe(page) == []

    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(page.get_by_role("table", name="The position before guess 4")).to_be_visible()
    page.get_by_role("button", name="Solution").press("Enter")
    await_sentence(page, "The best guess is")
    page.get_by_role("button", name="Back to the review").press("Enter")
    expect(page.get_by_role("heading", name="Turn 4 of 4")).to_be_focused()
    assert len([sentence for sentence in heard(page) if sentence.startswith("Solved.")]) == 1


def test_one_plays_on_against_the_same_secret_where_it_is_known(visitor: Visitor) -> None:
    page = visitor.open("/#/review", size=PHONE, scheme="dark", reduced_motion=True)
    keep_game(page, "won", state="won", turns=[turn.split() for turn in TURNS], told=[None] * 4)
    page.reload()
    page.get_by_role("link", name="4 pegs, 6 colors").click()
    page.get_by_role("button", name="Next", exact=False).click(timeout=LONG)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("region", name="The account")).to_contain_text("4 guesses: par", timeout=LONG)
    found, board = (page.locator(place).bounding_box() for place in (".to-find", ".review-grid .board"))
    assert found is not None
    assert board is not None
    assert found["y"] + found["height"] <= board["y"]  # what leads on stands above the board
    screenshot(page, "review-phone-dark", whole=True)
    page.get_by_role("button", name="Try again from here").click()
    for rows, code in [(2, "ABCD"), (3, "FEBA")]:
        page.get_by_role("button", name=code[0], exact=True).click()
        page.keyboard.type(code[1:])
        page.keyboard.press("Enter")
        expect(page.locator("tr.turn")).to_have_count(rows)
        page.reload()  # what was played is in the address
        expect(page.locator("tr.turn")).to_have_count(rows, timeout=LONG)
    result = page.get_by_role("group", name="Result")
    expect(result).to_contain_text("Found in 3 guesses. In the game it took 4 guesses.")
    expect(result).to_be_focused()
    assert axe(page) == []
    page.get_by_role("link", name="Review this attempt").click()
    expect(page.get_by_role("region", name="The account")).to_contain_text("3 guesses: par", timeout=LONG)
    page.go_back()

    keep_game(page, "open", turns=[["AABB", "O"]], told=[None])
    page.goto("/#/review/k/game%2Fopen")
    expect(page.get_by_role("region", name="The account")).to_contain_text("1 guess + ", timeout=LONG)
    expect(page.get_by_role("region", name="The account")).to_contain_text("The game was not won")
    page.get_by_role("button", name="Try again from here").click()
    expect(page.get_by_text("One cannot play on from here")).to_be_visible()
    assert focused(page) == "Again, from guess 1"


def test_many_games_fill_a_list_with_totals_and_survive_reload_and_back(visitor: Visitor) -> None:
    page = visitor.open("/#/review", size=PHONE, locale="fr", reduced_motion=True)
    text = f"rules: 4x6\nplayer: Anna\n{GAME}\n\nplayer: Anna\nAABB O\nCCDD -\n\nplayer: Anna\nABCD XXXX"
    page.get_by_label("Partie ou parties").fill(text)
    page.get_by_role("button", name="Revoir").or_(page.get_by_role("button", name="Revue")).first.click()
    expect(page.get_by_label("Totaux")).to_be_visible(timeout=LONG)
    games = page.get_by_role("table", name="Les parties").get_by_role("row")
    assert [row.inner_text().split("\t")[2] for row in games.all()[1:]] == ["4", "2*", "1"]
    assert axe(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, "review-list-phone-french", whole=True)
    page.get_by_role("link", name="Partie 2, Anna").click()
    expect(page.get_by_role("heading", name="Tour 1 sur 2")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Tour 1 sur 2")).to_be_visible()
    page.go_back()
    expect(page.get_by_label("Totaux")).to_be_visible(timeout=LONG)


def test_what_cannot_be_reviewed_is_told_where_it_is_wrong(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open("/#/review", reduced_motion=True)
    field = page.get_by_label("Game or games")
    paste(page, "   ")
    expect(field).to_be_focused()
    expect(page.locator("p.wrong")).to_contain_text("There is no game here yet")
    paste(page, "AABB XOZ!")
    expect(page.locator("p.wrong")).to_contain_text("'AABB XOZ!'")
    expect(field).to_have_attribute("aria-invalid", "true")
    assert axe(page) == []
    page.reload()
    assert field.input_value() == "AABB XOZ!"
    paste(page, "AAAA XX\nBBBB XXX")
    expect(page.get_by_role("alert")).to_contain_text("no secret fits turn 1 (AAAA XX) and turn 2", timeout=LONG)
    page.get_by_role("link", name="Look for the wrong row in Assist").click()
    expect(page.get_by_role("heading", name="Assist", level=1)).to_be_visible()

    page.goto("/#/review")
    paste(page, "rules: 5x8\nAABBC XO\nDDEEF XOO")
    page.get_by_role("button", name="Stop").click(timeout=LONG)
    expect(page.get_by_text("The review was stopped.").first).to_be_visible()
    expect(page.get_by_role("button", name="Review", exact=True)).to_be_visible()

    # A text that is read while its reader goes elsewhere does not call back.
    page.goto("/#/review")
    page.route("**/api/reviews/games", lambda _: None)
    paste(page, GAME)
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/reviews/games")):
        page.evaluate("() => { location.hash = '#/watch'; }")
    page.unroute("**/api/reviews/games")

    page.goto("/#/review/g/2.abc.12345678")
    expect(page.get_by_role("alert")).to_contain_text("This link is damaged: a part of it is missing")
    expect(page.get_by_role("link", name="Play a new game")).to_be_visible()
    page.goto("/#/review/g/9.abc.12345678")
    expect(page.get_by_role("alert")).to_contain_text("This link was made by a later version of entropeg")
    page.goto("/#/review/k/game%2Fnone")
    expect(page.get_by_role("alert")).to_have_text("This game is no longer kept in this browser.")
    assert axe(page) == []


@pytest.mark.parametrize("turn", ["AABB XO"])
def test_without_the_server_what_was_typed_stays_and_goes_on_when_it_is_back(visitor: Visitor, turn: str) -> None:
    visitor.allow("ERR_INTERNET_DISCONNECTED")
    page = visitor.open("/#/review", reduced_motion=True)
    settled(page)
    page.context.set_offline(True)
    paste(page, turn)
    expect(page.locator("p.wrong")).to_contain_text("The laboratory does not answer")
    page.context.set_offline(False)
    page.get_by_role("button", name="Review", exact=True).click()
    expect(page.get_by_role("region", name="The account")).to_contain_text("1 guess +", timeout=LONG)
