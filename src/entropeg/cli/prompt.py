"""Runs a conversation at a prompt, and saves or prints its record however it ends."""

from __future__ import annotations

import json
import sys

import click

from entropeg import signals
from entropeg.cli import saving
from entropeg.cli.dialog import Dialog
from entropeg.cli.language.choosing import translated
from entropeg.cli.lines import complain, say
from entropeg.cli.screen import Screen
from entropeg.errors import InputError
from entropeg.files import is_standard


def converse(session: Dialog, name: str, *, as_json: bool) -> None:
    """Play a session to its end and exit.

    With `as_json` the record goes to standard output, the talk to standard error; so does the text of the game with
    `--save -`, at the end. `name` is the sub-command that can load the game again. Exit codes: 0 played to the end,
    left by `quit` or at the end of the input; 130, 143 or 129 left by a signal; 2 where the file given for the game
    could not be written (then the game is printed).
    """
    err = saving.to_error(session.save_to, as_json=as_json) or as_json
    screen = Screen(sys.stderr if err else sys.stdout, session.rules)
    code = _talk(session, screen)
    with signals.held():  # the game is saved or shown whole
        if not session.over:
            screen.show(session.last_words())
        code = _keep(session, screen, name, printed=as_json) or code
        if as_json:
            click.echo(json.dumps(session.to_json(), indent=2))
    click.get_current_context().exit(code)


def _talk(session: Dialog, screen: Screen) -> int:
    try:
        screen.show(session.start())
        while not session.over:
            typed = screen.ask(translated(session.prompt), session.prefill)
            with screen.busy():
                answer = session.handle(typed)
            screen.show(answer)
    except EOFError:
        _end_prompt_line(screen)
    except InputError as error:  # the input is no text that somebody types: the game is kept as at its end
        screen.show([complain(str(error))])
        return 2
    except KeyboardInterrupt:
        _end_prompt_line(screen)
        return signals.exit_code()
    return 0


def _end_prompt_line(screen: Screen) -> None:
    if sys.stdin.isatty():
        screen.show([say("")])


def _keep(session: Dialog, screen: Screen, name: str, *, printed: bool) -> int:
    # A game that has ended and was not to be saved has been seen; an unfinished one is saved or printed.
    if session.save_to is not None:
        return _keep_in_file(session, screen, name, session.save_to)
    if not session.is_empty and session.dirty and not session.finished and not printed:
        _print(session, screen, name)
    return 0


def _keep_in_file(session: Dialog, screen: Screen, name: str, path: str) -> int:
    try:
        if session.dirty:
            session.save(path)
    except InputError as error:
        screen.show([complain(str(error))])
        _print(session, screen, name)
        return 2
    if not session.is_empty and not is_standard(path):
        said = session.thing.saved if session.finished else session.thing.unfinished
        screen.show([say(said.format(path=path, name=name), tone="quiet")])
    return 0


def _print(session: Dialog, screen: Screen, name: str) -> None:
    screen.show([say(session.thing.printed.format(name=name), tone="quiet"), say("")])
    screen.write(session.to_text())
