"""The board as the near-optimal search reads it: codes as bits, symmetry, first guesses, and labels as far as they fit.

The labels of all secrets against all guesses are too many on large boards. There a `Section` has those of one answer to
the first guess, and `Columns` has those of all secrets against some guesses only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import chain, islice, permutations, product
from typing import NamedTuple

import numpy as np

from entropeg.codes import Array, guesses, secrets
from entropeg.rules import Rules
from entropeg.search.beam import kernels
from entropeg.search.beam.kernels import CodeBits, LabelRows
from entropeg.search.exact.answer_kinds import AnswerKind, aligned, compact_labels, label_matrix, plain_labels
from entropeg.search.exact.layout import SEED, Layout, hash_words, in_shells, plain_places
from entropeg.search.preparing import layout_options, rows_of
from entropeg.sizes import STANDARD

MOST_LABELS_HELD = 1_200_000_000
"""Bytes of labels held at once; larger boards are searched one answer to the opening at a time."""


class Answer(NamedTuple):
    """The secrets left after a feedback to an opening, by their numbers on the board, and their hash."""

    opening: int
    label: int
    rows: Array
    name: int


# ---------------------------------------------------------------- symmetry


def _orders(code: Array, blank: int | None) -> Array:
    """Permutations of the pegs that take a code to itself by other colors: uint8[*, pegs], the identity first.

    All of them up to 720, as many as six pegs of one color have; some of them where there are more.
    """
    alike = dict[tuple[bool, int], list[list[int]]]()  # the pegs of each color, by how many they are; blanks apart
    for color in np.unique(code).tolist():
        pegs = np.flatnonzero(code == color).tolist()
        alike.setdefault((color == blank, len(pegs)), []).append(pegs)

    def each() -> Iterator[list[int]]:
        for exchanged in product(*(islice(permutations(groups), 720) for groups in alike.values())):
            for moved in product(*(islice(permutations(pegs), 720) for pegs in chain.from_iterable(exchanged))):
                yield list(chain.from_iterable(moved))

    images = np.array(list(islice(each(), 720)), np.uint8)
    orders = np.empty_like(images)
    orders[:, list(chain.from_iterable(chain.from_iterable(alike.values())))] = images
    return orders


class WholeSymmetry:
    """All permutations of the pegs and renamings of the colors, before the first guess; the blank keeps its name."""

    is_trivial = False

    def __init__(self, guesses: Array, symbols: int, blank: int | None) -> None:
        """``guesses``: uint8[guesses, pegs]."""
        self.guesses, self.symbols, self.blank = guesses, symbols, blank

    def after(self, guess: int) -> Symmetry:
        """Those that take this guess to itself."""
        orders = _orders(self.guesses[guess], self.blank)
        images = np.full((len(orders), self.symbols), -1, np.int16)
        if self.blank is not None:
            images[:, self.blank] = self.blank
        return Symmetry(self.guesses, orders, np.arange(len(orders), dtype=np.int32), images).after(guess)

    def places_of_first(self, chosen: Array) -> Array:
        """Where the first guess of every class stands in the list: a class has each number of equal pegs as often."""
        often = (self.guesses[chosen][:, :, None] == np.arange(self.symbols)).sum(axis=1)
        if self.blank is not None:
            often[:, self.blank] += 1 + self.guesses.shape[1]  # above all other numbers
        return _firsts(np.sort(often, axis=1))


class Symmetry:
    """Peg permutations and renamings of colors that take every guess of a history to itself."""

    def __init__(self, guesses: Array, permutations: Array, pegs: Array, images: Array) -> None:
        """``guesses``: uint8[guesses, pegs]; ``pegs``: for every element its row of ``permutations``, uint8[*, pegs].

        ``images``: int16[elements, colors], -1 where any color will do that no guess of the history has.
        """
        self.guesses, self.permutations, self.pegs, self.images = guesses, permutations, pegs, images
        self._kind = np.zeros(images.shape[1], np.int64)  # but the blank, which has an image, colors are of one kind

    def after(self, guess: int) -> Symmetry:
        """Those that also take this guess to itself."""
        images, fits = self.images.copy(), np.empty(len(self.pegs), bool)
        kernels.extend_all(self.guesses[guess], self.permutations, self.pegs, images, self._kind, fits)
        return Symmetry(self.guesses, self.permutations, self.pegs[fits], images[fits])

    @property
    def is_trivial(self) -> bool:
        """Whether every guess is a class of its own."""
        return len(self.pegs) == 1 and int((self.images < 0).sum()) <= 1

    def keys(self, chosen: Array) -> Array:
        """A number for each of these guesses, the same for two only if a symmetry maps one to the other."""
        keys = np.empty(len(chosen), np.int64)
        tokens = np.where(self.images < 0, self.images, 1 + self.images)
        kernels.class_keys(self.guesses[chosen], self.permutations, self.pegs, tokens, self._kind, keys)
        return keys

    def places_of_first(self, chosen: Array) -> Array:
        """Where the first guess of every class stands in the list."""
        return _firsts(self.keys(chosen))


def _firsts(keys: Array) -> Array:
    places: Array = np.sort(np.unique(keys, axis=0, return_index=True)[1])
    return places


# ---------------------------------------------------------------- labels


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


class Buffer:
    """Memory for one matrix of labels after another; each is written over the one before.

    The system takes as long to give new memory as it takes to compute labels.
    """

    def __init__(self) -> None:
        self._bytes = aligned(0)

    def matrix(self, rows: int, stride: int) -> Array:
        """uint8[rows, stride], with whatever was there."""
        if rows * stride > len(self._bytes):
            wanted = max(rows * stride, len(self._bytes) * 3 // 2)
            self._bytes = aligned(0)  # given back before more is asked for
            self._bytes = aligned(wanted)
        whole: Array = self._bytes[: rows * stride].reshape(rows, stride)
        return whole


class Section:
    """Secrets under search with their labels against all guesses: all secrets of a board, or those of one answer.

    ``rows``: which secrets of the board they are, ascending. Sets are given as places in this list.
    """

    def __init__(self, layout: Layout, rows: Array, codes: CodeBits) -> None:
        """``codes``: those of the whole board."""
        self.layout, self.rows = layout, rows
        if len(rows) < len(codes.zobrist):
            codes = codes._replace(
                secret_bits=np.ascontiguousarray(codes.secret_bits[rows]),
                zobrist=np.ascontiguousarray(codes.zobrist[rows]),
                guess_of_secret=np.ascontiguousarray(codes.guess_of_secret[rows]),
            )
        self.codes = codes
        layout.zobrist = layout.arrays["zobrist"] = codes.zobrist
        self._renames = bool(layout.numbers[3])

    def label_rows(self, members: Array) -> tuple[LabelRows, Callable[[Array], Array]]:
        """Labels of a set against guesses of all kinds, and a function from columns to guesses.

        Where renaming the colors of the set to the first ones leaves fewer columns, those are the renamed set's.
        """
        arrays, (_, symbols) = self.layout.arrays, self.layout.numbers[:2]
        width = arrays["width"]
        colors = full = len(width) - 1 - self.layout.numbers.alike_scans
        bits = int(np.bitwise_or.reduce(arrays["presence"][members]))
        order, rows = None, members.astype(np.int64)
        if self._renames and width[min(bits.bit_count(), full)] < width[full]:
            colors = bits.bit_count()
            order = np.array(sorted(range(symbols), key=lambda color: (not bits >> color & 1, color)))
            name = np.argsort(order)
            numbers = name[self.layout.secrets[members]] @ arrays["powers"]
            rows = arrays["secret_of_number"][numbers].astype(np.int64)
        starts = arrays["base"][colors] + rows * arrays["stride"][colors]
        return LabelRows(arrays["scan"], starts, int(width[colors])), partial(self._guesses, colors, order)

    def _guesses(self, colors: int, order: Array | None, columns: Array) -> Array:
        """The guesses of columns; ``order``: the old color of each new one."""
        arrays = self.layout.arrays
        chosen: Array = arrays["columns"][colors, columns]
        if order is None:
            return chosen
        found: Array = arrays["guess_of_number"][order[self.layout.guesses[chosen]] @ arrays["powers"]]
        return found


class Columns:
    """Labels of all secrets of a board against some guesses: to look at those alone."""

    def __init__(self, board: Board, chosen: Array) -> None:
        self.chosen = chosen
        labels = label_matrix(board.secrets, board.guesses[chosen], board.symbols, by_color=board.by_color)
        self._labels, self._stride = labels.ravel(), labels.shape[1]

    def label_rows(self, rows: Array) -> LabelRows:
        """Those of some secrets."""
        return LabelRows(self._labels, rows.astype(np.int64) * self._stride, len(self.chosen))


# ---------------------------------------------------------------- the board


class Board:
    """All secrets and guesses of the rules. Labels and symmetries are computed when they are first asked for."""

    def __init__(self, secrets: Array, guesses: Array, colors: int, blank: int | None, answers: AnswerKind) -> None:
        """As `entropeg.search.exact.layout.Layout`; under feedback that is the same both ways."""
        self.secrets, self.guesses = in_shells(secrets, guesses, answers)
        self.in_files = plain_places(self.guesses)
        self.colors, self.blank, self.feedback = colors, blank, answers
        self.by_color = by_color = answers.kind == STANDARD
        self.symbols = max(colors, int(guesses.max()) + 1)
        self.translate, self.labels = compact_labels(secrets.shape[1], by_color=by_color)
        self.public_labels = plain_labels(secrets.shape[1], by_color=by_color)
        same = secrets.shape == guesses.shape and bool((self.secrets == self.guesses).all())
        dense = len(guesses) == self.symbols ** secrets.shape[1]  # else the layout makes copies for fewer colors
        self.is_split = len(secrets) * len(guesses) * (1 if same and dense else 2) > MOST_LABELS_HELD
        self.codes = self._codes()
        self._whole: Section | None = None
        self._symmetries: dict[tuple[int, ...], Symmetry | WholeSymmetry] = {}
        self._second_guesses: dict[int, Columns | None] = {}
        self._answers: dict[int, list[Answer]] = {}

    @classmethod
    def of(cls, rules: Rules) -> Board:
        """The board of rules that the exact search knows; raises InputError for others."""
        return cls(rows_of(secrets(rules)), rows_of(guesses(rules)), **layout_options(rules))

    def _codes(self) -> CodeBits:
        powers = self.symbols ** np.arange(self.secrets.shape[1] - 1, -1, -1, dtype=np.int64)
        numbers = self.guesses.astype(np.int64) @ powers
        order, wanted = np.argsort(numbers), self.secrets.astype(np.int64) @ powers
        place = order[np.minimum(np.searchsorted(numbers[order], wanted), len(order) - 1)]
        return CodeBits(
            bits_of(self.secrets, self.symbols, by_color=self.by_color),
            bits_of(self.guesses, self.symbols, by_color=self.by_color),
            self.translate,
            hash_words(len(self.secrets), np.random.default_rng(SEED))[plain_places(self.secrets)],
            np.where(numbers[place] == wanted, place, -1).astype(np.int32),
            self.secrets.shape[1],
            self.labels - 1,
            int(self.by_color),
        )

    def is_secret(self, guess: int) -> bool:
        """Whether a guess may be the secret."""
        return bool((self.codes.guess_of_secret == guess).any())

    def name(self, rows: Array) -> int:
        """The hash of a set, by which it is remembered: XOR of the words of its secrets."""
        return int(np.bitwise_xor.reduce(self.codes.zobrist[rows]))

    # -------------------------------------------------------- labels

    @property
    def has_labels(self) -> bool:
        """Whether there is nothing to compute before answers are searched, but for each answer by itself."""
        return self.is_split or self._whole is not None

    @property
    def whole(self) -> Section | None:
        """All secrets, which serve for everything; None where there is a section for each answer."""
        if self._whole is None and not self.is_split:
            layout = Layout(self.secrets, self.guesses, self.colors, blank=self.blank, answers=self.feedback)
            self._whole = Section(layout, np.arange(len(self.secrets), dtype=np.int32), self.codes)
        return self._whole

    def section(self, rows: Array, buffers: tuple[Buffer, Buffer]) -> Section:
        """Some secrets; the section made with these ``buffers`` before must not be used any more."""
        matrices = iter(buffers)  # of labels by secret and by guess
        layout = Layout(
            self.secrets[rows],
            self.guesses,
            self.colors,
            # Renaming colors would need rows that are not there: any color for a blank turns it off.
            blank=0,
            answers=self.feedback,
            matrix=lambda *shape: next(matrices).matrix(*shape),
        )
        return Section(layout, rows, self.codes)

    def second_guesses(self, opening: int) -> Columns | None:
        """Labels against one second guess of every class; None where symmetry leaves too many of them."""
        if opening not in self._second_guesses:
            chosen = self.first_of_each(np.arange(len(self.guesses)), (opening,))
            # Second guesses are held of two openings.
            while len(self._second_guesses) >= 2:
                del self._second_guesses[next(iter(self._second_guesses))]
            # Labels of all secrets against one second guess of every class are held up to 300 MB.
            few = len(chosen) * len(self.secrets) <= 300_000_000
            self._second_guesses[opening] = Columns(self, chosen) if few else None
        return self._second_guesses[opening]

    @cached_property
    def quick_guesses(self) -> Columns:
        """Labels against some guesses, of all kinds."""
        count = len(self.guesses)
        # The first, quick strategy chooses from these, beside codes that are still possible.
        some = np.random.default_rng(count).choice(count, min(count, 1024), replace=False)
        return Columns(self, np.sort(some))

    def prepare(self, opening: int) -> None:
        """Compute the columns that threads will read."""
        self.second_guesses(opening)
        _ = self.quick_guesses

    # -------------------------------------------------------- symmetry and answers

    def symmetry(self, history: tuple[int, ...]) -> Symmetry | WholeSymmetry | None:
        """The symmetry after one guess or two, where there may be any."""
        found = self._symmetry(history) if len(history) <= 2 else None
        return None if found is None or found.is_trivial else found

    def _symmetry(self, history: tuple[int, ...]) -> Symmetry | WholeSymmetry:
        found = self._symmetries.get(history)  # once: other threads add to it, and empty it
        if found is None:
            if history:
                found = self._symmetry(history[:-1]).after(history[-1])
            else:
                found = WholeSymmetry(self.guesses, self.symbols, self.blank)
            # 5000 symmetries of histories are kept.
            if len(self._symmetries) > 5000:
                self._symmetries.clear()
            self._symmetries[history] = found
        return found

    def first_of_each(self, chosen: Array, history: tuple[int, ...]) -> Array:
        """The first of these guesses in every class under the symmetry of a history, in the order given."""
        symmetry = self.symmetry(history)
        kept: Array = chosen if symmetry is None else chosen[symmetry.places_of_first(chosen)]
        return kept

    def openings(self) -> Array:
        """One guess of every class of openings."""
        return self.first_of_each(np.arange(len(self.guesses)), ())

    def answers(self, opening: int) -> list[Answer]:
        """The parts after every feedback to a guess but the winning one, the largest first."""
        if opening not in self._answers:
            one = self.guesses[opening : opening + 1]
            labels = label_matrix(one, self.secrets, self.symbols, by_color=self.by_color)[0, : len(self.secrets)]
            rows = [np.flatnonzero(labels == label).astype(np.int32) for label in range(self.labels - 1)]
            parts = [Answer(opening, label, part, self.name(part)) for label, part in enumerate(rows) if len(part)]
            self._answers[opening] = sorted(parts, key=lambda answer: -len(answer.rows))
        return self._answers[opening]
