"""Advice on the next guess: its numbers, its laws, its words and its picture."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from entropeg.advise import Advice, Certainty, Expectation, Notes, advise, explain, question
from entropeg.advise.quick import advise_at_once
from entropeg.advise.ranking import pools, sampled, searched
from entropeg.advise.rated import numbers_in_words
from entropeg.codebreakers.auto import STRATEGIES, Auto
from entropeg.codes import CodeSet, format_code, guesses, plane_type, random_secret, score
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.values import PositionValues
from rooms import cases

BOARDS = ["3x5", "4x6", "4x5/blanks", "4x6/no-repeats", "4x6/black", "4x6/prior=distinct", "6x3"]


def random_positions(rules: Rules, number: int, seed: int) -> list[Position]:
    """Positions after one to three random guesses, none of them over."""
    rng = np.random.default_rng(seed)
    found: list[Position] = []
    while len(found) < number:
        position, secret = Position(rules), random_secret(rules, rng)
        for _ in range(int(rng.integers(1, 4))):
            guess = guesses(rules)[int(rng.integers(rules.guess_count))]
            position = position.after(guess, score(guess, secret, rules))
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS)
def test_a_guess_takes_one_and_what_its_answers_leave(board: str) -> None:
    rules = Rules.parse(board)
    for position in random_positions(rules, cases(3, 30), seed=1):
        advice = advise(position, limit=3, also=[guesses(rules)[0]], time=20)
        codes = position.candidates
        assert advice.is_proven
        assert advice.remaining.count == len(codes)
        assert advice.best.loss.value == 0
        assert [one.expected.value for one in advice.guesses] == sorted(one.expected.value for one in advice.guesses)
        for one in (*advice.guesses, *advice.also):
            left = 0.0
            for feedback in one.partition.sizes:
                if feedback != one.partition.win:
                    after = position.after(one.guess, feedback)
                    share = codes.chances[codes.find(after.candidates)].sum()
                    left += share * advise(after, limit=1, time=20).value.value if share else 0.0
            assert one.expected.is_exact
            assert one.expected.value == pytest.approx(1 + left)
            assert one.loss.value == pytest.approx(one.expected.value - advice.value.value)
            assert 0 <= one.loss.value <= 1 + 1e-12
            assert one.partition == Partition.of(codes, one.guess)
            assert one.is_candidate == (one.guess in codes)
            assert one.chance == (codes.chances[codes.index_of(one.guess)] if one.is_candidate else 0)


def test_expected_numbers_are_fractions_of_the_codes_left() -> None:
    advice = advise("4x6", limit=100, time=60)
    shares = {str(one.loss): one.loss.fraction for one in advice.guesses}
    assert advice.value.fraction == Fraction(5625, 1296)
    assert len(advice.guesses) == 5
    assert [round(float(share or 0), 3) for share in shares.values()] == [0, 0.037, 0.059, 0.128, 0.535]


def test_marginals_are_those_of_the_codes() -> None:
    for board in ("4x6", "4x5/blanks", "4x4/prior=distinct"):
        position = random_positions(Rules.parse(board), 1, seed=3)[0]
        codes, marginals = list(position.candidates), advise(position, limit=1).remaining.marginals()
        chances = position.candidates.chances
        for peg, symbol in np.ndindex(marginals.pegs.shape):
            share = sum(chance for code, chance in zip(codes, chances, strict=True) if code[peg] == symbol)
            assert marginals.pegs[peg, symbol] == pytest.approx(share)
        for symbol, copies in np.ndindex(marginals.copies.shape):
            share = sum(chance for code, chance in zip(codes, chances, strict=True) if code.count(symbol) == copies)
            assert marginals.copies[symbol, copies] == pytest.approx(share)
        assert marginals.expected_copies.sum() == pytest.approx(position.rules.pegs)
        assert (marginals.presence <= np.minimum(marginals.expected_copies, 1) + 1e-12).all()


def test_rows_with_unknown_marks_are_advised_on_as_the_codes_they_leave() -> None:
    notes = Notes.of("4x6", ["AABB XO?", "CC?D 1 ?", "EEFF O"])
    advice = advise(notes, limit=3, also=["ABCD"], time=20)
    assert advice.remaining.count == len(notes.candidates) > 2
    asked = PositionValues(notes.candidates, (), is_all=False)
    with asked.opened():
        value, after = asked.value(), asked.after((0, 1, 2, 3))
    assert advice.value.fraction == Fraction(value.lower, asked.mass)
    assert advice.also[0].expected.fraction == Fraction(after.lower, asked.mass)
    complete = ["AABB XO", "CCDD -"]
    assert advise(Notes.of("4x6", complete)).guesses == advise(Position("4x6", complete)).guesses


@pytest.mark.slow
def test_rows_known_in_part_on_a_vast_board_are_advised_on_by_a_sample_that_says_so() -> None:
    notes = Notes.of("20x20", ["ABCDEFGHIJKLMNOPQRST 3 ?"])

    advice = advise(notes, limit=1, time=0.1)

    assert (advice.remaining.is_complete, advice.remaining.count, advice.is_proven) == (False, None, False)
    assert {score("ABCDEFGHIJKLMNOPQRST", code, "20x20")[0] for code in advice.remaining.codes[:20]} == {3}
    assert ("", "", "", str(advice.best.expected), str(advice.best.loss)) == numbers_in_words(advice.best)[2:]


def test_one_code_and_two_codes_are_guessed() -> None:
    one = advise(Position("2x2", ["AA X", "AB OO"]))
    assert one.value.fraction == 1
    assert one.explain() == "BA is the only code left."
    two = advise(Position("2x2", ["AA X"]), also=["AA", "BB"])
    assert two.value.fraction == Fraction(3, 2)
    assert [guess.chance for guess in two.guesses] == [0.5, 0.5]
    assert [guess.loss.fraction for guess in two.also] == [1, 1]
    assert "tells nothing" in two.explain(two.also[0])


def test_a_limit_is_heeded_where_it_can_be_kept() -> None:
    kept = advise(Position("4x6/limit=5", ["AABB X"]), limit=3, time=20)
    free = advise(Position("4x6", ["AABB X"]), limit=3, time=20)
    assert kept.keeps_limit
    assert kept.value.value >= free.value.value
    lost = advise(Position("4x6/limit=3", ["AABB X"]), limit=3, time=20)
    assert not lost.keeps_limit


def test_what_cannot_be_advised_on_is_said() -> None:
    with pytest.raises(InputError, match="the game is won"):
        advise(Position("4x6", ["AABB XXXX"]))
    with pytest.raises(InputError, match="the game is over after 1 guess"):
        advise(Position("4x6/limit=1", ["AABB X"]))
    with pytest.raises(ContradictionError, match="no secret fits"):
        advise(Position("4x6", ["AABB XXX", "AABB X"]))
    with pytest.raises(ContradictionError, match="no code fits"):
        advise(Notes.of("4x6", ["AABB XXX?", "AABB -"]))
    with pytest.raises(InputError):
        advise("4x6", also=["AABBC"])
    with pytest.raises(InputError):
        advise("4x6", limit=0)
    with pytest.raises(InputError):
        advise("4x6", time=-1)


def test_numbers_say_how_well_they_are_known() -> None:
    exact, bound, about = Expectation.of(Fraction(7, 2)), Expectation.at_least(3), Expectation.about(3.5, 0.1)
    assert (str(exact), str(bound), str(about)) == ("= 3.500", "≥ 3.000", "≈ 3.50 ± 0.10")
    assert exact.loss(Expectation.of(Fraction(3))).fraction == Fraction(1, 2)
    assert about.loss(Expectation.of(Fraction(3))) == Expectation.about(0.5, 0.1)
    assert Expectation.about(3.0, 0.1).loss(about) == Expectation.about(0, 0.1)
    assert bound.loss(Expectation.of(Fraction(5, 2))).knowledge is Certainty.at_least
    assert Expectation.of(inf).loss(exact).value == inf


def test_the_time_is_kept_and_numbers_say_what_they_are() -> None:
    advice = advise(Position("4x9", ["AABB X"]), limit=4, time=0.0)
    assert not advice.is_proven
    assert advice.guesses[0].expected.knowledge is Certainty.estimate
    exact = advise(Position("4x9", ["AABB X"]), limit=4, also=[one.guess for one in advice.guesses], time=60)
    for guessed, known in zip(advice.guesses, exact.also, strict=True):
        if guessed.expected.knowledge is Certainty.estimate:
            assert abs(guessed.expected.value - known.expected.value) < 0.2
        assert guessed.expected.knowledge is not Certainty.at_least or guessed.expected.value <= known.expected.value
    assert exact.value.is_exact


def test_advice_is_put_into_words_and_drawn() -> None:
    advice = advise(Position("4x8", ["AABB X", "CCDA XO"]), limit=5, also=["CDEF"], time=20)
    assert advice.explain().startswith(
        "AEFG splits the 124 codes left into 10 groups, the largest of 28; it cannot win"
    )
    assert advice.explain().endswith("and still beats every code that can by 0.032 guesses.")
    assert "takes 0.1 guesses more than AEFG" in advice.explain(advice.also[0])
    drawn = advice._repr_svg_()
    assert drawn.count('class="eg-guess"') == 6
    assert "124 codes left" in drawn
    assert isinstance(advice, Advice)


def test_a_contradiction_is_drawn_with_its_suspects() -> None:
    rows = ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"]
    drawn = explain(Position("4x6", rows))._repr_svg_()
    assert drawn is not None
    assert drawn.count("likely wrong</text>") == 2
    assert "rows 3 and 4 cannot all be true" in drawn
    assert explain(Notes.of("4x6", [*rows, "A?EE X"]))._repr_svg_() is None


def test_the_best_code_left_is_known_and_comes_first_among_equals() -> None:
    for board in ("3x5", "4x5", "4x6/black", "3x6/no-repeats", "3x4/prior=distinct"):
        rules = Rules.parse(board)
        for position in [one for one in random_positions(rules, 20, seed=8) if len(one.candidates) <= 40]:
            every = advise(position, limit=1, also=list(position.candidates), time=60).also
            for limit in (1, 3):
                advice = advise(position, limit=limit, time=60)
                best = min(one.expected.value for one in every)
                assert advice.best_candidate is not None
                assert advice.best_candidate.expected.value == pytest.approx(best)
                if best == advice.value.value:
                    assert advice.best.is_candidate
                if not advice.best.is_candidate:
                    gap = best - advice.value.value
                    assert f"beats every code that can by {gap:.2g} guesses" in advice.explain()


def test_the_last_guess_is_the_likeliest_code(tmp_path: Path) -> None:
    position = Position("4x6/no-repeats/limit=4", ["DBEC XOO", "BADC OO", "FCED OOO"])
    advice = advise(position, also=["ABCD"])
    assert advice.is_last_guess
    assert not advice.keeps_limit
    assert [one.chance for one in advice.guesses] == [1 / len(position.candidates)] * len(position.candidates)
    assert [one.expected.value for one in advice.guesses] == sorted(one.expected.value for one in advice.guesses)
    assert advice.explain().startswith("This is the last guess: ")
    assert "is likelier" in advice.explain(advice.also[0])
    weights = tmp_path / "weights"
    weights.write_text("* 1\nFFF 9\n", encoding="utf-8")
    weighed = advise(Position(f"3x6/limit=2/prior={weights}", ["ABC -"]))
    assert format_code(weighed.best.guess, weighed.position.rules) == "FFF"
    assert weighed.best.chance == pytest.approx(9 / 35)


def test_codes_that_a_prior_holds_for_impossible_are_alike(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.write_text("* 1\nABC 0\nDDD 0\n", encoding="utf-8")
    advice = advise(Position(f"3x5/prior={weights}", ["ABD XX", "AAC XX", "BBC XX"]))
    assert advice.remaining.count == 1
    assert advice.value.value == 1


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the exact search would take long."""
    monkeypatch.setattr("entropeg.advise.quick._is_soon", lambda _: False)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(("board", "rows"), [("3x4", ["DAD -"]), ("4x6", ["FBDE XOO", "CFEA XO"])])
