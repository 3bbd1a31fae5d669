"""Notes with unknown pegs and marks: their candidates against every completion, and what can be done with notes."""

import pickle
import random
from itertools import product

import numpy as np
import pytest

from entropeg.advise import Notes, PartFeedback, Row, fitting, format_row, read_notes, read_row
from entropeg.advise import notes as notes_module
from entropeg.advise.rows import are_told
from entropeg.codes import CodeSet, check_code, guesses, secrets, weights
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, Feedback, Marks, score_trusted
from entropeg.position import Position
from entropeg.rules import Rules
from rooms import cases

BOARDS = [
    "3x3", "4x3", "3x4/no-repeats", "3x4/no-repeats/guess-repeats", "2x5/digits", "4x2", "1x4",
    "3x3/black", "3x4/black/no-repeats", "3x3/membership", "3x2/membership/blanks-in-secrets",
    "3x3/positional", "4x2/positional", "3x4/positional/no-repeats", "3x2/positional/blanks",
    "3x3/blanks", "3x3/blanks-in-secrets", "2x4/shapes=2", "3x4/shapes=2", "3x3/prior=distinct",
    "3x30/numbers/no-repeats",
]  # fmt: skip


def in_told(answer: AnyFeedback, told: object) -> bool:
    """Whether a complete feedback is one that a feedback with unknown marks may have been, written to be read."""
    if told is None:
        return True
    if not isinstance(told, PartFeedback):
        return bool(answer == told)
    numbers = (*answer, 0) if len(answer) < len(told.ranges) else tuple(answer)
    return all(low <= number <= high for number, (low, high) in zip(numbers, told.ranges, strict=False))


def fits_slowly(secret: Code, row: Row, rules: Rules) -> bool:
    """Whether some legal completion of the guess gets an answer that the row allows."""
    for filled in product(range(rules.symbols_in_guesses), repeat=row.guess.count(None)):
        left = iter(filled)
        guess = tuple(next(left) if color is None else color for color in row.guess)
        try:
            check_code(guess, rules)
        except InputError:
            continue
        if in_told(score_trusted(guess, secret, rules), row.feedback):
            return True
    return False


def drawn_row(rules: Rules, rng: random.Random, secret: Code) -> Row:
    """A row of a game with this secret, with parts of it forgotten."""
    legal = guesses(rules)
    guess = legal[rng.randrange(len(legal))]
    answer = score_trusted(guess, secret, rules)
    hidden = tuple(None if rng.random() < 0.3 else color for color in guess)
    ranges: list[tuple[int, int | None]] = []
    at_least = rng.random() < 0.3 and not isinstance(answer, Marks)
    for number in answer:
        if at_least:
            ranges.append((rng.randint(0, number), None))
        else:
            ranges.append((0, None) if rng.random() < 0.3 else (number, number))
    return Row(hidden, PartFeedback.of(tuple(ranges), rules))


@pytest.mark.parametrize("text", BOARDS)
def test_the_codes_of_a_row_are_those_that_fit_some_completion(text: str) -> None:
    rules, rng = Rules.parse(text), random.Random(text)
    every = secrets(rules)
    for _ in range(25 if rules.colors < 30 else 2):
        row = drawn_row(rules, rng, every[rng.randrange(len(every))])
        tried = every if len(every) < 1000 else every[:300]

        assert [code for code in tried if fits_slowly(code, row, rules)] == list(fitting(tried, row)), row


@pytest.mark.parametrize("text", BOARDS)
def test_the_secret_that_answered_is_among_the_candidates_of_the_notes(text: str) -> None:
    rules, rng = Rules.parse(text), random.Random(f"{text} notes")
    every = secrets(rules)
    for _ in range(cases(6, 100)):
        secret = every[rng.randrange(len(every))]
        notes = Notes.of(rules)
        for _ in range(3):
            row = drawn_row(rules, rng, secret)
            assert len(notes.candidates) >= len(notes.after(row).candidates)
            notes = notes.after(row)

            assert secret in notes.candidates
            assert notes == read_notes(str(notes), rules)
            assert hash(notes) == hash(read_notes(str(notes), rules))
        assert list(notes.candidates) == list(Notes(rules, notes.rows).candidates)


