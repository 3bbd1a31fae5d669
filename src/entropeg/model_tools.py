"""Tools for language models: answers, codes left, advice, contradictions, reviews; plain data of texts.

The model never does the Mastermind. No file is read, whatever the text of the rules says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from entropeg.advise import advise as advice_on
from entropeg.advise import explain as explanation_of
from entropeg.candidates import find_candidates
from entropeg.codes import format_code, parse_code
from entropeg.errors import EntropegError, MissingExtraError
from entropeg.extras import install
from entropeg.feedback import format_feedback, score_trusted
from entropeg.position import Position
from entropeg.review import review as review_of
from entropeg.rules import Rules, without_files
from entropeg.version import __version__

LISTED = 50
"""Codes that are named of those left."""


def score(rules: str, guess: str, secret: str) -> str:
    """Answer a guess for a given secret: X for each peg in the right place, O for each right color elsewhere."""
    board = _board(rules)
    return format_feedback(score_trusted(parse_code(guess, board), parse_code(secret, board, secret=True), board))


def candidates(rules: str, turns: list[str]) -> dict[str, Any]:
    """Find the codes that fit turns such as "AABB XO": how many, null where nobody can count them, and the first 50."""
    position = _position(rules, turns)
    found = find_candidates(position.rules, position.turns, limit=100_000, seed=0)
    count = len(found.codes) if found.complete else None
    return {"count": count, "codes": [format_code(code, position.rules) for code in found.codes[:LISTED]]}


def advise(rules: str, turns: list[str], guesses: int = 5) -> dict[str, Any]:
    """Say what to play next after turns such as "AABB XO": the best guesses, each with the guesses expected with it."""
    return advice_on(_position(rules, turns), limit=guesses).to_json()


def explain(rules: str, turns: list[str]) -> dict[str, Any]:
    """Say which rows cannot all be true where no code fits turns such as "AABB XO", and which mistakes explain it."""
    return explanation_of(_position(rules, turns), "afterwards", limit=10).to_json()


def review(rules: str, turns: list[str]) -> dict[str, Any]:
    """Say what each guess of a game of turns such as "AABB XO" lost against the best play, and what was luck."""
    return review_of(_position(rules, turns)).to_json()


TOOLS: dict[str, Callable[..., Any]] = {each.__name__: each for each in (score, candidates, advise, explain, review)}


def _board(rules: str) -> Rules:
    with without_files():
        return Rules.parse(rules)


def _position(rules: str, turns: list[str]) -> Position:
    return Position(_board(rules), turns)


def server() -> Any:
    """Return the server of these tools for the Model Context Protocol; MissingExtraError without the extra `mcp`."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError:
        raise MissingExtraError("entropeg mcp needs the package mcp: {command}", install("mcp")) from None
    made = MCPServer("entropeg", version=__version__, log_level="ERROR",
                     instructions="Mastermind of any rules, such as 4x6, bulls-and-cows, 4x6/positional.")  # fmt: skip
    for tool in TOOLS.values():
        made.tool()(_telling(tool, ToolError))
    return made


def _telling(tool: Callable[..., Any], kind: type[Exception]) -> Callable[..., Any]:
    @wraps(tool)
    def told(*args: Any, **given: Any) -> Any:
        try:
            return tool(*args, **given)
        except EntropegError as error:  # else the server would keep to itself what is wrong
            raise kind(str(error)) from None

    return told
