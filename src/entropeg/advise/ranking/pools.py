"""Chooses guesses among which the best is looked for: all that differ, where they are few enough, else likely ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from entropeg.advise.question import NotedPosition
from entropeg.candidates import can_walk
from entropeg.codebreakers.sampling.splitting import Splitter
from entropeg.codes import Array, CodeSet, guesses, is_listable, plane_type, random_guess
from entropeg.feedback import Code
from entropeg.kernels import list_codes
from entropeg.rules import Rules
from entropeg.symmetry import guess_kinds

SOME_CODES, SOME_GUESSES = 300, 200
"""Codes and other guesses that are compared where all are too many."""


@dataclass(frozen=True)
class GuessPool:
    """Some guesses to compare.

    Where any other is one of them but for a symmetry of the position, and the codes are few, also `every` guess: those
    that stand for all, whichever of the codes are left.
    """

    guesses: CodeSet
    every: CodeSet | None


def guess_pool(noted: NotedPosition, codes: CodeSet, pairs: float, rng: np.random.Generator, *, few: int) -> GuessPool:
    """Return the guesses to compare on these codes, those that the position allows: one of every kind if need be.

    At most ``pairs`` of a guess and a code are weighed. Up to ``few`` codes every guess is returned too.
    """
    whole = _whole(noted, codes, pairs)
    if whole is None:
        return GuessPool(noted.allowed(_some(codes, noted.rules, rng)), None)
    return GuessPool(whole, _all_guesses(noted, codes) if len(codes) <= few else None)


def _whole(noted: NotedPosition, codes: CodeSet, pairs: float) -> CodeSet | None:
    # One guess of every kind, None where they are too many. One or two codes are the best guesses themselves.
    rules = noted.rules
    if len(codes) <= 2 and rules.is_named:
        return codes
    if is_listable(rules):
        each = pairs_of(rules, len(codes))
        kinds = guess_kinds(noted.position) if noted.is_complete and rules.prior is None else None
        if kinds is None:
            is_cheap = rules.guess_count * each <= pairs
            kinds = noted.allowed(guesses(rules)) if is_cheap else _all_guesses(noted, codes)
        if kinds is not None and len(kinds) * each <= pairs:
            return kinds
    return None


def pairs_of(rules: Rules, codes: int) -> int:
    """Return what it costs to score one guess on a number of codes, in pairs of a guess and a code.

    >>> pairs_of(Rules.parse("4x6"), 1000), pairs_of(Rules.parse("2x300"), 1000)
    (1000, 22000)
    """
    # Where colors do not fit into a byte, a guess takes as long as 12,000 pairs and each code beside it as ten; so does
    # a code under a prior, and a hundred where pegs have shapes.
    is_wide = rules.symbols_in_guesses > 256
    pair = 100 if rules.shapes else 10 if is_wide or rules.prior is not None else 1
    return 12_000 * is_wide + pair * codes


def _all_guesses(noted: NotedPosition, codes: CodeSet) -> CodeSet | None:
    """Return guesses of a position that stand for all, whichever of some codes are left; None beyond listing.

    Colors that no code has are as good as one of them, where it may be played on several pegs.
    """
    rules = codes.rules
    if not is_listable(rules):
        return None
    absent = np.flatnonzero(~codes.present)
    if not (rules.is_symmetric and rules.guess_repeats) or len(absent) < 2:
        return noted.allowed(guesses(rules))
    kept = np.setdiff1d(np.arange(rules.symbols_in_guesses), absent[:-1])
    drafts = list_codes(rules.pegs, len(kept), repeats=True, blank=False)
    return noted.allowed(CodeSet(rules, kept.astype(plane_type(rules))[drafts]))


def sampled_pool(
    noted: NotedPosition, named: Sequence[Code], pegs: float, rng: np.random.Generator
) -> tuple[CodeSet, CodeSet]:
    """Return guesses to compare where nobody can list the codes left, and codes of the sample to compare them on.

    Some guesses are named. All pairs of a guess and a code together have about ``pegs`` pegs.
    """
    codes, rules = noted.remaining.codes, noted.rules
    likely = joined(rules, likely_guesses(codes, rng).planes, codes.drawn(60, rng).planes)
    # At least ten guesses, compared on a hundred codes at least.
    most = max(int(pegs / (100 * rules.pegs)), 10)
    pool = noted.allowed(joined(rules, likely.drawn(most, rng).planes, planes_of(named, rules)))
    return pool, codes.drawn(max(int(pegs / (len(pool) * rules.pegs)), 100), rng)


def planes_of(some: Iterable[Code], rules: Rules) -> Array:
    """Codes as planes: one column each."""
    planes: Array = np.array(list(some), plane_type(rules)).reshape(-1, rules.pegs).T
    return planes


def joined(rules: Rules, *planes: Array) -> CodeSet:
    """Codes of several arrays of planes, each once, in order."""
    every = np.concatenate([some.astype(plane_type(rules)) for some in planes], axis=1)
    return CodeSet(rules, np.unique(every, axis=1))


def _some(codes: CodeSet, rules: Rules, rng: np.random.Generator) -> CodeSet:
    if not rules.is_named:
        return guesses(rules).drawn(SOME_CODES + SOME_GUESSES, rng)
    chosen = codes.drawn(SOME_CODES, rng)
    if is_listable(rules):
        return joined(rules, chosen.planes, guesses(rules).drawn(SOME_GUESSES, rng).planes)
    return joined(rules, chosen.planes, likely_guesses(codes, rng).planes)


def likely_guesses(codes: CodeSet, rng: np.random.Generator) -> CodeSet:
    """Some guesses that tell much of a sample of codes: codes of the sample, improved peg by peg.

    Under rules whose codes chains cannot walk, any legal guesses.
    """
    rules = codes.rules
    if not can_walk(rules):
        rows = np.array([random_guess(rules, rng) for _ in range(SOME_GUESSES)], plane_type(rules))
        return joined(rules, rows.T)
    splitter = Splitter(codes.drawn(1500, rng), rng, np.inf)
    starts = np.ascontiguousarray(codes.drawn(SOME_CODES, rng).planes.T)
    # Eight guesses are improved peg by peg, with 600 changes tried on each.
    improved, _ = splitter.improved(starts, splitter.prices(starts), 8, 600)
    return joined(rules, improved.T)
