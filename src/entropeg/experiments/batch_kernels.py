"""Plays games in compiled code: the same games, guess for guess, that the general loop plays.

The kernels draw from NumPy's own generator (PCG64 with the bounded draws of `Generator.integers` and
`Generator.choice`), so that game for game the numbers are those of `play`; the tests hold the two against each other.
A generator is a row of six `uint64`: state high, state low, increment high, increment low, whether a half-used word
is kept, and that half.

Sources: M. O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number
Generation (2014); D. Lemire, Fast Random Integer Generation in an Interval (2019).
"""

# Compiled functions have no keyword-only arguments, and no object to pack their arrays in:
# ruff: noqa: C901, FBT001, FBT003, PLR0912, PLR0913, PLR0917

from __future__ import annotations

from typing import Any

import numpy as np

from entropeg.experiments._plain_streams import DIFFERENT, LEFT, LISTED, REPEATED
from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.label_kernels import set_labels
from entropeg.sizes import BLACK

_MULTIPLIER_HIGH, _MULTIPLIER_LOW = np.uint64(0x2360ED051FC65DA4), np.uint64(0x4385DF649FCCF645)
_HALF, _LOW32 = np.uint64(32), np.uint64(0xFFFFFFFF)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SIXTY_THREE = np.uint64(63)


@inner
def _step(rng: Array) -> None:
    # state = state * multiplier + increment, modulo 2**128.
    low, a, b = rng[1], rng[1] & _LOW32, rng[1] >> _HALF
    c, d = _MULTIPLIER_LOW & _LOW32, _MULTIPLIER_LOW >> _HALF
    middle = b * c + (a * c >> _HALF)
    carry = a * d + (middle & _LOW32)
    high = b * d + (middle >> _HALF) + (carry >> _HALF)
    high += rng[0] * _MULTIPLIER_LOW + low * _MULTIPLIER_HIGH + rng[2]
    rng[1] = low * _MULTIPLIER_LOW + rng[3]
    rng[0] = high + (_ONE if rng[1] < rng[3] else _ZERO)


@inner
def _next32(rng: Array) -> Any:
    if rng[4] != _ZERO:
        rng[4] = _ZERO
        return rng[5]
    _step(rng)
    mixed, turn = rng[0] ^ rng[1], rng[0] >> np.uint64(58)
    word = (mixed >> turn) | (mixed << ((_ZERO - turn) & _SIXTY_THREE))
    rng[4], rng[5] = _ONE, word >> _HALF
    return word & _LOW32


@inner
def _below(rng: Array, bound: int) -> int:
    # A number in 0..bound-1, bound < 2**32, as Generator.integers(bound) draws it: Lemire's method, nothing drawn for
    # a single choice.
    if bound == 1:
        return 0
    size = np.uint64(bound)
    product = _next32(rng) * size
    if product & _LOW32 < size:
        threshold = (_LOW32 + _ONE - size) % size
        while product & _LOW32 < threshold:
            product = _next32(rng) * size
    return np.int64(product >> _HALF)  # type: ignore[return-value]  # compiled: an int


@inner
def _draw_different(rng: Array, symbols: int, code: Array, size: int) -> None:
    # Into code[:size], as Generator.choice(symbols, size, replace=False): Floyd's sample, then a shuffle.
    for peg in range(size):
        last = symbols - size + peg
        drawn = _below(rng, last + 1)
        for earlier in range(peg):
            if code[earlier] == drawn:
                drawn = last
                break
        code[peg] = drawn
    for peg in range(size - 1, 0, -1):
        other = _below(rng, peg + 1)
        code[peg], code[other] = code[other], code[peg]


@inner
def _permute(rng: Array, code: Array) -> None:
    # In the order of Generator.permutation(pegs), which draws below a power of two until the number fits.
    for peg in range(len(code) - 1, 0, -1):
        mask = np.uint64(1)
        while mask < np.uint64(peg):
            mask = mask << _ONE | _ONE
        other = np.int64(_next32(rng) & mask)
        while other > peg:
            other = np.int64(_next32(rng) & mask)
        code[peg], code[other] = code[other], code[peg]


