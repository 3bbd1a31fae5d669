"""What a report plays: its time, what it says of it, laws over players of one's own, held against brute force."""

import re
import shutil
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import comb, inf
from pathlib import Path

import numpy as np
import pytest

from entropeg import Rules, plots
from entropeg.executors import crew_of
from entropeg.experiments.confidence import likely_counts
from entropeg.experiments.laws import law
from entropeg.experiments.runner import Run, arena
from entropeg.experiments.store import Store
from entropeg.report import report
from entropeg.report.experiments import Experiment, Result, experiments
from entropeg.report.figures import pictures
from entropeg.report.playing import MeasuredPace, Playing
from entropeg.report.tables import law_of
from naive import blacks
from planted import EXAMPLES

OWN = [str(EXAMPLES / f"codebreaker{number}.py") for number in (0, 1)]


def shares_by_hand(rules: Rules, *, memory: bool) -> dict[int, Fraction]:
    """Return the chance of each number of guesses of the games won, by counting orders of codes and nothing else."""
    codes = list(product(range(rules.colors), repeat=rules.pegs))
    secret = codes[len(codes) // 3]
    hits = [blacks(code, secret) == rules.pegs for code in codes]
    last = rules.guess_limit or (len(codes) if memory else 400)
    found, still = dict[int, Fraction](), Fraction(1)
    for turn in range(1, last + 1):
        left = len(codes) - (turn - 1) * memory
        found[turn] = still * Fraction(sum(hits), left)
        still -= found[turn]
    return {turn: share / (1 - still if rules.guess_limit else 1) for turn, share in found.items()}


def test_orders_of_few_codes_agree_with_the_count_by_hand() -> None:
    places = Counter(order.index(0) + 1 for order in permutations(range(4)))

    assert shares_by_hand(Rules.parse("2x2"), memory=True) == {turn: Fraction(n, 24) for turn, n in places.items()}


@pytest.mark.parametrize("board", ["2x3/course", "3x3/course", "2x3/course/limit=4", "3x3/course/limit=20"])
@pytest.mark.parametrize("number", [0, 1])
def test_the_law_of_ones_own_codebreaker_is_what_counting_gives(number: int, board: str) -> None:
    rules = Rules.parse(board)
    by_hand = shares_by_hand(rules, memory=number == 1)
    [own] = [each for each in experiments(rules, also=[OWN[number]]) if each.key == f"{OWN[number]} honest"]
    drawn = law_of(Result(own, None))
    assert drawn is not None

    cdf = [float(drawn.cdf(turn)) for turn in by_hand]
    assert cdf == pytest.approx(np.cumsum([float(share) for share in by_hand.values()]), abs=1e-6)
    mean = float(sum(turn * share for turn, share in by_hand.items()))
    assert mean == pytest.approx(drawn.mean, rel=1e-4)


@pytest.mark.parametrize("number", [0, 1])
def test_the_figure_draws_the_games_that_counting_expects(number: int) -> None:
    rules = Rules.parse("2x3/course")
    [run] = arena(OWN[number], "honest", rules, games=300, jobs=1)
    name = ("random", "memory")[number]
    known = law(name, rules)
    figure = plots.turns(run, law=known)
    shares = shares_by_hand(rules, memory=number == 1)

    drawn, low, high = (patch.get_data() for patch in figure.axes[0].patches if hasattr(patch, "get_data"))
    for at, expected in enumerate(drawn.values):
        first, last = np.ceil(drawn.edges[at : at + 2]).astype(int)
        share = float(sum(shares[turn] for turn in range(first, last)))
        assert 300 * share == pytest.approx(expected, abs=1e-6)
        assert (low.values[at], high.values[at]) == likely_counts(300, share)


def far_from_law(player: str, as_player: str) -> bool:
    rules = Rules.parse("3x3/course")
    [run] = arena(player, "honest", rules, games=2000, jobs=1)
    known = law(as_player, rules)
    assert known is not None
    gap, limit = plots.gap_to_law(run, known)
    return gap > limit


@pytest.mark.parametrize(("number", "right", "wrong"), [(0, "random", "memory"), (1, "memory", "random")])
def test_games_of_ones_own_follow_their_law_and_not_the_other(number: int, right: str, wrong: str) -> None:
    assert not far_from_law(OWN[number], right)
    assert far_from_law(OWN[number], wrong)


def test_who_gets_a_law_goes_by_the_number_and_by_the_codemaker_alone(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "p")
    strange = shutil.copy(EXAMPLES / "codebreaker0.py", tmp_path / "p" / "codebreaker_free.py")
    others = [OWN[0], OWN[1], str(EXAMPLES / "codebreaker2.py"), str(strange)]
    makers = [str(EXAMPLES / "codemaker1.py"), str(EXAMPLES / "codemaker2.py"), "honest:RVB"]
    plan = experiments(Rules.parse("3x4/course"), also=others, against=makers)

    with_law = {each.key for each in plan if each.is_further and law_of(Result(each, None)) is not None}

    honest = ["honest", makers[0], "honest:RVB"]
    assert with_law == {f"{own} {maker}" for own in OWN for maker in honest}


def caption(player: str, guesses: list[int], planned: int = 0) -> str:
    rules = Rules.parse("3x4/course")
    plan = experiments(rules, also=[player])
    [own] = [each for each in plan if each.key == f"{player} honest"]
    taken = np.array(guesses, dtype=np.int32)
    run = Run(rules, player, "honest", 0, "games", taken, 1.0, np.arange(len(taken)), planned or len(taken))
    results = [Result(each, run if each is own else None) for each in plan]
    [picture] = pictures(rules, results)
    return picture.caption


def test_a_caption_says_what_is_seen_and_never_what_a_player_did_wrong() -> None:
    as_expected, at_once = caption(OWN[1], list(range(1, 65))), caption(OWN[1], [1] * 40)
    too_long, cut = caption(OWN[1], [*range(1, 65), 65, 90]), caption(OWN[1], [1] * 40, planned=50)

    assert "none of the 64 codes twice" in as_expected
    assert "as close as chance allows" in as_expected
    assert "farther than chance allows" in at_once
    assert "2 games took more guesses than there are codes" in too_long
    assert "more guesses than there are codes" not in as_expected + at_once
    assert "not held against it" in cut
    assert "chance allows" not in cut
    for each in (as_expected, at_once, too_long, cut):
        assert not re.search(r"wrong|error|fault|mistake|cheat", each)


# The lines over the bars


@pytest.mark.parametrize(("games", "share"), [(1, 0.5), (30, 1 / 32), (30, 0.9), (200, 0.01), (64, 1 / 3)])
def test_95_of_100_bars_end_between_the_lines(games: int, share: float) -> None:
    chances = [comb(games, n) * share**n * (1 - share) ** (games - n) for n in range(games + 1)]
    low, high = likely_counts(games, share)

    assert sum(chances[:low]) <= 0.025 < sum(chances[: low + 1])
    assert sum(chances[high + 1 :]) <= 0.025 + 1e-12 < sum(chances[high:])


def test_the_lines_of_a_normal_law_would_not_hold_for_few_games() -> None:
    games, share = 30, 1 / 32
    high = games * share + 1.96 * (games * share * (1 - share)) ** 0.5
    beyond = sum(comb(games, n) * share**n * (1 - share) ** (games - n) for n in range(int(high) + 1, games + 1))

    assert beyond > 0.05


def test_one_candidate_has_one_number_under_the_axis() -> None:
    run = Run(Rules.parse("2x1"), "random", "honest", 0, "games", np.ones(1, np.int32), 1.0, np.arange(1), 1)
    figure = plots.turns(run, law=law("random", "2x1"))
    plots.svg(figure)

    ticks = [tick for tick in figure.axes[0].get_xticks() if 0.5 <= tick <= 1.5]
    assert ticks == [1]


def test_a_law_is_drawn_to_its_end_where_games_end_before() -> None:
    run = Run(Rules.parse("3x4"), "memory", "honest", 0, "games", np.array([5, 40], np.int32), 1.0, np.arange(2), 2)
    figure = plots.turns(run, law=law("memory", "3x4"))

    [*_, line] = (patch.get_data() for patch in figure.axes[0].patches if hasattr(patch, "get_data"))
    assert line.edges[-1] == 64.5


# Time


def played(folder: Path) -> dict[tuple[str, str], int]:
    return {(run.codebreaker, run.codemaker): len(run.games) for run in Store(folder / "results.sqlite").runs()}


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / "tables" / name).read_bytes() for name in ("statistics.csv", "histograms.csv")}


