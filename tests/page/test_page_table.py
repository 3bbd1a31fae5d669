"""Checks of what a game at the table is and what each event makes of it, under Node: no browser, no server."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from javascript import copied, told

if TYPE_CHECKING:
    from pathlib import Path

RULES = {
    "pegs": 4, "colors": 6, "blank": 6, "guess_repeats": True, "blanks": "none",
    "symbols": [{"text": letter} for letter in "ABCDEF"],
}  # fmt: skip
"""What a table needs to know of its rules."""

PLAYED = """
  const { latest, played, tableOf } = await import(`${page}play/table.js`);
  const { newGame } = await import(`${page}games.js`);
  const draft = await import(`${page}parts/draft.js`);
  const frozen = (value) => {
    if (value !== null && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
    return value;
  };
  const pegsOf = (text) => [...text].map((peg) => "ABCDEF".indexOf(peg));
  const row = (text) => ({ type: "changed", row: (now) => draft.fill(now, pegsOf(text)) });
  const answer = (guess, state = "open") => ({
    turn: [guess, "-"], left: null, clues: [], state, secret: state === "open" ? null : guess,
  });
  const after = (events, table = tableOf(newGame({ id: "a", started: 0 }))) => events.reduce(
    (now, event) => played(frozen(now), frozen(event)), table);
  const textOf = (made) => made.pegs.map((peg) => "ABCDEF"[peg] ?? ".").join("");
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("table"))


def run(page: Path, script: str, given: Any = None) -> Any:
    return told(page, PLAYED + script, {"rules": RULES, "given": given})


def test_a_row_that_is_answered_is_a_turn_and_the_next_row_keeps_what_is_held(page: Path) -> None:
    script = """
      const open = { type: "opened", rules: given.rules };
      const held = { type: "changed", row: (now) => draft.hold(now, 1) };
      const asked = after([open, row("AABB"), held, { type: "asked", isRow: true }]);
      const end = after([{ type: "answered", turns: 0, answer: answer("AABB") }], asked);
      return [asked.isBusy, textOf(asked.row), textOf(latest(asked)), end.game.turns, textOf(end.row), end.isBusy,
        end.game.draft.pegs, end.refusal];"""

    pegs = [None, 0, None, None]
    assert [True, "AABB", ".A..", [["AABB", "-"]], ".A..", False, pegs, None] == run(page, script)


def test_what_goes_wrong_leaves_the_row_as_it_was_and_undo_brings_back_what_was_typed_since(page: Path) -> None:
    script = """
      const open = { type: "opened", rules: given.rules };
      const asked = after([open, row("AABB"), { type: "asked", isRow: true }, row("CCDD")]);
      const why = { kind: "offline", says: "no answer" };
      const failed = after([{ type: "failed", refusal: why }], asked);
      const typed = after([row("EEFF")], failed);
      const other = after([row("ABCD")], { ...failed, refusal: { kind: "row" } });
      return [asked.game.draft.pegs, textOf(asked.row), textOf(failed.row), textOf(draft.undo(failed.row)),
        failed.refusal.kind, typed.refusal.kind, other.refusal, failed.game.turns];"""

    # What was submitted is kept until it is answered; that nothing answers stays said while one types.
    assert [[0, 0, 1, 1], "CCDD", "AABB", "CCDD", "offline", "offline", None, []] == run(page, script)


def test_an_answer_to_a_game_that_another_tab_played_on_is_none(page: Path) -> None:
    script = """
      const open = { type: "opened", rules: given.rules };
      const asked = after([open, row("AABB"), { type: "asked", isRow: true }]);
      const other = newGame({ id: "a", started: 0, turns: [["CCDD", "X"]], told: [{ left: null, clues: [] }] });
      const moved = after([{ type: "moved", game: other }], asked);
      const end = after([{ type: "answered", turns: 0, answer: answer("AABB") }], moved);
      const idle = after([open, row("AABB"), { type: "moved", game: other }]);
      return [moved.refusal, end.game.turns, textOf(end.row), end.refusal.kind, end.isBusy, idle.refusal.kind,
        textOf(idle.row)];"""

    turns = [["CCDD", "X"]]
    assert [None, turns, "AABB", "moved", False, "moved", "AABB"] == run(page, script)


