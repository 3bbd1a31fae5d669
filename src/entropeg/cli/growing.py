"""Runs long commands that grow trees: shows a bar while they work, and keeps their unfinished tree at Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from entropeg import signals
from entropeg.cli import saving
from entropeg.cli.layout import remark
from entropeg.cli.progress import telling
from entropeg.errors import InputError
from entropeg.executors import WorkersError
from entropeg.files import OWN, check_target, is_standard
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.tree.kept import KeptPieces


class Growing(NamedTuple):
    """Where finished pieces go, and whom to tell how many more secrets are done."""

    kept: KeptPieces
    step: Callable[[int], None]


def part_of(out: Path | None, *words: object) -> Path:
    """Return the file for what is unfinished: beside `out`, or in this folder under a name made of some words.

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
        remark(f"entropeg: interrupted: {why_not or _told(kept, done, total)}")
        _leave()
    except WorkersError:
        remark(f"entropeg: {why_not or _told(kept, done, total)}")
        raise
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


def _told(kept: KeptPieces, done: int, total: int) -> str:
    try:
        saved = kept.save()
    except InputError as error:
        return f"nothing is kept, since {error}"
    if not saved:
        return "nothing was done yet"
    return f"{done:,} of {total:,} codes are done and kept in {kept.path}; the same command goes on from there"


def _leave() -> None:
    """End, at once where kernels are still busy in other threads: an orderly end would wait for them."""
    from entropeg.tree.pieces import is_busy

    if is_busy():
        signals.leave()
    click.get_current_context().exit(signals.exit_code())
