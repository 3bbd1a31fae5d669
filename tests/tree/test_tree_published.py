"""Trees as others publish them: lists in YAML, bracket trees, punch cards with a heading and a fact below them.

The writers stand here, after the files of the authors; the program reads these formats and writes its own.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entropeg import Rules
from entropeg.errors import InputError
from entropeg.feedback import Feedback
from entropeg.tree import StrategyTree
from entropeg.tree.nodes import TreeNodes
from entropeg.tree.published import from_brackets, from_lists

BOARDS = ["4x6", "3x5/no-repeats", "2x4/black", "3x3/membership"]


@pytest.fixture(scope="module")
def trees() -> dict[str, StrategyTree]:
    return {board: StrategyTree.build("minimax", Rules.parse(board)) for board in BOARDS}


def counts(tree: StrategyTree, node: int) -> tuple[int, int]:
    feedback = tree.feedback(node)
    assert isinstance(feedback, Feedback)
    return feedback.black, feedback.white


def digits(tree: StrategyTree, node: int) -> str:
    return "".join(map(str, tree.code(node)))


def marks(tree: StrategyTree, node: int) -> str:
    black, white = counts(tree, node)
    return ("X" * black + "O" * white).ljust(tree.rules.pegs, "-")


def is_leaf(tree: StrategyTree, node: int) -> bool:
    return not any(True for _ in tree.children(node))


def lists(tree: StrategyTree) -> str:
    """Write lists in YAML as the author's program does: the feedback that wins stands there too."""
    lines = ["---"]

    def write(node: int, indent: int) -> None:
        lines.append(f"{' ' * indent}- {digits(tree, node)}")
        begin = "- "
        for _, child in tree.children(node):
            key = f"{' ' * indent}{begin}{marks(tree, child)}:"
            begin = "  "
            lines.append(f"{key} {digits(tree, child)}" if is_leaf(tree, child) else key)
            if not is_leaf(tree, child):
                write(child, indent + 4)
        if tree.wins[node]:
            lines.append(f"{' ' * indent}{begin}{'X' * tree.rules.pegs}: {digits(tree, node)}")

    write(0, 0)
    return "\n".join(lines) + "\n"


def brackets(tree: StrategyTree, node: int = 0) -> str:
    """Write a bracket tree by the grammar of the contest."""
    code = "".join(chr(ord("A") + color) for color in tree.code(node))
    below = [f"{''.join(map(str, counts(tree, child)))}:{brackets(tree, child)}" for _, child in tree.children(node)]
    return f"{{{code}:{{{','.join(below)}}}}}" if below else code


def headed_cards(tree: StrategyTree) -> str:
    """Write punch cards as the author's program does: lines from 0, digits from 0, a heading, and a fact at the end."""
    pegs = tree.rules.pegs
    columns = [(b, w) for b in range(pegs + 1) for w in range(pegs + 1 - b) if (b, w) != (pegs - 1, 1)]
    inner = [node for node in range(len(tree)) if node == 0 or not is_leaf(tree, node)]
    depth = {0: 1}
    for node in range(1, len(tree)):
        depth[node] = depth[int(tree.parent[node])] + 1
    lines = [" " * 11 + " ".join(("X" * b + "O" * w).ljust(pegs, "-") for b, w in columns)]
    for number, node in enumerate(inner):
        cells = {
            counts(tree, child): digits(tree, child) if is_leaf(tree, child) else f">{inner.index(child):03}"
            for _, child in tree.children(node)
        }
        if tree.wins[node]:
            cells[pegs, 0] = digits(tree, node)
        row = " ".join(cells.get(column, "-" * pegs) for column in columns)
        lines.append(f"{number:03} {depth[node]} {digits(tree, node)} {row}")
    return "\n".join([*lines, "cpu=33261.9s", ""])


