"""The independent checker of stored lower bounds. It shares no code with the search: NumPy and the definitions alone.

A proof file is JSON (compressed where its name ends in .gz): rules, the bound of the board, and `lemmas`, each
`[history, bound, guesses]`. History is a list of `[guess, label]`; it leads to the set S of codes that give these
labels, and the lemma says that no strategy finds all codes of S in fewer than `bound` guesses in total. `guesses`
holds, for every class of guesses that the formulas below do not refute, `[guess, [[label, lemma], ...]]`: earlier
lemmas on the parts with these labels. Codes are numbered in lexicographic order, labels are black * (pegs + 1) + white
(black alone under black feedback). The last lemma is that of the whole board.

What is checked for a lemma: every guess g, by n + sum over the other parts of their bounds >= bound. Bounds of a part:

- *sizes*: of x codes at most 1 is found by one guess, m - 1 more by two, (m - 1)**2 by three, m the number of labels;
- *parts*: a guess with K non-empty parts, itself included, costs at least 3n - K, less 1 if it is in the set, since
  each part but its own costs 2x - 1 at least; the bound of a set is the least over all guesses;
- *lemmas* of the same set.

Guesses are one class if a permutation of pegs and colors takes one to the other and each guess of the history to
itself: it takes S to itself too, so both cost the same. Guesses with the same label for each code of S are one, too.

    python -m entropeg.search.verifier FILE
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np

FORMAT = "entropeg lower bound 1"
RENAMED = 2
"""Permutations are looked for up to so many guesses of history; after more of them hardly any is left."""


class ProofError(ValueError):
    """A step of the proof does not hold: the message says which."""


class Verifier:
    """All labels of a board, and the bounds of sets of codes."""

    def __init__(self, pegs: int, colors: int, *, repeats: bool, black: bool) -> None:
        """List the codes and score every pair by counting."""
        chosen: Iterable[tuple[int, ...]] = (
            product(range(colors), repeat=pegs) if repeats else permutations(range(colors), pegs)
        )
        self.codes = np.array(list(chosen))
        self.pegs, self.colors = pegs, colors
        blacks = (self.codes[:, None, :] == self.codes[None]).sum(axis=2)
        common = np.zeros_like(blacks)
        for color in range(colors):
            have = (self.codes == color).sum(axis=1)
            common += np.minimum(have[:, None], have[None])
        self.label = (blacks if black else blacks * pegs + common).astype(np.uint8)
        self.win = pegs if black else pegs * (pegs + 1)
        self.labels = np.unique(self.label)
        fan = len(self.labels) - 1
        self.least = np.zeros(len(self.codes) + 1, np.int64)
        settled, layer = 0, 1
        sizes = np.arange(len(self.least))
        while settled < len(self.codes):
            self.least += np.maximum(sizes - settled, 0)
            settled, layer = settled + layer, layer * fan
        self.known: dict[bytes, int] = {}

    def reached(self, history: list[list[int]]) -> Any:
        """Codes that give these labels."""
        left = np.ones(len(self.codes), bool)
        for guess, label in history:
            left &= self.label[guess] == label
        return np.flatnonzero(left)

    def guess_bounds(self, codes: Any) -> Any:
        """For every guess, what it costs at least by the sizes and the number of its parts."""
        n = len(codes)
        rows = self.label[:, codes]
        total, parts = np.full(len(rows), n), np.zeros(len(rows), np.int64)
        for label in self.labels:
            size = (rows == label).sum(axis=1)
            if label == self.win:
                parts += 2 * size  # its own part, and once more for being in the set
            else:
                total += self.least[size]
                parts += size > 0
                total[size == n] = 10**9  # a guess that tells nothing is no use
        return np.maximum(total, 3 * n - parts)

    def set_bound(self, codes: Any) -> int:
        """What a set costs at least by the formulas."""
        if len(codes) <= 2:
            return 2 * len(codes) - 1
        key = codes.tobytes()
        if key not in self.known:
            self.known[key] = int(self.guess_bounds(codes).min())
        return self.known[key]

    def classes(self, history: list[list[int]], codes: Any) -> Any:
        """A number for each guess; equal numbers only where the guesses cost the same."""
        rows = self.label[:, codes]
        _, same = np.unique(rows, axis=0, return_inverse=True)
        if len(history) > RENAMED:
            return same.reshape(-1)
        played = [self.codes[guess] for guess, _ in history]
        keys = [self._names(order, names) for order, names in self._symmetries(played)]
        least = np.min(keys, axis=0)
        # Classes of either kind may be joined: take the least key among guesses with the same labels.
        joined = np.full(int(same.max()) + 1, np.iinfo(np.int64).max)
        np.minimum.at(joined, same.reshape(-1), least)
        return joined[same.reshape(-1)]

    def _symmetries(self, played: list[Any]) -> list[tuple[list[int], dict[int, int]]]:
        """(order of pegs, names of the colors played) that take each guess played to itself."""
        found = []
        for order in permutations(range(self.pegs)):
            names: dict[int, int] = {}
            fits = True
            for code in played:
                for peg in range(self.pegs):
                    old, new = int(code[order[peg]]), int(code[peg])
                    fits = fits and names.setdefault(old, new) == new
            if fits and len(set(names.values())) == len(names):
                found.append((list(order), names))
        return found

    def _names(self, order: list[int], names: dict[int, int]) -> Any:
        """Every guess under one symmetry, as a number: colors that were not played are named in order of appearance."""
        moved = self.codes[:, order]
        free = np.array([color not in names for color in range(self.colors)])
        token = np.array([names.get(color, 0) for color in range(self.colors)])
        number, seen = np.zeros(len(moved), np.int64), np.zeros(len(moved), np.int64)
        given = np.full((len(moved), self.colors), -1)
        rows = np.arange(len(moved))
        for peg in range(self.pegs):
            color = moved[:, peg]
            new = free[color] & (given[rows, color] < 0)
            given[rows[new], color[new]] = seen[new]
            seen += new
            number = number * (2 * self.colors) + np.where(free[color], self.colors + given[rows, color], token[color])
        return number

    def check(self, lemmas: list[Any]) -> tuple[Any, int]:
        """Check every lemma; (codes, bound) of the last. Raises ProofError at the first step that does not hold."""
        proven: list[tuple[Any, int]] = []
        for number, (history, bound, guesses) in enumerate(lemmas):
            codes = self.reached(history)
            self._check_lemma(number, history, codes, bound, guesses, proven)
            proven.append((codes, bound))
        if not proven:
            raise ProofError("the proof has no lemma")
        return proven[-1]

    def _check_lemma(
        self, number: int, history: Any, codes: Any, bound: int, guesses: Any, proven: list[tuple[Any, int]]
    ) -> None:
        """Check that no guess is below the bound."""
        if bound <= self.set_bound(codes):
            return
        open_ = self.guess_bounds(codes) < bound
        classes = self.classes(history, codes)
        refuted = set()
        for guess, parts in guesses:
            value = self._value(number, codes, guess, dict(parts), proven)
            if value < bound:
                raise ProofError(f"lemma {number}: guess {guess} is bounded by {value}, not by {bound}")
            refuted.add(int(classes[guess]))
        for guess in np.flatnonzero(open_).tolist():
            if int(classes[guess]) not in refuted:
                if self._value(number, codes, guess, {}, proven) < bound:
                    raise ProofError(f"lemma {number}: guess {guess} is not refuted")
                refuted.add(int(classes[guess]))

    def _value(self, number: int, codes: Any, guess: int, parts: dict[int, int], proven: list[tuple[Any, int]]) -> int:
        """What a guess costs at least, with the lemmas named for its parts."""
        labels = self.label[guess][codes]
        total = len(codes)
        for label in np.unique(labels).tolist():
            if label == self.win:
                continue
            part = codes[labels == label]
            least = int(self.set_bound(part))
            if label in parts:
                if not 0 <= parts[label] < len(proven):
                    raise ProofError(f"lemma {number} rests on lemma {parts[label]}, which does not come before it")
                other, bound = proven[parts[label]]
                if not np.array_equal(other, part):
                    raise ProofError(f"lemma {number}: lemma {parts[label]} is about other codes than guess {guess}")
                least = max(least, bound)
            total += least
        return total


def verify(path: str | Path) -> tuple[str, int, int]:
    """(rules, codes, bound) that a proof file proves: no strategy has a smaller total. Raises ProofError, ValueError.

    Costs about a millisecond a lemma on 4x6, and memory for the labels of all pairs.
    """
    content = Path(path).read_bytes()
    data = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    if data.get("format") != FORMAT:
        raise ProofError(f"{path} is no proof of a lower bound that this program reads ({FORMAT})")
    verifier = Verifier(data["pegs"], data["colors"], repeats=data["repeats"], black=data["black"])
    codes, bound = verifier.check(data["lemmas"])
    if len(codes) != len(verifier.codes) or bound != data["bound"]:
        raise ProofError(f"the last lemma is not that all {len(verifier.codes)} codes take {data['bound']} guesses")
    return str(data["rules"]), len(codes), bound


if __name__ == "__main__":
    try:
        proven = verify(sys.argv[1])
    except (ProofError, OSError, ValueError, KeyError, IndexError) as error:
        sys.exit(f"refused: {error}")
    sys.stdout.write(f"{proven[0]}: total >= {proven[2]} guesses over {proven[1]:,} codes (verified)\n")
