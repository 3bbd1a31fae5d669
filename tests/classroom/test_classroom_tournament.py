"""Tournaments of a class: who differs from whom, the same games with fewer questions, what is kept, and the page."""

from __future__ import annotations

import json
import pickle
import re
from dataclasses import replace
from html import unescape
from itertools import product
from math import inf, isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from a_class import write_class
from classroom_typing import project, typed
from entropeg import arena, cli, codebreakers, codemakers, play
from entropeg.classroom.faults import Fault
from entropeg.classroom.modules import Role
from entropeg.classroom.players import KEPT, close_all
from entropeg.classroom.series import ClassroomInterrupted, Series
from entropeg.classroom.tournament.dealing import Dealer, DealtPair, Squares, evenly, in_tiles
from entropeg.classroom.tournament.live_page import LivePage, live_page
from entropeg.classroom.tournament.playing import Tournament, play_tournament
from entropeg.classroom.tournament.ranking import Outcomes, Place, chance_of, difference, mean_by_game, ranking
from entropeg.classroom.tournament.recall import Recall
from entropeg.classroom.tournament.rounds import TournamentRounds, TournamentStanding, Watched
from entropeg.classroom.tournament.tournament_page import (
    EARLY,
    SHORT,
    SPOILED,
    Names,
    broken,
    rank_text,
    tournament_page,
    tournament_text,
    what_went_wrong,
    who_does_not_play,
)
from entropeg.classroom.whole_class.folders import find_projects
from entropeg.errors import InputError, PlayerError
from entropeg.experiments.confidence import by_chance, half_width, student
from entropeg.rules import Rules
from planted import EXAMPLES
from rooms import cases

SMALL = Rules.parse("3x4/course")


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def played(breaker: str, maker: str, guesses: list[int], faults: list[Fault] | None = None) -> Series:
    series = Series(SMALL, breaker, maker, 0, len(guesses))
    for number in guesses:
        series.add((number, []))
    series.faults = faults or []
    return series


# ------------------------------------------------------------------ who differs from whom


def test_a_pair_of_one_game_has_no_interval() -> None:
    [place] = ranking("codebreaker", [played("one", "honest", [3864])], str)

    assert (3864.0, None) == (place.mean, place.interval)
    assert place.to_json()["interval"] is None


def test_an_interval_holds_no_mean_that_no_games_have() -> None:
    assert (1.0, 5.0) == Place("a", 1, 2.0, 3.0, 2, 0, 1).interval


def test_opponents_that_share_their_secrets_make_no_interval_smaller() -> None:
    games = [4, 6, 5, 7, 5, 4]
    [alone] = ranking("codebreaker", [played("one", "a", games)], str)
    [many] = ranking("codebreaker", [played("one", name, games) for name in "abcdef"], str)

    assert alone.half == pytest.approx(many.half)
    assert alone.half == pytest.approx(half_width(games))


def test_games_that_differ_between_opponents_make_it_smaller() -> None:
    rows = np.random.default_rng(3).normal(5, 1, (16, 400))

    assert mean_by_game(rows).error == pytest.approx(1 / np.sqrt(rows.size), rel=0.1)


def test_an_opponent_of_one_game_adds_the_spread_of_the_others() -> None:
    full = np.array([[4.0, 6.0, 5.0, 7.0], [5.0, nan, nan, nan]])

    assert mean_by_game(full).error > mean_by_game(full[:1]).error / 2
    assert inf == mean_by_game(full[:, :1]).error
    assert isnan(mean_by_game(full[1:, 1:]).mean)


@given(some.integers(1, 40), some.floats(-6, 6))
def test_chance_by_finite_sums_agrees_with_integration(freedom: int, deviation: float) -> None:
    steps = np.linspace(0, abs(deviation), 4001)
    density = (1 + steps**2 / freedom) ** (-(freedom + 1) / 2)
    tail = np.linspace(0, np.pi / 2, 4001)
    whole = np.trapezoid(np.cos(tail) ** (freedom - 1), tail) * np.sqrt(freedom)

    assert by_chance(deviation, freedom) == pytest.approx(1 - np.trapezoid(density, steps) / whole, abs=1e-5)


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 19, 100])
def test_half_of_an_interval_is_where_chance_is_one_in_twenty(freedom: int) -> None:
    assert by_chance(student(freedom), freedom) == pytest.approx(0.05, abs=2e-3)


def test_few_games_prove_little_however_alike_they_are() -> None:
    assert chance_of(mean_by_game(np.full((5, 3), 1.0))) == 0.25
    assert chance_of(mean_by_game(np.zeros((5, 30)))) == 1.0


def test_six_codebreakers_of_one_algorithm_do_not_differ(tmp_path: Path) -> None:
    # The same code, but each draws otherwise: their means differ by chance alone.
    text = (EXAMPLES / "codebreaker2.py").read_text(encoding="utf-8")
    for number in range(6):
        folder = project(tmp_path / f"copy{number}", "common.py", "codemaker1.py")
        drawn = f"random.random() for _ in range({number})"
        changed = text.replace("possibles = last = None", f"possibles = last = None\n    [{drawn}]")
        (folder / "codebreaker2.py").write_text(changed, encoding="utf-8")
    found = play_tournament([tmp_path], SMALL, games=25, seconds=30, only=["codebreaker2"])
    means = [place.mean for place in found.codebreakers]

    assert len(set(means)) > 3
    assert [1] * 6 == [place.rank for place in found.codebreakers]
    assert [(1, 6)] * 6 == [place.ranks for place in found.codebreakers]
    assert "a rank says from which to which it may be" in tournament_text(found)


