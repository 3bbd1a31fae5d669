"""The reach of exact proofs: codes, memory and about how much time one would take, said before it is begun."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from entropeg.alphabet import Alphabet
from entropeg.durations import rough_duration
from entropeg.errors import TooLargeError
from entropeg.rules import Rules
from entropeg.told import Told, plural

MATRIX_BYTES = 600_000_000
"""Bytes that labels of every secret against every guess may take unless the caller says otherwise."""

MOST_SECRETS = (1 << 16) - 1
"""The table of the search writes the size of a set in 16 bits."""
MOST_GUESSES = (1 << 20) - 2
"""The table of the search writes a guess in 20 bits."""
MOST_COLORS = 255
"""Codes are written with a byte a peg, labels in a byte: standard feedback of 16 pegs has 16 * 17 + 1 of them.

Black feedback has few labels; pegs as many as colors.
"""
MOST_LABELS = 255
"""Labels are bytes."""

STANDARD, BLACK = (-36.4, 3.54, 2.76), (-39.9, 3.59, 2.88)
"""(c, a, b): a proof takes about exp(c + a log N + b log N / log m) seconds on N secrets with m feedbacks.

Fitted by least squares to processor seconds of two threads on a 2.5 GHz Xeon (November 2026); boards of those kinds are
missed by a factor of 2.4 (1.2 without whites) on average, 6x5 by more than ten: for boards unlike those in `PROVEN`.
"""
PROVEN: dict[str, dict[int, float]] = {
    "3x": {10: 0.09, 11: 0.47, 12: 0.88, 13: 3, 14: 10, 15: 28, 16: 72},
    "4x": {6: 0.1, 7: 0.52, 8: 2, 9: 10, 10: 120, 11: 1700},
    "5x": {5: 0.3, 6: 40, 7: 600},
    "6x": {4: 1.9, 5: 8000},
    "7x": {2: 0.04, 3: 1.4},
    "8x": {2: 1, 3: 39},
    "4x/no-repeats": {9: 0.28, 10: 2.3, 11: 26, 12: 400},
    "5x/no-repeats": {6: 0.05, 7: 0.5, 8: 42},
    "4x/black": {5: 0.04, 6: 0.33, 7: 6.3, 8: 200},
}
"""Seconds that proofs took, by kind of board and colors: twice the processor seconds of one thread of an AMD EPYC.

