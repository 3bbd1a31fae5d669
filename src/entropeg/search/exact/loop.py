"""The exact search: branch and bound on sets of candidates, one loop over frames.

``T(S)`` is the least total over the codes of a set ``S``, each counted as often as it weighs::

    T(S) = min over guesses g of W(S) + sum over the other labels of T(S_e)

with ``W(S)`` the weight of the set. With ``d`` guesses left it is the least of the strategies that need no more than
``d``, and ``infinite`` if there is none.

The search of a set, numbered as in the code:

1. Settle sets of one code and two, and those too large for the guesses left. Look the set up in the table.
2. Look at all guesses at once: list those whose lower bound leaves room for less than what is to be undercut.
3. Take the next of them; leave the set once its own lower bound is reached. Of guesses that a symmetry of the set maps
   to each other only the first is tried.
4. Cut the set by the guess, bound the parts by their sizes, and leave out guesses that cut as one before did.
5. Bound the parts where it costs next to nothing: few codes, and what the table knows.
6. Bound the parts by a look at all guesses each, those first that promise to refute the guess soonest.
7. Search the parts, each for no more than its share of what is missing to refute the guess (`search.exact.targets`).
8. Where the bounds of the parts stay below the best total, they are values: the guess is the best so far.
9. Store the value of the set, or its lower bound: the least of what refuted the guesses.

Each step from 4 on ends as soon as the bound of the guess reaches the best total.

A family of bounds (`search.exact.family`) says how sets are bounded: by counts, or under weights. `loop_of` makes the
search of a family; its kernels are settled when it is compiled, so that neither family costs the other anything.
"""

# ruff: noqa: C901, PLR0915
# Kernels are written for the compiler, as in `entropeg.kernels`: plain loops, many numbers by position.

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import inner
from entropeg.search.exact import fields
from entropeg.search.exact.family import Family
from entropeg.search.exact.fields import (
    AFTER,
    ASKED,
    AT,
    BEHIND,
    BEST,
    BEST_OF_ALL,
    BREADTH,
    BY_ANSWER,
    CHOSEN,
    CLASSES,
    COUNT,
    CUTS,
    DEEP,
    END,
    EXACT,
    FIRST,
    FOUND,
    GUESS,
    IN_ORDER,
    LABELS,
    LAST_SYMMETRIC,
    LEFT,
    LOW,
    NEXT,
    NO_GUESS,
    NO_LABEL,
    OFFSET,
    ONLY,
    OPEN,
    PART,
    RAISED,
    RANKED,
    RANKS,
    REST,
    ROOM,
    SCAN,
    SCANNED,
    TABLES,
    TABLES_END,
    TAKEN,
    TOP,
    TOTAL,
    TRIED,
    UB,
    UNLIMITED,
    VALUE,
    WHOLE,
    Array,
    Int,
    N,
    fetch_add,
    fetch_min,
)
from entropeg.search.exact.guess import key_of, weighing_of
from entropeg.search.exact.scan import guess_at, spread_out
from entropeg.search.exact.symmetry import class_key, enter, name_tokens, seen
from entropeg.search.exact.targets import expect, learn, next_part

BEGIN, TRY, SEARCH_PARTS, FINISH, RETURN = range(5)
"""What comes next for the set under study."""
WIDER = 4
"""Times as many first guesses are tried as in other sets, where a search takes a few only and nothing is symmetric."""


class Loop(NamedTuple):
    """The search of a family, and the steps of it that are made by themselves at the root."""

    search: Any
    weigh: Any
    open_tables: Any


@inner
def place(memory: Array, offset: Int, n: Int, top: Int, ub: Int, d: Int) -> Any:
    """Make the first frame that of a set; the stack is free from ``top`` on."""
    frame = fields.frames(memory)[0]
    frame[N], frame[OFFSET], frame[TOP], frame[UB], frame[LEFT] = n, offset, top, ub, d
    frame[AFTER] = d if d == UNLIMITED else d - 1
    frame[FIRST], frame[TABLES], frame[COUNT] = 0, 0, 0


