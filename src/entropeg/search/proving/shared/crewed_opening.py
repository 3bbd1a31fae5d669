"""The parts that an opening leaves, searched by the workers of an executor: see `goals` and `units`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from time import monotonic

from entropeg.executors import Crew
from entropeg.executors.notices import SLOTS
from entropeg.search.exact import engine
from entropeg.search.exact.fields import DEEP, UNLIMITED
from entropeg.search.exact.layout import ThreadMemory
from entropeg.search.proving.opening import ALONE, OpeningSearch, Part, opened_parts
from entropeg.search.proving.shared.goals import Goal, GuessBranch, Share
from entropeg.search.proving.shared.units import (
    FIRST_GOAL,
    HURRY,
    ROUND,
    Codes,
    History,
    Searcher,
    SharedBoard,
    Unit,
    UnitCall,
    UnitFound,
    search_units,
    strategy_nodes,
)
from entropeg.search.strategies import Node, from_rows

SHORTEST = 10
"""Where units are few, calls are shorter, by this factor at most."""

_rounds = count(1)


@dataclass
class BoardCrew:
    """Workers that search a board, round after round, the board as they need it, and this process's own view.

    A round is the work that all of them do at a time: its number, and the calls that are under way.
    """

    crew: Crew
    board: SharedBoard
    searcher: Searcher
    nodes: int = 0
    """Guesses that the workers have tried."""
    seconds: float = 0.05
    """Seconds that a unit is expected to take."""
    round: int = 0
    calls: dict[int, UnitCall] = field(default_factory=dict)
    is_hurried: bool = False

    def begin(self) -> None:
        """Begin another round."""
        self.round = next(_rounds)

    def exchange(self, units: Iterable[Unit]) -> Iterator[tuple[UnitCall, list[UnitFound]]]:
        """Give out as many units as there is room for, and take what came of calls."""
        if room := self.crew.room:
            most = max(1, min(200, round(self.crew.least / self.seconds)))  # they take as long as a call should
            some = list(islice(units, room * most))
            each = max(1, -(-len(some) // room), most // SHORTEST)
            for at in range(0, len(some), each):
                session, least = self.crew.session, self.crew.least
                call = UnitCall(self.board, session, self.round, least, tuple(some[at : at + each]))
                self.calls[self.crew.put(search_units, call)] = call
            self._hurry(is_idle=not some and self.crew.running < self.crew.count)
        for number, (found, nodes) in self.crew.take():
            self._learn(found, nodes)
            yield self.calls.pop(number), found

    def _learn(self, found: Sequence[UnitFound], nodes: int) -> None:
        """Count the guesses of a call, and learn how long units take."""
        self.nodes += nodes
        if seconds := [each.seconds for each in found if each.ending == "done"]:
            mean = max(sum(seconds) / len(seconds), 1e-4)
            self.seconds += 0.2 * (mean - self.seconds)

    def _hurry(self, *, is_idle: bool) -> None:
        """Let the workers know whether others wait for them."""
        if is_idle != self.is_hurried:
            self.is_hurried = is_idle
            self.crew.tell(HURRY, next(_rounds), self.round if is_idle else 0)

    def end(self) -> None:
        """Let go of all calls of the round."""
        self.is_hurried = False
        self.calls.clear()
        self.crew.forget()
        self.crew.tell(ROUND, self.round + 1, 0)


@dataclass
class CrewedOpening(OpeningSearch):
    """An opening whose parts workers search, as a `ThreadedOpening` lets threads do it; this side of it is one thread.

    Calls have as many units as take the time that the crew asks for. Where workers have nothing to do, whatever takes
    long is cut: a share of many guesses in two, one of a single guess by the parts that it leaves.
    """

    workers: BoardCrew
    worth: Callable[[Node], int]

    def __post_init__(self) -> None:
        """Begin with nothing known of the parts but their bounds."""
        super().__post_init__()
        self.workers.begin()
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
        try:
            while not (self.stop[0] or self.root.is_over):
                for call, found in self.workers.exchange(self._open_units()):
                    self.receive(call, found)
                self._spread()
        except BaseException:
            self.stop[0] = 1  # nobody searches any more for the units that are waited for
            raise
        finally:
            self.workers.end()
            self.total = self.root.total

    def receive(self, call: UnitCall, found: list[UnitFound]) -> None:
        """Take over the results of a call; units that it did not come to are given out again."""
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
        if monotonic() < self._told_at + 0.5:
            return
        self._told_at = monotonic()
        for goal in {goal for goal, share in self._claims.values() if share is not None and goal.slot}:
            target = goal.target
            if target < self._told[goal.slot]:
                self._told[goal.slot] = target
                self.workers.crew.tell(goal.slot, self.workers.round, target)

    # ------------------------------------------------------------ the next units

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
                    if branch.is_over:  # results of the meantime may have refuted it
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
        here = self.workers.searcher
        goal.list(*here.listed_with_order(here.stand_behind(goal.history), goal.d))

    # ------------------------------------------------------------ cutting what takes long

    def _cut(self, goal: Goal, share: Share | None) -> None:
        """Cut a unit that a worker gave up: a set by its guesses, a share in two, a single guess by its parts."""
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
        here, codes = self.workers.searcher, goal.part.codes
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
        layout, guess = self.workers.searcher.layout, branch.guess
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
        here = self.workers.searcher
        here.stand_behind(history)
        here.memory.stack[: len(part.codes)] = part.codes
        grown = engine.unfold(here.memory, len(part.codes), d, part.guess, finished=True)
        return None if here.stop[0] else strategy_nodes(here.layout, grown)  # stopped, it is any strategy

    # ------------------------------------------------------------ news for the proof

    def _changed(self, branch: GuessBranch) -> None:
        self.total = branch.total

    def _settled(self, goal: Goal) -> None:
        self.settled.append((self.guess, goal.part))
        self.tell()
