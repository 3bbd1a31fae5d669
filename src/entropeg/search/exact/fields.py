"""The memory of the exact search: one array of numbers and addresses, ``memory``, that its kernels read by name.

``memory.labels`` is a number, ``memory.stack`` an array, see `entropeg.kernels.compile.named`. A search in progress is
a list of frames, one for each set between the first one and the one under study: a row of ``frames`` and of the arrays
marked [DEPTHS, ...] each. What differs in length from frame to frame stands in arrays that grow from frame to frame:
``candidates`` with ``lows``, ``tables``, and beside ``stack`` those of the same length.
"""

# ruff: noqa: ARG001
# numba reads the signatures of intrinsics by name, so arguments stay that only the generated code uses.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile.parts import cgutils, intrinsic, named, types

Array = Any  # numba sees the element types; they stand in FIELDS and in the docstrings
Int = Any  # int64, or uint64 for hashes

INF = 1 << 24  # more than any total; below 2**26, the width of a value in the table of the search by counts
UNLIMITED = 256  # guesses left when there is no limit
SMALL = 60  # sets of at most this many codes may be bounded by their number of parts, larger ones are by sizes
DEPTHS = 256  # most sets in progress
DEEP = 2  # what `stop` holds after a search that would have gone deeper; 1: it was told to stop
MANY_LABELS = 64  # with more, parts are bounded from the largest on, and their codes are compared one by one
LITTLE = 20  # sets of no more codes are so few that with many labels other things are looked at first
NEAR = 256  # sets of up to this many codes get a table of the labels among themselves
SYMMETRIC = 7  # symmetry is used for sets with at most this many guesses behind them
WORD_BITS = 64  # colors that the bits of a word stand for; boards of more do without
NO_GUESS = (1 << 20) - 1  # no guess, or one that was not kept
OPEN, SCANNED, EXACT, RAISED = range(4)  # known of a part: nothing, its bounds, its value, a proven bound
PAUSED = -1  # what a search returns that can be gone on with
NO_LABEL = -1  # for a guess that was not answered
WORK = 2  # where `nodes` counts the labels looked at: the work of a search, alike on all machines
RANKS = 4  # where `nodes` counts the best guesses found
NEXT, BEST_OF_ALL, END, WHOLE, FOUND = range(5)
"""Words of a search that several threads share: next candidate; best value; candidate to stop at; whether the set was
found to cost no less than the best value; whether a guess was followed to its end."""


def _row(*names: str) -> np.dtype[np.void]:
    return np.dtype([(name, np.int64) for name in names], align=True)


FRAME = _row(
    # The set: codes, where on the stack, its end, guesses left now and after a guess, bound to undercut.
    *("n", "offset", "top", "left", "after", "ub"),
    # Its candidates: which scan, most parts of a possible guess beside itself and of another, whether they come by
    # bound, where they begin, how many. Its tables of numbers: where they begin and end, cells of the two sets in them.
    *("scan", "own", "other", "in_order", "first", "count", "tables", "classes", "cuts", "tables_end"),
    # The search: candidate under study, candidates whose class is known, guesses followed, best value and its guess,
    # bound, bound of what was left out; bound of the guess under study, it, its part under search, and what that is
    # asked for.
    *("at", "taken", "tried", "best", "chosen", "low", "rest", "total", "guess", "part", "asked"),
    "value",
)
WAITING = _row("begin", "size", "parent", "label", "left")
"""A set that a strategy is still to be written for: where on the stack, its codes, the node and label before it, and
the guesses left."""