def test_a_codebreaker_that_is_better_is_ranked_above(tmp_path: Path) -> None:
    project(tmp_path / "one", "common.py", "codebreaker0.py", "codebreaker2.py")
    found = play_tournament([tmp_path / "one"], SMALL, games=20, seconds=30)

    assert [("codebreaker2.py", 1), ("codebreaker0.py", 2)] == [
        (Path(place.player).name, place.rank) for place in found.codebreakers
    ]


def test_who_spoils_games_stands_below_who_does_not() -> None:
    fault = Fault("crash", "it fell", "bad", turns=(), game=19)
    bad, good = played("bad", "honest", [3] * 19, [fault]), played("good", "honest", [9] * 20)
    often = [fault.at(player="worse", game=number) for number in range(4, 20)]
    worse = played("worse", "honest", [3] * 4, often)
    places = ranking("codebreaker", [worse, bad, good], str)

    assert [("good", 1), ("bad", 2), ("worse", 3)] == [(place.player, place.rank) for place in places]


def test_one_game_that_is_spoiled_against_everyone_is_one_game() -> None:
    fault = Fault("crash", "it fell", "one", turns=(), game=19)
    series = [played("one", maker, [3] * 19, [fault]) for maker in "abcdefghij"]
    series += [played("two", maker, [3] * 20) for maker in "abcdefghi"]
    series.append(played("two", "j", [3] * 19, [fault.at(player="two")]))

    assert [("two", 1, 1), ("one", 1, 10)] == [
        (place.player, place.rank, place.spoiled) for place in ranking("codebreaker", series, str)
    ]


# ------------------------------------------------------------------ the same games with fewer questions


def test_games_with_recall_are_those_without() -> None:
    breakers = [codebreakers.get(str(EXAMPLES / f"codebreaker{number}.py")) for number in (1, 2)]
    makers = [codemakers.get(str(EXAMPLES / f"codemaker{number}.py")) for number in (1, 2)]
    recall = Recall()
    for seed in range(3):
        for breaker in breakers:
            for maker in [*makers, *makers, codemakers.get("cheat"), *makers]:
                assert play(breaker, maker, SMALL, seed) == recall.game(breaker, maker, SMALL, seed)

    assert not recall.unsteady


def test_a_module_is_asked_once_where_two_opponents_answer_alike(tmp_path: Path) -> None:
    folder = project(tmp_path / "one", "common.py")
    text = (EXAMPLES / "codebreaker2.py").read_text(encoding="utf-8")
    log = tmp_path / "asked"
    begin = "    global possibles, last\n    if"
    counted = f"    global possibles, last\n    open({str(log)!r}, 'a').write('x')\n    if"
    counting = text.replace(begin, counted)
    (folder / "codebreaker2.py").write_text(counting, encoding="utf-8")
    breaker = codebreakers.get(str(folder / "codebreaker2.py"))
    makers = [project(tmp_path / name, "common.py", "codemaker1.py") / "codemaker1.py" for name in ("two", "three")]
    recall = Recall()
    games = [recall.game(breaker, codemakers.get(str(maker)), SMALL, 5) for maker in makers]

    assert games[0].turns == games[1].turns
    assert len(games[0]) == len(log.read_text(encoding="utf-8"))


def test_a_module_that_draws_from_elsewhere_plays_on(tmp_path: Path) -> None:
    text = "import os, common\ndef init(): pass\ndef codebreaker(evaluation):\n"
    text += "    return ''.join(common.COLORS[each % len(common.COLORS)] for each in os.urandom(common.LENGTH))\n"
    (tmp_path / "codebreaker0.py").write_text(text, encoding="utf-8")
    breaker, recall = codebreakers.get(str(tmp_path / "codebreaker0.py")), Recall()
    makers = [codemakers.get(str(EXAMPLES / f"codemaker{number}.py")) for number in (1, 2)]
    games = [recall.game(breaker, maker, SMALL, seed) for seed in range(4) for maker in (*makers, *makers)]

    assert {"won"} == {game.outcome for game in games}
    assert {breaker} == recall.unsteady


# ------------------------------------------------------------------ rounds


@given(some.integers(1, 12), some.integers(1, 12))
def test_at_any_moment_every_player_has_as_many_games_as_any_other(breakers: int, makers: int) -> None:
    dealt, counts = list(evenly(breakers, makers)), ([0] * breakers, [0] * makers)
    for one, other in [*dealt, *dealt]:
        counts[0][one] += 1
        counts[1][other] += 1

        assert all(max(side) - min(side) <= 1 for side in counts)
    assert breakers * makers == len(set(dealt)) == len(dealt)


@given(some.integers(1, 40), some.integers(1, 40))
def test_tiles_hold_every_pair_once_and_need_few_processes(breakers: int, makers: int) -> None:
    tiles = in_tiles(breakers, makers)

    assert sorted(product(range(breakers), range(makers))) == sorted(pair for tile in tiles for pair in tile)
    for tile in tiles:
        assert len({one for one, _ in tile}) + len({other for _, other in tile}) <= KEPT


