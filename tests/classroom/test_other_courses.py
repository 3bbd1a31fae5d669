"""Ten projects of other courses, in ten styles, half of them right: what is understood of them, and what is not run."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from entropeg.classroom.findings import Project
from entropeg.classroom.functions.calls import meaning_of
from entropeg.classroom.functions.definitions import definitions
from entropeg.classroom.players import close_all
from entropeg.classroom.process import Limits
from entropeg.classroom.project import check_project
from entropeg.classroom.whole_class.checking import check_class
from entropeg.errors import InputError

LIMITS = Limits(turn_seconds=5.0, game_seconds=20.0, memory=1024)

SCRIPT = '''
import random

print("Welcome to MASTERMIND!")
LETTERS = "ROYGBP"
code = [random.choice(LETTERS) for _ in range(4)]
open("log.txt", "w").write("started")

def get_hint(code, guess):
    """X for right color and place, O for right color only."""
    hint = ""
    code, guess = list(code), list(guess)
    for i in range(len(code)):
        if code[i] == guess[i]:
            hint += "X"
            code[i] = guess[i] = None
    for peg in guess:
        if peg is not None and peg in code:
            hint += "O"
            code[code.index(peg)] = None
    return hint

tries = 0
while tries < 10:
    guess = input("Your guess? ").upper()
    hint = get_hint(code, guess)
    print(hint)
    if hint == "XXXX":
        break
    tries += 1
print("The code was", code)
'''

WINDOW = """
import pygame
from pygame.locals import *
import random

pygame.init()
SCREEN = pygame.display.set_mode((640, 800))
RED, GREEN = pygame.Color(255, 0, 0), pygame.Color(0, 255, 0)

class Board(pygame.sprite.Sprite):
    def __init__(self, screen):
        super().__init__()
        self.screen = screen
        self.font = pygame.font.Font(None, 32)
        self.secret = [random.randint(0, 5) for _ in range(4)]
        self.draw()

    def draw(self):
        pygame.draw.rect(self.screen, RED, (0, 0, 100, 100))

    def check_guess(self, guess):
        exact = sum(1 for a, b in zip(self.secret, guess) if a == b)
        common = sum(min(self.secret.count(c), guess.count(c)) for c in range(6))
        return exact, common - exact

board = Board(SCREEN)
running = True
while running:
    for event in pygame.event.get():
        if event.type == QUIT:
            running = False
    pygame.display.flip()
"""

PROPERTIES = '''
class Feedback:
    """The pins of one row."""

    def __init__(self, guess, secret):
        self._guess = guess
        self._secret = secret

    @property
    def black(self):
        return sum(g == s for g, s in zip(self._guess, self._secret))

    @property
    def white(self):
        return sum(g in self._secret for g in self._guess) - self.black
'''

ARRAYS = """
import numpy as np

N_COLORS = 6
rng = np.random.default_rng()

def score(guess, secret):
    exact = int(np.sum(guess == secret))
    shared = np.minimum(np.bincount(guess, minlength=N_COLORS), np.bincount(secret, minlength=N_COLORS)).sum()
    return np.array([exact, shared - exact])

def play():
    secret = rng.integers(0, N_COLORS, 4)
    while True:
        print(score(np.array([int(c) for c in input()]), secret))

if __name__ == "__main__":
    play()
"""

MENU = """
from random import choices as tirage
couleurs = ["rouge", "vert", "bleu", "jaune", "noir", "blanc"]

def menu():
    print("1. Jouer  2. Règles  3. Quitter")
    return int(input("Votre choix : "))

def tirer(longueur):
    return tirage(couleurs, k=longueur)

def corrige(proposition, solution, longueur):
    bien, mal = 0, 0
    reste = list(solution)
    for i in range(longueur):
        if proposition[i] == solution[i]:
            bien += 1
        elif proposition[i] in reste:
            mal += 1
        if proposition[i] in reste:
            reste.remove(proposition[i])
    return bien, mal

choix = menu()
while choix != 3:
    if choix == 1:
        solution = tirer(4)
        print(corrige(input().split(), solution, 4))
    choix = menu()
