"""What tired people type as rows of notes: what each text means, or why it is refused, and texts damaged at random."""

import random

import pytest

from entropeg.advise import Row, format_row, read_notes, read_row
from entropeg.codes import format_code, score
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, Feedback, Marks
from entropeg.rules import Rules
from rooms import cases


class Refused(str):
    """A piece of the sentence that refuses a text."""

    __slots__ = ()


def refused(why: str) -> Refused:
    """Say in the table that a text is refused, and why."""
    return Refused(why)


EXAMPLES = [
    ("4x6", "aabb xo", "AABB XO"),
    ("4x6", "AABB XO", "AABB XO"),
    ("4x6", "  A A B B   2 1 ", "AABB XXO"),
    ("4x6", "AABB 1b 2w", "AABB XOO"),
    ("4x6", "AABB 2w 1b", "AABB XOO"),
    ("4x6", "AABB 2 black 1 white", "AABB XXO"),
    ("4x6", "AABB 1 white, 2 black", "AABB XXO"),
    ("4x6", "AABB xxoo", "AABB XXOO"),
    ("4x6", "AABB OX", "AABB XO"),
    ("4x6", "AABB ?X", "AABB: X?"),
    ("4x6", "AABB ?O", "AABB: O?"),
    ("4x6", "AABB X?O", "AABB: XO?"),
    ("4x6", "AABB ?XO", "AABB: XO?"),
    ("4x6", "XO AABB", "AABB XO"),
    ("4x6", "2 1 AABB", "AABB XXO"),
    ("4x6", "1. AABB XO", "AABB XO"),
    ("4x6", "#3 AABB XO", "AABB XO"),
    ("4x6", "Guess 2: AABB XO", "AABB XO"),
    ("4x6", "AABB: XO", "AABB XO"),
    ("4x6", "AABB -> 1,2", "AABB XOO"),
    ("4x6", "AABB | XO", "AABB XO"),
    ("4x6", "| 1 | AABB | 1 | 2 |", "AABB XOO"),
    ("4x6", "AABBXO", "AABB XO"),
    ("4x6", "AABB, XO", "AABB XO"),
    ("4x6", "AABB", refused("has no feedback: write")),
    ("4x6", "XO", refused("is a feedback without its guess")),
    ("4x6", "", refused("the row is empty: write a guess and its feedback, as AABB XO")),
    ("4x6", "AABBC XO", refused("'AABBC' has 5 pegs; a code of 4x6 has 4")),
    ("4x6", "AABZ XO", refused("peg 4 is 'Z', which is not a color: use A B C D E F")),
    ("4x6", "AABB 21", "AABB XXO"),
    ("4x6", "AABB 2", refused("'2' alone does not tell black from white: 2 ? says that only black is known")),
    (
        "4x6",
        "AABB 3b 1w",
        refused("3 black and 1 white cannot be: when all other pegs are in place the last one cannot be elsewhere"),
    ),
    ("4x6", "AABB XOXOX", refused("3 black and 2 white are 5 marks; a guess has 4 pegs")),
    ("4x6", "AABB 2A1B", "AABB XXO"),
    ("4x6", "AABB 2A?B", "AABB: 2 ?"),
    ("4x6", "AABB 2 bulls 1 cow", "AABB XXO"),
    ("4x6", "AABB ?", "AABB: ?"),
    ("4x6", "AABB 1 ?", "AABB: 1 ?"),
    ("4x6", "AABB ? 2", "AABB: ? 2"),
    ("4x6", "AABB 2b?", "AABB: 2 ?"),
    ("4x6", "AABB XO?", "AABB: XO?"),
    ("4x6", "AABB XO??", "AABB: XO?"),
    ("4x6", "AA?B XO", "AA?B: XO"),
    ("4x6", "? XO", "????: XO"),
    ("4x6", "?", refused("has no feedback: write")),
    ("4x6", "AABB ● ○", "AABB XO"),
    ("4x6", "AABB ⚫⚪", "AABB XO"),
    ("4x6", "AABB ⚫⚪⚪", "AABB XOO"),
    ("4x6", "🔴🔴🟢🔵 ⚫⚪", refused("🔴 is red, which is no color of 4x6: its colors are A B C D E F")),
    ("4x6", "AABB none", "AABB -"),
    ("4x6", "AABB 0", "AABB -"),
    ("4x6", "AABB - XO", "AABB XO"),
    ("4x6", "AABB -", "AABB -"),
    ("4x6", "3 AABB XO", "AABB XO"),
    ("4x6", "AABB X O", "AABB XO"),
    ("4x6", "A-A-B-B XO", "AABB XO"),
    ("4x6", "AABB 1 black ?", "AABB: 1 ?"),
    ("4x6", "AABB no black 1 white", "AABB O"),
    ("4x6", "AABB = XO", "AABB XO"),
    ("4x6", "hello", refused("peg 1 is 'h', which is not a color: use A B C D E F")),
    (
        "4x6",
        "AABB XO extra",
        refused(
            "'XO extra' is not a feedback: write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none, or ? for what is not known"
        ),
    ),
    (
        "4x6",
        "AABB AABB",
        refused("'AABB' is not a feedback: write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none, or ? for what is not known"),
    ),
    ("4x6", "XO XO", refused("is a feedback without its guess")),
    ("4x6", "AABB ?b 2w", "AABB: ? 2"),
    ("4x6", "AABB 2+1", "AABB XXO"),
    ("4x6/names", "red red green blue XO", "red-red-green-blue XO"),
    ("4x6/names", "🔴🔴🟢🔵 ⚫⚪", "red-red-green-blue XO"),
    ("4x6/names", "🔴🔴🟢🔵⚫⚪", "red-red-green-blue XO"),
    ("4x6/names", "🟥🟥🟩🟦 XO", "red-red-green-blue XO"),
    ("4x6/names", "red-red-green-blue 2 1", "red-red-green-blue XXO"),
    ("4x6/names", "red red green 2 1", refused("'red-red-green' has 3 pegs; a code of 4x6/names has 4")),
    (
        "4x6/names",
        "🔴🔴🟢⚪ XO",
        refused("⚪ is white, which is no color of 4x6/names: its colors are red green blue yellow black brown"),
    ),
    ("4x6/names", "red ? green blue 1 ?", "red-?-green-blue: 1 ?"),
    ("4x6/names", "red red yellow black ⚫⚫", "red-red-yellow-black XX"),
    ("4x10/names", "⚫⚪⚫⚪⚫⚪", "black-white-black-white XO"),
    ("4x10/names", "⚫⚪⚫⚪ ⚫⚪", "black-white-black-white XO"),
    ("4x6/alphabet=RGBYOW", "🔴🟢🔵🟡 XO", "RGBY XO"),
    ("4x6/alphabet=RGBYOW", "red green blue yellow XO", "RGBY XO"),
    ("4x8/course", "🔴🟢🔵🟡 XO", "RVBJ XO"),
    ("4x8/course", "rouge vert bleu jaune XO", "RVBJ XO"),
    (
        "4x6/digits",
        "1 1 2 2 1 1",
        refused("can be read as «1122: XO» and as «2211: XO»: write the one that is meant, so"),
    ),
    ("4x6/digits", "1122: 1 1", "1122 XO"),
    ("4x6/digits", "1122 1 1", "1122 XO"),
    ("4x6/digits", "1. 1122 1 1", "1122 XO"),
    ("bulls-and-cows", "1234 2A1B", "1234 XXO"),
    ("bulls-and-cows", "1234 21", "1234 XXO"),
    (
        "bulls-and-cows",
        "1123 21",
        refused("'1123' uses 1 twice, which 4x10/no-repeats/digits does not allow in a guess"),
    ),
    ("4x6/digits", "1122 11", "1122 XO"),
    ("4x30", "3-17-?-1 XO", "3-17-?-1: XO"),
    ("4x30", "3 17 2 1 1 1", "3-17-2-1 XO"),
    ("4x6/black", "AABB 2", "AABB XX"),
    ("4x6/black", "AABB 2 ?", "AABB XX"),
    ("4x6/black", "AABB X?", "AABB: X?"),
    ("4x6/black", "AABB ?", "AABB: ?"),
    ("4x6/black", "AABB XO", refused("4x6/black answers with black only; 1 white cannot be")),
    ("5x26/positional", "CRANE 🟩🟨⬜⬜🟩", "CRANE XO..X"),
    ("5x26/positional", "🟩🟨⬜⬜🟩", "?????: XO..X"),
    ("5x26/positional", "🟩🟨⬜⬜🟩 CRANE", "CRANE XO..X"),
    ("5x26/positional", "CRANE X?-O.", "CRANE: X?.O."),
    ("5x26/positional", "CRANE 21002", "CRANE XO..X"),
    ("5x26/positional", "CRANE XO", refused("2 marks for a guess of 5 pegs: give one mark for each peg")),
    ("5x26/positional", "CRANE ?????", "CRANE: ?"),
    ("5x26/positional", "CRANE --X-O", "CRANE ..X.O"),
    ("5x26/positional", "CRANE", refused("has no feedback: write")),
    (
        "5x26/positional",
        "CRANE XXXXO",
        refused("4 black and 1 white cannot be: when all other pegs are in place the last one cannot be elsewhere"),
    ),
    ("5x26/positional", "CRANE 🟩🟨⬜⬜", refused("4 marks for a guess of 5 pegs: give one mark for each peg")),
    (
        "5x26/positional",
        "? XXXXX",
        refused("can be read as «?????: XXXXX» and as «XXXXX: ?»: write the one that is meant, so"),
    ),
    ("4x25/shapes=5", "A1B2C3D4 XO~", "A1-B2-C3-D4 XO~"),
    ("4x25/shapes=5", "A1?C3D4 X?", "A1-?-C3-D4: X?"),
    ("4x25/shapes=5", "A1B2C3D4 1 ? 1", "A1-B2-C3-D4: 1 ? 1"),
    ("4x6/blanks", "A.B? XO", "A.B?: XO"),
    ("3x2/alphabet=XO", "XOO OX", "XOO XO"),
    (
        "4x10/names",
        "⚫⚫⚪⚪⚫⚪",
        refused("can be read as «black-black-white-white: XO» and as «white-white-black-white: XX»"),
    ),
    ("4x6", "(3) AABB XO", "AABB XO"),
    ("4x6", "turn 4: aabb -> 1b 1w", "AABB XO"),
    ("4x6", "AABB => XO", "AABB XO"),
    ("4x6", "• AABB XO", "AABB XO"),
    ("4x6", "AABB XO.", "AABB XO"),
    ("4x6", "AABB – 1 1", "AABB XO"),
    ("4x6", "AABB\t1\t1", "AABB XO"),
    ("4x6", "AABB two black", "AABB XX"),
    ("4x6", "AABB one black two white", "AABB XOO"),
    ("4x6", "aabb no blacks and two whites", "AABB OO"),
    ("4x6", "AABB two one", "AABB XXO"),
    ("4x6", "AABB B2 W1", "AABB XXO"),
    ("4x6", "AABB b1w2", "AABB XOO"),
    ("4x6", "AABB black 2 white 1", "AABB XXO"),
    ("4x6", "AABB black: 2, white: 1", "AABB XXO"),
    ("4x6", "AABB W?", "AABB: O?"),
    ("4x6", "AABB 1 in place, 1 elsewhere", "AABB XO"),
    ("4x6", "AABB 2/1", "AABB XXO"),
    ("4x6", "AABB (2,1)", "AABB XXO"),
    ("4x6", "\uff21\uff21\uff22\uff22\u3000\uff12\u3000\uff11", "AABB XXO"),
    ("4x6", "AABB\u00a02\u202f\u200e1", "AABB XXO"),
    ("4x6", "AABB X0", refused("'X0' is not a feedback: write XXO")),
    ("4x6", "AABB 2 correct 1 misplaced", refused("'2 correct 1 misplaced' is not a feedback")),
    ("4x6/names", "red blu g y XO", "red-blue-green-yellow XO"),
    ("4x6/names", "bla BLU br y one black", "black-blue-brown-yellow X"),
    ("4x6/names", "b b g y XO", refused("'b' may be blue, black or brown: write more of its letters")),
    ("4x6/alphabet=RGBYOW", "red blu gre yel XO", "RBGY XO"),
    ("4x6/alphabet=RGBYOW", "gr by XO", "GRBY XO"),
    ("4x6/black", "AABB two in place", "AABB XX"),
    ("5x26/positional", "crane, green yellow grey grey green", "CRANE XO..X"),
    ("4x25/shapes=5", "a1b2c3d4 B1 W1 H1", "A1-B2-C3-D4 XO~"),
    ("4x6", "AAB XO", refused("'AAB' has 3 pegs; a code of 4x6 has 4")),
    ("4x6", "AA BB XO", "AABB XO"),
    ("4x6", "AABB rien", "AABB -"),
    ("4x6", "???? XXXX", "????: XXXX"),
    ("4x6", "AABB 4 ?", "AABB XXXX"),
    ("4x6", "AABB 3 ?", "AABB XXX"),
    ("4x6", "AABB 5 ?", refused("5 black and 0 white are 5 marks; a guess has 4 pegs")),
    ("4x6", "AABB unknown", "AABB: ?"),
    ("4x6", "AABB 1?", "AABB: 1 ?"),
    ("4x6/no-repeats", "AB?A XO", refused("'AB?A' uses A twice, which 4x6/no-repeats does not allow in a guess")),
    ("4x6/membership", "AABB 3 1", "AABB XXXO"),
    ("1x4", "A X", "A X"),
    ("1x4", "A ?", "A: ?"),
    ("3x3/positional", "AAB 2 0 1", "AAB X.O"),
    ("3x3/positional", "AAB nothing", "AAB ..."),
    ("3x3/positional", "AAB XO", refused("2 marks for a guess of 3 pegs: give one mark for each peg")),
    (
        "4x6",
        "AABB 1b1b",
        refused("'1b1b' is not a feedback: write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none, or ? for what is not known"),
    ),
    (
        "4x6",
        "AABB XO | note",
        refused(
            "'XO note' is not a feedback: write XXO, 2 1, 2,1, 2b1w, 2A1B, or - for none, or ? for what is not known"
        ),
    ),
    ("4x6", "AABB ≥1 2", "AABB: ≥1 2"),
    ("20x20", "ABCDEFGHIJKLMNOPQRST 3 4", "ABCDEFGHIJKLMNOPQRST XXXOOOO"),
    ("20x20", "ABC 3 4", refused("'ABC' has 3 pegs; a code of 20x20 has 20")),
]
"""Rules, what is typed, and the row as it is written, or a piece of the refusal."""


