"""Tasks of one answer, drawn by a seed with exact solutions: deduce, next guess, mend; and games to be played.

- play: a game; its secret and the guesses of the best play.
- deduce: one code is left, and each of k rows is needed to see it.
- next: what every guess loses against the best one; the score of an answer is 1 less that.
- mend: one row is wrong, and it follows which one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from entropeg import arguments
from entropeg.advise.exploring import MOST_CELLS
from entropeg.codes import format_code, guesses, parse_code, random_guess, random_secret
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, from_label, score_trusted, win_feedback
from entropeg.files import FileKind, parse_object, read_text, shown, write_whole
from entropeg.plain_values import PlainValue
from entropeg.position import AtPosition, Position, Turn
from entropeg.review.assessment import optimum_of
from entropeg.rules import Rules
from entropeg.search.guess_parts import guess_parts
from entropeg.search.values import PositionValues, can_value
from entropeg.suites.prompts import TASKS, question, read_guess, read_row
from entropeg.texts import say
from entropeg.train.puzzle_series import all_needed, check_trained, puzzles

FORMAT = "entropeg task 1"
"""First words of a task."""
FILE = FileKind("a file of tasks", lambda content: content.startswith(f'{{"format": "{FORMAT}"'.encode()))
CLUES = 6
"""Most rows of a task to deduce: k = 1 ... 6 come in turn."""
KINDS = {"id": str, "task": str, "rules": str, "turns": list, "answer": str}
"""What plain data must have to be a task."""
TRIES = 2000
"""Positions that are drawn, at most, until one is a task."""


@dataclass(frozen=True)
class Task(AtPosition, PlainValue):
    """A task: what is asked, and its exact answer; of `next` also what every guess loses."""

    PLAIN: ClassVar[tuple[str, ...]] = (
        *("format", "id", "task", "rules", "clues", "turns"),
        *("prompt", "answer", "value", "losses"),
    )

    id: str
    task: str
    position: Position
    prompt: str
    answer: str
    """A code, or the number of a row."""
    value: Fraction | None = None
    """Guesses of the best play: of `play` and `next`; null where they are not known."""
    losses: dict[str, float] | None = None
    """Of `next`: what each legal guess loses."""
    format: str = FORMAT

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Its rows."""
        return self.position.turns

    @property
    def clues(self) -> int:
        """How many rows there are."""
        return len(self.turns)


def tasks(task: str, rules: Rules | str, number: int, *, seed: int = 0, language: str = "en") -> list[Task]:
    """Draw tasks: the same for the same seed, on any machine.

    Raises InputError for an unknown task or where the board has none, TooLargeError where its codes are too many.

    >>> [(one.answer, one.clues) for one in tasks("deduce", "3x4", 2, seed=1)] == [("CBC", 1), ("DCD", 2)]
    False
    """
    if task not in TASKS:
        raise InputError("there is no task {task!r}: there are {tasks:list}", task, TASKS)
    board, number = Rules.of(rules), arguments.whole(number, "the number of tasks", least=1)
    if task != "play":
        check_trained(board)
    drawn = {"play": _plays, "deduce": _deductions, "next": _guesses, "mend": _mends}[task](board, arguments.seed(seed))
    found = []
    for at, (position, answer, value, losses) in enumerate(islice(drawn, number)):
        prompt = str.__str__(say(question(position, task), language))
        found.append(Task(f"{task}-{board}-{seed}-{at}", task, position, prompt, answer, value, losses))
    return found


_TaskFacts = Iterator[tuple[Position, str, Fraction | None, dict[str, float] | None]]


def _plays(rules: Rules, seed: int) -> _TaskFacts:
    rng = np.random.default_rng(seed)
    while True:
        yield Position(rules), format_code(random_secret(rules, rng), rules), optimum_of(rules), None


def _deductions(rules: Rules, seed: int) -> _TaskFacts:
    rng, open_ = np.random.default_rng(seed), list(range(1, CLUES + 1))
    for at in count():
        if not open_:
            raise InputError("no position of {rules} came up from which a code can be deduced", rules)
        clues = open_[at % len(open_)]
        found = next(filter(None, (_deduction(rules, clues, rng) for _ in range(TRIES))), None)
        if found is None:  # as with six rows of a small board
            open_.remove(clues)
        else:
            yield found, format_code(found.candidates[0], rules), None, None


def _deduction(rules: Rules, clues: int, rng: np.random.Generator) -> Position | None:
    """Draw rows for a secret, and a last guess of which one answer leaves one code; None where a row is not needed."""
    secret, position = random_secret(rules, rng), Position(rules)
    for _ in range(clues - 1):
        # Of some guesses the one that tells least: many rows that are all needed tell little each.
        drawn = [_played(position, random_guess(rules, rng), secret) for _ in range(clues - 1)]
        position = max(drawn, key=lambda after: len(after.candidates))
        if position.is_won or len(position.candidates) < 2:
            return None
    left, guess = position.candidates, random_guess(rules, rng)
    labels, sizes = np.unique(left.score(guess), return_counts=True)
    told = [from_label(int(label), rules) for label in labels[sizes == 1]]
    told = [answer for answer in told if answer != win_feedback(rules)]
    if not told:
        return None
    last = position.after_trusted(guess, told[int(rng.integers(len(told)))])
    return last if all_needed(last) else None


