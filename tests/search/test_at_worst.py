"""The fewest secrets at the worst case: a slow recursion over all strategies, known figures, and what is refused."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import pytest
from click.testing import CliRunner

from entropeg import cli
from entropeg import score as feedback
from entropeg.codes import guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.position import Position
from entropeg.rules import Blanks, FeedbackKind, Rules
from entropeg.search.proving.at_worst import with_fewest_at_worst
from entropeg.search.results import Value
from entropeg.search.small.boards import answers_of
from entropeg.tree.optimum import optimal
from naive_exact import NEVER, Code, score

Found = tuple[int, int]


class NaiveAtWorst:
    """Least (total, codes that take all of d guesses) of the codes of a board: every guess at every set is tried."""

    def __init__(self, rules: Rules) -> None:
        self.codes, black = list(secrets(rules)), rules.feedback == FeedbackKind.black
        self.cuts: list[tuple[int, list[int]]] = []
        for guess in guesses(rules):
            found: dict[object, int] = {}
            for i, code in enumerate(self.codes):
                marks = self._score(guess, code, rules.colors if rules.blanks == Blanks.guesses else None)
                found[marks[0] if black else marks] = found.get(marks[0] if black else marks, 0) | 1 << i
            own = 1 << self.codes.index(guess) if guess in self.codes else 0
            self.cuts.append((own, list(found.values())))
        self.best = cache(self._best)

    @staticmethod
    def _score(guess: Code, code: Code, blank: int | None) -> tuple[int, int]:
        # Blanks score nothing: those of guesses are made unlike every color.
        return score(tuple(-1 if color == blank else color for color in guess), code)

    def _best(self, codes: int, d: int) -> Found:
        size = codes.bit_count()
        if d == 0 or size > 1 == d:
            return NEVER, 0
        if size == 1:
            return 1, int(d == 1)
        found = (NEVER, 0)
        for own, cells in self.cuts:
            parts = [part for cell in cells if (part := codes & cell & ~own)]
            if len(parts) == 1 and not codes & own:
                continue
            after = [self.best(part, d - 1) for part in parts]
            total = size + sum(one[0] for one in after)
            found = min(found, (total, sum(one[1] for one in after)))
        return found if found[0] < NEVER else (NEVER, 0)

    def answer(self, *, worst: bool, limit: int = 9) -> tuple[int, int, int] | None:
        """Total, worst case and codes that take it; None where no strategy keeps the limit."""
        everything = (1 << len(self.codes)) - 1
        found = {d: self.best(everything, d) for d in range(1, limit + 1)}
        kept = {d: one for d, one in found.items() if one[0] < NEVER}
        if not kept:
            return None
        d = min(kept) if worst else min(kept, key=lambda depth: (kept[depth][0], depth))
        return kept[d][0], d, kept[d][1]


BOARDS = ["1x1", "1x2", "1x4", "2x2", "2x3", "2x4", "3x2", "2x3/black", "3x2/black", "2x4/no-repeats", "3x3/no-repeats"]
BOARDS += ["2x5/no-repeats", "2x2/blanks", "2x3/blanks", "2x2/blanks-in-secrets", "2x4/no-repeats/black"]


@pytest.mark.parametrize("name", [*BOARDS, "2x5", "3x3", "2x4/black"])
def test_the_fewest_are_those_of_a_slow_recursion_over_all_strategies(name: str) -> None:
    naive = NaiveAtWorst(Rules.parse(name))
    for worst, limit in product((False, True), (None, 3, 4, 5)):
        expected = naive.answer(worst=worst, limit=limit or 9)

        found = optimal(name, fewest_at_worst=True, worst=worst, limit=limit)

        assert (expected is None) == found.is_impossible
        assert found.is_exact
        if expected is not None:
            assert expected == (found.total, found.worst, found.at_worst)
            assert Value(expected[2], expected[2]) == found.at_worst_value
            assert found.tree is not None
            assert expected == found.tree.check().rank


@pytest.mark.parametrize("worst", [False, True])
@pytest.mark.parametrize("name", ["3x5", "3x6", "4x4", "5x2", "5x3", "3x4/black", "4x3/black", "3x6/no-repeats"])
def test_total_and_worst_case_are_the_least_and_no_more_secrets_take_it(name: str, worst: bool) -> None:
    plain, found = optimal(name, worst=worst), optimal(name, worst=worst, fewest_at_worst=True)

    assert plain.total == found.total
    assert plain.tree is not None
    assert found.tree is not None
    assert plain.tree.rank >= found.tree.check().rank
    if not worst:
        assert found.worst is not None
        assert found.worst == 1 or optimal(name, limit=found.worst - 1).value.lower > plain.value.lower


def test_one_secret_of_4x6_takes_six_guesses() -> None:
    found = optimal("4x6", fewest_at_worst=True)

    assert (5625, 6, 1) == (found.total, found.worst, found.at_worst)
    assert "at worst 6: 1 secret, the fewest" in str(found)
    assert found.tree is not None
    assert (5625, 6, 1) == found.tree.check().rank


def test_positions_are_searched_also_on_boards_that_are_too_large() -> None:
    position = Position("4x7").after("AABB", "XO").after("ACAD", "O")

    found, plain = optimal(position, fewest_at_worst=True), optimal(position)

    assert plain.total == found.total
    assert found.is_exact
    assert plain.tree is not None
    assert found.tree is not None
    assert plain.tree.rank >= found.tree.check().rank


def test_a_search_that_is_stopped_says_what_it_has() -> None:
    none = with_fewest_at_worst(Position("4x5"), worst=False, limit=None, seconds=0.0)

    assert not none.is_exact
    assert none.at_worst_value is None


def test_of_a_stopped_count_the_strategy_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("entropeg.search.proving.at_worst.AtWorstSearch.fewest_of", interrupt)

    found = optimal("3x5", fewest_at_worst=True)

    assert found.is_interrupted
    assert not found.is_exact
    assert (Value(451, 451), 5) == (found.value, found.worst)
    assert found.at_worst is not None
    assert Value(1, found.at_worst) == found.at_worst_value
    assert "not proven the fewest" in str(found)


@pytest.mark.parametrize(
    "options",
    [{"weights": {(0, 0): 1.0}}, {"consistent_only": True}, {"checkpoint": "c"}, {"proof": "p"}],
)
def test_what_does_not_go_with_it_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match="with worst, limit and time only"):
        optimal("2x3", fewest_at_worst=True, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["4x7", "3x9", "4x4/black", "100x100"])
def test_boards_beyond_reach_are_refused(name: str) -> None:
    with pytest.raises(TooLargeError, match=r"at most [\d,]+ codes .* such as 4x6"):
        optimal(name, fewest_at_worst=True)


def test_other_refusals() -> None:
    with pytest.raises(InputError, match="a prior"):
        optimal("2x3/prior=distinct", fewest_at_worst=True)
    with pytest.raises(TooLargeError, match="at most 64 answers, and 4x3/positional has 77"):
        optimal("4x3/positional", fewest_at_worst=True)


@pytest.mark.parametrize(("name", "occurring"), [("4x2/positional", 34), ("10x2", 36), ("4x3/positional", 77)])
def test_where_many_answers_are_conceivable_those_that_occur_are_counted(name: str, occurring: int) -> None:
    rules = Rules.parse(name)

    assert occurring == len({feedback(guess, code, rules) for guess in guesses(rules)[:128] for code in secrets(rules)})
    assert occurring == answers_of(rules)


@pytest.mark.parametrize("name", ["3x3/positional", "3x3/membership", "2x6/shapes=2", "4x2/positional"])
def test_other_feedback_has_fewest_too(name: str) -> None:
    found = optimal(name, fewest_at_worst=True)

    assert optimal(name).total == found.total
    assert str(found.at_worst_value).startswith("= ")


def test_the_prompt_prints_and_gives_it_as_json() -> None:
    plain = CliRunner().invoke(cli.group, ["optimal", "3x5", "--fewest-at-worst"])
    facts = json.loads(CliRunner().invoke(cli.group, ["optimal", "3x5", "--fewest-at-worst", "--json"]).output)
    beyond = CliRunner().invoke(cli.group, ["optimal", "100x100", "--fewest-at-worst"])

    assert "at worst 5: 2 secrets, the fewest" in plain.output
    assert (2, 2, True) == (facts["at_worst"], facts["at_worst_lower"], facts["exact"])
    assert beyond.exit_code == 2
