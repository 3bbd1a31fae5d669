"""Draws runs and bounds by matplotlib: histograms of guesses, codemakers compared, run times, and their files.

Every function returns a matplotlib `Figure` that belongs to nobody else, and that a notebook draws: no pyplot state is
read or changed. `svg` and `png` turn a figure into the bytes of a file that are the same on every call: no date, no
random identifier. The colors are those of Okabe and Ito (2008), told apart by color-blind readers; whatever a color
says, a hatch or a line style says too.

Needs matplotlib, the extra `figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil, sqrt
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from entropeg import arguments
from entropeg.chosen_language import translated
from entropeg.durations import duration
from entropeg.errors import InputError
from entropeg.experiments.confidence import likely_counts
from entropeg.experiments.results import Run
from entropeg.files import FIGURE, check_target, is_standard, shown, write_whole
from entropeg.plots.writing import BAND, BLUE, INK, PAPER, QUIET, VERMILION, pdf, png, require, styled, svg
from entropeg.told import Joined, Told, plural, word

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from entropeg.experiments.laws import Law

__all__ = [
    "BAND",
    "BLUE",
    "INK",
    "PAPER",
    "QUIET",
    "VERMILION",
    "check_figure",
    "compared",
    "draw",
    "expected_shares",
    "fitted",
    "gap_to_law",
    "number",
    "pair_label",
    "pdf",
    "png",
    "require",
    "rows",
    "save",
    "svg",
    "times",
    "turns",
]


FEW = 30
"""Up to this many guesses every number has a bar of its own; beyond, bars gather equal ranges."""

ENDINGS = (".svg", ".png", ".pdf")
"""Endings of files for figures, each of which names a format."""


def draw(runs: Run | Sequence[Run], *, title: str = "") -> Figure:
    """Draw any number of runs in one figure: one as `turns` does, two as `compared`, more as `rows`.

    Raises InputError where a run has no won game or there is none at all, MissingExtraError without matplotlib.
    """
    listed = list(runs) if isinstance(runs, Sequence) else [runs]
    for run in listed:
        arguments.instance(run, Run, "the run", "as arena returns them in a list")
    if not listed:
        raise InputError("there is no run to draw")
    if len(listed) == 1:
        return turns(listed[0], title=title)
    return compared(listed, title=title) if len(listed) == 2 else rows(listed, title=title)


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as the ending of the file says, .svg, .png or .pdf; as SVG to standard output, `-`.

    Raises InputError for another ending, and where it cannot be written or there is a file of another kind.
    """
    if not hasattr(figure, "savefig"):
        raise InputError("{figure!r} is no figure: give one that draw returned", figure)
    path = check_figure(path)
    write = svg if is_standard(path) else {".svg": svg, ".png": png, ".pdf": pdf}[path.suffix.lower()]
    write_whole(path, write(figure), FIGURE)


def check_figure(path: str | Path) -> Path:
    """Return the name of a file for a figure; raises InputError where none can be written there, before long work.

    >>> check_figure("histogram.jpg")
    Traceback (most recent call last):
    ...
    entropeg.errors.InputError: histogram.jpg does not say the format of a figure: end it in .svg, .png, .pdf
    """
    path = arguments.file(path, "the figure")
    if path.suffix.lower() not in ENDINGS and not is_standard(path):
        raise InputError("{file} does not say the format of a figure: end it in {endings:list}", shown(path), ENDINGS)
    check_target(path, FIGURE)
    return path


def turns(run: Run, *, law: Law | None = None, title: str = "") -> Figure:
    """Draw the histogram of the guesses that the won games of a run took, the mean marked.

    With a law, the number of games that it expects is drawn over each bar, and a band in which at least 95 of 100 bars
    should end. Raises InputError where no game was won, MissingExtraError without matplotlib.
    """
    guesses = _won(run)
    edges = _edges(guesses, law)
    counts = np.histogram(guesses, edges)[0]
    with _canvas(title or _who(" ", fitted(run.codebreaker), fitted(run.codemaker), str(run.rules))) as (figure, axes):
        mean = float(guesses.mean())
        _bars(axes, edges, counts, Told("played: {games}, mean {mean} (▾)", _games(run), number(mean)))
        _mark_mean(axes, mean, INK)
        if law is not None:
            _draw_law(axes, law, edges, len(guesses))
        _axes_of_turns(axes, edges, word("axis", "secrets") if run.plan == "all-secrets" else word("axis", "games"))
        _legend(axes)
    return figure