@pytest.mark.parametrize(("rules", "text", "meaning"), EXAMPLES)
def test_a_text_is_read_as_what_it_means_or_refused_in_a_sentence(rules: str, text: str, meaning: str) -> None:
    if isinstance(meaning, Refused):
        with pytest.raises(InputError) as caught:
            read_row(text, rules)

        assert meaning in str(caught.value)
        assert "\n" not in str(caught.value)
    else:
        row = read_row(text, rules)

        assert meaning == format_row(row, rules)
        assert text == row.text
        assert row == read_row(meaning, rules)


def test_every_refusal_without_two_meanings_shows_a_row_that_is_read() -> None:
    for rules in ("4x6", "2x3", "1x4", "bulls-and-cows", "5x26/positional", "4x6/black", "4x25/shapes=5", "4x8/course"):
        with pytest.raises(InputError, match=r"; .* would be read") as caught:
            read_row("%% %%", rules)
        example = str(caught.value).rsplit("; ", 1)[1].removesuffix(" would be read")

        assert example == format_row(read_row(example, rules), rules)


def test_lines_are_read_and_the_one_that_cannot_be_is_named() -> None:
    assert "AABB XO\nCCDD: 1 ?" == str(read_notes("\n1. aabb  xo\n\n2. ccdd 1 ?\n", "4x6"))
    assert "AABB XO\nCCDD -" == str(read_notes("AABB XO, CCDD -", "4x6"))
    with pytest.raises(InputError, match=r"line 3: 'CCD X' is no row: 'CCD' has 3 pegs"):
        read_notes("AABB XO\n\nCCD X", "4x6")


