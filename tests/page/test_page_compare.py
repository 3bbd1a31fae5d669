"""The screen that compares, in a browser: arenas and proofs as they run, strategies answer by answer."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, Route, expect

from browser import PHONE, Visitor, app, axe, close, screenshot


def started(page: Page) -> Page:
    """The page of a run that was just asked for."""
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile(r"#/compare/run/\w+"))
    return page


def test_an_arena_is_asked_for_runs_and_is_found_again(visitor: Visitor) -> None:
    page = visitor.open("/#/compare", reduced_motion=True)
    page.get_by_text("Every option").click()
    page.get_by_label("Rules as text").fill("3x3")
    page.get_by_label("Every secret once instead").check()
    assert axe(page) == []

    started(page)
    expect(page.get_by_role("heading", name="entropy, consistent – honest on 3x3")).to_be_focused()
    expect(page.get_by_text("done", exact=True).first).to_be_visible()
    table = page.get_by_role("table", name="Results")

    expect(table.get_by_role("row")).to_have_count(3)
    expect(table.get_by_role("row").nth(1)).to_contain_text("entropy")
    expect(table).to_contain_text("2.7037")  # 73 guesses over the 27 secrets
    assert axe(page) == []
    screenshot(page, "compare-arena", whole=True)

    page.reload()
    expect(table).to_contain_text("2.7037")
    page.get_by_role("button", name="Remove this run").press("Enter")
    expect(page.get_by_role("button", name="Keep them")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Remove this run")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep them")).to_be_focused()
    page.get_by_role("group", name="Remove this run").get_by_role("button", name="Yes, delete them").press("Enter")
    expect(page).to_have_url(re.compile(r"#/compare$"))
    expect(page.get_by_role("heading", level=1)).to_be_focused()

    # What was asked for stands in the form again.
    expect(page.get_by_label("Rules as text")).to_have_value("3x3")
    expect(page.get_by_label("Every secret once instead")).to_be_checked()
    expect(page.get_by_role("group", name="Codebreakers").locator(".chips li")).to_have_count(2)


def test_two_players_are_told_apart_by_their_games_on_the_same_secrets(visitor: Visitor) -> None:
    page = visitor.open("/#/compare", reduced_motion=True)
    page.get_by_label("Games of each pair").fill("200")
    page.get_by_role("button", name="Take consistent out").click()
    page.get_by_role("checkbox", name=re.compile("^first-consistent ")).check()
    started(page)
    told = page.locator(".difference")
    expect(told).to_contain_text("entropy needs")
    run = page.evaluate("async () => (await fetch(`/api/runs/${location.hash.split('/').at(-1)}`)).json()")
    [difference] = run["result"]["differences"]

    assert difference["mean"] + difference["error"] < 0
    spread = f"{-difference['mean']:.3f} ± {difference['error']:.3f}"
    expect(told).to_contain_text(f"entropy needs {spread} guesses fewer than first-consistent.")
    assert sum(difference["histogram"].values()) == difference["games"] == 200
    # One histogram over the other, and their numbers.
    page.get_by_text("The numbers").click()
    numbers = page.get_by_role("table", name="Games by number of guesses").get_by_role("row").all()[1:]
    shown = [[int(cell) for cell in row.get_by_role("cell").all_inner_texts()] for row in numbers]
    assert [sum(column) for column in zip(*shown, strict=True)] == [200, 200]
    assert axe(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "rules,codebreaker,codemaker,seed,guesses,games"
    assert sum(int(line.rpartition(",")[2]) for line in lines[1:]) == 400
    before = page.url
    page.get_by_role("button", name="Again with another seed").click()
    page.wait_for_url(lambda url: url != before)
    expect(page.locator(".difference")).to_be_visible()
    again = page.evaluate("async () => (await fetch(`/api/runs/${location.hash.split('/').at(-1)}`)).json()")
    assert again["request"] == run["request"] | {"seed": run["request"]["seed"] + 1}


def test_what_is_wrong_is_told_at_its_field(visitor: Visitor) -> None:
    visitor.allow("status of 422")
    page = visitor.open("/#/compare")
    codebreakers = page.get_by_role("group", name="Codebreakers")
    codebreakers.get_by_label("Add a player").fill("minmax")
    codebreakers.get_by_label("Add a player").press("Enter")
    page.get_by_role("button", name="Start", exact=True).click()

    expect(codebreakers.get_by_text("did you mean minimax")).to_be_visible()

    page.get_by_text("Every option").click()
    rules = page.get_by_label("Rules as text")
    rules.fill("4y6")
    with page.expect_response("**/api/runs"):
        rules.press("Enter")

    expect(rules).to_have_attribute("aria-invalid", "true")
    expect(page.locator("form .bad, form .wrong").filter(has_text="4y6")).to_have_count(1)
    assert axe(page) == []


def test_a_proof_ends_where_bound_and_strategy_meet_and_its_strategy_can_be_walked(visitor: Visitor) -> None:
    page = visitor.open("/#/compare/prove", locale="fr", size=PHONE, phone=True, reduced_motion=True)
    page.get_by_text("Toutes les options").click()
    page.get_by_label("Règles en texte").fill("3x4")
    known = page.get_by_role("region", name="Ce que l’on sait sans recherche")
    expect(known).to_contain_text(re.compile("Moyenne\\s*≥ 3,031"))
    page.get_by_role("button", name="Lancer").click()

    total = page.locator("dt", has_text="Total, prouvé").locator("xpath=following-sibling::dd")
    expect(total).to_have_text("206", timeout=240_000)  # the first search is compiled
    assert axe(page) == []
    screenshot(page, "compare-proof-phone-fr", whole=True)

    page.get_by_role("link", name="Voir la stratégie").click()
    answers = page.get_by_role("table", name="Les réponses, et ce que la stratégie joue alors")
    expect(answers).to_be_visible()
    before = page.url
    answers.get_by_role("link").first.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_be_focused()
    assert before != page.url
    assert axe(page) == []

    page.go_back()
    expect(page).to_have_url(before)


def test_a_strategy_of_5x8_is_walked_without_being_built(visitor: Visitor) -> None:
    page = visitor.open("/#/compare/trees", reduced_motion=True)
    page.get_by_role("button", name="Open").click()

    expect(page.locator("main").get_by_text("32,768 codes left")).to_be_visible()
    assert axe(page) == []
    screenshot(page, "compare-tree", whole=True)


def test_guesses_that_are_not_found_soon_are_asked_for_and_else_said_to_be_open(visitor: Visitor) -> None:
    page = visitor.open("/#/compare/trees", reduced_motion=True)
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) != 2:  # the second one waits
            told = route.fetch().json()
            for child in told["node"]["children"]:
                child["guess"] = None
            route.fulfill(json=told)

    page.route("**/nodes?*", answer)
    page.get_by_label("Rules as text").fill("3x4")
    page.get_by_role("button", name="Open").click()
    cells = page.locator(".tree-children tr:not(:has-text('found')) td:last-child")
    expect(cells.first).to_have_text("…")
    asked[1].fulfill(json=asked[1].fetch().json())
    expect(cells.first.locator("svg, .code, .peg").first).to_be_visible()
    page.reload()
    expect(cells.first).to_have_text("worked out when the answer is opened")

    seconds = [re.search(r"seconds=([\d.]+)", route.request.url) for route in asked]
    assert ["0.5", "10", "0.5"] == [found[1] for found in seconds[:3] if found]


def test_a_run_is_cancelled_kept_and_gone_on_from_and_so_when_the_server_was_away(
    browser: Browser, tmp_path: Path
) -> None:
    with app(tmp_path / "data") as server:
        visitor = Visitor(browser, server.address)
        page = visitor.open("/#/compare")
        page.get_by_role("checkbox", name=re.compile("^minimax ")).check()
        page.get_by_role("button", name="Take consistent out").click()
        page.get_by_role("button", name="Take entropy out").click()
        page.get_by_text("Every option").click()
        page.get_by_label("Rules as text").fill("5x8")
        page.get_by_label("Games of each pair").fill("1000000")
        started(page)
        expect(page.get_by_role("progressbar")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("cancelled; what was done is kept").first).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_role("button", name="Cancel")).to_be_visible()
        expect(page.get_by_role("heading", name="minimax – honest on 5x8")).to_be_focused()
        screenshot(page, "compare-running")
        assert visitor.complaints == []

    visitor.allow("net::ERR_")
    runs = page.get_by_role("complementary")
    away = runs.get_by_role("alert")
    expect(away).to_contain_text("The laboratory does not answer")
    away.evaluate("(one) => { one.dataset.first = 'yes'; }")
    page.wait_for_event("requestfailed", lambda request: request.url.endswith("/api/runs"))
    expect(away).to_have_attribute("data-first", "yes")  # it is not told anew at each look

    with app(tmp_path / "data", "--port", server.address.rpartition(":")[2]):
        expect(away).to_have_count(0)
        expect(page.get_by_role("progressbar")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_text("cancelled; what was done is kept").first).to_be_visible()
        close(browser)
    assert visitor.complaints == []
