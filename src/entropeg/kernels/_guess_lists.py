"""Which guesses a search has to look at: those that no symmetry of the position maps to an earlier one."""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels._plane_kernels import BLOCK
from entropeg.kernels._words import inner


@inner
def _hash(x: Any) -> Any:
    """Finalizer of splitmix64: a permutation of the 64-bit numbers that mixes every bit."""
    x = np.uint64(x) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@inner
def pair_label(kind: Any, pegs: Any, guesses: Any, g: Any, secrets: Any, s: Any) -> Any:
    """Label of one guess against one secret, given as columns of two arrays of planes."""
    black = 0
    if kind == 3:
        label = 0
        for p in range(pegs):
            c = guesses[p, g]
            digit = 0
            if secrets[p, s] == c:
                digit = 2
            else:
                spare = 0
                for q in range(pegs):
                    if secrets[q, s] == c and guesses[q, g] != c:
                        spare += 1
                    if q < p and guesses[q, g] == c and secrets[q, s] != c:
                        spare -= 1
                if spare > 0:
                    digit = 1
            label = 3 * label + digit
        return label
    common = 0
    if kind == 0:
        used = np.uint64(0)
        for p in range(pegs):
            black += guesses[p, g] == secrets[p, s]
            for q in range(pegs):
                if not (used >> np.uint64(q)) & np.uint64(1) and guesses[q, g] == secrets[p, s]:
                    used |= np.uint64(1) << np.uint64(q)
                    common += 1
                    break
        return pegs * black + common
    for p in range(pegs):
        c = guesses[p, g]
        black += secrets[p, s] == c
        if kind == 2:
            for q in range(pegs):
                if secrets[q, s] == c:
                    common += 1
                    break
    if kind == 1:
        return black
    return pegs * black + common


@inner
def _splits(board: Any, node: Any, guess: Any, seen: Any) -> Any:
    """Say whether the guess gives every candidate a feedback of its own.

    `seen` is zero bytes by label, before and after.
    """
    count = 0
    alone = True
    for i in range(len(node)):
        label = pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])
        if seen[label]:
            alone = False
            break
        seen[label] = 1
        count += 1
    for i in range(count):
        seen[pair_label(board.kind, board.pegs, board.guesses, guess, board.secrets, node[i])] = 0
    return alone


@inner
def _stabilizer(board: Any, work: Any, history: Any, absent: Any) -> Any:
    """Collect peg permutations that, with a permutation of the colors, map every guess of the history to itself.

    Colors that no candidate contains count as one color: scoring a candidate cannot tell them apart, so the
    candidates are those of the history in which they are replaced. Returns the number found; the first is the
    identity.
    """
    pegs, none = board.pegs, np.uint8(255)
    found = 0
    for i in range(len(board.perms)):
        perm, recolor = board.perms[i], work.recolor[found]
        recolor[:] = none
        taken = np.uint64(0)
        good = True
        for t in range(len(history)):
            for p in range(pegs):
                a, b = board.guesses[p, history[t]], board.guesses[perm[p], history[t]]
                if absent[a] or absent[b]:
                    good = absent[a] and absent[b]
                elif recolor[a] == none:
                    good = not (taken >> np.uint64(b)) & np.uint64(1) and (a == board.colors) == (b == board.colors)
                    recolor[a] = b
                    taken |= np.uint64(1) << np.uint64(b)
                else:
                    good = recolor[a] == b
                if not good:
                    break
            if not good:
                break
        if good:
            work.group[found] = i
            found += 1
    return found


@inner
def _least_image(board: Any, work: Any, found: Any, guess: Any, chains: Any, chain: Any) -> Any:
    """Say whether no image of the guess under the stabilizer comes before it. chain[c]: 1 unused, 2 absent, 0 neither.

    chains[k] lists the colors of kind k in order; they are relabelled by first occurrence.
    """
    pegs = board.pegs
    image = work.image
    for i in range(1, found):
        perm, recolor = board.perms[work.group[i]], work.recolor[i]
        fresh1, fresh2 = 0, 0
        image[:] = 255
        for q in range(pegs):
            p = 0
            while perm[p] != q:
                p += 1
            c = board.guesses[p, guess]
            if chain[c] == 0:
                d = recolor[c] if recolor[c] != 255 else c
            else:
                if image[c] == 255:
                    if chain[c] == 1:
                        image[c] = chains[1, fresh1]
                        fresh1 += 1
                    else:
                        image[c] = chains[2, fresh2]
                        fresh2 += 1
                d = image[c]
            if d != board.guesses[q, guess]:
                if d < board.guesses[q, guess]:
                    return False
                break
    return True


@inner
def _color_classes(board: Any, node: Any, history: Any, chain: Any, chains: Any, absent: Any) -> Any:
    """Sort the symbols: chain[c] is 1 for a color that no guess used and a candidate contains.

    2 for one that none contains, else 0.

    Returns how many guesses are interchangeable at best: the product of the factorials would be more exact, the sizes
    are enough.
    """
    absent[:] = True
    for p in range(board.pegs):
        for i in range(len(node)):
            absent[board.secrets[p, node[i]]] = False
    chain[:] = 0
    for c in range(board.colors):
        chain[c] = 1
    for t in range(len(history)):
        for p in range(board.pegs):
            chain[board.guesses[p, history[t]]] = 0
    sizes1, sizes2 = 0, 0
    for c in range(board.symbols):
        if absent[c] and (c < board.colors or board.repeats):
            chain[c] = 2
        if chain[c] == 1:
            chains[1, sizes1] = c
            sizes1 += 1
        elif chain[c] == 2:
            chains[2, sizes2] = c
            sizes2 += 1
    chains[0, 1], chains[0, 2] = sizes1, sizes2
    return max(sizes1, sizes2) > 1


