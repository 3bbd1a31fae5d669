"""Long commands that grow trees: a bar while they work, and Ctrl-C that keeps what is done."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from entropeg.errors import INTERRUPTED, InputError
from entropeg.files import OWN, check_target, is_standard
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.tree.kept import Kept


class Growing(NamedTuple):
    """Where finished pieces go, and whom to tell how many more secrets are done."""

    kept: Kept
    step: Callable[[int], None]


def part_of(out: Path | None, *words: object) -> Path:
    """Return the file for what is unfinished: beside `out`, or in this folder under a name made of some words.

    >>> str(part_of(Path("a.tree"))), str(part_of(None, "entropy:win=yes", "4x10/no-repeats"))
    ('a.tree.part', 'entropy-win-yes-4x10-no-repeats.part')
    """
    if out is not None and not is_standard(out):
        return out.with_name(f"{out.name}.part")
    plain = "-".join(str(word) for word in words if word is not None)
    return Path("".join(letter if letter.isalnum() else "-" for letter in plain) + ".part")


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

    The file is deleted at the end. Of players that are not built in nothing is kept: their programs may change. Nor is
    anything where `part` cannot be written; the trees grow all the same, and Ctrl-C says why nothing was kept.
    """
    from entropeg.tree.kept import Kept

    why_not = _why_not_kept(part, players)
    kept = Kept(None if why_not else part, task)
    done = 0
    try:
        with progress(total) as draw:

            def step(count: int) -> None:
                nonlocal done
                done += count
                if draw is not None:
                    draw(count)

            yield Growing(kept, step)
    except KeyboardInterrupt:
        click.echo(f"entropeg: interrupted: {why_not or _told(kept, done, total)}", err=True)
        _leave()
    kept.remove()


def _why_not_kept(part: Path, players: list[Any]) -> str:
    """Say why nothing can be kept; empty where it can."""
    if not all(type(player).__module__.startswith("entropeg.codebreakers.") for player in players):
        return "nothing is kept of a codebreaker that is not built in, since its program may change"
    try:
        check_target(part, OWN)
    except InputError as error:
        return f"nothing is kept, since {error}"
    return ""


def _told(kept: Kept, done: int, total: int) -> str:
    try:
        saved = kept.save()
    except InputError as error:
        return f"nothing is kept, since {error}"
    if not saved:
        return "nothing was done yet"
    return f"{done:,} of {total:,} codes are done and kept in {kept.path}; the same command goes on from there"


def _leave() -> None:
    """End with exit code 130, at once where kernels are still busy in other threads: they cannot be told to stop."""
    from entropeg.tree.pieces import is_busy

    if is_busy():
        # An orderly end would wait for them, or end them inside compiled code.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(INTERRUPTED)
    click.get_current_context().exit(INTERRUPTED)


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None] | None]:
    """Give a function that is told how many more secrets are done, and draws a bar where standard error is a terminal.

    Elsewhere None.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as drawn:
        task = drawn.add_task("codes", total=total)
        yield lambda count: drawn.advance(task, count)