@pytest.mark.parametrize("prior", ["", "/prior=distinct"])
def test_the_value_of_advice_at_once_is_a_bound_for_all_play(board: str, rows: list[str], prior: str) -> None:
    position = Position(board + prior, rows)
    quick, exact = advise_at_once(position, limit=1), advise(position, limit=1, time=20)
    assert exact.value.is_exact
    assert quick.value.knowledge is Certainty.at_least
    assert 1 < quick.value.value <= exact.value.value + 1e-9


@pytest.mark.usefixtures("hurried")
def test_the_last_guess_of_advice_at_once_is_the_likeliest_code(tmp_path: Path) -> None:
    position = Position(Rules.parse("5x8").with_limit(2), ["ABCDE XO"])
    advice = advise_at_once(position, limit=3)
    assert advice.is_last_guess
    assert not advice.keeps_limit
    assert [one.chance for one in advice.guesses] == [1 / len(position.candidates)] * 3
    weights = tmp_path / "weights"
    weights.write_text("* 1\nFFF 9\n", encoding="utf-8")
    weighed = advise_at_once(Position(f"3x6/limit=2/prior={weights}", ["ABC -"]), limit=2)
    assert format_code(weighed.best.guess, weighed.position.rules) == "FFF"
    assert weighed.guesses[1].chance == pytest.approx(1 / 35)
    free = advise_at_once(Position(Rules.parse("5x8").with_limit(3), ["ABCDE XO"]), limit=1)
    assert not free.is_last_guess
    assert free.keeps_limit