@given(some.integers(1, 9), some.integers(1, 9), some.integers(1, 40))
def test_a_player_meets_another_secret_with_each_opponent(breakers: int, makers: int, games: int) -> None:
    squares = Squares(max(breakers, makers), games)
    for breaker in range(breakers):
        first = [squares.number(breaker, maker, 0) for maker in range(makers)]
        size = squares.numbers // -(-squares.numbers // squares.side)

        assert len(set(first)) >= min(makers, size)
        for maker in range(makers):
            numbers = [squares.number(breaker, maker, turn) for turn in range(games)]

            assert games == len(set(numbers))
            assert set(numbers) == {each for each in range(squares.numbers) if squares.has(breaker, maker, each)}
            assert games < squares.side or set(range(games)) == set(numbers)


def dealt(breakers: int, makers: int, games: int, seconds: dict[int, float] | None = None) -> list[list[DealtPair]]:
    # Pairs of players named by numbers; a game of a codebreaker takes its seconds, else none to speak of.
    squares = Squares(max(breakers, makers), games)
    return [
        [
            DealtPair(one, other, (one, other), Series(SMALL, f"b{one}", f"m{other}", 0, games), squares, expected)
            for one, other in tile
            for expected in [(seconds or {}).get(one, 0.001)]
        ]
        for tile in in_tiles(breakers, makers)
    ]


def play_dealt(dealer: Dealer, most: float = inf) -> list[int]:
    # Plays what is dealt, until that has taken `most` seconds; the codebreaker of each game.
    order, spent = list[int](), 0.0
    while spent < most and (hands := dealer.next()):
        for pair, numbers in hands:
            for number in numbers:
                pair.series.add((4, []), number)
                pair.series.seconds += pair.expected
                spent += pair.expected
                order.append(pair.breaker)
            pair.go_on()
            pair.busy = False
    return order


@pytest.mark.parametrize(("breakers", "makers"), [(3, 4), (1, 1), (11, 13)])
def test_every_game_is_dealt_once(breakers: int, makers: int) -> None:
    groups = dealt(breakers, makers, 7)
    order = play_dealt(Dealer(groups, inf, lambda: inf, doubles=breakers + makers > KEPT))

    assert breakers * makers * 7 == len(order)
    assert all(pair.is_over for group in groups for pair in group)


def test_games_are_dealt_evenly_where_nobody_is_slow() -> None:
    counts = [0] * 3
    for breaker in play_dealt(Dealer(dealt(3, 4, 20), inf, lambda: 0.1), 0.1):
        counts[breaker] += 1

        assert max(counts) - min(counts) <= 1


def test_a_slow_player_costs_the_others_no_more_than_its_share_of_the_time() -> None:
    # 60 seconds: games of codebreaker 0 take 4, and all games of the others a second together.
    groups, left = dealt(3, 4, 25, {0: 4.0, 1: 0.005, 2: 0.005}), 60.0
    pairs = [pair for group in groups for pair in group]
    order = play_dealt(Dealer(groups, inf, lambda: left - sum(pair.series.seconds for pair in pairs)), left)

    assert [100, 100] == [order.count(breaker) for breaker in (1, 2)]
    assert 12 <= order.count(0) <= 16
    assert order.index(0) > 20  # the quick ones come first


def test_who_had_to_wait_catches_up_where_there_is_time_after_all() -> None:
    left, groups = [1.0], dealt(2, 1, 40, {0: 1.0})
    slow, quick = sorted((pair for [pair] in groups), key=lambda pair: pair.breaker)
    dealer = Dealer(groups, inf, lambda: left[0])
    waited = [play_dealt(dealer, 0.0005) for _ in range(11)]
    left[0] = inf
    while quick.turn < 30:
        play_dealt(dealer, 0.0005)

    assert 10 <= sum(order.count(1) for order in waited) <= 11
    assert 1 >= sum(order.count(0) for order in waited)
    assert abs(slow.turn - quick.turn) <= 1


def test_pairs_that_are_being_played_are_dealt_to_nobody_else() -> None:
    dealer = Dealer(dealt(2, 2, 3), inf, lambda: inf)
    held = [dealer.next() for _ in range(6)]

    assert [1, 1, 1, 1, 0, 0] == [len(hands) for hands in held]
    assert 4 == len({pair.places for hands in held for pair, _ in hands})


def test_five_games_in_a_row_that_go_wrong_end_a_pair() -> None:
    [[pair]] = dealt(1, 1, 20)
    for number in range(7):
        pair.series.add((4, []) if number == 1 else Fault("crash", "it fell", "b0", turns=()), number)
        pair.go_on()

        assert pair.is_over == (number == 6)


def test_a_tournament_that_is_cut_has_given_every_pair_as_many_games(tmp_path: Path) -> None:
    folder = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py")
    told = list[TournamentStanding]()

    def stop(now: TournamentStanding) -> None:
        told.append(now)
        if now.done > 40:
            raise KeyboardInterrupt

    with pytest.raises(ClassroomInterrupted) as caught:
        play_tournament([folder], SMALL, games=10**6, seconds=1000, jobs=1, progress=stop)
    found: Tournament = caught.value.done
    sizes = [series.played for series in found.series]

    assert 3 == len(sizes)
    assert max(sizes) - min(sizes) <= 1
    assert all(not series.faults for series in found.series)
    assert (found.played, 3 * 10**6) == (sum(sizes), found.planned)
    assert told[-1].total == found.planned


def test_a_tournament_whose_time_is_over_says_so(tmp_path: Path) -> None:
    folder = project(tmp_path / "one", "common.py", "codebreaker2.py")
    found = play_tournament([folder], SMALL, games=5, within=1e-6, jobs=1)

    assert found.is_late
    assert "0 of 10 games played, then its time was over" in tournament_text(found)


