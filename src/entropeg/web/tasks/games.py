"""Answers guesses and ends games: in the server where that is quick, in a worker process where it is not."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import Any

from entropeg.advise.clues import Clue, clues_against
from entropeg.amounts import plural
from entropeg.codemakers.cheat import Cheat
from entropeg.codemakers.honest import Honest
from entropeg.codes import format_code
from entropeg.errors import InputError
from entropeg.feedback import Marks, format_feedback, score_trusted
from entropeg.loop import Answering
from entropeg.position import Position, Turn
from entropeg.rules import Rules
from entropeg.svg.pegs import counts_in_words
from entropeg.web import gate
from entropeg.web.errors import RefusedError, field
from entropeg.web.values import COUNTED, feedback_data

KEPT = 512
"""Games under way whose last position is kept, so that a guess costs one answer."""

LONGEST_KEPT = 64
"""Turns of a game that is kept so: longer ones would hold more than they save."""


QUICK = 10_000
"""Pegs of a game, of all its rows together, that are read within some 20 milliseconds."""


def is_quick(codemaker: str, rules: Rules, turns: int) -> bool:
    """Tell whether a codemaker answers within some milliseconds after so many turns."""
    if (turns + 1) * rules.pegs > QUICK:
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
        while len(self._games) > KEPT:
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
    if len(game.position.turns) <= LONGEST_KEPT and game.position.rules.secret_count <= COUNTED:
        _kept.put(key, game)


def answer(data: dict[str, Any]) -> dict[str, Any]:
    """Answer a `guess` after `turns`: what `POST /api/answers` returns, but the token.

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
        raise RefusedError(
            f"this contradicts row {row}: {_clue_said(clues[0])}",
            "guess",
            more={"row": row, "clues": [clue_data(clue) for clue in clues]},
        )
    following = game.after(guess)
    turn = following.position.turns[-1]
    turns = following.position.turns
    _keep((rules, data["codemaker"], data["seed"], turns), following)
    counts = data["count"] and rules.secret_count <= COUNTED
    before = _count(game.position) if counts else None
    left = _count(following.position) if counts else None
    return {
        "turn": [format_code(guess, rules), format_feedback(turn.feedback)],
        "guess": {"text": format_code(guess, rules), "pegs": list(guess)},
        "feedback": feedback_data(turn.feedback, rules, guess),
        "left": None if left is None else left_data(left),
        "before": before,
        "clues": [clue_data(clue) for clue in clues],
        "state": following.position.state,
        "secret": _secret(following),
        "says": _said(following, left),
    }


def _count(position: Position) -> int:
    return len(position.candidates)


def left_data(count: int) -> dict[str, Any]:
    """Return an exact number of codes left."""
    return {"count": count, "exact": True, "says": f"{plural(count, 'code')} left"}


def _secret(game: Answering) -> str | None:
    if not game.position.is_over:
        return None
    if game.position.is_won:
        return format_code(game.position.turns[-1].guess, game.position.rules)
    return None if game.secret is None else format_code(game.secret, game.position.rules)


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


def clue_data(clue: Clue) -> dict[str, Any]:
    """Return a row that a guess contradicts; rows count from 1, as people count them, pegs from 0."""
    return {
        "row": clue.row + 1,
        "says": _clue_said(clue),
        "told": format_feedback(clue.told),
        "would_be": format_feedback(clue.would_be),
        "pegs": list(clue.pegs),
    }


def _clue_said(clue: Clue) -> str:
    in_words = format_feedback if isinstance(clue.told, Marks) else counts_in_words
    would_be, told = in_words(clue.would_be), in_words(clue.told)
    return f"were it the secret, row {clue.row + 1} would have got {would_be}, not {told}"


def end(data: dict[str, Any]) -> dict[str, Any]:
    """End a game: the secret, or a code that fits all answers, and the proof row by row."""
    game = _played(data)
    rules, position = game.position.rules, game.position
    if game.secret is None:
        if not len(position.candidates):
            raise InputError("no code fits all rows")
        code = position.turns[-1].guess if position.is_won else position.candidates[0]
        says = f"the codemaker had settled on nothing: {format_code(code, rules)} fits every answer"
    else:
        code = game.secret
        says = f"the secret was {format_code(code, rules)}"
    text = format_code(code, rules)
    return {
        "secret": None if game.secret is None else text,
        "candidates": [] if game.secret is not None else [text],
        "revealed": {"text": text, "pegs": list(code)},
        "proof": [_row_proof(row, turn, code, rules) for row, turn in enumerate(position.turns, start=1)],
        "state": position.state,
        "says": says,
    }


def _row_proof(row: int, turn: Turn, code: Any, rules: Rules) -> dict[str, Any]:
    gets = score_trusted(turn.guess, code, rules)
    return {
        "row": row,
        "guess": format_code(turn.guess, rules),
        "feedback": feedback_data(turn.feedback, rules, turn.guess),
        "says": f"{format_code(turn.guess, rules)} against {format_code(code, rules)}: {counts_in_words(gets)}",
        "holds": gets == turn.feedback,
    }
