"""Says what marks by place tell: the colors that each peg may have, and from how many to how many pegs each color has.

Of a color that a guess has on k pegs and the secret on n, min(k, n) pegs are marked. On those marked black the secret
has the color, on the others it has not. Which of the others are marked white is fixed by the order from the left, and
tells nothing more. So fewer marked pegs than k are n, and else n is at least k: a turn says which colors pegs may have,
and bounds the number of each color, and nothing else. Bounds and allowed colors of several turns are cut to what they
have in common, and say of the secret exactly what the turns do. These are the *domains* and the *cardinalities* of a
global cardinality constraint (Régin 1996), in which paths find a code that fits, or prove that there is none, on boards
of any size.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array
from entropeg.errors import TooLargeError
from entropeg.feedback import Code, Marks
from entropeg.rules import Blanks, Rules

MOST_CELLS = 10_000_000
"""Pegs x symbols that are looked at: the tables of a player take a hundred bytes a cell."""


class Domains:
    """The secrets that fit some turns with marks by place; `take` cuts them down.

    `allowed`: bool[pegs, symbols], colors that pegs may have. `least`, `most`: int64[symbols], from how many to how
    many pegs have a color. The secrets are all codes within these. Where no color repeats `most` is 1, but for a blank.
    `broken`: no code is left, whatever these say.

    >>> domains = Domains(Rules.parse("4x6/positional"))
    >>> domains.take((0, 0, 1, 2), Marks((2, 0, 1, 0)))
    >>> domains.allowed.sum(axis=1).tolist(), domains.least.tolist(), domains.most.tolist()
    ([1, 5, 5, 5], [1, 1, 0, 0, 0, 0], [1, 4, 0, 4, 4, 4])
    """

    def __init__(self, rules: Rules) -> None:
        """Start from all secrets of the rules; raises TooLargeError where the board is out of proportion."""
        shape = rules.pegs, rules.symbols_in_secrets
        if shape[0] * shape[1] > MOST_CELLS:
            raise TooLargeError(
                "{rules} has {cells:,} cells of a peg and a color, and {most:,} are the limit here",
                *(rules, shape[0] * shape[1], MOST_CELLS),
            )
        self.allowed: NDArray[np.bool_] = np.ones(shape, np.bool_)
        self.least: NDArray[np.int64] = np.zeros(shape[1], np.int64)
        self.most: NDArray[np.int64] = np.full(shape[1], shape[0], np.int64)
        if not rules.repeats:
            self.most[: rules.colors] = 1
        # A blank that no secret has is the symbol past the last: it is asked in vain.
        self.vain = shape[1] if rules.blanks == Blanks.guesses else -1
        self.broken = False

    @classmethod
    def of(cls, rules: Rules, turns: Iterable[tuple[Code, Any]]) -> Domains:
        """Return what some turns tell: legal guesses and marks of the rules."""
        domains = cls(rules)
        for guess, marks in turns:
            domains.take(guess, marks)
        return domains

    def reordered(self, order: Array) -> Domains:
        """Return the same of the pegs in another order, int64[pegs]."""
        other = copy(self)
        other.allowed = self.allowed[order]
        return other

    def take(self, guess: Code, marks: Marks) -> None:
        """Cut down to the secrets that answer a guess so."""
        colors, given = np.array(guess), np.array(marks)
        self.broken |= bool(given[colors == self.vain].any())
        pegs = np.flatnonzero(colors != self.vain)
        colors, given = colors[pegs], given[pegs]
        symbols, black = len(self.least), given == 2
        asked = np.bincount(colors, minlength=symbols)
        marked = np.bincount(colors[given > 0], minlength=symbols)
        self.broken |= _is_out_of_order(colors[~black], given[~black], symbols)
        others = np.arange(symbols) != colors[:, None]
        self.allowed[pegs] &= others ^ black[:, None]
        self.least = np.maximum(self.least, marked)
        self.most = np.where(marked < asked, np.minimum(self.most, marked), self.most)

    def tighten(self) -> bool:
        """Strike out and bound what the rest excludes, by plain rules; False where they find that no code is left.

        A color that has all its pegs is on no other; one that needs all pegs that may have it is on these; and the
        numbers of all colors add up to the pegs. No code is lost.
        """
        pegs = len(self.allowed)
        while not self.broken:
            may = self.allowed.sum(axis=1) == 1
            possible, certain = self.allowed.sum(axis=0), self.allowed[may].sum(axis=0)
            most = np.minimum(np.minimum(self.most, possible), pegs - (self.least.sum() - self.least))
            least = np.maximum(np.maximum(self.least, certain), pegs - (most.sum() - most))
            struck = self.allowed & (certain == most) & ~may[:, None]
            needy = self.allowed & (possible == least)
            struck |= self.allowed & needy.any(axis=1)[:, None] & ~needy
            self.broken = bool(
                (least > most).any() or (needy.sum(axis=1) > 1).any() or not self.allowed.any(axis=1).all()
            )
            is_settled = (least == self.least).all() and (most == self.most).all() and not struck.any()
            self.least, self.most = least, most
            self.allowed &= ~struck
            if is_settled:
                break
        return not self.broken

    def fitting(self, liking: Array | None = None, most: Array | None = None) -> Array | None:
        """Return a code that fits, int64[pegs], None where there is none: that is a proof.

        `liking`: float[pegs, symbols], pairs of a peg and a color that are tried first, the largest before the others.
        `most`: int64[symbols], at least `least`: narrower bounds on the numbers. Costs at most pegs² · symbols
        operations of NumPy, as a rule some for each pair.
        """
        liked = self.allowed * 1.0 if liking is None else liking
        bound = self.most if most is None else np.minimum(self.most, most)
        if self.broken or (self.least > bound).any():
            return None
        code, counts = np.full(len(self.allowed), -1), np.zeros_like(self.least)
        # The numbers that are needed at least, then all other pegs: a path that moves pegs on takes none from a color.
        for wanted, room in ((int(self.least.sum()), self.least), (len(code), bound)):
            self._deal(code, counts, room, liked)
            while counts.sum() < wanted:
                if not self._move_on(code, counts, room, liked):
                    return None
        return code

    def drawn(self, number: int, rng: np.random.Generator) -> Array | None:
        """Return codes that fit, int64[number, pegs], some of them alike; None where there is none: that is a proof.

        Each comes from a walk of its own, from one of sixteen codes made at random: a peg takes another color, two pegs
        change places, or three do. A step is as likely as its way back, so that a long walk ends in any code that it
        can come to as likely as in any other.
        """
        starts = [self.fitting(rng.random(self.allowed.shape)) for _ in range(min(16, number))]
        if any(code is None for code in starts):
            return None
        return self.moved(np.array(starts)[np.arange(number) % len(starts)], 60 * len(self.allowed), rng)

    def moved(self, codes: Array, steps: int, rng: np.random.Generator) -> Array:
        """Return codes that fit, int64[number, pegs]: where a walk of so many steps, as in `drawn`, ends from each."""
        codes = codes.copy()
        counts = np.zeros((len(codes), len(self.least)), np.int64)
        np.add.at(counts, (np.arange(len(codes))[:, None], codes), 1)
        for _ in range(steps):
            self._recolor(codes, counts, rng)
            self._exchange(codes, rng)
        return codes

    def _recolor(self, codes: Array, counts: Array, rng: np.random.Generator) -> None:
        each, peg = np.arange(len(codes)), rng.integers(len(self.allowed), size=len(codes))
        # Of the colors that the peg may have one is drawn: they are as many after the step.
        place = (rng.random(len(codes)) * self.allowed.sum(axis=1)[peg]).astype(np.int64)
        color = np.argsort(~self.allowed[peg], axis=1, kind="stable")[each, place]
        old = codes[each, peg]
        may = (color != old) & (counts[each, color] < self.most[color]) & (counts[each, old] > self.least[old])
        codes[each[may], peg[may]] = color[may]
        counts[each[may], color[may]] += 1
        counts[each[may], old[may]] -= 1

    def _exchange(self, codes: Array, rng: np.random.Generator) -> None:
        each = np.arange(len(codes))
        one, two, three = rng.integers(len(self.allowed), size=(3, len(codes)))
        # Where the third peg is the second, two pegs change places.
        three = np.where(rng.random(len(codes)) < 0.5, two, three)
        first, second, third = codes[each, one], codes[each, two], codes[each, three]
        may = (one != two) & (one != three)
        may &= self.allowed[one, second] & self.allowed[two, third] & self.allowed[three, first]
        for peg, color in ((one, second), (two, third), (three, first)):
            codes[each[may], peg[may]] = color[may]

    def _deal(self, code: Array, counts: Array, room: Array, liking: Array) -> None:
        # Pairs from the most liked on, as long as the peg is free and the color has room.
        pegs, colors = np.nonzero(self.allowed & (code < 0)[:, None] & (counts < room))
        order = np.argsort(-liking[pegs, colors], kind="stable")
        free, left = (code < 0).tolist(), (room - counts).tolist()
        for peg, color in zip(pegs[order].tolist(), colors[order].tolist(), strict=True):
            if free[peg] and left[color] > 0:
                free[peg] = False
                left[color] -= 1
                counts[color] += 1
                code[peg] = color

    def _move_on(self, code: Array, counts: Array, room: Array, liking: Array) -> bool:
        # From the free pegs to the nearest color that has room; pegs on the way give up their color to the one before.
        came = np.full(len(counts), -1)
        queue = np.flatnonzero(code < 0).tolist()
        for peg in queue:
            new = self.allowed[peg] & (came < 0)
            came[new] = peg
            ends = np.flatnonzero(new & (counts < room))
            if len(ends):
                color = int(ends[liking[peg, ends].argmax()])
                counts[color] += 1
                while color >= 0:
                    at = int(came[color])
                    color, code[at] = int(code[at]), color
                return True
            queue += np.flatnonzero((code >= 0) & new[code]).tolist()
        return False


def _is_out_of_order(colors: Array, given: Array, symbols: int) -> bool:
    # Of the pegs of a color that are not in place the first ones are marked white.
    unmarked, marked = np.full(symbols, len(colors)), np.full(symbols, -1)
    places = np.arange(len(colors))
    np.minimum.at(unmarked, colors[given == 0], places[given == 0])
    np.maximum.at(marked, colors[given == 1], places[given == 1])
    return bool((marked > unmarked).any())
