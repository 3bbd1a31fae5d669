"""Paces calls on a cluster: how long they should take, and when one is taken for lost, by those before it."""

from __future__ import annotations

from time import monotonic

LEAST = 1.0
"""Seconds that a call is to take at least."""

HANDLED = 0.006
"""Seconds of a processor that client and scheduler need for a call: 4 to 8 ms where both are one process."""


MOST_THINGS = 100_000
"""Things in any call at most: its rest travels back, 8 bytes a game."""

PATIENCE, AT_LEAST = 6.0, 30.0
"""A call goes to another worker once it has taken PATIENCE times the longest so far, and AT_LEAST seconds."""


SEARCHED = 0.25
"""Seconds of a call of a search at least: the bounds of one call spare others work, once they are there.

With calls of a second two workers try 25 % more guesses for 5x6 than two processes with calls of 0.2 seconds.
"""


def least_seconds(workers: int, least: float = LEAST) -> float:
    """Return how long calls have to be for one client to keep a number of workers busy.

    >>> [round(least_seconds(workers), 1) for workers in (2, 100, 2000)]
    [1.0, 6.0, 60.0]
    """
    # The client may be busy with calls for a tenth of its time: more workers need longer calls.
    return min(60.0, max(least, workers * HANDLED / 0.1))


class Pace:
    """The pace of the calls of one run: how many things a second a worker does, and how long calls took."""

    def __init__(self) -> None:
        self.things = self.busy = self.longest = 0.0

    def note(self, things: int, seconds: float) -> None:
        """Learn from a call how many things it did in how many seconds."""
        self.things, self.busy = self.things + things, self.busy + seconds
        self.longest = max(self.longest, seconds)

    def seconds(self, workers: int, things: int) -> float:
        """Return how long a call is to take by the things left: a guided schedule (Polychronopoulos, Kuck 1987).

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
        # Calls are as long as allowed for all but the last four rounds; then shorter: all workers end at once.
        return max(LEAST, workers * HANDLED, min(wanted, self.busy / self.things * things / (4 * workers)))

    def piece(self, seconds: float) -> int:
        """Return how many things go into a call of some seconds: a few more than are expected to be done."""
        if not self.busy:
            return 500
        return round(min(MOST_THINGS, max(1, 1.5 * seconds * self.things / self.busy)))

    def fewest(self, workers: int) -> int:
        """How many things are one call at least, once something is known of them: half as long as calls should be."""
        least = max(LEAST, workers * HANDLED) / 2
        return max(1, round(least * self.things / self.busy)) if self.busy else 1

    def is_overdue(self, since: float) -> bool:
        """Whether a call that was given at a time of `monotonic` should have ended long ago."""
        # Before any call has ended, kernels may still be compiled: three minutes are allowed.
        patience = PATIENCE * max(self.longest, LEAST) if self.longest else 180.0
        return monotonic() - since > max(AT_LEAST, patience)
