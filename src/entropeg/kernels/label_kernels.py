"""Compiled scoring: labels, histograms of labels, filters. Arrays in, arrays out, nothing checked.

Read `scoring` for the checked functions and for the meaning of labels. Here `code` is one code that is
compared with many: with every column of `planes`, whose color counts are the columns of `counts`.
Normally `code` is the guess and the columns are secrets; `swapped` says that `code` is the secret and
the columns are guesses. Loops over columns are innermost and touch one byte per column, so that they
vectorize. `swapped` is handed through from outside: a constant in here would compile `set_labels` anew.
Sums of bytes are written as separate statements: fused into one expression they would be
widened to 64 bits and run four times slower.
"""

from typing import Any

import numpy as np

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.sizes import BLACK, KINDS, MEMBERSHIP, POSITIONAL


@inner
def _plan(kind: int, swapped: bool, code: Array, symbols: int, colors: Array, caps: Array) -> int:
    """Write the distinct colors of `code` and how often each occurs; return how many there are.

    colors, caps: uint8[pegs], overwritten. Black needs no colors. A color without a row
    in the counts occurs in no column: it is left out, except where counts are not read, or a peg may be half right.
    """
    if kind == BLACK:
        return 0
    known = 0
    for p in range(code.size):
        if code[p] >= symbols and not ((swapped and kind == POSITIONAL) or kind >= KINDS):
            continue
        k = 0
        while k < known and colors[k] != code[p]:
            k += 1
        if k == known:
            colors[k] = code[p]
            caps[k] = 0
            known += 1
        caps[k] += 1
    if swapped and kind == MEMBERSHIP:
        for k in range(known):
            caps[k] = 255
    return known


@inner
def _set_equal(code: Array, planes: Array, lo: int, step: int, out: Array) -> None:
    """Set out[i] = step * (number of pegs at which column lo+i equals code)."""
    m = out.size
    one = out.dtype.type(step)
    zero = out.dtype.type(0)
    if code.size < 4:
        for i in range(m):
            out[i] = zero
    p = 0
    while p + 4 <= code.size:
        row1 = planes[p, lo : lo + m]
        row2 = planes[p + 1, lo : lo + m]
        row3 = planes[p + 2, lo : lo + m]
        row4 = planes[p + 3, lo : lo + m]
        c1, c2, c3, c4 = code[p], code[p + 1], code[p + 2], code[p + 3]
        if p == 0:
            for i in range(m):
                x1, x2, x3, x4 = row1[i], row2[i], row3[i], row4[i]
                out[i] = one if x1 == c1 else zero
                out[i] += one if x2 == c2 else zero
                out[i] += one if x3 == c3 else zero
                out[i] += one if x4 == c4 else zero
        else:
            for i in range(m):
                x1, x2, x3, x4 = row1[i], row2[i], row3[i], row4[i]
                out[i] += one if x1 == c1 else zero
                out[i] += one if x2 == c2 else zero
                out[i] += one if x3 == c3 else zero
                out[i] += one if x4 == c4 else zero
        p += 4
    while p < code.size:
        row, c = planes[p, lo : lo + m], code[p]
        for i in range(m):
            out[i] += one if row[i] == c else zero
        p += 1


@inner
def _add_common(counts: Array, lo: int, colors: Array, caps: Array, known: int, out: Array) -> None:
    """Add to out[i] the sum over the planned colors of min(cap, count in column lo+i)."""
    m = out.size
    k = 0
    while k + 4 <= known:
        row1 = counts[colors[k], lo : lo + m]
        row2 = counts[colors[k + 1], lo : lo + m]
        row3 = counts[colors[k + 2], lo : lo + m]
        row4 = counts[colors[k + 3], lo : lo + m]
        c1, c2, c3, c4 = caps[k], caps[k + 1], caps[k + 2], caps[k + 3]
        for i in range(m):
            x1, x2, x3, x4 = row1[i], row2[i], row3[i], row4[i]
            out[i] += min(c1, x1)
            out[i] += min(c2, x2)
            out[i] += min(c3, x3)
            out[i] += min(c4, x4)
        k += 4
    while k < known:
        row, c = counts[colors[k], lo : lo + m], caps[k]
        for i in range(m):
            out[i] += min(c, row[i])
        k += 1


