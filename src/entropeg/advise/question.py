"""Questions to advice: a position and the codes still possible there, how many guesses to rank, and the time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.advise.doubted import doubted
from entropeg.advise.notes import Notes
from entropeg.candidates import SCANNED, Clues, can_walk, find_candidates
from entropeg.codes import AnyCode, CodeSet, read_code
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.plain_values import Finite, PlainValue
from entropeg.position import Position, describe_conflict
from entropeg.rules import Rules
from entropeg.search.values import PositionValues
from entropeg.told import Told, plural, shown_count

LIMIT = 10
"""Guesses that are listed unless the caller says otherwise."""
SECONDS = 2.0
"""For the exact search, about, unless the caller says otherwise."""
SAMPLE = 2000
"""Codes of a sample, where nobody can list them."""
MOST_COLORS = 1 << 16
"""Codes of a sample have two bytes a peg."""
ENOUGH = 100
"""Codes of a sample for rows known in part, with which no attempt is made to list all."""


@dataclass(frozen=True)
class Marginals:
    """The chances of each peg and each color, from the codes that are still possible.

    `pegs`: float64[pegs, symbols], the probability of every symbol at every peg; rows sum to 1. `copies`:
    float64[symbols, pegs + 1], the probability that a symbol occurs that often; rows sum to 1. Exact, or those of
    the sample.
    """

    pegs: NDArray[np.float64]
    copies: NDArray[np.float64]
    symbols: tuple[str, ...]
    """How the symbols are written."""

    @property
    def expected_copies(self) -> NDArray[np.float64]:
        """How often each symbol is expected to occur: float64[symbols]; the sum is the number of pegs."""
        expected: NDArray[np.float64] = self.pegs.sum(axis=0)
        return expected

    @property
    def presence(self) -> NDArray[np.float64]:
        """The probability that each symbol occurs at all: float64[symbols]."""
        present: NDArray[np.float64] = 1 - self.copies[:, 0]
        return present

    def by_symbol(self, numbers: NDArray[np.float64]) -> dict[str, float]:
        """Return numbers of the symbols by how these are written, as plain data tells them: rounded to nine digits."""
        return dict(zip(self.symbols, numbers.round(9).tolist(), strict=True))


class ToldChances(PlainValue):
    """A value that tells the chances of symbols, each by how it is written; null where they are not known."""

    if TYPE_CHECKING:

        @property
        def chances(self) -> Marginals | None:
            """What is known of each peg and each symbol."""

    @property
    def marginals(self) -> list[dict[str, float]] | None:
        """For each peg the chance of each symbol."""
        found = self.chances
        return None if found is None else [found.by_symbol(peg) for peg in found.pegs]

    @property
    def presence(self) -> dict[str, float] | None:
        """The chance that each symbol occurs."""
        return None if self.chances is None else self.chances.by_symbol(self.chances.presence)

    @property
    def copies(self) -> dict[str, float] | None:
        """How often each symbol is expected to occur."""
        return None if self.chances is None else self.chances.by_symbol(self.chances.expected_copies)


@dataclass(frozen=True)
class Remaining(PlainValue):
    """The codes that are still possible, or a sample of them.

    `codes` are all of them where `is_complete`, else a sample of equally likely ones, so far as `method` can promise
    it. `count` is their exact number, None where nobody can count them; `about` is it as a float, or an estimate, or
    NaN where not even that is known. `method` says how the codes were found, as `candidates.find_candidates` names it.
    """

    PLAIN: ClassVar[tuple[str, ...]] = ("count", "about", "sample", "method", "codes", "says=in_words")

    codes: CodeSet
    """The first of the codes, or of a sample."""
    is_complete: bool
    count: int | None
    """Exactly; null where nobody can count them."""
    about: Finite
    method: str

    @property
    def sample(self) -> int | None:
        """Codes of a sample that stands for them; null: all are listed."""
        return None if self.is_complete else len(self.codes)

    @property
    def in_words(self) -> str:
        """How many codes are left, in a sentence."""
        if self.count is not None and not self.codes.rules.has_pegs:
            return plural(self.count, "{n} secret is left.", "{n} secrets are left.")
        if self.count == 1:
            return Told("One code is left.")
        if self.count is not None:
            return plural(self.count, "{n} code is left.", "{n} codes are left.")
        if isfinite(self.about):
            about = shown_count(round(self.about)).removeprefix("about ")
            return Told("About {count} codes are left.", about)
        return Told("More codes are left than can be counted.")

    def marginals(self) -> Marginals:
        """The chances of each peg and each symbol among the codes; by the prior where the rules have one."""
        planes, chances = self.codes.planes, self.codes.chances
        symbols = self.codes.rules.symbols_in_secrets
        pegs = np.array([np.bincount(plane, chances, symbols) for plane in planes])
        copies = np.zeros((symbols, len(planes) + 1))
        # A million pegs are counted at a time.
        step = max(1, (1 << 20) // len(planes))
        for at in range(0, planes.shape[1], step):
            _add_copies(copies, planes[:, at : at + step], chances[at : at + step])
        copies[:, 0] = np.maximum(1 - copies.sum(axis=1), 0)
        names = self.codes.rules.symbols
        return Marginals(pegs, copies, tuple(names.symbol(symbol) for symbol in range(symbols)))


@dataclass(frozen=True)
class NotedPosition:
    """A position, or notes of which some rows are not complete, with the codes that are left.

    `position` is that of the rows that are complete. `is_complete` tells whether these are all: only then do they say
    by themselves which codes are possible. `played` counts all rows: of a row that is not complete a guess is spent
    too. `clues` are those of all rows under hard rules, as far as they are known.
    """

    position: Position
    remaining: Remaining
    is_complete: bool
    played: int
    clues: Clues | None = None

    @classmethod
    def of(cls, board: Position | Notes | Rules | str, seed: int) -> NotedPosition:
        """Find the codes that are left; raises InputError where the game is over, ContradictionError where none is."""
        if isinstance(board, Notes) and not board.is_complete:
            rows = [row.turn for row in board.rows if row.turn is not None]
            position, played = Position(board.rules, rows), len(board.rows)
            _check_open(position, played)
            return cls(position, _remaining_of(board, seed), is_complete=False, played=played, clues=board.clues)
        position = board.position if isinstance(board, Notes) else Position.of(board)
        _check_open(position, len(position.turns))
        turns = len(position.turns)
        return cls(position, _remaining(position, seed), is_complete=True, played=turns, clues=position.clues)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.position.rules

    def values(self, guesses_left: int | None = None) -> PositionValues:
        """The exact search of the codes left, made once; ``guesses_left``: within that many guesses."""
        if guesses_left not in self._values:
            self._values[guesses_left] = PositionValues(
                self.remaining.codes, self.position.turns, guesses_left, is_all=self.is_complete
            )
        return self._values[guesses_left]

    @cached_property
    def _values(self) -> dict[int | None, PositionValues]:
        return {}

    def allowed(self, codes: CodeSet) -> CodeSet:
        """Return those of some codes that may be guessed: all of them where the rules are not hard."""
        return codes if self.clues is None else codes.take_trusted(np.flatnonzero(self.clues.mask(codes.planes)))

    @property
    def guesses_left(self) -> int | None:
        """How many guesses the limit of the rules leaves; None without a limit."""
        limit = self.rules.guess_limit
        return None if limit is None else limit - self.played


@dataclass(frozen=True)
class AdviceQuestion:
    """A position, how many guesses to rank, guesses to rate beside them, seconds of the exact search, and a seed."""

    noted: NotedPosition
    limit: int
    also: tuple[Code, ...]
    seconds: float
    seed: int

    @classmethod
    def of(
        cls, board: Position | Notes | Rules | str, limit: int, also: Iterable[AnyCode], seconds: float, seed: int
    ) -> AdviceQuestion:
        """Check what a caller asks.

        Raises InputError where the game is over or an argument is wrong, ContradictionError where no code fits,
        TooLargeError where no way to find codes suits the board.
        """
        limit = arguments.whole(limit, "the number of guesses", least=1, most=1000)
        seconds, seed = arguments.number(seconds, "the time"), arguments.seed(seed)
        noted = NotedPosition.of(board, seed)
        asked = [read_code(guess, noted.rules) for guess in arguments.items(also, "the guesses", '["AABB"]')]
        for guess in asked:
            if noted.clues is not None:
                noted.clues.check(guess)
        return cls(noted, limit, tuple(asked), seconds, seed)

    @property
    def last_guesses(self) -> list[Code]:
        """The `limit` likeliest codes, the likeliest first, where one guess is left that may be wrong; else none."""
        codes = self.noted.remaining.codes
        if self.noted.guesses_left != 1 or len(codes) == 1 or not self.noted.rules.is_named:
            return []
        return [codes[int(place)] for place in np.argsort(-codes.chances, kind="stable")[: self.limit]]


def _check_open(position: Position, played: int) -> None:
    if position.is_won:
        raise InputError("the game is won: there is no guess to advise")
    limit = position.rules.guess_limit
    if limit is not None and played >= limit:
        guesses = plural(played, "{n} guess", "{n} guesses")
        raise InputError("the game is over after {guesses}: there is no guess to advise", guesses)


def _remaining(position: Position, seed: int) -> Remaining:
    if position.rules.symbols_in_guesses > MOST_COLORS:
        raise TooLargeError("advice is given to {count:,} colors, and {rules} has more", MOST_COLORS, position.rules)
    sample = _sampled(position, seed) if _is_vast(position) else None
    # Where chains estimate no more, all are listed.
    if sample is not None and (sample.is_complete or not sample.about <= 300_000):
        return sample
    try:
        codes = position.candidates
    except TooLargeError:
        return sample or _sampled(position, seed)
    if not len(codes):
        raise ContradictionError(_conflict(position))
    return _listed(codes, "list")


def _is_vast(position: Position) -> bool:
    # Chains tell at once whether it is worth while to build all codes peg by peg. At the start codes are only drawn.
    if not position.turns:
        # A list of more codes takes a gigabyte and half a minute.
        return position.rules.secret_count > 4_000_000
    return position.rules.secret_count > SCANNED and can_walk(position.rules)


def _sampled(position: Position, seed: int) -> Remaining:
    # Samples have two million pegs in all, but for a hundred codes.
    size = min(SAMPLE, max(ENOUGH, 2_000_000 // position.rules.pegs))
    found = find_candidates(position.rules, position.turns, limit=size, seed=seed)
    if found.complete:
        return _listed(found.codes, found.method)
    if not len(found.codes):
        doubt = doubted(position)
        if doubt is not None:
            raise ContradictionError(doubt.says)
        raise TooLargeError(_nothing_found(position, found.open))
    count = None if position.turns else position.rules.secret_count
    return Remaining(found.codes, is_complete=False, count=count, about=found.about, method=found.method)


def _remaining_of(notes: Notes, seed: int) -> Remaining:
    # On vast boards a sample that is large enough comes before the attempt to list all codes, which may take minutes.
    sample = None
    if notes.rules.secret_count > SCANNED:
        found = notes.find(limit=SAMPLE, seed=seed)
        if found.complete:
            return _listed(found.codes, found.method)
        sample = Remaining(found.codes, is_complete=False, count=None, about=found.about, method=found.method)
        if len(found.codes) >= ENOUGH:
            return sample
    try:
        codes = notes.candidates
    except TooLargeError:
        if sample is None or not len(sample.codes):
            raise
        return sample
    if not len(codes):
        raise ContradictionError("no code fits all the rows: at least one of them is wrong")
    return _listed(codes, "list")


def _conflict(position: Position) -> str:
    try:
        return describe_conflict(position)
    except TooLargeError:
        turns = len(position.turns)
        return Told("no code of {rules} fits all {turns} turns: at least one of them is wrong", position.rules, turns)


def _nothing_found(position: Position, left_open: str) -> str:
    turns = plural(len(position.turns), "{n} turn", "{n} turns")
    hint = left_open or Told("a turn whose answer leaves fewer codes would help, as a guess of one or two colors")
    return Told(
        "no code of {rules} that fits the {turns} was found, and nothing is proved: {hint}", position.rules, turns, hint
    )


def _listed(codes: CodeSet, method: str) -> Remaining:
    return Remaining(codes, is_complete=True, count=len(codes), about=float(len(codes)), method=method)


def _add_copies(copies: NDArray[np.float64], planes: NDArray[Any], chances: NDArray[np.float64]) -> None:
    # In a code in order a symbol is a run, as long as it has copies: no symbol is looked for in codes without it.
    order = np.sort(planes.T, axis=1)
    begins = np.ones(order.shape, np.bool_)
    begins[:, 1:] = order[:, 1:] != order[:, :-1]
    at = np.flatnonzero(begins)
    lengths = np.diff(at, append=order.size)
    where, length = np.unique(order.ravel()[at].astype(np.int64) * copies.shape[1] + lengths, return_inverse=True)
    copies.ravel()[where] += np.bincount(length, chances[at // len(planes)])
