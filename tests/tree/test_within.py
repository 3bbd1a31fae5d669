"""The most secrets within some guesses, against a plain search through all strategies."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from hypothesis import assume, given
from hypothesis import strategies as st

import naive
from entropeg import Position, Rules, StrategyTree, cli
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.kernels.within import most_of_set
from entropeg.priors import Prior
from entropeg.search.results import Value
from entropeg.signals import INTERRUPTED
from entropeg.tree import most_within
from entropeg.tree.within import _WithinSearch
from strategies import positions
from strategies import rules as drawn_rules

Code = tuple[int, ...]


def most_by_trying(
    answer: Callable[[Code, Code], object],
    every: Sequence[Code],
    codes: Sequence[Code],
    weights: dict[Code, Any],
    depth: int,
) -> Any:
    """The greatest weight of codes that some strategy finds: all first guesses, all that follow, nothing left out."""

    @cache
    def most(left: tuple[Code, ...], depth: int) -> Any:
        if depth == 0 or not left:
            return 0
        best = 0
        for guess in every:
            parts = defaultdict(list)
            for code in left:
                if code != guess:
                    parts[answer(guess, code)].append(code)
            own = weights[guess] if guess in left else 0
            best = max(best, own + sum(most(tuple(part), depth - 1) for part in parts.values()))
        return best

    return most(tuple(codes), depth)


def found_within(tree: StrategyTree, depth: int) -> dict[Code, int]:
    return {code: int(turn) for code, turn in zip(tree.secrets, tree.turns, strict=True) if turn <= depth}


BOARDS = drawn_rules(max_codes=16, max_pegs=4, max_colors=5).map(lambda rules: rules.with_limit(None))


@given(st.data(), BOARDS, st.integers(1, 4))
def test_it_is_the_most_that_any_strategy_finds(data: st.DataObject, rules: Rules, depth: int) -> None:
    position, _ = data.draw(positions(rules, max_turns=1))
    assume(not position.is_won)
    codes = list(position.candidates)
    weights = dict.fromkeys(codes, 1)
    if data.draw(st.booleans()):
        weights = {code: data.draw(st.integers(0, 5)) for code in codes}
        assume(any(weights.values()))
        found = most_within(position, depth, weights=weights)
    else:
        found = most_within(position, depth)
    tree = found.tree.check()

    assert found.is_exact
    assert (
        most_by_trying(partial(naive.score, rules.kind), list(guesses(rules)), codes, weights, depth)
        == found.value.upper
    )
    assert found.value.lower == sum(weights[code] for code in found_within(tree, depth))


@pytest.mark.parametrize("block", range(3))
def test_it_is_the_most_on_tables_whose_secrets_have_weights(block: int, tmp_path: Path) -> None:
    # A table has symmetries, and weights break them.
    codes = list(map("".join, product("012", repeat=2)))
    rules = Rules.of_answers(codes, codes, lambda asked, secret: sum(map(str.__eq__, asked, secret)))
    label = {(one, other): rules.table.label(one, other) for one in guesses(rules) for other in secrets(rules)}
    for seed in range(12 * block, 12 * block + 12):
        rng = np.random.default_rng(seed)
        weights = dict(zip(secrets(rules), rng.integers(0 if seed % 2 else 1, 6, 9).tolist(), strict=True))
        (tmp_path / "weights").write_text("".join(f"{codes[at]} {each}\n" for at, each in enumerate(weights.values())))
        weighed = replace(rules, prior=Prior.read(str(tmp_path / "weights")))
        for depth in (2, 3):
            most = most_by_trying(lambda *pair: label[pair], list(guesses(rules)), list(weights), weights, depth)
            assert most == most_within(rules, depth, weights=weights).value.upper, seed
            assert most_within(weighed, depth).value.upper == pytest.approx(most / sum(weights.values())), seed


@given(st.data(), drawn_rules(max_codes=27, max_pegs=4, max_colors=6), st.integers(2, 3))
def test_the_kernel_finds_the_most_of_a_set_and_nothing_where_that_is_not_enough(
    data: st.DataObject, rules: Rules, depth: int
) -> None:
    every, possible = guesses(rules), secrets(rules)
    assume(len(possible) >= 3)
    chosen = data.draw(st.lists(st.integers(0, len(possible) - 1), min_size=3, max_size=8, unique=True))
    weights = np.array(data.draw(st.lists(st.integers(1, 4), min_size=len(possible), max_size=len(possible))))
    chosen.sort(key=lambda code: -weights[code])
    labels = possible.labels(every).astype(np.uint16)
    worth = dict(zip(possible, weights.tolist(), strict=True))
    most = most_by_trying(
        partial(naive.score, rules.kind), list(every), [possible[code] for code in chosen], worth, depth
    )
    width = max(int(labels.max()), rules.win_label) + 1
    codes, rows, stop = np.array(chosen, np.int32), np.arange(len(every), dtype=np.int32), np.zeros(1, np.int64)

    def asked(need: int) -> tuple[int, int]:
        found: tuple[int, int] = most_of_set(labels, codes, weights, rows, depth, width, rules.win_label, need, stop)
        return found

    assert [most, most] == [asked(0)[0], asked(most - 1)[0]]
    assert (0, -1) == asked(most) == asked(most + 1)


@pytest.mark.parametrize(
    ("board", "depth", "most"),
    [("3x3", 2, 8), ("3x3", 3, 26), ("3x4", 3, 43), ("4x6", 1, 1), ("4x6", 2, 14), ("4x6", 3, 132), ("4x6", 4, 768)],
)
def test_settled_boards(board: str, depth: int, most: int) -> None:
    found = most_within(board, depth)

    assert Value(most, most) == found.value
    assert most == sum(found.tree.check().histogram[:depth])


def test_a_bound_that_is_too_low_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Control: with a false bound of parts the number is no longer that of the plain search.
    monkeypatch.setattr(_WithinSearch, "_cap", lambda *_: 1)

    assert most_within("3x4", 3).value.lower < 43


def test_a_prior_gives_the_chance_to_win() -> None:
    found = most_within("3x3/prior=distinct", 2)
    rules = Rules.parse("3x3/prior=distinct")
    chances = {code: Fraction(chance).limit_denominator(10**6) for code, chance in zip(
        secrets(rules), secrets(rules).chances.tolist(), strict=True)}  # fmt: skip
    expected = most_by_trying(partial(naive.score, rules.kind), list(guesses(rules)), list(secrets(rules)), chances, 2)

    assert float(expected) == pytest.approx(found.value.lower)
    assert 1 == pytest.approx(found.weight)


def test_a_limit_of_the_rules_holds_too() -> None:
    assert 8 == most_within("3x3/limit=2", 5).value.upper


def test_all_secrets_are_found_within_the_worst_case_of_the_board() -> None:
    assert 1296 == most_within("4x6", 5).value.lower == most_within("4x6", 10**6).value.lower
    assert 1 == most_within("1x1", 1).value.lower


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(InputError, match="the number of guesses"):
        most_within("4x6", 0)
    with pytest.raises(InputError, match="hard"):
        most_within("4x6/hard", 3)
    with pytest.raises(TooLargeError):
        most_within("8x12", 3)
    with pytest.raises(InputError, match="the weight of"):
        most_within("3x3", 2, weights={(0, 0, 0): -1})


def test_a_search_that_is_stopped_has_bounds_and_a_strategy() -> None:
    found = most_within("4x6", 4, time=0)

    assert found.value.upper is not None
    assert found.value.lower <= 768 <= found.value.upper
    assert found.value.lower == sum(found.tree.check().histogram[:4])

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    stopped = most_within("5x6", 4, progress=stop)

    assert stopped.is_interrupted
    assert stopped.value.upper is not None
    assert not stopped.is_exact
    assert "interrupted" in str(stopped)
    assert stopped.value.lower == sum(stopped.tree.check().histogram[:4]) < stopped.value.upper


# ------------------------------------------------------------------ as it is typed


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["optimal", *arguments], prog_name="entropeg")


def test_it_is_told_and_the_strategy_saved(tmp_path: Path) -> None:
    path = tmp_path / "most.tree"
    result = typed("3x4", "--most-within", "3", "--save", str(path))

    assert 0 == result.exit_code
    assert "3x4, within 3 guesses: secrets = 43 of 64" in result.output
    assert 43 == sum(StrategyTree.load(path).histogram[:3])


def test_json_holds_the_numbers() -> None:
    found = json.loads(typed("3x4", "--most-within", "3", "--json").output)

    assert (43, 43, True, 3) == (found["found"], found["found_upper"], found["exact"], found["guesses"])


def test_from_a_position_on() -> None:
    expected = most_within(Position("4x6", ["AABB XO"]), 2).value.upper

    assert f"= {expected} of 208" in typed("4x6", "--most-within", "2", "--after", "AABB XO").output


@pytest.mark.parametrize(
    "options", [["--worst"], ["--openings"], ["--limit", "4"], ["--proof", "x"], ["--threads", "2"]]
)
def test_what_it_does_not_go_with(options: list[str]) -> None:
    result = typed("3x4", "--most-within", "3", *options)

    assert 2 == result.exit_code
    assert "leave --" in result.output


def test_ctrl_c_leaves_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: _WithinSearch) -> None:
        self._interrupt()

    monkeypatch.setattr(_WithinSearch, "_tell", interrupted)
    result = typed("5x6", "--most-within", "4", "--json")

    assert INTERRUPTED == result.exit_code
    assert json.loads(result.output)["interrupted"]
