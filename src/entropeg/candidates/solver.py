"""Proves by constraint programming that no code fits some turns, or only one. Needs an extra.

Google's CP-SAT does the search. The model: x[p, c], peg p has color c; u[c, j], color c occurs more than j times. With
those the blacks of a turn are «exactly b of these literals», and blacks and whites together too: of color c, k times in
the guess, min(k, count) is the number of true ones among u[c, 0] ... u[c, k-1].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from entropeg.candidates.constraints import AnyTurns, Turns
from entropeg.codes import read_turns
from entropeg.errors import InputError, MissingExtraError, TooLargeError
from entropeg.extras import install
from entropeg.feedback import AnyFeedback, Code, Marks, Method, check_known, is_known
from entropeg.rules import Rules

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

Status: TypeAlias = Literal["found", "none", "unknown"]

OpenTurn: TypeAlias = "tuple[tuple[int | None, ...], tuple[tuple[int, int], ...]]"
"""A turn of which a part is unknown: None for each such peg, and the least and the most of each number of the feedback
(of each mark, in positional feedback)."""

MOST_CELLS = 60_000
"""Of a model: pegs x symbols, and pegs x turns twice; on 100x100 after 250 turns it found nothing for long."""

INSTALL = install("solver")


@dataclass(frozen=True)
class Solved:
    """The findings of the solver.

    `status` is "found", "none" (proved: no secret fits) or "unknown" (the time was up). `unique` says whether `code` is
    the only one that fits, proved either way; None where that was not found out.
    """

    code: Code | None
    status: Status
    unique: bool | None = None


def solve(
    rules: Rules | str, turns: AnyTurns, time_limit: float = 60.0, *, unique: bool = True, seed: int = 0
) -> Solved:
    """Find a secret that fits the turns, or prove that there is none; then find another, or prove that there is none.

    `unique=False` leaves the second search out. The time limit is in seconds, for both. One search thread: the same
    seed gives the same code. Raises MissingExtraError without OR-Tools, InputError under rules whose secrets are no
    codes of colors (words, pegs with shapes).

    >>> from entropeg.feedback import Feedback
    >>> solve(Rules.parse("2x3"), [((0, 1), Feedback(1, 0)), ((0, 2), Feedback(0, 0))])  # doctest: +SKIP
    Solved(code=(1, 1), status='found', unique=True)
    """
    rules = Rules.of(rules)
    turns = read_turns(turns, rules)
    solver_module = load()
    if not time_limit > 0:  # nor not a number
        raise InputError("the time limit is {seconds} seconds; it must be more than 0", time_limit)
    deadline = perf_counter() + time_limit
    model = _TurnConstraints(rules, turns, solver_module)
    status, code = model.search(deadline, seed)
    if code is None or not unique:
        return Solved(code, status, unique=None)
    model.forbid(code)
    again, _ = model.search(deadline, seed)
    return Solved(code, status, {"none": True, "found": False, "unknown": None}[again])


def find_another(
    rules: Rules,
    turns: Turns,
    known: Iterable[Code],
    effort: float,
    *,
    seed: int = 0,
    open_turns: Sequence[OpenTurn] = (),
) -> tuple[Status, Code | None, float]:
    """Find a secret that fits the turns beside those known, or prove that there is none; and say what effort it took.

    `open_turns` are further turns, of which a part is unknown: a secret fits one if some completion of it does.

    Effort is what the solver itself counts, the same on any machine, so that the same seed gives the same answer: one
    unit takes two to four seconds. Raises MissingExtraError without OR-Tools, InputError under rules whose secrets are
    no codes of colors, TooLargeError where the model would be out of proportion.
    """
    model = _TurnConstraints(rules, turns, load())
    for guess, ranges in open_turns:
        model.add_open_turn(guess, ranges)
    for each in known:
        model.forbid(each)
    status, code = model.search(None, seed, effort)
    return status, code, model.spent


def can_solve(rules: Rules, turns: int = 0, open_turns: Sequence[OpenTurn] = ()) -> bool:
    """Tell whether the solver can search codes of these rules after some turns: no words, no shapes, not too large.

    Of turns in part unknown (`open_turns`) it knows all but marks of unknown pegs.

    >>> can_solve(Rules.parse("100x100"), 100), can_solve(Rules.parse("1000x1000"))
    (True, False)
    """
    unknown = sum(guess.count(None) for guess, _ in open_turns)
    cells = rules.pegs * (rules.symbols_in_secrets + 2 * (turns + len(open_turns)))
    cells += 4 * unknown * rules.symbols_in_guesses
    is_told = not (unknown and rules.feedback.about.answer is Marks)
    return is_told and rules.is_symmetric and is_known(rules, Method.building) and cells <= MOST_CELLS


def is_installed() -> bool:
    """Tell whether the extra is there."""
    try:
        load()
    except MissingExtraError:
        return False
    return True


def load() -> Any:
    """Return the module of the solver; raises MissingExtraError, saying how to install it, where it is not there."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        raise MissingExtraError("the constraint solver needs OR-Tools: {install}", INSTALL) from None
    return cp_model


