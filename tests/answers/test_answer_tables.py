"""Games that are a table of answers: read, refused, handed around, and solved as a plain solver solves them."""

from __future__ import annotations

import csv
import gc
import json
import pickle
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg import Rules, arena, cli, codebreakers, codemakers
from entropeg.advise import advise, format_row, read_row
from entropeg.advise.given_games import read_games
from entropeg.advise.quick import AdviserAtOnce
from entropeg.advise.reading import example_row
from entropeg.answers import AnswerTable, LabelTable
from entropeg.check.verifier import verify
from entropeg.codes import format_code, guesses, parse_code, secrets
from entropeg.engine.wire import write_rules
from entropeg.errors import ContradictionError, InputError
from entropeg.feedback import format_feedback, score_trusted
from entropeg.kernels.onestep.arrays import make_work
from entropeg.kinds import TABLE
from entropeg.kinds.answers import OwnKind
from entropeg.position import Position
from entropeg.review import review
from entropeg.rules import without_files
from entropeg.search.bounds import bounds
from entropeg.search.onestep.choosing import weighed_guess
from entropeg.search.onestep.code_arrays import FUNCTIONS, board_of, node_at
from entropeg.search.proving.opening_totals import opening_totals
from entropeg.sessions.breaking import BreakSession
from entropeg.sessions.dialog import guess_as
from entropeg.sessions.playing import PlaySession
from entropeg.train import puzzles
from entropeg.train.telling import hints
from entropeg.tree import StrategyTree
from entropeg.tree.optimum import optimal
from entropeg.tree.within import most_within

NAMES = ["cat", "owl", "ant", "cow", "bee", "horse"]
QUESTIONS = ["Does it fly?", "Has it six legs?", "Does it moo?", "Is it big?"]
CELLS = [
    ["no", "no", "no", "no"],
    ["yes", "no", "no", "no"],
    ["no", "yes", "no", "no"],
    ["no", "no", "yes", "yes"],
    ["yes", "yes", "no", "no"],
    ["no", "no", "no", "yes"],
]


class Distance(OwnKind):
    """Sum of the distances of pegs in place."""

    name = "distance-of-test"

    def answer_to(self, guess: Any, secret: Any, rules: Any) -> Any:
        return sum(abs(one - other) for one, other in zip(guess, secret, strict=True))


DISTANCE: Any = Distance()
"""Rules take it as it is; for checkers of types their field is what it becomes there."""


def zoo(**options: Any) -> Rules:
    return Rules.of_answers(NAMES, QUESTIONS, CELLS, **options)


def write_csv(path: Path, cells: Any = CELLS, names: Any = NAMES, questions: Any = QUESTIONS) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["", *questions], *([name, *row] for name, row in zip(names, cells, strict=True))])
    return str(path)


def plain_total(rows: list[list[Any]], n: int) -> int:
    """The least total of a game: `rows` of questions, to which the names of the n secrets are added."""
    asked = [*rows, *([secret == other for other in range(n)] for secret in range(n))]

    @cache
    def total(left: frozenset[int]) -> float:
        if not left:
            return 0
        best = float("inf")
        for at, row in enumerate(asked):
            named = at - len(rows)
            others = left - {named}
            parts: dict[object, set[int]] = {}
            for secret in others:
                parts.setdefault(row[secret], set()).add(secret)
            if len(parts) == 1 and others == left:
                continue
            best = min(best, len(left) + sum(total(frozenset(part)) for part in parts.values()))
        return best

    return int(total(frozenset(range(n))))


def drawn(seed: int) -> tuple[list[str], list[str], np.ndarray]:
    """A table of 2 to 7 secrets that its questions tell apart."""
    rng = np.random.default_rng(seed)
    n, most = int(rng.integers(2, 8)), int(rng.integers(2, 4))
    while True:
        cells = rng.integers(0, most, (n, int(rng.integers(1, 6))))
        if len(np.unique(cells, axis=0)) == n:
            return [f"s{k}" for k in range(n)], [f"q{k}" for k in range(cells.shape[1])], cells


