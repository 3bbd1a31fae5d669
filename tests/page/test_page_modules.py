"""Checks of the page's own logic, in a browser: links, what is kept, the row that is made, statistics, shared texts."""

import base64
import json
import random
import zlib
from datetime import datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser import Visitor

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture
def bare(visitor: Visitor) -> Page:
    """A page of the server's without the page's scripts, on which modules are imported one by one."""
    visitor.allow("favicon.ico")
    return visitor.open("/api/about")


def run(page: Page, script: str, given: Any = None) -> Any:
    """Evaluate the body of an asynchronous function of `given`."""
    return page.evaluate(f"async (given) => {{ {script} }}", given)


# ------------------------------------------------------------------ links


def games(count: int) -> list[dict[str, Any]]:
    draw = random.Random(18)
    return [
        {
            "rules": draw.choice(["4x6/limit=10", "words:english/positional", "5x8/no-repeats", "4x6/names"]),
            "codemaker": draw.choice(["honest", "cheat", "perfect-cheat", "biased:prior=linear"]),
            "number": draw.choice([None, draw.randrange(1, 2**53)]),
            "token": draw.choice([None, "gAAAAA" + "".join(draw.choices(LETTERS, k=90)) + "=="]),
            "turns": [["".join(draw.choices("ABCDEFé", k=4)), draw.choice(["XXO", "-"])] for _ in range(index % 9)],
            "secrets": draw.choice([1, 2]),
        }
        for index in range(count)
    ]


def written(version: int, data: list[Any]) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()
    payload = base64.urlsafe_b64encode(text).decode().rstrip("=")
    return f"{version}.{payload}.{zlib.crc32(text):08x}"


def test_a_game_comes_back_from_its_link_which_any_language_can_write(bare: Page) -> None:
    given = games(40)
    script = """const { toLink, fromLink } = await import("/link.js");
      return given.map((game) => [toLink(game), fromLink(toLink(game))]);"""
    told = run(bare, script, given)

    fields = ("rules", "codemaker", "number", "token", "turns", "secrets")
    assert [written(3, [game[name] for name in fields]) for game in given] == [link for link, _ in told]
    assert given == [game for _, game in told]


def test_links_of_the_first_versions_are_read_and_those_of_later_ones_say_so(bare: Page) -> None:
    old = written(1, ["4x6", 7, [["AABB", "XO"]]])
    script = """const { fromLink, LinkError } = await import("/link.js");
      return given.map((link) => {
        try {
          return fromLink(link);
        } catch (error) {
          return error instanceof LinkError ? error.reason : String(error);
        }
      });"""
    game = {"rules": "4x6", "codemaker": "honest", "number": 7, "token": None, "turns": [["AABB", "XO"]], "secrets": 1}
    links = {
        old: game,
        written(2, ["4x6", "honest", 7, None, [["AABB", "XO"]]]): game,
        written(4, ["something", "else"]): "newer",
        written(3, ["4x6", "honest", 7, None, [["AABB", "XO"]]]): "damaged",
        written(3, ["4x6", "honest", 7, None, [["AABB", "XO"]], 3]): "damaged",
        written(2, ["4x6", 7, [["AABB", "XO"]]]): "damaged",
        written(2, ["4x6", "honest", -1, None, []]): "damaged",
        written(2, ["4x6", "honest", 1, None, [["AABB"]]]): "damaged",
        written(2, ["4x6", "honest", 1, None, []])[:-3]: "damaged",
        "": "damaged",
        "2": "damaged",
        "2..": "damaged",
        "💥": "damaged",
    }

    assert list(links.values()) == run(bare, script, list(links))


def test_a_link_in_which_any_character_is_another_is_refused(bare: Page) -> None:
    links = [written(2, [each[k] for k in ("rules", "codemaker", "number", "token", "turns")]) for each in games(3)]
    links.append(written(1, ["4x6", 7, [["AABB", "XO"]]]))
    script = """const { fromLink, LinkError } = await import("/link.js");
      let tried = 0;
      const read = [];
      for (const link of given.links) {
        for (let place = 0; place < link.length; place += 1) {
          for (const letter of given.letters) {
            if (letter === link[place]) continue;
            const changed = link.slice(0, place) + letter + link.slice(place + 1);
            tried += 1;
            try {
              read.push([changed, fromLink(changed)]);
            } catch (error) {
              if (!(error instanceof LinkError)) read.push([changed, String(error)]);
            }
          }
        }
      }
      return { tried, read };"""
    told = run(bare, script, {"links": links, "letters": LETTERS + ".= "})

    assert [] == told["read"]
    assert told["tried"] > 30_000