def test_a_row_that_is_not_complete_spends_a_guess() -> None:
    for advised in (advise, advise_at_once):
        with pytest.raises(InputError, match="the game is over after 3 guesses: there is no guess to advise"):
            advised(Notes.of("4x6/limit=3", ["AABB XO", "CCDD ? ?", "EEFF ?"]))
        last = advised(Notes.of("4x6/limit=3", ["AABB XO", "CCDD ?"]))
        assert last.guesses_left == 1
        assert last.is_last_guess
        assert not last.keeps_limit
        assert all(one.is_candidate for one in last.guesses)
        earlier = advised(Notes.of("4x6/limit=4", ["AABB XO", "CCDD ?"]))
        assert (earlier.guesses_left, earlier.is_last_guess) == (2, False)
        assert advised(Notes.of("4x6", ["AABB XO", "CCDD ?"])).guesses_left is None


def test_advice_shows_itself_in_a_line() -> None:
    assert "<Advice on 4x6, 0 turns: 1,296 codes left, AABC = 4.340>" == repr(advise("4x6", limit=2))
    assert "<Advice on 2x2, 2 turns: 1 code left, BA = 1.000>" == repr(advise(Position("2x2", ["AA X", "AB OO"])))


def test_a_contradiction_that_nobody_can_narrow_down_is_told_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def beyond(*_: object) -> str:
        raise TooLargeError("too large")

    monkeypatch.setattr(question, "describe_conflict", beyond)
    with pytest.raises(ContradictionError, match="no code of 4x6 fits all 2 turns: at least one of them is wrong"):
        advise(Position("4x6", ["AABB XXX", "AABB X"]))


