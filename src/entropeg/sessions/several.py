"""Hides several codes that a person finds, all with the same guesses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from entropeg.codes import CodeSet, drawn_code, parse_code
from entropeg.errors import InputError
from entropeg.feedback import Code, drawn_feedback
from entropeg.files import is_standard, read_text
from entropeg.loop import draw_seed
from entropeg.rules import Rules
from entropeg.sessions.advising import number_table
from entropeg.sessions.dialog import LISTED, Command, Dialog, can_read
from entropeg.sessions.lines import Line, code_lines, joined, say
from entropeg.sessions.playing import PlaySession
from entropeg.several.boards import FOUND, Boards, SeveralRules, SeveralTurn
from entropeg.several.choosing import SeveralGuess, choose, rated
from entropeg.several.exact import MOST_CODES, least_total
from entropeg.several.game import FORMAT, SeveralGame, drawn_secrets, load_several, save_several
from entropeg.told import Joined, Told, plural, word

SETTLED = 1000
"""Ways to hide the secrets, at most, of which a hint takes the least total; it gives up after a second."""


class SeveralSession(Dialog):
    """A game in which the person guesses and each of several secrets answers."""

    move = PlaySession.move
    foreign = PlaySession.foreign
    commands: ClassVar[dict[str, Command]] = {
        **PlaySession.commands,
        "hint": Command("hint", "", Told("suggest a guess, and say what it would do")),
        "give up": Command("give_up", "", Told("see the secrets and end the game")),
    }

    def __init__(self, rules: SeveralRules, seed: int | None = None, save_to: str | None = None) -> None:
        super().__init__(save_to)
        self.seed: int | None = draw_seed() if seed is None else seed
        self.secrets = drawn_secrets(rules, self.seed)
        self.boards = self._kept = Boards.of(rules)
        self.revealed = False

    @classmethod
    def resume(cls, path: str, save_to: str | None = None) -> SeveralSession:
        """Go on with a saved game; raises InputError where it is damaged."""
        game = load_several(path)
        session = cls(game.rules, game.seed, save_to)
        session.secrets, session.boards, session.seed = game.secrets, game.position, game.seed
        session._kept, session.over = session.boards, session.boards.is_over
        return session

    @property
    def rules(self) -> Rules:
        """The rules that the secrets share."""
        return self.boards.rules.rules

    @property
    def dirty(self) -> bool:
        """Whether the game has changed since it was last saved."""
        return self.boards is not self._kept

    @property
    def is_empty(self) -> bool:
        """Whether no turn has been played."""
        return not self.boards.turns

    @property
    def finished(self) -> bool:
        """Whether the game is won, lost or given up."""
        return self.revealed or self.boards.is_over

    @property
    def prompt(self) -> str:
        """`guess 3 of 12`."""
        number, limit = len(self.boards.turns) + 1, self.rules.guess_limit
        return Told("guess {number}", number) if limit is None else Told("guess {number} of {limit}", number, limit)

    def start(self) -> list[Line]:
        """Say what is played, and show the turns of a game that goes on."""
        rules, count = self.boards.rules, self.boards.rules.secrets
        secrets = plural(count, "{n} secret at once", "{n} secrets at once")
        opening = say("{rules}: {described}; {secrets}.", rules, self.rules.describe(), secrets)
        if self.over:
            return [opening, *self._turns(), say("this game is over", tone="quiet")]
        usage = say("Type a guess, hint, or help. Each secret answers; {found} stands for one that is found.", FOUND,
                    tone="quiet")  # fmt: skip
        return [opening, usage, *self._turns()]

    def game(self) -> SeveralGame:
        """Return the record so far."""
        made = tuple(turn.guess for turn in self.boards.turns)
        is_hidden = self.seed is not None and not self.finished
        return SeveralGame(self.boards.rules, self.secrets, made, self.seed, is_hidden)

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return self.game().to_json()

    def to_text(self) -> str:
        """Return the record as text: JSON, as it is saved."""
        return self.game().to_text()

    def save(self, path: str) -> None:
        """Write the game so far to a file; raises InputError where it cannot be written."""
        save_several(self.game(), path)
        self._kept = self.boards

    def is_move(self, text: str) -> bool:
        """Tell whether a text is a legal guess."""
        return can_read(parse_code, text, self.rules)

    def make_move(self, text: str) -> list[Line]:
        """Answer a guess."""
        if not text:
            raise InputError("guess what? Type a code")
        self.boards = self.boards.answered(parse_code(text, self.rules), self.secrets)
        self.over = self.boards.is_over
        return [self._line(len(self.boards.turns), self.boards.turns[-1]), *self._ending(), *self.saved_again()]

    def _turns(self) -> list[Line]:
        return [self._line(number, turn) for number, turn in enumerate(self.boards.turns, start=1)]

    def _line(self, number: int, turn: SeveralTurn) -> Line:
        answers = [FOUND if answer is None else drawn_feedback(answer) for answer in turn.answers]
        width = len(str(self.rules.guess_limit or 99))
        return joined(f"{number:>{width}}  ", drawn_code(turn.guess, self.rules), "  ", Joined(answers, " / "))

    def _ending(self) -> list[Line]:
        count = len(self.boards.turns)
        if self.boards.is_won:
            return [Line(plural(count, "All found in {n} guess.", "All found in {n} guesses."), "good")]
        lost = plural(count, "Lost after {n} guess.", "Lost after {n} guesses.")
        return [joined(lost, " ", self._the_secrets())] if self.over else []

    def _the_secrets(self) -> Told:
        return Told("The secrets were {secrets}.", Joined(self._drawn(self.secrets), " / "))

    def _drawn(self, codes: tuple[Code, ...]) -> list[str]:
        return [drawn_code(code, self.rules) for code in codes]

    def show_board(self, _: str = "") -> list[Line]:
        """Show the turns so far."""
        return self._turns() or [say("no turn has been played yet", tone="quiet")]

    def show_left(self, _: str = "") -> list[Line]:
        """Say how many codes are left for each secret, and list them where they are few."""
        lines = list[Line]()
        for place, codes in zip(self.boards.open, self.boards.left, strict=True):
            lines += [self._count(place, codes), *(code_lines(codes) if len(codes) <= LISTED else [])]
        return lines

    def _count(self, place: int, codes: CodeSet) -> Line:
        left = plural(len(codes), "{n} code left of {total:count}", "{n} codes left of {total:count}",
                      self.rules.secret_count)  # fmt: skip
        return say("secret {number}: {left}", place + 1, left)

    def undo(self, _: str = "") -> list[Line]:
        """Take back the last turn: the same guess would get the same answers again."""
        made = [turn.guess for turn in self.boards.turns]
        if not made:
            raise InputError("there is no turn to take back")
        boards = Boards.of(self.boards.rules)
        for guess in made[:-1]:
            boards = boards.answered(guess, self.secrets)
        self.boards = boards
        return [say("turn {number} is taken back", len(made)), *self.saved_again()]

    def give_up(self, _: str = "") -> list[Line]:
        """Show the secrets and end the game."""
        self.over = self.revealed = True
        count = len(self.boards.turns)
        after = plural(count, "Given up after {n} guess.", "Given up after {n} guesses.")
        return [joined(after, " ", self._the_secrets()), *self.saved_again()]

    def hint(self, _: str = "") -> list[Line]:
        """Suggest a guess and say what it does."""
        return hint_lines(self.boards)


def hint_lines(boards: Boards) -> list[Line]:
    """Suggest a guess: of the least total where that is found in a second, else by entropy; and say what it does."""
    boards.check_open()
    boards.check_consistent()
    rules = boards.rules.rules
    if rules.secret_count <= MOST_CODES and boards.ways <= SETTLED:
        found = least_total(boards, time=1.0)
        if found.is_exact and not found.is_impossible:
            best = "Try {guess}: the best play takes {mean:.2f} guesses more in the mean."
            return [say(best, drawn_code(found.guess, rules), found.mean)]
    guess = choose(boards)
    return [say("Try {guess}: it {does}.", drawn_code(guess, rules), rated(boards, guess).explain())]


def several_lines(boards: Boards, found: Sequence[SeveralGuess]) -> list[Line]:
    """Say how many ways are left, and rank guesses; then suggest one in words."""
    rows: list[dict[str, str]] = [
        {
            word("column", "finds one"): Told("{percent:.1f} %", 100 * one.chance),
            word("column", "bits"): Told("{number:.2f}", one.bits),
            word("column", "parts"): Told("{number:,}", one.parts),
            word("column", "most"): Told("{number:,}", one.largest),
            word("column", "mean"): Told("{number:,.1f}", one.expected_size),
        }
        for one in found
    ]
    drawn = [drawn_code(one.guess, boards.rules.rules) for one in found]
    ways = plural(boards.ways, "{n} way to hide the secrets is left", "{n} ways to hide the secrets are left")
    return [Line(ways), say(), *number_table(rows, drawn, brief=(0, 1)), say(), *hint_lines(boards)]


def is_saved_several(path: str) -> bool:
    """Tell whether a file holds a game with several secrets; standard input never does."""
    return not is_standard(path) and Path(path).is_file() and FORMAT in read_text(path)[:100]