@inner
def _join(memory: Array, frame: Array) -> Any:
    """Take the best value of all threads over: then the guess of this one attains it no more."""
    best = fields.shared(memory)[BEST_OF_ALL]
    if best < frame[BEST]:
        frame[BEST], frame[CHOSEN] = best, NO_GUESS


@inner
def is_image(memory: Array, k: Int, guess: Int) -> Any:
    """Whether a symmetry of the set of frame k maps a guess that was asked about before to this one."""
    frame, depth = fields.frames(memory)[k], memory[BEHIND] + k
    if depth > memory[LAST_SYMMETRIC]:
        return False
    classes = fields.tables(memory)[frame[CLASSES] : frame[CUTS]]
    return seen(classes, np.uint64(class_key(memory, depth, guess) + 1))


@inner
def _pass_classes(memory: Array, k: Int) -> Any:
    """Mark the classes of the guesses that other threads took."""
    frame = fields.frames(memory)[k]
    candidates, lows, order = fields.candidates(memory), fields.lows(memory), fields.order(memory)[k]
    for at in range(frame[TAKEN], frame[AT]):
        if lows[frame[FIRST] + at] < frame[BEST]:
            is_image(memory, k, guess_at(memory, frame[SCAN], candidates[frame[FIRST] + at], order))
    frame[TAKEN] = frame[AT] + 1


@inner
def _is_wide(memory: Array, frame: Array, k: Int) -> Any:
    """Whether as many guesses were followed as are to be, where that is not all."""
    breadth = memory[BREADTH]
    if breadth and k == 0 and fields.group_size(memory)[0] == 1:
        breadth *= WIDER
    return breadth > 0 and frame[TRIED] >= breadth


@inner
def _take(memory: Array, k: Int, together: Int) -> Any:
    """3. The next guess to try, `NO_GUESS` if there is none."""
    frame = fields.frames(memory)[k]
    shared, stop = fields.shared(memory), fields.stop(memory)
    candidates, lows, order = fields.candidates(memory), fields.lows(memory), fields.order(memory)[k]
    while True:
        at = fetch_add(shared, NEXT, 1) if together else frame[AT] + 1
        frame[AT] = at
        if at >= frame[COUNT] or (together and at >= shared[END]) or _is_wide(memory, frame, k):
            return np.int64(NO_GUESS)
        if together:
            _join(memory, frame)
        if frame[LOW] >= frame[BEST] or stop[0] != 0:
            if together:
                shared[WHOLE] = 1
            return np.int64(NO_GUESS)
        bound = lows[frame[FIRST] + at]
        if bound >= frame[BEST]:
            frame[REST] = min(frame[REST], bound)
            if frame[IN_ORDER]:
                return np.int64(NO_GUESS)
            continue
        if together:
            _pass_classes(memory, k)
        guess = guess_at(memory, frame[SCAN], candidates[frame[FIRST] + at], order)
        if not is_image(memory, k, guess):
            return guess


@inner
def _rank(memory: Array, total: Int, guess: Int) -> Any:
    """Put a guess and its total among the best of the first set, in ``answer``; the total that the next must undercut.

    ``nodes[RANKS]`` counts them. Of equal totals the one found first stays in front.
    """
    answer, nodes, most = fields.answer(memory), fields.nodes(memory), memory[RANKED]
    at = min(nodes[RANKS], most - 1)
    while at > 0 and answer[at - 1, 0] > total:
        answer[at, 0], answer[at, 1] = answer[at - 1, 0], answer[at - 1, 1]
        at -= 1
    answer[at, 0], answer[at, 1] = total, guess
    nodes[RANKS] = min(nodes[RANKS] + 1, most)
    return answer[most - 1, 0] if nodes[RANKS] == most else fields.frames(memory)[0, UB]


