"""Bounds on boards: what is proven lies on the right side of what is known."""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from itertools import product
from math import ceil, log
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given

from entropeg import Rules, score
from entropeg.cli.commands.bounds import command
from entropeg.codes import format_code, guesses, secrets, weights
from entropeg.errors import InputError
from entropeg.plots.bounds import bounds_figure, sample_guesses
from entropeg.rules import Blanks, FeedbackKind
from entropeg.search import bounds as search_bounds
from entropeg.search.bounds import (
    GRADES,
    best,
    bounds,
    chen_cunha_homer_upper,
    chen_lin_mean,
    chvatal_lower,
    counting_lower,
    counting_mean,
    el_ouali_upper,
    feedback_count,
    information_limit,
    opening_lower,
    opening_mean,
    viaud_lower,
    viaud_printed,
    viaud_upper,
)
from entropeg.search.known import KnownValue, all_known_values, known_values
from entropeg.tree.optimum import optimal
from strategies import rules as any_rules

FULL = ["2x3", "3x3", "4x3", "3x5", "2x2", "3x2", "4x2", "5x2", "4x1", "1x5"]
LESS = ["2x4/no-repeats", "3x4/no-repeats", "3x3/no-repeats", "3x6/no-repeats", "4x5/no-repeats", "1x3/no-repeats"]
BLACK = ["3x4/black", "3x3/no-repeats/black", "3x4/no-repeats/black", "2x2/black"]
OTHER = [
    "3x3/membership",
    "2x3/positional",
    "3x3/positional",
    "3x3/blanks",
    "2x3/blanks-in-secrets",
    "3x3/no-repeats/guess-repeats",
]


def occurring(rules: Rules) -> int:
    return len({score(guess, secret, rules) for guess in guesses(rules) for secret in secrets(rules)})


@pytest.mark.parametrize("text", [*FULL, *LESS, *BLACK])
def test_feedbacks_are_counted_exactly_on_boards_without_blanks(text: str) -> None:
    rules = Rules.parse(text)

    assert occurring(rules) == feedback_count(rules)


@pytest.mark.parametrize("text", OTHER)
def test_feedbacks_are_never_undercounted(text: str) -> None:
    rules = Rules.parse(text)

    assert occurring(rules) <= feedback_count(rules)


@given(any_rules(max_codes=10**30))
def test_the_counting_bound_is_the_smallest_number_of_levels_that_hold_every_code(rules: Rules) -> None:
    onward, levels, held, total = feedback_count(rules) - 1, 0, 0, 0
    while held < rules.secret_count and levels < 2000:
        here = min(onward**levels, rules.secret_count - held)
        levels, held, total = levels + 1, held + here, total + here * (levels + 1)

    assert levels == counting_lower(rules)
    assert counting_mean(rules) == pytest.approx(total / rules.secret_count)


def opening_by_hand(rules: Rules) -> int:
    """One guess, and the levels that hold the largest part but the winning one, by the best of all guesses."""
    largest = []
    for guess in guesses(rules):
        others = Counter(score(guess, code, rules) for code in secrets(rules) if tuple(code) != tuple(guess))
        largest.append(max(others.values(), default=0))
    levels = 0
    while sum((feedback_count(rules) - 1) ** level for level in range(levels)) < min(largest):
        levels += 1
    return levels + 1


def small_boards(kind: FeedbackKind) -> list[Rules]:
    """All boards of a kind with 2 to 130 guesses on two pegs or more."""
    found = []
    for pegs, colors, repeats, more, blanks in product(range(2, 6), range(1, 12), (True, False), (None, True), Blanks):
        with suppress(InputError):
            found.append(Rules(pegs, colors, repeats=repeats, guess_repeats=more, blanks=blanks, feedback=kind))
    return [rules for rules in dict.fromkeys(found) if 2 <= rules.guess_count <= 130]


@pytest.mark.parametrize("kind", [kind for kind in FeedbackKind if kind != FeedbackKind.grand])
def test_the_bound_after_the_first_guess_is_that_of_all_guesses_and_never_above_the_least_worst_case(
    kind: FeedbackKind,
) -> None:
    boards = small_boards(kind)
    for place in np.random.default_rng(int(kind)).permutation(len(boards))[:30].tolist():
        check_opening_bound(boards[place])


def check_opening_bound(rules: Rules) -> None:
    worst, bound = optimal(rules, worst=True, threads=1).worst, opening_lower(rules)
    mean, least = opening_mean(rules), optimal(rules, threads=1).mean

    assert worst is not None
    assert bound is not None
    assert opening_by_hand(rules) == bound, rules
    assert counting_lower(rules) <= bound <= worst, rules
    assert mean is not None
    assert least is not None
    assert counting_mean(rules) - 1e-12 <= mean <= least + 1e-12, rules


