"""Strategy trees: built, checked, saved in every format and read again, damaged on purpose, drawn, and played."""

import ast
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Feedback, Position, Rules, codebreakers, play
from entropeg import tree as tree_room
from entropeg.cli import group
from entropeg.codemakers import get as get_codemaker
from entropeg.codes import format_code, guesses, secrets
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.tree import StrategyTree, opening_classes, openings
from entropeg.tree.cards import to_cards
from entropeg.tree.files import DRAWN, ENDINGS
from entropeg.tree.own_formats import to_compact, to_json, to_yaml
from entropeg.tree.picture import fold_limit, to_svg

BOARDS = ["4x6", "3x4/no-repeats", "3x3/positional", "3x4/black", "3x3/blanks", "2x30", "3x3/membership", "1x3"]


@pytest.fixture(scope="module")
def tree() -> StrategyTree:
    return StrategyTree.build("minimax", Rules())


def test_a_tree_knows_what_it_takes(tree: StrategyTree) -> None:
    assert (5801, 5, (1, 6, 62, 533, 694)) == (tree.total, tree.worst, tree.histogram)
    assert 5801 / 1296 == tree.mean
    assert 1296 == tree.wins.sum() == tree.sizes[0]


@pytest.mark.parametrize("ending", sorted(set(ENDINGS) - set(DRAWN)))
@pytest.mark.parametrize("board", BOARDS)
def test_every_format_is_read_as_it_was_written(board: str, ending: str, tmp_path: Path) -> None:
    rules = Rules.parse(board)
    tree = StrategyTree.build("entropy", rules)
    file = tmp_path / f"tree{ending}"
    tree.save(file)

    assert tree == StrategyTree.load(file, rules)


def test_a_5x8_tree_takes_less_than_two_megabytes(tmp_path: Path) -> None:
    tree = StrategyTree.build("entropy:guesses=candidates", Rules.parse("5x8"))

    assert len(to_compact(tree)) < 2_000_000
    assert 32768 == tree.wins.sum()


def test_a_tree_is_a_codebreaker(tree: StrategyTree) -> None:
    game = play(tree, get_codemaker("honest:FEDC"), Rules(), 1)

    assert game.turns[0].guess == (0, 0, 1, 1)
    assert len(game.turns) == tree.turns[secrets(Rules()).index_of((5, 4, 3, 2))]


def test_a_tree_has_no_advice_off_its_own_path(tree: StrategyTree) -> None:
    rng = np.random.default_rng()
    with pytest.raises(InputError, match="the tree plays AABB at turn 1, not ABCD"):
        tree.guess(Position(Rules(), [((0, 1, 2, 3), Feedback(0, 0))]), rng)
    with pytest.raises(InputError, match="this tree is for 4x6, not for 4x7"):
        tree.guess(Position(Rules.parse("4x7")), rng)


def test_any_deterministic_codebreaker_makes_a_tree() -> None:
    assert (1, 4, 25, 108, 305, 602, 196, 49, 6) == StrategyTree.build("first-consistent", Rules()).histogram


class Stubborn:
    """Plays the same code for ever."""

    deterministic = True

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        return (0, 0)


def test_a_codebreaker_that_never_ends_is_told() -> None:
    with pytest.raises(InputError, match="never finds some secret"):
        StrategyTree.build(Stubborn(), Rules.parse("2x2"))


def test_chance_makes_no_tree() -> None:
    with pytest.raises(InputError, match="consistent plays at random"):
        StrategyTree.build("consistent", Rules())


def test_a_board_too_large_says_how_large_and_what_to_do_instead() -> None:
    with pytest.raises(TooLargeError, match=r"429,981,696 secrets of 8x12 .* MB.*arena instead"):
        StrategyTree.build("entropy", Rules.parse("8x12"))


# ------------------------------------------------------------------ openings


def test_strategies_are_ranked_by_total_worst_case_and_secrets_that_take_it() -> None:
    found = openings("minimax", "3x4")
    ranks = [one.tree.rank for one in found]

    assert sorted(ranks) == ranks
    assert [(one.tree.total, len(one.tree.histogram), one.tree.histogram[-1]) for one in found] == ranks


@pytest.mark.parametrize(
    ("board", "count"), [("3x6", 3), ("4x6", 5), ("5x8", 7), ("4x3", 4), ("4x10/no-repeats", 1), ("3x4/blanks", 7)]
)
def test_openings_fall_into_classes(board: str, count: int) -> None:
    assert count == len(opening_classes(Rules.parse(board)))


def test_no_opening_stands_for_others_under_a_prior_of_a_file(tmp_path: Path) -> None:
    for seed in range(4):
        weights = np.random.default_rng(seed).integers(0, 6, 9)
        lines = [f"{format_code(code, '2x3')} {each}\n" for code, each in zip(secrets("2x3"), weights, strict=True)]
        (tmp_path / "weights").write_text("".join(lines))
        rules = Rules.parse(f"2x3/prior={tmp_path / 'weights'}")
        ranks = [StrategyTree.build("entropy", rules, opening=code).rank for code in guesses(rules)]

        assert sorted(ranks) == [one.tree.rank for one in openings("entropy", rules)]
    assert 2 == len(opening_classes("2x3/prior=distinct"))