"""

GLOBAL = """
import random
CODE_LENGTH = 4
secret_code = ""

def new_game():
    global secret_code
    secret_code = "".join(random.choice("123456") for _ in range(CODE_LENGTH))

def give_feedback(guess):
    placed = 0
    for i in range(CODE_LENGTH):
        if guess[i] == secret_code[i]:
            placed += 1
    total = sum(min(guess.count(d), secret_code.count(d)) for d in set(guess))
    return {"correct_place": placed, "correct_color": total - placed}

new_game()
print(give_feedback(input("> ")))
"""

ENUMS = """
from enum import Enum, auto

class Color(Enum):
    RED = auto()
    GREEN = auto()
    BLUE = auto()
    YELLOW = auto()
    ORANGE = auto()
    PURPLE = auto()

class Mark(Enum):
    BLACK = "black"
    WHITE = "white"

def respond(guess: list[Color], secret: list[Color]) -> list[Mark]:
    assert all(isinstance(peg, Color) for peg in guess)
    blacks = sum(1 for a, b in zip(guess, secret) if a is b)
    whites = sum(min(guess.count(c), secret.count(c)) for c in Color)
    return [Mark.BLACK] * blacks + [Mark.WHITE] * whites
"""

PRINTS = """
def indice(secret, proposition):
    bien = 0
    mal = 0
    secret, proposition = list(secret), list(proposition)
    for i in range(4):
        if secret[i] == proposition[i]:
            bien = bien + 1
            secret[i] = "x"
            proposition[i] = "y"
    for i in range(4):
        if proposition[i] in secret:
            mal = mal + 1
            secret[secret.index(proposition[i])] = "x"
    print("Bien placés :", bien, "- mal placés :", mal)
"""

OBJECTS = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Combination:
    pegs: tuple

    def matches(self, other):
        exact = sum(a == b for a, b in zip(self.pegs, other.pegs))
        return exact, len(set(self.pegs) & set(other.pegs)) - exact
"""

GAME = '''
import random

class Player:
    def __init__(self, name):
        self.name = name

    def ask(self):
        return input(f"{self.name}, your guess: ")

class Game:
    """A game of Mastermind."""

    COLORS = "RGBYOP"

    def __init__(self, length=4, tries=10):
        self.length = length
        self.tries = tries
        self.secret = "".join(random.choice(self.COLORS) for _ in range(length))

    def _well_placed(self, guess):
        return sum(guess[i] == self.secret[i] for i in range(self.length))

    def evaluator(self, guess):
        well = self._well_placed(guess)
        common = sum(min(guess.count(c), self.secret.count(c)) for c in self.COLORS)
        return (well, common)

    def run(self):
        player = Player(input("Name? "))
        while self.evaluator(player.ask())[0] < self.length:
            pass

Game().run()
'''


class OtherCourse(NamedTuple):
    """A project of another course: its file, the verdict on it, the kind of its mistake, and what is said of it."""

    text: str
    verdict: str
    kind: str
    said: str


COURSES = {
    "script": OtherCourse(SCRIPT, "right", "", "get_hint is right on "),
    "window": OtherCourse(WINDOW, "right", "", "it.secret = "),
    "properties": OtherCourse(PROPERTIES, "wrong", "multiplicity", "Feedback('RR', 'RV') returns Feedback("),
    "arrays": OtherCourse(ARRAYS, "right", "", "takes NumPy arrays of whole numbers from 0"),
    "menu": OtherCourse(MENU, "wrong", "one pass", "; 1 well placed and 0 misplaced is right"),
    "global": OtherCourse(GLOBAL, "right", "", "called as secret_code = "),
    "enums": OtherCourse(ENUMS, "wrong", "not subtracted", "respond([<Color.RED"),
    "prints": OtherCourse(PRINTS, "right", "", "prints well placed, then misplaced: 'Bien placés : "),
    "objects": OtherCourse(OBJECTS, "wrong", "set", ").matches(Combination("),
    "game": OtherCourse(
        GAME, "wrong", "not subtracted", "it = Game(); it.secret = 'RR'; it.evaluator('RR') returns (2, 2)"
    ),
}


