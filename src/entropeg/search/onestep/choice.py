"""The choice of a one-step codebreaker: criterion, rule for ties, source of guesses, turn by turn.

This is the one place where tie rules are declared (`TIES`), and where it is decided what the search may leave out under
each (`TurnRule.rule`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from entropeg.codes import parse_code
from entropeg.feedback import Code, label_of, parse_feedback
from entropeg.kernels.onestep.arrays import BY_HASH, BY_PLACE, PROBES, SORTED, WEIGHTED, Criterion, Rule
from entropeg.rules import Rules
from entropeg.search.onestep import criteria


class Ties(NamedTuple):
    """How guesses of equal cost are told apart: by this, in this order, so that no two guesses are equal in all."""

    candidates_first: bool
    order: int = BY_PLACE
    """One number a guess, the least first: its place in the list of guesses, or a hash of it, the seed and the turns.

    The search relies on the place alone: only with it may the guesses after the first one be left out that are alike,
    or that cost the same. With any other number every guess is judged: see `Rule`.
    """

    @property
    def by_chance(self) -> bool:
        """Whether a seed decides."""
        return self.order == BY_HASH


TIES = {
    "candidate": Ties(candidates_first=True),
    "knuth": Ties(candidates_first=True),
    "first": Ties(candidates_first=False),
    "random": Ties(candidates_first=False, order=BY_HASH),
    "candidate-random": Ties(candidates_first=True, order=BY_HASH),
}
"""The tie rules by name.

- candidate: a candidate first, then the first in order (Bruyere).
- knuth: a code not yet played, then a candidate, then the lowest. It plays as `candidate` does: a code already played
  leaves all candidates in one part, so no criterion here prefers it to a candidate.
- first: the first in order, candidate or not.
- random: any of them, by a hash of the seed and the turns played. candidate-random: the same, a candidate first.
"""

SCOPES = ("all", "candidates", "probes")
"""Where guesses come from, as `kernels.onestep.arrays` numbers it.

Every legal code, the candidates, or the candidates and `probes` codes drawn by a hash of seed and turns.
"""


class TurnRule(NamedTuple):
    """The rule by which the guess of a turn is chosen."""

    criterion: str
    then: str = ""  # a second criterion for equal guesses, "" for none
    ties: str = "candidate"
    guesses: str = "all"
    probes: int = 0
    win: bool = False  # the winning part counts for less: see `criteria.criterion`
    weights: tuple[tuple[str, int], ...] | None = None  # of feedbacks, in thousandths; not given, all weigh the same
    symmetry: bool = True  # these two only save time
    shortcut: bool = True

    @property
    def by_chance(self) -> bool:
        """Whether a seed decides about ties, or about where guesses come from."""
        return TIES[self.ties].by_chance or self.guesses == "probes"

    def criteria(self, rules: Rules) -> list[Criterion]:
        """Return the first criterion, and the second if there is one; InputError for a weight that cannot occur."""
        size, labels, win = rules.secret_count, rules.label_count, rules.win_label
        if self.weights is None:
            first = criteria.criterion(self.criterion, size, labels, win, win_correction=self.win)
        else:
            weights = np.full(labels, criteria.WEIGHT_UNIT, np.int64)
            for answer, weight in self.weights:
                weights[label_of(parse_feedback(answer, rules), rules)] = weight
            first = criteria.weighted_entropy(weights, size)
        # Where no question has more than two answers, the name of a secret has as many parts: entropy decides, or names
        # would be asked one after the other.
        is_even = self.criterion == "parts" and rules.feedback.about.is_listed and rules.table.most_parts <= 3
        then = self.then or ("entropy" if is_even else "")
        return [first, *([criteria.criterion(then, size, labels, win, win_correction=False)] if then else [])]

    def rule(self, rules: Rules) -> Rule:
        """Return the rule as the kernels take it, with the guesses they may leave out: made once and kept."""
        return _rule(self, rules)


@lru_cache(maxsize=32)
def _rule(choice: TurnRule, rules: Rules) -> Rule:
    first, *second = choice.criteria(rules)
    ties, scope = TIES[choice.ties], SCOPES.index(choice.guesses)
    by_place = ties.order == BY_PLACE
    return Rule(
        first=first,
        second=second[0] if second else first._replace(family=-1),
        member=ties.candidates_first,
        order=ties.order,
        scope=scope,
        probes=choice.probes,
        # Of all complete splits the first candidate comes first; weights may ask for something else.
        split=choice.shortcut and by_place and ties.candidates_first and first.family != WEIGHTED,
        # Guesses that are alike cost the same and are candidates or not together; codes drawn by chance are not alike.
        alike=choice.symmetry and by_place and scope != PROBES,
        # Where a cost is one number, and no second one decides.
        placed=by_place and not second and first.family != SORTED,
    )


class Schedule(NamedTuple):
    """The rules of a one-step codebreaker: the choice of each turn, the last of which goes on for ever."""

    choices: tuple[TurnRule, ...]
    opening: str = ""  # a first guess to play instead of the best
    seed: int = -1  # what chance is drawn by, -1 for none
    deterministic: bool = True  # no chance at all, or chance from the seed

    def choice_at(self, turn: int) -> TurnRule:
        """Return the choice of a turn, counted from 0."""
        return self.choices[min(turn, len(self.choices) - 1)]

    def opening_code(self, rules: Rules) -> Code | None:
        """Return the first guess that is given, if one is."""
        return parse_code(self.opening, rules) if self.opening else None