def test_more_games_go_on_from_those_that_were_kept(tmp_path: Path) -> None:
    folder, keep = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py"), tmp_path / "kept.json"
    few = play_tournament([folder], SMALL, games=3, keep=keep)
    more = play_tournament([folder], SMALL, games=8, keep=keep)
    fresh = play_tournament([folder], SMALL, games=8)
    fewer = play_tournament([folder], SMALL, games=3, keep=keep)

    def guesses(found: Tournament) -> list[list[int]]:
        return [series.guesses for series in found.series]

    assert guesses(fresh) == guesses(more)
    assert [each[:3] for each in guesses(more)] == guesses(few) == guesses(fewer)


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads_and_after_a_cut(tmp_path: Path) -> None:
    folder, keep = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py"), tmp_path / "kept.json"
    (folder / "codebreaker1.py").write_text(
        (EXAMPLES / "codebreaker1.py").read_text(encoding="utf-8"), encoding="utf-8"
    )

    def stop(now: TournamentStanding) -> None:
        if now.done > 5:
            raise KeyboardInterrupt

    with pytest.raises(ClassroomInterrupted) as caught:
        play_tournament([folder], SMALL, games=6, jobs=1, seed=3, keep=keep, progress=stop)
    gone_on = play_tournament([folder], SMALL, games=6, jobs=3, seed=3, keep=keep)
    whole = play_tournament([folder], SMALL, games=6, jobs=2, seed=3)

    def played_in(found: Tournament) -> dict[tuple[str, str], list[tuple[int, int]]]:
        return {(each.codebreaker, each.codemaker): list(zip(each.games, each.guesses, strict=True)) for each in
                found.series}  # fmt: skip

    assert played_in(whole) == played_in(gone_on)
    assert whole.played == whole.planned == 36
    for pair, games in played_in(caught.value.done).items():
        assert set(games) <= set(played_in(whole)[pair])


def test_ctrl_c_keeps_every_game(tmp_path: Path) -> None:
    folder, keep = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py"), tmp_path / "kept.json"

    def stop(now: TournamentStanding) -> None:
        if now.done > 40:
            raise KeyboardInterrupt

    with pytest.raises(ClassroomInterrupted) as caught:
        play_tournament([folder], SMALL, games=10**6, seconds=1000, keep=keep, progress=stop)
    found: Tournament = caught.value.done
    kept = json.loads(keep.read_text(encoding="utf-8"))["series"].values()

    assert found.played > 30
    assert sum(len(series["games"]) for series in kept) == found.played
    assert all(not series.faults for series in found.series)


def test_a_module_that_cannot_be_imported_is_started_once(tmp_path: Path) -> None:
    folder, log = project(tmp_path / "one", "common.py", "codebreaker2.py"), tmp_path / "started"
    text = f"open({str(log)!r}, 'a').write('x')\nimport comon\ndef init(): pass\ndef codemaker(guess): pass\n"
    (folder / "codemaker1.py").write_text(text, encoding="utf-8")
    found = play_tournament([folder], SMALL, games=9)

    assert "x" == log.read_text(encoding="utf-8")
    assert [str(folder / "codemaker1.py")] == list(found.set_aside)
    assert [9, 9] == [len(series.guesses) for series in found.series if series.guesses]
    assert "codemaker1.py was set aside" in tournament_text(found)
    assert "comon" in tournament_page(found)


# ------------------------------------------------------------------ who plays


def test_only_the_modules_that_are_named_play(tmp_path: Path) -> None:
    write_class(tmp_path, 2)
    wanted = ("--only", "codebreaker2,codemaker*", "--games", "1", "--rules", "3x4")
    result = typed("tournament", str(tmp_path), *wanted, "--json")
    data = json.loads(result.stdout)

    assert {"codebreaker2.py"} == {Path(place["player"]).name for place in data["codebreakers"]}
    assert 6 == len(data["codemakers"])
    assert 12 == data["played"] == data["planned"]
    assert "2 codebreakers and 6 codemakers: 12 pairs, 1 game each" in result.stderr


def test_a_module_that_nobody_has_is_told(tmp_path: Path) -> None:
    project(tmp_path / "one", "codebreaker2.py")
    result = typed("tournament", str(tmp_path / "one"), "--only", "codebraker2")

    assert result.exit_code == 2
    assert "no project has a module 'codebraker2': there are codebreaker2" in result.stderr


def test_what_is_no_project_is_told_and_the_rest_plays(tmp_path: Path) -> None:
    project(tmp_path / "2026" / "anna" / "mastermind", "codebreaker2.py")
    project(tmp_path / "2026" / "ben" / "mastermind", "codebreaker2.py")
    (tmp_path / "2026" / "notes").mkdir()
    (tmp_path / "2026" / "claire.zip").write_bytes(b"PK")
    (tmp_path / "empty").mkdir()
    twice = tmp_path / "2026" / "anna" / "mastermind"
    names = [tmp_path / "empty", tmp_path / "nowhere", tmp_path / "2026" / "anna" / "mastermind", twice,
             tmp_path / "2026" / "ben" / "mastermind"]  # fmt: skip
    found = find_projects(names)

    assert ["anna/mastermind", "ben/mastermind"] == list(found.labels.values())
    assert 4 == len(found.notes)
    expected = ("holds no project", "there is no folder", "named twice", "are called 'mastermind'")
    for note, said in zip(found.notes, expected, strict=True):
        assert said in note
    assert [
        "notes holds no Python file: it was left out",
        "claire.zip is an archive and was left out: unpack it beside the other projects",
    ] == [note.rpartition("/")[2] for note in find_projects([tmp_path / "2026"]).notes]
    with pytest.raises(InputError, match="holds no project"):
        find_projects([tmp_path / "empty"])