def _guesses(rules: Rules, seed: int) -> _TaskFacts:
    if rules.guess_count * rules.secret_count > MOST_CELLS:
        raise TooLargeError("{rules} has too many guesses: all of them are valued, on boards like 4x6", rules)
    if not can_value(rules, rules.secret_count):
        raise InputError("the exact search does not know {rules}: there is no next guess to be judged", rules)
    rng, legal = np.random.default_rng(seed), guesses(rules)
    names = [format_code(code, rules) for code in legal]
    while True:
        secret, position = random_secret(rules, rng), Position(rules)
        for _ in range(int(rng.integers(1, 4))):
            position = _played(position, position.candidates[int(rng.integers(len(position.candidates)))], secret)
        if len(position.candidates) < 4 or position.is_won:
            continue
        values = PositionValues.of(position)
        with values.opened():
            parts = guess_parts(values, legal)
        assert parts is not None, "nothing stops it"
        totals = parts.after(len(legal), values.infinite)
        best = int(totals.argmin())
        losses = [round(float(loss), 6) for loss in (totals - totals[best]) / values.mass]
        yield position, names[best], Fraction(int(totals[best]), values.mass), dict(zip(names, losses, strict=True))


def _mends(rules: Rules, seed: int) -> _TaskFacts:
    for puzzle in puzzles(rules, "mend", seed=seed):
        assert puzzle.row is not None, "a puzzle of this theme has a wrong row"
        yield puzzle.position, str(puzzle.row + 1), None, None


def _played(position: Position, guess: Code, secret: Code) -> Position:
    return position.after_trusted(guess, score_trusted(guess, secret, position.rules))


def score_answer(task: Mapping[str, Any], text: str) -> float:
    """Return what an answer is worth, from 0 to 1, whatever stands before it: 1 less the loss of a next guess.

    ``task`` is plain data, as a line of the exported file has it. Raises InputError for a game, which a log scores.

    >>> [score_answer(tasks("deduce", "3x4", 1)[0].to_json(), text) for text in ("ANSWER: AAAA", "no idea")]
    [0.0, 0.0]
    """
    check_task(task)
    rules = Rules.parse(task["rules"])
    if task["task"] == "play":
        raise InputError("a game is scored by its log: entropeg bench score")
    if task["task"] == "mend":
        return float(str(read_row(text)) == task["answer"])
    code = read_guess(text, rules)
    if code is None:
        return 0.0
    if task["task"] == "next":
        return max(0.0, 1.0 - float(task["losses"].get(format_code(code, rules), 1.0)))
    return float(code == parse_code(task["answer"], rules))


def check_task(task: Mapping[str, Any]) -> None:
    """Raise InputError where plain data is no task: a name is missing, or has a value of another kind."""
    wrong = next((name for name, kind in KINDS.items() if not isinstance(task.get(name), kind)), None)
    losses = task.get("losses")
    if task.get("task") == "next" and not (
        isinstance(losses, dict) and losses and all(isinstance(loss, int | float) for loss in losses.values())
    ):
        wrong = wrong or "losses"
    if wrong is not None:
        raise InputError("a task has {value!r} as its {name}", task.get(wrong), wrong)
    if task["task"] not in TASKS:
        raise InputError("there is no task {task!r}: there are {tasks:list}", task["task"], TASKS)


def write_tasks(found: list[Task], path: str | Path) -> None:
    """Write tasks as JSONL, a line each; raises InputError where the file is of another kind or cannot be written."""
    write_whole(path, "".join(json.dumps(each.to_json(), ensure_ascii=False) + "\n" for each in found).encode(), FILE)


def read_lines(path: str | Path, *names: str) -> list[dict[str, Any]]:
    """Read a file of objects, one a line, that have these names; raises InputError naming the line."""
    lines = enumerate(read_text(path).split("\n"), start=1)
    try:
        return [parse_object(line, number, *names) for number, line in lines if line.strip()]
    except InputError as error:
        raise InputError("{file}: {error}", shown(path), error) from None


@dataclass(frozen=True)
class TaskScore(PlainValue):
    """How some answers to tasks did: `mean` from 0 to 1; a task without an answer counts 0."""

    tasks: int
    answered: int
    mean: float
    by_clues: dict[int, float]
    """The mean of the tasks with so many rows."""


def score_tasks(asked: list[dict[str, Any]], answers: list[dict[str, Any]]) -> TaskScore:
    """Score answers, objects of `id` and `answer`, to tasks as `read_lines` gives them."""
    for each in asked:
        check_task(each)
    said = {str(each["id"]): str(each["answer"]) for each in answers}
    worth = [(len(each["turns"]), score_answer(each, said[each["id"]]) if each["id"] in said else 0.0)
             for each in asked]  # fmt: skip
    if not worth:
        raise InputError("there is no task")
    by_clues = {rows: [each for of, each in worth if of == rows] for rows in sorted({of for of, _ in worth})}
    means = {rows: sum(listed) / len(listed) for rows, listed in by_clues.items()}
    answered = sum(each["id"] in said for each in asked)
    return TaskScore(len(worth), answered, sum(each for _, each in worth) / len(worth), means)