def test_a_shared_grid_is_read_with_and_without_its_words() -> None:
    shared = "Wordle 1,234 3/6\n\n⬜🟨⬜⬜🟩\n🟩🟩⬜⬜🟩\n🟩🟩🟩🟩🟩\n"

    assert "?????: .O..X\n?????: XX..X\n?????: XXXXX" == str(read_notes(shared, "5x26/positional"))
    assert "CRANE .O..X\nSLATE: XXXXX" == str(read_notes("⬜🟨⬜⬜🟩 crane\nslate 🟩🟩🟩🟩🟩", "5x26/positional"))


BOARDS = ["4x6", "4x6/digits", "bulls-and-cows", "4x6/names", "5x26/positional", "4x6/black", "4x8/course",
          "4x25/shapes=5", "5x30", "4x6/membership", "2x3", "4x6/blanks", "6x9/alphabet=QWERTYUIP"]  # fmt: skip

ALPHABET = "ABCXOxo?-.:|123 01,;#>→🔴⚫⚪🟩⬜\t\x00é≥+()="


def told_otherwise(answer: AnyFeedback, rng: random.Random) -> str:
    """The same feedback in another notation that a person may use."""
    if isinstance(answer, Marks):
        signs = rng.choice([".OX", "012", "⬜🟨🟩", "⬛🟨🟩", "-ox"])
        return rng.choice(["", " "]).join(signs[mark] for mark in answer)
    if type(answer) is not Feedback:
        return " ".join(map(str, answer))
    black, white = answer
    marks = "X" * black + "O" * white
    ways = [f"{black} {white}", f"{black},{white}", f"{black}b{white}w", f"{black}b {white}w", f"{white}w {black}b"]
    ways += [f"{black} black {white} white", f"{white} white, {black} black", f"{black}A{white}B"]
    ways += (
        [marks.lower(), marks[::-1], " ".join(marks), marks.replace("X", "⚫").replace("O", "⚪")] if marks else ["-"]
    )
    return rng.choice(ways)


