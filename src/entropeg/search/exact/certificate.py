"""Writing down why no strategy is better: the lemmas that `search.exact.verifier` checks by code of its own.

The search is the oracle: it says which parts have to be bounded by how much so that a guess is refuted. Only what
the verifier's formulas do not see by themselves is written.
"""

from __future__ import annotations

import gzip
import json
import zlib
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.codes import secrets
from entropeg.errors import InputError
from entropeg.feedback import Family, check_known
from entropeg.files import Kind, write_whole
from entropeg.rules import Blanks, Rules
from entropeg.search.exact import engine
from entropeg.search.exact.desk import INF, SYMMETRIC, UNLIMITED
from entropeg.search.exact.proof import Proof, solve_part

FORMAT = "entropeg lower bound 1"
RENAMED = 2
"""Symmetry is written for sets with at most so many guesses behind them, as the verifier reads it."""


def _is_proof(content: bytes) -> bool:
    if content.startswith(b"\x1f\x8b"):
        content = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(content, 100)
    return content.startswith(b'{"format":"%s"' % FORMAT.encode())


KIND = Kind("a proof of a lower bound", _is_proof)

Codes = NDArray[np.int32]
History = tuple[tuple[int, int], ...]


def check_provable(rules: Rules) -> None:
    """Raise InputError for boards whose proofs cannot be written: blanks, or feedback of another kind."""
    if rules.blanks != Blanks.none or rules.secret_count != rules.guess_count:
        raise InputError(f"proofs are written for boards without blanks whose guesses are the secrets, not for {rules}")
    check_known(rules, Family.proofs)


