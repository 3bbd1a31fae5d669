"""`entropeg bench run|score|export`: agents measured on suites of boards, by an exact score that can be cited."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from entropeg import arguments, signals
from entropeg.chosen_language import asked_language, translated
from entropeg.cli import saving
from entropeg.cli.completion import files
from entropeg.cli.helping import NearestGroup
from entropeg.cli.options import RulesType, executor_options, json_option, rules_option, sample_seed_option
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, columns, folded, remark
from entropeg.errors import InputError
from entropeg.executors import Executor
from entropeg.files import check_target, shown
from entropeg.rules import Rules
from entropeg.told import Told, plural, words

if TYPE_CHECKING:
    from entropeg.suites import BenchScore
    from entropeg.suites.logs import BenchGame

BOARD = click.option(
    "--board",
    "boards",
    type=RulesType(),
    multiple=True,
    metavar="RULES",
    help="Only this board of the suite, or one of your own with its limit; once for each.",
)


@click.group(name="bench", cls=NearestGroup, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Measure agents and language models on suites of boards, with an exact score."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command(short_help="Let an agent play a suite, and write its log.")
@click.argument("log", type=click.Path(path_type=Path), shell_complete=files)
@click.option(
    "--agent",
    required=True,
    metavar="AGENT",
    help="module:Class, cmd:PROGRAM, a codebreaker, or the address of a chat.",
)
@click.option("--suite", default="entropeg-bench-1", show_default=True, metavar="NAME", help="Which boards.")
@BOARD
@click.option("--salt", default="", metavar="TEXT", help="Other secrets, which stand nowhere. [default: none]")
@click.option("--games", type=click.IntRange(min=1), metavar="N", help="Of each board. [default: 100]")
@click.option("--all-secrets", is_flag=True, help="Every secret once, of boards of up to 50,000 codes.")
@click.option("--renamed", is_flag=True, help="Write colors with other symbols, drawn by the salt.")
@click.option("--time", type=float, metavar="SECONDS", help="Begin no game after this time; the same command goes on.")
@click.option("--model", default="default", show_default=True, metavar="NAME", help="Of a chat: its model.")
@click.option("--shots", type=click.IntRange(min=0), default=0, metavar="N", help="Of a chat: solved examples before.")
@click.option("--tools", is_flag=True, help="Of a chat: let it call `score` and `candidates`.")
@click.option("--key", default="", metavar="VARIABLE", help="Of a chat: the variable that holds its key.")
@click.pass_context
def run(
    context: click.Context,
    *,
    log: Path,
    agent: str,
    suite: str,
    boards: tuple[Rules, ...],
    salt: str,
    games: int | None,
    all_secrets: bool,
    renamed: bool,
    time: float | None,
    model: str,
    shots: int,
    tools: bool,
    key: str,
) -> None:
    """Let an agent play the boards of a suite, and write LOG, a line a game; the same command goes on where it ended.

    AGENT may be the address of a language model, http://127.0.0.1:8000/v1, which is asked as OpenAI's chat completions
    are, and nothing else is; in French with --lang fr. Questions and answers stand in the log.

    Secrets are drawn by SHA-256 from the suite and the salt: anybody can draw them again. `entropeg bench score LOG`
    says what the games are worth.

    Exit code 1: the time was over before the last game.
    """
    from entropeg.suites import Drawing, run_bench, suite_of
    from entropeg.suites.chat import ChatAgent

    if all_secrets and games is not None:
        raise InputError("--games and --all-secrets exclude each other")
    chosen, picked = suite_of(suite, boards)
    drawing = Drawing(chosen, salt, 0 if all_secrets else games or 100, renamed, picked)
    seconds = None if time is None else arguments.number(time, "the time")
    made: ChatAgent | str = agent
    if "://" in agent:
        made = ChatAgent(agent, model, asked_language(), shots, tools, key)
    with telling("games") as stand:

        def tell(game: BenchGame, done: int, total: int) -> None:
            stand.put(str(game.rules.board), done=done, total=total)

        try:
            found = run_bench(made, drawing, log, time=seconds, progress=tell)
        except KeyboardInterrupt:
            remark(OWN + Told("interrupted; the same command goes on from {file}", shown(log)))
            context.exit(signals.exit_code())
    done = plural(len(found.games), "{n} game", "{n} games")
    if not found.is_whole:
        remark(OWN + Told("the time is over after {games}; the same command goes on from {file}", done, shown(log)))
        context.exit(1)
    click.echo(folded(translated(Told("{file}: {games}; entropeg bench score says what they are worth",
                                      shown(log), done))))  # fmt: skip


@command.command(short_help="Score a log: the official result in one line.")
@click.argument("log", shell_complete=files)
@BOARD
@click.option(
    "--tasks", metavar="FILE", shell_complete=files, help="LOG has answers to these tasks, of `bench export`."
)
@click.option("--level/--no-level", default=True, help="Say which codebreakers lose as much; it takes seconds a board.")
@click.option("--line", metavar="TEXT", help="Check that this line of results is that of the log.")
@executor_options
@json_option
@click.pass_context
def score(
    context: click.Context,
    *,
    log: str,
    boards: tuple[Rules, ...],
    tasks: str | None,
    level: bool,
    line: str | None,
    executor: Executor | None,
    as_json: bool,
) -> None:
    """Say what the games of LOG are worth: means without luck, losses by turn, faults, and one line to cite.

    A log is refused, with the reason, where its secrets are not those of the salt, its answers not those of the rules,
    games are missing or go on after their end, and where its mean or its luck is better than can be.

    With --tasks LOG has lines of id and answer, and each answer is worth 1 or 0, or, of a next guess, 1 less its loss.

    Exit code 1: the line of --line is another one.

    Keys with --json: suite, digest, salt, agent, boards (rules, games, won, lost, broken_off, mean, error, adjusted,
    adjusted_error, exact, par, losses, contradicted, repeats, invalid, guesses, tokens, level),
    line. With --tasks: tasks, answered, mean, by_clues.
    """
    from entropeg.suites import Suite, read_log, score_log

    if tasks is not None:
        _score_answers(tasks, log, as_json=as_json)
        return

    read = read_log(log, Suite.own(boards) if boards else None)
    with telling("games") as stand:
        found = score_log(read, with_level=level and line is None, executor=executor, progress=stand.count)
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
    elif line is None:
        _tell(found)
    is_same = line is None or " ".join(line.split()) == " ".join(found.line.split())
    if line is not None and not as_json:
        said = Told("the line is that of the log") if is_same else Told("the line of the log is another: {line}",
                                                                        found.line)  # fmt: skip
        click.echo(translated(said))
    context.exit(int(not is_same))


def _score_answers(tasks: str, answers: str, *, as_json: bool) -> None:
    from entropeg.suites.tasks import read_lines, score_tasks

    found = score_tasks(read_lines(tasks), read_lines(answers, "id", "answer"))
    if as_json:
        click.echo(json.dumps(found.to_json(), indent=2))
        return
    said = Told("{answered:,} of {tasks:,} tasks answered, mean {mean:.4f}", found.answered, found.tasks, found.mean)
    click.echo(folded(translated(said)))
    for rows, mean in found.by_clues.items():
        click.echo("  " + translated(Told("{rows}: {mean:.4f}", plural(rows, "{n} row", "{n} rows"), mean)))


@command.command(short_help="Write tasks with exact answers as JSONL.")
@click.argument("out", type=click.Path(path_type=Path), shell_complete=files)
@click.option("--task", required=True, metavar="TASK", help="play, deduce, next or mend.")
@rules_option("4x6")
@click.option("--number", type=click.IntRange(min=1), default=60, show_default=True, metavar="N", help="How many.")
@sample_seed_option
@saving.force_option
def export(out: Path, task: str, rules: Rules, number: int, seed: int) -> None:
    """Write tasks for models to OUT, a line each, with prompt and exact answer: the same ones for the same seed.

    play: a game and its secret. deduce: one code is left, and each of 1 to 6 rows is needed to see it. next: what every
    guess loses. mend: which row is wrong. In French with --lang fr.
    """
    from entropeg.suites.tasks import FILE, tasks, write_tasks

    check_target(out, FILE)
    with telling("tasks"):
        found = tasks(task, rules, number, seed=seed, language=asked_language())
    write_tasks(found, out)


def _tell(found: BenchScore) -> None:
    from entropeg.suites.scoring import boards_in_words

    head = words("column", "rules", "games", "won", "as played", "without luck", "best play")
    rows = [
        [
            str(each.rules.board), str(each.games), str(each.won), _within(each.mean, each.error),
            _within(each.adjusted, each.adjusted_error), "" if each.par is None else f"{each.par:.4f}",
        ]
        for each in found.boards
    ]  # fmt: skip
    click.echo(columns([head, *rows], "<>>>>>", head=True))
    click.echo("\n".join(folded(translated(each)) for each in boards_in_words(found)))
    click.echo(found.line)


def _within(mean: float | None, error: float | None) -> str:
    return "" if mean is None else f"{mean:.3f}" if error is None else f"{mean:.3f} ± {error:.3f}"
