"""Claims on how few guesses a board takes: what is played is never called impossible, and what is proven to be, is."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from entropeg.errors import InputError
from entropeg.review import check_claim, check_claims
from entropeg.review.level import guesses_of
from entropeg.rules import Rules
from entropeg.search.known import all_known_values


@pytest.mark.parametrize("board", ["3x4", "4x6", "3x6/no-repeats", "4x4/black"])
def test_what_a_player_really_takes_is_never_called_impossible(board: str) -> None:
    rules = Rules.parse(board)
    for name in ("minimax", "parts", "first-consistent"):
        turns = guesses_of(name, rules)
        for claim in (f"total {turns.sum()}", f"mean {turns.mean():.6f}", f"worst {turns.max()}"):
            assert "known" == check_claim(f"{board} {claim}").verdict.value


def test_one_guess_less_than_a_proven_optimum_is_impossible_and_the_optimum_is_known() -> None:
    checked = 0
    for known in all_known_values():
        if known.strategy != "optimum" or known.total is None or known.grade == "M":
            continue
        assert "impossible" == check_claim(f"{known.rules} total {known.total - 1}").verdict.value
        assert "known" == check_claim(f"{known.rules} total {known.total}").verdict.value
        checked += 1
    assert checked > 90


def test_a_mean_is_taken_as_its_digits_say() -> None:
    optimum = Fraction(5625, 1296)  # 4.3402777
    for text, verdict in {"4.34": "known", "4.340": "known", "4.3403": "known", "4.3402": "impossible"}.items():
        assert verdict == check_claim(f"4x6 mean {text}").verdict.value
    assert "known" == check_claim(f"4x6 mean {optimum}").verdict.value
    assert "known" == check_claim("4x6 mean 4,34").verdict.value


def verdict_on(text: str) -> str:
    try:
        return check_claims(text)[0].verdict.value
    except InputError as error:
        return "refused" if "\n" not in str(error) and len(str(error)) < 400 else "a refusal of many lines"


def test_any_text_is_a_claim_or_refused_in_a_sentence() -> None:
    random = Random(3)
    parts = [
        ["4x6", "3x4", "9x", ""],
        ["mean", "worst", "total", "MEAN", "mode"],
        ["2", "4.5", "300", "1e9", "nan", "7/2", "7/0"],
    ]
    texts = [" ".join(random.choice(part) for part in parts if random.random() < 0.95) for _ in range(300)]

    found = set(map(verdict_on, texts))
    assert {"impossible", "plausible", "refused"} <= found <= {"impossible", "known", "plausible", "refused"}


def test_lines_of_claims_and_tables_are_read_as_they_stand() -> None:
    whole = ["4x6 mean 4,25", "\n4x6 mean 4.25", "4x6,mean,4.25\r4x6,worst,4", '"4x6","mean","4.25"']
    for text in (*whole, "\nboard;measure;number\n4x6;mean;4,25"):
        assert "impossible" == check_claims(text)[0].verdict.value
    with pytest.raises(InputError, match="line 1"):
        check_claims("4" * 200_000)