@pytest.mark.parametrize("block", range(10))
def test_least_totals_are_those_of_a_plain_solver(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        names, questions, cells = drawn(seed)
        rules = Rules.of_answers(names, questions, cells)

        assert plain_total(cells.T.tolist(), len(names)) == optimal(rules).total, seed


def test_distance_on_3x4_takes_217() -> None:
    rules = Rules(3, 4, feedback=DISTANCE)

    assert optimal(rules).total == 217
    assert str(rules) == "3x4/distance-of-test"
    assert Rules.parse(str(rules)) == rules == pickle.loads(pickle.dumps(rules))  # noqa: S301 - what was just written
    assert format_feedback(Position(rules, ["ABC 3"]).turns[0].feedback) == "3"


def table_of(board: str) -> Rules:
    """The feedback of a board as a table, under the names of its codes."""
    names = [format_code(code, board) for code in secrets(board)]
    return Rules.of_answers(names, names, secrets(board).labels(guesses(board)).T.tolist())


@pytest.mark.parametrize("board", ["3x4", "4x3", "3x3/black", "3x4/no-repeats", "3x3/membership"])
def test_a_table_whose_places_and_signs_may_change_places_is_searched_as_a_board(board: str) -> None:
    rules, weights = table_of(board), np.random.default_rng(1).integers(1, 5, Rules.parse(board).secret_count)

    assert rules.is_alike
    assert (rules.pegs, rules.colors) == (Rules.parse(board).pegs, Rules.parse(board).colors)
    for options in ({}, {"worst": True}, {"weights": weights}):
        assert optimal(board, **options).value == optimal(rules, **options).value
    for rule in ("entropy", "minimax", "parts"):
        assert StrategyTree.build(rule, board).rank == StrategyTree.build(rule, rules).rank
    assert most_within(board, 3).value == most_within(rules, 3).value
    assert rules == pickle.loads(pickle.dumps(rules)) == Rules.parse(str(rules))  # noqa: S301 - what was just written
    assert rules.words is not None
    assert "is no row of" in rules.words.fault((200,) * rules.pegs, secret=True)


def test_one_cell_that_differs_leaves_a_table_its_rows() -> None:
    names = [format_code(code, "3x3") for code in secrets("3x3")]
    cells = secrets("3x3").labels(guesses("3x3")).T.tolist()
    cells[5][7] = cells[7][5] = 0
    rules = Rules.of_answers(names, names, cells)

    assert not rules.is_alike
    assert (1, 27) == (rules.pegs, rules.colors)


class Doubled(OwnKind):
    """How many pegs are in place, twice: a feedback of one's own that is as symmetric as any that is built in."""

    name = "doubled"

    def answer_to(self, guess: Any, secret: Any, rules: Any) -> Any:
        return 2 * sum(map(int.__eq__, guess, secret))


def test_a_feedback_of_ones_own_that_is_symmetric_is_searched_as_one() -> None:
    doubled: Any = Doubled()
    rules = Rules(3, 4, feedback=doubled)

    assert rules.is_alike
    assert not Rules(3, 4, feedback=DISTANCE).is_alike
    assert optimal("3x4/black").total == optimal(rules).total
    assert StrategyTree.build("minimax", "3x4/black").rank == StrategyTree.build("minimax", rules).rank


def test_the_same_feedback_is_the_same_game_as_a_table() -> None:
    codes = list(secrets("3x3"))
    rules = Rules.of_answers(
        codes, codes, lambda guess, secret: sum(a == b for a, b in zip(guess, secret, strict=True))
    )

    assert optimal("3x3/black").total == optimal(rules).total
    assert rules.guess_count == 27
    assert rules.table.answers[-1] == "3"  # the answer of every secret to itself, and of no other pair


def test_labels_of_all_pairs_are_the_cells() -> None:
    rules = zoo()

    for (name, row), (question, at) in product(zip(NAMES, CELLS, strict=True), zip(QUESTIONS, range(4), strict=True)):
        left = Position(rules).after(question, row[at]).candidates
        assert rules.symbols.parse(name) in left
    assert Position(rules, ["cat won"]).is_won
    assert list(Position(rules, ["cat no"]).candidates) == list(secrets(rules))[1:]


@pytest.mark.parametrize("kind", ["csv", "json", "npz", "parquet"])
def test_files_of_every_kind_are_the_same_table(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"zoo.{kind}"
    if kind == "csv":
        write_csv(path)
    elif kind == "json":
        path.write_text(json.dumps({"secrets": NAMES, "questions": QUESTIONS, "answers": CELLS}))
    elif kind == "npz":
        np.savez(path, secrets=np.array(NAMES), questions=np.array(QUESTIONS), answers=np.array(CELLS))
    else:
        polars = pytest.importorskip("polars")
        columns = {"name": NAMES, **{q: [row[at] for row in CELLS] for at, q in enumerate(QUESTIONS)}}
        polars.DataFrame(columns).write_parquet(path)
    rules = Rules.parse(f"table:{path}/limit=5")

    assert rules.table is zoo().table
    assert Rules.parse(str(rules)) == rules
    assert rules.guess_limit == 5


def test_a_changed_file_is_refused_by_its_digest(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "zoo.csv")
    text = str(Rules.parse(f"table:{path}"))
    write_csv(
        tmp_path / "zoo.csv",
        [["yes", *row[1:]] if name == "cow" else row for name, row in zip(NAMES, CELLS, strict=True)],
    )

    with pytest.raises(InputError, match="has changed since"):
        Rules.parse(text)


def test_no_file_is_read_where_none_may_be(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "zoo.csv")
    rules = zoo()

    with without_files():
        assert Rules.parse(str(rules)) == rules
        with pytest.raises(InputError, match="is kept here"):
            Rules.parse(f"table:{path}")


ELSEWHERE = """
import pickle, sys
from entropeg import kernels
from entropeg.rules import Rules
from entropeg.position import Position
given = pickle.load(sys.stdin.buffer)
other = Rules.of_answers(["x", "y", "z"], ["p", "q"], [[0, 1], [1, 0], [1, 1]])  # another table comes first
assert other.kind != given["kind"]
try:
    kernels.part_sizes(given["kind"], (6,), given["planes"])
    sys.exit("a number without its table was taken")
except ValueError:
    pass
rules = pickle.loads(given["rules"])
assert rules.kind == given["kind"]
assert kernels.part_sizes(given["kind"], (6,), given["planes"]).tolist() == given["sizes"]
assert Rules.parse(str(rules)) == rules
print([rules.symbols.format(code) for code in Position(rules, given["turns"]).candidates])
"""


def test_another_process_has_the_same_candidates_or_none() -> None:
    from entropeg import kernels

    rules, turns = zoo(), ["Does it fly? no", "Is it big? no"]
    planes = secrets(rules).planes
    sizes = kernels.part_sizes(rules.kind, (6,), planes).tolist()
    given = {"kind": rules.kind, "planes": planes, "sizes": sizes, "rules": pickle.dumps(rules), "turns": turns}
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE], input=pickle.dumps(given), capture_output=True, check=False, timeout=300
    )

    assert done.stderr.decode()[-500:] == ""
    assert done.stdout.decode().strip() == "['cat', 'ant']"


