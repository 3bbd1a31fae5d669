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

from entropeg.kernels.compile import Array, inner, kernel

STEPS, WIN = 0, 1
"""Rewards that the kernel writes itself; others are made of the codes left."""


class TurnGames(NamedTuple):
    """The state of n games on a board of G guesses and S secrets, all arrays.

    `labels` `[G, S]`; `digits` `[G, pegs]`, the guesses; `answers` `[labels, width]`, their numbers. `drawn` `[n, k]`,
    k a power of two: the secrets of each game that were drawn, in a ring; `taken` and `filled` `int64[n]` count what
    was used and drawn. `guesses` `[n, turns * pegs]` and `feedback` `[n, turns * width]` are the rows that are
    observed, `turn` `int64[n]` their number, `early` `int64[n, 2]` the first two guesses. `codes` `int32[n, S]` holds
    the codes left, ascending, from the first turn on, `size` `int64[n]` of them; `mask` `int8[n, S]` says which they
    are; where nothing asks for them they have no columns. `is_over` `bool[n]`: the game ended at the last turn.
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
    early: Array
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
        if row < 2:
            games.early[i, row] = action
        is_won = label == win
        is_last = row + 1 >= turns and not is_won
        ends[0, i] = is_won or (is_last and loses)
        ends[1, i] = is_last and not loses
        games.is_over[i] = ends[0, i] or ends[1, i]
        rewards[i] = -1.0 if reward != WIN else 1.0 if is_won else 0.0


SETTLED = 8
"""Codes of the largest sets that are always settled by their codes: larger ones are looked for first."""
SMALL = 16
"""Codes of the largest sets whose codes are tried as guesses; more are seldom told apart by one."""


class TotalStore(NamedTuple):
    """Totals of sets by their words: the XOR of one word of 64 bits a code names a set; a hash table of them.

    Colors that are renamed and pegs that are moved change no total. Each first guess has a renaming that sorts it:
    `renamed` `int32[F, S]` and `renamed_guesses` `int32[F, G]` are the numbers, as guesses, that codes and guesses have
    behind it, `kinds` `int32[F]` the number of the sorted guess; F is 1 where nothing is renamed. A second renaming,
    which leaves the sorted guess as it is, sorts the second guess: `words` `uint64[R, G]` has a row for each, the first
    of them for no renaming, and `rows` `int32[K, G]`, or `[1, 1]`, the row for a kind and the number of the second
    guess. So games share their sets whose first two guesses are alike.

    `keys` `uint64[m]`, m a power of two, 0 where a cell is free; `totals` `int64[m]`. `guess_of_secret` and `every`
    `int32[S]`: the guess that each secret is, and the secrets; `whole`: the name of the set of all. `opened`
    `uint64[K, labels]` names what an answer leaves after the first guess; without a row it is not known.
    """

    renamed: Array
    renamed_guesses: Array
    kinds: Array
    words: Array
    rows: Array
    keys: Array
    totals: Array
    guess_of_secret: Array
    every: Array
    whole: int
    opened: Array


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
    """Store the totals of sets by their keys; return how many are new. There must be room for all."""
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


class KnownNumbers(NamedTuple):
    """What a thread remembers by names, each number in one cell, where a later one takes its place.

    `keys` `uint64[m]`, m a power of two: a set, of which `numbers` `float64[m]` has the total, or a set and a guess, of
    which it has the loss.
    """

    keys: Array
    numbers: Array


class LossRooms(NamedTuple):
    """What a thread writes into: `codes` `int32[S]`, `ends` and `seen` `int64[labels + 1]`, at first of zeros."""

    codes: Array
    ends: Array
    seen: Array


@inner
def _named(words: Array, names: Array, codes: Array) -> Any:
    key = np.uint64(0)
    for at in range(len(codes)):
        key ^= words[names[codes[at]]]
    return key


@inner
def _total(
    games: TurnGames,
    store: TotalStore,
    known: KnownNumbers,
    words: Array,
    names: Array,
    codes: Array,
    seen: Array,
    missing: MissingSets,
) -> Any:
    # The total of a set, 0 where it has to be asked for.
    n = len(codes)
    if n <= 2:
        return 2 * n - 1
    if n <= SETTLED:
        total = _by_codes(games, store, codes, seen)
        if total > 0:
            return total
    key = _named(words, names, codes)
    if n > SETTLED:
        place = np.int64(key & np.uint64(len(known.keys) - 1))
        if known.keys[place] == key:
            return np.int64(known.numbers[place])
        total = _by_codes(games, store, codes, seen) if n <= SMALL else 0
        cell = _cell(store, key)
        if total == 0 and store.keys[cell] == key:
            total = store.totals[cell]
        if total > 0:
            known.keys[place], known.numbers[place] = key, total
            return total
    else:
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


REMEMBERED = 6
"""Codes of the smallest sets whose losses are remembered: fewer are sorted sooner than memory is read."""


@kernel
def add_losses(
    games: TurnGames,
    actions: Array,
    which: Array,
    win: int,
    store: TotalStore,
    known: KnownNumbers,
    rooms: LossRooms,
    missing: MissingSets,
    losses: Array,
) -> int:
    """Write the losses of the actions in the games `which` (`int64[k]`), which are played next; return how many.

    `losses` `float64[n]`. Those whose sets have no totals yet are put to the front of `which`, k minus as many as were
    returned, and the sets into `missing` as far as there is room.
    """
    sorted_codes, ends, seen = rooms
    kept, last = 0, np.uint64(len(known.keys) - 1)
    for place in range(len(which)):
        i = which[place]
        n, turn, action = games.size[i], games.turn[i], actions[i]
        row, codes = games.labels[action], games.codes[i, :n]
        if turn == 0:
            codes = store.every
        # 1. One code is found or not; of two the guess may be one, tell them apart, or do neither.
        if n <= 2:
            one, other = row[codes[0]], row[codes[n - 1]]
            losses[i] = 0.0 if win in (one, other) else 1.0 if one == other else 0.5
            continue
        # 2. What was asked before is remembered, under the name of the set and the word of the guess, turned.
        first = (action if turn == 0 else games.early[i, 0]) % len(store.renamed)
        second = store.renamed_guesses[first, games.early[i, 1] if turn > 1 else action]
        kind = store.kinds[first]
        words = store.words[0 if turn == 0 else store.rows[kind % len(store.rows), second % store.rows.shape[1]]]
        names = store.renamed[first]
        cell, pair = np.int64(0), np.uint64(0)
        if n >= REMEMBERED:
            if turn == 0:
                pair = np.uint64(store.whole)
            elif turn == 1 and len(store.opened) > 0:
                pair = store.opened[kind, games.labels[games.early[i, 0], games.secret[i]]]
            else:
                pair = _named(words, names, codes)
            word = words[store.renamed_guesses[first, action]]
            pair ^= word << np.uint64(1) | word >> np.uint64(63)
            cell = np.int64(pair & last)
            if known.keys[cell] == pair:
                losses[i] = known.numbers[cell]
                continue
        # 3. The codes left, part by part.
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
        # 4. A guess each, and what the parts take.
        best, played, begin = _total(games, store, known, words, names, codes, seen, missing), n, 0
        is_known = best > 0
        for label in range(len(ends) - 1):
            end = ends[label]
            if end > begin and label != win:
                taken = _total(games, store, known, words, names, sorted_codes[begin:end], seen, missing)
                is_known &= taken > 0
                played += taken
            begin = end
        if is_known:
            losses[i] = (played - best) / n
            if n >= REMEMBERED:
                known.keys[cell], known.numbers[cell] = pair, losses[i]
        else:
            which[kept] = i
            kept += 1
    return len(which) - kept
