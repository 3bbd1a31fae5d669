"""What the kernels of the exact search share: one array of numbers and addresses, and functions that read it.

Kernels that call one another hundreds of times a millisecond pass this one array, ``memory``; passing sixty arrays
costs more than the work. First come numbers, then for every array its address and its extents. Kernels read the arrays
through the functions of this module, one for each, which are free once they are compiled into their callers.

A search in progress is a list of frames, one for each set between the first one and the one under study: a row of
``frames`` and of the arrays marked [DEPTHS, ...] each. What differs in length from frame to frame stands in arrays that
grow from frame to frame: ``candidates`` with ``lows``, ``tables``, and beside ``stack`` those of the same length.
"""

# ruff: noqa: ARG001
# numba reads the signatures of intrinsics by name, so arguments stay that only the generated code uses; they are many,
# since kernels pass numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types

Array = Any  # numba sees the element types; they stand in FIELDS and in the docstrings
Int = Any  # int64, or uint64 for hashes

INF = 1 << 24  # more than any total; below 2**26, the width of a value in the table of the search by counts
UNLIMITED = 256  # guesses left when there is no limit
SMALL = 60  # sets of at most so many codes may be bounded by their number of parts, larger ones are by sizes
DEPTHS = 256  # most sets in progress
DEEP = 2  # what `stop` holds after a search that would have gone deeper; 1: it was told to stop
NEAR = 256  # sets of up to so many codes get a table of the labels among themselves
SYMMETRIC = 7  # symmetry is used for sets with at most this many guesses behind them
WORD_BITS = 64  # colors that the bits of a word stand for; boards of more do without
NO_GUESS = (1 << 20) - 1  # no guess, or one that was not kept
OPEN, SCANNED, EXACT, RAISED = range(4)  # what is known of a part: nothing, its bounds, its value, a proven bound

# Numbers at the begin of the array; ROOM: words of `tables` that a frame takes at most;
# KEY_BITS: bits of a name that a peg may have in `symmetry.class_key`; LAST_SYMMETRIC: symmetry is used for sets with
# at most so many guesses behind them, `SYMMETRIC`, or -1 where the board has none. BY_ANSWER: a history is entered
# answer by answer; ALL_NAMED: colors that no code of a set has are told apart all the same; HARD: guesses must use
# every clue. The last four are those of a call: at most so many guesses are tried in a set (0: all); the one guess that
# is tried in the first set, or NO_GUESS; guesses behind the first set; how many of the best guesses of the first set
# are to be found (0: the best alone).
(PEGS, SYMBOLS, LABELS, RELABELS, CONSISTENT, SEPARATE, ROOM, KEY_BITS, LAST_SYMMETRIC, BY_ANSWER, ALL_NAMED, HARD,
 BREADTH, ONLY, BEHIND, RANKED) = range(16)  # fmt: skip
NO_LABEL = -1  # for a guess that was not answered
RANKS = 4  # where `nodes` counts the best guesses found
EVERY = 1 << 40  # more candidates than any set has
NEXT, BEST_OF_ALL, END, WHOLE, FOUND = range(5)
"""Words of a search that several threads share: next candidate; best value; candidate to stop at; whether the set was
found to cost no less than the best value; whether a guess was followed to its end."""

# A frame: the set (codes, where on the stack, its end, guesses left now and after a guess, bound to undercut);
(N, OFFSET, TOP, LEFT, AFTER, UB,
 # its candidates (which scan, most parts of a possible guess beside itself and of another, whether they come by bound,
 # where they begin, how many), its tables of numbers (where they begin and end, cells of the two sets of numbers);
 SCAN, OWN, OTHER, IN_ORDER, FIRST, COUNT, TABLES, CLASSES, CUTS, TABLES_END,
 # the search (candidate under study, candidates whose class is known, guesses followed, best value and its guess,
 # bound, bound of what was left out; bound of the guess under study, it, its part under search, and what that is
 # asked for); and the value found.
 AT, TAKEN, TRIED, BEST, CHOSEN, LOW, REST, TOTAL, GUESS, PART, ASKED, VALUE, FRAME) = range(29)  # fmt: skip

