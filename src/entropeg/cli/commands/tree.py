"""`entropeg tree build|show|check|export|draw|openings`: complete strategies, made, looked at, proved and drawn.

`growing` runs a long command that grows trees, `compare` too: a bar while it works, the unfinished tree kept at Ctrl-C.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from entropeg import signals
from entropeg.chosen_language import translated
from entropeg.cli import saving
from entropeg.cli.completion import players
from entropeg.cli.helping import NearestGroup
from entropeg.cli.options import RulesType, after_option, executor_options, json_option, position_after, refuse_after
from entropeg.cli.progress import telling
from entropeg.cli.terminal import OWN as OWN_REMARK
from entropeg.cli.terminal import bars, columns, folded, remark
from entropeg.codes import format_code, parse_code
from entropeg.errors import InputError
from entropeg.executors import Executor, WorkersError
from entropeg.feedback import format_feedback, parse_feedback, win_feedback
from entropeg.files import OWN, check_target, is_standard, shown
from entropeg.position import format_turn
from entropeg.rules import Rules
from entropeg.told import NAMES_SECRETS, Told, words

if TYPE_CHECKING:
    from entropeg.tree import StrategyTree
    from entropeg.tree.kept import KeptPieces


unnamed_rules_option = click.option(
    "--rules", type=RulesType(), help="Rules of a tree that names none: punch cards, YAML lists, brackets."
)


@click.group(name="tree", cls=NearestGroup, invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """Make, show, check and draw complete strategies."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command(short_help="Build the tree that a codebreaker plays.")
@click.argument("codebreaker", shell_complete=players("codebreaker"))
@click.argument("rules", type=RulesType())
@click.option("--out", type=click.Path(path_type=Path), help="File to write: .tree, .json, .yaml, .dot, .svg or .txt.")
@click.option("--opening", metavar="CODE", help="First guess, instead of the codebreaker's own.")
@executor_options
@after_option
@json_option
@saving.force_option
def build(
    codebreaker: str,
    rules: Rules,
    out: Path | None,
    opening: str | None,
    executor: Executor | None,
    after: tuple[str, ...],
    as_json: bool,
) -> None:
    """Build the tree that CODEBREAKER plays on RULES, and say what it takes.

    Ctrl-C keeps what is done in a file OUT.part (without --out, one named after CODEBREAKER and RULES, in this
    folder); the same command goes on from there, and deletes it at the end. With --after the tree is of a position, and
    counts the guesses from there on; files hold trees of whole boards.
    """
    from entropeg.tree import StrategyTree, check_ending

    refuse_after(after, out=out, opening=opening, executor=executor)
    if after:
        position = position_after(rules, after)
        _tell(StrategyTree.build(found((codebreaker,), rules)[0], position).check(), as_json)
        return
    first = parse_code(opening, rules) if opening else None
    check_ending(out)
    err = saving.to_error(out, as_json=as_json)
    players = found((codebreaker,), rules)
    part = part_of(out, codebreaker, rules, opening)
    with growing(part, f"tree build {codebreaker} {rules}", rules.secret_count, players) as (kept, step):
        how: dict[str, Any] = {"executor": executor, "progress": step, "kept": kept}
        tree = StrategyTree.build(players[0], rules, opening=first, **how).check()
        if out is not None:
            tree.save(out)
    _tell(tree, as_json, err=err)


