"""The parts that an opening leaves, searched by the workers of an executor: see `goals` and `units`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from time import monotonic
from typing import Any

from entropeg.executors import Crew
from entropeg.executors.notices import SLOTS
from entropeg.search.exact import engine
from entropeg.search.exact.board import Layout, ThreadMemory
from entropeg.search.exact.fields import DEEP, EXACT, UNLIMITED
from entropeg.search.proving.elsewhere.goals import Goal, GuessBranch, Share
from entropeg.search.proving.elsewhere.units import (
    FIRST_GOAL,
    HURRY,
    ROUND,
    Codes,
    History,
    SharedBoard,
    Standpoint,
    Unit,
    UnitCall,
    UnitFound,
    search_units,
    strategy_nodes,
)
from entropeg.search.proving.opening import ALONE, OpeningSearch, Part
from entropeg.search.tree import Node, from_rows

LEARNED = 0.2
"""Weight of the last call in what a unit is expected to take."""

TOLD = 0.5
"""Seconds between notices of lower targets."""

MOST_UNITS, SHORTEST = 200, 10
"""Units of one call, at most; where units are few, calls are shorter, by this factor at most."""

_rounds = count(1)


def new_round() -> int:
    """Return the number of another round, more than all before."""
    return next(_rounds)


@dataclass
class Elsewhere:
    """Workers that search, what they have to know of the board, and this process's own view of it."""

    crew: Crew
    board: SharedBoard
    standpoint: Standpoint
    nodes: int = 0
    """Guesses that the workers have tried."""
    seconds: float = 0.05
    """What a unit is expected to take."""

    is_hurried: bool = False

    @classmethod
    def of(cls, crew: Crew, board: SharedBoard, layout: Layout, start: Any, table: Any, stop: Any) -> Elsewhere:
        """Let a crew search a board; ``start``, ``table``, ``stop``: as of the proof."""
        return cls(crew, board, Standpoint(layout, table, start, board.history, stop))

    @property
    def units_of_call(self) -> int:
        """How many units take as long as a call should."""
        return max(1, min(MOST_UNITS, round(self.crew.least / self.seconds)))

    def put(self, units: Sequence[Unit], number: int) -> dict[int, UnitCall]:
        """Share units out among the calls that there is room for; returns these by number. ``number``: of the round."""
        calls, room = dict[int, UnitCall](), self.crew.room
        each = max(1, -(-len(units) // max(1, room)), self.units_of_call // SHORTEST)
        for at in range(0, len(units), each):
            some = tuple(units[at : at + each])
            call = UnitCall(self.board, self.crew.session, number, self.crew.least, some)
            calls[self.crew.put(search_units, call)] = call
        return calls

    def learn(self, found: Sequence[UnitFound], nodes: int) -> None:
        """Count what a call has done, and learn how long units take."""
        self.nodes += nodes
        if seconds := [each.seconds for each in found if each.ending == "done"]:
            mean = max(sum(seconds) / len(seconds), 1e-4)
            self.seconds += LEARNED * (mean - self.seconds)

    def hurry(self, number: int, *, is_idle: bool) -> None:
        """Let the workers know whether others wait for them."""
        if is_idle != self.is_hurried:
            self.is_hurried = is_idle
            self.crew.tell(HURRY, new_round(), number if is_idle else 0)

    def end(self, number: int) -> None:
        """Let go of all calls of a round."""
        self.is_hurried = False
        self.crew.forget()
        self.crew.tell(ROUND, number + 1, 0)


@dataclass
class CrewedOpening(OpeningSearch):
    """What is known of an opening whose parts workers search; as of a `ThreadedOpening`, in one thread.

    Calls have so many units that they take as long as the crew asks for. Where workers have nothing to do, what takes
    long elsewhere is cut: a share of many guesses in two, one of a single guess by the parts that it leaves.
    """

    elsewhere: Elsewhere
    worth: Callable[[Node], int]

    def __post_init__(self) -> None:
        """Begin with nothing known of the parts but their bounds."""
        super().__post_init__()
        self.crew, self.round = self.elsewhere.crew, new_round()
        self.root = GuessBranch(
            self.guess, self.total, self.infinite, lambda: self.upper, self._changed, self._settled,
            is_first=self.is_first,
        )  # fmt: skip
        self.root.goals = self._goals(self.root, (), self.parts, self.d)
        for slot, goal in enumerate(self.root.goals, start=FIRST_GOAL):
            goal.slot = slot if slot < SLOTS else 0
        self._claims: dict[int, tuple[Goal, Share | None]] = {}
        self._units = count()
        self._told: dict[int, int] = {}
        self._told_at = monotonic()

    @staticmethod
    def _goals(branch: GuessBranch, history: History, parts: list[Part], d: int) -> list[Goal]:
        behind = [(part, (*history, (branch.guess, part.label))) for part in parts if not part.exact]
        return [Goal(part, branch, after, d) for part, after in behind]

    # ------------------------------------------------------------ the loop

    def run(self, _: ThreadMemory) -> None:
        """Search as long as there is something to search."""
        calls: dict[int, UnitCall] = {}
        try:
            while not (self.stop[0] or self.root.is_over):
                self._give(calls)
                for number, (found, nodes) in self.crew.take():
                    self.elsewhere.learn(found, nodes)
                    self.receive(calls.pop(number), found)
                self._spread()
        except BaseException:
            self.stop[0] = 1  # nobody searches any more what is waited for
            raise
        finally:
            self.elsewhere.end(self.round)
            self.total = self.root.total

    def _give(self, calls: dict[int, UnitCall]) -> None:
        if room := self.crew.room:
            units = list(islice(self._open_units(), room * self.elsewhere.units_of_call))
            calls |= self.elsewhere.put(units, self.round)
            self.elsewhere.hurry(self.round, is_idle=not units and self.crew.running < self.crew.count)

    def receive(self, call: UnitCall, found: list[UnitFound]) -> None:
        """Take over what the units of a call have found; those that it did not come to are given out again."""
        searched = {each.number: each for each in found}
        for unit in call.units:
            goal, share = self._claims.pop(unit.number)
            if share is None:
                goal.is_claimed = False
            else:
                share.is_claimed = False
            if unit.number in searched:
                self._take(goal, share, searched[unit.number])

    def _take(self, goal: Goal, share: Share | None, found: UnitFound) -> None:
        """Take over what came of a unit."""
        if found.ending == "deep":
            self.stop[0] = DEEP
        elif found.ending == "other":  # the guesses come in another order there: one worker has them all
            goal.listing, goal.shares, goal.is_whole = None, None, True
        elif found.ending == "long":
            self._cut(goal, share)
        elif found.ending == "done":
            tree = None if found.rows is None else from_rows(found.rows)
            strategy = None if tree is None else self._checked(found.bound, tree)
            if share is not None:
                share.bound = max(share.bound, found.bound)
            if found.is_whole:
                goal.bound = max(goal.bound, found.bound)
            goal.learn(strategy)

    def _checked(self, value: int, tree: Node) -> tuple[int, Node]:
        if (total := self.worth(tree)) != value:
            raise AssertionError(f"a strategy for a part has {total} where {value} was found")
        return value, tree

    def _spread(self) -> None:
        """Tell the workers of lower targets, now and then."""
        if monotonic() < self._told_at + TOLD:
            return
        self._told_at = monotonic()
        for goal in {goal for goal, share in self._claims.values() if share is not None and goal.slot}:
            target = goal.target
            if target < self._told[goal.slot]:
                self._told[goal.slot] = target
                self.crew.tell(goal.slot, self.round, target)

    # ------------------------------------------------------------ what comes next

    def _open_units(self) -> Iterator[Unit]:
        """Units that nobody searches, the most useful first; they are claimed as they are given."""
        waiting = [self.root]
        while waiting:
            branch = waiting.pop(0)
            for goal in branch.in_order():
                if len(goal.part.codes) > ALONE and goal.shares is None and not goal.is_whole:
                    self._list(goal)
                if goal.shares is None:
                    if not goal.is_claimed and goal.part.low < goal.target:
                        yield self._claim(goal, None)
                    continue
                for share in list(goal.open_shares()):
                    yield self._claim(goal, share)
                for branch in [share.branch for share in goal.shares if share.branch is not None]:
                    if branch.is_over:  # what was found elsewhere may have refuted it
                        branch.changed(branch)
                    else:
                        waiting.append(branch)

    def _claim(self, goal: Goal, share: Share | None) -> Unit:
        number = next(self._units)
        self._claims[number] = goal, share
        what = (goal.slot, goal.history, goal.d, goal.part.low, goal.target)
        if share is None:
            goal.is_claimed = True
            return Unit(number, id(goal.branch), *what, is_whole=goal.is_whole)
        share.is_claimed = True
        self._told.setdefault(goal.slot, goal.target)
        return Unit(number, id(goal.branch), *what, share.first, share.end, goal.order)

    def _list(self, goal: Goal) -> None:
        here = self.elsewhere.standpoint
        goal.list(*here.listed_with_order(here.stand_behind(goal.history), goal.d))

    # ------------------------------------------------------------ cutting what takes long

    def _cut(self, goal: Goal, share: Share | None) -> None:
        """Cut what a worker gave up: a set by its guesses, a share in two, a single guess by the parts it leaves."""
        if share is None:
            if goal.shares is None and not goal.is_whole:
                self._list(goal)
        elif share.end - share.first > 1:
            assert goal.shares is not None
            at = goal.shares.index(share)
            goal.shares[at : at + 1] = share.halves()
        else:
            share.branch = self._branch(goal, share)

    def _branch(self, goal: Goal, share: Share) -> GuessBranch:
        here, codes = self.elsewhere.standpoint, goal.part.codes
        assert goal.listing is not None
        guess, after = int(goal.listing[share.first, 0]), goal.d if goal.d == UNLIMITED else goal.d - 1
        memory = here.memory
        here.stand_behind(goal.history)
        memory.stack[: len(codes)] = codes
        total = engine.open_parts(memory, len(codes), guess, goal.target, after)
        parts = opened_parts(memory, here.layout.win)

        def changed(branch: GuessBranch) -> None:
            if branch.is_over:
                share.bound = max(share.bound, branch.total)
                made = None if branch.is_refuted else self._put_together(branch, goal.history, codes, parts, after)
                goal.learn(made)

        branch = GuessBranch(guess, total, self.infinite, lambda: goal.target, changed, is_first=True)
        ordered = sorted(parts, key=lambda part: -len(part.codes))
        branch.goals = self._goals(branch, goal.history, ordered, after)
        if branch.is_over:  # the bounds of the parts, or that all are known, say enough
            changed(branch)
        return branch

    def strategy(self, start: Codes) -> Node | None:
        """The strategy that begins with the opening, once its parts are exact; None after an interruption."""
        made = self._put_together(self.root, (), start, self.parts, self.d)
        return None if made is None else made[1]

    def _put_together(
        self, branch: GuessBranch, history: History, codes: Codes, parts: list[Part], d: int
    ) -> tuple[int, Node] | None:
        """Total and strategy of a guess for a set, from those of its parts; None where it is to stop."""
        layout, guess = self.elsewhere.standpoint.layout, branch.guess
        wins = bool((layout.arrays["by_guess"][guess, codes] == layout.win).any())
        tree = Node(tuple(layout.guesses[guess].tolist()), wins)
        for part in parts:
            child = part.tree or self._grown((*history, (guess, part.label)), part, d)
            if child is None:
                return None
            tree.children[int(layout.public_labels(guess, part.label))] = child
        return self._checked(branch.total, tree)

    def _grown(self, history: History, part: Part, d: int) -> Node | None:
        """The strategy for a part that was known from the start: a small one, or one that the table has."""
        here = self.elsewhere.standpoint
        here.stand_behind(history)
        here.memory.stack[: len(part.codes)] = part.codes
        grown = engine.unfold(here.memory, len(part.codes), d, part.guess, finished=True)
        return None if here.stop[0] else strategy_nodes(here.layout, grown)  # stopped, it is any strategy

    # ------------------------------------------------------------ what the proof hears

    def _changed(self, branch: GuessBranch) -> None:
        self.total = branch.total

    def _settled(self, goal: Goal) -> None:
        self.settled.append(goal.part)
        self.tell()


def opened_parts(memory: ThreadMemory, labels: int) -> list[Part]:
    """The parts into which `engine.open_parts` cut a set, ``labels`` at most."""
    arrays, parts = memory.arrays, []
    for label in range(labels):
        size = int(arrays["count"][0, label])
        if size:
            begin = int(arrays["start"][0, label])
            codes = memory.stack[begin : begin + size].copy()
            exact = bool(arrays["state"][0, label] == EXACT)
            parts.append(Part(label, codes, int(arrays["hashes"][0, label]), int(arrays["low"][0, label]), exact))
    return parts
