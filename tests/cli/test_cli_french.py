"""The command line in French: which language is spoken, what may be typed, and that games stay the same."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import pytest
from click.testing import CliRunner, Result

from command_lines import CommandLines, furnish, run
from entropeg import cli
from entropeg.chosen_language import SpokenChoice, speaking
from entropeg.cli.helping import chosen
from entropeg.cli.progress import Stand, plain_line, telling
from entropeg.cli.terminal import register_plain_letters
from entropeg.errors import InputError
from entropeg.sessions.assisting import AssistSession
from entropeg.sessions.breaking import BreakSession
from entropeg.sessions.exploring import ExploreSession
from entropeg.sessions.playing import PlaySession
from entropeg.sessions.several import SeveralSession
from entropeg.sessions.training import TrainSession
from entropeg.sessions.typed import FRENCH, called, typed_words
from entropeg.told import Told, word
from rooms import cases

ENGLISH = re.compile(
    r"(?<![\w-])(?:the|its|of|is|are|was|with|which|and|it|to|that|has|have|guess|left|fits?|file|type|show|say|by)(?![\w-])"
)
"""Words that no French sentence has."""
TOLD = [
    *("play", "break", "assist", "advise", "train", "score", "list", "review", "check-log", "serve", "completion"),
    *("classroom", "classroom run", "classroom check", "classroom tournament", "classroom grade", "classroom kit"),
]
"""Commands whose help is in French."""
KEYS = re.compile(r"^ *Clés avec --json.*?(?=^ *$)", re.MULTILINE | re.DOTALL)
"""What is said of the keys of JSON, which are words in English."""
MISTAKES = "rules: 3x4\nABA XX\nABA XX\nABB XX\nABC XXX\n"
GAME = "entropeg game 1\nrules: 3x4\ncodemaker: cheat\n\nAAB XO\nABC XXX\n"


def typed(*arguments: str, lines: str = "", **variables: str) -> Result:
    return CliRunner(env=variables).invoke(cli.group, arguments, input=lines, prog_name="entropeg")


@pytest.mark.parametrize(
    ("arguments", "variables", "language"),
    [
        ([], {}, "en"),
        (["--lang", "fr", "play"], {"ENTROPEG_LANG": "en"}, "fr"),
        (["play", "--lang=FR"], {"LANG": "en_US"}, "fr"),
        (["--lang", "en", "play", "--lang", "fr"], {}, "fr"),
        (["play", "--lang", "en"], {"ENTROPEG_LANG": "fr"}, "en"),
        (["play", "--", "--lang", "fr"], {}, "en"),
        (["play", "--lang"], {"LANG": "fr_FR"}, "fr"),
        (["play"], {"ENTROPEG_LANG": "fr", "LC_ALL": "en_US"}, "fr"),
        (["play"], {"ENTROPEG_LANG": "", "LC_ALL": "fr_CA.UTF-8"}, "fr"),
        (["play"], {"LC_MESSAGES": "fr", "LANG": "en_US"}, "fr"),
        (["play"], {"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        (["play"], {"LC_ALL": "POSIX"}, "en"),
        (["play"], {"LANG": "de_DE.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_option_then_the_variable_then_the_system(
    arguments: list[str], variables: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ENTROPEG_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert language == chosen(arguments).language


@pytest.mark.parametrize("arguments", [["--lang", "de", "play"], ["play", "--lang", "de"], ["tree", "--lang", "de"]])
def test_a_language_that_there_is_not_is_refused_in_one_sentence(arguments: list[str]) -> None:
    result = typed(*arguments)

    assert (2, "entropeg: there is no language 'de': it is en or fr\n") == (result.exit_code, result.stderr)


def test_a_variable_that_names_no_language_is_refused_in_one_sentence() -> None:
    result = typed("play", ENTROPEG_LANG="deutsch")

    assert (2, "entropeg: ENTROPEG_LANG is 'deutsch': it must be en or fr\n") == (result.exit_code, result.stderr)


@pytest.mark.parametrize("command", TOLD)
def test_help_is_in_french_and_as_wide_as_the_english(command: str) -> None:
    french, english = (typed(*command.split(), "--help", "--lang", language).output for language in ("fr", "en"))

    assert english_in(KEYS.sub("", french).replace("(guess)", "")) == []
    assert len(english_in(english)) > 3
    assert max(map(len, french.splitlines())) <= 80
    assert options_in(english) == options_in(french)


def english_in(text: str) -> list[str]:
    """Return the lines of a text that have words that no French sentence has."""
    return [line for line in text.splitlines() if ENGLISH.search(line)]


def options_in(text: str) -> list[str]:
    return re.findall(r"^ +(?:-h, )?(--[a-z-]+)", re.split(r"^Options.*$", text, flags=re.MULTILINE)[1], re.MULTILINE)


def test_the_list_of_commands_is_in_french() -> None:
    lines = typed("--lang", "fr").output.splitlines()

    assert [line for line in lines if ENGLISH.search(line.replace("arena", ""))] == []
    assert [name for name in cli.COMMANDS if not any(line.startswith(f"  {name} ") for line in lines)] == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--foo",), "Il n’y a pas d’option '--foo'. Vouliez-vous dire '--force' ?"),
        (("--seed", "x"), "Valeur qui ne convient pas à '--seed' : 'x' n’est pas un nombre entier"),
        (("--rules", "4y6"), "'4y6' n’est pas un plateau : écrivez pions x couleurs"),
        (("--limit", "0"), "la limite est '0' ; il faut un nombre entier de 1 à"),
        (("--codemaker", "honest:ABCX"), "le pion 4 est 'X', qui n’est pas une couleur : prenez A B C D E F"),
        (("--save", "."), ". est un dossier : nommez un fichier qui s’y trouve"),
        (("--load", "nowhere"), "nowhere ne peut pas être lu : ce fichier ou ce dossier n’existe pas"),
        (("a", "b"), "Des arguments sont de trop (a b)"),
    ],
)
def test_what_is_refused_is_refused_in_french(arguments: tuple[str, ...], told: str) -> None:
    result = typed("play", *arguments, "--lang", "fr")

    assert result.exit_code == 2
    assert result.stderr.startswith("entropeg: ")
    assert plain(result.stderr).removeprefix("entropeg: ").startswith(told)
    assert len(result.stderr.splitlines()) == 1


def plain(text: str) -> str:
    """A text with plain spaces."""
    return text.replace("\u00a0", " ").replace("\u202f", " ")


SCRIPTS = {
    ("play", "--rules", "3x4", "--codemaker", "cheat", "--seed", "2"): (
        "aab\nhint\nleft\nabc\nundo\nguess abd\nboard\nhelp\ngive up\n",
        "aab\nindice\nrestants\nabc\nannuler\nproposer abd\nplateau\naide\nabandonner\n",
    ),
    ("break", "--rules", "3x4", "--codebreaker", "first-consistent"): (
        "-\nanswer X\nleft\ncorrect 1 X\nundo\nhelp\nquit\n",
        "-\nréponse X\nreste\nRectifier 1 X\nANNULER\naide\nquitter\n",
    ),
    ("train", "3x4", "--theme", "split", "--seed", "1"): (
        "hint\naaa\nguess aab\nboard\nskip\nscore\nhelp\nsolution\nquit\n",
        "indice\naaa\nproposer aab\nplateau\npasser\npoints\naide\nsolution\nquitter\n",
    ),
    ("assist", "3x4", "--time", "60"): (
        "aab xo\nhint\nadvice 2\nwhy abc\nrow abc x\nedit 2 abc o\ndelete 1\nundo\nleft\nboard\nnew 2x2\nundo\nquit\n",
        (
            "aab xo\nindice\nconseil 2\npourquoi abc\nligne abc x\nmodifier 2 abc o\nsupprimer 1\nannuler\nrestants\n"
            "plateau\nnouveau 2x2\nannuler\nquitter\n"
        ),
    ),
}


@pytest.mark.parametrize(("command", "scripts"), SCRIPTS.items(), ids=lambda each: each[0])
def test_a_session_in_french_is_the_same_session(command: tuple[str, ...], scripts: tuple[str, str]) -> None:
    english, french = scripts
    seed = () if "--seed" in command or command[0] == "assist" else ("--seed", "1")
    told = [
        typed(*command, *seed, "--lang", language, lines=lines)
        for language in ("en", "fr")
        for lines in (english, french)
    ]
    records = [typed(*command, *seed, "--json", "--lang", each, lines=french).stdout for each in ("en", "fr")]

    assert told[0].output == told[1].output
    assert told[2].output == told[3].output
    assert len(told[0].output.splitlines()) == len(told[2].output.splitlines())
    assert english_in(told[2].output.split("entropeg game")[0]) == []
    assert json.loads(records[0]) == json.loads(records[1])


@pytest.mark.parametrize(
    "arguments",
    [
        ("advise", "3x4", "AAB XO", "--players", "--answers", "--also", "ABC", "--time", "60"),
        ("advise", "3x4", "AAB XX", "CDD XX"),
        ("review", "game.txt", "--time", "60"),
        ("review", "game.txt", "game.txt", "--time", "60", "--others", "--answers", "--level"),
        ("review", "game.txt", "--worksheet"),
        ("review", "--claim", "4x6 mean 4.25", "--claim", "4x6 mean 4.40"),
        ("score", "AABB", "ABCD"),
        ("train", "3x4", "--book", "4", "--seed", "2"),
        ("train", "--learn", "mistakes.txt", "--book", "1", "--seed", "1"),
        ("list",),
        ("list", "rules"),
        ("list", "codebreakers"),
        ("list", "honest"),
        ("check-log", "game.txt"),
    ],
    ids=" ".join,
)
def test_what_a_command_prints_is_in_french_and_its_json_is_not(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(GAME, encoding="utf-8")
    Path("mistakes.txt").write_text(MISTAKES, encoding="utf-8")
    french, english = (typed(*arguments, ENTROPEG_LANG=language) for language in ("fr", "en"))
    plain_json = [] if "--worksheet" in arguments else ["--json"]
    data = [typed(*arguments, *plain_json, ENTROPEG_LANG=language).stdout for language in ("fr", "en")]

    assert english_in(french.output.replace("check-log", "").replace("guess-repeats", "")) == []
    assert french.exit_code == english.exit_code
    assert len(french.stdout.split("\n\n")) == len(english.stdout.split("\n\n"))
    if plain_json:
        assert without_time(json.loads(data[0])) == without_time(json.loads(data[1]))


def without_time(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_time(value) for key, value in data.items() if key != "seconds"}
    return [without_time(each) for each in data] if isinstance(data, list) else data


def test_pages_are_in_french(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(GAME, encoding="utf-8")
    typed("review", "game.txt", "--time", "0.1", "--html", "review.html", "--csv", "sheet.csv", "--lang", "fr")
    typed("train", "3x4", "--book", "2", "--seed", "2", "--html", "book.html", "--lang", "fr")

    for name in ("review.html", "book.html"):
        page = Path(name).read_text(encoding="utf-8")
        said = re.sub(r"<(style|script)\b.*?</\1>|<[^>]*>", "\n", page, flags=re.DOTALL)
        assert '<html lang="fr">' in page
        assert english_in(said) == []
    assert Path("sheet.csv").read_text(encoding="utf-8").startswith("round,guess,feedback,codes left,bits left\n")


def test_progress_is_told_in_french() -> None:
    pair = Told("{codebreaker} against {codemaker}", "minimax", "honest")
    stand = Stand(Told("games"))
    stand.put(word("progress", "reviewing"), pair, done=300, total=1000, left=130)
    with speaking(SpokenChoice("fr")):
        line = plain_line(stand)

    assert plain(line).endswith("revue, minimax contre honest, 300 parties sur 1 000, encore 2 minutes environ")


def test_progress_speaks_the_language_of_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    told = ""
    part = word("progress", "reviewing")
    with patch("entropeg.cli.progress.FIRST", 0.001), speaking(SpokenChoice("fr")), telling("", part):
        for _ in range(10_000):
            told += capfd.readouterr().err
            if told.endswith("\n"):
                break
            time.sleep(0.001)

    assert told.endswith("s\u00a0: revue\n")


@pytest.mark.parametrize("seed", [1, 2])
def test_what_random_command_lines_are_told_is_in_french(seed: int, tmp_path: Path) -> None:
    furnish(tmp_path)
    found = [*untold(seed, cases(20, 1000), tmp_path)]

    assert found == []


def untold(seed: int, count: int, folder: Path) -> Iterator[tuple[str, str]]:
    """Run random command lines for students in French, and give those sentences that stayed English."""
    lines = CommandLines(seed)
    before = Path.cwd()
    os.chdir(folder)
    try:
        for _ in range(count):
            case = lines.conversation() if lines.random.random() < 0.5 else lines.draw()
            if case.arguments[0] not in SPOKEN or "--lang" in case.arguments:
                continue
            with patch.dict(os.environ, XDG_DATA_HOME=str(folder), ENTROPEG_LANG="fr"):
                result = run(case)
            for line in NAMED.sub("", QUOTED.sub("", result.output)).splitlines():
                if ENGLISH.search(line) and not line.startswith(("entropeg ", "rules:")):
                    yield str(case), line
    finally:
        os.chdir(before)


SPOKEN = {*(command.split()[0] for command in TOLD), "paly", ""} - {"completion", "classroom"}
NAMED = re.compile(r"la commande \w+|^(?:! )?\w+ (?=n’est pas une commande)|/\S+", re.MULTILINE)
QUOTED = re.compile(r"(?<!\w)'(?:[^'\\\n]|\\.)*'(?!\w)|\{.*\}", re.DOTALL)


def test_files_that_are_saved_are_the_same(tmp_path: Path) -> None:
    saved = []
    for language in ("en", "fr"):
        path = tmp_path / language
        typed("play", "--rules", "3x4", "--seed", "1", "--save", str(path), "--lang", language, lines="abc\nquit\n")
        saved.append(path.read_text())

    assert saved[0] == saved[1]
    assert saved[0].startswith("entropeg game 1\n")


def test_a_french_word_that_is_a_code_is_the_code_and_that_is_said_in_french() -> None:
    lines = "reste\nquit\n"
    english = typed("play", "--rules", "5x26", "--codemaker", "honest:ZZZZZ", "--seed", "1", lines=lines).output
    french = typed(
        "play", "--rules", "5x26", "--codemaker", "honest:ZZZZZ", "--seed", "1", "--lang", "fr", lines=lines
    ).output

    assert " 1  RESTE  -" in english.splitlines()
    assert " 1  RESTE  -" in french.splitlines()
    assert "(reste a été lu comme un code ; tapez left pour la commande)" in plain(french)


@pytest.mark.parametrize(
    "session", [PlaySession, BreakSession, AssistSession, ExploreSession, TrainSession, SeveralSession]
)
def test_every_command_has_a_french_word_of_its_own(session: type) -> None:
    commands = [name for name in vars(session)["commands"] if name not in {"?", "codes"}]

    assert [name for name in commands if name not in FRENCH] == []
    assert sum(len(FRENCH[name]) for name in commands) == len(typed_words(commands))
    assert not set(typed_words(commands)) & (set(commands) - {"solution", "score"})
    with speaking(SpokenChoice("fr")):
        assert len({called(name) for name in commands}) == len(commands)


def test_letters_that_a_terminal_cannot_write_are_written_plainly() -> None:
    assert b"l'ete a l'oeuvre : \"AABB\"?" == "l’été à l’œuvre\u00a0: «AABB»∞".encode("ascii", register_plain_letters())


@pytest.mark.parametrize("program", ["--help", "play"])
def test_english_loads_no_catalogue(program: str) -> None:
    code = (
        "import sys, entropeg.cli as cli\n"
        f"try: cli.group.main([{program!r}])\n"
        "except SystemExit: pass\n"
        "print([name for name in sys.modules if name in ('entropeg.texts.catalogue', 'entropeg.texts.templates')])"
    )
    environment = {**os.environ, "LANG": "en_US.UTF-8"}
    run = subprocess.run(
        [sys.executable, "-c", code], input="quit\n", env=environment, capture_output=True, text=True, check=True
    )

    assert run.stdout.splitlines()[-1] == "[]"


def test_the_option_is_one_of_every_command() -> None:
    for name in cli.COMMANDS:
        command = cli.group.get_command(click.Context(cli.group), name)

        assert command is not None
        assert [each.opts for each in command.params if "--lang" in each.opts] == [["--lang"]]


def test_a_wrong_variable_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENTROPEG_LANG", "x")

    with pytest.raises(InputError, match="ENTROPEG_LANG is 'x'"):
        chosen(["play"])
    assert chosen(["play", "--lang", "fr"]).language == "fr"
