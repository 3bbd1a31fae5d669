"""The desk of the exact search: what its kernels share, as one array of numbers and addresses.

Kernels that call one another hundreds of times a millisecond pass this one array; passing forty arrays costs more than
the work. First come numbers, then for every array its address and its extents. Kernels read them through the functions
of this module, one for each array.
"""

# ruff: noqa: ARG001, PLR0913, PLR0917
# numba reads the signatures of intrinsics by name, so arguments stay that only the generated code uses; they are many,
# since kernels pass numbers by position.

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types

Array = Any  # numba sees the element types; they stand in FIELDS and in the docstrings
Int = Any  # int64, or uint64 for hashes

INF = 1 << 24  # more than any total; below 2**26, the width of a value in the table
UNLIMITED = 256  # guesses left when there is no limit
SMALL = (
    60  # sets up to this size, or smaller with few labels, are bounded by their number of parts, larger ones by sizes
)
DEPTHS = 256  # deepest nesting of guesses that the work space holds
DEEP = 2  # what `stop` holds after a search that would have gone deeper; 1: it was told to stop
SYMMETRIC = 7  # symmetry is used for sets with at most this many guesses behind them
GUESS_BITS = 20
WORD_BITS = 64  # colors that the bits of a word stand for; boards of more do without
NO_GUESS = (1 << GUESS_BITS) - 1  # an exact value whose guess was not kept
OPEN, SCANNED, EXACT, RAISED = range(4)  # what is known of a part: nothing, its bounds, its value, a proven bound

PEGS, SYMBOLS, LABELS, RELABELS, CONSISTENT, ENTRY, SEPARATE = range(7)
FIELDS = {
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
    # Memory of one thread; stop, shared and table are common to all.
    "stop": ("int64", 1),
    "shared": ("int64", 1),
    "table": ("uint64", 1),
    "stack": ("int32", 1),
    "parts": ("uint8", 1),  # number of parts by column
    "rows": ("int32", 1),  # rows to scan
    "offsets": ("int64", 1),  # and where each starts in scan
    "label": ("uint8", 1),
    "members": ("uint64", 1),  # the codes of a part as bits
    "count": ("int64", 2),  # [DEPTHS, m], as the next four: the parts of the guess under study
    "start": ("int64", 2),
    "hashes": ("uint64", 2),
    "low": ("int64", 2),
    "state": ("uint8", 2),  # OPEN, SCANNED or EXACT
    "gain": ("float64", 2),  # [2, SMALL + 1] sum and number of the gains of the part-count bound by size
    "hope": ("float64", 2),  # [DEPTHS, m] what searches are expected to add to the bounds of these parts
    "rise": ("float64", 2),  # [2, RISES] what searches added to the bounds of parts, and their codes, by class of size
    "sizes": ("int32", 2),  # [labels, BLOCK] sizes of the parts by column of a block
    "block_low": ("int32", 1),
    "column_low": ("int32", 1),
    "column_expected": ("float64", 1),
    "group_size": ("int64", 1),
    "group_peg": ("int32", 2),
    "group_color": ("int16", 3),
    "group_token": ("int16", 3),
    "nodes": ("int64", 1),  # sets expanded, guesses tried, scans, table hits
    "answer": ("int64", 2),  # what a kernel tells beside its value
}
HEADER = 8
DESK = HEADER + 4 * len(FIELDS)
SCAN_AT, OFFSETS_AT, PARTS_AT, SIZES_AT, LOW_AT, MEMBERS_AT, TABLE_AT = (
    HEADER + 4 * list(FIELDS).index(name)
    for name in ("scan", "offsets", "parts", "sizes", "block_low", "members", "table")
)


def _field(name: str) -> Any:
    """Accessor of an array of the desk: a view without reference count, free after inlining."""
    slot = HEADER + 4 * list(FIELDS).index(name)
    element, dimensions = FIELDS[name]
    kind = types.Array(getattr(types, element), dimensions, "C")
    width = np.dtype(element).itemsize

    @intrinsic
    def view(typingctx: Any, desk: Any) -> Any:
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

        return kind(desk), codegen

    return view


by_guess = _field("by_guess")
scan = _field("scan")
base = _field("base")
stride = _field("stride")
width = _field("width")
columns = _field("columns")
place = _field("place")
secret_digits = _field("secret_digits")
guess_digits = _field("guess_digits")
presence = _field("presence")
powers = _field("powers")
secret_of_number = _field("secret_of_number")
guess_of_number = _field("guess_of_number")
guess_of_secret = _field("guess_of_secret")
zobrist = _field("zobrist")
zobrist_limit = _field("zobrist_limit")
capacity = _field("capacity")
expected = _field("expected")
permutations = _field("permutations")
stop = _field("stop")
shared = _field("shared")
table = _field("table")
stack = _field("stack")
parts = _field("parts")
rows = _field("rows")
offsets = _field("offsets")
label = _field("label")
members = _field("members")
count = _field("count")
start = _field("start")
hashes = _field("hashes")
low = _field("low")
state = _field("state")
gain = _field("gain")
hope = _field("hope")
rise = _field("rise")
sizes = _field("sizes")
block_low = _field("block_low")
column_low = _field("column_low")
column_expected = _field("column_expected")
group_size = _field("group_size")
group_peg = _field("group_peg")
group_color = _field("group_color")
group_token = _field("group_token")
nodes = _field("nodes")
answer = _field("answer")


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
"""The type of the entry point: desk, task, offset, n, top, ub, d, depth, mixed."""


@intrinsic
def call_entry(
    typingctx: Any, desk: Any, task: Any, offset: Any, n: Any, top: Any, ub: Any, d: Any, depth: Any, mixed: Any
) -> Any:
    """Call the entry point through its address on the desk.

    A recursive function that numba loads from its cache calls address 0 (numba issue 6061); this one is not
    recursive to numba.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(64)
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        kind = ir.FunctionType(word, [data.type] + [word] * 8)
        entry = builder.inttoptr(builder.load(cgutils.gep(builder, data, ENTRY)), kind.as_pointer())
        return builder.call(entry, [data, *args[1:]])

    return types.int64(desk, *[types.int64] * 7, types.uint64), codegen
