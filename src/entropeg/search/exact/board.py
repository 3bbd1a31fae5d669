"""The arrays that the exact search works on, built from planes of codes."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError, quoted
from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact import desk, engine
from entropeg.search.exact.aims import first_rise
from entropeg.search.exact.desk import SMALL, SYMMETRIC, UNLIMITED, WORD_BITS
from entropeg.search.exact.labels import fill_labels
from entropeg.search.exact.passes import NEAR
from entropeg.search.tree import Node

MOVED_PEGS = 9
"""Up to so many pegs guesses are looked at under all permutations of them: 362,880, and 9x2 takes 41 s. What is kept of
them takes 35 MB a thread there, and would take 350 MB on 10x2."""

LONGEST = 300
"""Guesses of a strategy in a file, at most: a board of one peg takes as many as it has colors, and that is 255."""

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
    permutation moves it.
    """

    def __init__(
        self,
        secrets: Array,
        guesses: Array,
        colors: int,
        *,
        blank: int | None = None,
        by_color: bool = True,
        consistent: bool = False,
    ) -> None:
        pegs = secrets.shape[1]
        symbols = max(colors, int(guesses.max()) + 1)
        self.secrets = np.ascontiguousarray(secrets[shell_order(secrets)])
        self.guesses = np.ascontiguousarray(guesses[shell_order(guesses)])
        self.by_color = by_color
        _, labels = compact_labels(pegs, by_color=by_color)
        self.labels = plain_labels(pegs, by_color=by_color)
        same = self.secrets.shape == self.guesses.shape and bool((self.secrets == self.guesses).all())
        by_secret = self._matrix(self.secrets, self.guesses, symbols)
        by_guess = by_secret if same else self._matrix(self.guesses, self.secrets, symbols)
        powers = symbols ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
        secret_of_number = np.full(symbols**pegs, -1, np.int32)
        guess_of_number = np.full(symbols**pegs, -1, np.int32)
        secret_numbers = self.secrets.astype(np.int64) @ powers
        secret_of_number[secret_numbers] = np.arange(len(self.secrets))
        guess_of_number[self.guesses.astype(np.int64) @ powers] = np.arange(len(self.guesses))
        random = np.random.default_rng(0x5EED)
        words = random.integers(1, 2**63, len(self.secrets), dtype=np.int64).astype(np.uint64)
        words ^= random.integers(0, 2**63, len(self.secrets), dtype=np.int64).astype(np.uint64) << np.uint64(1)
        limit_words = random.integers(1, 2**63, UNLIMITED + 1, dtype=np.int64).astype(np.uint64)
        limit_words[UNLIMITED] = 0
        renames = (blank is None or blank >= colors) and symbols <= WORD_BITS
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
            expected=_expected(len(self.secrets), labels),
            permutations=np.array(list(permutations(range(pegs))) if pegs <= MOVED_PEGS else [range(pegs)], np.uint8),
        )
        # Without whites a peg knows nothing of the colors of the others.
        whole = len(self.secrets) == colors**pegs and len(self.guesses) == symbols**pegs
        self.separate = whole and not by_color
        self.numbers: tuple[int, ...] = (pegs, symbols, labels, int(renames), int(consistent), 0, int(self.separate))
        self.blank = blank

    def _matrix(self, rows: Array, columns: Array, symbols: int) -> Array:
        """Labels of codes ``rows`` against ``columns``, rows padded so that none starts 4096 bytes after another."""
        translate, _ = compact_labels(columns.shape[1], by_color=self.by_color)
        planes = np.ascontiguousarray(columns.T)
        counts = np.stack([(columns == c).sum(axis=1) for c in range(symbols)]).astype(np.uint8)
        stride = (len(columns) + 63) // 64 * 64
        stride += 64 if stride % 1024 == 0 else 0
        out = aligned(len(rows) * stride).reshape(len(rows), stride)  # whole, so that one compiled kernel is enough
        fill_labels(rows, planes, counts, 0, len(rows), int(self.by_color), translate, out)
        return out

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
        """An empty table of at most ``memory`` bytes, on a boundary of 64 bytes; 16 bytes an entry.

        4x6, 4x7, 5x5 and 6x4 store so few sets that a quarter of these entries leaves their guesses tried the same
        within one in a thousand; entries beyond are pages that the system has to clear: 20 ms of 60 on 4x6.
        """
        wanted = max(1 << 15, len(self.secrets) ** 2 // 16)
        entries = 1 << min(int(wanted).bit_length(), max(12, (memory // 16).bit_length() - 1))
        return aligned(16 * entries).view(np.uint64)

    def work(self, shared: dict[str, Array]) -> Work:
        """Memory for one thread; ``shared`` holds the arrays ``stop``, ``shared`` and ``table``."""
        symbols, m = self.numbers[1:3]
        size, guesses = len(self.secrets), len(self.guesses)
        gain = np.ones((2, SMALL + 1))
        gain[0] = 0.15 * np.arange(SMALL + 1)
        elements = len(self.arrays["permutations"])
        slots = symbols * (self.numbers[0] if self.separate else 1)
        arrays: dict[str, Array] = dict(  # noqa: C408 - names without quotes, as keywords
            stack=np.zeros(size * min(size + 1, desk.DEPTHS) + 64, np.int32),
            parts=aligned((guesses + BLOCK) // BLOCK * BLOCK),
            rows=np.zeros(size, np.int32),
            offsets=np.zeros(size, np.int64),
            count=np.zeros((desk.DEPTHS, m), np.int64),
            start=np.zeros((desk.DEPTHS, m), np.int64),
            hashes=np.zeros((desk.DEPTHS, m), np.uint64),
            low=np.zeros((desk.DEPTHS, m), np.int64),
            state=np.zeros((desk.DEPTHS, m), np.uint8),
            label=np.zeros(size, np.uint8),
            members=np.zeros(NEAR // 64, np.uint64),
            gain=gain,
            hope=np.zeros((desk.DEPTHS, m)),
            rise=first_rise(),
            sizes=aligned(4 * BLOCK * (m + 20)).view(np.int32).reshape(-1, BLOCK),
            block_low=aligned(4 * BLOCK).view(np.int32),
            column_low=np.zeros(max(guesses, size), np.int32),
            column_expected=np.zeros(max(guesses, size)),
            group_size=np.zeros(SYMMETRIC + 1, np.int64),
            group_peg=np.zeros((SYMMETRIC + 1, elements), np.int32),
            group_color=np.full((SYMMETRIC + 1, elements, slots), -1, np.int16),
            group_token=np.zeros((SYMMETRIC + 1, elements, slots), np.int16),
            nodes=np.zeros(4, np.int64),
            answer=np.zeros((2 * max(guesses, size) + 2, 4), np.int64),
        )
        arrays["group_size"][0] = elements
        arrays["group_peg"][0] = np.arange(elements)
        if self.blank is not None:
            arrays["group_color"][0, :, self.blank :: symbols] = self.blank
        return Work(self.numbers, self.arrays | arrays | shared)


class Work:
    """The arrays of one thread and the desk through which kernels reach them."""

    def __init__(self, numbers: tuple[int, ...], arrays: dict[str, Array]) -> None:
        self.arrays = arrays
        self.desk = np.zeros(desk.DESK, np.int64)
        self.desk[: len(numbers)] = numbers
        self.desk[desk.ENTRY] = engine.entry.address
        for name in desk.FIELDS:
            self._place(name, arrays[name])

    def _place(self, name: str, array: Array) -> None:
        element, dimensions = desk.FIELDS[name]
        if array.dtype != element or array.ndim != dimensions or not array.flags.c_contiguous:
            raise TypeError(f"{name} must be a contiguous {element} array of {dimensions} dimensions")
        slot = desk.HEADER + 4 * list(desk.FIELDS).index(name)
        self.desk[slot] = array.ctypes.data
        self.desk[slot + 1 : slot + 1 + dimensions] = array.shape

    def share(self, words: Array) -> None:
        """Search the next set together with the threads that have the same ``words``: int64[4], see `engine`."""
        self.arrays["shared"] = words
        self._place("shared", words)

    @property
    def stack(self) -> Array:
        """int32: sets of secrets; the root's set goes to the start."""
        return self.arrays["stack"]

    @property
    def nodes(self) -> Array:
        """int64[4]: sets expanded, guesses tried, scans, table hits."""
        return self.arrays["nodes"]


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


def _expected(size: int, labels: int) -> Array:
    """Guess of the total of a set by its size n: n * (1 + 0.92 * log n), base fitted on 4 and 5 pegs."""
    n = np.arange(size + 1, dtype=np.float64)
    base = max(1.9, 1.55 * labels**0.525)
    guess: Array = n * (1 + 0.92 * np.log(np.maximum(n, 1)) / np.log(base))
    return guess