def compared(runs: Sequence[Run], *, labels: Sequence[str] = (), title: str = "") -> Figure:
    """Draw the histograms of two runs side by side, as shares of their won games, both means marked.

    `labels` name the runs (default: in what they differ). Raises InputError where a run has no won game or there are
    not two of them, MissingExtraError without matplotlib.
    """
    if len(runs) != 2:
        raise InputError("two runs can be compared in one figure, not {runs}", len(runs))
    guesses = [_won(run) for run in runs]
    edges = _edges(np.concatenate(guesses), None)
    common, names = _told_apart(runs)
    with _canvas(title or common) as (figure, axes):
        for side, (run, turns_taken) in enumerate(zip(runs, guesses, strict=True)):
            label, mean = (labels or names)[side], float(turns_taken.mean())
            said = Told("{label}: mean {mean} (▾), {games}", label, number(mean), _games(run))
            _side_bars(axes, edges, turns_taken, side, said)
            _mark_mean(axes, mean, (BLUE, VERMILION)[side])
        _axes_of_turns(axes, edges, Told("share of games (%)"))
        _legend(axes)
    return figure


def rows(runs: Sequence[Run], *, title: str = "") -> Figure:
    """Draw any number of runs below one another: the shares of their won games, each to its own height, and the means.

    Where means differ by more than eight times, the axis of guesses is logarithmic. Raises InputError where a run has
    no won game, MissingExtraError without matplotlib.
    """
    guesses = [_won(run) for run in runs]
    edges = _edges_of_rows(guesses)
    common, names = _told_apart(runs, "\n")
    with _canvas(title or common, height=1.1 + 0.5 * len(runs)) as (figure, axes):
        for at, taken, run in zip(range(len(runs) - 1, -1, -1), guesses, runs, strict=True):
            shares = np.histogram(taken, edges)[0] / len(taken)
            _row(axes, edges, 0.8 * shares / shares.max(), at, float(taken.mean()))
            if run.statistics.lost:
                spot: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "color": QUIET, "fontsize": 8.5}
                lost = plural(run.statistics.lost, "{n} lost", "{n} lost")
                axes.annotate(translated(lost), (1.02, at - 0.1), va="bottom", **spot)
        axes.set_yticks(np.arange(len(runs))[::-1] + 0.3, [translated(name) for name in names])
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(-0.1, len(runs) + 0.15)
        axes.spines["left"].set_visible(False)
        _axis_of_guesses(axes, edges)
        spot = {"xycoords": axes.get_yaxis_transform(), "va": "bottom", "color": QUIET}
        axes.annotate(translated(Told("mean (▾)")), (1.02, len(runs) + 0.1), **spot)
    return figure


def _row(axes: Axes, edges: NDArray[np.float64], heights: NDArray[np.float64], place: int, mean: float) -> None:
    gap = 0.06 * np.diff(edges) * (np.diff(edges) == 1)
    looks: dict[str, Any] = {"color": BLUE, "linewidth": 0, "zorder": 2, "align": "edge"}
    axes.bar(edges[:-1] + gap, heights, np.diff(edges) - 2 * gap, bottom=place, **looks)
    axes.axhline(place, color=BAND, linewidth=0.8, zorder=1)
    axes.vlines(mean, place, place + 0.8, color=PAPER, linewidth=3.0, zorder=3)
    axes.vlines(mean, place, place + 0.8, color=INK, linewidth=1.2, zorder=4)
    axes.plot([mean], [place + 0.84], "v", color=INK, markersize=5, zorder=5, clip_on=False)
    axes.annotate(translated(number(mean)), (1.02, place + 0.3), xycoords=axes.get_yaxis_transform(), va="center")


