"""What worker processes tell the server while they work: what kernels are doing, and when the compiler was at work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from math import inf
from multiprocessing.context import BaseContext
from time import monotonic
from typing import Literal, TypeAlias, get_args

from entropeg.compiling import compiler_watched
from entropeg.kernels import switch

KernelState: TypeAlias = Literal["none", "loading", "compiling", "ready", "failed"]
"""`none`: they are loaded when they are needed; `failed`: they could not be made ready for all."""

PIECES = 256
"""Pieces of work that are told apart: many more than there are at once, as one that is ended may still write."""


class Signs:
    """Numbers that all processes share.

    >>> import multiprocessing
    >>> signs = Signs(multiprocessing.get_context("spawn"))
    >>> signs.kernels = "compiling"
    >>> signs.kernels, signs.is_awaited
    ('compiling', True)
    """

    def __init__(self, context: BaseContext) -> None:
        """Nothing is known of kernels, and nothing is worked on."""
        self._states: tuple[KernelState, ...] = get_args(KernelState)
        self._numbers = context.Array("d", 1 + PIECES, lock=False)

    @property
    def kernels(self) -> KernelState:
        """What kernels are doing."""
        return self._states[int(self._numbers[0])]

    @kernels.setter
    def kernels(self, state: KernelState) -> None:
        self._numbers[0] = self._states.index(state)

    @property
    def is_awaited(self) -> bool:
        """Whether kernels will be ready soon."""
        return self.kernels in {"loading", "compiling"}

    def begin(self, piece: int) -> None:
        """Note that the compiler has not been at work yet for a piece of work."""
        self._numbers[1 + piece] = 0.0

    def compiled(self, piece: int) -> float:
        """Return the reading of `monotonic` until which a piece was compiled for: 0 not at all, inf it is now."""
        return float(self._numbers[1 + piece])

    @contextmanager
    def working(self, piece: int) -> Iterator[None]:
        """In a worker: have NumPy do the work of this block until kernels are ready, and tell of the compiler."""

        def note(moment: float) -> None:
            self._numbers[1 + piece] = moment

        is_ready = self.kernels in {"none", "ready"}
        with (
            nullcontext() if is_ready else switch.awaiting(),
            compiler_watched(lambda: note(inf), lambda: note(monotonic())),
        ):
            yield
