"""The arrays that the exact search works on, built from planes of codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.errors import InputError
from entropeg.kernels.vectors import BLOCK
from entropeg.search.exact import count_bounds, fields, weight_bounds
from entropeg.search.exact.answer_kinds import (
    AnswerKind,
    Elements,
    aligned,
    best_first,
    elements_of,
    marks_of_labels,
    matrices,
    new_matrix,
)
from entropeg.search.exact.clues import clue_facts, clues_before, fact_words
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import (
    FIELDS,
    FRAME,
    NEAR,
    NO_GUESS,
    NO_LABEL,
    SMALL,
    SYMMETRIC,
    UNLIMITED,
    WAITING,
    WORD_BITS,
)
from entropeg.search.exact.scan import BINS
from entropeg.search.exact.targets import first_rise
from entropeg.search.strategies import Node
from entropeg.sizes import BLACK

HELD = 1 << 22
"""Candidates, and words of tables, that all sets in progress may hold; more if 16 sets of that size need it."""
SEED = 0x5EED
"""Of the words of which the hash of a set is made."""

FACT_BYTES = 1 << 26
"""Most memory for what is counted of the words of two facts: 5,000 pairs on Wordle's lists. It is taken when used."""
_FACTS = "with_fact", "with_facts", "fact_row"

PLAIN = AnswerKind()
"""Standard feedback."""

Array = NDArray[Any]


LONG_RUNS, RUN_PEGS = 12, 9
"""Guesses of the same colors are bounded at once where they are so many in the mean, on boards of up to so many pegs:
of more, labels do not fit into a word."""


def is_by_colors(guesses: Array, answers: AnswerKind) -> bool:
    """Whether guesses of the same colors lie side by side: see `scan.most_parts_by_runs`."""
    if not answers.is_by_colors or guesses.shape[1] > RUN_PEGS:
        return False
    return len(guesses) >= LONG_RUNS * len(np.unique(np.sort(guesses, axis=1), axis=0))


def shell_order(codes: Array, *, by_colors: bool = False) -> Array:
    """Indexes that sort codes (one a row) by their largest color, ``by_colors`` by their colors, lexicographically."""
    firsts = (np.sort(codes, axis=1), codes) if by_colors else (codes,)
    keys = [digits[:, k] for digits in reversed(firsts) for k in range(codes.shape[1] - 1, -1, -1)]
    return np.lexsort([*keys, codes.max(axis=1)])


def in_shells(secrets: Array, guesses: Array, answers: AnswerKind) -> tuple[Array, Array]:
    """Secrets and guesses, uint8 arrays of a code a row, in `shell_order`: both by colors, or neither."""
    by_colors = is_by_colors(guesses, answers)
    one, other = (np.ascontiguousarray(codes[shell_order(codes, by_colors=by_colors)]) for codes in (secrets, guesses))
    return one, other


def plain_places(codes: Array) -> NDArray[np.int64]:
    """The place of each code among all, were they not sorted by colors."""
    return np.argsort(shell_order(codes))


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


ALIKE = 0.35
"""Guesses of which those that differ by a permutation of colors are left out are copied up to this share of all."""


def _whole_blocks(columns: int) -> int:
    return (columns + BLOCK - 1) // BLOCK * BLOCK