HEADER = 16
FIELDS: dict[str, tuple[str, int]] = {}
"""Element type and dimensions of every array, in the order in which their addresses stand."""


def _address(name: str) -> int:
    return HEADER + 4 * list(FIELDS).index(name)


def _field(name: str, element: str, dimensions: int) -> Any:
    """Add an array to `FIELDS`; the function that reads it: a view without reference count, free after inlining."""
    FIELDS[name] = element, dimensions
    slot = _address(name)
    kind = types.Array(getattr(types, element), dimensions, "C")
    width = np.dtype(element).itemsize

    @intrinsic
    def view(typingctx: Any, memory: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            words = [builder.load(cgutils.gep(builder, data, slot + i)) for i in range(1 + dimensions)]
            strides = [ir.Constant(words[0].type, width)]
            for extent in words[:1:-1]:
                strides.insert(0, builder.mul(strides[0], extent))
            array = context.make_array(kind)(context, builder)
            context.populate_array(
                array,
                data=builder.inttoptr(words[0], array.data.type),
                shape=words[1:],
                strides=strides,
                itemsize=ir.Constant(words[0].type, width),
                meminfo=None,
            )
            return array._getvalue()  # noqa: SLF001 - the way of numba's own array constructors

        return kind(memory), codegen

    return view


# The board. Secrets and guesses are in shell order: codes over the first k colors stand first.
by_guess = _field("by_guess", "uint8", 2)  # [guesses, secrets] labels
# Labels of secrets over the first k colors, a row each, against one guess of every class that these secrets
# cannot tell apart: at base[k] + s * stride[k] + j, j < width[k]; guess columns[k, j]; place is the inverse.
scan = _field("scan", "uint8", 1)
base = _field("base", "int64", 1)
stride = _field("stride", "int64", 1)
width = _field("width", "int64", 1)
columns = _field("columns", "int32", 2)
place = _field("place", "int32", 2)
secret_digits = _field("secret_digits", "uint8", 2)
guess_digits = _field("guess_digits", "uint8", 2)
presence = _field("presence", "uint64", 1)  # [secrets] bit c: color c occurs; bit 0 on boards of more than 64
powers = _field("powers", "int64", 1)  # number of a code = sum of digit * power
secret_of_number = _field("secret_of_number", "int32", 1)  # -1 where there is none
guess_of_number = _field("guess_of_number", "int32", 1)
guess_of_secret = _field("guess_of_secret", "int32", 1)  # -1 where the secret is no legal guess
zobrist = _field("zobrist", "uint64", 1)
zobrist_limit = _field("zobrist_limit", "uint64", 1)
capacity = _field("capacity", "int64", 1)  # most codes that d guesses can settle
expected = _field("expected", "float64", 1)  # guessed total of a set by its size, for ordering only
permutations = _field("permutations", "uint8", 2)
kind = _field("kind", "int64", 1)  # [symbols] number of the kind times symbols: colors of a kind may change places
marks = _field("marks", "uint8", 2)  # [labels, pegs] 2 in place, 1 elsewhere; none where feedback is not by place
# Where guesses must use every clue, see `search.exact.clues`.
facts = _field("facts", "uint64", 2)  # [words, guesses] bits: what holds of a guess
fact_words = _field("fact_words", "uint64", 1)  # [facts] of which the hash of clues is made
clues = _field("clues", "uint64", 2)  # [guesses behind, words] bits: what must hold of the guesses of a set
# Under weights.
weight = _field("weight", "int64", 1)  # [secrets]
least = _field("least", "int64", 1)  # [secrets + 1] fewest guesses by rank
guessed = _field("guessed", "float64", 1)  # [secrets + 1] guessed number of guesses for a code of a part of that size
# Memory of one thread; stop, shared and table are common to all.
stop = _field("stop", "int64", 1)
shared = _field("shared", "int64", 1)
table = _field("table", "uint64", 1)
stack = _field("stack", "int32", 1)
parts = _field("parts", "uint8", 1)  # number of parts by column
rows = _field("rows", "int32", 1)  # rows to scan
offsets = _field("offsets", "int64", 1)  # and where each starts in scan
label = _field("label", "uint8", 1)
members = _field("members", "uint64", 1)  # the codes of a part as bits
frames = _field("frames", "int64", 2)  # [DEPTHS + 1, FRAME]
set_hash = _field("set_hash", "uint64", 1)  # [DEPTHS + 1] XOR of the words of the codes of a set
order = _field("order", "int64", 2)  # [DEPTHS + 1, symbols] old color of each new one, where scans rename colors
candidates = _field("candidates", "int32", 1)  # columns to try
lows = _field("lows", "int64", 1)  # and their lower bounds
tables = _field("tables", "uint64", 1)
held = _field("held", "int64", 1)  # beside the stack: where the labels of a code of the set of a frame begin in scan
spots = _field("spots", "int32", 1)  # and which code of the set a code of a part is
count = _field("count", "int64", 2)  # [DEPTHS, m], as the next five: the parts of the guess under study
start = _field("start", "int64", 2)
hashes = _field("hashes", "uint64", 2)
low = _field("low", "int64", 2)
mass = _field("mass", "int64", 2)
state = _field("state", "uint8", 2)  # OPEN, SCANNED or EXACT
gain = _field("gain", "float64", 2)  # [2, SMALL + 1] sum and number of the gains of the part-count bound by size
hope = _field("hope", "float64", 2)  # [DEPTHS, m] what searches are expected to add to the bounds of these parts
rise = _field(
    "rise", "float64", 2
)  # [2, RISES] what searches added to the bounds of parts, and their codes, by class of size
sizes = _field("sizes", "int32", 2)  # [labels, BLOCK] sizes of the parts by column of a block
block_low = _field("block_low", "int32", 1)
column_low = _field("column_low", "int64", 1)
column_expected = _field("column_expected", "float64", 1)
chosen = _field("chosen", "int32", 1)  # columns that are candidates
begin = _field("begin", "int64", 1)
cell = _field("cell", "int32", 1)
name = _field("name", "int64", 1)
own_parts = _field("own_parts", "uint8", 1)
image = _field("image", "int16", 1)
used = _field("used", "uint8", 1)
waiting = _field(
    "waiting", "int64", 2
)  # [secrets + 2, 5] sets that a strategy is still to be written for; the first row counts
group_size = _field("group_size", "int64", 1)
group_peg = _field("group_peg", "int32", 2)
group_color = _field("group_color", "int16", 3)
group_token = _field("group_token", "int16", 3)
# Under weights, scratch of the bounds.
first = _field("first", "int64", 2)  # [labels, secrets] weight of the first codes of a part, by the last of them
second_low = _field("second_low", "int64", 1)
most_of = _field("most_of", "int64", 1)
caps = _field("caps", "int64", 1)
own_column = _field("own_column", "int32", 1)
quanta = _field("quanta", "int32", 1)
saved = _field("saved", "int32", 1)
tops = _field("tops", "int32", 1)
whole_sizes = _field("whole_sizes", "int32", 2)
sums = _field("sums", "float64", 2)
ends = _field("ends", "int64", 1)
top = _field("top", "int64", 1)
head = _field("head", "int64", 1)
met = _field("met", "uint64", 1)
nodes = _field("nodes", "int64", 1)  # sets expanded, guesses tried, scans, table hits; RANKS
found = _field("found", "int64", 1)  # guess and state of a set, as `engine.probe` tells them
answer = _field("answer", "int64", 2)  # what a kernel tells beside its value

LENGTH = HEADER + 4 * len(FIELDS)
SCAN_AT, OFFSETS_AT, PARTS_AT, SIZES_AT, WHOLE_SIZES_AT, LOW_AT, MEMBERS_AT, TABLE_AT, QUANTA_AT, SAVED_AT, TOPS_AT = (
    _address(name)
    for name in (
        *("scan", "offsets", "parts", "sizes", "whole_sizes", "block_low", "members", "table"),
        *("quanta", "saved", "tops"),
    )
)
"""Where the addresses of arrays stand, for kernels that work on addresses."""


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
CALL = types.int64(types.CPointer(types.int64), *[types.int64] * 7, types.uint64)
"""The type of the entry points: memory, task, offset, n, top, ub, d, guesses behind, mixed."""