# ------------------------------------------------------------------ what is kept


def test_of_two_tabs_the_newer_one_wins_and_the_other_hears_of_it(bare: Page) -> None:
    other = bare.context.new_page()
    other.goto("/api/about")
    run(bare, 'const store = await import("/store.js"); store.write("game/a", { n: 1 }, 0);')
    run(
        other,
        """const store = await import("/store.js");
      window.heard = [];
      store.subscribe((key) => window.heard.push(key));""",
    )
    run(bare, 'const store = await import("/store.js"); store.write("game/a", { n: 2 }, store.read("game/a").rev);')
    script = """const store = await import("/store.js");
      while (!window.heard.includes("game/a")) await new Promise((done) => setTimeout(done, 5));
      const late = store.write("game/a", { n: 3 }, 1);
      const now = store.dataOf("game/a");
      return [late.ok, late.reason, late.entry.data, now, store.write("game/a", { n: 4 }, late.entry.rev).ok];"""

    assert [False, "newer", {"n": 2}, {"n": 2}, True] == run(other, script)
    # What one tab writes comes to another a moment later.
    script = """const store = await import("/store.js");
      for (let left = 400; left && store.dataOf("game/a").n !== 4; left--)
        await new Promise((done) => setTimeout(done, 5));
      return store.dataOf("game/a");"""
    assert {"n": 4} == run(bare, script)


def test_a_full_storage_keeps_in_the_tab_what_the_browser_refuses(bare: Page) -> None:
    script = """const store = await import("/store.js");
      store.write("game/a", { n: 1 }, 0);
      const real = Storage.prototype.setItem;
      Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
      const refused = store.write("game/a", { n: 2 }, 1);
      const file = JSON.parse(store.exported());
      const seen = [refused.ok, refused.reason, store.dataOf("game/a"), store.unkept(), store.keys("game/"),
        file.entries["game/a"].data];
      Storage.prototype.setItem = real;
      const other = store.write("game/b", { n: 3 }, 0);
      return [...seen, other.ok, store.unkept(),
        JSON.parse(localStorage.getItem("entropeg/game/a")).data];"""

    # What had not fitted is kept with the next entry that does.
    seen = [False, "full", {"n": 2}, "full", ["game/a"], {"n": 2}]
    assert [*seen, True, None, {"n": 2}] == run(bare, script)


def test_an_import_keeps_what_is_newer_here(bare: Page) -> None:
    script = """const store = await import("/store.js");
      store.write("game/old", "theirs", 0, 1000);
      store.write("game/new", "theirs", 0, 3000);
      store.write("game/only", "theirs", 0, 2000);
      const file = store.exported();
      for (const key of store.keys()) store.forget(key);
      store.write("game/old", "mine", 0, 2000);
      store.write("game/new", "mine", 0, 2000);
      const count = store.imported(file);
      const refused = (text) => {
        try { return store.imported(text); } catch (error) { return error.name; }
      };
      const wrong = ["{}", "no JSON", '{"format":"entropeg browser data 1","entries":7}'].map(refused);
      const all = Object.fromEntries(store.entries().map(([key, entry]) => [key, entry.data]));
      return [count, all, wrong, store.imported(file)];"""

    assert [
        {"taken": 2, "kept": 1, "refused": 0, "damaged": 0},
        {"game/old": "mine", "game/new": "theirs", "game/only": "theirs"},
        ["SyntaxError"] * 3,
        {"taken": 0, "kept": 3, "refused": 0, "damaged": 0},
    ] == run(bare, script)


def test_damaged_entries_and_those_of_a_later_version_count_as_none(bare: Page) -> None:
    script = """const store = await import("/store.js");
      localStorage.setItem("entropeg/a", "{");
      localStorage.setItem("entropeg/b", '{"v":9,"rev":4,"at":1,"data":"later"}');
      const result = store.write("b", "now", 0);
      const raw = localStorage.getItem("entropeg/b");
      return [store.read("a"), store.keys(), result.ok, result.reason, store.dataOf("b"), raw];"""

    later = '{"v":9,"rev":4,"at":1,"data":"later"}'
    assert [None, ["b"], False, "later", "now", later] == run(bare, script)


