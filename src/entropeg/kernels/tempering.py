"""Compiled chains that walk among codes towards those that fit every turn: parallel tempering. Nothing is checked.

The energy of a code is its error: over all turns `|blacks - blacks told| + |marks - marks told|`, where marks are
blacks and whites together. Zero means that the code fits. A chain of temperature 1/beta proposes to recolor a
peg or to exchange two, and takes a step of more energy d with probability exp(-beta d); so codes of equal energy are
equally likely, those of energy zero at any temperature. Neighboring temperatures exchange their chains.

One proposal costs a few operations on rows of bytes, one byte a turn, `LANES` turns at a time. LLVM does not find these
vectors by itself (112 ns a proposal, against 7 ns): see `compile.byte_rows`.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.compile.byte_rows import LANES, VECTOR, WORD, for_vectors, load, row_of, splat, store
from entropeg.kernels.compile.parts import cgutils, intrinsic, ir, types
from entropeg.kernels.mixing import GAMMA, STAR, xorshift_star

_next = inner(xorshift_star)

# ------------------------------------------------------------------ rows of bytes as vectors

_WIDE = ir.VectorType(ir.IntType(32), LANES)


def _adder(builder: Any) -> Any:
    name = f"llvm.vector.reduce.add.v{LANES}i32"
    known = builder.module.globals.get(name)
    return known or ir.Function(builder.module, ir.FunctionType(ir.IntType(32), [_WIDE]), name)


def _distance(signs: tuple[int, ...], *, matched: bool) -> Callable[..., Any]:
    """Write the code that moves a row of bytes, stores it, and returns its distance from another.

    The arguments are: the row, the numbers added to it (by `signs`), the row to compare with, where to store, and the
    length. Pairs of a row and a symbol are added, 1 where they are equal, if `matched`; else rows as they are.
    """

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def row(at: int) -> Any:
            return row_of(context, builder, signature.args[at], arguments[at])

        step = 2 if matched else 1
        terms = range(1, 1 + step * len(signs), step)
        start, added, target, out, size = row(0), [row(term) for term in terms], row(-3), row(-2), arguments[-1]
        symbols = [splat(builder, arguments[term + 1]) for term in terms] if matched else []
        sum_ = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with for_vectors(builder, size) as (index, _):
            moved = load(builder, start, index)
            for number, sign in enumerate(signs):
                change = load(builder, added[number], index)
                if matched:  # a mask is -1 where equal
                    change = builder.sext(builder.icmp_unsigned("==", change, symbols[number]), VECTOR)
                moved = builder.add(moved, change) if (sign > 0) != matched else builder.sub(moved, change)
            store(builder, moved, out, index)
            wanted = load(builder, target, index)
            above = builder.icmp_unsigned(">", moved, wanted)
            apart = builder.select(above, builder.sub(moved, wanted), builder.sub(wanted, moved))
            part = builder.call(_adder(builder), [builder.zext(apart, _WIDE)])
            builder.store(builder.add(builder.load(sum_), builder.zext(part, WORD)), sum_)
        return builder.load(sum_)

    return codegen


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _recolored(
    _: Array, row: Array, new: Array, b: Array, old: Array, a: Array, target: Array, out: Array, size: Array
) -> Any:
    """Distance once the symbol of a peg, whose row of guesses is `new` and `old`, has become b instead of a."""
    return types.int64(row, new, b, old, a, target, out, size), _distance((1, -1), matched=True)


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _exchanged(
    _: Array,
    row: Array,
    p: Array,
    b: Array,
    q: Array,
    a: Array,
    pp: Array,
    aa: Array,
    qq: Array,
    bb: Array,
    target: Array,
    out: Array,
    size: Array,
) -> Any:
    """Distance once peg p has b and peg q has a, which they had the other way round."""
    return (types.int64(row, p, b, q, a, pp, aa, qq, bb, target, out, size), _distance((1, 1, -1, -1), matched=True))


@intrinsic  # type: ignore[untyped-decorator, unused-ignore]
def _shifted(_: Array, row: Array, more: Array, less: Array, target: Array, out: Array, size: Array) -> Any:
    """Distance once a row is raised by one row and lowered by another."""
    return types.int64(row, more, less, target, out, size), _distance((1, -1), matched=False)


# ------------------------------------------------------------------ the memory of the chains


class Puzzle(NamedTuple):
    """The turns to fit. T, the number of turns, is padded to a multiple of `LANES`.

    rows: uint8[pegs, T], the symbol of each guess at each peg, 255 in the padding.
    gains: uint8[K, symbols, T], the marks that a turn gains by the k-th peg (from 0) of a symbol.
    black, total: uint8[T], the blacks and marks told.
    rule: int64[4]: percentage of exchanges, whether symbols may repeat, the symbol that always may (or -1), weight of
    marks (0 where feedback does not count colors).
    """

    rows: NDArray[np.uint8]
    gains: NDArray[np.uint8]
    black: NDArray[np.uint8]
    total: NDArray[np.uint8]
    rule: NDArray[np.int64]


class ChainStates(NamedTuple):
    """R chains, the coldest last.

    codes: uint8[R, pegs]; counts: int64[R, symbols], of each symbol; blacks, totals: uint8[R, T], what the codes would
    be told; energies: int64[R].
    order: int64[R], the chain at each temperature; betas: float64[R]; accept: int64[R, E], 2^24 times the probability
    of a step of so much more energy (E - 1 stands for all above).
    random: uint64[1], never 0. scratch: uint8[2, T].
    """

    codes: NDArray[np.uint8]
    counts: NDArray[np.int64]
    blacks: NDArray[np.uint8]
    totals: NDArray[np.uint8]
    energies: NDArray[np.int64]
    order: NDArray[np.int64]
    betas: NDArray[np.float64]
    accept: NDArray[np.int64]
    random: NDArray[np.uint64]
    scratch: NDArray[np.uint8]


class Harvest(NamedTuple):
    """The codes that the chains found.

    codes: uint8[cap, pegs], the codes that fit, each once, in the order of their discovery; hits: int64[cap], how often
    each was seen. keys: uint64[H], places: int64[H]: a table of their hashes, H a power of two of at least 2 cap.
    soft: uint8[S, pegs] and misses: int64[S]: the latest states of the coldest chains and their energies, in a ring.
    tally: int64[3]: codes found, states put into the ring, codes seen though there was no room.
    """

    codes: NDArray[np.uint8]
    hits: NDArray[np.int64]
    keys: NDArray[np.uint64]
    places: NDArray[np.int64]
    soft: NDArray[np.uint8]
    misses: NDArray[np.int64]
    tally: NDArray[np.int64]


# ------------------------------------------------------------------ kernels


@kernel
def load_chains(puzzle: Array, chains: Array) -> None:
    """Score the codes of the chains against every turn: fills counts, blacks, totals, energies."""
    rows, gains = puzzle.rows, puzzle.gains
    for r in range(len(chains.codes)):
        code, counts, blacks, totals = chains.codes[r], chains.counts[r], chains.blacks[r], chains.totals[r]
        for c in range(len(counts)):
            counts[c] = 0
        for t in range(len(blacks)):
            blacks[t] = 0
            totals[t] = 0
        for p in range(len(code)):
            a = code[p]
            # Marks count copies: the k-th copy gains something in those turns only whose guess has as many.
            k = min(counts[a], len(gains) - 1)
            counts[a] += 1
            for t in range(len(blacks)):
                blacks[t] += rows[p, t] == a
                totals[t] += gains[k, a, t]
        energy = np.int64(0)
        for t in range(len(blacks)):
            energy += abs(np.int64(blacks[t]) - np.int64(puzzle.black[t]))
            energy += puzzle.rule[3] * abs(np.int64(totals[t]) - np.int64(puzzle.total[t]))
        chains.energies[r] = energy


@kernel
def _keep(harvest: Array, code: Array) -> None:
    """Enter a code that fits into the table, or count one more sight of it."""
    key = GAMMA
    for p in range(len(code)):
        key = (key ^ np.uint64(code[p])) * np.uint64(0xD6E8FEB86659FD93)
        key ^= key >> np.uint64(32)
    key |= np.uint64(1)  # 0 is a free cell of the table
    mask = np.uint64(len(harvest.keys) - 1)
    at = (key >> np.uint64(1)) & mask
    while harvest.keys[at] != np.uint64(0):
        if harvest.keys[at] == key:
            harvest.hits[harvest.places[at]] += 1
            return
        at = (at + np.uint64(1)) & mask
    found = harvest.tally[0]
    if found == len(harvest.codes):
        harvest.tally[2] += 1
        return
    harvest.keys[at] = key
    harvest.places[at] = found
    for p in range(len(code)):
        harvest.codes[found, p] = code[p]
    harvest.hits[found] = 1
    harvest.tally[0] = found + 1


@kernel
def _walk(puzzle: Array, chains: Array, harvest: Array, r: int, accept: Array, steps: int, eager: bool) -> None:
    """Propose a number of steps to one chain."""
    rows, gains, black, total = puzzle.rows, puzzle.gains, puzzle.black, puzzle.total
    code, counts, blacks, totals = chains.codes[r], chains.counts[r], chains.blacks[r], chains.totals[r]
    scratch, other = chains.scratch[0], chains.scratch[1]
    exchanges, repeats, free, weight = puzzle.rule[0], puzzle.rule[1], puzzle.rule[2], puzzle.rule[3]
    pegs, symbols, size, last = np.uint64(len(code)), np.uint64(len(counts)), len(blacks), len(gains) - 1
    deepest, energy, x = accept.size - 1, chains.energies[r], chains.random[0]
    misses = np.int64(0)  # of the blacks alone
    for t in range(size):
        misses += abs(np.int64(blacks[t]) - np.int64(black[t]))
    for _ in range(steps):
        x = _next(x)
        # One word decides all: 16 bits the peg, 16 the other peg or the symbol, 8 the kind, 24 whether a loss is taken.
        y = x * STAR
        p = ((y & np.uint64(0xFFFF)) * pegs) >> np.uint64(16)
        z = (y >> np.uint64(16)) & np.uint64(0xFFFF)
        kind = ((y >> np.uint64(32)) & np.uint64(0xFF)) * np.uint64(100)
        luck = np.int64(y >> np.uint64(40))
        a = code[p]
        if np.int64(kind) < exchanges * 256:
            q = (z * pegs) >> np.uint64(16)
            b = code[q]
            if a == b:
                continue
            moved = _exchanged(blacks, rows[p], b, rows[q], a, rows[p], a, rows[q], b, black, scratch, size)
            change = moved - misses
            if change > 0 and luck >= accept[min(change, deepest)]:
                continue
            code[p], code[q] = b, a
            # Marks stay: an exchange changes no color.
            for t in range(size):
                blacks[t] = scratch[t]
        else:
            b = np.uint8((z * symbols) >> np.uint64(16))
            # Of codes without repeats the chain never leaves those that are legal: an illegal step is no step.
            if a == b or (repeats == 0 and counts[b] > 0 and b != free):
                continue
            moved = _recolored(blacks, rows[p], b, rows[p], a, black, scratch, size)
            change = moved - misses
            if weight > 0:
                more, less = gains[min(counts[b], last), b], gains[min(counts[a] - 1, last), a]
                change += weight * _shifted(totals, more, less, total, other, size) - (energy - misses)
            if change > 0 and luck >= accept[min(change, deepest)]:
                continue
            code[p] = b
            counts[a] -= 1
            counts[b] += 1
            for t in range(size):
                blacks[t] = scratch[t]
            if weight > 0:
                for t in range(size):
                    totals[t] = other[t]
        energy += change
        misses = moved
        if eager and energy == 0:
            _keep(harvest, code)
    chains.energies[r] = energy
    chains.random[0] = x


@kernel
def _trade(chains: Array, first: int) -> None:
    """Exchange chains between neighboring temperatures, by the rule that keeps each temperature's law."""
    for k in range(first, len(chains.order) - 1, 2):
        hot, cold = chains.order[k], chains.order[k + 1]
        gain = (chains.betas[k + 1] - chains.betas[k]) * (chains.energies[cold] - chains.energies[hot])
        x = chains.random[0] = _next(chains.random[0])
        if gain >= 0 or np.float64(x >> np.uint64(11)) * 2.0**-53 < exp(gain):
            chains.order[k], chains.order[k + 1] = cold, hot


