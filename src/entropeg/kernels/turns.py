"""Plays a turn of many games at once, and adds up what guesses take in them.

Answers are read from a table of labels; kept are the rows that an agent observes, and the codes left. Small sets have
their totals by rules that are exact, others from a store: a set of n codes takes at least 2n - 1 guesses in all, one
and then two each, and a guess that leaves p parts takes at least 3n - p, one less where it is one of the codes. So a
code that tells all others apart takes 2n - 1, which is the least. Where there is none, every guess takes 2n or more,
and a code with n - 1 parts takes as many.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels.compile import inner, kernel

Array = Any

STEPS, WIN = 0, 1
"""Rewards that the kernel writes itself; others are made of the codes left."""


class TurnGames(NamedTuple):
    """The state of n games on a board of G guesses and S secrets, all arrays.

    `labels` `[G, S]`; `digits` `[G, pegs]`, the guesses; `answers` `[labels, width]`, their numbers. `drawn` `[n, k]`,
    k a power of two: the secrets of each game that were drawn, in a ring; `taken` and `filled` `int64[n]` count what
    was used and drawn. `guesses` `[n, turns * pegs]` and `feedback` `[n, turns * width]` are the rows that are
    observed, `turn` `int64[n]` their number, `first` `int64[n]` the first guess. `codes` `int32[n, S]` holds the codes
    left, ascending, from the first turn on, `size` `int64[n]` of them; `mask` `int8[n, S]` says which they are; where
    nothing asks for them they have no columns. `is_over` `bool[n]`: the game ended at the last turn.
    """

    labels: Array
    digits: Array
    answers: Array
    drawn: Array
    taken: Array
    filled: Array
    secret: Array
    guesses: Array
    feedback: Array
    turn: Array
    first: Array
    codes: Array
    size: Array
    mask: Array
    is_over: Array


@inner
def _begin(games: TurnGames, i: int, empty: int, unanswered: int) -> None:
    games.secret[i] = games.drawn[i, games.taken[i] & (games.drawn.shape[1] - 1)]
    games.taken[i] += 1
    for cell in range(games.guesses.shape[1]):
        games.guesses[i, cell] = empty
    for cell in range(games.feedback.shape[1]):
        games.feedback[i, cell] = unanswered
    games.turn[i] = 0
    games.is_over[i] = False
    for code in range(games.mask.shape[1]):
        games.mask[i, code] = 1
    games.size[i] = games.labels.shape[1]


@kernel
def begin_games(games: TurnGames, which: Array, empty: int, unanswered: int) -> None:
    """Begin the games `which` (`int64[k]`) with the next secret of each; rows are filled with what no guess has."""
    for at in range(len(which)):
        _begin(games, which[at], empty, unanswered)


@inner
def _keep(games: TurnGames, i: int, action: int, label: int) -> None:
    # The codes left are listed, so that a turn costs as many steps as there are, and seldom all secrets.
    kept, has_mask = 0, games.mask.shape[1] > 0
    if games.turn[i] == 0:
        row = games.labels[action]
        for code in range(len(row)):
            games.codes[i, kept] = code
            kept += row[code] == label
        if has_mask:
            for code in range(len(row)):
                games.mask[i, code] = row[code] == label
        games.size[i] = kept
        return
    for at in range(games.size[i]):
        code = games.codes[i, at]
        if games.labels[action, code] == label:
            games.codes[i, kept] = code
            kept += 1
        elif has_mask:
            games.mask[i, code] = 0
    games.size[i] = kept


@kernel
def play_turns(
    games: TurnGames, actions: Array, lo: int, hi: int, rule: Any, rewards: Array, ends: Array, before: Array
) -> None:
    """Play a turn of the games from `lo` to `hi`; a game that is over begins anew instead, its action unheard.

    `actions` `int64[n]`. `rule`: (label that wins, reward, whether the last turn loses, fill of rows of guesses, fill
    of rows of answers). Written: `rewards` `float64[n]`; `ends` `bool[2, n]`, ended and cut off; `before` `int64[n]`,
    the codes left before the turn, where they are kept.
    """
    win, reward, loses, empty, unanswered = rule
    pegs, width = games.digits.shape[1], games.answers.shape[1]
    turns = games.guesses.shape[1] // pegs
    for i in range(lo, hi):
        if games.is_over[i]:
            _begin(games, i, empty, unanswered)
            rewards[i] = 0.0
            ends[0, i] = ends[1, i] = False
            before[i] = games.size[i]
            continue
        action, row = actions[i], games.turn[i]
        label = games.labels[action, games.secret[i]]
        for peg in range(pegs):
            games.guesses[i, row * pegs + peg] = games.digits[action, peg]
        for place in range(width):
            games.feedback[i, row * width + place] = games.answers[label, place]
        before[i] = games.size[i]
        if games.codes.shape[1] > 0:
            _keep(games, i, action, label)
        games.turn[i] = row + 1
        if row == 0:
            games.first[i] = action
        is_won = label == win
        is_last = row + 1 >= turns and not is_won
        ends[0, i] = is_won or (is_last and loses)
        ends[1, i] = is_last and not loses
        games.is_over[i] = ends[0, i] or ends[1, i]
        rewards[i] = -1.0 if reward != WIN else 1.0 if is_won else 0.0


SMALL = 16
"""Codes of the largest sets whose codes are tried as guesses; more are seldom told apart by one."""


class TotalStore(NamedTuple):
    """Totals of sets by their words: `words` `uint64[F, S]`, one a code, whose XOR names a set; a hash table of them.

    Row f is for games that began with guess f, where there is one for each: the words of the codes that renamed colors
    and moved pegs make of the codes, so that first guesses that are alike share their sets. `keys` `uint64[m]`, m a
    power of two, 0 where a cell is free; `totals` `int64[m]`. `guess_of_secret` and `every` `int32[S]`: the guess that
    each secret is, and the secrets. `openings` `float64[G]`: losses of first guesses, below 0 where not known.
    """

    words: Array
    keys: Array
    totals: Array
    guess_of_secret: Array
    every: Array
    openings: Array


class MissingSets(NamedTuple):
    """Sets whose totals are wanted: `codes` `int32[k]`, one after the other.

    Set i begins at `starts[i]` (`int64`) and is named `keys[i]`; `count` `int64[2]` are the sets and codes so far.
    """

    codes: Array
    starts: Array
    keys: Array
    count: Array


@inner
def _cell(store: TotalStore, key: int) -> Any:
    # Where a set is, or would be: the cells are looked at one after the other.
    last = len(store.keys) - 1
    at = np.int64(key & np.uint64(last))
    while store.keys[at] != 0 and store.keys[at] != key:
        at = (at + 1) & last
    return at


@kernel
def store_totals(store: TotalStore, keys: Array, totals: Array) -> int:
    """TotalStore the totals of sets by their keys; return how many are new. There must be room for all."""
    new = 0
    for i in range(len(keys)):
        at = _cell(store, keys[i])
        new += store.keys[at] == 0
        store.keys[at], store.totals[at] = keys[i], totals[i]
    return new


@inner
def _by_codes(games: TurnGames, store: TotalStore, codes: Array, seen: Array) -> int:
    # The total of a small set where one of its codes settles it (see the top), else 0. `seen` holds marks by label.
    n, most = len(codes), 0
    for at in range(n):
        row = games.labels[store.guess_of_secret[codes[at]]]
        seen[-1] += 1
        parts = 0
        for other in range(n):
            label = row[codes[other]]
            if seen[label] != seen[-1]:
                seen[label] = seen[-1]
                parts += 1
        if parts == n:
            return 2 * n - 1
        most = max(most, parts)
    return 2 * n if most == n - 1 else 0


@inner
def _total(games: TurnGames, store: TotalStore, words: Array, codes: Array, seen: Array, missing: MissingSets) -> Any:
    # The total of a set, 0 where it has to be asked for.
    n = len(codes)
    if n <= 2:
        return 2 * n - 1
    found = _by_codes(games, store, codes, seen) if n <= SMALL else 0
    if found > 0:
        return found
    key = np.uint64(0)
    for at in range(n):
        key ^= words[codes[at]]
    cell = _cell(store, key)
    if store.keys[cell] == key:
        return store.totals[cell]
    sets, used = missing.count
    if sets + 1 < len(missing.starts) and used + n <= len(missing.codes):
        for at in range(n):
            missing.codes[used + at] = codes[at]
        missing.keys[sets] = key
        missing.starts[sets + 1] = used + n
        missing.count[0], missing.count[1] = sets + 1, used + n
    return 0


@kernel
def add_losses(
    games: TurnGames,
    actions: Array,
    which: Array,
    win: int,
    store: TotalStore,
    scratch: Any,
    missing: MissingSets,
    losses: Array,
) -> int:
    """Write the losses of the actions in the games `which` (`int64[k]`), which are played next; return how many.

    `losses` `float64[n]`. Those whose sets have no totals yet are put to the front of `which`, k minus as many as were
    returned, and the sets into `missing` as far as there is room. `scratch`: (`int32[S]`, `int64[labels + 1]`,
    `int64[labels + 1]` of zeros).
    """
    sorted_codes, ends, seen = scratch
    kept = 0
    for place in range(len(which)):
        i = which[place]
        n, row = games.size[i], games.labels[actions[i]]
        is_first = games.turn[i] == 0
        if is_first and store.openings[actions[i]] >= 0.0:
            losses[i] = store.openings[actions[i]]
            continue
        codes = store.every if is_first else games.codes[i, :n]
        words = store.words[(actions[i] if is_first else games.first[i]) % len(store.words)]
        # 1. The codes left, part by part.
        ends[:] = 0
        for at in range(n):
            ends[row[codes[at]]] += 1
        begin = 0
        for label in range(len(ends)):
            begin, ends[label] = begin + ends[label], begin
        for at in range(n):
            label = row[codes[at]]
            sorted_codes[ends[label]] = codes[at]
            ends[label] += 1
        # 2. A guess each, and what the parts take.
        best, played, begin = _total(games, store, words, codes, seen, missing), n, 0
        is_known = best > 0
        for label in range(len(ends) - 1):
            end = ends[label]
            if end > begin and label != win:
                taken = _total(games, store, words, sorted_codes[begin:end], seen, missing)
                is_known &= taken > 0
                played += taken
            begin = end
        if is_known:
            losses[i] = (played - best) / n
            if is_first:
                store.openings[actions[i]] = losses[i]
        else:
            which[kept] = i
            kept += 1
    return len(which) - kept