def test_where_chains_cannot_walk_any_legal_guesses_are_compared() -> None:
    rules, rng = Rules.parse("16x16/positional"), np.random.default_rng(1)
    some = CodeSet.of([random_secret(rules, rng) for _ in range(20)], rules)
    found = pools.likely_guesses(some, rng)

    assert pools.SOME_GUESSES == len(found)
    assert (found.planes < 16).all()


def test_a_turn_of_auto_takes_what_its_ladder_says() -> None:
    for turns in ([], ["A-B-C-D-E-F-G-H-I-J-K-L-M-N-O-P-Q-R-S-T 3 4"]):
        position = Position("20x20", turns)
        auto = Auto(5.0)
        spec = auto.choose(position).spec
        [cost] = {each.cost for each in STRATEGIES if each.spec == spec}
        noted: Any = SimpleNamespace(position=position, rules=position.rules)

        assert pytest.approx(cost * 400) == sampled._turn_seconds(noted, auto)


def test_colors_that_no_code_has_are_stood_for_by_one_of_them() -> None:
    rules = Rules.parse("3x6")
    codes = CodeSet.of([(0, 0, 2), (2, 0, 0)], rules)
    noted: Any = SimpleNamespace(allowed=lambda found: found)
    found = pools._all_guesses(noted, codes)
    single = pools._all_guesses(noted, CodeSet.of([(0, 1, 2), (3, 4, 0)], rules))

    assert found is not None
    assert single is not None
    assert list(product((0, 2, 5), repeat=3)) == list(found)
    assert plane_type(rules) == found.planes.dtype
    assert rules.guess_count == len(single)
    assert pools._all_guesses(noted, CodeSet.of([(0,) * 20], Rules.parse("20x20"))) is None


def test_where_no_strategy_can_be_followed_a_guess_has_its_bound() -> None:
    asked: Any = searched._Searched.__new__(searched._Searched)
    stop = SimpleNamespace(ignored=nullcontext)
    asked.values = SimpleNamespace(
        after=lambda _: SimpleNamespace(is_exact=False, lower=5),
        followed=lambda _: None,
        mass=2,
        board=SimpleNamespace(stop=stop),
    )

    assert Expectation.at_least(Fraction(5, 2)) == asked._after((0, 0))


def test_the_numbers_of_a_guess_are_written_in_the_order_of_their_columns() -> None:
    advice = advise(Position("4x6", ["AABB XO"]), limit=1, also=["AAAA"])
    [other] = advice.also

    assert ("no", "1.76", "4", "72", "64.6", "= 4.091", "= 0.639") == numbers_in_words(other)
    assert ("0.48 %", "3.36", "14", "39", "23.4", "= 3.452", "= 0.000") == numbers_in_words(advice.best)
