"""Bounds on the cost of all guesses of a group, by the colors of a guess alone.

All guesses with the same pegs of each color have the same sums ``black + white`` with the candidates: n_v of them have
the sum v, and fall into at most v + 1 parts, by their black pegs b = 0..v. The black pegs of all candidates together,
B, are a sum over the pegs of how many candidates carry the guess's color there: two additions a guess. Let a part cost
f(x), convex. For any bonus r of a black peg,

    cost >= sum over v of [least of sum over b of (f(x_b) - r b x_b) with sum over b of x_b = n_v] + r B.

The least in brackets is found by giving one candidate after another to the part where it costs least (f is convex);
it is tabulated for all n_v at once. A few bonuses give a few lines in B, and so a window of B outside which no guess of
the group can do as well as the best one found so far. With bonus 0 alone most groups are refuted as a whole.

For the largest part the same holds without bonuses: with no part above t, n_v <= t (v + 1), and B lies between the
sums that are reached by filling the parts of few black pegs first, or those of many.

Where f is not convex because its values are rounded, a convex function below it takes its place: `Criterion.slopes`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.onestep.arrays import CELLS, CHUNK, LANES, LARGEST, SORTED, WEIGHTED
from entropeg.kernels.onestep.vectors import add_equal, add_least
from entropeg.sizes import BLACK, STANDARD

ROUNDING = 1e-8
"""Bounds are sums of a term a code, each addition right to 2^-53: to 90 million codes they are right to this."""


@inner
def by_largest(family: Any) -> Any:
    """Say whether a criterion looks at the largest part first, which needs bounds of its own."""
    return family == LARGEST or family == SORTED  # noqa: PLR1714 - a tuple to look in compiles for longer


@inner
def list_items(group_of: Any, codes: Any, sizes: Any, items: Any, weight: Any) -> Any:
    """List one candidate of each group in `items`, as its place in the node, and in `weight` how many there are of it.

    Candidates with the same pegs of each color are a group. Returns the number of groups.
    """
    found = 0
    for i in range(len(codes)):
        g = group_of[codes[i]]
        if sizes[g] == 0:
            items[found] = i
            found += 1
        sizes[g] += 1
    for i in range(found):
        g = group_of[codes[items[i]]]
        weight[i] = sizes[g]
        sizes[g] = 0
    return found


@inner
def _flush(small: Any, sums: Any, lo: Any, width: Any) -> None:
    """Add the small counts to the sums, and set them to zero."""
    for v in range(len(small)):
        few, many = small[v], sums[v, lo : lo + width]
        for j in range(width):
            many[j] += few[j]
        few[:] = 0


@inner
def list_colors(colors: Any, group: Any, groups: Any, bounds: Any) -> Any:
    """List the colors of the groups in bounds.used, and how many pegs each group has of each in bounds.color.

    Returns their number. Few groups are left of boards of many colors, as most colors stand for one another.
    """
    used, row_of, color = bounds.used, bounds.row_of, bounds.color
    count = 0
    for j in range(groups):
        for p in range(colors.shape[1]):
            c = colors[group[j], p]
            if row_of[c] < 0:
                row_of[c], used[count] = count, c
                color[count, :groups] = 0
                count += 1
            color[row_of[c], j] += 1
    for u in range(count):
        row_of[used[u]] = -1
    return count


@inner
def count_sums(bounds: Any, used: Any, groups: Any, count: Any, items: Any, weight: Any) -> None:
    """bounds.sums[v, j] = how many candidates have the sum v with the guesses of group j < groups.

    bounds.color: uint8[*, *], pegs of each color used in the groups; count: uint8[symbols, *], pegs of each color in
    the candidates. Counts of up to 255 are kept in bytes: 0.3 ns a pair of group and item.
    """
    color, shared, small, sums = bounds.color, bounds.shared, bounds.small, bounds.sums
    for lo in range(0, groups, CHUNK):
        width = min(CHUNK, groups - lo)
        sums[:, lo : lo + width] = 0
        small[:] = 0
        room: Any = 255
        for i in range(len(items)):
            shared[:] = 0
            for u in range(len(used)):
                cap = count[used[u], items[i]]
                if cap:
                    row = color[u, lo : lo + CHUNK]
                    for at in range(0, width, LANES):
                        add_least(shared, row, at, cap)
            left: Any = np.int64(weight[i])
            while left > 0:
                if room == 0:
                    _flush(small, sums, lo, width)
                    room = 255
                step = min(left, room)
                for v in range(len(small)):
                    out = small[v]
                    for at in range(0, width, LANES):
                        add_equal(out, out, shared, at, v, step)
                left -= step
                room -= step
        _flush(small, sums, lo, width)


@inner
def _last_part(kind: Any, pegs: Any, v: Any) -> Any:
    """Most black pegs with the sum v."""
    return pegs if kind == BLACK else v


@inner
def _is_part(kind: Any, pegs: Any, v: Any, b: Any) -> Any:
    """Say whether there are feedbacks of b black pegs and sum v: not of all pegs but one black and one white."""
    return not (kind == STANDARD and v == pegs and b == pegs - 1)


@inner
def _weight_of(criterion: Any, kind: Any, pegs: Any, v: Any, b: Any) -> Any:
    if criterion.family != WEIGHTED:
        return 1.0
    return float(criterion.by_label[b if kind == BLACK else pegs * b + v])


@inner
def shift_of(n: Any) -> Any:
    """Tables for n candidates hold the costs of 0, 2^shift, 2 * 2^shift ... of them."""
    shift = np.int64(0)
    while n >> shift > CELLS - 1:
        shift += 1
    return shift


@inner
def build_table(kind: Any, pegs: Any, criterion: Any, bounds: Any, n: Any, k: Any) -> None:
    """Tabulate the least cost of x candidates of one sum at bonus k, for x = 0, 2^shift, 2 * 2^shift ..."""
    slopes, taken = criterion.slopes, bounds.taken
    bonus = bounds.bonus[k]
    unit = float(criterion.table[0, n] // n) if criterion.family == WEIGHTED else 0.0
    shift = shift_of(n)
    mask = (1 << shift) - 1
    for v in range(len(bounds.most)):
        low, rise = bounds.low[k, v], bounds.rise[k, v]
        last = _last_part(kind, pegs, v)
        taken[:] = 0
        value = 0.0
        for x in range(bounds.most[v] + 1):
            at, least = 0, np.inf
            for b in range(last + 1):
                if _is_part(kind, pegs, v, b):
                    more = _weight_of(criterion, kind, pegs, v, b) * (slopes[taken[b]] - unit) - bonus * b
                    if more < least:
                        at, least = b, more
            if x & mask == 0:
                low[x >> shift] = value
                rise[x >> shift] = least
            value += least
            taken[at] += 1


@inner
def set_bonuses(criterion: Any, n: Any, steps: Any, bonus: Any) -> None:
    """Bonuses in units of what doubling a part of the usual size adds to its slope: one bit for entropy."""
    usual = max(1, n // 12)
    slopes = criterion.slopes
    last = len(slopes) - 1
    unit = slopes[min(2 * usual, last)] - slopes[min(usual, last)]
    if unit <= 0.0:
        unit = 0.25 * (slopes[min(1, last)] - slopes[0])
    if criterion.family == WEIGHTED:
        heaviest = np.int64(0)
        for e in range(len(criterion.by_label)):
            heaviest = max(heaviest, criterion.by_label[e])
        unit *= float(heaviest)
    for k in range(len(bonus)):
        bonus[k] = steps[k] * unit


@inner
def line_of(bounds: Any, k: Any, j: Any, shift: Any) -> Any:
    """Bound on cost - bonus * blacks of the guesses of group j at bonus k."""
    total = 0.0
    for v in range(len(bounds.sums)):
        x = bounds.sums[v, j]
        cell = x >> shift
        total += bounds.low[k, v, cell] + (x - (cell << shift)) * bounds.rise[k, v, cell]
    return total


@inner
def least_largest(kind: Any, pegs: Any, sums: Any, j: Any) -> Any:
    """Bound on the largest part of the guesses of group j."""
    top = 0
    for v in range(len(sums)):
        parts = _last_part(kind, pegs, v) + 1
        if not _is_part(kind, pegs, v, pegs - 1):
            parts -= 1
        top = max(top, (np.int64(sums[v, j]) + parts - 1) // parts)
    return float(top)


@inner
def _window_of_largest(kind: Any, pegs: Any, sums: Any, j: Any, limit: Any) -> Any:
    """Least and most black pegs in all with which no part of a guess of group j has more than `limit` candidates."""
    low, high = np.int64(0), np.int64(0)
    for v in range(len(sums)):
        x = np.int64(sums[v, j])
        last = _last_part(kind, pegs, v)
        left = x
        for b in range(last + 1):
            if _is_part(kind, pegs, v, b):
                step = min(left, limit)
                low += step * b
                left -= step
        if left > 0:
            return np.int64(1), np.int64(0)
        left = x
        for b in range(last, -1, -1):
            if _is_part(kind, pegs, v, b):
                step = min(left, limit)
                high += step * b
                left -= step
    return low, high


@inner
def _window(pegs: Any, bounds: Any, bonuses: Any, limit: Any, n: Any) -> Any:
    """Least and most black pegs in all with which no line refutes that a guess costs at most `limit`."""
    most = float(pegs * n)
    low, high = 0.0, most
    for k in range(bonuses):
        line, bonus = bounds.line[k], bounds.bonus[k]
        room = limit - line + ROUNDING * (abs(line) + abs(limit) + abs(bonus) * most + 1.0)
        if bonus > 0.0:
            high = min(high, room / bonus + 1e-6)
        elif bonus < 0.0:
            low = max(low, room / bonus - 1e-6)
        elif room < 0.0:
            high = -1.0
    return np.int64(np.ceil(min(low, most + 1.0))), np.int64(np.floor(max(high, -1.0)))


@inner
def window_of(kind: Any, pegs: Any, rule: Any, bounds: Any, n: Any, j: Any, limit: Any, bonuses: Any) -> Any:
    """Least and most black pegs in all with which a guess of the group at place j may cost `limit` or less."""
    if by_largest(rule.first.family):
        return _window_of_largest(kind, pegs, bounds.sums, j, np.int64(min(limit, float(n))))
    return _window(pegs, bounds, bonuses, limit, n)


@inner
def fewest_parts(criterion: Any, n: Any, limit: Any) -> Any:
    """Least number of parts with which n candidates may cost no more than `limit`: equal parts cost least."""
    slopes = criterion.slopes
    if by_largest(criterion.family):
        return n // max(1, np.int64(limit))
    if criterion.family == WEIGHTED:
        return 0
    cost, at = 0.0, 0
    for parts in range(n, 0, -1):
        # One part less: its candidates go, one by one, where a part has grown least.
        cost, at = 0.0, n // parts
        for k in range(at):
            cost += slopes[k]
        cost = cost * parts + slopes[at] * (n - at * parts)
        if cost > limit + ROUNDING * (abs(limit) + 1.0):
            return parts + 1
    return 1


@inner
def add_blacks(freq: Any, begin: Any, codes: Any, out: Any) -> None:
    """out[i] = sum of freq[begin + p, codes[i, p]] over the pegs p: black pegs in all candidates of half a guess."""
    for i in range(len(codes)):
        total = np.int64(0)
        for p in range(codes.shape[1]):
            total += freq[begin + p, codes[i, p]]
        out[i] = total