def test_tables_are_let_go_with_their_rules() -> None:
    rules = Rules.of_answers(["one", "two"], ["odd"], [["yes"], ["no"]])
    kind, text = rules.kind, str(rules)
    del rules
    gc.collect()

    from entropeg.sizes import TABLES

    assert kind not in TABLES
    with pytest.raises(InputError, match="cannot be read"):
        Rules.parse(text)


def test_equal_tables_are_one_object() -> None:
    assert zoo().table is zoo().table
    assert isinstance(pickle.loads(pickle.dumps(zoo())).table, LabelTable)  # noqa: S301 - what was just written
    assert pickle.loads(pickle.dumps(zoo())).table is zoo().table  # noqa: S301 - what was just written


WRONG = {
    "an answer of several": (["a", "b"], ["p"], [[{"x": 1}], [1]], "must be text in one line"),
    "a ragged table": (["a", "b"], ["p", "q"], [[0, 1], [1]], "row of 'b' has 1 answers"),
    "a row too few": (["a", "b"], ["p"], [[0]], "1 rows of answers for 2 secrets"),
    "a secret twice": (["a", "a"], ["p"], [[0], [1]], "secret 'a' stands twice"),
    "a question twice": (["a", "b"], ["p", "p"], [[0, 0], [1, 1]], "question 'p' stands twice"),
    "secrets alike": (["a", "b", "c"], ["p"], [[0], [1], [0]], "no question tells 'a' and 'c' apart"),
    "an empty cell": (["a", "b"], ["p"], [["x"], [""]], "answer of 'p' to 'b' is empty"),
    "nothing in a cell": (["a", "b"], ["p"], [["x"], [None]], "answer of 'p' to 'b' is empty"),
    "NaN": (["a", "b"], ["p"], [[1.0], [float("nan")]], "'p' to 'b' is NaN"),
    "no secret": ([], ["p"], [], "0 secrets"),
    "a name without text": (["a", " "], ["p"], [[0], [1]], "its name must be text"),
    "too many answers": ([str(k) for k in range(300)], ["p"], [[k] for k in range(300)], "different answers or more"),
    "a name of two lines": (["a", "b\nc"], ["p"], [[0], [1]], "its name must be text"),
    "a function that raises": (["a", "b"], ["p"], lambda _, name: {}[name], "raises KeyError"),
    "an answer that cannot be compared": (["a", "b"], ["p"], lambda _, name: [name], "raises TypeError"),
    "answers written alike": (
        ["a", "b"],
        ["p"],
        lambda _, name: 1 if name == "a" else "1",
        "both written '1'",
    ),
    "too many cells": (
        [str(k) for k in range(20_000)],
        [str(k) for k in range(50_000)],
        None,
        "at most 50,000 questions",
    ),
    "too many questions": (["a"], [str(k) for k in range(50_001)], None, "50,001 questions"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_tables_are_refused_in_a_sentence(case: str) -> None:
    names, questions, answers, message = WRONG[case]
    with pytest.raises(InputError, match=message) as refused:
        Rules.of_answers(names, questions, answers)

    assert "\n" not in str(refused.value)


def test_a_function_that_answers_otherwise_when_asked_again_is_refused() -> None:
    asked = []

    def answer(question: Any, secret: Any) -> Any:
        asked.append(question)
        return f"{secret}{len(asked) > 2}"

    with pytest.raises(InputError, match="otherwise when it is asked again"):
        Rules.of_answers(["a", "b"], ["p"], answer)


def refusal(text: str) -> str:
    try:
        Rules.parse(text)
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(6))
def test_damaged_files_are_read_or_refused_in_a_sentence(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    whole = {
        "csv": Path(write_csv(tmp_path / "w.csv")).read_bytes(),
        "json": json.dumps({"secrets": NAMES, "questions": QUESTIONS, "answers": CELLS}).encode(),
    }
    np.savez(tmp_path / "w.npz", secrets=np.array(NAMES), questions=np.array(QUESTIONS), answers=np.array(CELLS))
    whole["npz"] = (tmp_path / "w.npz").read_bytes()
    sentences = []
    for number in range(60):
        kind = ("csv", "json", "npz")[number % 3]
        content = bytearray(whole[kind])
        for _ in range(int(rng.integers(1, 4))):
            at = int(rng.integers(len(content)))
            change = int(rng.integers(3))
            if change == 0:
                content[at] = int(rng.integers(256))
            elif change == 1:
                del content[at : at + int(rng.integers(1, 20))]
            else:
                content[at:at] = bytes(rng.integers(0, 256, 3).astype(np.uint8))
        path = tmp_path / f"damaged.{kind}"
        path.write_bytes(content)
        sentences.append(refusal(f"table:{path}"))

    assert 5 < sum(map(bool, sentences)) < 60
    assert [] == [sentence for sentence in sentences if "\n" in sentence]


def test_rules_that_do_not_go_with_a_table_are_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "zoo.csv")
    for option, message in {
        "no-repeats": "no-repeats",
        "blanks": "blanks",
        "black": "answers of its own",
        "digits": "an alphabet does not go with a table",
        "shapes=2": "answers of its own",
        "hard": "hard rules do not go with a table",
        "prior=distinct": "looks at colors, and a table has none",
    }.items():
        with pytest.raises(InputError, match=message):
            Rules.parse(f"table:{path}/{option}")
    for text in ["table:", "table: /identify"]:
        with pytest.raises(InputError, match="names no table: write table:FILE, a file in which rows are secrets"):
            Rules.parse(text)
    with pytest.raises(InputError, match="need the table"):
        Rules(3, 4, feedback=TABLE)
    with pytest.raises(InputError, match=r"did you mean 'Does it fly\?', .* or 'Is it big\?'\?$"):
        Position(Rules.parse(f"table:{path}"), [("Does it flie?", "yes")])
    with pytest.raises(InputError, match="is no answer"):
        Position(Rules.parse(f"table:{path}"), [("Does it fly?", "maybe")])


def test_kinds_are_installed_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib import metadata

    from entropeg import kinds

    class Parity(OwnKind):
        name = "parity-of-test"

        def answer_to(self, guess: Any, secret: Any, rules: Any) -> Any:
            return (sum(guess) + sum(secret)) % 2, guess[0] == secret[0]

    class Point:
        def load(self) -> Any:
            return Parity

    def found(*, group: str, name: str) -> Any:
        return [Point()] if (group, name) == ("entropeg.kinds", "parity-of-test") else []

    monkeypatch.setattr(metadata, "entry_points", found)
    kinds._installed.cache_clear()

    assert Rules.parse("2x3/parity-of-test").label_count == 5
    with pytest.raises(InputError, match="not an option"):
        Rules.parse("2x3/parity-of-nobody")
    with pytest.raises(InputError, match="a name of its own"):
        kinds.brought(type("Black", (OwnKind,), {"name": "black"})())


def test_the_largest_table_is_taken() -> None:
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 3, (5_000, 40), dtype=np.uint8)
    rules = Rules.of_answers([str(k) for k in range(5_000)], [f"q{k}" for k in range(40)], cells)

    assert len(Position(rules, [("q0", "1"), ("q1", "2")]).candidates) == int(
        ((cells[:, 0] == 1) & (cells[:, 1] == 2)).sum()
    )
    assert isinstance(rules.words, AnswerTable)
    assert rules.words.name_of(rules.symbols.parse("q39")) == "q39"


