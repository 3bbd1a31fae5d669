"""The screen Train in a real browser: puzzles by ear and keyboard, wrong rows, the rating, one's own mistakes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browser import PHONE, Visitor, axe, screenshot
from listening import await_sentence, focused, heard, listen

LONG = 300_000


def run(page: Page, script: str, *arguments: object) -> Any:
    """What an expression gives that may use the modules of the page: glicko, record and session, and `given`."""
    return page.evaluate(
        f"""async (given) => {{
            const glicko = await import("/glicko.js");
            const record = await import("/train/record.js");
            const session = await import("/train/session.js");
            return {script};
        }}""",
        list(arguments),
    )


def test_ratings_are_those_of_the_paper_and_puzzles_count_once(visitor: Visitor) -> None:
    page = visitor.open("/#/train")
    opponents = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    games = [{"rating": rating, "deviation": deviation, "score": score} for rating, deviation, score in opponents]
    player = {"rating": 1500, "deviation": 200, "volatility": 0.06}

    # The example of the paper.
    after = run(page, "glicko.rated(...given)", player, games)
    assert after == {
        "rating": pytest.approx(1464.06, abs=0.01),
        "deviation": pytest.approx(151.52, abs=0.01),
        "volatility": pytest.approx(0.05999, abs=0.00001),
    }
    # Its rating period without games: the deviation grows by the volatility alone, and never beyond 350.
    rest = run(page, "glicko.rated(...given)", player, [])
    assert rest["deviation"] == pytest.approx((200**2 + (0.06 * 173.7178) ** 2) ** 0.5)
    assert run(page, "glicko.rated(...given)", {**player, "deviation": 350}, [])["deviation"] == 350
    # A surprise makes volatile: the other way to bound step 5.
    lost = [{"rating": 700, "deviation": 30, "score": 0}] * 20
    assert run(page, "glicko.rated(...given)", {**player, "deviation": 30}, lost)["volatility"] > 0.06
    even = {"rating": 1500, "deviation": 30}
    assert run(page, "glicko.expectedScore(...given)", player, even) == pytest.approx(0.5)

    # A puzzle of one difficulty or another, and counted once.
    ratings = run(page, "given.map((difficulty) => record.opponentOf({ difficulty }).rating)", 0, 0.5, 1)
    assert ratings == pytest.approx([1029.6, 1500, 1970.4], abs=0.1)
    counting = """(() => {
        const puzzle = { puzzle: { rules: "4x6", theme: "trap", seed: 1, number: 1 }, theme: "trap", difficulty: 0.5 };
        const won = record.counted(record.newRecord(), puzzle, { points: 3, isFirst: true, at: 0 });
        const twice = record.counted(won.record, puzzle, { points: 0, isFirst: false, at: 0 });
        const other = { ...puzzle, puzzle: { ...puzzle.puzzle, number: 2 } };
        const later = record.counted(won.record, other, { points: 1, isFirst: false, at: 30 * 86400000 });
        const soon = record.counted(won.record, other, { points: 1, isFirst: false, at: 1 });
        const told = ({ change, record }) => [change, record.player.deviation, record.streak, record.puzzles];
        return [won, twice, later, soon].map(told);
    })()"""
    won, twice, later, soon = run(page, counting)
    assert won[0] > 0
    assert won[2:] == [1, 1]
    assert twice == [None, *won[1:]]
    assert soon[0] < 0
    assert soon[2:] == [0, 2]
    assert later[1] > soon[1]

    # What was answered wrongly comes again after three others, or at the end; what was skipped does not.
    order = """given.map((outcomes) => {
        let one = session.newSession({}, Array.from({ length: 5 }, (_, number) => ({ number })));
        const seen = [];
        while (session.nextOf(one) !== null) {
            one = session.begun(one);
            const { puzzle, isAgain } = session.openOf(one);
            seen.push(puzzle.number);
            const outcome = isAgain ? "solved" : outcomes[puzzle.number];
            if (outcome === "late") one = session.tried(one, { text: "AABB", solved: false });
            one = session.ended(one, outcome === "late" ? "solved" : outcome, { points: outcome === "solved" ? 3 : 2 });
        }
        return [seen, session.summaryOf(one).solved, session.summaryOf(one).again];
    })"""
    mixed = ["shown", "solved", "skipped", "late", "solved"]
    assert run(page, order, mixed, ["solved"] * 5) == [[[0, 1, 2, 3, 0, 4, 3], 3, 2], [[0, 1, 2, 3, 4], 5, 0]]


def choose(page: Page) -> None:
    """Leave the puzzle on which the screen opens, for the choice of others."""
    expect(page.get_by_role("heading", name="Puzzle 1 of 10")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Something else").click()
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()


def start(page: Page, theme: str, *, press: bool = False) -> dict[str, Any]:
    """Start a session; returns what names its first puzzle."""
    page.get_by_label("Theme").select_option(theme)
    with page.expect_response(lambda response: "/api/puzzles?" in response.url) as drawn:
        button = page.get_by_role("button", name="Start 10 puzzles")
        if press:
            button.press("Enter")
        else:
            button.click()
    named: dict[str, Any] = drawn.value.json()["puzzle"]
    expect(page.get_by_role("heading", name="Puzzle 1 of 10")).to_be_visible(timeout=LONG)
    return named


RECORD = """async (puzzles) => {
  const [record, store] = await Promise.all([import("/train/record.js"), import("/store.js")]);
  let now = record.newRecord();
  for (let number = 1; number <= puzzles; number += 1) {
    const puzzle = { puzzle: { rules: "4x6", theme: "trap", seed: 1, number }, theme: "trap", difficulty: 0.5 };
    now = record.counted(now, puzzle, { points: 3, isFirst: true, at: number }).record;
  }
  store.write("train/record", now, store.read("train/record")?.rev ?? 0);
}"""


def test_there_is_no_rating_before_ten_puzzles(visitor: Visitor) -> None:
    page = visitor.open("/#/train", reduced_motion=True)
    rating = page.get_by_role("region", name="Rating")
    told = {}
    for puzzles in (0, 1, 9, 10):
        page.evaluate(RECORD, puzzles)
        page.reload()
        told[puzzles] = rating.inner_text()

    assert ["≈" in said for said in told.values()] == [False, False, False, True]
    assert "1 puzzle more until there is a rating." in told[9]
    assert "10 puzzles, 10 solved" in told[10]


def solution(page: Page, named: dict[str, Any]) -> dict[str, Any]:
    """The solution of a puzzle, from the API."""
    found: dict[str, Any] = page.request.post("/api/puzzles/solution", data={"puzzle": named}).json()
    return found


def test_puzzles_are_solved_by_ear_and_keyboard(visitor: Visitor) -> None:
    page = visitor.open("/#/train", reduced_motion=True)
    choose(page)
    listen(page)
    assert axe(page) == []
    named = start(page, "deduce", press=True)
    await_sentence(page, "Puzzle 1 of 10: Deduce. One code is left: which?")
    assert focused(page) == "Peg 1: empty"
    rows = page.get_by_role("table", name="The position").get_by_role("row").all()[1:-1]
    assert all(len(row.get_by_role("cell").all()) == 5 for row in rows)  # four pegs and the marks
    answer = solution(page, named)["answers"][0]
    wrong = answer[1:] + answer[0] if len(set(answer)) > 1 else "AABB"

    page.keyboard.type(wrong)
    page.keyboard.press("Enter")
    said = await_sentence(page, f"Not yet. {wrong} is not it: row ")
    assert "would have got" in said
    assert focused(page) == "Peg 1: empty"
    page.keyboard.type(wrong)
    page.keyboard.press("Enter")
    await_sentence(page, "That was tried already.")
    page.keyboard.press("Alt+h")
    await_sentence(page, "Hint 1:")
    assert axe(page) == []
    page.keyboard.type(answer)
    page.keyboard.press("Enter")
    await_sentence(page, "Solved: 1 point.")  # of three: one less for the hint, one for the wrong attempt
    expect(page.get_by_role("group", name="Solution", exact=True)).to_be_focused()
    rating = page.get_by_role("region", name="Rating")
    expect(rating).to_contain_text("9 puzzles more until there is a rating.")
    expect(page.get_by_text("1 comes again.")).to_be_visible()
    assert axe(page) == []
    screenshot(page, "train-solved", whole=True)

    page.reload()  # the session goes on, and what was counted is kept
    expect(page.get_by_role("heading", name="Puzzle 1 of 10")).to_be_visible()
    expect(rating).to_contain_text("9 puzzles more until there is a rating.")
    listen(page)
    page.get_by_role("button", name="Next").press("Enter")
    await_sentence(page, "Puzzle 2 of 10: Deduce.")
    expect(page.locator(".hole-button.cursor")).to_be_focused()
    later = [f"Puzzle {number} of 10" for number in range(3, 11)]
    for name in [*later[:2], "Once more", *later[2:]]:  # after three others
        page.get_by_role("button", name="Skip").press("Enter")
        await_sentence(page, f"{name}: Deduce.")
    page.get_by_role("button", name="Skip").press("Enter")
    await_sentence(page, "The session is over. 1 of 10 puzzles solved, 1 of 30 points.")
    expect(page.get_by_role("heading", name="The session")).to_be_focused()
    summary = page.get_by_role("table", name="Puzzle by puzzle")
    expect(summary.get_by_role("row")).to_have_count(12)  # heads, ten, and the one that came again
    assert axe(page) == []
    sentences = heard(page)
    assert len([sentence for sentence in sentences if sentence.startswith("Puzzle 3 of 10")]) == 1


def test_a_wrong_row_is_named_by_its_button_or_its_number(visitor: Visitor) -> None:
    page = visitor.open("/#/train", size=PHONE, scheme="dark", reduced_motion=True)
    choose(page)
    named = start(page, "mend")
    row = solution(page, named)["row"]
    other = 1 if row != 1 else 2
    page.get_by_role("button", name=f"Row {other} is wrong").click()
    expect(page.get_by_label("Tried").get_by_text(f"Not row {other}: without it the others contradict")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    screenshot(page, "train-phone-dark", whole=True)
    for language, question in [("fr", "Une ligne est fausse, et aucun code"), ("en", "One row is wrong, and no code")]:
        page.evaluate("async (to) => (await import('/texts.js')).setLanguage(to)", language)
        expect(page.locator(".question")).to_contain_text(question)
    tab = page.context.new_page()
    tab.goto("/#/train")
    expect(tab.get_by_label("Tried").get_by_text(f"Not row {other}: without it the others contradict")).to_be_visible()
    page.get_by_role("button", name=f"Row {other} is right").press(str(row))
    await_sentence(page, "Solved: 2 points.")
    expect(tab.get_by_text("Solved: 2 points.").first).to_be_visible()  # the other tab goes on with the same session
    tab.close()
    expect(page.get_by_role("group", name="Solution", exact=True)).to_contain_text(f"Row {row} is wrong,")
    expect(page.locator("tr.wrong th")).to_contain_text(str(row))


def test_mistakes_of_ones_own_games_become_puzzles(visitor: Visitor) -> None:
    page = visitor.open("/#/train", reduced_motion=True)
    choose(page)
    button = page.get_by_role("button", name="Train my mistakes")
    expect(button).to_be_disabled()
    turns = [["AABB", "XO"], ["ACCD", "O"], ["BEBF", "XXO"], ["FEBA", "XXXX"]]
    for key, played in {"one": turns, "two": [["AABB", "O"]]}.items():
        game = {"id": key, "rules": "4x6", "turns": played, "told": [None] * len(played), "state": "won"}
        entry = json.dumps({"v": 1, "rev": 1, "at": 1_790_000_000_000, "data": game})
        page.evaluate("([key, entry]) => localStorage.setItem(`entropeg/game/${key}`, entry)", [key, entry])
    damaged = json.dumps({"v": 1, "rev": 1, "at": 1, "data": {"wanted": {}, "entries": [None], "again": []}})
    page.evaluate("(entry) => localStorage.setItem('entropeg/train/session', entry)", damaged)
    page.reload()
    choose(page)

    # A search that was left for another session does not come back.
    held: list[Route] = []

    def hold_all_but_one(route: Route) -> None:
        held.append(route)
        if len(held) == 1:
            route.continue_()

    page.route("**/api/puzzles/learn", hold_all_but_one)
    button.click()
    expect(page.get_by_text("Looking for mistakes in game 2 of 2")).to_be_visible(timeout=LONG)
    start(page, "mend")
    page.unroute("**/api/puzzles/learn")
    page.get_by_role("button", name="Something else").click()

    button.click()
    expect(page.get_by_role("heading", name="Puzzle 1 of 2")).to_be_visible(timeout=LONG)
    expect(page.locator(".question")).to_contain_text("was played here, which loses 0.24 guesses: what is better?")
    expect(page.get_by_role("table", name="The position").get_by_role("row")).to_have_count(4)
    page.get_by_role("button", name="Solution").click()
    solved = page.get_by_role("group", name="Solution", exact=True)
    expect(solved).to_contain_text("Not solved: the solution was shown. 9 puzzles more until")
    expect(solved.get_by_role("table", name="Its answers, and what each would leave")).to_be_visible()
    screenshot(page, "train-own", whole=True)
    page.get_by_role("button", name="Something else").click()
    expect(page.get_by_role("heading", name="Train", level=1)).to_be_focused()

    visitor.allow("422")
    page.get_by_text("Every option").click()
    page.get_by_label("Rules as text").fill("4x6/positiona")
    expect(page.locator("p.wrong")).to_be_visible()
    page.get_by_label("Rules as text").fill("20x20")
    expect(page.get_by_text("There are no puzzles for these rules")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("button", name="Start 10 puzzles")).to_have_attribute("aria-disabled", "true")
    page.get_by_label("Rules as text").fill("6x4/positional")
    expect(page.get_by_label("Theme").locator("option")).to_have_text(["all themes", "Deduce", "Wrong row"])
    assert axe(page) == []
