"""Compiled search for a guess that splits some codes well: any legal code, improved peg by peg. Nothing is checked.

The price of a guess is the sum over the parts, by feedback, of phi(size of the part): a table of whole numbers.
A change of one peg moves the feedback of all codes by a few operations on rows of bytes, `LANES` codes at a time; what
costs time is to count the parts, a nanosecond a code.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.compile.byte_rows import LANES, VECTOR, for_vectors, load, row_of, splat, store
from entropeg.kernels.compile.parts import intrinsic, types
from entropeg.kernels.mixing import STAR, xorshift_star

_next = inner(xorshift_star)

NEVER = 255
"""A symbol that no code has, a number of copies that none has: the padding is filled with it."""


def _moving(relation: str) -> Any:
    """Write the code that raises a row where another stands in `relation` to a number, lowers it where a third does."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start, more, less, out = (row_of(context, builder, signature.args[at], arguments[at]) for at in (0, 1, 3, 5))
        up, down = splat(builder, arguments[2]), splat(builder, arguments[4])
        with for_vectors(builder, arguments[6]) as (index, _):
            # A mask is -1 where the relation holds: what rises is subtracted, what falls is added.
            rise = builder.sext(builder.icmp_unsigned(relation, load(builder, more, index), up), VECTOR)
            fall = builder.sext(builder.icmp_unsigned(relation, load(builder, less, index), down), VECTOR)
            moved = builder.add(builder.sub(load(builder, start, index), rise), fall)
            store(builder, moved, out, index)
        return context.get_dummy_value()

    return codegen


@intrinsic
def _match(_: Array, row: Array, more: Array, b: Array, less: Array, a: Array, out: Array, size: Array) -> Any:
    """Add to a row 1 where `more` equals b, take 1 where `less` equals a."""
    return types.void(row, more, b, less, a, out, size), _moving("==")


@intrinsic
def _reach(_: Array, row: Array, more: Array, b: Array, less: Array, a: Array, out: Array, size: Array) -> Any:
    """Add to a row 1 where `more` is at least b, take 1 where `less` is at least a."""
    return types.void(row, more, b, less, a, out, size), _moving(">=")


class Sample(NamedTuple):
    """Codes to be told apart. N of them, padded to a multiple of `LANES`.

    planes: uint8[pegs, N] (`NEVER` in the padding); counts: uint8[symbols of guesses, N] (0 in the padding).
    blank: uint8[N], zeros. phi: int64[size + 1], the price of a part.
    rule: int64[6]: how many codes there are, whether a color counts for each of its copies (else once for each peg of
    the guess: membership), whether marks count at all, whether guesses may repeat symbols, the symbol that always may
    (or -1), the number taken off the price if the guess may win.
    """

    planes: NDArray[np.uint8]
    counts: NDArray[np.uint8]
    blank: NDArray[np.uint8]
    phi: NDArray[np.int64]
    rule: NDArray[np.int64]


class PriceScratch(NamedTuple):
    """Scratch: labels uint8[4, N], sizes int32[(pegs + 1)^2], copies int64[symbols], random uint64[1], never 0."""

    labels: NDArray[np.uint8]
    sizes: NDArray[np.int32]
    copies: NDArray[np.int64]
    random: NDArray[np.uint64]


@kernel
def _price(sample: Array, scratch: Array, black: Array, common: Array) -> Any:
    """Add up the prices of the parts."""
    sizes, phi, number = scratch.sizes, sample.phi, sample.rule[0]
    width = np.uint64(len(sample.planes) + 1)
    for e in range(len(sizes)):
        sizes[e] = 0
    for i in range(number):
        sizes[np.uint64(black[i]) * width + np.uint64(common[i])] += 1
    price = np.int64(0)
    for e in range(len(sizes)):
        price += phi[sizes[e]]
    # The cell of all blacks: with marks the last of all, without them the first of the last row.
    win = sizes[len(sizes) - 1] if sample.rule[2] != 0 else sizes[np.uint64(len(sizes)) - width]
    if win > 0:
        price -= sample.rule[5]
    return price


