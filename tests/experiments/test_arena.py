"""The arena: the same games however they are played, and the figures that are known."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from entropeg import codebreakers, codemakers
from entropeg.codes import random_guess, random_secret, secrets
from entropeg.errors import InputError
from entropeg.executors.processes import ProcessCrew
from entropeg.experiments import runner, tasks
from entropeg.experiments._plain_streams import DIFFERENT, REPEATED
from entropeg.experiments.batch import blind_plain, task_for, way
from entropeg.experiments.export import runs_data
from entropeg.experiments.match import Match, game_seed, game_seeds
from entropeg.experiments.results import Statistics
from entropeg.experiments.runner import Interrupted, Ledger, Progress, arena, replay
from entropeg.experiments.sharing import ItemTask
from entropeg.experiments.streams import BREAKER, MAKER, Draw, can_draw, draw_codes, guess_draw, secret_draw, streams
from entropeg.experiments.tasks import Chunk, GameTask, KernelTask
from entropeg.feedback import Code
from entropeg.kernels import switch
from entropeg.loop import generators, play
from entropeg.position import Position
from entropeg.rules import Rules
from rooms import cases

COURSE = Rules.parse("4x8")
BOARDS = [
    "3x4",
    "1x1",
    "2x3/black",
    "3x4/membership",
    "3x4/positional",
    "3x5/no-repeats",
    "3x4/no-repeats/guess-repeats",
    "3x3/blanks",
    "2x4/blanks-in-secrets",
    "3x4/limit=3",
    "3x4/positional/limit=2",
    "2x5/blanks/membership",
    "3x4/no-repeats/blanks",
    "3x4/no-repeats/blanks-in-secrets/black",
    "3x3/no-repeats/blanks-in-secrets/guess-repeats/positional",
    "3x4/shapes=2",
    "2x6/shapes=3/no-repeats",
]
PAIRS = [
    ("random", "honest", "blind"),
    ("memory", "honest", "blind"),
    ("consistent", "honest", "consistent"),
    ("consistent", "cheat", "consistent"),
    ("consistent", "cheat:first", "consistent"),
    ("first-consistent", "honest", "tree"),
    ("first-consistent", "cheat", "tree"),
    ("first-consistent", "cheat:first", "tree"),
    ("random", "cheat", "cheated"),
    ("memory", "cheat:first", "cheated"),
    ("memory", "biased", "blind"),
    ("consistent", "biased", "consistent"),
    ("first-consistent", "biased", "tree"),
]
GAMES = cases(6, 15)
"""Of each pair on each board: 1,326 in each run."""


def lengths_by_loop(match: Match, games: int) -> list[int]:
    """Return the numbers of guesses of the first games, 0 for a lost one, played one by one."""
    played = [match.play(game) for game in range(games)]
    return [len(game) if game.outcome == "won" else 0 for game in played]


def finish(tasks: list[GameTask], games: int, budget: float) -> list[int]:
    """Work off tasks in the order in which they lie."""
    lengths = np.full(games, -1)
    while tasks:
        chunk, left = tasks.pop(0).run(budget)
        lengths[chunk.games] = chunk.guesses
        tasks += left
    return lengths.tolist()


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("breaker", "maker", "expected_way"), PAIRS)
def test_batches_play_the_very_games_of_the_general_loop(
    board: str, breaker: str, maker: str, expected_way: str
) -> None:
    match = Match(breaker, maker, Rules.parse(board), seed=3)

    assert expected_way == way(match)
    assert lengths_by_loop(match, GAMES) == finish([task_for(match, np.arange(GAMES))], GAMES, 10.0)


@pytest.mark.parametrize("options", ["", "/free-guesses", "/probes={probes}"])
@pytest.mark.parametrize(("breaker", "maker", "expected_way"), PAIRS)
def test_batches_play_the_very_games_of_the_loop_with_words(
    tmp_path: Path, options: str, breaker: str, maker: str, expected_way: str
) -> None:
    (tmp_path / "words").write_text("bat\ncat\ntab\nact\nbaa\ntta\n")
    (tmp_path / "probes").write_text("cab\ntat\nabc\n")
    rules = Rules.parse(f"words:{tmp_path}/words{options.format(probes=tmp_path / 'probes')}")
    match = Match(breaker, maker, rules, seed=6)

    assert expected_way == way(match)
    assert lengths_by_loop(match, 15) == finish([task_for(match, np.arange(15))], 15, 10.0)


@pytest.mark.parametrize("breaker", ["random", "memory"])
@pytest.mark.parametrize(
    "board",
    ["3x4", "1x1", "2x3/black", "3x4/no-repeats/guess-repeats", "2x4/blanks", "3x4/limit=3", "4x8", "4x8/limit=900"],
)
def test_blind_games_are_the_same_without_kernels(board: str, breaker: str) -> None:
    match = Match(breaker, "honest", Rules.parse(board), seed=8)
    compiled = finish([task_for(match, np.arange(30))], 30, 10.0)
    switch.use("no")
    task = task_for(match, np.arange(30))

    assert isinstance(task, KernelTask)
    assert task.kernel is blind_plain
    assert compiled == finish([task], 30, 10.0)


@pytest.mark.parametrize("breaker", ["random", "memory"])
def test_blind_games_with_words_are_the_same_without_kernels(tmp_path: Path, breaker: str) -> None:
    (tmp_path / "words").write_text("bat\ncat\ntab\nact\nbaa\ntta\n")
    match = Match(breaker, "honest", Rules.parse(f"words:{tmp_path}/words"), seed=6)
    switch.use("no")

    assert lengths_by_loop(match, 15) == finish([task_for(match, np.arange(15))], 15, 10.0)


@pytest.mark.parametrize("draw", [guess_draw, secret_draw])
@pytest.mark.parametrize(
    "board", ["5x7/no-repeats/blanks-in-secrets", "9x30/no-repeats/blanks-in-secrets", "4x9", "7x9/no-repeats"]
)
def test_codes_are_drawn_as_numpy_draws_them(board: str, draw: Callable[[Rules], Draw]) -> None:
    rules, seeds = Rules.parse(board), np.arange(200, dtype=np.uint64)
    drawn = draw_codes(streams(seeds, MAKER), draw(rules), rules.pegs)
    by_numpy = random_guess if draw is guess_draw else random_secret

    assert [by_numpy(rules, generators(seed)[MAKER]) for seed in range(200)] == list(map(tuple, drawn.T.tolist()))


@pytest.mark.parametrize("breaker", ["random", "memory", "consistent", "first-consistent"])
@pytest.mark.parametrize("board", ["3x4", "3x5/no-repeats", "2x4/blanks-in-secrets"])
def test_batches_hide_every_secret_once_as_the_general_loop_does(breaker: str, board: str) -> None:
    rules = Rules.parse(board)
    match = Match(breaker, "honest", rules, seed=4, all_secrets=True)
    games = rules.secret_count

    assert list(secrets(rules)) == [match.play(game).secret for game in range(games)]
    assert lengths_by_loop(match, games) == finish([task_for(match, np.arange(games))], games, 10.0)


@given(strategies.rules(max_codes=2000, max_pegs=6), st.sampled_from(PAIRS), st.integers(0, 2**70))
@settings(max_examples=30)
def test_batches_play_the_games_of_the_loop_under_any_rules(
    rules: Rules, pair: tuple[str, str, str], seed: int
) -> None:
    assume(rules.guess_count <= 200 or pair[0] not in {"random", "memory"})
    match = Match(pair[0], pair[1], rules, seed)

    assert lengths_by_loop(match, 4) == finish([task_for(match, np.arange(4))], 4, 10.0)


@pytest.mark.parametrize(("breaker", "maker", "expected_way"), PAIRS)
def test_a_task_cut_into_the_smallest_pieces_gives_the_same_games(breaker: str, maker: str, expected_way: str) -> None:
    match = Match(breaker, maker, Rules.parse("3x4"), seed=5)
    whole = task_for(match, np.arange(12))
    pieces = [part for piece in whole.split(5) for part in piece.split(3)]

    assert 12 == sum(piece.size for piece in pieces)
    assert finish([whole], 12, 10.0) == finish(pieces, 12, 0.0)


def test_a_kernel_plays_as_many_games_a_call_as_take_a_tenth_of_a_second() -> None:
    task = task_for(Match("consistent", "honest", Rules.parse("4x6")), np.arange(10_000))

    assert isinstance(task, KernelTask)
    assert 10_000_000 // 6**4 == task.block


@pytest.mark.parametrize(
    ("breaker", "maker", "board", "expected_way"),
    [
        # A mark for each code, four bytes: up to 64 MB of them. `random` needs none against a secret.
        ("memory", "honest", "4x64", "blind"),
        ("memory", "honest", "4x65", "loop"),
        ("random", "honest", "4x65", "blind"),
        ("random", "cheat", "4x64", "cheated"),
        ("random", "cheat", "4x65", "loop"),
        # Beyond this, one game takes seconds.
        ("random", "honest", "4x128", "blind"),
        ("random", "honest", "4x129", "loop"),
    ],
)
def test_boards_of_too_many_codes_for_a_batch_are_played_by_the_loop(
    breaker: str, maker: str, board: str, expected_way: str
) -> None:
    assert expected_way == way(Match(breaker, maker, Rules.parse(board)))


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        ("2x10000/no-repeats", True),
        ("2x10001/no-repeats", False),
        ("17x10/blanks", True),
        ("18x10/blanks", False),
        ("18x11", True),
    ],
)
def test_kernels_draw_from_ranges_that_numpy_samples_alike(board: str, expected: bool) -> None:
    assert expected == can_draw(Rules.parse(board))


@pytest.mark.parametrize("board", BOARDS)
def test_weights_of_a_draw_are_of_the_type_that_kernels_are_compiled_for(board: str) -> None:
    rules = Rules.parse(board)

    assert [np.int64, np.int64] == [draw(rules).weights.dtype for draw in (guess_draw, secret_draw)]


def test_players_of_ours_warm_up_once_on_a_tiny_board(monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[Rules] = []
    monkeypatch.setattr(tasks, "_WARM", set())
    monkeypatch.setattr(Match, "play", lambda match, _: played.append(match.rules))
    for board in ("4x8", "5x7", "4x8/blanks"):
        tasks.warm_up(Match("minimax", "honest", Rules.parse(board)))

    assert [Rules.parse("2x3/limit=8"), Rules.parse("2x3/limit=8/blanks")] == played


def test_things_to_do_are_shared_out_in_pieces_of_equal_size() -> None:
    task = ItemTask(tuple(enumerate("abcdefg")), str.upper)

    assert ["abc", "def", "g"] == ["".join(item for _, item in piece.items) for piece in task.split(3)]


@pytest.mark.parametrize("maker", ["honest:ABCA", "honest:DDDD"])
def test_a_secret_that_is_given_is_kept(maker: str) -> None:
    match = Match("first-consistent", maker, Rules.parse("4x4"))

    assert (
        lengths_by_loop(match, 3) == arena("first-consistent", maker, Rules.parse("4x4"), games=3)[0].guesses.tolist()
    )


def test_a_player_of_a_derived_class_is_not_taken_for_its_base() -> None:
    class Stubborn(type(codebreakers.get("random"))):  # type: ignore[misc]  # a class made at run time
        def guess(self, position: Position, rng: np.random.Generator) -> Code:
            return (1, 1)

    assert "loop" == way(Match(Stubborn(), "honest", Rules.parse("2x2/limit=1")))


@pytest.mark.usefixtures("both_ways")
@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32, 2**53 - 1])
def test_generators_made_in_bulk_are_those_of_the_general_loop(seed: int) -> None:
    for role, generator in zip((BREAKER, MAKER), generators(seed), strict=True):
        row = streams(np.array([7, seed], dtype=np.uint64), role)[1].tolist()
        state = generator.bit_generator.state["state"]

        assert state == {"state": row[0] << 64 | row[1], "inc": row[2] << 64 | row[3]}


@pytest.mark.usefixtures("both_ways")
@pytest.mark.parametrize("symbols", [1, 2, 3, 7, 8, 255, 3_000_000_000, 2**32 - 1])
def test_kernels_draw_the_numbers_that_numpy_draws(symbols: int) -> None:
    generator, rng = generators(11)[0], streams(np.array([11], dtype=np.uint64), BREAKER)
    nothing = np.zeros(0, np.int64)
    draw = Draw(REPEATED, symbols, nothing, nothing[:, None])
    drawn = [draw_codes(rng, draw, 3)[:, 0].tolist() for _ in range(50)]

    assert [generator.integers(symbols, size=3).tolist() for _ in range(50)] == drawn


@pytest.mark.parametrize(("pegs", "symbols"), [(1, 1), (1, 9), (4, 4), (4, 10), (12, 40), (3, 10_000)])
def test_kernels_draw_the_codes_without_repeats_that_numpy_draws(pegs: int, symbols: int) -> None:
    generator, rng = generators(12)[0], streams(np.array([12], dtype=np.uint64), BREAKER)
    nothing = np.zeros(0, np.int64)
    draw = Draw(DIFFERENT, symbols, nothing, nothing[:, None])
    drawn = [draw_codes(rng, draw, pegs)[:, 0].tolist() for _ in range(50)]

    assert [generator.choice(symbols, size=pegs, replace=False).tolist() for _ in range(50)] == drawn


def test_the_seed_of_a_game_depends_on_seed_and_number_alone() -> None:
    many = game_seeds(9, np.arange(100_000))

    assert [game_seed(9, game) for game in (0, 1, 99_999)] == many[[0, 1, 99_999]].tolist()
    assert 100_000 == len(np.unique(many))
    assert game_seed(9, 0) != game_seed(10, 0)
    assert int(many.max()) < 2**53


def test_first_consistent_takes_7471_guesses_over_all_secrets_of_4x6() -> None:
    run = arena("first-consistent", "honest", Rules.parse("4x6"), all_secrets=True)[0]
    facts = run.statistics

    assert 7471 == facts.total
    assert {1: 1, 2: 4, 3: 25, 4: 108, 5: 305, 6: 602, 7: 196, 8: 49, 9: 6} == facts.histogram
    assert (True, None, 1296, 9, 6.0) == (facts.exact, facts.interval, facts.count, facts.worst, facts.median)


@pytest.mark.parametrize(("breaker", "mean"), [("random", 4096), ("memory", 2048.5)])
def test_means_of_chance_on_4x8_lie_in_the_interval(breaker: str, mean: float) -> None:
    interval = arena(breaker, "honest", COURSE, games=1000)[0].statistics.interval

    assert interval is not None
    assert interval[0] < mean < interval[1]


def test_consistent_takes_about_a_third_more_guesses_against_the_cheat() -> None:
    honest, cheat = arena("consistent", ["honest", "cheat"], COURSE, games=3000)

    assert 7.34 == pytest.approx(cheat.statistics.mean, abs=0.05)
    assert 1.36 == pytest.approx(cheat.statistics.mean / honest.statistics.mean, abs=0.02)


@pytest.mark.parametrize("breaker", ["consistent", "first-consistent", "random"])
def test_the_cheat_always_leaves_a_candidate(breaker: str) -> None:
    rules = Rules.parse("3x4")
    for run in arena(breaker, ["cheat", "cheat:first"], rules, games=5):
        for number in range(5):
            turns = replay(run, number).turns

            assert all(len(Position(rules, turns[:turn]).candidates) for turn in range(len(turns) + 1))


def test_every_game_of_a_run_can_be_replayed() -> None:
    for run in arena(["random", "consistent", "first-consistent"], ["honest", "cheat"], Rules.parse("3x4"), games=6):
        games = [replay(run, number) for number in range(6)]

        assert run.guesses.tolist() == [len(game) for game in games]
        players = codebreakers.get(run.codebreaker), codemakers.get(run.codemaker)
        assert games[5] == play(*players, run.rules, game_seed(run.seed, 5))
    with pytest.raises(InputError, match="its games are 0 to 5"):
        replay(run, 6)


def test_pairs_come_in_order_and_lists_or_single_players_are_taken() -> None:
    runs = arena(
        [codebreakers.get("consistent"), "first-consistent"], ("honest", "cheat:first"), Rules.parse("2x3"), games=2
    )
    names = [(run.codebreaker, run.codemaker) for run in runs]

    assert names == [(a, b) for a in ("consistent", "first-consistent") for b in ("honest", "cheat:first")]


@dataclass(frozen=True)
class Foreign:
    """A codebreaker that only this file knows."""

    wait: float = 0.0

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        time.sleep(self.wait)
        candidates = position.candidates
        return candidates[int(rng.integers(len(candidates)))]


class Offering:
    """A codemaker that always hides the same code, and is no built-in one."""

    name = "offering"

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code:
        return (0,) * rules.pegs

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> Any:
        return codemakers.get("honest").answer(position, guess, secret, rng)


def test_foreign_players_play_by_the_loop_and_by_the_tree() -> None:
    rules = Rules.parse("3x4")
    loop, tree, whole = (
        arena(Foreign(), "honest", rules, games=8, seed=2)[0],
        arena("first-consistent", Offering(), rules, games=8)[0],
        arena("first-consistent", Offering(), rules, all_secrets=True)[0],
    )

    assert ("Foreign", "offering") == (loop.codebreaker, tree.codemaker)
    assert arena("consistent", "honest", rules, games=8, seed=2)[0].guesses.tolist() == loop.guesses.tolist()
    assert [1] * 8 == tree.guesses.tolist()
    assert arena("first-consistent", "honest", rules, all_secrets=True)[0].guesses.tolist() == whole.guesses.tolist()


def test_results_are_the_same_on_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    plan: dict[str, Any] = {"games": 60, "seed": 8}
    breakers, makers = ["random", "consistent", "first-consistent"], ["honest", "cheat"]
    alone = arena(breakers, makers, Rules.parse("3x4"), jobs=1, **plan)
    monkeypatch.setattr(ProcessCrew, "worth", 0.0)
    monkeypatch.setattr(runner, "SLICE", 0.001)
    started: list[int] = []

    def start(crew: ProcessCrew, *, start: Any = ProcessCrew._start) -> Any:
        started.append(crew.count)
        return start(crew)

    monkeypatch.setattr(ProcessCrew, "_start", start)
    together = arena(breakers, makers, Rules.parse("3x4"), jobs=2, **plan)

    assert {2} == set(started)
    assert [run.guesses.tolist() for run in alone] == [run.guesses.tolist() for run in together]


def test_one_game_starts_no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ProcessCrew, "worth", 0.0)
    monkeypatch.setattr(runner, "SLICE", 0.0)
    monkeypatch.setattr(ProcessCrew, "_start", lambda _: pytest.fail("a process for one game"))

    for board, expected_way in (("3x4", "tree"), ("20x20", "loop")):
        assert expected_way == way(Match("dichotomy", "honest", Rules.parse(board)))
        assert 1 == arena("dichotomy", "honest", Rules.parse(board), games=1, jobs=2)[0].statistics.count


def test_progress_goes_up_to_the_number_of_games() -> None:
    told: list[Progress] = []
    runs = arena(Foreign(0.02), "honest", Rules.parse("2x3"), games=20, progress=told.append)

    assert Progress(("Foreign", "honest"), 0, 20, counts=()) == told[0]
    assert (
        Progress(("Foreign", "honest"), 20, 20, counts=tuple(sorted(runs[0].statistics.histogram.items()))) == told[-1]
    )
    assert sorted(told) == told


def test_an_interrupt_hands_back_the_games_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(progress: Progress) -> None:
        if progress.run[0] == "Foreign" and progress.done:
            raise KeyboardInterrupt

    monkeypatch.setattr(runner, "SLICE", 0.01)
    with pytest.raises(Interrupted) as caught:
        arena(["consistent", Foreign(0.02)], "honest", Rules.parse("2x3"), games=50, progress=stop)
    first, second = caught.value.runs

    assert (True, False) == (first.complete, second.complete)
    assert 0 < len(second.games) < 50
    assert [len(replay(second, game, codebreaker=Foreign())) for game in second.games] == second.guesses.tolist()


def test_lost_games_are_counted_apart() -> None:
    facts = arena("random", "honest", Rules.parse("2x4/limit=3"), games=400)[0].statistics

    assert 400 == facts.count == facts.won + facts.lost
    assert facts.won == sum(facts.histogram.values())
    assert {1, 2, 3} == set(facts.histogram)
    assert 1 - (15 / 16) ** 3 == pytest.approx(facts.won / 400, abs=0.07)


@pytest.mark.parametrize("promises", [False, True])
def test_times_are_of_the_processor_and_of_the_processes_of_players(
    monkeypatch: pytest.MonkeyPatch, *, promises: bool
) -> None:
    class Helped:
        deterministic, used = promises, 0.0

        def processor_seconds(self, rules: Rules) -> float:
            return self.used

        def guess(self, position: Position, rng: np.random.Generator) -> Code:
            self.used += 0.25
            return position.candidates[0]

    player = Helped()
    monkeypatch.setattr("time.process_time", lambda: 7.0)  # the clock goes on
    [run] = arena(player, "honest", "3x4", games=5)

    assert player.used == run.seconds == run.statistics.seconds_per_game * 5 == runs_data([run])["runs"][0]["seconds"]


def test_statistics_without_a_game_won_say_so() -> None:
    data = Statistics.of(np.zeros(3, dtype=np.int32)).to_json()

    assert (3, 0, 3) == (data["count"], data["won"], data["lost"])
    assert (None, None, None, 0) == (data["mean"], data["median"], data["interval"], data["worst"])


def test_the_interval_is_that_of_student() -> None:
    interval = Statistics.of(np.array([4, 6, 5, 5, 0])).interval

    # mean 5, sample variance 2/3, standard error sqrt(2/3/4), 3 degrees of freedom
    assert interval == pytest.approx((5 - 3.182 * (1 / 6) ** 0.5, 5 + 3.182 * (1 / 6) ** 0.5))


@pytest.mark.parametrize("games", [3, 5, 30])
def test_an_interval_holds_the_mean_of_the_whole_in_95_of_100_samples(games: int) -> None:
    whole = arena("first-consistent", "honest", "4x6", all_secrets=True)[0].guesses
    rng, mean = np.random.default_rng(2026), float(whole.mean())
    drawn = [Statistics.of(rng.choice(whole, games)) for _ in range(4000)]
    given = [found.interval for found in drawn if found.interval is not None]

    assert 0.94 < sum(low <= mean <= high for low, high in given) / len(given)
    assert all((found.interval is None) == (len(found.histogram) == 1) for found in drawn)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"games": 0}, "at least 1"),
        ({"jobs": 0}, "at least 1"),
        ({"seed": -1}, "the seed is -1; it must be at least 0"),
        ({"codemakers": "cheat", "all_secrets": True}, "settles on no secret"),
        ({"codemakers": "honest:AAA", "all_secrets": True}, "a secret of its own"),
        ({"codebreakers": "minimix"}, "no codebreaker called"),
        ({"codemakers": "honest:ABCDA"}, "3x4 has 3"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(options: dict[str, Any], message: str) -> None:
    plan = {"codebreakers": "consistent", "codemakers": "honest", "rules": Rules.parse("3x4"), **options}

    with pytest.raises(InputError, match=message):
        arena(**plan)


def test_an_illegal_guess_ends_the_run_with_its_reason() -> None:
    class Wrong:
        deterministic = True

        def guess(self, position: Position, rng: np.random.Generator) -> Code:
            return (0, 9, 0)

    with pytest.raises(InputError, match="the codebreaker Wrong made an illegal guess"):
        arena(Wrong(), "honest", Rules.parse("3x4"), games=2)


def test_a_run_prints_on_a_line_and_with_its_histogram() -> None:
    runs = arena("first-consistent", "honest", "3x3", all_secrets=True)

    assert "[<Run of first-consistent against honest on 3x3: 27 secrets, mean 3.2963, exact, worst 5>]" == repr(runs)
    assert ["first-consistent against honest on 3x3: 27 secrets, mean 3.2963, exact, worst 5", "1"] == [
        line[:88].split("  ")[0] for line in str(runs[0]).splitlines()[:2]
    ]
    assert 5 == len(runs[0].statistics.bars())


def test_runs_are_tables_for_notebooks_and_for_data_frames() -> None:
    runs = arena("consistent", ["honest", "cheat"], "3x3", games=20)

    assert [run.to_dict() for run in runs] == runs.frame().to_dicts()
    assert 40 == runs.games().height
    assert runs.games()["guesses"].sum() == sum(run.statistics.total for run in runs)
    assert ["<table>", "<table>"] == [shown._repr_html_()[:7] for shown in (runs, runs[0])]


def test_runs_stay_runs_when_they_are_cut_and_added() -> None:
    runs = arena("consistent", ["honest", "cheat"], "3x3", games=2)
    both = runs[1:] + runs[:1]

    assert ["cheat", "honest"] == both.frame()["codemaker"].to_list()
    assert runs[-1] is both[0]


def test_columns_have_the_same_kind_where_every_game_was_lost() -> None:
    won, lost = arena("consistent", "honest", "3x3", games=5), arena("random", "honest", "9x9/limit=1", games=2)

    assert won.frame().schema == lost.frame().schema
    assert won.games().schema == lost.games().schema == lost[:0].games().schema


@pytest.mark.parametrize("histogram", [{3: 1}, {1: 5, 24: 1}, {1: 5, 25: 1}, {7: 1, 100_000: 3}, {}])
def test_a_histogram_in_text_has_every_game_and_fits_a_screen(histogram: dict[int, int]) -> None:
    guesses = np.repeat(list(histogram), list(histogram.values())).astype(np.int64)
    lines = Statistics.of(guesses).bars()
    games = [int(line.split("  ", 1)[1].split()[0].replace(",", "")) for line in map(str.strip, lines)]

    assert sum(histogram.values()) == sum(games)
    assert len(lines) <= 24
    assert all(len(line) <= 80 for line in lines)


def test_a_game_that_takes_long_tells_its_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Progress] = []
    quiet = arena(Foreign(), "honest", "3x4", games=3, jobs=1)[0]
    monkeypatch.setattr(tasks, "TURNS_EVERY", 0.0)
    monkeypatch.setattr(runner, "REPORT_EVERY", -1.0)
    run = arena(Foreign(), "honest", "3x4", games=3, jobs=1, progress=told.append)[0]

    assert quiet.guesses.tolist() == run.guesses.tolist()
    assert [(turn,) for guesses in run.guesses for turn in range(1, guesses + 1)] == [
        progress.turns for progress in told if progress.turns
    ]
    assert () == told[-1].turns


def test_short_games_tell_no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Progress] = []
    monkeypatch.setattr(tasks, "TURNS_EVERY", math.inf)
    monkeypatch.setattr(runner, "REPORT_EVERY", -1.0)
    arena(Foreign(), "honest", "3x4", games=3, jobs=1, progress=told.append)

    assert {()} == {progress.turns for progress in told}


class Patient:
    """A codebreaker that goes on with a game, beside the main thread, once its first turn was told."""

    heard = threading.Event()

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if not position.turns:
            return (1, 1, 1)
        if threading.current_thread() is not threading.main_thread():
            self.heard.wait(120)
        return (0, 0, 0)


def test_games_of_other_workers_tell_their_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Progress] = []

    def hear(progress: Progress) -> None:
        told.append(progress)
        if progress.done and progress.turns:
            Patient.heard.set()

    monkeypatch.setattr(tasks, "TURNS_EVERY", 0.0)
    monkeypatch.setattr(runner, "SLICE", 0.0)
    monkeypatch.setattr(runner, "REPORT_EVERY", -1.0)
    run = arena(Patient(), Offering(), "3x4", games=5, executor="threads:2", progress=hear)[0]

    assert [2] * 5 == run.guesses.tolist()
    assert Patient.heard.is_set()
    assert {1, 2} >= {turn for progress in told for turn in progress.turns}


def chunk_of(games: list[int], seconds: float) -> Chunk:
    return Chunk(np.array(games), np.array([3] * len(games), np.int32), seconds, seconds)


@pytest.mark.parametrize(
    ("chunks", "left"),
    [
        ([], None),
        ([([0], 20.0)], None),  # perhaps the compiler
        ([([0], 20.0), ([1, 2], 4.0)], 2.0 * 97),
        ([([0], 20.0), ([1, 2], 4.0), ([3], 5.0)], 3.0 * 96),
        ([([0], 262.0)], 262.0 * 99),
        ([([0], 1.0), (list(range(1, 100)), 4.0)], None),  # nothing is left
    ],
)
def test_games_played_foretell_the_others(chunks: list[tuple[list[int], float]], left: float | None) -> None:
    ledger = Ledger(Match("random", "honest", Rules.parse("3x4")), 100, None, None)
    for games, seconds in chunks:
        ledger.add(chunk_of(games, seconds))

    assert left == ledger.left
