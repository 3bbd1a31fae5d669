"""Says what the next guess must have by the answers so far, under hard rules: the hard mode of Wordle.

A peg that was marked in place keeps its color at that place. Of each color a guess has at least as many pegs as that
color had marks, in place or elsewhere, in one answer. A code that fits every answer uses every clue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import CodeSet
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, from_label
from entropeg.rules import Rules
from entropeg.told import Told


@dataclass(frozen=True)
class Clues:
    """The clues of the turns so far: immutable, hashable, equal where the same guesses are allowed.

    `places` are pairs of a peg and the color that it must have, `least` pairs of a color and how many pegs must have
    it, both in order; a number that the places give already is left out. Where answers contradict each other a peg
    may have two colors: then no guess is allowed.

    >>> clues = Clues(Rules.parse("4x6/positional/hard")).after((0, 0, 1, 2), (2, 1, 0, 1))
    >>> clues.places, clues.least
    (((0, 0),), ((0, 2), (2, 1)))
    >>> clues.allows((0, 3, 2, 0)), clues.fault((0, 3, 3, 2))
    (True, 'a guess must have 2 of A')
    """

    rules: Rules = field(repr=False)
    places: tuple[tuple[int, int], ...] = ()
    least: tuple[tuple[int, int], ...] = ()

    @classmethod
    def of(cls, rules: Rules | str, turns: Iterable[tuple[Code, AnyFeedback]] = ()) -> Clues:
        """Return what some turns tell: legal guesses and marks of the rules, in any order."""
        places, least = set[tuple[int, int]](), Counter[int]()
        for guess, feedback in turns:
            _add(places, least, guess, feedback)
        return cls._made(Rules.of(rules), places, least)

    def after(self, guess: Code, feedback: AnyFeedback) -> Clues:
        """Return what these clues and one more turn tell together."""
        places, least = set(self.places), Counter(dict(self.least))
        _add(places, least, guess, feedback)
        return self._made(self.rules, places, least)

    @classmethod
    def _made(cls, rules: Rules, places: set[tuple[int, int]], least: Counter[int]) -> Clues:
        given = Counter(color for _, color in places)
        wanted = sorted((color, number) for color, number in least.items() if number > given[color])
        return cls(rules, tuple(sorted(places)), tuple(wanted))

    def allows(self, guess: Code) -> bool:
        """Tell whether a guess uses every clue."""
        return all(guess[peg] == color for peg, color in self.places) and all(
            guess.count(color) >= number for color, number in self.least
        )

    def fault(self, guess: Code) -> str:
        """Say which clue a guess does not use, the first where there are several; empty where it uses all.

        >>> Clues.of("3x4/positional/hard", [((0, 1, 2), (0, 2, 1))]).fault((2, 2, 1))
        'peg 2 was in place: it must be B'
        """
        symbol = self.rules.symbols.symbol
        for peg, color in self.places:
            if guess[peg] != color:
                return Told("peg {peg} was in place: it must be {color}", peg + 1, symbol(color))
        for color, number in self.least:
            if guess.count(color) < number == 1:
                return Told("a guess must have {color}", symbol(color))
            if guess.count(color) < number:
                return Told("a guess must have {number} of {color}", number, symbol(color))
        return ""

    def check(self, guess: Code) -> None:
        """Raise InputError, with the clue, where a guess does not use every clue.

        >>> Clues.of("3x4/positional/hard", [((0, 1, 2), (0, 2, 1))]).check((2, 1, 1))
        """
        fault = self.fault(guess)
        if fault:
            code = self.rules.symbols.format(guess)
            raise InputError("{code} does not use every clue: {fault}", code, fault)

    def mask(self, planes: NDArray[np.unsignedinteger]) -> NDArray[np.bool_]:
        """Tell of each code whether it uses every clue: `bool[n]`, of planes, `[pegs, n]`.

        Costs a pass over a plane for each place, and one over all planes for each color.
        """
        allowed = np.ones(planes.shape[1], np.bool_)
        for peg, color in self.places:
            allowed &= planes[peg] == color
        for color, number in self.least:
            allowed &= (planes == color).sum(axis=0) >= number
        return allowed


def followers(codes: CodeSet) -> Callable[[int, int], NDArray[np.bool_]] | None:
    """Return what says which of some guesses may follow one of them, by its index, and the label of its answer.

    None where the rules are not hard. The answers are masks of the guesses, `bool[n]`; the last ones are kept.
    """
    rules = codes.rules

    @lru_cache(maxsize=1024)
    def may_follow(guess: int, label: int) -> NDArray[np.bool_]:
        return Clues.of(rules, [(codes[guess], from_label(label, rules))]).mask(codes.planes)

    return may_follow if rules.hard else None


def check_unbound(rules: Rules, name: str) -> None:
    """Raise InputError where the rules are hard, on behalf of a strategy that asks what it wants to know."""
    if rules.hard:
        raise InputError(
            "{name} asks what it wants to know, and in {rules} each guess must use every clue: "
            "`place`, `consistent` and the one-step rules (`entropy`, `parts`) do",
            *(name, rules),
        )


def _add(places: set[tuple[int, int]], least: Counter[int], guess: Code, feedback: AnyFeedback) -> None:
    marked = Counter[int]()
    for peg, (color, mark) in enumerate(zip(guess, feedback, strict=True)):
        marked[color] += mark > 0
        if mark == 2:
            places.add((peg, color))
    least |= marked
