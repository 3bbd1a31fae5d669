"""Whole games as tired people type and paste them, drawn at random in every notation, and read back."""

import random
from pathlib import Path

import pytest

from entropeg.advise import Notes, Row, read_notes, read_row
from entropeg.codes import format_code, guesses, random_guess, score, secrets
from entropeg.errors import InputError, UnreadRowError
from entropeg.feedback import AnyFeedback, Code, GrandFeedback, Marks
from entropeg.rules import Rules
from rooms import cases

BOARDS = ["4x6", "5x8", "4x6/black", "5x26/positional", "4x6/positional", "4x25/shapes=5", "bulls-and-cows",
          "4x6/names", "4x6/alphabet=RGBYOW", "4x8/course", "4x6/membership", "6x9/alphabet=QWERTYUIP", "5x30", "words",
          "words/positional", "words/black"]  # fmt: skip

WORDS = "about above brown black crane eight moose ocean robot seven slate three towel white woody yacht"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
SPACES = (" ", "  ", "\t", "\u00a0", "\u2003", " \u200b")


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> list[Rules]:
    path: Path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text("\n".join(WORDS.split()) + "\n", encoding="utf-8")
    return [Rules.parse(board.replace("words", f"words:{path}")) for board in BOARDS]


def drawn(rules: Rules, rng: random.Random) -> list[Row]:
    """A game: guesses and what they got."""
    if rules.words is not None:
        legal = [guesses(rules)[place] for place in rng.sample(range(len(guesses(rules))), 4)]
        secret = secrets(rules)[rng.randrange(len(secrets(rules)))]
    else:
        import numpy as np

        numbers = np.random.default_rng(rng.randrange(1 << 30))
        legal = [random_guess(rules, numbers) for _ in range(rng.randint(1, 5))]
        secret = random_guess(rules, numbers)
    return [Row(guess, score(guess, secret, rules)) for guess in legal]


def said_counts(numbers: tuple[int, ...], words: list[str], rng: random.Random) -> str:
    """Numbers with what they count."""
    pairs = [pair for pair in zip(numbers, words, strict=True) if pair[0] or rng.random() < 0.5] or [(0, words[0])]
    if rng.random() < 0.3:
        rng.shuffle(pairs)
    between, shape = rng.choice([" ", ", ", " and "]), rng.choice(["2b", "2 b", "b2", "b 2", "b: 2", "two b", "2 B."])
    if shape == "2 B.":
        return between.join(f"{number} {word.upper()}" for number, word in pairs) + "."
    said = [shape.replace("b", "@").replace("two", NUMBERS[number]).replace("2", str(number)) for number, _ in pairs]
    return between.join(each.replace("@", word) for each, (_, word) in zip(said, pairs, strict=True))


def told_as(answer: AnyFeedback, rules: Rules, rng: random.Random) -> str:
    """A feedback in one of its notations."""
    if isinstance(answer, Marks):
        signs = rng.choice([".OX", "012", "⬜🟨🟩", "⬛🟨🟩", "-ox", [" grey", " yellow", " green"]])
        return "".join(signs[mark] for mark in answer).strip()
    numbers = tuple(answer)[:1] if rules.feedback.about.in_place_only else tuple(answer)
    names = [["black", "white", "half"], ["b", "w", "h"], ["blacks", "whites", "halves"]]
    if not isinstance(answer, GrandFeedback):
        names += [["bulls", "cows"], ["in place", "elsewhere"]]
    marks = "".join(mark * number for mark, number in zip("XO~", numbers, strict=False))
    ways = [said_counts(numbers, list(rng.choice(names))[: len(numbers)], rng)]
    if len(numbers) == 2:
        ways += [rng.choice([" ", ",", "/", ", ", " - ", "+"]).join(map(str, numbers)), f"({numbers[0]}, {numbers[1]})"]
    if marks:
        ways += [marks, marks.lower(), marks[::-1], " ".join(marks), marks.replace("X", "⚫").replace("O", "⚪")]
    else:
        ways += ["-", "none", "nothing"]
    return rng.choice(ways)


def shortened(name: str, names: tuple[str, ...], rng: random.Random) -> str:
    """A color's name by enough of its letters."""
    enough = next(size for size in range(1, 20) if sum(other.startswith(name[:size]) for other in names) == 1)
    return name[: rng.randint(enough, max(len(name), enough))]


def guess_as(guess: Code, rules: Rules, rng: random.Random) -> str:
    """A guess as it may be typed."""
    symbols = rules.symbols
    pieces = [symbols.symbol(color) for color in guess]
    if rules.alphabet == "names":
        pieces = [shortened(piece, symbols.symbols, rng) for piece in pieces]
        return rng.choice([" ", "-", ", "]).join(piece.title() if rng.random() < 0.3 else piece for piece in pieces)
    if not symbols.is_spelled:
        return rng.choice([" ", "-"]).join(pieces)
    text = format_code(guess, rules)
    wide = "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)
    return rng.choice([text, text, text.lower(), text.title(), " ".join(pieces), wide])