def typed(guess: Code, answer: AnyFeedback, rules: Rules, rng: random.Random) -> str:
    """A right row, written in one of the ways that a tired person may."""
    code, told = format_code(guess, rules), told_otherwise(answer, rng)
    code = rng.choice([code, code.lower(), f" {code} ", " ".join(code) if rules.symbols.is_spelled else code])
    between = rng.choice([" ", "   ", ": ", " -> ", " | ", "\t", " => "])
    number = rng.choice(["", "", "1. ", "#3 ", "2) ", "Guess 4: ", "(7) "])
    return number + (f"{told} {code}" if rng.random() < 0.2 else f"{code}{between}{told}")


def test_a_right_row_in_any_notation_means_the_same_or_is_refused() -> None:
    rng, unread = random.Random(2), 0
    for number in range(2000):
        rules = Rules.parse(BOARDS[number % len(BOARDS)])
        guess, secret = (drawn(rules, rng) for _ in "ab")
        answer = score(guess, secret, rules)
        text = typed(guess, answer, rules, rng)
        row = tried(text, rules)
        unread += isinstance(row, str)
        if isinstance(row, str):
            assert "can be read as" in row, text
            continue

        assert Row(guess, answer) == row, text
    assert unread < 100


def tried(text: str, rules: Rules) -> Row | str:
    """The row, or the sentence that refuses it."""
    try:
        return read_row(text, rules)
    except InputError as error:
        return str(error)


