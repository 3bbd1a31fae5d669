"""What the page shows on small windows and large boards, and that no choice that it offers is refused."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from browser import Size, Visitor, app, axe, close, screenshot, settled
from rooms import IS_LONG, often

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page, Response

SIZES: list[Size] = [(320, 640), (360, 740), (740, 360), (320, 256), (256, 256), (1280, 800)]
"""Phones, upright and sideways; a page that is enlarged four times; a desk."""

PICTURED: list[Size] = [(360, 740), (740, 360)]
"""Sizes of which each run leaves a picture; the long one leaves all."""

BOARDS = {
    "1x1": [],
    "4x6/limit=12": ["AABB", "CCDD", "EEFF", "ABCD"],
    "8x12/limit=10": ["AABBCCDD", "EEFFGGHH"],
    "20x20/limit=12": ["AABBCCDDEEFFGGHHIIJJ", "ABCDEFGHIJKLMNOPQRST"],
    "words:english/positional/limit=6": ["crane", "slate"],
    "4x6/limit=5": ["AABB"],
    "4x6/limit=10": ["AABB", "CCDD"],
    "6x8/limit=10": ["AABBCC", "DDEEFF"],
    "12x10/limit=10": ["AABBCCDDEEFF"],
}
"""Boards, and what is guessed on each."""

PASTE = """(text) => {
  const data = new DataTransfer();
  data.setData("text", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""

HIDDEN = """async (selectors) => {
  // The page stands where it stands after a guess, and has followed its window.
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  document.querySelector(".stage").scrollIntoView({ block: "nearest" });
  return selectors.filter((selector) => {
    const found = [...document.querySelectorAll(selector)].at(-1);
    const box = found.getBoundingClientRect();
    const isInside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
    const seen = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return !isInside || !found.contains(seen);
  });
}"""
"""Which of the last elements that selectors find are beyond the window, or under something else."""

ROWS_SEEN = """() => [...document.querySelectorAll(".board tbody tr")].filter((row) => {
  const box = row.cells[0].getBoundingClientRect();
  return row.cells[0].contains(document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2));
}).length"""


def play(page: Page, guesses: list[str]) -> None:
    for number, guess in enumerate(guesses, 1):
        page.evaluate(PASTE, guess)
        page.locator("button.submit:not([aria-disabled=true])").evaluate("button => button.click()")
        expect(page.locator("tr.turn")).to_have_count(number)


@pytest.mark.parametrize("rules", often(5, BOARDS))
def test_row_marks_palette_and_submit_are_in_every_window_after_each_guess(visitor: Visitor, rules: str) -> None:
    page = visitor.open(f"/#/play/new?rules={rules}&number=3", phone=True, reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    page.evaluate("document.querySelectorAll('.notices').forEach((notices) => notices.remove())")
    guesses = BOARDS[rules]
    play(page, guesses)
    turns = ["tr.turn .row-number", "tr.turn .marks-drawn" if "words" not in rules else "tr.turn .place .peg"]
    needed = ["tr.draft .hole-button.cursor", "tr.draft .row-number", ".palette", "button.submit"]

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        place = f"{rules} at {width}x{height}"

        asked = needed + (turns[: 1 if "words" in rules else 2] if guesses else [])
        assert page.evaluate(HIDDEN, asked) == [], place
        assert page.evaluate("document.documentElement.scrollWidth") == width, place
        if height >= 640:
            rows = page.locator(".board tbody tr").count()
            assert page.evaluate(ROWS_SEEN) >= min(rows, 8 if rules.startswith(("12", "20")) else 10), place
        if IS_LONG or (width, height) in PICTURED:
            screenshot(page, f"size-{rules.partition('/')[0].replace(':', '-')}-{width}x{height}")
    assert axe(page) == []


def test_an_enlarged_page_keeps_no_rail_over_the_board(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=4x6&number=3", size=(320, 256), reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    bars = "[...document.querySelectorAll('.rail, .dock')].map((bar) => getComputedStyle(bar).position)"

    assert page.evaluate(bars) == ["static", "static"]
    play(page, ["AABB"])
    # With the palette and its buttons more than half of the window is for rows.
    assert page.evaluate("document.querySelector('.dock').offsetHeight") < 128
    assert page.evaluate("document.querySelector('.board').offsetHeight") > 128


def test_marks_of_more_than_ten_pegs_are_numbers_at_the_edge_and_the_same_words(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=20x20&number=3", size=(360, 740), phone=True, reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    play(page, BOARDS["20x20/limit=12"][:1])
    marks = page.locator("tr.turn .marks")
    words = re.compile(r"^(\d+) black, (\d+) white$")

    expect(marks.locator(".unseen")).to_have_text(words)
    told = words.match(marks.locator(".unseen").inner_text())
    assert told is not None
    assert marks.locator(".mark-count").all_inner_texts() == list(told.groups())
    edge = "document.querySelector('tr.turn .row-marks').getBoundingClientRect().left"
    before = page.evaluate(edge)
    scrolled = page.evaluate(
        "() => { const board = document.querySelector('.board'); board.scrollLeft = 60; return board.scrollLeft; }"
    )
    assert (scrolled, page.evaluate(edge)) == (60, before)


def test_the_row_that_is_made_stays_in_sight_on_a_board_of_many_rows(visitor: Visitor) -> None:
    page = visitor.open("/#/play/new?rules=4x6&number=3", size=(740, 360), phone=True, reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()
    page.evaluate("document.querySelectorAll('.notices').forEach((notices) => notices.remove())")
    play(page, [first + "BCD" for first in "ABCDEF"] * 2)

    assert (
        page.evaluate(HIDDEN, ["tr.draft .hole-button.cursor", "tr.turn .marks-drawn", ".palette", "button.submit"])
        == []
    )


NOTES = {
    "4x6": "AABB: XO\nCCDD: -",
    "8x12": "AABBCCDD: XOO",
    "20x20": "AABBCCDDEEFFGGHHIIJJ: 3b4w",
    "words:english/positional": "crane: .O..?",
}


@pytest.mark.parametrize("rules", NOTES)
def test_assist_shows_marks_and_what_changes_a_row_in_every_window(visitor: Visitor, rules: str) -> None:
    page = visitor.open("/#/assist", phone=True, reduced_motion=True)
    box = page.locator("textarea").first
    box.evaluate("box => { box.closest('details').open = true }")
    box.fill(f"entropeg notes 1: {rules}\n{NOTES[rules]}\n")
    box.evaluate("box => box.closest('details').querySelector('button').click()")
    expect(page.locator("tr.turn").first).to_be_visible()
    page.evaluate("document.querySelectorAll('.notices').forEach((notices) => notices.remove())")
    beyond = """() => {
      document.querySelector(".entry").scrollIntoView({ block: "start" });
      const edge = document.querySelector(".board").getBoundingClientRect();
      const needed = ["tr.turn .row-marks > *", "tr.turn .row-change button", "tr.draft .hole-button.cursor"];
      return needed.filter((selector) => {
        const box = document.querySelector(selector).getBoundingClientRect();
        return box.left < edge.left || box.right > edge.right + 1 || edge.right > innerWidth;
      });
    }"""

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})

        assert page.evaluate(beyond) == [], f"{rules} at {width}x{height}"
        assert page.evaluate("document.documentElement.scrollWidth") == width, f"{rules} at {width}x{height}"


def test_two_games_side_by_side_show_the_marks_of_both_in_every_window(visitor: Visitor) -> None:
    page = visitor.open(
        "/#/watch?rules=8x12&codebreaker=auto&codebreaker2=auto&codemaker=honest&seed=5&turn=2",
        phone=True,
        reduced_motion=True,
    )
    expect(page.locator(".film")).to_be_visible(timeout=120_000)
    cut = """() => [...document.querySelectorAll(".watched :is(.marks-drawn, td.num)")].filter((marks) => {
      const [box, edge] = [marks, marks.closest(".board")].map((one) => one.getBoundingClientRect());
      return box.right > edge.right + 1 || edge.right > innerWidth;
    }).length"""

    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})

        assert page.evaluate(cut) == 0, f"{width}x{height}"
        assert page.evaluate("document.documentElement.scrollWidth") == width, f"{width}x{height}"


# ------------------------------------------------------------------ what can be chosen

RULES = ["Board", "Holes left empty", "Answers", "Written as"]
SELECTS = {
    "play/new?rules=2x2": ["How notes are taken", *RULES, "Who hides the code"],
    "assist": ["Time for advice", "Board", *RULES],
    "explore": RULES,
    "watch": ["Codebreaker", "Beside it, on the same secret", "Codemaker", *RULES],
    "train": [*RULES, "Theme", "Difficulty"],
    "compare": RULES,
    "compare/prove": RULES,
    "settings": ["Language", "Tones", "Motion", "Sound", "Notes", "Letters set pegs"],
}
"""The selects of each screen."""

SELECT = "#main select:not(.film select)"
"""All but the speed of a film, which the laboratory hears nothing of."""

STATUS = "async (path) => (await fetch(path)).status"


def opened(visitor: Visitor, screen: str) -> Page:
    """Page of a screen with all its selects."""
    page = visitor.open(f"/#/{screen}", reduced_motion=True)
    settled(page)
    if screen.startswith("play"):
        page.locator("#new-game summary").first.click()
    if screen == "train":
        page.get_by_role("button", name="Something else").click()
    expect(page.locator(SELECT)).to_have_count(len(SELECTS[screen]))
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")
    names = page.evaluate(
        "[...document.querySelectorAll('#main select:not(.film select)')]"
        ".map((one) => one.ariaLabel ?? one.labels[0].textContent)"
    )
    assert names == SELECTS[screen]
    return page


def is_asked(answer: Response, seconds: float) -> bool:
    """Whether it is the answer to a question for advice that may take some seconds."""
    body = answer.request.post_data_json if answer.url.endswith("/api/advice") else None
    return body is not None and body["seconds"] == seconds


def try_option(page: Page, select: Locator, name: str, value: str, about: dict[str, Any]) -> None:
    """Choose an option, and see that the laboratory takes what the page makes of it."""
    if name == "Time for advice":
        if value == select.input_value():
            return
        with page.expect_response(lambda answer: is_asked(answer, float(value))) as answered:
            select.select_option(value)
        assert answered.value.status == 200, value
        return
    select.select_option(value)
    rules = page.get_by_label("Rules as text")
    if name in RULES and value != "free":
        assert page.evaluate(STATUS, f"/api/rules?text={quote(rules.input_value())}") == 200, (name, value)
    if name == "Theme":
        assert page.evaluate(STATUS, f"/api/puzzles?rules=4x6&seed=1{value and f'&theme={value}'}") == 200, value
    if name in {"Codebreaker", "Codemaker", "Beside it, on the same secret", "Who hides the code"}:
        players = {player["name"] for part in ("codebreakers", "codemakers") for player in about[part]}
        assert value in players | {"", "person"}


@pytest.mark.parametrize("screen", SELECTS)
def test_the_laboratory_takes_every_option_of_every_select(visitor: Visitor, screen: str) -> None:
    page = opened(visitor, screen)
    about = page.evaluate("async () => (await fetch('/api/about')).json()")

    for index, name in enumerate(SELECTS[screen]):
        if (
            screen == "assist" and name in RULES
        ):  # other rules open another board; the form is that of the other screens
            continue
        select = page.locator(SELECT).nth(index)
        values = select.evaluate("select => [...select.options].map(({ value }) => value)")
        for value in values:
            try_option(page, select, name, value, about)
        select.select_option(values[0])
        if name in RULES:
            expect(page.get_by_label("Colors", exact=True)).to_have_value("6")


def test_the_times_for_advice_are_those_that_the_server_takes(browser: Browser, tmp_path: Path) -> None:
    for options, most in (((), 10), (("--public",), 5)):
        with app(tmp_path / f"most{most}", *options) as server:
            visitor = Visitor(browser, server.address)
            page = opened(visitor, "assist")

            values = page.get_by_label("Time for advice").evaluate(
                "select => [...select.options].map(({ value }) => Number(value))"
            )

            close(browser)
            assert values == list(range(1, most + 1))
            assert visitor.complaints == []
