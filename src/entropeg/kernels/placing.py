"""Compiled search for the guess whose marks by place tell most, pegs by themselves or codes listed. Nothing is checked.

Of one color, a guess is told which of its pegs are right, and how many pegs the secret has, up to as many as the guess.
Pegs have the color independently, by `odds`, given that their number is from `least` to `most`: so the law of the
others is that of a sum, cut off, and the bits that the marks of a color tell follow exactly. The value of a guess is
their sum over the colors.

A guess on a list of codes is worth what its parts are: the marks of a code are a word, the exclusive or of random words
for each peg in place and for the pegs marked of each color; a change of a peg changes few of these.
"""

from __future__ import annotations

from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import xorshift

GAIN = 1e-9
"""Bits that are no gain: guesses that are worth the same must not be told apart by the last digits."""

NONE = 1e-12
"""Odds that count as none, and as certain where they lack so much of it."""

_next = inner(xorshift)


class ColorLaws(NamedTuple):
    """The law of each color. odds: float64[n, m], least, most: int64[m]: see the module.

    alone: float64[n, m], the bits that a peg tells of a color if no other asks it. order: int64[n, m], for each peg the
    colors by them, the best first.
    """

    odds: NDArray[np.float64]
    least: NDArray[np.int64]
    most: NDArray[np.int64]
    alone: NDArray[np.float64]
    order: NDArray[np.int64]


class GuessLimits(NamedTuple):
    """The guesses that are allowed. held: bool[n], pegs that keep their color.

    fewest, room: int64[m], from how many to how many pegs a guess may have of a color. swaps: bool[1], whether pegs
    change places too.
    """

    held: NDArray[np.bool_]
    fewest: NDArray[np.int64]
    room: NDArray[np.int64]
    swaps: NDArray[np.bool_]


class PegsByColor(NamedTuple):
    """A guess by colors. code: int64[n]. pegs: int64[m, n], those of each color, number[c] of them: int64[m].

    bits: float64[m], what each color tells.
    """

    code: NDArray[np.int64]
    pegs: NDArray[np.int64]
    number: NDArray[np.int64]
    bits: NDArray[np.float64]


class PlacingScratch(NamedTuple):
    """Room to work in. right, fits: float64[n + 1]. rest: float64[K + 1], K the most pegs of a color that count.

    asked: bool[n], all False. trial, order: int64[n]. losses: float64[n]. random: uint64[1], never 0.
    """

    right: NDArray[np.float64]
    fits: NDArray[np.float64]
    rest: NDArray[np.float64]
    asked: NDArray[np.bool_]
    trial: NDArray[np.int64]
    order: NDArray[np.int64]
    losses: NDArray[np.float64]
    random: NDArray[np.uint64]


@inner
def _add(law: Array, q: float, top: int) -> None:
    """Add one peg of chance q to the law of a sum, of which numbers past `top` are cut off."""
    for x in range(top, 0, -1):
        law[x] = law[x] * (1 - q) + law[x - 1] * q
    law[0] *= 1 - q


@inner
def _weight(q: float, right: Array, fits: Array, number: int) -> float:
    """Return the weight of the outcomes in which a peg of chance q, one of those in the law `right`, is right."""
    weight, before = 0.0, 0.0
    # The law without the peg, by division: from the end at which no digits are lost.
    if q < 0.5:
        before = right[0] / (1 - q)
        for b in range(1, number + 1):
            weight += q * before * fits[b]
            before = max((right[b] - q * before) / (1 - q), 0.0)
    else:
        for b in range(number, 0, -1):
            before = max((right[b] - (1 - q) * before) / q, 0.0)
            weight += q * before * fits[b]
    return weight