@kernel
def _label(sample: Array, scratch: Array, guess: Array) -> None:
    """Fill copies and the first two rows of labels for a guess: blacks, and marks."""
    black, common, size = scratch.labels[0], scratch.labels[1], len(sample.blank)
    for c in range(len(scratch.copies)):
        scratch.copies[c] = 0
    for i in range(size):
        black[i] = 0
        common[i] = 0
    for p in range(len(guess)):
        b = guess[p]
        scratch.copies[b] += 1
        _match(black, sample.planes[p], b, sample.blank, NEVER, black, size)
        if sample.rule[2] != 0:
            k = scratch.copies[b] if sample.rule[1] != 0 else 1
            _reach(common, sample.counts[b], k, sample.blank, NEVER, common, size)


@kernel
def price_guesses(sample: Array, scratch: Array, guesses: Array, prices: Array) -> None:
    """Fill prices: int64[G] for guesses: uint8[G, pegs]."""
    for g in range(len(guesses)):
        _label(sample, scratch, guesses[g])
        prices[g] = _price(sample, scratch, scratch.labels[0], scratch.labels[1])


@kernel
def improve_guess(sample: Array, scratch: Array, guess: Array, tries: int, price: int) -> int:
    """Change a guess in place, peg by peg, wherever that does not raise its price, `price`; return the price reached.

    A try gives a peg the symbol that a random code has there (in two tries of four), or any symbol, or exchanges two
    pegs. guess: uint8[pegs].
    """
    planes, counts, blank = sample.planes, sample.counts, sample.blank
    black, common, black2, common2 = scratch.labels[0], scratch.labels[1], scratch.labels[2], scratch.labels[3]
    number, multiple, marks = sample.rule[0], sample.rule[1], sample.rule[2]
    repeats, free, size = sample.rule[3], sample.rule[4], len(blank)
    pegs, symbols = np.uint64(len(guess)), np.uint64(len(scratch.copies))
    _label(sample, scratch, guess)
    x = scratch.random[0]
    for _ in range(tries):
        x = _next(x)
        y = x * STAR
        p = ((y & np.uint64(0xFFFF)) * pegs) >> np.uint64(16)
        kind = (y >> np.uint64(16)) & np.uint64(3)
        z = (y >> np.uint64(32)) & np.uint64(0xFFFFFF)
        a = guess[p]
        q = (z * pegs) >> np.uint64(24)
        if kind == np.uint64(0):
            b = guess[q]
        elif kind == np.uint64(1):
            b = np.uint8((z * symbols) >> np.uint64(24))
        else:
            b = planes[p, (z * np.uint64(number)) >> np.uint64(24)]
        if a == b:
            continue
        # Where symbols may not repeat, the peg that has this one takes the other's in return.
        exchange = kind == np.uint64(0)
        if not exchange and repeats == 0 and scratch.copies[b] > 0 and b != free:
            for q in range(pegs):
                if guess[q] == b:
                    break
            exchange = True
        if exchange:
            _match(black, planes[p], b, planes[p], a, black2, size)
            _match(black2, planes[q], a, planes[q], b, black2, size)
            # An exchange changes no color, so the marks stay.
            now = _price(sample, scratch, black2, common)
        else:
            _match(black, planes[p], b, planes[p], a, black2, size)
            if marks != 0:
                up = scratch.copies[b] + 1 if multiple != 0 else 1
                down = scratch.copies[a] if multiple != 0 else 1
                _reach(common, counts[b], up, counts[a], down, common2, size)
                now = _price(sample, scratch, black2, common2)
            else:
                now = _price(sample, scratch, black2, common)
        # A guess of the same price is taken too: there are plains, and beyond them lower ground.
        if now > price:
            continue
        price = now
        guess[p] = b
        for i in range(size):
            black[i] = black2[i]
        if exchange:
            guess[q] = a
            continue
        scratch.copies[a] -= 1
        scratch.copies[b] += 1
        if marks != 0:
            for i in range(size):
                common[i] = common2[i]
    scratch.random[0] = x
    return price


