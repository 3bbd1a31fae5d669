"""The page without a server in Firefox: from a host, without a network, from a disk; and errors would be noticed."""

from pathlib import Path

from browser import hosted
from entropeg.codes import format_code
from entropeg.web.numbered import secret_of
from firefox import Firefox

NUMBER = 345_278
SECRET = format_code(secret_of("4x6/limit=10", NUMBER) or (), "4x6")
GAME = f"#/play/new?rules=4x6/limit=10&number={NUMBER}"
ENTER = "\ue007"
ASKED = """
  const [method, path, question, done] = arguments;
  const asked = entropeg.load("local/backend.js").then(({ answered }) => answered(method, path, question));
  asked.then(done, (error) => done(String(error)));"""
FOCUS = "document.querySelector('tr.draft .hole-button').focus(); arguments[0]();"
LASTING = "navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => arguments[0](names.length));"


def play(firefox: Firefox) -> None:
    """A game in two guesses, by keyboard, with its account."""
    for code in ("AABC", SECRET):
        firefox.see("tr.draft .hole-button")
        firefox.run(FOCUS)
        firefox.press(*code, ENTER)
        firefox.see(".board" if code != SECRET else ".ending", "276" if code != SECRET else "Found in 2 guesses")
    firefox.see(".ending", "par")


def test_from_a_host_it_plays_and_goes_on_without_one(firefox: Firefox, site_folder: Path) -> None:
    with hosted(site_folder.parent) as address:
        firefox.open(f"{address}/pegs/{GAME}")
        play(firefox)
        assert firefox.run(LASTING) == 1
    firefox.open(f"{address}/pegs/?again#/explore/4x6/AABB/XO")
    firefox.see(".explore-grid", "208 codes")
    firefox.see(".explore-table", "3.452")
    assert firefox.run(ASKED, "GET", "rules", {"query": {"text": "words:french/positional"}})["secret_count"] == 525
    assert firefox.complaints == []


def test_from_a_disk_it_plays_reviews_and_trains(firefox: Firefox, site_folder: Path) -> None:
    firefox.open((site_folder / "index.html").as_uri() + GAME)
    play(firefox)
    told = firefox.run(ASKED, "POST", "reviews", {"body": {"rules": "4x6", "turns": [["AABC", "O"], ["DDEF", "XO"]]}})
    puzzle = firefox.run(ASKED, "GET", "puzzles", {"query": {"rules": "4x6", "theme": "deduce"}})

    assert told["games"][0]["review"]["par"]["fraction"] == "625/144"
    assert puzzle["theme"] == "deduce"
    assert firefox.complaints == []


def test_an_error_in_a_page_would_be_noticed(firefox: Firefox, tmp_path: Path) -> None:
    page = tmp_path / "wrong.html"
    page.write_text('<!doctype html><script>throw new Error("an accident")</script><p>A page</p>', encoding="utf-8")
    firefox.open(page.as_uri())
    firefox.see("p", "A page")

    assert ["an accident"] == [line[-len("an accident") :] for line in firefox.complaints]
