"""Hides a code that a person breaks."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from entropeg import codemakers
from entropeg.advise.quick import advise_at_once
from entropeg.codebreakers.auto import Auto
from entropeg.codemakers import Codemaker
from entropeg.codemakers.cheat import held_code
from entropeg.codes import check_code, check_listable, drawn_code, is_listable, parse_code, random_guess
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code, check_feedback, parse_feedback, score_trusted
from entropeg.game import Game
from entropeg.loop import draw_seed, generators
from entropeg.position import Position
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.sessions.advising import MOST_RANKED, advice_lines, ranking_lines
from entropeg.sessions.dialog import COMMON, Command, Session, can_read, check_trusted, guess_as, guess_in
from entropeg.sessions.lines import Line, board, joined, say, turn_line
from entropeg.sessions.typed import is_number
from entropeg.told import Told, plural


class PlaySession(Session):
    """A game in which the person guesses and a codemaker answers.

    With the same rules, seed and guesses the codemaker answers as it does in `entropeg.play`, whatever was
    taken back in between.
    """

    move = "guess"
    foreign: ClassVar[dict[str, str]] = {
        "answer": Told("here the machine answers, and you guess"),
        "correct": Told("here the machine answers: its answers are right"),
    }
    commands: ClassVar[dict[str, Command]] = {
        "guess": Command("make_move", "CODE", Told("make a guess; a code alone does the same")),
        "hint": Command("hint", "[N]", Told("suggest a guess, and say what it would do; or N of them, the best first")),
        "undo": Command("undo", "", Told("take back the last turn")),
        **{name: COMMON[name] for name in ("left", "codes", "board", "save")},
        "give up": Command("give_up", "", Told("see the secret and end the game")),
        **{name: COMMON[name] for name in ("help", "?", "quit", "exit")},
    }

    def __init__(self, rules: Rules, codemaker: Codemaker, seed: int | None = None, save_to: str | None = None) -> None:
        """Let the codemaker choose its secret; raises InputError where it cannot play by these rules."""
        super().__init__(Position(rules), draw_seed() if seed is None else seed, save_to)
        self.codemaker = codemaker
        self.note: list[Line] = []
        self.revealed = False
        self.advice_rng, self.rng = generators(self.seed)
        secret = codemaker.choose(rules, self.rng)
        self.secret = None if secret is None else check_code(secret, rules, secret=True)
        # A codemaker that cannot play on this board says so now, not after the first guess.
        rng = np.random.default_rng(self.seed)
        codemaker.answer(self.position, random_guess(rules, rng), self.secret, rng)

    @classmethod
    def resume(cls, game: Game, save_to: str | None = None, *, trusts: bool = False) -> PlaySession:
        """Go on with a saved game; raises InputError where it is not one that a person was guessing in.

        A codemaker whose code is not entropeg's is made only where the caller trusts the name in the game.
        """
        if game.codemaker == "human" and game.secret is None:
            raise InputError("in this game a person answers: continue it with entropeg break --load")
        name = "honest" if game.codemaker == "human" else game.codemaker
        check_trusted(codemakers.registry, name, trusts=trusts)
        session = cls(game.rules, codemakers.get(name), game.seed, save_to)
        session._take_up(game)
        return session

    def _take_up(self, game: Game) -> None:
        self.position = game.position
        self.over = self.position.is_over
        self.secret = game.secret or self.secret
        if self.secret is not None and not _fits(self.secret, self.position):
            self.secret = self._another_secret()
            self.note = [say("(the seed no longer gives the secret; another that fits every answer takes its place)")]
        self._replay()

    def _another_secret(self) -> Code:
        try:
            self.position.check_consistent()
        except TooLargeError:
            raise InputError(
                "the answers of the saved game do not follow from its seed: it cannot be continued"
            ) from None
        return self.position.candidates[int(self.advice_rng.integers(len(self.position.candidates)))]

    @property
    def finished(self) -> bool:
        """Whether the game is won, lost or given up."""
        return self.revealed or self.position.is_over

    @property
    def prompt(self) -> str:
        """`guess 3 of 12`."""
        number, limit = len(self.position.turns) + 1, self.rules.guess_limit
        return Told("guess {number}", number) if limit is None else Told("guess {number} of {limit}", number, limit)

    @property
    def wanted(self) -> str:
        """`a code, as FDDB`."""
        # A longer code is too long for an example.
        if self.rules.pegs > 12:
            return Told("a code of {pegs} pegs", self.rules.pegs)
        return guess_as(random_guess(self.rules, np.random.default_rng(0)), self.rules)

    def start(self) -> list[Line]:
        """Say what is played, and show the turns of a game that goes on."""
        opening = say("{rules}: {described}.", self.rules, self.rules.describe())
        if self.over:
            return [opening, *board(self.position), say("this game is over", tone="quiet")]
        usage = say("Type a guess, hint, or help.", tone="quiet")
        return [opening, usage, *board(self.position), *self.note]

    def game(self) -> Game:
        """Return the record so far; while the game goes on it holds the seed in place of the secret."""
        shown = self.secret if self.finished else None
        return Game(self.rules, self.position.turns, shown, "human", name_of(self.codemaker), self.seed)

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a legal guess."""
        return can_read(parse_code, text, self.rules)

    def misplaced(self, text: str) -> str:
        """Say who answers, to somebody who types an answer."""
        guess = guess_in(text, self.rules)
        if guess:
            return Told(
                "here the machine answers: type {guess} alone (entropeg assist helps with games played elsewhere)",
                guess,
            )
        is_answer = can_read(parse_feedback, text, self.rules)
        return Told("here the machine answers, and you guess: type {wanted}", self.wanted) if is_answer else ""

    def make_move(self, text: str) -> list[Line]:
        """Answer a guess."""
        if not text:
            raise InputError("guess what? Type guess and {wanted}", self.wanted)
        guess = self.position.check_guess(text)
        answer = self.codemaker.answer(self.position, guess, self.secret, self.rng)
        self.position = self.position.after_trusted(guess, check_feedback(answer, self.rules))
        self.over = self.position.is_over
        return [turn_line(self.position, len(self.position.turns)), *self._ending(), *self.changed()]

    def _ending(self) -> list[Line]:
        count = len(self.position.turns)
        if self.position.is_won:
            found = Line(plural(count, "Found in {n} guess.", "Found in {n} guesses."), "good")
            return [found] if self.rules.is_named else [joined(found.text, " ", self._the_secret(), tone="good")]
        lost = plural(count, "Lost after {n} guess.", "Lost after {n} guesses.")
        return [joined(lost, " ", self._the_secret())] if self.over else []

    def _the_secret(self) -> str:
        if self.secret is not None:
            return Told("The secret was {secret}.", drawn_code(self.secret, self.rules))
        code = drawn_code(held_code(self.position), self.rules)
        return Told("The codemaker had settled on nothing; {code} fits every answer.", code)

    def undo(self, _: str = "") -> list[Line]:
        """Take back the last turn: the same guess would get the same answer again."""
        self.take_back()
        self._replay()
        return [say("turn {number} is taken back", len(self.position.turns) + 1), *self.changed()]

    def _replay(self) -> None:
        # The codemaker's generator, moved to where it stood after the turns that remain.
        _, self.rng = generators(self.seed)
        self.codemaker.choose(self.rules, self.rng)
        for earlier, turn in zip(_lineage(self.position), self.position.turns, strict=True):
            self.codemaker.answer(earlier, turn.guess, self.secret, self.rng)

    def give_up(self, _: str = "") -> list[Line]:
        """Show the secret and end the game."""
        self.over = self.revealed = True
        after = plural(len(self.position.turns), "Given up after {n} guess.", "Given up after {n} guesses.")
        return [joined(after, " ", self._the_secret()), *self.changed()]

    def hint(self, number: str = "") -> list[Line]:
        """Suggest a guess and say what it does to the codes that are left; or a number of guesses as a table."""
        if number and not is_number(number, MOST_RANKED):
            raise InputError(
                "hint {typed}: how many guesses? Type hint, or hint and a number from 1 to {most}", number, MOST_RANKED
            )
        if not is_listable(self.rules):
            if number:
                check_listable(self.rules)
            found = Auto().decide(self.position, self.advice_rng)
            who = say("({player}: {reason})", found.spec, found.reason, tone="quiet")
            return [say("Try {guess}.", drawn_code(found.guess, self.rules)), who]
        advice = advise_at_once(self.position, limit=int(number or 1), seconds=1.0, seed=self.seed)
        return ranking_lines(advice.guesses, self.rules) if number else advice_lines(advice)


def _fits(secret: Code, position: Position) -> bool:
    return all(score_trusted(turn.guess, secret, position.rules) == turn.feedback for turn in position.turns)


def _lineage(position: Position) -> list[Position]:
    # The positions before each turn, first turn first.
    earlier = []
    parent = position.parent
    while parent is not None:
        earlier.append(parent)
        parent = parent.parent
    return earlier[::-1]
