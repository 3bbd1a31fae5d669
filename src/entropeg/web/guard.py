"""Guards the server: who may ask, how much a request may hold, and how often heavy work may be asked for."""

from __future__ import annotations

from collections import deque
from time import monotonic

from fastapi import Request

from entropeg.web.errors import RefusedError

MINUTE = 60.0
MOST_ADDRESSES = 10_000
"""Addresses whose work is remembered; beyond, those that asked longest ago are forgotten."""


class Gauge:
    """Counts the pieces of heavy work that each address has begun in the last minute."""

    def __init__(self, a_minute: int) -> None:
        """Allow so many a minute; 0 for any number."""
        self._most = a_minute
        self._begun: dict[str, deque[float]] = {}

    def count(self, request: Request) -> None:
        """Note one more; raises RefusedError (429) where there are too many."""
        if not self._most:
            return
        now, address = monotonic(), request.client.host if request.client else ""
        begun = self._begun.pop(address, deque())
        self._begun[address] = begun
        while begun and begun[0] < now - MINUTE:
            begun.popleft()
        if len(begun) >= self._most:
            seconds = int(begun[0] + MINUTE - now) + 1
            raise RefusedError(
                f"this server does {self._most} pieces of heavy work a minute for each address: ask again in "
                f"{seconds} seconds",
                status=429,
            )
        begun.append(now)
        while len(self._begun) > MOST_ADDRESSES:
            del self._begun[next(iter(self._begun))]
