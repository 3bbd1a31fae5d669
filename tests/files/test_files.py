"""Files: read within limits, written whole, replaced by their own kind only; `-` for standard input and output."""

from __future__ import annotations

import gzip
import io
import json
import os
import socket
import stat
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.cli.commands.tree import growing
from entropeg.codebreakers import get
from entropeg.errors import InputError
from entropeg.files import (
    FIGURE,
    OWN,
    FileKind,
    check_target,
    inflated,
    make_folder,
    parse_arrays,
    parse_json,
    read_bytes,
    read_text,
    replacing,
    shown,
    unpacked,
    write_whole,
)
from entropeg.files.arrays import parse_array
from entropeg.files.reading import DEEPEST, LONGEST_LINE
from entropeg.game import Game, load_game, save_game
from entropeg.rules import Rules
from entropeg.told import quoted
from entropeg.tree import StrategyTree

EXAMPLES = Path(__file__).parents[2] / "examples" / "classroom"

NOTES = FileKind("a note", lambda content: content.startswith(b"note"))


def typed(*arguments: str, lines: str | bytes = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, prog_name="entropeg", input=lines)


# ------------------------------------------------------------------ reading

ODD = {
    "a folder": (lambda path: path.mkdir(), "is a folder: name a file in it"),
    "nothing": (lambda _: None, "cannot be read: No such file or directory"),
    "a zero": (lambda path: path.write_bytes(b"A\0"), "is not a text file: byte 1 is zero"),
    "another code": (lambda path: path.write_bytes(b"A\n\xe9"), "is not a text file: line 2, byte 2 is not UTF-8"),
    "half a wide letter": (lambda path: path.write_bytes("AB".encode("utf-16")[:-1]), "byte 4 is not UTF-16"),
    "too much": (lambda path: path.write_bytes(bytes(101)), "is larger than 100 bytes"),
    "a device without end": (lambda path: path.symlink_to("/dev/zero"), "is a device, not a file"),
}


@pytest.mark.parametrize(("make", "told"), ODD.values(), ids=ODD.keys())
def test_what_is_no_text_is_refused_in_words(make: Callable[[Path], object], told: str, tmp_path: Path) -> None:
    make(tmp_path / "odd")

    with pytest.raises(InputError, match=told):
        read_text(tmp_path / "odd", most=100)


def test_files_and_folders_in_place_of_one_another_are_told_as_such(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("A", encoding="utf-8")
    uses: list[Callable[[Path], object]] = [
        read_text,
        lambda it: check_target(it, OWN),
        lambda it: write_whole(it, b"", OWN),
    ]
    for use in uses:
        for name, said in (
            (tmp_path, f"{tmp_path} is a folder: name a file in it"),
            (file / "a", "is a file, not a folder"),
        ):
            with pytest.raises(InputError, match=said):
                use(name)
    for folder in (file, file / "a", file / "a" / "b"):
        with pytest.raises(InputError, match=f"^{file} is a file: name a folder$"):
            make_folder(folder)
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")

    assert (tmp_path / "a" / "b").is_dir()


def test_text_is_read_whatever_ends_its_lines_and_stands_before_it(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(b"\xef\xbb\xbfA\r\nB\rC\n")

    assert read_text(tmp_path / "text", most=11) == "A\nB\nC\n"


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_file_can_have_is_refused_in_words(name: str) -> None:
    for use in (read_bytes, lambda name: check_target(name, OWN), lambda name: write_whole(name, b"", OWN)):
        with pytest.raises(InputError) as refused:
            use(name)

        assert "cannot be" in str(refused.value)
        assert len(str(refused.value)) < 200


def test_standard_input_is_read_once_and_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"AABB"), encoding="utf-8"))

    assert read_bytes("-") == read_bytes("-") == b"AABB"
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="standard input cannot be read: it is closed"):
        read_bytes("-")


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def test_json_is_read_to_the_depth_that_is_said_and_no_deeper() -> None:
    brackets = json.dumps(['"]]}' * 1000])

    assert parse_json(nested(DEEPEST)) is not None
    assert parse_json(brackets) == ['"]]}' * 1000]
    for text in (nested(DEEPEST + 1), '{"a":' * 100_000, f'["]]]]",{nested(DEEPEST)}]'):
        with pytest.raises(InputError, match="nested more than 500 deep"):
            parse_json(text)