def test_a_report_without_time_says_so_and_the_next_one_plays_the_rest(tmp_path: Path) -> None:
    said = list[str]()
    page = report("2x3", 20, tmp_path / "a", time=0, jobs=1, told=said.append)
    empty = page.read_text(encoding="utf-8")
    [missing] = said

    assert "Not played: no game was finished in the time." in empty
    assert missing == "not all games were played: 9 pairs none"
    report("2x3", 20, tmp_path / "a", jobs=1, told=said.append)
    report("2x3", 20, tmp_path / "b", jobs=1)
    assert len(said) == 1
    assert tables(tmp_path / "a") == tables(tmp_path / "b")


def stopped_after(count: int, error: type[BaseException]) -> Callable[[object], None]:
    heard = list[object]()

    def hear(state: object) -> None:
        heard.append(state)
        if len(heard) > count:
            raise error

    return hear


@pytest.mark.parametrize("count", [0, 3, 8, 15])
def test_whoever_interrupts_hears_how_many_games_there_are(count: int, tmp_path: Path) -> None:
    said = list[str]()
    with pytest.raises(KeyboardInterrupt):
        report("2x3", 20, tmp_path, jobs=1, progress=stopped_after(count, KeyboardInterrupt), told=said.append)

    assert not (tmp_path / "index.html").exists()
    [missing] = said
    for (breaker, maker), games in played(tmp_path).items() if (tmp_path / "results.sqlite").exists() else []:
        if 0 < games < 20 and (breaker, maker) != ("minimax", "honest"):
            assert f"{breaker} against {maker} {games} of 20" in missing