@inner
def _add_up(laws: Array, c: int, pegs: Array, number: int, top: int, scratch: Array) -> None:
    """Fill the laws of right pegs among those that ask, and of the pegs of the color among all others."""
    right, rest, asked = scratch.right, scratch.rest, scratch.asked
    for x in range(top + 1):
        rest[x] = 0.0
    for b in range(number + 1):
        right[b] = 0.0
    rest[0], right[0] = 1.0, 1.0
    inside, outside = 0, 0
    for a in range(number):
        asked[pegs[a]] = True
    for i in range(laws.odds.shape[0]):
        q = laws.odds[i, c]
        if q < NONE:
            continue
        if asked[i]:
            inside += 1
            _add(right, q, inside)
        else:
            outside += 1
            _add(rest, q, min(outside, top))
    for a in range(number):
        asked[pegs[a]] = False


@inner
def _told(laws: Array, c: int, pegs: Array, number: int, scratch: Array) -> float:
    """Return the bits that pegs[:number] tell if they ask color c: which are right, and the count, to `number`."""
    right, rest, fits = scratch.right, scratch.rest, scratch.fits
    low, top = laws.least[c], min(laws.most[c], rest.size - 1)
    if number == 0:
        return 0.0
    _add_up(laws, c, pegs, number, top, scratch)
    # Weights of the counts that are told apart, given b right pegs: each below `number`, and all others together.
    total, spread = 0.0, 0.0
    for b in range(number + 1):
        whole, bits, tail = 0.0, 0.0, 0.0
        for x in range(max(low - b, 0), top - b + 1):
            weight = rest[x]
            if weight > 0:
                whole += weight
                if b + x < number:
                    bits += weight * log2(weight)
                else:
                    tail += weight
        if tail > 0:
            bits += tail * log2(tail)
        fits[b] = whole
        total += right[b] * whole
        spread += right[b] * bits
    if total <= 1e-300:
        return 0.0
    told = log2(total) - spread / total
    for a in range(number):
        q = laws.odds[pegs[a], c]
        if NONE <= q <= 1 - NONE:
            p = min(max(_weight(q, right, fits, number) / total, 0.0), 1.0)
            told -= p * log2(q) + (1 - p) * log2(1 - q)
    return max(told, 0.0)


@inner
def _others(asked: Array, i: int, trial: Array) -> int:
    """Write the pegs of the color of peg i but itself; return their number."""
    c, kept = asked.code[i], 0
    for a in range(asked.number[c]):
        if asked.pegs[c, a] != i:
            trial[kept] = asked.pegs[c, a]
            kept += 1
    return kept


@inner
def _move(laws: Array, asked: Array, i: int, color: int, scratch: Array) -> None:
    """Give peg i another color, whose bits are not renewed."""
    c, kept = asked.code[i], _others(asked, i, scratch.trial)
    for a in range(kept):
        asked.pegs[c, a] = scratch.trial[a]
    asked.number[c] = kept
    asked.bits[c] = _told(laws, c, asked.pegs[c], kept, scratch)
    asked.pegs[color, asked.number[color]] = i
    asked.number[color] += 1
    asked.code[i] = color


@inner
def _recolor(laws: Array, limits: Array, asked: Array, i: int, scratch: Array) -> bool:
    """Give a peg the color that tells most, if that is more than now."""
    c, number = asked.code[i], asked.number
    if number[c] <= limits.fewest[c]:
        return False
    kept = _others(asked, i, scratch.trial)
    best, to, bits = asked.bits[c] - _told(laws, c, scratch.trial, kept, scratch) + GAIN, -1, 0.0
    for at in range(number.size):
        d = laws.order[i, at]
        if d == c or number[d] >= limits.room[d]:
            continue
        # Beside others a peg tells hardly more than alone, unless the number of the color is open and asked for.
        if 1.3 * laws.alone[i, d] + 0.05 <= best and (laws.least[d] == laws.most[d] or number[d] == 0):
            continue
        asked.pegs[d, number[d]] = i
        told = _told(laws, d, asked.pegs[d], number[d] + 1, scratch)
        if told - asked.bits[d] > best:
            best, to, bits = told - asked.bits[d], d, told
    if to < 0:
        return False
    _move(laws, asked, i, to, scratch)
    asked.bits[to] = bits
    return True


