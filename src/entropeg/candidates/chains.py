"""Finds codes that fit some turns by chains that walk towards them: no list, no tree, any board up to 255 x 255.

The chains are those of `entropeg.kernels.tempering`; here they are given turns, set off, and asked what they found.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from entropeg.candidates.constraints import Turns
from entropeg.codes import Array, CodeSet, random_secret
from entropeg.errors import InputError, TooLargeError
from entropeg.feedback import Method, check_known, is_known
from entropeg.rules import Blanks, Rules

if TYPE_CHECKING:
    from entropeg.kernels.tempering import ChainStates, Puzzle

LARGEST = 255
"""Pegs and symbols are counted in bytes."""

MOST_CELLS = 64_000_000
"""Bytes of the table of gains."""

SWEEP = 50
"""Proposals between two looks at a chain."""


def can_walk(rules: Rules) -> bool:
    """Tell whether chains can search the codes of these rules: not positional marks, words, shapes, or over 255.

    >>> can_walk(Rules.parse("30x30")), can_walk(Rules.parse("5x8/positional"))
    (True, False)
    """
    sizes = rules.pegs <= LARGEST and rules.symbols_in_guesses < LARGEST
    return rules.is_symmetric and is_known(rules, Method.chains) and sizes


def check_walk(rules: Rules) -> None:
    """Raise InputError, saying why, where chains cannot search the codes of these rules."""
    check_known(rules, Method.chains)
    if not rules.is_symmetric:
        raise InputError("chains search codes of any colors, not the words of {rules}: list its codes instead", rules)
    if not can_walk(rules):
        raise TooLargeError(
            "chains reach {pegs} pegs and {symbols} symbols, and {rules} has more: play "
            "`linear`, `belief` or `dichotomy`",
            *(LARGEST, LARGEST - 1, rules),
        )


def puzzle_of(rules: Rules, turns: Turns) -> Puzzle:
    """Pack turns for the kernel; raises TooLargeError where the tables would be out of proportion."""
    from entropeg.kernels.compile.byte_rows import LANES
    from entropeg.kernels.tempering import Puzzle

    size = -(-max(len(turns), 1) // LANES) * LANES
    counts = [Counter(guess) for guess, _ in turns]
    most = max((max(count.values()) for count in counts), default=1)
    if (most + 1) * rules.symbols_in_secrets * size > MOST_CELLS:
        raise TooLargeError("{rules} after {turns} turns is too large for chains: play `dichotomy`", rules, len(turns))
    rows = np.full((rules.pegs, size), 255, np.uint8)
    black, total = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    for turn, (guess, feedback) in enumerate(turns):
        rows[:, turn] = guess
        black[turn], total[turn] = feedback.black, feedback.black + feedback.white
    if rules.feedback.about.in_place_only:
        most, counts = 0, []
    gains = np.zeros((most + 1, rules.symbols_in_secrets, size), np.uint8)
    membership = rules.feedback.about.common == "members"
    for turn, count in enumerate(counts):
        for color, number in count.items():
            if color < rules.symbols_in_secrets and membership:
                gains[0, color, turn] = number
            elif color < rules.symbols_in_secrets:
                gains[:number, color, turn] = 1
    return Puzzle(rows, gains, black, total, _rule(rules))


def _rule(rules: Rules) -> Array:
    free = rules.colors if rules.blanks == Blanks.both else -1
    bound = not rules.repeats and free < 0 and rules.colors == rules.pegs
    weight = 0 if rules.feedback.about.in_place_only else 1
    # The others recolor one peg. Tuned as the temperatures were.
    return np.array([100 if bound else 80, rules.repeats, free, weight])


class Chains:
    """Some chains on one list of turns, which can be walked on; what they found, and where they are.

    `start` are codes (`uint8[k, pegs]`) from which the chains set off, the hottest first; others set off anywhere.
    """

    def __init__(
        self,
        rules: Rules,
        turns: Turns,
        rng: np.random.Generator,
        *,
        capacity: int = 2000,
        start: Array | None = None,
        replicas: int = 0,
        betas: Array | None = None,
    ) -> None:
        """Set the chains off; raises InputError where the rules are not theirs."""
        from entropeg.kernels import tempering

        check_walk(rules)
        self.rules = rules
        self.puzzle: Puzzle = puzzle_of(rules, turns)
        # Inverse temperatures, tuned by the codes found in 4 million steps in the midst of games of 20x20, where 0.8 to
        # 3.0 finds an eighth of them, and of 12x12, where 0.5 to 2.2 finds a fifteenth.
        betas = np.geomspace(1.3, 4.5, replicas or 8) if betas is None else betas
        self._chains = _set_off(rules, self.puzzle, betas, start, rng)
        slots = 1 << max(4, int(2 * capacity - 1).bit_length())
        self._harvest = tempering.Harvest(
            np.empty((capacity, rules.pegs), np.uint8),
            np.zeros(capacity, np.int64),
            np.zeros(slots, np.uint64),
            np.zeros(slots, np.int64),
            np.empty((1024, rules.pegs), np.uint8),  # the latest states of the coldest chains
            np.zeros(1024, np.int64),
            np.zeros(3, np.int64),
        )
        self.steps: int = 0
        tempering.load_chains(self.puzzle, self._chains)

    def walk(self, steps: int, *, seen: int = 8, eager: bool = False) -> None:
        """Make some steps, or fewer: until the harvest is full, or each code found has been seen `seen` times."""
        from entropeg.kernels.tempering import temper

        replicas = len(self._chains.order)
        sweeps = max(1, steps // (2 * SWEEP * replicas))
        # States are taken from the two coldest chains.
        made = temper(self.puzzle, self._chains, self._harvest, sweeps, SWEEP, min(2, replicas), seen, eager)
        self.steps += made * 2 * SWEEP * replicas

    @property
    def found(self) -> int:
        """How many codes that fit were found, each counted once."""
        return int(self._harvest.tally[0])

    @property
    def is_full(self) -> bool:
        """Whether as many codes were found as there is room for."""
        return self.found == len(self._harvest.codes)

    @property
    def hits(self) -> Array:
        """How often each code found was seen: `int64[found]`."""
        return self._harvest.hits[: self.found]

    @property
    def rows(self) -> Array:
        """The codes found, in the order of their discovery: `uint8[found, pegs]`."""
        return self._harvest.codes[: self.found]

    @property
    def states(self) -> Array:
        """Where the chains are, the hottest first: `uint8[replicas, pegs]`."""
        states: Array = self._chains.codes[self._chains.order]
        return states

    @property
    def energies(self) -> Array:
        """The energies of the states, the hottest first: `int64[replicas]`."""
        energies: Array = self._chains.energies[self._chains.order]
        return energies

    @property
    def soft(self) -> tuple[Array, Array]:
        """The latest states of the coldest chains, `uint8[s, pegs]`, and what each misses, `int64[s]`."""
        kept = min(int(self._harvest.tally[1]), len(self._harvest.soft))
        return self._harvest.soft[:kept], self._harvest.misses[:kept]

    @property
    def codes(self) -> CodeSet:
        """The codes found, in lexicographic order."""
        return code_set(self.rules, self.rows)

    def some(self, number: int, rng: np.random.Generator) -> CodeSet:
        """Return a number of the codes found, or all where they are fewer, in lexicographic order."""
        if self.found <= number:
            return self.codes
        return code_set(self.rules, self.rows[rng.choice(self.found, number, replace=False)])

    def estimate(self) -> float:
        """Return about how many codes fit, from how often the same were met again; infinite where none were.

        Of M codes, N looks see D = M (1 - exp(-N / M)) different ones. Looks at one chain are alike, so that this is
        rather too low. A guide to what is worth trying, never a proof.
        """
        looks, different = int(self.hits.sum()), self.found
        if looks <= different:
            return float("inf") if different else 0.0
        low, high = float(different), 1e18
        while high / low > 1.001:
            middle = (low * high) ** 0.5
            low, high = (middle, high) if -middle * np.expm1(-looks / middle) < different else (low, middle)
        return low


def code_set(rules: Rules, rows: Array) -> CodeSet:
    """Put different codes, one a row, into lexicographic order."""
    order = np.lexsort(rows.T[::-1]) if len(rows) else np.zeros(0, np.int64)
    return CodeSet(rules, np.ascontiguousarray(rows[order].T))


def _set_off(rules: Rules, puzzle: Puzzle, betas: Array, start: Array | None, rng: np.random.Generator) -> ChainStates:
    from entropeg.kernels import tempering

    replicas, size, symbols = len(betas), puzzle.rows.shape[1], rules.symbols_in_secrets
    codes = np.array([random_secret(rules, rng) for _ in range(replicas)], np.uint8)
    if start is not None and len(start):
        codes[-len(start) :] = start[-replicas:]
    reach = int(np.ceil(17 / betas.min())) + 2  # beyond, the chance of a step is below 2^-24
    accept = (np.exp(-np.outer(betas, np.arange(reach))) * (1 << 24)).astype(np.int64)
    accept[:, -1] = 0
    return tempering.ChainStates(
        codes,
        np.zeros((replicas, symbols), np.int64),
        np.zeros((replicas, size), np.uint8),
        np.zeros((replicas, size), np.uint8),
        np.zeros(replicas, np.int64),
        np.arange(replicas),
        betas,
        accept,
        np.array([int(rng.integers(1, 1 << 62))], np.uint64),
        np.zeros((2, size), np.uint8),
    )
