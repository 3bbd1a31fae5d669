"""Bounds and strategies of the sets and guesses of an opening while workers search its parts.

A goal is a set of which a strategy below some total is wanted: one guess has to be found. A branch is a guess for a
set: all parts that it leaves are goals. A goal is searched whole, or its guesses in shares; a share of one guess that
takes long becomes a branch, whose goals are searched by many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from entropeg.search.proving.opening import Part
from entropeg.search.proving.shared.units import History
from entropeg.search.strategies import Node

Listing = NDArray[np.int64]


def share_of(k: int) -> tuple[int, int]:
    """Which guesses of a set share ``k`` has at first: one each, later ones more; the first and the one after the last.

    >>> [share_of(k) for k in (0, 1, 7, 8, 9, 16)]
    [(0, 1), (1, 2), (7, 8), (8, 10), (10, 12), (24, 28)]
    """
    # Eight shares of each width: the first guesses take longest, and one of them is most likely the best.
    doublings, i = divmod(k, 8)
    width = 1 << doublings
    first = 8 * (width - 1) + i * width
    return first, first + width


@dataclass(eq=False)
class Share:
    """Some guesses for a set, numbers ``first`` to ``end`` in its list: none leads below ``bound``.

    ``is_claimed``: it is being searched. ``branch``: the one guess that it has, searched part by part.
    """

    first: int
    end: int
    bound: int
    is_claimed: bool = False
    branch: GuessBranch | None = None

    def halves(self) -> list[Share]:
        """The share in two."""
        middle = (self.first + self.end) // 2
        return [Share(self.first, middle, self.bound), Share(middle, self.end, self.bound)]


@dataclass(eq=False)
class Goal:
    """A set behind a history, of which a strategy below `target` is wanted, ``d`` guesses left.

    ``listing``: (guess, bound) of all its guesses, in the order in which they are tried; ``shares`` of these, None
    where the set is searched whole. ``bound``: of all guesses together; ``found``: a total and its strategy.
    """

    part: Part
    branch: GuessBranch
    history: History
    d: int
    slot: int = 0
    listing: Listing | None = None
    order: int = 0
    shares: list[Share] | None = None
    bound: int = 0
    found: tuple[int, Node] | None = None
    is_claimed: bool = False
    is_settled: bool = False
    is_whole: bool = False
    """Whether it is never searched in shares."""

    @property
    def target(self) -> int:
        """The total that a strategy has to undercut to be of use; it only ever becomes less."""
        branch = self.branch
        aim = min(self.part.low + branch.upper() - branch.total, branch.infinite)
        return aim if self.found is None else min(aim, self.found[0])

    @property
    def is_begun(self) -> bool:
        """Whether somebody searches or has searched some of it."""
        shares = self.shares or ()
        return self.is_claimed or any(each.is_claimed or each.branch is not None for each in shares)

    def list(self, listing: Listing, order: int) -> None:
        """Search the guesses in shares from now on."""
        self.listing, self.order, self.shares = listing, order, []
        while not self.shares or self.shares[-1].end < len(listing):
            first, end = share_of(len(self.shares))
            bounds = listing[first:end, 1]
            self.shares.append(Share(first, min(end, len(listing)), int(bounds.min(initial=self.branch.infinite))))

    def open_shares(self) -> Iterator[Share]:
        """Shares that may lead below the target and that nobody searches."""
        for each in self.shares or ():
            if not each.is_claimed and each.branch is None and each.bound < self.target:
                yield each

    def learn(self, found: tuple[int, Node] | None = None) -> None:
        """Take a strategy over where it is the best, and the bound of the shares; tell the branch."""
        if found is not None and (self.found is None or found[0] < self.found[0]):
            self.found = found
        bound = self.bound
        if self.shares is not None:
            bound = max(bound, min((each.bound for each in self.shares), default=0))
        least = bound if self.found is None else min(bound, self.found[0])
        gain = max(0, least - self.part.low)
        self.part.low += gain
        if self.found is not None and self.found[0] <= self.part.low:
            self.part.exact, self.part.tree, self.is_settled = True, self.found[1], True
        self.branch.learn(gain, self)


@dataclass(eq=False)
class GuessBranch:
    """A guess for a set: its goals, and ``total``, the bound that follows from them and from parts known already.

    ``upper`` tells the total that it has to undercut; ``settled`` is called with each goal that is, ``changed``
    whenever the total rises or the last goal is settled: with the branch.
    """

    guess: int
    total: int
    infinite: int
    upper: Callable[[], int]
    changed: Callable[[GuessBranch], None]
    settled: Callable[[Goal], None] = lambda _: None
    goals: list[Goal] = field(default_factory=list)
    is_first: bool = False

    @property
    def is_refuted(self) -> bool:
        """Whether it leads to nothing of use."""
        return self.total >= self.upper()

    @property
    def is_exact(self) -> bool:
        """Whether all its parts are settled, so that its total is a value."""
        return all(goal.is_settled for goal in self.goals)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to search."""
        return self.is_refuted or self.is_exact

    def learn(self, gain: int, goal: Goal) -> None:
        """Take over by how much the bound of a goal has risen."""
        self.total += gain
        if goal.is_settled:
            self.settled(goal)
        self.changed(self)

    def in_order(self) -> Iterator[Goal]:
        """Goals that are not settled, in the order in which they are to be searched.

        Of the guess that is likely the best all parts have to be solved: there one share of each at first, since two
        would both search without a bound.
        """
        left = [goal for goal in self.goals if not goal.is_settled]
        begun = [goal for goal in left if goal.is_begun]
        bounded = [goal for goal in begun if goal.found is not None or not self.is_first]
        yield from bounded
        yield from (goal for goal in left if not goal.is_begun)
        yield from (goal for goal in begun if goal not in bounded)