def plain_questions(rows: list[list[object]], n: int, *, worst: bool) -> int:
    """The least total, or worst case, of questions after which one of n secrets is left."""

    @cache
    def cost(left: frozenset[int]) -> float:
        if len(left) == 1:
            return 0
        best = float("inf")
        for row in rows:
            parts: dict[object, set[int]] = {}
            for secret in left:
                parts.setdefault(row[secret], set()).add(secret)
            if len(parts) > 1:
                costs = [cost(frozenset(part)) for part in parts.values()]
                best = min(best, 1 + max(costs) if worst else len(left) + sum(costs))
        return best

    return int(cost(frozenset(range(n))))


@pytest.mark.parametrize("block", range(5))
def test_questions_that_identify_are_those_of_a_plain_solver(block: int) -> None:
    for seed in range(1000 + 20 * block, 1020 + 20 * block):
        names, questions, cells = drawn(seed)
        rules, rows = Rules.of_answers(names, questions, cells, naming=False), cells.T.tolist()
        for worst in (False, True):
            best = plain_questions(rows, len(names), worst=worst)
            found = optimal(rules, worst=worst)
            tree = found.checked()

            assert tree is not None
            assert found.is_exact
            assert best == (tree.worst if worst else tree.total), seed


def test_a_game_that_identifies_ends_when_one_secret_is_left() -> None:
    rules = zoo(naming=False)

    assert str(rules).startswith("table:")
    assert Rules.parse(str(rules)) == rules
    assert Position(rules, ["Does it fly? yes", "Has it six legs? yes"]).is_won
    assert not Position(rules, ["Does it fly? yes"]).is_over
    with pytest.raises(InputError, match="are not to be named"):
        Position(rules, ["cat won"])
    with pytest.raises(InputError, match="ends when one secret is left"):
        optimal(rules, proof="none.json")


