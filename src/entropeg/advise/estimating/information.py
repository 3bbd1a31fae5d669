"""What the answers to a guess tell, by a sample of the codes left: bits, corrected for the sample, with their error."""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from entropeg.codes import CodeSet
from entropeg.feedback import Code

NINETEEN_OF_TWENTY = 1.96
"""Standard errors in which 19 of 20 estimates lie."""


@dataclass(frozen=True)
class Information:
    """Bits that a guess tells, estimated from a sample of the codes left; `error` holds in 19 of 20 cases.

    A sample misses answers, and shows too few bits, by about (answers seen - 1) / (2 n log 2): these are added (Miller
    1955). The error is that of the mean of -log2 p over the sample.
    """

    bits: float
    error: float

    @classmethod
    def of(cls, codes: CodeSet, guess: Code) -> Information:
        """Estimate it on a sample.

        >>> from entropeg.codes import secrets
        >>> Information.of(secrets("4x6"), (0, 0, 1, 2)).bits > 3
        True
        """
        return cls.of_sizes(codes.parts(guess)[1].tolist())

    @classmethod
    def of_sizes(cls, counted: list[int]) -> Information:
        """Estimate it from how often each answer came."""
        sizes = np.array(counted, np.float64)
        total = sizes.sum()
        shares = sizes / total
        logs = -np.log2(shares)
        bits = float(shares @ logs)
        spread = max(float(shares @ logs**2) - bits * bits, 0.0)
        missed = (len(sizes) - 1) / (2 * total * log(2))
        return cls(float(bits + missed), float(NINETEEN_OF_TWENTY * sqrt(spread / total) + missed))
