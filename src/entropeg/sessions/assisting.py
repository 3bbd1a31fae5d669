"""Helps with a game that is played elsewhere: takes the rows of notes, and tells the best next guess."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from entropeg.advise import Advice, Contradiction, Mend, Notes, compare_players, explain, format_row, read_row
from entropeg.advise.advice import advise
from entropeg.advise.contradictions import SituationName
from entropeg.advise.ladder import HintKind, HintStep, hints_at
from entropeg.advise.question import SECONDS, NotedPosition
from entropeg.advise.reading import example_row
from entropeg.advise.rows import Row
from entropeg.advise.saved_notes import load_notes, notes_to_json, notes_to_text, save_notes
from entropeg.codes import drawn_code, is_listable
from entropeg.errors import EntropegError, InputError, TooLargeError
from entropeg.feedback import drawn_feedback, win_feedback
from entropeg.files import is_standard
from entropeg.rules import Rules
from entropeg.sessions.advising import (
    MOST_RANKED,
    advice_lines,
    chosen_mend,
    contradiction_lines,
    left_line,
    left_of_all,
    own_lines,
    player_lines,
    ranking_lines,
)
from entropeg.sessions.dialog import COMMON, LISTED, Command, Dialog, Thing, can_read
from entropeg.sessions.lines import Line, code_lines, complain, joined, say
from entropeg.sessions.typed import called, is_number
from entropeg.told import NAMES_SECRETS, Template, Told, plural

RANKED = 5
"""Guesses that are ranked unless a number is typed."""

MENDING = Told("edit ROW, delete ROW or undo")
"""Commands for rows that no code fits."""


class Former(NamedTuple):
    """Notes before a change, and where they were saved; ``is_left``: others were begun or loaded in their place."""

    notes: Notes
    save_to: str | None
    is_left: bool


class AssistSession(Dialog):
    """Notes of a game that is played elsewhere, and advice on them.

    Every change of the notes can be taken back. `notes` are those as they stand; a row that makes a contradiction is
    one of them until it is changed.

    >>> session = AssistSession(Notes.of("4x6"))
    >>> [line.text for line in session.handle("aabb xo")]
    ['1  AABB XO', '208 codes are left of 1,296; hint helps on, advice ranks guesses']
    """

    move = "row"
    thing = Thing(
        saved=Template("The notes are saved in {file}."),
        unfinished=Template("The notes are saved in {file}; entropeg {command} --load {file} continues them."),
        printed=Template(
            "The notes so far; put these lines into a file, and entropeg {command} --load FILE continues them:"
        ),
        unsaved=Template("{error}; the notes go on, and 'save FILE' saves them elsewhere"),
    )
    foreign: ClassVar[dict[str, str]] = {
        "guess": Told("type a guess and what it got, as AABB XO"),
        "answer": Told("type a guess and what it got, as AABB XO"),
        "correct": Told("edit ROW changes a row"),
        "give": Told("quit ends the session, and keeps the notes"),
    }
    commands: ClassVar[dict[str, Command]] = {
        "row": Command(
            "make_move", "GUESS FEEDBACK", Told("note a turn; the two alone do the same (AABB XO, AA?B 1 ?)")
        ),
        "hint": Command("hint", "", Told("a hint that gives away little; again, and it gives away more")),
        "advice": Command("show_advice", "[N]", Told("the best guesses, with what each is worth")),
        "why": Command("why", "CODE", Told("what a guess of your own is worth, beside the best")),
        "left": Command("show_left", "", Told("how many codes are left; lists them when they are few")),
        "codes": Command("show_left", "", ""),
        "players": Command("show_players", "", Told("what seven strategies would play")),
        "board": Command("show_board", "", Told("the rows so far")),
        "undo": Command("undo", "", Told("take back the last change")),
        "edit": Command("edit", "[ROW]", Told("change a row; alone: the line that could not be read, or the last row")),
        "delete": Command("delete", "ROW", Told("leave a row out")),
        "mend": Command("mend", "[N]", Told("where no code fits: choose a way to mend it; alone: tell them again")),
        "afterwards": Command(
            "take_afterwards", "", Told("take the notes as those of a finished game; live: of one under way")
        ),
        "live": Command("take_live", "", ""),
        "new": Command("begin_again", "[RULES]", Told("leave these notes, and begin others")),
        "save": Command("save_as", "FILE", Told("save the notes, there from now on (.json: as JSON)")),
        "load": Command("load", "FILE", Told("go on with saved notes, or with a saved game")),
        **{name: COMMON[name] for name in ("help", "?", "quit", "exit")},
    }

    def __init__(
        self, notes: Notes, save_to: str | None = None, *, seconds: float = SECONDS, seed: int = 0, tells: bool = False
    ) -> None:
        """Start with some notes; with ``tells`` the best guess is said after every row."""
        super().__init__(save_to)
        self.notes = notes
        self.seconds, self.seed, self.tells = seconds, seed, tells
        self.situation: SituationName = "live"
        self.refused = ""
        """The last line that could not be read."""
        self._kept, self._earlier = notes, list[Former]()
        self._edited: int | None = None  # the row that the next line changes
        self._steps: list[HintStep] | None = None  # the hints on these notes that were not given yet
        self._advice: tuple[Notes, Advice] | None = None
        self._told: Contradiction | None = None
        self._mends: list[Mend] = []
        self._shown: list[Line] = []  # the contradiction as it was told last

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.notes.rules

    @property
    def dirty(self) -> bool:
        """Whether the notes have changed since they were last saved."""
        return self.notes is not self._kept

    @property
    def is_empty(self) -> bool:
        """Whether there is no row."""
        return not self.notes.rows

    @property
    def finished(self) -> bool:
        """Whether there is nothing to go on with: never, since notes can be changed."""
        return False

    @property
    def prompt(self) -> str:
        """`row 3`."""
        return Told("row {number}", len(self.notes.rows) + 1 if self._edited is None else self._edited + 1)

    def start(self) -> list[Line]:
        """Say what is played, and what to type."""
        opening = say("{rules}: {described}.", self.rules, self.rules.describe())
        usage = say(
            "Type each guess and what it got, as {example}; ? is what you do not know. Or hint, or help.",
            example_row(self.rules),
            tone="quiet",
        )
        return [opening, usage, *(self._rows() + self._state() if self.notes.rows else [])]

    def to_text(self) -> str:
        """Return the notes as text."""
        return notes_to_text(self.notes)

    def to_json(self) -> dict[str, Any]:
        """Return the notes as plain data."""
        return notes_to_json(self.notes)

    def save(self, path: str) -> None:
        """Write the notes to a file; raises InputError where it cannot be written."""
        save_notes(self.notes, path)
        self._kept = self.notes

    # ------------------------------------------------------------------ rows that are typed

    def handle(self, text: str) -> list[Line]:
        """Take one line typed by the person and return what to show."""
        self.prefill = ""
        is_open = self._edited is not None
        if is_open and not text.strip() and not self.over:
            self._edited = None
            return [say("(the row stays as it was)", tone="quiet")]
        return super().handle(text)

    def _split(self, text: str) -> tuple[str | None, str]:
        # A word that is a code of the board too, as LEFT on 4x26, is a guess where a feedback follows it.
        name, argument = super()._split(text)
        if name is not None and argument and not self.commands[name].argument and self.is_move(text):
            return None, ""
        return name, argument

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a row."""
        return can_read(read_row, text, self.rules)

    def make_move(self, text: str) -> list[Line]:
        """Note a row, or the new text of the row that is edited."""
        try:
            row = read_row(text, self.rules)
        except EntropegError:
            self.refused = text
            raise
        self.refused = ""
        if self._edited is not None:
            place, self._edited = self._edited, None
            return self._replace(place, row)
        self._take(self.notes.after(row))
        return [self._row_line(len(self.notes.rows) - 1), *self._state(), *self.saved_again()]

    def _with_what_is_right(self, error: str, text: str) -> str:
        said = super()._with_what_is_right(error, text)
        if said != error:
            self.refused = ""  # a command was meant
            return said
        return Told("{error}; edit puts the line back", error)

    def _take(self, notes: Notes, *, is_other: bool = False) -> None:
        self._earlier.append(Former(self.notes, self.save_to, is_other))
        self._put(notes)

    def _put(self, notes: Notes) -> None:
        self.notes = notes
        self._steps, self._told, self._mends, self._edited = None, None, [], None

    # ------------------------------------------------------------------ changes

    def undo(self, _: str = "") -> list[Line]:
        """Take back the last change of the notes."""
        if not self._earlier:
            raise InputError("there is nothing to take back")
        former = self._earlier.pop()
        if former.is_left:
            self.save_to = former.save_to
        self._put(former.notes)
        return [say("the last change is taken back"), *self._rows(), *self._state(), *self.saved_again()]

    def edit(self, text: str) -> list[Line]:
        """Put a row back on the line, to be changed; the next line that is typed takes its place."""
        number, _, rest = text.partition(" ")
        if not text and self.refused:
            self.prefill = self.refused
            return [say("(change this line, and press Enter) {line}", self.refused)]
        if not text:
            number = str(len(self.notes.rows))
        place = self._place(number, "edit")
        if rest:
            return self._replace(place, read_row(rest, self.rules))
        self._edited = place
        row = self.notes.rows[place]
        self.prefill = " ".join(row.text.split()) or format_row(row, self.rules)
        return [
            say("(row {number}: change it, and press Enter; an empty line leaves it) {line}", place + 1, self.prefill)
        ]

    def _replace(self, place: int, row: Row) -> list[Line]:
        self._take(self.notes.with_row(place, row))
        return [*self._rows(), *self._state(), *self.saved_again()]

    def delete(self, text: str) -> list[Line]:
        """Leave a row out."""
        place = self._place(text, "delete")
        self._take(self.notes.without_row(place))
        return [say("row {number} is left out", place + 1), *self._rows(), *self._state(), *self.saved_again()]

    def _place(self, number: str, command: str) -> int:
        count = len(self.notes.rows)
        if not count:
            raise InputError("there is no row yet: type a guess and what it got, as {example}", example_row(self.rules))
        if not is_number(number, count):
            which, word = "1" if count == 1 else Told("a row from 1 to {rows}", count), called(command)
            raise InputError("{command} {typed!r}: which row? Type {command} and {which}", word, number, which)
        return int(number) - 1

    def begin_again(self, text: str) -> list[Line]:
        """Begin other notes; the former ones come back by undo."""
        rules = Rules.parse(text) if text else self.rules
        NAMES_SECRETS.set(not rules.has_pegs)
        self._take(Notes.of(rules), is_other=True)
        return [*self.start(), say("(undo brings the former notes back)", tone="quiet"), *self._left_file()]

    def load(self, path: str) -> list[Line]:
        """Go on with notes of a file; the former ones come back by undo."""
        if not path:
            raise InputError("load what? Type load FILE")
        if path == "-":
            raise InputError("standard input is where you type: load FILE reads a file")
        self._take(load_notes(path), is_other=True)
        self._kept = self.notes
        is_same = self.save_to is not None and Path(self.save_to).resolve() == Path(path).resolve()
        return [*self.start(), *([] if is_same else self._left_file())]

    def _left_file(self) -> list[Line]:
        # The file of the former notes is not written over by others.
        if self.save_to is None or is_standard(self.save_to):
            return []
        path, self.save_to = self.save_to, None
        return [say("({file} keeps the former notes; save FILE keeps these)", path, tone="quiet")]

    def mend(self, text: str) -> list[Line]:
        """Choose one of the ways to mend a contradiction, and go on with it; or tell them again."""
        told = self._told
        chosen = chosen_mend(text, None if told is None else self._mends, MENDING)
        if told is not None and chosen is None:
            self._shown = []  # they are told again
            return self._contradiction(told)
        if chosen is not None:
            self._take(chosen.notes)
        return [*self._rows(), *self._state(), *self.saved_again()]

    def take_afterwards(self, _: str = "") -> list[Line]:
        """Take the notes as those of a finished game, of which the player knew the right answers."""
        return self._take_for(
            "afterwards", Told("(the notes are taken as those of a finished game: sensible guesses count)")
        )

    def take_live(self, _: str = "") -> list[Line]:
        """Take the notes as those of a game under way."""
        return self._take_for("live", Told("(the notes are taken as those of a game under way)"))

    def _take_for(self, situation: SituationName, said: str) -> list[Line]:
        self.situation = situation
        self._told, self._mends = None, []
        return [Line(said, "quiet"), *(self._state() if self.notes.rows else [])]

    # ------------------------------------------------------------------ advice

    def hint(self, _: str = "") -> list[Line]:
        """Give away a little more than the last time."""
        if self._told is not None:
            return self._contradiction(self._told)
        advice = self._advised()
        more = [] if self._steps is not None else [say("(hint again tells more)", tone="quiet")]
        if self._steps is None:  # the guess is told with its reason
            self._steps = [step for step in hints_at(advice) if step.kind is not HintKind.guess]
        if not self._steps:
            return ranking_lines(advice.guesses[:RANKED], self.rules)
        step = self._steps.pop(0)
        return advice_lines(advice) if step.kind is HintKind.why else [Line(step.says), *more]

    def show_advice(self, number: str = "") -> list[Line]:
        """Rank the best guesses."""
        if number and not is_number(number, MOST_RANKED):
            raise InputError(
                "advice {typed!r}: how many guesses? Type advice, or advice and a number from 1 to {most}",
                *(number, MOST_RANKED),
            )
        if self._told is not None:
            return self._contradiction(self._told)
        advice = self._advised()
        ranked = advice.guesses[: int(number or RANKED)]
        return [left_line(advice), *ranking_lines(ranked, self.rules), *advice_lines(advice)]

    def why(self, code: str) -> list[Line]:
        """Say what a guess of the person's own is worth."""
        if not code:
            raise InputError("why what? Type why and a guess of your own")
        if self._told is not None:
            return self._contradiction(self._told)
        advice = advise(self.notes, limit=1, also=[code], time=self.seconds, seed=self.seed)
        return own_lines(advice, advice.also[0])

    def show_players(self, _: str = "") -> list[Line]:
        """Say what seven strategies would play."""
        if self._told is not None:
            return self._contradiction(self._told)
        return player_lines(compare_players(self.notes, time=self.seconds, seed=self.seed), self.rules)

    def show_left(self, _: str = "") -> list[Line]:
        """Say how many codes are left, and list them where they are few; a sample where nobody can count them."""
        if self._told is not None:
            return self._contradiction(self._told)
        try:
            codes = self.notes.candidates
        except TooLargeError:
            codes = NotedPosition.of(self.notes, self.seed).remaining.codes[:6]
            return [say("more codes are left than can be listed; a sample of {codes}:", len(codes)), *code_lines(codes)]
        counted = Line(left_of_all(len(codes), self.rules))
        return [counted, *(code_lines(codes) if 0 < len(codes) <= LISTED else [])]

    def show_board(self, _: str = "") -> list[Line]:
        """Show the rows so far."""
        return self._rows() or [say("there is no row yet", tone="quiet")]

    def _rows(self) -> list[Line]:
        return [self._row_line(place) for place in range(len(self.notes.rows))]

    def _row_line(self, place: int) -> Line:
        width = len(str(len(self.notes.rows)))
        row = self.notes.rows[place]
        turn = row.turn
        if turn is None:
            return Line(f"{place + 1:>{width}}  {format_row(row, self.rules)}")
        return joined(f"{place + 1:>{width}}  ", drawn_code(turn.guess, self.rules), " ", drawn_feedback(turn.feedback))

    def _advised(self) -> Advice:
        # Advice on the notes as they are, found once.
        if self._advice is None or self._advice[0] is not self.notes:
            found = advise(self.notes, limit=MOST_RANKED, time=self.seconds, seed=self.seed)
            self._advice = self.notes, found
        return self._advice[1]

    def _state(self) -> list[Line]:
        # The sentences that the rows call for: how many codes are left, the end of the game, or a contradiction.
        try:
            return self._contradicted() or self._going_on()
        except EntropegError as error:
            return [complain(error)]

    def _contradicted(self) -> list[Line]:
        try:
            if is_listable(self.rules) and len(self.notes.candidates):
                return []
        except TooLargeError:
            pass
        told = explain(self.notes, self.situation, time=2.0)
        if not told.is_proved and not told.conflicts and not told.rows:
            return []
        self._told = told
        return self._contradiction(told)

    def _contradiction(self, told: Contradiction) -> list[Line]:
        shown, self._mends = contradiction_lines(told, MENDING)
        if shown == self._shown:
            if told.doubt is not None:
                return [complain(told.says)]
            if not self._mends:
                return [complain(Told("no code fits the rows: type {commands}", MENDING))]
            return [
                complain(Told("no code fits the rows: mend N mends them, mend tells how; or type {commands}", MENDING))
            ]
        self._shown = shown
        return shown

    def _going_on(self) -> list[Line]:
        self._shown = []
        won = win_feedback(self.rules)
        number = next((place for place, row in enumerate(self.notes.rows, start=1) if row.feedback == won), None)
        if number is not None:
            return [Line(plural(number, "Found in {n} guess.", "Found in {n} guesses."), "good")]
        if self.tells:
            advice = self._advised()
            return [left_line(advice), *advice_lines(advice)]
        try:
            count = len(self.notes.candidates)
        except TooLargeError:
            return [say("more codes are left than can be listed; hint helps on, advice ranks guesses")]
        if count == 1:
            return [say("1 code is left: {code}", drawn_code(self.notes.candidates[0], self.rules))]
        return [say("{left}; hint helps on, advice ranks guesses", left_of_all(count, self.rules))]
