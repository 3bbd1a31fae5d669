"""The page without a server against the laboratory, on drawn cases: JavaScript under Node gives Python's answers."""

# ruff: noqa: S105, S106 - tokens and secrets of games

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg import Position, Rules, optimal
from entropeg.advise import Notes, advise
from entropeg.advise.contradicted_rows import clues_against
from entropeg.advise.exploring import explore
from entropeg.advise.ladder import HintLadder
from entropeg.advise.rows import PartFeedback, Row, format_row
from entropeg.codebreakers import registry
from entropeg.codemakers.cheat import Cheat
from entropeg.codes import format_code, parse_code, random_guess, random_secret
from entropeg.errors import InputError
from entropeg.feedback import Code, Feedback, format_feedback, from_label, label_of, score_trusted
from entropeg.kinds import FeedbackKind
from entropeg.partition import Partition
from entropeg.plain_values import plain
from entropeg.position import Turn
from entropeg.review import review
from entropeg.site import write_site
from entropeg.site.facts import OPENINGS
from entropeg.texts import say_all
from entropeg.web.numbered import FEWEST, secret_of
from entropeg.web.shown_rules import RulesShown
from entropeg.web.tasks import advice as advice_tasks
from entropeg.web.tasks import games as tasks
from entropeg.web.tasks import puzzles
from entropeg.words import shipped_words
from javascript import copied, told
from rooms import cases