def test_modules_in_folders_of_a_project_play(tmp_path: Path) -> None:
    project(tmp_path / "anna" / "app" / "game", "common.py", "codebreaker2.py")
    project(tmp_path / "ben", "common.py", "codebreaker2.py")
    found = play_tournament([tmp_path], SMALL, games=2)

    assert {"anna/app/game/codebreaker2.py", "ben/codebreaker2.py"} == {
        place.player.removeprefix(f"{tmp_path}/") for place in found.codebreakers
    }


def test_a_program_plays_beside_the_modules(tmp_path: Path) -> None:
    engine = f"cmd:{EXAMPLES.parent / 'engine' / 'codebreaker.py'}"
    folder = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py")
    found = play_tournament([folder, engine.replace("cmd:", "cmd:python "), "cmd:false"], SMALL, games=3, seconds=600)
    names = {place.player for place in found.codebreakers}

    assert {str(folder / "codebreaker2.py"), engine.replace("cmd:", "cmd:python ")} == names
    assert ["cmd:false"] == [fault.player for fault in found.absent]
    assert {9} == {place.games for place in found.codebreakers}


# ------------------------------------------------------------------ the page


def test_names_break_between_words_alone() -> None:
    assert "a/<wbr>codebreaker2<wbr>.py" == broken("a/codebreaker2.py")
    assert "&lt;b&gt;" == broken("<b>")


def test_modules_are_named_below_the_folder_that_they_share() -> None:
    names = Names(["/x/a/codebreaker2.py:memory=512", "/x/b/codebreaker2.py", "honest"])

    assert ("/x", "a/codebreaker2.py", "honest") == (names.folder, names["/x/a/codebreaker2.py"], names["honest"])
    assert "b/codebreaker2.py, line 3: x\x1b" == names.within("/x/b/codebreaker2.py, line 3: x\x1b")


def test_a_large_page_shows_what_fits_and_the_rest_on_demand() -> None:
    many = [
        played(f"b{one}", f"m{other}", [5, 6], [Fault("crash", f"\x1b[31m{one}", f"b{one}", turns=(), game=2)] * 3)
        for one in range(25)
        for other in range(9)
    ]
    found = Tournament(SMALL, 3, 0, many)
    page = tournament_page(found)

    assert 25 + 1 == page.count("<details>")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", page + tournament_text(found).replace("\n", ""))
    assert "(27 times, this is the first)" in page
    assert page.count("<th>Opponents</th>") == 2
    assert page.count('data-label="Opponents">9</td>') == 25


# ------------------------------------------------------------------ the arena


def test_the_arena_sets_a_faulty_player_aside_and_plays_on(tmp_path: Path) -> None:
    text = "import common\nn = 0\ndef init():\n    global n\n    n += 1\n"
    text += "def codebreaker(evaluation):\n    if n == 30:\n        raise ValueError\n    return common.choices()\n"
    (tmp_path / "codebreaker0.py").write_text(text, encoding="utf-8")
    (tmp_path / "codebreaker9.py").write_text("import codebreaker8\n" + text, encoding="utf-8")
    tired, missing = (str(tmp_path / f"codebreaker{number}.py") for number in (0, 9))
    runs = arena(["first-consistent", tired, missing, "cmd:false"], ["cheat", "honest"], "2x3", games=40, jobs=1)
    played = {(run.codebreaker, run.codemaker): len(run.games) for run in runs}
    faults = {run.codebreaker for run in runs if run.fault}

    assert 40 == played["first-consistent", "cheat"] == played["first-consistent", "honest"]
    assert 20 < played[tired, "cheat"] < 40
    assert [0, 0, 0, 0] == [played[name, maker] for name in (missing, "cmd:false") for maker in ("cheat", "honest")]
    assert {tired, missing, "cmd:false"} == faults
    assert "line 8: codebreaker raised ValueError" in runs[2].fault
    assert "codebreaker8" in runs[4].line


def test_the_arena_raises_where_nobody_finished_a_game() -> None:
    with pytest.raises(PlayerError, match="exit code 1") as caught:
        arena("cmd:false", ["honest", "cheat"], "2x3", games=4, jobs=1)

    assert "cmd:false" == caught.value.player
    assert "cmd:false" == pickle.loads(pickle.dumps(PlayerError("it fell", "cmd:false"))).player  # noqa: S301 (ours)


def test_the_command_arena_tells_the_fault_below_the_table(tmp_path: Path) -> None:
    command = ["arena", "first-consistent,cmd:false", "honest", "--rules", "2x3", "--games", "5"]
    told = CliRunner().invoke(cli.group, command)
    data = json.loads(CliRunner().invoke(cli.group, [*command, "--json"]).stdout)

    assert told.exit_code == 1
    assert "- cmd:false against honest: cmd:false: it ended with exit code 1" in told.stdout
    assert [None, True] == [run["fault"] and "exit code 1" in run["fault"] for run in data["runs"]]


def games_of(numbers: Any) -> Outcomes:
    opponents, numbered = np.nonzero(~np.isnan(numbers))
    return Outcomes(opponents, numbered, numbers[opponents, numbered])


