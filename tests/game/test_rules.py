"""Rules: sizes, text forms, counts, and what they refuse."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.priors import Prior
from entropeg.rules import MOST_DIGITS, MOST_GUESSES, MOST_SIZE, Blanks, FeedbackKind, Rules
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
    with pytest.raises(InputError) as refused:
        Rules(4, 6, repeats=True, guess_repeats=False)

    assert str(refused.value) == (
        "guesses may not repeat colors though secrets may: such a secret could never be guessed"
    )


def test_as_many_colors_as_pegs_are_enough_without_repeats() -> None:
    assert Rules.parse("3x3/no-repeats").secret_count == 6


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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0x6", "0x6 has 0 pegs; a board needs at least 1 of them, as in 4x6"),
        ("1000000x6", "'1000000x6' is too large a board: pegs and colors go up to 999999 each"),
        ("6X1000000", "'6X1000000' is too large a board: pegs and colors go up to 999999 each"),
        (
            "clasic",
            (
                "'clasic' is not a board: write pegs x colors, as in 4x6, words:FILE, or one of "
                "classic, super, bulls-and-cows, course, grand"
            ),
        ),
        (
            "4x6/foo",
            (
                "'foo' is not an option of the rules: they are no-repeats, guess-repeats, blanks, blanks-in-secrets, "
                "standard, black, membership, positional, hard, letters, digits, numbers, names, course, limit=N, "
                "alphabet=SYMBOLS, shapes=N, prior=NAME"
            ),
        ),
        ("4x6/limit=0", "the guess limit is 0; it must be at least 1"),
        ("4x6/limit=two", "the guess limit is 'two'; it must be a whole number, or none"),
        ("4x6/limit=2147483648", "the guess limit is too large: it goes up to 2147483647, and none is no limit"),
        ("4x6/limit=" + "9" * 21, f"the guess limit is '{'9' * 21}'; it must have 20 digits at most"),
        ("4x6/shapes=two", "the number of shapes is 'two'; it must be a whole number"),
        ("4x6/shapes=0", "grand feedback needs shapes: write their number, as 4x25/shapes=5"),
        ("4x6/shapes=4", "6 pairs cannot be shared among 4 shapes: 4x20/shapes=4 has 5 colors of each"),
        ("4x6/shapes=2/blanks", "blanks do not go with shapes: leave one of them out"),
        ("words:english/shapes=2", "words do not go with shapes: leave one of them out"),
        (
            "4x6/shapes=2/digits",
            "an alphabet does not go with shapes: pairs are written A1, a letter and a number",
        ),
        (
            "4x6/black/hard",
            (
                "hard rules need a mark for each peg, which black feedback does not give: "
                "play positional feedback, or leave hard out"
            ),
        ),
        ("4x6/digits/letters", "the rules have two alphabets, digits and letters: leave one of them out"),
        ("4x6/black/membership", "the rules have two kinds of feedback, black and membership: leave one of them out"),
        ("4x6/limit=1/limit=2", "the rules have two guess limits, limit=1 and limit=2: leave one of them out"),
        ("4x6/fold", "'fold' is for word lists only: words:FILE/fold"),
        ("4x6/pegs=4", "'pegs=4' is for word lists only: words:FILE/pegs=4"),
        ("words:english/pegs=x", "the number of pegs is 'x'; it must be a whole number"),
        (
            "words:english/no-repeats",
            "no-repeats does not go with a word list: the list itself says which letters may repeat",
        ),
        ("words:english/blanks", "blanks do not go with a word list: every word fills all its pegs"),
        ("words:english/digits", "an alphabet does not go with a word list: its letters are the symbols"),
        (
            "4x6/prior=uniform/digest=a=b",
            (
                "a file of 4x6/prior=uniform has changed since these rules were written: the digest was a=b; "
                "bring the old file back, or leave the digest out"
            ),
        ),
    ],
)
def test_what_is_wrong_with_a_text_is_said_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Rules.parse(text)

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("pegs", "x", "the number of pegs is 'x'; it must be a whole number"),
        ("colors", 2.5, "the number of colors is 2.5; it must be a whole number"),
        ("pegs", MOST_SIZE + 1, "the board has too many pegs: pegs and colors go up to 999999 each"),
        ("shapes", -1, "the number of shapes is -1; it must be at least 0"),
        ("shapes", 2, "shapes have a feedback of their own, grand: leave standard or the shapes out"),
        ("hard", 3, "hard is 3; it must be True or False"),
        ("repeats", 3, "repeats is 3; it must be True or False"),
        ("guess_repeats", "yes", "guess_repeats is 'yes'; it must be True or False"),
        ("blanks", "some", "blanks is 'some'; it must be one of none, guesses, both"),
        ("blanks", 7, "blanks is 7; it must be one of none, guesses, both"),
        ("feedback", None, "feedback is None; it must be one of standard, black, membership, positional, grand"),
        ("feedback", "grand", "grand feedback needs shapes: write their number, as 4x25/shapes=5"),
        ("guess_limit", "x", "the guess limit is 'x'; it must be a whole number"),
        ("alphabet", 5, "the alphabet is 5; it must be text"),
        ("words", "act", "words is 'act'; it must be a WordList, as WordList.read makes one"),
        ("prior", 5, "the prior is 5; it must be a Prior, or the name of a formula or of a file"),
    ],
)
def test_what_is_wrong_with_a_field_is_said_in_one_sentence(field: str, value: Any, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Rules(**{field: value})

    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("given_fields", "plain"),
    [
        ({"pegs": np.int8(1), "colors": np.int64(1)}, {"pegs": 1, "colors": 1}),
        ({"pegs": MOST_SIZE, "colors": MOST_SIZE}, {"pegs": MOST_SIZE, "colors": MOST_SIZE}),
        ({"guess_limit": np.int64(1)}, {"guess_limit": 1}),
        ({"guess_limit": MOST_GUESSES}, {"guess_limit": MOST_GUESSES}),
        ({"repeats": np.False_, "guess_repeats": np.True_}, {"repeats": False, "guess_repeats": True}),
        ({"blanks": "both"}, {"blanks": Blanks.both}),
        ({"blanks": 1}, {"blanks": Blanks.guesses}),
        ({"feedback": "black"}, {"feedback": FeedbackKind.black}),
        ({"feedback": 3, "hard": np.True_}, {"feedback": FeedbackKind.positional, "hard": True}),
        ({"prior": "distinct"}, {"prior": Prior.read("distinct")}),
        (
            {"shapes": np.int64(1), "feedback": "grand"},
            {"shapes": 1, "feedback": FeedbackKind.grand, "alphabet": "pairs"},
        ),
    ],
)
def test_fields_are_made_the_plain_values_that_they_stand_for(
    given_fields: dict[str, Any], plain: dict[str, Any]
) -> None:
    game = Rules(**given_fields)
    held = {name: getattr(game, name) for name in plain}

    assert held == plain
    assert [type(value) for value in held.values()] == [type(value) for value in plain.values()]
    assert set(vars(game)) - {"symbols"} == {field.name for field in fields(Rules)}


@pytest.mark.parametrize(
    ("text", "written", "described"),
    [
        ("1x1/limit=1", "1x1/limit=1", "1 peg, 1 color (A), 1 secret, 1 guess"),
        ("classic", "4x6/limit=12", "4 pegs, 6 colors (A B C D E F), 1,296 secrets, 12 guesses"),
        ("3X5/Digits/limit=None", "3x5/digits", "3 pegs, 5 colors (1 2 3 4 5), 125 secrets"),
        ("3×3/alphabet=RVB", "3x3/alphabet=RVB", "3 pegs, 3 colors (R V B), 27 secrets"),
        (
            "3x5/no-repeats/guess-repeats",
            "3x5/no-repeats/guess-repeats",
            "3 pegs, 5 colors (A B C D E), no color twice in the secret, 60 secrets",
        ),
        ("3x5/no-repeats", "3x5/no-repeats", "3 pegs, 5 colors (A B C D E), no color twice, 60 secrets"),
        ("2x2/blanks", "2x2/blanks", "2 pegs, 2 colors (A B), blanks (.) in guesses, 4 secrets"),
        (
            "2x2/blanks-in-secrets/black",
            "2x2/blanks-in-secrets/black",
            "2 pegs, 2 colors (A B), blanks (.) in guesses and secrets, answers in black only, 9 secrets",
        ),
        (
            "2x2/hard",
            "2x2/positional/hard",
            "2 pegs, 2 colors (A B), a mark for each peg, as in Wordle, each guess uses every clue, 4 secrets",
        ),
        (
            "1x6/shapes=3",
            "1x6/shapes=3",
            "1 peg, each of 2 colors (letters) and 3 shapes (numbers), ~ for each pair half right in place, 6 secrets",
        ),
        (
            "2x2/prior = distinct",
            "2x2/prior=distinct",
            "2 pegs, 2 colors (A B), secrets as likely as distinct says, 4 secrets",
        ),
    ],
)
def test_rules_are_written_shortly_and_described_in_a_line(text: str, written: str, described: str) -> None:
    game = Rules.parse(text)

    assert (str(game), game.describe()) == (written, described)
    assert Rules.parse(written) == Rules.of(written) == game


def test_rules_are_taken_as_such_or_as_text_and_nothing_else() -> None:
    game = Rules(3, 5)

    assert Rules.of(game) is game
    with pytest.raises(InputError) as refused:
        Rules.of(4)  # type: ignore[arg-type]

    assert str(refused.value) == "the rules are 4; they must be Rules, or text such as 4x6"
    with pytest.raises(InputError) as refused:
        Rules.parse(5)  # type: ignore[arg-type]

    assert str(refused.value) == "the text of the rules is 5; it must be text"


def test_another_limit_changes_the_limit_alone() -> None:
    game = Rules.parse("3x5/black/limit=7")

    assert game.with_limit(7) is game
    assert game.with_limit(np.int64(9)) == Rules.parse("3x5/black/limit=9")  # type: ignore[arg-type]
    assert game.with_limit(None) == Rules.parse("3x5/black")
    with pytest.raises(InputError, match="the guess limit is 'x'"):
        game.with_limit("x")  # type: ignore[arg-type]


def test_a_limit_may_have_as_many_digits_as_are_said() -> None:
    assert Rules.parse("4x6/limit=" + "12".zfill(MOST_DIGITS)) == Rules(guess_limit=12)


def test_names_of_files_may_contain_slashes_and_names_of_options(tmp_path: Path) -> None:
    folder = tmp_path / "black" / "limit=3"
    folder.mkdir(parents=True)
    (folder / "hard").write_text("act\nbat\n", encoding="utf-8")
    (tmp_path / "words").write_text("cat\n", encoding="utf-8")
    (folder / "probes").write_text("tab\n", encoding="utf-8")

    deep = Rules.parse(f"words:{folder}/hard/black/limit=3")
    plain = Rules.parse(f" words:{tmp_path}/words / pegs=3 / fold / probes={folder}/probes / limit=5 ")

    assert deep.words is not None
    assert plain.words is not None
    assert (deep.secret_count, deep.feedback, deep.guess_limit) == (2, FeedbackKind.black, 3)
    assert (plain.secret_count, plain.words.pegs, plain.words.fold, plain.guess_limit) == (1, 3, True, 5)
    assert len(plain.words.probes) == 1
    with pytest.raises(InputError, match="no/such/list"):
        Rules.parse("words:no/such/list/black")


def test_a_list_settles_the_board_and_its_options_choose_from_it(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("act\nbat\nbath\n", encoding="utf-8")

    short = Rules.parse(f"words:{tmp_path}/words/pegs=3")
    free = Rules.parse(f"words:{tmp_path}/words/pegs=4/free-guesses")

    assert (short.pegs, short.colors, short.alphabet, short.guess_count) == (3, 4, "abct", 2)
    assert (free.pegs, free.secret_count, free.guess_count) == (4, 1, free.colors**4)
    assert not short.is_symmetric
    assert short.describe().startswith("words of 3 letters from ")
    assert str(short).endswith(f"/words/pegs=3/digest={short.digest}")
    assert Rules(words=short.words, guess_repeats=True) == short
    with pytest.raises(InputError, match="no-repeats does not go with a word list"):
        Rules(words=short.words, guess_repeats=False)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("words:a/b", "'a/b' is no list of the package: there are words:english, words:french"),
        ("4x6/limit=3/Prior=a/b", "the prior 'a/b' is no formula: there are uniform, distinct"),
        ("4x6/prior=a=b", "the prior 'a=b' is no formula: there are uniform, distinct"),
        ("words:english/probes=a", "probes are read from a file, and no file is read here: leave them out"),
    ],
)
def test_without_files_what_names_a_file_is_refused_and_the_rest_is_read(text: str, sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Rules.parse(text, files=False)

    assert str(refused.value) == sentence
    for read in ("4x6/limit=3/prior = distinct", "words:english/black/free-guesses"):
        assert Rules.parse(read, files=False) == Rules.parse(read)
