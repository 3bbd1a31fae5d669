"""Writing down why no strategy is better: the lemmas that `search.proving.verifier` checks by code of its own.

The search is the oracle: it says which parts have to be bounded by how much so that a guess is refuted. Only what
the verifier's formulas do not see by themselves is written.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.feedback import Method, check_known
from entropeg.files import FileKind, write_whole
from entropeg.rules import Blanks, Rules
from entropeg.search.proving.verifier import FORMAT, WEIGHTED_FORMAT, Verifier, verifier_of


def _is_proof(content: bytes) -> bool:
    if content.startswith(b"\x1f\x8b"):
        content = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, 100)
    return any(content.startswith(b'{"format":"%s"' % kind.encode()) for kind in (FORMAT, WEIGHTED_FORMAT))


KIND = FileKind("a proof of a lower bound", _is_proof)

Codes = NDArray[np.int64]
History = list[list[int]]


def check_provable(rules: Rules) -> None:
    """Raise InputError for boards whose proofs cannot be written: blanks, or feedback of another kind."""
    if rules.blanks != Blanks.none or rules.secret_count != rules.guess_count:
        raise InputError(f"proofs are written for boards without blanks whose guesses are the secrets, not for {rules}")
    check_known(rules, Method.proofs)


class Certificate:
    """The lemmas for a lower bound of a whole board.

    Codes are numbered as in the file. ``value(codes, ub)`` asks the search: the least total of a set if it is below
    ``ub``, else a lower bound of at least ``ub``.
    """

    def __init__(self, verifier: Verifier, value: Callable[[Codes, int], int]) -> None:
        """Begin with no lemma."""
        self.verifier, self.value = verifier, value
        self.lemmas: list[Any] = []
        self._written: dict[bytes, tuple[int, int]] = {}

    def write(self, codes: Codes, bound: int, history: History) -> int:
        """Write that `codes`, which `history` leads to, take `bound` guesses at least; the number of the lemma."""
        key = codes.tobytes()
        if key in self._written and self._written[key][1] >= bound:
            return self._written[key][0]
        guesses = []
        if bound > self.verifier.split_bound(codes):
            classes = {kind: guess for guess, kind in self.verifier.open_guesses(history, codes, bound).items()}
            guesses = [
                [guess, self._refute(codes, guess, bound, history)]
                for guess in sorted(classes.values())  # one of every class
                if self.verifier.value(0, codes, guess, {}, [], bound) < bound
            ]
        self.lemmas.append([history, bound, guesses])
        self._written[key] = len(self.lemmas) - 1, bound
        return len(self.lemmas) - 1

    def _refute(self, codes: Codes, guess: int, bound: int, history: History) -> list[list[int]]:
        """[label, lemma] of the parts that must be bounded beyond the formulas."""
        labels = self.verifier.label[guess][codes]
        parts = [(int(label), codes[labels == label]) for label in np.unique(labels) if label != self.verifier.win]
        low = {label: self.verifier.set_bound(part) for label, part in parts}
        slack = bound - self.verifier.whole(codes) - sum(low.values())
        lemmas = []
        for label, part in sorted(parts, key=lambda item: len(item[1])):
            if slack <= 0:
                break
            value = min(self.value(part, low[label] + slack), low[label] + slack)
            if value > low[label]:
                slack -= value - low[label]
                lemmas.append((label, part, value))
        if slack > 0:
            raise AssertionError(f"a guess takes {bound - slack} guesses where {bound} were proven")
        return [[label, self.write(part, value, [*history, [guess, label]])] for label, part, value in lemmas]


def write_proof(
    rules: Rules,
    bound: int,
    value: Callable[[NDArray[np.uint8], int], int],
    file: Path,
    weights: NDArray[np.int64] | None = None,
) -> int:
    """Write the lower bound of a whole board to a file; return the number of lemmas.

    ``value`` asks the search for the value of a set, codes one a row, as `Certificate` does. ``weights``: whole ones,
    by number of the code. Costs several times the search: every refuted guess is looked at again, in Python.
    """
    check_provable(rules)
    size = {"pegs": rules.pegs, "colors": rules.colors}
    kind = {"repeats": rules.repeats, "black": rules.feedback.about.in_place_only}
    verifier = verifier_of({**size, **kind}, weights)
    certificate = Certificate(verifier, lambda codes, ub: value(verifier.codes[codes].astype(np.uint8), ub))
    certificate.write(verifier.reached([]), bound, [])
    stated = {} if weights is None else {"weights": weights.tolist()}
    head = {
        "format": FORMAT if weights is None else WEIGHTED_FORMAT,
        "rules": str(replace(rules, prior=None, guess_limit=None)),
        **size,
        **kind,
        **stated,
    }
    content = json.dumps({**head, "bound": bound, "lemmas": certificate.lemmas}, separators=(",", ":")).encode()
    write_whole(file, gzip.compress(content, mtime=0) if file.suffix == ".gz" else content, KIND)
    return len(certificate.lemmas)
