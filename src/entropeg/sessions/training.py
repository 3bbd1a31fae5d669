"""Puzzles at a prompt: shows them one after the other, takes attempts, gives hints, and keeps the score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from entropeg.codes import drawn_code, format_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import drawn_feedback, format_feedback
from entropeg.rules import Rules
from entropeg.sessions.dialog import COMMON, LISTED, Command, Dialog, can_read, guess_as
from entropeg.sessions.lines import Line, board, joined, say
from entropeg.told import Told, plural
from entropeg.train import Theme, TrainingPuzzle, hints, question, solution
from entropeg.train.puzzle import POINTS, points_of
from entropeg.train.telling import Attempted, heading, missed


@dataclass
class PuzzleRecord:
    """What became of a puzzle: attempts as text, hints taken, and how it ended, `open` until then."""

    puzzle: TrainingPuzzle
    tried: list[str] = field(default_factory=list)
    hints: int = 0
    outcome: str = "open"

    @property
    def points(self) -> int:
        """Points that it is worth: 0 unless it is solved."""
        if self.outcome != "solved":
            return 0
        return points_of(self.hints, len(self.tried) - 1)

    def to_json(self, number: int) -> dict[str, Any]:
        """Return it as plain data."""
        ended = {"tried": self.tried, "hints": self.hints, "outcome": self.outcome, "points": self.points}
        return {"number": number} | self.puzzle.to_json() | ended


class TrainSession(Dialog):
    """Puzzles, one after the other, until there are no more or the person leaves.

    >>> from entropeg.train import puzzles
    >>> session = TrainSession(puzzles("4x6", "deduce", seed=1), "4x6", seed=1)
    >>> [line.text for line in session.handle("hint")]
    ['In the code: C, D, E, F.']
    """

    move = "guess"
    foreign: ClassVar[dict[str, str]] = {
        "undo": Told("an attempt cannot be taken back"),
        "left": Told("the question or a hint says which codes are left"),
        "save": Told("nothing is saved; --json prints what became of the puzzles"),
        "give": Told("solution shows it, skip goes on without"),
        "answer": Told("here a guess is to be found, or a wrong row"),
    }
    commands: ClassVar[dict[str, Command]] = {
        "guess": Command("make_move", "CODE", Told("try a guess, or a row; a code or a number alone does the same")),
        "row": Command("name_row", "N", ""),
        "hint": Command("hint", "", Told("a hint, which costs a point; each gives away more")),
        "solution": Command("show_solution", "", Told("see the solution, and go on")),
        "give up": Command("show_solution", "", ""),
        "skip": Command("skip", "", Told("go on without it")),
        "next": Command("skip", "", ""),
        "score": Command("show_score", "", Told("how many are solved, and your points")),
        "board": Command("show_board", "", Told("show the puzzle again")),
        **{name: COMMON[name] for name in ("?", "exit")},
        "help": COMMON["help"],
        "quit": Command("quit", "", Told("leave")),
    }

    def __init__(self, puzzles: Iterator[TrainingPuzzle], name: str, seed: int) -> None:
        """Take the first puzzle, which raises InputError where there is none; `name` says what is trained."""
        first = next(puzzles)
        super().__init__()
        self.name, self.seed, self._waiting = name, seed, puzzles
        self.position = first.position
        self.efforts = [PuzzleRecord(first)]
        self._hints = hints(first)

    @property
    def effort(self) -> PuzzleRecord:
        """What becomes of the puzzle that is shown."""
        return self.efforts[-1]

    @property
    def puzzle(self) -> TrainingPuzzle:
        """The puzzle that is shown."""
        return self.effort.puzzle

    @property
    def rules(self) -> Rules:
        """The rules of the puzzle that is shown."""
        return self.position.rules

    @property
    def finished(self) -> bool:
        """Whether there are no more puzzles."""
        return self.over

    @property
    def points(self) -> int:
        """All points so far."""
        return sum(effort.points for effort in self.efforts)

    @property
    def prompt(self) -> str:
        """`puzzle 3`."""
        return Told("puzzle {number}", len(self.efforts))

    @property
    def wanted(self) -> str:
        """`a code, as AABC`, or `the number of a row`."""
        if self.puzzle.theme is Theme.mend:
            return Told("the number of a row")
        if not self.position.turns:
            return Told("a code")
        return guess_as(self.position.turns[-1].guess, self.rules)

    def start(self) -> list[Line]:
        """Say what is played, and show the first puzzle."""
        opening = say("{name}: {described}.", self.name, self.rules.describe())
        usage = say(
            "{points} points for each puzzle. Type your answer, hint, solution, skip or help.", POINTS, tone="quiet"
        )
        return [opening, usage, *self._shown()]

    def save(self, path: str) -> None:
        """Refuse to write the record, which `--json` prints."""
        raise InputError("puzzles are not saved in {file}; --json prints what became of them", path)

    def to_text(self) -> str:
        """Return the record as text."""
        return json.dumps(self.to_json(), indent=2)

    def to_json(self) -> dict[str, Any]:
        """Return the record: every puzzle with its solution, what was tried, and the points."""
        told = [effort.to_json(number) for number, effort in enumerate(self.efforts, start=1)]
        return {
            "format": "entropeg training 1",
            "name": self.name,
            "seed": self.seed,
            "points": self.points,
            "puzzles": told,
        }

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a legal guess, or the number of a row where one is wanted."""
        if self.puzzle.theme is Theme.mend:
            return text.strip().isdecimal()
        return can_read(parse_code, text, self.rules.with_names)

    def make_move(self, text: str) -> list[Line]:
        """Judge an attempt."""
        if not text:
            raise InputError("guess what? Type {wanted}", self.wanted)
        puzzle = self.puzzle
        if puzzle.theme is Theme.mend:
            if not (text.isdecimal() and len(text) < 4):
                raise InputError("{typed!r} is no number of a row from 1 to {rows}", text, len(self.position.turns))
            attempt: Attempted = int(text) - 1
            verdict = puzzle.judge_row(int(text) - 1)
            tried = str(int(text))
        else:
            code = puzzle.read(text)
            attempt = code
            verdict = puzzle.judge(code)
            tried = format_code(code, self.rules)
        if tried in self.effort.tried:
            return [say("{tried} was tried already.", tried, tone="quiet")]
        self.effort.tried.append(tried)
        return self._solved() if verdict.is_solved else [Line(missed(puzzle, attempt, verdict))]

    def name_row(self, text: str) -> list[Line]:
        """Judge an attempt at a wrong row."""
        if self.puzzle.theme is not Theme.mend:
            raise InputError("the answer to this puzzle is a guess, not a row; type {wanted}", self.wanted)
        return self.make_move(text)

    def _solved(self) -> list[Line]:
        self.effort.outcome = "solved"
        said = Line(plural(self.effort.points, "Solved: {n} point.", "Solved: {n} points."), "good")
        return [said, *self._told(), *self._go_on()]

    def hint(self, _: str = "") -> list[Line]:
        """Give the next hint."""
        if self.effort.hints == len(self._hints):
            return [say("There are no more hints; solution shows it.", tone="quiet")]
        self.effort.hints += 1
        return [Line(self._hints[self.effort.hints - 1].says)]

    def show_solution(self, _: str = "") -> list[Line]:
        """Tell the solution, and go on."""
        self.effort.outcome = "shown"
        return [*self._told(), *self._go_on()]

    def skip(self, _: str = "") -> list[Line]:
        """Go on without the solution."""
        self.effort.outcome = "skipped"
        return self._go_on()

    def show_score(self, _: str = "") -> list[Line]:
        """Say how many puzzles are solved, and the points."""
        solved = sum(effort.outcome == "solved" for effort in self.efforts)
        ended = sum(effort.outcome != "open" for effort in self.efforts)
        score = plural(
            ended,
            "{solved} of {n} puzzle solved, {points} of {most} points.",
            "{solved} of {n} puzzles solved, {points} of {most} points.",
            solved,
            self.points,
            POINTS * ended,
        )
        return [Line(score)]

    def show_board(self, _: str = "") -> list[Line]:
        """Show the puzzle again."""
        return self._shown()

    def last_words(self) -> list[Line]:
        """Tell the score, once a puzzle has ended."""
        return self.show_score() if any(effort.outcome != "open" for effort in self.efforts) else []

    def _go_on(self) -> list[Line]:
        following = next(self._waiting, None)
        if following is None:
            self.over = True
            return [say("There are no more puzzles."), *self.show_score()]
        self.efforts.append(PuzzleRecord(following))
        self.position, self._hints = following.position, hints(following)
        return [Line(""), *self._shown()]

    def _shown(self) -> list[Line]:
        number = say("Puzzle {number}: {heading}", len(self.efforts), heading(self.puzzle))
        return [number, *board(self.position), Line(question(self.puzzle))]

    def _told(self) -> list[Line]:
        puzzle = self.puzzle
        told = [Line(sentence) for sentence in solution(puzzle)]
        if puzzle.theme in {Theme.deduce, Theme.mend} or len(puzzle.codes) > LISTED:
            return told
        parts = puzzle.parts(puzzle.answers[0])
        width = max(len(format_feedback(answer)) for answer in parts)
        for answer, codes in parts.items():
            pad = " " * (width - len(format_feedback(answer)))
            shown = [piece for code in codes for piece in ("  ", drawn_code(code, self.rules))]
            told.append(joined("  ", drawn_feedback(answer), pad, *shown))
        return told