@inner
def _draw_holes(rng: Array, weights: Array) -> Any:
    # The number of blanks, as codes.random_guess draws it: whole bytes, the first one highest, until below the sum.
    bound = np.uint64(0)
    for holes in range(len(weights)):
        bound += np.uint64(weights[holes])
    size = 0
    while size < 8 and bound >> np.uint64(8 * size) != _ZERO:
        size += 1
    pick = bound
    while pick >= bound:
        pick, word = _ZERO, _ZERO
        for byte in range(size):
            word = word >> np.uint64(8) if byte % 4 else _next32(rng)
            pick = (pick << np.uint64(8)) | (word & np.uint64(255))
    holes = 0
    while pick >= np.uint64(weights[holes]):
        pick -= np.uint64(weights[holes])
        holes += 1
    return holes


@inner
def _draw_holed(rng: Array, colors: int, weights: Array, code: Array) -> None:
    # Different colors, then some blanks, and the places permuted.
    pegs = len(code)
    holes = _draw_holes(rng, weights)
    _draw_different(rng, colors, code, pegs - holes)
    for peg in range(pegs - holes, pegs):
        code[peg] = colors
    _permute(rng, code)


@inner
def _draw_code(rng: Array, draw: Any, code: Array) -> Any:
    # Into code: int64[pegs], as codes.random_guess and random_secret draw it (`streams.Draw`). Returns its number: in
    # the list of words, else to the base of the symbols, modulo 2**64.
    if draw.way == LISTED:
        word = _below(rng, draw.words.shape[1])
        for peg in range(len(code)):
            code[peg] = draw.words[peg, word]
        return word
    if draw.way == REPEATED:
        for peg in range(len(code)):
            code[peg] = _below(rng, draw.symbols)
    elif draw.way == DIFFERENT:
        _draw_different(rng, draw.symbols, code, len(code))
    else:
        _draw_holed(rng, draw.symbols - 1, draw.weights, code)
    rank = 0
    for peg in range(len(code)):
        rank = rank * draw.symbols + code[peg]
    return rank


@kernel
def start_generators(words: Array, rngs: Array) -> None:
    """Start PCG64 generators, into `rngs` (`uint64[n, 6]` of zeros), from the seed words of each, `uint64[n, 4]`."""
    for i in range(len(words)):
        rng = rngs[i]
        rng[2] = (words[i, 2] << _ONE) | (words[i, 3] >> _SIXTY_THREE)
        rng[3] = (words[i, 3] << _ONE) | _ONE
        _step(rng)
        rng[1] += words[i, 1]
        rng[0] += words[i, 0] + (_ONE if rng[1] < words[i, 1] else _ZERO)
        _step(rng)


@kernel
def draw_codes(rngs: Array, draw: Any, code: Array, planes: Array) -> None:
    """Draw one code from each generator (`uint64[n, 6]`, advanced), into `planes`: `int64[pegs, n]`.

    `draw` is a `streams.Draw`. Scratch: `code`, `int64[pegs]`.
    """
    for i in range(len(rngs)):
        _draw_code(rngs[i], draw, code)
        for peg in range(len(code)):
            planes[peg, i] = code[peg]


@kernel
def draw_below(rngs: Array, bound: int, drawn: Array) -> None:
    """Draw a number in 0..bound-1 from each generator (`uint64[n, 6]`, advanced), into `drawn`: `int64[n]`."""
    for i in range(len(rngs)):
        drawn[i] = _below(rngs[i], bound)


@kernel
def blind_games(rngs: Array, secrets: Array, draw: Any, limit: int, seen: Array, code: Array, out: Array) -> None:
    """Count how many random guesses find each secret, into `out`: `int32[n]`, 0 where `limit` (0: none) comes first.

    `rngs` `uint64[n, 6]`, advanced; `secrets` `int64[pegs, n]`; `draw` a `streams.Draw`. `seen`, `int32` of zeros, one
    for each number of a code that is drawn, is for a codebreaker with memory (a draw already made does not count as a
    guess) and is overwritten; empty for one without. Scratch: `code`, `int64[pegs]`.
    """
    pegs, games = secrets.shape
    for game in range(games):
        out[game] = 0
        turns = 0
        while limit == 0 or turns < limit:
            rank = _draw_code(rngs[game], draw, code)
            if len(seen):
                # The number of the game marks a code as played, so that nothing is cleared between games.
                if seen[rank] == game + 1:
                    continue
                seen[rank] = game + 1
            turns += 1
            won = True
            for peg in range(pegs):
                won &= code[peg] == secrets[peg, game]
            if won:
                out[game] = turns
                break


