"""Sorts guesses that a position cannot tell apart into kinds: one of each is enough to find the best.

Three reasons are used, all exact. Colors that no guess has used may change places with one another; so may colors that
no candidate contains, and where guesses may repeat colors, any two of those are as good as one twice. And the pegs may
be permuted together with the colors wherever that turns every guess played into itself: after `ABCD` alone, in 24 ways.

The one-step search uses the same reasons in compiled form, guess by guess, on boards whose guesses it has listed
(`kernels.onestep.guess_lists`). Here whole pools are sorted at once, also of boards that nobody lists, in milliseconds:
what the two could share is less than what one would need to serve both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations
from math import comb, perm

import numpy as np
from numpy.typing import NDArray

from entropeg import kernels
from entropeg.codes import Array, CodeSet, guesses
from entropeg.feedback import Code
from entropeg.position import Position
from entropeg.rules import Blanks, Rules

MOST_DRAFTS = 400_000
"""Codes that are written down before those of one kind are joined: 25 colors on four pegs, 13 on five."""


@dataclass(frozen=True)
class Classes:
    """Colors that stand for one another in a position, in ascending order.

    `kept` are told apart; `fresh` are in no guess played but in candidates; `absent` (which may include the blank) are
    in no candidate.
    """

    kept: tuple[int, ...]
    fresh: tuple[int, ...]
    absent: tuple[int, ...]
    merged: bool
    """Whether one absent color stands for all, because it may be played twice; it comes first in `absent`."""

    @classmethod
    def of(cls, position: Position) -> Classes:
        """Sort the symbols of a position's guesses by what its candidates contain."""
        rules = position.rules
        present: list[bool] = position.candidates.present.tolist()
        played = {color for turn in position.turns for color in turn.guess}
        symbols = range(rules.symbols_in_guesses)
        # A blank in secrets may repeat where colors may not: it is told apart.
        own = {rules.colors} if rules.blanks == Blanks.both and not rules.repeats else set()
        absent = tuple(c for c in symbols if not present[c] and c not in own)
        fresh = tuple(c for c in symbols if present[c] and c not in played and c not in own)
        if rules.colors in absent:
            absent = (rules.colors, *absent[:-1])  # the blank, which may always repeat
        kept = tuple(c for c in symbols if c not in {*absent, *fresh})
        return cls(kept, fresh, absent, bool(rules.guess_repeats) or rules.colors in absent)


def automorphisms(position: Position) -> Iterator[tuple[tuple[int, ...], NDArray[np.int64]]]:
    """Give permutations of pegs and of symbols that together turn every guess played into itself, the identity first.

    A code goes to the code with `colors[code[p]]` at `pegs[p]`. Positional feedback, which tells pegs apart, and words
    have the identity only.
    """
    rules = position.rules
    identity = np.arange(rules.symbols_in_guesses)
    yield tuple(range(rules.pegs)), identity
    if not (rules.is_symmetric and rules.feedback.about.pegs_alike):
        return
    # All permutations of up to six pegs are tried.
    for pegs in islice(permutations(range(rules.pegs)), 1, 720):
        colors = _matching_colors(position, pegs)
        if colors is not None:
            yield pegs, np.array([colors.get(int(color), int(color)) for color in identity])


def _matching_colors(position: Position, pegs: tuple[int, ...]) -> dict[int, int] | None:
    # The guess with colors[g[p]] at pegs[p] has to be g: colors[g[p]] = g[pegs[p]].
    colors: dict[int, int] = {position.rules.colors: position.rules.colors}
    for guess, _ in position.turns:
        for peg, color in enumerate(guess):
            if colors.setdefault(color, guess[pegs[peg]]) != guess[pegs[peg]]:
                return None
    return colors if len(set(colors.values())) == len(colors) else None


