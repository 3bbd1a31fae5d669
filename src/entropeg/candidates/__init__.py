"""The codes that fit some turns, found without a position: built, walked to, solved for, or proven not to be.

Scanning a list of all codes is `CodeSet.consistent`; it is faster where the list is already there and small.
Building needs no list, and serves boards whose codes are too many. `find_candidates` picks the way.
`clues` says which guesses the turns still allow under hard rules.
"""

from entropeg.candidates.build import (
    STEPS,
    BuildProgress,
    build_codes,
    can_build,
    count_codes,
    first_codes,
    is_possible,
)
from entropeg.candidates.chains import Chains, can_walk
from entropeg.candidates.clues import Clues, check_unbound, followers
from entropeg.candidates.conflict import minimal_conflict, smallest_conflict, smallest_conflicts
from entropeg.candidates.constraints import Synthetic, synthetic_guess
from entropeg.candidates.front import SCANNED, Found, find_candidates

__all__ = [
    "SCANNED",
    "STEPS",
    "BuildProgress",
    "Chains",
    "Clues",
    "Found",
    "Synthetic",
    "build_codes",
    "can_build",
    "can_walk",
    "check_unbound",
    "count_codes",
    "find_candidates",
    "first_codes",
    "followers",
    "is_possible",
    "minimal_conflict",
    "smallest_conflict",
    "smallest_conflicts",
    "synthetic_guess",
]
