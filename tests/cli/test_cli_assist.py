"""`entropeg assist` as stories: rows typed, advice shown, contradictions mended, and nothing that was typed is lost."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.advise import Notes, advise
from entropeg.advise.saved_notes import load_notes, notes_to_text
from entropeg.cli.screen import Screen
from entropeg.codes import format_code
from entropeg.feedback import format_feedback, score_trusted
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.sessions.assisting import AssistSession
from entropeg.signals import INTERRUPTED
from interrupting import interrupted_at
from terminals import Terminal

PROGRAM = [sys.executable, "-m", "entropeg"]


def assisting(rules: str = "4x6", *rows: str, tells: bool = False) -> AssistSession:
    return AssistSession(Notes.of(rules, rows), tells=tells)


def told(session: AssistSession, *typed: str) -> list[str]:
    """Type lines and return the last answer as text."""
    for line in typed[:-1]:
        session.handle(line)
    return [line.text for line in session.handle(typed[-1])]


def rows_of(session: AssistSession) -> list[str]:
    return str(session.notes).splitlines()


def typed(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")


# ------------------------------------------------------------------ rows


def test_a_row_is_noted_and_the_codes_left_are_counted() -> None:
    session = assisting()

    assert told(session, "aabb xo") == [
        "1  AABB XO",
        "208 codes are left of 1,296; hint helps on, advice ranks guesses",
    ]
    assert told(session, "2. ccde: 0 2")[0] == "2  CCDE OO"
    assert rows_of(session) == ["AABB XO", "CCDE OO"]


@pytest.mark.parametrize("row", ["AABB XO?", "AABB 1 ?", "AABB ?", "AA?B XO", "? XO", "XO AABB", "AABB 1b 1w"])
def test_rows_are_read_as_they_were_noted(row: str) -> None:
    session = assisting()
    session.handle(row)

    assert session.notes == Notes.of("4x6", [row])
    assert told(session, "left")[0].split()[0] == f"{len(session.notes.candidates):,}"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("aabb", "'aabb' has no feedback: write AABB ? where it is not known"),
        ("xo", "'xo' is a feedback without its guess"),
        ("aabbc xo", "AABB XO would be read; edit puts the line back"),
        ("hnit", "did you mean the command hint?"),
        ("undo", "there is nothing to take back"),
        ("left over", "nothing follows 'left'"),
        ("edit", "there is no row yet"),
        ("delete 1", "there is no row yet"),
        ("mend 1", "there is nothing to mend"),
        ("why", "why what? Type why and a guess of your own"),
        ("why aab", "'AAB' has 3 pegs"),
        ("why aabb xo", "'aabb xo' is a guess with its answer: give aabb alone"),
        ("history", "history is no command here: did you mean board?"),
        ("save", "save where? Type save FILE"),
        ("load", "load what? Type load FILE"),
        ("load /nowhere/x", "/nowhere/x"),
        ("new 4y6", "4y6"),
        ("advice 0", "how many guesses? Type advice, or advice and a number from 1 to 20"),
        ("guess AABB", "guess is no command here: type a guess and what it got, as AABB XO"),
        ("correct 1 XO", "correct is no command here: edit ROW changes a row"),
    ],
)
def test_what_cannot_be_read_is_told_and_changes_nothing(line: str, said: str) -> None:
    session = assisting()
    (answer,) = session.handle(line)

    assert answer.tone == "error"
    assert said in answer.text
    assert session.notes == Notes.of("4x6")


def test_a_line_that_could_not_be_read_is_put_back_and_changed() -> None:
    session = assisting()
    session.handle("aabbc xo")

    assert told(session, "edit") == ["(change this line, and press Enter) aabbc xo"]
    assert session.prefill == "aabbc xo"
    assert told(session, "aabb xo")[0] == "1  AABB XO"
    assert session.prefill == ""


def test_a_row_is_put_back_as_it_was_typed_and_another_takes_its_place() -> None:
    session = assisting()
    said = told(session, "aabb  -> 1b 1w", "CCDD X", "edit 1")

    assert said == ["(row 1: change it, and press Enter; an empty line leaves it) aabb -> 1b 1w"]
    assert (session.prefill, session.prompt) == ("aabb -> 1b 1w", "row 1")
    assert told(session, "aabb -> 1b")[:2] == ["1  AABB X", "2  CCDD X"]
    assert rows_of(session) == ["AABB X", "CCDD X"]
    assert session.prompt == "row 3"
    assert told(session, "edit 2 CCDE O")[1] == "2  CCDE O"


def test_while_a_row_is_edited_an_empty_line_leaves_it_and_a_wrong_one_is_asked_again() -> None:
    session = assisting("4x6", "AABB XO")

    assert told(session, "edit", "") == ["(the row stays as it was)"]
    assert "is no row" in told(session, "edit 1", "aabb xq")[0]
    assert session.prompt == "row 1"
    assert told(session, "aabb xx")[0] == "1  AABB XX"


def test_every_change_is_taken_back_in_turn() -> None:
    session = assisting()
    for line in ("AABB XO", "CCDD X", "edit 2 CCDD O", "delete 1", "new 3x4", "AAB X"):
        session.handle(line)
    seen = []
    for _ in range(6):
        session.handle("undo")
        seen.append((str(session.rules), rows_of(session)))

    assert seen == [
        ("3x4", []),
        ("4x6", ["CCDD O"]),
        ("4x6", ["AABB XO", "CCDD O"]),
        ("4x6", ["AABB XO", "CCDD X"]),
        ("4x6", ["AABB XO"]),
        ("4x6", []),
    ]
    assert told(session, "undo") == ["there is nothing to take back"] or "! there" in told(session, "undo")[0]


def test_words_that_are_codes_are_commands_alone_and_guesses_with_a_feedback() -> None:
    session = assisting("4x26")

    assert told(session, "left")[0].startswith("456,976 codes")
    assert told(session, "left xo")[0] == "1  LEFT XO"
    assert told(session, "row hint: x")[0] == "2  HINT X"


def test_a_found_code_ends_the_game_and_the_notes_can_still_be_changed() -> None:
    session = assisting("4x6", "AABB XO")

    assert told(session, "ACAD XXXX")[-1] == "Found in 2 guesses."
    assert told(session, "hint") == ["the game is won: there is no guess to advise"]
    assert not session.over
    assert told(session, "edit 2 ACAD XO")[-1].endswith("advice ranks guesses")


def test_on_a_board_with_a_limit_the_last_row_is_noted() -> None:
    session = assisting("4x6/limit=1")

    assert told(session, "AABB XO")[0] == "1  AABB XO"
    assert "the game is over" in told(session, "advice")[0]


# ------------------------------------------------------------------ advice


def test_hints_give_away_little_by_little() -> None:
    session = assisting("4x6", "AABB XO")
    steps = [told(session, "hint") for _ in range(4)]

    assert steps[0] == ["A is in it with 65 %. The best guess may be the secret.", "(hint again tells more)"]
    assert steps[1] == ["A good guess has 3 colors, one of them twice, in the shape of abac, 2 of them new."]
    assert steps[2][0].startswith("Try ACAD: splits the 208 codes left into 14 groups")
    assert steps[3][1].endswith("ACAD")
    assert told(session, "CCDD O", "hint")[-1] == "(hint again tells more)"


def test_a_guess_of_ones_own_stands_beside_the_best() -> None:
    session = assisting("3x4", "AAB X")
    said = told(session, "why bbb")
    rated = advise(session.notes, limit=1, also=["BBB"]).also[0]

    assert said[0] == advise(session.notes, limit=1, also=["BBB"]).explain(rated)
    assert [line.split()[-1] for line in said[1:3]] == ["guess", "BBB"]


def test_players_are_told_side_by_side() -> None:
    said = told(assisting("3x4", "AAB X"), "players")

    assert said[0].split()[0] == "player"
    assert [line.split()[0] for line in said[1:]] == [
        "random",
        "first-consistent",
        "consistent",
        "minimax",
        "entropy",
        "parts",
        "optimal",
    ]


def test_with_tell_the_best_guess_is_said_after_every_row() -> None:
    said = told(assisting(tells=True), "AABB XO")

    assert said[1] == "208 codes are left of 1,296; the best play takes = 3.452 guesses"
    assert said[2].startswith("Try ACAD: ")


def test_following_the_advice_finds_the_code() -> None:
    session, secret, said = assisting("3x5"), (4, 2, 2), [""]
    for _ in range(6):
        guess = advise(session.notes, limit=1).best.guess
        answer = score_trusted(guess, secret, session.rules)
        said = told(session, f"{format_code(guess, session.rules)} {format_feedback(answer)}")
        if said[-1].startswith("Found in "):
            break

    assert said[-1].startswith("Found in ")


# ------------------------------------------------------------------ contradictions


def test_a_contradiction_is_told_at_its_row_and_a_way_to_mend_it_is_chosen() -> None:
    session = assisting("4x6", "AABB XO")
    said = told(session, "CCDD XXX")

    assert said[1] == "No code fits rows 1 (AABB XO) and 2 (CCDD XXX) together: at least one of them is wrong."
    assert said[2] == "row 2 (CCDD XXX) may be wrong: 57 %"
    assert said[3] == "  1. row 2 was CCDD XX (the feedback is one off): 12 codes left, 43 %"
    assert told(session, "mend") == said[1:]
    assert "which way? Type mend and a number from 1 to 5" in told(session, "mend 6")[0]
    assert told(session, "mend 1") == [
        "1  AABB XO",
        "2  CCDD XX",
        "12 codes are left of 1,296; hint helps on, advice ranks guesses",
    ]
    assert told(session, "undo")[1:4] == ["1  AABB XO", "2  CCDD XXX", said[1]]


def test_a_contradiction_is_told_once_and_then_in_a_line_until_it_changes() -> None:
    session = assisting("4x6", "AABB XO")
    said = told(session, "CCDD XXX")[1:]
    short = ["no code fits the rows: mend N mends them, mend tells how; or type edit ROW, delete ROW or undo"]

    assert [short] * 5 == [told(session, word) for word in ("hint", "advice", "why AABB", "left", "players")]
    assert said == told(session, "mend")
    assert short == told(session, "hint")
    assert said[0] in told(session, "EEFF O")
    assert short == told(session, "hint")
    assert said == told(session, "undo")[-len(said) :]
    session.handle("undo")
    assert said == told(session, "CCDD XXX")[1:]


def test_a_contradicting_row_is_kept_and_rows_go_on_being_read() -> None:
    session = assisting("4x6", "AABB XO", "CCDD XXX")

    assert told(session, "EEFF O")[0] == "3  EEFF O"
    assert rows_of(session) == ["AABB XO", "CCDD XXX", "EEFF O"]
    assert told(session, "delete 2")[1:3] == ["1  AABB XO", "2  EEFF O"]
    assert told(session, "left")[0] == f"{len(session.notes.candidates)} codes are left of 1,296"


def test_rows_with_unknown_marks_are_mended_too() -> None:
    session = assisting("4x6", "AA?B XO?", "CCDD XXX")
    said = told(session, "EEFF XX")

    assert said[1].startswith("No code fits row")
    assert any(line.startswith("  1. row ") for line in said)
    assert told(session, "mend 1")[-1].split()[1] in {"codes", "code"}


def test_afterwards_and_live_are_two_models() -> None:
    session = assisting("4x6", "AABB X", "CCDD -", "AEFF XX", "FAEB XXX")
    afterwards = told(session, "afterwards")
    live = told(session, "live")

    assert afterwards[2] == "row 4 (FAEB XXX) may be wrong: 67 %"
    assert live[2] == "row 4 (FAEB XXX) may be wrong: 62 %"


# ------------------------------------------------------------------ nothing is lost


def test_notes_with_unknown_marks_are_saved_and_loaded(tmp_path: Path) -> None:
    for name in ("notes.txt", "notes.json"):
        path = tmp_path / name
        session = assisting()

        assert told(session, "AABB XO?", "C?DD 1 ?", f"save {path}") == [f"saved in {path}"]
        assert not session.dirty
        session.handle("EEFF ?")
        assert load_notes(path) == session.notes
        other = assisting("3x4", "AAB X")
        assert told(other, f"load {path}")[2:5] == ["1  AABB: XO?", "2  C?DD: 1 ?", "3  EEFF: ?"]
        assert told(other, "undo")[1] == "1  AAB X"


@pytest.mark.parametrize("line", ["new", "load {}"])
def test_other_notes_do_not_take_the_place_of_those_in_the_file(line: str, tmp_path: Path) -> None:
    path, other = tmp_path / "notes.txt", tmp_path / "other.txt"
    other.write_text("entropeg notes 1: 3x4\nAAB X\n")
    session = assisting()
    for typed_line in ("AABB XO", f"save {path}", line.format(other), "CCC X"):
        session.handle(typed_line)

    assert load_notes(path) == Notes.of("4x6", ["AABB XO"])
    assert session.save_to is None
    assert session.dirty


def test_notes_that_are_loaded_from_their_own_file_are_kept_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notes.txt"
    monkeypatch.chdir(tmp_path)
    session = assisting()
    said = told(session, "AABB XO", f"save {path}", "load notes.txt")

    assert not any("keeps the former notes" in line for line in said)
    session.handle("CCDD X")
    assert load_notes(path) == session.notes
    assert len(session.notes.rows) == 2


@pytest.mark.parametrize("line", ["new", "load other.txt"])
def test_undo_brings_the_file_of_the_former_notes_back(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.txt").write_text("entropeg notes 1: 3x4\nAAB X\n", encoding="utf-8")
    session = assisting()
    told(session, "AABB XO", "save notes.txt", line, "undo", "CCDD X")

    assert session.save_to == "notes.txt"
    assert load_notes("notes.txt") == Notes.of("4x6", ["AABB XO", "CCDD X"])
    told(session, "undo", "undo")
    assert session.save_to == "notes.txt"  # rows that are taken back leave the file as it is
    assert not load_notes("notes.txt").rows


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("dear all")

    assert "exists already" in told(assisting("4x6", "AABB XO"), f"save {path}")[0]
    assert path.read_text() == "dear all"


def test_at_the_end_notes_without_a_file_are_printed_and_can_be_loaded(tmp_path: Path) -> None:
    shown = typed("assist", "4x6", lines="AABB XO\nCC?D 1 ?\nCCDD\n").stdout
    path = tmp_path / "notes.txt"
    path.write_text(shown.partition("continues them:\n\n")[2])

    assert load_notes(path) == Notes.of("4x6", ["AABB XO", "CC?D 1 ?"])
    assert "2  CC?D: 1 ?" in typed("assist", "--load", str(path), lines="quit\n").stdout


def test_with_save_every_row_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    result = typed("assist", "4x6", "--save", str(path), lines="AABB XO\nCCDD X\nundo\n")

    assert f"The notes are saved in {path}; entropeg assist --load {path} continues them." in result.stdout
    assert load_notes(path) == Notes.of("4x6", ["AABB XO"])


def test_json_holds_the_notes_and_the_talk_goes_to_standard_error() -> None:
    result = typed("assist", "4x6", "--json", lines="AABB XO\n")

    assert json.loads(result.stdout) == {"format": "entropeg notes 1", "rules": "4x6", "rows": ["AABB XO"]}
    assert "208 codes are left" in result.stderr


def test_rules_and_a_file_exclude_each_other(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text(notes_to_text(Notes.of("4x6", ["AABB XO"])))
    result = typed("assist", "3x4", "--load", str(tmp_path / "notes"))

    assert result.exit_code == 2
    assert "RULES and --load exclude each other" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_an_interruption_prints_the_notes(number: signal.Signals) -> None:
    code, rest = interrupted_at(["assist"], "AABB XO\n", "208 codes", number)

    assert code == 128 + number
    assert rest.endswith("entropeg notes 1: 4x6\nAABB XO\n")


# ------------------------------------------------------------------ a real terminal


def test_on_a_terminal_a_row_is_put_back_on_the_line_and_changed_there() -> None:
    terminal = Terminal("assist", NO_COLOR="1")
    terminal.until("row 1> ")
    terminal.type("aabb xo\n")
    terminal.until("row 2> ")
    terminal.type("edit\n")
    terminal.until("row 1> aabb xo")
    terminal.type("o\n")
    changed = terminal.until("row 2> ")
    time.sleep(0.2)
    terminal.type("\x03")
    terminal.until("AABB XOO")

    assert "1  AABB XOO" in changed

    assert terminal.exit_code() == INTERRUPTED


# ------------------------------------------------------------------ whatever is typed

WORDS = [
    "AABB XO",
    "CCDD X",
    "ccde oo",
    "EEFF -",
    "AA?B 1 ?",
    "AABB ?",
    "? XO",
    "XO AABB",
    "FFEE XXXX",
    "AABB",
    "XO",
    "hint",
    "advice",
    "advice 2",
    "left",
    "board",
    "undo",
    "edit",
    "edit 1",
    "edit 2 CCDD X",
    "edit 9",
    "delete 1",
    "delete",
    "mend",
    "mend 1",
    "mend 2",
    "afterwards",
    "live",
    "new",
    "help",
    "?",
    "why ABCD",
    "why",
    "row AABB X",
    "\x00",
    "é",
    "1 1",
    "2. CCEE: 1b",
    "AABB 9 9",
    "AABB ≥1 ?",
    "🔴🔵 X",
    "new 3x3",
    "AAB X",
    "aab o",
    "quit now",
    "save",
    "load",
    "players x",
]


@pytest.mark.parametrize("seed", range(3))
def test_no_text_whatever_makes_a_session_fail_or_lose_a_row(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # `save` and a word that follows it write a file here
    draw = Random(seed)
    session = assisting(draw.choice(["4x6", "3x4", "4x4/positional", "3x6/no-repeats"]))
    for _ in range(120):
        line = " ".join(draw.choice(WORDS) for _ in range(draw.choice((1, 1, 1, 1, 2))))
        before, undone = session.notes, len(session._earlier)
        session.handle(line)
        if session.notes is not before and len(session._earlier) > undone:
            assert session._earlier[-1].notes is before
        elif session.notes is not before:
            assert line.split()[0] == "undo"
    session.save(str(tmp_path / "notes.txt"))

    assert load_notes(tmp_path / "notes.txt") == session.notes


@pytest.mark.parametrize("board", ["4x6", "4x6/names", "8x30", "4x10/no-repeats"])
@pytest.mark.parametrize("columns", [80, 40])
def test_a_session_fits_its_terminal(board: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from io import StringIO

    class Screenful(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    rules = Rules.parse(board)
    first = format_code(tuple(range(rules.pegs)), rules)
    session, stream = AssistSession(Notes.of(rules), seconds=0.5), Screenful()
    screen = Screen(stream, rules)
    screen.show(session.start())
    lines = ["help", f"{first}: X", f"{first}: XX", "mend", "undo", "left", "board", "xyz", "edit"]
    for line in [*lines, "", *(["hint", "hint", "hint", "advice", f"why {first}"] if board == "4x6" else [])]:
        screen.show(session.handle(line))

    assert [] == [line for line in stream.getvalue().splitlines() if len(line) > columns]


def test_the_position_of_complete_notes_is_advised_on_alike() -> None:
    rows = ["AAB X", "ACC X"]

    assert advise(Notes.of("3x4", rows)).guesses == advise(Position("3x4", rows)).guesses
