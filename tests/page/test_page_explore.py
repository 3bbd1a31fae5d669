"""The screen Explore in a browser: guesses and answers as the library has them, ways there and back, wrong input."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from browser import PHONE, Visitor, axe, screenshot, settled
from entropeg import Position
from entropeg.advise.exploring import explore

LONG = 300_000
REFUSED = "status of 422"


def numbers(row: Locator) -> list[str]:
    """The numbers of a row of a table."""
    return [text.replace("\N{NO-BREAK SPACE}", " ") for text in row.locator("td").all_inner_texts()]


def rows(page: Page, name: str) -> Locator:
    """The rows of a table."""
    return page.get_by_role("region", name=name).locator("tbody tr")


def test_guesses_and_answers_stand_as_the_library_has_them_and_lead_on_and_back(visitor: Visitor) -> None:
    found = explore(Position("4x6", ["AABB XO"]))
    page = visitor.open("/#/explore/4x6/AABB/XO", reduced_motion=True)
    best, answers = found.moves[0], found.answers
    expect(rows(page, "Guesses").first).to_contain_text("3.452", timeout=LONG)
    expect(page.get_by_text(str(found.says))).to_be_visible()
    assert numbers(rows(page, "Guesses").first) == ["3.452", "0.000", str(best.worst), str(best.parts)]
    expect(rows(page, "Answers to ACAD")).to_have_count(len(answers))
    told = [numbers(row)[0] for row in rows(page, "Answers to ACAD").all()]
    assert told == [str(answer.codes) for answer in answers]
    assert axe(page) == []
    screenshot(page, "explore", whole=True)

    rows(page, "Answers to").first.get_by_role("link").press("Enter")
    expect(page).to_have_url(re.compile(r"#/explore/4x6/AABB/XO/ACAD/[XO-]+$"))
    expect(page.get_by_text(f"{answers[0].codes} codes are left.", exact=True).first).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Back to before guess 2").click()
    expect(page).to_have_url(re.compile(r"#/explore/4x6/AABB/XO/ACAD$"))
    expect(page.get_by_text("208 codes are left.", exact=True).first).to_be_visible(timeout=LONG)
    page.get_by_text("Share this position").click()
    expect(page.get_by_label("Command that shows this position")).to_have_value('entropeg explore 4x6 "AABB XO"')
    expect(page.get_by_label("Address of this position")).to_have_value(f"{visitor.address}/#/explore/4x6/AABB/XO/ACAD")


def test_more_guesses_are_shown_and_a_guess_of_ones_own_is_looked_at(visitor: Visitor) -> None:
    page = visitor.open("/#/explore/3x4", reduced_motion=True)
    expect(rows(page, "Guesses").first).to_be_visible(timeout=LONG)
    field = page.get_by_label("A guess you have in mind")
    field.fill("AAA")
    field.press("Enter")
    expect(page).to_have_url(re.compile(r"#/explore/3x4/AAA$"))
    expect(page.get_by_role("heading", name="Answers to AAA")).to_be_visible(timeout=LONG)
    expect(page.locator("tr.current")).to_have_count(1)
    page.goto(f"{visitor.address}/#/explore/4x6/AABB/XO/ABCD/O")
    expect(rows(page, "Guesses")).to_have_count(20, timeout=LONG)
    page.get_by_role("button", name="Show more guesses").click()
    expect(rows(page, "Guesses")).to_have_count(40)


def test_wrong_addresses_end_in_a_sentence_and_a_way_on(visitor: Visitor) -> None:
    page = visitor.open("/#/explore/4x6/AABB/XO/AABB/-", reduced_motion=True)
    expect(page.get_by_text("no secret fits turn 1")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Back to before guess 2").click()
    expect(rows(page, "Guesses").first).to_be_visible(timeout=LONG)
    for address, sentence in {
        "4x6/AAB": "has 3 pegs",
        "4x6/AABB/hello": "is not a feedback",
        "4x": "4x",
        "4x6/%E0%A4%A": "peg 1 is '%'",
    }.items():
        page.goto(f"{visitor.address}/#/explore/{address}")
        expect(page.locator(".wrong, [role=alert]").filter(has_text=sentence)).to_have_count(1, timeout=LONG)
        settled(page)
    assert {said for said in visitor.complaints if REFUSED not in said} == set()
    visitor.complaints.clear()


def test_a_won_position_has_nothing_more_to_explore(visitor: Visitor) -> None:
    page = visitor.open("/#/explore/4x6/AABB/XXXX", reduced_motion=True)
    expect(page.get_by_text("The game is won.")).to_be_visible(timeout=LONG)
    expect(page.get_by_label("A guess you have in mind")).to_have_count(0)
    expect(page.get_by_role("region", name="Guesses")).to_have_count(0)


def test_a_phone_in_french_shows_everything_in_its_width(visitor: Visitor) -> None:
    page = visitor.open(
        "/#/explore/4x6/AABB/XO", size=PHONE, locale="fr", scheme="dark", reduced_motion=True, phone=True
    )
    expect(rows(page, "Propositions").first).to_be_visible(timeout=LONG)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE[0]
    assert page.locator(".rail").evaluate("rail => rail.scrollWidth - rail.clientWidth") == 0
    assert axe(page) == []
    screenshot(page, "explore-phone", whole=True)
