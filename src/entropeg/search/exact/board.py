"""The arrays that the exact search works on, built from planes of codes."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError, quoted
from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact import count_bounds, fields, weight_bounds
from entropeg.search.exact.fields import (
    EVERY,
    FIELDS,
    FRAME,
    NEAR,
    NO_GUESS,
    SMALL,
    SYMMETRIC,
    UNLIMITED,
    WORD_BITS,
)
from entropeg.search.exact.labels import fill_labels
from entropeg.search.exact.scan import BINS
from entropeg.search.exact.targets import first_rise
from entropeg.search.tree import Node

MOVED_PEGS = 9
"""Up to so many pegs guesses are looked at under all permutations of them: 362,880, and 9x2 takes 41 s. What is kept of
them takes 35 MB a thread there, and would take 350 MB on 10x2."""

HELD = 1 << 22
"""Candidates, and words of tables, that all sets in progress may hold; more if 16 sets of that size need it."""
FIRST_GAIN = 0.15
"""Guesses a code by which a look at all guesses raises the bound of a part, before any was made."""
LEVELS = 256
"""Levels of weight that a look tells apart at most."""
LONGEST = 300
"""Guesses of a strategy in a file, at most: a board of one peg takes as many as it has colors, and that is 255."""
SEED = 0x5EED
"""Of the words of which the hash of a set is made."""

Array = NDArray[Any]


def shell_order(codes: Array) -> Array:
    """Indexes that sort codes (one a row) by their largest color, then lexicographically."""
    keys = [codes[:, k] for k in range(codes.shape[1] - 1, -1, -1)]
    return np.lexsort([*keys, codes.max(axis=1)])


def compact_labels(pegs: int, *, by_color: bool) -> tuple[Array, int]:
    """(uint8 table from ``pegs * blacks + common`` or blacks to 0..m-1, m); the winning label is m - 1.

    >>> compact_labels(4, by_color=True)[1], compact_labels(4, by_color=False)[1]
    (14, 5)
    """
    if not by_color:
        return np.arange(pegs + 1, dtype=np.uint8), pegs + 1
    table = np.zeros(pegs * (pegs + 1) + 1, np.uint8)
    possible = sorted(
        pegs * black + common
        for black in range(pegs + 1)
        for common in range(black, pegs + 1)
        if (black, common) != (pegs - 1, pegs)
    )
    table[possible] = np.arange(len(possible), dtype=np.uint8)
    return table, len(possible)


def plain_labels(pegs: int, *, by_color: bool) -> list[int]:
    """The public label of every compact one: ``black * (pegs + 1) + white``, or the blacks alone."""
    if not by_color:
        return list(range(pegs + 1))
    pairs = sorted(
        (pegs * black + common, black * (pegs + 1) + common - black)
        for black in range(pegs + 1)
        for common in range(black, pegs + 1)
        if (black, common) != (pegs - 1, pegs)
    )
    return [label for _, label in pairs]


def aligned(size: int) -> Array:
    """Zeros of so many bytes on a boundary of `BLOCK`: a vector that crosses one costs twice the time."""
    raw = np.zeros(size + BLOCK, np.uint8)
    skip = -raw.ctypes.data % BLOCK
    return raw[skip : skip + size]


def new_matrix(rows: int, stride: int) -> Array:
    """Memory for labels: uint8[rows, stride]."""
    whole: Array = aligned(rows * stride).reshape(rows, stride)
    return whole


def label_matrix(
    rows: Array, columns: Array, symbols: int, matrix: Callable[[int, int], Array] = new_matrix, *, by_color: bool
) -> Array:
    """Compact labels of codes against codes, one code a row: uint8[rows, columns and padding].

    Rows are whole vectors, and none starts 4096 bytes after another: those would share the lines of a cache.
    ``matrix`` gives the memory: zeros, or whatever an earlier call with as many columns left there.
    """
    translate, _ = compact_labels(columns.shape[1], by_color=by_color)
    planes = np.ascontiguousarray(columns.T)
    counts = np.stack([(columns == c).sum(axis=1) for c in range(symbols)]).astype(np.uint8)
    stride = (len(columns) + BLOCK - 1) // BLOCK * BLOCK
    stride += BLOCK if stride % 1024 == 0 else 0
    out = matrix(len(rows), stride)  # whole, so that one compiled kernel is enough
    fill_labels(np.ascontiguousarray(rows), planes, counts, 0, len(rows), int(by_color), translate, out)
    return out


def hash_words(size: int, random: np.random.Generator) -> Array:
    """Random words, uint64: the hash of a set is the XOR of those of its secrets."""
    words = random.integers(1, 2**63, size, dtype=np.int64).astype(np.uint64)
    words ^= random.integers(0, 2**63, size, dtype=np.int64).astype(np.uint64) << np.uint64(1)
    return words


def _classes(guesses: Array, known: int, symbols: int) -> Array:
    """First guess of every class that secrets over the first ``known`` colors cannot tell apart."""
    number = np.zeros(len(guesses), np.int64)
    for digit in guesses.T:
        number = number * (symbols + 1) + np.minimum(digit, known)
    return np.sort(np.unique(number, return_index=True)[1])


class Layout:
    """Codes in the order of the search, and the arrays over them.

    ``secrets`` and ``guesses``: uint8 arrays, one code a row, in any order: all that the rules allow, so that
    permuting pegs or colors maps each list to itself. ``blank``: the color that is unlike the others, if any: no
    permutation moves it. Not ``is_whole``: the secrets are those of one position, and what the symmetry of its history
    maps to themselves.
    """

    def __init__(  # noqa: PLR0913 - the codes, and what they have in common
        self,
        secrets: Array,
        guesses: Array,
        colors: int,
        *,
        blank: int | None = None,
        by_color: bool = True,
        consistent: bool = False,
        is_whole: bool = True,
        matrix: Callable[[int, int], Array] = new_matrix,
    ) -> None:
        """``matrix``: where labels are written, see `label_matrix`."""
        pegs = secrets.shape[1]
        symbols = max(colors, int(guesses.max()) + 1)
        self.secrets = np.ascontiguousarray(secrets[shell_order(secrets)])
        self.guesses = np.ascontiguousarray(guesses[shell_order(guesses)])
        self.by_color = by_color
        _, labels = compact_labels(pegs, by_color=by_color)
        self.labels = plain_labels(pegs, by_color=by_color)
        same = self.secrets.shape == self.guesses.shape and bool((self.secrets == self.guesses).all())
        by_secret = label_matrix(self.secrets, self.guesses, symbols, matrix, by_color=by_color)
        by_guess = by_secret
        if not same:
            by_guess = label_matrix(self.guesses, self.secrets, symbols, matrix, by_color=by_color)
        powers = symbols ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
        secret_of_number = np.full(symbols**pegs, -1, np.int32)
        guess_of_number = np.full(symbols**pegs, -1, np.int32)
        secret_numbers = self.secrets.astype(np.int64) @ powers
        secret_of_number[secret_numbers] = np.arange(len(self.secrets))
        guess_of_number[self.guesses.astype(np.int64) @ powers] = np.arange(len(self.guesses))
        random = np.random.default_rng(SEED)
        words = hash_words(len(self.secrets), random)
        limit_words = random.integers(1, 2**63, UNLIMITED + 1, dtype=np.int64).astype(np.uint64)
        limit_words[UNLIMITED] = 0
        # Colors are renamed to look a set up as codes of fewer colors, and those must be there.
        renames = is_whole and (blank is None or blank >= colors) and symbols <= WORD_BITS
        scan = self._scan(by_secret, colors, symbols, renames=renames)
        self.zobrist = words
        self.arrays: dict[str, Array] = dict(
            by_guess=by_guess,
            **scan,
            secret_digits=self.secrets,
            guess_digits=self.guesses,
            presence=_presence(self.secrets, symbols),
            powers=powers,
            secret_of_number=secret_of_number,
            guess_of_number=guess_of_number,
            guess_of_secret=guess_of_number[secret_numbers],
            zobrist=words,
            zobrist_limit=limit_words,
            capacity=_capacity(labels),
            expected=expected_totals(len(self.secrets), labels),
            permutations=np.array(list(permutations(range(pegs))) if pegs <= MOVED_PEGS else [range(pegs)], np.uint8),
            kind=_kinds(np.zeros(symbols, np.int64), blank),
            weight=np.zeros(0, np.int64),
            least=np.zeros(0, np.int64),
            guessed=np.zeros(0),
        )
        # Without whites a peg knows nothing of the colors of the others.
        whole = len(self.secrets) == colors**pegs and len(self.guesses) == symbols**pegs
        self.separate = whole and not by_color
        self.family = count_bounds.FAMILY
        self.numbers: tuple[int, ...] = (pegs, symbols, labels, int(renames), int(consistent), int(self.separate))
        self.blank = blank

    def _scan(self, by_secret: Array, colors: int, symbols: int, *, renames: bool) -> dict[str, Array]:
        """The scan matrices for every number of colors: views of the labels where the classes are a prefix."""
        size = len(self.guesses)
        base = np.zeros(colors + 1, np.int64)
        stride = np.full(colors + 1, by_secret.shape[1], np.int64)
        width = np.full(colors + 1, size, np.int64)
        columns = np.tile(np.arange(size, dtype=np.int32), (colors + 1, 1))
        place = columns.copy()
        flat = [by_secret.ravel()]
        end = by_secret.size
        for known in range(1, colors) if renames else ():
            chosen = _classes(self.guesses, known, symbols)
            if len(chosen) > 0.9 * size:
                continue
            width[known] = len(chosen)
            columns[known, : len(chosen)] = chosen
            place[known] = -1
            place[known, chosen] = np.arange(len(chosen))
            if chosen[-1] == len(chosen) - 1:
                continue
            rows = int((self.secrets.max(axis=1) < known).sum())
            copy = np.zeros((rows, (len(chosen) + 63) // 64 * 64), np.uint8)
            copy[:, : len(chosen)] = by_secret[:rows, chosen]
            base[known], stride[known] = end, copy.shape[1]
            flat.append(copy.ravel())
            end += copy.size
        scan = flat[0] if len(flat) == 1 else np.concatenate(flat, out=aligned(sum(map(len, flat))))
        return {"scan": scan, "base": base, "stride": stride, "width": width, "columns": columns, "place": place}

    def number_secrets(self, codes: Array) -> Array:
        """The row of each secret: int32."""
        rows: Array = self.arrays["secret_of_number"][codes.astype(np.int64) @ self.arrays["powers"]]
        return rows

    def number_guess(self, code: tuple[int, ...]) -> int:
        """The row of a guess; raises InputError where it is none."""
        table, powers = self.arrays["guess_of_number"], self.arrays["powers"]
        is_code = len(code) == len(powers) and all(0 <= color < len(table) // powers[0] for color in code)
        row = int(table[np.array(code, np.int64) @ powers]) if is_code else -1
        if row < 0:
            raise InputError(f"the strategy has the guess {quoted(code)}, which is none of this board")
        return row

    def check_strategy(self, tree: Node, codes: NDArray[np.int32]) -> None:
        """Raise InputError where a strategy that was read from a file does not find each of these codes."""
        win, waiting = len(self.labels) - 1, [(tree, codes, 1)]
        while waiting:
            node, left, turn = waiting.pop()
            if turn > LONGEST:
                raise InputError(f"the strategy takes more than {LONGEST} guesses")
            labels = self.arrays["by_guess"][self.number_guess(node.guess)][left]
            for label in np.unique(labels[labels != win]).tolist():
                child = node.children.get(self.labels[label])
                if child is None:
                    raise InputError("the strategy does not find every code")
                waiting.append((child, left[labels == label], turn + 1))

    def table(self, memory: int) -> Array:
        """An empty table of at most ``memory`` bytes, on a boundary of 64 bytes; 16 bytes an entry, 32 under weights.

        4x6, 4x7, 5x5 and 6x4 store so few sets that a quarter of these entries leaves their guesses tried the same
        within one in a thousand; entries beyond are pages that the system has to clear: 20 ms of 60 on 4x6.
        """
        size, wanted = 8 * self.family.table.words, max(1 << 15, len(self.secrets) ** 2 // 16)
        if self.is_weighted:
            wanted = 16 * len(self.secrets) ** 2
        entries = 1 << min(int(wanted).bit_length(), max(12, (memory // size).bit_length() - 1))
        return aligned(size * entries).view(np.uint64)

    @property
    def is_weighted(self) -> bool:
        """Whether codes have weights."""
        return self.family is weight_bounds.FAMILY

    @property
    def is_symmetric(self) -> bool:
        """Whether pegs or colors may change places."""
        kinds = self.arrays["kind"]
        return len(self.arrays["permutations"]) > 1 or len(np.unique(kinds)) < len(kinds)

    @property
    def infinite(self) -> int:
        """More than any total."""
        return self.family.infinite

    def weighted(self, weight: Array, peg_kind: Array, color_kind: Array) -> Layout:
        """The board of the family of weights: the same labels, and a weight for every secret, by row: int64.

        Pegs of the same number in ``peg_kind``, and colors of the same in ``color_kind``, may change places without
        changing a weight: `search.exact.kinds` finds them. Codes of weight 0 must be left out of sets.
        """
        made = copy(self)
        ranks, labels = np.arange(len(self.secrets) + 1), self.numbers[2]
        least, settled, layer = np.ones(len(ranks), np.int64), 1, 1
        while settled < len(ranks) and layer:
            least[settled:] += 1
            layer *= labels - 1
            settled += layer
        orders = self.arrays["permutations"]
        made.arrays = self.arrays | {
            "permutations": np.ascontiguousarray(orders[(peg_kind[orders] == peg_kind).all(axis=1)]),
            "kind": _kinds(color_kind, self.blank),
            "weight": np.ascontiguousarray(weight, np.int64),
            "least": least,
            "guessed": self.arrays["expected"] / np.maximum(ranks, 1),
        }
        # Weights seldom leave exchanges of colors at one peg alone: those of all pegs are looked for.
        made.separate, made.family = False, weight_bounds.FAMILY
        made.numbers = (*self.numbers[: fields.SEPARATE], 0)
        return made

    @property
    def entry_words(self) -> int:
        """Words of an entry of the table."""
        return int(self.family.table.words)

    def in_order(self, codes: Array) -> NDArray[np.int32]:
        """Rows of secrets in the order in which sets have them: ascending, under weights from the heaviest on."""
        rows = np.sort(codes).astype(np.int32)
        return rows[np.argsort(-self.arrays["weight"][rows], kind="stable")] if self.is_weighted else rows

    def floor(self, codes: Array) -> int:
        """A lower bound of the total of a set that takes no search; its codes in descending order of weight."""
        if self.is_weighted:
            return int(self.arrays["weight"][codes] @ self.arrays["least"][: len(codes)])
        labels = self.numbers[2] - 1
        return int(count_bounds.size_bound.py_func(len(codes), labels, labels))

    def memory(self, common: dict[str, Array]) -> ThreadMemory:
        """Memory for one thread; ``common`` holds the arrays ``stop``, ``shared`` and ``table``."""
        return ThreadMemory(self, common)


class ThreadMemory:
    """The arrays of one thread and ``fields``, through which kernels reach them and those of the board."""

    def __init__(self, layout: Layout, common: dict[str, Array]) -> None:
        """``common``: arrays that threads share."""
        self.infinite, self.is_weighted = layout.infinite, layout.is_weighted
        self.arrays = layout.arrays | _sets_in_progress(layout) | _scratch(layout) | _groups(layout) | common
        self.fields = np.zeros(fields.LENGTH, np.int64)
        self.fields[: len(layout.numbers)] = layout.numbers
        self.fields[fields.ROOM] = _room(layout)
        self.fields[fields.KEY_BITS] = int(2 * layout.numbers[1] + 1 + layout.arrays["kind"].max()).bit_length()
        self.fields[fields.LAST_SYMMETRIC] = SYMMETRIC if layout.is_symmetric else -1
        self.fields[fields.ONLY] = NO_GUESS
        for name in FIELDS:
            self._place(name)

    def _place(self, name: str) -> None:
        array, (element, dimensions) = self.arrays[name], FIELDS[name]
        if array.dtype != element or array.ndim != dimensions or not array.flags.c_contiguous:
            raise TypeError(f"{name} must be a contiguous {element} array of {dimensions} dimensions")
        slot = fields.HEADER + 4 * list(FIELDS).index(name)
        self.fields[slot] = array.ctypes.data
        self.fields[slot + 1 : slot + 1 + dimensions] = array.shape

    def use(self, **arrays: Array) -> None:
        """Work with other common arrays from now on: ``stop``, ``shared`` or ``table``."""
        for name, array in arrays.items():
            self.arrays[name] = array
            self._place(name)

    @property
    def stack(self) -> Array:
        """int32: sets of secrets; the root's set goes to the start."""
        return self.arrays["stack"]

    @property
    def nodes(self) -> Array:
        """int64[5]: sets expanded, guesses tried, scans, table hits, best guesses found."""
        return self.arrays["nodes"]


