"""Walks every labelling of the guesses' pegs that the feedback allows, and the codes that each leads to.

A level is a peg of a guess (turn by turn, peg by peg), which gets a label, or after those a peg of the code, which gets
a color. Labels: 0 in place, 1 misplaced, 2 wrong. One search tree, walked with a few small arrays: nothing grows with
the number of codes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from entropeg.kernels.compile import Array, inner, kernel
from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.sizes import BLACK, MEMBERSHIP, STANDARD

GREEN, MISPLACED, WRONG = 0, 1, 2

_mixed = inner(mixed)


class AskedPegs(NamedTuple):
    """The pegs of T guesses, int64[T, pegs] each.

    guesses: colors in the order in which the pegs get labels, the pegs of one color one after the other; place: which
    pegs these are; later: pegs of the same color that follow; forced: the only label allowed, or -1.
    """

    guesses: Array
    place: Array
    later: Array
    forced: Array


class Labelling(NamedTuple):
    """The state of a search, all of it overwritten, int64.

    left[T, 3]: labels still to be given in each turn. lo, hi[T + 1, symbols]: how often a color can occur given the
    turns before. tally, gone[T, symbols]: labels 0 and 1, and labels 2, given to a color in a turn. fixed[2, pegs]: the
    color that a peg must have or -1, and by how many labels. barred[pegs, symbols]: by how many labels a color is kept
    from a peg. greens[symbols]: pegs fixed to a color. used[symbols + 1]: colors placed, and in the last cell colors
    still to be placed at least. code[T * pegs + pegs]: the labels and colors chosen.
    """

    left: Array
    lo: Array
    hi: Array
    tally: Array
    gone: Array
    fixed: Array
    barred: Array
    greens: Array
    used: Array
    code: Array


@kernel
def _share(random: Array) -> float:
    random[0] += GAMMA
    return np.float64(_mixed(random[0]) >> np.uint64(11)) * 2.0**-53


@kernel
def _may_be(kind: int, color: int, peg: int, label: int, least: int, most: int, number: int, wrong: int, later: int,
            state: Array) -> bool:  # fmt: skip
    # Whether a label contradicts none of its ancestors. The color occurs `least` to `most` times by the turns before;
    # `number` pegs of this turn have it with label G or B, `wrong` with W, and `later` ones are still to come.
    fixed, barred, greens = state.fixed, state.barred, state.greens
    here = fixed[0, peg]
    if label == GREEN:
        if (here >= 0 and here != color) or barred[peg, color] > 0:
            return False
        if here < 0 and greens[color] >= most:
            return False
    elif here == color:
        return False
    if kind == BLACK:
        return label != MISPLACED
    if kind == MEMBERSHIP:
        # One color is in the secret or it is not: no turn may say both.
        if label == WRONG:
            return number == 0 and least == 0 and greens[color] == 0
        return wrong == 0 and most > 0
    if label == WRONG:
        # No more copies than those before and the ones that may come.
        return least <= number + later
    # With multiplicity the marks go to the first of the misplaced: no B of a color after a W of it.
    return number < most and (label == GREEN or wrong == 0)


@kernel
def _close(kind: int, pegs: int, color: int, turn: int, state: Array) -> bool:
    # The last peg of a color in a turn: the turn's bounds on how often it occurs.
    lo, hi, tally, gone = state.lo, state.hi, state.tally, state.gone
    fixed, barred, greens = state.fixed, state.barred, state.greens
    least, most = lo[turn, color], hi[turn, color]
    if kind == MEMBERSHIP:
        if gone[turn, color] > 0:
            most = 0
        else:
            least = max(least, 1)
    elif kind != BLACK:
        least = max(least, tally[turn, color])
        if gone[turn, color] > 0:
            most = min(most, tally[turn, color])
    lo[turn + 1, color], hi[turn + 1, color] = least, most
    if least > most or greens[color] > most:
        return False
    # The color must still find as many places as it needs at least.
    room = 0
    for peg in range(pegs):
        here = fixed[0, peg]
        room += here == color or (here < 0 and barred[peg, color] == 0)
    return bool(room >= least)


@kernel
def _put(color: int, peg: int, label: int, turn: int, state: Array, sign: int) -> None:
    # Give a label (sign 1) or take it back (sign -1).
    fixed = state.fixed
    state.left[turn, label] -= sign
    if label == WRONG:
        state.gone[turn, color] += sign
    else:
        state.tally[turn, color] += sign
    if label != GREEN:
        state.barred[peg, color] += sign
        return
    before = fixed[1, peg]
    fixed[1, peg] += sign
    if before == 0 or fixed[1, peg] == 0:
        state.greens[color] += sign
        fixed[0, peg] = color if sign > 0 else -1


@kernel
def _try_label(kind: int, asked: Array, state: Array, level: int, label: int) -> bool:
    # Give a label if nothing speaks against it.
    guesses, place, later, forced = asked.guesses, asked.place, asked.later, asked.forced
    lo, hi, pegs = state.lo, state.hi, guesses.shape[1]
    turn, index = level // pegs, level % pegs
    color, peg = guesses[turn, index], place[turn, index]
    if state.left[turn, label] == 0 or (forced[turn, index] >= 0 and forced[turn, index] != label):
        return False
    if index == 0:
        for other in range(lo.shape[1]):
            lo[turn + 1, other], hi[turn + 1, other] = lo[turn, other], hi[turn, other]
    least, most = lo[turn, color], hi[turn, color]
    number, wrong = state.tally[turn, color], state.gone[turn, color]
    if not _may_be(kind, color, peg, label, least, most, number, wrong, later[turn, index], state):
        return False
    _put(color, peg, label, turn, state, 1)
    fits = True
    if later[turn, index] == 0:
        fits = _close(kind, pegs, color, turn, state)
    # After a turn's last peg: the pegs that all colors need together must find room in the code.
    if fits and index == pegs - 1:
        wanted = 0
        for other in range(lo.shape[1]):
            wanted += max(lo[turn + 1, other], state.greens[other])
        fits = wanted <= pegs
    if not fits:
        _put(color, peg, label, turn, state, -1)
    return fits


@kernel
def _open_code(state: Array) -> None:
    # Before the first peg of the code: nothing is placed, and the colors wanted at least are still to come.
    lo, used = state.lo, state.used
    symbols = lo.shape[1]
    used[:] = 0
    for color in range(symbols):
        used[symbols] += lo[lo.shape[0] - 1, color]


@kernel
def _try_color(peg: int, color: int, state: Array) -> bool:
    # Put a color on a peg of the code if that leaves room for the colors still wanted.
    lo, used, barred = state.lo, state.used, state.barred
    last, symbols, pegs = lo.shape[0] - 1, lo.shape[1], barred.shape[0]
    here = state.fixed[0, peg]
    if (here >= 0 and here != color) or barred[peg, color] > 0 or used[color] >= state.hi[last, color]:
        return False
    wanted = used[color] < lo[last, color]
    if used[symbols] - wanted > pegs - peg - 1:
        return False
    used[symbols] -= wanted
    used[color] += 1
    return True


@kernel
def _lift_color(color: int, state: Array) -> None:
    lo, used = state.lo, state.used
    used[color] -= 1
    used[lo.shape[1]] += used[color] < lo[lo.shape[0] - 1, color]


@kernel
def walk(kind: int, asked: Array, state: Array, bottom: int, steps: int, cursor: Array, out: Array) -> int:
    """Go on through the tree, write each path that reaches level `bottom` to a row of `out`, return their number.

    `bottom` is T * pegs for label sequences, pegs more for codes: rows hold the last out.shape[1] choices. Stops when
    `out` is full, after `steps` choices, or at the end. cursor int64[2]: the level, -1 when everything was walked, and
    the choices tried so far; code starts with -1 everywhere.
    """
    code, symbols, labels = state.code, state.lo.shape[1], asked.guesses.size
    found, level = 0, cursor[0]
    end = cursor[1] + steps
    while level >= 0 and found < out.shape[0] and cursor[1] < end:
        if level < bottom:
            if level == labels and code[level] < 0:
                _open_code(state)
            limit = 3 if level < labels else symbols
            # From the choice after the last one tried here, so that a walk can stop and go on at any place.
            moved = False
            choice = code[level] + 1
            while choice < limit and not moved:
                cursor[1] += 1
                if level < labels:
                    moved = _try_label(kind, asked, state, level, choice)
                else:
                    moved = _try_color(level - labels, choice, state)
                choice += 1
            if moved:
                code[level] = choice - 1
                level += 1
                continue
            code[level] = -1
        else:
            for index in range(out.shape[1]):
                out[found, index] = code[bottom - out.shape[1] + index]
            found += 1
        level -= 1
        if level >= 0:
            _take_back(level, asked, state)
    cursor[0] = level
    return found


@kernel
def _take_back(level: int, asked: Array, state: Array) -> None:
    guesses, code, pegs = asked.guesses, state.code, asked.guesses.shape[1]
    if level >= guesses.size:
        _lift_color(code[level], state)
        return
    turn, index = level // pegs, level % pegs
    _put(guesses[turn, index], asked.place[turn, index], code[level], turn, state, -1)


@kernel
def _look_ahead(kind: int, asked: Array, state: Array, turn: int, ways: Array) -> None:
    # ways[i, g, b, k, w]: in how many ways the pegs of a turn from the i-th on can take g greens and b misplaced where
    # k pegs of the color that the i-th has are labelled G or B before it, and any W (w = 1). It knows all that a turn
    # says of a single color, as its pegs stand together, but not what colors together say.
    guesses, later, forced, lo, hi = asked.guesses, asked.later, asked.forced, state.lo, state.hi
    pegs, green, misplaced = guesses.shape[1], state.left[turn, GREEN], state.left[turn, MISPLACED]
    for g in range(green + 1):
        for b in range(misplaced + 1):
            ways[pegs, g, b, 0, 0] = 1.0 if g + b == 0 else 0.0
    for index in range(pegs - 1, -1, -1):
        color, peg, copies = guesses[turn, index], asked.place[turn, index], 0
        while copies < index and guesses[turn, index - copies - 1] == color:
            copies += 1
        for g in range(green + 1):
            for b in range(misplaced + 1):
                for k in range(copies + 1):
                    ways[index, g, b, k, 0], ways[index, g, b, k, 1] = 0.0, 0.0
        for label in range(3):
            if forced[turn, index] >= 0 and forced[turn, index] != label:
                continue
            for k in range(copies + 1):
                for w in range(2):
                    if _may_be(kind, color, peg, label, lo[turn, color], hi[turn, color], k, w, later[turn, index],
                               state):  # fmt: skip
                        _add_ways(kind, label, later[turn, index], lo[turn, color], green, misplaced, index, k, w, ways)


@kernel
def _add_ways(kind: int, label: int, later: int, least: int, green: int, misplaced: int, index: int, k: int, w: int,
              ways: Array) -> None:  # fmt: skip
    number, wrong = k + (label != WRONG), 1 if label == WRONG else w
    if later == 0:
        if kind == STANDARD and wrong == 1 and number < least:
            return
        number, wrong = 0, 0
    for g in range(label == GREEN, green + 1):
        for b in range(label == MISPLACED, misplaced + 1):
            ways[index, g, b, k, w] += ways[index + 1, g - (label == GREEN), b - (label == MISPLACED), number, wrong]


@kernel
def _room(kind: int, pegs: int, turn: int, state: Array) -> int:
    # Pegs of the code that no color has claimed yet.
    claimed = 0
    for color in range(state.lo.shape[1]):
        claimed += _claim(kind, color, turn, state)
    return pegs - claimed


@kernel
def _claim(kind: int, color: int, turn: int, state: Array) -> int:
    # How often a color has to occur by the turns before and the labels of this one.
    number = state.tally[turn, color]
    if kind == BLACK:
        number = 0
    elif kind == MEMBERSHIP:
        number = min(number, 1)
    return int(max(state.lo[turn, color], state.greens[color], number))


@kernel
def _weigh_labels(kind: int, asked: Array, state: Array, level: int, ways: Array, weights: Array) -> float:
    # The worth of each label of this peg: the ways to label the pegs after it, less where it claims a peg of the code
    # for a color of which one copy more is needed, nothing where it contradicts. Returns the sum.
    guesses, left = asked.guesses, state.left
    pegs, total = guesses.shape[1], 0.0
    turn, index = level // pegs, level % pegs
    color = guesses[turn, index]
    if index == 0:
        _look_ahead(kind, asked, state, turn, ways)
    room = _room(kind, pegs, turn, state)
    claim = _claim(kind, color, turn, state)
    for label in range(3):
        weights[label] = 0.0
        if _try_label(kind, asked, state, level, label):
            number, wrong = state.tally[turn, color], min(1, state.gone[turn, color])
            if asked.later[turn, index] == 0:
                number, wrong = 0, 0
            weights[label] = ways[index + 1, left[turn, GREEN], left[turn, MISPLACED], number, wrong]
            if _claim(kind, color, turn, state) > claim:
                weights[label] *= room / (pegs - index)
            state.code[level] = label
            _take_back(level, asked, state)
        total += weights[label]
    return total


@kernel
def _weigh_colors(peg: int, state: Array, weights: Array) -> float:
    # Every color that this peg of the code can have weighs the same. Returns how many they are.
    total = 0.0
    for color in range(state.lo.shape[1]):
        weights[color] = 0.0
        if _try_color(peg, color, state):
            weights[color] = 1.0
            _lift_color(color, state)
        total += weights[color]
    return total


@kernel
def _pick(random: Array, weights: Array, total: float, last: int) -> int:
    pick, choice = _share(random) * total, 0
    while choice < last and (pick >= weights[choice] or weights[choice] == 0.0):
        pick -= weights[choice]
        choice += 1
    return choice


@kernel
def descend(
    kind: int, asked: Array, state: Array, draws: int, random: Array, weights: Array, ways: Array, chances: Array,
    out: Array,
) -> int:  # fmt: skip
    """Go down the tree at random `draws` times; write the codes reached to `out`, return their number.

    Each choice is drawn among those that nothing speaks against, labels by the number of ways to label the pegs of
    the turn that follow. `chances` float64[draws] gets the logarithm of the chance with which each code was reached:
    a code is reached on one path only. weights float64[symbols + 3] and ways float64[pegs + 1, greens + 1,
    misplaced + 1, copies + 1, 2], for the most that a turn has of each, are overwritten. The search must be at its
    beginning, and is left there.
    """
    code, symbols, labels = state.code, state.lo.shape[1], asked.guesses.size
    bottom, found = code.size, 0
    for _ in range(draws):
        # A plain 0 is a type of its own: all that takes a level would be compiled for it once more.
        chance, level = 0.0, int(np.int64(0))
        while level < bottom:
            if level == labels:
                _open_code(state)
            if level < labels:
                total = _weigh_labels(kind, asked, state, level, ways, weights)
            else:
                total = _weigh_colors(level - labels, state, weights)
            if total == 0.0:
                break
            choice = _pick(random, weights, total, 2 if level < labels else symbols - 1)
            # The chance of a path is the product of its choices', and weighs out that some codes are easier to reach.
            chance += np.log(weights[choice] / total)
            if level < labels:
                _try_label(kind, asked, state, level, choice)
            else:
                _try_color(level - labels, choice, state)
            code[level] = choice
            level += 1
        if level == bottom:
            for index in range(out.shape[1]):
                out[found, index] = code[labels + index]
            chances[found] = chance
            found += 1
        while level > 0:
            level -= 1
            _take_back(level, asked, state)
    return found
