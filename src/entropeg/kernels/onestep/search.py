"""Kernels that choose a guess by a one-step rule, and that grow a whole strategy tree with such a rule.

Layout: guesses and secrets come as planes, ``uint8[pegs, N]``.

Most guesses are never scored. Guesses are taken by groups, those with the same pegs of each color together; what the
colors alone tell of the parts (`color_bounds`) refutes nearly all groups as a whole, and most guesses of the others by
their number of black pegs in all candidates. On 6x9 a guess in a hundred is left to be scored, in vectors of 32
candidates (`label_rows`). Groups come by their bounds, the best first; the order changes no choice, because costs are
exact integers and equal guesses are compared by everything that tells them apart.

The way of a node: `_search` takes it from the stack and loads its candidates, `_choose` finds the guess, `_split` cuts
the candidates into the nodes below.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import entry_point, inner
from entropeg.kernels.onestep import color_bounds, guess_lists, label_rows
from entropeg.kernels.onestep.arrays import (
    ALL,
    CANDIDATES,
    LANES,
    PROBES,
    SUM,
    Alike,
    BoardArrays,
    GrowingTree,
    OpenNode,
    Rule,
    SearchTask,
    Work,
)
from entropeg.kernels.onestep.judging import forget, judge
from entropeg.sizes import POSITIONAL

__all__ = ["choose", "grow"]

FEW = 64
"""So few candidates are all scored first; and where guesses are listed, so few are scored without any bounds."""


@inner
def _try(board: Any, rule: Any, rows: Any, lists: Any, score: Any, node: Any, guess: Any) -> None:
    """Judge a guess by the labels in rows.row of the candidates loaded."""
    label_rows.tally_row(rows.row, len(node.codes), score.sizes, score.lanes)
    judge(rule, board.possible, score, guess, lists.mark[guess] != 0, node.key)


@inner
def _count(board: Any, grouped: Any, rows: Any, n: Any, guess: Any) -> None:
    """Count the colors of a guess of any group in the n candidates loaded, where `load` did not."""
    label_rows.count_colors(board.kind, grouped.colors[grouped.group_of[guess]], rows, n)


@inner
def _label(board: Any, grouped: Any, rows: Any, n: Any, guess: Any) -> None:
    """Set rows.row to the labels of a guess of any group, its colors counted, against the n candidates loaded.

    Counted beforehand and not here: a look at the colors of every guess takes half as long as all the rest.
    """
    if len(board.table) > 0:
        label_rows.look_up(board.table[guess], rows.here, n, rows.row)
        return
    label_rows.set_base(board.kind, grouped.colors[grouped.group_of[guess]], rows, n)
    label_rows.set_row(board.kind, grouped.codes[grouped.place_of[guess]], rows.peg, rows.base, n, rows.row)


@inner
def _discount(board: Any, rule: Any) -> Any:
    """The most by which a guess that may win costs less than its bounds, which know of no winning part."""
    first = rule.first
    if first.family != SUM:
        return 0.0
    return float(max(np.int64(0), first.table[0, 1] - first.table[first.by_label[board.win], 1]))


@inner
def _bonuses(rule: Any, bounds: Any, n: Any) -> Any:
    """How many bonuses of a black peg the bounds are tried with."""
    # Tables for all bonuses would take longer there than the guesses that they refute.
    return np.int64(3 if n < 24 or n >= (1 << 16) or rule.scope != ALL else len(bounds.bonus))


@inner
def _search_group(board: Any, grouped: Any, rule: Any, work: Any, node: Any, alike: Any, j: Any) -> None:
    """Judge the guesses of the group at place j that its bounds do not refute."""
    rows, lists, bounds, score = work.rows, work.lists, work.bounds, work.score
    best, group, every, n = score.best, np.int64(lists.group[j]), rule.scope == ALL, len(node.codes)
    discount, bonuses, shift = _discount(board, rule), _bonuses(rule, bounds, n), color_bounds.shift_of(n)
    if not color_bounds.by_largest(rule.first.family):
        for k in range(bonuses):
            bounds.line[k] = color_bounds.line_of(bounds, k, j, shift)
    # All candidates are judged already: a guess that costs as much as the best can only be preferred as an earlier one.
    ordered = rule.placed and every and n <= FEW
    brief = n <= LANES and board.labels <= 64
    limit, stale, based = np.int64(-1), True, False
    low, high, less, more = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    fewest = 0
    at = np.int64(grouped.starts[group] if every else lists.head[j])
    end = np.int64(grouped.starts[group + 1] if every else 0)
    while at < end if every else at >= 0:
        # 1. Of the black pegs in all candidates: from low to high a guess may cost as little as the best one so far,
        # from less to more it may cost less.
        if stale:
            limit, stale = best[0], False
            low, high = color_bounds.window_of(
                board.kind, board.pegs, rule, bounds, n, j, float(limit) + discount, bonuses
            )
            less, more = color_bounds.window_of(board.kind, board.pegs, rule, bounds, n, j, float(limit) - 1.0, bonuses)
            if brief:
                fewest = color_bounds.fewest_parts(rule.first, n, float(limit) + discount)
            if low > high or (ordered and less > more and rule.member and best[2] == 0):
                break
        here = at
        if every:
            at, guess = here + 1, np.int64(grouped.order[here])
        else:
            at, guess = np.int64(lists.link[here]), np.int64(lists.listed[here])
            here = np.int64(grouped.place_of[guess])
        # 2. It costs more by its black pegs, two additions a guess.
        blacks = bounds.first[grouped.halves[0, here]] + bounds.second[grouped.halves[1, here]]
        if blacks < low or blacks > high:
            continue
        # 3. It costs no less, and a guess that costs the same is preferred to it.
        if blacks < less or blacks > more:
            if ordered and guess > best[3]:
                if less > more:
                    break
                continue
            member = lists.mark[guess] != 0
            if rule.placed and not ordered and not (member and discount > 0):
                other = 1 if rule.member and not member else 0
                if other > best[2] or (other == best[2] and guess > best[3]):
                    continue
        # 4. A guess before it is alike; those that are listed were looked at before.
        if every and not guess_lists.is_leader(board.repeats, work.exchanges, alike, grouped.codes[here]):
            continue
        if alike.images > 1 and not guess_lists.is_least_image(board, work.exchanges, alike.images, guess):
            continue
        # 5. The guesses left are scored; those with too few parts cost more.
        if not based:
            label_rows.set_base(board.kind, grouped.colors[group], rows, n)  # counted by `_bound_groups`
            based = True
        label_rows.set_row(board.kind, grouped.codes[here], rows.peg, rows.base, n, rows.row)
        if brief and label_rows.count_parts(rows.row, n) < fewest:
            continue
        _try(board, rule, rows, lists, score, node, guess)
        stale = best[0] < limit


@inner
def _bound_groups(board: Any, grouped: Any, rule: Any, work: Any, node: Any, groups: Any) -> None:
    """lists.bound[j] = least cost of the guesses of the group at place j, as far as their colors alone tell."""
    rows, lists, bounds, n = work.rows, work.lists, work.bounds, len(node.codes)
    items = color_bounds.list_items(grouped.secret_group_of, node.codes, rows.group_sizes, rows.items, rows.weight)
    colors = (
        color_bounds.list_colors(grouped.colors, lists.group, groups, bounds)
        if label_rows.tells_colors(board.kind)
        else 0
    )
    used = bounds.used[:colors]
    for u in range(len(used)):
        label_rows.count_color(board.kind, rows, n, np.int64(used[u]))
    color_bounds.count_sums(bounds, used, groups, rows.tally, rows.items[:items], rows.weight)
    if color_bounds.by_largest(rule.first.family):
        for j in range(groups):
            lists.bound[j] = color_bounds.least_largest(board.kind, board.pegs, bounds.sums, j)
        return
    for v in range(len(bounds.most)):
        top = np.int64(0)
        for j in range(groups):
            top = max(top, np.int64(bounds.sums[v, j]))
        bounds.most[v] = top
    color_bounds.set_bonuses(rule.first, n, bounds.steps, bounds.bonus)
    color_bounds.build_table(board.kind, board.pegs, rule.first, bounds, n, np.int64(0))
    for j in range(groups):
        lists.bound[j] = color_bounds.line_of(bounds, np.int64(0), j, color_bounds.shift_of(n))


@inner
def _judge_some(board: Any, grouped: Any, rule: Any, work: Any, node: Any) -> None:
    """Judge a few candidates, all of them where they are few: a good guess refutes many others."""
    rows, codes, n = work.rows, node.codes, len(node.codes)
    seeds = n if n <= FEW else 4
    if len(rows.counted) > label_rows.FEW_COLORS:
        for i in range(seeds):
            if board.guess_of[codes[i * n // seeds]] >= 0:
                _count(board, grouped, rows, n, np.int64(board.guess_of[codes[i * n // seeds]]))
    for i in range(seeds):
        guess = np.int64(board.guess_of[codes[i * n // seeds]])
        if guess >= 0:
            _label(board, grouped, rows, n, guess)
            _try(board, rule, rows, work.lists, work.score, node, guess)


@inner
def _search_groups(board: Any, grouped: Any, rule: Any, work: Any, node: Any, alike: Any, groups: Any) -> None:
    """Judge the guesses of the groups listed, those of the best bound first."""
    bounds, best, bound, alive = work.bounds, work.score.best, work.lists.bound, work.lists.alive
    n, discount = len(node.codes), _discount(board, rule)
    count = 0
    limit = float(best[0]) + discount
    slack = color_bounds.ROUNDING * (abs(limit) + 1.0)
    for j in range(groups):
        alive[count] = j
        count += bound[j] <= limit + slack
    if count > 0 and not color_bounds.by_largest(rule.first.family):
        for k in range(1, _bonuses(rule, bounds, n)):
            color_bounds.build_table(board.kind, board.pegs, rule.first, bounds, n, k)
    color_bounds.add_blacks(bounds.freq, 0, grouped.heads, bounds.first)
    color_bounds.add_blacks(bounds.freq, grouped.heads.shape[1], grouped.tails, bounds.second)
    tries = 0
    while count > 0:
        at = 0
        # The first groups are taken in the order of their bounds, the others as they come.
        if tries < 8:
            for i in range(1, count):
                if bound[alive[i]] < bound[alive[at]]:
                    at = i
        tries += 1
        j = alive[at]
        count -= 1
        alive[at] = alive[count]
        if bound[j] <= float(best[0]) + discount + slack:
            _search_group(board, grouped, rule, work, node, alike, j)


@inner
def _find_alike(board: Any, rule: Any, work: Any, node: Any) -> Any:
    """Find which guesses are alike, after counting the candidates by peg and color in bounds.freq."""
    freq, exchanges, history, n = work.bounds.freq, work.exchanges, node.history, len(node.codes)
    freq[:] = 0
    for p in range(board.pegs):
        row, tally = work.rows.peg[p], freq[p]
        for i in range(n):
            tally[row[i]] += 1
    if not (rule.alike and board.closed):
        return Alike(False, False, np.int64(1))
    colors, pegs, images = (
        guess_lists.sort_colors(board, history, freq, exchanges),
        guess_lists.match_pegs(board, history, exchanges),
        np.int64(1),
    )
    # With fewer candidates it does not pay to look for permutations of the pegs that the history allows.
    if n >= 1024 and len(history) <= 3 and board.kind != POSITIONAL:
        images = np.int64(guess_lists.stabilizer(board, exchanges, history))
    return Alike(colors, pegs, images)


@inner
def _judge_each(board: Any, grouped: Any, rule: Any, work: Any, node: Any, alike: Any, count: Any, task: Any) -> None:
    """Judge every guess, or every one of the `count` that are listed, without bounds."""
    rows, lists, n, listed = work.rows, work.lists, len(node.codes), rule.scope != ALL
    step = max(task.shares, 1)
    if len(board.table) > 0:
        _judge_table(board, grouped, rule, work, node, alike, count, task)
        return
    if listed and len(rows.counted) > label_rows.FEW_COLORS:
        for i in range(task.share, count, step):
            _count(board, grouped, rows, n, np.int64(lists.listed[i]))
    for i in range(task.share, count, step):
        guess = np.int64(lists.listed[i]) if listed else np.int64(i)
        code = grouped.codes[grouped.place_of[guess]]
        if board.hard and not guess_lists.is_allowed(work.clues, code):
            continue
        if listed or guess_lists.is_leader(board.repeats, work.exchanges, alike, code):
            _label(board, grouped, rows, n, guess)
            _try(board, rule, rows, lists, work.score, node, guess)


@inner
def _judge_table(board: Any, grouped: Any, rule: Any, work: Any, node: Any, alike: Any, count: Any, task: Any) -> None:
    """The same where labels are looked up: of few candidates guesses with too few parts are not judged."""
    rows, lists, best, n, listed = work.rows, work.lists, work.score.best, len(node.codes), rule.scope != ALL
    few, brief, fewest, limit = n <= FEW, n <= FEW and board.labels <= 64, 0, np.int64(-1)
    if few:
        _judge_some(board, grouped, rule, work, node)
    for i in range(task.share, count, max(task.shares, 1)):
        guess = np.int64(lists.listed[i]) if listed else np.int64(i)
        # Candidates are judged already where they are few: the others cannot win, and have to cost less than one.
        if brief and best[0] != limit:
            limit = best[0]
            less = 1.0 if rule.placed and rule.member and best[2] == 0 else 0.0
            fewest = color_bounds.fewest_parts(rule.first, n, float(limit) - less)
            if fewest > min(n, board.labels):
                break
        if few and lists.mark[guess] != 0:
            continue
        if not listed and (alike.pegs or alike.colors):
            code = grouped.codes[grouped.place_of[guess]]
            if not guess_lists.is_leader(board.repeats, work.exchanges, alike, code):
                continue
        _label(board, grouped, rows, n, guess)
        if brief and label_rows.count_parts(rows.row, n) < fewest:
            continue
        _try(board, rule, rows, lists, work.score, node, guess)


@inner
def _settle(board: Any, grouped: Any, rule: Any, work: Any, node: Any) -> Any:
    """Return the first of the candidates loaded that splits them completely, where that is best; else -1."""
    rows, best, codes, n = work.rows, work.score.best, node.codes, len(node.codes)
    forget(best)
    if n > 1 and not (rule.split and n <= board.labels):
        return np.int64(-1)
    if n > 2 and len(rows.counted) > label_rows.FEW_COLORS:
        for i in range(n):
            if board.guess_of[codes[i]] >= 0:
                _count(board, grouped, rows, n, np.int64(board.guess_of[codes[i]]))
    for i in range(n):
        g = np.int64(board.guess_of[codes[i]])
        if g < 0:
            continue
        if n > 2:
            _label(board, grouped, rows, n, g)
        if n <= 2 or label_rows.is_split(rows.row, n, work.parts.answered):
            best[0], best[2], best[3], best[4] = np.int64(-(2**62)), 0, g, g
            return g
    return np.int64(-1)


@inner
def _choose(board: Any, grouped: Any, rule: Any, work: Any, node: Any, task: Any) -> Any:
    """Return the best guess for a node whose candidates are loaded, or the best of a share of the guesses."""
    lists, exchanges = work.lists, work.exchanges
    # 1. A candidate that splits completely needs no comparison.
    guess = _settle(board, grouped, rule, work, node)
    if guess >= 0:
        return guess
    guess_lists.mark_candidates(board.guess_of, node.codes, lists.mark, np.uint8(1))
    # 2. Of guesses that are alike the first is enough.
    alike = _find_alike(board, rule, work, node)
    # 3. Guesses are listed where they are not all. What hard rules allow is closed under these exchanges: a color of
    # which something is known was played, and is in every candidate.
    if board.hard:
        guess_lists.find_clues(board, grouped, node.history, work.rows.peg, work.clues)
    count = np.int64(board.guesses.shape[1])
    if rule.scope == CANDIDATES:
        count = guess_lists.list_members(board, grouped, node, lists, exchanges, alike)
    elif rule.scope == PROBES:
        count = guess_lists.list_probes(board, grouped, node, rule, lists, work.clues)
    if board.kind == POSITIONAL or len(board.table) > 0 or (rule.scope != ALL and count <= FEW):
        # 4. Where bounds would take longer, or feedback tells too much for them, every guess is judged.
        _judge_each(board, grouped, rule, work, node, alike, count, task)
    else:
        # 5. Else by groups. Shares of a list are not worth the trouble: the first share has it all.
        if rule.scope != ALL:
            groups = guess_lists.gather_groups(grouped, lists, count if task.share == 0 else np.int64(0))
        else:
            groups = guess_lists.list_groups(board, grouped, lists, exchanges, alike, task)
        if groups > 0:
            _bound_groups(board, grouped, rule, work, node, groups)
            _judge_some(board, grouped, rule, work, node)
            _search_groups(board, grouped, rule, work, node, alike, groups)
    guess_lists.mark_candidates(board.guess_of, node.codes, lists.mark, np.uint8(0))
    return np.int64(work.score.best[4])


@inner
def _split(board: Any, grouped: Any, codes: Any, guess: Any, rows: Any, parts: Any) -> Any:
    """Sort candidates, which are loaded, by their label for the guess, keeping their order inside a part.

    Returns the size of the largest part. parts.starts is set so that the part with label e is
    codes[starts[e]:starts[e + 1]].
    """
    row, starts, ends, spare, n = rows.row, parts.starts, parts.ends, parts.spare, len(codes)
    _count(board, grouped, rows, n, guess)
    _label(board, grouped, rows, n, guess)
    starts[:] = 0
    for i in range(n):
        spare[i] = codes[i]
        starts[row[i] + 1] += 1
    widest = np.int64(0)
    for e in range(len(ends)):
        widest = max(widest, starts[e + 1])
        starts[e + 1] += starts[e]
        ends[e] = starts[e]
    for i in range(n):
        codes[ends[row[i]]] = spare[i]
        ends[row[i]] += 1
    return widest


@entry_point()
def _search(board: Any, grouped: Any, rule: Any, work: Any, node: Any, tree: Any, task: Any) -> Any:
    """Grow a tree, depth first: returns the number of its nodes. Or choose one guess, and return it."""
    stack, keys, path, starts = tree.stack, tree.keys, tree.path, work.parts.starts
    guess, parent, label, size, first = (
        tree.columns[0],
        tree.columns[1],
        tree.columns[2],
        tree.columns[3],
        tree.columns[4],
    )
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, len(node.codes), -1, -1, len(node.history)
    keys[0] = node.key
    top, nodes = 1, 0
    while top:
        # 1. The next node that waits.
        top -= 1
        begin, end, above, by, depth = stack[top, 0], stack[top, 1], stack[top, 2], stack[top, 3], stack[top, 4]
        here, this = OpenNode(node.codes[begin:end], path[:depth], keys[top]), nodes
        nodes += 1
        parent[this], label[this], size[this], first[this] = above, by, end - begin, begin
        if above >= 0 and end - begin > task.limit:
            guess[this] = -1
            continue
        # 2. The last candidate is played.
        last = np.int64(board.guess_of[here.codes[0]] if end - begin == 1 else -1)
        if task.shares == 0 and last >= 0 and (above >= 0 or task.opening < 0):
            guess[this] = last
            continue
        # 3. Its guess.
        label_rows.load(board.kind, board.secrets, here.codes, work.rows)
        if above < 0 and task.opening >= 0:
            g = np.int64(task.opening)
        else:
            g = _choose(board, grouped, rule, work, here, task)
        if task.shares > 0:
            return g
        # 4. Its parts wait, the first on top.
        widest = _split(board, grouped, here.codes, g, work.rows, work.parts)
        if widest == end - begin > 1:
            # A guess that tells nothing would be played for ever; some tables of weights ask for one.
            g = np.int64(board.guess_of[here.codes[0]])
            label_rows.load(board.kind, board.secrets, here.codes, work.rows)
            _split(board, grouped, here.codes, g, work.rows, work.parts)
        guess[this] = g
        path[depth] = g
        for e in range(board.labels - 1, -1, -1):
            if e != board.win and starts[e + 1] > starts[e]:
                stack[top, 0], stack[top, 1], stack[top, 2] = begin + starts[e], begin + starts[e + 1], this
                stack[top, 3], stack[top, 4] = e, depth + 1
                keys[top] = guess_lists.mix_key(here.key, g, e)
                top += 1
    return nodes


def grow(board: BoardArrays, rule: Rule, node: OpenNode, work: Work, opening: int = -1, limit: int = 1 << 62) -> Any:
    """Grow the whole strategy tree for a node, whose candidates are reordered.

    Returns int32[5, nodes], one column a node in preorder, children by ascending label: guess, parent (-1 for the
    first), label that leads there, number of candidates, and where in `node.codes` they stand at the end. `opening` is
    the first guess, -1 to choose it. A part of more than `limit` codes is not grown: its guess is -1. Allocates 100
    bytes a candidate.
    """
    n, turns = len(node.codes), len(node.history)
    # Waiting nodes hold disjoint candidates, so no more than n wait; and no guess that splits nothing is played, so
    # no path is longer.
    tree = GrowingTree(
        np.empty((n + 1, 5), np.int64),
        np.empty(n + 1, np.uint64),
        np.empty(turns + n + 1, np.int32),
        np.empty((5, 2 * n), np.int32),
    )
    tree.path[:turns] = node.history
    start, task = node._replace(key=np.uint64(node.key)), SearchTask(opening, limit, 0, 0)
    count = _search(*board[:2], rule, work, start, tree, task)
    return tree.columns[:, :count]


def choose(board: BoardArrays, rule: Rule, node: OpenNode, work: Work, share: int = 0, shares: int = 1) -> int:
    """Choose a guess for a node, as a tree does, or the best of a share of the guesses: its index.

    `score.best` and `score.sorts` say how good it is; see `judge`.
    """
    tree = GrowingTree(np.empty((1, 5), np.int64), np.empty(1, np.uint64), node.history, np.empty((5, 1), np.int32))
    start, task = node._replace(key=np.uint64(node.key)), SearchTask(-1, 0, share, shares)
    return int(_search(*board[:2], rule, work, start, tree, task))
