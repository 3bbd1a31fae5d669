"""Scores of codes against codes, sizes of parts, filters: checked, and fast for any shape.

Codes are columns of `planes`, `uint8[pegs, N]` (`uint16` past 256 symbols), with `counts`,
`uint8[symbols, N]`, how often each symbol occurs in each code. A symbol past the rows of `counts` is
taken to occur in no code, as a blank that only guesses may hold. Without `counts` they are made where
the kind of feedback needs them; they are not used, nor made, for `uint16` planes or more than 255 pegs.

A feedback is a *label*, a small number; `kind` says which:

- 0 standard: black * (pegs + 1) + white
- 1 black: black
- 2 membership: black * (pegs + 1) + the number of other guess pegs whose color occurs in the secret
- 3 positional: base 3, the first peg most significant; 2 black, 1 white, 0 none; whites go to the first
  pegs from the left while unmatched copies of the color remain in the secret
- 4 + 8 * shapes grand: (black * (pegs + 1) + white) * (pegs + 1) + blue; see `rules.FeedbackKind.grand`
- 5 + 8 * number table: looked up in a table of answers, `answers.LabelTable`
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from entropeg.kernels._check import Planes, checked_code, checked_counts, checked_guesses, checked_planes, frozen
from entropeg.kernels._plain_labels import tallies
from entropeg.kernels.codes import color_counts
from entropeg.kernels.switch import Switch
from entropeg.processors import usable_processors
from entropeg.sizes import (
    BLACK,
    GRAND,
    KINDS,
    MEMBERSHIP,
    POSITIONAL,
    STANDARD,
    TABLE,
    label_count,
    shapes_of,
    table_of,
)

Labels = npt.NDArray[Any]

# Tuned on a Xeon at 2.5 GHz by benchmarks/bench_kernels.py, boards 4x6 to 6x9; flat around these values.
CHUNK = 4096  # codes in one go: the rows read stay in the second-level cache, the labels in the first
SMALL_TALLY = 32768  # bytes of byte-wide counters and labels, about the first-level cache
WORTH_COMPARING = 32  # secrets, from which comparing labels with each value beats a step for each pair
FEW_SECRETS = 768  # below, the loop over guesses is the inner one; a third of it if labels are many
FEW_LABELS = 36  # up to here counting label by label beats one histogram step a code
WORTH_THREADS = 20_000_000  # pairs, about ten milliseconds
MOST_INTERLEAVED = 1024  # labels, for four histograms within the first-level cache
BY_BYTES = {STANDARD, BLACK, MEMBERSHIP, POSITIONAL, GRAND}  # what `label_kernels` and its twin know
MOST_CELLS = 2**28  # of a table of part sizes: one gibibyte

_functions = Switch("entropeg.kernels.label_kernels", "entropeg.kernels._plain_labels")


@lru_cache(maxsize=256)
def label_dtype(kind: int, pegs: int) -> np.dtype[Any]:
    """Return the smallest unsigned dtype for the labels; object (Python ints) past 40 positional pegs.

    >>> label_dtype(0, 4), label_dtype(3, 10), label_dtype(3, 41)
    (dtype('uint8'), dtype('uint16'), dtype('O'))
    """
    largest = label_count(kind, pegs) - 1
    return np.dtype(object) if largest >= 2**64 else np.min_scalar_type(largest)


def score(kind: int, guess: Sequence[int] | npt.NDArray[Any], planes: Planes, counts: Planes | None = None) -> Labels:
    """Return the label of guess against every code: label_dtype(kind, pegs)[N].

    >>> from entropeg.kernels import list_codes
    >>> score(0, (0, 1), list_codes(2, 2))  # 00, 01, 10, 11
    array([3, 6, 2, 3], dtype=uint8)
    """
    planes = checked_planes(planes)
    labels: Labels = _label_table(kind, checked_code(guess, planes)[None, :], planes, counts)[0]
    return labels


def score_many(
    kind: int, guesses: Planes, planes: Planes, counts: Planes | None = None, *, threads: int | None = None
) -> Labels:
    """Return labels[G, N] of every guess (columns of `guesses`) against every code.

    Threads: all cores by default, once there are pairs enough.

    >>> from entropeg.kernels import list_codes
    >>> score_many(1, list_codes(2, 2), list_codes(2, 2)).tolist()
    [[2, 1, 1, 0], [1, 2, 0, 1], [1, 0, 2, 1], [0, 1, 1, 2]]
    """
    planes = checked_planes(planes)
    guesses = checked_guesses(guesses, planes)
    return _label_table(kind, _rows(guesses), planes, counts, threads)


def write_labels(kind: int, rows: Planes, planes: Planes, counts: Planes | None, out: Labels) -> None:
    """Write the labels of codes, one a row, against every code to the first columns of `out`, by kernels alone.

    For codes that are compared by bytes, and labels that `out` holds, contiguous.

    >>> from entropeg.kernels import list_codes
    >>> out = np.zeros((1, 64), np.uint8)
    >>> write_labels(0, np.array([[0, 1]], np.uint8), list_codes(2, 2), None, out)
    >>> out[0, :4].tolist()
    [3, 6, 2, 3]
    """
    planes, work = checked_planes(planes), _work(len(planes), CHUNK)
    _functions.compiled.label_matrix(kind, False, frozen(rows), planes, _counts(kind, planes, counts), work, out)


def part_sizes(
    kind: int, guess: Sequence[int] | npt.NDArray[Any], planes: Planes, counts: Planes | None = None
) -> npt.NDArray[np.int64]:
    """Return for every label how many codes have it against guess: int64[label_count(kind, pegs)].

    ValueError if there are too many labels for a table (positional, 18 pegs and more): see `parts`.

    >>> from entropeg.kernels import list_codes
    >>> part_sizes(0, (0, 1), list_codes(2, 2)).tolist()
    [0, 0, 1, 2, 0, 0, 1, 0, 0]
    """
    planes = checked_planes(planes)
    row = checked_code(guess, planes)[None, :]
    sizes: npt.NDArray[np.int32] = _size_table(kind, row, planes, counts, 1)[0]
    return sizes.astype(np.int64)


def part_sizes_many(
    kind: int,
    guesses: Planes,
    planes: Planes,
    counts: Planes | None = None,
    *,
    guess_counts: Planes | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.int32]:
    """Return sizes[G, labels], how many codes have each label against each guess: int32.

    About 0.5 ns a pair. With few codes the loop over guesses is the inner one, for which the color
    counts of the guesses are used (made here if not given). ValueError beyond 2**28 sizes: take fewer
    guesses at a time, or `parts`, which lists only labels that occur.

    >>> from entropeg.kernels import list_codes
    >>> part_sizes_many(1, list_codes(2, 2), list_codes(2, 2)).tolist()
    [[1, 2, 1], [1, 2, 1], [1, 2, 1], [1, 2, 1]]
    """
    planes = checked_planes(planes)
    guesses = checked_guesses(guesses, planes)
    if _goes_by_secret(kind, guesses, planes):
        return _size_table_by_secret(kind, guesses, guess_counts, planes, threads)
    return _size_table(kind, _rows(guesses), planes, counts, threads)


def parts(
    kind: int, guess: Sequence[int] | npt.NDArray[Any], planes: Planes, counts: Planes | None = None
) -> tuple[Labels, npt.NDArray[np.int64]]:
    """Return the labels that occur, ascending, and how many codes have each; for any number of labels.

    >>> from entropeg.kernels import list_codes
    >>> labels, sizes = parts(0, (0, 1), list_codes(2, 2))
    >>> labels.tolist(), sizes.tolist()
    ([2, 3, 6], [1, 2, 1])
    """
    planes = checked_planes(planes)
    if label_count(kind, planes.shape[0]) <= 4096:
        table = part_sizes(kind, guess, planes, counts)
        occurring = np.flatnonzero(table)
        return occurring.astype(label_dtype(kind, planes.shape[0])), table[occurring]
    labels, found = np.unique(score(kind, guess, planes, counts), return_counts=True)
    return labels, found.astype(np.int64)


def matching(
    kind: int, guesses: Planes, labels: Sequence[int] | npt.NDArray[Any], planes: Planes, counts: Planes | None = None
) -> npt.NDArray[np.int64]:
    """Return the ascending indexes of the codes that have labels[t] against guess t, for every turn t.

    guesses: planes[pegs, T], one column a turn. One pass, and each chunk of codes is left as soon as no
    code of it matches: put the turn that leaves fewest first. No turns, all codes. ValueError if a
    label is none.

    >>> from entropeg.kernels import list_codes
    >>> matching(0, np.array([[0], [1]], np.uint8), [3], list_codes(2, 2)).tolist()
    [0, 3]
    """
    planes = checked_planes(planes)
    guesses = checked_guesses(guesses, planes)
    wanted = _checked_labels(kind, labels, guesses)
    if len(wanted) == 0:
        return np.arange(planes.shape[1], dtype=np.int64)
    if _is_wide(kind, planes):
        return _matching_wide(kind, _rows(guesses), wanted, planes)
    rows, counts = _rows(guesses), _counts(kind, planes, counts)
    found = np.empty(planes.shape[1], np.int64)  # untouched pages cost nothing
    targets = frozen(np.array(wanted, work_dtype(kind, len(planes))))
    buffer, eights = np.empty(CHUNK, targets.dtype), np.empty(CHUNK // 8, np.uint64)
    work = _work(len(planes), CHUNK)
    functions = _functions(planes.size)
    number = functions.matching_columns(kind, False, rows, targets, planes, counts, work, buffer, eights, found)
    return found[:number].copy()


def _checked_labels(kind: int, labels: Sequence[int] | npt.NDArray[Any], guesses: Planes) -> list[int]:
    pegs, turns = guesses.shape
    wanted = [int(label) for label in labels]
    if len(wanted) != turns:
        raise ValueError(f"labels: expected one for each of the {turns} guesses, got {len(wanted)}")
    for label in wanted:
        if not 0 <= label < label_count(kind, pegs):
            raise ValueError(f"labels: expected 0 to {label_count(kind, pegs) - 1}, got {label}")
    return wanted


def _rows(planes: Planes) -> Planes:
    return frozen(planes.T)


def reads_counts(kind: int, planes: Planes) -> bool:
    """Tell whether scoring these codes reads their counts; where it does not, nobody needs to make them.

    >>> from entropeg.kernels import list_codes
    >>> reads_counts(0, list_codes(2, 6)), reads_counts(0, list_codes(2, 300)), reads_counts(1, list_codes(2, 6))
    (True, False, False)
    """
    return kind != BLACK and not _is_wide(kind, planes)


def _is_wide(kind: int, planes: Planes) -> bool:
    """Say whether the codes are past the kernels that work on bytes, or feedback is one that those do not know."""
    if kind % KINDS not in BY_BYTES:
        return True
    most_pegs = 20 if kind == POSITIONAL else 255
    return planes.dtype != np.uint8 or planes.shape[0] > most_pegs


def work_dtype(kind: int, pegs: int) -> np.dtype[Any]:
    """Return the dtype in which kernels hold labels: one of two, since each is a compilation."""
    return np.dtype(np.uint8 if label_count(kind, pegs) <= 256 else np.uint32)


def _work(pegs: int, chunk: int) -> npt.NDArray[np.uint8]:
    return np.empty(2 * pegs + chunk, np.uint8)


def _counts(kind: int, planes: Planes, counts: Planes | None, *, name: str = "counts") -> Planes:
    """Return counts as the kernels want them, made if missing; black needs none."""
    if counts is not None:
        return checked_counts(counts, planes, name)
    if kind == BLACK:
        return frozen(np.empty((0, planes.shape[1]), np.uint8))
    return frozen(color_counts(planes, int(planes.max(initial=0)) + 1))


def _label_table(kind: int, rows: Planes, planes: Planes, counts: Planes | None, threads: int | None = 1) -> Labels:
    pegs, number = planes.shape
    label_count(kind, pegs)  # which refuses a kind that does not exist, grand without shapes among them
    if kind % KINDS == TABLE:
        found: Labels = table_of(kind).block(rows, planes)
        return found
    if _is_wide(kind, planes):
        wide = np.empty((len(rows), number), label_dtype(kind, pegs))
        for row, labels in zip(rows, wide, strict=True):
            labels[:] = _wide_labels(kind, row, planes)
        return wide
    table = _counts(kind, planes, counts)
    out = np.empty((len(rows), number), work_dtype(kind, pegs))
    functions = _functions(len(rows) * number)

    def fill(lo: int, hi: int) -> None:
        functions.label_matrix(kind, False, rows[lo:hi], planes, table, _work(pegs, CHUNK), out[lo:hi])

    _spread(fill, len(rows), number, threads)
    return out.astype(label_dtype(kind, pegs), copy=False)


def _size_table(
    kind: int, rows: Planes, planes: Planes, counts: Planes | None, threads: int | None
) -> npt.NDArray[np.int32]:
    pegs, number = planes.shape
    out = _empty_sizes(kind, len(rows), pegs)
    if kind % KINDS == TABLE:
        step = max(1, (1 << 22) // max(number, 1))
        for lo in range(0, len(rows), step):
            out[lo : lo + step] = tallies(table_of(kind).block(rows[lo : lo + step], planes), out.shape[1])
        return out
    if _is_wide(kind, planes):
        for row, sizes in zip(rows, out, strict=True):
            sizes[:] = np.bincount(_wide_labels(kind, row, planes).astype(np.int64), minlength=sizes.size)
        return out
    table, dtype = _counts(kind, planes, counts), work_dtype(kind, pegs)
    values = _few_labels(kind, pegs)
    functions = _functions(len(rows) * number)

    def fill(lo: int, hi: int) -> None:
        work, buffer = _work(pegs, CHUNK), np.empty(CHUNK, dtype)
        hist = np.zeros((4, out.shape[1] if out.shape[1] <= MOST_INTERLEAVED else 0), np.int32)
        functions.part_sizes_by_guess(kind, False, rows[lo:hi], planes, table, values, work, buffer, hist, out[lo:hi])

    _spread(fill, len(rows), number, threads)
    return out


def _empty_sizes(kind: int, guesses: int, pegs: int) -> npt.NDArray[np.int32]:
    labels = label_count(kind, pegs)
    if guesses * labels > MOST_CELLS:
        raise ValueError(
            f"{guesses} guesses with {labels} labels each: more than {MOST_CELLS} part sizes; "
            "take fewer guesses at a time, or parts(), which lists only labels that occur"
        )
    return np.zeros((guesses, labels), np.int32)


@lru_cache(maxsize=256)
def _few_labels(kind: int, pegs: int) -> npt.NDArray[Any]:
    """Return the labels that can occur, where they are few, in ascending order; else none of them."""
    if kind == POSITIONAL:
        labels = list(range(3**pegs)) if pegs <= 3 else []
    elif kind == BLACK:
        labels = list(range(pegs + 1))
    elif shapes_of(kind):
        labels = []
    else:
        labels = [b * (pegs + 1) + white for b in range(pegs + 1) for white in range(pegs + 1 - b)]
    return frozen(np.array(labels if len(labels) <= FEW_LABELS else [], work_dtype(kind, pegs)))


def _goes_by_secret(kind: int, guesses: Planes, planes: Planes) -> bool:
    pegs, number = planes.shape
    byte_wide = not _is_wide(kind, planes) and not shapes_of(kind) and label_count(kind, pegs) <= 256
    few = FEW_SECRETS if byte_wide and len(_few_labels(kind, pegs)) else FEW_SECRETS // 3
    return byte_wide and number < few and guesses.shape[1] > number


def _size_table_by_secret(
    kind: int, guesses: Planes, guess_counts: Planes | None, planes: Planes, threads: int | None
) -> npt.NDArray[np.int32]:
    pegs, number = guesses.shape
    rows, out = _rows(planes), _empty_sizes(kind, number, pegs)
    if kind == POSITIONAL:
        guess_counts = frozen(np.empty((0, number), np.uint8))
    table = _counts(kind, guesses, guess_counts, name="guess_counts")
    values = _few_labels(kind, pegs)[: None if len(rows) >= WORTH_COMPARING else 0]
    columns_of_bytes = 4 + (len(values) or out.shape[1])
    chunk = max(64, SMALL_TALLY // columns_of_bytes // 64 * 64)
    functions = _functions(number * len(rows))

    def fill(lo: int, hi: int) -> None:
        work, tally = _work(pegs, chunk), np.empty(chunk * columns_of_bytes, np.uint8)
        columns, counts = frozen(guesses[:, lo:hi]), frozen(table[:, lo:hi])
        for first in range(0, len(rows), 255):
            some = rows[first : first + 255]
            functions.part_sizes_by_secret(kind, True, some, columns, counts, values, work, tally, out[lo:hi])

    _spread(fill, number, len(rows), threads)
    return out


def _spread(fill: Callable[[int, int], None], items: int, cost: int, threads: int | None) -> None:
    """Call fill(lo, hi) on slices that cover range(items), in threads if items * cost is large."""
    workers = usable_processors() if threads is None else threads
    if workers < 1:
        raise ValueError(f"threads: expected at least 1, got {threads}")
    if workers == 1 or items < 2 or items * cost < WORTH_THREADS:
        fill(0, items)
        return
    edges = np.linspace(0, items, min(items, 4 * workers) + 1).astype(int).tolist()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(fill, edges[:-1], edges[1:]))


def _wide_labels(kind: int, guess: Planes, planes: Planes) -> Labels:
    """Return labels by the kernels for any size: microseconds a pair at 1000 pegs. Those of a table are looked up."""
    if kind % KINDS == TABLE:
        found: Labels = table_of(kind).row(guess, planes)
        return found
    code, columns = frozen(guess.astype(np.uint16)), frozen(planes.astype(np.uint16, copy=False))
    symbols = int(max(code.max(), columns.max(initial=0))) + 1
    dtype, functions = label_dtype(kind, planes.shape[0]), _functions(columns.size)
    if kind % KINDS in _OF_MARKS:
        marks = np.empty(planes.shape, np.uint8)
        functions.wide_marks(code, columns, np.zeros(symbols, np.int64), marks)
        return _OF_MARKS[kind % KINDS](kind, marks, code[:, None], columns)
    labels = np.empty(planes.shape[1], np.uint64)
    total, left = np.zeros(symbols, np.int64), np.zeros(symbols, np.int64)
    functions.wide_labels(kind, code, columns, total, left, labels)
    return labels.astype(dtype)


def _count_marks(kind: int, marks: npt.NDArray[np.uint8], code: Planes, planes: Planes) -> Labels:
    """Return the grand labels of marks: a peg without one may be half right."""
    shapes = shapes_of(kind)
    half = (code // shapes == planes // shapes) | (code % shapes == planes % shapes)
    black, white, blue = (found.sum(axis=0) for found in (marks == 2, marks == 1, (marks == 0) & half))
    labels: Labels = (black * (len(marks) + 1) + white) * (len(marks) + 1) + blue
    return labels.astype(label_dtype(kind, len(marks)))


def _join_marks(kind: int, marks: npt.NDArray[np.uint8], code: Planes, planes: Planes) -> Labels:  # noqa: ARG001
    """Read each column of marks as a base-3 number, forty digits to a machine word."""
    dtype = label_dtype(kind, len(marks))
    whole = np.zeros(marks.shape[1], dtype)
    for lo in range(0, len(marks), 40):
        word = np.zeros(marks.shape[1], np.uint64)
        for digit in marks[lo : lo + 40]:
            word = word * np.uint64(3) + digit
        whole = whole * (3 ** len(marks[lo : lo + 40])) + word if dtype.kind == "O" else word.astype(dtype)
    return whole


_OF_MARKS: dict[int, Callable[[int, npt.NDArray[np.uint8], Planes, Planes], Labels]] = {
    POSITIONAL: _join_marks,
    GRAND: _count_marks,
}
"""Kinds whose labels are made of the marks by peg, [pegs, N], of a code, [pegs, 1], with planes, and how."""


def _matching_wide(kind: int, rows: Planes, wanted: list[int], planes: Planes) -> npt.NDArray[np.int64]:
    alive = np.arange(planes.shape[1], dtype=np.int64)
    for row, label in zip(rows, wanted, strict=True):
        labels = _wide_labels(kind, row, planes[:, alive])
        alive = alive[np.asarray(labels == label, np.bool_)]
    return alive