def representatives(position: Position, pool: CodeSet, classes: Classes | None = None) -> CodeSet:
    """Return the codes of a pool that are the first of their kind, in order.

    The pool must hold every code of a kind or none, as the candidates do and the legal guesses. Codes of boards too
    large to be numbered in 63 bits are all returned, and words, which no two are of a kind.

    >>> from entropeg.codes import format_code
    >>> position = Position(Rules.parse("4x6"))
    >>> [format_code(code, position.rules) for code in representatives(position, position.candidates)]
    ['AAAA', 'AAAB', 'AABB', 'AABC', 'ABCD']
    """
    rules = position.rules
    if rules.feedback.about.is_listed:
        return pool.take(np.sort(np.unique(kind_numbers(position, pool), return_index=True)[1]))
    if not _has_kinds(rules):
        return pool
    classes = classes or Classes.of(position)
    pool = pool.take(np.flatnonzero(_rank(_rename(pool.planes, classes), rules) == _rank(pool.planes, rules)))
    for pegs, colors in islice(automorphisms(position), 1, None):
        moved = np.empty_like(pool.planes)
        moved[list(pegs)] = colors.astype(moved.dtype)[pool.planes]
        # A draft that is larger than one of its kind is dropped at once: most codes see few of the permutations.
        pool = pool.take(np.flatnonzero(_rank(_rename(moved, classes), rules) >= _rank(pool.planes, rules)))
    return pool


def _has_kinds(rules: Rules) -> bool:
    """Tell whether codes can be alike, and be numbered in 63 bits: a prior of a file says that none are."""
    is_even = rules.prior is None or rules.prior.is_formula
    return rules.is_symmetric and is_even and rules.symbols_in_guesses**rules.pegs < 1 << 63


def opening_classes(rules: Rules | str) -> list[Code]:
    """Return one guess of each class of openings that renaming colors and moving pegs make equal, the first of each.

    Exact for every feedback kind, since at the start no peg or color differs from another; with words, shapes or a
    prior of a file every guess is returned, since there they do differ.

    >>> from entropeg import format_code
    >>> [format_code(code, "4x6") for code in opening_classes("4x6")]
    ['AAAA', 'AAAB', 'AABB', 'AABC', 'ABCD']
    """
    rules = Rules.of(rules)
    codes = guesses(rules)
    if rules.feedback.about.is_listed:
        return list(representatives(Position(rules.with_limit(None)), codes))
    if not _has_kinds(rules):
        return list(codes)
    return list(codes.take(np.sort(np.unique(_sorted_counts(codes), axis=1, return_index=True)[1])))


def opening_numbers(codes: CodeSet) -> NDArray[np.int64]:
    """Return a number for each code, equal for those that exchanges of any pegs and colors make of one another.

    They are `kind_numbers` at the start of a game, but on boards of more than six pegs, where these try some exchanges.
    """
    rules = codes.rules
    if not (_has_kinds(rules) and rules.feedback.about.pegs_alike):
        return kind_numbers(Position(rules), codes)
    numbers: NDArray[np.int64] = np.unique(_sorted_counts(codes), axis=1, return_inverse=True)[1].ravel()
    return numbers


def _sorted_counts(codes: CodeSet) -> Array:
    """How often the colors occur in each code, whichever they are."""
    rules = codes.rules
    # A blank that secrets may hold as often as any color is one more color; another is told apart, in the last row.
    alike = rules.symbols_in_guesses if rules.blanks == Blanks.both and rules.repeats else rules.colors
    return np.vstack([np.sort(codes.counts[:alike], axis=0), codes.counts[alike:]])


def kind_numbers(position: Position, codes: CodeSet, classes: Classes | None = None) -> NDArray[np.int64]:
    """Return a number for each code, equal for codes of one kind: `int64[codes]`; kinds are those of `representatives`.

    >>> position = Position("4x6")
    >>> kind_numbers(position, CodeSet.of(["AABB", "AABC", "CDDC"], "4x6")).tolist()
    [7, 8, 7]
    """
    rules = position.rules
    if rules.feedback.about.is_listed and rules.prior is None:
        played = np.array([turn.guess for turn in position.turns], np.int64).reshape(-1, rules.pegs)
        orbits = rules.table.orbits_after(rules.table.at(played.T, secret=False))
        return orbits[rules.table.at(codes.planes, secret=False)]
    if not _has_kinds(rules):
        return np.arange(len(codes), dtype=np.int64)
    classes = classes or Classes.of(position)
    numbers = np.full(len(codes), np.iinfo(np.int64).max)
    for pegs, colors in automorphisms(position):
        moved = np.empty_like(codes.planes)
        moved[list(pegs)] = colors.astype(moved.dtype)[codes.planes]
        numbers = np.minimum(numbers, _rank(_rename(moved, classes), rules))
    return numbers