def test_entries_of_a_moment_that_there_is_not_are_left_out_of_a_file_and_are_the_oldest_here(bare: Page) -> None:
    script = """const store = await import("/store.js");
      localStorage.clear();
      localStorage.setItem("entropeg/here", '{"v":1,"rev":1,"at":9e15,"data":"mine"}');
      store.write("other", "mine");
      const entry = (at) => ({ v: 1, rev: 1, at, data: "theirs" });
      const entries = Object.fromEntries([9e15, -1, null, "1"].map((at, index) => [`key${index}`, entry(at)]));
      const offered = { ...entries, nothing: 7, right: entry(5) };
      const file = JSON.stringify({ format: "entropeg browser data 1", entries: offered });
      return [store.imported(file), store.keys(), store.read("here").at];"""

    count = {"taken": 1, "kept": 0, "refused": 0, "damaged": 5}
    assert [count, ["other", "right", "here"], 0] == run(bare, script)


# ------------------------------------------------------------------ the row that is made

FUZZ = """
  const draft = await import("/parts/draft.js");
  const { isColor, codeText, readCode } = await import("/codes.js");
  const rules = await (await fetch(`/api/rules?text=${encodeURIComponent(given.rules)}`)).json();
  let seed = given.seed;
  const draw = (count) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor(seed / 65536) % count;
  };
  const moves = ["ArrowLeft", "ArrowRight", "Home", "End"];
  const plain = ["Backspace", "Delete", ...moves, " ", "x", "?", "-", ".", "Tab", "Escape", "é"];
  const typed = rules.symbols.slice(0, 40).flatMap((symbol) => [...symbol.text]);
  const wrong = [];
  let now = draft.emptyDraft(rules);
  const kept = (row) => JSON.stringify(draft.keptDraft(row));
  const start = kept(now);
  for (let step = 0; step < given.steps; step += 1) {
    const before = now;
    const which = draw(12);
    let next = now;
    if (which < 6) next = draft.keyed(now, { key: typed[draw(typed.length)] }, rules);
    else if (which < 8) next = draft.keyed(now, { key: plain[draw(plain.length)] }, rules);
    else if (which === 8) next = draft.hold(now, draw(rules.pegs));
    else if (which === 9) {
      const from = draw(2) ? draw(rules.pegs) : null;
      const color = from === null ? draw(rules.colors) : now.pegs[from];
      if (color !== null) next = draft.drop(now, color, draw(rules.pegs), from);
    } else if (which === 10) next = draft.clear(now);
    else next = draft.keyed(now, { key: "z", ctrlKey: true }, rules);
    if (next === null || typeof next === "string") continue;
    now = next;
    const { pegs, held, cursor } = now;
    const isLegal = pegs.length === rules.pegs && held.length === rules.pegs && cursor >= 0 && cursor < rules.pegs
      && pegs.every((peg) => peg === null || isColor(peg, rules)) && held.every((is, at) => !is || pegs[at] !== null);
    if (!isLegal) wrong.push(["illegal", step, kept(before), kept(now)]);
    if (now.past.length === before.past.length + 1) {
      if (kept(draft.undo(now)) !== kept(before)) wrong.push(["undo", step]);
    }
    const text = codeText(pegs, rules);
    if (draft.isFull(now) && String(readCode(text, rules)) !== String(pegs)) wrong.push(["code", step, text]);
    if (kept(draft.restored(draft.keptDraft(now), rules)) !== kept(now)) wrong.push(["kept", step]);
  }
  while (now.past.length > 0) now = draft.undo(now);
  const isBack = given.steps > 200 || kept(now) === start;
  return { wrong, isBack };"""


@pytest.mark.parametrize(
    "rules", ["4x6", "5x30", "4x6/names/blanks-in-secrets", "9x4/blanks", "words:english/positional"]
)
def test_the_row_stays_legal_under_any_keys_and_undo_comes_back(bare: Page, rules: str) -> None:
    for seed in range(3):
        told = run(bare, FUZZ, {"rules": rules, "seed": seed + 1, "steps": 150 if seed < 2 else 1500})

        assert {"wrong": [], "isBack": True} == told


