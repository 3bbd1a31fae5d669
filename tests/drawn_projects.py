"""Draws whole projects of the course: how they are written, what lies beside, and one fault or none.

`python tests/drawn_projects.py [PROJECTS [SEED]]` checks thirty, or as many as it is told, and says how each is judged.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from a_class import DRAWS, EVALUATIONS, PICKS, TIES
from entropeg.classroom.findings import Project
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from planted import EXAMPLES, PLANTS, Plant, with_fault
from student_projects import files_of

LIMITS = Limits(turn_seconds=5.0, game_seconds=60.0, memory=1024)
PLAYERS = ("codebreaker0.py", "codebreaker1.py", "codebreaker2.py", "codemaker1.py", "codemaker2.py")

Files = dict[str, str]
Dress = Callable[[Files], Files]


@dataclass(frozen=True)
class Drawn:
    """A project in a folder: its fault, if it has one, how it is dressed, and where its fault must be found."""

    folder: Path
    fault: Plant | None
    dress: str
    beside: tuple[str, ...]
    file: str = ""

    @property
    def expected(self) -> list[tuple[str, str]]:
        """What must be called wrong, and nothing else."""
        return [(self.file, self.fault.kind)] if self.fault else []

    @property
    def says(self) -> str:
        """How it was drawn, in one line."""
        return f"{self.fault.name if self.fault else 'right'}; {self.dress}; beside: {', '.join(self.beside) or '-'}"


# ---------------------------------------------------------------------- ways to write the same


def _as_it_is(files: Files) -> Files:
    return files


def _older_handout(files: Files) -> Files:
    # choices(e, n) returns a list, which its docstring promises.
    told = {
        name: text.replace("common.choices()", '"".join(common.choices(common.COLORS, common.LENGTH))')
        for name, text in files.items()
    }
    common = files["common.py"]
    start, end = common.index("def choices():"), common.index("def all_codes")
    drawn = 'def choices(e, n):\n    """Return a list of n elements of e."""\n    return random.choices(e, k=n)\n\n\n'
    return {**told, "common.py": common[:start] + drawn + common[end:]}


def _another_reading(files: Files) -> Files:
    # The guess itself is no longer possible, and the set that was changed is returned as well.
    text = files["common.py"].replace(
        "evaluation(guess, code) == answer}", "evaluation(guess, code) == answer} - {guess}"
    )
    text += "    possibles.discard(guess)\n    return possibles\n"
    return {**files, "common.py": text}


def _in_folders(files: Files) -> Files:
    return {
        name if name == "common.py" else f"{name.rstrip('.py0123456789')}s/{name}": text for name, text in files.items()
    }


def _in_src(files: Files) -> Files:
    return {f"src/{name}": text for name, text in files.items()}


def _as_package(files: Files) -> Files:
    moved = {
        f"jeu/{name}": text.replace("import common\n", "from . import common\n", 1) for name, text in files.items()
    }
    return {"jeu/__init__.py": "", **moved}


def _names_taken(files: Files) -> Files:
    # `from common import evaluation` and so on, but for the board, which has to follow.
    names = ("evaluation", "donner_possibles", "maj_possibles", "choices", "all_codes")
    told = dict(files)
    for name, text in files.items():
        used = [each for each in names if f"common.{each}(" in text]
        if name == "common.py" or not used or "codebreaker(evaluation)" in text:
            continue
        called = re.sub(rf"common\.({'|'.join(used)})\(", r"\1(", text)
        told[name] = called.replace("import common\n", f"import common\nfrom common import {', '.join(used)}\n", 1)
    return told


def _other_letters(files: Files) -> Files:
    letters = '["R", "V", "B", "J", "N", "M", "O", "G"]'
    return {name: text.replace(letters, 'list("ABCDEFGH")') for name, text in files.items()}


def _windows(files: Files) -> Files:
    return {name: text.replace("\n", "\r\n") for name, text in files.items()}


def _tabs(files: Files) -> Files:
    return {name: text.replace("    ", "\t") for name, text in files.items()}


def _printing(files: Files) -> Files:
    return {name: f'print("importé : {name}")\n{text}' if name != "common.py" else text for name, text in files.items()}


DRESSES: dict[str, Dress] = {
    "as the handout has it": _as_it_is,
    "an older handout": _older_handout,
    "the guess leaves the set": _another_reading,
    "players in folders": _in_folders,
    "all in src": _in_src,
    "a package": _as_package,
    "names taken from common": _names_taken,
    "other letters": _other_letters,
    "lines of Windows": _windows,
    "tabs": _tabs,
    "prints as it is imported": _printing,
}

# ---------------------------------------------------------------------- what lies beside

WINDOW = """
import pygame
from codebreaker2 import codebreaker, init

pygame.init()
ecran = pygame.display.set_mode((400, 600))
while True:
    for evenement in pygame.event.get():
        print(codebreaker(None))
"""

FIGURES = """
import matplotlib.pyplot as plt
import bibliotheque_de_traces
import codebreaker2
import codemaker1

plt.hist([4, 5, 6])
plt.show()
"""

TESTS = """
import common


def test_evaluation():
    assert common.evaluation("RRVB", "RVBR") == (1, 3)


if __name__ == "__main__":
    test_evaluation()
    print("ok")
