"""Faults planted into student projects, each with the sentence expected: `python tests/planted_sentences.py` tries all.

The test suite tries a sample of them, drawn by a fixed seed.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from entropeg.classroom import process
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.rules import Rules
from student_projects import student_project

LIMITS = Limits(turn_seconds=0.5, game_seconds=10.0, memory=512)

FIRST_LINES = "import random\n\nfrom . import common"
PACKAGE, BREAKER, MAKER = "app/mastermind/common.py", "app/mastermind/codebreaker2.py", "app/mastermind/codemaker1.py"
RESET = "    dernier = None\n\n\ndef codebreaker(evaluation_p):\n"
TURN = "def codebreaker(evaluation_p):\n"
LATE = f"    dernier = None\n    tours.clear()\n\n\ntours = []\n\n\n{TURN}    tours.append(1)\n"
EIGHTH = f"{LATE}    if len(tours) == 8:\n        "
DRAW = "common.choices() if possibles is None"
ANSWER = "return common.evaluation(combinaison, solution)"


@dataclass(frozen=True)
class Planted:
    """A fault: in which project and file, what becomes what, the kind under which it is found, and what is said."""

    name: str
    file: str
    old: str
    new: str
    kind: str
    said: str
    project: str = "package"
    rules: str = "4x8/course"
    encoding: str = "utf-8"


PLANTED = (
    # what is imported
    Planted("no such name", BREAKER, "from . import common", "from . import comon as common", "crash", "'comon'"),
    Planted("one level too high", BREAKER, "from . import", "from .. import", "crash", "ImportError"),
    Planted(
        "no such package",
        "src/jeu/codebreaker2.py",
        "from jeu import",
        "from jeux import",
        "package",
        "the package 'jeux' is missing",
        "src_layout",
    ),
    Planted(
        "no such module",
        "codebreakers/codebreaker2.py",
        "import common\n",
        "import commun as common\n",
        "package",
        "the package 'commun' is missing",
        "folders",
    ),
    Planted("asks at its import", BREAKER, TURN, f"input()\n{TURN}", "crash", "EOFError: it waits for input()"),
    Planted("divides at its import", BREAKER, TURN, f"1 / 0\n{TURN}", "crash", "raised ZeroDivisionError"),
    Planted("leaves at its import", BREAKER, TURN, f"raise SystemExit\n{TURN}", "exit", "ends the program"),
    Planted("hangs at its import", BREAKER, TURN, f"while True: pass\n{TURN}", "time", "processor time for its import"),
    Planted("a file that is not there", BREAKER, TURN, f"open('valeurs.txt')\n{TURN}", "crash", "FileNotFoundError"),
    # what is no Python
    Planted("a PDF", BREAKER, FIRST_LINES, f"%PDF-1.4\n{FIRST_LINES}", "syntax", "it is no Python, but a PDF"),
    Planted("an archive", BREAKER, FIRST_LINES, f"PK\x03\x04{FIRST_LINES}", "syntax", "no Python, but an archive"),
    Planted("a page", BREAKER, FIRST_LINES, f"<!DOCTYPE html>\n{FIRST_LINES}", "syntax", "no Python, but a page"),
    Planted("a notebook", BREAKER, FIRST_LINES, f'{{"cells": []}}\n{FIRST_LINES}', "syntax", "but a notebook: export"),
    Planted("in Latin 1", BREAKER, FIRST_LINES, f"# été\n{FIRST_LINES}", "syntax", "not in UTF-8", encoding="latin-1"),
    Planted("tabs and spaces", BREAKER, RESET, RESET.replace("    d", "\td"), "syntax", "TabError"),
    # what only a long game shows
    Planted("raises late", BREAKER, RESET, f"{EIGHTH}raise ValueError('8')\n", "crash", "against the cheat, "),
    Planted("gives up late", BREAKER, RESET, f"{EIGHTH}return None\n", "type", "its guess is None"),
    Planted("too long late", BREAKER, RESET, f"{EIGHTH}return 'RRRRR'\n", "illegal", "has 5 letters; it must have 4"),
    Planted("ends late", BREAKER, RESET, f"{EIGHTH}import os; os._exit(3)\n", "ended", "ended with exit code 3"),
    Planted(
        "leaves late", BREAKER, RESET, f"{EIGHTH}raise SystemExit('assez')\n", "exit", "ends the program ('assez')"
    ),
    # codes that are something else
    Planted(
        "choices gives tuples",
        PACKAGE,
        '"".join(random.choices(COLORS, k=LENGTH))',
        "tuple(random.choices(COLORS, k=LENGTH))",
        "type",
        "choices() returns a tuple: the codes are tuples such as",
    ),
    Planted(
        "a set of tuples",
        PACKAGE,
        "return {code for code in toutes if",
        "return {tuple(code) for code in toutes if",
        "type",
        "returns a set of tuples: the codes are tuples such as",
    ),
    Planted(
        "a list of codes",
        PACKAGE,
        "{code for code in toutes if evaluation(guess, code) == rep}",
        "[code for code in toutes if evaluation(guess, code) == rep]",
        "type",
        "a list; it must be a set of codes",
    ),
    Planted(
        "a guess as a tuple", BREAKER, "return dernier", "return tuple(dernier)", "type", "its codes are tuples such as"
    ),
    Planted(
        "a guess as a list", BREAKER, "return dernier", "return list(dernier)", "type", "its codes are lists such as"
    ),
    # sizes that are not followed
    Planted(
        "a loop over four pegs",
        PACKAGE,
        "sum(1 for g, s in zip(guess, secret) if g == s)",
        "sum(guess[i] == secret[i] for i in range(4))",
        "follow",
        "does not follow LENGTH: it is right on 4x8/course",
    ),
    Planted(
        "choices of four", PACKAGE, "k=LENGTH", "k=4", "follow", "does not follow LENGTH: it is right on 4x8/course"
    ),
    Planted("codes of four", PACKAGE, "repeat=LENGTH", "repeat=4", "follow", "does not follow LENGTH: it is right on"),
    Planted(
        "codes of eight colors",
        PACKAGE,
        "product(COLORS",
        'product("RVBJNMOG"',
        "follow",
        "does not follow COLORS: it is right",
    ),
    Planted(
        "choices of eight colors",
        PACKAGE,
        "random.choices(COLORS",
        'random.choices("RVBJNMOG"',
        "follow",
        "does not follow COLORS: it is right",
    ),
    Planted(
        "a first guess of four",
        BREAKER,
        DRAW,
        "'RRVV' if possibles is None",
        "follow",
        "does not follow LENGTH: on 3x4",
    ),
    Planted(
        "a first guess of eight colors",
        BREAKER,
        DRAW,
        "('OGOG' * 9)[:common.LENGTH] if possibles is None",
        "follow",
        "does not follow COLORS: on 3x4",
    ),
    # who knows the secret
    Planted(
        "looks at frames",
        BREAKER,
        TURN,
        f"import sys\n\n\n{TURN}    cadre = sys._getframe()\n    while cadre and 'secret' not in cadre.f_locals:\n"
        "        cadre = cadre.f_back\n    return cadre.f_locals['secret'] if cadre else common.choices()\n",
        "knows the secret",
        "guesses where the secret is in the same process",
        rules="3x5/course",
    ),
    Planted(
        "looks at the stack",
        BREAKER,
        TURN,
        f"import inspect\n\n\n{TURN}    for cadre in inspect.stack():\n        if 'secret' in cadre.frame.f_locals:\n"
        "            return cadre.frame.f_locals['secret']\n    return common.choices()\n",
        "knows the secret",
        "guesses where the secret is in the same process",
        rules="3x5/course",
    ),
    # time
    Planted(
        "waits for ever",
        BREAKER,
        TURN,
        f"import time\n\n\n{TURN}    time.sleep(99)\n",
        "time",
        "it slept or waited",
    ),
    Planted("computes for ever", BREAKER, TURN, f"{TURN}    while evaluation_p: pass\n", "time", "for a turn"),
    # how functions are called
    Planted("init with an argument", BREAKER, "def init():", "def init(n):", "crash", "init raised TypeError"),
    Planted("codebreaker without one", BREAKER, TURN, "def codebreaker():\n", "crash", "codebreaker raised TypeError"),
    Planted(
        "init forgets",
        BREAKER,
        "    possibles = None\n    dernier = None\n\n",
        "    pass\n\n",
        "reset",
        "init() does not reset",
    ),
    # codemakers
    Planted(
        "a list as evaluation", MAKER, ANSWER, f"return list({ANSWER[7:]})", "type", ", a list; it must be a tuple"
    ),
    Planted(
        "a text as evaluation", MAKER, ANSWER, "return '%d,%d' % " + ANSWER[7:], "type", ", a str; it must be a tuple"
    ),
    Planted(
        "nothing at the end",
        MAKER,
        ANSWER,
        f"return {ANSWER[7:]} if combinaison != solution else None",
        "type",
        "its evaluation is None",
    ),
    Planted(
        "another secret each turn", MAKER, ANSWER, f"init()\n    {ANSWER}", "inconsistent", "but no secret fits turn"
    ),
    Planted("too many pegs", MAKER, ANSWER, "return 4, 1", "evaluation", "is (4, 1)"),
    Planted(
        "one secret for all", MAKER, "common.choices()", "'RVBJ'[:common.LENGTH]", "same secret", "the same secret"
    ),
    Planted(
        "well placed alone", MAKER, ANSWER, f"return {ANSWER[7:]}[0], 0", "inconsistent", "but no secret fits turn"
    ),
)


def plant_into(planted: Planted, folder: Path) -> Path:
    """Write the project with its fault into a folder."""
    student_project(planted.project, folder)
    file = folder / planted.file
    text = file.read_text(encoding="utf-8")
    assert planted.old in text, planted.name
    file.write_text(text.replace(planted.old, planted.new, 1), encoding=planted.encoding)
    return folder


def missed(planted: Planted, folder: Path) -> str | None:
    """Check the project with a fault; return what was found instead of it, None where it was found."""
    rules = Rules.parse(planted.rules)
    project = check_project(plant_into(planted, folder), rules, games=8, seconds=3, limits=LIMITS)
    mine = [each for each in project.wrong if each.file == planted.file]
    if any(each.kind == planted.kind and planted.said in each.text for each in mine):
        return None
    return "; ".join(f"{each.file}: {each.kind}: {each.text}" for each in project.wrong) or "nothing"


def main() -> None:
    """Try all of them, or those whose names have the word given, and say which were missed."""
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    tried = [planted for planted in PLANTED if word in planted.name]
    process.LOAD_SECONDS = 2.0
    found = 0
    for planted in tried:
        with TemporaryDirectory() as folder:
            instead = missed(planted, Path(folder))
        found += instead is None
        sys.stdout.write(f"{planted.name}: {'found' if instead is None else f'MISSED, found {instead}'}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{found} of {len(tried)} found\n")
    sys.exit(found < len(tried))


if __name__ == "__main__":
    main()
