"""The independent checker of stored lower bounds.

It shares no code with the search, the kernels or the rules: NumPy and the definitions alone. Only the bytes of the file
are read by the room `files`, as all files of this program are.

A proof file is JSON (compressed where its name ends in .gz): a head, which tells the board (`proven_board`), the bound
of the board, and `lemmas`, each `[history, bound, guesses]`. History is a list of `[guess, label]`; it leads to the set
S of secrets that give these labels (`proven_labels`), and the lemma says that no strategy finds all of S in fewer than
`bound` guesses in total. `guesses` holds, for every class of guesses that the formulas below do not refute, `[guess,
[[label, lemma], ...]]`: earlier lemmas on the parts with these labels. The last lemma is that of the whole board.

A file with `weights`, a whole number for each secret, is about the sum of weight times guesses in the place of the
number of guesses, and about the secrets whose weight is not 0. All weights 1 are the same as none.

A file that is `hard` is about strategies that use every clue: a peg that was in place keeps its color there, and of
each color a guess has at least as many pegs as had marks in one answer. What may be guessed depends on the history
then, and every set below is a set with its clues. Every secret of S uses them all.

A lemma is checked by trying every guess g: n + sum over the other parts of their bounds >= bound, where n is the
number of secrets, or the sum of their weights. Bounds of a part:

- *sizes*: where a guess of the set that is cut leaves at most q parts of it, its own not counted, and one outside at
  most r, no guess leaves more of a subset. Of x codes either 1 is found by the first guess and q more by the second, at
  most, or none and r; and where s codes at most are found by some number of guesses, by one more at most 1 + q * s or r
  * s. Under weights at best the heaviest are found first;
- *parts*: a guess with K non-empty parts, itself included, costs at least 3n - K, less 1 if it is in the set, since
  each part but its own costs 2x - 1 at least; the bound of a set is the least over all guesses. Under weights a part of
  weight x whose heaviest code weighs h costs 2x - h at least, so the guess 3n less the heaviest weight of each part,
  and less its own weight once more;
- *lemmas* of the same set; under hard rules, of one whose clues allow all that its own allow.

Guesses are one class if a symmetry (`proven_symmetry`) takes one to the other. Guesses with the same label for each
code of S are one, too; under hard rules if they have the same color, besides, at each peg that one of these labels
marks elsewhere, since then they oblige to the same: in place both have what the secrets have.

    python -m entropeg.check.verifier FILE
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropeg.check.proven_board import FORMAT, OTHER_FORMAT, WEIGHTED_FORMAT, ProofError, board_of, check_fields
from entropeg.check.proven_bounds import NO_USE, Left, SetBounds, WeightedSetBounds
from entropeg.files import parse_json, read_bytes, shown, unpacked
from entropeg.files.reading import decoded
from entropeg.told import Told


class Verifier:
    """Checks the lemmas about the sets of a board, one after the other."""

    def __init__(self, sets: SetBounds) -> None:
        """Begin with none."""
        self.sets = sets

    def check(self, lemmas: list[Any], progress: Callable[[int], object] | None = None) -> tuple[Any, int]:
        """Check every lemma; (codes, bound) of the last. Raises ProofError at the first step that does not hold.

        ``progress`` is told how many are checked.
        """
        proven: list[tuple[Left, int]] = []
        for number, lemma in enumerate(lemmas):
            if not _is_lemma(lemma, len(self.sets.board.guesses)):
                raise ProofError("lemma {number} is not written as lemmas are: [history, bound, guesses]", number)
            if progress is not None:
                progress(number)
            history, bound, guesses = lemma
            left = self.sets.reached(history)
            if not len(left.codes):
                raise ProofError("lemma {number} is about no code: none gives these labels", number)
            self._check_lemma(number, history, left, bound, guesses, proven)
            proven.append((left, bound))
        if not proven:
            raise ProofError("the proof has no lemma")
        return proven[-1][0].codes, proven[-1][1]

    def _check_lemma(
        self, number: int, history: Any, left: Left, bound: int, guesses: Any, proven: list[tuple[Left, int]]
    ) -> None:
        """Check that no guess is below the bound."""
        if bound <= self.sets.split_bound(left):
            return
        classes = self.sets.open_guesses(history, left, bound)
        refuted = set()
        for guess, parts in guesses:
            named = {self.sets.place.get(label, self.sets.win + 1): lemma for label, lemma in parts}
            value = self.value(number, left, guess, named, proven, bound)
            if value < bound:
                raise ProofError(
                    "lemma {number}: guess {guess} is bounded by {value}, not by {bound}", number, guess, value, bound
                )
            refuted.add(classes.get(guess))
        for guess, kind in classes.items():
            if kind not in refuted:
                if self.value(number, left, guess, {}, proven, bound) < bound:
                    raise ProofError("lemma {number}: guess {guess} is not refuted", number, guess)
                refuted.add(kind)

    def value(
        self, number: int, left: Left, guess: int, lemmas: dict[int, int], proven: list[tuple[Left, int]], enough: int
    ) -> int:
        """The least cost of a guess, with the lemmas named for its parts; no more is looked for than is `enough`."""
        codes = left.codes
        labels = self.sets.label[codes, guess]
        sizes, low = np.bincount(labels, minlength=self.sets.win + 1), self.sets.floors(left, labels)
        total, open_ = self.sets.whole(codes) + int(low.sum()), []
        for place in np.flatnonzero(low).tolist():
            if sizes[place] > 2 or place in lemmas:
                part, least = self.sets.part(left, guess, place), int(low[place])
                if place in lemmas:
                    least = max(least, self._lemma(number, lemmas[place], proven, part, guess))
                    total += least - int(low[place])
                open_.append((part, least))
        open_.sort(key=lambda one: len(one[0].codes))
        for bound in (self.sets.split_bound, self.sets.set_bound):
            for i, (part, least) in enumerate(open_):
                if total >= enough:
                    return total
                more = max(least, bound(part))
                total += more - least
                open_[i] = part, more
        return total

    def _lemma(self, number: int, named: int, proven: list[tuple[Left, int]], part: Left, guess: int) -> int:
        """The bound of a lemma that must be about this part, allow at least its guesses, and stand before."""
        if not 0 <= named < len(proven):
            raise ProofError("lemma {number} rests on lemma {named}, which does not come before it", number, named)
        left, bound = proven[named]
        if not np.array_equal(left.codes, part.codes):
            raise ProofError(
                "lemma {number}: lemma {named} is about other codes than guess {guess}", number, named, guess
            )
        if left.clues != part.clues and not np.isin(self.sets.guesses(part), self.sets.guesses(left)).all():
            raise ProofError(
                "lemma {number}: lemma {named} is about fewer guesses than are allowed after {guess}",
                number,
                named,
                guess,
            )
        return bound


def sets_of(head: dict[str, Any], weight: Any = None) -> SetBounds:
    """The sets of the board that a head tells, with weights or without. Raises ProofError where it is none."""
    board = board_of(head)
    return SetBounds(board) if weight is None else WeightedSetBounds(board, weight)


def _is_lemma(lemma: Any, codes: int) -> bool:
    """Whether these are lists of numbers as a lemma has them, its guesses codes of the board."""
    if not (isinstance(lemma, list) and len(lemma) == 3):
        return False
    history, bound, guesses = lemma
    if not (isinstance(history, list) and isinstance(guesses, list) and type(bound) is int and bound < NO_USE):
        return False
    parts = [part[1] for part in guesses if isinstance(part, list) and len(part) == 2]
    pairs = [*history, *(pair for some in parts if isinstance(some, list) for pair in some)]
    return (
        len(parts) == len(guesses)
        and all(isinstance(some, list) for some in parts)
        and all(isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is type(pair[1]) is int for pair in pairs)
        and all(type(guess) is int and 0 <= guess < codes for guess, _ in (*history, *guesses))
    )


def _read(path: str | Path) -> dict[str, Any]:
    """The proof as it stands in the file, with the entries of every head."""
    content = read_bytes(path)
    content = unpacked(content) if content[:2] == b"\x1f\x8b" else content
    data = parse_json(decoded(content, shown(path)))
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, WEIGHTED_FORMAT, OTHER_FORMAT):
        raise ProofError("it is no proof of a lower bound that this program reads ({format}, 2 or 3)", FORMAT)
    check_fields(data, {"bound": int, "lemmas": list})
    is_other = data["format"] == OTHER_FORMAT
    if is_other == ("black" in data):
        raise ProofError(
            Told("its 'feedback' is missing") if is_other else Told("its 'black' is missing, or not true or false")
        )
    return data


def _sets(data: dict[str, Any]) -> SetBounds:
    is_weighted = data["format"] == WEIGHTED_FORMAT or (data["format"] == OTHER_FORMAT and "weights" in data)
    board = board_of(data)
    if not is_weighted:
        return SetBounds(board)
    weights, codes = data.get("weights"), len(board.secrets)
    if not (isinstance(weights, list) and len(weights) == codes and all(type(w) is int and w >= 0 for w in weights)):
        raise ProofError("its weights are not {codes:,} whole numbers, one a code", codes)
    most = 1 << 50  # so that no bound reaches NO_USE
    if not 0 < sum(weights) <= most:
        raise ProofError(
            "its weights sum up to {weight}; proofs are checked of sums from 1 to {most:,}", sum(weights), most
        )
    return WeightedSetBounds(board, weights)


class Proven(NamedTuple):
    """A proven bound: no strategy for these codes has a smaller total, or sum of weight times guesses."""

    rules: str
    codes: int
    bound: int
    weight: int | None
    """Sum of the weights; None without weights."""

    def __str__(self) -> str:
        """Say it in one line."""
        if self.weight is None:
            return Told(
                "{rules}: total >= {bound} guesses over {codes:,} codes (verified)", self.rules, self.bound, self.codes
            )
        return Told(
            "{rules} under the weights of the file: weighted total >= {bound} guesses over {codes:,} codes, "
            "expected >= {expected:.10g} (verified)",
            self.rules,
            self.bound,
            self.codes,
            self.bound / self.weight,
        )


def verify(path: str | Path, progress: Callable[[int, int], object] | None = None) -> Proven:
    """Return what a proof file proves.

    ``progress`` is told how many of how many lemmas are checked. 4x6 takes half a processor second on a 2.5 GHz Xeon,
    300 words with 1,000 guesses 0.12, 1,000 with 4,000 14: the time grows with pairs of secrets and guesses, and with
    guesses that have to be looked at. Costs memory for all pairs: a byte for the label, and a bit for each label up to
    `proven_board.STORED` bytes.

    Raises ProofError at the first step that does not hold, InputError where the file cannot be read.
    """
    data = _read(path)
    lemmas, sets = data["lemmas"], _sets(data)
    codes, bound = Verifier(sets).check(lemmas, None if progress is None else lambda done: progress(done, len(lemmas)))
    all_codes = np.count_nonzero(sets.weight)
    if len(codes) != all_codes or bound != data["bound"]:
        raise ProofError(
            "the last lemma is not that all {codes} codes take {guesses} guesses", all_codes, data["bound"]
        )
    weight = sets.whole(codes) if isinstance(sets, WeightedSetBounds) else None
    return Proven(sets.board.name, len(codes), bound, weight)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("name one file: python -m entropeg.check.verifier FILE")
    try:
        proven = verify(sys.argv[1])
    except (ValueError, MemoryError) as error:
        sys.exit(f"refused: {error}")
    sys.stdout.write(f"{proven}\n")
