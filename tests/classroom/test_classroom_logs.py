"""Logs of games: read in every form that is about, and held against every secret."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from entropeg import cli, codebreakers, codemakers, play
from entropeg.classroom.logs import check_log, read_log, read_logs
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import Feedback
from entropeg.game import save_game
from entropeg.position import Position
from entropeg.rules import Rules

COURSE = Rules.parse("4x8/course")


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["check-log", *arguments], prog_name="entropeg")


def log(folder: Path, text: str) -> str:
    (folder / "log.txt").write_text(text, encoding="utf-8")
    return str(folder / "log.txt")


@pytest.mark.parametrize(
    "text",
    [
        "RRVV\n1,0\nRBBB\n2,0\nRBJJ\n4,0\n",
        "RRVV\r\n(1, 0)\r\nRBBB\r\n(2, 0)\r\nRBJJ\r\n(4, 0)\r\n",
        "\nRRVV\n\n1,0\n\nRBBB\n2,0\nRBJJ\n4,0",
        "RRVV 1,0\nRBBB 2,0\nRBJJ 4,0\n",
        "Essai 1 : RRVV (1,0)\nEssai 2 : RBBB (2,0)\nEssai 3 : RBJJ (4,0)\nBravo ! Trouvé RBJJ en 3 essais\n",
        "1. RRVV X\n2. RBBB XX\n3. RBJJ XXXX\n",
    ],
)
def test_every_form_of_a_log_is_read(tmp_path: Path, text: str) -> None:
    read = read_log(log(tmp_path, text))

    assert str(read.rules) == "4x8/course"
    assert [format_code(guess, COURSE) for guess, _ in read.turns] == ["RRVV", "RBBB", "RBJJ"]
    assert [tuple(answer) for _, answer in read.turns] == [(1, 0), (2, 0), (4, 0)]
    assert (
        check_log(read).sentence == "consistent: one secret fits all 3 turns; it ends with the secret found at turn 3"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("RRVV\n2,0\nRRVV\n1,0\n", "turn 1 (RRVV 2,0) and turn 2 (RRVV 1,0)"),
        ("RRVV (2, 0)\nRRVV (1, 0)\n", "turn 1 (RRVV (2, 0)) and turn 2 (RRVV (1, 0))"),
        ("1. RRVV XX\n2. RRVV X\n", "turn 1 (RRVV XX) and turn 2 (RRVV X)"),
        ("entropeg game 1\nrules: 4x6\nsecret: ABBB\n\nABCD 1,0\n", "ABCD 1,0, but the recorded secret ABBB gives 2,0"),
        ("entropeg game 1\nrules: 4x6\nsecret: ABBB\n\nABCD X\n", "ABCD X, but the recorded secret ABBB gives XX"),
    ],
)
def test_answers_are_shown_in_the_notation_of_the_log(tmp_path: Path, text: str, said: str) -> None:
    assert said in check_log(read_log(log(tmp_path, text))).sentence


HEAD = "Combinaisons de taille 4, couleurs disponibles ['R', 'V', 'B', 'J', 'N', 'M', 'O', 'G']\n"


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        (f"{HEAD}Essai 1 : RRVV (1,0)\nEssai 2 : RBJJ (4,0)\nBravo ! Trouvé RBJJ en 2 essais\n", [2]),
        (f"{HEAD}Essai 1 : RRVV (1,0)\n{HEAD}Essai 1 : RRVV (1,0)\nEssai 2 : RBJJ (4,0)\n", [1, 2]),
        (f"{HEAD}Saisir combinaison: Essai 1 : RRVV (4,0)\nBravo ! Trouvé RRVV en 1 essais\n", [1]),
        ("RRVV\n4,0\nBBBB\n0,0\nRRVV\n4,0\nRRRR\n1,0\n", [1, 2, 1]),
        ("1  RRVV  1,0\n2  RBJJ  4,0\n1  RRVV  1,0\n", [2, 1]),
        ("Essai 1 : RRVV (1,0)\nEssai 2 : RBBB (2,0)\nEssai 1 : RRVV (1,0)\n", [2, 1]),
    ],
)
def test_several_games_in_a_row_are_several_games(tmp_path: Path, text: str, turns: list[int]) -> None:
    path = log(tmp_path, text)
    data = json.loads(typed(path, "--json").output)
    games = data.get("games", [data])

    assert (turns, [True] * len(turns)) == ([each["turns"] for each in games], [each["consistent"] for each in games])
    assert {"4x8/course"} == {each["rules"] for each in games}
    if len(turns) > 1:
        with pytest.raises(InputError, match=f"holds {len(turns)} games"):
            read_log(path)


def test_the_board_is_what_the_program_says_before_the_first_turn(tmp_path: Path) -> None:
    path = log(tmp_path, "Combinaisons de taille 3, couleurs disponibles ['R', 'V', 'B', 'J']\nEssai 1 : RRV (1,0)\n")

    assert str(read_log(path).rules) == "3x4/course"


@pytest.mark.parametrize(
    ("guess", "said"),
    [
        ("None", "turn 2 (line 4): its guess is None"),
        ("RRV", "turn 2 (line 4): its guess 'RRV' is no code of 4x8/course: 'RRV' has 3 pegs"),
        ("('R', 'V', 'B', 'J')", "is no code of 4x8/course"),
    ],
)
def test_a_guess_that_is_no_code_is_a_fault_of_its_turn(tmp_path: Path, guess: str, said: str) -> None:
    path = log(tmp_path, f"{HEAD}\nEssai 1 : RRVV (1,0)\nEssai 2 : {guess} (0,0)\nEssai 3 : RBBB (1,1)\n")
    result = typed(path)
    data = json.loads(typed(path, "--json").output)

    assert (1, "4x8/course") == (result.exit_code, data["rules"])
    assert (False, 2, [2]) == (data["consistent"], data["contradicted_at"], data["conflict"])
    assert said in data["sentence"]


def test_a_guess_with_a_letter_that_no_other_has_is_a_fault_and_no_larger_board(tmp_path: Path) -> None:
    sentence = check_log(read_log(log(tmp_path, "RRVV\n1,0\n" * 5 + "RRVX\n1,0\n"))).sentence

    assert "turn 6 (line 11): its guess 'RRVX' is no code of 4x8/course" in sentence


def test_one_turn_is_told_as_one(tmp_path: Path) -> None:
    said = check_log(read_log(log(tmp_path, "RRVV\n1,0\n"))).sentence

    assert "fit the only turn;" in said


@pytest.mark.parametrize(
    ("text", "turn", "conflict"),
    [
        ("RRVV\n1,0\nVVRR\n1,2\n", 2, [1, 2]),
        ("BBBB\n1,0\nRRVV\n0,0\nRRRR\n1,0\nBJJJ\n1,0\n", 3, [2, 3]),
        ("RRVV\n0,0\nBBJJ\n0,0\nNNMM\n0,0\nOOGG\n1,0\n", 4, [1, 2, 3, 4]),
        ("RRVV\n3,1\n", 1, [1]),
        ("RRVV\n-1,1\n", 1, [1]),
        ("RRVV\n3,3\n", 1, [1]),
    ],
)
def test_a_contradiction_is_found_with_its_turn_and_the_smallest_set(
    tmp_path: Path, text: str, turn: int, conflict: list[int]
) -> None:
    result = typed(log(tmp_path, text), "--json")
    data = json.loads(result.output)

    assert (1, False, turn, conflict) == (
        result.exit_code,
        data["consistent"],
        data["contradicted_at"],
        data["conflict"],
    )


def test_the_smallest_contradiction_is_found_among_many_turns(tmp_path: Path) -> None:
    honest = ["RRVV", "0,0"] * 30
    text = "\n".join([*honest, "BBBB", "1,0", "RBBB", "2,0", ""])
    verdict = check_log(read_log(log(tmp_path, text)))

    assert (32, (1, 31, 32)) == (verdict.turn, verdict.conflict)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("RRVV\n", "line 1: the guess 'RRVV' has no evaluation"),
        ("RRVV\nmany\n", "line 1: 'many' is not a feedback"),
        ("None\n1,0\n", "no guess is a code, the first is 'None'"),
        ("Bravo\n", "has no turn"),
        ("RRVV 1,0\nsomething\n", "line 2: 'something' is not a guess"),
        ("Ré%V\n1,0\n", "say which rules it follows with --rules"),
        ('{"format": "other"}', "not a saved game"),
        ("{", "not valid JSON"),
        ("entropeg game 1\nrules: 4x6\n\nAABB\n", "line 4: 'AABB' is not a guess and its feedback"),
        ("entropeg game 1\nrules: 4y6\n\nAABB X\n", "is not a board"),
        ("entropeg game 1\n\nAABB X\n", "is not a saved game"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        check_log(read_log(log(tmp_path, text)))


@pytest.mark.parametrize("suffix", ["txt", "json"])
@pytest.mark.parametrize("rules", ["4x6", "4x6/positional", "3x5/blanks-in-secrets", "4x10/no-repeats/digits"])
def test_our_own_game_files_are_read_and_a_changed_answer_is_found(tmp_path: Path, suffix: str, rules: str) -> None:
    board, path = Rules.parse(rules), tmp_path / f"game.{suffix}"
    game = play(codebreakers.get("consistent"), codemakers.get("honest"), board, seed=11)
    save_game(game, str(path))
    whole = typed(str(path))
    none = "...." if "positional" in rules else "-"
    text = path.read_text(encoding="utf-8")
    last = "XXXX"[: board.pegs]
    path.write_text(text.replace(last, none), encoding="utf-8")
    changed = typed(str(path))

    assert (0, 1) == (whole.exit_code, changed.exit_code)
    assert f"the secret found at turn {len(game)}" in whole.output
    assert "inconsistent" in changed.output


def test_rules_given_go_before_rules_assumed(tmp_path: Path) -> None:
    path = log(tmp_path, "AABB\n1,0\n")

    assert str(read_log(path).rules) == "4x6"
    assert str(read_log(path, Rules.parse("4x9")).rules) == "4x9"
    assert "assumed" in typed(path).output
    assert "assumed" not in typed(path, "--rules", "4x9").output


def test_a_log_of_the_example_is_consistent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = Path(__file__).parents[2] / "examples" / "classroom"
    monkeypatch.syspath_prepend(str(examples))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    import codebreaker2  # type: ignore[import-not-found]  # of the examples
    import codemaker2  # type: ignore[import-not-found]  # of the examples
    import play as course  # type: ignore[import-not-found]  # of the examples

    course.play_log(codemaker2, codebreaker2, str(tmp_path / "log"))
    verdict = check_log(read_log(str(tmp_path / "log")))
    for name in ("codebreaker2", "codemaker2", "play", "common"):
        del sys.modules[name]

    assert verdict.consistent
    assert verdict.left == 1


def test_random_logs_agree_with_the_list_of_candidates(tmp_path: Path) -> None:
    rng, board = np.random.default_rng(6), Rules.parse("3x4")
    seen = set()
    for _ in range(60):
        turns = [(tuple(rng.integers(4, size=3).tolist()), rng.integers(2, size=2).tolist()) for _ in range(3)]
        text = "".join(f"{format_code(guess, board)}\n{answer[0]},{answer[1]}\n" for guess, answer in turns)
        verdict = check_log(read_log(log(tmp_path, text), board))
        position = Position(board, [(guess, Feedback(*answer)) for guess, answer in turns])
        seen.add(verdict.consistent)

        assert verdict.consistent != position.is_contradictory
        if not verdict.consistent and verdict.turn is not None:
            first = Position(board, position.turns[: verdict.turn])
            assert first.is_contradictory
            assert tuple(at + 1 for at in first.conflict()) == verdict.conflict
    assert {True, False} == seen


def test_a_game_with_shapes_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(
        "entropeg game 1\nrules: 2x4/shapes=2\ncodebreaker: human\ncodemaker: honest\n\nA1-A2 X~\n", "utf-8"
    )

    assert check_log(read_log(str(path))).sentence.startswith("consistent: 4 secrets fit")


def test_a_line_without_end_is_refused_and_spaces_cost_no_time(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    log.write_text(f"essai 1:{' ' * 100_000}RRVV{' ' * 100_000}(1,0)\n", encoding="utf-8")

    assert 1 == len(read_log(str(log)).turns)

    log.write_text(f"essai 1: {'R ' * 2000}x\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1 has 4,010 characters, and a turn at most 2,000"):
        read_log(str(log))


def test_what_modules_print_between_the_turns_of_play_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(
        "chargement de common\nEssai 1 : RRVV (0,0)\nje cherche encore\nEssai 2 : BNNN (4,0)\nBravo ! en 2 essais\n"
        "chargement\nEssai 1 : RRVV (2,0)\nRRVV RRJJ (2, 0)\nEssai 2 : RRJJ (4,0)\n"
    )
    games = read_logs(str(path))

    assert [(2, 4), (7, 9)] == [game.lines for game in games]
    assert all(check_log(game).consistent for game in games)
