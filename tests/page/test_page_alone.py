"""The page without a server, in a browser: games, help, other screens, links, no network, storage that is forbidden."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, expect

from browser import PHONE, Visitor, axe
from entropeg.codes import format_code, random_guess, random_secret
from entropeg.feedback import format_feedback, score_trusted
from entropeg.rules import Rules
from entropeg.web.numbered import secret_of
from entropeg.web.tasks import games as tasks

NUMBER = 345_278
SECRET = format_code(secret_of("4x6/limit=10", NUMBER) or (), "4x6")


def asked(page: Page, questions: list[Any]) -> Any:
    """What the page answers itself."""
    script = """async (given) => {
      const { answered } = await entropeg.load("local/backend.js");
      const ask = ([method, path, question]) => answered(method, path, question).catch((error) => error.message);
      return Promise.all(given.map(ask));
    }"""
    return page.evaluate(script, questions)


def guess(page: Page, code: str) -> None:
    page.keyboard.type(code)
    page.keyboard.press("Enter")


def test_a_game_is_played_to_its_end_with_help_and_its_account(alone: Visitor) -> None:
    page = alone.open(f"/pegs/#/play/new?rules=4x6/limit=10&number={NUMBER}")
    expect(page.locator("tr.draft")).to_be_visible()
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "AABC")
    expect(page.locator(".board tbody tr.turn, .board tbody tr").first).to_be_visible()
    expect(page.get_by_text("276").first).to_be_visible()
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, SECRET)
    expect(page.locator(".ending")).to_contain_text("Found in 2 guesses")
    expect(page.locator(".ending")).to_contain_text("par")


def test_it_goes_on_without_a_network_and_is_opened_again_without_one(alone: Visitor) -> None:
    page = alone.open("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    page.reload()
    expect(page.locator("tr.draft")).to_be_visible()
    page.context.set_offline(True)
    alone.allow("ERR_INTERNET_DISCONNECTED")
    page.reload()
    expect(page.locator("tr.draft")).to_be_visible()
    told = asked(page, [["POST", "hints", {"body": {"rules": "4x6", "turns": [["AABB", "XO"]]}}]])

    assert told[0]["steps"][0]["says"] == "208 codes are left."
    page.goto("/pegs/#/explore/4x8/AABC/O")
    expect(page.locator("main")).to_contain_text("exact, from the table")


def test_every_screen_that_is_there_opens_and_says_no_fault(alone: Visitor) -> None:
    page = alone.open("/pegs/", locale="fr")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator(".rail a.to")).to_have_count(7)
    page.goto("/pegs/#/explore/4x6/AABB/XO")
    expect(page.locator(".explore-grid")).to_contain_text("208 codes")
    expect(page.locator(".explore-table").first).to_contain_text("3,452")
    page.goto("/pegs/#/watch?rules=4x6&codebreaker=entropy&codemaker=cheat&seed=5")
    expect(page.locator(".screen")).to_contain_text("entropy")
    page.goto("/pegs/#/compare")
    expect(page.locator(".screen")).to_contain_text("laboratoire")


def test_rows_that_contradict_are_mended_in_assist(alone: Visitor) -> None:
    page = alone.open("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()
    rows = ["AAAA -", "ABBB XX", "BCCC XXX", "CDDD XX"]
    told = asked(page, [["POST", "advice", {"body": {"rules": "4x6", "rows": rows}}]])

    assert told[0]["contradiction"]["conflicts"] == [[2, 3], [3, 4]]
    assert [row["row"] for row in told[0]["contradiction"]["rows"]][:1] == [3]
    assert told[0]["contradiction"]["rows"][0]["probability"] > 0.5


def test_drawn_positions_are_counted_in_the_browser_as_in_python(alone: Visitor) -> None:
    rng, questions, wished = np.random.default_rng(9), [], []
    for board in ("4x6", "3x6/positional", "words:english/positional", "4x5/no-repeats"):
        rules = Rules.parse(board)
        for _ in range(15):
            secret, turns = random_secret(rules, rng), list[list[str]]()
            for _ in range(int(rng.integers(1, 4))):
                code = random_guess(rules, rng)
                if turns and turns[-1][0] == format_code(secret, rules):
                    break
                turns.append([format_code(code, rules), format_feedback(score_trusted(code, secret, rules))])
            questions.append(["POST", "positions", {"body": {"rules": board, "turns": turns}}])
            wished.append(tasks.position({"rules": board, "turns": turns}) or {})
    page = alone.open("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()
    told = asked(page, questions)
    keys = ("rules", "state", "marginals", "presence")

    assert [[each[key] for key in keys] for each in wished] == [[each[key] for key in keys] for each in told]
    assert [each["left"]["count"] for each in wished] == [each["left"]["count"] for each in told]


def test_links_that_are_cut_or_of_later_versions_and_boards_too_large_say_so(alone: Visitor) -> None:
    page = alone.open("/pegs/#/play/g/3.abc")
    expect(page.locator("main")).to_contain_text("damaged")
    page.goto("/pegs/#/play/g/9.abc.00000000")
    expect(page.locator("main")).to_contain_text("later version")
    page.goto("/pegs/#/play/new?rules=20x20")
    expect(page.locator("main")).to_contain_text("laboratory")
    for fragment in ("#/explore/20x20", "#/watch?rules=6x9&codebreaker=entropy", "#/review/g/3.abc"):
        page.goto(f"/pegs/{fragment}")
        expect(page.locator("main")).to_contain_text(re.compile("laboratory|damaged"))


def test_two_tabs_have_the_same_game_and_storage_may_be_forbidden(alone: Visitor) -> None:
    page = alone.open("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("tr.draft")).to_be_visible()
    context = alone.browser.new_context(base_url=alone.address, locale="en")
    alone.watch(context)
    context.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } });"
    )
    shut = context.new_page()
    shut.goto("/pegs/")
    expect(shut.locator("tr.draft")).to_be_visible()


def test_a_friend_breaks_a_secret_from_a_link_and_the_same_number_is_the_same_secret(alone: Visitor) -> None:
    page = alone.open("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()
    made = asked(page, [["POST", "games", {"body": {"rules": "4x6", "secret": "CDEF"}}]])[0]
    body = {"rules": "4x6", "turns": [], "token": made["token"], "guess": "CDEF"}
    friend = alone.open("/pegs/")
    expect(friend.locator("tr.draft")).to_be_visible()
    numbered = {"rules": "4x6/limit=10", "turns": [], "token": f"n.{NUMBER}", "guess": SECRET}
    told = asked(friend, [["POST", "answers", {"body": body}], ["POST", "answers", {"body": numbered}]])

    assert ["won", "won"] == [each["state"] for each in told]
    assert "CDEF" not in json.dumps(made)


def test_it_keeps_nobody_out_on_a_phone(alone: Visitor) -> None:
    page = alone.open("/pegs/", size=PHONE, phone=True, reduced_motion=True)
    expect(page.locator("tr.draft")).to_be_visible()

    assert axe(page) == []


def test_from_a_disk_it_plays_and_helps_like_from_a_host(browser: Browser, site_folder: Path) -> None:
    page = browser.new_context(locale="fr").new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{(site_folder / 'index.html').as_uri()}#/play/new?rules=4x6/limit=10&number={NUMBER}")
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "AABC")
    expect(page.get_by_text("276").first).to_be_visible()
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, SECRET)
    expect(page.locator(".ending")).to_contain_text("Trouvé en 2")
    expect(page.locator(".ending")).to_contain_text("par")
    page.get_by_role("link", name="Explorer").click()
    expect(page.locator(".explore-table").first).to_be_visible()
    page.goto(f"{(site_folder / 'index.html').as_uri()}#/explore/4x8/AABC/O")
    expect(page.locator("main")).to_contain_text("exact, lu dans la table")

    assert [] == said


def test_a_secret_is_sealed_by_a_word_that_the_friend_needs(alone: Visitor) -> None:
    page = alone.open("/pegs/#/play/new", reduced_motion=True)
    if not page.get_by_label("Who hides the code").is_visible():
        page.get_by_text("New game", exact=True).first.click()
    page.get_by_label("Who hides the code").select_option("person")
    page.get_by_label("The secret", exact=True).fill("CDEF")
    page.get_by_label("A word that you both know").fill("Marmalade")
    page.get_by_role("button", name="Seal it and make a link").click()
    expect(page.get_by_text("sealed by the word")).to_be_visible()
    link = page.get_by_label("Link to the game").input_value()
    friend = alone.open(f"/pegs/#{link.partition('#')[2]}", reduced_motion=True)
    expect(friend.locator("main")).to_contain_text("type the one that you were told")
    friend.get_by_label("The word").fill("marmelade")
    friend.get_by_role("button", name="Open the secret").click()
    expect(friend.locator("main")).to_contain_text("That is not the word")
    friend.get_by_label("The word").fill(" marmalade ")
    friend.get_by_role("button", name="Open the secret").click()
    expect(friend.get_by_label("The word")).to_have_count(0)
    friend.locator("tr.draft .hole-button").first.focus()
    guess(friend, "CDEF")
    expect(friend.locator(".ending")).to_contain_text("Found in 1 guess")


def test_a_link_that_only_this_machine_can_open_is_copied_as_text(alone: Visitor) -> None:
    page = alone.open(f"/pegs/#/play/new?rules=4x6/limit=10&number={NUMBER}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").first.click()
    expect(page.get_by_text("Copied as text: only this machine can open the link.").first).to_be_visible()

    assert page.evaluate("navigator.clipboard.readText()") == (
        f"entropeg: 4 pegs, 6 colors. Play no. {NUMBER} of 4x6/limit=10, and find the same code."
    )


def test_links_of_positions_watched_games_and_sealed_secrets_are_copied_as_text_too(alone: Visitor) -> None:
    page = alone.open("/pegs/#/explore/4x6/AABB/XO", reduced_motion=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_text("Share this position").click()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Copied as text").first).to_be_visible()
    texts = [page.evaluate("navigator.clipboard.readText()")]
    page.goto("/pegs/#/watch?rules=3x4&codebreaker=entropy&codemaker=honest&seed=5")
    page.get_by_role("button", name="Copy a link to it").click()
    expect(page.get_by_text("Copied as text").first).to_be_visible()
    texts.append(page.evaluate("navigator.clipboard.readText()"))
    page.goto("/pegs/#/play/new")
    if not page.get_by_label("Who hides the code").is_visible():
        page.get_by_text("New game", exact=True).first.click()
    page.get_by_label("Who hides the code").select_option("person")
    page.get_by_label("The secret", exact=True).fill("CDEF")
    page.get_by_role("button", name="Seal it and make a link").click()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied as text").first).to_be_visible()
    texts.append(page.evaluate("navigator.clipboard.readText()"))
    position, watched, sealed = texts

    assert position == "rules: 4x6\nAABB XO"
    assert re.match(r"rules: 3x4\nsecret: [A-D]{3}\n([A-D]{3} \S+\n)*[A-D]{3} XXX$", watched)
    fragment = sealed.partition("#")[2]
    assert fragment.startswith("/play/g/3.")
    friend = alone.open(f"/pegs/#{fragment}", reduced_motion=True)
    friend.locator("tr.draft .hole-button").first.focus()
    guess(friend, "CDEF")
    expect(friend.locator(".ending")).to_contain_text("Found in 1 guess")


def test_where_the_worker_does_not_load_play_goes_on_and_help_says_so(alone: Visitor) -> None:
    alone.allow("work.js")
    context = alone.browser.new_context(base_url=alone.address, locale="en", service_workers="block")
    alone.watch(context)
    page = context.new_page()
    page.route("**/work.js", lambda route: route.abort())
    page.goto(f"/pegs/#/play/new?rules=4x6/limit=10&number={NUMBER}")
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "AABC")
    expect(page.locator(".board")).to_contain_text("1 white")
    page.get_by_role("button", name="First step").click()
    expect(page.locator("main")).to_contain_text("A part of the page could not be loaded.")


def test_where_the_table_does_not_load_play_goes_on_and_estimates_are_said(alone: Visitor) -> None:
    alone.allow("table.4x8-2.js")
    context = alone.browser.new_context(base_url=alone.address, locale="en", service_workers="block")
    alone.watch(context)
    page = context.new_page()
    page.route("**/table.*", lambda route: route.abort())
    page.goto("/pegs/#/explore/4x8/AABC/O")
    expect(page.locator("main")).to_contain_text("Exact numbers of this position need the laboratory")
    page.goto(f"/pegs/#/play/new?rules=4x8&number={NUMBER}")
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "AABC")
    expect(page.locator("tr.draft")).to_be_visible()
    expect(page.locator(".board")).to_contain_text("white")
    page.unroute("**/table.*")
    page.goto("/pegs/#/explore/4x8/AABC/O")
    page.reload()
    expect(page.locator("main")).to_contain_text("exact, from the table")
    page.goto("/pegs/#/explore/bulls-and-cows/0123/O")
    expect(page.locator("main")).to_contain_text("1,440 codes are left.")
    expect(page.locator("main")).to_contain_text("exact, from the table")


WORDS = "words:english/probes=english/positional/limit=6"


def test_a_word_game_takes_all_usual_words_and_its_link_is_the_servers(either: Visitor) -> None:
    page = either.open(f"/#/play/new?rules={WORDS}&number={NUMBER}", reduced_motion=True)
    secret = format_code(secret_of(WORDS, NUMBER) or (), WORDS)
    for row, word in enumerate(("salet", "fuzzy", "llama"), start=1):
        page.locator("tr.draft .hole-button").first.focus()
        guess(page, word)
        expect(page.locator("tr.turn")).to_have_count(row)
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, secret)
    expect(page.locator(".ending")).to_contain_text("Found in 4 guesses")


def test_where_the_usual_words_do_not_load_the_secrets_are_played_and_it_is_said(alone: Visitor) -> None:
    alone.allow("usual.english.js")
    context = alone.browser.new_context(base_url=alone.address, locale="en", service_workers="block")
    alone.watch(context)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.route("**/usual.*", lambda route: route.abort())
    page.goto("/pegs/")
    expect(page.locator("tr.draft")).to_be_visible()

    assert [] == [url for url in asked if "usual" in url or "words" in url]
    page.goto(f"/pegs/#/play/new?rules={WORDS}&number={NUMBER}")
    expect(page.locator(".notices")).to_contain_text("The usual words could not be loaded")
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "salet")
    expect(page.locator("main")).to_contain_text("words that may be the secret are guessed alone")
    page.unroute("**/usual.*")
    page.locator("tr.draft .hole-button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("codes left")


def test_where_storage_is_full_play_goes_on_and_says_so(alone: Visitor) -> None:
    context = alone.browser.new_context(base_url=alone.address, locale="en")
    alone.watch(context)
    context.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"
    )
    page = context.new_page()
    page.goto(f"/pegs/#/play/new?rules=4x6/limit=10&number={NUMBER}")
    page.locator("tr.draft .hole-button").first.focus()
    guess(page, "AABC")
    expect(page.get_by_text("276").first).to_be_visible()
    expect(page.get_by_text("storage is full").first).to_be_visible()
