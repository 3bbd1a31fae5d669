"""Answers to openings that other workers search for the near-optimal search.

A call is one answer, the task, the estimates that were learned, and the values known of the sets after that
answer; sets after different answers have no code in common, so nothing else is of use. The result is the same, and
better. A call that takes long ends with the values it has, and is put again.
"""

from __future__ import annotations

import threading
from collections import deque
from itertools import count
from time import monotonic
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import Array
from entropeg.executors import Crew
from entropeg.executors.notices import heard
from entropeg.rules import Rules
from entropeg.search.beam.board import Answer, Board
from entropeg.search.beam.known_sets import Known
from entropeg.search.beam.near import Near
from entropeg.search.beam.threads import Stopped, Subset
from entropeg.search.strategies import from_rows, to_rows

AnswerTask: TypeAlias = Literal["search", "solve"]


_rounds = count(1)


class SetsKnown(NamedTuple):
    """Values known of some sets: uint64 names, and int32[sets, 3], rows of value, guess and effort."""

    names: NDArray[np.uint64]
    rows: NDArray[np.int32]

    @classmethod
    def of(cls, known: dict[int, Known]) -> SetsKnown:
        """Write it down."""
        return cls(np.array(list(known), np.uint64), np.array(list(known.values()), np.int32).reshape(-1, 3))

    def items(self) -> list[tuple[int, Known]]:
        """Read it again."""
        return [(name, Known(*row)) for name, row in zip(self.names.tolist(), self.rows.tolist(), strict=True)]


class AnswerCall(NamedTuple):
    """An answer, by its opening and its label, the task for it, and the seconds that this may take.

    ``how``: the effort of a search, or the codes of the largest set to be solved.
    """

    rules: Rules
    session: str
    round: int
    opening: int
    label: int
    task: AnswerTask
    how: int
    seconds: float
    model: dict[str, Array]
    small: int
    known: SetsKnown


class AnswerFound(NamedTuple):
    """The result: the sets after the answer, the total and the strategy, and what was learned."""

    known: SetsKnown
    total: int
    strategy: NDArray[np.int32] | None
    samples: list[tuple[int, float, float, float]]
    learned: Array
    is_stopped: bool


# ------------------------------------------------------------ where a worker is

_lock = threading.Lock()
_kept: dict[Rules, Near] = {}


def search_answer(call: AnswerCall) -> AnswerFound | None:
    """Search one answer, where a worker is: one at a time in a process, which keeps the labels of the board.

    None where nobody waits for it any more.
    """
    with _lock:
        if heard(call.session, 0)[0] > call.round:
            return None
        near = _prepared(call)
        [answer] = [one for one in near.board.answers(call.opening) if one.label == call.label]
        is_stopped = False
        try:
            if call.task == "search":
                near.search_answers([answer], call.how)
            else:
                near.solve_sets([answer], call.how, call.seconds)
        except Stopped:
            is_stopped = True
        near.finish()
        total, node = near.known.strategies.get(answer.name, (0, None))
        rows = None if node is None else to_rows(node)
        known, learned = SetsKnown.of(near.known.of), near.threads.learned[0].copy()
        return AnswerFound(known, total, rows, near.model.samples, learned, is_stopped)


def _prepared(call: AnswerCall) -> Near:
    if call.rules not in _kept:
        _kept.clear()  # before the next one is made: labels take up to gigabytes
        _kept[call.rules] = Near(Board.of(call.rules), threads=1)
    near = _kept[call.rules]
    near.model.restore({name: array.copy() for name, array in call.model.items()})
    near.model.small, near.model.samples = call.small, []
    near.threads.learned[0][:] = 0
    near.known.of, near.known.strategies = {}, {}
    near.search.forget()
    for name, known in call.known.items():
        near.known.keep(name, known)
    near.clock.restart()
    near.clock.began, near.clock.seconds = near.clock.timer(), call.seconds
    if call.task == "search":
        near.clock.begin()
    near.progress = lambda: _look(near, call)
    return near


def _look(near: Near, call: AnswerCall) -> None:
    if heard(call.session, 0)[0] > call.round:
        near.clock.end()


# ------------------------------------------------------------ where the search is


