"""Journeys on the screens Play and Settings: by keys, by touch, by links, in two tabs, without a server, in French."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser import PHONE, Visitor, axe, screenshot, settled, until

CLASSIC = "4x6/limit=12"


def ask(page: Page, path: str, data: dict[str, Any]) -> Any:
    """Answer of the server to a question that the page could ask."""
    script = """async ([path, data]) => (await fetch(`/api/${path}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) })).json()"""
    return page.evaluate(script, [path, data])


def secret_of(page: Page, number: int, rules: str = CLASSIC) -> str:
    """Secret of a numbered game, given up at once."""
    begun = ask(page, "games", {"rules": rules, "number": number})
    ended = ask(page, "games/end", {"rules": rules, "turns": [], "token": begun["token"], "give_up": True})
    return str(ended["secret"])


def play(page: Page, *guesses: str) -> None:
    """Type guesses, and wait for the answer of each."""
    turns = page.locator("tr.turn")
    expect(page.locator("tr.draft")).to_be_visible()
    for guess in guesses:
        before = turns.count()
        page.keyboard.type(guess)
        page.keyboard.press("Enter")
        expect(turns).to_have_count(before + 1)


def keep(waiting: list[Route]) -> Callable[[Route], None]:
    """Handler of requests that holds them back."""

    def hold(route: Route) -> None:
        waiting.append(route)

    return hold


def others(secret: str, count: int) -> list[str]:
    """Guesses that are not the secret, all different."""
    return [code for code in ("AABB", "CCDD", "EEFF", "ABCD", "FEDC", "AAAA") if code != secret][:count]


def row(page: Page) -> str:
    """The row that is made, `.` for holes."""
    expect(page.locator("tr.draft")).to_be_visible()
    # What a key has done is drawn before the second frame that follows.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    symbols = page.locator("tr.draft .hole-button").evaluate_all("all => all.map((one) => one.dataset.peg)")
    return "".join("." if symbol == "" else "ABCDEFGHIJ"[int(symbol)] for symbol in symbols)


def kept_game(page: Page) -> dict[str, Any]:
    """The game of the page as the browser keeps it."""
    found = page.evaluate("localStorage.getItem(`entropeg/game/${location.hash.split('/').at(-1)}`)")
    data: dict[str, Any] = json.loads(found)["data"]
    return data


def no_sideways(page: Page) -> bool:
    """Whether the page is as wide as its window, which on a phone grows with what it shows."""
    script = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(page.evaluate(script)) and page.evaluate("innerWidth") <= (page.viewport_size or {"width": 0})["width"]


def test_rows_are_made_by_keys_alone_from_the_first_visit_on(visitor: Visitor) -> None:
    page = visitor.open("/", reduced_motion=True)
    live = page.locator("#live")
    expect(page.locator("tr.draft")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Puzzle of the day")
    assert axe(page) == []

    page.goto(f"/#/play/new?rules={CLASSIC}&number=7")
    expect(page.locator("h1")).to_have_text("4 pegs, 6 colors")
    expect(page.locator(".sub")).to_have_text("no. 7")
    first, second, third = others(secret_of(page, 7), 3)
    page.keyboard.type(first[:2].lower())
    page.keyboard.press("Enter")
    expect(page.locator("#draft-note")).to_contain_text("2 holes are still empty.")
    expect(live).to_have_text("2 holes are still empty.")
    assert axe(page) == []
    page.keyboard.type(first[2:])
    page.keyboard.press("Backspace")
    page.keyboard.press("Control+z")
    assert row(page) == first
    page.reload()
    expect(page.locator("tr.draft")).to_be_visible()
    assert row(page) == first

    page.get_by_role("button", name="Submit this row").press("Enter")
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.locator("tr.draft .cursor")).to_be_focused()
    expect(live).to_have_text(re.compile(r"^(\d black|\d white|no marks|nothing).*, [\d,]+ codes? left$"))
    page.keyboard.press("ArrowUp")
    assert row(page) == first
    page.keyboard.press("End")
    for _ in range(4):
        page.keyboard.press("Backspace")
    assert row(page) == "...."
    play(page, second, third)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert row(page) == second

    # The first peg is held: it stands in the next row already.
    page.keyboard.press("Home")
    page.locator("tr.draft .hole-button").first.focus()
    page.keyboard.press("Space")
    expect(page.locator("tr.draft .hole-button").first).to_have_attribute("aria-label", f"Peg 1: {second[0]}, held")
    page.keyboard.press("Space")


def test_a_first_visit_sees_the_puzzle_of_the_day_and_three_rows_that_mark_themselves(visitor: Visitor) -> None:
    for locale, told in (("en", "Find the hidden code."), ("fr", "Trouvez le code caché.")):
        page = visitor.open("/", reduced_motion=True, locale=locale)
        first = page.locator(".how.first")
        expect(first.locator("h2")).to_have_text(told)
        expect(first.locator(".examples li")).to_have_count(3)
        # The marks of the examples are those of a code that the laboratory would give.
        shown = first.locator(".examples li")
        texts = [shown.nth(index).locator(".unseen").all_inner_texts() for index in range(3)]
        guesses = [re.sub("[^A-F]", "", text[0]) for text in texts]
        assert [score("ACDB", guess) for guess in guesses] == [(0, 1), (1, 1), (4, 0)]
        drawn = [
            tuple(shown.nth(index).locator(f".dot.{kind}").count() for kind in ("black", "white")) for index in range(3)
        ]
        assert drawn == [(0, 1), (1, 1), (4, 0)]
        assert axe(page) == []
        page.keyboard.type("AABB")
        page.keyboard.press("Enter")
        expect(page.locator("tr.turn")).to_have_count(1)
        # Whoever plays has understood.
        expect(first).to_have_count(0)


def score(secret: str, guess: str) -> tuple[int, int]:
    """Black and white marks, by their definition."""
    black = sum(one == other for one, other in zip(secret, guess, strict=True))
    return black, sum(min(secret.count(color), guess.count(color)) for color in set(guess)) - black


def test_a_win_is_a_moment_and_a_loss_is_none_and_nothing_moves_where_that_is_unwanted(visitor: Visitor) -> None:
    for reduced in (False, True):
        page = visitor.open("/#/play/new?rules=4x6/limit=2&number=7", reduced_motion=reduced)
        expect(page.locator("tr.draft")).to_be_visible()
        secret = secret_of(page, 7, "4x6/limit=2")
        miss = others(secret, 1)[0]
        play(page, miss, miss)
        expect(page.locator(".ending")).not_to_have_class(re.compile("won"))
        lost = moves(page)
        page.get_by_role("button", name="Same secret again").click()
        play(page, miss, secret)
        expect(page.locator(".ending")).to_have_class(re.compile("won"))
        expect(page.locator(".narrowed")).to_contain_text("1,296")

        # Waves go over the pegs of a code that is found; what is not to move has no time to.
        assert [name for name, _ in lost if name == "wave"] == []
        assert len([name for name, _ in moves(page) if name == "wave"]) == 4
        assert all((seconds <= 0.0001) == reduced for _, seconds in moves(page))


def moves(page: Page) -> list[tuple[str, float]]:
    """Animations that pegs, marks and the end of a game have, with their seconds."""
    script = """() => [...document.querySelectorAll(".peg, .dot, .ending")].map((one) => getComputedStyle(one))
      .filter((style) => style.animationName !== "none")
      .map((style) => [style.animationName, parseFloat(style.animationDuration)])"""
    return [(name, seconds) for name, seconds in page.evaluate(script)]


@pytest.mark.parametrize("screen", ["play", "assist", "explore", "watch", "review", "train", "compare", "settings"])
def test_every_screen_tells_how_to_play_and_where_more_is_said(visitor: Visitor, screen: str) -> None:
    page = visitor.open(f"/#/{screen}", reduced_motion=True)
    page.get_by_text("How to play", exact=True).press("Enter")
    told = page.locator(".how-to .card")
    expect(told).to_contain_text("Read more:")
    expect(page.locator(".examples").first).to_contain_text("Found!")
    assert axe(page) == []
    for path in told.locator("code").all_inner_texts():
        assert Path(path).is_file(), path


def test_a_game_by_keys_alone_to_its_end_the_shared_text_and_the_same_secret_again(visitor: Visitor) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=7", reduced_motion=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.locator(".sub")).to_have_text("no. 7")
    secret = secret_of(page, 7)
    play(page, *others(secret, 3))
    page.keyboard.type(secret)
    page.keyboard.press("Enter")
    expect(page.locator("#end-head")).to_have_text("Found in 4 guesses")
    expect(page.locator("#end-head")).to_be_focused()
    expect(page.locator(".ending")).to_contain_text("par")
    assert axe(page) == []
    page.get_by_role("button", name="Copy the result").press("Enter")
    expect(page.locator(".ending")).to_contain_text("Copied.")
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert lines[0] == "entropeg 4x6 #7 4/12"
    assert lines[4] == 4 * "\N{BLACK LARGE SQUARE}"
    assert lines[5].endswith("4: 4 black.")
    screenshot(page, "play-found")
    # Where the browser does not copy, the text stands there, marked.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); }")
    page.get_by_role("button", name="Copy the link").press("Enter")
    shown = page.get_by_label("Link to the game")
    expect(shown).to_be_focused()
    assert shown.input_value().startswith(f"{visitor.address}/#/play/g/3.")
    page.get_by_role("link", name="Review this game").press("Enter")
    expect(page.locator("h1")).to_have_text("Review")
    expect(page.locator("tr.turn")).to_have_count(4)
    page.go_back()

    page.get_by_role("button", name="Same secret again").press("Enter")
    expect(page.locator("tr.draft .cursor")).to_be_focused()
    expect(page.locator(".sub")).to_have_text("no. 7")
    play(page, secret)
    expect(page.locator("#end-head")).to_have_text("Found in 1 guess")
    page.get_by_text("Statistics", exact=True).click()
    # What is played for a second time does not count.
    expect(page.locator("details", has_text="Statistics")).to_contain_text("1 game, 1 found, 4 on average")
    page.go_back()
    expect(page.locator("#end-head")).to_have_text("Found in 4 guesses")


def test_by_touch_on_a_phone_the_palette_is_in_reach_and_nothing_scrolls_sideways(visitor: Visitor) -> None:
    page = visitor.open(
        f"/#/play/new?rules={CLASSIC}&number=3", size=PHONE, phone=True, scheme="dark", reduced_motion=True, locale="fr"
    )
    page.set_default_timeout(10_000)
    expect(page.locator("h1")).to_have_text("4 pions, 6 couleurs")
    for peg in (0, 0, 1, 1):
        page.locator(f".palette-peg[data-peg='{peg}']").tap()
    submit = page.locator("button.submit")
    expect(submit).to_be_in_viewport()
    submit.tap()
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.locator("#live")).to_have_text(re.compile("code"))
    assert axe(page) == []
    assert no_sideways(page)
    screenshot(page, "play-phone-dark-french")

    page.goto("/#/play/new?rules=words:english/positional/limit=6&number=1")
    expect(page.locator(".palette.letters")).to_be_visible()
    # An AZERTY keyboard, in French.
    assert page.locator(".palette-row").first.inner_text().split() == list("azertyuiop")
    for letter in "crane":
        page.get_by_role("button", name=letter, exact=True).tap()
    submit.tap()
    expect(page.locator("tr.turn")).to_have_count(1)
    marks = [".OX".index(mark) for mark in kept_game(page)["turns"][0][1]]
    known = ["out", "in", "placed"]
    for letter, mark in zip("crane", marks, strict=True):
        key = page.locator(f".palette-peg[data-peg='{ord(letter) - ord('a')}']")
        expect(key).to_have_class(re.compile(known[mark]))
    page.set_viewport_size({"width": 320, "height": 640})
    assert no_sideways(page)
    page.goto("/#/play/new?rules=6x8")
    expect(page.locator("tr.draft .hole-button")).to_have_count(6)
    assert no_sideways(page)
    page.goto("/#/play/new?rules=12x10")
    expect(page.locator("tr.draft .hole-button")).to_have_count(12)
    assert no_sideways(page)
    # The cursor stays in view on a board that scrolls inside itself.
    for _ in range(11):
        page.locator(".palette-peg").first.tap()
    expect(page.locator("tr.draft .hole-button.cursor")).to_have_attribute("data-place", "11")
    expect(page.locator("tr.draft .hole-button.cursor")).to_be_in_viewport(ratio=0.9)
    assert axe(page) == []


def drag(page: Page, source: str, target: str) -> None:
    """Move the mouse from the middle of one thing to that of another, pressed."""
    boxes = [page.locator(one).first.bounding_box() for one in (source, target)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]
    page.mouse.move(*middles[0])
    page.mouse.down()
    page.mouse.move(*middles[1], steps=4)
    page.mouse.up()


def test_a_row_is_made_by_mouse_by_drag_and_by_paste_and_undone(visitor: Visitor) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=5", reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    drag(page, ".palette-peg[data-peg='5']", "tr.draft [data-place='2']")
    assert row(page) == "..F."
    page.locator("tr.draft [data-place='0']").click()
    page.locator(".palette-peg[data-peg='1']").click()
    assert row(page) == "B.F."
    drag(page, "tr.draft [data-place='0']", "tr.draft [data-place='2']")
    assert row(page) == "F.B."
    page.get_by_role("button", name="Undo").click()
    assert row(page) == "B.F."
    page.locator("tr.draft [data-place='2']").click()
    page.get_by_role("button", name="Hold").click()
    page.get_by_role("button", name="Clear").click()
    assert row(page) == "..F."

    paste = """(text) => {
      const data = new DataTransfer();
      data.setData("text", text);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }"""
    page.evaluate(paste, "A, A, B, B")
    assert row(page) == "AAFB"
    page.evaluate(paste, "something else")
    expect(page.locator("#draft-note")).to_contain_text("“something else” cannot be read as a guess: it takes 4 pegs")
    assert row(page) == "AAFB"
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("tr.turn")).to_have_count(1)
    assert row(page) == "..F."
    drag(page, "tr.turn [data-peg='1']", "tr.draft [data-place='0']")
    page.get_by_role("button", name="Guess 1: put it into the new row").click()
    assert row(page) == "AAFB"


def test_the_best_guess_is_worked_out_when_its_first_step_is_asked_for(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=20x20&number=9")
    expect(page.locator("tr.draft")).to_be_visible()
    button = page.get_by_role("button", name=re.compile("step: ", re.IGNORECASE))
    with page.expect_request("**/api/hints") as first:
        button.click()
    expect(page.locator(".steps li")).to_have_count(1, timeout=60_000)
    expect(button).to_have_text("Next step: What kind of guess")
    with page.expect_request("**/api/hints") as second:
        button.click()
    expect(page.locator(".steps li")).to_have_count(2, timeout=60_000)

    bodies = [asked.value.post_data or "" for asked in (first, second)]
    assert [True, True] == ['"best":false' in bodies[0], '"best":true' in bodies[1]]


def test_help_notes_and_giving_up(visitor: Visitor) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=9", reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    play(page, "AABB", "CCDD")
    page.keyboard.type("AABC")
    page.keyboard.press("h")
    steps = page.locator(".steps li")
    expect(steps).to_have_count(1)
    expect(steps.first).to_contain_text("Codes left")
    # Whoever presses the button again while it thinks loses neither the place nor the row.
    waiting: list[Route] = []
    page.route("**/api/hints", keep(waiting))
    page.keyboard.press("Backspace")
    page.keyboard.type("d")
    asked = page.get_by_role("button", name="Next step")
    asked.press("Enter")
    expect(page.get_by_text("Thinking")).to_be_visible()
    page.keyboard.press("Enter")
    expect(asked).to_be_focused()
    until(page, lambda: len(waiting) == 1)
    waiting[0].continue_()
    page.unroute("**/api/hints")
    expect(steps).to_have_count(2)
    expect(page.locator("tr.turn")).to_have_count(2)
    expect(page.locator("#live")).to_have_text(re.compile("^(A clue that the row forgets|What kind of guess): "))
    expect(page.get_by_text("2 steps used")).to_be_visible()
    notes = page.get_by_label("How notes are taken")
    notes.select_option("auto")
    answers = ask(page, "positions", {"rules": CLASSIC, "turns": kept_game(page)["turns"]})
    signs = {0: "×", 1: "✓"}
    expected = [signs.get(answers["marginals"][peg][color], "·") for color in "ABCDEF" for peg in range(4)]
    expect(page.locator(".note-cell span[aria-hidden]")).to_have_text(expected)
    assert axe(page) == []
    notes.select_option("hand")
    cell = page.get_by_role("button", name="A at peg 1")
    cell.click()
    expect(cell).to_have_accessible_name("A at peg 1: ruled out")
    page.reload()
    expect(cell).to_have_accessible_name("A at peg 1: ruled out")
    cell.click()
    expect(cell).to_have_accessible_name("A at peg 1: certain")

    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Go on playing").click()
    expect(page.get_by_role("button", name="Give up")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, show it").click()
    expect(page.locator("#end-head")).to_have_text("Given up after 2 guesses")
    expect(page.locator(".ending")).to_contain_text("2 steps of help were used.")
    assert kept_game(page)["secret"] == secret_of(page, 9)
    assert kept_game(page)["state"] == "given up"


def test_strict_play_refuses_with_the_row_that_a_guess_contradicts(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open("/#/settings", reduced_motion=True)
    page.get_by_label("New games are strict").check()
    page.get_by_label("Column: unused clue").check()
    page.goto(f"/#/play/new?rules={CLASSIC}&number=11")
    expect(page.locator(".sub")).to_have_text("no. 11 · strict")
    secret = secret_of(page, 11)
    first = others(secret, 1)[0]
    play(page, first)
    page.keyboard.type(first)
    page.keyboard.press("Enter")
    expect(page.locator("tr.turn.wrong")).to_have_count(1)
    expect(page.locator("#draft-note")).to_contain_text("row 1")
    assert row(page) == first
    assert axe(page) == []
    expect(page.get_by_role("columnheader", name="Unused clue")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    play(page, secret)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the result").click()
    expect(page.locator(".ending")).to_contain_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("entropeg 4x6 #11 2/12*\n")


def test_a_cheat_stays_consistent_over_reloads_and_proves_its_answers(visitor: Visitor) -> None:
    page = visitor.open("/", reduced_motion=True)
    page.locator("#new-game summary").click()
    page.get_by_label("Who hides the code").select_option("cheat")
    page.get_by_label("Board").select_option("free")
    expect(page.get_by_label("Pegs", exact=True)).to_be_focused()
    page.get_by_label("Pegs", exact=True).fill("")
    expect(page.get_by_label("Pegs", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#live")).to_have_text("A whole number from 1 is needed here.")
    page.get_by_label("Rules as text").fill(CLASSIC)
    page.get_by_label("Number of the secret").fill("twenty")
    expect(page.get_by_label("Number of the secret")).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Number of the secret").fill("21")
    expect(page.locator(".new-game")).to_contain_text("12 guesses")
    assert axe(page) == []
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".sub")).to_have_text("no. 21 · codemaker: cheat")
    guesses = ["AABB", "CCDD", "EEFF", "ABCD"]
    for guess in guesses:
        play(page, guess)
        page.reload()
        expect(page.locator("tr.draft")).to_be_visible()
    answered = kept_game(page)["turns"]
    # The same guesses without a reload, in another game of the same number.
    page.goto(f"/#/play/new?rules={CLASSIC}&codemaker=cheat&number=21")
    expect(page.locator("tr.turn")).to_have_count(0)
    play(page, *guesses)
    assert kept_game(page)["turns"] == answered
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, show it").click()
    expect(page.locator(".proof tbody tr")).to_have_count(4)
    expect(page.locator(".proof tbody td:last-child")).to_have_text([re.compile("^the same")] * 4)
    assert axe(page) == []
    screenshot(page, "play-proof")


def link(page: Page, game: dict[str, Any]) -> str:
    """Link to a game, as the page writes it."""
    script = "async (game) => (await import('/link.js')).toLink(game)"
    return str(page.evaluate(script, game))


def test_links_hide_what_they_give_away_and_say_what_is_wrong_with_them(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open("/", reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    shown = link(page, {"rules": CLASSIC, "codemaker": "honest", "number": 7, "turns": [["AABB", "X"]]})
    page.goto(f"/#/play/g/{shown}")
    expect(page.get_by_role("heading", name="A game of someone else: 4 pegs, 6 colors, no. 7")).to_be_visible()
    expect(page.locator("tr.turn")).to_have_count(0)
    assert axe(page) == []
    page.get_by_role("button", name="Show the game").click()
    expect(page.locator("tr.turn")).to_have_count(1)
    page.goto(f"/#/play/g/{shown}")
    page.get_by_role("button", name="Play the same secret yourself").click()
    expect(page.locator(".sub")).to_have_text("no. 7")
    expect(page.locator("tr.turn")).to_have_count(0)
    page.goto(f"/#/play/on/{shown}")
    expect(page.locator("tr.turn")).to_have_count(1)

    alert = page.get_by_role("alert")
    forbidden = link(page, {"rules": "words:/etc/passwd", "number": 7})
    wrong: Sequence[tuple[str, str]] = [
        (shown[:-1], "This link is damaged"),
        ("9" + shown[1:], "later version"),
        (forbidden, "The link holds a game that is not played here"),
    ]
    for text, reason in wrong:
        page.goto(f"/#/play/g/{text}")
        expect(alert).to_contain_text(reason)
        expect(page.get_by_role("button", name="Start")).to_be_enabled()
    assert axe(page) == []
    page.get_by_role("button", name="Start").click()
    expect(page.locator("tr.draft")).to_be_visible()

    # A token of another installation: the row stays, and Assist goes on.
    foreign = link(page, {"rules": CLASSIC, "number": None, "token": "gAAAAABforeign", "turns": []})
    page.goto(f"/#/play/g/{foreign}")
    expect(page.locator("tr.draft")).to_be_visible()
    page.keyboard.type("AABB")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Go on with these rows in Assist")).to_be_visible()
    assert row(page) == "AABB"


def test_a_secret_for_another_person_is_sealed_into_a_link(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open("/", reduced_motion=True)
    page.locator("#new-game summary").click()
    page.get_by_label("Who hides the code").select_option("person")
    secret = page.get_by_role("textbox", name="The secret", exact=True)
    secret.fill("ABCX")
    page.get_by_role("button", name="Seal it and make a link").click()
    expect(secret).to_have_attribute("aria-invalid", "true")
    assert axe(page) == []
    secret.fill("FADE")
    page.get_by_role("button", name="Seal it and make a link").click()
    address = page.get_by_label("Link to the game").input_value()
    assert address.startswith(f"{visitor.address}/#/play/g/3.")
    assert "FADE" not in page.content()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.get_by_text("Only this machine can open this link: its text is copied instead.").last).to_be_visible()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied as text: only this machine can open the link.").first).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("entropeg: 4 pegs, 6 colors. A secret is hidden for you on the machine where it was typed")
    assert "http" not in copied
    page.goto(f"/#{copied.partition('#')[2]}")
    expect(page.locator("h1")).to_have_text("A secret that a person set")
    play(page, "FADE")
    expect(page.locator("#end-head")).to_have_text("Found in 1 guess")


def test_without_a_server_the_row_stays_and_enter_tries_again(visitor: Visitor) -> None:
    visitor.allow("ERR_INTERNET_DISCONNECTED")
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=13", reduced_motion=True)
    play(page, "AABB")
    settled(page)
    page.context.set_offline(True)
    page.keyboard.type("CCDD")
    page.keyboard.press("Enter")
    expect(page.locator("#draft-note")).to_contain_text("Enter tries again.")
    assert row(page) == "CCDD"
    assert axe(page) == []
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("h1")).to_have_text("Settings")
    page.go_back()
    expect(page.locator("h1")).to_have_text("4 pegs, 6 colors")
    assert row(page) == "CCDD"
    page.context.set_offline(False)
    page.keyboard.press("Enter")
    expect(page.locator("tr.turn")).to_have_count(2)
    expect(page.locator("#draft-note")).to_have_count(0)

    # An answer that takes its time: what is typed meanwhile is the next row, and where none comes nothing is lost.
    waiting: list[Route] = []
    page.route("**/api/answers", keep(waiting))
    page.keyboard.type("EEFF")
    page.keyboard.press("Enter")
    page.keyboard.type("ABC")
    expect(page.locator("tr.turn")).to_have_count(3)
    assert row(page) == "ABC."
    page.get_by_role("button", name="Stop").press("Space")
    expect(page.locator("tr.turn")).to_have_count(2)
    assert row(page) == "EEFF"
    page.keyboard.press("Control+z")
    assert row(page) == "ABC."
    page.keyboard.type("D")
    page.keyboard.press("Enter")
    page.keyboard.type("F")
    assert row(page) == "F..."
    until(page, lambda: len(waiting) == 2)
    waiting[1].continue_()
    expect(page.locator("tr.turn").last).not_to_contain_text("?")
    assert row(page) == "F..."
    assert [guess for guess, _ in kept_game(page)["turns"]] == ["AABB", "CCDD", "ABCD"]


def test_two_tabs_on_one_game_keep_the_newer_turns_and_each_its_own_row(visitor: Visitor) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=15", reduced_motion=True)
    play(page, "AABB")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("tr.turn")).to_have_count(1)
    other.keyboard.type("EF")
    play(page, "CCDD")
    expect(other.locator("tr.turn")).to_have_count(2)
    expect(other.locator("#draft-note")).to_contain_text("This game went on in another tab.")
    assert row(other) == "EF.."
    other.keyboard.type("EF")
    other.keyboard.press("Enter")
    expect(other.locator("tr.turn")).to_have_count(3)
    expect(page.locator("tr.turn")).to_have_count(3)
    assert [guess for guess, _ in kept_game(page)["turns"]] == ["AABB", "CCDD", "EFEF"]


def test_the_puzzle_of_a_day_and_games_to_go_on_with(visitor: Visitor) -> None:
    visitor.allow("422")
    page = visitor.open("/", reduced_motion=True)
    expect(page.locator("h1")).to_have_text("Puzzle of the day")
    expect(page.locator("tr.draft")).to_be_visible()
    today = page.url
    number = kept_game(page)["number"]
    play(page, "AABB")
    # A game that is damaged is in nobody's way.
    damaged: dict[str, Any] = {"id": "x", "rules": "4x6", "turns": [], "told": [], "hinted": None, "account": 7}
    script = "(data) => localStorage.setItem('entropeg/game/x', JSON.stringify({ v: 1, rev: 1, at: 9e12, data }))"
    page.evaluate(script, damaged)
    page.goto("/#/play/new?rules=3x4")
    expect(page.locator("tr.draft .hole-button")).to_have_count(3)
    begun = page.locator("section", has_text="Games to go on with")
    expect(begun).to_contain_text("1 guess so far")
    begun.get_by_role("button", name="Forget").click()
    expect(begun).not_to_contain_text("1 guess so far")
    back = begun.get_by_role("button", name="Put it back")
    expect(back).to_be_focused()
    back.press("Enter")
    expect(begun).to_contain_text("1 guess so far")
    page.get_by_role("link", name="Go on", exact=True).click()
    expect(page).to_have_url(today)
    expect(page.locator("tr.turn")).to_have_count(1)
    page.locator("details", has_text="Past days").locator("summary").click()
    page.locator(".days a[href*='#/play/daily/']").nth(4).click()
    expect(page.locator("tr.turn")).to_have_count(0)
    expect(page.locator("h1")).to_have_text("Puzzle of the day")
    assert kept_game(page)["number"] == number - 5
    assert axe(page) == []
    page.goto("/#/play/daily/2999-01-01")
    expect(page.get_by_role("alert")).to_be_visible()


def test_settings_are_kept_and_what_is_kept_goes_out_and_comes_in_as_a_file(visitor: Visitor, tmp_path: Path) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=17", reduced_motion=True)
    play(page, "AABB")
    page.get_by_role("link", name="Settings").click()
    expect(page.locator("h1")).to_have_text("Settings")
    assert axe(page) == []
    kept = page.get_by_role("region", name="Kept in this browser")
    expect(kept).to_contain_text(re.compile(r"\b1 game; \d KB in all\."))
    page.get_by_label("Tones").select_option("dark")
    page.get_by_label("Motion").select_option("none")
    page.get_by_label("Column: codes left").uncheck()
    page.get_by_label("Language", exact=True).select_option("fr")
    expect(page.locator("h1")).to_have_text("Réglages")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    assert axe(page) == []
    screenshot(page, "settings-french-dark")
    page.reload()
    expect(page.locator("h1")).to_have_text("Réglages")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_label("Langue", exact=True).select_option("en")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as a file").click()
    file = tmp_path / "kept.json"
    download.value.save_as(file)
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("button", name="Keep them").click()
    page.get_by_role("button", name="Delete everything").click()
    page.get_by_role("button", name="Yes, delete them").click()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('entropeg/game'))") == []
    file.with_name("other.json").write_text("{}", encoding="utf-8")
    page.get_by_label("Import a file").set_input_files(file.with_name("other.json"))
    expect(page.locator(".wrong")).to_contain_text("other.json is no file of this page")
    page.get_by_label("Import a file").set_input_files(file)
    expect(page.locator(".note.good")).to_contain_text("taken")
    page.get_by_role("link", name="Play").click()
    expect(page.locator("tr.turn")).to_have_count(1)
    expect(page.get_by_role("columnheader", name="Codes left")).to_have_count(0)


def test_a_full_storage_loses_nothing_that_is_on_the_screen(visitor: Visitor) -> None:
    page = visitor.open(f"/#/play/new?rules={CLASSIC}&number=19", reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    page.evaluate(
        "() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
    )
    page.keyboard.type("AABB")
    notice = page.locator(".notices .note.warn")
    expect(notice).to_contain_text("The browser's storage is full")
    assert axe(page) == []
    notice.get_by_role("button", name="Dismiss").click()
    page.keyboard.press("Enter")
    expect(page.locator("tr.turn")).to_have_count(1)
    play(page, "CCDD")
    # Told once is enough.
    expect(notice).to_have_count(0)
    page.get_by_role("link", name="Settings").click()
    expect(page.locator(".note.warn").first).to_be_visible()
    page.get_by_role("link", name="Play").click()
    expect(page.locator("tr.turn")).to_have_count(2)
