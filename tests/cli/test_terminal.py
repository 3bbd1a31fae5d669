"""What commands say fits a terminal of 80 columns: no line is longer, and no word is broken."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from time import sleep

import click
import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.cli import terminal
from entropeg.cli.screen import Screen
from entropeg.cli.terminal import columns, folded, heading, shortened
from entropeg.codemakers import get
from entropeg.experiments.runner import arena
from entropeg.rules import Rules
from entropeg.sessions.breaking import BreakSession, find_codebreaker
from entropeg.sessions.dialog import Session
from entropeg.sessions.playing import PlaySession

EXAMPLES = Path(__file__).parents[2] / "examples" / "classroom"
NARROW = 80


def commands(group: click.Group, *before: str) -> Iterator[list[str]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        yield [*before, name]
        if isinstance(command, click.Group):
            yield from commands(command, *before, name)


def typed(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg")


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every stream a terminal of 80 columns."""
    monkeypatch.setattr(terminal, "width", lambda _=None: NARROW)
    monkeypatch.setattr("entropeg.cli.screen.width", lambda _=None: NARROW)
    monkeypatch.setattr("entropeg.cli.commands.listing.width", lambda _=None: NARROW)


def words(text: str) -> list[str]:
    return text.split()


@pytest.mark.parametrize("command", [[], *commands(cli.group)], ids=" ".join)
def test_help_fits_eighty_columns(command: list[str]) -> None:
    help_text = typed(*command, "--help").stdout

    assert [] == [line for line in help_text.splitlines() if len(line) > NARROW]


