"""The decoder of Forget 2011: overture, interlude, endgame; and `full`, the same endgame with any code as a probe.

Jean Forget, *Décodeur Mastermind* (2011-2025). The overture plays `ABCD`, `EFGH`, ... until enough is known of the
colors. The interlude (synthetic guess and construction peg by peg) is that of `entropeg.candidates`, the choice among
the codes left that of `discrimination`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, cycle, islice
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from entropeg.candidates import SCANNED
from entropeg.codebreakers.decoder.discrimination import BestGuess, DecoderCriterion, PairTable, choose, join, schedule
from entropeg.codes import CodeSet
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.registry import choice, named
from entropeg.rules import Rules
from entropeg.symmetry import guess_kinds, representatives

End: TypeAlias = Literal["found", "colors", "all marks", "all marks but one", "other guess", "words", "hard"]
"""Why an overture is over: the code is found, every color was played, the marks add up to the number of pegs, or to one
less; or, which Forget has no need of, some other code was played, or there is none, for a word list or under hard
rules."""


def overture_codes(rules: Rules, removed: Collection[int] = ()) -> tuple[Code, ...]:
    """Return the codes of the overture: all colors in order, cut into codes, the last one filled from the start.

    It is filled with colors that are not `removed` (known not to occur). Where guesses may not repeat colors it is
    filled with other colors, removed ones last, and with blanks if there are too few. A word list has no overture, nor
    have hard rules, under which marks are followed at once.

    >>> overture_codes(Rules.parse("4x6"))
    ((0, 1, 2, 3), (4, 5, 0, 1))
    >>> overture_codes(Rules.parse("4x6"), removed={0, 1, 2, 3})
    ((0, 1, 2, 3), (4, 5, 4, 5))
    """
    if rules.words is not None or rules.hard:
        return ()
    return _codes(rules.pegs, rules.colors, bool(rules.guess_repeats), tuple(sorted(removed)))


@lru_cache(maxsize=256)
def _codes(pegs: int, colors: int, repeats: bool, removed: Code) -> tuple[Code, ...]:  # noqa: FBT001 (a cache key)
    blocks = [tuple(range(first, min(first + pegs, colors))) for first in range(0, colors, pegs)]
    last = blocks.pop()
    left = [color for color in range(colors) if color not in removed] or list(last)
    filling: Iterator[int]
    if repeats:
        filling = cycle(left)
    else:
        further = chain((color for color in left if color not in last), (c for c in removed if c not in last))
        filling = chain(further, cycle([colors]))
    return (*blocks, (*last, *islice(filling, pegs - len(last))))


@dataclass(frozen=True)
class Overture:
    """How far the overture of a game has come."""

    codes: tuple[Code, ...]
    """All its codes, as they are or would be played by the colors known."""
    played: int
    """Number of turns that belong to the overture."""
    end: End | None
    """Why it is over, None while it goes on."""
    marks: int
    """Black and white marks of its turns, added up."""

    @classmethod
    def of(cls, position: Position) -> Overture:
        """Follow the turns of a position from the start."""
        rules, marks, removed = position.rules, 0, set[int]()
        codes = overture_codes(rules)
        if not codes:
            return cls(codes, 0, "hard" if rules.words is None else "words", 0)
        for played, turn in enumerate(position.turns):
            end = _end(rules, played, len(codes), marks)
            if end is None and turn.guess != codes[played]:
                end = "other guess"
            if end is not None:
                return cls(codes, played, end, marks)
            black, white = turn.feedback.black, turn.feedback.white
            marks += black + white
            if black == rules.pegs:
                return cls(codes, played + 1, "found", marks)
            if not black + white and not rules.feedback.about.in_place_only:
                removed.update(turn.guess)
                codes = overture_codes(rules, removed)
        played = len(position.turns)
        return cls(codes, played, _end(rules, played, len(codes), marks), marks)

    @property
    def next(self) -> Code | None:
        """The next code of the overture, None where it is over."""
        return self.codes[self.played] if self.end is None else None


def _end(rules: Rules, played: int, codes: int, marks: int) -> End | None:
    if marks >= rules.pegs:
        return "all marks"
    if marks == rules.pegs - 1 and played:
        return "all marks but one"
    return "colors" if played == codes else None


def probes(position: Position, overture: Overture | None = None) -> tuple[Code, ...]:
    """Return the codes of the overture that have not been played, in order: probes for the endgame.

    `overture` is that of the position where it is already known.
    """
    played = {turn.guess for turn in position.turns}
    return tuple(code for code in (overture or Overture.of(position)).codes if code not in played)


Stage: TypeAlias = Literal["overture", "endgame"]


@dataclass(frozen=True)
class Decision:
    """The guess of the decoder and its place in the plan.

    `choice` tells how the guess was found, None in the overture.
    """

    guess: Code
    stage: Stage
    overture: Overture
    criterion: DecoderCriterion
    choice: BestGuess | None = None


@dataclass(frozen=True)
class Decoder:
    """ABCD, EFGH, ..., then what splits best (Forget 2011).

    The program *Décodeur Mastermind*: an overture, then the candidate or probe that splits the candidates best.
    `stages=document` follows it; `stages=full` has any code as a probe, and no overture where the secrets can be
    scanned. `criterion` is entropy or minimax (the other decides ties), or a list by turn of the game as
    `minimax+entropy`, the last one for all further turns. `table` is the number of codes up to which the
    feedback of every pair is kept for the rest of the game, 0 for none: it changes the time, never the play.
    Over all secrets of 4x6 it takes 4.5046 guesses on average.
    """

    stages: str = "document"
    criterion: str = "entropy"
    table: int = 0

    name = named("decoder")
    deterministic: ClassVar[bool] = True

    def __post_init__(self) -> None:
        choice("stages", self.stages, ("document", "full"))
        schedule(self.criterion)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess; raises ContradictionError where no secret fits, TooLargeError where too many do."""
        return self.decide(position).guess

    def decide(self, position: Position) -> Decision:
        """Return the guess with the stage and the reasons for it; InputError for games that have no pegs to fill."""
        if position.rules.feedback.about.is_listed:
            raise InputError("decoder plays codes of colored pegs, not {rules}: play entropy", position.rules)
        overture = Overture.of(position)
        criteria = schedule(self.criterion)
        criterion = criteria[min(len(position.turns), len(criteria) - 1)]
        code = self._from_overture(position, overture)
        if code is not None:
            return Decision(code, "overture", overture, criterion)
        if not len(position.candidates):
            position.check_consistent()
        found = self._endgame(position, overture, criterion)
        return Decision(found.guess, "endgame", overture, criterion, found)

    def _from_overture(self, position: Position, overture: Overture) -> Code | None:
        if self.stages == "full" and position.rules.secret_count <= SCANNED and not position.rules.shapes:
            return None
        if overture.next is not None:
            return overture.next
        # Beyond Forget: somebody else's guess came between, and the codes left are too many to list.
        further = probes(position, overture) if overture.end == "other guess" else ()
        if further and not _are_listed(position):
            return further[0]
        return None

    def _endgame(self, position: Position, overture: Overture, criterion: DecoderCriterion) -> BestGuess:
        candidates = position.candidates
        if len(candidates) <= 2:
            return BestGuess(candidates[0], is_candidate=True, equal=candidates, compared=len(candidates))
        if self.stages == "full":
            free = _free_guesses(position)
            if free is not None:
                return choose(candidates, free, criterion, whole_kinds="all")
        compared = _compared(position)
        pool = join(compared, probes(position, overture))
        table = self._table(position, overture)
        sizes = None if table is None else table.part_sizes(pool, candidates)
        return choose(candidates, pool, criterion, sizes, "none" if compared is candidates else "candidates")

    def _table(self, position: Position, overture: Overture) -> PairTable | None:
        """Return the table of the first position after the overture whose codes are few enough, if there is one."""
        if not self.table:
            return None
        line = [position]
        while len(line[-1].turns) > overture.played and line[-1].parent is not None:
            line.append(line[-1].parent)
        for earlier in reversed(line):
            if len(earlier.candidates) <= self.table:
                return _table_of(earlier)
        return None


@lru_cache(maxsize=4)
def _table_of(position: Position) -> PairTable:
    return PairTable(position.candidates, join(position.candidates, probes(position)))


def _are_listed(position: Position) -> bool:
    try:
        return len(position.candidates) >= 0
    except TooLargeError:
        return False


def _compared(position: Position) -> CodeSet:
    # The candidates to be compared as guesses: all, one of each kind, or evenly spaced ones of those.
    candidates = position.candidates
    # Two milliseconds: not worth looking for guesses of the same kind.
    if len(candidates) ** 2 <= 2_000_000:
        return candidates
    kinds = representatives(position, candidates)
    # Some seconds; where there are more pairs, evenly spaced guesses are compared only.
    step = -(-len(kinds) * len(candidates) // 4_000_000_000)
    return kinds if step <= 1 else kinds[::step]


def _free_guesses(position: Position) -> CodeSet | None:
    kinds = guess_kinds(position)
    # Where there are more pairs than that, it plays like the document for this turn.
    most = 400_000_000 >> 4 if position.rules.shapes else 400_000_000  # pairs with shapes take so much longer
    if kinds is None or len(kinds) * len(position.candidates) > most:
        return None
    return kinds