@inner
def _told_with(laws: Array, asked: Array, i: int, j: int, scratch: Array) -> float:
    """Return the bits of the color of peg i if it asks at peg j in the place of i."""
    c = asked.code[i]
    for a in range(asked.number[c]):
        scratch.trial[a] = j if asked.pegs[c, a] == i else asked.pegs[c, a]
    return float(_told(laws, c, scratch.trial, asked.number[c], scratch))


@inner
def _swap(laws: Array, limits: Array, asked: Array, i: int, scratch: Array) -> bool:
    """Let a peg change places with the one with which that tells most, if it is more than now."""
    code, bits, alone = asked.code, asked.bits, laws.alone
    c, best, other = code[i], GAIN, -1
    for j in range(code.size):
        d = code[j]
        if limits.held[j] or d == c or alone[i, d] + alone[j, c] <= alone[i, c] + alone[j, d]:
            continue
        told = _told_with(laws, asked, i, j, scratch) + _told_with(laws, asked, j, i, scratch)
        if told - bits[c] - bits[d] > best:
            best, other = told - bits[c] - bits[d], j
    if other < 0:
        return False
    d = code[other]
    bits[c], bits[d] = _told_with(laws, asked, i, other, scratch), _told_with(laws, asked, other, i, scratch)
    for a in range(asked.number[c]):
        if asked.pegs[c, a] == i:
            asked.pegs[c, a] = other
    for a in range(asked.number[d]):
        if asked.pegs[d, a] == other:
            asked.pegs[d, a] = i
    code[i], code[other] = d, c
    return True


@inner
def _least_lost(laws: Array, limits: Array, asked: Array, color: int, wanted: int, scratch: Array) -> bool:
    """Order the pegs of least loss first, of different colors but not of `color`; False where they are too few.

    Losses of more than two bits are too much for one more number that is told. Pegs that likely have the color are
    preferred, by half a bit at most.
    """
    losses, chosen = scratch.losses, scratch.order
    for x in range(wanted):
        least = 2.0
        chosen[x] = -1
        for i in range(losses.size):
            c = asked.code[i]
            loss = losses[i] - 0.5 * laws.odds[i, color]
            if loss >= least or limits.held[i] or c == color or asked.number[c] <= limits.fewest[c]:
                continue
            taken = False
            for y in range(x):
                taken |= asked.code[chosen[y]] == c
            if not taken:
                least, chosen[x] = loss, i
        if chosen[x] < 0:
            return False
    return True


@inner
def _ask_number(laws: Array, limits: Array, asked: Array, color: int, scratch: Array) -> bool:
    """Ask a color, of which one more than it has at least may occur, on as many pegs as show that, if it tells more."""
    number, order = asked.number, scratch.order
    wanted = laws.least[color] + 1 - number[color]
    # A single peg more is tried as such, and more than five tell less than what they would ask elsewhere.
    if laws.least[color] >= laws.most[color] or not 2 <= wanted <= 5 or laws.least[color] >= limits.room[color]:
        return False
    if not _least_lost(laws, limits, asked, color, wanted, scratch):
        return False
    lost = 0.0
    for x in range(wanted):
        lost += scratch.losses[order[x]]
        asked.pegs[color, number[color] + x] = order[x]
    told = _told(laws, color, asked.pegs[color], number[color] + wanted, scratch)
    if told - asked.bits[color] - lost <= GAIN:
        return False
    for x in range(wanted):
        _move(laws, asked, order[x], color, scratch)
    asked.bits[color] = told
    return True


@inner
def _find_losses(laws: Array, asked: Array, scratch: Array) -> None:
    """Fill the bits that each peg adds to its color."""
    for i in range(asked.code.size):
        kept = _others(asked, i, scratch.trial)
        scratch.losses[i] = asked.bits[asked.code[i]] - _told(laws, asked.code[i], scratch.trial, kept, scratch)