WRONG_JSON = {
    '{"a": 1, "b": 2, "a": 3}': "the name 'a' stands there twice",
    "[NaN]": "the number NaN, which JSON does not have",
    "[-Infinity]": "the number -Infinity",
    "[1e999]": "the number '1e999', which is too large",
    f"[{'9' * 5000}]": "a number of thousands of digits",
    "[1,\n 2": "line 2, column 3 is not valid JSON",
    "": "it is empty",
}


@pytest.mark.parametrize(("text", "told"), WRONG_JSON.items(), ids=range(len(WRONG_JSON)))
def test_json_that_another_reader_might_read_otherwise_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_json(text)


@pytest.mark.parametrize(
    ("text", "told"), [("[1,", "line 7, column 4 is not"), ("", "line 7 is empty"), ("[NaN]", "line 7: it has")]
)
def test_json_of_a_line_is_refused_by_the_number_of_the_line(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_json(text, 7)


def test_what_is_packed_is_unpacked_up_to_a_limit_and_no_further() -> None:
    text = bytes(1000)
    twice = gzip.compress(text) + gzip.compress(text)

    assert unpacked(twice, most=2000) == text + text
    assert inflated(zlib.compress(text), 1000) == text
    with pytest.raises(InputError, match="larger than 999 bytes"):
        unpacked(twice, most=1999)
    with pytest.raises(InputError, match="larger than 999 bytes"):
        inflated(zlib.compress(text), 999)
    with pytest.raises(InputError, match="cut short"):
        unpacked(gzip.compress(text)[:-1])
    with pytest.raises(InputError, match="damaged"):
        inflated(b"text")
    with pytest.raises(InputError, match="4 bytes follow"):
        inflated(zlib.compress(text) + b"more")


@pytest.mark.parametrize(
    "array", [np.arange(6).reshape(2, 3), np.zeros((0, 2), np.int32), np.float64(0.5), np.array("title")], ids=repr
)
def test_arrays_are_read_as_numpy_wrote_them(array: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> None:
    single, several = io.BytesIO(), io.BytesIO()
    np.save(single, array)
    np.savez_compressed(several, a=array, b=array)

    for read in (parse_array(single.getvalue()), parse_arrays(several.getvalue())["b"]):
        assert (read.dtype, read.shape) == (np.asarray(array).dtype, np.asarray(array).shape)
        assert (read == array).all()


def archive(*entries: tuple[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as opened:
        for name, data in entries:
            opened.writestr(name, data)
    return content.getvalue()


def array_file(array: object) -> bytes:
    content = io.BytesIO()
    np.save(content, np.asarray(array), allow_pickle=True)
    return content.getvalue()


NUMBERS = array_file(np.arange(9))
WRONG_ARRAYS = {
    "pickled": array_file(np.array([{}], object)),
    "cut short": NUMBERS[:-1],
    "without an end": NUMBERS + b"0",
    "larger than it is": NUMBERS.replace(b"(9,), }   ", b"(10**9,), }", 1).replace(b"(10**9,), }", b"(99999,), }"),
    "an expression": NUMBERS.replace(b"(9,)", b"(3*3"),
    "a head without an end": NUMBERS.replace(b"}", b"("),
    "empty": b"",
    "of text without letters": NUMBERS[:-72].replace(b"'<i8'", b"'<U0'"),
}


@pytest.mark.parametrize("content", WRONG_ARRAYS.values(), ids=WRONG_ARRAYS.keys())
def test_an_array_that_is_not_as_its_head_says_is_refused(content: bytes) -> None:
    for read in (lambda: parse_array(content), lambda: parse_arrays(archive(("a.npy", content)))):
        with pytest.raises(InputError, match=r"no array of numbers|bytes, and|cannot be"):
            read()


def test_an_archive_that_would_fill_the_memory_is_refused_before_it_is_unpacked() -> None:
    content = io.BytesIO()
    np.savez_compressed(content, a=np.zeros(1000, np.uint8), b=np.zeros(1000, np.uint8))
    twice = archive(("a.npy", NUMBERS), ("b.npy", NUMBERS)).replace(b"b.npy", b"a.npy")

    assert len(parse_arrays(content.getvalue(), most=2256)) == 2
    with pytest.raises(InputError, match="take more than 2,255 bytes"):
        parse_arrays(content.getvalue(), most=2255)
    with pytest.raises(InputError, match="two arrays of one name"):
        parse_arrays(twice)


def test_an_archive_whose_names_differ_is_refused_in_one_sentence_however_long_they_are() -> None:
    content = archive(("a" * 3000 + ".npy", NUMBERS)).replace(b"aaaa", b"\n\0\x9b\xff", 1)

    with pytest.raises(InputError, match=r"^it is no archive of arrays, or damaged$"):
        parse_arrays(content)


def test_what_was_typed_or_read_is_quoted_on_one_line_and_cut() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]

    assert quoted("A\n\x1b[31m") == r"'A\n\x1b[31m'"
    assert quoted("A" * 60) == repr("A" * 60)
    assert quoted("A" * 61) == repr("A" * 60) + "... (61 characters)"
    assert all(len(quoted(value)) < 100 for value in (deep, 10**4000, 10**5000, {"a" * 1000: "b" * 1000}))
    assert len(shown("a\n" * 1000)) < 130


# ------------------------------------------------------------------ writing


def test_a_file_is_replaced_by_its_own_kind_only_unless_one_says_so(tmp_path: Path) -> None:
    note, letter = tmp_path / "note", tmp_path / "letter"
    note.write_bytes(b"note: milk")
    letter.write_bytes(b"dear all")
    (tmp_path / "empty").touch()

    for name in ("note", "empty", "new"):
        check_target(tmp_path / name, NOTES)
        write_whole(tmp_path / name, b"note: bread", NOTES)
    with pytest.raises(InputError, match="letter exists already, and is not a note: choose another name"):
        check_target(letter, NOTES)
    with pytest.raises(InputError, match="letter exists already, and is not a note: choose another name"):
        write_whole(letter, b"note", NOTES)
    assert (note.read_bytes(), letter.read_bytes()) == (b"note: bread", b"dear all")
    with replacing():
        write_whole(letter, b"note", NOTES)
    assert letter.read_bytes() == b"note"
    with pytest.raises(InputError):
        write_whole(letter, b"dear all", FIGURE)


def test_a_name_of_255_letters_is_written_and_one_of_256_is_refused(tmp_path: Path) -> None:
    write_whole(tmp_path / ("é" * 127), b"note", NOTES)

    assert [path.name for path in tmp_path.iterdir()] == ["é" * 127]
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        check_target(tmp_path / ("é" * 128), NOTES)


def test_a_folder_that_takes_nothing_is_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)

    with pytest.raises(InputError, match="nothing may be written into the folder"):
        check_target(tmp_path / "note", NOTES)
    check_target("/dev/null", NOTES)


@pytest.fixture
def deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()


@pytest.fixture
def read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.access", lambda *_: False)


PLACES = ["deleted", "read_only"]
WORKING = [
    "compare 2x3",
    "tree build minimax 2x3",
    "optimal 2x3",
    "score AB BA --rules 2x3",
    "candidates 2x3",
    "bounds 2x3",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", WORKING)
def test_what_needs_no_file_works_where_none_can_be_written(
    command: str, place: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(place)

    assert typed(*command.split()).exit_code == 0


WRITING = {
    "compare 2x3 --figure": ".svg",
    "tree build minimax 2x3 --out": ".tree",
    "tree openings minimax 2x3 --out": ".tree",
    "optimal 2x3 --save": ".tree",
    "optimal 2x3 --proof": ".json",
    "optimal 2x3 --checkpoint": "",
    "arena consistent honest --games 2 --rules 2x3 --csv": ".csv",
    "arena consistent honest --games 2 --rules 2x3 --store": ".sqlite",
    "play --save": ".txt",
    "bounds --figure": ".svg",
    "classroom check . --html": ".html",
    f"classroom tournament {EXAMPLES} --keep": ".json",
}


@pytest.mark.parametrize("command", WRITING)
def test_a_name_of_300_letters_and_a_folder_that_is_not_there_are_told_in_one_sentence(command: str) -> None:
    for name in ("x" * 300 + WRITING[command], "nowhere/x" + WRITING[command]):
        result = typed(*command.split(), name)

        assert result.exit_code == 2
        assert result.stdout == ""
        assert "cannot be" in result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "command", [command for command in WRITING if "store" not in command and "check" not in command]
)
def test_nothing_is_written_into_a_deleted_folder_and_that_is_told(command: str, deleted: None) -> None:
    result = typed(*command.split(), f"x{WRITING[command]}")

    assert result.exit_code == 2
    assert result.stdout == ""
    assert "the current folder is deleted" in result.stderr
    assert result.stderr.count("\n") == 1


KINDS = {
    "compare 2x3 --figure": "f.svg",
    "compare 2x3 --figure ": "f.png",
    "compare 2x3 --figure  ": "f.pdf",
    "tree build minimax 2x3 --out": "t.tree",
    "tree build minimax 2x3 --out ": "t.json",
    "tree build minimax 2x3 --out  ": "t.yaml",
    "tree build minimax 2x3 --out   ": "t.dot",
    "tree build minimax 2x3 --out    ": "t.svg",
    "tree build minimax 2x3 --out     ": "t.txt",
    "optimal 1x2 --save": "t.txt",
    "optimal 2x3 --proof": "p.json",
    "optimal 2x3 --proof ": "p.json.gz",
    "arena consistent honest --games 2 --rules 2x3 --csv": "a.csv",
}


@pytest.mark.parametrize("command", KINDS, ids=lambda command: f"{command.strip()} {KINDS[command]}")
def test_a_command_repeated_replaces_its_own_file_and_no_other(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / KINDS[command]
    words = [*command.split(), file.name]
    first, again = typed(*words), typed(*words)
    own = file.read_bytes()
    file.write_bytes(b"dear all")
    refused = typed(*words)

    assert (first.exit_code, again.exit_code, refused.exit_code) == (0, 0, 2)
    assert f"{file.name} exists already, and is not" in refused.stderr
    assert file.read_bytes() == b"dear all"
    assert typed(*words, "--force").exit_code == 0
    assert file.read_bytes()[:20] == own[:20]
    assert list(tmp_path.iterdir()) == [file]


def test_another_game_is_not_of_the_kind_of_this_one(tmp_path: Path) -> None:
    path = str(tmp_path / "game.txt")
    save_game(Game(Rules(), ()), path)
    save_game(Game(Rules(), (), codebreaker="me"), path)
    refused = typed("play", "--save", path, lines="AABB\n")
    forced = typed("play", "--save", path, "--force", lines="AABB\n")

    assert (refused.exit_code, forced.exit_code) == (2, 0)
    assert f"{path} exists already: choose another name (--load {path} continues the game in it)" in refused.stderr
    assert len(load_game(path)) == 1


# ------------------------------------------------------------------ standard input and output


def test_results_go_to_standard_output_alone_where_a_file_is_named_so(tmp_path: Path) -> None:
    tree = typed("tree", "build", "minimax", "2x3", "--out", "-")
    shown_again = typed("tree", "show", "-", "X", lines=tree.stdout)
    exported = typed("tree", "export", "-", "-", lines=tree.stdout)
    table = typed("arena", "consistent", "honest", "--rules", "2x3", "--games", "2", "--csv", "-")
    figure = typed("compare", "2x3", "--figure", "-")
    proof = typed("optimal", "2x3", "--proof", "-")
    verified = typed("verify", "-", lines=proof.stdout)
    game = typed("play", "--rules", "2x3", "--save", "-", "--seed", "1", lines="AB\n")
    judged = typed("check-log", "-", lines=game.stdout)
    (tmp_path / "tree.json").write_text(tree.stdout)

    assert StrategyTree.load(tmp_path / "tree.json") == StrategyTree.build("minimax", Rules.parse("2x3"))
    assert "total 24" in tree.stderr
    assert tree.stdout == exported.stdout
    assert table.stdout.splitlines()[0].startswith("rules,codebreaker")
    assert "consistent" in table.stderr
    assert figure.stdout.startswith("<?xml")
    assert verified.stdout.startswith("2x3: total >= ")
    assert game.stdout.startswith("entropeg game 1")
    assert judged.stdout.startswith("standard input: 2x3")
    for result in (tree, shown_again, exported, table, figure, proof, verified, game, judged):
        assert result.exit_code == 0
        assert result.stdout.endswith("\n")
    assert list(tmp_path.iterdir()) == [tmp_path / "tree.json"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("tree build minimax 2x3 --out - --json", "- is standard output, where --json goes too"),
        ("optimal 2x3 --save - --proof -", "- is standard output, where another - goes too"),
        ("optimal 2x3 --checkpoint -", "a checkpoint is read and written in turn: name a file, not -"),
        ("arena consistent honest --store -", "name a file, not -"),
        ("compare 2x3 --keep -", "name a file, not -"),
        (f"classroom tournament {EXAMPLES} --keep -", "name a file, not -"),
        ("report --out -", "name a file, not -"),
        ("arena tree:- honest", "the tree of a player is read by several processes: name a file, not -"),
    ],
)
def test_what_cannot_go_through_standard_output_is_told(command: str, told: str) -> None:
    result = typed(*command.split())

    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr


def test_a_word_list_and_weights_are_read_from_standard_input() -> None:
    words = typed("candidates", "words:-", lines="tacit\nconic\n")
    prior = typed("optimal", "2x2/prior=-", lines="AA 1\n* 2\n")

    assert (words.exit_code, prior.exit_code) == (0, 0)
    assert "2 codes are left" in words.stdout


def test_a_device_is_written_where_it_is(tmp_path: Path) -> None:
    full = typed("arena", "consistent", "honest", "--rules", "2x3", "--games", "2", "--csv", "/dev/full")

    assert full.stderr == "entropeg: /dev/full cannot be written: No space left on device\n"
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)  # noqa: PTH116


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_file_is_never_replaced(force: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets must be short
    with socket.socket(socket.AF_UNIX) as there:
        there.bind("game.txt")
        with replacing(force=force), pytest.raises(InputError, match=r"game.txt is a socket, not a file"):
            write_whole("game.txt", b"", OWN)

    assert stat.S_ISSOCK(os.stat("game.txt").st_mode)  # noqa: PTH116


# ------------------------------------------------------------------ what is kept, and what is typed


def test_where_nothing_can_be_kept_the_work_goes_on_and_ctrl_c_says_so(
    read_only: None, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> None:
        with growing(Path("compare-4x6.part"), "compare 4x6", 1296, [get("entropy")]):
            raise KeyboardInterrupt

    with click.Context(cli.group).scope(), pytest.raises(click.exceptions.Exit):
        interrupted()
    told = "entropeg: interrupted: nothing is kept, since compare-4x6.part cannot be written: nothing may be written"
    assert capsys.readouterr().err.startswith(told)


def test_a_drawing_goes_to_standard_output_and_over_no_file_of_another_kind(tmp_path: Path) -> None:
    StrategyTree.build("minimax", Rules.parse("2x3")).save(tmp_path / "a.tree")
    (tmp_path / "a.svg").write_text("<svg>my cat</svg>")
    drawn = typed("tree", "draw", str(tmp_path / "a.tree"), "-")
    refused = typed("tree", "draw", str(tmp_path / "a.tree"))
    forced = typed("tree", "draw", str(tmp_path / "a.tree"), "--force")

    assert drawn.stdout.startswith("<svg")
    assert (refused.exit_code, forced.exit_code) == (2, 0)
    assert "a.svg exists already, and is not a strategy tree" in refused.stderr
    assert (tmp_path / "a.svg").read_text() == drawn.stdout


def test_a_figure_does_not_replace_the_picture_of_a_tree(tmp_path: Path) -> None:
    picture = tmp_path / "a.svg"
    StrategyTree.build("minimax", Rules.parse("2x3")).save(picture)

    with pytest.raises(InputError, match="is not a figure of entropeg"):
        check_target(picture, FIGURE)


def test_a_line_of_input_without_end_is_told_and_the_game_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    result = typed(
        "play", "--rules", "2x3", "--seed", "1", "--save", str(path), lines="AB\n" + "A" * (LONGEST_LINE + 1)
    )

    assert result.exit_code == 2
    assert "a line of the input has more than 4,194,304 characters" in result.output
    assert len(load_game(path)) == 1


@pytest.mark.parametrize("command", ["play --seed 1", "engine"])
def test_bytes_that_are_no_text_are_answered_as_anything_else_that_is_no_move(command: str) -> None:
    result = typed(*command.split(), lines=b"\xff\xfe\n\x00\nquit\n")

    assert result.exit_code == 0


LIES = {
    '"outcome": "lost"': "the saved game has outcome 'lost'; its turns say 'won'",
    '"guesses": 7': "the saved game has guesses 7; its turns say 1",
    '"seed": -1': "the seed is -1; it must be at least 0",
    '"seconds": -0.5': "the saved game has seconds -0.5; they must be 0 or more",
}


@pytest.mark.parametrize(("lie", "told"), LIES.items())
def test_what_a_saved_game_says_must_follow_from_its_turns(lie: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    data = {"format": "entropeg game 1", "rules": "2x2", "codebreaker": "a", "codemaker": "b", "turns": [["AA", "XX"]]}
    path.write_text(json.dumps(data)[:-1] + f", {lie}}}")

    with pytest.raises(InputError, match=f"{path}: {told}"):
        load_game(path)


@pytest.mark.parametrize("lie", [lie for lie, told in LIES.items() if "turns say" in told])
def test_a_log_tells_of_what_does_not_follow_from_its_turns(lie: str, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    data = {"format": "entropeg game 1", "rules": "2x2", "turns": [["AA", "XX"]]}
    path.write_text(json.dumps(data)[:-1] + f", {lie}}}")
    judged = typed("check-log", str(path))

    assert judged.exit_code == 1
    assert f"inconsistent: {LIES[lie]}; it ends with the secret found at turn 1" in judged.stdout


@pytest.mark.parametrize("turn", [[7, "X"], [None, "X"], ["AA", None], ["AA", 1.5], ["AA", {"black": 1}], ["AA"], "AA"])
def test_a_log_of_which_a_turn_is_no_turn_is_refused(turn: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps({"format": "entropeg game 1", "rules": "2x2", "turns": [turn]}))
    refused = typed("check-log", str(path))

    assert refused.stderr == f"entropeg: {path}: turn 1 is {turn!r}; it should be a guess and a feedback\n"
    assert refused.exit_code == 2


@pytest.mark.parametrize("answer", ["XX", "2 0", [2, 0]])
def test_a_log_may_have_an_answer_in_numbers(answer: Any, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(
        json.dumps({"format": "entropeg game 1", "rules": "2x2", "turns": [["AA", answer]], "secret": "AA"})
    )

    assert typed("check-log", str(path)).exit_code == 0


@pytest.mark.parametrize("command", ["play --load", "break --load"])
def test_a_game_past_its_limit_is_refused_and_its_log_is_inconsistent(command: str, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("entropeg game 1\nrules: 2x3/limit=1\n\nAA -\nBB -\n")
    refused, judged = typed(*command.split(), str(path)), typed("check-log", str(path))

    assert refused.stderr == f"entropeg: {path}: 2x3/limit=1 ends after guess 1, yet there are 2 turns\n"
    assert judged.exit_code == 1
    assert "inconsistent: 2x3/limit=1 ends after 1 guess, yet 1 more follows" in judged.stdout


PROOFS = {
    "no lemmas": ({"lemmas": 7}, "its 'lemmas' is missing, or not a list"),
    "10^30 pegs": ({"pegs": 10**30}, "proofs are checked of boards of 1 to 10 pegs"),
    "9x9": ({"pegs": 9, "colors": 9, "rules": "9x9"}, "its board of 387,420,489 codes is too large to be checked here"),
    "6x12": ({"pegs": 6, "colors": 12, "rules": "6x12"}, "its board of 2,985,984 codes is too large"),
    "other rules": ({"rules": "2x2/no-repeats"}, "its rules are called '2x2/no-repeats', and it is about 2x2"),
    "no lemma": ({"lemmas": [[[], 1]]}, "lemma 0 is not written as lemmas are"),
    "no guess": ({"lemmas": [[[[9, 0]], 1, []]]}, "lemma 0 is not written as lemmas are"),
    "no code": ({"lemmas": [[[[0, 99]], 1, []]]}, "lemma 0 is about no code"),
}


@pytest.mark.parametrize(("change", "told"), PROOFS.values(), ids=PROOFS.keys())
def test_a_proof_that_cannot_be_right_is_refused_before_it_is_checked(
    change: dict[str, object], told: str, tmp_path: Path
) -> None:
    data = {"format": "entropeg lower bound 1", "rules": "2x2", "pegs": 2, "colors": 2, "repeats": True, "black": False}
    (tmp_path / "p.json").write_text(json.dumps({**data, "bound": 8, "lemmas": [], **change}))
    result = typed("verify", str(tmp_path / "p.json"))

    assert result.exit_code == 2
    assert told in result.stderr