BOARDS = ["4x6/limit=10", "3x5", "4x5/no-repeats", "4x6/black", "3x6/positional", "3x4/blanks-in-secrets", "3x4/blanks"]
BOARDS += ["3x5/no-repeats/guess-repeats", "3x4/membership", "words:french/positional", "3x4/positional/hard"]
USUAL = [f"words:{name}/probes={name}/positional" for name in ("english", "french")]
"""Lists of which all usual words may be guessed."""
BOARDS += USUAL
BACKEND = """
  const alone = { getAttribute: () => "alone" };
  globalThis.document = { documentElement: { dataset: {}, lang: "" }, querySelector: () => alone };
  const kept = new Map();
  const first = fs.readFileSync(new URL("first.js", page), "utf-8").match(/^entropeg.give.*$/gm);
  globalThis.entropeg = {
    give: (name, value) => kept.set(name, value),
    async data(name) {
      if (!kept.has(name)) (0, eval)(fs.readFileSync(new URL(`local/${name}.js`, page), "utf-8"));
      return kept.get(name);
    },
  };
  first.forEach((given) => (0, eval)(given));
  const { done } = await import("./local/tasks.js");
  const { loadKernels } = await import("./local/kernels.js");
  const { workBy } = await import("./local/working.js");
  const { ready, setLanguage } = await import("./texts.js");
  const kernels = await loadKernels(bytesOf);
  workBy((name, spec, asked) => done(kernels, name, spec, asked));
  const { answered } = await import("./local/backend.js");
  await ready;
  const ask = async (method, path, question) => {
    try {
      return await answered(method, path, question);
    } catch (error) {
      if (error.status === undefined) throw error;
      return { refused: error.message, field: error.field };
    }
  };
"""
EACH = f"""{BACKEND}
  const found = [];
  for (const [method, path, question] of given) found.push(await ask(method, path, question));
  return found;"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder, puzzles=1)
    return copied(folder)


def drawn(board: str, number: int, seed: int, most: int = 4) -> Iterator[tuple[Position, Code]]:
    """Positions of games that are not over, and the secrets that answered."""
    rules, rng = Rules.parse(board), np.random.default_rng(seed)
    for _ in range(number):
        secret, position = random_secret(rules, rng), Position(rules)
        for _ in range(int(rng.integers(most + 1))):
            legal = position.legal_guesses
            guess = legal[int(rng.integers(len(legal)))] if rules.hard else random_guess(rules, rng)
            if guess != secret:
                position = position.after(guess, score_trusted(guess, secret, rules))
        yield position, secret


def turns_of(position: Position) -> list[list[str]]:
    rules = position.rules
    return [[format_code(turn.guess, rules), format_feedback(turn.feedback)] for turn in position.turns]


def post(path: str, **body: Any) -> list[Any]:
    return ["POST", path, {"body": body}]


def test_numbers_hide_the_same_secrets(page: Path) -> None:
    numbers = [*range(1, 40), *range(FEWEST, FEWEST + cases(150, 3000))]
    boards = [board for board in BOARDS if secret_of(board, 1) is not None]
    script = f"""{BACKEND}
      const {{ readRules, secretOf, textOf }} = await import("./local/rules.js");
      const {{ factsOf }} = await import("./local/backend.js");
      return Promise.all(given.map(async ([text, numbers]) => {{
        const board = readRules(text, await factsOf(text));
        return [textOf(board), numbers.map((number) => secretOf(board, number))];
      }}));"""
    found = told(page, script, [[board, numbers] for board in boards])

    assert len(boards) == len(BOARDS)
    assert found == [
        [str(Rules.parse(board)), [list(secret_of(board, number) or ()) for number in numbers]] for board in boards
    ]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_boards_are_described_as_the_laboratory_describes_them(page: Path, language: str) -> None:
    texts = [*BOARDS, "5x8/limit=12", "bulls-and-cows", "classic", "super", "2x2", "5x8/positional/hard/limit=6"]
    script = BACKEND + 'await setLanguage("LANG");'.replace("LANG", language)
    script += "return Promise.all(given.map((text) => ask('GET', 'rules', { query: { text } })));"
    found = told(page, script, texts)
    wished = [say_all(RulesShown.of(Rules.parse(text)).to_json(), language) for text in texts]
    differing = {"can"}

    assert [{name: one for name, one in each.items() if name not in differing} for each in wished] == [
        {name: one for name, one in each.items() if name not in differing} for each in found
    ]


@pytest.mark.parametrize("board", BOARDS)
def test_codes_left_chances_and_clues_are_pythons(page: Path, board: str) -> None:
    rng, rules = np.random.default_rng(5), Rules.parse(board)
    given = list(drawn(board, cases(40, 600), 11))
    asked: list[Any] = []
    wished: list[Any] = []
    for position, _ in given:
        turns, guess = turns_of(position), random_secret(rules, rng)
        asked.append(post("positions", rules=board, turns=turns))
        wished.append(tasks.position({"rules": board, "turns": turns}))
        asked.append(
            post("answers", rules=board, turns=turns, token="n.1", guess=format_code(guess, rules), strict=True)
        )
        clues = clues_against(guess, position.turns, rules)
        wished.append([plain(each) for each in clues] if clues and not rules.hard else None)
    found = told(page, EACH, asked)
    keys = ("marginals", "presence", "copies", "state", "rules")

    for (question, answer), wish in zip(zip(asked, found, strict=True), wished, strict=True):
        if question[1] == "positions":
            assert wish is not None
            assert {key: wish[key] for key in keys} == {key: answer[key] for key in keys}
            assert (wish["left"]["count"], wish["left"]["codes"]) == (answer["left"]["count"], answer["left"]["codes"])
        elif wish is not None:
            assert wish[0]["says"] in answer["refused"]
            assert wish[0]["row"] == int(answer["refused"].split("row ")[1].split(":")[0])
        elif not rules.hard:
            assert "turn" in answer, answer


@pytest.mark.parametrize(
    "board", ["4x6", "3x6/positional", "4x5/no-repeats", "words:french/positional", "3x4/membership", *USUAL]
)
@pytest.mark.parametrize("player", ["entropy", "minimax", "parts", "expected-size"])
def test_one_step_players_guess_the_same_with_the_same_ties(page: Path, board: str, player: str) -> None:
    rules, breaker = Rules.parse(board), registry.get(player)
    given = [position for position, _ in drawn(board, cases(12, 300), 3, 3) if len(position.candidates) > 2]
    asked = [
        {"turns": [{"guess": list(t.guess), "label": label(t, rules)} for t in position.turns], "player": player}
        for position in given
    ]
    script = f"""{BACKEND}
      const {{ readRules }} = await import("./local/rules.js");
      const {{ factsOf }} = await import("./local/backend.js");
      const board = readRules(given[0], await factsOf(given[0]));
      return given[1].map((asked) => done(kernels, "choose", board, asked));"""
    found = told(page, script, [board, asked])

    assert [list(breaker.guess(position, np.random.default_rng(0))) for position in given] == found


def label(turn: Turn, rules: Rules) -> int:
    """The label of a turn as the kernels give it: pegs in common by color, not white ones, stand beside black ones."""
    if isinstance(turn.feedback, Feedback) and rules.feedback is not FeedbackKind.black:
        return rules.pegs * turn.feedback.black + sum(turn.feedback)
    return label_of(turn.feedback, rules)


PARTS = ["4x6", "3x6/positional", "4x5/no-repeats", "3x5/black", "3x4/blanks", "words:french/positional", *USUAL]


def in_part(position: Position, draw: random.Random) -> list[str]:
    """Rows of a game of which pegs and numbers are left out: others that are told are true."""
    rows = []
    for turn in position.turns:
        guess = [None if draw.random() < 0.2 else color for color in turn.guess]
        by_peg = not isinstance(turn.feedback, Feedback)
        numbers = [turn.feedback.black] if position.rules.feedback is FeedbackKind.black else list(turn.feedback)
        ranges = tuple((0, None) if draw.random() < 0.3 else (each, each) for each in numbers)
        told = turn.feedback if by_peg and len(numbers) != position.rules.pegs else None
        part = told or PartFeedback.of(ranges, position.rules)
        rows.append(format_row(Row(tuple(guess), part), position.rules))
    return rows


@pytest.mark.parametrize("board", PARTS)
def test_rows_known_in_part_leave_the_same_codes_and_exact_advice(page: Path, board: str) -> None:
    draw = random.Random(21)
    given = [in_part(position, draw) for position, _ in drawn(board, cases(8, 200), 14, 3)]
    asked = [post("positions", rules=board, rows=rows) for rows in given]
    asked += [post("advice", rules=board, rows=rows, limit=1) for rows in given[: cases(3, 60)]]
    asked += [post("rows", rules=board, text="\n".join(rows)) for rows in given if rows]
    found = iter(told(page, EACH, asked))
    notes = [Notes.of(board, rows) for rows in given]

    assert [len(each.candidates) for each in notes] == [next(found)["left"]["count"] for _ in given]
    for each in notes[: cases(3, 60)]:
        wished, answer = advise(each, limit=1, time=20), next(found)["advice"]

        assert str(wished.value.fraction) == answer["value"]["fraction"] or not answer["proven"]
    assert [[format_row(row, each.rules) for row in each.rows] for each in notes if each.rows] == [
        [format_row(row, each.rules) for row in Notes.of(board, next(found)["rows"]).rows]
        for each in notes
        if each.rows
    ]


@pytest.mark.parametrize("board", ["4x6", "3x6/positional", "4x5/no-repeats", "3x5/black"])
def test_values_and_losses_of_positions_are_exact(page: Path, board: str) -> None:
    given = [position for position, _ in drawn(board, cases(12, 120), 8, 3)]
    found = told(page, EACH, [post("explore", rules=board, turns=turns_of(position), limit=5) for position in given])
    for position, answer in zip(given, found, strict=True):
        wished = say_all(explore(position, limit=5, time=20).to_json(), "en")

        assert wished["value"]["fraction"] == answer["value"]["fraction"]
        assert wished["left"]["says"] == answer["left"]["says"]
        assert wished["chosen"]["loss"]["fraction"] == answer["chosen"]["loss"]["fraction"]
        assert sum(each["codes"] for each in answer["answers"]) == wished["left"]["count"]
        known = {each["guess"]: each for each in wished["moves"]}
        for each in answer["moves"]:
            if each["guess"] in known:
                other = known[each["guess"]]
                names = ["alike", "parts", "worst"]
                assert other["mean"]["fraction"] == each["mean"]["fraction"]
                assert [other[name] for name in names] == [each[name] for name in names]
        worsts = [{each["feedback"]: each["worst"] for each in told_of["answers"]} for told_of in (wished, answer)]
        assert wished["worst"] == answer["worst"]
        assert wished["chosen"]["guess"] != answer["chosen"]["guess"] or worsts[0] == worsts[1]


@pytest.mark.parametrize("board", USUAL)
def test_the_usual_words_are_those_of_the_laboratory_in_its_order(page: Path, board: str) -> None:
    rules = Rules.parse(board)
    script = f"""{BACKEND}
      const {{ readRules }} = await import("./local/rules.js");
      const {{ factsOf }} = await import("./local/backend.js");
      const {{ Board }} = await import("./local/engine.js");
      const board = new Board(kernels, readRules(given, await factsOf(given)));
      return [board.secrets, board.guesses].map((codes) => codes.map((code) => code.join(" ")));"""
    secrets, guesses = told(page, script, board)
    assert rules.words is not None

    assert [" ".join(map(str, code)) for code in rules.words.codes] == secrets
    assert [" ".join(map(str, code)) for code in rules.words.guess_codes] == guesses


@pytest.mark.parametrize("board", ["4x6", "3x6/positional", "words:french/positional", *USUAL, f"{USUAL[1]}/hard"])
def test_the_best_guess_is_pythons_with_the_same_ties(page: Path, board: str) -> None:
    given = [each for each, _ in drawn(board, cases(30, 600), 19 + len(board), 3) if 2 < len(each.candidates) <= 150]
    asked = [post("advice", rules=board, rows=[" ".join(row) for row in turns_of(each)], limit=4) for each in given]
    hinted = [post("hints", rules=board, turns=turns_of(each)) for each in given]
    found = told(page, EACH, asked + hinted)

    assert len(given) > 10
    for position, told_of, hints in zip(given, found, found[len(given) :], strict=False):
        wished, answer = advise(position, limit=4, time=60), told_of["advice"]
        best = [format_code(each.guess, position.rules) for each in wished.guesses]
        ladder = say_all(HintLadder.of(position, seconds=60).to_json(), "en")

        assert answer["proven"]
        assert str(wished.value.fraction) == answer["value"]["fraction"]
        assert best[0] == answer["guesses"][0]["guess"]
        assert [step["says"] for step in ladder["steps"] if step["kind"] in {"left", "guess"}] == [
            step["says"] for step in hints["steps"] if step["kind"] in {"left", "guess"}
        ]
        assert [step["kind"] for step in ladder["steps"]] == [step["kind"] for step in hints["steps"]]


@pytest.mark.parametrize("hard", ["", "/hard"])
@pytest.mark.parametrize("name", ["english", "french"])
def test_the_first_guess_of_all_usual_words_is_told_with_its_least_total(page: Path, name: str, hard: str) -> None:
    board = f"words:{name}/probes={name}/positional{hard}"
    total, words = OPENINGS[name]["hard" if hard else "free"]
    script = f"""{BACKEND}
      const {{ readRules }} = await import("./local/rules.js");
      const {{ factsOf }} = await import("./local/backend.js");
      const {{ Board }} = await import("./local/engine.js");
      const board = new Board(kernels, readRules(given[0], await factsOf(given[0])));
      const [all, rest] = [board.left([]), board.telling([], board.left([]), 8)];
      const totals = (places) => places.map((at) => board.totalOf([], all, board.guesses[at]));
      const best = board.opened([]).map(([, at]) => at);
      const {{ steps }} = await ask("POST", "hints", {{ body: {{ rules: given[0], turns: [] }} }});
      return [totals(best), totals(rest), steps.find(({{ kind }}) => kind === "guess").code];"""
    best, others, hinted = told(page, script, [board])

    assert [total] * len(words) == best
    assert min(others) >= total
    assert hinted == words[0]
    if name == "french":
        assert optimal(board).total == total


@pytest.mark.parametrize("language", ["en", "fr"])
def test_without_the_usual_words_the_secrets_are_played_and_it_is_said(page: Path, language: str) -> None:
    name = "local/usual.english.js"
    whole = (page / name).read_text(encoding="utf-8")
    turns = [["salet", "....."]]
    asked = [
        ["GET", "rules", {"query": {"text": USUAL[0]}}],
        post("answers", rules=USUAL[0], turns=turns, guess="crown", token="n.5"),
        post("answers", rules=USUAL[0], turns=turns, guess="roate", token="n.5"),
        post("hints", rules=USUAL[0], turns=turns),
        post("reviews", rules=USUAL[0], turns=turns),
    ]
    script = f"""{BACKEND}
      const {{ onNotice }} = await import("./announce.js");
      const said = [];
      onNotice((sentence) => said.push(sentence));
      await setLanguage("{language}");
      const found = [];
      for (const [method, path, question] of given[0]) found.push(await ask(method, path, question));
      const [missing, before] = [[...said], found];
      fs.writeFileSync(new URL("{name}", page), given[1]);
      const [method, path, question] = given[0][2];
      return [before, missing, await ask(method, path, question), said.length];"""
    (page / name).unlink()
    (rules, answer, refused, hints, reviewed), said, later, number = told(page, script, [asked, whole])
    begins = {"en": "The usual words could not be", "fr": "Les mots courants n’ont pas pu être chargés"}[language]

    assert (page / name).read_text(encoding="utf-8") == whole
    assert Rules.parse(rules["text"]) == Rules.parse(USUAL[0])
    assert answer["turn"][0] == "crown"
    assert refused["refused"].startswith(begins)
    assert {refused["refused"]} == set(said)
    assert hints["steps"][-1]["code"] in {word for word in shipped_words("english") if len(word) == 5}
    assert reviewed["games"][0]["review"]["turns"][0]["guess"] == "salet"
    assert (later["turn"][0], number) == ("roate", len(said))


TABLED = ["4x7", "4x8", "bulls-and-cows"]


@pytest.mark.parametrize("board", TABLED)
def test_large_boards_are_exact_from_the_table(page: Path, board: str) -> None:
    given = [Position(board), *(position for position, _ in drawn(board, cases(3, 120), 31, 2) if position.turns)]
    asked = [post("explore", rules=board, turns=turns_of(position), limit=3) for position in given]
    asked += [post("reviews", rules=board, turns=turns_of(position)) for position in given[1:]]
    found = told(page, EACH, asked)
    for position, answer in zip(given, found, strict=False):
        wished = say_all(explore(position, limit=3, time=60).to_json(), "en")
        sources = {"table", "searched"}

        assert (wished["value"]["fraction"], wished["worst"]) == (answer["value"]["fraction"], answer["worst"])
        assert wished["source"] == answer["source"] or {wished["source"], answer["source"]} == sources
        is_ranked = len(position.turns) < 2 or len(position.candidates) <= 400

        assert {"=" if is_ranked else "≈"} == {each["mean"]["sign"] for each in answer["moves"]}
        if is_ranked:
            assert wished["moves"][0]["mean"]["fraction"] == answer["moves"][0]["mean"]["fraction"]
        if len(position.turns) < 2:
            known = {each["guess"]: each for each in wished["moves"]}
            assert [each["mean"]["fraction"] for each in wished["moves"]] == [
                each["mean"]["fraction"] for each in answer["moves"]
            ]
            for each in answer["moves"]:
                if each["guess"] in known:
                    assert (known[each["guess"]]["alike"], known[each["guess"]]["worst"]) == (
                        each["alike"],
                        each["worst"],
                    )
    for position, answer in zip(given[1:], found[len(given) :], strict=True):
        told_of = review(position, time=60).to_json()

        assert answer["games"][0]["review"]["exact"]
        for name in ("loss", "luck", "expected", "left"):
            assert [turn[name]["fraction"] for turn in told_of["turns"]] == [
                turn[name]["fraction"] for turn in answer["games"][0]["review"]["turns"]
            ]


def test_what_the_best_play_takes_is_exact_where_the_table_alone_tells_it(page: Path) -> None:
    rows = ["AABC -", "ABCC -"]
    [found] = told(page, EACH, [post("advice", rules="4x8", rows=rows, limit=2)])
    wished = explore(Position("4x8", rows), limit=1, time=60)

    assert wished.value is not None
    assert found["advice"]["left"]["count"] == 625
    assert found["advice"]["value"]["sign"] == "="
    assert str(wished.value.fraction) == found["advice"]["value"]["fraction"]
    assert ["≈", "≈"] == [each["expected"]["sign"] for each in found["advice"]["guesses"]]


def test_without_its_table_or_with_a_damaged_one_estimates_are_said(page: Path) -> None:
    asked = [post("explore", rules="4x8", turns=[["AABC", "O"]], limit=2), post("advice", rules="4x8", rows=["AABC O"])]
    name = "local/table.4x8-2.js"
    whole = (page / name).read_text(encoding="utf-8")
    other = (page / "local/table.4x7-2.js").read_text(encoding="utf-8").replace("4x7-2", "4x8-2")
    damaged = {
        "whole": whole,
        "missing": None,
        "cut off": whole[: len(whole) // 2] + '");',
        "changed": whole[:1000] + ("B" if whole[1000] == "A" else "A") + whole[1001:],
        "of another board": other,
        "no table": 'entropeg.give("table.4x8-2", "QUJD");',
        "no text": 'entropeg.give("table.4x8-2", "?");',
    }
    said = {}
    for damage, text in damaged.items():
        (page / name).unlink(missing_ok=True)
        if text is not None:
            (page / name).write_text(text, encoding="utf-8")
        explored, advised = told(page, EACH, asked)
        said[damage] = (explored["source"], explored["value"]["sign"], advised["advice"]["proven"])
        assert ("need the laboratory" in explored["says"]) == (damage != "whole")
    (page / name).write_text(whole, encoding="utf-8")

    assert said == {"whole": ("table", "=", True)} | {
        damage: ("estimated", "≈", False) for damage in damaged if damage != "whole"
    }


@pytest.mark.parametrize("board", ["bulls-and-cows", "4x7"])
def test_the_first_hint_of_a_game_finds_its_search_laid_out(page: Path, board: str) -> None:
    guess = {"bulls-and-cows": "0123", "4x7": "AABC"}[board]
    script = f"""{BACKEND}
      const Memory = WebAssembly.Memory;
      let most = 0;
      WebAssembly.Memory = function (asked) {{ most = Math.max(most, asked.initial); return new Memory(asked); }};
      const stages = [];
      const staged = (found) => {{ stages.push(most); most = 0; return found; }};
      const {{ token }} = staged(await ask("POST", "games", {{ body: {{ rules: given[0], number: 1111111 }} }}));
      await new Promise((yes) => {{ setTimeout(yes, 0); }});
      const body = {{ rules: given[0], turns: [], token, guess: given[1] }};
      const {{ turn }} = staged(await ask("POST", "answers", {{ body }}));
      const {{ steps }} = staged(await ask("POST", "hints", {{ body: {{ rules: given[0], turns: [turn] }} }}));
      return [steps.length, ...stages];"""
    steps, begun, answered, hinted = told(page, script, [board, guess])
    pages = Rules.parse(board).guess_count ** 2 // 65_536  # of one table of labels

    assert steps > 2
    assert max(begun, answered) > 2 * pages > hinted


def test_worst_cases_that_take_seconds_are_left_open(page: Path) -> None:
    [found] = told(page, EACH, [post("explore", rules="4x6/black", turns=[["AABB", "X"]], limit=1)])

    assert [found["left"]["count"], found["value"]["sign"], found["worst"]] == [500, "=", None]
    assert {each["worst"] for each in [*found["moves"], *found["answers"]]} == {None}
    assert "worst" not in found["says"]


@pytest.mark.parametrize("board", ["4x6", "3x6/positional", "4x5/no-repeats"])
def test_games_are_reviewed_to_the_same_fractions(page: Path, board: str) -> None:
    given = [position for position, _ in drawn(board, cases(10, 100), 21, 5) if position.turns]
    found = told(page, EACH, [post("reviews", rules=board, turns=turns_of(position)) for position in given])
    for position, answer in zip(given, found, strict=True):
        wished = say_all(review(position, time=30).to_json(), "en")
        numbers = ("loss", "luck", "value", "expected", "left")
        for one, other in zip(wished["turns"], answer["games"][0]["review"]["turns"], strict=True):
            assert [one[name]["fraction"] for name in numbers] == [other[name]["fraction"] for name in numbers]
            assert (one["before"], one["after"], one["possible"]) == (
                other["before"],
                other["after"],
                other["possible"],
            )
            assert one["mark"] == other["mark"]
            assert one["rarity"] == pytest.approx(other["rarity"])


@pytest.mark.parametrize("board", ["4x6", "3x6/positional", "words:french/positional", "3x4/blanks", *USUAL])
def test_a_cheat_answers_as_a_cheat_may_and_hints_tell_the_same_contradictions(page: Path, board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(2)
    given = [(position, random_guess(rules, rng)) for position, _ in drawn(board, cases(25, 300), 4, 3)]
    asked = []
    for number, (position, guess) in enumerate(given, start=1):
        text = format_code(guess, rules)
        asked.append(post("answers", rules=board, turns=turns_of(position), token=f"c.{number}", guess=text))
        asked.append(post("hints", rules=board, turns=turns_of(position), guess=text, best=False))
    found = told(page, EACH, asked)
    for at, (position, guess) in enumerate(given):
        allowed = [format_feedback(from_label(int(each), rules)) for each in Cheat().choices(position, guess)]
        ladder = say_all(HintLadder.of(position, format_code(guess, rules), to_the_best=False).to_json(), "en")
        named = {"contradiction", "pegs"}

        assert found[2 * at]["turn"][1] in allowed
        assert ladder["further"] == found[2 * at + 1]["further"]
        if clues_against(guess, position.turns, rules):
            assert [step for step in ladder["steps"] if step["kind"] in named] == [
                step for step in found[2 * at + 1]["steps"] if step["kind"] in named
            ]


MENDED = ["4x6", "3x6/positional", "4x5/no-repeats", "3x5/black", "3x4/blanks", "3x4/membership"]
MENDED += ["words:french/positional", "3x4/positional/hard", USUAL[1]]


def mistaken(board: str, number: int, mistakes: int) -> Iterator[list[str]]:
    """Rows that no code fits, of games whose feedbacks were drawn anew in some rows, in part unknown on some boards."""
    rules, draw, found = Rules.parse(board), random.Random(board), 0
    for position, _ in drawn(board, 40 * number, 77, 5):
        rows = [" ".join(row) for row in turns_of(position)]
        if len(rows) < 2 or found == number:
            continue
        for at in draw.sample(range(len(rows)), min(mistakes, len(rows))):
            label = draw.choice(list(Partition.of(Position(rules).candidates, position.turns[at].guess).sizes))
            rows[at] = f"{rows[at].split()[0]} {format_feedback(label)}"
        try:
            if not rules.hard and draw.random() < 0.3:
                part = in_part(Position(rules, rows), draw)
                rows = [draw.choice(pair) for pair in zip(rows, part, strict=True)]
            left = len(Notes.of(rules, rows).candidates)
        except InputError:
            continue
        if left == 0:
            found += 1
            yield rows


def near(wish: Any, answer: Any) -> bool:
    """Whether two answers are equal, but for last digits of chances and for kinds, which Python names in English."""
    if isinstance(wish, dict):
        names = wish.keys() - {"kinds"}
        return wish.keys() == answer.keys() and all(near(wish[name], answer[name]) for name in names)
    if isinstance(wish, list):
        return len(wish) == len(answer) and all(map(near, wish, answer))
    return bool(wish == pytest.approx(answer)) if isinstance(wish, float) else wish == answer


@pytest.mark.parametrize(("board", "language"), [*((board, "en") for board in MENDED), ("4x6", "fr")])
def test_what_may_be_mistaken_in_rows_and_how_likely_that_is_are_pythons(page: Path, board: str, language: str) -> None:
    given = [*mistaken(board, cases(8, 120), 1), *mistaken(board, cases(3, 40), 2)]
    asked = [
        {"rules": board, "rows": rows, "live": at % 2 == 0, "sure": [len(rows)] if at % 3 == 0 else []}
        for at, rows in enumerate(given)
    ]
    script = BACKEND + 'await setLanguage("LANG");'.replace("LANG", language)
    script += "return Promise.all(given.map((body) => ask('POST', 'mends', { body })));"
    found = told(page, script, asked)

    assert len(given) > 3
    for body, answer in zip(asked, found, strict=True):
        wish = say_all(advice_tasks.mends(body | {"seconds": 20.0}), language)

        assert near(wish, answer), (body, wish, answer)


WRONG = [
    (["GET", "rules", {"query": {"text": "20x20"}}], "laboratory"),
    (["GET", "rules", {"query": {"text": "6x10"}}], "laboratory"),
    (["GET", "rules", {"query": {"text": "4x25/shapes=5"}}], "laboratory"),
    (["GET", "rules", {"query": {"text": "nonsense"}}], "4x6"),
    (["GET", "rules", {"query": {"text": "words:english/probes=french/positional"}}], "write “probes=english”"),
    (["GET", "rules", {"query": {"text": "words:english/probes=mine.txt/positional"}}], "laboratory"),
    (["GET", "rules", {"query": {"text": f"{USUAL[0]}/digest=9790e3f3"}}], "leave “digest” out"),
    (["GET", "rules", {"query": {"text": "4x6/probes=english"}}], "laboratory"),
    (["GET", "rules", {"query": {"text": "4x6/hard"}}], "marks"),
    (["GET", "daily", {"query": {"date": "2999-01-01"}}], "not out yet"),
    (["GET", "daily", {"query": {"date": "2025-01-01"}}], "first daily"),
    (["GET", "bounds", {"query": {"rules": "4x6"}}], "laboratory"),
    (post("games", rules="4x6", codemaker="perfect-cheat"), "laboratory"),
    (post("games", rules="4x6", number=7_000_000, secrets=1), "older link"),
    (post("games", rules="4x6/limit=10", number=99_999), "not out yet"),
    (post("games", rules="4x6", secret="AAX"), "no code"),
    (post("games", rules="4x6/no-repeats", secret="AABB"), "allow no secret"),
    (post("answers", rules="4x6", turns=[], guess="AABB", token="gAAAAAB"), "begun elsewhere"),
    (post("answers", rules="4x6", turns=[["AABB", "XXXX"]], guess="AABB", token="n.5"), "over"),
    (post("answers", rules="4x6", turns=[["AABB", "?!"]], guess="AABB", token="n.5"), "Row 1"),
    (post("answers", rules="words:french/positional", turns=[], guess="zzzzz", token="n.5"), "words"),
    (post("answers", rules=USUAL[0], turns=[], guess="qqqqq", token="n.5"), "qqqqq is none of the words"),
    (post("advice", rules=USUAL[0], rows=["qqqqq ....."]), "qqqqq is none of the words"),
    (post("explore", rules=USUAL[0], turns=[["qqqqq", "....."]]), "qqqqq is none of the words"),
    (post("games/end", rules="4x6", turns=[], token="n.5"), "not over"),
    (post("advice", rules="3x4/positional/hard", rows=["A?B X.."]), "laboratory"),
    (post("advice", rules="4x6", rows=["nonsense"]), "Row 1"),
    (post("hints", rules="4x6", turns=[["AAAA", "-"], ["AAAA", "X"]]), "no code fits"),
    (post("reviews", rules="4x6", turns=[]), "no turn"),
    (post("watch", rules="4x6", codebreaker="optimal"), "laboratory"),
]


def test_wrong_input_gets_a_sentence_and_nothing_breaks(page: Path) -> None:
    found = told(page, EACH, [question for question, _ in WRONG])

    assert [] == [
        (question, answer)
        for (question, part), answer in zip(WRONG, found, strict=True)
        if part not in str(answer.get("refused"))
    ]


def test_a_text_that_is_no_game_and_options_that_are_none_are_called_so(page: Path) -> None:
    texts = ["nonsense", "one two three", "what is this?", "aabb", "20x20", "AABB->XO", "AABB: -", "1. aabb xo", "😀"]
    boards = ["4x6/nonsense", "words:english/positional/limit=0", "4x6/shapes=2"]
    asked = [post("reviews/games", text=text) for text in texts] + [post("games", rules=rules) for rules in boards]
    found = told(page, EACH, asked)
    read = {text: one.get("refused") for text, one in zip(texts, found, strict=False)}

    assert [text for text, refused in read.items() if refused is None] == ["AABB->XO", "AABB: -", "1. aabb xo"]
    assert [text for text, refused in read.items() if refused and not refused.startswith("Row 1 cannot be read")] == []
    for rules, refused in zip(boards, found[len(texts) :], strict=True):
        assert f"“{rules.rsplit('/', 1)[1]}”" in refused["refused"]
        assert "rules" == refused["field"]


def test_a_better_guess_is_judged_where_a_mistake_was_played(page: Path) -> None:
    puzzle = {"learn": {"rules": "4x6", "turns": [["AABB", "XO"], ["AAAA", "X"]]}}
    best, played = told(page, EACH, [post("puzzles/judge", puzzle=puzzle, guess=guess) for guess in ("ACAD", "AAAA")])

    assert (True, 0) == (best["solved"], best["loss"])
    assert not played["solved"]
    assert played["loss"] > 0.3
    assert [1] == [clue["row"] for clue in played["clues"]]


def test_a_last_guess_is_one_of_the_codes_left(page: Path) -> None:
    turns = [["AABB", "XO"], ["ACAD", "OO"]]
    left = Position("4x6/limit=3", [" ".join(turn) for turn in turns]).candidates
    asked = [post("hints", rules=f"4x6/limit={limit}", turns=turns) for limit in (3, 4)]
    asked.append(post("advice", rules="4x6/limit=3", rows=[" ".join(turn) for turn in turns]))
    last, earlier, advice = told(page, EACH, asked)
    codes = [format_code(code, "4x6") for code in left]

    assert len(codes) > 5
    assert codes[0] == next(step["code"] for step in last["steps"] if step["kind"] == "guess")
    assert next(step["code"] for step in earlier["steps"] if step["kind"] == "guess") != codes[0]
    assert advice["advice"]["last_guess"]
    assert [each["guess"] for each in advice["advice"]["guesses"]] == codes[:5]


def test_a_secret_of_ones_own_is_in_its_token_and_not_to_be_read(page: Path) -> None:
    first = told(page, EACH, [post("games", rules="4x6", secret="ABCD")])[0]
    asked = {"rules": "4x6", "turns": [], "token": first["token"]}
    found = told(page, EACH, [post("answers", guess="ABDC", **asked), post("games/end", give_up=True, **asked)])

    assert "0-1-2-3" not in first["token"]
    assert found[0]["turn"] == ["ABDC", "XXOO"]
    assert found[1]["secret"] == "ABCD"
    assert parse_code("ABCD", "4x6") == (0, 1, 2, 3)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_puzzles_made_beforehand_are_judged_told_and_solved(page: Path, language: str) -> None:
    script = f"""{BACKEND}
      await setLanguage("{language}");
      const told = [];
      for (const theme of given) {{
        const puzzle = await ask("GET", "puzzles", {{ query: {{ rules: "4x6/limit=10", theme, seed: 9 }} }});
        const about = {{ puzzle: puzzle.puzzle }};
        const solution = await ask("POST", "puzzles/solution", {{ body: about }});
        const right = theme === "mend" ? {{ row: solution.row }} : {{ guess: solution.answers[0] }};
        const wrong = theme === "mend" ? {{ row: solution.row % puzzle.turns.length + 1 }} : {{ guess: "AAAA" }};
        const judge = (attempt) => ask("POST", "puzzles/judge", {{ body: {{ ...about, ...attempt, hints: 1 }} }});
        const hint = await ask("POST", "puzzles/hints", {{ body: {{ ...about, step: 1 }} }});
        told.push([puzzle.theme, puzzle.hints, hint.steps, await judge(right), await judge(wrong)]);
      }}
      return [told, await ask("GET", "puzzles", {{ query: {{ rules: "5x8" }} }})];"""
    themes = ["deduce", "split", "outside", "trap", "mend"]
    found, refused = told(page, script, themes)

    assert themes == [theme for theme, *_ in found]
    assert all(hints == steps for _, hints, steps, *_ in found)
    assert all(right["solved"] and right["points"] == 2 for *_, right, _ in found)
    assert not any(wrong["solved"] for *_, wrong in found)
    assert all(wrong["says"] for *_, wrong in found)
    assert "4x6" in refused["refused"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_wrong_answers_to_puzzles_are_told_as_the_laboratory_tells_them(page: Path, language: str) -> None:
    guesses = ["AAAA", "ABCD", "FEDC", "BBCA", "EEFF"]
    script = f"""{BACKEND}
      await setLanguage("{language}");
      const told = [];
      for (const theme of given.themes) {{
        const query = {{ rules: "4x6/limit=10", theme, seed: 9 }};
        const {{ puzzle, turns }} = await ask("GET", "puzzles", {{ query }});
        const attempts = theme === "mend" ? turns.map((_, at) => ({{ row: at + 1 }}))
          : given.guesses.map((guess) => ({{ guess }}));
        for (const attempt of attempts)
          told.push([puzzle, attempt, await ask("POST", "puzzles/judge", {{ body: {{ puzzle, ...attempt }} }})]);
      }}
      return told;"""
    found = told(page, script, {"themes": ["deduce", "split", "outside", "trap", "mend"], "guesses": guesses})
    empty = {"guess": None, "row": None, "hints": 0, "tried": 0}
    wished = [say_all(puzzles.judge(empty | {"puzzle": named} | attempt), language) for named, attempt, _ in found]

    assert sum(not each["solved"] for each in wished) >= 20
    assert [(each["says"], each["solved"]) for each in wished] == [(one["says"], one["solved"]) for *_, one in found]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_guesses_that_ask_nothing_are_told_as_the_laboratory_tells_them(page: Path, language: str) -> None:
    left = {"one": ["ABCD XXX", "ABCE XXX", "ABFF XX", "ABAA XXX"], "six": ["AAAA XX", "BBBB XX"]}
    positions = [Position("4x6", rows) for rows in left.values()]
    only = format_code(positions[0].candidates[0], Rules())
    guesses = [["FFFF", only], ["CCCC"]]
    asked = [
        {"rules": "4x6", "rows": rows, "limit": 1, "also": also}
        for rows, also in zip(left.values(), guesses, strict=True)
    ]
    script = f"""{BACKEND}
      await setLanguage("{language}");
      const found = [];
      for (const body of given) found.push((await ask("POST", "advice", {{ body }})).advice.says.slice(1));
      return found;"""
    wished = [advise(position, limit=1, also=also) for position, also in zip(positions, guesses, strict=True)]

    assert [1, 6] == [len(position.candidates) for position in positions]
    assert [say_all([each.explain(guess) for guess in each.also], language) for each in wished] == told(
        page, script, asked
    )


def test_larger_boards_are_reviewed_exactly_as_far_as_the_search_goes_and_elsewhere_by_estimates(page: Path) -> None:
    games = {
        "5x5": [["AABCD", "OOOO"], ["BADDD", "OOO"], ["EADCB", "XOOOO"]],
        "5x8": [["AABBC", "O"], ["CDEFG", "XXX"]],
        "4x8/black": [["AABC", "X"], ["ADEF", "XX"]],
    }
    found = told(page, EACH, [post("reviews", rules=rules, turns=turns) for rules, turns in games.items()])
    reviews = [each["games"][0]["review"] for each in found]

    assert [True, False, False] == [each["exact"] for each in reviews]
    assert ["=", "≈", "≈"] == [each["loss"]["sign"] for each in reviews]
    assert reviews[0]["par"]["fraction"] == "13496/3125"
    for each in reviews:
        par, loss, luck, rest = (each[name]["value"] for name in ("par", "loss", "luck", "remaining"))

        assert each["guesses"] + rest == pytest.approx(par + loss - luck)
        assert min(turn["loss"]["value"] for turn in each["turns"]) >= -1e-9
        assert {turn["value"]["sign"] for turn in each["turns"]} == {each["par"]["sign"]}
    assert "(estimates)" in found[1]["games"][0]["says"]["account"]


@pytest.mark.parametrize(("board", "most"), [("5x6", 0.2), ("4x8/black", 0.6), ("4x7/positional", 0.6)])
def test_accounts_of_estimates_are_pythons_but_for_the_error_that_they_say(page: Path, board: str, most: float) -> None:
    rules = Rules.parse(board)
    given = [position for position, _ in drawn(board, cases(8, 100), 17, 5) if position.turns]
    found = told(page, EACH, [post("reviews", rules=board, turns=turns_of(position)) for position in given])
    names, outside, compared = ("value", "expected", "left", "loss"), 0, 0
    for position, answer in zip(given, found, strict=True):
        wished, review_here = say_all(review(position, time=1).to_json(), "en"), answer["games"][0]["review"]

        assert not review_here["exact"]
        assert (wished["guesses"], wished["won"]) == (review_here["guesses"], review_here["won"])
        for one, other in zip(wished["turns"], review_here["turns"], strict=True):
            same = ("before", "after", "guess", "feedback", "clues")
            assert [one[name] for name in same] == [other[name] for name in same]
            assert {("≈", most)} == {(other[name]["sign"], other[name]["error"]) for name in names}
            for name in names:
                off = abs(one[name]["value"] - other[name]["value"])
                outside += off > most + one[name]["error"] and one[name]["sign"] != "≥"
                compared += 1

    assert compared > 50
    assert outside <= compared / 20
    assert rules.secret_count > 1400


@pytest.mark.parametrize("board", ["4x6", "3x4/blanks-in-secrets", "bulls-and-cows"])
def test_a_secret_sealed_by_a_word_opens_by_it_alone(page: Path, board: str) -> None:
    rules, rng = Rules.parse(board), np.random.default_rng(4)
    secrets = [format_code(random_secret(rules, rng), rules) for _ in range(cases(6, 100))]
    script = f"""{BACKEND}
      globalThis.crypto ??= (await import("node:crypto")).webcrypto;
      const found = [];
      for (const secret of given.secrets) {{
        const body = {{ rules: given.board, secret, word: "Éclair" }};
        const {{ token }} = await ask("POST", "games", {{ body }});
        const opened = async (word) => ask("POST", "games", {{ body: {{ rules: given.board, token, word }} }});
        const [right, wrong, none] = [await opened(" éclair"), await opened("eclair"), await opened(undefined)];
        const played = {{ rules: given.board, turns: [], guess: secret }};
        const asked = (token) => ask("POST", "answers", {{ body: {{ ...played, token }} }});
        found.push([token, (await asked(right.token)).state, wrong.field, none.field, (await asked(token)).field]);
      }}
      return found;"""
    found = told(page, script, {"board": board, "secrets": secrets})

    assert {("won", "word", "word", "word")} == {tuple(each[1:]) for each in found}
    assert all(token.startswith("w.") for token, *_ in found)
