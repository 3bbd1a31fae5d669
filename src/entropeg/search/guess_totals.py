"""All guesses of a position with what the best play takes after each: exact, from a table and the exact search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.codes import guesses
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.kernels.compile import kernel
from entropeg.plain_values import PlainValue
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.exact.layout import hash_words
from entropeg.search.preparing import rows_of
from entropeg.search.values import PositionValues, can_value
from entropeg.symmetry import kind_numbers

Array = Any
Int = Any
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class GuessTotal(PlainValue):
    """A guess, how many are of its kind, and the guesses that the best play takes with it: over all codes, at worst."""

    guess: Code
    alike: int
    """Guesses that names of colors and places of pegs make of it, itself included."""
    is_candidate: bool
    """Whether it may be the secret."""
    total: int
    worst: int
    mean: float
    loss: float
    """What the mean is more than that of the best guess."""


@dataclass(frozen=True)
class GuessTotals(PlainValue):
    """One guess of every kind at a position of so many `codes`, the best first; of equal ones those that may win."""

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "codes", "total", "worst", "probed", "searched", "guesses")

    rules: Rules
    codes: int
    guesses: tuple[GuessTotal, ...]
    probed: int
    """Different parts that a table had."""
    searched: int
    """Different parts that were searched: those of one and two codes need neither."""

    @property
    def total(self) -> int:
        """The least total of guesses over all codes."""
        return self.guesses[0].total

    @property
    def worst(self) -> int:
        """The fewest guesses that settle every code: the best guess in the mean may need more."""
        return min(one.worst for one in self.guesses)


@kernel
def part_words(labels: Array, words: Array, sizes: Array, hashes: Array) -> Any:
    """Write the size and the XOR of the words of every part: labels uint8[guesses, codes], both [guesses, labels]."""
    for g in range(labels.shape[0]):
        for i in range(labels.shape[1]):
            sizes[g, labels[g, i]] += 1
            hashes[g, labels[g, i]] ^= words[i]
    return 0


@dataclass(frozen=True)
class Cuts:
    """How guesses cut a set of codes: the sizes of the parts, and the different ones of three codes and more, once."""

    sizes: Numbers
    """[guesses, labels]."""
    which: Numbers
    """[guesses, labels]: the number of the part; -1 for the whole set, for up to two codes, and for the winning one."""
    places: Numbers
    """Parts as indexes of codes of the set, one after the other: part i from `starts[i]` to `starts[i + 1]`."""
    starts: Numbers
    made_by: Numbers
    """[parts, 2]: a guess, and the label after which it leaves the part."""

    @classmethod
    def of(cls, labels: NDArray[np.uint8], label_count: int, win: int) -> Cuts:
        """Cut by labels, uint8[guesses, codes]. Parts are one where their words of 64 bits are."""
        shape = len(labels), label_count
        sizes, hashes = np.zeros(shape, np.int64), np.zeros(shape, np.uint64)
        part_words(labels, hash_words(labels.shape[1], np.random.default_rng(0x7AB1E)), sizes, hashes)
        is_part = (sizes > 2) & (sizes < labels.shape[1])
        is_part[:, win] = False
        guess, label = np.nonzero(is_part)
        _, first, found = np.unique(hashes[is_part], return_index=True, return_inverse=True)
        of, places = np.nonzero(labels[guess[first]] == label[first][:, None])
        starts = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=len(first)))])
        which = np.full(shape, -1)
        which[is_part] = found
        return cls(sizes, which, places, starts, np.stack([guess[first], label[first]], axis=1))

    def sums(self, totals: Numbers, worsts: Numbers, win: int) -> tuple[Numbers, Numbers]:
        """The total and the worst case of every guess, by those of the parts.

        A guess that tells nothing takes the least of all others more than one guess a code.
        """
        n = int(self.sizes[0].sum())
        costs, most = np.where(self.sizes > 0, 2 * self.sizes - 1, 0), np.minimum(self.sizes, 2)
        is_part = self.which >= 0
        costs[is_part], most[is_part] = totals[self.which[is_part]], worsts[self.which[is_part]]
        costs[:, win], most[:, win] = 0, 0
        total, worst = n + costs.sum(axis=1), 1 + most.max(axis=1)
        tells = (self.sizes < n).all(axis=1) | (self.sizes[:, win] == n)
        if not tells.all():
            total[~tells], worst[~tells] = n + total[tells].min(), 1 + worst[tells].min()
        return total, worst


def guess_totals(position: Position | Rules | str, *, time: float = 2.0) -> GuessTotals | None:
    """Return one guess of every kind with its exact total, mean, loss and worst case; None out of reach.

    Parts come from the table at hand of the rules, where it has them, and from the exact search: a position of 4x6
    takes 5 to 20 milliseconds once both are loaded. None where the search was not done within about ``time`` seconds,
    under hard rules and a prior, and where positions have no exact values; never an estimate. A limit is left out of
    the account. Raises InputError where the game is won, ContradictionError where no code fits.

    >>> found = guess_totals(Position("4x6", ["AABB XO"]))
    >>> found.codes, len(found.guesses), found.total, found.worst
    (208, 39, 718, 4)
    """
    position, seconds = Position.of(position), arguments.number(time, "the time")
    if position.is_won:
        raise InputError("the game is won: there is no guess to advise")
    rules = position.rules.with_limit(None)
    if rules.hard or rules.prior is not None or not can_value(rules, 1):
        return None
    position.check_consistent()
    codes = position.candidates
    if not can_value(rules, len(codes)):
        return None
    listed = guesses(rules)
    _, first, alike = np.unique(kind_numbers(position, listed), return_index=True, return_counts=True)
    tried = listed.take(first)
    cuts = Cuts.of(codes.labels(tried), rules.label_count, rules.win_label)
    values = PositionValues.of(position)
    pool = values.board.layout.number_secrets(rows_of(codes))[cuts.places]
    made_by = [(tried[guess], label) for guess, label in cuts.made_by.tolist()]

    def asked() -> tuple[Numbers, Numbers, NDArray[np.bool_]] | None:
        with values.opened(), values.board.stop.after(seconds):
            return values.worth_after(pool, cuts.starts, made_by)

    found = values.board.stop.run(asked)
    if found is None:
        return None
    totals, worsts = cuts.sums(*found[:2], rules.win_label)
    n, least, wins = len(codes), int(totals.min()), cuts.sizes[:, rules.win_label] > 0
    told = tuple(
        GuessTotal(
            tried[at], int(alike[at]), bool(wins[at]), int(totals[at]), int(worsts[at]),
            int(totals[at]) / n, (int(totals[at]) - least) / n,
        )
        for at in np.lexsort((first, worsts, ~wins, totals)).tolist()
    )  # fmt: skip
    probed = int(found[2].sum())
    return GuessTotals(rules, n, told, probed, len(found[2]) - probed)
