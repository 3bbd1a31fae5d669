"""Tasks of one answer: drawn by a seed, with answers that are proved again by trying every code."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from entropeg.cli import group
from entropeg.codes import format_code, parse_code, secrets
from entropeg.errors import InputError
from entropeg.feedback import score_trusted
from entropeg.position import Position
from entropeg.review import review
from entropeg.suites.tasks import score_answer, score_tasks, tasks


def fitting(position: Position, rows: tuple[int, ...]) -> list[tuple[int, ...]]:
    turns = [position.turns[row] for row in rows]
    return [code for code in secrets(position.rules)
            if all(score_trusted(turn.guess, code, position.rules) == turn.feedback for turn in turns)]  # fmt: skip


@pytest.mark.parametrize("board", ["3x4", "4x5/positional", "4x6/no-repeats"])
def test_every_row_of_a_deduction_is_needed(board: str) -> None:
    found = tasks("deduce", board, 8, seed=3)
    for one in found:
        rows = tuple(range(one.clues))
        assert [one.answer] == [format_code(code, board) for code in fitting(one.position, rows)]
        assert all(len(fitting(one.position, some)) > 1 for some in combinations(rows, one.clues - 1))
        assert (1.0, 0.0) == (score_answer(one.to_json(), f"ANSWER: {one.answer}"), score_answer(one.to_json(), "?"))
    assert len({one.clues for one in found}) >= 3


def test_deductions_of_4x6_have_one_to_six_rows() -> None:
    assert [1, 2, 3, 4, 5, 6] == [one.clues for one in tasks("deduce", "4x6", 6, seed=1)]


def test_losses_of_a_next_guess_are_those_of_a_review() -> None:
    for one in tasks("next", "3x4", 4, seed=2):
        assert one.losses is not None
        best = min(one.losses, key=one.losses.__getitem__)
        assert (0.0, 64, best) == (one.losses[one.answer], len(one.losses), one.answer)
        for guess in list(one.losses)[::9]:
            code = parse_code(guess, "3x4")
            secret = one.position.candidates[0]
            told = review(one.position.after_trusted(code, score_trusted(code, secret, one.position.rules))).turns[-1]
            assert told.loss.value == pytest.approx(one.losses[guess], abs=1e-6)
            assert one.value == told.value.fraction
            assert score_answer(one.to_json(), guess) == pytest.approx(max(0.0, 1 - told.loss.value), abs=1e-6)


def test_only_the_wrong_row_mends_a_game() -> None:
    for one in tasks("mend", "4x5", 3, seed=1):
        rows = range(one.clues)
        mended = [row + 1 for row in rows if fitting(one.position, tuple(set(rows) - {row}))]

        assert [int(one.answer)] == mended
        assert (1.0, 0.0) == tuple(score_answer(one.to_json(), f"ANSWER: {row}") for row in (one.answer, "9"))


def test_the_same_seed_draws_the_same_tasks_in_any_language() -> None:
    one, other = (tasks("play", "4x6", 3, seed=5, language=language) for language in ("en", "fr"))

    assert [each.answer for each in one] == [each.answer for each in other]
    assert one[0].prompt != other[0].prompt
    assert Fraction(5625, 1296) == one[0].value
    assert [each.answer for each in one] != [each.answer for each in tasks("play", "4x6", 3, seed=6)]


def test_what_has_no_tasks_is_refused() -> None:
    for task, board, said in (("sing", "4x6", "no task"), ("next", "5x8", "too many"), ("deduce", "20x20", "at most"),
                              ("next", "3x4/prior=distinct", "weights")):  # fmt: skip
        with pytest.raises(InputError, match=said):
            tasks(task, board, 1)
    with pytest.raises(InputError, match="scored by its log"):
        score_answer(tasks("play", "3x4", 1)[0].to_json(), "AAA")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"task": "next"}, "has None as its losses"),
        ({"task": "next", "losses": {"AAA": "x"}}, "as its losses"),
        ({"answer": None}, "has None as its answer"),
        ({"turns": 7}, "has 7 as its turns"),
        ({"id": ["a"]}, "as its id"),
        ({"rules": 5}, "has 5 as its rules"),
        ({"task": "nope"}, "there is no task 'nope'"),
    ],
)
def test_what_is_no_task_is_not_scored(changed: dict[str, Any], said: str) -> None:
    task = {"id": "a", "task": "deduce", "rules": "3x4", "turns": [], "answer": "ABC"}
    assert 1.0 == score_tasks([task], [{"id": "a", "answer": "ABC"}]).mean
    with pytest.raises(InputError, match=said):
        score_tasks([task | changed], [{"id": "a", "answer": "ABC"}])
    with pytest.raises(InputError, match=said):
        score_answer(task | changed, "ABC")


def test_tasks_are_exported_and_their_answers_scored(tmp_path: Path) -> None:
    def ran(*words: str) -> Any:
        return CliRunner().invoke(group, ["bench", *words])

    file, answers = tmp_path / "tasks.jsonl", tmp_path / "answers.jsonl"
    assert 0 == ran("export", str(file), "--task", "mend", "--rules", "4x5", "--number", "4").exit_code
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    right = [{"id": line["id"], "answer": f"row {line['answer']}"} for line in lines[:2]]
    answers.write_text("".join(json.dumps(each) + "\n" for each in right), encoding="utf-8")
    done = ran("score", str(answers), "--tasks", str(file), "--json")

    assert (4, 2, 0.5) == tuple(json.loads(done.output)[name] for name in ("tasks", "answered", "mean"))
    assert "2 of 4 tasks answered, mean 0.5000" in ran("score", str(answers), "--tasks", str(file)).output
    answers.write_text('{"id": 1}\n', encoding="utf-8")
    refused = CliRunner().invoke(group, ["bench", "score", str(answers), "--tasks", str(file)], standalone_mode=True)
    assert 2 == refused.exit_code
