"""Language models as agents: what they are asked, how their answers are read, and the tools that they may call."""

from __future__ import annotations

import json
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as some

from entropeg import model_tools
from entropeg.cli import group
from entropeg.codes import format_code, guesses, parse_code
from entropeg.errors import InputError
from entropeg.feedback import format_feedback
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.suites import Drawing, Suite, read_log, run_bench, score_log
from entropeg.suites.chat import ChatAgent
from entropeg.suites.prompts import examples, question, read_guess, read_row
from entropeg.texts import say

SMALL = Suite.own(["3x4/limit=12"])
Reply = Callable[[dict[str, Any]], dict[str, Any]]


@contextmanager
def model(reply: Reply) -> Iterator[str]:
    """Serve a stub on a local port that answers as chat completions do."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps(reply(asked | {"key": self.headers.get("Authorization")})).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def message(text: str, **more: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    return {"choices": [{"message": {"role": "assistant", "content": text, **more}}], "usage": usage}


def rows_of(asked: str, rules: str) -> list[str]:
    """Read the rows back from a question, as a model would."""
    rows = re.findall(r"^\d+\. (\w+): (\d+) (?:black|noir)s?, (\d+) (?:white|blanc)s?$", asked, re.MULTILINE)
    return [f"{guess} {black}b{white}w" for guess, black, white in rows]


def consistent(asked: dict[str, Any]) -> dict[str, Any]:
    """Play the first code that fits, and say it with signs around it."""
    position = Position("3x4", rows_of(asked["messages"][-1]["content"], "3x4"))
    return message(f"Let me think about AAA.\n**Answer:** `{' '.join(format_code(position.candidates[0], '3x4'))}`.")


# ------------------------------------------------------------------ runs


def test_a_model_plays_as_what_it_says(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    with model(consistent) as url:
        run_bench(ChatAgent(url, "stub"), Drawing(SMALL, games=6), file)
    ours = run_bench("first-consistent", Drawing(SMALL, games=6), tmp_path / "ours.jsonl")
    log = read_log(file, SMALL)
    [board] = score_log(log, jobs=1).boards

    assert [game.turns for game in ours.games] == [game.turns for game in log.games]
    assert {"prompt_tokens": 10 * board.guesses, "completion_tokens": 2 * board.guesses} == board.tokens
    assert {"model": "stub", "language": "en", "shots": 0, "tools": False} == log.settings
    assert "ANSWER: AAA" in log.games[0].more["transcript"][0]["asked"]
    assert log.games[0].more["transcript"][1]["said"].startswith("Let me think")


def test_a_model_that_says_no_code_is_asked_again_and_then_has_lost(tmp_path: Path) -> None:
    said = iter(["dunno", "ANSWER: AAAB", "ANSWER: AAB", *["AAB or BBA"] * 3])
    with model(lambda _: message(next(said))) as url:
        log = run_bench(ChatAgent(url), Drawing(SMALL, games=1), tmp_path / "log.jsonl")
    [game] = log.games

    assert ("invalid", 5, 1) == (game.end, game.invalid, len(game.turns))


def test_a_model_that_nobody_serves_ends_the_run_and_loses_nothing(tmp_path: Path) -> None:
    with model(consistent) as url:
        pass
    with pytest.raises(InputError, match="gives no answer"):
        run_bench(ChatAgent(url), Drawing(SMALL, games=1), tmp_path / "log.jsonl")
    with model(lambda _: {"error": "no"}) as url, pytest.raises(InputError, match="no answer of a chat"):
        run_bench(ChatAgent(url), Drawing(SMALL, games=1), tmp_path / "other.jsonl")


def test_a_model_calls_the_tools_of_the_game_and_no_others(tmp_path: Path) -> None:
    def reply(asked: dict[str, Any]) -> dict[str, Any]:
        taken = {each["function"]["name"]: each["function"]["parameters"]["required"] for each in asked["tools"]}
        assert {"score": ["guess", "secret"], "candidates": []} == taken
        results = [each["content"] for each in asked["messages"] if each["role"] == "tool"]
        if len(results) == 3:
            assert "there is no tool 'advise'" == results[0]
            assert "XO" == results[1]
            return message(f"ANSWER: {json.loads(results[2])['codes'][0]}")
        wanted = [("advise", {}), ("score", {"guess": "AAB", "secret": "ACA"}), ("candidates", {})]
        calls = [
            {"id": str(at), "function": {"name": name, "arguments": json.dumps(given)}}
            for at, (name, given) in enumerate(wanted)
        ]
        return message("", tool_calls=calls)

    with model(reply) as url:
        log = run_bench(ChatAgent(url, tools=True), Drawing(SMALL, games=3), tmp_path / "log.jsonl")

    assert {"won"} == {game.end for game in log.games}
    assert '"advise"' in log.games[0].more["transcript"][1]["called"]


def test_the_command_asks_in_french_with_examples_and_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[dict[str, Any]] = []

    def reply(asked: dict[str, Any]) -> dict[str, Any]:
        seen.append(asked)
        return consistent(asked)

    monkeypatch.setenv("STUB_KEY", "abc")
    with model(reply) as url:
        words = ["--lang", "fr", "bench", "run", str(tmp_path / "log.jsonl"), "--agent", url, "--board", "3x4/limit=12"]
        done = CliRunner().invoke(group, [*words, "--games", "2", "--shots", "2", "--key", "STUB_KEY"])

    assert 0 == done.exit_code, done.output
    assert ["user", "assistant", "user", "assistant", "user"] == [each["role"] for each in seen[0]["messages"]]
    assert seen[0]["messages"][1]["content"].startswith("RÉPONSE\xa0: ")
    assert "Bearer abc" == seen[0]["key"]
    assert "Mastermind\xa0: un code secret est à trouver" in seen[0]["messages"][0]["content"]
    assert "abc" not in (tmp_path / "log.jsonl").read_text(encoding="utf-8")


def test_agents_that_cannot_be_asked_are_refused() -> None:
    with pytest.raises(InputError, match="no address"):
        ChatAgent("ftp://x")
    with pytest.raises(InputError, match="NO_SUCH"):
        ChatAgent("http://x", key="NO_SUCH")
    with pytest.raises(InputError, match="xx"):
        ChatAgent("http://x", language="xx")


# ------------------------------------------------------------------ questions and answers


@pytest.mark.parametrize(
    "text", ["4x6", "4x6/positional", "4x6/black", "bulls-and-cows", "20x20", "3x30", "4x9/shapes=3"]
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_form_of_a_question_is_read_back_in_both_languages(text: str, language: str) -> None:
    rules = Rules.parse(text)
    asked = say(question(Position(rules)), language)

    assert read_guess(asked, rules) is not None
    assert ("Mastermind: a secret" in asked) == (language == "en")


WRAPS = ["ANSWER: {}", "Final answer: **{}**", "**Answer:** `{}`.", "RÉPONSE : {}", "ANSWER: \\boxed{{{}}}",
         "answer:\n{}", "I first thought of AAAA.\nGUESS: [{}]", "text\n\n{}\n"]  # fmt: skip


@given(
    some.sampled_from(guesses("4x6")[:]),
    some.sampled_from(WRAPS),
    some.sampled_from(["", " ", ", ", "-"]),
    some.booleans(),
)
def test_forms_are_forgiven(code: tuple[int, ...], wrap: str, between: str, small: bool) -> None:
    written = between.join(format_code(code, "4x6"))

    assert code == read_guess(wrap.format(written.lower() if small else written), Rules.parse("4x6"))


@given(
    some.sampled_from(guesses("4x6")[:]), some.sampled_from(WRAPS), some.sampled_from("ABCDEFGZ"), some.integers(0, 4)
)
def test_contents_are_not(code: tuple[int, ...], wrap: str, letter: str, place: int) -> None:
    text = format_code(code, "4x6")
    longer, shorter = text[:place] + letter + text[place:], text[1:]
    others = [longer, shorter, f"{text} or {text[::-1]}A", text[:3] + "Z", f"{text} {letter}"]

    assert [None] * 5 == [read_guess(wrap.format(other), Rules.parse("4x6")) for other in others]


def test_words_are_no_codes_but_rows_are_numbers() -> None:
    assert parse_code("AABB", "4x6") == read_guess("I would play AABB now", Rules.parse("4x6"))
    assert read_guess("I faced a bad decade", Rules.parse("4x6")) is None
    assert [3, None, None] == [read_row(text) for text in ("ANSWER: **row 3**", "rows 2 and 3", "none")]


def test_examples_are_of_the_same_feedback_and_solved() -> None:
    found = examples(Rules.parse("4x6/positional"), 5)

    assert 5 == len(found)
    for position, answer in found:
        code = read_guess(answer, position.rules)
        assert position.rules == Rules.parse("3x4/positional")
        assert code in position.candidates
    assert [] == examples(Rules.parse("words:english"), 3)


# ------------------------------------------------------------------ tools over the Model Context Protocol


def test_tools_answer_as_entropeg_does() -> None:
    turns = ["AABB XO", "ACCD O", "BEBF XXO"]

    assert "XO" == model_tools.score("4x6", "AABB", "ABCD")
    assert len(Position("4x6", turns).candidates) == model_tools.candidates("4x6", turns)["count"]
    assert model_tools.advise("4x6", turns, 1)["guesses"][0]["loss"]["value"] == 0
    assert 1 == model_tools.explain("4x6", ["AABB X", "CCDD -", "AEFF XX", "FAEB XXX"])["mistakes"]
    assert 4 == model_tools.review("4x6", [*turns, "FEBA XXXX"])["guesses"]
    with pytest.raises(InputError, match="no list of the package"):
        model_tools.score("words:/etc/hostname", "A", "B")


def test_the_server_speaks_the_protocol_over_standard_input_and_output() -> None:
    mcp = pytest.importorskip("mcp", reason="the extra mcp is not installed: the server is not tried")
    import anyio

    async def session() -> tuple[set[str], Any, Any]:
        started = mcp.StdioServerParameters(command=sys.executable, args=["-m", "entropeg", "mcp"])
        async with mcp.Client(started) as client:
            tools = await client.list_tools()
            scored = await client.call_tool("score", {"rules": "4x6", "guess": "AABB", "secret": "ABCD"})
            wrong = await client.call_tool("score", {"rules": "4x6", "guess": "AABBC", "secret": "ABCD"})
            return {tool.name for tool in tools.tools}, scored, wrong

    names, scored, wrong = anyio.run(session)

    assert set(model_tools.TOOLS) == names
    assert "XO" == scored.content[0].text
    assert wrong.is_error
    assert "has 5 pegs" in wrong.content[0].text


def test_answers_of_the_stub_are_ours() -> None:
    rows = rows_of(question(Position("3x4", ["AAB XO", "BCD O"])), "3x4")

    assert ["AAB XO", "BCD O"] == [
        f"{row.split()[0]} {format_feedback(Position('3x4', [row]).turns[0].feedback)}" for row in rows
    ]
    assert np.array_equal(Position("3x4", rows).candidates.ranks, Position("3x4", ["AAB XO", "BCD O"]).candidates.ranks)