def drawn(rules: Rules, rng: random.Random) -> Code:
    """A secret of the rules, drawn."""
    colors = range(rules.colors)
    return tuple(rng.choices(colors, k=rules.pegs) if rules.repeats else rng.sample(colors, rules.pegs))


def damaged(text: str, rng: random.Random) -> str:
    """The text with some characters lost, doubled, exchanged or mistyped."""
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text) + 1)
        end = place + rng.randint(0, 3)
        text = (
            text[:place]
            + rng.choice(["", rng.choice(ALPHABET), text[place:end] * 2, text[place:end][::-1]])
            + text[end:]
        )
    return text


def test_damaged_rows_are_read_as_rows_that_can_be_or_refused_in_one_sentence() -> None:
    rng = random.Random(1)
    for number in range(cases(800, 20_000)):
        rules = Rules.parse(BOARDS[number % len(BOARDS)])
        guess, secret = (drawn(rules, rng) for _ in "ab")
        text = damaged(typed(guess, score(guess, secret, rules), rules, rng), rng)
        row = tried(text, rules)
        if isinstance(row, str):
            assert "\n" not in row
            assert 0 < len(row) < 600
            continue

        assert row == Row.of(row.guess, row.feedback, rules)
        assert row == read_row(format_row(row, rules), rules), text


def test_rows_of_great_boards_are_read() -> None:
    rules = Rules.parse("300x1000")
    code = " ".join(str(color) for color in range(1, 301))

    assert tuple(range(300)) == read_row(f"{code}: 3b 4w", rules).guess
    assert tuple(range(300)) == read_row(f"{code} 3b4w", rules).guess
    with pytest.raises(InputError, match="a guess, a space and XO would be read"):
        read_row(f"{code} nothing at all", rules)