@pytest.mark.parametrize("seed", range(20))
def test_advice_on_questions_is_that_of_a_plain_solver(seed: int) -> None:
    names, questions, cells = drawn(3000 + seed)
    rules, n = Rules.of_answers(names, questions, cells, naming=False), len(names)
    advice = advise(rules, limit=9)
    value = Fraction(plain_questions(cells.T.tolist(), n, worst=False), n)

    assert value == advice.value.fraction
    for one in advice.guesses:
        row = cells[:, questions.index(rules.symbols.format(one.guess))]
        parts = [np.flatnonzero(row == answer) for answer in np.unique(row)]
        after = sum(plain_questions(cells[part].T.tolist(), len(part), worst=False) for part in parts)
        assert 1 + Fraction(after, n) == one.expected.fraction


def test_every_room_plays_until_one_secret_is_left() -> None:
    rules = zoo(naming=False)
    won = ["Does it fly? no", "Is it big? yes", "Does it moo? no"]
    breaking = BreakSession(rules, AdviserAtOnce(), seed=1)
    for _ in range(3):
        assert breaking.pending is not None
        breaking.make_move(str(rules.feedback.about.text(score_trusted(breaking.pending, (5,), rules))))
    puzzle = next(puzzles(rules, "deduce", seed=1))
    played = [arena(name, "honest", rules, games=20, seed=1) for name in ("entropy", "random", "auto", "adviser")]

    assert review(Position(rules, won)).is_won
    assert breaking.over
    assert rules.symbols.format(breaking.position.secret_found) == "horse"
    assert puzzle.judge(rules.with_names.symbols.format(puzzle.answers[0])).is_solved
    assert all(one[0].statistics.mean >= 2 for one in played)
    assert StrategyTree.build("entropy", rules).total == optimal(rules).total
    assert (
        max(bound.value for bound in bounds(rules) if bound.measure == "mean") * 6 == 16 <= optimal(rules).value.lower
    )
    with pytest.raises(InputError, match="leave /identify out"):
        most_within(rules, 2)


def test_programs_of_the_text_protocol_are_told_of_no_table() -> None:
    with pytest.raises(InputError, match="the text protocol speaks of colored pegs"):
        write_rules(zoo())


@pytest.mark.parametrize("seed", range(40))
def test_weighted_questions_are_those_of_a_plain_solver(seed: int) -> None:
    names, questions, cells = drawn(2000 + seed)
    weights = np.random.default_rng(seed).integers(1, 5, len(names))
    rules, rows = Rules.of_answers(names, questions, cells, naming=False), cells.T.tolist()

    @cache
    def cost(left: frozenset[int]) -> float:
        every = (
            sum(cost(part) for part in parts) + int(weights[list(left)].sum())
            for row in rows
            if len(parts := {frozenset(k for k in left if row[k] == answer) for answer in {row[k] for k in left}}) > 1
        )
        return 0 if len(left) == 1 else min(every)

    found = optimal(rules, weights=weights)

    assert cost(frozenset(range(len(names)))) == found.value.lower == found.value.upper