def test_the_best_opening_comes_first() -> None:
    made = openings("entropy", Rules())

    assert (5680, "AABC") == (made[0].tree.total, made[0].tree.code_text(0))
    assert sorted(one.tree.total for one in made) == [one.tree.total for one in made]
    assert 5722 in [one.tree.total for one in made]


# ------------------------------------------------------------------ damage


def damaged(content: bytes, folder: Path) -> Path:
    file = folder / "bad.tree"
    file.write_bytes(content)
    return file


def test_a_compact_file_cut_short_or_changed_is_told(tree: StrategyTree, tmp_path: Path) -> None:
    content = to_compact(tree)
    middle = len(content) // 2
    changed = content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
    for wrong in (content[:-10], changed):
        with pytest.raises(InputError, match=r"bad.tree: its \d+ bytes after line 2 are damaged or cut short"):
            StrategyTree.load(damaged(wrong, tmp_path))
    with pytest.raises(InputError, match="another version"):
        StrategyTree.load(damaged(content.replace(b"tree 1\n", b"tree 7\n", 1), tmp_path))
    with pytest.raises(InputError, match="header"):
        StrategyTree.load(damaged(content.replace(b'"rules"', b'"ruled"', 1), tmp_path))


def test_an_incomplete_strategy_names_the_turns_and_the_secret(tree: StrategyTree, tmp_path: Path) -> None:
    data = json.loads(to_json(tree))
    del data["tree"]["next"]["1b1w"]["next"]["0b0w"]
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(data))

    with pytest.raises(
        InputError, match=r"after AABB XO, guess \w{4}, the tree has no branch for -, which the secret \w{4} gives"
    ):
        StrategyTree.load(file)


