"""Serves our codebreakers and codemakers to other programs over the text protocol: the side of the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import Any

import numpy as np

from entropeg import codebreakers, codemakers
from entropeg.advise import Advice, advise
from entropeg.engine.wire import (
    GREETING,
    VERSION,
    read_answer,
    read_code,
    read_rules,
    write_answer,
    write_bounds,
    write_code,
)
from entropeg.errors import EntropegError, InputError, in_one_line
from entropeg.feedback import Code
from entropeg.loop import draw_seed, generators
from entropeg.position import Position
from entropeg.registry import Registry
from entropeg.told import Template
from entropeg.version import __version__


class Server:
    """An engine: lines in, lines out; nothing that it is sent ends it but `quit`."""

    def __init__(self, codebreaker: str, codemaker: str, send: Callable[[str], object]) -> None:
        """Take players by name, and a function that sends a line; raises InputError for unknown players."""
        self._names = {"codebreaker": codebreaker, "codemaker": codemaker}
        self._breaker: Any = codebreakers.get(codebreaker)
        self._maker: Any = codemakers.get(codemaker)
        self._send = send
        self._role = ""
        self._position: Position | None = None
        self._secret: Code | None = None
        self._rng: np.random.Generator = np.random.default_rng(0)

    def take(self, line: str) -> bool:
        """Do what a line says; False at `quit`."""
        words = line.split()
        if not words:
            return True
        if words[0] == "quit":
            return False
        action = getattr(self, f"_{words[0]}", None) if words[0] in COMMANDS else None
        try:
            if action is None:
                raise InputError("unknown command {command!r}: there are {commands:list}, quit", words[0], COMMANDS)
            action(words[1:])
        except EntropegError as error:
            self._send(f"error {in_one_line(' '.join(str(error).split()))}")
        return True

    def _mastermind(self, words: list[str]) -> None:
        if words != [VERSION]:
            given = " ".join(["mastermind", *words])
            raise InputError("this engine speaks {greeting!r}, not {given!r}", GREETING, given)
        self._send(f"name entropeg {__version__}")
        self._send("role codebreaker")
        self._send("role codemaker")
        for role, name in self._names.items():
            self._send(f"option {role} text {name}")
        self._send("ready")

    def _set(self, words: list[str]) -> None:
        if len(words) < 2 or words[0] not in self._names:
            raise InputError("set takes {names:or} and a name, not {words!r}", self._names, " ".join(words))
        spec = " ".join(words[1:])
        registry: Registry[Any] = codebreakers.registry if words[0] == "codebreaker" else codemakers.registry
        # The host may be anybody, who must not start programs here, but for the one that the engine was started with.
        if spec != self._names[words[0]]:
            refusal = Template(
                "{player} would run code from outside entropeg: start the engine with it, as "
                "entropeg engine --{role} ..."
            )
            registry.refuse_foreign(spec, refusal)
        if words[0] == "codebreaker":
            self._breaker = codebreakers.get(spec)
        else:
            self._maker = codemakers.get(spec)

    def _new(self, words: list[str]) -> None:
        self._position = None
        if not words or words[0] not in self._names:
            raise InputError("new takes a role first, {names:or}", self._names)
        rules, numbers = read_rules(words[1:])
        breaker, maker = generators(numbers["seed"] if "seed" in numbers else draw_seed())
        self._role = words[0]
        self._rng = breaker if self._role == "codebreaker" else maker
        if self._role == "codemaker":
            self._secret = self._maker.choose(rules, maker)
        self._position = Position(rules)

    def _playing(self, role: str = "") -> Position:
        if self._position is None:
            raise InputError("there is no game: new begins one")
        if role and role != self._role:
            raise InputError("in this game the engine is the {role}", self._role)
        return self._position

    def _turn(self, words: list[str]) -> None:
        position = self._playing()
        at = words.index(":") if ":" in words else len(words)
        guess, answer = _guess(words[:at], position), read_answer(words[at + 1 :], position.rules)
        self._position = position.after_trusted(guess, answer)

    def _go(self, words: list[str]) -> None:
        position = self._playing("codebreaker")
        if position.is_over:
            raise InputError("the game is over")
        guess = self._breaker.guess(position, self._rng)
        self._send(f"guess {write_code(guess)}")

    def _ask(self, words: list[str]) -> None:
        position = self._playing("codemaker")
        if position.is_over:
            raise InputError("the game is over")
        guess = _guess(words, position)
        answer = self._maker.answer(position, guess, self._secret, self._rng)
        self._position = position.after_trusted(guess, answer)
        self._send(f"answer {write_answer(answer)}")

    def _analyze(self, words: list[str]) -> None:
        position = self._playing()
        if position.is_over:
            raise InputError("the game is over")
        number, seconds = _asked(words)
        end = monotonic() + seconds
        found = advise(position, limit=number, time=0.7 * seconds)  # the rest is for the line of play
        self._send(f"value {write_bounds(found.value)}")
        for place, guess in enumerate(found.guesses, start=1):
            self._send(f"move {place} {write_bounds(guess.expected)} parts {guess.parts} : {write_code(guess.guess)}")
        line = [" ".join(pair) for pair in _principal(position, found, end)]
        self._send(" ".join(["pv", *line]))
        self._send("analyzed")


def _asked(words: list[str]) -> tuple[int, float]:
    """Read how many guesses are to be told, 5 by default, and the seconds for them, 2 by default."""
    given = [*words, *("5", "2")[len(words) :]]
    if len(given) == 2 and re.fullmatch(r"[1-9]\d{0,2}", given[0]) and re.fullmatch(r"\d{1,6}(\.\d{1,6})?", given[1]):
        return int(given[0]), float(given[1])
    raise InputError("analyze takes a number of guesses and of seconds, as analyze 5 2, not {words!r}", " ".join(words))


def _principal(position: Position, found: Advice, end: float) -> Iterator[tuple[str, ...]]:
    """Give the best guess and the answer that leaves most codes, and so on; of estimates while the time lasts."""
    while True:
        best = found.best
        answer = best.answers[0].feedback
        yield write_code(best.guess), ":", write_answer(answer), ";"
        position = position.after_trusted(best.guess, answer)
        left = end - monotonic()
        if position.is_over or (left <= 0 and not found.value.is_exact):
            return
        found = advise(position, limit=1, time=max(left, 1.0))


def _guess(words: list[str], position: Position) -> Code:
    return position.check_guess(read_code(words, position.rules))


COMMANDS = ("mastermind", "set", "new", "turn", "go", "ask", "analyze")


def serve(lines: Iterable[str], send: Callable[[str], object], codebreaker: str, codemaker: str) -> None:
    """Speak the protocol until `quit` or the end of the lines.

    >>> said = []
    >>> serve(["new codebreaker pegs=3 colors=4", "go"], said.append, "first-consistent", "honest")
    >>> said
    ['guess 0 0 0']
    """
    server = Server(codebreaker, codemaker, send)
    for line in lines:
        if not server.take(line):
            return