def test_openings_of_a_game_that_identifies_are_each_the_least() -> None:
    for seed in range(1000, 1020):
        names, questions, cells = drawn(seed)
        rules, rows = Rules.of_answers(names, questions, cells, naming=False), cells.T.tolist()
        found = opening_totals(rules).openings
        free = plain_questions(rows, len(names), worst=False)

        assert free == found[0].value.upper
        for one in found:
            row = cells[:, questions.index(rules.symbols.format(one.guess))]
            parts = [np.flatnonzero(row == answer) for answer in np.unique(row)]
            after = sum(plain_questions(cells[part].T.tolist(), len(part), worst=False) for part in parts)
            assert len(names) + after == one.value.lower == one.value.upper


@pytest.mark.parametrize("ending", ["tree", "json", "yaml"])
def test_a_tree_of_questions_names_the_secret_that_is_left(tmp_path: Path, ending: str) -> None:
    rules = Rules.parse(f"table:{write_csv(tmp_path / 'zoo.csv')}/identify")
    tree = optimal(rules).tree
    assert tree is not None
    tree.save(tmp_path / f"a.{ending}")

    assert StrategyTree.load(tmp_path / f"a.{ending}").check() == tree
    assert tree.total == int(tree.subtotals[0]) == plain_questions(np.array(CELLS).T.tolist(), 6, worst=False)
    assert sorted(NAMES) == sorted(tree.code_text(node) for node in range(len(tree)) if tree.is_leaf(node))


def test_a_tree_that_names_too_soon_is_refused(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "zoo.csv")
    StrategyTree.build("minimax", f"table:{path}").save(tmp_path / "named.json")
    text = (tmp_path / "named.json").read_text()
    (tmp_path / "wrong.json").write_text(text.replace("zoo.csv", "zoo.csv/identify", 1))

    with pytest.raises(InputError, match="must name the secret that is left, and no other"):
        StrategyTree.load(tmp_path / "wrong.json").check()


def totals(rules: Rules) -> list[float]:
    """The least totals of all openings, one of each class."""
    return sorted(one.value.upper or 0 for one in opening_totals(rules).openings)


def distance_of(power: int) -> Any:
    class Powers(OwnKind):
        name = "powers-of-test"

        def answer_to(self, guess: Any, secret: Any, rules: Any) -> Any:
            return sum(abs(one - other) ** power for one, other in zip(guess, secret, strict=True))

    return Powers()


def test_a_kind_that_is_defined_anew_counts_and_one_of_another_class_is_refused() -> None:
    first, again = distance_of(1), distance_of(2)
    other: Any = type("Other", (OwnKind,), {"name": "powers-of-test"})()

    assert Rules(2, 4, feedback=first).label_count == 7
    assert Rules(2, 4, feedback=again).label_count == Rules.parse("2x4/powers-of-test").label_count == 10
    with pytest.raises(InputError, match="two kinds of feedback are named 'powers-of-test'"):
        Rules(2, 4, feedback=other)


@pytest.mark.parametrize("board", ["3x4", "4x3", "3x3"])
def test_tables_of_boards_have_their_openings_in_orbits(board: str) -> None:
    rules = Rules.parse(board)
    codes = list(secrets(rules))
    table = Rules.of_answers(codes, codes, lambda guess, secret: score_trusted(guess, secret, rules))
    blind = Rules.of_answers(
        [str(hash(code) % 10**9) for code in codes],
        [str(hash(code) % 10**9) for code in codes],
        [[score_trusted(guess, secret, rules) for guess in codes] for secret in codes],
    )
    classes = {tuple(sorted(np.bincount(code, minlength=rules.colors))) for code in codes}

    assert len(classes) == len(np.unique(table.table.orbits))
    assert optimal(rules).total == optimal(table).total == optimal(blind).total
    assert totals(rules) == totals(table)


def test_names_that_mislead_give_no_orbits() -> None:
    rules = Rules.of_answers(["aa", "ab", "ba", "bb"], ["ca", "cb"], [[0, 0], [0, 1], [1, 0], [1, 1]])
    twisted = Rules.of_answers(["aa", "ab", "ba", "bb"], ["ca", "cb"], [[0, 0], [0, 1], [0, 2], [1, 1]])

    assert optimal(twisted).total == plain_total([[0, 0, 0, 1], [0, 1, 2, 1]], 4)
    assert optimal(rules).total == plain_total([[0, 0, 1, 1], [0, 1, 0, 1]], 4)


