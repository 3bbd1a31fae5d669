"""`entropeg verify FILE`: check a stored proof that no strategy is better."""

from __future__ import annotations

import zlib
from json import JSONDecodeError
from pathlib import Path

import click

from entropeg.errors import InputError


@click.command("verify")
@click.argument("file", type=click.Path(path_type=Path))
def command(file: Path) -> None:
    """Check the proof of a lower bound in FILE, as `entropeg optimal RULES --proof FILE` writes it.

    The checker shares no code with the search: it counts feedbacks itself and knows two formulas. Exit code 2 and
    the step that does not hold, if there is one.
    """
    from entropeg.search.verifier import verify

    try:
        rules, codes, bound = verify(file)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, JSONDecodeError, EOFError, zlib.error, AttributeError):
        raise InputError(f"{file} is no proof: one is JSON, as entropeg optimal RULES --proof FILE writes it") from None
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise InputError(f"{file} is refused: {error}") from None
    click.echo(f"{rules}: total >= {bound} guesses over {codes:,} codes (verified)")