ROWS = {
    "script": "a script that asks as soon as it is imported, functions beside its loop",
    "window": "a window (pygame, tkinter, turtle, ...), installed or not",
    "properties": "an object of guess and secret, with properties for the two numbers",
    "arrays": "NumPy arrays",
    "menu": "functions beside a `menu()`, with the length or the colors as a third argument",
    "global": "a function of the guess alone, the secret in a variable of its module",
    "enums": "colors as an `Enum`, as words, letters, numbers, marks as an `Enum`",
    "prints": "a function that prints its answer and returns nothing",
    "objects": "codes as objects of a class, compared by a method",
    "game": "a class `Game`: the secret given to its constructor, set in it, or drawn by it; static methods",
}
"""Each as the table of docs/do/classroom.md has it."""


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def checked(folder: Path, **files: str) -> Project:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return check_project(folder, limits=LIMITS)


@pytest.mark.parametrize("name", COURSES)
def test_a_project_of_another_course_is_judged_by_what_its_functions_do(name: str, tmp_path: Path) -> None:
    course = COURSES[name]

    judged = [each for each in checked(tmp_path, **{name: course.text}).findings if each.verdict != "note"]

    assert [(f"{name}.py", course.verdict, course.kind)] == [(each.file, each.verdict, each.kind) for each in judged]
    assert course.said in judged[0].text


def test_several_projects_of_another_course_are_a_class(tmp_path: Path) -> None:
    texts = {"anna": SCRIPT, "ben": GAME, "chloe": "number = int(input())\n"}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "project.py").write_text(text, encoding="utf-8")

    checked = check_class([tmp_path / name for name in texts], limits=LIMITS)
    assert ["right", "wrong", "note"] == [each.verdict for each in checked.members]
    assert "without functions, nothing in it can be called" in str(checked.members[2].trouble)


def test_the_table_of_what_is_understood_has_each_of_them() -> None:
    page = (Path(__file__).parents[2] / "docs/do/classroom.md").read_text(encoding="utf-8")

    assert set(COURSES) == set(ROWS)
    assert [] == [row for row in ROWS.values() if f"\n| {row} | yes" not in page]