def at_play(folder: Path, said: list[str], seconds: float = inf) -> Playing:
    plan = experiments(Rules.parse("3x4/course"), also=OWN)
    with crew_of("threads:1") as crew:
        return Playing(plan, 1000, 0, crew, folder / "s", None, said.append, id, seconds)


def with_pace(playing: Playing, at: int, games: int, seconds: float) -> Experiment:
    experiment = playing.plan[at]
    taken, numbers = np.ones(games, np.int32), np.arange(games)
    run = Run(experiment.rules, "a", "b", 0, "games", taken, seconds, numbers, 1000)
    playing.results[at] = Result(experiment, run)
    playing._paces[at] = MeasuredPace(seconds, games)
    return experiment


def test_what_games_will_take_is_told_by_pair_the_longest_first(tmp_path: Path) -> None:
    said = list[str]()
    playing = at_play(tmp_path, said)
    quick, slow = with_pace(playing, 0, 500, 1.0), with_pace(playing, 9, 2, 7.4)
    with_pace(playing, 1, 0, 5.0)
    playing._foretell()

    # 998 games of 3.7 s, and 500 of 2 ms, which are less than a tenth of the whole
    assert said[0] == f"the games will take about 1 hour: {slow.label} 1 hour"
    assert quick.label not in said[0]
    assert said[1] == f"{playing.plan[1].label}: no game is finished yet, so that nobody knows what they take"


def test_what_is_soon_done_is_not_foretold(tmp_path: Path) -> None:
    said = list[str]()
    playing = at_play(tmp_path, said)
    with_pace(playing, 0, 500, 1.0)
    playing._foretell()

    assert said == []


def test_an_end_before_all_is_played_is_told_beforehand(tmp_path: Path) -> None:
    said = list[str]()
    playing = at_play(tmp_path, said, 30.0)
    playing._until = 0.0
    with_pace(playing, 9, 10, 10.0)
    playing._foretell()

    assert said[0].endswith("; what is finished when the time is over is shown")


def test_a_player_that_goes_wrong_after_some_games_keeps_them_and_says_how(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLES, tmp_path / "p")
    player = tmp_path / "p" / "codebreaker2.py"
    text = player.read_text(encoding="utf-8")
    player.write_text(
        text.replace(
            "def init():\n", "GAMES = []\n\n\ndef init():\n    GAMES.append(1)\n    assert len(GAMES) < 20\n", 1
        ),
        encoding="utf-8",
    )
    page = report("2x3/course", 40, tmp_path / "out", also=[str(player)], jobs=1).read_text(encoding="utf-8")

    assert re.search(r"codebreaker2\.py against cheat<small>[^<]*AssertionError", page)
    assert re.search(r"\d+ of 40", page)
