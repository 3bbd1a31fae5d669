"""A tree file as a codebreaker, and what stands between a user and a tree: boards too large, functions of nonsense."""

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Feedback, Position, Rules, codebreakers, play
from entropeg.cli import group
from entropeg.codebreakers.check import check_codebreaker
from entropeg.codemakers import get as get_codemaker
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.experiments.runner import arena
from entropeg.symmetry import guess_kinds
from entropeg.tree import StrategyTree, opening_classes
from entropeg.tree.player import TreeFile

BOARD = Rules.parse("3x4")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("trees")
    tree = StrategyTree.build("minimax", BOARD)
    for ending in (".tree", ".json", ".txt"):
        tree.save(made / f"a{ending}")
    return made


@pytest.mark.parametrize("ending", [".tree", ".json", ".txt"])
def test_a_tree_file_keeps_the_promises_of_a_codebreaker(folder: Path, ending: str) -> None:
    player: Any = codebreakers.get(f"tree:{folder}/a{ending}")

    assert f"tree:{folder}/a{ending}" == player.name
    assert player == pickle.loads(pickle.dumps(player))  # noqa: S301 (our own bytes)
    check_codebreaker(player, BOARD)


@pytest.mark.parametrize("maker", ["honest", "cheat"])
def test_in_the_arena_it_plays_as_the_codebreaker_that_made_it(folder: Path, maker: str) -> None:
    made, own = arena([f"tree:{folder}/a.tree", "minimax"], [maker], BOARD, games=20, seed=3, jobs=1)

    assert own.statistics.histogram == made.statistics.histogram


def test_all_secrets_take_the_total_of_the_tree(folder: Path) -> None:
    result = CliRunner().invoke(
        group, ["arena", f"tree:{folder}/a.tree", "honest", "--rules", "3x4", "--all-secrets", "--json"]
    )

    assert f'"total": {StrategyTree.load(folder / "a.tree").total}' in result.stdout


def test_it_breaks_a_code_at_the_prompt(folder: Path) -> None:
    result = CliRunner().invoke(
        group, ["break", "--rules", "3x4", "--codebreaker", f"tree:{folder}/a.tree"], input="XXX\n"
    )

    assert StrategyTree.load(folder / "a.tree").code_text(0) in result.stdout
    assert 0 == result.exit_code


def test_it_is_grown_into_the_same_tree_again(folder: Path) -> None:
    assert StrategyTree.load(folder / "a.tree") == StrategyTree.build(f"tree:{folder}/a.txt", BOARD)


def test_where_the_tree_does_not_come_it_has_no_advice(folder: Path) -> None:
    player, rng = TreeFile(str(folder / "a.tree")), np.random.default_rng()
    first = player.guess(Position(BOARD), rng)
    other = tuple(3 - color for color in first)
    with pytest.raises(InputError, match="it has no advice from there"):
        player.guess(Position(BOARD, [(other, Feedback(0, 0))]), rng)
    with pytest.raises(InputError, match="this tree is for 3x4, not for 3x5"):
        player.guess(Position(Rules.parse("3x5")), rng)
    game = play(player, get_codemaker("honest:DDD"), BOARD, 1)
    lie = [*((turn.guess, turn.feedback) for turn in game.turns[:-1]), (game.turns[-1].guess, Feedback(0, 0))]
    with pytest.raises(ContradictionError):
        player.guess(Position(BOARD, lie), rng)


def test_what_is_wrong_with_the_file_is_told_when_the_codebreaker_is_made(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(InputError, match=r"bad.json: line 1, column 2"):
        codebreakers.get(f"tree:{tmp_path}/bad.json")
    with pytest.raises(InputError, match=r"none.tree cannot be read: No such file"):
        codebreakers.get(f"tree:{tmp_path}/none.tree")
    with pytest.raises(InputError, match="'tree' needs file"):
        codebreakers.get("tree")
    (tmp_path / "bad.txt").write_text("1 1 AAA\n")
    card = codebreakers.get(f"tree:{tmp_path}/bad.txt")
    with pytest.raises(InputError, match=r"bad.txt: line 1 has 0 columns"):
        card.guess(Position(BOARD), np.random.default_rng())


def damage(content: bytes, chance: random.Random) -> bytes:
    """Change a letter, leave some out, double some, cut the rest off, or move a line."""
    at, length = chance.randrange(len(content)), chance.choice((1, 2, 10, 100))
    lines = content.split(b"\n")
    lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))
    return chance.choice(
        [
            content[:at] + chance.choice([b"A", b"9", b">", b"-", b'"', b"}"]) + content[at + 1 :],
            content[:at] + content[at + length :],
            content[: at + length] + content[at:],
            content[:at] or b" ",
            b"\n".join(lines),
        ]
    )


