"""How long calls on a cluster should take, and when one is taken for lost: from what the first ones took."""

from __future__ import annotations

from time import monotonic

LEAST, MOST = 1.0, 60.0
"""Seconds that a call is to take, at least and at most."""

HANDLED = 0.006
"""Seconds of a processor that client and scheduler need for a call: 4 to 8 ms where both are one process."""

SHARE = 0.1
"""Of its time the client may be busy with calls: that many workers need calls so long."""

ROUNDS = 4
"""While so many rounds of calls are left they are as long as may be; then shorter, so that all workers end at once."""

BEGUN_WITH, MOST_THINGS = 500, 100_000
"""Things in a call before anything is known of them, and at most: what is left of it travels back, 8 bytes a game."""

PATIENCE, AT_LEAST = 6.0, 30.0
"""A call is given to another worker once it has taken so many times the longest so far, and so many seconds."""

UNKNOWN = 180.0
"""And so many seconds as long as no call has ended: kernels may be compiled first."""


SEARCHED = 0.25
"""Seconds of a call of a search at least: what one call finds out spares others work, once it is there.

With calls of a second two workers try 25 % more guesses for 5x6 than two processes with calls of 0.2 seconds.
"""


def least_seconds(workers: int, least: float = LEAST) -> float:
    """How long calls have to be for one client to keep so many workers busy.

    >>> [round(least_seconds(workers), 1) for workers in (2, 100, 2000)]
    [1.0, 6.0, 60.0]
    """
    return min(MOST, max(least, workers * HANDLED / SHARE))


class Pace:
    """What is known of the calls of one run: how many things a second a worker does, and how long calls took."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.things = self.busy = self.longest = 0.0

    def note(self, things: int, seconds: float) -> None:
        """Learn from a call that did so many things in so many seconds."""
        self.things, self.busy = self.things + things, self.busy + seconds
        self.longest = max(self.longest, seconds)

    def seconds(self, workers: int, things: int) -> float:
        """How long a call is to take where so many things are left: a guided schedule (Polychronopoulos, Kuck 1987).

        >>> pace = Pace()
        >>> pace.seconds(2, 10**6), pace.seconds(1000, 10**6)
        (1.0, 60.0)
        >>> pace.note(1000, 10.0)
        >>> pace.seconds(1000, 10**7), pace.seconds(1000, 10**6), pace.seconds(100, 10**5)
        (25.0, 6.0, 2.5)
        """
        wanted = least_seconds(workers)
        if not self.things:
            return wanted
        # Shorter calls than the client can attend to would keep workers waiting for it.
        return max(LEAST, workers * HANDLED, min(wanted, self.busy / self.things * things / (ROUNDS * workers)))

    def piece(self, seconds: float) -> int:
        """How many things go into a call of so many seconds: a few more than are expected to be done."""
        if not self.busy:
            return BEGUN_WITH
        return round(min(MOST_THINGS, max(1, 1.5 * seconds * self.things / self.busy)))

    def fewest(self, workers: int) -> int:
        """How many things are one call at least, once something is known of them: half as long as calls should be."""
        least = max(LEAST, workers * HANDLED) / 2
        return max(1, round(least * self.things / self.busy)) if self.busy else 1

    def is_overdue(self, since: float) -> bool:
        """Whether a call that was given at a time of `monotonic` should have ended long ago."""
        patience = PATIENCE * max(self.longest, LEAST) if self.longest else UNKNOWN
        return monotonic() - since > max(AT_LEAST, patience)