def test_nothing_runs_but_what_is_called(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    place = f"{traces.as_posix()}/"
    program = f"""
import os, subprocess, sys
from pathlib import Path
from helper import evaluate as other
open({place + "main"!r}, "w")
Path({place + "path"!r}).touch()
os.mkdir({place + "folder"!r})
class Game:
    os.mkdir({place + "class"!r})
    def save(self, name, score):
        Path({place + "saved"!r}).write_text(name)
    def result(self, name, score):
        os.mkdir({place + "result"!r})
def compare(a, b, log=open({place + "default"!r}, "w")):
    subprocess.run([sys.executable, "-c", "open({place + "child"!r}, 'w')"])
for number in range(3):
    open({place + "loop"!r}, "w")
if __name__ == "__main__":
    open({place + "guarded"!r}, "w")
else:
    open({place + "imported"!r}, "w")
input("Play? ")
"""
    helper = f"""
open({place + "helper"!r}, "w")
def evaluate(guess, secret):
    placed = sum(a == b for a, b in zip(guess, secret))
    return placed, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - placed
while True: input("Still there? ")
"""
    rows = checked(tmp_path, program=program, helper=helper).findings

    assert [("helper.py", "right")] == [(each.file, each.verdict) for each in rows]
    assert [] == list(traces.iterdir())


def test_what_a_file_defines_is_told_from_its_program() -> None:
    text = """
from __future__ import annotations
import random, sys
from dataclasses import dataclass, field
LENGTH, COLORS = 4, "RGBY"
ALL = [a + b for a in COLORS for b in COLORS]
sys.setrecursionlimit(10_000)
def double(x: int = int(input())) -> list[int]: return [x, x]
PAIRS = list(map(double, range(3)))
FIRST = double(1)
def asks(): return input()
ASKED = asks()
AFTER = [ASKED, 1]
@dataclass
class Pair:
    left: int
    right: list[int] = field(default_factory=list)
    shown = print("no")
try:
    import fast
except ImportError:
    fast = None
if len(COLORS) > 3:
    BIG = True
for color in COLORS:
    ALL.append(color)
for turn in range(10):
    print(turn)
game = Pair(int(input()))
"""
    names: dict[str, Any] = {"__name__": __name__, "__entropeg_left_out__": lambda _names, _error: None}
    exec(compile(definitions(ast.parse(text)), "tried", "exec"), names)  # noqa: S102 (what is tested is that it may be)

    assert {"PAIRS", "FIRST", "Pair", "BIG", "fast"} < set(names)
    assert not {"ASKED", "AFTER", "game", "turn"} & set(names)
    assert 20 == len(names["ALL"])
    assert [None, None] == names["double"]()
    assert not hasattr(names["Pair"], "shown")


def test_a_missing_package_hides_no_module(tmp_path: Path) -> None:
    needed = "import not_there_at_all as na\ndef evaluate(guess, secret):\n    return na.count(guess, secret)\n"
    harmless = f"from not_there_at_all import draw, Shape\nclass Picture(Shape):\n    size = Shape(4)\n{PRINTS}"

    rows = [
        (each.file, each.verdict, each.text) for each in checked(tmp_path, needed=needed, harmless=harmless).findings
    ]

    assert ["right", "note", "note"] == [
        row[1] for row in rows if row[0] == "harmless.py" and "works for" not in row[2]
    ]
    assert ("harmless.py", "note", "not installed here: not_there_at_all; what needs none of them was judged") in rows
    assert any("evaluate needs the package not_there_at_all, which is not loaded here" in row[2] for row in rows)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import not_there as n\ndef score(a, b): return n.f(a)\n", "score needs the package not_there, which is not "),
        ("import no_n as n\ndef score(a, b):\n try: return n.f()\n except Exception: return 0, 0\n", "package no_n, "),
        ("T = eval(input())\ndef score(a, b): return T[a]\n", "score needs T, which only the program sets as it runs"),
        ("n = int(input())\nwhile n: n -= 1\n", "project.py: without functions, nothing in it can be called"),
        ("def menu(): return input()\nmenu()\n", "no function in project.py answers as an evaluation does"),
        ("class A:\n    def f(self): raise SystemExit\ndef compare(a, b): exit()\n", "no function in project.py"),
    ],
)
def test_where_nothing_is_understood_the_cause_is_said(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no module of the course") as told:
        checked(tmp_path, project=text)

    assert said in str(told.value)


def test_a_package_that_the_project_can_do_without_is_not_stood_in_for(tmp_path: Path) -> None:
    text = f"try:\n    import not_there as n\nexcept ImportError:\n    n = None\n{SCRIPT}"
    text = text.replace(
        "code, guess = list(code), list(guess)", "assert n is None; code, guess = list(code), list(guess)"
    )

    assert ["right"] == [each.verdict for each in checked(tmp_path, project=text).findings]


def test_a_file_with_a_name_of_the_course_and_classes_is_of_another_course(tmp_path: Path) -> None:
    [found] = checked(tmp_path, codemaker=GAME.replace("return (well, common)", "return well, common - well")).findings

    assert ("codemaker.py", "right") == (found.file, found.verdict)


def test_codes_without_repeats_are_enough_where_no_others_are_drawn(tmp_path: Path) -> None:
    text = """
from random import sample, choices
def secret(): return "".join(DRAW("0123456789", k=4))
def cows(secret, guess):
    bulls = sum(a == b for a, b in zip(secret, guess))
    return bulls, sum(c in secret for c in guess) - bulls
"""
    once = checked(tmp_path, project=text.replace("DRAW", "sample").replace(", choices", "")).findings
    twice = checked(tmp_path, project=text.replace("DRAW", "choices")).findings

    assert ["right", "note"] == [each.verdict for each in once]
    assert [("wrong", "multiplicity"), ("note", "")] == [(each.verdict, each.kind) for each in twice]
    assert "cows is right where no color occurs twice in a code" == twice[1].text


def test_one_mistake_is_charged_once(tmp_path: Path) -> None:
    text = """
def score(guess, secret):
    return sum(a == b for a, b in zip(guess, secret)), 0
class Game:
    def __init__(self, secret): self.secret = secret
    def evaluate(self, guess): return score(guess, self.secret)
"""
    rows = checked(tmp_path, project=text).findings

    assert [("wrong", "no misplaced"), ("note", "follows")] == [(row.verdict, row.kind) for row in rows]
    assert rows[1].text.endswith("line 6: Game.evaluate is wrong through score, which it calls")


def test_halves_of_an_evaluation_are_judged_by_themselves_where_nothing_joins_them(tmp_path: Path) -> None:
    text = """
def noirs(a, b): return sum(x == y for x, y in zip(a, b))
def blancs(a, b): return sum(min(a.count(c), b.count(c)) for c in set(a)) - noirs(a, b)
"""
    rows = checked(tmp_path, project=text).findings

    assert ["noirs", "blancs"] == [row.text.split()[0] for row in rows]
    assert ["how many are well placed", "how many are misplaced"] == [row.text.split("returns ")[1] for row in rows]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("N = int(input())\ndef score(a, b):\n    RIGHT\n    return p[:N], m[:N]", "N = 4; score("),
        (
            (
                "class C:\n    def __init__(self, v): self.v = v\n    def compare(self, o):\n        "
                "a, b = self.v, o.v\n        "
                "RIGHT\n        return p, m"
            ),
            ").compare(C(",
        ),
        (
            "class G:\n    @staticmethod\n    def check(a, b):\n        RIGHT\n        return p, m",
            "called as G.check('",
        ),
        (
            "class G:\n    @classmethod\n    def check(cls, n, a, b):\n        RIGHT\n        return p, m",
            "G.check(4, '",
        ),
        (
            (
                "class G:\n    def __init__(self, secret, tries=3): self.__s = secret\n    def check(self, a):\n"
                "        b = self.__s\n        RIGHT\n        return p, m"
            ),
            "called as G('",
        ),
        (
            (
                "class G:\n    def __init__(self): self.code = input()\n    def check(self, a):\n        "
                "b = self.code\n        "
                "RIGHT\n        return p, m"
            ),
            "it = G.__new__(G); it.code = ",
        ),
        (
            "def score(a, b):\n    for at in range(5): a[at], b[at]\n    RIGHT\n    return p, m",
            "score is right: 200 ",
        ),
        (
            "def score(a, b):\n    a, b = str(a), str(b)\n    int(a)\n    RIGHT\n    return {'in': m, 'at': p}",
            "under 'at'",
        ),
    ],
)
def test_a_right_evaluation_is_right_however_it_is_called(text: str, call: str, tmp_path: Path) -> None:
    indent = text.partition("RIGHT")[0].rpartition("\n")[2]
    body = f"p = [1 for x, y in zip(a, b) if x == y]\n{indent}m = [1 for c in set(a) for _ in range("
    body += f"min(a.count(c), b.count(c)))][len(p):]\n{indent}"
    body += "p, m = (p, m) if 'N' in globals() else (len(p), len(m))"

    judged = [
        each for each in checked(tmp_path, project=text.replace("RIGHT", body)).findings if each.verdict != "note"
    ]

    assert ["right"] == [each.verdict for each in judged]
    assert call in judged[0].text


