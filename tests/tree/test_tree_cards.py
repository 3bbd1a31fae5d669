"""Punch cards: strategies as lines of columns, written by other programs in other orders, and damaged on purpose."""

from pathlib import Path

import pytest

from entropeg import Rules
from entropeg.errors import InputError
from entropeg.feedback import from_label
from entropeg.tree import StrategyTree
from entropeg.tree.cards import from_cards, orders, to_cards

RULES = Rules.parse("4x4")

GOOD = "1 1 AB CC >2 BA >3\n2 2 BC -- CA -- --\n3 2 AC BB CB -- AA\n"
"""A strategy for two pegs and three colors, worked out by hand; columns 0b0w, 0b1w, 0b2w, 1b0w."""


@pytest.fixture(scope="module")
def tree() -> StrategyTree:
    return StrategyTree.build("minimax", RULES)


def cards(tree: StrategyTree) -> list[list[str]]:
    return [line.split() for line in to_cards(tree).splitlines()]


def written(rows: list[list[str]]) -> str:
    return "\n".join(" ".join(row) for row in rows)


def test_cards_written_by_hand_are_read() -> None:
    rules = Rules.parse("2x3")
    tree = from_cards(GOOD, rules)

    assert "AB" == tree.code_text(0)
    assert (21, 3) == (tree.total, tree.worst)


def test_what_is_written_stands_in_columns(tree: StrategyTree) -> None:
    lines = to_cards(tree).splitlines()

    assert 1 == len({line.index(line.split()[2]) for line in lines[:9]})
    assert 13 == len(lines[0].split()) - 3
    assert lines[0].split()[:3] == ["1", "1", "AABC"]


@pytest.mark.parametrize("order", range(len(orders(RULES, 13))))
@pytest.mark.parametrize("extra", ["", "win", "impossible", "both"])
def test_columns_may_stand_in_every_usual_order_and_number(tree: StrategyTree, order: int, extra: str) -> None:
    rules = RULES
    rows = cards(tree)
    ours = orders(rules, 13)[0]
    wanted = orders(rules, 15)[order]
    rest = {rules.win_label: "----", 3 * 5 + 1: "----"}
    left_out = {"win": {16}, "impossible": {20}, "both": set(), "": {16, 20}}[extra]
    changed = []
    for row in rows:
        cells = dict(zip(ours, row[3:], strict=True)) | rest
        cells[rules.win_label] = row[2] if extra == "both" else "****"
        changed.append(row[:3] + [cells[label] for label in wanted if label not in left_out])

    assert tree == from_cards(written(changed), rules)


@pytest.mark.parametrize("style", ["{black}{white}", "{black}b{white}w", "{black},{white}", "{black}A{white}B"])
def test_a_heading_settles_the_order_of_the_columns(tree: StrategyTree, style: str) -> None:
    rows = cards(tree)
    labels = orders(RULES, 13)[0]
    mixed = [5, 0, 12, 3, 7, 1, 2, 11, 4, 10, 9, 8, 6]
    names = [from_label(labels[column], RULES) for column in mixed]
    heading = ["line", "no", "guess", *(style.format(black=one.black, white=one.white) for one in names)]
    changed = [row[:3] + [row[3 + column] for column in mixed] for row in rows]
    if style != "{black},{white}":
        assert tree == from_cards(written([heading, *changed]), RULES)
    with pytest.raises(InputError, match="columns read as 0b0w, 0b1w, 0b2w"):
        from_cards(written(changed), RULES)


@pytest.mark.parametrize("first", ["1", "0", "a", "A"])
def test_codes_may_be_written_with_digits_or_letters(tree: StrategyTree, first: str) -> None:
    symbols = [chr(ord(first) + color) for color in range(4)]
    text = to_cards(tree).translate(str.maketrans("ABCD", "".join(symbols[:4])))

    assert tree == from_cards(text, RULES)


def test_letters_may_stand_for_digits() -> None:
    rules = Rules.parse("3x5/no-repeats/digits")
    tree = StrategyTree.build("entropy", rules)
    text = to_cards(tree).replace(">", "> ")
    lines = [line.split() for line in text.replace("> ", ">").splitlines()]
    changed = [
        row[:2] + [cell if cell[0] in ">-" else cell.translate(str.maketrans("12345", "ABCDE")) for cell in row[2:]]
        for row in lines
    ]

    assert tree == from_cards(text, rules) == from_cards(written(changed), rules)


def test_lines_may_be_numbered_and_ordered_as_one_likes(tree: StrategyTree) -> None:
    rows = cards(tree)
    for row in rows:
        row[0] = f"{1000 - int(row[0])}."
        row[3:] = [f"> {1000 - int(cell[1:])}" if cell.startswith(">") else cell for cell in row[3:]]
    text = "# a comment\n\n" + "\n".join(" | ".join(row) for row in rows[::-1]) + "\n"

    assert tree == from_cards(text, RULES)


@pytest.mark.parametrize("board", ["3x4/black", "3x3/positional", "3x3/membership", "2x30", "3x3/blanks"])
def test_other_kinds_of_feedback_and_alphabets_are_written_and_read(board: str, tmp_path: Path) -> None:
    rules = Rules.parse(board)
    tree = StrategyTree.build("parts", rules)
    tree.save(tmp_path / "a.txt")

    assert tree == StrategyTree.load(tmp_path / "a.txt", rules)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("", "", None),
        ("3 2 AC", "2 2 AC", r"line 3 has the number 2, which line 2 has too"),
        ("3 2 AC", "3 3 AC", r"line 1, guess 1, sends to >3, which is guess 3: it should be guess 2"),
        (">3", ">4", r"line 1 sends to >4, which is not there"),
        (">3", ">x", r"line 1 sends to >x, which is not there"),
        (">3", ">2", r"sends to >2, which is sent to twice"),
        (">3", "--", r"it has 2 first guesses"),
        ("BA >3", "BA", r"line 1 has 3 columns of feedback; 2x3 has 4 besides the winning one"),
        (" AA", "", r"line 3 has 3 columns"),
        ("2 2 BC", "two 2 BC", r"line 2: 'two 2 BC -- CA -- --' does not start with a line number"),
        ("CA --", "XX --", r"line 2: .*'X'"),
        ("CA --", "ABC --", r"line 2: .*ABC"),
        ("-- CA", "CA --", r"after AB O, guess BC, .* which the secret CA gives"),
        (" AA\n", " --\n", r"after AB X, guess AC, the tree has no branch for X, which the secret AA gives"),
        ("CC >2", "CC >1", r"sends to >1, which is guess 1: it should be guess 2"),
        (GOOD, "", "it is empty"),
        (GOOD, "# nothing\n", "it is empty"),
        (GOOD, "hello\n", "line 1: 'hello' does not start with a line number"),
        (GOOD, "1 1 AB\n", "line 1 has 0 columns"),
    ],
)
def test_a_card_that_is_wrong_says_where_and_why(old: str, new: str, complaint: str | None) -> None:
    text = GOOD.replace(old, new) if old else GOOD
    if complaint is None:
        assert 21 == from_cards(text, Rules.parse("2x3")).total
        return
    with pytest.raises(InputError, match=complaint):
        from_cards(text, Rules.parse("2x3"))