NUMBERS = (
    # Of the board. consistent: only codes of a set may be guessed; separate: each peg has a map of colors of its own;
    # alike_scans: how many of the scans, the last ones, are for sets in which colors may change places.
    *("pegs", "symbols", "labels", "relabels", "consistent", "separate", "alike_scans"),
    "room",  # words of `tables` that a frame takes at most
    "key_bits",  # bits of a name that a peg may have in `symmetry.class_key`
    "last_symmetric",  # symmetry is used with at most this many guesses behind: `SYMMETRIC`, or -1 where there is none
    "by_answer",  # a history is entered answer by answer
    "all_named",  # colors that no code of a set has are told apart all the same
    "hard",  # guesses must use every clue
    "by_letters",  # letters that all codes of a set have, or none, bound the parts that guesses make of it
    # Of a call.
    "breadth",  # the most guesses that are tried in a set; 0: all
    "only",  # the one guess that is tried in the first set, or NO_GUESS
    "behind",  # guesses behind the first set
    "ranked",  # how many of the best guesses of the first set are to be found; 0: the best alone
    # Of a search that another thread may pause: whether it is to, and the frame and step where it stands then.
    *("pause", "paused_frame", "paused_step"),
    # Of a strategy that is written: sets that wait, nodes, whether the last set was searched.
    *("waits", "written", "is_searched"),
)
FIELDS: dict[str, tuple[Any, int]] = {
    # The board. Secrets and guesses are in shell order: codes over the first k colors stand first.
    "by_guess": ("uint8", 2),  # [guesses, secrets] labels
    # Labels of secrets over the first k colors, a row each, against one guess of every class that these secrets
    # cannot tell apart: at base[k] + s * stride[k] + j, j < width[k]; guess columns[k, j]; place is the inverse.
    "scan": ("uint8", 1),
    "base": ("int64", 1),
    "stride": ("int64", 1),
    "width": ("int64", 1),
    "columns": ("int32", 2),
    "place": ("int32", 2),
    "secret_digits": ("uint8", 2),
    "guess_digits": ("uint8", 2),
    "presence": ("uint64", 1),  # [secrets] bit c: color c occurs; bit 0 on boards of more than 64
    "powers": ("int64", 1),  # number of a code = sum of digit * power
    "secret_of_number": ("int32", 1),  # -1 where there is none
    "guess_of_number": ("int32", 1),
    "guess_of_secret": ("int32", 1),  # -1 where the secret is no legal guess
    "zobrist": ("uint64", 1),
    "zobrist_limit": ("uint64", 1),
    "capacity": ("int64", 1),  # most codes that d guesses can settle
    "expected": ("float64", 1),  # guessed total of a set by its size, for ordering only
    "permutations": ("uint8", 2),
    "kind": ("int64", 1),  # [symbols] number of the kind times symbols: colors of a kind may change places
    "marks": ("uint8", 2),  # [labels, pegs] 2 in place, 1 elsewhere; none where feedback is not by place
    # Where guesses must use every clue, see `search.exact.clues`.
    "facts": ("uint64", 2),  # [words, guesses] bits: what holds of a guess
    "fact_words": ("uint64", 1),  # [facts] of which the hash of clues is made
    "clues": ("uint64", 2),  # [guesses behind, words] bits: what must hold of the guesses of a set
    # Under weights.
    "weight": ("int64", 1),  # [secrets]
    "least": ("int64", 1),  # [secrets + 1] fewest guesses by rank
    "guessed": ("float64", 1),  # [secrets + 1] guessed number of guesses for a code of a part of that size
    # Of lists of words, see `scan.most_parts_by_facts`: the secrets of which a fact holds. The parts by column of all
    # secrets of two facts, a row each, counted when asked for; -1 - row of each pair, last how many rows are taken.
    "with_fact": ("int64", 1),
    "with_facts": ("uint8", 2),
    "fact_row": ("int64", 1),
    # Runs of columns of equal colors, see `scan.most_parts_by_runs`: as scan, base and stride, the sums of blacks and
    # whites; how many runs a scan has, where they begin and end, the run of a column; how many labels have a sum.
    "run_scan": ("uint8", 1),
    "run_base": ("int64", 1),
    "run_stride": ("int64", 1),
    "runs": ("int64", 1),
    "run_begin": ("int32", 2),
    "run_of": ("int32", 2),
    "labels_of_sum": ("int32", 1),
    # Memory of one thread; stop, shared and table are common to all.
    "stop": ("int64", 1),
    "shared": ("int64", 1),
    "table": ("uint64", 1),
    "stack": ("int32", 1),
    "parts": ("uint8", 1),  # number of parts by column
    "run_most": ("uint8", 1),  # the most parts that the columns of a run may leave
    "run_rows": ("int64", 1),  # where rows begin in run_scan
    "is_own": ("uint8", 1),  # 1 for the columns of possible guesses
    "block_bound": ("int64", 1),  # bounds of the totals of all columns of a block
    "rows": ("int32", 1),  # rows to scan
    "offsets": ("int64", 1),  # and where each starts in scan
    "label": ("uint8", 1),
    "members": ("uint64", 1),  # the codes of a part as bits
    "frames": (FRAME, 1),  # [DEPTHS + 1]
    "set_hash": ("uint64", 1),  # [DEPTHS + 1] XOR of the words of the codes of a set
    "order": ("int64", 2),  # [DEPTHS + 1, symbols] old color of each new one, where scans rename colors
    "candidates": ("int32", 1),  # columns to try
    "lows": ("int64", 1),  # and their lower bounds
    "tables": ("uint64", 1),
    "held": ("int64", 1),  # beside the stack: where the labels of a code of the set of a frame begin in scan
    "spots": ("int32", 1),  # and which code of the set a code of a part is
    "count": ("int64", 2),  # [DEPTHS, m], as the next five: the parts of the guess under study
    "start": ("int64", 2),
    "hashes": ("uint64", 2),
    "low": ("int64", 2),
    "mass": ("int64", 2),
    "state": ("uint8", 2),  # OPEN, SCANNED or EXACT
    "gain": ("float64", 2),  # [2, SMALL + 1] sum and number of the gains of the part-count bound by size
    "hope": ("float64", 2),  # [DEPTHS, m] what searches are expected to add to the bounds of these parts
    # [2, 64] what searches added to the bounds of parts, and their codes, by class of size
    "rise": ("float64", 2),
    "sizes": ("int32", 2),  # [labels, BLOCK] sizes of the parts by column of a block
    "block_low": ("int32", 1),
    "column_low": ("int64", 1),
    "column_expected": ("float64", 1),
    "chosen": ("int32", 1),  # columns that are candidates
    "begin": ("int64", 1),
    "cell": ("int32", 1),
    "name": ("int64", 1),
    "among": ("uint8", 1),  # [secrets] 1 for the codes of a set
    "own_parts": ("uint8", 1),
    "fact_bits": ("uint64", 1),  # [2 * pegs] colors that all words of a set have at a peg, and that some have there
    "fact_offsets": ("int64", 1),  # where the rows of all secrets of two facts begin in scan
    "image": ("int16", 1),
    "used": ("uint8", 1),
    "waiting": (WAITING, 1),  # [secrets + 1]
    "group_size": ("int64", 1),
    "group_peg": ("int32", 2),
    "group_color": ("int16", 3),
    "group_token": ("int16", 3),
    # Under weights, scratch of the bounds.
    "first": ("int64", 2),  # [labels, secrets] weight of the first codes of a part, by the last of them
    "second_low": ("int64", 1),
    "most_of": ("int64", 1),
    "caps": ("int64", 1),
    "own_column": ("int32", 1),
    "quanta": ("int32", 1),
    "saved": ("int32", 1),
    "tops": ("int32", 1),
    "whole_sizes": ("int32", 2),
    "sums": ("float64", 2),
    "ends": ("int64", 1),
    "top": ("int64", 1),
    "head": ("int64", 1),
    "met": ("uint64", 1),
    "nodes": ("int64", 1),  # sets expanded, guesses tried, WORK, table hits, RANKS
    "found": ("int64", 1),  # guess and state of a set, as `engine.probe` tells them
    "answer": ("int64", 2),  # the result of a kernel beside its value
}
"""Element type and dimensions of every array, in the order in which their addresses stand behind the numbers."""

LENGTH = len(NUMBERS) + 4 * len(FIELDS)
PLACES = dict(zip((*NUMBERS, *FIELDS), (*range(len(NUMBERS)), *range(len(NUMBERS), LENGTH, 4)), strict=True))
"""The word of each number, and of the address of each array."""

CALL = types.int64(types.CPointer(types.int64), *[types.int64] * 7, types.uint64)
"""The type of the entry points: memory, task, offset, n, top, ub, d, guesses behind, mixed."""
memory_at = named("memory", PLACES, FIELDS)


def _atomic(operation: str) -> Any:
    @intrinsic
    def apply(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            view = context.make_array(signature.args[0])(context, builder, args[0])
            pointer = cgutils.gep(builder, view.data, args[1])
            return builder.atomic_rmw(operation, pointer, args[2], "seq_cst")

        return types.int64(array, types.int64, types.int64), codegen

    return apply


fetch_add = _atomic("add")
fetch_min = _atomic("min")
