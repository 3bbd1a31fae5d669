"""Genetic search for codes that fit every turn: whole generations bred inside the kernel.

Two schemes. *Berghman*: parents drawn by fitness, one- or two-point crossover, rare changes, swaps and inversions, the
whole population replaced. *Merelo*: tournaments, one operator a child, the worst replaced by children not there yet.
Random numbers come from SplitMix64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import GAMMA, MIX_1, mixed

_HALF = np.uint64(32)


_mixed = inner(mixed)


class TurnArrays(NamedTuple):
    """The turns to fit, and the costs of missing them.

    membership: whether colors count once for each peg of the guess. guesses, colors, copies [T, pegs]: each guess, its
    different colors and how often it has them, copies 0 after the last; wanted int64[T, 2], blacks and whites told;
    weights int64[2], of a black and of a white missed.
    """

    membership: bool
    guesses: Array
    colors: Array
    copies: Array
    wanted: NDArray[np.int64]
    weights: NDArray[np.int64]


class MeasureScratch(NamedTuple):
    """Room to measure M codes side by side, M a multiple of 64: planes [pegs, M], counts [symbols, M], marks [2, M].

    They and the guesses have one type that holds every color and count. found: int64[M], the measured values.
    """

    planes: Array
    counts: Array
    marks: Array
    found: NDArray[np.int64]


class Population(NamedTuple):
    """P codes and their children, int64[P, pegs] each; missed: int64[P], the distances of the codes.

    state: uint64[1], of the generator. Scratch: sums: float64[P], table: uint64, a power of two above 2P.
    """

    codes: NDArray[np.int64]
    missed: NDArray[np.int64]
    children: NDArray[np.int64]
    state: NDArray[np.uint64]
    sums: NDArray[np.float64]
    table: NDArray[np.uint64]


class Fitting(NamedTuple):
    """The different codes that fit all turns: codes [E, pegs], filled from the front, number: int64[1] of them.

    known: uint64, a power of two above 2E, their hashes.
    """

    codes: NDArray[np.int64]
    number: NDArray[np.int64]
    known: NDArray[np.uint64]


@kernel
def _word(state: Array) -> Any:
    state[0] += GAMMA
    return _mixed(state[0])


@kernel
def _below(state: Array, bound: int) -> int:
    # The bounds here are small: the bias of the high half times the bound is below 2**-20.
    return int(np.int64(((_word(state) >> _HALF) * np.uint64(bound)) >> _HALF))


@kernel
def _share(state: Array) -> float:
    return np.float64(_word(state) >> np.uint64(11)) * 2.0**-53


@kernel
def _random_code(state: Array, symbols: int, code: Array) -> None:
    for peg in range(code.size):
        code[peg] = _below(state, symbols)


@kernel
def _hash(code: Array) -> Any:
    key = np.uint64(code.size)
    for peg in range(code.size):
        key = (key ^ np.uint64(code[peg])) * MIX_1 + GAMMA
    return _mixed(key) | np.uint64(1)


@kernel
def _is_new(table: Array, key: Any) -> bool:
    # Open addressing; a zero is a free cell, and no key is zero.
    at = np.int64(key & np.uint64(table.size - 1))
    while table[at] != 0:
        if table[at] == key:
            return False
        at = (at + 1) & (table.size - 1)
    table[at] = key
    return True


@kernel
def _spread(codes: Array, number: int, planes: Array, counts: Array) -> None:
    # Codes as columns, and how often each of them has each color; columns beyond the number are not looked at.
    for peg in range(codes.shape[1]):
        for index in range(number):
            planes[peg, index] = codes[index, peg]
    for color in range(counts.shape[0]):
        row = counts[color]
        row[:] = 0
        for peg in range(planes.shape[0]):
            plane = planes[peg]
            for index in range(plane.size):
                row[index] += plane[index] == color


@kernel
def _both(membership: bool, colors: Array, copies: Array, counts: Array, both: Array) -> None:
    # Blacks and whites together, color by color of one guess; copies are 0 after the last.
    both[:] = 0
    for place in range(colors.size):
        number = copies[place]
        if number == 0:
            break
        row = counts[colors[place]]
        if membership:
            for index in range(row.size):
                both[index] += number * (row[index] > 0)
        else:
            for index in range(row.size):
                both[index] += min(row[index], number)


@kernel
def measure(codes: Array, number: int, turns: Array, scratch: Array) -> None:
    """Find by how much codes miss the feedback of all turns: weighted sums of `|black - b|, |white - w|`.

    The first `number` of codes int64[N, pegs] are measured side by side; `scratch.found` holds the result.
    """
    found, weights, wanted = scratch.found, turns.weights, turns.wanted
    planes, counts = scratch.planes, scratch.counts
    _spread(codes, number, planes, counts)
    black, both = scratch.marks[0], scratch.marks[1]
    found[:] = 0
    for turn in range(turns.guesses.shape[0]):
        black[:] = 0
        for peg in range(turns.guesses.shape[1]):
            plane, color = planes[peg], turns.guesses[turn, peg]
            for index in range(plane.size):
                black[index] += plane[index] == color
        for index in range(black.size):
            found[index] += weights[0] * abs(np.int64(black[index]) - wanted[turn, 0])
        if weights[1] != 0:
            _both(turns.membership, turns.colors[turn], turns.copies[turn], counts, both)
            for index in range(both.size):
                white = np.int64(both[index]) - np.int64(black[index])
                found[index] += weights[1] * abs(white - wanted[turn, 1])


@kernel
def _cross(state: Array, one_point: float, a: Array, b: Array) -> None:
    # Exchange the pegs from one point on, or between two.
    pegs = a.size
    if pegs < 2:
        return
    low, high = 1 + _below(state, pegs - 1), pegs
    if _share(state) >= one_point and pegs > 2:
        high = 1 + _below(state, pegs - 1)
        if low > high:
            low, high = high, low
    for peg in range(low, high):
        a[peg], b[peg] = b[peg], a[peg]


@kernel
def _swap(state: Array, code: Array) -> None:
    first, second = _below(state, code.size), _below(state, code.size)
    code[first], code[second] = code[second], code[first]


@kernel
def _invert(state: Array, code: Array) -> None:
    first, last = _below(state, code.size), _below(state, code.size)
    if first > last:
        first, last = last, first
    while first < last:
        code[first], code[last] = code[last], code[first]
        first, last = first + 1, last - 1


@kernel
def _change(state: Array, symbols: int, code: Array) -> None:
    if symbols > 1:
        peg = _below(state, code.size)
        code[peg] = (code[peg] + 1 + _below(state, symbols - 1)) % symbols


@kernel
def _copy(code: Array, into: Array) -> None:
    # Slices are copied by hand: where two arrays might overlap the compiler would allocate.
    for peg in range(code.size):
        into[peg] = code[peg]


@kernel
def _find(sums: Array, value: float) -> int:
    # The first place whose running sum passes the value.
    low, high = 0, sums.size - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > value:
            high = middle
        else:
            low = middle + 1
    return low


@kernel
def _breed_berghman(symbols: int, rates: Array, population: Array) -> None:
    # rates: offset of the fitness, share of one-point crossovers, chances of change, swap, inversion. Parents are drawn
    # with weight 1 / (1 + offset + misses).
    state, children, missed, sums = population.state, population.children, population.missed, population.sums
    size = missed.size
    total = 0.0
    for index in range(size):
        total += 1.0 / (1.0 + rates[0] + missed[index])
        sums[index] = total
    for index in range(size):
        _copy(population.codes[_find(sums, _share(state) * total)], children[index])
    for index in range(0, size - 1, 2):
        _cross(state, rates[1], children[index], children[index + 1])
    for index in range(size):
        if _share(state) < rates[2]:
            _change(state, symbols, children[index])
        if _share(state) < rates[3]:
            _swap(state, children[index])
        if _share(state) < rates[4]:
            _invert(state, children[index])


@kernel
def _tournament(state: Array, players: int, missed: Array) -> int:
    best = _below(state, missed.size)
    for _ in range(players - 1):
        other = _below(state, missed.size)
        if missed[other] < missed[best]:
            best = other
    return best


@kernel
def _cross_differing(state: Array, child: Array, other: Array) -> None:
    # Uniform crossover among the pegs that differ: about half of them come from the other.
    for peg in range(child.size):
        if child[peg] != other[peg] and _below(state, 2) == 0:
            child[peg] = other[peg]


@kernel
def _breed_merelo(symbols: int, rates: Array, population: Array, number: int) -> None:
    # rates: players of a tournament, then the weights of crossover, change, permutation.
    state, codes, missed, children = population.state, population.codes, population.missed, population.children
    whole = rates[1] + rates[2] + rates[3]
    for index in range(number):
        parent = _tournament(state, int(rates[0]), missed)
        _copy(codes[parent], children[index])
        pick = _share(state) * whole
        if pick < rates[1]:
            _cross_differing(state, children[index], codes[_tournament(state, int(rates[0]), missed)])
        elif pick < rates[1] + rates[2]:
            _change(state, symbols, children[index])
        else:
            for peg in range(children.shape[1] - 1, 0, -1):
                other = _below(state, peg + 1)
                children[index, peg], children[index, other] = children[index, other], children[index, peg]


@kernel
def start(symbols: int, turns: Array, scratch: Array, population: Array) -> None:
    """Fill a population with random codes and measure them."""
    missed = population.missed
    for index in range(missed.size):
        _random_code(population.state, symbols, population.codes[index])
    measure(population.codes, missed.size, turns, scratch)
    for index in range(missed.size):
        missed[index] = scratch.found[index]


@kernel
def _at_most(missed: Array, bound: int) -> int:
    number = 0
    for index in range(missed.size):
        number += missed[index] <= bound
    return number


@kernel
def _exchange(codes: Array, missed: Array, first: int, second: int) -> None:
    for peg in range(codes.shape[1]):
        codes[first, peg], codes[second, peg] = codes[second, peg], codes[first, peg]
    missed[first], missed[second] = missed[second], missed[first]


@kernel
def _worst_last(codes: Array, missed: Array, kept: int) -> None:
    # Find the least bound that keeps enough, then move codes below it to the front, and of those at it the rest.
    low, high = 0, 0
    for index in range(missed.size):
        high = max(high, missed[index])
    while low < high:
        middle = (low + high) // 2
        if _at_most(missed, middle) >= kept:
            high = middle
        else:
            low = middle + 1
    place = 0
    for index in range(missed.size):
        if missed[index] < low:
            _exchange(codes, missed, index, place)
            place += 1
    for index in range(place, missed.size):
        if place < kept and missed[index] == low:
            _exchange(codes, missed, index, place)
            place += 1


@kernel
def _without_doubles(symbols: int, population: Array, number: int) -> None:
    for index in range(number):
        # Small boards have fewer codes than a population: in the end a code may be there twice.
        for _ in range(20):
            if _is_new(population.table, _hash(population.children[index])):
                break
            _random_code(population.state, symbols, population.children[index])


@kernel
def evolve(
    scheme: int, rates: Array, generations: int, symbols: int, turns: Array, scratch: Array, population: Array,
    fitting: Array,
) -> None:  # fmt: skip
    """Breed a number of generations, or until there is no more room, keeping every different code that fits all turns.

    rates: see the two schemes; the fifth of Merelo's is the share that is replaced.
    """
    codes, missed, children = population.codes, population.missed, population.children
    size = missed.size
    for _ in range(generations):
        if fitting.number[0] == fitting.codes.shape[0]:
            return
        number = size
        population.table[:] = 0
        # 0 is Berghman's, 1 Merelo's.
        if scheme == 0:
            _breed_berghman(symbols, rates, population)
        else:
            number = int(rates[4] * size)
            _breed_merelo(symbols, rates, population, number)
            _worst_last(codes, missed, size - number)
            # Those that stay are entered first: a child like one of them counts as there already.
            for index in range(size - number):
                _is_new(population.table, _hash(codes[index]))
        _without_doubles(symbols, population, number)
        measure(children, number, turns, scratch)
        # Berghman replaces the whole population, Merelo its worst, which stand last.
        for index in range(number):
            place, misses = size - number + index, scratch.found[index]
            _copy(children[index], codes[place])
            missed[place] = misses
            found = fitting.number[0]
            if misses == 0 and found < fitting.codes.shape[0] and _is_new(fitting.known, _hash(children[index])):
                _copy(children[index], fitting.codes[found])
                fitting.number[0] += 1
