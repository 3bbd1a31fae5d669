"""The command `entropeg`: sub-commands imported when they are called, and errors told in one sentence.

Adding a sub-command is one line in `GROUPS`: the module it names defines a click command called `command`.
The help text stands in the table too, so that `entropeg --help` imports none of them.

Exit codes: 0 done; 2 something given was wrong, said in one sentence on standard error; 130, 143 and 129 interrupted
by Ctrl-C, SIGTERM and SIGHUP; 1 where the reader of the output went away. A signal is the usual end of a server:
`serve` ends with 0.
"""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from entropeg import signals
from entropeg.chosen_language import speaking, translated
from entropeg.cli.helping import NearestGroup, chosen, in_capitals, told_by_click, with_language
from entropeg.cli.terminal import OWN, folded, register_plain_letters, remark
from entropeg.compiling import told_of_compilation
from entropeg.errors import EntropegError, EntropegWarning, in_one_line
from entropeg.told import Spoken, Told
from entropeg.version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GROUPS = {
    "Play": {
        "play": ("entropeg.cli.commands.sessions:play", "Break a code that the machine hides."),
        "break": ("entropeg.cli.commands.sessions:break_", "Hide a code; the machine breaks it."),
        "assist": ("entropeg.cli.commands.sessions:assist", "Help with a game played elsewhere, turn by turn."),
        "advise": ("entropeg.cli.commands.advise:command", "Say what to play next."),
        "explore": ("entropeg.cli.commands.explore:command", "Look at every guess of a position, and go on from it."),
        "train": ("entropeg.cli.commands.train:command", "Find the best guess, or the wrong row, in puzzles."),
        "serve": ("entropeg.cli.commands.serve:command", "Open the laboratory as a page in the browser."),
        "site": ("entropeg.cli.commands.site:command", "Write the page as files that need no server of ours."),
        "engine": ("entropeg.cli.commands.engine:command", "Speak the text protocol, so that other programs can play."),
        "mcp": ("entropeg.cli.commands.mcp:command", "Offer tools to language models, by their own protocol."),
    },
    "Look back": {
        "review": ("entropeg.cli.commands.review:command", "Review games: what each guess lost, and what luck gave."),
        "decode": ("entropeg.cli.commands.decode:command", "Tell a game of the decoder, stage by stage."),
        "candidates": ("entropeg.cli.commands.candidates:command", "Find the codes that fit some turns."),
        "score": ("entropeg.cli.commands.score:command", "Answer GUESS for a given SECRET."),
    },
    "Teach": {
        "classroom": ("entropeg.cli.commands.classroom:command", "Run, check and compare modules of a course."),
        "check-log": ("entropeg.cli.commands.check_log:command", "Say whether the log of a game is consistent."),
    },
    "Compare": {
        "list": ("entropeg.cli.commands.listing:command", "Name the codebreakers, codemakers and rules there are."),
        "arena": ("entropeg.cli.commands.arena:command", "Let codebreakers play codemakers many times, and compare."),
        "report": (
            "entropeg.cli.commands.report:command",
            "Write a page of figures: every codebreaker against every codemaker.",
        ),
        "compare": ("entropeg.cli.commands.compare:command", "Compare the one-step rules, every code once."),
        "tree": ("entropeg.cli.commands.tree:command", "Make, show, check and draw complete strategies."),
        "bench": ("entropeg.cli.commands.bench:command", "Measure agents and language models on a suite of boards."),
    },
    "Prove": {
        "optimal": (
            "entropeg.cli.commands.optimal:command",
            "Find the shortest possible play of a board, and prove it.",
        ),
        "value": ("entropeg.cli.commands.value:command", "Find the value of the game, where both sides mix."),
        "static": ("entropeg.cli.commands.static:command", "Find the fewest questions that are asked all at once."),
        "table": ("entropeg.cli.commands.table:command", "Make, check and probe tables of exact values of positions."),
        "verify": ("entropeg.cli.commands.verify:command", "Check the proof of a lower bound, by code of its own."),
        "force": ("entropeg.cli.commands.force:command", "Say how many guesses a codebreaker can be forced to take."),
        "bounds": (
            "entropeg.cli.commands.bounds:command",
            "Say what is known about a board: sizes, bounds, best values.",
        ),
    },
    "Maintain": {
        "doctor": ("entropeg.cli.commands.upkeep:doctor", "Look at the installation, and say what is missing."),
        "warm": ("entropeg.cli.commands.upkeep:warm", "Compile now what would be compiled when it is first used."),
        "completion": ("entropeg.cli.completion:command", "Print the script that completes what is typed in a shell."),
    },
}
"""Sub-commands by their purpose, in the order of the help page: name, place of its click command, sentence."""

COMMANDS = {name: row for rows in GROUPS.values() for name, row in rows.items()}


