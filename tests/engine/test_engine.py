"""The text protocol: both sides of it, both roles, and every way in which the other side can fail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from entropeg import arena, codebreakers, codemakers, play, score
from entropeg.advise import advise
from entropeg.classroom.faults import ModuleFault
from entropeg.classroom.series import play_series
from entropeg.engine.players import close_all
from entropeg.engine.server import serve
from entropeg.engine.wire import read_answer, read_code, read_rules, write_answer, write_code, write_rules
from entropeg.errors import InputError, PlayerError
from entropeg.position import Position
from entropeg.processes import Child, ChildError
from entropeg.rules import Rules
from strategies import all_feedbacks

ROOT = Path(__file__).parents[2]
SMALL = Rules.parse("3x4")
OURS = f"{sys.executable} -m entropeg engine"
PYTHON = f"{sys.executable} {ROOT / 'examples' / 'engine' / 'codebreaker.py'}"
EXAMPLE = ROOT / "examples" / "engine" / "language_model.py"
PERL = f"perl {ROOT / 'examples' / 'engine' / 'codebreaker.pl'}"


@pytest.fixture(autouse=True)
def _no_program_is_left() -> Any:
    yield
    close_all()


def said(*lines: str, codebreaker: str = "first-consistent", codemaker: str = "honest:ABC") -> list[str]:
    answers: list[str] = []
    serve(lines, answers.append, codebreaker, codemaker)
    return answers


# ------------------------------------------------------------------ the words


BOARDS = [
    "4x6",
    "4x10/no-repeats/digits",
    "3x5/blanks",
    "3x5/blanks-in-secrets",
    "4x6/black/limit=9",
    "5x30/positional",
    "4x6/membership",
    "4x8/no-repeats/guess-repeats",
]


@pytest.mark.parametrize("text", BOARDS)
def test_what_is_written_is_read_back(text: str) -> None:
    rules = Rules.parse(text)
    plain = Rules.parse(text.replace("/digits", ""))
    read, numbers = read_rules([*write_rules(rules).split(), "seed=5", "unknown=1"])
    code = tuple(range(rules.pegs))

    assert plain == read
    assert {"seed": 5} == numbers
    assert code == read_code(write_code(code).split(), rules)
    for feedback in all_feedbacks(rules):
        assert feedback == read_answer(write_answer(feedback).split(), rules)


LINES = some.text(some.characters(categories=("L", "N", "P", "Zs", "S")), max_size=20)


@given(some.lists(LINES, max_size=6))
def test_nothing_that_an_engine_is_sent_ends_it(lines: list[str]) -> None:
    sane = [line for line in lines if line.split()[:1] != ["quit"]]
    answers = said(*sane, "new codebreaker pegs=3 colors=4", "go")

    assert answers[-1] == "guess 0 0 0"
    assert all(answer.startswith("error ") for answer in answers[:-1])


# ------------------------------------------------------------------ our side as the engine


def test_an_engine_greets_guesses_and_answers() -> None:
    assert said("mastermind 1")[-1] == "ready"
    assert said("new codebreaker pegs=3 colors=4", "turn 0 0 0 : 1 0", "go", "quit", "go") == ["guess 0 1 1"]
    assert said("new codemaker pegs=3 colors=4", "ask 0 2 2", "ask 0 1 2") == ["answer 2 0", "answer 3 0"]


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (["go"], "there is no game"),
        (["mastermind 2"], "speaks 'mastermind 1'"),
        (["hello"], "unknown command 'hello'"),
        (["new umpire pegs=3 colors=4"], "takes a role first"),
        (["new codebreaker pegs=3"], "'colors'"),
        (["new codebreaker pegs=x colors=4"], "no number"),
        (["new codebreaker pegs=3 colors=4 feedback=loud"], "'loud'"),
        (["new codebreaker pegs=3 colors=4", "ask 0 0 0"], "the engine is the codebreaker"),
        (["new codemaker pegs=3 colors=4", "go"], "the engine is the codemaker"),
        (["new codemaker pegs=3 colors=4", "ask 0 0"], "has 2 pegs"),
        (["new codemaker pegs=3 colors=4", "ask 0 0 seven"], "is no code"),
        (["new codebreaker pegs=3 colors=4", "turn 0 0 0 : 5 0"], "5 marks"),
        (["new codebreaker pegs=3 colors=4", "turn 0 0 0"], "is no answer"),
        (["new codebreaker pegs=3 colors=4", "turn 0 0 0 : 0 0", "turn 1 1 1 : 3 0", "go"], "the game is over"),
        (["set volume 3"], "set takes"),
        (["set codebreaker nobody"], "no codebreaker called 'nobody'"),
    ],
)
def test_what_an_engine_cannot_do_it_says(lines: list[str], wrong: str) -> None:
    [answer] = said(*lines)

    assert answer.startswith("error ")
    assert wrong in answer


def test_the_seed_repeats_a_game_of_the_engine() -> None:
    lines = ["new codemaker pegs=4 colors=6 seed=9", *["ask 0 1 2 3"] * 3]
    [first, *others] = [said(*lines, codemaker="honest") for _ in range(3)]

    assert others == [first, first]


# ------------------------------------------------------------------ our side as the host


def test_a_program_in_perl_plays_as_ours_does() -> None:
    if shutil.which("perl") is None:
        pytest.skip("this machine has no perl")
    ours, theirs = (
        arena(player, "honest", SMALL, all_secrets=True, jobs=1)[0].guesses.tolist()
        for player in ("first-consistent", f"cmd:{PERL}")
    )

    assert ours == theirs


def test_a_program_in_thirty_lines_of_python_plays() -> None:
    assert len((ROOT / "examples" / "engine" / "codebreaker.py").read_text(encoding="utf-8").splitlines()) <= 30
    series = play_series(codebreakers.get(f"cmd:{PYTHON}"), codemakers.get("cheat"), SMALL, 10)

    assert ([], 10) == (series.faults, len(series.guesses))


THINKS = """
import itertools, re, sys
asked = sys.stdin.read()
turns = re.findall(r"^([A-D]{3}): (\\d) black, (\\d) white$", asked, re.MULTILINE)
def marks(guess, secret):
    black = sum(map(str.__eq__, guess, secret))
    return str(black), str(sum(min(guess.count(c), secret.count(c)) for c in "ABCD") - black)