@kernel
def temper(
    puzzle: Array, chains: Array, harvest: Array, sweeps: int, steps: int, cold: int, seen: int, eager: bool
) -> int:
    """Walk all chains, `sweeps` times two walks of `steps` proposals; return the sweeps made.

    After each walk a chain that fits is harvested (and at once, not only then, if `eager`: more codes, no longer all
    equally likely). After each sweep temperatures are traded and the `cold` coldest chains enter the ring of `harvest`.
    Ends early when the harvest is full, or when `seen` > 0 and each of its codes has been seen so often.
    """
    ring, temperatures = len(harvest.soft), len(chains.order)
    for sweep in range(sweeps):
        for k in range(temperatures):
            r = chains.order[k]
            for _ in range(2):
                _walk(puzzle, chains, harvest, r, chains.accept[k], steps, eager)
                if chains.energies[r] == 0:
                    _keep(harvest, chains.codes[r])
        for k in range(temperatures - cold, temperatures):
            r, at = chains.order[k], harvest.tally[1] % ring
            for p in range(chains.codes.shape[1]):
                harvest.soft[at, p] = chains.codes[r, p]
            harvest.misses[at] = chains.energies[r]
            harvest.tally[1] += 1
        _trade(chains, sweep & 1)
        found = harvest.tally[0]
        if found == len(harvest.codes):
            return sweep + 1
        # To look at every code found costs as much as some sweeps: once in 64.
        if seen > 0 and found > 0 and (sweep & 63) == 63:
            fewest = harvest.hits[0]
            for i in range(1, found):
                fewest = min(fewest, harvest.hits[i])
            if fewest >= seen:
                return sweep + 1
    return sweeps
