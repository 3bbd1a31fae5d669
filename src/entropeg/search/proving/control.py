"""A control at the start of long proofs: no bound above the truth is ever proven.

Bounds of a search that goes wrong look as good as any, until one of them is above the total of a strategy; that may
take hours to show, or never. So a small board, whose total is known, is asked for one guess more than it takes.
"""

from __future__ import annotations

import numpy as np

from entropeg.codes import guesses, secrets
from entropeg.rules import Rules
from entropeg.search.exact.layout import Layout
from entropeg.search.preparing import layout_options, rows_of
from entropeg.search.proving.proof import Proof

BOARD, TOTAL = "4x6", 5625
"""A board and its least total, which the literature and a certificate have too: the smallest on which openings that are
searched by the symmetry of another one cost too much."""


def check_targets(above: int = 1, seed: int = 0) -> None:
    """Raise AssertionError where the search finds another total than that of the board, asked for ``above`` more.

    ``seed``: of the random words of sets. Raises KeyboardInterrupt where it was interrupted. Costs about a second.
    """
    rules = Rules.parse(BOARD)
    layout = Layout(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules), seed=seed)
    proof = Proof(layout, layout.in_order(np.arange(len(layout.secrets))), threads=1, memory=1 << 20)
    proof.upper = TOTAL + above
    proof.run()
    if proof.cancelled:
        raise KeyboardInterrupt
    if proof.lower != TOTAL:
        raise AssertionError(f"the search proves {proof.lower} guesses for {BOARD}, which takes {TOTAL}")
