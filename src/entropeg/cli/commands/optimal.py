"""`entropeg optimal RULES`: the shortest possible play of a board, proven or bounded, with the strategy as a file."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.options import SeveralType, after_option, executor_option, json_option, position_after, refuse_after
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN, bars, columns, folded, remark
from entropeg.codes import format_code, is_listable, weights
from entropeg.compiling import told_of_compilation
from entropeg.errors import InputError, TooLargeError
from entropeg.executors import Crew, Executor, WorkersError, kept_open
from entropeg.files import check_target
from entropeg.position import Position
from entropeg.processors import usable_processors
from entropeg.rules import Rules
from entropeg.search.reach import MATRIX_BYTES, MOVED, Reach
from entropeg.search.results import SearchProgress, Value
from entropeg.several.boards import SeveralRules
from entropeg.several.exact import least_total
from entropeg.told import Template, Told, plural, words

if TYPE_CHECKING:
    from entropeg.tree import StrategyTree
    from entropeg.tree.optimum import Optimum

Made = TypeVar("Made")

COMPILING = Told("the first run on a machine compiles the search, once, for some 20 seconds")


@click.command(name="optimal")
@click.argument("rules", type=SeveralType())
@click.option("--worst", is_flag=True, help="The least worst case first, the least total under it second.")
@click.option("--limit", type=click.IntRange(min=1), metavar="D", help="Only strategies of at most D guesses.")
@click.option("--fewest-at-worst", is_flag=True, help="Then the fewest codes at the worst case; boards to about 4x6.")
@click.option("--consistent-only", is_flag=True, help="Guess only codes that are still possible.")
@click.option("--time", type=float, metavar="T", help="Stop after T seconds with what is known by then.")
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    metavar="MB",
    help="Memory allowed; what the labels leave of it goes to the table, to 512 MB. [default: 600, and 64 for it]",
)
@click.option(
    "--threads", type=click.IntRange(min=1), metavar="N", help="Threads that search. [default: one a processor]"
)
@executor_option
@click.option(
    "--checkpoint", type=click.Path(path_type=Path), metavar="FILE", help="Go on from here if it was stopped."
)
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="Write the strategy: .tree .json .txt ..."
)
@click.option("--proof", type=click.Path(path_type=Path), metavar="FILE", help="Write the proof of the lower bound.")
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Other random words for the table: a second look.",
)
@click.option("--openings", is_flag=True, help="The least total of every first guess, one of each class.")
@click.option("--most-within", type=click.IntRange(min=1), metavar="L", help="The most secrets found within L guesses.")
@after_option
@saving.force_option
@json_option
def command(
    rules: Rules | SeveralRules,
    *,
    executor: Executor | None,
    save: Path | None,
    openings: bool,
    most_within: int | None,
    after: tuple[str, ...],
    as_json: bool,
    **options: Any,
) -> int:
    """Find the least total number of guesses over all codes of RULES, and prove it.

    The strategy is checked by playing every code through it. Ctrl-C stops with the best strategy and the bounds
    so far (exit code 130; 143 after SIGTERM). A proof (--proof) is checked by `entropeg verify FILE`. Where a proof
    would take much longer than --time, the time goes to a search for a good strategy; the same command with the same
    --checkpoint improves it. Where a proof is out of reach, what it would take is said, with bounds. With --after the
    codes are those left at a position, and guesses count from there on, those of --limit too; a limit of the rules,
    as in 4x6/limit=5, counts from the start of the game. Of both the smaller one counts. With --openings every first
    guess is valued, one of each class of guesses that are alike; --checkpoint keeps what is found. With --most-within
    the most secrets are found that any strategy finds within L guesses, or the greatest chance under a prior. With
    secrets=N among the rules, as 3x3/secrets=2, N codes are found with the same guesses, and the total is over all ways
    to hide them, also with --worst or --limit. With --executor other processes search, or the workers of a cluster; the
    files stay with this one.
    """
    from entropeg.search.proving.at_worst import check_reach

    threads, proof = options.pop("threads"), options["proof"]
    if threads and executor is not None:
        raise InputError(
            "--threads and --executor exclude each other: --threads {threads} is --executor threads:{threads}", threads
        )
    executor = Executor("threads", threads) if threads else executor
    given = {**options, "after": after, "save": save, "most_within": most_within}
    if isinstance(rules, SeveralRules):
        return _several(rules, {**given, "openings": openings, "executor": executor}, as_json=as_json)
    if openings:
        return _openings(rules, executor, given, as_json=as_json)
    if most_within is not None:
        asked = {"executor": executor, **options}
        return _most_within(rules, most_within, asked, save=save, after=after, as_json=as_json)
    _check_files(rules, save, proof)
    refuse_after(after, save=save, proof=proof)
    position = position_after(rules, after)
    err = saving.to_error(save, proof, as_json=as_json)
    if options["fewest_at_worst"]:
        check_reach(position)
    allowed = options["memory"] * 1_000_000 if options["memory"] else MATRIX_BYTES
    reach = Reach.of(rules, executor.workers if executor is not None else usable_processors())
    # A search for a good strategy takes the place of a proof, where nothing else is asked for.
    is_plain = not (options["worst"] or options["limit"] or options["consistent_only"] or proof)
    beyond = options["time"] is not None and is_plain
    if not reach.can_be_raised or (reach.cells > allowed and not beyond):
        if after:
            raise TooLargeError(
                "{rules} is out of reach of a search from a position: {needs}", rules, reach.describe(allowed)
            )
        return _out_of_reach(reach, allowed, save, as_json, err=err)
    found, trouble = _found(position, options, executor)
    tree = found.checked(consistent_only=options["consistent_only"])
    if save is not None and tree is not None:
        tree.save(save)
    click.echo(
        json.dumps(found.to_json()) if as_json else folded("\n".join(map(translated, found.lines(bars)))), err=err
    )
    if proof is not None and not found.is_certified:
        remark(_why_not_written(proof, found))
    return _code(trouble, is_interrupted=found.is_interrupted)


def _why_not_written(proof: Path, found: Optimum) -> Told:
    if not found.is_exact:
        return Told("{file} was not written: there is no proof yet", proof)
    return Told("{file} was not written: that was interrupted, or its time was over", proof)


def _given(options: dict[str, Any]) -> str:
    """Return the first option that was given, empty where none was."""
    return next((name.replace("_", "-") for name, given in options.items() if given), "")


def _most_within(
    rules: Rules, guesses: int, asked: dict[str, Any], *, save: Path | None, after: tuple[str, ...], as_json: bool
) -> int:
    time = asked.pop("time")
    if used := _given(asked):
        raise InputError("--most-within is a search of its own: leave --{option} out", used)
    from entropeg.tree import check_ending
    from entropeg.tree.within import most_within

    check_ending(save)
    refuse_after(after, save=save)
    position, err = position_after(rules, after), saving.to_error(save, as_json=as_json)
    with telling("openings") as stand, told_of_compilation(lambda: stand.put(COMPILING)):

        def tell(done: int, total: int, value: Value) -> None:
            within = plural(guesses, "within {n} guess", "within {n} guesses")
            stand.put(Told("{within}: secrets {value}", within, value), done=done, total=total)

        found = most_within(position, guesses, time=time, progress=tell)
    saving.put_signals_off()
    tree = found.tree.check()
    if save is not None:
        tree.save(save)
    click.echo(json.dumps(found.to_json()) if as_json else folded("\n".join(map(translated, found.lines()))), err=err)
    return _code(None, is_interrupted=found.is_interrupted)


def _several(rules: SeveralRules, given: dict[str, Any], *, as_json: bool) -> int:
    asked = {name: given.pop(name) for name in ("worst", "limit", "time")}
    if used := _given(given):
        raise InputError("{rules} has several secrets: leave --{option} out", rules, used)
    with telling("openings") as stand:

        def tell(done: int, total: int, value: Value) -> None:
            stand.put(Told("total {value}", value), done=done, total=total)

        found = least_total(rules, progress=tell, **asked)
    saving.put_signals_off()
    click.echo(json.dumps(found.to_json()) if as_json else folded("\n".join(map(translated, found.lines()))))
    return _code(None, is_interrupted=found.is_interrupted)


def _code(trouble: WorkersError | None, *, is_interrupted: bool) -> int:
    if trouble is not None:
        remark(OWN + str(trouble))
        return 2
    return signals.exit_code() if is_interrupted else 0


def _found(position: Position, asked: dict[str, Any], executor: Executor | None) -> tuple[Optimum, WorkersError | None]:
    from entropeg.tree.optimum import optimal

    with kept_open(executor) as where, _progress(position.rules, asked["time"], _searchers(where)) as report:
        return _or_made(lambda: optimal(position, executor=where, progress=report, **asked))


def _or_made(search: Callable[[], Made]) -> tuple[Made, WorkersError | None]:
    """The result of a search, and its error where its workers are gone; signals wait from then on."""
    try:
        found, trouble = search(), None
    except WorkersError as error:
        if error.made is None:
            raise
        found, trouble = error.made, error
    saving.put_signals_off()
    return found, trouble


def _searchers(where: Executor | Crew | None) -> int:
    return usable_processors() if where is None else where.count if isinstance(where, Crew) else where.workers


def _openings(rules: Rules, executor: Executor | None, asked: dict[str, Any], *, as_json: bool) -> int:
    options = {name: asked.pop(name) for name in ("time", "memory", "checkpoint")}
    if used := _given(asked):
        raise InputError("--openings values first guesses by their least totals: leave --{option} out", used)
    from entropeg.search.proving.opening_totals import opening_totals

    with telling("openings") as stand, told_of_compilation(lambda: stand.put(COMPILING)):

        def tell(done: int, total: int) -> None:
            stand.put(str(rules), done=done, total=total)

        found, trouble = _or_made(lambda: opening_totals(rules, **options, executor=executor, progress=tell))
    size = rules.secret_count
    if as_json:
        rows = [
            {
                "opening": format_code(one.guess, rules),
                "total": one.value.upper,
                "total_lower": one.value.lower,
                "mean": None if one.value.upper is None else one.value.upper / size,
                "exact": one.is_exact,
            }
            for one in found.openings
        ]
        click.echo(json.dumps(rows))
    else:
        cells = [
            (format_code(one.guess, rules), str(one.value), Told("{number:.4f}", one.value.lower / size))
            for one in found.openings
        ]
        head = words("column", "opening", "total", "mean")
        click.echo(columns([head, *cells], "<>>", head=True))
        told = Told(
            "{valued:,} of {openings} valued in {seconds:.1f} s, {guesses:,} guesses tried",
            *(found.valued, plural(len(found.openings), "{n} opening", "{n} openings"), found.seconds, found.nodes),
        )
        click.echo(translated(told))
    return _code(trouble, is_interrupted=found.is_interrupted)


def _check_files(rules: Rules, save: Path | None, proof: Path | None) -> None:
    # Said before a long search, not after it.
    from entropeg.tree import check_ending

    check_ending(save)
    if proof is not None:
        from entropeg.search.proving.certificate import KIND

        check_target(proof, KIND)
    if save is not None and rules.prior is not None and is_listable(rules) and not weights(rules).all():
        raise InputError(
            "some codes of {rules} have weight 0: no strategy of all codes is found that could be saved", rules
        )


def _out_of_reach(reach: Reach, allowed: int, save: Path | None, as_json: bool, *, err: bool) -> int:
    from entropeg.search.bounds import bounds

    rules = reach.rules
    tree = _quick_tree(rules)
    if tree is not None and save is not None:
        tree.save(save)
    lower = max((bound.value for bound in bounds(rules) if (bound.measure, bound.side) == ("mean", "lower")), default=1)
    uppers = [bound.value for bound in bounds(rules) if (bound.measure, bound.side) == ("mean", "upper")]
    upper = min([*uppers, *([tree.mean] if tree else [])], default=None)
    if as_json:
        data = {
            "rules": str(rules),
            "codes": _written(reach.secrets),
            "exact": False,
            "mean_lower": lower,
            "mean_upper": upper,
        }
        data |= {
            "bytes": _written(reach.cells),
            "estimated_seconds": reach.seconds,
            "opening": tree.code_text(0) if tree else None,
        }
        click.echo(json.dumps(data))
        return 0
    needs = reach.describe(allowed)
    if reach.can_be_raised:
        told = [
            Told("{rules} is out of reach of a proof: {needs} (--memory)", rules, needs),
            Told("with --time T the best strategy found in T seconds is given, and a lower bound"),
        ]
    else:
        told = [Told("{rules} is out of reach of a proof: {needs}", rules, needs)]
    if upper is None:
        told.append(Told("mean >= {lower:,.4f}", lower))
    else:
        told.append(Told("mean >= {lower:,.4f} and <= {upper:,.4f}", lower, upper))
    if tree is not None:
        said = Template("the upper bound is that of {codebreaker}, every code once: total {total}, worst {worst}")
        told.append(Told(said, tree.name, tree.total, tree.worst))
    click.echo("\n".join(folded(translated(line)) for line in told), err=err)
    return 0


def _written(count: int) -> str | None:
    """All digits of a number, as text since readers of JSON round numbers; None beyond 1,233, which nobody reads."""
    return str(count) if count.bit_length() <= 4096 else None


def _quick_tree(rules: Rules) -> StrategyTree | None:
    most = 70_000  # secrets against which a strategy plays in seconds
    if rules.secret_count > most or rules.secret_count * rules.guess_count > most**2:
        return None
    if rules.pegs > MOVED[1]:  # with more pegs guesses are not told apart by symmetry: 16x2 would take minutes
        return None
    from entropeg.tree import StrategyTree

    with telling("codes") as stand:
        return StrategyTree.build(
            "entropy",
            rules,
            progress=lambda count: stand.put("entropy", done=stand.done + count, total=rules.secret_count),
        ).check()


@contextmanager
def _progress(rules: Rules, seconds: float | None, threads: int) -> Iterator[Callable[[SearchProgress], None]]:
    """Give a function that takes the progress of the search, and tell of it."""
    expected = Reach.of(rules, threads).seconds
    with telling() as stand, told_of_compilation(lambda: stand.put(COMPILING)):

        def tell(progress: SearchProgress) -> None:
            left = min(expected, expected if seconds is None else seconds) - stand.seconds
            stand.put(*progress.told(rules), left=left)

        yield tell
