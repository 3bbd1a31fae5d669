"""Codebreakers: the players that guess.

A codebreaker has no state but the position and the generator that it is given, so that one object plays,
advises, reviews and builds trees. `get` finds one by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from entropeg.registry import PlayerRow, Registry, foreign_forms

if TYPE_CHECKING:
    import numpy as np

    from entropeg.feedback import Code
    from entropeg.position import Position


@runtime_checkable
class Codebreaker(Protocol):
    """Anything with a `guess` method, whatever it calls its two arguments.

    Optional attributes: `name` (the text that `get` would make it from), `deterministic` (True promises that the
    generator is never used, so that the arena may keep guesses by position), `processor_seconds(rules)`, what
    processes of its own have used so far, and `doubt(position)`, whether the answers can be true (`doubts.Doubt`).
    """

    def guess(self, position: Position, rng: np.random.Generator, /) -> Code:
        """Return the next guess; the position is not over, and its candidates may be none if its feedback lies."""
        ...


registry: Registry[Codebreaker] = Registry(
    "codebreaker",
    "entropeg.codebreakers",
    {
        "random": PlayerRow("entropeg.codebreakers.basic:Random", strength=1, is_blind=True),
        "memory": PlayerRow("entropeg.codebreakers.basic:Memory", is_blind=True),
        "consistent": PlayerRow("entropeg.codebreakers.basic:Consistent", strength=3),
        "first-consistent": PlayerRow("entropeg.codebreakers.basic:FirstConsistent", strength=2, quoted=5),
        "minimax": PlayerRow(
            "entropeg.codebreakers.onestep:Minimax", strength=4, expert=2, quoted=1, compared=("minimax",)
        ),
        "sorted-minimax": PlayerRow("entropeg.codebreakers.onestep:SortedMinimax", compared=("sorted-minimax",)),
        "expected-size": PlayerRow("entropeg.codebreakers.onestep:ExpectedSize", quoted=3, compared=("expected-size",)),
        "entropy": PlayerRow(
            "entropeg.codebreakers.onestep:Entropy",
            strength=5,
            expert=1,
            quoted=2,
            compared=("entropy", "entropy:win=yes"),
        ),
        "parts": PlayerRow("entropeg.codebreakers.onestep:Parts", strength=6, quoted=4, compared=("parts",)),
        "weighted-entropy": PlayerRow("entropeg.codebreakers.onestep:WeightedEntropy"),
        "by-turn": PlayerRow("entropeg.codebreakers.onestep:ByTurn", asks="turns", between="/"),
        "dichotomy": PlayerRow(
            "entropeg.codebreakers.dichotomy:Dichotomy", check_rules="entropeg.codebreakers.dichotomy:check_rules"
        ),
        "linear": PlayerRow(
            "entropeg.codebreakers.linear.player:Linear", check_rules="entropeg.codebreakers.linear.player:check_rules"
        ),
        "decoder": PlayerRow("entropeg.codebreakers.decoder.player:Decoder"),
        "tree": PlayerRow("entropeg.tree.player:TreeFile", reads_files=True),
        "static": PlayerRow("entropeg.codebreakers.static:Static"),
        "mixed": PlayerRow("entropeg.tree.mixed:MixedBreaker", reads_files=True),
        "montecarlo": PlayerRow(
            "entropeg.codebreakers.montecarlo:Montecarlo", check_rules="entropeg.candidates.label_tree:check_rules"
        ),
        "auto": PlayerRow("entropeg.codebreakers.auto:Auto"),
        "adviser": PlayerRow("entropeg.advise.quick:Adviser"),
        "evolutionary": PlayerRow(
            "entropeg.codebreakers.evolutionary:Evolutionary",
            check_rules="entropeg.codebreakers.evolutionary:check_rules",
        ),
        "sampling": PlayerRow(
            "entropeg.codebreakers.sampling.player:Sampling", check_rules="entropeg.candidates.chains:check_walk"
        ),
        "place": PlayerRow(
            "entropeg.codebreakers.place.player:ByPlace", check_rules="entropeg.codebreakers.place.player:check_rules"
        ),
        "belief": PlayerRow(
            "entropeg.codebreakers.belief.player:Belief", check_rules="entropeg.codebreakers.belief.player:check_rules"
        ),
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