def test_a_branch_that_cannot_happen_is_named(tree: StrategyTree, tmp_path: Path) -> None:
    data = json.loads(to_json(tree))
    data["tree"]["next"]["4b0w"] = {"guess": "AAAA"}
    file = tmp_path / "bad.json"
    file.write_text(json.dumps(data))

    with pytest.raises(InputError, match="no secret comes to the guess after AABB XXXX"):
        StrategyTree.load(file)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"rules": "4x6", ', "line 1, column"),
        ('{"rules": "4x6"}', "not a tree of this program"),
        ('{"rules": "2x2", "tree": {"guess": 3}}', "after the start there is no guess with its branches"),
        ('{"rules": 5, "tree": {}}', "not a tree of this program"),
        ('{"rules": "2x2", "tree": {"guess": "AA", "next": {"1b0w": "AB"}}}', "after AA 1b0w there is no guess"),
        ('{"rules": "2x2", "tree": {"guess": "AA", "next": {"9b": {"guess": "AB"}}}}', "after AA 9b: 9 black"),
        ('{"a":' * 2000, "nested more than 500 deep"),
        ('{"rules": "2x2", "tree": {"guess": "AZ"}}', "after the start: peg 2 is 'Z'"),
        ("rules: 2x2\ntree:\n  AA:\n    2b\n", "line 4"),
        ("rules: 2x2\ntree:\n  AA:\n    3b0w: AB\n", "line 4: 3 black"),
        ("rules: 2x2\ntree:\n", "0 first guesses"),
        ("rules: 2y2\ntree:\n", "'2y2' is not a board"),
        ("rules: 2x2\ntree:\n  AA: {}\n  AB: {}\n", "2 first guesses"),
        ("rules: 9x30\ntree:\n  1-1-1-1-1-1-1-1-1: {}\n", "too many to list"),
        ("digraph x {}", "it is a picture, and trees are not read from pictures; read are"),
        ("<svg></svg>", "it is a picture, and trees are not read from pictures; read are"),
        ("1 1 AA ---- ---- ----\n", "line 1 has 3 columns of feedback"),
        ("hello world\n", "line 1: 'hello world' does not start with a line number"),
        ("1 1 AA >2 >2 -- --\n2 2 AB -- -- -- --\n", "line 1 sends to >2, which is sent to twice"),
        ("1 1 AA >9 -- -- --\n", "sends to >9, which is not there"),
    ],
)
def test_a_damaged_text_says_where_and_why(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(text)

    with pytest.raises(InputError, match=complaint):
        StrategyTree.load(file, Rules.parse("2x2"))


def test_a_punch_card_needs_rules_and_may_list_feedbacks_in_other_orders(tree: StrategyTree, tmp_path: Path) -> None:
    text = to_cards(tree)
    file = tmp_path / "card.txt"
    # Columns backwards, as another program may write them.
    rows = [line.split() for line in text.splitlines()]
    file.write_text("\n".join(" ".join(row[:3] + row[:2:-1]) for row in rows))

    assert tree == StrategyTree.load(file, Rules())
    with pytest.raises(InputError, match="it names no rules: if it is a tree, give them"):
        StrategyTree.load(file)


def test_lists_with_the_line_ends_of_other_systems_are_read(tmp_path: Path) -> None:
    for end in (b"\r\n", b"\r"):
        (tmp_path / "lists").write_bytes(b"\xef\xbb\xbf" + end.join([b"- 0", b"- --: 1", b""]))

        assert 3 == StrategyTree.load(tmp_path / "lists", Rules.parse("1x2")).total


def test_files_that_cannot_be_are_told(tree: StrategyTree, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        StrategyTree.load(tmp_path / "none.tree")
    with pytest.raises(InputError, match=r"does not say its format: end it in .tree, .json"):
        tree.save(tmp_path / "tree.doc")
    tree.save(tmp_path / "a.tree")
    with pytest.raises(InputError, match="for 4x6, not for 4x7"):
        StrategyTree.load(tmp_path / "a.tree", Rules.parse("4x7"))


# ------------------------------------------------------------------ pictures


def test_a_picture_shows_every_position_of_a_small_tree_and_folds_a_large_one(tree: StrategyTree) -> None:
    small = StrategyTree.build("minimax", Rules.parse("3x3"))
    svg = to_svg(small)
    root = ET.fromstring(svg)  # noqa: S314  # made two lines above

    assert root.tag.endswith("svg")
    assert len(small) == svg.count('class="eg-node"')
    assert 3 * len(small) == svg.count('class="eg-peg')
    assert 0 == fold_limit(small, 400)
    assert 0 < fold_limit(tree, 400)
    assert 100 < to_svg(tree).count('class="eg-node"') <= 400


def test_yaml_puts_a_guess_then_each_feedback_to_its_subtree() -> None:
    lines = to_yaml(StrategyTree.build("minimax", Rules.parse("2x2"))).splitlines()

    assert ["rules: 2x2", "total: 8", "tree:", "  AA:"] == lines[:4]


# ------------------------------------------------------------------ at the prompt


def run(*arguments: str) -> str:
    result = CliRunner().invoke(group, list(arguments), standalone_mode=False, catch_exceptions=False)

    assert result.exception is None
    return result.output


def test_the_command_line_builds_shows_checks_and_exports(tmp_path: Path) -> None:
    file, card = str(tmp_path / "a.tree"), str(tmp_path / "a.txt")
    built = run("tree", "build", "minimax", "4x6", "--out", file)
    run("tree", "export", file, card)

    assert "total 5801 guesses over 1296 codes, mean 4.4761, worst 5 (of 694)" in built
    assert built == run("tree", "check", file)
    assert "after AABB XO: guess" in run("tree", "show", file, "XO")
    assert 5801 == json.loads(run("tree", "check", card, "--rules", "4x6", "--json"))["total"]


def test_the_command_line_compares_openings_and_rules_of_choice(tmp_path: Path) -> None:
    best = json.loads(run("tree", "openings", "entropy", "4x6", "--json"))[0]
    kept, figure = str(tmp_path / "kept"), str(tmp_path / "compared.svg")
    first = json.loads(run("compare", "4x6", "--keep", kept, "--figure", figure, "--json"))
    again = json.loads(run("compare", "4x6", "--keep", kept, "--json"))

    assert ("AABC", 5680) == (best["opening"], best["total"])
    assert [5801, 5778, 5696, 5722, 5719, 5668] == [row["total"] for row in first] == [row["total"] for row in again]
    assert all(row["seconds"] is None for row in again)
    assert (tmp_path / "compared.svg").read_text().startswith("<?xml")


def examples() -> dict[str, bool]:
    """Every public function of the room of trees, and every method of a tree: whether its docstring has an example."""
    found = {}
    for file in Path(tree_room.__file__).parent.glob("*.py"):
        body = ast.parse(file.read_text(encoding="utf-8")).body
        body += [
            part
            for node in body
            if isinstance(node, ast.ClassDef) and node.name in {"StrategyTree", "TreeNodes"}
            for part in node.body
        ]
        for node in body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                plain = all(
                    getattr(one, "id", "") not in {"property", "cached_property"} for one in node.decorator_list
                )
                found[f"{file.stem}.{node.name}"] = not plain or ">>>" in (ast.get_docstring(node) or "")
    return found


def test_every_function_of_trees_shows_how_it_is_used() -> None:
    shown = examples()

    assert {"nodes.guess", "strategy.build", "strategy.openings", "strategy.load", "cards.from_cards"} <= set(shown)
    assert [name for name, has in shown.items() if not has] == []


def test_legal_guesses_and_registered_names_agree() -> None:
    assert {"minimax", "sorted-minimax", "expected-size", "entropy", "parts", "weighted-entropy", "by-turn"} <= set(
        codebreakers.names()
    )
    assert 1296 == len(guesses(Rules()))