def _settling_of(family: Family) -> Any:
    """Step 1 for a family."""
    infinite, floor, probe = family.infinite, family.floor, family.table.probe

    @inner
    def settle(memory: Array, k: Int, again: Int) -> Any:
        """1. Whether ``VALUE`` of a set is known at once: its value, or a lower bound that is not below ``UB``.

        ``again``: a value is found anew, since not all guesses are to be tried by this thread.
        """
        frame = fields.frames(memory)[k]
        n, d, stop = frame[N], frame[LEFT], fields.stop(memory)
        frame[CHOSEN] = NO_GUESS
        is_too_large = n > fields.capacity(memory)[d]
        low = np.int64(infinite) if is_too_large else np.int64(floor(memory, frame[OFFSET], n))
        frame[LOW] = frame[VALUE] = low
        if n <= 2 or is_too_large:
            return True
        if d >= n:
            d = frame[LEFT] = UNLIMITED
        value, guess, known = probe(fields.table(memory), key_of(memory, fields.set_hash(memory)[k], d, n), n)
        if known == EXACT and not again:
            frame[LOW], frame[VALUE], frame[CHOSEN] = value, value, guess
            return True
        if known != OPEN:
            frame[LOW] = frame[VALUE] = max(low, value)
        if frame[LOW] >= frame[UB] or stop[0] != 0:
            return True
        frame[AFTER] = d if d == UNLIMITED else d - 1
        is_deep = k >= fields.count(memory).shape[0]
        is_full = frame[FIRST] + fields.by_guess(memory).shape[0] > fields.candidates(memory).shape[0]
        if is_deep or is_full or frame[TABLES] + memory[ROOM] > fields.tables(memory).shape[0]:
            stop[0] = DEEP
            return True
        return False

    return settle


def _listing_of(family: Family) -> tuple[Any, Any]:
    """Step 2 for a family, and what makes room for the search of a set."""
    infinite, look, prepare, has_cuts = family.infinite, family.look, family.prepare, family.has_cuts
    store = family.table.store

    @inner
    def open_tables(memory: Array, k: Int) -> Any:
        """Make room for the classes and the cuts of the guesses that will be tried, and keep where labels begin."""
        frame = fields.frames(memory)[k]
        n, offset, top, behind = frame[N], frame[OFFSET], frame[TOP], memory[BEHIND] + k
        offsets, held, tables = fields.offsets(memory), fields.held(memory), fields.tables(memory)
        for i in range(n):
            held[top + i] = offsets[i]
        frame[TABLES_END] = frame[TABLES]
        prepare(memory, k)
        cells = 16
        while cells < 2 * frame[COUNT] + 2:
            cells *= 2
        begin = frame[TABLES_END]
        frame[CLASSES] = begin
        frame[CUTS] = begin + (cells if behind <= memory[LAST_SYMMETRIC] else 1)
        frame[TABLES_END] = frame[CUTS] + (cells if has_cuts(memory, n) or (k == 0 and memory[RANKED]) else 1)
        tables[begin : frame[TABLES_END]] = np.uint64(0)
        if behind <= memory[LAST_SYMMETRIC]:
            name_tokens(memory, behind, offset, n)

    @inner
    def list_guesses(memory: Array, k: Int, alone: Int) -> Any:
        """2. Whether there are guesses to try on a set; else ``VALUE`` is its value or lower bound. See `settle`."""
        frame = fields.frames(memory)[k]
        fields.nodes(memory)[0] += 1
        low = max(frame[LOW], look(memory, k))
        frame[LOW] = frame[VALUE] = low
        frame[AT], frame[TAKEN], frame[TRIED], frame[BEST] = -1, 0, 0, frame[UB]
        if alone and low < frame[UB]:
            full = fields.width(memory).shape[0] - 1
            frame[SCAN], frame[COUNT], frame[REST], frame[CHOSEN] = full, 1, infinite, NO_GUESS
            fields.candidates(memory)[0], fields.lows(memory)[0] = memory[ONLY], low
            spread_out(memory, frame, full)
        elif alone:
            return False
        elif k == 0 and memory[RANKED]:
            frame[CHOSEN] = NO_GUESS
        elif frame[CHOSEN] != NO_GUESS or low >= frame[UB]:
            state = EXACT if frame[CHOSEN] != NO_GUESS else SCANNED
            key = key_of(memory, fields.set_hash(memory)[k], frame[LEFT], frame[N])
            store(fields.table(memory), key, frame[N], low, frame[CHOSEN], state)
            return False
        open_tables(memory, k)
        return True

    return list_guesses, open_tables


