"""The independent checker of stored lower bounds. It shares no code with the search: NumPy and the definitions alone.

Only the bytes of the file are read by the room `files`, as all files of this program are.

A proof file is JSON (compressed where its name ends in .gz): rules, the bound of the board, and `lemmas`, each
`[history, bound, guesses]`. History is a list of `[guess, label]`; it leads to the set S of codes that give these
labels, and the lemma says that no strategy finds all codes of S in fewer than `bound` guesses in total. `guesses`
holds, for every class of guesses that the formulas below do not refute, `[guess, [[label, lemma], ...]]`: earlier
lemmas on the parts with these labels. Codes are numbered in lexicographic order, labels are black * (pegs + 1) + white
(black alone under black feedback). The last lemma is that of the whole board.

A file with `weights`, a whole number for each code, is about the sum of weight times guesses in the place of the number
of guesses, and about the codes whose weight is not 0. All weights 1 are the same as none.

What is checked for a lemma: every guess g, by n + sum over the other parts of their bounds >= bound, where n is the
number of codes, or the sum of their weights. Bounds of a part:

- *sizes*: where a guess of the set that is cut leaves at most q parts of it, its own not counted, and one outside at
  most r, no guess leaves more of a subset. Of x codes either 1 is found by the first guess and q more by the second, at
  most, or none and r; and where s codes at most are found by some number of guesses, by one more at most 1 + q * s or
  r * s. Both q and r are at most the number of labels less one. Under weights at best the heaviest are found first;
- *parts*: a guess with K non-empty parts, itself included, costs at least 3n - K, less 1 if it is in the set, since
  each part but its own costs 2x - 1 at least; the bound of a set is the least over all guesses (counted with up to
  64 labels only). Under weights a part of weight x whose heaviest code weighs h costs 2x - h at least, so the guess
  3n less the heaviest weight of each part, and less its own weight once more;
- *lemmas* of the same set.

Guesses are one class if a permutation of pegs and colors takes one to the other and each guess of the history to
itself, and changes no weight: it takes S to itself too, so both cost the same. Guesses with the same label for each
code of S are one, too.

    python -m entropeg.search.proving.verifier FILE
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from itertools import combinations, permutations, product
from math import perm
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from entropeg.errors import InputError, quoted
from entropeg.files import parse_json, read_bytes, shown, unpacked
from entropeg.files.reading import decoded

FORMAT, WEIGHTED_FORMAT = "entropeg lower bound 1", "entropeg lower bound 2"
"""Proofs without weights and with them."""
NO_USE = 1 << 61
"""What a guess costs that tells nothing: more than anything."""
MOST_WEIGHT = 1 << 50
"""The most that the weights may sum up to, so that no bound reaches NO_USE."""
RENAMED = 2
"""Permutations are looked for up to so many guesses of history; after more of them hardly any is left."""
MOST_PEGS = 10
"""All orders of the pegs are looked at."""
USUAL_BYTES = 8 << 30
"""Memory that is counted on where the system does not say how much there is."""

ONES = np.zeros(1, np.uint8)
for _ in range(16):
    ONES = np.concatenate([ONES, ONES + np.uint8(1)])  # how many bits are set in each word of 16


class ProofError(InputError):
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
        blacks = np.zeros((len(self.codes), len(self.codes)), np.uint8)
        for peg in self.codes.T:
            blacks += peg[:, None] == peg
        common = np.zeros_like(blacks)
        for color in range(colors):
            have = (self.codes == color).sum(axis=1).astype(np.uint8)
            common += np.minimum(have[:, None], have)
        self.label = blacks if black else blacks * np.uint8(pegs) + common
        self.win = pegs if black else pegs * (pegs + 1)
        self.labels = np.flatnonzero(np.bincount(self.label.reshape(-1)))
        fan = len(self.labels) - 1
        bit = np.zeros(256, np.uint16 if fan < 16 else np.uint32 if fan < 32 else np.uint64)
        bit[self.labels[:64]] = np.left_shift(bit.dtype.type(1), np.arange(min(64, fan + 1), dtype=bit.dtype))
        self.bit = bit[self.label]  # a word with one bit set for each label
        self.won = self.bit[0, 0] if len(self.labels) <= 64 else None  # the word of a guess that is the code
        self.fans: dict[bytes, tuple[int, int]] = {}
        self.weight = np.ones(len(self.codes), np.int64)
        self.peg_kind, self.color_kind = np.zeros(pegs, np.int64), np.zeros(colors, np.int64)
        self.sizes: dict[tuple[int, int], Any] = {}
        self.known: dict[bytes, int] = {}
        self.splits: dict[bytes, int] = {}

    def reached(self, history: list[list[int]]) -> Any:
        """Codes that give these labels, of those that may be the secret."""
        left = self.weight > 0
        for guess, label in history:
            left &= self.label[guess] == label
        return np.flatnonzero(left)

    def least(self, inside: int, outside: int) -> Any:
        """What x codes cost at least, by x, where guesses leave at most so many parts beside their own."""
        if (inside, outside) not in self.sizes:
            x = np.arange(len(self.codes) + 1)
            bounds = np.minimum(2 * x - 1 + np.maximum(x - 1 - inside, 0), 2 * x + np.maximum(x - outside, 0))
            found, before = max(1 + inside, outside), 0
            while before < found < len(self.codes):
                before, found = found, max(1 + inside * found, outside * found)
                bounds += np.maximum(x - found, 0) * (before < found)
            bounds[0] = 0
            self.sizes[inside, outside] = bounds
        return self.sizes[inside, outside]

    def floor(self, codes: Any, fan: tuple[int, int]) -> int:
        """What a set costs at least where no guess leaves more parts than these."""
        return int(self.least(*fan)[len(codes)])

    def floors(self, codes: Any, labels: Any) -> Any:
        """What the parts with these labels cost at least by the same bound, by label; 0 for the guess itself."""
        sizes = np.bincount(labels, minlength=self.win + 1)
        sizes[self.win] = 0
        return self.least(*self.fan(codes))[sizes]

    def whole(self, codes: Any) -> int:
        """What the first guess costs of a set: its number of codes, or their weight."""
        return int(self.weight[codes].sum())

    def few(self, codes: Any) -> int:
        """What one code costs, or two."""
        return 2 * self.whole(codes) - int(self.weight[codes].max())

    def fan(self, codes: Any) -> tuple[int, int]:
        """The most parts that a guess of a set leaves of it, its own not counted, and that any other guess leaves.

        With more than 64 labels, as many as there are.
        """
        if self.won is None:
            return len(self.labels) - 1, len(self.labels) - 1
        key = codes.tobytes()
        if key not in self.fans:
            parts = _ones(np.bitwise_or.reduce(self.bit[codes], axis=0) & ~self.won)
            inside = int(parts[codes].max())
            parts[codes] = 0
            self.fans[key] = inside, int(parts.max())
        return self.fans[key]

    def part_bounds(self, codes: Any) -> Any:
        """For every guess, what it costs at least by the number of its parts.

        With more than 64 labels the others are not counted, and the bound of this kind is none.
        """
        n = len(codes)
        if len(self.labels) > 64:
            return np.zeros(len(self.codes), np.int64)
        seen = np.bitwise_or.reduce(self.bit[codes], axis=0)
        bounds = 3 * n - _ones(seen)
        bounds[codes] -= 1  # a guess that is in the set saves one more
        return bounds

    def size_bounds(self, codes: Any, guesses: Any) -> Any:
        """For each of these guesses, what it costs at least by the sizes of its parts."""
        n = len(codes)
        rows = self.label[codes] if len(guesses) == len(self.codes) else self.label[codes][:, guesses]
        total = np.full(len(guesses), n)
        least = self.least(*self.fan(codes))
        for label in self.labels:
            if label != self.win:
                size = _count(rows == label)
                total += least[size]
                total[size == n] = NO_USE
        return total

    def guess_bounds(self, codes: Any) -> Any:
        """For every guess, what it costs at least by the sizes and the number of its parts."""
        return np.maximum(self.size_bounds(codes, np.arange(len(self.codes))), self.part_bounds(codes))

    def set_bound(self, codes: Any) -> int:
        """What a set costs at least by the formulas."""
        if len(codes) <= 2:
            return self.few(codes)
        key = codes.tobytes()
        if key not in self.known:
            self.known[key] = int(self.guess_bounds(codes).min())
        return self.known[key]

    def split_bound(self, codes: Any) -> int:
        """What a set costs at least by its size, or the number of parts alone: quick, and at most `set_bound`."""
        if len(codes) <= 2:
            return self.few(codes)
        key = codes.tobytes()
        if key not in self.splits:
            self.splits[key] = max(int(self.part_bounds(codes).min()), self.floor(codes, self.fan(codes)))
        return self.splits[key]

    def open_guesses(self, history: list[list[int]], codes: Any, bound: int) -> dict[int, int]:
        """Guesses that the formulas do not refute, and a number for each: equal ones only where they cost the same."""
        left = np.flatnonzero(self.part_bounds(codes) < bound)
        left = left[self.size_bounds(codes, left) < bound]
        return dict(zip(left.tolist(), self.classes(history, codes, left).tolist(), strict=True))

    def classes(self, history: list[list[int]], codes: Any, guesses: Any) -> Any:
        """A number for each of the guesses; equal numbers only where they cost the same."""
        numbers: dict[bytes, int] = {}
        rows = np.ascontiguousarray(self.label[guesses][:, codes])
        same = np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows], np.int64)
        if len(history) > RENAMED:
            return same
        played = [self.codes[guess] for guess, _ in history]
        keys = [self._names(guesses, order, names) for order, names in self._symmetries(played)]
        least = np.min(keys, axis=0)
        # Classes of either kind may be joined: take the least key among guesses with the same labels.
        joined = np.full(len(numbers), np.iinfo(np.int64).max)
        np.minimum.at(joined, same, least)
        return joined[same]

    def _symmetries(self, played: list[Any]) -> list[tuple[list[int], dict[int, int]]]:
        """(order of pegs, names of the colors played) that take each guess played to itself."""
        found = []
        for order in permutations(range(self.pegs)):
            names: dict[int, int] = {}
            fits = bool((self.peg_kind[list(order)] == self.peg_kind).all())
            for code in played:
                for peg in range(self.pegs):
                    old, new = int(code[order[peg]]), int(code[peg])
                    fits = fits and names.setdefault(old, new) == new and self.color_kind[old] == self.color_kind[new]
            if fits and len(set(names.values())) == len(names):
                found.append((list(order), names))
        return found

    def _names(self, guesses: Any, order: list[int], names: dict[int, int]) -> Any:
        """The guesses under one symmetry, as numbers.

        Colors that were not played get the names of those of their kind in order of appearance.
        """
        moved = self.codes[guesses][:, order]
        free = np.array([color not in names for color in range(self.colors)])
        free_of_kind = np.zeros((self.colors, self.colors), np.int64)
        for kind in set(self.color_kind.tolist()):
            some = np.flatnonzero(free & (self.color_kind == kind))
            free_of_kind[kind, : len(some)] = some
        token = np.array([names.get(color, 0) for color in range(self.colors)])
        number, seen = np.zeros(len(moved), np.int64), np.zeros((len(moved), self.colors), np.int64)
        given = np.full((len(moved), self.colors), -1)
        for peg in range(self.pegs):
            color = moved[:, peg]
            kind, rows = self.color_kind[color], np.arange(len(moved))
            new = free[color] & (given[rows, color] < 0)
            given[rows[new], color[new]] = free_of_kind[kind[new], seen[rows[new], kind[new]]]
            seen[rows[new], kind[new]] += 1
            number = number * (2 * self.colors) + np.where(free[color], self.colors + given[rows, color], token[color])
        return number

    def check(self, lemmas: list[Any], progress: Callable[[int], object] | None = None) -> tuple[Any, int]:
        """Check every lemma; (codes, bound) of the last. Raises ProofError at the first step that does not hold.

        ``progress`` is told how many are checked.
        """
        proven: list[tuple[Any, int]] = []
        for number, lemma in enumerate(lemmas):
            if not _is_lemma(lemma, len(self.codes)):
                raise ProofError(f"lemma {number} is not written as lemmas are: [history, bound, guesses]")
            if progress is not None:
                progress(number)
            history, bound, guesses = lemma
            codes = self.reached(history)
            if not len(codes):
                raise ProofError(f"lemma {number} is about no code: none gives these labels")
            self._check_lemma(number, history, codes, bound, guesses, proven)
            proven.append((codes, bound))
        if not proven:
            raise ProofError("the proof has no lemma")
        return proven[-1]

    def _check_lemma(
        self, number: int, history: Any, codes: Any, bound: int, guesses: Any, proven: list[tuple[Any, int]]
    ) -> None:
        """Check that no guess is below the bound."""
        if bound <= self.split_bound(codes):
            return
        classes = self.open_guesses(history, codes, bound)
        refuted = set()
        for guess, parts in guesses:
            value = self.value(number, codes, guess, dict(parts), proven, bound)
            if value < bound:
                raise ProofError(f"lemma {number}: guess {guess} is bounded by {value}, not by {bound}")
            refuted.add(classes.get(guess))
        for guess, kind in classes.items():
            if kind not in refuted:
                if self.value(number, codes, guess, {}, proven, bound) < bound:
                    raise ProofError(f"lemma {number}: guess {guess} is not refuted")
                refuted.add(kind)

    def value(
        self, number: int, codes: Any, guess: int, parts: dict[int, int], proven: list[tuple[Any, int]], enough: int
    ) -> int:
        """What a guess costs at least, with the lemmas named for its parts; no more is looked for than is `enough`."""
        labels = self.label[guess][codes]
        sizes, low = np.bincount(labels, minlength=self.win + 1), self.floors(codes, labels)
        total, open_ = self.whole(codes) + int(low.sum()), []
        for label in np.flatnonzero(low).tolist():
            if sizes[label] > 2 or label in parts:
                part, least = codes[labels == label], int(low[label])
                if label in parts:
                    least = max(least, self._lemma(number, parts[label], proven, part, guess))
                    total += least - int(low[label])
                open_.append((part, least))
        for bound in (self.split_bound, self.set_bound):
            for i, (part, low) in enumerate(open_):
                if total >= enough:
                    return total
                least = max(low, bound(part))
                total += least - low
                open_[i] = part, least
        return total

    def _lemma(self, number: int, named: int, proven: list[tuple[Any, int]], part: Any, guess: int) -> int:
        """The bound of a lemma that must be about this part and stand before."""
        if not 0 <= named < len(proven):
            raise ProofError(f"lemma {number} rests on lemma {named}, which does not come before it")
        codes, bound = proven[named]
        if not np.array_equal(codes, part):
            raise ProofError(f"lemma {number}: lemma {named} is about other codes than guess {guess}")
        return bound


class WeightedVerifier(Verifier):
    """The same where codes have weights, whole numbers by number of the code; those of weight 0 are never the secret.

    Sets are gone through in descending order of weight, for all guesses at once.
    """

    def __init__(self, pegs: int, colors: int, *, repeats: bool, black: bool, weight: Any) -> None:
        """Find out which pegs, and which colors, may be exchanged in pairs without changing a weight."""
        super().__init__(pegs, colors, repeats=repeats, black=black)
        self.weight = np.array(weight, np.int64)
        self.turns: dict[tuple[int, int], tuple[Any, Any]] = {}
        numbers = self.codes @ colors ** np.arange(pegs)[::-1]
        for kinds, is_peg in ((self.peg_kind, True), (self.color_kind, False)):
            kinds[:] = np.arange(len(kinds))
            for pair in combinations(range(len(kinds)), 2):
                names = np.arange(len(kinds))
                names[list(pair)] = pair[::-1]
                moved = self.codes[:, names] if is_peg else names[self.codes]
                images = np.searchsorted(numbers, moved @ colors ** np.arange(pegs)[::-1])
                if (self.weight[images] == self.weight).all():
                    kinds[pair[1]] = kinds[pair[0]]

    def turns_of(self, inside: int, outside: int) -> tuple[Any, Any]:
        """By rank, guesses that the heaviest codes take at least if the first guess is one of them, and if not."""
        if (inside, outside) not in self.turns:
            rank = np.arange(len(self.codes) + 1)
            own = 1 + (rank >= 1) + (rank >= 1 + inside)
            other = 2 + (rank >= outside)
            found, before = max(1 + inside, outside), 0
            while before < found < len(self.codes):
                before, found = found, max(1 + inside * found, outside * found)
                more = (rank >= found) & (before < found)
                own, other = own + more, other + more
            self.turns[inside, outside] = own, other
        return self.turns[inside, outside]

    def floor(self, codes: Any, fan: tuple[int, int]) -> int:
        """What a set costs at least where no guess leaves more parts than these."""
        weight = np.sort(self.weight[codes])[::-1]
        return int(min(weight @ turns[: len(codes)] for turns in self.turns_of(*fan)))

    def floors(self, codes: Any, labels: Any) -> Any:
        """What the parts with these labels cost at least by the same bound, by label; 0 for the guess itself."""
        low, fan = np.zeros(self.win + 1, np.int64), self.fan(codes)
        for label in set(labels.tolist()) - {self.win}:
            low[label] = self.floor(codes[labels == label], fan)
        return low

    def part_bounds(self, codes: Any) -> Any:
        """For every guess, what it costs at least by the heaviest code of each of its parts."""
        if len(self.labels) > 64:
            return np.zeros(len(self.codes), np.int64)
        bounds, seen = np.full(len(self.codes), 3 * self.whole(codes)), np.zeros(len(self.codes), self.bit.dtype)
        for code in self._descending(codes):
            bounds -= self.weight[code] * ((self.bit[code] & ~seen) != 0)
            seen |= self.bit[code]
        bounds[codes] -= self.weight[codes]  # a guess that is in the set saves its weight once more
        return bounds

    def size_bounds(self, codes: Any, guesses: Any) -> Any:
        """For each of these guesses, what it costs at least by the weights of its parts."""
        size, own, other = (np.zeros((len(guesses), self.win + 1), np.int64) for _ in range(3))
        if_own, if_other = self.turns_of(*self.fan(codes))
        every = np.arange(len(guesses))
        for code in self._descending(codes):
            at = every, self.label[code][guesses]
            rank = size[at]
            own[at] += self.weight[code] * if_own[rank]
            other[at] += self.weight[code] * if_other[rank]
            size[at] += 1
        total = self.whole(codes) + np.minimum(own, other)[:, : self.win].sum(axis=1)
        total[(size[:, : self.win] == len(codes)).any(axis=1)] = NO_USE
        return total

    def _descending(self, codes: Any) -> Any:
        return codes[np.argsort(-self.weight[codes], kind="stable")]


def verifier_of(board: dict[str, Any], weight: Any = None) -> Verifier:
    """The checker of a board, of which the pegs, colors and so on are told by name; with weights, or without."""
    pegs, colors, repeats, black = (board[name] for name in ("pegs", "colors", "repeats", "black"))
    if weight is None:
        return Verifier(pegs, colors, repeats=repeats, black=black)
    return WeightedVerifier(pegs, colors, repeats=repeats, black=black, weight=weight)


def _ones(words: Any) -> Any:
    """Number of one bits of each word."""
    found = ONES[words.view(np.uint16)].reshape(len(words), -1)
    total = found[:, 0].astype(np.int64)
    for more in found.T[1:]:
        total += more
    return total


def _count(hits: Any) -> Any:
    """How often each column is true: bytes are added as bytes, in blocks that cannot overflow."""
    rows = hits.view(np.uint8)
    total = np.zeros(rows.shape[1], np.int64)
    for begin in range(0, len(rows), 255):
        total += np.add.reduce(rows[begin : begin + 255], axis=0, dtype=np.uint8)
    return total


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
    """The proof as it stands in the file, with every field of its kind, on a board that can be checked."""
    content = read_bytes(path)
    content = unpacked(content) if content[:2] == b"\x1f\x8b" else content
    data = parse_json(decoded(content, shown(path)))
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, WEIGHTED_FORMAT):
        raise ProofError(f"it is no proof of a lower bound that this program reads ({FORMAT} or 2)")
    wanted = {"pegs": int, "colors": int, "repeats": bool, "black": bool, "bound": int, "lemmas": list}
    for name, kind in wanted.items():
        if type(data.get(name)) is not kind:
            raise ProofError(f"its {name!r} is missing, or not {_KINDS[kind]}")
    _check_size(data["pegs"], data["colors"], repeats=data["repeats"], black=data["black"])
    board, *options = str(data.get("rules", _named(data))).split("/")
    if board != _named(data).partition("/")[0] or [name in options for name in ("no-repeats", "black")] != [
        not data["repeats"],
        data["black"],
    ]:
        raise ProofError(f"its rules are called {quoted(data['rules'])}, and it is about {_named(data)}")
    if data["format"] == WEIGHTED_FORMAT:
        _check_weights(data.get("weights"), _count_codes(data["pegs"], data["colors"], repeats=data["repeats"]))
    return data


def _check_weights(weights: Any, codes: int) -> None:
    if not (isinstance(weights, list) and len(weights) == codes and all(type(w) is int and w >= 0 for w in weights)):
        raise ProofError(f"its weights are not {codes:,} whole numbers, one a code")
    if not 0 < sum(weights) <= MOST_WEIGHT:
        raise ProofError(f"its weights sum up to {sum(weights)}; proofs are checked of sums from 1 to {MOST_WEIGHT:,}")


def _count_codes(pegs: int, colors: int, *, repeats: bool) -> int:
    return colors**pegs if repeats else perm(colors, pegs)


_KINDS = {int: "a whole number", bool: "true or false", list: "a list"}


def _named(data: dict[str, Any]) -> str:
    options = ("" if data["repeats"] else "/no-repeats") + ("/black" if data["black"] else "")
    return f"{data['pegs']}x{data['colors']}{options}"


def _check_size(pegs: int, colors: int, *, repeats: bool, black: bool) -> None:
    """Raise ProofError for boards that are none, or whose pairs of codes take too much memory."""
    if not (1 <= pegs <= MOST_PEGS and 1 <= colors <= 255) or (not repeats and colors < pegs):
        raise ProofError(f"proofs are checked of boards of 1 to {MOST_PEGS} pegs and 1 to 255 colors, enough of them")
    codes = _count_codes(pegs, colors, repeats=repeats)
    labels = pegs + 1 if black else pegs * (pegs + 3) // 2
    word = 2 if labels <= 16 else 4 if labels <= 32 else 8
    needed, there = codes * codes * (1 + word), _memory()
    if needed > there:
        raise ProofError(
            f"its board of {codes:,} codes is too large to be checked here: all pairs are compared, which takes "
            f"{needed / 2**30:,.0f} GB of memory, and there are {there / 2**30:.0f}"
        )


def _memory() -> int:
    """Bytes of memory of this machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return USUAL_BYTES