@command.command(short_help="Show what a tree does after some feedbacks.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("turns", nargs=-1)
@unnamed_rules_option
@json_option
def show(file: Path, turns: tuple[str, ...], rules: Rules | None, as_json: bool) -> None:
    """Show what the tree in FILE does, after TURNS given as feedbacks: `entropeg tree show FILE XO -`."""
    tree = _loaded(file, rules)
    node = 0
    for text in turns:
        feedback = parse_feedback(text, tree.rules)
        below = tree.child(node, feedback)
        if below is None:
            at = tree.path_text(node), tree.code_text(node), text
            if feedback == win_feedback(tree.rules) and tree.wins[node]:
                raise InputError("after {turns}, guess {guess}, {answer} is the end of the game: leave it out", *at)
            raise InputError("after {turns}, guess {guess}, no secret gives {answer}", *at)
        node = below
    if node == 0:
        _tell(tree, as_json)
    rows = [
        (format_feedback(tree.feedback(child)), tree.code_text(child), str(int(tree.sizes[child])))
        for _, child in tree.children(node)
    ]
    if as_json and node:
        click.echo(json.dumps({"guess": tree.code_text(node), "next": [row[:2] for row in rows]}))
    elif not as_json:
        told = Told("after {turns}: guess {guess}", tree.path_text(node), tree.code_text(node))
        click.echo(folded(translated(told)))
        if rows:
            head = words("column", "feedback", "guess", "codes")
            click.echo(columns([head, *rows], "<<>", head=True))


@command.command(short_help="Play every secret through a tree.")
@click.argument("file", type=click.Path(path_type=Path))
@unnamed_rules_option
@json_option
def check(file: Path, rules: Rules | None, as_json: bool) -> None:
    """Play every secret through the tree in FILE; exit code 2 and the place where it fails, if it does."""
    _tell(_loaded(file, rules), as_json)


def _loaded(file: Path, rules: Rules | None) -> StrategyTree:
    """Read a tree; what is looked for is then called as by its rules."""
    from entropeg.tree import StrategyTree

    tree = StrategyTree.load(file, rules)
    NAMES_SECRETS.set(not tree.rules.has_pegs)
    return tree


@command.command(short_help="Write a tree in another format.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("out", type=click.Path(path_type=Path))
@unnamed_rules_option
@saving.force_option
def export(file: Path, out: Path, rules: Rules | None) -> None:
    """Write the tree in FILE to OUT in the format that its ending names: .tree .json .yaml .dot .svg .txt.

    - is standard input and output; there a tree is written as JSON.
    """
    from entropeg.tree import StrategyTree, check_ending

    check_ending(out)
    StrategyTree.load(file, rules).save(out)


@command.command(short_help="Draw a tree: a picture, turns from left to right.")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("picture", required=False, type=click.Path(path_type=Path))
@unnamed_rules_option
@saving.force_option
def draw(file: Path, picture: Path | None, rules: Rules | None) -> None:
    """Draw the tree in FILE as PICTURE: .svg, or .dot for Graphviz; without PICTURE, as FILE with the ending .svg.

    Turns go from left to right, small subtrees are folded. Pictures are not read again.
    - is standard input, and standard output in SVG.
    """
    from entropeg.tree import StrategyTree
    from entropeg.tree.files import DRAWN, write_nodes

    if picture is not None and not is_standard(picture) and picture.suffix not in DRAWN:
        raise InputError(
            "{file} is no picture of a tree: end it in {endings:or}; export writes the rest",
            *(shown(picture.name or picture), list(reversed(DRAWN))),
        )
    tree = StrategyTree.load(file, rules)  # a file that is read has a name
    out = (file if is_standard(file) else file.with_suffix(".svg")) if picture is None else picture
    if is_standard(out):
        write_nodes(tree, out, ".svg")
        return
    if out == file:
        raise InputError("{file} is a picture already", shown(file))
    tree.save(out)
    click.echo(translated(Told("The tree is drawn in {file}", out)))


@command.command(short_help="Compare one opening of each class.")
@click.argument("codebreaker", shell_complete=players("codebreaker"))
@click.argument("rules", type=RulesType())
@click.option("--out", type=click.Path(path_type=Path), help="File for the tree of the best opening.")
@executor_options
@json_option
@saving.force_option
def openings(codebreaker: str, rules: Rules, out: Path | None, executor: Executor | None, as_json: bool) -> None:
    """Compare one opening of each class for CODEBREAKER on RULES, the best first.

    Ctrl-C keeps what is done in a file OUT.part (without --out, one named after CODEBREAKER and RULES, in this
    folder); the same command goes on from there, and deletes it at the end.
    """
    from entropeg.tree import check_ending, opening_classes
    from entropeg.tree import openings as compare_openings

    check_ending(out)
    err = saving.to_error(out, as_json=as_json)
    players = found((codebreaker,), rules)
    total = rules.secret_count * len(opening_classes(rules))
    part = part_of(out, codebreaker, rules, "openings")
    with growing(part, f"tree openings {codebreaker} {rules}", total, players) as (kept, step):
        made = compare_openings(players[0], rules, step, kept, executor=executor)
        if out is not None:
            made[0].tree.save(out)
    if as_json:
        click.echo(json.dumps([{"opening": format_code(one.code, rules), **facts(one.tree)} for one in made]))
        return
    rows = [(format_code(one.code, rules), *_cells(one.tree)) for one in made]
    head = words("column", "opening", "total", "mean", "worst", "guesses")
    click.echo(columns([head, *rows], "<>>><", head=True), err=err)


def facts(tree: StrategyTree) -> dict[str, Any]:
    """Return what a tree takes, as plain data."""
    return {
        "rules": str(tree.rules),
        "name": tree.name,
        "first": tree.code_text(0),
        "total": tree.total,
        "mean": tree.mean,
        "worst": tree.worst,
        "at_worst": tree.at_worst,
        "histogram": list(tree.histogram),
        "nodes": len(tree),
        **({"after": [format_turn(turn, tree.rules) for turn in tree.start.turns]} if tree.start.turns else {}),
    }


def _cells(tree: StrategyTree) -> tuple[str, ...]:
    return str(tree.total), Told("{number:.4f}", tree.mean), str(tree.worst), " ".join(map(str, tree.histogram))


def _tell(tree: StrategyTree, as_json: bool, *, err: bool = False) -> None:
    if as_json:
        click.echo(json.dumps(facts(tree)))
        return
    drawn = bars(dict(enumerate(tree.histogram, start=1)))
    head = Told("{codebreaker} on {rules}, first guess {guess}", tree.name, tree.rules, tree.code_text(0))
    if tree.start.turns:
        head = Told(
            "{codebreaker} on {rules} after {turns}, first guess {guess}",
            *(tree.name, tree.rules, tree.start, tree.code_text(0)),
        )
    total = Told(
        "total {total} guesses over {codes} codes, mean {mean:.4f}, worst {worst} (of {hardest})",
        *(tree.total, len(tree.turns), tree.mean, tree.worst, tree.at_worst),
    )
    found = Told("codes found in 1, 2, ... guesses: {histogram}  {bars}", " ".join(map(str, tree.histogram)), drawn)
    click.echo("\n".join(folded(translated(line)) for line in (head, total, found)), err=err)


class Growing(NamedTuple):
    """Where finished pieces go, and whom to tell how many more secrets are done."""

    kept: KeptPieces
    step: Callable[[int], None]


def part_of(out: Path | None, *words: object) -> Path:
    """Return the file for an unfinished tree: beside `out`, or in this folder under a name made of some words.

    >>> str(part_of(Path("a.tree"))), str(part_of(None, "entropy:win=yes", "4x10/no-repeats"))
    ('a.tree.part', 'entropy-win-yes-4x10-no-repeats.part')
    """
    if out is not None and not is_standard(out):
        return out.with_name(f"{out.name}.part")
    return Path(plain("-".join(str(word) for word in words if word is not None)) + ".part")


def plain(text: str) -> str:
    """Return a text as a name of a file: letters and digits, and hyphens for all else."""
    return "".join(letter if letter.isalnum() else "-" for letter in text)


def found(names: tuple[str, ...], rules: Rules, *, trees_only: bool = True) -> list[Any]:
    """Return the codebreakers of some names; raises InputError, before anything is played, where one grows no tree.

    With `trees_only` off those that draw at random are let through.
    """
    from entropeg import codebreakers
    from entropeg.search.grow import check_growable

    players = [codebreakers.get(name) for name in names]
    for player in players:
        if trees_only or is_growable(player):
            check_growable(player, rules)
    return players


def is_growable(player: Any) -> bool:
    """Whether a player is deterministic, so that it has a tree."""
    return bool(getattr(player, "deterministic", False))


@contextmanager
def growing(part: Path, task: str, total: int, players: list[Any]) -> Iterator[Growing]:
    """Grow trees of `total` secrets: on Ctrl-C the pieces go to the file `part`, from which the same command goes on.

    The file is deleted at the end, and from then on signals wait for the end of the command. Of players that are not
    built in nothing is kept: their programs may change. Nor is anything where `part` cannot be written; the trees grow
    all the same, and Ctrl-C says why nothing was kept.
    """
    from entropeg.tree.kept import KeptPieces

    why_not = _why_not_kept(part, players)
    kept = KeptPieces(None if why_not else part, task)
    done = 0
    try:
        with telling("codes", task) as stand:

            def step(count: int) -> None:
                nonlocal done
                done += count
                stand.put(task, done=done, total=total)

            yield Growing(kept, step)
            saving.put_signals_off()
    except KeyboardInterrupt:
        remark(OWN_REMARK + Told("interrupted: {kept}", why_not or _told(kept, done, total)))
        _leave()
    except WorkersError:
        remark(OWN_REMARK + (why_not or _told(kept, done, total)))
        raise
    kept.remove()


def _why_not_kept(part: Path, players: list[Any]) -> str:
    """Say why nothing can be kept; empty where it can."""
    if not all(type(player).__module__.startswith("entropeg.codebreakers.") for player in players):
        return Told("nothing is kept of a codebreaker that is not built in, since its program may change")
    try:
        check_target(part, OWN)
    except InputError as error:
        return Told("nothing is kept, since {error}", error)
    return ""


def _told(kept: KeptPieces, done: int, total: int) -> str:
    try:
        saved = kept.save()
    except InputError as error:
        return Told("nothing is kept, since {error}", error)
    if not saved:
        return Told("nothing was done yet")
    return Told(
        "{done:,} of {total:,} codes are done and kept in {file}; the same command goes on from there",
        *(done, total, kept.path),
    )


def _leave() -> None:
    """End, at once where kernels are still busy in other threads: an orderly end would wait for them."""
    from entropeg.tree.pieces import is_busy

    if is_busy():
        signals.leave()
    click.get_current_context().exit(signals.exit_code())