def times(rows: Sequence[tuple[str, float]], *, title: str = "") -> Figure:
    """Draw seconds a game, one named row each, on a logarithmic axis; raises InputError for no positive time."""
    rows = [(name, seconds) for name, seconds in rows if seconds > 0]
    if not rows:
        raise InputError("there is no run time to draw")
    with _canvas(title or Told("Time per game"), height=1.0 + 0.36 * len(rows)) as (figure, axes):
        places = np.arange(len(rows))[::-1]
        seconds = np.array([value for _, value in rows])
        axes.hlines(places, seconds.min() / 3, seconds, color=BAND, linewidth=2)
        axes.plot(seconds, places, "o", color=BLUE, markersize=8)
        for place, value in zip(places, seconds, strict=True):
            time = translated(duration(value, 2))
            axes.annotate(time, (value, place), (9, 0), textcoords="offset points", va="center")
        axes.set_xscale("log")
        axes.set_xlim(seconds.min() / 3, seconds.max() * 12)
        axes.set_yticks(places, [name for name, _ in rows])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        axes.set_xlabel(translated(Told("seconds a game (logarithmic)")), loc="right")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
    return figure


def number(value: float) -> str:
    """Write a number of guesses with as many digits as it deserves: 5.47, 48.1, 4096, 31,204.

    >>> number(5.4712), number(4095.9), number(31204.0), number(6.0)
    ('5.47', '4096', '31,204', '6.00')
    """
    if abs(value) >= 1000:
        return Told("{guesses:.0f}", value) if abs(value) < 10_000 else Told("{guesses:,.0f}", value)
    return Told("{guesses:.2f}", value) if abs(value) < 10 else Told("{guesses:.1f}", value)


def fitted(name: str, most: int = 26) -> str:
    """Write a player's name so that a figure has room for it; of a long path its end, of another name both ends.

    >>> fitted("minimax:ties=knuth"), fitted("/home/dupont/projects/mastermind/codebreaker3.py")
    ('minimax:ties=knuth', '…astermind/codebreaker3.py')
    >>> fitted("minimax:ties=candidate-random,seed=3")
    'minimax:ties=…andom,seed=3'
    """
    if len(name) <= most:
        return name
    head = 0 if "/" in name else most // 2
    return name[:head] + "…" + name[head + 1 - most :]


@contextmanager
def _canvas(title: str, height: float = 3.3) -> Iterator[tuple[Figure, Axes]]:
    with styled():
        from entropeg.plots.canvas import ShownFigure

        # Inches: text of 11 points stays readable when a figure of this width is shrunk to a phone's.
        figure = ShownFigure(figsize=(5.2, height), layout="constrained")
        axes = figure.add_subplot()
        axes.set_axisbelow(True)
        figure.suptitle(
            fill(translated(title), 46, break_long_words=False, break_on_hyphens=False),  # letters of a line
            x=0.01,
            ha="left",
            fontsize=12,
            fontweight="bold",
        )
        yield figure, axes


def _won(run: Run) -> NDArray[np.int64]:
    guesses = np.asarray(run.guesses, dtype=np.int64)
    guesses = guesses[guesses > 0]
    if not len(guesses):
        raise InputError(
            "{codebreaker} against {codemaker} won no game on {rules}: there is nothing to draw",
            *(run.codebreaker, run.codemaker, run.rules),
        )
    return guesses


def pair_label(codebreaker: str, codemaker: str, most: int = 36) -> str:
    """Write who plays whom beside an axis: in two lines where one would leave the axis no room.

    >>> pair_label("random", "honest")
    'random against honest'
    """
    first, second = fitted(codebreaker), Told("against {codemaker}", fitted(codemaker))
    return Joined((first, second), " " if len(first) + len(second) < most else "\n")


