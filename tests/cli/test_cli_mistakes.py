"""What newcomers get wrong is answered in a sentence, before any work, and nothing that was done is lost."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.classroom import series
from entropeg.cli.commands.compare import draw
from entropeg.codebreakers import get
from entropeg.engine.server import serve
from entropeg.engine.wire import read_rules
from entropeg.errors import InputError, TooLargeError
from entropeg.experiments.runner import arena
from entropeg.game import load_game
from entropeg.position import parse_turn
from entropeg.rules import Rules
from entropeg.sessions.breaking import BreakSession
from entropeg.tree import StrategyTree

PROGRAM = f"{sys.executable} -m entropeg"
EXAMPLES = Path(__file__).parents[2] / "examples" / "classroom"


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, arguments, prog_name="entropeg")


WRONG = {
    "every secret of a board too large": (
        ["arena", "consistent", "honest", "--rules", "20x20", "--all-secrets"],
        "20x20 has about 10^26 secrets: one run plays 100,000,000 games at most",
    ),
    "too many games": (
        ["arena", "consistent", "honest", "--games", "1000000000000"],
        "1,000,000,000,000 games were asked for; one run plays 100,000,000 at most",
    ),
    "no number of games": (["arena", "consistent", "honest", "--games", "x"], "'x' is not a whole number"),
    "no games": (["arena", "consistent", "honest", "--games", "0"], "0 is too small: it is at least 1"),
    "more codes than can be listed": (
        ["candidates", "100x100", "--limit", str(10**26)],
        "so many codes of 100x100 are too many to list: ask for 1,000,000 at most",
    ),
    "no time": (["candidates", "4x6", "ABCD X", "--prove", "x"], "'x' is not a number"),
    "no number as a time": (["candidates", "4x6", "ABCD X", "--prove", "nan"], "it must be more than 0"),
    "nobody to force": (["force", ""], "names no player"),
    "a peg too few": (["score", "A", "ABCD"], "'A' has 1 peg; a code of 4x6 has 4"),
    "a secret that a turn excludes": (
        ["decode", "4x6", "ABCD XX", "--secret", "FFFF"],
        "the secret FFFF does not fit turn 1 (ABCD XX): it would answer -",
    ),
    "a figure without a folder": (["bounds", "--figure", "/nowhere/f.svg"], "there is no folder /nowhere"),
    "a page without a folder": (["classroom", "check", ".", "--html", "/nowhere/f.html"], "no folder /nowhere"),
    "a guess without its answer": (["candidates", "4x6", "A B C D"], "is not a guess and its feedback"),
    "a guess with spaces and a wrong answer": (["candidates", "4x6", "A B C D Q"], "'Q' is not a feedback"),
    "a limit without end": (
        ["arena", "random", "honest", "--limit", "1" + "0" * 26],
        "a whole number from 1 to 2147483647",
    ),
    "a limit in the rules without end": (
        ["force", "minimax", "--rules", f"2x2/limit={'9' * 5000}"],
        "the guess limit is",
    ),
    "a limit of the rules beyond four bytes": (["force", "minimax", "--rules", "2x2/limit=2147483648"], "guess limit"),
    "an unknown word of a group": (["tree", "biuld"], "there is no command 'biuld': did you mean build?"),
    "an unknown word of the classroom": (["classroom", "tournment"], "did you mean tournament?"),
    "a picture that is none": (
        ["tree", "draw", "a.tree", "a.json"],
        "a.json is no picture of a tree: end it in .svg, .mmd or",
    ),
    "a tree without a name": (["tree", "draw", "."], ". is a folder: name a file in it"),
    "a tree at the root": (["tree", "draw", "/"], "/ is a folder: name a file in it"),
    "a picture without a name": (
        ["tree", "draw", "a.tree", ".."],
        ".. is no picture of a tree: end it in .svg, .mmd or",
    ),
    "a tree to be written without a name": (["tree", "build", "minimax", "2x2", "--out", "."], ". does not say its"),
    "a word without end": (["tree", "x" * 5000], "there is no command 'xxx"),
    "a line in a word": (["tree", "a\nb\x1b[31m"], r"no command 'a\nb\x1b[31m'"),
    "a hole": (["score", "AAB.", "ABCD"], "which 4x6 does not allow in a guess: 4x6/blanks does"),
    "a hole in a secret": (["score", "AABB", "AAB."], "does not allow in a secret: 4x6/blanks-in-secrets does"),
}


@pytest.mark.parametrize(("arguments", "said"), WRONG.values(), ids=WRONG.keys())
def test_a_mistake_is_answered_in_one_sentence_with_exit_code_2(arguments: list[str], said: str) -> None:
    result = typed(*arguments)

    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert len(result.stderr) < 400
    assert said in result.stderr


@pytest.mark.parametrize("number", ["1000000000", "-1", "0", "9" * 5000, "1.5", "x"])
@pytest.mark.parametrize("name", ["pegs", "colors", "limit", "seed"])
def test_the_engine_answers_numbers_that_cannot_be_and_goes_on(name: str, number: str) -> None:
    said: list[str] = []
    numbers = {"pegs": "2", "colors": "2", "limit": "12", "seed": "1"} | {name: number}
    words = " ".join(f"{key}={value}" for key, value in numbers.items())
    serve([f"new codebreaker {words}", "new codebreaker pegs=2 colors=2", "go"], said.append, "parts", "honest")

    assert [] == [line for line in said if len(line) > 400]
    assert ["guess 0 0", "guess 0 1"].count(said[-1]) == 1
    assert said[:-1] == [] or (len(said) == 2 and said[0].startswith("error "))


def test_the_largest_limit_is_one_that_games_can_have() -> None:
    result = typed("arena", "consistent", "honest", "--rules", "2x2", "--games", "3", "--limit", "2147483647", "--json")

    assert result.exit_code == 0
    assert json.loads(result.stdout)["rules"] == "2x2/limit=2147483647"


def test_a_tree_is_drawn_beside_its_file_and_not_read_from_the_picture(tree_file: Path) -> None:
    result = typed("tree", "draw", str(tree_file))
    drawn = tree_file.with_suffix(".svg")

    assert result.stdout == f"The tree is drawn in {drawn}\n"
    assert drawn.read_text().startswith("<svg")
    with pytest.raises(
        InputError, match="it is a picture, and trees are not read from pictures; read are the trees of"
    ):
        StrategyTree.load(drawn)
    assert "it is a picture" in typed("tree", "draw", str(drawn)).stderr
    tree_file.rename(drawn)
    assert "is a picture already" in typed("tree", "draw", str(drawn)).stderr


def test_too_many_games_are_refused_in_python_too() -> None:
    with pytest.raises(TooLargeError, match="at most"):
        arena("consistent", "honest", Rules.parse("20x20"), all_secrets=True)


@pytest.mark.parametrize("spelled", ["AABB XO", "a a b b XO", " A A  B B 1 1", "AABB 1 1"])
def test_a_turn_may_be_written_with_spaces(spelled: str) -> None:
    assert parse_turn("AABB 1b1w", Rules()) == parse_turn(spelled, Rules())


def test_a_turn_may_be_written_in_names_of_colors() -> None:
    names = Rules.parse("4x6/names")

    assert (0, 0, 1, 2) == parse_turn("red red green blue XO", names).guess


def test_what_is_known_of_a_board_with_shapes_is_said() -> None:
    assert typed("bounds", "grand").stdout.startswith("4x25/shapes=5/limit=10: 390,625 codes")


@pytest.mark.parametrize("command", ["play --seed 3", "break --codebreaker first-consistent", "engine"])
def test_a_closed_input_ends_a_conversation_quietly(command: str) -> None:
    ended = subprocess.run(["sh", "-c", f"{PROGRAM} {command} <&-"], capture_output=True, check=False, text=True)

    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_closed_output_is_no_error_and_a_mistake_keeps_its_exit_code_without_a_voice() -> None:
    shown = subprocess.run(["sh", "-c", f"{PROGRAM} score AABB ABCD >&-"], capture_output=True, check=False, text=True)
    wrong = subprocess.run(["sh", "-c", f"{PROGRAM} score AABB ABC 2>&-"], capture_output=True, check=False, text=True)

    assert (shown.returncode, shown.stderr) == (0, "")
    assert (wrong.returncode, wrong.stdout) == (2, "")


@pytest.fixture
def tree_file(tmp_path: Path) -> Path:
    path = tmp_path / "m.tree"
    StrategyTree.build("first-consistent", Rules.parse("3x3")).save(path)
    return path


def test_the_answer_that_ends_the_game_is_not_said_to_be_impossible(tree_file: Path) -> None:
    result = typed("tree", "show", str(tree_file), "XXX")

    assert result.exit_code == 2
    assert "guess AAA, XXX is the end of the game" in result.stderr


def test_a_file_in_the_way_of_the_folder_of_trees_is_told_before_any_game(tree_file: Path) -> None:
    result = typed("compare", "4x4", "--keep", str(tree_file))

    assert result.exit_code == 2
    assert f"{tree_file} is a file: name a folder" in result.stderr


def test_a_player_of_a_thousand_guesses_leaves_the_table_narrow_and_the_figure_readable(tmp_path: Path) -> None:
    rows = [{"codebreaker": "x", "rules": "4x4", "mean": 2.0, "worst": 1000, "histogram": [0, 1] + [0] * 997 + [1]}]
    draw(rows, tmp_path / "f.svg")
    table = typed("compare", "3x4", "--also", "random").stdout

    assert max(map(len, table.splitlines())) < 120
    assert len((tmp_path / "f.svg").read_bytes()) < 500_000


UNKNOWN = "is refused: it is no proof of a lower bound that this program reads (entropeg lower bound 4, or 1 to 3)"
FOREIGN = {
    "binary": (b"\x80\xfe", "is not a text file: line 1, byte 0 is not UTF-8"),
    "empty": (b"", "is no proof: it is empty"),
    "a list": (b"[1]", UNKNOWN),
    "cut short": (gzip.compress(b"{}" * 99)[:20], "is no proof: what is packed in it is cut short"),
}


@pytest.mark.parametrize(("content", "told"), FOREIGN.values(), ids=FOREIGN.keys())
def test_what_is_no_proof_is_refused_in_words(content: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_bytes(content)
    result = typed("verify", str(path))

    assert result.exit_code == 2
    assert result.stderr == f"entropeg: {path} {told}\n"


def test_a_file_of_another_kind_is_not_replaced_by_a_table(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("mine")
    result = typed("arena", "consistent", "honest", "--games", "2", "--csv", str(path))

    told = f"{path} exists already, and is not a table of games: choose another name (--force replaces it)"

    assert result.stderr == f"entropeg: {told}\n"


def test_an_interrupted_series_shows_the_games_that_it_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def three(*_: Any, **__: Any) -> Iterator[tuple[int, list[Any]]]:
        yield from ((turns, []) for turns in (4, 5, 6))
        raise KeyboardInterrupt

    monkeypatch.setattr(series, "_games", three)
    result = typed("classroom", "run", str(EXAMPLES / "codebreaker2.py"), "--games", "50")

    assert result.exit_code == 130
    assert result.stderr == "entropeg: interrupted after 3 of 50 games\n"
    assert " 5.0000 " in result.stdout


@pytest.mark.parametrize("arguments", [["score", *["AABB"] * 1000], ["completion"], ["completion", "tcsh"]])
def test_what_click_says_is_one_short_sentence(arguments: list[str]) -> None:
    result = typed(*arguments)

    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "\\n" not in result.stderr
    assert len(result.stderr) < 300


def test_a_command_that_has_nothing_to_keep_says_that_it_was_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("entropeg.cli.commands.score.score_trusted", broken_off)
    result = typed("score", "AABB", "ABCD")

    assert result.exit_code == 130
    assert result.stderr == "entropeg: interrupted\n"


def test_who_answers_under_shapes_is_told_of_the_third_mark() -> None:
    session = BreakSession(Rules.parse("2x4/shapes=2"), get("first-consistent"), seed=1)

    assert "(XO~, 1 1 1, 1b1w1h, or - for none)" in session.start()[1].text


def test_a_turn_in_a_foreign_alphabet_names_its_first_word() -> None:
    with pytest.raises(InputError, match="the turn 'QQQQ XO': peg 1 is 'Q'"):
        parse_turn("QQQQ XO", Rules())


CONTRARY = {
    "4x6/black/positional": "two kinds of feedback, black and positional",
    "4x6/digits/names": "two alphabets, digits and names",
    "4x6/limit=3/limit=5": "two guess limits, limit=3 and limit=5",
}


@pytest.mark.parametrize(("text", "said"), CONTRARY.items())
def test_two_options_of_one_kind_are_refused_and_none_wins_silently(text: str, said: str) -> None:
    with pytest.raises(InputError, match=f"{said}: leave one of them out"):
        Rules.parse(text)


def test_an_option_still_replaces_that_of_a_preset() -> None:
    assert Rules.parse("4x6/limit=3") == Rules.parse("classic/limit=3")
    assert Rules.parse("4x10/no-repeats/names") == Rules.parse("bulls-and-cows/names")


def test_a_board_too_large_for_the_cheat_is_not_answered_with_a_codebreaker() -> None:
    result = typed("play", "--codemaker", "cheat", "--rules", "300x300")

    assert result.exit_code == 2
    assert "too many for the cheat to list" in result.stderr


def test_defaults_are_listed_as_they_are_typed() -> None:
    assert "prior=no" in typed("list", "consistent").stdout
    assert "True" not in typed("list").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("pegs=x colors=4", "no number: 'x'"),
        ("colors=4", "'pegs' is missing"),
        ("pegs=1 colors=1 blanks=q", "'q' is no"),
    ],
)
def test_the_engine_names_the_word_that_it_cannot_take(words: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_rules(words.split())


@pytest.mark.parametrize("turn", ["AABB XXO", "AABB 2 1", "a a b b 2b1w"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_game_edited_by_hand_is_read_with_any_notation_and_from_any_editor(
    turn: str, mark: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.txt"
    path.write_text(f"{mark}entropeg game 1\r\nrules: 4x6\r\n\r\n{turn}\r\n", encoding="utf-8", newline="")

    assert (parse_turn("AABB XXO", Rules()),) == load_game(str(path)).turns


SEALED = {
    "a tree": ["tree", "build", "minimax", "3x3", "--out", "m.tree"],
    "openings": ["tree", "openings", "minimax", "3x3", "--out", "m.tree"],
    "a figure": ["compare", "3x3", "--figure", "f.svg"],
    "a table": ["arena", "consistent", "honest", "--games", "2", "--csv", "g.csv"],
    "a game": ["play", "--save", "g.txt"],
}


@pytest.mark.parametrize("arguments", SEALED.values(), ids=SEALED.keys())
def test_a_folder_that_nobody_may_write_into_is_told_before_the_work(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests may be allowed to write everywhere: the answer of the system is put in its place.
    monkeypatch.setattr("os.access", lambda *_: False)
    path = tmp_path / arguments[-1]
    result = typed(*arguments[:-1], str(path))

    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"{path} cannot be written: nothing may be written into the folder {tmp_path}" in result.stderr
