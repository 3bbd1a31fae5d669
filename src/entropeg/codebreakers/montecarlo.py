"""The player of Jourde 2018: random guesses judged on random secrets, for boards whose codes cannot be listed.

T. Jourde, Programme-joueur de Mastermind paramétrique (2018). Each turn some secrets that fit every turn are deduced
from label permutations (`candidates.label_tree`); some codes not yet played are drawn; the code with the most different
feedbacks over those secrets is played.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, NamedTuple

import numpy as np

from entropeg.candidates.front import EFFORT, STEPS, find_candidates
from entropeg.candidates.label_tree import LabelSample, as_set, check_rules, sample_codes
from entropeg.codes import Array, CodeSet, guesses, random_guess
from entropeg.errors import NEAREST, ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code
from entropeg.kernels import part_sizes_many, score_many
from entropeg.position import Position
from entropeg.registry import at_least, choice, named
from entropeg.rules import Blanks, Rules

SPARSE = 8
"""With this many times more labels than secrets, parts are counted by sorting labels, not in a table of all."""


class Weighed(NamedTuple):
    """The choice of the player: its guess, the secrets that it was judged on, and its score among `candidates` codes.

    The score is the number of different feedbacks, or bits. `fits` is False where no secret that fits was found in
    the time given: then the guess is any code not yet played.
    """

    guess: Code
    secrets: LabelSample
    score: float
    candidates: int
    fits: bool


@dataclass(frozen=True)
class Montecarlo:
    """Random codes judged over random secrets (Jourde 2018).

    The secrets fit every answer, and of the codes the one with the most different feedbacks is played.
    `secrets` and `candidates` are the sizes of the two samples; the secrets are themselves the first candidates.
    `score` is parts, the number of different feedbacks, or entropy. Equal scores are decided for a code that fits, then
    by chance. A single secret is played at once. `time` ends the search for secrets after so many seconds, 0 for no
    limit. Plays any codes of colors, under every kind of feedback but that of shapes, on boards of up to 14 pegs: where
    label permutations lead to hardly any code, chains find them.
    """

    secrets: int = 1000
    candidates: int = 2000
    score: str = "parts"
    time: float = 0.0

    name = named("montecarlo")
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        choice("score", self.score, ("parts", "entropy"))
        at_least(self, secrets=1, candidates=1)
        if self.time < 0:
            raise InputError("time is {time}; it must be at least 0, which stands for no limit", self.time)

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess; raises what `decide` raises."""
        return self.decide(position, rng).guess

    def explained(self, position: Position, rng: np.random.Generator) -> tuple[Code, str]:
        """Return the guess, and a sentence where it is less than it should be: the time was up."""
        found = self.decide(position, rng)
        return found.guess, "" if found.fits else NEAREST

    def decide(self, position: Position, rng: np.random.Generator) -> Weighed:
        """Return the guess and the codes it was chosen from.

        Raises InputError under rules that it does not play, ContradictionError where no secret fits, TooLargeError
        where no secret was found and no time was given.
        """
        check_rules(position.rules)
        # With more pegs the weights of codes found are no numbers any more.
        if position.rules.pegs > 60:
            raise TooLargeError(
                "montecarlo reaches some 14 pegs, and {rules} has {pegs}: play `sampling` to 30 pegs, "
                "`belief` or `linear` beyond, or `auto`, which picks one",
                *(position.rules, position.rules.pegs),
            )
        found = self._secrets(position, rng)
        if not len(found.codes):
            return self._in_the_dark(position, found, rng)
        if len(found.codes) == 1:
            return Weighed(found.codes[0], found, 1.0, 1, fits=True)
        return self._choose(position, found, rng)

    def _secrets(self, position: Position, rng: np.random.Generator) -> LabelSample:
        # By labels as the document does; where these find hardly any, by the ways of every other player; where those
        # find none, with patience, and the constraint solver.
        deadline = perf_counter() + self.time if self.time else np.inf
        found = sample_codes(position.rules, position.turns, self.secrets, rng, deadline=deadline)
        # A dozen codes, or one, are no sample of thousands: chains are asked. From some 12 pegs on.
        few = found.quality == "weighted" and len(found.codes) < min(100, self.secrets)
        if few and perf_counter() < deadline:
            found = self._sampled(position, found, rng, steps=STEPS, effort=0)
        if found.quality == "weighted" and not len(found.codes) and perf_counter() < deadline:
            # Chains make twelve times the usual steps before a turn is given up.
            found = self._sampled(position, found, rng, steps=12 * STEPS, effort=EFFORT)
        return found

    def _sampled(
        self, position: Position, found: LabelSample, rng: np.random.Generator, *, steps: int, effort: float
    ) -> LabelSample:
        rules, turns = position.rules, position.turns
        try:
            other = find_candidates(rules, turns, limit=self.secrets, seed=rng, steps=steps, effort=effort)
        except TooLargeError:
            return found
        if len(other.codes) <= len(found.codes) and not other.complete:
            return found
        number = len(other.codes) if other.complete else found.number
        return LabelSample(other.codes, "all" if other.complete else "sampled", number)

    def _choose(self, position: Position, found: LabelSample, rng: np.random.Generator) -> Weighed:
        pool = self._pool(position, found.codes, rng)
        scores = self._scores(pool, found.codes)
        best = np.flatnonzero(scores == scores.max())
        members = best[found.codes.find(pool.take(best)) >= 0]
        equal = members if len(members) else best
        chosen = int(equal[rng.integers(len(equal))])
        return Weighed(pool[chosen], found, float(scores[chosen]), len(pool), fits=True)

    def _pool(self, position: Position, secrets: CodeSet, rng: np.random.Generator) -> CodeSet:
        # The secrets, then random codes, each once, none played before.
        rules, kept = position.rules, secrets
        if len(secrets) > self.candidates:
            kept = secrets.take(np.sort(rng.choice(len(secrets), self.candidates, replace=False)))
        drawn = position.allowed(_random_codes(rules, self.candidates, rng))
        played = [index for turn in position.turns if (index := drawn.index_of(turn.guess)) is not None]
        fresh = drawn.take(np.setdiff1d(np.flatnonzero(kept.find(drawn) < 0), played))
        wanted = min(self.candidates - len(kept), len(fresh))
        some = fresh.take(np.sort(rng.choice(len(fresh), wanted, replace=False)))
        return as_set(rules, np.concatenate([kept.planes.T, some.planes.T]))

    def _scores(self, pool: CodeSet, secrets: CodeSet) -> Array:
        rules = pool.rules
        if rules.label_count > SPARSE * len(secrets):
            return self._scores_by_sorting(pool, secrets)
        # Part sizes of 128 MB at a time.
        step = max(1, (1 << 25) // rules.label_count)
        return np.concatenate(
            [
                self._scores_of(part_sizes_many(rules.kind, pool.planes[:, start : start + step], secrets.planes))
                for start in range(0, len(pool), step)
            ]
        )

    def _scores_by_sorting(self, pool: CodeSet, secrets: CodeSet) -> Array:
        # Under positional marks 13 pegs have 1.6 million labels, of which a thousand secrets have a thousand at most.
        labels = np.sort(score_many(pool.rules.kind, pool.planes, secrets.planes), axis=1)
        ends = np.ones(labels.shape, bool)
        ends[:, :-1] = labels[:, 1:] != labels[:, :-1]
        if self.score == "parts":
            return np.asarray(np.count_nonzero(ends, axis=1), float)
        rows, columns = np.nonzero(ends)
        sizes = np.diff(rows * labels.shape[1] + columns, prepend=-1)
        shares = sizes / labels.shape[1]
        return -np.asarray(np.round(np.bincount(rows, shares * np.log2(shares), minlength=len(labels)), 9))

    def _scores_of(self, sizes: Array) -> Array:
        if self.score == "parts":
            return np.asarray(np.count_nonzero(sizes, axis=1), float)
        shares = sizes / sizes.sum(axis=1, keepdims=True)
        return -np.asarray(np.round((shares * np.log2(np.where(shares > 0, shares, 1.0))).sum(axis=1), 9))

    def _in_the_dark(self, position: Position, found: LabelSample, rng: np.random.Generator) -> Weighed:
        if found.quality == "all":  # every label sequence was walked through in vain: that is a proof
            with suppress(TooLargeError):
                position.check_consistent()
            raise ContradictionError(
                "no secret fits the {turns} turns on {rules}: one of them is wrong", len(position.turns), position.rules
            )
        if not self.time or position.rules.hard:
            raise TooLargeError(
                "montecarlo found no secret that fits the {turns} turns on {rules}, neither by label "
                "permutations nor by chains, and nothing is proved: auto picks a strategy that may reach "
                "further",
                *(len(position.turns), position.rules),
            )
        played = {turn.guess for turn in position.turns}
        guess = next(code for code in iter(lambda: random_guess(position.rules, rng), None) if code not in played)
        return Weighed(guess, found, 0.0, 0, fits=False)


def _random_codes(rules: Rules, number: int, rng: np.random.Generator) -> CodeSet:
    # Different legal guesses, all of them where they are hardly more than wanted.
    if rules.guess_count <= 4 * number:
        return guesses(rules)
    if rules.guess_repeats:
        return as_set(rules, rng.integers(rules.symbols_in_guesses, size=(number, rules.pegs)))
    if rules.blanks == Blanks.none:
        return as_set(rules, np.argsort(rng.random((number, rules.colors)), axis=1)[:, : rules.pegs])
    return as_set(rules, np.array([random_guess(rules, rng) for _ in range(number)]))
