"""Asks a language model for guesses over HTTP, in the manner of OpenAI's chat completions, by the standard library.

Nothing is asked of anybody but the address that is given, and every game keeps what was asked and said.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import numpy as np

from entropeg import model_tools
from entropeg.errors import InputError
from entropeg.feedback import Code
from entropeg.files.reading import LARGEST, parse_json
from entropeg.position import Position, format_turn
from entropeg.suites.prompts import complaint, examples, question, read_guess
from entropeg.suites.running import NoGuessError
from entropeg.texts import known_language, say
from entropeg.told import Told

TRIES = 3
"""Answers to one question, at most, of which none holds a legal guess."""
CALLS = 8
"""Calls of tools behind one question, at most."""
TEXT = {"type": "string"}
ALLOWED: dict[str, dict[str, Any]] = {"score": {"guess": TEXT, "secret": TEXT}, "candidates": {}}
"""Tools of the game, by what they take: what pencil and paper tell; advice would be our play, not that of a model."""


@dataclass
class ChatAgent:
    """A model behind an address: `url` is what stands before /chat/completions, `key` the variable that holds its key.

    A question has the whole position, so that nothing is carried from one turn to the next. `shots` solved examples
    stand before it; with `tools` the model may call `score` and `candidates`.
    """

    url: str
    model: str = "default"
    language: str = "en"
    shots: int = 0
    tools: bool = False
    key: str = ""
    seconds: float = 300.0
    """Time for an answer."""
    _told: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Raise InputError for an address, a language or a variable that cannot be."""
        if not self.url.startswith(("http://", "https://")):
            raise InputError("{url!r} is no address: write http://127.0.0.1:8000/v1", self.url)
        known_language(self.language)
        if self.key and self.key not in os.environ:
            raise InputError("there is no variable {name!r} in the environment: it should hold the key", self.key)

    @property
    def name(self) -> str:
        """The address and the model."""
        return f"{self.url} {self.model}"

    @property
    def settings(self) -> dict[str, Any]:
        """How the model is asked, for the log."""
        return {"model": self.model, "language": self.language, "shots": self.shots, "tools": self.tools}

    def told(self) -> dict[str, Any]:
        """Return what there is to tell of the game since the last call: `invalid`, `tokens`, `transcript`."""
        told, self._told = self._told, {}
        return told

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Ask for a guess, up to three times; raises NoGuessError, and InputError where nobody answers."""
        rules, messages = position.rules, self._examples(position)
        messages.append({"role": "user", "content": self._say(question(position, tools=self.tools))})
        self._keep(asked=messages[-1]["content"])
        for _ in range(TRIES):
            text = self._answer(messages, position)
            code = read_guess(text, rules)
            if code is not None and (position.clues is None or position.clues.allows(code)):
                return code
            self._told["invalid"] = self._told.get("invalid", 0) + 1
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": self._say(complaint())}]
        raise NoGuessError(Told("no legal guess in {tries} answers", TRIES), self.name)

    def _examples(self, position: Position) -> list[dict[str, Any]]:
        return [
            {"role": role, "content": self._say(text)}
            for before, answer in examples(position.rules, self.shots)
            for role, text in (("user", question(before)), ("assistant", answer))
        ]

    def _say(self, text: str) -> str:
        return str.__str__(say(text, self.language))

    def _keep(self, **said: str) -> None:
        self._told.setdefault("transcript", []).append(said)

    def _answer(self, messages: list[dict[str, Any]], position: Position) -> str:
        for _ in range(CALLS):
            message = self._asked(messages)
            calls = (message.get("tool_calls") or []) if self.tools else []
            if not calls:
                text = message.get("content") or ""
                self._keep(said=str(text))
                return str(text)
            messages.append(message)
            for call in calls:
                result = _called(call, position)
                self._keep(called=json.dumps(call.get("function")), got=result)
                messages.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": result})
        return ""

    def _asked(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "messages": messages}
        if self.tools:
            body["tools"] = [{"type": "function", "function": _described(*tool)} for tool in ALLOWED.items()]
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {os.environ[self.key]}"
        request = Request(f"{self.url.rstrip('/')}/chat/completions", json.dumps(body).encode(), headers)  # noqa: S310 - its scheme was checked
        try:
            with urlopen(request, timeout=self.seconds) as response:  # noqa: S310
                data = parse_json(response.read(LARGEST).decode())
            message: dict[str, Any] = dict(data["choices"][0]["message"])
        except (URLError, OSError) as error:
            raise InputError("{url} gives no answer: {reason}", self.url, str(error)) from None
        except (InputError, UnicodeDecodeError, LookupError, TypeError, ValueError) as error:
            raise InputError("{url} gives no answer of a chat: {reason}", self.url, repr(error)) from None
        usage, tokens = data.get("usage"), self._told.setdefault("tokens", {})
        for name in ("prompt_tokens", "completion_tokens"):
            if isinstance(usage, dict) and isinstance(usage.get(name), int):
                tokens[name] = tokens.get(name, 0) + usage[name]
        return message


def _described(name: str, taken: dict[str, Any]) -> dict[str, Any]:
    said = (model_tools.TOOLS[name].__doc__ or "").partition(":")[0]
    parameters = {"type": "object", "properties": taken, "required": list(taken)}
    return {"name": name, "description": said, "parameters": parameters}


def _called(call: dict[str, Any], position: Position) -> str:
    """Call a tool for a model: at its position, and with whatever else it says; what is wrong is its answer."""
    try:
        function = call["function"]
        if function["name"] not in ALLOWED:
            return f"there is no tool {function['name']!r}"
        given = dict(parse_json(function["arguments"] or "{}"))
        if function["name"] == "score":
            return model_tools.score(str(position.rules), str(given["guess"]), str(given["secret"]))
        turns = [format_turn(turn, position.rules) for turn in position.turns]
        return json.dumps(model_tools.candidates(str(position.rules), turns))
    except (InputError, LookupError, TypeError, ValueError) as error:
        return f"error: {error}"
