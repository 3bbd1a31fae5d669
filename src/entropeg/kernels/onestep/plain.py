"""The choice of a guess by a one-step rule, and strategy trees by such rules, on NumPy: the twin of `search`.

Every guess that symmetry leaves is scored against every candidate; the choice is exactly the kernels'. A node of a tree
costs some tenths of a millisecond whatever its size, a pair of codes some nanoseconds.
"""

# ruff: noqa: ARG001
# The arguments are those of the kernels, with scratch that is not needed here.
from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from entropeg.kernels._plain_labels import labels as labels_of
from entropeg.kernels._plain_labels import tallies
from entropeg.kernels.mixing import GAMMA, mixed
from entropeg.kernels.onestep import plain_groups
from entropeg.kernels.onestep.arrays import (
    ALL,
    BY_HASH,
    LARGEST,
    PROBES,
    SUM,
    WEIGHTED,
    BoardArrays,
    Core,
    Criterion,
    OpenNode,
    Rule,
    Work,
    next_key,
)
from entropeg.sizes import POSITIONAL

Array = Any

FEW = 64
"""The most candidates that are all judged first."""

ROWS = 1 << 20
"""Pairs, or cells of a table of part sizes, that are looked at in one go."""

WORTH_REDUCING = 1 << 17
"""Pairs from which it pays to look for guesses that symmetry leaves out."""

_kept: list[tuple[Core, Array]] = []


def choose(
    board: BoardArrays, rule: Rule, node: OpenNode, work: Work | None = None, share: int = 0, shares: int = 1
) -> int:
    """Choose a guess for a node: its index."""
    core = board.core
    settled = settled_guess(core, rule, node.codes)
    if settled >= 0:
        return settled
    found = _best_by_bounds(core, rule, node)
    return best_of(core, rule, node, guesses_to_judge(core, rule, node)) if found < 0 else found