def typed(rows: list[Row], rules: Rules, rng: random.Random) -> str:
    """The game, one row a line or on two lines each, numbered or not."""
    number = rng.choice(["", "", "", "{}. ", "#{} ", "{}) ", "Guess {}: ", "({}) ", "| {} | "])
    layout = rng.choice(["row", "row", "row", "below", "above", "exchanged"])
    between = rng.choice([*SPACES, ": ", " -> ", " | ", " = ", " → "])
    lines = []
    for place, row in enumerate(rows, start=1):
        assert row.turn is not None
        guess, told = guess_as(row.turn.guess, rules, rng), told_as(row.turn.feedback, rules, rng)
        start = number.format(place)
        if layout == "below":
            lines += [f"{start}{guess}", told]
        elif layout == "above":
            lines += [f"{start}{told}", guess]
        else:
            lines.append(start + (f"{told}{between}{guess}" if layout == "exchanged" else f"{guess}{between}{told}"))
    ends = rng.choice(["\n", "\r\n", "\n\n", " \n"])
    return rng.choice(["", "\n", "\ufeff"]) + ends.join(lines) + rng.choice(["", "\n", "  "])


def tried_to_read(text: str, rules: Rules) -> Notes | UnreadRowError:
    """The notes, or what refuses them."""
    try:
        return read_notes(text, rules)
    except UnreadRowError as error:
        return error


def test_a_game_in_any_notation_is_read_as_it_was_or_refused_with_what_was_typed(boards: list[Rules]) -> None:
    rng, refused, tried = random.Random(4), list[str](), cases(150, 5000)
    for number in range(tried):
        rules = boards[number % len(boards)]
        rows = drawn(rules, rng)
        text = typed(rows, rules, rng)
        notes = tried_to_read(text, rules)
        if isinstance(notes, UnreadRowError):
            refused.append(f"{rules} {text!r} {notes}")
            assert notes.number is not None
            assert notes.text == text.splitlines()[notes.number - 1]
            assert "\n" not in str(notes)
        else:
            assert tuple(rows) == notes.rows, f"{rules}: {text!r}"
    assert len(refused) < tried / 25, "\n".join(refused)


@pytest.mark.parametrize(
    ("rules", "text", "meaning"),
    [
        ("4x6", "AABB\nXO\nCCDD\n2 1", "AABB XO\nCCDD XXO"),
        ("4x6", "XO\nAABB\n2 1\nCCDD", "AABB XO\nCCDD XXO"),
        ("4x6", "AABB\nXO\nEEFF -\nCCDD\n\nOO", "AABB XO\nEEFF -\nCCDD OO"),
        ("4x6", "1. AABB\n   1 black\n2. BBBB\n   none", "AABB X\nBBBB -"),
        ("5x26/positional", "CRANE\n🟩🟨⬜⬜🟩\nSLATE\n⬜⬜⬜🟨🟩", "CRANE XO..X\nSLATE ...OX"),
        ("5x26/positional", "🟩🟨⬜⬜🟩\n⬜⬜⬜🟨🟩", "?????: XO..X\n?????: ...OX"),
        ("4x6", "BBBB\nBBB\nbbbc\nbb", "BBBB XXX\nBBBC XX"),
        ("4x6/digits", "1122\n11\n3344\n2 0", "1122 XO\n3344 XX"),
    ],
)
def test_a_guess_and_its_feedback_may_stand_on_two_lines(rules: str, text: str, meaning: str) -> None:
    assert meaning == str(read_notes(text, rules))


@pytest.mark.parametrize(
    ("text", "number", "typed_text", "message"),
    [
        ("AABB XO\nCCDD\nEEFF XO", 2, "CCDD", "line 2: 'CCDD' has no feedback"),
        ("AABB\nXO\n2 1", 1, "AABB", "line 1: 'AABB' has no feedback"),
        ("AABB\nCCDD\nXO\n2 1", 1, "AABB", "line 1: 'AABB' has no feedback"),
        ("  aabb xo\n\n  aabc zz ", 3, "  aabc zz ", "line 3: "),
    ],
)
def test_what_cannot_be_read_is_kept_as_it_was_typed(text: str, number: int, typed_text: str, message: str) -> None:
    with pytest.raises(UnreadRowError, match=message) as caught:
        read_notes(text, "4x6")

    assert (number, typed_text) == (caught.value.number, caught.value.text)


def test_two_lines_that_could_each_be_the_guess_are_not_taken() -> None:
    with pytest.raises(UnreadRowError, match="can each be the guess or its feedback"):
        read_notes("BBBB\nBBBB", "4x6/membership")


def test_a_feedback_on_a_line_of_its_own_may_have_two_meanings() -> None:
    with pytest.raises(UnreadRowError, match="line 1: 'AABB' can be read as «AABB: X» and as «AABB: -»") as caught:
        read_notes("AABB\n1. -", "4x6/black")

    assert (1, "AABB") == (caught.value.number, caught.value.text)


def test_an_unread_row_keeps_the_text_of_a_row_by_itself() -> None:
    with pytest.raises(InputError) as caught:
        read_row(" aabz xo", "4x6")

    assert isinstance(caught.value, UnreadRowError)
    assert (" aabz xo", None) == (caught.value.text, caught.value.number)
