"""Counts codes left, answers guesses and ends games: in the server where that is quick, else in a worker process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf, isfinite
from typing import Any, ClassVar, Literal

from entropeg.advise.contradicted_rows import Clue, clues_against
from entropeg.advise.notes import Notes
from entropeg.advise.question import SAMPLE, Marginals, Remaining, ToldChances
from entropeg.candidates import SCANNED, find_candidates
from entropeg.codemakers.cheat import Cheat, held_code
from entropeg.codemakers.honest import Honest
from entropeg.codes import CodeSet, format_code
from entropeg.errors import ContradictionError, InputError, TooLargeError
from entropeg.feedback import AnyFeedback, Code, format_feedback, score_trusted
from entropeg.loop import Answering
from entropeg.plain_values import Finite, Ordinal, PlainValue, plain
from entropeg.position import Position, State, Turn, describe_conflict
from entropeg.rules import Rules
from entropeg.svg.pegs import counts_in_words
from entropeg.told import Joined, Told, plural
from entropeg.web import inputs
from entropeg.web.refusals import RefusedError, field
from entropeg.web.shown_rules import COUNTED, count_data


def is_counted_quickly(rules: Rules, turns: int) -> bool:
    """Tell whether the codes left are counted within some milliseconds."""
    return rules.secret_count <= COUNTED and turns <= inputs.SHORT


@dataclass(frozen=True)
class CodesLeft(PlainValue):
    """How many codes are left."""

    count: int | None
    """Exactly; null where nobody can count them, or readers of JSON would round it."""
    about: Finite
    """An estimate, or null."""
    method: str
    is_exact: bool
    says: str
    codes: tuple[Code, ...] = ()
    """The first, or some."""

    @classmethod
    def of(cls, count: int, rules: Rules, method: str = "list", codes: Sequence[Code] = ()) -> CodesLeft:
        """An exact number of codes."""
        about = float(count) if count < 10**300 else inf
        says = (
            plural(count, "{n} code left", "{n} codes left")
            if rules.has_pegs
            else plural(count, "{n} secret left", "{n} secrets left")
        )
        return cls(count_data(count), about, method, is_exact=True, says=says, codes=tuple(codes))


@dataclass(frozen=True)
class PositionTold(ToldChances):
    """A position. Chances are by peg and symbol: null where nobody can tell, or the board is too large to list them."""

    PLAIN: ClassVar[tuple[str, ...]] = ("rules", "left", "marginals", "presence", "copies", "state", "conflict")

    rules: Rules
    left: CodesLeft
    state: Literal["open", "won", "lost"]
    chances: Marginals | None = None
    conflict: str | None = None
    """Why no code fits."""


def position(data: dict[str, Any]) -> dict[str, Any] | None:
    """Tell the `PositionTold` of `rules`, and `turns` or `rows` of notes.

    With `quick` a position that contradicts itself is None: to say why may take long.
    """
    rules = inputs.parsed(data["rules"])
    if data.get("rows") is not None:
        notes = inputs.notes_of(data["rows"], rules)
        return (_of_position(notes.position) if notes.is_complete else _of_notes(notes)).to_json()
    at = inputs.position_of(rules, inputs.read_turns(data["turns"], rules))
    if data.get("quick") and not len(at.candidates):
        return None
    return _of_position(at).to_json()


def _of_position(at: Position) -> PositionTold:
    if at.rules.secret_count > COUNTED:
        return _of_large(at)
    if not len(at.candidates):
        return unknown(at.rules, at.state, conflict=describe_conflict(at))
    return _position_told(at.rules, at.state, at.candidates)


def _of_large(at: Position) -> PositionTold:
    rules, state = at.rules, at.state
    try:
        if not at.turns:
            found = find_candidates(rules, (), limit=SAMPLE, seed=0)
            return _position_told(rules, state, found.codes, CodesLeft.of(rules.secret_count, rules, "count"))
        if rules.secret_count <= SCANNED and len(at.candidates):
            return _position_told(rules, state, at.candidates)
        found = find_candidates(rules, at.turns, limit=SAMPLE, seed=0)
    except ContradictionError:
        return unknown(rules, state, conflict=_conflict(at))
    except TooLargeError as error:
        return unknown(rules, state, says=str(error))
    if found.complete:
        return _position_told(rules, state, found.codes, CodesLeft.of(len(found.codes), rules, found.method))
    about = found.about
    says = Told("about {count:count} codes left", max(1, round(about))) if isfinite(about) else found.says
    return _position_told(rules, state, found.codes, CodesLeft(None, about, found.method, is_exact=False, says=says))


def _conflict(at: Position) -> str:
    try:
        return describe_conflict(at)
    except TooLargeError:
        return Told("no code of {rules} fits all {turns} turns: at least one of them is wrong", at.rules, len(at.turns))


def _of_notes(notes: Notes) -> PositionTold:
    try:
        codes = notes.candidates
    except TooLargeError as error:
        return unknown(notes.rules, notes.state, says=str(error))
    if not len(codes):
        return unknown(
            notes.rules, notes.state, conflict=Told("no code fits all the rows: at least one of them is wrong")
        )
    return _position_told(notes.rules, notes.state, codes)


def _position_told(rules: Rules, state: State, codes: CodeSet, left: CodesLeft | None = None) -> PositionTold:
    # Without a word on how many codes are left, the set has all of them.
    left = replace(left or CodesLeft.of(len(codes), rules), codes=tuple(codes[:10]))
    if rules.pegs * rules.symbols_in_secrets > 20_000 or not len(codes) or not rules.has_pegs:
        return PositionTold(rules, left, state)
    chances = Remaining(codes, left.is_exact, left.count, left.about, left.method).marginals()
    return PositionTold(rules, left, state, chances)


def unknown(rules: Rules, state: State, *, says: str = "", conflict: str | None = None) -> PositionTold:
    """Describe a position of which no codes are known: because none fits, or because nobody can tell."""
    left = CodesLeft.of(0, rules) if conflict else CodesLeft(None, inf, "none", is_exact=False, says=says)
    return PositionTold(rules, left, state, conflict=conflict)


def is_quick(codemaker: str, rules: Rules, turns: int) -> bool:
    """Tell whether a codemaker answers within some milliseconds after a number of turns."""
    # Ten thousand pegs, of all rows together, are read within some 20 milliseconds.
    if (turns + 1) * rules.pegs > 10_000:
        return False
    player = inputs.codemaker_of(codemaker)
    return isinstance(player, Honest) or (isinstance(player, Cheat) and rules.secret_count <= COUNTED)


@lru_cache(maxsize=512)
def _begun(rules: Rules, codemaker: str, seed: int) -> Answering:
    return Answering.begin(inputs.codemaker_of(codemaker), rules, seed)


_kept: OrderedDict[tuple[Any, ...], Answering] = OrderedDict()
"""The last positions of games under way, the latest used last, so that a guess costs one answer."""


def begin(data: dict[str, Any]) -> None:
    """Have a codemaker begin; raises InputError where it cannot play by these rules.

    `data` is `rules`, `codemaker`, `seed`, as in the other functions.
    """
    rules = inputs.parsed(data["rules"])
    with field("codemaker", "honest"):
        game = _begun(rules, data["codemaker"], data["seed"])
        if not isinstance(game.codemaker, Honest):  # whether it can answer on this board is seen at its first answer
            code = game.secret or inputs.some_guess(rules)
            game.after(code)


def _played(data: dict[str, Any]) -> Answering:
    # The game of the token after the turns that the page sent, which have to be those that it was told.
    rules = inputs.parsed(data["rules"])
    codemaker, seed = data["codemaker"], data["seed"]
    turns = inputs.read_turns(data["turns"], rules)
    key = (rules, codemaker, seed, turns)
    if (found := _kept.get(key)) is not None:
        return _keep(key, found)
    game = _begun(rules, codemaker, seed)
    earlier = _kept.get((rules, codemaker, seed, turns[:-1])) if len(turns) > 1 else None
    start = 0 if earlier is None else len(turns) - 1
    for row, turn in enumerate(turns[start:], start=start):
        game = (earlier or game).after(turn.guess)
        earlier = None
        _check_told(game.position.turns[-1], turn, row)
    return _keep(key, game)


def _check_told(answer: Turn, told: Turn, row: int) -> None:
    if answer.feedback != told.feedback:
        right = format_feedback(answer.feedback)
        sentence = Told("row {row} is not what this codemaker answers to this guess: that is {right}", row + 1, right)
        raise RefusedError(sentence, f"turns.{row}.1", right, more={"row": row + 1})


def _keep(key: tuple[Any, ...], game: Answering) -> Answering:
    # Longer games would hold more memory than they save time.
    if len(game.position.turns) <= 64 and game.position.rules.secret_count <= COUNTED:
        _kept[key] = game
        _kept.move_to_end(key)
        while len(_kept) > 512:
            _kept.popitem(last=False)
    return game


@dataclass(frozen=True)
class Answered(PlainValue):
    """The answer to a guess."""

    PLAIN: ClassVar[tuple[str, ...]] = ("turn", "left", "before", "clues", "state", "secret", "says", "next")

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
    guess = inputs.code_of(data["guess"], rules)
    with field("guess"):
        game.position.check_guess(guess)
    clues = clues_against(guess, game.position.turns, rules)
    if data["strict"] and clues:
        row = clues[0].row + 1
        more = {"row": row, "clues": plain(clues)}
        raise RefusedError(Told("this contradicts row {row}: {why}", row, clues[0].says), "guess", more=more)
    following = game.after(guess)
    turns = following.position.turns
    _keep((rules, data["codemaker"], data["seed"], turns), following)
    counts = data["count"] and rules.secret_count <= COUNTED
    before = len(game.position.candidates) if counts else None
    left = len(following.position.candidates) if counts else None
    return Answered(
        rules,
        turns[-1],
        None if left is None else CodesLeft.of(left, rules),
        before,
        clues,
        following.position.state,
        _secret(following),
        _said(following, left),
    ).to_json()


def _secret(game: Answering) -> Code | None:
    if not game.position.is_over:
        return None
    return game.position.secret_found if game.position.is_won else game.secret


def _over(position: Position) -> str:
    if position.is_won:
        return Told("this game is won")
    return plural(len(position.turns), "this game is over after {n} guess", "this game is over after {n} guesses")


def _said(game: Answering, left: int | None) -> str:
    # What a person who listens is told of an answer, once.
    position = game.position
    marks, guesses = counts_in_words(position.turns[-1].feedback), len(position.turns)
    if position.is_won:
        return plural(guesses, "found in {n} guess", "found in {n} guesses")
    if position.is_lost:
        return plural(guesses, "{marks}, lost after {n} guess", "{marks}, lost after {n} guesses", marks)
    return marks if left is None else Joined((marks, CodesLeft.of(left, position.rules).says), ", ")


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

    PLAIN: ClassVar[tuple[str, ...]] = ("secret", "revealed", "proof", "state", "says")

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
        code, says = secret, Told("the secret was {secret}", format_code(secret, rules))
    else:
        code = position.secret_found if position.is_won else held_code(position)
        says = Told("the codemaker had settled on nothing: {code} fits every answer", format_code(code, rules))
    proof = tuple(_row_proof(row, turn, code, rules) for row, turn in enumerate(position.turns))
    if secret is None and not all(row.holds for row in proof):
        raise InputError("no code fits all rows")
    return GameEnded(rules, secret, code, proof, position.state, says).to_json()


def _row_proof(row: int, turn: Turn, code: Code, rules: Rules) -> RowProof:
    gets = score_trusted(turn.guess, code, rules)
    says = Told(
        "{guess} against {code}: {marks}",
        *(format_code(turn.guess, rules), format_code(code, rules), counts_in_words(gets)),
    )
    return RowProof(row, turn.guess, turn.feedback, says, gets == turn.feedback)
