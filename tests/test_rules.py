"""Rules: sizes, text forms, counts, and what they refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.rules import Blanks, FeedbackKind, Rules
from strategies import rules


@given(rules())
def test_rules_written_as_text_are_read_back_equal(game: Rules) -> None:
    assert Rules.parse(str(game)) == game


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4x6", Rules(4, 6)),
        (" 5 x 8 ", Rules(5, 8)),
        ("classic", Rules(4, 6, guess_limit=12)),
        ("classic/limit=none", Rules(4, 6)),
        ("super", Rules(5, 8, guess_limit=12)),
        ("bulls-and-cows", Rules(4, 10, repeats=False, alphabet="digits")),
        ("course", Rules(4, 8, alphabet="course")),
        ("3x5/no-repeats/guess-repeats", Rules(3, 5, repeats=False, guess_repeats=True)),
        ("4x6/blanks", Rules(4, 6, blanks=Blanks.guesses)),
        ("4x6/blanks-in-secrets/limit=8", Rules(4, 6, blanks=Blanks.both, guess_limit=8)),
        ("4x6/Membership", Rules(4, 6, feedback=FeedbackKind.membership)),
        ("3x3/alphabet=RVB", Rules(3, 3, alphabet="RVB")),
    ],
)
def test_rules_are_read_from_text(text: str, expected: Rules) -> None:
    assert Rules.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0x6", "0 pegs"),
        ("4x0", "0 colors"),
        ("4x3/no-repeats", "at least 4 colors"),
        ("clasic", "not a board"),
        ("", "not a board"),
        ("4x6/foo", "not an option"),
        ("4x6/limit=0", "at least 1"),
        ("4x6/limit=two", "whole number"),
        ("4x6/alphabet=RVBR", "repeats a symbol"),
        ("4x6/alphabet=RVB", "3 symbols"),
        ("4x6/alphabet=RVBJ-M", "kept for blanks"),
        ("4x40/letters", "use numbers"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        Rules.parse(text)


def test_guesses_cannot_be_narrower_than_secrets() -> None:
    with pytest.raises(InputError, match="never be guessed"):
        Rules(4, 6, repeats=True, guess_repeats=False)


@given(rules(max_codes=3000, max_pegs=5, max_colors=6))
def test_code_counts_are_those_of_brute_force(game: Rules) -> None:
    def allowed(code: Code, repeats: bool) -> bool:
        used = [color for color in code if color < game.colors]
        return repeats or len(set(used)) == len(used)

    secret_symbols, guess_symbols = range(game.symbols_in_secrets), range(game.symbols_in_guesses)
    expected_secrets = sum(allowed(code, game.repeats) for code in product(secret_symbols, repeat=game.pegs))
    expected_guesses = sum(allowed(code, bool(game.guess_repeats)) for code in product(guess_symbols, repeat=game.pegs))

    assert (expected_secrets, expected_guesses) == (game.secret_count, game.guess_count)


def test_rules_are_made_without_a_list_of_codes_and_without_kernels(tmp_path: Path) -> None:
    weights = tmp_path / "weights.txt"
    weights.write_text("AAA 2\n* 1\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("act\nbat\n", encoding="utf-8")
    texts = [
        *("classic", "super", "bulls-and-cows", "course", "grand", "999999x999999/numbers", "30x30/prior=distinct"),
        *("3x4/no-repeats/guess-repeats", "4x6/blanks", "4x6/blanks-in-secrets", "3x3/alphabet=RVB", "4x6/limit=none"),
        *("4x6/black", "4x6/membership", "300x300/positional", "9x25/shapes=5", "words:english", "words:french/fold"),
        *(f"3x4/prior={weights}", f"30x30/prior={weights}", f"words:{tmp_path}/words.txt/prior=uniform"),
    ]
    program = f"""
import json, sys
from entropeg.rules import Rules
for text in {texts!r}:
    rules = Rules.parse(text)
    assert Rules.parse(str(rules)) == rules
    rules.secret_count, rules.label_count, rules.win_label, rules.digest, hash(rules)
print(json.dumps(sorted(sys.modules)))
"""
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert {"entropeg.codes", "entropeg.kernels", "numba"}.isdisjoint(json.loads(output))


def test_rules_differ_by_every_field() -> None:
    texts = [
        "4x6",
        "4x6/no-repeats",
        "4x6/no-repeats/guess-repeats",
        "4x6/blanks",
        "4x6/black",
        "4x6/limit=12",
        "4x6/digits",
    ]

    assert len(texts) == len({Rules.parse(text) for text in texts})