@kernel
def climb(laws: Array, limits: Array, asked: Array, sweeps: int, scratch: Array) -> float:
    """Change a guess peg by peg, in random order, as long as that tells more; return the bits that it tells.

    `asked` needs its code only; the rest is filled. Each sweep looks at every peg once, and then at every color of
    which more may occur than are known. About n times K operations for every color that is looked at on a peg.
    """
    code, number, order = asked.code, asked.number, scratch.order
    pegs, colors = laws.odds.shape
    for c in range(colors):
        number[c] = 0
    for i in range(pegs):
        asked.pegs[code[i], number[code[i]]] = i
        number[code[i]] += 1
    for c in range(colors):
        asked.bits[c] = _told(laws, c, asked.pegs[c], number[c], scratch)
    for _ in range(sweeps):
        for i in range(pegs):
            order[i] = i
        has_moved = False
        for left in range(pegs, 0, -1):
            x = scratch.random[0] = _next(scratch.random[0])
            at = np.int64((x & np.uint64(0xFFFFFFFF)) * np.uint64(left) >> np.uint64(32))
            i = order[at]
            order[at] = order[left - 1]
            if limits.held[i]:
                continue
            if _recolor(laws, limits, asked, i, scratch) or (
                limits.swaps[0] and _swap(laws, limits, asked, i, scratch)
            ):
                has_moved = True
        _find_losses(laws, asked, scratch)
        for c in range(colors):
            if _ask_number(laws, limits, asked, c, scratch):
                has_moved = True
                _find_losses(laws, asked, scratch)
        if not has_moved:
            break
    total = 0.0
    for c in range(colors):
        total += asked.bits[c]
    return total


# ------------------------------------------------------------------ codes that are listed


class ListedCodes(NamedTuple):
    """Codes that are to be told apart: codes: int16[n, N], counts: int16[m, N], how many pegs have each color.

    in_place: uint64[n], marked: uint64[m, n + 1], words of which a label is made; those of 0 marked pegs are 0. phi:
    int64[N + 1], the price of a part by its size.
    """

    codes: NDArray[np.int16]
    counts: NDArray[np.int16]
    in_place: NDArray[np.uint64]
    marked: NDArray[np.uint64]
    phi: NDArray[np.int64]


class PartsScratch(NamedTuple):
    """Room for labels: uint64[2, N], and pegs in place: int16[2, N], of a guess and of one that is tried.

    keys: uint64[T], sizes: int32[T], a table of parts, T a power of two above N. copies: int64[m]. random: uint64[1],
    never 0.
    """

    labels: NDArray[np.uint64]
    right: NDArray[np.int16]
    keys: NDArray[np.uint64]
    sizes: NDArray[np.int32]
    copies: NDArray[np.int64]
    random: NDArray[np.uint64]


@inner
def _price(listed: Array, scratch: Array, row: int) -> Any:
    """Add up the prices of the parts of the labels in a row; a code that is the guess itself costs nothing."""
    labels, right, keys, sizes = scratch.labels[row], scratch.right[row], scratch.keys, scratch.sizes
    phi, pegs, mask = listed.phi, listed.codes.shape[0], np.uint64(sizes.size - 1)
    price = np.int64(0)
    for e in range(sizes.size):
        sizes[e] = 0
    for a in range(labels.size):
        if right[a] == pegs:
            continue
        at = (labels[a] ^ (labels[a] >> np.uint64(32))) & mask
        while sizes[at] > 0 and keys[at] != labels[a]:
            at = (at + np.uint64(1)) & mask
        keys[at] = labels[a]
        price += phi[sizes[at] + 1] - phi[sizes[at]]
        sizes[at] += 1
    return price


@inner
def _ask(listed: Array, scratch: Array, row: int, peg: int, old: int, new: int) -> None:
    """Let a peg ask another color: move labels and pegs in place, in a row."""
    labels, right, word = scratch.labels[row], scratch.right[row], listed.in_place[peg]
    codes = listed.codes[peg]
    for a in range(labels.size):
        if codes[a] == old:
            labels[a] ^= word
            right[a] -= 1
        elif codes[a] == new:
            labels[a] ^= word
            right[a] += 1


