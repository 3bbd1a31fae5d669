"""Projects of the course with one fault each, planted into the example modules; for tests and the benchmark."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).parent.parent / "examples" / "classroom"


@dataclass(frozen=True)
class Plant:
    """A fault: in which file, what becomes what, and the kind under which it must be found."""

    name: str
    file: str
    old: str
    new: str
    kind: str


PLANTS = (
    Plant(
        "wrong multiplicity",
        "common.py",
        "min(guess.count(color), secret.count(color))",
        "guess.count(color) * (color in secret)",
        "multiplicity",
    ),
    Plant(
        "evaluation returns a list",
        "common.py",
        "return placed, shared - placed",
        "return [placed, shared - placed]",
        "type",
    ),
    Plant(
        "black and white exchanged",
        "common.py",
        "return placed, shared - placed",
        "return shared - placed, placed",
        "swapped",
    ),
    Plant(
        "misplaced not subtracted",
        "common.py",
        "return placed, shared - placed",
        "return placed, shared",
        "not subtracted",
    ),
    Plant(
        "sets of colors",
        "common.py",
        "shared = sum(min(guess.count(color), secret.count(color)) for color in set(guess))",
        "shared = len(set(guess) & set(secret))",
        "set",
    ),
    Plant(
        "one pass",
        "common.py",
        "return placed, shared - placed",
        "rest, misplaced = list(secret), 0\n    for g, s in zip(guess, secret):\n"
        "        misplaced += g != s and g in rest\n        if g in rest:\n            rest.remove(g)\n"
        "    return placed, misplaced",
        "one pass",
    ),
    Plant("counts twice", "common.py", "for color in set(guess))", "for color in guess)", "twice"),
    Plant("no misplaced", "common.py", "return placed, shared - placed", "return placed, 0", "no misplaced"),
    Plant(
        "the last peg is left out",
        "common.py",
        "    placed = sum(",
        "    guess, secret = guess[:-1], secret[:-1]\n    placed = sum(",
        "last peg",
    ),
    Plant(
        "maj_possibles makes a new set",
        "common.py",
        "for code in list(possibles):\n        if evaluation(guess, code) != answer:\n"
        "            possibles.remove(code)",
        "return {code for code in possibles if evaluation(guess, code) == answer}",
        "not in place",
    ),
    Plant(
        "donner_possibles keeps too much",
        "common.py",
        "if evaluation(guess, code) == answer}",
        "if evaluation(guess, code)[0] == answer[0]}",
        "wrong set",
    ),
    Plant(
        "choices draws tuples",
        "common.py",
        'return "".join(random.choices(COLORS, k=LENGTH))',
        "return tuple(random.choices(COLORS, k=LENGTH))",
        "type",
    ),
    Plant(
        "evaluation of four pegs",
        "common.py",
        "sum(g == s for g, s in zip(guess, secret))",
        "sum(guess[i] == secret[i] for i in range(4))",
        "follow",
    ),
    Plant("codes of four pegs", "common.py", "product(COLORS, repeat=LENGTH)", "product(COLORS, repeat=4)", "follow"),
    Plant(
        "maj_possibles loses a code",
        "common.py",
        "if evaluation(guess, code) != answer:",
        "if evaluation(guess, code) != answer or code == min(possibles):",
        "wrong set",
    ),
    Plant("forgets init", "codebreaker2.py", "def init():", "def initialize():", "init"),
    Plant("init forgets to forget", "codebreaker1.py", "played.clear()", "pass", "reset"),
    Plant("repeats guesses", "codebreaker1.py", "while guess in played", "while guess in list(played)[1:]", "repeats"),
    Plant(
        "endless loop",
        "codebreaker2.py",
        "    if possibles is None:",
        "    while evaluation[0] == 1: pass\n    if possibles is None:",
        "time",
    ),
    Plant("guess is a list", "codebreaker0.py", "return common.choices()", "return list(common.choices())", "type"),
    Plant("guess too long", "codebreaker0.py", "return common.choices()", "return common.choices() + 'R'", "illegal"),
    Plant(
        "unknown color", "codebreaker0.py", "return common.choices()", "return 'X' + common.choices()[1:]", "illegal"
    ),
    Plant("crash", "codebreaker2.py", "random.choice(sorted(possibles))", "sorted(possibles)[len(possibles)]", "crash"),
    Plant(
        "ends the program",
        "codebreaker2.py",
        "    if possibles is None:",
        "    if evaluation[1]: raise SystemExit(3)\n    if possibles is None:",
        "exit",
    ),
    Plant("process ends", "codebreaker0.py", "return common.choices()", "import os; os._exit(7)", "ended"),
    Plant("fills the memory", "codebreaker0.py", "return common.choices()", "return [0] * (1 << 40)", "memory"),
    Plant(
        "inconsistent guesses",
        "codebreaker2.py",
        "last = random.choice(sorted(possibles))",
        "last = common.choices()",
        "not consistent",
    ),
    Plant(
        "largest instead of smallest",
        "codebreaker3.py",
        "return min(guesses, key=lambda guess: (worst_case(guess, possibles), guess not in possibles))",
        "return max(possibles, key=lambda guess: worst_case(guess, possibles))",
        "not minimax",
    ),
    Plant(
        "knows four pegs only",
        "codebreaker1.py",
        "guess = common.choices()\n    while",
        "guess = ''.join(random.choice(common.COLORS) for _ in range(4))\n    while",
        "follow",
    ),
    Plant("changes its secret", "codemaker1.py", "    return common", "    init()\n    return common", "inconsistent"),
    Plant(
        "hides one secret",
        "codemaker1.py",
        "secret = common.choices()",
        'secret = "".join(common.COLORS)[:common.LENGTH]',
        "same secret",
    ),
    Plant(
        "impossible evaluation",
        "codemaker1.py",
        "return common.evaluation(guess, secret)",
        "return common.LENGTH, 1",
        "evaluation",
    ),
    Plant(
        "evaluation of one number",
        "codemaker1.py",
        "return common.evaluation(guess, secret)",
        "return sum(common.evaluation(guess, secret))",
        "type",
    ),
    Plant("least instead of most", "codemaker2.py", "answer = max(", "answer = min(", "not largest"),
    Plant(
        "draws a secret and never cheats",
        "codemaker2.py",
        "    possibles = common.all_codes()",
        "    possibles = [common.choices()]",
        "never cheats",
    ),
    Plant("syntax error", "codebreaker2.py", "def codebreaker(evaluation):", "def codebreaker(evaluation)", "syntax"),
    Plant("misspelled module", "codebreaker2.py", "import common", "import comon as common", "package"),
    Plant(
        "both functions",
        "codemaker1.py",
        "def codemaker(guess):",
        "def codebreaker(e):\n    pass\n\n\ndef codemaker(guess):",
        "both",
    ),
    Plant("no function", "codemaker1.py", "def codemaker(guess):", "def code_maker(guess):", "function"),
)


def plant(fault: Plant, folder: Path, *, others: tuple[str, ...] = (), also: tuple[Plant, ...] = ()) -> Path:
    """Write a project with the fault into a folder: `common.py`, the module with the fault, and the others named.

    `also` are further faults, planted beside it.
    """
    folder.mkdir(parents=True)
    for name in {"common.py", *(each.file for each in (fault, *also)), *others}:
        shutil.copyfile(EXAMPLES / name, folder / name)
    for each in (fault, *also):
        text = (folder / each.file).read_text(encoding="utf-8")
        (folder / each.file).write_text(with_fault(text, each), encoding="utf-8")
    return folder


def with_fault(text: str, fault: Plant) -> str:
    """Return the text of a module with the fault in it."""
    assert fault.old in text, fault.name
    text = text.replace(fault.old, fault.new, 1)
    is_new = "random." in text and "import random" not in text
    return text.replace("import common", "import random\n\nimport common", 1) if is_new else text
