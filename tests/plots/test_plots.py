"""Figures: what the bars add up to, what the law says, and files that are the same every time."""

import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from entropeg import Rules, plots
from entropeg.errors import InputError, MissingExtraError
from entropeg.experiments.laws import Geometric, Uniform
from entropeg.experiments.runner import Run
from interrupting import hearing


def a_run(
    guesses: Sequence[int], codebreaker: str = "consistent", codemaker: str = "honest", board: str = "4x8"
) -> Run:
    taken = np.array(guesses, dtype=np.int32)
    games = np.arange(len(taken))
    return Run(Rules.parse(board), codebreaker, codemaker, 0, "games", taken, 0.5, games, len(taken))


def heights(figure: Figure) -> list[list[float]]:
    return [[float(bar.get_height()) for bar in group] for group in figure.axes[0].containers]


def long_games(count: int = 400) -> Run:
    return a_run(np.random.default_rng(5).geometric(1 / 4096, count).tolist(), "random")


def test_a_histogram_has_a_bar_for_each_number_of_guesses_and_loses_no_game() -> None:
    figure = plots.turns(a_run([1, 3, 3, 6, 6, 6]))

    assert [[1, 0, 2, 0, 0, 3]] == heights(figure)


def test_lost_games_have_no_bar() -> None:
    figure = plots.turns(a_run([2, 0, 0, 1]))

    assert [[1, 1]] == heights(figure)


def test_bars_of_long_games_hold_all_games() -> None:
    figure = plots.turns(long_games(), law=Geometric(4096))

    assert 400 == sum(heights(figure)[0])
    assert len(heights(figure)[0]) <= 60


def test_the_bars_of_a_finite_law_divide_its_support_so_that_the_law_is_level() -> None:
    run = a_run(list(range(1, 4097)), "memory")

    [counts] = heights(plots.turns(run, law=Uniform(4096)))

    assert 1 == len(set(counts))
    assert 4096 == sum(counts)


def test_a_law_gives_each_bar_the_probability_of_the_guesses_in_it() -> None:
    law = Geometric(10)
    edges = np.array([0.5, 2.5, 5.5])

    shares = plots.expected_shares(law, edges)

    expected = [1 - 0.9**2, 0.9**2 - 0.9**5]
    assert expected == pytest.approx(shares.tolist())


def test_games_that_follow_their_law_exactly_have_no_gap_to_it() -> None:
    gap, limit = plots.gap_to_law(a_run(list(range(1, 101)), "memory"), Uniform(100))

    assert pytest.approx(0, abs=1e-12) == gap
    assert pytest.approx(0.1358) == limit


def test_games_that_all_end_at_once_are_far_from_the_law() -> None:
    gap, limit = plots.gap_to_law(a_run([1] * 100), Uniform(100))

    assert pytest.approx(0.99) == gap
    assert gap > limit


def test_two_codemakers_stand_side_by_side_as_shares_of_a_hundred() -> None:
    figure = plots.compared([a_run([5, 5, 6, 0]), a_run([6, 7], codemaker="cheat")])

    honest, cheat = heights(figure)
    assert pytest.approx([0, 0, 0, 0, 200 / 3, 100 / 3, 0]) == honest
    assert pytest.approx([0, 0, 0, 0, 0, 50, 50]) == cheat


def test_the_second_of_two_codemakers_is_hatched_so_that_color_is_not_needed() -> None:
    figure = plots.compared([a_run([5]), a_run([6], codemaker="cheat")])

    honest, cheat = figure.axes[0].containers
    assert [None, "////"] == [group[0].get_hatch() for group in (honest, cheat)]


def test_axes_are_named_and_every_word_is_text_in_the_svg() -> None:
    drawn = plots.svg(plots.turns(a_run([4, 5, 5]))).decode()

    for words in ("guesses to win", "games", "consistent against honest on 4x8", "mean 4.67"):
        assert f"{words}" in drawn


def test_a_notebook_draws_a_figure() -> None:
    figure = plots.turns(a_run([4, 5, 5]), title="Three games")

    assert re.search(r"<svg.*Three games", figure._repr_svg_(), re.DOTALL)  # type: ignore[attr-defined]  # as notebooks do


@pytest.mark.parametrize("save", [plots.svg, plots.png])
def test_equal_runs_give_equal_files(save: object) -> None:
    assert callable(save)
    assert save(plots.turns(long_games(), law=Geometric(4096))) == save(plots.turns(long_games(), law=Geometric(4096)))


def test_files_carry_no_date() -> None:
    figure = plots.turns(a_run([4]))

    assert b"<dc:date>" not in plots.svg(figure)
    assert b"tIME" not in plots.png(figure)


def test_run_times_are_written_beside_their_marks() -> None:
    drawn = plots.svg(plots.times([("random", 0.00031), ("minimax", 0.02)])).decode()

    assert ["310 µs", "20 ms"] == [words for words in ("310 µs", "20 ms") if words in drawn]


def test_drawing_leaves_the_settings_of_matplotlib_and_pyplot_alone() -> None:
    before = dict(mpl.rcParams)

    plots.png(plots.compared([a_run([5]), a_run([6])]))

    assert before == dict(mpl.rcParams)
    draw = "from entropeg import plots; plots.svg(plots.times([('a', 1.0)]))"
    check = f"import sys; {draw}; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert "False" == done.stdout.strip()


def test_a_figure_that_loses_the_interrupt_is_finished_and_then_it_is_heard() -> None:
    class Losing(Text):
        """What matplotlib compiles swallows an interrupt now and then."""

        def draw(self, renderer: Any) -> None:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
            drawn.append(renderer)

    drawn: list[Any] = []
    figure = Figure()
    figure.add_artist(Losing(0.5, 0.5, "4x6"))

    with hearing(), pytest.raises(KeyboardInterrupt):
        plots.png(figure)
    assert drawn


