"""`entropeg verify FILE`: check a stored proof that no strategy is better."""

from __future__ import annotations

import click

from entropeg.chosen_language import translated
from entropeg.cli.progress import telling
from entropeg.cli.terminal import folded
from entropeg.errors import InputError
from entropeg.files import shown
from entropeg.told import NAMES_SECRETS, Told, word


@click.command("verify")
@click.argument("file", metavar="FILE")
@click.option("--proven", is_flag=True, help="Also have it checked by the program that is itself proven.")
def command(file: str, *, proven: bool) -> None:
    """Check the proof of a lower bound in FILE, as `entropeg optimal RULES --proof FILE` writes it.

    The checker shares no code with the search: it answers guesses itself and knows two formulas. Exit code 2 and
    the step that does not hold, if there is one. A check that takes long says how far it is.

    With --proven, every step is also written out for the checker that `make proven` builds, which Coq has proven to
    accept nothing false. It covers proofs of format 4, but of no table of one's own.
    """
    from entropeg.check.explicit import UncoveredError, ask, checker, explicit
    from entropeg.check.proven_board import ProofError
    from entropeg.check.verifier import verify

    if proven:
        checker()
    try:
        with telling("lemmas", Told("comparing all pairs of codes")) as stand:
            tell = lambda done, total: stand.put(word("progress", "checked"), done=done, total=total)  # noqa: E731
            try:
                found = verify(file, tell)
            except ProofError:
                raise
            except InputError as error:
                if shown(file) in str(error):
                    raise
                raise InputError("{file} is no proof: {error}", shown(file), error) from None
            # What the proven checker lacks says nothing about the file.
            written = explicit(file, tell) if proven else None
            if written is not None:
                ask(written)
    except ProofError as error:
        raise InputError("{file} is refused: {error}", shown(file), error) from None
    except UncoveredError as error:
        raise InputError("{file} holds, but the proven checker does not take it: {error}", shown(file), error) from None
    except MemoryError:
        raise InputError("{file} cannot be checked: its board takes more memory than there is", shown(file)) from None
    NAMES_SECRETS.set(not found.has_pegs)
    click.echo(folded(translated(str(found))))
    if written is not None:
        click.echo(folded(translated(Told("the proven checker accepts it, too, in {n:,} steps", len(written.lemmas)))))