class _Room:
    """Memory for matrices, each with room behind it for a copy of ``columns`` of its columns; ``whole``: the last."""

    def __init__(self, matrix: Callable[[int, int], Array], columns: int) -> None:
        self._matrix, self._wide = matrix, _whole_blocks(columns)
        self.whole: Array = np.zeros((0, 0), np.uint8)

    def __call__(self, rows: int, stride: int) -> Array:
        self.whole = self._matrix(rows + -(-rows * self._wide // stride), stride)
        return self.whole[:rows]


def _first_of_alike(guesses: Array, symbols: int) -> list[Array]:
    """One guess of each class of those that differ by a permutation of the last colors, for more and more of these.

    In it they come in order. The last entry is for all colors; each is the beginning of the one before.
    """
    least = np.zeros(len(guesses), np.int64)
    for first in range(symbols):
        upcoming, is_bad = np.full(len(guesses), first, np.int64), np.zeros(len(guesses), np.bool_)
        for digit in guesses.T.astype(np.int64):
            is_bad |= digit > upcoming
            upcoming += digit == upcoming
        least[is_bad] = first + 1
    widths = [int((least <= symbols - size).sum()) for size in range(1, symbols + 1)]
    order = np.argsort(least, kind="stable")
    return [order[:width] for width in widths if width <= ALIKE * len(guesses)]


class _CodeNumbers:
    """Codes, found by the number that their digits make."""

    def __init__(self, codes: Array, powers: Array) -> None:
        numbers = codes.astype(np.int64) @ powers
        self._powers, self._order = powers, np.argsort(numbers, kind="stable").astype(np.int32)
        self._sorted = numbers[self._order]

    def find(self, codes: Array) -> NDArray[np.int32]:
        """The row of each code, -1 where it is none of them."""
        wanted = codes.astype(np.int64) @ self._powers
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        rows: NDArray[np.int32] = np.where(self._sorted[at] == wanted, self._order[at], -1).astype(np.int32)
        return rows

    def table(self, size: int) -> NDArray[np.int32]:
        """The row of every number below a size, -1 where it is that of no code."""
        rows = np.full(size, -1, np.int32)
        if size:
            rows[self._sorted] = self._order
        return rows


class BoardNumbers(NamedTuple):
    """Of the numbers that kernels read, those of a board: the first of `fields.NUMBERS`, which says what they are."""

    pegs: int
    symbols: int
    labels: int
    relabels: bool
    consistent: bool
    separate: bool
    alike_scans: int


class Layout:
    """Codes in the order of the search, and the arrays over them.

    ``secrets`` and ``guesses``: uint8 arrays, one code a row, in any order: all that the rules allow, so that
    permuting pegs or colors maps each list to itself, where ``answers`` says that they are alike. ``blank``: the color
    that is unlike the others, if any: no permutation moves it. Not ``is_whole``: the secrets are those of one position,
    and guesses that the symmetry of its history maps to themselves.
    """

    def __init__(  # noqa: PLR0913 - the codes, and what they have in common
        self,
        secrets: Array,
        guesses: Array,
        colors: int,
        *,
        blank: int | None = None,
        answers: AnswerKind = PLAIN,
        consistent: bool = False,
        is_whole: bool = True,
        seed: int = 0,
        matrix: Callable[[int, int], Array] = new_matrix,
    ) -> None:
        """``matrix``: where labels are written, see `answers.label_matrix`; ``seed``: of the random words of sets."""
        pegs = secrets.shape[1]
        symbols = max(colors, int(guesses.max()) + 1)
        self.secrets: Array
        self.guesses: Array
        self.secrets, self.guesses = in_shells(secrets, guesses, answers)
        self.answers = answers
        if not answers.is_alike:
            self.guesses = best_first(self.guesses, self.secrets, answers)
        self.labels: Array
        # Colors are renamed to look a set up as codes of fewer colors, and those must be there.
        is_plain = is_whole and (blank is None or blank >= colors) and symbols <= WORD_BITS
        renames = is_plain and answers.renames
        is_alike = renames and np.array_equal(self.secrets, self.guesses)
        alike = _first_of_alike(self.guesses, symbols) if is_alike else []
        with_room = _Room(matrix, len(alike[0]) if alike else 0)
        by_secret, by_guess, self.labels = matrices(self.secrets, self.guesses, symbols, answers, with_room)
        labels = self.labels.shape[1]
        has_names = len(self.labels) == 1
        powers = symbols ** np.arange(pegs - 1, -1, -1, dtype=np.int64)
        self._numbers = _CodeNumbers(self.secrets, powers), _CodeNumbers(self.guesses, powers)
        listed = [numbers.table(symbols**pegs if renames else 0) for numbers in self._numbers]
        random = np.random.default_rng([SEED, seed] if seed else SEED)
        words = hash_words(len(self.secrets), random)[plain_places(self.secrets)]
        limit_words = random.integers(1, 2**63, UNLIMITED + 1, dtype=np.int64).astype(np.uint64)
        limit_words[UNLIMITED] = 0
        room = with_room.whole if alike else by_secret  # where secrets are the guesses, those by secret come last
        scan = self._scan(room.ravel(), by_secret, alike, colors, symbols, renames=renames)
        # Up to 9 pegs all 362,880 permutations are tried, and 9x2 takes 41 s; a thread keeps 35 MB of them. 10x2
        # would take 350 MB.
        self.elements: Elements = elements_of(answers, self.guesses, symbols, blank, 9)
        self.zobrist = words
        marks = (
            marks_of_labels(self.labels[0], pegs) if answers.is_by_place and has_names else np.zeros((0, 0), np.uint8)
        )
        kinds = np.zeros(symbols, np.int64) if answers.is_alike else np.arange(symbols)
        self.arrays: dict[str, Array] = dict(
            by_guess=by_guess,
            **scan,
            secret_digits=self.secrets,
            guess_digits=self.guesses,
            presence=_presence(self.secrets, symbols),
            powers=powers,
            secret_of_number=listed[0],
            guess_of_number=listed[1],
            guess_of_secret=self._numbers[1].find(self.secrets),
            zobrist=words,
            zobrist_limit=limit_words,
            capacity=_capacity(labels),
            expected=expected_totals(len(self.secrets), labels),
            permutations=self.elements.orders,
            kind=_kinds(kinds, blank if answers.is_alike else None),
            marks=marks,
            facts=clue_facts(self.guesses, symbols) if answers.is_hard else np.zeros((0, 0), np.uint64),
            fact_words=fact_words(pegs, symbols, random) if answers.is_hard else np.zeros(0, np.uint64),
            weight=np.zeros(0, np.int64),
            least=np.zeros(0, np.int64),
            guessed=np.zeros(0),
        )
        self.family: Family = count_bounds.FAMILY
        self.weighing: tuple[Array, Array, Array] | None = None  # what `weighted` was given
        # Without whites a peg knows nothing of the colors of the others.
        whole = len(self.secrets) == colors**pegs and len(self.guesses) == symbols**pegs
        separate = whole and answers.kind == BLACK and answers.is_alike
        self.numbers: BoardNumbers = BoardNumbers(pegs, symbols, labels, renames, consistent, separate, len(alike))
        self.blank = blank
        self.in_files: NDArray[np.int64] = (
            plain_places(self.guesses) if answers.is_alike else np.arange(len(self.guesses))
        )
        """The numbers that guesses have in files, where they are sorted as they always were."""
        self.arrays |= _of_facts(self) | _runs(self)
        self._guess_rows = dict[tuple[int, ...], int]()

    def _scan(
        self, whole: Array, by_secret: Array, alike: list[Array], colors: int, symbols: int, *, renames: bool
    ) -> dict[str, Array]:
        """The scan matrices for every number of colors: views of the labels where the classes are a prefix.

        Then those of `_first_of_alike` for sets in which so many colors may change places, and more, a copy of labels
        behind those of ``by_secret`` in ``whole``.
        """
        size = len(self.guesses)
        scans = colors + 1 + len(alike)
        base = np.zeros(scans, np.int64)
        stride = np.full(scans, by_secret.shape[1], np.int64)
        width = np.full(scans, size, np.int64)
        columns = np.tile(np.arange(size, dtype=np.int32), (scans, 1))
        place = columns.copy()
        flat = [whole]
        end = len(whole)
        for at, chosen in enumerate(alike, colors + 1):
            base[at], stride[at], width[at] = by_secret.size, _whole_blocks(len(alike[0])), len(chosen)
            columns[at, : len(chosen)] = chosen
            place[at] = -1
            place[at, chosen] = np.arange(len(chosen))
        if alike:
            copy = whole[by_secret.size :][: len(by_secret) * stride[-1]].reshape(len(by_secret), -1)
            for row, some in zip(copy, by_secret, strict=True):
                some.take(alike[0], out=row[: len(alike[0])], mode="clip")
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

    def number_secrets(self, codes: Array) -> NDArray[np.int32]:
        """The row of each secret: int32."""
        return self._numbers[0].find(codes)

    def number_guesses(self, codes: Array) -> NDArray[np.int32]:
        """The row of each guess: int32; -1 where it is none."""
        return self._numbers[1].find(codes)

    def number_guess(self, code: tuple[int, ...]) -> int:
        """The row of a guess; raises InputError where it is none."""
        known = self._guess_rows.get(code)
        if known is not None:
            return known
        is_code = len(code) == self.guesses.shape[1] and all(0 <= color < self.numbers.symbols for color in code)
        row = int(self.number_guesses(np.array([code], np.int64))[0]) if is_code else -1
        if row < 0:
            raise InputError("the strategy has the guess {guess!r}, which is none of this board", code)
        self._guess_rows[code] = row
        return row

    def number_turns(self, turns: Iterable[tuple[tuple[int, ...], int]]) -> list[tuple[int, int]]:
        """Guesses and public labels as rows and compact labels; `NO_LABEL` for an answer that no code has."""
        found = []
        for code, label in turns:
            guess = self.number_guess(code)
            compact = np.flatnonzero(self.labels[guess % len(self.labels)] == label)
            found.append((guess, int(compact[0]) if len(compact) else NO_LABEL))
        return found

    def public_labels(self, guesses: Array | int, labels: Array | int) -> Array:
        """The public labels of compact ones of guesses."""
        found: Array = self.labels[guesses % len(self.labels), labels]
        return found

    def from_files(self, guess: int) -> int:
        """The row of a guess by its number in files; `NO_GUESS` stays that."""
        return guess if guess == NO_GUESS else int(np.flatnonzero(self.in_files == guess)[0])

    def for_files(self, guess: int) -> int:
        """The number of a guess in files, by its row; `NO_GUESS` stays that."""
        return guess if guess == NO_GUESS else int(self.in_files[guess])

    @property
    def win(self) -> int:
        """The compact label of a guess that is the secret: the last."""
        return int(self.labels.shape[1]) - 1

    def check_strategy(self, tree: Node, codes: NDArray[np.int32]) -> None:
        """Raise InputError where a strategy that was read from a file does not find each of these codes."""
        waiting = [(tree, codes, 1)]
        longest = 300  # a board of one peg takes as many guesses as it has colors, and that is 255
        while waiting:
            node, left, turn = waiting.pop()
            if turn > longest:
                raise InputError("the strategy takes more than {most} guesses", longest)
            guess = self.number_guess(node.guess)
            labels = self.arrays["by_guess"][guess][left]
            for label in np.unique(labels[labels != self.win]).tolist():
                child = node.children.get(int(self.public_labels(guess, label)))
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
    def looked_at(self) -> int:
        """About so many labels of a code are read in a look at all guesses."""
        runs = int(self.arrays["runs"].max())
        return 8 * runs + len(self.guesses) // 16 if runs else len(self.guesses)

    @property
    def is_weighted(self) -> bool:
        """Whether codes have weights."""
        return self.family is weight_bounds.FAMILY

    @property
    def is_symmetric(self) -> bool:
        """Whether pegs or colors may change places."""
        kinds = self.arrays["kind"]
        is_alike = len(np.unique(kinds)) < len(kinds) and not self.answers.shapes
        return len(self.elements.order_of) > 1 or is_alike

    @property
    def is_entered_by_answer(self) -> bool:
        """Whether a history is told by its answers too, not by its guesses alone."""
        return self.answers.is_hard or (self.answers.is_by_place and self.is_symmetric)

    @property
    def infinite(self) -> int:
        """More than any total."""
        return self.family.infinite

    def weighted(self, weight: Array, peg_kind: Array, color_kind: Array) -> Layout:
        """The board of the family of weights: the same labels, and a weight for every secret, by row: int64.

        Pegs of the same number in ``peg_kind``, and colors of the same in ``color_kind``, may change places without
        changing a weight: `search.exact.exchanges` finds them. Codes of weight 0 must be left out of sets.
        """
        made = copy(self)
        ranks, labels = np.arange(len(self.secrets) + 1), self.numbers.labels
        least, settled, layer = np.ones(len(ranks), np.int64), 1, 1
        while settled < len(ranks) and layer:
            least[settled:] += 1
            layer *= labels - 1
            settled += layer
        orders = self.arrays["permutations"]
        kept = (peg_kind[orders] == peg_kind).all(axis=1)
        images = self.elements.images[:1] if not self.answers.shapes else np.arange(self.numbers.symbols)[None, :]
        made.elements = Elements(
            np.ascontiguousarray(orders[kept]),
            np.arange(int(kept.sum()), dtype=np.int32),
            np.repeat(images.astype(np.int16), int(kept.sum()), axis=0),
        )
        made.arrays = self.arrays | {
            "permutations": made.elements.orders,
            "kind": _kinds(color_kind, self.blank),
            "weight": np.ascontiguousarray(weight, np.int64),
            "least": least,
            "guessed": self.arrays["expected"] / np.maximum(ranks, 1),
        }
        # Weights seldom leave exchanges of colors at one peg alone: those of all pegs are looked for.
        made.numbers, made.family = self.numbers._replace(separate=False), weight_bounds.FAMILY
        made.weighing = weight, peg_kind, color_kind
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
        labels = self.numbers.labels - 1
        return int(count_bounds.size_bound.py_func(len(codes), labels, labels))

    def memory(self, common: dict[str, Array]) -> ThreadMemory:
        """Memory for one thread; ``common`` holds the arrays ``stop``, ``shared`` and ``table``."""
        return ThreadMemory(self, common)


class ThreadMemory:
    """The arrays of one thread and ``fields``, through which kernels reach them and those of the board."""

    def __init__(self, layout: Layout, common: dict[str, Array]) -> None:
        """``common``: arrays that threads share."""
        self.infinite: int = layout.infinite
        self.is_weighted: bool = layout.is_weighted
        self.arrays: dict[str, Array] = (
            layout.arrays | _sets_in_progress(layout) | _scratch(layout) | _groups(layout) | common
        )
        self.fields: NDArray[np.int64] = np.zeros(fields.LENGTH, np.int64)
        self.where: Any = None
        """Where they stand, once a call by address has asked."""
        self.is_entered_by_answer: bool = layout.is_entered_by_answer
        self.behind: list[int] = []
        """The guesses behind the root, and those `entered` after it: every code of a set has one answer to each."""
        self.entered: list[int] = []
        self.set(
            **layout.numbers._asdict(),
            room=_room(layout),
            key_bits=int(2 * layout.numbers.symbols + 1 + layout.arrays["kind"].max()).bit_length(),
            last_symmetric=SYMMETRIC if layout.is_symmetric else -1,
            by_answer=layout.is_entered_by_answer,
            all_named=layout.answers.shapes > 0,
            hard=layout.answers.is_hard,
            by_letters=_by_letters(layout),
            only=NO_GUESS,
        )
        for name in FIELDS:
            self._place(name)

    def set(self, **numbers: int) -> None:
        """Set the numbers that kernels read by these names: some of `fields.NUMBERS`."""
        for name, number in numbers.items():
            self.fields[fields.PLACES[name]] = number

    def pause(self, *, is_to: bool) -> None:
        """Let the search in this memory stand still where it is soon, or go on: see `engine.resume`."""
        self.set(pause=int(is_to))

    def _place(self, name: str) -> None:
        array, (element, dimensions) = self.arrays[name], FIELDS[name]
        if array.dtype != element or array.ndim != dimensions or not array.flags.c_contiguous:
            raise TypeError(f"{name} must be a contiguous {element} array of {dimensions} dimensions")
        slot = fields.PLACES[name]
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
        """int64[5]: sets expanded, guesses tried, labels looked at (`fields.WORK`), table hits, best guesses found."""
        return self.arrays["nodes"]


def new_words(best: int, first: int = 0, end: int = 1 << 40) -> NDArray[np.int64]:
    """Words of a search that threads share: candidates ``first`` to ``end`` are to cost less than ``best``, or all."""
    return np.array([first, best, end, 0, 0], np.int64)


def _room(layout: Layout) -> int:
    """Most words of ``tables`` that a frame takes."""
    cells = 1 << (2 * len(layout.guesses) + 2).bit_length()
    near, labels = min(NEAR, len(layout.secrets)), layout.numbers.labels
    return near * ((near + 63) // 64) * (labels + 7) // 8 * 8 + 2 * cells


def _sets_in_progress(layout: Layout) -> dict[str, Array]:
    """The arrays of the frames. Most of them is never touched, and takes no memory."""
    size, guesses, m = len(layout.secrets), len(layout.guesses), layout.numbers.labels
    depths, most = fields.DEPTHS, min(size + 1, fields.DEPTHS)
    stack = size * most + 64
    words = _room(layout)
    count = np.zeros((depths, m), np.int64)
    return {
        "stack": np.zeros(stack, np.int32),
        "held": np.zeros(stack, np.int64),
        "spots": np.zeros(stack, np.int32),
        "candidates": np.zeros(min(guesses * most, max(16 * guesses, HELD)), np.int32),
        "lows": np.zeros(min(guesses * most, max(16 * guesses, HELD)), np.int64),
        "tables": np.zeros(min(words * most, max(16 * words, HELD)), np.uint64),
        "frames": np.zeros(depths + 1, FRAME),
        "set_hash": np.zeros(depths + 1, np.uint64),
        "order": np.zeros((depths + 1, layout.numbers.symbols), np.int64),
        "count": count,
        "start": np.zeros((depths, m), np.int64),
        "hashes": np.zeros((depths, m), np.uint64),
        "low": np.zeros((depths, m), np.int64),
        "mass": np.zeros_like(count) if layout.is_weighted else count,
        "state": np.zeros((depths, m), np.uint8),
        "hope": np.zeros((depths, m)),
    }


def _scratch(layout: Layout) -> dict[str, Array]:
    """Arrays that hold nothing for longer than a step, and those of gains and counts."""
    size, guesses, (_, symbols, m) = len(layout.secrets), len(layout.guesses), layout.numbers[:3]
    padded = (guesses + BLOCK) // BLOCK * BLOCK
    width = max(padded, size)
    wide = padded if layout.is_weighted else 0
    sizes = 4 * BLOCK * (m + 20)
    gain = np.ones((2, SMALL + 1))
    # A look at all guesses raises the bound of a part by about so much for each code.
    gain[0] = 0.15 if layout.is_weighted else 0.15 * np.arange(SMALL + 1)
    return {
        "parts": aligned(padded),
        "run_most": aligned(_whole_blocks(layout.arrays["run_begin"].shape[1])),
        "run_rows": np.zeros(size, np.int64),
        "is_own": np.zeros(padded, np.uint8),
        "block_bound": np.zeros(padded // BLOCK, np.int64),
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
        "among": np.zeros(size, np.uint8),
        "own_parts": np.zeros(size, np.uint8),
        "fact_bits": np.zeros(2 * layout.numbers.pegs, np.uint64),
        "fact_offsets": np.zeros(size if _by_letters(layout) else 0, np.int64),
        "waiting": np.zeros(size + 1, WAITING),
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
        "ends": np.zeros(256, np.int64),  # levels of weight that a look tells apart at most
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
    found, copies = layout.elements, pegs if layout.numbers.separate else 1
    elements, slots = len(found.order_of), symbols * copies
    group_size, color = np.zeros(SYMMETRIC + 1, np.int64), np.full((SYMMETRIC + 1, elements, slots), -1, np.int16)
    peg = np.zeros((SYMMETRIC + 1, elements), np.int32)
    group_size[0], peg[0], color[0] = elements, found.order_of, np.tile(found.images, (1, copies))
    return {
        "group_size": group_size,
        "group_peg": peg,
        "group_color": color,
        "group_token": np.zeros((SYMMETRIC + 1, elements, slots), np.int16),
        "image": np.zeros(slots, np.int16),
        "used": np.zeros(slots, np.uint8),
        "clues": clues_before(layout.arrays["facts"].shape[0]),
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


def _of_facts(layout: Layout) -> dict[str, Array]:
    """How many secrets share each fact of `scan.most_parts_by_facts`, and room for what is counted of two facts."""
    if not _by_letters(layout):
        return {name: np.zeros((0,) * FIELDS[name][1], FIELDS[name][0]) for name in _FACTS}
    secrets, symbols = layout.secrets, layout.numbers.symbols
    at = secrets[:, None, :] == np.arange(symbols)[None, :, None]
    has = at.any(axis=2)
    known = np.concatenate([~has[:, :, None], has[:, :, None], at, has[:, :, None] & ~at], axis=2)
    facts = known.reshape(len(secrets), -1).sum(axis=0).astype(np.int64)
    pairs, padded = len(facts) * (len(facts) + 1) // 2, (len(layout.guesses) + BLOCK) // BLOCK * BLOCK
    rows = min(pairs, FACT_BYTES // padded)
    arrays = facts, aligned(rows * padded).reshape(-1, padded), np.zeros(pairs + 1, np.int64)
    return dict(zip(_FACTS, arrays, strict=True))


def _runs(layout: Layout) -> dict[str, Array]:
    """Columns of scans that lie side by side and have the same colors, and the sums of blacks and whites of these."""
    arrays, pegs = layout.arrays, layout.numbers.pegs
    scans = len(arrays["base"])
    found: dict[str, Array] = {
        "run_scan": np.zeros(0, np.uint8),
        "run_base": np.zeros(scans, np.int64),
        "run_stride": np.zeros(scans, np.int64),
        "runs": np.zeros(scans, np.int64),
        "run_begin": np.zeros((scans, 1), np.int32),
        "run_of": np.zeros((scans, 1), np.int32),
        "labels_of_sum": np.zeros(0, np.int32),
    }
    if not is_by_colors(layout.guesses, layout.answers):
        return found
    sums = (layout.labels[0] // (pegs + 1) + layout.labels[0] % (pegs + 1)).astype(np.uint8)
    found["labels_of_sum"] = np.bincount(sums, minlength=pegs + 1).astype(np.int32)
    colors = np.sort(layout.guesses, axis=1)
    found["run_begin"] = np.zeros((scans, len(colors) + 1), np.int32)
    found["run_of"] = np.zeros((scans, len(colors)), np.int32)
    flat, end, known = list[Array](), 0, dict[int, tuple[int, int, Array]]()
    largest, whole = layout.secrets.max(axis=1), scans - 1 - layout.numbers.alike_scans
    # Scans that begin at the same place have the same columns, as many as they have.
    for scan in sorted(range(scans), key=lambda scan: -arrays["width"][scan]):
        width, base, stride = (int(arrays[name][scan]) for name in ("width", "base", "stride"))
        rows = int((largest < scan).sum()) if base and scan < whole else len(largest)
        if not rows:
            continue
        if base not in known:
            mine = colors[arrays["columns"][scan, :width]]
            begin = np.flatnonzero(np.concatenate([[True], (mine[1:] != mine[:-1]).any(axis=1)]))
            sums_of = np.zeros((rows, _whole_blocks(len(begin))), np.uint8)
            for row, some in enumerate(sums_of):
                some[: len(begin)] = sums[arrays["scan"][base + row * stride + begin]]
            known[base] = end, sums_of.shape[1], begin
            flat.append(sums_of.ravel())
            end += sums_of.size
        at, run_stride, begin = known[base]
        begin = begin[begin < width]
        if LONG_RUNS * len(begin) > width:
            continue
        found["run_base"][scan], found["run_stride"][scan], found["runs"][scan] = at, run_stride, len(begin)
        found["run_begin"][scan, : len(begin) + 1] = *begin, width
        found["run_of"][scan, begin[1:]] = 1
        np.cumsum(found["run_of"][scan], out=found["run_of"][scan])
    found["run_scan"] = np.concatenate(flat, out=aligned(end))
    return found


def _by_letters(layout: Layout) -> bool:
    """Whether letters bound the parts of sets: on lists of words, whose guesses have many answers."""
    _, symbols, labels = layout.numbers[:3]
    is_listed = not layout.answers.is_alike and not layout.is_weighted
    return is_listed and labels > fields.MANY_LABELS and symbols <= WORD_BITS


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