@pytest.mark.parametrize("counts", [(20, 20, 2), (12, 1, 1, 1, 1), (20, 6, 6, 2)])
def test_short_rows_call_nothing_certain_that_is_not(counts: tuple[int, ...]) -> None:
    # Players that do not differ; secrets are shared by all opponents. Five in a hundred are certain by chance.
    source, certain, missed, times = np.random.default_rng(5), 0, 0, 1000
    for _ in range(times):
        players, secrets = np.full((2, len(counts), max(counts)), np.nan), source.normal(size=max(counts))
        for row, count in enumerate(counts):
            players[:, row, :count] = np.rint(0.8 * secrets[:count] + source.normal(size=(2, count)))
        certain += chance_of(difference(games_of(players[0]), games_of(players[1]), np.ones(len(counts)))) < 0.05
        missed += chance_of(mean_by_game(players[0])) < 0.05

    assert max(certain, missed) <= 0.07 * times


def test_one_slow_opponent_keeps_nobody_from_being_ranked() -> None:
    one, other = np.full((3, 60), np.nan), np.full((3, 60), np.nan)
    one[0], one[1], one[2, :2] = np.arange(60) % 3 + 1.0, np.arange(60) % 4 + 1.0, [1.0, 2.0]
    other[0], other[1], other[2, :2] = 0.0, 0.0, 0.0

    assert chance_of(difference(games_of(one), games_of(other), np.ones(3))) < 1e-6


def drawn(seed: int, breakers: list[tuple[float, float]], makers: list[float], games: int, most: int) -> list[Series]:
    # A tournament of players whose means and spreads are known, cut after `most` games; a game is longer or shorter by
    # its secret, by what each player makes of it, and by chance. Players that scatter by 100 or more guess at random.
    source, squares = np.random.default_rng(seed), Squares(max(len(breakers), len(makers)), games)
    secrets = 0.3 * source.normal(size=squares.numbers)
    own = 0.3 * source.normal(size=(len(breakers) + len(makers), squares.numbers))
    pairs = {(one, other): Series(SMALL, f"b{one}", f"m{other}", 0, games) for one, other in
             evenly(len(breakers), len(makers))}  # fmt: skip
    for game in range(min(most, len(pairs) * games)):
        (one, other), turn = list(pairs)[game % len(pairs)], game // len(pairs)
        number, (mean, spread) = squares.number(one, other, turn), breakers[one]
        told = secrets[number] + own[one, number] + own[len(breakers) + other, number]
        length = mean + makers[other] + told + spread * source.normal()
        pairs[one, other].add((max(1, round(source.exponential(mean) if spread >= 100 else length)), []), number)
    return [series for series in pairs.values() if series.played]


TOURNAMENTS: dict[str, tuple[list[tuple[float, float]], list[float], int, int]] = {
    "equal players, whole": ([(5.5, 0.8)] * 4, [0.0] * 4, 20, 320),
    "equal players, cut in the midst of a block": ([(5.5, 0.8)] * 6, [0.0] * 6, 100, 150),
    "honest ones and cheats, cut early": ([(5.2, 0.9), (5.2, 0.9), (5.6, 0.9)], [2.0, 0.0, 0.0, 2.0], 100, 60),
    "one that guesses at random": ([(5.2, 0.9), (5.2, 0.9), (3000, 3000)], [2.0, 0.0, 0.0], 100, 100),
}


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_intervals_of_ranks_and_means_cover_the_truth_as_often_as_they_say(name: str) -> None:
    breakers, makers, games, most = TOURNAMENTS[name]
    quick = [mean for mean, spread in breakers if spread < 100]
    roles: list[tuple[Role, list[float], float, int]] = [
        ("codebreaker", [mean for mean, _ in breakers], float(np.mean(makers)), 1),
        ("codemaker", makers, float(np.mean(quick)), -1),
    ]
    times = cases(100, 1000)
    right, covered = {role: 0 for role, *_ in roles}, list[bool]()
    for seed in range(times):
        series = drawn(seed, breakers, makers, games, most)
        for role, values, off, sign in roles:
            is_right = True
            for place in ranking(role, series, str):
                own = values[int(place.player[1:])]
                better, worse = (sum(way * sign * (each - own) < 0 for each in values) for way in (1, -1))
                assert place.ranks is not None
                # All ranks that are as good as its own: equal players share them.
                is_right &= place.ranks[0] <= 1 + better <= len(values) - worse <= place.ranks[1]
                if place.half is not None:
                    covered.append(abs(place.mean - own - off) <= place.half)
            right[role] += is_right

    assert min(right.values()) >= 0.9 * times
    assert np.mean(covered) >= 0.92


def test_26_games_tell_a_cheat_from_an_honest_codemaker() -> None:
    [cheat, honest] = ranking("codemaker", drawn(1, [(5.2, 0.9)], [2.3, 0.0], 100, 26), str)

    assert [("m0", (1, 1), 13), ("m1", (2, 2), 13)] == [
        (each.player, each.ranks, each.games) for each in (cheat, honest)
    ]


def test_a_codebreaker_that_guesses_at_random_drowns_no_other() -> None:
    players = [(5.2, 0.9), (5.2, 0.9), (3000.0, 3000.0)]
    places = ranking("codemaker", drawn(2, players, [2.3, 0.0], 100, 60), str)

    assert [("m0", (1, 1)), ("m1", (2, 2))] == [(place.player, place.ranks) for place in places]
    assert [True, True] == [place.mean < 9 for place in places]