COURSE = str(EXAMPLES / "codebreaker2.py")
SHOWN = {
    "list": ["list"],
    "list codebreakers": ["list", "codebreakers"],
    "list codemakers": ["list", "codemakers"],
    "list rules": ["list", "rules"],
    "list minimax": ["list", "minimax"],
    "list evolutionary": ["list", "evolutionary"],
    "bounds 4x6": ["bounds", "4x6"],
    "bounds 1000x1000": ["bounds", "1000x1000"],
    "score": ["score", "AABB", "ABCD"],
    "candidates": ["candidates", "4x6"],
    "candidates of a large board": ["candidates", "8x12", "ABCDEFGH XXOO"],
    "decode": ["decode", "4x26", "ABCD XXX", "ABCE XXX"],
    "compare": ["compare", "4x6", "--also", "consistent"],
    "force": ["force", "minimax,entropy", "--rules", "3x4"],
    "arena": [
        "arena",
        "consistent,minimax:ties=knuth,opening=AABC",
        "honest,cheat:first",
        "--games",
        "20",
        "--jobs",
        "1",
    ],
    "arena of a path": ["arena", COURSE, "honest", "--games", "2", "--rules", "3x4/course", "--jobs", "1"],
    "tree build": ["tree", "build", "entropy:win=yes", "4x6"],
    "tree openings": ["tree", "openings", "minimax", "3x4"],
    "optimal": ["optimal", "3x4"],
    "optimal out of reach": ["optimal", "7x8"],
    "classroom run": ["classroom", "run", COURSE, "--games", "3", "--rules", "3x4/course"],
    "an error": ["play", "--rules", "4x6/blaks"],
    "an error about players": ["force", "nobody"],
}


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("arguments", SHOWN.values(), ids=SHOWN.keys())
def test_output_fits_a_terminal_of_eighty_columns_and_breaks_no_word(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    narrow = click.unstyle(typed(*arguments).output)
    monkeypatch.setattr(terminal, "width", lambda _=None: None)
    wide = typed(*arguments).output

    assert [] == [line for line in narrow.splitlines() if len(line) > NARROW]
    # Times differ from run to run, bars may be set apart, and of a long path the end is left.
    strange = {word for word in set(words(narrow)) - set(words(wide)) if not re.search(r"\d|[▁-█]|^\.\.\.|µs|ms", word)}
    assert set() == strange


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("section", ["codebreakers", "codemakers", "rules", None])
def test_each_section_of_the_list_fits_a_screen_and_a_prompt(section: str | None) -> None:
    shown = typed("list", *([section] if section else [])).stdout

    assert len(shown.splitlines()) <= 23
    assert "document" not in shown


def test_headings_are_bold_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = heading("rules")
    monkeypatch.setattr(terminal, "width", lambda _=None: NARROW)
    bold = heading("rules")
    monkeypatch.setenv("NO_COLOR", "1")

    assert ["rules", "\x1b[1mrules\x1b[0m", "rules"] == [plain, bold, heading("rules")]


class Terminal(io.StringIO):
    """A stream that somebody sees."""

    def isatty(self) -> bool:
        return True


def said(session: Session, *lines: str) -> list[str]:
    stream = Terminal()
    screen = Screen(stream, session.rules)
    screen.show(session.start())
    for line in lines:
        screen.show(session.handle(line))
    return click.unstyle(stream.getvalue()).splitlines()


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("board", ["4x6", "grand", "20x20", "4x6/names", "4x30"])
@pytest.mark.parametrize("colors", ["NO_COLOR", "FORCE_COLOR"])
def test_a_game_at_the_prompt_fits_eighty_columns(board: str, colors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(colors, "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    rules = Rules.parse(board).with_limit(12)
    session = PlaySession(rules, get("honest"), 1)
    shown = said(session, "help", "x", "hnit", "hint", "left", "board", "undo", "correct 1 X", "save /nowhere/x.txt")

    assert [] == [line for line in shown if len(line) > NARROW]


@pytest.mark.usefixtures("narrow")
def test_a_contradiction_fits_eighty_columns() -> None:
    session = BreakSession(Rules(), find_codebreaker("first-consistent"), 1)
    shown = said(session, "help", "-", "X", "1b2w", "-", "correct 9 X", "left")

    assert [] == [line for line in shown if len(line) > NARROW]
    assert any(line.startswith("! No code fits rows 2") for line in shown)


def test_a_fold_keeps_words_and_sets_lists_in() -> None:
    text = "[R] recomputed with a public program that many people use\n    AAAA AAAB AAAC AAAD AAAE"

    assert [
        "[R] recomputed with a",
        "    public program",
        "    that many people",
        "    use",
        "    AAAA AAAB AAAC",
        "    AAAD AAAE",
    ] == folded(text, 22).splitlines()
    assert words(text) == words(folded(text, 30))


def test_a_word_longer_than_the_terminal_is_left_whole() -> None:
    assert "a\n" + "x" * 50 + "\nb" == folded("a " + "x" * 50 + " b", 20)


def test_ctrl_c_while_the_machine_begins_to_think_leaves_no_cursor_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Timer):
        def start(self) -> None:
            super().start()
            sleep(0.05)  # until it says that it thinks
            raise KeyboardInterrupt

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("entropeg.cli.screen.Timer", Interrupted)
    monkeypatch.setattr("entropeg.cli.screen.MOMENT", 0.0)
    shown = Terminal()

    with pytest.raises(KeyboardInterrupt), Screen(shown, Rules()).busy():
        pass

    assert shown.getvalue().count("\x1b[?25l") == shown.getvalue().count("\x1b[?25h")


def test_what_is_said_of_an_interrupted_arena_fits(narrow: None, monkeypatch: pytest.MonkeyPatch) -> None:
    played = arena("consistent", "honest", "2x3", games=5)
    monkeypatch.setattr("entropeg.cli.commands.arena._play", lambda *_: (played, "interrupted"))

    said = typed("arena", "consistent", "honest", "--rules", "2x3", "--games", "5").stderr.splitlines()

    assert said[0].startswith("entropeg: interrupted after 5 of ")
    assert [] == [line for line in said if len(line) > NARROW]


def test_a_path_is_shortened_between_its_folders() -> None:
    assert ".../course/breaker.py" == shortened("/home/anna/course/breaker.py", 24)
    assert "short.py" == shortened("short.py", 24)


def test_a_table_that_is_too_wide_sets_its_names_above_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["player", "games", "mean"], ["a-player-of-some-length", "1,000", "5.43"], ["b", "20", "5.5"]]
    monkeypatch.setattr(terminal, "width", lambda _=None: 30)

    assert "player\n  games  mean\na-player-of-some-length\n  1,000  5.43\nb\n     20   5.5" == columns(
        rows, "<>>", names=1
    )


def test_a_table_whose_last_column_is_text_folds_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["mean", "5.4", "the mean of all the games that were played by both"]]
    monkeypatch.setattr(terminal, "width", lambda _=None: 40)

    assert "mean  5.4  the mean of all the games\n           that were played by both" == columns(rows, "<><")