def test_a_row_that_was_kept_for_other_rules_is_an_empty_one(bare: Page) -> None:
    script = """const { restored, keptDraft } = await import("/parts/draft.js");
      const rules = await (await fetch("/api/rules?text=4x6")).json();
      return given.map((kept) => keptDraft(restored(kept, rules)).pegs);"""
    kept = [None, {}, {"pegs": [0, 1]}, {"pegs": [0, 1, 2, 9]}, {"pegs": [0, None, 2, 5], "cursor": 99}]

    empty = [None] * 4
    assert [empty, empty, empty, empty, [0, None, 2, 5]] == run(bare, script, kept)


# ------------------------------------------------------------------ statistics and shared texts


def game(**given: Any) -> dict[str, Any]:
    told: list[dict[str, Any]] = [{"left": None, "clues": []}] * 4
    turns = [["AABB", "O"]] * 3 + [["ABCD", "XXXX"]]
    usual = {"rules": "4x6/limit=10", "codemaker": "honest", "kind": "numbered", "number": 123, "date": None}
    state = {"strict": False, "state": "won", "isAgain": False, "hinted": {}}
    return {**usual, **state, "turns": turns, "told": told, **given}


def daily(day: str, ended: str | None = None, **given: Any) -> dict[str, Any]:
    """Daily puzzle of a day, begun at noon there and ended then or at a time (as `2026-11-24T09:00`)."""
    noon = datetime.fromisoformat(f"{day}T12:00")
    ends = noon if ended is None else datetime.fromisoformat(ended)
    # The browser of the tests stands where the tests do.
    return game(kind="daily", date=day, started=1000 * noon.timestamp(), ended=1000 * ends.timestamp(), **given)


def test_streaks_are_days_in_a_row_up_to_today_or_yesterday(bare: Page) -> None:
    def streaks(days: list[str], today: str) -> Any:
        late = {**daily("2026-11-24"), "date": "2026-11-22"}
        played = [*map(daily, days), daily("2026-11-25", isAgain=True), daily("2026-11-21", "2026-11-24T09:00"), late]
        script = 'const { streaks } = await import("/statistics.js"); return streaks(given.games, given.today);'
        return run(bare, script, {"games": played, "today": today})

    days = ["2026-02-27", "2026-02-28", "2026-03-01", "2026-11-23", "2026-11-24"]
    assert {"now": 2, "most": 3} == streaks(days, "2026-11-24")
    assert {"now": 2, "most": 3} == streaks(days, "2026-11-25")
    assert {"now": 0, "most": 3} == streaks(days, "2026-11-26")
    assert {"now": 0, "most": 0} == streaks([], "2026-11-26")


def test_the_first_game_of_a_day_counts_whichever_was_written_last(bare: Page) -> None:
    script = 'const { ofDate } = await import("/games.js"); return ofDate(given, "2026-11-23").id;'
    played = [
        {**daily("2026-11-23"), "id": "second", "started": 1000},
        {**daily("2026-11-23"), "id": "again", "started": 1, "isAgain": True},
        {**daily("2026-11-23"), "id": "first", "started": 100},
        {**daily("2026-11-23"), "id": "third", "started": 2000},
    ]

    assert run(bare, script, played) == "first"


def test_games_that_are_damaged_are_read_as_far_as_they_are_whole_or_not_at_all(bare: Page) -> None:
    script = """const { allGames, finished, kept, newGame, stepsUsed } = await import("/games.js");
      const store = await import("/store.js");
      const { numbers, streaks } = await import("/statistics.js");
      const wrong = [null, 7, "text", [], {}, [null], [[1]], -1, true, { marks: [7] }, { left: null }];
      const whole = { ...newGame(), ...given, id: "whole" };
      for (const [field, value] of Object.entries(whole)) {
        wrong.forEach((other, at) => {
          store.write(`game/${field}${at}`, { ...whole, id: `${field}${at}`, [field]: other }, 0);
        });
      }
      store.write("game/whole", whole, 0);
      const games = allGames();
      // Whatever is read is what the screens go through.
      for (const game of games) {
        stepsUsed(game);
        game.told.forEach(({ clues }) => clues.length);
        game.turns.forEach(([guess, marks]) => guess.length + marks.length);
        Object.values(game.notes).forEach((note) => note.length);
        game.account?.forEach((line) => line.length);
      }
      numbers(games);
      streaks(games);
      finished(games);
      const back = kept("whole").game;
      const told = kept("told5");
      const isSame = (field) => JSON.stringify(back[field]) === JSON.stringify(whole[field]);
      return [Object.keys(whole).every(isSame), told, games.length > 100, kept("hinted0").game.hinted];"""

    told = [{"left": None, "clues": [{"row": 1, "says": "no"}]}]
    assert [True, None, True, {}] == run(bare, script, {"turns": [["AABB", "X"]], "told": told})


