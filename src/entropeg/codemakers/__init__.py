"""Codemakers: the players that answer, honestly or not.

Like a codebreaker a codemaker has no state: the secret that it chose is kept by the game and handed back to
it at every turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from entropeg import codebreakers
from entropeg.registry import PlayerRow, Registry, foreign_forms

if TYPE_CHECKING:
    import numpy as np

    from entropeg.feedback import AnyFeedback, Code
    from entropeg.position import Position
    from entropeg.rules import Rules


@runtime_checkable
class Codemaker(Protocol):
    """Anything with a `choose` and an `answer` method, whatever they call their arguments."""

    def choose(self, rules: Rules, rng: np.random.Generator, /) -> Code | None:
        """Choose the secret at the start of a game; None for a codemaker that does not settle on one."""
        ...

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator, /) -> AnyFeedback:
        """Answer a guess made in a position; `secret` is what `choose` returned."""
        ...


registry: Registry[Codemaker] = Registry(
    "codemaker",
    "entropeg.codemakers",
    {
        "honest": PlayerRow("entropeg.codemakers.honest:Honest"),
        "cheat": PlayerRow("entropeg.codemakers.cheat:Cheat", is_cheat=True),
        "worst-case": PlayerRow("entropeg.codemakers.forcing:WorstCase", is_cheat=True, asks="codebreaker"),
        "perfect-cheat": PlayerRow("entropeg.codemakers.forcing:PerfectCheat", is_cheat=True),
        "biased": PlayerRow("entropeg.codemakers.biased:Biased"),
        "mixed": PlayerRow("entropeg.codemakers.mixed:MixedMaker", reads_files=True),
    },
    forms=foreign_forms("codemaker"),
    methods=("choose(rules, rng)", "answer(position, guess, secret, rng)"),
    asked=codebreakers.registry,
)


def of(player: Codemaker | str) -> Codemaker:
    """Return a codemaker that is given as such or by its name; InputError says why it is none.

    >>> of("cheat") == of(get("cheat"))
    True
    """
    return registry.of(player)


def get(spec: str) -> Codemaker:
    """Make a codemaker from its name and parameters, as `honest`, `honest:ABCD` or `cheat`.

    Raises InputError for an unknown name (with the nearest ones), parameter or value.

    >>> get("cheat").name
    'cheat'
    """
    return registry.get(spec)


def names() -> list[str]:
    """Return the names of all codemakers, those of other packages last."""
    return registry.names
