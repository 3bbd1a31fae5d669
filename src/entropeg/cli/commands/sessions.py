"""`entropeg play`, `break` and `assist`: a person breaks a code, hides one, or is helped with a game played elsewhere.

The first two take the same options but for the one that names the machine's player.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from entropeg import arguments, codemakers
from entropeg.advise import Notes
from entropeg.advise.saved_notes import load_notes
from entropeg.cli import saving
from entropeg.cli.completion import files
from entropeg.cli.options import (
    Function,
    RulesType,
    SeveralType,
    exact_time_option,
    json_option,
    limit_option,
    player_option,
    rules_option,
    sample_seed_option,
    seed_option,
    with_limit,
)
from entropeg.cli.screen import converse
from entropeg.errors import InputError
from entropeg.game import load_game
from entropeg.rules import Rules
from entropeg.sessions.assisting import AssistSession
from entropeg.sessions.breaking import BreakSession, find_codebreaker
from entropeg.sessions.dialog import check_free
from entropeg.sessions.lines import say
from entropeg.sessions.playing import PlaySession
from entropeg.sessions.several import SeveralSession, is_saved_several
from entropeg.several.boards import SeveralRules
from entropeg.told import Told

GUESSES = 12
"""The guess limit of a game at the prompt where the rules have none, as on the board in the box."""


save_option = click.option(
    "--save",
    "save_to",
    metavar="FILE",
    shell_complete=files,
    help="Save the game there after every turn (.json: as JSON).",
)
load_option = click.option("--load", metavar="FILE", shell_complete=files, help="Go on with a saved game.")


def session_options(
    board: str, role: str, usual: str, said: str, kind: RulesType | None = None
) -> Callable[[Function], Function]:
    """Add the options of a session, with the usual board, and the role of the machine with its usual player."""
    own = (rules_option(board, kind), player_option(role, usual, said), limit_option, seed_option)

    def add(function: Function) -> Function:
        for option in reversed((*own, save_option, load_option, saving.force_option, json_option)):
            function = option(function)
        return function

    return add


def _refuse_with_load() -> Callable[[str], Any]:
    """Raise InputError where an option is typed that a saved game brings; returns what tells how options were given."""
    typed = click.get_current_context().get_parameter_source
    for name in ("rules", "limit", "seed"):
        if typed(name) is click.core.ParameterSource.COMMANDLINE:
            raise InputError("--{option} and --load exclude each other: the saved game brings its own", name)
    return typed


def resumed(kind: Any, role: str, save_to: str | None, load: str | None) -> Any:
    """Go on with a saved game in a session of a kind; None where none is given. Raises InputError before any game."""
    if save_to is not None and save_to != load:
        check_free(save_to)
    if load is None:
        return None
    typed = _refuse_with_load()
    game = load_game(load)
    named = typed(role) is click.core.ParameterSource.COMMANDLINE
    if named and (player := click.get_current_context().params[role].strip()) != getattr(game, role):
        raise InputError(
            "the {role} of the saved game is {saved!r}, not {player!r}: it cannot be another",
            *(role, getattr(game, role), player),
        )
    return kind.resume(game, save_to, trusts=named)


@click.command("play")
@session_options("classic", "codemaker", "honest", "Who answers: honest, cheat, ...", SeveralType())
def play(
    rules: Rules | SeveralRules,
    codemaker: str,
    limit: int | str | None,
    seed: int | None,
    as_json: bool,
    **kept: str | None,
) -> None:
    """Break a code that the machine hides.

    Type a guess, as AABB, or a word: hint, hint 5, undo, left, board, save FILE, give up, help, quit. Twelve guesses,
    unless the rules or --limit say otherwise. With secrets=2 among the rules, as 4x4/secrets=2, two codes are hidden,
    and each answers every guess.
    """
    several = _several(rules, codemaker, limit, seed, **kept)
    if several is not None:
        converse(several, "play", as_json=as_json)
    assert isinstance(rules, Rules)
    session = resumed(PlaySession, "codemaker", **kept)
    if session is None:
        session = PlaySession(with_limit(rules, limit, GUESSES), codemakers.get(codemaker), seed, kept["save_to"])
        # On boards with more secrets than this the best strategies that we have miss the twelfth guess now and then.
        if limit is None and rules.guess_limit is None and rules.secret_count > 10**11:
            few = Told(
                "({guesses} guesses, as on every board, are few for this one: --limit N or --limit none changes it)",
                GUESSES,
            )
            session.note.append(say(few, tone="quiet"))
    converse(session, "play", as_json=as_json)


def _several(
    rules: Rules | SeveralRules, codemaker: str, limit: int | str | None, seed: int | None, **kept: str | None
) -> SeveralSession | None:
    """Begin, or go on with, a game of several secrets; None where it is one of one secret."""
    save_to, load = kept["save_to"], kept["load"]
    if load is not None and is_saved_several(load):
        if save_to is not None and save_to != load:
            check_free(save_to)
        _refuse_with_load()
        return SeveralSession.resume(load, save_to)
    if load is not None or not isinstance(rules, SeveralRules):
        return None
    if codemaker != "honest":
        raise InputError("{rules}: several secrets are hidden by honest alone, not by {player}", rules, codemaker)
    if save_to is not None:
        check_free(save_to)
    limited = with_limit(rules.rules, limit, GUESSES)
    return SeveralSession(SeveralRules(limited, rules.secrets), seed, save_to)


@click.command("break")
@session_options("4x6", "codebreaker", "adviser", "Who guesses: adviser, consistent, ...")
def break_(
    rules: Rules, codebreaker: str, limit: int | str | None, seed: int | None, as_json: bool, **kept: str | None
) -> None:
    """Hide a code; the machine breaks it.

    Answer each guess in any notation (XXO, 2 1, 2b1w, - for none) or type a word: mend N, correct TURN FEEDBACK, undo,
    left, board, save FILE, help, quit. A feedback that contradicts the earlier ones is told, with what may be wrong,
    and can be mended.
    """
    session = resumed(BreakSession, "codebreaker", **kept)
    if session is None:
        session = BreakSession(with_limit(rules, limit, None), find_codebreaker(codebreaker), seed, kept["save_to"])
    converse(session, "break", as_json=as_json)


@click.command("assist")
@click.argument("rules", type=RulesType(), required=False)
@click.option("--tell", is_flag=True, help="Say the best guess after every row, without being asked.")
@exact_time_option
@sample_seed_option
@click.option(
    "--save",
    "save_to",
    metavar="FILE",
    shell_complete=files,
    help="Save the notes there after every row (.json: as JSON).",
)
@click.option("--load", metavar="FILE", shell_complete=files, help="Go on with saved notes, or with a saved game.")
@saving.force_option
@json_option
def assist(
    rules: Rules | None, tell: bool, time: float, seed: int, save_to: str | None, load: str | None, as_json: bool
) -> None:
    """Help with a game that is played elsewhere, turn by turn.

    RULES is pegs x colors and options, as 4x6 (the default). Type each guess and what it got in one line, as you noted
    it down: AABB XO, 1. aabb 1b 1w, AA?B XO?. Or a word: hint (which gives away little by little), advice, why CODE,
    left, board, undo, edit ROW, delete ROW, save FILE, help, quit. Where no code fits any more, the rows to look at are
    told, with ways to mend them, of which mend N chooses one.
    """
    if save_to is not None and save_to != load:
        check_free(save_to)
    if load is not None and rules is not None:
        raise InputError("RULES and --load exclude each other: saved notes bring their own")
    notes = Notes.of(rules or "4x6") if load is None else load_notes(load)
    seconds = arguments.number(time, "the time")
    converse(AssistSession(notes, save_to, seconds=seconds, seed=seed, tells=tell), "assist", as_json=as_json)