@pytest.mark.parametrize("seed", range(12))
def test_it_holds_for_words_for_shapes_and_where_guesses_use_every_clue(seed: int, tmp_path: Path) -> None:
    rng, path = np.random.default_rng(seed), tmp_path / "words.txt"
    path.write_text("".join(f"{word}\n" for word in sorted({"".join(rng.choice([*"abcde"], 3)) for _ in range(40)})))
    for name in (
        f"words:{path}",
        f"words:{path}/positional/hard",
        f"2x{2 * (seed % 4) + 4}/shapes=2",
        "3x3/positional/hard",
    ):
        check_opening_bound(Rules.parse(name))


def test_counting_three_feedbacks_too_few_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tests above hold the bound to, they could see it break."""
    boards = ["2x3", "3x4", "4x4", "4x6"]
    least = [optimal(board, worst=True).worst for board in boards]

    assert [3, 4, 4, 5] == least == [opening_lower(board) for board in boards]

    means = [optimal(board).mean or 0 for board in boards]

    assert all((opening_mean(board) or 9) <= mean for board, mean in zip(boards, means, strict=True))

    monkeypatch.setattr(search_bounds, "feedback_count", lambda rules: feedback_count(rules) - 3)
    wrong = [opening_lower(board) for board in boards]

    assert any((opening_mean(board) or 0) > mean for board, mean in zip(boards, means, strict=True))
    assert [board for board, bound, worst in zip(boards, wrong, least, strict=True) if (bound or 0) > (worst or 0)]


@pytest.mark.parametrize("board", ["1000x1000", "4x14", "300x1/blanks", "8x8/shapes=2"])
def test_first_guesses_are_counted_on_boards_that_are_quickly_listed_only(board: str) -> None:
    assert (None, None) == (opening_lower(board), opening_mean(board))
    assert "first guess" not in {bound.name for bound in bounds(board)}


@given(any_rules(max_codes=10**30))
def test_bounds_of_any_rules_are_ordered(rules: Rules) -> None:
    known = bounds(rules)
    lower, upper = best(known, "lower", "worst"), best(known, "upper", "worst")

    assert lower is not None
    assert upper is None or lower.value <= upper.value
    assert information_limit(rules) <= counting_mean(rules) + 1e-9 <= counting_lower(rules) + 2e-9
    assert all(bound.grade in GRADES and bound.source and bound.formula for bound in known)


@pytest.mark.parametrize(
    ("pegs", "colors", "least"), [(4, 6, 3), (5, 8, 4), (1, 8, 3), (3, 1, 0), (2, 25, 4), (10, 10, 6)]
)
def test_the_lower_bound_as_printed_is_the_smallest_power_of_the_feedbacks(pegs: int, colors: int, least: int) -> None:
    feedbacks = pegs * (pegs + 3) // 2

    assert least == viaud_lower(pegs, colors)
    assert feedbacks**least >= colors**pegs
    assert least == 0 or feedbacks ** (least - 1) < colors**pegs


@pytest.mark.parametrize("board", [(4, 6), (5, 8), (8, 8), (20, 20), (3, 100), (40, 2)])
def test_the_weaker_countings_are_never_above_the_sharper_one(board: tuple[int, int]) -> None:
    rules = Rules(*board)

    assert chvatal_lower(*board) <= viaud_lower(*board) <= counting_lower(rules)
    assert chvatal_lower(*board) == ceil(board[0] * log(board[1]) / log((board[0] + 1) * (board[0] + 2) / 2) - 1e-9)


def test_the_bounds_of_the_strategy_are_the_formulas_of_the_documentation() -> None:
    # 6/4 + 2·4·2 + 2·4 + 1 = 26.5 codes, and one to show; 4·log2(8) + 4 - 2 = 14, and one.
    assert (27, 15) == (viaud_upper(4, 6), viaud_upper(4, 4))
    assert (27, 13) == (viaud_printed(4, 6), viaud_printed(4, 4))
    assert 28 == chen_cunha_homer_upper(4, 6)


def test_the_published_bound_for_permutations_lies_between_counting_and_trying_all() -> None:
    rules = Rules.parse("8x8/no-repeats/black")

    # (8-3)·3 + 20 - 1 = 34, and the paper says less than that.
    assert counting_lower(rules) <= el_ouali_upper(8, 8) == 33


@pytest.mark.parametrize("value", all_known_values(), ids=lambda value: f"{value.rules} {value.strategy}")
def test_known_values_have_grades_and_lie_above_every_proven_lower_bound(value: KnownValue) -> None:
    rules = Rules.parse(value.rules)
    known = bounds(rules)
    mean, worst = best(known, "lower", "mean"), best(known, "lower", "worst")

    assert mean is not None
    assert worst is not None
    assert value.grade in GRADES
    assert value.source
    assert str(rules) == value.rules
    assert value.total is None or value.total >= mean.value * rules.secret_count - 1e-6
    assert value.mean is None or value.mean >= mean.value
    assert value.worst is None or value.worst >= worst.value


def test_our_own_figures_are_those_of_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lookup" / "boards.md").read_text(encoding="utf-8")
    settled = re.findall(r"^\| `(\S+)` \| [\d,]+ \| (\d+) \| [\d.]+ \| (\d+) \| ", page, re.MULTILINE)
    unproven = re.findall(r"^\| (\w+) \| (\d+) \| – \| [\d.]+ \| (\d+) \| ", page, re.MULTILINE)
    unproven += re.findall(r"^\| `(\S+)` \| [\d,]+ \| (\d+,\d+) \| [\d.]+ \| (\d+) \| ", page, re.MULTILINE)
    optima = {value.rules: value for value in all_known_values() if value.strategy == "optimum"}
    found = {value.rules: value for value in all_known_values() if value.strategy == "best strategy found"}

    assert len(settled) > 80
    for rules, total, worst in settled:
        assert optima[rules].total == int(total)
        assert optima[rules].grade != "S" or optima[rules].worst == int(worst)
    certified = re.findall(r"^\| `(\S+)` \|.*\| proof \|$", page, re.MULTILINE)
    assert {*certified} == {value.rules for value in all_known_values() if value.grade == "C"}
    # Long searches for bounds come to better strategies now and then.
    longer = re.findall(r"^\| `(\S+)` \| targets \| \d+ \| ([\d,]+) \| ", page, re.MULTILINE)
    least = {rules: min(_number(total) for each, total in longer if each == rules) for rules, _ in longer}
    assert {
        (rules, min(_number(total), least.get(rules, 1 << 40)), int(worst)) for rules, total, worst in unproven
    } == {(value.rules, value.total, value.worst) for value in found.values()}


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def test_known_distributions_add_up_to_their_totals() -> None:
    spread = [value for value in all_known_values() if value.games]

    assert len(spread) == 2
    for value in spread:
        assert sum(value.games) == Rules.parse(value.rules).secret_count
        assert value.total == sum(guess * games for guess, games in enumerate(value.games, start=1))


def test_the_closed_forms_for_few_pegs_agree_with_the_known_optima() -> None:
    optima = {value.rules: value for value in all_known_values() if value.strategy == "optimum"}
    for colors in range(4, 11):
        value = optima[f"2x{colors}/no-repeats"]

        assert value.total == pytest.approx(chen_lin_mean(colors) * colors * (colors - 1))

    three = best(bounds(Rules.parse("3x6")), "upper", "worst")

    assert three is not None
    assert (
        next(value.worst for value in known_values(Rules.parse("3x6")) if value.strategy == "least worst case")
        == three.value
    )


@pytest.mark.parametrize("board", ["1x1", "2x1", "4x1", "300x1", "3x1/black", "1x1/no-repeats", "3x1/blanks"])
def test_a_board_of_one_code_takes_one_guess_by_every_bound(board: str) -> None:
    found = {(bound.side, bound.measure): bound.value for bound in bounds(board)}

    assert {(side, measure): 1 for side in ("lower", "upper") for measure in ("mean", "worst")} == found


def test_known_values_are_found_whatever_the_alphabet_and_the_limit() -> None:
    assert [26274] == [value.total for value in known_values(Rules.parse("bulls-and-cows/limit=9"))]
    assert known_values(Rules.parse("classic")) == known_values(Rules.parse("4x6/course"))


def run(*arguments: str) -> str:
    result = CliRunner().invoke(command, arguments, catch_exceptions=False)

    assert result.exit_code == 0

    return result.output


def test_the_command_prints_codes_feedbacks_bounds_and_the_best_known() -> None:
    lines = run("4x6").splitlines()

    assert "4x6: 1,296 codes, 10.34 bits" == lines[0]
    assert "feedbacks to a guess: 14, 3.81 bits at most" == lines[1]
    assert any(line.startswith("worst at most") and " 27 " in line for line in lines)
    assert any(line.startswith("worst at least      5  [proved]") for line in lines)
    assert any("optimum, total 5,625, worst 6" in line and "[C]" in line for line in lines)
    assert "[M] recalled, not verified" in lines


@pytest.mark.parametrize(
    "text", ["4x6", "1x1", "2x7/no-repeats", "6x6/black", "3x3/positional", "5x5/membership", "3000x3000"]
)
def test_the_command_writes_json_for_any_board(text: str) -> None:
    facts = json.loads(run(text, "--json"))

    assert text == facts["rules"]
    assert facts["bounds"]
    assert {entry["grade"] for entry in (*facts["bounds"], *facts["known"])} <= set(facts["grades"])
    assert run(text).startswith(f"{text}: ")


def test_the_command_refuses_what_is_not_a_board() -> None:
    with pytest.raises(InputError, match="is not a board"):
        run("4by6")


def test_the_command_draws_the_figure(tmp_path: Path) -> None:
    path = tmp_path / "bounds.svg"
    result = CliRunner().invoke(command, ["--figure", str(path), "--pegs", "16", "--games", "2"])

    assert result.exit_code == 0, result.output
    assert "m = n for 3 boards of 4 to 16 pegs, m = n/4 for 3 boards" in result.output
    assert "information limit" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "name one board"),
        (["4x6", "--figure", "bounds.svg"], "name one board"),
        (["--figure", "bounds.txt"], "end it in .svg, .png, .pdf"),
        (["--figure", "bounds.svg", "--games", "0"], "1 game a board"),
        (["--figure", "bounds.svg", "--pegs", "3"], "4 pegs"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_refused_at_once(arguments: list[str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        CliRunner().invoke(command, arguments, catch_exceptions=False)


def test_the_figure_shows_what_was_measured_between_the_bounds() -> None:
    samples = {
        title: sample_guesses(ratio, (4, 8, 16), games=3) for title, ratio in {"m = n": 1.0, "m = 4n": 4.0}.items()
    }
    figure = bounds_figure(samples)

    assert ["m = n", "m = 4n"] == [panel.get_title() for panel in figure.axes]

    for panel in figure.axes:
        lines = {line.get_label(): np.asarray(line.get_ydata(), dtype=float) for line in panel.get_lines()}
        proven, worst, mean, counting, limit = lines.values()

        assert np.all(proven >= worst)
        assert np.all(worst >= mean)
        assert np.all(mean >= limit)
        assert np.all(counting >= limit)


# ------------------------------------------------------------------ under a prior


def mean_by_hand(shares: list[float], onward: int) -> float:
    """Each code in the order of its chance, at the first level that has room."""
    room, level, mean = 1, 1, 0.0
    for at, share in enumerate(sorted(shares, reverse=True)):
        while at >= room:
            room, level = room + onward**level, level + 1
        mean += level * share
    return mean


@pytest.mark.parametrize("seed", range(6))
def test_means_under_a_prior_are_counted_with_its_weights(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    board = Rules.parse(["3x3", "2x4", "2x4/black", "3x3/positional", "3x4/no-repeats", "3x2"][seed])
    codes, drawn = list(secrets(board)), rng.pareto(0.7, board.secret_count) * (rng.random(board.secret_count) < 0.9)
    (tmp_path / "prior.csv").write_text(
        "".join(f"{format_code(code, board)} {weight:.6f}\n" for code, weight in zip(codes, drawn, strict=True)),
        "utf-8",
    )
    rules = Rules.parse(f"{board}/prior={tmp_path / 'prior.csv'}")
    least, onward = optimal(rules, threads=1).expected, feedback_count(board) - 1
    counted, opened = counting_mean(rules), opening_mean(rules)

    assert least is not None
    assert opened is not None
    assert mean_by_hand(weights(rules).tolist(), onward) == pytest.approx(counted)
    assert information_limit(rules) <= counted + 1e-9 <= opened + 2e-9 <= least + 3e-9


def test_the_mean_of_all_codes_alike_would_be_noticed_under_a_prior(tmp_path: Path) -> None:
    (tmp_path / "prior.csv").write_text("ABC 1000\nAAB 1\n* 0\n", "utf-8")
    named = f"3x4/prior={tmp_path / 'prior.csv'}"
    told = {bound.value for bound in bounds(named) if bound.measure == "mean" and bound.side == "lower"}

    assert 1 + 1 / 1001 == pytest.approx(optimal(named, threads=1).expected)
    assert max(told) <= 1 + 1 / 1001 + 1e-9
    assert counting_mean("3x4") > 2.8
