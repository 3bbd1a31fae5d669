"""Genetic search for codes that fit every turn: whole generations bred inside the kernel.

Two schemes. *Berghman*: parents drawn by fitness, one- or two-point crossover, rare changes, swaps and inversions, the
whole population replaced. *Merelo*: tournaments, one operator a child, the worst replaced by children not there yet.
Kernels that call one another stand together here, since the store of compiled code notices changes in its own file
only. Random numbers come from splitmix64, whose state is the first cell of `state`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.kernels.compile import kernel

Array = Any

_GAMMA, _MIX_1, _MIX_2 = (np.uint64(word) for word in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
_A, _B, _C, _HALF = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_ELEVEN, _ONE = np.uint64(11), np.uint64(1)

BERGHMAN, MERELO = 0, 1

TRIES = 20
"""A child that is there already is drawn anew so often; small boards have fewer codes than a population."""


@kernel
def _word(state: Array) -> Any:
    state[0] += _GAMMA
    mixed = state[0]
    mixed = (mixed ^ (mixed >> _A)) * _MIX_1
    mixed = (mixed ^ (mixed >> _B)) * _MIX_2
    return mixed ^ (mixed >> _C)


@kernel
def _below(state: Array, bound: int) -> int:
    # The bounds here are small: the bias of the high half times the bound is below 2**-20.
    return int(np.int64(((_word(state) >> _HALF) * np.uint64(bound)) >> _HALF))


@kernel
def _share(state: Array) -> float:
    return np.float64(_word(state) >> _ELEVEN) / 9007199254740992.0


@kernel
def _random_code(state: Array, symbols: int, code: Array) -> None:
    for peg in range(code.size):
        code[peg] = _below(state, symbols)


@kernel
def _hash(code: Array) -> Any:
    mixed = np.uint64(code.size)
    for peg in range(code.size):
        mixed = (mixed ^ np.uint64(code[peg])) * _MIX_1 + _GAMMA
    mixed = (mixed ^ (mixed >> _B)) * _MIX_2
    return (mixed ^ (mixed >> _C)) | _ONE


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
    # Codes as columns, and how often each of them has each color; what is beyond the number is not looked at.
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
def measure(
    codes: Array, number: int, membership: bool, guesses: Array, colors: Array, copies: Array, wanted: Array,
    weights: Array, planes: Array, counts: Array, marks: Array, found: Array,
) -> None:  # fmt: skip
    """Write into `found` by how much codes miss the feedback of all turns: weighted sums of `|black - b|, |white - w|`.

    The first `number` of codes int64[N, pegs] are measured side by side. guesses, colors, copies [T, pegs]: each
    guess, its different colors and how often it has them, copies 0 after the last; wanted int64[T, 2], weights
    int64[2]. Overwritten: planes [pegs, M], counts [symbols, M], marks [2, M] and found int64[M] for an M >= number;
    they and the guesses have one type that holds every color and count. M should be a multiple of 64.
    """
    _spread(codes, number, planes, counts)
    black, both = marks[0], marks[1]
    found[:] = 0
    for turn in range(guesses.shape[0]):
        black[:] = 0
        for peg in range(guesses.shape[1]):
            plane, color = planes[peg], guesses[turn, peg]
            for index in range(plane.size):
                black[index] += plane[index] == color
        for index in range(black.size):
            found[index] += weights[0] * abs(np.int64(black[index]) - wanted[turn, 0])
        if weights[1] != 0:
            _both(membership, colors[turn], copies[turn], counts, both)
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
def _breed_berghman(
    state: Array, symbols: int, rates: Array, population: Array, missed: Array, sums: Array, children: Array
) -> None:
    # rates: offset of the fitness, share of one-point crossovers, chances of change, swap, inversion. Parents are drawn
    # with weight 1 / (1 + offset + misses).
    size = population.shape[0]
    total = 0.0
    for index in range(size):
        total += 1.0 / (1.0 + rates[0] + missed[index])
        sums[index] = total
    for index in range(size):
        _copy(population[_find(sums, _share(state) * total)], children[index])
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
def _breed_merelo(
    state: Array, symbols: int, rates: Array, population: Array, missed: Array, number: int, children: Array
) -> None:
    # rates: players of a tournament, then the weights of crossover, change, permutation.
    whole = rates[1] + rates[2] + rates[3]
    for index in range(number):
        parent = _tournament(state, int(rates[0]), missed)
        _copy(population[parent], children[index])
        pick = _share(state) * whole
        if pick < rates[1]:
            _cross_differing(state, children[index], population[_tournament(state, int(rates[0]), missed)])
        elif pick < rates[1] + rates[2]:
            _change(state, symbols, children[index])
        else:
            for peg in range(children.shape[1] - 1, 0, -1):
                other = _below(state, peg + 1)
                children[index, peg], children[index, other] = children[index, other], children[index, peg]


@kernel
def start(
    symbols: int, membership: bool, guesses: Array, colors: Array, copies: Array, wanted: Array, weights: Array,
    planes: Array, counts: Array, marks: Array, found: Array, state: Array, population: Array, missed: Array,
) -> None:  # fmt: skip
    """Fill a population with random codes and measure them."""
    for index in range(population.shape[0]):
        _random_code(state, symbols, population[index])
    measure(population, missed.size, membership, guesses, colors, copies, wanted, weights, planes, counts, marks, found)
    for index in range(missed.size):
        missed[index] = found[index]


@kernel
def _at_most(missed: Array, bound: int) -> int:
    number = 0
    for index in range(missed.size):
        number += missed[index] <= bound
    return number


@kernel
def _exchange(population: Array, missed: Array, first: int, second: int) -> None:
    for peg in range(population.shape[1]):
        population[first, peg], population[second, peg] = population[second, peg], population[first, peg]
    missed[first], missed[second] = missed[second], missed[first]


@kernel
def _worst_last(population: Array, missed: Array, kept: int) -> None:
    # Find the least bound that keeps enough, then move what is below it to the front, and of what is at it the rest.
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
            _exchange(population, missed, index, place)
            place += 1
    for index in range(place, missed.size):
        if place < kept and missed[index] == low:
            _exchange(population, missed, index, place)
            place += 1


@kernel
def _without_doubles(state: Array, symbols: int, table: Array, children: Array, number: int) -> None:
    for index in range(number):
        for _ in range(TRIES):
            if _is_new(table, _hash(children[index])):
                break
            _random_code(state, symbols, children[index])


@kernel
def evolve(
    scheme: int, generations: int, symbols: int, membership: bool, guesses: Array, colors: Array, copies: Array,
    wanted: Array, weights: Array, planes: Array, counts: Array, marks: Array, found: Array, rates: Array,
    state: Array, population: Array, missed: Array, children: Array, sums: Array, table: Array, known: Array,
    eligible: Array, progress: Array,
) -> None:  # fmt: skip
    """Breed so many generations, or until `eligible` is full, keeping every different code that fits all turns.

    population, children: int64[P, pegs]; missed: int64[P], their distances; sums: float64[P]; eligible: [E, pegs],
    filled from the front; table, known: uint64, powers of two above 2P and 2E, scratch and the codes of `eligible`.
    progress: int64[1], codes found so far. rates: see the two schemes; the fifth of Merelo's is the share that is
    replaced. Turns and scratch as in `measure`.
    """
    size = population.shape[0]
    for _ in range(generations):
        if progress[0] == eligible.shape[0]:
            return
        number = size
        table[:] = 0
        if scheme == BERGHMAN:
            _breed_berghman(state, symbols, rates, population, missed, sums, children)
        else:
            number = int(rates[4] * size)
            _breed_merelo(state, symbols, rates, population, missed, number, children)
            _worst_last(population, missed, size - number)
            for index in range(size - number):
                _is_new(table, _hash(population[index]))
        _without_doubles(state, symbols, table, children, number)
        measure(children, number, membership, guesses, colors, copies, wanted, weights, planes, counts, marks, found)
        for index in range(number):
            _copy(children[index], population[size - number + index])
            missed[size - number + index] = found[index]
            if found[index] == 0 and progress[0] < eligible.shape[0] and _is_new(known, _hash(children[index])):
                _copy(children[index], eligible[progress[0]])
                progress[0] += 1
