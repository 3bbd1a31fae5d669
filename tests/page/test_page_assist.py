"""Journeys through the screen Assist: rows of a real board, advice beside them, contradictions and mends."""

import re

from playwright.sync_api import Locator, Page, expect

from browser import PHONE, Visitor, axe, screenshot

FIRST = 300_000
"""Milliseconds for the first advice of a server, whose kernels may have to be compiled."""

CONTRADICTION = "1. aabb -> 1b\n2) CCDD rien\naeff: 2 0\nFAEB XXX"


def advised(page: Page) -> Locator:
    """The best guess, once the advice stands."""
    best = page.locator(".best-guess")
    expect(best).to_be_visible(timeout=FIRST)
    return best


def live(page: Page) -> Locator:
    return page.locator("#live")


def rows(page: Page) -> Locator:
    return page.locator("tr.turn")


def paste(page: Page, text: str) -> None:
    page.get_by_text("Paste notes or a log").click()
    page.get_by_label("Rows, one a line").fill(text)
    page.get_by_role("button", name=re.compile(r"Read them|Replace the rows")).click()


def move_while_editing(page: Page) -> None:
    """Edit row 2 of three, move row 1 over it, and keep it: no other row is overwritten."""
    page.get_by_role("button", name="Change row 2").press("Enter")
    page.get_by_role("button", name="Edit", exact=True).press("Enter")
    page.get_by_role("button", name="Change row 1").press("Enter")
    page.get_by_role("button", name="Down", exact=True).press("Enter")
    page.get_by_role("button", name="Keep row 1").press("Enter")
    expect(rows(page)).to_have_count(3)
    expect(rows(page).nth(0)).to_contain_text("no marks")
    expect(rows(page).nth(1)).to_contain_text("1 black, 1 white")
    expect(rows(page).nth(2)).to_contain_text("1 black, white unknown")


def test_rows_are_typed_changed_taken_back_and_found_again_by_keyboard_alone(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    expect(page.get_by_role("heading", level=1)).to_have_text("Assist")
    advised(page)
    expect(page.get_by_text("this is advice on the opening")).to_be_visible()
    page.locator(".hole-button.cursor").focus()
    page.keyboard.type("aabb\nxo\n")
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".advice-state")).to_contain_text("208")
    expect(live(page)).to_contain_text("208")
    expect(page.locator(".hole-button.cursor")).to_be_focused()

    # A row of which a part is unknown, and one that cannot be: it stays where it was typed.
    page.keyboard.type("cc?d\n1 ?\n")
    expect(rows(page)).to_have_count(2)
    expect(rows(page).nth(1)).to_contain_text("unknown")
    expect(rows(page).nth(1)).to_contain_text("1 black, white unknown")
    visitor.allow("422")
    page.keyboard.type("abcd\n3 1\n")
    field = page.get_by_label("Marks as text")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_have_value("3 1")
    expect(rows(page)).to_have_count(2)
    assert axe(page) == []
    field.fill("o?")
    expect(page.get_by_text("black unknown, at least 1 white")).to_be_visible()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(3)

    # Any row is changed where it stands, and every change taken back.
    page.get_by_role("button", name="Change row 1").press("Enter")
    page.get_by_role("button", name="Delete", exact=True).press("Enter")
    expect(rows(page)).to_have_count(2)
    undo = page.get_by_role("button", name="Undo the last change")
    expect(undo).to_be_focused()
    undo.press("Enter")
    expect(rows(page)).to_have_count(3)
    page.get_by_role("button", name="Change row 3").press("Enter")
    page.get_by_role("button", name="Up", exact=True).press("Enter")
    expect(page.locator("#assist-row-1")).to_be_focused()
    expect(rows(page).nth(1)).to_contain_text("at least 1 white")
    page.get_by_role("button", name="Edit", exact=True).press("Enter")
    expect(page.locator(".hole-button.cursor")).to_be_focused()
    field.fill("-")
    page.keyboard.press("Enter")
    expect(rows(page).nth(1)).to_contain_text("no marks")
    move_while_editing(page)
    page.locator(".hole-button.cursor").focus()
    page.keyboard.type("ef")
    page.wait_for_timeout(400)
    page.reload()
    expect(rows(page)).to_have_count(3)
    expect(page.locator("tr.draft .hole-button[data-peg='4']")).to_have_count(1)
    screenshot(page, "assist-rows", whole=True)