@inner
def _count(listed: Array, scratch: Array, row: int, color: int, before: int, after: int) -> None:
    """Let another number of pegs ask a color: move labels in a row."""
    labels, counts, words = scratch.labels[row], listed.counts[color], listed.marked[color]
    for a in range(labels.size):
        labels[a] ^= words[min(counts[a], before)] ^ words[min(counts[a], after)]


@inner
def _label(listed: Array, scratch: Array, guess: Array) -> None:
    """Fill copies, and the first rows of labels and of pegs in place."""
    copies = scratch.copies
    for a in range(scratch.labels.shape[1]):
        scratch.labels[0, a] = 0
        scratch.right[0, a] = 0
    for c in range(copies.size):
        copies[c] = 0
    for p in range(guess.size):
        copies[guess[p]] += 1
        _ask(listed, scratch, 0, p, -1, guess[p])
    for c in range(copies.size):
        if copies[c] > 0:
            _count(listed, scratch, 0, c, 0, copies[c])


@kernel
def price_listed(listed: Array, scratch: Array, guesses: Array, prices: Array) -> None:
    """Fill prices: int64[G] for guesses: int16[G, n]."""
    for g in range(len(guesses)):
        _label(listed, scratch, guesses[g])
        prices[g] = _price(listed, scratch, 0)


@inner
def _copy(scratch: Array, source: int, target: int) -> None:
    """Copy labels and pegs in place from a row to the other."""
    for a in range(scratch.labels.shape[1]):
        scratch.labels[target, a] = scratch.labels[source, a]
        scratch.right[target, a] = scratch.right[source, a]


@inner
def _draw(scratch: Array, below: int) -> Any:
    """Return a random whole number below another."""
    x = scratch.random[0] = _next(scratch.random[0])
    return np.int64((x & np.uint64(0xFFFFFFFF)) * np.uint64(below) >> np.uint64(32))


@kernel
def improve_listed(listed: Array, limits: Array, scratch: Array, guess: Array, tries: int, price: int) -> int:
    """Change a guess, int16[n], in place wherever that does not raise its price, `price`; return the price reached.

    A try gives a peg the color that a random code has there, or, one time of five, any color; where a guess has no room
    for it, the peg changes places with one that has it. About 10 nanoseconds a code.
    """
    copies, pegs, colors, number = scratch.copies, guess.size, scratch.copies.size, scratch.labels.shape[1]
    _label(listed, scratch, guess)
    for _ in range(tries):
        p = _draw(scratch, pegs)
        old = guess[p]
        new = listed.codes[p, _draw(scratch, number)] if _draw(scratch, 5) else np.int16(_draw(scratch, colors))
        if limits.held[p] or new == old:
            continue
        q = -1
        if copies[new] >= limits.room[new] or copies[old] <= limits.fewest[old]:
            first = _draw(scratch, pegs)
            for at in range(pegs):
                r = (first + at) % pegs
                if guess[r] == new and not limits.held[r]:
                    q = r
                    break
            if q < 0:
                continue
        _copy(scratch, 0, 1)
        _ask(listed, scratch, 1, p, old, new)
        if q >= 0:
            _ask(listed, scratch, 1, q, new, old)
        else:
            _count(listed, scratch, 1, old, copies[old], copies[old] - 1)
            _count(listed, scratch, 1, new, copies[new], copies[new] + 1)
        tried = _price(listed, scratch, 1)
        # One of the same price is taken too: there are plains, and beyond them lower ground.
        if tried > price:
            continue
        price = tried
        _copy(scratch, 1, 0)
        guess[p] = new
        if q >= 0:
            guess[q] = old
        else:
            copies[old] -= 1
            copies[new] += 1
    return price
