"""A position: the rules and the turns so far, and what follows from them.

It plays here the part that the board has in a chess library: everything that thinks about the game takes a
position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from entropeg import arguments
from entropeg.candidates import SCANNED, Clues, build_codes, can_build, is_possible, minimal_conflict, smallest_conflict
from entropeg.codes import (
    LISTED_BYTES,
    AnyCode,
    CodeSet,
    check_code,
    format_code,
    guesses,
    is_listable,
    parse_code,
    secrets,
)
from entropeg.endless import repeating
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import (
    AnyFeedback,
    Code,
    FeedbackLike,
    check_feedback,
    format_feedback,
    parse_feedback,
    win_feedback,
)
from entropeg.plain_values import PlainValue
from entropeg.rules import Rules
from entropeg.told import Told, plural, word

State: TypeAlias = Literal["won", "lost", "open"]

BUILT_BYTES = LISTED_BYTES // 8
"""Most bytes of candidates that are built: four million codes of 5x26."""

STEPS = 300_000_000
"""Symbols that are tried on behalf of a position before it is given up as too large: a second or two."""


class Turn(NamedTuple):
    """One guess and the feedback that it got."""

    guess: Code
    feedback: AnyFeedback


class ToldTurn(PlainValue):
    """A value about one turn, of which it tells the guess and the feedback."""

    PLAIN: ClassVar[tuple[str, ...]] = ("guess", "feedback")

    turn: Turn

    @property
    def guess(self) -> Code:
        """The guess of the turn."""
        return self.turn.guess

    @property
    def feedback(self) -> AnyFeedback:
        """The answer that came."""
        return self.turn.feedback


class Position:
    """The rules and the turns so far: immutable, hashable, equal to any position with the same rules and turns.

    A position made by `after` filters the candidates of the one it came from, at the moment that they are
    first asked for.

    >>> position = Position("4x6").after("AABB", "X")
    >>> len(position.candidates), position.is_over
    (256, False)
    """

    def __init__(self, rules: Rules | str, turns: Iterable[tuple[AnyCode, FeedbackLike] | str] = ()) -> None:
        """Start from the rules, or from turns already played, as pairs or texts such as `AABB XO`.

        Raises InputError where one of them cannot be.
        """
        self.rules: Rules = Rules.of(rules)
        self.turns: tuple[Turn, ...] = tuple(
            _read_turn(self.rules, turn) for turn in arguments.items(turns, "the turns", '["AABB XO", "CCDD -"]')
        )
        self._parent: Position | None = None
        check_hard(self.rules, self.turns)

    @classmethod
    def of(cls, board: Position | Rules | str) -> Position:
        """Return a position that is given as such, or the start of a game by rules, as such or as text.

        >>> Position.of("4x6") == Position(Rules.parse("4x6"))
        True
        """
        return board if isinstance(board, cls) else cls(board)  # type: ignore[arg-type]  # what is left are rules

    @classmethod
    def _follow(cls, parent: Position, turn: Turn) -> Position:
        position = cls.__new__(cls)
        position.rules = parent.rules
        position.turns = (*parent.turns, turn)
        knows_codes = parent._parent is not None or "candidates" in parent.__dict__
        # Candidates are found from the parent's. Where none can or need be listed the parent is let go: a game of ten
        # thousand turns would otherwise keep every tuple of turns it ever had.
        position._parent = parent if is_listable(parent.rules) or knows_codes else None
        return position

    def after(self, guess: AnyCode, feedback: FeedbackLike) -> Position:
        """Return the position after one more turn: `after("AABB", "XO")`, or `after((0, 0, 1, 1), (1, 1))`.

        Raises InputError where the guess or the feedback cannot be.
        """
        return self._follow(self, Turn(self.check_guess(guess), check_feedback(feedback, self.rules)))

    def after_trusted(self, guess: Code, feedback: AnyFeedback) -> Position:
        """Return the position after a turn known to be legal: `after` without its checks, for long loops."""
        return self._follow(self, Turn(guess, feedback))

    @property
    def parent(self) -> Position | None:
        """The position one turn earlier, None at the start of the game."""
        if self._parent is None and self.turns:
            self._parent = Position._unchecked(self.rules, self.turns[:-1])
        return self._parent

    @property
    def key(self) -> int:
        """A number that positions share where one is the other with other names of colors, pegs and orders of turns.

        Colors may change their names, pegs their places, and turns their order, and the game stays the same: 16 bits a
        turn on 4x6. Priors, words and shapes tell colors apart; there only the order of turns does not matter. Costs a
        millisecond; raises TooLargeError where many colors that all differ leave too many namings, from nine pegs.

        >>> one = Position("4x6", ["AABB XO", "ACDE O"])
        >>> one.key == Position("4x6", ["BDCF O", "BEEB XO"]).key, one.key == Position("4x6", ["AABB XO"]).key
        (True, False)
        """
        from entropeg.keys import history_key

        return history_key(self.rules, self.turns)

    @classmethod
    def _unchecked(cls, rules: Rules, turns: tuple[Turn, ...]) -> Position:
        position = cls.__new__(cls)
        position.rules, position.turns, position._parent = rules, turns, None
        return position

    @cached_property
    def candidates(self) -> CodeSet:
        """The secrets that fit every turn, exactly, in lexicographic order.

        Costs one pass over the nearest earlier position whose candidates are known, or over all secrets where
        they are at most `SCANNED`; otherwise the candidates are built from the turns. Raises TooLargeError where
        they are too many to be listed.
        """
        known = self._nearest_known()
        if known is None and self._is_vast and self.turns:
            limit = BUILT_BYTES // (self.rules.pegs + self.rules.symbols_in_guesses)
            return build_codes(self.rules, self.turns, limit=limit, steps=STEPS)
        codes, start = known or (secrets(self.rules), 0)
        return codes.consistent(self.turns[start:]) if start < len(self.turns) else codes

    @property
    def _is_vast(self) -> bool:
        return self.rules.secret_count > SCANNED and can_build(self.rules)

    def _nearest_known(self) -> tuple[CodeSet, int] | None:
        ancestor = self._parent
        while ancestor is not None:
            if "candidates" in ancestor.__dict__:
                return ancestor.candidates, len(ancestor.turns)
            ancestor = ancestor._parent
        return None

    @property
    def legal_guesses(self) -> CodeSet:
        """Every guess that may be made here, played or not: the whole list, made once for all positions of the rules.

        Under hard rules those of them that use every clue. Raises TooLargeError where they are too many to be listed.
        """
        return guesses(self.rules) if self.clues is None else self._hard_guesses

    @cached_property
    def _hard_guesses(self) -> CodeSet:
        return self.allowed(guesses(self.rules))

    @cached_property
    def clues(self) -> Clues | None:
        """The clues that the next guess must use under hard rules; None where the rules are not hard."""
        if not self.rules.hard:
            return None
        known = None if self._parent is None else self._parent.__dict__.get("clues")
        return Clues.of(self.rules, self.turns) if known is None else known.after(*self.turns[-1])

    def allowed(self, codes: CodeSet) -> CodeSet:
        """Return the codes of a set that use every clue: the set itself where the rules are not hard."""
        if self.clues is None or not (self.clues.places or self.clues.least):
            return codes
        return codes.take_trusted(np.flatnonzero(self.clues.mask(codes.planes)))

    def check_guess(self, guess: AnyCode) -> Code:
        """Return a guess, as text or numbers, as a tuple of ints; InputError says why it may not be made here."""
        code = check_code(guess, self.rules)
        if self.clues is not None:
            self.clues.check(code)
        return code

    def endless(self, guess: Code) -> str:
        """Say how a guess goes on with a game that would never end, since it repeats itself; "" where it may end.

        A limit of guesses ends any game, and so do new guesses, and chance (`endless.repeating`). Raises
        ContradictionError where every code was played, since then it is the answers that cannot be true.
        """
        if self.rules.guess_limit is not None:
            return ""
        said = repeating(self.turns, guess, partial(format_code, rules=self.rules))
        if said and len({turn.guess for turn in self.turns}) == self.rules.guess_count:
            self.check_consistent()
        return said

    @property
    def is_won(self) -> bool:
        """Whether the last guess was the secret; where secrets are not named, whether one is left."""
        if not self.rules.is_named:
            return len(self.candidates) == 1
        return bool(self.turns) and self.turns[-1].feedback == win_feedback(self.rules)

    @property
    def secret_found(self) -> Code:
        """The secret of a game that is won: the last guess, or, where secrets are not named, the one that is left."""
        return self.turns[-1].guess if self.rules.is_named else self.candidates[0]

    @property
    def is_lost(self) -> bool:
        """Whether the guess limit is reached without a win."""
        limit = self.rules.guess_limit
        return limit is not None and len(self.turns) >= limit and not self.is_won

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.is_won or self.is_lost

    @property
    def state(self) -> State:
        """`won`, `lost` (guess limit reached) or `open`."""
        return "won" if self.is_won else "lost" if self.is_lost else "open"

    @property
    def is_contradictory(self) -> bool:
        """Whether no secret fits all the turns; a vast board is searched for one. Raises TooLargeError beyond reach."""
        if self._is_vast and "candidates" not in self.__dict__:
            return not is_possible(self.rules, self.turns, steps=STEPS)
        return len(self.candidates) == 0

    def check_consistent(self) -> None:
        """Raise ContradictionError, naming the turns that cannot all be true, where no secret fits."""
        if self.is_contradictory:
            raise ContradictionError(describe_conflict(self))

    def conflict(self) -> tuple[int, ...]:
        """Return the smallest set of turns, by index, that cannot all be true; empty where a secret fits all of them.

        Exact: of several smallest sets the first in order, found by `smallest_conflict`. Where there are more than
        `SCANNED` secrets, a set of which no turn can be left out, found by `minimal_conflict`; TooLargeError beyond its
        reach.
        """
        if self._is_vast:
            return minimal_conflict(self.rules, self.turns, steps=STEPS)
        return smallest_conflict(secrets(self.rules), self.turns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.turns == other.turns and self.rules == other.rules

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.rules, self.turns))

    def __repr__(self) -> str:
        return f"<Position of {self.rules}: {self}>"

    def _repr_svg_(self) -> str:
        """Show the position in a notebook: the turns, a row for the next guess, and how many codes are left."""
        from entropeg.svg.board import draw_board  # the room of pictures is loaded when one is wanted

        played = plural(len(self.turns), "{n} turn", "{n} turns") if self.turns else Told("the start")
        state = word("game", "won") if self.is_won else word("game", "lost") if self.is_lost else played
        notes = [] if self.is_won else self._count_in_words()
        heading = Told("{rules}: {state}", self.rules, state)
        return draw_board(self.rules, self.turns, heading, notes=notes, is_open=not self.is_over)

    def _count_in_words(self) -> list[str]:
        # Only where it is known, or known at once, as on boards of few secrets: to look at a position must not take
        # minutes.
        if "candidates" not in self.__dict__ and self.rules.secret_count > 50_000:
            return []
        try:
            count = len(self.candidates)
        except InputError:  # a file of weights that does not fit the codes: a picture is no place to say so
            return []
        return [plural(count, "{n} code fits", "{n} codes fit") if count else Told("no code fits all rows")]

    def __str__(self) -> str:
        """Write the turns on one line: `AABB X, CCDD OO`."""
        return ", ".join(format_turn(turn, self.rules) for turn in self.turns) or "start"

    def __reduce__(self) -> tuple[object, tuple[Rules, tuple[Turn, ...]]]:
        """Pickle the rules and turns only: candidates are found again."""
        return Position._unchecked, (self.rules, self.turns)


class AtPosition:
    """A value that is about a position, and so about its rules."""

    position: Position

    @property
    def rules(self) -> Rules:
        """The rules of the position."""
        return self.position.rules


def _read_turn(rules: Rules, turn: object) -> Turn:
    if isinstance(turn, str):
        return parse_turn(turn, rules)
    if not isinstance(turn, (tuple, list)) or len(turn) != 2:
        raise InputError('the turn {turn!r} is not a guess and its feedback: ("AABB", "XO")', turn)
    guess, feedback = turn
    return Turn(check_code(guess, rules), check_feedback(feedback, rules))


def check_hard(rules: Rules, turns: Iterable[Turn]) -> None:
    """Raise InputError, naming the turn, where the rules are hard and a guess does not use every clue before it."""
    turns = tuple(turns)
    index, fault = unused_clue(rules, turns)
    if fault:
        raise InputError(
            "turn {number} ({row}) does not use every clue of the turns before: {fault}",
            *(index + 1, format_turn(turns[index], rules), fault),
        )


def unused_clue(rules: Rules, turns: Iterable[Turn]) -> tuple[int, str]:
    """Return the first turn, by index, whose guess does not use every clue of those before, and which; else (-1, "").

    Costs nothing where the rules are not hard.
    """
    clues = Clues(rules)
    for index, turn in enumerate(turns if rules.hard else ()):
        fault = clues.fault(turn.guess)
        if fault:
            return index, fault
        clues = clues.after(*turn)
    return -1, ""


def format_turn(turn: Turn, rules: Rules) -> str:
    """Write one turn: `AABB XO`."""
    return f"{format_code(turn.guess, rules)} {format_feedback(turn.feedback)}"


def split_turn(text: str, rules: Rules) -> list[str]:
    """Split a guess from its feedback; a guess may have spaces, as `red red green blue`. One piece alone has none.

    The guess is the fewest words that are a code; where none are, the first word.

    >>> split_turn("A A B B 2 1", Rules())
    ['A A B B', '2 1']
    """
    words = text.split()
    length = next((length for length in range(1, len(words) + 1) if _is_code(words[:length], rules)), 1)
    return [" ".join(words[:length]), *filter(None, [" ".join(words[length:])])]


def _is_code(words: list[str], rules: Rules) -> bool:
    try:
        parse_code(" ".join(words), rules)
    except InputError:
        return False
    return True


def parse_turn(text: str, rules: Rules) -> Turn:
    """Read a guess and its feedback from one text: `ABCD XO`; raises InputError saying what is wrong.

    >>> parse_turn("AABB 2 1", Rules())
    Turn(guess=(0, 0, 1, 1), feedback=Feedback(black=2, white=1))
    """
    guess, *feedback = split_turn(text, rules)
    if not feedback:
        raise InputError(
            'the turn {text!r} is not a guess and its feedback: write them as one argument, "ABCD XO"', text
        )
    try:
        return Turn(parse_code(guess, rules), parse_feedback(feedback[0], rules))
    except InputError as error:
        raise InputError("the turn {text!r}: {error}", text, error) from None


def describe_conflict(position: Position, write: Callable[[Turn], str] | None = None) -> str:
    """Say in one sentence which turns of a contradictory position cannot all be true; `write` writes a turn."""
    write = write or partial(format_turn, rules=position.rules)
    turns = [Told("turn {number} ({row})", index + 1, write(position.turns[index])) for index in position.conflict()]
    if len(turns) == 1:
        return Told("no secret fits {turn}: correct it", turns[0])
    return Told("no secret fits {turns:and} together: at least one of them is wrong", turns)