class SharedAnswers:
    """Gives the answers that a search wants searched to a crew; the results are the search's own."""

    def __init__(self, near: Near, rules: Rules, crew: Crew) -> None:
        self.near, self.rules, self.crew = near, rules, crew
        self._names: dict[int, list[int]] = {}  # of the sets after each answer, by the name of that

    def search(self, answers: list[Answer], effort: int) -> None:
        """As of `AnswerSearchers`."""
        self._have_done(answers, "search", effort)

    def solve(self, answers: list[Answer], most: int, seconds: float) -> None:
        """As of `AnswerSearchers`."""
        wanted = [answer for answer in answers if len(answer.rows) > self.near.model.small]
        self._have_done([answer for answer in wanted if answer.name in self.near.known.of], "solve", most, seconds)

    def _have_done(self, answers: list[Answer], task: AnswerTask, how: int, most: float | None = None) -> None:
        near, crew, mine = self.near, self.crew, next(_rounds)
        end = None if most is None else monotonic() + most
        # Seconds of a call at most; twice as many whenever it is put again.
        waiting = deque((answer, 30.0) for answer in answers)
        calls = dict[int, tuple[Answer, float]]()
        try:
            while (waiting or calls) and (end is None or monotonic() < end):
                near.clock.look()
                while waiting and crew.room:
                    answer, seconds = waiting.popleft()
                    allowed = seconds if end is None else max(0.0, end - monotonic())
                    calls[crew.put(search_answer, self._call(mine, answer, task, how, allowed))] = answer, seconds
                for number, found in crew.take():
                    answer, seconds = calls.pop(number)
                    self._learn(answer, found)
                    if found is not None and found.is_stopped and end is None:
                        waiting.append((answer, 2 * seconds))
                self._tell()
        except Stopped:
            self._hurry(mine, calls)
            raise
        finally:
            crew.tell(0, next(_rounds), 0)
            crew.forget()

    def _hurry(self, mine: int, calls: dict[int, tuple[Answer, float]]) -> None:
        """Take the results that the workers have by now."""
        self.crew.tell(0, mine + 1, 0)
        # Seconds that workers have to hand back their results, before nobody waits any more.
        end = monotonic() + 2.0
        while calls and monotonic() < end:
            for number, found in self.crew.take():
                self._learn(calls.pop(number)[0], found)

    def _tell(self) -> None:
        try:
            self.near.threads.tell()
        except KeyboardInterrupt:  # of `progress`
            self.near.clock.cancel()

    def _call(self, mine: int, answer: Answer, task: AnswerTask, how: int, seconds: float) -> AnswerCall:
        near = self.near
        return AnswerCall(
            rules=self.rules,
            session=self.crew.session,
            round=mine,
            opening=answer.opening,
            label=answer.label,
            task=task,
            how=how,
            seconds=seconds,
            model=near.model.state(),
            small=near.model.small,
            known=self._known(answer),
        )

    def _known(self, answer: Answer) -> SetsKnown:
        """Values known of the sets after an answer: at first the sets in the best strategy for it."""
        near = self.near
        if answer.name not in self._names:
            names, worker = list[int](), near.threads.any_worker
            waiting: list[Subset] = [worker.subset(answer)]
            while waiting:
                subset = waiting.pop()
                if len(subset.codes) > near.model.small and (known := near.known.of.get(subset.name)) is not None:
                    names.append(subset.name)
                    waiting += worker.split(subset.codes, known.guess)
            self._names[answer.name] = names
        return SetsKnown.of({name: near.known.of[name] for name in self._names[answer.name]})

    def _learn(self, answer: Answer, found: AnswerFound | None) -> None:
        """Take over what came of an answer."""
        near = self.near
        if found is None:
            return
        near.threads.learned[0] += found.learned
        near.model.samples += found.samples
        if len(found.known.names):
            self._names[answer.name] = found.known.names.tolist()
            for name, known in found.known.items():
                near.known.keep(name, known)
        if found.strategy is not None:
            node, before = from_rows(found.strategy), near.known.strategies.get(answer.name)
            if node is not None and (before is None or found.total < before[0]):
                near.known.strategies[answer.name] = found.total, node
            near.is_hasty = False