def test_proofs_hold_the_table_and_are_checked(tmp_path: Path) -> None:
    rules = zoo()
    found = optimal(rules, proof=tmp_path / "zoo.proof.json")
    text = (tmp_path / "zoo.proof.json").read_text()

    assert (
        verify(tmp_path / "zoo.proof.json").bound
        == found.total
        == plain_total([list(row) for row in zip(*CELLS, strict=True)], 6)
    )
    assert rules.table.digest in text
    head, _, rest = text.partition("\n")
    for change in ("labels", "win", "bound"):
        data = json.loads(head)
        if change == "labels":
            data["table"]["labels"][6] = [0, 1, 2, 0, 1, 2]
        elif change == "win":
            data["table"]["labels"][0][0] = 0
        else:
            data["claims"] = [[None, found.total + 1]]
        (tmp_path / "wrong.json").write_text(json.dumps(data, separators=(",", ":")) + "\n" + rest)
        with pytest.raises(InputError):
            verify(tmp_path / "wrong.json")


@pytest.mark.parametrize("ending", ["tree", "json", "yaml"])
def test_trees_are_saved_and_read(tmp_path: Path, ending: str) -> None:
    rules = Rules.parse(f"table:{write_csv(tmp_path / 'zoo.csv')}")
    tree = StrategyTree.build("minimax", rules)
    tree.save(tmp_path / f"zoo.{ending}")
    read = StrategyTree.load(tmp_path / f"zoo.{ending}", rules=rules)

    assert tree.total == 19
    assert read.check().histogram == tree.histogram