def test_statistics_count_first_games_that_are_over(bare: Page) -> None:
    games = [
        game(),
        game(turns=[["ABCD", "XXXX"]], strict=True),
        game(state="lost", hinted={"2": ["left", "kind"]}),
        game(rules="5x8/limit=12"),
        game(state="open"),
        game(isAgain=True),
    ]
    script = """const { numbers, boards } = await import("/statistics.js");
      return [boards(given), numbers(given), numbers(given, "5x8").games];"""
    told = {
        "games": 4, "won": 3, "mean": 3, "helped": 1, "strict": 1,
        "bars": [[1, 1], [2, 0], [3, 0], [4, 2], [None, 1]],
    }  # fmt: skip

    assert [[["4x6", 3], ["5x8", 1]], told, 1] == run(bare, script, games)


def test_a_game_as_text_names_itself_draws_its_marks_and_says_them(bare: Page) -> None:
    script = """const { shareText, resultLine } = await import("/sharing.js");
      const rules = await (await fetch("/api/rules?text=4x6/limit=10")).json();
      const limit = (game) => (game.rules.includes("limit") ? 10 : null);
      return [shareText(given[0], rules), ...given.slice(1).map((game) => resultLine(game, limit(game)))];"""
    first = game(strict=True, hinted={"1": ["left"]})
    others = [
        game(state="lost"),
        game(rules="5x8/limit=10", kind="own"),
        game(kind="daily", date="2026-11-23", rules="4x6"),
    ]
    text = [
        "entropeg 4x6 #123 4/10*",
        *["\N{WHITE LARGE SQUARE}" + 3 * "\N{HEAVY MINUS SIGN}"] * 3,
        4 * "\N{BLACK LARGE SQUARE}",
        "In words: 1: 1 white; 2: 1 white; 3: 1 white; 4: 4 black.",
        "With 1 step of help.",
    ]

    lines = ["entropeg 4x6 #123 X/10", "entropeg 5x8 4/10", "entropeg 4x6 2026-11-23 4/∞"]
    assert ["\n".join(text), *lines] == run(bare, script, [first, *others])


def test_marks_are_read_as_the_laboratory_writes_them(bare: Page) -> None:
    script = """const { feedbackOf } = await import("/parts/marks.js");
      const told = {};
      for (const [text, marks] of given) {
        const rules = await (await fetch(`/api/rules?text=${encodeURIComponent(text)}`)).json();
        const read = feedbackOf(marks, rules);
        told[`${text} ${marks}`] = read && [read.black, read.white, read.blue ?? null, read.marks ?? null];
      }
      return told;"""
    expected = {
        "4x6 -": [0, 0, None, None],
        "4x6 XXO": [2, 1, None, None],
        "4x6 XXXXO": None,
        "4x6 OX": [1, 1, None, None],
        "4x6 ": None,
        "20x20 14b3w": [14, 3, None, None],
        "20x20 3w": [0, 3, None, None],
        "4x25/shapes=5 XO~": [1, 1, 1, None],
        "20x25/shapes=5 9b1w6h": [9, 1, 6, None],
        "4x6/positional XO..": [1, 1, None, [2, 1, 0, 0]],
        "4x6/positional XO.": None,
    }
    asked = [key.split(" ", 1) for key in expected]

    assert expected == run(bare, script, asked)


# ------------------------------------------------------------------ languages


def test_of_two_languages_the_one_chosen_last_wins_in_all_tabs(bare: Page) -> None:
    tab = bare.context.new_page()
    tab.goto("/api/about")
    run(tab, "await (await import('/texts.js')).ready;")
    script = """const { language, ready, setLanguage } = await import("/texts.js");
      await ready;
      await Promise.all(given.map(setLanguage));
      return [language(), localStorage.getItem("entropeg/language")];"""

    assert run(bare, script, ["fr", "en"]) == ["en", "en"]  # the French texts come later, and too late
    assert run(bare, script, ["en", "fr"]) == ["fr", "fr"]
    expect(tab.locator("html")).to_have_attribute("lang", "fr")