@inner
def _score(kind: int, code: Array, planes: Array, size: int, counts: Array, work: Array, labels: Array) -> None:
    # Into labels[:size]: the feedback of a code for each of the secrets planes[:, :size]. How many pegs of them have
    # each color of the code is counted before; no other row of counts is read.
    for peg in range(len(code) if kind != BLACK else 0):
        color = code[peg]
        row = counts[color, :size]
        row[:] = 0
        for other in range(len(code)):
            plane = planes[other, :size]
            for k in range(size):
                row[k] += plane[k] == color
    chunk = work.size - 2 * len(code)
    for lo in range(0, size, chunk):
        set_labels(kind, False, code, planes, counts, lo, work, labels[lo : min(size, lo + chunk)])


@inner
def _keep(labels: Array, answer: int, planes: Array, size: int, left: Array, left_planes: Array) -> int:
    # Copy the secrets that have this label, in their order, to the front of left_planes; return their number.
    kept = 0
    for k in range(size):
        left[kept] = k
        kept += labels[k] == answer
    for peg in range(len(planes)):
        before, after = planes[peg], left_planes[peg]
        for k in range(kept):
            after[k] = before[left[k]]
    return kept


@inner
def _cheat(rng: Array, labels: Array, size: int, sizes: Array, win: int, first: bool) -> int:
    # The label of the largest part; among equals not the win, then one at random, or the lowest. `sizes` is zero
    # before and after.
    for k in range(size):
        sizes[labels[k]] += 1
    largest = 0
    for k in range(size):
        largest = max(largest, sizes[labels[k]])
    ties = 0
    for label in range(len(sizes)):
        ties += sizes[label] == largest
    last = len(sizes) if ties == 1 else win
    if last == win and sizes[win] == largest:
        ties -= 1
    pick = 0 if first else _below(rng, ties)
    answer = -1
    for label in range(last):
        if sizes[label] == largest:
            if pick == 0:
                answer = label
                break
            pick -= 1
    for k in range(size):
        sizes[labels[k]] = 0
    return answer


@kernel
def filtered_games(
    board: Any, draw: Any, secrets: Array, seen: Array, breakers: Array, makers: Array, first: bool, limit: int,
    out: Array,
) -> None:  # fmt: skip
    """Count the guesses of a codebreaker whose answers leave candidates, into `out`: `int32[n]`, 0 for a lost game.

    `board` is a `batch.Filter`. Guesses are drawn among the candidates where the way of `draw` is `LEFT`, else
    as in `blind_games`, with `seen` as there. `secrets` `int64[n]`: the number of each game's secret, or -1 for the
    codemaker that answers with the largest part, ties to the lowest label where `first`. `breakers`, `makers`
    `uint64[n, 6]`: generators, advanced; those of makers only against that codemaker. A game is lost after `limit`
    guesses (0: no limit).
    """
    kind, code, counts, work, labels = board.kind, board.code, board.counts, board.work, board.labels
    every, left, left_planes, sizes, win = board.planes, board.left, board.left_planes, board.sizes, board.win
    for game in range(len(secrets)):
        out[game] = 0
        planes, size, turns, place = every, every.shape[1], 0, secrets[game]
        while limit == 0 or turns < limit:
            if draw.way == LEFT:
                guess = _below(breakers[game], size)
                for peg in range(len(code)):
                    code[peg] = planes[peg, guess]
            else:
                rank = _draw_code(breakers[game], draw, code)
                if len(seen):
                    if seen[rank] == game + 1:
                        continue
                    seen[rank] = game + 1
            turns += 1
            # With one candidate left the answer is forced, and nothing is drawn for it.
            if size == 1:
                won = True
                for peg in range(len(code)):
                    won &= code[peg] == planes[peg, 0]
                if won:
                    out[game] = turns
                    break
                continue
            _score(kind, code, planes, size, counts, work, labels)
            # The secret is a candidate to the end, so its label stands among theirs and is not scored once more.
            answer = int(labels[place])
            if place < 0:
                answer = _cheat(makers[game], labels, size, sizes, win, first)
            if answer == win:
                out[game] = turns
                break
            size = _keep(labels, answer, planes, size, left, left_planes)
            planes = left_planes
            if place >= 0:
                before, place = place, min(place, size - 1)
                while left[place] != before:
                    place -= 1
