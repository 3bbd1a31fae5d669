"""Answers guesses and ends games: in the server where that is quick, in a worker process where it is not."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from entropeg.advise.contradicted_rows import Clue, clues_against
from entropeg.amounts import plural
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import AnyFeedback, Code, format_feedback, score_trusted
from entropeg.loop import Answering
from entropeg.plain_values import Ordinal, PlainValue, plain
from entropeg.position import Position, State, Turn
from entropeg.rules import Rules
from entropeg.svg.pegs import counts_in_words
from entropeg.web import gate
from entropeg.web.errors import RefusedError, field
from entropeg.web.tasks.positions import CodesLeft
from entropeg.web.values import COUNTED


def is_quick(codemaker: str, rules: Rules, turns: int) -> bool:
    """Tell whether a codemaker answers within some milliseconds after a number of turns."""
    # Ten thousand pegs, of all rows together, are read within some 20 milliseconds.
    if (turns + 1) * rules.pegs > 10_000:
        return False
    player = gate.codemaker_of(codemaker)
    return isinstance(player, Honest) or (isinstance(player, Cheat) and rules.secret_count <= COUNTED)


@lru_cache(maxsize=512)
def _begun(rules: Rules, codemaker: str, seed: int) -> Answering:
    return Answering.begin(gate.codemaker_of(codemaker), rules, seed)


class _LastGames:
    """The last positions of games under way, the latest used last."""

    def __init__(self) -> None:
        self._games: OrderedDict[tuple[Any, ...], Answering] = OrderedDict()

    def get(self, key: tuple[Any, ...]) -> Answering | None:
        found = self._games.get(key)
        if found is not None:
            self._games.move_to_end(key)
        return found

    def put(self, key: tuple[Any, ...], game: Answering) -> None:
        self._games[key] = game
        # The last position of a game under way is kept, so that a guess costs one answer.
        while len(self._games) > 512:
            self._games.popitem(last=False)


_kept = _LastGames()


def begin(data: dict[str, Any]) -> None:
    """Have a codemaker begin; raises InputError where it cannot play by these rules.

    `data` is `rules`, `codemaker`, `seed`, as in the other functions.
    """
    rules = gate.parsed(data["rules"])
    with field("codemaker", "honest"):
        game = _begun(rules, data["codemaker"], data["seed"])
        if not isinstance(game.codemaker, Honest):  # whether it can answer on this board is seen at its first answer
            code = game.secret or gate.some_guess(rules)
            game.after(code)


def _played(data: dict[str, Any]) -> Answering:
    # The game of the token after the turns that the page sent, which have to be those that it was told.
    rules = gate.parsed(data["rules"])
    codemaker, seed = data["codemaker"], data["seed"]
    turns = gate.read_turns(data["turns"], rules)
    key = (rules, codemaker, seed, turns)
    found = _kept.get(key)
    if found is not None:
        return found
    game = _begun(rules, codemaker, seed)
    earlier = _kept.get((rules, codemaker, seed, turns[:-1])) if len(turns) > 1 else None
    start = 0 if earlier is None else len(turns) - 1
    for row, turn in enumerate(turns[start:], start=start):
        game = (earlier or game).after(turn.guess)
        earlier = None
        _check_told(game.position.turns[-1], turn, row)
    _keep(key, game)
    return game


def _check_told(answer: Turn, told: Turn, row: int) -> None:
    if answer.feedback != told.feedback:
        right = format_feedback(answer.feedback)
        sentence = f"row {row + 1} is not what this codemaker answers to this guess: that is {right}"
        raise RefusedError(sentence, f"turns.{row}.1", right, more={"row": row + 1})


def _keep(key: tuple[Any, ...], game: Answering) -> None:
    # Longer games would hold more memory than they save time.
    if len(game.position.turns) <= 64 and game.position.rules.secret_count <= COUNTED:
        _kept.put(key, game)


@dataclass(frozen=True)
class Answered(PlainValue):
    """The answer to a guess."""

    PLAIN = ("turn", "left", "before", "clues", "state", "secret", "says", "next")

    rules: Rules
    turn: Turn
    """The turn to add to those of the next request."""
    left: CodesLeft | None
    """Null where the board is too large to count at once: ask `/api/positions` then."""
    before: int | None
    """Codes left before the guess."""
    clues: tuple[Clue, ...]
    """Rows that the guess contradicts."""
    state: State
    secret: Code | None
    says: str
    next: str = ""
    """The token of the next request."""


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """Tell what a `guess` after `turns` is `Answered`; the API adds the token.

    With `strict` a guess that contradicts a row is refused. With `count` the codes left are counted, where the board
    is small enough; they are null elsewhere.
    """
    game = _played(data)
    rules = game.position.rules
    if game.position.is_over:
        raise RefusedError(_over(game.position), "turns")
    guess = gate.code_of(data["guess"], rules)
    with field("guess"):
        game.position.check_guess(guess)
    clues = clues_against(guess, game.position.turns, rules)
    if data["strict"] and clues:
        row = clues[0].row + 1
        more = {"row": row, "clues": plain(clues)}
        raise RefusedError(f"this contradicts row {row}: {clues[0].says}", "guess", more=more)
    following = game.after(guess)
    turns = following.position.turns
    _keep((rules, data["codemaker"], data["seed"], turns), following)
    counts = data["count"] and rules.secret_count <= COUNTED
    before = len(game.position.candidates) if counts else None
    left = len(following.position.candidates) if counts else None
    return Answered(
        rules,
        turns[-1],
        None if left is None else CodesLeft.of(left),
        before,
        clues,
        following.position.state,
        _secret(following),
        _said(following, left),
    ).to_json()


def _secret(game: Answering) -> Code | None:
    if not game.position.is_over:
        return None
    return game.position.turns[-1].guess if game.position.is_won else game.secret


def _over(position: Position) -> str:
    return "this game is won" if position.is_won else f"this game is over after {_guesses(position)}"


def _guesses(position: Position) -> str:
    return plural(len(position.turns), "guess", "guesses")


def _said(game: Answering, left: int | None) -> str:
    # What a person who listens is told of an answer, once.
    position = game.position
    marks = counts_in_words(position.turns[-1].feedback)
    if position.is_won:
        return f"found in {_guesses(position)}"
    if position.is_lost:
        return f"{marks}, lost after {_guesses(position)}"
    return marks if left is None else f"{marks}, {plural(left, 'code')} left"


@dataclass(frozen=True)
class RowProof(PlainValue):
    """A row held against the code: whether the answer is the one that this code gets."""

    row: Ordinal
    guess: Code
    feedback: AnyFeedback
    says: str
    holds: bool


@dataclass(frozen=True)
class GameEnded(PlainValue):
    """The end of a game: the secret, or, of a codemaker without one, a code that fits all its answers."""

    PLAIN = ("secret", "revealed", "proof", "state", "says")

    rules: Rules
    secret: Code | None
    """Null where the codemaker had settled on none."""
    revealed: Code
    proof: tuple[RowProof, ...]
    state: Literal["open", "won", "lost", "given up"]
    says: str


def end(data: dict[str, Any]) -> dict[str, Any]:
    """Tell how a game is `GameEnded`: the secret, or a code that fits all answers, and the proof row by row."""
    game = _played(data)
    rules, position, secret = game.position.rules, game.position, game.secret
    if secret is not None:
        code, says = secret, f"the secret was {format_code(secret, rules)}"
    elif not len(position.candidates):
        raise InputError("no code fits all rows")
    else:
        code = position.turns[-1].guess if position.is_won else position.candidates[0]
        says = f"the codemaker had settled on nothing: {format_code(code, rules)} fits every answer"
    proof = tuple(_row_proof(row, turn, code, rules) for row, turn in enumerate(position.turns))
    return GameEnded(rules, secret, code, proof, position.state, says).to_json()


def _row_proof(row: int, turn: Turn, code: Code, rules: Rules) -> RowProof:
    gets = score_trusted(turn.guess, code, rules)
    says = f"{format_code(turn.guess, rules)} against {format_code(code, rules)}: {counts_in_words(gets)}"
    return RowProof(row, turn.guess, turn.feedback, says, gets == turn.feedback)
