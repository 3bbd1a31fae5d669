"""`entropeg verify FILE`: check a stored proof that no strategy is better."""

from __future__ import annotations

import click

from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.errors import InputError
from entropeg.files import shown


@click.command("verify")
@click.argument("file", metavar="FILE")
def command(file: str) -> None:
    """Check the proof of a lower bound in FILE, as `entropeg optimal RULES --proof FILE` writes it.

    The checker shares no code with the search: it answers guesses itself and knows two formulas. Exit code 2 and
    the step that does not hold, if there is one. A check that takes long says how far it is.
    """
    from entropeg.check.proven_board import ProofError
    from entropeg.check.verifier import verify

    try:
        with telling("lemmas", "comparing all pairs of codes") as stand:
            proven = verify(file, lambda done, total: stand.put("checked", done=done, total=total))
    except ProofError as error:
        raise InputError(f"{shown(file)} is refused: {error}") from None
    except InputError as error:
        told = str(error)
        raise InputError(told if shown(file) in told else f"{shown(file)} is no proof: {told}") from None
    except MemoryError:
        raise InputError(f"{shown(file)} cannot be checked: its board takes more memory than there is") from None
    click.echo(folded(str(proven)))
