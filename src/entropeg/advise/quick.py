"""Advice that waits for no compiler: guesses ranked by what their answers tell, and the codebreaker that plays so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

import numpy as np

from entropeg import codebreakers
from entropeg.advise.advice import Advice, advise, answer
from entropeg.advise.expectation import Expectation
from entropeg.advise.notes import Notes
from entropeg.advise.question import LIMIT, SECONDS, AdviceQuestion, NotedPosition
from entropeg.advise.ranking.ranker import RankedGuess, Ranker
from entropeg.advise.ranking.searched import booked, can_search
from entropeg.advise.rated import RatedGuess
from entropeg.codebreakers.auto import Auto
from entropeg.codebreakers.decoder.discrimination import BLOCK, entropy_costs
from entropeg.codebreakers.doubts import Doubt
from entropeg.codes import AnyCode, Array, CodeSet, guesses, is_listable
from entropeg.feedback import Code
from entropeg.kernels.switch import can_compile
from entropeg.partition import Partition
from entropeg.position import Position
from entropeg.rules import Rules
from entropeg.search.part_curve import least_of
from entropeg.search.values import is_compiled
from entropeg.symmetry import guess_kinds

TRIED, JUDGED = 200, 20_000
"""On larger boards: how many candidates are tried as guesses, on how many others; together about 0.2 s."""


def advise_at_once(
    board: Position | Notes | Rules | str,
    *,
    limit: int = LIMIT,
    also: Iterable[AnyCode] = (),
    seconds: float = SECONDS,
    seed: int = 0,
) -> Advice:
    """Advise as `advise` does, but wait for no compiler.

    Where the exact search would have to be compiled first, for some 15 seconds, does not know the rules, or has more
    than four million pairs of a guess and a candidate to look at, guesses are ranked by the bits that their answers
    tell, and the expected numbers of guesses are lower bounds: that of the position holds for all play. Where one guess
    is left, which may be wrong, the likeliest codes come first.

    >>> advice = advise_at_once("2x3", limit=2)
    >>> len(advice.guesses), advice.remaining.count
    (2, 9)
    """
    began = perf_counter()
    question = AdviceQuestion.of(board, limit, also, seconds, seed)
    if not is_listable(question.noted.rules) or _is_soon(question):
        return answer(question, began)
    return answer(question, began, _ByBits(question).ranking())


def _is_soon(question: AdviceQuestion) -> bool:
    # Whether exact numbers stand in the book, or are found in about a second by code that is compiled already.
    noted = question.noted
    if not question.also and booked(question) is not None:
        return True
    # The exact search ranks guesses of four million pairs in about a second, as Bulls and Cows after one guess; 5x8
    # after one guess would take several.
    if len(noted.remaining.codes) * noted.rules.guess_count > 1 << 22:
        return False
    return can_search(noted) and is_compiled(noted.rules)


class _ByBits(Ranker):
    """Guesses by what their answers tell, with bounds of what they take."""

    has_bounds = True

    def __init__(self, question: AdviceQuestion) -> None:
        super().__init__(question)
        self._codes, self._last = self.noted.remaining.codes, question.last_guesses
        self.keeps_limit = not self._last

    def value(self) -> Expectation:
        return Expectation.at_least(least_of(self._codes))

    def best(self) -> tuple[list[RankedGuess], bool]:
        guesses = self._last or self._ranked()
        return list(zip(guesses, self.after(guesses), strict=True)), False

    def after(self, guesses: Sequence[Code]) -> list[Expectation]:
        return [Expectation.at_least(self._least(guess)) for guess in guesses]

    def _least(self, guess: Code) -> float:
        # A code of each part is found by the next guess at best, all others later: 1 + Σ p(part) (2 - its likeliest).
        # Where none is named, one question more at least for each part of several.
        labels, chances = self._codes.score(guess), self._codes.chances
        _, place = np.unique(labels, return_inverse=True)
        shares = np.bincount(place, chances)
        if not self.rules.is_named:
            return 1 + float(shares[np.bincount(place) > 1].sum())
        likeliest = np.zeros(len(shares))
        np.maximum.at(likeliest, place, chances)
        nothing = Expectation.at_least(0)
        return 1 + float((2 * shares - likeliest).sum()) - RatedGuess.of(self.noted, guess, nothing, nothing).chance

    def _ranked(self) -> list[Code]:
        # By bits, then candidates before others, then in order. Of guesses that a symmetry of the position makes alike
        # one stands for all, and where symmetries cannot be used, one of those that split the candidates alike.
        candidates = self._codes
        pool, judged = _compared(self.noted, np.random.default_rng(self.question.seed))
        costs = _costs(judged, pool)
        is_other = candidates.find(pool) < 0
        best = np.lexsort((is_other, costs))
        if self.rules.prior is None and judged is candidates and self.noted.is_complete:
            return [pool[int(index)] for index in best[: self.number]]
        found: dict[tuple[float, ...], Partition] = {}
        for index in best:
            part = Partition.of(candidates, pool[int(index)])
            found.setdefault((*part.sizes.values(), round(part.bits * 1e9)), part)
            if len(found) == self.number:
                break
        return [part.guess for part in sorted(found.values(), key=lambda part: -part.bits)]


def _compared(noted: NotedPosition, rng: np.random.Generator) -> tuple[CodeSet, CodeSet]:
    # The guesses to rank, and the candidates that they are judged on.
    candidates, rules = noted.remaining.codes, noted.rules
    if len(candidates) <= 2 and rules.is_named:
        return candidates, candidates
    is_plain = rules.prior is None and noted.is_complete
    kinds = guess_kinds(noted.position) if is_plain else None
    # Where no guess stands for others, as with a prior, ranking them takes a second or two.
    if kinds is None and len(candidates) * rules.guess_count <= 1 << 24:
        kinds = noted.allowed(guesses(rules))
    # More pairs take more than a second or two, as in `expert_for`.
    if kinds is not None and len(candidates) * len(kinds) <= 1 << 31:
        return kinds, candidates
    tried = candidates if rules.is_named else guesses(rules)
    return tried.drawn(TRIED, rng), candidates.drawn(JUDGED, rng)


def _costs(candidates: CodeSet, pool: CodeSet) -> Array:
    # The fewer, the more bits: exact whole numbers but for a prior, by which the bits are weighed.
    if candidates.rules.prior is not None:
        return np.array([-round(Partition.of(candidates, guess).bits, 9) for guess in pool])
    table, rows = entropy_costs(len(candidates)), max(1, BLOCK // candidates.rules.label_count)
    blocks = (pool[start : start + rows] for start in range(0, len(pool), rows))
    return np.concatenate([table[candidates.part_sizes(block)].sum(axis=1) for block in blocks])


@dataclass(frozen=True)
class Adviser:
    """Plays as it would advise: the best guess, where it is known.

    It makes the best guess where the exact search proves it in some hundredths of a second, once its code is compiled.
    Else it weighs every guess by the bits of its answer where that takes a second or two, or a sample of the
    candidates. Where the codes of the board cannot be listed it plays as `auto` does. Raises ContradictionError where
    no candidate is left.
    """

    name: ClassVar[str] = "adviser"
    deterministic: ClassVar[bool] = False

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess to make."""
        if not is_listable(position.rules):
            return Auto().guess(position, rng)
        position.check_consistent()
        return self._best(position) or self._weighed(position, rng)

    def explained(self, position: Position, rng: np.random.Generator) -> tuple[Code, str]:
        """Return the guess, and who made it where the codes cannot be listed; an empty text where they can."""
        return (self.guess(position, rng), "") if is_listable(position.rules) else Auto().explained(position, rng)

    def doubt(self, position: Position) -> Doubt | None:
        """Return what `auto` doubts where the codes cannot be listed; None where they can, which tells by itself."""
        return None if is_listable(position.rules) else Auto().doubt(position)

    def _best(self, position: Position) -> Code | None:
        rules = position.rules
        if len(position.candidates) <= 2 and rules.is_named:
            return position.candidates[0]
        # The best guess among half a million pairs is proved in some hundredths of a second.
        if len(position.candidates) * rules.guess_count > 1 << 19:
            return None
        noted = NotedPosition.of(position, 0)
        if not can_search(noted) or not self._may_search(rules):
            return None
        advice = advise(position, limit=1)
        return advice.best.guess if advice.is_proven else None

    def _may_search(self, rules: Rules) -> bool:
        return can_compile()

    def _weighed(self, position: Position, rng: np.random.Generator) -> Code:
        expert = expert_for(position)
        if expert is not None:
            return codebreakers.get(expert).guess(position, rng)
        tried, judged = (position.candidates.drawn(size, rng) for size in (TRIED, JUDGED))
        if not position.rules.is_named:
            tried = guesses(position.rules).drawn(TRIED, rng)
        return max(tried, key=lambda guess: Partition.of(judged, guess).bits)


class AdviserAtOnce(Adviser):
    """The adviser where somebody waits: it weighs guesses as long as the exact search is not compiled."""

    def _may_search(self, rules: Rules) -> bool:
        return is_compiled(rules)


def expert_for(position: Position) -> str | None:
    """Name the codebreaker that can weigh every guess of this position, None where it would take too long.

    One or two candidates need no weighing: playing one of them is best.
    """
    candidates = len(position.candidates)
    if (candidates <= 2 and position.rules.is_named) or candidates * position.rules.guess_count > 1 << 31:
        return None
    return next(iter(codebreakers.registry.placed("expert")), None)
