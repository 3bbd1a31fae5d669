"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click
from click.shell_completion import CompletionItem

from entropeg.cli.completion import players
from entropeg.cli.terminal import remark
from entropeg.errors import InputError
from entropeg.executors.executor import FORMS, Executor
from entropeg.rules import MOST_DIGITS, MOST_GUESSES, Rules
from entropeg.told import NAMES_SECRETS, Told, listed

if TYPE_CHECKING:
    from entropeg.position import Position

Function = TypeVar("Function", bound=Callable[..., Any])


class RulesType(click.ParamType[Rules]):
    """Rules from text, refused in the words of `Rules`."""

    name = "rules"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Rules:
        """Read the rules, and say on standard error which of their words are left out; raises InputError.

        The file of a prior is held against the secrets here, since some commands never list them.
        """
        if isinstance(value, Rules):
            return value
        rules = Rules.parse(value)
        NAMES_SECRETS.set(not rules.has_pegs)
        if rules.prior is not None:
            from entropeg.codes import check_prior

            check_prior(rules)
        # These commands describe their rules themselves.
        if rules.words is not None and (ctx is None or ctx.info_name not in ("play", "break", "assist")):
            others = rules.words.describe_others()
            if others:
                remark(Told("{words}: {others}", rules.words.name, others))
        return rules

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete names of rules and their options."""
        from entropeg.cli.completion import rules_items

        return rules_items(incomplete)


class SeveralType(RulesType):
    """Rules from text, of several secrets too, as 4x4/secrets=2."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the rules; raises InputError."""
        from entropeg.several.boards import SeveralRules, is_several

        if isinstance(value, str) and is_several(value):
            several = SeveralRules.parse(value)
            return several if several.secrets > 1 else several.rules
        return value if isinstance(value, SeveralRules) else super().convert(value, param, ctx)


class LimitType(click.ParamType["int | str"]):
    """A number of guesses from 1, or `none`."""

    name = "limit"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """Read the limit; raises InputError."""
        text = str(value).strip().casefold()
        if text == "none":
            return text
        if not text.isdecimal() or len(text) > MOST_DIGITS or not 1 <= int(text) <= MOST_GUESSES:
            raise InputError(
                "the limit is {typed!r}; it must be a whole number from 1 to {most}, or none", value, MOST_GUESSES
            )
        return int(text)


def rules_option(default: str | None, kind: RulesType | None = None) -> Callable[[Function], Function]:
    """Make the option `--rules`, with a default; ``kind`` reads them."""
    return click.option(
        "--rules",
        type=kind or RulesType(),
        default=default,
        show_default=True,
        metavar="RULES",
        help="Pegs x colors and options, as 4x6, 5x8/no-repeats, or a name (entropeg list rules).",
    )


def player_option(role: str, usual: str, said: str) -> Callable[[Function], Function]:
    """Make the option `--codebreaker` or `--codemaker`, with its usual player."""
    complete = players(role)
    return click.option(
        f"--{role}", default=usual, show_default=True, shell_complete=complete, metavar="NAME", help=said
    )


def further_option(name: str, role: str, said: str) -> Callable[[Function], Function]:
    """Make an option that names one more player each time."""
    return click.option(name, multiple=True, shell_complete=players(role), metavar=role.upper(), help=said)


seed_option = click.option(
    "--seed", type=click.IntRange(min=0), metavar="S", help="Repeat what chance did under this number."
)
sample_seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, metavar="S", help="Draw samples by this seed. [default: 0]"
)
limit_option = click.option(
    "--limit", type=LimitType(), metavar="N|none", help="Number of guesses after which the game is lost."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON on standard output, and nothing else there."
)


def exact_time_option(function: Function) -> Function:
    """Add the option `--time` of advice."""
    from entropeg.advise.question import SECONDS

    said = f"Time for exact numbers. [default: {SECONDS:g}]"
    return click.option("--time", type=float, default=SECONDS, metavar="SECONDS", help=said)(function)


class ExecutorType(click.ParamType[Executor]):
    """Where work is to run, from text."""

    name = "executor"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Executor:
        """Read it; raises InputError."""
        return Executor.of(value)


jobs_option = click.option(
    "--jobs", type=click.IntRange(min=1), metavar="J", help="Number of processes. [default: one a core]"
)
executor_option = click.option(
    "--executor",
    type=ExecutorType(),
    metavar="WHERE",
    help=f"Where work runs: {listed(FORMS, ' or ')}. [default: all cores]",
)


def executor_options(function: Function) -> Function:
    """Add the options `--jobs` and `--executor`: together the command's `executor`, None where neither is given."""

    @executor_option
    @jobs_option
    @wraps(function)
    def placed(*args: Any, jobs: int | None, executor: Executor | None, **asked: Any) -> Any:
        if jobs is not None and executor is not None:
            raise InputError(
                "--jobs and --executor exclude each other: --jobs {jobs} is --executor processes:{jobs}", jobs
            )
        return function(*args, executor=executor if jobs is None else Executor(count=jobs), **asked)

    return cast("Function", placed)


after_option = click.option(
    "--after",
    multiple=True,
    metavar='"GUESS FEEDBACK"',
    help='From the position after this turn, as --after "AABB XO"; once for each turn played.',
)


def position_after(rules: Rules, turns: Sequence[str]) -> Position:
    """Return the position after some turns, each written as a guess and its feedback: `AABB XO`.

    Raises InputError where a turn cannot be read or the game is over, ContradictionError where no secret fits.
    """
    from entropeg.position import Position, parse_turn

    position = Position(rules, [parse_turn(text, rules) for text in turns])
    if position.is_over:
        raise InputError("after {position} the game is over: leave the last turn out", position)
    if turns:
        position.check_consistent()
    return position


def refuse_after(after: Sequence[str], **others: object) -> None:
    """Raise InputError where an option that is for whole boards is given together with `--after`."""
    wrong = next((name for name, value in others.items() if value), None)
    if after and wrong is not None:
        option = f"--{wrong.replace('_', '-')}"
        raise InputError(
            "{option} and --after exclude each other: {option} is for whole games, from their start", option
        )


def with_limit(rules: Rules, limit: int | str | None, otherwise: int | None) -> Rules:
    """Set the guess limit: the one asked for, else that of the rules, else `otherwise`.

    >>> str(with_limit(Rules.parse("4x6"), None, 12)), str(with_limit(Rules.parse("classic"), "none", 12))
    ('4x6/limit=12', '4x6')
    """
    if limit is not None:
        return rules.with_limit(None if isinstance(limit, str) else limit)
    return rules if rules.guess_limit is not None else rules.with_limit(otherwise)


def limits_options(*, turn: float = 10.0, game: float = 120.0) -> Callable[[Function], Function]:
    """Add the options that limit a module's memory and time, with their defaults."""

    def add(function: Function) -> Function:
        for name, kind, usual, unit, said in (
            ("--memory", int, 1024, "MB", "A module may use."),
            ("--game-seconds", float, game, "S", "Of processor time a game may take."),
            ("--turn-seconds", float, turn, "S", "Of processor time a turn may take."),
        ):
            option = click.option(name, type=kind, default=usual, show_default=True, metavar=unit, help=said)
            function = option(function)
        return function

    return add
