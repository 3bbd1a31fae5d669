"""`entropeg verify FILE`: check a stored proof that no strategy is better."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

from entropeg.errors import InputError
from entropeg.files import shown

SILENT, TOLD = 2.0, 30.0
"""Seconds after which a check says how far it is, and between two such lines where no terminal shows them."""


@click.command("verify")
@click.argument("file", metavar="FILE")
def command(file: str) -> None:
    """Check the proof of a lower bound in FILE, as `entropeg optimal RULES --proof FILE` writes it.

    The checker shares no code with the search: it counts feedbacks itself and knows two formulas. Exit code 2 and
    the step that does not hold, if there is one. A check that takes long says how far it is.
    """
    from entropeg.search.verifier import verify

    try:
        with _progress() as progress:
            rules, codes, bound = verify(file, progress)
    except InputError as error:
        said = str(error)
        if shown(file) in said:
            raise
        raise InputError(f"{shown(file)} is no proof: {said}") from None
    except MemoryError:
        raise InputError(f"{shown(file)} cannot be checked: its board takes more memory than there is") from None
    except ValueError as error:
        raise InputError(f"{shown(file)} is refused: {error}") from None
    click.echo(f"{rules}: total >= {bound} guesses over {codes:,} codes (verified)")


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Give what tells on standard error how many lemmas are checked, once the check takes long."""
    on_terminal = sys.stderr.isatty()
    told = monotonic() + SILENT - TOLD * (not on_terminal)

    def tell(done: int, lemmas: int) -> None:
        nonlocal told
        if on_terminal and monotonic() > told:
            click.echo(f"\r\x1b[K{done:,} of {lemmas:,} lemmas checked", nl=False, err=True)
        elif not on_terminal and monotonic() > told + TOLD:
            told = monotonic()
            click.echo(f"{done:,} of {lemmas:,} lemmas checked", err=True)

    try:
        yield tell
    finally:
        if on_terminal:
            click.echo("\r\x1b[K", nl=False, err=True)