@pytest.mark.parametrize("board", BOARDS)
def test_lists_in_yaml_are_read(board: str, trees: dict[str, StrategyTree], tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(lists(trees[board]))

    assert trees[board] == StrategyTree.load(tmp_path / "a.yml", Rules.parse(board))


@pytest.mark.parametrize("board", ["4x6", "3x5/no-repeats", "3x3/membership"])
def test_bracket_trees_are_read(board: str, trees: dict[str, StrategyTree], tmp_path: Path) -> None:
    text = brackets(trees[board])
    (tmp_path / "a").write_text(text)
    (tmp_path / "wide").write_text(text.replace("{", "{\n  ").replace(":", " : ") + "\n")

    assert trees[board] == StrategyTree.load(tmp_path / "a", Rules.parse(board))
    assert trees[board] == StrategyTree.load(tmp_path / "wide", Rules.parse(board))


def test_punch_cards_with_a_heading_and_a_fact_below_them_are_read(
    trees: dict[str, StrategyTree], tmp_path: Path
) -> None:
    (tmp_path / "cards").write_text(headed_cards(trees["4x6"]))

    assert trees["4x6"] == StrategyTree.load(tmp_path / "cards", Rules())


def test_the_example_of_the_contest_takes_21_guesses() -> None:
    text = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"

    assert 21 == from_brackets(text, Rules.parse("2x3")).check().total


@pytest.mark.parametrize(
    "text",
    [
        '---\n# quoted, as another program may write it\n- "01"\n- \'O-\': "22"\n  "XX": 01\n',
        "- 01\n- O-: 22\n",
        "---\n-  01\n-   O-: 22\n...\n",
    ],
)
def test_lists_may_be_quoted_and_indented_as_one_likes(text: str) -> None:
    tree = from_lists(text, Rules.parse("2x3"))

    assert ("AB", "CC", 2) == (tree.code_text(0), tree.code_text(1), len(tree))


LISTS = "---\n- 00\n- ----:\n    - 11\n    - O---: 01\n  X---: 02\n"

WRONG_LISTS = [
    ("O---: 01", "X--: 77", r"line 5: peg 1 of \(7, 7\) is color 7"),
    ("O---: 01", "Q--: 01", "line 5: 'Q' is not a feedback"),
    ("    - 11\n", "", "line 4: the feedback before it, '----', has no guess"),
    ("    - 11\n", "    - 11\n    - 12\n", "line 5: the guess '12' follows no feedback"),
    ("  X---", " X---", "line 6: the feedback 'X---' stands in the column of no list"),
    ("  X---: 02", "hello", "line 6: 'hello' is neither a guess"),
    (": 02", ":", "it ends after the feedback 'X---', which has no guess"),
    ("    - 11\n    -", "- 11\n-", "line 4: the list of '11' must not stand left of its feedback"),
    ("", "", "after AA X, guess AC, the tree has no branch for X, which the secret AB gives"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), WRONG_LISTS)
def test_lists_that_are_wrong_are_refused_with_the_line(old: str, new: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        from_lists(LISTS.replace(old, new, 1) if old else LISTS, Rules.parse("2x3")).check()


BRACKETS = "{AB:{10:{AC:{10:AA,01:CB,00:BB}},02:BA,01:{BC:{01:CA}},00:CC}}"

WRONG_BRACKETS = [
    ("AA,01", "AA 01", "after AB 10, AC 10 '01' stands where ',' is wanted"),
    ("}},00:CC}}", "}},00:CC}", "after AB 00 nothing stands where '}' is wanted"),
    ("00:CC}}", "00:CC}},", "',' follows the end of the tree"),
    ("10:AA", "10:", "after AB 10 ',' stands where a code is wanted"),
    ("10:AA", "10:AZ", "after AB 10, AC 10: peg 2 is 'Z'"),
    ("02:BA", "20:BA", "2x3|BA"),
    ("02:BA", "77:BA", "after AB 77"),
    ("02:BA,", "", "after the start, guess AB, the tree has no branch for OO"),
    ("02:BA", "02:BA,02:BA", "two branches for OO"),
    ("{AB:{", "{AB:", "after the start '10' stands where '{' is wanted"),
]


@pytest.mark.parametrize(("old", "new", "complaint"), WRONG_BRACKETS)
def test_bracket_trees_that_are_wrong_are_refused_with_the_turns(old: str, new: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        from_brackets(BRACKETS.replace(old, new, 1), Rules.parse("2x3")).check()


def said(read: Callable[[str, Rules], TreeNodes], text: str) -> str:
    """Return what is said of a text; empty where it is a tree."""
    try:
        read(text, Rules.parse("2x3")).check()
    except InputError as error:
        return str(error)
    return ""


@given(st.integers(0, len(BRACKETS)), st.integers(0, 12), st.text("{}:,A1 -", max_size=4))
def test_damaged_bracket_trees_are_refused_in_one_line(at: int, length: int, text: str) -> None:
    assert "\n" not in said(from_brackets, BRACKETS[:at] + text + BRACKETS[at + length :])


@given(st.integers(0, len(LISTS)), st.integers(0, 12), st.text("-: \nXO0", max_size=6))
def test_damaged_lists_are_refused_in_one_line(at: int, length: int, text: str) -> None:
    assert "\n" not in said(from_lists, LISTS[:at] + text + LISTS[at + length :])


def test_trees_without_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="nested more than 500 guesses deep"):
        from_brackets("{AB:{10:" * 100_000, Rules.parse("2x3"))
    deep = "".join(f"{' ' * 4 * depth}- 00\n{' ' * 4 * depth}- O-:\n" for depth in range(600))
    with pytest.raises(InputError, match="nested more than 500 deep"):
        from_lists(deep, Rules.parse("2x3"))
    monkeypatch.setattr("entropeg.tree.published.LARGEST", 10)
    with pytest.raises(InputError, match="it has 62 characters; 10 are read at most"):
        from_brackets(BRACKETS, Rules.parse("2x3"))


@pytest.mark.parametrize("text", ["hello, world\n", "- shopping\n- list\n", "(1122: 0)\n", "\n"])
def test_what_is_no_tree_is_told_with_the_formats_that_are_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(InputError, match=r"read are the trees of this program .* punch cards, lists .* bracket trees"):
        StrategyTree.load(tmp_path / "file")


def test_a_file_that_is_none_of_the_formats_is_told_so_with_rules_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello, world\n")
    with pytest.raises(InputError, match=r"file: line 1: 'hello world' does not start .*; read are the trees"):
        StrategyTree.load(tmp_path / "file", Rules())


def test_trees_of_others_need_rules(trees: dict[str, StrategyTree], tmp_path: Path) -> None:
    for text in (lists(trees["4x6"]), brackets(trees["4x6"]), headed_cards(trees["4x6"])):
        (tmp_path / "file").write_text(text)
        with pytest.raises(InputError, match="it names no rules: if it is a tree, give them"):
            StrategyTree.load(tmp_path / "file")


def test_the_lists_in_the_documents_are_a_whole_tree(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "do" / "trees.md").read_text(encoding="utf-8")
    example = tmp_path / "example.yaml"
    example.write_text(page.split("```yaml\n")[1].split("```")[0], encoding="utf-8")

    assert 21 == StrategyTree.load(example, Rules.parse("2x3")).total