def test_the_words_of_a_list_complete_a_guess(tmp_path: pytest.TempPathFactory) -> None:
    path = tmp_path / "words.txt"  # type: ignore[operator]
    path.write_text("act\nbat\ncat\ntab\ncab\n", encoding="utf-8")
    for options in ("", "/positional", "/black", "/free-guesses"):
        rules = Rules.parse(f"words:{path}{options}")
        rng = random.Random(options)
        for _ in range(30):
            row = drawn_row(rules, rng, secrets(rules)[rng.randrange(5)])

            assert [code for code in secrets(rules) if fits_slowly(code, row, rules)] == list(
                fitting(secrets(rules), row)
            )
    with pytest.raises(InputError, match="no word of"):
        read_row("?bb X", f"words:{path}")


def test_a_mark_that_is_noted_is_one_at_least_and_a_number_is_exact() -> None:
    def left(text: str) -> set[Code]:
        return set(Notes.of("3x3", [text]).candidates)

    assert left("AAB XO") < left("AAB XO?") < left("AAB O?")
    assert left("AAB 1 ?") == left("AAB X") | left("AAB XO") | left("AAB XOO")
    assert left("AAB ? 2") == left("AAB OO") | left("AAB XOO")
    assert left("AAB X?") == left("AAB 1 ?") | left("AAB 2 ?") | left("AAB 3 ?")
    assert left("AAB ?") == set(secrets("3x3"))


def test_candidates_beyond_a_scan_are_those_of_every_completion() -> None:
    rules = Rules.parse("5x20")
    notes = Notes.of(rules, ["AABBC 2 ?", "DEFGH X", "IJKLM O", "NOPQR XO"])
    joined = set()
    for white in range(4):
        complete = Notes.of(rules, [("AABBC", (2, white)), *notes.rows[1:]])
        joined |= set(complete.position.candidates)

    assert joined == set(notes.candidates)


def test_where_the_complete_rows_leave_too_much_every_completion_is_built() -> None:
    rules = Rules.parse("8x12")
    notes = Notes.of(rules, ["ABCDEFG? XXXXXXX?"])

    assert {(0, 1, 2, 3, 4, 5, 6, color) for color in range(12)} <= set(notes.candidates)
    with pytest.raises(TooLargeError, match="too many to list"):
        _ = Notes.of("12x12", ["ABCDEFGHIJKL XO?"]).candidates
    with pytest.raises(TooLargeError, match="complete the row, note another one, or find some"):
        _ = Notes.of("12x12", ["? XO"]).candidates


def test_no_more_codes_of_completions_are_listed_than_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes_module, "BUILT_BYTES", 100 * (8 + 12))
    with pytest.raises(TooLargeError, match="on 8x12 after 1 row more than 100 codes are left: too many to list"):
        _ = Notes.of("8x12", ["ABCDEFG? XXXXXXX?"]).candidates


def test_on_a_vast_board_notes_are_contradictory_where_no_code_fits_and_complete_ones_are_found() -> None:
    complete = Notes.of("8x12", ["ABCDEFGH XXXXXXX"])
    found = complete.find(limit=200, seed=1)

    assert [True, False] == [
        Notes.of("8x12", rows).is_contradictory for rows in (["AAAAAAAA XX?", "AAAAAAAA -"], ["AAAAAAAA XX?"])
    ]
    assert (88, True) == (len(found.codes), found.complete)
    assert list(complete.position.candidates) == list(found.codes)


def test_a_row_with_too_many_completions_is_asked_of_the_codes_that_others_leave() -> None:
    rules = Rules.parse("5x26/positional")
    notes = Notes.of(rules, ["CRANE ?X..?", "?: XXXX.", "?R??? .X..."])
    drawn = list(Notes.of(rules, ["CRANE ?X..?"]).candidates)[::37]

    found = notes.candidates.find(CodeSet.of(drawn, rules)) >= 0

    assert [fits_slowly(code, notes.rows[2], rules) for code in drawn] == found.tolist()
    assert 331_776 == len(notes.candidates)


def test_notes_on_boards_of_any_size_can_be_written_and_read() -> None:
    rules = Rules.parse("1000x1000")
    row = Row.of((None, *range(999)), None, rules)

    assert row == read_row(format_row(row, rules), rules)