def test_who_has_a_quarter_of_the_games_stands_below_those_with_all() -> None:
    series = [played("all", maker, [5, 6, 5, 7] * 10) for maker in ("m0", "m1")]
    series += [played("few", "m0", [3] * 20), played("other", "m0", [8, 9] * 20), played("other", "m1", [8, 9] * 20)]
    places = ranking("codebreaker", series, str)

    assert [("all", (1, 1)), ("other", (2, 2)), ("few", None)] == [(place.player, place.ranks) for place in places]
    assert [False, False, True] == [place.is_short for place in places]
    assert "few: 20 games against 1 opponent, too few for a rank" in tournament_text(Tournament(SMALL, 40, 0, series))


def test_of_two_codemakers_with_three_games_the_one_without_a_rank_is_told_why() -> None:
    series = [played("quick", "met by it", [5, 6, 7]), played("other", "met by it", [5, 6])]
    series += [played("random", "met at random", [3000, 9000]), played("quick", "met at random", [5])]
    series += [played("random", "met by it", [4000])]
    found = Tournament(SMALL, 9, 0, series)
    known, unknown = found.codemakers
    text = tournament_text(found)

    assert [6, 3] == [known.games, unknown.games]
    assert unknown.rank is None
    assert 1.0 == round(unknown.counted, 1)  # its game with `quick`, and next to nothing
    assert "met at random: 3 games against 2 opponents, which count as 1.0: too few for a rank" in text
    assert "with codebreakers whose games scatter much" in text
    assert str(SHORT) in unescape(tournament_page(found))
    assert unknown.to_json()["counted"] == unknown.counted


def test_while_most_have_few_games_nobody_is_first_of_one() -> None:
    # At first one codebreaker plays everybody.
    series = [played("quick", f"m{maker}", [6] * 2) for maker in range(7)]
    series += [played(f"b{breaker}", "m0", [4] * 2) for breaker in range(3)]
    found = Tournament(SMALL, 9, 0, series)
    later = replace(found, series=[*series, *(played(f"b{breaker}", "m1", [4] * 9) for breaker in range(3))])

    assert [("quick", None), ("b0", None), ("b1", None), ("b2", None)] == [
        (place.player, place.rank) for place in found.codebreakers
    ]
    assert [True, False, False, False] == [place.is_early for place in found.codebreakers]
    assert str(EARLY) in tournament_text(found)
    assert {None} != {place.rank for place in later.codebreakers}
    assert str(EARLY) not in tournament_text(replace(later, series=later.series[:1] + later.series[7:]))


def test_who_spoils_games_is_told_in_words_and_a_ranking_without_has_no_word_of_it() -> None:
    fault = Fault("crash", "it breaks", "breaks", turns=(), game=4)
    found = Tournament(SMALL, 5, 0, [played("breaks", "honest", [4] * 4, [fault]), played("whole", "honest", [7] * 5)])
    whole = replace(found, series=found.series[1:])

    assert "breaks: 5 games against 1 opponent, 1 game spoiled" in tournament_text(found)
    assert [True, False] == [str(SPOILED) in tournament_text(each) for each in (found, whole)]
    assert [True, False] == [str(SPOILED) in unescape(tournament_page(each)) for each in (found, whole)]


def test_who_was_set_aside_is_not_said_to_have_too_few_games() -> None:
    slow = [Fault("time", "it took long", "slow", turns=(), game=number) for number in (5, 6)]
    found = Tournament(SMALL, 5, 0, [played("slow", "honest", [4] * 5, slow), played("quick", "honest", [5] * 5)])

    assert "slow: 5 games against 1 opponent, set aside and without a rank" in tournament_text(found)
    assert "too few" not in tournament_text(found)


def test_games_against_players_that_guess_at_random_make_nobody_else_short_of_games() -> None:
    series = [played("good", maker, [5, 6] * 10) for maker in ("m0", "m1")]
    series.append(played("random", "m0", [3000, 9000] * 20))

    assert [False, False] == [place.is_short for place in ranking("codemaker", series, str)]


def test_equal_players_share_their_ranks() -> None:
    places = ranking("codebreaker", drawn(3, [(5.5, 0.8)] * 3 + [(9.0, 0.8)], [0.0, 0.0], 50, 300), str)

    assert {(1, 3), (4, 4)} == {place.ranks for place in places}
    assert ["1–3", "1–3", "1–3", "4"] == [rank_text(place) for place in places]


def test_who_is_too_slow_twice_plays_no_more_and_spoils_nothing() -> None:
    slow = [Fault("time", "it took long", "slow", turns=(), game=number) for number in (3, 4)]
    series = [played("slow", "honest", [4, 4, 4], slow), played("quick", "honest", [5] * 5)]
    found = Tournament(SMALL, 5, 0, series)
    once = Tournament(SMALL, 5, 0, [played("slow", "honest", [4, 4, 4, 4], slow[:1])])

    assert [("quick", 1, 0), ("slow", None, 0)] == [
        (place.player, place.rank, place.spoiled) for place in found.codebreakers
    ]
    assert ["slow was set aside (it took long): more time, larger limits, or a smaller board would let it play"] == (
        who_does_not_play(found)
    )
    assert {} == once.set_aside


