"""Benchmarks: drawn secrets, logs and their chain, the exact score, and a hundred forged logs, each refused by name."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from entropeg.cli import group
from entropeg.codes import check_code, secrets
from entropeg.errors import InputError, PlayerError
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.suites import SUITES, BenchLog, Drawing, LogError, Suite, read_log, run_bench, score_log, suite_of
from entropeg.suites.running import NoGuessError, agent_of

SMALL = Suite.own(["3x4/limit=12", "3x4/positional/limit=12"])
Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def log_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("logs") / "log.jsonl"
    run_bench("consistent", Drawing(SMALL, "salt", 30), file)
    return file


# ------------------------------------------------------------------ suites and secrets


def test_published_suites_never_change() -> None:
    digests = {name: suite.digest for name, suite in SUITES.items()}

    assert {"entropeg-bench-1": "1d8feedf793edd05", "entropeg-bench-1-unseen": "ce1df2d61ecbd61b"} == digests


def test_secrets_can_be_drawn_by_hand() -> None:
    text = "entropeg-bench-1\nsalt\n4x6/limit=20\n7\n0"
    word = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")  # passed over once in 10^16 draws
    letters = [word % 1296 // 6**place % 6 for place in (3, 2, 1, 0)]

    assert tuple(letters) == Drawing(SUITES["entropeg-bench-1"], "salt").secret(0, 7)


@pytest.mark.parametrize("name", SUITES)
def test_all_secrets_are_legal_and_a_salt_changes_them(name: str) -> None:
    one, other = Drawing(SUITES[name]), Drawing(SUITES[name], "other", renamed=True)
    for board, rules in enumerate(one.boards):
        drawn = [one.secret(board, game) for game in range(20)]

        assert drawn == [check_code(secret, rules, secret=True) for secret in drawn]
        assert drawn != [other.secret(board, game) for game in range(20)]
        assert rules.board == other.boards[board].board or not rules.is_symmetric
    assert [str(rules) for rules in one.boards] != [str(rules) for rules in other.boards]


@pytest.mark.parametrize("text", ["3x4/limit=9", "3x5/no-repeats/limit=9", "3x3/prior=distinct/limit=9"])
def test_secrets_are_drawn_as_likely_as_the_rules_say(text: str) -> None:
    suite, draws = Suite.own([text]), 4000
    drawing, chances = Drawing(suite, games=draws), secrets(text).chances
    counts = Counter(drawing.secret(0, game) for game in range(draws))
    expected = draws * chances
    square = sum((counts[code] - expected[at]) ** 2 / expected[at] for at, code in enumerate(secrets(text)))
    freedom = len(chances) - 1

    assert abs(square - freedom) < 4 * sqrt(2 * freedom)


def test_every_secret_once() -> None:
    drawing = Drawing(Suite.own(["3x4/limit=9"]), games=0)

    assert list(secrets("3x4")) == [drawing.secret(0, game) for game in range(drawing.number(0))]


def test_what_is_no_suite_is_refused() -> None:
    with pytest.raises(InputError, match="no suite 'x'"):
        suite_of("x")
    with pytest.raises(InputError, match="has no limit of guesses: write 3x4/limit=20"):
        Suite.own(["3x4"])
    with pytest.raises(InputError, match="cannot be drawn"):
        Suite.own(["8x12/no-repeats/blanks-in-secrets/limit=20"])
    with pytest.raises(InputError, match="one line of text"):
        Drawing(SMALL, "a\nb")
    with pytest.raises(InputError, match="no board 7"):
        Drawing(SMALL, picked=(7,))


# ------------------------------------------------------------------ runs


def test_a_run_goes_on_where_it_was_cut_off_and_ends_alike(log_file: Path, tmp_path: Path) -> None:
    text, file = log_file.read_text(encoding="utf-8"), tmp_path / "cut.jsonl"
    file.write_text(text[: len(text) // 2])
    found = run_bench("consistent", Drawing(SMALL, "salt", 30), file)

    assert text == file.read_text(encoding="utf-8")
    assert found.is_whole
    assert read_log(file, SMALL).games == found.games


def test_a_time_stops_a_run_between_two_games(tmp_path: Path) -> None:
    found = run_bench("consistent", Drawing(SMALL), tmp_path / "log.jsonl", time=0.0)

    assert not found.is_whole
    with pytest.raises(LogError, match="missing") as raised:
        read_log(tmp_path / "log.jsonl", SMALL)
    assert "missing" == raised.value.reason


def test_another_run_does_not_go_on_with_a_log(log_file: Path, tmp_path: Path) -> None:
    before = log_file.read_bytes()
    for agent, drawing in (("minimax", Drawing(SMALL, "salt", 30)), ("consistent", Drawing(SMALL, "other", 30))):
        with pytest.raises(InputError):
            run_bench(agent, drawing, log_file)
    letter = tmp_path / "letter.txt"
    letter.write_text("dear all")
    with pytest.raises(InputError, match="this is no log of a benchmark"):
        run_bench("minimax", Drawing(SMALL), letter)

    assert (before, "dear all") == (log_file.read_bytes(), letter.read_text(encoding="utf-8"))


class Silent:
    """Guesses once, then says nothing that is a guess, and tells how often."""

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if position.turns:
            raise NoGuessError("no guess in 3 answers", "silent")
        return (0, 0, 1)

    def told(self) -> dict[str, Any]:
        return {"invalid": 3, "tokens": {"prompt": 7}, "transcript": ["?"]}


class Illegal:
    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        return (0, 0, 9)


class Broken:
    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        raise PlayerError("the line is dead", "broken")


def test_who_gives_no_guess_loses_all_that_the_board_allows(tmp_path: Path) -> None:
    log = run_bench(Silent(), Drawing(SMALL, games=5, picked=(0,)), tmp_path / "silent.jsonl")
    [board] = score_log(read_log(tmp_path / "silent.jsonl", SMALL), jobs=1).boards

    assert {"invalid"} == {game.end for game in log.games}
    assert (5, 0, 15, {"prompt": 35}) == (board.broken_off, board.won, board.invalid, board.tokens)
    assert board.mean > 12 > 1 + max(board.losses)
    [bad] = score_log(run_bench(Illegal(), Drawing(SMALL, games=1, picked=(1,)), tmp_path / "bad.jsonl"), jobs=1).boards
    assert (1, 1, 0) == (bad.broken_off, bad.invalid, bad.guesses)


class Raising(Illegal):
    """A legal first guess at best, and whatever else goes wrong in a module of somebody else."""

    def __init__(self, error: BaseException | None = None, told: Any = None) -> None:
        self.error, self.said = error, told

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        if self.error is not None:
            raise self.error
        return super().guess(position, rng)

    def told(self) -> Any:
        return self.said


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        (Broken(), "the line is dead"),
        (Raising(ValueError("boom")), "Raising breaks down: ValueError: boom"),
        (Raising(SystemExit(7)), "Raising breaks down: SystemExit: 7"),
        (Raising(told=5), "Raising breaks down: TypeError"),
        (Raising(told={"transcript": {5}}), "Raising breaks down: TypeError: .* not JSON"),
        (Raising(told={"invalid": "x"}), "the agent told that invalid is 'x'"),
        (Raising(told={"tokens": {"prompt": -1}}), "the agent told that its tokens are .* from 0, by name"),
    ],
)
def test_who_breaks_down_is_named_and_has_lost_nothing(agent: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        run_bench(agent, Drawing(SMALL, games=1), tmp_path / "log.jsonl")
    assert 1 == len((tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines())


def test_agents_of_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agent_of_zeros.py").write_text(
        "class Agent:\n    def guess(self, position, rng):\n        return (0, 0, 0)\n", "utf-8"
    )

    assert (0, 0, 0) == agent_of("agent_of_zeros:Agent").guess(Position("3x4"), np.random.default_rng(0))
    for spec, said in (
        ("agent_of_zeros:Nobody", "no attribute"),
        ("no_such_module:Agent", "No module"),
        ("mimax", "minimax"),
    ):
        with pytest.raises(InputError, match=said):
            agent_of(spec)


# ------------------------------------------------------------------ scores


def test_the_score_of_all_secrets_is_that_of_the_strategy(tmp_path: Path) -> None:
    log = run_bench("minimax", Drawing(SMALL, games=0, picked=(0,)), tmp_path / "log.jsonl")
    score = score_log(log, jobs=1)
    [board] = score.boards
    lost = sum(
        loss * sum(len(game.turns) > turn for game in log.games) for turn, loss in enumerate(board.losses)
    ) / len(log.games)

    assert (64, 64, 0.0, True) == (board.games, board.won, board.error, board.is_exact)
    assert board.mean == pytest.approx(board.adjusted)
    assert 206 / 64 == board.par
    assert board.mean == pytest.approx(206 / 64 + lost)


def test_random_play_takes_what_theory_says(tmp_path: Path) -> None:
    log = run_bench("random", Drawing(SMALL, "theory", 400, picked=(0,)), tmp_path / "log.jsonl")
    missed = 63 / 64
    expected = sum(missed**turn for turn in range(12))
    spread = sqrt(sum((2 * turn + 1) * missed**turn for turn in range(12)) - expected**2)

    assert abs(np.mean([len(game.turns) for game in log.games]) - expected) < 4 * spread / 20


def test_luck_taken_out_leaves_the_mean_and_narrows_it(log_file: Path) -> None:
    for board in score_log(read_log(log_file, SMALL), jobs=1).boards:
        assert board.adjusted is not None
        assert board.error is not None
        assert board.adjusted_error is not None
        assert board.adjusted_error < board.error / 2
        assert abs(board.adjusted - board.mean) < 2 * board.error
        assert 0 == board.contradicted == board.repeats == board.invalid


def test_who_knows_the_secrets_gains_nothing(tmp_path: Path) -> None:
    drawing = Drawing(SMALL, games=2, picked=(0,))

    class Cheat:
        def guess(self, position: Position, rng: np.random.Generator) -> Code:
            return drawing.secret(0, 0) if not position.turns else drawing.secret(0, 1)

    [board] = score_log(run_bench(Cheat(), drawing, tmp_path / "log.jsonl"), jobs=1).boards

    assert board.mean < 2 < 206 / 64 <= board.adjusted  # type: ignore[operator]  # it is known there


def test_boards_that_nobody_can_list_are_scored_as_played(tmp_path: Path) -> None:
    suite, picked = suite_of("entropeg-bench-1", ["20x20"])
    log = run_bench(agent_of("random"), Drawing(suite, games=2, picked=picked), tmp_path / "log.jsonl")
    [board] = score_log(log, jobs=1).boards

    assert (101.0, None, 2, ()) == (board.mean, board.adjusted, board.lost, board.losses)


# ------------------------------------------------------------------ forged logs


def rechained(lines: Lines) -> Lines:
    """Write the digests anew, as a forger who has read the source would."""
    chain = _digest(json.dumps(lines[0]))
    for data in lines[1:]:
        data["before"] = chain
        chain = _digest(chain + json.dumps(data))
    return lines


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _exchange(lines: Lines, at: int, *names: str) -> None:
    for name in names:
        lines[at][name], lines[at + 1][name] = lines[at + 1][name], lines[at][name]


def _drop_a_middle_turn(lines: Lines, at: int) -> None:
    del next(data for data in lines[at:] if len(data["turns"]) > 2)["turns"][1]


def _find_at_once(lines: Lines, _: int) -> None:
    for data in lines[1:]:
        data["turns"] = data["turns"][-1:]


CHANGES: dict[str, Callable[[Lines, int], Any]] = {
    "secret altered": lambda lines, at: lines[at].update(secret=lines[at]["secret"][::-1] + "A"),
    "games exchanged": lambda lines, at: _exchange(lines, at, "secret", "turns"),
    "secrets exchanged": lambda lines, at: _exchange(lines, at, "secret"),
    "feedback altered": lambda lines, at: lines[at]["turns"][0].__setitem__(1, "-X"[lines[at]["turns"][0][1] == "-"]),
    "last turn dropped": lambda lines, at: lines[at]["turns"].pop(),
    "turn after the end": lambda lines, at: lines[at]["turns"].append(lines[at]["turns"][-1]),
    "another salt": lambda lines, at: lines[0].update(salt="y" * at),
    "another suite": lambda lines, at: lines[0].update(digest=_digest(str(at))),
    "another end": lambda lines, at: lines[at].update(end="lost"),
    "illegal guess": lambda lines, at: lines[at]["turns"][0].__setitem__(0, "ABZ"),
    "tokens below 0": lambda lines, at: lines[at].update(tokens={"prompt": -at}),
    "game twice": lambda lines, at: lines.append(dict(lines[at])),
    "game dropped": lambda lines, at: lines.pop(at),
    "last games dropped": lambda lines, at: lines.__delitem__(slice(-at, None)),
    "middle turn dropped": _drop_a_middle_turn,
    "another agent": lambda lines, at: lines[0].update(agent=f"entropy{at}"),
    "below the optimum": _find_at_once,
    "another board": lambda lines, at: lines[0].update(boards=[f"3x5/limit={at}"]),
}
FORGED = {
    "secret altered": "secret", "secrets exchanged": "secret", "games exchanged": "secret",
    "feedback altered": "feedback",
    "last turn dropped": "unfinished", "turn after the end": "after-end", "another salt": "secret",
    "another suite": "suite", "another end": "end", "illegal guess": "guess", "another board": "boards",
    "tokens below 0": "format",
}  # fmt: skip
CHAINED = {"game dropped": "chain", "middle turn dropped": "chain", "another agent": "chain"}
FORGED_ANEW = {"game twice": "twice", "game dropped": "missing", "last games dropped": "missing",
               "below the optimum": "luck"}  # fmt: skip
CASES = [
    *((name, reason, False) for name, reason in (FORGED | CHAINED).items()),
    *((name, reason, True) for name, reason in (FORGED | FORGED_ANEW).items()),
]


@pytest.mark.parametrize(("name", "reason", "anew"), CASES)
def test_forged_logs_are_refused_by_name(name: str, reason: str, anew: bool, log_file: Path, tmp_path: Path) -> None:
    change, found = CHANGES[name], []
    places = (5, 9, 22, 40) if name != "below the optimum" else (1,)
    for at in places:
        lines: Lines = [json.loads(line) for line in log_file.read_text(encoding="utf-8").splitlines()]
        change(lines, at)
        forged = tmp_path / f"{at}.jsonl"
        forged.write_text("".join(json.dumps(data) + "\n" for data in (rechained(lines) if anew else lines)))
        with pytest.raises(LogError) as raised:
            score_log(read_log(forged, SMALL), jobs=1)
        found.append(raised.value.reason)

    assert [reason] * len(places) == found


def test_a_hundred_logs_are_forged() -> None:
    assert 4 * len(CASES) - 3 >= 100


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty, and a log begins with a line of its boards"),
        ("def guess():\n", "its first line should have 'entropeg bench 1'"),
        ('{"format": \n', "line 1, column"),
        ("HEAD5\n", "line 2: it should be an object with board, game"),
        ("HEAD{\n", "line 2, column 2 is not valid JSON"),
        ("HEAD{}\n", "line 2: it should be an object with board, game"),
    ],
)
def test_what_is_no_log_is_refused_by_its_line(content: str, said: str, log_file: Path, tmp_path: Path) -> None:
    file = tmp_path / "other.jsonl"
    head = log_file.read_text(encoding="utf-8").partition("\n")[0]
    file.write_text(content.replace("HEAD", head + "\n"), encoding="utf-8")

    with pytest.raises(LogError, match=said) as refused:
        read_log(file, SMALL)
    assert "format" == refused.value.reason


def test_a_log_that_is_only_chained_anew_is_right(log_file: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in log_file.read_text(encoding="utf-8").splitlines()]
    (tmp_path / "same.jsonl").write_text("".join(json.dumps(data) + "\n" for data in rechained(lines)))

    assert score_log(read_log(log_file, SMALL)) == score_log(read_log(tmp_path / "same.jsonl", SMALL))


def test_a_mean_over_all_secrets_below_the_optimum_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    run_bench("entropy", Drawing(SMALL, games=0, picked=(0,)), file)
    lines: Lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for data in lines[1:]:
        if len(data["turns"]) > 3:  # no more than the optimum hides: this alone is too lucky nowhere
            del data["turns"][2]
    file.write_text("".join(json.dumps(data) + "\n" for data in rechained(lines)))
    with pytest.raises(LogError, match=r"fewer than any strategy takes, 3\.2188") as raised:
        score_log(read_log(file, SMALL), jobs=1)

    assert "below" == raised.value.reason


def test_no_file_is_read_because_a_log_says_so(log_file: Path, tmp_path: Path) -> None:
    with pytest.raises(LogError, match="not known here") as raised:
        read_log(log_file)

    assert "suite" == raised.value.reason
    assert isinstance(read_log(log_file, SMALL), BenchLog)


# ------------------------------------------------------------------ the command


def ran(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(group, ["bench", *words])
    return done.exit_code, done.output


def test_a_run_ends_in_a_line_that_anybody_can_check(tmp_path: Path) -> None:
    log, boards = str(tmp_path / "log.jsonl"), ("--board", "3x4/limit=12")
    assert 0 == ran("run", log, "--agent", "minimax", "--games", "12", *boards)[0]
    code, told = ran("score", log, "--no-level", "--jobs", "1", *boards)
    line = told.splitlines()[-1]

    assert 0 == code
    assert line.startswith(f"own {Suite.own(['3x4/limit=12']).digest} | - | minimax | 3x4 3.")
    assert 0 == ran("score", log, "--line", line, "--jobs", "1", *boards)[0]
    assert 1 == ran("score", log, "--line", line.replace("3x4 3.", "3x4 2."), "--jobs", "1", *boards)[0]
    data = json.loads(ran("score", log, "--json", "--no-level", "--jobs", "1", *boards)[1])
    assert (line, 12) == (data["line"], data["boards"][0]["games"])


def test_the_page_prints_what_its_commands_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).parents[2] / "docs/do/evaluate.md").read_text(encoding="utf-8")
    agent, shown = re.findall(r"```\w+\n(.*?)```", page, re.DOTALL)[:2]
    monkeypatch.chdir(tmp_path)
    Path("my_agent.py").write_text(agent, encoding="utf-8")
    expected = [line for line in shown.splitlines() if not line.startswith("  level:")]  # it is measured anew
    told: list[str] = []
    for line in expected:
        if line.startswith("$ entropeg bench score"):
            told += [line, *ran(*line.split()[3:], "--no-level", "--jobs", "1")[1].splitlines()]
        elif line.startswith("$ entropeg bench"):
            told += [line, *ran(*line.split()[3:])[1].splitlines()]

    assert expected == told


def test_a_board_of_the_suite_keeps_its_name_and_its_secrets() -> None:
    suite, picked = suite_of("", [Rules.parse("4x6")])

    assert (SUITES["entropeg-bench-1"], (0,)) == (suite, picked)
