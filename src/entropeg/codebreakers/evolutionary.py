"""The genetic players of the literature, whose published averages others are compared with on large boards.

A population of codes is bred until enough of them fit every turn; of those the one is played that leaves the fewest,
or tells the most, over the others. Sources: L. Berghman, D. Goossens & R. Leus, Efficient solutions for Mastermind
using genetic algorithms, Computers & Operations Research 36 (2009); J. J. Merelo, P. Castillo, A. Mora & A. Esparcia,
Improving evolutionary solutions to the game of MasterMind using an entropy-based scoring method (2013).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from entropeg.candidates import SCANNED
from entropeg.candidates.build import Construction
from entropeg.candidates.chains import can_walk
from entropeg.candidates.front import no_secret
from entropeg.codebreakers.sampling.doubt import settle
from entropeg.codes import CodeSet
from entropeg.errors import NEAREST, ContradictionError, InputError, TooLargeError
from entropeg.feedback import Code, Method, check_known
from entropeg.kernels.switch import check_compiler
from entropeg.position import Position
from entropeg.registry import choice, named
from entropeg.rules import Rules

if TYPE_CHECKING:
    from entropeg.kernels import evolution as kernel

VARIANTS = ("berghman", "merelo")

SLICE = 10
"""Generations between two looks at the outside."""

ROUNDS = 400
"""Populations bred in vain before a turn is given up; on 8x12 one or two are enough to find a code."""

TRIED = 40_000_000
"""Symbols tried in a second to build a code peg by peg: what `time` seconds buy for that check."""


RATES = {"berghman": (0.0, 0.5, 0.03, 0.03, 0.02), "merelo": (7.0, 8.0, 1.0, 1.0, 0.75)}
"""As `kernels.evolution` reads them: for Berghman the weight of one-point crossover and the chances of change, swap and
inversion; for Merelo the tournament, the weights of crossover, change and permutation, and the share replaced."""


HEAVIEST = 1000
"""Weights up to this leave no doubt that sums fit."""


class Evolved(NamedTuple):
    """The result of the search: the guess, the codes that it was chosen from, and how long it took.

    `fits` is False where no code that fits every turn was found in the time given: the guess is then the code that
    misses the feedback of the turns by least.
    """

    guess: Code
    eligible: CodeSet
    generations: int
    fits: bool


class _BreedingEffort(NamedTuple):
    population: int
    eligible: int
    generations: int
    populations: int


@dataclass(frozen=True)
class Evolutionary:
    """Breeds codes that fit every answer (Berghman et al. 2009).

    Sources: Berghman, Goossens & Leus 2009; Merelo et al. 2013.
    `variant` is berghman or merelo; zeros and empty texts stand for what was published: `population` 150 (merelo: 200
    to 2000 by pegs), `eligible` codes wanted 60 (64), `generations` at most 100, `score` size (entropy). `time` is
    the number of seconds after which a turn plays the best code found so far, 0 for no limit; where that fits not every
    turn, whether the answers can be true is checked for about as long. Plays where colors may repeat, under standard,
    black and membership feedback.

    The eligible codes come from `populations`, one after the other, each of which gives its share and no more: 1, but
    20 for berghman from 8 pegs on, which is not published but measured here. A code that misses x blacks and y whites
    is the fitter the less `blacks` x + `whites` y + `flat` pegs (turns - 1) is; the larger `flat`, the more evenly
    parents are drawn (berghman only).
    """

    variant: str = "berghman"
    population: int = 0
    eligible: int = 0
    generations: int = 0
    score: str = ""
    time: float = 0.0
    populations: int = 0
    blacks: int = 1
    whites: int = 1
    flat: float = 0.0

    name = named("evolutionary")
    deterministic: ClassVar[bool] = False

    def __post_init__(self) -> None:
        choice("variant", self.variant, VARIANTS)
        choice("score", self.score, ("", "size", "entropy", "parts"))
        for name in ("population", "eligible", "generations", "populations", "flat", "time"):
            if getattr(self, name) < 0:
                raise InputError(
                    "{name} is {given}; it must be at least 0, which stands for the default", name, getattr(self, name)
                )
        for name in ("blacks", "whites"):
            if not 1 <= getattr(self, name) <= HEAVIEST:
                raise InputError("{name} is {given}; a weight must be 1 to {most}", name, getattr(self, name), HEAVIEST)
        if self.population == 1:
            raise InputError("population is 1; a code alone has no partner: it must be at least 2")

    def guess(self, position: Position, rng: np.random.Generator) -> Code:
        """Return the guess; raises what `decide` raises."""
        return self.decide(position, rng).guess

    def explained(self, position: Position, rng: np.random.Generator) -> tuple[Code, str]:
        """Return the guess, and a sentence where it is less than it should be: the time was up."""
        found = self.decide(position, rng)
        return found.guess, "" if found.fits else NEAREST

    def decide(self, position: Position, rng: np.random.Generator) -> Evolved:
        """Return the guess and the codes it was chosen from.

        Raises InputError under rules that it does not play, ContradictionError where no secret fits, TooLargeError
        where none was found and no time was given, or none in `time` that fits even the turns up to some time ago.
        """
        check_rules(position.rules)
        seed = int(rng.integers(1 << 63))
        if not position.turns:
            code = opening(position.rules)
            return Evolved(code, CodeSet.of([code], position.rules), 0, fits=True)
        arranged = self._arrangements(position)
        if arranged is not None:
            return Evolved(best_of(arranged, "parts", seed), arranged, 0, fits=True)
        return self._search(position, seed)

    def _arrangements(self, position: Position) -> CodeSet | None:
        # Merelo's endgame: once every color is known all arrangements of them that fit are compared.
        if self.variant != "merelo" or sum(position.turns[-1].feedback[:2]) != position.rules.pegs:
            return None
        search = Construction(position.rules, position.turns)
        # Most arrangements of known colors that are compared, as Merelo's endgame does.
        found = search.next_planes(20_000)
        if not search.is_done or not found.shape[1]:
            return None
        return CodeSet(position.rules, found)

    def _search(self, position: Position, seed: int) -> Evolved:
        effort = self._effort(position.rules)
        breeding = _Breeding(position, self, effort, seed)
        share = -(-effort.eligible // effort.populations)
        deadline = perf_counter() + self.time if self.time else np.inf
        for bred in range(1, max(ROUNDS, effort.populations) + 1):
            breeding.run(effort.generations, share, deadline)
            enough = bred >= effort.populations and breeding.found
            if enough or breeding.found == effort.eligible or perf_counter() > deadline:
                break
            # The answers are checked after 20 populations bred in vain: a lie on 7x9 is told after 0.6 seconds, not
            # 1.7.
            if bred == 20 and not breeding.found and not self.time:
                with suppress(TooLargeError):
                    position.check_consistent()
        if not breeding.found and not self.time:
            raise TooLargeError(
                "evolutionary found no code that fits the {turns} turns on {rules} in {number} "
                "populations: give it time=SECONDS to play the nearest one, or take auto, which picks a "
                "strategy that does",
                *(len(position.turns), position.rules, ROUNDS),
            )
        eligible = breeding.eligible
        if not len(eligible):
            rescue = _check_in_time(position, self.time)
            if rescue is not None:
                return Evolved(rescue, CodeSet.of([rescue], position.rules), breeding.generations, fits=True)
            return Evolved(breeding.nearest, eligible, breeding.generations, fits=False)
        score = self.score or ("size" if self.variant == "berghman" else "entropy")
        return Evolved(best_of(eligible, score, seed), eligible, breeding.generations, fits=True)

    def _effort(self, rules: Rules) -> _BreedingEffort:
        if self.variant == "berghman":
            # From 8 pegs on Berghman's codes come from 20 populations; how many the paper bred we do not know. The
            # codes that one population finds are kin, and after the fourth turn it misses most. 8x12 took 8.73 +-
            # 0.07 guesses with one population, 8.57 +- 0.05 with twenty, 8.45 +- 0.06 with codes drawn evenly from
            # all that fit; published are 8.366.
            published = _BreedingEffort(150, 60, 100, 20 if rules.pegs >= 8 else 1)
        else:
            published = _BreedingEffort({4: 200, 5: 600, 6: 800, 7: 1500}.get(max(rules.pegs, 4), 2000), 64, 100, 1)
        return _BreedingEffort(*(getattr(self, name) or default for name, default in published._asdict().items()))


def check_rules(rules: Rules) -> None:
    """Raise InputError, saying why, where the genetic players do not apply."""
    if not rules.is_symmetric or not rules.repeats:
        raise InputError("evolutionary breeds codes in which every color may repeat, not those of {rules}", rules)
    check_known(rules, Method.evolutionary)


def opening(rules: Rules) -> Code:
    """Return the first guess: pairs of colors, and two single ones at an even number of pegs, one at an odd one.

    AABC was published for four pegs; AABBC, AABBCD, AABBCCD and AABBCCDE are where exact entropy is largest on 5x8,
    6x9, 7x10 and 8x12. With too few colors each occurs as often as the others.

    >>> opening(Rules.parse("8x12")), opening(Rules.parse("4x2"))
    ((0, 0, 1, 1, 2, 2, 3, 4), (0, 0, 1, 1))
    """
    pegs, colors = rules.pegs, rules.symbols_in_secrets
    pairs = max((pegs - 1) // 2, 0)
    code = [color for color in range(pairs) for _ in range(2)] + list(range(pairs, pegs - pairs))
    if code[-1] >= colors:
        code = [peg * colors // pegs for peg in range(pegs)]
    return tuple(code)


def best_of(codes: CodeSet, score: str, seed: int) -> Code:
    """Return the code that splits the others best: fewest left on average, most bits or most parts; ties by chance.

    >>> best_of(CodeSet.of([(0, 0), (0, 1), (1, 1)], Rules(2, 2)), "parts", 1)
    (1, 1)
    """
    few = codes[:: -(-len(codes) // 1000)]
    sizes = few.part_sizes(few).astype(np.int64)
    if score == "parts":
        cost = -(sizes > 0).sum(axis=1).astype(float)
    elif score == "size":
        cost = (sizes * sizes).sum(axis=1).astype(float)
    else:
        cost = np.round((sizes * np.log2(np.maximum(sizes, 1))).sum(axis=1), 9)
    equal = np.flatnonzero(cost == cost.min())
    return few[int(equal[seed % len(equal)])]


def _check_in_time(position: Position, seconds: float) -> Code | None:
    # For about as long as the search itself took: codes are built and, where that decides nothing, the answers doubted
    # as `sampling` does; the code is the solver's. Which turns contradict each other is not said: on 16x16
    # that would take half a minute.
    rules, turns = position.rules, position.turns
    if rules.secret_count <= SCANNED:
        position.check_consistent()
        return None
    search = Construction(rules, turns, merged=True)
    if search.next_planes(1, max(1, int(TRIED * seconds))).shape[1]:
        return None
    if search.is_done:
        raise ContradictionError(no_secret(rules, len(turns)))
    # The solver takes two to four seconds for one unit of its effort; it is given 0.3 units at least.
    return settle(rules, turns, max(seconds / 3.0, 0.3)) if can_walk(rules) else None


class _Breeding:
    """A population and its offspring, as the arrays of the kernel."""

    def __init__(self, position: Position, player: Evolutionary, effort: _BreedingEffort, seed: int) -> None:
        from entropeg.kernels.evolution import Fitting, Population

        rules, size, wanted = position.rules, effort.population, effort.eligible
        self.rules, self.generations = rules, 0
        self._turns = pack_turns(rules, position.turns, player.blacks, player.whites)
        self._scratch = scratch(rules, size)
        self._scheme = VARIANTS.index(player.variant)
        self._rates = np.array(RATES[player.variant])
        if player.variant == "berghman":
            self._rates[0] = player.flat * rules.pegs * (len(position.turns) - 1)
        codes, children = np.zeros((2, size, rules.pegs), np.int64)
        self._population = Population(
            codes=codes,
            missed=np.zeros(size, np.int64),
            children=children,
            state=np.array([seed], np.uint64),
            sums=np.zeros(size),
            table=np.zeros(_power_above(2 * size), np.uint64),
        )
        self._fitting = Fitting(
            codes=np.zeros((wanted, rules.pegs), np.int64),
            number=np.zeros(1, np.int64),
            known=np.zeros(_power_above(2 * wanted), np.uint64),
        )

    @property
    def found(self) -> int:
        """How many different codes that fit every turn were found."""
        return int(self._fitting.number[0])

    @property
    def eligible(self) -> CodeSet:
        """Those codes."""
        return CodeSet.of(self._fitting.codes[: self.found].tolist(), self.rules)

    @property
    def nearest(self) -> Code:
        """The code of the population that misses the feedback by least."""
        return tuple(self._population.codes[int(self._population.missed.argmin())].tolist())

    def run(self, generations: int, share: int, deadline: float) -> None:
        """Breed a new population until its share of codes is found or the time is up."""
        from entropeg.kernels import evolution

        check_compiler()
        symbols, measured = self.rules.symbols_in_secrets, (self._turns, self._scratch, self._population)
        fitting = self._fitting._replace(codes=self._fitting.codes[: self.found + share])
        evolution.start(symbols, *measured)
        for bred in range(0, generations, SLICE):
            more = min(SLICE, generations - bred)
            evolution.evolve(self._scheme, self._rates, more, symbols, *measured, fitting)
            self.generations += more
            if self.found == len(fitting.codes) or perf_counter() > deadline:
                return


def pack_turns(rules: Rules, turns: Any, blacks: int = 1, whites: int = 1) -> kernel.TurnArrays:
    """Return turns as `kernels.evolution` takes them, and the cost of missing a black or a white."""
    from entropeg.kernels.evolution import TurnArrays

    shape, dtype = (len(turns), rules.pegs), _dtype(rules)
    guesses = np.array([turn[0] for turn in turns], dtype).reshape(shape)
    colors, copies = np.zeros(shape, dtype), np.zeros(shape, dtype)
    for turn, guess in enumerate(guesses):
        found, numbers = np.unique(guess, return_counts=True)
        colors[turn, : len(found)], copies[turn, : len(found)] = found, numbers
    wanted = np.array([(answer.black, answer.white) for _, answer in turns], np.int64).reshape(-1, 2)
    about = rules.feedback.about
    weights = np.array([blacks, 0 if about.in_place_only else whites])
    return TurnArrays(about.common == "members", guesses, colors, copies, wanted, weights)


def scratch(rules: Rules, number: int) -> kernel.MeasureScratch:
    """Return the room in which `kernels.evolution` measures a number of codes."""
    from entropeg.kernels.evolution import MeasureScratch

    width, dtype = -(-number // 64) * 64, _dtype(rules)
    planes, counts = np.zeros((rules.pegs, width), dtype), np.zeros((rules.symbols_in_guesses, width), dtype)
    return MeasureScratch(planes, counts, np.zeros((2, width), dtype), np.zeros(width, np.int64))


def _dtype(rules: Rules) -> type[np.unsignedinteger[Any]]:
    return np.uint8 if max(rules.pegs, rules.symbols_in_guesses) < 256 else np.uint16


def _power_above(number: int) -> int:
    return 1 << max(number, 4).bit_length()