def _told_apart(runs: Sequence[Run], before: str = " ") -> tuple[str, list[str]]:
    """Return what runs have in common, for a title, and what tells each from the others, for its label.

    `before` stands before the codemaker in a label.
    """
    sides = {
        "codebreaker": [run.codebreaker for run in runs],
        "codemaker": [run.codemaker for run in runs],
        "rules": [str(run.rules) for run in runs],
    }
    alike = {side for side, names in sides.items() if len(set(names)) == 1}
    sides |= {side: [fitted(name) for name in sides[side]] for side in ("codebreaker", "codemaker")}
    same = {side: sides[side][0] for side in sides if side in alike}
    told = [side for side in sides if side not in same] or ["codebreaker", "codemaker"]
    if told == ["codemaker"]:
        labels = sides["codemaker"]
    else:
        labels = [_who(before, *(sides[side][at] if side in told else "" for side in sides)) for at in range(len(runs))]
    common = _who(" ", *(same.get(side, "") for side in sides))
    return Joined(filter(None, [Told("Guesses to win"), common]), " ") if "codebreaker" in told else common, labels


def _who(before: str, codebreaker: str, codemaker: str, rules: str) -> str:
    if codemaker:
        against = Told("against {codemaker}", codemaker)
        codebreaker = Joined((codebreaker, against), before) if codebreaker else against
    return Joined(filter(None, [codebreaker, Told("on {rules}", rules) if rules else ""]), " ")


def _games(run: Run) -> str:
    count, lost = len(run.guesses), run.statistics.lost
    games = plural(count, "{n} game", "{n} games")
    if run.plan == "all-secrets":
        games = Told("all {count:,} secrets", count)
    return Joined((games, plural(lost, "{n} lost", "{n} lost")), ", ") if lost else games


def _edges(guesses: NDArray[np.int64], law: Law | None) -> NDArray[np.float64]:
    """Return the edges of the bars, halves of odd numbers so that no number of guesses falls on an edge."""
    worst = max(int(guesses.max()), getattr(law, "last", 0))  # a law is drawn to its end
    if worst <= FEW:
        return np.linspace(0.5, worst + 0.5, worst + 1)
    width = _width(worst, law)
    bars = ceil(worst / width)
    return np.linspace(0.5, bars * width + 0.5, bars + 1)


def _edges_of_rows(guesses: Sequence[NDArray[np.int64]]) -> NDArray[np.float64]:
    means = [float(taken.mean()) for taken in guesses]
    every = np.concatenate(guesses)
    # Means that differ by more than 8 times share a logarithmic axis.
    if max(means) <= 8 * min(means) or int(every.max()) <= FEW:
        return _edges(every, None)
    # Bars of equal widths on a logarithmic axis, but none narrower than one guess.
    spaced = np.round(np.geomspace(1, int(every.max()) + 1, 48)).astype(np.int64)
    return np.asarray(np.unique(spaced) - 0.5, dtype=np.float64)


def _width(worst: int, law: Law | None) -> int:
    """Choose some 30 bars: ranges that divide the support of a finite law, else a round number of guesses."""
    support = getattr(law, "last", None)
    if support is not None:
        fitting = [bars for bars in range(20, 49) if support % bars == 0]
        return int(support // min(fitting, key=lambda bars: abs(bars - 32))) if fitting else ceil(support / 32)
    wanted, power = worst / 45, 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= wanted:
                return int(digit * power)
        power *= 10


def _bars(axes: Axes, edges: NDArray[np.float64], counts: NDArray[np.int64], label: str) -> None:
    single = edges[1] - edges[0] == 1
    gap = 0.8 if single else 1.0
    places, widths = (edges[:-1] + edges[1:]) / 2, np.diff(edges) * gap
    line = 0.0 if single else 0.5
    bars = axes.bar(
        places, counts, widths, color=BLUE, edgecolor=PAPER, linewidth=line, zorder=2, label=translated(label)
    )
    if single and len(counts) <= FEW:
        written = axes.bar_label(
            bars,
            [str(count) if count else "" for count in counts],
            padding=3,
            fontsize=10,
            # A ground of paper, so that no line runs through a number.
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.0},
        )
        for each in written:
            each.set_zorder(4.5)


def _side_bars(axes: Axes, edges: NDArray[np.float64], guesses: NDArray[np.int64], side: int, label: str) -> None:
    shares = np.histogram(guesses, edges)[0] * (100 / len(guesses))
    half = np.diff(edges) * 0.4
    places = (edges[:-1] + edges[1:]) / 2 + (half / 2) * (1 if side else -1)
    looks: dict[str, Any] = {"hatch": "////", "edgecolor": PAPER} if side else {}
    looks |= {"color": (BLUE, VERMILION)[side], "linewidth": 0, "zorder": 2, "label": translated(label)}
    axes.bar(places, shares, half, **looks)


