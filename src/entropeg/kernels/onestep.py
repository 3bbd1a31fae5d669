"""Kernels that choose a guess by a one-step rule, and that grow a whole strategy tree with such a rule.

Layout: guesses and secrets come as planes, ``uint8[pegs, N]``.

Most guesses are never scored. Guesses are taken by groups, those with the same pegs of each color together; what the
colors alone tell of the parts (`entropeg.kernels._color_bounds`) refutes nearly all groups as a whole, and most guesses
of the others by their number of black pegs in all candidates. On 6x9 a guess in a hundred is left to be scored, in
vectors of 32 candidates (`entropeg.kernels._label_rows`). Groups come by their bounds, the best first; the order
changes no choice, because costs are exact integers and equal guesses are compared by everything that tells them apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._color_bounds import (
    ROUNDING,
    add_blacks,
    build_table,
    count_sums,
    fewest_parts,
    least_largest,
    line_of,
    list_colors,
    list_items,
    set_prices,
    window_of,
)
from entropeg.kernels._guess_lists import (
    gather_groups,
    is_leader,
    is_least_image,
    list_groups,
    list_members,
    list_probes,
    mark_candidates,
    match_pegs,
    mix_key,
    sort_colors,
    stabilizer,
)
from entropeg.kernels._judging import judge
from entropeg.kernels._label_rows import (
    FEW_COLORS,
    count_color,
    count_colors,
    count_parts,
    is_split,
    load,
    set_base,
    set_row,
    tally_row,
)
from entropeg.kernels._search_arrays import (
    CELLS,
    LANES,
    Board,
    Rule,
    Work,
)
from entropeg.kernels.compile import entry_point, inner

__all__ = ["choose", "grow"]

FEW = 64
"""So few candidates are all scored first; and where guesses are listed, so few are scored without any bounds."""

SHORT, LONG = 24, 1 << 16
"""With fewer candidates, with more, or where few guesses are listed, three prices are tried: tables for all would take
longer than the guesses that they refute."""

BEST_FIRST = 8
"""Groups that are taken in the order of their bounds; the others as they come."""

MANY = 1024
"""From so many candidates it pays to look for permutations of the pegs that the history allows."""


@inner
def _try(board: Any, rule: Any, rows: Any, lists: Any, score: Any, n: Any, guess: Any, key: Any) -> None:
    """Judge a guess by the labels in rows.row of the n candidates loaded."""
    tally_row(rows.row, n, score.sizes, score.lanes)
    judge(board, rule, score.best, score.sorts, score.sizes, guess, lists.mark[guess] != 0, key)


@inner
def _count(board: Any, grouped: Any, rows: Any, n: Any, guess: Any) -> None:
    """Count the colors of a guess of any group in the n candidates loaded, where `load` did not."""
    count_colors(board.kind, grouped.colors[grouped.group_of[guess]], rows, n)


@inner
def _label(board: Any, grouped: Any, rows: Any, n: Any, guess: Any) -> None:
    """Set rows.row to the labels of a guess of any group, its colors counted, against the n candidates loaded.

    Counted beforehand and not here: a look at the colors of every guess takes half as long as all the rest.
    """
    set_base(board.kind, grouped.colors[grouped.group_of[guess]], rows, n)
    set_row(board.kind, grouped.codes[grouped.place_of[guess]], rows.peg, rows.base, n, rows.row)


@inner
def _search_group(
    board: Any,
    grouped: Any,
    rule: Any,
    rows: Any,
    lists: Any,
    bounds: Any,
    score: Any,
    kinship: Any,
    n: Any,
    j: Any,
    shift: Any,
    prices: Any,
    discount: Any,
    reducible: Any,
    twins: Any,
    found: Any,
    key: Any,
) -> None:
    """Judge the guesses of the group at place j that its bounds do not refute."""
    best, group, every = score.best, np.int64(lists.group[j]), rule.scope == 0
    if not 1 <= rule.family <= 2:
        for k in range(prices):
            bounds.line[k] = line_of(bounds, k, j, shift)
    # No candidate is left: a guess that costs as much as the best can only be preferred as an earlier one.
    ordered = every and n <= FEW and rule.then < 0 and not rule.shuffle and rule.family != 2
    brief = n <= LANES and board.labels <= 64
    limit, stale, based = np.int64(-1), True, False
    low, high, less, more = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    fewest = 0
    at = np.int64(grouped.starts[group] if every else lists.head[j])
    end = np.int64(grouped.starts[group + 1] if every else 0)
    while at < end if every else at >= 0:
        if stale:
            limit, stale = best[0], False
            low, high = window_of(board.kind, board.pegs, rule, bounds, n, j, float(limit) + discount, prices)
            less, more = window_of(board.kind, board.pegs, rule, bounds, n, j, float(limit) - 1.0, prices)
            if brief:
                fewest = fewest_parts(rule, n, float(limit) + discount)
            if low > high or (ordered and less > more and rule.member and best[2] == 0):
                break
        here = at
        if every:
            at = here + 1
            guess = np.int64(grouped.order[here])
            blacks = bounds.first[grouped.halves[0, here]] + bounds.second[grouped.halves[1, here]]
        else:
            at = np.int64(lists.link[here])
            guess = np.int64(lists.listed[here])
            here = np.int64(grouped.place_of[guess])
            blacks = bounds.first[grouped.halves[0, here]] + bounds.second[grouped.halves[1, here]]
        if blacks < low or blacks > high:
            continue
        if blacks < less or blacks > more:
            if ordered and guess > best[3]:
                if less > more:
                    break
                continue
            member = lists.mark[guess] != 0
            if (
                not ordered
                and rule.then < 0
                and not rule.shuffle
                and rule.family != 2
                and not (member and discount > 0)
            ):
                other = 1 if rule.member and not member else 0
                if other > best[2] or (other == best[2] and guess > best[3]):
                    continue
        if every and not is_leader(board.repeats, kinship, reducible, twins, grouped.codes[here]):
            continue
        if found > 1 and not is_least_image(board, kinship, found, guess):
            continue
        if not based:
            set_base(board.kind, grouped.colors[group], rows, n)  # counted by `_bound_groups`
            based = True
        set_row(board.kind, grouped.codes[here], rows.peg, rows.base, n, rows.row)
        if brief and count_parts(rows.row, n) < fewest:
            continue
        _try(board, rule, rows, lists, score, n, guess, key)
        stale = best[0] < limit


@inner
def _bound_groups(
    board: Any, grouped: Any, rule: Any, rows: Any, lists: Any, bounds: Any, node: Any, groups: Any
) -> Any:
    """lists.bound[j] = least cost of the guesses of the group at place j, as far as their colors alone tell.

    Returns the shift of the tables (see `build_table`).
    """
    n, shift = len(node), np.int64(0)
    while n >> shift > CELLS - 1:
        shift += 1
    items = list_items(grouped.kin, node, rows.kin, rows.items, rows.weight)
    used = bounds.used[: 0 if board.kind % 2 == 1 else list_colors(grouped.colors, lists.group, groups, bounds)]
    for u in range(len(used)):
        count_color(board.kind, rows, n, np.int64(used[u]))
    count_sums(
        bounds.color,
        used,
        groups,
        rows.tally,
        rows.items[:items],
        rows.weight,
        bounds.shared,
        bounds.small,
        bounds.sums,
    )
    if 1 <= rule.family <= 2:
        for j in range(groups):
            lists.bound[j] = least_largest(board.kind, board.pegs, bounds.sums, j)
        return shift
    for v in range(len(bounds.most)):
        top = np.int64(0)
        for j in range(groups):
            top = max(top, np.int64(bounds.sums[v, j]))
        bounds.most[v] = top
    set_prices(rule, n, bounds.steps, bounds.price)
    build_table(board.kind, board.pegs, rule, bounds, n, np.int64(0), shift)
    for j in range(groups):
        lists.bound[j] = line_of(bounds, np.int64(0), j, shift)
    return shift


@inner
def _search_groups(
    board: Any,
    grouped: Any,
    rule: Any,
    node: Any,
    groups: Any,
    shift: Any,
    reducible: Any,
    twins: Any,
    found: Any,
    key: Any,
    rows: Any,
    lists: Any,
    bounds: Any,
    score: Any,
    kinship: Any,
) -> None:
    """Judge the guesses of the groups listed, those of the best bound first."""
    n, best, bound, alive = len(node), score.best, lists.bound, lists.alive
    discount = 0.0
    if rule.family == 0:
        discount = float(max(np.int64(0), rule.table[0, 1] - rule.table[rule.klass[board.win], 1]))
    brief = n < SHORT or n >= LONG or rule.scope != 0
    prices = np.int64(3 if brief else len(bounds.price))
    seeds = n if n <= FEW else 4
    if len(rows.counted) > FEW_COLORS:
        for i in range(seeds):
            if board.guess_of[node[i * n // seeds]] >= 0:
                _count(board, grouped, rows, n, np.int64(board.guess_of[node[i * n // seeds]]))
    for i in range(seeds):
        guess = np.int64(board.guess_of[node[i * n // seeds]])
        if guess >= 0:
            _label(board, grouped, rows, n, guess)
            _try(board, rule, rows, lists, score, n, guess, key)
    count = 0
    limit = float(best[0]) + discount
    slack = ROUNDING * (abs(limit) + 1.0)
    for j in range(groups):
        alive[count] = j
        count += bound[j] <= limit + slack
    if count > 0 and not 1 <= rule.family <= 2:
        for k in range(1, prices):
            build_table(board.kind, board.pegs, rule, bounds, n, k, shift)
    add_blacks(bounds.freq, 0, grouped.heads, bounds.first)
    add_blacks(bounds.freq, grouped.heads.shape[1], grouped.tails, bounds.second)
    tries = 0
    while count > 0:
        at = 0
        if tries < BEST_FIRST:
            for i in range(1, count):
                if bound[alive[i]] < bound[alive[at]]:
                    at = i
        tries += 1
        j = alive[at]
        count -= 1
        alive[at] = alive[count]
        if bound[j] <= float(best[0]) + discount + slack:
            _search_group(
                board,
                grouped,
                rule,
                rows,
                lists,
                bounds,
                score,
                kinship,
                n,
                j,
                shift,
                prices,
                discount,
                reducible,
                twins,
                found,
                key,
            )


@inner
def _list(
    board: Any,
    grouped: Any,
    rule: Any,
    node: Any,
    history: Any,
    key: Any,
    rows: Any,
    lists: Any,
    bounds: Any,
    score: Any,
    kinship: Any,
    share: Any,
    shares: Any,
) -> Any:
    """List the groups whose guesses could be the best, or one of several equal shares of them.

    Returns their number, whether colors stand for one another, whether pegs do, and how many permutations of the pegs,
    with colors, the history allows. Where bounds would take longer, every guess is judged at once and no group is left.
    """
    n = len(node)
    bounds.freq[:] = 0
    for p in range(board.pegs):
        row, tally = rows.peg[p], bounds.freq[p]
        for i in range(n):
            tally[row[i]] += 1
    symmetric = rule.symmetry and board.closed and not rule.shuffle and rule.scope != 2
    reducible = symmetric and sort_colors(board, history, bounds.freq, kinship)
    twins = symmetric and match_pegs(board, history, kinship)
    count, listed = np.int64(board.guesses.shape[1]), rule.scope != 0
    if rule.scope == 1:
        count = list_members(board, grouped, node, lists, kinship, reducible, twins)
    elif rule.scope == 2:
        count = list_probes(board, node, rule, key, lists)
    if board.kind == 3 or (listed and count <= FEW):
        if listed and len(rows.counted) > FEW_COLORS:
            for i in range(share, count, shares):
                _count(board, grouped, rows, n, np.int64(lists.listed[i]))
        for i in range(share, count, shares):
            g = np.int64(lists.listed[i]) if listed else np.int64(i)
            code = grouped.codes[grouped.place_of[g]]
            if listed or is_leader(board.repeats, kinship, reducible, twins, code):
                _label(board, grouped, rows, n, g)
                _try(board, rule, rows, lists, score, n, g, key)
        return np.int64(0), reducible, twins, np.int64(1)
    found = np.int64(1)
    if symmetric and n >= MANY and len(history) <= 3:
        found = np.int64(stabilizer(board, kinship, history, kinship.absent))
    if listed:
        # Shares of a list are not worth the trouble.
        return gather_groups(grouped, lists, count if share == 0 else np.int64(0)), reducible, twins, found
    return (
        list_groups(board, grouped, lists, kinship, reducible, share, shares),
        reducible,
        twins,
        found,
    )


@inner
def _settle(board: Any, grouped: Any, rule: Any, node: Any, rows: Any, score: Any, parts: Any) -> Any:
    """Return the first of the candidates `node`, which are loaded, that splits them completely, where that is best.

    Else -1. Prepares the record of the best guess.
    """
    n = len(node)
    best = score.best
    best[0], best[1], best[2], best[3], best[4] = np.int64(2**62), 0, 2, np.int64(2**62), -1
    if n > 1 and not (rule.split and n <= board.labels):
        return np.int64(-1)
    if n > 2 and len(rows.counted) > FEW_COLORS:
        for i in range(n):
            if board.guess_of[node[i]] >= 0:
                _count(board, grouped, rows, n, np.int64(board.guess_of[node[i]]))
    for i in range(n):
        g = np.int64(board.guess_of[node[i]])
        if g < 0:
            continue
        if n > 2:
            _label(board, grouped, rows, n, g)
        if n <= 2 or is_split(rows.row, n, parts.answered):
            best[0], best[2], best[3], best[4] = np.int64(-(2**62)), 0, g, g
            return g
    return np.int64(-1)


@inner
def _split(board: Any, grouped: Any, node: Any, guess: Any, rows: Any, parts: Any) -> Any:
    """Sort the candidates `node`, which are loaded, by their label for the guess, keeping their order inside a part.

    Returns the size of the largest part. parts.starts is set so that the part with label e is
    node[starts[e]:starts[e + 1]].
    """
    row, starts, ends, spare, n = rows.row, parts.starts, parts.ends, parts.spare, len(node)
    _count(board, grouped, rows, n, guess)
    _label(board, grouped, rows, n, guess)
    starts[:] = 0
    for i in range(n):
        spare[i] = node[i]
        starts[row[i] + 1] += 1
    widest = np.int64(0)
    for e in range(len(ends)):
        widest = max(widest, starts[e + 1])
        starts[e + 1] += starts[e]
        ends[e] = starts[e]
    for i in range(n):
        node[ends[row[i]]] = spare[i]
        ends[row[i]] += 1
    return widest


@entry_point()
def _search(
    board: Any,
    grouped: Any,
    rule: Any,
    rows: Any,
    lists: Any,
    bounds: Any,
    score: Any,
    kinship: Any,
    parts: Any,
    node: Any,
    history: Any,
    key: Any,
    opening: Any,
    limit: Any,
    share: Any,
    shares: Any,
    stack: Any,
    keys: Any,
    path: Any,
    columns: Any,
) -> Any:
    starts = parts.starts
    guess, parent, label, size, first = columns[0], columns[1], columns[2], columns[3], columns[4]
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, len(node), -1, -1, len(history)
    keys[0] = key
    top, nodes = 1, 0
    while top:
        top -= 1
        begin, end, above, by, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        here, here_key, this = node[begin:end], keys[top], nodes
        nodes += 1
        parent[this], label[this], size[this], first[this] = above, by, end - begin, begin
        if above >= 0 and end - begin > limit:
            guess[this] = -1
            continue
        if shares == 0 and end - begin == 1 and board.guess_of[here[0]] >= 0 and (above >= 0 or opening < 0):
            guess[this] = board.guess_of[here[0]]
            continue
        load(board.kind, board.secrets, here, rows)
        if above < 0 and opening >= 0:
            g = np.int64(opening)
        else:
            # Called here alone: what is called deep down, or with other types, is compiled again and again.
            g = _settle(board, grouped, rule, here, rows, score, parts)
            if g < 0:
                mark_candidates(board.guess_of, here, lists.mark, np.uint8(1))
                groups, reducible, twins, found = _list(
                    board,
                    grouped,
                    rule,
                    here,
                    path[:depth],
                    here_key,
                    rows,
                    lists,
                    bounds,
                    score,
                    kinship,
                    share,
                    max(shares, 1),
                )
                if groups > 0:
                    shift = _bound_groups(board, grouped, rule, rows, lists, bounds, here, groups)
                    _search_groups(
                        board,
                        grouped,
                        rule,
                        here,
                        groups,
                        shift,
                        reducible,
                        twins,
                        found,
                        here_key,
                        rows,
                        lists,
                        bounds,
                        score,
                        kinship,
                    )
                mark_candidates(board.guess_of, here, lists.mark, np.uint8(0))
                g = np.int64(score.best[4])
        if shares > 0:
            return g
        widest = _split(board, grouped, here, g, rows, parts)
        if widest == end - begin > 1:
            # A guess that tells nothing would be played for ever; some tables of weights ask for one.
            g = np.int64(board.guess_of[here[0]])
            load(board.kind, board.secrets, here, rows)
            _split(board, grouped, here, g, rows, parts)
        guess[this] = g
        path[depth] = g
        for e in range(board.labels - 1, -1, -1):
            if e != board.win and starts[e + 1] > starts[e]:
                stack[top, 0], stack[top, 1], stack[top, 2] = begin + starts[e], begin + starts[e + 1], this
                stack[top, 3], stack[top, 4] = e, depth + 1
                keys[top] = mix_key(here_key, g, e)
                top += 1
    return nodes


def grow(
    board: Board, rule: Rule, node: Any, history: Any, key: int, work: Work, opening: int = -1, limit: int = 1 << 62
) -> Any:
    """Grow the whole strategy tree for the candidates `node` (int32, reordered) after the guesses `history` (int32).

    Returns int32[5, nodes], one column a node in preorder, children by ascending label: guess, parent (-1 for the
    first), label that leads there, number of candidates, and where in `node` they stand at the end. `opening` is the
    first guess, -1 to choose it. A part of more than `limit` codes is not grown: its guess is -1. Allocates 100 bytes
    a candidate.
    """
    n = len(node)
    # Waiting nodes hold disjoint candidates, so no more than n wait; and no guess that splits nothing is played, so
    # no path is longer.
    stack, keys = np.empty((n + 1, 5), np.int64), np.empty(n + 1, np.uint64)
    path = np.empty(len(history) + n + 1, np.int32)
    path[: len(history)] = history
    columns = np.empty((5, 2 * n), np.int32)
    count = _search(
        *board[:2], rule, *work, node, history, np.uint64(key), opening, limit, 0, 0, stack, keys, path, columns
    )
    return columns[:, :count]


def choose(
    board: Board, rule: Rule, node: Any, history: Any, key: int, work: Work, share: int = 0, shares: int = 1
) -> int:
    """Choose a guess, as a tree does at a node: its index.

    `score.best` and `score.sorts` say how good it is; see `_choose`.
    """
    stack, keys, columns = np.empty((1, 5), np.int64), np.empty(1, np.uint64), np.empty((5, 1), np.int32)
    path = np.ascontiguousarray(history, np.int32)
    return int(
        _search(*board[:2], rule, *work, node, path, np.uint64(key), -1, 0, share, shares, stack, keys, path, columns)
    )
