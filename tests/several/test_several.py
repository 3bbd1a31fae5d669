"""Several secrets at once, against a plain search that knows no sets and no bounds."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import naive
from entropeg import Rules, cli, optimal
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.search.results import Value
from entropeg.sessions.several import SeveralSession
from entropeg.several import (
    ONE_STEP,
    Boards,
    SeveralGame,
    SeveralRules,
    best_guesses,
    choose,
    least_total,
    load_several,
    play_several,
    rated,
    save_several,
)
from entropeg.several.exact import _SeveralSearch
from strategies import rules as drawn_rules

Code = tuple[int, ...]
Way = tuple[Code | None, ...]
"""What each secret is, None once it is found."""


def least_by_trying(kind: int, every: Sequence[Code], ways: Sequence[Way]) -> int:
    """The least total of guesses over ways to hide secrets: all guesses, each answered way by way, nothing left out."""

    @cache
    def least(left: frozenset[Way]) -> int:
        best = math.inf
        for guess in every:
            parts = defaultdict(set)
            for way in left:
                answers = tuple(None if code is None else naive.score(kind, guess, code) for code in way)
                after = tuple(None if code == guess else code for code in way)
                if any(after):
                    parts[answers].add(after)
            if set(left) not in parts.values():
                best = min(best, len(left) + sum(least(frozenset(part)) for part in parts.values()))
        return int(best)

    return least(frozenset(ways))


@given(drawn_rules(max_codes=4, max_pegs=3, max_colors=4).map(lambda rules: rules.with_limit(None)), st.integers(1, 2))
def test_the_least_total_is_that_of_a_search_through_everything(rules: Rules, count: int) -> None:
    ways = list(product(secrets(rules), repeat=count))
    found = least_total(SeveralRules(rules, count))

    assert Value(least_by_trying(rules.kind, list(guesses(rules)), ways), found.value.upper) == found.value


@pytest.mark.parametrize(("board", "total"), [("2x2/secrets=3", 194), ("3x2/secrets=2", 196), ("2x3/secrets=2", 257)])
def test_small_boards(board: str, total: int) -> None:
    rules = SeveralRules.parse(board)
    if rules.rules.secret_count**rules.secrets <= 64:
        ways = list(product(secrets(rules.rules), repeat=rules.secrets))
        assert total == least_by_trying(rules.rules.kind, list(guesses(rules.rules)), ways)

    assert Value(total, total) == least_total(board).value


@given(st.data())
def test_the_least_total_from_a_position_on(data: st.DataObject) -> None:
    rules = Rules.parse(data.draw(st.sampled_from(["3x3", "2x4/positional", "4x2", "3x3/black"])))
    every = list(guesses(rules))
    hidden = [data.draw(st.sampled_from(list(secrets(rules)))) for _ in range(2)]
    boards = Boards.of(SeveralRules(rules, 2))
    for guess in data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=3)):
        if not boards.is_over:
            boards = boards.answered(guess, hidden)
    if boards.is_over or boards.ways > 12:
        return
    ways = list(product(*boards.left))

    assert least_by_trying(rules.kind, every, ways) == least_total(boards).value.upper


def least_within(kind: int, every: Sequence[Code], ways: Sequence[Way], limit: int) -> float:
    """The same of strategies of no more than `limit` guesses, infinite where there is none."""

    @cache
    def least(left: frozenset[Way], limit: int) -> float:
        if limit == 0:
            return math.inf
        best = math.inf
        for guess in every:
            parts = defaultdict(set)
            for way in left:
                answers = tuple(None if code is None else naive.score(kind, guess, code) for code in way)
                after = tuple(None if code == guess else code for code in way)
                if any(after):
                    parts[answers].add(after)
            best = min(best, len(left) + sum(least(frozenset(part), limit - 1) for part in parts.values()))
        return best

    return least(frozenset(ways), limit)


@given(
    drawn_rules(max_codes=4, max_pegs=3, max_colors=4).map(lambda rules: rules.with_limit(None)),
    st.integers(1, 2),
    st.integers(1, 5),
    st.booleans(),
)
def test_limits_and_worst_cases_are_those_of_a_search_through_everything(
    rules: Rules, count: int, limit: int, is_of_rules: bool
) -> None:
    ways, every = list(product(secrets(rules), repeat=count)), list(guesses(rules))
    totals = {most: least_within(rules.kind, every, ways, most) for most in range(1, limit + 1)}
    least = min((most for most, total in totals.items() if total < math.inf), default=None)
    several = SeveralRules(rules.with_limit(limit) if is_of_rules else rules, count)
    given = None if is_of_rules else limit
    found, worst = least_total(several, limit=given), least_total(several, worst=True, limit=given)

    assert found.is_exact
    assert worst.is_exact
    assert found.limit == limit
    assert totals[limit] == found.value.lower == (found.value.upper or math.inf)
    if least is None:
        assert found.is_impossible
        assert worst.is_impossible
        assert worst.worst_value is None
    else:
        assert Value(least, least) == worst.worst_value
        assert totals[least] == worst.value.lower == worst.value.upper


@pytest.mark.parametrize("board", ["2x4/black", "3x3/positional", "5x2", "3x4/no-repeats", "2x6"])
def test_limits_of_one_secret_are_those_of_the_usual_game(board: str) -> None:
    plain, one = optimal(board, worst=True), least_total(SeveralRules(Rules.parse(board), 1), worst=True)

    assert plain.worst_value == one.worst_value
    assert plain.total == one.value.upper
    assert plain.worst is not None
    assert least_total(SeveralRules(Rules.parse(board), 1), limit=plain.worst - 1).is_impossible
    assert optimal(board, limit=plain.worst + 1).total == least_total(board, limit=plain.worst + 1).value.upper


def test_a_limit_costs_guesses_or_cannot_be_kept() -> None:
    free, worst = least_total("2x4/secrets=2"), least_total("2x4/secrets=2", worst=True)
    assert worst.worst_value is not None
    least = int(worst.worst_value.lower)

    assert (free.value.lower, worst.value.lower, least) == (949, 949, 5)
    assert least_total("2x4/secrets=2", limit=least - 1).is_impossible
    assert least_total("2x4/limit=5/secrets=2").value == worst.value


def test_one_secret_is_the_usual_game() -> None:
    for board in ("3x3", "2x5", "4x2/positional"):
        assert optimal(board).total == least_total(SeveralRules.of(Rules.parse(board))).value.upper


def test_a_bound_that_is_too_high_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # Control: with a false bound the total is no longer the least.
    right = _SeveralSearch._least
    monkeypatch.setattr(
        _SeveralSearch, "_least", lambda self, sets, left: right(self, sets, left) + 3 * (len(sets) > 1)
    )

    assert 257 < (least_total("2x3/secrets=2").value.upper or 0)


# ------------------------------------------------------------------ one-step rules


def plain_numbers(boards: Boards, guess: Code) -> dict[str, float]:
    """What a guess does to all ways to hide the secrets, each of them answered."""
    rules, ways = boards.rules.rules, list(product(*boards.left))
    parts = Counter(tuple(naive.score(rules.kind, guess, code) for code in way) for way in ways)
    shares = [size / len(ways) for size in parts.values()]
    return {
        "entropy": -sum(share * math.log2(share) for share in shares),
        "parts": len(parts),
        "expected-size": -sum(size * size for size in parts.values()) / len(ways),
        "minimax": -max(parts.values()),
    }


@given(st.data())
def test_a_rule_is_the_best_over_all_ways_to_hide_the_secrets(data: st.DataObject) -> None:
    board = data.draw(st.sampled_from(["3x3", "2x4", "4x2/black", "2x3/blanks", "3x4/no-repeats"]))
    boards = Boards.of(SeveralRules(Rules.parse(board), data.draw(st.integers(2, 3))))
    every = list(guesses(boards.rules.rules))
    hidden = [data.draw(st.sampled_from(list(boards.left[0]))) for _ in range(boards.rules.secrets)]
    for guess in data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=2)):
        boards = boards if boards.is_over else boards.answered(guess, hidden)
    if boards.is_over or boards.ways > 300:
        return
    for by in ONE_STEP:
        chosen = plain_numbers(boards, choose(boards, by))[by]
        assert pytest.approx(max(plain_numbers(boards, guess)[by] for guess in every)) == chosen
    guess = data.draw(st.sampled_from(every))
    told, expected = rated(boards, guess), plain_numbers(boards, guess)

    assert pytest.approx(expected["entropy"], abs=1e-9) == told.bits
    assert (expected["parts"], -expected["minimax"]) == (told.parts, told.largest)
    assert pytest.approx(-expected["expected-size"]) == told.expected_size
    assert pytest.approx(1 - math.prod(1 - (guess in left) / len(left) for left in boards.left)) == told.chance


@pytest.mark.parametrize("by", ONE_STEP)
def test_each_rule_finds_all_secrets(by: str) -> None:
    lengths = [play_several(by, "3x3/secrets=2", seed).guesses for seed in range(30)]

    assert max(lengths) <= 8


def test_the_best_are_ranked() -> None:
    found = best_guesses(Boards.of("4x4/secrets=2"), number=5)

    assert [one.bits for one in found] == sorted((one.bits for one in found), reverse=True)
    assert choose(Boards.of("4x4/secrets=2")) == found[0].guess


# ------------------------------------------------------------------ positions and games


def test_a_secret_that_is_found_answers_no_more() -> None:
    boards = Boards.of("3x4/secrets=2").after("ABC", ["XXX", "X"]).after("ADD", ["O"])

    assert "ABC XXX / X, ADD * / O" == str(boards)
    assert (1,) == boards.open
    assert boards == Boards.of("3x4/secrets=2").after_text("ABC XXX / X").after_text("ADD * / O")


@given(st.integers(0, 50))
def test_the_ways_are_those_that_fit_all_answers(seed: int) -> None:
    game = play_several("minimax", "2x4/secrets=2", seed)
    boards = Boards.of(game.rules)
    for guess in game.made:
        boards = boards.answered(guess, game.secrets)
        if not boards.is_over:
            assert all(game.secrets[place] in left for place, left in zip(boards.open, boards.left, strict=True))

    assert boards.is_won
    assert "won" == game.outcome


def test_games_are_saved_and_read_back(tmp_path: Path) -> None:
    game = play_several("parts", "3x4/secrets=3", 5)
    save_several(game, tmp_path / "game.json")

    assert load_several(tmp_path / "game.json") == game
    changed = json.loads((tmp_path / "game.json").read_text(encoding="utf-8")) | {"secrets": ["AAA", "AAA", "AAA"]}
    with pytest.raises(InputError, match="answers that its secrets do not give"):
        SeveralGame.from_json(changed)


REFUSED = {
    "4x4/secrets=0": "the number of secrets",
    "4x4/secrets=two": "whole number",
    "4x4/secrets=17": "at most 16",
    "4x4/secrets=2/secrets=3": "twice",
    "4x4/secrets=2/hard": "hard rules",
    "4x4/secrets=2/prior=distinct": "priors",
}


@pytest.mark.parametrize(("text", "said"), REFUSED.items())
def test_rules_that_several_secrets_do_not_go_with(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        SeveralRules.parse(text)


def test_what_makes_no_sense_is_refused() -> None:
    boards = Boards.of("3x4/secrets=2")
    with pytest.raises(InputError, match="3 answers to ABC"):
        boards.after("ABC", ["X", "X", "X"])
    with pytest.raises(InputError, match="secret 2 is not found yet"):
        boards.after("ABC", ["X", None])
    with pytest.raises(InputError, match="secret 1 was found before"):
        boards.after("ABC", ["XXX", "X"]).after("ABD", ["X", "X"])
    with pytest.raises(ContradictionError, match="secret 2"):
        choose(boards.after("AAA", ["X", "XX"]).after("BBB", ["X", "XX"]))
    with pytest.raises(InputError, match="the game is over"):
        boards.after("ABC", ["XXX", "XXX"]).after("ABC", ["X"])
    with pytest.raises(InputError, match="it must be one of"):
        choose(boards, "best")
    with pytest.raises(InputError, match="one secret"):
        Rules.parse("4x4/secrets=2")
    with pytest.raises(TooLargeError, match="the least total"):
        least_total("4x6/secrets=2")
    with pytest.raises(InputError, match="would never end"):
        play_several(lambda _: (0, 0, 0), "3x4/secrets=2", secrets=["ABC", "ABD"])
    with pytest.raises(InputError, match="1 secrets"):
        play_several("entropy", "3x4/secrets=2", secrets=["ABC"])


def test_time_and_ctrl_c_leave_bounds() -> None:
    short = least_total("3x4/secrets=2", time=0)

    assert short.value.lower <= 17286 <= (short.value.upper or math.inf)

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    stopped = least_total("4x4/secrets=2", progress=stop)

    assert stopped.is_interrupted
    assert not stopped.is_exact
    assert "interrupted" in str(stopped)


# ------------------------------------------------------------------ as it is typed


def typed(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(cli.group, arguments, prog_name="entropeg", input=text)


def test_a_game_is_played_saved_and_gone_on_with(tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    first = typed("play", "--rules", "4x4/secrets=2", "--seed", "3", "--save", path, text="AABB\nleft\nhint\nquit\n")

    assert 0 == first.exit_code
    assert "AABB  XO / X" in first.output
    assert "secret 1: 56 codes left of 256" in first.output
    assert "ways to hide the secrets left into" in first.output
    assert '"secrets": null' in Path(path).read_text(encoding="utf-8")

    secrets_found = typed("play", "--load", path, text="DADC\nDAAA\nundo\nDAAA\nADDC\n").output

    assert "All found in 4 guesses." in secrets_found
    assert '"secrets": null' in Path(path).read_text(encoding="utf-8")


def test_a_saved_game_brings_its_rules(tmp_path: Path) -> None:
    path = str(tmp_path / "game.json")
    save_several(play_several("parts", "3x4/secrets=3", 5), path)

    assert "exclude each other" in typed("play", "--load", path, "--rules", "3x4/secrets=3").output
    assert "this game is over" in typed("play", "--load", path).output
    assert 2 == typed("break", "--load", path).exit_code


def test_giving_up_shows_the_secrets() -> None:
    assert (
        "The secrets were DAAA / ADDC."
        in typed("play", "--rules", "4x4/secrets=2", "--seed", "3", text="give up\n").output
    )


def test_a_hint_is_of_the_least_total_where_that_is_found_at_once() -> None:
    session = SeveralSession(SeveralRules.parse("3x3/secrets=2"), 1)
    session.handle("AAB")

    found = least_total(session.boards)

    assert f"{found.mean:.2f} guesses more" in session.handle("hint")[0].text
    assert format_code(found.guess, "3x3") in session.handle("hint")[0].text


def test_advice() -> None:
    told = json.loads(typed("advise", "4x6/secrets=2", "AABB XO / X", "--limit", "2", "--json").output)

    assert (53248, "ACAD") == (told["ways"], told["guesses"][0]["guess"])
    assert "53,248 ways to hide the secrets are left" in typed("advise", "4x6/secrets=2", "AABB XO / X").output


def test_worst_case_and_limits_at_the_prompt() -> None:
    told = json.loads(typed("optimal", "2x4/limit=7/secrets=2", "--worst", "--json").output)
    impossible = typed("optimal", "2x4/secrets=2", "--limit", "4").output

    assert (5, 5, 949, 7, False) == tuple(
        told[key] for key in ("worst_lower", "worst_upper", "upper", "limit", "impossible")
    )
    assert "least worst case = 5" in typed("optimal", "2x4/secrets=2", "--worst").output
    assert impossible.startswith("2x4/secrets=2: no strategy keeps the limit of 4 guesses (proven)")
    assert 1 == len([line for line in impossible.splitlines() if line.strip().endswith("(proven)")])


def test_the_least_total_at_the_prompt() -> None:
    told = json.loads(typed("optimal", "3x3/secrets=2", "--json").output)

    assert (2651, 2651, True, 729) == (told["lower"], told["upper"], told["exact"], told["ways"])


@pytest.mark.parametrize(
    "arguments",
    [
        *(
            ["optimal", "3x3/secrets=2", *option.split()]
            for option in ("--fewest-at-worst", "--save x.tree", "--openings", "--worst --save x.tree")
        ),
        *(["optimal", f"3x3/{option}secrets=2"] for option in ("hard/", "prior=distinct/")),
        *(["optimal", f"3x3/secrets={number}"] for number in ("0", "99", "-1", "x", "")),
        ["optimal", "6x9/secrets=2"],
        ["advise", "3x3/secrets=2", "--players"],
        ["play", "--rules", "4x4/secrets=2", "--codemaker", "cheat"],
        ["break", "--rules", "4x4/secrets=2"],
        ["tree", "build", "entropy", "4x4/secrets=2"],
        ["value", "4x4/secrets=2"],
    ],
)
def test_what_several_secrets_do_not_go_with(arguments: list[str]) -> None:
    result: Any = typed(*arguments)

    assert 2 == result.exit_code
    assert 1 == len(result.output.splitlines())
    assert "secrets" in result.output
