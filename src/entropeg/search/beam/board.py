"""What the search for near-optimal trees works on: labels, codes as bits, symmetry, the memory of a thread."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.vectors import BLOCK
from entropeg.search.beam import kernels
from entropeg.search.beam.kernels import LARGEST_SMALL, Ground, Scratch
from entropeg.search.beam.labels import PartLayout, Store, Strip
from entropeg.search.beam.model import Model
from entropeg.search.beam.scan import best_columns, counted
from entropeg.search.exact import engine
from entropeg.search.exact.board import Layout, aligned, compact_labels, plain_labels, shell_order
from entropeg.search.exact.desk import ENTRY, EXACT, INF, NO_GUESS, SCANNED, SYMMETRIC, UNLIMITED
from entropeg.search.exact.labels import fill_labels

Array = NDArray[Any]

MOVED_PEGS = 6
"""Permutations of more pegs are too many to be worth trying."""
CLOSE = 10
"""Guesses of a set whose parts are estimated for its close estimate."""
OWN = 6
"""Codes of a set that a quick guess is chosen from, and as many guesses of a strip."""
DIRECT_CELLS = 1_200_000_000
"""Up to so many labels are held at once; larger boards are searched one answer to the opening at a time."""


def bits_of(codes: Array, symbols: int, *, by_color: bool) -> Array:
    """Codes as bits, uint64[codes, 2, words]: places in common are the ones of an AND, as are colors in common.

    Row 0 has one bit a peg and color, row 1 one bit a color and how often it occurs at least.

    >>> a, b = bits_of(np.array([[0, 0, 1], [2, 0, 0]], np.uint8), 3, by_color=True)[:, :, 0].tolist()
    >>> (a[0] & b[0]).bit_count(), (a[1] & b[1]).bit_count()
    (1, 2)
    """
    size, pegs = codes.shape
    words = (pegs * symbols + 63) // 64
    bits = np.zeros((size, 2, words), np.uint64)
    rows = np.arange(size)
    for peg in range(pegs):
        place = peg * symbols + codes[:, peg].astype(np.int64)
        bits[rows, 0, place // 64] |= np.uint64(1) << (place % 64).astype(np.uint64)
    if by_color:
        for color in range(symbols):
            often = (codes == color).sum(axis=1)
            for k in range(pegs):
                place = color * pegs + k
                bits[:, 1, place // 64] |= (often > k).astype(np.uint64) << np.uint64(place % 64)
    return bits


class Symmetry:
    """Peg permutations and renamings of colors that take every guess of a history to itself."""

    def __init__(self, guesses: Array, colors: int, blank: int | None) -> None:
        """All of them, before the first guess; ``guesses``: uint8[guesses, pegs]; ``blank`` is never renamed."""
        self.guesses = guesses
        self.symbols = max(colors, int(guesses.max()) + 1)
        image = np.full(self.symbols, -1, np.int64)
        if blank is not None:
            image[blank] = blank
        pegs = guesses.shape[1]
        orders = permutations(range(pegs)) if pegs <= MOVED_PEGS else [tuple(range(pegs))]
        self.elements: list[tuple[tuple[int, ...], Array]] = [(order, image) for order in orders]

    def after(self, guess: int) -> Symmetry:
        """Those that also take this guess to itself."""
        found = Symmetry.__new__(Symmetry)
        found.guesses, found.symbols, found.elements = self.guesses, self.symbols, []
        code = self.guesses[guess]
        for order, image in self.elements:
            extended = image.copy()
            if _extends(extended, code[list(order)], code):
                found.elements.append((order, extended))
        return found

    @property
    def is_trivial(self) -> bool:
        """Whether every guess is a class of its own."""
        return len(self.elements) == 1 and int((self.elements[0][1] < 0).sum()) <= 1

    def keys(self, chosen: Array) -> Array:
        """A number for each of these guesses, the same for two only if a symmetry maps one to the other."""
        orders = np.array([order for order, _ in self.elements], np.uint8)
        images = np.array([image for _, image in self.elements], np.int16)
        names, keys = np.empty(self.symbols, np.int64), np.empty(len(chosen), np.int64)
        kernels.class_keys(self.guesses, chosen.astype(np.int64), orders, images, self.symbols, names, keys)
        return keys

    def places_of_first(self, chosen: Array) -> Array:
        """Where the first guess of every class stands in the list."""
        places: Array = np.sort(np.unique(self.keys(chosen), return_index=True)[1])
        return places

    def first_of_each(self, chosen: Array) -> Array:
        """The first guess of every class, in the order given."""
        kept: Array = chosen[self.places_of_first(chosen)]
        return kept


def _extends(image: Array, source: Array, target: Array) -> bool:
    """Extend an injective map of colors so that it takes ``source`` to ``target``, if that is possible."""
    for a, b in zip(source.tolist(), target.tolist(), strict=True):
        if image[a] == b:
            continue
        if image[a] >= 0 or (image == b).any():
            return False
        image[a] = b
    return True


def _part(ground: Ground, rows: Array) -> Ground:
    return ground._replace(
        secret_bits=np.ascontiguousarray(ground.secret_bits[rows]),
        zobrist=np.ascontiguousarray(ground.zobrist[rows]),
        guess_of_secret=np.ascontiguousarray(ground.guess_of_secret[rows]),
    )


class Plot:
    """Secrets under study, all of a board or those that fit an answer to the opening, with their labels.

    ``rows``: which secrets of the board they are, ascending; sets are given as places in this list.
    """

    def __init__(self, layout: Layout, rows: Array, ground: Ground) -> None:
        """``ground``: that of the whole board."""
        self.layout, self.rows = layout, rows
        arrays = layout.arrays
        self.ground = ground if len(rows) == len(ground.zobrist) else _part(ground, rows)
        layout.zobrist = arrays["zobrist"] = self.ground.zobrist
        self.renames = bool(layout.numbers[3])
        self._ways: dict[int, tuple[Array, Array]] = {}

    def places(self, rows: Array) -> Array:
        """Where secrets of the board stand in the list: int32."""
        found: Array = np.searchsorted(self.rows, rows).astype(np.int32)
        return found

    def way(self, colors: int) -> tuple[Array, Array]:
        """(start of every row of labels, first columns of all runs) for sets over so many colors."""
        if colors not in self._ways:
            arrays = self.layout.arrays
            starts = arrays["base"][colors] + np.arange(len(self.layout.secrets)) * arrays["stride"][colors]
            segments = np.arange(0, int(arrays["width"][colors]), BLOCK, dtype=np.int64)
            self._ways[colors] = (starts, segments)
        return self._ways[colors]

    def renamed(self, codes: Array) -> tuple[Array, int, Array | None]:
        """(rows to read, number of colors, old color of each new one) where renaming colors leaves fewer columns."""
        arrays = self.layout.arrays
        width = arrays["width"]
        full = len(width) - 1
        bits = int(np.bitwise_or.reduce(arrays["presence"][codes]))
        colors = bits.bit_count()
        if not self.renames or colors >= full or width[colors] == width[full]:
            return codes.astype(np.int64), full, None
        symbols = self.layout.numbers[1]
        present = [c for c in range(symbols) if bits >> c & 1]
        order = np.array([*present, *(c for c in range(symbols) if not bits >> c & 1)])
        name = np.empty(symbols, np.int64)
        name[order] = np.arange(symbols)
        numbers = name[self.layout.secrets[codes]] @ arrays["powers"]
        return arrays["secret_of_number"][numbers].astype(np.int64), colors, order

    def guesses_at(self, columns: Array, colors: int, order: Array | None) -> Array:
        """The guesses of columns, their colors given back their old names."""
        arrays = self.layout.arrays
        chosen: Array = arrays["columns"][colors, columns]
        if order is None:
            return chosen
        found: Array = arrays["guess_of_number"][order[self.layout.guesses[chosen]] @ arrays["powers"]]
        return found


class Cutter:
    """One thread's memory, and the kernels that need no labels but those of a strip, applied to sets of secrets."""

    def __init__(self, ground: Ground, model: Model, learned: Array) -> None:
        self.ground, self.model = ground, model
        size, labels = len(ground.zobrist), ground.win + 1
        self._sizes = aligned(4 * BLOCK * counted(labels - 1)).view(np.uint32).reshape(-1, BLOCK)
        self._totals = aligned(4 * BLOCK).view(np.float32)
        self.scratch = Scratch(
            label=np.zeros(size, np.uint8),
            stack=np.zeros(size, np.int32),
            sizes=np.zeros(labels, np.int64),
            start=np.zeros(labels, np.int64),
            hash=np.zeros(labels, np.uint64),
            known=np.zeros(labels),
            doubt=np.zeros(labels),
            tally=np.zeros((2, labels), np.int64),
            bits=np.zeros(ground.secret_bits.shape, np.uint64),
            parts=np.zeros(labels, np.int64),
            mask=np.zeros(LARGEST_SMALL, np.uint64),
            slots=np.zeros(4096, np.uint64),
            learned=learned,
            exact_stack=np.zeros(0, np.int32),
            desk=np.zeros(0, np.int64),
            entry=0,
            solved=np.zeros(1, np.int64),
        )

    def rows(self, codes: Array) -> Array:
        """Which secrets of the board these are."""
        return codes

    def places(self, rows: Array) -> Array:
        """How secrets of the board are named in sets here."""
        return rows

    def quick_guess(self, strip: Strip, codes: Array) -> int:
        """One that looks good by the sizes of its parts, of the guesses of a strip and some possible codes."""
        own = self.ground.guess_of_secret[codes[:: -(-len(codes) // OWN)]]
        table = self.model.tables.estimate
        others = self.best_of(strip, self.rows(codes), table, OWN)[0] if len(codes) > OWN else own
        chosen = np.concatenate([own[own >= 0], others[others >= 0]])
        taken, totals, _, _ = self.walk(codes, chosen, len(chosen))
        return int(taken[np.argmin(totals)])

    def best_of(self, strip: Strip, rows: Array, table: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, n + sum of table[part size]) for the guesses of a strip of the least sums, the least first."""
        columns, scores = self._scanned(
            strip.scan, strip.starts[rows], len(strip.chosen), strip.segments, table, min(wanted, len(strip.chosen))
        )
        return strip.chosen[columns], scores

    def _scanned(
        self, scan: Array, starts: Array, width: int, segments: Array, table: Array, wanted: int
    ) -> tuple[Array, Array]:
        score, column = np.zeros(wanted, np.float32), np.zeros(wanted, np.int64)
        count = best_columns(
            scan, starts, width, segments, self.ground.win, table, self._sizes, self._totals, score, column
        )
        rank = np.argsort(score[:count], kind="stable")
        return column[:count][rank], score[:count][rank]

    def walk(self, codes: Array, guesses: Array, wanted: int) -> tuple[Array, Array, Array, Array]:
        """(guesses, estimate, variance, the share for unknown large parts) of guesses with partitions of their own."""
        taken = np.zeros(wanted, np.int64)
        total, doubt, large = np.zeros(wanted), np.zeros(wanted), np.zeros(wanted)
        chosen = guesses.astype(np.int64)
        kept = kernels.walk(
            self.ground, self.model.tables, self.scratch, codes, len(codes), chosen, taken, total, doubt, large
        )
        return taken[:kept], total[:kept], doubt[:kept], large[:kept]

    def judged(self, codes: Array, guess: int) -> list[tuple[Array, int, float, float]]:
        """(codes, name, value or estimate, its variance) of the parts that are searched, not solved."""
        kernels.judge(self.ground, self.model.tables, self.scratch, codes, len(codes), int(guess))
        known, doubt = self.scratch.known, self.scratch.doubt
        parts = self.parts(self.model.small)
        return [(part, name, float(known[label]), float(doubt[label])) for label, part, name in parts]

    def split(self, codes: Array, guess: int) -> list[tuple[int, Array, int]]:
        """(label, codes, name) of every part but the winning one."""
        kernels.split(self.ground, self.scratch, codes, len(codes), int(guess))
        return self.parts()

    def parts(self, more_than: int = 0) -> list[tuple[int, Array, int]]:
        """The parts that stand in the scratch, the smallest first."""
        found = []
        for label in range(self.ground.win):
            size = int(self.scratch.sizes[label])
            if size > more_than:
                begin = int(self.scratch.start[label])
                found.append((label, self.scratch.stack[begin : begin + size].copy(), int(self.scratch.hash[label])))
        found.sort(key=lambda part: len(part[1]))
        return found


class Worker(Cutter):
    """A thread's memory and kernels for a plot: its labels are scanned, its small sets solved exactly."""

    def __init__(self, plot: Plot, model: Model, common: dict[str, Array], learned: Array) -> None:
        """``common``: arrays of the exact search that all threads share."""
        super().__init__(plot.ground, model, learned)
        self.plot = plot
        self.work = plot.layout.work(common)
        self.scratch = self.scratch._replace(
            exact_stack=self.work.stack, desk=self.work.desk, entry=int(self.work.desk[ENTRY])
        )

    def rows(self, codes: Array) -> Array:
        """As `Cutter.rows`."""
        rows: Array = self.plot.rows[codes]
        return rows

    def places(self, rows: Array) -> Array:
        """As `Cutter.places`."""
        return self.plot.places(rows)

    def best_guesses(self, codes: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, estimates by sizes), least estimate first."""
        return self.least_of(codes, self.model.tables.estimate, wanted)

    def least_of(self, codes: Array, table: Array, wanted: int) -> tuple[Array, Array]:
        """(guesses, n + sum of table[part size]) for the guesses of the least sums."""
        plot = self.plot
        rows, colors, order = plot.renamed(codes)
        starts, segments = plot.way(colors)
        width, scan = int(plot.layout.arrays["width"][colors]), plot.layout.arrays["scan"]
        columns, scores = self._scanned(scan, starts[rows], width, segments, table, wanted)
        return plot.guesses_at(columns, colors, order), scores

    def evaluate(self, codes: Array, guess: int, best: float, z: float, extra: float) -> tuple[bool, float, float]:
        """As `kernels.evaluate`; the parts stand in the scratch afterwards."""
        done, total, variance = kernels.evaluate(
            self.ground, self.model.tables, self.scratch, codes, len(codes), int(guess),
            float(best), float(z), float(extra),
        )  # fmt: skip
        return bool(done), float(total), float(variance)

    def looked_at(self, codes: Array, guesses: Array) -> tuple[float, float]:
        """Two raw estimates of the total of a set, the first quick and the second close: that of the best guesses."""
        quick = kernels.low_of(self.ground, self.model.tables, self.scratch, codes, len(codes))
        return float(quick), float(self.walk(codes, guesses, CLOSE)[1].min(initial=np.inf))

    def guess_of(self, codes: Array, name: int) -> int:
        """A guess of the least total; NO_GUESS where the search for it was stopped."""
        desk, n = self.work.desk, len(codes)
        ub = INF
        for again in (False, True):
            found = int(engine.probe(desk, name, n))
            is_known = found >= 0 and found & 3 == EXACT
            if is_known:
                guess = (found >> 2) & NO_GUESS
                if guess != NO_GUESS:
                    return guess
                # The value is known and not the guess: search again with the value as a bound.
                engine.store(desk, name, n, found >> 22, NO_GUESS, SCANNED)
                ub = (found >> 22) + 1
            if not again:
                self.solve(codes, name, ub)
        return NO_GUESS

    def solve(self, codes: Array, name: int, ub: int) -> int:
        """Exact total if it is less than ``ub``, else a lower bound of at least ``ub``."""
        self.work.stack[: len(codes)] = codes
        n = len(codes)
        return engine.solve(self.work.desk, 0, n, n, ub, UNLIMITED, SYMMETRIC + 1, name, together=False)


class Board:
    """All secrets and guesses of the rules, and plots of them."""

    def __init__(self, secrets: Array, guesses: Array, colors: int, blank: int | None, *, by_color: bool) -> None:
        """As `board.Layout`; little is computed until it is asked for."""
        self.secrets = secrets[shell_order(secrets)]
        self.guesses = guesses[shell_order(guesses)]
        self.colors, self.blank, self.by_color = colors, blank, by_color
        self.symbols = max(colors, int(guesses.max()) + 1)
        self.translate, self.labels = compact_labels(secrets.shape[1], by_color=by_color)
        self.public_labels = plain_labels(secrets.shape[1], by_color=by_color)
        same = secrets.shape == guesses.shape and bool((self.secrets == self.guesses).all())
        dense = len(guesses) == self.symbols ** secrets.shape[1]  # else the layout makes copies for fewer colors
        self.is_split = len(secrets) * len(guesses) * (1 if same and dense else 2) > DIRECT_CELLS
        self.ground = self._ground()
        self._whole: Plot | None = None
        self._planes = np.ascontiguousarray(self.secrets.T)
        self._counts = np.stack([(self.secrets == c).sum(axis=1) for c in range(self.symbols)]).astype(np.uint8)

    def _ground(self) -> Ground:
        powers = self.symbols ** np.arange(self.secrets.shape[1] - 1, -1, -1, dtype=np.int64)
        numbers = self.guesses.astype(np.int64) @ powers
        order, wanted = np.argsort(numbers), self.secrets.astype(np.int64) @ powers
        place = order[np.minimum(np.searchsorted(numbers[order], wanted), len(order) - 1)]
        random = np.random.default_rng(0x5EED)
        words = random.integers(1, 2**63, len(self.secrets), dtype=np.int64).astype(np.uint64)
        words ^= random.integers(0, 2**63, len(self.secrets), dtype=np.int64).astype(np.uint64) << np.uint64(1)
        return Ground(
            bits_of(self.secrets, self.symbols, by_color=self.by_color),
            bits_of(self.guesses, self.symbols, by_color=self.by_color),
            self.translate,
            words,
            np.where(numbers[place] == wanted, place, -1).astype(np.int32),
            self.secrets.shape[1],
            self.labels - 1,
            int(self.by_color),
        )

    @property
    def has_labels(self) -> bool:
        """Whether there is nothing to compute before answers are searched, but for what each has of its own."""
        return self.is_split or self._whole is not None

    @property
    def whole(self) -> Plot | None:
        """The plot of all secrets, which serves for everything; None where the board is split. Made when asked for."""
        if self._whole is None and not self.is_split:
            layout = Layout(self.secrets, self.guesses, self.colors, blank=self.blank, by_color=self.by_color)
            self._whole = Plot(layout, np.arange(len(self.secrets), dtype=np.int32), self.ground)
        return self._whole

    def plot(self, rows: Array, stores: tuple[Store, Store]) -> Plot:
        """A plot of some secrets; the one made with these ``stores`` before must not be used any more."""
        layout = PartLayout(self.secrets[rows], self.guesses, self.colors, stores, by_color=self.by_color)
        return Plot(layout, rows, self.ground)

    def strip(self, chosen: Array) -> Strip:
        """The labels of all secrets against these guesses."""
        return Strip(self.secrets, self.guesses, chosen, self.symbols, by_color=self.by_color)

    def answers(self, guess: int) -> list[tuple[int, Array]]:
        """(label, secrets) for every feedback to a guess but the winning one, the largest part first."""
        out = np.zeros((1, len(self.secrets)), np.uint8)
        chosen = self.guesses[guess : guess + 1]
        fill_labels(chosen, self._planes, self._counts, 0, 1, int(self.by_color), self.translate, out)
        parts = [(label, np.flatnonzero(out[0] == label).astype(np.int32)) for label in range(self.labels - 1)]
        return sorted((part for part in parts if len(part[1])), key=lambda part: -len(part[1]))

    def is_secret(self, guess: int) -> bool:
        """Whether a guess may be the secret."""
        return bool((self.secrets == self.guesses[guess]).all(axis=1).any())

    def name(self, rows: Array) -> int:
        """XOR of the words of the secrets."""
        return int(np.bitwise_xor.reduce(self.ground.zobrist[rows]))

    def openings(self) -> Array:
        """One guess of every class of openings."""
        symmetry = Symmetry(self.guesses, self.colors, self.blank)
        return symmetry.first_of_each(np.arange(len(self.guesses)))