def test_the_chances_are_those_of_the_prior() -> None:
    notes = Notes.of("3x3/prior=distinct", ["AB? X?"])
    every = secrets("3x3/prior=distinct")
    given = weights("3x3/prior=distinct")[every.find(notes.candidates)]

    assert np.allclose(given / given.sum(), notes.candidates.chances)


def test_complete_notes_are_a_position_and_back() -> None:
    position = Position("4x6", ["AABB XO", "CCDD -"])
    notes = Notes.of(position)

    assert position == notes.position
    assert list(position.candidates) == list(notes.candidates)
    assert notes == Notes.of("4x6", position.turns)
    with pytest.raises(InputError, match=r"row 3 \('AA\?B: X'\) is not complete"):
        _ = notes.after("AA?B X").position


def test_any_row_can_be_changed_or_taken_out() -> None:
    notes = Notes.of("4x6", ["AABB XO", "CC?D 1 ?", "EEFF ?"])

    assert Notes.of("4x6", ["AABB XO", "CCDD -", "EEFF ?"]) == notes.with_row(1, "CCDD -")
    assert Notes.of("4x6", ["AABB XO", "EEFF ?"]) == notes.without_row(1)
    with pytest.raises(InputError, match=r"at most 2"):
        notes.without_row(3)
    with pytest.raises(InputError, match=r"row 2: .*AAB"):
        notes.with_row(1, "AAB XO")
    with pytest.raises(InputError, match="there is no row yet"):
        Notes.of("4x6").without_row(0)


def test_a_set_that_is_kept_is_not_asked_again() -> None:
    notes = Notes.of("4x6", ["AABB XO"])
    before = list(notes.candidates)

    assert list(notes.after("CCDD X?").candidates) == [
        code for code in before if code in Notes.of("4x6", ["CCDD X?"]).candidates
    ]
    assert notes == pickle.loads(pickle.dumps(notes))  # noqa: S301 - what was just written


def test_contradictory_notes_are_told() -> None:
    assert Notes.of("4x6", ["AABB XXXX", "AABB ? 1"]).is_contradictory
    assert not Notes.of("4x6", ["AABB XXXX", "AABB ?"]).is_contradictory
    assert Notes.of("4x6", ["AABB -", "CCDD -", "EEFF -"]).is_contradictory
    assert list(Notes.of("4x6").candidates) == list(secrets("4x6"))


@pytest.mark.parametrize(
    ("ranges", "meant"),
    [
        (((4, 4), (0, None)), (4, 0)),
        (((3, 3), (0, None)), (3, 0)),
        (((2, None), (2, None)), (2, 2)),
        (((0, None), (0, None)), None),
    ],
)
def test_what_the_rules_settle_is_complete(ranges: tuple[tuple[int, int | None], ...], meant: object) -> None:
    assert meant == PartFeedback.of(ranges, Rules.parse("4x6"))


@pytest.mark.parametrize("text", ["3x3", "3x3/black", "3x3/membership", "3x4/shapes=2"])
def test_every_row_of_parts_is_written_and_read_the_same(text: str) -> None:
    rules = Rules.parse(text)
    size = 3 if rules.shapes else 2
    possible = {score_trusted(guess, code, rules) for guess in guesses(rules) for code in secrets(rules)}
    for ranges in product(*[[(low, high) for low in range(4) for high in (low, None)]] * size):
        try:
            row = Row(guesses(rules)[5], PartFeedback.of(ranges, rules))
        except InputError:
            assert not any(
                all(low <= n and (high is None or n <= high) for n, (low, high) in zip((*a, 0), ranges, strict=False))
                for a in possible
            )
            continue
        assert row == read_row(format_row(row, rules), rules), format_row(row, rules)


def test_a_guess_of_which_nothing_is_known_is_asked_within_reach() -> None:
    notes = Notes.of("5x8", ["? XXO", "AB??C OO"])

    assert 0 < len(notes.candidates) <= 8**5


def test_black_marks_known_in_part_are_those_from_the_least_to_the_most() -> None:
    rules, labels = Rules.parse("4x6/black"), np.arange(5)

    assert [False, True, True, True, False] == are_told(labels, PartFeedback(((1, 3),)), rules).tolist()
    assert [True, True, True, True, True] == are_told(labels, None, rules).tolist()
    assert [False, False, True, False, False] == are_told(labels, Feedback(2, 0), rules).tolist()
