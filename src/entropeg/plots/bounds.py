"""Draws the figure of the dichotomy strategy: guesses against pegs, between the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from entropeg.chosen_language import translated
from entropeg.codebreakers.dichotomy import guesses_needed
from entropeg.plots.writing import BLUE, INK, QUIET, VERMILION, styled
from entropeg.rules import Rules
from entropeg.search.bounds import counting_lower, information_limit, viaud_upper
from entropeg.told import Told, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZES = (4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""Numbers of pegs that the figure shows unless told otherwise."""


@dataclass(frozen=True)
class GuessSample:
    """Guesses that `dichotomy` needed on one board, one number a random secret."""

    pegs: int
    colors: int
    guesses: tuple[int, ...]


def sample_guesses(ratio: float, sizes: Sequence[int] = SIZES, *, games: int = 20, seed: int = 0) -> list[GuessSample]:
    """Play random secrets on boards of `ratio` colors per peg; all sizes to 1024 with 20 games take about 30 s.

    >>> sample_guesses(1.0, (4,), games=3)[0].colors
    4
    """
    rng = np.random.default_rng(seed)
    return [_sample(pegs, max(1, round(ratio * pegs)), games, rng) for pegs in sizes]


def samples_of(sizes: Sequence[int], *, games: int = 20, seed: int = 0) -> dict[str, list[GuessSample]]:
    """Play the boards of all three shapes, as `bounds_figure` takes them."""
    ratios = {"m = n": 1.0, "m = n/4": 0.25, "m = 4n": 4.0}  # colors per peg
    return {title: sample_guesses(ratio, sizes, games=games, seed=seed) for title, ratio in ratios.items()}


def _sample(pegs: int, colors: int, games: int, rng: np.random.Generator) -> GuessSample:
    secrets = rng.integers(colors, size=(games, pegs))
    return GuessSample(pegs, colors, tuple(guesses_needed(secret, colors) for secret in secrets))


def bounds_figure(samples: dict[str, list[GuessSample]] | None = None) -> Figure:
    """Draw guesses against pegs for each shape of board: measured means, both bounds, and the information limit.

    `samples` maps a title to the samples of one panel; left out they are played (about a minute and a half). Raises
    MissingExtraError without matplotlib.
    """
    if samples is None:
        samples = samples_of(SIZES)
    with styled():
        from entropeg.plots.canvas import ShownFigure

        figure = ShownFigure(figsize=(4.2 * len(samples), 4.2), layout="constrained")
        panels = figure.subplots(1, len(samples), sharey=True, squeeze=False)[0]
        for panel, (title, played) in zip(panels, samples.items(), strict=True):
            _draw(panel, title, played)
        panels[0].set_ylabel(translated(word("axis", "guesses")))
        panels[0].legend(loc="upper left", fontsize="small")
    return figure


def _draw(panel: Axes, title: str, samples: list[GuessSample]) -> None:
    pegs = [sample.pegs for sample in samples]
    boards = [(sample.pegs, sample.colors) for sample in samples]
    rules = [Rules(*board) for board in boards]
    proven = [viaud_upper(*board) for board in boards]
    worst, mean = ([of(sample.guesses) for sample in samples] for of in (np.max, np.mean))
    counting, limit = ([of(board) for board in rules] for of in (counting_lower, information_limit))
    for values, line, color, label in (
        (proven, "--", VERMILION, Told("proven for dichotomy")),
        (worst, "^", BLUE, Told("dichotomy, worst seen")),
        (mean, "o-", BLUE, Told("dichotomy, mean")),
        (counting, ":", INK, Told("every strategy: counting")),
        (limit, "-", QUIET, Told("information limit")),
    ):
        panel.plot(pegs, values, line, color=color, label=translated(label))
    panel.set_title(title, loc="center")
    panel.set(xlabel=translated(Told("pegs n")), xscale="log", yscale="log")