class LazyGroup(NearestGroup):
    """A click group whose commands are named in a table and imported when they are called.

    >>> table = {"Look back": {"score": ("entropeg.cli.commands.score:command", "Answer a guess.")}}
    >>> LazyGroup(table=table).list_commands(None)
    ['score']
    """

    def __init__(self, *args: Any, table: dict[str, dict[str, tuple[str, str]]] = GROUPS, **options: Any) -> None:
        """Keep the table of commands under headings; everything else is click's."""
        super().__init__(*args, **options)
        self.headings = table
        self.table = {name: row for rows in table.values() for name, row in rows.items()}

    def list_commands(self, ctx: click.Context | None) -> list[str]:
        """Name the commands in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is none of that name."""
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name][0].partition(":")
        return with_language(getattr(import_module(module), attribute))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete names of commands from the table, without importing any."""
        from click.shell_completion import CompletionItem

        found = [
            CompletionItem(name, help=translated(Told(said)))
            for name, (_, said) in self.table.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, under its headings, without importing any."""
        width = max(map(len, self.table))
        for heading, rows in self.headings.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", text) for name, (_, text) in rows.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; where a signal ends one that has nothing to keep, that is said as everywhere."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            return _interrupted()

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as a program: whatever goes wrong on purpose ends in one sentence and an exit code.

        Everything is said in the language that is chosen by the arguments, or by the variables of the environment.
        """
        arguments = sys.argv[1:] if args is None else args
        if not standalone_mode:
            with speaking(chosen(arguments)):
                return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        _open_streams()
        try:
            choice = chosen(arguments)
        except EntropegError as error:
            return sys.exit(_refuse(str(error)))
        with speaking(choice):
            return sys.exit(self._exit_code(args, prog_name, complete_var, extra))

    def _exit_code(
        self, args: Sequence[str] | None, prog_name: str | None, complete_var: str | None, extra: dict[str, Any]
    ) -> int:
        try:
            with told_of_compilation(_tell_of_compilation), _warnings_told():
                code = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
        except EntropegError as error:
            return _refuse(str(error))
        except click.ClickException as error:
            return _refuse(_sentence(error))
        except click.Abort:
            return _interrupted()
        except OSError as error:
            return _output_failed(error)
        except Exception:
            if signals.is_heard():  # compiled code may tell of an interrupt in its own way
                return _interrupted()
            raise
        return code if isinstance(code, int) else 0


def _open_streams() -> None:
    # A program may be started with its streams closed (`<&-`): then nothing can be read, and output is lost.
    if sys.stdin is None:
        sys.stdin = io.StringIO()
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are no code either, and told as such
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=register_plain_letters())


def _sentence(error: click.ClickException) -> str:
    told = error.message if isinstance(error.message, Spoken) else told_by_click(_plain_words(error))
    context = getattr(error, "ctx", None)
    return Told("{error} ({command} --help tells more)", told, context.command_path) if context else told


def _plain_words(error: click.ClickException) -> str:
    message = " ".join(error.format_message().rstrip(".").split())  # it lists choices a line each
    if isinstance(error, click.BadParameter) and isinstance(error.param, click.Argument):
        name = error.param.human_readable_name
        message = message.replace(f"'{name}'", f"'{in_capitals(name)}'", 1)
    if len(message) > 240:  # click repeats whatever was typed: any number of arguments too many
        message = f"{message[:120]} ... {message[-60:]}"
    plainly = {
        "is not a valid integer range": "is not a whole number",
        "is not a valid integer": "is not a whole number",
        "is not a valid float range": "is not a number",
        "is not a valid float": "is not a number",
        "is not in the range x>=": "is too small: it is at least ",
    }
    for said, words in plainly.items():
        message = message.replace(said, words)
    return message


def _tell_of_compilation() -> None:
    remark(OWN + Told("compiling for this machine, once; it takes some seconds"))


@contextmanager
def _warnings_told() -> Iterator[None]:
    # A warning is a sentence like any other, without the line of the program that found it.
    usual = warnings.showwarning

    def tell(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        if issubclass(category, EntropegWarning):
            _tell(str(message))
        else:
            usual(message, category, *where, **more)

    with warnings.catch_warnings():
        warnings.showwarning = tell
        yield


def _interrupted() -> int:
    remark(OWN + Told("interrupted"))
    return signals.exit_code()


def _refuse(sentence: str) -> int:
    _tell(sentence)
    return 2


def _tell(sentence: str) -> None:
    # What was typed may hold anything of any length.
    click.echo(folded(f"{OWN}{in_one_line(translated(sentence))}", stream=sys.stderr), err=True)


def _output_failed(error: OSError) -> int:
    # Only what concerns standard output or a file is handled here; any other failure is unexpected and shows itself.
    if signals.is_heard() and error.errno == errno.EIO:
        return signals.exit_code()  # the terminal went away in the midst of a line
    if error.filename is not None and error.strerror:
        from entropeg.files import shown

        name = shown(os.fsdecode(error.filename))
        return _refuse(Told("{file} cannot be used: {reason}", name, Told(str(error.strerror))))
    is_broken = error.errno == errno.EPIPE or (sys.platform == "win32" and error.errno == errno.EINVAL)
    if not is_broken and error.errno != errno.ENOSPC:
        raise error
    # The interpreter flushes once more at exit: let it flush into nothing.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if is_broken:
        return 1
    return _refuse(Told("the output cannot be written: {reason}", Told(str(error.strerror))))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="entropeg")
@click.pass_context
def group(context: click.Context) -> None:
    """A Mastermind laboratory: play, be advised, break codes, compare strategies."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


with_language(group)