@inner
def _allow(board: Any, chains: Any, lo: Any, width: Any, allowed: Any) -> None:
    """allowed[j] = 1 for a guess that is the first of those that permuting interchangeable colors makes of it."""
    allowed[:width] = 1
    for k in range(1, 3):
        size = np.int64(chains[0, k])
        for i in range(1, size):
            if k == 2 and board.repeats:
                row = board.counts[chains[2, i], lo : lo + width]
                for j in range(width):
                    allowed[j] &= np.uint8(row[j] == 0)
            else:
                a, b = board.first[chains[k, i - 1], lo : lo + width], board.first[chains[k, i], lo : lo + width]
                for j in range(width):
                    allowed[j] &= np.uint8(a[j] <= b[j])


@inner
def _list_all(board: Any, chains: Any, work: Any) -> Any:
    """List in work.listed the guesses that `_allow` lets pass; returns their number."""
    count = 0
    m = board.guesses.shape[1]
    for lo in range(0, m, BLOCK):
        width = min(BLOCK, m - lo)
        _allow(board, chains, lo, width, work.allowed)
        for j in range(width):
            work.listed[count] = lo + j
            count += work.allowed[j]
    return count


@inner
def _list_members(board: Any, node: Any, chains: Any, work: Any) -> Any:
    """List the candidates that are first among those made of them by permuting unused colors; returns their number."""
    count = 0
    size = np.int64(chains[0, 1])
    for i in range(len(node)):
        g = board.guess_of[node[i]]
        if g < 0:
            continue
        good = True
        for k in range(1, size):
            if board.first[chains[1, k - 1], g] > board.first[chains[1, k], g]:
                good = False
        work.listed[count] = g
        count += good
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
def _list_probes(board: Any, node: Any, rule: Any, key: Any, work: Any) -> Any:
    """List the candidates and `rule.probes` codes drawn by a hash of the node, in order, each once.

    Returns their number.
    """
    m = board.guesses.shape[1]
    count = 0
    for i in range(len(node)):
        if board.guess_of[node[i]] >= 0:
            work.listed[count] = board.guess_of[node[i]]
            count += 1
    members = count
    for k in range(8 * rule.probes):
        if count - members == min(rule.probes, m - members):
            break
        g = np.int32(_hash(key + np.uint64(k)) % np.uint64(m))
        if not work.mark[g]:
            work.mark[g] = 2
            work.listed[count] = g
            count += 1
    for i in range(members, count):
        work.mark[work.listed[i]] = 0
    _sort_up(work.listed, count)
    return count


@inner
def _kept(board: Any, chains: Any) -> Any:
    """Estimate the share of all guesses that `_allow` lets pass, from how many colors are interchangeable."""
    share = 1.0
    unused, absent = chains[0, 1], chains[0, 2]
    if absent > 1:
        share *= ((board.symbols - absent + 1) / board.symbols) ** board.pegs
    if unused > 1:
        none = ((board.symbols - unused) / board.symbols) ** board.pegs
        share *= none + (1.0 - none) / unused
    return share


@inner
def _list_guesses(board: Any, rule: Any, node: Any, history: Any, key: Any, work: Any) -> Any:
    """List the guesses to score in work.listed, in order; returns their number.

    Returns -1 for all of them, unlisted, and -2 for those that `_allow` lets pass, to be listed block by block.
    Left out are guesses that a symmetry of the position maps to an earlier one: they split the candidates into parts
    of the same sizes and are candidates just when it is one, so with ties decided by order they are never chosen.
    """
    n, m = len(node), board.guesses.shape[1]
    chain, absent, chains = work.chain, work.absent, work.chains
    if rule.scope == 2:
        return _list_probes(board, node, rule, key, work)
    chains[0, 1], chains[0, 2] = 0, 0
    symmetric = rule.symmetry and board.closed and not rule.shuffle
    reducible = symmetric and _color_classes(board, node, history, chain, chains, absent)
    count = np.int64(-1)
    if rule.scope == 1:
        count = _list_members(board, node, chains, work)
    elif reducible and _kept(board, chains) * (9.0 + 0.25 * n) < 4.0 + 0.25 * n:
        count = np.int64(-2)
    turns = len(history)
    if not symmetric or turns > 3 or (board.kind == 3 and turns > 0):
        return count
    if len(board.perms) * (turns + 1) * board.pegs * 32 > n * (m if count < 0 else count):
        return count
    found = _stabilizer(board, work, history, absent)
    if found < 2:
        return count
    if rule.scope == 0:
        count = _list_all(board, chains, work)
    kept = 0
    for i in range(count):
        g = work.listed[i]
        if _least_image(board, work, found, g, chains, chain):
            work.listed[kept] = g
            kept += 1
    return kept