@pytest.mark.parametrize("ending", [".tree", ".json", ".yaml", ".txt"])
def test_a_damaged_file_is_refused_or_is_still_a_whole_strategy(ending: str, tmp_path: Path) -> None:
    rules = Rules.parse("2x3")
    file = tmp_path / f"a{ending}"
    StrategyTree.build("entropy", rules).save(file)
    content, chance = file.read_bytes(), random.Random(7)
    refused = 0
    for _ in range(60):
        file.write_bytes(damage(content, chance))
        try:
            tree = StrategyTree.load(file, rules)
        except InputError as error:
            refused += str(error).startswith(f"a{ending}: ")
            continue

        assert 9 == tree.wins.sum()

    assert refused > 0


# ------------------------------------------------------------------ too large, and nonsense


@pytest.mark.parametrize(
    ("board", "size"), [("7x9", r"4,782,969 secrets .* \(57 MB\)"), ("100x100", r"about 10\^200 secrets .* MB\)")]
)
@pytest.mark.parametrize("command", [("tree", "build", "entropy"), ("tree", "openings", "minimax"), ("compare",)])
def test_a_board_too_large_says_how_large_what_it_needs_and_what_to_do(
    board: str, size: str, command: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(group, [*command, board])

    assert 2 == result.exit_code
    with pytest.raises(TooLargeError, match=size + ".* play a sample of games with arena instead"):
        raise TooLargeError(result.stderr)


# ------------------------------------------------------------------ where guesses come from


def test_guesses_from_candidates_and_probes_are_a_parameter_of_the_whole_family() -> None:
    rules = Rules.parse("4x4")
    for name in ("minimax", "sorted-minimax", "expected-size", "entropy", "parts", "weighted-entropy"):
        few = StrategyTree.build(f"{name}:guesses=probes,probes=5,seed=1", rules)
        only = StrategyTree.build(f"{name}:guesses=candidates", rules)
        assert 256 == only.wins.sum() == len(only)
        assert few.total >= StrategyTree.build(name, rules).total - 10
        assert few != only


def test_every_turn_may_have_its_own_source_of_guesses() -> None:
    rules = Rules.parse("4x4")
    spec = "by-turn:turns=entropy/minimax:guesses=candidates/parts:guesses=probes;probes=7;seed=2"
    tree = StrategyTree.build(spec, rules)
    player, position = codebreakers.get(spec), Position(rules)
    second = [node for node in range(len(tree)) if tree.parent[node] == 0]

    assert "entropy" == tree.name.removeprefix("by-turn:turns=").split("/")[0]
    assert all(tree.wins[node] for node in second)
    assert not all(tree.wins)
    assert tree.code(0) == player.guess(position, np.random.default_rng())
    for node in second:
        after = position.after(tree.code(0), tree.feedback(node))
        assert tree.code(node) == player.guess(after, np.random.default_rng())


@pytest.mark.parametrize("ties", ["random", "candidate-random"])
@pytest.mark.parametrize("name", ["minimax", "parts", "entropy:guesses=probes,probes=9"])
def test_one_seed_is_one_tree_with_and_without_symmetry_and_shortcut(name: str, ties: str) -> None:
    rules = Rules.parse("4x5")
    spec = f"{name}{',' if ':' in name else ':'}ties={ties},seed=3"
    tree = StrategyTree.build(spec, rules)

    assert tree == StrategyTree.build(f"{spec},symmetry=no", rules) == StrategyTree.build(f"{spec},shortcut=no", rules)


@pytest.mark.parametrize(
    "board",
    ["3x6", "4x6", "4x3", "5x2/black", "3x5/no-repeats", "3x4/blanks", "3x3/membership", "2x4/blanks-in-secrets"],
)
def test_two_rooms_that_know_symmetries_find_the_same_openings(board: str) -> None:
    rules = Rules.parse(board)
    kinds = guess_kinds(Position(rules))

    assert kinds is not None
    assert opening_classes(rules) == list(kinds)
