"""Lower bounds of sets of secrets by their sizes and their parts; `verifier` says them, and why they hold.

Labels are numbered by their places among those that occur; the last is that of a
complete hit. Rows of bounds by guess have the guesses that are allowed, ascending.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from entropeg.check.proven_board import STORED, ProvenBoard
from entropeg.check.proven_labels import Array, compare, marks_of
from entropeg.check.proven_symmetry import History, Images, ProvenSymmetry

NO_USE = 1 << 61
"""The cost of a guess that tells nothing, or of a set that is not found within the guesses that are left."""
HOPELESS = NO_USE >> 10
"""No cost that can be had reaches this, and a sum of as many as there are labels is below `NO_USE`."""
MOST_KEPT = 1 << 18
"""The most sets whose bounds of one kind are kept."""

ONES = np.zeros(1, np.uint8)
for _ in range(16):
    ONES = np.concatenate([ONES, ONES + np.uint8(1)])  # how many bits are set in each word of 16

Obliged: TypeAlias = "tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]"
"""(pegs and the color that each must have, colors and how many pegs of each there must be)."""
NO_CLUES: Obliged = frozenset(), frozenset()


class Left(NamedTuple):
    """Secrets that are left, by ascending number, and clues that guesses have to use, where that is a rule."""

    codes: Array
    clues: Obliged = NO_CLUES

    @property
    def key(self) -> tuple[bytes, Obliged]:
        """Codes and clues as one hashable value."""
        return self.codes.tobytes(), self.clues


class SetBounds:
    """All labels of a board, and the bounds of sets of codes."""

    def __init__(self, board: ProvenBoard) -> None:
        self.board = board
        if board.labels is None:
            every = compare(board.secrets, board.guesses, board.symbols, board.feedback, board.shapes)
        else:
            found, places = np.unique(board.labels, return_inverse=True)
            every = places.reshape(board.labels.shape).astype(np.uint8), found.tolist()
        self.label, self.labels = every
        self.win, self.pegs = len(self.labels) - 1, board.secrets.shape[1]
        self.place = {label: at for at, label in enumerate(self.labels)}
        self.guess_of = _find(board.secrets, board.guesses)
        bits = np.uint16 if self.win < 16 else np.uint32 if self.win < 32 else np.uint64
        self.words = np.zeros(((self.win + 64) // 64, self.win + 1), bits)  # words with a bit for each label
        for at in range(self.win + 1):
            self.words[at // 64, at] = bits(1 << at % 64)
        self.weight = np.ones(len(board.secrets), np.int64)
        self.symmetry = ProvenSymmetry(board)
        self.marks = np.array([marks_of(label, self.pegs) for label in self.labels], np.uint8)
        self.sizes: dict[tuple[int, int], Any] = {}
        self.may: dict[Obliged, Array | None] = {NO_CLUES: None}
        self.counted: tuple[Any, Any] = None, None
        self.fans: dict[Any, tuple[int, int]] = {}
        self.found_within: dict[tuple[int, int], list[int]] = {}
        self.known: dict[Any, int] = {}
        self.splits: dict[Any, int] = {}

    def reached(self, history: History) -> Left:
        """Secrets that give these labels, of those that may be hidden."""
        is_left, clues = self.weight > 0, NO_CLUES
        for guess, label in history:
            is_left &= self.label[:, guess] == self.place.get(label, self.win + 1)
            if label in self.place:
                clues = self._and(clues, guess, self.place[label])
        return Left(np.flatnonzero(is_left), clues)

    def part(self, left: Left, guess: int, place: int) -> Left:
        """Secrets that give a guess the label of this place."""
        codes = left.codes
        return Left(codes[self.label[codes, guess] == place], self._and(left.clues, guess, place))

    def _and(self, clues: Obliged, guess: int, place: int) -> Obliged:
        """The clues with those of one more answer."""
        if not self.board.is_hard:
            return clues
        code, marks = self.board.guesses[guess].tolist(), self.marks[place].tolist()
        pegs, least = set(clues[0]), dict(clues[1])
        marked = [color for color, mark in zip(code, marks, strict=True) if mark]
        for color in marked:
            least[color] = max(least.get(color, 0), marked.count(color))
        pegs.update((peg, code[peg]) for peg, mark in enumerate(marks) if mark == 2)
        return frozenset(pegs), frozenset(least.items())

    def allowed(self, left: Left) -> Array | None:
        """The guesses that are allowed, ascending; None for all."""
        if self.board.is_consistent:
            return np.sort(self.guess_of[left.codes])
        clues = left.clues
        if clues not in self.may:
            _make_room(self.may, MOST_KEPT >> 4)
            self.may[NO_CLUES] = None
            guesses = self.board.guesses
            fits = np.ones(len(guesses), np.bool_)
            for peg, color in clues[0]:
                fits &= guesses[:, peg] == color
            for color, least in clues[1]:
                fits &= (guesses == color).sum(axis=1) >= least
            self.may[clues] = np.flatnonzero(fits)
        return self.may[clues]

    def guesses(self, left: Left) -> Array:
        """The guesses that are allowed, ascending, as rows of bounds by guess have them."""
        allowed = self.allowed(left)
        return np.arange(len(self.board.guesses)) if allowed is None else allowed

    def own(self, left: Left) -> Array:
        """Places of the secrets that are left in such rows."""
        own, allowed = self.guess_of[left.codes], self.allowed(left)
        return own if allowed is None else np.searchsorted(allowed, own)

    def is_kept(self, left: Left, image: Images) -> bool:
        """Whether a symmetry takes a set to itself, with the weights of its codes and the guesses that are allowed."""
        moved, allowed = image.secrets[left.codes], self.allowed(left)
        if (moved < 0).any() or not np.array_equal(self.weight[moved], self.weight[left.codes]):
            return False
        return set(moved.tolist()) == set(left.codes.tolist()) and (
            allowed is None or bool(np.isin(image.guesses[allowed], allowed).all())
        )

    def holds_of(self, left: Left, part: Left, image: Images | None) -> bool:
        """Whether each code of a set is one of another set, renamed, of no greater weight."""
        weight, moved = np.full(len(self.weight) + 1, -1), part.codes if image is None else image.secrets[part.codes]
        weight[moved] = self.weight[part.codes]  # those that become no secret are put behind the last one
        weight[-1] = -1
        return bool((self.weight[left.codes] <= weight[left.codes]).all())

    def allows(self, left: Left, part: Left, image: Images | None) -> bool:
        """Whether what may be guessed of a part may be guessed, renamed, of a set."""
        if self.board.is_consistent:  # a guess that is no code of the smaller set may be one of the larger
            return len(left.codes) == len(part.codes)
        if not self.board.is_hard or (image is None and left.clues == part.clues):
            return True
        allowed = self.guesses(part)
        return bool(np.isin(allowed if image is None else image.guesses[allowed], self.guesses(left)).all())

    def least(self, inside: int, outside: int) -> Any:
        """The least cost of x codes, by x.

        Guesses of the set leave ``inside`` parts beside themselves at most, others ``outside``.
        """
        if (inside, outside) not in self.sizes:
            x = np.arange(len(self.weight) + 1)
            bounds = np.minimum(2 * x - 1 + np.maximum(x - 1 - inside, 0), 2 * x + np.maximum(x - outside, 0))
            found, before = max(1 + inside, outside), 0
            while before < found < len(self.weight):
                before, found = found, max(1 + inside * found, outside * found)
                bounds += np.maximum(x - found, 0) * (before < found)
            bounds[0] = 0
            self.sizes[inside, outside] = bounds
        return self.sizes[inside, outside]

    def most_found(self, fan: tuple[int, int], within: int | None) -> int:
        """How many codes are found within some guesses at most, where no guess leaves more parts than these."""
        inside, outside = fan
        if within is None:
            return len(self.weight)
        found = self.found_within.setdefault(fan, [0])
        while len(found) <= within and found[-1] <= len(self.weight):
            found.append(max(1 + inside * found[-1], outside * found[-1]))
        return found[min(max(within, 0), len(found) - 1)]

    def floor(self, codes: Any, fan: tuple[int, int]) -> int:
        """The least cost of a set where no guess leaves more parts than these."""
        return int(self.least(*fan)[len(codes)])

    def floors(self, left: Left, labels: Any) -> Any:
        """The least costs of the parts with these labels by the same bound, by label; 0 for the guess itself."""
        sizes = np.bincount(labels, minlength=self.win + 1)
        sizes[self.win] = 0
        return self.least(*self.fan(left))[sizes]

    def whole(self, codes: Any) -> int:
        """The cost of the first guess for a set: its number of codes, or their weight."""
        return int(self.weight[codes].sum())

    def few(self, codes: Any) -> int:
        """The cost of one code, or two."""
        return 2 * self.whole(codes) - int(self.weight[codes].max())

    @cached_property
    def bits(self) -> Any:
        """Bits of all labels, by secret, word and guess; None where they take too much memory."""
        if self.label.size * self.words[:, 0].nbytes > STORED:
            return None
        bits = np.empty((len(self.label), len(self.words), self.label.shape[1]), self.words.dtype)
        for at, word in enumerate(self.words):
            bits[:, at] = word[self.label]
        return bits

    def _bits(self, code: int, allowed: Array | None) -> Any:
        """Bits of the labels of a secret, by word and guess."""
        if self.bits is not None:
            return self.bits[code] if allowed is None else self.bits[code][:, allowed]
        return np.take(self.words, self.label[code] if allowed is None else self.label[code, allowed], axis=1)

    def parts(self, left: Left) -> Any:
        """How many parts each guess leaves, its own included. Not to be changed."""
        key = left.key
        if self.counted[0] != key:
            # By pairs 13,000 guesses take 0.07 ms on 10 codes, and 0.4 by bits; on 40 codes 1.8 and 2.7.
            by_pairs = len(self.words) > 1 and len(left.codes) <= 64
            self.counted = key, self._parts_by_pairs(left) if by_pairs else self._parts_by_bits(left)
        return self.counted[1]

    def _parts_by_pairs(self, left: Left) -> Any:
        """Count the secrets whose label none before them has."""
        allowed = self.allowed(left)
        rows = self.label[left.codes if allowed is None else np.ix_(left.codes, allowed)]
        total = np.ones(rows.shape[1], np.uint8)
        for at in range(1, len(rows)):
            total += ~np.bitwise_or.reduce(rows[:at] == rows[at], axis=0)
        return total.astype(np.int64)

    def _parts_by_bits(self, left: Left) -> Any:
        """Count the bits of the labels that occur."""
        allowed = self.allowed(left)
        if self.bits is not None and len(self.words) == 1 and allowed is None:
            return _ones(np.bitwise_or.reduce(self.bits[left.codes, 0], axis=0))
        seen = self._bits(left.codes[0], allowed).copy()
        for code in left.codes[1:]:
            seen |= self._bits(code, allowed)
        total = _ones(seen[0])
        for word in seen[1:]:
            total += _ones(word)
        return total

    def fan(self, left: Left) -> tuple[int, int]:
        """The most parts that a guess of a set leaves of it, its own not counted, and that any other guess leaves."""
        key = left.key
        if key not in self.fans:
            _make_room(self.fans, MOST_KEPT)
            self.fans[key] = self._fan(left)
        return self.fans[key]

    def _fan(self, left: Left) -> tuple[int, int]:
        parts, own = self.parts(left).copy(), self.own(left)
        inside = int(parts[own].max()) - 1
        parts[own] = 0
        return inside, int(parts.max())

    def part_bounds(self, left: Left) -> Any:
        """For every guess, its least cost by the number of its parts."""
        bounds = 3 * len(left.codes) - self.parts(left)
        bounds[self.own(left)] -= 1  # a guess that is in the set saves one more
        return bounds

    def size_bounds(self, left: Left, guesses: Any, within: int | None = None) -> Any:
        """For each of these guesses, ascending, its least cost by the sizes of its parts."""
        n, fan = len(left.codes), self.fan(left)
        least = self._till(self.least(*fan), fan, within)
        total = np.full(len(guesses), n)
        # Up to 64 labels it is quicker to count one label after the other; with more, to go through the codes.
        if len(self.labels) > 64:
            return _cut(total + self._gains(left, guesses, least))
        rows = (
            self.label[left.codes] if len(guesses) == self.label.shape[1] else self.label[np.ix_(left.codes, guesses)]
        )
        for place in range(self.win):
            size = _count(rows == place)
            total += least[size]
            total[size == n] = NO_USE
        return _cut(total)

    def _till(self, least: Any, fan: tuple[int, int], within: int | None) -> Any:
        """The same by number of codes, where more than can be found after a guess are not found."""
        if within is None:
            return least
        least = least.copy()
        least[self.most_found(fan, within - 1) + 1 :] = HOPELESS
        return least

    def _gains(self, left: Left, guesses: Any, least: Any) -> Any:
        """The least cost of the parts by their sizes, as the secrets are put to them one after the other."""
        size = np.zeros((self.win + 1, len(guesses)), np.uint32)
        gain, total, every = np.diff(least), np.zeros(len(guesses), np.int64), np.arange(len(guesses))
        for code in left.codes:
            at = self.label[code, guesses], every
            before = size[at]
            total += gain[before]
            size[at] = before + 1
        total -= least[size[self.win]]
        first = self.label[left.codes[0], guesses]
        total[(size[first, every] == len(left.codes)) & (first != self.win)] = NO_USE
        return total

    def set_bound(self, left: Left, within: int | None = None) -> int:
        """The least cost of a set by the formulas: the least over all guesses, by sizes and number of its parts."""
        n = len(left.codes)
        if n <= 2:
            return self._few_within(left, within)
        within = None if within is None or within >= n else within  # nobody needs more guesses than there are codes
        key = left.key, within
        if key not in self.known:
            _make_room(self.known, MOST_KEPT)
            hopeless = n > self.most_found(self.fan(left), within)
            self.known[key] = NO_USE if hopeless else self._least_bound(left, within)
        return self.known[key]

    def _few_within(self, left: Left, within: int | None) -> int:
        return self.few(left.codes) if within is None or within >= len(left.codes) else NO_USE

    def _least_bound(self, left: Left, within: int | None) -> int:
        guesses, bounds = self.guesses(left), self.part_bounds(left)
        order, least = np.argsort(bounds, kind="stable"), NO_USE
        # The guesses with the fewest bounds by parts come first: most of the others are then above the least.
        for some in (order[:256], order[256:]):
            below = np.sort(some[bounds[some] < least])
            if len(below):
                by_sizes = self.size_bounds(left, guesses[below], within)
                least = min(least, int(np.maximum(by_sizes, bounds[below]).min()))
        return least

    def split_bound(self, left: Left, within: int | None = None) -> int:
        """The least cost of a set by its size, or the number of parts alone: quick, and at most `set_bound`."""
        if len(left.codes) <= 2:
            return self._few_within(left, within)
        if len(left.codes) > self.most_found(self.fan(left), within):
            return NO_USE
        key = left.key
        if key not in self.splits:
            _make_room(self.splits, MOST_KEPT)
            self.splits[key] = max(int(self.part_bounds(left).min()), self.floor(left.codes, self.fan(left)))
        return self.splits[key]

    def cost(self, left: Left, guess: int, within: int | None, named: dict[int, int], enough: int) -> int:
        """The least cost of a guess, with bounds that are named for its parts; no more is looked for than is `enough`.

        ``named``: by place of the label.
        """
        codes, after = left.codes, None if within is None else within - 1
        labels = self.label[codes, guess]
        sizes, low = np.bincount(labels, minlength=self.win + 1), self.floors(left, labels)
        if sizes[labels[0]] == len(codes) and labels[0] != self.win:
            return NO_USE
        if int(sizes[: self.win].max(initial=0)) > self.most_found(self.fan(left), after):
            return NO_USE
        total, open_ = self.whole(codes) + int(low.sum()), []
        for place in np.flatnonzero(low).tolist():
            if sizes[place] > 2 or place in named or after is not None:
                part, least = self.part(left, guess, place), int(low[place])
                if place in named:
                    least = max(least, named[place])
                    total += least - int(low[place])
                open_.append((part, least))
        open_.sort(key=lambda one: len(one[0].codes))
        for bound in (self.split_bound, self.set_bound):
            for i, (part, least) in enumerate(open_):
                if total >= enough:
                    return total
                more = max(least, bound(part, after))
                total += more - least
                open_[i] = part, more
        return total

    def open_guesses(self, left: Left, bound: int, within: int | None) -> Any:
        """The guesses, ascending, that sizes and numbers of parts do not refute."""
        some = self.guesses(left)[self.part_bounds(left) < bound]
        return some[self.size_bounds(left, some, within) < bound]

    def unrefuted(
        self, left: Left, bound: int, within: int | None, images: list[Any], costs: dict[int, dict[int, int]]
    ) -> list[tuple[int, int]]:
        """[(guess, cost below the bound)], one of each class of guesses; the first of them where some are named.

        ``images``: where symmetries of the set take each guess; ``costs``: for some guesses, bounds of their parts.
        """
        if bound <= self.split_bound(left, within):
            return []
        for guess, named in costs.items():
            if (value := self.cost(left, guess, within, named, bound)) < bound:
                return [(guess, value)]
        some = self.open_guesses(left, bound, within)
        number = dict(zip(some.tolist(), self.classes(left, some, images).tolist(), strict=True))
        refuted, found = {number.get(guess) for guess in costs}, []
        for guess, kind in number.items():
            if kind not in refuted:
                refuted.add(kind)
                if (value := self.cost(left, guess, within, {}, bound)) < bound:
                    found.append((guess, value))
        return found

    def classes(self, left: Left, guesses: Any, images: list[Any]) -> Any:
        """A number for each of the guesses; equal numbers only where they cost the same."""
        kind = self.alike(left, guesses)
        place = np.full(len(self.board.guesses), -1)
        place[guesses] = np.arange(len(guesses))
        targets = [place[image[guesses]] for image in images]
        while True:
            joined = kind.copy()
            for target in targets:
                inside = target >= 0
                np.minimum.at(joined, target[inside], kind[inside])
                joined[inside] = np.minimum(joined[inside], joined[target[inside]])
            least = np.full(int(kind.max(initial=0)) + 1, len(guesses))
            np.minimum.at(least, kind, joined)
            joined = least[kind]
            if np.array_equal(joined, kind):
                return kind
            kind = joined

    def alike(self, left: Left, guesses: Any) -> Any:
        """A number for each of the guesses: equal ones leave the same parts, or have the same answers under clues."""
        if self.board.is_consistent:
            return np.arange(len(guesses))
        rows = np.ascontiguousarray(self.label[np.ix_(left.codes, guesses)].T)
        if self.board.is_hard:
            misplaced = np.stack([(self.marks[:, peg] == 1)[rows].any(axis=1) for peg in range(self.pegs)], axis=1)
            colors = np.where(misplaced, self.board.guesses[guesses], self.board.symbols)
            rows = np.hstack([rows.astype(np.int64), colors])
        else:
            rows = self._renamed(rows)
        numbers: dict[bytes, int] = {}
        return np.array([numbers.setdefault(row.tobytes(), len(numbers)) for row in rows], np.int64)

    def _renamed(self, rows: Any) -> Any:
        """Labels renamed in the order in which they occur, but for the last one."""
        every, count = np.arange(len(rows)), np.zeros(len(rows), rows.dtype)
        names = np.full((len(rows), self.win + 1), self.win, rows.dtype)
        for at in range(rows.shape[1]):
            label = rows[:, at]
            is_new = (names[every, label] == self.win) & (label != self.win)
            names[every[is_new], label[is_new]] = count[is_new]
            count[is_new] += 1
            rows[:, at] = names[every, label]
        return rows


class WeightedSetBounds(SetBounds):
    """The same where codes have weights, whole numbers by number of the secret; those of weight 0 are never hidden.

    Sets are gone through in descending order of weight, for all guesses at once.
    """

    def __init__(self, board: ProvenBoard, weight: Any) -> None:
        """Find out which symmetries change no weight."""
        super().__init__(board)
        self.weight = np.array(weight, np.int64)
        self.symmetry.keep(self.weight)
        self.turns: dict[tuple[int, int], tuple[Any, Any]] = {}

    def turns_of(self, inside: int, outside: int) -> tuple[Any, Any]:
        """By rank, guesses that the heaviest codes take at least if the first guess is one of them, and if not."""
        if (inside, outside) not in self.turns:
            rank = np.arange(len(self.weight) + 1)
            own = 1 + (rank >= 1) + (rank >= 1 + inside)
            other = 2 + (rank >= outside)
            found, before = max(1 + inside, outside), 0
            while before < found < len(self.weight):
                before, found = found, max(1 + inside * found, outside * found)
                more = (rank >= found) & (before < found)
                own, other = own + more, other + more
            self.turns[inside, outside] = own, other
        return self.turns[inside, outside]

    def floor(self, codes: Any, fan: tuple[int, int]) -> int:
        """The least cost of a set where no guess leaves more parts than these."""
        weight = np.sort(self.weight[codes])[::-1]
        return int(min(weight @ turns[: len(codes)] for turns in self.turns_of(*fan)))

    def floors(self, left: Left, labels: Any) -> Any:
        """The least costs of the parts with these labels by the same bound, by label; 0 for the guess itself."""
        low, fan = np.zeros(self.win + 1, np.int64), self.fan(left)
        for place in set(labels.tolist()) - {self.win}:
            low[place] = self.floor(left.codes[labels == place], fan)
        return low

    def part_bounds(self, left: Left) -> Any:
        """For every guess, its least cost by the heaviest code of each of its parts."""
        allowed = self.allowed(left)
        width = len(self.board.guesses) if allowed is None else len(allowed)
        bounds = np.full(width, 3 * self.whole(left.codes))
        seen = np.zeros((len(self.words), width), self.words.dtype)
        for code in self._descending(left.codes):
            bits = self._bits(code, allowed)
            bounds -= self.weight[code] * ((bits & ~seen) != 0).any(axis=0)
            seen |= bits
        bounds[self.own(left)] -= self.weight[left.codes]  # a guess that is in the set saves its weight once more
        return bounds

    def size_bounds(self, left: Left, guesses: Any, within: int | None = None) -> Any:
        """For each of these guesses, its least cost by the weights of its parts; `within` is none under weights."""
        size, own, other = (np.zeros((len(guesses), self.win + 1), np.int64) for _ in range(3))
        if_own, if_other = self.turns_of(*self.fan(left))
        every = np.arange(len(guesses))
        for code in self._descending(left.codes):
            at = every, self.label[code, guesses]
            rank = size[at]
            own[at] += self.weight[code] * if_own[rank]
            other[at] += self.weight[code] * if_other[rank]
            size[at] += 1
        total = self.whole(left.codes) + np.minimum(own, other)[:, : self.win].sum(axis=1)
        total[(size[:, : self.win] == len(left.codes)).any(axis=1)] = NO_USE
        return total

    def _descending(self, codes: Any) -> Any:
        return codes[np.argsort(-self.weight[codes], kind="stable")]


def _cut(total: Any) -> Any:
    """The costs, those that cannot be had all the same."""
    return np.where(total >= HOPELESS, NO_USE, total)


def _make_room(kept: dict[Any, Any], most: int) -> None:
    if len(kept) >= most:
        kept.clear()


def _find(secrets: Array, guesses: Array) -> Array:
    """The number of each secret as a guess; both lists have it once."""
    number = {code: at for at, code in enumerate(map(bytes, guesses.astype(np.uint8)))}
    return np.array([number[code] for code in map(bytes, secrets.astype(np.uint8))], np.int64)


def _ones(words: Any) -> Any:
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