class Proven(NamedTuple):
    """What a proof file proves: no strategy for so many codes has a smaller total, or sum of weight times guesses."""

    rules: str
    codes: int
    bound: int
    weight: int | None
    """Sum of the weights; None without weights."""

    def __str__(self) -> str:
        """Say it in one line."""
        if self.weight is None:
            return f"{self.rules}: total >= {self.bound} guesses over {self.codes:,} codes (verified)"
        return (
            f"{self.rules} under the weights of the file: weighted total >= {self.bound} guesses over "
            f"{self.codes:,} codes, expected >= {self.bound / self.weight:.10g} (verified)"
        )


def verify(path: str | Path, progress: Callable[[int, int], object] | None = None) -> Proven:
    """Return what a proof file proves.

    ``progress`` is told how many of how many lemmas are checked. 4x6 takes 1.5 processor seconds on a 2.5 GHz Xeon. The
    time grows with the square of the number of codes and with the lemmas: 4x7 takes 8. Costs memory for all pairs of
    codes: a byte for the label, and a word of one bit a label.

    Raises ProofError at the first step that does not hold, InputError where the file cannot be read.
    """
    data = _read(path)
    lemmas = data["lemmas"]
    is_weighted = data["format"] == WEIGHTED_FORMAT
    verifier = verifier_of(data, data["weights"] if is_weighted else None)
    codes, bound = verifier.check(lemmas, None if progress is None else lambda done: progress(done, len(lemmas)))
    all_codes = np.count_nonzero(verifier.weight)
    if len(codes) != all_codes or bound != data["bound"]:
        raise ProofError(f"the last lemma is not that all {all_codes} codes take {data['bound']} guesses")
    return Proven(_named(data), len(codes), bound, verifier.whole(codes) if is_weighted else None)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("name one file: python -m entropeg.search.proving.verifier FILE")
    try:
        proven = verify(sys.argv[1])
    except (ValueError, MemoryError) as error:
        sys.exit(f"refused: {error}")
    sys.stdout.write(f"{proven}\n")