def kind_sizes(position: Position, codes: CodeSet) -> list[int]:
    """Return how many legal guesses are of the kind of each code, itself included: exact, on boards of any size.

    Where one code is a candidate all of its kind are. Kinds are those of `representatives`.

    >>> position = Position(Rules.parse("4x6"))
    >>> kind_sizes(position, representatives(position, position.candidates))
    [6, 120, 90, 720, 360]
    """
    rules = position.rules
    if rules.feedback.about.is_listed:
        legal = kind_numbers(position, guesses(rules))
        return [int(np.count_nonzero(legal == number)) for number in kind_numbers(position, codes).tolist()]
    if not _has_kinds(rules):
        return [1] * len(codes)
    classes = Classes.of(position)
    kinds: list[set[Code]] = [set() for _ in range(len(codes))]
    for pegs, colors in automorphisms(position):
        moved = np.empty_like(codes.planes)
        moved[list(pegs)] = colors.astype(moved.dtype)[codes.planes]
        for kind, code in zip(kinds, _rename(moved, classes).T.tolist(), strict=True):
            kind.add(tuple(code))
    return [sum(_renamed_alike(code, classes, rules) for code in kind) for kind in kinds]


def _renamed_alike(code: Code, classes: Classes, rules: Rules) -> int:
    # How many codes `_rename` turns into this one: the ways to give its fresh and its absent colors other names.
    fresh: int = perm(len(classes.fresh), len(set(code) & set(classes.fresh)))
    places, absent = sum(color in classes.absent for color in code), len(classes.absent)
    if not classes.merged:
        return fresh * perm(absent, places)
    if rules.guess_repeats:
        return fresh * int(absent**places)
    # The blank, which may repeat, is one of the absent colors; the others may not.
    return fresh * sum(comb(places, holes) * perm(absent - 1, places - holes) for holes in range(places + 1))


def guess_kinds(position: Position) -> CodeSet | None:
    """Return one legal guess of each kind, in order, or None where more than `MOST_DRAFTS` would be compared.

    Hard rules allow all guesses of a kind or none: a color of which something is known was played, and is in every
    candidate.
    """
    rules = position.rules
    if not _has_kinds(rules):
        return position.legal_guesses if rules.guess_count <= MOST_DRAFTS else None
    classes = Classes.of(position)
    wanted = 1 if classes.merged else rules.pegs
    symbols = sorted({*classes.kept, *classes.fresh[: rules.pegs], *classes.absent[:wanted]})
    if len(symbols) ** rules.pegs > MOST_DRAFTS:
        return None
    blank = symbols[-1] == rules.colors and not rules.guess_repeats
    drafts = kernels.list_codes(rules.pegs, len(symbols), repeats=bool(rules.guess_repeats), blank=blank)
    planes = np.array(symbols, position.candidates.planes.dtype)[drafts]
    return position.allowed(representatives(position, CodeSet(rules, planes), classes))


def _rank(planes: Array, rules: Rules) -> NDArray[np.int64]:
    rank = np.zeros(planes.shape[1], np.int64)
    for plane in planes:
        rank *= rules.symbols_in_guesses
        rank += plane
    return rank


def _rename(planes: Array, classes: Classes) -> Array:
    # The first color of a class to appear becomes its first color, the second its second.
    renamed = planes.copy()
    if len(classes.fresh) > 1:
        _rename_class(planes, renamed, np.array(classes.fresh, planes.dtype))
    if len(classes.absent) > 1 and classes.merged:
        renamed[np.isin(planes, classes.absent)] = classes.absent[0]
    elif len(classes.absent) > 1:
        _rename_class(planes, renamed, np.array(classes.absent, planes.dtype))
    return renamed


def _rename_class(planes: Array, renamed: Array, members: Array) -> None:
    if len(members) < len(planes):  # a look at each color takes less than one at each pair of pegs
        early = np.arange(len(planes), 0, -1, dtype=np.uint16)[:, None]
        first = [((planes == color) * early).max(axis=0) for color in members]
        for color, own in zip(members, first, strict=True):
            before = np.sum([other > own for other in first], axis=0)
            np.copyto(renamed, members[np.minimum(before, len(members) - 1)], where=planes == color)
        return
    inside = np.isin(planes, members)
    place = np.zeros(planes.shape, np.uint16)
    seen = np.zeros(planes.shape[1], np.uint16)
    for peg in range(len(planes)):
        new = inside[peg].copy()
        place[peg] = seen
        for earlier in range(peg):
            same = planes[earlier] == planes[peg]
            np.copyto(place[peg], place[earlier], where=same)
            new &= ~same
        seen += new
    renamed[inside] = members[np.minimum(place, len(members) - 1)][inside]