def test_a_package_of_several_files_is_understood(tmp_path: Path) -> None:
    files = {
        "__init__": "",
        "ui": "def ask():\n    return input('Play? ')\nprint(ask())\n",
        "colors": "from enum import Enum\nColor = Enum('Color', 'RED BLUE GREEN WHITE BLACK')\n",
        "code": """
from .colors import Color
import random
class Code:
    def __init__(self, pegs): self.pegs = tuple(pegs)
    @classmethod
    def random(cls, n): return cls(random.choices(list(Color), k=n))
""",
        "game": """
from .code import Code
from .ui import ask
class Game:
    def __init__(self, player="A", length=4):
        self.player, self.secret = player, Code.random(length)
    def try_code(self, code):
        mine, theirs = list(self.secret.pegs), list(code.pegs)
        exact = sum(a is b for a, b in zip(mine, theirs))
        return {"exact": exact, "near": sum(min(mine.count(c), theirs.count(c)) for c in set(mine)) - exact}
""",
    }
    (tmp_path / "mastermind").mkdir()
    for name, text in files.items():
        (tmp_path / "mastermind" / f"{name}.py").write_text(text, encoding="utf-8")

    [found] = checked(tmp_path, main="from mastermind.game import Game\nprint(Game(input()))\n").findings
    assert ("mastermind/game.py", "right") == (found.file, found.verdict)
    assert "it = Game(); it.secret = Code(" in found.text