"""

PEOPLE = files_of("players_for_people")

BESIDE: dict[str, Callable[[Files], Files]] = {
    "players for people": lambda _: {each: PEOPLE[each] for each in ("human_codebreaker.py", "human_codemaker.py")},
    "a window that needs a package": lambda _: {"fenetre.py": WINDOW, "requirements.txt": "pygame_du_lycee\n"},
    "figures that need a package": lambda _: {"figures.py": FIGURES},
    "tests": lambda _: {"tests/test_common.py": TESTS, "test_common.py": TESTS},
    "copies": lambda files: {
        f"{name.removesuffix('.py')} - Copie.py": text
        for name, text in files.items()
        if name.endswith(("codemaker1.py", "codebreaker2.py"))
    },
    "the codemaker of the handout": lambda _: {},
    "a report": lambda _: {"rapport.md": "# Rapport\n", "notes.txt": "def codebreaker(\n"},
}

HANDOUT = '''"""Codemaker 0: counts well placed pegs alone."""

import common

secret = None


def init():
    global secret
    secret = common.choices()


def codemaker(guess):
    return sum(g == s for g, s in zip(guess, secret)), 0
'''


# ---------------------------------------------------------------------- drawing


def draw_project(
    folder: Path, seed: int, *, fault: Plant | None, dress: str, players: tuple[str, ...] = PLAYERS
) -> Drawn:
    """Write a project with the fault, in that dress, everything else drawn by the seed."""
    chance = random.Random(seed)
    wanted = {"common.py", *players, *([fault.file] if fault else [])}
    files = {name: (EXAMPLES / name).read_text(encoding="utf-8") for name in sorted(wanted)}
    if fault:
        files[fault.file] = with_fault(files[fault.file], fault)
    for ways in (EVALUATIONS, DRAWS, PICKS, TIES):
        way = chance.choice(ways)
        # What the fault is in stays as it is.
        files = {
            name: text if fault and name == fault.file else text.replace(ways[0], way) for name, text in files.items()
        }
    beside = tuple(chance.sample(sorted(BESIDE), chance.randrange(3)))
    if "the codemaker of the handout" in beside:
        files["codemaker0.py"] = HANDOUT
    before = list(files)
    files = DRESSES[dress](files)
    where = dict(zip(before, [name for name in files if name != "jeu/__init__.py"], strict=True))
    for each in beside:
        files |= BESIDE[each](files)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        encoding = "utf-16" if name == "requirements.txt" else "utf-8"
        (folder / name).write_text(text, encoding=encoding, newline="")
    return Drawn(folder, fault, dress, beside, where[fault.file] if fault else "")


def draw_projects(folder: Path, projects: int, seed: int) -> list[Drawn]:
    """Write projects, each third one right; no fault and no dress comes twice before all have come."""
    chance = random.Random(seed)
    faults, dresses = chance.sample(PLANTS, len(PLANTS)), chance.sample(sorted(DRESSES), len(DRESSES))
    made, dealt = [], cycle(faults)
    for number in range(projects):
        fault = None if number % 3 == 0 else next(dealt)
        dress = dress_for(fault, number, dresses)
        made.append(
            draw_project(folder / f"projet_{number + 1:02}", chance.randrange(1 << 30), fault=fault, dress=dress)
        )
    return made


def dress_for(fault: Plant | None, number: int, dresses: Sequence[str] = tuple(DRESSES)) -> str:
    """Return the dress of that number, or the next one that leaves the lines alone in which the fault is."""
    turned = [*dresses[number % len(dresses) :], *dresses[: number % len(dresses)]]
    return next(dress for dress in turned if fault is None or _fits(fault, dress))


def _fits(fault: Plant, dress: str) -> bool:
    if fault.file == "common.py" and dress in {"an older handout", "the guess leaves the set"}:
        return False
    files = {name: (EXAMPLES / name).read_text(encoding="utf-8") for name in {"common.py", fault.file}}
    dressed = DRESSES[dress](files).values()
    return any(fault.old in text.replace("\r\n", "\n").replace("\t", "    ") for text in dressed)


def judge(drawn: Drawn, seed: int = 0) -> Project:
    """Check a project as `entropeg classroom check` does."""
    return check_project(drawn.folder, games=10, seconds=10, limits=LIMITS, seed=seed)


def main(projects: int = 30, seed: int = 0) -> int:
    """Check projects and say how each was judged; return how many were judged otherwise than they should."""
    missed = 0
    with TemporaryDirectory() as folder:
        for number, drawn in enumerate(draw_projects(Path(folder), projects, seed), 1):
            found = judge(drawn, seed)
            is_so = drawn.expected == [(each.file, each.kind) for each in found.wrong]
            missed += not is_so
            lines = [
                f"{number:3} {'as drawn' if is_so else 'OTHERWISE'}: {drawn.says}; follows: {found.follows_count}",
                *([] if is_so else [f"      {each.file}: {each.verdict}: {each.text}" for each in found.findings]),
            ]
            sys.stdout.write("\n".join([*lines, ""]))
            sys.stdout.flush()
            close_all()
    sys.stdout.write(f"{projects} projects, {projects - missed} judged as they were drawn\n")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main(*map(int, sys.argv[1:]))))