def _mark_mean(axes: Axes, mean: float, color: str) -> None:
    # Before the bars, in a gap of its own, so that it is seen on bars of its color; a triangle says where it stands.
    axes.axvline(mean, color=PAPER, linewidth=3.4, zorder=3.8)
    axes.axvline(mean, color=color, linewidth=1.4, linestyle=(0, (5, 2)), zorder=4)
    axes.plot(
        [mean], [1.0], "v", color=color, markersize=7, transform=axes.get_xaxis_transform(), clip_on=False, zorder=5
    )


def _draw_law(axes: Axes, law: Law, edges: NDArray[np.float64], games: int) -> None:
    shares = expected_shares(law, edges)
    low, high = np.array([likely_counts(games, float(share)) for share in shares]).T
    look: dict[str, Any] = {"color": VERMILION, "zorder": 3.5, "baseline": None}
    axes.stairs(games * shares, edges, linewidth=2.2, label=translated(law.describe), **look)
    said = translated(Told("95 of 100 bars should end between these"))
    axes.stairs(low, edges, linewidth=0.9, label=said, **look)
    axes.stairs(high, edges, linewidth=0.9, **look)


def expected_shares(law: Law, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that a law gives to each bar of a histogram with these edges."""
    return np.diff(law.cdf(np.floor(edges)))


def gap_to_law(run: Run, law: Law) -> tuple[float, float]:
    """Return the largest gap between measured and theoretical shares of games within k guesses, and what chance allows.

    The second number is the 95 % limit of Kolmogorov's statistic, 1.358 / sqrt(games); for laws on whole numbers it is
    cautious.
    """
    guesses = _won(run)
    measured = np.cumsum(np.bincount(guesses)) / len(guesses)
    gap = np.abs(measured - law.cdf(np.arange(len(measured)))).max()
    return float(gap), 1.358 / sqrt(len(guesses))


def _legend(axes: Axes) -> None:
    # Above the axes, where it can hide nothing; the order of the labels is the bars first, then the law.
    handles, labels = axes.get_legend_handles_labels()
    order = sorted(range(len(labels)), key=lambda at: type(handles[at]).__name__ != "BarContainer")
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (-0.01, 1.01), "borderaxespad": 0.0}
    # A line that is wider than the figure would leave the axes no room.
    axes.legend(
        [handles[at] for at in order],
        [fill(labels[at], 50, break_long_words=False, break_on_hyphens=False) for at in order],
        labelspacing=0.25,
        handlelength=1.6,
        **place,
    )


def _axis_of_guesses(axes: Axes, edges: NDArray[np.float64]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set_xlabel(translated(Told("guesses to win")))
    widths = np.diff(edges)
    if widths[-1] > 2 * widths[0]:  # bars that grow wider
        axes.set_xlabel(translated(Told("guesses to win (logarithmic)")))
        axes.set_xscale("log")
        axes.set_xlim(edges[0], edges[-1] * 1.05)
        axes.xaxis.set_major_locator(LogLocator(10.0))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_xlim(edges[0] - 0.02 * (edges[-1] - edges[0]), edges[-1] + 0.02 * (edges[-1] - edges[0]))
        most = 8 if edges[-1] > FEW else 14
        axes.xaxis.set_major_locator(MaxNLocator(most, integer=True, steps=[1, 2, 5, 10], min_n_ticks=1))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: translated(Told("{guesses:,.0f}", value))))


def _axes_of_turns(axes: Axes, edges: NDArray[np.float64], what: str) -> None:
    from matplotlib.ticker import MaxNLocator

    _axis_of_guesses(axes, edges)
    axes.set_ylabel(translated(what))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True, steps=[1, 2, 2.5, 5, 10], min_n_ticks=1))
    axes.margins(y=0.22 if edges[1] - edges[0] == 1 else 0.15)
    axes.grid(axis="y", color=BAND, linewidth=0.6)
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