@pytest.mark.parametrize("ending", ["dot", "mmd", "svg"])
def test_drawn_trees_name_questions_and_answers(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"zoo.{ending}"
    StrategyTree.build("minimax", zoo()).save(path)
    text = path.read_text()

    assert "Does it fly?" in text
    assert "horse" in text
    assert ending == "svg" or '"yes"' in text


@pytest.mark.parametrize(
    "spec", ["entropy", "minimax", "sorted-minimax", "parts", "entropy:ties=first", "expected-size"]
)
def test_kernels_choose_from_tables_as_all_pairs_weighed_do(spec: str) -> None:
    choice: Any = codebreakers.get(spec)
    for seed in range(12):
        names, questions, cells = drawn(4000 + seed)
        for naming in (True, False):
            rules = Rules.of_answers(names, questions, cells, naming=naming)
            rule = choice.schedule.choice_at(0)
            for start in (Position(rules), Position(rules).after(questions[0], str(cells[0, 0]))):
                if start.is_over:
                    continue
                board, node = board_of(rules), node_at(start, 0)
                found = [
                    functions.choose(board, rule.rule(rules), node, make_work(board))
                    for functions in (FUNCTIONS.plain, FUNCTIONS.compiled)
                ]
                weighed = guesses(rules).index_of(weighed_guess(start, rule, 0))

                assert found == [weighed] * 2, (seed, naming)


@pytest.mark.parametrize("name", ["entropy", "minimax", "parts"])
def test_one_step_rules_on_the_table_of_a_board_are_those_of_the_board(name: str) -> None:
    rules = Rules.parse("3x4")
    codes = list(secrets(rules))
    table = Rules.of_answers(codes, codes, lambda guess, secret: score_trusted(guess, secret, rules))

    assert StrategyTree.build(name, rules).histogram == StrategyTree.build(name, table).histogram


def test_parts_asks_and_does_not_name_one_after_the_other() -> None:
    cells = [[number >> bit & 1 for bit in range(5)] for number in range(32)]
    rules = Rules.of_answers([f"n{number}" for number in range(32)], [f"bit {bit}" for bit in range(5)], cells)

    assert StrategyTree.build("parts", rules).worst <= 6
    with pytest.raises(InputError, match="decoder plays codes of colored pegs"):
        codebreakers.of("decoder").guess(Position(rules), np.random.default_rng(0))


def test_advice_and_reviews_speak_of_names() -> None:
    rules = zoo()
    advice = advise(Position(rules, ["Does it fly? no"]))
    reviewed = review(Position(rules, ["Does it fly? no", "Is it big? yes", "cow won"]))

    assert advice.value.value == 2.5
    assert len(reviewed.turns) == 3
    with pytest.raises(ContradictionError, match=r"turn 2 \(Does it moo\? yes\) and turn 3"):
        Position(rules, ["Does it fly? no", "Does it moo? yes", "Is it big? no"]).check_consistent()


def test_1_and_true_are_two_answers_though_they_are_equal() -> None:
    table = Rules.of_answers(["cat", "owl", "bat"], ["first", "second"], [[1, True], [True, True], [True, 1]])

    assert Position(table, [("first", "1")]).candidates.ranks.tolist() == [0]
    assert Position(table, [("second", "True")]).candidates.ranks.tolist() == [0, 1]


def test_hints_at_the_one_secret_left_tell_no_colors_of_a_table() -> None:
    on_a_table, on_a_board = (next(puzzles(rules, "deduce", seed=3)) for rules in (zoo(), "3x4"))

    assert hints(on_a_table) == []
    assert len(hints(on_a_board)) >= 2


def test_a_tree_of_a_table_that_has_changed_says_so(tmp_path: Path) -> None:
    rules = Rules.parse(f"table:{write_csv(tmp_path / 'zoo.csv')}")
    for ending in ("tree", "json"):
        StrategyTree.build("minimax", rules).save(tmp_path / f"zoo.{ending}")
    write_csv(tmp_path / "zoo.csv", [["yes", "yes", "no", "yes"], *CELLS[1:]])
    for ending in ("tree", "json"):
        with pytest.raises(InputError, match=f"has changed since these rules.*{rules.digest}") as raised:
            StrategyTree.load(tmp_path / f"zoo.{ending}")

        assert "damaged" not in str(raised.value)


def test_a_verified_table_has_secrets(tmp_path: Path) -> None:
    optimal(zoo(), proof=tmp_path / "zoo.proof")
    optimal("2x3", proof=tmp_path / "2x3.proof")
    table, board = (
        CliRunner().invoke(cli.group, ["verify", str(tmp_path / f"{name}.proof")]) for name in ("zoo", "2x3")
    )

    assert "guesses over 6 secrets (verified)" in " ".join(table.output.split())
    assert "code" not in table.output
    assert "guesses over 9 codes (verified)" in " ".join(board.output.split())


@pytest.mark.parametrize(("naming", "said"), [(True, "a secret or a question, as '"), (False, "a question, as '")])
def test_what_may_be_typed_is_said_with_an_example_of_it(naming: bool, said: str) -> None:
    rules = zoo(naming=naming)
    wanted = PlaySession(rules, codemakers.get("honest"), seed=1).wanted

    assert wanted.startswith(said)
    assert wanted == guess_as(parse_code(wanted.partition("'")[2][:-1], rules), rules)


@pytest.mark.parametrize("text", ["words:", "words: ", "words:/positional"])
def test_a_list_of_words_without_a_name_is_asked_for(text: str) -> None:
    with pytest.raises(InputError, match=r"'words:' names no words: write words:FILE.*words:english"):
        Rules.parse(text)


@pytest.mark.parametrize("names", [6, 150, 400])
def test_rows_of_a_table_are_read_however_many_names_it_has(tmp_path: Path, names: int) -> None:
    rng = np.random.default_rng(names)
    cells = rng.integers(0, 4, (names, names))
    path = tmp_path / "wide.csv"
    lines = [["secret", *(f"q{at}" for at in range(names))], *([f"s{at}", *row] for at, row in enumerate(cells))]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(lines)
    rules = Rules.parse(f"table:{path}")
    for at in rng.integers(0, names, 20):
        secret = int(rng.integers(names))
        row, said = read_row(f"q{at} {cells[secret, at]}", rules), read_row(f"s{secret}: won", rules)

        assert row.guess == rules.symbols.parse(f"q{at}")
        assert format_row(row, rules) == f"q{at} {cells[secret, at]}"
        assert said.guess == rules.symbols.parse(f"s{secret}")
        assert read_row("? 1", rules).guess == (None,) * rules.pegs
    with pytest.raises(InputError, match="'q' is no secret and no question") as caught:
        read_row("q 1", rules)
    example = str(caught.value).removesuffix(" would be read").rsplit("; ", 1)[1]

    assert example == example_row(rules) == f"q{names - 1} {cells[0, -1]}"
    assert format_row(read_row(example, rules), rules) == example
    talk = CliRunner().invoke(cli.group, ["assist", str(rules)], input=f"q0 {cells[0, 0]}\nquit\n")

    assert f"Type each guess and what it got, as {example};" in talk.output
    assert f"1  q0 {cells[0, 0]}\n" in talk.output
    (game,) = read_games(f"q0 {cells[0, 0]}\ns0 won\n", rules)

    assert [turn.guess for turn in game.turns] == [rules.symbols.parse(name) for name in ("q0", "s0")]


@pytest.mark.parametrize("command", ["show", "check"])
def test_trees_of_tables_speak_of_secrets_when_they_are_read_again(tmp_path: Path, command: str) -> None:
    path = write_csv(tmp_path / "zoo.csv")
    StrategyTree.build("entropy", f"table:{path}").save(tmp_path / "zoo.tree")
    told = CliRunner().invoke(cli.group, ["tree", command, str(tmp_path / "zoo.tree")], catch_exceptions=False)

    assert "guesses over 6 secrets" in told.output
    assert "code" not in told.output.replace("codebreaker", "")


@pytest.mark.parametrize(("kind", "content"), [("json", b'{"secrets": [NaN]}'), ("json", b"{"), ("npz", b"PK")])
def test_what_is_damaged_is_said_with_the_name_of_its_file(tmp_path: Path, kind: str, content: bytes) -> None:
    path = tmp_path / f"animals.{kind}"
    path.write_bytes(content)

    assert f"animals.{kind}: " in refusal(f"table:{path}")
