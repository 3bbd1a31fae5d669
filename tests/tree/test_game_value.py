"""The value of the game, both sides held to plain searches that share no code with it."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import naive
from entropeg import Position, Rules, cli, codebreakers, codemakers, optimal, play
from entropeg.cli.commands import value as program
from entropeg.cli.progress import Stand
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.search.known import known_values
from entropeg.search.results import Value
from entropeg.signals import INTERRUPTED
from entropeg.symmetry import kind_numbers, opening_classes, opening_numbers
from entropeg.tree import GameValue, game_value
from entropeg.tree.game_value import _ValueSearch, solve_game
from entropeg.tree.optimum import Optimum
from strategies import rules as drawn_rules

Code = tuple[int, ...]


def least_by_trying(kind: int, every: Sequence[Code], chances: dict[Code, Fraction]) -> Fraction:
    """The fewest guesses to expect of any strategy where the secret is drawn by these chances."""

    @cache
    def least(left: tuple[Code, ...]) -> Fraction:
        if not left:
            return Fraction(0)
        here, best = sum((chances[code] for code in left), Fraction(0)), None
        for guess in every:
            parts = defaultdict(list)
            for code in left:
                if code != guess:
                    parts[naive.score(kind, guess, code)].append(code)
            if guess in left or len(parts) > 1:
                cost = here + sum((least(tuple(part)) for part in parts.values()), Fraction(0))
                best = cost if best is None else min(best, cost)
        assert best is not None
        return best

    return least(tuple(code for code, chance in chances.items() if chance))


def most_by_playing(kind: int, found: GameValue) -> list[Fraction]:
    """The guesses that each class of secrets takes in the mean, each code played through each tree as it says."""
    numbered = {}
    for number, one in enumerate(found.classes):
        colors = sorted(map(one.code.count, set(one.code)))
        numbered[tuple(colors)] = number
    sums = [Fraction(0)] * len(found.classes)
    for mixed in found.trees:
        for secret in secrets(found.rules):
            node, turns = 0, 1
            while (guess := mixed.tree.code(node)) != secret:
                label = naive.score(kind, guess, secret)
                node = next(child for by, child in mixed.tree.children(node) if by == label)
                turns += 1
            number = numbered[tuple(sorted(map(secret.count, set(secret))))]
            sums[number] += mixed.chance * turns / found.classes[number].size
    return sums


def chances_of(found: GameValue) -> dict[Code, Fraction]:
    total = sum(found.weights.values())
    return {code: Fraction(weight, total) for code, weight in found.weights.items()}


BOARDS = [
    "1x1",
    "1x4",
    "2x2",
    "2x3",
    "2x4",
    "2x5",
    "3x2",
    "3x3",
    "4x2",
    "2x3/no-repeats",
    "3x4/no-repeats",
    "3x3/black",
]


@pytest.mark.parametrize("board", BOARDS)
def test_both_sides_make_sure_of_the_value(board: str) -> None:
    rules, found = Rules.parse(board), game_value(board)

    assert found.is_exact
    assert found.lower == least_by_trying(rules.kind, list(guesses(rules)), chances_of(found))
    assert found.upper == max(most_by_playing(rules.kind, found))
    assert 1 == sum(found.chances) == sum(one.chance * one.size for one in found.classes)


@given(drawn_rules(max_codes=16, max_pegs=3, max_colors=4).map(lambda rules: rules.with_limit(None)))
def test_the_codemaker_makes_sure_of_the_value_under_all_kinds_of_rules(rules: Rules) -> None:
    found = game_value(rules)

    assert found.is_exact
    assert found is found.check()
    assert found.lower == least_by_trying(rules.kind, list(guesses(rules)), chances_of(found))


@pytest.mark.parametrize(
    ("board", "value"), [("3x4", "219/68"), ("4x3", "67/22"), ("4x6", "560/129"), ("8x2", "317/70")]
)
def test_settled_boards(board: str, value: str) -> None:
    found = game_value(board).check()

    assert (Fraction(value), Fraction(value)) == (found.lower, found.upper)
    assert any(known.strategy == "value of the game" for known in known_values(board))


def test_a_search_without_a_strategy_leaves_a_quick_one(monkeypatch: pytest.MonkeyPatch) -> None:
    right = _ValueSearch._best_reply

    def without(self: _ValueSearch, chances: Sequence[Fraction]) -> Optimum:
        found = right(self, chances)
        self.lower /= 2
        return replace(found, root=None, value=Value(1, None))

    monkeypatch.setattr(_ValueSearch, "_best_reply", without)
    left = game_value("3x3")

    assert not left.is_exact
    assert left.upper == max(most_by_playing(Rules.parse("3x3").kind, left))


def test_kinds_of_openings_are_as_many_as_openings_that_differ() -> None:
    for board in ("4x6", "3x4/blanks", "4x5/no-repeats", "3x4/black", "8x2", "3x3/positional"):
        rules = Rules.parse(board)
        numbers, kinds = opening_numbers(guesses(rules)), kind_numbers(Position(rules), guesses(rules))

        assert len(set(zip(numbers.tolist(), kinds.tolist(), strict=True))) == len(set(kinds.tolist()))
        assert len(set(numbers.tolist())) == (5 if "positional" in board else len(opening_classes(board)))


def test_the_value_of_4x6_is_more_than_the_mean_against_drawn_secrets() -> None:
    # Control: chances that are all the same make sure of less.
    assert Fraction(5625, 1296) < Fraction(5600, 1290) == game_value("4x6").lower


def test_a_claim_one_above_or_below_the_value_is_refused() -> None:
    found = game_value("3x3")
    with pytest.raises(AssertionError, match="the codemaker makes sure of 73/27 guesses, not of 74/27"):
        replace(found, lower=Fraction(74, 27), upper=Fraction(74, 27)).check()
    with pytest.raises(AssertionError, match="the codebreaker takes 73/27 guesses, not 74/27"):
        replace(found, upper=Fraction(74, 27)).check()
    with pytest.raises(AssertionError, match="the codebreaker takes"):
        replace(found, trees=found.trees[:-1]).check()


@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(st.lists(st.integers(1, 9), min_size=width, max_size=width), min_size=1, max_size=5)
    )
)
def test_games_are_solved_exactly(costs: list[list[int]]) -> None:
    value, rows, columns = solve_game([[Fraction(cost) for cost in row] for row in costs])

    assert 1 == sum(rows) == sum(columns)
    assert 0 <= min(*rows, *columns, Fraction(0))
    assert value == max(sum(c * q for c, q in zip(row, columns, strict=True)) for row in costs)
    assert value == min(sum(c * p for c, p in zip(column, rows, strict=True)) for column in zip(*costs, strict=True))


def test_it_ends_with_bounds_where_time_is_over_or_ctrl_c_is_pressed() -> None:
    def stop(_: GameValue) -> None:
        raise KeyboardInterrupt

    stopped = game_value("4x6", progress=stop)

    assert stopped.is_interrupted
    assert stopped.lower < Fraction(560, 129) < stopped.upper
    assert "interrupted" in str(stopped)

    short = game_value("4x6", time=0)

    assert short.lower <= Fraction(560, 129) <= short.upper


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="without a prior"):
        game_value("4x6/prior=distinct")
    with pytest.raises(InputError, match="without a limit"):
        game_value("4x6/limit=5")
    with pytest.raises(TooLargeError, match="classes"):
        game_value("words:english")


# ------------------------------------------------------------------ files and players


@pytest.fixture(name="kept")
def fixture_kept(tmp_path: Path) -> Path:
    path = tmp_path / "both.json"
    game_value("3x3").save(path)
    return path


def test_a_file_gives_back_both_strategies(kept: Path) -> None:
    found, expected = GameValue.load(kept), game_value("3x3")

    assert (expected.classes, expected.trees, expected.upper) == (found.classes, found.trees, found.upper)
    assert found is found.check()


@pytest.mark.parametrize("change", [
    lambda data: data.update(format="x"),
    lambda data: data.pop("secrets"),
    lambda data: data["trees"].pop(),
    lambda data: data["trees"][0]["nodes"].pop(),
    lambda data: data["trees"][0].update(chance="1/0"),
    lambda data: data["secrets"].update(AAA="1"),
    lambda data: data["secrets"].update(AAZ="1"),
    lambda data: data.update(rules="3x4"),
    lambda data: data.update(trees=7),
])  # fmt: skip
def test_a_damaged_file_is_refused(kept: Path, change: object) -> None:
    data = json.loads(kept.read_text(encoding="utf-8"))
    change(data)  # type: ignore[operator]
    kept.write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(InputError, match=r"both\.json"):
        codemakers.get(f"mixed:{kept}")


def test_a_file_of_another_board_is_refused(kept: Path) -> None:
    with pytest.raises(InputError, match="is for 3x3, not for 4x6"):
        play(f"mixed:{kept}", "honest", "4x6", seed=1)
    with pytest.raises(InputError, match="cannot be read"):
        codebreakers.get("mixed:none.json")


def test_no_secret_takes_the_codebreaker_more_than_the_value(kept: Path) -> None:
    games, found = 400, game_value("3x3")
    for one in found.classes:
        secret = "".join("ABC"[color] for color in one.code)
        turns = [len(play(f"mixed:{kept}", f"honest:{secret}", "3x3", seed=seed).turns) for seed in range(games)]

        assert np.mean(turns) < float(found.upper) + 5 * np.std(turns) / games**0.5


WORDS = ["cat", "dog", "bat", "cog", "hat", "fog", "log", "rat"]


def test_words_and_questions_of_a_table_are_played_by_their_own_names(tmp_path: Path) -> None:
    # What a renaming of letters, of places or of rows would make of them is no word, or no question that was asked.
    (tmp_path / "words.txt").write_text("\n".join(WORDS), encoding="utf-8")
    halves = Rules.of_answers(range(1, 9), [f"> {n}" for n in range(1, 8)], lambda text, n: n > int(text[2:]))
    for rules in (Rules.parse(f"words:{tmp_path / 'words.txt'}"), halves):
        found = game_value(rules)
        found.save(tmp_path / "both.json")
        drawn, breaker, rng = (
            Counter[Code](),
            codebreakers.get(f"mixed:{tmp_path / 'both.json'}"),
            np.random.default_rng(1),
        )
        for _ in range(600):
            drawn[breaker.guess(Position(rules), rng)] += 1
        for code in drawn:
            chance = float(sum(one.chance for one in found.trees if one.tree.code(0) == code))
            assert abs(drawn[code] - 600 * chance) < 5 * (600 * chance) ** 0.5
        for secret in secrets(rules):
            turns = [
                len(play(breaker, f"honest:{format_code(secret, rules)}", rules, seed=seed).turns) for seed in range(60)
            ]
            assert np.mean(turns) < float(found.upper) + 5 * np.std(turns) / 60**0.5


@pytest.mark.parametrize("seed", range(8))
def test_secrets_of_weight_0_are_told_apart_where_none_is_named(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = rng.integers(0, 3, (4, 3))
    while len(np.unique(cells, axis=0)) < 4:
        cells = rng.integers(0, 3, (4, 3))
    rules = Rules.of_answers(["a", "b", "c", "d"], ["p", "q", "r"], cells, naming=False)
    found = game_value(rules).check()

    @cache
    def least(left: tuple[int, ...]) -> int:
        if len(left) == 1:
            return 0
        costs = []
        for column in cells.T.tolist():
            parts = defaultdict(list)
            for secret in left:
                parts[column[secret]].append(secret)
            if len(parts) > 1:
                costs.append(sum(weights[one] for one in left) + sum(map(least, map(tuple, parts.values()))))
        return min(costs)

    weights = [found.weights.get(code, 0) for code in secrets(rules)]

    assert Fraction(least((0, 1, 2, 3)), sum(weights)) == found.lower == found.upper


def test_secrets_of_a_class_are_alike_to_the_codebreaker(kept: Path) -> None:
    # The first guess is each code of its class as often as the others: 3 of AAA, 18 of AAB, 6 of ABC.
    breaker, drawn = codebreakers.get(f"mixed:{kept}"), Counter[Code]()
    rng = np.random.default_rng(3)
    for _ in range(3000):
        drawn[breaker.guess(Position("3x3"), rng)] += 1
    opened = {tuple(sorted(map(code.count, set(code)))) for code in drawn}
    for kind in opened:
        counts = [count for code, count in drawn.items() if tuple(sorted(map(code.count, set(code)))) == kind]
        assert max(counts) - min(counts) < 6 * np.mean(counts) ** 0.5 + 1


def test_positions_to_which_no_strategy_leads_are_played_all_the_same(kept: Path) -> None:
    position = Position("3x3", ["AAA -", "BBB -"])

    assert (2, 2, 2) == codebreakers.get(f"mixed:{kept}").guess(position, np.random.default_rng(1))


def test_the_codemaker_draws_by_its_chances(kept: Path) -> None:
    found = GameValue.load(kept)
    maker, rng = codemakers.get(f"mixed:{kept}"), np.random.default_rng(1)
    drawn = [maker.choose(Rules.parse("3x3"), rng) for _ in range(2700)]

    assert set(found.weights) == set(drawn)
    for code in secrets("3x3"):
        assert abs(drawn.count(code) - 2700 * chances_of(found)[code]) < 60


def test_weights_of_the_codemaker_go_to_the_search() -> None:
    found = game_value("3x4")

    assert found.lower == Fraction(int(optimal("3x4", weights=found.weights).value.lower), sum(found.weights.values()))


# ------------------------------------------------------------------ as it is typed


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["value", *arguments], prog_name="entropeg")


def test_it_is_told_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "both.json"
    result = typed("3x4", "--save", str(path))

    assert 0 == result.exit_code
    assert "3x4: the value of the game is 219/68 = 3.220588 guesses" in result.output
    assert "36 codes as AAB: weight 1/2 each" in result.output
    assert Fraction(219, 68) == GameValue.load(path).upper


def test_json_holds_fractions_as_text() -> None:
    found = json.loads(typed("3x3", "--json").output)

    assert ("73/27", "73/27", True) == (found["lower"], found["upper"], found["exact"])
    assert ["AAA", "AAB", "ABC"] == [one["code"] for one in found["classes"]]


def test_a_file_of_another_kind_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("dear all", encoding="utf-8")
    result = typed("3x3", "--save", str(path))

    assert 2 == result.exit_code
    assert "dear all" == path.read_text(encoding="utf-8")


def test_ctrl_c_leaves_bounds_and_a_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(Stand):
        def put(self, *parts: str, **facts: Any) -> None:
            if parts:
                raise KeyboardInterrupt

    @contextmanager
    def interrupting(*_: object) -> Iterator[Stand]:
        yield Interrupted("")

    monkeypatch.setattr(program, "telling", interrupting)
    result = typed("4x4", "--json")

    assert result.exit_code == INTERRUPTED
    assert json.loads(result.output)["interrupted"]