def _following_of(family: Family) -> tuple[Any, Any, Any]:
    """Steps 7 to 9 for a family."""
    infinite, mass, store = family.infinite, family.mass, family.table.store

    @inner
    def search_parts(memory: Array, k: Int, together: Int) -> Any:
        """7 and 8. Make frame k + 1 that of the part to search next, or take the guess under study as the best."""
        frame, shared = fields.frames(memory)[k], fields.shared(memory)
        if together:
            _join(memory, frame)
        total, best = frame[TOTAL], frame[BEST]
        if total >= best:
            frame[REST] = min(frame[REST], total)
            return np.int64(TRY)
        count, state, hope = fields.count(memory)[k], fields.state(memory)[k], fields.hope(memory)[k]
        e, asked = next_part(count, state, hope, memory[LABELS] - 1, best - total)
        if e < 0 and k == 0 and memory[RANKED]:
            frame[BEST] = _rank(memory, total, frame[GUESS])
            return np.int64(TRY)
        if e < 0:
            frame[BEST], frame[CHOSEN] = total, frame[GUESS]
            if together:
                fetch_min(shared, BEST_OF_ALL, total)
                shared[FOUND] = 1
            return np.int64(FINISH if total == frame[LOW] else TRY)
        low = fields.low(memory)[k, e]
        if memory[BREADTH]:
            asked = infinite - low if best >= infinite else best - total
        elif k == 0 and memory[ONLY] != NO_GUESS:
            asked = best - total  # parts of one opening come again after others: their values serve longer than bounds
        frame[PART], frame[ASKED] = e, asked
        if memory[BY_ANSWER]:
            enter(memory, memory[BEHIND] + k, frame[GUESS], e)
        below = fields.frames(memory)[k + 1]
        below[N], below[OFFSET], below[TOP] = count[e], fields.start(memory)[k, e], frame[TOP] + frame[N]
        below[UB], below[LEFT] = low + asked, frame[AFTER]
        below[FIRST], below[TABLES] = frame[FIRST] + frame[COUNT], frame[TABLES_END]
        fields.set_hash(memory)[k + 1] = fields.hashes(memory)[k, e]
        return np.int64(BEGIN)

    @inner
    def receive(memory: Array, k: Int) -> Any:
        """Take over the value, or bound, of the part that was searched."""
        frame, value = fields.frames(memory)[k], fields.frames(memory)[k + 1, VALUE]
        e, asked = frame[PART], frame[ASKED]
        low, state, hope = fields.low(memory)[k], fields.state(memory)[k], fields.hope(memory)[k]
        gain = value - low[e]
        is_exact = gain < asked
        if value < infinite:
            size = fields.count(memory)[k, e]
            hope[e] = learn(fields.rise(memory), size, mass(memory)[k, e], state[e], hope[e], gain, is_exact)
        frame[TOTAL] += gain
        low[e] = value
        state[e] = EXACT if is_exact else RAISED

    @inner
    def finish(memory: Array, k: Int, together: Int, is_kept: Int) -> Any:
        """9. Settle ``VALUE`` of a set after its guesses, and ``CHOSEN`` where it is attained; store it if so asked."""
        frame = fields.frames(memory)[k]
        if fields.stop(memory)[0] != 0:
            return
        if together:
            least = fields.shared(memory)[BEST_OF_ALL]
            if least < frame[BEST]:
                frame[BEST], frame[CHOSEN] = least, NO_GUESS
            frame[VALUE] = frame[BEST]
            return
        is_found = frame[CHOSEN] != NO_GUESS
        frame[VALUE] = frame[BEST] if is_found else min(max(frame[LOW], frame[REST]), infinite)
        if is_kept:
            key = key_of(memory, fields.set_hash(memory)[k], frame[LEFT], frame[N])
            state = EXACT if is_found else SCANNED
            store(fields.table(memory), key, frame[N], frame[VALUE], frame[CHOSEN], state)

    return search_parts, receive, finish


