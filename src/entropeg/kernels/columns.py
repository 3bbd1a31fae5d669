"""Sets of questions answered by black marks, peg by peg: the colors that the questions have at a peg are a column.

A secret takes one color of each column, and the answers to the questions are a sum: for each peg, 1 for each question
that has the secret's color there. Two secrets have the same answers where differences of such vectors, one of each
column in which they differ, have the sum 0. So columns can be chosen one by one, from those no difference of which is a
sum of differences of columns before.
"""

from __future__ import annotations

import numpy as np

from entropeg.kernels.compile import Array, allocating_kernel, inner


@inner
def _index(value: int, questions: int, bits: int) -> int:
    """A vector of 0, 1 and -1, given with 1 more at each place, as a number in base 3 without its sign."""
    index, power = 0, 1
    for _ in range(questions):
        index += ((value & ((1 << bits) - 1)) - 1) * power
        power *= 3
        value >>= bits
    return abs(index)


@inner
def _add(
    depth: int,
    packed: Array,
    questions: int,
    bits: int,
    has_pairs: bool,
    sums: Array,
    ends: Array,
    marks: Array,
    stack: Array,
    heights: Array,
) -> None:
    """Write the sums that a column makes after `depth` columns, and mark those of little at each question.

    A sum and its negative are one. marks[0]: by index, sums of 0, 1 and -1 alone. marks[1], where columns are of two
    colors: those of 0, 2 and -2, by the index of their half. stack: the marks set, to be taken back.
    """
    ones = 0
    for question in range(questions):
        ones += 1 << (question * bits)
    end = new = ends[depth]
    for difference in packed:
        sums[new] = difference
        new += 1
        for at in range(end):
            sums[new + at] = sums[at] + difference
        new += end
        for at in range(end):
            sums[new + at] = sums[at] - difference
        new += end
    ends[depth + 1] = new
    height = heights[depth]
    for at in range(end, new):
        value = sums[at] + ones
        if value & ~(3 * ones) == 0 and value & (value >> 1) & ones == 0:
            index = _index(value, questions, bits)
            if marks[0, index] == 0:
                marks[0, index] = 1
                stack[height] = index
                height += 1
        elif has_pairs:
            value += ones
            if value & ~(6 * ones) == 0 and value & (value >> 1) & (2 * ones) == 0:
                index = _index(value >> 1, questions, bits)
                if marks[1, index] == 0:
                    marks[1, index] = 1
                    stack[height] = -1 - index
                    height += 1
    heights[depth + 1] = height


@inner
def _take_back(depth: int, marks: Array, stack: Array, heights: Array) -> None:
    """Take back the marks that came with the last of `depth` columns."""
    for at in range(heights[depth - 1], heights[depth]):
        if stack[at] < 0:
            marks[1, -1 - stack[at]] = 0
        else:
            marks[0, stack[at]] = 0


@inner
def _is_free(column: int, indices: Array, marks: Array) -> bool:
    """Whether no difference of a column is a sum of others."""
    for index in indices[column]:
        if marks[0, abs(index)]:
            return False
    return True


