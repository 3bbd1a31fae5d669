"""Compiled listing and counting of codes. Arrays in, arrays out, nothing checked.

The blank, if there is one, is the symbol after the last color.
"""

from entropeg.kernels.compile import Array, kernel


@kernel
def count_colors(planes: Array, out: Array) -> None:
    """Add to out[c, i] the number of pegs of column i that have color c. out: uint8 or uint16."""
    for p in range(planes.shape[0]):
        row = planes[p]
        for i in range(row.size):
            out[row[i], i] += 1


@kernel
def _next_symbol(used: Array, start: int) -> int:
    """Return the first symbol from `start` on that is not used, or used.size."""
    symbol = start
    while symbol < used.size and used[symbol]:
        symbol += 1
    return symbol


@kernel
def list_distinct(colors: int, used: Array, code: Array, out: Array) -> None:
    """Fill out[pegs, N] with the codes without repeated colors in lexicographic order; blanks repeat.

    N is the number of such codes, so the search for the next code never fails. used: bool[symbols],
    False before; code: int64[pegs], overwritten.
    """
    pegs = out.shape[0]
    p, start = 0, 0
    for i in range(out.shape[1]):
        # Fill the pegs from p on with the least symbols that are left, the first of them from `start` on.
        while p < pegs:
            code[p] = _next_symbol(used, start)
            if code[p] < colors:
                used[code[p]] = True
            p, start = p + 1, 0
        for q in range(pegs):
            out[q, i] = code[q]
        # Go back to the last peg that can take a larger symbol: there the next code begins to differ.
        while p > 0 and start == 0:
            p -= 1
            if code[p] < colors:
                used[code[p]] = False
            following = _next_symbol(used, code[p] + 1)
            if following < used.size:
                start = following