@inner
def _add_present(counts: Array, lo: int, colors: Array, caps: Array, known: int, out: Array) -> None:
    """Add to out[i] the cap of every planned color that occurs in column lo+i."""
    m = out.size
    zero = caps.dtype.type(0)
    for k in range(known):
        row, c = counts[colors[k], lo : lo + m], caps[k]
        for i in range(m):
            out[i] += c if row[i] > zero else zero


@inner
def _set_marks(
    kind: int, code: Array, planes: Array, counts: Array, lo: int, colors: Array, known: int, spare: Array, out: Array
) -> None:
    """Set out[i] to the positional or grand label of the guess `code` against secret lo+i.

    Color by color: the copies in the secret less the blacks are left for whites, which the
    pegs of the color take from the left. Colors do not disturb each other. spare: uint8, overwritten.
    A white peg counts 1 to the base 3, or to the base pegs + 1 where marks are counted, a black one two or the base of
    them; a color is a pair under grand feedback.
    """
    m, shapes = out.size, kind // KINDS
    none = out.dtype.type(0)
    for i in range(m):
        out[i] = none
    for k in range(known):
        c = code.dtype.type(colors[k])
        for i in range(m):
            spare[i] = 0  # of a color without a row in the counts
        if colors[k] < counts.shape[0]:
            row = counts[colors[k], lo : lo + m]
            for i in range(m):
                spare[i] = row[i]
        for p in range(code.size):
            if code[p] == c:
                plane = planes[p, lo : lo + m]
                for i in range(m):
                    spare[i] -= plane[i] == c
        white = out.dtype.type(code.size + 1 if shapes else 3 ** (code.size - 1))
        times = out.dtype.type(code.size + 1 if shapes else 2)
        for p in range(code.size):
            if code[p] == c:
                plane, black = planes[p, lo : lo + m], out.dtype.type(white * times)
                if shapes:
                    _add_half(shapes, np.int64(colors[k]), plane, counts.shape[0], spare, out)
                for i in range(m):
                    equal, left = plane[i] == c, spare[i] > 0
                    out[i] += black if equal else (white if left else none)
                    spare[i] -= left and not equal
            if not shapes:
                white = out.dtype.type(white // out.dtype.type(3))


@inner
def _add_half(shapes: int, pair: Any, plane: Array, symbols: int, spare: Array, out: Array) -> None:
    """Add 1 to out[i] where a peg is neither black nor white, and its color or its shape is right: never both."""
    m, one, none = out.size, out.dtype.type(1), out.dtype.type(0)
    same, lowest = plane.dtype.type(pair), plane.dtype.type(pair - pair % shapes)
    highest = plane.dtype.type(pair - pair % shapes + shapes - 1)
    for i in range(m):
        out[i] += one if lowest <= plane[i] <= highest and plane[i] != same and spare[i] == 0 else none
    for symbol in range(pair % shapes, symbols, shapes):
        if symbol != pair:
            other = plane.dtype.type(symbol)
            for i in range(m):
                out[i] += one if plane[i] == other and spare[i] == 0 else none


@inner
def _set_marks_swapped(
    code: Array, planes: Array, lo: int, colors: Array, caps: Array, known: int, spare: Array, out: Array
) -> None:
    """Set out[i] to the positional label of guess lo+i against the secret `code`; reads no counts."""
    m = out.size
    none = out.dtype.type(0)
    for i in range(m):
        out[i] = none
    for k in range(known):
        c = code.dtype.type(colors[k])
        cap = caps[k]
        for i in range(m):
            spare[i] = cap
        for p in range(code.size):
            if code[p] == c:
                plane = planes[p, lo : lo + m]
                for i in range(m):
                    spare[i] -= plane[i] == c
        white = out.dtype.type(1)
        for _ in range(code.size - 1):
            white = out.dtype.type(white * out.dtype.type(3))
        for p in range(code.size):
            plane = planes[p, lo : lo + m]
            if code[p] == c:
                black = out.dtype.type(white + white)
                for i in range(m):
                    out[i] += black if plane[i] == c else none
            else:
                for i in range(m):
                    taken = plane[i] == c and spare[i] > 0
                    out[i] += white if taken else none
                    spare[i] -= taken
            white = out.dtype.type(white // out.dtype.type(3))


@inner
def set_labels(
    kind: int, swapped: bool, code: Array, planes: Array, counts: Array, lo: int, work: Array, out: Array
) -> None:
    """Set out[i] to the label of `code` with column lo+i, for all i of out (any unsigned dtype).

    standard = pegs * black + sum_c min(count_code[c], count_column[c]); membership has in place of the
    sum the number of guess pegs whose color occurs in the secret; black has no sum. Not swapped for grand.
    work: uint8[2 * pegs + out.size or more], overwritten: colors, caps, spare.
    """
    pegs = code.size
    colors, caps, spare = work[:pegs], work[pegs : 2 * pegs], work[2 * pegs :]
    known = _plan(kind, swapped, code, counts.shape[0], colors, caps)
    if kind == POSITIONAL and swapped:
        _set_marks_swapped(code, planes, lo, colors, caps, known, spare, out)
    elif kind == POSITIONAL or kind >= KINDS:
        _set_marks(kind, code, planes, counts, lo, colors, known, spare, out)
    else:
        _set_equal(code, planes, lo, 1 if kind == BLACK else code.size, out)
        if kind == MEMBERSHIP and not swapped:
            _add_present(counts, lo, colors, caps, known, out)
        else:
            _add_common(counts, lo, colors, caps, known, out)


@inner
def _count_block(labels: Array, value: int) -> Any:
    """Count `value` among 256 labels, modulo 256: one byte suffices, and vectorizes."""
    count: Any = np.uint8(0)
    for i in range(256):
        count = np.uint8(count + (np.uint8(1) if labels[i] == value else np.uint8(0)))
    return np.int64(count)


@inner
def _tally_few(labels: Array, values: Array, sizes: Array) -> Any:
    """Add to sizes the histogram of the leading blocks of 256 labels; return how many were counted.

    Byte counts are modulo 256, and only a block of 256 equal labels can wrap: then all counts are 0.
    """
    done = labels.size // 256 * 256
    for lo in range(0, done, 256):
        block = labels[lo : lo + 256]
        found = 0
        for k in range(values.size):
            count = _count_block(block, values[k])
            sizes[values[k]] += count
            found += count
            if found == 256:
                break
        if found == 0:
            sizes[block[0]] += 256
    return done


@inner
def _tally(labels: Array, hist: Array, sizes: Array) -> None:
    """Add to sizes the histogram of labels. hist: int32[4, labels], zero before and after.

    Four interleaved histograms: equal labels in a row would wait for each other's memory.
    """
    hist1, hist2, hist3, hist4 = hist[0], hist[1], hist[2], hist[3]
    quads = labels.size // 4
    for i in range(quads):
        hist1[labels[4 * i]] += 1
        hist2[labels[4 * i + 1]] += 1
        hist3[labels[4 * i + 2]] += 1
        hist4[labels[4 * i + 3]] += 1
    for i in range(quads * 4, labels.size):
        hist1[labels[i]] += 1
    for j in range(sizes.size):
        sizes[j] += hist1[j] + hist2[j] + hist3[j] + hist4[j]
        hist1[j] = 0
        hist2[j] = 0
        hist3[j] = 0
        hist4[j] = 0


@kernel
def label_matrix(kind: int, swapped: bool, rows: Array, planes: Array, counts: Array, work: Array, out: Array) -> None:
    """Set out[r, i] to the label of code rows[r] with column i. rows: uint8[R, pegs], out: [R, N].

    work: uint8[2 * pegs + codes in one go], overwritten.
    """
    chunk = work.size - 2 * rows.shape[1]
    for lo in range(0, planes.shape[1], chunk):
        hi = min(planes.shape[1], lo + chunk)
        for r in range(rows.shape[0]):
            set_labels(kind, swapped, rows[r], planes, counts, lo, work, out[r, lo:hi])


@kernel
def part_sizes_by_guess(
    kind: int,
    swapped: bool,
    rows: Array,
    planes: Array,
    counts: Array,
    values: Array,
    work: Array,
    buffer: Array,
    hist: Array,
    out: Array,
) -> None:
    """Add to out[r, label] the number of secrets (columns) with that label against guess rows[r].

    rows: uint8[R, pegs]; values: the labels that can occur where they are few, else empty; buffer: one
    chunk of labels, overwritten, its dtype holds every label; work: uint8[2 * pegs + chunk],
    overwritten; hist: int32[4, labels], zero before and after, or of no width where labels are too many;
    out: int32[R, labels].
    """
    for lo in range(0, planes.shape[1], buffer.size):
        labels = buffer[: min(buffer.size, planes.shape[1] - lo)]
        for r in range(rows.shape[0]):
            set_labels(kind, swapped, rows[r], planes, counts, lo, work, labels)
            done = _tally_few(labels, values, out[r]) if values.size > 0 else 0
            if hist.shape[1] > 0:
                _tally(labels[done:], hist, out[r])
            else:
                for i in range(labels.size):
                    out[r, labels[i]] += 1


@inner
def _tally_columns(labels: Array, values: Array, tally: Array) -> None:
    """Add to tally[k, i] how often values[k] occurs in labels[:, i]. labels: uint8[4, m]."""
    row1, row2, row3, row4 = labels[0], labels[1], labels[2], labels[3]
    zero, one = np.uint8(0), np.uint8(1)
    for k in range(values.size):
        value, sums = values[k], tally[k]
        for i in range(labels.shape[1]):
            x1, x2, x3, x4 = row1[i], row2[i], row3[i], row4[i]
            sums[i] += one if x1 == value else zero
            sums[i] += one if x2 == value else zero
            sums[i] += one if x3 == value else zero
            sums[i] += one if x4 == value else zero


@kernel
def part_sizes_by_secret(
    kind: int,
    swapped: bool,
    rows: Array,
    planes: Array,
    counts: Array,
    values: Array,
    work: Array,
    tally: Array,
    out: Array,
) -> None:
    """Add to out[g, label] the number of secrets rows[s] with that label against guess (column) g.

    For few secrets, 255 at most (a byte counts to 255): columns are guesses, so the loops stay long.
    With `values`, the labels that can occur, the labels of four secrets at a time are compared with each
    value; with none, every pair is one histogram step. rows: uint8[S, pegs]; out: int32[G, labels];
    overwritten: work, uint8[2 * pegs + chunk], and tally, uint8[chunk * (4 + values, or else labels)].
    """
    chunk, width, few = work.size - 2 * rows.shape[1], np.uint64(out.shape[1]), values.size
    for lo in range(0, planes.shape[1], chunk):
        m = min(chunk, planes.shape[1] - lo)
        labels, steps = tally[: 4 * m].reshape(4, m), tally[4 * m : (4 + (few or out.shape[1])) * m]
        columns = steps[: few * m].reshape(few, m)
        for i in range(steps.size):
            steps[i] = 0
        for s in range(rows.shape[0]):
            lane = s % 4
            row = labels[lane]
            set_labels(kind, swapped, rows[s], planes, counts, lo, work, row)
            if few == 0:
                for i in range(np.uint64(m)):
                    steps[i * width + row[i]] += 1
            elif lane == 3 or s == rows.shape[0] - 1:
                for i in range((lane + 1) * m, 4 * m):
                    tally[i] = 255  # an idle lane; no label where labels are few
                _tally_columns(labels, values, columns)
        if few > 0:
            for i in range(m):
                sizes = out[lo + i]
                for k in range(few):
                    sizes[values[k]] += columns[k, i]
        else:
            flat = out[lo : lo + m].reshape(steps.size)
            for i in range(flat.size):
                flat[i] += steps[i]


@kernel
def matching_columns(
    kind: int,
    swapped: bool,
    rows: Array,
    wanted: Array,
    planes: Array,
    counts: Array,
    work: Array,
    buffer: Array,
    eights: Array,
    out: Array,
) -> int:
    """Write the columns that have label wanted[t] against guess rows[t] for every t; return how many.

    rows: uint8[T, pegs], T >= 1; wanted: [T] and buffer: [chunk] of a dtype that holds every label;
    eights: uint64[chunk / 8]; work: uint8[2 * pegs + chunk]; all but rows and wanted overwritten;
    out: int64[N], ascending. A chunk is left as soon as no code of it is alive.
    """
    alive, chunk = eights.view(np.uint8), buffer.size
    found = 0
    for lo in range(0, planes.shape[1], chunk):
        m = min(chunk, planes.shape[1] - lo)
        for i in range(chunk):
            alive[i] = i < m
        for t in range(rows.shape[0]):
            set_labels(kind, swapped, rows[t], planes, counts, lo, work, buffer[:m])
            label = wanted[t]
            for i in range(m):
                alive[i] &= buffer[i] == label
            any_alive = np.uint64(0)
            for e in range(eights.size):
                any_alive |= eights[e]
            if any_alive == 0:
                break
        for e in range((m + 7) // 8):
            if eights[e] != 0:
                for i in range(8 * e, min(8 * e + 8, m)):
                    out[found] = lo + i
                    found += alive[i]
    return found


@kernel
def wide_labels(kind: int, code: Array, planes: Array, total: Array, left: Array, out: Array) -> None:
    """Set out[i] to the label of guess `code` against secret i; every kind but positional.

    Any size, no counts, pair by pair: code: uint16[pegs], planes: uint16[pegs, N]; total, left:
    int64[symbols], zero before, overwritten; out: uint64[N].
    """
    for p in range(code.size):
        total[code[p]] += 1
        left[code[p]] += 1
    for i in range(planes.shape[1]):
        black, common = 0, 0
        for p in range(code.size):
            c = planes[p, i]
            black += c == code[p]
            if left[c] > 0:
                common += left[c] if kind == MEMBERSHIP else 1
                left[c] = 0 if kind == MEMBERSHIP else left[c] - 1
        for p in range(code.size):
            left[planes[p, i]] = total[planes[p, i]]
        out[i] = black if kind == BLACK else code.size * black + common


@kernel
def wide_marks(code: Array, planes: Array, left: Array, out: Array) -> None:
    """Set out[p, i] to the mark (2 black, 1 white, 0 none) of peg p of guess `code` against secret i.

    Any size: code: uint16[pegs], planes: uint16[pegs, N]; left: int64[symbols], zero before and after;
    out: uint8[pegs, N].
    """
    for i in range(planes.shape[1]):
        for p in range(code.size):
            if planes[p, i] != code[p]:
                left[planes[p, i]] += 1
        for p in range(code.size):
            if planes[p, i] == code[p]:
                out[p, i] = 2
            elif left[code[p]] > 0:
                left[code[p]] -= 1
                out[p, i] = 1
            else:
                out[p, i] = 0
        for p in range(code.size):
            left[planes[p, i]] = 0