On a 2.5 GHz Xeon, which has half its speed, those are seconds of a processor. Boards of more colors than these take as
many times longer as the last step or the formula says, whichever is more: 5x8 hours, 6x6 months.
"""
MOVED = 1.5e-7, 9
"""Seconds for each secret and permutation of the pegs, and the most pegs that are permuted: most of what 7x2, 7x3, 8x2,
8x3 and 9x2 take, and right within a factor of 3 there. Boards of more pegs take longer than is said."""


def proof_seconds(rules: Rules) -> float:
    """About how long one thread takes to prove the optimum of a board: within a factor of 3 on boards in `PROVEN`.

    >>> [f"{proof_seconds(Rules.parse(name)):.1g}" for name in ("4x6", "4x8", "4x10", "4x12", "5x8", "6x5")]
    ['0.1', '2', '1e+02', '2e+04', '1e+04', '8e+03']
    """
    if not rules.is_symmetric or rules.prior is not None:
        return _by_formula(rules)
    head, _, options = str(rules.board).partition("/")
    known = PROVEN.get(f"{head.partition('x')[0]}x{'/' * bool(options)}{options}", {})
    if not known or rules.colors < min(known):
        return _by_formula(rules)
    if rules.colors in known:
        return known[rules.colors]
    before, last = sorted(known)[-2:]

    def size(colors: int) -> float:
        return math.log(replace(rules.board, colors=colors, alphabet=Alphabet.default_name(colors)).secret_count)

    slope = math.log(known[last] / known[before]) / (size(last) - size(before))
    formula = _by_formula(rules) / _by_formula(replace(rules.board, colors=last, alphabet=Alphabet.default_name(last)))
    power = math.log(known[last]) + max(slope * (size(rules.colors) - size(last)), math.log(formula))
    return math.exp(min(power, 500.0))


def _by_formula(rules: Rules) -> float:
    about = rules.feedback.about
    size = math.log(max(rules.secret_count, 1))
    constant, by_size, by_depth = BLACK if about.in_place_only else STANDARD
    power = constant + by_size * size + by_depth * size / math.log(max(about.count(rules), 2))
    if not rules.is_symmetric:
        power += math.log(rules.guess_count)
    if not rules.repeats:
        # Without repeats it is exp(11.5 pegs / colors - 6) times that. Fitted to 4x9 to 4x12, 5x7, 5x8 and 6x6: these
        # are missed by a factor of 2.5 on average, 5x7 and 4x12 by 5.
        power += 11.5 * rules.pegs / rules.symbols_in_secrets - 6.0
    each, most = MOVED
    moved = each * math.factorial(rules.pegs) * rules.secret_count if rules.pegs <= most else 0.0
    # Beyond exp(500) seconds nothing is told apart.
    return math.exp(min(power, 500.0)) + moved


@dataclass(frozen=True)
class Reach:
    """The needs of a proof: ``cells`` labels of one byte each, and about ``seconds`` (see `proof_seconds`)."""

    rules: Rules
    secrets: int
    guesses: int
    cells: int
    seconds: float

    @classmethod
    def of(cls, rules: Rules, threads: int = 1) -> Reach:
        """Estimate for a whole board, searched by a number of threads on processors of their own; costs nothing.

        >>> Reach.of(Rules.parse("5x9")).cells
        3486784401
        """
        secrets, guesses = rules.secret_count, rules.guess_count
        is_mutual = rules.feedback.about.is_mutual
        cells = secrets * guesses * (1 if secrets == guesses and is_mutual else 2)
        return cls(rules, secrets, guesses, cells, proof_seconds(rules) / threads)

    @property
    def can_be_raised(self) -> bool:
        """Whether more memory is all that is missing; where there is one code, nothing is."""
        if self.guesses == 1:
            return True
        return not self._hindrances()

    @property
    def has_many_answers(self) -> bool:
        """Whether guesses may have more different answers than are searched at once."""
        return self.rules.feedback.about.count(self.rules) > MOST_LABELS

    def _hindrances(self) -> list[str]:
        """The reason why no memory would do, in words; empty without one."""
        rules, about = self.rules, self.rules.feedback.about
        if self.guesses == 1:
            return []
        # Labels are bytes: standard feedback of 16 pegs has 16 * 17 + 1 of them. Black feedback has few labels.
        pegs = MOST_COLORS if about.in_place_only else 15
        # Codes are found by their number in base `symbols`; with symmetry there is a list of all numbers, of 8 bytes
        # each.
        numbers, most = rules.symbols_in_guesses**rules.pegs, 1 << 26 if rules.is_symmetric else 1 << 63
        colors, too_many = rules.symbols_in_guesses, list[str]()
        if self.secrets > MOST_SECRETS:
            too_many.append(Told("{count:count} secrets (at most {most:,})", self.secrets, MOST_SECRETS))
        if self.guesses > MOST_GUESSES:
            too_many.append(Told("{count:count} guesses (at most {most:,})", self.guesses, MOST_GUESSES))
        if colors > MOST_COLORS:
            too_many.append(Told("{count:count} colors (at most {most:,})", colors, MOST_COLORS))
        if rules.pegs > pegs:
            too_many.append(Told("{count:count} pegs (at most {most:,})", rules.pegs, pegs))
        if not too_many and numbers > most:
            too_many = [Told("{colors} colors on {pegs} pegs, more codes than can be numbered", colors, rules.pegs)]
        answers = about.count(rules)
        is_told = rules.words is None or rules.words.free  # of words each has its own answers, and seldom all of them
        # Few labels are made all the same: on a board with more answers that has few codes not all of them occur.
        if not too_many and is_told and answers > MOST_LABELS and self.cells > 1_000_000:
            too_many = [Told("{count:,} different answers (at most {most})", answers, MOST_LABELS)]
        return too_many

    def check(self, memory: int) -> None:
        """Raise TooLargeError, saying what the board would need, where its labels take more than `memory` bytes."""
        if self.cells > memory or not self.can_be_raised:
            raise TooLargeError(
                "{rules} is out of reach of the exact search: {reason}", self.rules, self.describe(memory)
            )

    def describe(self, memory: int) -> str:
        """Say what is needed, what is allowed, about how long it would take, and what can be raised."""
        needs = Told(
            "its {secrets} against {guesses} take {needed:count} MB of the {allowed:count} MB allowed, and a proof "
            "would take about {time}",
            plural(self.secrets, "{n} secret", "{n} secrets"),
            plural(self.guesses, "{n} guess", "{n} guesses"),
            _megabytes(self.cells),
            _megabytes(memory),
            rough_duration(self.seconds),
        )
        if self.can_be_raised:
            more = _megabytes(self.cells) + 1
            return Told("{needs}; raise the memory to {more:count} MB to search it all the same", needs, more)
        return Told("{needs}; it is beyond the search by its {reason}", needs, self._hindrances()[0])


def _megabytes(count: int) -> int:
    """To the nearest; whole numbers, as the cells of 100x100 are beyond the greatest float."""
    return (count + 500_000) // 1_000_000