def _best_by_bounds(core: Core, rule: Rule, node: OpenNode) -> int:
    """Return the guess that the rule puts first, most guesses refuted by their colors; -1 where these tell nothing.

    Groups come by their bounds, and costs are exact, so that the choice is that of `best_of` among all.
    """
    tables = plain_groups.tables_of(core)
    if tables is None or rule.scope != ALL or core.hard or not plain_groups.can_bound(rule.first, core.win):
        return -1
    codes, n = node.codes, len(node.codes)
    is_symmetric = rule.alike and core.closed
    best, given = _Best(core, rule, node), 0
    if n <= FEW:
        best.judge(np.sort(best.members[best.members >= 0]))
    else:
        given = plain_groups.discount(rule.first, core.win)
    groups = (
        plain_groups.groups_left(core, tables, codes, node.history) if is_symmetric else np.arange(len(tables.common))
    )
    scored = plain_groups.NodeLabels(tables, codes, groups)
    bounds = plain_groups.least_costs(core, rule.first, scored.sums) - given
    order = np.argsort(bounds, kind="stable")
    bounds, groups = bounds[order], groups[order]
    ends = np.cumsum(tables.starts[groups + 1] - tables.starts[groups])
    # Groups of the least bounds first, then twice as many pairs, and so on.
    at, step = 0, 1 << 15
    while at < (last := np.searchsorted(bounds, best.limit, side="right")):
        done = ends[at - 1] if at else 0
        end = max(at + 1, min(int(last), int(np.searchsorted(ends, done + step // n, side="right"))))
        pool = np.concatenate([tables.order[tables.starts[g] : tables.starts[g + 1]] for g in groups[at:end]])
        pool = best.drop_ties(pool, np.repeat(bounds[at:end], np.diff(ends[at:end], prepend=done)))
        if is_symmetric and len(pool) * n >= WORTH_REDUCING:
            pool = pool[_is_sorted(core, core.guesses[:, pool], node)]
            pool = pool[_is_first(core, core.guesses[:, pool], node)]
        few = max(1, ROWS // max(n, core.labels))
        for lo in range(0, len(pool), few):
            best.judge(pool[lo : lo + few], scored)
        at, step = end, min(2 * step, ROWS)
    return best.guess


def guesses_to_judge(core: Core, rule: Rule, node: OpenNode) -> Array:
    """Return the guesses, ascending, of which one is the best: of those that symmetry makes equal the first."""
    members = core.guess_of[node.codes]
    members = np.sort(members[members >= 0])
    if rule.scope == PROBES:
        return np.union1d(members, _probes(core, rule, members, node))
    pool = np.arange(core.guesses.shape[1]) if rule.scope == ALL else members
    if core.hard and rule.scope == ALL:
        pool = np.flatnonzero(_is_allowed(core, node))
    if rule.alike and core.closed and len(pool) * len(node.codes) >= WORTH_REDUCING:
        pool = pool[_is_sorted(core, core.guesses[:, pool], node)]
        pool = pool[_is_first(core, core.guesses[:, pool], node)]
    return pool


def _is_allowed(core: Core, node: OpenNode) -> Array:
    """Say which guesses use every clue of the history: bool[M]. See `guess_lists.find_clues`."""
    allowed = np.ones(core.guesses.shape[1], np.bool_)
    played, candidate = core.guesses[:, node.history], core.secrets[:, node.codes[0]]
    for p, color in enumerate(candidate):
        if (played[p] == color).any():
            allowed &= core.guesses[p] == color
    for color in np.unique(candidate):
        most = int((played == color).sum(axis=0).max(initial=0))
        wanted = min(most, int((candidate == color).sum()))
        if wanted:
            allowed &= (core.guesses == color).sum(axis=0) >= wanted
    return allowed


def _probes(core: Core, rule: Rule, members: Array, node: OpenNode) -> Array:
    """Draw `rule.probes` codes that are no candidates by a hash of the node, each once."""
    allowed, key = _is_allowed(core, node) if core.hard else None, node.key
    number, taken = core.guesses.shape[1], set(members.tolist())
    wanted = min(rule.probes, number - len(taken))
    drawn: list[int] = []
    every = np.arange(8 * rule.probes, dtype=np.uint64) + np.uint64(key)
    for guess in (_mix(every) % np.uint64(number)).tolist():
        if len(drawn) == wanted:
            break
        if guess not in taken and (allowed is None or allowed[guess]):
            taken.add(guess)
            drawn.append(guess)
    return np.array(drawn, np.int64)


def _mix(x: Array) -> Array:
    """Mix the bits of numbers, as `mix` does."""
    return np.asarray(mixed(x + GAMMA))


def _is_first(core: Core, planes: Array, node: OpenNode) -> Array:
    """Say of which guesses (columns) no exchange of colors that stand for one another makes an earlier guess: bool[G].

    Colors stand for one another that no guess used and a candidate has, and those that no candidate has. See
    `guess_lists.is_first`.
    """
    symbols = np.arange(core.symbols)
    present = np.isin(symbols, core.secrets[:, node.codes])
    kind = np.where(np.isin(symbols, core.guesses[:, node.history]), 0, (symbols < core.colors).astype(int))
    kind[~present & ((symbols < core.colors) | core.repeats)] = 2
    rank = np.zeros(core.symbols, np.int64)
    for k in (1, 2):
        rank[kind == k] = np.arange((kind == k).sum())
    first = np.ones(planes.shape[1], np.bool_)
    used = np.zeros((3, planes.shape[1]), np.int64)
    for row in planes:
        k, r = kind[row], rank[row]
        most = used[k, np.arange(len(row))]
        first &= (k == 0) | (r <= (np.where(k == 2, 0, most) if core.repeats else most))
        for one in (1, 2):
            used[one] += (k == one) & (r == most)
    return first


def _is_sorted(core: Core, planes: Array, node: OpenNode) -> Array:
    """Say of which guesses (columns) no exchange of pegs that stand for one another makes an earlier guess: bool[G].

    Pegs do on which every guess so far has the same color, or one that no candidate has. See `guess_lists.match_pegs`.
    """
    first = np.ones(planes.shape[1], np.bool_)
    if core.kind == POSITIONAL and len(node.history):
        return first
    here = core.guesses[:, node.history].astype(np.int64)
    here[~np.isin(here, core.secrets[:, node.codes])] = -1
    last: dict[bytes, int] = {}
    for p, played in enumerate(here):
        q = last.get(played.tobytes())
        if q is not None:
            first &= planes[q] <= planes[p]
        last[played.tobytes()] = p
    return first


def settled_guess(core: Core, rule: Rule, codes: Array) -> int:
    """Return the first candidate that splits the candidates completely, where that is best; else -1."""
    n = len(codes)
    if n > 1 and not (rule.split and n <= core.labels):
        return -1
    members = core.guess_of[codes]
    members = members[members >= 0]
    if n > 2 and len(members):
        found = np.sort(label_rows(core, members, codes), axis=1)
        members = members[(found[:, 1:] != found[:, :-1]).all(axis=1)]
    return int(members[0]) if len(members) else -1


def label_rows(core: Core, pool: Array, codes: Array) -> Array:
    """Return the label of each guess with each candidate: [G, N]."""
    # Up to 4 MB of labels are kept, which take hundredths of a second.
    table = _table(core, 1 << 22)
    if table is None:
        return _labels(core, pool, codes)
    return table[pool[:, None], codes] if len(pool) < len(table) else table[:, codes]


def _table(core: Core, most: int) -> Array | None:
    """Return the labels of all guesses with all secrets, where they are kept or no more than `most`."""
    if core.table.size:
        return core.table
    for owner, table in _kept:
        if owner is core:
            return table
    guesses, secrets = core.guesses.shape[1], core.secrets.shape[1]
    if guesses * secrets > most:
        return None
    table = _labels(core, np.arange(guesses), np.arange(secrets))
    _kept[:] = [(core, table)]
    return table


def _labels(core: Core, pool: Array, codes: Array) -> Array:
    dtype = np.dtype(np.uint8 if core.labels <= 256 else np.uint32)
    if (tables := plain_groups.tables_of(core)) is not None:
        return plain_groups.labels_by(tables, pool, codes)
    planes, symbols = core.secrets[:, codes], np.arange(core.symbols, dtype=core.secrets.dtype)
    counts = np.zeros((core.symbols, len(codes)), np.uint8 if core.pegs <= 255 else np.uint16)
    for row in planes:
        counts += row == symbols[:, None]
    rows, out = core.guesses[:, pool].T, np.empty((len(pool), len(codes)), dtype)
    step = max(1, ROWS // max(len(codes), 1))
    for lo in range(0, len(pool), step):
        out[lo : lo + step] = labels_of(core.kind, False, rows[lo : lo + step], planes, counts, dtype)
    return out


def best_of(core: Core, rule: Rule, node: OpenNode, pool: Array) -> int:
    """Return the guess of the pool that the rule puts first."""
    best = _Best(core, rule, node)
    step = max(1, ROWS // max(len(node.codes), core.labels))
    for lo in range(0, len(pool), step):
        best.judge(pool[lo : lo + step])
    return best.guess


class _Best:
    """The best guess so far, and the numbers it is compared by."""

    def __init__(self, core: Core, rule: Rule, node: OpenNode) -> None:
        self.core, self.rule, self.node = core, rule, node
        self.members = core.guess_of[node.codes]
        self.places = np.zeros(core.labels, np.intp)
        self.places[core.possible] = np.arange(len(core.possible))
        self.is_other = np.zeros(core.guesses.shape[1], np.bool_)
        if rule.member:
            self.is_other[:] = True
            self.is_other[self.members[self.members >= 0]] = False
        self.guess = -1
        self.rank: tuple[int, ...] | None = None

    @property
    def limit(self) -> int:
        """The cost that a better guess may have, by the first criterion."""
        # More than any cost.
        return 1 << 62 if self.rank is None else self.rank[0]

    def drop_ties(self, pool: Array, bounds: Array) -> Array:
        """Leave out guesses that cost as much as the best one at least, and lose by what decides then."""
        if not self.rule.placed or self.rank is None:
            return pool
        _, other, place = self.rank
        others = self.is_other[pool]
        return pool[(bounds < self.limit) | (others < other) | ((others == other) & (pool < place))]

    def judge(self, some: Array, scored: plain_groups.NodeLabels | None = None) -> None:
        """Take the best of some guesses, where it is better."""
        if not len(some):
            return
        rule, possible = self.rule, self.core.possible
        rows = label_rows(self.core, some, self.node.codes) if scored is None else scored.rows(some)
        sizes = tallies(self.places[rows], len(possible))
        keys: list[Array] = []
        for criterion in (rule.first, rule.second):
            if criterion.family >= 0:
                keys += cost_keys(criterion._replace(by_label=criterion.by_label[possible]), sizes)
        others = self.is_other[some]
        order = (
            _mix(np.uint64(self.node.key) ^ some.astype(np.uint64)) >> np.uint64(1) if rule.order == BY_HASH else some
        )
        first = least([*keys, others, order])
        rank = tuple(int(key[first]) for key in [*keys, others, order])
        if self.rank is None or rank < self.rank:
            self.guess, self.rank = int(some[first]), rank


def cost_keys(criterion: Criterion, sizes: Array) -> Iterator[Array]:
    """Give what guesses with these part sizes (int64[G, labels]) are compared by, the first first: int64[G] each.

    For the sorted partition there is a key for each place.
    """
    family, table, by_label, _ = criterion
    if family == SUM:
        costs: Array = table[0][sizes].sum(axis=1)
        for label in np.flatnonzero(by_label):
            column = sizes[:, label]
            costs += table[by_label[label]][column] - table[0][column]
        yield costs
    elif family == WEIGHTED:
        every = int(sizes[0].sum())
        yield (table[0, sizes] - sizes * (table[0, every] // every)) @ by_label
    elif family == LARGEST:
        yield sizes.max(axis=1)
    else:
        yield from np.sort(sizes, axis=1)[:, ::-1].T


def least(keys: list[Array]) -> int:
    """Return the index that the keys put first: the least by the first of them, of equal ones by the second."""
    alive = np.arange(len(keys[0]))
    for key in keys:
        here = key[alive]
        alive = alive[here == here.min()]
        if len(alive) == 1:
            break
    return int(alive[0])


class _Waiting(NamedTuple):
    """A node of a tree to which nobody has come yet."""

    begin: int
    end: int
    parent: int
    label: int
    history: tuple[int, ...]
    key: int


def grow(
    board: BoardArrays, rule: Rule, node: OpenNode, work: Work | None = None, opening: int = -1, limit: int = 1 << 62
) -> Any:
    """Grow the whole strategy tree for a node, whose candidates are reordered.

    The result and the further arguments are those of `search.grow`.
    """
    core = board.core
    # A tree looks at every pair several times: up to 32 MB of labels are kept.
    _table(core, 1 << 25)
    rows: list[tuple[int, int, int, int, int]] = []
    stack = [_Waiting(0, len(node.codes), -1, -1, tuple(map(int, node.history)), node.key)]
    while stack:
        one = stack.pop()
        here, inner = node.codes[one.begin : one.end], one.parent >= 0
        place = (one.parent, one.label, len(here), one.begin)
        if inner and len(here) > limit:
            rows.append((-1, *place))
            continue
        if not inner and opening >= 0:
            guess = opening
        else:
            guess = choose(board, rule, OpenNode(here, np.array(one.history, np.int64), one.key))
        if len(here) == 1 and core.guess_of[here[0]] == guess:
            rows.append((guess, *place))
            continue
        guess, parts = _split(core, here, guess)
        rows.append((guess, *place))
        for label, lo, hi in reversed(parts):
            below = (one.begin + lo, one.begin + hi, len(rows) - 1, label)
            stack.append(_Waiting(*below, (*one.history, guess), next_key(one.key, guess, label)))
    return np.array(rows, np.int32).T


def _split(core: Core, here: Array, guess: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Sort the candidates by their label for a guess, and give label, begin and end of every part that does not win.

    A guess that tells nothing would be played for ever; some tables of weights ask for one: then the first candidate is
    played, and it is returned.
    """
    found = label_rows(core, np.array([guess]), here)[0]
    if len(here) > 1 and (found == found[0]).all():
        guess = int(core.guess_of[here[0]])
        found = label_rows(core, np.array([guess]), here)[0]
    order = np.argsort(found, kind="stable")
    here[:] = here[order]
    found = found[order]
    begins = np.flatnonzero(np.diff(found, prepend=-1))
    ends = [*begins[1:].tolist(), len(found)]
    parts = zip(found[begins].tolist(), begins.tolist(), ends, strict=True)
    return guess, [part for part in parts if part[0] != core.win]
