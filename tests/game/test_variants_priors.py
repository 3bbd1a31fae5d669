"""Priors on secrets: formulas and files, what is refused, what codebreakers and codemakers make of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import log2
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import naive
from entropeg import cli, codebreakers, codemakers
from entropeg.codebreakers.onestep import Entropy, ExpectedSize
from entropeg.codes import CodeSet, format_code, guesses, parse_code, secrets, weights
from entropeg.errors import InputError
from entropeg.experiments.match import Match
from entropeg.experiments.runner import arena
from entropeg.feedback import Feedback, from_label
from entropeg.loop import play
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.priors import FORMULAS, Prior
from entropeg.registry import name_of
from entropeg.rules import Rules
from entropeg.tree import StrategyTree
from entropeg.tree.optimum import optimal

RNG = np.random.default_rng(0)
SKEWED = ["AAA 1", "AAB 40", "BAB, 20", "ACD\t3.5", "DDD 0", "* 0.25"]


def write(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def skewed(tmp_path: Path) -> Rules:
    return Rules.parse(f"3x4/prior={write(tmp_path / 'skewed.txt', SKEWED)}")


def test_weights_of_a_file_are_aligned_with_the_secrets(skewed: Rules) -> None:
    total = 1 + 40 + 20 + 3.5 + 0 + 59 * 0.25
    given = dict(zip((format_code(code, skewed) for code in secrets(skewed)), weights(skewed).tolist(), strict=True))

    assert {"AAA": 1, "AAB": 40, "BAB": 20, "ACD": 3.5, "DDD": 0, "ABC": 0.25} == {
        code: pytest.approx(given[code] * total) for code in ("AAA", "AAB", "BAB", "ACD", "DDD", "ABC")
    }
    assert sum(given.values()) == pytest.approx(1)


def test_a_repeated_color_makes_a_code_half_as_likely_by_the_formula_distinct() -> None:
    rules = Rules.parse("4x6/prior=distinct")
    given = weights(rules) / weights(rules).max()

    assert [2.0 ** (len(set(code)) - 4) for code in secrets(rules)] == given.tolist()
    assert {"uniform", "distinct"} == set(FORMULAS)
    assert len(set(weights(Rules.parse("4x6/prior=uniform")).tolist())) == 1


def test_rules_with_a_prior_are_written_as_they_are_read(skewed: Rules) -> None:
    for rules in (skewed, Rules.parse("4x6/black/prior=distinct/limit=9")):
        again = Rules.parse(str(rules))
        assert (rules, str(rules)) == (again, str(again))
    assert Rules.parse("3x4") != skewed != Rules.parse("3x4/prior=distinct")
    assert "secrets as likely as" in skewed.describe()


def test_a_prior_that_has_changed_is_refused(skewed: Rules, tmp_path: Path) -> None:
    text = str(skewed)
    write(tmp_path / "skewed.txt", ["* 1"])

    with pytest.raises(InputError, match="has changed since these rules were written"):
        Rules.parse(text)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["AAA 1", "AAB -2", "* 1"], r"line 2 \('AAB -2'\): the weight is -2; it must be 0 or more"),
        (["AAA nan"], "line 1 .*: the weight is nan; it must be 0 or more"),
        (["AAA inf"], "it must be 0 or more, and finite"),
        (["AAA many"], "the weight 'many' is not a number"),
        (["* 1", "", "AAB"], r"line 3 \('AAB'\) has no weight: write a secret and a number"),
        (["AAA 0", "* 0"], "all 2 weights are zero"),
        ([], "is empty: write a secret and its weight on each line"),
        (["AAA 1", "AAB 2"], r"no weight to 62 of 64 secrets, AAC the first: .*`\* 0`"),
        (["AAA 1", "aaa 2", "* 1"], "line 2: 'aaa' is already on line 1"),
        (["* 1", "* 2"], r"line 2: '\*' is already on line 1"),
        (["AAAA 1", "* 2"], "line 1: 'AAAA' has 4 pegs"),
        (["AXA 1", "* 2"], "line 1: peg 2 is 'X', which is not a color"),
    ],
)
def test_wrong_weights_are_refused_with_their_line(lines: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        secrets(f"3x4/prior={write(tmp_path / 'wrong.txt', lines)}")


def test_the_command_line_refuses_weights_that_do_not_fit_though_nothing_is_listed(tmp_path: Path) -> None:
    few = write(tmp_path / "few.txt", ["AAA 1"])
    for board, message in (("3x4", "no weight to 63 of 64 secrets"), ("30x30", "too many to list them all")):
        refused = CliRunner().invoke(cli.group, ["score", "AAA", "AAB", f"--rules={board}/prior={few}"])

        assert refused.exit_code == 2
        assert message in " ".join(refused.output.split())


def test_a_prior_that_is_nowhere_is_refused() -> None:
    with pytest.raises(InputError, match=r"'distnct' is no formula \(uniform, distinct\), and distnct cannot be read"):
        Rules.parse("4x6/prior=distnct")


def chances_of(rules: Rules, codes: CodeSet) -> dict[tuple[int, ...], float]:
    every = dict(zip(secrets(rules), weights(rules).tolist(), strict=True))
    total = sum(every[code] for code in codes)
    return {code: every[code] / total for code in codes}


def costs(rules: Rules, candidates: CodeSet, guess: tuple[int, ...], win: bool) -> tuple[float, float]:
    """Minus the bits, and the codes left, by brute force; with `win` the winning part counts for less."""
    chances, sizes = defaultdict[int, float](float), Counter[int]()
    for code, chance in chances_of(rules, candidates).items():
        label = naive.score(rules.kind, guess, code)
        chances[label] += chance
        sizes[label] += 1
    bits = -sum(chance * log2(chance) for chance in chances.values() if chance)
    bonus = 2 * chances.get(rules.win_label, 0.0)
    left = sum(chance * sizes[label] for label, chance in chances.items() if not (win and label == rules.win_label))
    return -bits - bonus * win, left


@pytest.mark.parametrize("win", [False, True])
@pytest.mark.parametrize("board", ["/black", "/membership", "/positional", ""])
def test_one_step_guesses_by_a_prior_are_those_of_brute_force(board: str, win: bool, tmp_path: Path) -> None:
    rules = Rules.parse(f"3x4{board}/prior={write(tmp_path / 'skewed.txt', SKEWED)}")
    start = Position(rules)
    for position in (start, start.after((0, 0, 1), from_label(int(start.candidates.score((0, 0, 1))[5]), rules))):
        likely = chances_of(rules, position.candidates)
        for place, breaker in enumerate([Entropy(win=win), ExpectedSize(win=win)]):
            guess = breaker.guess(position, RNG)
            found = {code: costs(rules, position.candidates, code, win)[place] for code in guesses(rules)}
            best = [code for code, cost in found.items() if cost < min(found.values()) + 1e-9]
            equal = [code for code in best if code in likely] or best
            likeliest = max(likely.get(code, 0) for code in equal)

            assert guess == next(code for code in equal if likely.get(code, 0) == likeliest)


def test_a_partition_weighs_its_parts_by_the_prior(skewed: Rules) -> None:
    every = secrets(skewed)
    for guess in ((0, 0, 1), (3, 3, 3), (0, 1, 2)):
        part = Partition.of(every, guess)
        bits, left = costs(skewed, every, guess, win=False)

        assert [part.bits, part.expected_size] == pytest.approx([-bits, left])
        assert part.sizes == Partition.of(secrets(Rules.parse("3x4")), guess).sizes


def test_a_uniform_prior_plays_as_none() -> None:
    plain, alike = Rules.parse("3x5"), Rules.parse("3x5/prior=uniform")
    for name in (
        "entropy",
        "expected-size",
        "entropy:then=minimax",
        "expected-size:win=yes",
        "entropy:guesses=candidates",
    ):
        for turns in ([], [((0, 0, 1), Feedback(1))], [((0, 1, 2), Feedback(0, 2))]):
            breaker = codebreakers.get(name)
            assert breaker.guess(Position(plain, turns), RNG) == breaker.guess(Position(alike, turns), RNG)


def test_criteria_that_count_codes_take_no_notice_of_a_prior(skewed: Rules) -> None:
    for name in ("minimax", "sorted-minimax", "parts", "decoder"):
        breaker = codebreakers.get(name)
        turns = [((0, 0, 1), Feedback(1))]
        assert breaker.guess(Position(Rules.parse("3x4"), turns), RNG) == breaker.guess(Position(skewed, turns), RNG)
    assert codebreakers.get("minimax:then=entropy").guess(Position(skewed), RNG) in guesses(skewed)


def test_candidates_that_the_prior_excludes_are_weighed_alike(tmp_path: Path) -> None:
    rules = Rules.parse(f"2x3/prior={write(tmp_path / 'one.txt', ['AA 1', '* 0'])}")
    position = Position(rules, [((0, 0), Feedback(0))])

    assert [0.25] * 4 == position.candidates.chances.tolist()
    assert codebreakers.get("entropy").guess(position, RNG) in guesses(rules)


def test_the_biased_codemaker_draws_by_the_prior(skewed: Rules, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    drawn = Counter(codemakers.get("biased").choose(skewed, rng) for _ in range(4000))
    given = weights(skewed)

    assert drawn[(3, 3, 3)] == 0
    for code, share in zip(secrets(skewed), given.tolist(), strict=True):
        assert abs(drawn[code] - 4000 * share) < 5 * (4000 * share * (1 - share)) ** 0.5 + 1e-9
    rare = write(tmp_path / "one.txt", ["BBB 1", "* 0"])
    assert parse_code("BBB", skewed) == codemakers.get(f"biased:{rare}").choose(skewed, rng)
    assert codemakers.get("biased").choose(Rules.parse("4x6"), rng) in secrets(Rules.parse("4x6"))


def test_consistent_goes_by_the_prior_where_it_is_asked_to(skewed: Rules) -> None:
    rng, start = np.random.default_rng(2), Position(skewed)
    by_prior = Counter(codebreakers.get("consistent:prior=yes").guess(start, rng) for _ in range(1000))
    alike = Counter(codebreakers.get("consistent").guess(start, rng) for _ in range(1000))

    assert by_prior[(0, 0, 1)] > 400
    assert alike[(0, 0, 1)] < 50
    for spec in ("consistent", "consistent:prior=yes"):
        assert spec == name_of(codebreakers.get(spec))


def test_the_arena_plays_priors_as_the_loop_does(skewed: Rules) -> None:
    for breaker in ("random", "consistent", "consistent:prior=yes", "entropy", "minimax"):
        for maker in ("honest", "biased", "cheat"):
            match = Match(breaker, maker, skewed, seed=4)
            (run,) = arena(breaker, maker, skewed, games=4, seed=4, jobs=1)
            assert [len(match.play(game)) for game in range(4)] == run.guesses.tolist()


def test_knowing_the_prior_helps_against_biased_secrets(skewed: Rules) -> None:
    plain = Rules.parse("3x4")
    tree = StrategyTree.build("entropy", skewed)
    mean = {
        rules: sum(
            share
            * len(play(codebreakers.get("entropy"), codemakers.get(f"honest:{format_code(code, rules)}"), rules, 0))
            for code, share in zip(secrets(rules), weights(skewed).tolist(), strict=True)
            if share > 0.01
        )
        for rules in (plain, skewed)
    }

    assert mean[skewed] < mean[plain]
    assert tree.check().total == sum(
        len(play(codebreakers.get("entropy"), codemakers.get(f"honest:{format_code(code, skewed)}"), skewed, 0))
        for code in secrets(skewed)
    )


def test_exact_search_finds_the_least_expected_number_of_guesses(skewed: Rules) -> None:
    rules = Rules.parse("3x4/prior=distinct")
    found, given = optimal(rules), weights(rules)
    tree = StrategyTree.build("entropy", rules)
    by_entropy = sum(
        chance * len(play(tree, codemakers.get(f"honest:{format_code(code, rules)}"), rules, 0))
        for code, chance in zip(secrets(rules), given.tolist(), strict=True)
    )

    assert found.is_exact
    assert found.value.upper == optimal(Rules.parse("3x4"), weights=given).value.upper
    assert found.value.upper <= by_entropy


def test_a_secret_of_weight_0_is_never_looked_for(skewed: Rules) -> None:
    given = weights(skewed)
    found = optimal(skewed)

    assert found.is_exact
    assert found.tree is not None
    assert found.size == len(found.tree.check().secrets) == np.count_nonzero(given) == len(given) - 1
    assert found.value.upper == pytest.approx(optimal(skewed.size, weights=given).value.upper)
    assert "1 code of weight 0 is never the secret: the strategy does not look for it" in str(found)
    with pytest.raises(InputError, match="a part of the codes only"):
        found.tree.save("part.tree")
    assert "have weight 0: no strategy of all codes" in typed("optimal", str(skewed), "--save", "part.tree")


def typed(*arguments: str) -> str:
    return CliRunner().invoke(cli.group, arguments, prog_name="entropeg").output


def test_the_command_line_plays_priors(skewed: Rules) -> None:
    def run(*arguments: str, lines: str = "") -> str:
        return CliRunner().invoke(cli.group, arguments, input=lines, prog_name="entropeg").output

    assert "biased" in run(
        "arena", "entropy,consistent:prior=yes", "biased", "--rules", str(skewed), "--games=5", "--jobs=1"
    )
    assert "I guess ABA" in run("break", "--rules", str(skewed), "--codebreaker=entropy", "--seed=1", lines="quit\n")
    assert "secrets as likely as distinct says" in run("play", "--rules=3x4/prior=distinct", "--seed=1", lines="quit\n")
    assert "biased" in run("list", "codemakers")


def test_a_prior_is_equal_by_what_it_holds(tmp_path: Path) -> None:
    one, other = write(tmp_path / "one.txt", ["* 1"]), write(tmp_path / "other.txt", ["* 1.0"])

    assert Prior.read(one) == Prior.read(other) != Prior.read("uniform")
