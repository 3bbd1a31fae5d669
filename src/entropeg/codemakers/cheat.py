"""The codemaker that never settles on a secret (Bruyere, section 5)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from entropeg.codes import Array
from entropeg.errors import TooLargeError
from entropeg.feedback import AnyFeedback, Code, from_label
from entropeg.position import Position
from entropeg.registry import choice, named
from entropeg.rules import Rules


class Unsettled:
    """A codemaker that chooses no secret: it may give any answers that some secret fits."""

    def choose(self, rules: Rules, rng: np.random.Generator) -> Code | None:
        """Settle on nothing."""
        return None


@dataclass(frozen=True)
class Cheat(Unsettled):
    """Answers what leaves most codes; is never caught out.

    A candidate always remains, so that no sequence of answers tells it from an honest codemaker.
    Ties are broken at random, or with `ties=first` for the lowest label; a win is answered only when nothing
    else is possible or everything else leaves fewer candidates. Needs a board whose codes can be listed.
    """

    ties: str = "random"
    """`random` or `first`."""

    name = named("cheat")

    def __post_init__(self) -> None:
        """Refuse an unknown tie rule."""
        choice("ties", self.ties, ("random", "first"))

    @property
    def deterministic(self) -> bool:
        """Whether the same guesses always get the same answers."""
        return self.ties == "first"

    def answer(self, position: Position, guess: Code, secret: Code | None, rng: np.random.Generator) -> AnyFeedback:
        """Answer with the largest part; raises ContradictionError where no candidate is left."""
        best = self.choices(position, guess)
        pick = 0 if self.deterministic else int(rng.integers(len(best)))
        return from_label(int(best[pick]), position.rules)

    def choices(self, position: Position, guess: Code) -> Array:
        """Return the labels among which it chooses: those of the largest parts, ascending, the win only if alone."""
        try:
            position.check_consistent()
            labels, sizes = position.candidates.parts(guess)
        except TooLargeError:
            rules = position.rules
            raise TooLargeError(
                "{rules} has {codes:count} codes: too many for the cheat, which weighs every code that "
                "is left; the codemaker honest plays there",
                rules,
                rules.secret_count,
            ) from None
        best: Array = labels[sizes == sizes.max()]
        return best[best != position.rules.win_label] if len(best) > 1 else best