def loop_of(family: Family) -> Loop:
    """The search of a family."""
    settle, weigh, mass = _settling_of(family), weighing_of(family), family.mass
    list_guesses, open_tables = _listing_of(family)
    search_parts, receive, finish = _following_of(family)

    @inner
    def try_next(memory: Array, k: Int, together: Int) -> Any:
        """3 to 6. Find a guess whose bound is below the best total, and what is expected of its parts."""
        frame = fields.frames(memory)[k]
        while True:
            guess = _take(memory, k, together)
            if guess == NO_GUESS:
                return np.int64(FINISH)
            frame[GUESS] = guess
            total = weigh(memory, k, frame[BEST])
            if total < frame[BEST]:
                break
            frame[REST] = min(frame[REST], total)
        frame[TOTAL] = total
        if not memory[BY_ANSWER]:
            enter(memory, memory[BEHIND] + k, guess, NO_LABEL)
        count, state, hope = fields.count(memory)[k], fields.state(memory)[k], fields.hope(memory)[k]
        expect(fields.rise(memory), count, mass(memory)[k], state, hope, memory[LABELS] - 1)
        return np.int64(SEARCH_PARTS)

    @inner
    def search(memory: Array, together: Int) -> Any:
        """Search the set of the first frame: its value, exact if it is below ``UB``, else a lower bound >= ``UB``.

        ``CHOSEN`` is the guess that attains it, `NO_GUESS` where none was found or the table did not keep it.
        ``together``: several threads search this very set, or this is a share of it; they have in common the words
        `fields.NEXT` and so on. Then nothing below the value returned was found among the candidates taken, and
        ``CHOSEN`` is a guess only in the thread that found it. Where ``ONLY`` is a guess it alone is tried on the set,
        which is not stored. When ``stop[0]`` is set, by others or because the memory has no room for one more frame,
        what is returned is a lower bound only; but where ``BREADTH`` limits the guesses of every set, what is returned
        is the total of a strategy, then the best that was found so far.
        """
        k, step = 0, BEGIN
        frames, stop = fields.frames(memory), fields.stop(memory)
        alone = memory[ONLY] != NO_GUESS
        while True:
            shares = together and k == 0
            if step == BEGIN:
                settled = settle(memory, k, k == 0 and (together or alone or memory[RANKED]))
                step = TRY if not settled and list_guesses(memory, k, k == 0 and alone) else RETURN
            elif step == TRY:
                step = try_next(memory, k, shares)
            elif step == SEARCH_PARTS:
                step = search_parts(memory, k, shares)
                k += step == BEGIN
            elif step == FINISH:
                finish(memory, k, shares, k > 0 or not (alone or memory[RANKED]))
                step = RETURN
            elif k == 0 or stop[0] != 0:
                break
            else:
                k -= 1
                receive(memory, k)
                step = SEARCH_PARTS
        first = frames[0]
        if stop[0] != 0:
            is_found = memory[BREADTH] > 0 and k >= 0 and first[CHOSEN] != NO_GUESS
            first[VALUE] = first[BEST] if is_found else first[LOW]
            if not is_found:
                first[CHOSEN] = NO_GUESS
        return first[VALUE]

    return Loop(search, weigh, open_tables)
