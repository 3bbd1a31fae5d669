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
        >>> pace.seconds(1000, 10**6)
        2.5
        """
        wanted = min(MOST, max(LEAST, workers * HANDLED / SHARE))
        if not self.things:
            return wanted
        return max(LEAST, min(wanted, self.busy / self.things * things / (ROUNDS * workers)))

    def piece(self, seconds: float) -> int:
        """How many things go into a call of so many seconds: a few more than are expected to be done."""
        if not self.busy:
            return BEGUN_WITH
        return round(min(MOST_THINGS, max(1, 1.5 * seconds * self.things / self.busy)))

    def is_overdue(self, since: float) -> bool:
        """Whether a call that was given at a time of `monotonic` should have ended long ago."""
        patience = PATIENCE * max(self.longest, LEAST) if self.longest else UNKNOWN
        return monotonic() - since > max(AT_LEAST, patience)
