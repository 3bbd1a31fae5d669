"""The verifier in Python and the proven checker, held against each other on every kind of proof, right or forged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from entropeg.check.explicit import ask, explicit
from entropeg.check.proven_board import ProofError
from entropeg.check.verifier import verify
from entropeg.tree.optimum import optimal
from proof_files import load_proof, save_proof
from rooms import cases, often
from test_certificate_boards import HEADS, proven
from test_proof_format import forgeries, verdict

FORGED: list[tuple[str, dict[str, Any]]] = [
    ("2x6", {}),
    ("3x4/black", {}),
    ("4x3", {"limit": 4}),
    ("3x4/positional", {}),
    ("3x4", {"worst": True}),
    ("3x5/no-repeats", {}),
    ("3x5", {}),
    ("3x6/positional/hard", {}),
    ("4x4", {"consistent_only": True}),
    ("3x4", {"weights": [code % 5 for code in range(64)]}),
]


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.usefixtures("built")
def test_every_board_that_one_accepts_the_other_accepts(name: str, tmp_path: Path) -> None:
    _, least, data = proven(name, tmp_path)
    path = tmp_path / "file.json"
    save_proof(path, data)
    verify(path)

    written = explicit(path)
    ask(written)
    with pytest.raises(ProofError, match="does not accept"):
        ask(written._replace(head=[*written.head[:-1], least + 2]))


@pytest.mark.parametrize(("rules", "options"), often(4, FORGED))
@pytest.mark.usefixtures("built")
def test_of_forged_proofs_both_say_the_same_or_the_proven_one_needs_less(
    rules: str, options: dict[str, Any], tmp_path: Path
) -> None:
    optimal(rules, proof=tmp_path / "right.json", **options)
    found = optimal(rules, **{name: options[name] for name in ("consistent_only", "weights") if name in options})
    least = round((found.expected or 0) * sum(options["weights"])) if "weights" in options else found.total
    right, forged = load_proof(tmp_path / "right.json"), tmp_path / "forged.json"
    said: Counter[tuple[bool, bool]] = Counter()
    for data in forgeries(right, np.random.default_rng(46), cases(60, 400)):
        save_proof(forged, data)
        both = verdict(lambda: verify(forged)), verdict(lambda: ask(explicit(forged)))
        said[both] += 1
        # A step that is wrong and not needed is refused by the verifier alone: it is not written out. The claim holds.
        if both == (False, True):
            assert all(bound is not None and bound <= least for _, bound in data["claims"])

    assert (True, False) not in said
    assert said[True, True]
    assert said[False, False]
