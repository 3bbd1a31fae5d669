"""The command line in French: which language is spoken, what may be typed, and that games stay the same."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from entropeg import cli
from entropeg.cli.answering import BreakSession
from entropeg.cli.assisting import AssistSession
from entropeg.cli.language.choosing import SpokenChoice, chosen, speaking
from entropeg.cli.language.typed import FRENCH, called, typed_words
from entropeg.cli.layout import register_plain_letters
from entropeg.cli.playing import PlaySession
from entropeg.cli.training import TrainSession
from entropeg.errors import InputError

ENGLISH = re.compile(
    r"(?<![\w-])(?:the|its|of|is|are|was|with|which|and|it|to|that|has|have|guess|left|fits?|file|type|show|say|by)(?![\w-])"
)
"""Words that no French sentence has."""
TOLD = ("play", "break", "assist")
"""Commands whose help is in French."""


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
    french, english = (typed(command, "--help", "--lang", language).output for language in ("fr", "en"))

    assert [line for line in french.splitlines() if ENGLISH.search(line)] == []
    assert len([line for line in english.splitlines() if ENGLISH.search(line)]) > 5
    assert max(map(len, french.splitlines())) <= 80
    assert options_in(english) == options_in(french)


def options_in(text: str) -> list[str]:
    return re.findall(r"^ +(?:-h, )?(--[a-z-]+)", text, re.MULTILINE)


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
    ("assist", "3x4", "--time", "0.1"): (
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
    assert [line for line in told[2].output.split("entropeg game")[0].splitlines() if ENGLISH.search(line)] == []
    assert json.loads(records[0]) == json.loads(records[1])


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


@pytest.mark.parametrize("session", [PlaySession, BreakSession, AssistSession, TrainSession])
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
