"""Explores positions: shows one with its moves and the answers to one of them, and goes on to what an answer leaves."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any, ClassVar

from entropeg.advise.exploring import Exploration, ExploredAnswer, ExploredMove, explore
from entropeg.advise.question import SECONDS
from entropeg.chosen_language import translated
from entropeg.codes import drawn_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, drawn_feedback, format_feedback, parse_feedback
from entropeg.position import Position, parse_turn
from entropeg.rules import Rules
from entropeg.sessions.advising import aligned, expected_cell, loss_cell, number_table
from entropeg.sessions.dialog import COMMON, Command, Dialog, can_read
from entropeg.sessions.lines import Line, joined, say
from entropeg.sessions.typed import is_number
from entropeg.told import Joined, Told, plural, word

MOVES, ANSWERS = 6, 7
"""Moves, and rows of answers, that are shown at once: a screen of 24 lines has room for the prompt, too."""
MORE = 18
"""Further moves that are shown when more are asked for."""
WIDE = 78
"""Characters of a line, with each peg drawn between spaces."""


def exploration_lines(view: Exploration) -> list[Line]:
    """Show a position: what is known of it, its best moves, and what the answers to one of them leave."""
    lines = [_title(view), _left(view), Line(view.says)]
    if not view.keeps_limit:
        lines[-1:] = [joined(view.says, " ", Told("None keeps the limit."))]
    if view.chosen is not None:
        lines += [say(), *move_lines(view, 0, MOVES), say(), *answer_lines(view)]
    return lines


def _title(view: Exploration) -> Line:
    # The last turns, as many as there is room for.
    drawn, room = list[str](), WIDE - len(str(view.rules))
    for turn in reversed(view.turns):
        room -= _width(view, turn.guess) + len(format_feedback(turn.feedback)) + 3
        if room < 6:
            drawn = ["... ", *drawn]
            break
        drawn = [drawn_code(turn.guess, view.rules), " ", drawn_feedback(turn.feedback), ", ", *drawn]
    return joined(f"{view.rules}: ", *(drawn[:-1] if view.turns else [Told("the start")]))


def _left(view: Exploration) -> Line:
    said = view.remaining.in_words
    room, drawn = WIDE - len(translated(said)), list[str]()
    for code in view.remaining.codes[:MORE]:
        room -= _width(view, code) + 1
        if room < 0:
            break
        drawn += [" ", drawn_code(code, view.rules)]
    return joined(said, *drawn)


def _width(view: Exploration, code: Code) -> int:
    return sum(len(view.rules.symbols.symbol(color)) + 2 for color in code)


def move_lines(view: Exploration, first: int, number: int) -> list[Line]:
    """Show some of the moves, numbered from 1, and how many more there are."""
    rows, ends = list[dict[str, str]](), list[str]()
    for place, move in enumerate(view.moves[first : first + number], start=first + 1):
        rows.append(_measures(place, move))
        alike = [plural(move.alike - 1, "and {n} alike", "and {n} alike")] if move.alike > 1 else []
        ends.append(Joined([drawn_code(move.guess, view.rules), *alike], between=" "))
    classes = len(view.moves) - first - number
    more = [plural(classes, "{n} class more", "{n} classes more")] if classes > 0 else []
    more += [plural(view.others, "{n} guess more", "{n} guesses more")] if view.others else []
    return [
        *number_table(rows, ends, brief=(0, 1)),
        *([joined("(", Joined(more, between=", "), ")", tone="quiet")] if more else []),
    ]


def _measures(place: int, move: ExploredMove) -> dict[str, str]:
    return {
        word("column", "move"): str(place),
        word("column", "expected"): expected_cell(move.mean),
        word("column", "loss"): loss_cell(move.loss),
        word("column", "worst"): "" if move.worst is None else str(move.worst),
        word("column", "parts"): Told("{number:,}", move.parts),
        word("column", "secret?"): word("cell", "maybe") if move.is_candidate else word("cell", "no"),
    }


def answer_lines(view: Exploration) -> list[Line]:
    """Show what the answers to the chosen move leave, the most codes first, in two columns where these are narrow."""
    assert view.chosen is not None
    head = [word("column", each) for each in ("answer", "codes", "expected", "worst", "luck")]
    top, *cells = aligned([head, *map(_cells, view.answers[: 2 * ANSWERS])])
    is_double = 2 * len(top) + 4 <= WIDE and len(cells) > ANSWERS
    shown = cells if is_double else cells[:ANSWERS]
    half = (len(shown) + 1) // 2 if is_double else len(shown)
    rows = [f"{one}    {other}" for one, other in zip_longest(shown[:half], shown[half:], fillvalue="")]
    guess, rest = drawn_code(view.chosen.guess, view.rules), len(view.answers) - len(shown)
    title = say("what the answers to {guess} leave:", guess)
    if rest:
        title = say("what the answers to {guess} leave ({rest:,} more are rarer):", guess, rest)
    return [title, Line(f"{top}    {top}" if is_double else top, "quiet"), *map(Line, rows)]


def _cells(answer: ExploredAnswer) -> tuple[str, ...]:
    mean, luck = answer.mean, answer.luck
    return (
        format_feedback(answer.feedback),
        Told("{number:,}", answer.codes),
        "" if mean is None else expected_cell(mean),
        "" if answer.worst is None else str(answer.worst),
        "" if luck is None else Told("{number:+.2f}", luck.value),
    )


class ExploreSession(Dialog):
    """Looks at positions one after the other: a move shows its answers, an answer leads on, `back` goes back.

    >>> session = ExploreSession(explore("3x3", time=0.5))
    >>> session.handle("AAB")[-1].tone, session.handle("XO")[0].text
    ('plain', '3x3: AAB XO')
    """

    move = "guess"
    foreign: ClassVar[dict[str, str]] = {
        "undo": Told("back goes back"),
        "row": Told("type a guess and its answer, as AABB XO"),
        "hint": Told("the moves are listed, the best first"),
        "save": Told("share prints the command that shows this position again"),
    }
    commands: ClassVar[dict[str, Command]] = {
        "guess": Command("make_move", "GUESS", Told("show what its answers leave; alone, or by its number, too")),
        "answer": Command("take_answer", "FEEDBACK", Told("go on to what an answer leaves; alone, too")),
        "back": Command("go_back", "", Told("go back to the position before")),
        "more": Command("show_more", "", Told("further moves")),
        "board": Command("show_board", "", Told("the position again")),
        "share": Command("share", "", Told("the command that shows this position again")),
        "quit": Command("quit", "", Told("leave")),
        **{name: COMMON[name] for name in ("help", "?", "exit")},
    }

    def __init__(self, view: Exploration, *, seconds: float = SECONDS, seed: int = 0) -> None:
        super().__init__()
        self.view, self.seconds, self.seed = view, seconds, seed
        self._earlier = list[Exploration]()
        self._shown = MOVES

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.view.rules

    @property
    def finished(self) -> bool:
        """Whether there is nothing to go on with: never, since one can go back."""
        return False

    @property
    def prompt(self) -> str:
        """`guess or answer`."""
        return Told("guess or answer")

    @property
    def wanted(self) -> str:
        """What may be typed."""
        return Told("a guess, the number of a move, or an answer")

    def start(self) -> list[Line]:
        """Show the position."""
        return exploration_lines(self.view)

    def save(self, path: str) -> None:
        """Raise InputError: there is nothing to save."""
        raise InputError(self.foreign["save"])

    def to_text(self) -> str:
        """Return the command that shows the position again."""
        return self.view.command

    def to_json(self) -> dict[str, Any]:
        """Return what is known of the position as plain data."""
        return self.view.to_json()

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a guess, the number of a move, an answer, or a guess with its answer."""
        return (
            is_number(text, len(self.view.moves))
            or any(can_read(read, text, self.rules) for read in (parse_code, parse_feedback, parse_turn))
        )  # fmt: skip

    def make_move(self, text: str) -> list[Line]:
        """Choose a guess by itself or by its number, or go on by an answer, or by a guess and its answer."""
        rules = self.rules
        if can_read(parse_code, text, rules):
            return self._look(self.view.position, parse_code(text, rules))
        if is_number(text, len(self.view.moves)):
            return self._look(self.view.position, self.view.moves[int(text) - 1].guess)
        if can_read(parse_feedback, text, rules):
            return self.take_answer(text)
        if " " not in text:
            parse_code(text, rules)  # says what is wrong
        return self._go_on(self.view.position.after(*parse_turn(text, rules)))

    def take_answer(self, text: str) -> list[Line]:
        """Go on to what an answer to the chosen guess leaves."""
        if self.view.chosen is None:
            raise InputError("the game is over: back goes back")
        return self._go_on(self.view.position.after(self.view.chosen.guess, parse_feedback(text, self.rules)))

    def _go_on(self, position: Position) -> list[Line]:
        if self.view.chosen is None:
            raise InputError("the game is over: back goes back")
        position.check_consistent()
        before = self.view
        lines = self._look(position)
        self._earlier.append(before)
        return lines

    def _look(self, position: Position, guess: Code | None = None) -> list[Line]:
        self.view, self._shown = explore(position, guess, time=self.seconds, seed=self.seed), MOVES
        return exploration_lines(self.view)

    def go_back(self, _: str = "") -> list[Line]:
        """Go back to the position before: the one that was left, or that of one turn less."""
        parent = self.view.position.parent
        if self._earlier:
            self.view, self._shown = self._earlier.pop(), MOVES
            return exploration_lines(self.view)
        if parent is None:
            raise InputError("this is the start: there is nothing before it")
        return self._look(parent)

    def show_more(self, _: str = "") -> list[Line]:
        """Show further moves."""
        first, self._shown = self._shown, self._shown + MORE
        if first >= len(self.view.moves):
            raise InputError("all moves that were valued are shown")
        return move_lines(self.view, first, MORE)

    def show_board(self, _: str = "") -> list[Line]:
        """Show the position again."""
        self._shown = MOVES
        return exploration_lines(self.view)

    def share(self, _: str = "") -> list[Line]:
        """Print the command that shows the position again."""
        return [Line(self.view.command)]
