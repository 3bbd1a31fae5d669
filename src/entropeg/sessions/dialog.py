"""Holds a conversation without a terminal: `Dialog` takes lines of text and returns lines to show; `Session` is a game.

Games (`playing`, `breaking`), notes of a game that is played elsewhere (`assisting`) and puzzles (`training`) are the
kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from entropeg.advise import read_row
from entropeg.candidates import find_candidates
from entropeg.chosen_language import ENGLISH, spoken_language, translated
from entropeg.codes import format_code
from entropeg.errors import EntropegError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.files import check_target, is_standard, replaces_all, shown
from entropeg.game import KIND, Game, save_game
from entropeg.position import Position
from entropeg.registry import Registry
from entropeg.rules import Rules
from entropeg.sessions.lines import Line, board, code_lines, complain, say
from entropeg.sessions.typed import argument_called, called, nearest, plain_letters, typed_words
from entropeg.told import Template, Told, plural

LISTED = 48
"""Most codes listed when the player asks how many are left."""


@dataclass(frozen=True)
class Command:
    """A word that may be typed instead of a move: its method, its argument, and the sentence about it in help."""

    method: str
    argument: str
    summary: str


class Thing(NamedTuple):
    """Sentences about the record as it is saved; `command` is the one that can load it again."""

    saved: str = Template("The game is saved in {file}.")
    unfinished: str = Template("The game is saved in {file}; entropeg {command} --load {file} continues it.")
    printed: str = Template(
        "The game so far; put these lines into a file, and entropeg {command} --load FILE continues it:"
    )
    unsaved: str = Template("{error}; the game goes on, and 'save FILE' saves it elsewhere")


class Dialog(ABC):
    """A conversation between a person and the machine.

    `start()` gives the first lines, `handle(text)` takes a line that the person typed and gives the answer. Typed text
    never raises: an error is a line of tone `error`, and everything stays as it was. `over` tells when there is nothing
    more to say, `to_text()` and `to_json()` are the record at any moment, `dirty` tells whether it has changed since it
    was last saved.
    """

    commands: ClassVar[dict[str, Command]]
    move: ClassVar[str]
    """The command that a bare move stands for: `guess`, `answer` or `row`."""
    foreign: ClassVar[dict[str, str]]
    """Words of other kinds of conversation, and the answer to somebody who types them here."""
    thing: ClassVar[Thing] = Thing()

    def __init__(self, save_to: str | None = None) -> None:
        """Begin; with `save_to` the record is saved there after every change."""
        self.save_to = save_to
        self.over = False
        self.prefill = ""
        """Text that stands on the next line of the prompt already, to be changed there."""

    @property
    @abstractmethod
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def dirty(self) -> bool:
        """Whether the record has changed since it was last saved: never where nothing is saved."""
        return False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return True

    @property
    @abstractmethod
    def finished(self) -> bool:
        """Whether there is nothing to go on with."""

    @property
    @abstractmethod
    def prompt(self) -> str:
        """A word or two that ask the person for the next move."""

    @property
    def wanted(self) -> str:
        """An example of a move, where the refusal of another line does not show one."""
        return ""

    @abstractmethod
    def start(self) -> list[Line]:
        """Say what is played."""

    @abstractmethod
    def make_move(self, text: str) -> list[Line]:
        """Take a guess, a feedback or a row."""

    @abstractmethod
    def is_move(self, text: str) -> bool:
        """Tell whether a text can be read as a move."""

    def misplaced(self, text: str) -> str:
        """Return the answer to a move of another kind of conversation; nothing where the text is none."""
        return ""

    @abstractmethod
    def save(self, path: str) -> None:
        """Write the record so far to a file; raises InputError where it cannot be written."""

    @abstractmethod
    def to_text(self) -> str:
        """Return the record as text, which can be loaded."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""

    def handle(self, text: str) -> list[Line]:
        """Take one line typed by the person and return what to show."""
        text = text.strip()
        if not text or self.over:
            return []
        try:
            return self._dispatch(text)
        except EntropegError as error:
            return [complain(error)]

    def _dispatch(self, text: str) -> list[Line]:
        name, argument = self._split(text)
        if name is None:
            return self._bare_move(text)
        command = self.commands[name]
        if argument and not command.argument:
            raise InputError("nothing follows {command!r}: type {word} alone", called(name), called(name))
        if name == self.move and argument and not self.is_move(argument) and (said := self.misplaced(argument)):
            raise InputError(said)
        method: Callable[[str], list[Line]] = getattr(self, command.method)
        return method(argument) + self._double_meaning(text)

    def _split(self, text: str) -> tuple[str | None, str]:
        name, argument = _divided(text, self.commands)
        if name is not None:
            return name, argument
        words = typed_words(self.commands)
        word, argument = _divided(text, words)
        return (None, "") if word is None or self.is_move(text) else (words[word], argument)

    def _bare_move(self, text: str) -> list[Line]:
        try:
            return self.make_move(text) + self._other_meaning(text)
        except InputError as error:
            said = str(error)
            raise InputError(said if self.is_move(text) else self._with_what_is_right(said, text)) from None

    def _with_what_is_right(self, error: str, text: str) -> str:
        # Of a line that is neither a move nor a command.
        if said := self.misplaced(text):
            return said
        word = text.split(maxsplit=1)[0].casefold()
        if word in self.foreign:
            return Told("{word} is no command here: {instead}", word, self.foreign[word])
        told_of = [name for name, command in self.commands.items() if command.summary]
        meant, is_other = nearest(word, told_of, 1)
        if is_other:
            return Told("{word} is no command here: did you mean {commands:or}?", word, map(called, meant))
        others, is_other = nearest(word, self.foreign, 1)
        if is_other:
            return Told("{word} is no command here: {instead}", word, self.foreign[others[0]])
        near, _ = nearest(text.casefold(), filter(str.isalpha, [*map(called, self.commands), *self.commands]), 0.6)
        # A text in the symbols of the board was meant as a code, if one of the wrong length.
        if near and not can_read(lambda typed, rules: rules.symbols.parse(typed), text, self.rules):
            return Told("{error}; or did you mean the command {command}?", error, near[0])
        return Told("{error}; type {wanted}, or help", error, self.wanted) if self.wanted else error

    def _double_meaning(self, text: str) -> list[Line]:
        # On a board of 26 letters HINT and LEFT are codes: the command wins, and the way to guess the word is told.
        if " " in text or not self.is_move(text):
            return []
        move = called(self.move)
        return [say("({typed} was read as the command; type {move} {typed} for the code)", text, move, tone="quiet")]

    def _other_meaning(self, text: str) -> list[Line]:
        # Of a French word it is the code that wins.
        name = typed_words(self.commands).get(plain_letters(text))
        if name is None or spoken_language() == ENGLISH:
            return []
        return [say("({typed} was read as a code; type {command} for the command)", text, name, tone="quiet")]

    def saved_again(self) -> list[Line]:
        """Save the record where it is to be saved."""
        if self.save_to is None or is_standard(self.save_to):
            return []  # to standard output a record is written once, at its end
        try:
            self.save(self.save_to)
        except InputError as error:
            return [complain(Told(self.thing.unsaved, error))]
        return []

    def save_as(self, path: str) -> list[Line]:
        """Save the record where the person says, and there from now on."""
        if not path and self.save_to is None:
            raise InputError("save where? Type save FILE")
        if is_standard(path):
            return list(map(Line, self.to_text().splitlines()))
        if path and path != self.save_to:
            check_free(path)
        target = path or str(self.save_to)
        self.save(target)
        self.save_to = target
        return [say("saved in {file}", target)]

    def show_help(self, _: str = "") -> list[Line]:
        """List the commands."""
        usages = [
            (f"{called(name)} {argument_called(command.argument)}".strip(), translated(command.summary))
            for name, command in self.commands.items()
            if command.summary
        ]
        width = max(len(usage) for usage, _ in usages)
        return [Line(f"  {usage:<{width}}  {summary}") for usage, summary in usages]

    def last_words(self) -> list[Line]:
        """The sentence for somebody who leaves without `quit`: at the end of the input, or by Ctrl-C."""
        return []

    def quit(self, _: str = "") -> list[Line]:
        """Leave everything as it is."""
        self.over = True
        return self.last_words()


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
        return board(self.position) or [say("no turn has been played yet", tone="quiet")]

    def show_left(self, _: str = "") -> list[Line]:
        """Say how many codes are left, and list them where they are few; a sample where nobody can count them."""
        try:
            candidates = self.position.candidates
        except TooLargeError:
            found = find_candidates(self.rules, self.position.turns, limit=6, seed=self.seed)
            return [say("more codes are left than can be listed; {sample}", found.says), *code_lines(found.codes)]
        if not len(candidates):
            self.position.check_consistent()
        total = self.rules.secret_count
        counted = plural(len(candidates), "{n} code left of {total:count}", "{n} codes left of {total:count}", total)
        return [Line(counted), *(code_lines(candidates) if len(candidates) <= LISTED else [])]

    def take_back(self) -> None:
        """Go back one turn; raises InputError at the start."""
        parent = self.position.parent
        if parent is None:
            raise InputError("there is no turn to take back")
        self.position = parent


