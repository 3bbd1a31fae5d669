"""The codes that fit some turns, found without a position: here by building them peg by peg.

Scanning a list of all codes is `CodeSet.consistent`; it is faster where the list is already there and small.
Building needs no list, and serves boards whose codes are too many.
"""

from entropeg.candidates.build import (
    STEPS,
    Progress,
    build_codes,
    can_build,
    count_codes,
    first_codes,
    is_possible,
    iterate_codes,
)
from entropeg.candidates.conflict import minimal_conflict, smallest_conflict
from entropeg.candidates.constraints import Synthetic, synthetic_guess

__all__ = [
    "STEPS",
    "Progress",
    "Synthetic",
    "build_codes",
    "can_build",
    "count_codes",
    "first_codes",
    "is_possible",
    "iterate_codes",
    "minimal_conflict",
    "smallest_conflict",
    "synthetic_guess",
]
