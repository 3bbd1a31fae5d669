"""`entropeg arena`: codebreakers against codemakers, many times."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from entropeg import codebreakers, codemakers, signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.completion import files, players
from entropeg.cli.options import executor_options, json_option, limit_option, rules_option, seed_option, with_limit
from entropeg.cli.progress import remark_beside, telling, telling_of_games
from entropeg.cli.terminal import BARS, OWN, PLAIN_BARS, bars, columns, folded, remark, speaks
from entropeg.durations import duration, rough_duration
from entropeg.errors import InputError
from entropeg.executors import Crew, Executor, WorkersError, crew_of
from entropeg.files import check_target
from entropeg.rules import Rules
from entropeg.told import Told, plural, word, words

if TYPE_CHECKING:
    from entropeg.experiments.adjusted import AdjustedMean
    from entropeg.experiments.results import Progress, Run

GAMES = 1000


INTERRUPTED = Told("interrupted")
"""Why games ended early that a signal ended."""


def split_specs(text: str) -> list[str]:
    """Split a list of players at its commas, but not between the parameters of one.

    >>> split_specs("random,minimax:ties=first,x=1,honest:ABCD")
    ['random', 'minimax:ties=first,x=1', 'honest:ABCD']
    """
    # A comma starts another player, unless `key=value` follows: that is one more parameter of the same one.
    return [spec.strip() for spec in re.split(r",(?!\s*[^,:=]+=)", text) if spec.strip()]


@click.command("arena")
@click.argument("codebreaker", shell_complete=players("codebreaker"), metavar="CODEBREAKER[,...]")
@click.argument("codemaker", shell_complete=players("codemaker"), metavar="CODEMAKER[,...]")
@rules_option("4x6")
@limit_option
@click.option("--games", type=click.IntRange(min=1), metavar="N", help=f"Games of each pair. [default: {GAMES}]")
@click.option("--all-secrets", is_flag=True, help="Play every secret once instead.")
@click.option("--adjusted", is_flag=True, help="Say the mean without luck, too: fewer games for the same error.")
@seed_option
@executor_options
@click.option(
    "--store", metavar="FILE", shell_complete=files, help="Keep every game in this file, and go on from what it holds."
)
@click.option("--csv", "csv_file", metavar="FILE", shell_complete=files, help="Write one row a game.")
@click.option("--figure", metavar="FILE", shell_complete=files, help="Draw the histograms: .svg, .png or .pdf.")
@click.option("--histogram", is_flag=True, help="Print the histogram of each pair, too.")
@saving.force_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    *,
    codebreaker: str,
    codemaker: str,
    rules: Rules,
    limit: int | str | None,
    games: int | None,
    all_secrets: bool,
    adjusted: bool,
    seed: int | None,
    executor: Executor | None,
    store: str | None,
    csv_file: str | None,
    figure: str | None,
    histogram: bool,
    as_json: bool,
) -> None:
    """Let codebreakers play codemakers many times, and compare.

    Several of them are separated by commas, each with its parameters: random,minimax:ties=first. A comma
    before KEY=VALUE goes on with the parameters of the same player, any other comma starts another.

    --figure draws one pair as a histogram, two side by side, more below one another.

    A player that goes wrong in a game is set aside with its fault, and the others play on (exit code 1).

    Stopped by Ctrl-C or SIGTERM, it shows the games played by then (exit code 130 or 143).

    --adjusted plays the games against honest (under a prior: biased) again and adds the mean without luck: the luck of
    answers has mean 0 and is left out, exactly on boards to about 4x8, by a curve of the codes left beyond.

    Keys with --json: rules, plan (games or all-secrets), seed, planned (games a run), runs; of a run: codebreaker,
    codemaker, count (games), won, lost, mean, interval (low and high, 95 %), exact (the mean is no estimate: interval
    null), median, worst, histogram (games by number of guesses), total, seconds and
    seconds_per_game (of processor time), adjusted (games, mean, error, raw_error, exact, worth: how many times as many
    games the plain mean needs; null without --adjusted), fault (what a player did wrong, so that the rest was not
    played, or null).
    All but the counts are over the games won, null where none was.
    """
    if all_secrets and games is not None:
        raise InputError("--games and --all-secrets exclude each other")
    from entropeg.experiments.export import TABLE, runs_data, write_csv

    err = saving.to_error(csv_file, figure, as_json=as_json)
    if csv_file is not None:
        check_target(csv_file, TABLE)
    if figure is not None:
        saving.check_figure(figure)
    plan = {"games": games or GAMES, "all_secrets": all_secrets, "seed": seed or 0, "store": store}
    breakers, makers = named(codebreakers.get, codebreaker), named(codemakers.get, codemaker)
    with crew_of(executor) as crew:
        runs, why = _play(breakers, makers, with_limit(rules, limit, None), plan | {"executor": crew})
        is_stopped = why is not None
        if why is not None:
            remark(_stopped(why, runs, len(breakers) * len(makers), store))
        means = _adjusted(runs, crew) if adjusted and not is_stopped else [None] * len(runs)
    if runs:
        told = as_table(runs) + adjusted_lines(runs, means) + (histograms(runs) if histogram else "") + wrong(runs)
        click.echo(json.dumps(runs_data(runs, means), indent=2) if as_json else told, err=err)
        if csv_file is not None:
            write_csv(runs, csv_file)
        if figure is not None:
            _draw(runs, figure)
    failed = any(run.fault for run in runs)
    if why == INTERRUPTED or signals.is_heard():
        context.exit(signals.exit_code())
    context.exit(2 if is_stopped else int(failed))


def wrong(runs: Sequence[Run]) -> str:
    """Write which faults ended runs early; nothing where there are none."""
    faults = [
        "- " + Told("{codebreaker} against {codemaker}: {fault}", run.codebreaker, run.codemaker, run.fault)
        for run in runs
        if run.fault
    ]
    if not faults:
        return ""
    told = [Told("set aside with what was played before:"), *faults]
    return "\n\n" + "\n".join(folded(translated(line)) for line in told)


def _draw(runs: list[Run], file: str) -> None:
    from entropeg import plots

    won = [run for run in runs if run.statistics.won]
    if not won:
        remark(OWN + Told("{file} was not drawn: no game was won", file))
        return
    plots.save(plots.draw(won), file)


def histograms(runs: list[Run]) -> str:
    """Draw the guesses of the games won as text, a histogram a pair, within 80 columns."""
    bar = BARS[-1] if speaks(sys.stdout, BARS[-1] + "▌") else "#"
    parts = []
    for run in runs:
        players, lost = (run.codebreaker, run.codemaker), run.statistics.lost
        head = Told("{codebreaker} against {codemaker}: guesses, games won, share", *players)
        if lost:
            head = Told("{codebreaker} against {codemaker}: guesses, games won, share, {lost:,} lost", *players, lost)
        parts.append("\n".join(["\n", translated(head), *map(translated, run.statistics.bars(bar=bar))]))
    return "".join(parts)


def named(get: Callable[[str], object], text: str) -> list[str]:
    """Split the names of players, and try each; raises InputError, before any game is played, where one is wrong."""
    specs = split_specs(text)
    for spec in specs:
        get(spec)
    if not specs:
        raise InputError("{names!r} names no player", text)
    return specs


def _play(breakers: list[str], makers: list[str], rules: Rules, plan: dict[str, Any]) -> tuple[list[Run], str | None]:
    """The runs, and why they ended early, if they did: then those without a finished game are left out."""
    from entropeg.experiments.runner import Interrupted, arena

    try:
        with telling_of_games() as progress:
            runs = arena(breakers, makers, rules, progress=_warning(progress, plan["executor"], plan["store"]), **plan)
            saving.put_signals_off()
    except Interrupted as stop:
        saving.put_signals_off()
        return [run for run in stop.runs if len(run.games)], INTERRUPTED
    except WorkersError as error:
        if not error.made:
            raise
        return [run for run in error.made if len(run.games)], str(error)
    return runs, None


def _warning(progress: Callable[[Progress], None], crew: Crew, store: str | None) -> Callable[[Progress], None]:
    """Say once of each pair that its games will take long, as soon as the first of them tell."""
    warned = set[int]()

    def tell(now: Progress) -> None:
        progress(now)
        workers = min(crew.count, max(1, now.total - now.done))
        # A sentence warns of games that take ten minutes where every worker has a processor.
        if now.left is not None and now.left / workers >= 600.0 and now.number not in warned:
            warned.add(now.number)
            remark_beside(_foretold(now, now.left, workers, store))

    return tell


def _foretold(now: Progress, seconds: float, workers: int, store: str | None) -> str:
    """Say how long the games left of a pair will take, and how to have fewer.

    >>> from entropeg.experiments.results import Progress
    >>> _foretold(Progress(("belief", "honest"), 4, 10_000), 5e4, 2, "games.sqlite")[:84]
    'entropeg: about 10 hours of processor time for 9,996 more games of belief against ho'
    """
    games = plural(now.total - now.done, "{n} more game", "{n} more games")
    return OWN + Told(
        "about {time} of processor time for {games} of {codebreaker} against {codemaker}, {workers:,} at a time: "
        "--games asks for fewer; Ctrl-C shows those played by then, and {store} keeps them",
        rough_duration(seconds),
        games,
        *now.run,
        workers,
        store or Told("--store FILE"),
    )


def _stopped(why: str, runs: list[Run], pairs: int, store: str | None) -> str:
    """Say why the games ended early, what those played are a part of, and where they are kept.

    >>> _stopped(INTERRUPTED, [], 2, None)
    'entropeg: interrupted: no game was finished'
    """
    played = sum(len(run.games) for run in runs)
    if not played:
        return OWN + Told("{why}: no game was finished", why)
    kept = Told("they are not kept: --store FILE keeps them")
    if store:
        kept = Told("they are kept in {store}, and the same command goes on from there", store)
    planned = pairs * runs[0].planned
    if why == INTERRUPTED:
        return OWN + Told(
            "interrupted after {played:,} of {planned:,} games: what is shown is of these alone; {kept}",
            *(played, planned, kept),
        )
    return OWN + Told(
        "{why}; {played:,} of {planned:,} games were played: what is shown is of these alone; {kept}",
        *(why, played, planned, kept),
    )


def _adjusted(runs: list[Run], crew: Crew) -> list[AdjustedMean | None]:
    """The means without luck, None where luck cannot be told apart: that is said."""
    from entropeg.experiments.adjusted import adjusted_mean

    means: list[AdjustedMean | None] = []
    for number, run in enumerate(runs, start=1):
        part = Told("{codebreaker} without luck", run.codebreaker)
        if len(runs) > 1:
            part = Told("{number:,} of {pairs:,}: {pair}", number, len(runs), part)
        with telling("games", part) as stand:
            mean = None
            try:
                if len(run.games) and not signals.is_heard():
                    # The players were typed, so that programs and modules among them may play again.
                    mean = adjusted_mean(
                        run, codebreaker=run.codebreaker, codemaker=run.codemaker, executor=crew, progress=stand.count
                    )
            except (InputError, WorkersError) as error:
                players = run.codebreaker, run.codemaker
                remark(
                    OWN + Told("no mean without luck of {codebreaker} against {codemaker}: {error}", *players, error)
                )
            except KeyboardInterrupt:  # the games are there, and are shown without it
                pass
            means.append(mean)
    if signals.is_heard():
        remark(OWN + Told("interrupted: means without luck are missing, or of the first games alone"))
    return means


def adjusted_lines(runs: list[Run], means: Sequence[AdjustedMean | None]) -> str:
    """Write the means without luck, a line each; empty without any."""
    lines = []
    for run, mean in zip(runs, means, strict=True):
        if mean is None:
            continue
        number = Told("{number:.4f}", mean.mean)
        if mean.half is not None:
            number = Told("{number:.4f} ± {error:.2g}", mean.mean, mean.half)
        told = Told("{codebreaker}: {mean} without luck", run.codebreaker, number)
        if mean.worth and mean.worth > 1:
            told = Told(
                "{codebreaker}: {mean} without luck, for which the plain mean needs {worth:,.0f} times as many games",
                *(run.codebreaker, number, mean.worth),
            )
        lines.append(folded(translated(told)))
    return "".join(f"\n{line}" for line in lines)


def as_table(runs: list[Run]) -> str:
    """Write runs as a table: mean and 95 % interval, median, worst, games lost, histogram, time."""
    fancy = speaks(sys.stdout, BARS + "±µ")
    head = [
        *words("column", "codebreaker", "codemaker", "games", "mean", "", "median", "worst"),
        word("games", "lost"),
        *words("column", "guesses", "time a game"),
    ]
    first = runs[0]
    told = Told("{rules}, random secrets, seed {seed}", first.rules, first.seed)
    if first.plan == "all-secrets":
        told = Told("{rules}, every secret once, seed {seed}", first.rules, first.seed)
    table = columns([head, *(_row(run, fancy=fancy) for run in runs)], "<<>><>>><>", names=2, head=True)
    return f"{folded(translated(told))}\n{table}"


def _row(run: Run, *, fancy: bool) -> list[str]:
    facts = run.statistics
    players = [run.codebreaker, run.codemaker, Told("{number:,}", facts.count)]
    ending = [
        Told("{number:,}", facts.lost),
        _span(facts.histogram, fancy=fancy),
        duration(facts.seconds_per_game, fancy=fancy),
    ]
    if not facts.won:
        return [*players, "-", "", "-", "-", *ending]
    return [
        *players,
        Told("{number:,.4f}", facts.mean) if facts.mean < 100 else Told("{number:,.1f}", facts.mean),
        word("cell", "exact") if facts.exact else _half(facts.interval, fancy=fancy),
        Told("{number:,g}", facts.median),
        Told("{number:,}", facts.worst),
        *ending,
    ]


def _half(interval: tuple[float, float] | None, *, fancy: bool) -> str:
    if interval is None:
        return ""
    half = (interval[1] - interval[0]) / 2
    return Told("± {half:,.3g}", half) if fancy else Told("+- {half:,.3g}", half)


def _span(histogram: dict[int, int], *, fancy: bool) -> str:
    if not histogram:
        return "-"
    drawn = bars(histogram, symbols=BARS if fancy else PLAIN_BARS)
    return Told("{least:,} {bars} {most:,}", min(histogram), drawn, max(histogram))
