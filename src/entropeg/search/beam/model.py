"""Estimates of the total of a set, learned while the near-optimal search runs."""

from __future__ import annotations

import numpy as np

from entropeg.codes import Array
from entropeg.search.beam.kernels import LARGEST_SMALL, Estimates
from entropeg.search.exact.layout import expected_totals

RATIO = 1.35
"""Sizes are binned by this ratio above the small ones."""
FITTED = ("estimate", "missed", "doubt", "small", "mean", "variance")
"""The tables that are learned."""
LEAST_DOUBT = 0.05


class Model:
    """Estimates of the total of a set, refitted to the values that were found.

    Kernels read ``tables``. Sets up to ``small`` codes are told apart by their size and by the most parts
    that one of their own codes makes; larger ones by the least estimate over some of their own codes as guesses, or,
    closer, by that of the most promising guesses of all, plus what such minima were found to miss.
    """

    def __init__(self, largest: int, labels: int, memory: Array) -> None:
        """``largest``: size of the whole board; ``labels``: number of feedbacks, the winning one included."""
        n = np.arange(largest + 1, dtype=np.float64)
        curve = expected_totals(largest, labels)
        curve[1:3] = (1, 3)[: len(curve[1:3])]
        x = np.arange(LARGEST_SMALL + 1, dtype=np.float64)[:, None]
        spare = np.maximum(0, x - np.arange(65)[None, :])
        self.curve = curve
        self.first_mean = 2 * x - 1 + spare
        self.tables = Estimates(
            curve.astype(np.float32),
            np.zeros(largest + 1, np.float32),
            (0.02 * n + LEAST_DOUBT).astype(np.float32),
            np.array([LARGEST_SMALL], np.int64),
            self.first_mean.astype(np.float32),
            (0.3 + 0.05 * spare).astype(np.float32),
            memory,
        )
        self.correction = np.zeros(largest + 1)
        self.corrected_doubt = 0.01 * n + LEAST_DOUBT
        self.samples: list[tuple[int, float, float, float]] = []

    @property
    def small(self) -> int:
        """The most codes of sets that are solved exactly."""
        return int(self.tables.small[0])

    @small.setter
    def small(self, size: int) -> None:
        self.tables.small[0] = size

    def sample(self, size: int, looks: tuple[float, float], value: float) -> None:
        """Keep a value that was found, beside the quick and the close raw estimate made for it."""
        self.samples.append((size, *looks, value))

    def refit(self, learned: Array) -> None:
        """Fit the estimates to the values seen; ``learned`` as in `kernels.Scratch`, summed over threads.

        Raw estimates made before do not belong to these, so the corrections begin anew.
        """
        self._fit_small(learned)
        if self.samples:
            self._fit_large(np.array(self.samples))
        self.samples = []

    def state(self) -> dict[str, Array]:
        """The learned tables, by name."""
        learned: dict[str, Array] = {name: getattr(self.tables, name) for name in FITTED}
        return learned | {"correction": self.correction, "corrected_doubt": self.corrected_doubt}

    def restore(self, state: dict[str, Array]) -> None:
        """Take over what `state` gave; raises KeyError or ValueError where it does not fit."""
        for name in FITTED:
            getattr(self.tables, name)[:] = state[name]
        self.correction, self.corrected_doubt = state["correction"], state["corrected_doubt"]

    def correct(self) -> None:
        """Fit the errors of the raw estimates of large sets, as long as the estimates stay as they are."""
        if len(self.samples) >= 10:
            sizes, quick, close, values = np.array(self.samples).T
            self.tables.missed[:], self.tables.doubt[:] = self._missed(sizes, values - quick)
            self.correction, self.corrected_doubt = self._missed(sizes, values - close)

    def _fit_small(self, learned: Array) -> None:
        times, count, total, squares = (learned[:, :, i] for i in range(4))
        mean = (total + 4.0 * self.first_mean) / (count + 4.0)
        spread = np.where(count > 1, squares - total * total / np.maximum(count, 1), 0.0)
        variance = (spread + 4.0 * 0.5) / (count + 4.0)
        self.tables.mean[:] = mean
        self.tables.variance[:] = np.maximum(variance, LEAST_DOUBT)
        seen = times.sum(axis=1)
        for x in range(3, min(self.small + 1, len(self.curve))):
            if seen[x] >= 20:
                self.tables.estimate[x] = float((times[x] * mean[x]).sum() / seen[x])

    def _fit_large(self, samples: Array) -> None:
        sizes, _, _, values = samples.T
        edges = _bins(self.small, len(self.curve) - 1)
        centre, ratio, _ = _by_bin(sizes, values / sizes, edges)
        every = np.arange(len(self.curve), dtype=np.float64)
        if len(centre):
            # Values per code, linear in the logarithm of the size; beyond the bins as the first curve goes on.
            factor = ratio / (np.interp(centre, every, self.curve) / centre)
            log = np.log(np.maximum(every, 1))
            large = every > self.small
            fitted = np.interp(log, np.log(centre), factor) * self.curve
            self.tables.estimate[large] = fitted[large]

    def _missed(self, sizes: Array, missed: Array) -> tuple[Array, Array]:
        """(mean, variance) of what estimates missed, by size."""
        edges = _bins(self.small, len(self.curve) - 1)
        every = np.arange(len(self.curve), dtype=np.float64)
        log = np.log(np.maximum(every, 1))
        centre, share, _ = _by_bin(sizes, missed / sizes, edges)
        mean = np.interp(log, np.log(centre), share) * every
        residual = missed - np.interp(sizes, every, mean)
        _, noise, _ = _by_bin(sizes, residual**2 / sizes, edges)
        return mean, np.interp(log, np.log(centre), noise) * every + LEAST_DOUBT


def _bins(small: int, largest: int) -> Array:
    count = int(np.ceil(np.log(max(2.0, largest / small)) / np.log(RATIO))) + 1
    return small * RATIO ** np.arange(count + 1)


def _by_bin(sizes: Array, what: Array, edges: Array) -> tuple[Array, Array, Array]:
    """(mean size, mean of ``what``, number) for every bin with at least three."""
    at = np.digitize(sizes, edges)
    number = np.bincount(at, minlength=len(edges) + 1)
    some = number >= min(3, number.max())
    weight = np.maximum(number, 1)
    return (
        (np.bincount(at, sizes, len(edges) + 1) / weight)[some],
        (np.bincount(at, what, len(edges) + 1) / weight)[some],
        number[some],
    )
