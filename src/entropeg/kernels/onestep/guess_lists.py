"""Kernels that list the guesses a one-step search looks at: of guesses that a symmetry exchanges, the first alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.sizes import POSITIONAL

_mixed = inner(mixed)


@inner
def mix(x: Any) -> Any:
    """Return the number of SplitMix64 after a state: every bit of the one has a part in every bit of the other."""
    return _mixed(np.uint64(x) + GAMMA)


@inner
def mix_key(key: Any, guess: Any, label: Any) -> Any:
    """Key of the node after one more turn, as `next_key` computes it outside kernels."""
    return mix(key ^ (np.uint64(guess) << np.uint64(12)) ^ np.uint64(label))


@inner
def stabilizer(board: Any, exchanges: Any, history: Any) -> Any:
    """Collect peg permutations that, with a permutation of the colors, map every guess of the history to itself.

    Colors that no candidate contains count as one color: scoring a candidate cannot tell them apart, so the
    candidates are those of the history in which they are replaced. Returns the number found; the first is the
    identity.
    """
    pegs, taken, absent = board.pegs, exchanges.image, exchanges.absent
    found = 0
    for i in range(len(board.perms)):
        perm, recolor = board.perms[i], exchanges.recolor[found]
        recolor[:] = -1
        taken[:] = 0
        good = True
        for t in range(len(history)):
            for p in range(pegs):
                a, b = board.guesses[p, history[t]], board.guesses[perm[p], history[t]]
                if absent[a] or absent[b]:
                    good = absent[a] and absent[b]
                elif recolor[a] < 0:
                    good = taken[b] == 0 and (a == board.colors) == (b == board.colors)
                    recolor[a] = b
                    taken[b] = 1
                else:
                    good = recolor[a] == b
                if not good:
                    break
            if not good:
                break
        if good:
            exchanges.stable[found] = i
            found += 1
    return found


@inner
def is_least_image(board: Any, exchanges: Any, found: Any, guess: Any) -> Any:
    """Say whether no image of the guess under the stabilizer comes before it. status[c]: 1 unused, 2 absent, 0 neither.

    by_status[k] lists the colors of status k in order; they are relabelled by first occurrence.
    """
    pegs = board.pegs
    image, status, by_status = exchanges.image, exchanges.status, exchanges.by_status
    for i in range(1, found):
        perm, recolor = board.perms[exchanges.stable[i]], exchanges.recolor[i]
        fresh1, fresh2 = 0, 0
        image[:] = -1
        for q in range(pegs):
            p = 0
            while perm[p] != q:
                p += 1
            c = board.guesses[p, guess]
            if status[c] == 0:
                d = recolor[c] if recolor[c] >= 0 else c
            else:
                if image[c] < 0:
                    if status[c] == 1:
                        image[c] = by_status[1, fresh1]
                        fresh1 += 1
                    else:
                        image[c] = by_status[2, fresh2]
                        fresh2 += 1
                d = image[c]
            if d != board.guesses[q, guess]:
                if d < board.guesses[q, guess]:
                    return False
                break
    return True


@inner
def sort_colors(board: Any, history: Any, freq: Any, exchanges: Any) -> Any:
    """Find the colors that stand for one another.

    exchanges.status[c] is 1 for a color that no guess used and a candidate has, 2 for one that no candidate has, else
    0; exchanges.by_status[k] lists those of status k in order, and exchanges.rank says where in it a color stands.
    Returns whether 1 or 2 has more than one.
    """
    status, by_status, absent = exchanges.status, exchanges.by_status, exchanges.absent
    for c in range(board.symbols):
        absent[c] = True
        for p in range(board.pegs):
            if freq[p, c] > 0:
                absent[c] = False
        status[c] = c < board.colors
    for t in range(len(history)):
        for p in range(board.pegs):
            status[board.guesses[p, history[t]]] = 0
    by_status[0, 1], by_status[0, 2] = 0, 0
    for c in range(board.symbols):
        if absent[c] and (c < board.colors or board.repeats):
            status[c] = 2
        k = status[c]
        if k:
            exchanges.rank[c] = by_status[0, k]
            by_status[k, by_status[0, k]] = c
            by_status[0, k] += 1
    return max(by_status[0, 1], by_status[0, 2]) > 1


@inner
def _is_first(repeats: Any, exchanges: Any, code: Any) -> Any:
    """Say whether no exchange of colors that stand for one another makes an earlier guess of this code.

    They occur in order, then; and of the absent ones one is enough where a guess may repeat it.
    """
    used1, used2 = 0, 0
    for p in range(len(code)):
        c = code[p]
        k, r = exchanges.status[c], exchanges.rank[c]
        if k == 1:
            if r > used1:
                return False
            used1 += r == used1
        elif k == 2:
            if r > (0 if repeats else used2):
                return False
            used2 += r == used2
    return True


@inner
def match_pegs(board: Any, history: Any, exchanges: Any) -> Any:
    """Find the pegs that stand for one another: those on which every guess of the history has the same color.

    Colors that no candidate contains count as one (see `stabilizer`). exchanges.partner[p] is the peg before p that p
    may change places with, -1 if there is none. Returns whether any has one. Where feedback is a mark a peg, the marks
    tell pegs apart, and they may be exchanged before the first guess only.
    """
    partner, absent, any_partner = exchanges.partner, exchanges.absent, False
    for p in range(board.pegs):
        partner[p] = -1
        if board.kind == POSITIONAL and len(history) > 0:
            continue
        for q in range(p - 1, -1, -1):
            same = True
            for t in range(len(history)):
                a, b = board.guesses[p, history[t]], board.guesses[q, history[t]]
                same = same and (a == b or (absent[a] and absent[b]))
            if same:
                partner[p], any_partner = q, True
                break
    return any_partner


@inner
def _is_sorted(exchanges: Any, code: Any) -> Any:
    """Say whether no exchange of pegs that stand for one another makes an earlier guess of this code."""
    for p in range(len(code)):
        q = exchanges.partner[p]
        if q >= 0 and code[p] < code[q]:
            return False
    return True


@inner
def is_leader(repeats: Any, exchanges: Any, alike: Any, code: Any) -> Any:
    """Say whether no exchange of colors, nor one of pegs, makes an earlier guess of this code.

    The first of all guesses that are alike passes both, so that one always remains of them.
    """
    return (not alike.pegs or _is_sorted(exchanges, code)) and (not alike.colors or _is_first(repeats, exchanges, code))


@inner
def _mask(exchanges: Any, k: Any) -> Any:
    """Return the colors of status k, which are less than 64, as a bit each."""
    mask = np.uint64(0)
    for i in range(exchanges.by_status[0, k]):
        mask |= np.uint64(1) << np.uint64(exchanges.by_status[k, i])
    return mask


@inner
def _is_prefix(mask: Any, colors: Any) -> Any:
    """Say whether the bits that `mask` has of `colors` are its lowest ones."""
    missing = colors & ~mask
    return colors & mask <= (missing - np.uint64(1)) & ~missing


@inner
def list_groups(board: Any, grouped: Any, lists: Any, exchanges: Any, alike: Any, task: Any) -> Any:
    """List one of several shares of the groups in lists.group, without those that symmetry leaves out.

    A group is left out with its first guess, which has its colors in order. Returns their number.
    """
    group, masks, few = lists.group, grouped.masks, len(grouped.masks) > 0
    fresh, absent, spare = np.uint64(0), np.uint64(0), np.uint64(0)
    if alike.colors and few:
        fresh, absent = _mask(exchanges, 1), _mask(exchanges, 2)
        if board.repeats:
            spare, absent = absent & (absent - np.uint64(1)), np.uint64(0)
    count = 0
    for g in range(task.share, len(grouped.colors), max(task.shares, 1)):
        group[count] = g
        if not alike.colors:
            count += 1
        elif few:
            mask = masks[g]
            count += _is_prefix(mask, fresh) & _is_prefix(mask, absent) & (mask & spare == np.uint64(0))
        else:
            count += _is_first(board.repeats, exchanges, grouped.colors[g])
    return count


@inner
def list_members(board: Any, grouped: Any, node: Any, lists: Any, exchanges: Any, alike: Any) -> Any:
    """List the candidates that symmetry leaves in lists.listed; returns their number."""
    count = 0
    for i in range(len(node.codes)):
        g = np.int64(board.guess_of[node.codes[i]])
        if g < 0:
            continue
        if is_leader(board.repeats, exchanges, alike, grouped.codes[grouped.place_of[g]]):
            lists.listed[count] = g
            count += 1
    return count


@inner
def _sort_up(listed: Any, count: Any) -> None:
    """Sort by insertion, in place: all but the probes at the end are in order."""
    for i in range(1, count):
        g, j = listed[i], i
        while j > 0 and listed[j - 1] > g:
            listed[j] = listed[j - 1]
            j -= 1
        listed[j] = g


@inner
def find_clues(board: Any, grouped: Any, history: Any, peg: Any, clues: Any) -> None:
    """Set the clues of a guess where every guess of the history got the answer that the first candidate loaded gives.

    A peg in place keeps its color; of each color a guess has as many pegs as were marked in one answer. The slow twin
    is `entropeg.candidates.clues`.
    """
    pegs, count = board.pegs, 0
    clues.place[:] = -1
    clues.least[:] = 0
    for t in range(len(history)):
        code = grouped.codes[grouped.place_of[history[t]]]
        for p in range(pegs):
            if peg[p, 0] == code[p]:
                clues.place[p] = code[p]
            # Of one color as many pegs are marked as both codes have: counted at the first of them.
            mine, other = 0, 0
            for q in range(pegs):
                if code[q] == code[p]:
                    mine += 1 if q >= p else pegs + 1
                other += peg[q, 0] == code[p]
            marked = min(mine, other)
            if mine > pegs or marked == 0:
                continue
            at = 0
            while at < count and clues.color[at] != code[p]:
                at += 1
            clues.color[at] = code[p]
            clues.least[at] = max(clues.least[at], marked)
            count = max(count, at + 1)


@inner
def is_allowed(clues: Any, code: Any) -> Any:
    """Say whether a guess has what `find_clues` found."""
    for p in range(len(code)):
        if clues.place[p] >= 0 and code[p] != clues.place[p]:
            return False
    for i in range(len(code)):
        wanted = clues.least[i]
        if wanted == 0:
            break
        for p in range(len(code)):
            wanted -= code[p] == clues.color[i]
        if wanted > 0:
            return False
    return True


@inner
def list_probes(board: Any, grouped: Any, node: Any, rule: Any, lists: Any, clues: Any) -> Any:
    """List the candidates and `rule.probes` codes drawn by a hash of the node, in order, each once.

    Under hard rules codes that do not use every clue are drawn in vain. Returns their number.
    """
    m = board.guesses.shape[1]
    count = 0
    for i in range(len(node.codes)):
        if board.guess_of[node.codes[i]] >= 0:
            lists.listed[count] = board.guess_of[node.codes[i]]
            count += 1
    members = count
    for k in range(8 * rule.probes):
        if count - members == min(rule.probes, m - members):
            break
        g = np.int32(mix(node.key + np.uint64(k)) % np.uint64(m))
        if not lists.mark[g] and (not board.hard or is_allowed(clues, grouped.codes[grouped.place_of[g]])):
            lists.mark[g] = 2
            lists.listed[count] = g
            count += 1
    for i in range(members, count):
        lists.mark[lists.listed[i]] = 0
    _sort_up(lists.listed, count)
    return count


@inner
def gather_groups(grouped: Any, lists: Any, count: Any) -> Any:
    """Sort the guesses listed into groups, linked by lists.head and lists.link; returns the number of groups."""
    groups = 0
    for i in range(count):
        g = grouped.group_of[lists.listed[i]]
        j = lists.place[g]
        if j < 0:
            j = groups
            lists.place[g], lists.group[j], lists.head[j] = j, g, -1
            groups += 1
        lists.link[i] = lists.head[j]
        lists.head[j] = i
    for j in range(groups):
        lists.place[lists.group[j]] = -1
    return groups


@inner
def mark_candidates(guess_of: Any, node: Any, mark: Any, value: Any) -> None:
    """Set the marks of all guesses that are candidates of the node."""
    for i in range(len(node)):
        if guess_of[node[i]] >= 0:
            mark[guess_of[node[i]]] = value
