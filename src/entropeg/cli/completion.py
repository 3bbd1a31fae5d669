"""`entropeg completion bash|zsh|fish`: the script that completes commands, options, players, rules and files.

What a word can go on with is said here, too: names of players after commas, names and options of rules after slashes.
Nothing here loads numba or lists a board: a shell asks at every press of the tabulator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from entropeg.kinds import FeedbackKind
from entropeg.rules import PRESETS, WORDS
from entropeg.told import Told
from entropeg.words import SHIPPED

RULE_OPTIONS = {
    "no-repeats": Told("no color twice, in secrets and guesses"),
    "guess-repeats": Told("guesses may repeat colors though secrets do not"),
    "blanks": Told("holes (.) in guesses"),
    "blanks-in-secrets": Told("holes (.) in guesses and secrets"),
    **{kind.name: kind.about.summary for kind in FeedbackKind if kind.about.is_option},
    "hard": Told("each guess must use every clue, under positional feedback"),
    "limit=N": Told("number of guesses after which the game is lost"),
    "letters": Told("colors A B C ... (the default up to 26)"),
    "digits": Told("colors 1 2 3 ..., or 0 to 9 where there are ten"),
    "numbers": Told("colors 1-2-3-..."),
    "names": Told("colors red, green, blue, ..."),
    "course": Told("colors R V B J N M O G"),
    "alphabet=SYMBOLS": Told("colors of your own, one character each"),
    "shapes=N": Told("colors in N shapes: Grand Mastermind, as 4x25/shapes=5"),
    "prior=NAME": Told("how likely secrets are: distinct, uniform, or a file"),
}
"""Options that may follow the size, each after a slash."""

Complete = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that lets a shell complete what is typed.

    \b
        bash:  eval "$(entropeg completion bash)"     in ~/.bashrc
        zsh:   eval "$(entropeg completion zsh)"      in ~/.zshrc
        fish:  entropeg completion fish > ~/.config/fish/completions/entropeg.fish

    Then the tabulator completes commands, options, names of players and rules, and files.
    """  # noqa: D301 (click knows the character, not the letters)
    script = get_completion_class(shell)
    assert script is not None  # the choice names only shells that click knows
    # The script asks by a variable; click makes its name from the program's.
    click.echo(script(context.find_root().command, {}, "entropeg", "_ENTROPEG_COMPLETE").source())


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of files."""
    return [CompletionItem(incomplete, type="file")]


def folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of folders."""
    return [CompletionItem(incomplete, type="dir")]


def players(role: str) -> Complete:
    """Complete names of codebreakers or codemakers, the last of several after commas; else files."""

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from entropeg import codebreakers, codemakers

        before, comma, last = incomplete.rpartition(",")
        names = (codebreakers if role == "codebreaker" else codemakers).names()
        found = _beginning(names, last, before + comma)
        return found if found or comma else files(context, parameter, incomplete)

    return complete


def rules_items(incomplete: str) -> list[CompletionItem]:
    """Complete names of rules, and after a slash their options."""
    before, slash, last = incomplete.rpartition("/")
    if not slash:
        return _beginning([*PRESETS, *(WORDS + name for name in SHIPPED)], last)
    return _beginning((name.partition("=")[0] + "=" * ("=" in name) for name in RULE_OPTIONS), last, before + slash)


def _beginning(words: Iterable[str], start: str, before: str = "") -> list[CompletionItem]:
    return [CompletionItem(before + word) for word in words if word.startswith(start.casefold())]