def new_words(best: int, first: int = 0, end: int = EVERY) -> NDArray[np.int64]:
    """Words of a search that threads share: candidates ``first`` to ``end`` are to cost less than ``best``."""
    return np.array([first, best, end, 0, 0], np.int64)


def _room(layout: Layout) -> int:
    """Most words of ``tables`` that a frame takes."""
    cells = 1 << (2 * len(layout.guesses) + 2).bit_length()
    near, labels = min(NEAR, len(layout.secrets)), layout.numbers[2]
    return near * ((near + 63) // 64) * (labels + 7) // 8 * 8 + 2 * cells


def _sets_in_progress(layout: Layout) -> dict[str, Array]:
    """The arrays of the frames. Most of what is asked for is never touched, and takes no memory."""
    size, guesses, m = len(layout.secrets), len(layout.guesses), layout.numbers[2]
    depths, most = fields.DEPTHS, min(size + 1, fields.DEPTHS)
    stack = size * most + 64
    words = _room(layout)
    return {
        "stack": np.zeros(stack, np.int32),
        "held": np.zeros(stack, np.int64),
        "spots": np.zeros(stack, np.int32),
        "candidates": np.zeros(min(guesses * most, max(16 * guesses, HELD)), np.int32),
        "lows": np.zeros(min(guesses * most, max(16 * guesses, HELD)), np.int64),
        "tables": np.zeros(min(words * most, max(16 * words, HELD)), np.uint64),
        "frames": np.zeros((depths + 1, FRAME), np.int64),
        "set_hash": np.zeros(depths + 1, np.uint64),
        "order": np.zeros((depths + 1, layout.numbers[1]), np.int64),
        "count": np.zeros((depths, m), np.int64),
        "start": np.zeros((depths, m), np.int64),
        "hashes": np.zeros((depths, m), np.uint64),
        "low": np.zeros((depths, m), np.int64),
        "mass": np.zeros((depths, m) if layout.is_weighted else (0, 0), np.int64),
        "state": np.zeros((depths, m), np.uint8),
        "hope": np.zeros((depths, m)),
    }


def _scratch(layout: Layout) -> dict[str, Array]:
    """Arrays that hold nothing for longer than a step, and what is learned and counted."""
    size, guesses, (_, symbols, m) = len(layout.secrets), len(layout.guesses), layout.numbers[:3]
    padded = (guesses + BLOCK) // BLOCK * BLOCK
    width = max(padded, size)
    wide = padded if layout.is_weighted else 0
    sizes = 4 * BLOCK * (m + 20)
    gain = np.ones((2, SMALL + 1))
    gain[0] = FIRST_GAIN if layout.is_weighted else FIRST_GAIN * np.arange(SMALL + 1)
    return {
        "parts": aligned(padded),
        "rows": np.zeros(size, np.int32),
        "offsets": np.zeros(size, np.int64),
        "label": np.zeros(size, np.uint8),
        "members": np.zeros(NEAR // 64, np.uint64),
        "gain": gain,
        "rise": first_rise(),
        "sizes": aligned(sizes).view(np.int32).reshape(-1, BLOCK),
        "block_low": aligned(4 * BLOCK).view(np.int32),
        "column_low": np.zeros(width, np.int64),
        "column_expected": np.zeros(width),
        "chosen": np.zeros(width, np.int32),
        "begin": np.zeros(BINS + 1, np.int64),
        "cell": np.zeros(width, np.int32),
        "name": np.zeros(symbols, np.int64),
        "own_parts": np.zeros(size, np.uint8),
        "waiting": np.zeros((size + 2, 5), np.int64),
        "second_low": np.zeros(m + 1, np.int64),
        "most_of": np.zeros(size + 1 if wide else 0, np.int64),
        "first": np.zeros((m, size) if wide else (0, 0), np.int64),
        "caps": np.zeros(wide // BLOCK, np.int64),
        "quanta": np.zeros(size if wide else 0, np.int32),
        "own_column": np.zeros(size if wide else 0, np.int32),
        "saved": aligned(4 * wide).view(np.int32),
        "tops": np.zeros(wide // BLOCK, np.int32),
        "whole_sizes": aligned(sizes if wide else 0).view(np.int32).reshape(-1, BLOCK),
        "sums": np.zeros((m, BLOCK) if wide else (0, 0)),
        "ends": np.zeros(LEVELS, np.int64),
        "top": np.zeros(m, np.int64),
        "head": np.zeros(m, np.int64),
        "met": np.zeros(m, np.uint64),
        "nodes": np.zeros(5, np.int64),
        "found": np.zeros(2, np.int64),
        "answer": np.zeros((2 * max(guesses, size) + 2, 4), np.int64),
    }


def _groups(layout: Layout) -> dict[str, Array]:
    """The symmetries of the histories, at first of none."""
    pegs, symbols = layout.numbers[:2]
    elements = len(layout.arrays["permutations"])
    slots = symbols * (pegs if layout.separate else 1)
    group_size, color = np.zeros(SYMMETRIC + 1, np.int64), np.full((SYMMETRIC + 1, elements, slots), -1, np.int16)
    peg = np.zeros((SYMMETRIC + 1, elements), np.int32)
    group_size[0], peg[0] = elements, np.arange(elements)
    if layout.blank is not None:
        color[0, :, layout.blank :: symbols] = layout.blank
    return {
        "group_size": group_size,
        "group_peg": peg,
        "group_color": color,
        "group_token": np.zeros((SYMMETRIC + 1, elements, slots), np.int16),
        "image": np.zeros(slots, np.int16),
        "used": np.zeros(slots, np.uint8),
    }


def _kinds(color_kind: Array, blank: int | None) -> Array:
    """The kind of every color, in steps of the number of colors; the blank is a kind of its own, the last."""
    kinds = color_kind.astype(np.int64)
    if blank is not None and blank < len(kinds):
        kinds[blank] = kinds.max() + 1
    numbers: Array = np.unique(kinds, return_inverse=True)[1] * len(kinds)
    return numbers


def _presence(codes: Array, symbols: int) -> Array:
    if symbols > WORD_BITS:
        return np.ones(len(codes), np.uint64)
    bits = np.zeros(len(codes), np.uint64)
    for digit in codes.T:
        bits |= np.uint64(1) << digit.astype(np.uint64)
    return bits


def _capacity(labels: int) -> Array:
    """Most codes that d guesses can settle: 1 + (m-1) + ... + (m-1)**(d-1)."""
    capacity = np.full(UNLIMITED + 1, 1 << 40, np.int64)
    total, layer = 0, 1
    for d in range(UNLIMITED):
        capacity[d] = min(total, 1 << 40)
        total, layer = min(total + layer, 1 << 40), min(layer * (labels - 1), 1 << 40)
    return capacity


def expected_totals(size: int, labels: int) -> Array:
    """Guess of the total of a set by its size n: n * (1 + 0.92 * log n), base fitted on 4 and 5 pegs."""
    n = np.arange(size + 1, dtype=np.float64)
    base = max(1.9, 1.55 * labels**0.525)
    guess: Array = n * (1 + 0.92 * np.log(np.maximum(n, 1)) / np.log(base))
    return guess