def _divided(text: str, words: Iterable[str]) -> tuple[str | None, str]:
    # The longest of some words with which a text begins, and the rest of the text.
    typed = text.split()
    for word in sorted(words, key=len, reverse=True):
        count = len(word.split())
        if plain_letters(" ".join(typed[:count])) == word:
            return word, " ".join(typed[count:])
    return None, ""


def check_free(path: str) -> None:
    """Raise InputError where saving a game under this name cannot be done, or would overwrite another game.

    A game cannot be made again by repeating the command, as a table can: so another game is of another kind.
    """
    target = Path(path)
    check_target(path, KIND)
    if not is_standard(path) and not replaces_all() and target.is_file() and target.stat().st_size:
        raise InputError(
            "{file} exists already: choose another name (--load {file} continues the game in it)", shown(path)
        )


def guess_as(guess: Code, rules: Rules) -> Told:
    """What may be typed for a guess, with an example: `a code, as FDDB`."""
    example = format_code(guess, rules)
    if rules.has_pegs:
        return Told("a code, as {code}", example)
    what = Told("a secret or a question, as {name!r}", example)
    return what if rules.is_named else Told("a question, as {name!r}", example)


def can_read(parse: Callable[[str, Rules], object], text: str, rules: Rules) -> bool:
    """Tell whether a function reads a text, as a code or a feedback of the rules."""
    try:
        parse(text, rules)
    except EntropegError:
        return False
    return True