class PartScratch(NamedTuple):
    """Scratch for the parts of a guess.

    sample: the part in hand, with room for N codes; order: int32[N], the codes, part after part; ends: int32[(pegs +
    1)^2], where each part ends in it; guess: uint8[2, pegs].
    """

    sample: Sample
    order: NDArray[np.int32]
    ends: NDArray[np.int32]
    guess: NDArray[np.uint8]


@kernel
def _sort(sample: Array, scratch: Array, parts: Array, guess: Array) -> None:
    """Order the codes by their feedback to a guess."""
    sizes, ends, order, number = scratch.sizes, parts.ends, parts.order, sample.rule[0]
    black, common, width = scratch.labels[0], scratch.labels[1], len(sample.planes) + 1
    _label(sample, scratch, guess)
    _price(sample, scratch, black, common)
    start = np.int64(0)
    for e in range(len(sizes)):
        ends[e] = start
        start += sizes[e]
    for i in range(number):
        cell = np.int64(black[i]) * width + np.int64(common[i])
        order[ends[cell]] = i
        ends[cell] += 1


@kernel
def _take(sample: Array, parts: Array, start: Array, number: Array) -> Any:
    """Return the codes from `start` on in the order as a sample of their own."""
    part = parts.sample
    for j in range(number):
        i = parts.order[start + j]
        for p in range(len(part.planes)):
            part.planes[p, j] = sample.planes[p, i]
        for c in range(len(part.counts)):
            part.counts[c, j] = sample.counts[c, i]
    part.rule[0] = number
    size = (number + LANES - 1) // LANES * LANES
    return Sample(part.planes, part.counts, part.blank[:size], part.phi, part.rule)


@kernel
def _follow(part: Array, scratch: Array, trials: Array, compared: int, tries: int, unit: int) -> Any:
    """Return the lowest price found of a guess at a part: of some of its codes, the best of them improved."""
    number = part.rule[0]
    best, trial = trials[0], trials[1]
    least, step = np.int64(-1), max(1, number // compared)
    for i in range(0, number, step):
        for p in range(len(trial)):
            trial[p] = part.planes[p, i]
        _label(part, scratch, trial)
        price = _price(part, scratch, scratch.labels[0], scratch.labels[1])
        if least < 0 or price < least:
            least = price
            for p in range(len(trial)):
                best[p] = trial[p]
    if tries == 0 or least <= unit * (number - 1):  # one of the codes tells all others apart
        return least
    return improve_guess(part, scratch, best, tries, int(least))


@kernel
def price_ahead(
    sample: Array, scratch: Array, parts: Array, guess: Array, compared: int, tries: int, unit: int, limit: int
) -> int:
    """Return the price of a guess, `unit` for each code of each part and the price of the best guess that follows.

    The codes are all that are left. In each part some `compared` codes and `tries` changes are tried. A price that
    must exceed `limit` is returned as soon as that is known, too low.
    """
    _sort(sample, scratch, parts, guess)
    cells, ends = len(parts.ends), parts.ends
    win = cells - 1 if sample.rule[2] != 0 else cells - len(sample.planes) - 1
    total, start = np.int64(0), np.int64(0)
    for e in range(cells):
        number = ends[e] - start
        start = ends[e]
        if e != win and number > 0:
            total += unit * (2 * number - 1)  # at the very least: a code, and all others told apart by it
    start = np.int64(0)
    for e in range(cells):
        number = ends[e] - start
        if e != win and number > 2:
            part = _take(sample, parts, start, number)
            least = _follow(part, scratch, parts.guess, compared, tries, unit)
            # In place of the least that was added for this part above.
            total += least - unit * (number - 1)
            if total > limit:
                break
        start = ends[e]
    return int(total)