def test_what_cannot_be_drawn_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match="won no game on 4x8"):
        plots.turns(a_run([0, 0]))
    with pytest.raises(InputError, match="not 1"):
        plots.compared([a_run([3])])
    with pytest.raises(InputError, match="no run time"):
        plots.times([("random", 0.0)])


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    with pytest.raises(MissingExtraError, match="figures"):
        plots.turns(a_run([3]))


LONG = "minimax:ties=knuth,then=entropy,win=True,symmetry=False"


def test_a_title_of_long_names_stays_inside_the_figure() -> None:
    figure = plots.turns(a_run([3, 4, 4], LONG, "worst-case:codebreaker=minimax"))
    figure.draw_without_rendering()
    title = figure._suptitle  # type: ignore[attr-defined]

    assert title.get_window_extent().x1 <= figure.bbox.x1


def test_long_names_leave_the_axis_of_times_its_room() -> None:
    rows = [(plots.pair_label(LONG, "worst-case:codebreaker=minimax"), 0.001), ("a", 0.1)]
    figure = plots.times(rows, title="Time per game on 3x4")
    figure.draw_without_rendering()

    assert figure.axes[0].get_window_extent().width > 0.3 * figure.bbox.width


def test_the_axis_of_times_has_its_whole_label_inside_the_figure() -> None:
    rows = [(plots.pair_label("minimax:knuth", "honest, all secrets"), 0.00028), ("random against honest", 0.00008)]
    figure = plots.times(rows, title="Time per game on 4x6")
    figure.draw_without_rendering()
    extent = figure.axes[0].xaxis.label.get_window_extent()

    assert figure.bbox.x0 <= extent.x0 < extent.x1 <= figure.bbox.x1


def test_the_line_of_the_mean_stands_before_the_bars() -> None:
    for figure in (plots.turns(a_run([4, 5, 5, 6])), plots.compared([a_run([5]), a_run([6])])):
        [axes] = figure.axes
        bars = max(bar.get_zorder() for group in axes.containers for bar in group)

        assert bars < min(line.get_zorder() for line in axes.lines)


def test_any_number_of_runs_is_drawn() -> None:
    one, two = a_run([4, 5, 5]), a_run([6, 7, 7], codemaker="cheat")
    many = plots.draw([a_run([4, 5, 5], f"player{number}") for number in range(7)])

    assert [[0, 0, 0, 1, 2]] == heights(plots.draw(one)) == heights(plots.draw([one]))
    assert 2 == len(heights(plots.draw([one, two])))
    assert [f"player{6 - number}" for number in range(7)] == [
        label.get_text() for label in sorted(many.axes[0].get_yticklabels(), key=lambda label: label.get_position()[1])
    ]


def test_runs_that_are_far_apart_share_a_logarithmic_axis() -> None:
    near, far = a_run([4, 5, 5]), long_games()

    assert "linear" == plots.draw([near, near, near]).axes[0].get_xscale()
    assert "log" == plots.draw([near, near, far]).axes[0].get_xscale()


def test_runs_are_labeled_by_what_tells_them_apart() -> None:
    breakers = plots.draw([a_run([4], "random"), a_run([5], "memory")])
    boards = plots.draw([a_run([4]), a_run([5], board="4x6")])
    texts = [figure.axes[0].get_legend_handles_labels()[1][0] for figure in (breakers, boards)]

    assert ["random: mean 4.00 (▾), 1 game", "on 4x8: mean 4.00 (▾), 1 game"] == texts


def test_long_names_keep_their_beginning_and_are_not_taken_for_one() -> None:
    names = [f"minimax:ties=candidate-random,then={then},seed=3" for then in ("entropy", "parts")]
    figure = plots.draw([a_run([4], name) for name in names])

    assert "Guesses to win against honest on 4x8" == figure.get_suptitle().replace("\n", " ")
    assert all("minimax:" in label for label in figure.axes[0].get_legend_handles_labels()[1])


def test_lost_games_are_told_in_every_figure() -> None:
    lost, won = a_run([4, 0, 0]), a_run([4, 5], "memory")
    few = [plots.draw(runs).axes[0].get_legend_handles_labels()[1][0] for runs in ([lost], [lost, won])]
    many = [text.get_text() for text in plots.draw([lost, won, won]).axes[0].texts]

    assert ["played: 3 games, 2 lost, mean 4.00 (▾)", "consistent: mean 4.00 (▾), 3 games, 2 lost"] == few
    assert ["2 lost"] == [text for text in many if "lost" in text]


def test_what_is_no_figure_is_not_saved(tmp_path: Path) -> None:
    nothing: Any = None

    with pytest.raises(InputError, match="None is no figure"):
        plots.save(nothing, tmp_path / "a.svg")


@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("PNG", b"\x89PNG"), ("pdf", b"%PDF")])
def test_a_figure_is_saved_as_its_ending_says_and_the_same_again(ending: str, start: bytes, tmp_path: Path) -> None:
    file = tmp_path / f"a.{ending}"
    plots.save(plots.draw(a_run([4, 5])), file)
    content = file.read_bytes()
    plots.save(plots.draw(a_run([4, 5])), file)

    assert content.startswith(start)
    assert content == file.read_bytes()


@pytest.mark.parametrize("runs", [[], None, [3], "run"])
def test_what_is_no_run_is_not_drawn(runs: Any) -> None:
    with pytest.raises(InputError):
        plots.draw(runs)
