"""The command line as a program: what is typed, what comes out on which stream, with which exit code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import __version__, cli
from entropeg.cli.commands import listing
from entropeg.cli.commands.arena import split_specs
from entropeg.cli.completion import RULE_OPTIONS
from entropeg.cli.terminal import bars
from entropeg.durations import duration
from entropeg.errors import EntropegError, InputError
from entropeg.executors import Executor
from entropeg.game import load_game
from entropeg.rules import Rules
from entropeg.sessions.assisting import AssistSession
from entropeg.sessions.breaking import BreakSession
from entropeg.sessions.exploring import ExploreSession
from entropeg.sessions.playing import PlaySession
from entropeg.sessions.several import SeveralSession
from entropeg.sessions.training import TrainSession
from entropeg.sessions.typed import OTHER_WORDS
from entropeg.signals import INTERRUPTED
from entropeg.svg import palette
from entropeg.told import Told

ESCAPE = "\x1b["
PROGRAM = [sys.executable, "-m", "entropeg"]


def typed(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")


def program(*arguments: str, lines: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], input=lines, check=False, capture_output=True, text=True, timeout=300, **options
    )


# ------------------------------------------------------------------ the command itself


def test_help_names_every_command_and_imports_none_of_them() -> None:
    code = (
        "import sys\nfrom entropeg.__main__ import main\nsys.argv = ['entropeg', '--help']\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert not stop.code\n"
        "print('LOADED', *sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    shown, _, loaded = output.partition("LOADED")

    assert all(re.search(rf"^  {name} +\S", shown, re.MULTILINE) for name in cli.COMMANDS)
    assert {"numpy", "numba", "matplotlib", "rich", "entropeg.cli.commands.sessions"} & set(loaded.split()) == set()


def test_help_has_a_heading_for_what_commands_are_for() -> None:
    shown = typed("--help").output.partition("--help")[2]
    found = {part.splitlines()[0]: re.findall(r"^  ([a-z-]+) ", part, re.MULTILINE) for part in shown.split("\n\n")[1:]}

    assert {f"{heading}:": list(rows) for heading, rows in cli.GROUPS.items()} == found
    assert sum(map(len, cli.GROUPS.values())) == len(cli.COMMANDS)


def test_other_words_are_for_commands_that_there_are() -> None:
    sessions = (PlaySession, BreakSession, AssistSession, ExploreSession, TrainSession, SeveralSession)
    known = {"--help", *cli.COMMANDS, *(word for each in sessions for word in (*each.commands, *each.foreign))}

    assert set() == set(OTHER_WORDS) - known


def test_ctrl_c_while_the_modules_are_read_is_quiet() -> None:
    code = (
        "import sys\nfrom entropeg.__main__ import main\n"
        "class Stopped:\n    def find_spec(self, name, *_):\n        raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stopped())\nmain()"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)

    assert (ended.returncode, ended.stdout, ended.stderr) == (INTERRUPTED, "", "")


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_of_the_table_exists_under_its_name(name: str) -> None:
    result = typed(name, "--help")

    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: entropeg {name} ")


@pytest.mark.parametrize("name", ["play", "break", "score", "list", "arena", "report"])
def test_a_command_that_prints_results_takes_json_and_explains_itself_in_the_words_of_the_table(name: str) -> None:
    shown = " ".join(typed(name, "--help").output.split())

    assert cli.COMMANDS[name][1] in shown
    assert "--json" in shown


@pytest.mark.parametrize(
    ("board", "limit"), [("4x6", "12"), ("8x12", "12"), ("20x20", "12"), ("4x6/limit=7", "7"), ("super", "12")]
)
def test_a_game_at_the_prompt_has_twelve_guesses_unless_the_rules_say_otherwise(board: str, limit: str) -> None:
    shown = typed("play", "--rules", board, "--seed", "1").stdout

    assert f"/limit={limit}: " in shown
    assert f", {limit} guesses." in shown
    assert (board == "20x20") == ("are few for this one" in shown)


@pytest.mark.parametrize("option", ["none", "30"])
def test_a_limit_that_was_asked_for_is_not_called_few(option: str) -> None:
    shown = typed("play", "--rules", "20x20", "--seed", "1", "--limit", option).stdout

    assert "few" not in shown
    assert (option == "none") == ("limit" not in shown)


def test_without_a_command_the_help_is_shown() -> None:
    result = typed()

    assert result.exit_code == 0
    assert result.output == typed("--help").output


def test_the_version_is_that_of_the_package() -> None:
    assert typed("--version").output.split()[-1] == __version__


def test_a_line_in_the_table_adds_a_command() -> None:
    table = {"Play": {"answer": ("entropeg.cli.commands.score:command", "Answer a guess.")}}
    group = cli.LazyGroup(name="lab", table=table)

    assert "XO" in CliRunner().invoke(group, ["answer", "AABB", "ABCD"]).output
    assert "Answer a guess." in CliRunner().invoke(group, ["--help"]).output


# ------------------------------------------------------------------ wrong input: one sentence, exit code 2

WRONG = {
    "code too short": (["score", "AAB", "ABCD"], "'AAB' has 3 pegs"),
    "code too long": (["score", "AABBC", "ABCD"], "'AABBC' has 5 pegs"),
    "unknown letter": (["score", "AABB", "ABCX"], "peg 4 is 'X', which is not a color"),
    "no pegs": (["play", "--rules", "0x6"], "0x6 has 0 pegs"),
    "no colors": (["break", "--rules", "4x0"], "4x0 has 0 colors"),
    "too few colors": (["play", "--rules", "6x4/no-repeats"], "6x4 without repeats has no code"),
    "not a board": (["arena", "random", "honest", "--rules", "large"], "'large' is not a board"),
    "unknown option of rules": (["play", "--rules", "4x6/blaks"], "'blaks' is not an option of the rules"),
    "secret with a repeat": (["score", "ABCD", "AABC", "--rules", "4x6/no-repeats"], "uses A twice"),
    "secret with a hole": (["score", "AABB", "AAB.", "--rules", "4x6/blanks"], "leaves peg 4 blank"),
    "secret of the codemaker": (["play", "--codemaker", "honest:ABCX"], "peg 4 is 'X'"),
    "unknown codemaker": (["play", "--codemaker", "chaet"], "did you mean cheat"),
    "unknown codebreaker": (["break", "--codebreaker", "consistant"], "did you mean consistent"),
    "unknown codebreaker in a list": (["arena", "random,consistant", "honest"], "did you mean consistent"),
    "unknown parameter": (["play", "--codemaker", "cheat:tise=first"], "'tise=first' is not a parameter"),
    "unknown command": (["paly"], "did you mean play"),
    "another word for a command": (["hint"], "did you mean advise?"),
    "another word for several": (["solve"], "did you mean break, advise or optimal?"),
    "a French word for a prompt": (["conseil"], "did you mean advise?"),
    "help as a command": (["help"], "did you mean --help?"),
    "a guess with an answer": (["score", "AABB", "ABCD XO"], "'ABCD XO' is a guess with its answer: give ABCD alone"),
    "unknown option": (["play", "--rulse", "4x6"], "--rules"),
    "missing argument": (["score", "AABB"], "SECRET"),
    "limit": (["play", "--limit", "0"], "the limit is '0'"),
    "seed": (["play", "--seed", "-1"], "--seed"),
    "no such file": (["play", "--load", "/nowhere/game.txt"], "/nowhere/game.txt cannot be read"),
    "a folder": (["break", "--load", "/"], "/ is a folder: name a file in it"),
    "no folder to save in": (["play", "--save", "/nowhere/game.txt"], "there is no folder /nowhere"),
    "board too large": (
        ["break", "--rules", "12x20", "--codebreaker", "entropy"],
        "too many to list them all; `auto` picks",
    ),
    "both plans": (["arena", "random", "honest", "--games", "5", "--all-secrets"], "exclude each other"),
    "nobody": (["arena", ",", "honest"], "names no player"),
    "what to list": (["list", "everything"], "codebreakers"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_wrong_input_is_answered_in_one_sentence_with_exit_code_2(arguments: list[str], said: str) -> None:
    result = typed(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("entropeg: ")
    assert said in result.stderr


@pytest.mark.parametrize("content", [b"dear all\n", b"{}", b'{"format": "entropeg game 1"}', b"{", b"\xff\xfe", b""])
def test_a_foreign_file_is_refused_by_name_and_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "foreign"
    path.write_bytes(content)
    result = typed("play", "--load", str(path))

    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert str(path) in result.stderr
    assert path.read_bytes() == content


def test_a_saved_game_brings_its_rules() -> None:
    result = typed("play", "--load", "game.txt", "--rules", "4x6")

    assert result.exit_code == 2
    assert "exclude each other" in result.stderr


def test_a_file_is_not_overwritten_by_a_new_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("precious")
    result = typed("play", "--save", str(path), lines="AABB\n")

    assert result.exit_code == 2
    assert "exists already" in result.stderr
    assert path.read_text() == "precious"


def test_an_unexpected_exception_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("entropeg.cli.commands.score.answer", broken)

    assert isinstance(typed("score", "AABB", "ABCD").exception, ZeroDivisionError)


# ------------------------------------------------------------------ score and list


@pytest.mark.parametrize(
    ("guess", "secret", "rules", "shown"),
    [
        ("AABB", "ABCD", "4x6", "XO  1 black, 1 white"),
        ("AABB", "CCDD", "4x6", "-  0 black, 0 white"),
        ("1234", "4321", "bulls-and-cows", "OOOO  0 black, 4 white"),
        ("AABC", "ADDA", "4x6/positional", "XO..  1 black, 1 white"),
        ("red blue", "blue-blue", "2x6/names", "X  1 black, 0 white"),
    ],
)
def test_score_answers_a_guess(guess: str, secret: str, rules: str, shown: str) -> None:
    assert typed("score", guess, secret, "--rules", rules).output == shown + "\n"


def test_score_as_json() -> None:
    standard = json.loads(typed("score", "aabb", "abcd", "--json").stdout)
    marks = json.loads(typed("score", "AABC", "ADDA", "--rules", "4x6/positional", "--json").stdout)
    counted = {"feedback": "XO", "black": 1, "white": 1}

    assert standard == {"rules": "4x6", "guess": "AABB", "secret": "ABCD", **counted}
    assert marks["marks"] == [2, 1, 0, 0]


def test_list_names_every_player_and_preset() -> None:
    listed = json.loads(typed("list", "--json").stdout)
    shown = typed("list").output

    assert set(listed) == {"codebreakers", "codemakers", "rules"}
    assert {"random", "consistent"} <= {player["name"] for player in listed["codebreakers"]}
    assert {"name": "cheat", "parameters": {"ties": "random"}}.items() <= listed["codemakers"][1].items()
    assert {"name": "classic", "rules": "4x6/limit=12", "secrets": 1296} in listed["rules"]["presets"]
    assert all(player["name"] in shown for player in listed["codebreakers"] + listed["codemakers"])


def test_list_shows_one_kind_alone() -> None:
    assert set(json.loads(typed("list", "codemakers", "--json").stdout)) == {"codemakers"}


@pytest.mark.parametrize("name", ["classic", "course", "/course", "words:english", "/blanks", "/limit=N"])
def test_list_tells_of_everything_that_it_names(name: str) -> None:
    listed = json.loads(typed("list", name, "--json").stdout)
    found = [each for part in listed["rules"].values() for each in part]
    shown = typed("list", name).stdout

    assert {"rules"} == set(listed)
    assert [name.removeprefix("words:").removeprefix("/")] == [each["name"] for each in found]
    assert shown.strip().startswith(name)


def test_a_player_that_cannot_be_loaded_does_not_hide_the_others() -> None:
    class Broken:
        names = ("good", "bad")

        def parameters(self, name: str) -> dict[str, str]:
            if name == "bad":
                raise InputError("the codebreaker 'bad' cannot be loaded: no module")
            return {}

        def summary(self, name: str) -> str:
            return f"A {name} one."

    listed = listing.players(Broken())  # type: ignore[arg-type]

    assert [player["summary"] for player in listed] == [
        "A good one.",
        "(the codebreaker 'bad' cannot be loaded: no module)",
    ]


def test_the_list_of_rule_options_is_that_of_the_rules() -> None:
    with pytest.raises(EntropegError) as refusal:
        Rules.parse("4x6/?")
    known = re.search(r"they are (.*)", str(refusal.value))

    assert known is not None
    assert set(known[1].split(", ")) == set(RULE_OPTIONS)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("4x10/no-repeats/digits", "no color twice, 5,040 secrets"),
        ("4x10/no-repeats/guess-repeats", "no color twice in the secret"),
        ("3x4/blanks", "blanks (.) in guesses, 64 secrets"),
        ("3x4/blanks-in-secrets", "blanks (.) in guesses and secrets, 125 secrets"),
        ("3x4/black", "answers in black only"),
        ("1x1", "1 peg, 1 color (A), 1 secret"),
        ("100x100", "about 10^200 secrets"),
        ("12x26", "about 10^17 secrets"),
    ],
)
def test_rules_are_described_in_words(rules: str, said: str) -> None:
    assert said in Rules.parse(rules).describe()


# ------------------------------------------------------------------ games, lines in and lines out


def test_a_whole_game_without_a_terminal_is_plain_lines() -> None:
    result = program("play", "--codemaker", "honest:ABCD", lines="aabb\nleft\nabcd\n")

    assert result.returncode == 0
    assert result.stderr == ""
    assert result.stdout.splitlines() == [
        "4x6/limit=12: 4 pegs, 6 colors (A B C D E F), 1,296 secrets, 12 guesses.",
        "Type a guess, hint, or help.",
        " 1  AABB  XO",
        "208 codes left of 1,296",
        " 2  ABCD  XXXX",
        "Found in 2 guesses.",
    ]


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ([], "4x6/limit=12"),
        (["--limit", "7"], "4x6/limit=7"),
        (["--limit", "none"], "4x6"),
        (["--rules", "5x8"], "5x8/limit=12"),
        (["--rules", "5x8/limit=3"], "5x8/limit=3"),
        (["--rules", "5x8/limit=3", "--limit", "none"], "5x8"),
    ],
)
def test_twelve_guesses_unless_said_otherwise(arguments: list[str], rules: str) -> None:
    record = json.loads(typed("play", *arguments, "--json", lines="quit\n").stdout)

    assert record["rules"] == rules


def test_with_json_only_the_record_is_on_standard_output() -> None:
    result = typed("play", "--codemaker", "honest:ABCD", "--seed", "3", "--json", lines="AABB\nABCD\n")
    record = json.loads(result.stdout)

    assert record["turns"] == [["AABB", "XO"], ["ABCD", "XXXX"]]
    assert (record["outcome"], record["secret"], record["seed"]) == ("won", "ABCD", 3)
    assert "Found in 2 guesses." in result.stderr


@pytest.mark.parametrize("ending", ["", "quit\n"])
def test_at_the_end_of_the_input_the_game_is_printed_and_can_be_loaded_again(ending: str, tmp_path: Path) -> None:
    result = typed("play", "--seed", "4", lines=f"AABB\nCCDD\n{ending}")
    _, _, text = result.stdout.partition("continues it:\n\n")
    path = tmp_path / "again.txt"
    path.write_text(text)
    again = typed("play", "--load", str(path), "--json", lines="give up\n")
    whole = typed("play", "--seed", "4", "--json", lines="AABB\nCCDD\ngive up\n")

    assert result.exit_code == 0
    assert "secret" not in text
    assert json.loads(again.stdout) == json.loads(whole.stdout)


def test_a_game_given_up_is_not_printed_to_go_on_with() -> None:
    result = typed("play", "--codemaker", "honest:ABCD", lines="AABB\ngive up\n")

    assert result.output.splitlines()[-1] == "Given up after 1 guess. The secret was ABCD."


def test_a_saved_game_is_on_disk_after_every_turn(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    command = [*PROGRAM, "play", "--seed", "4", "--save", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("AABB\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith(" 1  AABB"):
            pass
        process.stdin.write("board\n")
        process.stdin.flush()
        process.stdout.readline()
        process.kill()

    assert len(load_game(str(path)).turns) == 1


def test_a_game_goes_on_from_its_file_and_back_into_it(tmp_path: Path) -> None:
    path = str(tmp_path / "game.txt")
    first = typed("play", "--codemaker", "honest:ABCD", "--save", path, lines="AABB\n")
    second = typed("play", "--load", path, "--save", path, lines="ABCD\n")

    assert f"entropeg play --load {path} continues it" in first.output
    assert " 1  AABB  XO\n 2  ABCD  XXXX\nFound in 2 guesses.\n" in second.output
    assert load_game(path).outcome == "won"


def test_a_finished_game_is_shown_and_not_played_on(tmp_path: Path) -> None:
    path = str(tmp_path / "game.txt")
    typed("play", "--codemaker", "honest:ABCD", "--save", path, lines="ABCD\n")
    result = typed("play", "--load", path, lines="AABB\n")

    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "this game is over"


def test_the_machine_breaks_a_code_over_lines() -> None:
    result = program("break", "--codebreaker", "first-consistent", lines="-\nXX\nfoo\nXXOO\n-\nquit\n")

    assert result.returncode == 0
    assert "turn 1: I guess AAAA" in result.stdout
    assert "! 'foo' is not a feedback" in result.stderr
    assert "The game so far" in result.stdout


def test_a_contradiction_over_lines_names_the_turns_and_is_mended() -> None:
    lines = "-\n-\n-\n-\n-\n-\nleft\ncorrect 6 XXXX\nboard\n"
    result = typed("break", "--rules", "4x6", "--codebreaker", "first-consistent", lines=lines)

    assert result.exit_code == 0
    assert "! No code fits all 6 rows together, and each of them may be wrong." in result.output
    assert "row 1 (AAAA -) may be wrong: 17 %" in result.output
    assert "rows 4, 5, 6 may be wrong too" in result.output
    assert "  if all other rows are right, it got XXXX" in result.output
    assert "I found FFFF in 6 guesses." in result.output


def test_a_big_board_is_played_with_hints_that_need_no_list() -> None:
    result = typed("play", "--rules", "30x40", "--seed", "1", lines="hint\nleft\ngive up\n")

    assert result.exit_code == 0
    assert "Try " in result.output
    assert result.output.count("a sample of") == 1
    assert "The secret was" in result.output


def test_bytes_that_are_no_text_are_refused_and_the_game_goes_on() -> None:
    result = subprocess.run(
        [*PROGRAM, "play", "--codemaker", "honest:ABCD"], input=b"\xff\xfe\nABCD\n", check=False, capture_output=True
    )

    assert result.returncode == 0
    assert b"Found in 1 guess." in result.stdout


def test_an_output_that_knows_ascii_only_gets_ascii() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    result = program("play", "--codemaker", "honest:ABCD", lines="●○\nABCD\n", env=environment)

    assert result.returncode == 0
    assert result.stdout.isascii()


# ------------------------------------------------------------------ colors


def test_ink_can_be_read_on_every_peg() -> None:
    papers = [*palette.SIX, *palette.EIGHT, *palette.TEN, *palette.MANY, *palette.NAMED.values(), palette.BLANK]

    assert min(palette.contrast(palette.ink(paper), paper) for paper in papers) >= 4.5


@pytest.mark.parametrize("rules", ["4x6", "4x8", "4x9", "4x26", "4x24/names", "4x8/course"])
def test_no_two_pegs_of_a_board_look_alike(rules: str) -> None:
    board = Rules.parse(rules)
    colors = [palette.peg_color(color, board) for color in range(board.colors)]
    apart = [sum(abs(x - y) for x, y in zip(a, b, strict=True)) for a in colors for b in colors if a < b]

    assert len(set(colors)) == board.colors
    assert min(apart) >= 40


def test_letters_of_the_course_have_the_colors_they_stand_for() -> None:
    course = Rules.parse("course")

    assert palette.peg_color(0, course) == palette.NAMED["red"]
    assert palette.peg_color(2, course) == palette.NAMED["blue"]


def test_past_26_colors_the_palette_starts_again() -> None:
    rules = Rules.parse("4x40")

    assert palette.peg_color(26, rules) == palette.peg_color(0, rules)


# ------------------------------------------------------------------ the arena's arguments and tables


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("random", ["random"]),
        ("random,memory", ["random", "memory"]),
        ("minimax:ties=knuth,x=1,random", ["minimax:ties=knuth,x=1", "random"]),
        ("minimax:ties=knuth,minimax:ties=first", ["minimax:ties=knuth", "minimax:ties=first"]),
        ("honest:ABCD,honest:AABB,cheat:first", ["honest:ABCD", "honest:AABB", "cheat:first"]),
        ("a:b=1, c=2 , d", ["a:b=1, c=2", "d"]),
        ("./mine.py:Breaker,random", ["./mine.py:Breaker", "random"]),
        (",", []),
    ],
)
def test_a_list_of_players_is_split_between_players_only(text: str, specs: list[str]) -> None:
    assert split_specs(text) == specs


def test_a_histogram_of_many_values_keeps_every_game_and_stays_short() -> None:
    drawn = bars({1: 1, 4096: 1000, 30000: 1})

    assert len(drawn) <= 16
    assert drawn[0] == drawn[-1] == "▁"
    assert "█" in drawn
    assert bars({}) == ""


def test_times_have_a_unit_that_fits() -> None:
    assert [duration(seconds) for seconds in (4321.0, 2.5, 0.9996, 0.0025, 0.0000025, 2.5e-9)] == [
        "4,320 s",
        "2.5 s",
        "1 s",
        "2.5 ms",
        "2.5 µs",
        "2.5 ns",
    ]


# ------------------------------------------------------------------ the documentation

PAGE = (Path(__file__).parents[2] / "docs" / "lookup" / "command-line.md").read_text(encoding="utf-8")


def test_the_documentation_names_every_key_of_the_data() -> None:
    record = json.loads(typed("play", "--json", lines="quit\n").stdout)
    listed = json.loads(typed("list", "--json").stdout)

    assert [key for key in (*record, *listed, *listed["codemakers"][0]) if f"`{key}`" not in PAGE] == []


# ------------------------------------------------------------------ report


def test_report_says_where_its_page_is(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def written(rules: Rules, games: int, out: str, **options: object) -> Path:
        asked.extend([str(rules), games, out, options])
        return Path(out) / "report.html"

    monkeypatch.setattr("entropeg.report.report", written)
    result = typed(
        "report", "--rules", "3x4", "--games", "20", "--out", "there", "--jobs", "2", "--also", "a", "--json"
    )

    *positional, options = asked
    assert positional == ["3x4", 20, "there"]
    assert callable(options.pop("progress"))
    assert callable(options.pop("told"))
    assert options == {"seed": 0, "also": ("a",), "against": (), "executor": Executor(count=2), "time": None}
    assert json.loads(result.stdout) == {"page": "there/report.html"}


def test_what_a_report_will_take_is_told_on_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(*_: object, told: Callable[[str], object], time: float, **__: object) -> Path:
        told(Told("no game was finished in the time"))
        return Path(str(time))

    monkeypatch.setattr("entropeg.report.report", told)
    result = typed("report", "--time", "2.5")

    assert (0, "The report is in 2.5\n") == (result.exit_code, result.stdout)
    assert "entropeg: no game was finished in the time\n" == result.stderr


@pytest.mark.parametrize("time", ["-1", "soon", "nan"])
def test_a_report_refuses_a_time_that_is_none(time: str) -> None:
    result = typed("report", "--time", time)

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1


def test_an_interrupted_report_says_that_its_games_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr("entropeg.report.report", interrupted)
    result = typed("report", "--out", "there")

    assert result.exit_code == INTERRUPTED
    assert "the games played are kept in there" in result.stderr
