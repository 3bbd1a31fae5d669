"""Combines the questions of many windows into guesses, as Cantor & Mills and Lindström do.

Two questions A and B and a zero-one question x are answered by two guesses, A + B and A - B + x: their sum is
even or odd with x. Doubled r times, 2^r guesses answer 2^r questions and r·2^(r-1) zero-one questions. Minus a
question is its mirror image, the halves of its intervals exchanged. Sources: Cantor & Mills 1966, Lindström 1964.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from entropeg.codebreakers.linear.intervals import Interval
from entropeg.codebreakers.linear.windows import STATES, Question, Window
from entropeg.errors import ContradictionError
from entropeg.feedback import Feedback
from entropeg.search.subset import Array, Questions, between

Slot: TypeAlias = tuple[int, int, int]
"""Where a zero-one question rides: how many doublings lie above it, on which path, and at which guess below."""

Rider: TypeAlias = tuple[Interval, int]
"""A zero-one question: an interval and a color that one peg of it has: is that peg in the left half?"""


def unmix(
    sums: list[int], riders: Mapping[Slot, object], bits: dict[Slot, int], depth: int = 0, path: int = 0
) -> list[int]:
    """Return the questions' answers from the guesses' signed sums; those of the riders go into `bits`.

    Raises ContradictionError where a sum is odd though nothing rides there.

    >>> bits = {}
    >>> unmix([5 + 3, 5 - 3 + 1], {(0, 0, 0): None}, bits), bits
    ([5, 3], {(0, 0, 0): 1})
    """
    if len(sums) == 1:
        return sums
    half = len(sums) // 2
    first, second = [], []
    for low, (plus, minus) in enumerate(zip(sums[:half], sums[half:], strict=True)):
        bit = (plus + minus) & 1
        slot = (depth, path, low)
        if slot in riders:
            bits[slot] = bit
        elif bit:
            raise ContradictionError("it differs by an odd number from what the turns before it allow")
        first.append((plus + minus - bit) // 2)
        second.append((plus - minus + bit) // 2)
    return unmix(first, riders, bits, depth + 1, 2 * path) + unmix(second, riders, bits, depth + 1, 2 * path + 1)


def sign(question: int, guess: int) -> bool:
    """Whether a question stands in a guess with a minus."""
    return bool((question & guess).bit_count() & 1)


class Rounds:
    """The intervals of a board, those that windows hold and those that wait."""

    def __init__(
        self,
        intervals: Sequence[Interval],
        multiplicity: Array | None = None,
        tell: Callable[[Interval], None] | None = None,
    ) -> None:
        self.pegs = intervals[-1].stop
        self.multiplicity = multiplicity
        """How often each symbol occurs, where feedback has whites: they tell nothing new, and have to be right."""
        self.code: Array = np.full(self.pegs, -1)
        self._quiet, self._constant = self.code.copy(), 0
        """A code about which nothing is open, as far as the pegs are known, and its black pegs."""
        self.idle: list[Interval] = []
        self.windows: list[Window] = []
        self._made = 0
        self._tell = tell
        """Settles an interval by facts from elsewhere."""
        self._place(intervals)

    def _place(self, intervals: Sequence[Interval]) -> None:
        # Intervals without anything open give way to their halves; those of one color are done.
        waiting = list(intervals)
        while waiting:
            interval = waiting.pop()
            if self._tell is not None:
                self._tell(interval)
            if interval.solid is not None:
                self.code[interval.start : interval.stop] = interval.solid
                color, count = interval.blank
                self._quiet[interval.start : interval.stop] = color
                self._constant += count
            elif interval.open:
                self.idle.append(interval)
            else:
                waiting += interval.halves()

    @property
    def is_done(self) -> bool:
        """Whether every peg is known."""
        return not self.idle and not self.windows

    def intervals(self) -> Iterator[Interval]:
        """Every interval that is not settled."""
        yield from self.idle
        for window in self.windows:
            yield from window.intervals

    def still_needed(self) -> int:
        """Return the guesses that are enough from here, asked one by one."""
        return sum(interval.still_needed() for interval in self.intervals())

    def find(self, allowed: int) -> Questions[Array]:
        """Ask until the code is known, in at most `allowed` guesses; that must be `still_needed` at least."""
        while not self.is_done:
            spare = allowed - self.still_needed()
            if spare <= 0:
                return (yield from self._one_by_one())
            windows = self._prepare(spare)
            if windows:
                yield from self._round(windows)
            allowed -= len(windows)
            self._collect()
        return self.code

    def _place_settled(self) -> None:
        settled = [interval for interval in self.idle if not interval.open]
        self.idle = [interval for interval in self.idle if interval.open]
        self._place(settled)

    def _prepare(self, spare: int) -> list[Window]:
        """Fill the windows and return those that ask in the next round: a power of two, at most `spare`; or none.

        None ask where all that they were to hold is settled already.
        """
        for window in self.windows:
            self.idle += window.take_unheld()
        self.idle.sort(key=lambda interval: (interval.stop - interval.start, interval.open, -interval.start))
        number = sum(1 for _ in self.intervals())
        wanted = 1
        # Windows are doubled once each has 16 intervals to ask about: half the bits of a question are lost or won by
        # as much as one doubling, either way. Measured on 256x256 and 1000x1000 (docs/lookup/measurements-large.md).
        while number >= (16 + 1) * 2 * wanted:
            wanted *= 2
        most = max(16, number // wanted - 1) if wanted > 1 else number
        while len(self.windows) < wanted:
            self._made += 1
            self.windows.append(Window(self._made))
        # Windows share 65,536 states, and each may have `STATES`.
        limit = max(STATES, (1 << 16) // wanted)
        for window in self.windows:
            window.limit = limit
        riding = self._reserve(wanted - 1)
        for window in self.windows:
            window.fill(self.idle, most)
        self.idle += riding
        self._collect()
        self._join(wanted)
        use = 1
        while 2 * use <= min(len(self.windows), spare):
            use *= 2
        self.windows.sort(key=lambda window: -window.states)
        return self.windows[:use]

    def _reserve(self, number: int) -> list[Interval]:
        """Take the largest intervals from the idle ones, up to a number, that can carry riders; windows get the others.

        Of r doublings each needs as many intervals as there are paths to it: 2^r - 1 in all.
        """
        riding: list[Interval] = []
        others: list[Interval] = []
        while self.idle and len(riding) < number:
            interval = self.idle.pop()
            (riding if _zero_one(interval) else others).append(interval)
        self.idle += reversed(others)
        return riding

    def _join(self, wanted: int) -> None:
        # Small windows are joined until they are a power of two.
        self.windows.sort(key=lambda window: -window.states)
        while len(self.windows) > wanted and self.windows[-2].can_join(self.windows[-1]):
            last = self.windows.pop()
            self.windows[-1].join(last)
            self.windows.sort(key=lambda window: -window.states)

    def _collect(self) -> None:
        for window in self.windows:
            for interval in window.take_finished():
                self._place([interval])
        self.windows = [window for window in self.windows if not window.is_done]

    def _round(self, windows: list[Window]) -> Questions[None]:
        questions = [window.ask() for window in windows]
        riders = self._riders(len(windows))
        painter = _Painter(self, questions, riders)
        sums = []
        for guess in range(len(windows)):
            code, constant = painter.code(guess)
            sums.append((yield from self._black(code)) - constant)
        bits: dict[Slot, int] = {}
        told = unmix(sums, riders, bits)
        for slot, (interval, color) in riders.items():
            if color in interval.fresh:
                interval.settle(color, bits[slot])
            elif interval.left[color] != bits[slot]:
                raise ContradictionError("it puts a color into the wrong half")
        for window, question, answer in zip(windows, questions, told, strict=True):
            window.learn(question, answer)
        self._place_settled()

    def _riders(self, guesses: int) -> dict[Slot, Rider]:
        # An idle interval serves one slot after the other, but one guess at a time: it stays with one depth and path.
        # The first path has the most slots, and gets the interval of which the most can be asked.
        ready = [(interval, colors) for interval in self.idle if (colors := _zero_one(interval))]
        ready.sort(key=lambda one: len(one[1]))
        riders: dict[Slot, Rider] = {}
        depth, half = 0, guesses // 2
        while half:
            for path in range(1 << depth):
                low = 0
                while low < half and ready:
                    interval, colors = ready.pop()
                    for color in colors[: half - low]:
                        riders[depth, path, low] = interval, color
                        low += 1
            depth, half = depth + 1, half // 2
        return riders

    def _one_by_one(self) -> Questions[Array]:
        self.idle = list(self.intervals())
        self.windows = []
        for interval in self.idle:
            interval.release()
        while self.idle:
            interval = self.idle[-1]
            if interval.open:
                yield from self._ask_alone(interval)
            self.idle.pop()
            self._place([interval])
        return self.code

    def _ask_alone(self, interval: Interval) -> Questions[None]:
        interval.refer()
        while interval.open:
            color = next(reversed(interval.fresh))
            assert interval.filler is not None
            filler, _, right = interval.filler
            told = yield from self._ask_pair(interval, color, filler)
            interval.settle(color, told - right)

    def _ask_pair(self, interval: Interval, left: int, right: int) -> Generator[Array, Feedback, int]:
        code, constant = self.canvas()
        code[interval.start : interval.middle] = left
        code[interval.middle : interval.stop] = right
        black = yield from self._black(code)
        return black - constant + interval.blank[1]

    def _black(self, code: Array) -> Generator[Array, Feedback, int]:
        black, white = yield code
        if self.multiplicity is not None:
            common = int(np.minimum(np.bincount(code, minlength=self.multiplicity.size), self.multiplicity).sum())
            between(common, black + white, common)
        return black

    def canvas(self) -> tuple[Array, int]:
        """Return a code about which nothing is open, and its black pegs."""
        code, constant = self._quiet.copy(), self._constant
        for interval in self.intervals():
            color, count = interval.blank
            code[interval.start : interval.stop] = color
            constant += count
        return code, constant


def _zero_one(interval: Interval) -> list[int]:
    """Return the colors of an idle interval that can ride: the last one, if it follows from the others, cannot."""
    if interval.filler is None or interval.reference is not None:
        return []
    single = [color for color in reversed(interval.fresh) if interval.counts[color] == 1]
    return single[:-1] if len(single) == interval.open else single


class _Painter:
    """The codes of one round: each question as it is and mirrored, and the riders on top."""

    def __init__(self, rounds: Rounds, questions: list[Question], riders: dict[Slot, Rider]) -> None:
        self._questions, self._riders = questions, riders
        self._depths = len(questions).bit_length() - 1
        self._plain, self._constant = rounds.canvas()
        self._mirrored = self._plain.copy()
        self._owner = np.full(rounds.pegs, len(questions))
        self._fillers: list[tuple[int, int]] = []
        for number, question in enumerate(questions):
            self._fillers.append(self._paint(number, question))

    def _paint(self, number: int, question: Question) -> tuple[int, int]:
        plain = mirrored = 0
        for interval, left, right in question.pairs:
            self._owner[interval.start : interval.stop] = number
            assert interval.filler is not None
            filler, known_left, known_right = interval.filler
            first, second = filler if left is None else left, filler if right is None else right
            for canvas, (one, other) in ((self._plain, (first, second)), (self._mirrored, (second, first))):
                canvas[interval.start : interval.middle] = one
                canvas[interval.middle : interval.stop] = other
            self._constant -= interval.blank[1]
            plain += (left is None) * known_left + (right is None) * known_right
            mirrored += (right is None) * known_left + (left is None) * known_right
        return plain, mirrored + question.total

    def code(self, guess: int) -> tuple[Array, int]:
        """Return the code of a guess, and the part of its black pegs that is known beforehand."""
        minus = [sign(number, guess) for number in range(len(self._questions))]
        code = np.where(np.array([*minus, False])[self._owner], self._mirrored, self._plain)
        constant = self._constant + sum(known[minus[number]] for number, known in enumerate(self._fillers))
        for depth in range(self._depths):
            below = self._depths - depth - 1
            if guess >> below & 1:
                for path in range(1 << depth):
                    rider = self._riders.get((depth, path, guess & ((1 << below) - 1)))
                    if rider is not None:
                        constant += _paint_rider(code, rider, minus=sign(path, guess >> (below + 1)))
        return code, constant


def _paint_rider(code: Array, rider: Rider, *, minus: bool) -> int:
    interval, color = rider
    assert interval.filler is not None
    filler, left, right = interval.filler
    first, second = (filler, color) if minus else (color, filler)
    code[interval.start : interval.middle] = first
    code[interval.middle : interval.stop] = second
    return (left + 1 if minus else right) - interval.blank[1]