def test_a_codemaker0_is_told_as_what_it_is() -> None:
    fault = Fault("inconsistent", "no secret fits", "codemaker0.py", turns=("RRVB 1,0",), count=1, game=0)
    games = [played("one", "codemaker0.py", [3] * 9, [fault]), played("one", "honest", [5] * 9)]
    found = Tournament(SMALL, 10, 0, games)
    other = replace(found, series=[played("one", "codemaker0.py", [3] * 9, [replace(fault, turns=("RRVB 1,1",))])])

    assert ["honest"] == [place.player for place in found.codemakers]
    assert [] == what_went_wrong(found)
    assert "codemaker0.py counts well placed pegs alone" in tournament_text(found)
    assert {} == other.set_aside  # it counts misplaced pegs, too: that no secret fits is a mistake


def test_games_lost_at_the_limit_make_no_mean_smaller() -> None:
    limited = Rules.parse("3x4/course/limit=6")
    loses, finds = (Series(limited, name, "honest", 0, 4, [0, 1, 2, 3]) for name in ("loses", "finds"))
    loses.guesses, finds.guesses = [3, 0, 0, 3], [4, 5, 4, 5]

    assert [("finds", 4.5), ("loses", 5.0)] == [
        (place.player, place.mean) for place in ranking("codebreaker", [loses, finds], str)
    ]


def test_a_thread_that_fails_ends_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, stopped = project(tmp_path / "one", "common.py", "codebreaker0.py"), list[bool]()

    def fails(*_: object) -> None:
        raise InputError("no process can be started")

    monkeypatch.setattr("entropeg.classroom.tournament.rounds.play_on", fails)
    leave = TournamentRounds.__exit__

    def left(self: TournamentRounds, *error: object) -> None:
        stopped.append(self._stop.is_set())
        leave(self, *error)

    monkeypatch.setattr(TournamentRounds, "__exit__", left)
    with pytest.raises(InputError, match="no process can be started"):
        play_tournament([folder], SMALL, games=2, jobs=2)

    assert [True] == stopped


# ------------------------------------------------------------------ on the wall


def test_the_page_on_the_wall_shows_a_game_turn_by_turn_and_ends_on_the_ranking_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A page that took long to write is written again after nine times as long: here none takes any time.
    monkeypatch.setattr("entropeg.classroom.live_file.monotonic", lambda: 0.0)
    folder, file = project(tmp_path / "one", "common.py", "codebreaker2.py", "codemaker1.py"), tmp_path / "wall.html"
    written = list[str]()
    with LivePage(file, SMALL, every=0.0) as page:
        written.append(file.read_text(encoding="utf-8"))

        def watch(*now: Any) -> None:
            page.put(*now)
            written.append(file.read_text(encoding="utf-8"))

        found = play_tournament([folder], SMALL, games=30, jobs=1, watch=watch)

    assert "A game is shown here as soon as one is over." in written[0]
    assert all('<meta http-equiv="refresh" content="2">' in each for each in written)
    assert re.search(r"3x4/<wbr>course, \d+ of 90 games, at ", written[-1])
    assert "codebreaker2<wbr>.py against " in written[-1]
    assert "Guess 1: " in written[-1]
    assert not re.search(r"(?:src|href)=|url\(|<script|@import", written[-1])
    assert "refresh" not in tournament_page(found, on_wall=True)
    assert tournament_page(found).index("mean of its means") < tournament_page(found).index("fewest guesses first")
    assert (end := tournament_page(found, on_wall=True)).index("mean of its means") > end.index("fewest guesses first")


def test_a_page_whose_tournament_fails_loads_itself_no_longer(tmp_path: Path) -> None:
    with pytest.raises(InputError), LivePage(tmp_path / "wall.html", SMALL):
        raise InputError("nobody can play")
    text = (tmp_path / "wall.html").read_text(encoding="utf-8")

    assert "refresh" not in text
    assert "It was stopped." in text


def test_intervals_on_the_wall_shrink_with_games_and_their_scale_holds_all() -> None:
    def widths(games: int) -> list[float]:
        series = drawn(4, [(5.2, 0.9), (6.5, 0.9)], [0.0, 1.0], 100, games)
        page = live_page(Tournament(SMALL, 100, 0, series), TournamentStanding("a", 1, 2), None, 0)
        bars = re.findall(r'<rect x="([\d.]+)" y="2" width="([\d.]+)"', page)
        assert all(0 <= float(left) <= float(left) + float(width) <= 101 for left, width in bars)
        return [place.half or inf for place in ranking("codebreaker", series, str)]

    assert max(widths(300)) < min(widths(40))


def test_names_of_players_stand_on_the_wall_as_they_are() -> None:
    watched = Watched("<b>.py", "honest", 6, [[(0, 0, 1), (1, 1)], [(0, 1, 0), (3, 0)]])
    page = live_page(Tournament(SMALL, 9, 0), TournamentStanding("<b>.py against honest", 1, 2), watched, 1)

    assert "Game 7: &lt;b&gt;.py against honest" in page
    assert "<b>" not in page
    assert page.count("Guess 1: ") > page.count("Guess 2: ") == 0


def test_the_command_shows_its_page_while_it_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, shown = project(tmp_path / "one", "common.py", "codebreaker2.py"), list[str]()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("entropeg.cli.commands.classroom.show_page", shown.append)
    result = typed("tournament", "one", "--live", "--games", "2", "--rules", "3x4")
    page = (tmp_path / "tournament.html").read_text(encoding="utf-8")

    assert [(tmp_path / "tournament.html").as_uri()] == shown
    assert "the page of the tournament is tournament.html" in result.stderr
    assert "refresh" not in page
    assert "Codemakers, most guesses first" in page
    assert folder.exists()
    assert 2 == typed("tournament", "one", "--live", "--html", "-").exit_code