fits = ["".join(code) for code in itertools.product("ABCD", repeat=3)]
fits = [code for code in fits if all(marks(guess, code) == (black, white) for guess, black, white in turns)]
print("After", len(turns), "guesses AAAA is no code, and DDD was my first thought. My guess:", fits[0], sep="\\n")
"""
"""Stands in for a language model: reads the question, thinks aloud, and ends with the first code that fits."""


def test_a_model_that_answers_in_words_plays(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(THINKS, encoding="utf-8")
    model = f"cmd:{sys.executable} {EXAMPLE} {sys.executable} {tmp_path / 'model.py'}"
    game = play(model, "honest:CAD", SMALL)
    expected = play("first-consistent", "honest:CAD", SMALL)

    assert [turn.guess for turn in expected.turns] == [turn.guess for turn in game.turns]


def test_a_model_without_a_code_ends_its_game_with_its_last_words() -> None:
    model = f"cmd:{sys.executable} {EXAMPLE} echo I would rather not say"
    with pytest.raises(PlayerError, match=r"no code in 3 answers; the last was: 'I would rather not say'"):
        play(model, "honest:CAD", SMALL)


@pytest.mark.parametrize("rules", ["3x4", "3x4/positional", "3x4/blanks-in-secrets", "3x4/black", "3x4/membership"])
def test_both_roles_through_programs_are_the_same_game(rules: str) -> None:
    board = Rules.parse(rules)
    breaker = codebreakers.get(f"cmd:codebreaker=first-consistent:{OURS}")
    maker = codemakers.get(f"cmd:codemaker=cheat:{OURS} --codemaker honest")
    game = play(breaker, maker, board, seed=4)

    assert game.outcome == "won"
    assert not game.position.is_contradictory
    assert [turn.guess for turn in game.turns] == [
        codebreakers.get("first-consistent").guess(Position(board, game.turns[:at]), np.random.default_rng())
        for at in range(len(game.turns))
    ]


def test_a_program_is_asked_about_any_position() -> None:
    breaker, rng = codebreakers.get(f"cmd:{PERL}"), np.random.default_rng(0)
    secret, positions = (3, 1, 2), [Position(SMALL)]
    while not positions[-1].is_over:
        guess = codebreakers.get("first-consistent").guess(positions[-1], rng)
        positions.append(positions[-1].after(guess, score(guess, secret, SMALL)))
    for position in reversed(positions[:-1]):
        assert codebreakers.get("first-consistent").guess(position, rng) == breaker.guess(position, rng)


GREETS = "import sys\nprint('name x\\nrole codebreaker\\nrole codemaker\\nready', flush=True)\n"
FAILURES = {
    "silence": ("import time\ntime.sleep(60)", "no answer to 'go' in 0.5 s"),
    "garbage": ("print('hello', flush=True)\ninput()", "says 'hello' instead of guess"),
    "bytes": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()\ninput()", "not UTF-8"),
    "an early end": ("sys.exit(3)", "ended with exit code 3"),
    "an end with words": ("sys.exit('no more')", "ended with exit code 1 (no more)"),
    "a crash": ("1 / 0", "ended with exit code 1 (ZeroDivisionError"),
    "an error": ("print('error I cannot', flush=True)\ninput()", "it says 'error I cannot'"),
    "a short guess": ("print('guess 0 1', flush=True)\ninput()", "has 2 pegs"),
    "an unknown color": ("print('guess 0 1 9', flush=True)\ninput()", "color 9"),
    "words for a guess": ("print('guess a b c', flush=True)\ninput()", "is no code"),
    "a line without end": ("while True: sys.stdout.write('guess ')", "no answer|without end"),
    "talk without end": ("while True: print('info still thinking')", "no answer to 'go' in 0.5 s"),
    "noise on standard error": ("while True: sys.stderr.write('noise' * 1000)", "no answer to 'go' in 0.5 s"),
    "closed output": ("import os, time\nos.close(1)\ntime.sleep(600)", "closed its output"),
}


@pytest.mark.parametrize(("body", "told"), FAILURES.values(), ids=FAILURES.keys())
def test_every_failure_of_a_program_is_reported_and_none_hangs(tmp_path: Path, body: str, told: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        GREETS + "for line in sys.stdin:\n    if line.startswith('go'): break\n" + body, encoding="utf-8"
    )
    breaker = codebreakers.get(f"cmd:turn_seconds=0.5:{sys.executable} {program}")
    with pytest.raises(ModuleFault, match=told.replace("(", r"\(").replace(")", r"\)")) as caught:
        play(breaker, codemakers.get("honest"), SMALL, seed=1)

    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("./no-such-program", "cannot be started: No such file"),
        (f"{sys.executable} -c pass", "ended with exit code 0"),
        ("cat", "it says 'mastermind 1' instead of name"),
        (
            f"{sys.executable} -c \"print('role codemaker'); print('ready'); input()\"",
            "it plays codemaker, and is wanted",
        ),
    ],
)
def test_a_program_that_does_not_greet_is_reported(command: str, told: str) -> None:
    with pytest.raises(ModuleFault, match=told):
        play(codebreakers.get(f"cmd:{command}"), codemakers.get("honest"), SMALL, seed=1)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("1", "of black and of white pegs"),
        ("x y", "should be a number"),
        ("2 1", "2 black and 1 white cannot be"),
        ("0 0", "no secret fits"),
    ],
)
def test_a_codemaker_that_answers_wrongly_is_reported(tmp_path: Path, answer: str, told: str) -> None:
    program = tmp_path / "program.py"
    body = f"for line in sys.stdin:\n    if line.startswith('ask'): print('answer {answer}', flush=True)\n"
    program.write_text(GREETS + body, encoding="utf-8")
    with pytest.raises(ModuleFault, match=told):
        play(codebreakers.get("memory"), codemakers.get(f"cmd:{sys.executable} {program}"), SMALL, seed=1)


def test_a_game_of_a_program_may_not_take_too_long(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    body = "import time\nfor line in sys.stdin:\n"
    body += "    if line.startswith('go'): time.sleep(0.15); print('guess 0 0 0', flush=True)\n"
    program.write_text(GREETS + body, encoding="utf-8")
    breaker = codebreakers.get(f"cmd:game_seconds=0.4:{sys.executable} {program}")
    with pytest.raises(ModuleFault, match=r"its game took longer than 0\.4 s"):
        play(breaker, codemakers.get("honest:ABC"), SMALL, seed=1)


def test_texts_of_programs_are_read_back() -> None:
    breaker: Any = codebreakers.get("cmd:turn_seconds=2,level=3,memory=512:./engine --fast a:b")

    assert ("./engine --fast a:b", 2.0, 512, (("level", "3"),)) == (
        breaker.command,
        breaker.turn_seconds,
        breaker.memory,
        breaker.options,
    )
    assert codebreakers.get(breaker.name) == breaker
    for text in ("cmd:", "cmd:'open", "cmd:turn_seconds=soon:./x", "cmd:turn_seconds=0:./x"):
        with pytest.raises(InputError):
            codebreakers.get(text)


def test_the_command_speaks_the_protocol_as_the_page_says() -> None:
    lines = "mastermind 1\nset codebreaker first-consistent\nnew codebreaker pegs=3 colors=4\ngo\n"
    lines += "turn 0 0 0 : 1 0\ngo\nquit\n"
    output = subprocess.run(
        [sys.executable, "-m", "entropeg", "engine"], input=lines, check=True, capture_output=True, text=True
    ).stdout

    assert output.splitlines()[-3:] == ["ready", "guess 0 0 0", "guess 0 1 1"]


# ------------------------------------------------------------------ a child in a process of its own


def test_a_child_that_does_not_read_is_noticed() -> None:
    with Child([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        with pytest.raises(ChildError, match="does not read") as caught:
            child.write("x" * 10_000_000, seconds=0.3)

        assert caught.value.reason == "silent"


def test_both_sides_may_write_much_at_once() -> None:
    copy = "import sys\nfor line in sys.stdin: sys.stdout.write(line); sys.stdout.flush()"
    with Child([sys.executable, "-c", copy]) as child:
        for _ in range(20):
            child.write("y" * 100_000, seconds=20)

        assert all(child.read(seconds=20) == "y" * 100_000 for _ in range(20))


def test_a_child_is_held_to_its_memory() -> None:
    code = "input()\nprint(len(bytearray(1 << 30)))"
    with Child([sys.executable, "-c", code], memory=512 << 20) as child:
        child.write("go", seconds=5)
        with pytest.raises(ChildError, match="exit code 1"):
            child.read(seconds=20)

        assert "MemoryError" in child.stderr


# ------------------------------------------------------------------ analysis


def test_an_analysis_is_what_advice_says_and_its_line_is_a_game() -> None:
    lines = said("new codebreaker pegs=3 colors=4", "turn 0 0 1 : 0 1", "analyze 3 5")
    advice = advise(Position("3x4", ["AAB O"]), limit=3)
    moves = [line.split(" : ") for line in lines if line.startswith("move")]

    assert f"value exact {advice.value.value:.6f} {advice.value.fraction}" == lines[0]
    assert [write_code(one.guess) for one in advice.guesses] == [code for _, code in moves]
    assert ["analyzed"] == lines[-1:]
    position = Position("3x4", ["AAB O"])
    for turn in lines[-2].removeprefix("pv ").split(" ;")[:-1]:
        guess, answer = turn.split(" : ")
        position = position.after(tuple(map(int, guess.split())), tuple(map(int, answer.split())))
        assert not position.is_contradictory
    assert position.is_won


def test_an_analysis_says_how_well_it_knows() -> None:
    [value, *_] = said("new codebreaker pegs=12 colors=12", "analyze 1 0.2")

    assert re.fullmatch(r"value (about \d+\.\d{6} error \d+\.\d{6}|least \d+\.\d{6})", value)


@pytest.mark.parametrize("words", ["x", "0", "5 x", "5 1 1", "5 -1"])
def test_an_analysis_of_something_else_is_refused(words: str) -> None:
    assert [f"error analyze takes a number of guesses and of seconds, as analyze 5 2, not {words!r}"] == said(
        "new codebreaker pegs=3 colors=4", f"analyze {words}"
    )
    assert ["error there is no game: new begins one"] == said("analyze")