@pytest.mark.parametrize(
    ("text", "call"),
    [
        (
            (
                "from abc import ABC, abstractmethod\nclass Maker(ABC):\n"
                "    def __init__(self): self._code = self.pick()\n"
                "    @abstractmethod\n    def pick(self): ...\n    def answer(self, a): return marks(a, self._code)\n"
                "class Human(Maker):\n    def pick(self): return input()\n"
            ),
            "it = Human.__new__(Human); it._code = ",
        ),
        (
            (
                "class Board:\n    def __init__(self, length, colors):\n        self.all = range(colors + length)\n"
                "    def check(self, guess, solution):\n        return self.all and marks(guess, solution)\n"
            ),
            "called as Board(4, 6).check(",
        ),
        (
            "from functools import lru_cache\n@lru_cache\ndef note(a, b): return marks(a, b)\nT = [note('RV', 'VR')]\n",
            "note is right",
        ),
    ],
)
def test_classes_and_decorated_functions_are_called_as_they_can_be(text: str, call: str, tmp_path: Path) -> None:
    marks = """
def marks(a, b):
    placed = sum(x == y for x, y in zip(a, b))
    return placed, sum(min(a.count(c), b.count(c)) for c in set(a)) - placed
input("Again? ")
"""
    found = checked(tmp_path, project=f"{text}{marks}").findings

    assert any(call in each.text for each in found)
    assert {"right"} == {each.verdict for each in found}


def test_an_evaluation_that_fails_on_one_pair_of_codes_is_told_with_it(tmp_path: Path) -> None:
    text = """
def evaluate(a, b):
    placed = sum(x == y for x, y in zip(a, b))
    if a[0] == a[1] == a[2] != a[3] and b == a[::-1]: raise ValueError("rare")
    return placed, sum(min(a.count(c), b.count(c)) for c in set(a)) - placed
"""
    [found] = checked(tmp_path, project=text).findings

    assert ("wrong", "crash") == (found.verdict, found.kind)
    assert "evaluate('RRRV', 'VRRR') raises ValueError: rare (line 4)" in found.text


def test_functions_that_only_sound_like_evaluations_are_passed_over(tmp_path: Path) -> None:
    others = """
def check_win(guess, secret): return guess == secret
def match(a, b): return len(set(a) & set(b))
def score(name, points): return name + ": " + str(points)
def verify(code, n): return len(code) == n
def compare(a, b): return [x == y for x, y in zip(a, b)]
class Feedback:
    def __init__(self, row, marks): self.row, self.marks = row, marks
"""
    found = checked(tmp_path, project=others, right=SCRIPT).findings

    assert [("right.py", "right")] == [(each.file, each.verdict) for each in found]


def test_a_window_that_a_file_keeps_in_a_variable_hides_no_evaluation(tmp_path: Path) -> None:
    text = """
import pygame
SCREEN = pygame.display.set_mode((640, 480))
def draw(board): pygame.draw.rect(SCREEN, (0, 0, 0), board)
def evaluate(guess, secret):
    placed = sum(a == b for a, b in zip(guess, secret))
    return placed, sum(min(guess.count(c), secret.count(c)) for c in set(guess)) - placed
"""
    found = checked(tmp_path, project=text).findings

    assert [("project.py", "right")] == [(each.file, each.verdict) for each in found if each.verdict != "note"]


def test_names_of_parameters_say_what_they_are_given() -> None:
    names = [
        "secret_code",
        "proposition",
        "longueur",
        "nb_couleurs",
        "palette",
        "player_name",
        "max_tries",
        "code",
        "x",
    ]

    assert ["secret", "guess", "pegs", "colors", "palette", "name", "turns", "", ""] == [*map(meaning_of, names)]