@inner
def _paired(
    candidates: Array,
    number: int,
    need: int,
    indices: Array,
    marks: Array,
    rank: Array,
    least: int,
    near: Array,
    degree: Array,
) -> int:
    """Keep the columns, of `number`, that go with `need` - 1 others at least; write which go together.

    Columns of two colors go together where neither their sum nor their difference is a sum of others.
    """
    for one in range(number):
        near[one, one] = False
        degree[one] = 0
        a = indices[candidates[one], 0]
        for other in range(one):
            b = indices[candidates[other], 0]
            goes = (
                marks[1, abs(a - b) // 2] == 0
                and marks[1, abs(a + b) // 2] == 0
                and rank[candidates[one], candidates[other]] >= least
            )
            near[one, other] = near[other, one] = goes
            degree[one] += goes
            degree[other] += goes
    is_changed = True
    while is_changed:
        is_changed = False
        for one in range(number):
            if 0 <= degree[one] < need - 1:
                degree[one] = -1
                is_changed = True
                for other in range(number):
                    if near[one, other] and degree[other] > 0:
                        degree[other] -= 1
    kept = 0
    for one in range(number):
        if degree[one] >= 0:
            at = 0
            for other in range(one):
                if degree[other] >= 0:
                    near[kept, at] = near[at, kept] = near[one, other]
                    at += 1
            near[kept, kept] = False
            candidates[kept] = candidates[one]
            kept += 1
    return kept


@inner
def _following(
    here: Array, number: int, at: int, is_done: Array, kinds: Array, near: Array, has_pairs: bool, following: Array
) -> int:
    """Write the columns that may follow one of `number`, and note its kind as done; returns how many.

    Columns of kinds before it were tried in its place; those of its own kind may follow.
    """
    count = 0
    for other in range(number):
        if other != at and not is_done[other] and (not has_pairs or near[at, other]):
            following[count] = here[other]
            count += 1
    for other in range(number):
        if kinds[other] == kinds[at]:
            is_done[other] = True
    return count


@inner
def _kept(
    columns: Array, row: int, before: Array, indices: Array, marks: Array, rank: Array, least: int, kept: Array
) -> int:
    """Write the columns no difference of which is a sum of others, of rank enough with `row` and those before."""
    count = 0
    for column in columns:
        is_kept = _is_free(column, indices, marks)
        for one in before:
            is_kept &= rank[one ^ row, one ^ column] >= least
        if is_kept:
            kept[count] = column
            count += 1
    return count


@inner
def _room(columns: int, each: int) -> int:
    """How many sums so many columns make, of `each` differences."""
    room = 0
    for _ in range(columns):
        room += each + 2 * each * room
    return room


@allocating_kernel
def find_columns(
    colors: Array, indices: Array, packed: Array, bits: int, rank: Array, least: int,
    chosen: Array, given: int, rows: Array, counts: Array, most: int, stop: Array,
) -> int:  # fmt: skip
    """Look for columns whose sums are all different, the first `given` of them given; write them to `chosen`.

    colors: uint8[columns, questions]. indices, packed: int64[columns, differences], differences of the colors of each
    column, up to their sign, as numbers in base 3 and in base 2^bits. rank: uint8[columns, columns], for two colors,
    where columns are in the order of numbers in base 2: three columns have the rank of the differences of two from
    one, and none of less than `least` are chosen. chosen: int64[pegs]. rows: int64, columns that may follow.
    counts: int64[1], columns tried. Returns 1 where they are found, 0 where there are none, and -1 where `most`
    columns were tried, or `stop[0]` set.
    """
    pegs, questions, each = len(chosen), colors.shape[1], indices.shape[1]
    has_pairs = each == 1
    ends, heights = np.zeros(pegs + 1, np.int64), np.zeros(pegs + 1, np.int64)
    # The last column adds no sums; of two colors the last two are looked up as a pair.
    sums = np.zeros(_room(max(pegs - 2 if has_pairs else pegs - 1, given), each), np.int64)
    marks = np.zeros((2 if has_pairs else 1, _room(questions, 1) + 1), np.uint8)
    stack = np.zeros(min(sums.size, marks.size), np.int64)
    candidates, kinds = np.zeros((pegs + 1, len(rows)), np.int64), np.zeros((pegs + 1, len(rows)), np.int64)
    is_done = np.zeros((pegs + 1, len(rows)), np.bool_)
    count, place = np.zeros(pegs + 1, np.int64), np.zeros(pegs + 1, np.int64)
    near = np.zeros((pegs + 1, len(rows), len(rows)) if has_pairs else (pegs + 1, 1, 1), np.bool_)
    degree = np.zeros(len(rows), np.int64)
    cells, parts = np.zeros((pegs + 1, questions), np.int64), np.ones(pegs + 1, np.int64)
    keys, size = np.zeros((len(rows), int(colors.max()) + 1), np.int64), 2
    while size < 2 * len(rows):
        size *= 2
    slots = np.zeros(size, np.int64)
    for depth in range(given):
        if not _is_free(chosen[depth], indices, marks):
            return 0
        _add(depth, packed[chosen[depth]], questions, bits, has_pairs, sums, ends, marks, stack, heights)
        parts[depth + 1] = _refine(cells[depth], colors[chosen[depth]], cells[depth + 1])
    if given == pegs:
        return 1
    count[given] = _kept(rows, 0, chosen[:0], indices, marks, rank, least, candidates[given])
    depth, is_new, tried = given, True, 0
    while stop[0] == 0 and tried < most:
        need, here = pegs - depth, candidates[depth]
        if is_new:
            counts[0] += 1
            tried += 1
            is_new = False
            if has_pairs and need > 1 and count[depth] >= need:
                count[depth] = _paired(here, count[depth], need, indices, marks, rank, least, near[depth], degree)
            if need == 1 and count[depth]:
                chosen[depth] = here[0]
                return 1
            place[depth] = 0
            is_done[depth, : count[depth]] = False
            may_be_alike = parts[depth] < questions and count[depth] >= need
            _sort(here[: count[depth]], colors, cells[depth], keys, slots, kinds[depth], may_be_alike)
        while place[depth] < count[depth] and is_done[depth, place[depth]]:
            place[depth] += 1
        if count[depth] - place[depth] < need or need <= 1:
            if depth == given:
                return 0
            _take_back(depth, marks, stack, heights)
            depth -= 1
            continue
        row, following = here[place[depth]], candidates[depth + 1]
        number = _following(
            here, count[depth], place[depth], is_done[depth], kinds[depth], near[depth], has_pairs, following
        )
        place[depth] += 1
        if number < need - 1:
            continue
        chosen[depth] = row
        if has_pairs and need == 2:
            chosen[depth + 1] = following[0]
            return 1
        _add(depth, packed[row], questions, bits, has_pairs, sums, ends, marks, stack, heights)
        parts[depth + 1] = _refine(cells[depth], colors[row], cells[depth + 1])
        depth += 1
        before = chosen[: depth - 1] if has_pairs else chosen[:0]
        count[depth] = _kept(following[:number], row, before, indices, marks, rank, least, following)
        is_new = True
    return -1


@inner
def _refine(cells: Array, colors: Array, finer: Array) -> int:
    """Write the cell of each question, which no column tells apart, with a column more; returns how many."""
    number = 0
    for one in range(len(cells)):
        finer[one] = number
        for other in range(one):
            if cells[other] == cells[one] and colors[other] == colors[one]:
                finer[one] = finer[other]
                break
        if finer[one] == number:
            number += 1
    return number


@inner
def _sort(
    candidates: Array, colors: Array, cells: Array, keys: Array, slots: Array, kinds: Array, may_be_alike: bool
) -> None:
    """Write the kind of each column: equal where questions of the same cells change places to make one of the other.

    Each is of its own kind where they may not be alike.
    """
    number, width, mask = len(candidates), keys.shape[1], len(slots) - 1
    if not may_be_alike:
        for at in range(number):
            kinds[at] = at
        return
    slots[:] = -1
    for at in range(number):
        # How many questions of each cell have a color, as a number; the colors in the order of these.
        column, key = colors[candidates[at]], keys[at]
        key[:] = 0
        for question in range(len(cells)):
            key[column[question]] += 1 << (4 * cells[question])
        for color in range(1, width):
            value, before = key[color], color - 1
            while before >= 0 and key[before] > value:
                key[before + 1] = key[before]
                before -= 1
            key[before + 1] = value
        mixed = 0
        for value in key:
            mixed = (mixed ^ value) * 0x2545F4914F6CDD1D
            mixed ^= mixed >> 29
        slot = mixed & mask
        kinds[at] = at
        while slots[slot] >= 0:
            other = slots[slot]
            is_same = True
            for color in range(width):
                is_same &= key[color] == keys[other, color]
            if is_same:
                kinds[at] = other
                break
            slot = (slot + 1) & mask
        if kinds[at] == at:
            slots[slot] = at