def test_the_guess_in_mind_stands_beside_the_best_and_a_guess_is_used(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    advised(page)
    paste(page, "AABB XO")
    expect(page.locator(".advice-state")).to_contain_text("208")
    expect(page.locator(".guesses li")).to_have_count(4)
    page.get_by_label("A guess you have in mind").fill("AABB")
    mine = page.get_by_role("region", name="Your guess")
    expect(mine).to_contain_text("guesses against the best")
    expect(page.locator("table.heat tbody tr")).to_have_count(6)
    page.get_by_text("What each answer to the best guess would leave").click()
    assert page.locator(".bars li").count() > 5
    page.get_by_text("Codes left", exact=True).click()
    expect(page.locator(".codes-left li")).to_have_count(48)
    page.get_by_text("What players would play").click()
    page.get_by_role("button", name="Ask them").click()
    expect(page.locator("ul.guesses li")).to_have_count(3)
    page.get_by_label("Players, with commas between").fill("minimax, first-consistent")
    page.get_by_role("button", name="Ask them").click()
    expect(page.locator("ul.guesses li")).to_have_count(2)
    assert axe(page) == []
    screenshot(page, "assist-advice", whole=True)

    best = page.locator(".best-guess .unseen").inner_text()
    page.locator(".best-guess button").click()
    expect(page.locator("tr.draft .hole-button.cursor")).to_be_focused()
    assert [place.get_attribute("data-peg") for place in page.locator("tr.draft .hole-button").all()] == [
        str("ABCDEF".index(symbol)) for symbol in best
    ]

    # Marks by buttons; the game is won.
    for _ in range(4):
        page.get_by_role("button", name="One black more").click()
    expect(page.get_by_role("button", name="One white more")).to_be_disabled()
    page.get_by_role("button", name="Note the row").click()
    expect(page.get_by_text("Row 2 found the secret.")).to_be_visible()


def test_a_contradiction_is_shown_at_its_rows_and_mended_by_a_click_that_can_be_undone(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    advised(page)
    paste(page, CONTRADICTION)
    expect(page.locator("tr.suspect")).to_have_count(2)
    expect(page.locator(".note.warn")).to_contain_text("rows 3 (AEFF XX) and 4 (FAEB XXX)")
    expect(live(page)).to_contain_text("No code fits rows 3")
    assert axe(page) == []
    screenshot(page, "assist-contradiction", whole=True)

    # Who is sure of a row is not asked to change it.
    page.get_by_role("button", name="Change row 3").click()
    page.get_by_role("button", name="I am sure of it").click()
    expect(page.locator(".suspect-note")).to_have_count(1)
    mend = page.get_by_role("button", name="Row 4: 3 black → 3 white, 1 code")
    mend.click()
    expect(page.locator("tr.suspect")).to_have_count(0)
    expect(rows(page).nth(3)).to_contain_text("3 white")
    expect(advised(page)).to_be_visible()
    expect(page.get_by_role("heading", name="The only code left")).to_be_visible()
    page.get_by_role("button", name="Undo the last change").press("Enter")
    expect(page.locator("tr.suspect")).to_have_count(2)
    expect(rows(page).nth(3)).to_contain_text("3 black")

    # The rows are taken along as text, and as a link that opens as a board of its own.
    page.get_by_text("Share or take along").click()
    text = page.get_by_label("As text, for “entropeg assist”").input_value()
    assert text.splitlines() == ["entropeg notes 1: 4x6/limit=10", "AABB: X", "CCDD: -", "AEFF: XX", "FAEB: XXX"]
    link = page.get_by_label("As link").input_value()
    other = visitor.open(link)
    expect(rows(other)).to_have_count(4)
    expect(other).to_have_url(re.compile(r"#/assist$"))
    other.goto(f"{link[:-3]}zzz")
    expect(other.get_by_text("This link is damaged")).to_be_visible()
    expect(rows(other)).to_have_count(4)


TYPED_AT_ONCE = """async (keys) => {
  document.activeElement.blur();
  for (const key of keys) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await new Promise((yes) => { const { port1, port2 } = new MessageChannel();
      port1.onmessage = yes; port2.postMessage(0); });
  }
}"""
"""Keys that all come before the page has drawn what the first of them makes, where nothing has the focus."""


def test_keys_that_come_sooner_than_the_page_draws_are_not_lost(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    advised(page)
    page.evaluate(TYPED_AT_ONCE, "cbda")

    pegs = page.locator("tr.draft .hole-button")
    expect(pegs).to_have_count(4)
    for place, color in enumerate([2, 1, 3, 0]):
        expect(pegs.nth(place)).to_have_attribute("data-peg", str(color))


def test_boards_are_kept_by_name_in_two_tabs_and_rows_are_noted_while_the_laboratory_is_gone(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    advised(page)
    page.get_by_role("button", name="F", exact=True).click()
    page.keyboard.type("e\n")
    expect(page.get_by_label("Marks as text")).to_be_focused()
    expect(page.locator("tr.draft .hole-button[data-peg='4']")).to_have_count(1)
    page.get_by_role("button", name="Empty the row").click()
    page.get_by_label("Its name").fill("Kitchen table")
    paste(page, "AABB XO")
    expect(rows(page)).to_have_count(1)
    second = page.context.new_page()
    second.goto("/#/assist")
    expect(rows(second)).to_have_count(1)
    second.get_by_role("button", name="Change row 1").click()
    second.get_by_role("button", name="Delete", exact=True).click()
    expect(rows(page)).to_have_count(0)
    second.close()

    page.get_by_role("button", name="New board").click()
    expect(page.get_by_label("Its name")).to_have_value("")
    page.get_by_label("Board", exact=True).first.select_option(label="Kitchen table")
    expect(page.get_by_label("Its name")).to_have_value("Kitchen table")
    page.get_by_role("button", name="Delete this board").click()
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_label("Its name")).to_have_value("Kitchen table")

    visitor.allow("net::ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    page.locator(".hole-button.cursor").focus()
    page.keyboard.type("aabb\nxo\n")
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_text("The laboratory does not answer")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".advice-state")).to_contain_text("208")

    # A board whose rules cannot be had is asked for again, and can be left or deleted.
    visitor.allow("net::ERR_FAILED")
    page.route("**/api/rules?*", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The laboratory does not answer")
    expect(page.get_by_role("button", name="Delete this board")).to_be_enabled()
    page.unroute("**/api/rules?*")
    page.get_by_role("button", name="Try again").click()
    expect(rows(page)).to_have_count(1)


def test_a_phone_notes_marks_by_peg_in_french_and_nothing_scrolls_sideways(visitor: Visitor) -> None:
    visitor.allow("/api/texts/fr")
    page = visitor.open("/#/assist", size=PHONE, locale="fr", scheme="dark", reduced_motion=True, phone=True)
    advised(page)
    page.locator("textarea").first.evaluate("box => { box.closest('details').open = true }")
    page.locator("textarea").first.fill("entropeg notes 1: words:english/positional\nCRANE: .O..?\n")
    page.locator("textarea").first.evaluate("box => box.closest('details').querySelector('button').click()")
    expect(rows(page)).to_have_count(1)
    expect(page.locator(".mark-turn")).to_have_count(5)
    page.locator(".palette-peg").first.tap()
    # The keyboard of letters begins with A in French.
    expect(page.locator("tr.draft .hole-button[data-peg='0']")).to_have_count(1)
    page.locator(".mark-turn").first.tap()
    expect(page.locator(".marks-entry input")).to_have_value(".????")
    assert axe(page) == []
    screenshot(page, "assist-phone", whole=True)
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        expect(page.locator("html")).to_have_js_property("scrollWidth", width)


def test_feedback_known_in_part_is_read_and_written_as_the_laboratory_does(visitor: Visitor) -> None:
    page = visitor.open("/#/assist")
    script = """async (texts) => {
      const { readTold } = await import("/parts/marks.js");
      const { writeTold } = await import("/assist/told.js");
      const symbols = [..."ABCDEF"].map((text, index) => ({ text, index }));
      const rules = { standard: { pegs: 4, colors: 6, numbers: ["black", "white"], symbols, blank: null } };
      rules.positional = { ...rules.standard, pegs: 5, numbers: [] };
      rules.grand = { ...rules.standard, numbers: ["black", "white", "blue"] };
      return texts.map(([kind, text]) => {
        const read = readTold(text, rules[kind]);
        return read === undefined ? "unread" : writeTold(read, rules[kind]);
      });
    }"""
    kept = ["XO", "-", "?", "XO?", "1 ?", "? 2", "≥1 0"]
    by_peg = ["X?.O.", "?????"]
    asked = [["standard", text] for text in [*kept, "xxo", "2b1w", "2 1", "one black", ""]]
    asked += [["positional", text] for text in [*by_peg, "xo..."]] + [["grand", "XO~"], ["standard", "XO~"]]

    found = page.evaluate(script, asked)

    assert found == [*kept, "XXO", "XXO", "XXO", "unread", "unread", *by_peg, "XO...", "XO~", "unread"]


def test_a_doubted_row_of_a_board_that_nobody_can_list_is_left_out_by_a_click(visitor: Visitor) -> None:
    page = visitor.open("/#/assist", reduced_motion=True)
    advised(page)
    ones = "-".join(["1"] * 50)
    paste(page, f"entropeg notes 1: 50x50\n{ones}: XXX\n{ones}: XXXX\n{ones}: XXX\n")
    expect(page.locator(".note.warn")).to_contain_text("No code fits all answers", timeout=FIRST)
    expect(page.locator("tr.suspect")).to_have_count(1)
    expect(page.locator(".suspect-note")).to_contain_text("This row may be mistyped: 100 %")
    screenshot(page, "assist-doubt", whole=True)
    page.get_by_role("button", name="Leave out row 2", exact=True).click()
    expect(rows(page)).to_have_count(2)
    expect(page.locator("tr.suspect")).to_have_count(0)
    page.get_by_role("button", name="Undo the last change").press("Enter")
    expect(page.locator("tr.suspect")).to_have_count(1)
