"""What a guess does to the candidates: how many each feedback leaves, and the measures that strategies compare."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2

from entropeg.codes import CodeSet
from entropeg.feedback import AnyFeedback, Code, from_label, win_feedback


@dataclass(frozen=True)
class Partition:
    """The candidates of a position split by the feedback that a guess would get, all of them equally likely.

    `sizes` maps each feedback that can occur to the number of candidates that give it, in label order. Every
    measure is exact (floating point where it is not a whole number).

    >>> from entropeg import Rules, parse_code
    >>> codes = CodeSet.of([parse_code(code, Rules()) for code in ("ABCD", "ABDC", "BACD")], Rules())
    >>> round(Partition.of(codes, (0, 1, 2, 3)).bits, 2), Partition.of(codes, (1, 0, 2, 3)).largest
    (0.92, 1)
    """

    guess: Code
    sizes: dict[AnyFeedback, int]
    win: AnyFeedback

    @classmethod
    def of(cls, candidates: CodeSet, guess: Code) -> Partition:
        """Split a set of candidates by a guess; costs one pass over them."""
        rules = candidates.rules
        labels, sizes = candidates.parts(guess)
        by_feedback = {
            from_label(label, rules): size for label, size in zip(labels.tolist(), sizes.tolist(), strict=True)
        }
        return cls(tuple(guess), by_feedback, win_feedback(rules))

    @property
    def total(self) -> int:
        """Number of candidates."""
        return sum(self.sizes.values())

    @property
    def bits(self) -> float:
        """Shannon entropy of the feedback, in bits: the information that the guess is expected to bring."""
        total = self.total
        return -sum(size / total * log2(size / total) for size in self.sizes.values()) + 0.0

    @property
    def largest(self) -> int:
        """Number of candidates left in the worst case."""
        return max(self.sizes.values(), default=0)

    @property
    def expected_size(self) -> float:
        """Mean number of candidates left (the winning one counts as one left)."""
        return sum(size * size for size in self.sizes.values()) / max(self.total, 1)

    @property
    def parts(self) -> int:
        """Number of feedbacks that can occur."""
        return len(self.sizes)

    @property
    def win_possible(self) -> bool:
        """Whether the guess is itself a candidate."""
        return self.win in self.sizes
