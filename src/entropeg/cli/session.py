"""A game as a conversation: what it adds to `dialog` are turns, which undo takes back and a file of a game keeps.

`PlaySession` and `BreakSession` are the two kinds.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from entropeg.amounts import plural, shown_count
from entropeg.candidates import find_candidates
from entropeg.cli import lines
from entropeg.cli.dialog import LISTED, Dialog, code_lines
from entropeg.cli.lines import Line, say
from entropeg.errors import InputError, TooLargeError
from entropeg.game import Game, save_game
from entropeg.position import Position
from entropeg.rules import Rules


class Session(Dialog):
    """One game between a person and the machine; `game()` is the record at any moment."""

    def __init__(self, position: Position, seed: int, save_to: str | None = None) -> None:
        """Start in a position; with `save_to` the game is saved there after every change."""
        super().__init__(save_to)
        self.position = position
        self.seed = seed
        self.over = position.is_over
        self._is_touched, self._kept = False, position

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    @property
    def dirty(self) -> bool:
        """Whether the game has changed since it was last saved, also where a signal came before that was noted."""
        return self._is_touched or self.position is not self._kept

    @property
    def is_empty(self) -> bool:
        """Whether no turn has been played."""
        return not self.position.turns

    @property
    def finished(self) -> bool:
        """Whether the game has come to its end, so that there is nothing to go on with."""
        return self.position.is_over

    @abstractmethod
    def game(self) -> Game:
        """Return the record of the game so far."""

    def to_text(self) -> str:
        """Return the record as text."""
        return self.game().to_text()

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return self.game().to_json()

    def changed(self) -> list[Line]:
        """Note that the game has changed; save it where it is to be saved."""
        self._is_touched = True
        return self.saved_again()

    def save(self, path: str) -> None:
        """Write the game so far to a file; raises InputError where it cannot be written."""
        save_game(self.game(), path)
        self._is_touched, self._kept = False, self.position

    def show_board(self, _: str = "") -> list[Line]:
        """Show the turns so far."""
        return lines.board(self.position) or [say("no turn has been played yet", tone="quiet")]

    def show_left(self, _: str = "") -> list[Line]:
        """Say how many codes are left, and list them where they are few; a sample where nobody can count them."""
        try:
            candidates = self.position.candidates
        except TooLargeError:
            found = find_candidates(self.rules, self.position.turns, limit=6, seed=self.seed)
            return [say(f"more codes are left than can be listed; {found.says}"), *code_lines(found.codes)]
        if not len(candidates):
            self.position.check_consistent()
        counted = f"{plural(len(candidates), 'code')} left of {shown_count(self.rules.secret_count)}"
        return [say(counted), *(code_lines(candidates) if len(candidates) <= LISTED else [])]

    def take_back(self) -> None:
        """Go back one turn; raises InputError at the start."""
        parent = self.position.parent
        if parent is None:
            raise InputError("there is no turn to take back")
        self.position = parent
