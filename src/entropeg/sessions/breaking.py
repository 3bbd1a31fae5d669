"""Breaks the code that a person hides: on a real board, on paper, or in any other game."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from entropeg import codebreakers
from entropeg.advise import Mend, explain
from entropeg.advise.quick import Adviser, AdviserAtOnce
from entropeg.codebreakers import Codebreaker
from entropeg.codebreakers.doubts import Doubt, doubt_of
from entropeg.codes import drawn_code, parse_code
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, parse_feedback
from entropeg.game import Game
from entropeg.loop import draw_seed
from entropeg.position import Position, Turn
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.sessions.advising import chosen_mend, contradiction_lines
from entropeg.sessions.dialog import COMMON, Command, Session, can_read, check_trusted, guess_in
from entropeg.sessions.lines import Line, board, joined, say
from entropeg.told import Told, plural

MENDING = Told("correct TURN FEEDBACK, or undo")
"""Commands for a position that no code fits."""


class BreakSession(Session):
    """A game in which a codebreaker guesses and the person answers.

    The generator of each guess is made from the seed and the number of turns, so that a guess that was shown
    is shown again after `undo` and after the game was saved and loaded.

    >>> session = BreakSession(Rules.parse("2x2"), codebreakers.get("first-consistent"), seed=1)
    >>> session.pending, [line.text for line in session.handle("-")]
    ((0, 0), ['turn 2: I guess BB'])
    """

    move = "answer"
    foreign: ClassVar[dict[str, str]] = {
        "hint": Told("here the machine guesses, and you answer"),
        "guess": Told("here the machine guesses, and you answer"),
        "give": Told("here the machine guesses: quit ends the game"),
    }
    commands: ClassVar[dict[str, Command]] = {
        "answer": Command("make_move", "FEEDBACK", Told("answer the guess; a feedback alone does the same")),
        "correct": Command("correct", "TURN FEEDBACK", Told("change the answer of an earlier turn")),
        "mend": Command("mend", "[N]", Told("where no code fits: choose a way to mend it; alone: tell them again")),
        "undo": Command("undo", "", Told("take back the last answer")),
        **{name: COMMON[name] for name in ("left", "codes", "board", "save", "help", "?", "quit", "exit")},
    }

    def __init__(
        self,
        rules: Rules,
        codebreaker: Codebreaker,
        seed: int | None = None,
        save_to: str | None = None,
        position: Position | None = None,
    ) -> None:
        """Make the first guess; raises an EntropegError where the codebreaker cannot play on this board."""
        super().__init__(position or Position(rules), draw_seed() if seed is None else seed, save_to)
        self.codebreaker = codebreaker
        self.over = self.finished
        self.pending: Code | None = None
        self._why, self._told = "", ""
        self._mends: tuple[Position, list[Mend]] | None = None
        self._doubt: Doubt | None = None
        self._doubted: Doubt | None = None  # as it was told last
        self._think()

    @classmethod
    def resume(cls, game: Game, save_to: str | None = None, *, trusts: bool = False) -> BreakSession:
        """Go on with a saved game; where a person guessed in it, the adviser takes over.

        Raises InputError where a person guessed against the machine. A codebreaker whose code is not entropeg's is made
        only where the caller trusts the name in the game.
        """
        if game.codemaker != "human":
            raise InputError("in this game the machine answers: continue it with entropeg play --load")
        check_trusted(codebreakers.registry, game.codebreaker, trusts=trusts)
        return cls(game.rules, find_codebreaker(game.codebreaker), game.seed, save_to, game.position)

    @property
    def finished(self) -> bool:
        """Whether the game is won, or out of guesses, without a contradiction left to mend."""
        return self.position.is_over and not _is_contradictory(self.position)

    @property
    def prompt(self) -> str:
        """`answer 3`, or `correction`."""
        if self.pending is None:
            return Told("correction")
        return Told("answer {number}", len(self.position.turns) + 1)

    def start(self) -> list[Line]:
        """Say what is played, show the turns of a game that goes on, and guess."""
        opening = say("{rules}: {described}.", self.rules, self.rules.describe())
        if self.over:
            return [opening, *board(self.position), say("this game is over", tone="quiet")]
        examples = self.rules.feedback.about.examples
        usage = say("Keep a secret, and answer each guess ({examples}), or type help.", examples, tone="quiet")
        return [opening, usage, *board(self.position), *self._next()]

    def game(self) -> Game:
        """Return the record so far."""
        return Game(
            self.rules, self.position.turns, codebreaker=name_of(self.codebreaker), codemaker="human", seed=self.seed
        )

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a feedback."""
        return can_read(parse_feedback, text, self.rules)

    def misplaced(self, text: str) -> str:
        """Say who guesses, to somebody who types a guess."""
        if not (guess_in(text, self.rules) or can_read(parse_code, text, self.rules)):
            return ""
        return Told(
            "here the machine guesses: type what its guess got, alone ({examples})", self.rules.feedback.about.examples
        )

    def make_move(self, text: str) -> list[Line]:
        """Take the answer to the pending guess, and guess again."""
        if not text:
            examples = self.rules.feedback.about.examples
            raise InputError("answer what? Type answer and a feedback ({examples})", examples)
        feedback = parse_feedback(text, self.rules)
        if self.pending is None:
            if not self._offered:
                raise InputError("no code fits the answers so far: type {commands}", MENDING)
            raise InputError("no code fits the answers so far: type mend N to mend them, or {commands}", MENDING)
        self._go_to(self.position.after(self.pending, feedback))
        return [*self._next(), *self.changed()]

    def correct(self, text: str) -> list[Line]:
        """Change the answer of a turn; the guesses stay as they were played."""
        turn, _, rest = text.partition(" ")
        count = len(self.position.turns)
        if not turn.isdecimal() or len(turn) > len(str(count)) or not 1 <= int(turn) <= count:
            if not count:
                raise InputError("there is no turn to correct: type the answer to the first guess")
            raise InputError(
                "correct {typed!r}: it needs a turn from 1 to {turns} and a feedback, as in correct 1 XO", text, count
            )
        if not rest:
            raise InputError("correct turn {turn} to what? Type correct {turn} FEEDBACK", turn)
        turns = list(self.position.turns)
        turns[int(turn) - 1] = Turn(turns[int(turn) - 1].guess, parse_feedback(rest, self.rules))
        corrected = Position(self.rules, turns)
        if corrected != self.position:
            self._doubted = None  # what is doubted then is another matter
        self._go_to(corrected)
        return [*board(self.position), *self._next(), *self.changed()]

    def mend(self, text: str) -> list[Line]:
        """Choose one of the ways to mend a contradiction, and go on with it; or tell them again."""
        told = self._contradiction() if self._offered is None and self._doubt is not None else None
        chosen = chosen_mend(text, self._offered, MENDING)
        if chosen is None:
            return told or self._contradiction()
        self._doubted = None
        self._go_to(chosen.position)
        return [*board(self.position), *self._next(), *self.changed()]

    @property
    def _offered(self) -> list[Mend] | None:
        # The ways to mend the position as it is, None where nothing contradicts.
        return None if self._mends is None or self._mends[0] is not self.position else self._mends[1]

    def _contradiction(self) -> list[Line]:
        # Where an answer is doubted, the game may go on with it.
        typed = MENDING if self.pending is None else Told("correct TURN FEEDBACK, or answer on")
        shown, mends = contradiction_lines(explain(self.position, doubt=self._doubt), typed)
        self._mends, self._doubted = (self.position, mends), self._doubt
        return shown

    def undo(self, _: str = "") -> list[Line]:
        """Take back the last answer; its guess is asked again."""
        guess = self.position.turns[-1].guess if self.position.turns else None
        self.take_back()
        self.over, self.pending, self._doubt = False, guess, None
        said = say("the answer to turn {number} is taken back", len(self.position.turns) + 1)
        return [said, *self._next(), *self.changed()]

    def _go_to(self, position: Position) -> None:
        before, pending, doubt = self.position, self.pending, self._doubt
        try:
            self.position = position
            self.over = self.finished
            self._think()
        except Exception:  # not where a signal came: the answer was given, and is kept with the game
            self.position, self.pending, self._doubt = before, pending, doubt
            self.over = self.finished
            raise

    def _think(self) -> None:
        self.pending, self._doubt = None, None
        if self.over or _is_contradictory(self.position):
            return
        try:
            self.pending = self._guess()
        except ContradictionError as error:
            self._doubt = doubt_of(self.codebreaker, self.position) or Doubt(str(error), is_proved=False)
            return
        if _is_vast(self.position):
            self._doubt = doubt_of(self.codebreaker, self.position)

    def _guess(self) -> Code:
        rng = np.random.default_rng((self.seed, len(self.position.turns)))
        ask = getattr(self.codebreaker, "explained", None)  # the guess, and what the codebreaker says of it, if it can
        guess, self._why = (
            ask(self.position, rng) if callable(ask) else (self.codebreaker.guess(self.position, rng), "")
        )
        return self.position.check_guess(guess)

    def _next(self) -> list[Line]:
        # The answer to a changed position: the end, the contradiction, or the next guess.
        number = len(self.position.turns)
        if self.position.is_won and self.finished:
            secret = drawn_code(self.position.secret_found, self.rules)
            found = plural(number, "I found {secret} in {n} guess.", "I found {secret} in {n} guesses.", secret)
            return [Line(found, "good")]
        if self.pending is not None:
            return [
                *self._new_doubt(),
                *self._reasons(),
                say("turn {number}: I guess {guess}", number + 1, drawn_code(self.pending, self.rules)),
            ]
        if self._doubt is not None or _is_contradictory(self.position):
            return self._contradiction()
        spent = plural(number, "I have no guess left after {n} guess.", "I have no guess left after {n} guesses.")
        return [Line(spent)]

    def _new_doubt(self) -> list[Line]:
        # What is doubted is told once, unless another row is doubted then; `mend` tells it again.
        if self._doubt is None or self._doubt == self._doubted:
            return []
        return self._contradiction()

    def _reasons(self) -> list[Line]:
        # The codebreaker's own sentence about its guess, unless it says the same again.
        told, self._told = self._told, self._why
        return [joined("(", self._why, ")", tone="quiet")] if self._why and self._why != told else []


def find_codebreaker(name: str) -> Codebreaker:
    """Make a codebreaker by name; `adviser`, for which `human` stands, does not wait for the compiler here."""
    return AdviserAtOnce() if name in {"human", Adviser.name} else codebreakers.get(name)


def _is_vast(position: Position) -> bool:
    # On boards with more secrets than this, a search for one that fits could take longer than a guess.
    return position.rules.secret_count > 10**12


def _is_contradictory(position: Position) -> bool:
    # On the largest boards nothing is checked here: the codebreaker that plays there says what it doubts.
    if _is_vast(position):
        return False
    try:
        return position.is_contradictory
    except TooLargeError:
        return False
