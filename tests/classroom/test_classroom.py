"""Course modules as players: alone in their processes, following the rules, held to their limits."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from classroom_typing import typed
from entropeg import arena, cli, codebreakers, codemakers, play, score
from entropeg.classroom import common, copies, process
from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.players import close_all, session_of
from entropeg.classroom.series import play_series
from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.experiments.match import Match
from entropeg.position import Position
from entropeg.rules import Rules
from rooms import cases

EXAMPLES = Path(__file__).parents[2] / "examples" / "classroom"
COURSE, SMALL = Rules.parse("4x8/course"), Rules.parse("3x4/course")


@pytest.fixture(autouse=True)
def _no_process_is_left() -> Any:
    yield
    close_all()


def written(folder: Path, name: str, text: str, *, common: bool = False) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    if common:
        shutil.copyfile(EXAMPLES / "common.py", folder / "common.py")
    return str(folder / name)


def fault_of(breaker: str, rules: Rules = SMALL, maker: str = "honest", **limits: Any) -> Any:
    parameters = ",".join(f"{key}={value}" for key, value in limits.items())
    series = play_series(codebreakers.get(f"{breaker}:{parameters}"), codemakers.get(maker), rules, 1)
    [fault] = series.faults
    return fault


BREAKER = "import common\n\ndef init():\n    pass\n\ndef codebreaker(evaluation):\n"


# ------------------------------------------------------------------ playing


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("maker", ["honest", "cheat", str(EXAMPLES / "codemaker1.py"), str(EXAMPLES / "codemaker2.py")])
def test_every_example_wins_against_every_codemaker(number: int, maker: str) -> None:
    breaker = codebreakers.get(str(EXAMPLES / f"codebreaker{number}.py"))
    game = play(breaker, codemakers.get(maker), SMALL, seed=5)

    assert game.outcome == "won"
    assert game == play(breaker, codemakers.get(maker), SMALL, seed=5)


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("all_secrets", [False, True])
def test_games_in_bulk_are_those_of_the_general_loop(number: int, all_secrets: bool) -> None:
    path = str(EXAMPLES / f"codebreaker{number}.py")
    rules = Rules.parse("2x3")
    [run] = arena(path, "honest", rules, games=9, all_secrets=all_secrets, seed=3, jobs=1)
    match = Match(path, "honest", rules, 3, all_secrets)

    assert [len(match.play(game)) for game in range(9)] == run.guesses.tolist()


def test_a_series_whose_time_is_over_has_the_game_that_was_begun_and_no_other(tmp_path: Path) -> None:
    breaker = written(tmp_path, "codebreaker0.py", BREAKER + "    return common.choices()\n", common=True)
    series = play_series(codebreakers.get(breaker), codemakers.get("honest"), SMALL, 9, seconds=0.0)

    assert 1 == series.played


def test_a_series_has_the_games_of_the_arena() -> None:
    path = str(EXAMPLES / "codebreaker2.py")
    [run] = arena(path, "honest", COURSE, games=12, seed=4, jobs=1)
    series = play_series(codebreakers.get(path), codemakers.get("honest"), COURSE, 12, seed=4, record=True)

    assert run.guesses.tolist() == series.guesses
    assert [len(turns) for turns in series.turns] == series.guesses
    assert all(turns[-1][1] == (4, 0) for turns in series.turns)


def test_the_cheat_of_the_course_takes_longer_than_its_honest_codemaker() -> None:
    breaker = codebreakers.get("consistent")
    means = [
        play_series(breaker, codemakers.get(str(EXAMPLES / f"codemaker{number}.py")), SMALL, 30).run.statistics.mean
        for number in (1, 2)
    ]

    assert means[0] + 0.3 < means[1]


def test_the_cheat_of_the_course_makes_games_as_long_as_document_a_says() -> None:
    # The document: 7.34 guesses over 1,000 games, an interval of 0.031 to either side.
    maker = codemakers.get(str(EXAMPLES / "codemaker2.py"))
    interval = play_series(codebreakers.get("consistent"), maker, COURSE, cases(100, 1000)).run.statistics.interval

    assert interval is not None
    assert interval[0] - 0.031 < 7.34 < interval[1] + 0.031


def test_the_cheat_of_the_course_ends_no_game_that_it_can_draw_out() -> None:
    maker = codemakers.get(str(EXAMPLES / "codemaker2.py"))
    rules = Rules.parse("1x2/course")
    games = [play(codebreakers.get("first-consistent"), maker, rules, seed=seed) for seed in range(3)]

    assert [2, 2, 2] == [len(game) for game in games]


def test_a_player_is_asked_again_and_taken_back_as_any_other() -> None:
    breaker = codebreakers.get(str(EXAMPLES / "codebreaker2.py"))
    rng, start = np.random.default_rng(8), Position(SMALL)
    secret = (0, 1, 2)
    first = breaker.guess(start, np.random.default_rng(8))
    second = start.after(first, score(first, secret, SMALL))
    guess = breaker.guess(second, rng)
    breaker.guess(second.after(guess, score(guess, secret, SMALL)), rng)

    assert guess == breaker.guess(second, rng)
    assert guess == breaker.guess(Position(SMALL, second.turns), rng)


def test_a_position_that_a_module_has_not_played_to_is_refused_in_words() -> None:
    breaker = codebreakers.get(str(EXAMPLES / "codebreaker3.py"))
    position = Position(SMALL).after((3, 3, 3), score((3, 3, 3), (0, 1, 2), SMALL))

    with pytest.raises(InputError, match="keeps its game in itself"):
        breaker.guess(position, np.random.default_rng(1))


def test_a_player_travels_to_another_process() -> None:
    breaker = codebreakers.get(f"{EXAMPLES / 'codebreaker2.py'}:memory=512")

    assert pickle.loads(pickle.dumps(breaker)) == breaker  # noqa: S301 (our own bytes)
    assert breaker.name == f"{EXAMPLES / 'codebreaker2.py'}:memory=512"  # type: ignore[attr-defined]
    assert codebreakers.get(breaker.name) == breaker  # type: ignore[attr-defined]


# ------------------------------------------------------------------ LENGTH, COLORS and common


@pytest.mark.parametrize("rules", ["2x3", "3x5/digits", "5x8", "2x20", "3x4/blanks-in-secrets"])
@pytest.mark.parametrize(
    "imports",
    [
        "from common import LENGTH, COLORS",
        "import common\nLENGTH, COLORS = common.LENGTH, list(common.COLORS)",
        "LENGTH = 4\nCOLORS = 'RVBJNMOG'",
        "if True:\n    LENGTH: int = 4\nCOLORS = ('R', 'V', 'B', 'J', 'N', 'M', 'O', 'G')",
        "import common\n(LENGTH, COLORS) = (9, ['R', 'V'])",
    ],
)
@pytest.mark.parametrize("own_common", [False, True])
def test_length_and_colors_follow_the_rules(tmp_path: Path, rules: str, imports: str, own_common: bool) -> None:
    text = f"{imports}\nimport random\nN = LENGTH\ndef init(): pass\ndef codebreaker(e):\n"
    text += "    return ''.join(random.choice(list(COLORS)) for _ in range(N))\n"
    path = written(tmp_path, "codebreaker0.py", text, common=own_common)
    board = Rules.parse(rules)
    breaker = codebreakers.get(path)
    guesses = [breaker.guess(Position(board), np.random.default_rng(seed)) for seed in range(40)]

    assert {board.pegs} == {len(guess) for guess in guesses}
    assert set(range(board.symbols_in_guesses)) >= {color for guess in guesses for color in guess}
    assert len({color for guess in guesses for color in guess}) > board.symbols_in_guesses // 2
    close_all()


def test_letters_of_a_project_are_kept_where_they_are_enough(tmp_path: Path) -> None:
    written(tmp_path, "common.py", "LENGTH = 4\nCOLORS = ['a', 'b', 'c', 'd', 'e', 'f']\n")
    path = written(tmp_path, "codebreaker0.py", BREAKER + "    return 'abcd'\n")
    breaker = codebreakers.get(path)

    assert breaker.guess(Position(Rules.parse("4x6")), np.random.default_rng(0)) == (0, 1, 2, 3)


def test_what_a_project_derives_from_length_and_colors_follows_too(tmp_path: Path) -> None:
    written(tmp_path, "common.py", "from itertools import product\nLENGTH = 4\nCOLORS = list('RVBJNMOG')\n"
            "CODES = [''.join(code) for code in product(COLORS, repeat=LENGTH)]\n")  # fmt: skip
    path = written(tmp_path, "codebreaker0.py", BREAKER + "    return common.CODES[-1]\n")
    breaker = codebreakers.get(path)

    assert breaker.guess(Position(SMALL), np.random.default_rng(0)) == (3, 3, 3)


def test_files_of_a_project_are_never_changed(tmp_path: Path) -> None:
    text = BREAKER + (
        "    import os\n    print('noise')\n    open('common.py', 'w').write('changed')\n"
        "    open(os.path.join(os.path.dirname(__file__), 'new.txt'), 'w').write('new')\n"
        "    return common.COLORS[0] * common.LENGTH\n"
    )
    path = written(tmp_path, "codebreaker0.py", text, common=True)
    before = {file.name: sha256(file.read_bytes()).hexdigest() for file in tmp_path.iterdir()}
    codebreakers.get(path).guess(Position(SMALL), np.random.default_rng(0))

    assert before == {file.name: sha256(file.read_bytes()).hexdigest() for file in tmp_path.iterdir()}


def test_our_common_agrees_with_the_rules() -> None:
    letters = common.COLORS
    for guess in list(secrets(COURSE))[::401]:
        for secret in list(secrets(COURSE))[::307]:
            texts = ("".join(letters[color] for color in code) for code in (guess, secret))
            assert tuple(score(guess, secret, COURSE)) == common.evaluation(*texts)


# ------------------------------------------------------------------ what goes wrong


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        ("return 3", "type", "line 6: in game 1, its guess is 3, an int; it must be a string"),
        ("return {}.get(0)", "type", "its guess is None"),
        ("return common.COLORS[0]", "illegal", "has 1 letters; it must have 3"),
        ("return 'zzz'", "illegal", "'z', which is none of RVBJ"),
        ("return common.nothing", "crash", "line 7: in game 1, codebreaker raised AttributeError"),
        ("return [1][len(common.COLORS)]", "crash", "IndexError"),
        ("raise SystemExit('tired')", "exit", "ends the program ('tired')"),
        ("raise KeyboardInterrupt", "crash", "KeyboardInterrupt"),
        ("import os; os._exit(4)", "ended", "ended with exit code 4"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended", "SIGSEGV"),
        ("return bytearray(1 << 31)", "memory", "ran out of memory"),
        ("return input()", "crash", "EOFError"),
        ("return codebreaker(evaluation)", "crash", "RecursionError"),
        ("import no_such_package", "package", "the package 'no_such_package' is missing"),
    ],
)
def test_what_a_module_does_wrong_is_told_in_one_sentence(tmp_path: Path, body: str, kind: str, said: str) -> None:
    path = written(tmp_path, "codebreaker0.py", BREAKER + f"    {body}\n")
    for maker in ("honest", "cheat"):
        fault = fault_of(path, maker=maker)

        assert kind == fault.kind
        assert "\n" not in fault.sentence
        assert path in fault.sentence
        assert said.replace("in game 1, ", "") in fault.sentence.replace("in game 1, ", "")


@pytest.mark.parametrize("maker", ["honest", "cheat"])
@pytest.mark.parametrize("loop", ["while True: pass", "10 ** 10 ** 9", "import time; time.sleep(600)"])
def test_an_endless_turn_is_ended_and_the_game_so_far_told(tmp_path: Path, maker: str, loop: str) -> None:
    text = BREAKER + f"    if evaluation is not None:\n        {loop}\n    return common.COLORS[0] * common.LENGTH\n"
    path = written(tmp_path, "codebreaker0.py", text)
    fault = fault_of(path, maker=maker, turn_seconds=0.3)

    assert ("time", 1) == (fault.kind, fault.count)
    assert fault.turns[0].startswith("RRR ")


def test_a_game_may_not_take_too_long_although_its_turns_do_not(tmp_path: Path) -> None:
    text = BREAKER + "    import time\n    time.sleep(0.2)\n    return common.COLORS[0] * common.LENGTH\n"
    path = written(tmp_path, "codebreaker0.py", text)

    for maker in ("honest:VVV", "cheat"):
        assert fault_of(path, maker=maker, game_seconds=0.05).kind == "game time"


def test_a_codebreaker_that_never_finds_the_secret_is_stopped(tmp_path: Path) -> None:
    path = written(tmp_path, "codebreaker0.py", BREAKER + "    return common.COLORS[0] * common.LENGTH\n")
    fault = fault_of(path, Rules.parse("2x2"), maker="honest:BB")

    assert (
        "turns",
        "it would never end the game: at turn 129 it guesses RR again, and for 64 turns it has made no new guess",
    ) == (fault.kind, fault.text)
    assert play_series(codebreakers.get(path), codemakers.get("honest:BB"), Rules.parse("2x2/limit=5"), 3).guesses == [
        0,
        0,
        0,
    ]


def test_games_go_on_after_one_that_goes_wrong(tmp_path: Path) -> None:
    text = (
        "import common, os\ngames = 0\ndef init():\n    global games\n    games += 1\ndef codebreaker(evaluation):\n"
        "    if games == 3:\n        raise ValueError('third')\n    if games == 5:\n        os._exit(1)\n"
        "    return common.choices()\n"
    )
    path = written(tmp_path, "codebreaker0.py", text)
    series = play_series(codebreakers.get(path), codemakers.get("honest"), Rules.parse("1x3"), 12, seed=2)

    # A process that was ended starts anew, and counts its games from one again.
    assert [(fault.game, fault.kind) for fault in series.faults][:2] == [(2, "crash"), (4, "ended")]
    assert series.played == 12
    assert set(series.games) | {fault.game for fault in series.faults} == set(range(12))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return [1, 1]", "type"),
        ("return (1, True)", "type"),
        ("return 1", "type"),
        ("return (2, 1)", "evaluation"),
        ("return (-1, 1)", "evaluation"),
        ("return (0, 0)", "inconsistent"),
        ("raise ZeroDivisionError", "crash"),
    ],
)
def test_wrong_evaluations_are_told_with_the_game_so_far(tmp_path: Path, body: str, kind: str) -> None:
    path = written(tmp_path, "codemaker1.py", f"def init(): pass\ndef codemaker(guess):\n    {body}\n")
    series = play_series(codebreakers.get("first-consistent"), codemakers.get(path), SMALL, 1)
    [fault] = series.faults

    assert kind == fault.kind
    assert (kind == "inconsistent") == (len(fault.turns or ()) > 0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def codebreaker(e):\n    return 1\n", "codebreaker9.py, line 1: it has no function init()"),
        ("def init(): pass\n", "codebreaker9.py, line 1: it has no function codebreaker"),
        ("def init(): pass\ndef codemaker(g): pass\n", "no function codebreaker; its line 2 has codemaker"),
        ("def init(): pass\ndef codebreaker(e): pass\ndef codemaker(g): pass\n", "line 3: it defines both"),
        ("def init(): pass\ndef codebreaker(e) pass\n", "codebreaker9.py, line 2: Python cannot read it: SyntaxError"),
        (
            "import nowhere_at_all\ndef init():\n    nowhere_at_all.begin()\ndef codebreaker(e): pass\n",
            "line 3: in game 1, the package 'nowhere_at_all' is missing",
        ),
        ("def init(): pass\ndef codebreaker(e): pass\n1 / 0\n", "line 3: import codebreaker9 raised ZeroDivisionError"),
    ],
)
def test_a_module_that_cannot_play_is_refused_with_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    path = written(tmp_path, "codebreaker9.py", text)
    result = CliRunner().invoke(cli.group, ["arena", path, "honest", "--games", "1"], prog_name="entropeg")
    error = subprocess.run(
        [sys.executable, "-m", "entropeg", "arena", path, "honest", "--games", "1"],
        check=False,
        capture_output=True,
        text=True,
    )

    assert isinstance(result.exception, InputError) or result.exit_code == 2
    assert 2 == error.returncode
    assert 1 == error.stderr.count("\n")
    assert said in error.stderr


def test_a_path_that_is_no_module_is_refused(tmp_path: Path) -> None:
    written(tmp_path, "codebreaker2.py", "")
    for path, said in [
        (tmp_path / "codebreaker7.py", "there is no module .*; its folder has codebreaker2.py"),
        (tmp_path, "is a folder: name a module in it"),
    ]:
        with pytest.raises(InputError, match=said):
            codebreakers.get(str(path))


@pytest.mark.parametrize("rules", ["4x6/positional", "4x6/blanks"])
def test_rules_that_the_course_does_not_know_are_refused(rules: str) -> None:
    with pytest.raises(InputError, match="course modules"):
        play(codebreakers.get(str(EXAMPLES / "codebreaker2.py")), codemakers.get("honest"), Rules.parse(rules), 1)


def test_prints_are_kept_apart_and_told(tmp_path: Path) -> None:
    text = BREAKER + "    import sys, os\n    print('seen', evaluation)\n    os.write(1, b'raw')\n    return 7\n"
    path = written(tmp_path, "codebreaker0.py", text)
    fault = fault_of(path)

    assert fault.prints == "seen None\n"


def test_a_process_ends_with_the_program_that_started_it(tmp_path: Path) -> None:
    text = f"import os, common\ndef init():\n    open({str(tmp_path / 'home')!r}, 'w').write(os.getcwd())\n"
    text += f"    open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    path = written(tmp_path, "codebreaker0.py", text + "def codebreaker(e):\n    while True: pass\n")
    code = (
        f"from entropeg import *\nfrom entropeg import codebreakers, codemakers\nbreaker = codebreakers.get({path!r})\n"
    )
    code += "play(breaker, codemakers.get('honest'), Rules(), 1)"
    with subprocess.Popen([sys.executable, "-c", code]) as program:
        for _ in range(200):
            time.sleep(0.05)
            if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
                break
        worker = int((tmp_path / "pid").read_text())
        program.send_signal(signal.SIGKILL)
        program.wait()
    for _ in range(200):
        state = Path(f"/proc/{worker}/stat")
        if not state.exists() or "Z" in state.read_text(encoding="utf-8").split()[2]:
            assert not Path((tmp_path / "home").read_text()).exists()
            return
        time.sleep(0.05)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the module's process outlived the program")


# ------------------------------------------------------------------ the command


def test_run_plays_a_codebreaker_and_a_codemaker(tmp_path: Path) -> None:
    found = json.loads(
        typed("run", str(EXAMPLES / "codebreaker2.py"), "--rules", "3x4", "--games", "20", "--json").output
    )
    held = typed("run", str(EXAMPLES / "codemaker2.py"), "--rules", "3x4", "--games", "5")

    assert (20, 20, 0) == (found["planned"], found["won"], found["faulty"])
    assert held.exit_code == 0
    assert "codemaker2.py" in held.output


def test_run_tells_what_went_wrong_and_exits_with_one(tmp_path: Path) -> None:
    path = written(tmp_path, "codebreaker0.py", BREAKER + "    print('hm')\n    return 5\n")
    result = typed("run", path, "--games", "20", "--against", "cheat", "--rules", "3x4")

    assert result.exit_code == 1
    assert "5 of 5 games went wrong" in result.output
    assert f"{path}, line 6: in game 1, its guess is 5, an int" in result.output
    assert "it prints: hm" in result.output


def test_the_process_of_a_player_is_used_again() -> None:
    breaker: Any = codebreakers.get(str(EXAMPLES / "codebreaker2.py"))
    play(breaker, codemakers.get("honest"), SMALL, seed=1)
    first = session_of(breaker, SMALL).process
    play(breaker, codemakers.get("honest"), SMALL, seed=2)

    assert session_of(breaker, SMALL).process is first


def test_a_fault_names_the_kind_and_can_be_caught(tmp_path: Path) -> None:
    path = written(tmp_path, "codebreaker0.py", BREAKER + "    return 5\n")
    with pytest.raises(ModuleFault) as caught:
        play(codebreakers.get(path), codemakers.get("honest"), SMALL, seed=1)

    assert caught.value.fault.to_json()["kind"] == "type"
    travelled = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 (our own bytes)
    assert (caught.value.fault, str(caught.value)) == (travelled.fault, str(travelled))


def test_a_course_module_stands_in_a_comparison_of_rules_of_choice(tmp_path: Path) -> None:
    module, figure = str(EXAMPLES / "codebreaker2.py"), tmp_path / "figure.svg"
    result = CliRunner().invoke(
        cli.group, ["compare", "2x3/course", "--also", module, "--figure", str(figure), "--json"]
    )
    rows = json.loads(result.stdout)

    assert [None, module] == [rows[-1]["first"], rows[-1]["codebreaker"]]
    assert 9 == sum(rows[-1]["histogram"]) == sum(rows[0]["histogram"])
    assert rows[-1]["total"] == sum(turn * count for turn, count in enumerate(rows[-1]["histogram"], start=1))
    assert figure.exists()


# ------------------------------------------------------------------ limits and copies


def test_a_module_that_sleeps_is_told_apart_from_one_that_computes(tmp_path: Path) -> None:
    asleep = written(tmp_path, "codebreaker0.py", BREAKER + "    import time\n    time.sleep(60)\n")
    busy = written(tmp_path, "codebreaker1.py", BREAKER + "    while True: pass\n")

    assert fault_of(asleep, turn_seconds=0.1).text == "it slept or waited for more than 0.5 s in a turn"
    assert fault_of(busy, turn_seconds=0.1).text == "it took longer than 0.1 s of processor time for a turn"


def test_a_turn_as_long_as_an_import_may_be_is_called_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "LOAD_SECONDS", 0.2)
    turn = written(tmp_path, "codebreaker0.py", BREAKER + "    while True: pass\n")
    whole = written(tmp_path, "codebreaker1.py", "while True: pass\n" + BREAKER + "    return ''\n")

    assert fault_of(turn, turn_seconds=0.2).text.endswith("for a turn")
    with pytest.raises(ModuleFault, match="for its import"):
        fault_of(whole, turn_seconds=0.2)


def test_a_module_that_cannot_be_imported_is_started_once(tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')\n1 / 0\n" + BREAKER + "    return ''\n"
    path = written(tmp_path, "codebreaker0.py", text)
    for maker in ("honest", "cheat", "honest:RRR"):
        with pytest.raises(ModuleFault, match="ZeroDivisionError"):
            play(codebreakers.get(path), codemakers.get(maker), SMALL, 3)
    assert (tmp_path / "starts").read_text() == "x"

    written(tmp_path, "codebreaker0.py", BREAKER + "    return common.COLORS[0] * common.LENGTH\n")
    play_series(codebreakers.get(path), codemakers.get("honest:RRR"), SMALL, 1)  # mended, it is started again


def test_copies_are_removed_whose_program_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    living = copies.Copy()
    forsaken, young, foreign = (tmp_path / f"entropeg-{name}" for name in ("gone", "young", "notes"))
    for folder in (forsaken, young, foreign):
        (folder / "project").mkdir(parents=True)
    for folder in (forsaken, young):
        (folder / "lock").touch()
    for folder in (living.folder, forsaken, foreign):
        os.utime(folder, (1, 1))

    assert copies.remove_forsaken(tmp_path) == 1
    assert {living.folder, young, foreign} == set(tmp_path.iterdir())
    living.remove()
    assert {young, foreign} == set(tmp_path.iterdir())


def test_no_copy_is_left_of_modules_that_wait_when_their_program_is_killed(tmp_path: Path) -> None:
    code = (
        "import sys, time\nfrom entropeg import *\nfrom entropeg import codebreakers, codemakers\n"
        f"for number in (0, 1, 2):\n    breaker = codebreakers.get({str(EXAMPLES)!r} + f'/codebreaker{{number}}.py')\n"
        "    play(breaker, codemakers.get('honest'), Rules.parse('2x2/course'), 1)\n"
        "print('ready', flush=True)\ntime.sleep(60)"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as program:
        assert program.stdout is not None
        program.stdout.readline()
        assert 3 == len(list(tmp_path.glob("entropeg-*")))
        program.kill()
    for _ in range(200):
        if not list(tmp_path.glob("entropeg-*")):
            return
        time.sleep(0.05)
    pytest.fail("copies are left")
