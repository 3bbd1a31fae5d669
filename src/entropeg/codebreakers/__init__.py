"""Codebreakers: what guesses.

A codebreaker has no state but the position and the generator that it is given, so that one object plays,
advises, reviews and builds trees. `get` finds one by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from entropeg.registry import Registry, foreign_forms

if TYPE_CHECKING:
    import numpy as np

    from entropeg.feedback import Code
    from entropeg.position import Position


@runtime_checkable
class Codebreaker(Protocol):
    """Anything with a `guess` method.

    Optional attributes: `name` (the text that `get` would make it from), `deterministic` (True promises that the
    generator is never used, so that the arena may keep guesses by position), and `processor_seconds(rules)`, what
    processes of its own have used so far.
    """

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the next guess; the position is not over, and its candidates may be none if its feedback lies."""
        ...


registry: Registry[Codebreaker] = Registry(
    "codebreaker",
    "entropeg.codebreakers",
    {
        "random": "entropeg.codebreakers.basic:Random",
        "memory": "entropeg.codebreakers.basic:Memory",
        "consistent": "entropeg.codebreakers.basic:Consistent",
        "first-consistent": "entropeg.codebreakers.basic:FirstConsistent",
        "minimax": "entropeg.codebreakers.onestep:Minimax",
        "sorted-minimax": "entropeg.codebreakers.onestep:SortedMinimax",
        "expected-size": "entropeg.codebreakers.onestep:ExpectedSize",
        "entropy": "entropeg.codebreakers.onestep:Entropy",
        "parts": "entropeg.codebreakers.onestep:Parts",
        "weighted-entropy": "entropeg.codebreakers.onestep:WeightedEntropy",
        "by-turn": "entropeg.codebreakers.onestep:ByTurn",
        "dichotomy": "entropeg.codebreakers.dichotomy:Dichotomy",
        "linear": "entropeg.codebreakers.linear.player:Linear",
        "decoder": "entropeg.codebreakers.decoder.player:Decoder",
        "tree": "entropeg.tree.player:TreeFile",
        "montecarlo": "entropeg.codebreakers.montecarlo:Montecarlo",
        "auto": "entropeg.codebreakers.auto:Auto",
        "adviser": "entropeg.advise.quick:Adviser",
        "evolutionary": "entropeg.codebreakers.evolutionary:Evolutionary",
        "sampling": "entropeg.codebreakers.sampling.player:Sampling",
        "belief": "entropeg.codebreakers.belief.player:Belief",
    },
    forms=foreign_forms("codebreaker"),
    methods=("guess(position, rng)",),
)


def of(player: Codebreaker | str) -> Codebreaker:
    """Return a codebreaker that is given as such or by its name; InputError says why it is none.

    >>> of("consistent") == of(get("consistent"))
    True
    """
    return registry.of(player)


def get(spec: str) -> Codebreaker:
    """Make a codebreaker from its name and parameters, as `minimax:ties=first`.

    Raises InputError for an unknown name (with the nearest ones), parameter or value.

    >>> get("consistent").name
    'consistent'
    """
    return registry.get(spec)


def names() -> list[str]:
    """Return the names of all codebreakers, those of other packages last."""
    return registry.names
