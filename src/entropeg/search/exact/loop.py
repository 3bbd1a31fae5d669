"""The exact search: branch and bound on sets of candidates, one loop over frames.

``T(S)`` is the least total over the codes of a set ``S``, each counted as often as it weighs::

    T(S) = min over guesses g of W(S) + sum over the other labels of T(S_e)

with ``W(S)`` the weight of the set. With ``d`` guesses left it is the least of the strategies that need no more than
``d``, and ``infinite`` if there is none.

The search of a set, numbered as in the code:

1. Settle sets of one code and two, and those too large for the guesses left. Look the set up in the table.
2. Look at all guesses at once: list those whose lower bound leaves room for less than the total to be undercut.
3. Take the next of them; leave the set once its own lower bound is reached. Of guesses that a symmetry of the set maps
   to each other only the first is tried.
4. Cut the set by the guess, bound the parts by their sizes, and leave out guesses that cut as one before did.
5. Bound the parts where it costs next to nothing: of few codes, or known to the table.
6. Bound the parts by a look at all guesses each, those first that promise to refute the guess soonest.
7. Search the parts, each for no more than its share of the gain missing to refute the guess (`search.exact.targets`).
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
from entropeg.search.exact.fields import DEEP, EXACT, NO_GUESS, NO_LABEL, OPEN, PAUSED, RAISED, SCANNED, UNLIMITED, Int
from entropeg.search.exact.guess import key_of, weighing_of
from entropeg.search.exact.scan import guess_at, spread_out, whole_scan
from entropeg.search.exact.symmetry import class_key, enter, name_tokens, seen
from entropeg.search.exact.targets import expect, learn, next_part

BEGIN, TRY, SEARCH_PARTS, FINISH, RETURN = range(5)
"""The next step for the set under study."""


class Loop(NamedTuple):
    """The search of a family, and the steps of it that are made by themselves at the root."""

    search: Any
    weigh: Any
    open_tables: Any


@inner
def place(memory: Any, offset: Int, n: Int, top: Int, ub: Int, d: Int) -> Any:
    """Make the first frame that of a set; the stack is free from ``top`` on."""
    frame = memory.frames[0]
    frame.n, frame.offset, frame.top, frame.ub, frame.left = n, offset, top, ub, d
    frame.after = d if d == UNLIMITED else d - 1
    frame.first, frame.tables, frame.count = 0, 0, 0


@inner
def _join(memory: Any, frame: Any) -> Any:
    """Take the best value of all threads over: then the guess of this one attains it no more."""
    best = memory.shared[fields.BEST_OF_ALL]
    if best < frame.best:
        frame.best, frame.chosen = best, NO_GUESS


@inner
def is_image(memory: Any, k: Int, guess: Int) -> Any:
    """Whether a symmetry of the set of frame k maps a guess that was asked about before to this one."""
    frame, depth = memory.frames[k], memory.behind + k
    if depth > memory.last_symmetric:
        return False
    classes = memory.tables[frame.classes : frame.cuts]
    return seen(classes, np.uint64(class_key(memory, depth, guess) + 1))


@inner
def _pass_classes(memory: Any, k: Int) -> Any:
    """Mark the classes of the guesses that other threads took."""
    frame = memory.frames[k]
    candidates, lows, order = memory.candidates, memory.lows, memory.order[k]
    for at in range(frame.taken, frame.at):
        if lows[frame.first + at] < frame.best:
            is_image(memory, k, guess_at(memory, frame.scan, candidates[frame.first + at], order))
    frame.taken = frame.at + 1


@inner
def _is_wide(memory: Any, frame: Any, k: Int) -> Any:
    """Whether as many guesses were followed as are to be, where that is not all."""
    breadth = memory.breadth
    if breadth and k == 0 and memory.group_size[0] == 1:
        # Nothing is symmetric: four times as many first guesses are tried as guesses of other sets.
        breadth *= 4
    return breadth > 0 and frame.tried >= breadth


@inner
def _take(memory: Any, k: Int, together: Int) -> Any:
    """3. The next guess to try, `NO_GUESS` if there is none."""
    frame = memory.frames[k]
    shared, stop = memory.shared, memory.stop
    candidates, lows, order = memory.candidates, memory.lows, memory.order[k]
    while True:
        at = fields.fetch_add(shared, fields.NEXT, 1) if together else frame.at + 1
        frame.at = at
        if at >= frame.count or (together and at >= shared[fields.END]) or _is_wide(memory, frame, k):
            return np.int64(NO_GUESS)
        if together:
            _join(memory, frame)
        if frame.low >= frame.best or stop[0] != 0:
            if together:
                shared[fields.WHOLE] = 1
            return np.int64(NO_GUESS)
        bound = lows[frame.first + at]
        if bound >= frame.best:
            frame.rest = min(frame.rest, bound)
            if frame.in_order:
                return np.int64(NO_GUESS)
            continue
        if together:
            _pass_classes(memory, k)
        guess = guess_at(memory, frame.scan, candidates[frame.first + at], order)
        if not is_image(memory, k, guess):
            return guess


@inner
def _rank(memory: Any, total: Int, guess: Int) -> Any:
    """Put a guess and its total among the best of the first set, in ``answer``; the total that the next must undercut.

    ``nodes[RANKS]`` counts them. Of equal totals the one found first stays in front.
    """
    answer, nodes, most = memory.answer, memory.nodes, memory.ranked
    at = min(nodes[fields.RANKS], most - 1)
    while at > 0 and answer[at - 1, 0] > total:
        answer[at, 0], answer[at, 1] = answer[at - 1, 0], answer[at - 1, 1]
        at -= 1
    answer[at, 0], answer[at, 1] = total, guess
    nodes[fields.RANKS] = min(nodes[fields.RANKS] + 1, most)
    return answer[most - 1, 0] if nodes[fields.RANKS] == most else memory.frames[0].ub


def _settling_of(family: Family) -> Any:
    """Step 1 for a family."""
    infinite, floor, probe = family.infinite, family.floor, family.table.probe

    @inner
    def settle(memory: Any, k: Int, again: Int) -> Any:
        """1. Whether ``VALUE`` of a set is known at once: its value, or a lower bound that is not below ``UB``.

        ``again``: a value is found anew, since not all guesses are to be tried by this thread.
        """
        frame = memory.frames[k]
        n, d, stop = frame.n, frame.left, memory.stop
        frame.chosen = NO_GUESS
        is_too_large = n > memory.capacity[d]
        low = np.int64(infinite) if is_too_large else np.int64(floor(memory, frame.offset, n))
        frame.low = frame.value = low
        if n <= 2 or is_too_large:
            return True
        if d >= n:
            d = frame.left = UNLIMITED
        value, guess, known = probe(memory.table, key_of(memory, memory.set_hash[k], d, n), n)
        if known == EXACT and not again:
            frame.low, frame.value, frame.chosen = value, value, guess
            return True
        if known != OPEN:
            frame.low = frame.value = max(low, value)
        if frame.low >= frame.ub or stop[0] != 0:
            return True
        frame.after = d if d == UNLIMITED else d - 1
        is_deep = k >= memory.count.shape[0]
        is_full = frame.first + memory.by_guess.shape[0] > memory.candidates.shape[0]
        if is_deep or is_full or frame.tables + memory.room > memory.tables.shape[0]:
            stop[0] = DEEP
            return True
        return False

    return settle


def _listing_of(family: Family) -> tuple[Any, Any]:
    """Step 2 for a family, and the kernel that makes room for the search of a set."""
    infinite, look, prepare, has_cuts = family.infinite, family.look, family.prepare, family.has_cuts
    store = family.table.store

    @inner
    def open_tables(memory: Any, k: Int) -> Any:
        """Make room for the classes and the cuts of the guesses that will be tried, and keep where labels begin."""
        frame = memory.frames[k]
        n, offset, top, behind = frame.n, frame.offset, frame.top, memory.behind + k
        offsets, held, tables = memory.offsets, memory.held, memory.tables
        for i in range(n):
            held[top + i] = offsets[i]
        frame.tables_end = frame.tables
        prepare(memory, k)
        cells = 16
        while cells < 2 * frame.count + 2:
            cells *= 2
        begin = frame.tables_end
        frame.classes = begin
        frame.cuts = begin + (cells if behind <= memory.last_symmetric else 1)
        frame.tables_end = frame.cuts + (cells if has_cuts(memory, n) or (k == 0 and memory.ranked) else 1)
        tables[begin : frame.tables_end] = np.uint64(0)
        if behind <= memory.last_symmetric:
            name_tokens(memory, behind, offset, n)

    @inner
    def list_guesses(memory: Any, k: Int, alone: Int) -> Any:
        """2. Whether there are guesses to try on a set; else ``VALUE`` is its value or lower bound. See `settle`."""
        frame = memory.frames[k]
        memory.nodes[0] += 1
        low = max(frame.low, look(memory, k))
        frame.low = frame.value = low
        frame.at, frame.taken, frame.tried, frame.best = -1, 0, 0, frame.ub
        if alone and low < frame.ub:
            full = whole_scan(memory)
            frame.scan, frame.count, frame.rest, frame.chosen = full, 1, infinite, NO_GUESS
            memory.candidates[0], memory.lows[0] = memory.only, low
            spread_out(memory, frame, full)
        elif alone:
            return False
        elif k == 0 and memory.ranked:
            frame.chosen = NO_GUESS
        elif frame.chosen != NO_GUESS or low >= frame.ub:
            state = EXACT if frame.chosen != NO_GUESS else SCANNED
            key = key_of(memory, memory.set_hash[k], frame.left, frame.n)
            store(memory.table, key, frame.n, low, frame.chosen, state)
            return False
        open_tables(memory, k)
        return True

    return list_guesses, open_tables


def _following_of(family: Family) -> tuple[Any, Any, Any]:
    """Steps 7 to 9 for a family."""
    infinite, store = family.infinite, family.table.store

    @inner
    def search_parts(memory: Any, k: Int, together: Int) -> Any:
        """7 and 8. Make frame k + 1 that of the part to search next, or take the guess under study as the best."""
        frame, shared = memory.frames[k], memory.shared
        if together:
            _join(memory, frame)
        total, best = frame.total, frame.best
        if total >= best:
            frame.rest = min(frame.rest, total)
            return np.int64(TRY)
        count, state, hope = memory.count[k], memory.state[k], memory.hope[k]
        e, asked = next_part(count, state, hope, memory.labels - 1, best - total)
        if e < 0 and k == 0 and memory.ranked:
            frame.best = _rank(memory, total, frame.guess)
            return np.int64(TRY)
        if e < 0:
            frame.best, frame.chosen = total, frame.guess
            if together:
                fields.fetch_min(shared, fields.BEST_OF_ALL, total)
                shared[fields.FOUND] = 1
            return np.int64(FINISH if total == frame.low else TRY)
        low = memory.low[k, e]
        if memory.breadth:
            asked = infinite - low if best >= infinite else best - total
        elif k == 0 and memory.only != NO_GUESS:
            asked = best - total  # parts of one opening come again after others: their values serve longer than bounds
        frame.part, frame.asked = e, asked
        if memory.by_answer:
            enter(memory, memory.behind + k, frame.guess, e)
        below = memory.frames[k + 1]
        below.n, below.offset, below.top = count[e], memory.start[k, e], frame.top + frame.n
        below.ub, below.left = low + asked, frame.after
        below.first, below.tables = frame.first + frame.count, frame.tables_end
        memory.set_hash[k + 1] = memory.hashes[k, e]
        return np.int64(BEGIN)

    @inner
    def receive(memory: Any, k: Int) -> Any:
        """Take over the value, or bound, of the part that was searched."""
        frame, value = memory.frames[k], memory.frames[k + 1].value
        e, asked = frame.part, frame.asked
        low, state, hope = memory.low[k], memory.state[k], memory.hope[k]
        gain = value - low[e]
        is_exact = gain < asked
        if value < infinite:
            size = memory.count[k, e]
            hope[e] = learn(memory.rise, size, memory.mass[k, e], state[e], hope[e], gain, is_exact)
        frame.total += gain
        low[e] = value
        state[e] = EXACT if is_exact else RAISED

    @inner
    def finish(memory: Any, k: Int, together: Int, is_kept: Int) -> Any:
        """9. Settle ``VALUE`` of a set after its guesses, and ``CHOSEN`` where it is attained; store it if so asked."""
        frame = memory.frames[k]
        if memory.stop[0] != 0:
            return
        if together:
            least = memory.shared[fields.BEST_OF_ALL]
            if least < frame.best:
                frame.best, frame.chosen = least, NO_GUESS
            frame.value = frame.best
            return
        is_found = frame.chosen != NO_GUESS
        frame.value = frame.best if is_found else min(max(frame.low, frame.rest), infinite)
        if is_kept:
            key = key_of(memory, memory.set_hash[k], frame.left, frame.n)
            state = EXACT if is_found else SCANNED
            store(memory.table, key, frame.n, frame.value, frame.chosen, state)

    return search_parts, receive, finish


def loop_of(family: Family) -> Loop:
    """The search of a family."""
    settle, weigh = _settling_of(family), weighing_of(family)
    list_guesses, open_tables = _listing_of(family)
    search_parts, receive, finish = _following_of(family)

    @inner
    def try_next(memory: Any, k: Int, together: Int) -> Any:
        """3 to 6. Find a guess whose bound is below the best total, and the gains expected of its parts."""
        frame = memory.frames[k]
        while True:
            guess = _take(memory, k, together)
            if guess == NO_GUESS:
                return np.int64(FINISH)
            frame.guess = guess
            total = weigh(memory, k, frame.best)
            if total < frame.best:
                break
            frame.rest = min(frame.rest, total)
        frame.total = total
        if not memory.by_answer:
            enter(memory, memory.behind + k, guess, NO_LABEL)
        count, state, hope = memory.count[k], memory.state[k], memory.hope[k]
        expect(memory.rise, count, memory.mass[k], state, hope, memory.labels - 1)
        return np.int64(SEARCH_PARTS)

    @inner
    def search(memory: Any, together: Int, again: Int) -> Any:
        """Search the set of the first frame: its value, exact if it is below ``UB``, else a lower bound >= ``UB``.

        ``CHOSEN`` is the guess that attains it, `NO_GUESS` where none was found or the table did not keep it.
        ``together``: several threads search this very set, or this is a share of it; they have in common the words
        `fields.NEXT` and so on. Then nothing below the value returned was found among the candidates taken, and
        ``CHOSEN`` is a guess only in the thread that found it. Where ``ONLY`` is a guess it alone is tried on the set,
        which is not stored. When ``stop[0]`` is set, by others or because the memory has no room for one more frame,
        what is returned is a lower bound only; but where ``BREADTH`` limits the guesses of every set, what is returned
        is the total of a strategy, then the best that was found so far.

        When ``PAUSE`` is set, `PAUSED` is returned between two guesses. As long as nothing else is done with the memory
        the search goes on from there when it is called ``again``, with one guess at least.
        """
        k, step = 0, BEGIN
        if again:
            k, step = memory.paused_frame, memory.paused_step
        frames, stop = memory.frames, memory.stop
        alone = memory.only != NO_GUESS
        while True:
            if memory.pause and step == TRY:
                if not again:
                    memory.paused_frame, memory.paused_step = k, step
                    return np.int64(PAUSED)
                again = np.int64(0)  # each call takes one guess more
            shares = together and k == 0
            if step == BEGIN:
                settled = settle(memory, k, k == 0 and (together or alone or memory.ranked))
                step = TRY if not settled and list_guesses(memory, k, k == 0 and alone) else RETURN
            elif step == TRY:
                step = try_next(memory, k, shares)
            elif step == SEARCH_PARTS:
                step = search_parts(memory, k, shares)
                k += step == BEGIN
            elif step == FINISH:
                finish(memory, k, shares, k > 0 or not (alone or memory.ranked))
                step = RETURN
            elif k == 0 or stop[0] != 0:
                break
            else:
                k -= 1
                receive(memory, k)
                step = SEARCH_PARTS
        first = frames[0]
        if stop[0] != 0:
            is_found = memory.breadth > 0 and k >= 0 and first.chosen != NO_GUESS
            first.value = first.best if is_found else first.low
            if not is_found:
                first.chosen = NO_GUESS
        return first.value

    return Loop(search, weigh, open_tables)