def guess_in(text: str, rules: Rules) -> str:
    """Return the guess of a text that is a guess with its feedback; an empty text for any other.

    >>> guess_in("aabb xo", Rules()), guess_in("aabb", Rules())
    ('AABB', '')
    """
    try:
        guess = read_row(text, rules).guess
    except EntropegError:
        return ""
    known = tuple(color for color in guess if color is not None)
    return format_code(known, rules) if len(known) == len(guess) else ""


COMMON = {
    "left": Command("show_left", "", Told("how many codes are left; lists them when they are few")),
    "codes": Command("show_left", "", ""),
    "board": Command("show_board", "", Told("show the turns so far")),
    "save": Command("save_as", "FILE", Told("save the game, there from now on (.json: as JSON)")),
    "help": Command("show_help", "", Told("show this")),
    "?": Command("show_help", "", ""),
    "quit": Command("quit", "", Told("leave; the game so far is kept or printed")),
    "exit": Command("quit", "", ""),
}
"""Commands of every session; those without a summary are other words for their neighbors."""


def check_trusted(registry: Registry[Any], name: str, *, trusts: bool) -> None:
    """Refuse a player of a saved game that runs code from outside entropeg, unless the caller trusts it.

    A saved game comes from anywhere, and such a player is a command that it would start.
    """
    if not trusts:
        refusal = Template(
            "the saved game names {player}, which would run code from outside entropeg: if you trust it, name the "
            "{role} yourself as well, with --{role} at the prompt or trusts=True in Python"
        )
        registry.refuse_foreign(name, refusal)