class _TurnConstraints:
    def __init__(self, rules: Rules, turns: Turns, module: Any) -> None:
        if not rules.is_symmetric:
            raise InputError("the constraint solver knows codes of colors only, not the secrets of {rules}", rules)
        check_known(rules, Method.building)
        if not can_solve(rules, len(turns)):
            raise TooLargeError(
                "{rules} after {turns} turns is too large for the constraint solver: it takes up to "
                "{most:,} for pegs x colors and twice pegs x turns together, as of 100x100 after "
                "250 turns",
                *(rules, len(turns), MOST_CELLS),
            )
        self.spent = 0.0
        self.rules, self._module = rules, module
        self._model: cp_model.CpModel = module.CpModel()
        self._symbols = range(rules.symbols_in_secrets)
        self._x = [
            [self._model.new_bool_var(f"x{peg}.{color}") for color in self._symbols] for peg in range(rules.pegs)
        ]
        for row in self._x:
            self._model.add_exactly_one(row)
        self._u = [self._counter(color) for color in self._symbols]
        if not rules.repeats:
            for color in range(rules.colors):
                self._at_most(color, 1)
        for guess, feedback in turns:
            self._add_turn(guess, feedback)

    def _counter(self, color: int) -> list[Any]:
        # Ordered booleans whose sum is the count of the color.
        more = [self._model.new_bool_var(f"u{color}.{number}") for number in range(self.rules.pegs)]
        for above, below in zip(more[1:], more, strict=False):
            self._model.add_implication(above, below)
        self._model.add(sum(more) == sum(row[color] for row in self._x))
        return more

    def _at_most(self, color: int, number: int) -> None:
        if number < self.rules.pegs:
            self._model.add(self._u[color][number] == 0)

    def _exactly(self, literals: list[Any], number: int) -> None:
        self._model.add(sum(literals) == number)

    def _add_turn(self, guess: Code, feedback: AnyFeedback) -> None:
        if isinstance(feedback, Marks):
            self._add_marks(guess, feedback)
            return
        self._exactly([self._x[p][c] for p, c in enumerate(guess) if c in self._symbols], feedback.black)
        copies = {color: number for color, number in Counter(guess).items() if color in self._symbols}
        total = feedback.black + feedback.white
        if self.rules.feedback.about.common == "copies":
            self._exactly([more for color, number in copies.items() for more in self._u[color][:number]], total)
        elif self.rules.feedback.about.common == "members":
            # A color that occurs at all gives its pegs all their marks.
            self._model.add(sum(number * self._u[color][0] for color, number in copies.items()) == total)

    def add_open_turn(self, guess: tuple[int | None, ...], ranges: tuple[tuple[int, int], ...]) -> None:
        """Ask that some completion of a turn fits; `can_solve` says for which turns."""
        if self.rules.feedback.about.answer is Marks:
            self._add_open_marks(tuple(color for color in guess if color is not None), ranges)
            return
        guessed = {peg: self._guess_peg() for peg, color in enumerate(guess) if color is None}
        if not self.rules.guess_repeats:
            for color in range(self.rules.colors):
                self._model.add(sum(peg[color] for peg in guessed.values()) <= 1 - guess.count(color))
        known = [self._x[peg][color] for peg, color in enumerate(guess) if color is not None and color in self._symbols]
        met = [self._both(self._x[peg][color], row[color]) for peg, row in guessed.items() for color in self._symbols]
        black = sum(known) + sum(met)
        self._model.add_linear_constraint(black, *ranges[0])
        if self.rules.feedback.about.common:
            self._model.add_linear_constraint(self._common(guess, list(guessed.values())) - black, *ranges[1])

    def _guess_peg(self) -> list[Any]:
        # The symbol of an unknown peg of a guess.
        row = [self._model.new_bool_var("") for _ in range(self.rules.symbols_in_guesses)]
        self._model.add_exactly_one(row)
        return row

    def _both(self, one: Any, other: Any) -> Any:
        both = self._model.new_bool_var("")
        self._model.add_bool_and([one, other]).only_enforce_if(both)
        self._model.add_bool_or([~one, ~other]).only_enforce_if(~both)
        return both

    def _common(self, guess: tuple[int | None, ...], guessed: list[list[Any]]) -> Any:
        # Black and white together.
        if self.rules.feedback.about.common == "members":
            terms = [self._u[color][0] for color in guess if color is not None and color in self._symbols]
            return sum(terms) + sum(self._both(self._u[c][0], row[c]) for row in guessed for c in self._symbols)
        terms = []
        for color in self._symbols:
            number = guess.count(color)
            terms += self._u[color][:number]
            more = [self._model.new_bool_var("") for _ in guessed]
            for above, below in zip(more[1:], more, strict=False):
                self._model.add_implication(above, below)
            self._model.add(sum(more) == sum(row[color] for row in guessed))
            terms += [self._both(self._u[color][number + place], each) for place, each in enumerate(more)]
        return sum(terms)

    def _add_open_marks(self, guess: Code, ranges: tuple[tuple[int, int], ...]) -> None:
        # A white is one mark, not in place; the whites of a color go to its first pegs, as far as copies reach.
        groups: dict[int, list[tuple[Any, Any]]] = {}
        for (least, most), (peg, color) in zip(ranges, enumerate(guess), strict=True):
            if color not in self._symbols:
                if least:
                    self._model.add_bool_or([])
                continue
            black, white = self._x[peg][color], self._model.new_bool_var("")
            self._model.add_implication(black, ~white)
            self._model.add_linear_constraint(2 * black + white, least, most)
            earlier = groups.setdefault(color, [])
            for other_black, other_white in earlier:
                self._model.add_bool_or([~white, other_black, other_white])
            earlier.append((black, white))
        for color, marks in groups.items():
            given = sum(black + white for black, white in marks)
            self._model.add(given == sum(self._u[color][: len(marks)]))

    def _add_marks(self, guess: Code, marks: Marks) -> None:
        for peg, (color, mark) in enumerate(zip(guess, marks, strict=True)):
            if color in self._symbols:
                self._model.add(self._x[peg][color] == (mark == 2))
            elif mark:
                self._model.add_bool_or([])
        for color in set(guess):
            self._add_color_marks(color, [mark for peg, mark in zip(guess, marks, strict=True) if peg == color])

    def _add_color_marks(self, color: int, marks: list[int]) -> None:
        others = [mark for mark in marks if mark != 2]
        copies = len(marks) - others.count(0)
        if others != sorted(others, reverse=True):
            self._model.add_bool_or([])  # whites go to the first pegs
        elif color in self._symbols:
            if copies:
                self._model.add(self._u[color][copies - 1] == 1)
            if 0 in others:
                self._at_most(color, copies)

    def search(self, deadline: float | None, seed: int, effort: float | None = None) -> tuple[Status, Code | None]:
        """Run the solver until the deadline, or until it has spent the effort."""
        solver = self._module.CpSolver()
        solver.parameters.linearization_level = 0
        solver.parameters.num_workers = 1
        solver.parameters.random_seed = seed
        if deadline is not None:
            solver.parameters.max_time_in_seconds = max(deadline - perf_counter(), 0.01)
        if effort is not None:
            solver.parameters.max_deterministic_time = effort
        status = solver.solve(self._model)
        self.spent += solver.response_proto.deterministic_time
        if status in (self._module.OPTIMAL, self._module.FEASIBLE):
            return "found", tuple(next(c for c in self._symbols if solver.value(row[c])) for row in self._x)
        return ("none" if status == self._module.INFEASIBLE else "unknown"), None

    def forbid(self, code: Code) -> None:
        """Ask for another code from now on."""
        self._model.add_bool_or([~self._x[peg][color] for peg, color in enumerate(code)])
