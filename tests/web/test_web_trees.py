"""Strategies looked at node by node, and bounds of boards, through the page's server."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from typing import Any

import pytest
from fastapi.testclient import TestClient

from entropeg import codebreakers
from entropeg.feedback import format_feedback
from entropeg.rules import Rules
from entropeg.search.known import board_facts
from entropeg.sizes import code_bits, code_count
from entropeg.tree import StrategyTree
from entropeg.tree.browse import PlayerNodes, view_tree
from webclient import served


@pytest.fixture(scope="module")
def tree() -> StrategyTree:
    return StrategyTree.build("entropy", "3x4")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory, tree: StrategyTree) -> Iterator[TestClient]:
    data = tmp_path_factory.mktemp("data")
    (data / "trees").mkdir()
    for ending in ("tree", "json", "txt"):
        tree.save(data / "trees" / f"mine.{ending}")
    (data / "trees" / "odd.tree").write_text("no tree", encoding="utf-8")
    (data / "secret.tree").write_text("not here", encoding="utf-8")
    with served(data) as client:
        yield client


def node(client: TestClient, name: str, path: str = "", **query: str) -> dict[str, Any]:
    answer = client.get(f"/api/trees/{name}/nodes", params={"path": path, **query})

    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_strategy_made_node_by_node_is_the_tree_that_is_built(tree: StrategyTree) -> None:
    nodes = PlayerNodes(codebreakers.get("entropy"), Rules.parse("3x4"))
    waiting: list[list[str]] = [[]]
    seen = 0
    for path in waiting:
        made, kept = nodes.view(path, seconds=60), view_tree(tree, path)
        seen += 1

        assert (made.guess, made.left, made.wins) == (kept.guess, kept.left, kept.wins)
        assert [(one.feedback, one.size, one.guess, one.is_leaf) for one in made.branches] == [
            (one.feedback, one.size, one.guess, one.is_leaf) for one in kept.branches
        ]
        waiting += [[*path, format_feedback(one.feedback)] for one in kept.branches]

    assert seen == len(tree)


def test_guesses_from_a_node_on_are_those_of_its_secrets(tree: StrategyTree) -> None:
    expected = {node: int((tree.turns[list(_secrets(tree, node))] - depth).sum()) for node, depth in tree.walk()}

    assert {node: int(tree.subtotals[node]) for node in range(len(tree))} == expected


def _secrets(tree: StrategyTree, node: int) -> Iterator[int]:
    above = []
    while node > 0:
        above.append((tree.code(int(tree.parent[node])), tree.feedback(node)))
        node = int(tree.parent[node])
    position = tree.start
    for guess, feedback in reversed(above):
        position = position.after(guess, feedback)
    return (tree.secrets.index_of(code) for code in position.candidates)  # type: ignore[misc]  # each is there


def test_files_and_codebreakers_are_looked_at_alike(client: TestClient, tree: StrategyTree) -> None:
    names = [each["name"] for each in client.get("/api/trees").json()["trees"]]
    by_file, by_player = node(client, "mine.json", "X,O"), node(client, "entropy@3x4", "X,O")
    shared = ("rules", "path", "guess", "left", "depth")

    assert {"mine.tree", "mine.json", "mine.txt", "odd.tree"} == set(names)
    assert [by_file["node"][key] for key in shared] == [by_player["node"][key] for key in shared]
    assert by_file["node"]["path"][1][1] == "O"
    assert (by_file["total"], by_file["worst"]) == (tree.total, tree.worst)
    assert sum(child["size"] for child in by_file["node"]["children"]) == by_file["node"]["left"]
    assert by_player["node"]["expected"] is None
    assert node(client, "mine.txt", rules="3x4")["total"] == tree.total


def test_the_guesses_that_follow_are_worked_out_in_the_time_that_is_given(client: TestClient) -> None:
    none, every = (
        [child["guess"] for child in found["node"]["children"] if not child["win"]]
        for found in (node(client, "parts@3x4", seconds=str(seconds)) for seconds in (0, 10))
    )

    assert [None] * len(every) == none
    assert None not in every


def test_the_first_guesses_of_a_large_board_need_no_tree(client: TestClient) -> None:
    found = node(client, "minimax@5x8", "XO")["node"]

    assert found["guess"] == "AEBEF"
    assert found["left"] == sum(child["size"] for child in found["children"]) == 5432


@pytest.mark.parametrize(
    ("name", "query", "status", "field", "said"),
    [
        ("none.tree", {}, 404, "name", "there is no tree of this name"),
        ("../secret.tree", {}, 404, "", ""),
        ("..%2Fsecret.tree", {}, 404, "name", "there is no tree of this name"),
        ("odd.tree", {}, 422, "name", "odd.tree"),
        ("mine.txt", {}, 422, "name", "it names no rules"),
        ("random@4x6", {}, 422, "name", "at random"),
        ("minimax@7x10", {}, 422, "name", "trees go to 1,000,000 secrets"),
        ("minmax@4x6", {}, 422, "name", "did you mean minimax"),
        ("tree:mine.tree@4x6", {}, 422, "name", "no codebreaker"),
        ("minimax@4x", {}, 422, "name", "is not a board"),
        ("minimax@4x6", {"path": "XO,Q"}, 422, "path.1", "'Q'"),
        ("minimax@4x6", {"path": "XXXX,O"}, 422, "path.0", "the game is won"),
        ("mine.tree", {"path": "XX,XX,XX,XX"}, 422, "path", "no code gives"),
        ("minimax@4x6", {"path": "O," * 300}, 422, "path", "200 feedbacks at most"),
    ],
)
def test_wrong_names_and_paths_are_refused_in_a_sentence(
    client: TestClient, name: str, query: dict[str, str], status: int, field: str, said: str
) -> None:
    answer = client.get(f"/api/trees/{name}/nodes", params=query)

    assert answer.status_code == status
    assert answer.json()["field"].startswith(field)
    assert said in answer.json()["error"]


@pytest.mark.parametrize("rules", ["4x6", "words:english/positional", "100x100", "999999x999999/no-repeats"])
def test_bounds_are_those_of_the_command_line(client: TestClient, rules: str) -> None:
    found = client.get("/api/bounds", params={"rules": rules}).json()
    expected = board_facts(Rules.parse(rules)).to_json()

    assert {key: found[key] for key in ("codes", "bits", "bounds")} == {
        key: expected[key] for key in ("codes", "bits", "bounds")
    }
    assert len(found["known"]) == len(expected["known"])


@pytest.mark.parametrize(("pegs", "symbols"), [(20, 9000), (9000, 20), (9000, 9000), (3000, 80_000)])
@pytest.mark.parametrize(("repeats", "blank"), [(True, False), (False, False), (False, True)])
def test_logarithms_of_counts_are_those_of_the_numbers(
    pegs: int, symbols: int, repeats: bool, blank: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not repeats and not blank and pegs > symbols:
        pegs = symbols
    pegs = min(pegs, 300) if blank else pegs  # the number itself is a sum of large ones
    monkeypatch.setattr("entropeg.sizes.LONG", 0)
    assert code_bits(pegs, symbols, repeats=repeats, blank=blank) == pytest.approx(
        log2(code_count(pegs, symbols, repeats=repeats, blank=blank)), rel=1e-11
    )