class Certificate:
    """The lemmas for a lower bound of a whole board, from a finished search."""

    def __init__(self, proof: Proof) -> None:
        """Take the search with what it knows; sets are rows of its layout."""
        self.proof, self.layout = proof, proof.layout
        self.by_guess = self.layout.arrays["by_guess"][:, : len(self.layout.secrets)]
        self.win = len(self.layout.labels) - 1
        order = np.lexsort(self.layout.guesses.T[::-1])
        self.number = np.empty(len(order), np.int64)
        self.number[order] = np.arange(len(order))
        self.least = cache(self._least)
        self.lemmas: list[Any] = []
        self.written: dict[bytes, tuple[int, int]] = {}
        self.bounds: dict[bytes, int] = {}

    def write(self, codes: Codes, bound: int, history: History = ()) -> int:
        """Write that `codes`, which `history` leads to, take `bound` guesses at least; the number of the lemma."""
        key = codes.tobytes()
        if key in self.written and self.written[key][1] >= bound:
            return self.written[key][0]
        guesses = []
        for guess in self._open_guesses(codes, bound, history):
            parts = self._refute(codes, guess, bound, history)
            if parts:
                guesses.append([int(self.number[guess]), parts])
        steps = [[int(self.number[guess]), self.layout.labels[label]] for guess, label in history]
        self.lemmas.append([steps, bound, guesses])
        self.written[key] = len(self.lemmas) - 1, bound
        return len(self.lemmas) - 1

    def _least(self, own: int, other: int) -> NDArray[np.int64]:
        """The size bound of every size, where guesses leave at most so many parts."""
        return np.array([engine.size_bound(n, own, other) for n in range(len(self.layout.secrets) + 1)])

    def _fan(self, codes: Codes) -> tuple[int, int]:
        """Most parts beside itself that a possible guess leaves, and that another leaves."""
        rows = self.by_guess[:, codes]
        parts = np.zeros(len(rows), np.int64)
        for label in range(self.win):
            parts += (rows == label).any(axis=1)
        possible = (rows == self.win).any(axis=1)
        return int(parts[possible].max()), int(parts[~possible].max(initial=0))

    def _open_guesses(self, codes: Codes, bound: int, history: History) -> list[int]:
        """One guess of every class that the sizes and the number of its parts do not refute."""
        rows = self.by_guess[:, codes]
        total, parts = np.full(len(rows), len(codes)), np.zeros(len(rows), np.int64)
        least = self.least(*self._fan(codes))
        for label in range(self.win + 1):
            size = (rows == label).sum(axis=1)
            if label == self.win:
                parts += 2 * size
            else:
                total += least[size]
                parts += size > 0
                total[size == len(codes)] = INF
        left = np.flatnonzero(np.maximum(total, 3 * len(codes) - parts) < bound)
        chosen, seen = [], set()
        symmetries = self._symmetries(history) if len(history) <= RENAMED else []
        for guess in left.tolist():
            row = rows[guess].tobytes()
            if row in seen:
                continue
            seen.add(row)
            if symmetries:
                name = min(self._named(guess, *symmetry) for symmetry in symmetries)
                if name in seen:
                    continue
                seen.add(name)
            chosen.append(guess)
        return chosen

    def _refute(self, codes: Codes, guess: int, bound: int, history: History) -> list[list[int]]:
        """[label, lemma] of the parts that must be bounded beyond the formulas; empty if none must."""
        labels = self.by_guess[guess][codes]
        parts = [(label, codes[labels == label]) for label in np.unique(labels).tolist() if label != self.win]
        low = {label: self._formula(part) for label, part in parts}
        slack = bound - len(codes) - sum(low.values())
        lemmas = []
        for label, part in sorted(parts, key=lambda item: len(item[1])):
            if slack <= 0:
                break
            value = min(self._value(part, low[label] + slack), low[label] + slack)
            if value > low[label]:
                slack -= value - low[label]
                lemmas.append((label, part, value))
        if slack > 0:
            raise AssertionError(f"a guess takes {bound - slack} guesses where {bound} were proven")
        return [
            [self.layout.labels[label], self.write(part, value, (*history, (guess, label)))]
            for label, part, value in lemmas
        ]

    def _formula(self, codes: Codes) -> int:
        """Part-count or size bound of a set: no more than the verifier finds."""
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        key = codes.tobytes()
        if key not in self.bounds:
            work = self.proof.works[0]
            work.stack[: len(codes)] = codes
            bound, _ = engine.part_bound(work.desk, work.arrays["answer"], len(codes), UNLIMITED)
            self.bounds[key] = max(int(bound), int(self.least(self.win, self.win)[len(codes)]))
        return self.bounds[key]

    def _value(self, codes: Codes, ub: int) -> int:
        return solve_part(self.proof, codes, ub, SYMMETRIC + 1)

    # ------------------------------------------------------------ symmetry

    def _symmetries(self, history: History) -> list[tuple[tuple[int, ...], dict[int, int]]]:
        played = [self.layout.guesses[guess].tolist() for guess, _ in history]
        found = []
        for order in permutations(range(self.layout.guesses.shape[1])):
            pairs = {(code[order[peg]], code[peg]) for code in played for peg in range(len(code))}
            olds, news = {old for old, _ in pairs}, {new for _, new in pairs}
            if len(pairs) == len(olds) == len(news):
                found.append((order, dict(pairs)))
        return found

    def _named(self, guess: int, order: tuple[int, ...], names: dict[int, int]) -> tuple[int, ...]:
        code, colors = self.layout.guesses[guess].tolist(), len(names) + 64
        fresh: dict[int, int] = {}
        return tuple(
            names[color] if color in names else fresh.setdefault(color, colors + len(fresh))
            for color in (code[peg] for peg in order)
        )


def write_proof(rules: Rules, proof: Proof, file: str | Path | None) -> int:
    """Write the lower bound of a search of a whole board to a file if one is named; the number of lemmas.

    Nothing is written, and 0 returned, where the search was stopped.

    Costs several times the search: every refuted guess is looked at again, in Python.
    """
    if file is None or not proof.finished:
        return 0
    path = Path(file)
    check_provable(rules)
    if proof.limit != UNLIMITED or len(proof.start) != len(secrets(rules)):
        raise InputError("only the search of a whole board without a limit has a proof to write")
    certificate = Certificate(proof)
    certificate.write(proof.start, int(proof.lower))
    data = {
        "format": FORMAT,
        "rules": str(rules),
        "pegs": rules.pegs,
        "colors": rules.colors,
        "repeats": rules.repeats,
        "black": rules.feedback.about.in_place_only,
        "bound": int(proof.lower),
        "lemmas": certificate.lemmas,
    }
    content = json.dumps(data, separators=(",", ":")).encode()
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix == ".gz" else content, KIND)
    return len(certificate.lemmas)
