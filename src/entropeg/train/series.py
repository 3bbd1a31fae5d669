"""Puzzles by number: each is made again from rules, theme and seed, so that nothing needs to keep it."""

from __future__ import annotations

from collections.abc import Iterator

from entropeg import arguments
from entropeg.errors import InputError
from entropeg.rules import Rules
from entropeg.train.making import puzzles
from entropeg.train.puzzle import Theme, TrainingPuzzle

MOST = 1000
"""The last number of a series: a puzzle is made after all those before it."""
SOUGHT = 40
"""Puzzles that are made in search of one of a difficulty."""


class PuzzleSeries:
    """The puzzles of some rules, a theme (None: of all in turn) and a seed, numbered from 1: those of `puzzles`.

    What was made is kept, so that one after another costs no more than drawing them. Raises InputError as `puzzles`
    does.

    >>> series = PuzzleSeries("4x6", "deduce", seed=1)
    >>> series[2] == PuzzleSeries("4x6", "deduce", seed=1)[2], series[1] == series[2]
    (True, False)
    """

    def __init__(self, rules: Rules | str, theme: Theme | str | None = None, *, seed: int = 0) -> None:
        """Check rules, theme and seed; the first puzzle is drawn when it is asked for."""
        self.rules = Rules.of(rules)
        self.theme = None if theme is None else str(theme)
        self.seed = arguments.seed(seed)
        self._made: list[TrainingPuzzle] = []
        self._refusal: InputError | None = None
        self._source: Iterator[TrainingPuzzle] = puzzles(self.rules, theme, seed=self.seed)

    def __getitem__(self, number: int) -> TrainingPuzzle:
        """Return a puzzle by its number, from 1; raises InputError where there are fewer."""
        number = arguments.whole(number, "the number of the puzzle", least=1, most=MOST)
        while len(self._made) < number:
            found = self._next()
            if found is None:
                raise InputError(f"there are only {len(self._made)} puzzles: ask for no later one")
            self._made.append(found)
        return self._made[number - 1]

    def _next(self) -> TrainingPuzzle | None:
        if self._refusal is not None:
            raise self._refusal
        try:
            return next(self._source, None)
        except InputError as error:
            self._refusal = error  # to be told again whenever a puzzle is asked for
            raise

    def find(self, first: int = 1, *, least: float = 0.0, most: float = 1.0) -> int:
        """Return the number of the first puzzle, from `first` on, whose difficulty is from `least` to `most`.

        Where none of the next `SOUGHT` puzzles is so hard or so easy, that of the nearest. Puzzles whose difficulty is
        not known are passed over, unless every difficulty will do; raises InputError where there are no others.

        >>> PuzzleSeries("4x6", "trap", seed=1).find(least=0.5)
        8
        """
        least, most = (arguments.number(bound, "the difficulty") for bound in (least, most))
        if not 0 <= least <= most <= 1:
            raise InputError(f"the difficulty is from {least:g} to {most:g}; it must rise, from 0 to 1 at most")
        first = arguments.whole(first, "the number of the puzzle", least=1, most=MOST)
        if (least, most) == (0, 1):
            self[first]
            return first
        apart: dict[int, float] = {}
        for number in range(first, min(first + SOUGHT, MOST + 1)):
            difficulty = self._difficulty(number, first)
            if difficulty is None:
                continue
            apart[number] = max(least - difficulty, difficulty - most, 0.0)
            if not apart[number]:
                return number
        if not apart:
            raise InputError("nobody knows how hard these puzzles are: leave the difficulty open")
        return min(apart, key=lambda number: apart[number])

    def _difficulty(self, number: int, first: int) -> float | None:
        """The difficulty of a puzzle; None where it is not known, or where there are no more."""
        try:
            return self[number].difficulty
        except InputError:
            if number == first:
                raise
            return None