def test_the_first_seal_counts_and_events_that_change_nothing_give_the_same_table(page: Path) -> None:
    script = """
      const made = (token) => ({ type: "sealed", made: { token, number: 7, secrets: 2, kind: "numbered" } });
      const sealed = after([{ type: "opened", rules: given.rules }, made("one")]);
      const hinted = after([{ type: "hinted", kind: "left" }], sealed);
      const same = [made("two"), { type: "opened", rules: given.rules }, { type: "changed", row: (now) => now },
        { type: "counted", turns: 3, left: { count: 5 } }, { type: "changed", row: () => null }];
      return [sealed.game.token, sealed.game.number, same.map((event) => played(sealed, event) === sealed),
        played(hinted, { type: "hinted", kind: "left" }) === hinted, hinted.game.hinted];"""

    assert ["one", 7, [True] * 5, True, {"0": ["left"]}] == run(page, script)


def test_a_secret_that_its_word_opens_is_played_and_links_of_the_game_keep_it_sealed(page: Path) -> None:
    script = """
      const own = newGame({ id: "a", started: 0, kind: "own", token: "w.1-2-3-4.x.5" });
      const { linked } = await import(`${page}games.js`);
      const asked = after([{ type: "opened", rules: given.rules }, row("AABB"),
        { type: "refused", refusal: { kind: "word", says: "a word" } }, { type: "asked", isRow: false }], tableOf(own));
      const unsealed = (token) => ({ type: "unsealed", made: { token } });
      const once = after([unsealed("s.one.x")], asked);
      const twice = after([unsealed("s.two.x")], once);
      return [asked.isBusy, once.isBusy, once.refusal, textOf(once.row), once.game.token, once.game.from,
        linked(once.game).token, [twice.game.token, twice.game.from], asked.game.token];"""
    sealed = "w.1-2-3-4.x.5"

    assert run(page, script) == [
        *(True, False, None, "AABB", "s.one.x", sealed, sealed), ["s.two.x", sealed], sealed,
    ]  # fmt: skip


FUZZ = """
  const states = [];
  for (const events of given.given) {
    let table = tableOf(newGame({ id: "a", started: 0 }));
    for (const event of events) {
      const before = JSON.stringify(table);
      const turns = table.game.turns.length;
      const next = played(frozen(table), event.type === "changed" ? row(event.text)
        : { ...event, turns: event.turns ?? turns - event.late, answer: answer("AABB", event.state) });
      const isPure = JSON.stringify(table) === before;
      const grown = next.game.turns.length - turns;
      const mayGrow = event.type === "answered" && event.late === 0 && table.game.state === "open";
      const isWhole = next.game.told.length === next.game.turns.length && (next.isBusy || next.awaited === null)
        && (next.game.state !== "won" || next.game.secret !== null);
      states.push(isPure && isWhole && grown === (mayGrow ? 1 : 0));
      table = next;
    }
  }
  return states.every(Boolean) && states.length;"""


def test_any_events_in_any_order_leave_a_whole_table_and_never_the_one_before_changed(page: Path) -> None:
    draw = random.Random(42)
    made: list[dict[str, Any]] = [
        {"type": "changed", "text": "ABCD"},
        {"type": "changed", "text": "FFEE"},
        {"type": "asked", "isRow": True},
        {"type": "asked", "isRow": False},
        {"type": "answered", "late": 0, "state": "open"},
        {"type": "answered", "late": 0, "state": "won"},
        {"type": "answered", "late": 1, "state": "open"},
        {"type": "failed", "refusal": None},
        {"type": "failed", "refusal": {"kind": "refused", "says": "no"}},
        {"type": "refused", "refusal": {"kind": "row", "says": "empty"}},
        {"type": "noted", "color": 1, "place": 2},
        {"type": "noted"},
        {"type": "hinted", "kind": "left"},
        {"type": "counted", "turns": 1, "left": {"count": 3}},
        {"type": "unsealed", "made": {"token": "s.open"}},
    ]
    games = [[{"type": "opened", "rules": RULES}, *draw.choices(made, k=40)] for _ in range(60)]

    assert 60 * 41 == run(page, FUZZ, games)
